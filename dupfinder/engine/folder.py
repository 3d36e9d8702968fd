"""A compressed index: a folder with one file for each table of a design. It appears complete or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import DiskFullError, Fault, IndexFileError
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.engine.blocks import CompressedTable, TableFacts, write_table
from dupfinder.engine.coding import Coding
from dupfinder.index.design import TableDesign
from dupfinder.index.words import differs_within

_PATHS: Final = "paths"  # name of a file beside the tables


@dataclass(frozen=True, slots=True)
class IndexHits:
    """The fingerprints of an index near a query, each as often as it was indexed.

    fingerprints: uint64 (m,), by ascending (distance, fingerprint).
    distance:     uint8 (m,), bits.
    rows:         uint32 (m,), or None if the index has no row numbers.
    """

    fingerprints: NDArray[np.uint64]
    distance: NDArray[np.uint8]
    rows: NDArray[np.uint32] | None


def write_index(
    folder: Path,
    fingerprints: NDArray[np.unsignedinteger],
    design: TableDesign,
    *,
    coding: Coding = Coding.XOR,
    keep_rows: bool = False,
    paths: Sequence[str] | None = None,
    reporter: Reporter | None = None,
) -> list[TableFacts]:
    """Write all tables of `design` into a new folder, which appears when the last table is written.

    paths: one for each row, stored beside the tables; they need `keep_rows`.
    Raises IndexFileError when the folder exists, DiskFullError, OSError, Stopped, and ValueError as `write_table`.
    """
    reporter = reporter or Silent()
    if folder.exists():
        raise IndexFileError(folder, Fault.EXISTS)
    beside = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    facts = []
    try:
        beside.mkdir()
        for number in range(len(design.tables)):
            reporter.check()
            reporter.tell(Progress(Stage.WRITE, number, len(design.tables)))
            path = beside / _name(number)
            facts.append(write_table(path, fingerprints, design, number, coding=coding, keep_rows=keep_rows))
        if paths is not None:
            names = b"".join(os.fsencode(path) + b"\0" for path in paths)
            (beside / _PATHS).write_bytes(zlib.crc32(names).to_bytes(4, "little") + names)
        os.rename(beside, folder)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(folder) from error
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return facts


def _name(number: int) -> str:
    """Return the file name of a table."""
    return f"table-{number:05}.dft"


class CompressedIndex:
    """All tables of a folder, open for queries. A context manager."""

    def __init__(self, folder: Path, *, verify: bool = True) -> None:
        """Open the tables. Raises IndexFileError when one is missing, belongs to another index, or is unusable."""
        first = folder / _name(0)
        if not first.exists():
            raise IndexFileError(folder, Fault.NOT_AN_INDEX)
        with ExitStack() as stack:
            tables = [stack.enter_context(CompressedTable(first, verify=verify))]
            wanted = tables[0].facts
            for number in range(1, wanted.tables):
                table = stack.enter_context(CompressedTable(folder / _name(number), verify=verify))
                if _shared_facts(table.facts) != _shared_facts(wanted) or table.facts.number != number:
                    raise IndexFileError(table.path, Fault.OTHER_INDEX)
                tables.append(table)
            self._stack = stack.pop_all()
        self.folder = folder
        self.tables = tuple(tables)
        self.design = tables[0].design
        self.facts = wanted

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        self._stack.close()

    def paths(self) -> list[str] | None:
        """Return the paths of the rows; None if the index does not store them. Raises IndexFileError."""
        path = self.folder / _PATHS
        if not path.exists() or not self.facts.row_bytes:
            return None
        data = path.read_bytes()
        names = data[4:].split(b"\0")[:-1]
        if zlib.crc32(data[4:]) != int.from_bytes(data[:4], "little") or len(names) != self.facts.keys:
            raise IndexFileError(path, Fault.DAMAGED_CONTENT)
        return [os.fsdecode(name) for name in names]

    def query(self, fingerprint: int, radius: int | None = None) -> IndexHits:
        """Return all fingerprints within `radius` bits (None: the design's) of one fingerprint."""
        fingerprints, distances, rows = [], [], []
        for table, layout in zip(self.tables, self.design.tables, strict=True):
            hits = table.query(fingerprint, radius)
            fresh = np.ones(len(hits.positions), np.bool_)
            for mask in layout.earlier:
                fresh &= differs_within([hits.fingerprints ^ np.uint64(fingerprint)], mask, self.design.bits)
            fingerprints.append(hits.fingerprints[fresh])
            distances.append(hits.distance[fresh])
            if self.facts.row_bytes:
                rows.append(table.rows(hits.positions[fresh]))
        near, distance = np.concatenate(fingerprints), np.concatenate(distances)
        order = np.lexsort((near, distance))
        return IndexHits(near[order], distance[order], np.concatenate(rows)[order] if rows else None)


def _shared_facts(facts: TableFacts) -> tuple[object, ...]:
    """Return the facts that all tables of an index have in common."""
    return (facts.bits, facts.design, facts.radius, facts.tables, facts.coding, facts.keys, facts.row_bytes)
