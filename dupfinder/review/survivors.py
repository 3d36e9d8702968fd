"""Survivors: for each marked document an unmarked file that keeps what it said. No survivor, no mark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import WhyLast
from dupfinder.cluster.relation import Demand, Relation, reversed_of
from dupfinder.review.grouping import Grouping


@dataclass(frozen=True, slots=True)
class Survivor:
    """The kept file a victim gives way to: its row, what the victim is to it, and how similar the two are.

    share: of a part, how much of it is in the survivor; else 1.
    """

    row: int
    relation: Relation
    similarity: float
    share: float = 1.0


class Survivors:
    """Which documents have a survivor under some marks and one demand.

    The survivor of a document is an unmarked file of its own that is identical to it, has the same text or words, or is
    a version of it by a verified pair. A document that is marked as a part needs an unmarked whole instead. A member of
    an archive is no survivor, even where the reviewer said Keep: a removal could not check it under its own name.
    marked, parts, gone: bool (n,); parts: which of the marked are marked as parts.
    """

    def __init__(
        self,
        grouping: Grouping,
        demand: Demand,
        marked: NDArray[np.bool_],
        parts: NDArray[np.bool_],
        gone: NDArray[np.bool_],
    ) -> None:
        self._grouping, self._demand = grouping, demand
        self._ties = grouping.ties(demand)
        self._marked, self._parts = marked, parts
        self._stays = ~marked & ~gone & ~grouping.files.inside
        self._alive = np.bincount(grouping.copies[self._stays], minlength=grouping.count) > 0

    def without(self) -> NDArray[np.bool_]:
        """The marked documents that have no survivor, bool (n,)."""
        pairs, copies = self._grouping.pairs, self._grouping.copies
        kept, held = self._alive.copy(), self._alive.copy()
        for relation, reaches in ((Relation.VERSION, (kept, held)), (Relation.PART, (held,))):
            for left, right in self._directed(pairs.left, pairs.right, relation):
                for reached in reaches:
                    reached[left[self._alive[right]]] = True
        return self._marked & ~np.where(self._parts, held[copies], kept[copies])

    def _directed(
        self, left: NDArray[np.uint32], right: NDArray[np.uint32], relation: Relation
    ) -> tuple[tuple[NDArray[np.uint32], NDArray[np.uint32]], ...]:
        """The pairs whose first document is this to the second, in either direction."""
        mirrored = Relation.WHOLE if relation is Relation.PART else relation
        forward, back = self._ties.relation == relation, self._ties.relation == mirrored
        return (left[forward], right[forward]), (right[back], left[back])

    def differs(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether what is kept for each document has other words than it, bool (m,)."""
        differs: NDArray[np.bool_] = ~self._alive[self._grouping.copies[rows]]
        return differs

    def best(self, row: int, preferred: NDArray[np.bool_]) -> Survivor | None:
        """The closest survivor of a document; among equals one that is `preferred`, bool (n,), then the lowest row."""
        stand = int(self._grouping.copies[row])
        if self._alive[stand]:
            return self._copy(row, stand, preferred)
        partners = self._partners(stand)
        versions = [(-alike, other) for other, relation, alike, _ in partners if relation is Relation.VERSION]
        if versions:
            alike, other = min(versions)
            return Survivor(self._first(other, preferred), Relation.VERSION, -alike)
        wholes = [(-share, other, alike) for other, relation, alike, share in partners if relation is Relation.PART]
        if wholes and self._parts[row]:
            share, other, alike = min(wholes)
            return Survivor(self._first(other, preferred), Relation.PART, alike, -share)
        return None

    def why(self, row: int) -> tuple[WhyLast, int]:
        """(why a document has no survivor, the row of the other document that this is about; -1 for none)."""
        stand = int(self._grouping.copies[row])
        partners = {relation: other for other, relation, _, _ in self._partners(stand)}
        for relation, why in ((Relation.PART, WhyLast.PART), (Relation.WHOLE, WhyLast.WHOLE),
                              (Relation.SAME_FORM, WhyLast.FORM)):  # fmt: skip
            if relation in partners:
                return why, self._first(partners[relation], np.zeros(self._grouping.count, np.bool_))
        clusters = self._grouping.clusters(self._demand)
        entry = np.flatnonzero(clusters.members == row)
        if len(entry):
            members = clusters.rows(int(clusters.places[entry[0]]))
            unlike = members[(self._grouping.copies[members] != stand) & self._stays[members]]
            if len(unlike):
                return WhyLast.DISTANT, int(unlike[0])
        return WhyLast.ALONE, -1

    def _partners(self, stand: int) -> list[tuple[int, Relation, float, float]]:
        """The documents with a tie to one whose files stay: (row, what the one is to it, similarity, share in it)."""
        grouping = self._grouping
        partners = []
        for other, pair in grouping.edges.of_document(stand, self._ties.relation != Relation.NONE):
            if not self._alive[other]:
                continue
            relation = Relation(int(self._ties.relation[pair]))
            share = float(grouping.evidence.left_in_right[pair])
            if int(grouping.pairs.left[pair]) != stand:
                relation, share = reversed_of(relation), float(grouping.evidence.right_in_left[pair])
            partners.append((other, relation, float(self._ties.similarity[pair]), share))
        return partners

    def _copy(self, row: int, stand: int, preferred: NDArray[np.bool_]) -> Survivor:
        """A file with the same words: the closest relation first."""
        rows = np.flatnonzero((self._grouping.copies == stand) & self._stays).astype(np.int32)
        rows = rows[rows != row]
        disk = self._grouping.files.disk
        elsewhere = rows[disk[rows] != disk[row]]
        rows = elsewhere if len(elsewhere) else rows  # another name of the same file saves no room
        relations = self._grouping.files.same_words(np.full(len(rows), row, np.int32), rows)
        rows = rows[relations == relations.max()]
        return Survivor(_preferred(rows, preferred), Relation(int(relations.max())), 1.0)

    def _first(self, stand: int, preferred: NDArray[np.bool_]) -> int:
        return _preferred(np.flatnonzero((self._grouping.copies == stand) & self._stays).astype(np.int32), preferred)


def _preferred(rows: NDArray[np.int32], preferred: NDArray[np.bool_]) -> int:
    liked = rows[preferred[rows]]
    return int(liked[0] if len(liked) else rows[0])
