"""Tokens: words, numbers and single CJK characters."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from babel.dates import get_day_names, get_month_names
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint.hashing import HashMemo, xxh3
from dupfinder.fingerprint.language import TEXT_LANGUAGES
from dupfinder.fingerprint.tokens import (
    BREAK,
    CHARACTER,
    DIGIT,
    LETTER,
    MARK,
    NUMBER_BIT,
    are_alike,
    are_single,
    chunks,
    class_table,
    in_a_row,
    number_words,
    tokens_of,
    trace_of,
)
from dupfinder.text.normalise import normalise
from tests.fingerprint.judges import computed_classes, shingle_tokens

mixed = st.text(st.sampled_from("ab é9٣ ,.-\n中文字㐀𠮷かナก\u0301'\U0001f600한किस्"), max_size=60)


def plain_tokens(text: str) -> list[str]:
    """Return the tokens, one character at a time: the slow way."""
    table = class_table()
    tokens: list[str] = []
    kind_before = BREAK
    for character in text:
        kind = table[ord(character)]
        continues = {LETTER: (LETTER, DIGIT), DIGIT: (LETTER, DIGIT), MARK: (CHARACTER, MARK)}.get(kind, ())
        if kind_before in continues:
            tokens[-1] += character
        elif kind != BREAK:
            tokens.append(character)
        kind_before = kind
    return tokens


def test_words_numbers_and_characters_are_told_apart() -> None:
    text = "it's world-wide, 42 a1b2 第3条 とても ñandú straße 한국어 문서 स्थापित"
    expected = "it s world wide 42 a1b2 第 3 条 と て も ñandú straße 한 국 어 문 서 स् था पि त"
    assert shingle_tokens(text) == expected.split()


@given(mixed)
def test_all_tokens_at_once_are_those_found_one_by_one(text: str) -> None:
    tokens = tokens_of([text])
    assert tokens.strings() == plain_tokens(text)
    assert tokens.hashes.tolist() == [xxh3(token.encode()) for token in plain_tokens(text)]
    assert tokens.joined_bytes().decode() == "".join(plain_tokens(text))


@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_ascii_takes_a_shorter_way_to_the_same_tokens(text: str) -> None:
    alone, beside = tokens_of([text]).strings(), tokens_of([text + " é"]).strings()
    assert [*alone, "é"] == beside
    assert alone == re.findall(r"[a-zA-Z0-9]+", text)


@given(mixed, st.integers(3, 20))
def test_chunks_make_up_the_text_and_cut_no_word(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dupfinder.fingerprint.tokens.CHUNK", size)
        parts = list(chunks(text))
    assert "".join(parts) == text
    assert all(len(part) <= size for part in parts)
    if max((len(token) for token in plain_tokens(text)), default=0) <= 1:
        assert [token for part in parts for token in plain_tokens(part)] == plain_tokens(text)


def test_a_chunk_ends_where_a_word_does(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "seven letters " * 100
    monkeypatch.setattr("dupfinder.fingerprint.tokens.CHUNK", 20)
    assert [token for part in chunks(text) for token in plain_tokens(part)] == plain_tokens(text)


def test_a_space_at_the_end_of_a_line_does_not_part_a_run_of_han() -> None:
    assert tokens_of(["服务 器升级，测试"]).han == "服务器升级\n测试"


def test_lone_surrogates_do_no_harm() -> None:
    assert len(shingle_tokens("a \ud800 b")) == 2


def test_single_characters_are_told_from_words_in_a_trace() -> None:
    words = " ".join(f"word{number} слово{number} {number}" for number in range(500))
    assert not are_single(trace_of(tokens_of([words]))).any()
    assert are_single(trace_of(tokens_of(["港口 항구는 ท่าเรือ बंदरगाह みなと"]))).all()


@pytest.mark.parametrize("code", [code for code in TEXT_LANGUAGES if code not in ("zh", "vi")])
def test_the_names_of_months_in_dates_are_known(code: str) -> None:
    months = [name for context in ("format", "stand-alone") for name in get_month_names("wide", context, code).values()]
    own = {normalise(month) for month in months if not re.search(r"[ ’\u4e00-\u9fff]", month)}
    assert len(own) > 10 and own <= number_words()


@pytest.mark.parametrize("code", [code for code in TEXT_LANGUAGES if code not in ("zh", "vi", "he", "pt")])
def test_the_days_of_the_week_in_dates_are_known(code: str) -> None:
    days = [name for context in ("format", "stand-alone") for name in get_day_names("wide", context, code).values()]
    own = {day for day in map(normalise, days) if "'" not in day}
    assert len(own) > 5 and own <= number_words()


def test_the_shipped_classes_are_those_of_the_unicode_database() -> None:
    shipped, computed = class_table(), computed_classes()
    differing = np.flatnonzero(shipped != computed)
    if unicodedata.unidata_version == "14.0.0":
        assert not len(differing)
    # A newer database has more letters; those that Unicode 14 had are the same.
    assert (shipped[differing] == BREAK).all()


@given(st.lists(st.integers(0, 2), max_size=30), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_words_in_a_row_are_where_comparing_at_each_place_finds_them(words: list[int], wanted: list[int]) -> None:
    places = in_a_row(np.array(words, np.uint16), np.array(wanted, np.uint16))
    assert places.tolist() == [place for place in range(len(words)) if words[place : place + len(wanted)] == wanted]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("el año en que murió josé", "el ano en que murio jose"),
        ("ça va très bien à l'œuvre", "ca va tres bien a l'oeuvre"),
        ("die größe der straße", "die grosse der strasse"),
        ("łódź i gdańsk", "lodz i gdansk"),
        ("đường phố hà nội", "duong pho ha noi"),
        ("ışık söndü", "isik sondu"),
        ("ye\u0323 je\u0301", "ye je"),
    ],
)
def test_words_are_compared_without_the_accents_of_latin_letters_but_are_other_words(text: str, plain: str) -> None:
    memo = HashMemo()
    for cache in (None, memo, memo):  # without a cache, with an empty one, and with one that knows the words
        tokens, others = tokens_of([text], cache), tokens_of([plain], cache)
        assert np.array_equal(tokens.plain, others.plain) and not np.array_equal(tokens.hashes, others.hashes)
        assert np.array_equal(others.plain, others.hashes)


@pytest.mark.parametrize("text", ["один ёж и ещё йод", "το σπίτι και το ποτάμι", "한국어 文字 みなと", "ქართული მთა"])
def test_marks_of_other_scripts_are_no_accents(text: str) -> None:
    tokens = tokens_of([text])
    assert np.array_equal(tokens.plain, tokens.hashes)


@given(st.text(alphabet="aáàâãäåąćéèêëęíñóöüžựx -'日", max_size=60))
def test_words_that_differ_in_accents_alone_are_alike_in_a_trace(text: str) -> None:
    plain = unicodedata.normalize("NFD", text).translate(dict.fromkeys(range(0x300, 0x370)))
    codes, others = (trace_of(tokens_of([each])) & ~NUMBER_BIT for each in (text, plain))
    assert are_alike(codes, others).all()
