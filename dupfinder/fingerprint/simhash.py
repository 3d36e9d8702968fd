"""Simhash (Charikar 2002) of weighted features. Bit 0 is the most significant bit of a fingerprint.

`V[i] = sum(weight * (+1 if bit i of hash(feature) else -1))`; bit i of the fingerprint is 1 where `V[i] > 0`, else 0.
Weights are whole numbers, so the sums are exact and no order of adding changes a bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.hashing import Hashes, splitmix

_ROWS = 4096  # hashes unpacked to bits at a time: 1 MB
_EXACT_IN_FLOAT32 = 1 << 24  # whole numbers below this are exact in float32
_SECOND_HALF = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: gives a second, independent hash by splitmix64


def bit_sums(hashes: Hashes, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return V of the features: float64 (64,), whole numbers. The weights of a repeated feature add up.

    hashes:  uint64 (n,).
    weights: float64 (n,), whole numbers; n * max(weights) must stay below 2^53.
    """
    total = float(weights.sum())
    kind = np.float32 if total < _EXACT_IN_FLOAT32 else np.float64
    ones = np.zeros(64)
    for start in range(0, len(hashes), _ROWS):
        octets = hashes[start : start + _ROWS].astype(">u8").view(np.uint8)
        bits: NDArray[np.floating[Any]] = np.unpackbits(octets).reshape(-1, 64).astype(kind)
        # einsum, not a matrix product: the linear algebra library would start threads for a small task.
        ones += np.einsum("i,ij->j", weights[start : start + _ROWS].astype(kind), bits)
    return 2.0 * ones - total


def wide_sums(hashes: Hashes, weights: NDArray[np.float64], bits: int) -> NDArray[np.float64]:
    """Return V for fingerprints of 32, 64 or 128 bits: float64 (bits,).

    32: the upper half of each hash. 128: the hash followed by splitmix64 of (hash + golden ratio).
    """
    sums = bit_sums(hashes, weights)
    if bits == 128:
        return np.concatenate([sums, bit_sums(splitmix(hashes + _SECOND_HALF), weights)])
    return sums[:bits]


def fingerprint_of(sums: NDArray[np.float64]) -> int:
    """Return the fingerprint of sums V (f,), f a multiple of 8, as a number below 2^f."""
    return int.from_bytes(np.packbits(sums > 0).tobytes(), "big")


def simhash(hashes: Hashes, weights: NDArray[np.float64], bits: int = 64) -> int:
    """Return the fingerprint of weighted features; see `bit_sums` for the arguments. No features give 0."""
    return fingerprint_of(wide_sums(hashes, weights, bits))


def distance(left: int, right: int) -> int:
    """Return the Hamming distance of two fingerprints of the same width, in bits."""
    return (left ^ right).bit_count()
