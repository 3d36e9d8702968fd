"""The rules in their order: each can be switched off, and moved by dragging or by Alt+Up and Alt+Down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.gui.kit.buttons import Switch, leave_wheel
from dupfinder.gui.kit.cards import Icon
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import label, set_look
from dupfinder.review.rules import Rule, RuleKind

ICONS: Final = {
    RuleKind.IN_FOLDER: "folder", RuleKind.RICHER: "document", RuleKind.PLAIN_NAME: "copy",
    RuleKind.NEWEST: "history", RuleKind.OLDEST: "history", RuleKind.LARGEST: "document",
    RuleKind.SMALLEST: "document", RuleKind.MOST_TEXT: "document", RuleKind.SHORTEST_PATH: "right",
    RuleKind.LONGEST_PATH: "right",
}  # fmt: skip
# The rules that are on initially, in this order; the others follow, off.
USUAL: Final = (RuleKind.IN_FOLDER, RuleKind.RICHER, RuleKind.NEWEST, RuleKind.SHORTEST_PATH)


def rule_words(kind: RuleKind) -> tuple[str, str]:
    """Return (what the rule prefers, an explanation)."""
    translate = QCoreApplication.translate
    return {
        RuleKind.IN_FOLDER: (translate("Rules", "Prefer copies in"), ""),
        RuleKind.RICHER: (translate("Rules", "Prefer the richer format"), translate("Rules", "DOCX before PDF")),
        RuleKind.PLAIN_NAME: (translate("Rules", "Prefer a plain name"), translate("Rules", "not “Copy of” or “(1)”")),
        RuleKind.NEWEST: (translate("Rules", "Prefer the newest"), translate("Rules", "by date changed")),
        RuleKind.OLDEST: (translate("Rules", "Prefer the oldest"), translate("Rules", "by date changed")),
        RuleKind.LARGEST: (translate("Rules", "Prefer the largest file"), ""),
        RuleKind.SMALLEST: (translate("Rules", "Prefer the smallest file"), ""),
        RuleKind.MOST_TEXT: (translate("Rules", "Prefer the most text"), translate("Rules", "by words")),
        RuleKind.SHORTEST_PATH: (translate("Rules", "Prefer the shortest path"), ""),
        RuleKind.LONGEST_PATH: (translate("Rules", "Prefer the longest path"), ""),
    }[kind]  # fmt: skip


class Grip(QWidget):
    """A handle of six dots for dragging."""

    dragged = Signal(float)

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing
        self.setFixedSize(16, 24)
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for across in (5, 11):
            for down in (6, 12, 18):
                dot = QRectF(QPointF(across - 1.5, down - 1.5), QPointF(across + 1.5, down + 1.5))
                self._drawing.shape(painter, dot, "tertiary", 1.5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.dragged.emit(event.globalPosition().y())


SHORTEST_FOLDER: Final = 12  # letters of a folder that are always visible


class RuleRow(QFrame):
    """One rule. Alt+Up and Alt+Down move it; Space switches it on or off."""

    changed = Signal()
    move_wanted = Signal(object, int)  # the row, how far
    dragged = Signal(object, float)  # the row, y on the screen

    def __init__(self, drawing: Drawing, kind: RuleKind, folders: Sequence[Path], *, on: bool) -> None:
        super().__init__()
        self.kind = kind
        set_look(self, look="card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        title, more = rule_words(kind)
        self.setAccessibleName(title)
        self._number = label("", "strong", "secondary")
        self._number.setFixedWidth(18)
        self._icon = Icon(drawing.theme, ICONS[kind], "accent", 16)
        self._title = label(title, "strong")
        self.switch = Switch(drawing.theme, title, checked=on)
        self.switch.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.switch.toggled.connect(self.changed)
        self._folder = QComboBox()
        self._folder.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._folder.setMinimumContentsLength(SHORTEST_FOLDER)  # a long path must not widen the sheet
        leave_wheel(self._folder)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(10)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self._title)
        if kind is RuleKind.IN_FOLDER:
            for folder in folders:
                self._folder.addItem(shown(folder), folder)
            self._folder.setAccessibleName(title)
            self._folder.currentIndexChanged.connect(self.changed)
            texts.addWidget(self._folder)
        elif more:
            texts.addWidget(label(more, "secondary"))
        grip = Grip(drawing)
        grip.dragged.connect(self._drag)
        row.addWidget(self._number)
        row.addWidget(self._icon)
        row.addLayout(texts, 1)
        row.addWidget(grip)
        row.addWidget(self.switch)

    def rule(self) -> Rule | None:
        """Return the rule; None while it is off or has no folder."""
        if not self.switch.isChecked():
            return None
        if self.kind is not RuleKind.IN_FOLDER:
            return Rule(self.kind)
        folder = self._folder.currentData()
        return Rule(self.kind, Path(folder)) if folder is not None else None

    def show_number(self, number: int) -> None:
        """Show its number among the rules that are on; 0: it is off."""
        self._number.setText(str(number) if number else "")
        set_look(self._title, tone="text" if number else "tertiary")
        self._icon.set_icon(ICONS[self.kind], "accent" if number else "tertiary")

    def _drag(self, y: float) -> None:
        self.dragged.emit(self, y)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        by = moves.get(Qt.Key(event.key()), 0)
        if by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.move_wanted.emit(self, by)
        elif event.key() == Qt.Key.Key_Space:
            self.switch.toggle()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()


class RuleRows(QWidget):
    """All rules; `changed` is emitted when order, switches or folders change."""

    changed = Signal()

    def __init__(self, drawing: Drawing, folders: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 6, 0)
        self._column.setSpacing(6)
        kinds = [*USUAL, *(kind for kind in RuleKind if kind not in USUAL)]
        self.rows: list[RuleRow] = []
        for kind in kinds:
            if kind is RuleKind.IN_FOLDER and not folders:
                continue
            on = kind in USUAL and (kind is not RuleKind.IN_FOLDER or len(folders) > 1)
            row = RuleRow(drawing, kind, folders, on=on)
            row.changed.connect(self._number)
            row.move_wanted.connect(self._moved)
            row.dragged.connect(self._dragged)
            self.rows.append(row)
            self._column.addWidget(row)
        self._column.addStretch(1)
        self._number()

    def rules(self) -> list[Rule]:
        """Return the rules that are on, in order."""
        return [rule for rule in (row.rule() for row in self.rows) if rule is not None]

    def move_rule(self, index: int, to: int) -> None:
        """Move the rule at `index` to the index `to`."""
        to = min(max(0, to), len(self.rows) - 1)
        if to == index:
            return
        row = self.rows.pop(index)
        self.rows.insert(to, row)
        self._column.removeWidget(row)
        self._column.insertWidget(to, row)
        self._number()

    def _number(self) -> None:
        number = 0
        for row in self.rows:
            on = row.rule() is not None
            number += on
            row.show_number(number if on else 0)
        self.changed.emit()

    def _moved(self, row: RuleRow, by: int) -> None:
        self.move_rule(self.rows.index(row), self.rows.index(row) + by)
        row.setFocus()

    def _dragged(self, row: RuleRow, y: float) -> None:
        here = self.mapFromGlobal(QPointF(0.0, y)).y()
        target = next(
            (at for at, other in enumerate(self.rows) if other.geometry().bottom() >= here), len(self.rows) - 1
        )
        self.move_rule(self.rows.index(row), target)
