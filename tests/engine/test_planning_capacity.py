"""The capacity calculator returns the numbers of the paper."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dupfinder.engine.planning import compressed_bits, plan_capacity
from dupfinder.index.design import family
from tests.index.making import random_fingerprints


def test_the_designs_of_the_paper_give_its_candidates() -> None:
    plan = plan_capacity(2**34, 3)
    designs = [(design.tables, design.prefix, design.candidates) for design in plan.designs]
    assert designs == [(4, (16, 16), 2**18), (10, (25, 26), 2**9), (16, (28, 28), 64), (20, (31, 33), 8)]
    assert (plan.variants, plan.probes) == (41_664, 43_745)


def test_eight_billion_fingerprints_take_what_the_paper_says() -> None:
    plan = plan_capacity(8 * 10**9, 3, machines=200)
    assert plan.bytes == 64e9  # "F occupies 64 GB"
    assert 0.5 < plan.compressed / plan.bytes < 0.55  # "compression shrinks" it to about half
    assert plan.stream < 100  # "in fewer than 100 seconds", at 1 GB/s from 200 machines: 34.5 s


@pytest.mark.parametrize(("count", "floor"), [(10**5, 50.8), (10**6, 47.5), (10**7, 44.2)])
def test_the_floor_of_the_coding_is_as_measured(count: int, floor: float) -> None:
    assert compressed_bits(count) == pytest.approx(floor, abs=0.1)


@pytest.mark.parametrize("bits", [32, 64])
def test_the_floor_is_the_entropy_of_real_neighbours(bits: int) -> None:
    ordered = [int(fingerprint) for fingerprint in np.sort(random_fingerprints(50_000, bits))]
    places = np.array([(a ^ b).bit_length() - 1 for a, b in itertools.pairwise(ordered) if a != b])
    counts = np.bincount(places)
    shares = counts[counts > 0] / len(places)
    measured = float(places.mean()) - float((shares * np.log2(shares)).sum())
    assert compressed_bits(50_000, bits) == pytest.approx(measured, abs=0.05)


def test_the_prefixes_are_those_of_the_designs_that_are_made() -> None:
    for bits, radius in ((32, 3), (64, 2), (64, 6), (128, 4)):
        for design in plan_capacity(1000, radius, bits).designs:
            made = family(bits, radius, int(design.name[2:].split(",")[0]))
            assert (len(made.tables), int(made.prefix_bits.min()), int(made.prefix_bits.max())) == (
                design.tables,
                *design.prefix,
            )


def test_the_choice_is_the_fewest_candidates_that_fit() -> None:
    chosen = [plan_capacity(8 * 10**9, 3, memory=gigabytes * 1e9, machines=200).chosen for gigabytes in (64, 2, 1, 0.5)]
    assert [design and design.name for design in chosen] == ["20", "10", "4", None]


@pytest.mark.parametrize("wrong", [{"count": 0}, {"bits": 7}, {"radius": 17}, {"machines": 0}, {"memory": 0}])
def test_numbers_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        plan_capacity(**{"count": 1000, **wrong})
