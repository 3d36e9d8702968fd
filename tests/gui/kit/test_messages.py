from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.errors import RootError
from dupfinder.gui.kit.layout import Stretch, across, boxed
from dupfinder.gui.kit.messages import PORTION, FaultSheet, FileListSheet, QuestionSheet, Toast, explain
from dupfinder.gui.kit.theme import Theme
from tests.gui.widgets import button, press, put_up


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    return put_up(QMainWindow(), qtbot, 1024, 680)


def test_a_known_error_is_one_sentence(qtbot: QtBot, theme: Theme, window: QMainWindow) -> None:
    sheet = explain(theme, window, RootError(Path("/gone"), "ENOENT"))
    assert not isinstance(sheet, FaultSheet)
    texts = [label.text() for label in sheet.findChildren(QLabel)]
    assert any("/gone" in text and "Nothing was scanned" in text for text in texts)
    assert all("Traceback" not in text for text in texts)
    press(sheet, "Close")


def test_a_toast_has_room_for_its_whole_text_also_after_the_window_became_narrow(
    theme: Theme, window: QMainWindow
) -> None:
    toast = Toast(theme, window)
    for width, is_long, wraps in ((1024, True, True), (1024, False, False), (1440, True, False), (1024, True, True)):
        window.resize(width, 680)
        toast.show_text("741 documents are marked. " * (6 if is_long else 1), "Undo")
        text = toast._text
        assert text.wordWrap() is wraps
        needed = text.fontMetrics().boundingRect(0, 0, text.width(), 1000, Qt.TextFlag.TextWordWrap, text.text())
        assert text.height() >= needed.height() and text.width() >= needed.width()
        assert toast.geometry().right() <= width - 32 and toast.geometry().bottom() < 680


def test_a_text_that_is_new_is_not_cut_off_in_the_picture_behind_a_sheet(
    qtbot: QtBot, theme: Theme, window: QMainWindow
) -> None:
    pause = QPushButton("Pause")
    window.setCentralWidget(boxed(across(Stretch(), pause)))
    qtbot.wait(10)
    pause.setText("Resume the scan")
    sheet = explain(theme, window, RootError(Path("/gone"), "ENOENT"))
    assert pause.width() >= pause.sizeHint().width()
    press(sheet, "Close")


def test_a_sheet_is_wider_where_the_text_is_larger(
    theme: Theme, window: QMainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.resize(1440, 900)
    widths = []
    for scale in (1.0, 1.5):
        monkeypatch.setattr(theme, "px", lambda size, scale=scale: round(size * scale))
        sheet = explain(theme, window, RootError(Path("/gone"), "ENOENT"))
        widths.append(sheet.card.width())
        press(sheet, "Close")
    assert widths[1] == 1.5 * widths[0]


def test_a_fault_says_that_files_are_unchanged_and_its_details_can_be_copied(
    qtbot: QtBot, theme: Theme, window: QMainWindow
) -> None:
    try:
        raise ValueError("what happened")
    except ValueError as error:
        sheet = explain(theme, window, error)
    assert isinstance(sheet, FaultSheet)
    assert sheet.title.text() == "Something went wrong. Your files are unchanged."
    press(sheet, "Copy details")
    copied = QGuiApplication.clipboard().text()
    assert "ValueError: what happened" in copied
    assert "dupfinder.log" in copied
    QTest.keyClick(sheet, Qt.Key.Key_Escape)


def test_a_question_tells_its_answer_and_closing_tells_none(qtbot: QtBot, theme: Theme, window: QMainWindow) -> None:
    for answer, expected in (("Discard", [1]), ("", [])):
        answers: list[int] = []
        first, second = ("Keep", "primary", partial(answers.append, 0)), ("Discard", "", partial(answers.append, 1))
        sheet = QuestionSheet(theme, window, "Stop?", "", first, second)
        qtbot.addWidget(sheet)
        sheet.open()
        if answer:
            press(sheet, answer)
        else:
            sheet.reject()
        assert answers == expected
        assert not sheet.isVisible()


@pytest.mark.parametrize(("act", "look", "answer"), [("Restore", "primary", 1), ("Remove", "danger", 0)])
def test_enter_presses_the_button_that_has_the_focus_but_never_one_that_removes(
    qtbot: QtBot, theme: Theme, window: QMainWindow, act: str, look: str, answer: int
) -> None:
    answers: list[int] = []
    choices = ("Cancel", "", partial(answers.append, 0)), (act, look, partial(answers.append, 1))
    sheet = QuestionSheet(theme, window, f"{act}?", "", *choices)
    qtbot.addWidget(sheet)
    sheet.open()
    button(sheet, act).setFocus()
    QTest.keyClick(button(sheet, act), Qt.Key.Key_Return)
    assert answers == [answer]


def test_a_list_of_files_shows_hostile_names_safely(qtbot: QtBot, theme: Theme, window: QMainWindow) -> None:
    sheet = FileListSheet(
        theme, window, "Damaged file", [(Path("/a/evil\u202efdp.exe"), "not\na PDF"), (Path("/b"), "")]
    )
    qtbot.addWidget(sheet)
    assert sheet.text().splitlines() == ["/a/evil\\u202efdp.exe  —  not\\na PDF", "/b"]


def test_a_list_of_files_names_each_once_and_needs_no_scrolling_sideways(
    qtbot: QtBot, theme: Theme, window: QMainWindow
) -> None:
    path = Path("/a/folder with a rather long name/and another one below it/with a letter of which one speaks.docx")
    sheet = FileListSheet(theme, window, "Skipped", [(path, f"{path} changed in size since it was scanned.")])
    sheet.open()
    (field,) = sheet.findChildren(QPlainTextEdit)
    qtbot.waitUntil(lambda: field.toPlainText() == sheet.text() == f"{path} changed in size since it was scanned.")
    assert field.horizontalScrollBar().maximum() == 0
    sheet.accept()


def test_a_list_of_files_is_as_high_as_it_should_be(theme: Theme, window: QMainWindow) -> None:
    sheet = FileListSheet(theme, window, "Moved", [(Path(f"/docs/{number}.txt"), "") for number in range(30)])
    sheet.open()
    (field,) = sheet.findChildren(QPlainTextEdit)
    assert field.height() >= 300
    sheet.accept()


def test_reasons_that_are_nearly_all_different_are_not_summed_up(theme: Theme, window: QWidget) -> None:
    kept = "identical to /kept/{}.txt"
    files = [(Path(f"/docs/{number}.txt"), kept.format("ab"[number % 2] * (number // 2 + 1))) for number in range(60)]
    files.append((Path("/docs/last.txt"), files[-1][1]))
    assert FileListSheet(theme, window, "Moved", files).text().startswith("/docs/0.txt  —  identical to /kept/a.txt")


def test_a_long_list_is_filled_in_portions_and_copied_whole(theme: Theme, window: QWidget, qtbot: QtBot) -> None:
    files = [(Path(f"/docs/{number:05}.pdf"), "damaged") for number in range(2 * PORTION + 1)]
    sheet = FileListSheet(theme, window, "Damaged file", files)
    sheet.open()
    (field,) = sheet.findChildren(QPlainTextEdit)
    assert field.blockCount() == PORTION and sheet.text().count("\n") == 2 * PORTION
    qtbot.waitUntil(lambda: field.toPlainText() == sheet.text())
    assert field.verticalScrollBar().value() == 0 < field.verticalScrollBar().maximum(), "one reads from the beginning"
    sheet.accept()
