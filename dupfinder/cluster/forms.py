"""Filled-in forms: documents that share a printed text and differ in what was filled in at the same fields.

A single pair cannot distinguish a form filled in twice from a version with a few words replaced. Three documents can:
at a field of a form each has its own content, while the edits of versions are at different positions. A position with
numbers or dates only is no evidence, because versions of one document often differ in a date or a number. But a form
asks for some of these beside names: copies of one text that each misspell a name, hide it, or have a stamp agree in
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Whole, distinct, looked_up, pair_keys, pairs_of, runs
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.cluster.alignment import SharedTraces, Traces, gaps_of, numbers_of
from dupfinder.cluster.linkage import Edges, components
from dupfinder.cluster.relation import LEAST_SIMILARITY, Difference, Evidence, similarity
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.tokens import Trace
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew, Shared

LEAST_FILLINGS: Final = 3  # different contents that a field of a form must have; twice as many if no field has numbers
FIELD_SHARE: Final = 0.7  # share of the differing positions that are fields; others may have few choices: "Ms", "Mr"
UNLIKE_SHARE: Final = 0.65  # share of document pairs that must differ at a field; one edited word gives at most 0.5
_PORTION: Final = 10_000  # pairs examined together
_CELLS: Final = 4_000_000  # contents compared at a time; bounds the working memory


def same_forms(
    pairs: Pairs, evidence: Evidence, traces: Traces, ranks: NDArray[np.int64], reporter: Reporter | None = None
) -> NDArray[np.bool_]:
    """Tell which pairs are two fillings of one form: bool (m,). Raises Stopped.

    ranks: int64 (n,), an order of the documents that does not depend on their names; it breaks ties.

    Documents that differ in short replacements are grouped around the document with the most such pairs, and only
    aligned with that centre, so that a form with 5,000 fillings costs 5,000 alignments. Two documents that are fillings
    by comparison with others may also differ in longer replacements.
    """
    reporter = reporter or Silent()
    similar = (evidence.difference != Difference.UNKNOWN) & (evidence.resemblance >= LEAST_SIMILARITY)
    short = (evidence.difference == Difference.SHORT) | (evidence.difference == Difference.NUMBERS)
    rows = np.flatnonzero(similar)
    edges = Edges.of(pairs.take(rows), len(ranks))
    is_short = short[rows[edges.row]]
    partners = np.diff(np.concatenate(([0], np.cumsum(is_short)))[edges.starts])
    form, filled = np.zeros(len(pairs), np.bool_), np.zeros(len(ranks), np.bool_)
    by_partners = np.lexsort((ranks, -partners))
    for centre in by_partners[: np.count_nonzero(partners >= LEAST_FILLINGS - 1)].tolist():
        reporter.check()
        entries = slice(edges.starts[centre], edges.starts[centre + 1])
        remaining = edges.other[entries][is_short[entries]]
        remaining = remaining[~filled[remaining]]
        if filled[centre] or len(remaining) < LEAST_FILLINGS - 1:
            continue
        members = np.concatenate(([centre], remaining[np.argsort(ranks[remaining])]))
        left, right, row = edges.among(members)
        differing = _Fields(traces, members.tolist()).differ_as_fillings(left, right, short[rows[row]])
        form[rows[row[differing]]] = True
        of_form = _have_partners(left[differing], right[differing], len(members))
        filled[members[of_form]] = True
    return form | _edited_fillings(pairs, evidence, form, ranks)


@dataclass(frozen=True, slots=True)
class _PairsTask:
    """Some pairs and what `same_forms` needs of them."""

    pairs: Pairs
    evidence: Evidence
    traces: SharedTraces
    ranks: Shared


def shared_forms(
    pairs: Pairs,
    evidence: Evidence,
    changed: Whole,
    traces: SharedTraces,
    ranks: NDArray[np.int64],
    crew: Crew,
    reporter: Reporter,
) -> NDArray[np.bool_]:
    """Tell the same as `same_forms`, in portions that the processes of a crew share: bool (m,). Raises Stopped.

    changed: rows of similar pairs, all of connected documents; of the others, the column `form` is taken as it is.
    Documents that no similar pairs connect do not influence each other, so the portions are connected documents.
    """
    form = evidence.form.copy()
    shared_ranks = crew.share([ranks], np.int64)
    portions: list[NDArray[np.uint32]] = []
    large: list[NDArray[np.uint32]] = []
    for rows in _connected(pairs, changed, len(ranks)):
        (large if len(rows) > 2 * _PORTION else portions).append(rows)
    tasks = (_PairsTask(pairs.take(rows), evidence.take(rows), traces, shared_ranks) for rows in portions)
    for number, (rows, is_form) in enumerate(zip(portions, crew.run(_forms, tasks, reporter.check), strict=True)):
        reporter.tell(Progress(Stage.GROUP, number, len(portions)))
        form[rows] = is_form
    for rows in large:
        form[rows] = _forms(_PairsTask(pairs.take(rows), evidence.take(rows), traces, shared_ranks), reporter)
    return form


def _connected(pairs: Pairs, rows: Whole, count: int) -> Iterator[NDArray[np.uint32]]:
    """Yield rows of pairs in portions of about _PORTION, all of connected documents in the same one."""
    keys = _by_label(pairs, rows, count)
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


def _by_label(pairs: Pairs, rows: Whole, count: int) -> NDArray[np.uint64]:
    """Return label << 32 | row of some rows, ascending, with the same label for all of connected documents."""
    left = looked_up(pairs.left, rows)
    labels = components(left, looked_up(pairs.right, rows), np.arange(count, dtype=np.int32))
    keys = pair_keys(looked_up(labels, left), rows)
    keys.sort()
    return keys


def _forms(task: _PairsTask, reporter: Reporter | None = None) -> NDArray[np.bool_]:
    """Return `same_forms` of the pairs of a task."""
    documents, numbers = distinct(np.concatenate((task.pairs.left, task.pairs.right)))
    left, right = np.split(numbers.astype(np.uint32), 2)
    pairs = Pairs(left, right, task.pairs.distance)
    traces, ranks = task.traces.take(documents), task.ranks.array()[documents]
    return same_forms(pairs, task.evidence, traces, ranks, reporter)


def _edited_fillings(
    pairs: Pairs, evidence: Evidence, form: NDArray[np.bool_], ranks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which other pairs are two fillings because their documents are edited copies of two fillings: bool (m,).

    A filling whose printed text was edited too resembles all of them, and may not look like a filling any more. It is a
    version of the filling that it resembles most; to the others it has the relation of that filling.
    """
    fillings = np.union1d(pairs.left[form], pairs.right[form])
    resemblance = similarity(evidence)
    rows = np.flatnonzero(~form & (resemblance >= LEAST_SIMILARITY))
    original = np.arange(len(ranks))
    here = np.concatenate((pairs.left[rows], pairs.right[rows])).astype(np.int64)
    there = np.concatenate((pairs.right[rows], pairs.left[rows])).astype(np.int64)
    is_of_filling = np.isin(there, fillings)
    here, there, similarities = here[is_of_filling], there[is_of_filling], np.tile(resemblance[rows], 2)[is_of_filling]
    order = np.lexsort((-ranks[there], similarities))
    original[here[order]] = there[order]
    left, right = original[pairs.left[rows]], original[pairs.right[rows]]
    originals = pair_keys(np.minimum(left, right), np.maximum(left, right))
    result = np.zeros(len(pairs), np.bool_)
    result[rows[np.isin(originals, pair_keys(pairs.left[form], pairs.right[form]))]] = True
    return result


class _Fields:
    """Positions in the centre document at which others differ from it, and the content of each document there.

    contents: uint64 (documents, positions), a hash of the content of a document; 0: the same as in the centre.
    worded:   bool (positions,), some content has words besides numbers.
    numbered: bool (positions,), a number of the centre is replaced by enough other ones for a field.
    """

    def __init__(self, traces: Traces, members: list[int]) -> None:
        centre = traces.of(members[0])
        entries = [
            (number, *content)
            for number, member in enumerate(members[1:], 1)
            for content in _contents(centre, traces.of(member))
        ]
        rows, places, contents, are_worded, are_numbers = np.array(entries, np.uint64).reshape(-1, 5).T
        positions, columns = distinct(places)
        self.contents = np.zeros((len(members), len(positions)), np.uint64)
        self.contents[rows.astype(np.intp), columns] = contents
        self.worded = np.bincount(columns, are_worded, minlength=len(positions)) > 0
        numbers = set(zip(columns[are_numbers > 0].tolist(), contents[are_numbers > 0].tolist(), strict=True))
        in_others = np.bincount([column for column, _ in numbers], minlength=len(positions))
        self.numbered = in_others + 1 >= LEAST_FILLINGS  # with that of the centre

    def differ_as_fillings(
        self, left: NDArray[np.int64], right: NDArray[np.int64], short: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Tell which pairs of members (indices left, right) are two fillings of one form: bool (p,).

        short: bool (p,), pairs that differ in short replacements.
        A filling differs from at least two others, by such pairs, in words at fields of the form and almost nowhere
        else. Two fillings that differ from each other only in numbers, such as two bills to one customer, are fillings
        too.
        """
        is_filling, settled = np.ones(len(self.contents), np.bool_), False
        while not settled:  # documents that are not fillings must not influence which positions are fields
            filled = np.array([_is_filled(column) for column in self.contents[is_filling].T], np.bool_)
            in_words = self._differ_at(filled & self.worded, self.worded, left, right)
            showing = in_words & short & is_filling[left] & is_filling[right]
            before, is_filling = is_filling, _have_partners(left[showing], right[showing], len(is_filling))
            settled = np.array_equal(before, is_filling)
        if is_filling.sum() < 2 * LEAST_FILLINGS and not (filled & self.numbered).any():
            return np.zeros(len(left), np.bool_)
        everywhere = np.ones(len(filled), np.bool_)
        both_fillings = is_filling[left] & is_filling[right]
        return (in_words | self._differ_at(filled, everywhere, left, right)) & both_fillings

    def _differ_at(
        self, places: NDArray[np.bool_], counted: NDArray[np.bool_], left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Tell which pairs differ at some of the positions `places`, and almost nowhere else: bool (p,).

        counted: bool (positions,), the positions to consider.
        """
        contents, inside = self.contents[:, counted], places[counted].astype(np.int64)
        differing = np.zeros(len(left), np.bool_)
        step = max(1, _CELLS // max(1, len(inside)))
        for start in range(0, len(left), step):
            block = slice(start, start + step)
            unlike = contents[left[block]] != contents[right[block]]
            at_places, anywhere = unlike @ inside, unlike.sum(axis=1)
            differing[block] = (at_places > 0) & (at_places >= FIELD_SHARE * anywhere)
        return differing


def _have_partners(left: NDArray[np.int64], right: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Tell which of `count` documents have enough partners in these pairs to be fillings of a form: bool (count,)."""
    together = np.bincount(np.concatenate((left, right)), minlength=count) + 1
    enough: NDArray[np.bool_] = together >= LEAST_FILLINGS
    return enough


def _contents(centre: Trace, member: Trace) -> Iterator[tuple[int, int, bool, bool]]:
    """Yield (position, hash of the content, whether it has words, is a number for a number) where a member differs.

    The position is 2 n + 1 where word n of the centre is replaced, 2 n where text is inserted before it. Words are
    matched one to one where equally many words are replaced; else each has the whole replacement.
    """
    of_centre, of_member, words = numbers_of(centre), numbers_of(member), member.tobytes()
    size = member.itemsize
    for i0, i1, j0, j1 in gaps_of(centre, member) or ():
        has_words = 0 in of_centre[i0:i1] or 0 in of_member[j0:j1]
        if i1 - i0 == j1 - j0:
            for i, j in zip(range(i0, i1), range(j0, j1), strict=True):
                yield 2 * i + 1, _hash(words[j * size : (j + 1) * size]), has_words, of_centre[i] + of_member[j] == 2
        else:
            content = _hash(words[j0 * size : j1 * size])
            for position in range(2 * i0 + 1, 2 * i1, 2) if i1 > i0 else (2 * i0,):
                yield position, content, has_words, False


def _hash(content: bytes) -> int:
    """Return a hash of some words, or of none, that is not 0."""
    return xxh3(content) or 1


def _is_filled(contents: NDArray[np.uint64]) -> bool:
    """Tell whether a position is a field: at least three contents, and most pairs of documents differ in theirs."""
    if len(contents) < LEAST_FILLINGS:
        return False
    ordered = np.sort(contents)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(np.append(begins, len(ordered)))
    pairs = len(contents) * (len(contents) - 1)
    return len(sizes) >= LEAST_FILLINGS and 1 - float((sizes * (sizes - 1)).sum()) / pairs >= UNLIKE_SHARE
