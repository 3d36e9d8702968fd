"""Many texts at once give what each gives alone."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.fingerprint.bulk import mod_sketches, word_fingerprints
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.memo import HashMemo
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.segment import segmenter
from dupfinder.fingerprint.simhash import plain_simhash, sums_of_runs
from dupfinder.fingerprint.tokens import CHUNK, shingle_tokens

texts = st.lists(
    st.lists(st.sampled_from(["boat", "quay", "naïve", "中文", "服务器升级", ",", "42"]), max_size=30).map(" ".join),
    max_size=8,
)


def plain_word_fingerprint(text: str) -> int:
    words = shingle_tokens(re.sub("[一-龕]+", " ", text))
    words += [
        word
        for run in re.findall("[一-龕]+", re.sub("(?<=[一-龕]) (?=[一-龕])", "", text))
        for word in segmenter()(run)
    ]
    counts = Counter(words)
    return plain_simhash([(xxh3(word.encode()), count) for word, count in counts.items()], 64)


@settings(deadline=None, max_examples=60)
@given(texts)
def test_fingerprints_of_many_texts_are_those_of_each(given_texts: list[str]) -> None:
    assert word_fingerprints(given_texts).tolist() == [plain_word_fingerprint(text) for text in given_texts]


@settings(deadline=None, max_examples=60)
@given(texts, st.integers(1, 6), st.integers(1, 6))
def test_sketches_of_many_texts_are_those_of_each(given_texts: list[str], width: int, modulus: int) -> None:
    prints = Fingerprinter(Scheme(shingle=width))
    expected = [value[value % np.uint64(modulus) == 0].tolist() for value in map(prints.shingle_set, given_texts)]
    assert [sketch.tolist() for sketch in mod_sketches(given_texts, width, modulus)] == expected


def test_long_texts_among_short_ones_are_read_alone() -> None:
    long = "harbour boat quay " * (CHUNK // 12)
    mixed = ["a boat", long, "", "naïve quay", long]
    memo = HashMemo()
    assert word_fingerprints(mixed, memo).tolist() == [plain_word_fingerprint(text) for text in mixed]
    assert len(mod_sketches(mixed, 5, 25, memo)) == len(mixed)


def test_a_bit_set_in_many_hashes_is_counted_past_a_byte() -> None:
    hashes = np.full(1000, 0b11, dtype=np.uint64)
    sums = sums_of_runs(hashes, np.array([0, 300, 300, 1000]))
    assert sums[:, -1].tolist() == [300, 0, 700]
    assert sums[:, 0].tolist() == [-300, 0, -700]
