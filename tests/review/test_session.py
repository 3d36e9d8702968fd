"""The review session: whatever is decided, taken back or looked at, a marked document keeps an unmarked witness."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.actions.plan import Reason, Verb, validate
from dupfinder.base.errors import LastCopyError, PlanError, ProtectedError, SettingError
from dupfinder.library.decisions import Decisions
from dupfinder.review.members import Decision
from dupfinder.review.session import Changed, Filter, Kind, ReviewSession, Sort
from tests.review.making import Doc, Made, Pair, Plain, made, path_of

ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("decide"), st.lists(st.integers(0, 8), min_size=1, max_size=4), st.sampled_from(Decision)),
        st.tuples(st.just("decide"), st.lists(st.integers(0, 8), min_size=1, max_size=4), st.just(Decision.REMOVE)),
        st.tuples(st.sampled_from(["undo", "redo"])),
        st.tuples(st.just("apart"), st.integers(0, 9)),
        st.tuples(st.just("radius"), st.integers(-1, 20)),
        st.tuples(st.just("similarity"), st.sampled_from([0.0, 0.5, 0.7, 0.95, 1.0])),
        st.tuples(st.just("remove")),
        st.tuples(st.just("return")),
    ),
    max_size=14,
)
LOOKING = {"radius", "similarity"}


def carry_out(session: ReviewSession, act: tuple[object, ...], gone: set[int]) -> None:
    """One act; a refusal must leave everything as it was."""
    count = len(session.result.documents)
    match act:
        case ("decide", rows, decision):
            chosen = [row % count for row in rows]  # type: ignore[attr-defined]
            before = [session.decision(row) for row in range(count)]
            try:
                session.decide(chosen, decision)  # type: ignore[arg-type]
            except PlanError:
                assert decision is Decision.REMOVE
                assert [session.decision(row) for row in range(count)] == before
        case ("undo",):
            session.undo()
        case ("redo",):
            session.redo()
        case ("apart", number):
            ids = session.clusters().ids.tolist()
            if ids:
                session.not_duplicates(ids[number % len(ids)])  # type: ignore[operator]
        case ("radius", radius):
            session.set_radius(radius)  # type: ignore[arg-type]
        case ("similarity", similarity):
            session.set_min_similarity(similarity)  # type: ignore[arg-type]
        case ("remove",):
            victims = [session.row_of(step.victim.path) for step in session.plan().steps]
            rows = [row for row in victims if row is not None]
            session.forget(rows)
            gone.update(rows)
        case ("return",):
            session.returned(sorted(gone))
            gone.clear()


def marked(session: ReviewSession) -> set[int]:
    return {row for row in range(len(session.result.documents)) if session.decision(row) is Decision.REMOVE}


def check_plan(session: ReviewSession, given_made: Made, gone: set[int]) -> None:
    """The plan holds: no protected victim, and for each victim a true witness that stays."""
    plan = session.plan()
    validate(plan)
    plain = Plain(given_made, session.radius, session.min_similarity)
    marks, everyone = marked(session), set(range(len(given_made.docs)))
    alive = everyone - marks - gone
    for step in plan.steps:
        victim, keeper = session.row_of(step.victim.path), session.row_of(step.keeper.path)
        assert victim in marks - gone and keeper in alive
        assert not given_made.docs[victim].protected
        assert keeper in plain.witnesses(victim, alive)
        same_text = given_made.docs[victim].text == given_made.docs[keeper].text
        same_bytes = same_text and given_made.docs[victim].form == given_made.docs[keeper].form
        assert (step.reason is Reason.IDENTICAL_BYTES) == same_bytes
        assert (step.reason is Reason.IDENTICAL_TEXT) == (same_text and not same_bytes)
        assert step.victim.stamp == session.result.documents.stamp(victim)
        assert 0 < step.similarity <= 1
    summary = session.summary()
    assert summary.documents == len(plan.steps)
    assert summary.documents + summary.hidden_marks == len(marks - gone)
    assert summary.bytes == sum(step.victim.stamp.size for step in plan.steps)
    assert summary.near == sum(
        step.reason not in (Reason.IDENTICAL_BYTES, Reason.IDENTICAL_TEXT) for step in plan.steps
    )


@settings(deadline=None, max_examples=120)
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


@settings(deadline=None, max_examples=120)
@given(made(), ACTS, st.integers(0, 16))
def test_at_one_radius_every_mark_has_a_witness_whatever_is_done(
    given_made: Made, acts: list[tuple[object, ...]], radius: int
) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    gone: set[int] = set()
    plain = Plain(given_made, radius, 0.7)
    for act in acts:
        if act[0] in LOOKING:
            continue
        carry_out(session, act, gone)
        alive = set(range(len(given_made.docs))) - marked(session) - gone
        assert all(plain.witnesses(row, alive) for row in marked(session) - gone)


@settings(deadline=None, max_examples=120)
@given(made(), st.integers(0, 16), st.lists(st.integers(0, 8), min_size=1, max_size=5))
def test_a_mark_is_refused_only_when_it_would_cost_the_last_witness(
    given_made: Made, radius: int, rows: list[int]
) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    chosen = {row % len(given_made.docs) for row in rows}
    alive = set(range(len(given_made.docs))) - chosen
    plain = Plain(given_made, radius, 0.7)
    try:
        session.decide(sorted(chosen), Decision.REMOVE)
    except ProtectedError as error:
        assert any(given_made.docs[row].protected and path_of(given_made.docs, row) == error.path for row in chosen)
    except LastCopyError as error:
        lost = [row for row in chosen if not plain.witnesses(row, alive)]
        assert error.path in [path_of(given_made.docs, row) for row in lost]
    else:
        assert marked(session) == chosen
        assert all(plain.witnesses(row, alive) and not given_made.docs[row].protected for row in chosen)


@settings(deadline=None, max_examples=60)
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
    assert [again.decision(row) for row in range(len(given_made.docs))] == [
        session.decision(row) for row in range(len(given_made.docs))
    ]
    assert not again.can_undo
    narrow = ReviewSession(given_made.result(radius=0), decisions)
    plain = Plain(given_made, 0, 0.7)
    alive = set(range(len(given_made.docs))) - marked(narrow)
    assert all(plain.witnesses(row, alive) for row in marked(narrow))


def test_a_stored_decision_on_other_bytes_or_a_file_that_is_protected_now_does_not_count(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result(), decisions)
    session.decide([0, 1], Decision.REMOVE)
    changed = ReviewSession(Made([Doc(1, form=1), Doc(1), Doc(1)]).result(), decisions)
    assert marked(changed) == {1}
    names = ["00 letter.txt", "01 letter.txt", "02 letter.txt"]
    kept = Made([Doc(1, name=f"../letters/{name}", protected=number == 0) for number, name in enumerate(names)])
    assert marked(ReviewSession(kept.result(), decisions)) <= {1}


@settings(deadline=None, max_examples=150)
@given(made(), ACTS)
def test_undo_and_redo_go_back_and_forth_over_the_same_decisions(
    given_made: Made, acts: list[tuple[object, ...]]
) -> None:
    session = ReviewSession(given_made.result())
    everyone = range(len(given_made.docs))
    states = [[session.decision(row) for row in everyone]]
    for act in acts:
        if act[0] in ("decide", "apart"):
            size = len(session._undo)
            carry_out(session, act, set())
            if len(session._undo) > size:
                states.append([session.decision(row) for row in everyone])
    for state in reversed(states[:-1]):
        assert session.can_undo and session.undo_size > 0
        session.undo()
        assert [session.decision(row) for row in everyone] == state
    assert not session.can_undo
    for state in states[1:]:
        session.redo()
        assert [session.decision(row) for row in everyone] == state
    assert not session.can_redo


def test_marks_that_a_narrower_radius_hides_are_counted_kept_and_left_out_of_the_plan() -> None:
    session = ReviewSession(Made([Doc(1), Doc(2)], [Pair(0, 1, distance=10)]).result())
    session.decide([0], Decision.REMOVE)
    session.set_radius(3)
    assert session.plan().steps == () and session.summary().hidden_marks == 1
    assert session.decision(0) is Decision.REMOVE
    session.set_radius(12)
    assert len(session.plan().steps) == 1 and session.summary().hidden_marks == 0


def test_a_mark_whose_witness_is_out_of_sight_is_hidden_though_its_cluster_is_shown() -> None:
    pairs = [Pair(0, 1, 1), Pair(0, 2, 10), Pair(1, 3, 10)]
    session = ReviewSession(Made([Doc(row) for row in range(4)], pairs).result(radius=12))
    session.decide([0, 1], Decision.REMOVE)
    assert len(session.plan().steps) == 2
    session.set_radius(2)
    assert session.clusters().ids.tolist() == [0]
    assert session.plan().steps == () and session.summary().hidden_marks == 2


def test_a_plan_carries_what_its_steps_must_respect() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result(min_similarity=0.8, min_containment=0.9))
    session.decide([1], Decision.REMOVE)
    plan = session.plan(Verb.MOVE, Path("/elsewhere"))
    assert plan.roots == (Path("/docs"),) and plan.protected == (Path("/docs/kept"),)
    assert (plan.min_similarity, plan.min_containment) == (0.8, 0.9)
    assert plan.destination == Path("/elsewhere") and plan.scan_name == "Letters"
    assert [step.verb for step in plan.steps] == [Verb.MOVE]


def test_a_document_chosen_to_be_kept_is_the_witness_before_others() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    session.decide([2], Decision.KEEP)
    session.decide([0], Decision.REMOVE)
    assert session.plan().steps[0].keeper.path.name == "02 letter.txt"


def test_documents_without_text_are_copies_by_their_bytes_alone() -> None:
    docs = [Doc(1, status="no_text"), Doc(1, status="no_text"), Doc(1, form=1, status="no_text"),
            Doc(2, status="no_text", size=0), Doc(2, status="no_text", size=0)]  # fmt: skip
    session = ReviewSession(Made(docs).result())
    assert [session.present().rows(place).tolist() for place in range(len(session.present()))] == [[0, 1]]


@settings(deadline=None, max_examples=100)
@given(made(), st.integers(0, 16), st.sampled_from([0.0, 0.7, 0.95]))
def test_counts_and_histogram_are_those_of_counting_by_hand(given_made: Made, radius: int, similarity: float) -> None:
    session = ReviewSession(given_made.result())
    session.set_min_similarity(similarity)
    plain = Plain(given_made, radius, similarity)
    histogram = session.histogram()
    copies = sum(plain.stand(row) != row for row in range(len(given_made.docs)))
    verified = Counter(pair.distance for pair in given_made.pairs if plain.accepted(pair))
    every = Counter(pair.distance for pair in given_made.pairs) + Counter(given_made.strangers)
    for distance in range(17):
        assert histogram.verified[distance] == verified[distance] + (copies if distance == 0 else 0)
        assert histogram.unverified[distance] == every[distance] - verified[distance]
    session.set_radius(radius)
    rows = [session.present().rows(place).tolist() for place in range(len(session.present()))]
    near = [group for group, number in zip(rows, session.present().ids.tolist(), strict=True) if number >= 0]
    shown = session.counts()
    assert shown == session.counts(radius)
    assert (shown.clusters, shown.documents) == (len(rows), len({row for group in rows for row in group}))
    counts = session.grouping.counts(radius)
    assert shown.bytes_to_free == counts.bytes_to_free
    assert counts.clusters == len(near) and counts.documents == sum(map(len, near))
    assert len({row for group in near for row in group}) == counts.documents  # each document in one of them
    keepers = session.present().keepers.tolist()
    sizes = [
        sum(given_made.docs[row].size for row in group if row != keepers[place]) for place, group in enumerate(rows)
    ]
    assert session.present().bytes_to_free.tolist() == sizes
    assert counts.bytes_to_free == sum(sizes[: len(near)])


@settings(deadline=None, max_examples=100)
@given(made(), st.integers(0, 16))
def test_clusters_hold_copies_together_and_near_documents_alone(given_made: Made, radius: int) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    plain = Plain(given_made, radius, 0.7)
    found = session.present()
    together = {
        row: group for place, group in enumerate(map(found.rows, range(len(found)))) if found.ids[place] >= 0
        for row in group.tolist()
    }  # fmt: skip
    for row, doc in enumerate(given_made.docs):
        copies = [other for other in range(len(given_made.docs)) if given_made.docs[other].text == doc.text]
        tied = any(plain.near(pair) for pair in given_made.pairs if plain.stand(row) in (pair.left, pair.right))
        assert (row in together) == (len(copies) > 1 or tied) or not tied
        assert all(set(copies) <= set(together[row].tolist()) for _ in [0] if row in together)
    for place, number in enumerate(found.ids.tolist()):
        rows, keeper = found.rows(place).tolist(), int(found.keepers[place])
        assert keeper in rows and len(rows) > 1
        kinds = {(given_made.docs[row].text, given_made.docs[row].form) for row in rows}
        if number < 0:
            assert found.kinds[place] == Kind.CONTAINED and number == -2 - keeper
        elif len(kinds) == 1:
            assert found.kinds[place] == Kind.EXACT
        elif len({text for text, _ in kinds}) == 1:
            assert found.kinds[place] == Kind.SAME_TEXT
        else:
            assert found.kinds[place] == Kind.NEAR


@settings(deadline=None, max_examples=100)
@given(made(), st.integers(0, 16))
def test_members_tell_truly_how_they_belong_to_the_keeper(given_made: Made, radius: int) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    plain = Plain(given_made, radius, 0.7)
    found = session.present()
    for place, number in enumerate(found.ids.tolist()):
        members = session.members(number)
        assert sorted(member.document for member in members) == sorted(found.rows(place).tolist())
        keeper = members[0]
        assert keeper.relation == "keeper" and keeper.similarity == 1.0
        assert all(member.relation != "keeper" for member in members[1:])
        lowest = min(
            1.0, *(member.similarity for member in members if number >= 0 and member.relation != "linked"), 1.0
        )
        for member in members[1:]:
            one, other = given_made.docs[member.document], given_made.docs[keeper.document]
            if member.relation in ("identical_bytes", "identical_text"):
                assert one.text == other.text and (member.relation == "identical_bytes") == (one.form == other.form)
                continue
            stands = {plain.stand(member.document), plain.stand(keeper.document)}
            direct = [pair for pair in given_made.pairs if {pair.left, pair.right} == stands]
            if member.relation == "near":
                assert plain.near(direct[0]) and member.similarity == np.float32(direct[0].resemblance)
                assert member.linked_through is None
            elif member.relation == "linked":
                assert not direct or not plain.near(direct[0])
                assert member.linked_through is not None
            else:
                assert member.relation == "contained" and number < 0
                inside = (
                    direct[0].left_in_right
                    if direct[0].left == plain.stand(member.document)
                    else direct[0].right_in_left
                )
                assert member.in_keeper == np.float32(inside) >= np.float32(0.85)
        if number >= 0 and all(member.relation != "linked" for member in members):
            assert found.lowest[place] == np.float32(lowest)


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


@settings(deadline=None, max_examples=120)
@given(
    made(), st.lists(TYPED, max_size=3), st.frozensets(st.sampled_from(Kind), max_size=2), st.booleans(), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_what_is_shown_is_what_was_asked_for(
    given_made: Made, words: list[str], kinds: frozenset[Kind], unreviewed: bool, marks: bool, protected: bool
) -> None:
    session = ReviewSession(given_made.result())
    ids = session.present().ids.tolist()
    for number in ids[::2]:
        session.mark_reviewed(number)
    for row in range(len(given_made.docs)):
        try:
            session.decide([row], Decision.REMOVE)
        except PlanError:
            continue
        break
    session.set_filter(Filter(kinds, " ".join(words), unreviewed, marks, protected))
    expected = []
    for place, number in enumerate(ids):
        rows = session.present().rows(place).tolist()
        docs = [(given_made.docs[row], path_of(given_made.docs, row)) for row in rows]
        if kinds and Kind(int(session.present().kinds[place])) not in kinds:
            continue
        if unreviewed and number in ids[::2]:
            continue
        if marks and not marked(session) & set(rows):
            continue
        if protected and not any(doc.protected for doc, _ in docs):
            continue
        if any(all(query_of(doc, path, word) for word in words) for doc, path in docs):
            expected.append(number)
    assert sorted(session.clusters().ids.tolist()) == sorted(expected)


@settings(deadline=None, max_examples=100)
@given(made(), st.sampled_from(Sort))
def test_the_list_is_in_the_chosen_order(given_made: Made, order: Sort) -> None:
    session = ReviewSession(given_made.result())
    session.set_sort(order)
    table, found = session.clusters(), session.present()
    place_of = {number: place for place, number in enumerate(found.ids.tolist())}
    places = [place_of[number] for number in table.ids.tolist()]
    docs = given_made.docs
    keys: dict[Sort, list[Any]] = {
        Sort.SPACE: [-int(found.bytes_to_free[place]) for place in places],
        Sort.SIMILARITY: [-float(found.lowest[place]) for place in places],
        Sort.COPIES: [-len(found.rows(place)) for place in places],
        Sort.NAME: [table.title(row).casefold() for row in range(len(table))],
        Sort.FOLDER: [str(path_of(docs, int(found.keepers[place]))).casefold() for place in places],
        Sort.NEWEST: [-max(docs[row].changed.timestamp() for row in found.rows(place).tolist()) for place in places],
    }
    assert keys[order] == sorted(keys[order])
    assert table.size.tolist() == [len(found.rows(place)) for place in places]


@settings(deadline=None, max_examples=100)
@given(made())
def test_the_chips_count_what_their_filters_show(given_made: Made) -> None:
    session = ReviewSession(given_made.result())
    for number in session.present().ids.tolist()[::2]:
        session.mark_reviewed(number)
    for number in session.present().ids.tolist()[::3]:
        session.not_duplicates(number)
    counts = session.kind_counts()
    filters = {kind.name.lower(): Filter(kinds=frozenset({kind})) for kind in Kind}
    filters |= {
        "apart": Filter(only_apart=True),
        "all": Filter(), "unreviewed": Filter(only_unreviewed=True), "marked": Filter(only_marked=True),
        "protected": Filter(only_protected=True),
    }  # fmt: skip
    for name, chosen in filters.items():
        session.set_filter(chosen)
        assert counts[name] == len(session.clusters()), name


def test_listeners_learn_what_changed_until_they_have_had_enough() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1)]).result())
    told: list[Changed] = []
    end = session.subscribe(told.append)
    session.decide([1, 2], Decision.REMOVE)
    session.set_radius(3)
    end()
    session.undo()
    assert told == [Changed((1, 2)), Changed(clusters=True)]


def test_documents_said_to_be_no_duplicates_leave_the_list_with_their_marks_and_come_back() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2), Doc(2)]).result())
    session.decide([1], Decision.REMOVE)
    session.not_duplicates(0)
    assert session.clusters().ids.tolist() == [2] and marked(session) == set()
    session.undo()
    assert sorted(session.clusters().ids.tolist()) == [0, 2] and marked(session) == {1}


def test_what_was_parted_at_one_radius_is_shown_again_where_it_joins_others() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2)], [Pair(0, 2, 5, 0.9, 0.9, 0.9)]).result(radius=0))
    session.not_duplicates(0)
    assert len(session.clusters()) == 0
    session.set_radius(5)
    assert session.clusters().size.tolist() == [3]
    session.set_radius(0)
    assert len(session.clusters()) == 0


def test_a_removed_document_counts_no_more_until_it_returns() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    session.decide([1], Decision.REMOVE)
    session.forget([1])
    assert len(session.clusters()) == 0 and not session.can_undo
    with pytest.raises(LastCopyError):
        session.decide([0], Decision.REMOVE)
    assert session.counts().clusters == session.counts().documents == 0
    session.returned([1])
    assert len(session.clusters()) == 1 and session.counts().documents == 2
    session.decide([0], Decision.REMOVE)


def test_a_radius_is_held_within_what_was_matched_and_a_similarity_within_0_to_1() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1)]).result())
    for asked, given_radius in ((-5, 0), (99, 16)):
        session.set_radius(asked)
        assert session.radius == given_radius
    for asked_share in (-0.1, 1.1, float("nan")):
        with pytest.raises(SettingError):
            session.set_min_similarity(asked_share)


def test_a_scan_that_found_nothing_can_be_looked_at() -> None:
    for result in (Made([]).result(), Made([Doc(1)]).result()):
        session = ReviewSession(result)
        assert len(session.clusters()) == 0 and session.plan().steps == ()
        assert session.counts().documents == 0 and session.kind_counts()["all"] == 0
        assert session.members(5) == []
