"""Find identical files before any is read as a document: by size, then by their first bytes, then by all bytes.

Only files of equal size are opened, and only those with equal first bytes (heads) are read completely. The hash of all
bytes is the content hash of documents. Hashes of unchanged files from earlier scans are reused. Of identical files only
the first is read as a document; its result applies to the others.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import row_mask
from dupfinder.base.details import Details, ProblemKind
from dupfinder.base.files import reading
from dupfinder.base.progress import IdenticalCounts, Progress, Reporter, Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.library.rows import DocumentRow, FileHashes, hash_columns
from dupfinder.library.stored import stamp_keys
from dupfinder.scan.reading import HASH_BYTES, ListedArchive, ReadTask
from dupfinder.scan.walk import ending
from dupfinder.text.source import refused_by_system

_OF_THE_PATH = frozenset((ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE))  # a copy may be readable
_WITHOUT_HASH = frozenset((ProblemKind.SKIPPED, ProblemKind.UNSUPPORTED, *_OF_THE_PATH))


class WaitingCopies:
    """Copies that wait until the first file with their bytes is read. content_hashes: of each hashed file."""

    def __init__(self, content_hashes: Mapping[FileStamp, bytes]) -> None:
        self._content_hashes = content_hashes
        self._waiting: dict[Path, list[ReadTask]] = {}

    def first_of_each(self, tasks: Iterable[ReadTask]) -> list[ReadTask]:
        """Return the first task for each content. Tasks for copies wait until the first is read.

        The suffixes of a name decide how a file is read, so only files with equal suffixes count as copies here.
        """
        first_paths: dict[tuple[bytes, str], Path] = {}
        first_tasks: list[ReadTask] = []
        for task in tasks:
            path = task.stamp.path
            content = self._content_hashes.get(task.stamp) if task.inside is None else None
            first = path if content is None else first_paths.setdefault((content, ending(path.name)), path)
            if first == path:
                first_tasks.append(task)
            else:
                self._waiting.setdefault(first, []).append(task)
        return first_tasks

    def rows_of(
        self, answer: DocumentRow | ListedArchive, task: ReadTask
    ) -> tuple[list[tuple[DocumentRow, ReadTask]], list[ReadTask]]:
        """Return (rows of a file's copies, tasks for copies that must be read), from the result of reading the file.

        An archive is listed again for each copy, because each has its own members. A file that changed since it was
        hashed says nothing about its copies. The tasks ask for recognition as the first one does.
        """
        copies = [replace(copy, ocr=task.ocr) for copy in self._waiting.pop(task.stamp.path, ())]
        if not copies:
            return [], []
        if isinstance(answer, ListedArchive):
            return [], copies
        has_changed = bool(answer.content_hash) and answer.content_hash != self._content_hashes[task.stamp]
        if has_changed or answer.status in _OF_THE_PATH:
            return [], self.first_of_each(copies)
        return [(self.completed(replace(answer, stamp=copy.stamp, seconds=None)), copy) for copy in copies], []

    def completed(self, row: DocumentRow) -> DocumentRow:
        """Return a row with the content hash, also if reading ended before all bytes were known."""
        if row.content_hash or row.status in _WITHOUT_HASH:
            return row
        return replace(row, content_hash=self._content_hashes.get(row.stamp, b""))


HEAD_BYTES: Final = 1 << 16  # of a file's head; files of equal size with equal heads rarely differ
_HEAD_HASH_BYTES: Final = 8
_PIECE: Final = 1 << 20  # bytes read between two checks for a stop
_PORTION_FILES, _PORTION_BYTES = 64, 8 << 20  # tasks of a thread
_TELL_SECONDS: Final = 0.1  # between two reports
_STORE_SECONDS: Final = 3.0  # a kill loses at most this much hashing, and the current file
_MOST_TOLD: Final = 5  # groups whose paths are reported during hashing


@dataclass(frozen=True, slots=True)
class HashedFiles:
    """The hashes of n files.

    hashes: known for files of equal size. problems: why some of these could not be read. groups: the identical files.
    """

    hashes: FileHashes
    problems: dict[FileStamp, tuple[ProblemKind, Details]]
    groups: IdenticalCounts

    def content_hashes(self, stamps: Sequence[FileStamp]) -> dict[FileStamp, bytes]:
        """Return the content hash of each file of which all bytes were read. stamps: of all n files."""
        hashed = np.flatnonzero(self.hashes.has_content)
        digests = _digests(self.hashes.content[hashed])
        return {stamps[index]: digest for index, digest in zip(hashed.tolist(), digests, strict=True)}


def _digests(columns: NDArray[np.uint64]) -> list[bytes]:
    """Return hashes, uint64 (n, 2), as bytes: the inverse of `hash_columns`."""
    data = columns.astype(">u8").tobytes()
    return [data[start : start + HASH_BYTES] for start in range(0, len(data), HASH_BYTES)]


def find_identical(
    stamps: Sequence[FileStamp],
    known: FileHashes,
    workers: int,
    reporter: Reporter,
    store: Callable[[FileHashes], None] = lambda _: None,
    protected: Collection[int] = (),
) -> HashedFiles:
    """Hash the files that may be identical to another, and report groups as they are found. Raises Stopped.

    known: hashes from earlier scans. store: is called every few seconds with the hashes computed since the last call.
    protected: indices of files that never go.
    """
    search = _ExactSearch(stamps, known.of(stamp_keys(stamps)), reporter, store, protected)
    search.hash_heads(workers)
    search.hash_contents(workers)
    search.tell()
    return HashedFiles(search.hashes, search.problems, search.groups.summary())


def hash_files(stamps: Sequence[FileStamp], workers: int, reporter: Reporter) -> dict[FileStamp, bytes]:
    """Return the content hash of each file that is readable and unchanged. Raises Stopped."""
    search = _ExactSearch(stamps, FileHashes.unknown(stamp_keys(stamps)), reporter, lambda _: None)
    search.hash_all(workers)
    return HashedFiles(search.hashes, search.problems, IdenticalCounts()).content_hashes(stamps)


@dataclass(frozen=True, slots=True)
class _HashedFile:
    """The result for one file. head, content: digests, empty if not read. problem: why it could not be hashed."""

    index: int
    head: bytes = b""
    content: bytes = b""
    problem: tuple[ProblemKind, Details] | None = None


class _ExactSearch:
    """One search for identical files."""

    def __init__(
        self,
        stamps: Sequence[FileStamp],
        hashes: FileHashes,
        reporter: Reporter,
        store: Callable[[FileHashes], None],
        protected: Collection[int] = (),
    ) -> None:
        self.hashes = hashes
        self.problems: dict[FileStamp, tuple[ProblemKind, Details]] = {}
        self._stamps = stamps
        self._reporter, self._store = reporter, store
        self._size = hashes.keys[:, 2]
        self._candidates = np.flatnonzero(_shared(self._size) & (self._size > 0))
        self.groups = _HashGroups(stamps, protected)
        self._total = int(self._size[self._candidates].sum())
        self._settled = np.zeros(len(stamps), np.bool_)
        self._done = 0
        self._unstored: list[int] = []  # indices of files whose hashes were not yet passed to `store`
        self._stored_at = self._told_at = time.monotonic()
        hashed = self._candidates[hashes.has_content[self._candidates]]
        for index, digest in zip(hashed.tolist(), _digests(hashes.content[hashed]), strict=True):
            self.groups.add(index, digest)
        self._settle(hashed)

    def hash_heads(self, workers: int) -> None:
        """Hash the heads of all candidates without known hashes. Raises Stopped."""
        self.tell()
        indices = self._candidates[~self.hashes.is_read[self._candidates]]
        device, inode = self.hashes.keys[indices, 0], self.hashes.keys[indices, 1]
        # Roughly the order on the disk: files created together are often beside each other.
        in_disk_order = indices[np.lexsort((inode, device))]
        self._hash(in_disk_order, workers, heads_only=True)
        has_equal_head = _shared(self._size[self._candidates], self.hashes.head[self._candidates])
        self._settle(self._candidates[~has_equal_head])

    def hash_contents(self, workers: int) -> None:
        """Hash all bytes of candidates whose heads are equal, small files first. Raises Stopped."""
        indices = self._candidates[~self._settled[self._candidates]]
        self._hash(indices[np.argsort(self._size[indices], kind="stable")], workers)

    def hash_all(self, workers: int) -> None:
        """Hash all bytes of all files, also of those that are no candidates. Raises Stopped."""
        self._total, self._settled[:] = int(self._size.sum()), False
        self._hash(np.argsort(self._size, kind="stable"), workers)

    def _hash(self, indices: NDArray[np.intp], workers: int, *, heads_only: bool = False) -> None:
        portions = self._portions(indices.tolist(), heads_only)
        stop = threading.Event()
        with ThreadPoolExecutor(max(1, workers)) as pool:
            try:
                hash_files = partial(_hash_files, heads_only=heads_only, stop=stop)
                running = {pool.submit(hash_files, portion) for portion in islice(portions, 2 * workers)}
                while running:
                    completed, running = wait(running, _TELL_SECONDS, FIRST_COMPLETED)
                    self._reporter.check()
                    for future in completed:
                        self._add_results(future.result())
                    running |= {pool.submit(hash_files, portion) for portion in islice(portions, len(completed))}
                    self._tell_now_and_then()
            finally:
                stop.set()
                self._store_hashes()

    def _portions(self, indices: list[int], heads_only: bool) -> Iterator[list[tuple[int, FileStamp]]]:
        """Yield the files in portions large enough for a thread."""
        portion: list[tuple[int, FileStamp]] = []
        room = _PORTION_BYTES
        for index in indices:
            stamp = self._stamps[index]
            portion.append((index, stamp))
            room -= min(stamp.size, HEAD_BYTES) if heads_only else stamp.size
            if room <= 0 or len(portion) == _PORTION_FILES:
                yield portion
                portion, room = [], _PORTION_BYTES
        if portion:
            yield portion

    def _add_results(self, results: list[_HashedFile]) -> None:
        read = [result for result in results if result.problem is None]
        for result in results:
            if result.problem is not None:
                self.problems[self._stamps[result.index]] = result.problem
        heads = [result for result in read if result.head]
        # 0 stands for a file that was not read.
        numbers = [int.from_bytes(result.head, "big") or 1 for result in heads]
        self.hashes.head[[result.index for result in heads]] = numbers
        hashed = [result for result in read if result.content]
        self.hashes.content[[result.index for result in hashed]] = hash_columns([result.content for result in hashed])
        for result in hashed:
            self.groups.add(result.index, result.content)
        self._unstored += [result.index for result in read]
        self._settle(np.array([result.index for result in results if result.content or result.problem], np.intp))

    def _settle(self, indices: NDArray[np.intp]) -> None:
        """Mark files as finished and count the bytes of those that were not before."""
        newly_settled = indices[~self._settled[indices]]
        self._settled[newly_settled] = True
        self._done += int(self._size[newly_settled].sum())

    def _tell_now_and_then(self) -> None:
        """Report and store hashes at intervals."""
        now = time.monotonic()
        if now - self._stored_at > _STORE_SECONDS:
            self._store_hashes()
        if now - self._told_at > _TELL_SECONDS:
            self.tell()

    def _store_hashes(self) -> None:
        if self._unstored:
            self._store(self.hashes.take(np.array(self._unstored)))
        self._unstored, self._stored_at = [], time.monotonic()

    def tell(self) -> None:
        """Report the progress and the groups so far."""
        self._told_at = time.monotonic()
        self._reporter.tell(Progress(Stage.HASH, self._done, self._total, identical=self.groups.summary()))


class _HashGroups:
    """Groups of files with equal hashes, and counts of groups and copies. A group lists indices of files.

    The first file of a group stays: a protected one, if there is one. Other protected files are no copies.
    """

    def __init__(self, stamps: Sequence[FileStamp], protected: Collection[int]) -> None:
        self._stamps, self._protected = stamps, protected
        self._groups: dict[bytes, list[int]] = {}
        self._count = self._copies = self._bytes = 0
        self._largest: list[list[int]] = []

    def add(self, index: int, content: bytes) -> None:
        """Add a file with the hash of its bytes."""
        group = self._groups.setdefault(content, [])
        group.append(index)
        if len(group) == 1:
            return
        if index in self._protected and group[0] not in self._protected:
            group[0], group[-1] = index, group[0]
        self._count += len(group) == 2
        if group[-1] not in self._protected:
            self._copies += 1
            self._bytes += self._stamps[index].size
        if group not in self._largest:
            self._largest.append(group)
        if len(self._largest) > _MOST_TOLD:
            self._largest.remove(min(self._largest, key=self._size_of_copies))

    def _size_of_copies(self, group: list[int]) -> int:
        return (len(group) - 1) * self._stamps[group[0]].size

    def summary(self) -> IdenticalCounts:
        """Return the counts and the paths of the largest groups."""
        largest = sorted(self._largest, key=self._size_of_copies, reverse=True)
        paths = tuple(tuple(self._stamps[index].path for index in group) for group in largest)
        return IdenticalCounts(self._count, self._copies, self._bytes, paths)


def _shared(*columns: NDArray[np.int64] | NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which rows equal another row in all columns: bool (n,)."""
    order = np.lexsort(columns)
    equal = np.ones(max(0, len(order) - 1), np.bool_)
    for column in columns:
        equal &= column[order][1:] == column[order][:-1]
    return row_mask(len(order), order[1:][equal], order[:-1][equal])


def _hash_files(portion: list[tuple[int, FileStamp]], heads_only: bool, stop: threading.Event) -> list[_HashedFile]:
    """Hash files until `stop` is set. Runs in a thread."""
    results = []
    for index, stamp in portion:
        if stop.is_set():
            break
        try:
            results.append(_hash_file(index, stamp, heads_only, stop))
        except OSError as error:
            results.append(_HashedFile(index, problem=refused_by_system(error)))
    return results


def _hash_file(index: int, stamp: FileStamp, heads_only: bool, stop: threading.Event) -> _HashedFile:
    """Hash the head of a file, and all of it if it is small or not `heads_only`. Raises OSError."""
    as_changed = _HashedFile(index, problem=(ProblemKind.CHANGED, ()))
    with reading(stamp.path) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not stamp.describes(status):
            return as_changed
        data = os.read(descriptor, HEAD_BYTES)
        digest, count = hashlib.blake2b(data, digest_size=HASH_BYTES), len(data)
        head = digest.digest()
        is_all = not heads_only or stamp.size <= HEAD_BYTES
        while is_all and count < stamp.size and data and not stop.is_set():
            data = os.read(descriptor, _PIECE)
            digest.update(data)
            count += len(data)
        if stop.is_set():
            return _HashedFile(index)
        if not stamp.describes(os.fstat(descriptor)) or (is_all and count != stamp.size):
            return as_changed
        return _HashedFile(index, head[:_HEAD_HASH_BYTES], digest.digest() if is_all else b"")
