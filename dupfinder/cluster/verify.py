"""Resemblance and containment of candidate pairs, from the shingle sketches of their documents (Broder et al. 1997)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, Whole, starts_of
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared, SharedRagged

Values = NDArray[np.unsignedinteger[Any]]
_BLOCK = 4_000_000  # shingle values compared at a time; bounds the working memory to some tens of megabytes
_MARKS = 1 << 16  # entries of the table of marks, so that it fits the processor's cache


@dataclass(frozen=True, slots=True)
class Shingles(Ragged):
    """The stored shingle values of n documents: uint32 or uint64, ascending for each document.

    whole: bool (n,), True if all shingles of the document are stored, False if only the smallest values are.
    """

    whole: NDArray[np.bool_]

    @classmethod
    def sketched(cls, sketches: Ragged, shingles: NDArray[np.int64]) -> Shingles:
        """Return sketches as Shingles. shingles: int64 (n,), the number of distinct shingles of each document."""
        return cls(sketches.values, sketches.starts, sketches.lengths >= shingles)

    def take(self, rows: Whole) -> Shingles:
        """Return the shingles of some documents, in this order, as a copy."""
        taken = Ragged.take(self, rows)
        return Shingles(taken.values, taken.starts, self.whole[rows])


@dataclass(frozen=True, slots=True)
class SharedShingles(SharedRagged):
    """Shingles that all processes of a crew can read. The fields are as in Shingles."""

    whole: Shared

    @classmethod
    def of(cls, shingles: Shingles, crew: Crew) -> SharedShingles:
        """Return shingles that a crew can read; their values as uint32. Raises DiskFullError, OSError."""
        shared = crew.share_ragged([shingles], np.uint32)
        return cls(shared.values, shared.starts, crew.share([shingles.whole], np.bool_))

    def every(self) -> Shingles:
        """Return the shingles of all documents. If they are in files, only what is read of them takes memory."""
        return Shingles(self.values.array(), self.starts.array(), self.whole.array())

    def take(self, documents: Whole) -> Shingles:
        """Return the shingles of some documents, in this order, as a copy."""
        taken = self.take_ragged(documents)
        return Shingles(taken.values, taken.starts, self.whole.array()[documents])


@dataclass(frozen=True, slots=True)
class Shares:
    """What the shingle sets of pairs have in common, row for row.

    resemblance, left_in_right, right_in_left: float32 (m,), 0..1; see cluster.relation.Evidence.
    error: float32 (m,), the largest standard error of the three; 0 where both sets are complete.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    error: NDArray[np.float32]


def verify(pairs: Pairs, shingles: Shingles, reporter: Reporter = SILENT) -> Shares:
    """Measure what every pair has in common, row for row. Raises Stopped.

    Both sets are cut at the smaller of their largest stored values (no cut when both are complete). Below it, all
    values of both are known, so the shares are exact there, and unbiased estimates for the whole sets (Broder 1997,
    MIN_s).
    """
    partners = np.bincount(np.concatenate((pairs.left, pairs.right)))
    swapped = partners[pairs.right] > partners[pairs.left]  # so that fewer documents have to be marked
    marked, other = np.where(swapped, (pairs.right, pairs.left), (pairs.left, pairs.right)).astype(np.int64)
    order = np.argsort(marked, kind="stable")
    shared = np.empty(len(pairs), np.int64)
    shared[order] = _shared_counts(marked[order], other[order], shingles, reporter)
    known_up_to = limits_of(shingles)
    limits = np.minimum(known_up_to[pairs.left], known_up_to[pairs.right])
    left_size, right_size = (sizes_up_to(shingles, side.astype(np.int64), limits) for side in (pairs.left, pairs.right))
    return _shares(shared, left_size, right_size, shingles.whole[pairs.left] & shingles.whole[pairs.right])


def _shared_counts(
    left: NDArray[np.int64], right: NDArray[np.int64], shingles: Shingles, reporter: Reporter
) -> NDArray[np.int64]:
    """Count the stored values that both documents of each pair have: int64 (m,). left: ascending.

    The low bits of the left document's values are marked in a small table; only the values of its partners that have a
    mark are looked up among the values themselves. So documents without common values cost one access to fast memory a
    value.
    """
    low = (shingles.values & shingles.values.dtype.type(_MARKS - 1)).astype(np.uint16)
    marks = np.zeros(_MARKS, np.bool_)
    shared = np.zeros(len(left), np.int64)
    bounds = np.flatnonzero(np.diff(left, prepend=-1, append=-1))
    for number, (start, stop) in enumerate(itertools.pairwise(bounds.tolist())):
        if number % 256 == 0:
            reporter.check()
            reporter.tell(Progress(Stage.VERIFY, start, len(left)))
        left_values = slice(shingles.starts[left[start]], shingles.starts[left[start] + 1])
        marks[low[left_values]] = True
        for block in _blocks(right[start:stop], shingles.starts):
            chosen = slice(start + block.start, start + block.stop)
            shared[chosen] = _common(shingles, left_values, right[chosen], low, marks)
        marks[low[left_values]] = False
    return shared


def _shares(
    shared: NDArray[np.int64], left_size: NDArray[np.int64], right_size: NDArray[np.int64], whole: NDArray[np.bool_]
) -> Shares:
    """Return the shares of `shared` common values; they have no error where both sets are stored whole."""
    sizes = (left_size + right_size - shared, left_size, right_size)
    shares = tuple(_share(shared, size) for size in sizes)
    errors = [_error(share, size) for share, size in zip(shares, sizes, strict=True)]
    error = np.where(whole, 0, np.maximum.reduce(errors)).astype(np.float32)
    return Shares(shares[0], shares[1], shares[2], error)


def _error(share: NDArray[np.float32], size: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the standard error of a share that was estimated from `size` sampled values: float32 (m,).

    At shares of 0 and 1, where the formula gives 0, half a value is assumed to differ.
    """
    inner = np.clip(share, 0.5 / np.maximum(size, 1), 1 - 0.5 / np.maximum(size, 1))
    return np.sqrt(inner * (1 - inner) / np.maximum(size, 1)).astype(np.float32)


def limits_of(shingles: Shingles) -> Values:
    """Return for each document the value up to which all its values are known: (n,), the type's maximum if complete."""
    limits = np.full(len(shingles.whole), np.iinfo(shingles.values.dtype).max, shingles.values.dtype)
    cut = np.flatnonzero(~shingles.whole)
    limits[cut] = shingles.values[shingles.starts[cut + 1] - 1]
    return limits


def _blocks(right: NDArray[np.int64], starts: NDArray[np.int64]) -> list[slice]:
    """Split rows into runs whose documents have at most _BLOCK values together, or that are a single row."""
    sizes = np.cumsum(starts[right + 1] - starts[right])
    blocks, begin, base = [], 0, 0
    while begin < len(right):
        end = max(begin + 1, int(np.searchsorted(sizes, base + _BLOCK, side="right")))
        blocks.append(slice(begin, end))
        base = int(sizes[end - 1])
        begin = end
    return blocks


def _common(
    shingles: Shingles,
    left_slice: slice,
    right: NDArray[np.int64],
    low: NDArray[np.uint16],
    marks: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Count the values that each of some right documents shares with the left document: int64 (r,)."""
    left = shingles.values[left_slice]
    if not len(left):
        return np.zeros(len(right), np.int64)
    begins, ends = shingles.starts[right], shingles.starts[right + 1]
    starts = starts_of(ends - begins)
    parts = [slice(*bounds) for bounds in zip(begins.tolist(), ends.tolist(), strict=True)]
    marked = np.flatnonzero(marks.take(np.concatenate([low[part] for part in parts])))
    values = np.concatenate([shingles.values[part] for part in parts])[marked]
    common = left[np.minimum(np.searchsorted(left, values), len(left) - 1)] == values
    again = 1 + np.flatnonzero((values[1:] == values[:-1]) & (np.diff(marked) == 1))
    common[again[~np.isin(marked[again], starts)]] = False  # a shortened value may occur twice in a document
    return np.diff(np.searchsorted(marked[common], starts))


def sizes_up_to(shingles: Shingles, documents: NDArray[np.int64], limits: Values) -> NDArray[np.int64]:
    """Count the values of each document that are at most its limit: int64 (m,). Bisects all rows at once."""
    begins = shingles.starts[documents]
    low, high = begins.copy(), shingles.starts[documents + 1]
    limited = np.flatnonzero(limits < np.iinfo(limits.dtype).max)
    low_of, high_of, limit = low[limited], high[limited], limits[limited]
    while (active := low_of < high_of).any():
        middle = (low_of + high_of) // 2
        below = active & (shingles.values[np.where(active, middle, 0)] <= limit)
        low_of = np.where(below, middle + 1, low_of)
        high_of = np.where(active & ~below, middle, high_of)
    high[limited] = low_of
    return high - begins


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return part / whole, 0 where the whole is 0: float32 (m,)."""
    return np.divide(part, whole, out=np.zeros(len(part), np.float32), where=whole > 0, casting="unsafe")
