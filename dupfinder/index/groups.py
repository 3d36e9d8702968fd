"""All pairs within k bits inside groups of fingerprints that share a key: the inner loop of the join.

Groups of similar size form the columns of a matrix, so that one contiguous operation compares each row with the row a
fixed distance below. No comparison is made twice. A group too large for that is joined recursively, by a design for the
bits in which it varies, so that skewed data does not make the work quadratic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import GOLDEN, Columns
from dupfinder.base.progress import Reporter
from dupfinder.index.design import CELLS, HEIGHT_TO_WIDTH, UNDIVIDED, Table, choose_family, mask_of
from dupfinder.index.words import Positions, Words, first_seen, keys_of, order_of, sorted_groups, varying_ranges

_COUNTS = 1 << 18  # distances collected before they are searched for near ones
_BATCH = 1 << 14  # near pairs checked together


@dataclass(frozen=True, slots=True)
class RowPairs(Columns):
    """Pairs of rows of the joined fingerprints, each pair once, unordered. intp, intp, uint8; all (m,)."""

    left: Positions
    right: Positions
    distance: NDArray[np.uint8]


class GroupFinder:
    """Finds the pairs within `radius` among distinct fingerprints that share a key. Reuses its buffers."""

    def __init__(self, words: Words, bits: int, radius: int, reporter: Reporter) -> None:
        self._words = words
        self._bits = bits
        self._radius = radius
        self._reporter = reporter
        self._positions = np.empty(CELLS, np.intp)
        self._rows = np.empty(CELLS, np.intp)
        self._gathered = [(word, np.empty(CELLS, np.uint64)) for word in words]  # each with its buffer
        self._xor = np.empty(CELLS, np.uint64)
        self._second_word = np.empty(CELLS, np.uint8)
        self._counts = np.empty(_COUNTS + CELLS, np.uint8)

    def find_by(self, table: Table, rows: Positions | None = None, earlier: tuple[int, ...] = ()) -> Iterator[RowPairs]:
        """Yield the pairs among `rows` (None: all) for which `table` is the first whose key they share.

        earlier: masks of the outer designs' tables; pairs that agree in all bits of one are left out.
        """
        words = self._words if rows is None else tuple(word[rows] for word in self._words)
        total = len(words[0])
        keys = keys_of(words, table.prefix, self._bits)
        order = order_of(keys)
        starts, sizes = sorted_groups(keys, order)
        del keys, words
        if rows is not None:
            order = rows[order]
        masks, is_shared = earlier + table.earlier, sizes > 1
        # Pairs of a group have equal keys, the last 64 bits of the prefix. Longer prefixes are checked again.
        unchecked = mask_of(table.prefix, self._bits) if table.prefix_bits > 64 else 0
        divided_up_to = total if rows is None else total // 2
        for pairs in _batched(self._groups(order, starts[is_shared], sizes[is_shared], masks, divided_up_to)):
            yield from self._first_seen(pairs, unchecked, masks)

    def find_all(self, start: int = 0, stop: int | None = None) -> Iterator[RowPairs]:
        """Yield the pairs of the fingerprints from start to stop (None: all) with all later ones, by comparing all."""
        yield from self._tiles(np.arange(len(self._words[0])), start, stop)

    def _groups(
        self, order: Positions, starts: Positions, sizes: Positions, masks: tuple[int, ...], divided_up_to: int
    ) -> Iterator[RowPairs]:
        """Yield the pairs in groups of two or more.

        divided_up_to: larger groups are compared pair by pair, as no key divides what this one hardly divided.
        """
        by_size = order_of(sizes.astype(np.uint16 if sizes.max(initial=0) < 1 << 16 else np.uint64))
        starts, sizes = starts[by_size], sizes[by_size]
        first = 0
        while first < len(sizes):
            self._reporter.check()
            size = int(sizes[first])
            tallest = size + size // 8  # among groups of similar size, little of the matrix is filled up
            fitting = int(np.searchsorted(sizes, tallest, "right"))
            end = min(fitting, first + max(1, CELLS // tallest))
            height = int(sizes[end - 1])
            if height <= HEIGHT_TO_WIDTH * (end - first):
                yield from self._columns(order, starts[first:end], sizes[first:end])
            else:
                end = first + 1
                yield from self._single_group(order[starts[first] : starts[first] + size], masks, size <= divided_up_to)
            first = end

    def _single_group(self, group: Positions, masks: tuple[int, ...], may_divide: bool) -> Iterator[RowPairs]:
        """Yield the pairs of one group: join it on the bits in which it varies, or compare all its pairs."""
        design = None
        if may_divide and len(group) > UNDIVIDED:
            free = varying_ranges([word[group] for word in self._words], self._bits)
            design = choose_family(len(group), self._bits, self._radius, free)
        if design is None:
            yield from self._tiles(group)
            return
        for table in design.tables:
            self._reporter.check()
            yield from self.find_by(table, group, masks)

    def _columns(self, order: Positions, starts: Positions, sizes: Positions) -> Iterator[RowPairs]:
        """Yield the near pairs of groups of similar size, given in ascending order of size.

        The groups are the columns of a matrix (height, groups); the rest of shorter columns is filled with distant
        values.
        """
        height, groups = int(sizes[-1]), len(starts)
        cells = height * groups
        positions, rows = self._positions[:cells], self._rows[:cells]
        np.add(starts[None, :], np.arange(height)[:, None], out=positions.reshape(height, groups))
        np.take(order, positions, out=rows, mode="clip")
        matrix = []
        for word, buffer in self._gathered:
            np.take(word, rows, out=buffer[:cells], mode="clip")
            self._fill(buffer[:cells].reshape(height, groups), sizes)
            matrix.append(buffer[:cells])
        used, begins, first_shift = 0, [], 1
        for shift in range(1, height):
            span = (height - shift) * groups
            self._compare([(m[:span], m[-span:]) for m in matrix], self._counts[used : used + span])
            begins.append(used)
            used += span
            if used >= _COUNTS or shift == height - 1:
                near = self._near(used)
                if len(near):
                    which = np.searchsorted(begins, near, "right") - 1
                    left, column = np.divmod(near - np.array(begins)[which], groups)
                    right = left + first_shift + which
                    real = right < sizes[column]  # not with a filling
                    left, right, column = left[real], right[real], column[real]
                    yield RowPairs(
                        rows[left * groups + column], rows[right * groups + column], self._counts[near[real]]
                    )
                used, begins, first_shift = 0, [], shift + 1

    def _fill(self, matrix: NDArray[np.uint64], sizes: Positions) -> None:
        """Fill the cells below the end of each column with numbers that are rarely near any other."""
        shortest, height = int(sizes[0]), len(matrix)
        if shortest < height:
            below = np.arange(shortest, height)
            filling = (below.astype(np.uint64) + np.uint64(1)) * GOLDEN
            np.copyto(matrix[shortest:], filling[:, None], where=below[:, None] >= sizes[None, :])

    def _tiles(self, group: Positions, start: int = 0, stop: int | None = None) -> Iterator[RowPairs]:
        """Compare the rows of one group from start to stop with all later rows, by tiles of rows."""
        size = len(group)
        members = [word[group] for word in self._words]
        top, stop = start, size - 1 if stop is None else min(stop, size - 1)
        while top < stop:
            self._reporter.check()
            widest = min(size - 1 - top, CELLS)
            height = max(1, min(stop - top, CELLS // widest))
            for first in range(top + 1, size, widest):
                width = min(widest, size - first)
                out = self._counts[: height * width].reshape(height, width)
                self._compare([(m[top : top + height, None], m[None, first : first + width]) for m in members], out)
                near = self._near(height * width)
                left, right = np.divmod(near, width)
                left, right = left + top, right + first
                later = left < right
                if later.any():
                    yield RowPairs(group[left[later]], group[right[later]], self._counts[near[later]])
            top += height

    def _compare(self, operands: list[tuple[NDArray[np.uint64], NDArray[np.uint64]]], out: NDArray[np.uint8]) -> None:
        """Set `out` to the number of bits in which the operands differ, summed over the words. All have out's shape."""
        xor = self._xor[: out.size].reshape(out.shape)
        np.bitwise_xor(*operands[0], out=xor)
        np.bitwise_count(xor, out=out)
        for pair in operands[1:]:
            differing = self._second_word[: out.size].reshape(out.shape)
            np.bitwise_xor(*pair, out=xor)
            np.bitwise_count(xor, out=differing)
            np.add(out, differing, out=out)

    def _near(self, used: int) -> Positions:
        """Return the positions of the first `used` distances that are within the radius."""
        counts = self._counts[:used]
        if counts.min() > self._radius:
            return np.empty(0, np.intp)
        return np.flatnonzero(counts <= self._radius)

    def _first_seen(self, pairs: RowPairs, prefix: int, earlier: tuple[int, ...]) -> Iterator[RowPairs]:
        differing = [word[pairs.left] ^ word[pairs.right] for word in self._words]
        fresh = first_seen(differing, prefix, earlier, self._bits)
        if fresh.all():
            yield pairs
        elif fresh.any():
            yield RowPairs(pairs.left[fresh], pairs.right[fresh], pairs.distance[fresh])


def _batched(pairs: Iterator[RowPairs]) -> Iterator[RowPairs]:
    """Yield the same pairs in batches of some thousands."""
    pending: list[RowPairs] = []
    count = 0
    for portion in pairs:
        pending.append(portion)
        count += len(portion.left)
        if count >= _BATCH:
            yield RowPairs.joined(pending)
            pending, count = [], 0
    if pending:
        yield RowPairs.joined(pending)
