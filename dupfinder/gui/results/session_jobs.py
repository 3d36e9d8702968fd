"""What is done with a session beside the window's thread: checks of its files, and the acts of a large one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from dupfinder.base.errors import DupfinderError
from dupfinder.base.progress import Reporter
from dupfinder.base.stamp import FileStamp
from dupfinder.gui.kit.jobs import Job, OneJob
from dupfinder.review.acts import ActRunner
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession

CHECK_EVERY: Final = 500  # files between two checks whether to stop


class FileWatch(QObject):
    """Informs a session which documents are missing or changed, and which are unchanged again.

    Files in a folder that is itself missing do not count as missing: its drive may be disconnected.
    """

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._ignored: set[int] = set()
        self._job = OneJob()
        self._again: tuple[Sequence[int] | None] | None = None  # the check that was requested during another

    def look(self, rows: Sequence[int] | None = None) -> None:
        """Check the files of some documents, or of all in groups, once a running check has ended."""
        if self._job.is_running:
            self._again = (rows,) if self._again != (None,) else (None,)
            return
        work, looked = partial(_news, self._session, rows=rows), partial(self._looked, self._session.edition)
        self._job.start(work, succeeded=looked, failed=self._ended, stopped=self._ended)

    def ignore(self, documents: Iterable[int]) -> None:
        """Exclude documents from checks: they count as missing although their names exist."""
        self._ignored.update(documents)

    def include(self, documents: Iterable[int]) -> None:
        """Include excluded documents again."""
        self._ignored.difference_update(documents)

    def stop(self) -> None:
        self._again = None
        self._job.give_up()

    def _looked(self, edition: int, news: Mapping[int, FileState]) -> None:
        """Inform the session of new states, unless files were removed or restored during the check."""
        session = self._session
        if edition == session.edition:
            changes: dict[FileState, list[int]] = {}
            for row, state in news.items():
                if row not in self._ignored:
                    changes.setdefault(state, []).append(row)
            for state, rows in changes.items():
                session.note_files(rows, state)
        self._ended()

    def _ended(self, *_error: object) -> None:
        if self._again is not None:
            (rows,), self._again = self._again, None
            self.look(rows)


def _news(session: ReviewSession, reporter: Reporter, rows: Sequence[int] | None) -> dict[int, FileState]:
    """Return the states of files that differ from the session's."""
    states = file_states(session, reporter, rows).items()
    return {row: state for row, state in states if session.file_state(row) is not state}


def file_states(session: ReviewSession, reporter: Reporter, rows: Sequence[int] | None = None) -> dict[int, FileState]:
    """Return the states of the files of some documents, or of all in groups.

    A file whose folder cannot be reached counts as unchanged; a file with another size or time has changed.
    """
    roots = session.result.summary.roots
    unreachable = tuple(os.path.join(path, "") for path, _ in roots if not os.path.lexists(path))
    documents = session.result.documents
    states = {}
    for number, row in enumerate(np.sort(session.all_clusters().members).tolist() if rows is None else rows):
        if number % CHECK_EVERY == 0:
            reporter.check()
        file = int(documents.archive[row]) if documents.archive[row] >= 0 else row
        path = documents.paths[file]
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            states[row] = FileState.THERE if path.startswith(unreachable) else FileState.GONE
        except OSError:
            states[row] = FileState.THERE
        else:
            stamp = FileStamp.of(Path(path), status)
            same = (stamp.size, stamp.mtime_ns) == (documents.size[file], documents.mtime_ns[file])
            states[row] = FileState.THERE if same else FileState.CHANGED
    return states


LARGE_SCAN: Final = 20_000  # documents: for fewer, a decision takes less than a frame
BUSY_MS: Final = 300  # before the window says that it works

_Done = Callable[[Callable[[], Any]], None]


class ActQueue(QObject):
    """Carries out the acts of a large session in jobs, in order; see `ActRunner`. A small session needs no jobs."""

    busy = Signal(bool)  # whether an act takes longer than a moment
    failed = Signal(object)  # Exception

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._acts: deque[tuple[Callable[[], Any], _Done]] = deque()
        self._job = OneJob()
        self._working = QTimer(self, singleShot=True, interval=BUSY_MS)
        self._working.timeout.connect(partial(self.busy.emit, True))
        if len(session.result.documents) > LARGE_SCAN:
            session.doing.carrier = self._add

    def _add(self, act: Callable[[], Any], done: _Done) -> None:
        self._acts.append((act, done))
        if not self._job.is_running:
            self._working.start()
            self._go_on()

    def _go_on(self) -> None:
        """Begin the next act, unless one is under way."""
        if self._job.is_running:
            return
        if not self._acts:
            self._working.stop()
            self.busy.emit(False)
            return
        act, done = self._acts.popleft()
        work = partial(self._session.doing.run_beside, act)  # without this object, which belongs to the window
        self._job.start(lambda _reporter: work(), succeeded=partial(self._carried_out, done), failed=self._broke)

    def _carried_out(self, done: _Done, outcome: Callable[[], Any]) -> None:
        try:
            done(outcome)
        except DupfinderError as error:
            self.failed.emit(error)
        self._go_on()

    def _broke(self, error: Exception) -> None:
        self.failed.emit(error)
        self._go_on()

    def stop(self) -> None:
        """Show no results any more; acts that have not begun are carried out, so that no decision is lost."""
        acts, self._acts = [act for act, _ in self._acts], deque()
        self._working.stop()
        under_way = self._job.give_up()
        if acts:
            Job(partial(_carry_out_rest, self._session.doing, acts, under_way)).start()


def _carry_out_rest(doing: ActRunner, acts: Iterable[Callable[[], Any]], under_way: Job | None, _: Reporter) -> None:
    """Carry out acts in order, once the one under way has ended; those that are refused change nothing."""
    if under_way is not None:
        under_way.wait()
    for act in acts:
        doing.run_beside(act)
