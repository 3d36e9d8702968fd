"""Candidates from sketches: pairs of documents that share sampled shingles (Broder et al. 1997, section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.engine.prints import Sketched
from dupfinder.fingerprint.sketch import min_resemblance

_BLOCK = 1 << 20  # pairs of documents listed at a time, once for each shingle in common

ScoredPairs = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]
Shared = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.intp]]


def sketch_pairs(
    values: NDArray[np.unsignedinteger[Any]],
    starts: NDArray[np.int64],
    *,
    most_holders: int | None = None,
    reporter: Reporter = SILENT,
) -> Iterator[Shared]:
    """Yield all pairs that share sampled shingles, in blocks: (left, right, number of shingles in common).

    values, starts: sketches of n documents; those of document i are values[starts[i]:starts[i + 1]], each once.
    most_holders:   a shingle in more documents is ignored; None: none is.
    Within a block and over all blocks, pairs are sorted, and left < right. A block has all pairs of at least one
    document with later ones, and otherwise at most _BLOCK shingles in common. Raises Stopped.
    """
    order = np.argsort(values, kind="stable")
    holders = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))[order]
    begins, lengths = runs(values[order])
    ignored = np.repeat(lengths > (len(starts) if most_holders is None else most_holders), lengths)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    later = (np.repeat(begins + lengths, lengths) - 1 - np.arange(len(order))) * ~ignored
    later = later[place]  # of each value of each document: the later documents that have it too
    ends = starts_of(later)[starts]  # pairs before each document
    first = 0
    while first < len(starts) - 1:
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, first, len(starts) - 1))
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + _BLOCK, side="right")) - 1)
        span = slice(starts[first], starts[last])
        left, right, shared = _block(holders, place[span], later[span])
        if len(left):
            yield left, right, shared
        first = last


def _block(holders: NDArray[np.uint32], place: NDArray[np.intp], later: NDArray[np.intp]) -> Shared:
    """Return the pairs of each holder at `place` with the `later` holders after it, and how often each pair occurs."""
    offsets = starts_of(later)
    partners = np.arange(offsets[-1]) + np.repeat(place + 1 - offsets[:-1], later)
    keys = np.sort(pair_keys(np.repeat(holders[place], later), holders[partners]))
    begins, counts = runs(keys)
    return *pairs_of(keys[begins]), counts


def join_sketches(sketches: Sketched, least: float, reporter: Reporter = SILENT, *, parts: bool = False) -> ScoredPairs:
    """Return (left, right, likeness) of all pairs whose likeness is at least `least`, sorted by (left, right).

    Likeness is the resemblance; with `parts`, which MOD_m sketches allow, the larger containment, 0 to 1. For
    super-shingles it is the number in common, and every pair that shares one is returned. Raises Stopped.
    """
    columns = [(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0))]
    for left, right, shared in sketch_pairs(sketches.values, sketches.starts, reporter=reporter):
        likeness = _likeness(sketches, left, right, shared, parts=parts)
        enough = likeness >= least if sketches.kind != "super" else np.ones(len(left), np.bool_)
        block = left[enough], right[enough], likeness[enough]
        columns.append(block if sketches.kind != "min" else _by_union(sketches, *block[:2], least))
    left_rows, right_rows, likenesses = zip(*columns, strict=True)
    return np.concatenate(left_rows), np.concatenate(right_rows), np.concatenate(likenesses)


def _likeness(
    sketches: Sketched, left: NDArray[np.uint32], right: NDArray[np.uint32], shared: NDArray[np.intp], *, parts: bool
) -> NDArray[np.float64]:
    """Return the likeness of pairs by the shingles in common: float64 (m,). For MIN_s it is the most it can be."""
    if sketches.kind == "super":
        return shared.astype(np.float64)
    sizes = np.diff(sketches.starts)
    if parts:
        return shared / np.minimum(sizes[left], sizes[right])
    union = sizes[left] + sizes[right] - shared
    return shared / (np.minimum(union, sketches.size) if sketches.kind == "min" else union)


def _by_union(sketches: Sketched, left: NDArray[np.uint32], right: NDArray[np.uint32], least: float) -> ScoredPairs:
    """Return the pairs whose resemblance, by the smallest shingles of their union, is at least `least`, with it."""
    values, starts, size = sketches.values, sketches.starts, sketches.size
    likeness = np.fromiter(
        (
            min_resemblance(values[starts[a] : starts[a + 1]], values[starts[b] : starts[b + 1]], size)
            for a, b in zip(left.tolist(), right.tolist(), strict=True)
        ),
        np.float64,
        len(left),
    )
    enough = likeness >= least
    return left[enough], right[enough], likeness[enough]
