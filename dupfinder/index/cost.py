"""What joins cost: seconds of a table, an element, a comparison and a hit, and the designs they argue for.

The costs are measured on this machine at first use and kept; where that cannot be, usual ones serve.
"""

from __future__ import annotations

import json
import logging
import math
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np

from dupfinder.base.paths import data_dir
from dupfinder.index.design import Run, TableDesign, family

ALONE = 1500  # a group up to this size is compared each with each without a thought of another design
FEW = 16  # fingerprints of a group up to which its key is not looked at before comparing
CELLS = 1 << 15  # fingerprints of a matrix at once: 256 KB, a quarter of a level-2 cache
COLUMN = 6  # rows a column must be worth: below it, one group at a time has fewer and longer steps
_MOST_TABLES = 20_000
_SMALL, _LARGE = 1 << 16, 1 << 20  # fingerprints at which an element's cost is measured: inside and outside the caches
_FINE = 1e-5  # seconds: a processor clock as coarse as Windows' (1/64 s) cannot time a table
_REVISION = 3  # of what is measured: costs of another revision are measured anew

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of the steps of a join on one core.

    table:        setting up one table.
    small, large: sorting and gathering one fingerprint by a key of at most 16 bits, among 65,536 and a million.
    wide:         what one more pass of 16 bits of key adds to an element.
    compare:      one XOR and count. hit: one pair within the radius, each time that a table sees it.
    """

    table: float = 60e-6
    small: float = 18e-9
    large: float = 32e-9
    wide: float = 30e-9
    compare: float = 0.9e-9
    hit: float = 100e-9

    def element(self, count: int) -> float:
        """Seconds of one fingerprint among `count`: it grows with the logarithm, as caches are left behind."""
        share = math.log(max(count, _SMALL) / _SMALL) / math.log(_LARGE / _SMALL)
        return self.small + max(0.0, self.large - self.small) * share


USUAL = Costs()


def sorting_cost(count: int, prefix_bits: int, costs: Costs) -> float:
    """Seconds to group `count` fingerprints by a key of `prefix_bits` bits, one table."""
    passes = max(1, -(-prefix_bits // 16))
    return costs.table + count * (costs.element(count) + (passes - 1) * costs.wide)


def tables_cost(count: int, tables: int, prefix_bits: int, costs: Costs = USUAL) -> float:
    """Seconds to join `count` fingerprints, evenly spread, over `tables` tables of `prefix_bits`-bit keys."""
    compared = count * (count - 1) / 2 / 2.0**prefix_bits
    return tables * (sorting_cost(count, prefix_bits, costs) + compared * costs.compare)


def block_counts(free_bits: int, radius: int) -> range:
    """The numbers of blocks m worth a thought for a radius among so many bits."""
    most = min(free_bits, radius + 8)
    while most > radius + 1 and comb(most, radius) > _MOST_TABLES:
        most -= 1
    return range(radius + 1, most + 1)


def choose_family(
    count: int, bits: int, radius: int, free: Sequence[Run] | None = None, costs: Costs = USUAL
) -> TableDesign | None:
    """The C(m, r) that joins `count` evenly spread fingerprints soonest, or None: compare each with each."""
    blocks, _ = cheapest(count, sum(width for _, width in free) if free is not None else bits, radius, costs)
    return None if blocks is None else family(bits, radius, blocks, free)


@lru_cache(maxsize=4096)
def cheapest(count: int, free_bits: int, radius: int, costs: Costs = USUAL) -> tuple[int | None, float]:
    """The number of blocks (None: compare each with each) that joins soonest, and its seconds."""
    best, chosen = count * (count - 1) / 2 * costs.compare, None
    for blocks in block_counts(free_bits, radius):
        cost = tables_cost(count, comb(blocks, radius), free_bits * (blocks - radius) // blocks, costs)
        if cost < best:
            best, chosen = cost, blocks
    return chosen, best


def machine_key() -> str:
    """What the costs depend on: another machine, numpy or revision measures its own."""
    return f"{platform.machine()}/{os.cpu_count()}/numpy {np.__version__}/{_REVISION}"


def stored_costs(path: Path) -> Costs | None:
    """The costs kept in `path`, or None where there are none for this machine."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["machine"] != machine_key():
            return None
        costs = Costs(**{name: float(value) for name, value in kept["costs"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return costs if all(0 < value < 1 for value in asdict(costs).values()) else None


def store_costs(costs: Costs, path: Path) -> None:
    """Keep the costs. They are a convenience: what cannot be written is measured again another time."""
    beside = path.with_suffix(f".{os.getpid()}.new")
    try:
        beside.write_text(json.dumps({"machine": machine_key(), "costs": asdict(costs)}, indent=1), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        log.info("the measured costs could not be kept: %s", error)


@lru_cache(maxsize=1)
def machine_costs(measure: Callable[[], Costs]) -> Costs:
    """The costs of this machine: those kept, or else measured now and kept."""
    try:
        path = data_dir() / "costs.json"
    except OSError:
        return measure()
    costs = stored_costs(path)
    if costs is None:
        costs = measure()
        store_costs(costs, path)
    return costs


def fastest(work: Callable[[], object], times: int = 5) -> float:
    """The least seconds that `work` took in some runs, of the processor where its clock is fine enough.

    What else the machine did then counts least.
    """
    fine = time.get_clock_info("process_time").resolution < _FINE
    clock = time.process_time if fine else time.perf_counter
    taken = []
    for _ in range(times):
        start = clock()
        work()
        taken.append(clock() - start)
    return min(taken)
