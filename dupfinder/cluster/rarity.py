"""Which shingle values are compared, and how many documents contain each: the order from rare to frequent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import blocks, positions_in, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.cluster.verify import SharedShingles
from dupfinder.processes.crew import Crew, Shared

_SURVEYED = 1 << 19  # values counted together
_LOCAL = 1 << 16  # documents ordered together: their number takes 16 bits of the sorted key
_LEAST_BITS, _MOST_BITS, _MOST_FILTER_BITS = 10, 27, 26  # of positions in tables
_AT_ONCE = 1 << 15  # values looked up together in such a table
_FREQUENT: Final = 0xFFFF  # the rarity of all frequent values; that of others is smaller
_MULTIPLIER = np.uint32(0x9E3779B1)  # 2**32 / golden ratio, odd


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """All values of all documents (`stored`), those that are compared, and how many documents contain these.

    holders:  uint16 (2^b,), at the position of a value (see `_positions`), how many documents contain it or another
              compared value with this position, at most _FREQUENT - 1. So 1 means that only one document has the value.
    frequent: uint32 (v,), ascending, the compared values that more than `most` documents contain.
    """

    stored: SharedShingles
    compared: SharedShingles
    holders: Shared
    frequent: Shared
    most: int

    @classmethod
    def of(
        cls,
        shingles: SharedShingles,
        asked: NDArray[np.bool_] | None,
        others: NDArray[np.uint32],
        most: int,
        crew: Crew,
        reporter: Reporter,
    ) -> ComparedValues:
        """Select and count the values to compare. asked: those of these documents, and `others`; None: all values."""
        compared, most_distinct = shingles, int(shingles.starts.array()[-1])
        if asked is not None:
            compared = _compared(shingles, asked, others, crew, reporter)
            most_distinct = int(np.diff(shingles.starts.array())[asked].sum()) + len(others)
        holders = crew.share([_holders(compared, 4 * most_distinct, reporter)], np.uint16)
        frequent = _frequent(compared, holders.array(), most)
        return cls(shingles, compared, holders, crew.share([frequent], np.uint32), most)

    def are_frequent(self, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell which values are frequent: bool (m,)."""
        are_frequent: NDArray[np.bool_] = self.rarity(values) == _FREQUENT
        return are_frequent

    def rarity(self, values: NDArray[np.uint32]) -> NDArray[np.uint16]:
        """Return a number by which all values are ordered from rare to frequent: uint16 (m,).

        1: only one document has the value; _FREQUENT: more than `most` have it.
        """
        rarity, frequent = _at_positions(self.holders.array(), values), self.frequent.array()
        if len(frequent):
            maybe = np.flatnonzero(rarity > self.most)
            rarity[maybe[positions_in(frequent, values[maybe])[1]]] = _FREQUENT
        return rarity


def _holders(compared: SharedShingles, most: int, reporter: Reporter) -> NDArray[np.uint16]:
    """Count how many documents contain each value, in a table for `most` values; see ComparedValues. Raises Stopped."""
    total = int(compared.starts.array()[-1])
    bits = min(max((2 * min(total, most)).bit_length(), _LEAST_BITS), _MOST_BITS)
    holders = np.zeros(1 << bits, np.uint16)
    for begin, values in _blocks(compared):
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, begin, total))
        positions = _positions(values, len(holders))
        positions.sort()
        begins, lengths = runs(positions)
        counted = positions[begins]
        holders[counted] = np.minimum(holders[counted] + lengths, _FREQUENT - 1)
    return holders


def _frequent(compared: SharedShingles, holders: NDArray[np.uint16], most: int) -> NDArray[np.uint32]:
    """Return the values that occur more than `most` times in all documents: uint32 (v,), ascending."""
    values, counts = np.empty(0, np.uint32), np.empty(0, np.int64)
    if holders.max() <= most:
        return values
    for _, block in _blocks(compared):
        maybe = np.sort(block[np.flatnonzero(_at_positions(holders, block) > most)])
        begins, lengths = runs(maybe)
        together = np.concatenate((values, maybe[begins]))
        order = np.argsort(together, kind="stable")
        begins, _ = runs(together[order])
        summed = np.concatenate((counts, lengths))[order]
        values, counts = together[order][begins], np.add.reduceat(summed, begins) if len(begins) else counts
    return values[counts > most]


def _blocks(shingles: SharedShingles) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Yield all values of all documents in blocks, each with the position of its first value."""
    starts = shingles.starts.array()
    for start, stop in ranges_within(starts, _SURVEYED):
        begin, end = int(starts[start]), int(starts[stop])
        values = shingles.values.array()[begin:end]
        # A copy, so that the file need not stay mapped.
        yield begin, np.array(values) if isinstance(shingles.values.source, Path) else values


def _compared(
    shingles: SharedShingles, asked: NDArray[np.bool_], others: NDArray[np.uint32], crew: Crew, reporter: Reporter
) -> SharedShingles:
    """Return the values of each document that are in `others` or in a document asked for, and a few more."""
    starts = shingles.starts.array()
    rows = np.flatnonzero(asked)
    ranges = ranges_within(starts_of(np.diff(starts)[rows]), _SURVEYED)
    of_asked = [shingles.take(rows[start:stop]).values.astype(np.uint32, copy=False) for start, stop in ranges]
    selected = ValueFilter.of([*of_asked, others], crew)
    sizes = np.zeros(len(starts) - 1, np.int64)

    def values_in_blocks() -> Iterator[NDArray[np.uint32]]:
        """Yield the values, and enter in `sizes` how many of them each document has."""
        for (begin, values), (start, stop) in zip(_blocks(shingles), ranges_within(starts, _SURVEYED), strict=True):
            reporter.check()
            positions = np.flatnonzero(selected.may_have(values))
            sizes[start:stop] = np.diff(np.searchsorted(positions, starts[start : stop + 1] - begin))
            yield values[positions]

    values = crew.share(values_in_blocks(), np.uint32)
    return SharedShingles(values, crew.share([starts_of(sizes)], np.int64), shingles.complete)


def sums_and_largest(shingles: SharedShingles) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the sum modulo 2^32 and the largest of each document's stored values: uint32 (n,), 0 without any."""
    starts = shingles.starts.array()
    sums, largest = (np.zeros(len(starts) - 1, np.uint32) for _ in range(2))
    for start, stop in ranges_within(starts, _SURVEYED):
        begin, filled = starts[start], start + np.flatnonzero(starts[start + 1 : stop + 1] > starts[start:stop])
        if len(filled):
            values = shingles.values.array()[begin : starts[stop]]  # mapped for the length of this block
            sums[filled] = np.add.reduceat(values, starts[filled] - begin, dtype=np.uint32)
            largest[filled] = values[starts[filled + 1] - 1 - begin]
    return sums, largest


def levels_of(shingles: SharedShingles, largest: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return for each document the least j such that all its values below 2^(32 - j) are stored: int64 (n,).

    0: all are. Otherwise the smallest are stored. largest: of the stored values, as `sums_and_largest` returns.
    """
    complete_bits = np.floor(np.log2(largest.astype(np.float64) + 1))
    return np.where(shingles.complete.array(), 0, 32 - complete_bits).astype(np.int64)


@dataclass(frozen=True, slots=True)
class ValueFilter:
    """A set of values, as a table that tells quickly whether a value may be in it.

    bits: uint8 (2^b,), of which bit p % 8 of byte p // 8 is 1 if p is the position of a value of the set. A table of
    bits fits the processor's cache.
    """

    bits: Shared

    @classmethod
    def of(cls, parts: list[NDArray[np.uint32]], crew: Crew) -> ValueFilter:
        bits = min(max((32 * sum(map(len, parts))).bit_length(), _LEAST_BITS), _MOST_FILTER_BITS)
        are_positions = np.zeros(1 << bits, np.bool_)
        for values in parts:
            are_positions[_positions(values, len(are_positions))] = True
        return cls(crew.share([np.packbits(are_positions, bitorder="little")], np.uint8))

    def may_have(self, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell which values may be in the set: bool (m,). True for all that are, and for few others."""
        bits, may_have = self.bits.array(), np.empty(len(values), np.bool_)
        for block in blocks(len(values), _AT_ONCE):
            positions = _positions(values[block], 8 * len(bits))
            shifted = bits.take(positions >> 3) >> (positions & 7).astype(np.uint8)
            np.bitwise_and(shifted, 1, out=may_have[block].view(np.uint8))
        return may_have


def _positions(values: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """Return the position of each value in a table of 2^b entries: uint32 (m,).

    It is the first b bits of a multiple of the value, so that positions differ also where the values are all small.
    """
    return (values * _MULTIPLIER) >> np.uint32(33 - size.bit_length())


def _at_positions(table: NDArray[np.uint16], values: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Return what a table has at the position of each value: uint16 (m,)."""
    entries = np.empty(len(values), table.dtype)
    for block in blocks(len(values), _AT_ONCE):
        # With mode="raise", numpy would copy `out`.
        np.take(table, _positions(values[block], len(table)), out=entries[block], mode="wrap")
    return entries


def ranges_within(starts: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Split documents into ranges of at most `most` values, unless a single document has more, and _LOCAL documents."""
    start, count = 0, len(starts) - 1
    while start < count:
        stop = int(np.searchsorted(starts, starts[start] + most, side="right")) - 1
        stop = min(max(stop, start + 1), start + _LOCAL)
        yield start, stop
        start = stop
