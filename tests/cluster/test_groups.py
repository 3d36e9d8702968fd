"""Groups as columns, pairs by document, and how each member belongs to the keeper."""

from __future__ import annotations

from collections import deque

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.cluster.groups import Edges, Groups, Tie, directed, ties
from dupfinder.cluster.linkage import ALONE
from tests.cluster.making import graphs, likeness_of, pairs_of, union_find

Graph = tuple[int, list[tuple[int, int, int]]]


@settings(deadline=None, max_examples=200)
@given(graphs(20, 12))
def test_groups_hold_each_member_once_in_order(graph: Graph) -> None:
    count, rows = graph
    names = union_find(count, [row[:2] for row in rows])
    labels = [name if names.count(name) > 1 else ALONE for name in names]
    groups = Groups.of(np.array(labels, np.int32))
    expected = {name: [row for row in range(count) if labels[row] == name] for name in sorted(set(labels) - {ALONE})}
    assert groups.ids.tolist() == list(expected) and len(groups) == len(expected)
    assert [groups.rows(place).tolist() for place in range(len(groups))] == list(expected.values())


@settings(deadline=None, max_examples=200)
@given(graphs(20, 40), st.integers(0, 16))
def test_the_neighbours_of_a_document_are_those_of_its_pairs(graph: Graph, radius: int) -> None:
    count, rows = graph
    pairs = pairs_of(rows)
    edges, usable = Edges.of(pairs, count), pairs.distance <= radius
    for document in range(count):
        expected = sorted(
            (other if one == document else one, place)
            for place, (one, other, distance) in enumerate(sorted(rows))
            if document in (one, other) and distance <= radius
        )
        assert edges.of_document(document, usable) == expected


@settings(deadline=None, max_examples=200)
@given(graphs(12, 16), st.data())
def test_members_are_tied_to_the_keeper_by_the_shortest_way(graph: Graph, data: st.DataObject) -> None:
    count, rows = graph
    pairs = pairs_of(rows)
    keeper = data.draw(st.integers(0, count - 1))
    members = sorted(data.draw(st.sets(st.integers(0, count - 1))) | {keeper})
    copies = np.arange(count, dtype=np.int32)
    found = ties(keeper, np.array(members, np.int32), copies, Edges.of(pairs, count), np.ones(len(rows), np.bool_))
    steps = {keeper: 0}
    queue = deque([keeper])
    beside = {row: {a + b - row for a, b, _ in rows if row in (a, b)} & set(members) for row in members}
    while queue:
        row = queue.popleft()
        for other in beside[row] - steps.keys():
            steps[other] = steps[row] + 1
            queue.append(other)
    assert found.keys() == steps.keys()
    assert found[keeper] == Tie(-1, -1)
    for row in steps.keys() - {keeper}:
        tie = found[row]
        named = {int(pairs.left[tie.pair]), int(pairs.right[tie.pair])}
        through = keeper if tie.through < 0 else tie.through
        assert named == {row, through} and steps[through] == steps[row] - 1
        assert (tie.through < 0) == (steps[row] == 1)
        nearest = min(other for other in beside[row] if steps.get(other) == steps[row] - 1)
        assert through == nearest  # among equals the smallest row: no reading order shows


def test_a_copy_of_the_keeper_is_tied_without_a_pair_and_a_copy_of_a_member_like_it() -> None:
    pairs = pairs_of([(0, 2, 4)])
    copies = np.array([0, 0, 2, 2], np.int32)
    found = ties(1, np.arange(4, dtype=np.int32), copies, Edges.of(pairs, 4), np.array([True]))
    assert found == {0: Tie(-1, -1), 1: Tie(-1, -1), 2: Tie(0, -1), 3: Tie(0, -1)}


def test_shares_are_told_from_either_side() -> None:
    pairs = pairs_of([(0, 1, 4)])
    shares = [np.array([value], np.float32) for value in (0.5, 0.125, 0.25)]
    likeness = likeness_of(1, resemblance=shares[0], left_in_right=shares[1], right_in_left=shares[2])
    assert directed(likeness, pairs, 0, 0) == (0.5, 0.125, 0.25)
    assert directed(likeness, pairs, 0, 1) == (0.5, 0.25, 0.125)
