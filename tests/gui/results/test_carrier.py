"""Decisions about a large scan: carried out beside the window, in order, and shown in the window's own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.base.errors import DiskFullError, LastCopyError, PlanError
from dupfinder.gui.kit.jobs import stop_all
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results import session_jobs
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.pair_review import PairReviewPage
from dupfinder.library.decisions import Decision, VerdictKind
from dupfinder.review.acts import SessionChange, Verdict
from dupfinder.review.listing import GroupFilter, GroupOrder
from dupfinder.review.pair_review import USUAL, PairReview, PairState
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import DirectReader, shown
from tests.gui.widgets import open_sheet, press, put_up


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> ResultsPage:
    """The results of a scan that counts as large."""
    monkeypatch.setattr(session_jobs, "LARGE_SCAN", 0)
    return shown(ReviewSession(scan_result(tmp_path / "papers")), theme, qtbot)


def test_the_list_of_a_large_scan_is_shown_first_and_the_rest_once_it_is_counted(
    tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_jobs, "LARGE_SCAN", 0)
    session = ReviewSession(scan_result(tmp_path / "papers"), is_complete=False)
    page = shown(session, theme, qtbot)
    assert page.pane.list.model().rowCount() == len(session.all_clusters()) > 0
    assert not page.detail.model.members and not page.pane.card.isEnabled()
    assert not page.offers("mark_shown") and not page.offers("select_automatically")
    page.entered()
    qtbot.waitUntil(lambda: bool(page.detail.model.members))
    assert session.is_complete and page.pane.card.isEnabled()
    assert page.offers("mark_shown") and page.offers("select_automatically")


def removable(session: ReviewSession) -> int:
    """A document that may be marked."""
    (row, *_) = [row for row in session.all_clusters().members.tolist() if row not in session.all_clusters().keepers]
    return int(row)


def test_marks_that_are_still_to_be_made_are_taken_back_with_all_others(page: ResultsPage, qtbot: QtBot) -> None:
    page.bar.unmark.show()
    page.groups.commands["mark_shown"]()
    for _ in range(2):
        page.bar.unmark.click()
    acts, ended = page.session.acts, list[None]()
    page.session.do(lambda: None, ended.append)
    qtbot.waitUntil(lambda: bool(ended))
    assert acts.count == 2 and not acts.marked.any(), "by the second press nothing was done"
    assert acts.undo() and acts.marked.any()


def test_acts_are_carried_out_in_order_beside_the_window_and_shown_in_its_thread(
    page: ResultsPage, qtbot: QtBot
) -> None:
    session, heard, threads = page.session, list[SessionChange](), set[int]()

    def hear(change: SessionChange) -> None:
        heard.append(change)
        threads.add(threading.get_ident())

    session.subscribe(hear)
    page.groups.commands["mark_shown"]()
    page.undo()
    page.redo()
    results: list[tuple[int, bool]] = []
    session.do(threading.get_ident, lambda thread: results.append((thread, session.summary().documents > 0)))
    assert not heard
    qtbot.waitUntil(lambda: bool(results))
    assert len(heard) == 3 and threads == {threading.get_ident()}
    assert results[0][0] != threading.get_ident() and results[0][1]


def test_marking_all_twice_in_quick_succession_tells_each_time_what_it_marked(page: ResultsPage, qtbot: QtBot) -> None:
    toasts: list[str] = []
    page.toast_wanted.connect(lambda text, *_: toasts.append(text))
    page.groups.commands["mark_shown"]()
    page.groups.commands["mark_shown"]()
    qtbot.waitUntil(lambda: len(toasts) == 2)
    marked = page.session.summary().documents
    assert marked > 1 and toasts[0].startswith(f"{marked} documents marked")
    assert toasts[1].startswith("0 documents marked")


def test_a_decision_that_is_refused_is_told_and_later_ones_follow(page: ResultsPage, qtbot: QtBot) -> None:
    session, refused, done = page.session, list[PlanError](), list[None]()
    clusters, protected = session.all_clusters(), session.result.documents.protected
    groups = [clusters.rows(position) for position in range(len(clusters))]
    rows = next(group.tolist() for group in groups if not protected[group].any())
    session.do(lambda: session.marks.decide(rows, Decision.REMOVE), refused=refused.append)
    session.do(lambda: session.marks.decide([removable(session)], Decision.REMOVE), done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert isinstance(refused[0], LastCopyError)
    assert session.summary().documents == 1


def test_of_filters_typed_quickly_the_last_is_shown(page: ResultsPage, qtbot: QtBot) -> None:
    session, changes, done, typed = page.session, list[SessionChange](), list[None](), threading.Event()
    session.subscribe(changes.append)
    session.do(lambda: typed.wait(60))  # under way while the person types
    for text in ("l", "le", "no such name"):
        session.set_filter(GroupFilter(text=text))
    session.set_sort(GroupOrder.NAME)
    session.do(lambda: None, done.append)
    typed.set()
    qtbot.waitUntil(lambda: bool(done))
    assert len(changes) == 2 and session.sort is GroupOrder.NAME
    assert len(session.listed()) == 0 and session.filter.text == "no such name"


def test_an_act_under_way_when_the_page_is_closed_is_finished_and_shows_nothing(
    page: ResultsPage, qtbot: QtBot
) -> None:
    session = page.session
    row, done = removable(session), list[None]()
    session.do(lambda: session.marks.decide([row], Decision.REMOVE), done.append)
    page.close_session()
    qtbot.waitUntil(lambda: session.marks.decision(row) is Decision.REMOVE)
    qtbot.wait(1)
    assert not done


def test_decisions_that_have_not_begun_when_the_page_is_closed_are_carried_out_in_their_order(
    page: ResultsPage, qtbot: QtBot
) -> None:
    session, row, pressed = page.session, removable(page.session), threading.Event()
    session.do(lambda: pressed.wait(60))  # under way while the person decides
    for decision in (Decision.REMOVE, Decision.UNDECIDED, Decision.REMOVE):
        session.do(partial(session.marks.decide, [row], decision))
    page.close_session()
    pressed.set()
    assert stop_all()
    assert session.marks.decision(row) is Decision.REMOVE and session.acts.count == 3


@pytest.mark.parametrize("is_under_way", [True, False])
def test_a_decision_that_cannot_be_stored_after_the_page_was_closed_is_in_the_log(
    page: ResultsPage, caplog: pytest.LogCaptureFixture, is_under_way: bool
) -> None:
    session, pressed = page.session, threading.Event()

    def find_disk_full() -> None:
        pressed.wait(60)
        raise DiskFullError(Path("decisions"))

    if not is_under_way:
        session.do(lambda: pressed.wait(60))
    session.do(find_disk_full)
    page.close_session()
    pressed.set()
    assert stop_all()
    assert [record.message for record in caplog.records] == ["a decision could not be stored"]


@pytest.fixture
def reviewed(tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> PairReviewPage:
    """The review of three pairs of a scan that counts as large."""
    monkeypatch.setattr(session_jobs, "LARGE_SCAN", 0)
    papers = [Paper(f"{side}/{name}.txt", f"Offer {side} of {name}.\n" * 3) for name in "xyz" for side in "ab"]
    pairs = [(row, row + 1, 4, 0.83) for row in (0, 2, 4)]
    session = ReviewSession(scan_result(tmp_path / "offers", papers, pairs))
    page = shown(session, theme, qtbot)
    review = PairReview(session, USUAL)
    assert len(review) == 3
    reviewed = put_up(PairReviewPage(session, review, page.pane.drawing, DirectReader()), qtbot)
    reviewed.entered()
    return reviewed


def carried_out(session: ReviewSession, qtbot: QtBot) -> None:
    """Wait until all acts are carried out."""
    done: list[None] = []
    session.do(lambda: None, done.append)
    qtbot.waitUntil(lambda: bool(done))


def test_no_pair_is_passed_over_when_the_key_of_a_decision_is_pressed_twice(
    reviewed: PairReviewPage, qtbot: QtBot
) -> None:
    second = reviewed._review.next_open(0)
    reviewed.keep()
    reviewed.keep()
    carried_out(reviewed._session, qtbot)
    assert reviewed.pair == second


def test_of_two_keys_pressed_before_the_next_pair_is_shown_the_first_decides(
    reviewed: PairReviewPage, qtbot: QtBot
) -> None:
    review = reviewed._review
    reviewed.keep()
    reviewed.toggle_remove()
    carried_out(reviewed._session, qtbot)
    expected = {PairState.OPEN: 2, PairState.KEPT: 1, PairState.MARKED: 0, PairState.APART: 0}
    assert review.counts() == expected
    assert reviewed.pair == 1
    reviewed.show_pair(0)
    reviewed.toggle_remove()
    carried_out(reviewed._session, qtbot)
    assert review.states()[0] == PairState.MARKED, "what is seen can be decided otherwise"


def test_a_pair_taken_back_while_its_dialog_closes_is_no_fault(page: ResultsPage, qtbot: QtBot) -> None:
    session = page.session
    session.acts.change_verdicts((Verdict(VerdictKind.PAIR_APART, frozenset((0, 3))),), ())
    page.sheets.show_pairs_apart()
    press(open_sheet(), "Duplicates after all")
    press(open_sheet(), "Close")
    qtbot.waitUntil(lambda: not session.acts.verdicts.pairs_apart())
    done: list[None] = []
    session.do(lambda: None, done.append)
    qtbot.waitUntil(lambda: bool(done))


def test_of_steps_in_quick_succession_the_last_is_shown_and_the_slider_stays_where_it_is(
    page: ResultsPage, qtbot: QtBot
) -> None:
    card, session = page.pane.card, page.session
    before = session.demand.radius
    card.tabs.part(1).click()
    for looser in (-1, -1, 1, -1):
        card.step(looser)
    assert card.radius.value() == before - 2
    done: list[None] = []
    session.do(lambda: None, done.append)
    qtbot.waitUntil(lambda: bool(done))
    qtbot.waitUntil(lambda: session.demand.radius == before - 2)
    assert card.radius.value() == before - 2


def test_a_step_back_while_the_first_step_is_carried_out_is_not_lost(page: ResultsPage) -> None:
    card, session = page.pane.card, page.session
    before = session.demand.radius
    acts: list[Callable[[], Any]] = []
    session.doing.carrier = lambda act, _done: acts.append(act)
    card.tabs.part(1).click()
    card.step(-1)
    session.doing.run_beside(acts.pop())
    card.step(-1)
    card.step(1)
    for act in acts:
        session.doing.run_beside(act)()
    assert card.radius.value() == session.demand.radius == before - 1
