"""The page that shows pair after pair: what it says of each, what its keys do, and how one leaves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.buttons import RowButton
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.pair_review import KEY_SPACING, PairReviewPage
from dupfinder.gui.results.sheets import PairsApartSheet
from dupfinder.library.decisions import Decision
from dupfinder.review.listing import GroupFilter, GroupTrait
from dupfinder.review.members import FileState
from dupfinder.review.pair_review import USUAL, PairReview, PairState
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import DirectReader, shown
from tests.gui.widgets import press, put_up, said

LEASE = [f"{number}. Clause {number} of the lease says what the tenant of house {number} owes." for number in range(9)]
NEWER = [*LEASE[:3], "3. Clause 3 of this lease tells what the tenant of house 3 owes.", *LEASE[4:], "The end is new."]
PAPERS = (
    Paper("leases/Lease.txt", "\n".join(NEWER), day=9, pages=3),
    Paper("leases/Lease b.txt", "\n".join(LEASE), day=4),
    Paper("leases/Lease c.txt", "\n".join(LEASE).replace("owes", "pays"), day=6),
    Paper("copies/Lease c.txt", "\n".join(LEASE).replace("owes", "pays"), day=6),
    Paper("letters/Letter.txt", "A letter about the house.", day=3),
    Paper("letters/Letter b.txt", "A letter about the houses.", day=2),
)
PAIRS = ((0, 1, 3, 0.95), (0, 2, 4, 0.8), (1, 2, 4, 0.75), (4, 5, 3, 0.9))


@pytest.fixture
def session(tmp_path: Path) -> ReviewSession:
    return ReviewSession(scan_result(tmp_path / "papers", PAPERS, PAIRS))


@pytest.fixture
def page(session: ReviewSession, qtbot: QtBot, theme: Theme) -> Iterator[PairReviewPage]:
    page = put_up(PairReviewPage(session, PairReview(session, USUAL), Drawing(theme), DirectReader()), qtbot, 1440, 820)
    page.entered()
    yield page
    page.exited()


def names(page: PairReviewPage) -> list[str]:
    return [header._name.text() for header in page.comparison.headers]


def press_keys(qtbot: QtBot, page: PairReviewPage, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(page.comparison.canvas, key)


def test_a_pair_is_shown_with_both_folders_and_a_sentence_that_names_all_that_differs(page: PairReviewPage) -> None:
    assert names(page) == ["Lease.txt", "Lease b.txt"]
    text = said(page)
    assert "Reworded in 1 place; 1 sentence only in A" in text
    assert "3 versions, the most similar first" in text and "1 of 3" in text
    assert "95 % similar" in text and "A is newer" in text
    assert "leases" in text and "Stays" in text


def test_each_decision_is_made_at_once_and_the_next_pair_is_shown(
    page: PairReviewPage, session: ReviewSession, qtbot: QtBot
) -> None:
    page.keep()
    assert [session.marks.decision(row) for row in (0, 1)] == [Decision.KEEP] * 2
    assert names(page)[1] == "Letter b.txt"
    press(page, "Not duplicates")
    assert names(page)[1] == "Lease c.txt"
    assert session.trait_counts()[GroupTrait.APART] == 1
    with qtbot.waitSignal(page.toast_wanted) as ended:
        page.toggle_remove()
    assert [session.marks.decision(row) for row in (2, 3)] == [Decision.REMOVE] * 2
    assert ended.args == ["Reviewed: 1 kept both, 1 marked for removal, 1 not duplicates.", "", None]
    assert "1 kept both" in said(page) and "1 not duplicates" in said(page)


def test_keys_go_to_other_pairs_and_differences_and_change_the_sides(page: PairReviewPage, qtbot: QtBot) -> None:
    press_keys(qtbot, page, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert page.pair == 2
    press_keys(qtbot, page, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert page.pair == 0 and page.comparison.canvas.current == 0
    press_keys(qtbot, page, Qt.Key.Key_Down)
    assert page.comparison.canvas.current == 1
    press_keys(qtbot, page, Qt.Key.Key_Up, Qt.Key.Key_X)
    assert page.comparison.canvas.current == 0 and names(page) == ["Lease b.txt", "Lease.txt"]
    assert "B is newer" in said(page)
    press_keys(qtbot, page, Qt.Key.Key_D)
    assert page._review.states().tolist() == [PairState.APART, PairState.OPEN, PairState.OPEN]


def test_a_decision_is_taken_back_and_repeated_with_its_pair_shown(
    page: PairReviewPage, session: ReviewSession
) -> None:
    session.marks.decide([4], Decision.KEEP)
    page._start = session.acts.count
    page.toggle_remove()
    page.undo()
    assert page.pair == 0 and not session.acts.marked.any()
    page.redo()
    assert session.acts.marked.any() and "1 marked for removal" in said(page)
    page.undo()
    page.undo()  # what was decided before the review stays
    assert session.marks.decision(4) is Decision.KEEP


def test_a_decided_pair_can_be_shown_again_and_decided_otherwise(
    page: PairReviewPage, session: ReviewSession, qtbot: QtBot
) -> None:
    page.keep()
    qtbot.waitUntil(lambda: "1 · Kept both" in said(page.strip))
    page.strip.findChildren(RowButton)[0].click()
    assert page.pair == 0
    page.toggle_remove()
    assert session.marks.decision(1) is Decision.REMOVE
    qtbot.waitUntil(lambda: "1 · Marked for removal" in said(page.strip))


def test_a_refused_mark_is_told_with_its_reason(page: PairReviewPage, session: ReviewSession) -> None:
    session.marks.decide([2, 3], Decision.REMOVE)
    session.note_files([0], FileState.GONE)
    page.toggle_remove()
    assert "no other file that stays" in said(page.refusal) and page.pair == 0
    assert session.marks.decision(1) is Decision.UNDECIDED
    page.keep()
    assert page.refusal.isHidden()


def test_the_next_pair_is_compared_before_it_is_shown(session: ReviewSession, qtbot: QtBot, theme: Theme) -> None:
    reader = DirectReader()
    page = PairReviewPage(session, PairReview(session, USUAL), Drawing(theme), reader)
    qtbot.addWidget(page)
    page.entered()
    assert [right.name for _, right in reader.asked] == ["Lease b.txt", "Letter b.txt"]
    page.keep()
    assert [right.name for _, right in reader.asked] == ["Lease b.txt", "Letter b.txt", "Lease c.txt"]


@pytest.fixture
def results(session: ReviewSession, qtbot: QtBot, theme: Theme) -> ResultsPage:
    return shown(session, theme, qtbot)


def test_the_results_offer_the_review_of_what_is_listed(results: ResultsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(results.pane.review_wanted) as wanted:
        press(results, "Review")
    assert wanted.args is not None
    qtbot.addWidget(wanted.args[0])
    assert len(wanted.args[0]._review) == 3
    results.session.set_filter(GroupFilter(frozenset({Relation.IDENTICAL})))
    with qtbot.waitSignal(results.toast_wanted) as toast:
        results.groups.commands["review_pairs"]()
    assert toast.args is not None and "left to decide" in toast.args[0]


def test_what_was_said_of_a_pair_is_told_in_its_group_and_taken_back_there(results: ResultsPage, qtbot: QtBot) -> None:
    session = results.session
    session.marks.set_apart(0, 2)
    session.marks.set_apart(1, 2)
    results.detail.show_cluster(0)
    assert "2 documents were said to be no duplicates" in said(results.detail.pairs_apart)
    press(results.detail.pairs_apart, "Duplicates after all")
    assert len(session.members(0)) == 4
    assert not results.detail.pairs_apart.isVisible()


def test_pairs_that_are_no_duplicates_are_listed_and_taken_back_one_by_one(results: ResultsPage, qtbot: QtBot) -> None:
    session = results.session
    results.pane._filter_menu.aboutToShow.emit()
    assert not results.pane._pairs_apart.isVisible()
    session.marks.set_apart(0, 2)
    session.marks.set_apart(1, 2)
    results.pane._filter_menu.aboutToShow.emit()
    assert results.pane._pairs_apart.isVisible()
    results.pane._pairs_apart.trigger()
    sheet = next(sheet for sheet in results.window().findChildren(PairsApartSheet) if sheet.isVisible())
    sheet.table.selectRow(1)
    press(sheet, "Duplicates after all")
    assert list(session.acts.verdicts.pairs_apart()) == [(0, 2)]
    assert sheet.table.model().rowCount() == 1
    session.undo()
    assert list(session.acts.verdicts.pairs_apart()) == [(0, 2), (1, 2)]
    session.marks.join_again([0, 1, 2])
    sheet._refresh()
    assert not sheet._again.isEnabled()
    sheet.accept()


def test_without_room_the_hints_go_first_and_then_the_signs_of_keys_but_no_button_is_cut(
    qtbot: QtBot, page: PairReviewPage
) -> None:
    bar = page.keys
    whole = bar.sizeHint().width()
    hints = sum(hint.sizeHint().width() + KEY_SPACING for hint in bar._hints)
    for less, seen in ((0, (5, 2)), (1, (0, 2)), (hints + 1, (0, 0))):
        page.resize(whole - less, 640)
        qtbot.waitUntil(lambda: all(part.width() >= part.minimumSizeHint().width() for part in bar.buttons.values()))
        assert tuple(sum(part.isVisible() for part in parts) for parts in (bar._hints, bar._badges)) == seen
