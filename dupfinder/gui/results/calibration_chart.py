"""The chart of the calibration: pairs by distance as bars, precision and recall of each radius as curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSlider, QToolTip, QWidget

from dupfinder.gui.kit import words
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.results.similarity_axis import bar_heights
from dupfinder.review.calibration import Calibration

HEIGHT: Final = 190  # px of the plot
TOP: Final = 24  # px above it, for the label of the radius in use
LEFT: Final = 16
RIGHT: Final = 46  # px, for the percents
_LINES: Final = (0.0, 0.5, 1.0)
_POINT: Final = 3.0  # px radius


class CalibrationChart(QSlider):
    """Selects a radius 0..widest below bars and curves. It is a QSlider, so screen readers support it.

    Bars: pairs at each distance, verified ones in full colour, others pale. Curves: precision and recall within it.
    """

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._drawing = drawing
        self._found: Calibration | None = None
        self._used = 0
        self.setRange(0, 0)
        self.setPageStep(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Radius to look at"))
        self.valueChanged.connect(self.update)
        drawing.theme.changed.connect(self.update)

    def show_calibration(self, calibration: Calibration, used: int) -> None:
        """Show a calibration. used: the radius of the results."""
        self._found, self._used = calibration, used
        self.setRange(0, calibration.widest)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, TOP + HEIGHT + round(self._drawing.metrics("label").height()) + 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, self.sizeHint().height())

    def _slot(self) -> float:
        return (self.width() - LEFT - RIGHT) / (self.maximum() + 1)

    def _centre(self, radius: int) -> float:
        return LEFT + self._slot() * (radius + 0.5)

    def _radius_at(self, x: float) -> int:
        return min(max(0, int((x - LEFT) / max(1.0, self._slot()))), self.maximum())

    def _level(self, share: float) -> float:
        """Return the y of a share; some space remains above 1."""
        return TOP + HEIGHT - share * (HEIGHT - 8)

    # ---- painting -------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._found is None:
            return
        self._paint_ground(painter)
        self._paint_bars(painter, self._found)
        self._paint_used(painter)
        self._paint_curve(painter, self._found.precision, "near", Qt.PenStyle.SolidLine)
        self._paint_curve(painter, self._found.recall, "keep", Qt.PenStyle.DashLine)
        self._paint_numbers(painter)

    def _paint_ground(self, painter: QPainter) -> None:
        slot = QRectF(self._centre(self.value()) - self._slot() / 2, TOP - 2, self._slot(), HEIGHT + 2)
        self._drawing.shape(painter, slot, "accent_soft", 5)
        end = self.width() - RIGHT
        for share in _LINES:
            y = self._level(share)
            painter.setPen(QPen(self._drawing.colour("groove" if share == 0 else "hairline"), 1))
            painter.drawLine(QPointF(LEFT, y), QPointF(end, y))
            box = QRectF(end + 6, y - 9, RIGHT - 6, 18)
            self._drawing.text(painter, box, words.share(share), "small", "secondary")

    def _paint_bars(self, painter: QPainter, calibration: Calibration) -> None:
        span = slice(0, self.maximum() + 1)
        heights = bar_heights(calibration.verified[span] + calibration.unverified[span], HEIGHT - 8)
        width = min(30.0, self._slot() * 0.62)
        for radius, height in enumerate(heights.tolist()):
            if height <= 0:
                continue
            verified, unverified = int(calibration.verified[radius]), int(calibration.unverified[radius])
            solid = height * verified / (verified + unverified)
            left, foot = self._centre(radius) - width / 2, float(TOP + HEIGHT)
            self._drawing.shape(painter, QRectF(left, foot - height, width, height), "groove", 2)
            self._drawing.shape(painter, QRectF(left, foot - solid, width, solid), "accent", 2)

    def _paint_used(self, painter: QPainter) -> None:
        """Draw the radius in use: a line between two bars, because it includes all bars to the left."""
        x = self._centre(self._used) + self._slot() / 2
        painter.setPen(QPen(self._drawing.colour("text"), 1.5, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, TOP - 2), QPointF(x, TOP + HEIGHT))
        text = self.tr("in use: k = %1").replace("%1", str(self._used))
        width = self._drawing.metrics("label").horizontalAdvance(text) + 4
        left = min(max(0.0, x - width / 2), self.width() - width)
        self._drawing.text(painter, QRectF(left, 0, width, TOP - 4), text, "label", "text")

    def _paint_curve(self, painter: QPainter, share: Callable[[int], float], token: str, style: Qt.PenStyle) -> None:
        shares = [(radius, share(radius)) for radius in range(self.maximum() + 1)]
        points = [
            QPointF(self._centre(radius), self._level(value)) for radius, value in shares if not math.isnan(value)
        ]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for width, colour in ((4.0, "surface"), (2.0, token)):  # an edge separates the curve from the bars
            painter.setPen(
                QPen(self._drawing.colour(colour), width, style if colour == token else Qt.PenStyle.SolidLine)
            )
            painter.drawPolyline(QPolygonF(points))
        painter.setPen(QPen(self._drawing.colour("surface"), 1.5))
        painter.setBrush(self._drawing.colour(token))
        for point in points:
            painter.drawEllipse(point, _POINT + 1, _POINT + 1)

    def _paint_numbers(self, painter: QPainter) -> None:
        height = self._drawing.metrics("label").height() + 4
        for radius in range(self.maximum() + 1):
            chosen = radius == self.value()
            role, token = ("label", "accent") if chosen else ("small", "secondary")
            box = QRectF(self._centre(radius) - 14, TOP + HEIGHT + 4, 28, height)
            self._drawing.text(painter, box, str(radius), role, token, Qt.AlignmentFlag.AlignHCenter)
            if chosen and self.hasFocus():
                painter.setPen(QPen(self._drawing.colour("accent"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(2, -1, -2, 1), 5, 5)

    # ---- input ----------------------------------------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._radius_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setValue(self._radius_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.sentence(self._radius_at(event.pos().x())), self)
            return True
        return super().event(event)

    def sentence(self, radius: int) -> str:
        """Return the pairs at a radius and within it, in words."""
        calibration = self._found
        if calibration is None:
            return ""
        return (
            self.tr(
                "k = %1: %2 pairs at this distance are alike, %3 are not. Within it: precision %4, recall %5. "
                "Results show %6 of all alike pairs."
            )
            .replace("%1", str(radius))
            .replace("%2", words.number(int(calibration.verified[radius])))
            .replace("%3", words.number(int(calibration.unverified[radius])))
            .replace("%4", share_words(calibration.precision(radius)))
            .replace("%5", share_words(calibration.recall(radius)))
            .replace("%6", share_words(calibration.shown_share(radius)))
        )


def share_words(share: float) -> str:
    """Return a share in whole percent; a dash for NaN."""
    return words.NO_VALUE if math.isnan(share) else words.share(share)
