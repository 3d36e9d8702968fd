"""The radius that fits a person's documents: a chart, a table, a sentence, and a button to use it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from dupfinder.gui.kit.buttons import SegmentedChoice, button
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.files import ask_place, save
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import Stretch, across, add, boxed, down
from dupfinder.gui.kit.sheet import JobSheet
from dupfinder.gui.kit.tables import FramedTable, TextModel
from dupfinder.gui.kit.theme import Theme, smooth_painter
from dupfinder.gui.results.similarity_axis import BarSlider, bar_heights
from dupfinder.review.calibration import Calibration, calibrate
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import NOTHING, count_text, share_text
from dupfinder.wording.relations import similarity_text

HEIGHT: Final = 190  # px of the plot
TOP_MARGIN: Final = 24  # px above it, for the label of the radius in use
LEFT_MARGIN: Final = 16
RIGHT_MARGIN: Final = 46  # px, for the percents
_LINES: Final = (0.0, 0.5, 1.0)
_POINT: Final = 3.0  # px radius


class CalibrationChart(BarSlider):
    """Selects a radius 0..widest below bars and curves.

    Bars: pairs at each distance, verified ones in full colour, others pale. Curves: precision and recall within it.
    """

    def __init__(self, drawing: Drawing) -> None:
        super().__init__(drawing, say("Radius to look at"), LEFT_MARGIN, RIGHT_MARGIN)
        self._calibration: Calibration  # since it is shown
        self._used = 0

    def show_calibration(self, calibration: Calibration, used: int) -> None:
        """Show a calibration. used: the radius of the results."""
        self._calibration, self._used = calibration, used
        self.setRange(0, calibration.widest)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, TOP_MARGIN + HEIGHT + round(self._drawing.metrics("label").height()) + 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, self.sizeHint().height())

    def _level(self, share: float) -> float:
        """Return the y of a share; some space remains above 1."""
        return TOP_MARGIN + HEIGHT - share * (HEIGHT - 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        self._paint_ground(painter)
        self._paint_bars(painter, self._calibration)
        self._paint_used(painter)
        self._paint_curve(painter, self._calibration.precision, "near", Qt.PenStyle.SolidLine)
        self._paint_curve(painter, self._calibration.recall, "keep", Qt.PenStyle.DashLine)
        self._paint_numbers(painter)

    def _paint_ground(self, painter: QPainter) -> None:
        slot = QRectF(self._centre(self.value()) - self._slot() / 2, TOP_MARGIN - 2, self._slot(), HEIGHT + 2)
        self._drawing.shape(painter, slot, "accent_soft", 5)
        end = self.width() - RIGHT_MARGIN
        for share in _LINES:
            y = self._level(share)
            painter.setPen(QPen(self._drawing.colour("groove" if share == 0 else "hairline"), 1))
            painter.drawLine(QPointF(LEFT_MARGIN, y), QPointF(end, y))
            box = QRectF(end + 6, y - 9, RIGHT_MARGIN - 6, 18)
            self._drawing.text(painter, box, share_text(share), "small", "secondary")

    def _paint_bars(self, painter: QPainter, calibration: Calibration) -> None:
        span = slice(0, self.maximum() + 1)
        heights = bar_heights(calibration.verified[span] + calibration.unverified[span], HEIGHT - 8)
        width = min(30.0, self._slot() * 0.62)
        for radius, height in enumerate(heights.tolist()):
            if height <= 0:
                continue
            verified, unverified = int(calibration.verified[radius]), int(calibration.unverified[radius])
            solid = height * verified / (verified + unverified)
            left, foot = self._centre(radius) - width / 2, float(TOP_MARGIN + HEIGHT)
            self._drawing.shape(painter, QRectF(left, foot - height, width, height), "groove", 2)
            self._drawing.shape(painter, QRectF(left, foot - solid, width, solid), "accent", 2)

    def _paint_used(self, painter: QPainter) -> None:
        """Draw the radius in use: a line between two bars, because it includes all bars to the left."""
        x = self._centre(self._used) + self._slot() / 2
        painter.setPen(QPen(self._drawing.colour("text"), 1.5, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, TOP_MARGIN - 2), QPointF(x, TOP_MARGIN + HEIGHT))
        text = say("in use: k = {radius}", radius=self._used)
        width = self._drawing.metrics("label").horizontalAdvance(text) + 4
        left = min(max(0.0, x - width / 2), self.width() - width)
        self._drawing.text(painter, QRectF(left, 0, width, TOP_MARGIN - 4), text, "label", "text")

    def _paint_curve(self, painter: QPainter, share: Callable[[int], float], token: str, style: Qt.PenStyle) -> None:
        shares = [(self._centre(radius), share(radius)) for radius in range(self.maximum() + 1)]
        points = [QPointF(x, self._level(value)) for x, value in shares if not math.isnan(value)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for width, colour in ((4.0, "surface"), (2.0, token)):  # an edge separates the curve from the bars
            shape = style if colour == token else Qt.PenStyle.SolidLine
            painter.setPen(QPen(self._drawing.colour(colour), width, shape))
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
            box = QRectF(self._centre(radius) - 14, TOP_MARGIN + HEIGHT + 4, 28, height)
            self._drawing.text(painter, box, str(radius), role, token, Qt.AlignmentFlag.AlignHCenter)
            if chosen and self.hasFocus():
                self._drawing.outline(painter, box.adjusted(2, -1, -2, 1), "accent", 5, 2)

    def tip(self, radius: int) -> str:
        """Return the pairs at a radius and within it, in words."""
        calibration = self._calibration
        return say(
            "k = {radius}: {alike} pairs at this distance are alike, {unlike} are not. Within it: precision "
            "{precision}, recall {recall}. Results show {shown} of all alike pairs.",
            radius=radius,
            alike=count_text(int(calibration.verified[radius])),
            unlike=count_text(int(calibration.unverified[radius])),
            precision=share_words(calibration.precision(radius)),
            recall=share_words(calibration.recall(radius)),
            shown=share_words(calibration.shown_share(radius)),
        )


def share_words(share: float) -> str:
    """Return a share in whole percent; a dash for NaN."""
    return NOTHING if math.isnan(share) else share_text(share)


_ROW: Final = 24


class CalibrationSheet(JobSheet):
    """Emits `radius_wanted(int)` for the chosen radius; `written(Path)` or `failed(error)` at the end of an export."""

    radius_wanted = Signal(int)
    written = Signal(object)

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget) -> None:
        text = say(
            "Pairs of your documents by the number of fingerprint bits that differ, and whether their texts are alike "
            "by at least {similarity}.",
            similarity=similarity_text(session.demand.similarity),
        )
        super().__init__(theme, parent, say("Which radius fits your documents?"), text, width=860)
        self._session = session
        self._calibration: Calibration | None = None
        drawing = Drawing(theme)
        self.chart = CalibrationChart(drawing)
        heads = say("Radius k"), say("Alike"), say("Not alike"), say("Precision"), say("Recall"), say("Results show")
        self._model = TextModel(heads, self)
        name = say("Pairs, precision and recall of each radius")
        self.table = FramedTable(self._model, name, max(_ROW, theme.px(_ROW)))
        self._said = label("", "secondary", wrap=True)
        self._waiting = label(say("Counting…"), "medium")
        self._stack = QStackedWidget()
        self._above = QVBoxLayout()  # for the verdict, once it is known
        add(self.body, self._above, self._choice(), self._stack, self._said)
        self._add_stack()
        self._add_buttons()
        self.chart.valueChanged.connect(self._tell_radius)
        demand = replace(session.demand, passages=False)
        work = Job(lambda _reporter: calibrate(session.grouping, demand), self)
        work.start(succeeded=self._show, failed=partial(self.close_and_emit, self.failed))

    def _choice(self) -> QHBoxLayout:
        self._views = SegmentedChoice([say("Chart"), say("Table")], say("View"))
        self._views.chosen.connect(self._stack.setCurrentIndex)
        keys = (
            ("■", "accent", say("alike")), ("■", "groove", say("not alike")),
            ("●", "near", say("precision")), ("●", "keep", say("recall")),
        )  # fmt: skip
        pairs = (across(label(mark, "body", tone), label(text, "secondary"), spacing=4) for mark, tone, text in keys)
        legend = boxed(across(*pairs, spacing=14))
        self._views.chosen.connect(lambda index: legend.setVisible(index == 0))
        return across(self._views, Stretch(), legend)

    def _add_stack(self) -> None:
        self._waiting.setMinimumHeight(self.chart.sizeHint().height())
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        holder = boxed(down(self._waiting, self.chart))
        self.chart.hide()
        for view in (holder, self.table):
            self._stack.addWidget(view)

    def _add_buttons(self) -> None:
        copy = button(self._theme, say("Copy as JSON"), "", "copy", self.copy)
        save = button(self._theme, say("Save as JSON…"), "", "export", self._choose_place)
        close = button(self._theme, say("Close"), act=self.reject)
        self._use = button(self._theme, say("Use this radius"), "primary", act=self._take)
        add(self.buttons, copy, save, close, self._use)
        self._data: tuple[QWidget, ...] = (copy, save)
        for widget in (*self._data, self._use):
            widget.setEnabled(False)
        close.setFocus()

    def _show(self, calibration: Calibration) -> None:
        self._calibration = calibration
        fitting = calibration.fitting()
        self._above.addWidget(self._verdict(calibration, fitting))
        self._waiting.hide()
        self.chart.show()
        self.chart.show_calibration(calibration, self._session.demand.radius)
        self.chart.setValue(self._session.demand.radius if fitting is None else fitting)
        self._model.show_rows([self._texts(calibration, radius) for radius in range(calibration.widest + 1)])
        self.table.selectionModel().currentRowChanged.connect(lambda index: self.chart.setValue(index.row()))
        self.table.selectRow(self.chart.value())
        for widget in self._data:
            widget.setEnabled(True)
        self._tell_radius(self.chart.value())
        self.chart.setFocus(Qt.FocusReason.TabFocusReason)

    def _texts(self, calibration: Calibration, row: int) -> tuple[str, ...]:
        """Return a row of the table: the pairs at a radius, and within it precision, recall and the share shown."""
        radius = say("{radius} (in use)", radius=row) if row == self._session.demand.radius else str(row)
        return (
            radius, count_text(int(calibration.verified[row])), count_text(int(calibration.unverified[row])),
            share_words(calibration.precision(row)), share_words(calibration.recall(row)),
            share_words(calibration.shown_share(row)),
        )  # fmt: skip

    def _verdict(self, calibration: Calibration, fitting: int | None) -> QWidget:
        if fitting is None:
            title = say("No two texts of this scan are alike, so no radius fits better than another.")
            return Strip(self._theme, "info", "accent", title)
        title = say("A radius of {radius} fits these documents.", radius=fitting)
        text = say(
            "The results then show {share} of the {pairs} pairs that are alike. A wider radius adds next to none.",
            share=share_words(calibration.shown_share(fitting)),
            pairs=count_text(calibration.pair_count),
        )
        if fitting == self._session.demand.radius:
            title = say("The radius in use, {radius}, fits these documents.", radius=fitting)
        frame = Strip(self._theme, "shield", "keep", title, text)
        frame.setAccessibleName(" ".join(part.text() for part in frame.findChildren(QLabel)))
        return frame

    def _tell_radius(self, radius: int) -> None:
        self._said.setText(self.chart.tip(radius))
        self.chart.setAccessibleDescription(self._said.text())
        self._use.setText(say("Use radius {radius}", radius=radius))
        self._use.setEnabled(self._calibration is not None and radius != self._session.demand.radius)
        if self.table.currentIndex().row() != radius:
            self.table.selectRow(radius)

    def _take(self) -> None:
        self.accept()
        self.radius_wanted.emit(self.chart.value())

    def json(self) -> str:
        """Return the calibration as JSON; empty before it is computed."""
        return "" if self._calibration is None else json.dumps(self._calibration.plain(), indent=1)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.json())
        self._said.setText(say("The data was copied."))

    def _choose_place(self) -> None:
        ask_place(self, say("Save the data as"), "radius.json", self.write_to)

    def write_to(self, name: str) -> None:
        data = self.json().encode()
        scanned = self._session.result.documents.paths
        # The dialog asked whether to replace a file of this name.
        work = partial(save, Path(name), scanned, lambda file: file.write(data), agreed=True)
        self.close_after(Job(work, self), self.written)
