"""Pairs of near fingerprints, and matches of queries, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Whole, pair_keys, runs


@dataclass(frozen=True, slots=True)
class Pairs:
    """Row i says: documents left[i] and right[i] differ in distance[i] bits.

    left, right: uint32 (m,), left < right, each pair once, sorted by (left, right).
    distance:    uint8  (m,), bits of Hamming distance between the two fingerprints.
    """

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    distance: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.left)

    def take(self, chosen: NDArray[np.bool_] | Whole | slice) -> Pairs:
        """Return the rows that `chosen` (a mask, ascending positions, or a slice) selects."""
        return Pairs(self.left[chosen], self.right[chosen], self.distance[chosen])

    @classmethod
    def none(cls) -> Pairs:
        """Return no pairs."""
        return cls(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8))


def joined(parts: Sequence[Pairs]) -> Pairs:
    """Return the pairs of all parts, at least one, in the order of the parts."""
    return Pairs(
        np.concatenate([part.left for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.distance for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class Matches:
    """Row i says: query[i] and the indexed fingerprint row[i] differ in distance[i] bits.

    query, row: uint32 (m,), each pair once, sorted by (query, row). distance: uint8 (m,), bits.
    """

    query: NDArray[np.uint32]
    row: NDArray[np.uint32]
    distance: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.query)

    @classmethod
    def none(cls) -> Matches:
        """Return no matches."""
        return cls(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8))

    @classmethod
    def merged(cls, parts: list[Matches]) -> Matches:
        """Merge parts: sorted by (query, row), duplicates dropped."""
        parts = [part for part in parts if len(part)]
        if not parts:
            return cls.none()
        query = np.concatenate([part.query for part in parts])
        row = np.concatenate([part.row for part in parts])
        distance = np.concatenate([part.distance for part in parts])
        keys = pair_keys(query, row)
        order = np.argsort(keys)
        order = order[runs(keys[order])[0]]
        return cls(query[order], row[order], distance[order])
