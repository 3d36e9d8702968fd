"""Export a scan to a file and import it: fingerprints for `index`, and all that another library needs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged
from dupfinder.base.details import ProblemKind, details_of
from dupfinder.base.errors import Fault, IndexFileError, InputError
from dupfinder.base.progress import Reporter
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand
from dupfinder.engine.prints import PrintFile, load_arrays
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanSummary
from dupfinder.library.stored import SKETCH_TYPES, SketchKind
from dupfinder.scan.matching import find_groups, finish
from dupfinder.scan.request import Role
from dupfinder.scan.weights import scheme_of

_VERSION: Final = 1
_REVISION: Final = "imported"  # of documents read elsewhere: a scan of the same files reads them again
_ARRAYS: Final = {
    "size": np.int64, "mtime_ns": np.int64, "ctime_ns": np.int64, "device": np.int64, "inode": np.int64,
    "protected": np.bool_, "words": np.int32, "pages": np.int32, "inside_date": np.int64, "content_hash": np.uint64,
    "text_hash": np.uint64, "fingerprint": np.uint64, "comparable": np.bool_, "shingles": np.int64,
    "archive": np.int32, "other": np.uint64, "seconds": np.float32,
}  # fmt: skip
_TEXTS: Final = ("status", "detail", "media", "reader", "title", "language")
_MOST: Final = 1 << 31  # words, pages and shingles of a document


def export_scan(library: LibraryFile, scan: int | None) -> tuple[PrintFile, dict[str, NDArray[Any]]]:
    """Return a finished scan (None: the newest) as a file of fingerprints, and the arrays that `import_scan` needs.

    Raises LibraryMissing; UsageError if the scan's weights no longer exist.
    """
    result = library.result(scan)
    documents, scheme = result.documents, scheme_of(result.summary.scheme)
    if scheme is None:
        raise InputError(Fault.WEIGHTS_GONE)
    rows = np.flatnonzero(documents.comparable)
    paths = [documents.paths[row] for row in rows.tolist()]
    prints = PrintFile(documents.fingerprint[rows], paths, scheme.made_by)
    arrays: dict[str, NDArray[Any]] = {"library": np.array(_VERSION), "scan": np.array(_properties_of(result.summary))}
    arrays["names"] = np.frombuffer(b"".join(os.fsencode(path) + b"\0" for path in documents.paths), np.uint8)
    arrays |= {name: getattr(documents, name) for name in _ARRAYS}
    for name in _TEXTS:
        arrays[name] = np.frombuffer(json.dumps(list(getattr(documents, name))).encode(), np.uint8)
    for kind in SketchKind:
        sketches = library.sketches(documents.ids, kind)
        arrays |= {f"{kind}_values": sketches.values, f"{kind}_starts": sketches.starts}
    return prints, arrays


def _properties_of(summary: ScanSummary) -> str:
    roots = [[os.fsencode(path).hex(), role] for path, role in summary.roots]
    properties = {
        "name": summary.name,
        "roots": roots,
        "scheme": summary.scheme,
        "started": summary.started.isoformat(),
    }
    return json.dumps(properties)


@dataclass(frozen=True, slots=True)
class ImportedLibrary:
    """The documents of a file, and the properties of its scan."""

    properties: Mapping[str, Any]
    rows: tuple[tuple[DocumentRow, bool], ...]
    archive: tuple[int, ...]  # index of the archive that contains each, -1 for ordinary files


def load_scan(path: Path) -> ImportedLibrary:
    """Return the documents of a file written by `library export`. Raises IndexFileError for any other file."""
    arrays = load_arrays(path)
    if "library" not in arrays:
        raise IndexFileError(path, Fault.FINGERPRINTS_ALONE)
    try:
        if arrays["library"].tolist() != _VERSION:
            raise IndexFileError(path, Fault.OTHER_VERSION)
        properties = json.loads(str(arrays["scan"]))
        columns = _columns(arrays)
        if foreign := _foreign_path(columns["names"]):
            raise IndexFileError(path, Fault.OTHER_SYSTEM, foreign=foreign)
        rows = tuple(_row(columns, row) for row in range(len(columns["names"])))
        _started(properties)
        if not all(isinstance(properties[name], str) for name in ("name", "scheme")):
            raise ValueError("name or scheme is not a text")
        if any(role not in set(Role) for _, role in _roots(properties)):
            raise ValueError("unknown role of a folder")
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
        raise IndexFileError(path, Fault.DAMAGED_DOCUMENTS) from error
    return ImportedLibrary(properties, rows, tuple(columns["archive"].tolist()))


def _foreign_path(names: Sequence[bytes]) -> str:
    """Return the first path if it is one of another kind of system, C:\\... on Linux or /... on Windows; "" if not."""
    first = os.fsdecode(names[0]) if names else ""
    other = PurePosixPath if isinstance(Path(), PureWindowsPath) else PureWindowsPath
    return first if other(first).is_absolute() and not Path(first).is_absolute() else ""


def _roots(properties: Mapping[str, Any]) -> tuple[tuple[Path, str], ...]:
    return tuple((Path(os.fsdecode(bytes.fromhex(name))), str(role)) for name, role in properties["roots"])


def _started(properties: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(properties["started"]).astimezone(UTC)


def _columns(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the columns of a file, checked for types and lengths. ValueError, KeyError."""
    columns: dict[str, Any] = {"names": arrays["names"].tobytes().split(b"\0")[:-1]}
    count = len(columns["names"])
    for name, dtype in _ARRAYS.items():
        columns[name] = arrays[name]
        if columns[name].dtype != dtype or len(columns[name]) != count:
            raise ValueError(name)
    for name in _TEXTS:
        columns[name] = json.loads(arrays[name].tobytes())
        if len(columns[name]) != count or not all(isinstance(text, str) for text in columns[name]):
            raise ValueError(name)
        "".join(columns[name]).encode()  # raises for lone surrogates
    for kind, sketch_type in SKETCH_TYPES.items():
        sketches = Ragged(arrays[f"{kind}_values"], arrays[f"{kind}_starts"]).checked()
        if sketches.values.dtype != sketch_type or len(sketches) != count:
            raise ValueError(kind)
        columns[kind] = [sketches[row] for row in range(count)]
        if kind is SketchKind.SMALLEST and (columns["shingles"][sketches.lengths == 0] > 0).any():
            raise ValueError("shingles without a sketch")
    in_archive = columns["archive"][columns["archive"] >= 0]  # the archive's row of each member
    if len(set(columns["names"])) != count or (in_archive >= count).any():
        raise ValueError("a path twice, or an archive that is not in the file")
    if (columns["archive"][in_archive] >= 0).any():
        raise ValueError("an archive inside an archive")
    columns["members"] = np.bincount(in_archive, minlength=count)
    return columns


def _row(columns: Mapping[str, Any], row: int) -> tuple[DocumentRow, bool]:
    """Return (document, whether it is protected) of one row. ValueError."""

    def number(name: str) -> int:
        return int(columns[name][row])

    def digest(name: str) -> bytes:
        """Return a hash as bytes."""
        pair = columns[name][row]
        return bytes(pair.astype(">u8").tobytes()) if pair.any() else b""

    stamp = FileStamp(
        Path(os.fsdecode(columns["names"][row])), number("size"), number("mtime_ns"), number("ctime_ns"),
        number("device"), number("inode"),
    )  # fmt: skip
    status = columns["status"][row]
    if not stamp.path.is_absolute() or stamp.size < 0 or (status != READ and status not in set(ProblemKind)):
        raise ValueError("relative path, negative size or unknown status")
    if not all(number(name) < _MOST for name in ("words", "pages", "shingles")) or number("shingles") < 0:
        raise ValueError("words, pages or shingles out of range")
    document = DocumentRow(
        stamp,
        status,
        details_of(columns["detail"][row]),
        media=columns["media"][row],
        reader=columns["reader"][row],
        title=columns["title"][row],
        pages=number("pages") if number("pages") >= 0 else None,
        inside_date=number("inside_date"),
        content_hash=digest("content_hash"),
        text_print=_print(columns, row, digest("text_hash")) if number("words") >= 0 else None,
        members=number("members") or None,
        other=columns["other"][row].astype("<u8").tobytes(),
        seconds=float(columns["seconds"][row]) if columns["seconds"][row] >= 0 else None,
    )
    return document, bool(columns["protected"][row])


def _print(columns: Mapping[str, Any], row: int, text_hash: bytes) -> TextPrint:
    smallest = columns[SketchKind.SMALLEST][row].astype(np.uint64) << np.uint64(32)
    return TextPrint(
        fingerprint=int(columns["fingerprint"][row]),
        has_features=bool(columns["comparable"][row]),
        words=int(columns["words"][row]),
        language=columns["language"][row],
        text_hash=text_hash,
        shingles=int(columns["shingles"][row]),
        sketch=smallest,
        trace=columns[SketchKind.TRACE][row],
    )


def import_scan(imported: ImportedLibrary, library_path: Path, demand: Demand, reporter: Reporter) -> int:
    """Add the documents of a file to a library as a new scan, group them, and return the scan's number.

    No document is read, and their paths need not exist. Raises UsageError if the fingerprints' scheme is unknown,
    LibraryError, Stopped.
    """
    begun = time.monotonic()
    properties = imported.properties
    if scheme_of(properties["scheme"]) is None:
        raise InputError(Fault.MADE_OTHERWISE)
    summary = ScanSummary.begun(
        properties["name"], _roots(properties), _started(properties), demand, properties["scheme"]
    )
    with LibraryFile(library_path, write=True) as library:
        summary = replace(summary, id=library.begin_scan(summary, _REVISION))
        file_rows = [row for row, holder in enumerate(imported.archive) if holder < 0]
        numbers = dict(
            zip(file_rows, library.add(summary.id, _REVISION, [imported.rows[row] for row in file_rows]), strict=True)
        )
        members = [
            (replace(imported.rows[row][0], archive=numbers[holder]), imported.rows[row][1])
            for row, holder in enumerate(imported.archive)
            if holder >= 0
        ]
        library.add(summary.id, _REVISION, members)
        finish(library, find_groups(library, summary, reporter), begun, reporter)
        return summary.id
