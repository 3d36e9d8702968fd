from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.index.design import (
    PAPER,
    TableDesign,
    cheapest,
    choose_family,
    cut,
    family,
    mask_of,
    named_design,
    two_level,
)
from tests.index.making import permutations_of


@pytest.mark.parametrize(
    ("name", "tables", "prefix_bits"),
    [("4", 4, {16}), ("10", 10, {25, 26}), ("16", 16, {28}), ("20", 20, {31, 32, 33})],
)
def test_the_papers_designs_have_its_tables_and_prefixes(name: str, tables: int, prefix_bits: set[int]) -> None:
    design = named_design(name)
    assert len(design.tables) == tables
    assert set(design.prefix_bits.tolist()) == prefix_bits


def test_blocks_are_as_even_as_they_can_be() -> None:
    assert [sum(w for _, w in block) for block in cut([(0, 64)], 5)] == [13, 13, 13, 13, 12]
    assert [sum(w for _, w in block) for block in cut([(0, 64)], 6)] == [11, 11, 11, 11, 10, 10]


def test_every_permutation_moves_each_bit_once_and_its_prefix_to_the_top() -> None:
    for design in [*map(named_design, PAPER), family(32, 2, 4), family(128, 5, 7)]:
        for row, table in zip(permutations_of(design), design.tables, strict=True):
            assert sorted(row) == list(range(design.bits))
            top = sum(1 << (design.bits - 1 - bit) for bit in row[: table.prefix_bits])
            assert top == mask_of(table.prefix, design.bits)


def misses(design: TableDesign, differing: int) -> bool:
    return all(mask_of(table.prefix, design.bits) & differing for table in design.tables)


@pytest.mark.parametrize(
    "design", [*map(named_design, PAPER), family(64, 6, 8), family(128, 4, 6), two_level(32, 2, 3, 3)]
)
def test_one_difference_in_each_block_is_never_missed(design: TableDesign) -> None:
    edges = sorted(
        {bit for table in design.tables for start, width in table.prefix for bit in (start, start + width - 1)}
    )
    for places in combinations(edges, design.radius) if comb(len(edges), design.radius) < 20_000 else ():
        assert not misses(design, sum(1 << (design.bits - 1 - place) for place in places))


@pytest.mark.parametrize("design", [family(32, 2, 3), family(32, 2, 4), family(32, 2, 5), two_level(32, 2, 3, 4)])
def test_every_difference_of_two_bits_of_32_is_seen_first_by_exactly_one_table(design: TableDesign) -> None:
    for places in [*combinations(range(32), 2), *((bit,) for bit in range(32))]:
        differing = sum(1 << place for place in places)
        seen = [t for t in design.tables if not mask_of(t.prefix, 32) & differing]
        assert len([t for t in seen if all(mask & differing for mask in t.earlier)]) == 1


@given(st.sampled_from((32, 64, 128)), st.integers(0, 16), st.integers(1, 2), st.data())
def test_no_difference_within_the_radius_is_missed(bits: int, radius: int, more: int, data: st.DataObject) -> None:
    design = family(bits, radius, radius + more)
    places = data.draw(st.sets(st.integers(0, bits - 1), max_size=radius))
    assert not misses(design, sum(1 << place for place in places))


@pytest.mark.parametrize("name", ["5", "C(3,1)", "C(8)", "C(a,b)", "C(64,56)", "C(99999999,99999990)", ""])
def test_a_design_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        named_design(name, 64, 3)
    with pytest.raises(ValueError):
        named_design("4", 32, 3)


def test_more_fingerprints_ask_for_more_blocks() -> None:
    blocks = [cheapest(count, 64, 10)[0] or 0 for count in (1_000, 100_000, 10_000_000)]
    assert blocks == sorted(blocks)
    assert blocks[0] < blocks[-1]


def test_too_few_bits_leave_no_design() -> None:
    assert choose_family(10**6, 64, 16, [(0, 10)]) is None
