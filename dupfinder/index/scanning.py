"""Queries without an index: every query compared with every fingerprint, in bounded memory."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.matches import Matches
from dupfinder.index.words import words_of

_CELLS: Final = 1 << 15  # fingerprints compared at once: they stay in the cache


def scan_many(fingerprints: NDArray[np.unsignedinteger], queries: NDArray[np.unsignedinteger], radius: int) -> Matches:
    """What lies within `radius` bits of each query, whose numbers are their places."""
    words, asked = words_of(fingerprints), words_of(queries)
    parts = []
    for number in range(len(asked[0])):
        for start in range(0, len(words[0]), _CELLS):
            counts = np.bitwise_count(words[0][start : start + _CELLS] ^ asked[0][number])
            for word, other in zip(words[1:], asked[1:], strict=True):
                counts += np.bitwise_count(word[start : start + _CELLS] ^ other[number])
            if counts.min() <= radius:
                (near,) = np.nonzero(counts <= radius)
                query = np.full(len(near), number, np.uint32)
                parts.append(Matches(query, (near + start).astype(np.uint32), counts[near]))
    return Matches.merged(parts)
