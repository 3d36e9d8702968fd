from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.index.join import join
from dupfinder.index.planner import plan_join, radius_estimates, widest_radius
from tests.index.making import planted, random_fingerprints


def test_few_fingerprints_are_compared_each_with_each() -> None:
    assert plan_join(random_fingerprints(100, 64), 3).chosen.design is None


def test_many_fingerprints_get_the_papers_four_tables_at_radius_three() -> None:
    plan = plan_join(random_fingerprints(100_000, 64), 3)
    assert plan.chosen.name == "4"
    assert {estimate.name for estimate in plan.considered} >= {"4", "10", "16", "20", "each_with_each"}


def test_comparisons_foreseen_are_those_of_the_real_buckets() -> None:
    fingerprints = random_fingerprints(50_000, 64)
    foreseen = plan_join(fingerprints, 3).chosen.compared
    blocks = [np.bincount((fingerprints >> np.uint64(shift)).astype(np.uint16)) for shift in (48, 32, 16, 0)]
    real = sum(int((sizes * (sizes - 1) // 2).sum()) for sizes in blocks)
    assert real / 1.3 < foreseen < real * 1.3


def test_skewed_data_is_seen_in_its_buckets() -> None:
    fingerprints = random_fingerprints(100_000, 64)
    even = plan_join(fingerprints, 3).chosen
    fingerprints[:50_000] &= np.uint64(2**48 - 1)
    skewed = next(e for e in plan_join(fingerprints, 3, thorough=True).considered if e.name == "4")
    assert skewed.compared > 100 * even.compared
    assert skewed.seconds > even.seconds


def test_a_thorough_plan_counts_every_design_and_puts_the_soonest_first() -> None:
    fingerprints = planted(20_000, 6)
    plan = plan_join(fingerprints, 6, thorough=True)
    quick = plan_join(fingerprints, 6)
    assert {each.name for each in plan.considered} == {each.name for each in quick.considered} > {plan.chosen.name}
    assert all(estimate.from_sample for estimate in plan.considered)
    assert all(a.seconds <= b.seconds for a, b in pairwise(plan.considered))


def test_bits_that_never_vary_are_left_out_of_the_design() -> None:
    fingerprints = random_fingerprints(30_000, 64) & np.uint64(2**40 - 1)
    assert plan_join(fingerprints, 3).varying == 40


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_the_pairs_foreseen_for_each_radius_are_near_those_found(bits: int) -> None:
    fingerprints = planted(8_000, 8, bits=bits)
    fingerprints[5:15] = fingerprints[4]
    assert widest_radius(fingerprints, seconds=1e6, pairs=10**12) == 16
    estimates = list(radius_estimates(fingerprints))[::-1]
    assert [estimate.radius for estimate in estimates] == list(range(17))
    for estimate in estimates[8:11]:
        exact = len(join(fingerprints, estimate.radius))
        assert exact / 1.1 <= estimate.pairs <= exact * 1.1


def test_the_widest_radius_ends_where_the_pairs_or_the_seconds_do() -> None:
    fingerprints = planted(20_000, 10)
    assert widest_radius(fingerprints, seconds=1e6, pairs=5_000) < 16
    allowed = list(radius_estimates(fingerprints))[-11].seconds
    assert 8 <= widest_radius(fingerprints, seconds=allowed, pairs=10**12) < 16


def test_the_radius_sinks_below_the_least_only_far_outside_the_budget() -> None:
    copies = np.zeros(3_000, np.uint64)
    assert widest_radius(copies, seconds=60, pairs=10**6) >= 8
    assert widest_radius(copies, seconds=60, pairs=10**4) == 0


@given(st.integers(0, 16), st.sampled_from([0.05, 0.5, 0.999, 1.001, 2, 20]), st.booleans())
def test_the_widest_radius_is_the_largest_that_the_budget_or_up_to_eight_bits_ten_times_the_budget_allows(
    radius: int, factor: float, of_pairs: bool
) -> None:
    fingerprints = planted(3_000, 10)
    estimates = {estimate.radius: estimate for estimate in radius_estimates(fingerprints)}
    seconds = 1e6 if of_pairs else factor * estimates[radius].seconds
    pairs = int(factor * estimates[radius].pairs) if of_pairs else 10**12

    def largest(times: float) -> int:
        """Return the largest radius whose estimates are within this many times the budget."""
        within = (e.radius for e in estimates.values() if e.seconds <= times * seconds and e.pairs <= times * pairs)
        return max(within, default=0)

    widest = widest_radius(fingerprints, seconds=seconds, pairs=pairs)
    assert widest == max(largest(1), min(8, largest(10)))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_almost_no_fingerprints_allow_every_radius(count: int) -> None:
    assert widest_radius(random_fingerprints(count, 64), seconds=1, pairs=10) == 16


def test_the_order_of_the_rows_does_not_change_which_of_them_are_drawn_for_the_estimates() -> None:
    fingerprints = planted(12_000, 10)
    fingerprints[1_000:3_000] = fingerprints[4]
    orders = (fingerprints, fingerprints[::-1])
    pairs = [[estimate.pairs for estimate in radius_estimates(rows)] for rows in orders]
    assert pairs[0] == pairs[1]
