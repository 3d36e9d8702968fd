"""Permuted tables for queries: all tables of a design in memory. The join, which needs one at a time, is in `join`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import blocks, starts_of
from dupfinder.index.design import Table, TableDesign, bit_ranges, mask_of
from dupfinder.index.join import join
from dupfinder.index.pairs import Matches, Pairs
from dupfinder.index.words import Positions, Words, first_seen, keys_of, order_of, width_of, words_of

_STEPS: Final = 24  # guesses before binary search takes over, as interpolation is slow on skewed keys
WIDEST_DIRECT: Final = 20  # prefix bits for which a table of offsets by key is affordable: 2**20 offsets are 4 MB
_BATCH: Final = 1 << 14  # queries that advance together: their arrays fit the cache
_LEAST_ACTIVE: Final = 0.3  # share of queries still inside their spans, below which the finished ones are dropped
_FEW: Final = 256  # queries; for fewer, a step costs more than its work, and all candidates are listed instead
_CANDIDATES: Final = 1 << 20  # candidates listed at a time

Keys = NDArray[np.uint64]
NearPositions = tuple[Positions, Positions, NDArray[np.uint8]]


def binary_search(keys: Keys, targets: Keys) -> Positions:
    """Return, for each target, the first position in the ascending `keys` whose key is not below it: intp (q,)."""
    return np.searchsorted(keys, targets, "left")


def interpolation_search(table: Keys, targets: Keys) -> Positions:
    """Do the same as `binary_search` by guesses, O(log log n) for evenly distributed keys; each fourth guess halves."""
    low = np.zeros(len(targets), np.intp)  # table[:low] < target <= table[high:]
    high = np.full(len(targets), len(table), np.intp)
    unfinished = np.flatnonzero(low < high)
    for step in range(_STEPS):
        if not len(unfinished):
            return low
        first, last, keys = low[unfinished], high[unfinished] - 1, targets[unfinished]
        guess = (first + last) // 2 if step % 4 == 3 else _guess(table, first, last, keys)
        below = table[guess] < keys
        low[unfinished] = np.where(below, guess + 1, first)
        high[unfinished] = np.where(below, last + 1, guess)
        unfinished = unfinished[low[unfinished] < high[unfinished]]
    for query in unfinished.tolist():
        low[query] += np.searchsorted(table[low[query] : high[query]], targets[query], "left")
    return low


def _guess(table: Keys, first: Positions, last: Positions, targets: Keys) -> Positions:
    """Return where the targets would be between table[first] and table[last] if keys were evenly distributed there."""
    bottom, top = table[first], table[last]
    inside = (targets > bottom) & (targets <= top)
    share = np.where(inside, targets - bottom, np.uint64(0)) / np.maximum(top - bottom, np.uint64(1)).astype(np.float64)
    guess = first + (share * (last - first)).astype(np.intp)
    guess = np.where(targets > top, last, guess)
    return np.clip(guess, first, last)


def interpolate_one(table: Keys, target: int) -> int:
    """Return the position for one key, as `interpolation_search` does for many, in Python numbers."""
    low, high = 0, len(table)
    for step in range(_STEPS):
        if high - low <= 8:
            break
        bottom, top = int(table[low]), int(table[high - 1])
        if target <= bottom:
            return low
        if target > top:
            return high
        guess = (low + high) // 2 if step % 4 == 3 else low + (target - bottom) * (high - 1 - low) // (top - bottom)
        if int(table[guess]) < target:
            low = guess + 1
        else:
            high = guess
    return low + int(np.searchsorted(table[low:high], np.uint64(target), "left"))


class KeyLookup(StrEnum):
    """How the fingerprints of a key are located: by a table of offsets, by binary or by interpolation search."""

    DIRECT = "direct"
    BINARY = "binary"
    INTERPOLATION = "interpolation"


@dataclass(frozen=True, slots=True)
class _SortedTable:
    """Fingerprints in the order of their permuted keys.

    layout:  the table of the design.
    rows:    uint32 (n,), the row of each among all fingerprints.
    words:   one or two uint64 (n,): the fingerprints themselves (not permuted), in that order.
    keys:    uint64 (n,) ascending, the prefix first, for binary and interpolation search; otherwise None.
    offsets: uint32 (2**p + 1,): key x is at offsets[x] : offsets[x + 1], for direct search; otherwise None.
    view:    the offsets, if any, as a memoryview: it gives one number in a third of the time.
    """

    layout: Table
    rows: NDArray[np.uint32]
    words: Words
    keys: NDArray[np.uint64] | None
    offsets: NDArray[np.uint32] | None
    view: memoryview[int]


class PermutedTables:
    """All tables of a design over fixed fingerprints; finds the fingerprints within the design's radius of a query.

    search: None: direct if every prefix has at most 20 bits, else binary.
    Memory: 12 bytes a fingerprint and table with direct search, 20 with the others; 8 more for 128 bits.
    Raises ValueError when the design is for another width, or direct search is asked for a wider prefix.
    """

    def __init__(
        self, fingerprints: NDArray[np.unsignedinteger], design: TableDesign, search: KeyLookup | None = None
    ) -> None:
        if width_of(fingerprints) != design.bits:
            raise ValueError(f"design {design.name} is for {design.bits} bits, the fingerprints have another width")
        widest = int(design.prefix_bits.max())
        if search is None:
            search = KeyLookup.DIRECT if widest <= WIDEST_DIRECT else KeyLookup.BINARY
        if search is KeyLookup.DIRECT and widest > WIDEST_DIRECT:
            raise ValueError(f"direct search serves prefixes of at most {WIDEST_DIRECT} bits, not {widest}")
        self.design = design
        self.search = search
        self.count = len(fingerprints)
        self._fingerprints = fingerprints
        words = words_of(fingerprints)
        self._tables = tuple(_sorted_table(table, words, design.bits, search) for table in design.tables)
        self._bits_of_keys = [_key_bits(table, design.bits) for table in design.tables]

    def query(self, fingerprint: int, radius: int | None = None) -> Matches:
        """Return the matches of one fingerprint within `radius` bits (None: the design's); its query number is 0."""
        within = self.design.radius_or(radius)
        words = self._words_of(fingerprint)
        spans = []
        for table, key_bits in zip(self._tables, self._bits_of_keys, strict=True):
            start, stop = self._span_of(table, _key_of(fingerprint, key_bits))
            if start < stop:
                spans.append((table, start, stop))
        if not spans:
            return Matches.none()
        # The candidates of all tables in one array: four calls of numpy in all, not four for each table.
        counts = np.bitwise_count(np.concatenate([table.words[0][i:j] for table, i, j in spans]) ^ np.uint64(words[0]))
        if len(words) > 1:
            low = np.concatenate([table.words[1][i:j] for table, i, j in spans])
            counts += np.bitwise_count(low ^ np.uint64(words[1]))
        (near,) = (counts <= within).nonzero()
        return _matches_of(near, counts[near], spans)

    def query_many(self, fingerprints: NDArray[np.unsignedinteger], radius: int | None = None) -> Matches:
        """Return the matches of many fingerprints (q,) within `radius` bits; a query's number is its position."""
        return Matches.merged(list(self.stream(fingerprints, radius)))

    def stream(self, fingerprints: NDArray[np.unsignedinteger], radius: int | None = None) -> Iterator[Matches]:
        """Yield the matches of `query_many` as they are found, in bounded memory: each once, unordered."""
        radius = self.design.radius_or(radius)
        if width_of(fingerprints) != self.design.bits:
            raise ValueError(f"the tables hold fingerprints of {self.design.bits} bits, the queries have another width")
        queries = words_of(fingerprints)
        for table in self._tables:
            starts, stops = self._spans_of(table, queries)
            prefix = mask_of(table.layout.prefix, self.design.bits)
            for query, position, distance in near_positions(table.words, queries, starts, stops, radius):
                differing = [word[position] ^ other[query] for word, other in zip(table.words, queries, strict=True)]
                fresh = np.flatnonzero(first_seen(differing, prefix, table.layout.earlier, self.design.bits))
                if len(fresh):
                    yield Matches(query[fresh].astype(np.uint32), table.rows[position[fresh]], distance[fresh])

    def pairs(self, radius: int | None = None) -> Pairs:
        """Return all pairs among the indexed fingerprints within `radius` bits, by `join` with this design."""
        return join(self._fingerprints, self.design.radius_or(radius), design=self.design)

    def _words_of(self, fingerprint: int) -> tuple[int, ...]:
        """Return the fingerprint as one or two words of 64 bits, the high word first. Raises ValueError."""
        self.design.check_query(fingerprint)
        return (fingerprint >> 64, fingerprint & (2**64 - 1)) if self.design.bits == 128 else (fingerprint,)

    def _span_of(self, table: _SortedTable, key: int) -> tuple[int, int]:
        """Return the start and the end of the fingerprints with this key."""
        if table.offsets is not None:
            return table.view[key], table.view[key + 1]
        assert table.keys is not None
        shift = max(0, 64 - table.layout.prefix_bits)
        return self._position_of(key << shift, table.keys), self._position_of(key + 1 << shift, table.keys)

    def _position_of(self, target: int, keys: Keys) -> int:
        """Return the first position whose key is not below `target`, which may be 2**64."""
        if target == 2**64:
            return len(keys)
        if self.search is KeyLookup.INTERPOLATION:
            return interpolate_one(keys, target)
        return int(keys.searchsorted(np.uint64(target)))

    def _spans_of(self, table: _SortedTable, queries: Words) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the starts and the ends of the fingerprints with each query's key: intp (q,), intp (q,)."""
        keys = keys_of(queries, table.layout.prefix, self.design.bits)
        if table.offsets is not None:
            return table.offsets[keys].astype(np.intp), table.offsets[keys.astype(np.intp) + 1].astype(np.intp)
        assert table.keys is not None
        shift = np.uint64(max(0, 64 - table.layout.prefix_bits))
        low = keys.astype(np.uint64) << shift
        high = low | ((np.uint64(1) << shift) - np.uint64(1))
        search = interpolation_search if self.search is KeyLookup.INTERPOLATION else binary_search
        stops = search(table.keys, high + np.uint64(1))  # overflows to 0 for the last possible key: replaced below
        return search(table.keys, low), np.where(high == np.uint64(2**64 - 1), len(table.keys), stops)


def _sorted_table(table: Table, words: Words, bits: int, search: KeyLookup) -> _SortedTable:
    """Sort the fingerprints by the permutation of one table."""
    keys = keys_of(words, table.prefix, bits)
    if search is KeyLookup.DIRECT:
        order = order_of(keys)
        sizes = np.bincount(keys, minlength=1 << table.prefix_bits)
        offsets = starts_of(sizes).astype(np.uint32)
        return _SortedTable(
            table, order.astype(np.uint32), tuple(word[order] for word in words), None, offsets, offsets.data
        )
    room = max(0, 64 - table.prefix_bits)
    rest = _first_bits(bit_ranges(~mask_of(table.prefix, bits), bits), room)
    width = sum(part[1] for part in rest)
    permuted = keys.astype(np.uint64) << np.uint64(width) | keys_of(words, rest, bits)
    permuted <<= np.uint64(room - width)  # now the prefix is in the highest bits
    order = np.argsort(permuted, kind="stable")
    return _SortedTable(
        table, order.astype(np.uint32), tuple(word[order] for word in words), permuted[order], None, memoryview(b"")
    )


def _first_bits(ranges: list[tuple[int, int]], room: int) -> tuple[tuple[int, int], ...]:
    result: list[tuple[int, int]] = []
    for start, width in ranges:
        taken = min(width, room - sum(part[1] for part in result))
        if taken:
            result.append((start, taken))
    return tuple(result)


def _matches_of(
    near: NDArray[np.intp], distances: NDArray[np.uint8], spans: list[tuple[_SortedTable, int, int]]
) -> Matches:
    """Return the matches of one query as rows, each once.

    near: positions among all candidates, span after span, ascending.
    """
    distance_of: dict[int, int] = {}
    positions = near.tolist()
    first = before = 0  # near candidates, and candidates, of earlier spans
    for table, start, stop in spans:
        end = bisect_left(positions, before + stop - start, first)
        if end > first:
            rows = table.rows[near[first:end] + (start - before)].tolist()
            distance_of.update(zip(rows, distances[first:end].tolist(), strict=True))
        first = end
        before += stop - start
    ascending = sorted(distance_of)
    distance = np.array([distance_of[row] for row in ascending], np.uint8)
    return Matches(np.zeros(len(ascending), np.uint32), np.array(ascending, np.uint32), distance)


def _key_bits(table: Table, bits: int) -> list[tuple[int, int, int]]:
    """Return (shift, mask, width) of each range of bits of the prefix, for a fingerprint given as one number."""
    return [(bits - start - width, (1 << width) - 1, width) for start, width in table.prefix]


def _key_of(fingerprint: int, key_bits: list[tuple[int, int, int]]) -> int:
    """Return the last 64 bits of the fingerprint's key, which are all that `keys_of` keeps of a longer one."""
    key = 0
    for shift, mask, width in key_bits:
        key = key << width | fingerprint >> shift & mask
    return key & (2**64 - 1)


def near_positions(
    words: Words, queries: Words, starts: Positions, stops: Positions, radius: int
) -> Iterator[NearPositions]:
    """Yield (query, position, distance) of near fingerprints.

    Query i is compared with positions starts[i] to stops[i] of `words`.
    """
    for batch in blocks(len(starts), _BATCH):
        of_batch = [word[batch] for word in queries]
        for query, position, distance in _near_in_spans(words, of_batch, starts[batch], stops[batch], radius):
            yield query + batch.start, position, distance


def _near_in_spans(
    words: Words, queries: Sequence[NDArray[np.uint64]], starts: Positions, stops: Positions, radius: int
) -> Iterator[NearPositions]:
    """Compare all queries with their first position, then with their second, and so on; see `near_positions`."""
    active = np.flatnonzero(stops > starts)
    at, end = starts[active], stops[active]
    of_active = [word[active] for word in queries]
    while len(active) > _FEW:
        counts = _distances(words, at, of_active)
        if counts.min() <= radius:
            matching = np.flatnonzero((counts <= radius) & (at < end))
            yield active[matching], at[matching], counts[matching]
        at += 1
        inside = at < end
        if np.count_nonzero(inside) < _LEAST_ACTIVE * len(active):
            active, at, end = active[inside], at[inside], end[inside]
            of_active = [word[inside] for word in of_active]
    for span, position in _positions_in_spans(np.minimum(at, end), end):  # some have passed their end
        counts = _distances(words, position, [word[span] for word in of_active])
        matching = np.flatnonzero(counts <= radius)
        yield active[span[matching]], position[matching], counts[matching]


def _distances(words: Words, positions: Positions, queries: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint8]:
    """Return the Hamming distance of each query from the fingerprint at its position: uint8 (q,)."""
    total: NDArray[np.uint8] = np.bitwise_count(words[0].take(positions, mode="clip") ^ queries[0])
    for word, query in zip(words[1:], queries[1:], strict=True):
        total += np.bitwise_count(word.take(positions, mode="clip") ^ query)
    return total


def _positions_in_spans(starts: Positions, stops: Positions) -> Iterator[tuple[Positions, Positions]]:
    """Yield (number of the span, position) for all positions of all spans, about a million at a time: two intp (m,)."""
    ends = np.cumsum(stops - starts)
    total = int(ends[-1]) if len(ends) else 0
    for first in range(0, total, _CANDIDATES):
        stop = min(first + _CANDIDATES, total)
        first_span, last_span = np.searchsorted(ends, (first, stop - 1), "right")
        bounds = np.clip(np.concatenate(([first], ends[first_span : last_span + 1])), first, stop)
        lengths = np.diff(bounds)
        span = np.repeat(np.arange(first_span, last_span + 1), lengths)
        yield span, np.arange(first, stop) + np.repeat((stops - ends)[first_span : last_span + 1], lengths)
