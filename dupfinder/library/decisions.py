"""The person's decisions, apart from the library, so that a damaged or cleared library does not take them along."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from dupfinder.base.errors import LibraryDamaged
from dupfinder.library import store
from dupfinder.library.rows import stored_path

_TABLES = (
    "CREATE TABLE IF NOT EXISTS decision"
    " (path BLOB PRIMARY KEY, content TEXT NOT NULL, decision INTEGER NOT NULL, checksum BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS verdict (id BLOB PRIMARY KEY, body TEXT NOT NULL)",
)


class Decision(IntEnum):
    """What the reviewer wants of a document. REMOVE_PART: remove it, since its text stays in a longer document."""

    UNDECIDED = 0
    KEEP = 1
    REMOVE = 2
    REMOVE_PART = 3


class VerdictKind(IntEnum):
    """What the reviewer said of a set of documents: that the group was looked at, that they are no duplicates, or that
    they are not fillings of one form."""

    REVIEWED = 1
    APART = 2
    NOT_A_FORM = 3


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What was said of a set of documents. documents: (path, content hash in hexadecimal), ascending."""

    kind: int
    container: str | None
    documents: tuple[tuple[str, str], ...]

    def body(self) -> str:
        """As text, the same for the same verdict."""
        return json.dumps([self.kind, self.container, self.documents])  # ASCII: names that are no text survive it


class Decisions:
    """Path -> (content hash, decision), each row with a checksum; a row that fails it counts as not there. Beside them
    verdicts on sets of documents, each under the hash of what it says.

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
                for table in _TABLES:
                    connection.execute(table)
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

    def verdicts(self) -> list[StoredVerdict]:
        """Every verdict that is whole."""
        try:
            with self._open() as connection:
                rows = connection.execute("SELECT id, body FROM verdict ORDER BY id").fetchall()
        except LibraryDamaged:
            store.put_aside(self.path)
            return []
        return [_verdict(body) for key, body in rows if isinstance(body, str) and key == _digest(body)]

    def keep_verdicts(self, added: Iterable[StoredVerdict], dropped: Iterable[StoredVerdict] = ()) -> None:
        """Remember some verdicts and forget others."""
        new, old = [one.body() for one in added], [one.body() for one in dropped]
        try:
            self._keep_verdicts(new, old)
        except LibraryDamaged:
            store.put_aside(self.path)
            self._keep_verdicts(new, ())

    def _keep_verdicts(self, added: Iterable[str], dropped: Iterable[str]) -> None:
        with self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("DELETE FROM verdict WHERE id = ?", ((_digest(body),) for body in dropped))
            connection.executemany(
                "INSERT OR REPLACE INTO verdict VALUES (?,?)", ((_digest(body), body) for body in added)
            )
            connection.execute("COMMIT")


def _verdict(body: str) -> StoredVerdict:
    kind, container, documents = json.loads(body)
    return StoredVerdict(kind, container, tuple((path, content) for path, content in documents))


def _digest(body: str) -> bytes:
    return hashlib.blake2b(body.encode("utf-8", "replace"), digest_size=16).digest()


def _text(stored: bytes) -> str:
    """Damaged text as some text: its checksum tells."""
    return stored.decode("utf-8", "replace")


def _checksum(path: bytes, content: str, decision: int) -> bytes:
    return hashlib.blake2b(b"%b\0%b\0%d" % (path, content.encode(), decision), digest_size=8).digest()
