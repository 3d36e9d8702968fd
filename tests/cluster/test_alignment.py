"""Alignment: the share of words in the same order, where two texts differ, and in what way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.cluster.alignment import Traces, align, reaches
from dupfinder.cluster.relation import Difference
from dupfinder.fingerprint.tokens import NUMBER, tokens_of, trace_of

WORDS = st.lists(st.integers(0, 12).map(lambda word: word * 2), min_size=1, max_size=60)
TEXT = "the tenant pays the rent for the flat in the old mill on the first floor before the end of each month or week"


def trace(text: str) -> NDArray[np.uint16]:
    return trace_of(tokens_of([text]))


def difference(left: str, right: str) -> Difference:
    alignment = align(trace(left), trace(right))
    assert alignment is not None
    return alignment.difference


@given(WORDS, WORDS)
def test_the_share_is_that_of_a_longest_common_subsequence(left: list[int], right: list[int]) -> None:
    alignment = align(np.array(left, np.uint16), np.array(right, np.uint16))
    assert alignment is not None
    assert alignment.share == pytest.approx(2 * LCSseq.similarity(left, right) / (len(left) + len(right)))
    for asked in (alignment.share - 0.01, alignment.share, alignment.share + 0.01):
        sides = np.array(left, np.uint16), np.array(right, np.uint16)
        assert reaches(*sides, asked) == (alignment.share >= asked - 1e-9)


@given(WORDS, WORDS)
def test_what_lies_between_the_changes_is_equal_and_nothing_is_left_out(left: list[int], right: list[int]) -> None:
    alignment = align(np.array(left, np.uint16), np.array(right, np.uint16))
    assert alignment is not None
    i = j = 0
    for i0, i1, j0, j1 in [*alignment.changes, (len(left), len(left), len(right), len(right))]:
        assert left[i:i0] == right[j:j0]
        i, j = i1, j1


@given(WORDS, WORDS)
def test_which_text_comes_first_changes_nothing(left: list[int], right: list[int]) -> None:
    sides = np.array(left, np.uint16), np.array(right, np.uint16)
    alignment, turned = align(*sides), align(*reversed(sides))
    assert alignment is not None and turned is not None
    assert turned.gaps == [(j0, j1, i0, i1) for i0, i1, j0, j1 in alignment.gaps]
    assert turned.changes == [(j0, j1, i0, i1) for i0, i1, j0, j1 in alignment.changes]
    assert (turned.share, turned.run, turned.difference) == (alignment.share, alignment.run, alignment.difference)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (TEXT, TEXT, Difference.FORMAT),
        (f"on 12 march 2024 {TEXT} 950 euros", f"on 3 june 2025 {TEXT} 1020 euros", Difference.NUMBERS),
        (f"dear anna meier {TEXT}", f"dear bert krause {TEXT}", Difference.SHORT),
        (TEXT, f"{TEXT} and he keeps the yard clean", Difference.ADDITIONS),
        (f"{TEXT} a b c", f"new words here {TEXT}", Difference.MIXED),
    ],
)
def test_the_class_of_a_difference_is_the_least_that_says_all_of_it(
    left: str, right: str, expected: Difference
) -> None:
    assert difference(left, right) is expected
    assert difference(right, left) is expected


@pytest.mark.parametrize(("length", "expected"), [(15, Difference.SHORT), (16, Difference.MIXED)])
def test_a_replacement_is_short_up_to_fifteen_words(length: int, expected: Difference) -> None:
    fills = [" ".join(f"{letter}{letter}{chr(97 + number)}" for number in range(length)) for letter in "xy"]
    assert difference(f"{TEXT} {fills[0]} {TEXT}", f"{TEXT} {fills[1]} {TEXT}") is expected


@pytest.mark.parametrize(("added", "expected"), [(4, Difference.SHORT), (5, Difference.MIXED)])
def test_replacements_are_short_alone_up_to_a_fifth_of_the_changed_words(added: int, expected: Difference) -> None:
    """Sixteen words in two short replacements, and some inserted words."""
    left, right = (
        " ".join(f"{TEXT} {' '.join(f'{side}{place}{number}' for number in range(8))}" for place in range(2))
        for side in ("old", "new")
    )
    new = " ".join(f"added{number}" for number in range(added))
    assert difference(f"{left} {TEXT}", f"{right} {TEXT} {new}") is expected


def test_what_only_the_shorter_text_has_is_no_replacement_either() -> None:
    short, long = (" ".join(f"{side}{number}" for number in range(count)) for side, count in (("old", 2), ("new", 14)))
    own = " ".join(f"own{number}" for number in range(8))  # of 36 changed words
    assert difference(f"{TEXT} {short} {TEXT} {short} {TEXT} {own}", f"{TEXT} {long} {TEXT} {long} {TEXT}") is (
        Difference.MIXED
    )


@pytest.mark.parametrize(("between", "changes"), [("of the", 1), ("of the two", 2)])
def test_two_equal_words_between_two_changes_are_there_by_chance_and_three_are_not(between: str, changes: int) -> None:
    alignment = align(trace(f"{TEXT} red {between} blue {TEXT}"), trace(f"{TEXT} up {between} left {TEXT}"))
    assert alignment is not None and len(alignment.gaps) == 2 and len(alignment.changes) == changes


def test_changes_that_chance_words_part_are_one_and_others_stay_where_they_are() -> None:
    before, after = f"{TEXT} red {TEXT} blue of green tea {TEXT}", f"{TEXT} up {TEXT} left of right {TEXT}"
    alignment = align(trace(before), trace(after))
    count = len(trace(TEXT))
    first, then = (count, count + 1, count, count + 1), 2 * count + 1
    assert alignment is not None and alignment.changes == [first, (then, then + 4, then, then + 3)]


def test_chance_words_between_two_changes_are_part_of_them() -> None:
    alignment = align(trace(f"{TEXT} red green of blue {TEXT}"), trace(f"{TEXT} up down of left {TEXT}"))
    assert alignment is not None and len(alignment.changes) == 1 and len(alignment.gaps) == 2 and alignment.run == 1.5


def test_long_texts_that_share_just_enough_words_in_one_order_reach_a_share() -> None:
    left = np.arange(0, 2 * 1100, 2, dtype=np.uint16)
    right = np.concatenate((left[:825], np.arange(60_000, 60_000 + 2 * 275, 2, dtype=np.uint16)))
    assert reaches(left, right, 0.75) and not reaches(left, right, 0.7501)
    assert not reaches(left, right[::-1].copy(), 0.75)


def test_equal_texts_differ_in_nothing() -> None:
    alignment = align(trace(TEXT), trace(TEXT))
    assert alignment is not None and (alignment.share, alignment.run, alignment.gaps, alignment.changes) == (
        1.0,
        0.0,
        [],
        [],
    )


def test_a_date_and_a_chinese_amount_are_numbers_and_a_name_is_none() -> None:
    assert (trace("12 march 2024 三百元") & NUMBER).all()
    assert not (trace("anna 王") & NUMBER).any()


def test_texts_that_are_too_long_or_empty_are_not_aligned() -> None:
    generator = np.random.default_rng(1)
    left, right = (generator.integers(0, 1 << 15, 60_000).astype(np.uint16) for _ in range(2))
    assert align(np.sort(left)[::2], np.sort(right)[::-1].copy()) is None
    assert align(left[:0], right) is None


def test_a_trace_that_is_not_whole_counts_as_none() -> None:
    traces = Traces(np.arange(6, dtype=np.uint16), np.array([0, 3, 5, 5, 6]), np.array([3, 9, 0, 1]))
    assert traces.whole.tolist() == [True, False, False, True]
    assert [len(traces.of(row)) for row in range(4)] == [3, 0, 0, 1]
