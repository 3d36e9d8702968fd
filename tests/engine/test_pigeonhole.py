from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.engine.exhaustive import Pigeonhole
from tests.index.making import Fingerprints, distances, families_of_fingerprints


@given(families_of_fingerprints(64), st.integers(0, 16))
def test_lists_find_exactly_what_brute_force_finds(fingerprints: Fingerprints, radius: int) -> None:
    lists = Pigeonhole(radius)
    for fingerprint in fingerprints:
        lists.add(int(fingerprint))
    assert len(lists) == len(fingerprints)
    for place in range(len(fingerprints)):
        distance = distances(fingerprints, fingerprints[place : place + 1])
        matches = lists.query(int(fingerprints[place]))
        assert np.array_equal(matches.row, np.flatnonzero(distance <= radius))
        assert np.array_equal(matches.distance, distance[distance <= radius])


def test_an_arrival_is_found_from_then_on() -> None:
    lists = Pigeonhole(3, 128)
    assert len(lists.query(7)) == 0
    assert lists.add(7 << 100) == 0
    assert lists.query((7 << 100) | 3).distance.tolist() == [2]
    assert len(lists.query((7 << 100) | 3, 1)) == 0


@given(families_of_fingerprints(64), st.data())
def test_what_was_removed_is_found_no_more_and_all_else_is(fingerprints: Fingerprints, data: st.DataObject) -> None:
    lists = Pigeonhole(3)
    for fingerprint in fingerprints:
        lists.add(int(fingerprint))
    gone = data.draw(st.sets(st.integers(0, len(fingerprints) - 1))) if len(fingerprints) else set()
    for row in gone:
        lists.remove(row)
    assert len(lists) == len(fingerprints) - len(gone)
    for place in range(len(fingerprints)):
        near = np.flatnonzero(distances(fingerprints, fingerprints[place : place + 1]) <= 3).tolist()
        assert lists.query(int(fingerprints[place])).row.tolist() == [row for row in near if row not in gone]
    for row in gone:
        with pytest.raises(KeyError):
            lists.remove(row)
    assert lists.add(7) == len(fingerprints)


def test_what_the_lists_do_not_serve_is_refused() -> None:
    for radius, bits in ((17, 64), (3, 63), (-1, 64)):
        with pytest.raises(ValueError):
            Pigeonhole(radius, bits)
    with pytest.raises(ValueError):
        Pigeonhole(3).query(0, 4)
    with pytest.raises(ValueError):
        Pigeonhole(3).add(2**64)
