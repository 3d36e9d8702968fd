"""Carries out the decisions about a large scan beside the window, one after the other, in the order of the keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from dupfinder.base.errors import DupfinderError, PlanError
from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.jobs import Job
from dupfinder.review.session import ReviewSession

LARGE: Final = 20_000  # documents: for fewer, a decision takes less than a frame
BUSY_MS: Final = 300  # before the window says that it works

_Act = tuple[Callable[[], Any], Callable[[Any], object], Callable[[PlanError], object] | None]


class Carrier(QObject):
    """Carries out the acts of a session; see `ReviewSession.do`. A session of a small scan carries them out itself."""

    busy = Signal(bool)  # whether an act takes longer than a moment
    failed = Signal(object)  # Exception

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._acts: deque[_Act] = deque()
        self._job: Job | None = None
        self._working = QTimer(self, singleShot=True, interval=BUSY_MS)
        self._working.timeout.connect(partial(self.busy.emit, True))
        if len(session.result.documents) > LARGE:
            session.doing.carrier = self._add

    def _add(
        self, act: Callable[[], Any], done: Callable[[Any], object], refused: Callable[[PlanError], object] | None
    ) -> None:
        self._acts.append((act, done, refused))
        if self._job is None:
            self._working.start()
            self._go_on()

    def _go_on(self) -> None:
        if not self._acts:
            self._working.stop()
            self.busy.emit(False)
            return
        act, done, refused = self._acts.popleft()
        self._job = Job(partial(_carry_out, self._session, act)).start(
            succeeded=partial(self._carried_out, done, refused), failed=self._broke
        )

    def _carried_out(
        self, done: Callable[[Any], object], refused: Callable[[PlanError], object] | None, show: Callable[[], Any]
    ) -> None:
        self._job = None
        try:
            result = show()
        except DupfinderError as error:
            if refused is not None and isinstance(error, PlanError):
                refused(error)
            else:
                self.failed.emit(error)
        else:
            done(result)
        self._next()

    def _broke(self, error: Exception) -> None:
        self._job = None
        self.failed.emit(error)
        self._next()

    def _next(self) -> None:
        if self._job is None:  # else what was done has added an act, which has begun
            self._go_on()

    def stop(self) -> None:
        """Discard acts that have not begun; of the one that is under way nothing is shown."""
        self._acts.clear()
        self._working.stop()
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job = None


def _carry_out(session: ReviewSession, act: Callable[[], Any], _reporter: Reporter) -> Callable[[], Any]:
    return session.doing.beside(act)
