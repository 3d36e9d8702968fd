"""Candidates from shared passages: every pair of documents of which one has at least a given share of the other.

Prefix filtering (Bayardo, Ma, Srikant 2007; Xiao, Wang, Lin, Yu 2008). All shingles have one order: the fewer documents
hold a shingle, the earlier it comes. A text of n shingles that shares at least s of them with another shares one of its
first n - s + 1, so only these rare ones are looked up; what stands in many documents is hardly ever reached. The first
shingle that two texts share also bounds what they can share at all by what comes after it in either (position filter).

Nothing is missed among whole shingle sets. Of a long text only its smallest values are kept; it is compared with others
below a value up to which both are complete, and the least number to share is lowered by three standard errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.cluster.verify import Shingles, limits_of, sizes_up_to
from dupfinder.index.pairs import Pairs

ERRORS: Final = 3.0  # standard errors by which the number of shared values of samples may fall short
MOST_PARTNERS: Final = 4_096  # documents that one shingle may propose to a document
_MEETINGS = 50  # a pair shares so many of its rare shingles at most, on average, where the search is worth its time
_BLOCK = 1_500_000  # values, or pairs, looked at together; bounds the working memory to some 200 MB
_HELD = 0xFFFF  # numbers of holders from here on are not told apart
_MOST_AFTER = 0xFFFF  # nor are places in the order of a document that are so far from its end
_LOCAL = 1 << 16  # documents ordered together: their number has 16 bits of the sorted key
_MARKS = 1 << 22  # places of a table in which the values of some documents are marked
_LOW = np.uint64(0xFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd


@dataclass(frozen=True, slots=True)
class Passages:
    """Pairs that share passages.

    keys: uint64 (m,), left << 32 | right, ascending, left < right. complete: no shingle is in too many documents for
    all pairs of them to be looked at.
    """

    keys: NDArray[np.uint64]
    complete: bool


def passage_pairs(
    shingles: Shingles,
    share: float,
    most: int,
    reporter: Reporter | None = None,
    asked: NDArray[np.bool_] | None = None,
) -> Passages:
    """Find all pairs of documents of which the smaller set is in the larger by at least `share` (0 < share <= 1).

    shingles: uint32 values. asked: bool (n,), one document of each pair is among these; None: all are. Some of the
    pairs share less.
    Where there are more than `most` pairs, as among the many fillings of one form, a shingle proposes to each document
    only some of the next larger ones that hold it, so that what is alike still hangs together. Raises Stopped.
    """
    reporter = reporter or Silent()
    shingles = replace(shingles, values=shingles.values.astype(np.uint32, copy=False))
    levels = _levels(shingles)
    asked = np.ones(len(levels), np.bool_) if asked is None else asked
    holders = _holders(shingles.values, reporter)
    partners = MOST_PARTNERS
    while True:
        limits = _Limits(partners, most if partners > 1 else None)
        keys = [np.empty(0, np.uint64)]
        try:
            for level in sorted(set(levels.tolist())):
                sets = _below(shingles, holders, levels, level, asked)
                keys.append(_pairs_of(sets, share, exact=level == 0, limits=limits, reporter=reporter))
            return Passages(_distinct(keys), partners == MOST_PARTNERS and bool((holders <= partners).all()))
        except _TooMany:
            partners //= 4


class _TooMany(Exception):
    """More pairs were found than are allowed, or finding them took too long."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """How many partners a shingle proposes to a document, and how many pairs are too many (None: no number is)."""

    partners: int
    most: int | None

    def check(self, pairs: int, meetings: int) -> None:
        """Raise _TooMany when there are too many, or when finding them takes too long."""
        if self.most is None:
            return
        too_long = meetings > _MEETINGS * max(self.most, _BLOCK)
        if too_long or pairs > self.most:
            raise _TooMany


@dataclass(frozen=True, slots=True)
class _Sets:
    """Value sets that are complete below one bound, ragged as in Shingles.

    documents: int64 (n,), the rows in the whole. asked, longest: bool (n,), one document of a pair is among the asked
    ones, and one among the longest.
    holders: uint16 (total,), how many documents hold each value.
    """

    documents: NDArray[np.int64]
    asked: NDArray[np.bool_]
    longest: NDArray[np.bool_]
    values: NDArray[np.uint32]
    starts: NDArray[np.int64]
    holders: NDArray[np.uint16]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.starts)


def _levels(shingles: Shingles) -> NDArray[np.int64]:
    """The least j for each document, so that all its values below 2^(32 - j) are kept; 0 for a whole set."""
    complete = np.log2(limits_of(shingles).astype(np.float64) + 1)
    return np.where(shingles.whole, 0, 32 - np.floor(complete)).astype(np.int64)


def _below(
    shingles: Shingles, holders: NDArray[np.uint16], levels: NDArray[np.int64], level: int, asked: NDArray[np.bool_]
) -> _Sets:
    """The sets of all documents up to a level, cut where those of this level are complete."""
    documents = np.flatnonzero(levels <= level)
    if level == 0 and len(documents) == len(levels):
        return _Sets(documents, asked, np.ones(len(asked), np.bool_), shingles.values, shingles.starts, holders)
    limits = np.full(len(documents), (1 << (32 - level)) - 1, np.uint32)
    sizes = sizes_up_to(shingles, documents, limits)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    chosen = np.repeat(shingles.starts[documents] - starts[:-1], sizes) + np.arange(starts[-1])
    longest = levels[documents] == level
    return _Sets(documents, asked[documents], longest, shingles.values[chosen], starts, holders[chosen])


def _needed(sizes: NDArray[np.int64], share: float, *, exact: bool) -> NDArray[np.int64]:
    """How many of its values a document shares at least with any that has `share` of it, int64 (n,), 1 or more."""
    least = share * sizes - (0 if exact else ERRORS * np.sqrt(share * (1 - share) * sizes))
    return np.maximum(1, np.ceil(least - 1e-9)).astype(np.int64)


def _part_count(values: NDArray[np.uint32]) -> int:
    """In how many parts the values are looked at, a power of two."""
    return 1 << max(0, -(-len(values) // _BLOCK) - 1).bit_length()


def _parts(values: NDArray[np.uint32]) -> Iterator[NDArray[np.intp]]:
    """The places of the values in parts of about _BLOCK; equal values are in one part."""
    count = _part_count(values)
    for remainder in range(count):
        yield np.flatnonzero((values & np.uint32(count - 1)) == remainder)


def _runs(ranked: NDArray[np.unsignedinteger[Any]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The place at which each run of equal values begins, and its length."""
    if not len(ranked):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    begins = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    return begins, np.diff(np.append(begins, len(ranked)))


def _holders(values: NDArray[np.uint32], reporter: Reporter) -> NDArray[np.uint16]:
    """How many documents hold each value, uint16 (total,), at most _HELD."""
    holders = np.empty(len(values), np.uint16)
    for places in _parts(values):
        reporter.check()
        keys = values[places].astype(np.uint64) << np.uint64(32) | places.astype(np.uint64)
        keys.sort()
        lengths = _runs(keys >> np.uint64(32))[1]
        holders[(keys & _LOW).astype(np.int64)] = np.repeat(np.minimum(lengths, _HELD).astype(np.uint16), lengths)
    return holders


def _after(sets: _Sets) -> NDArray[np.uint16]:
    """How many values of its document come from each value on, itself included, when the rarest come first: uint16
    (total,). 0 for values that this document has alone."""
    after = np.zeros(len(sets.values), np.uint16)
    sizes, start = sets.sizes, 0
    while start < len(sizes):
        stop = int(np.searchsorted(sets.starts, sets.starts[start] + _BLOCK, side="right")) - 1
        stop = min(max(stop, start + 1), start + _LOCAL)
        begin, end = int(sets.starts[start]), int(sets.starts[stop])
        owners = np.repeat(np.arange(stop - start, dtype=np.uint64), sizes[start:stop])
        held = sets.holders[begin:end]
        keys = owners << np.uint64(48) | held.astype(np.uint64) << np.uint64(32)
        keys |= np.arange(end - begin, dtype=np.uint64)
        keys.sort()
        places = (keys & _LOW).astype(np.int64)
        ends = np.repeat(sets.starts[start + 1 : stop + 1] - begin, sizes[start:stop])
        used = held[places] > 1
        after[begin + places[used]] = np.minimum(ends - np.arange(end - begin), _MOST_AFTER)[used]
        start = stop
    return after


def _pairs_of(sets: _Sets, share: float, *, exact: bool, limits: _Limits, reporter: Reporter) -> NDArray[np.uint64]:
    """The pairs among some sets of which one document is asked for, as `passage_pairs` gives them. _TooMany."""
    after, needed = _after(sets) * _may_meet(sets), np.minimum(_needed(sets.sizes, share, exact=exact), _MOST_AFTER)
    order, meetings = _order(sets), 0
    everyone = bool(sets.asked.all() and sets.longest.all())
    keys = [np.empty(0, np.uint64)]
    for number, part in enumerate(_parts(sets.values)):
        reporter.tell(Progress(Stage.MATCH, number, _part_count(sets.values)))
        places = part[after[part] > 0]
        owners = np.searchsorted(sets.starts, places, side="right") - 1
        ranked = np.argsort(sets.values[places].astype(np.uint64) << np.uint64(32) | order[owners])
        places, owners = places[ranked], owners[ranked]
        telling = _telling(sets.values[places], owners, after[places])
        places, owners = places[telling], owners[telling]
        for smaller, larger in _meetings(sets.values[places], after[places], needed[owners], limits.partners):
            reporter.check()
            meetings += len(smaller)
            one, other = owners[smaller], owners[larger]
            if not everyone:
                wanted = (sets.asked[one] | sets.asked[other]) & (sets.longest[one] | sets.longest[other])
                one, other = one[wanted], other[wanted]
            keys = _gathered(keys, pair_keys(one, other))
            limits.check(len(keys[0]), meetings)
    pairs = _distinct(keys)
    limits.check(len(pairs), meetings)
    one, other = (sets.documents[(side & _LOW).astype(np.int64)] for side in (pairs >> np.uint64(32), pairs))
    apart = one != other  # a value may be twice in one document: shortened values of unlike shingles
    return np.sort(pair_keys(np.minimum(one, other), np.maximum(one, other))[apart])


def _telling(values: NDArray[np.uint32], owners: NDArray[np.intp], after: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Of the values that the same documents hold, choose the first in their order: it proposes all pairs that the
    others do. Returns bool (p,). The arguments are as in `_meetings`; owners: the document of each value."""
    begins, lengths = _runs(values)
    if not len(begins):
        return np.zeros(0, np.bool_)
    mixed = (owners.astype(np.uint64) + np.uint64(1)) * _MIX
    mixed ^= mixed >> np.uint64(29)
    holders = np.add.reduceat(mixed * _MIX, begins)  # a hash of the set of documents that hold a value
    order = np.lexsort((-after[begins].astype(np.int64), holders))
    chosen = lengths > 1
    chosen[order[1:][holders[order[1:]] == holders[order[:-1]]]] = False
    return np.repeat(chosen, lengths)


def _may_meet(sets: _Sets) -> NDArray[np.bool_]:
    """Which values may be in an asked document, bool (total,): all that are, and few others."""
    if sets.asked.all():
        return np.ones(len(sets.values), np.bool_)
    low = sets.values & np.uint32(_MARKS - 1)
    marked = np.zeros(_MARKS, np.bool_)
    marked[low[np.repeat(sets.asked, sets.sizes)]] = True
    met: NDArray[np.bool_] = marked[low]
    return met


def _order(sets: _Sets) -> NDArray[np.uint64]:
    """The place of each document from the smallest to the largest, uint64 (n,); of equal sizes their smallest values
    decide, so that names do not."""
    first = np.zeros(len(sets.sizes), np.uint32)
    some = sets.sizes > 0
    first[some] = sets.values[sets.starts[:-1][some]]
    order = np.empty(len(first), np.uint64)
    order[np.lexsort((first, sets.sizes))] = np.arange(len(first))
    return order


def _meetings(
    values: NDArray[np.uint32], after: NDArray[np.uint16], needed: NDArray[np.int64], partners: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The places of equal values in a smaller and a larger document that may share enough, block by block.

    values: ascending; of equal ones those of smaller documents come first. after: as `_after` says. needed: how many
    values the document of each must share.
    """
    begins, lengths = _runs(values)
    behind = np.minimum(np.repeat(begins + lengths, lengths) - np.arange(len(values)) - 1, partners)
    first = np.flatnonzero((after >= needed) & (behind > 0))
    costs = np.cumsum(behind[first])
    start = 0
    while start < len(first):
        base = int(costs[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(costs, base + _BLOCK, side="right")))
        lengths = behind[first[start:stop]]
        offsets = np.cumsum(lengths) - lengths
        smaller = np.repeat(first[start:stop], lengths)
        larger = np.arange(len(smaller)) - np.repeat(offsets, lengths) + smaller + 1
        enough = after[larger] >= needed[smaller]
        yield smaller[enough], larger[enough]
        start = stop


def pair_keys(left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Pack pairs of rows as left << 32 | right, uint64 (m,)."""
    return left.astype(np.uint64) << np.uint64(32) | right.astype(np.uint64)


def _gathered(keys: list[NDArray[np.uint64]], more: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Keys with more of them, joined whenever the loose ones take much room."""
    keys = [*keys, _distinct([more])]
    return [_distinct(keys)] if sum(map(len, keys[1:])) > _BLOCK else keys


def _distinct(keys: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    together = np.concatenate(keys)
    together.sort()
    return together[_runs(together)[0]]


def union(pairs: Pairs, keys: NDArray[np.uint64], fingerprints: NDArray[np.uint64]) -> Pairs:
    """Join pairs of both sources, each once, with the Hamming distance of every pair. keys: as `passage_pairs`."""
    together = _distinct([pair_keys(pairs.left, pairs.right), keys])
    left, right = (together >> np.uint64(32)).astype(np.uint32), (together & _LOW).astype(np.uint32)
    return Pairs(left, right, np.bitwise_count(fingerprints[left] ^ fingerprints[right]).astype(np.uint8))
