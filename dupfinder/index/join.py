"""The join: all pairs within k bits. Equal fingerprints are joined once; a process holds one table at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import blocks, pair_keys, row_mask, runs, starts_of
from dupfinder.base.errors import DupfinderError
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.index.design import Table, TableDesign, check_supported, mask_of
from dupfinder.index.groups import GroupFinder, RowPairs
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import plan_join, plan_lookup
from dupfinder.index.words import Positions, first_seen, keys_of, order_of, sorted_copies, width_of, words_of
from dupfinder.processes.crew import Crew, Shared

CHUNK: Final = 1 << 20  # pairs of rows yielded at a time when equal fingerprints are expanded
_ROWS: Final = 16  # fingerprints compared with _COLUMNS others at a time, so that calls are few and all fits the cache
_COLUMNS: Final = 4096
_TASKS: Final = 8  # tasks for each process, so that all end at about the same time


class TooManyPairs(DupfinderError):
    """More pairs lie within the radius than are allowed. Facts: `radius`, `most`."""

    def __init__(self, radius: int, most: int) -> None:
        super().__init__(radius, most)
        self.radius = radius
        self.most = most


@dataclass(frozen=True, slots=True)
class _EqualRows:
    """Rows of equal fingerprints: distinct fingerprint d has rows[starts[d] : starts[d] + sizes[d]], unordered."""

    rows: Positions
    starts: Positions
    sizes: Positions


@dataclass(frozen=True, slots=True)
class _JoinSearch:
    """How pairs are searched.

    design: None: the planner's choice. most: pairs after which a process may stop searching; None: it never stops.
    grouped: bool (distinct fingerprints,), as in `join`.
    """

    radius: int
    design: TableDesign | None
    reporter: Reporter
    crew: Crew | None
    most: int | None
    grouped: NDArray[np.bool_]


def join(
    fingerprints: NDArray[np.unsignedinteger],
    radius: int,
    *,
    design: TableDesign | None = None,
    reporter: Reporter = SILENT,
    most_pairs: int | None = None,
    crew: Crew | None = None,
    grouped: NDArray[np.bool_] | None = None,
) -> Pairs:
    """Return all pairs of rows whose fingerprints differ in at most `radius` bits, sorted by (left, right).

    fingerprints: uint32 (n,), uint64 (n,) or uint64 (n, 2); duplicates are allowed and pair at distance 0.
    design:       None: the one that is fastest by the cost model, or comparing all.
    crew:         the processes that share the tables; None: this process alone.
    grouped:      bool (n,), pairs of two of these rows are left out; None: no pairs.
    Raises TooManyPairs as soon as there are more than `most_pairs`, Stopped when the reporter asks to stop, ValueError
    for an unsupported array or radius, or a design that does not serve them.
    """
    bits = width_of(fingerprints)
    check_supported(bits, radius)
    if design is not None and (design.bits != bits or design.radius < radius):
        raise ValueError(f"design {design.name} is for {design.bits} bits and a radius of at most {design.radius}")
    distinct, copies = _collapsed(fingerprints)
    grouped = np.zeros(len(fingerprints), np.bool_) if grouped is None else grouped
    search = _JoinSearch(radius, design, reporter, crew, most_pairs, _all_grouped(grouped, copies))
    parts, count = [Pairs.none()], 0
    for pairs in _expanded(_distinct_pairs(distinct, search), copies, search.grouped):
        search.reporter.check()
        if copies is not None and grouped.any():
            pairs = pairs.take(np.flatnonzero(~(grouped[pairs.left] & grouped[pairs.right])))
        parts.append(pairs)
        count += len(pairs)
        if most_pairs is not None and count > most_pairs:
            raise TooManyPairs(radius, most_pairs)
    return _in_order(parts)


def pairs_with(
    fingerprints: NDArray[np.uint64], chosen: NDArray[np.intp], radius: int, grouped: NDArray[np.bool_]
) -> Pairs:
    """Return all pairs within `radius` bits that have at least one of the chosen rows, sorted by (left, right).

    fingerprints: uint64 (n,). chosen: ascending. grouped: as in `join`. Compares each chosen row with all rows, or with
    those that are equal to it in a block of bits, or joins all rows, whichever is fastest.
    """
    if not len(chosen):
        return Pairs.none()
    is_chosen, plan = row_mask(len(fingerprints), chosen), plan_join(fingerprints, radius)
    lookup = plan_lookup(fingerprints, len(chosen), radius)
    if plan.chosen.seconds < lookup.seconds:
        pairs = join(fingerprints, radius, grouped=grouped)
        return pairs.take(np.flatnonzero(is_chosen[pairs.left] | is_chosen[pairs.right]))
    tables = (Table((), ()),) if lookup.design is None else lookup.design.tables  # without a key all are compared
    return _in_order([_pairs_of_table(fingerprints, is_chosen, radius, table, grouped) for table in tables])


def _pairs_of_table(
    fingerprints: NDArray[np.uint64],
    is_chosen: NDArray[np.bool_],
    radius: int,
    table: Table,
    grouped: NDArray[np.bool_],
) -> Pairs:
    """Return the pairs with a chosen row that have equal keys in this table, and in no earlier one.

    is_chosen: bool (n,). grouped: as in `join`.
    """
    keys = keys_of((fingerprints,), table.prefix, 64)
    order = order_of(keys)
    begins, lengths = runs(keys[order])
    in_order, positions = fingerprints[order], np.flatnonzero(is_chosen[order])
    edges = np.searchsorted(positions, np.append(begins, len(order)))  # of the chosen rows in each bucket
    are_any_grouped = bool(grouped.any())
    parts = [(order[:0], order[:0], np.empty(0, np.uint8))]
    for bucket in np.flatnonzero(np.diff(edges)).tolist():
        chosen = positions[edges[bucket] : edges[bucket + 1]]
        span = slice(int(begins[bucket]), int(begins[bucket] + lengths[bucket]))
        for left, right, distance in _near(in_order, chosen, span, radius):
            left, right = order[left], order[right]
            if are_any_grouped:
                remaining = np.flatnonzero(~(grouped[left] & grouped[right]))
                left, right, distance = left[remaining], right[remaining], distance[remaining]
            parts.append((left, right, distance))
    left, right, distance = map(np.concatenate, zip(*parts, strict=True))
    is_new = (left < right) | ~is_chosen[right]  # pairs of two chosen rows come twice
    is_new &= first_seen([fingerprints[left] ^ fingerprints[right]], mask_of(table.prefix, 64), table.earlier, 64)
    return _as_pairs(left[is_new], right[is_new], distance[is_new])


def _near(
    fingerprints: NDArray[np.uint64], chosen: Positions, bucket: slice, radius: int
) -> Iterator[tuple[Positions, Positions, NDArray[np.uint8]]]:
    """Yield (chosen position, position in the bucket, distance) of near fingerprints, also of each with itself."""
    differing, bits = np.empty((_ROWS, _COLUMNS), np.uint64), np.empty((_ROWS, _COLUMNS), np.uint8)
    for block in blocks(len(chosen), _ROWS):
        of_block = fingerprints[chosen[block]][:, None]
        for first in range(bucket.start, bucket.stop, _COLUMNS):
            others = fingerprints[first : min(first + _COLUMNS, bucket.stop)]
            cells = slice(len(of_block)), slice(len(others))
            np.bitwise_xor(of_block, others, out=differing[cells])
            np.bitwise_count(differing[cells], out=bits[cells])
            row, other = np.divmod(np.flatnonzero(bits[cells] <= radius), len(others))
            if len(row):
                yield chosen[block][row], first + other, bits[row, other]


def _in_order(parts: list[Pairs]) -> Pairs:
    """Return the pairs of all parts, which have none in common, sorted by (left, right)."""
    pairs = Pairs.joined(parts)
    return pairs.take(np.argsort(pair_keys(pairs.left, pairs.right)))


def _distinct_pairs(distinct: NDArray[np.unsignedinteger], search: _JoinSearch) -> Iterator[RowPairs]:
    radius, reporter = search.radius, search.reporter
    if radius == 0 or len(distinct) < 2:
        return
    design = search.design or plan_join(distinct, radius).chosen.design  # None: comparing all is fastest
    if search.crew is not None and search.crew.workers > 1:
        yield from _shared_pairs(distinct, design, search, search.crew)
        return
    finder = GroupFinder(words_of(distinct), width_of(distinct), radius, reporter)
    if design is None:
        yield from _without(search.grouped, finder.find_all())
        return
    for number, table in enumerate(design.tables):
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, number, len(design.tables)))
        yield from _without(search.grouped, finder.find_by(table))
    reporter.tell(Progress(Stage.MATCH, len(design.tables), len(design.tables)))


@dataclass(frozen=True, slots=True)
class _SearchTask:
    """A part of the search for pairs of fingerprints of `bits` bits. radius, most, grouped: as in _JoinSearch.

    tables:      tables of a design to search; () if there is no design.
    start, stop: without a design, the fingerprints that are compared with all later ones.
    """

    words: tuple[Shared, ...]
    grouped: Shared
    bits: int
    radius: int
    most: int | None
    tables: tuple[Table, ...] = ()
    start: int = 0
    stop: int = 0

    def pairs(self) -> Iterator[RowPairs]:
        finder = GroupFinder(tuple(words.array() for words in self.words), self.bits, self.radius, SILENT)
        by_tables = chain.from_iterable(map(finder.find_by, self.tables))
        return _without(self.grouped.array(), by_tables if self.tables else finder.find_all(self.start, self.stop))


def _without(grouped: NDArray[np.bool_], pairs: Iterator[RowPairs]) -> Iterator[RowPairs]:
    """Yield the pairs of which not both rows are grouped, bool (n,)."""
    if not grouped.any():
        yield from pairs
        return
    for batch in pairs:
        remaining = np.flatnonzero(~(grouped[batch.left] & grouped[batch.right]))
        yield RowPairs(batch.left[remaining], batch.right[remaining], batch.distance[remaining])


def _shared_pairs(
    distinct: NDArray[np.unsignedinteger], design: TableDesign | None, search: _JoinSearch, crew: Crew
) -> Iterator[RowPairs]:
    """Yield the pairs of distinct fingerprints, found by several processes. design: None: by comparing all."""
    words = tuple(crew.share([word], np.uint64) for word in words_of(distinct))
    grouped = crew.share([search.grouped], np.bool_)
    task = _SearchTask(words, grouped, width_of(distinct), search.radius, search.most)
    if design is None:
        tasks = [replace(task, start=start, stop=stop) for start, stop in _ranges(len(distinct), _TASKS * crew.workers)]
    else:
        step = max(1, len(design.tables) // (_TASKS * crew.workers))
        firsts = range(0, len(design.tables), step)
        tasks = [replace(task, tables=design.tables[first : first + step]) for first in firsts]
    try:
        for number, pairs in enumerate(crew.run(_pairs_of_task, tasks, search.reporter.check), 1):
            search.reporter.tell(Progress(Stage.MATCH, number, len(tasks)))
            yield RowPairs(pairs.left.astype(np.intp), pairs.right.astype(np.intp), pairs.distance)
    finally:  # also when there are too many pairs: with a smaller radius the words are shared again
        for shared in (*words, grouped):
            crew.discard(shared)


def _ranges(count: int, parts: int) -> list[tuple[int, int]]:
    """Split rows so that each part has about as many pairs with later rows."""
    shares = 1 - np.sqrt(np.arange(parts, -1, -1) / parts)  # the pairs of the last rows grow with their square
    bounds = list(dict.fromkeys((shares * count).astype(np.int64).tolist()))
    return list(pairwise([*bounds[:-1], count]))


def _pairs_of_task(task: _SearchTask) -> Pairs:
    """Return the pairs of a task, unordered."""
    parts, count = [Pairs.none()], 0
    for pairs in task.pairs():
        parts.append(Pairs(pairs.left.astype(np.uint32), pairs.right.astype(np.uint32), pairs.distance))
        count += len(pairs.left)
        if task.most is not None and count > task.most:
            break
    return Pairs.joined(parts)


def _collapsed(fingerprints: NDArray[np.unsignedinteger]) -> tuple[NDArray[np.unsignedinteger], _EqualRows | None]:
    """Return the distinct fingerprints and the rows of each. None for the rows if all fingerprints are distinct."""
    words = words_of(fingerprints)
    if len(words[0]) < 2 or not _has_copies(words[0]):
        return fingerprints, None
    order, is_first = sorted_copies(words)
    starts = np.flatnonzero(is_first)
    if len(starts) == len(order):
        return fingerprints, None
    return fingerprints[order[starts]], _EqualRows(order, starts, np.diff(starts, append=len(order)))


def _has_copies(word: NDArray[np.uint64]) -> bool:
    """Tell whether a value occurs twice. Sorting the values alone is faster than to find their order."""
    in_order = np.sort(word)
    return bool((in_order[1:] == in_order[:-1]).any())


def _all_grouped(grouped: NDArray[np.bool_], copies: _EqualRows | None) -> NDArray[np.bool_]:
    """Tell which distinct fingerprints only grouped rows have: bool (distinct,)."""
    if copies is None:
        return grouped
    are_all: NDArray[np.bool_] = np.logical_and.reduceat(grouped[copies.rows], copies.starts)
    return are_all


def _expanded(pairs: Iterator[RowPairs], copies: _EqualRows | None, grouped: NDArray[np.bool_]) -> Iterator[Pairs]:
    """Yield the pairs of rows for pairs of distinct fingerprints, and the pairs of rows with equal fingerprints.

    grouped: bool (distinct,), fingerprints whose rows are not paired with each other.
    """
    if copies is None:
        for batch in pairs:
            yield _as_pairs(batch.left, batch.right, batch.distance)
        return
    repeated = np.flatnonzero((copies.sizes > 1) & ~grouped)
    yield from _products(repeated, repeated, np.zeros(len(repeated), np.uint8), copies)
    for batch in pairs:
        yield from _products(batch.left, batch.right, batch.distance, copies)


def _products(left: Positions, right: Positions, distance: NDArray[np.uint8], copies: _EqualRows) -> Iterator[Pairs]:
    """Yield each row of left[i] with each row of right[i]; where left[i] is right[i], each pair of its rows once."""
    widths = copies.sizes[right]
    starts = starts_of(copies.sizes[left] * widths)  # of the pairs of rows of each pair of fingerprints
    for block in blocks(int(starts[-1]), CHUNK):
        numbers = np.arange(block.start, block.stop)
        which = np.searchsorted(starts, numbers, "right") - 1
        left_copy, right_copy = np.divmod(numbers - starts[which], widths[which])
        left_rows = copies.rows[copies.starts[left[which]] + left_copy]
        right_rows = copies.rows[copies.starts[right[which]] + right_copy]
        is_new = (left[which] != right[which]) | (left_rows < right_rows)
        yield _as_pairs(left_rows[is_new], right_rows[is_new], distance[which[is_new]])


def _as_pairs(rows: Positions, partners: Positions, distance: NDArray[np.uint8]) -> Pairs:
    """Return Pairs with the smaller row of each pair on the left."""
    left, right = np.minimum(rows, partners), np.maximum(rows, partners)
    return Pairs(left.astype(np.uint32), right.astype(np.uint32), distance)
