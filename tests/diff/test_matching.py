"""Matching runs, compared with plain dynamic programming."""

from __future__ import annotations

import random
import time
from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.diff import matching
from dupfinder.diff.matching import EqualRun, WorkBudget, matching_runs

NUMBERS = st.integers(0, 4).flatmap(lambda top: st.lists(st.integers(0, top), max_size=40))


def longest_common(a: list[int], b: list[int]) -> int:
    """Return the length of a longest common subsequence, in the slow way."""
    row = [0] * (len(b) + 1)
    for left in a:
        new = [0]
        for j, right in enumerate(b):
            new.append(row[j] + 1 if left == right else max(row[j + 1], new[-1]))
        row = new
    return row[-1]


def assert_runs_hold(a: list[int], b: list[int], runs: list[EqualRun]) -> None:
    i = j = 0
    for at_a, at_b, length in runs:
        assert at_a >= i and at_b >= j and length > 0
        assert a[at_a : at_a + length] == b[at_b : at_b + length]
        i, j = at_a + length, at_b + length
    assert i <= len(a) and j <= len(b)


@given(NUMBERS, NUMBERS)
def test_small_sequences_share_exactly_as_much_as_the_slow_way_finds(a: list[int], b: list[int]) -> None:
    runs = matching_runs(a, b, WorkBudget.for_seconds(60))
    assert_runs_hold(a, b, runs)
    assert sum(length for _, _, length in runs) == longest_common(a, b)


@given(st.data())
def test_with_anchors_alone_the_runs_still_hold_and_an_edited_copy_is_mostly_found(data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 10_000))
    chance = random.Random(seed)
    a = [chance.randrange(30) for _ in range(200)]
    b = list(a)
    for _ in range(data.draw(st.integers(0, 12))):
        b[chance.randrange(len(b))] = chance.randrange(30)
        b.insert(chance.randrange(len(b)), chance.randrange(30))
        del b[chance.randrange(len(b))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "EXACT_CELLS", 50)
        runs = matching_runs(a, b, WorkBudget.for_seconds(60))
    assert_runs_hold(a, b, runs)
    assert sum(length for _, _, length in runs) >= 0.9 * longest_common(a, b)


@given(NUMBERS, NUMBERS)
def test_with_anchors_on_anything_at_all_the_runs_hold(a: list[int], b: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "EXACT_CELLS", 4)
        assert_runs_hold(a, b, matching_runs(a, b, WorkBudget.for_seconds(60)))


def test_a_moved_stretch_is_matched_at_one_place_only() -> None:
    a = list(range(3000))
    b = a[:500] + a[1500:] + a[500:1500]
    runs = matching_runs(a, b, WorkBudget.for_seconds(60))
    assert_runs_hold(a, b, runs)
    assert runs == [(0, 0, 500), (1500, 500, 1500)]


def test_what_would_cost_too_much_is_left_unmatched_and_said_so() -> None:
    chance = random.Random(5)
    a, b = ([chance.randrange(2) for _ in range(3000)] for _ in range(2))
    work = WorkBudget(cells=1000, deadline=float("inf"))
    assert_runs_hold(a, b, matching_runs(a, b, work))
    assert not work.complete


def test_a_passed_deadline_starts_nothing() -> None:
    work = WorkBudget(cells=10**9, deadline=0.0)
    assert matching_runs([1, 2, 3], [2, 1, 4], work) == []
    assert not work.complete


def test_equal_sequences_need_no_work_at_all() -> None:
    work = WorkBudget(cells=0, deadline=0.0)
    assert matching_runs([7] * 100_000, [7] * 100_000, work) == [(0, 0, 100_000)]
    assert work.complete


def number_by_number(numbers: list[int]) -> list[int]:
    """Patience sorting as books have it: each number onto the leftmost pile whose top is not smaller."""
    tops: list[int] = []
    chains: list[list[int]] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        tops[pile : pile + 1] = [number]
        chains[pile : pile + 1] = [[*(chains[pile - 1] if pile else ()), index]]
    return chains[-1] if chains else []


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 6)), max_size=12))
def test_stretches_put_down_at_once_give_the_same_chain_as_number_by_number(stretches: list[tuple[int, int]]) -> None:
    numbers = [start + step for start, length in stretches for step in range(length)]
    chain = matching._longest_ascending(np.array(numbers, np.intp))
    assert chain.tolist() == number_by_number(numbers)


def test_time_in_which_other_programs_have_the_processor_counts_for_no_comparison() -> None:
    work = WorkBudget.for_seconds(0.05)
    time.sleep(0.1)
    assert work.take(1) and work.complete
    while work.take(1):
        pass
    assert not work.complete
