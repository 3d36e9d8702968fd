"""Every command of the window, declared once: label, keys and method; their actions, and the sheet that lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from dupfinder import __version__
from dupfinder.gui.kit.labels import badge, label
from dupfinder.gui.kit.layout import grid
from dupfinder.gui.kit.page import bare_area
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import N_, say

Standard = QKeySequence.StandardKey

_TAKES_LETTERS: Final = (QLineEdit, QAbstractSpinBox, QComboBox, QTextEdit, QPlainTextEdit)
AROUND: Final = 260  # px of the window's height for the rest of the sheet


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    keys:  shortcuts; a StandardKey means the keys of the platform.
    slot:  name of the method of the shown page, or of the window.
    single_keys: shortcuts of one key, which work only while no text field has the focus.
    """

    id: str
    label: str
    slot: str
    keys: tuple[str | Standard, ...] = ()
    single_keys: tuple[str, ...] = ()

    def sequences(self) -> list[QKeySequence]:
        """Return the shortcuts of this platform."""
        sequences: list[QKeySequence] = []
        for key in self.keys:
            bindings = QKeySequence.keyBindings(key)[:1] if isinstance(key, Standard) else [QKeySequence(key)]
            sequences += [sequence for sequence in bindings if not sequence.isEmpty() and sequence not in sequences]
        return sequences

    def single_sequences(self) -> list[QKeySequence]:
        """Return the single keys for shortcuts; Space and Enter are handled by the widget with the focus."""
        return [QKeySequence(key) for key in self.single_keys if key not in ("Space", "Return")]


COMMANDS: Final = (
    Command("new_scan", N_("New scan"), "new_scan", ("Ctrl+N",)),
    Command("open_scan", N_("Open a scan"), "open_scan", ("Ctrl+O",)),
    Command("start", N_("Start scan"), "start_scan", ("Ctrl+Return", "Ctrl+Enter")),
    Command("pause", N_("Pause or resume"), "pause_or_resume", ("Ctrl+Shift+P",)),
    Command("search", N_("Search"), "search", ("Ctrl+F",), ("/",)),
    Command("find_similar", N_("Find what is like a document"), "find_similar", ("Ctrl+Shift+F",)),
    Command("find_pasted", N_("Find what is like the copied text or file"), "find_pasted", (Standard.Paste,)),
    Command("next_group", N_("Next group"), "next_group", ("Alt+Down",)),
    Command("previous_group", N_("Previous group"), "previous_group", ("Alt+Up",)),
    Command("list", N_("Hide or show the list"), "toggle_list", ("F9",)),
    Command("remove", N_("Mark for removal"), "toggle_remove", (), ("Space", "R")),
    Command("select_all", N_("Choose the whole group"), "select_all", (Standard.SelectAll,)),
    Command("mark_shown", N_("Mark all that is shown"), "mark_shown", ("Ctrl+Shift+M",)),
    Command("keep", N_("Keep"), "keep", (), ("K",)),
    Command("keep_this", N_("Keep this, remove the rest"), "keep_this", (), ("Shift+K",)),
    Command("undecided", N_("Undecided"), "undecide", (), ("U",)),
    Command("review_pairs", N_("Review pair by pair"), "review_pairs", ("Ctrl+Shift+R",)),
    Command("compare", N_("Compare with the kept copy"), "compare", (), ("Return", "C")),
    Command("next_difference", N_("Next difference"), "next_difference", ("F8",), ("N",)),
    Command("previous_difference", N_("Previous difference"), "previous_difference", ("Shift+F8",), ("Shift+N",)),
    Command("swap", N_("Swap sides"), "swap_sides", (), ("X",)),
    Command("looser", N_("Show less similar ones too"), "looser", (), ("]",)),
    Command("stricter", N_("Show more similar ones only"), "stricter", (), ("[",)),
    Command("radius", N_("Find the fitting radius"), "calibrate", ("Ctrl+K",)),
    Command("automatic", N_("Select automatically"), "select_automatically", ("Ctrl+Shift+A",)),
    Command("not_duplicates", N_("Not duplicates"), "not_duplicates", ("Ctrl+I",)),
    Command("reviewed", N_("Mark reviewed and go on"), "mark_reviewed", ("Ctrl+D",)),
    Command("open_file", N_("Open document"), "open_document", ("Ctrl+Shift+O",)),
    Command("reveal", N_("Show in its folder"), "reveal", ("Ctrl+R",)),
    Command("copy_path", N_("Copy path"), "copy_path", ("Ctrl+Shift+C",)),
    Command("properties", N_("Properties"), "properties", ("Alt+Return",)),
    Command("review_removal", N_("Review removal"), "review_removal", ("Ctrl+Del",)),
    Command("undo", N_("Undo"), "undo", (Standard.Undo,)),
    Command("redo", N_("Redo"), "redo", (Standard.Redo,)),
    Command("export", N_("Export"), "export", ("Ctrl+E",)),
    Command("unread", N_("Files that were not read"), "show_unread", ("Ctrl+L",)),
    Command("history", N_("History"), "show_history", ("Ctrl+H",)),
    Command("settings", N_("Settings"), "show_settings", ("Ctrl+,",)),
    Command("help", N_("Help and shortcuts"), "show_help", ("F1",), ("?",)),
    Command("back", N_("Back"), "go_back", ("Alt+Left",)),
    Command("home", N_("Back to the start page"), "go_home", ("Alt+Home",)),
    Command("next_region", N_("Next part of the window"), "next_region", ("F6",)),
    Command("previous_region", N_("Previous part of the window"), "previous_region", ("Shift+F6",)),
    Command("quit", N_("Quit"), "quit_program", ("Ctrl+Q",)),
)  # fmt: skip


class CommandActions(QObject):
    """The commands as actions of a window. carry_out: is called with the slot of the command.

    Single keys are inactive while the focused widget takes letters.
    """

    def __init__(self, window: QWidget, carry_out: Callable[[str], None]) -> None:
        super().__init__(window)
        self._carry_out = carry_out
        self._single_keys: list[QAction] = []
        for command in COMMANDS:
            self._add(window, command, command.sequences()).setObjectName(command.id)
            if command.single_sequences():
                self._single_keys.append(self._add(window, command, command.single_sequences()))
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_changed)

    def _add(self, window: QWidget, command: Command, keys: list[QKeySequence]) -> QAction:
        action = QAction(say(command.label), window)
        action.setShortcuts(keys)
        action.triggered.connect(lambda: self._carry_out(command.slot))
        window.addAction(action)
        return action

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        for action in self._single_keys:
            action.setEnabled(not isinstance(now, _TAKES_LETTERS))


class HelpSheet(Sheet):
    """Every command with its keys, in two columns."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme, parent, say("Shortcuts"),
            say("Scanning only reads. Nothing changes until you confirm it, and History takes it back."),
            width=940,  # of the smallest window, for languages that name keys at length
        )  # fmt: skip
        content = QWidget()
        cells = grid(16, 7, content)
        cells.setColumnStretch(0, 1)
        cells.setColumnStretch(2, 1)
        listed = [command for command in COMMANDS if command.keys or command.single_keys]
        rows = (len(listed) + 1) // 2
        parts: list[QWidget] = []
        for number, command in enumerate(listed):
            across, down = divmod(number, rows)
            parts += [label(say(command.label)), badge(shortcut_of(command))]
            cells.addWidget(parts[-2], down, across * 2)
            cells.addWidget(parts[-1], down, across * 2 + 1, Qt.AlignmentFlag.AlignLeft)
        area = bare_area(content)
        for part in parts:
            part.ensurePolished()
        height = max(part.sizeHint().height() for part in parts)
        for row in range(rows):
            cells.setRowMinimumHeight(row, height)
        step = height + cells.verticalSpacing()
        seen = max(4, min(rows, (parent.window().height() - AROUND) // step))  # whole rows only
        area.setFixedHeight(seen * step - cells.verticalSpacing())
        self.body.addWidget(area)
        about = say("dupfinder {version} · free software under the MIT licence", version=__version__)
        self.buttons.insertWidget(0, label(about, "small", "secondary"))
        self.end_with_close()


def shortcut_of(command: Command) -> str:
    """Return the keys of a command as this platform writes them."""
    form = QKeySequence.SequenceFormat.NativeText
    keys = [sequence.toString(form) for sequence in command.sequences()]
    keys += [QKeySequence(key).toString(form) for key in command.single_keys]
    return "   ".join(dict.fromkeys(keys))  # different keys may have the same name
