"""The journal: every act is written to it, and flushed to the disk, before it is done.

The journal is a folder with a file for each batch, `<id>.jsonl`, to which lines are only appended.
An id is the start time and a number that grows with every batch, so that their order does not depend on the clock.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from dupfinder.actions import records
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.outcome import Batch, Intent, Outcome, OutcomeState, Refusal
from dupfinder.actions.places import Json, Place
from dupfinder.actions.plan import Plan, Step
from dupfinder.actions.records import LineKind
from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, InputError, JournalError, RemovalRunning
from dupfinder.base.files import BINARY, Closable, Lock, LockTaken, flush_folder
from dupfinder.base.paths import data_dir

_BEING_UNDONE: Final = frozenset((OutcomeState.RESTORING, OutcomeState.EMPTYING))
_ID: Final = re.compile(r"\d{8}T\d{6}-([0-9a-f]{6,})")


class Log(Closable):
    """The file of one batch, open for appending; a context manager. Each method returns when its line is on the disk.

    Raises JournalError if a line cannot be written: then its act must not be done.
    """

    def __init__(self, path: Path) -> None:
        self.batch_id = path.stem
        self._path = path
        self._begun: dict[int, Intent] = {}
        try:
            with contextlib.ExitStack() as on_fault:
                self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
                on_fault.callback(self.close)
                self._close_cut_line()
                on_fault.pop_all()
        except OSError as fault:
            raise JournalError(path, error_name(fault), self.batch_id) from fault

    def _close_cut_line(self) -> None:
        """Append a line end if a kill has cut the last line."""
        size = os.fstat(self._descriptor).st_size
        if size:
            os.lseek(self._descriptor, size - 1, os.SEEK_SET)
            if os.read(self._descriptor, 1) != b"\n":
                os.write(self._descriptor, b"\n")

    def close(self) -> None:
        os.close(self._descriptor)

    def _append(self, record: Json) -> None:
        """Write a record and flush it to the disk. Raises JournalError."""
        line = memoryview(records.line_of(record))
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
            os.fsync(self._descriptor)
        except OSError as fault:
            raise JournalError(self._path, error_name(fault), self.batch_id) from fault

    def begin(self, started: datetime, scan_name: str, total: int) -> None:
        """Append that the batch begins."""
        begun = {"batch": self.batch_id, "started": started.astimezone(UTC).isoformat()}
        self._append({"line": LineKind.BEGIN, **begun, "scan_name": scan_name, "total": total})

    def end(self, stopped: bool) -> None:
        """Append that the batch ended."""
        self._append({"line": LineKind.END, "stopped": stopped})

    def intend(self, intent: Intent) -> None:
        """Append what a step is about to do."""
        self._append({"line": LineKind.INTEND, **records.fields_of(intent)})
        self._begun[intent.number] = intent

    def done(self, number: int, place: Place) -> None:
        """Append that the step is done, with its intent again, so that undo does not depend on a single line."""
        self.note(LineKind.DONE, number, place=place, intent=self._begun.pop(number, None))

    def refused(self, number: int, refusal: Refusal, at: Path | None = None) -> None:
        """Append that the step was refused. at: the victim's path if it is not the original one."""
        record = {"number": number, "step": refusal.step, "refusal": refusal, "at": at}
        self._append({"line": LineKind.REFUSED, **record})

    def failed(self, number: int, step: Step, failure: str, at: Path | None) -> None:
        """Append that the system did not allow the step. at: as for `refused`."""
        self._append({"line": LineKind.FAILED, "number": number, "step": step, "failure": failure, "at": at})

    def note(
        self,
        kind: LineKind,
        number: int,
        at: Path | None = None,
        *,
        place: Place | None = None,
        intent: Intent | None = None,
    ) -> None:
        """Append what happened to a step that was begun. at: the path that the victim has or is about to get."""
        self._append({"line": kind, "number": number, "place": place, "at": at, "intent": intent})


class Journal:
    """The journal in the folder `path`, created when it is first locked; by default in dupfinder's data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_dir() / "journal"

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the journal: one removal at a time. Raises RemovalRunning, with the holder's process id, if it is taken.

        The system releases the lock when its holder dies. JournalError: nothing can be written here.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = Lock(self.path / "lock", self.path / "holder")
            held.take()
        except LockTaken as other:
            raise RemovalRunning(self.path, other.holder) from other
        except OSError as fault:
            raise JournalError(self.path, error_name(fault)) from fault
        try:
            yield
        finally:
            held.release()

    def begin(self, plan: Plan) -> Log:
        """Create a batch for `plan` and return its log. The journal must be locked. JournalError: nothing was begun."""
        started = datetime.now(UTC)
        batch_id = f"{started:%Y%m%dT%H%M%S}-{1 + max(map(_number_of, self._ids()), default=0):06x}"
        try:
            with contextlib.ExitStack() as on_fault:
                log = on_fault.enter_context(Log(self._file(batch_id)))
                log.begin(started, plan.scan_name, len(plan.steps))
                flush_folder(self.path)
                on_fault.pop_all()
        except (OSError, JournalError) as fault:
            self._drop(batch_id)
            reason = fault.reason if isinstance(fault, JournalError) else error_name(fault)
            raise JournalError(self.path, reason) from fault
        return log

    def reopen(self, batch_id: str) -> Log:
        """Return the log of an existing batch, to append to it. InputError if there is no such batch."""
        return Log(self._file(self._known(batch_id)))

    def _ids(self) -> list[str]:
        """Return the ids of all batches, in no order. Raises OSError where the folder cannot be read."""
        files = map(Path, os.listdir(self.path) if self.path.exists() else ())
        return [file.stem for file in files if file.suffix == ".jsonl" and _is_id(file.stem)]

    def batches(self) -> list[Batch]:
        """Return all batches, newest first."""
        ids = sorted(self._ids(), key=lambda batch_id: (_number_of(batch_id), batch_id), reverse=True)
        return list(map(self._read, ids))

    def current(self) -> list[Batch]:
        """Return all batches, newest first, as they are seen while a process may be at work on one of them.

        That one is `running`; the step in hand counts as not begun.
        """
        batches = self.batches()
        if not any(batch.is_unfinished for batch in batches):
            return batches
        if not self._is_locked():
            return self.batches()  # the process may have ended since they were read
        return [_in_progress(batch) if _may_be_running(batch) else batch for batch in batches]

    def _is_locked(self) -> bool:
        """Tell whether a process is removing or restoring files now."""
        try:
            with self.lock():
                return False
        except RemovalRunning:
            return True
        except JournalError:
            return False

    def batches_naming(self, kind: str) -> list[Batch]:
        """Return the batches with this kind of place or line, in no order; journals without it are not parsed."""
        word, batches = f'"{kind}"'.encode(), []
        with contextlib.suppress(OSError):  # the folder cannot be read
            for batch_id in self._ids():
                with contextlib.suppress(OSError):
                    if word in self._file(batch_id).read_bytes():
                        batches.append(self._read(batch_id))
        return batches

    def batch(self, batch_id: str) -> Batch:
        """Return the batch whose id is, begins or ends with this. Raises InputError unless exactly one matches."""
        return self._read(self._known(batch_id))

    def _read(self, batch_id: str) -> Batch:
        """Return a batch; an unreadable one is empty and damaged."""
        try:
            return records.batch_of(batch_id, self._file(batch_id).read_bytes())
        except OSError:  # a read error affects only this batch
            return Batch(batch_id, records.started_of(batch_id), "", 0, ended=True, damaged=1)

    def unfinished(self) -> list[Batch]:
        """Return the batches that a kill interrupted, newest first."""
        return [batch for batch in self.batches() if batch.is_unfinished]

    def forget_older(self, age: timedelta) -> int:
        """Remove batches older than `age` in which nothing can be undone and no step is open; return their number.

        Damaged batches are kept, because files that they no longer mention may be in a trash. Age counts from now
        or from the start of the second newest batch, whichever is earlier, so that a wrong clock alone removes nothing.
        """
        batches = self.batches()
        if len(batches) < 2:
            return 0
        now = min(datetime.now(UTC), records.started_of(batches[1].id))
        old = [batch for batch in batches if records.started_of(batch.id) < now - age and _is_settled(batch)]
        for batch in old:
            self._drop(batch.id)
        return len(old)

    def _drop(self, batch_id: str) -> None:
        with contextlib.suppress(OSError):  # an old batch that remains does no harm
            self._file(batch_id).unlink(missing_ok=True)

    def _file(self, batch_id: str) -> Path:
        return self.path / f"{batch_id}.jsonl"

    def _known(self, batch_id: str) -> str:
        """Return the full id of a batch. InputError unless exactly one matches."""
        matching = [
            known
            for known in self._ids()
            if batch_id and (known.startswith(batch_id) or known.endswith("-" + batch_id))
        ]
        if batch_id in matching:
            return batch_id
        if len(matching) != 1:
            raise InputError(Fault.SEVERAL_REMOVALS if matching else Fault.NO_REMOVAL, batch=batch_id)
        return matching[0]


def _may_be_running(batch: Batch) -> bool:
    """Tell whether the process that is at work, if there is one, may work on this batch.

    It completes the batches that an earlier process left open before it begins its own; so an open batch is its own.
    """
    return (batch.is_unfinished and not batch.ended) or any(
        outcome.state in _BEING_UNDONE for outcome in batch.outcomes
    )


def _in_progress(batch: Batch) -> Batch:
    """Return a running batch without the step that is being done; one that is being undone still counts as done."""
    settled = (
        replace(outcome, state=OutcomeState.DONE) if outcome.state in _BEING_UNDONE else outcome
        for outcome in batch.outcomes
        if outcome.state is not OutcomeState.INTENDED
    )
    return replace(batch, outcomes=tuple(settled), running=True)


def _is_id(name: str) -> bool:
    try:
        return _ID.fullmatch(name) is not None and bool(records.started_of(name))
    except ValueError:
        return False  # not a date


def _number_of(batch_id: str) -> int:
    return int(batch_id.partition("-")[2], 16)


def _is_settled(batch: Batch) -> bool:
    """Tell whether nothing of the batch can be undone and nothing of it is uncertain."""
    return not batch.damaged and not batch.is_unfinished and not any(map(may_be_undone, batch.outcomes))


def may_be_undone(outcome: Outcome) -> bool:
    """Tell whether the file of a step that was done may still be where the step put it.

    False only if it is certainly gone: a folder that cannot be reached may be on a drive that is not connected.
    """
    if outcome.state is not OutcomeState.DONE or outcome.place is None or outcome.place.path is None:
        return False
    path = outcome.place.path
    try:
        with OpenFolder.open(path.parent) as folder:
            return folder.status(path.name) is not None
    except OSError:
        return True
