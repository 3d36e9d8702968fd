"""The child side of the sandbox: a process that works through tasks under limits of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from types import GenericAlias
from typing import Any, Optional

from dupfinder.base.details import Clause, Details, details
from dupfinder.processes import cell, wire
from dupfinder.processes.handed import HANDS_OVER, Receiver
from dupfinder.processes.wire import Wire, WireError, returned_by


class Failure(StrEnum):
    """Why a task gave no value."""

    TOO_SLOW = "too_slow"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    ENDED = "ended"  # from outside, or by a system short of memory: no task's fault
    INCOMPLETE = "incomplete"  # a module of the program is missing: no task's fault


@dataclass(frozen=True, slots=True)
class Limits:
    """What one task may use.

    seconds, seconds_per_megabyte: the deadline is their sum over the task's weight, in seconds of the processor; by the
                                   clock for a task that waits for something else.
    memory_bytes:                  of one worker: address space on Linux, resident set elsewhere.
    tasks_per_worker:              a worker is replaced after so many, so that leaks of C libraries stay small.
    by_kernel:                     whether the kernel holds the limit of memory; else the parent looks at what is held.
    patience:                      whether tasks may be slow without stepping aside: all of them are.
    answer_bytes:                  of the largest answer that is taken.
    programs:                      names of programs that a task may start.
    """

    seconds: float = 12.0
    seconds_per_megabyte: float = 0.5
    memory_bytes: int = 1 << 30
    tasks_per_worker: int = 500
    by_kernel: bool = sys.platform == "linux"
    patience: bool = False
    answer_bytes: int = 1 << 28
    programs: tuple[str, ...] = ()

    def deadline(self, weight: int) -> float:
        """Seconds that a task of `weight` bytes may take."""
        return self.seconds + self.seconds_per_megabyte * weight / 1e6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says of one task. `trouble` never holds document text.

    used: seconds of the processor that the worker and the programs it started have had in its life.
    """

    value: Any
    failure: Failure | None = None
    trouble: Details = ()
    used: float = 0.0


class Answers:
    """How answers of one function cross: as plain data of the type that it declares to return."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        value: Any = Optional[returned_by(work)]  # noqa: UP045 - a type that is known at run time only
        self._wire = Wire(GenericAlias(tuple, (value, Failure | None, Details, float)))

    def pack(self, answer: Answer) -> bytes:
        """An answer as a message. Raises TypeError or AttributeError when the function broke its promise."""
        return self._wire.pack((answer.value, answer.failure, answer.trouble, answer.used))

    def unpack(self, message: bytes) -> Answer:
        """The answer that a message holds. Raises WireError."""
        answer = Answer(*self._wire.unpack(message))
        if answer.used < 0:
            raise WireError("less than no time")
        return answer


def processor_seconds() -> float:
    """Seconds of the processor that this process has had, and the programs that it started and that have ended."""
    if sys.platform == "win32":
        return time.process_time()
    import resource  # Unix alone has it

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


# Seconds that the task in hand may take: what readers measure their own patience by.
TASK_SECONDS: ContextVar[float] = ContextVar("TASK_SECONDS", default=Limits().seconds)

READY = b""  # the first thing a worker says: its imports are done and deadlines may run

# What a task may take before the kernel ends the worker, whatever the parent does: of the processor twice its deadline
# and a little more, of the clock a day, because a slow task may have to wait for the processor that long.
GRACE_FACTOR, GRACE_SECONDS = 2.0, 5.0
LONGEST_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a reading process finds. environment: the parent's; a copied process has that of the one it was copied from,
    which may be older. readable: files and folders that it may read besides the system's."""

    environment: Mapping[str, str]
    readable: Sequence[str] = ()


def serve(
    work: Callable[[Any], Any], limits: Limits, tasks: Connection, answers: Connection, around: Surroundings
) -> None:
    """Answer batches of (task, deadline in seconds) in their order until None comes or the parent is gone."""
    os.environ.clear()
    os.environ.update(around.environment)
    receiver = Receiver(tasks)
    _settle(limits, {tasks.fileno(), answers.fileno(), receiver.fileno()})
    cell.enter(around.readable, limits.programs)
    threading.Thread(target=_leave_with_parent, daemon=True).start()  # in the cell, like all that runs from here on
    crossing = Answers(work)
    try:
        wire.send(answers, READY)
        while True:
            with receiver.tasks() as batch:
                if batch is None:
                    return
                for task, deadline in batch:
                    wire.send(answers, _answer(work, task, deadline, crossing, limits))
    except (EOFError, OSError):
        return  # the parent closed its ends: there is nobody left to answer


def _answer(work: Callable[[Any], Any], task: Any, deadline: float, crossing: Answers, limits: Limits) -> bytes:
    _arm(deadline)
    TASK_SECONDS.set(deadline)
    answer = _attempt(work, task)
    message = _packed(crossing, answer, limits)
    _arm(0.0)
    return message


def _attempt(work: Callable[[Any], Any], task: Any) -> Answer:
    try:
        return Answer(work(task))
    except MemoryError:
        return Answer(None, Failure.OUT_OF_MEMORY, details(Clause.MEMORY_LIMIT))
    except ImportError as error:
        return Answer(None, Failure.INCOMPLETE, details(Clause.MODULE_MISSING, error=str(error)))
    except Exception as error:  # noqa: BLE001 - the door of the worker: whatever a task raises costs that task alone
        return Answer(None, Failure.CRASHED, _where(error))


def _packed(crossing: Answers, answer: Answer, limits: Limits) -> bytes:
    try:
        message = crossing.pack(Answer(answer.value, answer.failure, answer.trouble, processor_seconds()))
        if len(message) <= limits.answer_bytes:
            return message
        large = details(Clause.LARGE_ANSWER, megabytes=len(message) >> 20)
        failed = Answer(None, Failure.OUT_OF_MEMORY, large)
    except MemoryError:
        failed = Answer(None, Failure.OUT_OF_MEMORY, details(Clause.MEMORY_LIMIT))
    except (TypeError, AttributeError, ValueError, RecursionError) as error:
        failed = Answer(None, Failure.CRASHED, _where(error))
    return crossing.pack(Answer(None, failed.failure, failed.trouble, processor_seconds()))


def _where(error: Exception) -> Details:
    """Type, file and line of an error. Its message is left out: it may quote the document."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    module, line = os.path.basename(frame.filename), frame.lineno or 0
    return details(Clause.FAILED_AT, error=type(error).__name__, module=module, line=line)


def _settle(limits: Limits, needed: set[int]) -> None:
    """Make this process a quiet, bounded one. needed: descriptors that it works with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to handle
    os.environ.pop("CMAP_PATH", None)  # pdfminer would read character maps from wherever it points
    if sys.platform == "win32":
        return
    import resource

    os.setpgid(0, 0)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # C libraries print their complaints; they are no output of the program
    os.dup2(silence, 2)
    if HANDS_OVER:  # a copied process has descriptors of the one it was copied from: none of them is its business
        _close_all_but({0, 1, 2, *needed})
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # room for the files of a batch
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # nothing it opens can grow
    if limits.by_kernel:
        most = memory_allowed(limits.memory_bytes)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def memory_allowed(asked: int) -> int:
    """Bytes of address space that a worker gets of those asked for: as many as the system allows this process."""
    try:
        import resource  # Unix alone has it
    except ImportError:
        return asked
    allowed = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    return min([asked, *allowed])


def _close_all_but(needed: set[int]) -> None:
    parent = parent_process()
    if parent is not None and parent.sentinel is not None:
        needed = {*needed, parent.sentinel}
    last = -1
    for descriptor in [*sorted(needed - {-1}), os.sysconf("SC_OPEN_MAX")]:
        if last + 1 < descriptor:  # an empty range would close all there are
            os.closerange(last + 1, descriptor)
        last = descriptor


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _arm(deadline: float) -> None:
    """Let the kernel end this process when a task hangs and the parent does not look (0: disarm)."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, deadline * GRACE_FACTOR + GRACE_SECONDS if deadline else 0.0)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS if deadline else 0.0)
