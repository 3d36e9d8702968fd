"""What is like a document that a person names: listed from the library, the closest first, and shown in its group."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.paths import default_library
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import FOLDERS, GROUPS, ResultsPage
from dupfinder.gui.results.sheets import SimilarSheet
from dupfinder.library.library import LibraryFile
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests import making
from tests.gui.showing import shown
from tests.gui.widgets import press, said
from tests.scan.documents import family, prose, put, revised


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    for seed in (1, 2):
        family(tmp_path / "docs", seed)
    number = run_scan(ScanRequest((Root(tmp_path / "docs"),), workers=1), default_library())
    with LibraryFile(default_library()) as opened:
        session = ReviewSession(opened.result(number))
    return shown(session, theme, qtbot)


def test_what_is_like_a_file_is_listed_and_its_group_is_shown(page: ResultsPage, qtbot: QtBot, tmp_path: Path) -> None:
    page._tools.views.part(FOLDERS).click()
    page.sheets.look_up(put(tmp_path / "mail" / "loaded.txt", making.txt(revised(prose(2), 7))))
    qtbot.waitUntil(lambda: bool(page.window().findChildren(SimilarSheet)))
    sheet = page.window().findChildren(SimilarSheet)[-1]
    assert "4 documents are like it" in said(sheet)
    texts = [sheet.table.model().index(row, 2).data() for row in range(4)]
    assert texts == ["Version"] * 4
    sheet.table.selectRow(2)
    row = sheet._rows[2]
    press(sheet, "Show its group")
    assert page.view == GROUPS
    assert row in {member.document for member in page.detail.model.all_members}


def test_a_file_that_nothing_is_like_and_one_without_text_are_told(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    stranger = put(tmp_path / "stranger.txt", making.txt(prose(99)))
    with qtbot.waitSignal(page.toast_wanted, check_params_cb=lambda text, *_: "Nothing" in text):
        page.sheets.look_up(stranger)
    page.sheets.look_up(put(tmp_path / "empty.txt", b""))
    qtbot.waitUntil(lambda: bool(page.window().findChildren(Sheet)))
    assert "empty.txt" in said(page.window().findChildren(Sheet)[-1])


def test_a_dropped_file_and_a_pasted_text_are_looked_up_and_folders_are_scanned_as_before(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    letter = put(tmp_path / "mail" / "loaded.txt", making.txt(revised(prose(2), 7)))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(letter.parent))])
    assert page.use_of(data) is None
    data.setUrls([QUrl.fromLocalFile(str(letter)), QUrl.fromLocalFile(str(letter))])
    assert page.use_of(data) is None
    data.setUrls([QUrl.fromLocalFile(str(letter))])
    use = page.use_of(data)
    assert use is not None
    messages = list[str]()
    page.toast_wanted.connect(lambda text, *_: messages.append(text))
    use()
    qtbot.waitUntil(lambda: bool(page.window().findChildren(SimilarSheet)))
    assert messages == ["Looking for what is like loaded.txt…", ""]  # nothing tells of a search that has ended
    page.window().findChildren(SimilarSheet)[-1].reject()
    qtbot.waitUntil(lambda: not page.window().findChildren(SimilarSheet))
    QGuiApplication.clipboard().setText("\n".join(revised(prose(2), 7)))
    page.sheets.find_pasted()
    qtbot.waitUntil(lambda: bool(page.window().findChildren(SimilarSheet)))
    sheet = page.window().findChildren(SimilarSheet)[-1]
    assert "4 documents are like it" in said(sheet) and "…”" in said(sheet)


def test_an_empty_clipboard_is_told(page: ResultsPage, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    with qtbot.waitSignal(page.toast_wanted, check_params_cb=lambda text, *_: "Copy a text" in text):
        page.sheets.find_pasted()
