"""What the person decided about documents and groups: held, taken back, made again, kept on disk.

A verdict is said of a whole cluster: that it was looked at, or that its documents are no duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.relation import Relation
from dupfinder.library.decisions import Decision, Decisions, StoredVerdict
from dupfinder.library.decisions import VerdictKind as VerdictKind
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Clusters
from dupfinder.review.members import REMOVED


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said of some documents. It holds for a group that has no document besides these; when another joins,
    that is a new question.
    """

    kind: VerdictKind
    rows: frozenset[int]

    @classmethod
    def of(cls, kind: VerdictKind, clusters: Clusters, place: int) -> Verdict:
        """A verdict about the cluster at a place."""
        return cls(kind, frozenset(clusters.rows(place).tolist()))


class Verdicts:
    """The verdicts of a scan of `count` documents. Any thread may ask while one changes: the set is replaced whole."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._held: frozenset[Verdict] = frozenset()

    def change(self, added: Iterable[Verdict] = (), dropped: Iterable[Verdict] = ()) -> None:
        """Say some things, and take others back."""
        self._held = (self._held - frozenset(dropped)) | frozenset(added)

    def about(self, kind: VerdictKind, clusters: Clusters, place: int) -> tuple[Verdict, ...]:
        """The verdicts that hold for the cluster at a place."""
        here = Verdict.of(kind, clusters, place)
        return tuple(verdict for verdict in self._held if verdict.kind is kind and verdict.rows >= here.rows)

    def covers(self, kind: VerdictKind, rows: Iterable[int]) -> bool:
        """Say whether a verdict of this kind holds for some documents together."""
        asked = frozenset(rows)
        return any(verdict.kind is kind and verdict.rows >= asked for verdict in self._held)

    def mask(self, kind: VerdictKind, clusters: Clusters) -> NDArray[np.bool_]:
        """For which clusters a verdict of this kind holds, bool (g,)."""
        found = np.zeros(len(clusters), np.bool_)
        held = [verdict for verdict in self._held if verdict.kind is kind]
        self._mark_covered(held, clusters, found)
        return found

    def _mark_covered(self, held: list[Verdict], clusters: Clusters, found: NDArray[np.bool_]) -> None:
        """A cluster is covered when as many of its documents are in one verdict as it has."""
        if not held or not len(clusters):
            return
        sizes = np.diff(clusters.starts)
        place_of = np.full(self._count, -1, np.int64)
        place_of[clusters.members] = clusters.places
        lengths = [len(one.rows) for one in held]
        rows = np.fromiter((row for one in held for row in one.rows), np.int64, sum(lengths))
        owner, at = np.repeat(np.arange(len(held)), lengths), place_of[rows]
        keys = np.sort((owner * len(clusters) + at)[at >= 0])
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        places = keys[begins] % len(clusters)
        found[places[np.diff(begins, append=len(keys)) == sizes[places]]] = True


def stored(verdict: Verdict, documents: Documents) -> StoredVerdict:
    """A verdict by paths and contents, as it is kept."""
    named = tuple(sorted((documents.paths[row], documents.content_hex(row)) for row in verdict.rows))
    return StoredVerdict(int(verdict.kind), None, named)


def restored(decisions: Decisions, documents: Documents) -> Iterator[Verdict]:
    """What was kept, as far as it speaks of documents that are here with the content they had."""
    kept = decisions.verdicts()
    rows = {path: row for row, path in enumerate(documents.paths)} if kept else {}
    for one in kept:
        here = [(rows[path], content) for path, content in one.documents if path in rows]
        same = frozenset(row for row, content in here if documents.content_hex(row) == content)
        if same and one.kind in set(VerdictKind):
            yield Verdict(VerdictKind(one.kind), same)


@dataclass(frozen=True, slots=True)
class Changed:
    """What a listener is told. documents: rows whose decision changed; clusters: the list itself is another."""

    documents: tuple[int, ...] = ()
    clusters: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The action bar's numbers. relations: marked documents by what they are to the survivor that each gives way to.
    bytes: that are really freed, of files with several names once all go. hidden_marks: marks that the present demand
    shows in no group, or without a survivor; they are left out of the plan. unseen: marked versions and parts that were
    not yet opened in the comparison.
    """

    documents: int
    bytes: int
    hidden_marks: int
    relations: Mapping[Relation, int]
    unseen: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Act:
    """One decision, for undo. rows int64 (m,); before, after uint8 (m,); added, dropped: verdicts that came with it."""

    rows: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    added: tuple[Verdict, ...] = ()
    dropped: tuple[Verdict, ...] = ()

    @classmethod
    def of_verdicts(cls, added: tuple[Verdict, ...], dropped: tuple[Verdict, ...]) -> Act:
        """Make an act that decides about groups alone."""
        return cls(np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint8), added, dropped)


class Acts:
    """The decision about each document and the verdicts on groups, with undo.

    Knows nothing of survivors: what may be decided is the business of Marks. `tell` is called after each change.
    decisions: uint8 (n,), Decision. edition: raised with each change of a verdict.
    """

    def __init__(self, documents: Documents, kept: Decisions | None, tell: Callable[[Changed], None]) -> None:
        self._documents, self._kept, self._tell = documents, kept, tell
        self.decisions: NDArray[np.uint8] = np.zeros(len(documents), np.uint8)
        self.verdicts = Verdicts(len(documents))
        self.edition = 0
        self._done: list[Act] = []
        self._taken_back: list[Act] = []

    def load(self) -> None:
        """Take over the decisions and verdicts on disk, as far as the documents still have the bytes that were decided
        about and may be marked."""
        if self._kept is None:
            return
        documents = self._documents
        self.verdicts.change(restored(self._kept, documents))
        marks = self._kept.load()
        for row, path in enumerate(documents.paths) if marks else ():
            content, decision = marks.get(path, ("", 0))
            forbidden = decision in REMOVED and (documents.protected[row] or documents.archive[row] >= 0)
            if decision and content == documents.content_hex(row) and not forbidden:
                self.decisions[row] = decision

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
    def can_redo(self) -> bool:
        """Whether a decision that was taken back can be made again."""
        return bool(self._taken_back)

    @property
    def undo_size(self) -> int:
        """How many documents the next undo concerns."""
        return len(self._done[-1].rows) if self._done else 0

    @property
    def count(self) -> int:
        """How many acts can be taken back; for `join` and `roll_back`."""
        return len(self._done)

    def do(self, act: Act) -> None:
        """Carry an act out."""
        self._done.append(act)
        self._taken_back.clear()
        self._apply(act.rows, act.after, act.added, act.dropped)

    def undo(self) -> None:
        """Take the newest act back."""
        if self._done:
            act = self._done.pop()
            self._taken_back.append(act)
            self._apply(act.rows, act.before, act.dropped, act.added)

    def redo(self) -> None:
        """Make the act that was taken back again."""
        if self._taken_back:
            act = self._taken_back.pop()
            self._done.append(act)
            self._apply(act.rows, act.after, act.added, act.dropped)

    def join(self, start: int) -> None:
        """Make one step of undo of all acts since there were `start` of them."""
        later = self._done[start:]
        if len(later) > 1:
            rows = np.concatenate([act.rows for act in later])
            before, after = (np.concatenate([getattr(act, side) for act in later]) for side in ("before", "after"))
            self._done[start:] = [Act(*_once(rows, before, after))]

    def roll_back(self, start: int) -> None:
        """Take all acts back since there were `start` of them, as if they had never been."""
        while len(self._done) > start:
            self.undo()
        self._taken_back.clear()

    def forget(self, rows: NDArray[np.int64]) -> None:
        """Drop the decisions about some documents, and with them what could be undone."""
        decided = rows[self.decisions[rows] != Decision.UNDECIDED]
        self.decisions[rows] = Decision.UNDECIDED
        self._store(decided)
        self._done.clear()
        self._taken_back.clear()

    def judge(self, added: tuple[Verdict, ...], dropped: tuple[Verdict, ...]) -> None:
        """Add some verdicts and drop others, here and on disk."""
        if not added and not dropped:
            return
        self.verdicts.change(added, dropped)
        self.edition += 1
        if self._kept is not None:
            self._kept.keep_verdicts(
                [stored(verdict, self._documents) for verdict in added],
                [stored(verdict, self._documents) for verdict in dropped],
            )

    def _apply(
        self,
        rows: NDArray[np.int64],
        decisions: NDArray[np.uint8],
        added: tuple[Verdict, ...],
        dropped: tuple[Verdict, ...],
    ) -> None:
        self.decisions[rows] = decisions
        self.judge(added, dropped)
        self._store(rows)
        self._tell(Changed(tuple(rows.tolist()), clusters=bool(added or dropped)))

    def _store(self, rows: NDArray[np.int64]) -> None:
        if self._kept is None or not len(rows):
            return
        documents = self._documents
        self._kept.store(
            (documents.path(row), documents.content_hex(row), int(self.decisions[row])) for row in rows.tolist()
        )


def _once(
    rows: NDArray[np.int64], before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
    """Name each row of successive acts once, with its first decision before and its last one after."""
    order = np.argsort(rows, kind="stable")
    is_first = np.diff(rows[order], prepend=-1) != 0
    first, last = order[is_first], order[np.append(is_first[1:], True)]
    return rows[first], before[first], after[last]
