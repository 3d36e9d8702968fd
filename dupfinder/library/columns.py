"""Arrays in and out of the library's blobs, and the columns of a scan's documents."""

from __future__ import annotations

import io
import os
import sqlite3
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.library.rows import READ, Documents, hash_columns


def pack(column: NDArray[Any]) -> bytes:
    """An array as bytes: its .npy form, lightly compressed."""
    stream = io.BytesIO()
    np.save(stream, column, allow_pickle=False)
    return zlib.compress(stream.getvalue(), 1)


def unpack(data: bytes) -> NDArray[Any]:
    """The array that `pack` was given."""
    column: NDArray[Any] = np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False)
    return column


_FIELDS = (
    "d.id", "d.path", "d.size", "d.mtime_ns", "d.ctime_ns", "d.device", "d.inode", "s.protected", "d.status",
    "d.detail", "d.media", "d.reader", "d.title", "d.language", "coalesce(d.words, -1)", "coalesce(d.pages, -1)",
    "d.inside_date",
    "d.content_hash", "d.text_hash", "d.fingerprint", "d.has_features", "d.shingles", "d.partial",
    "coalesce(d.archive, -1)",
)  # fmt: skip


def load_documents(connection: sqlite3.Connection, scan: int) -> Documents:
    """All files of a scan as columns, sorted by path bytes."""
    query = (
        f"SELECT {', '.join(_FIELDS)} FROM scan_document s JOIN document d ON d.id = s.document "
        "WHERE s.scan = ? ORDER BY d.path"
    )
    rows = connection.execute(query, (scan,)).fetchall()
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(_FIELDS)
    same: dict[str, str] = {}

    def words(values: tuple[str, ...]) -> list[str]:
        return [same.setdefault(value, value) for value in values]

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
    )


def _rows_of(wanted: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    """The rows at which the wanted numbers stand, int32; -1 for -1. ValueError for any other that is not there."""
    order = np.argsort(numbers)
    rows = np.full(len(wanted), -1, np.int32)
    some = np.flatnonzero(wanted >= 0)
    places = np.searchsorted(numbers, wanted[some], sorter=order)
    if (places >= len(numbers)).any() or (numbers[order[places]] != wanted[some]).any():
        raise ValueError("a member without its archive")
    rows[some] = order[places]
    return rows
