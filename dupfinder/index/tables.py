"""Permuted tables: every table of a design in memory, for queries. The join needs one at a time and is beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter, Silent
from dupfinder.index.design import Table, TableDesign, mask_of, runs_of
from dupfinder.index.join import TooManyPairs, join, join_chunks
from dupfinder.index.pairs import Matches, Pairs
from dupfinder.index.planner import RadiusChoice, plan_join, widest_radius
from dupfinder.index.words import Words, keys_of, order_of, touched, width_of, words_of

_STEPS = 24  # guesses before binary search takes over: skewed keys mislead interpolation

Keys = NDArray[np.uint64]

__all__ = [
    "PermutedTables", "RadiusChoice", "Search", "TooManyPairs", "join", "join_chunks", "plan_join", "widest_radius",
]  # fmt: skip

_WIDEST_DIRECT = 20  # prefix bits up to which every key has a place of its own: 2**20 offsets are 4 MB a table

_TOGETHER: Final = 1 << 14  # queries that walk together: what they hold stays in the cache
_ALIVE: Final = 0.3  # share of walkers still inside their runs below which the others are let go
_TAIL: Final = 256  # walkers from which on a step costs more than it does: the rest is laid out at once
_CANDIDATES: Final = 1 << 20  # candidates laid out at once

Places = NDArray[np.intp]
Near = tuple[Places, Places, NDArray[np.uint8]]


def binary_search(table: Keys, wanted: Keys) -> Places:
    """intp (q,): the first place of the ascending `table` whose key is not below each of `wanted`."""
    return np.searchsorted(table, wanted, "left")


def interpolation_search(table: Keys, wanted: Keys) -> Places:
    """The same as `binary_search`, guessing the place from the value: log log n guesses where keys are even."""
    low = np.zeros(len(wanted), np.intp)  # table[:low] < wanted <= table[high:]
    high = np.full(len(wanted), len(table), np.intp)
    open_ones = np.flatnonzero(low < high)
    for step in range(_STEPS):
        if not len(open_ones):
            return low
        first, last, want = low[open_ones], high[open_ones] - 1, wanted[open_ones]
        guess = (first + last) // 2 if step % 4 == 3 else _guess(table, first, last, want)
        below = table[guess] < want
        low[open_ones] = np.where(below, guess + 1, first)
        high[open_ones] = np.where(below, last + 1, guess)
        open_ones = open_ones[low[open_ones] < high[open_ones]]
    for one in open_ones.tolist():
        low[one] += np.searchsorted(table[low[one] : high[one]], wanted[one], "left")
    return low


def _guess(table: Keys, first: Places, last: Places, want: Keys) -> Places:
    """Where `want` would lie between table[first] and table[last], were the keys between them even."""
    bottom, top = table[first], table[last]
    inside = (want > bottom) & (want <= top)
    share = np.where(inside, want - bottom, np.uint64(0)) / np.maximum(top - bottom, np.uint64(1)).astype(np.float64)
    guess = first + (share * (last - first)).astype(np.intp)
    guess = np.where(want > top, last, guess)
    return np.clip(guess, first, last)


def interpolate_one(table: Keys, wanted: int) -> int:
    """`interpolation_search` for one key, in plain numbers."""
    low, high = 0, len(table)
    for step in range(_STEPS):
        if high - low <= 8:
            break
        bottom, top = int(table[low]), int(table[high - 1])
        if wanted <= bottom:
            return low
        if wanted > top:
            return high
        guess = (low + high) // 2 if step % 4 == 3 else low + (wanted - bottom) * (high - 1 - low) // (top - bottom)
        if int(table[guess]) < wanted:
            low = guess + 1
        else:
            high = guess
    return low + int(np.searchsorted(table[low:high], np.uint64(wanted), "left"))


class Search(StrEnum):
    """How the run of a key is found: at its own place, by binary or by interpolation search."""

    DIRECT = "direct"
    BINARY = "binary"
    INTERPOLATION = "interpolation"


@dataclass(frozen=True, slots=True)
class _OneTable:
    """Fingerprints in the order of their permuted keys.

    rows: uint32 (n,). words: one or two uint64 (n,): the fingerprints themselves (not permuted), in that order.
    keys: uint64 (n,) ascending, the prefix first; or offsets uint32 (2**p + 1,): key x is at offsets[x] : offsets[x+1].
    """

    table: Table
    rows: NDArray[np.uint32]
    words: Words
    keys: NDArray[np.uint64] | None
    offsets: NDArray[np.uint32] | None
    places: memoryview[int]  # of the offsets: one number of it is a third of the price


class PermutedTables:
    """All tables of a design over fixed fingerprints; finds what lies within the design's radius of a query.

    Memory: 12 bytes a fingerprint and table with direct search, 20 with the others (8 more at f = 128).
    """

    def __init__(self, design: TableDesign, fingerprints: NDArray[np.unsignedinteger], search: Search) -> None:
        self.design = design
        self.search = search
        self.count = len(fingerprints)
        self._fingerprints = fingerprints
        words = words_of(fingerprints)
        self._tables = tuple(_one_table(table, words, design.bits, search) for table in design.tables)
        self._runs = [_key_runs(table, design.bits) for table in design.tables]

    @classmethod
    def build(
        cls, fingerprints: NDArray[np.unsignedinteger], design: TableDesign, search: Search | None = None
    ) -> PermutedTables:
        """Tables over `fingerprints`. search None: direct where every prefix has at most 20 bits, else binary.

        ValueError when the design is for another width, or direct search is asked of a wider prefix.
        """
        if width_of(fingerprints) != design.bits:
            raise ValueError(f"design {design.name} is for {design.bits} bits, the fingerprints have another width")
        widest = int(design.prefix_bits.max())
        if search is None:
            search = Search.DIRECT if widest <= _WIDEST_DIRECT else Search.BINARY
        if search is Search.DIRECT and widest > _WIDEST_DIRECT:
            raise ValueError(f"direct search serves prefixes of at most {_WIDEST_DIRECT} bits, not {widest}")
        return cls(design, fingerprints, search)

    def query(self, fingerprint: int, radius: int | None = None) -> Matches:
        """What lies within `radius` bits (None: the design's) of one fingerprint; its number as query is 0."""
        within = self._checked(radius)
        parts = self._parts(fingerprint)
        spans = []
        for one, runs in zip(self._tables, self._runs, strict=True):
            start, stop = self._run_of(one, _key_of(fingerprint, runs))
            if start < stop:
                spans.append((one, start, stop))
        if not spans:
            return Matches.none()
        # All tables' candidates as one array: four calls of numpy, not four a table.
        counts = np.bitwise_count(np.concatenate([one.words[0][a:b] for one, a, b in spans]) ^ np.uint64(parts[0]))
        if len(parts) > 1:
            counts += np.bitwise_count(np.concatenate([one.words[1][a:b] for one, a, b in spans]) ^ np.uint64(parts[1]))
        (near,) = (counts <= within).nonzero()
        return _named(near, counts[near], spans)

    def query_many(
        self, fingerprints: NDArray[np.unsignedinteger], radius: int | None = None, reporter: Reporter | None = None
    ) -> Matches:
        """What lies within `radius` bits of each of many fingerprints (q,), whose numbers are their places."""
        return Matches.merged(list(self.stream(fingerprints, radius, reporter)))

    def stream(
        self, fingerprints: NDArray[np.unsignedinteger], radius: int | None = None, reporter: Reporter | None = None
    ) -> Iterator[Matches]:
        """The same as found, in bounded memory: no pair twice, in no order."""
        radius = self._checked(radius)
        if width_of(fingerprints) != self.design.bits:
            raise ValueError(f"the tables hold fingerprints of {self.design.bits} bits, the queries have another width")
        reporter = reporter or Silent()
        queries = words_of(fingerprints)
        for one in self._tables:
            starts, stops = self._runs_of(one, queries)
            for query, place, distance in near_places(one.words, queries, starts, stops, radius, reporter):
                differing = [word[place] ^ asked[query] for word, asked in zip(one.words, queries, strict=True)]
                fresh = np.flatnonzero(_first_seen(differing, one.table, self.design.bits))
                if len(fresh):
                    rows = one.rows[place[fresh]]
                    yield Matches(query[fresh].astype(np.uint32), rows, distance[fresh])

    def pairs(self, radius: int | None = None, reporter: Reporter | None = None) -> Pairs:
        """All pairs among the indexed fingerprints within `radius` bits, as `join` finds them by this design."""
        return join(self._fingerprints, self._checked(radius), design=self.design, reporter=reporter)

    def _checked(self, radius: int | None) -> int:
        if radius is None:
            return self.design.radius
        if not 0 <= radius <= self.design.radius:
            raise ValueError(f"a radius of {radius} is outside 0 to {self.design.radius}, which the tables serve")
        return radius

    def _parts(self, fingerprint: int) -> tuple[int, ...]:
        if not 0 <= fingerprint < 1 << self.design.bits:
            raise ValueError(f"the query is not a fingerprint of {self.design.bits} bits")
        return (fingerprint >> 64, fingerprint & (2**64 - 1)) if self.design.bits == 128 else (fingerprint,)

    def _run_of(self, one: _OneTable, key: int) -> tuple[int, int]:
        if one.offsets is not None:
            return one.places[key], one.places[key + 1]
        assert one.keys is not None
        low, high = _key_bounds(key, one.table.prefix_bits)
        if self.search is Search.INTERPOLATION:
            return interpolate_one(one.keys, low), len(one.keys) if high is None else interpolate_one(one.keys, high)
        start = int(one.keys.searchsorted(np.uint64(low)))
        return start, len(one.keys) if high is None else int(one.keys.searchsorted(np.uint64(high)))

    def _runs_of(self, one: _OneTable, queries: Words) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        keys = keys_of(queries, one.table.prefix, self.design.bits)
        if one.offsets is not None:
            return one.offsets[keys].astype(np.intp), one.offsets[keys.astype(np.intp) + 1].astype(np.intp)
        assert one.keys is not None
        shift = np.uint64(max(0, 64 - one.table.prefix_bits))
        low = keys.astype(np.uint64) << shift
        high = low | ((np.uint64(1) << shift) - np.uint64(1))
        search = interpolation_search if self.search is Search.INTERPOLATION else binary_search
        stops = search(one.keys, high + np.uint64(1))
        return search(one.keys, low), np.where(high == np.uint64(2**64 - 1), len(one.keys), stops)


def _one_table(table: Table, words: Words, bits: int, search: Search) -> _OneTable:
    keys = keys_of(words, table.prefix, bits)
    if search is Search.DIRECT:
        order = order_of(keys)
        sizes = np.bincount(keys, minlength=1 << table.prefix_bits)
        offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32)
        return _OneTable(
            table, order.astype(np.uint32), tuple(word[order] for word in words), None, offsets, offsets.data
        )
    permuted = keys.astype(np.uint64)
    if table.prefix_bits < 64:
        room = 64 - table.prefix_bits
        rest = _first_bits(runs_of(~mask_of(table.prefix, bits), bits), room)
        width = sum(run[1] for run in rest)
        permuted = permuted << np.uint64(width) | keys_of(words, rest, bits) if width else permuted
        permuted = permuted << np.uint64(room - width) if room > width else permuted
    order = np.argsort(permuted, kind="stable")
    return _OneTable(
        table, order.astype(np.uint32), tuple(word[order] for word in words), permuted[order], None, memoryview(b"")
    )


def _first_bits(runs: list[tuple[int, int]], room: int) -> tuple[tuple[int, int], ...]:
    out: list[tuple[int, int]] = []
    for start, width in runs:
        taken = min(width, room - sum(run[1] for run in out))
        if taken:
            out.append((start, taken))
    return tuple(out)


def _named(near: NDArray[np.intp], distances: NDArray[np.uint8], spans: list[tuple[_OneTable, int, int]]) -> Matches:
    """Places among the candidates of all spans as rows, each once."""
    found: dict[int, int] = {}
    places = near.tolist()
    first = base = 0
    for one, start, stop in spans:
        behind = bisect_left(places, base + stop - start, first)
        if behind > first:
            rows = one.rows[near[first:behind] + (start - base)].tolist()
            found.update(zip(rows, distances[first:behind].tolist(), strict=True))
        first = behind
        base += stop - start
    ascending = sorted(found)
    distance = np.array([found[row] for row in ascending], np.uint8)
    return Matches(np.zeros(len(ascending), np.uint32), np.array(ascending, np.uint32), distance)


def _key_runs(table: Table, bits: int) -> list[tuple[int, int, int]]:
    """(shift, mask, width) of each run of the prefix, for a fingerprint as one number."""
    return [(bits - start - width, (1 << width) - 1, width) for start, width in table.prefix]


def _key_of(fingerprint: int, runs: list[tuple[int, int, int]]) -> int:
    key = 0
    for shift, mask, width in runs:
        key = key << width | fingerprint >> shift & mask
    return key & (2**64 - 1)


def _key_bounds(key: int, prefix_bits: int) -> tuple[int, int | None]:
    """The 64-bit keys that begin with `key`: from the first to below the second (None: to the end)."""
    shift = max(0, 64 - prefix_bits)
    behind = (key + 1) << shift
    return key << shift, behind if behind < 2**64 else None


def _first_seen(xors: list[NDArray[np.uint64]], table: Table, bits: int) -> NDArray[np.bool_]:
    """Where the differences are such that no earlier table has the pair under one key."""
    fresh = np.ones(len(xors[0]), np.bool_)
    for mask in table.earlier:
        fresh &= touched(xors, mask, bits)
    return fresh & ~touched(xors, mask_of(table.prefix, bits), bits)


def near_places(
    words: Words, queries: Words, starts: Places, stops: Places, radius: int, reporter: Reporter
) -> Iterator[Near]:
    """(query, place, distance) of what is near: query i is compared with places starts[i] up to stops[i] of `words`."""
    for first in range(0, len(starts), _TOGETHER):
        reporter.check()
        some = slice(first, first + _TOGETHER)
        for query, place, distance in _walk(words, [one[some] for one in queries], starts[some], stops[some], radius):
            yield query + first, place, distance


def _walk(
    words: Words, queries: Sequence[NDArray[np.uint64]], starts: Places, stops: Places, radius: int
) -> Iterator[Near]:
    live = np.flatnonzero(stops > starts)
    at, end = starts[live], stops[live]
    asked = [query[live] for query in queries]
    while len(live) > _TAIL:
        counts = _distances(words, at, asked)
        if counts.min() <= radius:
            near = np.flatnonzero((counts <= radius) & (at < end))
            yield live[near], at[near], counts[near]
        at += 1
        inside = at < end
        if np.count_nonzero(inside) < _ALIVE * len(live):
            live, at, end = live[inside], at[inside], end[inside]
            asked = [query[inside] for query in asked]
    for which, place in _laid_out(np.minimum(at, end), end):
        counts = _distances(words, place, [query[which] for query in asked])
        near = np.flatnonzero(counts <= radius)
        yield live[which[near]], place[near], counts[near]


def _distances(words: Words, places: Places, asked: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint8]:
    total: NDArray[np.uint8] = np.bitwise_count(words[0].take(places, mode="clip") ^ asked[0])
    for word, one in zip(words[1:], asked[1:], strict=True):
        total += np.bitwise_count(word.take(places, mode="clip") ^ one)
    return total


def _laid_out(starts: Places, stops: Places) -> Iterator[tuple[Places, Places]]:
    """Every place of every run, some million at a time: (run, place)."""
    ends = np.cumsum(stops - starts)
    total = int(ends[-1]) if len(ends) else 0
    for first in range(0, total, _CANDIDATES):
        stop = min(first + _CANDIDATES, total)
        low, high = np.searchsorted(ends, (first, stop - 1), "right")
        bounds = np.clip(np.concatenate(([first], ends[low : high + 1])), first, stop)
        lengths = np.diff(bounds)
        run = np.repeat(np.arange(low, high + 1), lengths)
        yield run, np.arange(first, stop) + np.repeat((stops - ends)[low : high + 1], lengths)
