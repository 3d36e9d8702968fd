"""Boilerplate: passages that stand in many documents which have nothing else in common, found in their sketches.

The shingles of one passage stand in the same documents, so they share their first few holders in any fixed order of
the documents; that gathers them in blocks. A block is boilerplate when its holders fall into many groups once
everything that nearly all of them hold is set aside. A hundred letters above one legal notice do; a hundred versions of
one contract do not: without the passages that all of them have, they still share what changed only in some.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter, Silent
from dupfinder.cluster.own import begins_of, standing_in, together
from dupfinder.cluster.verify import Shingles

LEAST_GROUPS = 10  # of documents with different content of their own; fewer are told apart as fillings of a form
GROUPS_SHARE = 2000  # in larger libraries a passage stands in one document of so many at least
LEAST_VALUES = 16  # shingles of a block: 20 words, a sentence or two
LEAST_SAMPLED = 4  # where so many values are there that only one in `step` is looked at
MOST_VALUES = 16_000_000  # looked at; with their holders 128 MB
MOST_BLOCKS = 2000  # looked into, those with the most holders first
NEARLY_ALL = 0.9  # of the holders: what so many have is the passage, or stands beside it everywhere
NEW_FOR_OLD = 4  # shingles of his own that one has for each that he lacks of it; in a version they replace one another
LEAST_STEADY = 0.5  # of the holders, that have all of it or much else; the others are versions of one text
SAME_GROUP = 0.4  # of what is left of the smaller of two documents, found in the other
LEAST_LEFT = 8  # shingles; a document of which less is left makes no group of its own
_BLOCK = 8_000_000  # values looked at together
_SAMPLE = 96  # holders that are compared with one another
_COMPARED = 2048  # values of two documents that are compared
_FIRST_LOOK = 16  # holders of them that are compared first: versions are known by few
_FIRST_GROUPS = 3  # that they fall into where the sample may have enough
_HOLDING = 0.8  # of a block's values, that a holder has: damage and cuts aside
_VALUES = 32  # of a block, that tell its holders
_WITNESSES = 4  # two to read, and two for when these cannot be read
_HOLDERS = 4096  # of a value, that are looked at
_SAME_HOLDERS = 0.75  # of two blocks' sampled holders, from which the two are one passage


@dataclass(frozen=True, slots=True)
class Block:
    """Shingles that stand together in many documents.

    values:    uint32 (v,), ascending, upper halves of shingles; one in `step` of those of the passage.
    holders:   int64 (h,), documents that hold them, in the fixed order; the first _SAMPLE of them.
    witnesses: holders of different groups, two at least: what two of them have in common of it is the passage.
    """

    values: NDArray[np.uint32]
    holders: NDArray[np.int64]
    witnesses: tuple[int, ...]
    step: int


def find_blocks(
    shingles: Shingles,
    parts: Shingles,
    order: NDArray[np.int64],
    parts_step: int,
    reporter: Reporter | None = None,
) -> list[Block]:
    """The blocks that are boilerplate, those with most holders and values first. Raises Stopped.

    shingles: MIN_s sketches of n documents, uint32. parts: MOD_m sketches of the same, their upper halves.
    parts_step: m.
    order:    int64 (n,), all rows, by what the documents say alone, so that neither names nor reading decide.
    """
    reporter = reporter or Silent()
    # Of two holders of a passage the one whose sketch is whole tells more.
    order = np.concatenate((order[shingles.whole[order]], order[~shingles.whole[order]]))
    table = _Table.of(shingles, parts, order)
    found: list[Block] = []
    refused = list(table.blocks())
    known = np.empty(0, np.uint32)
    for _ in range(2):  # what was refused for another passage beside it is looked at again without that one
        again = []
        looked: _Looked = {}
        for values in refused:
            reporter.check()
            holders, groups = _holders_and_groups(shingles, order[table.holders(values)], known, looked)
            if len(groups) < LEAST_GROUPS:
                again.append(values)
            else:
                step = table.step if shingles.whole[groups[0]] else parts_step
                found.append(Block(values, holders[:_SAMPLE], tuple(groups[:_WITNESSES]), step))
        if not found or not again:
            break
        refused, known = again, together([block.values for block in found])
    return _merged(found)


_Looked = dict[bytes, tuple[int, list[int]]]


class _Table:
    """The values that stand in many documents, each with its holders as places in the order, ascending.

    values: uint32 (v,); holders of value i: places[starts[i]:starts[i + 1]], uint32. One value in `step` was looked at.
    sampled: the place from which sketches are not whole: of those documents only the sampled parts are there.
    """

    def __init__(
        self, values: NDArray[np.uint32], starts: NDArray[np.int64], places: NDArray[np.uint32], step: int, sampled: int
    ) -> None:
        self.values, self.starts, self.places, self.step, self.sampled = values, starts, places, step, sampled

    @classmethod
    def of(cls, shingles: Shingles, parts: Shingles, order: NDArray[np.int64]) -> _Table:
        """From whole sets their values, of larger documents the sampled parts: those of all of their text."""
        place = np.empty(len(order), np.uint32)
        place[order] = np.arange(len(order), dtype=np.uint32)
        step = 1
        while len(shingles.values) > step * MOST_VALUES:
            step *= 2
        keys = np.concatenate((_keys(shingles, shingles.whole, place, step), _keys(parts, ~shingles.whole, place, 1)))
        keys.sort()
        values = (keys >> np.uint64(32)).astype(np.uint32)
        begins = begins_of(values)
        lengths = np.diff(np.append(begins, len(keys)))
        many = lengths >= max(LEAST_GROUPS, len(order) // GROUPS_SHARE)
        chosen = np.repeat(many, lengths)
        starts = np.concatenate(([0], np.cumsum(lengths[many]))).astype(np.int64)
        return cls(values[begins[many]], starts, keys[chosen].astype(np.uint32), step, int(shingles.whole.sum()))

    def blocks(self) -> Iterator[NDArray[np.uint32]]:
        """Values with the same first three holders, where there are enough of them; those with most holders first."""
        if not len(self.values):
            return
        least = LEAST_VALUES if self.step == 1 else max(LEAST_SAMPLED, LEAST_VALUES // self.step)
        first, second, third = (self.places[self.starts[:-1] + shift] for shift in range(3))
        ranked = np.lexsort((self.values, third, second, first))
        changes = np.zeros(len(ranked), np.bool_)
        changes[0] = True
        for column in (first[ranked], second[ranked], third[ranked]):
            changes[1:] |= column[1:] != column[:-1]
        begins = np.flatnonzero(changes)
        sizes = np.diff(np.append(begins, len(ranked)))
        most = np.maximum.reduceat(np.diff(self.starts)[ranked], begins)
        large = np.flatnonzero(sizes >= np.where(first[ranked[begins]] < self.sampled, least, LEAST_SAMPLED))
        for block in large[np.lexsort((-sizes[large], -most[large]))][:MOST_BLOCKS].tolist():
            yield self.values[ranked[begins[block] : begins[block] + sizes[block]]]

    def holders(self, values: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Places of the documents that hold most of a block, ascending."""
        some = values[:: max(1, len(values) // _VALUES)]
        rows = np.searchsorted(self.values, some).tolist()
        runs = [self.places[self.starts[row] : min(self.starts[row + 1], self.starts[row] + _HOLDERS)] for row in rows]
        places = np.sort(np.concatenate(runs))
        begins = begins_of(places)
        counts = np.diff(np.append(begins, len(places)))
        return places[begins[counts >= _HOLDING * len(some)]]


def _keys(shingles: Shingles, wanted: NDArray[np.bool_], place: NDArray[np.uint32], step: int) -> NDArray[np.uint64]:
    """value << 32 | place of its holder, of one value in `step` of the wanted documents, uint64, unsorted."""
    found = [np.empty(0, np.uint64)]
    for start in range(0, len(shingles.values), _BLOCK):
        values = shingles.values[start : start + _BLOCK]
        chosen = np.flatnonzero(values & values.dtype.type(step - 1) == 0) if step > 1 else np.arange(len(values))
        owners = np.searchsorted(shingles.starts, chosen + start, side="right") - 1
        inside = wanted[owners]
        found.append(values[chosen[inside]].astype(np.uint64) << np.uint64(32) | place[owners[inside]])
    return np.concatenate(found)


def _holders_and_groups(
    shingles: Shingles, holders: NDArray[np.int64], known: NDArray[np.uint32], looked: _Looked
) -> tuple[NDArray[np.int64], list[int]]:
    """The holders of a block that have something else to say, and some that are unlike one another; the fewer, the
    fewer groups there are, LEAST_GROUPS or more of boilerplate alone. looked: the same first holders may come again."""
    whole = holders[shingles.whole[holders]]
    holders = whole if len(whole) >= LEAST_GROUPS else holders
    first = holders[:_FIRST_LOOK].tobytes()
    if first not in looked:
        looked[first] = _groups(shingles, holders[:_FIRST_LOOK], known)
    common, groups = looked[first]
    # Whoever holds little more is a licence by itself or a blank form. There may be many of them among the holders.
    lengths = shingles.starts[holders + 1] - shingles.starts[holders]
    larger = holders[(lengths >= common + LEAST_LEFT) | ~shingles.whole[holders]]
    if not groups or len(larger) < LEAST_GROUPS:
        return holders, []
    if len(_groups(shingles, larger[:_FIRST_LOOK], known)[1]) < _FIRST_GROUPS:
        return larger, []
    return larger, _groups(shingles, larger[:_SAMPLE], known)[1]


def _groups(shingles: Shingles, documents: NDArray[np.int64], known: NDArray[np.uint32]) -> tuple[int, list[int]]:
    """How many values nearly all hold, and the first documents of which no two are alike without those and the known.

    Where most of the documents lack some of what nearly all have, and have little else for it, they are versions of one
    another: there is no group then. All that have little else and lack nothing are alike.
    """
    sets = [shingles.values[shingles.starts[row] : shingles.starts[row + 1]] for row in documents.tolist()]
    cut = [values[-1] for values, row in zip(sets, documents.tolist(), strict=True) if not shingles.whole[row]]
    if cut:  # up to the smallest of their last values everything of all is known
        sets = [values[: np.searchsorted(values, min(cut), side="right")] for values in sets]
    values, owners = np.concatenate(sets), np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    ranked = np.argsort(values, kind="stable")
    values, owners = values[ranked], owners[ranked]
    begins = begins_of(values)
    lengths = np.diff(np.append(begins, len(values)))
    numbers = np.repeat(np.arange(len(begins)), lengths)
    held = np.zeros((len(sets), len(begins)), np.bool_)
    held[owners, numbers] = True
    common = lengths >= NEARLY_ALL * len(sets)
    lacking = np.count_nonzero(~held[:, common], axis=1)
    steady = (lacking == 0) | (np.count_nonzero(held[:, ~common], axis=1) >= LEAST_LEFT + NEW_FOR_OLD * lacking)
    if steady.sum() < max(2, LEAST_STEADY * len(sets)):
        return 0, []
    rest = held[steady][:, ~common & ~np.isin(values[begins], known, assume_unique=True)]
    left = np.count_nonzero(rest, axis=1)
    shared = np.flatnonzero(np.count_nonzero(rest, axis=0) > 1)
    some = rest[:, shared[:_COMPARED]].astype(np.float32)  # values are like drawn by lot: the first speak for all
    both = some @ some.T * max(1.0, len(shared) / _COMPARED)
    alike = both >= np.maximum(SAME_GROUP * np.minimum(left[:, None], left[None, :]), LEAST_LEFT)
    bare = left < LEAST_LEFT
    alike |= bare[:, None] & bare[None, :]
    seen = np.zeros(len(left), np.bool_)
    firsts = []
    for place in range(len(left)):
        if not seen[place]:
            firsts.append(place)
            seen |= alike[place]
    return int(common.sum()), documents[steady][firsts].tolist()


def _merged(blocks: list[Block]) -> list[Block]:
    """Blocks with nearly the same holders as one: damage in a holder parts a passage in two."""
    kept: list[Block] = []
    for block in blocks:
        for place, other in enumerate(kept):
            common = len(np.intersect1d(block.holders, other.holders, assume_unique=True))
            if common >= _SAME_HOLDERS * (len(block.holders) + len(other.holders) - common):
                values = np.union1d(block.values, other.values)
                kept[place] = Block(values, other.holders, other.witnesses, other.step)
                break
        else:
            kept.append(block)
    return kept


def holders_of(shingles: Shingles, parts: Shingles, passages: list[NDArray[np.uint32]]) -> list[NDArray[np.intp]]:
    """The documents that hold most of each passage (its shingles' upper halves, ascending), ascending.

    Of documents whose sketch is not whole the sampled parts are asked: they are of all of the text.
    """
    if not passages:
        return []
    every = together(passages)
    met = []
    for sketch, wanted in ((shingles, shingles.whole), (parts, ~shingles.whole)):
        places = standing_in(sketch.values, every)
        owners = np.searchsorted(sketch.starts, places, side="right") - 1
        inside = wanted[owners]
        met.append((sketch.values[places[inside]], owners[inside]))
    # What may be met in sampled parts: the values that some document has there.
    sampled = together([parts.values[standing_in(parts.values, every)]])
    found = []
    for values in passages:
        counts = [np.bincount(owners[np.isin(held, values)], minlength=len(shingles.whole)) for held, owners in met]
        asked = max(1, int(np.isin(values, sampled, assume_unique=True).sum()))
        found.append(np.flatnonzero((counts[0] >= _HOLDING * len(values)) | (counts[1] >= _HOLDING * asked)))
    return found
