"""The person's decisions, stored in a file beside the library, so that they survive when it is damaged or cleared."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from dupfinder.base.errors import DecisionsDamaged, LibraryDamaged
from dupfinder.library import store

Result = TypeVar("Result")
_AT_ONCE: Final = 100_000  # decisions stored in one transaction
_TABLES = (
    "CREATE TABLE IF NOT EXISTS decision"
    " (path BLOB PRIMARY KEY, content TEXT NOT NULL, decision INTEGER NOT NULL, checksum BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS verdict (id BLOB PRIMARY KEY, body TEXT NOT NULL)",
    # the damaged files, renamed, that `check` has reported
    "CREATE TABLE IF NOT EXISTS reported (name BLOB PRIMARY KEY)",
)


class Decision(IntEnum):
    """What the reviewer wants of a document.

    REMOVE_PART: remove it, as its text is in a longer one that stays. REMOVE_COPY: on disk only, REMOVE of a document
    with a copy that was to stay; without one it does not hold in later scans, even if a version stays.
    """

    UNDECIDED = 0
    KEEP = 1
    REMOVE = 2
    REMOVE_PART = 3
    REMOVE_COPY = 4


MARKS: Final = (Decision.REMOVE, Decision.REMOVE_PART, Decision.REMOVE_COPY)


class VerdictKind(IntEnum):
    """The reviewer's statement on a set of documents.

    REVIEWED: the group was looked at. APART: the documents of a group are no duplicates. NOT_A_FORM: they are not
    fillings of one form. PAIR_APART: these two are no duplicates of each other, whatever group they are in.
    """

    REVIEWED = 1
    APART = 2
    NOT_A_FORM = 3
    PAIR_APART = 4


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict. kind: a VerdictKind. documents: (path, content hash in hexadecimal), ascending."""

    kind: int
    documents: tuple[tuple[str, str], ...]

    def body(self) -> str:
        """Return the verdict as text; equal for equal verdicts."""
        # The second field was used by earlier versions. Names that are not valid text are escaped.
        return json.dumps([self.kind, None, self.documents])


class Decisions:
    """The file of decisions, by path and content hash, and of verdicts, by the hash of their text.

    Each row has a checksum; rows that fail it are ignored. A damaged file is renamed and a new one begun. What was lost
    is reported by `check`. Raises DiskFullError, LibraryLocked, LibraryUnreachable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._whole: tuple[int, int, int] | None = None  # the state of the file when it was last seen undamaged
        with store.faults(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for a block; create it if it is missing. Raises LibraryDamaged."""
        with store.faults(self.path):
            if not self.path.exists():
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            with contextlib.closing(sqlite3.connect(self.path, isolation_level=None, timeout=10.0)) as connection:
                connection.text_factory = lambda stored: stored.decode("utf-8", "replace")  # a checksum reveals damage
                unseen = store.state_of(self.path) != self._whole
                if unseen and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                    raise LibraryDamaged(self.path)
                for table in _TABLES:
                    connection.execute(table)
                yield connection
            self._whole = store.state_of(self.path)

    def check(self) -> None:
        """Raise DecisionsDamaged, once, if rows or the file were lost since the last call. Delete damaged rows."""
        if not (self.path.exists() or store.files_put_aside(self.path)):
            return

        def write(connection: sqlite3.Connection) -> tuple[list[Path], int]:
            known = {name for (name,) in connection.execute("SELECT name FROM reported")}
            files = [path for path in store.files_put_aside(self.path) if os.fsencode(path.name) not in known]
            connection.executemany("INSERT INTO reported VALUES (?)", [(os.fsencode(path.name),) for path in files])
            return files, _delete_damaged(connection)

        files, rows = self._change(write)
        if files or rows:
            raise DecisionsDamaged(self.path, files[-1] if files else None)

    def load(self) -> dict[str, tuple[str, int]]:
        """Return all decisions: path as text -> (content hash in hexadecimal, decision)."""
        rows = self._rows("SELECT path, content, decision, checksum FROM decision")
        return {os.fsdecode(path): (content, decision) for path, content, decision, _ in filter(_is_whole, rows)}

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none if the file is damaged or missing. A missing file is not created."""
        if not self.path.exists():
            return []
        try:
            with self._open() as connection:
                return connection.execute(query).fetchall()
        except LibraryDamaged:
            store.put_aside(self.path)
            return []

    def store(self, rows: Iterable[tuple[Path | str, str, int]]) -> None:
        """Store decisions, as (path, content hash, decision). Decision 0, undecided, deletes the stored one.

        More than _AT_ONCE are stored in several transactions, so that they need not be in memory together.
        """
        remaining = iter(rows)
        while piece := list(itertools.islice(remaining, _AT_ONCE)):
            self._store({os.fsencode(path): (content, decision) for path, content, decision in piece})

    def _store(self, decisions: dict[bytes, tuple[str, int]]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            values = ((path, *row, _checksum(path, *row)) for path, row in decisions.items() if row[1])
            connection.executemany("INSERT OR REPLACE INTO decision VALUES (?,?,?,?)", values)
            undecided = ((path,) for path, (_, decision) in decisions.items() if not decision)
            connection.executemany("DELETE FROM decision WHERE path = ?", undecided)

        self._change(write)

    def _change(self, write: Callable[[sqlite3.Connection], Result]) -> Result:
        """Change the file, or a new one in place of a damaged one, in one transaction. Return the result of `write`."""
        try:
            return self._transact(write)
        except LibraryDamaged:
            store.put_aside(self.path)
            return self._transact(write)

    def _transact(self, write: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._open() as connection, store.transaction(connection):
            return write(connection)

    def verdicts(self) -> list[StoredVerdict]:
        """Return all verdicts that are undamaged."""
        rows = self._rows("SELECT id, body FROM verdict")
        bodies = [json.loads(body) for key, body in sorted(filter(_is_whole_verdict, rows))]
        return [
            StoredVerdict(kind, tuple((path, content) for path, content in documents))
            for kind, container, documents in bodies
            if container is None  # earlier versions stored what is inside another document
        ]

    def store_verdicts(self, added: Iterable[StoredVerdict], dropped: Iterable[StoredVerdict] = ()) -> None:
        new = [(_digest(verdict.body()), verdict.body()) for verdict in added]
        old = [(_digest(verdict.body()),) for verdict in dropped]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM verdict WHERE id = ?", old)
            connection.executemany("INSERT OR REPLACE INTO verdict VALUES (?,?)", new)

        self._change(write)

    def documents(self) -> set[tuple[str, str]]:
        """Return all documents with a decision or in a verdict, as (path, content hash)."""
        decided = {(path, content) for path, (content, _) in self.load().items()}
        return decided.union(*(verdict.documents for verdict in self.verdicts()))

    def follow(self, moved: Mapping[tuple[str, str], str]) -> None:
        """Store the decisions on moved files under their new paths. moved: (path, content hash) -> new path."""
        decided = self.load()
        followed = [(path, new, *decided[path]) for (path, content), new in moved.items()
                    if path in decided and decided[path][0] == content]  # fmt: skip
        occupied = {new for _, new, _, _ in followed}  # a file may be where another was
        former = [(path, content, Decision.UNDECIDED) for path, _, content, _ in followed if path not in occupied]
        self.store([*((new, content, decision) for _, new, content, decision in followed), *former])
        for verdict in self.verdicts():
            documents = tuple(sorted((moved.get(document, document[0]), document[1]) for document in verdict.documents))
            if documents != verdict.documents:
                self.store_verdicts([replace(verdict, documents=documents)], [verdict])


def _digest(body: str) -> bytes:
    """Return the key of a verdict, which is its checksum too: 16 bytes."""
    return hashlib.blake2b(body.encode("utf-8", "replace"), digest_size=16).digest()


def _is_whole(row: tuple[object, ...]) -> bool:
    """Tell whether a row of decisions, (path, content, decision, checksum), matches its checksum."""
    match row:
        case (bytes(path), str(content), int(decision), checksum):
            return checksum == _checksum(path, content, decision)
    return False


def _is_whole_verdict(row: tuple[object, ...]) -> bool:
    """Tell whether a row of verdicts, (key, body), matches its key, which is its checksum."""
    key, body = row
    return isinstance(body, str) and key == _digest(body)


def _delete_damaged(connection: sqlite3.Connection) -> int:
    """Delete the rows that do not match their checksums, and return how many."""
    rows = connection.execute("SELECT rowid, path, content, decision, checksum FROM decision").fetchall()
    decisions = [(number,) for number, *row in rows if not _is_whole(tuple(row))]
    connection.executemany("DELETE FROM decision WHERE rowid = ?", decisions)
    rows = connection.execute("SELECT rowid, id, body FROM verdict").fetchall()
    verdicts = [(number,) for number, *row in rows if not _is_whole_verdict(tuple(row))]
    connection.executemany("DELETE FROM verdict WHERE rowid = ?", verdicts)
    return len(decisions) + len(verdicts)


def _checksum(path: bytes, content: str, decision: int) -> bytes:
    """Return the checksum of a decision: 8 bytes."""
    return hashlib.blake2b(b"%b\0%b\0%d" % (path, content.encode(), decision), digest_size=8).digest()
