"""Verification: resemblance and containment of candidate pairs, from the shingle sketches of their documents."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.cluster.likeness import Likeness
from dupfinder.index.pairs import Pairs

Values = NDArray[np.unsignedinteger[Any]]
_BLOCK = 4_000_000  # shingle values compared at once; bounds the working memory to some tens of megabytes


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


def verify(pairs: Pairs, shingles: Shingles, reporter: Reporter | None = None) -> Likeness:
    """The likeness of every pair, row for row; what it cannot tell is left False.

    Both sets are cut at the smaller of their largest kept values (no cut when both are whole): below it everything of
    either is known, so the shares are exact there, and unbiased estimates for the whole (Broder 1997, MIN_s).

    The documents of one left row are looked up in a table of marks, so the cost is one table access for each value
    of the right documents. Raises Stopped.
    """
    reporter = reporter or Silent()
    ids, limits = _dense(shingles)
    marks = np.zeros(int(ids.max()) + 1 if len(ids) else 1, np.bool_)
    order = np.argsort(pairs.left, kind="stable")
    left, right = pairs.left[order].astype(np.int64), pairs.right[order].astype(np.int64)
    shared = np.zeros(len(pairs), np.int64)
    left_size, right_size = np.zeros(len(pairs), np.int64), np.zeros(len(pairs), np.int64)
    bounds = np.flatnonzero(np.diff(left, prepend=-1, append=-1))
    for number, (start, stop) in enumerate(itertools.pairwise(bounds)):
        if number % 256 == 0:
            reporter.check()
            reporter.tell(Progress(Stage.VERIFY, int(start), len(pairs)))
        mine = ids[shingles.starts[left[start]] : shingles.starts[left[start] + 1]]
        marks[mine] = True
        for part in _parts(right[start:stop], shingles.starts):
            chosen = slice(start + part.start, start + part.stop)
            _count(mine, right[chosen], left[start], ids, limits, shingles, marks,
                   shared[chosen], left_size[chosen], right_size[chosen])  # fmt: skip
        marks[mine] = False
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    left_size, right_size = left_size[back], right_size[back]
    # Shortened values of one document may fall together; they are common once.
    shared = np.minimum(shared[back], np.minimum(left_size, right_size))
    whole = shingles.whole[pairs.left] & shingles.whole[pairs.right]
    return Likeness(
        _share(shared, left_size + right_size - shared),
        _share(shared, left_size),
        _share(shared, right_size),
        whole,
        *(np.zeros(len(pairs), np.bool_) for _ in range(3)),
    )


def _dense(shingles: Shingles) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Values renamed to their rank among all values, int32 (total,), and for each document the rank up to which
    all of its values are known, int32 (n,)."""
    order = np.argsort(shingles.values)
    ranked = shingles.values[order]
    new = np.empty(len(ranked), np.bool_)
    new[:1] = False
    np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
    ids = np.empty(len(ranked), np.int32)
    ids[order] = np.cumsum(new, dtype=np.int32)
    limits = np.full(len(shingles.whole), np.iinfo(np.int32).max, np.int32)
    cut = np.flatnonzero(~shingles.whole)
    limits[cut] = ids[shingles.starts[cut + 1] - 1]
    return ids, limits


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


def _count(
    mine: NDArray[np.int32],
    right: NDArray[np.int64],
    left: np.int64,
    ids: NDArray[np.int32],
    limits: NDArray[np.int32],
    shingles: Shingles,
    marks: NDArray[np.bool_],
    shared: NDArray[np.int64],
    left_size: NDArray[np.int64],
    right_size: NDArray[np.int64],
) -> None:
    """Fill the counts of one left document against some right ones."""
    begins, ends = shingles.starts[right], shingles.starts[right + 1]
    lengths = ends - begins
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths)
    theirs = ids[places]
    limit = np.minimum(limits[right], limits[left])
    known = theirs <= np.repeat(limit, lengths)
    common = marks[theirs] & known
    running = np.concatenate(([0], np.cumsum(common)))
    shared[:] = running[offsets[1:]] - running[offsets[:-1]]
    running = np.concatenate(([0], np.cumsum(known)))
    right_size[:] = running[offsets[1:]] - running[offsets[:-1]]
    left_size[:] = np.searchsorted(mine, limit, side="right")


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.divide(part, whole, out=np.zeros(len(part), np.float32), where=whole > 0, casting="unsafe")
