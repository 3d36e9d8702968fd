"""The batch query: a few new fingerprints B against many old ones F, read part by part (WWW 2007, section 4).

Tables are built of B; each part of F gives its pairs; the pairs are merged and sorted. The parts are matched by this
process, by a crew of processes, or on a Dask cluster. All return the same pairs.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns
from dupfinder.base.errors import Fault, IndexFileError
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.engine.prints import load_fingerprints
from dupfinder.index.design import TableDesign, family
from dupfinder.index.tables import PermutedTables
from dupfinder.index.words import width_of
from dupfinder.processes.crew import Crew, Shared

if TYPE_CHECKING:
    from dupfinder.engine.remote import WorkerRefusal

PART_ROWS: Final = 1 << 19


@dataclass(frozen=True, slots=True)
class SourcePart:
    """Fingerprints `start` to `stop` of a source; the first is row `first_row` of all of F."""

    source: Path | NDArray[np.unsignedinteger]
    start: int
    stop: int
    first_row: int

    def load(self) -> NDArray[np.unsignedinteger]:
        """Return the part's fingerprints. Raises IndexFileError."""
        source = load_fingerprints(self.source, mapped=True) if isinstance(self.source, Path) else self.source
        return np.asarray(source[self.start : self.stop])


@dataclass(frozen=True, slots=True)
class BatchPairs(Columns):
    """Row i says: new[i] of B and old[i] of F differ in distance[i] bits.

    new: uint32 (m,), old: int64 (m,), sorted by (new, old), each pair once. distance: uint8 (m,), bits.
    """

    new: NDArray[np.uint32]
    old: NDArray[np.int64]
    distance: NDArray[np.uint8]

    @classmethod
    def merged(cls, parts: Iterable[BatchPairs]) -> BatchPairs:
        """Merge parts, sorted by (new, old)."""
        together = cls.joined([cls.none(), *parts])
        return together.take(np.lexsort((together.old, together.new)))


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """What is asked of every part: the new fingerprints, the design of their tables, the radius in bits.

    id: unique, so that a process builds the tables of a question only once.
    """

    id: str
    new: Shared = field(compare=False)
    design: TableDesign = field(compare=False)
    radius: int = field(compare=False)

    @classmethod
    def of(cls, new: NDArray[np.unsignedinteger], design: TableDesign | None, radius: int, crew: Crew) -> BatchQuestion:
        """Return a question for the processes of a crew. design None: as for `batch`. Raises DiskFullError, OSError."""
        design = design or family(width_of(new), radius, radius + 1)
        return cls(uuid.uuid4().hex, crew.share([np.ravel(new)], new.dtype), design, radius)


def parts_of(sources: Iterable[Path | NDArray[np.unsignedinteger]], rows: int = PART_ROWS) -> list[SourcePart]:
    """Split the old fingerprints into parts of at most `rows`.

    Rows are numbered across all sources. The parts of a .npy file are read from it one by one; an index and files of
    other formats cannot be read in parts, so they are decoded once, here. Raises IndexFileError.
    """
    parts: list[SourcePart] = []
    first_row = 0
    for source in sources:
        fingerprints = load_fingerprints(source, mapped=True) if isinstance(source, Path) else source
        width_of(fingerprints)
        for start in range(0, len(fingerprints), rows):
            stop = min(start + rows, len(fingerprints))
            if isinstance(source, Path) and isinstance(fingerprints, np.memmap):
                parts.append(SourcePart(source, start, stop, first_row + start))
            else:
                parts.append(SourcePart(fingerprints[start:stop], 0, stop - start, first_row + start))
        first_row += len(fingerprints)
    return parts


def batch(
    new: NDArray[np.unsignedinteger],
    parts: Sequence[SourcePart],
    radius: int,
    *,
    crew: Crew | None = None,
    design: TableDesign | None = None,
    reporter: Reporter = SILENT,
) -> BatchPairs:
    """Return all pairs of a new fingerprint and a fingerprint of the parts within `radius` bits.

    crew None: this process alone. design None: radius + 1 blocks, the widest prefixes that direct search supports.
    Raises IndexFileError, DiskFullError, OSError, and Stopped.
    """
    crew = crew or Crew()
    question = BatchQuestion.of(new, design, radius, crew)
    try:
        return _merged(crew.run(_match, [(question, part) for part in parts], reporter.check), len(parts), reporter)
    finally:
        _tables_of.cache_clear()


def _merged(answers: Iterable[BatchPairs], total: int, reporter: Reporter) -> BatchPairs:
    """Return the pairs of all parts, as they are done."""
    finished = []
    for pairs in answers:
        reporter.check()
        finished.append(pairs)
        reporter.tell(Progress(Stage.MATCH, len(finished), total))
    return BatchPairs.merged(finished)


def _match(task: tuple[BatchQuestion, SourcePart]) -> BatchPairs:
    question, part = task
    return BatchPairs.merged(
        BatchPairs(matches.row, matches.query.astype(np.int64) + part.first_row, matches.distance)
        for matches in _tables_of(question).stream(part.load(), question.radius)
    )


@lru_cache(maxsize=1)
def _tables_of(question: BatchQuestion) -> PermutedTables:
    """Return the tables of the new fingerprints. Those of the last question stay in memory."""
    new = question.new.array()
    return PermutedTables(new.reshape(-1, 2) if question.design.bits == 128 else new, question.design)


def _match_on_cluster(part: SourcePart, question: BatchQuestion) -> BatchPairs | WorkerRefusal:
    from dupfinder.engine.remote import WorkerRefusal

    try:
        return _match((question, part))
    except IndexFileError:
        return WorkerRefusal(Fault.OTHER_SHARE, {"path": part.source})


def batch_on_cluster(
    address: str,
    new: NDArray[np.unsignedinteger],
    parts: Sequence[SourcePart],
    radius: int,
    *,
    design: TableDesign | None = None,
    reporter: Reporter = SILENT,
) -> BatchPairs:
    """Return what `batch` does, by the workers of the Dask cluster at this address.

    The paths of the parts are absolute, and are compared with what each worker sees there before any work. Raises
    ClusterError, and as `batch`.
    """
    from dupfinder.engine.remote import DaskCluster, landmarks_of, refusal_of_roots

    files = sorted({part.source for part in parts if isinstance(part.source, Path)})
    with DaskCluster(address) as cluster:
        cluster.ask(refusal_of_roots, landmarks_of(files))
        question = BatchQuestion.of(new, design, radius, Crew())
        answers = cluster.map(_match_on_cluster, parts, question, reporter.check)
        return _merged((answered.value for _, answered in answers), len(parts), reporter)
