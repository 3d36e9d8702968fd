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
from dupfinder.cluster.likeness import Likeness
from dupfinder.index.pairs import Pairs
from dupfinder.library import store
from dupfinder.library.boilerplate import Boilerplate
from dupfinder.library.columns import load_documents, pack, unpack
from dupfinder.library.rows import DocumentRow, Documents, ScanResult, ScanSummary, stored_path

_SCAN_FIELDS = (
    "id, name, roots, started, seconds, state, offered, read, clusters, radius, min_similarity, min_containment, "
    "widest_radius, scheme, reused"
)
_PASSING = (ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE)
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
    """The sketches that are kept: MIN_s of the shingles, MOD_m, MIN_s of the 2-shingles, and of the bag of words."""

    SMALLEST = "smallest"
    PARTS = "parts"
    NEIGHBOURS = "neighbours"
    BAG = "bag"


@dataclass(frozen=True, slots=True)
class Sketches:
    """Shingle sketches of some documents, ragged: document i has values[starts[i]:starts[i + 1]], ascending.

    values: uint64 (total,) of PARTS, uint32 (total,), the upper halves, of the others; starts: int64 (n + 1,).
    """

    values: NDArray[np.unsignedinteger[Any]]
    starts: NDArray[np.int64]


class Library:
    """The SQLite library. A connection belongs to the thread that opened it. Use as a `with` block.

    Opening for writing takes the hold on it (LibraryLocked, with the holder); reading needs none. A damaged library
    opened for writing is put aside and begun anew; `put_aside` says where it went.
    """

    def __init__(self, path: Path, *, write: bool) -> None:
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
    def open(cls, path: Path, *, write: bool = False) -> Library:
        """Open a library; see the class for what may be raised."""
        return cls(path, write=write)

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
        query = (
            "SELECT path, id, device, inode, size, mtime_ns, ctime_ns, status, media, members, revision FROM document"
            f" WHERE archive IS NULL AND revision = ? AND status NOT IN ({','.join('?' * len(_PASSING))}) ORDER BY id"
        )
        with store.reading(self.path):
            rows = self._connection.execute(query, (revision, *_PASSING))
            return {path: Known(number, tuple(facts[:5]), *facts[5:]) for path, number, *facts in rows}

    def known_members(self) -> dict[int, dict[bytes, KnownMember]]:
        """Number of an archive -> path bytes -> the newest account of that member, one that was read before one that
        a request left out (whose revision is ""). Passing troubles do not count."""
        query = (
            "SELECT archive, path, id, revision, size, status, detail, media FROM document"
            f" WHERE archive IS NOT NULL AND status NOT IN ({','.join('?' * len(_PASSING))})"
            " ORDER BY revision != '', id"
        )
        found: dict[int, dict[bytes, KnownMember]] = {}
        with store.reading(self.path):
            for archive, path, *facts in self._connection.execute(query, _PASSING):
                found.setdefault(archive, {})[path] = KnownMember(*facts)
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
                self._connection.execute(
                    "INSERT OR REPLACE INTO scan_document VALUES (?,?,?)", (scan, document, protected)
                )
        return numbers

    def reuse(self, scan: int, documents: Iterable[tuple[int, bool]]) -> None:
        """Take versions that are known already into a scan, as (number, protected)."""
        with store.faults(self.path), self._transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO scan_document VALUES (?,?,?)",
                ((scan, document, protected) for document, protected in documents),
            )

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
            "words": None if found is None else found.words,
            "language": "" if found is None else found.language,
            "text_hash": b"" if found is None else found.text_hash,
            "fingerprint": 0 if found is None else _signed(found.fingerprint),
            "has_features": found is not None and found.has_features,
            "shingles": 0 if found is None else found.shingles,
        }
        number = self._insert_into("document", values)
        if found is not None and len(found.sketch):
            # The upper half of a value keeps the order and tells shingles apart as well, at half the room. Only MOD_m
            # needs all of it: it is asked for by division.
            sketches: dict[str, object] = {
                "document": number,
                Sketch.PARTS: found.part_sketch.tobytes(),
                Sketch.SMALLEST: _upper_halves(found.sketch),
                Sketch.NEIGHBOURS: _upper_halves(found.neighbours),
                Sketch.BAG: _upper_halves(found.bag),
            }
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

    def sketches(self, documents: NDArray[np.int64], kind: Sketch = Sketch.SMALLEST) -> Sketches:
        """One kind of sketch of documents by their library numbers, in the given order."""
        column, dtype = kind.value, np.dtype(np.uint64 if kind is Sketch.PARTS else np.uint32)
        blobs: list[bytes] = []
        with store.reading(self.path):
            for start in range(0, len(documents), 10_000):
                some = [int(number) for number in documents[start : start + 10_000]]
                query = f"SELECT document, {column} FROM sketch WHERE document IN ({','.join('?' * len(some))})"
                found = dict(self._connection.execute(query, some))
                blobs.extend(found.get(number, b"") for number in some)
            if any(len(blob) % dtype.itemsize for blob in blobs):
                raise ValueError(f"a sketch that is no {dtype} column")
        starts = np.zeros(len(blobs) + 1, np.int64)
        np.cumsum([len(blob) // dtype.itemsize for blob in blobs], out=starts[1:])
        return Sketches(np.frombuffer(b"".join(blobs), dtype=dtype), starts)

    def finish_scan(self, summary: ScanSummary, pairs: Pairs, likeness: Likeness, strangers: NDArray[np.int64]) -> None:
        """Store what a scan found and mark it done; the oldest scans of the same folders are dropped."""
        columns: dict[str, NDArray[Any]] = {"left": pairs.left, "right": pairs.right, "distance": pairs.distance}
        columns |= {field.name: getattr(likeness, field.name) for field in fields(Likeness)}
        columns["strangers"] = strangers
        with store.faults(self.path), self._transaction():
            for name, column in columns.items():
                self._connection.execute(
                    "INSERT OR REPLACE INTO scan_column VALUES (?,?,?)", (summary.id, name, pack(column))
                )
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
        self._connection.execute(
            "DELETE FROM document WHERE NOT EXISTS (SELECT 1 FROM scan_document WHERE document = document.id)"
        )

    def delete_scan(self, scan: int) -> None:
        """Forget a scan and what only it knew."""
        with store.faults(self.path), self._transaction():
            self._connection.execute("DELETE FROM scan WHERE id = ?", (scan,))
            self._connection.execute(
                "DELETE FROM document WHERE NOT EXISTS (SELECT 1 FROM scan_document WHERE document = document.id)"
            )

    def scans(self) -> list[ScanSummary]:
        """All scans, newest first."""
        with store.reading(self.path):
            rows = self._connection.execute(f"SELECT {_SCAN_FIELDS} FROM scan ORDER BY id DESC").fetchall()
            return [_summary(row) for row in rows]

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
        query = f"SELECT id, path FROM document WHERE id IN ({','.join('?' * len(documents))})"
        with store.reading(self.path):
            return {number: Path(os.fsdecode(path)) for number, path in self._connection.execute(query, documents)}

    def result(self, scan: int | None = None) -> ScanResult:
        """A finished scan, the newest if none is named. LibraryMissing when there is none."""
        summary = self.summary(scan)
        with store.reading(self.path):
            stored = dict(self._connection.execute("SELECT name, data FROM scan_column WHERE scan = ?", (summary.id,)))
            columns = {name: unpack(data) for name, data in stored.items()}
        return ScanResult(
            summary,
            self.documents(summary.id),
            Pairs(columns["left"], columns["right"], columns["distance"]),
            Likeness(**{field.name: columns[field.name] for field in fields(Likeness)}),
            columns["strangers"],
            self.boilerplate.left_out(summary.id),
        )

    def counts(self) -> dict[str, int]:
        """Numbers for `library info`: documents, scans, bytes."""
        with store.faults(self.path):
            documents = self._connection.execute("SELECT count(*) FROM document").fetchone()[0]
            scans = self._connection.execute("SELECT count(*) FROM scan").fetchone()[0]
        size = sum(part.stat().st_size for part in self.path.parent.glob(self.path.name + "*") if part.is_file())
        return {"documents": documents, "scans": scans, "bytes": size}

    def check(self) -> list[str]:
        """What is wrong with the file, in SQLite's words; empty when it is whole."""
        with store.faults(self.path):
            rows = self._connection.execute("PRAGMA integrity_check(10)").fetchall()
        return [str(row[0]) for row in rows if row[0] != "ok"]

    @property
    def boilerplate(self) -> Boilerplate:
        """What is known of passages that stand in many files."""
        return Boilerplate(self.path, self._connection)

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
