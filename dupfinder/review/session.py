"""ReviewSession: what the reviewer has decided about one scan. The window shows it; it never shows itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.errors import WhyLast
from dupfinder.base.settings import DEFAULT_RADIUS, MIN_SIMILARITY
from dupfinder.cluster.families import freed
from dupfinder.cluster.relation import FREELY_REMOVED, Demand, Relation
from dupfinder.library.decisions import Decisions
from dupfinder.library.rows import ScanResult
from dupfinder.review.acts import Act, Acts, Changed, Summary, Verdict, VerdictKind
from dupfinder.review.filters import Filter, Names, Query, Sort
from dupfinder.review.grouping import Border, Clusters, Counts, Grouping, Histogram, Sources
from dupfinder.review.listing import ClusterTable, Listing, RelationCounts
from dupfinder.review.marks import Marks
from dupfinder.review.members import Decision, FileState, Member, members_of
from dupfinder.review.survivors import make_plan

__all__ = [
    "Border", "Changed", "ClusterTable", "Counts", "Decision", "Filter", "Histogram", "Member", "RelationCounts",
    "ReviewSession", "Sort", "Sources", "Summary", "WhyLast",
]  # fmt: skip


_READY: Final = 4  # lists that are worked out before they are asked for


class ReviewSession:
    """One finished scan under review: what is asked of versions, filter and order, and what follows from them.

    marks: the decisions about documents. acts: these and the verdicts on groups, with undo.
    """

    def __init__(self, result: ScanResult, decisions: Decisions | None = None) -> None:
        self.result = result
        summary = result.summary
        self.widest_radius = summary.widest_radius
        self.default_radius = min(DEFAULT_RADIUS, self.widest_radius)
        radius = min(summary.radius, self.widest_radius)
        self._demand = Demand(summary.min_similarity, summary.min_containment, radius)
        self._grouping = Grouping(result)
        self._filter = Filter()
        self._sort = Sort.NEWEST
        count = len(result.documents)
        self.names = Names(result.documents)
        self._seen = np.zeros(count, np.bool_)
        self._states = np.full(count, FileState.THERE, np.uint8)
        self._away = np.zeros(count, np.bool_)
        self._moves = 0  # of files that went or came back
        self._listeners: list[Callable[[Changed], None]] = []
        self._listed: Listing | None = None
        self._ready: OrderedDict[tuple[Demand, Filter, Sort, int], tuple[Listing, ClusterTable]] = OrderedDict()
        self._changes = 0  # that were told, of the demand aside
        self._members: dict[int, list[Member]] = {}
        self._table: ClusterTable | None = None
        self.acts = Acts(result.documents, decisions, self._tell)
        self.marks = Marks(self._grouping, self.acts, lambda: self._demand, self._away)
        self.acts.load()
        # What a stored mark relied on may be no longer so: then it is open again.
        self.acts.decisions[self.marks.without_survivor()] = Decision.UNDECIDED

    # What is looked at

    @property
    def edition(self) -> int:
        """A number that rises when a demand shows something else, though nothing was grouped anew."""
        return self.acts.edition + self._moves

    @property
    def demand(self) -> Demand:
        """What is asked of versions and parts now."""
        return self._demand

    def set_demand(self, demand: Demand) -> None:
        """Ask for something else. Nothing is read again, and no mark is lost. SettingError outside the limits."""
        similarity = float(MIN_SIMILARITY.checked(demand.similarity))
        radius = max(0, min(demand.radius, self.widest_radius))
        self._demand = replace(demand, similarity=similarity, radius=radius)
        self._show(Changed(clusters=True), self._ready.get(self._asked(self._demand)))

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

    def prepare(self, demand: Demand) -> Counts:
        """Work the list of a demand out, so that going over to it is quick; its counts. Any thread may ask."""
        asked, listing = self._asked(demand), self._list(demand)
        self._ready[asked] = listing, listing.table(self._filter, self._sort)
        while len(self._ready) > _READY:
            self._ready.popitem(last=False)
        return listing.counts()

    def _asked(self, demand: Demand) -> tuple[Demand, Filter, Sort, int]:
        """What the list of a demand follows from; the number is that of all other changes."""
        return demand, self._filter, self._sort, self._changes

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
        place, clusters = self.present().place_of(cluster), self.present()
        if place < 0:
            return []
        entries = slice(int(clusters.starts[place]), int(clusters.starts[place + 1]))
        rows = clusters.members[entries]
        return [int(row) for row in rows[clusters.whole[entries] >= 0] if not self._away[row]]

    def counts(self, demand: Demand | None = None) -> Counts:
        """All groups that are shown under a demand, the present one if none is named; any thread may ask of one that
        is named."""
        return (self._listing() if demand is None else self._list(demand)).counts()

    def set_filter(self, chosen: Filter) -> None:
        """Show other clusters."""
        self._filter = chosen
        self._tell(Changed(clusters=True))

    @property
    def filter(self) -> Filter:
        """What is shown."""
        return self._filter

    def hit_words(self) -> tuple[str, ...]:
        """Return the words that are searched for in names and folders, in lower case."""
        query = Query.parse(self._filter.text)
        return (*query.words, *(value for name, _, value in query.conditions if name == "folder"))

    def hit_of(self, cluster: int) -> int:
        """Return the document of a group that is what was searched for: the kept copy before others; -1 for none."""
        place = self.present().place_of(cluster)
        rows = self.present().rows(place) if place >= 0 else np.empty(0, np.int32)
        hits = rows[self.names.matches(self._filter.text)[rows]]
        keeper = int(self.present().keepers[place])
        return keeper if keeper in hits else int(hits[0]) if len(hits) else -1

    @property
    def sort(self) -> Sort:
        """The order of the list."""
        return self._sort

    def set_sort(self, order: Sort) -> None:
        """Another order."""
        self._sort = order
        self._tell(Changed(clusters=True))

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
        if cluster not in self._members:
            place = self.present().place_of(cluster)
            self._members[cluster] = [] if place < 0 else self.members_at(place)
        return self._members[cluster]

    def members_at(self, place: int) -> list[Member]:
        """The documents of the cluster at a place of `present`."""
        return members_of(self._grouping, self.present(), place, self._demand, self.acts.decisions, self._states)

    # What is said of groups

    def mark_reviewed(self, cluster: int, reviewed: bool = True) -> None:
        """Note that a cluster was looked at, or was not after all; remembered for later scans. Not a step of undo."""
        place = self.present().place_of(cluster)
        if place < 0:
            return
        kind, clusters = VerdictKind.REVIEWED, self.present()
        if reviewed:
            self.acts.judge((Verdict.of(kind, clusters, place),), ())
        else:
            self.acts.judge((), self.acts.verdicts.about(kind, clusters, place))
        self._tell(Changed(clusters=True))

    def mark_seen(self, document: int) -> None:
        """Note that a document was opened in the comparison."""
        self._seen[document] = True

    def not_duplicates(self, cluster: int) -> None:
        """Say that a cluster's documents are no duplicates: it leaves the list, and its marks are taken back.
        Remembered for later scans."""
        place = self.present().place_of(cluster)
        if place < 0:
            return
        rows = self.present().rows(place).astype(np.int64)
        open_again = np.full(len(rows), Decision.UNDECIDED, np.uint8)
        added = (Verdict.of(VerdictKind.APART, self.present(), place),)
        self.acts.do(Act(rows, self.acts.decisions[rows], open_again, added))

    def duplicates_again(self, cluster: int) -> None:
        """Take back that a cluster's documents are no duplicates."""
        place = self.present().place_of(cluster)
        if place >= 0:
            dropped = self.acts.verdicts.about(VerdictKind.APART, self.present(), place)
            self.acts.do(Act.of_verdicts((), dropped))

    # Forms

    def forms(self) -> list[NDArray[np.int32]]:
        """Return the rows of each form that was filled in, the largest first, without what was said to be none."""
        verdicts = self.acts.verdicts
        return [rows for rows in self._grouping.forms if not verdicts.covers(VerdictKind.NOT_A_FORM, rows.tolist())]

    def not_a_form(self, documents: Sequence[int]) -> None:
        """Say that some documents are not one form: it leaves the list of forms. Remembered for later scans."""
        self.acts.do(Act.of_verdicts((Verdict(VerdictKind.NOT_A_FORM, frozenset(documents)),), ()))

    # Files that are no longer as they were scanned

    def file_state(self, document: int) -> FileState:
        """Return what is known of a document's file since the scan."""
        return FileState(int(self._states[document]))

    def note_files(self, documents: Iterable[int], state: FileState) -> None:
        """Note what became of some files since the scan. Those that are gone count no more, as copies or as marks; nor
        do those that changed, since what is known of their text may no longer be so."""
        rows = np.fromiter(documents, np.int64)
        self._states[rows] = state
        self._away[rows] = state is not FileState.THERE
        if state is not FileState.THERE:
            self.acts.forget(rows)
        self._moves += 1
        self._tell(Changed(tuple(rows.tolist()), clusters=True))

    # Acting

    def summary(self) -> Summary:
        """Return the numbers of what is marked."""
        shown, hidden = self._marks()
        relation = self.marks.survivors_of(shown).relation if len(shown) else np.empty(0, np.uint8)
        counted = np.bincount(relation, minlength=len(Relation)).tolist()
        freely = np.isin(relation, [int(kind) for kind in FREELY_REMOVED])
        return Summary(
            documents=len(shown),
            bytes=freed(self._grouping.files, shown) if len(shown) else 0,
            hidden_marks=hidden,
            relations={kind: counted[kind] for kind in Relation if counted[kind]},
            unseen=int((~freely & ~self._seen[shown]).sum()),
            clusters=self._listing().marked_clusters(),
        )

    def plan(self, verb: Verb = Verb.TRASH, destination: Path | None = None) -> Plan:
        """Make a plan of the marks that the present demand shows; each step names the survivor it gives way to."""
        shown, _ = self._marks()
        return make_plan(self.result, shown, self.marks.survivors_of(shown), verb, destination, self._demand)

    def _marks(self) -> tuple[NDArray[np.int64], int]:
        """(marked rows that this demand shows with a survivor of theirs, number of marks that it hides)."""
        marked = np.flatnonzero(self.acts.marked & ~self._away)
        if not len(marked):
            return marked, 0
        hidden = self._grouping.place_of(self._demand)[marked] < 0
        hidden |= self.marks.without_survivor()[marked] | self.result.documents.inside[marked]
        shown = marked[~hidden]
        return shown, len(marked) - len(shown)

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Tell a listener of every change; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Inside

    def _listing(self) -> Listing:
        """Return the list of all groups of the present demand."""
        if self._listed is None:
            self._listed = self._list(self._demand)
        return self._listed

    def _list(self, demand: Demand) -> Listing:
        clusters, verdicts = self._grouping.clusters(demand), self.acts.verdicts
        reviewed, apart = (verdicts.mask(kind, clusters) for kind in (VerdictKind.REVIEWED, VerdictKind.APART))
        return Listing(clusters, self.result.documents, self.names, self.acts.marked, self._away, reviewed, apart)

    def _tell(self, change: Changed) -> None:
        """Tell of anything but another demand."""
        self._changes += 1
        self._show(change, None)

    def _show(self, change: Changed, ready: tuple[Listing, ClusterTable] | None) -> None:
        self._listed, self._table = ready or (None, None)
        self._members = {}
        for listener in tuple(self._listeners):
            listener(change)
