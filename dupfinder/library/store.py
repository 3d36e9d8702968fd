"""The library's file: check its path, open, lock, repair, rename and remove it; the errors of a damaged or newer one.

The path is checked so that a file that is not a library is never used as one. Repairing deletes the damaged rows, and
only their documents are read again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import sqlite3
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from dupfinder.base.details import error_name
from dupfinder.base.errors import (
    DiskFullError,
    DupfinderError,
    Fault,
    LibraryDamaged,
    LibraryLocked,
    LibraryMissing,
    LibraryPart,
    LibraryTooNew,
    LibraryUnreachable,
    NotALibrary,
)
from dupfinder.base.files import Lock, LockTaken, raising_disk_full
from dupfinder.base.paths import default_library
from dupfinder.library import schema, seals, segments
from dupfinder.library.schema import APPLICATION_ID

_log = logging.getLogger(__name__)


def damaged_parts(connection: sqlite3.Connection) -> list[LibraryPart]:
    """List what is damaged: parts of the database, or the documents and scans with damaged or missing rows."""
    rows = connection.execute("PRAGMA integrity_check(10)").fetchall()
    if messages := [str(row[0]) for row in rows if row[0] != "ok"]:
        _log.warning("integrity_check: %s", "; ".join(messages))
        return [*dict.fromkeys(_part_of(message) for message in messages)]
    return _parts(seals.damaged_rows(connection), _incomplete(connection))


def _part_of(message: str) -> LibraryPart:
    """Return the part of the database that a message of SQLite's integrity_check is about."""
    if "index" in message:  # "row 3 missing from index i"
        return LibraryPart("index")
    is_value = "value" in message or "constraint" in message  # "NULL value in t.a", "CHECK constraint failed in t"
    return LibraryPart("values" if is_value else "pages")


def with_repair(
    path: Path,
    work: Callable[[], int],
    on_put_aside: Callable[[Path], None],
    on_repaired: Callable[[list[LibraryPart]], None],
) -> int:
    """Do `work` with a library; if it raises LibraryDamaged, delete the damaged rows and do it again.

    on_repaired receives what was deleted. A library that still cannot be used is renamed, on_put_aside receives its new
    path, and `work` begins a new library.
    """
    parts: list[LibraryPart] = []
    try:
        return work()
    except LibraryDamaged:
        with contextlib.suppress(LibraryDamaged):
            parts = repair(path)
    if parts:
        on_repaired(parts)
        with contextlib.suppress(LibraryDamaged):
            return work()
    with WriteLock(path).held():
        on_put_aside(put_aside(path))
    return work()


def repair(path: Path) -> list[LibraryPart]:
    """Delete the damaged rows of a library and the scans that are incomplete without them; return what was damaged.

    Undamaged documents stay known. Raises LibraryDamaged when the file cannot be repaired, LibraryLocked.
    """
    with WriteLock(path).held(), faults(path), contextlib.closing(connect(path, write=True)) as connection:
        damaged = seals.damaged_rows(connection)
        incomplete = _incomplete(connection)
        with transaction(connection):
            _drop(connection, damaged, incomplete)
        segments.remove_unused(connection)
    return _parts(damaged, incomplete)


def _drop(
    connection: sqlite3.Connection, damaged: list[tuple[str, tuple[int | str, ...]]], incomplete: list[int]
) -> None:
    """Delete damaged rows and incomplete scans, and what refers to deleted documents."""
    scans: set[int | str] = set(incomplete)
    documents: set[int | str] = set()
    for table, key in damaged:
        if table in ("document", "sketch"):
            documents.add(key[0])
        elif table == "file_hash":
            connection.execute("DELETE FROM file_hash WHERE scan = ? AND part = ?", key)
        else:
            scans.add(key[0])
    for document in tuple(documents):
        documents |= _first_column(connection, "SELECT id FROM document WHERE archive = ?", document)
    for document in documents:
        scans |= _first_column(connection, "SELECT scan FROM scan_document WHERE document = ?", document)
    for scan in scans:
        for table in ("scan_document", "scan_column"):
            connection.execute(f"DELETE FROM {table} WHERE scan = ?", (scan,))
        connection.execute("DELETE FROM scan WHERE id = ?", (scan,))
    for document in documents:
        connection.execute("DELETE FROM sketch WHERE document = ?", (document,))
        connection.execute("DELETE FROM document WHERE id = ?", (document,))


def _incomplete(connection: sqlite3.Connection) -> list[int]:
    """Return the finished scans that lack rows or columns, or have documents without a sketch."""
    query = (
        "SELECT s.id FROM scan s WHERE s.state = 'done' AND s.offered != (SELECT count(*) FROM scan_document x"
        " JOIN document d ON d.id = x.document WHERE x.scan = s.id AND"
        " (d.shingles = 0 OR EXISTS (SELECT 1 FROM sketch k WHERE k.document = d.id)))"
    )
    return [*(int(row[0]) for row in connection.execute(query)), *segments.scans_with_damage(connection)]


def _first_column(connection: sqlite3.Connection, query: str, key: int | str) -> set[int | str]:
    return {row[0] for row in connection.execute(query, (key,))}


def _parts(damaged: list[tuple[str, tuple[int | str, ...]]], incomplete: list[int]) -> list[LibraryPart]:
    """Return the documents and scans that some rows belong to, each once."""
    parts = [("document" if table in ("document", "sketch") else "scan", int(key[0])) for table, key in damaged]
    parts += [("scan", scan) for scan in incomplete]
    return [LibraryPart(kind, number) for kind, number in dict.fromkeys(parts)]


_MAGIC: Final = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html, 1.3
_ID_AT: Final = 68
# Files beside a database, and tests of their content: log, rollback journal, shared memory; the files of WriteLock.
_COMPANIONS: Final[dict[str, Callable[[IO[bytes]], bool]]] = {
    "-wal": lambda file: file.read(4) in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-journal": lambda file: file.read(8) in (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", bytes(8)),
    "-shm": lambda file: len(file.read(32_768)) == 32_768,
    ".lock": lambda _: False,  # it has no content
    ".holder": lambda file: file.read(21).isdigit(),
}


def is_library(file: IO[bytes]) -> bool:
    """Tell whether a file begins as a library: an SQLite database with dupfinder's application id."""
    head = file.read(_ID_AT + 4)
    return head.startswith(_MAGIC) and head[_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")


def check_library(path: Path, *, write: bool, force: bool) -> None:
    """Check that `path` may be opened as a library, before it is opened. A missing file passes.

    The file must be empty (as when the program was killed while creating it) or begin as a library. With `force` any
    file passes, since it is put aside later. The default library passes too: its place belongs to dupfinder.
    For writing it must not be a link, and a file beside it with a name that SQLite or the lock uses must be their file.
    Raises NotALibrary, LibraryUnreachable.
    """
    with faults(path):
        with contextlib.suppress(FileNotFoundError):
            status = os.lstat(path) if write and not _is_default(path) else os.stat(path)
            _check_kind(path, status)
            if status.st_size and not force and not _begins_as(path, is_library) and not _is_default(path):
                raise NotALibrary(path)
        if write and not _is_default(path):
            _check_companions(path)


def check_removable(path: Path) -> None:
    """Check that the file at `path` is a library by its content, wherever it is. Raises as `check_library`."""
    with faults(path):
        _check_kind(path, os.lstat(path))
        if not _begins_as(path, is_library):
            raise NotALibrary(path)
        _check_companions(path)


def _check_kind(path: Path, status: os.stat_result) -> None:
    """Raise LibraryUnreachable unless the file is a regular file."""
    if stat.S_ISLNK(status.st_mode):
        raise LibraryUnreachable(path, Fault.IS_LINK)
    if stat.S_ISDIR(status.st_mode):
        raise LibraryUnreachable(path, Fault.IS_FOLDER)
    if not stat.S_ISREG(status.st_mode):
        raise LibraryUnreachable(path, Fault.NOT_ORDINARY)


def _check_companions(path: Path) -> None:
    """Raise NotALibrary for a file beside the library that has the name of a companion but not its content."""
    for ending, is_companion in _COMPANIONS.items():
        companion = path.with_name(path.name + ending)
        if not os.path.lexists(companion):
            continue
        _check_kind(companion, os.lstat(companion))
        if companion.stat().st_size and not _begins_as(companion, is_companion):
            raise NotALibrary(companion)


def _begins_as(path: Path, is_ours: Callable[[IO[bytes]], bool]) -> bool:
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        return is_ours(file)


def _is_default(path: Path) -> bool:
    """Tell whether this is the library that is used when none is named."""
    try:
        return path == default_library()
    except OSError:
        return False  # its folder cannot be created


_FAULTS: Final = {
    sqlite3.SQLITE_CANTOPEN: Fault.NOT_OPENED,
    sqlite3.SQLITE_READONLY: Fault.READ_ONLY,
    sqlite3.SQLITE_PERM: Fault.NO_ACCESS,
    sqlite3.SQLITE_IOERR: Fault.DISK_ERROR,
}
QUICK_CHECK_BYTES = 64 << 20  # larger libraries are not checked when they are opened; this takes 0.1 to 0.2 s
_LEAST_ROOM: Final = 1 << 20  # bytes that one write may need, for the log and its index
_ENDINGS: Final = ("", "-wal", "-shm", "-journal")


class WriteLock(Lock):
    """The lock to write a library, held by one process at a time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.with_name(path.name + ".lock"), path.with_name(path.name + ".holder"))
        self._path = path

    def take(self) -> None:
        """Take the lock. Raises LibraryLocked, with the holder's process id; LibraryUnreachable, DiskFullError."""
        try:
            with faults(self._path):
                super().take()
        except LockTaken as other:
            raise LibraryLocked(self._path, other.holder) from None


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do a block in one transaction, which is rolled back on an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:  # a COMMIT that fails, as on a full disk, may leave the transaction open
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Return an open, checked connection. For writing, a missing file is created with mode 0600.

    An older library is migrated to the newest schema, for reading too.

    Raises LibraryMissing (reading only), LibraryTooNew, LibraryDamaged (the file stays as it is), LibraryUnreachable,
    LibraryLocked (while another process migrates it), DiskFullError.
    """
    if write:
        with faults(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    elif not is_there(path):
        raise LibraryMissing(path)
    elif _is_older(path):
        try:
            with WriteLock(path).held():
                connect(path, write=True).close()
        except LibraryLocked:
            if _is_older(path):  # otherwise the process that has the lock has migrated it
                raise
        except LibraryUnreachable:  # migrating writes
            raise LibraryUnreachable(path, Fault.READ_ONLY) from None
    with reading_faults(path):
        connection = open_connection(path)
        seals.register(connection)
        try:
            _prepare(connection, path, write=write)
        except BaseException:  # also a stop: no connection may stay open
            connection.close()
            raise
    return connection


class _Unchanging(sqlite3.Connection):
    """A connection for which SQLite assumes that the file does not change. Closing it raises LibraryLocked if it did.

    What was read may then mix two states of the library.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._before = path, state_of(path)
        super().__init__(path.absolute().as_uri() + "?immutable=1", isolation_level=None, uri=True)

    def close(self) -> None:
        super().close()
        if state_of(self._path) != self._before:
            raise LibraryLocked(self._path, None)


def state_of(path: Path) -> tuple[int, int, int] | None:
    """Return inode, size and time of change of a file, by which an edit shows; None if it is missing."""
    with contextlib.suppress(FileNotFoundError):
        status = path.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns
    return None


def open_connection(path: Path) -> sqlite3.Connection:
    """Return a connection to a library; an _Unchanging one if its folder is read-only and has no log of SQLite.

    Any other connection would create a log there, even for reading.
    """
    log_path = path.with_name(path.name + "-wal")
    if os.access(path.parent, os.W_OK) or (log_path.exists() and log_path.stat().st_size):
        return sqlite3.connect(path, isolation_level=None, timeout=10.0)
    return _Unchanging(path)


def is_there(path: Path) -> bool:
    """Tell whether there is a file at the path. Raises LibraryUnreachable if that cannot be found out."""
    with faults(path):
        return path.exists()


def _is_older(path: Path) -> bool:
    with reading_faults(path), contextlib.closing(open_connection(path)) as connection:
        return 0 < schema.version_of(connection) < schema.VERSION


def _prepare(connection: sqlite3.Connection, path: Path, *, write: bool) -> None:
    """Check an open library, and for writing migrate it. Raises as `connect`."""
    version = schema.version_of(connection)
    if version > schema.VERSION:
        raise LibraryTooNew(path, version, schema.VERSION)
    if version and connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
        raise LibraryDamaged(path)
    if path.stat().st_size <= QUICK_CHECK_BYTES and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise LibraryDamaged(path)
    if write:
        schema.mark(connection)  # before the log is used, so that after a kill the file is recognised as a library
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # with WAL safe against a kill, and no sync for each batch
        connection.execute("PRAGMA foreign_keys = ON")
        schema.migrate(connection)
        seals.create_triggers(connection)
        segments.remove_unused(connection)
    elif version < schema.VERSION:  # an empty file: an older library was migrated by `connect`
        raise LibraryMissing(path)


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system in the block into the library's errors, which carry the path."""
    try:
        with raising_disk_full(path):
            yield
    except sqlite3.ProgrammingError:
        raise  # a fault of the program, not of the file
    except sqlite3.DatabaseError as error:
        raise _error_of(path, error) from error
    except UnicodeDecodeError as error:
        raise LibraryDamaged(path) from error
    except OSError as error:
        raise LibraryUnreachable(path, Fault.UNREADABLE, reason=error_name(error)) from error


@contextlib.contextmanager
def reading_faults(path: Path) -> Iterator[None]:
    """Do as `faults`, and raise LibraryDamaged also for values of another type or form than dupfinder writes."""
    with faults(path):
        try:
            yield
        except (ValueError, TypeError, LookupError, OverflowError, EOFError, zlib.error) as error:
            raise LibraryDamaged(path, error.part if isinstance(error, seals.DamagedPart) else None) from error


def _error_of(path: Path, error: sqlite3.DatabaseError) -> DupfinderError:
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # absent when text is not decodable
    code = extended & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _has_no_room(path)):
        return DiskFullError(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):  # the last: a lock of the log
        return LibraryLocked(path, None)
    fault = _FAULTS.get(code)
    return LibraryDamaged(path) if fault is None else LibraryUnreachable(path, fault)


def _has_no_room(path: Path) -> bool:
    """Tell whether the disk of the library has less free space than one write needs; False if it cannot be asked."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free < _LEAST_ROOM
    return False


def put_aside(path: Path) -> Path:
    """Rename all files of a damaged library, and return the new path. Nothing is deleted."""
    name = f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    new_path, number = path.with_name(name), 1
    while new_path.exists():
        number += 1
        new_path = path.with_name(f"{name}-{number}")
    with faults(path):
        for file in _files(path):
            file.rename(new_path.with_name(new_path.name + file.name.removeprefix(path.name)))
    return new_path


def files_put_aside(path: Path) -> list[Path]:
    """Return the files to which `put_aside` renamed the file at `path`, oldest first."""
    pattern = re.compile(re.escape(path.name) + r"\.damaged-\d{8}-\d{6}(-\d+)?")
    with faults(path):
        return sorted(file for file in path.parent.iterdir() if pattern.fullmatch(file.name))


def size_on_disk(path: Path) -> int:
    """Return the size of all files of a library, in bytes; 0 for a missing one."""
    total = 0
    for file in _files(path):
        with contextlib.suppress(FileNotFoundError):  # another process may remove what it no longer needs
            total += file.stat().st_size
    return total


def _files(path: Path) -> list[Path]:
    """Return the files of a library: the database, what SQLite has beside it, and segments, also unfinished."""
    companions = (path.with_name(path.name + ending) for ending in _ENDINGS)
    return [*(file for file in companions if file.exists()), *segments.files(path).values(), *segments.cut_off(path)]


def delete(path: Path) -> int:
    """Remove a library and its files beside it. Return the bytes freed.

    Raises NotALibrary when its content is not a library's, LibraryUnreachable, LibraryLocked when a process holds it.
    """
    freed = 0
    check_removable(path)
    with WriteLock(path).held():
        for file in _files(path):
            freed += file.stat().st_size
            file.unlink()
    return freed
