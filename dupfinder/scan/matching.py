"""From stored documents to measured pairs: candidates by fingerprints and sketches, then their evidence."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, looked_up, pair_keys, pairs_of, release_freed, row_mask, runs, starts_of
from dupfinder.base.errors import DiskFullError
from dupfinder.base.progress import SILENT, Progress, Reporter, SilentReporter, Stage
from dupfinder.cluster.alignment import SharedTraces
from dupfinder.cluster.candidates import PassagePairs, passage_pairs, union
from dupfinder.cluster.clustering import form_clusters
from dupfinder.cluster.evidence import Prints, SharedPrints, measure_shared
from dupfinder.cluster.forms import FieldContents, shared_forms, with_held_fillings
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY, Evidence
from dupfinder.cluster.verify import SharedShingles
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.join import TooManyPairs, join, pairs_with
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import widest_radius
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, Documents, RepeatedTexts, ScanResult, ScanSummary
from dupfinder.library.stored import SKETCH_TYPES, SketchKind
from dupfinder.processes.child import FORKS
from dupfinder.processes.crew import Crew, SharedRagged
from dupfinder.scan.earlier import RemainingPairs, compared, near_counts, text_keys

MEASURING: Final = 29  # raise it when a change makes the evidence of some pair differ, or other pairs are kept
LEAST_SHARE: Final = min(LEAST_SIMILARITY, LEAST_CONTAINMENT)  # least share of one text that is in the other
# Words of the texts to be matched; with fewer, starting processes takes longer than they save. Forked processes start
# at once.
SHARED_FROM: Final = 300_000 if FORKS else 2_400_000
IN_FILES_FROM: Final = 20_000_000  # words, whose sketches take 100 MB: not in the memory of one process that matches
LEAST_FRESH: Final = 0.03  # share of new words; for less, handing what is known to processes takes longer
PAIRS_OVER: Final = 2  # times the budget of pairs that are allowed, since the planner only estimates their number
FIRST_SECONDS: Final = 5.0  # of a scan before it looks for groups; reading must still take at least twice as long
MOST_FIRST: Final = 50_000  # documents; among more, looking for groups would delay the reading by many seconds


def bounded_join(
    fingerprints: NDArray[np.uint64],
    ties: NDArray[np.uint64],
    radius: int,
    most: int,
    reporter: Reporter,
    crew: Crew | None = None,
    grouped: NDArray[np.bool_] | None = None,
) -> tuple[Pairs, int]:
    """Lower the radius until it has at most `most` pairs; return (pairs, radius).

    fingerprints: uint64 (n,). ties: uint64 (n, 2), different for different texts. grouped: as in index.join.
    Raises Stopped.
    If even equal fingerprints have too many pairs, each row is paired with some of its equals, see `pairs_of_equals`.
    """
    while radius >= 0:
        try:
            return join(fingerprints, radius, reporter=reporter, most_pairs=most, crew=crew, grouped=grouped), radius
        except TooManyPairs:
            radius -= 1
    return pairs_of_equals(fingerprints, ties, most), 0


def pairs_of_equals(fingerprints: NDArray[np.uint64], ties: NDArray[np.uint64], most: int) -> Pairs:
    """Pair each row with the first few rows of equal fingerprint in the order of `ties`; return the pairs, sorted.

    There are at most `most` pairs, or one for each row. All rows get the same partners, so that equal documents form
    one cluster; these are chosen by `ties`, so that neither names nor the order of reading matter.
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
class MatchingBudget:
    """Limits of the widest radius: seconds of matching, as they are expected, and candidate pairs."""

    seconds: float = 60.0
    pairs: int = 20_000_000

    @property
    def revision(self) -> int:
        """The revision of results from which these limits left out pairs: negative, and another for each MEASURING.

        Such results are reused only if no text has changed, since any other text may change which pairs are left out.
        """
        return -1 - zlib.crc32(repr((MEASURING, self.seconds, self.pairs)).encode())


def prints_of(library: LibraryFile, documents: Documents, chosen: NDArray[np.intp]) -> Prints:
    """Return the prints by which some rows are measured."""
    with Crew() as crew:
        context = _MatchingContext(library, documents, chosen, SILENT, crew)
        traces = context.traces(np.ones(len(chosen), np.bool_))
        # A copy, because the arrays that a crew shares are removed with the crew.
        return SharedPrints(context.shingles(), traces, Scheme().shingle).take(np.arange(len(chosen)))


def match(
    library: LibraryFile,
    summary: ScanSummary,
    documents: Documents,
    budget: MatchingBudget,
    reporter: Reporter,
    before: ScanResult | None = None,
    workers: int = 1,
    crew_of: Callable[[int], Crew] = Crew,
) -> ScanResult:
    """Measure all pairs of documents with different words; return them without clusters. Raises Stopped, OSError.

    before: the result of an earlier scan, to be reused; it does not change the result.
    workers: processes that share the work, if there is much of it. crew_of: makes a crew of so many.
    """
    chosen = compared(documents)
    reporter.tell(Progress(Stage.MATCH, 0, len(chosen)))
    known = nothing = RemainingPairs.none(len(chosen))
    if before is not None and before.revision in (MEASURING, budget.revision):
        remaining = RemainingPairs.of(before, text_keys(documents, chosen))
        known = remaining if before.revision == MEASURING or remaining.are_all else nothing

    def run(known: RemainingPairs) -> ScanResult | None:
        """Match only what is not known, in several processes if that is much."""

        def run_by(crew: Crew) -> ScanResult | None:
            with crew:
                return _MatchingContext(library, documents, chosen, reporter, crew).run(known, summary, budget)

        with suppress(DiskFullError, OSError):  # no room on the disk, or no folder, for what is written to files
            return run_by(_crew_for(documents.words[chosen], known.fresh, workers, crew_of))
        return run_by(Crew())

    matched = None if known.fresh.all() else run(known)
    if matched is None or (matched.revision != MEASURING and not known.are_all):  # there are too many pairs
        matched = run(nothing)
    assert matched is not None
    return matched


def _crew_for(words: NDArray[np.int32], fresh: NDArray[np.bool_], workers: int, crew_of: Callable[[int], Crew]) -> Crew:
    """Return the crew that matches texts: of several processes only if many words are in texts not compared before.

    words: int32 (n,), of each text. fresh: bool (n,), texts not compared before. workers, crew_of: as in `match`.
    """
    if workers > 1 and words[fresh].sum() >= max(SHARED_FROM, LEAST_FRESH * words.sum()):
        return crew_of(workers)
    return Crew(files=bool(words.sum() >= IN_FILES_FROM))


@dataclass(frozen=True, slots=True)
class _MatchingContext:
    """What the steps of `match` need. chosen: the rows that are compared; pairs are of indices in it."""

    library: LibraryFile
    documents: Documents
    chosen: NDArray[np.intp]
    reporter: Reporter
    crew: Crew

    def shingles(self) -> SharedShingles:
        shared = self._shared(self.chosen, SketchKind.SMALLEST)
        whole = np.diff(shared.starts.array()) >= self.documents.shingles[self.chosen]
        return SharedShingles(shared.values, shared.starts, self.crew.share([whole], np.bool_))

    def traces(self, needed: NDArray[np.bool_]) -> SharedTraces:
        """Return traces of the chosen rows; they are empty where `needed`, bool (n,), is False."""
        shared = self._shared(self.chosen[needed], SketchKind.TRACE)
        sizes = np.zeros(len(self.chosen), np.int64)
        sizes[needed] = np.diff(shared.starts.array())
        starts = self.crew.share([starts_of(sizes)], np.int64)
        return SharedTraces(shared.values, starts, self.crew.share([self.documents.words[self.chosen]], np.int64))

    def _shared(self, rows: NDArray[np.intp], kind: SketchKind) -> SharedRagged:
        """Load sketches of some rows and share them with the other processes. Raises Stopped."""

        def portions() -> Iterator[Ragged]:
            for portion in self.library.sketch_portions(self.documents.ids[rows], kind):
                self.reporter.check()
                yield portion

        return self.crew.share_ragged(portions(), SKETCH_TYPES[kind])

    def run(self, known: RemainingPairs, summary: ScanSummary, budget: MatchingBudget) -> ScanResult | None:
        """Find candidates, measure them, and find fillings of forms. known: what an earlier scan measured.

        Return None if what is known cannot be relied on.
        """
        no_keys = np.empty(0, np.uint64)
        passages = PassagePairs(no_keys, True, known.fresh, known.frequent, known.grouped, known.hubs)
        may_have_others = known.fresh.any() or (len(known.gone) > 0 and len(known.frequent) > 0)
        if may_have_others:
            shingles, most = self.shingles(), PAIRS_OVER * budget.pairs
            passages = passages_of(shingles, known, most, self.reporter, self.crew)
        grouped = passages.grouped
        near = self._near(known, passages.asked, grouped, budget)
        if near is None:
            return None
        if may_have_others:
            candidates = union(near.pairs, passages.keys, self.documents.fingerprint[self.chosen])
            # They are candidates now, and may be tens of millions.
            passages, near = replace(passages, keys=no_keys), replace(near, pairs=Pairs.none())
            known, unknown = known.still_proposed(candidates, passages.asked)
            candidates = candidates if unknown is None else candidates.take(unknown)
            release_freed()
            known = known.joined(*self._measured(candidates, shingles, near.widest))
            del candidates, shingles
            release_freed()
        else:
            known = known.joined(Pairs.none(), Evidence.none())
        form, contents = self._forms(known)
        pairs, rows = known.pairs, self.chosen.astype(np.uint32)
        rejected = near.counts - near_counts(pairs, near.widest, grouped)
        pairs = Pairs(looked_up(rows, pairs.left), looked_up(rows, pairs.right), pairs.distance)
        revision = MEASURING if near.complete and passages.complete else budget.revision
        return ScanResult(
            replace(summary, widest_radius=near.widest), self.documents, pairs, replace(known.evidence, form=form),
            np.maximum(rejected, 0).astype(np.int64), revision, passages.frequent, contents.renumbered(self.chosen),
            grouped=self.chosen[grouped], hubs=self.chosen[passages.hubs],
        )  # fmt: skip

    def _near(
        self, known: RemainingPairs, asked: NDArray[np.bool_], grouped: NDArray[np.bool_], budget: MatchingBudget
    ) -> NearPairs | None:
        """Return the near pairs that have a text asked for, and how many near pairs there are now at each distance.

        asked, grouped: bool (n,), as in cluster.candidates.PassagePairs.
        None if the widest radius has changed, or if there are too many pairs.
        """
        if known.fresh.all():
            return near_pairs(self.documents, self.chosen, budget, self.reporter, self.crew, grouped)
        fingerprints = self.documents.fingerprint[self.chosen]
        count, rows, gone = len(fingerprints), np.flatnonzero(asked), known.gone
        counts, pairs = known.near.copy(), Pairs.none()
        if len(rows) or len(gone):
            radius = widest_radius(fingerprints[~grouped], seconds=budget.seconds, pairs=budget.pairs)
            if radius != known.widest:
                return None
            together = np.concatenate((fingerprints, gone))
            # Texts that are not there are treated as grouped, since they have no pairs either.
            grouped_before = np.concatenate((known.grouped | known.fresh, known.gone_grouped))
            grouped_now = np.concatenate((grouped, np.ones(len(gone), np.bool_)))
            rows = np.concatenate((rows, np.arange(count, len(together))))
            pairs = pairs_with(together, rows, radius, grouped_before & grouped_now)
            left, right = pairs.left, pairs.right
            is_fresh = np.append(known.fresh, np.zeros(len(gone), np.bool_))
            were_near = ~(is_fresh[left] | is_fresh[right] | grouped_before[left] & grouped_before[right])
            are_near = (right < count) & ~(grouped_now[left] & grouped_now[right])
            counts -= np.bincount(pairs.distance[were_near], minlength=65)
            counts += np.bincount(pairs.distance[are_near], minlength=65)
            pairs = pairs.take(np.flatnonzero(are_near))
        is_complete = known.revision == MEASURING
        return None if counts.sum() > PAIRS_OVER * budget.pairs else NearPairs(pairs, known.widest, is_complete, counts)

    def _measured(self, candidates: Pairs, shingles: SharedShingles, widest: int) -> tuple[Pairs, Evidence]:
        """Measure candidates. Return the related ones, and their evidence."""
        self.reporter.tell(Progress(Stage.VERIFY, 0, len(candidates)))
        needed = row_mask(len(self.chosen), candidates.left, candidates.right)
        prints = SharedPrints(shingles, self.traces(needed), Scheme().shingle)
        related, evidence = measure_shared(candidates, prints, widest, self.crew, self.reporter)
        return candidates.take(related), evidence

    def _forms(self, known: RemainingPairs) -> tuple[NDArray[np.bool_], FieldContents]:
        """Return which pairs have one form, as `with_held_fillings` tells, and the contents of its fields."""
        pairs, rows = known.pairs, known.rows_to_decide_anew()
        needed = row_mask(len(self.chosen), *(looked_up(side, rows) for side in (pairs.left, pairs.right)))
        traces = self.traces(needed)
        ranks = ranks_of(self.documents.copy_hashes()[self.chosen])
        form, contents = shared_forms(
            pairs, known.evidence, rows, traces, ranks, known.contents, self.crew, self.reporter
        )
        return with_held_fillings(pairs, known.evidence, form), contents


def ranks_of(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the rank of each document by the hash of its text, which does not depend on names: int64 (n,)."""
    ranks = np.empty(len(hashes), np.int64)
    ranks[np.lexsort(hashes.T)] = np.arange(len(hashes))
    return ranks


@dataclass(frozen=True, slots=True)
class NearPairs:
    """Pairs of indices whose fingerprints differ in at most `widest` bits.

    pairs: all but those of two grouped texts; where an earlier scan is reused, only those with a text asked for.
    complete: the budget left out none. counts: int64 (65,), the number of all by distance.
    """

    pairs: Pairs
    widest: int
    complete: bool
    counts: NDArray[np.int64]


def near_pairs(
    documents: Documents,
    chosen: NDArray[np.intp],
    budget: MatchingBudget,
    reporter: Reporter,
    crew: Crew | None = None,
    grouped: NDArray[np.bool_] | None = None,
) -> NearPairs:
    """Return pairs of near fingerprints within the budget. Raises Stopped.

    grouped: bool (n,), documents that are paired with each other by passages alone; None: none are.
    """
    fingerprints, hashes = documents.fingerprint[chosen], documents.copy_hashes()[chosen]
    others = fingerprints if grouped is None else fingerprints[~grouped]
    radius = widest_radius(others, seconds=budget.seconds, pairs=budget.pairs)
    pairs, widest = bounded_join(fingerprints, hashes, radius, PAIRS_OVER * budget.pairs, reporter, crew, grouped)
    counts = np.bincount(pairs.distance, minlength=65)
    is_complete = widest == radius and widest > 0  # at 0 some equal ones may be left out, see `pairs_of_equals`
    return NearPairs(pairs, widest, is_complete, counts)


def passages_of(
    shingles: SharedShingles, known: RemainingPairs, most: int, reporter: Reporter, crew: Crew | None = None
) -> PassagePairs:
    """Return the shared passages of fresh texts, and of those whose pairs depend on the number of texts.

    known: what an earlier scan measured. Raises Stopped. Texts that depended on the number then most likely still do;
    if they are asked for at once, all texts need to be searched only once.
    """
    release_freed()
    asked = None if known.fresh.all() else known.fresh | known.grouped | known.hubs
    return passage_pairs(shingles, LEAST_SHARE, most, reporter, asked, crew, known.frequent)


def find_groups(
    library: LibraryFile,
    summary: ScanSummary,
    reporter: Reporter,
    before: ScanResult | None = None,
    workers: int = 1,
    crew_of: Callable[[int], Crew] = Crew,
) -> ScanResult:
    """Match and group the documents that an unfinished scan has stored so far. Raises Stopped, OSError.

    before, workers, crew_of: as in `match`.
    """
    documents = library.documents(summary.id, None if before is None else before.documents)
    result = match(library, summary, documents, MatchingBudget(), reporter, before, workers, crew_of)
    reporter.tell(Progress(Stage.GROUP, 0, 1))
    clusters = form_clusters(result.pairs, result.evidence, result.summary.demand, documents.files())
    status = RepeatedTexts.of(documents.status)
    read = int(status.each([word == READ for word in status.words], np.bool_).sum())
    summary = replace(result.summary, offered=len(documents), read=read, clusters=len(clusters))
    return replace(result, summary=summary, clusters=clusters, library=library.path)


def finish(library: LibraryFile, result: ScanResult, begun: float, reporter: Reporter) -> None:
    """Store the result of a scan, which ends the scan. begun: the monotonic time of its start."""
    library.finish_scan(replace(result, summary=replace(result.summary, seconds=time.monotonic() - begun)))
    reporter.tell(Progress(Stage.GROUP, 1, 1))


@dataclass(frozen=True, slots=True)
class MutedReporter(SilentReporter):
    """Reports no progress, but stops when `reporter` does."""

    reporter: Reporter

    def check(self) -> None:
        self.reporter.check()


class FirstResults:
    """When to look for groups among the documents that a scan has read so far, and what was measured then.

    They are looked for whenever twice as many documents are read, and reading the others still takes a while. So these
    searches together take about as long as one of all documents. The end of the scan reuses what they measure.

    receive: is called with each result; None: no groups are looked for. newest: the newest result; None before it.
    """

    def __init__(self, receive: Callable[[ScanResult], object] | None) -> None:
        self._receive = receive
        self._begun = time.monotonic()
        self.newest: ScanResult | None = None

    def are_due(self, documents: int, share: float) -> bool:
        """Tell whether to look for groups. documents: known so far. share: of the reading that is done, 0..1."""
        before = 0 if self.newest is None else len(self.newest.documents)
        if self._receive is None or not 2 * before < documents <= MOST_FIRST:
            return False
        passed = time.monotonic() - self._begun
        return passed >= FIRST_SECONDS and passed * (1 - share) >= 2 * FIRST_SECONDS * share

    def take(self, result: ScanResult) -> None:
        """Keep a result, and pass it on."""
        assert self._receive is not None
        self.newest = result
        self._receive(result)
