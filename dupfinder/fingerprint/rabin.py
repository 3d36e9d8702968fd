"""Rabin fingerprints (Rabin 1981; Broder 1993): the shingle numbers of Broder et al. 1997, as an option.

The 64-bit variant that Apache Avro publishes ("CRC-64-AVRO", Avro specification, Schema Fingerprints), whose test
vectors it answers to. A fingerprint is the remainder of the message, as a polynomial over GF(2), by a fixed one.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dupfinder.fingerprint.hashing import Hashes

_EMPTY = 0xC15D213AA4D7A795  # the polynomial, and the fingerprint of the empty message
_BYTES = 8  # of a token's hash


@cache
def _table() -> Hashes:
    """What a byte that leaves the register adds to it: uint64 (256,)."""
    rows = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_EMPTY if value & 1 else 0)
        rows.append(value)
    return np.array(rows, dtype=np.uint64)


def rabin(message: bytes) -> int:
    """The 64-bit Rabin fingerprint of a message, as Avro defines it."""
    table = _table().tolist()
    value = _EMPTY
    for byte in message:
        value = (value >> 8) ^ table[(value ^ byte) & 0xFF]
    return value


def rabin_shingles(tokens: Hashes, width: int) -> Hashes:
    """The Rabin fingerprint of each run of `width` tokens, in order: uint64 (n - width + 1,).

    The message of a shingle is the hashes of its tokens, eight bytes each, little-endian. Fewer tokens than `width`
    make one shingle, no tokens none.
    """
    count = len(tokens)
    if not count:
        return np.empty(0, dtype=np.uint64)
    width = min(width, count)
    table, low = _table(), np.uint64(0xFF)
    values = np.full(count - width + 1, _EMPTY, dtype=np.uint64)
    for step in range(width):
        column = tokens[step : count - width + 1 + step]
        for place in range(_BYTES):
            entry = (values ^ (column >> np.uint64(8 * place))) & low
            values = (values >> np.uint64(8)) ^ table[entry]
    return values
