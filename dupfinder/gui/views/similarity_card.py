"""The card that answers "How similar?": histogram, slider, live counts, and what the next step would bring."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSlider, QVBoxLayout, QWidget

from dupfinder.base.settings import MIN_SIMILARITY
from dupfinder.gui.components.buttons import button
from dupfinder.gui.components.labels import label
from dupfinder.gui.views import words
from dupfinder.gui.views.counts_ahead import CountsAhead
from dupfinder.gui.views.ink import Ink
from dupfinder.gui.views.similarity_axis import SimilarityAxis
from dupfinder.review.session import ReviewSession

SETTLE_MS: Final = 30  # a dragged slider passes many steps; the list follows where it rests


class SimilarityCard(QFrame):
    """Shows a session's radius and asks for another. Counts follow at once, the list as soon as the slider rests."""

    radius_wanted = Signal(int)
    similarity_wanted = Signal(float)
    calibration_wanted = Signal()
    boilerplate_wanted = Signal()

    def __init__(self, session: ReviewSession, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self._session = session
        self.axis = SimilarityAxis(ink, self)
        self.ahead = CountsAhead(session, self)
        self._value = label("", "secondary")
        self._counts = label("", "strong")
        self._ahead = label("", "secondary", wrap=True)
        self._more = button(ink.theme, self.tr("More"), "link")
        self._more.setCheckable(True)
        self._least = QSlider(Qt.Orientation.Horizontal, self)
        self._least_value = label("", "secondary")
        self._least.setProperty("look", "plain")
        self._least.setMinimumHeight(22)
        self._least_row = QWidget(self)
        self._which = button(ink.theme, self.tr("Which radius fits?"), "link")
        self._passages = button(ink.theme, self.tr("Shared passages…"), "link")
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._build()
        self._fill()
        self.axis.valueChanged.connect(self._moved)
        self.axis.hovered.connect(self._look_ahead)
        self._least.valueChanged.connect(self._least_moved)
        self._settle.timeout.connect(self._ask)
        self.ahead.counted.connect(self._counted)
        self._more.toggled.connect(self._least_row.setVisible)
        self._which.clicked.connect(self.calibration_wanted)
        self._passages.clicked.connect(self.boilerplate_wanted)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(4)
        heading = label(self.tr("How similar?"), "strong")
        heading.setBuddy(self.axis)
        column.addLayout(_pair(heading, self._value))
        column.addSpacing(4)
        column.addWidget(self.axis)
        column.addLayout(_pair(label(self.tr("Stricter"), "secondary"), label(self.tr("Looser"), "secondary")))
        column.addSpacing(4)
        column.addLayout(_pair(self._counts, self._more))
        column.addWidget(self._ahead)
        more = QVBoxLayout(self._least_row)
        more.setContentsMargins(0, 4, 0, 0)
        more.setSpacing(4)
        row = QHBoxLayout()
        least = label(self.tr("Texts alike by at least"), "secondary")
        least.setBuddy(self._least)
        row.addWidget(least)
        row.addWidget(self._least, 1)
        row.addWidget(self._least_value)
        more.addLayout(row)
        more.addLayout(_pair(self._which, self._passages))
        column.addWidget(self._least_row)
        self._least_row.hide()

    def _fill(self) -> None:
        self._least.setRange(round(MIN_SIMILARITY.low * 100), 100)
        self._least.setAccessibleName(self.tr("Least similarity of the texts"))
        self._least.setValue(round(self._session.min_similarity * 100))
        self._least_value.setText(words.percent(self._session.min_similarity))
        self.refresh()

    def refresh(self) -> None:
        """Show what the session says now."""
        histogram = self._session.histogram()
        self.axis.blockSignals(True)
        self.axis.set_counts(histogram.verified, histogram.unverified)
        self.axis.setValue(self._session.radius)
        self.axis.blockSignals(False)
        self.axis.update()
        self._tell(self._session.radius)

    def _moved(self, radius: int) -> None:
        self._tell(radius)
        self._settle.start()

    def _ask(self) -> None:
        if self.axis.value() != self._session.radius:
            if self.ahead.counts(self.axis.value()) is not None:  # else once they are there
                self.radius_wanted.emit(self.axis.value())
        elif round(self._session.min_similarity * 100) != self._least.value():
            self.similarity_wanted.emit(self._least.value() / 100)

    def _least_moved(self, percent: int) -> None:
        self._least_value.setText(words.percent(percent / 100))
        self._settle.start()

    def _tell(self, radius: int) -> None:
        """Counts at `radius`, before the list follows."""
        text = self.tr("k = %1").replace("%1", str(radius))
        if radius == 0:
            text = self.tr("k = 0 · same fingerprint")
        elif radius == self._session.default_radius:
            text = self.tr("k = %1 · recommended").replace("%1", str(radius))
        self._value.setText(text)
        counts = self.ahead.counts(radius)
        if counts is None:
            self._counts.setText(self.tr("Counting…"))
            self._ahead.setText(" ")
            return
        self._counts.setText(
            self.tr("%1 · %2")
            .replace("%1", words.groups(counts.clusters))
            .replace("%2", words.documents(counts.documents))
        )
        self.axis.setAccessibleDescription(f"{text}. {self._counts.text()}")
        self._look_ahead(-1)

    def _counted(self, radius: int) -> None:
        """Counts that were missing are there."""
        here = self.axis.value()
        if radius == here:
            self._tell(here)
            self._settle.start()
        elif radius == here + 1:
            self._look_ahead(-1)

    def _look_ahead(self, radius: int) -> None:
        """What another radius would bring; the next one up when the pointer rests on none."""
        here = self.axis.value()
        other = radius if radius >= 0 and radius != here else here + 1
        if other > self._session.widest_radius:
            self._ahead.setText(self.tr("This is the widest radius of this scan."))
            return
        there, now = self.ahead.counts(other), self.ahead.counts(here)
        if there is None or now is None:
            self._ahead.setText(" ")
            return
        more = there.clusters - now.clusters
        text = self.tr("At %1: +%2 groups, more false matches") if other > here else self.tr("At %1: %2 groups")
        if more == 0:
            text = self.tr("At %1: as many groups")
        elif other > here and more < 0:
            text = self.tr("At %1: %2 groups, some of these join")
        self._ahead.setText(text.replace("%1", str(other)).replace("%2", words.number(more)))


def _pair(left: QWidget, right: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(left)
    row.addStretch(1)
    row.addWidget(right)
    return row
