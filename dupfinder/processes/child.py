"""One reading process as the program sees it: its pipes, what it was handed, its clock and its end."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess, SpawnProcess
from multiprocessing.util import get_temp_dir
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dupfinder.base.details import Clause, details
from dupfinder.base.errors import ReadersError
from dupfinder.base.temporary import hold_folder
from dupfinder.processes.apart import without_script
from dupfinder.processes.cell import own_files
from dupfinder.processes.handed import HANDS_OVER, hand_over
from dupfinder.processes.jobobject import JobObject
from dupfinder.processes.turns import Job
from dupfinder.processes.wire import Inbox
from dupfinder.processes.worker import Answer, Failure, Limits, Surroundings, serve

if TYPE_CHECKING:
    import psutil

T = TypeVar("T")

# Where a process that has imported everything can be copied safely, a new worker costs 20 ms instead of 350. On macOS
# a copy that uses the system's libraries may crash, and Windows copies no processes.
COPIES = sys.platform == "linux"
LIBRARIES = ("numpy", "lxml.etree", "pypdfium2", "rjieba")  # what workers need, loaded once for all of them
STUCK_SECONDS = 3.0  # asleep after its deadline, without so much work:
LONGEST_LOOK = 1.0  # second that one look speaks for: who looks rarely does not know of the time between
LEAST_WORK = 0.01  # seconds of the processor
MOST_WAITING = 10  # times its deadline that a task may sleep after it, on a disk that answers slowly
LOST = 255  # the exit code where nobody is left to tell it
OUT_OF_MEMORY = ("SIGABRT", "SIGTRAP", "SIGILL")  # how libraries end themselves when memory runs out
OUTSIDE = {getattr(signal, name, None) for name in ("SIGKILL", "SIGTERM", "SIGHUP")}  # how others end a process
LOWER = 5  # of Unix priorities: a third of an ordinary share. The lowest would starve beside any busy program.


class Feeder(threading.Thread):
    """Hands tasks and their files to one worker, so that neither a slow disk nor a full pipe holds the others up."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__(name="dupfinder-feeder", daemon=True)
        self._pipe = pipe
        self._portions: SimpleQueue[tuple[bytes, Sequence[str]] | None] = SimpleQueue()

    def add(self, tasks: bytes, paths: Sequence[str]) -> None:
        """Let a portion be handed over: pickled tasks, and the files that they need."""
        if not self.is_alive():
            self.start()
        self._portions.put((tasks, paths))

    def run(self) -> None:
        """Hand portions over until there are no more or the worker is gone: that is heard at its other pipe."""
        while (portion := self._portions.get()) is not None:
            with suppress(OSError):
                hand_over(self._pipe, *portion)
        self._pipe.close()

    def end(self) -> None:
        """No more portions; the worker is gone. A disk that does not answer may keep the last one a while."""
        if self.is_alive():
            self._portions.put(None)
            self.join(1.0)
        else:
            self._pipe.close()


@dataclass(eq=False)
class Child(Generic[T]):
    """One worker and what it has been handed and not answered; the first of `jobs` is in its hand since `began`.

    used:   seconds of the processor that it had had by then. worked: those for the job, when it was last seen to work.
    idle:   seconds after the deadline that it slept since it was last seen to work; asleep: altogether.
    seen:   when it was last looked at. aside: it took long and lets the others go first.
    """

    process: SpawnProcess | ForkServerProcess
    feeder: Feeder
    inbox: Inbox
    answers: Connection
    cage: JobObject
    starts_programs: bool = False
    jobs: deque[Job[T]] = field(default_factory=deque)
    began: float = 0.0
    used: float = 0.0
    worked: float = 0.0
    idle: float = 0.0
    asleep: float = 0.0
    seen: float = 0.0
    looked: float = 0.0
    resident: int = 0
    done: int = 0
    ready: bool = False
    retiring: bool = False
    aside: bool = False

    @classmethod
    def start(
        cls, work: Callable[[Any], Any], limits: Limits, now: float, preload: str = "", readable: Sequence[str] = ()
    ) -> Child[T]:
        """A new process that will do `work`. preload, readable: see `Sandbox`. Raises ReadersError, OSError."""
        context: Any = get_context("forkserver" if COPIES else "spawn")
        if COPIES:
            hold_folder(Path(get_temp_dir()))
            context.set_forkserver_preload(["dupfinder.processes.leftovers", preload or work.__module__, *LIBRARIES])
        tasks_out, tasks_in = context.Pipe(duplex=HANDS_OVER)  # a duplex pipe is a socket, which files can pass
        answers_out, answers_in = context.Pipe(duplex=False)
        around = Surroundings(dict(os.environ), (*own_files(work.__module__), *readable))
        arguments = (work, limits, tasks_out, answers_in, around)
        process = context.Process(target=serve, args=arguments, name="dupfinder-reader", daemon=True)
        try:
            with nullcontext() if work.__module__ == "__main__" else without_script():
                process.start()
        except (EOFError, ConnectionError) as error:  # the process that is copied has ended
            raise ReadersError(details(Clause.PROCESS_GONE)) from error
        tasks_out.close()
        answers_in.close()
        job = JobObject(limits.memory_bytes, programs=bool(limits.programs))
        job.take_in(process.sentinel)  # a handle on Windows, where alone this does something
        inbox = Inbox(answers_out, limits.answer_bytes)
        programs = bool(limits.programs)
        return cls(process, Feeder(tasks_in), inbox, answers_out, job, programs, began=now, seen=now)

    def weight(self) -> int:
        """Bytes of what it has in hand and before it."""
        return sum(job.weight for job in self.jobs)

    def send(self, batch: Sequence[Job[T]], tasks: bytes, paths: Sequence[str], now: float) -> None:
        """Hand it jobs: pickled as `tasks`, with the files that they need."""
        if not self.jobs:
            self.take_up(now)
        self.jobs.extend(batch)
        self.feeder.add(tasks, paths)

    def take_up(self, now: float) -> None:
        """The next job is in its hand from now on."""
        self.began = self.seen = now
        self.worked = self.idle = self.asleep = 0.0
        self.resident = 0

    def answered(self, answer: Answer, now: float) -> Job[T]:
        """The job that it has just answered."""
        self.done += 1
        self.used = answer.used
        self.take_up(now)
        return self.jobs.popleft()

    def give_back(self, *, but_the_first: bool = False) -> list[Job[T]]:
        """The jobs it has not answered, which are no longer its own."""
        kept = 1 if but_the_first else 0
        back = list(self.jobs)[kept:]
        self.jobs = deque(list(self.jobs)[:kept])
        return back

    def toil(self) -> float:
        """Seconds of the processor that it and the programs it started have had for its job; 0 when it is gone."""
        import psutil  # only a task that takes long needs it

        try:
            processes = self._with_programs()
            times = processes[0].cpu_times()
            ended = times.children_user + times.children_system
            running = sum(sum(process.cpu_times()[:2]) for process in processes)
        except psutil.Error:
            return 0.0
        return float(ended + running) - self.used

    def _with_programs(self) -> list[psutil.Process]:
        """Its process and those of programs that it has started. Raises psutil.Error."""
        import psutil  # only a task that takes long needs it

        process = psutil.Process(self.process.pid)
        return [process, *process.children()] if self.starts_programs else [process]

    def is_overdue(self, allowed: float, now: float) -> bool:
        """Whether the job in its hand has had so many seconds of the processor, or hangs after so many by the clock.

        What a busy machine does not give it is not held against it: while it works or waits for a processor the clock
        does not count. What can be read does not depend on the load.
        """
        passed, self.seen = min(now - self.seen, now - self.began - allowed, LONGEST_LOOK), now
        if now - self.began <= allowed:
            return False
        toil = self.toil()
        if toil > allowed:
            return True
        if not self.is_asleep():
            return False
        if toil > self.worked + LEAST_WORK:
            self.worked, self.idle = toil, 0.0
        self.idle += passed
        self.asleep += passed
        return self.idle > STUCK_SECONDS or self.asleep > MOST_WAITING * allowed

    def is_asleep(self) -> bool:
        """Whether it waits for something else than a processor, as far as the system tells; it may be gone."""
        import psutil  # only a task that takes long needs it

        try:
            return not COPIES or all(one.status() != psutil.STATUS_RUNNING for one in self._with_programs())
        except psutil.Error:
            return True

    def step_aside(self) -> None:
        """Let the others go first."""
        import psutil  # only a task that takes long needs it

        self.aside = True
        with suppress(psutil.Error, OSError):
            psutil.Process(self.process.pid).nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", LOWER))

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
            return Answer(None, Failure.TOO_SLOW, details(Clause.OWN_ALARM))
        if code == LOST or (sys.platform != "win32" and -code in OUTSIDE):
            return Answer(None, Failure.ENDED, details(Clause.ENDED_FROM_OUTSIDE))
        if self.resident > 0.6 * limits.memory_bytes:
            return Answer(None, Failure.OUT_OF_MEMORY, details(Clause.AT_MEGABYTES, megabytes=self.resident >> 20))
        if -code not in set(signal.Signals):
            return Answer(None, Failure.CRASHED, details(Clause.ENDED_WITH_STATUS, status=code))
        name = signal.Signals(-code).name
        clause = Clause.ENDED_OUT_OF_MEMORY if name in OUT_OF_MEMORY else Clause.ENDED_BY_SIGNAL
        return Answer(None, Failure.CRASHED, details(clause, signal=name))

    def kill(self) -> None:
        """End it and whatever it started. Its group exists once it has settled; before that it is alone."""
        if sys.platform != "win32" and self.process.pid is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def bury(self) -> None:
        """Wait for the end of a killed one, and close what led to it."""
        self.process.join()
        self.feeder.end()
        self.answers.close()
        self.cage.close()
        self.process.close()


def packed(batch: Sequence[Job[T]], limits: Limits) -> bytes:
    """Jobs as workers take them: each task with its deadline in seconds."""
    return pickle.dumps([(job.task, limits.deadline(job.weight)) for job in batch])
