from __future__ import annotations

import numpy as np
import pytest

from dupfinder.index.tables import near_positions


@pytest.mark.parametrize("count", [1, 300, 40_000])
@pytest.mark.parametrize("longest", [1, 3, 40])
def test_every_near_place_of_every_run_is_told_once(count: int, longest: int) -> None:
    rng = np.random.default_rng(count + longest)
    table = rng.integers(0, 2**8, 500, dtype=np.uint64)
    queries = rng.integers(0, 2**8, count, dtype=np.uint64)
    starts = rng.integers(0, 500, count).astype(np.intp)
    stops = np.minimum(starts + rng.integers(0, longest + 1, count), 500).astype(np.intp)
    pairs = [
        (int(q), int(place), int(bits))
        for query, places, distances in near_positions((table,), (queries,), starts, stops, 2)
        for q, place, bits in zip(query, places, distances, strict=True)
    ]
    distance = np.bitwise_count(queries[:, None] ^ table[None, :])
    inside = (np.arange(500) >= starts[:, None]) & (np.arange(500) < stops[:, None])
    expected = [
        (int(q), int(p), int(distance[q, p])) for q, p in zip(*np.nonzero(inside & (distance <= 2)), strict=True)
    ]
    assert sorted(pairs) == expected
