"""Everything that the reviewer has decided about one scan; the window shows it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.settings import MIN_SIMILARITY
from dupfinder.cluster.clustering import ClusterCounts, Clusters
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.library.decisions import Decisions, VerdictKind
from dupfinder.library.rows import ScanResult
from dupfinder.review.acts import Act, ActRunner, Acts, MarkSummary, SessionChange, Verdict
from dupfinder.review.grouping import Grouping
from dupfinder.review.listing import (
    ClusterTable,
    FileOrder,
    FileTable,
    GroupFilter,
    GroupOrder,
    GroupTrait,
    RelationCounts,
    SearchNames,
    SearchQuery,
)
from dupfinder.review.marks import Marks
from dupfinder.review.members import FileState, Member, OpenGroups, members_of
from dupfinder.review.survivors import make_plan
from dupfinder.review.view import View, find_marked

_READY: Final = 4  # views that were prepared


class ReviewSession:
    """A scan under review, or its first results: demand, filter and order, and what follows from them.

    demand, filter, sort: the present ones; `set_demand`, `set_filter` and `set_sort` change them.
    grouping: the groups and pairs under any demand.
    marks: the decisions about documents. acts: these and the verdicts on groups, with undo.
    is_unfinished: the scan goes on, these are its first results, and nothing may be removed by them.
    is_complete: every method can be used; until `complete` has ended, only those of the list and its counts.
    """

    def __init__(self, result: ScanResult, decisions: Decisions | None = None, *, is_complete: bool = True) -> None:
        self.result = result
        summary = result.summary
        self.is_unfinished = summary.state != "done"
        self.widest_radius = summary.widest_radius
        self.demand = self.wanted_demand = summary.demand
        self.grouping = Grouping(result)
        self.filter = self._wanted = GroupFilter()
        self.sort = GroupOrder.NEWEST
        count = len(result.documents)
        self.names = SearchNames(result.documents, result.library)
        self._seen = np.zeros(count, np.bool_)
        self._states = np.full(count, FileState.THERE, np.uint8)
        self._unavailable = np.zeros(count, np.bool_)
        self._moves = 0  # changes of file states
        self._listeners: list[Callable[[SessionChange], None]] = []
        self._ready: OrderedDict[tuple[Demand, GroupFilter, GroupOrder, int], View] = OrderedDict()
        self._changes = 0  # number of changes other than of the demand
        self._shown: View | None = None
        self._open = OpenGroups()
        self._forms: tuple[int, list[NDArray[np.int32]]] | None = None  # of an edition of the acts
        self.doing = ActRunner(self._prepare_shown, self._show)
        self.do = self.doing.do
        self.acts = Acts(result.documents, decisions, lambda decided: self.marks.copies_stay(decided), self._tell)
        self.marks = Marks(self.grouping, self.acts, lambda: self.demand, self._unavailable)
        self.acts.load()
        self.grouping.set_apart(frozenset(self.acts.verdicts.pairs_apart()))
        self.is_complete = is_complete
        if is_complete:
            self.marks.drop_lost()

    def load_without_marks(self, decisions: Decisions) -> None:
        """Take over what stored decisions keep and their verdicts, without the marks; later acts are not stored."""
        self.acts.take_over(decisions, marks=False)
        self._tell(SessionChange(clusters=True))

    def complete(self) -> None:
        """Compute what is shown beside the list, so that the window need not wait for it."""
        self.grouping.prepare(self.demand)
        self.forms()
        self.marks.drop_lost()
        self.is_complete = True
        self._tell(SessionChange(clusters=True))

    # Acts

    def undo(self, nothing: Callable[[], object] = lambda: None) -> None:
        """Undo the newest decision; call `nothing` if there is no decision to undo."""
        self.do(self.acts.undo, lambda undone: None if undone else nothing())

    def undoing_newest(self, otherwise: Callable[[], object]) -> Callable[[], None]:
        """Return a function that undoes the newest decision; after a later decision, it calls `otherwise` instead."""
        undo = self.acts.undoing_newest()
        return lambda: self.do(undo, lambda undone: None if undone else otherwise())

    # Demand and list

    @property
    def edition(self) -> int:
        """A number that increases when the groups of a demand change without a new grouping."""
        return self.acts.edition + self._moves

    def set_demand(self, demand: Demand) -> None:
        """Change the demand. No file is read again, and no mark is lost. Raises SettingError outside the limits."""
        similarity = float(MIN_SIMILARITY.checked(demand.similarity))
        radius = max(0, min(demand.radius, self.widest_radius))
        self.wanted_demand = replace(demand, similarity=similarity, radius=radius)
        self.do(self._take_demand)

    def _take_demand(self) -> None:
        """Use the demand that was wanted last, unless an earlier act has taken it already."""
        if self.demand != self.wanted_demand:
            self.demand = self.wanted_demand
            self._show(SessionChange(clusters=True))

    def set_radius(self, radius: int) -> None:
        """Change the radius, limited to 0..widest_radius."""
        self.set_demand(replace(self.demand, radius=radius))

    def prepare(self, demand: Demand) -> ClusterCounts:
        """Compute what is shown of a demand, so that a change to it is quick; return its counts. Thread-safe."""
        key = self._list_key(demand)
        view = self._ready.get(key) or self._view_of(demand)
        view.complete()
        self.grouping.prepare(demand)
        self.forms()
        self._ready[key] = view
        while len(self._ready) > _READY:
            self._ready.popitem(last=False)
        return view.counts

    def _prepare_shown(self) -> None:
        """Compute what is shown after an act: the list, the counts and the open group."""
        self.prepare(self.demand)
        self._members(self._open.newest, self._ready[self._list_key(self.demand)].clusters)

    def _list_key(self, demand: Demand) -> tuple[Demand, GroupFilter, GroupOrder, int]:
        """Return what the list of a demand depends on; the number counts all other changes."""
        return demand, self.filter, self.sort, self._changes

    def parts(self, cluster: int) -> list[int]:
        """Return the rows of documents of a group that another member contains, ascending."""
        position = self.all_clusters().position_of(cluster)
        rows = self.all_clusters().folded(position).tolist() if position >= 0 else []
        return [row for row in rows if not self._unavailable[row]]

    def counts(self, demand: Demand | None = None) -> ClusterCounts:
        """Return the counts of all groups, under the present demand by default. Thread-safe if one is given."""
        return (self._view() if demand in (None, self.demand) else self._view_of(demand)).counts

    def set_filter(self, chosen: GroupFilter) -> None:
        """Change the filter of the list."""
        self._wanted = chosen
        self.do(self._take)

    def _take(self, sort: GroupOrder | None = None) -> None:
        """Use an order and the filter that was wanted last, unless an earlier act has taken them already."""
        wanted = sort or self.sort, self._wanted
        if wanted != (self.sort, self.filter):
            self.sort, self.filter = wanted
            self._tell(SessionChange(clusters=True))

    def query(self) -> SearchQuery:
        """Return the search that limits the list."""
        return SearchQuery.parse(self.filter.text)

    def hit_of(self, cluster: int) -> int:
        """Return the document of a group that meets the search, the kept copy before others; -1 for none."""
        return self._view().hit_of(cluster)

    def set_sort(self, order: GroupOrder) -> None:
        self.do(partial(self._take, sort=order))

    def all_clusters(self) -> Clusters:
        """Return all groups of the present demand, without filter and order."""
        return self._view().clusters

    def unfiltered(self) -> NDArray[np.intp]:
        """Return the positions of all groups that are shown without a filter, ascending."""
        return self._view().unfiltered

    def listed(self) -> ClusterTable:
        """Return the groups of the list: filtered and sorted."""
        return self._view().table

    def lister(self, order: FileOrder, *, downwards: bool = False) -> Callable[[], FileTable]:
        """Return a function for any thread that lists the documents of the listed groups one by one, as they are now.

        Documents that do not meet the filter themselves are passed over.
        """
        return partial(self._view().files, order, self.acts.decisions.copy(), downwards=downwards)

    def relation_counts(self) -> RelationCounts:
        """Return documents and groups by relation to the kept copy, for the filter buttons."""
        return self._view().relation_counts

    def trait_counts(self) -> dict[GroupTrait, int]:
        """Return the number of groups that meet the search and have each trait."""
        return self._view().trait_counts

    def members(self, cluster: int) -> list[Member]:
        """Return the documents of a group by its id, as `members_of`; none until the session is complete."""
        return self._members(cluster, self.all_clusters()) if self.is_complete else []

    def members_at(self, position: int) -> list[Member]:
        """Return the documents of the group at a position of `all_clusters`."""
        return self._members_of(self.all_clusters(), position)

    def _members(self, cluster: int, clusters: Clusters) -> list[Member]:
        make = partial(self._members_of, clusters)
        return self._open.members(cluster, clusters, self._moves, self.acts.decisions, make)

    def _members_of(self, clusters: Clusters, position: int) -> list[Member]:
        return members_of(self.grouping, clusters, position, self.demand, self.acts.decisions, self._states)

    def relation_of(self, left: int, right: int) -> tuple[Relation, float]:
        """Return (relation of the left document to the right one under the present demand, similarity)."""
        return self.grouping.relation_of(left, right, self.demand)

    # Verdicts on groups

    def mark_reviewed(self, cluster: int) -> None:
        """Record that a group was reviewed. Stored for later scans. Not a step of undo."""
        self._do_about(cluster, self.acts.set_reviewed)

    def mark_seen(self, document: int) -> None:
        """Record that a document was opened in the comparison."""
        self._seen[document] = True

    def not_duplicates(self, cluster: int) -> None:
        """Record that a group's documents are no duplicates: it leaves the list with its marks, in later scans too."""
        self._do_about(cluster, self.acts.set_apart)

    def duplicates_again(self, cluster: int) -> None:
        """Undo `not_duplicates`."""
        self._do_about(cluster, self.acts.clear_apart)

    def _do_about(self, cluster: int, act: Callable[[Clusters, int], None]) -> None:
        """Carry out an act about a group; do nothing without such a group."""
        position = self.all_clusters().position_of(cluster)
        if position >= 0:
            self.do(partial(act, self.all_clusters(), position))

    def forms(self) -> list[NDArray[np.int32]]:
        """Return the rows of each form, the largest first, without those that the person rejected."""
        if self._forms is None or self._forms[0] != self.acts.edition:
            edition, verdicts = self.acts.edition, self.acts.verdicts
            self._forms = edition, verdicts.without(VerdictKind.NOT_A_FORM, self.grouping.forms)
        return self._forms[1]

    def listed_forms(self) -> list[NDArray[np.int32]]:
        """Return the forms with a document that meets the search of the list; all forms without a search."""
        return self._view().with_hits(self.forms())

    def not_a_form(self, documents: Sequence[int]) -> None:
        """Record that some documents are not one form: it leaves the list of forms. Stored for later scans."""
        act = Act.of_verdicts((Verdict(VerdictKind.NOT_A_FORM, frozenset(documents)),), ())
        self.do(partial(self.acts.do, act))

    # Files that changed since the scan

    def file_state(self, document: int) -> FileState:
        """Return the state of a document's file since the scan."""
        return FileState(int(self._states[document]))

    def note_files(self, documents: Iterable[int], state: FileState) -> None:
        """Record the state of some files. Missing and changed ones count neither as copies nor as marks meanwhile."""
        self.do(partial(self._take_state, np.fromiter(documents, np.int64), state))

    def note_removed(self, documents: Iterable[int]) -> None:
        """Record that some files were removed: their marks are done, and no earlier decision can be undone."""
        rows = np.fromiter(documents, np.int64)
        self.do(partial(self._take_state, rows, FileState.GONE))
        self.do(partial(self.acts.forget, rows))

    def _take_state(self, rows: NDArray[np.int64], state: FileState) -> None:
        self._states[rows] = state
        self._unavailable[rows] = state is not FileState.THERE
        self._moves += 1
        self._tell(SessionChange(tuple(rows.tolist()), clusters=True))

    # Removal

    def summary(self) -> MarkSummary:
        """Return the numbers of the marked documents."""
        return self._view().summary(self._seen)

    def plan(self, verb: Verb = Verb.TRASH, destination: Path | None = None) -> Plan:
        """Return a plan for the marks that the present demand shows; each step names the survivor."""
        marked = self._view().marked
        return make_plan(self.result, marked.rows, marked.survivors, verb, destination, self.demand)

    def subscribe(self, listener: Callable[[SessionChange], None]) -> Callable[[], None]:
        """Register a listener for every change; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Internal

    def _view(self) -> View:
        """Return what is shown at present."""
        if self._shown is None:
            self._shown = self._view_of(self.demand)
        return self._shown

    def _view_of(self, demand: Demand) -> View:
        """Return what would be shown of a demand; until `complete`, with the proposed kept copies."""
        proposed, verdicts, unavailable = self.grouping.clusters(demand), self.acts.verdicts, self._unavailable
        decided = self.grouping.as_decided(demand, self.acts.decisions, unavailable) if self.is_complete else proposed
        reviewed, apart = (verdicts.mask(kind, decided) for kind in (VerdictKind.REVIEWED, VerdictKind.APART))
        return View(
            decided, proposed, self.result.documents, self.names, self.acts.marked & ~unavailable, unavailable,
            reviewed, apart, self.filter, self.sort, partial(find_marked, self.grouping, self.marks, demand),
        )  # fmt: skip

    def _tell(self, change: SessionChange) -> None:
        """Inform the listeners of a change of anything but the demand."""
        self._changes += 1
        self._ready.clear()  # made before the change
        self.grouping.set_apart(frozenset(self.acts.verdicts.pairs_apart()))
        self._show(change)

    def _show(self, change: SessionChange) -> None:
        """Replace what is shown, by a prepared view if there is one, and inform the listeners."""
        if not self.doing.hold(change):
            self._shown = self._ready.get(self._list_key(self.demand))
            for listener in tuple(self._listeners):
                listener(change)
