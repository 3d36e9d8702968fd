"""Compound files of Office 97-2003 ([MS-CFB]), and their summary information ([MS-OLEPS])."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import Unreadable

# What olefile raises for damaged files, besides its own errors, which are kinds of OSError.
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error)


@contextmanager
def opened_compound(data: bytes) -> Iterator[Any]:
    """The compound file in `data`, as olefile opens it. Raises Unreadable where it cannot."""
    from olefile import OleFileIO  # compound files alone need it

    try:
        store = OleFileIO(BytesIO(data))
    except _DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, "no readable compound file") from error
    with store:
        yield store


def stream_of(store: Any, name: str) -> bytes:
    """The bytes of a stream; none where there is no such stream. Raises Unreadable for a damaged one."""
    try:
        return bytes(store.openstream(name).read()) if store.exists(name) else b""
    except _DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, f"the stream {name} is damaged") from error


def compound_facts(store: Any) -> dict[str, Any]:
    """title, author, created, modified of an open compound file, as far as it tells them."""
    try:
        said = store.get_metadata()
    except _DAMAGE:
        return {}
    return {
        "title": _text(said.title, said.codepage),
        "author": _text(said.author, said.codepage),
        "created": _moment(said.create_time),
        "modified": _moment(said.last_saved_time),
    }


def _text(value: object, codepage: int | None) -> str:
    if not isinstance(value, bytes):
        return ""
    page = {65001: "utf-8", -535: "utf-8", 1200: "utf-16-le", None: "cp1252", 0: "cp1252"}.get(codepage)
    try:
        text = value.decode(page or f"cp{codepage}", "replace")
    except LookupError:
        text = value.decode("cp1252", "replace")
    return " ".join(text.replace("\0", "").split())[:500]


def _moment(value: object) -> datetime | None:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.year > 1601 else None
