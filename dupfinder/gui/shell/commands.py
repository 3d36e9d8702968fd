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

    slot: name of the method of the shown page, or of the window; also the name of its action.
    keys: shortcuts; a StandardKey means the keys of the platform.
    single_keys: shortcuts of one key, which work only while no text field has the focus.
    """

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
    Command(N_("New scan"), "new_scan", ("Ctrl+N",)),
    Command(N_("Open a scan"), "open_scan", ("Ctrl+O",)),
    Command(N_("Start scan"), "start_scan", ("Ctrl+Return", "Ctrl+Enter")),
    Command(N_("Pause or resume"), "pause_or_resume", ("Ctrl+Shift+P",)),
    Command(N_("Search"), "search", ("Ctrl+F",), ("/",)),
    Command(N_("Find what is like a document"), "find_similar", ("Ctrl+Shift+F",)),
    Command(N_("Find what is like the copied text or file"), "find_pasted", (Standard.Paste,)),
    Command(N_("Next group"), "next_group", ("Alt+Down",)),
    Command(N_("Previous group"), "previous_group", ("Alt+Up",)),
    Command(N_("Hide or show the list"), "toggle_list", ("F9",)),
    Command(N_("Mark for removal"), "toggle_remove", (), ("Space", "R")),
    Command(N_("Choose the whole group"), "select_all", (Standard.SelectAll,)),
    Command(N_("Mark all that is shown"), "mark_shown", ("Ctrl+Shift+M",)),
    Command(N_("Keep"), "keep", (), ("K",)),
    Command(N_("Keep this, remove the rest"), "keep_this", (), ("Shift+K",)),
    Command(N_("Undecided"), "undecide", (), ("U",)),
    Command(N_("Review pair by pair"), "review_pairs", ("Ctrl+Shift+R",)),
    Command(N_("Compare with the kept copy"), "compare", (), ("Return", "C")),
    Command(N_("Next difference"), "next_difference", ("F8",), ("N",)),
    Command(N_("Previous difference"), "previous_difference", ("Shift+F8",), ("Shift+N",)),
    Command(N_("Swap sides"), "swap_sides", (), ("X",)),
    Command(N_("Show less similar ones too"), "looser", (), ("]",)),
    Command(N_("Show more similar ones only"), "stricter", (), ("[",)),
    Command(N_("Find the fitting radius"), "calibrate", ("Ctrl+K",)),
    Command(N_("Select automatically"), "select_automatically", ("Ctrl+Shift+A",)),
    Command(N_("Not duplicates"), "not_duplicates", ("Ctrl+I",)),
    Command(N_("Mark reviewed and go on"), "mark_reviewed", ("Ctrl+D",)),
    Command(N_("Open document"), "open_document", ("Ctrl+Shift+O",)),
    Command(N_("Show in its folder"), "reveal", ("Ctrl+R",)),
    Command(N_("Copy path"), "copy_path", ("Ctrl+Shift+C",)),
    Command(N_("Properties"), "properties", ("Alt+Return",)),
    Command(N_("Review removal"), "review_removal", ("Ctrl+Del",)),
    Command(N_("Undo"), "undo", (Standard.Undo,)),
    Command(N_("Redo"), "redo", (Standard.Redo,)),
    Command(N_("Export"), "export", ("Ctrl+E",)),
    Command(N_("Files that were not read"), "show_unread", ("Ctrl+L",)),
    Command(N_("History"), "show_history", ("Ctrl+H",)),
    Command(N_("Settings"), "show_settings", ("Ctrl+,",)),
    Command(N_("Help and shortcuts"), "show_help", ("F1",), ("?",)),
    Command(N_("Back"), "go_back", ("Alt+Left",)),
    Command(N_("Back to the start page"), "go_home", ("Alt+Home",)),
    Command(N_("Next part of the window"), "next_region", ("F6",)),
    Command(N_("Previous part of the window"), "previous_region", ("Shift+F6",)),
    Command(N_("Quit"), "quit_program", ("Ctrl+Q",)),
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
            self._add(window, command, command.sequences()).setObjectName(command.slot)
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
