"""The judges: every pair compared, every variant probed, and one lookup by each method. What all else must equal.

Slow and plain. Queries are compared with all fingerprints in bounded memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.engine.pigeonhole import Pigeonhole
from dupfinder.engine.prints import number_of
from dupfinder.index.design import family
from dupfinder.index.pairs import Matches, Pairs
from dupfinder.index.tables import PermutedTables
from dupfinder.index.words import width_of, words_of

_ROWS = 1 << 20  # comparisons held at once

_CELLS: Final = 1 << 15  # fingerprints compared at once: they stay in the cache

METHODS = ("tables", "pigeonhole", "variants", "brute")
MOST_PROBED = 4  # radius: 679,121 variants of 64 bits; the next one has eight million


def distances(fingerprints: NDArray[np.unsignedinteger], one: NDArray[np.unsignedinteger]) -> NDArray[np.uint8]:
    """uint8 (n,): the bits in which each fingerprint differs from `one`, which is an array of one fingerprint."""
    total = np.zeros(len(fingerprints), np.uint8)
    for word, other in zip(words_of(fingerprints), words_of(one), strict=True):
        total += np.bitwise_count(word ^ other[0])
    return total


def all_pairs(fingerprints: NDArray[np.unsignedinteger], radius: int) -> Pairs:
    """Every pair within `radius` bits, by comparing each with each: n (n - 1) / 2 comparisons."""
    words = words_of(fingerprints)
    count = len(words[0])
    lefts, rights, found = [], [], []
    step = max(1, _ROWS // max(1, count))
    for start in range(0, count, step):
        total = np.zeros((min(step, count - start), count), np.uint8)
        for word in words:
            total += np.bitwise_count(word[start : start + step, None] ^ word[None, :])
        left, right = np.nonzero(total <= radius)
        ahead = left + start < right
        left, right = left[ahead], right[ahead]
        lefts.append((left + start).astype(np.uint32))
        rights.append(right.astype(np.uint32))
        found.append(total[left, right])
    if not lefts:
        return Pairs.none()
    return Pairs(np.concatenate(lefts), np.concatenate(rights), np.concatenate(found))


def variants(bits: int, radius: int) -> NDArray[np.uint64]:
    """uint64: all masks of `bits` bits (at most 64) with at most `radius` set: 43,745 for 64 and 3."""
    return np.fromiter(_masks(bits, radius), np.uint64)


def _masks(bits: int, radius: int) -> Iterator[int]:
    for size in range(radius + 1):
        for places in combinations(range(bits), size):
            yield sum(1 << place for place in places)


def probe_variants(
    sorted_fingerprints: NDArray[np.unsignedinteger], one: int, masks: NDArray[np.uint64]
) -> NDArray[np.intp]:
    """Places in one sorted table that hold `one` changed by any of `masks`, ascending: the naive query of the paper."""
    probes = (np.uint64(one) ^ masks).astype(sorted_fingerprints.dtype)
    first = np.searchsorted(sorted_fingerprints, probes, "left")
    behind = np.searchsorted(sorted_fingerprints, probes, "right")
    hit = behind > first
    if not hit.any():
        return np.empty(0, np.intp)
    return np.sort(np.concatenate([np.arange(a, b) for a, b in zip(first[hit], behind[hit], strict=True)]))


def scan_many(fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int) -> Matches:
    """What lies within `radius` bits of each query, whose numbers are their places."""
    words, asked = words_of(fingerprints), words_of(queries)
    parts = []
    for number in range(len(asked[0])):
        for start in range(0, len(words[0]), _CELLS):
            counts = np.bitwise_count(words[0][start : start + _CELLS] ^ asked[0][number])
            for word, other in zip(words[1:], asked[1:], strict=True):
                counts += np.bitwise_count(word[start : start + _CELLS] ^ other[number])
            if counts.min() <= radius:
                (near,) = np.nonzero(counts <= radius)
                query = np.full(len(near), number, np.uint32)
                parts.append(Matches(query, (near + start).astype(np.uint32), counts[near]))
    return Matches.merged(parts)


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
