"""Shingles: runs of w tokens as 64-bit numbers (Broder et al. 1997), exact sets, super-shingles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from dupfinder.fingerprint.hashing import Hashes, splitmix
from dupfinder.fingerprint.sketch import divisible, min_sketch

_BASE = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3: multiplying by it is a permutation modulo 2^64
_SLICES = 16
_TOP = np.uint64(60)  # bits below the four that name a slice

_EMPTY = 0xC15D213AA4D7A795  # the polynomial, and the fingerprint of the empty message
_BYTES = 8  # of a token's hash


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


def numbered(tokens: Hashes, width: int, kind: str) -> Hashes:
    """The numbers of the shingles under a scheme's `shingle_hash`: "xxh3" or "rabin". Raises ValueError for others."""
    if kind not in ("xxh3", "rabin"):
        raise ValueError(f"no such shingle hash: {kind}")
    return rabin_shingles(tokens, width) if kind == "rabin" else shingle_hashes(tokens, width)


def distinct(values: Hashes) -> Hashes:
    """The values sorted, each once. (Sort and difference: many times faster than the library's own on hashes.)"""
    ordered = np.sort(values)
    keep = np.empty(len(ordered), dtype=np.bool_)
    keep[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


def shingle_set(tokens: Hashes, width: int, kind: str = "xxh3") -> Hashes:
    """S(A): the distinct shingles of a text, ascending: uint64 (m,)."""
    return distinct(numbered(tokens, width, kind))


class ShingleParts:
    """The shingle set of a text whose tokens come in parts; memory stays near that of the set itself."""

    def __init__(self, width: int, kind: str = "xxh3") -> None:
        self._width = width
        self._kind = kind
        self._sets: list[Hashes] = []
        self._held: Hashes = np.empty(0, dtype=np.uint64)

    def add(self, tokens: Hashes) -> None:
        """Take the next tokens of the text: uint64 (n,)."""
        tokens = np.concatenate([self._held, tokens]) if len(self._held) else tokens
        if len(tokens) < self._width:
            self._held = tokens
            return
        self._held = tokens[len(tokens) - self._width + 1 :].copy()
        self._sets.append(shingle_set(tokens, self._width, self._kind))

    def slices(self) -> Iterator[Hashes]:
        """The set in ascending slices, one after the other the whole of it: uint64. None for a text of no tokens."""
        if not self._sets:
            yield shingle_set(self._held, self._width, self._kind)
        elif len(self._sets) == 1:
            yield self._sets[0]
        else:
            yield from self._merged()

    def _merged(self) -> Iterator[Hashes]:
        """The union of several sets, a sixteenth of the range of numbers at a time."""
        limits = np.arange(_SLICES, dtype=np.uint64) << _TOP
        edges = [[*np.searchsorted(values, limits).tolist(), len(values)] for values in self._sets]
        for part in range(_SLICES):
            yield distinct(
                np.concatenate(
                    [values[edge[part] : edge[part + 1]] for values, edge in zip(self._sets, edges, strict=True)]
                )
            )


def sketch_of(values: Hashes, kind: str, number: int, width: int = 0) -> Hashes:
    """A sketch of an ascending set, ascending. kind: "all"; "min": the `number` smallest; "mod": those that `number`
    divides; "super": the super-shingles, of `width`, of the `number` smallest."""
    if kind == "all":
        return values
    if kind == "mod":
        return divisible(values, number)
    return min_sketch(values, number) if kind == "min" else super_shingles(min_sketch(values, number), width)


def super_shingles(sketch: Hashes, width: int) -> Hashes:
    """Shingles of the sorted sketch, ascending: one in common makes two documents a candidate pair.

    A sketch shorter than `width` gives one, of all of it.
    """
    return shingle_set(np.sort(sketch), width)


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
