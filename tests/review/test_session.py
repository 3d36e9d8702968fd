"""The review session: whatever is decided, taken back or looked at, a marked document keeps an unmarked survivor."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.actions.outcome import Batch, Outcome, OutcomeState
from dupfinder.actions.plan import Verb, validate
from dupfinder.base.errors import LastCopyError, LastCopyReason, PlanError, ProtectedError, SettingError
from dupfinder.cluster.clustering import FileColumns
from dupfinder.cluster.relation import SURVIVING, Demand, Relation
from dupfinder.library.decisions import MARKS, Decision, Decisions
from dupfinder.review.acts import SessionChange
from dupfinder.review.grouping import Grouping
from dupfinder.review.listing import FILTERED_RELATIONS, ClusterTable, GroupFilter, GroupOrder, GroupTrait
from dupfinder.review.members import FileState
from dupfinder.review.removal import note_restored
from dupfinder.review.session import ReviewSession
from dupfinder.wording.figures import percent
from tests.review.making import Doc, Made, Pair, Plain, made, path_of, row_of

ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("decide"), st.lists(st.integers(0, 8), min_size=1, max_size=4), st.sampled_from(Decision)),
        st.tuples(st.just("decide"), st.lists(st.integers(0, 8), min_size=1, max_size=4), st.just(Decision.REMOVE)),
        st.tuples(st.sampled_from(["undo", "redo"])),
        st.tuples(st.just("apart"), st.integers(0, 9)),
        st.tuples(st.just("apart"), st.integers(0, 8), st.integers(0, 8)),
        st.tuples(st.just("join again"), st.integers(0, 8)),
        st.tuples(st.just("radius"), st.integers(-1, 20)),
        st.tuples(st.just("similarity"), st.sampled_from([0.5, 0.7, 0.95, 1.0])),
        st.tuples(st.just("passages"), st.booleans()),
        st.tuples(st.just("mark all"), st.lists(st.integers(0, 8), min_size=1, max_size=9)),
        st.tuples(st.just("keep this"), st.integers(0, 8)),
        st.tuples(st.just("both"), st.lists(st.integers(0, 8), max_size=3), st.lists(st.integers(0, 8), max_size=3)),
        st.tuples(st.just("remove")),
        st.tuples(st.just("return")),
    ),
    max_size=14,
)
LOOKING = {"radius", "similarity", "passages"}


def carry_out(session: ReviewSession, act: tuple[object, ...], gone: set[int]) -> None:  # noqa: C901 - one case an act
    """Do one act, and check that a refused one changed nothing."""
    count = len(session.result.documents)
    match act:
        case ("decide", rows, decision):
            chosen = [row % count for row in rows]  # type: ignore[attr-defined]
            before = [session.marks.decision(row) for row in range(count)]
            try:
                session.marks.decide(chosen, decision)  # type: ignore[arg-type]
            except PlanError:
                assert decision in MARKS
                assert [session.marks.decision(row) for row in range(count)] == before
        case ("undo",):
            session.acts.undo()
        case ("redo",):
            session.acts.redo()
        case ("apart", number):
            ids = session.listed().ids.tolist()
            if ids:
                session.not_duplicates(ids[number % len(ids)])  # type: ignore[operator]
        case ("apart", left, right):
            ends = [left % count, right % count]  # type: ignore[operator]
            if len({session.result.documents.text_hash[row].tobytes() for row in ends}) == 2:
                session.do(partial(session.marks.set_apart, *ends))
        case ("join again", row):
            session.marks.join_again([row % count])  # type: ignore[operator]
        case ("radius", radius):
            session.set_radius(radius)  # type: ignore[arg-type]
        case ("similarity", similarity):
            session.set_demand(replace(session.demand, similarity=similarity))  # type: ignore[arg-type]
        case ("passages", passages):
            session.set_demand(replace(session.demand, passages=passages))  # type: ignore[arg-type]
        case ("mark all", rows):
            session.marks.mark_all([row % count for row in rows])  # type: ignore[attr-defined]
        case ("keep this", row):
            session.marks.keep_this(row % count)  # type: ignore[operator]
        case ("both", rows, parts):
            picked, apart = ({row % count for row in some} for some in (rows, parts))  # type: ignore[attr-defined]
            before = [session.marks.decision(row) for row in range(count)]
            try:
                session.marks.decide_both(sorted(picked - apart), sorted(apart))
            except PlanError:
                assert [session.marks.decision(row) for row in range(count)] == before
        case ("remove",):
            victims = [row_of(session, step.victim.path) for step in session.plan().steps]
            rows = [row for row in victims if row is not None]
            session.note_removed(rows) if len(rows) % 2 else session.note_files(rows, FileState.GONE)
            gone.update(rows)
        case ("return",):
            session.note_files(sorted(gone), FileState.THERE)
            gone.clear()


def marked(session: ReviewSession) -> set[int]:
    return {row for row in range(len(session.result.documents)) if session.marks.decision(row) in MARKS}


def plain_of(session: ReviewSession, given_made: Made) -> Plain:
    """The plain rules under the present demand, with what was said of pairs."""
    return Plain(given_made, session.demand, frozenset(map(frozenset, session.acts.verdicts.pairs_apart())))


def check_plan(session: ReviewSession, given_made: Made, gone: set[int]) -> None:
    """The plan holds: no protected victim, and for each victim a survivor."""
    plan = session.plan()
    validate(plan)
    plain = plain_of(session, given_made)
    marks, everyone = marked(session), set(range(len(given_made.docs)))
    alive = everyone - marks - gone
    for step in plan.steps:
        victim, keeper = row_of(session, step.victim.path), row_of(session, step.keeper.path)
        assert victim in marks - gone and keeper in alive
        assert not given_made.docs[victim].protected
        as_part = session.marks.decision(victim) is Decision.REMOVE_PART
        assert keeper in plain.survivors(victim, alive, as_part=as_part)
        assert step.relation == plain.relation(victim, keeper)
        assert step.victim.stamp == session.result.documents.stamp(victim)
        assert 0 < step.similarity <= 1
    summary = session.summary()
    assert summary.documents == len(plan.steps)
    assert summary.documents + summary.hidden_marks == len(marks - gone)
    assert summary.bytes == sum(step.victim.stamp.size for step in plan.steps)
    assert summary.relations == Counter(step.relation for step in plan.steps)


def best_survivor(given_made: Made, session: ReviewSession, victim: int, gone: set[int]) -> int | None:
    """The survivor that a person would name: of copies one on another disk, the closest, what is kept, the first; else
    the most similar version, else the whole with the most of it."""
    plain, docs = plain_of(session, given_made), given_made.docs
    alive = set(range(len(docs))) - marked(session) - gone
    kept = {row for row in alive if session.marks.decision(row) is Decision.KEEP}
    copies = [row for row in alive if plain.stand(row) == plain.stand(victim)]
    if copies:
        disk = [doc.inode or 100 + row for row, doc in enumerate(docs)]
        return max(copies, key=lambda row: (disk[row] != disk[victim], plain.relation(victim, row), row in kept, -row))
    ties = []
    for pair in given_made.pairs:
        ends = {pair.left, pair.right}
        if plain.stand(victim) in ends:
            (other,) = ends - {plain.stand(victim)}
            turned = pair.left == other
            relation = plain.relation(victim, other)
            share = float(np.float32(pair.right_in_left if turned else pair.left_in_right))
            alike = max(float(np.float32(pair.resemblance)), plain.scattered(pair))
            worth = alike if relation is Relation.VERSION else share
            ties.append((relation, worth, other))
    as_part = session.marks.decision(victim) is Decision.REMOVE_PART
    for wanted in (Relation.VERSION, Relation.PART) if as_part else (Relation.VERSION,):
        there = [(-worth, other) for relation, worth, other in ties if relation is wanted
                 and any(plain.stand(row) == other for row in alive)]  # fmt: skip
        if there:
            _, other = min(there)
            return min((row for row in alive if plain.stand(row) == other), key=lambda row: (row not in kept, row))
    return None


@given(made(), ACTS)
def test_each_document_gives_way_to_the_closest_of_what_stays(given_made: Made, acts: list[tuple[object, ...]]) -> None:
    session = ReviewSession(given_made.result())
    gone: set[int] = set()
    for act in acts:
        carry_out(session, act, gone)
    for step in session.plan().steps:
        victim = row_of(session, step.victim.path)
        assert victim is not None
        assert row_of(session, step.keeper.path) == best_survivor(given_made, session, victim, gone)


def family_survives(session: ReviewSession, given_made: Made, gone: set[int]) -> bool:
    """Tell whether each family with a document decided to be removed keeps a file that is neither marked nor gone."""
    plain = plain_of(session, given_made)
    marks = marked(session)
    return all(
        plain.family(row) - marks - gone
        for row in marks - gone
        if session.marks.decision(row) is Decision.REMOVE
        and row_of(session, session.result.documents.path(row)) is not None
    )


@given(made(), ACTS)
def test_no_sequence_of_acts_makes_a_plan_that_loses_a_document(
    given_made: Made, acts: list[tuple[object, ...]]
) -> None:
    session = ReviewSession(given_made.result())
    gone: set[int] = set()
    for act in acts:
        carry_out(session, act, gone)
        assert not any(given_made.docs[row].protected for row in marked(session))
        check_plan(session, given_made, gone)


@given(made(), ACTS, st.integers(0, 16))
def test_under_one_demand_every_mark_has_a_survivor_and_no_family_is_marked_whole(
    given_made: Made, acts: list[tuple[object, ...]], radius: int
) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    gone: set[int] = set()
    for act in acts:
        if act[0] in LOOKING:
            continue
        carry_out(session, act, gone)
        plain = plain_of(session, given_made)
        alive = set(range(len(given_made.docs))) - marked(session) - gone
        assert all(
            plain.survivors(row, alive, as_part=session.marks.decision(row) is Decision.REMOVE_PART)
            for row in marked(session) - gone
        )
        assert family_survives(session, given_made, gone)


@given(made(), st.integers(0, 16), st.lists(st.integers(0, 8), min_size=1, max_size=5))
def test_a_mark_is_refused_only_when_it_would_cost_the_last_survivor(
    given_made: Made, radius: int, rows: list[int]
) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    chosen = {row % len(given_made.docs) for row in rows}
    alive = set(range(len(given_made.docs))) - chosen
    plain = Plain(given_made, session.demand)
    try:
        session.marks.decide(sorted(chosen), Decision.REMOVE)
    except ProtectedError as error:
        assert any(given_made.docs[row].protected and path_of(given_made.docs, row) == error.path for row in chosen)
    except LastCopyError as error:
        lost = [row for row in chosen if not plain.survivors(row, alive)]
        assert error.path in [path_of(given_made.docs, row) for row in lost]
    else:
        assert marked(session) == chosen
        assert all(plain.survivors(row, alive) and not given_made.docs[row].protected for row in chosen)


@given(given_made=made(), acts=ACTS)
def test_what_was_decided_is_there_after_a_restart_as_far_as_it_still_holds(
    tmp_path_factory: pytest.TempPathFactory, given_made: Made, acts: list[tuple[object, ...]]
) -> None:
    decisions = Decisions(tmp_path_factory.mktemp("kept") / "decisions.db")
    session = ReviewSession(given_made.result(), decisions)
    gone: set[int] = set()
    for act in acts:
        if act[0] not in ("remove", "return", *LOOKING):
            carry_out(session, act, gone)
    again = ReviewSession(given_made.result(), decisions)
    assert [again.marks.decision(row) for row in range(len(given_made.docs))] == [
        session.marks.decision(row) for row in range(len(given_made.docs))
    ]
    assert not again.acts.can_undo
    narrow = ReviewSession(given_made.result(radius=0), decisions)
    plain = plain_of(narrow, given_made)
    alive = set(range(len(given_made.docs))) - marked(narrow)
    assert all(
        plain.survivors(row, alive, as_part=narrow.marks.decision(row) is Decision.REMOVE_PART)
        for row in marked(narrow)
    )


def test_a_stored_decision_on_other_bytes_or_a_file_that_is_protected_now_does_not_count(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result(), decisions)
    session.marks.decide([0, 1], Decision.REMOVE)
    changed = ReviewSession(Made([Doc(1, form=1), Doc(1), Doc(1)]).result(), decisions)
    assert marked(changed) == {1}
    names = ["00 letter.txt", "01 letter.txt", "02 letter.txt"]
    kept = Made([Doc(1, name=f"../letters/{name}", protected=number == 0) for number, name in enumerate(names)])
    assert marked(ReviewSession(kept.result(), decisions)) <= {1}


def test_what_was_marked_as_a_copy_is_not_marked_later_where_only_a_version_stays(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    docs = [Doc(1), Doc(1), Doc(2)]
    first = ReviewSession(Made(docs, [Pair(0, 2)]).result(), decisions)
    first.marks.decide([0], Decision.REMOVE)
    later = [Doc(1), Doc(3, name="01 letter.txt"), Doc(2)]
    assert marked(ReviewSession(Made(docs, [Pair(0, 2)]).result(), decisions)) == {0}
    assert marked(ReviewSession(Made(later, [Pair(0, 2)]).result(), decisions)) == set()
    first.marks.decide([1], Decision.REMOVE)  # now the person agrees to the version for both
    assert marked(ReviewSession(Made(docs, [Pair(0, 2)]).result(), decisions)) == {0, 1}
    assert marked(ReviewSession(Made(later, [Pair(0, 2)]).result(), decisions)) == {0}
    first.acts.undo()
    assert marked(ReviewSession(Made(later, [Pair(0, 2)]).result(), decisions)) == set()


def test_a_copy_that_goes_missing_meanwhile_is_still_needed_by_the_mark_that_relied_on_it(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    made_up = Made([Doc(1), Doc(1), Doc(2), Doc(4), Doc(4)], [Pair(0, 2)])
    session = ReviewSession(made_up.result(), decisions)
    session.marks.decide([0], Decision.REMOVE)
    session.note_files([1], FileState.GONE)
    session.marks.decide([3], Decision.REMOVE)
    later = [Doc(1), Doc(3, name="01 letter.txt"), *made_up.docs[2:]]
    assert marked(ReviewSession(Made(later, made_up.pairs).result(), decisions)) == {3}


def test_a_mark_made_beside_a_copy_is_not_carried_out_for_a_version_when_the_copy_goes() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2)]).result())
    session.marks.decide([0], Decision.REMOVE)
    session.note_files([1], FileState.GONE)
    assert not session.plan().steps and session.summary().hidden_marks == 1
    session.marks.decide([0], Decision.UNDECIDED)
    session.acts.undo()
    assert not session.plan().steps
    session.marks.decide([0], Decision.UNDECIDED)
    session.marks.decide([0], Decision.REMOVE)  # now the person agrees to the version
    assert [step.relation for step in session.plan().steps] == [Relation.VERSION]


def test_a_restored_document_is_not_marked_again_for_a_version_if_its_copy_went_meanwhile() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2)]).result())
    session.marks.decide([0], Decision.REMOVE)
    session.note_removed([0])
    session.note_files([1], FileState.GONE)
    session.note_files([0], FileState.THERE)
    session.marks.mark_again([0])
    assert session.marks.decision(0) is Decision.UNDECIDED


def test_a_mark_that_relies_on_a_version_holds_after_the_copy_was_removed(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    made_up = Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2)])
    session = ReviewSession(made_up.result(), decisions)
    session.marks.decide([0, 1], Decision.REMOVE)
    session.note_removed([0])
    later = [Doc(3, name="00 letter.txt"), *made_up.docs[1:]]
    assert marked(ReviewSession(Made(later, [Pair(1, 2)]).result(), decisions)) == {1}


@given(made(), ACTS)
def test_undo_and_redo_go_back_and_forth_over_the_same_decisions(
    given_made: Made, acts: list[tuple[object, ...]]
) -> None:
    session = ReviewSession(given_made.result())
    everyone = range(len(given_made.docs))
    states = [[session.marks.decision(row) for row in everyone]]
    for act in acts:
        if act[0] in ("decide", "apart", "mark all", "keep this", "both"):
            size = len(session.acts._done)
            carry_out(session, act, set())
            if len(session.acts._done) > size:
                states.append([session.marks.decision(row) for row in everyone])
    for state in reversed(states[:-1]):
        assert session.acts.can_undo and session.acts.undo_size > 0
        session.acts.undo()
        assert [session.marks.decision(row) for row in everyone] == state
    assert not session.acts.can_undo
    for state in states[1:]:
        session.acts.redo()
        assert [session.marks.decision(row) for row in everyone] == state
    session.acts.redo()  # there is nothing left to repeat
    assert [session.marks.decision(row) for row in everyone] == states[-1]


CHAIN = Made([Doc(row) for row in range(4)], [Pair(0, 1), Pair(0, 2), Pair(1, 2), Pair(0, 3)])


def groups_of(session: ReviewSession) -> list[list[int]]:
    clusters = session.all_clusters()
    return [clusters.rows(position).tolist() for position in range(len(clusters))]


def test_two_documents_said_to_be_no_duplicates_are_unrelated_until_this_is_taken_back(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    session = ReviewSession(CHAIN.result(), decisions)
    pairs_before = session.grouping.histogram(session.demand).by_similarity.sum()
    session.marks.set_apart(3, 0)
    assert groups_of(session) == [[0, 1, 2]]
    assert session.relation_of(0, 3)[0] is Relation.NONE
    assert session.grouping.histogram(session.demand).by_similarity.sum() == pairs_before - 1
    session.marks.set_apart(0, 1)  # which 2 still joins
    assert groups_of(session) == [[0, 1, 2]]
    assert groups_of(ReviewSession(CHAIN.result(), decisions)) == [[0, 1, 2]]
    with pytest.raises(LastCopyError):
        session.marks.decide([1, 2], Decision.REMOVE)
    session.acts.undo()
    session.marks.decide([1, 2], Decision.REMOVE)
    session.marks.join_again([3])
    assert groups_of(session) == [[0, 1, 2, 3]]


def test_what_is_kept_or_no_duplicate_can_be_used_without_the_stored_marks(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    by_hand = ReviewSession(CHAIN.result(), decisions)
    by_hand.marks.set_apart(3, 0)
    by_hand.marks.decide([0], Decision.KEEP)
    by_hand.marks.decide([1], Decision.REMOVE)
    planned = ReviewSession(CHAIN.result())
    planned.load_without_marks(decisions)
    assert groups_of(planned) == [[0, 1, 2]] and not marked(planned)
    assert planned.marks.decision(0) is Decision.KEEP
    planned.marks.decide([2], Decision.REMOVE)
    assert marked(ReviewSession(CHAIN.result(), decisions)) == {1}


def test_a_mark_whose_survivor_is_said_to_be_no_duplicate_is_removed_with_one_step_of_undo() -> None:
    copies = Made([*CHAIN.docs, Doc(3)], CHAIN.pairs)
    session = ReviewSession(copies.result())
    session.marks.decide([3, 4, 1], Decision.REMOVE)
    session.marks.set_apart(0, 3)
    assert marked(session) == {1} and groups_of(session) == [[0, 1, 2], [3, 4]]
    session.acts.undo()
    assert marked(session) == {1, 3, 4} and len(groups_of(session)) == 1


def test_a_pair_that_is_all_of_its_group_is_said_to_be_no_duplicates_as_a_group() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2)]).result())
    session.marks.set_apart(1, 2)
    assert session.listed().ids.tolist() == [] and session.trait_counts()[GroupTrait.APART] == 1
    session.duplicates_again(0)
    assert session.listed().ids.tolist() == [0]


def test_marks_that_a_stricter_demand_hides_are_counted_kept_and_left_out_of_the_plan() -> None:
    session = ReviewSession(Made([Doc(1), Doc(2)], [Pair(0, 1, distance=10)]).result())
    session.marks.decide([0], Decision.REMOVE)
    session.set_demand(Demand(0.7, 0.85, 3, passages=False))
    assert session.plan().steps == () and session.summary().hidden_marks == 1
    assert session.marks.decision(0) is Decision.REMOVE
    session.set_demand(replace(session.demand, passages=True))
    assert len(session.plan().steps) == 1 and session.summary().hidden_marks == 0


def test_a_mark_whose_survivor_is_out_of_sight_is_hidden_though_its_group_is_shown() -> None:
    pairs = [Pair(0, 1, 1), Pair(0, 2, 10), Pair(1, 3, 10)]
    session = ReviewSession(Made([Doc(row) for row in range(4)], pairs).result(radius=12))
    session.marks.decide([0, 1], Decision.REMOVE)
    assert len(session.plan().steps) == 2
    session.set_demand(Demand(0.7, 0.85, 2, passages=False))
    assert session.listed().ids.tolist() == [0]
    assert session.plan().steps == () and session.summary().hidden_marks == 2
    assert session.summary().clusters == 0  # nothing would leave the group


def test_a_plan_carries_what_its_steps_must_respect() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result(min_similarity=0.8, min_containment=0.9))
    session.marks.decide([1], Decision.REMOVE)
    plan = session.plan(Verb.MOVE, Path("/elsewhere"))
    assert plan.roots == (Path("/docs"),) and plan.protected == (Path("/docs/kept"),)
    assert (plan.min_similarity, plan.min_containment) == (0.8, 0.9)
    assert plan.destination == Path("/elsewhere") and plan.scan_name == "Letters"
    assert [step.verb for step in plan.steps] == [Verb.MOVE]


def test_a_document_chosen_to_be_kept_is_the_survivor_before_others() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    session.marks.decide([2], Decision.KEEP)
    session.marks.decide([0], Decision.REMOVE)
    assert session.plan().steps[0].keeper.path.name == "02 letter.txt"


def test_documents_without_text_are_copies_by_their_bytes_alone() -> None:
    docs = [Doc(1, status="no_text"), Doc(1, status="no_text"), Doc(1, form=1, status="no_text"),
            Doc(2, status="no_text", size=0), Doc(2, status="no_text", size=0)]  # fmt: skip
    session = ReviewSession(Made(docs).result())
    assert [session.all_clusters().rows(place).tolist() for place in range(len(session.all_clusters()))] == [[0, 1]]


@given(made(), st.integers(0, 16), st.sampled_from([0.5, 0.7, 0.95]), st.booleans())
def test_counts_and_histogram_are_those_of_counting_by_hand(
    given_made: Made, radius: int, similarity: float, passages: bool
) -> None:
    session = ReviewSession(given_made.result())
    session.set_demand(Demand(similarity, 0.85, radius, passages))
    plain = Plain(given_made, session.demand)
    histogram, sources = session.grouping.histogram(session.demand), session.grouping.sources(session.demand)
    copies = sum(plain.stand(row) != row for row in range(len(given_made.docs)))
    shown = [pair for pair in given_made.pairs if plain.of_pair(pair) is Relation.VERSION]
    assert sources.fingerprints + sources.both + sources.passages == len(shown) + copies
    wide = Plain(given_made, Demand(similarity, 0.85, 16))
    distances = Counter(pair.distance for pair in given_made.pairs if wide.of_pair(pair) is Relation.VERSION)
    for distance in range(17):
        assert histogram.by_distance[distance] == distances[distance] + (copies if distance == 0 else 0)
    assert histogram.beyond == sum(amount for distance, amount in distances.items() if distance > 16)
    low = Plain(given_made, Demand(0.5, 0.85, radius, passages))
    bars = [0] * 11
    for pair in given_made.pairs:
        if low.of_pair(pair) is Relation.VERSION:
            alike = max(float(np.float32(pair.resemblance)), low.scattered(pair))
            bars[(percent(alike) - 50) // 5] += 1
    assert histogram.by_similarity.tolist() == [*bars[:-1], copies]
    rows = [session.all_clusters().rows(place).tolist() for place in range(len(session.all_clusters()))]
    counts = session.counts()
    assert counts == session.counts(session.demand) == session.all_clusters().counts()
    assert (counts.clusters, counts.documents) == (len(rows), sum(map(len, rows)))
    assert len({row for group in rows for row in group}) == counts.documents  # each document in one group
    for place, group in enumerate(rows):
        keeper = int(session.all_clusters().keepers[place])
        free = [
            row for row in group
            if row != keeper and not given_made.docs[row].protected and plain.relation(row, keeper) >= Relation.VERSION
        ]  # fmt: skip
        assert session.all_clusters().bytes_to_free[place] == sum(given_made.docs[row].size for row in free)


@given(made(), st.integers(0, 16), st.booleans())
def test_groups_are_connected_documents_with_lone_parts_under_their_whole(
    given_made: Made, radius: int, passages: bool
) -> None:
    sure = Made(given_made.docs, [replace(pair, error=0.0) for pair in given_made.pairs])
    session = ReviewSession(sure.result())
    session.set_demand(Demand(0.7, 0.85, radius, passages))
    plain, present = Plain(sure, session.demand), session.all_clusters()
    family_of = {row: place for place in range(len(present)) for row in present.rows(place).tolist()}
    whole = dict(zip(present.members.tolist(), present.whole.tolist(), strict=True))
    for row in range(len(sure.docs)):
        family = plain.family(row)
        if len(family) > 1:
            assert {family_of[other] for other in family} == {family_of[row]} and whole[row] == -1
        elif row in family_of and whole[row] >= 0:
            assert plain.relation(row, whole[row]) is Relation.PART
        elif row not in family_of:
            wholes = [other for other in range(len(sure.docs)) if plain.relation(row, other) is Relation.PART]
            assert all((sure.docs[other].words, plain.stand(other)) < (sure.docs[row].words, row) for other in wholes)
    for place in range(len(present)):
        rows, keeper = present.rows(place).tolist(), int(present.keepers[place])
        assert keeper in rows and len(rows) > 1 and whole[keeper] == -1
        assert present.ids[place] in rows and whole[int(present.ids[place])] == -1


@given(made(), st.integers(0, 16))
def test_members_tell_truly_what_they_are_to_the_kept_copy(given_made: Made, radius: int) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    plain, present = Plain(given_made, session.demand), session.all_clusters()
    for place, number in enumerate(present.ids.tolist()):
        members = session.members(number)
        assert sorted(member.document for member in members) == sorted(present.rows(place).tolist())
        keeper = members[0]
        assert keeper.is_keeper and not any(member.is_keeper for member in members[1:])
        columns = dict(zip(present.rows(place).tolist(), present.relation[present.positions == place], strict=True))
        for member in members[1:]:
            relation = plain.relation(member.document, keeper.document)
            if member.whole is None:
                assert member.in_whole == session.grouping.share_of(member.document, keeper.document)
            if member.whole is not None:
                assert member.relation is Relation.PART
            elif relation is Relation.SAME_FORM:
                assert member.relation is Relation.NONE
            else:
                assert member.relation is relation
            if keeper.document == present.keepers[place]:
                assert columns[member.document] == member.relation
            if member.relation is Relation.SAME_WORDS:
                assert member.differs or member.unknown
            if member.nearest is not None and member.nearest.relation is not Relation.NONE:
                assert plain.relation(member.document, member.nearest.document) is member.nearest.relation


@given(made(), ACTS)
def test_the_list_says_of_each_member_what_it_is_to_the_copy_that_is_kept_now(
    given_made: Made, acts: list[tuple[object, ...]]
) -> None:
    session, gone = ReviewSession(given_made.result()), set[int]()
    for act in acts:
        carry_out(session, act, gone)
        present = session.all_clusters()
        relation = dict(zip(present.members.tolist(), present.relation.tolist(), strict=True))
        similarity = dict(zip(present.members.tolist(), present.similarity.tolist(), strict=True))
        for position, cluster in enumerate(present.ids.tolist()):
            members = session.members(cluster)
            for member in members:
                assert member.is_keeper == (member.document == present.keepers[position])
                assert member.is_keeper or relation[member.document] == member.relation
                if member.relation not in (Relation.NONE, Relation.PART):
                    assert similarity[member.document] == pytest.approx(member.similarity)
            removed = [member for member in members if not member.is_keeper and member.relation in SURVIVING]
            free = [member for member in removed if not member.is_locked and member.is_there]
            sizes = sum(member.size for member in free if member.decision is not Decision.KEEP)
            assert present.bytes_to_free[position] == sizes


def test_title_chips_and_size_of_a_row_are_those_of_the_copy_that_is_kept(tmp_path: Path) -> None:
    docs = [Doc(1, size=1), Doc(1, form=1, size=20), Doc(2, size=300, words=300), Doc(3, size=4000)]
    decisions = Decisions(tmp_path / "decisions.db")
    made_result = Made(docs, [Pair(0, 2), Pair(2, 3)]).result()  # documents 0 and 3 have no pair
    session = ReviewSession(made_result, decisions)

    def row(session: ReviewSession) -> tuple[int, list[int], int, int]:
        table = session.listed()
        return int(table.keeper[0]), table.holds[0].tolist(), int(table.distant[0]), int(table.bytes_to_free[0])

    assert row(session) == (2, [0, 0, 0, 3, 0], 0, 4021)
    session.marks.decide([1], Decision.KEEP)
    kept = (1, [0, 1, 0, 2, 0], 1, 301)
    assert row(session) == kept == row(ReviewSession(made_result, decisions))
    session.marks.decide([2], Decision.KEEP)
    assert row(session) == (2, [0, 0, 0, 3, 0], 0, 4001)  # the proposed one of two; the other does not go either
    session.marks.decide([1, 2], Decision.UNDECIDED)
    assert row(session) == (2, [0, 0, 0, 3, 0], 0, 4021)


def test_a_group_stays_under_its_filter_when_another_copy_of_it_is_kept() -> None:
    session = ReviewSession(Made([Doc(0, words=300), Doc(0), Doc(1)], [Pair(0, 2)]).result())
    session.set_filter(GroupFilter(relations=frozenset({Relation.IDENTICAL})))
    assert len(session.listed()) == 1
    session.marks.decide([2], Decision.KEEP)
    assert session.relation_counts().documents.tolist() == [0, 0, 0, 2, 0] and len(session.listed()) == 1
    session.set_filter(GroupFilter(relations=frozenset({Relation.VERSION})))
    assert len(session.listed()) == 1


@pytest.mark.parametrize("order", GroupOrder)
def test_no_decision_moves_a_group_in_the_list(order: GroupOrder) -> None:
    docs = [Doc(number // 3, form=number, size=10**number, name=f"{number * 7 % 9} x.txt") for number in range(9)]
    session = ReviewSession(Made(docs).result())
    session.set_sort(order)
    before = session.listed().ids.tolist()
    assert len(before) == 3
    for row in range(len(docs)):
        session.marks.decide([row], Decision.KEEP)
        assert session.listed().ids.tolist() == before
        session.undo()


@given(made(), ACTS)
def test_members_are_right_after_each_act(given_made: Made, acts: list[tuple[object, ...]]) -> None:
    session, gone = ReviewSession(given_made.result()), set[int]()
    for act in acts:
        carry_out(session, act, gone)
        for position, cluster in enumerate(session.all_clusters().ids.tolist()):
            assert session.members(cluster) == session.members_at(position)


def test_the_members_of_a_group_are_made_without_a_search_for_the_pair_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = [Pair(left, right) for left in range(20) for right in range(left + 1, 20)]
    session = ReviewSession(Made([Doc(number) for number in range(20)], versions).result())
    searches: list[tuple[int, int]] = []
    monkeypatch.setattr(Grouping, "pair_of", lambda _, left, right: searches.append((left, right)))
    members = session.members(0)
    assert [member.relation for member in members[1:]] == [Relation.VERSION] * 19
    assert {member.similarity for member in members[1:]} == {members[1].similarity} and not searches


def test_a_mark_makes_no_other_member_anew_and_another_kept_copy_all_of_them() -> None:
    session = ReviewSession(Made([Doc(0)] * 4).result())
    before = session.members(0)
    session.marks.decide([before[2].document], Decision.REMOVE)
    after = session.members(0)
    assert [new is old for new, old in zip(after, before, strict=True)] == [True, True, False, True]
    session.marks.keep_this(before[1].document)
    assert [member.is_keeper for member in session.members(0) if member.document == before[1].document] == [True]


def test_where_the_proposed_copy_is_to_go_the_kept_copy_is_one_that_stays_with_its_words_first() -> None:
    docs = [Doc(1, words=300), Doc(2, words=200), Doc(1, words=300), Doc(3, words=100)]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(0, 3)]).result())
    proposed = session.members(0)[0].document
    twin = {0: 2, 2: 0}[proposed]
    session.marks.decide([proposed], Decision.REMOVE)
    members = session.members(0)
    assert members[0].document == twin and members[0].is_keeper
    (removed,) = [member for member in members if member.document == proposed]
    assert not removed.is_keeper and removed.relation is Relation.IDENTICAL
    session.acts.undo()
    assert session.members(0)[0].document == proposed
    session.note_files([proposed], FileState.GONE)
    assert session.members(0)[0].document == twin


def test_where_the_proposed_copy_is_to_go_a_version_is_kept_before_a_part() -> None:
    docs = [
        Doc(1, words=900, name="Report.pdf"),
        Doc(2, words=890, name="Report (2) draft.pdf"),
        Doc(3, words=90, name="A.txt"),
    ]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(0, 2, 30, 0.1, 0.1, 0.95)]).result())
    proposed = session.members(0)[0].document
    assert proposed == 0
    session.marks.decide([proposed], Decision.REMOVE)
    assert session.members(0)[0].document == 1


def test_marking_all_of_a_group_leaves_its_kept_copy_and_says_why_others_stay() -> None:
    docs = [Doc(1), Doc(1), Doc(2, words=110), Doc(3), Doc(4)]
    pairs = [Pair(0, 2), Pair(2, 3), Pair(0, 4, 30, 0.1, 0.1, 0.95)]
    session = ReviewSession(Made(docs, pairs).result())
    everything = session.marks.mark_all([0, 1, 2, 3, 4])
    assert marked(session) == {0, 1, 3} and int(session.all_clusters().keepers[0]) == 2
    assert everything == [(2, LastCopyReason.ALONE), (4, LastCopyReason.ALONE)]
    session.acts.undo()
    some = session.marks.mark_all([1, 2, 3, 4])
    assert marked(session) == {1, 3} and some == [(2, LastCopyReason.ALONE), (4, LastCopyReason.PART)]
    session.acts.undo()
    assert not marked(session) and not session.acts.can_undo


def test_marking_all_of_a_group_keeps_the_copy_that_the_person_chose_instead_of_the_proposed_one() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    proposed = int(session.all_clusters().keepers[0])
    chosen = (proposed + 1) % 3
    session.marks.decide([chosen], Decision.KEEP)
    assert session.marks.mark_all(range(3)) == []
    assert marked(session) == {0, 1, 2} - {chosen}


def test_one_key_keeps_a_document_and_removes_what_is_tied_to_it() -> None:
    docs = [Doc(1), Doc(1), Doc(2), Doc(3, protected=True), Doc(5)]
    session = ReviewSession(Made(docs, [Pair(0, 2), Pair(2, 3), Pair(2, 4), Pair(0, 3)]).result())
    spared = session.marks.keep_this(1)
    assert session.marks.decision(1) is Decision.KEEP and marked(session) == {0, 2}
    assert spared == [(4, LastCopyReason.DISTANT)]
    session.acts.undo()
    assert not marked(session) and session.marks.decision(1) is Decision.UNDECIDED


def test_keeping_a_part_tells_that_the_whole_has_more_than_it() -> None:
    session = ReviewSession(Made([Doc(0, words=100), Doc(1, words=10)], [Pair(0, 1, 30, 0.1, 0.1, 0.95)]).result())
    assert session.marks.keep_this(1) == [(0, LastCopyReason.HAS_MORE)]
    assert not marked(session)


def test_every_refusal_names_its_true_reason() -> None:
    pairs = [Pair(0, 1, 30, 0.1, 0.95, 0.1), Pair(2, 3), Pair(3, 4), Pair(5, 6, 3, 0.8, form=True)]
    session = ReviewSession(Made([Doc(row, words=10 if row == 0 else 100) for row in range(8)], pairs).result())
    for row, why in (
        (0, LastCopyReason.PART),
        (1, LastCopyReason.HAS_MORE),
        (5, LastCopyReason.FORM),
        (7, LastCopyReason.ALONE),
    ):
        with pytest.raises(LastCopyError) as refused:
            session.marks.decide([row], Decision.REMOVE)
        assert refused.value.why == why
    session.marks.decide([3], Decision.REMOVE)
    with pytest.raises(LastCopyError) as refused:
        session.marks.decide([2], Decision.REMOVE)
    assert refused.value.why == LastCopyReason.DISTANT and refused.value.other == path_of([Doc(4)] * 8, 4)


def test_a_document_that_was_read_only_in_part_is_marked_only_where_its_bytes_stay() -> None:
    docs = [
        Doc(1, read_in_part=True),
        Doc(2, media="docx"),
        Doc(3, read_in_part=True),
        Doc(3, read_in_part=True),
        Doc(4),
    ]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(2, 4)]).result())
    with pytest.raises(LastCopyError) as refused:
        session.marks.decide([0], Decision.REMOVE)
    assert refused.value.why == LastCopyReason.READ_IN_PART
    assert session.marks.keep_this(1) == [(0, LastCopyReason.READ_IN_PART)]
    assert session.marks.mark_all([0, 2])[0] == (0, LastCopyReason.READ_IN_PART) and marked(session) == {2}
    assert {step.relation for step in session.plan().steps} == {Relation.IDENTICAL}


@pytest.mark.parametrize(("in_it", "error", "share"), [(0.95, 0.0, 0.95), (1.0, 0.0, 1.0), (1.0, 0.01, 0.9999)])
def test_how_much_of_a_part_is_in_its_whole_is_said_everywhere_alike(in_it: float, error: float, share: float) -> None:
    docs, pair = [Doc(0, words=10), Doc(1)], Pair(0, 1, 30, 0.1, in_it, 0.1)
    result = Made(docs, [pair]).result()
    result = replace(result, evidence=replace(result.evidence, error=np.array([error], np.float32)))
    session = ReviewSession(result)
    with pytest.raises(LastCopyError) as refused:
        session.marks.decide([0], Decision.REMOVE)
    session.marks.decide([0], Decision.REMOVE_PART)
    (step,) = session.plan().steps
    (part,) = [member for member in session.members(int(session.all_clusters().ids[0])) if not member.is_keeper]
    assert [refused.value.share, step.share, part.in_whole] == pytest.approx([share] * 3, abs=1e-6)
    assert (part.in_whole == 1) == (step.share == 1) == (share == 1)


def test_a_part_goes_by_its_own_decision_alone_and_only_while_its_whole_stays() -> None:
    session = ReviewSession(Made([Doc(0, words=10), Doc(1), Doc(1)], [Pair(0, 1, 30, 0.1, 0.95, 0.1)]).result())
    session.marks.decide([0], Decision.REMOVE_PART)
    (step,) = session.plan().steps
    assert step.relation is Relation.PART and session.summary().relations == {Relation.PART: 1}
    with pytest.raises(LastCopyError):
        session.marks.decide([1, 2], Decision.REMOVE)
    session.marks.decide([1], Decision.REMOVE)
    assert len(session.plan().steps) == 2


def test_files_with_other_names_free_room_only_when_all_of_them_go() -> None:
    docs = [Doc(1), Doc(1, inode=7), Doc(1, inode=7)]
    session = ReviewSession(Made(docs).result())
    session.marks.decide([1], Decision.REMOVE)
    assert session.summary().bytes == 0
    session.marks.decide([2], Decision.REMOVE)
    assert session.summary().bytes == 1000


def query_of(row: Doc, path: Path, text: str) -> bool:
    """A plain reading of the few queries that the test types."""
    when = row.changed
    return {
        "letter": "letter" in str(path).lower(), "ARCHIVE": "archive" in str(path).lower(),
        "folder:deep": "deep" in str(path.parent), "type:pdf": row.media == "pdf", "lang:zh": row.language == "zh",
        "size>1k": row.size > 1000, "size<1MB": row.size < 1_000_000, "size>0.5mb": row.size > 500_000,
        "date>2023": when > datetime(2023, 1, 1, tzinfo=UTC), "date<2024-02": when < datetime(2024, 2, 1, tzinfo=UTC),
        '"0 letter"': "0 letter" in str(path), "nowhere": False, "size>many": "size>many" in str(path), "": True,
    }[text]  # fmt: skip


TYPED = st.sampled_from(
    ["letter", "ARCHIVE", "folder:deep", "type:pdf", "lang:zh", "size>1k", "size<1MB", "size>0.5mb", "date>2023",
     "date<2024-02", '"0 letter"', "nowhere", "size>many", ""]
)  # fmt: skip


@given(
    made(), st.lists(TYPED, max_size=3), st.frozensets(st.sampled_from(FILTERED_RELATIONS), max_size=2), st.booleans(),
    st.booleans(), st.booleans(),
)  # fmt: skip
def test_a_filter_shows_the_groups_that_meet_it(
    given_made: Made, words: list[str], relations: frozenset[Relation], unreviewed: bool, marks: bool, protected: bool
) -> None:
    session = ReviewSession(given_made.result())
    ids = session.all_clusters().ids.tolist()
    for number in ids[::2]:
        session.mark_reviewed(number)
    for row in range(len(given_made.docs)):
        try:
            session.marks.decide([row], Decision.REMOVE)
        except PlanError:
            continue
        break
    only = {GroupTrait.UNREVIEWED: unreviewed, GroupTrait.MARKED: marks, GroupTrait.PROTECTED: protected}
    session.set_filter(
        GroupFilter(relations, " ".join(words), frozenset(trait for trait, is_on in only.items() if is_on))
    )
    expected = []
    for place, number in enumerate(ids):
        rows = session.all_clusters().rows(place).tolist()
        docs = [(given_made.docs[row], path_of(given_made.docs, row)) for row in rows]
        held = {
            Relation.VERSION if member.relation in (Relation.NONE, Relation.WHOLE) else member.relation
            for member in session.members(number)
            if member.document != session.all_clusters().keepers[place]
        }
        if relations and not held & relations:
            continue
        if unreviewed and number in ids[::2]:
            continue
        if marks and not marked(session) & set(rows):
            continue
        if protected and not any(doc.protected for doc, _ in docs):
            continue
        if any(all(query_of(doc, path, word) for word in words) for doc, path in docs):
            expected.append(number)
    assert sorted(session.listed().ids.tolist()) == sorted(expected)


@given(made(), st.sampled_from(GroupOrder))
def test_the_list_is_in_the_chosen_order(given_made: Made, order: GroupOrder) -> None:
    session = ReviewSession(given_made.result())
    session.set_sort(order)
    table, present = session.listed(), session.all_clusters()
    place_of = {number: place for place, number in enumerate(present.ids.tolist())}
    places = [place_of[number] for number in table.ids.tolist()]
    docs = given_made.docs
    keys: dict[GroupOrder, list[Any]] = {
        GroupOrder.SPACE: [-int(present.bytes_to_free[place]) for place in places],
        GroupOrder.SIMILARITY: (-session._view()._lowest[places]).tolist(),
        GroupOrder.COPIES: [-len(present.rows(place)) for place in places],
        GroupOrder.NAME: [table.title(row).casefold() for row in range(len(table))],
        GroupOrder.FOLDER: [str(path_of(docs, int(present.keepers[place]))).casefold() for place in places],
        GroupOrder.NEWEST: [
            -max(docs[row].changed.timestamp() for row in present.rows(place).tolist()) for place in places
        ],
    }
    assert keys[order] == sorted(keys[order])
    assert table.size.tolist() == [len(present.rows(place)) for place in places]


@given(made(), st.integers(0, 16), st.sampled_from(["nothing", "filter", "order", "mark", "away"]))
def test_a_list_that_was_prepared_is_that_which_is_made_when_it_is_asked_for(
    given_made: Made, radius: int, meanwhile: str
) -> None:
    prepared, plain = (ReviewSession(given_made.result()) for _ in range(2))
    asked = replace(plain.demand, radius=radius)
    assert prepared.prepare(asked) == plain.counts(asked)
    for session in (prepared, plain):
        match meanwhile:
            case "filter":
                session.set_filter(GroupFilter(text="letter"))
            case "order":
                session.set_sort(GroupOrder.SPACE)
            case "mark":
                session.marks.mark_all(session.all_clusters().members.tolist())
            case "away":
                session.note_files([0], FileState.GONE)
        session.set_demand(asked)
    for field in fields(ClusterTable):
        column, expected = getattr(prepared.listed(), field.name), getattr(plain.listed(), field.name)
        assert field.name == "documents" or column.tolist() == expected.tolist(), field.name
    assert prepared.summary() == plain.summary()


@given(made())
def test_the_chips_count_what_their_filters_show(given_made: Made) -> None:
    session = ReviewSession(given_made.result())
    for number in session.all_clusters().ids.tolist()[::2]:
        session.mark_reviewed(number)
    for number in session.all_clusters().ids.tolist()[::3]:
        session.not_duplicates(number)
    counts, relations = session.trait_counts(), session.relation_counts()
    for trait, count in counts.items():
        session.set_filter(GroupFilter(only=frozenset({trait})))
        assert count == len(session.listed()), trait
    for number, relation in enumerate(FILTERED_RELATIONS):
        session.set_filter(GroupFilter(relations=frozenset({relation})))
        assert relations.groups[number] == len(session.listed())
        assert relations.documents[number] == session.listed().holds[:, number].sum()
    session.set_filter(GroupFilter())
    assert relations.documents.sum() + len(session.listed()) == session.counts().documents


def test_groups_of_protected_documents_are_left_out_by_the_filter_for_space_to_free() -> None:
    docs = [Doc(1, protected=True), Doc(1, protected=True), Doc(2, protected=True), Doc(2)]
    session = ReviewSession(Made(docs, []).result())
    session.set_filter(GroupFilter(only=frozenset({GroupTrait.FREE})))
    (listed,) = session.listed().ids.tolist()
    assert {member.document for member in session.members(listed)} == {2, 3}
    session.set_filter(GroupFilter())
    assert len(session.listed()) == 2 and session.trait_counts()[GroupTrait.FREE] == 1


def test_listeners_learn_what_changed_until_they_unsubscribe() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    changes: list[SessionChange] = []
    end = session.subscribe(changes.append)
    session.marks.decide([1, 2], Decision.REMOVE)
    session.set_radius(3)
    end()
    session.acts.undo()
    assert changes == [SessionChange((1, 2)), SessionChange(clusters=True)]


def test_documents_said_to_be_no_duplicates_leave_the_list_with_their_marks_and_come_back() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2), Doc(2)]).result())
    session.marks.decide([1], Decision.REMOVE)
    session.not_duplicates(0)
    assert session.listed().ids.tolist() == [2] and marked(session) == set()
    session.acts.undo()
    assert sorted(session.listed().ids.tolist()) == [0, 2] and marked(session) == {1}


def test_a_group_of_no_duplicates_is_shown_again_at_a_radius_where_it_joins_others() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2, 5, 0.9, 0.9, 0.9)]).result(radius=0))
    session.set_demand(replace(session.demand, passages=False))
    session.not_duplicates(0)
    assert len(session.listed()) == 0
    session.set_radius(5)
    assert session.listed().size.tolist() == [3]
    session.set_radius(0)
    assert len(session.listed()) == 0


def test_a_removed_document_counts_no_more_until_it_returns() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    session.marks.decide([1], Decision.REMOVE)
    session.note_removed([1])
    assert len(session.listed()) == 0 and not session.acts.can_undo
    with pytest.raises(LastCopyError):
        session.marks.decide([0], Decision.REMOVE)
    assert session.counts().clusters == session.counts().documents == 0
    session.note_files([1], FileState.THERE)
    assert len(session.listed()) == 1 and session.counts().documents == 2
    session.marks.decide([0], Decision.REMOVE)


def test_a_restored_document_is_marked_again_and_that_can_be_undone() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    session.marks.decide([1], Decision.REMOVE)
    session.note_removed([1, 2])
    session.note_files([1, 2], FileState.THERE)
    session.marks.mark_again([1, 2])
    assert marked(session) == {1} and session.summary().documents == 1
    session.acts.undo()
    assert marked(session) == set() and not session.acts.can_undo


def test_a_restored_document_is_not_marked_again_if_what_stayed_was_marked_or_lost_meanwhile() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    session.marks.decide([1], Decision.REMOVE)
    session.note_removed([1])
    session.note_files([0], FileState.GONE)
    session.note_files([1], FileState.THERE)
    session.marks.mark_again([1])
    assert marked(session) == set()
    session.note_files([1], FileState.THERE)
    session.marks.mark_again([1])
    assert marked(session) == set()


def test_decisions_about_a_folder_that_is_away_count_again_when_it_comes_back(tmp_path: Path) -> None:
    decisions, result = Decisions(tmp_path / "decisions.db"), Made([Doc(1), Doc(1), Doc(1)]).result()
    session = ReviewSession(result, decisions)
    session.marks.decide([0], Decision.KEEP)
    session.marks.decide([1], Decision.REMOVE)
    session.note_files([0, 1], FileState.GONE)
    assert not session.summary().documents and not session.summary().hidden_marks and not session.plan().steps
    assert not session.listed().marked.any() and not session.trait_counts()[GroupTrait.MARKED]
    session.note_files([0, 1], FileState.THERE)
    for later in (session, ReviewSession(result, decisions)):
        assert [later.marks.decision(row) for row in range(2)] == [Decision.KEEP, Decision.REMOVE]
        assert later.summary().documents == len(later.plan().steps) == 1


def test_a_mark_whose_survivors_went_meanwhile_is_not_carried_out_when_its_file_returns() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    session.marks.decide([1], Decision.REMOVE)
    session.note_files([0, 1], FileState.GONE)
    session.note_files([1], FileState.THERE)
    assert not session.summary().documents and not session.plan().steps


def test_a_group_that_is_not_there_has_no_hit() -> None:
    session = ReviewSession(Made([Doc(1)]).result())
    assert session.hit_of(0) == -1


def test_a_radius_is_held_within_what_was_matched_and_a_similarity_within_its_limits() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    for asked, given_radius in ((-5, 0), (99, 16)):
        session.set_radius(asked)
        assert session.demand.radius == given_radius
    for asked_share in (0.4, 1.1, float("nan")):
        with pytest.raises(SettingError):
            session.set_demand(replace(session.demand, similarity=asked_share))


def test_a_scan_that_found_nothing_can_be_looked_at() -> None:
    for result in (Made([]).result(), Made([Doc(1)]).result()):
        session = ReviewSession(result)
        assert len(session.listed()) == 0 and session.plan().steps == ()
        assert session.counts().documents == 0 and session.trait_counts()[GroupTrait.ALL] == 0
        assert session.members(5) == []


@pytest.mark.parametrize("texts", [1, 400])
def test_the_work_for_the_members_of_a_group_grows_with_their_number(texts: int) -> None:
    """The steps of Python that they take grow with their number, not with its square: of copies, and of versions."""
    lines = []
    for count in (200, 400):
        docs = [Doc(row % texts) for row in range(count)]
        pairs = [Pair(left, right) for left, right in itertools.combinations(range(min(count, texts)), 2)]
        session = ReviewSession(Made(docs, pairs).result())
        session.all_clusters()
        number = itertools.count()

        def trace(*_: object, number: Iterator[int] = number) -> Any:
            next(number)
            return trace

        sys.settrace(trace)
        try:
            members = session.members(0)
        finally:
            sys.settrace(None)
        lines.append(next(number))
        keeper = members[0].document
        others = {member.nearest.document for member in members[1:] if member.nearest is not None}
        assert len(members) == count and others == {keeper} and members[0].nearest is not None
    assert lines[1] < 2.2 * lines[0]


def test_each_of_many_copies_is_compared_with_a_few_others_and_its_nearest_is_as_if_with_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Copies with two pictures, and one with a picture like no other."""
    made = Made([Doc(1, row, pictures=9 if row == 77 else 3 + row % 2) for row in range(200)])
    session, compared = ReviewSession(made.result()), 0
    same_words = FileColumns.same_words

    def noted(self: FileColumns, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.uint8]:
        nonlocal compared
        compared += len(left)
        return same_words(self, left, right)

    monkeypatch.setattr(FileColumns, "same_words", noted)
    plain, members = Plain(made, session.demand), session.members(0)
    assert len(members) == 200 and compared < 10 * 200
    for member in members:
        others = [row for row in range(200) if row != member.document]
        assert member.nearest is not None
        assert member.nearest.relation is max(plain.relation(member.document, other) for other in others)


@pytest.mark.parametrize("copies", [2, 4, 1000])
def test_the_work_for_a_plan_grows_with_its_files(copies: int) -> None:
    """The calls of Python that a plan takes grow with its files, whether they are of one group or of many."""
    calls = []
    for count in (1000, 2000):
        session = ReviewSession(Made([Doc(text=row // copies) for row in range(count)]).result())
        session.marks.decide([row for row in range(count) if row % copies], Decision.REMOVE)
        number = itertools.count()
        sys.setprofile(lambda *_, number=number: next(number))
        try:
            plan = session.plan()
        finally:
            sys.setprofile(None)
        calls.append(next(number))
        assert len(plan.steps) == count - count // copies
        keepers = {step.keeper.path: step.keeper for step in plan.steps}
        assert all(step.keeper == keepers[step.keeper.path] for step in plan.steps)
        assert plan == replace(plan, steps=tuple(plan.steps)) and plan.steps[:2] == tuple(plan.steps)[:2]
    assert calls[1] < 2.2 * calls[0]


def test_several_threads_may_ask_for_counts_also_when_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    grouping = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2)]).result()).grouping
    monkeypatch.setattr(grouping, "_most", 1)
    demands = [Demand(0.7, 0.85, radius) for radius in range(3)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            borders = list(threads.map(grouping.borderline_pairs, demands * 3_000))
    finally:
        sys.setswitchinterval(before)
    assert len(set(borders)) == 1


def test_of_identical_files_the_plan_relies_on_the_kept_copy() -> None:
    folders = (".cache/mail", "Downloads", "letters")
    session = ReviewSession(Made([Doc(1, folder=folder, name="letter.txt") for folder in folders], []).result())
    session.marks.decide([1], Decision.REMOVE)
    (step,) = session.plan().steps
    assert step.keeper.path.parent.name == "letters"


def test_a_file_that_was_restored_under_a_similar_name_is_not_taken_for_the_one_that_has_its_name_now() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)], []).result())
    marked = [row for row in range(3) if row != session.members_at(0)[0].document]
    session.marks.decide(marked, Decision.REMOVE)
    steps = session.plan().steps
    session.note_removed(marked)
    names = (steps[0].victim.path, steps[1].victim.path.with_name("letter (restored).txt"))
    outcomes = tuple(
        Outcome(number, step, OutcomeState.RESTORED, restored_to=name)
        for number, (step, name) in enumerate(zip(steps, names, strict=True))
    )
    assert note_restored(session, Batch("", datetime.now(UTC), "", 2, outcomes)) == [marked[0]]
    assert [session.file_state(row) for row in marked] == [FileState.THERE, FileState.GONE]
    assert [session.marks.decision(row) for row in marked] == [Decision.REMOVE, Decision.UNDECIDED]
