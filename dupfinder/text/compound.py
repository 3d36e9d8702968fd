"""What compound files of Office 97-2003 say of themselves: their summary information ([MS-OLEPS])."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def compound_facts(store: Any) -> dict[str, Any]:
    """title, author, created, modified of an open compound file, as far as it tells them."""
    said = store.get_metadata()
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
