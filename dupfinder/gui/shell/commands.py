"""Every command of the window, declared once: label, keys and method; their actions, and those that a person chose."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from dupfinder.base.paths import data_dir
from dupfinder.gui.kit.buttons import BETWEEN, KEYS, tell_keys
from dupfinder.gui.kit.page import Page
from dupfinder.wording.catalogue import N_, say

Standard = QKeySequence.StandardKey

_TAKES_LETTERS: Final = (QLineEdit, QAbstractSpinBox, QComboBox, QTextEdit, QPlainTextEdit, QKeySequenceEdit)
_OF_WIDGETS: Final = ("Space", "Del", "Return")  # handled by the widget with the focus
OF_REVIEW: Final = "D"  # a key of one page, which is no command
# Keys that move within every page, or act there, unless Ctrl or Alt is pressed too; as portable text.
_MOVES: Final = frozenset((
    "Space", "Return", "Enter", "Tab", "Backtab", "Esc", "Backspace", "Del", "Left", "Right", "Up", "Down", "Home",
    "End", "PgUp", "PgDown",
))  # fmt: skip
_SINGLE: Final = re.compile(r"(?!(?:Shift\+)?F\d+$)(?:Num\+)?(?:Shift\+)?(?:[^+]+|\+)")
FILE: Final = "shortcuts.ini"


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
        """Return the single keys for shortcuts, without those that widgets handle."""
        return [QKeySequence(key) for key in self.single_keys if key not in _OF_WIDGETS]

    def of_widgets(self) -> list[QKeySequence]:
        """Return the keys that the widget with the focus handles."""
        return [QKeySequence(key) for key in self.single_keys if key in _OF_WIDGETS]


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
    Command(N_("Mark for removal"), "toggle_remove", (), ("Space", "Del", "R")),
    Command(N_("Choose the whole group"), "select_all", (Standard.SelectAll,)),
    Command(N_("Mark all that is shown"), "mark_shown", ("Ctrl+Shift+M",)),
    Command(N_("Keep"), "keep", (), ("K",)),
    Command(N_("Keep this, remove the rest"), "keep_this", (), ("Shift+K",)),
    Command(N_("Undecided"), "undecide", (), ("U",)),
    Command(N_("Review pair by pair"), "review_pairs", ("Ctrl+Shift+R",)),
    Command(N_("Compare with the kept copy"), "compare", (), ("Return", "C")),
    Command(N_("Next difference"), "next_difference", ("F8",), ("N",)),
    Command(N_("Previous difference"), "previous_difference", ("Shift+F8",), ("Shift+N",)),
    Command(N_("Find in both texts"), "find_text", ("F3",)),
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
    Command(N_("Files whose text was not compared"), "show_unread", ("Ctrl+L",)),
    Command(N_("History"), "show_history", ("Ctrl+H",)),
    Command(N_("Settings"), "show_settings", ("Ctrl+,",)),
    Command(N_("Help and shortcuts"), "show_help", ("F1",), ("?",)),
    Command(N_("Back"), "go_back", ("Alt+Left",)),
    Command(N_("Back to the start page"), "go_home", ("Alt+Home",)),
    Command(N_("Next part of the window"), "next_region", ("F6",)),
    Command(N_("Previous part of the window"), "previous_region", ("Shift+F6",)),
    Command(N_("Quit"), "quit_program", ("Ctrl+Q",)),
)  # fmt: skip


class Shortcuts:
    """The keys of the commands: as declared, or as the person changed them, which a file of the data folder has."""

    def __init__(self) -> None:
        self._store = QSettings(str(data_dir() / FILE), QSettings.Format.IniFormat)

    def of(self, command: Command) -> list[QKeySequence]:
        """Return the keys of a command that can be changed."""
        if (stored := self._store.value(command.slot)) is None:
            return [*command.sequences(), *command.single_sequences()]
        sequences = (QKeySequence(text, QKeySequence.SequenceFormat.PortableText) for text in str(stored).split("\n"))
        return [sequence for sequence in sequences if not sequence.isEmpty() and sequence.toString()]

    def change(self, command: Command, sequences: Sequence[QKeySequence]) -> None:
        self._store.setValue(command.slot, "\n".join(map(portable, sequences)))
        self._store.sync()

    def reset(self) -> None:
        """Restore the declared keys of all commands."""
        self._store.clear()
        self._store.sync()

    def owner(self, sequence: QKeySequence) -> Command | None:
        """Return the command that has a key; None if it is free."""
        return next((command for command in COMMANDS if sequence in (*self.of(command), *command.of_widgets())), None)

    def text(self, command: Command) -> str:
        """Return the keys of a command as this platform writes them."""
        keys = map(key_text, (*command.of_widgets(), *self.of(command)))
        return BETWEEN.join(dict.fromkeys(keys))  # different keys may have the same name


def key_text(sequence: QKeySequence) -> str:
    """Return a key as this platform writes it."""
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def is_single(sequence: QKeySequence) -> bool:
    """Tell whether a shortcut is a letter or sign, which a text field takes, or a key that moves there."""
    return _SINGLE.fullmatch(portable(sequence)) is not None


def portable(sequence: QKeySequence) -> str:
    """Return a key as it is written in files."""
    return sequence.toString(QKeySequence.SequenceFormat.PortableText)


def moves(sequence: QKeySequence) -> bool:
    """Tell whether widgets need a key, to move the focus, say."""
    return portable(sequence).removeprefix("Num+").removeprefix("Shift+") in _MOVES


class CommandActions(QObject):
    """The commands as actions of a window. carry_out: is called with the slot of the command.

    Single keys are inactive while the focused widget takes letters.
    """

    def __init__(self, window: QWidget, carry_out: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._carry_out = window, carry_out
        self.keys = Shortcuts()
        self._actions = [(command, self._add(window, command), self._add(window, command)) for command in COMMANDS]
        for command, action, _ in self._actions:
            action.setObjectName(command.slot)
        self.apply()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_changed)

    def reset_keys(self) -> None:
        """Restore the declared keys."""
        self.keys.reset()
        self.apply()

    def tell_keys(self, page: Page) -> None:
        """Show the keys in what names them on a page."""
        for holder in filter(None, (page, page.tools())):
            tell_keys(holder)

    def apply(self) -> None:
        """Give the actions their keys, and show them in all of the window that names them."""
        for command, action, single in self._actions:
            sequences = self.keys.of(command)
            action.setShortcuts([sequence for sequence in sequences if not is_single(sequence)])
            single.setShortcuts([sequence for sequence in sequences if is_single(sequence)])
            action.setProperty(KEYS, self.keys.text(command))
        tell_keys(self._window)

    def _add(self, window: QWidget, command: Command) -> QAction:
        action = QAction(say(command.label), window)
        action.triggered.connect(lambda: self._carry_out(command.slot))
        window.addAction(action)
        return action

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        for _, _, single in self._actions:
            single.setEnabled(not isinstance(now, _TAKES_LETTERS))
