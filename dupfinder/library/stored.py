"""How documents are stored: the values of their rows and sketches as SQLite takes them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import stored
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.scheme import TextPrint
from dupfinder.library.rows import DocumentRow, stored_path
from dupfinder.library.seals import seal


class Sketch(StrEnum):
    """What is kept of each text: MIN_s of its shingles, and the trace of its words."""

    SMALLEST = "smallest"
    TRACE = "trace"


def stamp_key(stamp: FileStamp) -> tuple[int, int, int, int, int]:
    """Return a stamp's key as the library stores it, with signed 64-bit numbers."""
    device, inode, size, mtime_ns, ctime_ns = stamp.key()
    return (_signed(device), _signed(inode), size, _signed(mtime_ns), _signed(ctime_ns))


def stamp_keys(stamps: Sequence[FileStamp]) -> NDArray[np.int64]:
    """Return the keys of some stamps: int64 (n, 5); see `stamp_key`."""
    return np.array([stamp_key(stamp) for stamp in stamps], np.int64).reshape(-1, 5)


def document_values(row: DocumentRow, revision: str) -> dict[str, object]:
    """Return a row of the table of documents, by the names of its columns but for its number."""
    stamp, text_print = row.stamp, row.text_print
    return {
        "path": stored_path(stamp.path),
        "size": stamp.size,
        "mtime_ns": _signed(stamp.mtime_ns),
        "ctime_ns": _signed(stamp.ctime_ns),
        "device": _signed(stamp.device),
        "inode": _signed(stamp.inode),
        "revision": revision,
        "status": row.status,
        "detail": stored(row.details),
        "media": row.media,
        "reader": row.reader,
        "title": clean(row.title),
        "author": clean(row.author),
        "pages": row.pages,
        "inside_date": row.inside_date,
        "content_hash": row.content_hash,
        "partial": row.partial,
        "archive": row.archive,
        "members": row.members,
        "other": row.other,
        "seconds": row.seconds,
        "words": None if text_print is None else text_print.words,
        "language": "" if text_print is None else text_print.language,
        "text_hash": b"" if text_print is None else text_print.text_hash,
        "fingerprint": 0 if text_print is None else _signed(text_print.fingerprint),
        "has_features": text_print is not None and text_print.has_features,
        "shingles": 0 if text_print is None else text_print.shingles,
    }


def sketch_values(text_print: TextPrint, number: int) -> dict[str, object]:
    """Return a row of the table of sketches for the document with this number."""
    # The upper half of a value keeps the order and tells shingles apart as well, at half the room.
    blobs = {Sketch.SMALLEST: _upper_halves(text_print.sketch), Sketch.TRACE: text_print.trace.tobytes()}
    return {"document": number} | {name.value: seal(blob, number, name) for name, blob in blobs.items()}


def clean(text: str) -> str:
    """Replace what UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _upper_halves(values: NDArray[np.uint64]) -> bytes:
    """Return the upper 32 bits of each value as bytes."""
    return (values >> np.uint64(32)).astype(np.uint32).tobytes()


def _signed(value: int) -> int:
    """Return the signed number with the same 64 bits, since SQLite's integers are signed."""
    value &= 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >> 63 else value
