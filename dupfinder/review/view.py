"""What is shown of a review at one moment: the list, its counts and the marks, each computed at its first use."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.families import freed
from dupfinder.cluster.relation import FREELY_REMOVED, Demand
from dupfinder.review.acts import Summary
from dupfinder.review.grouping import Counts, Grouping
from dupfinder.review.listing import ClusterTable, Filter, Listing, RelationCounts, Sort
from dupfinder.review.marks import Marks
from dupfinder.review.survivors import Choices


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks that a demand shows.

    rows:    int64 (m,), marked documents that have a survivor. survivors: of each of them.
    hidden:  number of other marks. bytes: that removing the documents frees.
    """

    rows: NDArray[np.int64]
    survivors: Choices
    hidden: int
    bytes: int


def find_marked(grouping: Grouping, marks: Marks, demand: Demand) -> Marked:
    """Return the marks that a demand shows."""
    rows = marks.rows()
    if not len(rows):
        return Marked(rows, Choices.none(0), 0, 0)
    hidden = grouping.place_of(demand)[rows] < 0
    hidden |= marks.without_survivor(demand)[rows] | grouping.result.documents.inside[rows]
    shown = rows[~hidden]
    size = freed(grouping.files, shown) if len(shown) else 0
    return Marked(shown, marks.survivors_of(shown, demand), len(rows) - len(shown), size)


@dataclass(frozen=True)
class View:
    """The groups of a listing under one filter and order. Does not change; thread-safe.

    find_marked: computes `marked`.
    """

    listing: Listing
    chosen: Filter
    order: Sort
    find_marked: Callable[[], Marked]

    @functools.cached_property
    def table(self) -> ClusterTable:
        """The groups of the list: filtered and sorted."""
        return self.listing.table(self.chosen, self.order)

    @functools.cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Which documents meet the search, bool (n,)."""
        return self.listing.names.matches(self.chosen.text)

    @functools.cached_property
    def relation_counts(self) -> RelationCounts:
        """Documents and groups by relation to the kept copy, for the filter buttons."""
        return self.listing.relation_counts(self.chosen.text)

    @functools.cached_property
    def other_counts(self) -> dict[str, int]:
        """Groups for the other filters; see `Listing.other_counts`."""
        return self.listing.other_counts(self.chosen.text)

    @functools.cached_property
    def counts(self) -> Counts:
        """The counts of all groups."""
        return self.listing.counts()

    @functools.cached_property
    def marked(self) -> Marked:
        """The marks."""
        return self.find_marked()

    def summary(self, seen: NDArray[np.bool_]) -> Summary:
        """Return the numbers of the marks. seen: documents that were opened in the comparison, bool (n,)."""
        marked, relation = self.marked, self.marked.survivors.relation
        relations = marked.survivors.relations()
        freely = np.isin(relation, [int(kind) for kind in FREELY_REMOVED])
        unseen = int((~freely & ~seen[marked.rows]).sum())
        clusters = self.listing.marked_clusters()
        return Summary(len(marked.rows), marked.bytes, marked.hidden, relations, unseen, clusters)

    def complete(self) -> None:
        """Compute all parts now."""
        self.table, self.relation_counts, self.other_counts, self.counts, self.marked, self.listing.marked_clusters()
        if self.chosen.text:
            self.hits  # noqa: B018
