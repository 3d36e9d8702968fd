"""Decisions about documents and groups: carry them out, store them on disk, undo and redo them.

A verdict is a decision about a whole group: that it was reviewed, or that its documents are no duplicates.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import runs
from dupfinder.base.errors import DupfinderError, PlanError
from dupfinder.cluster.clustering import Clusters
from dupfinder.cluster.relation import Relation
from dupfinder.library.decisions import MARKS, Decision, Decisions, StoredVerdict, VerdictKind
from dupfinder.library.rows import Documents

_AT_ONCE: Final = 10_000  # decisions that are prepared for the disk together
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision about a set of documents, by rows.

    It applies to a group whose documents are all in the set; when another document joins the group, it no longer
    applies. One of the kind PAIR_APART applies to its two documents wherever they are.
    """

    kind: VerdictKind
    rows: frozenset[int]

    @classmethod
    def of(cls, kind: VerdictKind, clusters: Clusters, position: int) -> Verdict:
        return cls(kind, frozenset(clusters.rows(position).tolist()))


class Verdicts:
    """The verdicts on a scan of `count` documents. Any thread may read: the set is replaced, not modified."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._verdicts: frozenset[Verdict] = frozenset()

    def change(self, added: Iterable[Verdict] = (), dropped: Iterable[Verdict] = ()) -> None:
        self._verdicts = (self._verdicts - frozenset(dropped)) | frozenset(added)

    def about(self, kind: VerdictKind, clusters: Clusters, position: int) -> tuple[Verdict, ...]:
        """Return the verdicts of a kind that apply to the group at position `position`."""
        rows = frozenset(clusters.rows(position).tolist())
        return tuple(verdict for verdict in self._verdicts if verdict.kind is kind and verdict.rows >= rows)

    def pairs_apart(self) -> dict[tuple[int, int], Verdict]:
        """Return the verdicts on pairs that are no duplicates, by the two rows in ascending order."""
        verdicts = (verdict for verdict in self._verdicts if verdict.kind is VerdictKind.PAIR_APART)
        return {(min(verdict.rows), max(verdict.rows)): verdict for verdict in verdicts if len(verdict.rows) == 2}

    def without(self, kind: VerdictKind, groups: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
        """Return the groups of documents to which no verdict of this kind applies."""
        verdicts = [verdict.rows for verdict in self._verdicts if verdict.kind is kind]
        return [rows for rows in groups if not any(verdict.issuperset(rows.tolist()) for verdict in verdicts)]

    def mask(self, kind: VerdictKind, clusters: Clusters) -> NDArray[np.bool_]:
        """Return which groups have all of their documents in a single verdict of this kind, bool (g,)."""
        covered = np.zeros(len(clusters), np.bool_)
        verdicts = [verdict.rows for verdict in self._verdicts if verdict.kind is kind]
        if not verdicts or not len(clusters):
            return covered
        positions_of = np.full(self._count, -1, np.int64)
        positions_of[clusters.members] = clusters.positions
        lengths = [len(rows) for rows in verdicts]
        positions = positions_of[np.fromiter(itertools.chain.from_iterable(verdicts), np.int64, sum(lengths))]
        numbers = np.repeat(np.arange(len(verdicts)), lengths)
        # One key for each pair of a verdict and a group.
        keys = np.sort((numbers * len(clusters) + positions)[positions >= 0])
        begins, counts = runs(keys)
        shared = keys[begins] % len(clusters)
        covered[shared[counts == np.diff(clusters.starts)[shared]]] = True
        return covered


def stored_verdict(verdict: Verdict, documents: Documents) -> StoredVerdict:
    """Return a verdict in the form that is stored: by paths and content hashes."""
    named_documents = tuple(sorted((documents.paths[row], documents.content_hex(row)) for row in verdict.rows))
    return StoredVerdict(int(verdict.kind), named_documents)


def restored_verdicts(decisions: Decisions, documents: Documents) -> Iterator[Verdict]:
    """Yield the stored verdicts, reduced to the documents of this scan that still have the same content.

    A document that was moved or renamed is recognised by its content; a further copy is not.
    """
    verdicts = [verdict for verdict in decisions.verdicts() if verdict.kind in set(VerdictKind)]
    contents = {content for verdict in verdicts for _, content in verdict.documents}
    if not contents:
        return
    rows_of = documents.rows_with(contents)
    for verdict in verdicts:
        paths, rows = dict(verdict.documents), set[int]()
        for content, count in Counter(paths.values()).items():
            same = sorted(rows_of.get(content, ()), key=lambda row: documents.paths[row] not in paths)
            rows.update(same[:count] if content else [row for row in same if documents.paths[row] in paths])
        if rows:
            yield Verdict(VerdictKind(verdict.kind), frozenset(rows))


@dataclass(frozen=True, slots=True)
class SessionChange:
    """What a listener receives. documents: rows whose decision changed. clusters: the list of groups changed."""

    documents: tuple[int, ...] = ()
    clusters: bool = False


@dataclass(frozen=True, slots=True)
class MarkSummary:
    """The numbers of the action bar.

    relations: marked documents by their relation to the survivor.
    bytes: that the removal frees; those of a file with several names only if all of its names are removed.
    hidden_marks: marks on documents that, under the present demand, are in no group or have no survivor; the plan
    leaves them out.
    unseen: marked versions and parts that were not yet opened in the comparison.
    """

    documents: int
    bytes: int
    hidden_marks: int
    relations: Mapping[Relation, int]
    unseen: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Act:
    """One decision, for undo. rows: int64 (m,). before, after: uint8 (m,), Decision. added, dropped: verdicts."""

    rows: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    added: tuple[Verdict, ...] = ()
    dropped: tuple[Verdict, ...] = ()

    @classmethod
    def of_verdicts(cls, added: tuple[Verdict, ...], dropped: tuple[Verdict, ...]) -> Act:
        return cls(np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint8), added, dropped)

    def reversed(self) -> Act:
        """Return the act that undoes this one."""
        return Act(self.rows, self.after, self.before, self.dropped, self.added)


class Acts:
    """The decision about each document and the verdicts on groups, with undo.

    Does not check that survivors remain; Marks does. `tell` is called after each change.
    copies_stay: returns, under some decisions, which documents have a copy that stays, bool (n,).
    decisions: uint8 (n,), Decision. needs_copy: bool (n,), documents marked while a copy of them was to stay.
    edition: increases with each change of a verdict.
    """

    def __init__(
        self,
        documents: Documents,
        stored_decisions: Decisions | None,
        copies_stay: Callable[[NDArray[np.uint8]], NDArray[np.bool_]],
        tell: Callable[[SessionChange], None],
    ) -> None:
        self._documents, self._stored_decisions = documents, stored_decisions
        self._copies_stay, self._tell = copies_stay, tell
        self.decisions: NDArray[np.uint8] = np.zeros(len(documents), np.uint8)
        self.needs_copy: NDArray[np.bool_] = np.zeros(len(documents), np.bool_)
        self._needed_copy = self.needs_copy.copy()  # the same of documents whose marks were taken back
        self.verdicts = Verdicts(len(documents))
        self.edition = 0
        self.marks_done: dict[int, Decision] = {}  # the marks of removed documents, by row
        self._done: list[Act] = []
        self._taken_back: list[Act] = []

    def load(self) -> None:
        """Load the stored decisions and verdicts, for documents that still have the same content and may be marked."""
        if self._stored_decisions is not None:
            self.take_over(self._stored_decisions)

    def take_over(self, stored: Decisions, *, marks: bool = True) -> None:
        """Take over decisions and verdicts that are stored elsewhere. marks: those to remove documents, too."""
        documents = self._documents
        self.verdicts.change(restored_verdicts(stored, documents))
        taken = {path: entry for path, entry in stored.load().items() if marks or entry[1] == Decision.KEEP}
        known = [(row, *taken[path]) for row, path in enumerate(documents.paths) if path in taken] if taken else []
        rows = np.array([row for row, _, _ in known], np.int64)
        unchanged = [content == now for (_, content, _), now in zip(known, documents.content_hexes(rows), strict=True)]
        decisions = np.array([decision for _, _, decision in known], np.uint8)
        forbidden = np.isin(decisions, MARKS) & (documents.protected | documents.inside)[rows]
        valid = np.array(unchanged, np.bool_) & ~forbidden
        self._take(rows[valid], decisions[valid])
        self._needed_copy |= self.needs_copy

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Which documents are to be removed, bool (n,)."""
        marked: NDArray[np.bool_] = np.logical_or(
            self.decisions == Decision.REMOVE, self.decisions == Decision.REMOVE_PART
        )
        return marked

    @property
    def can_undo(self) -> bool:
        """Whether a decision can be taken back."""
        return bool(self._done)

    @property
    def undo_size(self) -> int:
        """How many documents the next undo concerns."""
        return len(self._done[-1].rows) if self._done else 0

    @property
    def count(self) -> int:
        """How many acts can be taken back; for `join` and `roll_back`."""
        return len(self._done)

    def do(self, act: Act) -> None:
        """Apply an act and add it to those that can be undone."""
        self._apply(act)
        self._done.append(act)
        self._taken_back.clear()
        self._tell_of(act)

    def undo(self) -> bool:
        """Undo the newest act; return False if no act is left to undo."""
        if not self._done:
            return False
        act = self._done[-1]
        self._apply(act.reversed(), again=True)
        self._taken_back.append(self._done.pop())
        self._tell_of(act)
        return True

    def undoing_newest(self) -> Callable[[], bool]:
        """Return a function that undoes the newest act; after a later act, it does nothing and returns False."""
        newest = self._done[-1] if self._done else None
        return lambda: bool(self._done) and self._done[-1] is newest and self.undo()

    def redo(self) -> None:
        """Repeat the act that was undone last."""
        if self._taken_back:
            act = self._taken_back[-1]
            self._apply(act, again=True)
            self._done.append(self._taken_back.pop())
            self._tell_of(act)

    def join(self, start: int) -> None:
        """Merge all acts after the first `start` into a single step of undo. They must not undo each other."""
        later = self._done[start:]
        if len(later) > 1:
            rows, before, after = (
                np.concatenate([getattr(act, name) for act in later]) for name in ("rows", "before", "after")
            )
            added, dropped = (
                tuple(verdict for act in later for verdict in getattr(act, name)) for name in ("added", "dropped")
            )
            self._done[start:] = [Act(*_once(rows, before, after), added, dropped)]

    def roll_back(self, start: int) -> None:
        """Undo all acts after the first `start`; they cannot be redone."""
        while len(self._done) > start:
            self.undo()
        self._taken_back.clear()

    def forget(self, rows: NDArray[np.int64]) -> None:
        """Move the marks of removed documents to `marks_done`, and clear undo and redo."""
        marked = rows[self.marked[rows]]
        decisions = np.where(self.needs_copy[marked], np.uint8(Decision.REMOVE_COPY), self.decisions[marked])
        self.marks_done.update(zip(marked.tolist(), map(Decision, decisions), strict=True))
        self._store(marked, np.full(len(marked), Decision.UNDECIDED, np.uint8))
        self._done.clear()
        self._taken_back.clear()

    def set_apart(self, clusters: Clusters, position: int) -> None:
        """Record that the documents of the group at a position are no duplicates, and make them undecided."""
        rows = clusters.rows(position).astype(np.int64)
        undecided = np.full(len(rows), Decision.UNDECIDED, np.uint8)
        self.do(Act(rows, self.decisions[rows], undecided, (Verdict.of(VerdictKind.APART, clusters, position),)))

    def clear_apart(self, clusters: Clusters, position: int) -> None:
        """Undo `set_apart`."""
        self.do(Act.of_verdicts((), self.verdicts.about(VerdictKind.APART, clusters, position)))

    def set_reviewed(self, clusters: Clusters, position: int) -> None:
        """Record that the group at a position was reviewed. Not a step of undo."""
        self.change_verdicts((Verdict.of(VerdictKind.REVIEWED, clusters, position),), ())
        self._tell(SessionChange(clusters=True))

    def change_verdicts(self, added: tuple[Verdict, ...], dropped: tuple[Verdict, ...]) -> None:
        """Add some verdicts and drop others, in memory and on disk."""
        if not added and not dropped:
            return
        if self._stored_decisions is not None:
            self._stored_decisions.store_verdicts(
                [stored_verdict(verdict, self._documents) for verdict in added],
                [stored_verdict(verdict, self._documents) for verdict in dropped],
            )
        self.verdicts.change(added, dropped)
        self.edition += 1

    def _apply(self, act: Act, *, again: bool = False) -> None:
        """Change decisions and verdicts, on disk first: what cannot be stored does not count.

        again: by undo or redo.
        """
        self.change_verdicts(act.added, act.dropped)
        self._store(act.rows, act.after, again=again)

    def _tell_of(self, act: Act) -> None:
        self._tell(SessionChange(tuple(act.rows.tolist()), clusters=bool(act.added or act.dropped)))

    def _store(self, rows: NDArray[np.int64], decisions: NDArray[np.uint8], *, again: bool = False) -> None:
        """Store the decisions of some rows, and what other marks need now, on disk and then in memory.

        again: marks need what they needed before; the person agrees to nothing new by undo and redo.
        """
        after = self.decisions.copy()
        after[rows] = decisions
        needs_copy = (after == Decision.REMOVE) & self._copies_stay(after)
        if again:
            needs_copy[rows] |= (after[rows] == Decision.REMOVE) & self._needed_copy[rows]
        rows = np.union1d(rows, np.flatnonzero(needs_copy != self.needs_copy))
        if not again:
            marked = rows[after[rows] == Decision.REMOVE]
            self._needed_copy[marked] = needs_copy[marked]
        decisions = np.where(needs_copy[rows], np.uint8(Decision.REMOVE_COPY), after[rows])
        if self._stored_decisions is not None:
            starts = range(0, len(rows), _AT_ONCE)
            pieces = ((rows[start : start + _AT_ONCE], decisions[start : start + _AT_ONCE]) for start in starts)
            self._stored_decisions.store(itertools.chain.from_iterable(itertools.starmap(self._to_store, pieces)))
        self._take(rows, decisions)

    def _take(self, rows: NDArray[np.int64], stored: NDArray[np.uint8]) -> None:
        """Take over the decisions of some rows, uint8 (m,), as they are on disk."""
        self.needs_copy[rows] = needs_copy = stored == Decision.REMOVE_COPY
        self.decisions[rows] = np.where(needs_copy, np.uint8(Decision.REMOVE), stored)

    def _to_store(self, rows: NDArray[np.int64], decisions: NDArray[np.uint8]) -> Iterable[tuple[str, str, int]]:
        """Return the path, the content hash and the decision of some rows."""
        paths = map(self._documents.paths.__getitem__, rows.tolist())
        return zip(paths, self._documents.content_hexes(rows), decisions.tolist(), strict=True)


def _once(
    rows: NDArray[np.int64], before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
    """Merge successive acts: return each row once, with its first decision before and its last decision after."""
    order = np.argsort(rows, kind="stable")
    is_first = np.diff(rows[order], prepend=-1) != 0
    first, last = order[is_first], order[np.append(is_first[1:], True)]
    return rows[first], before[first], after[last]


_Result = TypeVar("_Result")
Carrier = Callable[[Callable[[], Any], Callable[[Callable[[], Any]], None]], None]
"""Carries out an act, then calls its second argument with a function that returns the act's result or raises."""


class ActRunner:
    """Carries out the acts of one review.

    carrier: carries out acts in another thread, by `run_beside`; None: acts are carried out at once. prepare: computes
    what is shown after an act. show: shows it and informs the listeners of the change.
    """

    def __init__(self, prepare: Callable[[], object], show: Callable[[SessionChange], None]) -> None:
        self.carrier: Carrier | None = None
        self._prepare, self._show = prepare, show
        self._thread: int | None = None  # the thread that carries out an act beside the window
        self._unshown: list[SessionChange] = []  # changes that this act made and that are not yet shown

    def do(
        self,
        act: Callable[[], _Result],
        done: Callable[[_Result], object] = lambda _: None,
        refused: Callable[[PlanError], object] | None = None,
    ) -> None:
        """Carry out an act: at once, or by the carrier after all earlier ones.

        done: receives its result once the change was shown. refused: receives a PlanError, which is raised otherwise.
        """

        def finish(outcome: Callable[[], _Result]) -> None:
            try:
                result = outcome()
            except PlanError as error:
                if refused is None:
                    raise
                refused(error)
            else:
                done(result)

        if self.carrier is not None and threading.get_ident() != self._thread:
            self.carrier(act, finish)
        else:
            finish(act)

    def run_beside(self, act: Callable[[], _Result]) -> Callable[[], _Result]:
        """Carry out an act in this thread, which is not the window's, and compute what is shown after it.

        The returned function is called in the window's thread: it shows the change and returns the result of the act,
        or raises its error.
        """
        self._unshown, self._thread = [], threading.get_ident()
        failure: DupfinderError | None = None
        try:
            result = act()
        except DupfinderError as error:
            failure = error
            if not isinstance(error, PlanError):  # after the page was closed, nobody else tells of it
                _log.warning("a decision could not be stored", exc_info=error)
        finally:
            changes, self._thread = self._unshown, None
        if changes:
            self._prepare()

        def show() -> _Result:
            if changes:
                documents = tuple(row for change in changes for row in change.documents)
                self._show(SessionChange(documents, any(change.clusters for change in changes)))
            if failure is not None:
                raise failure
            return result

        return show

    def hold(self, change: SessionChange) -> bool:
        """Hold back a change that an act in another thread made, until it can be shown. Return False for others."""
        if threading.get_ident() == self._thread:
            self._unshown.append(change)
            return True
        return False
