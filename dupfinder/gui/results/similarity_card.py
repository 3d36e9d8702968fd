"""The card "How similar?": two tabs, each with a histogram, its slider, counts and a preview of other positions.

Counts of other positions are computed in advance, so that no step of a slider has to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QRectF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY, MAX_RADIUS
from dupfinder.cluster.clustering import ClusterCounts
from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit.buttons import SegmentedChoice, Switch, button
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.gui.kit.labels import ElidedLabel, label, line
from dupfinder.gui.kit.layout import Space, Stretch, across, aligned, boxed, down, grid, grow
from dupfinder.gui.kit.theme import smooth_painter
from dupfinder.gui.results.similarity_axis import HistogramBars, SimilarityAxis
from dupfinder.review.grouping import BARS, Histogram, SourceCounts
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import NP_, say, say_count
from dupfinder.wording.figures import count_text, documents_text, groups_text, percent_text

SMALL: Final = 20_000  # documents: with fewer, a demand takes less than a frame and nothing is prepared
AT_ONCE: Final = 300_000  # documents: with fewer, a demand takes less than a tenth of a second, too short for a job


class CountsAhead(QObject):
    """Asks a session for counts: immediately for scans of up to AT_ONCE documents, else in jobs.

    Computing the counts of a demand also prepares its groups, so a change to it is quick. `counted` is emitted for each
    demand whose counts were computed in a job.
    """

    counted = Signal(object)  # Demand

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._known: dict[Demand, ClusterCounts] = {}
        self._edition = session.edition
        self._wanted: list[Demand] = []
        self._job = OneJob()
        self._prepares = len(session.result.documents) > SMALL
        self._at_once = len(session.result.documents) <= AT_ONCE

    def counts(self, demand: Demand) -> ClusterCounts | None:
        """Return the counts under a demand; None while they are being computed."""
        if self._edition != self._session.edition:
            self._edition = self._session.edition
            self._known.clear()
        if demand not in self._known:
            if self._at_once or demand == self._session.demand:
                self._known[demand] = self._session.counts(demand)
            else:
                self.prepare((demand, *self._wanted))
        return self._known.get(demand)

    def known(self, demand: Demand) -> ClusterCounts | None:
        """Return the counts under a demand if that takes no longer than a frame; else None."""
        return self._known.get(demand) if self._prepares else self.counts(demand)

    def prepare(self, demands: Sequence[Demand]) -> None:
        """Compute the counts of these demands, in this order, after requested ones."""
        self._wanted = [demand for demand in dict.fromkeys(demands) if demand not in self._known]
        self._go_on()

    def stop(self) -> None:
        self._wanted = []
        self._prepares = False
        self._job.give_up()

    def _go_on(self) -> None:
        if not self._job.is_running and self._prepares and self._wanted:
            session = self._session  # alone: the job must not keep this object
            demand = self._wanted.pop(0)  # after a failure, counts are prepared again when the demand changes
            done = partial(self._done, demand, session.edition)
            self._job.start(lambda _reporter: session.prepare(demand), succeeded=done)

    def _done(self, demand: Demand, edition: int, counts: ClusterCounts) -> None:
        if edition == self._session.edition:
            self._known[demand] = counts
            self.counted.emit(demand)
        self._go_on()


BAR = 8  # px
TONES = ("accent", "accent_line", "near")

QUIET_MS: Final = 400  # after the last movement of a slider; then other positions are prepared
SETTLE_MS: Final = 30  # a dragged slider passes many steps; the list follows where it rests
SIMILARITY_TAB, RADIUS_TAB = 0, 1  # the tabs
_NO_PAIRS: Final = Histogram(np.zeros(len(BARS), np.int64), np.zeros(MAX_RADIUS + 1, np.int64), 0)  # not counted yet
_NEAREST: Final = 4  # prepared steps of a large scan, whose groups take much memory


class _SourceBar(QWidget):
    def __init__(self, drawing: Drawing, parent: QWidget) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self.parts: tuple[int, ...] = (0, 0, 0)
        self.setFixedHeight(BAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        total, x = sum(self.parts), 0.0
        for count, tone in zip(self.parts, TONES, strict=True):
            if count:
                width = self.width() * count / total
                self._drawing.shape(painter, QRectF(x, 0, max(2.0, width - 2), BAR), tone, 3)
                x += width


class SourceBars(QWidget):
    """Pairs by fingerprints, by both, by passages; or how many pairs are excluded without passages."""

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._with = QWidget(self)
        self._bar = _SourceBar(drawing, self._with)
        self._notes = [label("", "small") for _ in TONES]
        self._counts = [label("", "strong") for _ in TONES]
        self._without = label("", "secondary", wrap=True)
        down(self._with, self._without, into=self)
        cells = grid(8, 3, self._with)
        cells.addWidget(self._bar, 0, 0, 1, 4)
        names = (say("by fingerprints"), say("both"), say("by passages"))
        for row, name in enumerate(names):
            square = label("", tone=TONES[row])
            square.setProperty("look", "square")
            for column, part in enumerate((square, label(name, "secondary"), self._notes[row], self._counts[row])):
                cells.addWidget(part, row + 1, column)
            self._counts[row].setAlignment(Qt.AlignmentFlag.AlignRight)
        cells.setColumnStretch(2, 1)
        self._with.setMinimumHeight(BAR + len(names) * (self.fontMetrics().height() + 6))

    def show_sources(self, sources: SourceCounts, radius: int) -> None:
        """Show the three counts."""
        self._bar.parts = (sources.fingerprints, sources.both, sources.passages)
        self._bar.update()
        for counted, count in zip(self._counts, self._bar.parts, strict=True):
            counted.setText(count_text(count))
        self._notes[0].setText(say_count("within {count} bit", "within {count} bits", radius))
        self._notes[2].setText(say("further apart than {radius}", radius=radius))
        self._with.show()
        self._without.hide()

    def show_left_out(self, pairs: int, radius: int) -> None:
        """Show how many pairs are excluded because passages are off."""
        text = say_count(
            "{count} pair further apart than {radius} is not shown.",
            "{count} pairs further apart than {radius} are not shown.",
            pairs,
            radius=radius,
        )
        self._without.setText(text)
        self._without.show()
        self._with.hide()


class SimilarityCard(QFrame):
    """Shows the demand of a session, and requests another.

    Counts and list follow at once; while the slider is dragged, the list follows where it rests.
    """

    demand_wanted = Signal(object)  # Demand
    calibration_wanted = Signal()

    def __init__(self, session: ReviewSession, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self._session = session
        self._pending: Demand | None = None  # chosen by the person, but not shown yet
        self.tabs = SegmentedChoice([say("Similarity"), say("Radius k")], say("What the slider moves"))
        self.similarity = SimilarityAxis(drawing, say("Least similarity"), self)
        self.radius = SimilarityAxis(drawing, say("Radius k"), self)
        self.ahead = CountsAhead(session, self)
        self._value = label("", "secondary")
        self._counts = label("", "strong")
        self._ahead = ElidedLabel("", "secondary")
        self._pairs = label("", "secondary")
        self.passages = Switch(say("Shared passages too"), checked=True)
        self.sources = SourceBars(drawing, self)
        self._which = button(drawing.theme, say("Which radius fits?"), "link", act=self.calibration_wanted)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._build()
        self._connect()
        self._show_tab(SIMILARITY_TAB)

    def _build(self) -> None:
        name = label(say("Shared passages too"), "medium")
        for part in (name, self.passages):
            part.setToolTip(say("Documents that share enough passages count, however much their fingerprints differ."))
        which = aligned(self._which, Qt.AlignmentFlag.AlignLeft)
        rows = (line(), across(self.passages, grow(name)), self.sources, which)
        self._passages_row = boxed(down(*rows, margins=(0, 6, 0, 0), spacing=6))
        sliders = (across(self.tabs, Stretch(), self._value), Space(6), self.similarity, self.radius, Space(2))
        counts = (self._counts, across(grow(self._ahead), self._pairs), self._passages_row)
        down(*sliders, *counts, margins=(14, 10, 14, 10), spacing=2, into=self)

    def _connect(self) -> None:
        self.tabs.chosen.connect(self._show_tab)
        for axis in (self.similarity, self.radius):
            axis.valueChanged.connect(self._moved)
            axis.hovered.connect(self._hovered)
        self.passages.toggled.connect(self._passages_toggled)
        self._settle.timeout.connect(self._ask)
        self._quiet.timeout.connect(self._prepare)
        self.ahead.counted.connect(self._counted)

    def set_low(self, is_low: bool) -> None:
        """Show low bars and no counts beside the groups, where the list below needs the room."""
        for axis in (self.similarity, self.radius):
            axis.set_low(is_low)
        for text in (self._ahead, self._pairs):
            text.setHidden(is_low)

    @property
    def axis(self) -> SimilarityAxis:
        """The slider of the open tab."""
        return self.similarity if self.tabs.current() == SIMILARITY_TAB else self.radius

    def _show_tab(self, tab: int) -> None:
        self.similarity.setVisible(tab == SIMILARITY_TAB)
        self.radius.setVisible(tab == RADIUS_TAB)
        self._passages_row.setVisible(tab == RADIUS_TAB)
        self.refresh()

    # ---- what the sliders ask for ---------------------------------------------------------------------------------
    def _chosen(self) -> Demand:
        """Return the demand of both sliders and the switch."""
        similarity, passages = BARS[self.similarity.value()] / 100, self.passages.isChecked()
        return replace(self._session.demand, similarity=similarity, radius=self.radius.value(), passages=passages)

    def _demand_at(self, bar: int) -> Demand:
        """Return the demand with the open slider at another bar."""
        if self.tabs.current() == SIMILARITY_TAB:
            return replace(self._chosen(), similarity=BARS[bar] / 100)
        return replace(self._chosen(), radius=bar)

    def step(self, looser: int) -> None:
        """Move the open slider by one bar: 1 is looser, -1 stricter."""
        axis = self.axis
        axis.setValue(axis.value() + (-looser if axis is self.similarity else looser))
        self._settle.stop()
        self._ask()

    def _moved(self) -> None:
        """Update after the slider moved; the list immediately, unless it was updated a moment ago."""
        self._pending = self._chosen()
        self._tell()
        is_settling = self._settle.isActive() and self._settle.remainingTime() > 0
        self._settle.start()
        if not is_settling:
            self._ask()

    def _passages_toggled(self) -> None:
        self._pending = self._chosen()
        self._tell()
        self._ask()

    def _ask(self) -> None:
        demand = self._chosen()
        if demand != self._session.wanted_demand and self.ahead.counts(demand) is not None:  # else once they are there
            self.demand_wanted.emit(demand)

    def _counted(self, demand: Demand) -> None:
        if demand == self._chosen():
            self._tell()
            self._settle.start()
        elif demand == self._next():
            self._look_ahead(self._next())

    # ---- showing --------------------------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Update from the session."""
        is_complete = self._session.is_complete
        self.setEnabled(is_complete)
        demand = self._session.demand
        histogram = self._session.grouping.histogram(demand) if is_complete else _NO_PAIRS
        with QSignalBlocker(self.similarity), QSignalBlocker(self.radius), QSignalBlocker(self.passages):
            self.similarity.set_scale(self._similarity_scale(histogram))
            self.radius.set_scale(self._radius_scale(histogram))
            if self._pending in (None, demand):  # else the sliders are further than the list
                self._pending = None
                self.similarity.setValue(bar_of(demand.similarity))
                self.radius.setValue(demand.radius)
                self.passages.setChecked(demand.passages)
        self._tell()
        self.ahead.prepare(())
        if is_complete:
            self._quiet.start()

    def _prepare(self) -> None:
        """Compute the other steps in advance; first the step that is requested."""
        is_large = len(self._session.result.documents) > AT_ONCE
        self.ahead.prepare([self._chosen(), *self._around()[: _NEAREST if is_large else None]])

    def _similarity_scale(self, histogram: Histogram) -> HistogramBars:
        labels = [str(bar) for bar in BARS]
        *pairs, equal = histogram.by_similarity.tolist()
        text = NP_("{low} to {high} similar: {count} pair", "{low} to {high} similar: {count} pairs")
        tips = [
            say_count(*text, count, low=percent_text(bar), high=percent_text(bar + 4))
            for bar, count in zip(BARS[:-1], pairs, strict=True)
        ]
        text = NP_("{share}: {count} pair of equal words", "{share}: {count} pairs of equal words")
        tips.append(say_count(*text, equal, share=percent_text(BARS[-1])))
        return HistogramBars(labels, histogram.by_similarity, upwards=True, rest="groove", tips=tips)

    def _radius_scale(self, histogram: Histogram) -> HistogramBars:
        counts = histogram.by_distance[: self._session.widest_radius + 1]
        text = NP_("{count} verified pair, distance {bits}", "{count} verified pairs, distance {bits}")
        tips = [say_count(*text, count, bits=bits) for bits, count in enumerate(counts.tolist())]
        rest = "near" if self._session.demand.passages else "groove"
        return HistogramBars([str(bar) for bar in range(len(counts))], counts, upwards=False, rest=rest, tips=tips)

    def _tell(self) -> None:
        """Show the counts of the requested demand, before the list follows."""
        self._tell_value()
        demand = self._chosen()
        counts = self.ahead.counts(demand)
        if counts is None:
            self._counts.setText(say("Counting…"))
            self._ahead.setText(" ")
            return
        groups, documents = groups_text(counts.clusters), documents_text(counts.documents)
        self._counts.setText(say("{groups} · {documents}", groups=groups, documents=documents))
        self.axis.setAccessibleDescription(f"{self._value.text()}. {self._counts.text()}")
        if self._session.is_complete:
            self._tell_pairs()
        self._look_ahead(self._next())

    def _tell_value(self) -> None:
        if self.tabs.current() == SIMILARITY_TAB:
            bar = BARS[self.similarity.value()]
            text = percent_text(bar)
            recommended = bar == round(DEFAULT_MIN_SIMILARITY * 100)
        else:
            text = say("k = {radius}", radius=self.radius.value())
            recommended = self.radius.value() == self._session.widest_radius
        self._value.setText(say("{value} · recommended", value=text) if recommended else text)

    def _tell_pairs(self) -> None:
        demand = self._session.demand
        sources = self._session.grouping.sources(demand)
        shown = sources.fingerprints + sources.both + sources.passages
        self._pairs.setText(say_count("{count} verified pair", "{count} verified pairs", shown))
        if demand.passages:
            self.sources.show_sources(sources, demand.radius)
        else:
            self.sources.show_left_out(self._left_out(), demand.radius)

    def _left_out(self) -> int:
        """Return the number of verified pairs that differ in more bits than the radius."""
        demand = self._session.demand
        histogram = self._session.grouping.histogram(demand)
        return int(histogram.by_distance[demand.radius + 1 :].sum()) + histogram.beyond

    # ---- looking ahead --------------------------------------------------------------------------------------------
    def _next(self) -> Demand | None:
        """Return the demand one step looser; None at the end."""
        axis = self.axis
        bar = axis.value() + (-1 if axis is self.similarity else 1)
        return self._demand_at(bar) if 0 <= bar <= axis.maximum() else None

    def _around(self) -> Sequence[Demand]:
        """Return the other positions of the open slider, the nearest first, looser before stricter; then the switch."""
        axis, current = self.axis, self.axis.value()
        bars = [bar for bar in range(axis.maximum() + 1) if bar != current]
        bars.sort(reverse=axis is self.radius)  # the looser first
        bars.sort(key=lambda bar: abs(bar - current))
        switched = replace(self._chosen(), passages=not self.passages.isChecked())
        return [*map(self._demand_at, bars), *([switched] if axis is self.radius else [])]

    def _hovered(self, bar: int) -> None:
        self._look_ahead(self._demand_at(bar) if bar >= 0 and bar != self.axis.value() else self._next())

    def _look_ahead(self, other: Demand | None) -> None:
        """Show what another position would change."""
        if other is None:
            self._ahead.setText(say("This is the loosest setting."))
            return
        counts_there, counts_now = self.ahead.known(other), self.ahead.counts(self._chosen())
        if counts_there is None or counts_now is None:
            self._ahead.setText(" ")
            return
        groups, documents = counts_there.clusters - counts_now.clusters, counts_there.documents - counts_now.documents
        more = groups or documents
        amount = groups_text(abs(more)) if groups else documents_text(abs(more))
        change = f"{'+' if more > 0 else '−'}{amount}" if more else say("as many groups")
        by_similarity = self.tabs.current() == SIMILARITY_TAB
        value = percent_text(round(other.similarity * 100)) if by_similarity else str(other.radius)
        self._ahead.setText(say("At {value}: {change}", value=value, change=change))


def bar_of(similarity: float) -> int:
    """Return the position of the bar of a least similarity; between two bars the lower."""
    return max(0, sum(bar <= round(similarity * 100) for bar in BARS) - 1)
