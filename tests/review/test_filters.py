"""Searches as people type them: every text is taken, and what makes no sense as a condition counts as a word."""

from __future__ import annotations

import time
import unicodedata
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.review.listing import GroupFilter, SearchNames, SearchQuery
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made

FRAGMENTS = st.sampled_from(
    ["folder:", "size>", "size<1.5mb", "date>", "2024-02-30", "9999", ".", "..", "nan", "inf", "1e999", '"', ":",
     "lang:", "type:pdf", " ", "合同", "\x1b", "letter", "-", "date<0001", "size>1..2", "\ud800"]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=6).map("".join) | st.text(max_size=30))
def test_whatever_is_typed_is_a_search(text: str) -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    session.set_filter(GroupFilter(text=text))
    assert len(session.listed()) in (0, 1)
    if not text.strip():
        assert len(session.listed()) == 1


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Übersicht", "übersicht"),
        ("Đề cương", "đề cương"),
        ("계약서", "계약서"),
        ("İSTANBUL", "istanbul"),
        ("レポート", "ﾚﾎﾟｰﾄ"),
    ],
)
def test_names_are_found_however_their_accents_are_stored(name: str, typed: str) -> None:
    for form in ("NFC", "NFD"):
        session = ReviewSession(Made([Doc(1, name=unicodedata.normalize(form, name)), Doc(1)]).result())
        session.set_filter(GroupFilter(text=f'"{typed}"'))
        assert len(session.listed()) == 1, form


@pytest.mark.parametrize(
    ("text", "words", "conditions"),
    [
        ("two words", ("two", "words"), ()),
        ('"two words" more', ("two words", "more"), ()),
        ("FOLDER:Deep x", ("x",), (("folder", ":", "deep"),)),
        ('folder:"deep down"', (), (("folder", ":", "deep down"),)),
        ("size>10MB size<2g", (), (("size", ">", "10mb"), ("size", "<", "2g"))),
        ("date>2024 date<2024-06-30", (), (("date", ">", "2024"), ("date", "<", "2024-06-30"))),
        ("size:10 date>soon type>pdf", ("size:10", "date>soon", "type>pdf"), ()),
        ("date>2024-13", ("date>2024-13",), ()),
        ("合同 folder:合同", ("合同",), (("folder", ":", "合同"),)),
        ("", (), ()),
    ],
)
def test_a_search_is_words_and_conditions(
    text: str, words: tuple[str, ...], conditions: tuple[tuple[str, str, str], ...]
) -> None:
    assert SearchQuery.parse(text) == SearchQuery(words, conditions)


@pytest.mark.parametrize(
    ("limit", "size"),
    [("900", 900), ("2k", 2000), ("1.5KB", 1500), ("2m", 2 * 10**6), ("1.5MB", 1_500_000), ("2g", 2 * 10**9),
     ("1.5GB", 1_500_000_000)],
)  # fmt: skip
def test_a_size_counts_kilobytes_of_a_thousand_bytes(limit: str, size: int) -> None:
    documents = Made([Doc(number, size=size + number - 1) for number in range(3)]).result().documents
    assert SearchNames(documents).matches(f"size>{limit}").tolist() == [False, False, True]
    assert SearchNames(documents).matches(f"size<{limit}").tolist() == [True, False, False]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone is set by the environment")
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/Mexico_City", "UTC"])
def test_a_day_that_is_searched_for_is_the_day_that_the_list_shows(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        days = [datetime(2024, 5, day, hour, tzinfo=ZoneInfo(zone)) for day in (1, 2) for hour in (0, 3, 23)]
        docs = [Doc(1, changed=day.astimezone(UTC)) for day in days]
        session = ReviewSession(Made(docs, []).result())
        assert session.names.matches("date<2024-05-02").tolist() == [True] * 3 + [False] * 3
        assert session.names.matches("date>2024-05-02").tolist() == [False] * 4 + [True] * 2
    finally:
        monkeypatch.undo()
        time.tzset()
