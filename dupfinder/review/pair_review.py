"""Decide about pairs of documents one by one, in the order of their similarity."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys, runs
from dupfinder.base.errors import PlanError
from dupfinder.cluster.relation import SURVIVING, Relation, reversed_of
from dupfinder.review.acts import Act, VerdictKind
from dupfinder.review.members import MARKS, Decision
from dupfinder.review.session import ReviewSession

USUAL: Final = frozenset({Relation.VERSION})  # the relations of a review, unless the person has chosen some


class PairState(IntEnum):
    """What was decided about a pair. MARKED: one of the two is to be removed. APART: they are no duplicates."""

    OPEN = 0
    KEPT = 1
    MARKED = 2
    APART = 3


class PairReview:
    """The open pairs of the listed groups when the review begins, the most similar first.

    A pair is the kept copy of a group, or the document that contains a part, and another member with one of the
    relations asked for, about which the person has not decided. Identical members are one pair; a mark concerns all.

    left, right: int32 (m,), rows; the right one is removed. relation: uint8 (m,), of the right one to the left one.
    similarity: float32 (m,).
    """

    def __init__(self, session: ReviewSession, relations: frozenset[Relation]) -> None:
        self._session, self._acts, self._grouping = session, session.acts, session.grouping
        clusters, markable = session.all_clusters(), session.marks.markable()
        kept = np.where(clusters.whole >= 0, clusters.whole, clusters.keepers[clusters.positions])
        members, contents = clusters.members, self._grouping.contents
        is_asked = np.isin(clusters.relation, [int(relation) for relation in relations]) & (members != kept)
        is_asked &= np.isin(clusters.ids, session.listed().ids)[clusters.positions]
        is_asked &= markable[members] & session.marks.stays()[kept]
        is_asked &= ~np.isin(contents[members], contents[session.marks.decided()])
        entries = np.flatnonzero(is_asked)
        ranks = self._grouping.files.ranks[members[entries]]
        entries = entries[np.lexsort((-ranks, -clusters.similarity[entries]))]
        same = contents[members[entries]]
        by_content = np.argsort(same, kind="stable")
        begins, _ = runs(same[by_content])
        entries = entries[np.sort(by_content[begins])]
        self.left, self.right = kept[entries].astype(np.int32), members[entries]
        self.relation, self.similarity = clusters.relation[entries], clusters.similarity[entries]
        self._marked = np.full(len(entries), -1, np.int32)  # row that was marked for each pair

    def __len__(self) -> int:
        return len(self.left)

    def states(self) -> NDArray[np.uint8]:
        """Return the PairState of each pair: uint8 (m,)."""
        left, right = (self._acts.decisions[side] for side in (self.left, self.right))
        is_left_decided = (left == Decision.KEEP) | np.isin(left, MARKS)  # the second: for another pair
        states = np.where(is_left_decided & (right == Decision.KEEP), PairState.KEPT, PairState.OPEN)
        states[np.isin(right, MARKS)] = PairState.MARKED
        states[self._are_apart()] = PairState.APART
        return states.astype(np.uint8)

    def _are_apart(self) -> NDArray[np.bool_]:
        """Return which pairs were said to be no duplicates, alone or as a group: bool (m,)."""
        parted = np.array(list(self._acts.verdicts.parted()), np.int32).reshape(-1, 2)
        alone = np.isin(self._keys(self.left, self.right), self._keys(parted[:, 0], parted[:, 1]))
        clusters, positions_of = self._session.all_clusters(), self._grouping.positions_of(self._session.demand)
        groups = self._acts.verdicts.mask(VerdictKind.APART, clusters)
        positions = positions_of[self.right]
        together = (positions >= 0) & (positions == positions_of[self.left])
        together[together] = groups[positions[together]]
        apart: NDArray[np.bool_] = alone | together
        return apart

    def _keys(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.uint64]:
        """Return a number for each pair, equal if the words are: uint64 (m,)."""
        first, second = self._grouping.representative[left], self._grouping.representative[right]
        return pair_keys(np.minimum(first, second), np.maximum(first, second))

    def counts(self) -> dict[PairState, int]:
        """Return the number of pairs in each state."""
        return dict(zip(PairState, np.bincount(self.states(), minlength=len(PairState)).tolist(), strict=True))

    def next_open(self, after: int) -> int:
        """Return the first open pair after a pair, then from the beginning; -1 if none is open."""
        is_open = np.flatnonzero(self.states() == PairState.OPEN)
        return int(is_open[np.searchsorted(is_open, after, side="right") % len(is_open)]) if len(is_open) else -1

    def swap(self, pair: int) -> None:
        """Swap the documents of a pair, so that the other one is removed."""
        self.left[pair], self.right[pair] = int(self.right[pair]), int(self.left[pair])
        self.relation[pair] = reversed_of(Relation(int(self.relation[pair])))

    # ---- deciding: each replaces an earlier decision about the pair, and is one step of undo -----------------------
    def keep_both(self, pair: int, done: Callable[[None], object]) -> None:
        """Keep both documents of a pair, the left one unless it was marked for another pair; call `done` then."""
        left, right = int(self.left[pair]), int(self.right[pair])
        kept = [right] if self.is_left_marked(pair) else [left, right]
        self._decide(pair, partial(self._session.marks.decide, kept, Decision.KEEP), done)

    def is_left_marked(self, pair: int) -> bool:
        """Tell whether the left document of a pair is to be removed, as was decided about another pair."""
        left = int(self.left[pair])
        return self._session.marks.decision(left) in MARKS and left != self._marked[pair]

    def remove_right(self, pair: int, done: Callable[[None], object], refused: Callable[[PlanError], object]) -> None:
        """Mark the right document of a pair and all that are identical to it; call `done`, or `refused` if none may."""
        contents = self._grouping.contents
        identical = contents == contents[self.right[pair]]
        identical &= self._session.marks.markable()
        identical[self.right[pair]] = True  # if it may not be marked, the reason is told
        rows = np.flatnonzero(identical)
        decision = Decision.REMOVE_PART if self.relation[pair] == Relation.PART else Decision.REMOVE

        def mark() -> None:
            self._session.marks.decide(rows, decision)
            self._marked[pair] = self.right[pair]
            self._pass_on(rows, int(self.left[pair]))

        self._decide(pair, mark, done, refused)

    def _pass_on(self, marked: NDArray[np.intp], stays: int) -> None:
        """Compare what was paired with marked documents with the one that stays in their place, where it is related."""
        for pair in np.flatnonzero(np.isin(self.left, marked) & (self.right != stays)).tolist():
            relation, similarity = self._session.relation_of(int(self.right[pair]), stays)
            if relation in SURVIVING or relation is Relation.PART:
                self.left[pair], self.relation[pair], self.similarity[pair] = stays, relation, similarity

    def can_part(self, pair: int) -> bool:
        """Tell whether the documents of a pair may be called no duplicates: their words differ."""
        representative = self._grouping.representative
        return bool(representative[self.left[pair]] != representative[self.right[pair]])

    def part(self, pair: int, done: Callable[[None], object]) -> None:
        """Record that the documents of a pair are no duplicates of each other; call `done` then."""
        left, right = int(self.left[pair]), int(self.right[pair])
        self._decide(pair, partial(self._session.marks.part, left, right), done)

    def _decide(
        self,
        pair: int,
        act: Callable[[], object],
        done: Callable[[None], object],
        refused: Callable[[PlanError], object] | None = None,
    ) -> None:
        """Carry out a decision about a pair in place of an earlier one."""

        def replace_earlier() -> None:
            start = self._acts.count
            try:
                self._open_again(pair)
                act()
            except PlanError:
                self._acts.roll_back(start)
                raise
            self._acts.join(start)

        self._session.do(replace_earlier, done, refused)

    def _open_again(self, pair: int) -> None:
        """Take back the decision about a pair. What the left document is by another pair, it stays."""
        state, ends = PairState(int(self.states()[pair])), (int(self.left[pair]), int(self.right[pair]))
        if state is PairState.APART:
            parted = self._acts.verdicts.parted()
            rows = np.array(list(parted), np.int32).reshape(-1, 2)
            same = self._keys(rows[:, 0], rows[:, 1]) == self._keys(self.left[[pair]], self.right[[pair]])
            if same.any():
                dropped = tuple(verdict for verdict, is_same in zip(parted.values(), same, strict=True) if is_same)
                self._acts.do(Act.of_verdicts((), dropped))
            else:
                position = int(self._grouping.positions_of(self._session.demand)[ends[1]])
                self._acts.clear_apart(self._session.all_clusters(), position)
        contents, decisions = self._grouping.contents, self._acts.decisions
        ours = [row for row in (ends[1], int(self._marked[pair])) if row >= 0]
        is_decided = np.isin(contents, contents[ours]) & np.isin(decisions, MARKS)
        is_decided[ends[1]] = decisions[ends[1]] != Decision.UNDECIDED
        if is_decided.any():
            self._session.marks.decide(np.flatnonzero(is_decided), Decision.UNDECIDED)
