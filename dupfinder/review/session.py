"""Everything that the reviewer has decided about one scan; the window shows it."""

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
from dupfinder.review.grouping import Border, Clusters, Counts, Grouping, Histogram, Sources
from dupfinder.review.listing import ClusterTable, Filter, Listing, Names, Query, RelationCounts, Sort
from dupfinder.review.marks import Marks
from dupfinder.review.members import Decision, FileState, Member, members_of
from dupfinder.review.survivors import make_plan

__all__ = [
    "Border", "Changed", "ClusterTable", "Counts", "Decision", "Filter", "Histogram", "Member", "RelationCounts",
    "ReviewSession", "Sort", "Sources", "Summary", "WhyLast",
]  # fmt: skip


_READY: Final = 4  # lists that were prepared


class ReviewSession:
    """A finished scan under review: demand, filter and order, and what follows from them.

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
        self._moves = 0  # changes of file states
        self._listeners: list[Callable[[Changed], None]] = []
        self._listed: Listing | None = None
        self._ready: OrderedDict[tuple[Demand, Filter, Sort, int], tuple[Listing, ClusterTable]] = OrderedDict()
        self._changes = 0  # number of changes other than of the demand
        self._members: dict[int, list[Member]] = {}
        self._table: ClusterTable | None = None
        self.acts = Acts(result.documents, decisions, self._tell)
        self.marks = Marks(self._grouping, self.acts, lambda: self._demand, self._away)
        self.acts.load()
        # A stored mark may have lost its survivor: then the document is undecided again.
        self.acts.decisions[self.marks.without_survivor()] = Decision.UNDECIDED

    # Demand and list

    @property
    def edition(self) -> int:
        """A number that increases when the groups of a demand change without a new grouping."""
        return self.acts.edition + self._moves

    @property
    def demand(self) -> Demand:
        """The present demand."""
        return self._demand

    def set_demand(self, demand: Demand) -> None:
        """Change the demand. No file is read again, and no mark is lost. Raises SettingError outside the limits."""
        similarity = float(MIN_SIMILARITY.checked(demand.similarity))
        radius = max(0, min(demand.radius, self.widest_radius))
        self._demand = replace(demand, similarity=similarity, radius=radius)
        self._show(Changed(clusters=True), self._ready.get(self._list_key(self._demand)))

    @property
    def radius(self) -> int:
        """k, in bits."""
        return self._demand.radius

    def set_radius(self, radius: int) -> None:
        """Change the radius, limited to 0..widest_radius."""
        self.set_demand(replace(self._demand, radius=radius))

    @property
    def min_similarity(self) -> float:
        """Least similarity of versions, 0..1."""
        return self._demand.similarity

    def set_min_similarity(self, similarity: float) -> None:
        """Change the least similarity. Raises SettingError outside its limits."""
        self.set_demand(replace(self._demand, similarity=similarity))

    def prepare(self, demand: Demand) -> Counts:
        """Compute the list of a demand, so that a change to it is quick; return its counts. Thread-safe."""
        key, listing = self._list_key(demand), self._list(demand)
        self._ready[key] = listing, listing.table(self._filter, self._sort)
        while len(self._ready) > _READY:
            self._ready.popitem(last=False)
        return listing.counts()

    def _list_key(self, demand: Demand) -> tuple[Demand, Filter, Sort, int]:
        """Return what the list of a demand depends on; the number counts all other changes."""
        return demand, self._filter, self._sort, self._changes

    def histogram(self) -> Histogram:
        """Return the verified pairs by similarity and by distance."""
        return self._grouping.histogram(self._demand)

    def sources(self) -> Sources:
        """Return the number of shown versions by the source that found them."""
        return self._grouping.sources(self._demand)

    def borderline(self) -> frozenset[int]:
        """Return the rows of documents with a shown pair close to the least similarity."""
        return self._grouping.borderline(self._demand)

    def tie_of(self, left: int, right: int) -> tuple[Relation, float]:
        """Return (relation of the left document to the right one under the present demand, similarity)."""
        return self._grouping.tie_of(left, right, self._demand)

    def border_pairs(self) -> Border:
        """Return the number of pairs close to the least similarity."""
        return self._grouping.border(self._demand)

    def parts(self, cluster: int) -> list[int]:
        """Return the rows of documents of a group that another member contains, ascending."""
        position = self.present().place_of(cluster)
        rows = self.present().folded(position).tolist() if position >= 0 else []
        return [row for row in rows if not self._away[row]]

    def counts(self, demand: Demand | None = None) -> Counts:
        """Return the counts of all groups under a demand, by default the present one.

        Thread-safe if a demand is given.
        """
        return (self._listing() if demand is None else self._list(demand)).counts()

    def set_filter(self, chosen: Filter) -> None:
        """Change the filter of the list."""
        self._filter = chosen
        self._tell(Changed(clusters=True))

    @property
    def filter(self) -> Filter:
        """The filter of the list."""
        return self._filter

    def hit_words(self) -> tuple[str, ...]:
        """Return the words that are searched for in names and folders, in lower case."""
        return Query.parse(self._filter.text).named

    def hit_of(self, cluster: int) -> int:
        """Return the document of a group that meets the search, the kept copy before others; -1 for none."""
        position = self.present().place_of(cluster)
        rows = self.present().rows(position) if position >= 0 else np.empty(0, np.int32)
        hits = rows[self.names.matches(self._filter.text)[rows]].tolist()
        keeper = int(self.present().keepers[position]) if hits else -1
        return keeper if keeper in hits or not hits else int(hits[0])

    @property
    def sort(self) -> Sort:
        """The order of the list."""
        return self._sort

    def set_sort(self, order: Sort) -> None:
        """Change the order of the list."""
        self._sort = order
        self._tell(Changed(clusters=True))

    @property
    def grouping(self) -> Grouping:
        """The groups, for reports and rules."""
        return self._grouping

    def present(self) -> Clusters:
        """Return all groups of the present demand, without filter and order."""
        return self._grouping.clusters(self._demand)

    def clusters(self) -> ClusterTable:
        """Return the groups of the list: filtered and sorted."""
        if self._table is None:
            self._table = self._listing().table(self._filter, self._sort)
        return self._table

    def relation_counts(self) -> RelationCounts:
        """Return documents and groups by relation to the kept copy, for the filter buttons."""
        return self._listing().relation_counts(self._filter.text)

    def other_counts(self) -> dict[str, int]:
        """Return groups for the other filters: "all", "unreviewed", "marked", "protected", "apart"."""
        return self._listing().other_counts(self._filter.text)

    def members(self, cluster: int) -> list[Member]:
        """Return the documents of a group by its id, in the order of `members_of`; empty without such a group."""
        if cluster not in self._members:
            position = self.present().place_of(cluster)
            self._members[cluster] = [] if position < 0 else self.members_at(position)
        return self._members[cluster]

    def members_at(self, position: int) -> list[Member]:
        """Return the documents of the group at a position of `present`."""
        return members_of(self._grouping, self.present(), position, self._demand, self.acts.decisions, self._states)

    # Verdicts on groups

    def mark_reviewed(self, cluster: int, reviewed: bool = True) -> None:
        """Record that a group was reviewed, or was not. Stored for later scans. Not a step of undo."""
        position = self.present().place_of(cluster)
        if position >= 0:
            self.acts.set_reviewed(self.present(), position, reviewed)
            self._tell(Changed(clusters=True))

    def mark_seen(self, document: int) -> None:
        """Record that a document was opened in the comparison."""
        self._seen[document] = True

    def not_duplicates(self, cluster: int) -> None:
        """Record that a group's documents are no duplicates.

        The group leaves the list and loses its marks. Stored for later scans.
        """
        position = self.present().place_of(cluster)
        if position >= 0:
            self.acts.set_apart(self.present(), position)

    def duplicates_again(self, cluster: int) -> None:
        """Undo `not_duplicates`."""
        position = self.present().place_of(cluster)
        if position >= 0:
            self.acts.clear_apart(self.present(), position)

    # Forms

    def forms(self) -> list[NDArray[np.int32]]:
        """Return the rows of each form, the largest first, without those that the person rejected."""
        return self.acts.verdicts.without(VerdictKind.NOT_A_FORM, self._grouping.forms)

    def not_a_form(self, documents: Sequence[int]) -> None:
        """Record that some documents are not one form: it leaves the list of forms. Stored for later scans."""
        self.acts.do(Act.of_verdicts((Verdict(VerdictKind.NOT_A_FORM, frozenset(documents)),), ()))

    # Files that changed since the scan

    def file_state(self, document: int) -> FileState:
        """Return the state of a document's file since the scan."""
        return FileState(int(self._states[document]))

    def note_files(self, documents: Iterable[int], state: FileState) -> None:
        """Record the state of some files.

        Missing files no longer count as copies or marks, and neither do changed files, since their text may differ now.
        """
        rows = np.fromiter(documents, np.int64)
        self._states[rows] = state
        self._away[rows] = state is not FileState.THERE
        if state is not FileState.THERE:
            self.acts.forget(rows)
        self._moves += 1
        self._tell(Changed(tuple(rows.tolist()), clusters=True))

    # Removal

    def summary(self) -> Summary:
        """Return the numbers of the marked documents."""
        shown, hidden = self._marks()
        relation = self.marks.survivors_of(shown).relation if len(shown) else np.empty(0, np.uint8)
        size = freed(self._grouping.files, shown) if len(shown) else 0
        return _summary(size, hidden, relation, ~self._seen[shown], self._listing().marked_clusters())

    def plan(self, verb: Verb = Verb.TRASH, destination: Path | None = None) -> Plan:
        """Return a plan for the marks that the present demand shows; each step names the survivor."""
        shown, _ = self._marks()
        return make_plan(self.result, shown, self.marks.survivors_of(shown), verb, destination, self._demand)

    def _marks(self) -> tuple[NDArray[np.int64], int]:
        """Return (marked rows that the demand shows and that have a survivor, number of other marks)."""
        marked = np.flatnonzero(self.acts.marked & ~self._away)
        if not len(marked):
            return marked, 0
        hidden = self._grouping.place_of(self._demand)[marked] < 0
        hidden |= self.marks.without_survivor()[marked] | self.result.documents.inside[marked]
        shown = marked[~hidden]
        return shown, len(marked) - len(shown)

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Register a listener for every change; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Internal

    def _listing(self) -> Listing:
        """Return the list of all groups of the present demand."""
        if self._listed is None:
            self._listed = self._list(self._demand)
        return self._listed

    def _list(self, demand: Demand) -> Listing:
        """Return the list of all groups of a demand."""
        clusters, verdicts = self._grouping.clusters(demand), self.acts.verdicts
        reviewed, apart = (verdicts.mask(kind, clusters) for kind in (VerdictKind.REVIEWED, VerdictKind.APART))
        return Listing(clusters, self.result.documents, self.names, self.acts.marked, self._away, reviewed, apart)

    def _tell(self, change: Changed) -> None:
        """Inform the listeners of a change of anything but the demand."""
        self._changes += 1
        self._show(change, None)

    def _show(self, change: Changed, ready: tuple[Listing, ClusterTable] | None) -> None:
        """Replace the list, by a prepared one if given, and inform the listeners."""
        self._listed, self._table = ready or (None, None)
        self._members = {}
        for listener in tuple(self._listeners):
            listener(change)


def _summary(size: int, hidden: int, relation: NDArray[np.uint8], unseen: NDArray[np.bool_], clusters: int) -> Summary:
    """Return the numbers of the marked documents, of which `relation` and `unseen` have an entry each: (m,)."""
    counted = np.bincount(relation, minlength=len(Relation)).tolist()
    freely = np.isin(relation, [int(kind) for kind in FREELY_REMOVED])
    relations = {kind: counted[kind] for kind in Relation if counted[kind]}
    return Summary(len(relation), size, hidden, relations, int((~freely & unseen).sum()), clusters)
