"""Cost model of the join: seconds per table, element, comparison and hit, and the design that costs least.

The seconds were measured on one core of a usual machine. The choice of a design depends on their ratios alone, which
differ little between machines; so all machines choose alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from math import comb

from dupfinder.index.design import MOST_TABLES, BitRange, TableDesign, family

UNDIVIDED = 1500  # fingerprints; in groups up to this size all pairs are compared, and no design is considered
FEW = 16  # fingerprints; in groups up to this size, keys are compared only for pairs that are near
CELLS = 1 << 15  # most fingerprints of a matrix: 256 KB, a quarter of the usual level-2 cache
HEIGHT_TO_WIDTH = 6  # rows for each column of a matrix, at most; groups that need more are compared faster one by one

# Seconds of the steps of a join.
TABLE = 60e-6  # setting up one table
_CACHED, _UNCACHED = 1 << 16, 1 << 20  # fingerprints that fit the caches, or do not
_SMALL, _LARGE = 18e-9, 32e-9  # sorting and gathering one of so many by a key of at most 16 bits
WIDE = 30e-9  # sorting one fingerprint by each further 16 bits of the key
COMPARE = 0.9e-9  # one XOR and bit count
MATCH = 100e-9  # one pair within the radius, for each table that finds it


def sorting_one(count: int) -> float:
    """Return the seconds to sort one fingerprint among `count`; they grow with log(count), as caches overflow."""
    share = math.log(max(count, _CACHED) / _CACHED) / math.log(_UNCACHED / _CACHED)
    return _SMALL + (_LARGE - _SMALL) * share


def sorting_cost(count: int, prefix_bits: int) -> float:
    """Return the seconds to group `count` fingerprints by a key of `prefix_bits` bits, for one table."""
    passes = max(1, -(-prefix_bits // 16))
    return TABLE + count * (sorting_one(count) + (passes - 1) * WIDE)


def tables_cost(count: int, tables: int, prefix_bits: int) -> float:
    """Return the seconds to join `count` evenly distributed fingerprints by tables with keys of `prefix_bits` bits."""
    compared = count * (count - 1) / 2 / 2.0**prefix_bits
    return tables * (sorting_cost(count, prefix_bits) + compared * COMPARE)


def block_counts(free_bits: int, radius: int) -> range:
    """Return the numbers of blocks into which `free_bits` bits may be cut, for a radius."""
    most = min(free_bits, radius + 8)
    while most > radius + 1 and comb(most, radius) > MOST_TABLES:
        most -= 1
    return range(radius + 1, most + 1)


def choose_family(count: int, bits: int, radius: int, free: Sequence[BitRange] | None) -> TableDesign | None:
    """Return the design, of the family C(m, r), that joins `count` evenly distributed fingerprints fastest.

    free: the ranges of bits to cut into blocks (None: all). None is returned where comparing all pairs is faster.
    """
    blocks, _ = cheapest(count, sum(width for _, width in free) if free is not None else bits, radius)
    return None if blocks is None else family(bits, radius, blocks, free)


@lru_cache(maxsize=4096)
def cheapest(count: int, free_bits: int, radius: int) -> tuple[int | None, float]:
    """Return the number of blocks that joins fastest, and its seconds. None: comparing all pairs is faster."""
    chosen, least = None, count * (count - 1) / 2 * COMPARE
    for blocks in block_counts(free_bits, radius):
        cost = tables_cost(count, comb(blocks, radius), free_bits * (blocks - radius) // blocks)
        if cost < least:
            chosen, least = blocks, cost
    return chosen, least
