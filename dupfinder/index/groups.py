"""All pairs within k bits inside groups of fingerprints that share a key: the inner loop of the join.

Groups of a few are compared with their neighbours in the order of the keys, and the keys of what is near looked at
afterwards. Larger groups of nearly one size are laid side by side as the columns of a matrix, so that one contiguous
step compares all rows with those so many rows below. No comparison is made twice. A group too large for that is
joined again, on the bits in which it differs and with a design of its own, so that no skew makes the work quadratic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.index.cost import ALONE, CELLS, COLUMN, FEW, choose_family
from dupfinder.index.design import Table, mask_of
from dupfinder.index.words import Order, Words, keys_of, order_of, sorted_groups, touched, varying_runs

_COUNTS = 1 << 18  # distances gathered before they are looked through
_GATHERED = 1 << 14  # near pairs looked at together
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: multiples are spread evenly


@dataclass(frozen=True, slots=True)
class Hits:
    """Pairs as found: rows of the fingerprints joined, each pair once, in no order. intp, intp, uint8; all (m,)."""

    left: Order
    right: Order
    distance: NDArray[np.uint8]


class GroupFinder:
    """Finds the pairs within `radius` among distinct fingerprints that share a key. It uses its buffers again."""

    def __init__(self, words: Words, bits: int, radius: int, reporter: Reporter) -> None:
        self._words = words
        self._bits = bits
        self._radius = radius
        self._reporter = reporter
        self._places = np.empty(CELLS, np.intp)
        self._rows = np.empty(CELLS, np.intp)
        self._gathering = [(word, np.empty(CELLS, np.uint64)) for word in words]
        self._xor = np.empty(CELLS, np.uint64)
        self._more = np.empty(CELLS, np.uint8)
        self._counts = np.empty(max(_COUNTS, FEW * CELLS) + CELLS, np.uint8)

    def find_table(self, table: Table, rows: Order | None = None, earlier: tuple[int, ...] = ()) -> Iterator[Hits]:
        """The pairs that `table` is the first to see, among `rows` (None: all).

        earlier: masks of outer tables that would have seen a pair before.
        """
        words = self._words if rows is None else tuple(word[rows] for word in self._words)
        total = len(words[0])
        keys = keys_of(words, table.prefix, self._bits)
        order = order_of(keys)
        starts, sizes = sorted_groups(keys, order)
        del keys, words
        if rows is not None:
            order = rows[order]
        masks = earlier + table.earlier
        crowded = sizes > FEW
        agreeing = mask_of(table.prefix, self._bits)
        for hits in _gathered(self._shifted(order, sizes, crowded)):
            yield from self._first_seen(hits, masks, agreeing)
        # A key holds the last 64 bits of a prefix: what a wider one (f = 128) says beyond them is checked on the hits.
        agreeing = agreeing if table.prefix_bits > 64 else 0
        largest = total if rows is None else total // 2
        found = self._find(order, starts[crowded], sizes[crowded], masks, largest)
        for hits in _gathered(found):
            yield from self._first_seen(hits, masks, agreeing)

    def find_all(self) -> Iterator[Hits]:
        """The pairs among all fingerprints, each compared with each."""
        yield from self._tiles(np.arange(len(self._words[0])))

    def _find(self, order: Order, starts: Order, sizes: Order, masks: tuple[int, ...], largest: int) -> Iterator[Hits]:
        """`largest`: a group above it was hardly divided by its key and will not be by another: it is compared."""
        by_size = order_of(sizes.astype(np.uint16 if sizes.max(initial=0) < 1 << 16 else np.uint64))
        starts, sizes = starts[by_size], sizes[by_size]
        first = 0
        while first < len(sizes):
            self._reporter.check()
            size = int(sizes[first])
            tallest = size + size // 8
            fitting = int(np.searchsorted(sizes, tallest, "right"))
            behind = min(fitting, first + max(1, CELLS // tallest))
            height = int(sizes[behind - 1])
            if (behind - first) * COLUMN >= height:
                yield from self._columns(order, starts[first:behind], sizes[first:behind])
            else:
                behind = min(behind, first + 1)
                yield from self._alone(order[starts[first] : starts[first] + size], masks, size <= largest)
            first = behind

    def _alone(self, group: Order, masks: tuple[int, ...], divisible: bool) -> Iterator[Hits]:
        """The pairs of one group: joined again on the bits in which it differs, or each compared with each."""
        design = None
        if divisible and len(group) > ALONE:
            free = varying_runs([word[group] for word in self._words], self._bits)
            design = choose_family(len(group), self._bits, self._radius, free)
        if design is None:
            yield from self._tiles(group)
            return
        for table in design.tables:
            self._reporter.check()
            yield from self.find_table(table, group, masks)

    def _shifted(self, order: Order, sizes: Order, crowded: NDArray[np.bool_]) -> Iterator[Hits]:
        """The near pairs of groups of a few: all compared with those 1, 2, ... places behind, whatever their key."""
        if crowded.any():
            order = order[np.repeat(~crowded, sizes)]
        tallest = int(sizes.max(initial=0, where=~crowded))
        step = CELLS - FEW
        for start in range(0, len(order) if tallest > 1 else 0, step):
            self._reporter.check()
            rows = order[start : start + step + tallest - 1]
            matrix = [np.take(word, rows, out=m[: len(rows)], mode="clip") for word, m in self._gathering]
            filled, begins = 0, []
            for shift in range(1, min(tallest, len(rows))):
                span = min(step, len(rows) - shift)
                self._compare([(m[:span], m[shift : shift + span]) for m in matrix], self._counts[filled:][:span])
                begins.append(filled)
                filled += span
            found = self._near(filled)
            if len(found):
                behind = np.searchsorted(begins, found, "right")
                left = found - np.array(begins)[behind - 1]
                yield Hits(rows[left], rows[left + behind], self._counts[found])

    def _columns(self, order: Order, starts: Order, sizes: Order) -> Iterator[Hits]:
        """Groups of nearly one size, ascending, as columns: (height, groups); short ones are filled up below."""
        height, groups = int(sizes[-1]), len(starts)
        cells = height * groups
        places, rows = self._places[:cells], self._rows[:cells]
        np.add(starts[None, :], np.arange(height)[:, None], out=places.reshape(height, groups))
        np.take(order, places, out=rows, mode="clip")
        matrix = []
        for word, whole in self._gathering:
            np.take(word, rows, out=whole[:cells], mode="clip")
            self._fill(whole[:cells].reshape(height, groups), sizes)
            matrix.append(whole[:cells])
        filled, begins, shifts = 0, [], []
        for shift in range(1, height):
            span = (height - shift) * groups
            self._compare([(m[:span], m[-span:]) for m in matrix], self._counts[filled : filled + span])
            begins.append(filled)
            shifts.append(shift)
            filled += span
            if filled >= _COUNTS or shift == height - 1:
                found = self._near(filled)
                if len(found):
                    which = np.searchsorted(begins, found, "right") - 1
                    left, column = np.divmod(found - np.array(begins)[which], groups)
                    right = left + np.array(shifts)[which]
                    real = right < sizes[column]
                    found, left, right = (
                        found[real],
                        left[real] * groups + column[real],
                        right[real] * groups + column[real],
                    )
                    yield Hits(rows[left], rows[right], self._counts[found])
                filled, begins, shifts = 0, [], []

    def _fill(self, matrix: NDArray[np.uint64], sizes: Order) -> None:
        """Put numbers that are seldom near to anything below the end of each column."""
        shortest, height = int(sizes[0]), len(matrix)
        if shortest < height:
            below = np.arange(shortest, height)
            filling = (below.astype(np.uint64) + np.uint64(1)) * _SPREAD
            np.copyto(matrix[shortest:], filling[:, None], where=below[:, None] >= sizes[None, :])

    def _tiles(self, group: Order) -> Iterator[Hits]:
        """One group, each compared with each, by tiles of rows against all later ones."""
        size = len(group)
        members = [word[group] for word in self._words]
        row = 0
        while row < size - 1:
            rest = size - 1 - row
            width = min(rest, CELLS)
            high = max(1, min(rest, CELLS // width))
            for column in range(row + 1, size, width):
                wide = min(width, size - column)
                out = self._counts[: high * wide].reshape(high, wide)
                self._compare([(m[row : row + high, None], m[None, column : column + wide]) for m in members], out)
                found = self._near(high * wide)
                left, right = np.divmod(found, wide)
                ahead = row + left < column + right
                if ahead.any():
                    left, right, found = left[ahead] + row, right[ahead] + column, found[ahead]
                    yield Hits(group[left], group[right], self._counts[found])
            row += high

    def _compare(self, operands: list[tuple[NDArray[np.uint64], NDArray[np.uint64]]], out: NDArray[np.uint8]) -> None:
        """out = the number of bits in which the operands differ, summed over the words; all of out's shape."""
        xor = self._xor[: out.size].reshape(out.shape)
        np.bitwise_xor(*operands[0], out=xor)
        np.bitwise_count(xor, out=out)
        for pair in operands[1:]:
            more = self._more[: out.size].reshape(out.shape)
            np.bitwise_xor(*pair, out=xor)
            np.bitwise_count(xor, out=more)
            np.add(out, more, out=out)

    def _near(self, filled: int) -> Order:
        counts = self._counts[:filled]
        if counts.min() > self._radius:
            return np.empty(0, np.intp)
        return np.flatnonzero(counts <= self._radius)

    def _first_seen(self, hits: Hits, masks: tuple[int, ...], agreeing: int) -> Iterator[Hits]:
        """Without the pairs that an earlier table has under one key, or that differ in the bits `agreeing`."""
        differing = [word[hits.left] ^ word[hits.right] for word in self._words]
        fresh = np.ones(len(hits.left), np.bool_)
        for mask in masks:
            fresh &= touched(differing, mask, self._bits)
        if agreeing:
            fresh &= ~touched(differing, agreeing, self._bits)
        if fresh.all():
            yield hits
        elif fresh.any():
            yield Hits(hits.left[fresh], hits.right[fresh], hits.distance[fresh])


def _gathered(hits: Iterator[Hits]) -> Iterator[Hits]:
    """The same pairs, thousands at a time."""
    waiting: list[Hits] = []
    count = 0
    for some in hits:
        waiting.append(some)
        count += len(some.left)
        if count >= _GATHERED:
            yield _joined(waiting)
            waiting, count = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(parts: list[Hits]) -> Hits:
    if len(parts) == 1:
        return parts[0]
    return Hits(
        np.concatenate([part.left for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.distance for part in parts]),
    )
