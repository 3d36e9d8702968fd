from __future__ import annotations

from math import comb

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.engine.exhaustive import all_pairs, probe_variants, variants
from tests.index.making import Fingerprints, distances, families_of_fingerprints, planted


def test_the_variants_at_distance_three_are_as_many_as_the_paper_says() -> None:
    masks = variants(64, 3)
    assert len(masks) == 1 + 64 + 2_016 + 41_664 == 43_745
    assert int((np.bitwise_count(masks) == 3).sum()) == comb(64, 3) == 41_664


@settings(max_examples=30)
@given(families_of_fingerprints(64), st.integers(0, 16))
def test_all_pairs_is_what_two_loops_over_integers_find(fingerprints: Fingerprints, radius: int) -> None:
    values = [int(value) for value in fingerprints]
    expected = [
        (i, j, (a ^ values[j]).bit_count())
        for i, a in enumerate(values)
        for j in range(i + 1, len(values))
        if (a ^ values[j]).bit_count() <= radius
    ]
    pairs = all_pairs(fingerprints, radius)
    triples = list(zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True))
    assert triples == expected


def test_probing_every_variant_finds_what_comparing_with_all_finds() -> None:
    table = np.sort(np.concatenate((planted(2000, 3), planted(50, 3))))
    masks = variants(64, 3)
    for place in range(0, len(table), 97):
        near = np.flatnonzero(distances(table, table[place : place + 1]) <= 3)
        assert np.array_equal(probe_variants(table, int(table[place]), masks), near)
