"""The order of tasks and the size of batches: small tasks first, then large ones, second attempts last."""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

LOOK_AHEAD = 64  # tasks taken from the caller in advance, for each worker: enough to balance the load
BATCH_TASKS = 24
BATCH_WEIGHT = 1 << 18  # bytes: about 10 ms of reading, much longer than the 0.1 ms that a message takes
LARGE_WEIGHT = BATCH_WEIGHT  # bytes: one file in fifty is larger, and most slow ones are


@dataclass(frozen=True)
class Errand(Generic[T]):
    """A task that waits for a worker or is being done by one.

    retry_of: the caller's task if this is the second attempt at it. spent: seconds of CPU of failed attempts.
    """

    task: T
    weight: int
    retry_of: T | None = None
    late: bool = False  # done only when no other errand waits
    alone: bool = False  # done after all others, while no other errand is running
    spent: float = 0.0


class ErrandQueue(Generic[T]):
    """The queue of errands. Among large ones the largest come first, so that all workers end at about the same time."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._waiting: list[tuple[bool, int, int, Errand[T]]] = []
        self._late: deque[Errand[T]] = deque()
        self._alone: deque[Errand[T]] = deque()
        self._order = itertools.count()

    def __bool__(self) -> bool:
        return bool(self._waiting or self._late or self._alone)

    @property
    def ordinary(self) -> int:
        """The number of waiting errands that are neither late nor alone."""
        return len(self._waiting)

    def fill(self, source: Iterator[T], weight: Callable[[T], int]) -> bool:
        """Take tasks from `source` up to the look-ahead. Returns whether the source may have more."""
        while len(self._waiting) < LOOK_AHEAD * self._workers:
            try:
                task = next(source)
            except StopIteration:
                return False
            self.add(Errand(task, weight(task)))
        return True

    def add(self, *errands: Errand[T]) -> None:
        for errand in errands:
            if errand.alone:
                self._alone.append(errand)
            elif errand.late:
                self._late.append(errand)
            else:
                heapq.heappush(self._waiting, (errand.weight > LARGE_WEIGHT, -errand.weight, next(self._order), errand))

    def has_next(self, *, idle: bool) -> bool:
        """Tell whether there is an errand to hand out. idle: whether none is running, as errands done alone require."""
        return bool(self._waiting or self._late or (idle and self._alone))

    def batch(self, *, idle: bool = False) -> list[Errand[T]]:
        """Remove and return the next errands for a worker: several small ones, or one that is large, late or alone."""
        if not self._waiting:
            if self._late:
                return [self._late.popleft()]
            return [self._alone.popleft()] if idle and self._alone else []
        share = max(1, min(BATCH_TASKS, len(self._waiting) // (2 * self._workers)))
        batch: list[Errand[T]] = []
        weight = 0
        while self._waiting and len(batch) < share:
            errand = self._waiting[0][3]
            if batch and weight + errand.weight > BATCH_WEIGHT:
                break
            heapq.heappop(self._waiting)
            batch.append(errand)
            weight += errand.weight
        return batch

    def clear(self) -> None:
        """Remove all waiting errands."""
        self._waiting.clear()
        self._late.clear()
        self._alone.clear()
