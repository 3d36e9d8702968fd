"""In the pseudo-language every text of the window is marked: what is not was never looked up in the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    Qt,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Progress, Stage
from dupfinder.base.settings import Settings
from dupfinder.gui.kit.messages import FaultSheet, FileListSheet
from dupfinder.gui.kit.tasks import RecentScan
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.review import RemovalSheet
from dupfinder.gui.results.calibration import CalibrationSheet
from dupfinder.gui.results.sheets import ExportSheet
from dupfinder.gui.selecting.assistant import AssistantSheet
from dupfinder.gui.settings.learning import LearningSheet
from dupfinder.gui.shell.help import HelpSheet
from dupfinder.gui.shell.main_window import MainWindow
from dupfinder.library.rows import ScanSummary
from dupfinder.wording.catalogue import LANGUAGES, PSEUDO
from tests.gui.conftest import speak
from tests.gui.scanned import PAPERS
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import put_up
from tests.wording.plain import untranslated

# What no language changes: names of formats, of units, of keys, and of languages in their own language.
KNOWN = (
    "dupfinder", "KB", "MB", "GB", "TB", "DOCX", "HTML", "PDF", "TXT", "CSV", "JSON", "XLSX", "EPUB", "RTF", "Ctrl",
    "Shift", "Alt", "Del", "Return", "Enter", "Esc", "Tab", "Space", "Left", "Right", "Up", "Down", "Home", "End",
    *LANGUAGES.values(),
)  # fmt: skip
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


@pytest.fixture(autouse=True)
def pseudo(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("DUPFINDER_LANGUAGE", PSEUDO)
    yield from speak(qapp, "en_GB")


def texts_of(widget: QWidget) -> Iterator[str]:
    """All texts that a widget and those in it show or tell a screen reader."""
    for part in (widget, *widget.findChildren(QWidget)):
        yield from (part.toolTip(), part.accessibleName(), part.accessibleDescription(), part.windowTitle())
        if isinstance(part, QLabel | QAbstractButton):
            yield part.text()
        elif isinstance(part, QLineEdit):
            yield part.placeholderText()
        elif isinstance(part, QComboBox):
            yield from (part.itemText(place) for place in range(part.count()))
        elif isinstance(part, QSpinBox):
            yield part.suffix()
        elif isinstance(part, QAbstractItemView) and isinstance(part.model(), QAbstractItemModel):
            yield from _texts_of_view(part)
    yield from (action.text() for action in widget.findChildren(QAction))


def _texts_of_view(view: QAbstractItemView) -> Iterator[str]:
    model, top = view.model(), QModelIndex()
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(top)
    for column in range(columns):
        for role in _ROLES[:2]:
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    for row in range(min(model.rowCount(top), 20)):
        for column in range(columns):
            for role in _ROLES:
                text = model.data(model.index(row, column), role)
                yield text if isinstance(text, str) else ""


def left_over(widget: QWidget, *known: str) -> dict[str, set[str]]:
    """The texts of a widget that are not wholly translated, with the words that are not."""
    texts = {text for text in texts_of(widget) if text}
    assert any("⟦" in text for text in texts)
    return {text: words for text in texts if (words := untranslated(text, (*KNOWN, *known)))}


def names_of(*folders: Path) -> list[str]:
    """Paths and names, which are the person's words."""
    names = [str(part) for folder in folders for part in (folder, *folder.parts, folder.name)]
    for paper in PAPERS:
        path = Path(paper.name)
        names += [paper.name, *path.parts, path.stem, *paper.text.split("\n")]
    return names


def test_every_text_of_the_pages_is_translated(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, tmp_path: Path
) -> None:
    window = put_up(MainWindow(theme, settings, home / "library.db"), qtbot)
    roots = ((tmp_path / "docs", "scan"), (tmp_path / "signed", "protect"))
    summary = ScanSummary(1, "my scan", roots, datetime.now(UTC), 1.0, "done", 2, 2, 1, 8, 0.7, 0.85, 16, "scheme", 0)
    window.welcome.show_recent([RecentScan(summary, (), 3), RecentScan(summary, roots[0][:1], 0)])
    setup = window.setup
    setup.add_folders([tmp_path, tmp_path / "missing"])
    scanning = window.scanning
    problems = dict.fromkeys(("no_text", "encrypted", "damaged", "unsupported", "too_slow", "held"), 3)
    current = (tmp_path / "accounts.pdf",)
    scanning.show_progress(Progress(Stage.READ, 5, 10, 10**6, current, 3, problems))
    suffixes = [chip.toolTip() for chip in setup.chips.values()]
    known = ("my scan", "missing", "accounts.pdf", *suffixes, *names_of(*(path for path, _ in roots), tmp_path, home))
    for page in (window.welcome, setup, scanning, window.history, window.settings_page):
        window.show_page(page)
        qtbot.wait(20)
        assert left_over(page, *known) == {}
    assert left_over(window, *known) == {}
    window.close()


def test_every_text_of_the_results_and_their_sheets_is_translated(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, tmp_path: Path
) -> None:
    session = session_in(tmp_path)
    page = put_up(page_on(session, theme), qtbot)
    known = ("Mar", "en", *names_of(tmp_path, *tmp_path.parents, home))  # the month and the language of documents
    assert left_over(page, *known) == {}
    sheets = (
        AssistantSheet(session, theme, page),
        ExportSheet(session, theme, page),
        CalibrationSheet(session, theme, page),
        RemovalSheet(session, theme, home / "library.db", page),
        LearningSheet(theme, page, settings, home / "library.db"),
        HelpSheet(theme, page),
        FaultSheet(theme, page, ValueError("what a library said")),
        FileListSheet(theme, page, "", [(tmp_path / "a.txt", "")]),
    )
    for sheet in sheets:
        sheet.open()
        qtbot.wait(10)
        assert left_over(sheet, "a.txt", "ValueError", "what a library said", *known) == {}, type(sheet)
        sheet.close()
