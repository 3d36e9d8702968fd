"""The sheet of passages that stand in many files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from dupfinder.gui.dialogs.boilerplate import BoilerplateSheet
from dupfinder.gui.theme import Theme
from dupfinder.review.boilerplate import passages
from tests.scan.boilerplate_library import letters, scan, text, write


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    made.resize(1024, 680)
    made.show()
    qtbot.waitExposed(made)
    return made


def opened(qtbot: QtBot, theme: Theme, window: QMainWindow, library: Path) -> BoilerplateSheet:
    sheet = BoilerplateSheet(theme, window, library, 1)
    sheet.open()
    qtbot.waitUntil(lambda: sheet._job is None, timeout=20_000)
    return sheet


def again_button(sheet: BoilerplateSheet) -> QPushButton:
    (found,) = (one for one in sheet.findChildren(QPushButton) if one.text() == "Group again")
    return found


def test_a_passage_is_looked_at_switched_off_by_key_and_the_scan_grouped_again(
    qtbot: QtBot, theme: Theme, window: QMainWindow, tmp_path: Path
) -> None:
    library = tmp_path / "library.db"
    scan(write(tmp_path / "docs", letters("acme", 12)), library)
    sheet = opened(qtbot, theme, window, library)
    model = sheet.table.model()
    assert model.rowCount() == len(passages(library)) == 2
    (field,) = sheet.findChildren(QPlainTextEdit)
    assert field.toPlainText() == text("foot of acme", 8).removesuffix(".")
    assert "In 12 files of 12 groups, left out" in str(model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole))
    assert any("acme" in one.text() and one.text().endswith(".txt") for one in sheet.findChildren(QLabel))
    assert not again_button(sheet).isEnabled()
    QTest.keyClick(sheet.table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: again_button(sheet).isEnabled(), timeout=20_000)
    assert [one.enabled for one in passages(library)] == [False, True]
    with qtbot.waitSignal(sheet.regrouped, timeout=60_000) as told:
        again_button(sheet).click()
    assert told.args == [1]
    assert [one.used for one in passages(library)] == [False, True]


def test_closing_while_it_groups_leaves_the_scan_as_it_was(
    qtbot: QtBot, theme: Theme, window: QMainWindow, tmp_path: Path
) -> None:
    library = tmp_path / "library.db"
    scan(write(tmp_path / "docs", letters("acme", 12)), library)
    sheet = opened(qtbot, theme, window, library)
    QTest.keyClick(sheet.table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: again_button(sheet).isEnabled(), timeout=20_000)
    told: list[int] = []
    sheet.regrouped.connect(told.append)
    sheet.group_again()
    job = sheet._job
    assert job is not None
    sheet.reject()
    qtbot.waitUntil(lambda: not job.is_running(), timeout=60_000)
    assert told == []
    assert len(passages(library)) == 2


def test_a_library_without_such_passages_says_so(
    qtbot: QtBot, theme: Theme, window: QMainWindow, tmp_path: Path
) -> None:
    library = tmp_path / "library.db"
    scan(write(tmp_path / "docs", {"one": text("one", 9), "two": text("two", 9)}), library)
    sheet = opened(qtbot, theme, window, library)
    assert any("No passage stands in many files" in one.text() for one in sheet.findChildren(QLabel))
    sheet.reject()


def test_what_goes_wrong_is_told_and_ends_the_sheet(
    qtbot: QtBot, theme: Theme, window: QMainWindow, tmp_path: Path
) -> None:
    sheet = BoilerplateSheet(theme, window, tmp_path / "none.db", 1)
    with qtbot.waitSignal(sheet.failed, timeout=10_000):
        sheet.open()
