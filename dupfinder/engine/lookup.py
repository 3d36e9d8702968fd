"""One lookup by each method that there is: tables, and the ones that they are measured against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.engine.exhaustive import distances, probe_variants, variants
from dupfinder.engine.pigeonhole import Pigeonhole
from dupfinder.engine.prints import number_of
from dupfinder.index.design import family
from dupfinder.index.pairs import Matches
from dupfinder.index.tables import PermutedTables
from dupfinder.index.words import width_of

METHODS = ("tables", "pigeonhole", "variants", "brute")
MOST_PROBED = 4  # radius: 679,121 variants of 64 bits; the next one has eight million


def look_up(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, method: str
) -> Matches:
    """What lies within `radius` bits of each query, by one of METHODS; all find the same.

    ValueError for another method, for widths that differ, and for variants of 128 bits or beyond a radius of four.
    """
    bits = width_of(fingerprints)
    if width_of(queries) != bits:
        raise ValueError(f"the fingerprints have {bits} bits, the queries have another width")
    if method == "tables":
        return PermutedTables.build(fingerprints, family(bits, radius, radius + 1)).query_many(queries, radius)
    if method == "pigeonhole":
        return _by_lists(fingerprints, queries, radius, bits)
    if method == "variants":
        return _by_variants(fingerprints, queries, radius, bits)
    if method == "brute":
        found = [distances(fingerprints, queries[place : place + 1]) for place in range(len(queries))]
        return _merged([np.flatnonzero(row <= radius) for row in found], found)
    raise ValueError(f"no such method: {method}")


def _by_lists(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, bits: int
) -> Matches:
    lists = Pigeonhole(radius, bits)
    lists.add_many(number_of(one) for one in fingerprints)
    found = [lists.query(number_of(one)) for one in queries]
    places = [np.full(len(one), place, np.uint32) for place, one in enumerate(found)]
    return Matches.merged([Matches(at, one.row, one.distance) for at, one in zip(places, found, strict=True)])


def _by_variants(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, bits: int
) -> Matches:
    if bits == 128 or radius > MOST_PROBED:
        raise ValueError(f"variants are probed for 32 or 64 bits and a radius of at most {MOST_PROBED}")
    order = np.argsort(fingerprints, kind="stable")
    ordered, masks = fingerprints[order], variants(bits, radius)
    rows = [np.sort(order[probe_variants(ordered, int(one), masks)]) for one in queries]
    return _merged(rows, [distances(fingerprints, queries[place : place + 1]) for place in range(len(queries))])


def _merged(rows: list[NDArray[np.intp]], distance: list[NDArray[np.uint8]]) -> Matches:
    """Rows of each query, and all distances from it, as matches."""
    parts = [
        Matches(np.full(len(near), place, np.uint32), near.astype(np.uint32), found[near])
        for place, (near, found) in enumerate(zip(rows, distance, strict=True))
    ]
    return Matches.merged(parts)
