"""Sketches without boilerplate, against the sketches of the sets without it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.cluster.own import LEAST_OWN, SAME_LITTLE, Own, own_likeness, own_parts, own_shingles, standing_in
from dupfinder.cluster.verify import Shingles, verify
from tests.cluster.making import pairs_of, ragged

MOST = 2**32 - 1
SIZE = 12  # values that a sketch keeps
VALUES = st.integers(0, 400).map(lambda value: value * 10_737_418)  # spread over all of uint32
SETS = st.lists(st.sets(VALUES, max_size=40), min_size=1, max_size=6)
NONE = (0.0, 0.0)


def sketched(sets: Sequence[set[int]], size: int = SIZE) -> tuple[Shingles, NDArray[np.int64]]:
    """MIN_s sketches of sets, and the sizes of the sets."""
    values, starts = ragged([sorted(one)[:size] for one in sets])
    lengths = np.array([len(one) for one in sets], np.int64)
    return Shingles.of(values.astype(np.uint32), starts, lengths), lengths


def own_of(sets: Sequence[set[int]], gone: set[int], size: int = SIZE) -> Own:
    shingles, lengths = sketched(sets, size)
    return own_shingles(shingles, lengths, np.array(sorted(gone), np.uint32))


@given(SETS, st.sets(VALUES, max_size=60))
@settings(deadline=None, max_examples=200)
def test_a_sketch_without_a_set_is_the_sketch_of_the_rest_as_far_as_it_was_known(
    sets: list[set[int]], gone: set[int]
) -> None:
    own = own_of(sets, gone)
    assert own.shingles.known is not None
    for row, one in enumerate(sets):
        known = int(own.shingles.known[row])
        assert known == (sorted(one)[SIZE - 1] if len(one) > SIZE else MOST)
        kept = own.shingles.values[own.shingles.starts[row] : own.shingles.starts[row + 1]].tolist()
        assert kept == [value for value in sorted(one - gone) if value <= known]
        assert bool(own.changed[row]) == any(value in gone for value in sorted(one)[:SIZE])


@given(SETS, st.sets(VALUES, max_size=60))
@settings(deadline=None, max_examples=100)
def test_whole_sets_are_as_alike_as_what_is_left_of_them(sets: list[set[int]], gone: set[int]) -> None:
    own = own_of(sets, gone, 50)
    pairs = pairs_of([(one, other, 0) for one in range(len(sets)) for other in range(one + 1, len(sets))])
    shingles, _ = sketched(sets, 50)
    found = own_likeness(verify(pairs, shingles), pairs, own, NONE)
    for row, (one, other) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        left, right = sets[one] - gone, sets[other] - gone
        same = max(len(left & right) / max(1, len(side)) for side in (left, right)) >= SAME_LITTLE
        if (own.bare[one] and own.bare[other]) or (own.little[one] and own.little[other] and same):
            left, right = sets[one], sets[other]
        union = len(left | right)
        assert found.resemblance[row] == np.float32(len(left & right) / union if union else 0)
        assert found.left_in_right[row] == np.float32(len(left & right) / len(left) if left else 0)


@given(SETS, st.sets(VALUES, max_size=60), st.sampled_from([(0.2, 0.5), (0.7, 0.85), (0.9, 0.9)]))
@settings(deadline=None, max_examples=100)
def test_pairs_that_cannot_be_alike_are_spared_and_none_that_are(
    sets: list[set[int]], gone: set[int], least: tuple[float, float]
) -> None:
    own = own_of(sets, gone, 50)
    pairs = pairs_of([(one, other, 0) for one in range(len(sets)) for other in range(one + 1, len(sets))])
    whole = verify(pairs, sketched(sets, 50)[0])
    every, some = (own_likeness(whole, pairs, own, asked) for asked in (NONE, least))
    for likeness in (every, some):
        contained = np.maximum(likeness.left_in_right, likeness.right_in_left)
        kept = (likeness.resemblance >= least[0]) | (contained >= least[1])
        if likeness is every:
            wanted = kept
    assert kept.tolist() == wanted.tolist()


@given(SETS, st.sets(VALUES, max_size=60), st.data())
@settings(deadline=None, max_examples=100)
def test_sampled_parts_lose_the_same_and_bare_documents_nothing(
    sets: list[set[int]], gone: set[int], data: st.DataObject
) -> None:
    bare = np.array([data.draw(st.booleans()) for _ in sets], np.bool_)
    values, starts = ragged([sorted(one) for one in sets])
    found, begins = own_parts(Shingles(values, starts, bare), np.array(sorted(gone), np.uint64), bare)
    for row, one in enumerate(sets):
        left = one if bare[row] else one - gone
        assert found[begins[row] : begins[row + 1]].tolist() == sorted(left)


@given(st.lists(VALUES), st.sets(VALUES))
@settings(deadline=None, max_examples=100)
def test_values_are_found_among_others(values: list[int], wanted: set[int]) -> None:
    for kind in (np.uint32, np.uint64):
        found = standing_in(np.array(values, kind), np.array(sorted(wanted), kind))
        assert found.tolist() == [place for place, value in enumerate(values) if value in wanted]


def test_a_document_with_less_than_a_sentence_of_its_own_is_bare() -> None:
    notice = set(range(0, 1_000_000, 10_000))
    sets = [notice | set(range(1, count + 1)) for count in (0, LEAST_OWN - 1, LEAST_OWN)] + [{5, 6, 7}]
    own = own_of(sets, notice, 200)
    assert own.bare.tolist() == [True, True, False, False]
    assert own.share[3] == 1
