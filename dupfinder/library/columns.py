"""Arrays stored as blobs in the library, and the columns of a scan's documents."""

from __future__ import annotations

import io
import os
import sqlite3
import zlib
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import Part
from dupfinder.library import other
from dupfinder.library.rows import READ, Documents, hash_columns
from dupfinder.library.seals import DamagedPart, unseal, verified, whole
from dupfinder.library.texts import Texts, Words


def pack(column: NDArray[Any]) -> bytes:
    """Return an array as bytes: its .npy form, lightly compressed."""
    stream = io.BytesIO()
    np.save(stream, column, allow_pickle=False)
    return zlib.compress(stream.getvalue(), 1)


def unpack(data: bytes) -> NDArray[Any]:
    """Return the array that `pack` packed."""
    column: NDArray[Any] = np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False)
    return column


_FIELDS = (
    "d.id", "d.path", "d.size", "d.mtime_ns", "d.ctime_ns", "d.device", "d.inode", "s.protected", "d.status",
    "d.detail", "d.media", "d.reader", "d.title", "d.language", "coalesce(d.words, -1)", "coalesce(d.pages, -1)",
    "d.inside_date",
    "d.content_hash", "d.text_hash", "d.fingerprint", "d.has_features", "d.shingles", "d.partial",
    "coalesce(d.archive, -1)", "d.other", "coalesce(d.seconds, -1)",
)  # fmt: skip


def load_columns(connection: sqlite3.Connection, scan: int) -> dict[str, NDArray[Any]]:
    """Load the arrays of pairs that a finished scan stored, by name. Raises DamagedPart."""
    return _stored_columns(connection, scan, f"name NOT GLOB '{_PREFIX}*'")


def _stored_columns(connection: sqlite3.Connection, scan: int, condition: str) -> dict[str, NDArray[Any]]:
    """Load the arrays of a scan whose names fulfil an SQL condition. Raises DamagedPart."""
    # Without the index: if the index is damaged, rows that it lacks would be left out silently.
    query = f"SELECT scan, name, data, {whole(connection, 'scan_column')} FROM scan_column NOT INDEXED WHERE scan = ?"
    query += f" AND {condition}"
    return {name: unpack(data) for _, name, data in verified(connection.execute(query, (scan,)), "scan")}


_TEXTS = frozenset(("paths", "title"))  # columns of Documents whose texts are mostly different
_PREFIX = "documents."  # begins the names of a finished scan's columns of documents


def pack_documents(documents: Documents) -> dict[str, bytes]:
    """Return the columns of a scan's documents as named blobs, which `kept_documents` loads."""
    blobs: dict[str, bytes] = {}
    for field in fields(Documents):
        name, column = _PREFIX + field.name, getattr(documents, field.name)
        if isinstance(column, np.ndarray):
            blobs[name] = pack(column)
            continue
        if field.name not in _TEXTS:
            coded = Words.of(column)
            blobs[name + ".codes"] = pack(coded.codes)
            column = coded.words
        texts = Texts.of(column)
        blobs |= {name: pack(texts.values), name + ".starts": pack(texts.starts)}
    return blobs


def kept_documents(connection: sqlite3.Connection, scan: int, count: int) -> Documents | None:
    """Load all files of a finished scan from its stored columns, which is much faster than from their rows.

    None if the scan has no such columns, or if they are not of `count` files. Raises DamagedPart.
    """
    stored = _stored_columns(connection, scan, f"name GLOB '{_PREFIX}*'")
    columns: dict[str, Any] = {}
    for field in fields(Documents):
        name = _PREFIX + field.name
        if name not in stored:
            return None
        columns[field.name] = stored[name]
        if name + ".starts" in stored:
            columns[field.name] = texts = Texts(stored[name], stored[name + ".starts"])
            if name + ".codes" in stored:
                columns[field.name] = Words(texts, stored[name + ".codes"])
    return Documents(**columns) if {len(column) for column in columns.values()} == {count} else None


def _document_rows(connection: sqlite3.Connection, scan: int) -> list[tuple[Any, ...]]:
    """Return the _FIELDS of the files of a scan. Raises DamagedPart when a row is missing or fails its checksum."""
    conditions = whole(connection, "document", "d"), whole(connection, "scan_document", "s")
    query = (
        f"SELECT {', '.join(_FIELDS)}, s.document, {conditions[0]}, {conditions[1]} FROM scan_document s"
        " LEFT JOIN document d ON d.id = s.document WHERE s.scan = ? ORDER BY d.path"
    )
    rows = connection.execute(query, (scan,)).fetchall()
    for row in rows:
        if row[0] is None or not row[-2]:
            raise DamagedPart(Part("document", row[-3]))
        if not row[-1]:
            raise DamagedPart(Part("scan", scan))
    state = connection.execute("SELECT state, offered FROM scan WHERE id = ?", (scan,)).fetchone()
    if state is not None and state[0] == "done" and state[1] != len(rows):
        raise DamagedPart(Part("scan", scan))
    return [row[:-3] for row in rows]


def load_sketches(connection: sqlite3.Connection, documents: NDArray[np.int64], column: str) -> list[memoryview]:
    """Return one column of the sketches of documents, in the given order; empty without text. Raises DamagedPart."""
    blobs: list[memoryview] = []
    for start in range(0, len(documents), 10_000):
        batch = [int(number) for number in documents[start : start + 10_000]]
        marks = ",".join("?" * len(batch))
        query = f"SELECT document, {column} FROM sketch WHERE document IN ({marks})"
        stored = {number: unseal(data, number, column) for number, data in connection.execute(query, batch)}
        query = f"SELECT id FROM document WHERE id IN ({marks}) AND shingles > 0"
        if lost := {number for (number,) in connection.execute(query, batch)}.difference(stored):
            raise DamagedPart(Part("document", min(lost)))
        blobs.extend(stored.get(number, memoryview(b"")) for number in batch)
    return blobs


def load_documents(connection: sqlite3.Connection, scan: int) -> Documents:
    """Load all files of a scan as columns, sorted by path bytes."""
    return _columns(_document_rows(connection, scan))


def load_every_document(connection: sqlite3.Connection, scheme: str) -> Documents:
    """Load the newest version of every file in the finished scans of a scheme, and the members of such archives.

    As columns, sorted by path bytes. A file counts as protected if any of the scans protects it. Raises DamagedPart.
    """
    is_whole = whole(connection, "document", "d")
    query = f"""
        WITH seen AS (
            SELECT s.document AS document, max(s.protected) AS protected
            FROM scan_document s JOIN scan c ON c.id = s.scan
            WHERE c.state = 'done' AND c.scheme = ? GROUP BY s.document
        ), newest AS (
            SELECT max(d.id) AS id FROM seen JOIN document d ON d.id = seen.document WHERE d.archive IS NULL
            GROUP BY d.path
        )
        SELECT {", ".join(_FIELDS)}, d.id, {is_whole} FROM seen s JOIN document d ON d.id = s.document
        WHERE d.id IN (SELECT id FROM newest) OR d.archive IN (SELECT id FROM newest) ORDER BY d.path
    """
    rows = connection.execute(query, (scheme,)).fetchall()
    for row in rows:
        if not row[-1]:
            raise DamagedPart(Part("document", row[-2]))
    return _columns([row[:-2] for row in rows])


def _columns(rows: list[tuple[Any, ...]]) -> Documents:
    """Return rows of _FIELDS as columns."""
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(_FIELDS)
    interned: dict[str, str] = {}  # equal words share one string: there are few different ones

    def words(values: tuple[str, ...]) -> list[str]:
        return [interned.setdefault(value, value) for value in values]

    def numbers(values: tuple[int, ...], dtype: type[Any]) -> NDArray[Any]:
        return np.array(values, dtype=dtype)

    status = words(columns[8])
    readable = np.fromiter((value == READ for value in status), np.bool_, len(status))
    whole = ~numbers(columns[22], np.bool_)
    return Documents(
        ids=numbers(columns[0], np.int64),
        paths=[os.fsdecode(path) for path in columns[1]],
        size=numbers(columns[2], np.int64),
        mtime_ns=numbers(columns[3], np.int64),
        ctime_ns=numbers(columns[4], np.int64),
        device=numbers(columns[5], np.int64),
        inode=numbers(columns[6], np.int64),
        protected=numbers(columns[7], np.bool_),
        status=status,
        detail=words(columns[9]),
        media=words(columns[10]),
        reader=words(columns[11]),
        title=list(columns[12]),
        language=words(columns[13]),
        words=numbers(columns[14], np.int32),
        pages=numbers(columns[15], np.int32),
        inside_date=numbers(columns[16], np.int64),
        content_hash=hash_columns(columns[17]),
        text_hash=hash_columns(columns[18]) * whole[:, None].astype(np.uint64),
        fingerprint=numbers(columns[19], np.int64).view(np.uint64),
        comparable=numbers(columns[20], np.bool_) & readable,
        shingles=numbers(columns[21], np.int64),
        archive=_rows_of(numbers(columns[23], np.int64), numbers(columns[0], np.int64)),
        other=other.columns(columns[24], columns[10]),
        seconds=numbers(columns[25], np.float32),
    )


def _rows_of(wanted: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the row of each wanted number, -1 for -1: int32 (m,). Raises ValueError for a number that is missing."""
    order = np.argsort(numbers)
    rows = np.full(len(wanted), -1, np.int32)
    given = np.flatnonzero(wanted >= 0)
    positions = np.searchsorted(numbers, wanted[given], sorter=order)
    if (positions >= len(numbers)).any() or (numbers[order[positions]] != wanted[given]).any():
        raise ValueError("a member without its archive")
    rows[given] = order[positions]
    return rows
