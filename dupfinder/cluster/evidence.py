"""Evidence: what is measured of candidate pairs, from the sketches and traces of their documents.

The same function measures the pairs of a scan, a text and the documents that it is looked up among, and two files right
before one of them is removed; so the same two texts get the same numbers everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.alignment import Traces, align, reaches
from dupfinder.cluster.relation import (
    LEAST_CONTAINMENT,
    LEAST_SHARED,
    LEAST_SIMILARITY,
    Difference,
    Evidence,
    scattered,
)
from dupfinder.cluster.verify import Shares, Shingles, verify
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.shingles import shingle_set
from dupfinder.fingerprint.sketch import shared
from dupfinder.fingerprint.trace import Trace
from dupfinder.index.pairs import Pairs

LEAST_ALIGNED: Final = 2 * LEAST_SIMILARITY / (1 + LEAST_SIMILARITY)  # the least similarity, as a share of the words


@dataclass(frozen=True, slots=True)
class Prints:
    """What pairs are measured by, of n documents.

    shingles: MIN_s sketches. traces: the words in their order. width: tokens of a shingle.
    """

    shingles: Shingles
    traces: Traces
    width: int

    @classmethod
    def of(cls, prints: list[TextPrint], width: int) -> Prints:
        """The columns of a few prints."""
        kept = [(one.sketch >> np.uint64(32)).astype(np.uint32) for one in prints]
        starts = np.concatenate(([0], np.cumsum([len(values) for values in kept]))).astype(np.int64)
        shingles = Shingles.of(np.concatenate(kept), starts, np.array([one.shingles for one in prints], np.int64))
        traced = np.concatenate(([0], np.cumsum([len(one.trace) for one in prints]))).astype(np.int64)
        words = np.array([one.words for one in prints], np.int64)
        return cls(shingles, Traces(np.concatenate([one.trace for one in prints]), traced, words), width)


def measure(
    pairs: Pairs, prints: Prints, radius: int, reporter: Reporter | None = None
) -> tuple[NDArray[np.intp], Evidence]:
    """(rows, evidence): the candidate pairs that are kept, ascending, and what was measured of each. Raises Stopped.

    radius: bits within which fingerprints propose texts under scattered edits.
    A pair is kept that a person can ever be shown: as versions, as part and whole, or as fillings of one form.
    """
    reporter = reporter or Silent()
    shares = verify(pairs, prints.shingles, reporter)
    contained = np.maximum(shares.left_in_right, shares.right_in_left)
    margin = 3 * shares.error  # an estimate below a limit by no more than this is measured again
    alike = shares.resemblance + margin >= LEAST_SIMILARITY
    held = contained + margin >= LEAST_CONTAINMENT
    maybe_scattered = (pairs.distance <= radius) & (shares.resemblance + margin >= LEAST_SHARED)
    rows = np.flatnonzero(alike | held | maybe_scattered)
    pairs = pairs.take(rows)
    some = _exact(pairs, _take(shares, rows), prints, reporter)
    evidence = _aligned(pairs, some, prints.traces, maybe_scattered[rows], reporter)
    kept = np.flatnonzero(is_kept(evidence))
    return rows[kept], evidence.take(kept)


def is_kept(evidence: Evidence) -> NDArray[np.bool_]:
    """Which pairs can be shown under some demand of a person, bool (m,)."""
    contained = np.maximum(evidence.left_in_right, evidence.right_in_left)
    alike = np.maximum(evidence.resemblance, scattered(evidence))
    return (alike >= LEAST_SIMILARITY) | (contained >= LEAST_CONTAINMENT)


def compare(left: TextPrint, right: TextPrint, width: int, radius: int = MAX_RADIUS) -> tuple[Pairs, Evidence]:
    """The pair of two texts and what `measure` says of it, also where it would not be kept."""
    distance = np.array([(left.fingerprint ^ right.fingerprint).bit_count()], np.uint8)
    pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), distance)
    prints, reporter = Prints.of([left, right], width), Silent()
    shares = _exact(pair, verify(pair, prints.shingles), prints, reporter)
    maybe_scattered = (pair.distance <= radius) & (shares.resemblance >= LEAST_SHARED)
    return pair, _aligned(pair, shares, prints.traces, maybe_scattered, reporter)


def _take(shares: Shares, rows: NDArray[np.intp]) -> Shares:
    return Shares(shares.resemblance[rows], shares.left_in_right[rows], shares.right_in_left[rows], shares.error[rows])


def _exact(pairs: Pairs, shares: Shares, prints: Prints, reporter: Reporter) -> Shares:
    """The shares with every estimate replaced by the exact number where both traces are whole."""
    whole = prints.traces.whole
    rows = np.flatnonzero((shares.error > 0) & whole[pairs.left] & whole[pairs.right])
    if not len(rows):
        return shares
    columns = [shares.resemblance.copy(), shares.left_in_right.copy(), shares.right_in_left.copy(), shares.error.copy()]
    held: tuple[int, Hashes] = (-1, np.empty(0, np.uint64))
    for number, row in enumerate(rows.tolist()):
        if number % 64 == 0:
            reporter.check()
            reporter.tell(Progress(Stage.VERIFY, number, len(rows)))
        left = int(pairs.left[row])
        if held[0] != left:
            held = (left, _shingles_of(prints.traces.of(left), prints.width))
        one, other = held[1], _shingles_of(prints.traces.of(int(pairs.right[row])), prints.width)
        common = shared(one, other)
        exact = (common / (len(one) + len(other) - common), common / len(one), common / len(other), 0)
        for column, number_of_row in zip(columns, exact, strict=True):
            column[row] = number_of_row
    return Shares(*columns)


def _shingles_of(trace: Trace, width: int) -> Hashes:
    """The shingle set of a trace: of codes in place of words, which equal codes of unlike words hardly change."""
    return shingle_set(trace.astype(np.uint64), width)


def _aligned(
    pairs: Pairs, shares: Shares, traces: Traces, maybe_scattered: NDArray[np.bool_], reporter: Reporter
) -> Evidence:
    """The evidence of pairs: what is alike enough, or may be under scattered edits, is aligned word by word."""
    count = len(pairs)
    aligned, run = np.full(count, -1, np.float32), np.zeros(count, np.float32)
    changes = np.zeros(count, np.int32)
    difference = np.full(count, Difference.UNKNOWN, np.uint8)
    alike = shares.resemblance >= LEAST_SIMILARITY
    wanted = np.flatnonzero((alike | maybe_scattered) & traces.whole[pairs.left] & traces.whole[pairs.right])
    for number, row in enumerate(wanted.tolist()):
        if number % 64 == 0:
            reporter.check()
            reporter.tell(Progress(Stage.VERIFY, number, len(wanted)))
        left, right = traces.of(int(pairs.left[row])), traces.of(int(pairs.right[row]))
        if not alike[row] and not reaches(left, right, LEAST_ALIGNED):
            continue
        found = align(left, right) if len(left) <= len(right) else align(right, left)  # either way the same
        if found is not None:
            aligned[row], run[row], difference[row] = found.share, found.run, found.difference
            changes[row] = len(found.changes)
    return Evidence(
        shares.resemblance, shares.left_in_right, shares.right_in_left, shares.error,
        aligned, changes, run, difference, np.zeros(count, np.bool_),
    )  # fmt: skip


def with_forms(evidence: Evidence, form: NDArray[np.bool_]) -> Evidence:
    """The evidence with what only several documents show together: which pairs are fillings of one form."""
    return replace(evidence, form=form)
