from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Progress, Stage
from dupfinder.gui.kit.buttons import SegmentedChoice, Switch, chip, icon_button
from dupfinder.gui.kit.cards import Strip, dropped_paths
from dupfinder.gui.kit.labels import ElidedLabel, label
from dupfinder.gui.kit.layout import across, boxed, down, grow
from dupfinder.gui.kit.messages import Toast
from dupfinder.gui.kit.page import Flow, bare_area
from dupfinder.gui.kit.progress import ProgressBar, Sparkline
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.tables import CellIndex, RowsModel, RowsTable
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.scan_figures import ScanSteps
from tests.gui.widgets import put_up


def shown(qtbot: QtBot, widget: QWidget, width: int = 300, height: int = 120) -> None:
    put_up(widget, qtbot, width, height)


def test_a_label_shows_markup_as_it_is(qtbot: QtBot, theme: Theme) -> None:
    made = label("<b>bold</b>")
    qtbot.addWidget(made)
    assert made.textFormat() is Qt.TextFormat.PlainText


def test_a_label_that_lacks_room_says_everything_in_its_tool_tip(qtbot: QtBot, theme: Theme) -> None:
    made = ElidedLabel("/a/rather/long/path/to/a/document.pdf")
    shown(qtbot, made, 60, 20)
    assert made.toolTip() == made.text() == made.accessibleName()
    made.resize(600, 20)
    assert made.toolTip() == ""


def test_the_arrow_keys_move_between_segments_and_tab_goes_to_the_chosen_one(qtbot: QtBot, theme: Theme) -> None:
    made = SegmentedChoice(["Scan", "Protect", "Leave out"], "Role")
    shown(qtbot, made)
    for index in range(3):
        part = QAccessible.queryAccessibleInterface(made.part(index))
        assert part.role() is QAccessible.Role.RadioButton, "it is one of several, no box to tick"
    chosen: list[int] = []
    made.chosen.connect(chosen.append)
    made.part(0).setFocus()
    QTest.keyClick(made.part(0), Qt.Key.Key_Right)
    QTest.keyClick(made.part(1), Qt.Key.Key_Right)
    QTest.keyClick(made.part(2), Qt.Key.Key_Right)
    assert chosen == [1, 2, 0]
    assert made.current() == 0
    assert [made.part(i).focusPolicy() for i in range(3)] == [
        Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.ClickFocus, Qt.FocusPolicy.ClickFocus,
    ]  # fmt: skip
    made.set_current(2)
    assert chosen == [1, 2, 0]  # the program's own choice is not told


def test_the_space_key_turns_a_switch(qtbot: QtBot, theme: Theme) -> None:
    made = Switch("Hidden files")
    shown(qtbot, made, 42, 26)
    made.setFocus()
    QTest.keyClick(made, Qt.Key.Key_Space)
    assert made.isChecked()
    assert made.accessibleName() == "Hidden files"


def test_a_button_without_words_has_a_name(qtbot: QtBot, theme: Theme) -> None:
    made = icon_button(theme, "close", "Close")
    qtbot.addWidget(made)
    assert made.accessibleName() == made.toolTip() == "Close"
    assert made.sizeHint().width() >= 24
    assert made.sizeHint().height() >= 24


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_a_button_without_words_and_not_the_default_of_its_sheet(
    qtbot: QtBot, theme: Theme, key: Qt.Key
) -> None:
    presses: list[str] = []
    sheet = QDialog()
    icon, default = icon_button(theme, "up", "Up", act=lambda: presses.append("up")), QPushButton("Mark")
    default.clicked.connect(lambda: presses.append("mark"))
    default.setDefault(True)
    across(icon, default, into=sheet)
    shown(qtbot, sheet)
    icon.setFocus()
    QTest.keyClick(icon, key)
    assert presses == ["up"]


def test_chips_break_into_rows(qtbot: QtBot, theme: Theme) -> None:
    flow = Flow(gap=6)
    holder = boxed(flow)
    chips = [chip(f"Format {number}") for number in range(8)]
    for each in chips:
        flow.addWidget(each)
    shown(qtbot, holder, 260, 200)
    assert len({each.y() for each in chips}) > 1
    assert all(each.geometry().right() <= 260 for each in chips)
    assert flow.heightForWidth(2000) < flow.heightForWidth(260)


def test_a_separator_is_left_out_where_a_row_ends_between_its_neighbours(qtbot: QtBot, theme: Theme) -> None:
    rule = QFrame()
    rule.setFixedSize(1, 20)
    flow = Flow(gap=6)
    holder = boxed(flow)
    before, after = chip("Identical 1,200"), chip("Same form 30")
    flow.addWidget(before)
    flow.add_separator(rule)
    flow.addWidget(after)
    shown(qtbot, holder, 600, 100)
    assert before.x() < rule.x() < after.x() and before.y() == after.y() and rule.width() > 0
    holder.resize(before.sizeHint().width() + 20, 100)
    qtbot.waitUntil(lambda: after.y() > before.y())
    assert rule.geometry().right() < 0  # out of sight
    holder.resize(600, 100)
    before.hide()
    qtbot.waitUntil(lambda: after.x() == 0)
    assert rule.geometry().right() < 0


def test_a_chip_has_room_for_the_heavier_words_it_has_while_it_is_on(qtbot: QtBot, theme: Theme) -> None:
    made = chip("OpenDocument and everything like it")
    shown(qtbot, made)
    heavy = QFont(made.font())
    heavy.setWeight(QFont.Weight.DemiBold)
    before = made.sizeHint()
    made.setChecked(True)
    assert made.sizeHint() == before  # nothing moves when it is pressed
    assert before.width() >= QFontMetrics(heavy).horizontalAdvance(made.text()) + 2 * 10


@pytest.mark.parametrize("beside", [True, False])
def test_a_strip_has_room_for_all_lines_of_its_sentence(qtbot: QtBot, theme: Theme, beside: bool) -> None:
    page, made = QWidget(), Strip(theme, "", "warn")
    down(grow(QWidget()) if beside else QWidget(), made, into=page)
    shown(qtbot, page, 300, 400)
    title = made.findChild(QLabel)
    assert isinstance(title, QLabel)
    for sentence in ("Many pairs lie on the border of 70 %. " * 3, "Few."):
        made.show_text(sentence, "", "Review 2 shown", "Show 3 more")
        qtbot.waitUntil(lambda: made.height() == made.heightForWidth(made.width()))
        qtbot.waitUntil(lambda: title.height() >= title.heightForWidth(title.width()))


def test_the_links_of_a_narrow_strip_go_below_its_sentence(qtbot: QtBot, theme: Theme) -> None:
    page, made = QWidget(), Strip(theme, "", "warn")
    down(grow(QWidget()), made, into=page)
    shown(qtbot, page, 700, 400)
    made.show_text("2 pairs lie on the border of 70 %.", "", "Review the 1 that is shown", "Show 1 more")
    title, link = made.findChild(QLabel), made.links[0]
    assert isinstance(title, QLabel)
    qtbot.waitUntil(lambda: link.mapTo(made, link.rect().center()).x() > title.mapTo(made, title.rect().center()).x())
    page.resize(340, 400)
    qtbot.waitUntil(lambda: link.mapTo(made, QPoint()).y() >= title.mapTo(made, title.rect().bottomLeft()).y())
    assert title.height() < 3 * title.fontMetrics().height()


def test_a_bar_tells_screen_readers_its_share(qtbot: QtBot, theme: Theme) -> None:
    made = ProgressBar("Progress")
    shown(qtbot, made, 200, 8)
    for share, value in ((0.5, 500), (2.0, 1000), (-1.0, 0)):
        made.set_share(share)
        assert made.value() == value
    made.grab()


def test_steps_and_sparkline_paint_in_every_state(qtbot: QtBot, theme: Theme) -> None:
    steps = ScanSteps(theme)
    shown(qtbot, steps, 900, 80)
    steps.show_progress(Progress(Stage.HASH), 7)
    assert "7 found" in [label.text() for label in steps.findChildren(QLabel)]
    before = steps.grab().toImage()
    steps.show_progress(Progress(Stage.GROUP), 7)
    assert steps.grab().toImage() != before
    line = Sparkline(theme)
    shown(qtbot, line, 84, 24)
    empty = line.grab().toImage()
    for value in (0.0, 0.0, 5.0):
        line.add(value)
    assert line.grab().toImage() != empty


def test_a_wait_is_told_once_it_lasts_and_until_it_ends(qtbot: QtBot, theme: Theme) -> None:
    window = put_up(QWidget(), qtbot)
    toast = Toast(theme, window)
    toast.show_wait("Opening")
    assert not toast.isVisible()
    qtbot.waitUntil(toast.isVisible)
    toast.leave()
    assert not toast.isVisible()
    toast.show_text("Done")
    toast.leave()
    assert toast.isVisible()
    toast.show_wait("Opening")
    toast.leave()
    qtbot.wait(400)
    assert toast._text.text() == "Done" and toast.isVisible()


def test_a_toast_runs_its_act_once_and_goes_away(qtbot: QtBot, theme: Theme) -> None:
    window = QMainWindow()
    shown(qtbot, window, 600, 400)
    toast = Toast(theme, window)
    done: list[int] = []
    toast.show_text("316 moved, 2 skipped", "Undo", lambda: done.append(1))
    assert toast.isVisible()
    assert window.rect().contains(toast.geometry())
    QTest.mouseClick(toast._act, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert not toast.isVisible()
    toast.show_text("Looking for what is like it…")
    toast.show_text("")
    assert not toast.isVisible()


def test_a_part_of_a_sheet_that_scrolls_has_the_title_as_its_name(qtbot: QtBot, theme: Theme) -> None:
    window = QMainWindow()
    shown(qtbot, window, 800, 500)
    sheet = Sheet(theme, window, "Keys")
    qtbot.addWidget(sheet)
    area = bare_area(label("many lines"))
    sheet.body.addWidget(area)
    sheet.open()
    assert area.accessibleName() == "Keys"


def test_a_sheet_covers_its_window_and_escape_closes_it(qtbot: QtBot, theme: Theme) -> None:
    window = QMainWindow()
    shown(qtbot, window, 800, 500)
    sheet = Sheet(theme, window, "A title", "A sentence")
    qtbot.addWidget(sheet)
    sheet.open()
    qtbot.waitExposed(sheet)
    assert sheet.size() == window.size()
    assert sheet.isModal()
    assert sheet.rect().contains(sheet.card.geometry())
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


@pytest.mark.parametrize("kind", ["local", "web", "none"])
def test_only_what_lies_on_this_computer_can_be_dropped(kind: str, tmp_path: Path) -> None:
    data = QMimeData()
    if kind == "local":
        data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    elif kind == "web":
        data.setUrls([QUrl("https://example.org/a.pdf")])
    assert dropped_paths(data) == ([tmp_path] if kind == "local" else [])


def test_a_sheet_that_is_too_high_for_the_window_scrolls_to_the_control_with_the_focus(
    qtbot: QtBot, theme: Theme
) -> None:
    window = QWidget()
    shown(qtbot, window, 700, 300)
    sheet = Sheet(theme, window, "Much")
    for number in range(12):
        sheet.body.addWidget(QPushButton(f"Choice {number}"))
    sheet.end_with_close()
    sheet.open()
    qtbot.waitExposed(sheet)
    assert sheet.size() == window.size()
    close = next(button for button in sheet.findChildren(QPushButton) if button.text() == "Close")
    close.clearFocus()
    sheet.findChildren(QPushButton)[-2].setFocus()
    QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Tab)
    assert sheet.focusWidget() is close
    assert sheet.rect().contains(close.mapTo(sheet, close.rect().center()))
    sheet.accept()


class AskedModel(RowsModel):
    """Counts how often it is asked whether a cell can be selected."""

    asked = 0

    def cell(self, row: int, column: int, role: int) -> object:
        return None

    def flags(self, index: CellIndex) -> Qt.ItemFlag:
        self.asked += 1
        return super().flags(index)


def test_choosing_all_rows_asks_the_model_about_few_cells(qtbot: QtBot) -> None:
    model = AskedModel(columns=5)
    table = RowsTable(model, "Rows")
    table.setSelectionMode(RowsTable.SelectionMode.ExtendedSelection)
    model.show_rows(range(1000))
    shown(qtbot, table)
    model.asked = 0
    table.selectAll()
    table.grab()
    assert model.asked < 1000
    assert len(table.selectionModel().selectedRows()) == 1000


def test_a_text_for_which_a_label_has_room_is_not_shortened(theme: Theme) -> None:
    """Widths of texts are rounded, and Qt shortens what is half a pixel wider than the room."""
    for text in ("one", "letters", "zero", "Contracts and archive"):
        shown = ElidedLabel(text, "lead")
        width = shown.fontMetrics().horizontalAdvance(text)
        assert shown.fitting(width) == text
        assert shown.fitting(width // 2) != text
