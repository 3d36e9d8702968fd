"""Progress of a job: a bar, its rate as a line, and the estimated time left."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QProgressBar, QWidget

from dupfinder.gui.kit.theme import Theme, smooth_painter

_SECONDS: Final = 60  # samples of a sparkline

_WINDOW: Final = 30.0  # seconds over which the rate is measured
_FIRST_SECONDS: Final = 10.0  # no time left is shown before this, and before _FIRST_SHARE is done
_FIRST_SHARE: Final = 0.02
_SMOOTHING: Final = 0.2  # weight of the newest estimate, so that the shown one does not jump


class ProgressBar(QProgressBar):
    """A thin progress bar."""

    def __init__(self, name: str) -> None:
        super().__init__(maximum=1000, textVisible=False)
        self.setAccessibleName(name)

    def set_share(self, share: float) -> None:
        """Set the share that is done, 0..1."""
        self.setValue(round(1000 * min(1.0, max(0.0, share))))


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


class RateMeter:
    """Measures a rate from counts and their times, in seconds of any steady clock."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()
        self._begun = 0.0
        self._smoothed: float | None = None

    def note(self, now: float, done: int) -> None:
        """Record that `done` units are done at the time `now`.

        A smaller count than the last restarts the measurement.
        """
        if not self._samples or done < self._samples[-1][1]:
            self._samples.clear()
            self._begun, self._smoothed = now, None
        self._samples.append((now, done))
        while len(self._samples) > 2 and now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()

    def rate(self) -> float:
        """Return units per second over the last half minute."""
        if len(self._samples) < 2:
            return 0.0
        (start, first), (end, last) = self._samples[0], self._samples[-1]
        return (last - first) / (end - start) if end > start else 0.0

    def seconds_remaining(self, now: float, total: int) -> float | None:
        """Return the smoothed seconds until `total` is done; None while it is too early to estimate."""
        rate = self.rate()
        if rate <= 0 or total <= 0:
            return None
        done = self._samples[-1][1]
        if now - self._begun < _FIRST_SECONDS or done < _FIRST_SHARE * total:
            return None
        remaining = (total - done) / rate
        before = remaining if self._smoothed is None else self._smoothed
        self._smoothed = before + _SMOOTHING * (remaining - before)
        return self._smoothed
