from __future__ import annotations

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.shell.commands import COMMANDS, Shortcuts
from dupfinder.gui.shell.help import HelpSheet
from tests.gui.widgets import press, put_up


@pytest.mark.parametrize(
    ("chosen", "named"), [("Ctrl+L", "Ctrl+L"), ("F7", "F7"), ("", "Files whose text was not compared")]
)
def test_the_help_answers_questions_and_tells_what_each_relation_means(
    qtbot: QtBot, theme: Theme, chosen: str, named: str
) -> None:
    keys = Shortcuts()
    (unread,) = (command for command in COMMANDS if command.slot == "show_unread")
    keys.change(unread, [QKeySequence(chosen)] if chosen else [])
    window = put_up(QWidget(), qtbot, 1100, 800)
    sheet = HelpSheet(theme, window, keys)
    sheet.open()
    qtbot.waitExposed(sheet)
    texts = [label.text() for label in sheet.parts.findChildren(QLabel) if label.isVisible()]
    assert "Can the last copy be lost?" in texts and "Same form" in texts
    assert any(f"{named} lists such files" in text for text in texts)
    assert not any("{" in text for text in texts)
    sheet.accept()


def test_the_help_names_every_command(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sheet = HelpSheet(theme, window)
    texts = {label.text() for label in sheet.findChildren(QLabel)}
    assert {command.label for command in COMMANDS} | {"Ctrl+N", "Space   Del   R"} <= texts


@pytest.mark.parametrize(("width", "columns"), [(1024, 2), (520, 1)])
def test_the_sheet_of_keys_has_one_column_in_a_window_without_room_for_two(
    qtbot: QtBot, theme: Theme, width: int, columns: int
) -> None:
    window = put_up(QWidget(), qtbot, width, 680)
    sheet = HelpSheet(theme, window)
    sheet.open()
    press(sheet, "Keys")
    qtbot.waitExposed(sheet)
    labels = [label for label in sheet.findChildren(QLabel) if label.text() in ("New scan", "Quit")]
    assert len({label.x() for label in labels}) == columns
    sheet.accept()


@pytest.mark.parametrize("height", [680, 760, 900, 1200])
def test_the_sheet_of_keys_cuts_no_row_in_two(qtbot: QtBot, theme: Theme, height: int) -> None:
    window = put_up(QWidget(), qtbot, 1100, height)
    sheet = HelpSheet(theme, window)
    sheet.open()
    press(sheet, "Keys")
    qtbot.waitExposed(sheet)
    qtbot.wait(20)
    area = sheet.parts.currentWidget()
    assert isinstance(area, QScrollArea) and sheet.card.height() <= height
    bottom = area.viewport().mapToGlobal(area.viewport().rect().bottomLeft()).y()
    rows = [(label.mapToGlobal(label.rect().topLeft()).y(), label.mapToGlobal(label.rect().bottomLeft()).y())
            for label in area.findChildren(QLabel)]  # fmt: skip
    assert not [row for row in rows if row[0] <= bottom < row[1]]
    sheet.accept()
