"""Open compound files of Office 97-2003 ([MS-CFB]) and read their summary information ([MS-OLEPS])."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import Unreadable

_HEADER_BYTES = 512
_SHIFTS = frozenset({(9, 6), (12, 6)})  # allowed sizes of a sector and of a mini sector, in bits
# Raised by olefile for damaged files. Its own errors are subclasses of OSError.
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error)


@contextmanager
def opened_compound(data: bytes) -> Iterator[Any]:
    """Open the compound file in `data` with olefile. Raises Unreadable if it cannot be opened."""
    from olefile import STGTY_ROOT, STGTY_STREAM, OleFileIO  # loaded only for compound files

    _refuse_inflated(data)
    try:
        store = OleFileIO(BytesIO(data))
    except _DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_COMPOUND) from error
    with store:
        kinds = (STGTY_STREAM, STGTY_ROOT)
        if any(entry.entry_type in kinds and entry.size > len(data) for entry in store.direntries if entry is not None):
            raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_COMPOUND)
        yield store


def _refuse_inflated(data: bytes) -> None:
    """Raise Unreadable for a header that declares tables larger than the file, as olefile trusts it ([MS-CFB] 2.2)."""
    if len(data) < _HEADER_BYTES:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_COMPOUND)
    sector_shift, mini_shift, tables = *struct.unpack_from("<HH", data, 30), struct.unpack_from("<I", data, 44)[0]
    if (sector_shift, mini_shift) not in _SHIFTS or tables << sector_shift > len(data):
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_COMPOUND)


def refuse_loops(store: Any) -> None:
    """Raise Unreadable if a chain of sectors is a loop, for readers that would follow it for ever.

    Each sector is visited once: a chain that joins an earlier chain ends as that does.
    """
    try:
        store.loadminifat()
        entries = [entry for entry in store.direntries if entry is not None]
        starts = [entry.isectStart for entry in entries if not entry.is_minifat]
        _follow([store.first_dir_sector, store.first_mini_fat_sector, *starts], store.fat)
        _follow([entry.isectStart for entry in entries if entry.is_minifat], store.minifat)
    except _DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_COMPOUND) from error


def _follow(starts: Sequence[int], table: Sequence[int]) -> None:
    """Follow chains of sectors to their ends. Raises ValueError if a chain returns to itself."""
    chains = [0] * len(table)
    for chain, sector in enumerate(starts, 1):
        while 0 <= sector < len(table):
            if chains[sector] == chain:
                raise ValueError(sector)
            if chains[sector]:
                break
            chains[sector] = chain
            sector = table[sector]


def refuse_wordless(text: str) -> None:
    """Raise Unreadable for a text without letters and digits. A plainer reader would take names of fonts for text."""
    if not any(map(str.isalnum, text)):
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_LETTERS, final=True)


def stream_of(store: Any, name: str) -> bytes:
    """Return the bytes of a stream, b"" if it does not exist. Raises Unreadable for a damaged stream."""
    try:
        return bytes(store.openstream(name).read()) if store.exists(name) else b""
    except _DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.PART_DAMAGED, part=name) from error


def compound_properties(store: Any) -> dict[str, Any]:
    """Return title, author, created and modified of an open compound file, empty or None if unknown."""
    try:
        metadata = store.get_metadata()
        return {
            "title": _text(metadata.title, metadata.codepage),
            "author": _text(metadata.author, metadata.codepage),
            "created": utc(metadata.create_time),
            "modified": utc(metadata.last_saved_time),
        }
    except _DAMAGE:  # damaged properties have values of any type
        return {}


def _text(value: object, codepage: int | None) -> str:
    """Return a property of olefile as one line of text."""
    if not isinstance(value, bytes):
        return ""
    page = {65001: "utf-8", -535: "utf-8", 1200: "utf-16-le", None: "cp1252", 0: "cp1252"}.get(codepage)
    try:
        text = value.decode(page or f"cp{codepage}", "replace")
    except LookupError:
        text = value.decode("cp1252", "replace")
    return " ".join(text.replace("\0", "").split())[:500]


def utc(value: object) -> datetime | None:
    """Return a time of olefile as UTC, None if it is not set."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.year > 1601 else None
