"""ReviewSession: what the reviewer has decided about one scan. The window shows it; it never shows itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.errors import ArchivedError, LastCopyError, ProtectedError
from dupfinder.base.settings import DEFAULT_RADIUS, MIN_SIMILARITY
from dupfinder.library.decisions import Decisions
from dupfinder.library.rows import ScanResult
from dupfinder.review.acts import Act, Changed, Summary
from dupfinder.review.filters import Filter, Kind, Sort
from dupfinder.review.grouping import Clusters, Counts, Grouping, Histogram
from dupfinder.review.listing import ClusterTable, Listing
from dupfinder.review.members import Decision, Member, members_of
from dupfinder.review.planning import make_plan
from dupfinder.review.search import Names
from dupfinder.review.verdicts import Verdict, VerdictKind, Verdicts, restored, stored
from dupfinder.review.witness import Witnesses

__all__ = [
    "Changed", "ClusterTable", "Counts", "Decision", "Filter", "Histogram", "Kind", "Member", "ReviewSession", "Sort",
    "Summary",
]  # fmt: skip


class ReviewSession:
    """Radius, least similarity, filter, order, decisions and their undo, for one finished scan.

    Rules that no sequence of acts can break: every marked document has an unmarked witness, a document with a verified
    tie to it, that is a file of its own; nothing in a protected folder, and nothing inside an archive, is marked.
    """

    def __init__(self, result: ScanResult, decisions: Decisions | None = None) -> None:
        self.result = result
        self._stored = decisions
        summary = result.summary
        self.widest_radius = summary.widest_radius
        self.default_radius = min(DEFAULT_RADIUS, self.widest_radius)
        self._radius = min(summary.radius, self.widest_radius)
        self._grouping = Grouping(result, summary.min_similarity, summary.min_containment)
        self._filter = Filter()
        self._sort = Sort.NEWEST
        count = len(result.documents)
        self._decisions = np.zeros(count, np.uint8)
        self._verdicts = Verdicts(count)
        self.names = Names(result.documents)
        self.edition = 0  # raised when what a radius shows becomes another, though nothing was grouped anew
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
    def radius(self) -> int:
        """k, in bits."""
        return self._radius

    def set_radius(self, radius: int) -> None:
        """Another radius, within 0..widest_radius. Nothing is read again, and no mark is lost."""
        self._radius = max(0, min(radius, self.widest_radius))
        self._changed(clusters=True)

    @property
    def min_similarity(self) -> float:
        """Least verified resemblance of near-duplicates, 0..1."""
        return self._grouping.min_similarity

    def set_min_similarity(self, similarity: float) -> None:
        """Another least similarity. SettingError outside 0..1."""
        self.take(self.regrouped(similarity))

    def regrouped(self, similarity: float) -> Grouping:
        """The clusters at another least similarity, worked out for the present radius, for `take`. Changes nothing, so
        any thread may ask. SettingError outside 0..1."""
        checked = float(MIN_SIMILARITY.checked(similarity))
        made = Grouping(self.result, checked, self._grouping.min_containment)
        made.clusters(self._radius)
        return made

    def take(self, grouping: Grouping) -> None:
        """Go over to clusters that `regrouped` made."""
        self._grouping = grouping
        self._changed(clusters=True)

    def histogram(self) -> Histogram:
        """Candidate pairs by distance, verified and not."""
        return self._grouping.histogram

    def counts(self, radius: int | None = None) -> Counts:
        """All clusters that are shown at a radius, the present one if none is named; any thread may ask."""
        return self._listing(self._radius if radius is None else min(radius, self.widest_radius)).counts()

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
        """The clusters behind the list, for reports and rules."""
        return self._grouping

    def present(self) -> Clusters:
        """All clusters of the present radius, before filter and order."""
        return self._grouping.clusters(self._radius)

    def clusters(self) -> ClusterTable:
        """The clusters that are shown, in order."""
        if self._table is None:
            self._table = self._listing().table(self._filter, self._sort)
        return self._table

    def kind_counts(self) -> dict[str, int]:
        """Counts for the chips: "all", each Kind's lower-case name, "unreviewed", "marked", "protected"."""
        return self._listing().kind_counts(self._filter.text)

    def members(self, cluster: int) -> list[Member]:
        """The documents of a cluster by its id, the keeper first, then by similarity."""
        place = self._place(cluster)
        return [] if place < 0 else self.members_at(place)

    def members_at(self, place: int) -> list[Member]:
        """The documents of the cluster at a place of `present`."""
        return members_of(self._grouping, self.present(), place, self._radius, self._decisions, self._gone)

    # Deciding

    def decide(self, documents: Sequence[int], decision: Decision) -> None:
        """Keep, Remove or Undecided for some documents, all or none. LastCopyError, ProtectedError, ArchivedError."""
        rows = np.array(sorted(set(documents)), np.int64)
        if decision is Decision.REMOVE:
            held = rows[self.result.documents.protected[rows]]
            if len(held):
                raise ProtectedError(self.result.documents.path(int(held[0])))
            for row in rows.tolist():
                if (archive := self.result.documents.archive_of(row)) is not None:
                    raise ArchivedError(self.result.documents.path(row), archive)
        before = self._decisions[rows].copy()
        lost_before = self._witnesses().without()
        self._decisions[rows] = decision
        lost = np.flatnonzero(self._witnesses().without() & ~lost_before)
        if len(lost):
            self._decisions[rows] = before
            raise LastCopyError(self.result.documents.path(int(lost[0])))
        self._did(Act(rows, before, self._decisions[rows].copy()))

    def lost_with(self, documents: Sequence[int]) -> list[int]:
        """Which documents would have no witness if these were marked beside what is marked: these, and others that
        have one now."""
        rows = np.array(sorted(documents), np.int64)
        marked = self._decisions == Decision.REMOVE
        marked[rows] = True
        lost = Witnesses(self._grouping, self._radius, marked, self._gone).without()
        before = self._witnesses().without()
        before[rows] = False
        return [int(row) for row in np.flatnonzero(lost & ~before)]

    def stays(self) -> NDArray[np.bool_]:
        """Which files are there and not marked, bool (n,): one of these alone can be what is kept. What is inside an
        archive cannot: it is too easily forgotten there, and a removal could not check it."""
        there: NDArray[np.bool_] = (self._decisions != Decision.REMOVE) & ~self._gone & ~self.result.documents.inside
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
        near = self._witnesses().differs(shown)
        return Summary(
            documents=len(shown),
            bytes=int(self.result.documents.size[shown].sum()),
            hidden_marks=hidden,
            near=int(near.sum()),
            near_unseen=int((near & ~self._seen[shown]).sum()),
            clusters=self._listing().marked_clusters(),
        )

    def plan(self, verb: Verb = Verb.TRASH, destination: Path | None = None) -> Plan:
        """The marks of the clusters of this radius as a plan; each step names the kept document it gives way to."""
        shown, _ = self._marks()
        grouping = self._grouping
        return make_plan(
            self.result, shown, self._witnesses(), self._decisions, verb, destination,
            grouping.min_similarity, grouping.min_containment,
        )  # fmt: skip

    def _marks(self) -> tuple[NDArray[np.int64], int]:
        """(marked rows that this radius shows with a witness of theirs, number of marks that it hides)."""
        marked = np.flatnonzero((self._decisions == Decision.REMOVE) & ~self._gone)
        visible = np.zeros(len(self._decisions), np.bool_)
        visible[self.present().members] = True
        visible &= ~self._witnesses().without() & ~self.result.documents.inside
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

    def _witnesses(self) -> Witnesses:
        return Witnesses(self._grouping, self._radius, self._decisions == Decision.REMOVE, self._gone)

    def _place(self, cluster: int) -> int:
        places = np.flatnonzero(self.present().ids == cluster)
        return int(places[0]) if len(places) else -1

    def _listing(self, radius: int | None = None) -> Listing:
        marked = self._decisions == Decision.REMOVE
        clusters = self._grouping.clusters(self._radius if radius is None else radius)
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
            forbidden = decision == Decision.REMOVE and (documents.protected[row] or documents.archive[row] >= 0)
            if decision and content == documents.content_hex(row) and not forbidden:
                self._decisions[row] = decision
        # What a stored mark relied on may be no longer so: then it is open again.
        self._decisions[self._witnesses().without()] = Decision.UNDECIDED
