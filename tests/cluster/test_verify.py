"""Verification, against Python's own sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.columns import Ragged
from dupfinder.cluster import verify as module
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.index.pairs import Pairs
from tests.cluster.making import pairs_of, ragged

VALUES = st.sampled_from([0, 1, 2, 3, 5, 8, 13, 2**32, 2**63, 2**64 - 1])
SETS = st.lists(st.sets(VALUES, max_size=8), min_size=2, max_size=9)


def every_pair(count: int) -> Pairs:
    return pairs_of([(left, right, 0) for left, right in itertools.combinations(range(count), 2)])


@given(SETS, st.sampled_from([1, 5, 4_000_000]))
def test_whole_sets_are_compared_exactly(sets: list[set[int]], block: int) -> None:
    pairs = every_pair(len(sets))
    before, module._BLOCK = module._BLOCK, block
    try:
        evidence = verify(pairs, Shingles.sketched(Ragged(*ragged(sets)), np.array([len(members) for members in sets])))
    finally:
        module._BLOCK = before
    assert not evidence.error.any()
    for row, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        left_set, right_set = sets[left], sets[right]
        shared = len(left_set & right_set)
        expected = [shared / len(whole) if whole else 0 for whole in (left_set | right_set, left_set, right_set)]
        shares = [evidence.resemblance[row], evidence.left_in_right[row], evidence.right_in_left[row]]
        assert shares == pytest.approx(expected, abs=1e-6)


def test_a_value_that_a_document_has_twice_counts_once_and_one_that_ends_a_document_and_begins_the_next_twice() -> None:
    """Different shingles of a document may be equal when they are shortened."""
    lists = [[3, 5, 9], [3, 3, 5], [1, 9], [9, 9, 11]]
    shingles = Shingles.sketched(Ragged(*ragged(lists)), np.array([len(values) for values in lists]))
    shares = verify(pairs_of([(0, right, 0) for right in (1, 2, 3)]), shingles)
    assert shares.left_in_right * 3 == pytest.approx([2, 1, 1])


def test_rows_are_told_in_the_order_of_the_pairs_whatever_it_is() -> None:
    chance = np.random.default_rng(3)
    sets = [set(chance.integers(0, 40, 20).tolist()) for _ in range(12)]
    shingles = Shingles.sketched(Ragged(*ragged(sets)), np.array([len(members) for members in sets]))
    pairs = every_pair(12)
    order = chance.permutation(len(pairs))
    shuffled = Pairs(pairs.left[order], pairs.right[order], pairs.distance[order])
    assert (verify(shuffled, shingles).resemblance == verify(pairs, shingles).resemblance[order]).all()


@pytest.mark.parametrize("part", [0.05, 0.3, 0.7, 0.95])
@pytest.mark.parametrize("lengths", [(4000, 4000), (9000, 3000), (700, 5000)])
def test_cut_sets_are_estimated_without_bias(part: float, lengths: tuple[int, int]) -> None:
    size, trials = 256, 60
    chance = np.random.default_rng(11)
    common = int(part * min(lengths))
    errors: list[list[float]] = []
    estimates: list[float] = []
    for _ in range(trials):
        values = chance.choice(2**62, sum(lengths) - common, replace=False)
        left = np.sort(values[: lengths[0]])
        right = np.sort(np.concatenate((values[:common], values[lengths[0] :])))
        kept = [values[:size].tolist() for values in (left, right)]
        evidence = verify(every_pair(2), Shingles.sketched(Ragged(*ragged(kept)), np.array(lengths)))
        estimates.append(float(evidence.error[0]))
        true = (common / (sum(lengths) - common), common / lengths[0], common / lengths[1])
        shares = (evidence.resemblance[0], evidence.left_in_right[0], evidence.right_in_left[0])
        errors.append([float(a) - b for a, b in zip(shares, true, strict=True)])
    means, spread = np.mean(errors, axis=0), np.std(errors, axis=0)
    assert (np.abs(means) <= 4 * spread / np.sqrt(trials) + 0.003).all(), (means, spread)
    assert 0.5 * spread.max() <= np.mean(estimates) <= 2 * spread.max(), "the error is about as large as was said"


def test_a_whole_short_text_inside_a_cut_long_one_is_found_contained() -> None:
    values = np.sort(np.random.default_rng(5).choice(2**62, 5000, replace=False))
    short = values[::10]
    shingles = Shingles.sketched(Ragged(*ragged([short.tolist(), values[:1024].tolist()])), np.array([500, 5000]))
    evidence = verify(every_pair(2), shingles)
    assert evidence.left_in_right[0] == 1.0 and evidence.right_in_left[0] == pytest.approx(0.1, abs=0.04)


def test_shares_never_exceed_the_whole_when_values_fall_together() -> None:
    shingles = Shingles(np.array([7, 9, 7, 7, 9], np.uint32), np.array([0, 2, 5]), np.array([True, True]))
    evidence = verify(every_pair(2), shingles)
    for shares in (evidence.resemblance, evidence.left_in_right, evidence.right_in_left):
        assert 0 <= shares[0] <= 1


def test_no_pairs_and_empty_documents_are_no_trouble() -> None:
    empty = Shingles.sketched(Ragged(*ragged([[], []])), np.zeros(2, np.int64))
    assert len(verify(Pairs.none(), empty).error) == 0
    evidence = verify(every_pair(2), empty)
    assert evidence.resemblance.tolist() == [0] and evidence.left_in_right.tolist() == [0]
