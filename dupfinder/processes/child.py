"""The parent's side of one reading process: its pipes, the errands it has not answered, its deadline and its end."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import struct
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.util import get_temp_dir
from pathlib import Path
from queue import SimpleQueue
from tempfile import gettempdir
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from dupfinder.base.details import Clause, details
from dupfinder.base.errors import ReadersError
from dupfinder.base.files import claim_folder
from dupfinder.processes.cell import own_files
from dupfinder.processes.descriptors import HANDS_OVER, hand_over
from dupfinder.processes.errands import Errand
from dupfinder.processes.wire import Inbox, WireError
from dupfinder.processes.worker import (
    FIRST_STEP,
    MOST_SECONDS,
    Answer,
    Failure,
    Limits,
    TaskFunctions,
    WorkerSetup,
    serve,
)

if TYPE_CHECKING:
    import psutil

_EXTENDED_LIMITS, _USER_INTERFACE = 9, 4  # classes of information
_ONE_PROCESS, _PROCESS_MEMORY, _NO_ERROR_BOX, _END_WITH_THE_PROGRAM = 0x8, 0x100, 0x400, 0x2000
# No handles of other programs, no clipboard, no change of the system's settings or display, no shutdown.
_ALL_RESTRICTIONS: Final = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80
# JOBOBJECT_EXTENDED_LIMIT_INFORMATION: time of a process and of the job; flags; two working sets; number of processes;
# affinity, priority, scheduling; six counters; memory of a process and of the job; two peaks.
_LIMITS: Final = struct.Struct("@2qI2NIN2I6Q2N2N")


class JobObject:
    """A job object of Windows for one reading process, which limits its memory and ends it with the program.

    Does nothing on other systems, nor when Windows refuses to create it.
    memory_bytes: the limit of its memory. programs: whether it may start other processes.
    Source: learn.microsoft.com, JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
    """

    def __init__(self, memory_bytes: int, *, programs: bool) -> None:
        self._handle: int | None = None
        if sys.platform == "win32":
            self._make(memory_bytes, programs)

    def take_in(self, process: int) -> None:
        """Add a process to the job. process: its handle."""
        if self._handle is not None:
            _kernel().AssignProcessToJobObject(ctypes.c_void_p(self._handle), ctypes.c_void_p(process))

    def close(self) -> None:
        """End the processes that are still in the job."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _kernel().CloseHandle(ctypes.c_void_p(handle))

    def _make(self, memory_bytes: int, programs: bool) -> None:
        """Create the job and set its limits."""
        kernel = _kernel()
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._handle = kernel.CreateJobObjectW(None, None)
        if self._handle is None:
            return
        flags = _PROCESS_MEMORY | _NO_ERROR_BOX | _END_WITH_THE_PROGRAM | (0 if programs else _ONE_PROCESS)
        limits = _LIMITS.pack(0, 0, flags, 0, 0, 1, 0, 0, 0, *[0] * 6, memory_bytes, 0, 0, 0)
        for kind, value in ((_EXTENDED_LIMITS, limits), (_USER_INTERFACE, struct.pack("I", _ALL_RESTRICTIONS))):
            kernel.SetInformationJobObject(ctypes.c_void_p(self._handle), kind, value, len(value))


def _kernel() -> Any:
    """Return the system's library with the calls for job objects."""
    return ctypes.CDLL("kernel32")


T = TypeVar("T")

# Whether workers are forked from a server process that has imported everything: 20 ms for each instead of 350. On macOS
# a forked process that uses the system's libraries may crash, and Windows cannot fork.
FORKS = sys.platform == "linux"
LONGEST_TEMPORARY = 75  # bytes of the path of the temporary folder; the path of the server's socket in it may have 107
PRELOADED = ("numpy", "lxml.etree", "rjieba")  # what workers need, loaded once for all of them
STUCK_SECONDS = 3.0  # a task that sleeps so long after its deadline, and spends less CPU than LEAST_WORK, hangs
LEAST_WORK = 0.01  # seconds of CPU
LONGEST_LOOK = 1.0  # seconds; a longer time between two looks counts as this, since it was not observed
MOST_WAITING = 10  # deadlines; so long may a task sleep after its deadline, waiting for a slow disk
LOST_STATUS = 255  # what multiprocessing reports when the server process does not know the exit code
MEMORY_SIGNALS = ("SIGABRT", "SIGTRAP", "SIGILL")  # how libraries end themselves when memory runs out
OUTSIDE_SIGNALS = {getattr(signal, name, None) for name in ("SIGKILL", "SIGTERM", "SIGHUP")}  # sent by others
LOW_PRIORITY = 5  # niceness: a third of the usual share of CPU; with the lowest priority a task might get none at all


_SCRIPT_LOCK: Final = threading.RLock()


@contextmanager
def without_script() -> Iterator[None]:
    """Hide the caller's script (`__main__`) while a process is started.

    Python runs the main script again, as `__mp_main__`, in each process that it spawns. A script without
    `if __name__ == "__main__"` would start itself again and again. Our processes need only our own modules.
    """
    with _SCRIPT_LOCK:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def starting_context(preload: str) -> Any:
    """Return the context of multiprocessing that starts processes the quickest way of this system.

    preload: a module that imports what they need. Where processes are forked from a server process, only the preload of
    the first call counts.
    """
    # Otherwise Python looks for modules in the current folder first, and a document there may be called random.py.
    os.environ["PYTHONSAFEPATH"] = "1"
    forks = FORKS and len(os.fsencode(gettempdir())) <= LONGEST_TEMPORARY
    context: Any = get_context("forkserver" if forks else "spawn")
    if forks:
        claim_folder(Path(get_temp_dir()))
        context.set_forkserver_preload(["dupfinder.processes.leftovers", preload, *PRELOADED])
    return context


class Feeder(threading.Thread):
    """A thread that hands tasks and files to one worker, so that a slow disk or a full pipe delays no other worker."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__(name="dupfinder-feeder", daemon=True)
        self._pipe = pipe
        self._portions: SimpleQueue[tuple[bytes, Sequence[str]] | None] = SimpleQueue()

    def add(self, tasks: bytes, paths: Sequence[str]) -> None:
        """Append tasks, pickled, and the paths of the files that they need, to what is handed over."""
        if not self.is_alive():
            self.start()
        self._portions.put((tasks, paths))

    def run(self) -> None:
        """Send what was added until `end` is called. Errors are ignored: the other pipe reports a lost worker."""
        while (portion := self._portions.get()) is not None:
            with suppress(OSError):
                hand_over(self._pipe, *portion)
        self._pipe.close()

    def end(self) -> None:
        """Close the pipe after the worker's end. Waits at most a second for a disk that does not answer."""
        if self.is_alive():
            self._portions.put(None)
            self.join(1.0)
        else:
            self._pipe.close()


@dataclass(eq=False)
class Child(Generic[T]):
    """A worker process and its unanswered errands. "The errand" is the one that it works on: see `in_work`.

    Points in time are seconds of the monotonic clock; fields named `cpu` are seconds of CPU.

    job:       its job object on Windows.
    half_done: the CPU of the first step of each errand whose second step is still to be done; these errands are first.
    finishing: whether it is doing these second steps.
    began:     when it began the errand. cpu_at_start: what it had spent until then, on earlier errands.
    cpu:       spent on the errand, when last measured. cpu_at_progress: when it was last seen to make progress.
    slept:     seconds after the deadline, since that progress. slept_in_all: since the errand began.
    checked_at: when `is_overdue` was last called. measured_at: when `look` measured `resident`, its bytes of memory.
    done:      errands answered.
    prepared:  whether it has answered an errand of the present run, and so holds what the run's errands have in common.
    ready:     whether its imports are done.
    retiring:  whether it gets no further errands.
    aside:     whether it runs at a lower priority, because its errand takes long.
    """

    process: BaseProcess
    feeder: Feeder
    inbox: Inbox
    answers: Connection
    job: JobObject
    starts_programs: bool = False
    errands: deque[Errand[T]] = field(default_factory=deque)
    half_done: deque[float] = field(default_factory=deque)
    finishing: bool = False
    began: float = 0.0
    cpu_at_start: float = 0.0
    cpu: float = 0.0
    cpu_at_progress: float = 0.0
    slept: float = 0.0
    slept_in_all: float = 0.0
    checked_at: float = 0.0
    measured_at: float = 0.0
    resident: int = 0
    done: int = 0
    prepared: bool = False
    ready: bool = False
    retiring: bool = False
    aside: bool = False

    @classmethod
    def start(
        cls, functions: TaskFunctions, limits: Limits, now: float, preload: str = "", readable: Sequence[str] = ()
    ) -> Child[T]:
        """Start a process that will do tasks by these functions. preload, readable: see `Sandbox`.

        Raises ReadersError when the server process is gone, OSError when the system starts no process.
        """
        module = functions.work.__module__
        context = starting_context(preload or module)
        tasks_out, tasks_in = context.Pipe(duplex=HANDS_OVER)  # a duplex pipe is a socket, which files can pass
        answers_out, answers_in = context.Pipe(duplex=False)
        setup = WorkerSetup(dict(os.environ), (*own_files(module), *readable))
        arguments = (functions, limits, tasks_out, answers_in, setup)
        process = context.Process(target=serve, args=arguments, name="dupfinder-reader", daemon=True)
        try:
            with nullcontext() if module == "__main__" else without_script():
                process.start()
        except (EOFError, ConnectionError) as error:  # the server process has ended
            raise ReadersError(details(Clause.PROCESS_GONE)) from error
        tasks_out.close()
        answers_in.close()
        programs = bool(limits.programs)
        job = JobObject(limits.memory_bytes, programs=programs)
        job.take_in(process.sentinel)  # a process handle; only used on Windows
        inbox = Inbox(answers_out, limits.answer_bytes)
        return cls(process, Feeder(tasks_in), inbox, answers_out, job, programs, began=now, checked_at=now)

    def in_work(self) -> list[Errand[T]]:
        """Return the errands that it works on: one in its first step, or those in their second. For any thread."""
        errands, half_done = list(self.errands), len(self.half_done)
        if self.finishing:
            return errands[:half_done]
        return errands[half_done : half_done + 1] or errands  # all, if it announced a first step that it does not have

    def waiting(self) -> list[Errand[T]]:
        """Return the errands that it has not begun."""
        return list(self.errands)[len(self.half_done) + (0 if self.finishing else 1) :]

    def weight(self) -> int:
        """Return the bytes of the errands that it works on."""
        return sum(errand.weight for errand in self.in_work())

    def send(self, batch: Sequence[Errand[T]], tasks: bytes, paths: Sequence[str], now: float) -> None:
        """Send it the errands of `batch`; `tasks` are the same errands pickled, `paths` the files that they need."""
        if not self.errands:
            self.take_up(now)
        self.errands.extend(batch)
        self.feeder.add(tasks, paths)

    def take_up(self, now: float) -> None:
        """Reset the measurements: the next errand begins now."""
        self.began = self.checked_at = now
        self.cpu = self.cpu_at_progress = self.slept = self.slept_in_all = 0.0
        self.resident = 0

    def end_first_step(self, message: bytes, now: float) -> None:
        """Record that an errand is done except for its second step. Raises WireError if that cannot be."""
        is_last, used = FIRST_STEP.unpack(message)
        if self.finishing or len(self.half_done) == len(self.errands) or not 0.0 <= used < MOST_SECONDS:
            raise WireError("an unexpected first step, or an impossible time")
        self.half_done.append(max(0.0, used - self.cpu_at_start))
        self.cpu_at_start, self.finishing = used, is_last
        self.take_up(now)

    def answered(self, answer: Answer, now: float) -> Errand[T]:
        """Remove and return the errand that it has just answered. A failed one gets the CPU of this attempt added."""
        self.done += 1
        self.prepared = True
        spent = self.half_done.popleft() if self.half_done else max(0.0, answer.used - self.cpu_at_start)
        self.cpu_at_start, self.finishing = answer.used, self.finishing and bool(self.half_done)
        self.take_up(now)
        errand = self.errands.popleft()
        return replace(errand, spent=errand.spent + spent) if answer.failure else errand

    def give_back(self, errands: Sequence[Errand[T]] | None = None) -> list[Errand[T]]:
        """Remove `errands` (None: all) from its unanswered errands, and return them."""
        removed = list(self.errands) if errands is None else list(errands)
        removed_ids = set(map(id, removed))  # two errands may have equal tasks
        self.errands = deque(errand for errand in self.errands if id(errand) not in removed_ids)
        return removed

    def spent_cpu(self) -> float:
        """Measure and return the seconds of CPU that it and the programs it started have spent on its errand.

        When it is gone, this is what was measured last.
        """
        import psutil  # only a task that takes long needs it

        try:
            processes = self._with_programs()
            times = processes[0].cpu_times()
            ended = times.children_user + times.children_system
            running = sum(sum(process.cpu_times()[:2]) for process in processes)
        except psutil.Error:
            return self.cpu
        self.cpu = max(0.0, float(ended + running) - self.cpu_at_start)
        return self.cpu

    def _with_programs(self) -> list[psutil.Process]:
        """Return its process and the programs that it has started. Raises psutil.Error."""
        import psutil  # only a task that takes long needs it

        process = psutil.Process(self.process.pid)
        return [process, *process.children()] if self.starts_programs else [process]

    def is_overdue(self, allowed: float, now: float) -> bool:
        """Tell whether its errand has spent `allowed` seconds of CPU, or hangs after `allowed` seconds by the clock.

        The clock does not count while it works or waits for a CPU: a busy machine does not change what can be read.
        """
        over = now - self.began - allowed
        passed, self.checked_at = min(now - self.checked_at, over, LONGEST_LOOK), now
        if over <= 0:
            return False
        spent_cpu = self.spent_cpu()
        if spent_cpu > allowed:
            return True
        if not self.is_asleep():
            return False
        if spent_cpu > self.cpu_at_progress + LEAST_WORK:
            self.cpu_at_progress, self.slept = spent_cpu, 0.0
        self.slept += passed
        self.slept_in_all += passed
        return self.slept > STUCK_SECONDS or self.slept_in_all > MOST_WAITING * allowed

    def is_asleep(self) -> bool:
        """Tell whether it waits for something else than a CPU, as far as the system knows; True when it is gone."""
        import psutil  # only a task that takes long needs it

        try:
            if sys.platform != "linux":  # other systems do not tell
                return True
            return all(process.status() != psutil.STATUS_RUNNING for process in self._with_programs())
        except psutil.Error:
            return True

    def step_aside(self) -> None:
        """Lower its priority, so that other processes go first."""
        import psutil  # only a task that takes long needs it

        self.aside = True
        with suppress(psutil.Error, OSError):
            psutil.Process(self.process.pid).nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", LOW_PRIORITY))

    def look(self, now: float) -> int:
        """Measure its CPU time and its memory, and return the bytes of memory; 0 when it is gone."""
        import psutil  # only a task that takes long needs it

        self.measured_at = now
        self.spent_cpu()
        try:
            self.resident = int(psutil.Process(self.process.pid).memory_info().rss)
        except psutil.Error:
            self.resident = 0
        return self.resident

    def cause_of_death(self, limits: Limits) -> Answer:
        """Return why it ended, as the answer to its errand. Wait at most 10 s: a busy machine delays its end."""
        self.process.join(10.0)
        code = self.process.exitcode or 0
        if sys.platform != "win32" and -code in (signal.SIGALRM, signal.SIGPROF):
            return Answer(None, Failure.TOO_SLOW, details(Clause.OWN_ALARM))
        if code == LOST_STATUS or (sys.platform != "win32" and -code in OUTSIDE_SIGNALS):
            return Answer(None, Failure.ENDED, details(Clause.ENDED_FROM_OUTSIDE))
        if self.resident > 0.6 * limits.memory_bytes:  # measured some time before its end
            return Answer(None, Failure.OUT_OF_MEMORY, details(Clause.AT_MEGABYTES, megabytes=self.resident >> 20))
        if -code not in set(signal.Signals):
            return Answer(None, Failure.CRASHED, details(Clause.ENDED_WITH_STATUS, status=code))
        name = signal.Signals(-code).name
        clause = Clause.ENDED_OUT_OF_MEMORY if name in MEMORY_SIGNALS else Clause.ENDED_BY_SIGNAL
        return Answer(None, Failure.CRASHED, details(clause, signal=name))

    def kill(self) -> None:
        """Kill the process and the programs that it started.

        They are a process group from `worker._settle` on; before that it has started none.
        """
        if sys.platform != "win32" and self.process.pid is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def discard(self) -> None:
        """Wait for the end of a killed process, and close its pipes."""
        self.process.join()
        self.feeder.end()
        self.answers.close()
        self.job.close()
        self.process.close()


def packed(batch: Sequence[Errand[T]], limits: Limits, preparation: int) -> bytes:
    """Return errands as workers receive them: pickled (task, deadline in seconds, the same for an unprepared worker).

    preparation: bytes; see `Sandbox.run`.
    """
    weights = [(errand.task, errand.weight) for errand in batch]
    return pickle.dumps(
        [(task, limits.deadline(weight), limits.deadline(weight + preparation)) for task, weight in weights]
    )
