"""Read files on the workers of a Dask cluster, which see the same folders under the same paths.

The tasks of a scan are divided into portions. A worker reads a portion in the same sandbox as a local scan, with one
reading process for each of its threads, and answers as a reading process does: with plain data of a declared type.
Each machine has its own numbers for disks and files, so the stamps of the machine that walked through the folders are
the ones that are stored.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from multiprocessing import current_process
from pathlib import Path
from typing import Final

from dupfinder.base.details import Clause, Details, ProblemKind
from dupfinder.base.errors import ClusterError, Fault, ReadersError
from dupfinder.base.files import reading
from dupfinder.base.settings import Settings
from dupfinder.base.stamp import FileStamp
from dupfinder.engine.remote import (
    DaskCluster,
    RemoteCrew,
    WorkerAnswer,
    WorkerRefusal,
    landmarks_of,
    refusal_of_roots,
    scratch_folder,
)
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.crew import Crew
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.wire import Wire
from dupfinder.processes.worker import Failure, Limits, memory_allowed
from dupfinder.scan.readers import PRELOAD, Readers, ReadingResult, reading_limits, reading_sandbox, workers
from dupfinder.scan.reading import ListedArchive, ReadTask, by_archive, file_holding, in_turns
from dupfinder.scan.request import Role, ScanRequest
from dupfinder.scan.walk import checked_roots
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf import ocr

PORTION_FILES: Final = 512  # a fifth of a second of reading or more, long against the 5 ms that a portion costs
FEWEST_FILES: Final = 32
PORTIONS_A_THREAD: Final = 16  # at least, where there are enough files: all threads end at about the same time
PORTION_BYTES: Final = 2 << 20
LARGE_FILE: Final = 1 << 20  # bytes; larger files are begun first, so that all workers end at about the same time
_SAMPLE: Final = "Été/déjà; running, 12,5; 中文也是繁體字。Привет, мир! 日本語の文です。"  # tokens of every kind
_IDLE_SECONDS: Final = 60.0  # after which the reading processes of a worker without work end


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a worker must be able to do as this machine does.

    sample:    a hash of all that the scheme measures of a sample text.
    memory:    bytes that this machine allows a reading process.
    languages: that are recognised on pages without a text layer; "": none.
    """

    scheme: Scheme
    limits: Limits
    languages: str
    sample: str
    memory: int

    @classmethod
    def of(cls, scheme: Scheme, limits: Limits, languages: str) -> Requirements:
        """Return the requirements, measured on this machine."""
        return cls(scheme, limits, languages, _sample(scheme), memory_allowed(limits.memory_bytes))


def _sample(scheme: Scheme) -> str:
    """Return a hash of all that is measured of a sample text. Raises OSError, ValueError without the learned table."""
    measured = fingerprinter(scheme).print_of(normalise(_SAMPLE))
    digest = hashlib.blake2b(f"{scheme.id} {measured.fingerprint} {measured.language}".encode(), digest_size=16)
    digest.update(measured.text_hash + measured.sketch.tobytes() + measured.trace.tobytes())
    return digest.hexdigest()


@lru_cache(maxsize=8)
def refusal_of_terms(terms: Requirements) -> WorkerRefusal | None:
    """Return which of the terms this worker cannot keep. Runs on a worker."""
    scheme = terms.scheme
    try:
        if scheme.learned and DocumentFrequencies.load(scheme.learned).digest != scheme.learned_digest:
            return WorkerRefusal(Fault.WORKER_WITHOUT_WEIGHTS)
        sample = _sample(scheme)
    except (OSError, ValueError):
        return WorkerRefusal(Fault.WORKER_WITHOUT_WEIGHTS if scheme.learned else Fault.OTHER_MEASURE)
    if sample != terms.sample:
        return WorkerRefusal(Fault.OTHER_MEASURE)
    if memory_allowed(terms.limits.memory_bytes) != terms.memory:
        return WorkerRefusal(Fault.WORKER_SHORT_OF_MEMORY)
    missing = ocr.missing_languages(terms.languages)
    return WorkerRefusal(Fault.WORKER_WITHOUT_OCR, {"words": "+".join(missing)}) if missing else None


@dataclass(frozen=True, slots=True)
class SentResult:
    """The outcome of one task as a worker sends it. number: of the task in its portion."""

    number: int
    value: DocumentRow | ListedArchive | None
    failure: Failure | None
    details: Details


_WIRE: Final = Wire(tuple[SentResult, ...])
_idle: dict[
    tuple[Limits, Path | None], list[tuple[Sandbox[ReadTask, DocumentRow | ListedArchive], threading.Timer]]
] = {}
_idle_lock = threading.Lock()


@contextmanager
def _sandbox(terms: Requirements) -> Iterator[Sandbox[ReadTask, DocumentRow | ListedArchive]]:
    """Yield a sandbox with one reading process. It stays for the next portion, and ends when none comes for a while."""
    key = (terms.limits, terms.scheme.learned)
    with _idle_lock:
        waiting = _idle.get(key)
        sandbox, timer = waiting.pop() if waiting else (None, None)
    if timer is not None:
        timer.cancel()
    if sandbox is None:
        current_process().daemon = False  # as a daemon, which Dask makes of its workers, it may start no process
        sandbox = reading_sandbox(1, *key)
    try:
        yield sandbox
    except BaseException:  # also a stop: its processes are in the middle of files
        sandbox.close()
        raise
    timer = threading.Timer(_IDLE_SECONDS, _end_idle, (key, sandbox))
    timer.daemon = True
    with _idle_lock:
        _idle.setdefault(key, []).append((sandbox, timer))
    timer.start()


def _end_idle(key: tuple[Limits, Path | None], sandbox: Sandbox[ReadTask, DocumentRow | ListedArchive]) -> None:
    """End a sandbox unless it is in use again."""
    with _idle_lock:
        waiting = _idle.get(key, [])
        is_idle = any(other is sandbox for other, _ in waiting)
        _idle[key] = [pair for pair in waiting if pair[0] is not sandbox]
    if is_idle:
        sandbox.close()


def read_portion(tasks: Sequence[ReadTask], terms: Requirements) -> bytes | WorkerRefusal:
    """Read some files; return the outcomes, packed. Runs on a worker."""
    refusal = refusal_of_terms(terms)
    if refusal is not None:
        return refusal
    here = [_as_seen_here(task) for task in tasks]
    number_of = {id(task): number for number, task in enumerate(here)}
    sent = []
    try:
        with _sandbox(terms) as sandbox:
            runs = (sandbox.run(portion, preparation=unpacked) for portion, unpacked in in_turns(here))
            for outcome in chain.from_iterable(runs):
                number = number_of[id(outcome.task)]
                value = None if outcome.value is None else as_seen_there(outcome.value, tasks[number])
                sent.append(SentResult(number, value, outcome.failure, outcome.details))
    except ReadersError:
        return WorkerRefusal(Fault.READERS_FAIL)
    return _WIRE.pack(tuple(sent))


def _as_seen_here(task: ReadTask) -> ReadTask:
    """Return a task with this machine's numbers of the archive that holds its member."""
    if task.inside is None:
        return task
    archive = task.inside.archive
    try:
        here = FileStamp.of(archive.path, os.stat(archive.path))
    except OSError:
        return task
    return replace(task, inside=replace(task.inside, archive=here)) if _is_same(archive, here) else task


def as_seen_there(value: DocumentRow | ListedArchive, task: ReadTask) -> DocumentRow | ListedArchive:
    """Return an answer with the stamp that the walking machine saw; a problem if the file is another one now."""
    if _is_same(value.stamp, task.stamp):
        return replace(value, stamp=task.stamp)
    return DocumentRow(task.stamp, ProblemKind.CHANGED)


def _is_same(left: FileStamp, right: FileStamp) -> bool:
    """Tell whether two machines saw the same version of a file: what its server tells both of them is equal."""
    return (left.size, left.mtime_ns) == (right.size, right.mtime_ns)


def portions(tasks: Sequence[ReadTask], threads: int) -> list[list[ReadTask]]:
    """Split tasks among workers: large files first, members of an archive that is unpacked as a whole together.

    threads: of all workers.
    """
    most = min(PORTION_FILES, max(FEWEST_FILES, len(tasks) // (PORTIONS_A_THREAD * threads)))
    others, parts = by_archive(tasks)
    room = files = 0
    for task in sorted(others, key=lambda task: -max(task.stamp.size, LARGE_FILE)):
        if task.stamp.size > room or not files:
            parts.append([])
            room, files = PORTION_BYTES, most
        parts[-1].append(task)
        room -= task.stamp.size
        files -= 1
    return parts


@dataclass(frozen=True, slots=True)
class RemoteReaders:
    """Reads on the workers of a cluster."""

    cluster: DaskCluster
    terms: Requirements

    def run(self, tasks: Sequence[ReadTask], check: Callable[[], None]) -> Iterator[ReadingResult]:
        parts = portions(tasks, self.cluster.threads)
        for portion, answered in self.cluster.map(read_portion, parts, self.terms, check):
            for sent in _WIRE.unpack(answered.value):
                outcome = TaskResult(portion[sent.number], sent.value, sent.failure, sent.details)
                check_seen(outcome, answered)
                yield outcome

    def in_hand(self) -> Sequence[tuple[ReadTask, float]]:
        return ()


_SEEN_OTHERWISE: Final = (ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE)


def check_seen(outcome: ReadingResult, answered: WorkerAnswer[bytes]) -> None:
    """Raise ClusterError if a worker saw no file, or another version, where this machine still sees the file walked."""
    row = outcome.value
    if not isinstance(row, DocumentRow) or row.status not in _SEEN_OTHERWISE:
        return
    stamp = outcome.task.stamp if outcome.task.inside is None else outcome.task.inside.archive
    try:
        with reading(stamp.path) as descriptor:
            status = os.fstat(descriptor)
    except OSError:
        return
    if not stamp.describes(status):
        return
    if row.status == ProblemKind.CHANGED:
        raise ClusterError(Fault.OTHER_SHARE, worker=answered.worker, path=file_holding(stamp.path))
    reason = next((str(detail.facts["error"]) for detail in row.details if detail.code is Clause.SYSTEM_ERROR), "EIO")
    raise ClusterError(Fault.NO_SHARE, worker=answered.worker, path=stamp.path, reason=reason)


@dataclass(frozen=True, slots=True)
class RemoteMachines:
    """Reads on a cluster, and finds pairs there too if its workers share a folder with this machine.

    languages: as in Requirements. scratch: that folder; None: pairs are found on this machine.
    """

    cluster: DaskCluster
    request: ScanRequest
    languages: str
    scratch: Path | None

    @property
    def workers(self) -> int:
        return workers(self.request) if self.scratch is None else max(2, self.cluster.threads)

    def readers(self, limits: Limits) -> AbstractContextManager[Readers]:
        return nullcontext(RemoteReaders(self.cluster, Requirements.of(self.request.scheme, limits, self.languages)))

    def crew(self, workers: int) -> Crew:
        return Crew(workers, PRELOAD) if self.scratch is None or workers < 2 else RemoteCrew(self.cluster, self.scratch)


@contextmanager
def remote_machines(
    address: str, request: ScanRequest, settings: Settings, scratch: Path | None
) -> Iterator[RemoteMachines]:
    """Connect to a cluster and yield it, after every worker was asked whether it works as this machine does.

    scratch: a folder of which all machines may write into a new subfolder. Raises ClusterError for the first worker
    that does not, RootError, OSError.
    """
    languages = request.ocr if ocr.is_available() else ""
    scanned = [root.path for root in checked_roots(request.roots) if root.role is not Role.LEAVE_OUT]
    with DaskCluster(address) as cluster, ExitStack() as ends:
        cluster.ask(refusal_of_terms, Requirements.of(request.scheme, reading_limits(settings), languages))
        cluster.ask(refusal_of_roots, landmarks_of(scanned))
        shared = None if scratch is None else ends.enter_context(scratch_folder(cluster, scratch))
        yield RemoteMachines(cluster, request, languages, shared)
