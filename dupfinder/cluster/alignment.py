"""Align two traces: what share of words they have in the same order, where they differ, and in what way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.base.columns import Ragged, Whole
from dupfinder.cluster.relation import Difference
from dupfinder.diff.matching import EXACT_CELLS, Work, matching_runs, sequence_of
from dupfinder.fingerprint.tokens import NUMBER, Trace
from dupfinder.processes.crew import Shared, SharedRagged

FILL: Final = 15  # most words of a short replacement: a date, a name and an address filled into a form
SHORT_SHARE: Final = 0.8  # share of changed words in short replacements; 1 in measured forms, 0.04 to 0.41 in versions
CHANCE_WORDS: Final = 2  # words; so few equal words between two changes, such as "of a", may be equal by chance
MOST_CELLS: Final = 400_000_000  # word pairs compared at most: a quarter of a second

Changes = list[tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Traces(Ragged):
    """The traces of n documents: uint16.

    words: int64 (n,), words of each document; a trace with fewer values is incomplete and is not aligned.
    """

    words: NDArray[np.int64]

    def of(self, row: int) -> Trace:
        """Return the trace of a document: uint16 (words,); empty if it is incomplete."""
        trace = self[row]
        return trace if len(trace) == self.words[row] else trace[:0]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """bool (n,), which documents have a complete trace."""
        whole: NDArray[np.bool_] = (self.lengths > 0) & (self.lengths == self.words)
        return whole


@dataclass(frozen=True, slots=True)
class SharedTraces(SharedRagged):
    """Traces that all processes of a crew can read. The fields are as in Traces."""

    words: Shared

    def take(self, documents: Whole) -> Traces:
        """Return the traces of some documents, in this order, as a copy."""
        traces = self.take_ragged(documents)
        return Traces(traces.values, traces.starts, self.words.array()[documents])


@dataclass(frozen=True, slots=True)
class Alignment:
    """How two texts compare word by word.

    share:      words that both texts have in the same order, as a share of all words of both, 0..1.
    gaps:       (i0, i1, j0, j1) each: left words i0:i1 are replaced by right words j0:j1; the words between gaps are
                equal.
    changes:    the gaps, joined where only few equal words lie between them, since these may be equal by chance.
    run:        average words of a gap, on its longer side; 0 without gaps.
    difference: the class of the changes.
    """

    share: float
    gaps: Changes
    changes: Changes
    run: float
    difference: Difference


def align(left: Trace, right: Trace) -> Alignment | None:
    """Align two complete traces. Return None if it would compare more than MOST_CELLS word pairs, or a trace is empty.

    See `gaps_of` for which of several equally good alignments it is.
    """
    gaps = gaps_of(left, right)
    if gaps is None:
        return None
    weights = [max(i1 - i0, j1 - j0) for i0, i1, j0, j1 in gaps]  # words of each gap on its longer side
    run = sum(weights) / len(gaps) if gaps else 0.0
    matched = len(left) - sum(i1 - i0 for i0, i1, _, _ in gaps)
    share = 2 * matched / (len(left) + len(right))
    return Alignment(share, gaps, _joined(gaps), run, _difference(left, right, gaps, weights))


def gaps_of(left: Trace, right: Trace) -> Changes | None:
    """Return the gaps of the alignment of two complete traces, as in Alignment; None as `align` does.

    Where several alignments are equally good, the result does not depend on which text is left: the order of files
    must not affect decisions.
    """
    if not len(left) or not len(right):
        return None
    if (len(right), right.tobytes()) < (len(left), left.tobytes()):
        gaps = gaps_of(right, left)
        return None if gaps is None else [(j0, j1, i0, i1) for i0, i1, j0, j1 in gaps]
    work = Work(MOST_CELLS, math.inf)
    runs = matching_runs(left, right, work)
    return _gaps(runs, len(left), len(right)) if work.complete else None


def reaches(left: Trace, right: Trace, share: float) -> bool:
    """Tell whether two traces have at least this share of their words in the same order. Faster than `align`."""
    least = math.ceil(share * (len(left) + len(right)) / 2)
    cells = len(left) * len(right)
    if cells > MOST_CELLS or (cells > EXACT_CELLS and _common_words(left, right) < least):
        return False
    return LCSseq.similarity(sequence_of(left), sequence_of(right), score_cutoff=least) >= least


def _common_words(left: Trace, right: Trace) -> int:
    """Count the words that two texts have in common, in any order."""
    return int(np.minimum(*(np.bincount(side, minlength=1 << 16) for side in (left, right))).sum())


def _gaps(runs: list[tuple[int, int, int]], left: int, right: int) -> Changes:
    """Return the gaps before, between and after the runs. left, right: lengths of the traces."""
    gaps: Changes = []
    i = j = 0
    for run_i, run_j, length in [*runs, (left, right, 0)]:
        if run_i > i or run_j > j:
            gaps.append((i, run_i, j, run_j))
        i, j = run_i + length, run_j + length
    return gaps


def _joined(gaps: Changes) -> Changes:
    """Join gaps with at most CHANCE_WORDS words between them."""
    joined: Changes = []
    for gap in gaps:
        if joined and gap[0] - joined[-1][1] <= CHANCE_WORDS:
            joined[-1] = (joined[-1][0], gap[1], joined[-1][2], gap[3])
        else:
            joined.append(gap)
    return joined


def _difference(left: Trace, right: Trace, gaps: Changes, weights: list[int]) -> Difference:
    """Return the class of the changes. weights: words of each gap on its longer side."""
    if not gaps:
        return Difference.FORMAT
    of_left, of_right = numbers_of(left), numbers_of(right)
    if all(0 not in of_left[i0:i1] and 0 not in of_right[j0:j1] for i0, i1, j0, j1 in gaps):
        return Difference.NUMBERS
    if all(i0 == i1 for i0, i1, _, _ in gaps) or all(j0 == j1 for _, _, j0, j1 in gaps):
        return Difference.ADDITIONS
    short = sum(
        weight for (i0, i1, j0, j1), weight in zip(gaps, weights, strict=True) if i1 > i0 and j1 > j0 and weight <= FILL
    )
    return Difference.SHORT if short >= SHORT_SHARE * sum(weights) else Difference.MIXED


def numbers_of(words: Trace) -> bytes:
    """Return for each word 1 if it is a number, a date or an amount, else 0."""
    return (words & NUMBER).astype(np.bool_).tobytes()
