"""Compute counts under other demands in advance, so that no step of a slider has to wait."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from dupfinder.base.progress import Reporter
from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit.jobs import Job
from dupfinder.review.session import Counts, ReviewSession

SMALL: Final = 20_000  # documents: for fewer, a demand takes less than a frame and nothing is prepared
AT_ONCE: Final = (
    300_000  # documents: up to here a demand takes less than a tenth of a second, so nobody waits for a job
)


class CountsAhead(QObject):
    """Asks a session for counts: immediately for scans of up to `at_once` documents, else in jobs.

    Computing the counts of a demand also prepares its groups, so a change to it is quick. `counted` is emitted for each
    demand whose counts were computed in a job.
    """

    counted = Signal(object)  # Demand

    def __init__(
        self, session: ReviewSession, parent: QObject | None = None, *, small: int = SMALL, at_once: int = AT_ONCE
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._known: dict[Demand, Counts] = {}
        self._edition = session.edition
        self._wanted: list[Demand] = []
        self._job: Job | None = None
        self._prepares = len(session.result.documents) > small
        self._at_once = len(session.result.documents) <= at_once

    def counts(self, demand: Demand) -> Counts | None:
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

    def known(self, demand: Demand) -> Counts | None:
        """Return the counts under a demand if that takes no longer than a frame; else None."""
        return self._known.get(demand) if self._prepares else self.counts(demand)

    def prepare(self, demands: Sequence[Demand]) -> None:
        """Compute the counts of these demands, in this order, after requested ones."""
        self._wanted = [demand for demand in dict.fromkeys(demands) if demand not in self._known]
        self._go_on()

    def stop(self) -> None:
        """Stop all computation."""
        self._wanted = []
        self._prepares = False
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job.stop()
            self._job = None

    def _go_on(self) -> None:
        if self._job is not None or not self._prepares or not self._wanted:
            return
        demand = self._wanted.pop(0)
        job = self._job = Job(partial(_count, self._session, demand))
        job.succeeded.connect(partial(self._done, demand, self._session.edition))
        job.failed.connect(self._broke)
        job.start()

    def _done(self, demand: Demand, edition: int, counts: Counts) -> None:
        self._job = None
        if edition == self._session.edition:
            self._known[demand] = counts
            self.counted.emit(demand)
        self._go_on()

    def _broke(self, error: Exception) -> None:
        self._job = None


def _count(session: ReviewSession, demand: Demand, reporter: Reporter) -> Counts:
    reporter.check()
    return session.prepare(demand)
