"""Copies as one, and connected sets of documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ALONE = -1


def representatives(hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The first row with the same hash, for each row: int32 (n,). hashes: uint64 (n, 2); zero means none, its own."""
    first = np.arange(len(hashes), dtype=np.int32)
    held = np.flatnonzero(hashes.any(axis=1))
    order = held[np.lexsort((held, hashes[held, 1], hashes[held, 0]))]
    ranked = hashes[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    starts = np.flatnonzero(begins)
    first[order] = np.repeat(order[starts], np.diff(np.append(starts, len(order))))
    return first


def components(left: NDArray[np.int32], right: NDArray[np.int32], labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Labels after also joining left[i] with right[i]: int32 (n,), the smallest row of each group.

    labels: int32 (n,), the groups so far, each labelled by its smallest row (np.arange for none).
    Hooks every larger root on the smallest neighbour, then halves the paths, until no edge crosses groups.
    """
    roots = labels.copy()
    while len(left):
        one, other = roots[left], roots[right]
        crossing = one != other
        left, right, one, other = left[crossing], right[crossing], one[crossing], other[crossing]
        if not len(left):
            break
        np.minimum.at(roots, np.maximum(one, other), np.minimum(one, other))
        while True:
            above = roots[roots]
            if np.array_equal(above, roots):
                break
            roots = above
    return roots
