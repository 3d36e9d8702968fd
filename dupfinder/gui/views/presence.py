"""Which documents of a scan are still there: looked up off the window's thread, told to the session."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Slot

from dupfinder.base.progress import Reporter
from dupfinder.gui.jobs import Job
from dupfinder.review.session import ReviewSession

CHECK_EVERY = 500  # files between two looks at whether to stop


class Presence(QObject):
    """Tells a session which documents have gone, and which are back.

    Nothing below a folder that is itself missing counts as gone: a drive that is not connected has lost nothing.
    """

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._missing: frozenset[int] = frozenset()
        self._job: Job | None = None

    def look(self, rows: Sequence[int] | None = None) -> None:
        """Look again at some documents, or at all in groups, unless a look is under way."""
        if self._job is None:
            self._job = Job(partial(_look, self._session, rows))
            self._job.succeeded.connect(self._looked)
            self._job.failed.connect(self._ended)
            self._job.stopped.connect(self._ended)
            self._job.start()

    def note_gone(self, documents: Iterable[int]) -> None:
        """These were removed just now; the session knows."""
        self._missing |= frozenset(documents)

    def note_back(self, documents: Iterable[int]) -> None:
        """These were restored just now; the session knows."""
        self._missing -= frozenset(documents)

    def stop(self) -> None:
        """Look no more."""
        if self._job is not None:
            self._job.succeeded.disconnect(self._looked)
            self._job.stop()
            self._job = None

    @Slot(object)
    def _looked(self, told: tuple[frozenset[int], frozenset[int] | None]) -> None:
        self._job = None
        missing, asked = told
        before = self._missing if asked is None else self._missing & asked
        gone, back = missing - before, before - missing
        self._missing = (self._missing | gone) - back
        if gone:
            self._session.forget(gone)
        if back:
            self._session.returned(back)

    def _ended(self, *_error: object) -> None:
        self._job = None


def _look(
    session: ReviewSession, rows: Sequence[int] | None, reporter: Reporter
) -> tuple[frozenset[int], frozenset[int] | None]:
    """(those that are missing, those that were looked at; None for all)."""
    return missing_documents(session, reporter, rows), None if rows is None else frozenset(rows)


def missing_documents(
    session: ReviewSession, reporter: Reporter, chosen: Sequence[int] | None = None
) -> frozenset[int]:
    """The rows of documents that are not there, below folders that are: of some, or of all in groups."""
    roots = [os.path.join(path, "") for path, role in session.result.summary.roots if not os.path.lexists(path)]
    away = tuple(roots)
    documents = session.result.documents
    rows = np.unique_values(session.present().members).tolist() if chosen is None else chosen
    missing = []
    for place, row in enumerate(rows):
        if place % CHECK_EVERY == 0:
            reporter.check()
        path = str(documents.file_of(row))
        if not os.path.lexists(path) and not path.startswith(away):
            missing.append(row)
    return frozenset(missing)
