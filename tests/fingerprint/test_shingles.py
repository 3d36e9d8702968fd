"""Shingles: the example of the paper, exact sets, super-shingles, long texts in parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint.hashing import Hashes, xxh3
from dupfinder.fingerprint.sketch import ShingleSetBuilder, shingle_hashes, shingle_set, sorted_unique, super_shingles
from dupfinder.fingerprint.tokens import tokens_of

BASE, MODULUS = 0x9FB21C651E98DF25, 1 << 64
KINDS = ["xxh3", "rabin"]

token_lists = st.lists(st.sampled_from(["a", "rose", "is", "the", "red"]), max_size=40)


def hashed(tokens: list[str]) -> Hashes:
    return np.array([xxh3(token.encode()) for token in tokens], dtype=np.uint64)


def plain_splitmix(value: int) -> int:
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 % MODULUS
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB % MODULUS
    return value ^ (value >> 31)


def plain_shingle(tokens: list[str]) -> int:
    """Return the number of one shingle, in Python integers."""
    total = 0
    for token in tokens:
        total = (total * BASE + xxh3(token.encode())) % MODULUS
    return plain_splitmix(total)


def test_the_rose_has_three_shingles_of_four_words() -> None:
    expected = {("a", "rose", "is", "a"), ("rose", "is", "a", "rose"), ("is", "a", "rose", "is")}
    hashes = shingle_set(tokens_of(["a rose is a rose is a rose"]).hashes, 4)
    assert hashes.tolist() == sorted(plain_shingle(list(shingle)) for shingle in expected)
    assert len(hashes) == 3


@given(token_lists, st.integers(1, 8))
def test_all_shingles_at_once_are_those_made_one_by_one(tokens: list[str], width: int) -> None:
    runs = [tokens[i : i + width] for i in range(len(tokens) - width + 1)] or ([tokens] if tokens else [])
    assert shingle_hashes(hashed(tokens), width).tolist() == [plain_shingle(run) for run in runs]


@given(st.lists(st.integers(0, 30)))
def test_distinct_sorts_and_drops_doubles(values: list[int]) -> None:
    assert sorted_unique(np.array(values, dtype=np.uint64)).tolist() == sorted(set(values))


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(token_lists, max_size=5), st.integers(1, 6))
def test_a_text_in_parts_has_the_shingles_of_the_whole(kind: str, parts: list[list[str]], width: int) -> None:
    other, collected = ShingleSetBuilder(width, kind), ShingleSetBuilder(width, kind)
    for part in parts:
        ShingleSetBuilder.add_each([other, collected], [hashed(part[::2]), hashed(part)])
    whole = [token for part in parts for token in part]
    slices = list(collected.slices())
    assert np.concatenate(slices).tolist() == shingle_set(hashed(whole), width, kind).tolist()


def test_an_unknown_kind_of_shingle_number_is_refused() -> None:
    with pytest.raises(ValueError, match="md5"):
        shingle_set(hashed(["a"]), 1, "md5")


def test_equal_sketches_share_all_super_shingles_and_others_none() -> None:
    left = shingle_set(hashed([str(number) for number in range(60)]), 3)
    right = shingle_set(hashed([str(number) for number in range(100, 160)]), 3)
    assert super_shingles(left, 6).tolist() == super_shingles(left[::-1], 6).tolist()
    assert len(super_shingles(left, 6)) == len(left) - 5
    assert not set(super_shingles(left, 6).tolist()) & set(super_shingles(right, 6).tolist())
