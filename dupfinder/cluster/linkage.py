"""Representatives of equal rows, connected components, and the pairs of a scan looked up by document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import blocks, pair_keys, spans, starts_of
from dupfinder.index.pairs import Pairs

_BLOCK = 1 << 20  # edges followed together; bounds the working memory


def representatives(hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return for each row the first row with the same hash: int32 (n,).

    hashes: uint64 (n, 2); a row with hash 0 represents itself.
    """
    first = np.arange(len(hashes), dtype=np.int32)
    hashed = np.flatnonzero((hashes[:, 0] != 0) | (hashes[:, 1] != 0))
    upper, lower = hashes[hashed, 0], hashes[hashed, 1]
    order = np.argsort(upper)  # the upper halves distinguish nearly all hashes, and sort much faster than both halves
    begins = np.ones(len(order), np.bool_)
    begins[1:] = upper[order[1:]] != upper[order[:-1]]
    if (lower[order[1:]] != lower[order[:-1]])[~begins[1:]].any():
        order = np.lexsort((lower, upper))
        begins[1:] = (upper[order[1:]] != upper[order[:-1]]) | (lower[order[1:]] != lower[order[:-1]])
    starts = np.flatnonzero(begins)
    rows = hashed[order]
    if len(rows):
        first[rows] = np.repeat(np.minimum.reduceat(rows, starts), np.diff(np.append(starts, len(rows))))
    return first


def components(
    left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]], labels: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the labels after joining the groups of left[i] and right[i]: int32 (n,), the smallest row of each group.

    labels: int32 (n,), the groups so far, each labelled by its smallest row (np.arange for none).
    Each larger root is attached to its smallest neighbour, and these links are followed, until no edge connects two
    groups. The work is proportional to the number of edges.
    """
    for block in blocks(len(left), _BLOCK):
        labels = _joined(left[block], right[block], labels)
    return labels


def _joined(
    left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]], labels: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Do the same as `components` for some edges at once."""
    parents, attached = labels.copy(), []
    left_root, right_root = labels[left], labels[right]
    while len(crossing := np.flatnonzero(left_root != right_root)):
        left_root, right_root = left_root[crossing], right_root[crossing]
        high = np.maximum(left_root, right_root)
        np.minimum.at(parents, high, np.minimum(left_root, right_root))
        above = parents[high]
        while not np.array_equal(above, higher := parents[above]):
            parents[high] = above = higher
        attached.append(high)
        left_root, right_root = parents[left_root], parents[right_root]
    for high in reversed(attached):  # the roots of one round may have been attached in a later round
        parents[high] = parents[parents[high]]
    return parents[labels]


@dataclass(frozen=True, slots=True)
class Edges:
    """The pairs in both directions, ordered by document.

    starts: int64 (n + 1,), document i has entries starts[i]:starts[i + 1].
    other:  int32 (2m,), neighbours, ascending for each document.
    row:    int32 (2m,), the row of the pair.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    row: NDArray[np.int32]

    @classmethod
    def of(cls, pairs: Pairs, count: int) -> Edges:
        """Order the pairs of n documents."""
        documents = np.concatenate((pairs.left, pairs.right))
        others = np.concatenate((pairs.right, pairs.left)).astype(np.int32)
        rows = np.concatenate((np.arange(len(pairs), dtype=np.int32),) * 2)
        order = np.argsort(pair_keys(documents, others))  # one key is sorted much faster than two
        return cls(starts_of(np.bincount(documents, minlength=count)), others[order], rows[order])

    def of_document(self, document: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the neighbours of a document, ascending, and the row of the pair with each: two int32 (d,)."""
        entries = slice(self.starts[document], self.starts[document + 1])
        return self.other[entries], self.row[entries]

    def among(self, members: NDArray[np.integer[Any]]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int32]]:
        """Return the pairs among some documents, as their indices in `members`, and the row of each: all (p,)."""
        order = np.argsort(members)
        left, entries = spans(self.starts, members)
        others = self.other[entries]
        right = order[np.minimum(np.searchsorted(members, others, sorter=order), len(members) - 1)]
        inside = (members[right] == others) & (left < right)
        return left[inside], right[inside], self.row[entries[inside]]
