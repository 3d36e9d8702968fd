"""Pairs: candidate pairs as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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

    def within(self, radius: int) -> Pairs:
        """The pairs at most `radius` bits apart. The similarity slider calls this; it never rescans."""
        return self.take(self.distance <= radius)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Pairs:
        """The rows that `chosen` (a mask, or ascending positions) selects."""
        return Pairs(self.left[chosen], self.right[chosen], self.distance[chosen])

    @classmethod
    def none(cls) -> Pairs:
        """No pairs."""
        return cls(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8))
