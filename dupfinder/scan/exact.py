"""Identical files, before any is read as a document: by size, then by the first block, then by all bytes.

Only files of one size are opened; only those whose first blocks are equal are read whole. The hash of all bytes is the
content hash of documents. What an earlier scan read of an unchanged file is not read again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import Details
from dupfinder.base.files import READ_ONLY
from dupfinder.base.problems import ProblemKind
from dupfinder.base.progress import Identical, Progress, Reporter, Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.library.hashes import FileHashes
from dupfinder.library.rows import hash_columns
from dupfinder.library.stored import stamp_key
from dupfinder.scan.reading import HASH_BYTES, refused_by_system

HEAD_BYTES: Final = 1 << 16  # the first block: hardly two files of one size begin with the same one and differ
_HEAD_HASH_BYTES: Final = 8
_PIECE: Final = 1 << 20  # bytes between two looks at whether to stop
_PORTION_FILES, _PORTION_BYTES = 64, 8 << 20  # what a thread takes at a time
_LOOK_SECONDS: Final = 0.1
_KEEP_SECONDS: Final = 3.0  # a kill loses at most this much hashing, and the file in hand
_MOST_TOLD: Final = 5  # groups whose paths are told while hashing goes on


@dataclass(frozen=True, slots=True)
class Exact:
    """What is known of the bytes of n files.

    hashes: of the files that are as large as another. troubles: why others of these could not be read.
    """

    hashes: FileHashes
    troubles: dict[FileStamp, tuple[ProblemKind, Details]]

    def contents(self, stamps: Sequence[FileStamp]) -> dict[FileStamp, bytes]:
        """The content hash of each of the n files of which all bytes were read."""
        whole = np.flatnonzero(self.hashes.has_whole)
        digests = _digests(self.hashes.whole[whole])
        return {stamps[place]: digest for place, digest in zip(whole.tolist(), digests, strict=True)}


def _digests(whole: NDArray[np.uint64]) -> list[bytes]:
    """The hashes of uint64 (n, 2) as `hash_columns` was given them."""
    data = whole.astype(">u8").tobytes()
    return [data[start : start + HASH_BYTES] for start in range(0, len(data), HASH_BYTES)]


def find_identical(
    stamps: Sequence[FileStamp],
    known: FileHashes,
    workers: int,
    reporter: Reporter,
    keep: Callable[[FileHashes], None] = lambda _: None,
) -> Exact:
    """Hash the files that may have the same bytes as another, and tell the groups as they are found. Raises Stopped.

    known: what was read before. keep: is given what was read since it was last called, every few seconds.
    """
    keys = np.array([stamp_key(stamp) for stamp in stamps], np.int64).reshape(-1, 5)
    search = _Search(stamps, known.of(keys), reporter, keep)
    search.hash_heads(workers)
    search.hash_wholes(workers)
    search.tell()
    return Exact(search.hashes, search.troubles)


@dataclass(frozen=True, slots=True)
class _Hashed:
    """What one file gave. head, whole: digests, empty where not read. trouble: why it could not be hashed."""

    place: int
    head: bytes = b""
    whole: bytes = b""
    trouble: tuple[ProblemKind, Details] | None = None


class _Search:
    """One search for identical files."""

    def __init__(
        self, stamps: Sequence[FileStamp], hashes: FileHashes, reporter: Reporter, keep: Callable[[FileHashes], None]
    ) -> None:
        self.hashes = hashes
        self.troubles: dict[FileStamp, tuple[ProblemKind, Details]] = {}
        self._stamps = stamps
        self._reporter, self._keep = reporter, keep
        self._size = hashes.keys[:, 2]
        self._candidates = np.flatnonzero(_shared(self._size) & (self._size > 0))
        self._groups = _Groups(stamps)
        self._total = int(self._size[self._candidates].sum())
        self._settled = np.zeros(len(stamps), np.bool_)
        self._done = 0
        self._fresh: list[int] = []  # places that were read and not yet kept
        self._kept = self._told = time.monotonic()
        whole = self._candidates[hashes.has_whole[self._candidates]]
        for place, digest in zip(whole.tolist(), _digests(hashes.whole[whole]), strict=True):
            self._groups.add(place, digest)
        self._settle(whole)

    def hash_heads(self, workers: int) -> None:
        """Read the first block of every candidate of which nothing is known. Raises Stopped."""
        self.tell()
        places = self._candidates[~self.hashes.is_read[self._candidates]]
        order = np.lexsort((self.hashes.keys[places, 1], self.hashes.keys[places, 0]))  # as they lie on a disk
        self._hash(places[order], HEAD_BYTES, workers)
        alike = _shared(self._size[self._candidates], self.hashes.head[self._candidates])
        self._settle(self._candidates[~alike])

    def hash_wholes(self, workers: int) -> None:
        """Read all of every candidate whose first block another has too, the small ones first. Raises Stopped."""
        places = self._candidates[~self._settled[self._candidates]]
        self._hash(places[np.argsort(self._size[places], kind="stable")], None, workers)

    def _hash(self, places: NDArray[np.intp], most: int | None, workers: int) -> None:
        portions = self._portions(places.tolist(), most)
        stop = threading.Event()
        with ThreadPoolExecutor(max(1, workers)) as pool:
            try:
                running = {pool.submit(_hash_files, some, most, stop) for some in islice(portions, 2 * workers)}
                while running:
                    done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
                    self._reporter.check()
                    for future in done:
                        self._take_in(future.result())
                    running |= {pool.submit(_hash_files, some, most, stop) for some in islice(portions, len(done))}
                    self._tell_now_and_then()
            finally:
                stop.set()
                self._keep_fresh()

    def _portions(self, places: list[int], most: int | None) -> Iterator[list[tuple[int, FileStamp]]]:
        """The files in portions that are worth a thread's while."""
        portion: list[tuple[int, FileStamp]] = []
        room = _PORTION_BYTES
        for place in places:
            stamp = self._stamps[place]
            portion.append((place, stamp))
            room -= stamp.size if most is None else min(stamp.size, most)
            if room <= 0 or len(portion) == _PORTION_FILES:
                yield portion
                portion, room = [], _PORTION_BYTES
        if portion:
            yield portion

    def _take_in(self, results: list[_Hashed]) -> None:
        read = [result for result in results if result.trouble is None]
        for result in results:
            if result.trouble is not None:
                self.troubles[self._stamps[result.place]] = result.trouble
        heads = [result for result in read if result.head]
        self.hashes.head[[one.place for one in heads]] = [int.from_bytes(one.head, "big") or 1 for one in heads]
        wholes = [result for result in read if result.whole]
        self.hashes.whole[[one.place for one in wholes]] = hash_columns([one.whole for one in wholes])
        for result in wholes:
            self._groups.add(result.place, result.whole)
        self._fresh += [result.place for result in read]
        self._settle(np.array([one.place for one in results if one.whole or one.trouble], np.intp))

    def _settle(self, places: NDArray[np.intp]) -> None:
        fresh = places[~self._settled[places]]
        self._settled[fresh] = True
        self._done += int(self._size[fresh].sum())

    def _tell_now_and_then(self) -> None:
        now = time.monotonic()
        if now - self._kept > _KEEP_SECONDS:
            self._keep_fresh()
        if now - self._told > _LOOK_SECONDS:
            self.tell()

    def _keep_fresh(self) -> None:
        if self._fresh:
            self._keep(self.hashes.take(np.array(self._fresh)))
        self._fresh, self._kept = [], time.monotonic()

    def tell(self) -> None:
        """Tell how far it is, and the groups so far."""
        self._told = time.monotonic()
        self._reporter.tell(Progress(Stage.HASH, self._done, self._total, identical=self._groups.told()))


class _Groups:
    """Files by the hash of their bytes, with counts of those that have copies."""

    def __init__(self, stamps: Sequence[FileStamp]) -> None:
        self._stamps = stamps
        self._places: dict[bytes, list[int]] = {}
        self._groups = self._copies = self._bytes = 0
        self._largest: list[list[int]] = []

    def add(self, place: int, whole: bytes) -> None:
        """Add a file by the hash of its bytes."""
        group = self._places.setdefault(whole, [])
        group.append(place)
        if len(group) == 1:
            return
        self._groups += len(group) == 2
        self._copies += 1
        self._bytes += self._stamps[place].size
        if group not in self._largest:
            self._largest.append(group)
        if len(self._largest) > _MOST_TOLD:
            self._largest.remove(min(self._largest, key=self._in_copies))

    def _in_copies(self, group: list[int]) -> int:
        return (len(group) - 1) * self._stamps[group[0]].size

    def told(self) -> Identical:
        """The counts, and the paths of the largest groups."""
        largest = sorted(self._largest, key=self._in_copies, reverse=True)
        paths = tuple(tuple(self._stamps[place].path for place in group) for group in largest)
        return Identical(self._groups, self._copies, self._bytes, paths)


def _shared(*columns: NDArray[np.int64] | NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which rows have the values of another row in all columns, bool (n,)."""
    order = np.lexsort(columns)
    equal = np.ones(max(0, len(order) - 1), np.bool_)
    for column in columns:
        equal &= column[order][1:] == column[order][:-1]
    shared = np.zeros(len(order), np.bool_)
    shared[order[1:][equal]] = True
    shared[order[:-1][equal]] = True
    return shared


def _hash_files(portion: list[tuple[int, FileStamp]], most: int | None, stop: threading.Event) -> list[_Hashed]:
    """Hash files until asked to stop. Runs in a thread."""
    results = []
    for place, stamp in portion:
        if stop.is_set():
            break
        try:
            results.append(_hash_file(place, stamp, most, stop))
        except OSError as error:
            results.append(_Hashed(place, trouble=refused_by_system(error)))
    return results


def _hash_file(place: int, stamp: FileStamp, most: int | None, stop: threading.Event) -> _Hashed:
    """Hash the first block of a file, or all of it where that is all or `most` is None. Raises OSError."""
    changed = _Hashed(place, trouble=(ProblemKind.CHANGED, ()))
    descriptor = os.open(stamp.path, READ_ONLY)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not stamp.describes(status):
            return changed
        data = os.read(descriptor, HEAD_BYTES)
        digest, count = hashlib.blake2b(data, digest_size=HASH_BYTES), len(data)
        head = digest.digest()
        is_whole = most is None or stamp.size <= HEAD_BYTES
        while is_whole and count < stamp.size and data and not stop.is_set():
            data = os.read(descriptor, _PIECE)
            digest.update(data)
            count += len(data)
        if stop.is_set():
            return _Hashed(place)
        if not stamp.describes(os.fstat(descriptor)) or (is_whole and count != stamp.size):
            return changed
        return _Hashed(place, head[:_HEAD_HASH_BYTES], digest.digest() if is_whole else b"")
    finally:
        os.close(descriptor)
