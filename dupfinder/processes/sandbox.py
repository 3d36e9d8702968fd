"""Run a function on tasks in child processes under limits of time and memory.

A worker that hangs, takes too much memory or dies costs only its current task. A slow task steps aside: it goes on at a
lower priority, while another worker takes over the tasks queued behind it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Generic, TypeVar

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.errors import ReadersError
from dupfinder.base.files import Closable
from dupfinder.processes.child import FORKS, Child, packed
from dupfinder.processes.descriptors import HANDS_OVER
from dupfinder.processes.errands import BATCH_TASKS, BATCH_WEIGHT, Errand, ErrandQueue
from dupfinder.processes.wire import WireError
from dupfinder.processes.worker import FIRST_STEP, READY, Answer, Answers, Failure, Limits, TaskFunctions, TwoSteps

T = TypeVar("T")
R = TypeVar("R")

START_SECONDS = 60.0  # within which a worker must be ready
MOST_FALSE_STARTS = 5  # consecutive workers that end before they are ready; then `run` gives up
LOOK_SECONDS = 0.1  # how often `check` is called
MEMORY_LOOK_SECONDS = 0.25
# A task is slow after this many seconds of CPU, plus those for each megabyte. Most tasks take a tenth of that. The
# limit is not lower because each slow task costs a new worker, which has to load its dictionaries again.
PATIENCE_SECONDS = 0.1 if FORKS else 1.0
PATIENCE_A_MEGABYTE = 1.0
IDLE_PATIENCE = 10  # a task that waits for something other than a CPU may take so many times as long by the clock
_TRIED_AGAIN = (Failure.CRASHED, Failure.OUT_OF_MEMORY, Failure.TOO_SLOW)
MOST_ASIDE = 8  # slow tasks at once; together they may hold as much memory as a single worker may


@dataclass(frozen=True)
class TaskResult(Generic[T, R]):
    """A task and its outcome: a value, or else a failure.

    details: facts of a failure (AFTER_SECONDS: 12).
    seconds: CPU seconds spent on attempts that gave no value, as far as they could be measured.
    """

    task: T
    value: R | None
    failure: Failure | None = None
    details: Details = ()
    seconds: float = field(default=0.0, compare=False)


def _weigh(task: object) -> int:
    """Return the bytes of a task that knows its size, else 0."""
    return len(task) if isinstance(task, bytes | bytearray) else int(getattr(task, "size", 0))


class Sandbox(Generic[T, R], Closable):
    """Runs `work` on tasks in `workers` child processes, each in a cell (see processes.cell).

    `work` is a function of a module with a declared return type: answers are sent as plain data of that type (see
    processes.wire). Tasks are pickled.

    steps:    does what `work` does, in two steps; the second costs less when done for several tasks at once.
    weight:   the bytes that a task reads, which set its deadline, its batch and its turn (large ones last).
    files:    the files that a task reads; workers open them with `descriptors.open_handed`, and may open no others.
    readable: files and folders that every task may read.
    retry:    returns the task to try once more, late, after a task failed because its worker died, ran out of memory
              or took too long; None: do not try again.
    preload:  a module that imports what workers need. Where workers are forked, it is imported only once.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        *,
        steps: TwoSteps | None = None,
        workers: int,
        limits: Limits = Limits(),  # noqa: B008 - frozen: one value may serve all
        weight: Callable[[T], int] = _weigh,
        files: Callable[[T], Iterable[Path]] = lambda _: (),
        readable: Sequence[Path] = (),
        retry: Callable[[T, Failure], T | None] | None = None,
        preload: str = "",
    ) -> None:
        self._functions = TaskFunctions(work, steps)
        self._count = max(1, workers)
        self._limits = limits
        self._weight = weight
        self._files = files
        self._readable = [os.fspath(path) for path in readable]
        self._answers = Answers(work)
        self._retry = retry
        self._preload = preload
        self._workers: list[Child[T]] = []
        self._queue: ErrandQueue[T] = ErrandQueue(self._count)
        self._preparation = 0
        self._false_starts = 0

    def run(
        self, tasks: Iterable[T], check: Callable[[], None] = lambda: None, *, preparation: int = 0
    ) -> Iterator[TaskResult[T, R]]:
        """Run the tasks and yield their outcomes as they come, exactly one for each. `check` may raise to stop.

        preparation: the bytes that each worker has to read before its first of these tasks, to keep for the others.
        Raises ReadersError when workers cannot start, and RuntimeError when they lack a module, which is a fault of the
        program or its installation.
        """
        source = iter(tasks)
        more = True
        self._preparation = preparation
        for worker in self._workers:
            worker.prepared = False
        try:
            while True:
                check()
                more = more and self._queue.fill(source, self._weight)
                self._hand_out()
                if not more and not self._is_busy():
                    return
                heard = wait([worker.answers for worker in self._workers], LOOK_SECONDS)
                for worker in [worker for worker in self._workers if worker.answers in heard]:  # has answered or died
                    yield from self._hear(worker)
                yield from self._watch()
        finally:
            self._queue.clear()
            if self._is_busy():
                self.close()

    def in_hand(self) -> tuple[tuple[T, float], ...]:
        """Return the tasks being worked on, at most one a worker, and their seconds so far. Any thread may call it."""
        heads: list[tuple[T, float]] = []
        now = time.monotonic()
        for worker in tuple(self._workers):
            with suppress(IndexError):  # its errand was answered meanwhile
                heads.append((worker.in_work()[0].task, now - worker.began))
        return tuple(heads)

    def close(self) -> None:
        """End all workers. The sandbox can be used again: `run` starts new ones."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.discard()

    def _is_busy(self) -> bool:
        """Tell whether any errand is waiting or is being done."""
        return bool(self._queue or any(worker.errands for worker in self._workers))

    def _hand_out(self) -> None:
        """Send errands to idle workers, start workers while errands wait, then refill those that have few left."""
        front = [worker for worker in self._workers if not worker.aside]
        for worker in front:
            if not worker.errands and not worker.retiring:
                self._send(worker, self._next())
        while len(front) < self._count and self._queue.has_next(idle=self._is_idle()):
            now = time.monotonic()
            front.append(Child.start(self._functions, self._limits, now, self._preload, self._readable))
            self._workers.append(front[-1])
            self._send(front[-1], self._next())
        for worker in front:
            if self._may_top_up(worker):
                self._send(worker, self._next())

    def _next(self) -> list[Errand[T]]:
        return self._queue.batch(idle=self._is_idle())

    def _is_idle(self) -> bool:
        return not any(worker.errands for worker in self._workers)

    def _may_top_up(self, worker: Child[T]) -> bool:
        """Tell whether a worker has few errands left and may get more."""
        waiting = worker.waiting()
        return (
            self._queue.ordinary > 0
            and not worker.retiring
            and not any(errand.late or errand.alone for errand in worker.errands)
            and len(waiting) < BATCH_TASKS // 2
            and worker.weight() + sum(errand.weight for errand in waiting) < BATCH_WEIGHT // 2
        )

    def _send(self, worker: Child[T], batch: Sequence[Errand[T]]) -> None:
        if batch:
            needed = (path for errand in batch for path in self._files(errand.task)) if HANDS_OVER else ()
            paths = list(dict.fromkeys(os.fspath(path) for path in needed))
            worker.send(batch, packed(batch, self._limits, self._preparation), paths, time.monotonic())

    def _hear(self, worker: Child[T]) -> Iterator[TaskResult[T, R]]:
        """Read what a worker has sent, and yield the outcomes of its errands."""
        outcomes: list[TaskResult[T, R]] = []
        invalid = False
        try:
            for message in worker.inbox.messages():
                if worker.errands:  # otherwise it was ended, and its errands are queued again
                    outcomes.extend(self._receive(worker, message))
        except (WireError, ValueError):
            invalid = True
        if invalid or worker.inbox.closed:
            outcomes.extend(self._lost(worker, sent_invalid=invalid))
        elif worker.retiring and not worker.errands:
            self._dismiss(worker)
        self._hand_out()
        yield from outcomes

    def _receive(self, worker: Child[T], message: bytes) -> list[TaskResult[T, R]]:
        """Return the outcomes of a worker's message. Raises RuntimeError when the worker lacks a module."""
        if message == READY and not worker.ready:
            worker.ready = True
            worker.take_up(time.monotonic())
            self._false_starts = 0
            return []
        if len(message) == FIRST_STEP.size:
            worker.end_first_step(message, time.monotonic())
            return []
        answer = self._answers.unpack(message)
        if answer.failure is Failure.INCOMPLETE:
            raise RuntimeError(f"a module of the program is missing or broken: {answer.trouble[0].facts}")
        errand = worker.answered(answer, time.monotonic())
        worn_out = worker.done >= self._limits.tasks_per_worker or answer.failure is Failure.OUT_OF_MEMORY
        worker.retiring = worker.retiring or worker.aside or worn_out  # a lowered priority cannot be raised again
        if worker.retiring and not worker.half_done:
            worker.kill()
            self._queue.add(*worker.give_back())
        return self._outcome(errand, answer)

    def _outcome(self, errand: Errand[T], answer: Answer) -> list[TaskResult[T, R]]:
        """Return the outcome of an errand, or nothing if it is tried again."""
        if answer.failure in _TRIED_AGAIN and self._retry and errand.retry_of is None:
            second_try = self._retry(errand.task, answer.failure)
            if second_try is not None:
                self._queue.add(Errand(second_try, errand.weight, retry_of=errand.task, late=True, spent=errand.spent))
                return []
        if answer.failure is Failure.ENDED and not errand.alone:  # by a system short of memory: alone it may succeed
            self._queue.add(replace(errand, late=False, alone=True))
            return []
        task = errand.task if errand.retry_of is None else errand.retry_of
        return [TaskResult(task, answer.value, answer.failure, answer.trouble, errand.spent)]

    def _lost(self, worker: Child[T], *, sent_invalid: bool) -> list[TaskResult[T, R]]:
        """End a worker that has died or sent an invalid message. Its current errand fails; others are queued again.

        Raises ReadersError when too many workers ended before they were ready.
        """
        if sent_invalid:
            return self._end(worker, Answer(None, Failure.CRASHED, details(Clause.IMPOSSIBLE_ANSWER)))
        answer = worker.cause_of_death(self._limits)
        self._false_starts += not worker.ready
        if self._false_starts >= MOST_FALSE_STARTS:
            raise ReadersError(answer.trouble)
        return self._end(worker, answer)

    def _watch(self) -> Iterator[TaskResult[T, R]]:
        """End tasks past their deadline or over their memory, and let slow ones step aside."""
        now = time.monotonic()
        for worker in tuple(self._workers):
            if not worker.errands or worker.answers.poll():
                continue
            weight = worker.weight() + (0 if worker.prepared else self._preparation)
            allowed = self._limits.deadline(weight) if worker.ready else START_SECONDS
            if worker.is_overdue(allowed, now):
                seconds = details(Clause.AFTER_SECONDS, seconds=round(now - worker.began))
                yield from self._end(worker, Answer(None, Failure.TOO_SLOW, seconds))
                continue
            elapsed = now - worker.began
            looks = elapsed > MEMORY_LOOK_SECONDS and now - worker.measured_at > MEMORY_LOOK_SECONDS
            if looks and worker.look(now) > self._limits.memory_bytes:
                held = details(Clause.AT_MEGABYTES, megabytes=worker.resident >> 20)
                yield from self._end(worker, Answer(None, Failure.OUT_OF_MEMORY, held))
            elif worker.ready and not worker.aside and self._holds_others_up(worker) and self._is_slow(worker, elapsed):
                self._set_aside(worker, now)
        self._keep_room()

    def _is_slow(self, worker: Child[T], elapsed: float) -> bool:
        """Tell whether the present errand takes longer than most; a busy machine alone makes none slow.

        It must also take longer than the preparation of the worker that would take over the others.
        """
        patience = PATIENCE_SECONDS + PATIENCE_A_MEGABYTE * (worker.weight() + self._preparation) / 1e6
        if elapsed <= patience:
            return False
        return worker.spent_cpu() > patience or (elapsed > IDLE_PATIENCE * patience and worker.is_asleep())

    def _holds_others_up(self, worker: Child[T]) -> bool:
        return not self._limits.all_slow and (self._queue.ordinary > 0 or len(worker.errands) > 1)

    def _set_aside(self, worker: Child[T], now: float) -> None:
        """Lower a slow worker's priority and queue its other errands again, unless too many are aside or too large."""
        aside = [other for other in self._workers if other.aside]
        held = sum(other.resident for other in aside)
        if len(aside) < MOST_ASIDE and held + worker.look(now) <= self._limits.memory_bytes:
            worker.step_aside()
            self._queue.add(*worker.give_back(worker.waiting()))
            self._hand_out()

    def _keep_room(self) -> None:
        """End the largest worker aside if all of them hold too much memory; its task is done anew after all others."""
        aside = [worker for worker in self._workers if worker.aside]
        if len(aside) > 1 and sum(worker.resident for worker in aside) > self._limits.memory_bytes:
            largest = max(aside, key=lambda worker: worker.resident)
            self._queue.add(*(replace(errand, late=True) for errand in largest.give_back()))
            self._dismiss(largest)

    def _end(self, worker: Child[T], answer: Answer) -> list[TaskResult[T, R]]:
        """End a worker, return `answer` as the outcome of its current errand and queue its other errands again.

        If it was finishing several, each is done again by itself: that shows which of them is to blame.
        """
        blamed, spent = worker.give_back(worker.in_work()), worker.spent_cpu()
        self._queue.add(*worker.give_back())
        self._dismiss(worker)
        if len(blamed) > 1:
            self._queue.add(*(replace(errand, late=True) for errand in blamed))
            return []
        return [
            done for errand in blamed for done in self._outcome(replace(errand, spent=errand.spent + spent), answer)
        ]

    def _dismiss(self, worker: Child[T]) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        worker.kill()
        worker.discard()
