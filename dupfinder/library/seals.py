"""Checksums of the library's rows and sketches: triggers update them, and every read of a row compares them.

A row has the CRC-32 of all its other columns. A sketch ends with the CRC-32 of its bytes, document and column.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from dupfinder.base.errors import LibraryPart

# table -> its key. The table of sketches is not listed: its rows are large, so each blob has its own checksum.
TABLES: Final = {
    "document": ("id",),
    "scan": ("id",),
    "scan_document": ("scan", "document"),
    "scan_column": ("scan", "name"),
    "file_hash": ("scan", "part"),
}
_SEAL_BYTES: Final = 4
_SUM_OF_SEALED: Final = 0x2144DF1C  # the CRC-32 of any bytes that end with their own CRC-32
_STORED_AS_IS: Final = frozenset((int, float, str, bytes, type(None)))  # types that SQLite returns as they were given


class DamagedPart(ValueError):
    """A row or a sketch fails its checksum. Fact: `part`."""

    def __init__(self, part: LibraryPart) -> None:
        super().__init__(part)
        self.part = part


def row_sum(*values: str | int | float | bytes | None) -> int:
    """Return the CRC-32 of the values of a row, with their types and lengths."""
    plain: list[str | int | float | None] = []
    blobs: list[bytes] = []
    for value in values:
        if type(value) is bytes:
            plain.append(len(value))
            blobs.append(value)
        else:
            plain.append(value)  # type: ignore[arg-type]  # no bytes
    return zlib.crc32(b"".join(blobs), zlib.crc32(repr(plain).encode()))


def sums_match(rows: Iterable[tuple[int, int, int, int]]) -> bool:
    """Tell whether the last value of each row is the `row_sum` of its three integers. Much faster than in SQL."""
    return all(zlib.crc32(b"[%d, %d, %d]" % row[:3]) == row[3] for row in rows)


def seal(blob: bytes, document: int, column: str) -> bytes:
    """Return `blob` with the checksum of column, document and bytes appended."""
    before = zlib.crc32(f"{column} {document}".encode())
    return blob + zlib.crc32(blob, before).to_bytes(_SEAL_BYTES, "little")


def unseal(data: bytes, document: int, column: str) -> bytes:
    """Return the blob that `seal` was given. Raises DamagedPart when the checksum fails."""
    return unseal_all([(document, data)], column)[document]


def unseal_all(rows: Iterable[tuple[int, bytes]], column: str) -> dict[int, bytes]:
    """Return the blobs of (document, data) by document, as `unseal` does. Raises DamagedPart."""
    blobs, sum_of_column = {}, zlib.crc32(f"{column} ".encode())
    for document, data in rows:
        if zlib.crc32(data, zlib.crc32(b"%d" % document, sum_of_column)) != _SUM_OF_SEALED:
            raise DamagedPart(LibraryPart("document", document))
        blobs[document] = data[:-_SEAL_BYTES]
    return blobs


def register(connection: sqlite3.Connection) -> None:
    """Define the SQL functions that compute checksums on this connection."""
    connection.create_function("row_sum", -1, row_sum, deterministic=True)
    connection.create_function("seal", 3, seal, deterministic=True)


def create_triggers(connection: sqlite3.Connection) -> None:
    """Create triggers that update the checksum of each row that this connection writes."""
    for table, key in TABLES.items():
        columns = _columns(connection, table)
        if not columns:
            continue
        this_row = " AND ".join(f"{name} = new.{name}" for name in key)
        events = {"INSERT": "WHEN new.checksum IS NULL", f"UPDATE OF {', '.join(columns)}": ""}
        for event, condition in events.items():
            connection.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{event.split()[0]} AFTER {event} ON main.{table} {condition} BEGIN"
                f" UPDATE {table} SET checksum = {_sum_of(columns)} WHERE {this_row}; END"
            )


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert many rows, each with its checksum; a row with the same key is replaced. Each row names all columns."""
    columns = _columns(connection, table)
    plain = (
        [value if type(value := row[name]) in _STORED_AS_IS else _as_stored(value) for name in columns] for row in rows
    )
    marks = ", ".join("?" * (len(columns) + 1))
    statement = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}, checksum) VALUES ({marks})"
    connection.executemany(statement, ((*values, row_sum(*values)) for values in plain))


def _as_stored(value: Any) -> Any:
    """Return a value as SQLite will return it, because checksums are compared with those of returned values."""
    if isinstance(value, str):
        return str(value)  # members of enumerations too
    return int(value) if isinstance(value, bool) else value


def intact_sql(connection: sqlite3.Connection, table: str, alias: str = "") -> str:
    """Return the SQL condition that a row of `table`, with this alias, matches its checksum."""
    alias = alias or table
    return f"{_sum_of(_columns(connection, table), alias + '.')} IS {alias}.checksum"


def verified(rows: Iterable[tuple[Any, ...]], kind: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows without their last value, the result of `intact_sql`. Raises DamagedPart for a damaged row.

    kind: the kind of part that the error names; the part's number is the first value of the row.
    """
    for *values, is_intact in rows:
        if not is_intact:
            raise DamagedPart(LibraryPart(kind, values[0]))
        yield tuple(values)


def reseal(connection: sqlite3.Connection, damaged_before: Iterable[tuple[str, tuple[int | str, ...]]] = ()) -> None:
    """Compute the checksums of all rows after a migration; rows that were damaged before it get none."""
    for table in TABLES:
        if columns := _columns(connection, table):
            connection.execute(f"UPDATE {table} SET checksum = {_sum_of(columns)}")
    for table, key in damaged_before:
        if table in TABLES:
            this_row = " AND ".join(f"{name} = ?" for name in TABLES[table])
            connection.execute(f"UPDATE {table} SET checksum = NULL WHERE {this_row}", key)


def damaged_rows(connection: sqlite3.Connection) -> list[tuple[str, tuple[int | str, ...]]]:
    """Return (table, key) of every row that fails its checksum; for a sketch, ("sketch", (document,))."""
    damaged_keys: list[tuple[str, tuple[int | str, ...]]] = []
    for table, key in TABLES.items():
        if _columns(connection, table):
            damaged_keys += [(table, row) for row in _damaged_rows(connection, table, key)]
    names = [name for name in _names(connection, "sketch") if name != "document"]
    blobs_only = ", ".join(f"CASE typeof({name}) WHEN 'blob' THEN {name} END" for name in names)
    for document, *blobs in connection.execute(f"SELECT document, {blobs_only} FROM sketch"):
        try:
            for name, data in zip(names, blobs, strict=True):
                unseal(data, document, name)
        except (DamagedPart, TypeError):
            damaged_keys.append(("sketch", (document,)))
    return damaged_keys


def _damaged_rows(connection: sqlite3.Connection, table: str, key: tuple[str, ...]) -> list[tuple[int | str, ...]]:
    """Return the keys of a table's rows that fail their checksum."""
    keys = ", ".join(key)
    condition = intact_sql(connection, table)
    try:
        return connection.execute(f"SELECT {keys} FROM {table} WHERE NOT ({condition})").fetchall()
    except sqlite3.OperationalError:  # some text cannot be decoded: test row by row to find which
        rows = connection.execute(f"SELECT {keys} FROM {table}").fetchall()
        query = f"SELECT {condition} FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in key)}"
        return [row for row in rows if not _is_intact(connection, query, row)]


def _is_intact(connection: sqlite3.Connection, query: str, key: tuple[int | str, ...]) -> bool:
    """Tell whether a row matches its checksum; False if its text cannot be decoded."""
    try:
        row = connection.execute(query, key).fetchone()
    except sqlite3.OperationalError:
        return False
    return row is not None and bool(row[0])


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table that its checksum covers; none if the table has no checksum."""
    names = _names(connection, table)
    return [name for name in names if name != "checksum"] if "checksum" in names else []


def _names(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


def _sum_of(columns: list[str], prefix: str = "") -> str:
    """Return the SQL expression of the checksum of columns."""
    return f"row_sum({', '.join(prefix + name for name in columns)})"
