"""Copies as one, connected sets of documents, and the pairs of a scan looked up by document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.pairs import Pairs

ALONE = -1


def representatives(hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The first row with the same hash, for each row: int32 (n,). hashes: uint64 (n, 2); zero means none, its own."""
    first = np.arange(len(hashes), dtype=np.int32)
    held = np.flatnonzero((hashes[:, 0] != 0) | (hashes[:, 1] != 0))
    upper, lower = hashes[held, 0], hashes[held, 1]
    order = np.argsort(upper)  # the upper halves alone tell nearly all apart, and are sorted much sooner than both
    begins = np.ones(len(order), np.bool_)
    begins[1:] = upper[order[1:]] != upper[order[:-1]]
    if (lower[order[1:]] != lower[order[:-1]])[~begins[1:]].any():
        order = np.lexsort((lower, upper))
        begins[1:] = (upper[order[1:]] != upper[order[:-1]]) | (lower[order[1:]] != lower[order[:-1]])
    starts = np.flatnonzero(begins)
    rows = held[order]
    if len(rows):
        first[rows] = np.repeat(np.minimum.reduceat(rows, starts), np.diff(np.append(starts, len(rows))))
    return first


def components(
    left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]], labels: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Labels after also joining left[i] with right[i]: int32 (n,), the smallest row of each group.

    labels: int32 (n,), the groups so far, each labelled by its smallest row (np.arange for none).
    Hooks every larger root on the smallest neighbour and follows these hooks, until no edge crosses groups. Only what
    is hooked is touched, so the work is in proportion to the edges.
    """
    parents, hooked = labels.copy(), []
    one, other = labels[left], labels[right]
    while len(crossing := np.flatnonzero(one != other)):
        one, other = one[crossing], other[crossing]
        high = np.maximum(one, other)
        np.minimum.at(parents, high, np.minimum(one, other))
        above = parents[high]
        while not np.array_equal(above, higher := parents[above]):
            parents[high] = above = higher
        hooked.append(high)
        one, other = parents[one], parents[other]
    for high in reversed(hooked):  # the roots of one round may have been hooked in a later one
        parents[high] = parents[parents[high]]
    return parents[labels]


@dataclass(frozen=True, slots=True)
class Edges:
    """The pairs, to be looked up by document in either direction.

    starts: int64 (n + 1,); other: int32 (2m,), neighbours; row: int32 (2m,), the row of the pair.
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

    def of_document(self, document: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(neighbours, ascending; the row of the pair with each)."""
        part = slice(self.starts[document], self.starts[document + 1])
        return self.other[part], self.row[part]
