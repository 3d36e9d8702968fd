"""Names from outside, as bad as a disk allows: shown as text, and never taken for another file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.display import shown
from dupfinder.gui.kit.cards import dropped_paths
from dupfinder.gui.kit.files import text_to_copy, url_of
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.members import MemberColumn
from dupfinder.gui.results.page import ResultsPage
from dupfinder.library.decisions import Decision
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import page_on
from tests.gui.widgets import put_up

NAMES = (
    os.fsdecode(b"not utf-8 \xff\xfe.txt"),
    "two\nlines.txt",
    "turned \u202egpj.exe.txt",
    '<img src="x"><b>bold.txt',
    "&mnemonic && %1 %n %Ln.txt",
    "x" * 240 + ".txt",
    "合同 第7稿（已签）😀.txt",
)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_hostile_name_goes_through_every_part_of_the_page(
    tmp_path: Path, qtbot: QtBot, theme: Theme, name: str
) -> None:
    text = "The same words stand in both of these documents.\n"
    papers = [Paper("a/plain.txt", text), Paper(f"b/{name}", text, day=3)]
    page = put_up(page_on(ReviewSession(scan_result(tmp_path, papers, ())), theme), qtbot)
    row = next(row for row, member in enumerate(page.detail.model.members) if member.name == name)
    index = page.detail.table.model().index(row, MemberColumn.DOCUMENT)
    assert index.data() == shown(name)
    page.detail.table.choose_row(row)
    page.groups.commands["copy_path"]()
    assert QGuiApplication.clipboard().text() == text_to_copy(tmp_path / "b" / name)
    document = page.detail.model.members[row].document
    page.groups.commands["toggle_remove"]()
    assert page.session.summary().documents == 1
    assert page.session.marks.decision(document) is Decision.REMOVE
    page.grab()
    row = page.detail.model.row_of(document)  # the copy that stays comes first
    _files_are_named_by_their_bytes(page, row, tmp_path / "b" / name)


def _files_are_named_by_their_bytes(page: ResultsPage, row: int, path: Path) -> None:
    data = page.detail.table.model().mimeData([page.detail.table.model().index(row, 0)])
    (url,) = data.urls()
    encoded = bytes(url.toEncoded().data()).decode("ascii")
    assert Path(os.fsdecode(_unquoted(encoded))) == path
    assert page.detail.table.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def _unquoted(url: str) -> bytes:
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(url.removeprefix("file://"))


def test_bytes_that_are_no_text_stay_in_the_url() -> None:
    path = Path(os.fsdecode(b"/tmp/a\xff.txt"))
    assert bytes(url_of(path).toEncoded().data()) == b"file:///tmp/a%FF.txt"
    assert text_to_copy(path) == "/tmp/a\\xff.txt"
    assert text_to_copy(Path("/tmp/plain.txt")) == "/tmp/plain.txt"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_folder_that_is_dropped_is_the_one_that_was_dragged(tmp_path: Path, name: str) -> None:
    data = QMimeData()
    data.setData("text/uri-list", url_of(tmp_path / name).toEncoded() + b"\r\n")  # as other programs send it
    assert dropped_paths(data) == [tmp_path / name]
