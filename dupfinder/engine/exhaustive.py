"""Reference implementations: compare every pair, probe every variant or block, look up queries by any method."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.engine.prints import number_of
from dupfinder.index.design import MOST_RADIUS, WIDTHS, cut, family, mask_of
from dupfinder.index.pairs import Matches, Pairs
from dupfinder.index.tables import PermutedTables
from dupfinder.index.words import width_of, words_of


class Pigeonhole:
    """An index of k + 1 blocks that can grow and shrink. Fingerprints within k bits agree in at least one block.

    Uses dictionaries: for a stream of arrivals, where tables would have to be rebuilt. Row numbers are never reused.
    """

    def __init__(self, radius: int, bits: int = 64) -> None:
        if not 0 <= radius <= MOST_RADIUS or bits not in WIDTHS:
            raise ValueError(f"a radius of {radius} in {bits} bits is not supported")
        self.radius = radius
        self.bits = bits
        self._masks = [mask_of(block, bits) for block in cut([(0, bits)], radius + 1)]
        self._lists: list[dict[int, list[int]]] = [defaultdict(list) for _ in self._masks]
        self._fingerprints: dict[int, int] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._fingerprints)

    def add(self, fingerprint: int) -> int:
        """Add a fingerprint and return its row. Raises ValueError when it has more than `bits` bits."""
        if not 0 <= fingerprint < 1 << self.bits:
            raise ValueError(f"not a fingerprint of {self.bits} bits")
        row, self._next = self._next, self._next + 1
        self._fingerprints[row] = fingerprint
        for mask, lists in zip(self._masks, self._lists, strict=True):
            lists[fingerprint & mask].append(row)
        return row

    def remove(self, row: int) -> None:
        """Remove the fingerprint of a row. Raises KeyError for an unknown row."""
        fingerprint = self._fingerprints.pop(row)
        for mask, lists in zip(self._masks, self._lists, strict=True):
            rows = lists[fingerprint & mask]
            rows.remove(row)
            if not rows:
                del lists[fingerprint & mask]

    def query(self, fingerprint: int, radius: int | None = None) -> Matches:
        """Return the matches of one fingerprint within `radius` bits (None: the index's); its query number is 0."""
        within = self.radius if radius is None else radius
        if not 0 <= within <= self.radius:
            raise ValueError(f"a radius of {within} is outside 0 to {self.radius}")
        distances = {
            row: distance
            for mask, lists in zip(self._masks, self._lists, strict=True)
            for row in lists.get(fingerprint & mask, ())
            if (distance := (self._fingerprints[row] ^ fingerprint).bit_count()) <= within
        }
        rows = np.array(sorted(distances), np.uint32)
        return Matches(np.zeros_like(rows), rows, np.array([distances[row] for row in rows.tolist()], np.uint8))


_ROWS = 1 << 20  # comparisons in memory at once

_CELLS: Final = 1 << 15  # fingerprints compared at a time, so that they stay in the cache

METHODS = ("tables", "pigeonhole", "variants", "brute")
MOST_PROBED = 4  # radius; it has 679,121 variants of 64 bits, radius 5 eight million


def all_pairs(fingerprints: NDArray[np.unsignedinteger], radius: int) -> Pairs:
    """Return every pair within `radius` bits, by n (n - 1) / 2 comparisons."""
    words = words_of(fingerprints)
    count = len(words[0])
    parts = [Pairs.none()]
    step = max(1, _ROWS // max(1, count))
    for start in range(0, count, step):
        total = np.zeros((min(step, count - start), count), np.uint8)
        for word in words:
            total += np.bitwise_count(word[start : start + step, None] ^ word[None, :])
        left, right = np.nonzero(total <= radius)
        ahead = left + start < right
        left, right = left[ahead], right[ahead]
        parts.append(Pairs((left + start).astype(np.uint32), right.astype(np.uint32), total[left, right]))
    return Pairs.joined(parts)


def variants(bits: int, radius: int) -> NDArray[np.uint64]:
    """Return all masks of `bits` bits (at most 64) with at most `radius` set: uint64 (m,); 43,745 for 64 and 3."""
    return np.fromiter(_masks(bits, radius), np.uint64)


def _masks(bits: int, radius: int) -> Iterator[int]:
    """Yield the masks as numbers, by ascending number of bits."""
    for size in range(radius + 1):
        for positions in combinations(range(bits), size):
            yield sum(1 << position for position in positions)


def probe_variants(
    sorted_fingerprints: NDArray[np.unsignedinteger], query: int, masks: NDArray[np.uint64]
) -> NDArray[np.intp]:
    """Return where a sorted table holds the query changed by a mask, ascending: intp (m,). The paper's naive query."""
    probes = (np.uint64(query) ^ masks).astype(sorted_fingerprints.dtype)
    first = np.searchsorted(sorted_fingerprints, probes, "left")
    stop = np.searchsorted(sorted_fingerprints, probes, "right")
    nonempty = stop > first
    if not nonempty.any():
        return np.empty(0, np.intp)
    return np.sort(np.concatenate([np.arange(a, b) for a, b in zip(first[nonempty], stop[nonempty], strict=True)]))


def scan_many(fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int) -> Matches:
    """Return the fingerprints within `radius` bits of each query, by comparing all. Queries are numbered in order."""
    words, query_words = words_of(fingerprints), words_of(queries)
    parts = []
    for number in range(len(query_words[0])):
        for start in range(0, len(words[0]), _CELLS):
            counts = np.bitwise_count(words[0][start : start + _CELLS] ^ query_words[0][number])
            for word, query_word in zip(words[1:], query_words[1:], strict=True):
                counts += np.bitwise_count(word[start : start + _CELLS] ^ query_word[number])
            if counts.min() <= radius:
                (near,) = np.nonzero(counts <= radius)
                query = np.full(len(near), number, np.uint32)
                parts.append(Matches(query, (near + start).astype(np.uint32), counts[near]))
    return Matches.merged(parts)


def look_up(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, method: str
) -> Matches:
    """Return the fingerprints within `radius` bits of each query, by one of METHODS; all return the same.

    Raises ValueError for another method, for widths that differ, and for "variants" of 128 bits or a radius over four.
    """
    bits = width_of(fingerprints)
    if width_of(queries) != bits:
        raise ValueError(f"the fingerprints have {bits} bits, the queries have another width")
    if method == "tables":
        return PermutedTables(fingerprints, family(bits, radius, radius + 1)).query_many(queries, radius)
    if method == "pigeonhole":
        return _by_pigeonhole(fingerprints, queries, radius, bits)
    if method == "variants":
        return _by_variants(fingerprints, queries, radius, bits)
    if method == "brute":
        return scan_many(fingerprints, queries, radius)
    raise ValueError(f"no such method: {method}")


def _by_pigeonhole(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, bits: int
) -> Matches:
    """Look up by lists of fingerprints that share a block."""
    lists = Pigeonhole(radius, bits)
    for fingerprint in fingerprints:
        lists.add(number_of(fingerprint))
    parts = []
    for number, query in enumerate(queries):
        matches = lists.query(number_of(query))
        parts.append(Matches(np.full(len(matches), number, np.uint32), matches.row, matches.distance))
    return Matches.merged(parts)


def _by_variants(
    fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int, bits: int
) -> Matches:
    """Look up by binary search of all variants of each query."""
    if bits == 128 or radius > MOST_PROBED:
        raise ValueError(f"variants are probed for 32 or 64 bits and a radius of at most {MOST_PROBED}")
    order = np.argsort(fingerprints, kind="stable")
    ordered, masks = fingerprints[order], variants(bits, radius)
    parts = []
    for number, query in enumerate(queries):
        rows = np.sort(order[probe_variants(ordered, int(query), masks)])
        distance = np.bitwise_count(fingerprints[rows] ^ query)
        parts.append(Matches(np.full(len(rows), number, np.uint32), rows.astype(np.uint32), distance))
    return Matches.merged(parts)
