"""LibraryFile: what was read of each state of a file, and the results of each scan."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, starts_of
from dupfinder.base.details import ProblemKind
from dupfinder.base.errors import LibraryDamaged, LibraryError, LibraryMissing, LibraryPart
from dupfinder.base.files import Closable
from dupfinder.base.output import refuse_document
from dupfinder.base.paths import default_library
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.clustering import CLUSTERING_REVISION, Clusters
from dupfinder.cluster.forms import CONTENT, FieldContents
from dupfinder.cluster.relation import Evidence
from dupfinder.fingerprint.tokens import Trace, in_a_row
from dupfinder.index.pairs import Pairs
from dupfinder.library import seals, segments, store
from dupfinder.library.columns import (
    OTHER_COLUMNS,
    document_columns,
    load_documents,
    load_every_document,
    load_sketches,
    stored_documents,
)
from dupfinder.library.rows import READ, DocumentRow, Documents, FileHashes, ScanResult, ScanSummary
from dupfinder.library.seals import intact_sql, verified
from dupfinder.library.stored import (
    SKETCH_TYPES,
    SketchKind,
    clean,
    copy_document,
    document_values,
    sketches_of,
    store_sketches,
)

_SCAN_FIELDS = ", ".join(field.name for field in fields(ScanSummary))
_TEMPORARY = (ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE)
_NOT_TEMPORARY = f"status NOT IN ({','.join('?' * len(_TEMPORARY))})"
_DELETE_UNUSED = "DELETE FROM document WHERE NOT EXISTS (SELECT 1 FROM scan_document WHERE document = document.id)"
_SKETCHES_AT_ONCE = 500  # documents whose sketches are loaded together; they stay in the processor's cache
_MOST_SCANS = 20  # finished scans of the same folders; older ones, and documents in no other scan, are deleted


@dataclass(frozen=True, slots=True)
class EarlierReading:
    """An earlier reading of a file, or of a member of an archive.

    id:           its number in the library.
    key:          the key of its stamp.
    members:      number of members of an archive that was read; None for other files.
    revision:     the revision of readers and scheme under which it was read; "" for a member that a request excluded.
    content_hash: of its bytes; empty where they were not read.
    detail:       as `base.details.stored` makes it.
    """

    id: int
    key: tuple[int, int, int, int, int]
    status: str
    media: str
    members: int | None = None
    revision: str = ""
    content_hash: bytes = b""
    detail: str = ""


_OF_CLUSTERS: Final = "clusters."  # begins the names of the columns of clusters
_KNOWN_FIELDS: Final = (
    "id, path, archive, device, inode, size, mtime_ns, ctime_ns, status, media, members, revision, content_hash, detail"
)


class LibraryFile(Closable):
    """The SQLite file of a library. A context manager; a connection may be used only in the thread that opened it.

    Opening for writing locks it (LibraryLocked, with the process that holds it); reading needs no lock. A damaged
    library that is opened for writing is renamed and a new one begun; `put_aside` is then its new path. Raises
    NotALibrary for another kind of file, unless `force` allows to rename it likewise.
    """

    def __init__(self, path: Path, *, write: bool = False, force: bool = False) -> None:
        store.check_library(path, write=write, force=force)
        self.path = path
        self.put_aside: Path | None = None
        self._lock = store.WriteLock(path) if write else None
        if self._lock is not None:
            with store.faults(path):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._lock.take()
        try:
            self._connection = self._connected(write)
        except BaseException:  # also a stop: the lock must not outlive the attempt
            if self._lock is not None:
                self._lock.release()
            raise

    def _connected(self, write: bool) -> sqlite3.Connection:
        """Connect, and for writing replace a damaged library by a new one."""
        try:
            return store.connect(self.path, write=write)
        except LibraryDamaged:
            if not write:
                raise
            self.put_aside = store.put_aside(self.path)
            return store.connect(self.path, write=True)

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def known(self, revision: str) -> dict[bytes, EarlierReading]:
        """Map path bytes to the newest reading under this revision of readers and scheme.

        Files with problems that may end without a change of the file's stamp are left out, so that they are read again.
        """
        return {path: known for path, _, known in self._known("AND archive IS NULL AND revision = ?", "id", revision)}

    def known_members(self) -> dict[int, dict[bytes, EarlierReading]]:
        """Map the number of an archive to its members: path bytes to the newest reading.

        A member that a request excluded, so that it was never read, has revision "". Temporary problems are left out.
        """
        members: dict[int, dict[bytes, EarlierReading]] = {}
        order = "revision != '', id"  # the newest reading comes last, and stays
        for path, archive, known in self._known("AND archive IS NOT NULL", order):
            members.setdefault(archive, {})[path] = known
        return members

    def _known(self, condition: str, order: str, *values: str) -> Iterator[tuple[bytes, int, EarlierReading]]:
        """Yield (path bytes, number of the archive, reading) where an SQL condition (AND ...) is fulfilled."""
        with store.reading_faults(self.path):
            query = (
                f"SELECT {_KNOWN_FIELDS}, {intact_sql(self._connection, 'document')} FROM document"
                f" WHERE {_NOT_TEMPORARY} {condition} ORDER BY {order}"
            )
            rows = verified(self._connection.execute(query, (*_TEMPORARY, *values)), "document")
            for number, path, archive, *facts in rows:
                yield path, archive, EarlierReading(number, tuple(facts[:5]), *facts[5:])

    def begin_scan(self, summary: ScanSummary, revision: str) -> int:
        """Store a new scan in state "unfinished", and return its number."""
        roots = json.dumps([[os.fsencode(path).hex(), role] for path, role in summary.roots])
        values: dict[str, object] = {
            "name": clean(summary.name),
            "roots": roots,
            "revision": revision,
            "scheme": summary.scheme,
            "started": summary.started.isoformat(),
            "state": "unfinished",
            "radius": summary.radius,
            "min_similarity": summary.min_similarity,
            "min_containment": summary.min_containment,
        }
        values |= dict.fromkeys(("seconds", "offered", "read", "reused", "clusters", "widest_radius"), 0)
        marks = ", ".join(f":{name}" for name in values)
        with store.faults(self.path):
            cursor = self._connection.execute(f"INSERT INTO scan ({', '.join(values)}) VALUES ({marks})", values)
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, scan: int, revision: str, rows: Sequence[tuple[DocumentRow, bool]]) -> list[int]:
        """Store (document, whether protected): all, or none on an error. Return their numbers. Raises DiskFullError."""
        with store.faults(self.path), store.transaction(self._connection):
            newest = self._connection.execute("SELECT coalesce(max(id), 0) FROM document").fetchone()[0]
            numbers = list(range(newest + 1, newest + 1 + len(rows)))
            numbered = list(zip(numbers, rows, strict=True))
            values = [document_values(row, revision) | {"id": number} for number, (row, _) in numbered]
            seals.insert(self._connection, "document", values)
            self._add_to_scan(scan, zip(numbers, (protected for _, protected in rows), strict=True))
            for number, (row, _) in numbered:
                if row.text_print is not None and len(row.text_print.sketch):
                    store_sketches(self._connection, number, sketches_of(row.text_print))
        return numbers

    def reuse(self, scan: int, documents: Iterable[tuple[int, bool]]) -> None:
        """Add earlier readings to a scan, as (number, protected)."""
        with store.faults(self.path), store.transaction(self._connection):
            self._add_to_scan(scan, documents)

    def reuse_by_bytes(self, scan: int, documents: Iterable[tuple[int, FileStamp, bool]]) -> None:
        """Add new files with bytes that were read before, as (number of the earlier reading, stamp, protected)."""
        with store.reading_faults(self.path), store.transaction(self._connection):
            for number, stamp, protected in documents:
                self._add_to_scan(scan, [(copy_document(self._connection, number, stamp), protected)])

    def _add_to_scan(self, scan: int, documents: Iterable[tuple[int, bool]]) -> None:
        rows = ({"scan": scan, "document": number, "protected": protected} for number, protected in documents)
        seals.insert(self._connection, "scan_document", rows)

    def file_hashes(self) -> FileHashes:
        """Load the hashes of all files that are known by their stamps."""
        with store.reading_faults(self.path):
            query = f"SELECT scan, data, {intact_sql(self._connection, 'file_hash')} FROM file_hash ORDER BY scan, part"
            rows = verified(self._connection.execute(query), "scan")
            return FileHashes.unpacked([data for _, data in rows])

    def store_hashes(self, scan: int, hashes: FileHashes, *, replace: bool) -> None:
        """Store hashes of a scan's files. replace: delete earlier hashes of all scans of the same folders."""
        roots = "SELECT roots FROM scan WHERE id = ?"
        with store.faults(self.path), store.transaction(self._connection):
            if replace:
                query = f"DELETE FROM file_hash WHERE scan IN (SELECT id FROM scan WHERE roots = ({roots}))"
                self._connection.execute(query, (scan,))
            query = "SELECT coalesce(max(part), 0) + 1 FROM file_hash WHERE scan = ?"
            part = self._connection.execute(query, (scan,)).fetchone()[0]
            seals.insert(self._connection, "file_hash", [{"scan": scan, "part": part, "data": hashes.packed()}])

    def documents(self, scan: int, known: Documents | None = None) -> Documents:
        """Return all files of a scan, sorted by path bytes. known: of another scan; these are not loaded again."""
        with store.reading_faults(self.path):
            return load_documents(self._connection, scan, known)

    def every_document(self, scheme: str) -> Documents:
        """Return the newest reading of every file in the finished scans of a scheme, sorted by path bytes."""
        with store.reading_faults(self.path):
            return load_every_document(self._connection, scheme)

    def sketches(self, documents: NDArray[np.int64], kind: SketchKind = SketchKind.SMALLEST) -> Ragged:
        """Return one kind of sketch of documents, given by their numbers, in the given order.

        SMALLEST: uint32, the upper halves of shingle hashes, ascending in each document. TRACE: uint16.
        """
        return Ragged.joined([Ragged.of_entries([], SKETCH_TYPES[kind]), *self.sketch_portions(documents, kind)])

    def sketch_portions(self, documents: NDArray[np.int64], kind: SketchKind) -> Iterator[Ragged]:
        """Yield what `sketches` returns, in portions of some hundreds of documents."""
        dtype = SKETCH_TYPES[kind]
        for start in range(0, len(documents), _SKETCHES_AT_ONCE):
            with store.reading_faults(self.path):
                blobs = load_sketches(self._connection, documents[start : start + _SKETCHES_AT_ONCE], kind.value)
                lengths, unused = np.divmod([len(blob) for blob in blobs], dtype.itemsize)
                if unused.any():
                    raise ValueError(f"a sketch that is no {dtype} column")
            yield Ragged(np.frombuffer(b"".join(blobs), dtype=dtype), starts_of(lengths))

    def with_words(self, documents: NDArray[np.int64], codes: Trace) -> NDArray[np.bool_]:
        """Tell which documents, given by their numbers, have some words in a row: bool (n,).

        codes: of the words, by `fingerprint.tokens.trace_of`. Other words may have the same codes: about one in ten
        thousand documents without two given words in a row is reported to have them, and fewer with more words.
        """
        have_words = [np.empty(0, np.bool_)]
        for texts in self.sketch_portions(documents, SketchKind.TRACE):
            starts = in_a_row(texts.values, codes)
            ends = texts.starts[np.searchsorted(texts.starts, starts, side="right")]
            have_words.append(texts.counts(starts[starts + len(codes) <= ends]) > 0)
        return np.concatenate(have_words)

    def finish_scan(self, result: ScanResult) -> None:
        """Store the results of a scan and set its state to "done"; delete the oldest scans of the same folders."""
        summary = result.summary
        with store.faults(self.path), store.transaction(self._connection):
            segments.store_columns(self._connection, summary.id, _columns(result))
            self._connection.execute(
                "UPDATE scan SET seconds=?, state='done', offered=?, read=?, reused=?, clusters=?, widest_radius=?"
                " WHERE id=?",
                (
                    summary.seconds, summary.offered, summary.read, summary.reused, summary.clusters,
                    summary.widest_radius, summary.id,
                ),
            )  # fmt: skip
            self._drop_old(summary.id)
            segments.pack_others(self._connection, summary.id)
        self._remove_unused()

    def _drop_old(self, newest: int) -> None:
        """Delete old and unfinished scans of the same folders, and documents that are in no other scan."""
        same = self._connection.execute(
            "SELECT id, state FROM scan WHERE roots = (SELECT roots FROM scan WHERE id = ?) ORDER BY id DESC", (newest,)
        ).fetchall()
        done = [number for number, state in same if state == "done"]
        unfinished = [number for number, state in same if state != "done" and number < newest]
        for number in done[_MOST_SCANS:] + unfinished:
            self._connection.execute("DELETE FROM scan WHERE id = ?", (number,))
        self._connection.execute(_DELETE_UNUSED)

    def note_groups(self, scan: int, groups: int) -> None:
        """Store a corrected number of groups of a finished scan."""
        with store.faults(self.path), store.transaction(self._connection):
            self._connection.execute("UPDATE scan SET clusters = ? WHERE id = ? AND state = 'done'", (groups, scan))

    def delete_scan(self, scan: int) -> None:
        """Delete a scan, and documents that are in no other scan."""
        with store.faults(self.path), store.transaction(self._connection):
            self._connection.execute("DELETE FROM scan WHERE id = ?", (scan,))
            self._connection.execute(_DELETE_UNUSED)
        self._remove_unused()

    def _remove_unused(self) -> None:
        with store.faults(self.path):
            segments.remove_unused(self._connection)

    def scans(self) -> list[ScanSummary]:
        """Return all scans, newest first."""
        with store.reading_faults(self.path):
            query = f"SELECT {_SCAN_FIELDS}, {intact_sql(self._connection, 'scan')} FROM scan ORDER BY id DESC"
            return [_summary(row) for row in verified(self._connection.execute(query), "scan")]

    def stored_so_far(self, scan: int) -> int:
        """Count the files that an unfinished scan has stored, read or not."""
        with store.faults(self.path):
            query = "SELECT count(*) FROM scan_document WHERE scan = ?"
            return int(self._connection.execute(query, (scan,)).fetchone()[0])

    def summary(self, scan: int | None = None) -> ScanSummary:
        """Return the summary of a finished scan, by default of the newest. Raises LibraryMissing."""
        chosen = [summary for summary in self.scans() if summary.state == "done" and scan in (None, summary.id)]
        if not chosen:
            raise LibraryMissing(self.path)
        return chosen[0]

    def every_path(self) -> Iterator[Path]:
        """Yield the paths of the documents of all scans."""
        with store.reading_faults(self.path):
            for (path,) in self._connection.execute("SELECT DISTINCT path FROM document"):
                yield Path(os.fsdecode(path))

    def result(self, scan: int | None = None) -> ScanResult:
        """Return the results of a finished scan, by default of the newest. Raises LibraryMissing."""
        summary = self.summary(scan)
        with store.reading_faults(self.path):
            columns = segments.load_columns(self._connection, summary.id, OTHER_COLUMNS)
            documents = stored_documents(self._connection, summary.id, summary.offered)
            return ScanResult(
                summary,
                self.documents(summary.id) if documents is None else documents,
                Pairs(columns["left"], columns["right"], columns["distance"]),
                Evidence(**{field.name: columns[field.name] for field in fields(Evidence)}),
                columns["rejected"],
                int(columns["revision"][0]) if "revision" in columns else 0,
                columns.get("frequent", np.empty(0, np.uint32)),
                _contents(columns),
                _clusters(columns),
                columns.get("grouped", np.empty(0, np.int64)),
                columns.get("hubs", np.empty(0, np.int64)),
                self.path,
            )

    def has_forms(self, scan: int) -> bool:
        """Tell whether a finished scan found filled-in forms."""
        with store.reading_faults(self.path):
            columns = segments.load_columns(self._connection, scan, "name = 'form'")
            return any(bool(column.any()) for column in columns.values())

    def counts(self) -> dict[str, int]:
        """Return how much the library holds: {"documents": that were read, "scans": ..., "bytes": of its files}."""
        query = "SELECT (SELECT count(*) FROM document WHERE status = ?), (SELECT count(*) FROM scan)"
        with store.faults(self.path):
            documents, scans = self._connection.execute(query, (READ,)).fetchone()
        return {"documents": documents, "scans": scans, "bytes": store.size_on_disk(self.path)}

    def scan_files(self) -> dict[int, Path]:
        """Return the path of the file with the columns of each finished scan, by the scan's number."""
        with store.reading_faults(self.path):
            return segments.of_scans(self._connection)

    def check(self) -> list[LibraryPart]:
        """List what is damaged, as `store.damaged_parts` does; empty for an undamaged library."""
        with store.faults(self.path):
            return store.damaged_parts(self._connection)


def refuse_scanned(path: Path, library: Path | None = None) -> None:
    """Raise InputError when an output file would replace a document of any scan in the usual library, or in `library`.

    A damaged library is skipped: its documents are not known, and a scan may be about to put it aside.
    """
    if not os.path.lexists(path):
        return
    usual = default_library()
    for library_path in dict.fromkeys((usual, library or usual)):
        with suppress(LibraryError):
            if store.is_there(library_path):
                with LibraryFile(library_path) as opened:
                    refuse_document(path, opened.every_path())


def _columns(result: ScanResult) -> dict[str, NDArray[Any]]:
    """Return results as they are stored, clusters with the revision of the rules by which they were formed."""
    pairs, contents, clusters = result.pairs, result.contents, result.clusters
    columns: dict[str, NDArray[Any]] = {
        "left": pairs.left,
        "right": pairs.right,
        "distance": pairs.distance,
        "rejected": result.rejected,
        "revision": np.array([result.revision], np.int64),
        "frequent": result.frequent,
        "grouped": result.grouped,
        "hubs": result.hubs,
        "contents": contents.values.view(np.uint8),
        "contents.starts": contents.starts,
        "contents.pairs": contents.pairs,
    }
    columns |= {field.name: getattr(result.evidence, field.name) for field in fields(Evidence)}
    if clusters is not None:
        columns |= {_OF_CLUSTERS + field.name: getattr(clusters, field.name) for field in fields(Clusters)}
        columns[_OF_CLUSTERS + "rules"] = np.array([CLUSTERING_REVISION], np.int64)
    return columns | document_columns(result.documents)


def _contents(columns: Mapping[str, NDArray[Any]]) -> FieldContents:
    """Return the stored contents; none if they are not stored."""
    if "contents" not in columns:
        return FieldContents.none()
    values, starts, pairs = (columns[name] for name in ("contents", "contents.starts", "contents.pairs"))
    return FieldContents(values.view(CONTENT), starts, pairs).checked()


def _clusters(columns: Mapping[str, NDArray[Any]]) -> Clusters | None:
    """Return the stored clusters; None if they are not stored, were formed by other rules, or have other columns."""
    names = [field.name for field in fields(Clusters)]
    if any(_OF_CLUSTERS + name not in columns for name in ("rules", *names)):
        return None
    if int(columns[_OF_CLUSTERS + "rules"][0]) != CLUSTERING_REVISION:
        return None
    return Clusters(**{name: columns[_OF_CLUSTERS + name] for name in names})


def _summary(row: tuple[Any, ...]) -> ScanSummary:
    number, name, roots, started, *rest = row
    pairs = ((Path(os.fsdecode(bytes.fromhex(path))), str(role)) for path, role in json.loads(roots))
    return ScanSummary(number, name, tuple(pairs), datetime.fromisoformat(started).astimezone(UTC), *rest)
