"""Child processes that work through tasks under time and memory limits. Knows nothing of documents.

A worker that hangs, swells or dies costs the one task in its hand; the others' tasks are done as if nothing had been.
A task that takes long steps aside: it goes on at the lowest priority while another worker does what was queued behind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.errors import ReadersError
from dupfinder.processes.child import COPIES, Child, packed
from dupfinder.processes.handed import HANDS_OVER
from dupfinder.processes.turns import BATCH_TASKS, BATCH_WEIGHT, Job, Turns
from dupfinder.processes.wire import WireError
from dupfinder.processes.worker import READY, Answer, Answers, Failure, Limits

__all__ = ["Done", "Failure", "Limits", "Sandbox"]

T = TypeVar("T")
R = TypeVar("R")

START_SECONDS = 60.0  # a worker that has not said it is ready by then never will
MOST_FALSE_STARTS = 5  # workers in a row that end before they are ready: then none ever will be
LOOK_SECONDS = 0.1  # how often a stop is looked for
MEMORY_LOOK_SECONDS = 0.25
# Seconds of the processor, and more for each megabyte, after which a task is a slow one. Most take a tenth of that: one
# that steps aside costs as much as a new worker needs to learn the words that it meets.
PATIENCE_SECONDS = 0.1 if COPIES else 1.0
PATIENCE_A_MEGABYTE = 1.0
IDLE_PATIENCE = 10  # times as long may pass on the clock, where a task waits for something else
_TRIED_AGAIN = (Failure.CRASHED, Failure.OUT_OF_MEMORY, Failure.TOO_SLOW)
MOST_ASIDE = 8  # slow tasks beside the others; they share one worker's memory


@dataclass(frozen=True)
class Done(Generic[T, R]):
    """A task and its outcome: `value` when failure is None. `details` say more (AFTER_SECONDS: 12)."""

    task: T
    value: R | None
    failure: Failure | None = None
    details: Details = ()


def _no_files(_: object) -> Iterable[Path]:
    return ()


def _weigh(task: object) -> int:
    """Bytes of a task that says its size; 0 otherwise."""
    return len(task) if isinstance(task, bytes | bytearray) else int(getattr(task, "size", 0))


class Sandbox(Generic[T, R]):
    """Runs `work` on tasks in `workers` child processes, each in a cell (see processes.cell).

    `work` is a module's function that declares what it returns: answers cross as plain data of that type (see
    processes.wire). Tasks are pickled.

    weight: bytes that a task will have to read: sets its deadline, its batch and its turn (large ones last).
    files:  the files that a task reads; workers get them by `handed.open_handed`, and may open no other.
    readable: files and folders that all tasks may read besides.
    retry:  the task to try once, alone, after a task failed: its worker died, ran out of memory or of time (None: do
            not).
    preload: a module that loads what workers need when it is imported; where they are copies that is done once.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        *,
        workers: int,
        limits: Limits = Limits(),  # noqa: B008 - frozen: one value may serve all
        weight: Callable[[T], int] = _weigh,
        files: Callable[[T], Iterable[Path]] = _no_files,
        readable: Sequence[Path] = (),
        retry: Callable[[T, Failure], T | None] | None = None,
        preload: str = "",
    ) -> None:
        self._work = work
        self._count = max(1, workers)
        self._limits = limits
        self._weight = weight
        self._files = files
        self._readable = [os.fspath(path) for path in readable]
        self._answers = Answers(work)
        self._retry = retry
        self._preload = preload
        self._workers: list[Child[T]] = []
        self._turns: Turns[T] = Turns(self._count)
        self._false_starts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, tasks: Iterable[T], check: Callable[[], None] = lambda: None) -> Iterator[Done[T, R]]:
        """The outcomes as they come, in any order; each task has exactly one. `check` may raise to end it all.

        Raises ReadersError when workers cannot even start, RuntimeError when they lack a module: a fault of the program
        or its installation, not of tasks.
        """
        source = iter(tasks)
        more = True
        try:
            while True:
                check()
                more = more and self._turns.fill(source, self._weight)
                self._hand_out()
                if not more and not self._busy():
                    return
                for worker in self._ready():
                    yield from self._hear(worker)
                yield from self._watch()
        finally:
            self._turns.clear()
            if self._busy():
                self.close()

    def in_hand(self) -> tuple[tuple[T, float], ...]:
        """The tasks being worked on now, at most one a worker, and for how many seconds. From any thread."""
        heads: list[tuple[T, float]] = []
        now = time.monotonic()
        for worker in tuple(self._workers):
            with suppress(IndexError):  # answered in this very moment
                heads.append((worker.jobs[0].task, now - worker.began))
        return tuple(heads)

    def close(self) -> None:
        """End every worker. The sandbox can be used again: it starts new ones."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.bury()

    def _busy(self) -> bool:
        return bool(self._turns or any(worker.jobs for worker in self._workers))

    def _in_front(self) -> list[Child[T]]:
        return [worker for worker in self._workers if not worker.aside]

    def _hand_out(self) -> None:
        """Give idle workers work, start workers while there is work for them, then top up the ones with little left."""
        front = self._in_front()
        for worker in front:
            if not worker.jobs and not worker.retiring:
                self._send(worker, self._next())
        while len(front) < self._count and self._turns.has_next(idle=self._is_idle()):
            now = time.monotonic()
            front.append(Child.start(self._work, self._limits, now, self._preload, self._readable))
            self._workers.append(front[-1])
            self._send(front[-1], self._next())
        for worker in front:
            if self._may_top_up(worker):
                self._send(worker, self._next())

    def _next(self) -> list[Job[T]]:
        return self._turns.batch(idle=self._is_idle())

    def _is_idle(self) -> bool:
        return not any(worker.jobs for worker in self._workers)

    def _may_top_up(self, worker: Child[T]) -> bool:
        return (
            self._turns.in_time > 0
            and not worker.retiring
            and not any(job.late or job.alone for job in worker.jobs)
            and len(worker.jobs) < BATCH_TASKS // 2
            and worker.weight() < BATCH_WEIGHT // 2
        )

    def _send(self, worker: Child[T], batch: Sequence[Job[T]]) -> None:
        if batch:
            every = (path for job in batch for path in self._files(job.task)) if HANDS_OVER else ()
            paths = list(dict.fromkeys(os.fspath(path) for path in every))
            worker.send(batch, packed(batch, self._limits), paths, time.monotonic())

    def _wait_again(self, jobs: Iterable[Job[T]]) -> None:
        for job in jobs:
            self._turns.add(job)

    def _ready(self) -> list[Child[T]]:
        """Workers that have answered or died; waits for one a short while."""
        by_pipe = {worker.answers: worker for worker in self._workers}
        return [by_pipe[pipe] for pipe in wait(list(by_pipe), LOOK_SECONDS) if isinstance(pipe, Connection)]

    def _hear(self, worker: Child[T]) -> Iterator[Done[T, R]]:
        """Take what a worker has said so far."""
        heard: list[Done[T, R]] = []
        gone = False
        try:
            for message in worker.inbox.messages():
                if worker.jobs:  # else it was ended, and what it had in hand waits for another
                    heard.extend(self._said(worker, message))
        except (WireError, ValueError):
            gone = True
        if gone or worker.inbox.closed:
            heard.extend(self._lost(worker, broken=gone))
        elif worker.retiring and not worker.jobs:
            self._dismiss(worker)
        self._hand_out()
        yield from heard

    def _said(self, worker: Child[T], message: bytes) -> list[Done[T, R]]:
        if message == READY and not worker.ready:
            worker.ready = True
            worker.take_up(time.monotonic())
            self._false_starts = 0
            return []
        answer = self._answers.unpack(message)
        if answer.failure is Failure.INCOMPLETE:
            raise RuntimeError(f"a module of the program is missing or broken: {answer.trouble[0].facts}")
        job = worker.answered(answer, time.monotonic())
        spent = worker.done >= self._limits.tasks_per_worker or answer.failure is Failure.OUT_OF_MEMORY
        worker.retiring = worker.retiring or worker.aside or spent  # a priority that was lowered stays low
        if worker.retiring:
            worker.kill()
            self._wait_again(worker.give_back())
        return self._outcome(job, answer)

    def _outcome(self, job: Job[T], answer: Answer) -> list[Done[T, R]]:
        """The outcome of a job, or nothing yet when it is tried once more."""
        if answer.failure in _TRIED_AGAIN and self._retry and not job.is_retry:
            again = self._retry(job.task, answer.failure)
            if again is not None:
                self._turns.add(Job(again, job.weight, retry_of=job.task, late=True))
                return []
        if answer.failure is Failure.ENDED and not job.alone:
            self._turns.add(replace(job, late=False, alone=True))
            return []
        task = job.task if job.retry_of is None else job.retry_of
        return [Done(task, answer.value, answer.failure, answer.trouble)]

    def _lost(self, worker: Child[T], *, broken: bool) -> list[Done[T, R]]:
        """A worker has died, or says what no worker says: the task in its hand is charged, the rest waits again."""
        if broken:
            return self._end(worker, Answer(None, Failure.CRASHED, details(Clause.IMPOSSIBLE_ANSWER)))
        answer = worker.cause_of_death(self._limits)
        self._false_starts += not worker.ready
        if self._false_starts >= MOST_FALSE_STARTS:
            raise ReadersError(answer.trouble)
        return self._end(worker, answer)

    def _watch(self) -> Iterator[Done[T, R]]:
        """Let slow tasks step aside; end those past their deadline or over their memory."""
        now = time.monotonic()
        for worker in tuple(self._workers):
            if not worker.jobs or worker.answers.poll():
                continue
            allowed = self._limits.deadline(worker.jobs[0].weight) if worker.ready else START_SECONDS
            if worker.is_overdue(allowed, now):
                seconds = details(Clause.AFTER_SECONDS, seconds=round(now - worker.began))
                yield from self._end(worker, Answer(None, Failure.TOO_SLOW, seconds))
                continue
            elapsed = now - worker.began
            looks = elapsed > MEMORY_LOOK_SECONDS and now - worker.looked > MEMORY_LOOK_SECONDS
            if looks and worker.look(now) > self._limits.memory_bytes:
                held = details(Clause.AT_MEGABYTES, megabytes=worker.resident >> 20)
                yield from self._end(worker, Answer(None, Failure.OUT_OF_MEMORY, held))
            elif worker.ready and not worker.aside and self._holds_others_up(worker) and _is_slow(worker, elapsed):
                self._set_aside(worker, now)
        self._keep_room()

    def _holds_others_up(self, worker: Child[T]) -> bool:
        return not self._limits.patience and (self._turns.in_time > 0 or len(worker.jobs) > 1)

    def _set_aside(self, worker: Child[T], now: float) -> None:
        """Make room for another worker, unless too many stand aside or hold too much memory."""
        aside = [other for other in self._workers if other.aside]
        held = sum(other.resident for other in aside)
        if len(aside) < MOST_ASIDE and held + worker.look(now) <= self._limits.memory_bytes:
            worker.step_aside()
            self._wait_again(worker.give_back(but_the_first=True))
            self._hand_out()

    def _keep_room(self) -> None:
        """Workers aside hold one worker's memory together; the largest is ended, its task begun anew as the last."""
        aside = [worker for worker in self._workers if worker.aside]
        if len(aside) > 1 and sum(worker.resident for worker in aside) > self._limits.memory_bytes:
            largest = max(aside, key=lambda worker: worker.resident)
            self._wait_again(replace(job, late=True) for job in largest.give_back())
            self._dismiss(largest)

    def _end(self, worker: Child[T], answer: Answer) -> list[Done[T, R]]:
        jobs = worker.give_back()
        self._wait_again(jobs[1:])
        self._dismiss(worker)
        return self._outcome(jobs[0], answer) if jobs else []

    def _dismiss(self, worker: Child[T]) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        worker.kill()
        worker.bury()


def _is_slow(worker: Child[T], elapsed: float) -> bool:
    """Whether the task in its hand takes longer than most do, which a busy machine alone does not make it."""
    patience = PATIENCE_SECONDS + PATIENCE_A_MEGABYTE * worker.jobs[0].weight / 1e6
    if elapsed <= patience:
        return False
    return worker.toil() > patience or (elapsed > IDLE_PATIENCE * patience and worker.is_asleep())
