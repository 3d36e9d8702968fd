"""Resemblance and containment of candidate pairs, from the shingle sketches of their documents (Broder et al. 1997)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.index.pairs import Pairs

Values = NDArray[np.unsignedinteger[Any]]
_BLOCK = 4_000_000  # shingle values compared at once; bounds the working memory to some tens of megabytes
_MARKS = 1 << 16  # places of the table of marks: small enough to stay in fast memory


@dataclass(frozen=True, slots=True)
class Shingles:
    """The kept shingle values of n documents, ragged, with what was left out.

    values:  uint32 or uint64 (total,); those of document i are values[starts[i]:starts[i + 1]], ascending.
    starts:  int64 (n + 1,).
    whole:   bool (n,), the kept values are the whole shingle set rather than its smallest values.
    """

    values: Values
    starts: NDArray[np.int64]
    whole: NDArray[np.bool_]

    @classmethod
    def of(cls, values: Values, starts: NDArray[np.int64], shingles: NDArray[np.int64]) -> Shingles:
        """From sketches and the number of distinct shingles of each document, int64 (n,)."""
        return cls(values, starts, np.diff(starts) >= shingles)


@dataclass(frozen=True, slots=True)
class Shares:
    """What the shingle sets of pairs have in common, row for row.

    resemblance, left_in_right, right_in_left: float32 (m,), 0..1; see cluster.relation.Evidence.
    error: float32 (m,), the largest standard error of the three; 0 where both sets are whole.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    error: NDArray[np.float32]


def verify(pairs: Pairs, shingles: Shingles, reporter: Reporter | None = None) -> Shares:
    """Measure what every pair has in common, row for row. Raises Stopped.

    Both sets are cut at the smaller of their largest kept values (no cut when both are whole): below it everything of
    either is known, so the shares are exact there, and unbiased estimates for the whole (Broder 1997, MIN_s).

    The low bits of one left document's values are marked in a small table; what of the right documents meets a mark
    is looked up among the values themselves. So unlike documents cost one access to fast memory a value.
    """
    reporter = reporter or Silent()
    order = np.argsort(pairs.left, kind="stable")
    left, right = pairs.left[order].astype(np.int64), pairs.right[order].astype(np.int64)
    lasts = limits_of(shingles)
    limits = np.minimum(lasts[left], lasts[right])
    low = (shingles.values & shingles.values.dtype.type(_MARKS - 1)).astype(np.uint16)
    marks = np.zeros(_MARKS, np.bool_)
    shared = np.zeros(len(pairs), np.int64)
    bounds = np.flatnonzero(np.diff(left, prepend=-1, append=-1))
    for number, (start, stop) in enumerate(itertools.pairwise(bounds.tolist())):
        if number % 256 == 0:
            reporter.check()
            reporter.tell(Progress(Stage.VERIFY, start, len(pairs)))
        mine = slice(shingles.starts[left[start]], shingles.starts[left[start] + 1])
        marks[low[mine]] = True
        for part in _parts(right[start:stop], shingles.starts):
            chosen = slice(start + part.start, start + part.stop)
            shared[chosen] = _common(shingles, mine, right[chosen], limits[chosen], low, marks)
        marks[low[mine]] = False
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    left_size, right_size = (sizes_up_to(shingles, side, limits)[back] for side in (left, right))
    # Shortened values of one document may fall together; they are common once.
    shared = np.minimum(shared[back], np.minimum(left_size, right_size))
    whole = shingles.whole[pairs.left] & shingles.whole[pairs.right]
    sizes = (left_size + right_size - shared, left_size, right_size)
    shares = tuple(_share(shared, size) for size in sizes)
    errors = [_error(share, size) for share, size in zip(shares, sizes, strict=True)]
    error = np.where(whole, 0, np.maximum.reduce(errors)).astype(np.float32)
    return Shares(shares[0], shares[1], shares[2], error)


def _error(share: NDArray[np.float32], size: NDArray[np.int64]) -> NDArray[np.float32]:
    """The standard error of a share that was estimated from so many sampled values, float32 (m,): one value less or
    more counts at the ends, where the formula gives none."""
    inner = np.clip(share, 0.5 / np.maximum(size, 1), 1 - 0.5 / np.maximum(size, 1))
    return np.sqrt(inner * (1 - inner) / np.maximum(size, 1)).astype(np.float32)


def limits_of(shingles: Shingles) -> Values:
    """The value up to which all of a document's values are known, (n,), the greatest possible for a whole set."""
    limits = np.full(len(shingles.whole), np.iinfo(shingles.values.dtype).max, shingles.values.dtype)
    cut = np.flatnonzero(~shingles.whole)
    limits[cut] = shingles.values[shingles.starts[cut + 1] - 1]
    return limits


def _parts(right: NDArray[np.int64], starts: NDArray[np.int64]) -> list[slice]:
    """The rows in runs whose documents have at most _BLOCK values together (or are a single row)."""
    sizes = np.cumsum(starts[right + 1] - starts[right])
    parts, begin, base = [], 0, 0
    while begin < len(right):
        end = max(begin + 1, int(np.searchsorted(sizes, base + _BLOCK, side="right")))
        parts.append(slice(begin, end))
        base = int(sizes[end - 1])
        begin = end
    return parts


def _common(
    shingles: Shingles,
    mine: slice,
    right: NDArray[np.int64],
    limits: Values,
    low: NDArray[np.uint16],
    marks: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """How many values up to the limit each of some right documents shares with the left one, int64 (r,)."""
    begins, ends = shingles.starts[right], shingles.starts[right + 1]
    offsets = np.concatenate(([0], np.cumsum(ends - begins)))
    theirs = np.concatenate([low[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)])
    met = np.flatnonzero(marks.take(theirs))
    owners = np.searchsorted(offsets, met, side="right") - 1
    values = shingles.values[begins[owners] + met - offsets[owners]]
    left = shingles.values[mine]
    if not len(left):
        return np.zeros(len(right), np.int64)
    places = np.minimum(np.searchsorted(left, values), len(left) - 1)
    common = (left[places] == values) & (values <= limits[owners])
    return np.bincount(owners[common], minlength=len(right))


def sizes_up_to(shingles: Shingles, documents: NDArray[np.int64], limits: Values) -> NDArray[np.int64]:
    """How many values of each document are at most its limit, int64 (m,), by bisection of all rows at once."""
    begins = shingles.starts[documents]
    low, high = begins.copy(), shingles.starts[documents + 1]
    open_rows = np.flatnonzero(limits < np.iinfo(limits.dtype).max)
    low_of, high_of, limit = low[open_rows], high[open_rows], limits[open_rows]
    while (active := low_of < high_of).any():
        middle = (low_of + high_of) // 2
        below = active & (shingles.values[np.where(active, middle, 0)] <= limit)
        low_of = np.where(below, middle + 1, low_of)
        high_of = np.where(active & ~below, middle, high_of)
    high[open_rows] = low_of
    return high - begins


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.divide(part, whole, out=np.zeros(len(part), np.float32), where=whole > 0, casting="unsafe")
