"""Measures what the steps of a join cost on this machine, in about a third of a second."""

from __future__ import annotations

import numpy as np

from dupfinder.base.progress import Silent
from dupfinder.index.cost import USUAL, Costs, fastest
from dupfinder.index.design import Table
from dupfinder.index.groups import GroupFinder

_LEAST = 0.2  # a measured cost is never below this share of the usual: a step too short for the clock


def measure() -> Costs:
    """The costs of this machine, each from the least of some runs over random fingerprints."""
    table = _table(1 << 10, 16)
    small_count, large_count, crowded = 1 << 16, 1 << 20, 1 << 15
    compare = _table(crowded, 7) - _table(crowded, 16)
    compared = crowded * (crowded - 1) / 2 / 2**7
    per_compare = max(compare / compared, USUAL.compare * _LEAST)
    small = _element(small_count, table, per_compare)
    large = _element(large_count, table, per_compare, times=3)
    wide = (_table(small_count * 2, 28) - table) / (small_count * 2) - small
    return Costs(
        table=max(table, USUAL.table * _LEAST),
        small=max(small, USUAL.small * _LEAST),
        large=max(large, small, USUAL.large * _LEAST),
        wide=max(wide, USUAL.wide * _LEAST),
        compare=per_compare,
        hit=USUAL.hit * per_compare / USUAL.compare,
    )


def _element(count: int, table: float, compare: float, times: int = 5) -> float:
    compared = count * (count - 1) / 2 / 2**16
    return (_table(count, 16, times) - table - compared * compare) / count


def _table(count: int, prefix_bits: int, times: int = 5) -> float:
    """Seconds of one table over `count` random fingerprints, with a key of `prefix_bits` bits."""
    fingerprints = np.random.default_rng(count).integers(0, 2**64, count, dtype=np.uint64)
    finder = GroupFinder((fingerprints,), 64, 3, Silent())
    one = Table(((3, prefix_bits),), ())
    return fastest(lambda: list(finder.find_table(one)), times)
