"""In which order tasks are done, and in what portions: small ones first, large ones after, second attempts last."""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

LOOK_AHEAD = 64  # tasks taken from the caller ahead of each worker: enough to balance, little to hold
BATCH_TASKS = 24
BATCH_WEIGHT = 1 << 18  # bytes: about 10 ms of reading, long against the 0.1 ms of a message
LARGE = BATCH_WEIGHT  # bytes: one in fifty files is larger, and most of those that take long are


@dataclass(frozen=True)
class Job(Generic[T]):
    """A task on its way. `retry_of` is the caller's task when this one is the second attempt at it."""

    task: T
    weight: int
    retry_of: T | None = None
    late: bool = False  # its turn comes when nothing else waits
    alone: bool = False  # its turn comes after those, while nothing else is in hand

    @property
    def is_retry(self) -> bool:
        return self.retry_of is not None


class Turns(Generic[T]):
    """The jobs that wait. Of the large ones the largest come first, so that all workers end at about the same time."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._waiting: list[tuple[bool, int, int, Job[T]]] = []
        self._late: deque[Job[T]] = deque()
        self._alone: deque[Job[T]] = deque()
        self._order = itertools.count()

    def __bool__(self) -> bool:
        return bool(self._waiting or self._late or self._alone)

    @property
    def in_time(self) -> int:
        """How many wait that are not late."""
        return len(self._waiting)

    def fill(self, source: Iterator[T], weight: Callable[[T], int]) -> bool:
        """Take tasks up to the look-ahead; whether the source may have more."""
        while len(self._waiting) < LOOK_AHEAD * self._workers:
            try:
                task = next(source)
            except StopIteration:
                return False
            self.add(Job(task, weight(task)))
        return True

    def add(self, job: Job[T]) -> None:
        """Let a job wait for its turn."""
        if job.alone:
            self._alone.append(job)
        elif job.late:
            self._late.append(job)
        else:
            large = job.weight > LARGE
            heapq.heappush(self._waiting, (large, -job.weight, next(self._order), job))

    def has_next(self, *, idle: bool) -> bool:
        """Whether there is a job to hand out. idle: nothing is in hand, as some jobs need."""
        return bool(self._waiting or self._late or (idle and self._alone))

    def batch(self, *, idle: bool = False) -> list[Job[T]]:
        """The next jobs for one worker: several small ones, or one that is large, late or to be done alone."""
        if not self._waiting:
            if self._late:
                return [self._late.popleft()]
            return [self._alone.popleft()] if idle and self._alone else []
        share = max(1, min(BATCH_TASKS, len(self._waiting) // (2 * self._workers)))
        batch: list[Job[T]] = []
        weight = 0
        while self._waiting and len(batch) < share:
            job = self._waiting[0][3]
            if batch and weight + job.weight > BATCH_WEIGHT:
                break
            heapq.heappop(self._waiting)
            batch.append(job)
            weight += job.weight
        return batch

    def clear(self) -> None:
        """Forget all that waits."""
        self._waiting.clear()
        self._late.clear()
        self._alone.clear()
