"""What every test of the window has: no screen, a home of its own, one theme, and a look at what was left behind."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import partialmethod
from pathlib import Path

os.environ |= {"QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}  # before Qt is loaded

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QtMsgType, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import Settings
from dupfinder.gui.kit import jobs
from dupfinder.gui.kit.theme import Theme, ThemeMode
from dupfinder.gui.shell import starting
from tests.gui import showing

# The offscreen platform says so at each window and menu; it says nothing about the program.
_HARMLESS = ("This plugin does not support ",)
PATIENCE_MS = 60_000
_BAD = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test waits for come late: a busy machine is no fault of the window."""
    for name in ("waitUntil", "waitSignal", "waitSignals"):
        monkeypatch.setattr(QtBot, name, partialmethod(getattr(QtBot, name), timeout=PATIENCE_MS))


@pytest.fixture
def home(own_home: Path) -> Path:
    """The program's data folder, which is there."""
    folder = own_home / "dupfinder"
    folder.mkdir(exist_ok=True)  # another fixture may have needed it before
    return folder


@pytest.fixture(autouse=True)
def nothing_is_left_behind(qapp: QApplication) -> Iterator[None]:
    """After each test no window is open and no job runs.

    Garbage is collected in this thread alone, as in the program.
    """
    gc.disable()
    yield
    showing.close_sessions()
    assert jobs.stop_all(PATIENCE_MS), "a job did not stop"
    QGuiApplication.clipboard().clear()  # what lies there would outlive the interpreter, and end it with a fault
    for _ in range(3):  # what is deleted may post a deletion of its own
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    showing.held.clear()
    gc.collect(1)
    gc.enable()
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    for widget in left:
        widget.close()
    assert left == []


@pytest.fixture(autouse=True)
def qt_says_nothing(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning of Qt fails the test."""
    log = request.getfixturevalue("qtlog")
    yield
    said = [
        record.message for record in log.records if record.type in _BAD and not record.message.startswith(_HARMLESS)
    ]
    assert said == []


@pytest.fixture(scope="session")
def one_theme(qapp: QApplication) -> Theme:
    """The theme of the test run."""
    QLocale.setDefault(QLocale("en_US"))
    return Theme(qapp, ThemeMode.LIGHT)


@pytest.fixture
def theme(one_theme: Theme) -> Theme:
    """The theme, light again and with usual rows."""
    one_theme.set_mode(ThemeMode.LIGHT)
    one_theme.set_compact(False)
    return one_theme


def speak(application: QApplication, name: str) -> Iterator[str]:
    """Set the language of the window by the name of a locale until the generator is closed."""
    before = QLocale()
    starting.translate(application, QLocale(name))
    yield name
    for translator in application.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


@pytest.fixture(params=["en_US", "zh_CN", "es_ES"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """The language of the window, each in turn."""
    yield from speak(qapp, request.param)


@pytest.fixture
def settings(home: Path) -> Settings:
    """Settings in the test's home."""
    return Settings(home / "settings.json")
