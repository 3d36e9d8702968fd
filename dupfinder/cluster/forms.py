"""Filled-in forms: documents that share a printed text and differ in what was filled in at the same fields.

A single pair cannot distinguish a form filled in twice from a version with a few words replaced. Three documents can:
at a field of a form each has its own content, while the edits of versions are at different positions. So three or more
documents are fillings if they differ

- in short replacements: in words at some fields, and in numbers at one at least. Versions of one document often differ
  in a date or a number alone, and copies of one text that each misspell a name, hide it or have a stamp have the same
  numbers. Six documents need not differ in numbers.
- in numbers at many fields, as payslips and laboratory reports do, even if no field has words; unless most numbers are
  the same, as in editions of a text or rounds of a contract.
- in rows or paragraphs of any length as well, as bills for different goods do, and in numbers at as many fields; or, as
  letters do, in a name, a paragraph and three numbers, each at the same places. A date has two or three numbers; drafts
  of a letter have its numbers.
- in all but one boilerplate text, as mails above a disclaimer do, if they are six or more.

A position where one of two documents has nothing does not count, so contracts with an optional clause may be fillings.
Copies count once: three releases of a manual, each in two formats, are three documents and not six. A copy of a
filling, such as its scan or its correction, is no other filling: at the fields it has the same numbers, or all but a
few, and a misread name does not count.

`same_forms` groups the documents of similar pairs around centres and aligns each with its centre (`around_centres`),
for short replacements first, then for letters, then for bills. Where they differ, `_FormFields` tells which positions
are fields, and which pairs differ there. Then documents like a filling are compared with some fillings of its form
(`beside_fillings`). From these pairs follow those of edited fillings (`_edited_fillings`), of blank forms
(`_blank_forms`), and of longer documents that hold a filling (`with_held_fillings`).

A form that is not filled in is no version of its fillings, and a filling is no part of a longer document that holds
another filling. In doubt it is a form: a version that is not offered costs a look, but a filling that is removed as a
version is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import (
    Ints,
    Ragged,
    blocks,
    distinct,
    looked_up,
    pair_keys,
    pairs_of,
    positions_in,
    row_mask,
    runs,
    spans,
    starts_of,
)
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.cluster.alignment import CHANCE_WORDS, FILL, SharedTraces, Traces, gaps_of, numbers_of
from dupfinder.cluster.linkage import Edges, components
from dupfinder.cluster.relation import (
    LEAST_CHANGES,
    LEAST_CONTAINMENT,
    LEAST_SIMILARITY,
    Difference,
    Evidence,
    similarity,
)
from dupfinder.fingerprint.hashing import splitmix, xxh3
from dupfinder.fingerprint.tokens import NUMBER_BIT, Trace
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared

LEAST_FILLINGS: Final = 3  # fillings that show a form, and different contents that a field of it must have
FIELD_SHARE: Final = 0.7  # share of the differing positions that are fields; others may have few choices: "Ms", "Mr"
_BILL_SHARE: Final = 0.8  # FIELD_SHARE of bills; versions with new dates and numbers in each are edited elsewhere, too
UNLIKE_SHARE: Final = 0.65  # share of document pairs that must differ at a field; one edit in 4 documents: 0.5
_REPLACED: Final = 1 / 3  # of dates and amounts in fillings of numbers alone; 0.4 in bills, 0.2 in rounds of a contract
_MANY_FILLINGS: Final = 2 * LEAST_FILLINGS  # least number of letters, and of fillings of a form without numbers
UNEVEN: Final = 0.3  # most interquartile range / median of the shares of a letter that the others lack; 0.2 in mails
_MOST_CHANGES: Final = 50  # median of changes, where documents do not differ in words alone; bounds the time
_ABOUT_AS_MANY: Final = 1.25  # times; numbers of partners that differ by less are taken for equal
_MUCH_NEARER: Final = 0.5  # share of what others lack of a filling; a document that lacks less holds its contents
_ENOUGH_FILLINGS: Final = 6  # of a form, by which to tell whether a further document is one
_MOST_CENTRES: Final = 16  # centres without fillings; a document that was a partner of so many is no centre itself
_AT_A_TIME: Final = 64  # documents compared at a time with one document, and with each other
_PORTION: Final = 10_000  # pairs examined together
_CELLS: Final = 4_000_000  # contents compared at a time; bounds the working memory
CONTENT: Final = np.dtype([("code", np.uint32), ("hash", np.uint64)])
"""What a document has where it differs from a centre (aligned with it). code: see `differences_of`. hash: not 0."""
_WORDED, _IS_NUMBER = 2, 1  # bits of CONTENT.code
_SIDE_BY_SIDE: Final = 2  # positions from a word to the next


@dataclass(frozen=True, slots=True)
class FieldContents(Ragged):
    """The contents of documents that were aligned with centres, so that no pair needs to be aligned again.

    values: CONTENT. pairs: uint64 (n,), centre << 32 | document, ascending.
    """

    pairs: NDArray[np.uint64]

    @classmethod
    def none(cls) -> FieldContents:
        return cls(np.empty(0, CONTENT), np.zeros(1, np.int64), np.empty(0, np.uint64))

    @classmethod
    def of_all(cls, parts: Sequence[FieldContents]) -> FieldContents:
        """Return the contents of all parts, at least one."""
        together = Ragged.joined(parts)
        pairs = np.concatenate([part.pairs for part in parts])
        order = np.argsort(pairs, kind="stable")
        order = order[runs(pairs[order])[0]]  # a pair may have been aligned twice
        return cls(together.values, together.starts, pairs).take(order)

    def renumbered(self, numbers: Ints) -> FieldContents:
        """Return the contents with numbers[i] in place of document i, without documents that become -1."""
        centres, documents = (numbers[side] for side in pairs_of(self.pairs))
        rows = np.flatnonzero((centres >= 0) & (documents >= 0))
        pairs = pair_keys(centres[rows], documents[rows])
        order = np.argsort(pairs)
        return replace(self.take(rows[order]), pairs=pairs[order])

    def with_aligned(self, pairs: NDArray[np.uint64], traces: Traces) -> FieldContents:
        """Return the contents of these pairs, ascending; those that are missing here are aligned."""
        rows, are_known = positions_in(self.pairs, pairs)
        if are_known.all():
            return self.take(rows)
        missing = pairs[~are_known]
        centres, documents = pairs_of(missing)
        aligned = [
            np.array(list(differences_of(traces.of(centre), traces.of(document), gaps)), CONTENT)
            for centre, document, gaps in zip(
                centres.tolist(), documents.tolist(), gaps_of(traces, centres, documents).lists(), strict=True
            )
        ]
        new = Ragged.of_entries(aligned, CONTENT)
        return FieldContents.of_all([self.take(rows[are_known]), FieldContents(new.values, new.starts, missing)])


def similarity_without_forms(evidence: Evidence) -> NDArray[np.float32]:
    """Return the similarity of pairs as if none were fillings, by which fillings are found: float32 (m,)."""
    return similarity(replace(evidence, form=np.zeros(len(evidence), np.bool_)))


def same_forms(
    pairs: Pairs,
    evidence: Evidence,
    traces: Traces,
    ranks: NDArray[np.int64],
    known: FieldContents,
    reporter: Reporter = SILENT,
) -> tuple[NDArray[np.bool_], FieldContents]:
    """Return which pairs are two fillings of one form, bool (m,), and the contents that showed it. Raises Stopped.

    ranks: int64 (n,), an order of the documents that does not depend on their names; it breaks ties.
    known: contents that need not be found again.
    """
    extended = (evidence.difference == Difference.ADDITIONS) & (evidence.changes == 1)  # versions, not fillings
    are_aligned = (evidence.difference != Difference.UNKNOWN) & ~evidence.moved  # what was sorted is not filled in
    rows = np.flatnonzero(are_aligned & (similarity_without_forms(evidence) >= LEAST_SIMILARITY) & ~extended)
    search = _FormSearch(pairs.take(rows), evidence.take(rows), traces, ranks, known)
    for kind in _KINDS:
        search.around_centres(kind, reporter)
    search.beside_fillings(reporter)
    form = np.zeros(len(pairs), np.bool_)
    form[rows[search.form]] = True
    form |= _edited_fillings(pairs, evidence, form, ranks) | _blank_forms(pairs, evidence, form)
    return form, FieldContents.of_all(search.used)


@dataclass(frozen=True, slots=True)
class _FormKind:
    """A kind of forms.

    least_fillings: how many fillings, of which copies count once, show such a form.
    least_fields:   at how many fields two fillings must differ.
    least_numbered: how many fields must have numbers if others have a name and a paragraph; else `least_fields`.
    field_share:    share of the differing stretches that must be fields.
    """

    least_fillings: int = LEAST_FILLINGS
    least_fields: int = 1
    least_numbered: int = 1
    field_share: float = FIELD_SHARE


_SHORT: Final = _FormKind()  # fillings differ in short replacements
_LETTERS: Final = _FormKind(least_fillings=_MANY_FILLINGS)  # they are texts of any length around one boilerplate text
# They also differ in rows or a paragraph of any length, and in numbers: at many fields, or three and a name.
_BILLS: Final = _FormKind(least_fields=LEAST_CHANGES, least_numbered=LEAST_FILLINGS, field_share=_BILL_SHARE)
_KINDS: Final = (_SHORT, _LETTERS, _BILLS)  # in the order in which they are searched for


class _FormSearch:
    """The search for fillings among pairs of similar documents.

    form: bool (m,), the pairs that are two fillings. filled: bool (n,), the documents that are fillings.
    short: bool (m,), the pairs that differ in short replacements. used: the contents by which fillings were found.
    """

    def __init__(
        self, pairs: Pairs, evidence: Evidence, traces: Traces, ranks: NDArray[np.int64], known: FieldContents
    ) -> None:
        self._pairs, self._evidence, self._traces, self._ranks, self._known = pairs, evidence, traces, ranks, known
        self._edges, self.used = Edges.of(pairs, len(ranks)), [FieldContents.none()]
        self._unlike = 1 - similarity_without_forms(evidence)
        self._numbers = traces.only((traces.values & NUMBER_BIT) > 0)
        self.short = np.isin(evidence.difference, (Difference.SHORT, Difference.NUMBERS))
        self.form, self.filled = np.zeros(len(pairs), np.bool_), np.zeros(len(ranks), np.bool_)
        self._has_fields = np.zeros_like(self.filled)  # fillings of any form but letters
        self._of_bills = np.zeros_like(self.filled)  # fillings of such forms

    def around_centres(self, kind: _FormKind, reporter: Reporter) -> None:
        """Group the documents of close pairs around the one with the most such pairs, and find fillings in each group.

        Documents are aligned with their centre only, so that a form with 5,000 fillings costs 5,000 alignments.
        Among many versions, each has enough partners to be a centre, and all pairs of a group are compared. So a
        document that was a partner of _MOST_CENTRES centres without fillings is no centre itself. Among letters, one
        centre is tried for each group.
        """
        edges, letters = self._edges, kind is _LETTERS
        close = self.short if kind is _SHORT else np.ones_like(self.short)
        partners = np.diff(np.concatenate(([0], np.cumsum(close[edges.row])))[edges.starts])
        # Many documents have about as many partners. Which of them is first must not change with every new document,
        # since all others would have to be aligned with another centre.
        magnitudes = np.round(np.log(np.maximum(partners, 1)) / np.log(_ABOUT_AS_MANY))
        by_partners, has_centre = np.lexsort((self._ranks, -magnitudes)), np.zeros_like(self.filled)
        in_vain = np.zeros(len(self.filled), np.int32)
        for centre in by_partners[partners[by_partners] >= kind.least_fillings - 1].tolist():
            if has_centre[centre] or self.filled[centre] or in_vain[centre] >= _MOST_CENTRES:
                continue
            others, rows = edges.of_document(centre)
            candidates = np.flatnonzero(close[rows] & ~self.filled[others])
            if kind is _BILLS:  # may be fillings beside some that were found before
                candidates = np.append(candidates, self._nearest_fillings(others, rows))
                candidates = candidates[self._lack_numbers_of(centre, others[candidates])]
            if len(candidates) < LEAST_FILLINGS - 1:
                continue
            reporter.check()
            if letters:
                has_centre[others] = True
            in_words = kind is _SHORT or (letters and self._lack_alike(np.append(others, centre)))
            if in_words or np.median(self._evidence.changes[rows]) <= _MOST_CHANGES:
                others = others if letters else others[candidates]
                self._find_fillings(kind, centre, others, close, in_words)
                in_vain[others] += not self.filled[centre]

    def _nearest_fillings(self, others: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.intp]:
        """Return the indices of the fillings, enough to know the fields, that are most similar by the pairs `rows`."""
        fillings = np.flatnonzero(self.filled[others])
        order = np.lexsort((self._ranks[others[fillings]], self._unlike[rows[fillings]]))
        return fillings[order[:_ENOUGH_FILLINGS]]

    def _lack_numbers_of(self, centre: int, others: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell which documents lack LEAST_FILLINGS or more numbers of a centre, as other bills do: bool (n,)."""
        numbers = distinct(self._numbers[centre])[0]
        if len(numbers) < LEAST_FILLINGS:
            return np.zeros(len(others), np.bool_)
        lack_enough: NDArray[np.bool_] = self._lacking(numbers, others).sum(axis=1) >= LEAST_FILLINGS
        return lack_enough

    def _are_own_numbers(
        self, centre: int, others: NDArray[np.int32], positions: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Tell which positions of a centre, as in _FormFields, are numbers that most others lack: bool (p,).

        If paragraphs are numbered, an added one changes all numbers after it, but all documents have these numbers.
        """
        numbers, words = distinct(self._numbers[centre])[0], self._traces.of(centre)
        lacked = numbers[self._lacking(numbers, others).mean(axis=0) >= UNLIKE_SHARE]
        return positions_in(lacked, words[np.minimum(positions // 2, len(words) - 1)])[1]

    def _lacking(self, numbers: Ints, others: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell which of some numbers, ascending, each document lacks: bool (n, numbers)."""
        of_others = self._numbers.take(others)
        columns, are_some = positions_in(numbers, of_others.values)
        lacking = np.ones((len(others), len(numbers)), np.bool_)
        lacking[of_others.per_value(np.arange(len(others)))[are_some], columns[are_some]] = False
        return lacking

    def _find_fillings(
        self, kind: _FormKind, centre: int, others: NDArray[np.int32], close: NDArray[np.bool_], in_words: bool
    ) -> None:
        """Find the fillings among a centre and others. close, in_words: see `_FormFields`."""
        members = np.concatenate(([centre], others[np.argsort(self._ranks[others])]))
        left, right, row = self._edges.among(members)
        pairs = np.sort(pair_keys(np.full(len(others), centre), others))
        self.used.append(self._known.with_aligned(pairs, self._traces))
        fields = _FormFields(self.used[-1], members, self._traces.of(centre))
        if kind is _BILLS:
            fields.numbered &= self._are_own_numbers(centre, others, fields.positions)
        differing = fields.differ_as_fillings(left, right, close[row], in_words=in_words, kind=kind)
        if kind is _LETTERS and in_words:
            differing |= fields.differ_as_fillings(left, right, close[row], in_words=False, kind=kind)
        if kind is _LETTERS:
            differing &= ~self._share_own_text(row)
        fillings = _have_enough_partners(left[differing], right[differing], len(members))
        if np.count_nonzero(fillings) >= kind.least_fillings:
            self.form[row[differing]] = True
            self.filled[members[fillings]] = True
            self._has_fields[members[fillings]] |= kind is not _LETTERS
            self._of_bills[members[fillings]] |= kind is _BILLS

    def beside_fillings(self, reporter: Reporter) -> None:
        """Find further fillings among the documents that are similar to a filling.

        They may have no pair with the centre of that form, since two fillings may share too little to be a pair. Each
        document is compared once with its partners in such pairs, the one with the most partners first: that decides
        most pairs.
        """
        is_seen = np.zeros(len(self._edges.row), np.bool_)  # each pair has an edge for either document
        while len(open_rows := self._open_rows(is_seen)):
            is_open = row_mask(len(self.form), open_rows)
            counts = np.bincount(np.concatenate((self._pairs.left[open_rows], self._pairs.right[open_rows])))
            documents = np.flatnonzero(counts)
            for document in documents[np.lexsort((self._ranks[documents], -counts[documents]))].tolist():
                others, rows = self._edges.of_document(document)
                is_seen_here = is_seen[self._edges.starts[document] : self._edges.starts[document + 1]]
                of_filling = self.filled[others] | self.filled[document]
                chosen = np.flatnonzero(is_open[rows] & ~self.form[rows] & ~is_seen_here & of_filling)
                is_seen_here[chosen] = True
                chosen = chosen[np.argsort(self._ranks[others[chosen]])]
                is_filling = self.filled[document]
                for block in blocks(len(chosen), _AT_A_TIME):
                    reporter.check()
                    beside, rows_beside = others[chosen[block]], rows[chosen[block]]
                    if not self._compare(document if is_filling else beside[0], document, beside, rows_beside):
                        break  # none of these is a filling; comparing more would take time in proportion to the pairs

    def _open_rows(self, is_seen: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the rows of the pairs, not seen yet, that have a filling and may be two fillings.

        Two documents found to be fillings, around one centre or two, may also differ in rows or paragraphs, as bills
        do. Letters around boilerplate may not, because a letter and its draft differ so, too.
        An edited copy of a filling is left out: at the fields it has the same contents, and usually it resembles the
        filling far more than other fillings do.
        """
        unlike, edges = self._unlike, self._edges
        pairs, has_fields = self._pairs, self._has_fields
        may_be_form = self.short & (self.filled[pairs.left] | self.filled[pairs.right])
        may_be_form |= has_fields[pairs.left] & has_fields[pairs.right]
        rows = np.flatnonzero(row_mask(len(unlike), edges.row[~is_seen]) & may_be_form & ~self.form)
        sides = pairs.left[rows], pairs.right[rows]
        fillings = np.flatnonzero(row_mask(len(self.filled), *sides) & self.filled)
        owner, entries = spans(edges.starts, fillings)
        of_form = np.flatnonzero(self.form[edges.row[entries]])
        usual = _medians(unlike[edges.row[entries[of_form]]], fillings[owner[of_form]], len(self.filled))
        least = _MUCH_NEARER * usual
        unlike_enough = np.flatnonzero(unlike[rows] >= np.minimum(least[sides[0]], least[sides[1]]))
        return rows[unlike_enough]

    def _compare(self, centre: int, document: int, others: NDArray[np.int32], rows: NDArray[np.int32]) -> bool:
        """Record which pairs of a document with others, of which one is a filling, are two. Return whether any are.

        centre: a filling among them all, with which they are aligned: the others may be edited beside a field. rows: of
        the pairs.
        """
        further = np.setdiff1d(self._some_of_form(centre), np.append(others, document))
        members = np.concatenate(([centre], np.setdiff1d(np.append(others, document), centre), further))
        left, right = self._differing(members)
        with_document = np.union1d(left[members[right] == document], right[members[left] == document])
        differing = np.flatnonzero(np.isin(others, members[with_document]))
        self.form[rows[differing]] = True
        self.filled[others[differing]] = True
        self.filled[document] |= len(differing) > 0
        return len(differing) > 0

    def _some_of_form(self, filling: int) -> NDArray[np.int32]:
        """Return other fillings of the form of a filling, enough to know the fields."""
        others, rows = self._edges.of_document(filling)
        of_form = others[self.form[rows]]
        return of_form[np.argsort(self._ranks[of_form])][:_ENOUGH_FILLINGS]

    def _differing(self, members: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pairs of members, as indices, that differ at fields; all are aligned with the first of them."""
        pairs = np.sort(pair_keys(np.full(len(members) - 1, members[0]), members[1:]))
        self.used.append(self._known.with_aligned(pairs, self._traces))
        left, right = np.triu_indices(len(members), 1)
        every = np.ones(len(left), np.bool_)
        fields = _FormFields(self.used[-1], members, self._traces.of(members[0]))
        differing = fields.differ_as_fillings(left, right, every, in_words=True)
        of_bills = self._of_bills[members]
        differing &= ~(of_bills[left] | of_bills[right]) | fields.differ_in_numbers(left, right)
        return left[differing], right[differing]

    def _lack_alike(self, letters: NDArray[np.int32]) -> bool:
        """Tell whether of most letters all others lack about the same share.

        All other letters lack what only that letter says. Versions lack more of it the older they are.
        """
        letters = letters[np.argsort(self._ranks[letters])][:_AT_A_TIME]
        left, right, row = self._edges.among(letters)
        is_turned = self._pairs.left[row] != letters[left]
        evidence, lacks = self._evidence, np.full((len(letters), len(letters)), np.nan)
        lacks[left, right] = 1 - np.where(is_turned, evidence.right_in_left[row], evidence.left_in_right[row])
        lacks[right, left] = 1 - np.where(is_turned, evidence.left_in_right[row], evidence.right_in_left[row])
        if not len(row):
            return False
        first, middle, third = np.nanquantile(lacks[~np.isnan(lacks).all(axis=1)], (0.25, 0.5, 0.75), axis=1)
        return bool(np.median(third - first - UNEVEN * middle) <= 0)

    def _share_own_text(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell which pairs among letters share text that others lack, such as two drafts of one letter: bool (p,).

        Boilerplate is the share of a letter that half of the others contain. Half of the remaining text must be shared.
        """
        documents = np.concatenate((self._pairs.left[rows], self._pairs.right[rows]))
        shares = np.concatenate((self._evidence.left_in_right[rows], self._evidence.right_in_left[rows]))
        letters, numbers = distinct(documents)
        boilerplate = _medians(shares, numbers, len(letters))[numbers]
        are_own: NDArray[np.bool_] = shares >= (1 + boilerplate) / 2
        return are_own[: len(rows)] & are_own[len(rows) :]


def _medians(values: NDArray[np.float32], documents: Ints, count: int) -> NDArray[np.float32]:
    """Return the upper median of the values of each of `count` documents, infinite without any. documents: (n,)."""
    order = np.lexsort((values, documents))
    begins, lengths = runs(documents[order])
    medians = np.full(count, np.inf, np.float32)
    medians[documents[order[begins]]] = values[order[begins + lengths // 2]]
    return medians


@dataclass(frozen=True, slots=True)
class _FormPairsTask:
    """Some pairs and what `same_forms` needs of them."""

    pairs: Pairs
    evidence: Evidence
    traces: SharedTraces
    ranks: Shared
    known: FieldContents


def shared_forms(
    pairs: Pairs,
    evidence: Evidence,
    changed: Ints,
    traces: SharedTraces,
    ranks: NDArray[np.int64],
    known: FieldContents,
    crew: Crew,
    reporter: Reporter,
) -> tuple[NDArray[np.bool_], FieldContents]:
    """Do the same as `same_forms`, in portions that the processes of a crew share. Raises Stopped.

    Return which pairs are fillings, bool (m,), and the contents that showed it.
    changed: the rows to decide; it has all similar pairs of the documents that they connect. Others keep their `form`.
    known: contents found before, with the numbers that the documents have now.
    Documents that no similar pairs connect do not influence each other, so the portions are connected documents.
    """
    form, portion_of = evidence.form.copy(), np.full(len(ranks), -1, np.int32)
    portions = sorted(_connected_portions(pairs, changed, len(ranks)), key=lambda rows: len(rows) > 2 * _PORTION)
    for number, rows in enumerate(portions):  # the large ones are last: this process does them
        portion_of[pairs.left[rows]] = portion_of[pairs.right[rows]] = number
    portion_of_known = portion_of[pairs_of(known.pairs)[0]]
    contents = [known.take(np.flatnonzero(portion_of_known < 0))]
    shared_ranks = crew.share([ranks], np.int64)

    def task_of(number: int) -> _FormPairsTask:
        rows, of_portion = portions[number], np.flatnonzero(portion_of_known == number)
        return _FormPairsTask(pairs.take(rows), evidence.take(rows), traces, shared_ranks, known.take(of_portion))

    small = sum(len(rows) <= 2 * _PORTION for rows in portions)
    results = crew.run(_forms, map(task_of, range(small)), reporter.check)
    large = (_forms(task_of(number), reporter) for number in range(small, len(portions)))
    for number, (is_form, of_portion) in enumerate(chain(results, large)):
        reporter.tell(Progress(Stage.GROUP, number, len(portions)))
        form[portions[number]] = is_form
        contents.append(of_portion)
    return form, FieldContents.of_all(contents)


def _connected_portions(pairs: Pairs, rows: Ints, count: int) -> Iterator[NDArray[np.uint32]]:
    """Yield rows of pairs in portions of about _PORTION; all pairs of connected documents are in the same portion."""
    left = looked_up(pairs.left, rows)
    labels = components(left, looked_up(pairs.right, rows), np.arange(count, dtype=np.int32))
    keys = pair_keys(looked_up(labels, left), rows)
    del left, labels
    keys.sort()
    begins, lengths = runs(keys >> np.uint64(32))
    ends = np.cumsum(lengths)
    ordered = pairs_of(keys)[1]
    del keys
    start = 0
    while start < len(rows):
        first = int(np.searchsorted(begins, start))
        stop = int(ends[max(first, int(np.searchsorted(ends, start + _PORTION, side="right")) - 1)])
        ordered[start:stop].sort()
        yield ordered[start:stop]
        start = stop


def _forms(task: _FormPairsTask, reporter: Reporter = SILENT) -> tuple[NDArray[np.bool_], FieldContents]:
    """Return `same_forms` of the pairs of a task."""
    documents, pairs = task.pairs.of_own_rows()
    traces, ranks = task.traces.take(documents), task.ranks.array()[documents]
    centres, others = (np.searchsorted(documents, side) for side in pairs_of(task.known.pairs))
    known = replace(task.known, pairs=pair_keys(centres, others))
    form, contents = same_forms(pairs, task.evidence, traces, ranks, known, reporter)
    return form, contents.renumbered(documents.astype(np.int64))


def _edited_fillings(
    pairs: Pairs, evidence: Evidence, form: NDArray[np.bool_], ranks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which other pairs are two fillings because their documents are edited copies of two fillings: bool (m,).

    A filling whose printed text was edited too may not look like a filling any more, and resembles all fillings. It is
    a version of the filling that it resembles most; to the others it has the relation of that filling. Among many
    fillings not all are candidate pairs: two that form pairs connect, and that are no pair themselves, are fillings.
    """
    is_filling = row_mask(len(ranks), pairs.left[form], pairs.right[form])
    resemblance = similarity_without_forms(evidence)
    rows = np.flatnonzero(~form & (resemblance >= LEAST_SIMILARITY))
    original = np.arange(len(ranks))
    documents = np.concatenate((pairs.left[rows], pairs.right[rows])).astype(np.int64)
    partners = np.concatenate((pairs.right[rows], pairs.left[rows])).astype(np.int64)
    chosen = np.flatnonzero(is_filling[partners])
    documents, partners, similarities = documents[chosen], partners[chosen], np.tile(resemblance[rows], 2)[chosen]
    order = np.lexsort((-ranks[partners], similarities))
    original[documents[order]] = partners[order]  # the last assignment stays: the most similar filling
    left, right = pairs.left[rows], pairs.right[rows]
    keys, result = pair_keys(pairs.left, pairs.right), np.zeros(len(pairs), np.bool_)
    connected = components(pairs.left[form], pairs.right[form], np.arange(len(ranks), dtype=np.int32))
    # One side may be a filling that no edit changed, to which the other side is the most similar one.
    for ends in ((original[left], original[right]), (original[left], right), (left, original[right])):
        positions, are_pairs = positions_in(keys, pair_keys(np.minimum(*ends), np.maximum(*ends)))
        are_form = (connected[ends[0]] == connected[ends[1]]) & (ends[0] != ends[1])
        are_form[are_pairs] = form[positions[are_pairs]]
        result[rows[are_form]] = True
    return result


def with_held_fillings(pairs: Pairs, evidence: Evidence, form: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Add the pairs of a filling and a longer document that holds another filling, or the blank form: bool (m,).

    form: bool (m,), the pairs that are two fillings. Marks of dissimilar pairs are ignored: these are found anew.
    Such a document has the printed text, and so nearly all of each filling, but not its contents: the filling is no
    part of it. If the document holds the filling, it contains much more of it than other fillings do.
    """
    if not form.any():
        return form
    count = int(max(pairs.left.max(initial=0), pairs.right.max(initial=0))) + 1
    result, (lacking, partners) = np.zeros(len(pairs), np.bool_), np.zeros((2, count))
    for block in blocks(len(pairs)):
        rows = block.start + np.flatnonzero(form[block])
        rows = rows[similarity_without_forms(evidence.take(rows)) >= LEAST_SIMILARITY]
        result[rows] = True
        for side, shares in ((pairs.left, evidence.left_in_right), (pairs.right, evidence.right_in_left)):
            lacking += np.bincount(side[rows], 1 - shares[rows], count)
            partners += np.bincount(side[rows], minlength=count)
    most = np.divide(_MUCH_NEARER * lacking, partners, out=np.full(count, np.inf), where=partners > 0)
    for block in blocks(len(pairs)):
        left, right = evidence.left_in_right[block], evidence.right_in_left[block]
        part, share = np.where(left >= right, pairs.left[block], pairs.right[block]), np.maximum(left, right)
        rows = block.start + np.flatnonzero(
            (share >= LEAST_CONTAINMENT) & (1 - share - evidence.error[block] > most[part])
        )
        result[rows[similarity_without_forms(evidence.take(rows)) < LEAST_SIMILARITY]] = True
    return result


def _blank_forms(pairs: Pairs, evidence: Evidence, form: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which other pairs are a filling and the form that is not filled in: bool (m,).

    A blank form lacks words of two fillings and has no words beside theirs. It keeps the content of no filling, so that
    none may be removed as a version of it.
    """
    left_is_longer = evidence.left_in_right < evidence.right_in_left
    longer, shorter = np.where(left_is_longer, (pairs.left, pairs.right), (pairs.right, pairs.left))
    lacks_words = (evidence.difference == Difference.ADDITIONS) & (
        similarity_without_forms(evidence) >= LEAST_SIMILARITY
    )
    rows = np.flatnonzero(lacks_words & ~form)
    rows = rows[np.argsort(shorter[rows], kind="stable")]
    begins, lengths = runs(shorter[rows])
    of_first = np.repeat(longer[rows[begins]], lengths), longer[rows]
    keys = pair_keys(np.minimum(*of_first), np.maximum(*of_first))
    positions, are_pairs = positions_in(pair_keys(pairs.left, pairs.right), keys)
    has_two = np.zeros(len(rows), np.bool_)
    has_two[are_pairs] = form[positions[are_pairs]]
    of_blanks = np.repeat(np.add.reduceat(has_two, begins, dtype=np.intp) > 0 if len(rows) else has_two, lengths)
    return row_mask(len(pairs), rows[of_blanks])


class _FormFields:
    """Positions in the centre document at which others differ from it, and the content of each document there.

    contents: unsigned (documents, positions), a number for each content; 0: the same as in the centre.
    nothing:  int64 (positions,), the number that means that a document has no words there.
    positions: int64 (positions,), ascending. starts: intp, where each stretch of positions side by side begins.
    present:  bool (positions,), every document has words there.
    counted:  bool (positions,), the first position with its contents; see `_are_first`.
    worded:   bool (positions,), some content has words besides numbers.
    named:    bool (positions,), words in a short change, such as a name. longer: those in a longer one.
    numbered: bool (positions,), the documents have enough different numbers there for a field.
    replaced: intp, counted positions where a number is there for a number of the centre.
    amounts:  int64 (words,), how many dates and amounts, runs of numbers, begin up to each word of the centre.
    different: how many of these are different.
    """

    def __init__(self, aligned: FieldContents, members: Ints, centre: Trace) -> None:
        """Arrange the contents of the members, each aligned with the first of them, the centre."""
        order = np.argsort(members[1:])  # the contents in `aligned` are sorted by document
        codes = aligned.values["code"]
        positions, columns = distinct(codes >> 2)
        hashes, ranks = distinct(np.append(aligned.values["hash"], np.uint64(_hash(b""))))
        contents, empty = ranks[:-1], ranks[-1]
        # The smallest type makes the comparison of all pairs of members fast.
        self.contents = np.zeros((len(members), len(positions)), np.min_scalar_type(len(hashes)))
        self.contents[aligned.per_value(order + 1), columns] = contents + 1
        self.counted, self.positions = _are_first(self.contents, positions), positions.astype(np.int64)
        self.starts = np.flatnonzero(np.diff(self.positions, prepend=-1 - _SIDE_BY_SIDE) > _SIDE_BY_SIDE)
        self.nothing = np.where(positions % 2 == 1, empty + 1, 0)
        self.present = (positions % 2 == 1) & (self.contents != empty + 1).all(axis=0)
        self.worded = np.bincount(columns, codes & _WORDED, minlength=len(positions)) > 0
        are_numbers = codes & _IS_NUMBER > 0
        numbers = set(zip(columns[are_numbers].tolist(), contents[are_numbers].tolist(), strict=True))
        in_others = np.bincount([column for column, _ in numbers], minlength=len(positions))
        self.numbered = in_others + 1 >= LEAST_FILLINGS  # with that of the centre
        worded, short = self.worded & self.present, self._are_short()
        self.named, self.longer = worded & short & ~self.numbered, worded & ~short
        self.replaced = np.flatnonzero(self.counted & (in_others > 0))
        numbers_of_centre = (centre & NUMBER_BIT) > 0
        self.amounts = np.cumsum(np.diff(numbers_of_centre, prepend=False) & numbers_of_centre, dtype=np.int64)
        sums = np.bincount(self.amounts, centre * numbers_of_centre)[1:]  # of their words, by which to know equal ones
        self.different = len(distinct(sums.astype(np.int64))[0])

    def _are_short(self) -> NDArray[np.bool_]:
        """Tell which positions are in a change of FILL words at most: bool (positions,).

        Words that are equal by chance, in others than the centre as well, do not end a change.
        """
        begins, lengths = runs(np.cumsum(np.diff(self.positions, prepend=0) > _SIDE_BY_SIDE * (CHANCE_WORDS + 1)))
        ends = self.positions[begins + lengths - 1] if len(begins) else begins
        return np.repeat(ends - self.positions[begins] < _SIDE_BY_SIDE * FILL, lengths)

    def differ_as_fillings(
        self, left: Ints, right: Ints, close: NDArray[np.bool_], in_words: bool, kind: _FormKind = _SHORT
    ) -> NDArray[np.bool_]:
        """Tell which pairs of members (indices left, right) are two fillings of one form: bool (p,).

        close: bool (p,), pairs that can show that documents are fillings. in_words: pairs may differ in words alone.
        kind: of the form.
        Two fillings of a form may differ at so few fields as `kind.least_fields`, such as two bills to one customer,
        and as much elsewhere as at fields.
        """
        fields, are_fillings = self._fields_and_fillings(left, right, close, in_words, kind.field_share)
        if not self._are_of_form(fields, are_fillings, in_words, kind):
            return np.zeros(len(left), np.bool_)
        rows = np.flatnonzero(are_fillings[left] & are_fillings[right])
        rows = rows[self._differ_at(fields, left[rows], right[rows], in_words, kind.least_fields, share=0.5)]
        rows = rows[self._differ_in_words_or_amounts(fields, left[rows], right[rows])]
        rows = rows[~self._are_copies(fields, left[rows], right[rows])]
        if kind is _BILLS:
            rows = rows[self.differ_in_numbers(left[rows], right[rows])]
        return row_mask(len(left), rows)

    def _fields_and_fillings(
        self, left: Ints, right: Ints, close: NDArray[np.bool_], in_words: bool, share: float
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which positions are fields, bool (positions,), and which members may be fillings, bool (members,).

        Such a member differs in close pairs from at least two others at fields, in words or at many fields, and almost
        nowhere else: fields are a `share` of the stretches where they differ.
        """
        are_fillings, settled = np.ones(len(self.contents), np.bool_), False
        while not settled:  # documents that are not fillings must not influence which positions are fields
            fields = _are_fields(self.contents[are_fillings])
            if not fields.any():
                return fields, np.zeros_like(are_fillings)
            rows = np.flatnonzero(close & are_fillings[left] & are_fillings[right])
            rows = rows[self._differ_at(fields, left[rows], right[rows], in_words, LEAST_CHANGES, share)]
            rows = rows[self._differ_in_words_or_amounts(fields, left[rows], right[rows])]
            before, are_fillings = are_fillings, _have_enough_partners(left[rows], right[rows], len(are_fillings))
            settled = np.array_equal(before, are_fillings)
        return fields, are_fillings

    def _are_of_form(
        self, fields: NDArray[np.bool_], are_fillings: NDArray[np.bool_], in_words: bool, kind: _FormKind
    ) -> bool:
        """Tell whether these fields and the fillings that differ there are enough to show a form of this kind.

        Enough fields must have numbers; if fillings may differ in words alone, none need if there are _MANY_FILLINGS.
        """
        has_both = (fields & self.named).any() and (fields & self.longer).any()
        least_numbered = kind.least_numbered if has_both else kind.least_fields
        is_numbered = np.count_nonzero(fields & self.numbered & self.counted) >= least_numbered
        if not is_numbered and not in_words:
            return False
        return _are_many(self.contents[are_fillings][:, fields], kind.least_fillings if is_numbered else _MANY_FILLINGS)

    def differ_in_numbers(self, left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs of members differ in LEAST_FILLINGS numbers, as bills do, and drafts of one do not."""
        return self._renumbered(self.numbered & self.counted, left, right) >= LEAST_FILLINGS

    def _renumbered(self, numbered: NDArray[np.bool_], left: Ints, right: Ints) -> NDArray[np.int32]:
        """Return at how many of these positions each pair of members differs: int32 (p,)."""
        renumbered = np.zeros(len(left), np.int32)
        for contents in self.contents.T[numbered]:
            renumbered += contents[left] != contents[right]
        return renumbered

    def _are_copies(self, fields: NDArray[np.bool_], left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs are one filling twice: a contract and its scan, or a bill and its correction: bool (p,).

        Corrections differ in no words at fields, and in less than half of the fields with numbers. Scans with some
        misread words are equal at FIELD_SHARE of the fields, and at all with numbers; nowhere do two words side by side
        differ, as the names of two people who attended one course do. Fields with numbers must be three or more.
        """
        numbered, words = fields & self.numbered, fields & self.worded & ~self.numbered
        are_copies, count = np.zeros(len(left), np.bool_), np.count_nonzero(numbered)
        renumbered = self._renumbered(numbered, left, right)
        rows = np.flatnonzero((2 * renumbered < count) & (count >= LEAST_FILLINGS))
        side_by_side = np.diff(self.positions) <= _SIDE_BY_SIDE
        for block in blocks(len(rows), max(1, _CELLS // max(1, len(self.positions)))):
            unlike = self.contents[left[rows[block]]] != self.contents[right[rows[block]]]
            longer = (unlike[:, 1:] & unlike[:, :-1])[:, side_by_side].any(axis=1)
            misread = (renumbered[rows[block]] == 0) & (unlike[:, fields].mean(axis=1) <= 1 - FIELD_SHARE) & ~longer
            are_copies[rows[block]] = misread | ~unlike[:, words].any(axis=1)
        return are_copies

    def _differ_at(
        self, fields: NDArray[np.bool_], left: Ints, right: Ints, in_words: bool, least: int, share: float
    ) -> NDArray[np.bool_]:
        """Tell which pairs differ in at least `least` fields, a `share` of the stretches where they differ: bool (p,).

        A stretch is positions side by side. It is a field if most of its positions are, and every document has words at
        one of them. Documents differ in a stretch if both have words there, but not the same.
        in_words: also those that differ in words at some field, and in few words elsewhere.
        """
        differing = self._differ_in_words(fields, left, right) if in_words else np.zeros(len(left), np.bool_)
        rest = np.flatnonzero(~differing)
        if not len(self.positions):
            return differing
        starts = self.starts
        are_counted = np.logical_or.reduceat(self.counted, starts)
        are_fields = np.logical_or.reduceat(fields & self.counted & self.present, starts)
        are_fields &= np.add.reduceat(np.where(fields, 1, -1), starts) >= 0
        contents, nothing = np.ascontiguousarray(self.contents.T), self.nothing[:, None]
        for block in blocks(len(rest), max(1, _CELLS // len(contents))):
            of_left, of_right = contents[:, left[rest[block]]], contents[:, right[rest[block]]]
            unlike = (of_left != of_right) & (of_left != nothing) & (of_right != nothing)
            stretches = np.logical_or.reduceat(unlike, starts)
            at_fields, anywhere = stretches[are_fields].sum(axis=0), stretches[are_counted].sum(axis=0)
            differing[rest[block]] = (at_fields >= least) & (at_fields >= share * anywhere)
        return differing

    def _differ_in_words_or_amounts(self, fields: NDArray[np.bool_], left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs differ in _REPLACED of the dates and amounts, unless some field has words: bool (p,).

        Words that some document lacks wholly, such as remarks that were added to a page with counters, are no content
        of a field. Payslips differ so. The rounds of a contract and the editions of a page have most dates and amounts
        in common.
        """
        differing = np.ones(len(left), np.bool_)
        if (fields & self.worded & self.present).any():
            return differing
        begins = runs(self.amounts[self.positions[self.replaced] // 2])[0]
        contents = np.ascontiguousarray(self.contents.T[self.replaced])
        for block in blocks(len(left) if len(begins) else 0, max(1, _CELLS // max(1, len(contents)))):
            unlike = np.logical_or.reduceat(contents[:, left[block]] != contents[:, right[block]], begins)
            differing[block] = unlike.sum(axis=0) >= _REPLACED * self.different
        return differing

    def _differ_in_words(self, fields: NDArray[np.bool_], left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs differ in words at some fields, and in words almost nowhere else: bool (p,).

        A word that most contents of a field have in common, such as the last of "city board", belongs to the field.
        """
        counted = self.worded & self.counted
        if len(self.positions):
            in_field = np.add.reduceat(np.where(fields, 1, -1), self.starts) > 0
            fields = fields | np.repeat(in_field, np.diff(np.append(self.starts, len(fields))))
        contents, inside = self.contents.compress(counted, axis=1), fields[counted]
        differing = np.zeros(len(left), np.bool_)
        for block in blocks(len(left), max(1, _CELLS // max(1, len(inside)))):
            unlike = contents.take(left[block], axis=0) != contents.take(right[block], axis=0)
            at_fields, anywhere = unlike[:, inside].sum(axis=1), unlike.sum(axis=1)
            differing[block] = (at_fields > 0) & (at_fields >= FIELD_SHARE * anywhere)
        return differing


def _are_first(contents: NDArray[np.unsignedinteger[Any]], positions: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Tell which positions are the first with their contents in all documents: bool (positions,).

    A name or "he" that is replaced in several places is one change. The words of one long replacement, whose positions
    are side by side, are many changes. contents: as in _FormFields.
    """
    factors = splitmix(np.arange(len(contents), dtype=np.uint64)) | np.uint64(1)
    hashes = factors @ contents
    continues = np.append(False, (hashes[1:] == hashes[:-1]) & (np.diff(positions) <= _SIDE_BY_SIDE))
    columns = np.arange(len(hashes), dtype=np.uint64)
    hashes += columns - np.maximum.accumulate(columns * ~continues)  # how far into one replacement, so that all differ
    order = np.argsort(hashes, kind="stable")
    return row_mask(len(hashes), order[runs(hashes[order])[0]])


def _are_many(contents: NDArray[np.unsignedinteger[Any]], count: int) -> bool:
    """Tell whether there are `count` documents of which each fills in half of the fields otherwise than the others.

    Copies of a few editions may be many too, in two formats or with names hidden in two ways, but each has equals.
    contents: of the fields.
    """
    for _ in range(count - 1):
        contents = contents[2 * (contents != contents[:1]).sum(axis=1) > contents.shape[1]]
    return len(contents) > 0


def _have_enough_partners(left: Ints, right: Ints, count: int) -> NDArray[np.bool_]:
    """Tell which of `count` documents have enough partners in these pairs to be fillings of a form: bool (count,)."""
    return np.bincount(np.concatenate((left, right)), minlength=count) + 1 >= LEAST_FILLINGS


def differences_of(centre: Trace, member: Trace, gaps: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, int]]:
    """Yield (code, hash of the content) where a member differs. gaps: as in Gaps.

    The position is 2 n + 1 where word n of the centre is replaced, 2 n where text is inserted before it. A code is
    4 position, + _WORDED if there are words besides numbers, + _IS_NUMBER if it is a number for a number. Words are
    matched one to one where equally many words are replaced; else each has the whole replacement.
    """
    of_centre, of_member, words = numbers_of(centre), numbers_of(member), member.tobytes()
    size = member.itemsize
    for i0, i1, j0, j1 in gaps:
        worded = _WORDED * (0 in of_centre[i0:i1] or 0 in of_member[j0:j1])
        if i1 - i0 == j1 - j0:
            for i, j in zip(range(i0, i1), range(j0, j1), strict=True):
                is_number = of_centre[i] + of_member[j] == 2
                yield 4 * (2 * i + 1) + worded + _IS_NUMBER * is_number, _hash(words[j * size : (j + 1) * size])
        else:
            content = _hash(words[j0 * size : j1 * size])
            for position in range(2 * i0 + 1, 2 * i1, 2) if i1 > i0 else (2 * i0,):
                yield 4 * position + worded, content


def _hash(content: bytes) -> int:
    """Return a hash of some words, or of none, that is not 0."""
    return xxh3(content) or 1


def _are_fields(contents: Ints) -> NDArray[np.bool_]:
    """Tell which positions are fields: bool (positions,).

    A field has LEAST_FILLINGS contents or more, and most pairs of documents differ there. contents: as in _FormFields.
    """
    count, positions = contents.shape
    filled = np.zeros(positions, np.bool_)
    if count < LEAST_FILLINGS:
        return filled
    for block in blocks(positions, max(1, _CELLS // count)):
        ordered = np.sort(contents[:, block].T, axis=1)
        is_new = np.ones(ordered.shape, np.bool_)
        is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        different = is_new.sum(axis=1)
        sizes = np.diff(np.append(np.flatnonzero(is_new), ordered.size))
        alike = np.add.reduceat(sizes * (sizes - 1), starts_of(different)[:-1])
        filled[block] = (different >= LEAST_FILLINGS) & (1 - alike / (count * (count - 1)) >= UNLIKE_SHARE)
    return filled
