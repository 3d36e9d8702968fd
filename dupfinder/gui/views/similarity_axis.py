"""The histogram of pair distances above the slider that chooses the radius, on one scale."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSlider, QToolTip, QWidget

from dupfinder.gui.views.ink import Ink

BARS: Final = 52  # px height of the tallest bar
KNOB: Final = 8  # px radius
SIDE: Final = 8  # px left and right of the first and last bar


class SimilarityAxis(QSlider):
    """A slider over 0..widest whose groove lies under the bars. Being a QSlider, it speaks to screen readers as one.

    verified, unverified: int64 (widest + 1,), pairs at each distance; a bar is split at the share that was verified.
    """

    hovered = Signal(int)

    def __init__(self, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._ink = ink
        self._verified: NDArray[np.int64] = np.zeros(1, np.int64)
        self._unverified: NDArray[np.int64] = np.zeros(1, np.int64)
        self.setRange(0, 0)
        self.setPageStep(1)
        self.setSingleStep(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Similarity radius"))
        self.valueChanged.connect(self.update)

    def set_counts(self, verified: NDArray[np.int64], unverified: NDArray[np.int64]) -> None:
        """Show other counts; the range follows their length."""
        self._verified, self._unverified = verified, unverified
        self.setRange(0, max(0, len(verified) - 1))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, BARS + self._label_height() + 2 * KNOB + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def _label_height(self) -> int:
        return round(self._ink.metrics("small").height()) + 4

    def _slot(self) -> float:
        return (self.width() - 2 * SIDE) / (self.maximum() + 1)

    def _centre(self, radius: int) -> float:
        return SIDE + self._slot() * (radius + 0.5)

    def _radius_at(self, x: float) -> int:
        return min(max(0, int((x - SIDE) / max(1.0, self._slot()))), self.maximum())

    # ---- painting -------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bars(painter)
        self._paint_numbers(painter)
        self._paint_groove(painter)

    def _paint_bars(self, painter: QPainter) -> None:
        heights = bar_heights(self._verified + self._unverified, BARS)
        painter.setPen(Qt.PenStyle.NoPen)
        width = min(24.0, self._slot() * 0.72)
        for radius, height in enumerate(heights):
            if height <= 0:
                continue
            near = radius <= self.value()
            total = int(self._verified[radius] + self._unverified[radius])
            solid = height * int(self._verified[radius]) / total
            left = self._centre(radius) - width / 2
            pale, full = ("accent_line", "accent") if near else ("hairline", "groove")
            self._ink.shape(painter, QRectF(left, BARS - height, width, height), pale, 2)
            self._ink.shape(painter, QRectF(left, BARS - solid, width, solid), full, 2)

    def _paint_numbers(self, painter: QPainter) -> None:
        every = 1 if self._slot() >= self._ink.metrics("label").horizontalAdvance("00") + 2 else 2
        for radius in range(self.maximum() + 1):
            chosen = radius == self.value()
            if radius % every and not chosen:
                continue
            role, token = ("label", "text") if chosen else ("small", "secondary")
            box = QRectF(self._centre(radius) - 14, BARS + 2, 28, self._label_height())
            self._ink.text(painter, box, str(radius), role, token, Qt.AlignmentFlag.AlignHCenter)

    def _paint_groove(self, painter: QPainter) -> None:
        y = self._groove_y()
        first, last, here = self._centre(0), self._centre(self.maximum()), self._centre(self.value())
        painter.setPen(QPen(self._ink.colour("groove"), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(first, y), QPointF(last, y))
        painter.setPen(QPen(self._ink.colour("accent"), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(first, y), QPointF(here, y))
        if self.hasFocus():
            painter.setPen(QPen(self._ink.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(here, y), KNOB + 3, KNOB + 3)
        painter.setPen(QPen(self._ink.colour("accent"), 2))
        painter.setBrush(self._ink.colour("surface"))
        painter.drawEllipse(QPointF(here, y), KNOB - 1, KNOB - 1)

    def _groove_y(self) -> float:
        return BARS + self._label_height() + KNOB + 5

    # ---- input ----------------------------------------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._radius_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        radius = self._radius_at(event.position().x())
        if self.isSliderDown():
            self.setValue(radius)
        else:
            self.hovered.emit(radius)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(-1)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # a wheel meant for the list must not change what the list shows

    def keyPressEvent(self, event: QKeyEvent) -> None:
        actions = {
            Qt.Key.Key_BracketRight: QAbstractSlider.SliderAction.SliderSingleStepAdd,
            Qt.Key.Key_BracketLeft: QAbstractSlider.SliderAction.SliderSingleStepSub,
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            self.triggerAction(action)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            radius = self._radius_at(event.pos().x())
            QToolTip.showText(event.globalPos(), self.sentence(radius), self)
            return True
        return super().event(event)

    def sentence(self, radius: int) -> str:
        """What the bar at `radius` stands for."""
        locale = QLocale()
        verified, unverified = int(self._verified[radius]), int(self._unverified[radius])
        return (
            self.tr("Distance %1: %2 pairs whose texts are alike, %3 whose texts are not")
            .replace("%1", str(radius))
            .replace("%2", locale.toString(verified))
            .replace("%3", locale.toString(unverified))
        )


def bar_heights(counts: NDArray[np.int64], tallest: float) -> NDArray[np.float64]:
    """Heights by the square root of the counts: rare distances stay visible beside frequent ones."""
    roots = np.sqrt(counts.astype(np.float64))
    top = float(roots.max()) if len(roots) else 0.0
    if top == 0.0:
        return np.zeros(len(counts))
    return np.where(counts > 0, np.maximum(3.0, roots / top * tallest), 0.0)
