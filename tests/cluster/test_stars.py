"""Groups around a centre, against the same told plainly, and without regard to the order of rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.cluster.linkage import ALONE, representatives
from dupfinder.cluster.stars import stars, stars_by_reach
from tests.cluster.making import graphs, pairs_of, union_find

Graph = tuple[int, list[tuple[int, int, int]]]


def plainly(count: int, weights: dict[tuple[int, int], float], copies: list[int]) -> list[int]:
    """The groups by the words of the function's own description."""
    partners: dict[int, dict[int, float]] = {row: {} for row in range(count)}
    for (one, other), weight in weights.items():
        partners[one][other] = partners[other][one] = weight
    whole = union_find(count, list(weights))
    centre: dict[int, int] = {}
    for name in set(whole):
        rows = [row for row in range(count) if whole[row] == name]
        if any(len(partners[row]) == len(rows) - 1 for row in rows):
            centre.update(dict.fromkeys(rows, name))
            continue
        while True:
            free = {row: sum(w for other, w in partners[row].items() if other not in centre)
                    for row in rows if row not in centre}  # fmt: skip
            heaviest = max(free, key=lambda row: (round(free[row], 6), -row), default=None)
            if heaviest is None or free[heaviest] <= 0:
                break
            taken = [heaviest, *(other for other in partners[heaviest] if other not in centre)]
            centre.update(dict.fromkeys(taken, heaviest))
        for row in sorted(free):
            centre[row] = centre[max((other for other in partners[row] if other in centre),
                                     key=lambda other: (partners[row][other], -other))]  # fmt: skip
    groups: dict[int, list[int]] = {}
    for row in range(count):
        groups.setdefault(centre[copies[row]], []).append(row)
    labels = [ALONE] * count
    for rows in groups.values():
        if len(rows) > 1:
            for row in rows:
                labels[row] = min(rows)
    return labels


def weighted(rows: list[tuple[int, int, int]]) -> dict[tuple[int, int], float]:
    """Weights of which no two sums are equal, so that nothing is left to the order of rows."""
    return {row[:2]: 0.5 ** (place + 1) for place, row in enumerate(rows)}


def labels_of(count: int, weights: dict[tuple[int, int], float], copies: list[int]) -> list[int]:
    pairs = pairs_of([(*pair, 0) for pair in weights])
    values = np.array([weights[pair] for pair in sorted(weights)], np.float32)
    found: list[int] = stars(pairs, values, np.array(copies, np.int32)).tolist()
    return found


@settings(deadline=None, max_examples=400)
@given(graphs())
def test_groups_are_those_of_the_plain_way(graph: Graph) -> None:
    count, rows = graph
    weights, copies = weighted(rows), list(range(count))
    assert labels_of(count, weights, copies) == plainly(count, weights, copies)


@settings(deadline=None, max_examples=200)
@given(graphs(), st.data())
def test_groups_do_not_depend_on_the_order_of_rows(graph: Graph, data: st.DataObject) -> None:
    count, rows = graph
    weights = weighted(rows)
    place = data.draw(st.permutations(range(count)))
    moved = {(min(place[a], place[b]), max(place[a], place[b])): weight for (a, b), weight in weights.items()}
    groups = _sets(labels_of(count, weights, list(range(count))), list(range(count)))
    assert _sets(labels_of(count, moved, list(range(count))), place) == groups


def _sets(labels: list[int], place: list[int]) -> set[frozenset[int]]:
    names = [labels[place[row]] for row in range(len(labels))]
    return {frozenset(row for row in range(len(names)) if names[row] == name) for name in set(names) - {ALONE}}


@settings(deadline=None, max_examples=200)
@given(graphs(), st.data())
def test_copies_are_together_and_a_group_is_named_after_its_smallest_row(graph: Graph, data: st.DataObject) -> None:
    count, rows = graph
    stands = data.draw(st.lists(st.integers(0, count - 1), min_size=0, max_size=6))
    order = data.draw(st.permutations(range(count + len(stands))))
    hashes = np.zeros((len(order), 2), np.uint64)
    of_row = [*range(count), *stands]  # what each row is a copy of
    for row, old in enumerate(order):
        hashes[row, 0] = of_row[old] + 1
    copies = representatives(hashes).tolist()
    stand_of = {of_row[old]: copies[row] for row, old in enumerate(order)}
    weights = {}
    for (one, other), weight in weighted(rows).items():
        low, high = sorted((stand_of[one], stand_of[other]))
        weights[low, high] = weight
    labels = labels_of(len(order), weights, copies)
    assert labels == plainly(len(order), weights, copies)
    for row, label in enumerate(labels):
        assert label == labels[copies[row]]
        assert label == ALONE or label == min(other for other in range(len(labels)) if labels[other] == label)


def test_a_chain_of_small_steps_does_not_join_its_ends() -> None:
    chain = {(row, row + 1): 0.75 for row in range(9)}
    labels = labels_of(10, chain, list(range(10)))
    sizes = np.bincount([label for label in labels if label != ALONE])
    assert labels[0] != labels[9] and sizes.max() <= 4


@settings(deadline=None, max_examples=200)
@given(graphs(14, 30), st.data())
def test_one_pass_tells_of_every_radius_what_its_pairs_alone_tell(graph: Graph, data: st.DataObject) -> None:
    count, rows = graph
    found = weighted(rows)
    pairs = pairs_of([(*pair, 0) for pair in found])
    values = np.array([found[pair] for pair in sorted(found)], np.float32)
    reach = np.array([data.draw(st.integers(0, 6)) for _ in found], np.uint8)
    copies = np.arange(count, dtype=np.int32)
    for row in data.draw(st.sets(st.integers(0, count - 1), max_size=4)):
        if not (pairs.left == row).any() and not (pairs.right == row).any():
            copies[row] = copies[: row + 1].min()
    columns = stars_by_reach(pairs, values, reach, copies, 6)
    assert columns.shape == (7, count)
    for radius in range(7):
        now = reach <= radius
        assert columns[radius].tolist() == stars(pairs.take(now), values[now], copies).tolist()
