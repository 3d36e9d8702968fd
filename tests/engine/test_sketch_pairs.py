"""Candidates from sketches, against comparing every two."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.progress import Latest, Stopped
from dupfinder.engine import sketch_pairs as module
from dupfinder.engine.sketch_pairs import sketch_pairs
from tests.cluster.making import ragged

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
    before, module._BLOCK = module._BLOCK, block  # small blocks: many merges
    try:
        found = sketch_pairs(*ragged(sets), np.array(least, np.int64), most_holders=most_holders)
    finally:
        module._BLOCK = before
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    assert dict(zip(pairs, found.shared.tolist(), strict=True)) == brute(sets, least, most_holders)
    assert pairs == sorted(set(pairs))
    holders = [sum(value in one for one in sets) for value in set().union(*sets)]
    assert found.dropped == sum(number > most_holders for number in holders)


def test_nothing_gives_nothing() -> None:
    nothing: list[list[set[int]]] = [[], [set()], [set(), {1}]]
    for sets in nothing:
        assert len(sketch_pairs(*ragged(sets), np.ones(len(sets), np.int64)).left) == 0


def test_a_stop_is_heard() -> None:
    reporter = Latest()
    reporter.stop()
    with pytest.raises(Stopped):
        sketch_pairs(*ragged([[1], [1]]), np.ones(2, np.int64), reporter=reporter)
