"""The area for dropping folders: a dashed outline that is highlighted while something is dragged over the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from dupfinder.gui.kit.theme import Theme


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local folders and files of a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


class DropArea(QFrame):
    """A dashed, rounded area. column: its layout."""

    def __init__(self, theme: Theme, *, radius: int = 16, ground: str = "surface") -> None:
        super().__init__()
        self._theme, self._radius, self._ground = theme, radius, ground
        self._hot = False
        self.column = QVBoxLayout(self)
        theme.changed.connect(self.update)

    def set_hot(self, hot: bool) -> None:
        """Highlight the area while something is dragged over the window."""
        self._hot = hot
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.colour("accent" if self._hot else "accent_line"), 2 if self._hot else 1.6)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        painter.setBrush(self._theme.colour("accent_soft" if self._hot else self._ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), self._radius, self._radius)


class Sheets(QWidget):
    """A picture of three sheets of paper, the front sheet with lines."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(QSize(124, 84))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, soft = self._theme.colour("accent"), self._theme.colour("accent_soft")
        behind = self._theme.colour("accent")
        behind.setAlphaF(0.55)
        painter.setBrush(self._theme.colour("surface"))
        painter.setPen(QPen(behind, 1.6, j=Qt.PenJoinStyle.RoundJoin))
        left = [(3, 14), (44, 8), (52, 74), (13, 81)]
        right = [(72, 6), (107, 11), (119, 27), (111, 81), (64, 74)]
        for corners in (left, right):
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.setPen(QPen(accent, 1.8, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(soft)
        front = QPainterPath(QPointF(37, 3))
        for x, y in ((73, 3), (87, 17), (87, 71), (37, 71)):
            front.lineTo(x, y)
        front.closeSubpath()
        painter.drawPath(front)
        painter.drawPolyline(QPolygonF([QPointF(73, 3), QPointF(87, 17)]))
        painter.setPen(QPen(accent, 1.8, c=Qt.PenCapStyle.RoundCap))
        for y, end in ((26, 75), (36, 79), (46, 71), (56, 79)):
            painter.drawLine(QPointF(46, y), QPointF(end, y))
