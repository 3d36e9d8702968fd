"""Resemblance and containment of candidate pairs, from the shingle sketches of their documents (Broder et al. 1997)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ints, Ragged, distinct, positions_in, row_mask, runs
from dupfinder.cluster.relation import Shares
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared, SharedRagged

_Unsigned = NDArray[np.unsignedinteger[Any]]
_BLOCK = 1_000_000  # shingle values compared at a time; bounds the working memory to some tens of megabytes
_WIDTH = 128  # values that take as long as a pair does, or a value of a left document, which makes all rows longer


@dataclass(frozen=True, slots=True)
class Shingles(Ragged):
    """The stored shingle values of n documents: uint32 or uint64, ascending for each document.

    complete: bool (n,), True if all shingles of the document are stored, False if only the smallest values are.
    """

    complete: NDArray[np.bool_]

    @classmethod
    def sketched(cls, sketches: Ragged, shingles: NDArray[np.int64]) -> Shingles:
        """Return sketches as Shingles. shingles: int64 (n,), the number of distinct shingles of each document."""
        return cls(sketches.values, sketches.starts, sketches.lengths >= shingles)


@dataclass(frozen=True, slots=True)
class SharedShingles(SharedRagged):
    """Shingles that all processes of a crew can read. The fields are as in Shingles."""

    complete: Shared

    @classmethod
    def of(cls, shingles: Shingles, crew: Crew) -> SharedShingles:
        """Return shingles that a crew can read; their values as uint32. Raises DiskFullError, OSError."""
        shared = crew.share_ragged([shingles], np.uint32)
        return cls(shared.values, shared.starts, crew.share([shingles.complete], np.bool_))

    def to_shingles(self) -> Shingles:
        """Return the shingles of all documents. If they are in files, only what is read of them takes memory."""
        return Shingles(self.values.array(), self.starts.array(), self.complete.array())

    def take(self, documents: Ints) -> Shingles:
        """Return the shingles of some documents, in this order, as a copy."""
        taken = self.take_ragged(documents)
        return Shingles(taken.values, taken.starts, self.complete.array()[documents])


def verify(pairs: Pairs, shingles: Shingles) -> Shares:
    """Measure what every pair has in common, row for row.

    Both sets are cut at the smaller of their largest stored values (no cut when both are complete). Below it, all
    values of both are known, so the shares are exact there, and unbiased estimates for the whole sets (Broder 1997,
    MIN_s).
    """
    partners = np.bincount(np.concatenate((pairs.left, pairs.right)))
    swapped = partners[pairs.right] > partners[pairs.left]  # so that fewer documents are at the left
    left, right = np.where(swapped, (pairs.right, pairs.left), (pairs.left, pairs.right)).astype(np.int64)
    order = np.argsort(left, kind="stable")
    shared = np.empty(len(pairs), np.int64)
    shared[order] = _shared_counts(left[order], right[order], shingles)
    known_up_to = limits_of(shingles)
    limits = np.minimum(known_up_to[pairs.left], known_up_to[pairs.right])
    left_size, right_size = (sizes_up_to(shingles, side.astype(np.int64), limits) for side in (pairs.left, pairs.right))
    return _shares(shared, left_size, right_size, shingles.complete[pairs.left] & shingles.complete[pairs.right])


def _shared_counts(left: NDArray[np.int64], right: NDArray[np.int64], shingles: Shingles) -> NDArray[np.int64]:
    """Count the stored values that both documents of each pair have: int64 (m,). left: ascending.

    The documents of a block of pairs become rows of bits, one bit for each value of a left document. So values
    are looked up once for all pairs of a document, and common bits of two rows are counted 64 at a time.
    """
    shared = np.empty(len(left), np.int64)
    for block in _blocks(left, right, shingles.lengths):
        documents, numbers = distinct(np.concatenate((left[block], right[block])))
        of_left, of_right = numbers.reshape(2, -1)
        rows = _bit_rows(shingles.take(documents), row_mask(len(documents), of_left))
        shared[block] = np.bitwise_count(rows[of_left] & rows[of_right]).sum(axis=1, dtype=np.int64)
    return shared


def _blocks(left: NDArray[np.int64], right: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield blocks of pairs, each small enough that its rows of bits are short. sizes: int64 (n,), of all documents."""
    values = np.cumsum(sizes[right] + _WIDTH * (1 + sizes[left] * (np.diff(left, prepend=-1) > 0)))
    begins, lengths = runs(values // _BLOCK)
    return (slice(begin, begin + length) for begin, length in zip(begins.tolist(), lengths.tolist(), strict=True))


def _bit_rows(shingles: Shingles, counted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return which of the values of the `counted` documents, bool (n,), each document has: bits of uint64 (n, words).

    Most are found or excluded by their low bits, in a table that fits the processor's cache.
    """
    values = np.sort(shingles.values[shingles.per_value(counted)])
    values = values[runs(values)[0]]
    table = np.full(1 << 16, len(values), np.uint32)
    table[values.astype(np.uint16)] = np.arange(len(values))
    positions = table[shingles.values.astype(np.uint16)].astype(np.intp)
    maybe = np.flatnonzero(positions < len(values))
    positions, targets = positions[maybe], shingles.values[maybe]
    others = np.flatnonzero(values[positions] != targets)
    positions[others], are_there = positions_in(values, targets[others])
    missing = others[~are_there]
    maybe, positions = np.delete(maybe, missing), np.delete(positions, missing)
    rows = np.zeros((len(shingles), len(values) // 64 + 1), np.uint64)
    row_starts = np.arange(len(shingles)) * rows.shape[1]
    cells = np.repeat(row_starts, shingles.counts(maybe)) + (positions >> 6)
    np.bitwise_or.at(rows.reshape(-1), cells, np.uint64(1) << (positions & 63).astype(np.uint64))
    return rows


def _shares(
    shared: NDArray[np.int64], left_size: NDArray[np.int64], right_size: NDArray[np.int64], whole: NDArray[np.bool_]
) -> Shares:
    """Return the shares of `shared` common values; they have no error where both sets are stored whole."""
    sizes = (left_size + right_size - shared, left_size, right_size)
    shares = tuple(_share(shared, size) for size in sizes)
    errors = [_error(share, size) for share, size in zip(shares, sizes, strict=True)]
    error = np.where(whole, 0, np.maximum.reduce(errors)).astype(np.float32)
    return Shares(shares[0], shares[1], shares[2], error)


def _error(share: NDArray[np.float32], size: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the standard error of a share that was estimated from `size` sampled values: float32 (m,).

    At shares of 0 and 1, where the formula gives 0, half a value is assumed to differ.
    """
    inner = np.clip(share, 0.5 / np.maximum(size, 1), 1 - 0.5 / np.maximum(size, 1))
    return np.sqrt(inner * (1 - inner) / np.maximum(size, 1)).astype(np.float32)


def limits_of(shingles: Shingles) -> _Unsigned:
    """Return for each document the value up to which all its values are known: (n,), the type's maximum if complete."""
    limits = np.full(len(shingles.complete), np.iinfo(shingles.values.dtype).max, shingles.values.dtype)
    cut = np.flatnonzero(~shingles.complete)
    limits[cut] = shingles.values[shingles.starts[cut + 1] - 1]
    return limits


def sizes_up_to(shingles: Shingles, documents: NDArray[np.int64], limits: _Unsigned) -> NDArray[np.int64]:
    """Count the values of each document that are at most its limit: int64 (m,). Bisects all rows at once."""
    begins = shingles.starts[documents]
    low, high = begins.copy(), shingles.starts[documents + 1]
    limited = np.flatnonzero(limits < np.iinfo(limits.dtype).max)
    low_of, high_of, limit = low[limited], high[limited], limits[limited]
    while (active := low_of < high_of).any():
        middle = (low_of + high_of) // 2
        below = active & (shingles.values[np.where(active, middle, 0)] <= limit)
        low_of = np.where(below, middle + 1, low_of)
        high_of = np.where(active & ~below, middle, high_of)
    high[limited] = low_of
    return high - begins


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return part / whole, 0 where the whole is 0: float32 (m,)."""
    return np.divide(part, whole, out=np.zeros(len(part), np.float32), where=whole > 0, casting="unsafe")
