"""Which source found the verified pairs: one bar in three parts, and a line for each."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dupfinder.gui.kit import words
from dupfinder.gui.kit.ink import Ink
from dupfinder.gui.kit.labels import label
from dupfinder.review.session import Sources

BAR = 8  # px
TONES = ("accent", "accent_line", "near")


class _Bar(QWidget):
    def __init__(self, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self._ink = ink
        self.parts: tuple[int, ...] = (0, 0, 0)
        self.setFixedHeight(BAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        total, x = sum(self.parts), 0.0
        for count, tone in zip(self.parts, TONES, strict=True):
            if count:
                width = self.width() * count / total
                self._ink.shape(painter, QRectF(x, 0, max(2.0, width - 2), BAR), tone, 3)
                x += width


class _Square(QWidget):
    def __init__(self, ink: Ink, tone: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._ink, self._tone = ink, tone
        self.setFixedSize(10, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._ink.shape(QPainter(self), QRectF(0, 0, 10, 10), self._tone, 2)


class SourceBars(QWidget):
    """By fingerprints, by both, by passages; or how many pairs are left out without passages."""

    def __init__(self, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._with = QWidget(self)
        self._bar = _Bar(ink, self._with)
        self._notes = [label("", "small"), label("", "small"), label("", "small")]
        self._counts = [label("", "strong"), label("", "strong"), label("", "strong")]
        self._without = label("", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._with)
        column.addWidget(self._without)
        grid = QGridLayout(self._with)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.addWidget(self._bar, 0, 0, 1, 4)
        names = (self.tr("by fingerprints"), self.tr("both"), self.tr("by passages"))
        for row, name in enumerate(names):
            grid.addWidget(_Square(ink, TONES[row], self._with), row + 1, 0)
            grid.addWidget(label(name, "secondary"), row + 1, 1)
            grid.addWidget(self._notes[row], row + 1, 2)
            grid.addWidget(self._counts[row], row + 1, 3)
        grid.setColumnStretch(2, 1)
        self._with.setMinimumHeight(BAR + len(names) * (self.fontMetrics().height() + 6))

    def show_sources(self, sources: Sources, radius: int) -> None:
        """Show the three counts."""
        self._bar.parts = (sources.fingerprints, sources.both, sources.passages)
        self._bar.update()
        for counted, count in zip(self._counts, self._bar.parts, strict=True):
            counted.setText(words.number(count))
        self._notes[0].setText(self.tr("within %Ln bits", None, radius))
        self._notes[2].setText(self.tr("further apart than %1").replace("%1", str(radius)))
        self._with.show()
        self._without.hide()

    def show_left_out(self, pairs: int, radius: int) -> None:
        """Passages are off: so many pairs are not shown."""
        text = self.tr("%Ln pairs further apart than %1 are not shown.", None, pairs)
        self._without.setText(text.replace("%1", str(radius)))
        self._without.show()
        self._with.hide()
