"""Pairs of fingerprints in bounded memory, whatever library they are of: the radius gives way, then the partners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.index.pairs import Pairs
from dupfinder.index.tables import TooManyPairs, join


def bounded_join(
    fingerprints: NDArray[np.uint64], ties: NDArray[np.uint64], radius: int, most: int, reporter: Reporter
) -> tuple[Pairs, int]:
    """(pairs, radius): all pairs within the widest radius up to `radius` that gives at most `most` of them.

    fingerprints: uint64 (n,). ties: uint64 (n, 2), unlike for different texts.
    Where too many are even equal, each goes with some of its equals only, as `hub_pairs` says. Raises Stopped.
    """
    while radius >= 0:
        try:
            return join(fingerprints, radius, reporter=reporter, most_pairs=most), radius
        except TooManyPairs:
            radius -= 1
    return hub_pairs(fingerprints, ties, most), 0


def hub_pairs(fingerprints: NDArray[np.uint64], ties: NDArray[np.uint64], most: int) -> Pairs:
    """Each row with the first few of its equals, in the order of `ties`: sorted pairs, about `most` or fewer.

    The first few and not neighbours, so that what is alike gathers around common partners; by `ties` and not by row,
    so that neither names nor the order of reading decide who they are.
    """
    count = len(fingerprints)
    order = np.lexsort((ties[:, 1], ties[:, 0], fingerprints))
    ranked = fingerprints[order]
    begins = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    sizes = np.diff(np.append(begins, count))
    starts = np.repeat(begins, sizes)
    rank = np.arange(count) - starts
    keys = []
    for hub in range(min(max(1, most // max(1, count)), int(sizes.max(initial=1)) - 1)):
        behind = np.flatnonzero(rank > hub)
        one, other = order[starts[behind] + hub], order[behind]
        keys.append(
            np.minimum(one, other).astype(np.uint64) << np.uint64(32) | np.maximum(one, other).astype(np.uint64)
        )
    together = np.sort(np.concatenate(keys)) if keys else np.empty(0, np.uint64)
    left, right = (together >> np.uint64(32)).astype(np.uint32), (together & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return Pairs(left, right, np.zeros(len(together), np.uint8))
