from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QScrollArea, QSpinBox
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import (
    ALL,
    DENSITY,
    JOURNAL_DAYS,
    LANGUAGE,
    MIN_SIMILARITY,
    OCR,
    RADIUS,
    SIZE,
    THEME,
    WATCH,
    WEIGHTS,
    Settings,
)
from dupfinder.gui.kit.buttons import SegmentedChoice
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.settings.page import SettingsPage
from dupfinder.text.pdf import ocr
from tests.gui.widgets import open_sheet, press, put_up


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, settings: Settings, home: Path) -> SettingsPage:
    made = put_up(SettingsPage(theme, settings, home / "library.db"), qtbot, 1024, 680)
    made.entered()
    return made


def test_every_setting_of_a_person_has_a_named_control(page: SettingsPage) -> None:
    with_buttons = {WEIGHTS.key}
    assert set(page.controls) == {setting.key for setting in ALL} - with_buttons
    assert all(control.accessibleName() for control in page.controls.values())


def test_page_down_scrolls_before_any_control_has_the_focus(page: SettingsPage) -> None:
    (area,) = page.findChildren(QScrollArea, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert area.verticalScrollBar().maximum() > 0
    QTest.keyClick(page, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0


def test_a_share_can_be_typed_digit_by_digit(page: SettingsPage) -> None:
    least = page.controls[MIN_SIMILARITY.key]
    assert isinstance(least, QSpinBox)
    least.setFocus()
    least.selectAll()
    QTest.keyClicks(least, "85")
    assert QApplication.activeModalWidget() is None, "0.08 is not stored, hence not refused, on the way to 0.85"
    assert page._settings.get(MIN_SIMILARITY) == 0.85


def test_a_change_is_saved_at_once(page: SettingsPage, home: Path) -> None:
    radius, least = page.controls[RADIUS.key], page.controls[MIN_SIMILARITY.key]
    assert isinstance(radius, QSpinBox)
    assert isinstance(least, QSpinBox)
    radius.setValue(5)
    least.setValue(80)
    saved = Settings(home / "settings.json")
    assert (saved.integer(RADIUS), saved.number(MIN_SIMILARITY)) == (5, 0.8)


def test_the_theme_changes_at_once(page: SettingsPage, theme: Theme, settings: Settings) -> None:
    chooser = page.controls[THEME.key]
    assert isinstance(chooser, SegmentedChoice)
    QTest.mouseClick(chooser.part(2), Qt.MouseButton.LeftButton)
    assert theme.dark
    assert settings.get(THEME) == "dark"


def test_compact_rows_are_chosen_at_once_and_reset_with_their_section(
    page: SettingsPage, theme: Theme, settings: Settings
) -> None:
    chooser = page.controls[DENSITY.key]
    assert isinstance(chooser, SegmentedChoice)
    QTest.mouseClick(chooser.part(1), Qt.MouseButton.LeftButton)
    assert theme.is_compact
    assert settings.get(DENSITY) == "compact"
    page._ask_reset("window")
    press(open_sheet(), "Reset")
    assert not theme.is_compact


def test_another_language_is_promised_for_the_next_start(qtbot: QtBot, page: SettingsPage, settings: Settings) -> None:
    chooser = page.controls[LANGUAGE.key]
    assert isinstance(chooser, QComboBox)
    with qtbot.waitSignal(page.toast_wanted) as toast:
        chooser.activated.emit(chooser.findData("zh_CN"))
    assert "next start" in toast.args[0]
    assert settings.get(LANGUAGE) == "zh_CN"


def test_another_size_is_promised_for_the_next_start(qtbot: QtBot, page: SettingsPage, settings: Settings) -> None:
    combo = page.controls["window.size"]
    assert isinstance(combo, QComboBox) and combo.currentText() == "100 %"
    with qtbot.waitSignal(page.toast_wanted) as toast:
        combo.setCurrentIndex(combo.findText("130 %"))
        combo.activated.emit(combo.currentIndex())
    assert toast.args == ["The size changes at the next start.", "", None]
    assert settings.get(SIZE) == "130"


def test_resetting_the_settings_asks_first_and_restores_all_defaults(page: SettingsPage, settings: Settings) -> None:
    settings.set(RADIUS, 2)
    page._ask_reset()
    press(open_sheet(), "Cancel")
    assert settings.integer(RADIUS) == 2
    page._ask_reset()
    press(open_sheet(), "Reset all")
    radius = page.controls[RADIUS.key]
    assert isinstance(radius, QSpinBox)
    assert settings.integer(RADIUS) == radius.value() == RADIUS.default


def test_watching_folders_is_switched_by_its_control_and_by_a_reset(
    page: SettingsPage, qtbot: QtBot, settings: Settings
) -> None:
    with qtbot.waitSignal(page.watching_changed):
        QTest.mouseClick(page.controls[WATCH.key], Qt.MouseButton.LeftButton)
    assert settings.get(WATCH) is True
    with qtbot.waitSignal(page.watching_changed):
        page._reset(ALL)
    assert settings.get(WATCH) is False


def test_one_section_is_reset_and_the_others_stay(page: SettingsPage, settings: Settings) -> None:
    settings.set(RADIUS, 2)
    settings.set(JOURNAL_DAYS, 7)
    (reset,) = (part for part in page.findChildren(QPushButton) if part.accessibleName() == "Reset: Matching")
    reset.click()
    press(open_sheet(), "Reset")
    radius = page.controls[RADIUS.key]
    assert isinstance(radius, QSpinBox)
    assert (settings.integer(RADIUS), radius.value()) == (RADIUS.default, RADIUS.default)
    assert settings.integer(JOURNAL_DAYS) == 7


def test_deleting_scan_data_asks_first_and_touches_no_document(
    qtbot: QtBot, page: SettingsPage, home: Path, tmp_path: Path
) -> None:
    document = tmp_path / "a.txt"
    document.write_text("stays")
    page._ask_clear()
    with qtbot.waitSignal(page.toast_wanted):
        press(open_sheet(), "Delete scan data")
    assert document.read_text() == "stays"


@pytest.mark.parametrize(("missing", "said"), [([], "are recognised"), (["kli"], "no data here for kli")])
def test_languages_of_scanned_pages_are_looked_up(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch,
    missing: list[str], said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(ocr, "is_available", lambda: True)
    monkeypatch.setattr(ocr, "missing_languages", lambda _: missing)
    page = put_up(SettingsPage(theme, settings, home / "library.db"), qtbot)
    field = page.controls[OCR.key]
    assert isinstance(field, QLineEdit) and field.isEnabled()
    field.setText(" eng+kli ")
    with qtbot.waitSignal(page.toast_wanted) as toast:
        field.editingFinished.emit()
    assert said in toast.args[0]
    assert settings.get(OCR) == "eng+kli"


def test_without_tesseract_the_setting_is_grey_and_says_why(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda: False)
    page = SettingsPage(theme, settings, home / "library.db")
    qtbot.addWidget(page)
    field = page.controls[OCR.key]
    assert not field.isEnabled()
    assert "not installed" in field.accessibleDescription()


@pytest.mark.parametrize(("width", "said"), [(1024, True), (1440, False)])
def test_a_screen_without_room_for_the_largest_size_is_told(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch, width: int, said: bool
) -> None:
    monkeypatch.setattr("dupfinder.gui.settings.page.largest_size", lambda _: 100 * width // 1024)
    page = SettingsPage(theme, settings, home / "library.db")
    qtbot.addWidget(page)
    notes = [label.text() for label in page.findChildren(QLabel) if label.text().startswith("This screen")]
    assert notes == (["This screen has room for 100 % at most."] if said else [])
