"""From stored documents to verified pairs: candidates of fingerprints and sketches, then their likeness."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.cluster.candidates import is_among, sketch_pairs, union
from dupfinder.cluster.forms import filled_forms
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import widest_radius
from dupfinder.index.tables import join
from dupfinder.library.library import Library
from dupfinder.library.rows import READ, Documents

# Pairs less alike than this are strangers whatever the person chooses; they are counted, not kept.
LEAST_RESEMBLANCE = 0.2
LEAST_CONTAINMENT = 0.5


@dataclass(frozen=True, slots=True)
class Budget:
    """What the widest radius may cost: seconds of matching, and candidate pairs."""

    seconds: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Matched:
    """What matching found. strangers: int64 (65,), candidate pairs that were not kept, by distance."""

    pairs: Pairs
    likeness: Likeness
    widest: int
    strangers: NDArray[np.int64]


def copy_hashes(documents: Documents) -> NDArray[np.uint64]:
    """What makes two documents copies, uint64 (n, 2): the text where there is one to compare, else the bytes.

    Empty files have neither: nobody means one by the other.
    """
    text = documents.text_hash.copy()
    readable = np.fromiter((status == READ for status in documents.status), np.bool_, len(documents))
    text[~readable] = 0
    by_bytes = ~text.any(axis=1) & (documents.size > 0)
    text[by_bytes] = documents.content_hash[by_bytes]
    return text


def match(library: Library, documents: Documents, budget: Budget, reporter: Reporter) -> Matched:
    """All verified pairs among documents that are no copies of one another. Raises Stopped."""
    copies = representatives(copy_hashes(documents))
    chosen = np.flatnonzero(documents.comparable & (copies == np.arange(len(documents))))
    fingerprints = documents.fingerprint[chosen]
    reporter.tell(Progress(Stage.MATCH, 0, len(chosen)))
    choice = widest_radius(fingerprints, seconds=budget.seconds, pairs=budget.pairs)
    near = join(fingerprints, choice.radius, reporter=reporter)
    parts = library.sketches(documents.ids[chosen], parts=True)
    held = np.diff(parts.starts)
    sketched = sketch_pairs(parts.values, parts.starts, np.maximum(2, held // 4), reporter=reporter)
    candidates = union(near, sketched, fingerprints)
    reporter.check()
    reporter.tell(Progress(Stage.VERIFY, 0, len(candidates)))
    sketches = library.sketches(documents.ids[chosen])
    shingles = Shingles.of(sketches.values, sketches.starts, documents.shingles[chosen])
    likeness = verify(candidates, shingles, reporter)
    likeness = replace(
        likeness,
        sketched=is_among(candidates, sketched),
        form=filled_forms(candidates, likeness, shingles, reporter),
    )
    contained = np.maximum(likeness.left_in_right, likeness.right_in_left)
    kept = (likeness.resemblance >= LEAST_RESEMBLANCE) | (contained >= LEAST_CONTAINMENT)
    strangers = np.bincount(candidates.distance[~kept], minlength=65).astype(np.int64)
    pairs = candidates.take(kept)
    rows = Pairs(chosen[pairs.left].astype(np.uint32), chosen[pairs.right].astype(np.uint32), pairs.distance)
    return Matched(rows, likeness.take(kept), choice.radius, strangers)
