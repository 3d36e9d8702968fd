"""Run long work in a thread; each job ends with exactly one signal."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, SignalInstance, Slot

from dupfinder.base.errors import DupfinderError
from dupfinder.base.progress import LatestProgress, Progress, Reporter, Stopped

POLL_MS: Final = 100  # ten updates a second look smooth and cost the worker nothing
Work = Callable[[Reporter], Any]
Receiver = Callable[..., object] | SignalInstance

_log = logging.getLogger(__name__)
_running: set[Job] = set()  # keeps a job alive until its thread has ended


class _Runner(QThread):
    """Runs the work and emits `ended(value, error)` once; error: None after success, Stopped, or why it failed."""

    ended = Signal(object, object)

    def __init__(self, work: Work, latest: LatestProgress) -> None:
        super().__init__()
        self._work: Work | None = work
        self._latest = latest

    def run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        value, error = _carry_out(work, self._latest)
        del work  # release the objects of the work before the signal
        self.ended.emit(value, error)


def _carry_out(work: Work, latest: LatestProgress) -> tuple[Any, Exception | None]:
    try:
        return work(latest), None
    except (Stopped, DupfinderError) as error:
        return None, error
    except Exception as error:  # noqa: BLE001 - any exception of a job must reach the window as its end
        _log.exception("a job failed unexpectedly")
        return None, error


class Job(QObject):
    """One piece of long work.

    Exactly one of `succeeded(value)`, `failed(error)` and `stopped()` is emitted, in the window's thread;
    `progressed(Progress)` at most ten times a second before that, never after. Nothing is emitted after `give_up`, or
    after the owner was deleted: then its work still goes on to its end, since a removal must not be cut off by that.
    """

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()

    def __init__(self, work: Work, owner: QObject | None = None) -> None:
        super().__init__()  # without a parent: a deleted job would never learn of the end of its thread
        if owner is not None:
            owner.destroyed.connect(self._stop_reporting)
        self._latest = LatestProgress()
        self._emitted: Progress | None = None
        self._runner = _Runner(work, self._latest)
        self._runner.ended.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._tell_progress)

    def start(
        self,
        *,
        succeeded: Receiver | None = None,
        failed: Receiver | None = None,
        stopped: Receiver | None = None,
        progressed: Receiver | None = None,
    ) -> Job:
        """Start the thread, once, with the receivers of its signals. Return the job itself."""
        signals = (self.succeeded, self.failed, self.stopped, self.progressed)
        for signal, receiver in zip(signals, (succeeded, failed, stopped, progressed), strict=True):
            if receiver is not None:
                signal.connect(receiver)
        _running.add(self)
        self._timer.start()
        self._runner.start()
        return self

    def stop(self) -> None:
        """Request the work to end at its next check."""
        self._latest.stop()

    def give_up(self) -> None:
        """Request the work to end, and emit nothing any more."""
        if self.is_running():
            self.blockSignals(True)
            self.stop()

    def is_running(self) -> bool:
        """Tell whether the work has not ended yet, or its end was not handled yet."""
        return self in _running

    def wait(self, milliseconds: int | None = None) -> bool:
        """Wait for the thread: when the program ends, or in another job. Return whether it has ended."""
        return self._runner.wait() if milliseconds is None else self._runner.wait(milliseconds)

    @Slot()
    def _stop_reporting(self) -> None:
        self.blockSignals(True)

    @Slot()
    def _tell_progress(self) -> None:
        newest = self._latest.newest()
        if newest is not None and newest is not self._emitted:
            self._emitted = newest
            self.progressed.emit(newest)

    @Slot(object, object)
    def _end(self, value: object, error: Exception | None) -> None:
        self._timer.stop()
        self._tell_progress()
        self._runner.wait()
        _running.discard(self)
        if error is None:
            self.succeeded.emit(value)
        elif isinstance(error, Stopped):
            self.stopped.emit()
        else:
            self.failed.emit(error)
        self.deleteLater()  # with it go its connections, which keep the receivers alive


class OneJob:
    """At most one job of an object at a time. owner: as for `Job`."""

    def __init__(self, owner: QObject | None = None) -> None:
        self._owner = owner
        self._job: Job | None = None

    @property
    def is_running(self) -> bool:
        """Whether the newest job has not ended yet, and was not given up."""
        return self._job is not None and self._job.is_running()

    def start(self, work: Work, **receivers: Receiver) -> None:
        """Start a job in place of the one that is running; as `Job.start`."""
        self.give_up()
        self._job = Job(work, self._owner).start(**receivers)

    def give_up(self) -> Job | None:
        """Request the work to end, and emit nothing any more; return the job if it has not ended yet."""
        job, self._job = self._job, None
        if job is None or not job.is_running():
            return None
        job.give_up()
        return job


def close_after(job: Job | None, close: Callable[[], object]) -> None:
    """Close what a job uses once it has ended: beside the window, which need not wait for it. None: at once."""
    if job is None:
        close()
    else:
        Job(lambda _reporter: job.wait() and close()).start()


def stop_all(milliseconds: int = 5000) -> bool:
    """Stop all jobs and wait for their threads, when the program ends. Return whether all have ended."""
    for job in _running:
        job.stop()
    for job in [job for job in _running if job.wait(milliseconds)]:
        _running.discard(job)
    return not _running
