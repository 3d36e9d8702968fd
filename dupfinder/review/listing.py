"""The list of clusters: which are shown, in which order, and the counts of the chips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.library.rows import Documents
from dupfinder.review.filters import Filter, Kind, Sort
from dupfinder.review.grouping import Clusters, Counts
from dupfinder.review.members import title_of
from dupfinder.review.search import Names


@dataclass(frozen=True, slots=True)
class ClusterTable:
    """The clusters that are shown, in order, as columns of length g; see review.grouping.Clusters for their meaning."""

    ids: NDArray[np.int32]
    size: NDArray[np.int32]
    bytes_to_free: NDArray[np.int64]
    lowest: NDArray[np.float32]
    kind: NDArray[np.uint8]
    reviewed: NDArray[np.bool_]
    marked: NDArray[np.bool_]
    apart: NDArray[np.bool_]
    keeper: NDArray[np.int32]
    documents: Documents

    def __len__(self) -> int:
        return len(self.ids)

    def title(self, row: int) -> str:
        """What the cluster is called: its keeper's title or name."""
        return title_of(self.documents, int(self.keeper[row]))


@dataclass(frozen=True, slots=True)
class Listing:
    """All clusters of a radius with what was decided: marked, gone bool (n,) by document; reviewed, apart bool (g,)."""

    clusters: Clusters
    documents: Documents
    names: Names
    marked: NDArray[np.bool_]
    gone: NDArray[np.bool_]
    reviewed: NDArray[np.bool_]
    apart: NDArray[np.bool_]

    def table(self, chosen: Filter, order: Sort) -> ClusterTable:
        """The clusters that a filter shows, in order."""
        found = self.clusters
        places = self._shown(chosen)
        places = places[self._order(places, order)]
        return ClusterTable(
            ids=found.ids[places],
            size=self._sizes()[places].astype(np.int32),
            bytes_to_free=self._to_free()[places],
            lowest=found.lowest[places],
            kind=found.kinds[places],
            reviewed=self.reviewed[places],
            marked=self._any(self.marked)[places],
            apart=self.apart[places],
            keeper=found.keepers[places],
            documents=self.documents,
        )

    def kind_counts(self, text: str) -> dict[str, int]:
        """Counts of what a search shows: "all", each Kind's lower-case name, "unreviewed", "marked", "protected"; and
        of what it does not show, "apart"."""
        shown = self._shown(Filter(text=text))
        kinds = np.bincount(self.clusters.kinds[shown], minlength=len(Kind))
        counts = {kind.name.lower(): int(kinds[kind]) for kind in Kind}
        counts["all"] = len(shown)
        counts["unreviewed"] = int((~self.reviewed[shown]).sum())
        counts["marked"] = int(self._any(self.marked)[shown].sum())
        counts["protected"] = int(self._any(self.documents.protected)[shown].sum())
        counts["apart"] = len(self._shown(Filter(text=text, only_apart=True)))
        return counts

    def counts(self) -> Counts:
        """All that is shown without a filter: clusters, the documents in them that are there, and bytes beyond one copy
        of each; a part of a longer document is no copy, so the bytes are those of the near clusters alone."""
        found, shown = self.clusters, np.zeros(len(self.clusters), np.bool_)
        shown[self._shown(Filter())] = True
        inside = np.zeros(len(self.documents), np.bool_)
        inside[found.members[np.repeat(shown, np.diff(found.starts))]] = True
        to_free = self._to_free()[shown & (found.ids >= 0)]
        return Counts(int(shown.sum()), int((inside & ~self.gone).sum()), int(to_free.sum()))

    def marked_clusters(self) -> int:
        """How many clusters have a marked document; those of containment only where no near cluster has it."""
        found = self.clusters
        near = np.repeat(found.ids >= 0, np.diff(found.starts))
        rest = self.marked.copy()
        rest[found.members[near]] = False
        return int(np.where(found.ids >= 0, self._any(self.marked), self._any(rest)).sum())

    def _any(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether a cluster has a document of the mask, bool (g,)."""
        found = self.clusters
        return np.logical_or.reduceat(mask[found.members], found.starts[:-1]) if len(found) else np.zeros(0, np.bool_)

    def _sizes(self) -> NDArray[np.int64]:
        """How many documents of each cluster are there, int64 (g,)."""
        found = self.clusters
        if not self.gone.any() or not len(found):
            return np.diff(found.starts)
        return np.add.reduceat(~self.gone[found.members], found.starts[:-1], dtype=np.int64)

    def _to_free(self) -> NDArray[np.int64]:
        """Bytes beyond one kept copy of each cluster, int64 (g,), without what is gone already."""
        found = self.clusters
        if not self.gone.any() or not len(found):
            return found.bytes_to_free
        sizes = self.documents.removable[found.members]
        gone = self.gone[found.members]
        lost = np.add.reduceat(np.where(gone, sizes, 0), found.starts[:-1])
        kept = np.maximum.reduceat(np.where(gone, 0, sizes), found.starts[:-1])
        without_keeper = found.bytes_to_free - lost + self.documents.removable[found.keepers] - kept
        left = np.where(self.gone[found.keepers], without_keeper, found.bytes_to_free - lost)
        return np.maximum(left, 0)

    def _shown(self, chosen: Filter) -> NDArray[np.intp]:
        found = self.clusters
        mask = self.apart.copy() if chosen.only_apart else ~self.apart
        if self.gone.any():
            mask &= self._sizes() > 1
        if chosen.kinds:
            mask &= np.isin(found.kinds, [int(kind) for kind in chosen.kinds])
        if chosen.only_unreviewed:
            mask &= ~self.reviewed
        if chosen.only_marked:
            mask &= self._any(self.marked)
        if chosen.only_protected:
            mask &= self._any(self.documents.protected)
        if chosen.text.strip():
            mask &= self._any(self.names.matches(chosen.text))
        return np.flatnonzero(mask)

    def _order(self, places: NDArray[np.intp], order: Sort) -> NDArray[np.intp]:
        found, documents = self.clusters, self.documents
        if order in (Sort.NAME, Sort.FOLDER):
            ranks = self.names.name_ranks() if order is Sort.NAME else self.names.path_ranks()
            return np.argsort(ranks[found.keepers[places]], kind="stable")
        key: NDArray[np.float64] | NDArray[np.int64]
        if order is Sort.SPACE:
            key = -self._to_free()[places]
        elif order is Sort.SIMILARITY:
            key = -found.lowest[places].astype(np.float64)
        elif order is Sort.COPIES:
            key = -self._sizes()[places]
        else:
            times = documents.mtime_ns[found.members]
            newest = np.maximum.reduceat(times, found.starts[:-1]) if len(found) else times
            key = -newest[places]
        return np.lexsort((found.ids[places], key))
