"""A histogram above the slider that selects one of its bars, on a common scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider, QToolTip, QWidget

from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import smooth_painter

BAR_HEIGHT: Final = 38  # px height of the tallest bar
LOW_BAR_HEIGHT: Final = 8
LEAST_BAR: Final = 3.0  # px, so that a rare bar is visible beside a frequent one
KNOB: Final = 7  # px radius
SIDE: Final = 6  # px left and right of the first and last bar


@dataclass(frozen=True, slots=True)
class HistogramBars:
    """The bars of a histogram.

    labels:   one below each bar. counts: int64, one for each bar; its height is the square root.
    upwards:  the bars from the selected one on are included; else those up to it.
    rest:     colour token of the other bars.
    tips:     a tool tip for each bar.
    """

    labels: Sequence[str]
    counts: NDArray[np.int64]
    upwards: bool
    rest: str
    tips: Sequence[str]


NO_SCALE: Final = HistogramBars((), np.empty(0, np.int64), upwards=True, rest="groove", tips=())


class BarSlider(QSlider):
    """A slider whose positions are bars of equal width. It is a QSlider, so screen readers support it.

    left, right: px beside the first and the last bar. `hovered` has the bar under the pointer, -1 for none.
    """

    hovered = Signal(int)

    def __init__(self, drawing: Drawing, name: str, left: int, right: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._drawing = drawing
        self._left, self._right = left, right
        self.setRange(0, 0)
        self.setPageStep(1)
        self.setSingleStep(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.valueChanged.connect(self.update)

    def _slot(self) -> float:
        return (self.width() - self._left - self._right) / (self.maximum() + 1)

    def _centre(self, bar: int) -> float:
        return self._left + self._slot() * (bar + 0.5)

    def _bar_at(self, x: float) -> int:
        return min(max(0, int((x - self._left) / max(1.0, self._slot()))), self.maximum())

    def tip(self, bar: int) -> str:
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._bar_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        bar = self._bar_at(event.position().x())
        if self.isSliderDown():
            self.setValue(bar)
        else:
            self.hovered.emit(bar)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(-1)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolling the list must not change the demand

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip(self._bar_at(event.pos().x())), self)
            return True
        return super().event(event)


class SimilarityAxis(BarSlider):
    """A histogram above its slider."""

    def __init__(self, drawing: Drawing, name: str, parent: QWidget | None = None) -> None:
        super().__init__(drawing, name, SIDE, SIDE, parent)
        self._scale = NO_SCALE
        self._tallest = BAR_HEIGHT

    def set_low(self, is_low: bool) -> None:
        """Show low bars, where a list below needs the room."""
        self._tallest = LOW_BAR_HEIGHT if is_low else BAR_HEIGHT
        self.updateGeometry()
        self.update()

    def set_scale(self, scale: HistogramBars) -> None:
        """Show other bars; the range is their number."""
        self._scale = scale
        self.setRange(0, max(0, len(scale.labels) - 1))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self._tallest + self._label_height() + 2 * KNOB + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def _label_height(self) -> int:
        return round(self._drawing.metrics("small").height()) + 3

    def tip(self, bar: int) -> str:
        return self._scale.tips[bar] if bar < len(self._scale.tips) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        self._paint_bars(painter)
        self._paint_labels(painter)
        self._paint_groove(painter)

    def _counts(self, bar: int) -> bool:
        return bar >= self.value() if self._scale.upwards else bar <= self.value()

    def _paint_bars(self, painter: QPainter) -> None:
        width = min(30.0, self._slot() * 0.8)
        for bar, height in enumerate(bar_heights(self._scale.counts, self._tallest)):
            if height > 0:
                box = QRectF(self._centre(bar) - width / 2, self._tallest - height, width, height)
                self._drawing.shape(painter, box, "accent" if self._counts(bar) else self._scale.rest, 2)

    def _paint_labels(self, painter: QPainter) -> None:
        height = self._label_height()
        every = 1 if self._slot() >= self._drawing.metrics("label").horizontalAdvance("00") + 2 else 2
        for bar, words in enumerate(self._scale.labels):
            chosen = bar == self.value()
            if bar % every and not chosen:
                continue
            role, token = ("label", "text") if chosen else ("small", "secondary")
            box = QRectF(self._centre(bar) - height, self._tallest + 2, 2 * height, height)
            self._drawing.text(painter, box, words, role, token, Qt.AlignmentFlag.AlignHCenter)

    def _paint_groove(self, painter: QPainter) -> None:
        y = self._tallest + self._label_height() + KNOB + 4
        first, last, current = self._centre(0), self._centre(self.maximum()), self._centre(self.value())
        accent = self._drawing.colour("accent")
        for colour, start, end in (
            (self._drawing.colour("groove"), first, last),
            (accent, current, last if self._scale.upwards else first),
        ):
            painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(start, y), QPointF(end, y))
        painter.setPen(QPen(accent, 2))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(current, y), KNOB + 2.5, KNOB + 2.5)
        painter.setBrush(self._drawing.colour("surface"))
        painter.drawEllipse(QPointF(current, y), KNOB - 1, KNOB - 1)


def bar_heights(counts: NDArray[np.int64], tallest: float) -> NDArray[np.float64]:
    """Return heights by the square root of the counts: rare bars are visible beside frequent ones."""
    roots = np.sqrt(counts.astype(np.float64))
    top = float(roots.max()) if len(roots) else 0.0
    if top == 0.0:
        return np.zeros(len(counts))
    return np.where(counts > 0, np.maximum(LEAST_BAR, roots / top * tallest), 0.0)
