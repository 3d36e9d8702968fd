"""Rows and results to store, made without reading any file."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import Details
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand, Evidence
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, Documents, ScanResult, ScanSummary
from tests.cluster.making import evidence_of

REVISION = "scheme-1"
STARTED = datetime(2026, 3, 1, 14, 6, tzinfo=UTC)


def digest(*facts: object) -> bytes:
    """Return 16 bytes that depend on the facts."""
    return hashlib.blake2b(repr(facts).encode(), digest_size=16).digest()


def text_print(seed: int, shingles: int = 40) -> TextPrint:
    """Return a print that depends on the seed, with the smallest and largest values of 64 bits."""
    chance = np.random.default_rng(seed)
    values = np.unique(chance.integers(0, 2**64, shingles, np.uint64))
    values[-1] = np.uint64(2**64 - 1)
    return TextPrint(
        fingerprint=(2**64 - 1 - seed),
        has_features=True,
        words=100 + seed,
        language="en",
        text_hash=digest("text", seed),
        shingles=shingles,
        sketch=values,
        trace=(values % np.uint64(1 << 16)).astype(np.uint16),
    )


def row(
    path: Path, seed: int = 0, *, status: str = READ, details: Details = (), inode: int | None = None
) -> DocumentRow:
    """Return a document as it was read."""
    stamp = FileStamp(
        path, 1000 + seed, 10**18 + seed, 10**18 + 1, 2**64 - 5, 2**64 - 1 - seed if inode is None else inode
    )
    return DocumentRow(
        stamp,
        status,
        details,
        media="txt",
        reader="plain",
        title=f"Title {seed}",
        author="A. Writer",
        pages=3,
        inside_date=1_700_000_000 + seed,
        content_hash=digest("bytes", seed),
        text_print=text_print(seed) if status == READ else None,
    )


def summary(*roots: Path, name: str = "Letters") -> ScanSummary:
    """Return the summary of a scan that begins."""
    return ScanSummary.begun(name, tuple((root, "scan") for root in roots), STARTED, Demand(0.7, 0.85, 12), "scheme")


def findings(*pairs: tuple[int, int, int, float]) -> tuple[Pairs, Evidence, NDArray[np.int64]]:
    """Return the results of a scan from (left, right, distance, resemblance)."""
    columns = list(zip(*pairs, strict=True)) if pairs else [(), (), (), ()]
    pair = Pairs(np.array(columns[0], np.uint32), np.array(columns[1], np.uint32), np.array(columns[2], np.uint8))
    shares = np.array(columns[3], np.float32)
    return (
        pair,
        evidence_of(len(pair), resemblance=shares, left_in_right=(shares / 2).astype(np.float32), form=shares > 0.5),
        np.arange(65, dtype=np.int64),
    )


def stored(library: LibraryFile, *rows: DocumentRow, root: Path = Path("/docs"), pairs: bool = True) -> int:
    """Store a finished scan of these rows, and return its number."""
    begun = summary(root)
    scan = library.begin_scan(begun, REVISION)
    library.add(scan, REVISION, [(row, False) for row in rows])
    result = findings((0, 1, 3, 0.9)) if pairs and len(rows) > 1 else findings()
    done = replace(begun, id=scan, offered=len(rows), read=len(rows), seconds=1.5, widest_radius=16)
    library.finish_scan(ScanResult(done, library.documents(scan), *result))
    return scan


def assert_same_documents(left: Documents, right: Documents) -> None:
    """Check that all columns are equal."""
    for field in fields(Documents):
        column, expected = getattr(left, field.name), getattr(right, field.name)
        same = np.array_equal(column, expected) if isinstance(expected, np.ndarray) else column == expected
        assert same and getattr(column, "dtype", None) == getattr(expected, "dtype", None), field.name
