"""Share calculations over a few processes of the program. The results are the same whatever their number.

Large arrays are written to files that all processes map, so that only small tasks and their results are sent.
"""

from __future__ import annotations

import logging
import mmap
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ints, Ragged, blocks, release_freed, starts_of
from dupfinder.base.files import Closable, raising_disk_full, temporary_folder, write_whole
from dupfinder.processes.child import starting_context, without_script
from dupfinder.processes.worker import leave_with_parent

T = TypeVar("T")
R = TypeVar("R")
_log = logging.getLogger(__name__)

AHEAD: Final = 3  # tasks under way for each process; their results wait while the caller handles earlier ones
_MAPPED_ENTRIES: Final = 500  # scattered entries that are copied from one mapping of a file
_SCATTERED: Final = 1 << 23  # values; entries are scattered if more lie between the first and the last
_CHECK_SECONDS: Final = 0.1  # between two calls of `check`
_IDLE_SECONDS: Final = 0.1  # without a task, after which a process gives freed memory back, for the caller


@dataclass(frozen=True, slots=True)
class Shared:
    """An array (n,) that every process of a crew can read. source: the array itself, or the file that has its bytes."""

    source: Path | NDArray[Any]
    dtype: np.dtype[Any]

    def array(self) -> NDArray[Any]:
        """Return the array. An array in a file is mapped: what is read of it takes memory as long as it is in use."""
        if not isinstance(self.source, Path):
            return self.source
        with self.source.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return np.empty(0, self.dtype)
            # Not by np.memmap, which takes several times as long; small arrays are opened thousands of times.
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), self.dtype)

    def put(self, start: int, values: NDArray[Any]) -> None:
        """Replace the values from `start` on. Raises DiskFullError, OSError."""
        if not isinstance(self.source, Path):
            self.source[start : start + len(values)] = values
            return
        with raising_disk_full(self.source), self.source.open("r+b") as file:  # not mapped, so it takes no memory
            file.seek(start * self.dtype.itemsize)
            file.write(np.ascontiguousarray(values, self.dtype).view(np.uint8).data)

    @classmethod
    def stored(cls, array: NDArray[Any], path: Path | None) -> Shared:
        """Write an array to a new file for all processes; None: it stays in this process. Raises DiskFullError."""
        if path is None:
            return cls(array, array.dtype)
        _write(path, [array])
        return cls(path, array.dtype)


@dataclass(frozen=True, slots=True)
class SharedRagged:
    """A ragged column that every process of a crew can read. The fields are as in Ragged."""

    values: Shared
    starts: Shared

    def ragged(self) -> Ragged:
        """Return the column. If it is in files, only what is read of it takes memory."""
        return Ragged(self.values.array(), self.starts.array())

    def take_ragged(self, rows: Ints) -> Ragged:
        """Return some entries, in this order, as a copy.

        With each entry, the system loads some tens of kilobytes of the file around it, which stay in memory as long as
        the file is mapped. So scattered entries are copied a few at a time, each time from a new mapping.
        """
        starts = self.starts.array()
        if len(rows) <= _MAPPED_ENTRIES or starts[rows.max() + 1] - starts[rows.min()] <= _SCATTERED:
            return self.ragged().take(rows)
        return Ragged.joined([self.ragged().take(rows[block]) for block in blocks(len(rows), _MAPPED_ENTRIES)])


class Crew(Closable):
    """Some processes that do parts of a calculation; with fewer than two, the calling process does everything.

    A context manager; at its end all processes are killed and all shared files removed. Raises OSError.
    preload: a module that imports what the processes need; the same as for `Sandbox`, which starts them likewise.
    files: whether arrays are shared by files though this process does everything, so that they take no memory of it.
    """

    def __init__(self, workers: int = 1, preload: str = __name__, *, files: bool = False) -> None:
        self.workers = workers if workers > 1 else 1
        self._preload = preload
        self._in_files = files or workers > 1
        self._cleanup = ExitStack()
        self._folder: Path | None = None
        self._files = 0
        self._processes: list[BaseProcess] = []
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        self._closed = False

    def __enter__(self) -> Self:
        if self._in_files:
            with ExitStack() as stack:
                self._folder = stack.enter_context(temporary_folder())
                self._threads = ThreadPoolExecutor(self.workers, "dupfinder-crew")
                stack.callback(self._threads.shutdown, cancel_futures=True)
                stack.callback(self._end_processes)
                with suppress(OSError, EOFError):  # for processes that cannot be started, the threads do the tasks
                    for _ in range(self.workers if self.workers > 1 else 0):
                        self._start_process()
                self._cleanup = stack.pop_all()
        return self

    def close(self) -> None:
        """End the processes and remove their files."""
        self._cleanup.close()

    def share(self, parts: Iterable[NDArray[Any]], dtype: Any) -> Shared:
        """Return one array made of `parts`, which are consumed one after the other. Raises DiskFullError, OSError.

        The parts must not be changed afterwards: a single part may become the array itself, without a copy.
        """
        dtype = np.dtype(dtype)
        if self._folder is None:
            if isinstance(parts, list) and len(parts) == 1:
                return Shared(np.asarray(parts[0], dtype), dtype)
            joined = bytearray()  # grows in place; to concatenate all parts at the end would take twice the memory
            for part in parts:
                joined += np.ascontiguousarray(part, dtype).view(np.uint8).data
            return Shared(np.frombuffer(joined, dtype), dtype)
        path = self.new_path()
        assert path is not None
        _write(path, (np.ascontiguousarray(part, dtype) for part in parts))
        return Shared(path, dtype)

    def reserve(self, count: int, dtype: Any) -> Shared:
        """Return an array to be filled by `put`, of at most `count` values; a file grows with them. Raises OSError."""
        path = self.new_path()
        if path is None:
            return Shared(np.empty(count, dtype), np.dtype(dtype))
        _write(path, [])
        return Shared(path, np.dtype(dtype))

    def share_ragged(self, parts: Iterable[Ragged], dtype: Any) -> SharedRagged:
        """Return one column made of `parts`, which are consumed one after the other. Raises DiskFullError, OSError."""
        lengths = [np.empty(0, np.int64)]

        def values() -> Iterator[NDArray[Any]]:
            """Yield the values of each part, and note the lengths of its entries."""
            for part in parts:
                lengths.append(part.lengths)
                yield part.values

        shared = self.share(values(), dtype)
        return SharedRagged(shared, self.share([starts_of(np.concatenate(lengths))], np.int64))

    def new_path(self) -> Path | None:
        """Return the path of a new shared file, which a task may write; None if there is only this process."""
        self._files += 1
        return None if self._folder is None else self._folder / f"{self._files}.column"

    def discard(self, shared: Shared) -> None:
        """Remove the file of an array that is no longer needed."""
        if isinstance(shared.source, Path):
            with suppress(PermissionError):  # on Windows it stays until the end if a process maps it
                shared.source.unlink(missing_ok=True)

    def run(self, work: Callable[[T], R], tasks: Iterable[T], check: Callable[[], None]) -> Iterator[R]:
        """Yield work(task) for each task, in the order of the tasks.

        work: a function at the top level of a module. check: is called often. Raises what `work` and `check` raise.
        """
        if self.workers == 1:
            for task in tasks:
                check()
                yield work(task)
            return
        waiting: deque[Future[R]] = deque()
        try:
            for task in tasks:
                waiting.append(self._threads.submit(self._do, work, task))
                if len(waiting) >= AHEAD * self.workers:
                    yield _result(waiting.popleft(), check)
            while waiting:
                yield _result(waiting.popleft(), check)
        finally:
            for future in waiting:
                future.cancel()

    def _start_process(self) -> None:
        """Start one process. It loads the program while the caller goes on."""
        context = starting_context(self._preload)
        own_end, process_end = context.Pipe()
        process = context.Process(target=_serve, args=(process_end,), name="dupfinder-crew", daemon=True)
        with without_script():
            process.start()
        process_end.close()
        self._processes.append(process)
        self._idle.put(own_end)

    def _end_processes(self) -> None:
        """Kill the processes, which also ends the threads that wait for them."""
        self._closed = True
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()

    def _do(self, work: Callable[[T], R], task: T) -> R:
        """Return the result of a task, done by an idle process, or by this thread if none is idle or it was killed."""
        try:
            pipe = self._idle.get_nowait()
        except Empty:
            return work(task)
        try:
            pipe.send((work, task))
            succeeded, value = pipe.recv()
        except (EOFError, OSError):
            if self._closed:
                raise
            _log.warning("a process that shares the work was ended; this process does its tasks, so all takes longer")
            return work(task)
        self._idle.put(pipe)
        if succeeded:
            return value  # type: ignore[no-any-return]  # what `work` returned in the other process
        raise value


def _write(path: Path, parts: Iterable[NDArray[Any]]) -> None:
    """Write arrays to a file, one after the other. Raises DiskFullError, OSError.

    The file gets its name when it is complete, so that a task whose process was killed can be done again.
    """
    with raising_disk_full(path):
        write_whole(path, (part.view(np.uint8).data for part in parts), mode=0o666, flush=False)


def _result(future: Future[R], check: Callable[[], None]) -> R:
    """Return the result of a task, and call `check` while waiting for it."""
    while not wait([future], _CHECK_SECONDS).done:
        check()
    check()
    return future.result()


def _serve(pipe: Connection) -> None:
    """Do tasks as they come, until the pipe is closed or the parent has ended. The main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C
    threading.Thread(target=leave_with_parent, daemon=True).start()
    while True:
        try:
            if not pipe.poll(_IDLE_SECONDS):
                release_freed()
            work, task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, work(task))
        except Exception as error:  # noqa: BLE001 - raised again in the parent
            answer = (False, error)
        pipe.send(answer)
