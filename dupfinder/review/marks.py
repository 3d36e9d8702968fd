"""Marks: which documents are to be removed. Only a change of the demand can take the survivor of a marked document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import distinct, row_mask
from dupfinder.base.errors import ArchivedError, LastCopyError, LastCopyReason, PlanError, ProtectedError
from dupfinder.cluster.relation import SURVIVING, Demand
from dupfinder.library.decisions import MARKS, Decision, VerdictKind
from dupfinder.review.acts import Act, Acts, Verdict
from dupfinder.review.grouping import Grouping, kept_copies
from dupfinder.review.survivors import NOT_ENOUGH, ChosenSurvivors, Survivors


class Marks:
    """Decides about documents, and refuses to mark one without a survivor.

    No sequence of decisions can break these rules. Every marked document has a survivor: an unmarked file outside of
    archives that is identical, has the same words or is a verified version, or a verified whole for a document marked
    as a part. Nothing in a protected folder or an archive is marked. Marks without survivors are not carried out.

    demand: returns the present demand. unavailable: bool (n,), files missing or changed; the session updates it.
    """

    def __init__(
        self, grouping: Grouping, acts: Acts, demand: Callable[[], Demand], unavailable: NDArray[np.bool_]
    ) -> None:
        self._grouping, self._acts, self._demand, self._unavailable = grouping, acts, demand, unavailable
        self._documents = grouping.result.documents

    # ---- present decisions ----------------------------------------------------------------------------------------
    def decision(self, document: int) -> Decision:
        return Decision(int(self._acts.decisions[document]))

    def decided(self) -> NDArray[np.bool_]:
        """Return which documents the person has decided about, bool (n,)."""
        decided: NDArray[np.bool_] = self._acts.decisions != Decision.UNDECIDED
        return decided

    def marked_rows(self) -> NDArray[np.int64]:
        """Return the marked documents whose files are unchanged, int64 (m,), ascending."""
        return np.flatnonzero(self._acts.marked & ~self._unavailable)

    def stays(self) -> NDArray[np.bool_]:
        """Return which files are unchanged since the scan and not marked, bool (n,): only these can be survivors.

        Members of archives cannot: the archive may be removed later, and a removal could not check them.
        """
        return ~self._acts.marked & ~self._unavailable & ~self._documents.inside

    def without_survivor(self, demand: Demand | None = None) -> NDArray[np.bool_]:
        """Return which marked documents have no survivor under a demand, the present by default, bool (n,).

        A document that was marked while a copy of it was to stay needs a copy: the person agreed to no version instead.
        """
        representative, count = self._grouping.representative, self._grouping.count
        has_copy = np.bincount(representative[self.stays()], minlength=count) > 0
        return self._survivors(demand=demand).lost() | (self._acts.needs_copy & ~has_copy[representative])

    def survivors_of(
        self,
        rows: NDArray[np.intp],
        demand: Demand | None = None,
        *,
        copies: Sequence[int] = (),
        parts: Sequence[int] = (),
    ) -> ChosenSurvivors:
        """Choose the survivor of each of some documents, of equal ones preferably the kept copy of its group.

        What rules pass over is chosen only if nothing else stays.
        copies, parts: further documents to treat as marked as copies, and as parts.
        """
        decisions = self._acts.decisions.copy()
        decisions[list(copies)], decisions[list(parts)] = Decision.REMOVE, Decision.REMOVE_PART
        clusters = self._grouping.clusters(demand or self._demand())
        preferred = decisions == Decision.KEEP
        preferred[kept_copies(clusters, self._grouping.files, decisions, self._unavailable)] = True
        passed_over = self._grouping.passed_over
        chosen = self._survivors(decisions, demand, passed_over).choose(rows, preferred)
        without = np.flatnonzero(chosen.rows < 0) if passed_over.any() else np.empty(0, np.intp)
        others = self._survivors(decisions, demand).choose(rows[without], preferred)
        chosen.set(without, others.rows, others.relation, others.similarity)
        chosen.share[without] = others.share
        return chosen

    def copies_stay(self, decisions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return, under some decisions, which documents have a file with the same words that is not marked: bool (n,).

        A file that went missing or changed counts only for marks that were made while it was there.
        """
        representative, count = self._grouping.representative, self._grouping.count
        was_there = np.bincount(representative[self._acts.needs_copy], minlength=count) > 0
        stays = ~np.isin(decisions, MARKS) & ~self._documents.inside
        stays &= ~self._unavailable | was_there[representative]
        return (np.bincount(representative[stays], minlength=count) > 0)[representative]

    def drop_lost(self) -> None:
        """Remove the marks without a survivor: the groups may have changed since the marks were stored."""
        if self._acts.marked.any():
            lost = self.without_survivor()
            self._acts.decisions[lost], self._acts.needs_copy[lost] = Decision.UNDECIDED, False

    # ---- deciding -------------------------------------------------------------------------------------------------
    def decide(self, documents: Sequence[int] | NDArray[np.integer[Any]], decision: Decision) -> None:
        """Decide about some documents, all or none. Raises LastCopyError, ProtectedError, ArchivedError."""
        rows = distinct(np.asarray(documents))[0].astype(np.int64)
        if decision in MARKS:
            self._check_markable(rows)
        decisions = self._acts.decisions
        before = decisions[rows].copy()
        lost_before = self._survivors().lost()
        changed = decisions.copy()
        changed[rows] = decision
        survivors = self._survivors(changed)
        lost = np.flatnonzero(survivors.lost() & ~lost_before)
        if len(lost):
            row = int(lost[0])
            why, other = survivors.why(row)
            share = self._grouping.share_of(row, other) if why is LastCopyReason.PART else 1.0
            raise LastCopyError(
                self._documents.path(row), why, None if other < 0 else self._documents.path(other), share
            )
        self._acts.do(Act(rows, before, changed[rows]))

    def _check_markable(self, rows: NDArray[np.int64]) -> None:
        """Raise ProtectedError or ArchivedError for the first document that may never be marked."""
        documents = self._documents
        protected, inside = (rows[column[rows]].tolist() for column in (documents.protected, documents.inside))
        if protected:
            raise ProtectedError(documents.path(protected[0]))
        if inside:
            archive = documents.archive_of(inside[0])
            assert archive is not None
            raise ArchivedError(documents.path(inside[0]), archive)

    def decide_both(self, copies: Sequence[int], parts: Sequence[int]) -> None:
        """Mark some documents as copies, and others as parts, as one step of undo. Raises as `decide`."""
        start = self._acts.count
        try:
            if parts:
                self.decide(parts, Decision.REMOVE_PART)
            if copies:
                self.decide(copies, Decision.REMOVE)
        except PlanError:
            self._acts.roll_back(start)
            raise
        self._acts.join(start)

    def unmark_all(self) -> int:
        """Take all marks back, as one step of undo, and return how many there were."""
        if len(marked := np.flatnonzero(self._acts.marked)):
            self.decide(marked, Decision.UNDECIDED)
        return len(marked)

    def mark_again(self, documents: Iterable[int]) -> None:
        """Mark restored documents as they were when they were removed, as one step of undo, as far as possible."""
        had = {row: self._acts.marks_done.pop(row) for row in documents if row in self._acts.marks_done}
        copies, versions, parts = (
            [row for row, decision in had.items() if decision is kind]
            for kind in (Decision.REMOVE_COPY, Decision.REMOVE, Decision.REMOVE_PART)
        )
        decided = self._acts.decisions.copy()
        decided[copies], decided[versions], decided[parts] = Decision.REMOVE, Decision.REMOVE, Decision.REMOVE_PART
        has_copy = self.copies_stay(decided)
        asked = [row for row in copies if has_copy[row]] + versions, parts
        self.decide_both(*(rows.tolist() for rows in self.markable_together(*asked)))

    def mark_all(
        self, documents: Sequence[int] | NDArray[np.integer[Any]], decision: Decision = Decision.REMOVE
    ) -> list[tuple[int, LastCopyReason]]:
        """Mark as many of some documents as possible, as one step of undo; return the others, each with the reason.

        In each group the documents that the person keeps stay, or else the kept copy, which is returned with ALONE.
        Documents that are protected, inside archives or kept by the person are neither marked nor returned.
        """
        rows = distinct(np.asarray(documents))[0].astype(np.int64)
        rows = rows[self.markable()[rows] & (self._acts.decisions[rows] != Decision.KEEP)]
        keepers = self._grouping.as_decided(self._demand(), self._acts.decisions, self._unavailable).keepers
        is_keeper = row_mask(self._grouping.count, keepers) & ~self._acts.marked
        others = rows[~is_keeper[rows]]
        asked = (others, ()) if decision is Decision.REMOVE else ((), others)
        to_mark = np.concatenate(self.markable_together(*asked))
        if len(to_mark):
            self.decide(to_mark, decision)
        rest = np.setdiff1d(rows, to_mark)
        reasons = self._survivors().reasons(rest)
        return [
            (row, LastCopyReason.ALONE if is_keeper[row] else why)
            for row, why in zip(rest.tolist(), reasons, strict=True)
        ]

    def keep_this(self, document: int) -> list[tuple[int, LastCopyReason]]:
        """Keep one document and mark the rest of its group that may be removed, as one step of undo.

        Returns those that were not marked, each with the reason, except documents that may never be marked or are kept.
        """
        position = int(self._grouping.positions_of(self._demand())[document])
        start = self._acts.count
        self.decide([document], Decision.KEEP)
        members = self._grouping.clusters(self._demand()).rows(position) if position >= 0 else np.empty(0, np.int32)
        may_go = self.markable()[members] & (members != document) & (self._acts.decisions[members] != Decision.KEEP)
        markable = members[may_go].tolist()
        relations = {row: self._grouping.relation_of(row, document, self._demand())[0] for row in markable}
        related = [row for row, relation in relations.items() if relation in SURVIVING]
        marked = set(self.markable_together(related, ())[0].tolist())
        if marked:
            self.decide(sorted(marked), Decision.REMOVE)
        self._acts.join(start)
        return [
            (row, NOT_ENOUGH.get(relations[row], LastCopyReason.DISTANT)) for row in markable if row not in related
        ] + [
            (row, LastCopyReason.READ_IN_PART if self._grouping.read_in_part[row] else LastCopyReason.ALONE)
            for row in related
            if row not in marked
        ]

    def set_apart(self, left: int, right: int) -> None:
        """Record that two documents with different words are no duplicates of each other, in later scans too.

        From now on they and their copies are unrelated; a mark that loses its survivor by this is removed. If their
        group has no other documents, the decision is recorded about the group. One step of undo.
        """
        clusters = self._grouping.clusters(self._demand())
        position = int(self._grouping.positions_of(self._demand())[right])
        words = self._grouping.representative[[left, right]]
        if position >= 0 and np.isin(self._grouping.representative[clusters.rows(position)], words).all():
            self._acts.set_apart(clusters, position)
            return
        pair, pairs_apart = (min(left, right), max(left, right)), frozenset(self._acts.verdicts.pairs_apart())
        lost_before = self.without_survivor()
        self._grouping.set_apart(pairs_apart | {pair})
        lost = self.without_survivor() & ~lost_before
        self._grouping.set_apart(pairs_apart)
        rows = np.union1d(np.flatnonzero(lost), pair)
        before = self._acts.decisions[rows]
        after = np.where(lost[rows], np.uint8(Decision.UNDECIDED), before)
        self._acts.do(Act(rows, before, after, (Verdict(VerdictKind.PAIR_APART, frozenset(pair)),)))

    def join_again(self, documents: Iterable[int], *, both: bool = False) -> None:
        """Undo `set_apart` for every pair that has one of these documents. both: only for pairs of two of them."""
        rows = frozenset(documents)
        pairs = self._acts.verdicts.pairs_apart().values()
        dropped = tuple(pair for pair in pairs if (pair.rows <= rows if both else pair.rows & rows))
        if dropped:
            self._acts.do(Act.of_verdicts((), dropped))

    def markable(self) -> NDArray[np.bool_]:
        """Return which documents may be marked if they have a survivor, bool (n,)."""
        return ~self._documents.protected & ~self._documents.inside & ~self._unavailable

    def markable_together(
        self, copies: Iterable[int] | NDArray[np.int64], parts: Iterable[int] | NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return which of `copies` may be marked together, and which of `parts` may be marked as parts with them.

        Each round drops the asked documents without a survivor, and the possible survivors of documents that were
        marked before and would lose theirs, until every mark has one.
        """
        asked = np.full(self._grouping.count, Decision.UNDECIDED, np.uint8)
        asked[np.fromiter(copies, np.int64)] = Decision.REMOVE
        asked[np.fromiter(parts, np.int64)] = Decision.REMOVE_PART
        lost_before = self._survivors().lost()
        while (is_asked := asked != Decision.UNDECIDED).any():
            survivors = self._survivors(np.where(is_asked, asked, self._acts.decisions))
            lost = survivors.lost() & (is_asked | ~lost_before)
            if not lost.any():
                break
            drop = lost & is_asked
            marked_before = np.flatnonzero(lost & ~is_asked)
            if len(marked_before):
                drop |= is_asked & survivors.possible_survivors(marked_before)
            asked[drop if drop.any() else is_asked] = Decision.UNDECIDED
        return np.flatnonzero(asked == Decision.REMOVE), np.flatnonzero(asked == Decision.REMOVE_PART)

    def _survivors(
        self,
        decisions: NDArray[np.uint8] | None = None,
        demand: Demand | None = None,
        without: NDArray[np.bool_] | None = None,
    ) -> Survivors:
        """Return the survivors, without some, under some decisions and a demand, the present ones by default."""
        decided = self._acts.decisions if decisions is None else decisions
        marked, parts = np.isin(decided, MARKS), decided == Decision.REMOVE_PART
        unavailable = self._unavailable if without is None else self._unavailable | without
        return Survivors(self._grouping, demand or self._demand(), marked, parts, unavailable)
