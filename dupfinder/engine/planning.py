"""Planners of large searches: whether to scan or which tables to build, and how many tables and how much memory.

Source: Manku, Jain, Das Sarma (WWW 2007), sections 3 and 4. Fingerprints are assumed to be evenly distributed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.design import (
    COMPARE,
    PAPER,
    TABLE,
    WIDE,
    TableDesign,
    block_counts,
    check_supported,
    family,
    named_design,
    sorting_one,
)
from dupfinder.index.planner import buckets_of, sample_of
from dupfinder.index.tables import WIDEST_DIRECT, KeyLookup
from dupfinder.index.words import width_of, words_of

SCAN: Final = "scan"
_MOST_BUILT: Final = 64  # tables; larger designs are not considered for queries
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
    search: KeyLookup | None
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


def plan_query(fingerprints: NDArray[np.unsignedinteger], radius: int, queries: int) -> QueryPlan:
    """Return ways to run `queries` queries within `radius`, estimated from the bucket sizes of these fingerprints."""
    words, bits = words_of(fingerprints), width_of(fingerprints)
    count = len(words[0])
    sample = sample_of(words)
    estimates = [QueryEstimate(SCAN, None, None, 0.0, TABLE / 4 + count * COMPARE, 0.0, float(count), 0.0)]
    for blocks in block_counts(bits, radius):
        design = family(bits, radius, blocks)
        if len(design.tables) > _MOST_BUILT:
            break
        shared = [buckets_of(table, sample, bits, count, radius)[0] for table in design.tables[:6]]
        compared = 2 * float(np.mean(shared)) / max(1, count) + 1  # a pair counts for both
        estimates.append(_way(design, compared, count, bits, queries))
    totals = [replace(estimate, total=estimate.build + queries * estimate.each) for estimate in estimates]
    return QueryPlan(count, queries, radius, tuple(sorted(totals, key=lambda estimate: estimate.total)))


def _way(design: TableDesign, compared: float, count: int, bits: int, queries: int) -> QueryEstimate:
    """Estimate queries by a design. compared: how many fingerprints one table compares with a query."""
    tables = len(design.tables)
    direct = int(design.prefix_bits.max()) <= WIDEST_DIRECT
    sorting = sorting_one(count) if direct else 4 * (sorting_one(count) + WIDE)
    if queries < _ONE_BY_ONE:
        each = tables * (_CALL + compared) * COMPARE
    else:
        each = tables * ((_LOOKED_UP if direct else _SEARCHED) + compared * _GATHERED) * COMPARE
    word = bits / 8 if bits == 128 else 8.0
    memory = tables * count * (4 + word + (0 if direct else 8))
    search = KeyLookup.DIRECT if direct else KeyLookup.BINARY
    return QueryEstimate(
        design.name, design, search, tables * (TABLE + count * sorting), each, 0.0, tables * compared, memory
    )


_MOST_LISTED: Final = 1000  # tables; larger designs are left out of a plan of capacity
_PAPER_RADIUS: Final = 3
STREAM_RATE: Final = 5e6  # bytes a second of each machine: the paper has 1 GB/s for 200 machines
NEW_FINGERPRINTS: Final = 1_000_000  # of a batch, as in the paper


@dataclass(frozen=True, slots=True)
class DesignSize:
    """The size of one design for a number of fingerprints.

    name, tables: of the design. prefix: the least and the most bits of a table's prefix.
    candidates:   fingerprints that share the shortest prefix, 2^(d - p): expected candidates of a query in one table.
    in_all:       the same over all tables. bytes, compressed: size of all tables.
    """

    name: str
    tables: int
    prefix: tuple[int, int]
    candidates: float
    in_all: float
    bytes: float
    compressed: float


@dataclass(frozen=True, slots=True)
class Capacity:
    """A plan for `count` fingerprints of `bits` bits within `radius` bits.

    each:        bits of a compressed fingerprint, by the lower bound of the coding.
    bytes, compressed: size of all fingerprints, stored once.
    designs:     by number of tables.
    chosen:      the design with the fewest candidates whose compressed tables fit into `memory` bytes on each of
                 `machines` machines; None if no design fits.
    probes:      variants of a query within the radius: look-ups in a single sorted table.
    variants:    those exactly at the radius.
    comparisons: comparisons of all pairs.
    stream:      seconds to read all compressed fingerprints for a batch.
    """

    count: int
    bits: int
    radius: int
    memory: float
    machines: int
    each: float
    bytes: float
    compressed: float
    designs: tuple[DesignSize, ...]
    chosen: DesignSize | None
    probes: int
    variants: int
    comparisons: float
    stream: float


def plan_capacity(
    count: int, radius: int = 3, bits: int = 64, *, memory: float = math.inf, machines: int = 1
) -> Capacity:
    """Return the plan for searching among `count` fingerprints. memory: bytes a machine. Raises ValueError."""
    check_supported(bits, radius)
    if not 1 <= count <= 1 << 60 or machines < 1 or not memory > 0:
        raise ValueError("there must be at least one fingerprint, one machine and some memory")
    each = compressed_bits(count, bits)
    designs = tuple(_sized(name, tables, prefix, count, bits, each) for name, tables, prefix in _designs(bits, radius))
    fitting = [design for design in designs if design.compressed / machines <= memory]
    compressed = count * each / 8
    return Capacity(
        count, bits, radius, memory, machines, each, count * bits / 8, compressed, designs,
        min(fitting, key=lambda design: (design.in_all, design.tables), default=None),
        sum(comb(bits, distance) for distance in range(radius + 1)), comb(bits, radius), count * (count - 1) / 2,
        compressed / (STREAM_RATE * machines),
    )  # fmt: skip


def _designs(bits: int, radius: int) -> list[tuple[str, int, tuple[int, int]]]:
    """Return (name, tables, (least, most prefix bits)) of the designs to consider."""
    if (bits, radius) == (64, _PAPER_RADIUS):
        published = [named_design(name) for name in PAPER]
        widths = [(int(design.prefix_bits.min()), int(design.prefix_bits.max())) for design in published]
        return [(design.name, len(design.tables), width) for design, width in zip(published, widths, strict=True)]
    designs = []
    for blocks in block_counts(bits, radius):
        if comb(blocks, radius) > _MOST_LISTED:
            break
        small, wider = divmod(bits, blocks)
        chosen = blocks - radius
        least = chosen * small + max(0, chosen - (blocks - wider))
        designs.append((f"C({blocks},{chosen})", comb(blocks, radius), (least, chosen * small + min(wider, chosen))))
    return designs


def _sized(name: str, tables: int, prefix: tuple[int, int], count: int, bits: int, each: float) -> DesignSize:
    """Return the size of a design; each: bits of a compressed fingerprint."""
    candidates = count / 2.0 ** prefix[0]
    size = tables * count / 8
    return DesignSize(name, tables, prefix, candidates, tables * candidates, size * bits, size * each)


def compressed_bits(count: int, bits: int = 64) -> float:
    """Return the lower bound of bits for each of `count` sorted, evenly distributed fingerprints in compressed tables.

    Each is coded by the position of the most significant bit in which it differs from the one before, at the entropy
    of that position, and by the bits below. Two neighbours first differ at depth j if a node at that depth of the
    binary tree of all fingerprints has members on both sides; `_branching_nodes` is the expected number of those.
    """
    if count < 2:
        return float(bits)
    expected = [_branching_nodes(count, depth) for depth in range(bits)]
    total = sum(expected)
    shares = [nodes / total for nodes in expected]
    return sum(share * (bits - 1 - depth - math.log2(share)) for depth, share in enumerate(shares) if share > 0)


def _branching_nodes(count: int, depth: int) -> float:
    """Return the expected number of nodes at depth j with members on both sides.

    2^j (1 - 2 (1 - 2^-(j+1))^n + (1 - 2^-j)^n), computed without loss of digits where it is small.
    """
    if depth == 0:
        return 1 - 2.0 ** (1 - count)
    share = 2.0**-depth
    half, whole = count * math.log1p(-share / 2), count * math.log1p(-share)
    growth = count * math.log1p(share * share / 4 / (1 - share))  # 2 half - whole
    correction = math.exp(whole) * math.expm1(growth) if growth < 1 else math.exp(2 * half) - math.exp(whole)
    return 2.0**depth * (math.expm1(half) ** 2 - correction)
