"""Processes that read the files of a scan and share its calculations: on this machine, or on others (`Machines`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dupfinder.base.files import Closable
from dupfinder.base.settings import FILE_MEMORY, FILE_SECONDS, Settings
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.crew import Crew
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.worker import Limits, TwoSteps
from dupfinder.scan.reading import (
    ListedArchive,
    ReadTask,
    another_attempt,
    files_of,
    in_turns,
    read_one,
    read_unprinted,
    with_prints,
)
from dupfinder.scan.request import ScanRequest

MOST_WORKERS = 8
PRELOAD = "dupfinder.scan.ready"  # imported once for all processes, where they are copies of one
_IN_STEPS: TwoSteps = (read_unprinted, with_prints)
ReadingResult = TaskResult[ReadTask, DocumentRow | ListedArchive]


class Readers(Protocol):
    """Reads files, wherever that is done."""

    def run(self, tasks: Sequence[ReadTask], check: Callable[[], None]) -> Iterator[ReadingResult]:
        """Do the tasks; yield the outcome of each once, in any order. `check` may raise to stop."""

    def in_hand(self) -> Sequence[tuple[ReadTask, float]]:
        """Return the tasks being worked on, as far as is known, and their seconds so far."""


class Machines(Protocol):
    """Where a scan's files are read and its pairs are found."""

    @property
    def workers(self) -> int:
        """How many processes share what can be shared."""

    def readers(self, limits: Limits) -> AbstractContextManager[Readers]:
        """Open the readers of files, under limits of time and memory."""

    def crew(self, workers: int) -> Crew:
        """Return the processes that share a calculation; for one worker, this process does all of it."""


@dataclass(frozen=True, slots=True)
class LocalReaders(Closable):
    """Reads in processes of this machine."""

    sandbox: Sandbox[ReadTask, DocumentRow | ListedArchive]

    def close(self) -> None:
        self.sandbox.close()

    def run(self, tasks: Sequence[ReadTask], check: Callable[[], None]) -> Iterator[ReadingResult]:
        for portion, unpacked in in_turns(tasks):
            yield from self.sandbox.run(portion, check, preparation=unpacked)

    def in_hand(self) -> Sequence[tuple[ReadTask, float]]:
        return self.sandbox.in_hand()


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """Reads and calculates on this machine alone."""

    request: ScanRequest

    @property
    def workers(self) -> int:
        return workers(self.request)

    def readers(self, limits: Limits) -> AbstractContextManager[Readers]:
        return LocalReaders(reading_sandbox(self.workers, limits, self.request.scheme.learned))

    def crew(self, workers: int) -> Crew:
        return Crew(workers, PRELOAD)


def workers(request: ScanRequest) -> int:
    """Return the number of reading processes of a request."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return request.workers or min(MOST_WORKERS, cores)


def reading_limits(settings: Settings) -> Limits:
    return Limits(seconds=settings.number(FILE_SECONDS), memory_bytes=settings.integer(FILE_MEMORY) << 20)


def reading_sandbox(count: int, limits: Limits, learned: Path | None) -> Sandbox[ReadTask, DocumentRow | ListedArchive]:
    """Return `count` processes that read files. learned: table of weights that they may read."""
    return Sandbox(
        read_one,
        steps=_IN_STEPS,
        workers=count,
        limits=limits,
        weight=lambda task: task.stamp.size,
        files=files_of,
        readable=[] if learned is None else [learned],
        retry=another_attempt,
        preload=PRELOAD,
    )
