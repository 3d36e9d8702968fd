"""What the main window knows of a page: its name, its tools in the top bar, and that it is shown or left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget


class Page(QWidget):
    """One page of the window.

    crumb():  the name after "dupfinder /" in the top bar; "" for none.
    note():   a quiet line after it.
    tools():  a widget shown at the right of the top bar while the page is (None: nothing).
    `heading_changed` is told when crumb or note change.
    """

    heading_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def crumb(self) -> str:
        """The page's name in the top bar."""
        return ""

    def note(self) -> str:
        """A quiet line beside the name."""
        return ""

    def tools(self) -> QWidget | None:
        """Controls for the top bar."""
        return None

    def offers(self, slot: str) -> bool:
        """Say whether a command may be carried out now, by the name of its method."""
        return True

    def is_aside(self) -> bool:
        """Whether one comes here from another page and goes back there."""
        return False

    def regions(self) -> Sequence[QWidget]:
        """Return what F6 goes through, in reading order; none where Tab is enough."""
        return ()

    def next_region(self) -> None:
        """Give the keyboard to the next region, after the last one to the first."""
        self._go_region(1)

    def previous_region(self) -> None:
        """Give the keyboard to the region before."""
        self._go_region(-1)

    def _go_region(self, by: int) -> None:
        regions = [region for region in self.regions() if region.isVisible() and region.isEnabled()]
        if regions:
            focused = QGuiApplication.focusObject()
            here = next((at for at, region in enumerate(regions) if region is focused), 0 if by < 0 else -1)
            regions[(here + by) % len(regions)].setFocus(Qt.FocusReason.TabFocusReason)

    def entered(self) -> None:
        """The page is now the one that is seen."""
        self.setFocus()  # nothing is marked out yet; Tab goes to the first control

    def left(self) -> None:
        """Another page is now seen."""


def centred(content: QWidget, width: int) -> QScrollArea:
    """A scrolling area with `content` in the middle, at most `width` wide."""
    content.setMaximumWidth(width)
    holder = QWidget()
    holder.setProperty("ground", "window")
    holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = QHBoxLayout(holder)
    row.setContentsMargins(32, 0, 32, 0)
    row.addStretch(1)
    row.addWidget(content, 100)
    row.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(holder)
    return area


def filled(page: QWidget, *parts: QWidget) -> QVBoxLayout:
    """Give a page a column of parts without margins; the first one takes the room."""
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for index, part in enumerate(parts):
        column.addWidget(part, 1 if index == 0 else 0)
    return column
