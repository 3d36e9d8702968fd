"""Matching runs of two sequences of integers: patience anchors first, then the longest common subsequence.

Anchors are grams (g consecutive numbers) that occur once on each side; the longest chain of anchors in the same order
splits the problem (Bram Cohen's patience diff, here over grams). The regions between anchors are solved exactly by a
bit-parallel LCS (Hyyrö 2004, by RapidFuzz), whose cost is known in advance: its cells, the product of the lengths. So a
step that would take too long is not begun, and none has to be interrupted.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.base import columns

Int64s = NDArray[np.int64]
Numbers = Sequence[int] | NDArray[np.integer[Any]]
EqualRun = tuple[int, int, int]
Region = tuple[int, int, int, int]

GRAMS: Final = (8, 4, 2, 1)  # long grams first: more of them occur once, and fewer match by chance
EXACT_CELLS: Final = 1_000_000  # solved exactly in under a millisecond, without anchors
LARGEST_CELLS: Final = 400_000_000  # the largest exact step: 0.2 s and 50 MB on a laptop
CELLS_PER_SECOND: Final = 1_500_000_000  # about half of the measured rate, so that slow machines keep the limit too
CELLS_PER_CHARACTER: Final = 400  # cost of splitting a text into tokens, in cells for each character


@dataclass(slots=True)
class WorkBudget:
    """The work that may still be done: cells of exact comparison, and the processor's time in which steps may begin.

    cells:    length times length of the sequences compared.
    deadline: of this thread, in seconds of the processor, so that a busy machine changes no result.
    complete: False once a step was refused.
    """

    cells: int
    deadline: float
    complete: bool = field(default=True, init=False)

    @classmethod
    def for_seconds(cls, seconds: float) -> WorkBudget:
        """Return work that takes at most about `seconds` from now."""
        return cls(int(seconds * CELLS_PER_SECOND), time.thread_time() + seconds)

    def take(self, cells: int) -> bool:
        """Tell whether a step of `cells` may be done, and subtract it if so; a refusal sets `complete` to False."""
        ends = time.thread_time() + cells / CELLS_PER_SECOND
        allowed = cells <= self.cells and ends <= self.deadline
        if allowed:
            self.cells -= cells
        else:
            self.complete = False
        return allowed

    def take_reading(self, characters: int) -> bool:
        """Tell whether `characters` of text may be split into tokens."""
        return self.take(characters * CELLS_PER_CHARACTER)

    def take_exact(self, cells: int) -> bool:
        """Tell whether an exact comparison may be done. Memory limits it too: a cell takes an eighth of a byte."""
        if cells <= LARGEST_CELLS:
            return self.take(cells)
        self.complete = False
        return False


def whole_run(left: Int64s, right: Int64s) -> list[EqualRun]:
    """Return the run of the shorter sequence in the longer one, where it is as a whole; [] if it is nowhere.

    `matching_runs` may find the same numbers scattered over the longer one.
    """
    shorter, longer = sorted((left, right), key=len)
    part, whole, position = shorter.tobytes(), longer.tobytes(), -1
    while (position := whole.find(part, position + 1)) > 0 and position % longer.itemsize:
        pass  # the bytes are those of other numbers
    start = position // longer.itemsize
    if position < 0 or not len(shorter):
        return []
    return [(start, 0, len(shorter)) if longer is left else (0, start, len(shorter))]


def matching_runs(left: Numbers, right: Numbers, work: WorkBudget) -> list[EqualRun]:
    """Return runs (i, j, n) with left[i:i+n] == right[j:j+n], ascending on both sides and maximal.

    When `work` runs out, the rest is left unmatched and `work.complete` is False.
    """
    if len(left) * len(right) <= EXACT_CELLS:
        return longest_common_runs(left, right) if work.take_exact(len(left) * len(right)) else []
    a, b = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    runs: list[EqualRun] = []
    stack: list[tuple[Region, Sequence[int]]] = [((0, len(a), 0, len(b)), GRAMS)]
    while stack:
        (a0, a1, b0, b1), sizes = stack.pop()
        if (a1 - a0) * (b1 - b0) > EXACT_CELLS:  # an exact comparison trims by itself
            a0, a1, b0, b1 = _trim(a, b, (a0, a1, b0, b1), runs)
        cells = (a1 - a0) * (b1 - b0)
        if cells == 0:
            continue
        chain, sizes = _anchors(a, b, (a0, a1, b0, b1), sizes) if cells > EXACT_CELLS else ([], sizes)
        if chain:
            runs.extend(chain)
            stack.extend((region, sizes) for region in regions_between(chain, (a0, a1, b0, b1)))
        elif work.take_exact(cells):
            runs.extend((a0 + i, b0 + j, length) for i, j, length in longest_common_runs(a[a0:a1], b[b0:b1]))
    return _joined(runs)


def _trim(a: Int64s, b: Int64s, region: Region, runs: list[EqualRun]) -> Region:
    """Return the region without its equal head and tail, which are appended to `runs`."""
    a0, a1, b0, b1 = region
    size = min(a1 - a0, b1 - b0)
    differ = np.flatnonzero(a[a0 : a0 + size] != b[b0 : b0 + size])
    head = int(differ[0]) if differ.size else size
    if head:
        runs.append((a0, b0, head))
    a0, b0, size = a0 + head, b0 + head, size - head
    differ = np.flatnonzero(a[a1 - size : a1] != b[b1 - size : b1])
    tail = size - 1 - int(differ[-1]) if differ.size else size
    if tail:
        runs.append((a1 - tail, b1 - tail, tail))
    return a0, a1 - tail, b0, b1 - tail


def _anchors(a: Int64s, b: Int64s, region: Region, sizes: Sequence[int]) -> tuple[list[EqualRun], Sequence[int]]:
    """Return the longest ordered chain of grams that occur once on each side, and the sizes to try between them.

    The grams have the first of `sizes` that gives any; that size and the smaller ones are tried next.
    """
    a0, a1, b0, b1 = region
    for index, size in enumerate(sizes):
        if min(a1 - a0, b1 - b0) < size:
            continue
        at_a, at_b = _once_on_both(_gram_hashes(a[a0:a1], size), _gram_hashes(b[b0:b1], size))
        keep = _longest_ascending(at_b)
        runs = _true_runs(a, b, at_a[keep] + a0, at_b[keep] + b0, size)
        if runs:
            return runs, sizes[index:]
    return [], ()


def _gram_hashes(numbers: Int64s, size: int) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each gram: uint64 (n - size + 1,)."""
    spread = (numbers.astype(np.uint64) + np.uint64(1)) * columns.GOLDEN
    spread ^= spread >> np.uint64(29)
    count = len(numbers) - size + 1
    total = np.zeros(count, dtype=np.uint64)
    for offset in range(size):
        total = (total * columns.GOLDEN) ^ (spread[offset : offset + count] + (total >> np.uint64(31)))
    return total


def _once_on_both(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the positions of hashes that occur once in `a` and once in `b`, ascending in `a`: intp (m,), intp (m,)."""
    (once_a, at_a), (once_b, at_b) = _once(a), _once(b)
    positions, on_both = columns.positions_in(once_b, once_a)
    at_a, at_b = at_a[on_both], at_b[positions[on_both]]
    order = np.argsort(at_a)
    return at_a[order], at_b[order]


def _once(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Return the hashes that occur once, sorted, and their positions."""
    order = np.argsort(hashes)
    begins, lengths = columns.runs(hashes[order])
    once = order[begins[lengths == 1]]
    return hashes[once], once


def _longest_ascending(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the indices of a longest strictly ascending subsequence: intp (m,). Patience sorting, O(n log n).

    Numbers that ascend by one are placed together, since they land on adjacent piles.
    """
    tops: list[int] = []
    top_index: list[int] = []
    before: list[int] = []  # of each stretch, the index that its first number follows
    values, begins = numbers.tolist(), np.flatnonzero(np.diff(numbers, prepend=-2) != 1).tolist()
    for begin, end in pairwise([*begins, len(values)]):
        pile = bisect_left(tops, values[begin])
        before.append(top_index[pile - 1] if pile else -1)
        tops[pile : pile + end - begin] = values[begin:end]
        top_index[pile : pile + end - begin] = range(begin, end)
    chain = [np.empty(0, np.intp)]
    last = top_index[-1] if top_index else -1
    while last >= 0:
        stretch = bisect_right(begins, last) - 1
        chain.append(np.arange(begins[stretch], last + 1))
        last = before[stretch]
    return np.concatenate(chain[::-1])


def _true_runs(a: Int64s, b: Int64s, at_a: NDArray[np.intp], at_b: NDArray[np.intp], size: int) -> list[EqualRun]:
    """Return disjoint runs from a chain of anchors. The numbers themselves are compared, in case hashes collide."""
    if not at_a.size:
        return []
    step_a, step_b = np.diff(at_a), np.diff(at_b)
    # A run continues where both sides advance equally, by at most a gram, so that no number between them is skipped.
    breaks = np.flatnonzero((step_a != step_b) | (step_a > size)) + 1
    starts = np.concatenate(([0], breaks)).astype(np.intp)
    lasts = np.concatenate((breaks, [at_a.size])).astype(np.intp) - 1
    runs: list[EqualRun] = []
    end_a = end_b = 0
    for i, j, last in zip(at_a[starts].tolist(), at_b[starts].tolist(), at_a[lasts].tolist(), strict=True):
        overlap = max(0, end_a - i, end_b - j)
        length = last + size - i - overlap
        first_a, first_b = i + overlap, j + overlap
        if length > 0 and (a[first_a : first_a + length] == b[first_b : first_b + length]).all():
            runs.append((first_a, first_b, length))
            end_a, end_b = first_a + length, first_b + length
    return runs


def regions_between(chain: list[EqualRun], region: Region) -> list[Region]:
    """Return the regions before, between and after the runs of a chain."""
    a0, a1, b0, b1 = region
    regions = []
    for i, j, length in chain:
        regions.append((a0, i, b0, j))
        a0, b0 = i + length, j + length
    regions.append((a0, a1, b0, b1))
    return regions


def longest_common_runs(left: Numbers | str, right: Numbers | str) -> list[EqualRun]:
    """Return a longest common subsequence as runs."""
    blocks = LCSseq.editops(sequence_of(left), sequence_of(right)).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks[:-1]]  # the last block is always empty


def sequence_of(numbers: Numbers | str) -> Sequence[int] | str:
    """Return the numbers in the form that RapidFuzz compares fastest: a string for uint16, else a list."""
    if not isinstance(numbers, np.ndarray):
        return numbers
    if numbers.dtype != np.uint16:
        plain: list[int] = numbers.tolist()
        return plain
    beyond_surrogates = numbers.astype("<u4") + np.uint32(1 << 16)  # which are no characters, and slow to decode
    return beyond_surrogates.tobytes().decode("utf-32-le")


def _joined(runs: list[EqualRun]) -> list[EqualRun]:
    """Return the runs in order, with adjacent runs joined."""
    joined: list[EqualRun] = []
    for i, j, length in sorted(runs):
        if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((i, j, length))
    return joined
