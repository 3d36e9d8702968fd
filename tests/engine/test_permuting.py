from __future__ import annotations

import numpy as np
import pytest

from dupfinder.engine.blocks import bit_order, permuted, unpermuted
from dupfinder.index.design import PAPER, family, named_design
from tests.index.making import permutations_of, random_fingerprints


@pytest.mark.parametrize("design", [*map(named_design, PAPER), family(32, 2, 5)])
def test_bits_are_moved_as_the_permutation_says_and_back(design: object) -> None:
    assert isinstance(design, type(named_design("4")))
    fingerprints = random_fingerprints(20, design.bits).astype(np.uint64)
    for number, permutation in enumerate(permutations_of(design)):
        runs = bit_order(design, number)
        keys = permuted(fingerprints, runs, design.bits)
        for fingerprint, key in zip(fingerprints.tolist(), keys.tolist(), strict=True):
            digits = f"{fingerprint:0{design.bits}b}"
            assert f"{key:0{design.bits}b}" == "".join(digits[bit] for bit in permutation)
        assert np.array_equal(unpermuted(keys, runs, design.bits), fingerprints)


def test_a_table_that_the_design_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError):
        bit_order(named_design("4"), 4)
