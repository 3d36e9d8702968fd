"""All pairs of documents whose sketches are alike, from a file of sketches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.fingerprint.sketch import containment, min_resemblance, resemblance
from dupfinder.index.prints import Sketched
from dupfinder.index.sketch_pairs import sketch_pairs

Columns = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]


def join_sketches(
    sketches: Sketched, least: float, reporter: Reporter | None = None, *, parts: bool = False
) -> Columns:
    """(left, right, likeness) of all pairs that are alike by at least `least`, 0 to 1, sorted by (left, right).

    Likeness is resemblance; with `parts`, which MOD_m alone tells, the larger containment; of super-shingles, whose
    pairs are candidates, the number in common. Raises Stopped.
    """
    count = len(sketches.starts) - 1
    pairs = sketch_pairs(
        sketches.values, sketches.starts, np.ones(count, np.int64), most_holders=count + 1, reporter=reporter
    )
    if sketches.kind == "super":
        return pairs.left, pairs.right, pairs.shared.astype(np.float64)
    sets = [sketches.values[a:b] for a, b in zip(sketches.starts[:-1], sketches.starts[1:], strict=True)]
    alike = np.empty(len(pairs.left))
    for row, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        one, other = sets[left], sets[right]
        if parts:
            alike[row] = max(containment(one, other), containment(other, one))
        else:
            alike[row] = (
                min_resemblance(one, other, sketches.size) if sketches.kind == "min" else resemblance(one, other)
            )
    enough = alike >= least
    return pairs.left[enough], pairs.right[enough], alike[enough]
