"""From stored documents to verified pairs: candidates of fingerprints and sketches, then their likeness."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY
from dupfinder.cluster.candidates import SketchPairs, both, is_among, sketch_pairs, union
from dupfinder.cluster.forms import filled_forms
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.own import Own, own_likeness, own_parts, own_shingles
from dupfinder.cluster.scattered import LEAST_RUNS, scattered_edits
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scatter import SIZE as SCATTER_SIZE
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import widest_radius
from dupfinder.library.library import Library, Sketch, Sketches
from dupfinder.library.rows import READ, Documents
from dupfinder.scan.bounded import bounded_join
from dupfinder.scan.broken import broken_pairs

# Pairs less alike than this are strangers whatever the person chooses; they are counted, not kept.
LEAST_RESEMBLANCE = 0.2
LEAST_CONTAINMENT = 0.5
PAIRS_OVER = 2  # the number of pairs is estimated from a sample: up to so many times the budget are taken
_NOTHING: NDArray[np.uint64] = np.empty(0, np.uint64)
ASKED_PARTS = 10  # one in so many of a document's sampled shingles makes a candidate


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


@dataclass(frozen=True, slots=True)
class Proposed:
    """The candidates of both sources, as pairs of rows of `chosen`.

    chosen: int64 (c,), the documents that are compared: of copies the first alone. widest: bits looked at.
    parts:  MOD_m sketches of the chosen.
    """

    chosen: NDArray[np.intp]
    near: Pairs
    sketched: SketchPairs
    together: Pairs
    widest: int
    parts: Sketches


def propose(library: Library, documents: Documents, budget: Budget, reporter: Reporter) -> Proposed:
    """Candidate pairs from fingerprints within the widest radius and from sketches. Raises Stopped."""
    hashes = copy_hashes(documents)
    chosen = compared(documents)
    fingerprints = documents.fingerprint[chosen]
    reporter.tell(Progress(Stage.MATCH, 0, len(chosen)))
    choice = widest_radius(fingerprints, seconds=budget.seconds, pairs=budget.pairs)
    near, widest = bounded_join(fingerprints, hashes[chosen], choice.radius, PAIRS_OVER * budget.pairs, reporter)
    parts = library.sketches(documents.ids[chosen], Sketch.PARTS)
    sketched = both(
        _sharing_parts(parts.values, parts.starts, reporter), broken_pairs(library, documents, chosen, reporter)
    )
    return Proposed(chosen, near, sketched, union(near, sketched, fingerprints), widest, parts)


def _sharing_parts(
    values: NDArray[np.unsignedinteger[Any]], starts: NDArray[np.int64], reporter: Reporter
) -> SketchPairs:
    return sketch_pairs(values, starts, np.maximum(2, np.diff(starts) // ASKED_PARTS), reporter=reporter)


def compared(documents: Documents) -> NDArray[np.intp]:
    """The rows that are compared: of copies the first alone, ascending."""
    copies = representatives(copy_hashes(documents))
    return np.flatnonzero(documents.comparable & (copies == np.arange(len(documents))))


def shingles_of(library: Library, documents: Documents, chosen: NDArray[np.intp]) -> Shingles:
    """The kept shingles of some rows."""
    sketches = library.sketches(documents.ids[chosen])
    return Shingles.of(sketches.values, sketches.starts, documents.shingles[chosen])


def match(
    library: Library,
    documents: Documents,
    budget: Budget,
    reporter: Reporter,
    left_out: NDArray[np.uint64] = _NOTHING,
) -> Matched:
    """All verified pairs among documents that are no copies of one another. Raises Stopped.

    left_out: shingles of boilerplate, ascending. What only several documents show (forms), or other sketches (scattered
    edits), is told from the whole texts; how alike two are, from what is their own.
    """
    proposed = propose(library, documents, budget, reporter)
    chosen = proposed.chosen
    shingles = shingles_of(library, documents, chosen)
    own = None
    if len(left_out):
        own = own_shingles(shingles, documents.shingles[chosen], upper_halves(left_out))
        proposed = _widened(proposed, own, left_out, documents.fingerprint[chosen], reporter)
    candidates = proposed.together
    reporter.check()
    reporter.tell(Progress(Stage.VERIFY, 0, len(candidates)))
    likeness = _likeness(library, documents, chosen, candidates, shingles, reporter)
    # What resembles as much would be proposed by sketches, were its passages not in so many documents.
    alike = (likeness.resemblance >= DEFAULT_MIN_SIMILARITY) | likeness.scattered
    likeness = replace(likeness, sketched=is_among(candidates, proposed.sketched) | alike)
    if own is not None:
        likeness = own_likeness(likeness, candidates, own, (LEAST_RESEMBLANCE, LEAST_CONTAINMENT), reporter)
    contained = np.maximum(likeness.left_in_right, likeness.right_in_left)
    kept = (likeness.resemblance >= LEAST_RESEMBLANCE) | (contained >= LEAST_CONTAINMENT) | likeness.scattered
    strangers = np.bincount(candidates.distance[~kept], minlength=65).astype(np.int64)
    pairs = candidates.take(kept)
    rows = Pairs(chosen[pairs.left].astype(np.uint32), chosen[pairs.right].astype(np.uint32), pairs.distance)
    return Matched(rows, likeness.take(kept), proposed.widest, strangers)


def upper_halves(values: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The upper halves of ascending shingles, as MIN_s sketches keep them, ascending, each once."""
    halves = (values >> np.uint64(32)).astype(np.uint32)
    return halves[np.concatenate(([True], halves[1:] != halves[:-1]))] if len(halves) else halves


def _widened(
    proposed: Proposed, own: Own, left_out: NDArray[np.uint64], fingerprints: NDArray[np.uint64], reporter: Reporter
) -> Proposed:
    """With the candidates whose own parts are shared: one letter under the heads of two firms."""
    parts = Shingles(proposed.parts.values, proposed.parts.starts, own.changed)
    found = _sharing_parts(*own_parts(parts, left_out, own.bare), reporter)
    both = union(_as_pairs(proposed.sketched), found, fingerprints)
    sketched = SketchPairs(both.left, both.right, np.empty(0, np.int32), proposed.sketched.dropped)
    return replace(proposed, sketched=sketched, together=union(proposed.together, found, fingerprints))


def _as_pairs(sketched: SketchPairs) -> Pairs:
    return Pairs(sketched.left, sketched.right, np.zeros(len(sketched.left), np.uint8))


def _likeness(
    library: Library,
    documents: Documents,
    chosen: NDArray[np.intp],
    pairs: Pairs,
    shingles: Shingles,
    reporter: Reporter,
) -> Likeness:
    """The likeness of pairs of rows of `chosen`, with what only several documents or other sketches show."""
    likeness = verify(pairs, shingles, reporter)
    forms = filled_forms(pairs, likeness, shingles, reporter)
    # Only pairs that resemblance refuses, though runs of them are shared, need the other sketches.
    shared = np.maximum(likeness.left_in_right, likeness.right_in_left)
    open_pairs = np.flatnonzero((shared >= LEAST_RUNS) & (likeness.resemblance < DEFAULT_MIN_SIMILARITY))
    scattered = np.zeros(len(pairs), np.bool_)
    if len(open_pairs):
        some = pairs.take(open_pairs)
        others = []
        for kind in (Sketch.NEIGHBOURS, Sketch.BAG):
            found = library.sketches(documents.ids[chosen], kind)
            others.append(verify(some, scatter_sets(found.values, found.starts), reporter))
        words, runs = documents.words[chosen], documents.shingles[chosen]
        lengths, held = (words[some.left], words[some.right]), (runs[some.left], runs[some.right])
        open_likeness, (neighbours, bags) = likeness.take(open_pairs), others
        scattered[open_pairs] = scattered_edits(open_likeness, neighbours, bags, lengths, held, Scheme().shingle)
    return replace(likeness, form=forms, scattered=scattered)


def scatter_sets(values: NDArray[np.unsignedinteger[Any]], starts: NDArray[np.int64]) -> Shingles:
    """Sketches of neighbours or bags: whole where they are smaller than they may be."""
    kept = np.diff(starts)
    return Shingles.of(values, starts, np.where(kept < SCATTER_SIZE, kept, np.iinfo(np.int64).max))


def are_scattered(left: TextPrint, right: TextPrint, shingle: int) -> bool:
    """Whether two texts are one under scattered edits, by the rule that matching uses."""
    pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.zeros(1, np.uint8))
    likes: list[Likeness] = []
    for one, other in ((left.sketch, right.sketch), (left.neighbours, right.neighbours), (left.bag, right.bag)):
        values, starts = np.concatenate((one, other)), np.array([0, len(one), len(one) + len(other)], np.int64)
        whole = Shingles.of(values, starts, np.array([left.shingles, right.shingles], np.int64))
        likes.append(verify(pair, scatter_sets(values, starts) if likes else whole))
    words = (np.array([left.words], np.int32), np.array([right.words], np.int32))
    runs = (np.array([left.shingles], np.int64), np.array([right.shingles], np.int64))
    return bool(scattered_edits(likes[0], likes[1], likes[2], words, runs, shingle)[0])
