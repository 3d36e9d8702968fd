"""How documents are stored: the values of their rows and sketches as SQLite takes them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import stored
from dupfinder.base.errors import LibraryPart
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.library.rows import DocumentRow
from dupfinder.library.seals import DamagedPart, insert, intact_sql, seal, unseal


class SketchKind(StrEnum):
    """What is kept of each text: MIN_s of its shingles, and the trace of its words."""

    SMALLEST = "smallest"
    TRACE = "trace"


SKETCH_TYPES: Final[Mapping[SketchKind, np.dtype[Any]]] = {
    SketchKind.SMALLEST: np.dtype(np.uint32),
    SketchKind.TRACE: np.dtype(np.uint16),
}


def stamp_key(stamp: FileStamp) -> tuple[int, int, int, int, int]:
    """Return a stamp's key as the library stores it, with signed 64-bit numbers."""
    device, inode, size, mtime_ns, ctime_ns = stamp.key()
    return (_signed(device), _signed(inode), size, _signed(mtime_ns), _signed(ctime_ns))


def stamp_keys(stamps: Sequence[FileStamp]) -> NDArray[np.int64]:
    """Return the keys of some stamps: int64 (n, 5); see `stamp_key`."""
    return np.array([stamp_key(stamp) for stamp in stamps], np.int64).reshape(-1, 5)


def stamp_columns(stamp: FileStamp) -> dict[str, object]:
    """Return the columns of a stamp in the table of documents, by name."""
    numbers = dict(zip(("device", "inode", "size", "mtime_ns", "ctime_ns"), stamp_key(stamp), strict=True))
    return {"path": os.fsencode(stamp.path), **numbers}


def document_values(row: DocumentRow, revision: str) -> dict[str, object]:
    """Return the values of a row of the table of documents, without its number, by the names of their columns."""
    text_print = row.text_print
    return stamp_columns(row.stamp) | {
        "revision": revision,
        "status": row.status,
        "detail": stored(row.details),
        "media": row.media,
        "reader": row.reader,
        "title": clean(row.title),
        "author": clean(row.author),
        "pages": row.pages,
        "inside_date": row.inside_date,
        "content_hash": row.content_hash,
        "partial": row.partial,
        "archive": row.archive,
        "members": row.members,
        "other": row.other,
        "seconds": row.seconds,
        "words": None if text_print is None else text_print.words,
        "language": "" if text_print is None else text_print.language,
        "text_hash": b"" if text_print is None else text_print.text_hash,
        "fingerprint": 0 if text_print is None else _signed(text_print.fingerprint),
        "has_features": text_print is not None and text_print.has_features,
        "shingles": 0 if text_print is None else text_print.shingles,
    }


def sketches_of(text_print: TextPrint) -> dict[SketchKind, bytes]:
    return {SketchKind.SMALLEST: text_print.values().tobytes(), SketchKind.TRACE: text_print.trace.tobytes()}


def store_sketches(connection: sqlite3.Connection, number: int, sketches: Mapping[SketchKind, bytes]) -> None:
    """Store the sketches of the document with this number, each with its checksum."""
    sealed = [seal(sketches[kind], number, kind) for kind in SketchKind]
    connection.execute(f"INSERT INTO sketch (document, {', '.join(SketchKind)}) VALUES (?, ?, ?)", (number, *sealed))


def clean(text: str) -> str:
    """Replace what UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _signed(value: int) -> int:
    """Return the signed number with the same 64 bits, since SQLite's integers are signed."""
    value &= 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >> 63 else value


def copy_document(connection: sqlite3.Connection, number: int, stamp: FileStamp) -> int:
    """Store a copy of a document, and of its sketches, under another stamp. Return its number. Raises DamagedPart."""
    row = _row(connection, "document", "id", number)
    query = f"SELECT {intact_sql(connection, 'document')} FROM document WHERE id = ?"
    if row is None or not connection.execute(query, (number,)).fetchone()[0]:
        raise DamagedPart(LibraryPart("document", number))
    newest = int(connection.execute("SELECT max(id) FROM document").fetchone()[0]) + 1
    del row["checksum"]
    insert(connection, "document", [row | stamp_columns(stamp) | {"id": newest, "seconds": None}])
    sketch = _row(connection, "sketch", "document", number)
    if sketch is not None:
        store_sketches(connection, newest, {kind: unseal(sketch[kind], number, kind) for kind in SketchKind})
    return newest


def _row(connection: sqlite3.Connection, table: str, key: str, number: int) -> dict[str, Any] | None:
    """Return as {column: value} the row that has `number` in the column `key`; None if no row has."""
    cursor = connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (number,))
    values = cursor.fetchone()
    return None if values is None else dict(zip((column[0] for column in cursor.description), values, strict=True))
