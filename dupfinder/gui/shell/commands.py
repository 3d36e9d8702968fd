"""Every command of the window, declared once: label, keys and method; their actions, and the sheets of their keys."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
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

from dupfinder import __version__
from dupfinder.base.paths import data_dir
from dupfinder.gui.kit.buttons import BETWEEN, KEYS, button, tell_keys
from dupfinder.gui.kit.labels import badge, label
from dupfinder.gui.kit.layout import grid
from dupfinder.gui.kit.messages import announce
from dupfinder.gui.kit.page import Page, bare_area
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import N_, say

Standard = QKeySequence.StandardKey

_TAKES_LETTERS: Final = (QLineEdit, QAbstractSpinBox, QComboBox, QTextEdit, QPlainTextEdit, QKeySequenceEdit)
_OF_WIDGETS: Final = ("Space", "Del", "Return")  # handled by the widget with the focus
_OF_REVIEW: Final = "D"  # a key of one page, which is no command
# Keys that move within every page, or act there, unless Ctrl or Alt is pressed too; as portable text.
_MOVES: Final = frozenset((
    "Space", "Return", "Enter", "Tab", "Backtab", "Esc", "Backspace", "Del", "Left", "Right", "Up", "Down", "Home",
    "End", "PgUp", "PgDown",
))  # fmt: skip
_SINGLE: Final = re.compile(r"(?!(?:Shift\+)?F\d+$)(?:Num\+)?(?:Shift\+)?(?:[^+]+|\+)")
FILE: Final = "shortcuts.ini"
BESIDE: Final = 60  # px beside the commands: margins and scroll bar
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

    def __init__(self, window: QWidget, carry_out: Callable[[str], None], theme: Theme) -> None:
        super().__init__(window)
        self._window, self._carry_out, self._theme = window, carry_out, theme
        self.keys = Shortcuts()
        self._actions = [(command, self._add(window, command), self._add(window, command)) for command in COMMANDS]
        for command, action, _ in self._actions:
            action.setObjectName(command.slot)
        self.apply()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_changed)

    def show_help(self) -> None:
        sheet = HelpSheet(self._theme, self._window, self.keys)
        sheet.change_wanted.connect(self.change_keys)
        sheet.open()

    def change_keys(self) -> None:
        sheet = ShortcutsSheet(self._theme, self._window, self.keys)
        sheet.changed.connect(self.apply)
        sheet.open()

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


class HelpSheet(Sheet):
    """Every command with its keys. `change_wanted` is emitted when the person wants other keys."""

    change_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, keys: Shortcuts | None = None) -> None:
        super().__init__(
            theme, parent, say("Shortcuts"),
            say("Scanning only reads. Nothing changes until you confirm it, and History takes it back."),
            width=940,  # of the smallest window, for languages that name keys at length
        )  # fmt: skip
        keys = keys or Shortcuts()
        content = QWidget()
        cells = grid(16, 7, content)
        cells.setColumnStretch(0, 1)
        cells.setColumnStretch(2, 1)
        texts = [(label(say(command.label)), badge(text)) for command in COMMANDS if (text := keys.text(command))]
        parts = list(itertools.chain(*texts))
        for part in parts:
            part.ensurePolished()
        for columns in (2, 1):  # in languages that name keys at length, a narrow window has room for one
            rows = -(-len(texts) // columns)
            for number, (name, keys_badge) in enumerate(texts):
                across, down = divmod(number, rows)
                cells.addWidget(name, down, across * 2)
                cells.addWidget(keys_badge, down, across * 2 + 1, Qt.AlignmentFlag.AlignLeft)
            if (
                content.minimumSizeHint().width()
                <= min(self.card.maximumWidth(), parent.window().width() - 48) - BESIDE
            ):
                break
        area = bare_area(content)
        height = max(part.sizeHint().height() for part in parts)
        for row in range(rows):
            cells.setRowMinimumHeight(row, height)
        step = height + cells.verticalSpacing()
        seen = max(4, min(rows, (parent.window().height() - AROUND) // step))  # whole rows only
        area.setFixedHeight(seen * step - cells.verticalSpacing())
        self.body.addWidget(area)
        about = say("dupfinder {version} · free software under the MIT licence", version=__version__)
        self.buttons.insertWidget(0, label(about, "small", "secondary"))
        self.end_with_close(button(theme, say("Change keys…"), act=self._change))

    def _change(self) -> None:
        self.accept()
        self.change_wanted.emit()


class KeyField(QKeySequenceEdit):
    """Takes the keys that are pressed in it. Backspace and Delete empty it; other keys that move leave it as it is."""

    def __init__(self, sequence: QKeySequence, name: str) -> None:
        super().__init__(sequence)
        self.valid = sequence
        self.setMaximumSequenceLength(1)
        self.setAccessibleName(name)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _moves(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _moves(event):
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.clear()
            self.editingFinished.emit()
        else:
            event.ignore()


def _moves(event: QKeyEvent) -> bool:
    return moves(QKeySequence(event.keyCombination()))


class ShortcutsSheet(Sheet):
    """Every command with fields for its keys. A change holds at once: `changed` is emitted after it."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget, keys: Shortcuts) -> None:
        super().__init__(
            theme, parent, say("Change keys"),
            say("Choose a field and press the new keys. Backspace empties a field."), width=780,
        )  # fmt: skip
        self._keys = keys
        self.fields: dict[str, list[KeyField]] = {}  # by slot
        content = QWidget()
        cells = grid(12, 6, content)
        cells.setColumnStretch(0, 1)
        for row, command in enumerate(COMMANDS):
            name = label(say(command.label))
            cells.addWidget(name, row, 0)
            fields = self.fields[command.slot] = self._fields(command)
            name.setBuddy(fields[0])
            of_widgets = [badge(key_text(sequence)) for sequence in command.of_widgets()]
            for column, part in enumerate((*of_widgets, *fields), 1):
                cells.addWidget(part, row, column)
        area = bare_area(content)
        area.setMinimumHeight(max(160, parent.window().height() - AROUND - 40))
        self.body.addWidget(area)
        self._message = label("", "medium", "warn", wrap=True)
        self.body.addWidget(self._message)
        self.end_with_close(button(theme, say("Reset"), act=self._reset))

    def _fields(self, command: Command) -> list[KeyField]:
        sequences = self._keys.of(command)
        count = max(1, len(sequences), len(command.sequences()) + len(command.single_sequences()))
        fields = [KeyField(QKeySequence(), say(command.label)) for _ in range(count)]
        for field in fields:
            field.setFixedWidth(self._theme.px(170))
            field.editingFinished.connect(partial(self._finished, command, field))
        self._fill(fields, sequences)
        return fields

    def _fill(self, fields: Sequence[KeyField], sequences: Sequence[QKeySequence]) -> None:
        for field, sequence in zip(fields, (*sequences, *[QKeySequence()] * len(fields)), strict=False):
            field.valid = sequence
            field.setKeySequence(sequence)

    def _finished(self, command: Command, field: KeyField) -> None:
        """Use the keys that were typed into a field. If they are taken, tell why, and put the former keys back."""
        sequence = field.keySequence()
        if sequence == field.valid:
            return
        owner = self._keys.owner(sequence) if not sequence.isEmpty() else None
        refusal = ""
        if owner is not None:
            refusal = say("{key} belongs to “{command}” already.", key=key_text(sequence), command=say(owner.label))
        elif moves(sequence) or portable(sequence) == _OF_REVIEW:
            refusal = say("{key} has a fixed use in the window.", key=key_text(sequence))
        if refusal:
            field.setKeySequence(field.valid)
            announce(self, refusal)
        else:
            field.valid = sequence
            fields = self.fields[command.slot]
            self._keys.change(command, [part.valid for part in fields if not part.valid.isEmpty()])
            self.changed.emit()
        self._message.setText(refusal)

    def _reset(self) -> None:
        self._keys.reset()
        for command in COMMANDS:
            self._fill(self.fields[command.slot], self._keys.of(command))
        self._message.setText("")
        self.changed.emit()
