"""An index in a folder, as it is read: sorted runs, a list of removed rows, and a manifest that names them.

Nothing that the manifest names is ever changed; `growing` replaces the manifest in one step.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import positions_in
from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, IndexFileError
from dupfinder.base.files import Closable
from dupfinder.engine.blocks import CompressedTable, bit_order, key_range, unpermuted
from dupfinder.engine.coding import Coding
from dupfinder.engine.sorted_run import (
    PIECE_BLOCKS,
    Checksum,
    Run,
    positions_among,
    segment_name,
    side_name,
    stored_paths,
)
from dupfinder.index.design import mask_of, named_design

MANIFEST: Final = "manifest"
_HEAD: Final = b"dupfinder index "
_FORMAT: Final = 1
_MOST_OPEN: Final = 128  # files of tables open at a time; some systems allow a process 256 files

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class IndexMatches:
    """The fingerprints of an index near a query, each as often as it was added.

    fingerprints: uint64 (m,), by ascending (distance, fingerprint, row).
    distance:     uint8 (m,), bits.
    rows:         uint32 (m,).
    """

    fingerprints: NDArray[np.uint64]
    distance: NDArray[np.uint8]
    rows: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class IndexSummary:
    """What an index holds.

    bits: f. design, radius, coding: of its tables. made_by: how the fingerprints were made, "" if unknown.
    count: fingerprints. removed: rows that are removed, but not yet dropped from the files.
    runs: the fingerprints in each run, removed ones included. has_paths: whether rows have paths.
    file_bytes: size of all files.
    """

    bits: int
    design: str
    radius: int
    coding: Coding
    made_by: str
    count: int
    removed: int
    runs: tuple[int, ...]
    has_paths: bool
    file_bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that is in an index. next_row, next_number: of the next row added and of the next file written."""

    bits: int
    radius: int
    design: str
    coding: str
    made_by: str
    next_row: int = 0
    next_number: int = 0
    runs: tuple[Run, ...] = ()
    removed: Checksum | None = None
    removed_number: int = 0

    def files(self) -> dict[str, Checksum | None]:
        """Return the names of all files but the manifest, with size and checksum of those that are not tables."""
        files = {name: file for run in self.runs for name, file in run.files().items()}
        return files | ({removed_name(self.removed_number): self.removed} if self.removed else {})

    def packed(self) -> bytes:
        content = json.dumps(asdict(self), separators=(",", ":")).encode()
        return _HEAD + f"{_FORMAT} {zlib.crc32(content):08x}\n".encode() + content


def removed_name(number: int) -> str:
    """Return the name of a file of removed rows: uint32, ascending."""
    return f"removed-{number:06}"


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest. Raises IndexFileError."""
    path = folder / MANIFEST
    try:
        head, _, content = path.read_bytes().partition(b"\n")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexFileError(folder, Fault.NOT_AN_INDEX) from error
    except OSError as error:
        raise IndexFileError(path, Fault.UNREADABLE, reason=error_name(error)) from error
    version, _, check = head.removeprefix(_HEAD).partition(b" ")
    if not head.startswith(_HEAD) or not version.isdigit():
        raise IndexFileError(folder, Fault.NOT_AN_INDEX)
    if int(version) != _FORMAT:
        raise IndexFileError(path, Fault.OTHER_FORMAT, version=int(version), known=_FORMAT)
    if check != f"{zlib.crc32(content):08x}".encode():
        raise IndexFileError(path, Fault.DAMAGED_CONTENT)
    fields = json.loads(content)
    fields["runs"] = tuple(_run_of(run) for run in fields["runs"])
    fields["removed"] = _file_of(fields["removed"])
    return Manifest(**fields)


def _run_of(fields: dict[str, Any]) -> Run:
    segments = tuple(tuple((first, count) for first, count in table) for table in fields.pop("segments"))
    rows, ends, paths = (_file_of(fields.pop(name)) for name in ("rows", "ends", "paths"))
    assert rows is not None
    return Run(**fields, segments=segments, rows=rows, ends=ends, paths=paths)


def _file_of(fields: dict[str, int] | None) -> Checksum | None:
    return None if fields is None else Checksum(**fields)


class FolderReader(Closable):
    """An index in a folder, open for queries in one thread; a context manager. Every call sees the newest state."""

    def __init__(self, folder: Path) -> None:
        """Open an index. Only its manifest is read. Raises IndexFileError."""
        self.folder = folder
        self._open: dict[str, CompressedTable] = {}
        self._ranges: dict[int, NDArray[np.uint32]] = {}
        self._stamp: tuple[int, ...] = ()
        self._refresh()
        self.design = named_design(self._manifest.design, self._manifest.bits, self._manifest.radius)
        self._orders = [bit_order(self.design, number) for number in range(len(self.design.tables))]
        self._first_mask = np.uint64(mask_of(self.design.tables[0].prefix, self.design.bits))

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()

    def __len__(self) -> int:
        self._refresh()
        return self._count()

    def _count(self) -> int:
        return sum(run.count for run in self._manifest.runs) - len(self._removed)

    @property
    def made_by(self) -> str:
        """How the fingerprints were made; "" if unknown."""
        return self._manifest.made_by

    def query(self, fingerprint: int, radius: int | None = None) -> IndexMatches:
        """Return all fingerprints within `radius` bits (None: the design's) of one fingerprint.

        Raises ValueError for a radius or a fingerprint that the index does not support, IndexFileError.
        """
        within = self.design.radius_or(radius)
        self.design.check_query(fingerprint)
        return self._newest(lambda: self._query(fingerprint, within))

    def _query(self, fingerprint: int, radius: int) -> IndexMatches:
        hits = [(np.empty(0, np.uint64), np.empty(0, np.uint32))]
        for run in self._manifest.runs:
            hits += self._near(run, fingerprint, radius)
        fingerprints, rows = (np.concatenate(columns) for columns in zip(*hits, strict=True))
        is_present = ~positions_in(self._removed, rows)[1]
        fingerprints, rows = fingerprints[is_present], rows[is_present]
        distance = np.bitwise_count(fingerprints ^ np.uint64(fingerprint))
        order = np.lexsort((rows, fingerprints, distance))
        return IndexMatches(fingerprints[order], distance[order], rows[order])

    def _near(self, run: Run, fingerprint: int, radius: int) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint32]]]:
        """Yield the fingerprints of a run near a query, and their rows, which only table 0 has."""
        without_rows: set[int] = set()
        for number in range(len(self.design.tables)):
            for segment in self._segments(run, number, fingerprint, exactly=radius == 0):
                matches = segment.query(fingerprint, radius)
                if number == 0:
                    yield matches.fingerprints, segment.rows(matches.positions)
                else:
                    # Table 0 has yielded the matches that share its prefix with the query.
                    are_yielded = (matches.fingerprints ^ np.uint64(fingerprint)) & self._first_mask == 0
                    without_rows.update(matches.fingerprints[~are_yielded].tolist())
            if radius == 0:
                return
        for value in sorted(without_rows):
            for segment in self._segments(run, 0, value, exactly=True):
                matches = segment.query(value, 0)
                yield matches.fingerprints, segment.rows(matches.positions)

    def _segments(self, run: Run, number: int, fingerprint: int, *, exactly: bool) -> Iterator[CompressedTable]:
        """Yield the open segments of table `number` that may hold the fingerprint's prefix (exactly: all its bits)."""
        bits = self.design.bits
        prefix_bits = bits if exactly else self.design.tables[number].prefix_bits
        _, low, high = key_range(fingerprint, self._orders[number], bits, prefix_bits)
        segments = run.segments[number]
        for segment, (first, _) in enumerate(segments):
            if first > high:
                return
            if segment + 1 == len(segments) or segments[segment + 1][0] >= low:
                yield self._table(segment_name(run.number, number, segment))

    def _table(self, name: str) -> CompressedTable:
        """Return an open table; if many are open, the least recently used one is closed."""
        table = self._open.pop(name, None) or CompressedTable(self.folder / name, verify=False)
        self._open[name] = table
        if len(self._open) > _MOST_OPEN:
            self._open.pop(next(iter(self._open))).close()
        return table

    def fingerprints(self) -> tuple[NDArray[np.uint32], NDArray[np.unsignedinteger]]:
        """Return all rows, ascending, and their fingerprints: uint32 (n,), uint32 or uint64 (n,)."""
        return self._newest(self._fingerprints)

    def _fingerprints(self) -> tuple[NDArray[np.uint32], NDArray[np.unsignedinteger]]:
        parts = [(np.empty(0, np.uint32), np.empty(0, np.uint64))]
        for run in self._manifest.runs:
            for segment in range(len(run.segments[0])):
                for keys, rows in self._table(segment_name(run.number, 0, segment)).pieces(PIECE_BLOCKS):
                    is_present = ~positions_in(self._removed, rows)[1]
                    parts.append((rows[is_present], unpermuted(keys[is_present], self._orders[0], self.design.bits)))
        rows, values = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(rows)
        return rows[order], values[order].astype(np.uint32 if self.design.bits == 32 else np.uint64)

    def paths(self, rows: Iterable[int]) -> list[str]:
        """Return the path of each row, "" for a row without. Raises KeyError for a row that is not in the index."""
        numbers = np.array(list(rows), np.uint32)
        return self._newest(lambda: self._paths(numbers))

    def _paths(self, rows: NDArray[np.uint32]) -> list[str]:
        self._require(rows)
        paths = [""] * len(rows)
        for run in self._manifest.runs:
            chosen = np.flatnonzero((rows >= run.low) & (rows < run.high))
            if run.paths is None or not len(chosen):
                continue
            ends = np.memmap(self.folder / side_name(run.number, "ends"), "<i8", "r")
            with open(self.folder / side_name(run.number, "paths"), "rb") as stream:
                positions = positions_among(self._ranges_of(run), rows[chosen])
                for index, position in zip(chosen.tolist(), positions.tolist(), strict=True):
                    start = int(ends[position - 1]) if position else 0
                    stream.seek(start)
                    paths[index] = os.fsdecode(stream.read(int(ends[position]) - start - 1))
        return paths

    def _require(self, rows: NDArray[np.uint32]) -> None:
        """Raise KeyError for the first row that is not in the index."""
        present = np.zeros(len(rows), np.bool_)
        for run in self._manifest.runs:
            inside = (rows >= run.low) & (rows < run.high)
            if inside.any():
                present[inside] = positions_among(self._ranges_of(run), rows[inside]) >= 0
        present &= ~positions_in(self._removed, rows)[1]
        if not present.all():
            raise KeyError(int(rows[~present][0]))

    def contents(self) -> tuple[NDArray[np.uint32], NDArray[np.unsignedinteger], list[str] | None]:
        """Return all rows, ascending, their fingerprints and their paths; None if no row has a path."""
        return self._newest(lambda: (*self._fingerprints(), self._all_paths()))

    def _all_paths(self) -> list[str] | None:
        runs = self._manifest.runs
        if all(run.paths is None for run in runs):
            return None
        return [os.fsdecode(path) for paths in self._present_paths(runs) for path in paths]

    def rows_of(self, paths: Iterable[str]) -> dict[str, list[int]]:
        """Return the rows that have each of these paths. Reads all paths of the index."""
        encoded = {os.fsencode(path): path for path in paths if path}
        return self._newest(lambda: self._rows_of(encoded))

    def _rows_of(self, encoded: dict[bytes, str]) -> dict[str, list[int]]:
        rows_of: dict[str, list[int]] = {path: [] for path in encoded.values()}
        for run in self._manifest.runs:
            if run.paths is None or not encoded:
                continue
            for rows, paths in stored_paths(self.folder, run, self._ranges_of(run)):
                chosen = [position for position, path in enumerate(paths) if path in encoded]
                is_present = ~positions_in(self._removed, rows[chosen])[1]
                for position in compress(chosen, is_present.tolist()):
                    rows_of[encoded[paths[position]]].append(int(rows[position]))
        return rows_of

    def _present_paths(self, runs: Sequence[Run]) -> Iterator[list[bytes]]:
        """Yield the paths of the rows of some runs that are not removed, in batches."""
        for run in runs:
            for rows, paths in stored_paths(self.folder, run, self._ranges_of(run)):
                is_present = ~positions_in(self._removed, rows)[1]
                yield list(compress(paths, is_present.tolist()))

    def facts(self) -> IndexSummary:
        """Return what the index holds. Raises IndexFileError when a file is missing."""
        return self._newest(self._facts)

    def _facts(self) -> IndexSummary:
        manifest = self._manifest
        size = sum(self._size_of(name) for name in (MANIFEST, *manifest.files()))
        return IndexSummary(
            manifest.bits, manifest.design, manifest.radius, Coding(manifest.coding), manifest.made_by, self._count(),
            len(self._removed), tuple(run.count for run in manifest.runs),
            any(run.paths is not None for run in manifest.runs), size,
        )  # fmt: skip

    def _size_of(self, name: str) -> int:
        try:
            return (self.folder / name).stat().st_size
        except OSError as error:
            raise IndexFileError(self.folder / name, Fault.UNREADABLE, reason=error_name(error)) from error

    def verify(self) -> None:
        """Read all files and compare their checksums. Raises IndexFileError with the first that is damaged."""
        self._newest(self._verify)

    def _verify(self) -> None:
        for name, file in self._manifest.files().items():
            path = self.folder / name
            if file is None:
                CompressedTable(path).close()
                continue
            check = size = 0
            try:
                with open(path, "rb") as stream:
                    while piece := stream.read(1 << 24):
                        check, size = zlib.crc32(piece, check), size + len(piece)
            except OSError as error:
                raise IndexFileError(path, Fault.UNREADABLE, reason=error_name(error)) from error
            if (size, check) != (file.bytes, file.check):
                raise IndexFileError(path, Fault.DAMAGED_CONTENT)

    def _newest(self, work: Callable[[], _T]) -> _T:
        """Return the result of reading the newest state; read again if another process replaced it meanwhile."""
        while True:
            self._refresh()
            stamp = self._stamp
            try:
                return work()
            except (IndexFileError, OSError) as error:
                if _stamp_of(self.folder / MANIFEST) != stamp:
                    continue
                if isinstance(error, OSError):
                    raise IndexFileError(self.folder, Fault.UNREADABLE, reason=error_name(error)) from error
                raise

    def _refresh(self) -> None:
        """Read the manifest if it was replaced, and close files that it does not name any more."""
        stamp = _stamp_of(self.folder / MANIFEST)
        if stamp and stamp == self._stamp:
            return
        manifest = read_manifest(self.folder)
        removed = np.empty(0, np.uint32)
        if manifest.removed:
            path = self.folder / removed_name(manifest.removed_number)
            try:
                removed = np.fromfile(path, "<u4").astype(np.uint32)
            except OSError as error:
                if _stamp_of(self.folder / MANIFEST) != stamp:  # another process replaced the manifest
                    self._refresh()
                    return
                raise IndexFileError(path, Fault.UNREADABLE, reason=error_name(error)) from error
        self._manifest, self._removed, self._stamp = manifest, removed, stamp
        known = manifest.files()
        for name in [name for name in self._open if name not in known]:
            self._open.pop(name).close()
        numbers = {run.number for run in manifest.runs}
        self._ranges = {number: ranges for number, ranges in self._ranges.items() if number in numbers}

    def _ranges_of(self, run: Run) -> NDArray[np.uint32]:
        """Return the row ranges of a run: uint32 (m, 2)."""
        if run.number not in self._ranges:
            ranges = np.fromfile(self.folder / side_name(run.number, "rows"), "<u4").astype(np.uint32)
            self._ranges[run.number] = ranges.reshape(-1, 2)
        return self._ranges[run.number]


def _stamp_of(path: Path) -> tuple[int, ...]:
    """Return numbers that change when a file is replaced; none for a file that cannot be reached."""
    try:
        facts = path.stat()
    except OSError:
        return ()
    return facts.st_ino, facts.st_mtime_ns, facts.st_size
