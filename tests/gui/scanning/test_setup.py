from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import ARCHIVES, LARGEST, Settings
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.setup import SetupPage
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.scan.walk import Walk
from dupfinder.text.sniff import FAMILIES
from tests.gui.widgets import put_up


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "documents"
    (top / "old").mkdir(parents=True)
    for name in ("a.txt", "b.pdf", "old/c.txt", "picture.png"):
        (top / name).write_bytes(b"x" * 1400)
    return top


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, settings: Settings, home: Path) -> SetupPage:
    return put_up(SetupPage(theme, settings, home / "library.db"), qtbot, 1200, 800)


def counted(qtbot: QtBot, page: SetupPage, text: str) -> None:
    qtbot.waitUntil(lambda: page.total.text() == text)


def test_every_family_of_formats_can_be_chosen(page: SetupPage) -> None:
    assert set(page.chips) == set(FAMILIES), "_FAMILIES of gui/scanning/setup.py names the families of text/sniff.py"


def test_the_hint_of_a_family_names_its_formats(page: SetupPage) -> None:
    hints = {family: chip.toolTip().split() for family, chip in page.chips.items()}
    assert hints["pdf"] == ["PDF", "OFD", "XPS", "OXPS"]
    assert {"DOCX", "DOC", "HWP", "HWPX"} <= {*hints["word"]} and {"VSDX", "KEY"} <= {*hints["office"]}
    assert "PY" in hints["code"] and all(hints.values())


def test_without_a_folder_nothing_can_be_started(page: SetupPage) -> None:
    assert not page.go.isEnabled()
    assert page.total.text() == "No folder to scan yet"


def test_documents_are_counted_for_the_whole_and_for_each_row(qtbot: QtBot, page: SetupPage, folder: Path) -> None:
    page.add_folders([folder])
    counted(qtbot, page, "3 documents · 4 KB")
    assert page.go.isEnabled()
    assert page.folders.rows[0]._facts.text() == "3 documents · 4 KB · with subfolders"


def test_a_nested_row_with_another_role_overrides_its_parent(qtbot: QtBot, page: SetupPage, folder: Path) -> None:
    page.add_folders([folder, folder / "old"])
    nested = page.folders.rows[1]
    QTest.mouseClick(nested.segments.part(2), Qt.MouseButton.LeftButton)
    assert nested.role is Role.LEAVE_OUT
    counted(qtbot, page, "2 documents · 3 KB")
    QTest.mouseClick(nested.segments.part(1), Qt.MouseButton.LeftButton)
    counted(qtbot, page, "3 documents · 4 KB")
    assert page.request().roots == (Root(folder, Role.SCAN), Root(folder / "old", Role.PROTECT))
    facts = nested._facts.text()
    assert facts.startswith("matched against, never marked · 1 document · ") and facts.endswith(f" · inside {folder}")


def test_a_folder_is_listed_once(page: SetupPage, folder: Path) -> None:
    page.add_folders([folder, folder / ".." / "documents"])
    assert len(page.folders.rows) == 1
    assert "is in the list already" in page._note.text()


def test_that_a_folder_is_in_the_list_is_said_until_the_list_changes(page: SetupPage, folder: Path) -> None:
    page.add_folders([folder])
    page.add_folders([folder])
    assert page._note.isVisible()
    page.new_scan()
    assert not page._note.isVisible()


def test_the_delete_key_takes_a_row_out(page: SetupPage, folder: Path) -> None:
    page.add_folders([folder, folder / "old"])
    QTest.keyClick(page.folders.rows[0].segments.part(0), Qt.Key.Key_Delete)
    assert [row.path for row in page.folders.rows] == [folder / "old"]


def test_a_folder_that_is_gone_is_told_in_its_row_and_not_scanned(page: SetupPage, tmp_path: Path) -> None:
    page.add_folders([tmp_path / "gone"])
    assert "Folder not found" in page.folders.rows[0]._facts.text()
    assert page.folders.isVisible(), "an invisible list would hide the reason"
    assert not page.go.isEnabled()


def test_a_folder_that_the_system_cannot_look_at_is_told_in_its_row(page: SetupPage, tmp_path: Path) -> None:
    page.add_folders([tmp_path / ("x" * 300)])  # a longer name than a file can have
    assert not page.folders.rows[0].is_readable


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_without_permission_is_told_in_its_row(page: SetupPage, folder: Path) -> None:
    folder.chmod(0)
    try:
        page.add_folders([folder])
        assert page.folders.rows[0]._facts.text() == "No permission to read this folder"
        assert not page.go.isEnabled()
    finally:
        folder.chmod(0o700)


def test_formats_filters_and_names_reach_the_request(qtbot: QtBot, page: SetupPage, folder: Path) -> None:
    page.add_folders([folder])
    for family, chip in page.chips.items():
        if family not in ("pdf", "text", "code"):
            QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    page.names.setText("~$*; *.tmp ;")
    QTest.mouseClick(page.hidden, Qt.MouseButton.LeftButton)
    assert page.request().archives
    QTest.mouseClick(page.archives, Qt.MouseButton.LeftButton)
    assert not page.request().archives
    page.smallest.setCurrentIndex(page.smallest.findData(1000))
    page.largest.setCurrentIndex(page.largest.findData(10_000_000))
    request = page.request()
    assert request.formats == {"pdf", "text"}
    assert request.excluded_names == ("~$*", "*.tmp")
    assert (request.smallest, request.largest, request.hidden, request.fresh) == (1000, 10_000_000, False, False)
    for family, chip in page.chips.items():
        chip.setChecked(family != "code")
    assert page.request().formats == frozenset()  # all, also those of a later version


def test_the_tab_key_goes_through_the_page_in_reading_order(qtbot: QtBot, page: SetupPage, folder: Path) -> None:
    page.add_folders([folder, folder / "old"])
    qtbot.waitUntil(lambda: page.folders.rows[1].isVisible())
    stops: list[QWidget] = []
    widget = page.add.nextInFocusChain()
    while widget is not None and widget is not page.add:
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            stops.append(widget)
        widget = widget.nextInFocusChain()
    rows = page.folders.rows
    first = [rows[0].segments.part(0), rows[0]._remover, rows[1].segments.part(0), rows[1]._remover]
    assert stops[:4] == first
    later = [
        page.chips["pdf"],
        page.smallest,
        page.largest,
        page.names,
        page.hidden,
        page.archives,
        page.fresh,
        page.go,
    ]
    assert [stops.index(stop) for stop in later] == sorted(stops.index(stop) for stop in later)
    assert stops[4] is page.chips["pdf"]


def test_program_texts_are_read_only_where_they_are_chosen(page: SetupPage, folder: Path) -> None:
    page.add_folders([folder])
    assert not page.chips["code"].isChecked() and page.request().formats == frozenset()
    QTest.mouseClick(page.chips["code"], Qt.MouseButton.LeftButton)
    assert page.request().formats == set(page.chips)


def test_no_format_is_no_scan(page: SetupPage, folder: Path) -> None:
    page.add_folders([folder])
    for chip in page.chips.values():
        if chip.isChecked():
            QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert not page.go.isEnabled()
    assert page.total.text() == "No format chosen"


def test_the_start_button_asks_for_a_scan_of_the_chosen_folders(qtbot: QtBot, page: SetupPage, folder: Path) -> None:
    started: list[ScanRequest] = []
    page.start_asked.connect(started.append)
    page.start_scan()
    assert started == []
    page.add_folders([folder])
    QTest.mouseClick(page.go, Qt.MouseButton.LeftButton)
    assert [request.roots for request in started] == [(Root(folder, Role.SCAN),)]


def test_what_the_settings_say_now_holds_when_the_page_is_entered_again(page: SetupPage, settings: Settings) -> None:
    page.hidden.setChecked(False)
    page.entered()
    assert (page.request().hidden, page.request().archives) == (False, True)
    settings.set(ARCHIVES, False)
    settings.set(LARGEST, 7)
    page.entered()
    assert (page.request().hidden, page.request().archives, page.request().largest) == (True, False, 7_000_000)


def test_files_of_every_kind_are_counted_and_compared_where_that_is_switched_on(
    qtbot: QtBot, page: SetupPage, folder: Path
) -> None:
    (folder / "photo.jpg").write_bytes(b"photo")
    page.add_folders([folder])
    documents = sum(entry.refused is None for entry in Walk(page.request()).entries())
    qtbot.waitUntil(lambda: page.total.text().startswith(f"{documents} documents"))
    QTest.mouseClick(page.every, Qt.MouseButton.LeftButton)
    files = sum(entry.refused is None for entry in Walk(page.request()).entries())
    assert page.request().all_files and files > documents
    qtbot.waitUntil(lambda: page.total.text().startswith(f"{files} files"))


def test_folders_with_nothing_to_compare_cannot_be_scanned_until_files_come(
    qtbot: QtBot, page: SetupPage, tmp_path: Path
) -> None:
    page.add_folders([tmp_path])
    counted(qtbot, page, "0 documents · 0 bytes")
    assert not page.go.isEnabled() and "nothing to compare" in page.about.text()
    (tmp_path / "a.txt").write_bytes(b"x" * 1400)
    QApplication.sendEvent(page, QEvent(QEvent.Type.ActivationChange))
    counted(qtbot, page, "1 document · 1 KB")
    assert page.go.isEnabled()


def test_without_folders_there_is_no_empty_frame(page: SetupPage) -> None:
    assert not page.folders.isVisibleTo(page)
