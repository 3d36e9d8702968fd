"""Repair of a library with damaged rows: only these are deleted, and only their documents are read again."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from dupfinder.base.errors import LibraryDamaged, Part
from dupfinder.library import seals, store

log = logging.getLogger(__name__)


def damaged_parts(connection: sqlite3.Connection) -> list[Part]:
    """List what is damaged: parts of the database, or the damaged rows and the scans that lack some of their files."""
    rows = connection.execute("PRAGMA integrity_check(10)").fetchall()
    if messages := [str(row[0]) for row in rows if row[0] != "ok"]:
        log.warning("integrity_check: %s", "; ".join(messages))
        return [*dict.fromkeys(_part_of(message) for message in messages)]
    return [*_parts(seals.damaged(connection), _incomplete(connection))]


def _part_of(message: str) -> Part:
    """Return the part of the database that a message of SQLite's integrity_check is about."""
    if "index" in message:  # "row 3 missing from index i"
        return Part("index")
    is_value = "value" in message or "constraint" in message  # "NULL value in t.a", "CHECK constraint failed in t"
    return Part("values" if is_value else "pages")


def mending(
    path: Path, work: Callable[[], int], on_put_aside: Callable[[Path], None], on_repaired: Callable[[list[Part]], None]
) -> int:
    """Do `work` with a library; if it raises LibraryDamaged, delete the damaged rows and do it again.

    on_repaired receives what was deleted. A library that still cannot be used is renamed, on_put_aside
    receives its new path, and `work` begins a new library.
    """
    try:
        return work()
    except LibraryDamaged:
        parts = _repaired(path)
    if parts:
        on_repaired(parts)
        with contextlib.suppress(LibraryDamaged):
            return work()
    with store.Hold(path).held():
        on_put_aside(store.put_aside(path))
    return work()


def _repaired(path: Path) -> list[Part]:
    """Return what `repair` deleted; empty if it failed."""
    try:
        return repair(path)
    except LibraryDamaged:
        return []


def repair(path: Path) -> list[Part]:
    """Delete the damaged rows of a library and the scans that are incomplete without them; return what was damaged.

    Undamaged documents stay known. Raises LibraryDamaged when the file cannot be repaired, LibraryLocked.
    """
    with store.Hold(path).held(), store.faults(path), contextlib.closing(store.connect(path, write=True)) as connection:
        damaged = seals.damaged(connection)
        incomplete = _incomplete(connection)
        with store.Transaction(connection):
            _drop(connection, damaged, incomplete)
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
        elif table.startswith("scan"):
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
    """Return finished scans that lack rows, or documents without their sketch."""
    query = (
        "SELECT s.id FROM scan s WHERE s.state = 'done' AND s.offered != (SELECT count(*) FROM scan_document x"
        " JOIN document d ON d.id = x.document WHERE x.scan = s.id AND"
        " (d.shingles = 0 OR EXISTS (SELECT 1 FROM sketch k WHERE k.document = d.id)))"
    )
    return [int(row[0]) for row in connection.execute(query)]


def _first_column(connection: sqlite3.Connection, query: str, key: int | str) -> set[int | str]:
    """Return the first column of a query's rows."""
    return {row[0] for row in connection.execute(query, (key,))}


def _parts(damaged: list[tuple[str, tuple[int | str, ...]]], incomplete: list[int]) -> list[Part]:
    """Return the documents and scans that some rows belong to, each once."""
    rows = ((_kind(table), int(key[0])) for table, key in damaged)
    return [*dict.fromkeys(Part(kind, number) for kind, number in (*rows, *(("scan", scan) for scan in incomplete)))]


def _kind(table: str) -> str:
    """Return the kind of part that a row of this table belongs to."""
    return "document" if table in ("document", "sketch") else "scan"
