from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.engine.exhaustive import all_pairs
from dupfinder.index.design import PAPER, family, named_design
from dupfinder.index.pairs import Matches
from dupfinder.index.tables import KeyLookup, PermutedTables
from tests.index.making import Fingerprints, distances, families_of_fingerprints, planted, random_fingerprints, same


def integers(fingerprints: Fingerprints) -> list[int]:
    if fingerprints.ndim == 2:
        return [int(high) << 64 | int(low) for high, low in fingerprints.tolist()]
    return [int(value) for value in fingerprints]


def by_brute_force(indexed: Fingerprints, queries: Fingerprints, radius: int) -> Matches:
    parts = []
    for number in range(len(queries)):
        distance = distances(indexed, queries[number : number + 1])
        (row,) = np.nonzero(distance <= radius)
        parts.append(Matches(np.full(len(row), number, np.uint32), row.astype(np.uint32), distance[row]))
    return Matches.merged(parts)


def same_matches(first: Matches, second: Matches) -> bool:
    return bool(
        np.array_equal(first.query, second.query)
        and np.array_equal(first.row, second.row)
        and np.array_equal(first.distance, second.distance)
    )


@given(
    st.data(), st.sampled_from((32, 64, 128)), st.integers(0, 6), st.integers(1, 3), st.sampled_from(list(KeyLookup))
)
def test_queries_find_exactly_what_brute_force_finds(
    data: st.DataObject, bits: int, radius: int, more: int, search: KeyLookup
) -> None:
    fingerprints = data.draw(families_of_fingerprints(bits))
    design = family(bits, radius, radius + more)
    if search is KeyLookup.DIRECT and design.prefix_bits.max() > 20:
        search = KeyLookup.BINARY
    tables = PermutedTables(fingerprints, design, search)
    expected = by_brute_force(fingerprints, fingerprints, radius)
    assert same_matches(tables.query_many(fingerprints), expected)
    for number, fingerprint in enumerate(integers(fingerprints)):
        matches = tables.query(fingerprint)
        of_it = expected.query == number
        assert np.array_equal(matches.row, expected.row[of_it])
        assert np.array_equal(matches.distance, expected.distance[of_it])


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("search", [KeyLookup.BINARY, KeyLookup.INTERPOLATION])
def test_the_papers_designs_answer_alike_by_either_search(name: str, search: KeyLookup) -> None:
    fingerprints = planted(3000, 3)
    tables = PermutedTables(fingerprints[:2000], named_design(name), search)
    for radius in (0, 2, 3):
        matches = tables.query_many(fingerprints[2000:], radius)
        assert same_matches(matches, by_brute_force(fingerprints[:2000], fingerprints[2000:], radius))


def test_tables_pair_what_the_judge_pairs() -> None:
    fingerprints = planted(2000, 3)
    assert same(PermutedTables(fingerprints, named_design("10")).pairs(2), all_pairs(fingerprints, 2))


def test_a_block_shared_by_all_is_searched_in_pieces() -> None:
    fingerprints = random_fingerprints(3000, 64) & np.uint64(0xFFFF)
    tables = PermutedTables(fingerprints, named_design("4"))
    queries = fingerprints[:600]
    assert same_matches(tables.query_many(queries, 1), by_brute_force(fingerprints, queries, 1))


@pytest.mark.parametrize("key", [0, 2**64 - 1])
@pytest.mark.parametrize("search", list(KeyLookup))
def test_the_first_and_the_last_key_are_found(key: int, search: KeyLookup) -> None:
    design = named_design("4") if search is KeyLookup.DIRECT else named_design("20")
    tables = PermutedTables(np.array([0, 2**64 - 1], np.uint64), design, search)
    assert tables.query(key ^ 5).row.tolist() == [int(key != 0)]
    assert tables.query_many(np.array([key ^ 5], np.uint64)).row.tolist() == [int(key != 0)]


def test_empty_tables_answer_with_nothing() -> None:
    tables = PermutedTables(np.empty(0, np.uint64), named_design("4"))
    assert len(tables.query(0)) == len(tables.query_many(np.zeros(3, np.uint64))) == 0


def test_what_the_tables_do_not_serve_is_refused() -> None:
    fingerprints = random_fingerprints(10, 64)
    with pytest.raises(ValueError, match="width"):
        PermutedTables(fingerprints, family(32, 3, 4))
    with pytest.raises(ValueError, match="direct"):
        PermutedTables(fingerprints, named_design("20"), KeyLookup.DIRECT)
    tables = PermutedTables(fingerprints, named_design("4"))
    with pytest.raises(ValueError, match="radius"):
        tables.query(1, 4)
    with pytest.raises(ValueError, match="64 bits"):
        tables.query(2**64)
    with pytest.raises(ValueError, match="width"):
        tables.query_many(random_fingerprints(3, 32))
