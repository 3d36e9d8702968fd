"""What joins and queries cost: seconds a table, an element and a comparison, and the designs they argue for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from dupfinder.index.design import Run, TableDesign, family

_ALONE = 1500  # a group up to this size is compared each with each without a thought of another design


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of the steps of a join on one core.

    table:     setting up one table. element: sorting and gathering one fingerprint by a key of at most 16 bits.
    wide:      what one more pass of 16 bits of key adds to an element. compare: one XOR and count.
    """

    table: float = 60e-6
    element: float = 30e-9
    wide: float = 35e-9
    compare: float = 0.7e-9


USUAL = Costs()


def tables_cost(count: int, tables: int, prefix_bits: int, costs: Costs = USUAL) -> float:
    """Seconds to join `count` fingerprints, evenly spread, over `tables` tables of `prefix_bits`-bit keys."""
    passes = max(1, -(-prefix_bits // 16))
    per_table = costs.table + count * (costs.element + (passes - 1) * costs.wide)
    compared = count * (count - 1) / 2 / 2.0**prefix_bits
    return tables * (per_table + compared * costs.compare)


def comparing_is_cheaper(size: int) -> bool:
    """Whether a group of this size is not worth a design of its own."""
    return size <= _ALONE


def choose_family(
    count: int, bits: int, radius: int, free: Sequence[Run] | None = None, costs: Costs = USUAL
) -> TableDesign | None:
    """The C(m, r) that joins `count` evenly spread fingerprints soonest, or None: compare each with each."""
    blocks = _cheapest(count, sum(width for _, width in free) if free is not None else bits, radius, costs)
    return None if blocks is None else family(bits, radius, blocks, free)


@lru_cache(maxsize=4096)
def _cheapest(count: int, free_bits: int, radius: int, costs: Costs) -> int | None:
    best, chosen = count * (count - 1) / 2 * costs.compare, None
    for blocks in range(radius + 1, min(free_bits, radius + 8) + 1):
        tables = comb(blocks, radius)
        if tables > 20_000:
            break
        cost = tables_cost(count, tables, free_bits * (blocks - radius) // blocks, costs)
        if cost < best:
            best, chosen = cost, blocks
    return chosen
