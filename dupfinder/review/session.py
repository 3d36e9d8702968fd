"""ReviewSession: what the reviewer has decided about one scan. The window shows it; it never shows itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.errors import ArchivedError, LastCopyError, PlanError, ProtectedError, WhyLast
from dupfinder.base.settings import DEFAULT_RADIUS, MIN_SIMILARITY
from dupfinder.cluster.families import freed
from dupfinder.cluster.relation import FREELY_REMOVED, SURVIVING, Demand, Relation
from dupfinder.library.decisions import Decisions
from dupfinder.library.rows import ScanResult
from dupfinder.review.acts import Act, Changed, Summary
from dupfinder.review.filters import Filter, Sort
from dupfinder.review.grouping import Border, Clusters, Counts, Grouping, Histogram, Sources
from dupfinder.review.listing import ClusterTable, Listing, RelationCounts
from dupfinder.review.members import REMOVED, Decision, Member, members_of
from dupfinder.review.planning import make_plan
from dupfinder.review.search import Names
from dupfinder.review.survivors import Survivors
from dupfinder.review.verdicts import Verdict, VerdictKind, Verdicts, restored, stored

__all__ = [
    "Border", "Changed", "ClusterTable", "Counts", "Decision", "Filter", "Histogram", "Member", "RelationCounts",
    "ReviewSession", "Sort", "Sources", "Summary", "WhyLast",
]  # fmt: skip


class ReviewSession:
    """What is asked of versions, filter, order, decisions and their undo, for one finished scan.

    Rules that no sequence of acts can break: every marked document has an unmarked survivor, a file of its own that is
    identical, has the same words or is a verified version (of a document marked as a part: a verified whole); nothing
    in a protected folder, and nothing inside an archive, is marked.
    """

    def __init__(self, result: ScanResult, decisions: Decisions | None = None) -> None:
        self.result = result
        self._stored = decisions
        summary = result.summary
        self.widest_radius = summary.widest_radius
        self.default_radius = min(DEFAULT_RADIUS, self.widest_radius)
        radius = min(summary.radius, self.widest_radius)
        self._demand = Demand(summary.min_similarity, summary.min_containment, radius)
        self._grouping = Grouping(result)
        self._filter = Filter()
        self._sort = Sort.NEWEST
        count = len(result.documents)
        self._decisions = np.zeros(count, np.uint8)
        self._verdicts = Verdicts(count)
        self.names = Names(result.documents)
        self.edition = 0  # raised when what a demand shows becomes another, though nothing was grouped anew
        self._seen = np.zeros(count, np.bool_)
        self._gone = np.zeros(count, np.bool_)
        self._undo: list[Act] = []
        self._redo: list[Act] = []
        self._listeners: list[Callable[[Changed], None]] = []
        self._table: ClusterTable | None = None
        if decisions is not None:
            self._restore(decisions)

    # What is looked at

    @property
    def demand(self) -> Demand:
        """What is asked of versions and parts now."""
        return self._demand

    def set_demand(self, demand: Demand) -> None:
        """Ask for something else. Nothing is read again, and no mark is lost. SettingError outside the limits."""
        similarity = float(MIN_SIMILARITY.checked(demand.similarity))
        radius = max(0, min(demand.radius, self.widest_radius))
        self._demand = replace(demand, similarity=similarity, radius=radius)
        self._changed(clusters=True)

    @property
    def radius(self) -> int:
        """k, in bits."""
        return self._demand.radius

    def set_radius(self, radius: int) -> None:
        """Another radius, within 0..widest_radius."""
        self.set_demand(replace(self._demand, radius=radius))

    @property
    def min_similarity(self) -> float:
        """Least similarity of versions, 0..1."""
        return self._demand.similarity

    def set_min_similarity(self, similarity: float) -> None:
        """Another least similarity. SettingError outside its limits."""
        self.set_demand(replace(self._demand, similarity=similarity))

    def set_passages(self, passages: bool) -> None:
        """Whether shared passages count beyond the radius."""
        self.set_demand(replace(self._demand, passages=passages))

    def prepare(self, demand: Demand) -> None:
        """Work the groups of a demand out, so that going over to it is quick; any thread may ask."""
        self._grouping.clusters(demand)

    def histogram(self) -> Histogram:
        """Verified pairs by similarity and by distance."""
        return self._grouping.histogram(self._demand)

    def sources(self) -> Sources:
        """Which source found the versions that are shown."""
        return self._grouping.sources(self._demand)

    def borderline(self) -> frozenset[int]:
        """The rows of documents with a pair on the border of the demand."""
        rows = self._grouping.borderline(self._demand)
        pairs = self.result.pairs
        return frozenset(pairs.left[rows].tolist()) | frozenset(pairs.right[rows].tolist())

    def tie_of(self, left: int, right: int) -> tuple[Relation, float]:
        """(what one document is to another under the present demand, similarity)."""
        return self._grouping.tie_of(left, right, self._demand)

    def border_pairs(self) -> Border:
        """How many pairs lie on the border of the demand."""
        return self._grouping.border(self._demand)

    def parts(self, cluster: int) -> list[int]:
        """The rows of the documents of a group that are folded under their whole, ascending."""
        place, clusters = self._place(cluster), self.present()
        if place < 0:
            return []
        entries = slice(int(clusters.starts[place]), int(clusters.starts[place + 1]))
        rows = clusters.members[entries]
        return [int(row) for row in rows[clusters.whole[entries] >= 0] if not self._gone[row]]

    def counts(self, demand: Demand | None = None) -> Counts:
        """All groups that are shown under a demand, the present one if none is named; any thread may ask."""
        return self._listing(demand).counts()

    def set_filter(self, chosen: Filter) -> None:
        """Show other clusters."""
        self._filter = chosen
        self._changed(clusters=True)

    @property
    def filter(self) -> Filter:
        """What is shown."""
        return self._filter

    @property
    def sort(self) -> Sort:
        """The order of the list."""
        return self._sort

    def set_sort(self, order: Sort) -> None:
        """Another order."""
        self._sort = order
        self._changed(clusters=True)

    @property
    def grouping(self) -> Grouping:
        """The groups behind the list, for reports and rules."""
        return self._grouping

    def present(self) -> Clusters:
        """All groups of the present demand, before filter and order."""
        return self._grouping.clusters(self._demand)

    def clusters(self) -> ClusterTable:
        """The clusters that are shown, in order."""
        if self._table is None:
            self._table = self._listing().table(self._filter, self._sort)
        return self._table

    def relation_counts(self) -> RelationCounts:
        """Documents and groups by relation to the kept copy, for the chips."""
        return self._listing().relation_counts(self._filter.text)

    def other_counts(self) -> dict[str, int]:
        """Groups for the other filters: "all", "unreviewed", "marked", "protected", "apart"."""
        return self._listing().other_counts(self._filter.text)

    def members(self, cluster: int) -> list[Member]:
        """The documents of a cluster by its id, the keeper first, then by similarity."""
        place = self._place(cluster)
        return [] if place < 0 else self.members_at(place)

    def members_at(self, place: int) -> list[Member]:
        """The documents of the cluster at a place of `present`."""
        return members_of(self._grouping, self.present(), place, self._demand, self._decisions, self._gone)

    # Deciding

    def decide(self, documents: Sequence[int], decision: Decision) -> None:
        """Decide about some documents, all or none. LastCopyError, ProtectedError, ArchivedError."""
        rows = np.array(sorted(set(documents)), np.int64)
        if decision in REMOVED:
            held = rows[self.result.documents.protected[rows]]
            if len(held):
                raise ProtectedError(self.result.documents.path(int(held[0])))
            for row in rows.tolist():
                if (archive := self.result.documents.archive_of(row)) is not None:
                    raise ArchivedError(self.result.documents.path(row), archive)
        before = self._decisions[rows].copy()
        lost_before = self._survivors().without()
        self._decisions[rows] = decision
        survivors = self._survivors()
        lost = np.flatnonzero(survivors.without() & ~lost_before)
        if len(lost):
            refusal = self._refusal(int(lost[0]), survivors)
            self._decisions[rows] = before
            raise refusal
        self._did(Act(rows, before, self._decisions[rows].copy()))

    def decide_both(self, marked: Sequence[int], parts: Sequence[int]) -> None:
        """Mark some documents, and others as parts, as one step of undo. Raises as `decide`."""
        acts = len(self._undo)
        try:
            if parts:
                self.decide(parts, Decision.REMOVE_PART)
            if marked:
                self.decide(marked, Decision.REMOVE)
        except PlanError:
            while len(self._undo) > acts:
                self.undo()
            self._redo.clear()
            raise
        self._join_acts(acts)

    def mark_all(self, documents: Sequence[int], decision: Decision = Decision.REMOVE) -> list[tuple[int, WhyLast]]:
        """Mark as many of some documents as may go; those that stay, each with why. One step of undo.

        Of each group the kept copy stays. Nothing protected, nothing inside an archive and nothing that the person
        keeps is marked; those are not named.
        """
        free = ~self.result.documents.protected & ~self.result.documents.inside & ~self._gone
        rows = np.array(sorted(set(documents)), np.int64)
        rows = rows[free[rows] & (self._decisions[rows] != Decision.KEEP)]
        asked, keepers = rows, self.present().keepers
        spared = rows[np.isin(rows, keepers) & ~np.isin(self._decisions[rows], REMOVED)]
        rows = rows[~np.isin(rows, spared)]
        rows = np.array(self._without_loss(rows.tolist(), decision), np.int64)
        if len(rows):
            self.decide(rows.tolist(), decision)
        survivors = self._survivors()
        left = np.setdiff1d(asked, rows)
        return [(row, WhyLast.ALONE if row in spared else survivors.why(row)[0]) for row in left.tolist()]

    def keep_this(self, document: int) -> list[tuple[int, WhyLast]]:
        """Keep one document and remove the rest of its group that may go, as one step of undo; those that stay, each
        with why."""
        clusters = self.present()
        places = clusters.places[clusters.members == document]
        rest = [row for row in clusters.rows(int(places[0])).tolist() if row != document] if len(places) else []
        acts = len(self._undo)
        self.decide([document], Decision.KEEP)
        free = [row for row in rest if self.decision(row) is not Decision.KEEP]
        spared = self._mark_towards(document, free)
        self._join_acts(acts)
        return spared

    def _mark_towards(self, keeper: int, rows: list[int]) -> list[tuple[int, WhyLast]]:
        """Mark those of some rows that have a verified tie to a document."""
        documents = self.result.documents
        marked, spared = [], []
        for row in rows:
            relation, _ = self._grouping.tie_of(row, keeper, self._demand)
            if documents.protected[row] or documents.inside[row] or self._gone[row]:
                continue
            if relation in SURVIVING:
                marked.append(row)
            else:
                spared.append((row, WhyLast.PART if relation is Relation.PART else WhyLast.DISTANT))
        safe = self._without_loss(marked, Decision.REMOVE)
        if safe:
            self.decide(safe, Decision.REMOVE)
        return spared + [(row, WhyLast.ALONE) for row in marked if row not in safe]

    def _without_loss(self, rows: list[int], decision: Decision) -> list[int]:
        """Those of some rows that may be marked together so that every mark keeps its survivor. Each round drops a row
        at least, so this ends."""
        kept = set(rows)
        while kept and (lost := set(self.lost_with(sorted(kept), decision))):
            dropped = lost & kept
            for row in lost - kept:
                ties = {other: self._grouping.tie_of(row, other, self._demand)[0] for other in kept}
                dropped |= {other for other, tie in ties.items() if tie in SURVIVING or tie is Relation.PART}
            kept -= dropped or set(kept)
        return sorted(kept)

    def _join_acts(self, start: int) -> None:
        """Make one step of undo of those since a point."""
        later = self._undo[start:]
        if len(later) > 1:
            rows = np.concatenate([act.rows for act in later])
            before, after = (np.concatenate([getattr(act, side) for act in later]) for side in ("before", "after"))
            self._undo[start:] = [Act(rows, before, after)]

    def why_last(self, document: int) -> tuple[WhyLast, Path | None]:
        """(why a document could not be marked now, the other document that this is about)."""
        why, other = self._survivors().why(document)
        return why, None if other < 0 else self.result.documents.path(other)

    def _refusal(self, row: int, survivors: Survivors) -> LastCopyError:
        why, other = survivors.why(row)
        return LastCopyError(
            self.result.documents.path(row), why, None if other < 0 else self.result.documents.path(other)
        )

    def lost_with(self, documents: Sequence[int], decision: Decision = Decision.REMOVE) -> list[int]:
        """Which documents would have no survivor if these were marked beside what is marked: these, and others that
        have one now."""
        return self.lost_with_both(documents if decision is Decision.REMOVE else (),
                                   documents if decision is Decision.REMOVE_PART else ())  # fmt: skip

    def lost_with_both(self, marked: Sequence[int], parts: Sequence[int]) -> list[int]:
        """As `lost_with`, where some are marked as parts."""
        decisions = self._decisions.copy()
        decisions[list(marked)] = Decision.REMOVE
        decisions[list(parts)] = Decision.REMOVE_PART
        lost = self._survivors(decisions).without()
        before = self._survivors().without()
        before[[*marked, *parts]] = False
        return [int(row) for row in np.flatnonzero(lost & ~before)]

    def stays(self) -> NDArray[np.bool_]:
        """Which files are there and not marked, bool (n,): one of these alone can be what is kept. What is inside an
        archive cannot: it is too easily forgotten there, and a removal could not check it."""
        there: NDArray[np.bool_] = ~np.isin(self._decisions, REMOVED) & ~self._gone & ~self.result.documents.inside
        return there

    def decision(self, document: int) -> Decision:
        """The decision about one document."""
        return Decision(int(self._decisions[document]))

    def decided(self) -> NDArray[np.bool_]:
        """Which documents the person has decided about, bool (n,)."""
        decided: NDArray[np.bool_] = self._decisions != Decision.UNDECIDED
        return decided

    def mark_reviewed(self, cluster: int, reviewed: bool = True) -> None:
        """Note that a cluster was looked at; remembered for later scans."""
        place = self._place(cluster)
        if place < 0:
            return
        kind, clusters = VerdictKind.REVIEWED, self.present()
        if reviewed:
            self._judge((Verdict.of(kind, clusters, place),), ())
        else:
            self._judge((), self._verdicts.about(kind, clusters, place))
        self._changed(clusters=True)

    def same_bytes(self, one: int, other: int) -> bool:
        """Whether two documents hold the same bytes, as they were read."""
        content = self.result.documents.content_hex
        return content(one) == content(other) != ""

    def mark_seen(self, document: int) -> None:
        """Note that a document was opened in the comparison."""
        self._seen[document] = True

    def not_duplicates(self, cluster: int) -> None:
        """Say that a cluster's documents are no duplicates: it leaves the list, and its marks are taken back.
        Remembered for later scans."""
        place = self._place(cluster)
        if place < 0:
            return
        rows = self.present().rows(place).astype(np.int64)
        before = self._decisions[rows].copy()
        self._decisions[rows] = Decision.UNDECIDED
        added = (Verdict.of(VerdictKind.APART, self.present(), place),)
        self._judge(added, ())
        self._did(Act(rows, before, self._decisions[rows].copy(), added))

    def duplicates_again(self, cluster: int) -> None:
        """Take back that a cluster's documents are no duplicates."""
        place = self._place(cluster)
        if place >= 0:
            dropped = self._verdicts.about(VerdictKind.APART, self.present(), place)
            self._judge((), dropped)
            self._did(Act(np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint8), (), dropped))

    @property
    def can_undo(self) -> bool:
        """Whether a decision can be taken back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether a decision that was taken back can be made again."""
        return bool(self._redo)

    @property
    def undo_size(self) -> int:
        """How many documents the next undo concerns."""
        return len(self._undo[-1].rows) if self._undo else 0

    def undo(self) -> None:
        """Take the newest decision back."""
        if self._undo:
            act = self._undo.pop()
            self._redo.append(act)
            self._decisions[act.rows] = act.before
            self._judge(act.dropped, act.added)
            self._after(act)

    def redo(self) -> None:
        """Make the decision that was taken back again."""
        if self._redo:
            act = self._redo.pop()
            self._undo.append(act)
            self._decisions[act.rows] = act.after
            self._judge(act.added, act.dropped)
            self._after(act)

    def forget(self, documents: Iterable[int]) -> None:
        """Documents that are gone, because they were removed: they count no more, as copies or as marks."""
        rows = np.fromiter(documents, np.int64)
        decided = rows[self._decisions[rows] != Decision.UNDECIDED]
        self._gone[rows] = True
        self._decisions[rows] = Decision.UNDECIDED
        if self._stored is not None and len(decided):
            self._store(decided)
        self._undo.clear()
        self._redo.clear()
        self.edition += 1
        self._changed(documents=tuple(rows.tolist()), clusters=True)

    def returned(self, documents: Iterable[int]) -> None:
        """Documents that are there again, because a removal was undone."""
        rows = np.fromiter(documents, np.int64)
        self._gone[rows] = False
        self.edition += 1
        self._changed(documents=tuple(rows.tolist()), clusters=True)

    # Acting

    def summary(self) -> Summary:
        """What is marked."""
        shown, hidden = self._marks()
        survivors, preferred = self._survivors(), self._decisions == Decision.KEEP
        relations: dict[Relation, int] = {}
        unseen = 0
        for row in shown.tolist():
            survivor = survivors.best(row, preferred)
            if survivor is not None:
                relations[survivor.relation] = relations.get(survivor.relation, 0) + 1
                unseen += survivor.relation not in FREELY_REMOVED and not self._seen[row]
        return Summary(
            documents=len(shown),
            bytes=freed(self._grouping.files, shown),
            hidden_marks=hidden,
            relations=relations,
            unseen=unseen,
            clusters=self._listing().marked_clusters(),
        )

    def plan(self, verb: Verb = Verb.TRASH, destination: Path | None = None) -> Plan:
        """The marks of the groups of this demand as a plan; each step names the survivor it gives way to."""
        shown, _ = self._marks()
        return make_plan(self.result, shown, self._survivors(), self._decisions, verb, destination, self._demand)

    def _marks(self) -> tuple[NDArray[np.int64], int]:
        """(marked rows that this demand shows with a survivor of theirs, number of marks that it hides)."""
        marked = np.flatnonzero(np.isin(self._decisions, REMOVED) & ~self._gone)
        visible = np.zeros(len(self._decisions), np.bool_)
        visible[self.present().members] = True
        visible &= ~self._survivors().without() & ~self.result.documents.inside
        shown = marked[visible[marked]]
        return shown, len(marked) - len(shown)

    def row_of(self, path: Path) -> int | None:
        """The row of a document by its path."""
        try:
            return list(self.result.documents.paths).index(str(path))
        except ValueError:
            return None

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Tell a listener of every change; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Inside

    def _survivors(self, decisions: NDArray[np.uint8] | None = None) -> Survivors:
        decided = self._decisions if decisions is None else decisions
        marked, parts = np.isin(decided, REMOVED), decided == Decision.REMOVE_PART
        return Survivors(self._grouping, self._demand, marked, parts, self._gone)

    def _place(self, cluster: int) -> int:
        places = np.flatnonzero(self.present().ids == cluster)
        return int(places[0]) if len(places) else -1

    def _listing(self, demand: Demand | None = None) -> Listing:
        marked = np.isin(self._decisions, REMOVED)
        clusters = self._grouping.clusters(self._demand if demand is None else demand)
        reviewed, apart = (self._verdicts.mask(kind, clusters) for kind in (VerdictKind.REVIEWED, VerdictKind.APART))
        return Listing(clusters, self.result.documents, self.names, marked, self._gone, reviewed, apart)

    def _judge(self, added: tuple[Verdict, ...], dropped: tuple[Verdict, ...]) -> None:
        """Hold some verdicts and no longer hold others, here and in what is kept."""
        self._verdicts.change(added, dropped)
        self.edition += 1
        if self._stored is not None and (added or dropped):
            documents = self.result.documents
            self._stored.keep_verdicts(
                [stored(one, documents) for one in added], [stored(one, documents) for one in dropped]
            )

    def _did(self, act: Act) -> None:
        self._undo.append(act)
        self._redo.clear()
        self._after(act)

    def _after(self, act: Act) -> None:
        if self._stored is not None and len(act.rows):
            self._store(act.rows)
        self._changed(documents=tuple(act.rows.tolist()), clusters=bool(act.added or act.dropped))

    def _changed(self, documents: tuple[int, ...] = (), clusters: bool = False) -> None:
        self._table = None
        for listener in tuple(self._listeners):
            listener(Changed(documents, clusters))

    def _store(self, rows: NDArray[np.int64]) -> None:
        assert self._stored is not None
        documents = self.result.documents
        self._stored.store(
            (documents.path(int(row)), documents.content_hex(int(row)), int(self._decisions[row])) for row in rows
        )

    def _restore(self, decisions: Decisions) -> None:
        self._verdicts.change(restored(decisions, self.result.documents))
        marks = decisions.load()
        documents = self.result.documents
        for row, path in enumerate(documents.paths) if marks else ():
            content, decision = marks.get(path, ("", 0))
            forbidden = decision in REMOVED and (documents.protected[row] or documents.archive[row] >= 0)
            if decision and content == documents.content_hex(row) and not forbidden:
                self._decisions[row] = decision
        # What a stored mark relied on may be no longer so: then it is open again.
        self._decisions[self._survivors().without()] = Decision.UNDECIDED
