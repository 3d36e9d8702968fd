"""Candidates among texts of which edits leave little whole: short ones, and those whose tokens are characters.

A fifth of the characters moved leaves one run of five in ten, and of a short text so few that a sample of one in
twenty-five holds none. The smallest shingles of both tell: a tenth of the runs in common is a tenth of those.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.cluster.candidates import SketchPairs, sketch_pairs
from dupfinder.library.library import Library
from dupfinder.library.rows import Documents

SMALLEST = 200  # shingles compared of each document; a text of no more is short, whatever its language
CHARACTERS = ("zh", "ja")  # languages whose tokens are single characters
LEAST_SHARED = 3
ASKED = 20  # one in so many of them makes a candidate; strangers of a language share one in fifty
_AT_ONCE = 10_000  # documents


def broken_pairs(library: Library, documents: Documents, chosen: NDArray[np.intp], reporter: Reporter) -> SketchPairs:
    """The pairs, as pairs of places in `chosen`, that share enough of their smallest shingles. Raises Stopped."""
    known = np.fromiter((language in CHARACTERS for language in documents.language), np.bool_, len(documents))
    places = np.flatnonzero(known[chosen] | (documents.shingles[chosen] <= SMALLEST))
    values: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    sizes: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
    for start in range(0, len(places), _AT_ONCE):
        found = library.sketches(documents.ids[chosen[places[start : start + _AT_ONCE]]])
        held = np.diff(found.starts)
        rank = np.arange(found.starts[-1]) - np.repeat(found.starts[:-1], held)
        values.append(found.values[rank < SMALLEST].astype(np.uint32))
        sizes.append(np.minimum(held, SMALLEST))
    kept = np.concatenate(sizes)
    least = np.maximum(LEAST_SHARED, kept[1:] // ASKED)
    found_pairs = sketch_pairs(np.concatenate(values), np.cumsum(kept), least, reporter=reporter)
    left, right = places[found_pairs.left].astype(np.uint32), places[found_pairs.right].astype(np.uint32)
    return SketchPairs(left, right, found_pairs.shared, found_pairs.dropped)
