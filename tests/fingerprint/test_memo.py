"""The cache of word hashes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint.hashing import HashMemo, Utf8, last_for_each, without_accents, xxh3

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=24)


def spans(parts: list[bytes]) -> tuple[Utf8, np.ndarray[tuple[int], np.dtype[np.int64]], list[int]]:
    ends = np.cumsum([len(part) for part in parts])
    return Utf8(b"".join(parts)), ends, [len(part) for part in parts]


@given(st.lists(st.lists(words, min_size=1, max_size=30), min_size=1, max_size=4))
def test_a_remembered_hash_is_the_hash(texts: list[list[str]]) -> None:
    memo = HashMemo()
    for _ in range(2):
        for text in texts:
            parts = [word.encode() for word in text]
            data, ends, sizes = spans(parts)
            hashes, plain = memo.hashes_of(data, ends - sizes, ends)
            assert hashes.tolist() == [xxh3(part) for part in parts]
            assert plain.tolist() == [xxh3(word.translate(without_accents()).encode()) for word in text]


def test_more_words_than_places_still_hash_right() -> None:
    memo = HashMemo()
    parts = [f"word{number}".encode() for number in range(150_000)]
    data, ends, sizes = spans(parts)
    for _ in range(2):
        assert memo.hashes_of(data, ends - sizes, ends)[0].tolist() == [xxh3(part) for part in parts]


def test_each_place_is_given_to_one_row() -> None:
    rows = last_for_each(np.array([7, 3, 7, 7, 3, 1]))
    assert sorted(rows.tolist()) == [3, 4, 5]
