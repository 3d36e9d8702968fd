"""The library's file: opening it, holding it, and what to do when it is damaged, too new or on a full disk."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import filelock

from dupfinder.base.errors import (
    DiskFullError,
    DupfinderError,
    LibraryDamaged,
    LibraryLocked,
    LibraryMissing,
    LibraryTooNew,
    LibraryUnreachable,
)
from dupfinder.library import schema, seals
from dupfinder.library.place import check_removable

QUICK_CHECK_BYTES = 256 << 20  # up to here a whole check at opening takes well under a second
_COMPANIONS = ("", "-wal", "-shm", "-journal")


class Hold:
    """The right to write a library, held by one process at a time; it falls with the process, so it cannot go stale."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = filelock.FileLock(f"{path}.lock", mode=0o600)
        self._holder = path.with_name(path.name + ".holder")

    def take(self) -> None:
        """LibraryLocked, with the holder's process id, when another process has it."""
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise LibraryLocked(self._path, self._read_holder()) from None
        with open(os.open(self._holder, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as stream:
            stream.write(str(os.getpid()))

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold it for the length of a block."""
        self.take()
        try:
            yield
        finally:
            self.release()

    def release(self) -> None:
        """Give it back; harmless when it was not taken."""
        if self._lock.is_locked:
            self._holder.unlink(missing_ok=True)
            self._lock.release()

    def _read_holder(self) -> int | None:
        try:
            return int(self._holder.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None


class Transaction:
    """All or nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """An open, checked connection. For writing the file is made, with mode 0600.

    An older library is brought to the newest schema, for reading too unless a process holds it or it is read-only.

    Raises LibraryMissing (reading only), LibraryTooNew, LibraryDamaged (nothing was moved), LibraryUnreachable,
    DiskFullError.
    """
    if write:
        with faults(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    elif not path.exists():
        raise LibraryMissing(path)
    if not write and _is_older(path):
        with contextlib.suppress(LibraryLocked, LibraryUnreachable), Hold(path).held():
            connect(path, write=True).close()
    with reading(path):
        connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
        seals.register(connection)
        try:
            _prepare(connection, path, write=write)
        except BaseException:
            connection.close()
            raise
    return connection


def _is_older(path: Path) -> bool:
    with reading(path), contextlib.closing(sqlite3.connect(path, timeout=10.0)) as connection:
        return 0 < schema.version_of(connection) < schema.VERSION


def _prepare(connection: sqlite3.Connection, path: Path, *, write: bool) -> None:
    found = schema.version_of(connection)
    if found > schema.VERSION:
        raise LibraryTooNew(path, found, schema.VERSION)
    if found and connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
        raise LibraryDamaged(path, None)
    if path.stat().st_size <= QUICK_CHECK_BYTES and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise LibraryDamaged(path, None)
    if write:
        schema.mark(connection)  # before the log is used, so that a kill leaves a file that is known again
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # in WAL: safe against a kill, and no wait for each batch
        connection.execute("PRAGMA foreign_keys = ON")
        schema.migrate(connection)
        seals.keep(connection)
    elif found < schema.VERSION:
        raise LibraryMissing(path)


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into the library's own errors, which carry the path."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # ours, not the file's
    except sqlite3.DatabaseError as error:
        raise _said_by_sqlite(path, error) from error
    except UnicodeDecodeError as error:
        raise LibraryDamaged(path, None) from error
    except OSError as error:
        if _is_full(error):
            raise DiskFullError(path) from error
        raise LibraryUnreachable(path, (error.strerror or "the system refused").lower()) from error


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """The same for what was read and makes no sense: values of another kind than were stored are damage."""
    with faults(path):
        try:
            yield
        except (ValueError, TypeError, LookupError, OverflowError, EOFError, zlib.error) as error:
            raise LibraryDamaged(path, None, str(error) if isinstance(error, seals.DamagedPart) else "") from error


def _said_by_sqlite(path: Path, error: sqlite3.DatabaseError) -> DupfinderError:
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # absent when text is not decodable
    code = extended & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(path)):
        return DiskFullError(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryLocked(path, None)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return LibraryUnreachable(path, str(error))
    return LibraryDamaged(path, None)


def _is_full(error: OSError) -> bool:
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def _no_room(path: Path) -> bool:
    room = os.statvfs(path.parent)
    return room.f_bavail * room.f_frsize < 1 << 20


def put_aside(path: Path) -> Path:
    """Rename a damaged library and its companions out of the way; the new name is returned. Nothing is deleted."""
    name = f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    aside, number = path.with_name(name), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{name}-{number}")
    for companion in _COMPANIONS:
        part = path.with_name(path.name + companion)
        if part.exists():
            part.rename(aside.with_name(aside.name + companion))
    return aside


def remove(path: Path) -> int:
    """Remove a library and what lies beside it of its own; the bytes that went.

    Raises NotALibrary when its content is none, LibraryUnreachable, LibraryLocked when a process holds it.
    """
    gone = 0
    check_removable(path)
    with Hold(path).held():
        for companion in _COMPANIONS:
            part = path.with_name(path.name + companion)
            if part.exists():
                gone += part.stat().st_size
                part.unlink()
    return gone
