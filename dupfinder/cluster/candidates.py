"""Candidates from shared passages: all pairs in which one document contains at least a given share of the other.

Prefix filtering (Bayardo, Ma, Srikant 2007; Xiao, Wang, Lin, Yu 2008). All shingles are ordered by the number of
documents that contain them, the rarest first. A text of n shingles that shares at least s of them with another shares
one of its first n - s + 1, so only these rare shingles are looked up and frequent ones are hardly ever reached. The
first shingle that two texts share also bounds how many they can share at all: no more than follow it in either text
(position filter).

No pair of complete shingle sets is missed. Of a long text only the smallest values are stored; it is compared with
others below a value up to which both are complete, and the required number is lowered by three standard errors.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.cluster.verify import SharedShingles, Shingles
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared

ERRORS: Final = 3.0  # standard errors by which the required number of shared values is lowered for samples
MOST_PARTNERS: Final = 4_096  # documents that one shingle may propose to a document
_MEETINGS = 50  # look-ups per allowed pair after which a search is given up as too slow
_BLOCK = 1_000_000  # values, or pairs, handled together; bounds the working memory of a process to some 100 MB
_FEWEST = 20_000  # values that make a task worth sending to another process
_TASKS = 8  # tasks for each process, so that all end at about the same time
_SURVEYED = 1 << 22  # values counted together
_MOST_HOLDERS = 0xFFFF  # higher numbers of holders are stored as this number
_MOST_AFTER = 0xFFFF  # likewise for higher numbers of values that follow in a document
_LOCAL = 1 << 16  # documents ordered together: their number takes 16 bits of the sorted key
_LEAST_BITS, _MOST_BITS, _MOST_MARKS = 10, 27, 25  # of tables indexed by values
_MOST_VALUE = 0xFFFFFFFF
_LOW = np.uint64(0xFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd
_ODD = np.uint32(0x9E3779B1)  # 2**32 / golden ratio, odd


@dataclass(frozen=True, slots=True)
class Passages:
    """Pairs that share passages.

    keys:     uint64 (m,), left << 32 | right, ascending, left < right.
    complete: False if not all pairs were considered, since some shingle that proposes pairs is in too many documents.
    """

    keys: NDArray[np.uint64]
    complete: bool


def passage_pairs(
    shingles: SharedShingles,
    share: float,
    most: int,
    reporter: Reporter | None = None,
    asked: NDArray[np.bool_] | None = None,
    crew: Crew | None = None,
) -> Passages:
    """Find all pairs of documents in which the larger set contains at least `share` (0 < share <= 1) of the smaller.

    asked: bool (n,), at least one document of each pair is among these; None: all documents.
    crew:  the processes that share the work; None: this process alone.
    Some of the pairs share less than `share`. If there are more than `most` pairs, as among many fillings of one form,
    a shingle proposes to each document only some of the next larger ones that contain it, so that groups of similar
    documents stay connected. Raises Stopped, DiskFullError.
    """
    reporter, crew = reporter or Silent(), crew or Crew()
    if asked is not None and asked.all():
        asked = None
    survey = _Survey.of(shingles, crew, reporter)
    levels = survey.levels(shingles)
    searches = []
    for level in sorted(set(levels.tolist())):
        source = _Source.of(shingles, survey.frequencies, levels, level, asked, share, crew)
        searches.append(_prepared(source, survey.first, crew, reporter))
    partners = MOST_PARTNERS
    while True:
        limits = _Limits(partners, most if partners > 1 else None)
        try:
            results = [_pairs_of(search, limits, crew, reporter) for search in searches]
        except _TooMany:
            partners //= 4
            continue
        complete = partners == MOST_PARTNERS and all(result.complete for result in results)
        return Passages(_distinct([np.empty(0, np.uint64), *(result.keys for result in results)]), complete)


class _TooMany(Exception):
    """There are more pairs than are allowed, or finding them takes too long."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of a search.

    partners: documents that a shingle may propose to a document.
    most:     pairs allowed; None: any number.
    """

    partners: int
    most: int | None

    def check(self, pairs: int, meetings: int) -> None:
        """Raise _TooMany when there are too many pairs, or finding them takes too long. meetings: look-ups so far."""
        if self.most is None:
            return
        too_long = meetings > _MEETINGS * max(self.most, _BLOCK)
        if too_long or pairs > self.most:
            raise _TooMany


@dataclass(frozen=True, slots=True)
class _Survey:
    """What must be known of all values before any document can be looked at.

    first, last: uint32 (n,), the smallest and the largest stored value of each document; 0 without any.
    frequencies: uint16 (2^b,), roughly how many documents contain a value, see `_frequency`: the number of all values
                 with the same first b bits when mixed, at most _MOST_HOLDERS. So 1 means that no other has the value.
    """

    first: NDArray[np.uint32]
    last: NDArray[np.uint32]
    frequencies: Shared

    @classmethod
    def of(cls, shingles: SharedShingles, crew: Crew, reporter: Reporter) -> _Survey:
        """Count the values of all documents, block by block."""
        starts = shingles.starts.array()
        count, total = len(starts) - 1, int(starts[-1])
        first, last = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
        bits = min(max((2 * total).bit_length(), _LEAST_BITS), _MOST_BITS)
        frequencies = np.zeros(1 << bits, np.uint16)
        for start, stop in _portions(starts, _SURVEYED):
            reporter.check()
            begin, end = int(starts[start]), int(starts[stop])
            reporter.tell(Progress(Stage.MATCH, begin, total))
            values = np.array(shingles.values.array()[begin:end])  # the file is mapped for the length of this line
            filled = start + np.flatnonzero(starts[start + 1 : stop + 1] > starts[start:stop])
            first[filled], last[filled] = values[starts[filled] - begin], values[starts[filled + 1] - 1 - begin]
            places = _mixed(values) >> np.uint32(32 - bits)
            places.sort()
            begins, lengths = runs(places)
            counted = places[begins]
            frequencies[counted] = np.minimum(frequencies[counted] + lengths, _MOST_HOLDERS)
        return cls(first, last, crew.share([frequencies], np.uint16))

    def levels(self, shingles: SharedShingles) -> NDArray[np.int64]:
        """Return for each document the least j such that all its values below 2^(32 - j) are stored: int64 (n,).

        0: all are.
        """
        complete = np.log2(self.last.astype(np.float64) + 1)
        return np.where(shingles.whole.array(), 0, 32 - np.floor(complete)).astype(np.int64)


def _mixed(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the values multiplied, so that their first bits differ also where the values are all small."""
    return values * _ODD


def _frequency(frequencies: NDArray[np.uint16], values: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Return the frequency of each value, which orders all values from rare to common: uint16 (m,)."""
    shift = np.uint32(33 - len(frequencies).bit_length())
    values_frequency: NDArray[np.uint16] = frequencies[_mixed(values) >> shift]
    return values_frequency


def _portions(starts: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Split documents into ranges with at most `most` values and _LOCAL documents, or of a single document."""
    start, count = 0, len(starts) - 1
    while start < count:
        stop = int(np.searchsorted(starts, starts[start] + most, side="right")) - 1
        stop = min(max(stop, start + 1), start + _LOCAL)
        yield start, stop
        start = stop


@dataclass(frozen=True, slots=True)
class _Source:
    """The documents of one level: those whose values below a bound are complete.

    documents: int64 (n,), rows among all documents. bound: values below it are compared; None: all.
    asked, longest: bool (n,), a pair has at least one document of each kind; None: all documents are of this kind.
    marks:     of each kind of which not all documents are.
    share:     as in `passage_pairs`.
    """

    shingles: SharedShingles
    frequencies: Shared
    documents: Shared
    bound: int | None
    asked: Shared | None
    longest: Shared | None
    marks: tuple[_Marks, ...]
    share: float

    @classmethod
    def of(
        cls,
        shingles: SharedShingles,
        frequencies: Shared,
        levels: NDArray[np.int64],
        level: int,
        asked: NDArray[np.bool_] | None,
        share: float,
        crew: Crew,
    ) -> _Source:
        """Return the documents up to a level, of which a pair has at least one with exactly this level."""
        documents = np.flatnonzero(levels <= level)
        kinds = [None if asked is None else asked[documents], None if level == 0 else levels[documents] == level]
        bound = None if level == 0 else 1 << (32 - level)
        marks = tuple(_Marks.of(shingles, documents[kind], bound, crew) for kind in kinds if kind is not None)
        asked_here, longest = (None if kind is None else crew.share([kind], np.bool_) for kind in kinds)
        rows = crew.share([documents], np.int64)
        return cls(shingles, frequencies, rows, bound, asked_here, longest, marks, share)

    def take(self, start: int, stop: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Return (values, starts) of some of the documents, as in Shingles."""
        return _below(self.shingles.take(self.documents.array()[start:stop]), self.bound)

    def needed(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many values documents with so many values share with one that contains the share of them."""
        return _needed(sizes, self.share, exact=self.bound is None)


@dataclass(frozen=True, slots=True)
class _Marks:
    """The values of all documents of a kind.

    marks: bool (2^b,), which values may occur in one of them, see `may_occur`. least: values of the smallest of them.
    """

    marks: Shared
    least: int

    @classmethod
    def of(cls, shingles: SharedShingles, documents: NDArray[np.int64], bound: int | None, crew: Crew) -> _Marks:
        """Return the values below a bound of some documents."""
        starts = shingles.starts.array()
        sizes = starts_of(starts[documents + 1] - starts[documents])
        bits = min(max(int(32 * sizes[-1]).bit_length(), _LEAST_BITS), _MOST_MARKS)
        marks, least = np.zeros(1 << bits, np.bool_), _MOST_VALUE
        for start, stop in _portions(sizes, _BLOCK):
            values, starts = _below(shingles.take(documents[start:stop]), bound)
            marks[_mixed(values) >> np.uint32(32 - bits)] = True
            least = min(least, int(np.diff(starts).min()))
        return cls(crew.share([marks], np.bool_), least)

    def may_occur(self, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell which values may occur in the documents: bool (m,). True for all that do and for few others."""
        marks = self.marks.array()
        may_occur: NDArray[np.bool_] = marks[_mixed(values) >> np.uint32(33 - len(marks).bit_length())]
        return may_occur


def _below(shingles: Shingles, bound: int | None) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return (values, starts) of the values below a bound; None: of all."""
    values = shingles.values.astype(np.uint32, copy=False)
    if bound is None:
        return values, shingles.starts
    below = values < bound
    return values[below], np.concatenate(([0], np.cumsum(below)))[shingles.starts]


def _needed(sizes: NDArray[np.int64], share: float, *, exact: bool) -> NDArray[np.int64]:
    """Return how many of its values a document at least shares with one that contains `share` of it: int64 (n,)."""
    least = share * sizes - (0 if exact else ERRORS * np.sqrt(share * (1 - share) * sizes))
    return np.maximum(1, np.ceil(least - 1e-9)).astype(np.int64)


_ENTRY: Final = np.dtype([("value", np.uint32), ("document", np.uint32), ("after", np.uint16)])
"""A value that may be in several documents. document: which of the level; after: as in `_after`."""


@dataclass(frozen=True, slots=True)
class _RangeTask:
    """Documents of a level from start up to stop. path: of the file to write; None: none."""

    source: _Source
    start: int
    stop: int
    path: Path | None


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of some documents, ascending by value. entries: (m,) of _ENTRY; sizes: int64, values of each."""

    entries: Shared
    sizes: NDArray[np.int64]


def _entries_of(task: _RangeTask) -> _Entries:
    """Return the entries of a range of documents, without those that share too little with documents of each kind."""
    source = task.source
    values, starts = source.take(task.start, task.stop)
    sizes = np.diff(starts)
    useful, documents = np.ones(len(values), np.bool_), np.ones(len(sizes), np.bool_)
    for marks in source.marks:
        may_occur = marks.may_occur(values)
        shared = np.diff(np.concatenate(([0], np.cumsum(may_occur)))[starts])
        documents &= shared >= source.needed(np.minimum(sizes, marks.least))
        useful &= may_occur
    if not documents.all():
        chosen = np.repeat(documents, sizes)
        values, useful = values[chosen], useful[chosen]
        starts = starts_of(np.where(documents, sizes, 0))
    after = _after(values, starts, _frequency(source.frequencies.array(), values))
    places = np.flatnonzero(useful & (after > 0))
    places = places[np.argsort(values[places], kind="stable")]
    entries = np.empty(len(places), _ENTRY)
    entries["value"], entries["after"] = values[places], after[places]
    entries["document"] = task.start + np.searchsorted(starts, places, side="right") - 1
    return _Entries(Shared.stored(entries, task.path), sizes)


def _after(
    values: NDArray[np.uint32], starts: NDArray[np.int64], frequencies: NDArray[np.uint16]
) -> NDArray[np.uint16]:
    """Count the values of the document from each value on, itself included, in order of rarity: uint16 (total,).

    0 for values that occur in one document only.
    """
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
    keys = owners << np.uint64(48) | frequencies.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(values), dtype=np.uint64)
    keys.sort()
    positions = (keys & _LOW).astype(np.int64)
    ends = np.repeat(starts[1:], np.diff(starts))
    used = frequencies[positions] > 1
    after = np.zeros(len(values), np.uint16)
    after[positions[used]] = np.minimum(ends - np.arange(len(values)), _MOST_AFTER)[used]
    return after


@dataclass(frozen=True, slots=True)
class _Search:
    """What the pairs of one level are found from.

    entries: of all documents, in portions. total: their number.
    needed:  int64 (n,), how many values each document must share. order: uint32 (n,), see `_order`.
    """

    source: _Source
    entries: tuple[Shared, ...]
    total: int
    needed: Shared
    order: Shared


def _prepared(source: _Source, first: NDArray[np.uint32], crew: Crew, reporter: Reporter) -> _Search:
    """Collect the entries of all documents of a level. first: the smallest value of each document."""
    documents, starts = source.documents.array(), source.shingles.starts.array()
    stored = starts_of(starts[documents + 1] - starts[documents])
    ranges = list(_portions(stored, _BLOCK))
    tasks = (_RangeTask(source, start, stop, crew.new_path()) for start, stop in ranges)
    entries, sizes, total = [], [np.empty(0, np.int64)], 0
    for number, part in enumerate(crew.run(_entries_of, tasks, reporter.check)):
        reporter.tell(Progress(Stage.MATCH, number, len(ranges)))
        entries.append(part.entries)
        sizes.append(part.sizes)
        total += len(part.entries.array())
    every_size = np.concatenate(sizes)
    needed = np.minimum(source.needed(every_size), _MOST_AFTER)
    order = crew.share([_order(every_size, first[documents])], np.uint32)
    return _Search(source, tuple(entries), total, crew.share([needed], np.int64), order)


def _order(sizes: NDArray[np.int64], first: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the rank of each document by its size, ascending: uint32 (n,).

    Documents of equal size are ordered by their smallest values, so that the order of files has no effect.
    """
    order = np.empty(len(sizes), np.uint32)
    order[np.lexsort((first, sizes))] = np.arange(len(sizes), dtype=np.uint32)
    return order


@dataclass(frozen=True, slots=True)
class _ValuesTask:
    """The pairs of a level that share a value from low up to high."""

    search: _Search
    low: int
    high: int
    limits: _Limits


@dataclass(frozen=True, slots=True)
class _Part:
    """Pairs of documents. keys, complete: as in Passages. meetings: how many values were looked up."""

    keys: NDArray[np.uint64]
    complete: bool
    meetings: int


def _pairs_of(search: _Search, limits: _Limits, crew: Crew, reporter: Reporter) -> Passages:
    """Return the pairs of a level. Raises _TooMany."""
    end = search.source.bound or 1 << 32
    count = max(1, -(-search.total // _BLOCK), min(_TASKS * crew.workers, search.total // _FEWEST))
    bounds = [end * number // count for number in range(count + 1)]
    tasks = (_ValuesTask(search, low, high, limits) for low, high in itertools.pairwise(bounds))
    keys, meetings, complete = [np.empty(0, np.uint64)], 0, True
    for number, part in enumerate(crew.run(_pairs_between, tasks, reporter.check), 1):
        reporter.tell(Progress(Stage.MATCH, number, count))
        meetings += part.meetings
        complete &= part.complete
        keys = _appended(keys, part.keys)
        limits.check(len(keys[0]), meetings)
    every_key = _distinct(keys)
    limits.check(len(every_key), meetings)
    return Passages(every_key, complete)


def _pairs_between(task: _ValuesTask) -> _Part:
    """Return the pairs that share a value in a range. Raises _TooMany."""
    source, limits = task.search.source, task.limits
    entries = _entries_between(task.search.entries, task.low, task.high)
    needed, order = task.search.needed.array(), task.search.order.array()
    ranked = np.argsort(entries["value"].astype(np.uint64) << np.uint64(32) | order[entries["document"]])
    entries = entries[ranked]
    entries = entries[_not_redundant(entries["value"], entries["document"], entries["after"])]
    values, owners, after = (np.ascontiguousarray(entries[name]) for name in ("value", "document", "after"))
    keys, total, complete = [np.empty(0, np.uint64)], 0, True
    for smaller, larger, is_complete in _meetings(values, after, needed[owners], limits.partners):
        total += len(smaller)
        complete &= is_complete
        left, right = owners[smaller], owners[larger]
        for kind in (source.asked, source.longest):
            if kind is not None:
                of_kind = kind.array()
                wanted = of_kind[left] | of_kind[right]
                left, right = left[wanted], right[wanted]
        keys = _appended(keys, pair_keys(left, right))
        limits.check(len(keys[0]), total)
    documents = source.documents.array()
    left, right = (documents[side] for side in pairs_of(_distinct(keys)))
    distinct = left != right  # different shingles of a document may be equal when shortened
    return _Part(_distinct([pair_keys(np.minimum(left, right), np.maximum(left, right))[distinct]]), complete, total)


def _entries_between(portions: tuple[Shared, ...], low: int, high: int) -> NDArray[Any]:
    """Return the entries with values from low up to high: (m,) of _ENTRY, ascending by value in each portion."""
    parts = [np.empty(0, _ENTRY)]
    for portion in portions:
        entries = portion.array()
        values = entries["value"]
        stop = len(values) if high > _MOST_VALUE else np.searchsorted(values, np.uint32(high))
        parts.append(np.array(entries[np.searchsorted(values, np.uint32(low)) : stop]))
    return np.concatenate(parts)


def _not_redundant(
    values: NDArray[np.uint32], owners: NDArray[np.uint32], after: NDArray[np.uint16]
) -> NDArray[np.bool_]:
    """Select, of the values that occur in the same documents, the first in their order: it proposes the same pairs.

    Returns bool (p,). owners: the document of each value. The other arguments are as in `_meetings`.
    """
    begins, lengths = runs(values)
    if not len(begins):
        return np.zeros(0, np.bool_)
    mixed = (owners.astype(np.uint64) + np.uint64(1)) * _MIX
    mixed ^= mixed >> np.uint64(29)
    holders = np.add.reduceat(mixed * _MIX, begins)  # a hash of the set of documents that hold a value
    order = np.lexsort((-after[begins].astype(np.int64), holders))
    chosen = lengths > 1
    chosen[order[1:][holders[order[1:]] == holders[order[:-1]]]] = False
    return np.repeat(chosen, lengths)


def _meetings(
    values: NDArray[np.uint32], after: NDArray[np.uint16], needed: NDArray[np.int64], partners: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], bool]]:
    """Yield the positions of equal values in a smaller and a larger document that may share enough, block by block.

    The last number tells whether all such documents are among them, rather than `partners` for each.

    values: ascending; equal values are ordered by the size of their documents. after: as `_after` returns.
    needed: how many values the document of each value must share.
    """
    begins, lengths = runs(values)
    following = np.repeat(begins + lengths, lengths) - np.arange(len(values)) - 1
    first = np.flatnonzero((after >= needed) & (following > 0))
    complete = bool((following[first] <= partners).all())
    following = np.minimum(following, partners)
    costs = np.cumsum(following[first])
    start = 0
    while start < len(first):
        base = int(costs[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(costs, base + _BLOCK, side="right")))
        lengths = following[first[start:stop]]
        offsets = np.cumsum(lengths) - lengths
        smaller = np.repeat(first[start:stop], lengths)
        larger = np.arange(len(smaller)) - np.repeat(offsets, lengths) + smaller + 1
        enough = after[larger] >= needed[smaller]
        yield smaller[enough], larger[enough], complete
        start = stop


def _appended(keys: list[NDArray[np.uint64]], more: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Append keys, and merge all of them when those after the first array take much memory."""
    keys = [*keys, _distinct([more])]
    return [_distinct(keys)] if sum(map(len, keys[1:])) > max(_BLOCK, len(keys[0])) else keys


def _distinct(keys: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return the distinct keys, ascending."""
    together = np.concatenate(keys)
    together.sort()
    return together[runs(together)[0]]


def union(pairs: Pairs, keys: NDArray[np.uint64], fingerprints: NDArray[np.uint64]) -> Pairs:
    """Join the pairs of both sources, each once, with the Hamming distance of every pair. keys: as in `Passages`."""
    together = _distinct([pair_keys(pairs.left, pairs.right), keys])
    left, right = pairs_of(together)
    return Pairs(left, right, np.bitwise_count(fingerprints[left] ^ fingerprints[right]).astype(np.uint8))
