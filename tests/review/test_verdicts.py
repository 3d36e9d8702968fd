"""What was said of whole clusters holds as long as no other document joins them, and is there after a restart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import DiskFullError
from dupfinder.library.decisions import Decision, Decisions, VerdictKind
from dupfinder.review.acts import Verdict, Verdicts
from dupfinder.review.listing import GroupFilter, GroupTrait
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made, Pair, made

APART = GroupFilter(only=frozenset({GroupTrait.APART}))


@given(made(), st.integers(0, 16), st.data())
def test_a_verdict_holds_for_exactly_the_clusters_it_covers(given_made: Made, radius: int, data: st.DataObject) -> None:
    session = ReviewSession(given_made.result())
    session.set_radius(radius)
    present, count = session.all_clusters(), len(given_made.docs)
    drawn = st.builds(Verdict, st.sampled_from(VerdictKind), st.frozensets(st.integers(0, count - 1)))
    held = data.draw(st.lists(drawn, max_size=6))
    verdicts = Verdicts(count)
    verdicts.change(held)
    for kind in VerdictKind:
        expected = [
            any(verdict.kind is kind and verdict.rows >= set(present.rows(place).tolist()) for verdict in held)
            for place in range(len(present))
        ]
        assert verdicts.mask(kind, present).tolist() == expected
        assert [bool(verdicts.about(kind, present, place)) for place in range(len(present))] == expected


PAPERS = [Doc(1), Doc(1), Doc(2), Doc(3), Doc(3), Doc(4, words=10), Doc(5)]
PAIRS = [Pair(0, 2, 5, 0.9, 0.9, 0.9), Pair(5, 6, 20, 0.1, 0.95, 0.1)]


def opened(folder: Path, docs: list[Doc] = PAPERS, pairs: list[Pair] = PAIRS) -> ReviewSession:
    session = ReviewSession(Made(docs, pairs).result(radius=0), Decisions(folder / "decisions.db"))
    session.set_demand(replace(session.demand, similarity=0.95))
    return session


def reviewed(session: ReviewSession) -> set[int]:
    table = session.listed()
    return set(table.ids[table.reviewed].tolist())


def test_what_was_reviewed_and_parted_is_so_after_a_restart(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert sorted(first.listed().ids.tolist()) == [0, 3, 6]
    first.mark_reviewed(0)
    first.not_duplicates(3)
    first.not_duplicates(6)
    again = opened(tmp_path)
    assert again.listed().ids.tolist() == [0] and reviewed(again) == {0}
    again.set_filter(APART)
    assert sorted(again.listed().ids.tolist()) == [3, 6]
    assert again.trait_counts()[GroupTrait.APART] == 2


def test_a_cluster_that_another_document_joined_is_a_new_question(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.mark_reviewed(0)
    first.set_demand(replace(first.demand, similarity=0.9))
    assert reviewed(first) == set()
    first.set_demand(replace(first.demand, similarity=0.95))
    assert reviewed(first) == {0}
    changed = [Doc(9), *PAPERS[1:]]
    assert reviewed(opened(tmp_path, [*PAPERS, Doc(1)])) == set()
    assert reviewed(opened(tmp_path, changed)) == set()


def test_what_was_said_of_a_cluster_holds_when_a_document_of_it_was_moved_or_renamed(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.mark_reviewed(0)
    first.not_duplicates(3)
    moved = [*PAPERS]
    moved[1] = Doc(1, name="renamed", folder="elsewhere")
    moved[4] = Doc(3, name="renamed too")
    again = opened(tmp_path, moved)
    assert again.listed().ids.tolist() == [0, 6] and reviewed(again) == {0}
    copied = opened(tmp_path, [*PAPERS, Doc(3, name="a new copy")])
    assert 3 in copied.listed().ids.tolist()  # which may be removed


def test_parting_is_taken_back_and_the_taking_back_is_undone(tmp_path: Path) -> None:
    session = opened(tmp_path)
    session.marks.decide([4], Decision.REMOVE)
    session.not_duplicates(3)
    session.acts.undo()
    assert session.marks.decision(4) is Decision.REMOVE
    assert opened(tmp_path).trait_counts()[GroupTrait.APART] == 0
    session.acts.redo()
    session.duplicates_again(3)
    assert session.trait_counts()[GroupTrait.APART] == 0 == opened(tmp_path).trait_counts()[GroupTrait.APART]
    session.acts.undo()
    assert session.trait_counts()[GroupTrait.APART] == 1 == opened(tmp_path).trait_counts()[GroupTrait.APART]


@pytest.mark.parametrize("number", [99, -99])
def test_a_cluster_that_is_not_there_is_passed_over(tmp_path: Path, number: int) -> None:
    session = opened(tmp_path)
    session.mark_reviewed(number)
    session.not_duplicates(number)
    session.duplicates_again(number)
    assert session.trait_counts()[GroupTrait.ALL] == 3 and not session.acts.can_undo


def test_what_cannot_be_stored_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(tmp_path)
    session.marks.decide([1], Decision.REMOVE)

    def full(*_: object) -> None:
        raise DiskFullError(tmp_path)

    monkeypatch.setattr(Decisions, "_change", full)
    with pytest.raises(DiskFullError):
        session.marks.decide([4], Decision.REMOVE)
    with pytest.raises(DiskFullError):
        session.acts.undo()
    with pytest.raises(DiskFullError):
        session.not_duplicates(3)
    assert session.acts.marked.tolist() == [row == 1 for row in range(len(PAPERS))]
    assert session.acts.count == 1 and session.trait_counts()[GroupTrait.APART] == 0
    monkeypatch.undo()
    session.undo()
    assert not session.acts.marked.any() and not session.acts.can_undo
