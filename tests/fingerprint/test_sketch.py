"""Sketches: exact numbers against plain sets, estimators against exact numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint import sketch
from dupfinder.fingerprint.hashing import Hashes

small_sets = st.sets(st.integers(0, 60), max_size=40)
ROUNDS = 200


def array(values: set[int]) -> Hashes:
    return np.array(sorted(values), dtype=np.uint64)


@given(small_sets, small_sets)
def test_resemblance_and_containment_are_those_of_plain_sets(left: set[int], right: set[int]) -> None:
    assert sketch.shared(array(left), array(right)) == len(left & right)
    assert sketch.resemblance(array(left), array(right)) == (
        len(left & right) / len(left | right) if left | right else 0
    )
    assert sketch.containment(array(left), array(right)) == (len(left & right) / len(left) if left else 0)


@given(small_sets, small_sets, st.integers(1, 50))
def test_the_min_estimate_is_its_formula(left: set[int], right: set[int], size: int) -> None:
    smallest = set(sorted(left | right)[:size])
    expected = len(smallest & left & right) / len(smallest) if smallest else 0
    first, second = sketch.min_sketch(array(left), size), sketch.min_sketch(array(right), size)
    assert sketch.min_resemblance(first, second, size) == pytest.approx(expected)


@given(st.lists(st.integers(0, 2**64 - 1)), st.integers(1, 200))
def test_multiples_are_found_without_dividing(values: list[int], modulus: int) -> None:
    multiples = sketch.divisible(np.array(values, dtype=np.uint64), modulus)
    assert multiples.tolist() == [value for value in values if value % modulus == 0]


@given(small_sets, st.integers(1, 50), st.lists(st.integers(0, 60), max_size=3))
def test_a_set_in_slices_leaves_the_smallest_values_and_at_least_a_sixteenth(
    numbers: set[int], size: int, cuts: list[int]
) -> None:
    whole = array(numbers) << np.uint64(58)
    slices = np.split(whole, np.searchsorted(whole, np.array(sorted(cuts), dtype=np.uint64) << np.uint64(58)))
    members, smallest = sketch.smallest_of(slices, size)
    assert members == len(numbers)
    assert smallest.tolist() == whole[: max(size, np.count_nonzero(whole < 2**60) + 1)].tolist()


def overlapping(seed: int, common: int, alone: int) -> tuple[Hashes, Hashes]:
    """Return two random sets with `common` members in both and `alone` members in each only."""
    draw = np.random.default_rng(seed).integers(0, 2**64, common + 2 * alone, dtype=np.uint64)
    left, right = draw[: common + alone], np.concatenate([draw[:common], draw[common + alone :]])
    return np.sort(left), np.sort(right)


@pytest.mark.parametrize(("common", "alone"), [(700, 150), (300, 350), (900, 50)])
def test_min_estimates_are_unbiased_with_the_stated_error(common: int, alone: int) -> None:
    size, exact = 128, common / (common + 2 * alone)
    estimates = []
    for seed in range(ROUNDS):
        left, right = (sketch.min_sketch(part, size) for part in overlapping(seed, common, alone))
        estimates.append(sketch.min_resemblance(left, right, size))
    error = math.sqrt(exact * (1 - exact) / size)
    assert abs(np.mean(estimates) - exact) < 4 * error / math.sqrt(ROUNDS)
    # Drawn without replacement from the union: the error is below the binomial one.
    finite = math.sqrt(1 - size / (common + 2 * alone))
    assert 0.8 * finite * error < np.std(estimates) < 1.2 * error


def test_mod_estimates_of_resemblance_and_containment_are_unbiased() -> None:
    common, alone, modulus = 2000, 500, 25
    resemblances, containments = [], []
    for seed in range(ROUNDS):
        left, right = (sketch.divisible(part, modulus) for part in overlapping(seed, common, alone))
        resemblances.append(sketch.resemblance(left, right))
        containments.append(sketch.containment(left, right))
    for estimates, exact, members in ((resemblances, 2 / 3, 3000), (containments, 0.8, 2500)):
        error = math.sqrt(exact * (1 - exact) / (members / modulus))
        assert abs(np.mean(estimates) - exact) < 5 * error / math.sqrt(ROUNDS)
        assert 0.8 * error < np.std(estimates) < 1.25 * error
