"""The tables of the library and their migrations, one step for each version."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import zlib
from collections.abc import Callable
from typing import Final

import numpy as np

from dupfinder.library import seals, segments

APPLICATION_ID = 0x64757066  # "dupf": distinguishes a library from other SQLite files


_FIRST: Final = """
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    device INTEGER NOT NULL, inode INTEGER NOT NULL,
    revision TEXT NOT NULL,
    status TEXT NOT NULL, detail TEXT NOT NULL,
    media TEXT NOT NULL, reader TEXT NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL,
    pages INTEGER, inside_date INTEGER NOT NULL,
    content_hash BLOB NOT NULL, partial INTEGER NOT NULL,
    words INTEGER, language TEXT NOT NULL, text_hash BLOB NOT NULL,
    fingerprint INTEGER NOT NULL, has_features INTEGER NOT NULL, shingles INTEGER NOT NULL
);
CREATE INDEX document_by_path ON document (path);
CREATE TABLE sketch (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    smallest BLOB NOT NULL, parts BLOB NOT NULL,
    neighbours BLOB NOT NULL, bag BLOB NOT NULL
);
CREATE TABLE scan (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL, roots TEXT NOT NULL, revision TEXT NOT NULL, scheme TEXT NOT NULL,
    started TEXT NOT NULL, seconds REAL NOT NULL, state TEXT NOT NULL,
    offered INTEGER NOT NULL, read INTEGER NOT NULL, reused INTEGER NOT NULL, clusters INTEGER NOT NULL,
    radius INTEGER NOT NULL, min_similarity REAL NOT NULL, min_containment REAL NOT NULL,
    widest_radius INTEGER NOT NULL
);
CREATE TABLE scan_document (
    scan INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES document (id),
    protected INTEGER NOT NULL,
    PRIMARY KEY (scan, document)
) WITHOUT ROWID;
CREATE INDEX scan_document_by_document ON scan_document (document);
CREATE TABLE scan_column (
    scan INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (scan, name)
)
"""


_BOILERPLATE: Final = ""  # version 6 removes the tables that libraries of earlier programs got here
# archive: the archive of which a document is a member. members: how many members an archive has.
_ARCHIVES: Final = """
ALTER TABLE document ADD COLUMN archive INTEGER;
ALTER TABLE document ADD COLUMN members INTEGER;
CREATE INDEX document_by_archive ON document (archive) WHERE archive IS NOT NULL
"""
# Content beside the words; NULL for documents read before: it is not known which of its kinds they have.
_OTHER: Final = "ALTER TABLE document ADD COLUMN other BLOB"


def _checksums(connection: sqlite3.Connection) -> None:
    """Add checksums to rows and sketches."""
    for table in ("document", "scan", "scan_document", "scan_column"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
    columns = ("smallest", "parts", "neighbours", "bag")
    sealed = ", ".join(f"{name} = seal({name}, document, '{name}')" for name in columns)
    connection.execute(f"UPDATE sketch SET {sealed}")


def _evidence(connection: sqlite3.Connection) -> None:
    """Replace boilerplate and older sketches by traces, and delete results, which lack the evidence shown now.

    Scans without results are continued from the documents that were read.
    """
    for table in ("boilerplate", "boilerplate_reading", "scan_boilerplate"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for column in ("parts", "neighbours", "bag"):
        connection.execute(f"ALTER TABLE sketch DROP COLUMN {column}")
    connection.execute("ALTER TABLE sketch ADD COLUMN trace BLOB NOT NULL DEFAULT x''")
    connection.execute("UPDATE sketch SET trace = seal(trace, document, 'trace')")
    connection.execute("ALTER TABLE document ADD COLUMN seconds REAL")
    connection.execute("DELETE FROM scan_column")
    connection.execute("UPDATE scan SET state = 'unfinished'")


# Hashes of files by their stamps, many in each row; see rows.FileHashes.
_FILE_HASH: Final = """
CREATE TABLE file_hash (
    scan INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE, part INTEGER NOT NULL,
    data BLOB NOT NULL, checksum INTEGER, PRIMARY KEY (scan, part)
)
"""


def _segments(connection: sqlite3.Connection) -> None:
    """Move the columns of finished scans from their rows into segments."""
    newest = {scan for (scan,) in connection.execute("SELECT max(id) FROM scan GROUP BY roots")}
    for (scan,) in connection.execute("SELECT DISTINCT scan FROM scan_column").fetchall():
        query = (
            f"SELECT scan, name, data, {seals.intact_sql(connection, 'scan_column')} FROM scan_column WHERE scan = ?"
        )
        rows = seals.verified(connection.execute(query, (scan,)), "scan")
        with contextlib.suppress(ValueError, TypeError, EOFError, zlib.error):  # a damaged scan stays damaged
            columns = {name: np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False) for _, name, data in rows}
            segments.store_columns(connection, scan, columns, packed=scan not in newest)


# From each version to the next: statements, or a function.
STEPS: tuple[str | Callable[[sqlite3.Connection], None], ...] = (
    _FIRST,
    _BOILERPLATE,
    _ARCHIVES,
    _OTHER,
    _checksums,
    _evidence,
    _FILE_HASH,
    _segments,
)
VERSION = len(STEPS)
_SEALED: Final = frozenset((_segments,))  # steps that change no columns of tables, and seal the rows that they write


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version of an open database; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def mark(connection: sqlite3.Connection) -> None:
    """Write the application id into a database that lacks it."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to schema VERSION, in one transaction, so that nobody reads a half-migrated library.

    If a table changed, all checksums are computed too, which takes a minute for a million documents.
    """
    version = version_of(connection)
    if version == VERSION:
        return
    must_seal = not _SEALED.issuperset(STEPS[version:])
    damaged = seals.damaged_rows(connection) if must_seal and _checksums in STEPS[:version] else []
    connection.execute("BEGIN IMMEDIATE")
    for step in STEPS[version:VERSION]:
        if not isinstance(step, str):
            step(connection)
            continue
        for statement in step.split(";"):  # executescript would commit the transaction
            connection.execute(statement)
    if must_seal:
        seals.reseal(connection, damaged)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
