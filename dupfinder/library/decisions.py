"""The person's decisions, apart from the library, so that a damaged or cleared library does not take them along."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from dupfinder.base.errors import LibraryDamaged
from dupfinder.library import store
from dupfinder.library.rows import stored_path


class Decisions:
    """Path -> (content hash, decision), each row with a checksum; a row that fails it counts as not there.

    A damaged file is put aside. Raises DiskFullError, LibraryLocked, LibraryUnreachable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with store.faults(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with store.faults(self.path), contextlib.closing(self._connected()) as connection:
            yield connection

    def _connected(self) -> sqlite3.Connection:
        with store.faults(self.path):
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            connection = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
            connection.text_factory = _text
            try:
                if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                    raise LibraryDamaged(self.path, None)
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS decision"
                    " (path BLOB PRIMARY KEY, content TEXT NOT NULL, decision INTEGER NOT NULL, checksum BLOB NOT NULL)"
                )
            except BaseException:
                connection.close()
                raise
        return connection

    def load(self) -> dict[str, tuple[str, int]]:
        """Path as text -> (content hash in hexadecimal, decision)."""
        try:
            with self._open() as connection:
                rows = connection.execute("SELECT path, content, decision, checksum FROM decision").fetchall()
        except LibraryDamaged:
            store.put_aside(self.path)
            return {}
        return {
            os.fsdecode(path): (content, decision)
            for path, content, decision, checksum in rows
            if isinstance(path, bytes) and isinstance(content, str) and isinstance(decision, int)
            if checksum == _checksum(path, content, decision)
        }

    def store(self, rows: Iterable[tuple[Path, str, int]]) -> None:
        """Remember decisions as (path, content hash, decision); 0, undecided, is forgotten."""
        kept = tuple(rows)
        try:
            self._store(kept)
        except LibraryDamaged:
            store.put_aside(self.path)
            self._store(kept)

    def _store(self, rows: Iterable[tuple[Path, str, int]]) -> None:
        with self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            for path, content, decision in rows:
                key = stored_path(path)
                if decision:
                    values = (key, content, decision, _checksum(key, content, decision))
                    connection.execute("INSERT OR REPLACE INTO decision VALUES (?,?,?,?)", values)
                else:
                    connection.execute("DELETE FROM decision WHERE path = ?", (key,))
            connection.execute("COMMIT")


def _text(stored: bytes) -> str:
    """Damaged text as some text: its checksum tells."""
    return stored.decode("utf-8", "replace")


def _checksum(path: bytes, content: str, decision: int) -> bytes:
    return hashlib.blake2b(b"%b\0%b\0%d" % (path, content.encode(), decision), digest_size=8).digest()
