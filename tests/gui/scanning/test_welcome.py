from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.buttons import RowButton
from dupfinder.gui.kit.tasks import RecentScan
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.welcome import WelcomePage
from dupfinder.library.rows import ScanSummary
from tests.gui.widgets import put_up, texts


def recent(number: int, state: str = "done", marked: int = 0, missing: Sequence[Path] = ()) -> RecentScan:
    roots = ((Path("/documents/<b>odd\n</b>"), "scan"),)
    summary = ScanSummary(
        number, f"Scan {number}", roots, datetime(2024, 3, 12, 12, tzinfo=UTC), 1.0, state,
        1213, 1213, 12, 12, 0.7, 0.85, 16, "scheme", 0,
    )  # fmt: skip
    return RecentScan(summary, tuple(missing), marked)


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> WelcomePage:
    return put_up(WelcomePage(theme), qtbot, 1024, 900)


def rows(page: WelcomePage) -> list[RowButton]:
    return [row for row in page.findChildren(RowButton) if row.isVisible()]


def test_with_no_scans_there_is_no_list(page: WelcomePage) -> None:
    page.show_recent([])
    assert "Recent scans" not in texts(page)
    assert "Drop folders here to find duplicate documents" in texts(page)


def test_each_scan_tells_its_counts_and_state(page: WelcomePage) -> None:
    page.show_recent([recent(1), recent(2, marked=318), recent(3, "unfinished")])
    said = texts(page)
    assert {"1,213 documents", "12 groups found", "12 Mar 2024", "Done", "318 marked", "Unfinished"} <= set(said)
    assert "/documents/<b>odd\\n</b>" in said  # neither markup nor a line end of a name has any effect
    assert "318 marked" in rows(page)[1].accessibleName()


def test_of_unfinished_scans_the_newest_is_the_one_that_runs(qtbot: QtBot, theme: Theme) -> None:
    page = put_up(WelcomePage(theme, lambda: True), qtbot)
    page.show_recent([recent(1), recent(2, "unfinished"), recent(3, "unfinished")])
    assert [row.accessibleName().rpartition(", ")[2] for row in rows(page)] == ["Done", "Scanning…", "Unfinished"]


def test_a_scan_that_found_nothing_but_forms_says_so_in_place_of_no_groups(page: WelcomePage) -> None:
    entry = recent(1)
    page.show_recent([replace(entry, summary=replace(entry.summary, clusters=0), only_forms=True)])
    assert "Filled-in forms found" in texts(page) and "0 groups found" not in texts(page)


def test_enter_and_click_open_a_scan(qtbot: QtBot, page: WelcomePage) -> None:
    page.show_recent([recent(1), recent(2)])
    opened: list[RecentScan] = []
    page.scan_chosen.connect(opened.append)
    first, second = rows(page)
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Return)
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert [entry.summary.id for entry in opened] == [1, 2]


def test_a_scan_whose_folder_is_gone_says_so_and_cannot_be_opened(page: WelcomePage) -> None:
    page.show_recent([recent(1, missing=[Path("/documents")])])
    assert not rows(page)[0].isEnabled()
    assert "Folder not found — reconnect the drive or choose it again" in texts(page)


def test_a_long_list_is_shown_when_it_is_asked_for(qtbot: QtBot, page: WelcomePage) -> None:
    page.show_recent([recent(number) for number in range(9)])
    assert len(rows(page)) == 4
    QTest.mouseClick(page._more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(rows(page)) == 9)
    assert page.focusWidget() is rows(page)[4]  # the button that was pressed is gone
    page.choose_recent()
    assert rows(page)[0].hasFocus()


def test_the_list_has_the_focus_as_soon_as_it_is_there_and_keeps_it_when_it_is_read_again(
    qtbot: QtBot, page: WelcomePage
) -> None:
    page.choose_recent()
    page.show_recent([recent(1), recent(2)])
    qtbot.waitUntil(lambda: len(rows(page)) == 2 and rows(page)[0].hasFocus())
    rows(page)[1].setFocus()
    page.show_recent([recent(1), recent(2)])
    qtbot.waitUntil(lambda: len(rows(page)) == 2 and rows(page)[1].hasFocus())
