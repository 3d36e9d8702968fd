"""Segments: files beside the library with the columns of its finished scans, mapped into memory when they are read.

The rows of `scan_column` say in which segment each column lies, where, and what hash its bytes have. A segment is
written whole before the transaction that refers to it, and never changes, so that a kill leaves at most a segment to
which no row refers; those are removed. Columns of older scans are packed, to take less room on the disk.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import xxhash
from backports import zstd
from numpy.typing import NDArray

from dupfinder.base.errors import LibraryPart
from dupfinder.base.files import UNFINISHED, flush_folder, write_whole
from dupfinder.library.seals import DamagedPart, insert, intact_sql, verified

_HEAD: Final = b"dupfinder columns\n"
_ALIGNED: Final = 64  # bytes; a multiple of every item's size
_CHUNK: Final = 1 << 20  # bytes hashed together
_SMALL: Final = 1 << 16  # bytes; to read a smaller column takes less time than to map it
_ZSTD: Final = b"\x28\xb5\x2f\xfd"  # begins packed columns; those of older versions are packed by zlib
_LEVEL: Final = 1  # of compression: a third of zlib's time, and nine tenths of its size


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """Where and how a column is stored.

    segment: the name of the segment, which is part of its file's name. dtype, shape: of the array.
    start, size: where its bytes lie in the file. digest: xxh3 of these bytes. packed: whether they are compressed.
    """

    segment: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    size: int
    digest: int
    packed: bool

    def encoded(self) -> bytes:
        """Return the value that a row of `scan_column` stores."""
        return json.dumps(astuple(self)).encode()

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Decode what `encoded` returned. Raises ValueError, TypeError."""
        segment, dtype, shape, *rest = json.loads(data)
        return cls(segment, dtype, tuple(shape), *rest)


def _path_of(library: Path, segment: str) -> Path:
    return library.with_name(f"{library.name}.{segment}.columns")


def files(library: Path) -> dict[str, Path]:
    """Return the segments beside a library, by name, also those to which no row refers."""
    name = re.compile(re.escape(library.name) + r"\.([0-9a-f]{16})\.columns")
    paths = {match[1]: path for path in library.parent.iterdir() if (match := name.fullmatch(path.name))}
    return {segment: path for segment, path in paths.items() if _is_segment(path)}


def cut_off(library: Path) -> list[Path]:
    """Return what was left of segments whose writing was cut off by a kill."""
    name = re.compile(rf"\.{re.escape(library.name)}\.[0-9a-f]{{16}}\.columns{UNFINISHED}")
    return [path for path in library.parent.iterdir() if name.fullmatch(path.name)]


def _is_segment(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(len(_HEAD)) == _HEAD
    return False


def library_path(connection: sqlite3.Connection) -> Path:
    query = "SELECT CAST(file AS BLOB) FROM pragma_database_list WHERE name = 'main'"  # it may be no valid UTF-8
    return Path(os.fsdecode(connection.execute(query).fetchone()[0]))


def store_columns(
    connection: sqlite3.Connection, scan: int, columns: Mapping[str, NDArray[Any]], *, packed: bool = False
) -> None:
    """Write columns of a scan to a new segment, in place of those of the same names. Raises OSError."""
    library, segment = library_path(connection), secrets.token_hex(8)
    rows: list[dict[str, object]] = []

    def parts() -> Iterator[bytes | memoryview]:
        """Yield the bytes of the file, and note where each column lies."""
        yield _HEAD
        end = len(_HEAD)
        for name, column in columns.items():
            start = -(-end // _ALIGNED) * _ALIGNED
            data: bytes | memoryview = np.ascontiguousarray(column).reshape(-1).view(np.uint8).data
            data = zstd.compress(data, _LEVEL) if packed else data
            yield bytes(start - end)
            yield data
            end = start + len(data)
            stored = StoredColumn(segment, column.dtype.str, column.shape, start, len(data), _digest(data), packed)
            rows.append({"scan": scan, "name": name, "data": stored.encoded()})

    write_whole(_path_of(library, segment), parts())
    flush_folder(library.parent)
    insert(connection, "scan_column", rows)


def _digest(data: bytes | memoryview) -> int:
    return xxhash.xxh3_64_intdigest(data)


def load_columns(connection: sqlite3.Connection, scan: int, condition: str = "TRUE") -> dict[str, NDArray[Any]]:
    """Return read-only columns of a scan by an SQL condition on names. Raises DamagedPart, also for a lost segment."""
    library, damage = library_path(connection), DamagedPart(LibraryPart("scan", scan))
    for _ in range(2):  # its columns may have been packed into another segment meanwhile
        try:
            stored = _stored_columns(connection, scan, condition)
            with ThreadPoolExecutor() as threads:  # hashing does not hold the interpreter's lock
                return dict(zip(stored, threads.map(partial(_loaded, library), stored.values()), strict=True))
        except FileNotFoundError:
            continue
        except (ValueError, TypeError, zlib.error, zstd.ZstdError) as error:
            raise damage from error
        except OSError as error:
            if error.errno != errno.EIO:  # a part of the disk cannot be read any more
                raise
            raise damage from error
    raise damage


def _stored_columns(connection: sqlite3.Connection, scan: int, condition: str) -> dict[str, StoredColumn]:
    """Return where columns of a scan are stored, by name. Raises DamagedPart."""
    # Without the index: if the index is damaged, rows that it lacks would be left out silently.
    query = (
        f"SELECT scan, name, data, {intact_sql(connection, 'scan_column')} FROM scan_column NOT INDEXED"
        f" WHERE scan = ? AND {condition}"
    )
    rows = connection.execute(query, (scan,)).fetchall()  # a half-read query would keep the table locked
    return {name: StoredColumn.of(data) for _, name, data in verified(rows, "scan")}


def _loaded(library: Path, column: StoredColumn) -> NDArray[Any]:
    """Return a stored column, read or mapped. Raises ValueError for other bytes than were written."""
    path, dtype = _path_of(library, column.segment), np.dtype(column.dtype)
    with path.open("rb") as file:
        file.seek(column.start)
        if column.packed or column.size <= _SMALL:
            data = file.read(column.size)
            if _digest(data) != column.digest:
                raise ValueError(path)
            if column.packed:
                data = zstd.decompress(data) if data.startswith(_ZSTD) else zlib.decompress(data)
            return np.frombuffer(data, dtype).reshape(column.shape)
        digest, buffer, left = xxhash.xxh3_64(), memoryview(bytearray(min(column.size, _CHUNK))), column.size
        while left and (count := file.readinto(buffer[:left])):
            digest.update(buffer[:count])
            left -= count
        if left or digest.intdigest() != column.digest:
            raise ValueError(path)
    return np.memmap(path, dtype, "r", column.start, column.shape).view(np.ndarray)


def pack_others(connection: sqlite3.Connection, scan: int) -> None:
    """Pack the columns of all other scans of the same folders that are not packed yet.

    Their contents of fillings are deleted: a later scan reuses only those of the newest scan. Without room on the disk
    they stay as they are.
    """
    query = "SELECT id FROM scan WHERE id != :scan AND roots = (SELECT roots FROM scan WHERE id = :scan)"
    for (other,) in connection.execute(query, {"scan": scan}).fetchall():
        with contextlib.suppress(ValueError, TypeError, OSError):  # a damaged one stays as it is
            if not all(column.packed for column in _stored_columns(connection, other, "TRUE").values()):
                columns = load_columns(connection, other, "name NOT GLOB 'contents*'")
                store_columns(connection, other, columns, packed=True)
                connection.execute("DELETE FROM scan_column WHERE scan = ? AND name GLOB 'contents*'", (other,))


def remove_unused(connection: sqlite3.Connection) -> None:
    """Remove segments to which no row refers, and what was left of one whose writing was cut off.

    A segment stays while the rows that referred to it could come back after a power cut, and on Windows while a process
    has it mapped; a later call removes it, also after an error, as of a full disk. Only the process that may write
    calls this.
    """
    library = library_path(connection)
    # A damaged row may refer to any segment.
    with contextlib.suppress(ValueError, TypeError, OSError, sqlite3.OperationalError):
        used = {StoredColumn.of(data).segment for (data,) in connection.execute("SELECT data FROM scan_column")}
        unused = cut_off(library)
        unused += [path for segment, path in files(library).items() if segment not in used]
        if unused:
            _, logged, flushed = connection.execute("PRAGMA wal_checkpoint").fetchone()
            for path in unused if logged == flushed else []:
                with contextlib.suppress(OSError):
                    path.unlink()


def of_scans(connection: sqlite3.Connection) -> dict[int, Path]:
    """Return the path of the segment of each finished scan."""
    library = library_path(connection)
    rows = connection.execute("SELECT scan, data FROM scan_column ORDER BY scan")
    return {scan: _path_of(library, StoredColumn.of(data).segment) for scan, data in rows}


def scans_with_damage(connection: sqlite3.Connection) -> list[int]:
    """Return the scans with a column that is missing or has other bytes than were written."""
    scans = []
    for (scan,) in connection.execute("SELECT DISTINCT scan FROM scan_column").fetchall():
        try:
            load_columns(connection, scan)
        except (DamagedPart, OSError):
            scans.append(int(scan))
    return scans
