"""Cost model of the join: seconds per table, element, comparison and hit, and the design that costs least.

The plan of a large join uses the costs of this machine, measured at first use and stored. All else uses USUAL_COSTS.
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

from dupfinder.base.files import write_whole
from dupfinder.base.paths import data_dir
from dupfinder.index.design import MOST_TABLES, BitRange, TableDesign, family

UNDIVIDED = 1500  # fingerprints; in groups up to this size all pairs are compared, and no design is considered
FEW = 16  # fingerprints; in groups up to this size, keys are compared only for pairs that are near
CELLS = 1 << 15  # most fingerprints of a matrix: 256 KB, a quarter of the usual level-2 cache
HEIGHT_TO_WIDTH = 6  # rows for each column of a matrix, at most; groups that need more are compared faster one by one
CACHED, UNCACHED = 1 << 16, 1 << 20  # fingerprints among which sorting is measured: they fit the caches, or do not
_FINE = 1e-5  # seconds; a coarser processor clock, such as Windows' (1/64 s), cannot time a table
_REVISION = 3  # of the measurement: costs of another revision are measured again

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of the steps of a join on one core.

    table:        setting up one table.
    small, large: sorting and gathering one fingerprint by a key of at most 16 bits, among 65,536 or a million.
    wide:         sorting one fingerprint by each further 16 bits of the key.
    compare:      one XOR and bit count.
    hit:          one pair within the radius, for each table that finds it.
    """

    table: float = 60e-6
    small: float = 18e-9
    large: float = 32e-9
    wide: float = 30e-9
    compare: float = 0.9e-9
    hit: float = 100e-9

    def element(self, count: int) -> float:
        """Return the seconds to sort one fingerprint among `count`; they grow with log(count), as caches overflow."""
        share = math.log(max(count, CACHED) / CACHED) / math.log(UNCACHED / CACHED)
        return self.small + max(0.0, self.large - self.small) * share


USUAL_COSTS = Costs()


def sorting_cost(count: int, prefix_bits: int, costs: Costs) -> float:
    """Return the seconds to group `count` fingerprints by a key of `prefix_bits` bits, for one table."""
    passes = max(1, -(-prefix_bits // 16))
    return costs.table + count * (costs.element(count) + (passes - 1) * costs.wide)


def tables_cost(count: int, tables: int, prefix_bits: int, costs: Costs) -> float:
    """Return the seconds to join `count` evenly distributed fingerprints by tables with keys of `prefix_bits` bits."""
    compared = count * (count - 1) / 2 / 2.0**prefix_bits
    return tables * (sorting_cost(count, prefix_bits, costs) + compared * costs.compare)


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
def cheapest(count: int, free_bits: int, radius: int, costs: Costs = USUAL_COSTS) -> tuple[int | None, float]:
    """Return the number of blocks that joins fastest, and its seconds. None: comparing all pairs is faster."""
    chosen, least = None, count * (count - 1) / 2 * costs.compare
    for blocks in block_counts(free_bits, radius):
        cost = tables_cost(count, comb(blocks, radius), free_bits * (blocks - radius) // blocks, costs)
        if cost < least:
            chosen, least = blocks, cost
    return chosen, least


def machine_key() -> str:
    """Return a name of what the costs depend on: machine type, cores, numpy and revision of the measurement."""
    return f"{platform.machine()}/{os.cpu_count()}/numpy {np.__version__}/{_REVISION}"


def stored_costs(path: Path) -> Costs | None:
    """Return the costs stored in `path`, or None if there are none for this machine."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["machine"] != machine_key():
            return None
        costs = Costs(**{name: float(value) for name, value in stored["costs"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return costs if all(0 < value < 1 for value in asdict(costs).values()) else None


def store_costs(costs: Costs, path: Path) -> None:
    """Store the costs in `path`. A failure is only logged: they are measured again next time."""
    try:
        write_whole(path, [json.dumps({"machine": machine_key(), "costs": asdict(costs)}, indent=1).encode()])
    except OSError as error:
        log.info("the measured costs could not be kept: %s", error)


@lru_cache(maxsize=1)
def machine_costs(measure: Callable[[], Costs]) -> Costs:
    """Return the costs of this machine: the stored ones, or those that `measure` returns, which are then stored."""
    try:
        path = data_dir() / "costs.json"
    except OSError:
        return measure()
    costs = stored_costs(path)
    if costs is None:
        costs = measure()
        store_costs(costs, path)
    return costs


def seconds_of(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes: processor time where its clock is fine enough, else elapsed time."""
    fine = time.get_clock_info("process_time").resolution < _FINE
    clock = time.process_time if fine else time.perf_counter
    start = clock()
    work()
    return clock() - start
