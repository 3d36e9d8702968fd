"""Align two traces: how much is in both in the same order, where they differ, and in what way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.cluster.relation import Difference
from dupfinder.diff.matching import Work, matching_runs
from dupfinder.fingerprint.trace import NUMBER, Trace

FILL: Final = 15  # words of what is filled in at one place of a form: a date, a name and an address in a row
SHORT_SHARE: Final = 0.8  # of the changed words, in short replacements; template pairs all, edited versions 4 to 41 %
CRUMB: Final = 2  # equal words between two changes that are there by chance: "the", "of a"
MOST_CELLS: Final = 400_000_000  # word pairs compared at most, a quarter of a second

Changes = NDArray[np.int64]


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
    gaps:       int64 (g, 4): left words i0:i1 have the place of right words j0:j1, and all between the gaps is equal.
    changes:    int64 (c, 4): gaps that few words part, as one; those words are there by chance.
    run:        words a gap, on average, counted on its longer side; 0 without gaps.
    difference: the class of the changes.
    """

    share: float
    gaps: Changes
    changes: Changes
    run: float
    difference: Difference


def align(left: Trace, right: Trace) -> Alignment | None:
    """Align two whole traces. None where that would take more than MOST_CELLS, or one is empty."""
    if not len(left) or not len(right):
        return None
    work = Work(MOST_CELLS, math.inf)
    runs = matching_runs(left.astype(np.int64), right.astype(np.int64), work)
    if not work.complete:
        return None
    matched = sum(length for _, _, length in runs)
    gaps = _gaps(runs, len(left), len(right))
    changes = _joined(gaps)
    run = float(_weights(gaps).mean()) if len(gaps) else 0.0
    share = 2 * matched / (len(left) + len(right))
    return Alignment(share, gaps, changes, run, _difference(left, right, gaps))


def reaches(left: Trace, right: Trace, share: float) -> bool:
    """Whether two traces have at least this share of their words in the same order. Quicker than aligning them."""
    least = math.ceil(share * (len(left) + len(right)) / 2)
    common = np.minimum(*(np.bincount(side, minlength=1 << 16) for side in (left, right))).sum()
    if common < least or len(left) * len(right) > MOST_CELLS:
        return False
    return LCSseq.similarity(left.tolist(), right.tolist(), score_cutoff=least) >= least


def _weights(changes: Changes) -> NDArray[np.int64]:
    """Words of each gap on its longer side."""
    weights: NDArray[np.int64] = np.maximum(changes[:, 1] - changes[:, 0], changes[:, 3] - changes[:, 2])
    return weights


def _gaps(runs: list[tuple[int, int, int]], left: int, right: int) -> Changes:
    """What lies before, between and after the runs."""
    gaps: list[tuple[int, int, int, int]] = []
    i = j = 0
    for run_i, run_j, length in [*runs, (left, right, 0)]:
        if run_i > i or run_j > j:
            gaps.append((i, run_i, j, run_j))
        i, j = run_i + length, run_j + length
    return np.array(gaps, np.int64).reshape(-1, 4)


def _joined(gaps: Changes) -> Changes:
    """The gaps, those that CRUMB words or fewer part as one."""
    if not len(gaps):
        return gaps
    begins = np.flatnonzero(np.append(True, gaps[1:, 0] - gaps[:-1, 1] > CRUMB))
    ends = np.append(begins[1:], len(gaps)) - 1
    return np.stack((gaps[begins, 0], gaps[ends, 1], gaps[begins, 2], gaps[ends, 3]), axis=1)


def _difference(left: Trace, right: Trace, gaps: Changes) -> Difference:
    if not len(gaps):
        return Difference.FORMAT
    if all(is_number(left[i0:i1]) and is_number(right[j0:j1]) for i0, i1, j0, j1 in gaps.tolist()):
        return Difference.NUMBERS
    lefts, rights, weights = gaps[:, 1] - gaps[:, 0], gaps[:, 3] - gaps[:, 2], _weights(gaps)
    if not lefts.any() or not rights.any():
        return Difference.ADDITIONS
    short = (lefts > 0) & (rights > 0) & (weights <= FILL)
    return Difference.SHORT if weights[short].sum() >= SHORT_SHARE * weights.sum() else Difference.MIXED


def is_number(words: Trace) -> bool:
    """Whether some words are numbers, dates or amounts alone; so is no word."""
    return bool((words & NUMBER).all())
