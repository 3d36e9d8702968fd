from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QRadioButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Progress, Stage
from dupfinder.base.settings import Settings
from dupfinder.gui.kit.buttons import RowButton
from dupfinder.gui.kit.labels import ElidedLabel
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.tasks import RecentScan
from dupfinder.gui.kit.theme import Theme, ThemeMode
from dupfinder.gui.results.members import MemberColumn
from dupfinder.gui.results.sheets import ExportSheet
from dupfinder.gui.selecting.assistant import AssistantSheet
from dupfinder.gui.shell.main_window import SMALLEST_SIZE, MainWindow
from dupfinder.library.rows import ScanSummary
from dupfinder.wording.figures import day_text
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import put_up


@pytest.fixture
def window(qtbot: QtBot, language: str, theme: Theme, settings: Settings, home: Path) -> Iterator[MainWindow]:
    made = put_up(MainWindow(theme, settings, home / "library.db"), qtbot, *SMALLEST_SIZE)
    yield made
    made.close()


def filled_pages(window: MainWindow, folder: Path) -> list[Page]:
    """Each page with something on it."""
    roots = ((folder / "a folder with a rather long name" / "and another one below it", "scan"),)
    summary = ScanSummary(
        1, "A scan of many documents", roots, datetime.now(UTC), 1.0, "done", 1_013_904, 1_013_904, 88_310,
        8, 0.7, 0.85, 16, "scheme", 0,
    )  # fmt: skip
    window.welcome.show_recent([RecentScan(summary, (), 128_318), RecentScan(summary, roots[0][:1], 0)])
    setup = window.setup
    setup.add_folders([folder, folder / "missing"])
    scanning = window.scanning
    current = (folder / "Annual accounts.pdf", folder / "Supply agreement.docx")
    problems = {"no_text": 1106, "encrypted": 3, "damaged": 12_345, "unsupported": 44}
    scanning.show_progress(Progress(Stage.READ, 1_013_208, 2_020_482, 10**12, current, 898_916, problems))
    return [window.welcome, setup, scanning, window.history, window.settings_page]


def cut(label: QLabel) -> bool:
    """Whether a label has less room than its text needs."""
    if label.wordWrap():
        return label.height() < label.heightForWidth(label.width())
    return label.width() < label.sizeHint().width() or label.height() < label.sizeHint().height()


def texts_cut_on(page: Page) -> list[str]:
    """The texts of a page that have less room than they need."""
    labels = (label for label in page.findChildren(QLabel) if label.isVisible() and not isinstance(label, ElidedLabel))
    return [label.text() for label in labels if cut(label)]


def test_no_text_is_cut_in_the_smallest_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for page in filled_pages(window, tmp_path):
        window.show_page(page)
        qtbot.wait(50)

        def nothing_is_cut(page: Page = page) -> None:
            assert texts_cut_on(page) == []

        qtbot.waitUntil(nothing_is_cut)  # a page is laid out in several events
        buttons = [
            button
            for button in page.findChildren(QPushButton)
            if button.isVisible() and not isinstance(button, RowButton)
        ]
        assert [button.text() for button in buttons if button.width() < button.minimumSizeHint().width()] == []


def test_no_choice_and_no_date_is_cut_in_the_smallest_window(
    qtbot: QtBot, window: MainWindow, theme: Theme, tmp_path: Path
) -> None:
    session = session_in(tmp_path)
    page = page_on(session, theme)
    window.pages.add(page)
    window.show_page(page)
    for sheet in (AssistantSheet(session, theme, page), ExportSheet(session, theme, page)):
        sheet.open()
        choices = [*sheet.findChildren(QCheckBox), *sheet.findChildren(QRadioButton)]
        assert choices

        def nothing_is_cut(choices: Sequence[QWidget] = choices) -> None:
            assert [choice for choice in choices if choice.width() < choice.sizeHint().width()] == []

        qtbot.waitUntil(nothing_is_cut)
        sheet.close()
    day = page.detail.table._drawing.metrics("secondary").horizontalAdvance(day_text(datetime(2028, 12, 28, 12)))
    assert page.detail.table._width(MemberColumn.CHANGED) >= day + 12


def test_no_page_is_wider_than_the_smallest_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for page in filled_pages(window, tmp_path):
        window.show_page(page)

        def everything_fits(page: Page = page) -> None:
            for area in page.findChildren(QScrollArea):
                inner = area.widget()
                assert isinstance(inner, QWidget)
                assert inner.width() <= area.viewport().width()

        qtbot.wait(50)
        qtbot.waitUntil(everything_fits)  # a page is laid out in several events
        assert (window.width(), window.height()) == SMALLEST_SIZE


def test_no_picture_of_a_page_is_the_same_in_light_and_dark(
    qtbot: QtBot, window: MainWindow, theme: Theme, tmp_path: Path
) -> None:
    pages = filled_pages(window, tmp_path)
    for mode, grounds in ((ThemeMode.LIGHT, range(200, 256)), (ThemeMode.DARK, range(60))):
        theme.set_mode(mode)
        for page in pages:
            window.show_page(page)
            image = window.grab().toImage()
            assert image.pixelColor(3, image.height() // 2).lightness() in grounds
