"""The sheet of shortcuts."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.labels import badge, label
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.shell.commands import COMMANDS, Command

AROUND: Final = 260  # px of the window that the list of keys leaves to the rest of the sheet and its margins


class HelpSheet(Sheet):
    """Every command with its keys, in two columns."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme, parent, self.tr("Shortcuts"),
            self.tr("Scanning only reads. Nothing changes until you confirm it, and History takes it back."),
            width=820,
        )  # fmt: skip
        content = QWidget()
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        listed = [command for command in COMMANDS if command.keys or command.plain]
        rows = (len(listed) + 1) // 2
        parts: list[QWidget] = []
        for number, command in enumerate(listed):
            across, down = divmod(number, rows)
            parts += [label(command.text(), "body"), badge(keys_of(command))]
            grid.addWidget(parts[-2], down, across * 2)
            grid.addWidget(parts[-1], down, across * 2 + 1, Qt.AlignmentFlag.AlignLeft)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(content)
        for part in parts:
            part.ensurePolished()
        height = max(part.sizeHint().height() for part in parts)
        for row in range(rows):
            grid.setRowMinimumHeight(row, height)
        step = height + grid.verticalSpacing()
        seen = max(4, min(rows, (parent.window().height() - AROUND) // step))  # whole rows: none is cut in two
        area.setFixedHeight(seen * step - grid.verticalSpacing())
        content.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        self.body.addWidget(area)
        fine = button(theme, self.tr("Close"), "primary")
        fine.setDefault(True)
        fine.clicked.connect(self.accept)
        self.buttons.addWidget(fine)
        fine.setFocus()
        self.finished.connect(self.deleteLater)


def keys_of(command: Command) -> str:
    """The keys of a command as this platform writes them."""
    form = QKeySequence.SequenceFormat.NativeText
    given = [sequence.toString(form) for sequence in command.sequences()]
    given += [QKeySequence(key).toString(form) for key in command.plain]
    return "   ".join(dict.fromkeys(given))  # two keys may be called the same
