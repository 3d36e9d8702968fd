"""Joining in bounded memory: the radius that fits, and some partners where none does."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.progress import SilentReporter
from dupfinder.index.join import join
from dupfinder.index.pairs import Pairs
from dupfinder.scan.matching import bounded_join, pairs_of_equals


def rows_of(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


def ties_of(count: int) -> NDArray[np.uint64]:
    return np.random.default_rng(2).integers(1, 2**63, (count, 2), dtype=np.uint64)


def test_many_thousands_of_near_fingerprints_lower_the_radius_to_what_fits() -> None:
    rng = np.random.default_rng(1)
    near = np.full(20_000, 0x0123456789ABCDEF, np.uint64)
    for _ in range(8):
        near ^= np.uint64(1) << rng.integers(0, 64, len(near), dtype=np.uint64)
    most = 60_000
    pairs, radius = bounded_join(near, ties_of(len(near)), 8, most, SilentReporter())
    assert 0 < radius < 8 and 0 < len(pairs) <= most
    assert len(join(near, radius + 1)) > most
    assert rows_of(pairs) == rows_of(join(near, radius))


def test_too_many_equal_ones_leave_some_partners_for_each() -> None:
    equal = np.repeat(np.array([7, 2**63], np.uint64), [9000, 3])
    pairs, radius = bounded_join(equal, ties_of(len(equal)), 16, 30_000, SilentReporter())
    assert radius == 0 and not pairs.distance.any()
    assert 9000 < len(pairs) <= 30_000
    assert len(np.union1d(pairs.left, pairs.right)) == len(equal)
    assert (equal[pairs.left] == equal[pairs.right]).all()


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(1, 200))
def test_partners_depend_on_the_texts_and_not_on_their_order(values: list[int], most: int) -> None:
    fingerprints, ties = np.array(values, np.uint64), ties_of(len(values))
    pairs = rows_of(pairs_of_equals(fingerprints, ties, most))
    assert pairs == sorted(set(pairs)) and all(left < right for left, right in pairs)
    assert len(pairs) <= max(most, len(values))
    order = np.random.default_rng(len(values)).permutation(len(values))
    moved = rows_of(pairs_of_equals(fingerprints[order], ties[order], most))
    assert {frozenset((int(order[left]), int(order[right]))) for left, right in moved} == set(map(frozenset, pairs))
    if most >= len(values) ** 2:
        assert pairs == rows_of(join(fingerprints, 0))
