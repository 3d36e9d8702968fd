"""A row that is one big button: its labels are laid out in it, and it answers as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dupfinder.gui.kit.labels import ElidedLabel, label


class RowButton(QPushButton):
    """A flat button as high as what is laid out in it. `row` is its layout."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "row")
        self.setAutoDefault(True)  # Enter opens it
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(14, 9, 14, 9)
        self.row.setSpacing(14)

    def sizeHint(self) -> QSize:
        return self.row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.row.minimumSize()

    def let_through(self) -> None:
        """Make every child leave the mouse to the row. Call when all are laid out."""
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


def two_lines(
    first: str, second: str, roles: Sequence[str] = ("strong", "secondary"), *, elide: bool = True
) -> QWidget:
    """A line over a quieter one; both give way in the middle when `elide`."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for text, role in zip((first, second), roles, strict=True):
        column.addWidget(ElidedLabel(text, role) if elide else label(text, role))
    return made


def inset(widget: QWidget, margin: int) -> QWidget:
    """A widget with room at its left and right."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(margin, 0, margin, 0)
    row.addWidget(widget)
    return holder
