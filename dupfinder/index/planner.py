"""The planner: selects the fastest design for a join, and the widest radius within a budget, with its estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import GOLDEN, runs
from dupfinder.index.design import (
    CELLS,
    COMPARE,
    HEIGHT_TO_WIDTH,
    MATCH,
    MOST_RADIUS,
    TABLE,
    UNDIVIDED,
    BitRange,
    Table,
    TableDesign,
    block_counts,
    cheapest,
    family,
    named_design,
    sorting_cost,
    tables_cost,
)
from dupfinder.index.words import Words, keys_of, sorted_copies, varying_ranges, width_of, words_of

_SAMPLE: Final = 1 << 13  # fingerprints whose buckets are counted
_TABLES: Final = 6  # tables of a design that are counted
_MOST_COMPARISONS: Final = 1 << 24  # comparisons that an estimate of the number of pairs may take
_LEAST_ROWS: Final = 256
_DISTANCES: Final = 1 << 18  # distances in memory at once, unless a single row has more
_SURE: Final = 4  # fingerprints that a bucket needs in the sample for its size to be estimated
_STEP: Final = 1 / 30  # cost of one step of comparing a group, as a share of setting up a table; both are numpy calls
_LEAST_RADIUS: Final = 8  # bits; it is kept unless the join would take much more than the budget
_BEYOND: Final = 10.0  # factor on the budget up to which the least radius is kept

_GROWTH: Final = 1.125  # groups whose sizes differ by less than this factor are compared together

EACH_WITH_EACH: Final = "each_with_each"


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected cost of a join by one design.

    name:     of the design; "each_with_each" for comparing all pairs. tables: how many the design has.
    seconds:  on one core. compared: pairs of fingerprints that share a key, summed over the tables.
    from_sample: True if `compared` was estimated from the buckets of a sample; False if from an even distribution.
    design:   None for comparing all pairs, and for a design without such a sample, which is not built.
    """

    name: str
    tables: int
    seconds: float
    compared: float
    from_sample: bool
    design: TableDesign | None


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """The designs considered for a join; `chosen` is the first of `considered`.

    considered: the designs checked against a sample, the fastest first; then those that would be slower even for evenly
                distributed bits.
    varying:    number of bits in which not all fingerprints are equal; only these are cut into blocks.
    """

    count: int
    bits: int
    radius: int
    varying: int
    considered: tuple[Estimate, ...]

    @property
    def chosen(self) -> Estimate:
        """The estimate with the fewest seconds."""
        return self.considered[0]


def plan_join(fingerprints: NDArray[np.unsignedinteger], radius: int, *, thorough: bool = False) -> JoinPlan:
    """Return the designs for joining these (distinct) fingerprints within `radius`, the fastest first.

    The design that is fastest for evenly distributed bits is checked against the buckets of a sample, and if the data
    is skewed, the next one too; `thorough` checks all designs. Raises ValueError as `family` does, for those it builds.
    """
    words, bits = words_of(fingerprints), width_of(fingerprints)
    count = len(words[0])
    varying = varying_ranges(words, bits) if count else []
    sample = sample_of(words)
    all_pairs = count * (count - 1) / 2
    sampled = [Estimate(EACH_WITH_EACH, 0, all_pairs * COMPARE, all_pairs, from_sample=True, design=None)]
    candidates = _candidates(count, bits, radius, varying)
    pending = sorted(candidates, key=lambda candidate: candidate.even.seconds)
    while pending and (thorough or pending[0].even.seconds < min(estimate.seconds for estimate in sampled)):
        sampled.append(_sampled(pending.pop(0).build(), sample, count, radius))
    in_order = sorted(sampled, key=lambda estimate: estimate.seconds) + [candidate.even for candidate in pending]
    return JoinPlan(count, bits, radius, sum(width for _, width in varying), tuple(in_order))


def plan_lookup(fingerprints: NDArray[np.uint64], chosen: int, radius: int) -> Estimate:
    """Return the faster way to find the neighbours of some of these fingerprints: by blocks of bits, or each with all.

    chosen: how many of them are looked up. The blocks are those of the design C(radius + 1, 1).
    """
    count = len(fingerprints)
    compared = float(chosen * count)
    with_all = Estimate(EACH_WITH_EACH, 0, compared * COMPARE, compared, from_sample=True, design=None)
    varying = varying_ranges((fingerprints,), 64)
    if not 0 < radius < sum(width for _, width in varying):
        return with_all
    design = family(64, radius, radius + 1, varying)
    compared = 2 * _sampled(design, sample_of((fingerprints,)), count, radius).compared * chosen / count
    seconds = compared * COMPARE
    for table in design.tables:
        seconds += sorting_cost(count, table.prefix_bits) + TABLE * min(chosen, 1 << table.prefix_bits)
    by_blocks = Estimate(design.name, len(design.tables), seconds, compared, from_sample=True, design=design)
    return min(with_all, by_blocks, key=lambda estimate: estimate.seconds)


def widest_radius(fingerprints: NDArray[np.unsignedinteger], *, seconds: float, pairs: int) -> int:
    """Return the largest radius up to MOST_RADIUS whose join is expected to stay within `seconds` and `pairs`.

    Up to _LEAST_RADIUS, ten times the budget is allowed.
    """
    beyond = 0
    for estimate in radius_estimates(fingerprints):
        if estimate.seconds <= seconds and estimate.pairs <= pairs:
            return max(estimate.radius, beyond)
        if estimate.seconds <= seconds * _BEYOND and estimate.pairs <= pairs * _BEYOND:
            beyond = max(beyond, min(estimate.radius, _LEAST_RADIUS))
    return beyond


@dataclass(frozen=True, slots=True)
class RadiusEstimate:
    """The expected cost and the expected number of pairs of the join at one radius."""

    radius: int
    seconds: float
    pairs: float


def radius_estimates(fingerprints: NDArray[np.unsignedinteger]) -> Iterator[RadiusEstimate]:
    """Yield the estimate of each radius from MOST_RADIUS down.

    The number of pairs is estimated by comparing a sample of r rows with all n. A single group of fewer than n / r
    near fingerprints may be missed; it has fewer than (n / r)^2 / 2 pairs.
    """
    near = _near_counts(fingerprints)
    for radius in range(MOST_RADIUS, -1, -1):
        plan = plan_join(fingerprints, radius)
        matches = _expected_matches(plan.chosen.design, near[: radius + 1])
        total = plan.chosen.seconds + matches * MATCH
        yield RadiusEstimate(radius, total, float(near[: radius + 1].sum()))


@dataclass(frozen=True, slots=True)
class _DesignOption:
    """A design that is not built yet, and its estimate for an even distribution."""

    even: Estimate
    build: Callable[[], TableDesign]


def _candidates(count: int, bits: int, radius: int, varying: list[BitRange]) -> list[_DesignOption]:
    """Return the designs to consider: C(m, r) on the bits that vary, and the designs of the paper where they apply."""
    varying_bits = sum(width for _, width in varying)
    if radius == 0 or varying_bits <= radius:
        return []
    of_paper = (bits, varying_bits, radius) == (64, 64, 3)
    candidates = []
    for blocks in block_counts(varying_bits, radius):
        tables, prefix = comb(blocks, radius), varying_bits * (blocks - radius) // blocks
        if of_paper and tables in (4, 10, 20):
            candidates.append(
                _DesignOption(_even(str(tables), tables, prefix, count), partial(named_design, str(tables)))
            )
        else:
            even = _even(f"C({blocks},{blocks - radius})", tables, prefix, count)
            candidates.append(_DesignOption(even, partial(family, bits, radius, blocks, varying)))
    if of_paper:
        candidates.append(_DesignOption(_even("16", 16, 28, count), partial(named_design, "16")))
    return candidates


def _even(name: str, tables: int, prefix_bits: int, count: int) -> Estimate:
    """Return the estimate for evenly distributed fingerprints."""
    seconds = tables_cost(count, tables, prefix_bits)
    compared = tables * count * (count - 1) / 2 / 2.0**prefix_bits
    return Estimate(name, tables, seconds, compared, from_sample=False, design=None)


def sample_of(words: Words) -> Words:
    """Return at most _SAMPLE fingerprints, at even intervals."""
    step = -(-len(words[0]) // _SAMPLE) or 1
    return tuple(np.ascontiguousarray(word[::step]) for word in words)


def _sampled(design: TableDesign, sample: Words, count: int, radius: int) -> Estimate:
    """Return the estimate from the bucket sizes of some tables, scaled from the sample to all fingerprints."""
    tables = design.tables
    chosen = [tables[number] for number in np.linspace(0, len(tables) - 1, min(len(tables), _TABLES)).astype(int)]
    compared = seconds = 0.0
    for table in chosen:
        pairs, comparing = buckets_of(table, sample, design.bits, count, radius)
        compared += pairs
        seconds += comparing + sorting_cost(count, table.prefix_bits)
    share = len(tables) / len(chosen)
    return Estimate(design.name, len(tables), seconds * share, compared * share, True, design)


def buckets_of(table: Table, sample: Words, bits: int, count: int, radius: int) -> tuple[float, float]:
    """Estimate the pairs among all `count` that share the table's key, and the seconds to compare them.

    sample: some of the fingerprints, whose buckets are counted.
    """
    keys = keys_of(sample, table.prefix, bits)
    sampled = len(keys)
    if keys.dtype == np.uint16:
        sizes = np.bincount(keys)
    else:
        _, sizes = runs(np.sort(keys))
    scale = count / sampled
    pairs = sizes * (sizes - 1) / 2 * scale * ((count - 1) / max(1, sampled - 1))
    large = sizes * scale > UNDIVIDED
    seconds = float(pairs[~large].sum()) * COMPARE
    for size in sizes[large].tolist():
        seconds += cheapest(int(size * scale), max(1, bits - table.prefix_bits), radius)[1]
    return float(pairs.sum()), seconds + _step_seconds(sizes[(sizes >= _SURE) & ~large] * scale)


def _step_seconds(sizes: NDArray[np.floating]) -> float:
    """Estimate the seconds that groups take beside the comparisons themselves, for calls of numpy.

    sizes: float (g,). Groups of similar size are compared together, in one call for each row; where they are too few,
    each is compared separately in a few calls.
    """
    levels = np.log(sizes) // np.log(_GROWTH)
    groups = np.bincount(levels.astype(np.intp))
    heights = _GROWTH ** (np.arange(len(groups)) + 1)
    together = groups * HEIGHT_TO_WIDTH >= heights
    steps = np.where(together, heights * np.ceil(groups * heights / CELLS), groups * np.ceil(heights**2 / CELLS))
    return float(steps.sum(where=groups > 0)) * TABLE * _STEP


def _near_counts(fingerprints: NDArray[np.unsignedinteger]) -> NDArray[np.float64]:
    """Estimate the number of pairs at each distance up to MOST_RADIUS: float64. The number at distance 0 is exact.

    Which rows are compared depends on their values alone, so the estimate hardly changes when a few rows do.
    """
    words = words_of(fingerprints)
    count = len(words[0])
    if count < 2:
        return np.zeros(MOST_RADIUS + 1)
    rows = min(count, max(_LEAST_ROWS, _MOST_COMPARISONS // count))
    copies = _copy_numbers(words)
    sampled = np.argpartition(_mixed(words, copies), rows - 1)[:rows]
    pairs = np.zeros(MOST_RADIUS + 1)
    step = max(1, _DISTANCES // count)
    for start in range(0, rows, step):
        batch = sampled[start : start + step]
        total = np.zeros((len(batch), count), np.uint8)
        for word in words:
            total += np.bitwise_count(word[batch, None] ^ word[None, :])
        pairs += np.bincount(total[total <= MOST_RADIUS], minlength=MOST_RADIUS + 1)
    pairs *= count / rows / 2
    pairs[0] = float(copies.sum())  # copies are numbered from 0, so the numbers of a group add up to its pairs
    return pairs


def _copy_numbers(words: Words) -> NDArray[np.uint64]:
    """Return the number of each fingerprint among equal ones, from 0: uint64 (n,). words: of at least one."""
    order, is_first = sorted_copies(words)
    copies, positions = np.empty(len(order), np.uint64), np.arange(len(order), dtype=np.uint64)
    copies[order] = positions - np.maximum.accumulate(positions * is_first)
    return copies


def _mixed(words: Words, copies: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of each fingerprint and its number among equal ones: uint64 (n,)."""
    mixed = copies * GOLDEN
    for word in words:
        mixed = (mixed ^ word) * GOLDEN
        mixed ^= mixed >> np.uint64(32)
    return mixed * GOLDEN


def _expected_matches(design: TableDesign | None, near: NDArray[np.float64]) -> float:
    """Estimate how often tables find pairs: d bits apart, they agree in m - d of m blocks, or more. near: (k + 1,)."""
    if design is None:
        return float(near.sum())
    tables = len(design.tables)
    blocks = next((m for m in range(design.radius + 1, 64) if comb(m, design.radius) >= tables), design.radius + 1)
    return float(sum(pairs * comb(blocks - d, blocks - design.radius) for d, pairs in enumerate(near) if d))
