"""A layout that places widgets in rows and wraps them like words."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Places widgets from left to right and begins a new row when a row is full."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._separators: list[QWidget] = []
        self.setContentsMargins(0, 0, 0, 0)

    def add_separator(self, widget: QWidget) -> None:
        """Add a separator of two widgets; it is left out where a row ends between them."""
        self._separators.append(widget)
        self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._arrange(area, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, area: QRect, *, move: bool) -> int:
        """Return the height of the rows; with `move`, set the positions of the widgets too."""
        x, y, height = area.x(), area.y(), 0
        shown = [item for item in self._items if not item.isEmpty()]
        for item, following in itertools.zip_longest(shown, shown[1:]):
            size = item.sizeHint()
            widget = item.widget()
            if widget in self._separators:
                after = area.width() if following is None else following.sizeHint().width()
                if x + size.width() + self._gap + after > area.right() + 1:
                    if move:  # out of sight: to hide it would start the layout again
                        widget.setGeometry(-1 - size.width(), y, size.width(), size.height())
                    continue
            if x > area.x() and x + size.width() > area.right() + 1:
                x, y, height = area.x(), y + height + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            height = max(height, size.height())
        return y + height - area.y()
