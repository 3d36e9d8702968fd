"""Another least similarity: a job works the clusters out, and the session goes over to them when they are there."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from dupfinder.base.progress import Reporter
from dupfinder.gui.jobs import Job
from dupfinder.review.grouping import Grouping
from dupfinder.review.session import ReviewSession


class Regrouping(QObject):
    """Of several wishes in a row, the last one counts."""

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._job: Job | None = None
        self._wanted: float | None = None

    def ask(self, similarity: float) -> None:
        """Group at this least similarity as soon as may be."""
        self._wanted = similarity
        self._go_on()

    def stop(self) -> None:
        """Go over to nothing any more."""
        self._wanted = None
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job = None

    def _go_on(self) -> None:
        if self._job is not None or self._wanted is None:
            return
        wanted, self._wanted = self._wanted, None
        job = self._job = Job(partial(_regroup, self._session, wanted))
        job.succeeded.connect(self._done)
        job.failed.connect(self._broke)
        job.start()

    def _done(self, grouping: Grouping) -> None:
        self._job = None
        if self._wanted is None:
            self._session.take(grouping)
        self._go_on()

    def _broke(self, _: Exception) -> None:
        self._job = None
        self._go_on()


def _regroup(session: ReviewSession, similarity: float, reporter: Reporter) -> Grouping:
    reporter.check()
    made = session.regrouped(similarity)
    _ = made.histogram  # what the card draws first
    return made
