"""Columns: where entries of ragged ones start, runs of equal values, and pairs of rows packed as one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer[Any]]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def starts_of(lengths: Whole | Sequence[int]) -> NDArray[np.int64]:
    """Return where each entry of a ragged column starts, and the end of the last: int64 (n + 1,) for n lengths."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def runs(values: Whole) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the position at which each run of equal values begins, and its length: two intp (r,)."""
    if not len(values):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    begins = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1])))
    return begins, np.diff(np.append(begins, len(values)))


def distinct(values: Whole) -> tuple[Whole, NDArray[np.intp]]:
    """Return the distinct values, ascending, and for each value its position among these: (d,), intp (n,)."""
    order = np.argsort(values, kind="stable")
    begins, lengths = runs(values[order])
    numbers = np.empty(len(values), np.intp)
    numbers[order] = np.repeat(np.arange(len(begins)), lengths)
    return values[order[begins]], numbers


def spans(starts: NDArray[np.int64], chosen: Whole) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return (position in `chosen`, index) for every index from starts[c] up to starts[c + 1] of each c in `chosen`."""
    counts = starts[chosen + 1] - starts[chosen]
    owner = np.repeat(np.arange(len(chosen)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + np.repeat(starts[chosen] - before, counts)


def pair_keys(left: Whole, right: Whole) -> NDArray[np.uint64]:
    """Pack pairs of rows as left << 32 | right, which sorts by (left, right): uint64 (m,). Rows are below 2^32."""
    return left.astype(np.uint64) << _HALF | right.astype(np.uint64)


def pairs_of(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return (left, right) of packed pairs: two uint32 (m,)."""
    return (keys >> _HALF).astype(np.uint32), (keys & _LOW).astype(np.uint32)
