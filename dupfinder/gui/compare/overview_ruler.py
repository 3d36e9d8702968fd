"""The whole comparison as a narrow strip: its differences and the visible part. Click or drag to scroll there."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dupfinder.gui.compare.diff_canvas import GROUNDS, DiffCanvas
from dupfinder.gui.kit.drawing import Drawing

WIDTH: Final = 14
LEAST_MARK: Final = 3.0  # px: a change of one line in a long text must be visible
LEAST_VIEW: Final = 18.0


class OverviewRuler(QWidget):
    """Replaces the scroll bar of a canvas."""

    def __init__(self, canvas: DiffCanvas, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._drawing = drawing
        self.setAccessibleName(self.tr("Overview of the differences"))
        canvas.scrolled.connect(self.update)
        canvas.current_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 80)

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH, 20)

    def _scale(self) -> float:
        return self.height() / max(1.0, self._canvas.alignment.length, float(self._canvas.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._drawing.colour("gutter"))
        for block, top, height in self._marks():
            kind = self._canvas.pair.blocks[block].kind
            painter.fillRect(QRectF(2, top, self.width() - 4, height), self._drawing.colour(GROUNDS[kind][1]))
        if self._canvas.longest_scroll() <= 0:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._drawing.colour("tertiary"), 1))
        painter.drawRoundedRect(self._view().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def _marks(self) -> list[tuple[int, float, float]]:
        """Return (block, top, height) in pixels, at most one for each pixel row."""
        differences = self._canvas.pair.differences
        if not differences:
            return []
        tops, bottoms = (edge * self._scale() for edge in self._canvas.alignment.spans(differences))
        first = np.flatnonzero(np.diff(np.floor(tops), prepend=-1.0))
        heights = np.maximum(LEAST_MARK, bottoms - tops)
        return [(differences[at], float(tops[at]), float(heights[at])) for at in first.tolist()]

    def _view(self) -> QRectF:
        scale = self._scale()
        height = max(LEAST_VIEW, min(float(self.height()), self._canvas.height() * scale))
        top = min(self._canvas.scrolled_by * scale, self.height() - height)
        return QRectF(0, top, self.width(), height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().y())

    def _go(self, y: float) -> None:
        self._canvas.scroll_to(y / self._scale() - self._canvas.height() / 2)
