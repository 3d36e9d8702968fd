"""Members of archives under review: looked at and compared like all others, never marked, and nobody's kept copy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.actions.plan import Verb
from dupfinder.base.errors import ArchivedError, LastCopyError, PlanError
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.listing import FILTERED_RELATIONS, GroupOrder
from dupfinder.review.reporting import report_of
from dupfinder.review.rules import Rule, RuleKind, apply, select
from dupfinder.review.session import ReviewSession
from dupfinder.review.survivors import Survivors, make_plan
from dupfinder.wording.errors import sentence
from tests.review.making import Doc, Made, Pair, Plain, made, row_of
from tests.review.test_session import ACTS, carry_out, marked

ALL = frozenset(FILTERED_RELATIONS)


@st.composite
def packed(draw: st.DrawFn) -> tuple[Made, frozenset[int]]:
    """Results in which some documents are members of an archive, which is the last row; and their rows."""
    given_made = draw(made())
    inside = draw(st.frozensets(st.integers(0, len(given_made.docs) - 1)))
    return pack(given_made, inside), inside


def pack(given_made: Made, inside: frozenset[int]) -> Made:
    """The same result with some rows in an archive."""
    last = len(given_made.docs)
    docs = [replace(doc, archive=last if row in inside else -1) for row, doc in enumerate(given_made.docs)]
    whole = Doc(text=999, name="whole.zip", status="skipped", media="", detail="an archive")
    return replace(given_made, docs=[*docs, whole])


def two_and_one() -> ReviewSession:
    """Two loose copies of a letter and one in an archive."""
    return ReviewSession(pack(Made([Doc(1), Doc(1), Doc(1)]), frozenset({1})).result())


@given(packed(), ACTS)
def test_no_sequence_of_acts_marks_a_member_or_makes_one_the_kept_copy(
    given_packed: tuple[Made, frozenset[int]], acts: list[tuple[object, ...]]
) -> None:
    given_made, inside = given_packed
    session = ReviewSession(given_made.result())
    gone: set[int] = set()
    for act in acts:
        carry_out(session, act, gone)
        assert not marked(session) & inside
        plain = Plain(given_made, session.demand)
        loose = set(range(len(given_made.docs))) - inside - marked(session) - gone
        for step in session.plan().steps:
            victim, keeper = row_of(session, step.victim.path), row_of(session, step.keeper.path)
            assert victim is not None and victim not in inside
            as_part = session.marks.decision(victim) is Decision.REMOVE_PART
            assert keeper in plain.survivors(victim, loose, as_part=as_part)


@given(
    packed(),
    st.lists(st.sampled_from(RuleKind), min_size=1, max_size=3),
    st.frozensets(st.sampled_from(FILTERED_RELATIONS)),
)
def test_rules_pass_members_over_and_keep_a_file_outside(
    given_packed: tuple[Made, frozenset[int]], kinds: list[RuleKind], wanted: frozenset[Relation]
) -> None:
    given_made, inside = given_packed
    session = ReviewSession(given_made.result())
    rules = [Rule(kind, Path("/docs/letters") if kind is RuleKind.IN_FOLDER else None) for kind in kinds]
    chosen = select(session, rules, wanted)
    assert not set(chosen.documents) & inside
    assert not {choice.keeper for choice in chosen.chosen} & inside
    apply(session, chosen)
    steps = session.plan().steps
    assert {row_of(session, step.victim.path) for step in steps} >= set(chosen.documents)


@given(packed(), st.integers(0, 16), st.sampled_from(GroupOrder))
def test_members_are_listed_with_the_others_and_free_nothing(
    given_packed: tuple[Made, frozenset[int]], radius: int, order: GroupOrder
) -> None:
    given_made, inside = given_packed
    session = ReviewSession(given_made.result(radius=radius))
    session.set_sort(order)
    table = session.listed()
    for place, number in enumerate(table.ids.tolist()):
        members = session.members(number)
        assert {member.document for member in members if member.archive is not None} == inside & {
            member.document for member in members
        }
        keeper = int(table.keeper[place])
        sizes = [
            member.size for member in members
            if not member.is_locked and member.document != keeper and member.relation >= Relation.VERSION
        ]  # fmt: skip
        if not any(member.decision is Decision.KEEP for member in members):
            assert table.bytes_to_free[place] == (0 if keeper in inside else sum(sizes))
        assert all(member.file.name == "whole.zip" for member in members if member.archive is not None)
    report = report_of(session)
    assert sum(file.archive is not None for file in report.files) == len(inside)


def test_marking_a_member_is_refused_and_its_reason_names_the_archive() -> None:
    session = two_and_one()
    with pytest.raises(ArchivedError) as caught:
        session.marks.decide([0, 1], Decision.REMOVE)
    assert session.marks.decision(0) is Decision.UNDECIDED
    assert sentence(caught.value) == "Not marked: 01 letter.txt is inside the archive /docs/letters/whole.zip."


def test_a_loose_file_whose_other_copies_are_all_in_archives_is_the_last_copy() -> None:
    session = two_and_one()
    session.marks.decide([0], Decision.REMOVE)
    with pytest.raises(LastCopyError):
        session.marks.decide([2], Decision.REMOVE)


@pytest.mark.parametrize("decision", [Decision.KEEP, Decision.UNDECIDED])
def test_a_member_said_to_be_kept_is_still_nobodys_survivor(decision: Decision) -> None:
    session = ReviewSession(pack(Made([Doc(1), Doc(1)]), frozenset({1})).result())
    session.marks.decide([1], decision)
    with pytest.raises(LastCopyError):
        session.marks.decide([0], Decision.REMOVE)
    assert session.listed().bytes_to_free.tolist() == [0]


def test_the_proposed_keeper_is_a_file_outside_and_the_reason_is_a_true_one() -> None:
    session = ReviewSession(pack(Made([Doc(1, media="txt"), Doc(1, media="docx")]), frozenset({1})).result())
    (keeper, other) = session.members(0)
    assert (keeper.document, other.document) == (0, 1)
    assert keeper.why_keeper is KeeperReason.ALONE


def test_of_copies_in_archives_alone_the_reason_is_the_claim_by_which_the_keeper_is_ahead() -> None:
    packed = pack(Made([Doc(1, media="txt"), Doc(1, media="docx")]), frozenset({0, 1}))
    keeper, _ = ReviewSession(packed.result()).members(0)
    assert (keeper.document, keeper.why_keeper) == (1, KeeperReason.RICHER)


def test_a_stored_mark_on_what_is_in_an_archive_now_does_not_count(tmp_path: Path) -> None:
    loose = Made([Doc(1), Doc(1)])
    decisions = Decisions(tmp_path / "decisions.db")
    ReviewSession(loose.result(), decisions).marks.decide([1], Decision.REMOVE)
    session = ReviewSession(pack(loose, frozenset({1})).result(), decisions)
    assert marked(session) == set() and session.plan().steps == ()


def test_planning_refuses_members_whatever_it_is_handed() -> None:
    given_made = pack(Made([Doc(1), Doc(1), Doc(2, name="b.txt"), Doc(2)], [Pair(0, 2)]), frozenset({1, 3}))
    result = given_made.result()
    session = ReviewSession(result)
    marks = np.array([True, True, False, True, False])
    demand, none = Demand(0.7, 0.85, 16), np.zeros(5, np.bool_)
    survivors = Survivors(session.grouping, demand, marks, none, none)
    rows = np.flatnonzero(marks)
    plan = make_plan(result, rows, survivors.choose(rows, none), Verb.TRASH, None, demand)
    assert [step.victim.path.name for step in plan.steps] == ["00 letter.txt"]
    assert [step.keeper.path.name for step in plan.steps] == ["b.txt"]


@pytest.mark.parametrize("most", [1, 3])
def test_survivors_chosen_in_small_batches_are_those_chosen_at_once(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = [Doc(1), Doc(1), Doc(2), Doc(3), Doc(3), Doc(4), Doc(5)]
    pairs = [Pair(0, 2), Pair(0, 3), Pair(2, 3), Pair(2, 5), Pair(3, 6), Pair(5, 6, 30, 0.3, 0.99, 0.3)]
    session = ReviewSession(Made(docs, pairs).result())
    marks = np.array([True, False, True, True, False, True, True])
    none = np.zeros(len(docs), np.bool_)
    survivors = Survivors(session.grouping, Demand(0.7, 0.85, 16), marks, marks, none)
    at_once = survivors.choose(np.flatnonzero(marks), none)
    monkeypatch.setattr("dupfinder.review.survivors._MOST_PAIRS", most)
    in_batches = survivors.choose(np.flatnonzero(marks), none)
    for name in ("rows", "relation", "similarity", "share"):
        assert getattr(in_batches, name).tolist() == getattr(at_once, name).tolist()
    assert (at_once.rows >= 0).sum() >= 4


def test_a_part_whose_whole_is_in_an_archive_is_not_marked() -> None:
    given_made = Made([Doc(1), Doc(2)], [Pair(0, 1, 30, 0.3, 0.99, 0.3)])
    session = ReviewSession(pack(given_made, frozenset({1})).result())
    with pytest.raises(PlanError):
        session.marks.decide([0], Decision.REMOVE)
    assert select(session, [Rule(RuleKind.NEWEST)], ALL).documents == []
