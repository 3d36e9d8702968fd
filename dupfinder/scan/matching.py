"""From stored documents to measured pairs: candidates by fingerprints and sketches, then their evidence."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import MATCH_PAIRS, MATCH_SECONDS, Settings
from dupfinder.cluster.alignment import Traces
from dupfinder.cluster.candidates import passage_pairs, union
from dupfinder.cluster.evidence import Prints, measure, with_forms
from dupfinder.cluster.families import form_families
from dupfinder.cluster.forms import same_forms
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY, Demand, Evidence
from dupfinder.cluster.verify import Shingles
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import widest_radius
from dupfinder.index.tables import TooManyPairs, join
from dupfinder.library.library import Library
from dupfinder.library.rows import READ, Documents, ScanSummary
from dupfinder.library.stored import Sketch
from dupfinder.scan.earlier import Measured, StillHere, compared, text_keys

MEASURING: Final = 3  # raise it when a change makes the evidence of some pair differ, or other pairs are kept
LEAST_SHARE: Final = min(LEAST_SIMILARITY, LEAST_CONTAINMENT)  # least share of one text that is in the other
PAIRS_OVER: Final = 2  # times the budget of pairs that are allowed, since their number is estimated from a sample


def bounded_join(
    fingerprints: NDArray[np.uint64], ties: NDArray[np.uint64], radius: int, most: int, reporter: Reporter
) -> tuple[Pairs, int]:
    """Return (pairs, radius): all pairs within the widest radius up to `radius` that has at most `most` of them.

    fingerprints: uint64 (n,). ties: uint64 (n, 2), different for different texts. Raises Stopped.
    If even equal fingerprints have too many pairs, each row is paired with some of its equals, see `frequent_pairs`.
    """
    while radius >= 0:
        try:
            return join(fingerprints, radius, reporter=reporter, most_pairs=most), radius
        except TooManyPairs:
            radius -= 1
    return frequent_pairs(fingerprints, ties, most), 0


def frequent_pairs(fingerprints: NDArray[np.uint64], ties: NDArray[np.uint64], most: int) -> Pairs:
    """Return pairs of each row with the first few rows of equal fingerprint, in the order of `ties`: sorted.

    There are about `most` pairs or fewer. All rows get the same partners, so that equal documents form one family;
    these are chosen by `ties`, so that neither names nor the order of reading matter.
    """
    count = len(fingerprints)
    order = np.lexsort((ties[:, 1], ties[:, 0], fingerprints))
    ranked = fingerprints[order]
    group_starts, sizes = runs(ranked)
    starts = np.repeat(group_starts, sizes)
    rank = np.arange(count) - starts
    keys = []
    for partner in range(min(max(1, most // max(1, count)), int(sizes.max(initial=1)) - 1)):
        later_rows = np.flatnonzero(rank > partner)
        partner_rows, other_rows = order[starts[later_rows] + partner], order[later_rows]
        keys.append(pair_keys(np.minimum(partner_rows, other_rows), np.maximum(partner_rows, other_rows)))
    all_keys = np.sort(np.concatenate(keys)) if keys else np.empty(0, np.uint64)
    return Pairs(*pairs_of(all_keys), np.zeros(len(all_keys), np.uint8))


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of the widest radius: seconds of matching, and candidate pairs."""

    seconds: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Matched:
    """The result of matching.

    pairs, evidence: the pairs that can be shown, row for row. widest: the radius that was searched, in bits.
    rejected: int64 (65,), pairs within `widest` that are too different to be shown, by distance.
    revision: MEASURING if all pairs were examined, so that a later scan may reuse them; else 0.
    """

    pairs: Pairs
    evidence: Evidence
    widest: int
    rejected: NDArray[np.int64]
    revision: int


def prints_of(library: Library, documents: Documents, chosen: NDArray[np.intp]) -> Prints:
    """Return the prints by which some rows are measured."""
    shingles = _shingles_of(library, documents, chosen)
    return Prints(shingles, _traces_of(library, documents, chosen, np.arange(len(chosen))), Scheme().shingle)


def _shingles_of(library: Library, documents: Documents, chosen: NDArray[np.intp]) -> Shingles:
    """Return the shingles of some rows."""
    smallest = library.sketches(documents.ids[chosen])
    return Shingles.of(smallest.values, smallest.starts, documents.shingles[chosen])


def _traces_of(
    library: Library, documents: Documents, chosen: NDArray[np.intp], wanted: NDArray[np.integer[Any]]
) -> Traces:
    """Return traces of some rows: those at indices in `wanted`; the others are empty."""
    indices = np.flatnonzero(np.bincount(wanted, minlength=len(chosen)))
    traced = library.sketches(documents.ids[chosen[indices]], Sketch.TRACE)
    sizes = np.zeros(len(chosen), np.int64)
    sizes[indices] = np.diff(traced.starts)
    return Traces(
        traced.values.astype(np.uint16, copy=False), starts_of(sizes), documents.words[chosen].astype(np.int64)
    )


def match(
    library: Library, documents: Documents, budget: Budget, reporter: Reporter, before: Measured | None = None
) -> Matched:
    """Measure all pairs of documents with different words. Raises Stopped.

    before: the result of this function in an earlier scan, to be reused; it does not change the result.
    """
    chosen = compared(documents)
    reporter.tell(Progress(Stage.MATCH, 0, len(chosen)))
    near = near_pairs(documents, chosen, budget, reporter)
    known = StillHere.nothing(len(chosen))
    if before is not None and near.complete and before.widest == near.widest:
        known = StillHere.of(before, text_keys(documents, chosen))
    pairs, evidence, complete = known.pairs, known.evidence, True
    if known.fresh.any():
        shingles = _shingles_of(library, documents, chosen)
        candidates, complete = propose(documents, chosen, shingles, near, budget, reporter, known.fresh)
        traces = _traces_of(library, documents, chosen, np.concatenate((candidates.left, candidates.right)))
        reporter.tell(Progress(Stage.VERIFY, 0, len(candidates)))
        kept, measured = measure(candidates, Prints(shingles, traces, Scheme().shingle), near.widest, reporter)
        pairs, evidence = known.joined(candidates.take(kept), measured)
    rows = known.changed_families(pairs, evidence)
    form_pairs = pairs.take(rows)
    traces = _traces_of(library, documents, chosen, np.concatenate((form_pairs.left, form_pairs.right)))
    form = evidence.form.copy()
    ranks = ranks_of(documents.copy_hashes()[chosen])
    form[rows] = same_forms(form_pairs, evidence.take(rows), traces, ranks, reporter)
    rejected = np.bincount(near.pairs.distance, minlength=65)
    rejected -= np.bincount(pairs.distance[pairs.distance <= near.widest], minlength=65)
    left, right = (chosen[side].astype(np.uint32) for side in (pairs.left, pairs.right))
    return Matched(
        Pairs(left, right, pairs.distance), with_forms(evidence, form), near.widest,
        np.maximum(rejected, 0).astype(np.int64), MEASURING if near.complete and complete else 0,
    )  # fmt: skip


def ranks_of(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the rank of each document by the hash of its text, which does not depend on names: int64 (n,)."""
    ranks = np.empty(len(hashes), np.int64)
    ranks[np.lexsort(hashes.T)] = np.arange(len(hashes))
    return ranks


@dataclass(frozen=True, slots=True)
class Near:
    """Pairs of indices whose fingerprints differ in at most `widest` bits. complete: all pairs that were wanted."""

    pairs: Pairs
    widest: int
    complete: bool


def near_pairs(documents: Documents, chosen: NDArray[np.intp], budget: Budget, reporter: Reporter) -> Near:
    """Return pairs of near fingerprints within the budget. Raises Stopped."""
    fingerprints, hashes = documents.fingerprint[chosen], documents.copy_hashes()[chosen]
    choice = widest_radius(fingerprints, seconds=budget.seconds, pairs=budget.pairs)
    pairs, widest = bounded_join(fingerprints, hashes, choice.radius, PAIRS_OVER * budget.pairs, reporter)
    return Near(pairs, widest, widest == choice.radius and widest > 0)


def propose(
    documents: Documents,
    chosen: NDArray[np.intp],
    shingles: Shingles,
    near: Near,
    budget: Budget,
    reporter: Reporter,
    fresh: NDArray[np.bool_] | None = None,
) -> tuple[Pairs, bool]:
    """Return (candidates, complete): pairs of indices in `chosen`, and whether shared passages yielded all of them.

    fresh: bool (n,), pairs without any of these are left out; None: no pair is. Raises Stopped.
    """
    shared = passage_pairs(shingles, LEAST_SHARE, PAIRS_OVER * budget.pairs, reporter, fresh)
    candidates = union(near.pairs, shared.keys, documents.fingerprint[chosen])
    if fresh is not None:
        candidates = candidates.take(fresh[candidates.left] | fresh[candidates.right])
    return candidates, shared.complete


def finish(
    library: Library,
    summary: ScanSummary,
    settings: Settings,
    reporter: Reporter,
    begun: float,
    before: Measured | None = None,
) -> None:
    """Match and group the documents of an unfinished scan, and store it as done.

    begun: the monotonic time of its start. before: what an earlier scan measured, to be reused.
    """
    budget = Budget(settings.number(MATCH_SECONDS), settings.integer(MATCH_PAIRS))
    documents = library.documents(summary.id)
    matched = match(library, documents, budget, reporter, before)
    reporter.tell(Progress(Stage.GROUP, 0, 1))
    clusters = form_families(matched.pairs, matched.evidence, demand_of(summary), documents.files())
    summary = replace(
        summary,
        seconds=time.monotonic() - begun,
        offered=len(documents),
        read=sum(status == READ for status in documents.status),
        widest_radius=matched.widest,
        clusters=len(clusters),
    )
    library.finish_scan(summary, matched.pairs, matched.evidence, matched.rejected, matched.revision, documents)
    reporter.tell(Progress(Stage.GROUP, 1, 1))


def demand_of(summary: ScanSummary) -> Demand:
    """Return the demand with which the results of a scan open."""
    return Demand(summary.min_similarity, summary.min_containment, summary.radius)
