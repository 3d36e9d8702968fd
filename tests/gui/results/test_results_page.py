"""The results page on a small scan: every decision by mouse and by key, and what the page says of it."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dupfinder.actions.outcome import Batch
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.buttons import SegmentedChoice
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import ElidedLabel
from dupfinder.gui.kit.theme import Theme, ThemeMode
from dupfinder.gui.results.cluster_detail import ClusterDetail
from dupfinder.gui.results.cluster_list import NO_HIT
from dupfinder.gui.results.cluster_pane import ClusterPane
from dupfinder.gui.results.members import MemberColumn
from dupfinder.gui.results.members_table import LEAST_NAME, MembersTable, control_box
from dupfinder.gui.results.page import ROOM_FOR_LIST, ResultsPage, make_page
from dupfinder.gui.results.similarity_card import RADIUS_TAB
from dupfinder.library.decisions import Decision
from dupfinder.review.listing import GroupOrder, GroupTrait
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from dupfinder.wording.figures import count_text
from tests.gui.scanned import PAPERS, WIDEST, Paper, scan_result
from tests.gui.showing import DirectReader, page_on, session_in, shown
from tests.gui.widgets import put_up, said


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    made = shown(session_in(tmp_path), theme, qtbot)
    made.entered()
    return made


def row_of(page: ResultsPage, name: str) -> int:
    rows = page.detail.model.rows
    return next(at for at, row in enumerate(rows) if name in {member.name for member in row.stack or (row.member,)})


def decision_of(page: ResultsPage, name: str) -> Decision:
    return page.detail.model.members[row_of(page, name)].decision


def test_the_first_group_is_open_with_its_kept_copy_and_the_next_one_compared(page: ResultsPage) -> None:
    assert page.detail.cluster == page.session.listed().ids[0]
    assert page.detail.model.pair == (0, 1)
    assert "4 documents" in said(page)
    assert page.crumb() == "Contracts"


def test_a_search_marks_no_word_of_the_program_in_the_list(page: ResultsPage) -> None:
    before = page.pane.list.grab().toImage()
    assert "versions" in page.pane.list._model.holds(0)
    page.pane.list._model.set_sought(("identical", "version"), lambda _cluster: NO_HIT)
    assert page.pane.list.grab().toImage() == before


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_keys_of_the_list_press_a_button_that_has_the_focus_and_mark_nothing(
    page: ResultsPage, qtbot: QtBot, key: Qt.Key
) -> None:
    """Sent through the window, as a person's keys are: there shortcuts come before the widget."""
    group, window = page.detail.cluster, page.windowHandle()
    page.detail.head.down.setFocus()
    QTest.keyClick(window, key)
    assert page.detail.cluster != group and page.detail.head.down.hasFocus()
    assert not page.session.acts.can_undo
    page.pane.list.setFocus()
    QTest.keyClick(window, key)
    assert page.detail.table.hasFocus() is (key is not Qt.Key.Key_Space)


@pytest.mark.parametrize(("command", "decision"), [("toggle_remove", Decision.REMOVE), ("keep", Decision.KEEP)])
def test_one_command_decides_the_current_document_and_another_takes_it_back(
    page: ResultsPage, command: str, decision: Decision
) -> None:
    page.detail.table.choose_row(row_of(page, "Supply agreement v6.txt"))
    page.groups.commands[command]()
    assert decision_of(page, "Supply agreement v6.txt") is decision
    page.groups.commands["undecide"]()
    assert decision_of(page, "Supply agreement v6.txt") is Decision.UNDECIDED


def test_home_and_end_go_to_the_first_and_last_document_and_extend_the_selection_with_shift(
    page: ResultsPage, qtbot: QtBot
) -> None:
    table, last = page.detail.table, len(page.detail.model.rows) - 1
    table.choose_row(1)
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == last
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0
    qtbot.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    every = {document for row in page.detail.model.rows for document in row.documents}
    assert set(table.chosen_documents()) == every


def test_the_row_on_which_the_keys_act_shows_the_focus_in_whatever_column_it_was_clicked(
    page: ResultsPage, qtbot: QtBot
) -> None:
    table = page.detail.table
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    where = table.visualRect(page.detail.model.index(1, MemberColumn.DOCUMENT)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    control = control_box(table.visualRect(page.detail.model.index(1, MemberColumn.DECISION)))
    image = table.viewport().grab().toImage()
    assert image.pixelColor(control.center().x(), control.top() - 2) == page.pane.drawing.colour("accent")


def test_only_the_row_on_which_the_keys_act_has_a_background(page: ResultsPage) -> None:
    table = page.detail.table
    table.choose_row(1)
    image, right = table.viewport().grab().toImage(), table.viewport().width() - 3
    grounds = [image.pixelColor(right, table.rowViewportPosition(row) + 6).name() for row in range(3)]
    assert page.detail.model.pair == (0, 1)
    assert grounds[0] == grounds[2] != grounds[1]


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Delete])
def test_space_or_delete_marks_a_document_and_the_second_time_leaves_it_undecided(
    page: ResultsPage, qtbot: QtBot, key: Qt.Key
) -> None:
    page.detail.table.choose_row(row_of(page, "Supply agreement v6.txt"))
    for holder, decision in ((page.detail.table, Decision.REMOVE), (page.pane.list, Decision.UNDECIDED)):
        holder.setFocus()
        QTest.keyClick(page.windowHandle(), key)
        assert decision_of(page, "Supply agreement v6.txt") is decision


def test_a_key_twice_on_the_kept_copy_marks_no_other_document(page: ResultsPage) -> None:
    tried = 0
    for group in page.session.listed().ids.tolist():
        page.detail.show_cluster(group)
        page.detail.table.choose_row(0)
        kept = page.detail.model.members[0].document
        page.groups.commands["toggle_remove"]()
        if page.session.summary().documents:  # it is in no protected folder
            tried += 1
            assert page.detail.model.members[0].document != kept, "another one is kept, and stands first"
            assert kept in page.detail.table.chosen_documents()
            page.groups.commands["toggle_remove"]()
            assert page.session.summary().documents == 0
    assert tried


def test_no_decision_is_ticked_for_copies_with_different_ones(page: ResultsPage, qtbot: QtBot) -> None:
    table = page.detail.table
    row, copies = next((row, line.stack) for row, line in enumerate(page.detail.model.rows) if line.stack)
    page.session.marks.decide([copies[0].document], Decision.REMOVE)
    assert page.detail.model.rows[row].marked == 1
    assert [act.text() for act in table.row_menu(row).actions() if act.isChecked()] == []


def test_several_selected_documents_are_decided_at_once_and_undone_at_once(page: ResultsPage, qtbot: QtBot) -> None:
    table = page.detail.table
    table.choose_row(row_of(page, "Supply agreement v6.txt"))
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert len(table.chosen_documents()) == 3, "one document, and two identical ones in one row"
    table.decide(Decision.REMOVE)
    assert page.session.summary().documents == 3
    page.undo()
    assert page.session.summary().documents == 0
    page.redo()
    assert page.session.summary().documents == 3


def test_the_words_of_a_book_are_shown_in_full(page: ResultsPage) -> None:
    table = page.detail.table
    million = page.pane.drawing.metrics("secondary").horizontalAdvance(count_text(8_888_888))
    assert table.columnWidth(MemberColumn.WORDS) >= million + 12


def test_a_click_on_the_control_offers_the_three_decisions(page: ResultsPage, qtbot: QtBot) -> None:
    table = page.detail.table
    row = row_of(page, "Supply agreement v6.txt")
    menu = opened_menu(table, row, qtbot)
    texts = [action.text().split("\t")[0] for action in menu.actions() if action.text()]
    assert texts == ["Keep", "Remove", "Undecided", "Keep this, remove the rest"]
    menu.actions()[1].trigger()
    assert decision_of(page, "Supply agreement v6.txt") is Decision.REMOVE
    menu.close()


def opened_menu(table: MembersTable, row: int, qtbot: QtBot) -> QMenu:
    index = table.model().index(row, MemberColumn.DECISION)
    where = control_box(table.visualRect(index)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_a_document_of_a_protected_folder_is_never_marked_and_the_reason_is_said(
    page: ResultsPage, qtbot: QtBot
) -> None:
    table = page.detail.table
    row = row_of(page, "supply draft.txt")
    assert page.detail.model.members[row].protected
    table.choose_row(row)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert page.session.summary().documents == 0
    assert "protected folder" in said(page)
    table.choose_row(row_of(page, "Supply agreement v6.txt"))
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert "protected folder. " not in said(page)


def test_all_marks_are_taken_back_by_one_press_and_come_back_by_undo(page: ResultsPage, qtbot: QtBot) -> None:
    """Marks of an earlier day cannot be undone one by one."""
    assert page.bar.unmark.isHidden()
    page.groups.commands["mark_shown"]()
    marked = page.session.acts.marked.copy()
    assert marked.sum() > 1 and page.bar.unmark.isVisible()
    page.bar.unmark.click()
    assert not page.session.acts.marked.any() and page.bar.unmark.isHidden()
    page.bar.undo.click()
    assert (page.session.acts.marked == marked).all()


def test_of_all_that_is_shown_nothing_under_version_control_is_marked_and_it_is_said(
    page: ResultsPage, qtbot: QtBot
) -> None:
    page.groups.commands["mark_shown"]()
    marked = page.session.acts.marked.copy()
    page.bar.unmark.click()
    page.session.grouping.versioned = marked & (np.cumsum(marked) <= 2)
    with qtbot.waitSignal(page.sheets.toast_wanted) as toast:
        page.groups.commands["mark_shown"]()
    assert (page.session.acts.marked == (np.cumsum(marked) > 2) & marked).all()
    assert "2 documents stay because they are under version control" in str(toast.args)
    page.session.marks.decide(np.flatnonzero(page.session.grouping.versioned), Decision.REMOVE)
    with qtbot.waitSignal(page.sheets.toast_wanted) as toast:
        page.groups.commands["mark_shown"]()
    assert "version control" not in str(toast.args), "the person marked them"


def test_a_message_about_a_decision_disappears_when_a_decision_is_undone(page: ResultsPage, qtbot: QtBot) -> None:
    for name in ("Supply agreement v6.txt", "supply draft.txt"):
        page.detail.table.choose_row(row_of(page, name))
        page.groups.commands["toggle_remove"]()
    assert "protected folder" in said(page)
    with qtbot.waitSignal(page.decision_undone):
        page.undo()
    assert "protected folder" not in said(page)


def test_after_a_removal_no_message_says_that_nothing_is_removed_yet(page: ResultsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.decision_undone):  # the window then hides its message
        page.sheets.removed.emit(Batch("1", datetime(2026, 3, 1, tzinfo=UTC), "Papers", 0))


def test_of_several_documents_those_that_the_person_keeps_stay_and_it_is_said(page: ResultsPage) -> None:
    page.detail.table.selectAll()
    for command in ("keep", "toggle_remove"):
        page.groups.commands[command]()
    assert page.session.summary().documents == 0 and "4 stay by your choice" in said(page)


def test_of_a_whole_group_one_copy_stays_and_it_is_said_why(page: ResultsPage) -> None:
    page.next_group()
    table = page.detail.table
    table.selectAll()
    table.decide(Decision.REMOVE)
    assert page.session.summary().documents == 1
    assert "1 stays as the kept copy" in said(page)


def test_the_last_copy_is_refused_in_place_and_another_can_stay_instead(page: ResultsPage, qtbot: QtBot) -> None:
    page.next_group()
    kept, copy = page.detail.model.members
    page.detail.deciding.decide([copy.document], Decision.REMOVE)
    page.detail.deciding.decide([kept.document], Decision.REMOVE)
    assert page.session.summary().documents == 1
    assert f"Not marked: no other file that stays has the text of {kept.name}" in said(page)
    assert page.detail.refusal.links[0].isVisible()
    page.detail.refusal.links[0].click()
    assert page.session.marks.decision(kept.document) is Decision.REMOVE
    assert page.session.marks.decision(copy.document) is Decision.KEEP
    assert not page.detail.refusal.isVisible()


def test_one_document_is_kept_and_the_rest_marked_as_one_step(page: ResultsPage) -> None:
    table = page.detail.table
    table.choose_row(row_of(page, "Supply agreement v6.txt"))
    page.groups.commands["keep_this"]()
    assert decision_of(page, "Supply agreement v6.txt") is Decision.KEEP
    assert decision_of(page, "Supply agreement v7.txt") is Decision.REMOVE
    assert decision_of(page, "supply draft.txt") is Decision.UNDECIDED, "it is protected"
    page.undo()
    assert page.session.summary().documents == 0
    assert decision_of(page, "Supply agreement v6.txt") is Decision.UNDECIDED


def test_identical_copies_are_one_row_that_opens_and_is_decided_as_one(page: ResultsPage, qtbot: QtBot) -> None:
    table = page.detail.table
    row = row_of(page, "Supply agreement v7.txt")
    assert len(page.detail.model.rows) == 3
    table.choose_row(row)
    table.decide(Decision.REMOVE)
    assert page.session.summary().documents == 2
    assert table.model().index(row, MemberColumn.DECISION).data() == "Remove 2"
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert len(page.detail.model.rows) == 5
    table.choose_row(row + 1)
    table.decide(Decision.UNDECIDED)
    assert page.session.summary().documents == 1
    table.choose_row(row)
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert len(page.detail.model.rows) == 3


def test_the_action_bar_counts_marks_and_offers_the_next_step(page: ResultsPage) -> None:
    assert not page.bar.next_step.isEnabled()
    page.detail.table.choose_row(row_of(page, "Supply agreement v6.txt"))
    page.groups.commands["toggle_remove"]()
    assert page.bar.next_step.isEnabled()
    assert "At least one copy of every document stays" in said(page)


def test_the_action_bar_says_that_of_a_version_another_version_stays(page: ResultsPage) -> None:
    page.detail.table.choose_row(row_of(page, "Supply agreement v7.txt"))
    page.groups.commands["toggle_remove"]()
    assert "At least one copy or version of every document stays" in said(page)


def test_marks_in_groups_that_the_radius_does_not_form_are_told(page: ResultsPage) -> None:
    page.detail.table.choose_row(row_of(page, "Supply agreement v7.txt"))
    page.groups.commands["toggle_remove"]()
    page.session.set_demand(replace(page.session.demand, passages=False))
    page.session.set_radius(0)
    assert page.session.summary().hidden_marks == 2
    assert "hidden groups" in said(page)


def test_the_slider_reclusters_and_commands_step_it(page: ResultsPage, qtbot: QtBot) -> None:
    page.pane.card.tabs.part(RADIUS_TAB).click()
    page.pane.card.passages.click()
    axis = page.pane.card.axis
    assert axis.maximum() == WIDEST
    axis.setValue(0)
    qtbot.waitUntil(lambda: page.session.demand.radius == 0)
    assert sorted(page.session.listed().size.tolist()) == [2, 2, 2]
    page.groups.commands["looser"]()
    assert page.session.demand.radius == axis.value() == 1
    page.groups.commands["looser"]()
    assert page.session.demand.radius == axis.value() == 2
    page.groups.commands["stricter"]()
    assert page.session.demand.radius == axis.value() == 1


def test_a_dragged_slider_says_the_counts_before_the_list_follows(page: ResultsPage) -> None:
    page.session.set_demand(replace(page.session.demand, passages=False))
    page.pane.card.tabs.part(RADIUS_TAB).click()
    page.pane.card._settle.setInterval(600_000)  # so that a slow machine takes no step for one after a rest
    page.pane.card.axis.setValue(1)
    assert page.session.demand.radius == 1  # the first step is followed at once
    page.pane.card.axis.setValue(0)
    assert page.session.demand.radius != 0
    assert "3 groups" in said(page)


def test_clicking_under_a_bar_chooses_its_radius(page: ResultsPage, qtbot: QtBot) -> None:
    page.pane.card.tabs.part(RADIUS_TAB).click()
    axis = page.pane.card.axis
    qtbot.wait(20)
    slot = (axis.width() - 16) / (WIDEST + 1)
    qtbot.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(round(8 + slot * 3.5), axis.height() - 10))
    assert axis.value() == 3


def test_moving_the_radius_keeps_the_open_pair_when_it_is_still_together(page: ResultsPage) -> None:
    before = [page.detail.model.members[row].name for row in page.detail.model.pair]
    page.session.set_radius(5)
    assert [page.detail.model.members[row].name for row in page.detail.model.pair] == before


def test_each_chip_tells_what_its_relation_means(page: ResultsPage) -> None:
    chips = (*page.pane._chips.values(), page.pane.forms)
    assert len({toggle.toolTip() for toggle in chips}) == len(chips)
    assert page.pane._chips[Relation.PART].toolTip() == "Nearly all of its text is in a longer document."


def test_columns_leave_before_large_text_has_no_room_for_names(
    page: ResultsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, theme = page.detail.table, page.pane.drawing.theme
    monkeypatch.setattr(theme, "_scale", 2.0)
    table._prepare_header()
    page.pane.hide()
    page.resize(1024, 640)
    page.grab()
    assert table.columnWidth(MemberColumn.DOCUMENT) >= theme.px(LEAST_NAME) * 0.6
    assert table.isColumnHidden(MemberColumn.SIMILAR)


def test_chips_filter_by_relation_and_the_filters_are_cleared_together(page: ResultsPage, qtbot: QtBot) -> None:
    qtbot.mouseClick(page.pane._chips[Relation.VERSION], Qt.MouseButton.LeftButton)
    assert page.session.filter.relations == frozenset({Relation.VERSION})
    assert len(page.session.listed()) == 1
    page.clear_filters()
    assert not page.session.filter.relations
    assert len(page.session.listed()) == 2


def test_a_search_follows_the_typing_and_an_empty_list_offers_a_way_out(page: ResultsPage, qtbot: QtBot) -> None:
    tools = page.tools()
    assert tools is not None
    field = tools.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "board")
    qtbot.waitUntil(lambda: len(page.session.listed()) == 1)
    qtbot.keyClicks(field, "zzz")
    qtbot.waitUntil(lambda: len(page.session.listed()) == 0)
    assert "No group matches the search." in said(page) and "Two words or more in a row" in said(page)
    assert page.detail.cluster == -1
    assert page.detail.head.title.text() == "No group matches the search."  # also where the list has no room
    qtbot.keyClicks(field, " minut")
    qtbot.waitUntil(lambda: "In texts, only whole words are found." in said(page))
    page.pane._filter_acts[GroupTrait.MARKED].trigger()
    assert "No group matches the search and these filters." in said(page.pane)
    assert page.detail.head.title.text() == "No group matches the search and these filters."
    field.clear()
    qtbot.waitUntil(lambda: "No group matches these filters." in said(page))
    page.clear_filters()
    assert field.text() == ""
    assert len(page.session.listed()) == 2
    assert page.detail.cluster != -1


def test_a_page_made_in_several_events_shows_what_a_page_made_at_once_shows(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    at_once = page_on(session_in(tmp_path), theme)
    pages: list[ResultsPage] = []
    make_page(session_in(tmp_path), theme, tmp_path / "library.db", pages.append)
    assert not pages
    qtbot.waitUntil(lambda: bool(pages))
    (in_steps,) = pages
    qtbot.addWidget(at_once)
    qtbot.addWidget(in_steps)
    for page in (at_once, in_steps):
        page.resize(1440, 820)
        page.show()
    for part in ("pane", "bar"):
        assert said(getattr(in_steps, part)) == said(getattr(at_once, part))
        assert getattr(in_steps, part).geometry() == getattr(at_once, part).geometry()
    assert in_steps.detail.model.members == at_once.detail.model.members
    for page in (at_once, in_steps):
        page.close_session()


class StyleChanges(QObject):
    """Counts how often Qt looks up the styles of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.StyleChange
        return False


def test_the_styles_of_a_page_are_looked_up_once_more_when_its_parts_are_put_together(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    session, window = session_in(tmp_path), QStackedWidget()
    qtbot.addWidget(window)
    pane = ClusterPane(session, Drawing(theme))
    detail = ClusterDetail(session, pane.drawing)
    changes = [StyleChanges(part) for part in (pane.list, detail.table)]
    page = ResultsPage(session, tmp_path / "library.db", pane, detail, window)
    window.addWidget(page)
    window.show()
    assert [change.count for change in changes] == [1, 1]


def test_the_hint_about_borderline_pairs_moves_no_row_of_the_list(page: ResultsPage) -> None:
    pane = page.pane
    pane.hint.hide()
    QCoreApplication.processEvents()
    before = pane.list.mapTo(pane, QPoint(0, 0))
    pane.hint.show()
    QCoreApplication.processEvents()
    assert pane.hint.isVisible() and pane.list.mapTo(pane, QPoint(0, 0)) == before


def test_a_low_window_leaves_room_for_the_list_beside_the_radius(page: ResultsPage) -> None:
    card = page.pane.card
    card.tabs.part(RADIUS_TAB).click()
    assert card.sources.isVisible()
    page.resize(1024, 520)
    QCoreApplication.processEvents()
    assert not card.sources.isVisible() and card.radius.height() == card.radius.sizeHint().height()
    assert page.pane.list.height() >= page.pane.list.rowHeight(0)


def test_in_a_low_window_the_bars_are_low_so_that_the_list_has_room_for_three_groups(page: ResultsPage) -> None:
    axis = page.pane.card.similarity
    tall = axis.sizeHint().height()
    page.resize(1024, 470)
    QCoreApplication.processEvents()
    assert axis.height() == axis.sizeHint().height() < tall
    assert page.pane.list.height() >= 3 * page.pane.list.rowHeight(0)
    page.resize(1024, 640)
    QCoreApplication.processEvents()
    assert axis.height() == tall


def test_where_nothing_was_found_nothing_can_be_done_but_look_further(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    session = session_in(tmp_path)
    session.set_demand(replace(session.demand, similarity=1.0, passages=False, radius=0))
    for cluster in session.listed().ids.tolist():
        session.not_duplicates(cluster)
    page = put_up(page_on(session, theme), qtbot)
    acts = [button for button in page.detail.findChildren(QAbstractButton) if button.isVisible()]
    assert acts and not any(button.isEnabled() for button in acts if not isinstance(button.parent(), SegmentedChoice))
    empty = page.pane.empty
    looser, clear, again = empty.looser, empty.clear, empty.scan
    assert looser.isVisible() and again.isVisible() and not clear.isVisible()
    with qtbot.waitSignal(page.rescan_wanted) as wanted:
        again.click()
    assert wanted.args == [session.result.summary]


def test_the_list_is_in_the_order_of_the_session(page: ResultsPage) -> None:
    page.session.set_sort(GroupOrder.NAME)
    table = page.session.listed()
    model = page.pane.list.model()
    assert [model.index(row, 0).data() for row in range(2)] == [table.title(row) for row in range(2)]
    assert page.detail.cluster in table.ids


def test_reviewed_goes_on_and_not_duplicates_leaves_the_list(page: ResultsPage) -> None:
    first, second = page.session.listed().ids.tolist()
    page.groups.commands["mark_reviewed"]()
    assert page.detail.cluster == second
    assert page.session.listed().reviewed[0]
    page.groups.commands["not_duplicates"]()
    assert page.session.listed().ids.tolist() == [first]
    assert page.detail.cluster == first
    page.undo()
    assert len(page.session.listed()) == 2


def test_reviewed_passes_over_no_group_while_only_those_not_reviewed_are_listed(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    papers = [Paper(f"{side}/{name}.txt", f"Minutes of the meeting {name}.\n" * 3) for name in "xyz" for side in "ab"]
    page = shown(ReviewSession(scan_result(tmp_path / "minutes", papers, ())), theme, qtbot)
    groups = page.session.listed().ids.tolist()
    page.pane._filter_acts[GroupTrait.UNREVIEWED].trigger()
    seen = [page.detail.cluster]
    for _ in groups[1:]:
        page.groups.commands["mark_reviewed"]()
        seen.append(page.detail.cluster)
    assert seen == groups
    page.groups.commands["mark_reviewed"]()
    assert len(page.session.listed()) == 0


def test_after_the_last_group_it_is_said_that_all_are_reviewed(page: ResultsPage, qtbot: QtBot) -> None:
    page.groups.commands["mark_reviewed"]()
    with qtbot.waitSignal(page.toast_wanted) as toast:
        page.groups.commands["mark_reviewed"]()
    assert toast.args is not None
    assert toast.args[0].startswith("All 2 groups reviewed.")


def test_rows_are_dragged_out_as_copies_of_their_files(page: ResultsPage) -> None:
    model = page.detail.table.model()
    data = model.mimeData([model.index(1, 0), model.index(1, 2), model.index(2, 2)])
    rows = page.detail.model.rows
    files = [str(member.path) for row in (1, 2) for member in rows[row].stack or (rows[row].member,)]
    assert [url.toLocalFile() for url in data.urls()] == files and len(files) == 3
    assert model.supportedDragActions() == Qt.DropAction.CopyAction


def test_next_and_previous_group_stop_at_the_ends(page: ResultsPage) -> None:
    first, second = page.session.listed().ids.tolist()
    page.previous_group()
    assert page.detail.cluster == first
    page.next_group()
    page.next_group()
    assert page.detail.cluster == second


def test_the_chosen_row_is_compared_with_the_kept_copy(page: ResultsPage, qtbot: QtBot) -> None:
    row = row_of(page, "Supply agreement v7.txt")
    page.detail.table.choose_row(row)
    qtbot.waitUntil(lambda: page.detail.comparison.canvas.pair.right_lines != ())
    assert page.detail.model.pair == (0, row)
    qtbot.waitUntil(lambda: "Difference 1 of" in said(page))
    page.groups.commands["next_difference"]()
    assert page.detail.comparison.canvas.current == 1
    page.groups.commands["previous_difference"]()
    assert page.detail.comparison.canvas.current == 0


def test_x_swaps_the_sides_and_tab_takes_the_next_pair(page: ResultsPage, qtbot: QtBot) -> None:
    canvas = page.detail.comparison.canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_X)
    assert page.detail.model.pair == (1, 0)
    qtbot.keyClick(canvas, Qt.Key.Key_X)
    qtbot.keyClick(canvas, Qt.Key.Key_Tab)
    assert page.detail.model.pair == (0, 2)


def test_a_burst_of_arrow_keys_reads_only_the_pair_it_ends_on(page: ResultsPage, qtbot: QtBot) -> None:
    reader = page.detail.reader
    assert isinstance(reader, DirectReader)
    qtbot.waitUntil(lambda: len(reader.asked) == 1)
    for row in (2, 1, 2):
        page.detail.table.choose_row(row)
    qtbot.wait(30)
    assert len(reader.asked) == 2
    assert reader.asked[-1][1] == page.detail.model.members[2].path


def test_a_click_ignores_punctuation_and_the_texts_are_compared_again(page: ResultsPage, qtbot: QtBot) -> None:
    view = page.detail.comparison
    page.detail.table.choose_row(row_of(page, "Supply agreement v7.txt"))
    qtbot.waitUntil(lambda: bool(view.canvas.pair.differences))
    assert view.options().ignore_spaces
    view._ignore["ignore_punctuation"].click()
    assert view.options().ignore_punctuation
    qtbot.waitUntil(lambda: bool(view.canvas.pair.differences))


def test_two_files_of_one_text_are_said_to_be_the_same(page: ResultsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "nothing else in them differs but the format" in said(page))
    page.next_group()
    qtbot.waitUntil(lambda: "Identical: the same bytes." in said(page))


def test_comparing_a_document_records_that_it_was_seen(page: ResultsPage, qtbot: QtBot) -> None:
    row = row_of(page, "Supply agreement v7.txt")
    page.detail.table.choose_row(row)
    qtbot.waitUntil(lambda: "Difference 1 of" in said(page))
    page.groups.commands["toggle_remove"]()
    page.detail.deciding.decide(
        [page.detail.model.members[row_of(page, "Copy of Supply agreement v7.txt")].document], Decision.REMOVE
    )
    assert page.session.summary().relations == {Relation.VERSION: 2}
    assert page.session.summary().unseen == 1


def test_f6_goes_round_the_regions(page: ResultsPage, qtbot: QtBot) -> None:
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.pane.list.setFocus()
    page.next_region()
    assert page.detail.table.hasFocus()
    page.next_region()
    assert page.detail.comparison.canvas.hasFocus()
    page.previous_region()
    assert page.detail.table.hasFocus()


def test_the_path_of_the_current_document_can_be_copied(page: ResultsPage, qtbot: QtBot) -> None:
    row = row_of(page, "Supply agreement v6.txt")
    page.detail.table.choose_row(row)
    with qtbot.waitSignal(page.toast_wanted):
        page.groups.commands["copy_path"]()
    assert QGuiApplication.clipboard().text() == str(page.detail.model.members[row].path)


def test_rows_are_sentences_for_a_screen_reader(page: ResultsPage) -> None:
    clusters = page.pane.list.model()
    sentence = clusters.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "versions" in sentence and "row 1 of 2" in sentence
    members = page.detail.table.model()
    sentence = members.index(1, MemberColumn.DECISION).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "decision: Decide" in sentence and "row 2 of 3" in sentence


def test_a_discarded_page_follows_no_further_changes(page: ResultsPage) -> None:
    page.close_session()
    text = said(page)
    page.session.set_radius(0)
    assert said(page) == text


def test_the_page_is_painted_at_the_smallest_window_in_both_themes(page: ResultsPage, theme: Theme) -> None:

    page.resize(1024, 628)
    page.grab()
    assert not page.detail.table.isColumnHidden(MemberColumn.DOCUMENT)
    assert page.detail.table.columnWidth(MemberColumn.DOCUMENT) >= 200
    theme.set_mode(ThemeMode.DARK)
    page.grab()


def test_a_scan_without_duplicates_says_so(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = put_up(page_on(ReviewSession(scan_result(tmp_path, PAPERS[6:], ())), theme), qtbot)
    assert "No duplicates in" in said(page)


def test_where_all_that_was_found_is_gone_it_is_not_said_that_nothing_was_found(page: ResultsPage) -> None:
    rows = page.session.all_clusters().members.tolist()
    page.session.note_files(rows, FileState.GONE)
    page.pane.refresh()
    assert page.pane.list.model().rowCount() == 0
    assert "none is left" in said(page.pane.empty)


def test_a_page_that_was_left_looks_the_same_when_it_is_opened_again(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    first = put_up(page_on(session_in(tmp_path), theme), qtbot)
    first.session.set_sort(GroupOrder.NAME)
    first.session.set_radius(5)
    first.next_group()
    cluster = first.detail.cluster
    first.exited()
    first.close_session()
    second = page_on(session_in(tmp_path), theme, qtbot)
    assert second.session.sort is GroupOrder.NAME
    assert second.session.demand.radius == second.pane.card.radius.value() == 5
    assert second.detail.cluster == cluster


def test_the_list_can_be_hidden_and_stays_so_while_groups_are_gone_through(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    first = put_up(page_on(session_in(tmp_path), theme), qtbot)
    first._tools.list.click()
    assert not first.pane.isVisible() and first.focusWidget() is first.detail.table
    cluster = first.detail.cluster
    first.next_group()
    assert first.detail.cluster != cluster and not first.pane.isVisible()
    qtbot.waitUntil(lambda: first._split.sizes()[0] == 0)
    first.exited()
    first.close_session()
    second = put_up(page_on(session_in(tmp_path), theme), qtbot)
    assert not second.pane.isVisible()
    second._tools.list.click()
    assert second.pane.width() >= second.pane.minimumWidth() and second.focusWidget() is second.pane.list


def test_a_state_file_that_makes_no_sense_is_ignored(tmp_path: Path, home: Path, qtbot: QtBot, theme: Theme) -> None:
    first = page_on(session_in(tmp_path), theme, qtbot)
    first.exited()
    first.close_session()
    file = home / "views.ini"
    file.write_text(
        file.read_text().replace("order=newest", "order=upwards").replace("radius=6", "radius=many"), encoding="utf-8"
    )
    second = page_on(session_in(tmp_path), theme, qtbot)
    assert second.session.sort is GroupOrder.NEWEST
    assert second.session.demand.radius == 6
    assert second.detail.cluster != -1


def test_nothing_is_cut_in_the_smallest_window(tmp_path: Path, qtbot: QtBot, language: str, theme: Theme) -> None:
    page = put_up(page_on(session_in(tmp_path), theme), qtbot, 1024, 628)

    def narrow() -> list[str]:
        parts: list[QPushButton | QLabel] = [*page.findChildren(QPushButton), *page.findChildren(QLabel)]
        return [
            part.text()
            for part in parts
            if part.isVisible() and not isinstance(part, ElidedLabel) and part.width() < part.minimumSizeHint().width()
        ]

    qtbot.wait(50)
    with contextlib.suppress(qtbot.TimeoutError):  # a text that changed is laid out a moment later
        qtbot.waitUntil(lambda: not narrow())
    assert page.width() == 1024
    cut = narrow()
    page.close_session()
    assert cut == []


def test_a_search_lands_on_the_first_hit_and_escape_clears_it(page: ResultsPage, qtbot: QtBot) -> None:
    page.next_group()
    tools = page.tools()
    assert tools is not None
    tools.show()
    field = tools.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "txt")
    qtbot.waitUntil(lambda: page.session.filter.text == "txt")
    assert page.pane.list.currentIndex().row() == 0
    page._tools._leave()
    qtbot.waitUntil(lambda: page.session.filter.text == "")
    assert field.text() == ""


def test_a_comparison_opens_at_its_first_difference_whatever_room_it_gets(page: ResultsPage, qtbot: QtBot) -> None:
    page.detail.table.choose_row(row_of(page, "Supply agreement v7.txt"))
    canvas = page.detail.comparison.canvas
    qtbot.waitUntil(lambda: bool(canvas.pair.differences) and canvas.current == 0)
    canvas.resize(canvas.width(), 90)
    qtbot.wait(20)
    top, bottom = canvas.panes.axis.block_span(canvas.pair.differences[0])
    assert canvas.current == 0
    assert top <= canvas.panes.scroll + canvas.height() and bottom >= canvas.panes.scroll


def test_the_note_of_a_scan_tells_when_it_was(page: ResultsPage) -> None:
    summary = replace(page.session.result.summary, started=datetime.now(UTC) - timedelta(seconds=1))
    page.session.result = replace(page.session.result, summary=summary)
    assert re.search("scanned (today|yesterday) ", page.note())


def test_the_note_of_a_scan_tells_that_files_were_not_read(page: ResultsPage) -> None:
    summary = page.session.result.summary
    page.session.result = replace(page.session.result, summary=replace(summary, offered=summary.read + 2))
    assert f"{summary.read} of {summary.read + 2} files read" in page.note()


def test_a_right_click_on_a_group_offers_what_can_be_done_about_it(page: ResultsPage, qtbot: QtBot) -> None:
    page.pane.list.choose_row(0)
    place = page.pane.list.visualRect(page.pane.list.currentIndex()).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, page.pane.list.viewport().mapToGlobal(place))
    QApplication.sendEvent(page.pane.list.viewport(), event)
    menu = page.pane.list.findChild(QMenu)
    assert menu is not None
    acts = {action.text(): action for action in menu.actions()}
    assert list(acts) == ["Mark all but the kept copy", "Mark reviewed and go on", "Not duplicates"]
    acts["Mark all but the kept copy"].trigger()
    kept = page.detail.model.members[0].document
    marked = {member.document for member in page.detail.model.all_members if page.session.acts.marked[member.document]}
    assert marked and kept not in marked
    acts["Mark reviewed and go on"].trigger()
    assert page.pane.list.currentIndex().row() == 1
    menu.close()


def test_the_buttons_above_leave_their_words_out_where_the_search_has_no_room(page: ResultsPage, qtbot: QtBot) -> None:
    holder, tools = QWidget(), page._tools
    qtbot.addWidget(holder)
    tools.setParent(holder)
    tools.show()
    holder.show()
    texts = tools.export.text(), tools.rules.text()
    least = tools.minimumSizeHint().width()
    for width, seen in ((least, ("", "")), (tools.sizeHint().width() + 200, texts), (least + 40, ("", ""))):
        tools.resize(width, tools.height())
        assert (tools.export.text(), tools.rules.text()) == seen
        assert tools.minimumSizeHint().width() == least, "or the window could not become narrow again"
        assert (tools.export.accessibleName(), tools.rules.toolTip()) == texts
    tools.setParent(None)  # the page's again


def test_compact_rows_are_lower_in_every_list_and_hold_their_text(page: ResultsPage, theme: Theme) -> None:
    folders, forms = page.others.folders, page.others.forms
    tables = (page.pane.list, page.detail.table, page.files.table, folders.table, forms.detail.table)
    usual = [table.verticalHeader().defaultSectionSize() for table in tables]
    theme.set_compact(True)
    for table, height, lines in zip(tables, usual, (2, 2, 1, 1, 1), strict=True):
        row = table.verticalHeader().defaultSectionSize()
        assert lines * table.fontMetrics().height() <= row < height
    cell = page.detail.table.visualRect(page.detail.model.index(0, MemberColumn.DECISION))
    assert control_box(cell).height() >= page.detail.table.fontMetrics().height()
    theme.set_compact(False)
    assert [table.verticalHeader().defaultSectionSize() for table in tables] == usual


def test_in_a_narrow_window_the_list_hides_by_itself_and_comes_back(qtbot: QtBot, page: ResultsPage) -> None:
    narrow = ROOM_FOR_LIST - 1
    page.pane.list.setFocus()
    before = page._split.sizes()
    page.resize(narrow, 640)
    assert page.pane.isHidden()
    assert page.focusWidget() is page.detail.table
    page.groups.commands["toggle_list"]()
    assert page.pane.isVisible(), "F9 shows it all the same"
    page.resize(narrow - 10, 640)
    assert page.pane.isVisible(), "and it stays"
    page.exited()
    assert not page._state.hides_list(), "wider, it is shown at the next start"
    page.resize(1440, 820)
    assert page._split.sizes() == before


def test_a_list_that_was_hidden_stays_hidden_in_a_window_that_is_wide_again(page: ResultsPage) -> None:
    page.groups.commands["toggle_list"]()
    page.resize(ROOM_FOR_LIST - 1, 640)
    page.resize(1440, 820)
    assert page.pane.isHidden()


def test_without_a_second_line_the_first_of_the_bar_is_in_its_middle(page: ResultsPage, qtbot: QtBot) -> None:
    page.bar.show_hint(False)
    qtbot.waitUntil(lambda: abs(page.bar._first.geometry().center().y() - page.bar.height() / 2) < 3)


def test_the_whole_row_below_the_pointer_is_tinted_and_follows_when_the_list_scrolls(page: ResultsPage) -> None:
    table = page.detail.table
    table.resize(900, 120)
    y = table.rowViewportPosition(1) + 5
    tinted = page.pane.drawing.colour("hover")
    QTest.mouseMove(table.viewport(), QPoint(200, y))
    table.clearSelection()
    picture = table.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    columns = [table.columnViewportPosition(column) + 2 for column in MemberColumn if not table.isColumnHidden(column)]
    assert {picture.pixelColor(int(x * ratio), int(y * ratio)).name() for x in columns[1:]} == {tinted.name()}
    assert table.hovered == 1
    table.verticalScrollBar().setValue(table.verticalScrollBar().value() + table.rowHeight(0))
    assert table.hovered == table.rowAt(y)
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert table.hovered == -1


def test_the_title_of_a_group_has_the_room_of_words_in_a_narrow_window(page: ResultsPage) -> None:
    detail = page.detail
    for width, has_words in ((900, True), (600, False), (900, True)):
        detail.resize(width, 600)
        for act, name in ((detail.head.apart, "Not duplicates"), (detail.head.reviewed, "Mark reviewed")):
            assert (act.text(), act.accessibleName()) == (name if has_words else "", name)


def test_the_order_of_the_list_is_whole_in_a_narrow_pane(page: ResultsPage) -> None:
    pane = page.pane
    whole = pane._order.sizeHint().width()
    for width in (372, 300, whole + 130, 372):
        pane.setFixedWidth(width)
        QApplication.processEvents()
        assert pane._order.width() >= whole and pane._filters.accessibleName() == "Filter"
    assert pane._filters.text() == "Filter" and pane.review.text() == "Review"


def test_a_comparison_that_leaving_the_page_cut_short_is_shown_after_the_return(
    page: ResultsPage, qtbot: QtBot
) -> None:
    page.detail.comparison.show_loading()
    page.exited()
    page.entered()
    qtbot.waitUntil(lambda: not page.detail.comparison.is_loading)
