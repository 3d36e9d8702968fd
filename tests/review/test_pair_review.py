"""The review of pairs: which are offered, in which order, and what a decision about one does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import LastCopyError, LastCopyReason, PlanError
from dupfinder.cluster.relation import Relation
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.listing import GroupFilter
from dupfinder.review.pair_review import USUAL, PairReview, PairState
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made, Pair, made, path_of

FAMILY = Made(
    [Doc(0, size=9000), Doc(1), Doc(1), Doc(2), Doc(3, protected=True), Doc(4)],
    [Pair(0, 1, resemblance=0.8), Pair(0, 3, resemblance=0.9), Pair(0, 4), Pair(1, 3), Pair(3, 5, resemblance=0.75)],
)
STEPS = st.lists(st.tuples(st.sampled_from(["keep", "remove", "apart", "swap"]), st.integers(0, 9)), max_size=10)


def nothing(_: object) -> None:
    """Ignore what a decision returns."""


def not_refused(error: PlanError) -> None:
    """Fail where a decision is refused."""
    raise error


def review_of(session: ReviewSession, relations: frozenset[Relation] = USUAL) -> PairReview:
    return PairReview(session, relations)


def pairs_of(review: PairReview) -> list[tuple[int, int]]:
    return list(zip(review.left.tolist(), review.right.tolist(), strict=True))


def plain_pairs(session: ReviewSession, relations: frozenset[Relation]) -> set[tuple[int, int]]:
    """The pairs to look at, by loops over the members of the groups; of identical members, the one with best rank."""
    result, pairs = session.result.documents, set()
    decided = {result.content_hex(row) for row in range(len(result)) if session.marks.decision(row)}
    ranks, markable = session.grouping.files.ranks, session.marks.markable()
    for cluster in session.listed().ids.tolist():
        members = session.members(cluster)
        keeper = next(member.document for member in members if member.is_keeper)
        stacks: dict[str, list[int]] = {}
        for member in members:
            row, content = member.document, result.content_hex(member.document)
            whole = next((other.document for other in members if other.path == member.whole), keeper)
            if not (member.relation in relations and markable[row] and row != whole) or content in decided:
                continue
            if session.marks.stays()[whole]:
                stacks.setdefault(f"{content}{member.words}", []).append(row)
        for rows in stacks.values():
            row = max(rows, key=lambda row: int(ranks[row]))
            member = next(member for member in members if member.document == row)
            pairs.add((next((other.document for other in members if other.path == member.whole), keeper), row))
    return pairs


@given(
    made(),
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from(Decision)), max_size=3),
    st.sampled_from([USUAL, frozenset({Relation.PART}), frozenset(Relation) - {Relation.NONE, Relation.WHOLE}]),
)
def test_the_pairs_are_those_that_a_person_would_look_for_in_the_groups(
    given_made: Made, decided: list[tuple[int, Decision]], relations: frozenset[Relation]
) -> None:
    session = ReviewSession(given_made.result())
    for row, decision in decided:
        try:
            session.marks.decide([row % len(given_made.docs)], decision)
        except PlanError:
            continue
    review = review_of(session, relations)
    assert set(pairs_of(review)) == plain_pairs(session, relations)
    assert len(set(pairs_of(review))) == len(review)
    assert (np.diff(review.similarity) <= 0).all()
    assert not review.states().any()


def test_only_versions_of_the_listed_groups_that_may_be_removed_are_offered_the_most_similar_first() -> None:
    session = ReviewSession(FAMILY.result())
    session.marks.decide([0], Decision.KEEP)
    review = review_of(session)  # 2 is identical to 1, 4 is protected, and 5 has no verified tie to the kept copy
    assert pairs_of(review) == [(0, 3), (0, 1)]
    session.set_filter(GroupFilter(text="nothing has this name"))
    assert not len(review_of(session))


def test_keeping_both_removing_one_with_its_copies_and_calling_two_no_duplicates() -> None:
    session = ReviewSession(FAMILY.result())
    session.marks.decide([0], Decision.KEEP)
    review = review_of(session)
    review.keep_both(0, nothing)
    assert session.marks.decision(3) is Decision.KEEP
    assert review.next_open(0) == 1
    review.remove_right(1, nothing, not_refused)
    assert [session.marks.decision(row) for row in (1, 2)] == [Decision.REMOVE] * 2
    assert review.next_open(1) == -1
    assert review.counts() == {PairState.OPEN: 0, PairState.KEPT: 1, PairState.MARKED: 1, PairState.APART: 0}
    review.set_apart(1, nothing)
    assert review.states().tolist() == [PairState.KEPT, PairState.APART]
    assert not session.acts.marked.any()
    session.acts.undo()
    assert review.states().tolist() == [PairState.KEPT, PairState.MARKED]


def test_after_a_swap_the_other_document_is_removed() -> None:
    session = ReviewSession(Made([Doc(0), Doc(1)], [Pair(0, 1)]).result())
    review = review_of(session)
    ((left, right),) = pairs_of(review)
    review.remove_right(0, nothing, not_refused)
    review.swap(0)
    review.remove_right(0, nothing, not_refused)
    assert session.marks.decision(left) is Decision.REMOVE
    assert session.marks.decision(right) is Decision.UNDECIDED
    session.acts.undo()
    assert session.marks.decision(right) is Decision.REMOVE


def test_what_is_paired_with_a_marked_kept_copy_is_compared_with_what_stays_instead() -> None:
    pairs = [Pair(0, 1, resemblance=0.9), Pair(0, 2, resemblance=0.8), Pair(1, 2), Pair(0, 3, resemblance=0.75)]
    session = ReviewSession(Made([Doc(0, size=9000), *(Doc(row) for row in range(1, 4))], pairs).result())
    session.marks.decide([0], Decision.KEEP)
    review = review_of(session)
    assert pairs_of(review) == [(0, 1), (0, 2), (0, 3)]
    review.swap(0)
    review.remove_right(0, nothing, not_refused)
    assert pairs_of(review) == [(1, 0), (1, 2), (0, 3)]  # 3 is unlike 1
    assert review.states().tolist() == [PairState.MARKED, PairState.OPEN, PairState.OPEN]
    review.keep_both(2, nothing)
    assert session.marks.decision(0) is Decision.REMOVE and session.marks.decision(3) is Decision.KEEP
    assert review.next_open(0) == 1


def test_a_part_is_compared_with_its_whole_and_may_be_removed_but_not_the_whole() -> None:
    docs, pair = [Doc(0, words=90), Doc(1, words=20)], Pair(0, 1, 30, 0.2, left_in_right=0.2, right_in_left=1.0)
    session = ReviewSession(Made(docs, [pair]).result())
    review = review_of(session, frozenset({Relation.PART}))
    assert pairs_of(review) == [(0, 1)]
    review.remove_right(0, nothing, not_refused)
    assert session.marks.decision(1) is Decision.REMOVE_PART
    review.swap(0)
    refused: list[PlanError] = []
    review.remove_right(0, nothing, refused.append)
    assert [error.why for error in refused if isinstance(error, LastCopyError)] == [LastCopyReason.HAS_MORE]
    assert session.marks.decision(1) is Decision.REMOVE_PART and session.acts.count == 1


def test_documents_with_the_same_words_cannot_be_called_no_duplicates_one_by_one() -> None:
    session = ReviewSession(Made([Doc(0), Doc(0, form=1), Doc(1)], [Pair(0, 2)]).result())
    review = review_of(session, frozenset({Relation.SAME_TEXT, Relation.VERSION}))
    assert [review.can_set_apart(pair) for pair in range(len(review))] == [False, True]


def test_what_was_said_of_a_pair_counts_in_the_next_review(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    chain = Made([Doc(row) for row in range(3)], [Pair(0, 1), Pair(0, 2)])
    review = review_of(ReviewSession(chain.result(), decisions))
    assert len(review) == 2
    review.set_apart(0, nothing)
    assert len(review_of(ReviewSession(chain.result(), decisions))) == 1
    assert path_of(chain.docs, 0).name in decisions.verdicts()[0].documents[0][0]


@given(made(), STEPS)
def test_each_decision_is_one_step_of_undo_and_no_mark_is_without_survivor(
    given_made: Made, steps: list[tuple[str, int]]
) -> None:
    session = ReviewSession(given_made.result())
    review = review_of(session, frozenset(Relation) - {Relation.NONE, Relation.WHOLE})
    if not len(review):
        return
    before = [(0, session.acts.decisions.copy(), review.states())]
    for act, number in steps:
        pair, count = number % len(review), session.acts.count
        if act == "keep":
            review.keep_both(pair, nothing)
            assert review.states()[pair] in (PairState.KEPT, PairState.MARKED)
        elif act == "remove":
            review.remove_right(pair, nothing, nothing)
        elif act == "apart" and review.can_set_apart(pair):
            review.set_apart(pair, nothing)
            assert review.states()[pair] == PairState.APART
        if session.acts.count > count:
            assert session.acts.count == count + 1
            before.append((session.acts.count, session.acts.decisions.copy(), review.states()))
        assert not session.marks.without_survivor().any()
    if all(act != "swap" for act, _ in steps):
        for _, decisions, states in reversed(before[:-1]):
            session.acts.undo()
            assert np.array_equal(session.acts.decisions, decisions) and np.array_equal(review.states(), states)


def test_a_copy_that_the_person_keeps_stays_when_an_identical_one_is_removed() -> None:
    session = ReviewSession(Made([Doc(0), Doc(1), Doc(1)], [Pair(0, 1)]).result())
    review = review_of(session)
    kept = 3 - int(review.right[0])
    session.marks.decide([kept], Decision.KEEP)  # in another window, while the review is open
    review.remove_right(0, nothing, nothing)
    assert session.marks.decision(kept) is Decision.KEEP
    assert session.marks.decision(3 - kept) is Decision.REMOVE
