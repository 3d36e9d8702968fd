"""Shingles: runs of w tokens as 64-bit numbers (Broder et al. 1997), exact sets, super-shingles."""

from __future__ import annotations

import numpy as np

from dupfinder.fingerprint.hashing import Hashes, splitmix

_BASE = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3: multiplying by it is a permutation modulo 2^64


def shingle_hashes(tokens: Hashes, width: int) -> Hashes:
    """The number of each run of `width` tokens, in order: uint64 (n - width + 1,).

    Shingle (t1 ... tw) becomes splitmix64(t1 * B^(w-1) + ... + tw) modulo 2^64, each t the XXH3 of its token.
    A text of fewer than `width` tokens has one shingle, all of it; a text of none has none.
    """
    count = len(tokens)
    if not count:
        return np.empty(0, dtype=np.uint64)
    width = min(width, count)
    total = tokens[: count - width + 1].copy()
    for step in range(1, width):
        total *= _BASE
        total += tokens[step : count - width + 1 + step]
    return splitmix(total)


def distinct(values: Hashes) -> Hashes:
    """The values sorted, each once. (Sort and difference: many times faster than the library's own on hashes.)"""
    if len(values) < 2:
        return values.copy()
    ordered = np.sort(values)
    keep = np.empty(len(ordered), dtype=np.bool_)
    keep[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


def shingle_set(tokens: Hashes, width: int) -> Hashes:
    """S(A): the distinct shingles of a text, ascending: uint64 (m,)."""
    return distinct(shingle_hashes(tokens, width))


def super_shingles(sketch: Hashes, width: int) -> Hashes:
    """Shingles of the sorted sketch, ascending: one in common makes two documents a candidate pair.

    A sketch shorter than `width` gives one, of all of it.
    """
    return shingle_set(np.sort(sketch), width)
