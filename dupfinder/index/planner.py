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
from dupfinder.base.progress import SILENT
from dupfinder.index.cost import (
    CACHED,
    CELLS,
    FEW,
    HEIGHT_TO_WIDTH,
    UNCACHED,
    UNDIVIDED,
    USUAL_COSTS,
    Costs,
    block_counts,
    cheapest,
    machine_costs,
    seconds_of,
    sorting_cost,
    tables_cost,
)
from dupfinder.index.design import MOST_RADIUS, BitRange, Table, TableDesign, family, named
from dupfinder.index.groups import GroupFinder
from dupfinder.index.words import Words, keys_of, sorted_copies, varying_ranges, width_of, words_of

_SAMPLE: Final = 1 << 13  # fingerprints whose buckets are counted
_TABLES: Final = 6  # tables of a design that are counted
_TRUSTED: Final = 20_000  # fingerprints; joins of fewer take too little time for exact costs to matter
_MOST_COMPARISONS: Final = 1 << 24  # comparisons that an estimate of the number of pairs may take
_LEAST_ROWS: Final = 256
_DISTANCES: Final = 1 << 18  # distances in memory at once, unless a single row has more
_SURE: Final = 4  # fingerprints that a bucket needs in the sample for its size to be estimated
_STEP: Final = 1 / 30  # cost of one step of comparing a group, as a share of setting up a table; both are numpy calls
_LEAST_RADIUS: Final = 8  # bits; it is kept unless the join would take much more than the budget
_BEYOND: Final = 10.0  # factor on the budget up to which the least radius is kept

EACH_WITH_EACH: Final = "each_with_each"

_ROUNDS: Final = 7  # of measurements, of which the fastest counts
_CROWDED: Final = 1 << 15  # fingerprints; with keys of 7 bits, comparing them takes most of the time
_GROWTH: Final = 1.125  # groups whose sizes differ by less than this factor are compared together
_LEAST_SHARE: Final = 0.2  # of the usual cost, below which no measured cost goes: a step may be too short to measure


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
    costs: Costs

    @property
    def chosen(self) -> Estimate:
        """The estimate with the fewest seconds."""
        return self.considered[0]


def costs_for(count: int) -> Costs:
    """Return the measured costs of this machine; for few fingerprints the usual costs, which suffice."""
    return USUAL_COSTS if count < _TRUSTED else machine_costs(measured_costs)


def plan_join(
    fingerprints: NDArray[np.unsignedinteger], radius: int, *, costs: Costs | None = None, thorough: bool = False
) -> JoinPlan:
    """Return the designs for joining these (distinct) fingerprints within `radius`, the fastest first.

    The design that is fastest for evenly distributed bits is checked against the buckets of a sample, and if the data
    is skewed, the next one too; `thorough` checks all designs. Raises ValueError as `family` does, for those it builds.
    """
    words, bits = words_of(fingerprints), width_of(fingerprints)
    count = len(words[0])
    costs = costs or costs_for(count)
    varying = varying_ranges(words, bits) if count else []
    sample = sample_of(words)
    all_pairs = count * (count - 1) / 2
    sampled = [Estimate(EACH_WITH_EACH, 0, all_pairs * costs.compare, all_pairs, from_sample=True, design=None)]
    candidates = _candidates(count, bits, radius, varying, costs)
    pending = sorted(candidates, key=lambda candidate: candidate.even.seconds)
    while pending and (thorough or pending[0].even.seconds < min(estimate.seconds for estimate in sampled)):
        sampled.append(_sampled(pending.pop(0).build(), sample, count, radius, costs))
    in_order = sorted(sampled, key=lambda estimate: estimate.seconds) + [candidate.even for candidate in pending]
    return JoinPlan(count, bits, radius, sum(width for _, width in varying), tuple(in_order), costs)


def plan_lookup(fingerprints: NDArray[np.uint64], chosen: int, radius: int) -> Estimate:
    """Return the faster way to find the neighbours of some of these fingerprints: by blocks of bits, or each with all.

    chosen: how many of them are looked up. The blocks are those of the design C(radius + 1, 1).
    """
    count, costs = len(fingerprints), costs_for(len(fingerprints))
    compared = float(chosen * count)
    with_all = Estimate(EACH_WITH_EACH, 0, compared * costs.compare, compared, from_sample=True, design=None)
    varying = varying_ranges((fingerprints,), 64)
    if not 0 < radius < sum(width for _, width in varying):
        return with_all
    design = family(64, radius, radius + 1, varying)
    compared = 2 * _sampled(design, sample_of((fingerprints,)), count, radius, costs).compared * chosen / count
    seconds = compared * costs.compare
    for table in design.tables:
        seconds += sorting_cost(count, table.prefix_bits, costs) + costs.table * min(chosen, 1 << table.prefix_bits)
    by_blocks = Estimate(design.name, len(design.tables), seconds, compared, from_sample=True, design=design)
    return min(with_all, by_blocks, key=lambda estimate: estimate.seconds)


def widest_radius(
    fingerprints: NDArray[np.unsignedinteger], *, seconds: float, pairs: int, costs: Costs | None = None
) -> int:
    """Return the largest radius up to MOST_RADIUS whose join is expected to stay within `seconds` and `pairs`.

    Up to _LEAST_RADIUS, ten times the budget is allowed.
    """
    beyond = 0
    for estimate in radius_estimates(fingerprints, costs=costs):
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


def radius_estimates(fingerprints: NDArray[np.unsignedinteger], *, costs: Costs | None) -> Iterator[RadiusEstimate]:
    """Yield the estimate of each radius from MOST_RADIUS down.

    The number of pairs is estimated by comparing a sample of r rows with all n. A single group of fewer than n / r
    near fingerprints may be missed; it has fewer than (n / r)^2 / 2 pairs.
    """
    near = _near_counts(fingerprints)
    for radius in range(MOST_RADIUS, -1, -1):
        plan = plan_join(fingerprints, radius, costs=costs)
        hits = _expected_hits(plan.chosen.design, near[: radius + 1])
        total = plan.chosen.seconds + hits * plan.costs.hit
        yield RadiusEstimate(radius, total, float(near[: radius + 1].sum()))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A design that is not built yet, and its estimate for an even distribution."""

    even: Estimate
    build: Callable[[], TableDesign]


def _candidates(count: int, bits: int, radius: int, varying: list[BitRange], costs: Costs) -> list[_Candidate]:
    """Return the designs to consider: C(m, r) on the bits that vary, and the designs of the paper where they apply."""
    varying_bits = sum(width for _, width in varying)
    if radius == 0 or varying_bits <= radius:
        return []
    of_paper = (bits, varying_bits, radius) == (64, 64, 3)
    candidates = []
    for blocks in block_counts(varying_bits, radius):
        tables, prefix = comb(blocks, radius), varying_bits * (blocks - radius) // blocks
        if of_paper and tables in (4, 10, 20):
            candidates.append(_Candidate(_even(str(tables), tables, prefix, count, costs), partial(named, str(tables))))
        else:
            even = _even(f"C({blocks},{blocks - radius})", tables, prefix, count, costs)
            candidates.append(_Candidate(even, partial(family, bits, radius, blocks, varying)))
    if of_paper:
        candidates.append(_Candidate(_even("16", 16, 28, count, costs), partial(named, "16")))
    return candidates


def _even(name: str, tables: int, prefix_bits: int, count: int, costs: Costs) -> Estimate:
    """Return the estimate for evenly distributed fingerprints."""
    seconds = tables_cost(count, tables, prefix_bits, costs)
    compared = tables * count * (count - 1) / 2 / 2.0**prefix_bits
    return Estimate(name, tables, seconds, compared, from_sample=False, design=None)


def sample_of(words: Words) -> Words:
    """Return at most _SAMPLE fingerprints, at even intervals."""
    step = -(-len(words[0]) // _SAMPLE) or 1
    return tuple(np.ascontiguousarray(word[::step]) for word in words)


def _sampled(design: TableDesign, sample: Words, count: int, radius: int, costs: Costs) -> Estimate:
    """Return the estimate from the bucket sizes of some tables, scaled from the sample to all fingerprints."""
    tables = design.tables
    chosen = [tables[number] for number in np.linspace(0, len(tables) - 1, min(len(tables), _TABLES)).astype(int)]
    compared = seconds = 0.0
    for table in chosen:
        pairs, comparing = buckets_of(table, sample, design.bits, count, radius, costs)
        compared += pairs
        seconds += comparing + sorting_cost(count, table.prefix_bits, costs)
    share = len(tables) / len(chosen)
    return Estimate(design.name, len(tables), seconds * share, compared * share, True, design)


def buckets_of(table: Table, sample: Words, bits: int, count: int, radius: int, costs: Costs) -> tuple[float, float]:
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
    seconds = float(pairs[~large].sum()) * costs.compare
    for size in sizes[large].tolist():
        seconds += cheapest(int(size * scale), max(1, bits - table.prefix_bits), radius, costs)[1]
    return float(pairs.sum()), seconds + _step_seconds(sizes[(sizes >= _SURE) & ~large] * scale, costs)


def _step_seconds(sizes: NDArray[np.floating], costs: Costs) -> float:
    """Estimate the seconds that groups take beside the comparisons themselves, for calls of numpy.

    sizes: float (g,). Groups of similar size are compared together, in one call for each row; where they are too few,
    each is compared separately in a few calls.
    """
    large = sizes[sizes > FEW]
    levels = np.log(large) // np.log(_GROWTH)
    groups = np.bincount(levels.astype(np.intp))
    heights = _GROWTH ** (np.arange(len(groups)) + 1)
    together = groups * HEIGHT_TO_WIDTH >= heights
    steps = np.where(together, heights * np.ceil(groups * heights / CELLS), groups * np.ceil(heights**2 / CELLS))
    return float(steps.sum(where=groups > 0)) * costs.table * _STEP


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


def _expected_hits(design: TableDesign | None, near: NDArray[np.float64]) -> float:
    """Estimate how often tables find pairs: d bits apart, they agree in m - d of m blocks, or more. near: (k + 1,)."""
    if design is None:
        return float(near.sum())
    tables = len(design.tables)
    blocks = next((m for m in range(design.radius + 1, 64) if comb(m, design.radius) >= tables), design.radius + 1)
    return float(sum(pairs * comb(blocks - d, blocks - design.radius) for d, pairs in enumerate(near) if d))


def measured_costs() -> Costs:
    """Return the costs of this machine, each from the fastest of several runs over random fingerprints.

    The measurements alternate: only the ratios of costs matter, so a busy period must not affect a single one.
    """
    shapes = ((1 << 10, 16), (_CROWDED, 16), (_CROWDED, 7), (CACHED, 16), (UNCACHED, 16), (CACHED * 2, 28))
    works = [_table(count, prefix_bits) for count, prefix_bits in shapes]
    least = [min(times) for times in zip(*([*map(seconds_of, works)] for _ in range(_ROUNDS)), strict=True)]
    table, sparse, crowded, small_table, large_table, wide_table = least
    per_compare = max((crowded - sparse) / (_CROWDED * (_CROWDED - 1) / 2 / 2**7), USUAL_COSTS.compare * _LEAST_SHARE)
    small = (small_table - table - _comparisons(CACHED) * per_compare) / CACHED
    large = (large_table - table - _comparisons(UNCACHED) * per_compare) / UNCACHED
    return Costs(
        table=max(table, USUAL_COSTS.table * _LEAST_SHARE),
        small=max(small, USUAL_COSTS.small * _LEAST_SHARE),
        large=max(large, small, USUAL_COSTS.large * _LEAST_SHARE),
        wide=max((wide_table - table) / (CACHED * 2) - small, USUAL_COSTS.wide * _LEAST_SHARE),
        compare=per_compare,
        hit=USUAL_COSTS.hit * per_compare / USUAL_COSTS.compare,
    )


def _comparisons(count: int) -> float:
    """Return the expected comparisons among `count` fingerprints with keys of 16 bits."""
    return count * (count - 1) / 2 / 2**16


def _table(count: int, prefix_bits: int) -> Callable[[], object]:
    """Return a function that runs one table over `count` random fingerprints, with a key of `prefix_bits` bits."""
    fingerprints = np.random.default_rng(count).integers(0, 2**64, count, dtype=np.uint64)
    finder = GroupFinder((fingerprints,), 64, 3, SILENT)
    table = Table(((3, prefix_bits),), ())
    return lambda: list(finder.find_by(table))
