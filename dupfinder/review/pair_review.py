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
from dupfinder.library.decisions import MARKS, Decision, VerdictKind
from dupfinder.review.acts import Act
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

    The right document of a pair is an undecided member of a group that has one of the relations asked for. The left
    one is the kept copy of the group or, for a part, the document that contains it. Of identical members only the best
    has a pair, and a mark on it concerns all of them.

    left, right: int32 (m,), rows; only the right one can be removed.
    relation: uint8 (m,), of the right one to the left one. similarity: float32 (m,).
    """

    def __init__(self, session: ReviewSession, relations: frozenset[Relation]) -> None:
        self._session, self._acts, self._grouping = session, session.acts, session.grouping
        clusters, markable = session.all_clusters(), session.marks.markable()
        lefts = np.where(clusters.whole >= 0, clusters.whole, clusters.keepers[clusters.positions])
        members, contents = clusters.members, self._grouping.contents
        is_asked = np.isin(clusters.relation, [int(relation) for relation in relations]) & (members != lefts)
        is_asked &= np.isin(clusters.ids, session.listed().ids)[clusters.positions]
        is_asked &= markable[members] & session.marks.stays()[lefts]
        is_asked &= ~np.isin(contents[members], contents[session.marks.decided()])
        entries = np.flatnonzero(is_asked)
        ranks = self._grouping.files.ranks[members[entries]]
        entries = entries[np.lexsort((-ranks, -clusters.similarity[entries]))]
        entry_contents = contents[members[entries]]
        by_content = np.argsort(entry_contents, kind="stable")
        begins, _ = runs(entry_contents[by_content])
        entries = entries[np.sort(by_content[begins])]
        self.left, self.right = lefts[entries].astype(np.int32), members[entries]
        self.relation, self.similarity = clusters.relation[entries], clusters.similarity[entries]
        self._marked = np.full(len(entries), -1, np.int32)  # the row that each pair has marked; -1 for none

    def __len__(self) -> int:
        return len(self.left)

    def states(self) -> NDArray[np.uint8]:
        """Return the PairState of each pair: uint8 (m,)."""
        left, right = (self._acts.decisions[side] for side in (self.left, self.right))
        is_left_decided = (left == Decision.KEEP) | np.isin(left, MARKS)  # marked for another pair
        states = np.where(is_left_decided & (right == Decision.KEEP), PairState.KEPT, PairState.OPEN)
        states[np.isin(right, MARKS)] = PairState.MARKED
        states[self._are_apart()] = PairState.APART
        return states.astype(np.uint8)

    def _are_apart(self) -> NDArray[np.bool_]:
        """Return which pairs were said to be no duplicates, by themselves or with their group: bool (m,)."""
        pairs_apart = np.array(list(self._acts.verdicts.pairs_apart()), np.int32).reshape(-1, 2)
        by_pair = np.isin(self._keys(self.left, self.right), self._keys(pairs_apart[:, 0], pairs_apart[:, 1]))
        clusters, positions_of = self._session.all_clusters(), self._grouping.positions_of(self._session.demand)
        is_group_apart = self._acts.verdicts.mask(VerdictKind.APART, clusters)
        positions = positions_of[self.right]
        by_group = (positions >= 0) & (positions == positions_of[self.left])
        by_group[by_group] = is_group_apart[positions[by_group]]
        apart: NDArray[np.bool_] = by_pair | by_group
        return apart

    def _keys(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.uint64]:
        """Return a number for each pair, equal for pairs of the same words in either order: uint64 (m,)."""
        first, second = self._grouping.representative[left], self._grouping.representative[right]
        return pair_keys(np.minimum(first, second), np.maximum(first, second))

    def counts(self) -> dict[PairState, int]:
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
        """Keep both documents of a pair, and call `done`. A left one that another pair has marked stays marked."""
        left, right = int(self.left[pair]), int(self.right[pair])
        kept = [right] if self.is_left_marked(pair) else [left, right]
        self._decide(pair, partial(self._session.marks.decide, kept, Decision.KEEP), done)

    def is_left_marked(self, pair: int) -> bool:
        """Tell whether another pair has marked the left document of this pair for removal."""
        left = int(self.left[pair])
        return self._session.marks.decision(left) in MARKS and left != self._marked[pair]

    def remove_right(self, pair: int, done: Callable[[None], object], refused: Callable[[PlanError], object]) -> None:
        """Mark the right document of a pair and its identical copies; call `done`, or `refused` if none may be.

        Copies that the person keeps stay unmarked.
        """
        contents = self._grouping.contents
        identical = contents == contents[self.right[pair]]
        identical &= self._session.marks.markable() & (self._acts.decisions != Decision.KEEP)
        identical[self.right[pair]] = True  # also if it may not be marked: then the refusal says why
        rows = np.flatnonzero(identical)
        decision = Decision.REMOVE_PART if self.relation[pair] == Relation.PART else Decision.REMOVE

        def mark() -> None:
            self._session.marks.decide(rows, decision)
            self._marked[pair] = self.right[pair]
            self._pair_with_kept(rows, int(self.left[pair]))

        self._decide(pair, mark, done, refused)

    def _pair_with_kept(self, marked: NDArray[np.intp], kept: int) -> None:
        """Replace marked left documents of pairs by the kept one, where that is related to the right document."""
        for pair in np.flatnonzero(np.isin(self.left, marked) & (self.right != kept)).tolist():
            relation, similarity = self._session.relation_of(int(self.right[pair]), kept)
            if relation in SURVIVING or relation is Relation.PART:
                self.left[pair], self.relation[pair], self.similarity[pair] = kept, relation, similarity

    def can_set_apart(self, pair: int) -> bool:
        """Tell whether the words of a pair differ, so that its documents may be called no duplicates."""
        representative = self._grouping.representative
        return bool(representative[self.left[pair]] != representative[self.right[pair]])

    def set_apart(self, pair: int, done: Callable[[None], object]) -> None:
        """Record that the documents of a pair are no duplicates of each other; call `done` then."""
        left, right = int(self.left[pair]), int(self.right[pair])
        self._decide(pair, partial(self._session.marks.set_apart, left, right), done)

    def _decide(
        self,
        pair: int,
        act: Callable[[], object],
        done: Callable[[None], object],
        refused: Callable[[PlanError], object] | None = None,
    ) -> None:
        """Carry out a decision about a pair in place of an earlier one, but not of one that is still under way."""
        state = self.states()[pair]

        def replace_earlier() -> None:
            if self.states()[pair] != state:  # the person saw another decision than the one that this would replace
                return
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
        """Take back the decision about a pair, but not what another pair decided about its left document."""
        state, right = PairState(int(self.states()[pair])), int(self.right[pair])
        if state is PairState.APART:
            pairs_apart = self._acts.verdicts.pairs_apart()
            rows = np.array(list(pairs_apart), np.int32).reshape(-1, 2)
            same = self._keys(rows[:, 0], rows[:, 1]) == self._keys(self.left[[pair]], self.right[[pair]])
            if same.any():
                dropped = tuple(verdict for verdict, is_same in zip(pairs_apart.values(), same, strict=True) if is_same)
                self._acts.do(Act.of_verdicts((), dropped))
            else:
                position = int(self._grouping.positions_of(self._session.demand)[right])
                self._acts.clear_apart(self._session.all_clusters(), position)
        contents, decisions = self._grouping.contents, self._acts.decisions
        by_this_pair = [row for row in (right, int(self._marked[pair])) if row >= 0]
        is_decided = np.isin(contents, contents[by_this_pair]) & np.isin(decisions, MARKS)
        is_decided[right] = decisions[right] != Decision.UNDECIDED
        if is_decided.any():
            self._session.marks.decide(np.flatnonzero(is_decided), Decision.UNDECIDED)
