"""Simhash (Charikar 2002) of weighted features. Bit 0 is the most significant bit of a fingerprint.

`V[i] = sum(weight * (+1 if bit i of hash(feature) else -1))`; bit i of the fingerprint is 1 where `V[i] > 0`, else 0.
Weights are whole numbers, so the sums are exact and no order of adding changes a bit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import GOLDEN, starts_of
from dupfinder.fingerprint.hashing import Hashes, splitmix

_ROWS = 4096  # hashes unpacked to bits at a time: 1 MB
_EXACT_IN_FLOAT32 = 1 << 24  # whole numbers below this are exact in float32


def bit_sums(hashes: Hashes, weights: NDArray[np.float64], lengths: Sequence[int]) -> NDArray[np.float64]:
    """Return V of each text: float64 (t, 64), whole numbers. The weights of a repeated feature add up.

    hashes:  uint64 (n,), the features of all texts.
    weights: float64 (n,), whole numbers; n * max(weights) must stay below 2^53.
    lengths: how many features each text has.
    """
    starts = starts_of(lengths)
    totals = np.diff(np.concatenate(([0.0], np.cumsum(weights)))[starts])
    kind = np.float32 if totals.max(initial=0) < _EXACT_IN_FLOAT32 else np.float64
    edges = starts.tolist()
    ones = np.zeros((len(lengths), 64))
    for begin in range(0, len(hashes), _ROWS):
        end = min(begin + _ROWS, len(hashes))
        octets = hashes[begin:end].astype(">u8").view(np.uint8)
        bits: NDArray[np.floating[Any]] = np.unpackbits(octets).reshape(-1, 64).astype(kind)
        weight: NDArray[np.floating[Any]] = weights[begin:end].astype(kind)
        for text in range(bisect_right(edges, begin) - 1, bisect_left(edges, end)):
            of_text = slice(max(0, edges[text] - begin), edges[text + 1] - begin)
            # einsum, not a matrix product: the linear algebra library would start threads for a small task.
            ones[text] += np.einsum("i,ij->j", weight[of_text], bits[of_text])
    return 2.0 * ones - totals[:, np.newaxis]


def fingerprints_of(sums: NDArray[np.float64]) -> list[int]:
    """Return the fingerprint of each row of sums V (t, f), f a multiple of 8, as a number below 2^f."""
    return [int.from_bytes(row.tobytes(), "big") for row in np.packbits(sums > 0, axis=1)]


def simhashes(hashes: Hashes, weights: NDArray[np.float64], lengths: Sequence[int], bits: int = 64) -> list[int]:
    """Return the fingerprint of each text; see `bit_sums` for the arguments. No features give 0.

    bits: 32: of the upper half of each hash. 128: of the hash followed by splitmix64 of (hash + golden ratio).
    """
    sums = bit_sums(hashes, weights, lengths)
    if bits == 128:
        sums = np.concatenate([sums, bit_sums(splitmix(hashes + GOLDEN), weights, lengths)], axis=1)
    return fingerprints_of(sums[:, :bits])


def simhash(hashes: Hashes, weights: NDArray[np.float64], bits: int = 64) -> int:
    """Return the fingerprint of weighted features: uint64 (n,), float64 (n,); see `simhashes`."""
    return simhashes(hashes, weights, [len(hashes)], bits)[0]


def distance(left: int, right: int) -> int:
    """Return the Hamming distance of two fingerprints of the same width, in bits."""
    return (left ^ right).bit_count()
