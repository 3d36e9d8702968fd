"""Counts for radii other than the present one, worked out ahead so that no step of the slider waits."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from dupfinder.base.progress import Reporter
from dupfinder.gui.jobs import Job
from dupfinder.review.session import Counts, ReviewSession

SMALL: Final = 20_000  # documents: up to here a radius takes less than a frame, and is worked out when it is asked for


class CountsAhead(QObject):
    """Asks a session for its counts: at once for small scans, else in jobs, from the present radius outwards.

    Working out the counts of a radius also prepares its clusters, so moving there is quick afterwards.
    """

    counted = Signal(int)  # radius

    def __init__(self, session: ReviewSession, parent: QObject | None = None, *, small: int = SMALL) -> None:
        super().__init__(parent)
        self._session = session
        self._known: dict[int, Counts] = {}
        self._of = (session.min_similarity, session.edition)
        self._wanted: int | None = None
        self._job: Job | None = None
        self._small = len(session.result.documents) <= small

    def counts(self, radius: int) -> Counts | None:
        """The counts of a radius; None while they are being worked out: `counted` tells when they are there."""
        if self._of != (of := (self._session.min_similarity, self._session.edition)):
            self._of = of
            self._known.clear()
        if radius not in self._known:
            if self._small or radius == self._session.radius:
                self._known[radius] = self._session.counts(radius)
            else:
                self._wanted = radius
                self._go_on()
        return self._known.get(radius)

    def stop(self) -> None:
        """Work out no more."""
        self._wanted = None
        self._small = True
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job.stop()
            self._job = None

    def _go_on(self) -> None:
        if self._job is not None or self._small:
            return
        radius = self._next()
        if radius is None:
            return
        job = self._job = Job(partial(_count, self._session, radius))
        job.succeeded.connect(partial(self._done, radius, (self._session.min_similarity, self._session.edition)))
        job.failed.connect(self._broke)
        job.start()

    def _next(self) -> int | None:
        """What was asked for last, then the unknown radius nearest to the present one."""
        if self._wanted is not None and self._wanted not in self._known:
            return self._wanted
        here = self._session.radius
        unknown = [one for one in range(self._session.widest_radius + 1) if one not in self._known]
        return min(unknown, key=lambda one: (abs(one - here), -one), default=None)

    def _done(self, radius: int, of: tuple[float, int], counts: Counts) -> None:
        self._job = None
        if of == (self._session.min_similarity, self._session.edition):
            self._known[radius] = counts
            self.counted.emit(radius)
        self._go_on()

    def _broke(self, error: Exception) -> None:
        self._job = None


def _count(session: ReviewSession, radius: int, reporter: Reporter) -> Counts:
    reporter.check()
    return session.counts(radius)
