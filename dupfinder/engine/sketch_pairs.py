"""Candidates from sketches: pairs of documents that share sampled shingles (Broder et al. 1997, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.engine.prints import Sketched
from dupfinder.fingerprint.sketch import containment, min_resemblance, resemblance

MOST_HOLDERS = 200  # a shingle in more documents is template or boilerplate: it proposes nothing
_BLOCK = 8_000_000  # (document, document) rows expanded at once

Columns = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class SketchPairs:
    """left, right: uint32 (m,), left < right, sorted, each once. shared: int32 (m,), sampled shingles in common.

    dropped: number of shingles left out because too many documents hold them.
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
    """All pairs that share at least as many sampled shingles as the less demanding of the two asks.

    values, starts: MOD_m sketches of n documents, ragged. least: int64 (n,), what each document asks for.
    Memory is bounded: lists are expanded, sorted and added up in blocks that are merged. Raises Stopped.
    """
    reporter = reporter or Silent()
    holders = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    order = np.argsort(values, kind="stable")
    ranked, holders = values[order], holders[order]
    begins = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1]))) if len(ranked) else np.empty(0, int)
    lengths = np.diff(np.append(begins, len(ranked)))
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
    left, right = (keys >> np.uint64(32)).astype(np.uint32), (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    enough = counts >= np.minimum(least[left], least[right])
    return SketchPairs(left[enough], right[enough], counts[enough], dropped)


def _expand(holders: NDArray[np.uint32], begins: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Every pair of holders of each shingle, as left << 32 | right, with left < right, unsorted."""
    blocks: list[NDArray[np.uint64]] = []
    for shift in range(1, int(lengths.max())):
        live = lengths > shift
        begins, lengths = begins[live], lengths[live]
        inner = lengths - shift
        offsets = np.concatenate(([0], np.cumsum(inner)))
        places = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], inner)
        one, other = holders[places], holders[places + shift]
        left = np.minimum(one, other).astype(np.uint64)
        blocks.append(left << np.uint64(32) | np.maximum(one, other))
    return np.concatenate(blocks)


def _add_up(keys: NDArray[np.uint64], counts: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[begins], np.add.reduceat(counts, begins).astype(np.int32)


def join_sketches(
    sketches: Sketched, least: float, reporter: Reporter | None = None, *, parts: bool = False
) -> Columns:
    """(left, right, likeness) of all pairs that are alike by at least `least`, 0 to 1, sorted by (left, right).

    Likeness is resemblance; with `parts`, which MOD_m alone tells, the larger containment; of super-shingles, whose
    pairs are candidates, the number in common. Raises Stopped.
    """
    count = len(sketches.starts) - 1
    pairs = sketch_pairs(
        sketches.values, sketches.starts, np.ones(count, np.int64), most_holders=count + 1, reporter=reporter
    )
    if sketches.kind == "super":
        return pairs.left, pairs.right, pairs.shared.astype(np.float64)
    sets = [sketches.values[a:b] for a, b in zip(sketches.starts[:-1], sketches.starts[1:], strict=True)]
    alike = np.empty(len(pairs.left))
    for row, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        one, other = sets[left], sets[right]
        if parts:
            alike[row] = max(containment(one, other), containment(other, one))
        else:
            alike[row] = (
                min_resemblance(one, other, sketches.size) if sketches.kind == "min" else resemblance(one, other)
            )
    enough = alike >= least
    return pairs.left[enough], pairs.right[enough], alike[enough]
