"""The batch query: a few new fingerprints B against many old ones F, read part by part (WWW 2007, section 4).

Tables are built of B; each part of F gives its pairs; the pairs are merged and sorted. The caller selects the engine
that runs the parts: this process, a pool of processes, or a Dask cluster. All return the same pairs.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import DupfinderError, Fault, IndexFileError
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.engine.prints import load_fingerprints
from dupfinder.index.design import TableDesign, family
from dupfinder.index.tables import PermutedTables
from dupfinder.index.words import width_of
from dupfinder.processes.apart import ApartContext

if TYPE_CHECKING:
    from dupfinder.engine.remote import Cluster, Refusal

PART_ROWS: Final = 1 << 19
_RETRIES: Final = 3  # times that a part is tried again after its worker died

# Dask's workers return memory to the system at once, and numpy then spends half of its time allocating it again.
# With these settings, given to a worker before it starts, it retains its memory.
WORKER_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30)}
)


class WorkerDied(DupfinderError):
    """The workers of a part died more often than retries are allowed. Fact: `first_row`, where the part begins."""

    def __init__(self, first_row: int) -> None:
        super().__init__(first_row)
        self.first_row = first_row


@dataclass(frozen=True, slots=True)
class Part:
    """Fingerprints `start` to `stop` of a source; the first is row `first_row` of all of F."""

    source: Path | NDArray[np.unsignedinteger]
    start: int
    stop: int
    first_row: int

    def load(self) -> NDArray[np.unsignedinteger]:
        """Return the part's fingerprints. Raises IndexFileError."""
        whole = load_fingerprints(self.source, mapped=True) if isinstance(self.source, Path) else self.source
        return np.asarray(whole[self.start : self.stop])


@dataclass(frozen=True, slots=True)
class BatchPairs:
    """Row i says: new[i] of B and old[i] of F differ in distance[i] bits.

    new: uint32 (m,), old: int64 (m,), sorted by (new, old), each pair once. distance: uint8 (m,), bits.
    """

    new: NDArray[np.uint32]
    old: NDArray[np.int64]
    distance: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.new)

    @classmethod
    def merged(cls, parts: Sequence[BatchPairs]) -> BatchPairs:
        """Merge parts, sorted by (new, old). Duplicates, as from a part that ran twice, are dropped."""
        new = np.concatenate([np.empty(0, np.uint32), *(part.new for part in parts)])
        old = np.concatenate([np.empty(0, np.int64), *(part.old for part in parts)])
        distance = np.concatenate([np.empty(0, np.uint8), *(part.distance for part in parts)])
        order = np.lexsort((old, new))
        new, old, distance = new[order], old[order], distance[order]
        once = np.ones(len(new), np.bool_)
        once[1:] = (new[1:] != new[:-1]) | (old[1:] != old[:-1])
        return cls(new[once], old[once], distance[once])


@dataclass(frozen=True)
class Question:
    """What is asked of every part: the new fingerprints, the design of their tables, the radius in bits."""

    new: NDArray[np.unsignedinteger]
    design: TableDesign
    radius: int

    def digest(self) -> bytes:
        """Return 16 bytes that identify the tables, so that a worker builds them once."""
        digest = hashlib.blake2b(np.ascontiguousarray(self.new).tobytes(), digest_size=16)
        digest.update(f"{self.design.name}/{self.design.bits}/{self.design.radius}".encode())
        return digest.digest()


class Engine(Protocol):
    """Runs the parts of a batch query."""

    def run(self, question: Question, parts: Sequence[Part], reporter: Reporter) -> Iterator[BatchPairs]:
        """Yield the pairs of each part, in any order. Raises WorkerDied when a part's workers die repeatedly."""


def parts_of(sources: Iterable[Path | NDArray[np.unsignedinteger]], rows: int = PART_ROWS) -> list[Part]:
    """Split F into parts of at most `rows` fingerprints.

    Rows are numbered across all sources. The parts of a .npy file are read from it one by one; an index and files of
    other formats cannot be read in parts, so they are decoded once, here. Raises IndexFileError.
    """
    parts: list[Part] = []
    first_row = 0
    for source in sources:
        whole = load_fingerprints(source, mapped=True) if isinstance(source, Path) else source
        width_of(whole)
        for start in range(0, len(whole), rows):
            stop = min(start + rows, len(whole))
            if isinstance(source, Path) and isinstance(whole, np.memmap):
                parts.append(Part(source, start, stop, first_row + start))
            else:
                parts.append(Part(whole[start:stop], 0, stop - start, first_row + start))
        first_row += len(whole)
    return parts


def batch(
    new: NDArray[np.unsignedinteger],
    parts: Sequence[Part],
    radius: int,
    *,
    engine: Engine | None = None,
    design: TableDesign | None = None,
    reporter: Reporter | None = None,
) -> BatchPairs:
    """Return all pairs of a new fingerprint and a fingerprint of the parts within `radius` bits.

    engine None: in this process. design None: radius + 1 blocks, the widest prefixes that direct search supports.
    Raises what the engine raises, and Stopped.
    """
    reporter = reporter or Silent()
    design = design or family(width_of(new), radius, radius + 1)
    finished = []
    for done, pairs in enumerate((engine or InProcess()).run(Question(new, design, radius), parts, reporter), 1):
        reporter.check()
        reporter.tell(Progress(Stage.MATCH, done, len(parts)))
        finished.append(pairs)
    return BatchPairs.merged(finished)


def match_part(tables: PermutedTables, radius: int, part: Part) -> BatchPairs:
    """Return the pairs of one part."""
    batches = [
        BatchPairs(matches.row, matches.query.astype(np.int64) + part.first_row, matches.distance)
        for matches in tables.stream(part.load(), radius)
    ]
    return BatchPairs.merged(batches)


_built: dict[bytes, PermutedTables] = {}


def tables_of(question: Question, digest: bytes) -> PermutedTables:
    """Return the question's tables, built once in each worker process.

    Only those of the last question stay in memory.
    """
    tables = _built.get(digest)
    if tables is None:
        _built.clear()
        tables = _built[digest] = PermutedTables.build(question.new, question.design)
    return tables


def match_in_worker(question: Question, digest: bytes, part: Part) -> BatchPairs:
    """Match one part in a worker process of a pool or a cluster."""
    return match_part(tables_of(question, digest), question.radius, part)


class InProcess:
    """Runs the parts one after the other in this process."""

    def run(self, question: Question, parts: Sequence[Part], reporter: Reporter) -> Iterator[BatchPairs]:
        tables = PermutedTables.build(question.new, question.design)
        for part in parts:
            reporter.check()
            yield match_part(tables, question.radius, part)


_asked: list[tuple[Question, bytes]] = []


def _ask(question: Question, digest: bytes) -> None:
    """Store the question in a worker of the pool, so that it is not sent again with every part."""
    _asked[:] = [(question, digest)]


def _answer(part: Part) -> BatchPairs:
    """Match one part for the stored question."""
    question, digest = _asked[0]
    return match_in_worker(question, digest, part)


class ProcessPool:
    """Runs the parts in a pool of processes. When a worker dies, a new pool runs the unfinished parts."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def run(self, question: Question, parts: Sequence[Part], reporter: Reporter) -> Iterator[BatchPairs]:
        pending = deque((part, 0) for part in parts)
        while pending:
            with self._pool(question) as pool:
                yield from self._until_broken(pool, pending, reporter)

    def _pool(self, question: Question) -> ProcessPoolExecutor:
        # "spawn": a fork of a process with threads, such as the window's, may hang.
        return ProcessPoolExecutor(
            self._workers, mp_context=ApartContext(), initializer=partial(_ask, question, question.digest())
        )

    def _until_broken(
        self, pool: ProcessPoolExecutor, pending: deque[tuple[Part, int]], reporter: Reporter
    ) -> Iterator[BatchPairs]:
        """Yield pairs until all parts are done or a worker dies; then `pending` holds the unfinished parts."""
        running: deque[tuple[Future[BatchPairs], Part, int]] = deque()
        try:
            while pending or running:
                reporter.check()
                while pending and len(running) < 2 * self._workers:
                    part, tries = pending[0]  # taken out after `submit`, which fails if a worker has just died
                    running.append((pool.submit(_answer, part), part, tries))
                    pending.popleft()
                future, part, tries = running[0]
                pairs = future.result()
                running.popleft()
                yield pairs
        except BrokenProcessPool:
            for number, (_, part, tries) in enumerate(running):
                tries += number < self._workers  # the later parts were only queued
                if tries > _RETRIES:
                    raise WorkerDied(part.first_row) from None
                pending.append((part, tries))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class OnCluster:
    """Runs the parts on the workers of a Dask cluster, where the files of F must have the same paths."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def run(self, question: Question, parts: Sequence[Part], reporter: Reporter) -> Iterator[BatchPairs]:
        """Yield the pairs of each part when it is done; parts of lost workers are done again. Raises ClusterError."""
        given = (question, question.digest())
        for _, answered in self._cluster.map(match_on_cluster, parts, given, reporter.check):
            yield answered.value


def match_on_cluster(part: Part, given: tuple[Question, bytes]) -> BatchPairs | Refusal:
    """Match one part on a worker of a cluster."""
    from dupfinder.engine.remote import Refusal

    try:
        return match_in_worker(*given, part)
    except IndexFileError:
        return Refusal(Fault.OTHER_SHARE, {"path": part.source})


def batch_on_cluster(
    address: str,
    new: NDArray[np.unsignedinteger],
    parts: Sequence[Part],
    radius: int,
    *,
    design: TableDesign | None = None,
    reporter: Reporter | None = None,
) -> BatchPairs:
    """Return what `batch` does, by the workers of the Dask cluster at this address.

    The paths of the parts are absolute, and are compared with what each worker sees there before any work. Raises
    ClusterError, and as `batch`.
    """
    from dupfinder.engine.remote import Cluster
    from dupfinder.engine.shares import landmarks_of, refusal_of_roots

    files = sorted({part.source for part in parts if isinstance(part.source, Path)})
    with Cluster(address) as cluster:
        cluster.ask(refusal_of_roots, landmarks_of(files))
        return batch(new, parts, radius, engine=OnCluster(cluster), design=design, reporter=reporter)
