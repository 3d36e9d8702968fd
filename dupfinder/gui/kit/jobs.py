"""The one door for long work: a function runs in a thread of its own and ends with exactly one signal."""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from dupfinder.base.errors import DupfinderError
from dupfinder.base.progress import Latest, Progress, Reporter, Stopped

POLL_MS: Final = 100  # ten looks a second: smooth to the eye, nothing to the worker
Work = Callable[[Reporter], Any]

_log = logging.getLogger(__name__)
_running: set[Job] = set()  # a job lives until its thread has ended, whoever started it


class _End(Enum):
    SUCCEEDED = auto()
    FAILED = auto()
    STOPPED = auto()


class _Runner(QThread):
    """Runs the work and says once how it ended."""

    ended = Signal(object, object)

    def __init__(self, work: Work, latest: Latest) -> None:
        super().__init__()
        self._work: Work | None = work
        self._latest = latest

    def run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        end, value = _carry_out(work, self._latest)
        del work  # what the work holds is let go here, before anyone is told
        self.ended.emit(end, value)


def _carry_out(work: Work, latest: Latest) -> tuple[_End, Any]:
    try:
        return _End.SUCCEEDED, work(latest)
    except Stopped:
        return _End.STOPPED, None
    except DupfinderError as error:
        return _End.FAILED, error
    except Exception as error:  # noqa: BLE001 - the door: whatever a job raises must reach the window as its one end
        _log.exception("a job failed unexpectedly")
        return _End.FAILED, error


class Job(QObject):
    """One piece of long work. Exactly one of `succeeded(value)`, `failed(error)` and `stopped()` is told, in the
    window's thread; `progressed(Progress)` at most ten times a second before that, never after."""

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._latest = Latest()
        self._told: Progress | None = None
        self._runner = _Runner(work, self._latest)
        self._runner.ended.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._look)

    def start(self) -> Job:
        """Begin, once. Returns the job itself."""
        _running.add(self)
        self._timer.start()
        self._runner.start()
        return self

    def stop(self) -> None:
        """Ask the work to end at its next check."""
        self._latest.stop()

    def is_running(self) -> bool:
        """Whether the end has not been told yet."""
        return self in _running

    def wait(self, milliseconds: int) -> bool:
        """Wait for the thread itself; for the end of the program. Whether it has ended."""
        return self._runner.wait(milliseconds)

    @Slot()
    def _look(self) -> None:
        newest = self._latest.newest()
        if newest is not None and newest is not self._told:
            self._told = newest
            self.progressed.emit(newest)

    @Slot(object, object)
    def _end(self, end: _End, value: object) -> None:
        self._timer.stop()
        self._look()
        self._runner.wait()
        _running.discard(self)
        if end is _End.SUCCEEDED:
            self.succeeded.emit(value)
        elif end is _End.FAILED:
            self.failed.emit(value)
        else:
            self.stopped.emit()


def running() -> int:
    """How many jobs have not told their end."""
    return len(_running)


def stop_all(milliseconds: int = 5000) -> bool:
    """Stop every running job and wait for the threads; for the end of the program. Whether all have ended."""
    for job in _running:
        job.stop()
    for job in [job for job in _running if job.wait(milliseconds)]:
        _running.discard(job)
    return not _running
