"""Watch the folders of the last scan, and tell of new documents that are like others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from dupfinder.base.errors import DupfinderError, RootError
from dupfinder.base.settings import WATCH, Settings
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.messages import error_sentence
from dupfinder.wording.catalogue import say, say_count

if TYPE_CHECKING:
    from dupfinder.scan.request import ScanRequest


class Watcher(QObject):
    """Scans folders again in a job whenever their files change, if the settings say so.

    `news(text, number)` is emitted when a later scan holds new documents with relatives: a sentence, and the number of
    that scan. `trouble(text)` is emitted with the reason when a folder cannot be read now and is waited for, or when
    the folders can no longer be watched.
    """

    news = Signal(str, int)
    trouble = Signal(str)
    _arrived = Signal(int, int)  # new documents, number of the scan; from the job's thread
    _away = Signal(object)  # the error; from the job's thread

    def __init__(self, library: Path, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library, self._settings = library, settings
        self._request: ScanRequest | None = None
        self._job: Job | None = None
        self._next: Callable[[ScanRequest], object] | None = None  # begins the scan for which watching stops
        self._arrived.connect(self._tell)
        self._away.connect(self._tell_away)

    def begin(self, request: ScanRequest, run: Callable[[ScanRequest], object]) -> None:
        """Run a scan that the person asked for, once watching has stopped and the library is free."""
        self._request = request
        if self._job is None:
            run(request)
        else:
            self._next = run
            self._job.stop()

    def scan_ended(self, number: int) -> None:
        """Begin to watch the folders of the last scan, if the person wants so. number: of the scan in the library."""
        if self._settings.get(WATCH) and self._request is not None and self._job is None:
            work = partial(tasks.watch, self._library, self._request, number, self._arrived.emit, self._away.emit)
            self._job = Job(work, self).start(stopped=self._stopped, failed=self._failed)

    @Slot()
    def follow_setting(self) -> None:
        """Stop watching if the person wants so no more; it begins again after the next scan that ends."""
        if self._job is not None and not self._settings.get(WATCH):
            self._job.stop()

    @Slot(int, int)
    def _tell(self, documents: int, number: int) -> None:
        if self._job is not None and self._next is None:
            text = say_count(
                "{count} new document in the watched folders is like others.",
                "{count} new documents in the watched folders are like others.",
                documents,
            )
            self.news.emit(text, number)

    @Slot(object)
    def _tell_away(self, error: RootError) -> None:
        from dupfinder.wording.errors import away_sentence  # slow to import, and rarely needed

        if self._job is not None and self._next is None:
            self.trouble.emit(away_sentence(error))

    def _stopped(self) -> None:
        self._job, run, self._next = None, self._next, None
        if run is not None and self._request is not None:
            run(self._request)

    def _failed(self, error: BaseException) -> None:
        is_making_way = self._next is not None
        self._stopped()
        if is_making_way:
            return
        if not isinstance(error, DupfinderError):
            raise error
        self.trouble.emit(say("The folders are no longer watched: {reason}", reason=error_sentence(error)))
