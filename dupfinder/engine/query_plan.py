"""The planner for queries: whether to scan the fingerprints, or which tables to build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.cost import Costs, block_counts
from dupfinder.index.design import TableDesign, family
from dupfinder.index.planner import buckets_of, costs_for, sample_of
from dupfinder.index.tables import Search
from dupfinder.index.words import width_of, words_of

SCAN: Final = "scan"
_MOST_TABLES: Final = 64
_WIDEST_DIRECT: Final = 20
_ONE_BY_ONE: Final = 64  # queries; fewer are run one by one

# The cost of query steps in multiples of one comparison; ratios measured on one machine.
_CALL: Final = 5_000.0  # one table, for a single query
_LOOKED_UP: Final = 60.0  # one table, for one of many queries
_SEARCHED: Final = 400.0  # the same by binary search
_GATHERED: Final = 14.0  # one candidate of one of many queries


@dataclass(frozen=True, slots=True)
class QueryEstimate:
    """The expected cost of queries in one way.

    name:        of the design, or "scan".
    search:      None for a scan.
    build, each: seconds to build, and for one query.
    total:       seconds to build and to run all queries.
    candidates:  fingerprints compared with one query.
    memory:      bytes.
    """

    name: str
    design: TableDesign | None
    search: Search | None
    build: float
    each: float
    total: float
    candidates: float
    memory: float


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """Ways to run queries, the fastest in total first."""

    count: int
    queries: int
    radius: int
    considered: tuple[QueryEstimate, ...]

    @property
    def chosen(self) -> QueryEstimate:
        """The way that is fastest in total."""
        return self.considered[0]


def plan_query(
    fingerprints: NDArray[np.unsignedinteger], radius: int, queries: int, *, costs: Costs | None = None
) -> QueryPlan:
    """Return ways to run `queries` queries within `radius`, estimated from the bucket sizes of these fingerprints."""
    words, bits = words_of(fingerprints), width_of(fingerprints)
    count = len(words[0])
    costs = costs or costs_for(count)
    sample = sample_of(words)
    ways = [QueryEstimate(SCAN, None, None, 0.0, costs.table / 4 + count * costs.compare, 0.0, float(count), 0.0)]
    for blocks in block_counts(bits, radius):
        design = family(bits, radius, blocks)
        if len(design.tables) > _MOST_TABLES:
            break
        shared = [buckets_of(table, sample, bits, count, radius, costs)[0] for table in design.tables[:6]]
        run = 2 * float(np.mean(shared)) / max(1, count) + 1
        ways.append(_way(design, run, count, bits, queries, costs))
    totals = [
        QueryEstimate(w.name, w.design, w.search, w.build, w.each, w.build + queries * w.each, w.candidates, w.memory)
        for w in ways
    ]
    return QueryPlan(count, queries, radius, tuple(sorted(totals, key=lambda way: way.total)))


def _way(design: TableDesign, run: float, count: int, bits: int, queries: int, costs: Costs) -> QueryEstimate:
    """Estimate queries by a design. run: fingerprints that one table compares with a query."""
    tables = len(design.tables)
    direct = int(design.prefix_bits.max()) <= _WIDEST_DIRECT
    sorting = costs.element(count) if direct else 4 * (costs.element(count) + costs.wide)
    if queries < _ONE_BY_ONE:
        each = tables * (_CALL + run) * costs.compare
    else:
        each = tables * ((_LOOKED_UP if direct else _SEARCHED) + run * _GATHERED) * costs.compare
    word = bits / 8 if bits == 128 else 8.0
    memory = tables * count * (4 + word + (0 if direct else 8))
    search = Search.DIRECT if direct else Search.BINARY
    return QueryEstimate(
        design.name, design, search, tables * (costs.table + count * sorting), each, 0.0, tables * run, memory
    )
