"""Columns of text, against plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.columns import Ragged
from dupfinder.library.rows import DistinctTexts, RepeatedTexts

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(["a", "\udcff.txt"]))


@given(NAMES, st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([1, 2, -1]))
def test_a_column_is_read_like_the_list_of_its_texts(names: list[str], start: int, stop: int, step: int) -> None:
    for column in (DistinctTexts.of(names), RepeatedTexts.of(names)):
        assert column == names and list(column) == names and len(column) == len(names)
        assert column[start:stop:step] == names[start:stop:step]
        assert [column[row] for row in range(len(names))] == names
        assert column != [*names, "x"]
        with pytest.raises(IndexError):
            column[len(names)]


def test_a_fact_of_each_word_is_one_of_each_text() -> None:
    column = RepeatedTexts.of(["txt", "pdf", "txt"])
    assert column.words == ("pdf", "txt")
    assert column.each([7, 9], np.int8).tolist() == [9, 7, 9]
    assert RepeatedTexts.of([]).each([], np.bool_).tolist() == []


@pytest.mark.parametrize("starts", [[], [0, 2], [1, 3], [0, 2, 1, 3]])
def test_starts_that_fit_no_texts_are_refused(starts: list[int]) -> None:
    with pytest.raises(ValueError, match="starts"):
        DistinctTexts(Ragged(np.zeros(3, np.uint8), np.array(starts, np.int64)))


def test_codes_without_a_word_are_refused() -> None:
    with pytest.raises(ValueError, match="code without"):
        RepeatedTexts(["a"], np.array([0, 1], np.int32))


def test_many_different_texts_are_joined_in_few_steps() -> None:
    compared = 0

    class Watched(str):
        """A text that counts how often it is compared with another."""

        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    parts = [RepeatedTexts.of([Watched(f"{part} {number}") for number in range(500)]) for part in "ab"]
    compared = 0
    assert RepeatedTexts.joined(parts) == [*parts[0], *parts[1]]
    assert compared < 10 * 1_000
