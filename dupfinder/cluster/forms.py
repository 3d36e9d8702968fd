"""Filled-in forms: documents that share a text and differ in what was filled in at the same places.

One pair alone cannot tell a form filled in twice from a version with a few words replaced. Three documents can: at a
place that is filled in each has its own content, while edits of a version fall where they fall. A place that holds
numbers or dates alone tells nothing: versions of one document have a date and a number each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter, Silent
from dupfinder.cluster.alignment import SHORT_SHARE, Traces, align, is_number
from dupfinder.cluster.relation import LEAST_SIMILARITY, Difference, Evidence, similarity
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.trace import Trace
from dupfinder.index.pairs import Pairs

LEAST_FILLINGS: Final = 3  # documents that have their own content at a place, for it to be one that is filled in
UNLIKE_SHARE: Final = 0.65  # of the pairs of documents, that differ at such a place; one edit of a word makes .5
_CELLS: Final = 4_000_000  # contents compared at once; bounds the working memory


def same_forms(
    pairs: Pairs, evidence: Evidence, traces: Traces, ranks: NDArray[np.int64], reporter: Reporter | None = None
) -> NDArray[np.bool_]:
    """Which pairs are two fillings of one form, bool (m,). Raises Stopped.

    ranks: int64 (n,), an order of the documents that does not depend on their names; ties of choice follow it.

    Documents that differ in short replacements are gathered around the one that has most of them; all are aligned with
    that one alone, so that a form of 5,000 fillings costs 5,000 alignments. Two that are seen to be fillings by others
    may differ in longer replacements: fills beside one another.
    """
    reporter = reporter or Silent()
    alike = (evidence.difference != Difference.UNKNOWN) & (evidence.resemblance >= LEAST_SIMILARITY)
    short = (evidence.difference == Difference.SHORT) | (evidence.difference == Difference.NUMBERS)
    partners, every = _by_document(pairs, alike & short), _by_document(pairs, alike)
    form = np.zeros(len(pairs), np.bool_)
    filled: set[int] = set()
    for centre in sorted(partners, key=lambda document: (-len(partners[document]), ranks[document])):
        reporter.check()
        around = [document for document in partners[centre] if document not in filled]
        members = [centre, *sorted(around, key=lambda document: ranks[document])]
        if centre in filled or len(members) < LEAST_FILLINGS:
            continue
        pair_rows = _rows_among(members, every)
        left, right, held = pair_rows.T
        differing = _Places(traces, members).differ_as_fillings(left, right, short[held])
        form[held[differing]] = True
        of_form = _have_partners(left[differing], right[differing], len(members))
        filled.update(members[place] for place in np.flatnonzero(of_form).tolist())
    return form | _as_their_fillings(pairs, evidence, form, ranks)


def _by_document(pairs: Pairs, chosen: NDArray[np.bool_]) -> dict[int, dict[int, int]]:
    """For each document of some pairs its partners, and the row of the pair with each."""
    partners: dict[int, dict[int, int]] = {}
    rows = np.flatnonzero(chosen)
    for row, left, right in zip(rows.tolist(), pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True):
        partners.setdefault(left, {})[right] = row
        partners.setdefault(right, {})[left] = row
    return partners


def _as_their_fillings(
    pairs: Pairs, evidence: Evidence, form: NDArray[np.bool_], ranks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which other pairs are two fillings since the fillings are that they are edited copies of, bool (m,).

    A filling whose printed text was edited too is no longer read as a filling, and resembles all of them. It is a
    version of the one that it is most like, and to the others what that one is.
    """
    fillings = np.union1d(pairs.left[form], pairs.right[form])
    like = similarity(evidence)
    rows = np.flatnonzero(~form & (like >= LEAST_SIMILARITY))
    original = np.arange(len(ranks))
    here = np.concatenate((pairs.left[rows], pairs.right[rows])).astype(np.int64)
    there = np.concatenate((pairs.right[rows], pairs.left[rows])).astype(np.int64)
    towards = np.isin(there, fillings) & ~np.isin(here, fillings)
    here, there, how = here[towards], there[towards], np.tile(like[rows], 2)[towards]
    order = np.lexsort((-ranks[there], how))
    original[here[order]] = there[order]
    known = set(zip(pairs.left[form].tolist(), pairs.right[form].tolist(), strict=True))
    left, right = original[pairs.left[rows]].tolist(), original[pairs.right[rows]].tolist()
    same_form = [(min(pair), max(pair)) in known for pair in zip(left, right, strict=True)]
    result = np.zeros(len(pairs), np.bool_)
    result[rows[np.array(same_form, np.bool_)]] = True
    return result


def _rows_among(members: list[int], partners: dict[int, dict[int, int]]) -> NDArray[np.int64]:
    """The pairs between members, int64 (p, 3): the places of both in the list, and the row of the pair."""
    place = {document: number for number, document in enumerate(members)}
    rows = [
        (number, place[other], row)
        for document, number in place.items()
        for other, row in partners[document].items()
        if other in place and number < place[other]
    ]
    return np.array(rows, np.int64).reshape(len(rows), 3)


class _Places:
    """The words of the document in the middle that others differ at, and what each document has there.

    contents: uint64 (documents, places), a hash of what a document has at the place of a word, or before it; 0: what
              the middle one has.
    worded:   bool (places,), some content has words besides numbers.
    """

    def __init__(self, traces: Traces, members: list[int]) -> None:
        centre = traces.of(members[0])
        columns: dict[_Place, dict[int, int]] = {}
        worded: set[_Place] = set()
        for number, member in enumerate(members[1:], 1):
            for place, content, is_worded in _contents(centre, traces.of(member)):
                columns.setdefault(place, {})[number] = content
                if is_worded:
                    worded.add(place)
        places = sorted(columns)
        self.contents = np.zeros((len(members), len(places)), np.uint64)
        for column, place in enumerate(places):
            rows = list(columns[place])
            self.contents[rows, column] = np.array([columns[place][row] for row in rows], np.uint64)
        self.worded = np.array([place in worded for place in places], np.bool_)

    def differ_as_fillings(
        self, left: NDArray[np.int64], right: NDArray[np.int64], short: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which pairs of documents, by their numbers, are two fillings of one form, bool (p,).

        A filling differs from two others in words at the places of the form and nearly nowhere else, by pairs that
        differ in short replacements (short, bool (p,)). Two fillings that differ there in numbers alone, two bills to
        one customer, are two fillings too.
        """
        is_filling, settled = np.ones(len(self.contents), np.bool_), False
        while not settled:  # what is no filling does not show where a form is filled in, and never becomes one again
            filled = np.array([_is_filled(column) for column in self.contents[is_filling].T], np.bool_)
            in_words = self._differ_at(filled & self.worded, self.worded, left, right)
            showing = in_words & short & is_filling[left] & is_filling[right]
            before, is_filling = is_filling, _have_partners(left[showing], right[showing], len(is_filling))
            settled = np.array_equal(before, is_filling)
        everywhere = np.ones(len(filled), np.bool_)
        both_fillings = is_filling[left] & is_filling[right]
        return (in_words | self._differ_at(filled, everywhere, left, right)) & both_fillings

    def _differ_at(
        self, places: NDArray[np.bool_], counted: NDArray[np.bool_], left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Which pairs differ, by the places that are counted, nearly nowhere but at some of them, bool (p,)."""
        contents, inside = self.contents[:, counted], places[counted].astype(np.int64)
        differing = np.zeros(len(left), np.bool_)
        step = max(1, _CELLS // max(1, len(inside)))
        for start in range(0, len(left), step):
            some = slice(start, start + step)
            unlike = contents[left[some]] != contents[right[some]]
            at_places, anywhere = unlike @ inside, unlike.sum(axis=1)
            differing[some] = (at_places > 0) & (at_places >= SHORT_SHARE * anywhere)
        return differing


def _have_partners(left: NDArray[np.int64], right: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Which of `count` documents have so many partners in some pairs that they show a form with them, bool (count,)."""
    together = np.bincount(np.concatenate((left, right)), minlength=count) + 1
    enough: NDArray[np.bool_] = together >= LEAST_FILLINGS
    return enough


_Place = tuple[int, bool]
"""A word of the document in the middle, and whether it is that word (or else what is put in before it)."""


def _contents(centre: Trace, other: Trace) -> Iterator[tuple[_Place, int, bool]]:
    """(place, hash of the content there, whether it has words besides numbers) of all that differs from the middle.

    Word for word where as many words have the place of others; else each word has the whole replacement's content.
    """
    alignment = align(centre, other)
    for i0, i1, j0, j1 in alignment.gaps if alignment is not None else ():
        numbers = is_number(centre[i0:i1]) and is_number(other[j0:j1])
        if i1 == i0:
            yield (i0, False), _hash(other[j0:j1]), not numbers
        for word in range(i0, i1):
            word_for_word = i1 - i0 == j1 - j0
            content = other[j0 + word - i0 :][:1] if word_for_word else other[j0:j1]
            yield (word, True), _hash(content), not numbers


def _hash(content: Trace) -> int:
    """A hash of some words, or of none, that is not 0."""
    return xxh3(content.tobytes()) or 1


def _is_filled(contents: NDArray[np.uint64]) -> bool:
    """Whether a place is one of a form: three contents at least, and two documents nearly always have unlike ones."""
    if len(contents) < LEAST_FILLINGS:
        return False
    ordered = np.sort(contents)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(np.append(begins, len(ordered)))
    pairs = len(contents) * (len(contents) - 1)
    return len(sizes) >= LEAST_FILLINGS and 1 - float((sizes * (sizes - 1)).sum()) / pairs >= UNLIKE_SHARE
