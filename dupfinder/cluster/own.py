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
from dupfinder.index.pairs import Pairs

LEAST_OWN = 8  # shingles: a body of four words between a head and a foot has so many
MOST_OWN_SHARE = 0.03  # of a document: who has less of his own, and less than MOST_OWN, is a form or a licence
MOST_OWN = 32
_MARKS = 1 << 20  # places of the table of marks: one value in so many strangers is looked up in vain


@dataclass(frozen=True, slots=True)
class Own:
    """The shingles of n documents without boilerplate.

    shingles: those that are left. changed: bool (n,), something was left out.
    bare:     bool (n,), too little is left to compare: licences, blank forms, a name under a printed letter.
    """

    shingles: Shingles
    changed: NDArray[np.bool_]
    bare: NDArray[np.bool_]


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
    mask = values.dtype.type(_MARKS - 1)
    # The upper bits: small values have none of their own, and what is divisible shows in the lower ones.
    shift = values.dtype.type(8 * values.dtype.itemsize - 20)
    marks[wanted >> shift & mask] = True
    met: NDArray[np.intp] = np.flatnonzero(marks[values >> shift & mask])
    places = np.minimum(np.searchsorted(wanted, values[met]), len(wanted) - 1)
    found: NDArray[np.intp] = met[wanted[places] == values[met]]
    return found


def own_shingles(shingles: Shingles, lengths: NDArray[np.int64], left_out: Values) -> Own:
    """What is left of each document. lengths: int64 (n,), distinct shingles of each; left_out: ascending."""
    gone = standing_in(shingles.values, left_out)
    kept, starts, lost = _without(shingles, gone)
    held = np.diff(shingles.starts)
    share = np.divide(held - lost, held, out=np.ones(len(held)), where=held > 0)
    own = np.rint(share * lengths)
    bare = (own < np.clip(MOST_OWN_SHARE * lengths, LEAST_OWN, MOST_OWN)) & (lost > 0)
    return Own(Shingles(kept, starts, shingles.whole, limits_of(shingles)), lost > 0, bare)


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


def own_likeness(likeness: Likeness, pairs: Pairs, own: Own, reporter: Reporter | None = None) -> Likeness:
    """The likeness of pairs with boilerplate left out. Raises Stopped.

    Two bare documents are compared whole, so that licences and blank forms find their copies. A bare one and another
    are compared by what is left: nothing of a licence stands in a text that carries it, as far as content goes.
    """
    changed = own.changed[pairs.left] | own.changed[pairs.right]
    rows = np.flatnonzero(changed & ~(own.bare[pairs.left] & own.bare[pairs.right]))
    if not len(rows):
        return likeness
    found = verify(pairs.take(rows), own.shingles, reporter)
    columns = {}
    for name in ("resemblance", "left_in_right", "right_in_left"):
        column = getattr(likeness, name).copy()
        column[rows] = getattr(found, name)
        columns[name] = column
    return replace(likeness, **columns)
