"""Measures what the steps of a join cost on this machine, in about half a second."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from dupfinder.base.progress import Silent
from dupfinder.index.cost import USUAL, Costs, fastest
from dupfinder.index.design import Table
from dupfinder.index.groups import GroupFinder

_ROUNDS: Final = 7
_SMALL: Final = 1 << 16
_LARGE: Final = 1 << 20
_CROWDED: Final = 1 << 15
_LEAST: Final = 0.2  # a measured cost is never below this share of the usual: a step too short for the clock


def measure() -> Costs:
    """The costs of this machine, each from the least of some runs over random fingerprints.

    What is measured takes turns: costs decide by their ratios, so a busy while must not fall on one of them alone.
    """
    shapes = ((1 << 10, 16), (_CROWDED, 16), (_CROWDED, 7), (_SMALL, 16), (_LARGE, 16), (_SMALL * 2, 28))
    works = [_table(count, prefix_bits) for count, prefix_bits in shapes]
    least = [min(times) for times in zip(*([fastest(work, 1) for work in works] for _ in range(_ROUNDS)), strict=True)]
    table, sparse, crowded, small_table, large_table, wide_table = least
    per_compare = max((crowded - sparse) / (_CROWDED * (_CROWDED - 1) / 2 / 2**7), USUAL.compare * _LEAST)
    small = (small_table - table - _compared(_SMALL) * per_compare) / _SMALL
    large = (large_table - table - _compared(_LARGE) * per_compare) / _LARGE
    return Costs(
        table=max(table, USUAL.table * _LEAST),
        small=max(small, USUAL.small * _LEAST),
        large=max(large, small, USUAL.large * _LEAST),
        wide=max((wide_table - table) / (_SMALL * 2) - small, USUAL.wide * _LEAST),
        compare=per_compare,
        hit=USUAL.hit * per_compare / USUAL.compare,
    )


def _compared(count: int) -> float:
    """Comparisons among so many that share 16 bits."""
    return count * (count - 1) / 2 / 2**16


def _table(count: int, prefix_bits: int) -> Callable[[], object]:
    """One table over `count` random fingerprints, with a key of `prefix_bits` bits."""
    fingerprints = np.random.default_rng(count).integers(0, 2**64, count, dtype=np.uint64)
    finder = GroupFinder((fingerprints,), 64, 3, Silent())
    one = Table(((3, prefix_bits),), ())
    return lambda: list(finder.find_table(one))
