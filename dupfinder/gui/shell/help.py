"""The sheets on the window itself: help, and the keys of all commands, which a person can change."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QScrollArea, QStackedWidget, QWidget

from dupfinder import __version__
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import SegmentedChoice, button
from dupfinder.gui.kit.labels import badge, label
from dupfinder.gui.kit.layout import Space, Stretch, add, down, grid
from dupfinder.gui.kit.messages import announce
from dupfinder.gui.kit.page import bare_area
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.shell.commands import (
    COMMANDS,
    OF_REVIEW,
    Command,
    CommandActions,
    Shortcuts,
    key_text,
    moves,
    portable,
)
from dupfinder.wording.catalogue import N_, say
from dupfinder.wording.relations import relation_meaning, relation_name

BESIDE: Final = 60  # px beside the commands: margins and scroll bar
AROUND: Final = 260  # px of the window's height for the rest of a sheet
CHOICE: Final = 50  # px for the choice between answers and keys
_RELATIONS: Final = (
    Relation.IDENTICAL, Relation.SAME_TEXT, Relation.SAME_WORDS, Relation.VERSION, Relation.PART, Relation.SAME_FORM,
)  # fmt: skip
# What people ask first. {trash}: its name on this system. {keys}: of the command that lists the files.
_ANSWERS: Final = (
    (
        N_("What is a group?"),
        N_(
            "Documents whose texts are the same or nearly so. One of them is the kept copy: dupfinder proposes it, and "
            "you may choose another. Nothing is removed until you have marked it and confirmed."
        ),
    ),
    (
        N_("How similar must documents be?"),
        N_("You set it with the Similarity slider, at any time: the groups follow at once, and nothing is read again."),
    ),
    (
        N_("What happens to a document that I remove?"),
        N_(
            "It is checked once more, and stays if it has changed. Then it goes to the {trash}, unless you choose "
            "another way. History takes it back, today or next month."
        ),
    ),
    (
        N_("Can the last copy be lost?"),
        N_(
            "No. A document is removed only if its kept copy is still there. Protected folders are compared, and never "
            "touched."
        ),
    ),
    (
        N_("Why is a document in no group?"),
        N_(
            "Nothing is similar enough to it, or its text was not compared: {keys} lists such files, with the reason. "
            "Translations, and texts retold in other words, are not found."
        ),
    ),
    (
        N_("What is stored of my documents?"),
        N_(
            "Their places, titles and authors, and numbers computed from their words, in a folder that only you can "
            "read; never their text. Nothing is sent over the network."
        ),
    ),
)


class HelpSheet(Sheet):
    """Show answers to what people ask first, what the relations mean, and every command with its keys.

    `change_wanted` is emitted when the person wants other keys.
    """

    change_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, keys: Shortcuts | None = None) -> None:
        super().__init__(
            theme, parent, say("Help"),
            say("Scanning only reads. Nothing changes until you confirm it, and History takes it back."),
            width=940,  # of the smallest window, for languages that name keys at length
        )  # fmt: skip
        self._keys = keys or Shortcuts()
        self.parts = QStackedWidget()
        self.choice = SegmentedChoice((say("Questions"), say("Keys")), say("Help"))
        self.choice.chosen.connect(self.parts.setCurrentIndex)
        of_keys = self._key_list(parent.window())
        for area, name in ((self._answers(), say("Questions")), (of_keys, say("Keys"))):
            area.setAccessibleName(name)
            self.parts.addWidget(area)
        self.parts.setFixedHeight(of_keys.height())
        add(self.body, self.choice, self.parts)
        about = say("dupfinder {version} · free software under the MIT licence", version=__version__)
        self.buttons.insertWidget(0, label(about, "small", "secondary"))
        self.end_with_close(button(theme, say("Change keys…"), act=self._change))

    def _answers(self) -> QScrollArea:
        """Return the questions with their answers; below the first, what documents may be to the kept copy."""
        (unread,) = (command for command in COMMANDS if command.slot == "show_unread")
        lists_unread = self._keys.text(unread) or say(unread.label)
        content = QWidget()
        column = down(spacing=4, margins=(0, 0, 12, 0), into=content)
        for number, (question, answer) in enumerate(_ANSWERS):
            text = say(answer, trash=words.trash_name(), keys=lists_unread)
            add(column, label(say(question), "strong", wrap=True), label(text, wrap=True))
            if number == 0:
                add(column, Space(2), self._relations())
            add(column, Space(8))
        add(column, Stretch())
        return bare_area(content)

    def _relations(self) -> QWidget:
        """Return the names of the relations with their meanings."""
        content = QWidget()
        cells = grid(12, 4, content)
        cells.setColumnStretch(1, 1)
        for row, relation in enumerate(_RELATIONS):
            cells.addWidget(badge(relation_name(relation)), row, 0, Qt.AlignmentFlag.AlignTop)
            cells.addWidget(label(relation_meaning(relation), wrap=True), row, 1)
        return content

    def _key_list(self, window: QWidget) -> QScrollArea:
        """Return the commands with their keys, in an area as high as whole rows that the window has room for."""
        content = QWidget()
        cells = grid(16, 7, content)
        cells.setColumnStretch(0, 1)
        cells.setColumnStretch(2, 1)
        texts = [(label(say(command.label)), badge(text)) for command in COMMANDS if (text := self._keys.text(command))]
        parts = list(itertools.chain(*texts))
        for part in parts:
            part.ensurePolished()
        for columns in (2, 1):  # in languages that name keys at length, a narrow window has room for one
            rows = -(-len(texts) // columns)
            for number, (name, keys_badge) in enumerate(texts):
                across, down = divmod(number, rows)
                cells.addWidget(name, down, across * 2)
                cells.addWidget(keys_badge, down, across * 2 + 1, Qt.AlignmentFlag.AlignLeft)
            if content.minimumSizeHint().width() <= min(self.card.maximumWidth(), window.width() - 48) - BESIDE:
                break
        area = bare_area(content)
        height = max(part.sizeHint().height() for part in parts)
        for row in range(rows):
            cells.setRowMinimumHeight(row, height)
        step = height + cells.verticalSpacing()
        seen = max(4, min(rows, (window.height() - AROUND - CHOICE) // step))  # whole rows only
        area.setFixedHeight(seen * step - cells.verticalSpacing())
        return area

    def _change(self) -> None:
        self.accept()
        self.change_wanted.emit()


class KeyField(QKeySequenceEdit):
    """Take the keys that are pressed. Backspace and Delete empty the field; other keys that move leave it as it is."""

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
    """Show every command with fields for its keys. A change holds at once: `changed` is emitted after it."""

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
        elif moves(sequence) or portable(sequence) == OF_REVIEW:
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


def open_help(theme: Theme, window: QWidget, commands: CommandActions) -> None:
    """Show the help over the window."""
    sheet = HelpSheet(theme, window, commands.keys)
    sheet.change_wanted.connect(partial(open_keys, theme, window, commands))
    sheet.open()


def open_keys(theme: Theme, window: QWidget, commands: CommandActions) -> None:
    """Show the sheet in which keys are changed over the window."""
    sheet = ShortcutsSheet(theme, window, commands.keys)
    sheet.changed.connect(commands.apply)
    sheet.open()
