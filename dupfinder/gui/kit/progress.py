"""Progress of a job: a bar, its steps, its rate as a line, and the estimated time left."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleValueChangeEvent, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QWidget

from dupfinder.gui.kit import icons
from dupfinder.gui.kit.icons import smooth_painter
from dupfinder.gui.kit.labels import label, set_look
from dupfinder.gui.kit.theme import Theme

_SECONDS: Final = 60  # samples of a sparkline

_WINDOW: Final = 30.0  # seconds over which the rate is measured
_FIRST_SECONDS: Final = 10.0  # no time left is shown before this, and before _FIRST_SHARE is done
_FIRST_SHARE: Final = 0.02
_SMOOTHING: Final = 0.2  # weight of the newest estimate, so that the shown one does not jump


class Bar(QProgressBar):
    """A thin progress bar."""

    def __init__(self, name: str) -> None:
        super().__init__(maximum=1000, textVisible=False)
        self.setAccessibleName(name)

    def set_share(self, share: float) -> None:
        """Set the share that is done, 0..1."""
        value = round(1000 * min(1.0, max(0.0, share)))
        if value != self.value():
            self.setValue(value)
            QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, value / 10))


class StepState(Enum):
    """The state of a step."""

    WAITING = auto()
    RUNNING = auto()
    DONE = auto()


class _Mark(QWidget):
    """The circle of a step, and the line to the next one."""

    def __init__(self, theme: Theme, *, last: bool) -> None:
        super().__init__()
        self._theme, self._last = theme, last
        self.state = StepState.WAITING
        self.setFixedHeight(24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        circle = QRectF(1, 2, 19, 19)
        token = {StepState.DONE: "keep", StepState.RUNNING: "accent", StepState.WAITING: "groove"}[self.state]
        colour = self._theme.colour(token)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if self.state is StepState.DONE else self._theme.colour("surface"))
        painter.drawEllipse(circle)
        if self.state is StepState.DONE:
            icons.paint(painter, "check", self._theme.colour("on_accent"), circle.adjusted(4, 4, -4, -4))
        elif self.state is StepState.RUNNING:
            painter.setBrush(colour)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(circle.adjusted(6, 6, -6, -6))
        if not self._last:
            painter.setPen(QPen(self._theme.colour("keep" if self.state is StepState.DONE else "groove"), 2))
            painter.drawLine(QPointF(26, 11.5), QPointF(self.width() - 6, 11.5))


class StepMarks(QWidget):
    """Steps in their order, each with a name and a detail line."""

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(3)
        self._parts: list[tuple[_Mark, QLabel, QLabel]] = []
        for column, name in enumerate(names):
            mark = _Mark(theme, last=column == len(names) - 1)
            part = (mark, label(name, "strong", "secondary"), label("", "secondary"))
            for row, widget in enumerate(part):
                grid.addWidget(widget, row, column)
            grid.setColumnStretch(column, 1)
            self._parts.append(part)

    def show_step(self, index: int, state: StepState, quiet: str) -> None:
        """Show the state of a step and its detail line."""
        mark, name, line = self._parts[index]
        line.setText(quiet)
        if mark.state is not state:
            mark.state = state
            mark.update()
            set_look(name, tone="secondary" if state is StepState.WAITING else "text")


class Sparkline(QWidget):
    """The last minute of a rate, one sample for each second."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._samples: deque[float] = deque(maxlen=_SECONDS)
        self.setFixedSize(QSize(84, 24))

    def add(self, value: float) -> None:
        """Add the sample of one more second."""
        self._samples.append(value)
        self.update()

    def clear(self) -> None:
        """Remove all samples."""
        self._samples.clear()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if len(self._samples) < 2:
            return
        painter = smooth_painter(self)
        highest = max(*self._samples, 1e-9)
        step = (self.width() - 2) / (_SECONDS - 1)
        left = self.width() - 1 - step * (len(self._samples) - 1)
        height = self.height() - 4
        line = QPolygonF(
            [QPointF(left + i * step, 2 + height * (1 - value / highest)) for i, value in enumerate(self._samples)]
        )
        painter.setPen(QPen(self._theme.colour("accent"), 1.6, j=Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(line)


class Pace:
    """Measures a rate from counts and their times, in seconds of any steady clock."""

    def __init__(self) -> None:
        self._told: deque[tuple[float, int]] = deque()
        self._begun: float | None = None
        self._left: float | None = None

    def note(self, now: float, done: int) -> None:
        """Record that `done` units are done at the time `now`.

        A smaller count than the last restarts the measurement.
        """
        if self._begun is None or (self._told and done < self._told[-1][1]):
            self._told.clear()
            self._begun, self._left = now, None
        self._told.append((now, done))
        while len(self._told) > 2 and now - self._told[0][0] > _WINDOW:
            self._told.popleft()

    def rate(self) -> float:
        """Return units per second over the last half minute."""
        if len(self._told) < 2:
            return 0.0
        (start, first), (end, last) = self._told[0], self._told[-1]
        return (last - first) / (end - start) if end > start else 0.0

    def seconds_left(self, now: float, total: int) -> float | None:
        """Return the smoothed seconds until `total` is done; None while it is too early to estimate."""
        rate = self.rate()
        if self._begun is None or not self._told or rate <= 0 or total <= 0:
            return None
        done = self._told[-1][1]
        if now - self._begun < _FIRST_SECONDS or done < _FIRST_SHARE * total:
            return None
        left = (total - done) / rate
        self._left = left if self._left is None else self._left + _SMOOTHING * (left - self._left)
        return self._left
