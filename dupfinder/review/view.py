"""What is shown of a review at one moment: the groups, their counts and the marks, each computed at its first use."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import row_mask, runs
from dupfinder.cluster.clustering import ClusterCounts, Clusters, freed
from dupfinder.cluster.relation import FREELY_REMOVED, Demand, Relation
from dupfinder.library.rows import Documents
from dupfinder.review.acts import MarkSummary
from dupfinder.review.grouping import Grouping
from dupfinder.review.listing import (
    FILTERED_RELATIONS,
    ClusterTable,
    FileOrder,
    FileTable,
    GroupFilter,
    GroupOrder,
    GroupTrait,
    RelationCounts,
    SearchNames,
)
from dupfinder.review.marks import Marks
from dupfinder.review.survivors import ChosenSurvivors

_VERSIONS = FILTERED_RELATIONS.index(Relation.VERSION)
_COLUMNS = np.full(len(Relation), _VERSIONS, np.int64)  # by relation: its index in FILTERED_RELATIONS
_COLUMNS[list(FILTERED_RELATIONS)] = range(len(FILTERED_RELATIONS))
_COLUMNS[Relation.NONE] = len(FILTERED_RELATIONS)  # distant versions
_IS_VERSION = np.zeros(len(Relation), np.bool_)  # by relation; also of distant versions and longer documents
_IS_VERSION[[Relation.VERSION, Relation.NONE, Relation.WHOLE]] = True


@dataclass(frozen=True, slots=True)
class ShownMarks:
    """The marks that are shown under a demand.

    rows:    int64 (m,), marked documents that have a survivor. survivors: the survivor of each of them.
    hidden:  number of other marks. bytes: what removing the documents frees.
    """

    rows: NDArray[np.int64]
    survivors: ChosenSurvivors
    hidden: int
    bytes: int


def find_marked(grouping: Grouping, marks: Marks, demand: Demand) -> ShownMarks:
    """Return the marks that are shown under a demand."""
    rows = marks.marked_rows()
    if not len(rows):
        return ShownMarks(rows, ChosenSurvivors.unchosen(0), 0, 0)
    hidden = grouping.positions_of(demand)[rows] < 0
    hidden |= marks.without_survivor(demand)[rows] | grouping.result.documents.inside[rows]
    shown = rows[~hidden]
    size = freed(grouping.files, shown) if len(shown) else 0
    return ShownMarks(shown, marks.survivors_of(shown, demand), len(rows) - len(shown), size)


@dataclass(frozen=True)
class View:
    """The groups of a demand under one filter and order, with the decisions about them. Does not change; thread-safe.

    proposed: the same groups with the proposed kept copies. Order and filter use these, so that no decision moves a
    group in the list.
    marks, unavailable: bool (n,) by document. marks: to be removed and available. unavailable: missing or changed.
    reviewed, apart: bool (g,).
    find_marked: computes `marked`.
    """

    clusters: Clusters
    proposed: Clusters
    documents: Documents
    names: SearchNames
    marks: NDArray[np.bool_]
    unavailable: NDArray[np.bool_]
    reviewed: NDArray[np.bool_]
    apart: NDArray[np.bool_]
    chosen: GroupFilter
    order: GroupOrder
    find_marked: Callable[[], ShownMarks]

    @functools.cached_property
    def table(self) -> ClusterTable:
        """The groups of the list: filtered and sorted."""
        clusters = self.clusters
        positions = self._shown(self.chosen)
        positions = positions[self._order(positions)]
        holds, distant = self._holds
        return ClusterTable(
            ids=clusters.ids[positions],
            size=self._sizes[positions].astype(np.int32),
            holds=holds[positions],
            distant=distant[positions],
            bytes_to_free=clusters.bytes_to_free[positions],
            reviewed=self.reviewed[positions],
            marked=self._with_marks[positions],
            apart=self.apart[positions],
            keeper=clusters.keepers[positions],
            documents=self.documents,
        )

    def files(self, order: FileOrder, decisions: NDArray[np.uint8], *, downwards: bool = False) -> FileTable:
        """Return the documents of the listed groups that meet the filter themselves. decisions: uint8 (n,)."""
        clusters, documents, names = self.clusters, self.documents, self.names
        ranks = np.full(len(clusters), -1, np.int64)  # of the groups in the list
        ranks[np.searchsorted(clusters.ids, self.table.ids)] = np.arange(len(self.table))
        entries = np.flatnonzero((ranks >= 0)[clusters.positions] & self._members_in_filter())
        members, positions = clusters.members[entries], clusters.positions[entries]
        is_kept = members == clusters.keepers[positions]
        closeness = np.where(is_kept, len(Relation), clusters.relation[entries].astype(np.int64))
        by_group = (entries, -closeness, ranks[positions])
        keys: dict[FileOrder, Callable[[], NDArray[Any]]] = {
            FileOrder.GROUP: lambda: ranks[positions],
            FileOrder.NAME: lambda: names.name_ranks[members],
            FileOrder.FOLDER: lambda: names.path_ranks[members],
            FileOrder.RELATION: lambda: closeness + clusters.similarity[entries],
            FileOrder.CHANGED: lambda: documents.mtime_ns[members],
            FileOrder.SIZE: lambda: documents.size[members],
            FileOrder.DECISION: lambda: decisions[members].astype(np.int64),
        }
        key = keys[order]()
        ordered = np.lexsort((*by_group, -key if downwards else key))
        entries = entries[ordered]
        if order is FileOrder.GROUP:
            firsts, _ = runs(positions[ordered])
            entries = np.insert(entries, firsts, -1 - positions[ordered][firsts].astype(np.int64))
        return FileTable(clusters, entries)

    def _members_in_filter(self) -> NDArray[np.bool_]:
        """Return which members meet the filter themselves, not only by another member of their group: bool (total,)."""
        clusters, chosen, members = self.clusters, self.chosen, self.clusters.members
        mask = ~self.unavailable[members]
        if chosen.relations:
            numbers = [number for number, relation in enumerate(FILTERED_RELATIONS) if relation in chosen.relations]
            columns = _COLUMNS[clusters.relation]
            columns[columns == len(FILTERED_RELATIONS)] = _VERSIONS
            mask &= np.isin(columns, numbers) & (members != clusters.keepers[clusters.positions])
        for name, column in (("marked", self.marks), ("protected", self.documents.protected)):
            if name in chosen.only:
                mask &= column[members]
        if chosen.documents is not None:
            mask &= np.isin(members, list(chosen.documents))
        return mask & self.hits[members] if chosen.text.strip() else mask

    @functools.cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Which documents meet the search, bool (n,)."""
        return self.names.matches(self.chosen.text)

    def hit_of(self, cluster: int) -> int:
        """Return the document of a group that meets the search, the kept copy before others; -1 for none."""
        position = self.clusters.position_of(cluster)
        rows = self.clusters.rows(position) if position >= 0 else np.empty(0, np.int32)
        hits = rows[self.hits[rows]].tolist()
        if hits and (keeper := int(self.clusters.keepers[position])) in hits:
            return keeper
        return next(iter(hits), -1)

    def with_hits(self, forms: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
        """Return the forms, rows of documents, with one that meets the search; all of them without a search."""
        return [rows for rows in forms if self.hits[rows].any()] if self.chosen.text.strip() else forms

    @functools.cached_property
    def relation_counts(self) -> RelationCounts:
        """The numbers of the relation buttons, for the groups that meet the search."""
        shown = self._shown(GroupFilter(text=self.chosen.text))
        holds, _ = self._holds
        return RelationCounts(holds[shown].sum(axis=0, dtype=np.int64), (holds[shown] > 0).sum(axis=0, dtype=np.int64))

    @functools.cached_property
    def trait_counts(self) -> dict[GroupTrait, int]:
        """The number of groups that meet the search and have each trait."""
        shown = self._shown(GroupFilter(text=self.chosen.text))
        apart = self._shown(GroupFilter(text=self.chosen.text, only=frozenset({GroupTrait.APART})))
        return {
            trait: int(self._have(trait)[apart if trait is GroupTrait.APART else shown].sum()) for trait in GroupTrait
        }

    def _have(self, trait: GroupTrait) -> NDArray[np.bool_]:
        """Return which groups have a trait, bool (g,)."""
        match trait:
            case GroupTrait.ALL:
                return np.ones(len(self.clusters), np.bool_)
            case GroupTrait.UNREVIEWED:
                return ~self.reviewed
            case GroupTrait.FREE:
                return self.clusters.bytes_to_free > 0
            case GroupTrait.MARKED:
                return self._with_marks
            case GroupTrait.PROTECTED:
                return self._with_any(self.documents.protected)
            case GroupTrait.APART:
                return self.apart

    @functools.cached_property
    def unfiltered(self) -> NDArray[np.intp]:
        """Positions of the groups that are shown without a filter."""
        return self._shown(GroupFilter())

    @functools.cached_property
    def counts(self) -> ClusterCounts:
        """The number of groups shown without a filter, of their unchanged documents, and the bytes to free."""
        shown = self.unfiltered
        return ClusterCounts(len(shown), int(self._sizes[shown].sum()), int(self.clusters.bytes_to_free[shown].sum()))

    @functools.cached_property
    def marked(self) -> ShownMarks:
        return self.find_marked()

    def summary(self, seen: NDArray[np.bool_]) -> MarkSummary:
        """Return the numbers of the marks. seen: documents that were opened in the comparison, bool (n,)."""
        shown, relation = self.marked, self.marked.survivors.relation
        freely = np.isin(relation, [int(kind) for kind in FREELY_REMOVED])
        unseen = int((~freely & ~seen[shown.rows]).sum())
        clusters = int(self._with_any(row_mask(len(self.documents), shown.rows)).sum())
        return MarkSummary(len(shown.rows), shown.bytes, shown.hidden, shown.survivors.relations(), unseen, clusters)

    def complete(self) -> None:
        """Compute all parts now."""
        _ = self.table, self.relation_counts, self.trait_counts, self.counts, self.marked
        _ = self.chosen.text and self.hits

    @functools.cached_property
    def _holds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the counts of `_held` with the copies that are kept."""
        return self._held(self.clusters)

    def _held(self, clusters: Clusters) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Count documents except kept copies by group and relation, int32 (g, 5), and distant versions, int32 (g,)."""
        columns = len(FILTERED_RELATIONS) + 2  # one more for distant versions, one for documents that are not counted
        keys = clusters.positions * columns + _COLUMNS[clusters.relation]
        left_out = clusters.members == clusters.keepers[clusters.positions]
        if self.unavailable.any():
            left_out |= self.unavailable[clusters.members]
        keys[left_out] = columns - 1
        counted = np.bincount(keys, minlength=len(clusters) * columns).reshape(len(clusters), columns).astype(np.int32)
        holds, distant = counted[:, : len(FILTERED_RELATIONS)], counted[:, len(FILTERED_RELATIONS)]
        holds[:, _VERSIONS] += distant
        return holds, distant

    @functools.cached_property
    def _lowest(self) -> NDArray[np.float32]:
        """Least similarity of a version to the proposed copy of each group, float32 (g,), 1 without versions."""
        clusters = self.proposed
        alike = np.where(_IS_VERSION[clusters.relation], clusters.similarity, np.float32(1))
        return np.minimum.reduceat(alike, clusters.starts[:-1]) if len(clusters) else alike

    @functools.cached_property
    def _with_marks(self) -> NDArray[np.bool_]:
        """Which groups have a marked document, bool (g,)."""
        return self._with_any(self.marks)

    def _with_any(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which groups have at least one document of the mask, bool (g,). mask: bool (n,)."""
        clusters = self.clusters
        if not len(clusters) or not mask.any():
            return np.zeros(len(clusters), np.bool_)
        return np.logical_or.reduceat(mask[clusters.members], clusters.starts[:-1])

    @functools.cached_property
    def _sizes(self) -> NDArray[np.int64]:
        """Number of documents of each group whose files are unchanged, int64 (g,)."""
        clusters = self.clusters
        if not self.unavailable.any() or not len(clusters):
            return np.diff(clusters.starts)
        return np.add.reduceat(~self.unavailable[clusters.members], clusters.starts[:-1], dtype=np.int64)

    def _shown(self, chosen: GroupFilter) -> NDArray[np.intp]:
        """Return the positions of the groups that meet a filter."""
        mask = ~self.apart if GroupTrait.APART not in chosen.only else np.ones(len(self.clusters), np.bool_)
        if self.unavailable.any():
            mask &= self._sizes > 1
        if chosen.relations:
            columns = [number for number, relation in enumerate(FILTERED_RELATIONS) if relation in chosen.relations]
            holds = self._holds[0]
            if self.proposed is not self.clusters:  # choosing another kept copy removes no group
                holds = np.maximum(holds, self._held(self.proposed)[0])
            mask &= (holds[:, columns] > 0).any(axis=1)
        for trait in chosen.only:
            mask &= self._have(trait)
        if chosen.documents is not None:
            mask &= self._with_any(row_mask(len(self.documents), np.array(list(chosen.documents), np.int64)))
        if chosen.text.strip():
            mask &= self._with_any(self.hits)
        return np.flatnonzero(mask)

    def _order(self, positions: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return positions of groups in order."""
        clusters, documents, order = self.proposed, self.documents, self.order
        key: NDArray[Any]
        if order in (GroupOrder.NAME, GroupOrder.FOLDER):
            ranks = self.names.name_ranks if order is GroupOrder.NAME else self.names.path_ranks
            key = ranks[clusters.keepers[positions]]
        elif order is GroupOrder.SPACE:
            key = -clusters.bytes_to_free[positions]
        elif order is GroupOrder.SIMILARITY:
            key = -self._lowest[positions]
        elif order is GroupOrder.COPIES:
            key = -self._sizes[positions]
        else:
            times = documents.mtime_ns[clusters.members]
            newest = np.maximum.reduceat(times, clusters.starts[:-1]) if len(clusters) else times
            key = -newest[positions]
        return np.argsort(key, kind="stable")
