"""One reading process as the program sees it: its pipes, what it was handed, its clock and its end."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess, SpawnProcess
from typing import Any, Generic, TypeVar

from dupfinder.text.turns import Job
from dupfinder.text.worker import Answer, Failure, Limits, serve

T = TypeVar("T")

# Where a process that has imported everything can be copied safely, a new worker costs 20 ms instead of 350. On macOS
# a copy that uses the system's libraries may crash, and Windows copies no processes.
COPIES = sys.platform == "linux"
LIBRARIES = ("numpy", "lxml.etree", "pypdfium2", "rjieba")  # what workers need, loaded once for all of them
STUCK_SECONDS = 3.0  # without a hundredth of a second of the processor: even a starved process has more
MOST_WAITING = 10  # times its deadline that a task may take by the clock
LOWEST = 19  # of Unix priorities: such a process gets a sixtieth of what others leave of a busy core


@dataclass(eq=False)
class Child(Generic[T]):
    """One worker and what it has been handed and not answered; the first of `jobs` is in its hand since `began`.

    used:    seconds of the processor that it had had by then. starved: seconds since in which it belonged to others.
    worked:  seconds of the processor that it was last seen to have had for the job, and when it had them.
    aside:   it took long and goes on at the lowest priority, out of the others' way.
    """

    process: SpawnProcess | ForkServerProcess
    tasks: Connection
    answers: Connection
    jobs: deque[Job[T]] = field(default_factory=deque)
    sizes: deque[int] = field(default_factory=deque)
    began: float = 0.0
    used: float = 0.0
    starved: float = 0.0
    looked: float = 0.0
    worked: float = 0.0
    worked_at: float = 0.0
    resident: int = 0
    done: int = 0
    ready: bool = False
    retiring: bool = False
    aside: bool = False

    @classmethod
    def start(cls, work: Callable[[Any], Any], limits: Limits, now: float, preload: str = "") -> Child[T]:
        """A new process that will do `work`. preload: see `Sandbox`."""
        context: Any = get_context("forkserver" if COPIES else "spawn")
        if COPIES:
            context.set_forkserver_preload([preload or work.__module__, *LIBRARIES])
        tasks_out, tasks_in = context.Pipe(duplex=False)
        answers_out, answers_in = context.Pipe(duplex=False)
        arguments = (work, limits, tasks_out, answers_in, dict(os.environ))
        process = context.Process(target=serve, args=arguments, name="dupfinder-reader", daemon=True)
        process.start()
        tasks_out.close()
        answers_in.close()
        return cls(process, tasks_in, answers_out, began=now)

    def weight(self) -> int:
        """Bytes of what it has in hand and before it."""
        return sum(job.weight for job in self.jobs)

    def send(self, batch: Sequence[Job[T]], payload: bytes, now: float) -> None:
        """Hand it jobs, pickled as `payload`."""
        if not self.jobs:
            self.take_up(now)
        self.jobs.extend(batch)
        self.sizes.extend([len(payload) // len(batch) + 1] * len(batch))
        with suppress(BrokenPipeError):  # it died meanwhile: its closed pipe is heard next, and the batch comes back
            self.tasks.send_bytes(payload)

    def take_up(self, now: float) -> None:
        """The next job is in its hand from now on."""
        self.began, self.starved, self.resident = now, 0.0, 0
        self.worked, self.worked_at = 0.0, now

    def answered(self, answer: Answer, now: float) -> Job[T]:
        """The job that it has just answered."""
        self.sizes.popleft()
        self.done += 1
        self.used = answer.used
        self.take_up(now)
        return self.jobs.popleft()

    def give_back(self, *, but_the_first: bool = False) -> list[Job[T]]:
        """The jobs it has not answered, which are no longer its own."""
        kept = 1 if but_the_first else 0
        back = list(self.jobs)[kept:]
        self.jobs = deque(list(self.jobs)[:kept])
        self.sizes = deque(list(self.sizes)[:kept])
        return back

    def spent(self, now: float) -> float:
        """Seconds that it has had for the job in its hand."""
        return now - self.began - self.starved

    def toil(self) -> float:
        """Seconds of the processor that it has had for the job in its hand; 0 when it is gone."""
        import psutil  # only a task that takes long needs it

        try:
            times = psutil.Process(self.process.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system) - self.used

    def is_overdue(self, allowed: float, now: float) -> bool:
        """Whether the job in its hand has had so many seconds of the processor, or hangs after so many by the clock.

        What a busy machine does not give it is not held against it: what can be read does not depend on the load.
        """
        spent = self.spent(now)
        if spent <= allowed:
            return False
        toil = self.toil()
        if toil > self.worked + 0.01:
            self.worked, self.worked_at = toil, now
        return toil > allowed or now - self.worked_at > STUCK_SECONDS or spent > MOST_WAITING * allowed

    def step_aside(self) -> None:
        """Let it go on when the processor has nothing better to do."""
        import psutil  # only a task that takes long needs it

        self.aside = True
        with suppress(psutil.Error, OSError):
            psutil.Process(self.process.pid).nice(getattr(psutil, "IDLE_PRIORITY_CLASS", LOWEST))

    def look(self, now: float) -> int:
        """Bytes of memory that it holds; 0 when it is gone."""
        import psutil  # only a task that takes long needs it

        self.looked = now
        try:
            self.resident = int(psutil.Process(self.process.pid).memory_info().rss)
        except psutil.Error:
            self.resident = 0
        return self.resident

    def cause_of_death(self, limits: Limits) -> Answer:
        """What ended it, as the answer to the job in its hand."""
        self.process.join(1.0)
        code = self.process.exitcode or 0
        if sys.platform != "win32" and -code in (signal.SIGALRM, signal.SIGPROF):
            return Answer(None, Failure.TOO_SLOW, "the worker's own alarm ended it")
        if self.resident > 0.6 * limits.memory_bytes:
            return Answer(None, Failure.OUT_OF_MEMORY, f"at {self.resident >> 20} MB")
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"exit code {code}"
        hint = ", as libraries do when memory runs out" if name in ("SIGABRT", "SIGTRAP", "SIGILL") else ""
        return Answer(None, Failure.CRASHED, f"the reading process ended with {name}{hint}")

    def kill(self) -> None:
        """End it and whatever it started. Its group exists once it has settled; before that it is alone."""
        if sys.platform != "win32" and self.process.pid is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def bury(self) -> None:
        """Wait for the end of a killed one, and close what led to it."""
        self.process.join()
        self.tasks.close()
        self.answers.close()
        self.process.close()


def packed(batch: Sequence[Job[T]], limits: Limits) -> bytes:
    """Jobs as workers take them: each task with its deadline in seconds."""
    return pickle.dumps([(job.task, limits.deadline(job.weight)) for job in batch])
