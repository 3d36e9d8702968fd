"""Filled-in forms: documents that share a form and differ in what was filled in are no versions of one another.

Three documents tell them apart. Versions and edited copies differ in different places, so any two of the three share
something that the third lacks. Fillings of one form differ in the same places, each with its own words, so what two
of them share all of them share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter, Silent
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.verify import Shingles
from dupfinder.index.pairs import Pairs

# Of what one of three has for itself, that two may share without the third, as the middle of one, of two, or of more
# thirds: versions reach 0.33 among many, and one third in some hundreds comes down to 0.12. A form that was filled in
# but twice is not seen: nothing tells it from two versions.
MOST_SHARED = (0.1, 0.15, 0.25)
LEAST_OWN_OF_FEW = 40  # shingles that three have for themselves, where only one or two thirds bear it out
SAME_FORM = 3  # fillings that two have in common, to be of that form as well
NEIGHBOUR = 0.4  # resemblance from which a document can bear it out
LEAST_OWN = 8  # of what the three have for themselves, each has at least one part in so many
NEARLY_EQUAL = 0.97  # above it too little differs to tell
_NEIGHBOURS = 24  # looked at around each document, the most alike first
_SAMPLE = 512  # smallest shingle values compared of each document


def filled_forms(
    pairs: Pairs, likeness: Likeness, shingles: Shingles, reporter: Reporter | None = None
) -> NDArray[np.bool_]:
    """Which pairs are two fillings of one form, bool (m,). Pairs are sorted by (left, right). Raises Stopped."""
    reporter = reporter or Silent()
    found = np.zeros(len(pairs), np.bool_)
    close = likeness.resemblance >= NEIGHBOUR
    suspects = np.flatnonzero(close & (likeness.resemblance < NEARLY_EQUAL))
    around = _Neighbours(pairs, likeness.resemblance, close, len(shingles.whole))
    for number, (start, stop) in enumerate(_runs(pairs.left[suspects])):
        if number % 64 == 0:
            reporter.check()
        rows = suspects[start:stop]
        centre = int(pairs.left[rows[0]])
        neighbours = around.of(centre)
        if len(neighbours) < 2:
            continue
        place = {document: index for index, document in enumerate(neighbours.tolist())}
        told = [(row, place[int(pairs.right[row])]) for row in rows.tolist() if int(pairs.right[row]) in place]
        if told:
            forms = _forms_around(_membership(shingles, [centre, *neighbours.tolist()]))
            for row, index in told:
                found[row] = forms[index]
    return found | _of_known_forms(pairs, suspects, found)


def _of_known_forms(pairs: Pairs, suspects: NDArray[np.intp], found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Suspect pairs of which both are fillings of one form with the same others, bool (m,): where by chance much of
    what was filled in agrees, the pair alone does not show it."""
    fillings: dict[int, set[int]] = {}
    for one, other in zip(pairs.left[found].tolist(), pairs.right[found].tolist(), strict=True):
        fillings.setdefault(one, set()).add(other)
        fillings.setdefault(other, set()).add(one)
    known = np.zeros(len(pairs), np.bool_)
    for row in suspects.tolist():
        one, other = fillings.get(int(pairs.left[row])), fillings.get(int(pairs.right[row]))
        known[row] = one is not None and other is not None and len(one & other) >= SAME_FORM
    return known


class _Neighbours:
    """The documents most alike each one, at most _NEIGHBOURS."""

    def __init__(self, pairs: Pairs, resemblance: NDArray[np.float32], close: NDArray[np.bool_], count: int) -> None:
        here = np.concatenate((pairs.left[close], pairs.right[close]))
        there = np.concatenate((pairs.right[close], pairs.left[close]))
        alike = np.concatenate((resemblance[close],) * 2)
        order = np.lexsort((there, -alike, here))
        self._there = there[order]
        self._starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(here, minlength=count), out=self._starts[1:])

    def of(self, document: int) -> NDArray[np.uint32]:
        begin, end = self._starts[document], self._starts[document + 1]
        return self._there[begin : min(end, begin + _NEIGHBOURS)]


def _runs(left: NDArray[np.uint32]) -> list[tuple[int, int]]:
    bounds = np.flatnonzero(np.diff(left.astype(np.int64), prepend=-1, append=-1)) if len(left) else np.zeros(1, int)
    return list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))


def _membership(shingles: Shingles, documents: list[int]) -> NDArray[np.uint64]:
    """Which document has which of the sampled shingles, a bit each, uint64 (documents, values / 64).

    All are cut at the same value, below which everything of each is known.
    """
    kept = [shingles.values[shingles.starts[row] : shingles.starts[row + 1]] for row in documents]
    ends = [values[min(len(values), _SAMPLE) - 1] for values, row in zip(kept, documents, strict=True)
            if len(values) > _SAMPLE or not shingles.whole[row]]  # fmt: skip
    if ends:
        limit = min(ends)
        kept = [values[: np.searchsorted(values, limit, side="right")] for values in kept]
    every = np.sort(np.concatenate(kept))
    every = every[np.append(True, every[1:] != every[:-1])] if len(every) else every
    table = np.zeros((len(kept), -(-len(every) // 64) * 64), np.bool_)
    for row, values in enumerate(kept):
        table[row, np.searchsorted(every, values)] = True
    return np.packbits(table, axis=1).view(np.uint64)


def _forms_around(table: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """For each neighbour of the document in row 0: whether the two are fillings of one form, bool (neighbours,)."""
    shared, three = _overlaps(table), _overlaps(table[1:] & table[0])
    size, one = np.diag(shared)[1:], shared[0, 1:]
    two = shared[1:, 1:]
    only_two = one[:, None] + one[None, :] + two - 3 * three
    mine = shared[0, 0] - one[:, None] - one[None, :] + three
    theirs = size[:, None] - one[:, None] - two + three
    own = mine + theirs + theirs.T
    # Every filling has words of its own: a part of a longer text has none.
    each = np.minimum(mine, np.minimum(theirs, theirs.T)) * LEAST_OWN >= own
    alike = (two >= NEIGHBOUR * (size[:, None] + size[None, :] - two)) & each
    np.fill_diagonal(alike, False)
    thirds = alike.sum(axis=1)
    few = (thirds < len(MOST_SHARED))[:, None]
    alike &= ~few | (own >= LEAST_OWN_OF_FEW)
    thirds = alike.sum(axis=1)
    ratio = np.where(alike, only_two / np.maximum(own, 1), np.inf)
    most = np.array((0.0, *MOST_SHARED))[np.minimum(thirds, len(MOST_SHARED))]
    forms: NDArray[np.bool_] = _medians(ratio, thirds) < most
    return forms


def _overlaps(table: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many values each two rows share, int64 (rows, rows)."""
    both: NDArray[np.int64] = np.bitwise_count(table[:, None] & table[None, :]).sum(axis=2, dtype=np.int64)
    return both


def _medians(values: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The median of the `counts` smallest values of each row, float64 (rows,); infinite for a count of 0."""
    ranked = np.sort(values, axis=1)
    rows = np.arange(len(values))
    low, high = ranked[rows, np.maximum(counts - 1, 0) // 2], ranked[rows, counts // 2]
    middle: NDArray[np.float64] = (low + high) / 2
    return middle
