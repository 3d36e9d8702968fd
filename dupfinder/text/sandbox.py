"""Child processes that work through tasks under time and memory limits. Knows nothing of documents.

A worker that hangs, swells or dies costs the one task in its hand; the others' tasks are done as if nothing had been.
"""

from __future__ import annotations

import heapq
import itertools
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Generic, Self, TypeVar

from dupfinder.text.worker import READY, Answer, Failure, Limits, serve

__all__ = ["Done", "Failure", "Limits", "Sandbox"]

T = TypeVar("T")
R = TypeVar("R")

LOOK_AHEAD = 64  # tasks taken from the caller ahead of each worker: enough to balance, little to hold
BATCH_TASKS = 24
BATCH_WEIGHT = 1 << 18  # bytes: about 10 ms of reading, long against the 0.1 ms of a message
TOP_UP_BYTES = 0 if sys.platform == "win32" else 8192  # always fits a pipe's buffer, so sending never waits
START_SECONDS = 60.0  # a worker that has not said it is ready by then never will
MOST_FALSE_STARTS = 5  # workers in a row that end before they are ready: then none ever will be
LOOK_SECONDS = 0.1  # how often a stop is looked for
MEMORY_LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Done(Generic[T, R]):
    """A task and its outcome: `value` when failure is None. `detail` is a clause of facts ("after 12 s")."""

    task: T
    value: R | None
    failure: Failure | None = None
    detail: str = ""


@dataclass(frozen=True)
class _Job(Generic[T]):
    """A task on its way. `retry_of` is the caller's task when this one is the second attempt at it."""

    task: T
    weight: int
    retry_of: T | None = None

    @property
    def is_retry(self) -> bool:
        return self.retry_of is not None


@dataclass(eq=False)
class _Worker(Generic[T]):
    """One child and what it has been handed and not answered; the first of `jobs` is in its hand since `began`."""

    process: SpawnProcess
    tasks: Connection
    answers: Connection
    jobs: deque[_Job[T]] = field(default_factory=deque)
    sizes: deque[int] = field(default_factory=deque)
    began: float = 0.0
    looked: float = 0.0
    resident: int = 0
    done: int = 0
    ready: bool = False
    retiring: bool = False

    def weight(self) -> int:
        return sum(job.weight for job in self.jobs)


def _weigh(task: object) -> int:
    """Bytes of a task that says its size; 0 otherwise."""
    return len(task) if isinstance(task, bytes | bytearray) else int(getattr(task, "size", 0))


class Sandbox(Generic[T, R]):
    """Runs `work` on tasks in `workers` child processes. `work` and the tasks are pickled: a module's function.

    weight: bytes that a task will have to read: sets its deadline, its batch and its turn (large ones first).
    retry:  the task to try once, alone, after its worker died or ran out of memory (None: do not).
    """

    def __init__(
        self,
        work: Callable[[T], R],
        *,
        workers: int,
        limits: Limits = Limits(),  # noqa: B008 - frozen: one value may serve all
        weight: Callable[[T], int] = _weigh,
        retry: Callable[[T], T | None] | None = None,
    ) -> None:
        self._work = work
        self._count = max(1, workers)
        self._limits = limits
        self._weight = weight
        self._retry = retry
        self._workers: list[_Worker[T]] = []
        self._waiting: list[tuple[int, int, _Job[T]]] = []
        self._alone: deque[_Job[T]] = deque()
        self._order = itertools.count()
        self._false_starts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, tasks: Iterable[T], check: Callable[[], None] = lambda: None) -> Iterator[Done[T, R]]:
        """The outcomes as they come, in any order; each task has exactly one. `check` may raise to end it all.

        Raises RuntimeError when workers cannot even start: a fault of the program or its installation, not of tasks.
        """
        source = iter(tasks)
        more = True
        try:
            while True:
                check()
                more = more and self._take(source)
                self._hand_out()
                if not more and not self._busy():
                    return
                for worker in self._ready():
                    yield from self._hear(worker)
                yield from self._overdue()
        finally:
            self._waiting.clear()
            self._alone.clear()
            if self._busy():
                self.close()

    def in_hand(self) -> tuple[T, ...]:
        """The tasks being worked on now, at most one a worker. May be called from any thread."""
        heads: list[T] = []
        for worker in tuple(self._workers):
            with suppress(IndexError):  # answered in this very moment
                heads.append(worker.jobs[0].task)
        return tuple(heads)

    def close(self) -> None:
        """End every worker. The sandbox can be used again: it starts new ones."""
        workers, self._workers = self._workers, []
        for worker in workers:
            _kill(worker.process)
        for worker in workers:
            _bury(worker)

    def _take(self, source: Iterator[T]) -> bool:
        """Fill the look-ahead; whether the source may have more."""
        while len(self._waiting) < LOOK_AHEAD * self._count:
            try:
                task = next(source)
            except StopIteration:
                return False
            self._wait_for_turn(_Job(task, self._weight(task)))
        return True

    def _wait_for_turn(self, job: _Job[T]) -> None:
        heapq.heappush(self._waiting, (-job.weight, next(self._order), job))

    def _busy(self) -> bool:
        return bool(self._waiting or self._alone or any(worker.jobs for worker in self._workers))

    def _hand_out(self) -> None:
        """Give idle workers work, start workers while there is work for them, then top up the ones with little left."""
        for worker in self._workers:
            if not worker.jobs and not worker.retiring:
                self._send(worker, self._batch())
        while len(self._workers) < self._count and (self._waiting or self._alone):
            self._workers.append(self._start())
            self._send(self._workers[-1], self._batch())
        for worker in self._workers:
            if TOP_UP_BYTES and self._may_top_up(worker):
                self._send(worker, self._batch())

    def _may_top_up(self, worker: _Worker[T]) -> bool:
        return (
            bool(self._waiting)
            and not self._alone
            and not worker.retiring
            and not any(job.is_retry for job in worker.jobs)
            and len(worker.jobs) < BATCH_TASKS // 2
            and worker.weight() < BATCH_WEIGHT // 2
        )

    def _batch(self) -> list[_Job[T]]:
        """The next jobs for one worker: a retry alone, a large one alone, or several small ones."""
        if self._alone:
            return [self._alone.popleft()]
        share = max(1, min(BATCH_TASKS, len(self._waiting) // (2 * self._count)))
        batch: list[_Job[T]] = []
        weight = 0
        while self._waiting and len(batch) < share:
            job = self._waiting[0][2]
            if batch and weight + job.weight > BATCH_WEIGHT:
                break
            heapq.heappop(self._waiting)
            batch.append(job)
            weight += job.weight
        return batch

    def _send(self, worker: _Worker[T], batch: Sequence[_Job[T]]) -> None:
        if not batch:
            return
        payload = pickle.dumps([(job.task, self._limits.deadline(job.weight)) for job in batch])
        if worker.jobs and sum(worker.sizes) + len(payload) > TOP_UP_BYTES:
            for job in batch:
                self._wait_for_turn(job)
            return
        if not worker.jobs:
            worker.began = time.monotonic()
            worker.resident = 0
        worker.jobs.extend(batch)
        worker.sizes.extend([len(payload) // len(batch) + 1] * len(batch))
        with suppress(BrokenPipeError):  # it died meanwhile: its closed pipe is heard next, and the batch comes back
            worker.tasks.send_bytes(payload)

    def _start(self) -> _Worker[T]:
        context = get_context("spawn")
        tasks_out, tasks_in = context.Pipe(duplex=False)
        answers_out, answers_in = context.Pipe(duplex=False)
        process = context.Process(
            target=serve, args=(self._work, self._limits, tasks_out, answers_in), name="dupfinder-reader", daemon=True
        )
        process.start()
        tasks_out.close()
        answers_in.close()
        return _Worker(process, tasks_in, answers_out, began=time.monotonic())

    def _ready(self) -> list[_Worker[T]]:
        """Workers that have answered or died; waits for one a short while."""
        by_pipe = {worker.answers: worker for worker in self._workers}
        return [by_pipe[pipe] for pipe in wait(list(by_pipe), LOOK_SECONDS) if isinstance(pipe, Connection)]

    def _hear(self, worker: _Worker[T]) -> Iterator[Done[T, R]]:
        """Take what a worker has said so far."""
        heard: list[Done[T, R]] = []
        try:
            while worker.jobs and worker.answers.poll():
                heard.extend(self._said(worker, worker.answers.recv_bytes()))
            gone = not worker.jobs and worker.answers.poll()
        except (EOFError, OSError, pickle.UnpicklingError):
            gone = True
        if gone:
            heard.extend(self._lost(worker))
        elif worker.retiring and not worker.jobs:
            self._dismiss(worker)
        self._hand_out()
        yield from heard

    def _said(self, worker: _Worker[T], message: bytes) -> list[Done[T, R]]:
        if message == READY:
            worker.ready, worker.began = True, time.monotonic()
            self._false_starts = 0
            return []
        return self._settled(worker, pickle.loads(message))

    def _settled(self, worker: _Worker[T], answer: Answer) -> list[Done[T, R]]:
        job = worker.jobs.popleft()
        worker.sizes.popleft()
        worker.began = time.monotonic()
        worker.done += 1
        spent = worker.done >= self._limits.tasks_per_worker or answer.failure is Failure.OUT_OF_MEMORY
        worker.retiring = worker.retiring or spent
        if worker.retiring:
            self._take_back(worker)
        return self._outcome(job, answer)

    def _take_back(self, worker: _Worker[T]) -> None:
        """A worker that is replaced does no more: what it was handed and has not answered waits again."""
        _kill(worker.process)
        for job in worker.jobs:
            (self._alone.append if job.is_retry else self._wait_for_turn)(job)
        worker.jobs.clear()
        worker.sizes.clear()

    def _outcome(self, job: _Job[T], answer: Answer) -> list[Done[T, R]]:
        """The outcome of a job, or nothing yet when it is tried once more."""
        if answer.failure in (Failure.CRASHED, Failure.OUT_OF_MEMORY) and self._retry and not job.is_retry:
            again = self._retry(job.task)
            if again is not None:
                self._alone.append(_Job(again, job.weight, retry_of=job.task))
                return []
        task = job.task if job.retry_of is None else job.retry_of
        return [Done(task, answer.value, answer.failure, answer.trouble)]

    def _lost(self, worker: _Worker[T]) -> list[Done[T, R]]:
        """A worker has died: the task in its hand is charged, the rest waits again."""
        worker.process.join(1.0)
        answer = self._cause(worker)
        self._false_starts += not worker.ready
        if self._false_starts >= MOST_FALSE_STARTS:
            raise RuntimeError(f"the reading processes do not start: {answer.trouble}")
        head = worker.jobs.popleft() if worker.jobs else None
        self._take_back(worker)
        self._dismiss(worker)
        return self._outcome(head, answer) if head is not None else []

    def _cause(self, worker: _Worker[T]) -> Answer:
        code = worker.process.exitcode or 0
        if sys.platform != "win32" and code == -signal.SIGALRM:
            return Answer(None, Failure.TOO_SLOW, "the worker's own alarm ended it")
        if worker.resident > 0.6 * self._limits.memory_bytes:
            return Answer(None, Failure.OUT_OF_MEMORY, f"at {worker.resident >> 20} MB")
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"exit code {code}"
        hint = ", as libraries do when memory runs out" if name in ("SIGABRT", "SIGTRAP", "SIGILL") else ""
        return Answer(None, Failure.CRASHED, f"the reading process ended with {name}{hint}")

    def _overdue(self) -> Iterator[Done[T, R]]:
        """End workers whose task is past its deadline or over its memory."""
        now = time.monotonic()
        for worker in tuple(self._workers):
            if not worker.jobs or worker.answers.poll():
                continue
            spent = now - worker.began
            if spent > (self._limits.deadline(worker.jobs[0].weight) if worker.ready else START_SECONDS):
                yield from self._end(worker, Answer(None, Failure.TOO_SLOW, f"after {spent:.0f} s"))
            elif spent > MEMORY_LOOK_SECONDS and now - worker.looked > MEMORY_LOOK_SECONDS:
                worker.looked, worker.resident = now, _resident(worker.process)
                if worker.resident > self._limits.memory_bytes:
                    detail = f"at {worker.resident >> 20} MB"
                    yield from self._end(worker, Answer(None, Failure.OUT_OF_MEMORY, detail))

    def _end(self, worker: _Worker[T], answer: Answer) -> Iterator[Done[T, R]]:
        head = worker.jobs.popleft()
        self._take_back(worker)
        self._dismiss(worker)
        yield from self._outcome(head, answer)

    def _dismiss(self, worker: _Worker[T]) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        _kill(worker.process)
        _bury(worker)


def _resident(process: SpawnProcess) -> int:
    """Bytes of memory that a process holds; 0 when it is gone."""
    import psutil  # only a task that takes long needs it

    try:
        return int(psutil.Process(process.pid).memory_info().rss)
    except psutil.Error:
        return 0


def _kill(process: SpawnProcess) -> None:
    """End a worker and whatever it started. Its group exists once it has settled; before that it is alone."""
    if sys.platform != "win32" and process.pid is not None and process.exitcode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _bury(worker: _Worker[T]) -> None:
    worker.process.join()
    worker.tasks.close()
    worker.answers.close()
    worker.process.close()
