"""Repair of a library of which rows are damaged: they alone are dropped, and only their documents are read again."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from dupfinder.base.errors import LibraryDamaged
from dupfinder.library import seals, store


def complaints(connection: sqlite3.Connection) -> list[str]:
    """Name what is wrong: in SQLite's words, or each damaged row and each scan that lacks some of its files."""
    rows = connection.execute("PRAGMA integrity_check(10)").fetchall()
    if said := [str(row[0]) for row in rows if row[0] != "ok"]:
        return said
    names = [_name(table, key) for table, key in seals.damaged(connection)]
    return [*dict.fromkeys(names), *(f"scan {scan}" for scan in _incomplete(connection))]


def mending(
    path: Path, work: Callable[[], int], on_put_aside: Callable[[Path], None], on_repaired: Callable[[list[str]], None]
) -> int:
    """Do `work` with a library; where that meets damage, drop the damaged rows and do it again.

    A library that cannot be used without them either is put aside whole, and work begins a new one.
    """
    try:
        return work()
    except LibraryDamaged:
        names = _repaired(path)
    if names:
        on_repaired(names)
        with contextlib.suppress(LibraryDamaged):
            return work()
    with store.Hold(path).held():
        on_put_aside(store.put_aside(path))
    return work()


def _repaired(path: Path) -> list[str]:
    """The names of what `repair` dropped; empty where it could not."""
    try:
        return repair(path)
    except LibraryDamaged:
        return []


def repair(path: Path) -> list[str]:
    """Drop what is damaged in a library, with the scans that are not whole without it; the names of what was damaged.

    Documents that are whole stay known. Raises LibraryDamaged when the file cannot be repaired, LibraryLocked.
    """
    with store.Hold(path).held(), store.faults(path), contextlib.closing(store.connect(path, write=True)) as connection:
        damaged = seals.damaged(connection)
        incomplete = _incomplete(connection)
        with store.Transaction(connection):
            _drop(connection, damaged, incomplete)
    names = [_name(table, key) for table, key in damaged]
    return [*dict.fromkeys(names), *(f"scan {scan}" for scan in incomplete)]


def _drop(
    connection: sqlite3.Connection, damaged: list[tuple[str, tuple[int | str, ...]]], incomplete: list[int]
) -> None:
    scans: set[int | str] = set(incomplete)
    documents: set[int | str] = set()
    for table, key in damaged:
        if table in ("document", "sketch"):
            documents.add(key[0])
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
    """Finished scans that lack rows, or documents that lack their sketch."""
    query = (
        "SELECT s.id FROM scan s WHERE s.state = 'done' AND s.offered != (SELECT count(*) FROM scan_document x"
        " JOIN document d ON d.id = x.document WHERE x.scan = s.id AND"
        " (d.shingles = 0 OR EXISTS (SELECT 1 FROM sketch k WHERE k.document = d.id)))"
    )
    return [int(row[0]) for row in connection.execute(query)]


def _first_column(connection: sqlite3.Connection, query: str, key: int | str) -> set[int | str]:
    return {row[0] for row in connection.execute(query, (key,))}


def _name(table: str, key: tuple[int | str, ...]) -> str:
    """What a person knows the row as: its document, its scan, or a passage."""
    if table in ("document", "sketch"):
        return f"document {key[0]}"
    return f"scan {key[0]}" if table.startswith("scan") else "a passage that stands in many files"
