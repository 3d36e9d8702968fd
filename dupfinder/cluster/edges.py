"""Edges: the pairs of a scan, looked up by document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.pairs import Pairs


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
