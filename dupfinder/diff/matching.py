"""Two sequences of integers to the runs they share: patience anchors first, then the longest common subsequence.

Anchors are grams (g numbers in a row) that occur once on each side; the longest chain of them that keeps the order
splits the work (Bram Cohen's patience diff, here over grams as in rsync-like matching). What lies between anchors
is solved exactly by a bit-parallel LCS (Hyyrö 2004, through RapidFuzz), whose cost is known before it starts:
length times length. So the limit is a limit on work, and nothing has to be interrupted.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

Ints = NDArray[np.int64]
Numbers = Sequence[int] | NDArray[np.integer[Any]]
Run = tuple[int, int, int]
Region = tuple[int, int, int, int]

GRAMS: Final = (8, 4, 2, 1)  # long grams first: rarer, so more of them occur once, and chance plays less
EXACT_CELLS: Final = 1_000_000  # under a millisecond: not worth an anchor
LARGEST_CELLS: Final = 400_000_000  # one exact step: 0.2 s and 50 MB on a laptop
CELLS_PER_SECOND: Final = 1_500_000_000  # about half of what was measured, so that slow machines keep the limit too
CELLS_PER_CHARACTER: Final = 400  # what splitting a character's share of a token costs, against a cell
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd


@dataclass(slots=True)
class Work:
    """How much work is left: cells of exact comparison, and a moment after which nothing is started."""

    cells: int
    deadline: float
    complete: bool = field(default=True, init=False)

    @classmethod
    def for_seconds(cls, seconds: float) -> Work:
        """Work that ends within about `seconds` from now."""
        return cls(int(seconds * CELLS_PER_SECOND), time.monotonic() + seconds)

    def take(self, cells: int) -> bool:
        """Whether a step that costs as much as `cells` may be done; a refusal is remembered in `complete`."""
        ends = time.monotonic() + cells / CELLS_PER_SECOND
        allowed = cells <= self.cells and ends <= self.deadline
        if allowed:
            self.cells -= cells
        else:
            self.complete = False
        return allowed

    def take_reading(self, characters: int) -> bool:
        """Whether `characters` of text may be split into tokens."""
        return self.take(characters * CELLS_PER_CHARACTER)

    def take_exact(self, cells: int) -> bool:
        """Whether an exact comparison may be done: bounded also by the memory it needs, an eighth of a byte a cell."""
        if cells <= LARGEST_CELLS:
            return self.take(cells)
        self.complete = False
        return False


def matching_runs(left: Numbers, right: Numbers, work: Work) -> list[Run]:
    """Runs (i, j, n) with left[i:i+n] == right[j:j+n], ascending on both sides, touching runs joined.

    When `work` runs out, what is still open stays unmatched and `work.complete` is False.
    """
    if len(left) * len(right) <= EXACT_CELLS:
        return _exact(left, right) if work.take_exact(len(left) * len(right)) else []
    a, b = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    runs: list[Run] = []
    stack: list[tuple[Region, int]] = [((0, len(a), 0, len(b)), 0)]
    while stack:
        region, gram = stack.pop()
        a0, a1, b0, b1 = _trim(a, b, region, runs)
        cells = (a1 - a0) * (b1 - b0)
        if cells == 0:
            continue
        chain, gram = _anchors(a, b, (a0, a1, b0, b1), gram) if cells > EXACT_CELLS else ([], gram)
        if chain:
            runs.extend(chain)
            stack.extend((between, gram) for between in _between(chain, (a0, a1, b0, b1)))
        elif work.take_exact(cells):
            runs.extend((a0 + i, b0 + j, length) for i, j, length in _exact(a[a0:a1], b[b0:b1]))
    return _joined(runs)


def _trim(a: Ints, b: Ints, region: Region, runs: list[Run]) -> Region:
    """The region without its equal head and tail, which go to `runs`."""
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


def _anchors(a: Ints, b: Ints, region: Region, gram: int) -> tuple[list[Run], int]:
    """The longest ordered chain of grams that occur once on each side, and the index in GRAMS that gave it."""
    a0, a1, b0, b1 = region
    for index in range(gram, len(GRAMS)):
        size = GRAMS[index]
        if min(a1 - a0, b1 - b0) < size:
            continue
        at_a, at_b = _once_on_both(_gram_hashes(a[a0:a1], size), _gram_hashes(b[b0:b1], size))
        keep = _longest_ascending(at_b.tolist())
        runs = _true_runs(a, b, at_a[keep] + a0, at_b[keep] + b0, size)
        if runs:
            return runs, index
    return [], len(GRAMS)


def _gram_hashes(numbers: Ints, size: int) -> NDArray[np.uint64]:
    """A 64-bit hash of each gram, uint64 (n - size + 1,)."""
    spread = (numbers.astype(np.uint64) + np.uint64(1)) * _MIX
    spread ^= spread >> np.uint64(29)
    count = len(numbers) - size + 1
    total = np.zeros(count, dtype=np.uint64)
    for offset in range(size):
        total = (total * _MIX) ^ (spread[offset : offset + count] + (total >> np.uint64(31)))
    return total


def _once_on_both(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the hashes that occur exactly once in `a` and once in `b`, ascending in `a`."""
    (once_a, at_a), (once_b, at_b) = _once(a), _once(b)
    where = np.searchsorted(once_b, once_a)
    found = where < len(once_b)
    found[found] = once_b[where[found]] == once_a[found]
    left, right = at_a[found], at_b[where[found]]
    order = np.argsort(left, kind="stable")
    return left[order], right[order]


def _once(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """The hashes that occur once, sorted, and their positions."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    new = np.ones(len(ordered) + 1, dtype=np.bool_)
    new[1:-1] = ordered[1:] != ordered[:-1]
    once = new[1:] & new[:-1]
    return ordered[once], order[once]


def _longest_ascending(numbers: list[int]) -> NDArray[np.intp]:
    """Indices of a longest strictly ascending subsequence (patience sorting, n log n)."""
    if all(one < other for one, other in pairwise(numbers)):
        return np.arange(len(numbers), dtype=np.intp)
    tops: list[int] = []
    top_index: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        before.append(top_index[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(number)
            top_index.append(index)
        else:
            tops[pile] = number
            top_index[pile] = index
    chain = []
    at = top_index[-1] if top_index else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return np.array(chain[::-1], dtype=np.intp)


def _true_runs(a: Ints, b: Ints, at_a: NDArray[np.intp], at_b: NDArray[np.intp], size: int) -> list[Run]:
    """Disjoint runs from a chain of anchors, each number compared, so that an unlucky hash does no harm."""
    if not at_a.size:
        return []
    step_a, step_b = np.diff(at_a), np.diff(at_b)
    breaks = np.flatnonzero((step_a != step_b) | (step_a > size)) + 1
    starts = np.concatenate(([0], breaks)).astype(np.intp)
    stops = np.concatenate((breaks, [at_a.size])).astype(np.intp) - 1
    runs: list[Run] = []
    end_a = end_b = 0
    for i, j, last in zip(at_a[starts].tolist(), at_b[starts].tolist(), at_a[stops].tolist(), strict=True):
        overlap = max(0, end_a - i, end_b - j)
        length = last + size - i - overlap
        first_a, first_b = i + overlap, j + overlap
        if length > 0 and (a[first_a : first_a + length] == b[first_b : first_b + length]).all():
            runs.append((first_a, first_b, length))
            end_a, end_b = first_a + length, first_b + length
    return runs


def _between(chain: list[Run], region: Region) -> list[Region]:
    """The regions before, between and after the runs of a chain."""
    a0, a1, b0, b1 = region
    regions = []
    for i, j, length in chain:
        regions.append((a0, i, b0, j))
        a0, b0 = i + length, j + length
    regions.append((a0, a1, b0, b1))
    return regions


def _exact(left: Numbers, right: Numbers) -> list[Run]:
    """A longest common subsequence, as runs."""
    blocks = LCSseq.editops(sequence_of(left), sequence_of(right)).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks[:-1]]  # the last is the empty one at the ends


def sequence_of(numbers: Numbers) -> Sequence[int] | str:
    """The numbers as RapidFuzz takes them soonest: 16-bit ones as the characters of a string."""
    if not isinstance(numbers, np.ndarray):
        return numbers
    return _spelled(numbers.tobytes()) if numbers.dtype == np.uint16 else numbers.tolist()


@lru_cache(maxsize=2048)
def _spelled(numbers: bytes) -> str:
    """A string with a character for each 16-bit number. A text is compared with all of its family in a row."""
    return np.frombuffer(numbers, np.uint16).astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _joined(runs: list[Run]) -> list[Run]:
    """The runs in order, touching ones made one."""
    joined: list[Run] = []
    for i, j, length in sorted(runs):
        if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((i, j, length))
    return joined
