"""How fast a job goes and how long it still takes, from the counts it tells. No Qt."""

from __future__ import annotations

from collections import deque
from typing import Final

_WINDOW: Final = 30.0  # seconds the rate is taken over
_FIRST_SECONDS: Final = 10.0  # before this, and before this share is done, no time left is told
_FIRST_SHARE: Final = 0.02
_SMOOTHING: Final = 0.2  # weight of the newest estimate; the told one then moves without jumping


class Pace:
    """Counts with their times, in seconds of any steady clock."""

    def __init__(self) -> None:
        self._told: deque[tuple[float, int]] = deque()
        self._begun: float | None = None
        self._left: float | None = None

    def note(self, now: float, done: int) -> None:
        """`done` units are done now. A count below the last one begins anew."""
        if self._begun is None or (self._told and done < self._told[-1][1]):
            self._told.clear()
            self._begun, self._left = now, None
        self._told.append((now, done))
        while len(self._told) > 2 and now - self._told[0][0] > _WINDOW:
            self._told.popleft()

    def rate(self) -> float:
        """Units a second over the last half minute."""
        if len(self._told) < 2:
            return 0.0
        (start, first), (end, last) = self._told[0], self._told[-1]
        return (last - first) / (end - start) if end > start else 0.0

    def seconds_left(self, now: float, total: int) -> float | None:
        """Seconds until `total`, smoothed; None while it is too early to say."""
        rate = self.rate()
        if self._begun is None or not self._told or rate <= 0 or total <= 0:
            return None
        done = self._told[-1][1]
        if now - self._begun < _FIRST_SECONDS or done < _FIRST_SHARE * total:
            return None
        left = (total - done) / rate
        self._left = left if self._left is None else self._left + _SMOOTHING * (left - self._left)
        return self._left
