"""Pairs of near fingerprints, and matches of queries, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns, Ints, distinct, pair_keys, runs


@dataclass(frozen=True, slots=True)
class Pairs(Columns):
    """Row i says: the fingerprints of rows left[i] and right[i] differ in distance[i] bits.

    left, right: uint32 (m,), left < right, each pair once; sorted by (left, right) where `join` returns them.
    distance:    uint8  (m,), bits of Hamming distance between the two fingerprints.
    """

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    distance: NDArray[np.uint8]

    def of_own_rows(self) -> tuple[Ints, Pairs]:
        """Return (the rows that occur, ascending; the pairs, their rows numbered by their positions among these)."""
        rows, numbers = distinct(np.concatenate((self.left, self.right)))
        left, right = np.split(numbers.astype(np.uint32), 2)
        return rows, Pairs(left, right, self.distance)


@dataclass(frozen=True, slots=True)
class Matches(Columns):
    """Row i says: query[i] and the indexed fingerprint row[i] differ in distance[i] bits.

    query, row: uint32 (m,), each pair once, sorted by (query, row). distance: uint8 (m,), bits.
    """

    query: NDArray[np.uint32]
    row: NDArray[np.uint32]
    distance: NDArray[np.uint8]

    @classmethod
    def merged(cls, parts: list[Matches]) -> Matches:
        """Return the matches of all parts, each once, sorted by (query, row)."""
        together = cls.joined([cls.none(), *parts])
        keys = pair_keys(together.query, together.row)
        order = np.argsort(keys)
        return together.take(order[runs(keys[order])[0]])
