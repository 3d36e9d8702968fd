"""Candidates from sketches: pairs of documents that share sampled shingles (Broder et al. 1997, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.engine.prints import Sketches
from dupfinder.fingerprint.sketch import min_resemblance

_BLOCK = 1 << 20  # pairs of documents listed at a time, once for each shingle in common

ScoredPairs = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]
CountedPairs = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.intp]]


def sketch_pairs(
    sketches: Ragged,
    *,
    most_holders: int | None = None,
    reporter: Reporter = SILENT,
) -> Iterator[CountedPairs]:
    """Yield all pairs that share sampled shingles, in blocks: (left, right, number of shingles in common).

    sketches:     of n documents, unsigned; each value once in a document.
    most_holders: a shingle in more documents is ignored; None: none is.
    Within a block and over all blocks, pairs are sorted, and left < right. A block has all pairs of at least one
    document with later ones, and otherwise at most _BLOCK shingles in common. Raises Stopped.
    """
    count, starts = len(sketches), sketches.starts
    order = np.argsort(sketches.values, kind="stable")
    holders = sketches.per_value(np.arange(count, dtype=np.uint32))[order]
    begins, lengths = runs(sketches.values[order])
    ignored = np.repeat(lengths > (count if most_holders is None else most_holders), lengths)
    position = np.empty(len(order), np.intp)
    position[order] = np.arange(len(order))
    later = (np.repeat(begins + lengths, lengths) - 1 - np.arange(len(order))) * ~ignored
    later = later[position]  # of each value of each document: the later documents that have it too
    ends = starts_of(later)[starts]  # pairs before each document
    first = 0
    while first < count:
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, first, count))
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + _BLOCK, side="right")) - 1)
        span = slice(starts[first], starts[last])
        left, right, shared = _block(holders, position[span], later[span])
        if len(left):
            yield left, right, shared
        first = last


def _block(holders: NDArray[np.uint32], position: NDArray[np.intp], later: NDArray[np.intp]) -> CountedPairs:
    """Return the pairs of each holder at `position` with the `later` holders after it, and how often each occurs."""
    offsets = starts_of(later)
    partners = np.arange(offsets[-1]) + np.repeat(position + 1 - offsets[:-1], later)
    keys = np.sort(pair_keys(np.repeat(holders[position], later), holders[partners]))
    begins, counts = runs(keys)
    return *pairs_of(keys[begins]), counts


def join_sketches(sketches: Sketches, least: float, reporter: Reporter = SILENT, *, parts: bool = False) -> ScoredPairs:
    """Return (left, right, likeness) of all pairs whose likeness is at least `least`, sorted by (left, right).

    Likeness is the resemblance; with `parts`, which MOD_m sketches allow, the larger containment, 0 to 1. For
    super-shingles it is the number in common, and every pair that shares one is returned. Raises Stopped.
    """
    columns = [(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0))]
    for left, right, shared in sketch_pairs(sketches.entries, reporter=reporter):
        likeness = _likeness(sketches, left, right, shared, parts=parts)
        enough = likeness >= least if sketches.kind != "super" else np.ones(len(left), np.bool_)
        block = left[enough], right[enough], likeness[enough]
        columns.append(block if sketches.kind != "min" else _by_union(sketches, *block[:2], least))
    left_rows, right_rows, likenesses = zip(*columns, strict=True)
    return np.concatenate(left_rows), np.concatenate(right_rows), np.concatenate(likenesses)


def _likeness(
    sketches: Sketches, left: NDArray[np.uint32], right: NDArray[np.uint32], shared: NDArray[np.intp], *, parts: bool
) -> NDArray[np.float64]:
    """Return the likeness of pairs by the shingles in common: float64 (m,). For MIN_s it is the most it can be."""
    if sketches.kind == "super":
        return shared.astype(np.float64)
    sizes = sketches.entries.lengths
    if parts:
        return shared / np.minimum(sizes[left], sizes[right])
    union = sizes[left] + sizes[right] - shared
    return shared / (np.minimum(union, sketches.size) if sketches.kind == "min" else union)


def _by_union(sketches: Sketches, left: NDArray[np.uint32], right: NDArray[np.uint32], least: float) -> ScoredPairs:
    """Return the pairs whose resemblance, by the smallest shingles of their union, is at least `least`, with it."""
    likeness = np.fromiter(
        (
            min_resemblance(sketches.entries[a], sketches.entries[b], sketches.size)
            for a, b in zip(left.tolist(), right.tolist(), strict=True)
        ),
        np.float64,
        len(left),
    )
    enough = likeness >= least
    return left[enough], right[enough], likeness[enough]
