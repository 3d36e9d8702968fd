"""Candidates from sketches, against comparing every two."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.progress import Latest, Stopped
from dupfinder.cluster import candidates
from dupfinder.cluster.candidates import SketchPairs, both, is_among, sketch_pairs, union
from dupfinder.index.pairs import Pairs
from tests.cluster.making import graphs, pairs_of, ragged

SETS = st.lists(st.sets(st.integers(0, 25), max_size=10), min_size=1, max_size=14)


def brute(sets: list[set[int]], least: list[int], most_holders: int) -> dict[tuple[int, int], int]:
    common = {value for value in set().union(*sets) if sum(value in one for one in sets) > most_holders}
    found = {}
    for one, other in itertools.combinations(range(len(sets)), 2):
        shared = len((sets[one] & sets[other]) - common)
        if shared and shared >= min(least[one], least[other]):
            found[one, other] = shared
    return found


@settings(deadline=None, max_examples=200)
@given(SETS, st.data(), st.integers(2, 8), st.sampled_from([1, 7, 8_000_000]))
def test_pairs_are_those_of_comparing_every_two(
    sets: list[set[int]], data: st.DataObject, most_holders: int, block: int
) -> None:
    least = [data.draw(st.integers(1, 5)) for _ in sets]
    before, candidates._BLOCK = candidates._BLOCK, block  # small blocks: many merges
    try:
        found = sketch_pairs(*ragged(sets), np.array(least, np.int64), most_holders=most_holders)
    finally:
        candidates._BLOCK = before
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    assert dict(zip(pairs, found.shared.tolist(), strict=True)) == brute(sets, least, most_holders)
    assert pairs == sorted(set(pairs))
    holders = [sum(value in one for one in sets) for value in set().union(*sets)]
    assert found.dropped == sum(number > most_holders for number in holders)


def test_nothing_gives_nothing() -> None:
    nothing: list[list[set[int]]] = [[], [set()], [set(), {1}]]
    for sets in nothing:
        assert len(sketch_pairs(*ragged(sets), np.ones(len(sets), np.int64)).left) == 0


@settings(deadline=None, max_examples=100)
@given(SETS, graphs(8, 12))
def test_the_union_has_each_pair_once_with_its_distance(
    sets: list[set[int]], graph: tuple[int, list[tuple[int, int, int]]]
) -> None:
    count = max(len(sets), graph[0])
    fingerprints = np.random.default_rng(count).integers(0, 2**64, count, np.uint64)
    near = pairs_of(graph[1])
    extra = sketch_pairs(*ragged(sets), np.ones(len(sets), np.int64))
    both: Pairs = union(near, extra, fingerprints)
    known = {row[:2] for row in graph[1]}
    sketched = set(zip(extra.left.tolist(), extra.right.tolist(), strict=True))
    found = list(zip(both.left.tolist(), both.right.tolist(), strict=True))
    assert found == sorted(known | sketched)
    for (one, other), distance in zip(found, both.distance.tolist(), strict=True):
        assert distance == (int(fingerprints[one]) ^ int(fingerprints[other])).bit_count()
    assert is_among(both, extra).tolist() == [pair in sketched for pair in found]


def test_a_stop_is_heard() -> None:
    reporter = Latest()
    reporter.stop()
    with pytest.raises(Stopped):
        sketch_pairs(*ragged([[1], [1]]), np.ones(2, np.int64), reporter=reporter)


def columns(found: dict[tuple[int, int], int]) -> SketchPairs:
    rows = sorted(found)
    left, right = (np.array([pair[side] for pair in rows], np.uint32) for side in (0, 1))
    return SketchPairs(left, right, np.array([found[pair] for pair in rows], np.int32), 1)


FOUND = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(6, 9)), st.integers(1, 30), max_size=12)


@settings(deadline=None, max_examples=100)
@given(FOUND, FOUND)
def test_what_two_samples_propose_is_told_once_by_the_surer(
    first: dict[tuple[int, int], int], second: dict[tuple[int, int], int]
) -> None:
    found = both(columns(first), columns(second))
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    assert pairs == sorted(first | second)
    told = dict(zip(pairs, found.shared.tolist(), strict=True))
    assert told == {pair: max(first.get(pair, 0), second.get(pair, 0)) for pair in first | second}
    assert found.dropped == 2
