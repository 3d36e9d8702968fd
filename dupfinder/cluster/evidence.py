"""Evidence: what is measured of candidate pairs, from the sketches and traces of their documents.

The same function measures the pairs of a scan, a text and the documents among which it is looked up, and two files just
before one of them is removed. So the same two texts have the same numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, row_mask, runs
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.alignment import (
    LEAST_ALIGNED,
    NEARLY_ALL,
    SharedTraces,
    Traces,
    align,
    have_same_rows,
    nearly_as_long,
    reaching,
)
from dupfinder.cluster.relation import (
    LEAST_CONTAINMENT,
    LEAST_SCATTERED,
    LEAST_SIMILARITY,
    Difference,
    Evidence,
    Shares,
    scattered_similarity,
)
from dupfinder.cluster.verify import SharedShingles, Shingles, verify
from dupfinder.diff.matching import CELLS_PER_SECOND, EXACT_CELLS
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.sketch import TextPrint, shared, shingle_set
from dupfinder.fingerprint.tokens import Trace
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew

_PORTION_SECONDS: Final = 0.2  # of processor time for a portion; whether to stop is asked between two
_PAIR_SECONDS: Final = 2e-5  # for a pair of short texts
_WORD_SECONDS: Final = 1e-7  # for each word of two long texts, which are compared only between equal stretches
_BLOCK: Final = 1_000_000  # pairs split into portions together; bounds the working memory
LONG: Final = 1 << 16  # words; a longer text is not aligned, and shares of two longer texts stay estimates


@dataclass(frozen=True, slots=True)
class Prints:
    """The sketches and traces of n documents, by which pairs are measured.

    shingles: MIN_s sketches. traces: the words in their order. width: tokens of a shingle.
    """

    shingles: Shingles
    traces: Traces
    width: int

    @classmethod
    def of(cls, prints: list[TextPrint], width: int) -> Prints:
        shingle_counts = np.array([text.shingles for text in prints], np.int64)
        shingles = Shingles.sketched(Ragged.of_entries([text.values() for text in prints], np.uint32), shingle_counts)
        traces = Ragged.of_entries([text.trace for text in prints], np.uint16)
        words = np.array([text.words for text in prints], np.int64)
        return cls(shingles, Traces(traces.values, traces.starts, words), width)


@dataclass(frozen=True, slots=True)
class SharedPrints:
    """Prints that all processes of a crew can read. The fields are as in Prints."""

    shingles: SharedShingles
    traces: SharedTraces
    width: int

    def take(self, documents: NDArray[np.integer[Any]]) -> Prints:
        """Return the prints of some documents, in this order, as a copy."""
        return Prints(self.shingles.take(documents), self.traces.take(documents), self.width)


@dataclass(frozen=True, slots=True)
class _MeasureTask:
    """Some candidate pairs to be measured; see `measure`."""

    pairs: Pairs
    prints: SharedPrints
    radius: int


def measure_shared(
    pairs: Pairs, prints: SharedPrints, radius: int, crew: Crew, reporter: Reporter
) -> tuple[NDArray[np.bool_], Evidence]:
    """Measure candidate pairs as `measure` does, in portions that the processes of a crew share. Raises Stopped.

    Return which pairs are related, bool (m,), and the evidence of these.
    """
    related, count = np.zeros(len(pairs), np.bool_), 0
    columns = {name: crew.reserve(len(pairs), dtype) for name, dtype in Evidence.dtypes().items()}
    slices = list(_portions(pairs, prints.traces.words.array()))
    tasks = (_MeasureTask(pairs.take(portion), prints, radius) for portion in slices)
    for portion, (rows, measured) in zip(slices, crew.run(_measured, tasks, reporter.check), strict=True):
        reporter.tell(Progress(Stage.VERIFY, portion.start, len(pairs)))
        related[portion.start + rows] = True
        for name, column in columns.items():
            column.put(count, getattr(measured, name))
        count += len(rows)
    filled: dict[str, NDArray[Any]] = {}
    for name in Evidence.dtypes():  # one after the other, so that no two are in memory twice
        column = columns.pop(name)
        filled[name] = np.array(column.array()[:count])
        crew.discard(column)
    return related, Evidence(**filled)


def _portions(pairs: Pairs, words: NDArray[np.int64]) -> Iterator[slice]:
    """Yield portions of all pairs that take about _PORTION_SECONDS each."""
    for first in range(0, len(pairs), _BLOCK):
        block = pairs.take(slice(first, first + _BLOCK))
        cells = np.minimum(words[block.left] * words[block.right], EXACT_CELLS)
        of_long = (words[block.left] + words[block.right]) * _WORD_SECONDS * (cells == EXACT_CELLS)
        seconds = np.cumsum(cells / CELLS_PER_SECOND + of_long + _PAIR_SECONDS)
        begins, lengths = runs((seconds // _PORTION_SECONDS).astype(np.int64))
        for begin, length in zip((first + begins).tolist(), lengths.tolist(), strict=True):
            yield slice(begin, begin + length)


def _measured(task: _MeasureTask) -> tuple[NDArray[np.intp], Evidence]:
    documents, pairs = task.pairs.of_own_rows()
    return measure(pairs, task.prints.take(documents), task.radius)


def measure(pairs: Pairs, prints: Prints, radius: int) -> tuple[NDArray[np.intp], Evidence]:
    """Measure candidate pairs. Return the rows of those that are related, intp (r,), ascending, and their evidence.

    radius: bits within which pairs of fingerprints are candidates for scattered edits.
    These are the pairs that some demand may show: as versions, as part and whole, or as fillings of one form.
    """
    shares = verify(pairs, prints.shingles)
    contained = np.maximum(shares.left_in_right, shares.right_in_left)
    margin = 3 * shares.error  # an estimate below a limit by less than this may be above it when measured exactly
    is_version = shares.resemblance + margin >= LEAST_SIMILARITY
    is_part = contained + margin >= LEAST_CONTAINMENT
    maybe_scattered = (pairs.distance <= radius) & (shares.resemblance + margin >= LEAST_SCATTERED)
    rows = np.flatnonzero(is_version | is_part | maybe_scattered)
    pairs = pairs.take(rows)
    shares = _exact(pairs, shares.take(rows), prints)
    evidence = _aligned(pairs, shares, prints, radius)
    related = np.flatnonzero(may_be_shown(evidence))
    return rows[related], evidence.take(related)


def may_be_shown(evidence: Evidence) -> NDArray[np.bool_]:
    """Tell which pairs may be shown under some demand: bool (m,)."""
    contained = np.maximum(evidence.left_in_right, evidence.right_in_left)
    similar = np.maximum(evidence.resemblance, scattered_similarity(evidence))
    return (similar >= LEAST_SIMILARITY) | (contained >= LEAST_CONTAINMENT)


def compare(left: TextPrint, right: TextPrint, width: int) -> tuple[Pairs, Evidence]:
    """Return the pair of two texts and its evidence as by `measure`, even if `measure` would leave the pair out."""
    distance = np.array([(left.fingerprint ^ right.fingerprint).bit_count()], np.uint8)
    pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), distance)
    prints = Prints.of([left, right], width)
    shares = _exact(pair, verify(pair, prints.shingles), prints)
    return pair, _aligned(pair, shares, prints, MAX_RADIUS)


def _exact(pairs: Pairs, shares: Shares, prints: Prints) -> Shares:
    """Replace the estimated shares by exact ones where both traces are complete, and one text is not long."""
    whole, words = prints.traces.whole, prints.traces.words
    is_short = np.minimum(words[pairs.left], words[pairs.right]) <= LONG
    rows = np.flatnonzero((shares.error > 0) & whole[pairs.left] & whole[pairs.right] & is_short)
    if not len(rows):
        return shares
    columns = [shares.resemblance.copy(), shares.left_in_right.copy(), shares.right_in_left.copy(), shares.error.copy()]
    left_is_longer = words[pairs.left] > words[pairs.right]
    longer, shorter = np.where(left_is_longer, (pairs.left, pairs.right), (pairs.right, pairs.left))
    rows = rows[np.argsort(longer[rows], kind="stable")]  # a book's shingles are found once for all of its chapters
    current, longer_set = -1, np.empty(0, np.uint64)
    for row in rows.tolist():
        if longer[row] != current:
            current, longer_set = int(longer[row]), _shingles_of(prints.traces.of(int(longer[row])), prints.width)
        shorter_set = _shingles_of(prints.traces.of(int(shorter[row])), prints.width)
        common = shared(longer_set, shorter_set)
        of_longer, of_shorter = common / len(longer_set), common / len(shorter_set)
        of_left, of_right = (of_longer, of_shorter) if left_is_longer[row] else (of_shorter, of_longer)
        exact = (common / (len(longer_set) + len(shorter_set) - common), of_left, of_right, 0)
        for column, value in zip(columns, exact, strict=True):
            column[row] = value
    return Shares(*columns)


def _shingles_of(trace: Trace, width: int) -> Hashes:
    """Return the shingle set of a trace, of codes in place of words: uint64 (m,).

    Codes are shorter than hashes of words, but two shingles of other words very rarely have the same codes.
    """
    return shingle_set(trace.astype(np.uint64), width)


def _aligned(pairs: Pairs, shares: Shares, prints: Prints, radius: int) -> Evidence:
    """Return the evidence of pairs.

    Those that are similar, or may be so under scattered edits, are aligned word by word.
    """
    count, traces = len(pairs), prints.traces
    aligned, run = np.full(count, -1, np.float32), np.zeros(count, np.float32)
    changes, difference = np.zeros(count, np.int32), np.full(count, Difference.UNKNOWN, np.uint8)
    similar = shares.resemblance >= LEAST_SIMILARITY
    maybe_scattered = shares.half_shared | (pairs.distance <= radius)
    maybe_scattered &= shares.resemblance >= LEAST_SCATTERED
    is_alignable = traces.whole & (traces.words <= LONG)
    to_align = (similar | maybe_scattered) & is_alignable[pairs.left] & is_alignable[pairs.right]
    as_long = nearly_as_long(np.array((traces.words[pairs.left], traces.words[pairs.right])))
    in_both = np.minimum(shares.left_in_right, shares.right_in_left)  # a shared shingle holds `width` words at most
    rows = np.flatnonzero(to_align & as_long & ~shares.half_shared & (in_both * prints.width >= NEARLY_ALL))
    of_rows = row_mask(count, rows[have_same_rows(traces, pairs.left[rows], pairs.right[rows], prints.width)])
    may_be_sorted = shares.half_shared & as_long | of_rows
    rows = np.flatnonzero(to_align & ~similar & ~may_be_sorted)  # of words that were read well, half are enough
    to_align[rows] = reaching(traces, pairs.left[rows], pairs.right[rows], LEAST_SIMILARITY)
    rows = np.flatnonzero(to_align)
    columns = align(traces, pairs.left[rows], pairs.right[rows], (shares.half_shared | of_rows)[rows])
    are_alike = similar[rows] | (columns[0] >= LEAST_ALIGNED)
    rows = rows[are_alike]
    aligned[rows], changes[rows], run[rows], difference[rows] = (column[are_alike] for column in columns)
    return Evidence(
        shares.resemblance, shares.left_in_right, shares.right_in_left, shares.error,
        aligned, changes, run, difference, np.zeros(count, np.bool_),
    )  # fmt: skip
