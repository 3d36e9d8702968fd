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

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, pairs_of, runs, starts_of
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.cluster.verify import Shingles, limits_of, sizes_up_to
from dupfinder.index.pairs import Pairs

ERRORS: Final = 3.0  # standard errors by which the required number of shared values is lowered for samples
MOST_PARTNERS: Final = 4_096  # documents that one shingle may propose to a document
_MEETINGS = 50  # look-ups per allowed pair after which a search is given up as too slow
_BLOCK = 1_500_000  # values, or pairs, handled together; bounds the working memory to some 200 MB
_MOST_HOLDERS = 0xFFFF  # higher numbers of holders are stored as this number
_MOST_AFTER = 0xFFFF  # likewise for higher numbers of values that follow in a document
_LOCAL = 1 << 16  # documents ordered together: their number takes 16 bits of the sorted key
_MARKS = 1 << 22  # entries of the table that marks the values of some documents
_LOW = np.uint64(0xFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd


@dataclass(frozen=True, slots=True)
class Passages:
    """Pairs that share passages.

    keys:     uint64 (m,), left << 32 | right, ascending, left < right.
    complete: False if some shingle is in too many documents for all pairs of them to be considered.
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
    """Find all pairs of documents in which the larger set contains at least `share` (0 < share <= 1) of the smaller.

    shingles: the values are used as uint32.
    asked:    bool (n,), at least one document of each pair is among these; None: all documents.
    Some of the pairs share less than `share`. If there are more than `most` pairs, as among many fillings of one form,
    a shingle proposes to each document only some of the next larger ones that contain it, so that groups of similar
    documents stay connected. Raises Stopped.
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
class _Sets:
    """Value sets that are complete below one bound, stored as in Shingles.

    documents:      int64 (n,), the rows among all documents.
    asked, longest: bool (n,), a pair has at least one document of each kind.
    holders:        uint16 (total,), the number of documents that contain each value.
    """

    documents: NDArray[np.int64]
    asked: NDArray[np.bool_]
    longest: NDArray[np.bool_]
    values: NDArray[np.uint32]
    starts: NDArray[np.int64]
    holders: NDArray[np.uint16]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """int64 (n,), values of each document."""
        return np.diff(self.starts)


def _levels(shingles: Shingles) -> NDArray[np.int64]:
    """Return for each document the least j such that all its values below 2^(32 - j) are stored: int64 (n,).

    0: all are.
    """
    complete = np.log2(limits_of(shingles).astype(np.float64) + 1)
    return np.where(shingles.whole, 0, 32 - np.floor(complete)).astype(np.int64)


def _below(
    shingles: Shingles, holders: NDArray[np.uint16], levels: NDArray[np.int64], level: int, asked: NDArray[np.bool_]
) -> _Sets:
    """Return the sets of all documents up to a level, without the values for which this level is incomplete."""
    documents = np.flatnonzero(levels <= level)
    if level == 0 and len(documents) == len(levels):
        return _Sets(documents, asked, np.ones(len(asked), np.bool_), shingles.values, shingles.starts, holders)
    limits = np.full(len(documents), (1 << (32 - level)) - 1, np.uint32)
    sizes = sizes_up_to(shingles, documents, limits)
    starts = starts_of(sizes)
    chosen = np.repeat(shingles.starts[documents] - starts[:-1], sizes) + np.arange(starts[-1])
    longest = levels[documents] == level
    return _Sets(documents, asked[documents], longest, shingles.values[chosen], starts, holders[chosen])


def _needed(sizes: NDArray[np.int64], share: float, *, exact: bool) -> NDArray[np.int64]:
    """Return how many of its values a document at least shares with one that contains `share` of it: int64 (n,)."""
    least = share * sizes - (0 if exact else ERRORS * np.sqrt(share * (1 - share) * sizes))
    return np.maximum(1, np.ceil(least - 1e-9)).astype(np.int64)


def _part_count(values: NDArray[np.uint32]) -> int:
    """Return into how many parts the values are divided, a power of two."""
    return 1 << max(0, -(-len(values) // _BLOCK) - 1).bit_length()


def _parts(values: NDArray[np.uint32]) -> Iterator[NDArray[np.intp]]:
    """Yield the positions of the values in parts of about _BLOCK; equal values are in the same part."""
    count = _part_count(values)
    for remainder in range(count):
        yield np.flatnonzero((values & np.uint32(count - 1)) == remainder)


def _holders(values: NDArray[np.uint32], reporter: Reporter) -> NDArray[np.uint16]:
    """Count the documents that contain each value: uint16 (total,), at most _MOST_HOLDERS."""
    holders = np.empty(len(values), np.uint16)
    for positions in _parts(values):
        reporter.check()
        keys = pair_keys(values[positions], positions)
        keys.sort()
        lengths = runs(keys >> np.uint64(32))[1]
        holders[(keys & _LOW).astype(np.int64)] = np.repeat(
            np.minimum(lengths, _MOST_HOLDERS).astype(np.uint16), lengths
        )
    return holders


def _after(sets: _Sets) -> NDArray[np.uint16]:
    """Count the values of the document from each value on, itself included, in order of rarity: uint16 (total,).

    0 for values that occur in one document only.
    """
    after = np.zeros(len(sets.values), np.uint16)
    sizes, start = sets.sizes, 0
    while start < len(sizes):
        stop = int(np.searchsorted(sets.starts, sets.starts[start] + _BLOCK, side="right")) - 1
        stop = min(max(stop, start + 1), start + _LOCAL)
        begin, end = int(sets.starts[start]), int(sets.starts[stop])
        owners = np.repeat(np.arange(stop - start, dtype=np.uint64), sizes[start:stop])
        holders = sets.holders[begin:end]
        keys = owners << np.uint64(48) | holders.astype(np.uint64) << np.uint64(32)
        keys |= np.arange(end - begin, dtype=np.uint64)
        keys.sort()
        positions = (keys & _LOW).astype(np.int64)
        ends = np.repeat(sets.starts[start + 1 : stop + 1] - begin, sizes[start:stop])
        used = holders[positions] > 1
        after[begin + positions[used]] = np.minimum(ends - np.arange(end - begin), _MOST_AFTER)[used]
        start = stop
    return after


def _pairs_of(sets: _Sets, share: float, *, exact: bool, limits: _Limits, reporter: Reporter) -> NDArray[np.uint64]:
    """Return the pairs among some sets, as `passage_pairs` does. Raises _TooMany."""
    after, needed = _after(sets) * _may_meet(sets), np.minimum(_needed(sets.sizes, share, exact=exact), _MOST_AFTER)
    order, meetings = _order(sets), 0
    everyone = bool(sets.asked.all() and sets.longest.all())
    keys = [np.empty(0, np.uint64)]
    for number, part in enumerate(_parts(sets.values)):
        reporter.tell(Progress(Stage.MATCH, number, _part_count(sets.values)))
        positions = part[after[part] > 0]
        owners = np.searchsorted(sets.starts, positions, side="right") - 1
        ranked = np.argsort(sets.values[positions].astype(np.uint64) << np.uint64(32) | order[owners])
        positions, owners = positions[ranked], owners[ranked]
        useful = _not_redundant(sets.values[positions], owners, after[positions])
        positions, owners = positions[useful], owners[useful]
        for smaller, larger in _meetings(sets.values[positions], after[positions], needed[owners], limits.partners):
            reporter.check()
            meetings += len(smaller)
            left, right = owners[smaller], owners[larger]
            if not everyone:
                wanted = (sets.asked[left] | sets.asked[right]) & (sets.longest[left] | sets.longest[right])
                left, right = left[wanted], right[wanted]
            keys = _appended(keys, pair_keys(left, right))
            limits.check(len(keys[0]), meetings)
    pairs = _distinct(keys)
    limits.check(len(pairs), meetings)
    left, right = (sets.documents[(side & _LOW).astype(np.int64)] for side in (pairs >> np.uint64(32), pairs))
    distinct = left != right  # different shingles of a document may be equal when shortened
    return np.sort(pair_keys(np.minimum(left, right), np.maximum(left, right))[distinct])


def _not_redundant(
    values: NDArray[np.uint32], owners: NDArray[np.intp], after: NDArray[np.uint16]
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


def _may_meet(sets: _Sets) -> NDArray[np.bool_]:
    """Tell which values may occur in an asked document: bool (total,). True for all that do and for few others."""
    if sets.asked.all():
        return np.ones(len(sets.values), np.bool_)
    low = sets.values & np.uint32(_MARKS - 1)
    marked = np.zeros(_MARKS, np.bool_)
    marked[low[np.repeat(sets.asked, sets.sizes)]] = True
    may_meet: NDArray[np.bool_] = marked[low]
    return may_meet


def _order(sets: _Sets) -> NDArray[np.uint64]:
    """Return the rank of each document by its size, ascending: uint64 (n,).

    Documents of equal size are ordered by their smallest values, so that the order of files has no effect.
    """
    first = np.zeros(len(sets.sizes), np.uint32)
    not_empty = sets.sizes > 0
    first[not_empty] = sets.values[sets.starts[:-1][not_empty]]
    order = np.empty(len(first), np.uint64)
    order[np.lexsort((first, sets.sizes))] = np.arange(len(first))
    return order


def _meetings(
    values: NDArray[np.uint32], after: NDArray[np.uint16], needed: NDArray[np.int64], partners: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the positions of equal values in a smaller and a larger document that may share enough, block by block.

    values: ascending; equal values are ordered by the size of their documents. after: as `_after` returns.
    needed: how many values the document of each value must share.
    """
    begins, lengths = runs(values)
    following = np.minimum(np.repeat(begins + lengths, lengths) - np.arange(len(values)) - 1, partners)
    first = np.flatnonzero((after >= needed) & (following > 0))
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
        yield smaller[enough], larger[enough]
        start = stop


def _appended(keys: list[NDArray[np.uint64]], more: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Append keys, and merge all of them when those after the first array take much memory."""
    keys = [*keys, _distinct([more])]
    return [_distinct(keys)] if sum(map(len, keys[1:])) > _BLOCK else keys


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
