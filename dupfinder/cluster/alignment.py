"""Align two traces: what share of words they have in the same order, where they differ, and in what way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.base.columns import Ints, Ragged, distinct, positions_in, runs, starts_of
from dupfinder.cluster.relation import LEAST_CHANGES, LEAST_SIMILARITY, Difference
from dupfinder.diff.matching import EXACT_CELLS, EqualRun, WorkBudget, longest_common_runs, matching_runs, sequence_of
from dupfinder.fingerprint.sketch import shingle_hashes
from dupfinder.fingerprint.tokens import NUMBER_BIT, Trace, are_alike, are_single
from dupfinder.processes.crew import Shared, SharedRagged

FILL: Final = 15  # most words of a short replacement, such as a date, a name and an address filled into a form
SHORT_SHARE: Final = 0.8  # share of changed words in short replacements; 1 in measured forms, 0.04 to 0.41 in versions
# Fifths of a word. Words have 1.6 characters in Chinese on average, 2 in Japanese, 2.5 in Hindi, 3 in Korean and Thai.
WORD, SINGLE_CHARACTER = 5, 2
CHANCE_WORDS: Final = 2  # words; so few equal words between two changes, such as "of a", may be equal by chance
NEARLY_ALL: Final = 0.97  # share of words; if no more are new, 5 shingles each, resemblance is above 0.7 or words moved
LEAST_ALIGNED: Final = 2 * LEAST_SIMILARITY / (1 + LEAST_SIMILARITY)  # LEAST_SIMILARITY as a share of words
MOST_CELLS: Final = 400_000_000  # word pairs compared at most: a quarter of a second


@dataclass(frozen=True, slots=True)
class Traces(Ragged):
    """The traces of n documents: uint16.

    words: int64 (n,), words of each document; a trace with fewer values is incomplete and is not aligned.
    """

    words: NDArray[np.int64]

    def of(self, row: int) -> Trace:
        """Return the trace of a document: uint16 (words,); empty if it is incomplete."""
        trace = self[row]
        return trace if len(trace) == self.words[row] else trace[:0]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """bool (n,), which documents have a complete trace."""
        whole: NDArray[np.bool_] = (self.lengths > 0) & (self.lengths == self.words)
        return whole


@dataclass(frozen=True, slots=True)
class SharedTraces(SharedRagged):
    """Traces that all processes of a crew can read. The fields are as in Traces."""

    words: Shared

    def take(self, documents: Ints) -> Traces:
        """Return the traces of some documents, in this order, as a copy."""
        traces = self.take_ragged(documents)
        return Traces(traces.values, traces.starts, self.words.array()[documents])


@dataclass(frozen=True, slots=True)
class Gaps:
    """Where the texts of n pairs differ: left words i0:i1 are replaced by right words j0:j1; words between are equal.

    pair, i0, i1, j0, j1: int64 (g,), ascending; pair: the row of the pair. matched: int64 (n,), equal words in the
    same order; -1 where the texts were not aligned, because that would compare more than MOST_CELLS word pairs or a
    trace is empty.
    """

    pair: NDArray[np.int64]
    i0: NDArray[np.int64]
    i1: NDArray[np.int64]
    j0: NDArray[np.int64]
    j1: NDArray[np.int64]
    matched: NDArray[np.int64]

    def lists(self) -> Iterator[list[tuple[int, int, int, int]]]:
        """Yield (i0, i1, j0, j1) of the gaps of each pair."""
        gaps = list(zip(*(side.tolist() for side in (self.i0, self.i1, self.j0, self.j1)), strict=True))
        bounds = np.searchsorted(self.pair, np.arange(len(self.matched) + 1)).tolist()
        return (gaps[start:stop] for start, stop in pairwise(bounds))

    def of_pairs(self, amounts: Ints | NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the sum over the gaps of each pair: int64 (n,). amounts: (g,)."""
        return np.bincount(self.pair, amounts, len(self.matched)).astype(np.int64)


def align(
    traces: Traces, left: Ints, right: Ints, may_be_sorted: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.uint8]]:
    """Return (aligned, changes, run, difference) of some pairs of documents, as in Evidence.

    may_be_sorted: bool (n,), pairs of which words in any order may count; see Evidence.changes.
    Gaps count as one change where only few equal words separate them, since these may be equal by chance.
    """
    gaps = gaps_of(traces, left, right)
    weights = np.maximum(gaps.i1 - gaps.i0, gaps.j1 - gaps.j0)
    count, words = gaps.of_pairs(weights > 0), gaps.of_pairs(weights)
    replaced = np.minimum(gaps.i1 - gaps.i0, gaps.j1 - gaps.j0)
    misread = _misread(gaps, traces, left, right)
    of_scan = gaps.of_pairs(np.where(replaced > 0, weights, 1)) - misread  # a lost line is one change of one word
    run = np.where(misread > 0, np.maximum(of_scan, count), _words(gaps, traces, left, right)) / np.maximum(count, 1)
    is_aligned, lengths = gaps.matched >= 0, traces.lengths[left] + traces.lengths[right]
    aligned = np.divide(2 * (gaps.matched + misread), lengths, out=np.full(len(left), -1.0), where=is_aligned)
    anyhow = _in_any_order(gaps, traces, left, right, may_be_sorted & (aligned < LEAST_ALIGNED))
    aligned, run = np.where(anyhow > 0, (anyhow, np.zeros_like(run)), (aligned, run))
    chance = (np.diff(gaps.pair) == 0) & (gaps.i0[1:] - gaps.i1[:-1] <= CHANCE_WORDS)
    changes = np.where(anyhow > 0, 0, count - np.bincount(gaps.pair[1:][chance], minlength=len(left)))
    are_numbers = gaps.of_pairs(_worded(gaps, traces, left, right)) == 0
    one_sided = (gaps.of_pairs(gaps.i1 > gaps.i0) == 0) | (gaps.of_pairs(gaps.j1 > gaps.j0) == 0)
    run = np.where(one_sided | _marked(gaps, traces, left, right), np.minimum(run, 1), run)
    continues = np.zeros(len(gaps.pair), np.bool_)
    continues[1:] = chance
    short = gaps.of_pairs(np.where(_are_short(gaps, continues), weights, 0))
    cases = (
        (~is_aligned, Difference.UNKNOWN),
        (count == 0, Difference.FORMAT),
        (are_numbers & ~one_sided, Difference.NUMBERS),
        (anyhow > 0, Difference.MIXED),
        (one_sided, Difference.ADDITIONS),
        (short >= SHORT_SHARE * words, Difference.SHORT),
    )
    difference = np.select([case for case, _ in cases], [kind for _, kind in cases], Difference.MIXED)
    return aligned, changes, run, difference.astype(np.uint8)


def _worded(gaps: Gaps, traces: Traces, left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Tell which gaps have words that are no numbers, on either side: bool (g,)."""
    worded: NDArray[np.bool_] = _most(gaps, traces, left, right, (traces.values & NUMBER_BIT) == 0) > 0
    return worded


def _marked(gaps: Gaps, traces: Traces, left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Tell in which pairs exactly one text has few different words at the gaps, one for LEAST_CHANGES: bool (n,).

    Such words are marks in place of what was taken out, as in a redacted copy: [REDACTED].
    """
    few, count = [], np.bincount(gaps.pair, minlength=len(left))
    for words in _at_gaps(gaps, traces, left, right, slice(None)):
        kinds, places = (np.bincount(each >> 16, minlength=len(left)) for each in (distinct(words)[0], words))
        few.append(LEAST_CHANGES * kinds <= np.maximum(places, count))
    marked: NDArray[np.bool_] = few[0] != few[1]
    return marked


def _at_gaps(
    gaps: Gaps, traces: Traces, left: Ints, right: Ints, chosen: NDArray[np.intp] | slice
) -> Iterator[NDArray[np.int64]]:
    """Yield the words of the left, then of the right texts at the chosen gaps: int64 (w,), pair << 16 | word."""
    for documents, begins, ends in ((left, gaps.i0, gaps.i1), (right, gaps.j0, gaps.j1)):
        sizes = (ends - begins)[chosen]
        pair = np.repeat(gaps.pair[chosen], sizes)
        within = np.arange(len(pair)) - np.repeat(starts_of(sizes)[:-1] - begins[chosen], sizes)
        yield pair << 16 | traces.values[traces.starts[documents[pair]] + within]


def _words(gaps: Gaps, traces: Traces, left: Ints, right: Ints) -> NDArray[np.float64]:
    """Return the words that are replaced in each pair, at least one at each gap: float64 (n,)."""
    tokens = np.where(are_single(traces.values), SINGLE_CHARACTER, WORD)
    return gaps.of_pairs(np.maximum(_most(gaps, traces, left, right, tokens), WORD)) / WORD


def _most(gaps: Gaps, traces: Traces, left: Ints, right: Ints, amounts: Ints | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the sum of amounts, one for each word of the traces, on the side of each gap that has more: int64 (g,)."""
    before = starts_of(amounts)
    left_start, right_start = traces.starts[left[gaps.pair]], traces.starts[right[gaps.pair]]
    of_left = before[left_start + gaps.i1] - before[left_start + gaps.i0]
    most: NDArray[np.int64] = np.maximum(of_left, before[right_start + gaps.j1] - before[right_start + gaps.j0])
    return most


def nearly_as_long(lengths: Ints) -> NDArray[np.bool_]:
    """Tell which pairs may have NEARLY_ALL words in common: bool (n,). lengths: (2, n), words of both texts."""
    as_long: NDArray[np.bool_] = 2 * lengths.min(axis=0) >= NEARLY_ALL * lengths.sum(axis=0)
    return as_long


def _in_any_order(
    gaps: Gaps, traces: Traces, left: Ints, right: Ints, wanted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the share of words that both texts of the wanted pairs, bool (n,), have in any order: float64 (n,).

    0 for other pairs, and where it is below NEARLY_ALL.
    """
    lengths = np.array((traces.lengths[left], traces.lengths[right]))
    may_be = wanted & (gaps.matched >= 0) & nearly_as_long(lengths)
    chosen = np.flatnonzero(may_be[gaps.pair])
    keys = []
    for words in _at_gaps(gaps, traces, left, right, chosen):
        ordered = np.sort(words)
        first, repeated = runs(ordered)
        again = np.arange(len(ordered)) - np.repeat(first, repeated)  # how often the word was before, in this text
        keys.append(ordered << 16 | np.minimum(again, 0xFFFF))
    moved = np.bincount(keys[0][positions_in(keys[1], keys[0])[1]] >> 32, minlength=len(wanted))
    shares = np.divide(2 * (gaps.matched + moved), lengths.sum(axis=0), out=np.zeros(len(wanted)), where=may_be)
    return np.where(shares >= NEARLY_ALL, shares, 0)


def _misread(gaps: Gaps, traces: Traces, left: Ints, right: Ints) -> NDArray[np.int64]:
    """Count the replaced words of each pair that are like those in their place: int64 (n,).

    0 where most are not, as in translations into a related language, or where half of the numbers differ, as in two
    fillings of a form that were both scanned.
    """
    sizes = np.minimum(gaps.i1 - gaps.i0, gaps.j1 - gaps.j0)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    offsets = np.arange(len(rows)) - starts_of(sizes)[rows]
    begins, ends = np.array((gaps.i0, gaps.j0)), np.array((gaps.i1, gaps.j1))
    for side, documents in enumerate((left, right)):
        begins[side] += traces.starts[documents[gaps.pair]]
        ends[side] += traces.starts[documents[gaps.pair]]
    from_start, from_end = traces.values[begins[:, rows] + offsets], traces.values[ends[:, rows] - 1 - offsets]
    alike = (np.bincount(rows, are_alike(*words), len(sizes)) for words in (from_start, from_end))
    count = gaps.of_pairs(np.maximum(*alike))
    before = starts_of(traces.values & NUMBER_BIT)  # how many numbers are before each word
    renumbered = np.minimum(*(gaps.of_pairs(of_gaps) for of_gaps in before[ends] - before[begins]))
    numbers = np.minimum(*(before[traces.starts[side + 1]] - before[traces.starts[side]] for side in (left, right)))
    replaced = gaps.of_pairs(sizes)
    are_misread = (2 * count >= replaced) & (count >= LEAST_CHANGES) & (2 * renumbered < np.maximum(numbers, 1))
    doubtful = are_misread & (4 * count < 3 * replaced)
    are_misread[doubtful] = _are_elsewhere(gaps, traces, left, right, doubtful)[doubtful]
    counted: NDArray[np.int64] = count * are_misread
    return counted


def _are_elsewhere(gaps: Gaps, traces: Traces, left: Ints, right: Ints, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for the wanted pairs, bool (n,), whether half of one text's words at the gaps are in the other: bool (n,).

    Only words that recur in their text count. One that is misread at one place is read at another. A translation lacks
    the words of the other language everywhere, though it has many that are like them.
    """
    elsewhere, rows = np.zeros(len(wanted), np.bool_), np.flatnonzero(wanted)
    texts = [traces.take(side[rows]) for side in (left, right)]
    ordered = [np.sort(text.per_value(rows << 16) | text.values) for text in texts]
    at_gaps = _at_gaps(gaps, traces, left, right, np.flatnonzero(wanted[gaps.pair]))
    for words, own, of_other in zip(at_gaps, ordered, ordered[::-1], strict=True):
        first, times = runs(own)
        recurring = words[positions_in(own[first[times > 1]], words)[1]]
        in_other = recurring[positions_in(of_other, recurring)[1]]
        count, shared = (np.bincount(each >> 16, minlength=len(wanted)) for each in (recurring, in_other))
        elsewhere |= 2 * shared >= np.maximum(1, count)
    return elsewhere & wanted


def _are_short(gaps: Gaps, continues: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which gaps are short replacements, or are so together with their neighbours: bool (g,).

    continues: bool (g,), gaps that follow the gap before and one or two equal words. A word that two names or dates
    share by chance, such as "Mr", divides a replacement into words that are left out and words that are inserted.
    """
    sizes = np.array((gaps.i1 - gaps.i0, gaps.j1 - gaps.j0))
    numbers = np.cumsum(~continues) - 1
    together = np.array([np.bincount(numbers, side) for side in sizes])
    alone, joined = ((words.min(axis=0) > 0) & (words.max(axis=0) <= FILL) for words in (sizes, together))
    are_short: NDArray[np.bool_] = alone | joined[numbers]
    return are_short


def gaps_of(traces: Traces, left: Ints, right: Ints) -> Gaps:
    """Return the gaps of the alignments of some pairs of documents.

    Where several alignments are equally good, the result does not depend on which text is left: the order of files
    must not affect decisions.
    """
    texts, sequences, sides = _texts_of(traces, left, right)
    keys = [(len(text), text.tobytes()) for text in texts]
    ranks = np.empty(len(texts), np.int64)
    ranks[sorted(range(len(texts)), key=keys.__getitem__)] = np.arange(len(texts))
    turned = ranks[sides[1]] < ranks[sides[0]]
    runs: list[EqualRun] = []
    sizes = []
    for first, second in np.where(turned, sides[::-1], sides).T.tolist():
        end, of_pair = (len(texts[first]), len(texts[second]), 0), []
        if 0 < end[0] * end[1] <= EXACT_CELLS:
            of_pair = [*longest_common_runs(sequences[first], sequences[second]), end]
        elif end[0]:
            work = WorkBudget(MOST_CELLS, math.inf)
            of_pair = [*matching_runs(texts[first], texts[second], work), end]
            of_pair = of_pair if work.complete else []
        runs += of_pair
        sizes.append(len(of_pair))
    flat = np.fromiter(chain.from_iterable(runs), np.int64, 3 * len(runs))
    return _gaps(flat.reshape(-1, 3), np.array(sizes, np.int64), turned)


def _texts_of(traces: Traces, left: Ints, right: Ints) -> tuple[list[Trace], list[Sequence[int] | str], Ints]:
    """Return the texts of some pairs, each once, also as RapidFuzz compares them, and the two of each pair: (2, n)."""
    rows, numbers = distinct(np.concatenate((left, right)))
    texts = [traces.of(row) for row in rows.tolist()]
    return texts, [sequence_of(text) for text in texts], numbers.reshape(2, -1)


def _gaps(runs: NDArray[np.int64], sizes: NDArray[np.int64], turned: NDArray[np.bool_]) -> Gaps:
    """Return the gaps before, between and after the runs of each pair.

    runs: int64 (r, 3), see `matching_runs`, and the end of both texts as the last of each pair.
    sizes: int64 (n,), runs of each pair; 0 if it was not aligned.
    turned: bool (n,), pairs of which the first text of the runs is the right one.
    """
    pair = np.repeat(np.arange(len(sizes)), sizes)
    sides = np.where(turned[pair], (runs[:, 1], runs[:, 0]), (runs[:, 0], runs[:, 1]))
    begins = np.zeros_like(sides)
    begins[:, 1:] = np.where(pair[1:] == pair[:-1], sides[:, :-1] + runs[:-1, 2], 0)
    matched = np.bincount(pair, runs[:, 2], len(sizes)).astype(np.int64)
    differ = np.flatnonzero((sides > begins).any(axis=0))
    (i0, j0), (i1, j1) = begins[:, differ], sides[:, differ]
    return Gaps(pair[differ], i0, i1, j0, j1, np.where(sizes > 0, matched, -1))


def reaching(traces: Traces, left: Ints, right: Ints, share: float) -> NDArray[np.bool_]:
    """Tell which pairs of texts have at least this share of their words in the same order: bool (n,).

    Faster than `align`. Of long texts, words in common, in any order, are counted first. False also for texts with more
    than MOST_CELLS pairs of words, which are not compared.
    """
    texts, sequences, sides = _texts_of(traces, left, right)
    reach = np.zeros(len(left), np.bool_)
    for number, (first, second) in enumerate(sides.T.tolist()):
        least = math.ceil(share * (len(texts[first]) + len(texts[second])) / 2)
        cells, possible = len(texts[first]) * len(texts[second]), least
        if EXACT_CELLS < cells <= MOST_CELLS:
            counts = (np.bincount(texts[side], minlength=1 << 16) for side in (first, second))
            possible = np.minimum(*counts).sum()
        if possible >= least and cells <= MOST_CELLS:
            reach[number] = LCSseq.similarity(sequences[first], sequences[second], score_cutoff=least) >= least
    return reach


def have_same_rows(traces: Traces, left: Ints, right: Ints, width: int) -> NDArray[np.bool_]:
    """Tell which pairs of texts have nearly all words in runs of `width` words that both have: bool (n,).

    So have lists of short lines that are sorted otherwise. The rosters of two weeks have the same words as well, but
    few runs.
    """
    same = np.zeros(len(left), np.bool_)
    for number, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        hashes = [shingle_hashes(traces.of(document).astype(np.uint64), width) for document in pair]
        shared = (np.isin(own, other) for own, other in (hashes, hashes[::-1]))
        covered = sum(np.count_nonzero(np.convolve(begins, np.ones(width, np.int64))) for begins in shared)
        same[number] = covered >= NEARLY_ALL * sum(traces.lengths[document] for document in pair)
    return same


def numbers_of(words: Trace) -> bytes:
    """Return for each word 1 if it is a number, a date or an amount, else 0."""
    return (words & NUMBER_BIT).astype(np.bool_).tobytes()
