"""Candidates from shared passages: pairs in which the larger document contains at least a given share of the smaller.

Prefix filtering (Bayardo, Ma, Srikant 2007; Xiao, Wang, Lin, Yu 2008). All shingles are ordered by the number of
documents that contain them, the rarest first. A text of n shingles that shares at least s of them with another shares
one of its first n - s + 1, so only these rare shingles are looked up and frequent ones are hardly ever reached. The
first shingle that two texts share also bounds how many they can share at all: no more than follow it in either text
(position filter).

A shingle is compared by 32 bits of its hash, its value. Of a long text only the smallest values are stored: at level j
those below 2^(32 - j) are complete. A pair is compared at the higher level of its two documents, and the required
number of shared values is lowered by three standard errors.

A value that more than MOST_PARTNERS documents contain is frequent. It proposes to each of them only so many of the next
larger ones, and HUBS documents that are the same for all, so the pairs of a large group of similar documents grow with
their number, not with its square; no pair of complete sets is missed for another reason. Documents that have a rarer
value in common, as copies of one filling of a form have, are paired by that. The hubs connect the group: each document
has a pair with one that may be kept, or to which fillings are aligned. Which pairs a frequent value proposes changes
when documents come or go, so documents that such values alone could pair are searched anew each time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import GOLDEN, Ragged, blocks, pair_keys, pairs_of, row_mask, runs, starts_of
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.cluster.rarity import (
    ComparedValues,
    ValueFilter,
    levels_of,
    ranges_within,
    sums_and_largest,
)
from dupfinder.cluster.verify import SharedShingles, sizes_up_to
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared

ERRORS: Final = 3.0  # standard errors by which the required number of shared values is lowered for samples
MOST_PARTNERS: Final = 1_024  # documents that one shingle may propose to a document; a power of four
HUBS: Final = 3  # documents that a frequent shingle proposes to all that contain it; one alone may be untypical
_LOOK_UPS = 50  # a search that looks up more values than this for each allowed pair is given up as too slow
_BLOCK = 1_000_000  # values, or pairs, handled together; bounds the working memory of a process to some 100 MB
_FEWEST = 20_000  # values that make a task worth sending to another process
_TASKS = 8  # tasks for each process, so that all end at about the same time
_MOST_REMAINING = 0xFFFF  # higher numbers of remaining values are stored as this number
_MOST_VALUE = 0xFFFFFFFF
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_NO_VALUES = np.empty(0, np.uint32)


@dataclass(frozen=True, slots=True)
class PassagePairs:
    """Pairs that share passages.

    keys:     uint64 (m,), left << 32 | right, ascending, left < right.
    complete: False if there were too many pairs, so that shingles proposed fewer than MOST_PARTNERS documents.
    asked:    bool (n,), each pair has at least one of these documents.
    frequent: uint32 (v,), ascending, shingles that more than MOST_PARTNERS documents contain.
    grouped:  bool (n,), documents that frequent shingles alone could pair, except hubs. hubs: bool (n,).
    """

    keys: NDArray[np.uint64]
    complete: bool
    asked: NDArray[np.bool_]
    frequent: NDArray[np.uint32]
    grouped: NDArray[np.bool_]
    hubs: NDArray[np.bool_]


def passage_pairs(
    shingles: SharedShingles,
    share: float,
    most: int,
    reporter: Reporter = SILENT,
    asked: NDArray[np.bool_] | None = None,
    crew: Crew | None = None,
    frequent: NDArray[np.uint32] = _NO_VALUES,
) -> PassagePairs:
    """Find the pairs of documents in which the larger set contains at least `share` (0 < share <= 1) of the smaller.

    asked: bool (n,), at least one document of each pair is among these; None: all documents. Documents whose
           pairs depend on how many documents contain frequent shingles are treated as if they were among these.
    crew:  the processes that share the work; None: this process alone.
    frequent: `PassagePairs.frequent` of the previous search, among the documents of that time.
    Some pairs that share less are returned too. A shingle proposes to each document only the next MOST_PARTNERS larger
    ones that contain it and the hubs, so that similar documents stay connected; fewer if there are more than `most`
    pairs. Raises Stopped, DiskFullError.
    """
    crew = crew or Crew()
    sums, largest = sums_and_largest(shingles)
    levels = levels_of(shingles, largest)
    values = ComparedValues.of(shingles, asked, frequent, MOST_PARTNERS, crew, reporter)
    grouped = _depend_on(values.frequent.array(), values, levels, share, crew)
    if asked is not None:
        all_frequent = np.union1d(frequent, values.frequent.array())
        are_same = len(all_frequent) == len(values.frequent.array())
        depending = grouped if are_same else _depend_on(all_frequent, values, levels, share, crew)
        if (depending & ~asked).any():
            asked = asked | depending
            values = ComparedValues.of(shingles, asked, all_frequent, MOST_PARTNERS, crew, reporter)
    searches = []
    for level in sorted(set(levels.tolist())):
        selected = _LevelDocuments.of(values, levels, level, asked, share, crew)
        searches.append(_prepared(selected, sums, crew, reporter))
    keys, hub_rows, complete = _pairs_within(most, searches, crew, reporter)
    hubs = row_mask(len(levels), hub_rows)
    asked = np.ones(len(levels), np.bool_) if asked is None else asked
    return PassagePairs(keys, complete, asked, values.frequent.array(), grouped & ~hubs, hubs)


def _pairs_within(
    most: int, searches: list[_LevelSearch], crew: Crew, reporter: Reporter
) -> tuple[NDArray[np.uint64], NDArray[np.int64], bool]:
    """Return keys, the rows of the hubs, and whether the keys are complete, as in PassagePairs."""
    partners, none = MOST_PARTNERS, (np.empty(0, np.uint64), np.empty(0, np.int64))
    while True:
        limits = _SearchLimits(partners, most if partners > 1 else None)
        try:
            of_levels = [_pairs_at_level(search, limits, crew, reporter) for search in searches]
        except _TooMany:
            partners //= 4
            continue
        keys, hubs = map(list, zip(none, *of_levels, strict=True))
        return _distinct(keys), np.concatenate(hubs), partners == MOST_PARTNERS


class _TooMany(Exception):
    """There are more pairs than are allowed, or finding them takes too long."""


@dataclass(frozen=True, slots=True)
class _SearchLimits:
    """Limits of a search.

    partners: documents that a shingle may propose to a document.
    most:     pairs allowed; None: any number.
    """

    partners: int
    most: int | None

    def check(self, pairs: int, look_ups: int) -> None:
        """Raise _TooMany when there are too many pairs, or finding them takes too long."""
        if self.most is not None and (pairs > self.most or look_ups > _LOOK_UPS * max(self.most, _BLOCK)):
            raise _TooMany


@dataclass(frozen=True, slots=True)
class _Required:
    """Documents of which each pair at a level must contain one: those asked for, or those of exactly the level.

    members: bool (n,), which documents up to the level these are.
    values:  of these documents; for those asked for, only values that may be the first shared with another document.
    """

    members: Shared
    values: ValueFilter

    @classmethod
    def of(cls, members: NDArray[np.bool_], values: list[NDArray[np.uint32]], crew: Crew) -> Self:
        """Return these documents. values: as in this class, in portions."""
        return cls(crew.share([members], np.bool_), ValueFilter.of(values, crew))


@dataclass(frozen=True, slots=True)
class _LevelValues(Ragged):
    """Some documents of a level: their uint32 values. sizes: int64 (n,), all values of each, compared or not."""

    sizes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _LevelDocuments:
    """The documents up to one level: those whose values below a bound are complete.

    documents: int64 (n,), rows among all documents. bound: values below it are compared; None: all.
    asked:     the documents asked for; None: all. of_level: those of exactly this level; None: all, at level 0.
    share:     as in `passage_pairs`.
    """

    values: ComparedValues
    documents: Shared
    bound: int | None
    share: float
    asked: _Required | None = None
    of_level: _Required | None = None

    @classmethod
    def up_to(
        cls, level: int, values: ComparedValues, levels: NDArray[np.int64], share: float, crew: Crew
    ) -> _LevelDocuments:
        """Return the documents up to a level, without `asked` and `of_level`."""
        documents = crew.share([np.flatnonzero(levels <= level)], np.int64)
        return cls(values, documents, None if level == 0 else 1 << (32 - level), share)

    @classmethod
    def of(
        cls,
        values: ComparedValues,
        levels: NDArray[np.int64],
        level: int,
        asked: NDArray[np.bool_] | None,
        share: float,
        crew: Crew,
    ) -> _LevelDocuments:
        """Return the documents up to a level, of which a pair has at least one with exactly this level."""
        selected = cls.up_to(level, values, levels, share, crew)
        documents = selected.documents.array()
        if asked is not None:
            taken = selected._take_all(documents[asked[documents]])
            firsts = [part.values[selected.may_be_first(part, selected.remaining(part))] for part in taken]
            selected = replace(selected, asked=_Required.of(asked[documents], firsts, crew))
        if level:
            taken = selected._take_all(documents[levels[documents] == level])
            required = _Required.of(levels[documents] == level, [part.values for part in taken], crew)
            selected = replace(selected, of_level=required)
        return selected

    def ranges(self, documents: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Split some documents into ranges that are small enough to be taken at once."""
        starts = self.values.compared.starts.array()
        return list(ranges_within(starts_of(starts[documents + 1] - starts[documents]), _BLOCK))

    def _take_all(self, documents: NDArray[np.int64]) -> list[_LevelValues]:
        """Take all of some documents, in portions."""
        return [self.take(documents[start:stop]) for start, stop in self.ranges(documents)]

    def take(self, documents: NDArray[np.int64]) -> _LevelValues:
        """Take some documents, given by their rows among all."""
        column, stored = self.values.compared.take_ragged(documents), self.values.stored
        if self.bound is None:
            starts = stored.starts.array()
            return _LevelValues(column.values, column.starts, starts[documents + 1] - starts[documents])
        column = column.only(column.values < self.bound)
        limits = np.full(len(documents), self.bound - 1, np.uint32)
        return _LevelValues(column.values, column.starts, sizes_up_to(stored.to_shingles(), documents, limits))

    def remaining(self, taken: _LevelValues) -> NDArray[np.uint16]:
        return _remaining(taken, self.values.rarity(taken.values))

    def may_be_first(self, taken: _LevelValues, remaining: NDArray[np.uint16]) -> NDArray[np.bool_]:
        """Tell which values may be the first that their document shares with a larger one: bool (m,)."""
        return (remaining > 0) & (remaining >= taken.per_value(self.needed(taken.sizes)))

    def needed(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return `_needed`, with the same maximum as `_remaining`, since the two are compared."""
        return np.minimum(_needed(sizes, self.share, exact=self.bound is None), _MOST_REMAINING)


def _depend_on(
    frequent: NDArray[np.uint32], values: ComparedValues, levels: NDArray[np.int64], share: float, crew: Crew
) -> NDArray[np.bool_]:
    """Tell which documents have enough `frequent` values to be paired by these alone: bool (n,)."""
    depending = np.zeros(len(levels), np.bool_)
    frequent_values = ValueFilter.of([frequent], crew)
    for level in sorted(set(levels.tolist())) if len(frequent) else ():
        selected = _LevelDocuments.up_to(level, values, levels, share, crew)
        documents = selected.documents.array()
        for start, stop in selected.ranges(documents):
            taken = selected.take(documents[start:stop])
            positions = np.flatnonzero(frequent_values.may_have(taken.values))
            positions = positions[np.isin(taken.values[positions], frequent)]
            depending[documents[start:stop]] |= taken.counts(positions) >= selected.needed(taken.sizes)
    return depending


def _needed(sizes: NDArray[np.int64], share: float, *, exact: bool) -> NDArray[np.int64]:
    """Return how many values a document of each size has, at least, in common with one that contains `share` of it."""
    least = share * sizes - (0 if exact else ERRORS * np.sqrt(share * (1 - share) * sizes))
    return np.maximum(1, np.ceil(least - 1e-9)).astype(np.int64)


_ENTRY: Final = np.dtype([("value", np.uint32), ("document", np.uint32), ("remaining", np.uint16)])
"""A value that may be in several documents. document: an index of the level; remaining: as in `_remaining`."""


@dataclass(frozen=True, slots=True)
class _RangeTask:
    """Documents of a level from start up to stop. path: of the file to write; None: none."""

    selected: _LevelDocuments
    start: int
    stop: int
    path: Path | None


def _entries_of(task: _RangeTask) -> tuple[Shared, NDArray[np.int64]]:
    """Return the entries of a range of documents, and how many values each document has, int64.

    Entries: (m,) of _ENTRY, ascending by value, without values that cannot lead to a pair that is searched for.
    """
    selected, rows = task.selected, slice(task.start, task.stop)
    taken = selected.take(selected.documents.array()[rows])
    if selected.of_level is not None:
        # Frequent values stay in all documents: how many contain one decides which pairs it proposes.
        of_level = selected.of_level.values.may_have(taken.values)
        taken = taken.only(of_level | selected.values.are_frequent(taken.values))
    remaining = selected.remaining(taken)
    useful = remaining > 0
    if selected.asked is not None:
        members = taken.per_value(selected.asked.members.array()[rows])
        useful &= members | selected.may_be_first(taken, remaining) | selected.asked.values.may_have(taken.values)
    positions = np.flatnonzero(useful)
    keys = pair_keys(taken.values[positions], positions)
    keys.sort()
    values, ordered = pairs_of(keys)
    entries = np.empty(len(ordered), _ENTRY)
    entries["value"], entries["remaining"] = values, remaining[ordered]
    entries["document"] = taken.per_value(np.arange(task.start, task.stop, dtype=np.uint32))[ordered]
    return Shared.stored(entries, task.path), taken.sizes


def _remaining(column: Ragged, rarity: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Count for each value the values of its document from it on, in the order of rarity: uint16 (total,).

    0 for values that occur in one document only.
    """
    used = np.flatnonzero(rarity > 1)
    counts = column.counts(used)
    keys = np.repeat(np.arange(len(column), dtype=np.uint64) << np.uint64(48), counts)
    keys |= rarity[used].astype(np.uint64) << np.uint64(32)
    keys |= used.view(np.uint64)
    keys.sort()
    keys &= _LOW
    uncapped = np.repeat(np.cumsum(counts), counts)
    uncapped -= np.arange(len(keys))
    remaining = np.zeros(len(rarity), np.uint16)
    remaining[keys.view(np.int64)] = np.minimum(uncapped, _MOST_REMAINING)
    return remaining


@dataclass(frozen=True, slots=True)
class _LevelSearch:
    """The data in which the pairs of one level are searched for.

    entries: of all documents, in portions. total: their number.
    needed:  int64 (n,), how many values each document must share. order: uint32 (n,), see `_order`.
    sums:    uint32 (n,), as `sums_and_largest` returns; the hubs have the smallest: as good as a random choice.
    """

    selected: _LevelDocuments
    entries: tuple[Shared, ...]
    total: int
    needed: Shared
    order: Shared
    sums: Shared


def _prepared(selected: _LevelDocuments, sums: NDArray[np.uint32], crew: Crew, reporter: Reporter) -> _LevelSearch:
    """Collect the entries of all documents of a level. sums: as `sums_and_largest` returns."""
    documents = selected.documents.array()
    ranges = selected.ranges(documents)
    tasks = (_RangeTask(selected, start, stop, crew.new_path()) for start, stop in ranges)
    entries, sizes = [], [np.empty(0, np.int64)]
    for number, (part, part_sizes) in enumerate(crew.run(_entries_of, tasks, reporter.check)):
        reporter.tell(Progress(Stage.MATCH, number, len(ranges)))
        entries.append(part)
        sizes.append(part_sizes)
    all_sizes = np.concatenate(sizes)
    needed = crew.share([selected.needed(all_sizes)], np.int64)
    order = crew.share([_order(all_sizes, sums[documents])], np.uint32)
    total = sum(len(part.array()) for part in entries)
    return _LevelSearch(selected, tuple(entries), total, needed, order, crew.share([sums[documents]], np.uint32))


def _order(sizes: NDArray[np.int64], sums: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the rank of each document by its size, ascending: uint32 (n,).

    Documents of equal size are ordered by the sums of their values, so that the order of files has no effect.
    """
    order = np.empty(len(sizes), np.uint32)
    order[np.lexsort((sums, sizes))] = np.arange(len(sizes), dtype=np.uint32)
    return order


@dataclass(frozen=True, slots=True)
class _ValuesTask:
    """The pairs of a level that share a value from low up to high."""

    search: _LevelSearch
    low: int
    high: int
    limits: _SearchLimits


def _pairs_at_level(
    search: _LevelSearch, limits: _SearchLimits, crew: Crew, reporter: Reporter
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the pairs of a level, as keys, and the rows of hubs. Raises _TooMany."""
    end = search.selected.bound or 1 << 32
    count = max(1, -(-search.total // _BLOCK), min(_TASKS * crew.workers, search.total // _FEWEST))
    bounds = [end * number // count for number in range(count + 1)]
    tasks = (_ValuesTask(search, low, high, limits) for low, high in itertools.pairwise(bounds))
    keys, hubs, look_ups = [np.empty(0, np.uint64)], [np.empty(0, np.int64)], 0
    for number, (part, part_hubs, part_look_ups) in enumerate(crew.run(_pairs_between, tasks, reporter.check), 1):
        reporter.tell(Progress(Stage.MATCH, number, count))
        look_ups += part_look_ups
        hubs.append(part_hubs)
        keys = _appended(keys, part)
        limits.check(len(keys[0]), look_ups)
    distinct_keys = _distinct(keys)
    limits.check(len(distinct_keys), look_ups)
    return distinct_keys, np.concatenate(hubs)


def _pairs_between(task: _ValuesTask) -> tuple[NDArray[np.uint64], NDArray[np.int64], int]:
    """Return keys of the pairs that share a value in a range, hubs, and how many values were looked up.

    Raises _TooMany.
    """
    selected, limits = task.search.selected, task.limits
    columns = _entries_between(task.search.entries, task.low, task.high)
    needed, order = task.search.needed.array(), task.search.order.array()
    ranked = np.argsort(pair_keys(columns[0], order[columns[1]]))
    columns = [column[ranked] for column in columns]
    first = np.flatnonzero(_first_of_each_set(*columns))
    values, owners, remaining = (column[first] for column in columns)
    keys, total = [np.empty(0, np.uint64)], 0
    asked = None if selected.asked is None else selected.asked.members.array()[owners]
    hubs = _hubs_of(values, remaining >= needed[owners], task.search.sums.array()[owners], limits.partners)
    meetings = _shared_positions(values, remaining, needed[owners], limits.partners, asked)
    for smaller, larger in itertools.chain(meetings, _shared_with_hubs(hubs, values, remaining, needed[owners])):
        total += len(smaller)
        left, right = owners[smaller], owners[larger]
        if selected.of_level is not None:
            of_level = selected.of_level.members.array()
            rows = np.flatnonzero(of_level[left] | of_level[right])
            left, right = left[rows], right[rows]
        keys = _appended(keys, pair_keys(left, right))
        limits.check(len(keys[0]), total)
    documents, distinct_keys = selected.documents.array(), _distinct(keys)
    for block in blocks(len(distinct_keys)):
        left, right = (documents[side] for side in pairs_of(distinct_keys[block]))
        distinct_keys[block] = pair_keys(np.minimum(left, right), np.maximum(left, right))
    # Different shingles of a document may be equal when shortened.
    are_pairs = distinct_keys >> _HALF != distinct_keys & _LOW
    return _distinct([distinct_keys[are_pairs]]), documents[owners[hubs]], total


def _entries_between(portions: tuple[Shared, ...], low: int, high: int) -> list[NDArray[Any]]:
    """Return the columns of the entries with values from low up to high: (m,) each, by value in each portion."""
    parts = [np.empty(0, _ENTRY)]
    for portion in portions:
        entries = portion.array()
        values = entries["value"]
        stop = len(values) if high > _MOST_VALUE else np.searchsorted(values, np.uint32(high))
        # A copy, so that the file need not stay mapped.
        parts.append(np.array(entries[np.searchsorted(values, np.uint32(low)) : stop]))
    assert _ENTRY.names is not None
    return [np.concatenate([part[name] for part in parts]) for name in _ENTRY.names]


def _first_of_each_set(
    values: NDArray[np.uint32], owners: NDArray[np.uint32], remaining: NDArray[np.uint16]
) -> NDArray[np.bool_]:
    """Select, for each set of two or more documents, the rarest value that exactly these have: bool (p,).

    The others propose the same pairs. owners: the document of each value. Other arguments: see `_shared_positions`.
    """
    begins, lengths = runs(values)
    if not len(begins):
        return np.zeros(0, np.bool_)
    mixed = (owners.astype(np.uint64) + np.uint64(1)) * GOLDEN
    mixed ^= mixed >> np.uint64(29)
    holders = np.add.reduceat(mixed * GOLDEN, begins)  # a hash of the set of documents that hold a value
    order = np.argsort(holders)
    firsts, _ = runs(holders[order])
    # The largest key of a set is that of its rarest value; among several as rare, that of the first.
    keys = (remaining[begins].astype(np.int64) << 32) - np.arange(len(begins))
    rarest = row_mask(len(begins), -np.maximum.reduceat(keys[order], firsts) & int(_LOW))
    return np.repeat(rarest & (lengths > 1), lengths)


def _shared_positions(
    values: NDArray[np.uint32],
    remaining: NDArray[np.uint16],
    needed: NDArray[np.int64],
    partners: int,
    asked: NDArray[np.bool_] | None,
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the positions of equal values in a smaller and a larger document that may share enough, block by block.

    Each document is compared with the next `partners` larger ones alone, and of these, if it was not asked for itself,
    only with those asked for.

    values: ascending; equal values are ordered by the size of their documents. remaining: as `_remaining` returns.
    needed: how many values the document of each value must share. asked: bool (p,), None: all are.
    """
    begins, lengths = runs(values)
    low = np.arange(1, len(values) + 1)
    high = np.minimum(np.repeat(begins + lengths, lengths), low + partners)
    if asked is not None:
        # Positions from len(values) on number the entries asked for, so that other entries step over the rest.
        of_positions, before = np.append(low - 1, np.flatnonzero(asked)), len(values) + starts_of(asked)
        low, high = np.where(asked, (low, high), (before[low], before[high]))
    first = np.flatnonzero((remaining >= needed) & (high > low))
    totals = np.cumsum((high - low)[first])
    start = 0
    while start < len(first):
        before_start = int(totals[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(totals, before_start + _BLOCK, side="right")))
        chosen = first[start:stop]
        lengths = (high - low)[chosen]
        smaller = np.repeat(chosen, lengths)
        larger = np.arange(len(smaller)) - np.repeat(starts_of(lengths)[:-1] - low[chosen], lengths)
        larger = larger if asked is None else of_positions[larger]
        enough = np.flatnonzero(remaining[larger] >= needed[smaller])
        yield smaller[enough], larger[enough]
        start = stop


def _hubs_of(
    values: NDArray[np.uint32], eligible: NDArray[np.bool_], sums: NDArray[np.uint32], partners: int
) -> NDArray[np.intp]:
    """Return the positions of the hubs of each value that more than `partners` documents contain: intp (h,).

    Of the eligible documents, bool (p,), these are the HUBS with the smallest sums, but fewer than `partners`. sums:
    uint32 (p,). So nearly all frequent values of a group have the same hubs. Other arguments: see `_shared_positions`.
    """
    lengths = runs(values)[1]
    candidates = np.flatnonzero(eligible & np.repeat(lengths > partners, lengths))
    ranked = candidates[np.lexsort((sums[candidates], values[candidates]))]
    begins, lengths = runs(values[ranked])
    hubs: NDArray[np.intp] = ranked[np.arange(len(ranked)) - np.repeat(begins, lengths) < min(HUBS, partners - 1)]
    return hubs


def _shared_with_hubs(
    hubs: NDArray[np.intp], values: NDArray[np.uint32], remaining: NDArray[np.uint16], needed: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the positions of equal values in a hub and any other document, as `_shared_positions` does."""
    for hub in hubs.tolist():
        others = np.arange(np.searchsorted(values, values[hub]), np.searchsorted(values, values[hub], "right"))
        smaller, larger = np.minimum(others, hub), np.maximum(others, hub)
        enough = (remaining[smaller] >= needed[smaller]) & (remaining[larger] >= needed[smaller]) & (others != hub)
        yield smaller[enough], larger[enough]


def _appended(keys: list[NDArray[np.uint64]], more: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Append keys, and merge all of them when those after the first array take much memory."""
    keys.append(_distinct([more]))
    return [_distinct(keys)] if sum(map(len, keys[1:])) > max(_BLOCK, len(keys[0]) // 2) else keys


def _distinct(keys: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return the distinct keys of a list of arrays, ascending, in the memory of the first; this empties the list.

    So each of the other arrays is freed once it is copied: there may be tens of millions of keys.
    """
    together = keys.pop(0)
    together = together if together.flags.owndata else together.copy()
    start = len(together)
    together.resize(start + sum(map(len, keys)), refcheck=False)
    while keys:
        part = keys.pop()
        together[start : start + len(part)] = part
        start += len(part)
    together.sort()
    count = 0
    for start in range(0, len(together), _BLOCK):
        block = together[start : start + _BLOCK]
        fresh = block[runs(block)[0]]
        fresh = fresh[int(count > 0 and fresh[0] == together[count - 1]) :]
        together[count : count + len(fresh)] = fresh
        count += len(fresh)
    together.resize(count, refcheck=False)  # no copy, and nothing else refers to it
    return together


def union(pairs: Pairs, keys: NDArray[np.uint64], fingerprints: NDArray[np.uint64]) -> Pairs:
    """Return the pairs and those of `keys`, as in `PassagePairs`, each once, with their Hamming distances."""
    near = _distinct([pair_keys(pairs.left, pairs.right)])
    most = len(near) + len(keys)
    result = Pairs(np.empty(most, np.uint32), np.empty(most, np.uint32), np.empty(most, np.uint8))
    count = near_start = 0
    for start in range(0, max(1, len(keys)), _BLOCK):
        stop = start + _BLOCK
        near_stop = int(np.searchsorted(near, keys[stop])) if stop < len(keys) else len(near)
        together = _distinct([np.concatenate((keys[start:stop], near[near_start:near_stop]))])
        left, right = pairs_of(together)
        block = slice(count, count + len(together))
        result.left[block], result.right[block] = left, right
        result.distance[block] = np.bitwise_count(fingerprints[left] ^ fingerprints[right])
        count, near_start = block.stop, near_stop
    for column in (result.left, result.right, result.distance):
        column.resize(count, refcheck=False)  # no copy, and nothing else refers to it
    return result
