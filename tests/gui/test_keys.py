"""Every key of the cheat sheet does no harm on any page, and those of a page do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import Settings
from dupfinder.gui.commands import COMMANDS
from dupfinder.gui.components.page import Page
from dupfinder.gui.dialogs.messages import Unexpected
from dupfinder.gui.main_window import MainWindow
from dupfinder.gui.pages.results import ResultsPage
from dupfinder.gui.theme import Theme
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import scan_result

PAGES = ("welcome", "setup", "scanning", "history", "settings", "results")


@pytest.fixture
def window(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda _: True))
    monkeypatch.setattr("dupfinder.gui.pages.welcome.QFileDialog.getExistingDirectory", lambda *_: "")
    made = MainWindow(theme, settings, home / "library.db")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    yield made
    page = made.page
    if isinstance(page, ResultsPage):
        page.close_session()
    made.close()


def opened(window: MainWindow, name: str, folder: Path, qtbot: QtBot) -> Page:
    if name == "results":
        window._show_session(ReviewSession(scan_result(folder)))
        qtbot.waitUntil(lambda: isinstance(window.page, ResultsPage))
        return window.page
    pages = {"welcome": lambda: window.welcome, "setup": window.setup, "scanning": window.scanning,
             "history": window.history, "settings": window.settings_page}  # fmt: skip
    page = pages[name]()
    window.show_page(page)
    return page


@pytest.mark.parametrize("name", PAGES)
def test_every_command_can_be_called_on_every_page(window: MainWindow, name: str, tmp_path: Path, qtbot: QtBot) -> None:
    page = opened(window, name, tmp_path / "papers", qtbot)
    for command in COMMANDS:
        if command.id == "quit":
            continue
        window.show_page(page)
        actions = [one for one in window.actions() if one.text() == command.text()]
        assert actions, command.id
        for action in actions:
            action.trigger()
            QTest.qWait(1)
            sheets = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
            assert not any(isinstance(one, Unexpected) for one in sheets), command.id
            for sheet in sheets:
                sheet.reject()


def test_the_key_for_open_leads_from_results_to_the_list_of_scans(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(window, "results", tmp_path / "papers", qtbot)
    action = window.findChild(QAction, "open_scan")
    assert action is not None
    results = window.page
    action.trigger()
    assert window.page is window.welcome
    window.show_page(results)
