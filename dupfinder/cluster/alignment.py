"""Align two traces: how much is in both in the same order, where they differ, and in what way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.cluster.relation import Difference
from dupfinder.diff.matching import EXACT_CELLS, Work, matching_runs, sequence_of
from dupfinder.fingerprint.trace import NUMBER, Trace

FILL: Final = 15  # words of what is filled in at one place of a form: a date, a name and an address in a row
SHORT_SHARE: Final = 0.8  # of the changed words, in short replacements; template pairs all, edited versions 4 to 41 %
CRUMB: Final = 2  # equal words between two changes that are there by chance: "the", "of a"
MOST_CELLS: Final = 400_000_000  # word pairs compared at most, a quarter of a second

Changes = list[tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces of n documents, ragged: document i has values[starts[i]:starts[i + 1]].

    values: uint16 (total,); starts: int64 (n + 1,).
    words:  int64 (n,), words of each document; a trace with fewer is not whole and is not aligned.
    """

    values: Trace
    starts: NDArray[np.int64]
    words: NDArray[np.int64]

    def of(self, row: int) -> Trace:
        """The trace of a document; empty where it is not whole."""
        start, stop = int(self.starts[row]), int(self.starts[row + 1])
        return self.values[start:stop] if stop - start == self.words[row] else self.values[:0]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which documents have a whole trace, bool (n,)."""
        kept = np.diff(self.starts)
        whole: NDArray[np.bool_] = (kept > 0) & (kept == self.words)
        return whole


@dataclass(frozen=True, slots=True)
class Alignment:
    """How two texts compare word by word.

    share:      words of both that are in both in the same order, as a share of all words of both, 0..1.
    gaps:       (i0, i1, j0, j1) each: left words i0:i1 have the place of right words j0:j1; all between is equal.
    changes:    gaps that few words part, as one; those words are there by chance.
    run:        words a gap, on average, counted on its longer side; 0 without gaps.
    difference: the class of the changes.
    """

    share: float
    gaps: Changes
    changes: Changes
    run: float
    difference: Difference

    def turned(self) -> Alignment:
        """The alignment of the right text with the left one."""
        return replace(self, gaps=_turned(self.gaps), changes=_turned(self.changes))


def align(left: Trace, right: Trace) -> Alignment | None:
    """Align two whole traces. None where that would take more than MOST_CELLS, or one is empty.

    Of several best alignments the same one is found whichever text comes first, so that names and order decide nothing.
    """
    if not len(left) or not len(right):
        return None
    if (len(right), right.tobytes()) < (len(left), left.tobytes()):
        found = align(right, left)
        return None if found is None else found.turned()
    work = Work(MOST_CELLS, math.inf)
    runs = matching_runs(left, right, work)
    if not work.complete:
        return None
    matched = sum(length for _, _, length in runs)
    gaps = _gaps(runs, len(left), len(right))
    weights = [max(i1 - i0, j1 - j0) for i0, i1, j0, j1 in gaps]  # words of each on its longer side
    run = sum(weights) / len(gaps) if gaps else 0.0
    share = 2 * matched / (len(left) + len(right))
    return Alignment(share, gaps, _joined(gaps), run, _difference(left, right, gaps, weights))


def reaches(left: Trace, right: Trace, share: float) -> bool:
    """Whether two traces have at least this share of their words in the same order. Quicker than aligning them."""
    least = math.ceil(share * (len(left) + len(right)) / 2)
    cells = len(left) * len(right)
    if cells > MOST_CELLS or (cells > EXACT_CELLS and _in_common(left, right) < least):
        return False
    return LCSseq.similarity(sequence_of(left), sequence_of(right), score_cutoff=least) >= least


def _in_common(left: Trace, right: Trace) -> int:
    """How many words two texts have in common, in whatever order."""
    return int(np.minimum(*(np.bincount(side, minlength=1 << 16) for side in (left, right))).sum())


def _gaps(runs: list[tuple[int, int, int]], left: int, right: int) -> Changes:
    """What lies before, between and after the runs."""
    gaps: Changes = []
    i = j = 0
    for run_i, run_j, length in [*runs, (left, right, 0)]:
        if run_i > i or run_j > j:
            gaps.append((i, run_i, j, run_j))
        i, j = run_i + length, run_j + length
    return gaps


def _turned(gaps: Changes) -> Changes:
    return [(j0, j1, i0, i1) for i0, i1, j0, j1 in gaps]


def _joined(gaps: Changes) -> Changes:
    """The gaps, those that CRUMB words or fewer part as one."""
    joined: Changes = []
    for gap in gaps:
        if joined and gap[0] - joined[-1][1] <= CRUMB:
            joined[-1] = (joined[-1][0], gap[1], joined[-1][2], gap[3])
        else:
            joined.append(gap)
    return joined


def _difference(left: Trace, right: Trace, gaps: Changes, weights: list[int]) -> Difference:
    if not gaps:
        return Difference.FORMAT
    if all(is_number(left[i0:i1]) and is_number(right[j0:j1]) for i0, i1, j0, j1 in gaps):
        return Difference.NUMBERS
    if all(i0 == i1 for i0, i1, _, _ in gaps) or all(j0 == j1 for _, _, j0, j1 in gaps):
        return Difference.ADDITIONS
    short = sum(
        weight for (i0, i1, j0, j1), weight in zip(gaps, weights, strict=True) if i1 > i0 and j1 > j0 and weight <= FILL
    )
    return Difference.SHORT if short >= SHORT_SHARE * sum(weights) else Difference.MIXED


def is_number(words: Trace) -> bool:
    """Whether some words are numbers, dates or amounts alone; so is no word."""
    return bool((words & NUMBER).all())
