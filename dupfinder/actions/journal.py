"""The journal: every act is written down, and brought to the disk, before it is done.

A folder of files, one a batch: `<id>.jsonl`, only ever appended to, and `<id>.plan.json`, the plan it carries out.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

import filelock

from dupfinder.actions import plan as plans
from dupfinder.actions import records
from dupfinder.actions.check import Refusal
from dupfinder.actions.names import Json
from dupfinder.actions.outcome import Batch, Intent, State
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Plan, Step
from dupfinder.actions.records import Kind
from dupfinder.base.errors import DiskFullError, DupfinderError, LibraryLocked, UsageError
from dupfinder.base.paths import data_dir

_ID: Final = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}")
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class Log:
    """One batch's file, open for appending. Each method returns when its line is on the disk. A context."""

    def __init__(self, path: Path) -> None:
        self.batch_id = path.stem
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._close_cut_line()

    def _close_cut_line(self) -> None:
        """A kill may have cut the last line: what follows must not be glued to it."""
        size = os.fstat(self._descriptor).st_size
        if size:
            os.lseek(self._descriptor, size - 1, os.SEEK_SET)
            if os.read(self._descriptor, 1) != b"\n":
                os.write(self._descriptor, b"\n")

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def _append(self, record: Json) -> None:
        line = memoryview(records.line_of(record))
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
            os.fsync(self._descriptor)
        except OSError as fault:
            if fault.errno in _FULL:
                raise DiskFullError(self._path) from fault
            raise

    def begin(self, started: datetime, scan_name: str, total: int) -> None:
        self._append(records.begin(self.batch_id, started, scan_name, total))

    def end(self, stopped: bool) -> None:
        self._append(records.end(stopped))

    def intend(self, intent: Intent) -> None:
        self._append(records.intend(intent))

    def place(self, number: int, place: Place) -> None:
        """The step goes to another place than was intended."""
        self._append(records.settled(Kind.PLACE, number, place))

    def done(self, number: int, place: Place) -> None:
        self._append(records.settled(Kind.DONE, number, place))

    def refused(self, number: int, refusal: Refusal, at: Path | None = None) -> None:
        self._append(records.refused(number, refusal, at))

    def failed(self, number: int, step: Step, failure: str, at: Path | None = None) -> None:
        self._append(records.failed(number, step, failure, at))

    def taken_back(self, number: int, at: Path) -> None:
        self._append(records.settled(Kind.TAKEN_BACK, number, at=at))

    def undo(self, number: int, at: Path) -> None:
        """The victim is about to get the name `at`."""
        self._append(records.settled(Kind.UNDO, number, at=at))

    def restored(self, number: int, at: Path) -> None:
        self._append(records.settled(Kind.RESTORED, number, at=at))

    def kept(self, number: int) -> None:
        """The undo that was written down did not happen."""
        self._append(records.settled(Kind.KEPT, number))


class Journal:
    """The journal in the folder `path`; by default in dupfinder's own data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_dir() / "journal"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def _unwritable(self, fault: OSError) -> DupfinderError:
        """The error for a journal that cannot be written; nothing is touched without one."""
        if fault.errno in _FULL:
            return DiskFullError(self.path)
        return UsageError(f"The journal {str(self.path)!a} cannot be written: {fault.strerror}. Nothing was touched.")

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the journal: one removal at a time. LibraryLocked, with the holder's process id, when it is held.

        The system lets go of the lock when its holder dies, so a kill leaves nothing to heal.
        """
        holder = self.path / "holder"
        lock = filelock.FileLock(self.path / "lock", timeout=0, mode=0o600)
        try:
            lock.acquire()
        except filelock.Timeout as fault:
            raise LibraryLocked(self.path, _process_in(holder)) from fault
        except OSError as fault:
            raise self._unwritable(fault) from fault
        try:
            _write_process(holder)
            yield
        finally:
            lock.release()

    def begin(self, plan: Plan) -> Log:
        """Open a new batch for `plan`."""
        started = datetime.now(UTC)
        batch_id = f"{started:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        try:
            plans.save(plan, self.path / f"{batch_id}.plan.json")
        except OSError as fault:
            raise self._unwritable(fault) from fault
        log = Log(self._file(batch_id))
        try:
            log.begin(started, plan.scan_name, len(plan.steps))
            _sync_folder(self.path)
        except BaseException:
            log.__exit__(None, None, None)
            raise
        return log

    def reopen(self, batch_id: str) -> Log:
        """Append to an earlier batch. UsageError when there is none of this id."""
        self._known(batch_id)
        return Log(self._file(batch_id))

    def batches(self) -> list[Batch]:
        """All batches, newest first."""
        ids = sorted((file.stem for file in self.path.glob("*.jsonl") if _ID.fullmatch(file.stem)), reverse=True)
        return sorted((self.batch(batch_id) for batch_id in ids), key=lambda batch: batch.started, reverse=True)

    def batch(self, batch_id: str) -> Batch:
        """One batch, or the only one whose id begins so. UsageError when there is none."""
        known = self._known(batch_id)
        return records.batch_of(known, self._file(known).read_bytes().splitlines())

    def unfinished(self) -> list[Batch]:
        """Batches in which a kill left a step between intended and done; newest first."""
        return [batch for batch in self.batches() if batch.is_unfinished]

    def remaining(self, batch_id: str) -> Plan | None:
        """The steps of a batch that were never begun, as a plan; None when there are none.

        UsageError when the plan that was kept beside the journal is gone or damaged.
        """
        batch = self.batch(batch_id)
        plan = plans.load(self.path / f"{batch.id}.plan.json")
        begun = {one.number for one in batch.outcomes if one.state is not State.TAKEN_BACK}
        steps = tuple(step for number, step in enumerate(plan.steps) if number not in begun)
        if not steps:
            return None
        return replace(plan, steps=steps)

    def forget_before(self, moment: datetime) -> int:
        """Drop the batches started before `moment` that need no recovery; they can no longer be undone. Their count."""
        old = [batch for batch in self.batches() if batch.started < moment and not batch.is_unfinished]
        for batch in old:
            self._file(batch.id).unlink(missing_ok=True)
            (self.path / f"{batch.id}.plan.json").unlink(missing_ok=True)
        return len(old)

    def _file(self, batch_id: str) -> Path:
        return self.path / f"{batch_id}.jsonl"

    def _known(self, batch_id: str) -> str:
        found = [
            file.stem for file in self.path.glob("*.jsonl") if _ID.fullmatch(file.stem) and batch_id
            and (file.stem == batch_id or file.stem.startswith(batch_id) or file.stem.endswith("-" + batch_id))
        ]  # fmt: skip
        if batch_id in found:
            return batch_id
        if len(found) != 1:
            count = "several removals begin" if found else "no removal begins"
            raise UsageError(f"In the history {count} with {batch_id!a}.")
        return found[0]


def _write_process(holder: Path) -> None:
    with contextlib.suppress(OSError):  # only for the sentence that another instance shows
        descriptor = os.open(holder, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="ascii") as stream:
            stream.write(str(os.getpid()))


def _process_in(holder: Path) -> int | None:
    try:
        return int(holder.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _sync_folder(path: Path) -> None:
    with contextlib.suppress(OSError):  # Windows opens no folders; there the names are written through
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
