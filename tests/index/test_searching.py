from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.index.tables import binary_search, interpolate_one, interpolation_search

keys = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 40), st.integers(2**64 - 40, 2**64 - 1))


@given(st.lists(keys, max_size=60), st.lists(keys, max_size=20))
def test_interpolation_finds_the_places_of_binary_search(table: list[int], wanted: list[int]) -> None:
    ascending = np.sort(np.array(table, np.uint64))
    asked = np.array(wanted + table, np.uint64)
    places = binary_search(ascending, asked)
    assert np.array_equal(interpolation_search(ascending, asked), places)
    assert [interpolate_one(ascending, int(key)) for key in asked] == places.tolist()


def test_keys_that_mislead_interpolation_are_still_found() -> None:
    table = (np.uint64(1) << np.arange(64, dtype=np.uint64)).repeat(50)
    asked = np.concatenate((table, table + np.uint64(1)))
    places = binary_search(table, asked)
    assert np.array_equal(interpolation_search(table, asked), places)
    assert [interpolate_one(table, int(key)) for key in asked] == places.tolist()
