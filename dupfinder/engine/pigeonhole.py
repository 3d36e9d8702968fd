"""The pigeonhole variant: lists of the fingerprints that have the same value in a block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from dupfinder.index.design import MOST_RADIUS, WIDTHS, cut, mask_of
from dupfinder.index.pairs import Matches


class Pigeonhole:
    """An index of k + 1 blocks that can grow and shrink. Fingerprints within k bits agree in at least one block.

    Uses dictionaries: for a stream of arrivals, where tables would have to be rebuilt. Row numbers are never reused.
    """

    def __init__(self, radius: int, bits: int = 64) -> None:
        if not 0 <= radius <= MOST_RADIUS or bits not in WIDTHS:
            raise ValueError(f"a radius of {radius} in {bits} bits is not supported")
        self.radius = radius
        self.bits = bits
        self._masks = [mask_of(block, bits) for block in cut([(0, bits)], radius + 1)]
        self._lists: list[dict[int, list[int]]] = [defaultdict(list) for _ in self._masks]
        self._fingerprints: dict[int, int] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._fingerprints)

    def add(self, fingerprint: int) -> int:
        """Add a fingerprint and return its row. Raises ValueError when it has more than `bits` bits."""
        if not 0 <= fingerprint < 1 << self.bits:
            raise ValueError(f"not a fingerprint of {self.bits} bits")
        row, self._next = self._next, self._next + 1
        self._fingerprints[row] = fingerprint
        for mask, lists in zip(self._masks, self._lists, strict=True):
            lists[fingerprint & mask].append(row)
        return row

    def add_many(self, fingerprints: Iterable[int]) -> None:
        """Add fingerprints in order."""
        for fingerprint in fingerprints:
            self.add(fingerprint)

    def remove(self, row: int) -> None:
        """Remove the fingerprint of a row. Raises KeyError for an unknown row."""
        fingerprint = self._fingerprints.pop(row)
        for mask, lists in zip(self._masks, self._lists, strict=True):
            rows = lists[fingerprint & mask]
            rows.remove(row)
            if not rows:
                del lists[fingerprint & mask]

    def query(self, fingerprint: int, radius: int | None = None) -> Matches:
        """Return the matches of one fingerprint within `radius` bits (None: the index's); its query number is 0."""
        within = self.radius if radius is None else radius
        if not 0 <= within <= self.radius:
            raise ValueError(f"a radius of {within} is outside 0 to {self.radius}")
        rows = {
            row
            for mask, lists in zip(self._masks, self._lists, strict=True)
            for row in lists.get(fingerprint & mask, ())
            if (self._fingerprints[row] ^ fingerprint).bit_count() <= within
        }
        row = np.array(sorted(rows), np.uint32)
        distance = np.array([(self._fingerprints[r] ^ fingerprint).bit_count() for r in sorted(rows)], np.uint8)
        return Matches(np.zeros(len(row), np.uint32), row, distance)
