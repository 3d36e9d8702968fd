from __future__ import annotations

import numpy as np
import pytest

from dupfinder.engine.exhaustive import scan_many
from dupfinder.engine.planning import plan_query
from dupfinder.index.tables import KeyLookup, PermutedTables
from tests.index.making import planted, random_fingerprints


def test_one_query_is_a_scan_and_many_are_worth_direct_tables() -> None:
    fingerprints = random_fingerprints(200_000, 64)
    assert plan_query(fingerprints, 3, 1).chosen.design is None
    many = plan_query(fingerprints, 3, 100_000).chosen
    assert (many.name, many.search) == ("C(4,1)", KeyLookup.DIRECT)


def test_the_candidates_foreseen_follow_the_real_buckets() -> None:
    fingerprints = random_fingerprints(100_000, 64)
    even = {way.name: way.candidates for way in plan_query(fingerprints, 3, 1000).considered}
    assert 4 * 100_000 / 2**16 < even["C(4,1)"] < 4 * (100_000 / 2**16 + 2)
    fingerprints[:50_000] &= np.uint64(2**48 - 1)
    skewed = {way.name: way.candidates for way in plan_query(fingerprints, 3, 1000).considered}
    assert skewed["C(4,1)"] > 100 * even["C(4,1)"]


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_a_scan_and_tables_give_the_same_matches(bits: int) -> None:
    fingerprints = planted(50_000, 3, bits=bits)
    queries = fingerprints[:40]
    scanned = scan_many(fingerprints, queries, 3)
    way = next(way for way in plan_query(fingerprints, 3, 10**6).considered if way.design)
    assert way.design is not None
    matches = PermutedTables(fingerprints, way.design, way.search).query_many(queries, 3)
    assert np.array_equal(matches.query, scanned.query)
    assert np.array_equal(matches.row, scanned.row)
    assert np.array_equal(matches.distance, scanned.distance)
