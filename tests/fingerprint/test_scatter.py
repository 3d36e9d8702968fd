"""What survives scattered edits, against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.fingerprint.scatter import SIZE, bag_sketch, neighbour_sketch
from dupfinder.fingerprint.shingles import shingle_hashes

TOKENS = st.lists(st.sampled_from([1, 2, 3, 2**40, 2**63, 2**64 - 1]), max_size=60)


def tokens(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(values, np.uint64)


@settings(deadline=None, max_examples=200)
@given(TOKENS, TOKENS)
def test_bags_share_what_multisets_share(one: list[int], other: list[int]) -> None:
    shared = set(bag_sketch(tokens(one)).tolist()) & set(bag_sketch(tokens(other)).tolist())
    assert len(shared) == (Counter(one) & Counter(other)).total()
    assert len(bag_sketch(tokens(one))) == len(one)


@settings(deadline=None, max_examples=100)
@given(TOKENS, st.randoms(use_true_random=False))
def test_the_order_of_words_is_nothing_to_a_bag(values: list[int], chance: object) -> None:
    moved = list(values)
    chance.shuffle(moved)  # type: ignore[attr-defined]
    assert bag_sketch(tokens(moved)).tolist() == bag_sketch(tokens(values)).tolist()


@settings(deadline=None, max_examples=100)
@given(TOKENS)
def test_neighbours_are_the_distinct_pairs(values: list[int]) -> None:
    found = neighbour_sketch(tokens(values)).tolist()
    assert found == sorted(set(shingle_hashes(tokens(values), 2).tolist()))


def test_long_texts_keep_their_smallest_values() -> None:
    values = np.random.default_rng(2).integers(0, 2**64, 5000, np.uint64)
    pairs = sorted(set(shingle_hashes(values, 2).tolist()))
    assert neighbour_sketch(values).tolist() == pairs[:SIZE]
    bag = bag_sketch(values)
    assert len(bag) == SIZE and (np.diff(bag) > 0).all()
    half = bag_sketch(values[:2500])
    # A part of a text keeps of the whole's smallest values those that are its own, and then larger ones.
    assert {one for one in half.tolist() if one <= bag[-1]} < set(bag.tolist())
