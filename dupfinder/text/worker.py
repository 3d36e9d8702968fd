"""The child side of the sandbox: a process that works through tasks under limits of its own."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any


class Failure(StrEnum):
    """Why a task gave no value."""

    TOO_SLOW = "too_slow"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
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
    """

    seconds: float = 12.0
    seconds_per_megabyte: float = 0.5
    memory_bytes: int = 1 << 30
    tasks_per_worker: int = 500
    by_kernel: bool = sys.platform == "linux"
    patience: bool = False

    def deadline(self, weight: int) -> float:
        """Seconds that a task of `weight` bytes may take."""
        return self.seconds + self.seconds_per_megabyte * weight / 1e6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says of one task. `trouble` is a clause of facts; it never holds document text.

    used: seconds of the processor that the worker has had in its life.
    """

    value: Any
    failure: Failure | None = None
    trouble: str = ""
    used: float = 0.0


# Seconds that the task in hand may take: what readers measure their own patience by.
TASK_SECONDS: ContextVar[float] = ContextVar("TASK_SECONDS", default=Limits().seconds)

READY = b""  # the first thing a worker says: its imports are done and deadlines may run

# What a task may take before the kernel ends the worker, whatever the parent does: of the processor twice its deadline
# and a little more, of the clock a day, because a slow task may have to wait for the processor that long.
GRACE_FACTOR, GRACE_SECONDS = 2.0, 5.0
LONGEST_SECONDS = 86_400.0


def serve(
    work: Callable[[Any], Any], limits: Limits, tasks: Connection, answers: Connection, environment: Mapping[str, str]
) -> None:
    """Answer batches of (task, deadline in seconds) in their order until None comes or the parent is gone.

    environment: the parent's; a copied process has that of the one it was copied from, which may be older.
    """
    os.environ.clear()
    os.environ.update(environment)
    _settle(limits)
    try:
        answers.send_bytes(READY)
        while (batch := tasks.recv()) is not None:
            _answer(work, batch, answers)
    except (EOFError, OSError):
        return  # the parent closed its ends: there is nobody left to answer


def _answer(work: Callable[[Any], Any], batch: Sequence[tuple[Any, float]], answers: Connection) -> None:
    for task, deadline in batch:
        _arm(deadline)
        TASK_SECONDS.set(deadline)
        answer = _attempt(work, task)
        _arm(0.0)
        answers.send_bytes(_packed(replace(answer, used=time.process_time())))


def _attempt(work: Callable[[Any], Any], task: Any) -> Answer:
    try:
        return Answer(work(task))
    except MemoryError:
        return Answer(None, Failure.OUT_OF_MEMORY, "the memory limit was reached")
    except ImportError as error:
        return Answer(None, Failure.INCOMPLETE, str(error))
    except Exception as error:  # noqa: BLE001 - the door of the worker: whatever a task raises costs that task alone
        return Answer(None, Failure.CRASHED, _where(error))


def _packed(answer: Answer) -> bytes:
    try:
        return pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps(Answer(None, Failure.OUT_OF_MEMORY, "the memory limit was reached"))
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        return pickle.dumps(Answer(None, Failure.CRASHED, _where(error)))


def _where(error: Exception) -> str:
    """Type, file and line of an error. Its message is left out: it may quote the document."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _settle(limits: Limits) -> None:
    """Make this process a quiet, bounded one that does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to handle
    os.environ.pop("CMAP_PATH", None)  # pdfminer would read character maps from wherever it points
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    if sys.platform != "win32":
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)  # C libraries print their complaints; they are no output of the program
        os.dup2(silence, 2)
    if limits.by_kernel:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


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
