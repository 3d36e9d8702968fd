"""The sheet that tells which radius fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme, ThemeMode
from dupfinder.gui.results.calibration import CalibrationSheet
from dupfinder.gui.results.page import ResultsPage
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import PAPERS, WIDEST, scan_result
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import press, put_up, said, texts

FITS = 5  # the distance of the furthest pair of tests.gui.scanned


@pytest.fixture
def session(tmp_path: Path) -> ReviewSession:
    return session_in(tmp_path / "papers")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, session: ReviewSession) -> ResultsPage:
    return put_up(page_on(session, theme), qtbot)


def opened(qtbot: QtBot, page: ResultsPage) -> CalibrationSheet:
    """The sheet of a page, with what was found."""
    page.sheets.calibrate()
    (sheet,) = page.window().findChildren(CalibrationSheet)
    qtbot.waitUntil(lambda: sheet.json() != "")
    return sheet


def test_the_sheet_names_the_radius_that_fits_and_uses_it(qtbot: QtBot, page: ResultsPage) -> None:
    sheet = opened(qtbot, page)
    assert sheet.chart.value() == FITS != page.session.demand.radius
    qtbot.waitUntil(lambda: f"radius of {FITS} fits" in said(sheet))
    press(sheet, f"Use radius {FITS}")
    assert page.session.demand.radius == FITS
    assert not sheet.isVisible()


def test_the_arrow_keys_look_at_each_radius(qtbot: QtBot, page: ResultsPage) -> None:
    sheet = opened(qtbot, page)
    assert sheet.chart.hasFocus()
    QTest.keyClick(sheet.chart, Qt.Key.Key_Right)
    assert sheet.chart.value() == FITS + 1
    assert sheet.chart.accessibleDescription() == sheet.chart.tip(FITS + 1)
    QTest.keyClick(sheet.chart, Qt.Key.Key_Home)
    assert sheet.chart.tip(0) in texts(sheet)
    sheet.reject()


def test_the_table_says_what_the_chart_draws(qtbot: QtBot, page: ResultsPage) -> None:
    sheet = opened(qtbot, page)
    model = sheet.table.model()
    assert model.rowCount() == WIDEST + 1
    row = [model.index(FITS, column).data() for column in range(model.columnCount())]
    assert row == [str(FITS), "2", "0", "66 %", "100 %", "100 %"]
    assert model.index(page.session.demand.radius, 0).data() == f"{page.session.demand.radius} (in use)"
    assert model.index(FITS, 3).data(Qt.ItemDataRole.AccessibleTextRole) == "Precision: 66 %"
    sheet.table.selectRow(3)
    assert sheet.chart.value() == 3
    sheet.reject()


def test_the_data_are_copied_and_written_as_json(qtbot: QtBot, page: ResultsPage, tmp_path: Path) -> None:
    sheet = opened(qtbot, page)
    press(sheet, "Copy as JSON")
    copied = json.loads(QGuiApplication.clipboard().text())
    assert (copied["fitting_radius"], copied["verified_pairs"]) == (FITS, 4)
    with qtbot.waitSignal(sheet.written):
        sheet.write_to(str(tmp_path / "radius.json"))
    assert json.loads((tmp_path / "radius.json").read_text(encoding="utf-8")) == copied


def test_the_data_never_take_the_place_of_a_document(qtbot: QtBot, page: ResultsPage, tmp_path: Path) -> None:
    sheet = opened(qtbot, page)
    victim = tmp_path / "papers" / "alone" / "Lonely.txt"
    before = victim.read_bytes()
    with qtbot.waitSignal(sheet.failed):
        sheet.write_to(str(victim))
    assert victim.read_bytes() == before
    message = QApplication.activeModalWidget()
    assert type(message) is Sheet
    message.accept()


def test_a_scan_without_alike_pairs_says_so(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    page = put_up(page_on(ReviewSession(scan_result(tmp_path / "papers", PAPERS[-1:], ())), theme), qtbot)
    sheet = opened(qtbot, page)
    qtbot.waitUntil(lambda: "no radius fits better" in said(sheet))
    theme.set_mode(ThemeMode.DARK)
    assert not sheet.chart.grab().isNull()
    sheet.reject()
