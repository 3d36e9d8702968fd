"""Which shingle values are compared, and how many documents contain each: the order from rare to frequent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.cluster.verify import SharedShingles
from dupfinder.processes.crew import Crew, Shared

_SURVEYED = 1 << 19  # values counted together
_LOCAL = 1 << 16  # documents ordered together: their number takes 16 bits of the sorted key
_LEAST_BITS, _MOST_BITS, _MOST_MARKS = 10, 27, 25  # of tables indexed by values
_FAST_BITS = 21  # of a table that fits the processor's cache
_AT_ONCE = 1 << 15  # values looked up together in such a table
_FREQUENT: Final = 0xFFFF  # in place of the number of holders of a frequent value; smaller than this for all others
_LARGEST: Final = 0xFFFF  # in place of larger sizes of documents
_ODD = np.uint32(0x9E3779B1)  # 2**32 / golden ratio, odd


@dataclass(frozen=True, slots=True)
class Values:
    """All values of all documents, and of these the ones that are compared.

    holders:  uint16 (2^b,), roughly how many documents contain a compared value: the number of all compared values with
              the same first b bits when multiplied, below _FREQUENT. So 1 means that no other document has it.
    frequent: uint32 (v,), ascending, the compared values that more than `most` documents contain.
    """

    every: SharedShingles
    compared: SharedShingles
    holders: Shared
    frequent: Shared
    most: int

    @classmethod
    def of(
        cls,
        shingles: SharedShingles,
        asked: NDArray[np.bool_] | None,
        frequent: NDArray[np.uint32],
        most: int,
        crew: Crew,
        reporter: Reporter,
    ) -> Values:
        """Select the values to compare, and count them, block by block.

        asked: the values of these documents and those in `frequent` are compared; None: all values.
        """
        compared = shingles if asked is None else _held(shingles, asked, frequent, crew, reporter)
        counts = crew.share([_holders(compared, reporter)], np.uint16)
        now = cls(shingles, compared, counts, crew.share([np.empty(0, np.uint32)], np.uint32), most)
        return cls(shingles, compared, counts, crew.share([now._found_frequent()], np.uint32), most)

    def _found_frequent(self) -> NDArray[np.uint32]:
        """Return the values that more than `most` documents contain, counted one by one: uint32 (v,), ascending."""
        values, counts = np.empty(0, np.uint32), np.empty(0, np.int64)
        if self.holders.array().max() <= self.most:
            return values
        for _, block in _blocks(self.compared):
            maybe = np.sort(block[self._rough(block) > self.most])
            begins, lengths = runs(maybe)
            together = np.concatenate((values, maybe[begins]))
            order = np.argsort(together, kind="stable")
            begins, _ = runs(together[order])
            summed = np.concatenate((counts, lengths))[order]
            values, counts = together[order][begins], np.add.reduceat(summed, begins) if len(begins) else counts
        return values[counts > self.most]

    def _rough(self, values: NDArray[np.uint32]) -> NDArray[np.uint16]:
        """Return about how many documents contain each value: uint16 (m,)."""
        holders = self.holders.array()
        rough: NDArray[np.uint16] = holders[_places(values, len(holders))]
        return rough

    def are_frequent(self, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell which values are frequent: bool (m,)."""
        frequent, are_frequent = self.frequent.array(), np.zeros(len(values), np.bool_)
        if len(frequent):
            maybe = np.flatnonzero(self._rough(values) > self.most)
            nearest = np.minimum(np.searchsorted(frequent, values[maybe]), len(frequent) - 1)
            are_frequent[maybe] = frequent[nearest] == values[maybe]
        return are_frequent

    def rarity(self, values: NDArray[np.uint32]) -> NDArray[np.uint16]:
        """Return a number by which all values are ordered from rare to frequent: uint16 (m,).

        1: only one document has the value; _FREQUENT: more than `most` have it.
        """
        rarity = self._rough(values)
        rarity[self.are_frequent(values)] = _FREQUENT
        return rarity


def _holders(compared: SharedShingles, reporter: Reporter) -> NDArray[np.uint16]:
    """Count how many documents contain each value, as in Values. Raises Stopped."""
    total = int(compared.starts.array()[-1])
    bits = min(max((2 * total).bit_length(), _LEAST_BITS), _MOST_BITS)
    holders = np.zeros(1 << bits, np.uint16)
    for begin, values in _blocks(compared):
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, begin, total))
        places = _places(values, len(holders))
        places.sort()
        begins, lengths = runs(places)
        counted = places[begins]
        holders[counted] = np.minimum(holders[counted] + lengths, _FREQUENT - 1)
    return holders


def _blocks(shingles: SharedShingles) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Yield all values of all documents in blocks, each with the position of its first value."""
    starts = shingles.starts.array()
    for start, stop in portions(starts, _SURVEYED):
        begin, end = int(starts[start]), int(starts[stop])
        values = shingles.values.array()[begin:end]
        # A copy, so that the file need not stay mapped.
        yield begin, np.array(values) if isinstance(values, np.memmap) else values


def _held(
    shingles: SharedShingles, asked: NDArray[np.bool_], frequent: NDArray[np.uint32], crew: Crew, reporter: Reporter
) -> SharedShingles:
    """Return the values of each document that are in `frequent` or in a document asked for, and a few others."""
    starts = shingles.starts.array()
    rows = np.flatnonzero(asked)
    ranges = portions(starts_of(np.diff(starts)[rows]), _SURVEYED)
    own = [shingles.take(rows[start:stop]).values.astype(np.uint32, copy=False) for start, stop in ranges]
    marks = ValueFilter.of([*own, frequent], crew)
    sizes = np.zeros(len(starts) - 1, np.int64)

    def held() -> Iterator[NDArray[np.uint32]]:
        """Yield the values, block by block, and set the sizes."""
        for (begin, values), (start, stop) in zip(_blocks(shingles), portions(starts, _SURVEYED), strict=True):
            reporter.check()
            places = np.flatnonzero(marks.may_have(values))
            sizes[start:stop] = np.diff(np.searchsorted(places, starts[start : stop + 1] - begin))
            yield values[places]

    values = crew.share(held(), np.uint32)
    return SharedShingles(values, crew.share([starts_of(sizes)], np.int64), shingles.whole)


def sums_and_largest(shingles: SharedShingles) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the sum modulo 2^32 and the largest of each document's stored values: uint32 (n,), 0 without any."""
    starts = shingles.starts.array()
    sums, largest = (np.zeros(len(starts) - 1, np.uint32) for _ in range(2))
    for start, stop in portions(starts, _SURVEYED):
        begin, filled = starts[start], start + np.flatnonzero(starts[start + 1 : stop + 1] > starts[start:stop])
        if len(filled):
            values = shingles.values.array()[begin : starts[stop]]  # mapped for the length of this block
            sums[filled] = np.add.reduceat(values, starts[filled] - begin, dtype=np.uint32)
            largest[filled] = values[starts[filled + 1] - 1 - begin]
    return sums, largest


def levels_of(shingles: SharedShingles, largest: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return for each document the least j such that all its values below 2^(32 - j) are stored: int64 (n,).

    0: all are. largest: as `sums_and_largest` returns.
    """
    complete = np.log2(largest.astype(np.float64) + 1)
    return np.where(shingles.whole.array(), 0, 32 - np.floor(complete)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class ValueFilter:
    """A set of values, as tables that tell quickly whether a value may be in it.

    marks: bool (2^b,), see `may_have`. fast: the same for shorter values, if that is
    a smaller table; it alone excludes most values that are not in the set.
    """

    marks: Shared
    fast: Shared

    @classmethod
    def of(cls, portions: list[NDArray[np.uint32]], crew: Crew) -> ValueFilter:
        """Return marks of values that come in portions."""
        bits = min(max((32 * sum(map(len, portions))).bit_length(), _LEAST_BITS), _MOST_MARKS)
        marks, fast = (np.zeros(1 << size, np.bool_) for size in (bits, min(bits, _FAST_BITS)))
        for values in portions:
            for table in (marks, fast):
                table[_places(values, len(table))] = True
        return cls(crew.share([marks], np.bool_), crew.share([fast], np.bool_))

    def may_have(self, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell which values may be in the set: bool (m,). True for all that are, and for few others."""
        marks, fast = self.marks.array(), self.fast.array()
        may_have = np.empty(len(values), np.bool_)
        for start in range(0, len(values), _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            np.take(fast, _places(values[block], len(fast)), out=may_have[block], mode="wrap")
        if len(fast) < len(marks):
            maybe = np.flatnonzero(may_have)
            may_have[maybe] = marks[_places(values[maybe], len(marks))]
        return may_have


@dataclass(frozen=True, slots=True)
class Sizes:
    """For values, roughly the size of the smallest document that has them, in a table indexed as that of ValueFilter.

    table: uint16 (2^b,), never more than the size, since several values may have one place.
    """

    table: Shared

    @classmethod
    def of(cls, portions: list[tuple[Ragged, NDArray[np.int64]]], crew: Crew) -> Sizes:
        """Return the table of some documents: the values of those of each portion, and the size of each, int64 (n,)."""
        bits = min(max((8 * sum(len(column.values) for column, _ in portions)).bit_length(), _LEAST_BITS), _FAST_BITS)
        table = np.full(1 << bits, _LARGEST, np.uint16)
        for column, sizes in portions:
            each = column.of_each(np.minimum(sizes, _LARGEST).astype(np.uint16))
            np.minimum.at(table, _places(column.values, len(table)), each)
        return cls(crew.share([table], np.uint16))

    def at_most(self, sizes: NDArray[np.int64], column: Ragged) -> NDArray[np.bool_]:
        """Tell which values may be in a document not larger than `sizes` allows for their own: bool (total,)."""
        table = self.table.array()
        limits = column.of_each(np.minimum(sizes, _LARGEST).astype(np.uint16))
        return table[_places(column.values, len(table))] <= limits


def _places(values: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """Return the place of each value in a table of 2^b entries: uint32 (m,).

    It is the first b bits of a multiple of the value, so that places differ also where the values are all small.
    """
    return (values * _ODD) >> np.uint32(33 - size.bit_length())


def portions(starts: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Split documents into ranges with at most `most` values and _LOCAL documents, or of a single document."""
    start, count = 0, len(starts) - 1
    while start < count:
        stop = int(np.searchsorted(starts, starts[start] + most, side="right")) - 1
        stop = min(max(stop, start + 1), start + _LOCAL)
        yield start, stop
        start = stop
