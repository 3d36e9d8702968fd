"""Simhash: the worked examples, and the array path against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.fingerprint.hashing import splitmix
from dupfinder.fingerprint.scheme import BITS
from dupfinder.fingerprint.simhash import bit_sums, distance, fingerprints_of, simhash, simhashes
from tests.fingerprint.judges import plain_simhash

features = st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(1, 200_000)), max_size=40)
TOP = 56  # an 8-bit hash stands in the first byte of a 64-bit one


def test_the_worked_example_of_two_words_adds_up() -> None:
    first, second = 0b10011100, 0b01110101
    hashes = np.array([first << TOP, second << TOP], dtype=np.uint64)
    assert bit_sums(hashes[:1], np.array([5.0]), [1])[0, :8].tolist() == [5, -5, -5, 5, 5, 5, -5, -5]
    assert bit_sums(hashes[1:], np.array([4.0]), [1])[0, :8].tolist() == [-4, 4, 4, 4, -4, 4, -4, 4]
    sums = bit_sums(hashes, np.array([5.0, 4.0]), [2])[:, :8]
    assert sums.tolist() == [[1, -1, -1, 9, 1, 9, -9, -1]]
    assert fingerprints_of(sums) == [plain_simhash([(first, 5), (second, 4)], 8)] == [0b10011100]


def test_the_worked_sums_give_their_fingerprint() -> None:
    assert fingerprints_of(np.array([[18.0, 9, -6, -9, 22, -35, 12, -5]])) == [0b11001010]


def test_a_sum_of_zero_gives_a_zero_bit() -> None:
    assert fingerprints_of(np.zeros((1, 8))) == [0]


def wide(value: int, bits: int) -> int:
    """Return the hash of one feature at the given width, in Python integers."""
    if bits == 128:
        second = splitmix(np.array([(value + 0x9E3779B97F4A7C15) % 2**64], dtype=np.uint64))
        return value << 64 | int(second[0])
    return value >> (64 - bits)


@pytest.mark.parametrize("bits", BITS)
@given(features)
def test_arrays_give_the_fingerprint_of_the_definition(bits: int, given_features: list[tuple[int, int]]) -> None:
    hashes = np.array([value for value, _ in given_features], dtype=np.uint64)
    weights = np.array([weight for _, weight in given_features], dtype=np.float64)
    expected = plain_simhash([(wide(value, bits), weight) for value, weight in given_features], bits)
    assert simhash(hashes, weights, bits) == expected


@given(st.lists(features, max_size=6))
def test_texts_together_have_the_fingerprints_that_each_has_alone(texts: list[list[tuple[int, int]]]) -> None:
    texts = [text * 1000 for text in texts]  # more than are added at a time
    hashes = np.array([value for text in texts for value, _ in text], dtype=np.uint64)
    weights = np.array([weight for text in texts for _, weight in text], dtype=np.float64)
    assert simhashes(hashes, weights, list(map(len, texts))) == [plain_simhash(text, 64) for text in texts]


@settings(max_examples=30)
@given(features)
def test_the_order_of_features_changes_no_bit(given_features: list[tuple[int, int]]) -> None:
    hashes = np.array([value for value, _ in given_features], dtype=np.uint64)
    weights = np.array([weight for _, weight in given_features], dtype=np.float64)
    assert simhash(hashes, weights) == simhash(hashes[::-1].copy(), weights[::-1].copy())


def test_distance_counts_differing_bits() -> None:
    assert distance(0b1011, 0b0010) == 2
