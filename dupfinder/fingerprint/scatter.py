"""What survives edits that fall everywhere: the words of a text as a bag, and its pairs of neighbours.

A fifth of the characters deleted, inserted or moved leaves few runs of five whole, but most words, and most pairs.
"""

from __future__ import annotations

import numpy as np

from dupfinder.fingerprint.hashing import Hashes, splitmix
from dupfinder.fingerprint.shingles import shingle_set
from dupfinder.fingerprint.sketch import min_sketch

SIZE = 512  # values kept: a standard error of 2 points where half is shared
MOST_TOKENS = 2_000_000  # longer texts are sampled by their beginning
_STEP = np.uint64(0x9E3779B97F4A7C15)  # odd, the golden ratio: sets the second "the" apart from the first


def bag_sketch(tokens: Hashes) -> Hashes:
    """MIN_s of the multiset of tokens: the i-th occurrence of a token is a member of its own. uint64 (<= SIZE,)."""
    ordered = np.sort(tokens[:MOST_TOKENS])
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.empty(0, np.intp)
    counts = np.diff(np.append(begins, len(ordered)))
    occurrence = np.arange(len(ordered)) - np.repeat(begins, counts)
    members = splitmix(ordered + occurrence.astype(np.uint64) * _STEP)
    members.sort()
    return min_sketch(members, SIZE)


def neighbour_sketch(tokens: Hashes) -> Hashes:
    """MIN_s of the set of 2-shingles, uint64 (<= SIZE,)."""
    return min_sketch(shingle_set(tokens[:MOST_TOKENS], 2), SIZE)
