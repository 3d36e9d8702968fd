"""From stored documents to measured pairs: candidates of fingerprints and sketches, then the evidence of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.cluster.alignment import Traces
from dupfinder.cluster.candidates import passage_pairs, union
from dupfinder.cluster.evidence import Prints, measure, with_forms
from dupfinder.cluster.forms import same_forms
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY, Evidence
from dupfinder.cluster.verify import Shingles
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import widest_radius
from dupfinder.library.library import Library, Sketch
from dupfinder.library.rows import Documents
from dupfinder.scan.bounded import bounded_join

LEAST_SHARE: Final = min(LEAST_SIMILARITY, LEAST_CONTAINMENT)  # of one of two texts in the other, to be compared
PAIRS_OVER: Final = 2  # the number of pairs is estimated from a sample: up to so many times the budget are taken


@dataclass(frozen=True, slots=True)
class Budget:
    """What the widest radius may cost: seconds of matching, and candidate pairs."""

    seconds: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Matched:
    """What matching gives.

    pairs, evidence: the pairs that can be shown, row for row. widest: bits looked at.
    rejected: int64 (65,), candidate pairs that were not kept, by distance.
    """

    pairs: Pairs
    evidence: Evidence
    widest: int
    rejected: NDArray[np.int64]


def compared(documents: Documents) -> NDArray[np.intp]:
    """The rows that are compared: of copies the first alone, ascending."""
    copies = representatives(documents.copy_hashes())
    return np.flatnonzero(documents.comparable & (copies == np.arange(len(documents))))


def prints_of(library: Library, documents: Documents, chosen: NDArray[np.intp]) -> Prints:
    """What some rows are measured by."""
    numbers = documents.ids[chosen]
    smallest, traced = library.sketches(numbers), library.sketches(numbers, Sketch.TRACE)
    shingles = Shingles.of(smallest.values, smallest.starts, documents.shingles[chosen])
    traces = Traces(
        traced.values.astype(np.uint16, copy=False), traced.starts, documents.words[chosen].astype(np.int64)
    )
    return Prints(shingles, traces, Scheme().shingle)


def match(library: Library, documents: Documents, budget: Budget, reporter: Reporter) -> Matched:
    """All measured pairs among documents with different words. Raises Stopped."""
    chosen = compared(documents)
    prints = prints_of(library, documents, chosen)
    candidates, widest = propose(documents, chosen, prints, budget, reporter)
    reporter.check()
    reporter.tell(Progress(Stage.VERIFY, 0, len(candidates)))
    kept, evidence = measure(candidates, prints, widest, reporter)
    rejected = np.bincount(candidates.distance, minlength=65)
    candidates = candidates.take(kept)
    rejected -= np.bincount(candidates.distance, minlength=65)
    ranks = _ranks(documents.copy_hashes()[chosen])
    evidence = with_forms(evidence, same_forms(candidates, evidence, prints.traces, ranks, reporter))
    left, right = (chosen[side].astype(np.uint32) for side in (candidates.left, candidates.right))
    return Matched(Pairs(left, right, candidates.distance), evidence, widest, rejected.astype(np.int64))


def _ranks(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The place of each document in the order of their texts' hashes, which names do not change."""
    ranks = np.empty(len(hashes), np.int64)
    ranks[np.lexsort((hashes[:, 1], hashes[:, 0]))] = np.arange(len(hashes))
    return ranks


def propose(
    documents: Documents,
    chosen: NDArray[np.intp],
    prints: Prints,
    budget: Budget,
    reporter: Reporter,
) -> tuple[Pairs, int]:
    """(candidate pairs, widest radius): pairs of places in `chosen` from both sources. Raises Stopped."""
    fingerprints = documents.fingerprint[chosen]
    reporter.tell(Progress(Stage.MATCH, 0, len(chosen)))
    choice = widest_radius(fingerprints, seconds=budget.seconds, pairs=budget.pairs)
    hashes = documents.copy_hashes()[chosen]
    near, widest = bounded_join(fingerprints, hashes, choice.radius, PAIRS_OVER * budget.pairs, reporter)
    shared = passage_pairs(prints.shingles, LEAST_SHARE, PAIRS_OVER * budget.pairs, reporter)
    return union(near, shared, fingerprints), widest
