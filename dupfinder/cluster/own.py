"""What documents say of their own: their shingles without those of boilerplate.

Leaving a set B out of MIN_s(A) leaves the smallest values of A without B, and all of them up to the largest value that
was kept of A; likewise for MOD_m. So nothing has to be read again for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.verify import Shingles, Values, limits_of, verify
from dupfinder.fingerprint.sketch import containment, resemblance
from dupfinder.index.pairs import Pairs

LEAST_OWN = 8  # shingles: a body of four words between a head and a foot has so many
BARE_SHARE = 0.03  # of a document: with less, and less than MOST_OWN shingles, it is a blank form or a licence
LITTLE_SHARE = 0.1  # with less, and less than MOST_OWN shingles, it may be one
MOST_OWN = 32
SAME_LITTLE = 0.6  # of the little that one has, found in the other: the same licence, with another year above it
_SLACK = 1.25  # shares are estimates where sketches are not whole
_BLOCK = 8_000_000  # values looked at together
_MARKS = 1 << 20  # places of the table of marks: one value in so many strangers is looked up in vain


@dataclass(frozen=True, slots=True)
class Own:
    """The shingles of n documents without boilerplate.

    shingles: those that are left. changed: bool (n,), something was left out.
    bare:     bool (n,), too little is left to compare: licences, blank forms, a name under a printed letter.
    little:   bool (n,), bare or nearly: the line above a licence that names its holder.
    share:    float32 (n,), the part of each document that is left.
    """

    shingles: Shingles
    changed: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    little: NDArray[np.bool_]
    share: NDArray[np.float32]


def together(sets: Sequence[Values]) -> Values:
    """The values of several sets, one at least, ascending, each once."""
    ordered = np.sort(np.concatenate(sets))
    return ordered[begins_of(ordered)]


def begins_of(ordered: NDArray[Any]) -> NDArray[np.intp]:
    """Where the runs of equal values begin, of ascending ones."""
    if not len(ordered):
        return np.empty(0, np.intp)
    return np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))


def standing_in(values: Values, wanted: Values) -> NDArray[np.intp]:
    """Where the values are among the wanted ones (ascending), ascending. Strangers cost one access to a table."""
    if not len(wanted):
        return np.empty(0, np.intp)
    marks = np.zeros(_MARKS, np.bool_)
    # By their upper bits: ascending values go through the table in its order.
    shift = values.dtype.type(8 * values.dtype.itemsize - _MARKS.bit_length() + 1)
    marks[wanted >> shift] = True
    blocks = range(0, len(values), _BLOCK)
    met = [np.flatnonzero(marks[values[start : start + _BLOCK] >> shift]) + start for start in blocks]
    found = np.concatenate([np.empty(0, np.intp), *met])
    places = np.minimum(np.searchsorted(wanted, values[found]), len(wanted) - 1)
    standing: NDArray[np.intp] = found[wanted[places] == values[found]]
    return standing


def own_shingles(shingles: Shingles, lengths: NDArray[np.int64], left_out: Values) -> Own:
    """What is left of each document. lengths: int64 (n,), distinct shingles of each; left_out: ascending."""
    gone = standing_in(shingles.values, left_out)
    kept, starts, lost = _without(shingles, gone)
    held = np.diff(shingles.starts)
    share = np.divide(held - lost, held, out=np.ones(len(held), np.float32), where=held > 0, casting="unsafe")
    own = np.rint(share * lengths)
    bare, little = (
        (own < np.clip(most * lengths, LEAST_OWN, MOST_OWN)) & (lost > 0) for most in (BARE_SHARE, LITTLE_SHARE)
    )
    return Own(Shingles(kept, starts, shingles.whole, limits_of(shingles)), lost > 0, bare, little, share)


def own_parts(parts: Shingles, left_out: Values, bare: NDArray[np.bool_]) -> tuple[Values, NDArray[np.int64]]:
    """MOD_m sketches without boilerplate, as values and starts; those of bare documents stay whole."""
    gone = standing_in(parts.values, left_out)
    owners = np.searchsorted(parts.starts, gone, side="right") - 1
    kept, starts, _ = _without(parts, gone[~bare[owners]])
    return kept, starts


def _without(shingles: Shingles, gone: NDArray[np.intp]) -> tuple[Values, NDArray[np.int64], NDArray[np.int64]]:
    """The values but those at these places (ascending), their starts, and how many each document lost."""
    kept = np.delete(shingles.values, gone)
    lost = np.diff(np.searchsorted(gone, shingles.starts))
    starts = shingles.starts.copy()
    starts[1:] -= np.cumsum(lost)
    return kept, starts, lost.astype(np.int64)


def own_likeness(
    likeness: Likeness, pairs: Pairs, own: Own, least: tuple[float, float], reporter: Reporter | None = None
) -> Likeness:
    """The likeness of pairs with boilerplate left out. Raises Stopped.

    least: resemblance and containment below which a pair is of no interest; it keeps the numbers that it has.

    Two bare documents are compared whole, so that licences and blank forms find their copies; so are two that have
    little and mostly the same. A bare one and another are compared by what is left: nothing of a licence stands in a
    text that carries it, as far as content goes.
    """
    changed = own.changed[pairs.left] | own.changed[pairs.right]
    changed &= ~(own.bare[pairs.left] & own.bare[pairs.right])
    rows = np.flatnonzero(changed & _may_be_alike(likeness, pairs, own, least))
    if not len(rows):
        return likeness
    found = verify(pairs.take(rows), own.shingles, reporter)
    same = np.maximum(found.left_in_right, found.right_in_left) >= SAME_LITTLE
    apart = ~(same & own.little[pairs.left[rows]] & own.little[pairs.right[rows]])
    rows, found = rows[apart], found.take(apart)
    if not len(rows):
        return likeness
    columns = {}
    for name in ("resemblance", "left_in_right", "right_in_left"):
        column = getattr(likeness, name).copy()
        column[rows] = getattr(found, name)
        columns[name] = column
    return replace(likeness, **columns)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two whole texts, compared as matching compares their sketches.

    resemblance, left_in_right, right_in_left: 0..1. left_out: which part of each was left out, (0, 0) where the two
    were compared whole.
    """

    resemblance: float
    left_in_right: float
    right_in_left: float
    left_out: tuple[float, float] = (0.0, 0.0)


def compare_sets(left: NDArray[np.uint64], right: NDArray[np.uint64], left_out: NDArray[np.uint64]) -> Compared:
    """Compare two whole shingle sets without boilerplate; all ascending."""
    plain = Compared(resemblance(left, right), containment(left, right), containment(right, left))
    if not len(left_out):
        return plain
    sizes = np.array([len(left), len(right)], np.int64)
    shingles = Shingles(np.concatenate((left, right)), np.concatenate(([0], np.cumsum(sizes))), np.ones(2, np.bool_))
    pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.zeros(1, np.uint8))
    whole = verify(pair, shingles)
    own = own_shingles(shingles, sizes, left_out)
    found = own_likeness(whole, pair, own, (0.0, 0.0))
    if found.resemblance is whole.resemblance:
        return plain
    columns = (found.resemblance, found.left_in_right, found.right_in_left)
    alike, forth, back = (round(float(column[0]), 6) for column in columns)
    return Compared(alike, forth, back, (1 - float(own.share[0]), 1 - float(own.share[1])))


def _may_be_alike(likeness: Likeness, pairs: Pairs, own: Own, least: tuple[float, float]) -> NDArray[np.bool_]:
    """Which pairs can reach a least resemblance or containment, bool (m,).

    What is shared can only become less, so that a share grows at most as the document becomes smaller.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        left = likeness.left_in_right / own.share[pairs.left] * _SLACK
        right = likeness.right_in_left / own.share[pairs.right] * _SLACK
    hopeless: NDArray[np.bool_] = (np.minimum(left, right) < least[0]) & (np.maximum(left, right) < least[1])
    return ~hopeless
