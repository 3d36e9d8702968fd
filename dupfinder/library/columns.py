"""The documents of a scan as columns, loaded from their rows, or from the columns stored with a finished scan."""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum, auto
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged
from dupfinder.base.details import ProblemKind
from dupfinder.base.errors import LibraryPart
from dupfinder.cluster.relation import CONTENT_KINDS, other_bytes
from dupfinder.library import segments
from dupfinder.library.rows import READ, DistinctTexts, Documents, RepeatedTexts, hash_columns
from dupfinder.library.seals import DamagedPart, intact_sql, sums_match, unseal_all
from dupfinder.text.document import MAY_HOLD, MediaType, all_unknown


class _Storage(Enum):
    """How a column of other values than numbers is stored."""

    TEXTS = auto()  # mostly different
    REPEATED = auto()  # most repeat
    HASHES = auto()  # 16 bytes each, or none
    OTHER = auto()  # other content, see `other_columns`


_COLUMNS: Final[Mapping[str, tuple[str, _Storage | type[np.generic]]]] = {
    "ids": ("d.id", np.int64),
    "paths": ("d.path", _Storage.TEXTS),
    "size": ("d.size", np.int64),
    "mtime_ns": ("d.mtime_ns", np.int64),
    "ctime_ns": ("d.ctime_ns", np.int64),
    "device": ("d.device", np.int64),
    "inode": ("d.inode", np.int64),
    "protected": ("s.protected", np.bool_),
    "status": ("d.status", _Storage.REPEATED),
    "detail": ("d.detail", _Storage.REPEATED),
    "media": ("d.media", _Storage.REPEATED),
    "reader": ("d.reader", _Storage.REPEATED),
    "title": ("d.title", _Storage.TEXTS),
    "language": ("d.language", _Storage.REPEATED),
    "words": ("coalesce(d.words, -1)", np.int32),
    "pages": ("coalesce(d.pages, -1)", np.int32),
    "inside_date": ("d.inside_date", np.int64),
    "content_hash": ("d.content_hash", _Storage.HASHES),
    "text_hash": ("CASE WHEN d.partial THEN x'' ELSE d.text_hash END", _Storage.HASHES),
    "fingerprint": ("d.fingerprint", np.uint64),
    "comparable": (f"d.has_features AND d.status = '{READ}'", np.bool_),
    "shingles": ("d.shingles", np.int64),
    "archive": ("coalesce(d.archive, -1)", np.int64),
    "other": ("d.other", _Storage.OTHER),
    "seconds": ("coalesce(d.seconds, -1)", np.float32),
}
"""The columns of `Documents`: their values as SQL, and the dtype of numbers or the storage of others.

`archive` is loaded as the number of the archive; `_as_documents` turns it into its row.
"""

_ROWS_AT_ONCE: Final = 20_000  # rows loaded together
_FIELDS: Final = ", ".join(sql for sql, _ in _COLUMNS.values())
_TEXTS: Final = [name for name, (_, storage) in _COLUMNS.items() if storage is _Storage.TEXTS]
_REPEATED: Final = [name for name, (_, storage) in _COLUMNS.items() if storage is _Storage.REPEATED]
_PREFIX = "documents."  # begins the names of a finished scan's columns of documents
_NOT_LEFT_OUT: Final = f"(d.status != '{ProblemKind.SKIPPED}' OR d.members IS NOT NULL)"  # opened archives are SKIPPED
OTHER_COLUMNS: Final = f"name NOT GLOB '{_PREFIX}*'"  # SQL condition for the names of all others


def document_columns(documents: Documents) -> dict[str, NDArray[Any]]:
    """Return the columns of a scan's documents as named arrays, which `stored_documents` loads."""
    arrays: dict[str, NDArray[Any]] = {}
    for field in fields(Documents):
        name, column = _PREFIX + field.name, getattr(documents, field.name)
        if isinstance(column, np.ndarray):
            arrays[name] = column
            continue
        if field.name not in _TEXTS:
            coded = RepeatedTexts.of(column)
            arrays[name + ".codes"] = coded.codes
            column = coded.words
        entries = DistinctTexts.of(column).entries
        arrays |= {name: entries.values, name + ".starts": entries.starts}
    return arrays


def stored_documents(connection: sqlite3.Connection, scan: int, count: int) -> Documents | None:
    """Load all files of a finished scan from its stored columns, which is much faster than from their rows.

    None if the scan has no such columns, or if they are not of `count` files. Raises DamagedPart.
    """
    stored = segments.load_columns(connection, scan, f"name GLOB '{_PREFIX}*'")
    columns: dict[str, Any] = {}
    for field in fields(Documents):
        name = _PREFIX + field.name
        if name not in stored:
            return None
        columns[field.name] = stored[name]
        if name + ".starts" in stored:
            columns[field.name] = texts = DistinctTexts(Ragged(stored[name], stored[name + ".starts"]))
            if name + ".codes" in stored:
                columns[field.name] = RepeatedTexts(texts, stored[name + ".codes"])
    return Documents(**columns) if {len(column) for column in columns.values()} == {count} else None


def _document_rows(
    connection: sqlite3.Connection, scan: int, documents: list[int] | None = None
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the _FIELDS of files of a scan, in portions; documents: their numbers, None: all. Raises DamagedPart."""
    are_intact = f"{intact_sql(connection, 'document', 'd')}, {intact_sql(connection, 'scan_document', 's')}"
    chosen = "" if documents is None else f" AND s.document IN ({','.join('?' * len(documents))})"
    query = (
        f"SELECT {_FIELDS}, s.document, {are_intact} FROM scan_document s"
        f" LEFT JOIN document d ON d.id = s.document WHERE s.scan = ?{chosen} ORDER BY d.path"
    )
    cursor, count = connection.execute(query, (scan, *(documents or ()))), 0
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for row in rows:
            document, document_is_intact, entry_is_intact = row[-3:]
            if row[0] is None or not document_is_intact:
                raise DamagedPart(LibraryPart("document", document))
            if not entry_is_intact:
                raise DamagedPart(LibraryPart("scan", scan))
        count += len(rows)
        yield [row[:-3] for row in rows]
    if documents is not None:
        return
    files = connection.execute("SELECT offered FROM scan WHERE id = ? AND state = 'done'", (scan,)).fetchone()
    if files is not None and files[0] != count:
        raise DamagedPart(LibraryPart("scan", scan))


def load_sketches(connection: sqlite3.Connection, documents: NDArray[np.int64], column: str) -> list[bytes]:
    """Return a column of sketches of some documents, in their order; b"" without text. Raises DamagedPart."""
    numbers = documents.tolist()
    marks = ",".join("?" * len(numbers))
    query = f"SELECT document, {column} FROM sketch WHERE document IN ({marks})"
    stored = unseal_all(connection.execute(query, numbers), column)
    missing = [number for number in numbers if number not in stored]
    query = f"SELECT min(id) FROM document WHERE id IN ({','.join('?' * len(missing))}) AND shingles > 0"
    if (damaged := connection.execute(query, missing).fetchone()[0]) is not None:
        raise DamagedPart(LibraryPart("document", damaged))
    return [stored.get(number, b"") for number in numbers]


def load_documents(connection: sqlite3.Connection, scan: int, known: Documents | None = None) -> Documents:
    """Load all files of a scan as columns, sorted by path bytes. Raises DamagedPart.

    known: documents of a finished scan; those that are in this scan too are not loaded again, which saves time.
    """
    if known is None or known.other.shape[1:] != (len(CONTENT_KINDS),):  # stored when there were other kinds of content
        count = connection.execute("SELECT count(*) FROM scan_document WHERE scan = ?", (scan,)).fetchone()[0]
        return _as_documents(_columns(_document_rows(connection, scan), count))
    query = "SELECT scan, document, protected, checksum FROM scan_document WHERE scan = ?"
    rows = connection.execute(query, (scan,)).fetchall()
    if not sums_match(rows):
        raise DamagedPart(LibraryPart("scan", scan))
    files = np.array(rows, np.int64).reshape(-1, 4)
    numbers = np.sort(files[:, 1])
    new = np.setdiff1d(numbers, known.ids, assume_unique=True)
    if len(new) > _ROWS_AT_ONCE:
        return load_documents(connection, scan)
    new_columns = _columns(_document_rows(connection, scan, new.tolist()), len(new))
    columns = _merged(known, np.flatnonzero(np.isin(known.ids, numbers)), new_columns)
    columns["protected"] = files[_rows_of(columns["ids"], files[:, 1]), 2].astype(np.bool_)
    return _as_documents(columns)


def _merged(known: Documents, rows: NDArray[np.intp], new: dict[str, Any]) -> dict[str, Any]:
    """Return the columns, as of `_columns`, of some rows of known documents and of new ones, sorted by path bytes."""
    known_paths, new_paths = DistinctTexts.of(known.paths).entries, new["paths"].entries
    every_row = range(len(known))
    positions = [  # where each new path belongs among the known ones
        bisect_left(every_row, new_paths[row].tobytes(), key=lambda row: known_paths[row].tobytes())
        for row in range(len(new_paths))
    ]
    order = np.insert(rows, np.searchsorted(rows, positions), len(known) + np.arange(len(new_paths)))
    columns: dict[str, Any] = {}
    for name, (_, storage) in _COLUMNS.items():
        before, added = getattr(known, name), new[name]
        if storage is _Storage.TEXTS:
            columns[name] = DistinctTexts.joined([DistinctTexts.of(before), added]).take(order)
        elif storage is _Storage.REPEATED:
            columns[name] = RepeatedTexts.joined([RepeatedTexts.of(before), added]).take(order)
        else:
            if name == "archive":  # to numbers, as in `new`
                before = np.where(before >= 0, known.ids[before], -1)
            columns[name] = np.concatenate((before, added))[order]
    return columns


def load_every_document(connection: sqlite3.Connection, scheme: str) -> Documents:
    """Load the newest reading of every file in the finished scans of a scheme, and the members of archives among them.

    As columns, sorted by path bytes. A scan that left a file out, by its patterns for example, is ignored for it. If
    the newest scan has all files, its documents are returned as they are; otherwise a file is protected if any of the
    scans protects it. Raises DamagedPart.
    """
    query = "SELECT id, offered FROM scan WHERE state = 'done' AND scheme = ? ORDER BY id DESC LIMIT 1"
    newest = connection.execute(query, (scheme,)).fetchone()
    if newest is not None and not _has_other_files(connection, newest[0], scheme):
        documents = stored_documents(connection, *newest)
        if documents is not None:
            return documents
    return _newest_of_every_file(connection, scheme)


def _has_other_files(connection: sqlite3.Connection, scan: int, scheme: str) -> bool:
    """Tell whether other finished scans of the scheme have files, by their paths, that this one lacks or left out."""
    query = f"""
        SELECT 1 FROM scan c JOIN scan_document s ON s.scan = c.id
        WHERE c.state = 'done' AND c.scheme = :scheme AND c.id != :scan
        AND NOT EXISTS (SELECT 1 FROM scan_document n WHERE n.scan = :scan AND n.document = s.document)
        AND EXISTS (
            SELECT 1 FROM document d WHERE d.id = s.document AND {_NOT_LEFT_OUT} AND NOT EXISTS (
                SELECT 1 FROM document d CROSS JOIN scan_document n -- in this order: few documents have the path
                WHERE d.path = (SELECT path FROM document WHERE id = s.document) AND {_NOT_LEFT_OUT}
                AND n.scan = :scan AND n.document = d.id
            )
        ) LIMIT 1
    """
    return connection.execute(query, {"scan": scan, "scheme": scheme}).fetchone() is not None


def _newest_of_every_file(connection: sqlite3.Connection, scheme: str) -> Documents:
    """Load the same as `load_every_document` from the rows of the documents. Raises DamagedPart."""
    is_intact = intact_sql(connection, "document", "d")
    query = f"""
        WITH seen AS (
            SELECT s.document AS document, max(s.protected) AS protected, max(c.id) AS scan
            FROM scan_document s JOIN scan c ON c.id = s.scan
            WHERE c.state = 'done' AND c.scheme = ? GROUP BY s.document
        ), newest AS (
            SELECT d.id AS id, max(seen.scan * ({_NOT_LEFT_OUT})) -- SQLite takes the id from the row of the maximum
            FROM seen JOIN document d ON d.id = seen.document
            WHERE d.archive IS NULL GROUP BY d.path
        )
        SELECT {_FIELDS}, d.id, {is_intact} FROM seen s JOIN document d ON d.id = s.document
        WHERE d.id IN (SELECT id FROM newest) OR d.archive IN (SELECT id FROM newest) ORDER BY d.path
    """
    rows = connection.execute(query, (scheme,)).fetchall()
    for row in rows:
        if not row[-1]:
            raise DamagedPart(LibraryPart("document", row[-2]))
    return _as_documents(_columns([[row[:-2] for row in rows]], len(rows)))


def _as_documents(columns: dict[str, Any]) -> Documents:
    """Return columns as Documents: the numbers of archives are replaced by their rows."""
    columns["archive"] = _rows_of(columns["archive"], columns["ids"])
    return Documents(**columns)


def _columns(portions: Iterable[list[tuple[Any, ...]]], count: int) -> dict[str, Any]:
    """Return `count` rows of _FIELDS, which are consumed portion by portion, as columns; archives by their numbers.

    Arrays are allocated once, in full length: joining parts later would leave gaps in memory as large as the parts.
    """
    columns: dict[str, Any] = {}
    texts: dict[str, list[DistinctTexts]] = {name: [] for name in _TEXTS}
    words: dict[str, dict[str, int]] = {name: {} for name in _REPEATED}
    start = 0
    for rows in chain([[]], portions):  # the empty portion makes all columns, even if there are no rows
        for name, values in _columns_of_portion(rows, words).items():
            if name in _TEXTS:
                texts[name].append(values)
                continue
            if name not in columns:
                columns[name] = np.empty((count, *values.shape[1:]), values.dtype)
            columns[name][start : start + len(rows)] = values
        start += len(rows)
    columns |= {name: RepeatedTexts.coded(list(codes), columns[name]) for name, codes in words.items()}
    return columns | {name: DistinctTexts.joined(parts) for name, parts in texts.items()}


def _columns_of_portion(rows: list[tuple[Any, ...]], words: dict[str, dict[str, int]]) -> dict[str, Any]:
    """Return some rows of _FIELDS as the columns of Documents; archives by their numbers, repeated texts as codes.

    words: of each column of repeated texts, the code of each text so far; new ones are added.
    """
    transposed: Iterable[tuple[Any, ...]] = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    values = dict(zip(_COLUMNS, transposed, strict=True))
    columns: dict[str, Any] = {}
    for name, (_, storage) in _COLUMNS.items():
        if storage is _Storage.TEXTS:
            columns[name] = DistinctTexts.of([os.fsdecode(text) for text in values[name]])
        elif storage is _Storage.REPEATED:
            codes = words[name]
            columns[name] = np.array([codes.setdefault(text, len(codes)) for text in values[name]], np.int32)
        elif storage is _Storage.HASHES:
            columns[name] = hash_columns(values[name])
        elif storage is _Storage.OTHER:
            columns[name] = other_columns(values[name], values["media"])
        elif storage is np.uint64:  # SQLite's integers are signed
            columns[name] = np.array(values[name], np.int64).view(np.uint64)
        else:
            columns[name] = np.array(values[name], storage)
    return columns


def _rows_of(targets: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the row of each target, -1 for -1: int32 (m,). Raises ValueError for a number that is missing."""
    order = np.argsort(numbers)
    rows = np.full(len(targets), -1, np.int32)
    present = np.flatnonzero(targets >= 0)
    positions = np.searchsorted(numbers, targets[present], sorter=order)
    if (positions >= len(numbers)).any() or (numbers[order[positions]] != targets[present]).any():
        raise ValueError("a number that is not among the documents")
    rows[present] = order[positions]
    return rows


_OTHER_BYTES: Final = 8 * len(CONTENT_KINDS)


def other_columns(stored: Sequence[bytes | None], media: Sequence[str]) -> NDArray[np.uint64]:
    """Return n stored values, of documents with these media types, as uint64 (n, kinds).

    A kind of content that was not recorded when a document was read is UNKNOWN_HASH if its format may hold it. None as
    a stored value means that no kind was recorded.
    """
    completed: dict[tuple[bytes, str], bytes] = {}
    parts: list[bytes] = []
    for value, media_type in zip(stored, media, strict=True):
        if value is None or len(value) != _OTHER_BYTES:
            key = (value or b"", media_type)
            if key not in completed:
                completed[key] = _completed(*key)
            value = completed[key]
        parts.append(value)
    return np.frombuffer(b"".join(parts), "<u8").astype(np.uint64).reshape(-1, len(CONTENT_KINDS))


def _completed(value: bytes, media: str) -> bytes:
    """Return a stored value cut or extended to all kinds, UNKNOWN_HASH where the format may hold a missing kind."""
    kind = MediaType(media) if media in MAY_HOLD else MediaType.UNKNOWN
    return value[:_OTHER_BYTES] + other_bytes(all_unknown(kind))[len(value) :]
