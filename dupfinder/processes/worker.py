"""The worker's side of the sandbox: a process that works through tasks under limits."""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from types import GenericAlias
from typing import Any, Final, Optional

from dupfinder.base.details import Clause, Details, details
from dupfinder.processes import cell, wire
from dupfinder.processes.descriptors import HANDS_OVER, TaskReceiver
from dupfinder.processes.wire import Wire, WireError, returned_by


class Failure(StrEnum):
    """Why a task has no value."""

    TOO_SLOW = "too_slow"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    ENDED = "ended"  # killed by somebody else or by a system short of memory; not caused by the task
    INCOMPLETE = "incomplete"  # a module of the program is missing; not caused by the task


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a task and its worker.

    seconds, seconds_per_megabyte: the deadline: a fixed part, and one for each megabyte of the task. Seconds of CPU; of
                                   the clock while a task waits for something else than a CPU.
    memory_bytes:                  of one worker: address space on Linux, resident set elsewhere.
    tasks_per_worker:              a worker is replaced after this many, so that leaks of C libraries stay small.
    by_kernel:                     whether the kernel enforces the limit of memory; otherwise the parent measures it.
    all_slow:                      whether all tasks are slow, so that none steps aside.
    answer_bytes:                  size of the largest answer that is accepted.
    programs:                      names of programs that a task may start.
    """

    seconds: float = 12.0
    seconds_per_megabyte: float = 0.5
    memory_bytes: int = 1 << 30
    tasks_per_worker: int = 500
    by_kernel: bool = sys.platform == "linux"
    all_slow: bool = False
    answer_bytes: int = 1 << 28
    programs: tuple[str, ...] = ()

    def deadline(self, weight: int) -> float:
        """Return the seconds that a task of `weight` bytes may take."""
        return self.seconds + self.seconds_per_megabyte * weight / 1e6


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker's answer to one task. `trouble` never holds document text.

    used: seconds of CPU that the worker and the programs it started have spent since its start.
    """

    value: Any
    failure: Failure | None = None
    trouble: Details = ()
    used: float = 0.0


TwoSteps = tuple[Callable[[Any], Any], Callable[[list[Any]], list[Any]]]


@dataclass(frozen=True, slots=True)
class TaskFunctions:
    """What reading processes do with tasks, by functions of a module.

    work:  returns the answer to a task, plain data of the type that it declares to return.
    steps: the same in two steps: what is done with each task, and what completes the results of several, all at once.
    """

    work: Callable[[Any], Any]
    steps: TwoSteps | None = None


class Answers:
    """Packs and unpacks the answers of one function, as plain data of the type that it declares to return."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        value: Any = Optional[returned_by(work)]  # noqa: UP045 - a type that is known at run time only
        self._wire = Wire(GenericAlias(tuple, (value, Failure | None, Details, float)))

    def pack(self, answer: Answer) -> bytes:
        """Return an answer as a message. Raises TypeError or AttributeError if its value is not of that type."""
        return self._wire.pack((answer.value, answer.failure, answer.trouble, answer.used))

    def unpack(self, message: bytes) -> Answer:
        """Return the answer that a message holds. Raises WireError."""
        answer = Answer(*self._wire.unpack(message))
        if not 0.0 <= answer.used < MOST_SECONDS:
            raise WireError("an impossible time")
        return answer


def processor_seconds() -> float:
    """Return the seconds of CPU spent by this process and by the programs it started that have ended."""
    if sys.platform == "win32":
        return time.process_time()
    import resource  # exists only on Unix

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


# Seconds that the current task may take; readers limit their own steps by it.
TASK_SECONDS: ContextVar[float] = ContextVar("TASK_SECONDS", default=Limits().seconds)

MOST_SECONDS = 1e9  # of CPU that a worker may claim

READY = b""  # a worker's first message: its imports are done, so deadlines begin
# A worker's message after the first step of a task, whose answer follows later: whether the second step of all such
# tasks is next, and the worker's seconds of CPU since its start. No answer is as short.
FIRST_STEP: Final = struct.Struct("<?d")
# Seconds after which all tasks get their second step; below `sandbox.PATIENCE_SECONDS`, so that none counts as slow.
TOGETHER_SECONDS: Final = 0.05

# When the kernel ends the worker, in case the parent does not: after GRACE_FACTOR times the deadline and GRACE_SECONDS
# more of CPU, or after LONGEST_SECONDS by the clock, since a slow task may wait long for a CPU.
GRACE_FACTOR, GRACE_SECONDS = 2.0, 5.0
LONGEST_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a reading process receives from its parent at the start.

    environment: the parent's variables. A forked process has those of the server process, which may be older.
    readable:    files and folders that it may read besides the system's.
    """

    environment: Mapping[str, str]
    readable: Sequence[str] = ()


def serve(functions: TaskFunctions, limits: Limits, tasks: Connection, answers: Connection, setup: WorkerSetup) -> None:
    """Carry out the tasks that the parent sends, and send back the answers, until the parent says so or has ended.

    The main function of the child process. tasks, answers: its ends of the two pipes. A batch of tasks is a list of
    tuples as of `child.packed`; None in place of a batch ends the process.
    """
    os.environ.clear()
    os.environ.update(setup.environment)
    receiver = TaskReceiver(tasks)
    _settle(limits, {tasks.fileno(), answers.fileno(), receiver.fileno()})
    cell.enter(setup.readable, limits.programs)
    threading.Thread(target=leave_with_parent, daemon=True).start()  # inside the cell too
    codec = Answers(functions.work)
    try:
        wire.send(answers, READY)
        while True:
            with receiver.tasks() as batch:
                if batch is None:
                    return
                for group in _groups(batch, functions, answers):
                    wire.send(answers, *[_packed(codec, answer, limits) for answer in group])
                    _arm(0.0)
    except (EOFError, OSError):
        return  # the parent has closed its ends of the pipes


def _groups(
    batch: Sequence[tuple[Any, float, float]], functions: TaskFunctions, answers: Connection
) -> Iterator[list[Answer]]:
    """Run tasks, each under its deadline, and yield their answers: of one task, or of several finished together."""
    first, finish = functions.steps or (functions.work, None)
    group: list[Answer] = []
    begun, used = time.monotonic(), processor_seconds()
    for number, (task, deadline, longest) in enumerate(batch, 1):
        _arm(longest)
        TASK_SECONDS.set(deadline)
        group.append(_attempt(first, task))
        if finish is not None:
            now, spent = time.monotonic(), processor_seconds()
            is_last = number == len(batch) or max(now - begun, spent - used) > TOGETHER_SECONDS
            wire.send(answers, FIRST_STEP.pack(is_last, spent))
            if not is_last:
                continue
            _arm(longest)
            group = _finished(finish, group)
            begun, used = now, spent
        yield group
        group = []


def _finished(finish: Callable[[list[Any]], list[Any]], group: list[Answer]) -> list[Answer]:
    """Return the finished answers of a group; if that fails, each is finished by itself."""
    values = [answer.value for answer in group if answer.failure is None]
    if not values:
        return group
    together = _attempt(finish, values)
    if together.failure is None:
        finished = iter(together.value)
        return [answer if answer.failure else replace(answer, value=next(finished)) for answer in group]
    return [together] if len(group) == 1 else [answer for each in group for answer in _finished(finish, [each])]


def _attempt(work: Callable[[Any], Any], task: Any) -> Answer:
    """Run one task and return its answer; an exception becomes a failure."""
    try:
        return Answer(work(task))
    except MemoryError:
        return Answer(None, Failure.OUT_OF_MEMORY, details(Clause.MEMORY_LIMIT))
    except ImportError as error:
        return Answer(None, Failure.INCOMPLETE, details(Clause.MODULE_MISSING, error=str(error)))
    except Exception as error:  # noqa: BLE001 - the worker's boundary: an exception fails this task only
        return Answer(None, Failure.CRASHED, _where(error))


def _packed(codec: Answers, answer: Answer, limits: Limits) -> bytes:
    """Return the packed answer, or a packed failure if the answer is too large or not of the declared type."""
    try:
        message = codec.pack(replace(answer, used=processor_seconds()))
        if len(message) <= limits.answer_bytes:
            return message
        failure = Answer(None, Failure.OUT_OF_MEMORY, details(Clause.LARGE_ANSWER, megabytes=len(message) >> 20))
    except MemoryError:
        failure = Answer(None, Failure.OUT_OF_MEMORY, details(Clause.MEMORY_LIMIT))
    except (TypeError, AttributeError, ValueError, RecursionError) as error:
        failure = Answer(None, Failure.CRASHED, _where(error))
    return codec.pack(replace(failure, used=processor_seconds()))


def _where(error: Exception) -> Details:
    """Return type, file and line of an error, without its message, which may quote the document."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    module, line = os.path.basename(frame.filename), frame.lineno or 0
    return details(Clause.FAILED_AT, error=type(error).__name__, module=module, line=line)


def _settle(limits: Limits, needed: set[int]) -> None:
    """Set up this process: signals, output, open descriptors and limits. needed: descriptors to keep open."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C
    os.environ.pop("CMAP_PATH", None)  # pdfminer would read character maps from wherever it points
    if sys.platform == "win32":
        return
    import resource

    os.setpgid(0, 0)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # C libraries print warnings, which are not output of the program
    os.dup2(silence, 2)
    if HANDS_OVER:  # a forked process inherits descriptors of the server process, which it does not need
        _close_all_but({0, 1, 2, *needed})
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # room for the files of a batch
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it cannot extend any file
    if limits.by_kernel:
        most = memory_allowed(limits.memory_bytes)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def memory_allowed(most: int) -> int:
    """Return the bytes of address space that a worker may use: `most`, or the system's limit if that is lower."""
    if sys.platform == "win32":
        return most
    import resource  # exists only on Unix

    allowed = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    return min([most, *allowed])


def _close_all_but(needed: set[int]) -> None:
    """Close all descriptors except `needed` and the one that reports the parent's end."""
    if sys.platform == "win32":
        return
    parent = parent_process()
    if parent is not None and parent.sentinel is not None:
        needed = {*needed, parent.sentinel}
    last = -1
    for descriptor in [*sorted(needed - {-1}), os.sysconf("SC_OPEN_MAX")]:
        if last + 1 < descriptor:  # closerange closes everything for an empty range
            os.closerange(last + 1, descriptor)
        last = descriptor


def leave_with_parent() -> None:
    """Wait for the parent's end and exit."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _arm(deadline: float) -> None:
    """Set timers by which the kernel ends this process if a task hangs and the parent does nothing (0: clear them)."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, deadline * GRACE_FACTOR + GRACE_SECONDS if deadline else 0.0)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS if deadline else 0.0)
