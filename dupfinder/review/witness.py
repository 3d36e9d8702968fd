"""Witnesses: for a marked document, an unmarked one that keeps its content. No witness, no mark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Reason
from dupfinder.review.grouping import Grouping


@dataclass(frozen=True, slots=True)
class Kept:
    """The kept document a victim gives way to: its row, why, and the verified similarity (for CONTAINED the share)."""

    row: int
    reason: Reason
    similarity: float


class Witnesses:
    """Which documents survive under some marks, at one radius.

    A witness of a document is a copy of it, a document with an accepted pair at this radius, or one that contains it;
    a document that is merely linked through a third, or contained, is none. A member of an archive is none either,
    even where the reviewer said Keep: who removes the loose file would have to find it there again, and right before a
    removal a kept file is opened and compared under its own name.
    marked, gone: bool (n,).
    """

    def __init__(self, grouping: Grouping, radius: int, marked: NDArray[np.bool_], gone: NDArray[np.bool_]) -> None:
        self._grouping = grouping
        self._usable = grouping.reach <= radius
        self._marked = marked
        self._stays = ~marked & ~gone & ~grouping.result.documents.inside
        self._alive = np.bincount(grouping.copies[self._stays], minlength=grouping.count) > 0

    def without(self) -> NDArray[np.bool_]:
        """The marked documents that have no witness, bool (n,)."""
        pairs, alive = self._grouping.pairs, self._alive
        kept = alive.copy()
        left, right = pairs.left[self._usable], pairs.right[self._usable]
        kept[left[alive[right]]] = True
        kept[right[alive[left]]] = True
        container, part, _ = self._grouping.contained
        kept[part[alive[container]]] = True
        return self._marked & ~kept[self._grouping.copies]

    def differs(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether what is kept for each document has another text than it, bool (m,)."""
        return ~self._alive[self._grouping.copies[rows]]

    def best(self, row: int, preferred: NDArray[np.bool_]) -> Kept | None:
        """The closest witness of a document; among equals one that is `preferred`, bool (n,), then the lowest row."""
        grouping = self._grouping
        stand = int(grouping.copies[row])
        if self._alive[stand]:
            hashes = grouping.result.documents.content_hash
            same = self._staying(stand)
            bytes_too = same[(hashes[same] == hashes[row]).all(axis=1)] if hashes[row].any() else same[:0]
            if len(bytes_too):
                return Kept(_first(bytes_too, preferred), Reason.IDENTICAL_BYTES, 1.0)
            return Kept(_first(same, preferred), Reason.IDENTICAL_TEXT, 1.0)
        near = [
            (-float(grouping.likeness.resemblance[pair]), other)
            for other, pair in grouping.edges.of_document(stand, self._usable)
            if self._alive[other]
        ]
        if near:
            resemblance, other = min(near)
            return Kept(_first(self._staying(other), preferred), Reason.NEAR, -resemblance)
        container, part, share = grouping.contained
        held = [(-float(share[place]), int(container[place])) for place in np.flatnonzero(part == stand).tolist()]
        held = [one for one in held if self._alive[one[1]]]
        if held:
            most, other = min(held)
            return Kept(_first(self._staying(other), preferred), Reason.CONTAINED, -most)
        return None

    def _staying(self, stand: int) -> NDArray[np.int64]:
        return np.flatnonzero((self._grouping.copies == stand) & self._stays)


def _first(rows: NDArray[np.int64], preferred: NDArray[np.bool_]) -> int:
    liked = rows[preferred[rows]]
    return int(liked[0] if len(liked) else rows[0])
