"""Which files of a scan are gone or changed since: looked up off the window's thread, told to the session."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Slot

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.jobs import Job
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession

CHECK_EVERY: Final = 500  # files between two looks at whether to stop


class FileWatch(QObject):
    """Tells a session which documents are gone or changed, and which are as they were scanned again.

    Nothing below a folder that is itself missing counts as gone: a drive that is not connected has lost nothing.
    """

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._ignored: set[int] = set()
        self._job: Job | None = None
        self._again: tuple[Sequence[int] | None] | None = None  # the look that was asked for during another

    def look(self, rows: Sequence[int] | None = None) -> None:
        """Look at the files of some documents, or of all in groups; after the look that is under way."""
        if self._job is not None:
            self._again = (rows,) if self._again != (None,) else (None,)
            return
        self._job = Job(partial(_news, self._session, rows=rows))
        self._job.succeeded.connect(partial(self._looked, self._session.edition))
        self._job.failed.connect(self._ended)
        self._job.stopped.connect(self._ended)
        self._job.start()

    def ignore(self, documents: Iterable[int]) -> None:
        """Look at these no more: they count as gone though their names are there."""
        self._ignored.update(documents)

    def include(self, documents: Iterable[int]) -> None:
        """Look at these again."""
        self._ignored.difference_update(documents)

    def stop(self) -> None:
        """Look no more."""
        self._again = None
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.stop()
            self._job = None

    def _looked(self, edition: int, news: Mapping[int, FileState]) -> None:
        """Tell the session what is new; not when files were removed or restored meanwhile, for the look is older."""
        session = self._session
        if edition == session.edition:
            changes: dict[FileState, list[int]] = {}
            for row, state in news.items():
                if row not in self._ignored:
                    changes.setdefault(state, []).append(row)
            for state, rows in changes.items():
                session.note_files(rows, state)
        self._ended()

    @Slot()
    def _ended(self, *_error: object) -> None:
        self._job = None
        if self._again is not None:
            (rows,), self._again = self._again, None
            self.look(rows)


def _news(session: ReviewSession, reporter: Reporter, rows: Sequence[int] | None) -> dict[int, FileState]:
    """The states of files that are other than the session knows."""
    states = file_states(session, reporter, rows).items()
    return {row: state for row, state in states if session.file_state(row) is not state}


def file_states(session: ReviewSession, reporter: Reporter, rows: Sequence[int] | None = None) -> dict[int, FileState]:
    """Return what became of the files of some documents, or of all in groups. A file whose folder cannot be reached
    counts as it was; one that has another size or time of change than when it was read has changed."""
    roots = [os.path.join(path, "") for path, _ in session.result.summary.roots if not os.path.lexists(path)]
    away = tuple(roots)
    documents = session.result.documents
    states = {}
    for place, row in enumerate(np.sort(session.present().members).tolist() if rows is None else rows):
        if place % CHECK_EVERY == 0:
            reporter.check()
        file = int(documents.archive[row]) if documents.archive[row] >= 0 else row
        path = documents.paths[file]
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            states[row] = FileState.THERE if path.startswith(away) else FileState.GONE
        except OSError:
            states[row] = FileState.THERE
        else:
            same = status.st_size == documents.size[file] and status.st_mtime_ns == documents.mtime_ns[file]
            states[row] = FileState.THERE if same else FileState.CHANGED
    return states
