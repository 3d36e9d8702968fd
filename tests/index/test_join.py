from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.progress import LatestProgress, Stage, Stopped
from dupfinder.engine.exhaustive import all_pairs
from dupfinder.index import groups
from dupfinder.index import join as join_module
from dupfinder.index.design import PAPER, TableDesign, family, mask_of, named_design, two_level
from dupfinder.index.join import TooManyPairs, join, pairs_with
from dupfinder.index.planner import plan_lookup
from dupfinder.processes.crew import Crew
from tests.index.making import Fingerprints, families_of_fingerprints, from_integers, planted, random_fingerprints, same


@given(st.data(), st.sampled_from((32, 64, 128)), st.integers(0, 16))
def test_the_join_finds_exactly_what_brute_force_finds(data: st.DataObject, bits: int, radius: int) -> None:
    fingerprints = data.draw(families_of_fingerprints(bits))
    assert same(join(fingerprints, radius), all_pairs(fingerprints, radius))


@given(st.data(), st.sampled_from((32, 64, 128)), st.integers(0, 8), st.integers(1, 3))
def test_every_design_of_the_family_finds_the_same(data: st.DataObject, bits: int, radius: int, more: int) -> None:
    fingerprints = data.draw(families_of_fingerprints(bits))
    pairs = join(fingerprints, radius, design=family(bits, radius, radius + more))
    assert same(pairs, all_pairs(fingerprints, radius))


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_designs_find_the_same_in_a_few_thousand(name: str) -> None:
    fingerprints = planted(4000, 3)
    assert same(join(fingerprints, 3, design=named_design(name)), all_pairs(fingerprints, 3))
    assert same(join(fingerprints, 1, design=named_design(name)), all_pairs(fingerprints, 1))


@pytest.mark.parametrize("radius", [3, 6, 10, 16])
def test_the_chosen_design_finds_the_same_in_a_few_thousand(radius: int) -> None:
    fingerprints = planted(3000, radius)
    assert same(join(fingerprints, radius), all_pairs(fingerprints, radius))


@pytest.mark.parametrize("count", [*range(46, 54), *range(94, 100), 145])
def test_the_join_finds_the_same_however_many_rows_the_last_matrix_has(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(groups, "CELLS", 64)
    fingerprints = planted(count, 3)
    assert same(join(fingerprints, 3, design=named_design("4")), all_pairs(fingerprints, 3))


@pytest.mark.parametrize(
    "design", [named_design("4"), named_design("10"), named_design("16"), named_design("20"), family(64, 6, 8)]
)
def test_pairs_with_one_difference_in_each_block_are_found(design: object) -> None:
    assert isinstance(design, type(named_design("4")))
    masks = [mask_of(table.prefix, 64) for table in design.tables]
    blocks = {bit for mask in masks for bit in (mask & -mask, 1 << (mask.bit_length() - 1))}
    base = int(random_fingerprints(1, 64)[0])
    values = [base]
    for bits in product(sorted(blocks), repeat=min(design.radius, 2)):
        values.append(base ^ (sum(set(bits))))
    fingerprints = from_integers(values, 64)
    assert same(join(fingerprints, design.radius, design=design), all_pairs(fingerprints, design.radius))


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_fingerprints_that_share_a_block_are_joined_all_the_same(share: float) -> None:
    fingerprints = planted(6000, 3)
    skewed = int(len(fingerprints) * share)
    fingerprints[:skewed] = (fingerprints[:skewed] & np.uint64(2**48 - 1)) | np.uint64(0xBEEF << 48)
    assert same(join(fingerprints, 3, design=named_design("4")), all_pairs(fingerprints, 3))


def test_fingerprints_that_differ_in_few_places_only_are_joined_all_the_same() -> None:
    low = np.arange(4096, dtype=np.uint64)
    assert same(join(low, 4, design=family(64, 4, 6)), all_pairs(low, 4))
    spread = (low & np.uint64(63)) | ((low >> np.uint64(6)) << np.uint64(40))
    assert same(join(spread, 3, design=two_level(64, 3, 4, 4)), all_pairs(spread, 3))


def test_copies_are_pairs_at_distance_zero_and_share_their_neighbours() -> None:
    fingerprints = np.repeat(planted(300, 2), 4)
    np.random.default_rng(3).shuffle(fingerprints)
    for radius in (0, 2):
        assert same(join(fingerprints, radius), all_pairs(fingerprints, radius))


def test_pairs_of_copies_are_the_same_however_many_are_written_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprints = np.repeat(planted(300, 2), 4)
    pairs = join(fingerprints, 2)
    monkeypatch.setattr(join_module, "CHUNK", 50)
    assert same(join(fingerprints, 2), pairs)


def test_two_thousand_copies_are_all_pairs_of_each_other() -> None:
    pairs = join(np.full(2000, 99, np.uint64), 3)
    assert len(pairs) == 2000 * 1999 // 2
    assert not pairs.distance.any()


def test_more_pairs_than_allowed_end_the_join() -> None:
    with pytest.raises(TooManyPairs) as caught:
        join(np.zeros(1000, np.uint64), 3, most_pairs=10_000)
    assert caught.value.most == 10_000


def test_a_join_tells_its_tables_and_can_be_stopped() -> None:
    reporter = LatestProgress()
    join(planted(3000, 3), 3, design=named_design("10"), reporter=reporter)
    newest = reporter.newest()
    assert newest is not None
    assert (newest.stage, newest.done, newest.total) == (Stage.MATCH, 10, 10)
    reporter.stop()
    with pytest.raises(Stopped):
        join(planted(3000, 3), 3, design=named_design("10"), reporter=reporter)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("bits", [32, 64, 128])
def test_nothing_to_pair_gives_no_pairs(count: int, bits: int) -> None:
    assert len(join(random_fingerprints(count, bits), 3)) == 0


def test_what_cannot_be_joined_is_refused_at_once() -> None:
    fingerprints: Fingerprints = random_fingerprints(10, 64)
    for wrong in (fingerprints.astype(np.uint16), fingerprints.reshape(5, 2)[:, :1]):
        with pytest.raises(ValueError, match="fingerprints are"):
            join(wrong, 3)
    with pytest.raises(ValueError, match="radius"):
        join(fingerprints, 17)
    with pytest.raises(ValueError, match="design"):
        join(fingerprints, 5, design=named_design("4"))


@given(st.integers(0, 2**32), st.integers(0, 16), st.sampled_from([0, 0.3, 0.9, 1]))
def test_the_pairs_of_chosen_rows_are_those_of_all_rows_with_one_of_them(seed: int, radius: int, share: float) -> None:
    chance = np.random.default_rng(seed)
    bases = chance.integers(0, 2**64, 4, np.uint64)
    fingerprints = bases[chance.integers(0, 4, 30)] ^ np.left_shift(np.uint64(1), chance.integers(0, 64, 30, np.uint64))
    chosen, grouped = np.flatnonzero(chance.random(30) < share), chance.random(30) < share
    every = all_pairs(fingerprints, radius)
    every = every.take(~(grouped[every.left] & grouped[every.right]))
    wanted = np.isin(every.left, chosen) | np.isin(every.right, chosen)
    assert same(pairs_with(fingerprints, chosen, radius, grouped), every.take(wanted))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("design", [None, named_design("16")])
def test_pairs_of_two_grouped_rows_are_left_out_and_do_not_count_as_too_many(
    design: TableDesign | None, workers: int
) -> None:
    fingerprints = planted(900, 3)
    fingerprints[400:600] = fingerprints[0]
    grouped = np.arange(900) < 700
    every = all_pairs(fingerprints, 3)
    wanted = every.take(~(grouped[every.left] & grouped[every.right]))
    assert 0 < len(wanted) < len(every) / 2
    with Crew(workers) as crew:
        pairs = join(fingerprints, 3, design=design, crew=crew, grouped=grouped, most_pairs=len(wanted))
    assert same(pairs, wanted)


def test_three_processes_find_the_pairs_of_one() -> None:
    chance = np.random.default_rng(3)
    fingerprints = chance.integers(0, 2**64, 900, np.uint64)
    fingerprints[300:] = fingerprints[:600] ^ np.left_shift(np.uint64(1), chance.integers(0, 64, 600, np.uint64))
    with Crew(3) as crew:
        for design in (None, named_design("16")):
            assert same(join(fingerprints, 3, design=design, crew=crew), all_pairs(fingerprints, 3))
        with pytest.raises(TooManyPairs):
            join(fingerprints, 3, crew=crew, most_pairs=10)


def test_a_join_that_finds_too_many_pairs_leaves_nothing_on_disk() -> None:
    with Crew(2) as crew:
        with pytest.raises(TooManyPairs):
            join(planted(900, 3), 3, crew=crew, most_pairs=10)
        last = crew.share([np.zeros(1)], np.float64).source
        assert isinstance(last, Path) and list(last.parent.glob("*.column")) == [last]


def test_the_pairs_of_many_chosen_rows_are_found_by_blocks_of_bits() -> None:
    chance = np.random.default_rng(9)
    fingerprints = chance.integers(0, 2**64, 40_000, np.uint64)
    fingerprints[20_000:] = fingerprints[:20_000]
    for _ in range(9):
        fingerprints[20_000:] ^= np.left_shift(np.uint64(1), chance.integers(0, 64, 20_000, np.uint64))
    chosen = np.arange(0, 40_000, 8)
    assert plan_lookup(fingerprints, len(chosen), 9).design is not None
    every = join(fingerprints, 9)
    wanted = np.isin(every.left, chosen) | np.isin(every.right, chosen)
    assert same(pairs_with(fingerprints, chosen, 9, np.zeros(40_000, np.bool_)), every.take(wanted))
