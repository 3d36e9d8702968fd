"""Candidates from sketches: pairs of documents that share sampled shingles (Broder et al. 1997, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.engine.prints import Sketched
from dupfinder.fingerprint.sketch import containment, min_resemblance, resemblance

MOST_HOLDERS = 200  # documents; a shingle in more is boilerplate and gives no candidates
_BLOCK = 8_000_000  # pairs of documents listed at a time

Columns = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class SketchPairs:
    """Pairs of documents that share sampled shingles.

    left, right: uint32 (m,), left < right, sorted, each pair once.
    shared:      int32 (m,), sampled shingles in common.
    dropped:     number of shingles ignored because too many documents contain them.
    """

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    shared: NDArray[np.int32]
    dropped: int


def sketch_pairs(
    values: NDArray[np.unsignedinteger[Any]],
    starts: NDArray[np.int64],
    least: NDArray[np.int64],
    *,
    most_holders: int = MOST_HOLDERS,
    reporter: Reporter | None = None,
) -> SketchPairs:
    """Return all pairs that share at least min(least[left], least[right]) sampled shingles.

    values, starts: MOD_m sketches of n documents; those of document i are values[starts[i]:starts[i + 1]].
    least:          int64 (n,), shared shingles required for each document.
    Pairs are listed, sorted and counted in blocks, which are merged. A block holds the pairs of one shingle at least,
    so memory is bounded by _BLOCK or the square of `most_holders`. Raises Stopped.
    """
    reporter = reporter or Silent()
    holders = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    order = np.argsort(values, kind="stable")
    ranked, holders = values[order], holders[order]
    begins, lengths = runs(ranked)
    dropped = int((lengths > most_holders).sum())
    chosen = (lengths > 1) & (lengths <= most_holders)
    begins, lengths = begins[chosen], lengths[chosen]
    keys, counts = np.empty(0, np.uint64), np.empty(0, np.int32)
    costs = np.cumsum(lengths * (lengths - 1) // 2)
    start = 0
    while start < len(begins):
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, start, len(begins)))
        base = costs[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(costs, base + _BLOCK, side="right")))
        block = _expand(holders, begins[start:stop], lengths[start:stop])
        keys, counts = _add_up(np.concatenate((keys, block)), np.concatenate((counts, np.ones(len(block), np.int32))))
        start = stop
    left, right = pairs_of(keys)
    enough = counts >= np.minimum(least[left], least[right])
    return SketchPairs(left[enough], right[enough], counts[enough], dropped)


def _expand(holders: NDArray[np.uint32], begins: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Return every pair of documents that contain each shingle, as left << 32 | right with left < right, unsorted."""
    blocks: list[NDArray[np.uint64]] = []
    for shift in range(1, int(lengths.max())):
        longer = lengths > shift
        begins, lengths = begins[longer], lengths[longer]
        inner = lengths - shift
        offsets = starts_of(inner)
        rows = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], inner)
        first, second = holders[rows], holders[rows + shift]
        blocks.append(pair_keys(np.minimum(first, second), np.maximum(first, second)))
    return np.concatenate(blocks)


def _add_up(keys: NDArray[np.uint64], counts: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return each key once, ascending, with the sum of its counts."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    begins, _ = runs(keys)
    return keys[begins], np.add.reduceat(counts, begins).astype(np.int32)


def join_sketches(
    sketches: Sketched, least: float, reporter: Reporter | None = None, *, parts: bool = False
) -> Columns:
    """Return (left, right, likeness) of all pairs whose likeness is at least `least`, sorted by (left, right).

    Likeness is the resemblance; with `parts`, which MOD_m sketches allow, the larger containment, 0 to 1. For
    super-shingles it is the number in common, and every pair that shares one is returned. Raises Stopped.
    """
    count = len(sketches.starts) - 1
    pairs = sketch_pairs(
        sketches.values, sketches.starts, np.ones(count, np.int64), most_holders=count + 1, reporter=reporter
    )
    if sketches.kind == "super":
        return pairs.left, pairs.right, pairs.shared.astype(np.float64)
    sets = [sketches.values[a:b] for a, b in zip(sketches.starts[:-1], sketches.starts[1:], strict=True)]
    likeness = np.empty(len(pairs.left))
    for row, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        a, b = sets[left], sets[right]
        if parts:
            likeness[row] = max(containment(a, b), containment(b, a))
        else:
            likeness[row] = min_resemblance(a, b, sketches.size) if sketches.kind == "min" else resemblance(a, b)
    enough = likeness >= least
    return pairs.left[enough], pairs.right[enough], likeness[enough]
