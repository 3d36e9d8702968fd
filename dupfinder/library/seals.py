"""Checksums of the library's rows and sketches: triggers keep them, and whatever reads a row compares them.

A row carries CRC-32 of all its other columns, a sketch the one of itself, its document and its column at its end.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

# table -> its key. A table whose rows are large has none: its blobs are sealed one by one, and read one by one.
TABLES: Final = {
    "document": ("id",),
    "scan": ("id",),
    "scan_document": ("scan", "document"),
    "scan_column": ("scan", "name"),
}
_SEAL_BYTES: Final = 4


class DamagedPart(ValueError):
    """A row or a sketch that is not what was stored. The message names it: "document 17"."""


def row_sum(*values: str | int | float | bytes | None) -> int:
    """CRC-32 of the values of a row, with their kinds and lengths."""
    plain = repr([len(value) if isinstance(value, bytes) else value for value in values])
    total = zlib.crc32(plain.encode())
    for value in values:
        if isinstance(value, bytes):
            total = zlib.crc32(value, total)
    return total


def seal(blob: bytes, document: int, column: str) -> bytes:
    """`blob` with its checksum at its end."""
    return blob + _blob_sum(blob, document, column)


def unseal(data: bytes, document: int, column: str) -> memoryview:
    """The blob that `seal` was given. DamagedPart when it is not that any more."""
    blob = memoryview(data)[: max(0, len(data) - _SEAL_BYTES)]
    if data[len(blob) :] != _blob_sum(blob, document, column):
        raise DamagedPart(f"document {document}")
    return blob


def _blob_sum(blob: bytes | memoryview, document: int, column: str) -> bytes:
    return zlib.crc32(blob, zlib.crc32(f"{column} {document}".encode())).to_bytes(_SEAL_BYTES, "little")


def register(connection: sqlite3.Connection) -> None:
    """Let SQL on this connection compute checksums."""
    connection.create_function("row_sum", -1, row_sum, deterministic=True)
    connection.create_function("seal", 3, seal, deterministic=True)


def keep(connection: sqlite3.Connection) -> None:
    """Have each row that this connection writes get its checksum."""
    for table, key in TABLES.items():
        columns = _columns(connection, table)
        if not columns:
            continue
        this_row = " AND ".join(f"{name} = new.{name}" for name in key)
        for event in ("INSERT", f"UPDATE OF {', '.join(columns)}"):
            connection.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{event[:6]} AFTER {event} ON main.{table} BEGIN"
                f" UPDATE {table} SET checksum = {_sum_of(columns)} WHERE {this_row}; END"
            )


def whole(connection: sqlite3.Connection, table: str, alias: str = "") -> str:
    """The SQL condition under which a row of `table`, known as `alias`, is what was stored."""
    alias = alias or table
    return f"{_sum_of(_columns(connection, table), alias + '.')} IS {alias}.checksum"


def verified(rows: Iterable[tuple[Any, ...]], name: str) -> Iterator[tuple[Any, ...]]:
    """Rows without their last value, which says whether they are whole. DamagedPart, named after the first value."""
    for *values, is_whole in rows:
        if not is_whole:
            raise DamagedPart(name.format(values[0]))
        yield tuple(values)


def reseal(connection: sqlite3.Connection, damaged_before: Iterable[tuple[str, tuple[int | str, ...]]] = ()) -> None:
    """Compute all checksums of rows anew, after a migration has changed the columns; what was damaged stays so."""
    for table in TABLES:
        if columns := _columns(connection, table):
            connection.execute(f"UPDATE {table} SET checksum = {_sum_of(columns)}")
    for table, key in damaged_before:
        if table in TABLES:
            this_row = " AND ".join(f"{name} = ?" for name in TABLES[table])
            connection.execute(f"UPDATE {table} SET checksum = NULL WHERE {this_row}", key)


def damaged(connection: sqlite3.Connection) -> list[tuple[str, tuple[int | str, ...]]]:
    """(table, key) of every row that is not what was stored; of a sketch as "sketch" with its document."""
    found: list[tuple[str, tuple[int | str, ...]]] = []
    for table, key in TABLES.items():
        if _columns(connection, table):
            found += [(table, row) for row in _damaged_rows(connection, table, key)]
    names = [name for name in _names(connection, "sketch") if name != "document"]
    blobs_alone = ", ".join(f"CASE typeof({name}) WHEN 'blob' THEN {name} END" for name in names)
    for document, *blobs in connection.execute(f"SELECT document, {blobs_alone} FROM sketch"):
        try:
            for name, data in zip(names, blobs, strict=True):
                unseal(data, document, name)
        except (DamagedPart, TypeError):
            found.append(("sketch", (document,)))
    return found


def _damaged_rows(connection: sqlite3.Connection, table: str, key: tuple[str, ...]) -> list[tuple[int | str, ...]]:
    keys = ", ".join(key)
    condition = whole(connection, table)
    try:
        return connection.execute(f"SELECT {keys} FROM {table} WHERE NOT ({condition})").fetchall()
    except sqlite3.OperationalError:  # text that is no text any more: which row has it?
        rows = connection.execute(f"SELECT {keys} FROM {table}").fetchall()
        query = f"SELECT {condition} FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in key)}"
        return [row for row in rows if not _is_whole(connection, query, row)]


def _is_whole(connection: sqlite3.Connection, query: str, key: tuple[int | str, ...]) -> bool:
    try:
        row = connection.execute(query, key).fetchone()
    except sqlite3.OperationalError:
        return False
    return row is not None and bool(row[0])


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table that its checksum covers; none where the table has no checksum."""
    names = _names(connection, table)
    return [name for name in names if name != "checksum"] if "checksum" in names else []


def _names(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


def _sum_of(columns: list[str], prefix: str = "") -> str:
    return f"row_sum({', '.join(prefix + name for name in columns)})"
