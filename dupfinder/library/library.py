"""Library: what was read of which file version, and what each scan found."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import LibraryDamaged, LibraryMissing
from dupfinder.base.problems import ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Evidence
from dupfinder.index.pairs import Pairs
from dupfinder.library import store
from dupfinder.library.columns import (
    kept_documents,
    load_columns,
    load_documents,
    load_every_document,
    load_sketches,
    pack,
    pack_documents,
)
from dupfinder.library.place import check_library
from dupfinder.library.repair import complaints
from dupfinder.library.rows import DocumentRow, Documents, ScanResult, ScanSummary, stored_path
from dupfinder.library.seals import seal, verified, whole

_SCAN_FIELDS = (
    "id, name, roots, started, seconds, state, offered, read, clusters, radius, min_similarity, min_containment, "
    "widest_radius, scheme, reused"
)
_PASSING = (ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE)
_LASTING = f"status NOT IN ({','.join('?' * len(_PASSING))})"
_DELETE_UNUSED = "DELETE FROM document WHERE NOT EXISTS (SELECT 1 FROM scan_document WHERE document = document.id)"
_TAKE_IN = "INSERT OR REPLACE INTO scan_document (scan, document, protected) VALUES (?,?,?)"
_KEPT_SCANS = 20  # finished scans of the same folders that stay; older ones and what only they knew are dropped


@dataclass(frozen=True, slots=True)
class Known:
    """A version that was read before: its number in the library and the stamp it had.

    members: how many members it has, of an archive that was looked into; None for anything else. revision: under which
    it was read.
    """

    id: int
    key: tuple[int, int, int, int, int]
    status: str
    media: str
    members: int | None = None
    revision: str = ""


@dataclass(frozen=True, slots=True)
class KnownMember:
    """A member of an archive as it was accounted for. revision: under which it was read; that of another request's
    refusal is none."""

    id: int
    revision: str
    size: int
    status: str
    detail: str
    media: str


class Sketch(StrEnum):
    """What is kept of each text: MIN_s of its shingles, and the trace of its words."""

    SMALLEST = "smallest"
    TRACE = "trace"


_SKETCH_TYPES: Mapping[Sketch, np.dtype[Any]] = {
    Sketch.SMALLEST: np.dtype(np.uint32),
    Sketch.TRACE: np.dtype(np.uint16),
}


@dataclass(frozen=True, slots=True)
class Sketches:
    """One kind of sketch of some documents, ragged: document i has values[starts[i]:starts[i + 1]].

    values: (total,): uint32 of SMALLEST, the upper halves, ascending in each document; uint16 of TRACE.
    starts: int64 (n + 1,).
    """

    values: NDArray[np.unsignedinteger[Any]]
    starts: NDArray[np.int64]


class Library:
    """The SQLite library. A connection belongs to the thread that opened it. Use as a `with` block.

    Opening for writing takes the hold on it (LibraryLocked, with the holder); reading needs none. A damaged library
    opened for writing is put aside and begun anew; `put_aside` says where it went. NotALibrary for a file that is none,
    unless `force` says that it may be put aside as well.
    """

    def __init__(self, path: Path, *, write: bool, force: bool = False) -> None:
        check_library(path, write=write, force=force)
        self.path = path
        self.put_aside: Path | None = None
        self._hold = store.Hold(path) if write else None
        if self._hold is not None:
            with store.faults(path):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._hold.take()
        try:
            self._connection = self._connected(write)
        except BaseException:
            if self._hold is not None:
                self._hold.release()
            raise

    def _connected(self, write: bool) -> sqlite3.Connection:
        try:
            return store.connect(self.path, write=write)
        except LibraryDamaged:
            if not write:
                raise
            self.put_aside = store.put_aside(self.path)
            return store.connect(self.path, write=True)

    @classmethod
    def open(cls, path: Path, *, write: bool = False, force: bool = False) -> Library:
        """Open a library; see the class for what may be raised."""
        return cls(path, write=write, force=force)

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close, and give the hold back."""
        self._connection.close()
        if self._hold is not None:
            self._hold.release()

    def known(self, revision: str) -> dict[bytes, Known]:
        """Path bytes -> the newest version read under this revision of readers and scheme.

        Troubles that may have passed without a trace in the file's stamp do not count: such a file is tried again.
        """
        with store.reading(self.path):
            query = (
                "SELECT id, path, device, inode, size, mtime_ns, ctime_ns, status, media, members, revision, "
                f"{whole(self._connection, 'document')} FROM document"
                f" WHERE archive IS NULL AND revision = ? AND {_LASTING} ORDER BY id"
            )
            rows = verified(self._connection.execute(query, (revision, *_PASSING)), "document {}")
            return {path: Known(number, tuple(facts[:5]), *facts[5:]) for number, path, *facts in rows}

    def known_members(self) -> dict[int, dict[bytes, KnownMember]]:
        """Number of an archive -> path bytes -> the newest account of that member, one that was read before one that
        a request left out (whose revision is ""). Passing troubles do not count."""
        found: dict[int, dict[bytes, KnownMember]] = {}
        with store.reading(self.path):
            query = (
                "SELECT id, archive, path, revision, size, status, detail, media, "
                f"{whole(self._connection, 'document')} FROM document"
                f" WHERE archive IS NOT NULL AND {_LASTING} ORDER BY revision != '', id"
            )
            for number, archive, path, *facts in verified(self._connection.execute(query, _PASSING), "document {}"):
                found.setdefault(archive, {})[path] = KnownMember(number, *facts)
        return found

    def begin_scan(self, summary: ScanSummary, revision: str) -> int:
        """A new scan in state "unfinished"; its number."""
        roots = json.dumps([[stored_path(path).hex(), role] for path, role in summary.roots])
        values: dict[str, object] = {
            "name": _clean(summary.name),
            "roots": roots,
            "revision": revision,
            "scheme": summary.scheme,
            "started": summary.started.isoformat(),
            "state": "unfinished",
            "radius": summary.radius,
            "min_similarity": summary.min_similarity,
            "min_containment": summary.min_containment,
        }
        for later in ("seconds", "offered", "read", "reused", "clusters", "widest_radius"):
            values[later] = 0
        with store.faults(self.path):
            return self._insert_into("scan", values)

    def add(self, scan: int, revision: str, rows: Sequence[tuple[DocumentRow, bool]]) -> list[int]:
        """Store newly read documents, each with whether it is protected, in one transaction; their numbers.
        DiskFullError."""
        numbers = []
        with store.faults(self.path), self._transaction():
            for row, protected in rows:
                document = self._insert(row, revision)
                numbers.append(document)
                self._connection.execute(_TAKE_IN, (scan, document, protected))
        return numbers

    def reuse(self, scan: int, documents: Iterable[tuple[int, bool]]) -> None:
        """Take versions that are known already into a scan, as (number, protected)."""
        with store.faults(self.path), self._transaction():
            self._connection.executemany(_TAKE_IN, ((scan, document, protected) for document, protected in documents))

    def _insert(self, row: DocumentRow, revision: str) -> int:
        stamp, found = row.stamp, row.text_print
        values: dict[str, object] = {
            "path": stored_path(stamp.path),
            "size": stamp.size,
            "mtime_ns": _signed(stamp.mtime_ns),
            "ctime_ns": _signed(stamp.ctime_ns),
            "device": _signed(stamp.device),
            "inode": _signed(stamp.inode),
            "revision": revision,
            "status": row.status,
            "detail": _clean(row.detail),
            "media": row.media,
            "reader": row.reader,
            "title": _clean(row.title),
            "author": _clean(row.author),
            "pages": row.pages,
            "inside_date": row.inside_date,
            "content_hash": row.content_hash,
            "partial": row.partial,
            "archive": row.archive,
            "members": row.members,
            "other": row.other,
            "seconds": row.seconds,
            "words": None if found is None else found.words,
            "language": "" if found is None else found.language,
            "text_hash": b"" if found is None else found.text_hash,
            "fingerprint": 0 if found is None else _signed(found.fingerprint),
            "has_features": found is not None and found.has_features,
            "shingles": 0 if found is None else found.shingles,
        }
        number = self._insert_into("document", values)
        if found is not None and len(found.sketch):
            # The upper half of a value keeps the order and tells shingles apart as well, at half the room.
            blobs = {
                Sketch.SMALLEST: _upper_halves(found.sketch),
                Sketch.TRACE: found.trace.tobytes(),
            }
            sketches: dict[str, object] = {name: seal(blob, number, name) for name, blob in blobs.items()}
            sketches["document"] = number
            self._insert_into("sketch", sketches)
        return number

    def _insert_into(self, table: str, values: Mapping[str, object]) -> int:
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        cursor = self._connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def documents(self, scan: int) -> Documents:
        """The columns of all files of a scan, sorted by path bytes."""
        with store.reading(self.path):
            return load_documents(self._connection, scan)

    def every_document(self, scheme: str) -> Documents:
        """The newest version of every file that finished scans of a scheme found, sorted by path bytes."""
        with store.reading(self.path):
            return load_every_document(self._connection, scheme)

    def sketches(self, documents: NDArray[np.int64], kind: Sketch = Sketch.SMALLEST) -> Sketches:
        """One kind of sketch of documents by their library numbers, in the given order."""
        column, dtype = kind.value, _SKETCH_TYPES[kind]
        with store.reading(self.path):
            blobs = load_sketches(self._connection, documents, column)
            if any(len(blob) % dtype.itemsize for blob in blobs):
                raise ValueError(f"a sketch that is no {dtype} column")
        starts = np.zeros(len(blobs) + 1, np.int64)
        np.cumsum([len(blob) // dtype.itemsize for blob in blobs], out=starts[1:])
        return Sketches(np.frombuffer(b"".join(blobs), dtype=dtype), starts)

    def finish_scan(
        self,
        summary: ScanSummary,
        pairs: Pairs,
        evidence: Evidence,
        rejected: NDArray[np.int64],
        revision: int = 0,
        documents: Documents | None = None,
    ) -> None:
        """Store what a scan found and mark it done; the oldest scans of the same folders are dropped. See ScanResult
        for the columns. documents: those of the scan, where they were loaded already."""
        columns: dict[str, NDArray[Any]] = {"left": pairs.left, "right": pairs.right, "distance": pairs.distance}
        columns |= {field.name: getattr(evidence, field.name) for field in fields(Evidence)}
        columns |= {"rejected": rejected, "revision": np.array([revision], np.int64)}
        with store.faults(self.path), self._transaction():
            blobs = {name: pack(column) for name, column in columns.items()}
            blobs |= pack_documents(load_documents(self._connection, summary.id) if documents is None else documents)
            rows = ((summary.id, name, blob) for name, blob in blobs.items())
            self._connection.executemany("INSERT OR REPLACE INTO scan_column (scan, name, data) VALUES (?,?,?)", rows)
            self._connection.execute(
                "UPDATE scan SET seconds=?, state='done', offered=?, read=?, reused=?, clusters=?, widest_radius=?"
                " WHERE id=?",
                (
                    summary.seconds, summary.offered, summary.read, summary.reused, summary.clusters,
                    summary.widest_radius, summary.id,
                ),
            )  # fmt: skip
            self._drop_old(summary.id)

    def _drop_old(self, newest: int) -> None:
        same = self._connection.execute(
            "SELECT id, state FROM scan WHERE roots = (SELECT roots FROM scan WHERE id = ?) ORDER BY id DESC", (newest,)
        ).fetchall()
        done = [number for number, state in same if state == "done"]
        unfinished = [number for number, state in same if state != "done" and number < newest]
        for number in done[_KEPT_SCANS:] + unfinished:
            self._connection.execute("DELETE FROM scan WHERE id = ?", (number,))
        self._connection.execute(_DELETE_UNUSED)

    def delete_scan(self, scan: int) -> None:
        """Forget a scan and what only it knew."""
        with store.faults(self.path), self._transaction():
            self._connection.execute("DELETE FROM scan WHERE id = ?", (scan,))
            self._connection.execute(_DELETE_UNUSED)

    def scans(self) -> list[ScanSummary]:
        """All scans, newest first."""
        with store.reading(self.path):
            query = f"SELECT {_SCAN_FIELDS}, {whole(self._connection, 'scan')} FROM scan ORDER BY id DESC"
            return [_summary(row) for row in verified(self._connection.execute(query), "scan {}")]

    def read_so_far(self, scan: int) -> int:
        """How many files an unfinished scan has accounted for."""
        return int(self._connection.execute("SELECT count(*) FROM scan_document WHERE scan = ?", (scan,)).fetchone()[0])

    def summary(self, scan: int | None = None) -> ScanSummary:
        """The line of a finished scan, the newest if none is named. LibraryMissing when there is none."""
        chosen = [s for s in self.scans() if s.state == "done" and scan in (None, s.id)]
        if not chosen:
            raise LibraryMissing(self.path)
        return chosen[0]

    def paths(self, documents: Sequence[int]) -> dict[int, Path]:
        """The paths of a few documents by their numbers."""
        with store.reading(self.path):
            fields = f"id, path, {whole(self._connection, 'document')}"
            query = f"SELECT {fields} FROM document WHERE id IN ({','.join('?' * len(documents))})"
            rows = verified(self._connection.execute(query, documents), "document {}")
            return {number: Path(os.fsdecode(path)) for number, path in rows}

    def result(self, scan: int | None = None) -> ScanResult:
        """A finished scan, the newest if none is named. LibraryMissing when there is none."""
        summary = self.summary(scan)
        with store.reading(self.path):
            columns = load_columns(self._connection, summary.id)
            documents = kept_documents(self._connection, summary.id, summary.offered)
            return ScanResult(
                summary,
                self.documents(summary.id) if documents is None else documents,
                Pairs(columns["left"], columns["right"], columns["distance"]),
                Evidence(**{field.name: columns[field.name] for field in fields(Evidence)}),
                columns["rejected"],
                int(columns["revision"][0]) if "revision" in columns else 0,
            )

    def counts(self) -> dict[str, int]:
        """Numbers for `library info`: documents, scans, bytes."""
        query = "SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM scan)"
        with store.faults(self.path):
            documents, scans = self._connection.execute(query).fetchone()
        size = sum(part.stat().st_size for part in self.path.parent.glob(self.path.name + "*") if part.is_file())
        return {"documents": documents, "scans": scans, "bytes": size}

    def check(self) -> list[str]:
        """What is wrong, as `repair.complaints` names it; empty when it is whole."""
        with store.faults(self.path):
            return complaints(self._connection)

    def _transaction(self) -> store.Transaction:
        return store.Transaction(self._connection)


def stamp_key(stamp: FileStamp) -> tuple[int, int, int, int, int]:
    """A stamp's key as the library stores it, with 64-bit numbers signed."""
    device, inode, size, mtime_ns, ctime_ns = stamp.key()
    return (_signed(device), _signed(inode), size, _signed(mtime_ns), _signed(ctime_ns))


def _upper_halves(values: NDArray[np.uint64]) -> bytes:
    return (values >> np.uint64(32)).astype(np.uint32).tobytes()


def _signed(value: int) -> int:
    """SQLite's integers are signed: the same 64 bits."""
    value &= 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >> 63 else value


def _clean(text: str) -> str:
    """Text that UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _summary(row: tuple[object, ...]) -> ScanSummary:
    number, name, roots, started, *rest = row
    pairs = ((Path(os.fsdecode(bytes.fromhex(path))), str(role)) for path, role in json.loads(str(roots)))
    moment = datetime.fromisoformat(str(started)).astimezone(UTC)
    return ScanSummary(int(str(number)), str(name), tuple(pairs), moment, *rest)  # type: ignore[arg-type]
