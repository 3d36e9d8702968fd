from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import Settings
from dupfinder.gui.kit.buttons import icon_button
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.groups import group_menu
from dupfinder.gui.results.members_table import add_decisions
from dupfinder.gui.shell.commands import COMMANDS, Command, Shortcuts, is_single
from dupfinder.gui.shell.help import ShortcutsSheet
from dupfinder.gui.shell.main_window import MainWindow
from dupfinder.library.decisions import Decision
from tests.gui.widgets import open_sheet, press, put_up, said

BY_SLOT = {command.slot: command for command in COMMANDS}
CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


def shortcuts() -> Iterator[tuple[str, Command]]:
    """Yield every key with its command, as portable text; single keys as well."""
    for command in COMMANDS:
        for sequence in (*command.sequences(), *map(QKeySequence, command.single_keys)):
            yield sequence.toString(QKeySequence.SequenceFormat.PortableText), command


def test_no_two_commands_share_a_key(qapp: object) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for key, command in shortcuts():
        owners[key].add(command.slot)
    assert {key: ids for key, ids in owners.items() if len(ids) > 1} == {}


def test_every_command_has_a_label_and_a_slot_of_its_own() -> None:
    assert len({command.slot for command in COMMANDS}) == len(COMMANDS)
    assert all(command.label[0].isupper() for command in COMMANDS)


def test_every_key_is_one_that_qt_understands(qapp: object) -> None:
    keys = Shortcuts()
    assert all(key for key, _ in shortcuts())
    assert all(keys.text(command).strip() for command in COMMANDS)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, settings: Settings, home: Path) -> Iterator[MainWindow]:
    window = put_up(MainWindow(theme, settings, home / "library.db"), qtbot)
    window.activateWindow()
    yield window
    window.close()


@pytest.fixture
def sheet(window: MainWindow, qtbot: QtBot) -> ShortcutsSheet:
    window.show_help()
    press(open_sheet(), "Change keys…")
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), ShortcutsSheet))
    sheet = open_sheet(ShortcutsSheet)
    return sheet


def type_in(
    sheet: ShortcutsSheet, slot: str, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE, field: int = 0
) -> None:
    sheet.fields[slot][field].setFocus()
    QTest.keyClick(sheet.fields[slot][field], key, modifier)


def test_other_keys_hold_at_once_and_at_the_next_start(window: MainWindow, sheet: ShortcutsSheet, qtbot: QtBot) -> None:
    type_in(sheet, "show_history", Qt.Key.Key_J, CTRL)
    qtbot.waitUntil(lambda: window.commands.keys.text(BY_SLOT["show_history"]) == "Ctrl+J")
    assert Shortcuts().text(BY_SLOT["show_history"]) == "Ctrl+J"
    press(sheet, "Close")
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None and window.isActiveWindow())
    QTest.keyClick(window, Qt.Key.Key_H, CTRL)
    assert window.page is window.welcome
    QTest.keyClick(window, Qt.Key.Key_J, CTRL)
    assert window.page.crumb() == "History"


def test_a_key_of_another_command_is_refused_with_its_name(sheet: ShortcutsSheet, qtbot: QtBot) -> None:
    type_in(sheet, "show_history", Qt.Key.Key_N, CTRL)
    qtbot.waitUntil(lambda: "Ctrl+N belongs to “New scan” already." in said(sheet))
    assert sheet.fields["show_history"][0].keySequence() == QKeySequence("Ctrl+H")
    assert Shortcuts().text(BY_SLOT["show_history"]) == "Ctrl+H"


def test_a_key_that_the_window_needs_is_refused_and_keys_that_move_change_nothing(
    sheet: ShortcutsSheet, qtbot: QtBot
) -> None:
    type_in(sheet, "keep", Qt.Key.Key_D)
    qtbot.waitUntil(lambda: "D has a fixed use" in said(sheet))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_PageDown):
        type_in(sheet, "keep", key)
    assert sheet.fields["keep"][0].keySequence() == QKeySequence("K")
    QTest.keyClick(sheet.fields["keep"][0], Qt.Key.Key_Tab)
    assert sheet.fields["keep_this"][0].hasFocus()
    QTest.keyClick(sheet.fields["keep_this"][0], Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_a_field_can_be_emptied_and_all_keys_come_back(sheet: ShortcutsSheet, window: MainWindow) -> None:
    type_in(sheet, "search", Qt.Key.Key_Backspace, field=1)
    assert window.commands.keys.text(BY_SLOT["search"]) == "Ctrl+F"
    type_in(sheet, "toggle_remove", Qt.Key.Key_Backspace)
    assert window.commands.keys.text(BY_SLOT["toggle_remove"]) == "Space   Del", "the list takes these in any case"
    press(sheet, "Reset")
    assert window.commands.keys.text(BY_SLOT["search"]) == "Ctrl+F   /"
    assert sheet.fields["toggle_remove"][0].keySequence() == QKeySequence("R")


def test_a_letter_that_was_chosen_is_typed_in_text_fields_all_the_same(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.keys.change(BY_SLOT["show_history"], [QKeySequence("J")])
    window.commands.apply()
    window.show_settings()
    field = window.settings_page.controls["reading.largest_megabytes"]
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_J)
    assert window.page is window.settings_page
    window.settings_page.setFocus()
    QTest.keyClick(window.settings_page, Qt.Key.Key_J)
    assert window.page.crumb() == "History"


def test_what_was_stored_by_another_hand_does_no_harm(home: Path) -> None:
    (home / "shortcuts.ini").write_text("[General]\nundo=no such key\nredo=@Invalid()\nkeep=\n")
    keys = Shortcuts()
    assert [keys.of(BY_SLOT[slot]) for slot in ("undo", "keep")] == [[], []]
    assert keys.text(BY_SLOT["search"]) == "Ctrl+F   /"


def test_what_a_text_field_takes_is_told_from_what_acts_everywhere(qapp: object) -> None:
    singles, others = ("R", "/", "?", "+", "Shift+K", "]", "Space", "Num+5"), ("F8", "Shift+F8", "Ctrl+F", "Alt++")
    assert [key for key in (*singles, *others) if is_single(QKeySequence(key))] == list(singles)


def test_menus_and_tool_tips_name_the_present_keys(qtbot: QtBot, window: MainWindow) -> None:
    table = QTableView(window)
    menu = QMenu(table)
    window.commands.keys.change(BY_SLOT["toggle_remove"], [QKeySequence("X")])
    window.commands.keys.change(BY_SLOT["keep"], [])
    window.commands.apply()
    add_decisions(menu, Decision.UNDECIDED, lambda _: None)
    assert [act.text() for act in menu.actions()] == ["Keep", "Remove\tX", "Undecided\tU"]
    detail: Any = SimpleNamespace(mark_reviewed=print, not_duplicates=print)
    group = group_menu(detail, print, table)
    assert [act.text().split("\t")[1:] for act in group.actions()] == [[], ["Ctrl+D"], ["Ctrl+I"]]
    following = icon_button(window._theme, "down", "Next difference", command="next_difference")
    following.setParent(window)
    window.commands.apply()
    assert following.toolTip() == "Next difference (F8, N)"
