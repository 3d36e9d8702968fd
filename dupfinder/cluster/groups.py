"""Groups: the clusters of one radius and one least similarity, each around its keeper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.linkage import ALONE
from dupfinder.index.pairs import Pairs


@dataclass(frozen=True, slots=True)
class Groups:
    """Clusters as ragged columns, in ascending order of their smallest row.

    labels:  int32 (n,), the cluster's smallest row, ALONE for a lone document.
    ids:     int32 (g,), those labels, ascending.
    starts:  int64 (g + 1,); members: int32 (total,), rows of cluster i at starts[i]:starts[i + 1], ascending.
    """

    labels: NDArray[np.int32]
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]

    @classmethod
    def of(cls, labels: NDArray[np.int32]) -> Groups:
        """From labels, int32 (n,)."""
        held = np.flatnonzero(labels != ALONE).astype(np.int32)
        members = held[np.argsort(labels[held], kind="stable")]
        ranked = labels[members]
        begins = np.flatnonzero(np.diff(ranked, prepend=ALONE))
        return cls(labels, ranked[begins], np.append(begins, len(members)).astype(np.int64), members)

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, group: int) -> NDArray[np.int32]:
        """The rows of the documents of the group at this place."""
        return self.members[self.starts[group] : self.starts[group + 1]]


@dataclass(frozen=True, slots=True)
class Edges:
    """The accepted pairs, findable by document in either direction.

    starts: int64 (n + 1,); other: int32 (2m,), neighbours; row: int32 (2m,), the row of the pair in Pairs and Likeness.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    row: NDArray[np.int32]

    @classmethod
    def of(cls, pairs: Pairs, count: int) -> Edges:
        """From pairs of n documents."""
        here = np.concatenate((pairs.left, pairs.right))
        there = np.concatenate((pairs.right, pairs.left)).astype(np.int32)
        rows = np.concatenate((np.arange(len(pairs), dtype=np.int32),) * 2)
        order = np.lexsort((there, here))
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(here, minlength=count), out=starts[1:])
        return cls(starts, there[order], rows[order])

    def of_document(self, document: int, usable: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """(neighbour, row of the pair), ascending, of the pairs that `usable`, bool (m,), allows."""
        part = slice(self.starts[document], self.starts[document + 1])
        rows = self.row[part]
        chosen = usable[rows]
        return list(zip(self.other[part][chosen].tolist(), rows[chosen].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Tie:
    """How a member belongs to the keeper. pair: row of the verified pair, -1 for a copy; through: the member that links
    it when it has no verified pair with the keeper (-1: it has one)."""

    pair: int
    through: int


def ties(
    keeper: int,
    members: NDArray[np.int32],
    copies: NDArray[np.int32],
    edges: Edges,
    usable: NDArray[np.bool_],
) -> dict[int, Tie]:
    """Member -> its tie to the keeper. Members without a pair of their own are linked through the nearest that has.

    copies: int32 (n,), the row that stands for each; pairs speak of those alone. usable: bool (m,), the pairs that
    count at the present radius. A breadth-first walk in ascending order of rows: no result depends on reading order.
    """
    centre = int(copies[keeper])
    stands = {int(copies[member]) for member in members}
    reached = {centre: Tie(-1, -1)}
    front = [centre]
    while front:
        found: list[int] = []
        for document in front:
            for other, row in edges.of_document(document, usable):
                if other in stands and other not in reached:
                    reached[other] = Tie(row, -1 if document == centre else document)
                    found.append(other)
        front = sorted(found)
    return {int(member): reached[int(copies[member])] for member in members if int(copies[member]) in reached}


def directed(likeness: Likeness, pairs: Pairs, row: int, document: int) -> tuple[float, float, float]:
    """(resemblance, share of `document` in the other, share of the other in `document`) of one pair."""
    first, second = float(likeness.left_in_right[row]), float(likeness.right_in_left[row])
    if int(pairs.left[row]) != document:
        first, second = second, first
    return float(likeness.resemblance[row]), first, second
