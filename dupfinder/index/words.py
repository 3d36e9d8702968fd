"""Fingerprints as arrays: their width, their machine words, and the keys formed from their bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import runs
from dupfinder.index.design import BitBlock, BitRange, bit_ranges

Words = tuple[NDArray[np.uint64], ...]
Positions = NDArray[np.intp]

_COUNTED_FROM = 1 << 18  # keys of 16 bits; for more, counting by value is faster than comparing neighbours


def width_of(fingerprints: NDArray[np.unsignedinteger]) -> int:
    """Return f: 32 for uint32 (n,), 64 for uint64 (n,), 128 for uint64 (n, 2), the high word first.

    Raises ValueError.
    """
    if fingerprints.ndim == 1 and fingerprints.dtype in (np.uint32, np.uint64):
        return 8 * fingerprints.dtype.itemsize
    if fingerprints.ndim == 2 and fingerprints.shape[1] == 2 and fingerprints.dtype == np.uint64:
        return 128
    raise ValueError(f"fingerprints are uint32 (n,), uint64 (n,) or uint64 (n, 2), not {fingerprints.dtype}")


def words_of(fingerprints: NDArray[np.unsignedinteger]) -> Words:
    """Return the fingerprints as words: one uint64 (n,) for f = 32 and 64, two (high, low) for f = 128."""
    if width_of(fingerprints) == 128:
        return tuple(np.ascontiguousarray(fingerprints[:, word], np.uint64) for word in (0, 1))
    return (np.ascontiguousarray(fingerprints, np.uint64),)


def keys_of(words: Words, prefix: BitBlock, bits: int) -> NDArray[np.unsignedinteger]:
    """Return the bits of `prefix` as one number, of more than 64 the last 64, in the smallest unsigned type: (n,)."""
    total = sum(width for _, width in prefix)
    keys: NDArray[np.uint64] | None = None
    for start, width in _within_words(prefix, bits):
        word = words[start // 64 if bits == 128 else 0]
        shift = (64 - start % 64 - width) if bits == 128 else bits - start - width
        part = (word >> np.uint64(shift)) & np.uint64((1 << width) - 1) if width < 64 else word
        keys = part if keys is None else (keys << np.uint64(width)) | part
    if keys is None:
        return np.zeros(len(words[0]), np.uint16)
    return keys.astype(np.uint16 if total <= 16 else np.uint32 if total <= 32 else np.uint64, copy=False)


def _within_words(prefix: BitBlock, bits: int) -> list[tuple[int, int]]:
    """Join ranges that touch, and split those that cross the two words of a 128-bit fingerprint."""
    ranges: list[tuple[int, int]] = []
    for start, width in prefix:
        if ranges and sum(ranges[-1]) == start:
            start, width = ranges[-1][0], ranges.pop()[1] + width
        if bits == 128 and start < 64 < start + width:
            ranges.append((start, 64 - start))
            start, width = 64, start + width - 64
        ranges.append((start, width))
    return ranges


def order_of(keys: NDArray[np.unsignedinteger]) -> Positions:
    """Return the stable order that sorts `keys`: intp (n,).

    A radix sort of 16 bits a pass, which numpy has for uint16.
    """
    if keys.dtype == np.uint16:
        return np.argsort(keys, kind="stable")
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, 8 * keys.dtype.itemsize, 16):
        part = (keys >> keys.dtype.type(shift)).astype(np.uint16)
        order = order[np.argsort(part[order], kind="stable")]
    return order


def sorted_copies(words: Words) -> tuple[Positions, NDArray[np.bool_]]:
    """Sort fingerprints, one or more. Return (order, which of them, in this order, are the first of equal ones)."""
    order = np.lexsort(words[::-1]) if len(words) > 1 else np.argsort(words[0])
    is_first = np.zeros(len(order), np.bool_)
    is_first[0] = True
    for word in words:
        in_order = word[order]
        is_first[1:] |= in_order[1:] != in_order[:-1]
    return order, is_first


def sorted_groups(keys: NDArray[np.unsignedinteger], order: Positions) -> tuple[Positions, Positions]:
    """Return the runs of equal keys in sorted order: (starts, sizes). Absent keys may appear with size 0."""
    if keys.dtype == np.uint16 and len(keys) > _COUNTED_FROM:
        sizes = np.bincount(keys)
        return np.cumsum(sizes) - sizes, sizes
    return runs(keys[order])


def varying_ranges(words: Sequence[NDArray[np.uint64]], bits: int) -> list[BitRange]:
    """Return the ranges of bits in which not all fingerprints (at least one) are equal."""
    mask = 0
    for word in words:
        mask = (mask << 64) | int(np.bitwise_or.reduce(word ^ word[0]))
    return bit_ranges(mask, bits)


def differs_within(differing: Sequence[NDArray[np.uint64]], mask: int, bits: int) -> NDArray[np.bool_]:
    """Tell which pairs differ in a bit of `mask`: bool (m,). differing: the XOR of each pair, as words."""
    parts = (mask >> 64, mask & (2**64 - 1)) if bits == 128 else (mask,)
    inside = np.zeros(len(differing[0]), np.bool_)
    for word, part in zip(differing, parts, strict=True):
        inside |= (word & np.uint64(part)) != 0
    return inside


def first_seen(
    differing: Sequence[NDArray[np.uint64]], prefix: int, earlier: Sequence[int], bits: int
) -> NDArray[np.bool_]:
    """Tell which pairs agree in the whole mask `prefix`, but differ in each mask in `earlier`: bool (m,)."""
    fresh = ~differs_within(differing, prefix, bits)
    for mask in earlier:
        fresh &= differs_within(differing, mask, bits)
    return fresh
