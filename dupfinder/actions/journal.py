"""The journal: every act is written down, and brought to the disk, before it is done.

A folder of files, one a batch: `<id>.jsonl`, only ever appended to, and `<id>.plan.json`, the plan it carries out. An
id is the time of the beginning and a number that grows with every batch, so their order does not depend on the clock.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Final

from dupfinder.actions import plan as plans
from dupfinder.actions import records
from dupfinder.actions.folder import Folder
from dupfinder.actions.names import Json
from dupfinder.actions.outcome import Batch, Intent, Outcome, Refusal, State
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Plan, Step
from dupfinder.actions.records import Kind
from dupfinder.base.details import error_name
from dupfinder.base.errors import DiskFullError, Fault, InputError, JournalError, RemovalRunning, UsageError
from dupfinder.base.files import Held, Lock
from dupfinder.base.paths import data_dir

_ID: Final = re.compile(r"\d{8}T\d{6}-([0-9a-f]{6,})")


class Log:
    """One batch's file, open for appending. Each method returns when its line is on the disk. A context.

    JournalError when a line cannot be written: then what it says must not be done.
    """

    def __init__(self, path: Path) -> None:
        self.batch_id = path.stem
        self._path = path
        self._begun: dict[int, Intent] = {}
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            self._close_cut_line()
        except OSError as fault:
            raise JournalError(path, error_name(fault), self.batch_id) from fault

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
            raise JournalError(self._path, error_name(fault), self.batch_id) from fault

    def begin(self, started: datetime, scan_name: str, total: int) -> None:
        self._append(records.begin(self.batch_id, started, scan_name, total))

    def end(self, stopped: bool) -> None:
        self._append(records.end(stopped))

    def intend(self, intent: Intent) -> None:
        self._append(records.intend(intent))
        self._begun[intent.number] = intent

    def place(self, number: int, place: Place) -> None:
        """The step goes to another place than was intended."""
        self._append(records.settled(Kind.PLACE, number, place))

    def done(self, number: int, place: Place) -> None:
        """The step is done. The line says its intent again, so that undo does not hang on one line."""
        self._append(records.settled(Kind.DONE, number, place, held=self._begun.pop(number, None)))

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
        """The undo, or the emptying, that was written down did not happen."""
        self._append(records.settled(Kind.KEPT, number))

    def empty(self, number: int) -> None:
        """The victim is about to be removed from the quarantine for good."""
        self._append(records.settled(Kind.EMPTY, number))

    def emptied(self, number: int) -> None:
        self._append(records.settled(Kind.EMPTIED, number))


class Journal:
    """The journal in the folder `path`; by default in dupfinder's own data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_dir() / "journal"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as fault:
            raise JournalError(self.path, error_name(fault)) from fault

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the journal: one removal at a time. RemovalRunning, with the holder's process id, when it is held.

        The system lets go of the lock when its holder dies, so a kill leaves nothing to heal.
        """
        try:
            held = Lock(self.path / "lock", self.path / "holder")
            held.take()
        except Held as other:
            raise RemovalRunning(self.path, other.holder) from other
        except OSError as fault:
            raise JournalError(self.path, error_name(fault)) from fault
        try:
            yield
        finally:
            held.release()

    def begin(self, plan: Plan) -> Log:
        """Open a new batch for `plan`. The journal must be held. JournalError: nothing was begun."""
        started = datetime.now(UTC)
        batch_id = f"{started:%Y%m%dT%H%M%S}-{1 + max(map(_number_of, self._ids()), default=0):06x}"
        try:
            plans.save(plan, self.path / f"{batch_id}.plan.json")
            with contextlib.ExitStack() as on_fault:
                log = on_fault.enter_context(Log(self._file(batch_id)))
                log.begin(started, plan.scan_name, len(plan.steps))
                _sync_folder(self.path)
                on_fault.pop_all()
        except (OSError, JournalError, DiskFullError, UsageError) as fault:
            self._drop(batch_id)
            raise JournalError(self.path, _reason(fault)) from fault
        return log

    def reopen(self, batch_id: str) -> Log:
        """Append to an earlier batch. UsageError when there is none of this id."""
        self._known(batch_id)
        return Log(self._file(batch_id))

    def _ids(self) -> list[str]:
        return [file.stem for file in self.path.glob("*.jsonl") if _is_id(file.stem)]

    def batches(self) -> list[Batch]:
        """All batches, newest first."""
        return [self._read(batch_id) for batch_id in sorted(self._ids(), key=_order_of, reverse=True)]

    def batch(self, batch_id: str) -> Batch:
        """One batch, or the only one whose id begins or ends so. UsageError when there is none."""
        return self._read(self._known(batch_id))

    def _read(self, batch_id: str) -> Batch:
        try:
            return records.batch_of(batch_id, self._file(batch_id).read_bytes())
        except OSError:  # a disk that cannot give it back costs this batch and no other
            return Batch(batch_id, records.started_of(batch_id), "", 0, ended=True, damaged=1)

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

    def forget_older(self, age: timedelta) -> int:
        """Drop the batches older than `age` of which nothing can be undone and nothing waits for recovery; their count.

        Damaged ones stay: what they no longer tell may still lie in a trash. The clock alone makes nothing old: a
        second removal must have been begun so much later, too.
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
        for path in (self._file(batch_id), self.path / f"{batch_id}.plan.json"):
            with contextlib.suppress(OSError):  # what cannot be removed now is an old batch, and does no harm
                path.unlink(missing_ok=True)

    def _file(self, batch_id: str) -> Path:
        return self.path / f"{batch_id}.jsonl"

    def _known(self, batch_id: str) -> str:
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


def _is_id(name: str) -> bool:
    try:
        return _ID.fullmatch(name) is not None and bool(records.started_of(name))
    except ValueError:
        return False  # a thirteenth month


def _reason(fault: BaseException) -> str:
    """The name of the system's error at the bottom of `fault`."""
    below = fault if isinstance(fault, OSError) else fault.__cause__
    return error_name(below) if isinstance(below, OSError) else "EIO"


def _number_of(batch_id: str) -> int:
    return int(batch_id.partition("-")[2], 16)


def _order_of(batch_id: str) -> tuple[int, str]:
    return _number_of(batch_id), batch_id


def _is_settled(batch: Batch) -> bool:
    """Whether nothing of the batch can be undone any more, and nothing of it is uncertain."""
    return not batch.damaged and not batch.is_unfinished and not any(map(may_be_undone, batch.outcomes))


def may_be_undone(outcome: Outcome) -> bool:
    """Whether the file of a step that was done may still be where the step put it.

    False only for what is certain: a folder that cannot be reached now may be on a drive that comes back.
    """
    if outcome.state is not State.DONE or outcome.place is None or outcome.place.path is None:
        return False
    place = outcome.place.path
    try:
        with Folder.open(place.parent) as folder:
            return folder.status(place.name) is not None
    except OSError:
        return True


def _sync_folder(path: Path) -> None:
    with contextlib.suppress(OSError):  # Windows opens no folders; there the names are written through
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
