"""Sketches of bags of words and of neighbours."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.fingerprint.hashing import splitmix
from dupfinder.fingerprint.scatter import SIZE, bag_sketch, neighbour_sketch
from dupfinder.fingerprint.shingles import shingle_set
from dupfinder.fingerprint.sketch import min_resemblance

STEP = 0x9E3779B97F4A7C15
tokens = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=50)


@settings(deadline=None, max_examples=60)
@given(tokens)
def test_each_occurrence_of_a_token_is_a_member_of_the_bag(values: list[int]) -> None:
    members = [(value + number * STEP) % 2**64 for value, count in Counter(values).items() for number in range(count)]
    expected = sorted(splitmix(np.array(members, dtype=np.uint64)).tolist())
    assert bag_sketch(np.array(values, dtype=np.uint64)).tolist() == expected[:SIZE]


@settings(deadline=None, max_examples=60)
@given(tokens)
def test_neighbours_are_shingles_of_two(values: list[int]) -> None:
    given_tokens = np.array(values, dtype=np.uint64)
    assert neighbour_sketch(given_tokens).tolist() == shingle_set(given_tokens, 2).tolist()


def test_a_shuffled_text_keeps_its_bag_and_loses_its_neighbours() -> None:
    draw = np.random.default_rng(3)
    words = draw.integers(0, 2**64, 2000, dtype=np.uint64)
    shuffled = draw.permutation(words)
    assert min_resemblance(bag_sketch(words), bag_sketch(shuffled), SIZE) == 1
    assert min_resemblance(neighbour_sketch(words), neighbour_sketch(shuffled), SIZE) < 0.05
