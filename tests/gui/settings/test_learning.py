"""Weights learned from a person's documents, from the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import SilentReporter
from dupfinder.base.settings import SIMPLIFY, WEIGHTS, Settings
from dupfinder.gui.kit.buttons import Switch
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.settings.learning import LearnedSheet, LearningSheet, WordOrder, ordered
from dupfinder.gui.settings.page import SettingsPage
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.scan.weights import CommonWord, scheme_in_use
from tests.gui.widgets import open_sheet, press, put_up


def make_page(qtbot: QtBot, theme: Theme, home: Path) -> SettingsPage:
    page = put_up(SettingsPage(theme, Settings(), home / "library.db"), qtbot, 1024, 680)
    page.entered()
    return page


@pytest.fixture
def library(home: Path, tmp_path: Path) -> Path:
    """A scan of documents that have a word in common."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(22):
        name = "abcdefghijklmnopqrstuvwxyz"[number] * 4
        (folder / f"{number}.txt").write_text(f"The registrar of {name} keeps the register of {name} here. " * 3)
    run_scan(ScanRequest((Root(folder),), workers=1), home / "library.db", SilentReporter())
    return home / "library.db"


def test_weights_are_learned_shown_and_taken_back(qtbot: QtBot, theme: Theme, library: Path) -> None:
    page = make_page(qtbot, theme, library.parent)
    before = scheme_in_use().id
    press(page, "Learn from my documents…")
    asking = open_sheet(LearningSheet)
    with qtbot.waitSignal(asking.learned):
        press(asking, "Learn")
    shown = open_sheet(LearnedSheet)
    model = shown.table.model()
    assert "registrar" in [model.index(row, 0).data() for row in range(model.rowCount())]
    assert scheme_in_use().id != before
    with qtbot.waitSignal(page.toast_wanted) as toast:
        press(shown, "Use the built-in weights again")
    assert "again" in toast.args[0]
    assert scheme_in_use().id == before
    press(page, "Use learned weights")
    assert Settings().get(WEIGHTS) == "learned"
    press(page, "Use built-in weights")


def test_cancelling_leaves_the_weights_as_they_were(qtbot: QtBot, theme: Theme, library: Path) -> None:
    page = make_page(qtbot, theme, library.parent)
    press(page, "Learn from my documents…")
    asking = open_sheet(LearningSheet)
    asking.begin()
    job = asking._job
    assert job is not None
    press(asking, "Cancel")
    qtbot.waitUntil(lambda: not job.is_running())
    assert Settings().get(WEIGHTS) == "shipped"


def test_without_a_scan_the_reason_is_told(qtbot: QtBot, theme: Theme, home: Path) -> None:
    page = make_page(qtbot, theme, home)
    press(page, "Learn from my documents…")
    asking = open_sheet(LearningSheet)
    with qtbot.waitSignal(asking.failed):
        press(asking, "Learn")
    message = QApplication.activeModalWidget()
    assert type(message) is Sheet
    message.accept()


def test_words_that_lost_and_gained_weight_are_told_apart() -> None:
    words = [
        CommonWord("common", 20, 0.1, 5.0),
        CommonWord("same", 9, 2.0, 2.0),
        CommonWord("rare", 2, 7.0, 3.0),
        CommonWord("less", 8, 2.0, 3.0),
    ]
    assert ordered(words, WordOrder.COMMON) == words
    assert [word.word for word in ordered(words, WordOrder.LIGHTER)] == ["common", "less"]
    assert [word.word for word in ordered(words, WordOrder.HEAVIER)] == ["rare"]


def test_a_setting_that_asks_for_reading_anew_says_so(qtbot: QtBot, theme: Theme, home: Path) -> None:
    page = make_page(qtbot, theme, home)
    switch = page.controls[SIMPLIFY.key]
    assert isinstance(switch, Switch)
    with qtbot.waitSignal(page.toast_wanted) as toast:
        switch.click()
    assert "again" in toast.args[0]
    assert scheme_in_use().simplify
