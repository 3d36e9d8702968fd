"""Progress of long jobs, and how to stop them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol, TypeVar

_log = logging.getLogger(__name__)
_Item = TypeVar("_Item")


class Stage(StrEnum):
    """The stages of a scan in their order, then those of other jobs."""

    FIND = "find"
    HASH = "hash"
    READ = "read"
    MATCH = "match"
    VERIFY = "verify"
    GROUP = "group"
    CHECK = "check"
    REMOVE = "remove"
    RESTORE = "restore"
    WRITE = "write"


SCAN_STAGES = (Stage.FIND, Stage.HASH, Stage.READ, Stage.MATCH, Stage.VERIFY, Stage.GROUP)


@dataclass(frozen=True, slots=True)
class IdenticalCounts:
    """The groups of identical files that are known so far.

    groups: their number. copies: all files but one of each group, without protected ones. bytes: their size.
    largest: the paths of the groups with the largest copies, largest first.
    """

    groups: int = 0
    copies: int = 0
    bytes: int = 0
    largest: tuple[tuple[Path, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """The newest state of a job.

    done, total: units of the stage (files, pairs, steps; bytes of HASH); total is None while unknown.
    bytes_done:  bytes of the files done in this stage.
    current:     files being read, at most one for each worker.
    reused:      unchanged files that were not read again.
    problems:    number of files by problem kind value ("encrypted": 3).
    seconds:     elapsed time of each file in `current`.
    identical:   of HASH and READ: the groups of identical files so far.
    compares:    of READ: whether no file is read for now, since first groups are looked for among those read.
    """

    stage: Stage
    done: int = 0
    total: int | None = None
    bytes_done: int = 0
    current: tuple[Path, ...] = ()
    reused: int = 0
    problems: Mapping[str, int] = field(default_factory=dict)
    seconds: tuple[float, ...] = ()
    identical: IdenticalCounts = IdenticalCounts()
    compares: bool = False


class Stopped(Exception):
    """The person asked the job to stop. Its results so far are stored."""


class Reporter(Protocol):
    """Receives the progress of a job. A job calls both methods once per file, or per few thousand rows."""

    def check(self) -> None:
        """Raise Stopped if the job should end."""

    def tell(self, progress: Progress) -> None:
        """Replace the newest state. Cheap: states are not queued."""


def until_stopped(items: Iterable[_Item], reporter: Reporter) -> Iterator[_Item]:
    """Yield the items until the person asks to stop, which is checked before each."""
    for item in items:
        try:
            reporter.check()
        except Stopped:
            return
        yield item


class SilentReporter:
    """A reporter that ignores progress and never stops."""

    def check(self) -> None:
        return None

    def tell(self, progress: Progress) -> None:
        return None


SILENT: Final = SilentReporter()  # for callers who want no progress and never stop


class LoggingReporter:
    """A reporter that passes everything on to another, and logs each stage that ends: its name, amount and seconds."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._newest: Progress | None = None
        self._begun = time.monotonic()

    def check(self) -> None:
        self._reporter.check()

    def tell(self, progress: Progress) -> None:
        if self._newest is None or progress.stage is not self._newest.stage:
            self.close()
        self._newest = progress
        self._reporter.tell(progress)

    def close(self) -> None:
        """End the stage in progress, if any."""
        now = time.monotonic()
        if self._newest is not None:
            _log.info("%s %d %.1f s", self._newest.stage, self._newest.done, now - self._begun)
        self._newest, self._begun = None, now


class LatestProgress:
    """A reporter that stores the newest state for another thread, which may also stop the job."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._progress: Progress | None = None

    def check(self) -> None:
        if self._stop.is_set():
            raise Stopped

    def tell(self, progress: Progress) -> None:
        self._progress = progress

    def stop(self) -> None:
        """Ask the job to end at its next check."""
        self._stop.set()

    def newest(self) -> Progress | None:
        """Return the newest state, or None before the first."""
        return self._progress
