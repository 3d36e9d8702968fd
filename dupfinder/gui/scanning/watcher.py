"""Watch the folders of the last scan, and tell of new documents that are like others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from dupfinder.base.errors import DupfinderError
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.jobs import Job

if TYPE_CHECKING:
    from dupfinder.scan.request import ScanRequest


class Watcher(QObject):
    """Scans folders again in a job whenever their files change.

    `news(text, number)` is emitted when a later scan holds new documents with relatives: a sentence, and the number of
    that scan. `ended(text)` is emitted when the folders can no longer be watched, with the reason.
    """

    news = Signal(str, int)
    ended = Signal(str)
    _arrived = Signal(object)  # from the job's thread

    def __init__(self, library: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._job: Job | None = None
        self._arrived.connect(self._tell)

    @property
    def is_watching(self) -> bool:
        """Whether folders are watched."""
        return self._job is not None

    def watch(self, request: ScanRequest, number: int) -> None:
        """Watch the folders of a finished scan. number: of this scan in the library."""
        assert self._job is None
        job = Job(partial(tasks.watch, self._library, request, number, self._arrived.emit), self)
        job.failed.connect(self._failed)
        job.start()
        self._job = job

    def stop(self, then: Callable[[], None]) -> None:
        """Stop watching; call `then` when the library is free, at once if nothing is watched."""
        job, self._job = self._job, None
        if job is None or not job.is_running():
            then()
            return
        job.stopped.connect(then)
        job.failed.connect(lambda _: then())
        job.stop()

    @Slot(object)
    def _tell(self, arrival: tasks.Arrival) -> None:
        if self._job is not None:
            text = self.tr("%n new document(s) like others in the watched folders.", "", arrival.documents)
            self.news.emit(text, arrival.number)

    @Slot(object)
    def _failed(self, error: BaseException) -> None:
        if self._job is None:
            return  # it was asked to stop
        self._job = None
        if not isinstance(error, DupfinderError):
            raise error
        from dupfinder.wording.errors import sentence  # slow to import, and rarely needed

        self.ended.emit(self.tr("The folders are no longer watched: {reason}").format(reason=sentence(error)))
