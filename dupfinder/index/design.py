"""Designs: which bits of a fingerprint each permuted table moves to the front, and how long a join by them takes.

Source: Manku, Jain, Das Sarma, "Detecting near-duplicates for web crawling" (WWW 2007), section 3.

Bit 0 is the most significant. The bits of the fingerprints are cut into m blocks. Fingerprints within k bits agree in
at least r = m - k blocks, so with one table for each choice of r blocks they share the key of at least one table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

WIDTHS = (32, 64, 128)  # fingerprint widths f in bits
MOST_RADIUS = 16
MOST_TABLES = 20_000  # of a design: the planner considers no more, and no more can be asked for
PAPER = ("4", "10", "16", "20")  # the paper's designs for f = 64, k = 3, named by their number of tables
UNDIVIDED = 1500  # fingerprints; in groups up to this size all pairs are compared, and no design is considered
CELLS = 1 << 15  # most fingerprints of a matrix: 256 KB, a quarter of the usual level-2 cache
HEIGHT_TO_WIDTH = 6  # rows for each column of a matrix, at most; groups that need more are compared faster one by one

# Seconds of the steps of a join, measured on one core of a usual machine. The choice of a design depends on their
# ratios alone, which differ little between machines; so all machines choose alike.
TABLE = 60e-6  # setting up one table
_CACHED, _UNCACHED = 1 << 16, 1 << 20  # fingerprints that fit the caches, or do not
_SMALL, _LARGE = 18e-9, 32e-9  # sorting and gathering one of so many by a key of at most 16 bits
WIDE = 30e-9  # sorting one fingerprint by each further 16 bits of the key
COMPARE = 0.9e-9  # one XOR and bit count
MATCH = 100e-9  # one pair within the radius, for each table that finds it

BitRange = tuple[int, int]  # (first bit, number of bits)
BitBlock = tuple[BitRange, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a design.

    prefix:  ranges of bits that form the key, the most significant first.
    earlier: masks of f bits. A pair within the design's radius that agrees in the prefix also shares the key of an
             earlier table exactly when it agrees in all bits of at least one mask.
    """

    prefix: BitBlock
    earlier: tuple[int, ...]

    @property
    def prefix_bits(self) -> int:
        """p, the number of bits that must agree."""
        return sum(width for _, width in self.prefix)


@dataclass(frozen=True)
class TableDesign:
    """A complete set of tables: no pair within `radius` bits is missed.

    name:   "4", "10", "16", "20" for the paper's designs, "C(m,r)" for the family.
    bits:   f, the width of the fingerprints.
    radius: k.
    """

    name: str
    bits: int
    radius: int
    tables: tuple[Table, ...]

    @property
    def prefix_bits(self) -> NDArray[np.uint8]:
        """uint8 (t,): p of each table."""
        return np.array([table.prefix_bits for table in self.tables], np.uint8)

    def radius_or(self, radius: int | None) -> int:
        """Return the radius of a query; for None, the design's. Raises ValueError for a radius that it lacks."""
        within = self.radius if radius is None else radius
        if not 0 <= within <= self.radius:
            raise ValueError(f"a radius of {within} is outside 0 to {self.radius}, which the design serves")
        return within

    def check_query(self, fingerprint: int) -> None:
        """Raise ValueError for a query that is no fingerprint of the design's width."""
        if not 0 <= fingerprint < 1 << self.bits:
            raise ValueError(f"the query is not a fingerprint of {self.bits} bits")


def mask_of(block: Iterable[BitRange], bits: int) -> int:
    """Return the block as a mask of `bits` bits, bit 0 the most significant."""
    return sum(((1 << width) - 1) << (bits - start - width) for start, width in block)


def cut(free: Sequence[BitRange], blocks: int) -> list[BitBlock]:
    """Cut the bits of `free` into `blocks` blocks in order, the wider first: 64 into 5 gives 13, 13, 13, 13, 12."""
    total = sum(width for _, width in free)
    small, wider = divmod(total, blocks)
    pending = list(reversed(free))
    result: list[BitBlock] = []
    for number in range(blocks):
        need = small + (number < wider)
        ranges: list[BitRange] = []
        while need:
            start, width = pending.pop()
            taken = min(width, need)
            ranges.append((start, taken))
            if taken < width:
                pending.append((start + taken, width - taken))
            need -= taken
        result.append(tuple(ranges))
    return result


def bit_ranges(mask: int, bits: int) -> list[BitRange]:
    """Return the bits that are set in `mask`, as ranges in order."""
    ranges: list[BitRange] = []
    for bit in range(bits):
        if not mask >> (bits - 1 - bit) & 1:
            continue
        if ranges and sum(ranges[-1]) == bit:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((bit, 1))
    return ranges


def family(bits: int, radius: int, blocks: int, free: Sequence[BitRange] | None = None) -> TableDesign:
    """Return C(m, r): m = `blocks` blocks, and a table for each choice of r = m - radius of them.

    free: the ranges of bits to cut into blocks, where the other bits are known to be equal (None: all bits).
    Raises ValueError unless radius < m <= number of bits; for over MOST_TABLES tables; as `check_supported`.
    """
    whole = list(free) if free is not None else [(0, bits)]
    check_supported(bits, radius)
    if not radius < blocks <= sum(width for _, width in whole):
        raise ValueError(f"{blocks} blocks cannot serve radius {radius} in {bits} bits")
    if comb(blocks, radius) > MOST_TABLES:
        raise ValueError(f"{blocks} blocks need {comb(blocks, radius)} tables for radius {radius}, over {MOST_TABLES}")
    cut_blocks = cut(whole, blocks)
    masks = [mask_of(block, bits) for block in cut_blocks]
    chosen_bits = blocks - radius
    tables = []
    for chosen in combinations(range(blocks), chosen_bits):
        prefix = tuple(part for number in chosen for part in cut_blocks[number])
        tables.append(Table(prefix, tuple(masks[b] for b in range(chosen[-1]) if b not in chosen)))
    return TableDesign(f"C({blocks},{chosen_bits})", bits, radius, tuple(tables))


def two_level(bits: int, radius: int, outer: int, inner: int) -> TableDesign:
    """Return outer * inner tables: one of `outer` blocks agrees, and one of `inner` blocks cut from the other bits.

    Raises ValueError unless both numbers exceed the radius. The paper's 16 tables are two_level(64, 3, 4, 4).
    """
    check_supported(bits, radius)
    if min(outer, inner) <= radius:
        raise ValueError(f"{outer} and {inner} blocks cannot serve radius {radius}")
    outer_blocks = cut([(0, bits)], outer)
    tables = []
    for number, block in enumerate(outer_blocks):
        inner_blocks = cut(bit_ranges(~mask_of(block, bits), bits), inner)
        before = tuple(mask_of(earlier, bits) for earlier in outer_blocks[:number])
        for inner_number, inner_block in enumerate(inner_blocks):
            masks = before + tuple(mask_of(earlier, bits) for earlier in inner_blocks[:inner_number])
            tables.append(Table(block + inner_block, masks))
    return TableDesign(f"{outer}x{inner}", bits, radius, tuple(tables))


def named_design(name: str, bits: int = 64, radius: int = 3) -> TableDesign:
    """Return the design of this name: "4", "10", "16" or "20" (f = 64, k <= 3), or "C(m,r)" with m - r >= radius.

    Raises ValueError for any other name, and for a design that does not serve the width and the radius.
    """
    if name in PAPER:
        if bits != 64 or radius > 3:
            raise ValueError(f"design {name} is for 64 bits and a radius of at most 3")
        design = two_level(64, 3, 4, 4) if name == "16" else family(64, 3, {"4": 4, "10": 5, "20": 6}[name])
        return TableDesign(name, design.bits, design.radius, design.tables)
    inside = name.removeprefix("C(").removesuffix(")").split(",")
    if len(inside) != 2 or not all(part.strip().isdigit() for part in inside):
        raise ValueError(f"no design is called {name}")
    blocks, chosen = (int(part) for part in inside)
    if blocks - chosen < radius or chosen < 1:
        raise ValueError(f"design {name} serves a radius of at most {blocks - chosen}")
    return family(bits, blocks - chosen, blocks)


def check_supported(bits: int, radius: int) -> None:
    """Raise ValueError for fingerprints of other widths than WIDTHS, or a radius beyond MOST_RADIUS."""
    if bits not in WIDTHS:
        raise ValueError(f"fingerprints of {bits} bits are not supported")
    if not 0 <= radius <= MOST_RADIUS:
        raise ValueError(f"a radius of {radius} is outside 0 to {MOST_RADIUS}")


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
