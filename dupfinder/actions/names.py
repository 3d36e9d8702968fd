"""Names in JSON: readable for people, exact for the program."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from pathlib import Path

Json = Mapping[str, object]


def named(path: Path) -> dict[str, str]:
    """`path` for people (undecodable bytes as surrogate escapes), and `path_base64`, the bytes of the name."""
    return {"path": str(path), "path_base64": base64.b64encode(os.fsencode(path)).decode("ascii")}


def path_from(record: object) -> Path:
    """The path of a record of `named`; ValueError when there is none, or both do not agree.

    A ValueError of this module names the field that is wrong.
    """
    if not isinstance(record, Mapping):
        raise ValueError("path")
    encoded = record.get("path_base64")
    if not isinstance(encoded, str):
        raise ValueError("path_base64")
    try:
        name = base64.b64decode(encoded, validate=True)
    except binascii.Error as fault:
        raise ValueError("path_base64") from fault
    if b"\0" in name:
        raise ValueError("path_base64")
    path = Path(os.fsdecode(name))
    if record.get("path") != str(path):
        raise ValueError("path")
    return path


def optional_path(record: object) -> Path | None:
    """As `path_from`; None for null."""
    return None if record is None else path_from(record)


def number(record: Json, key: str) -> int:
    """The whole number under `key`. ValueError when it is none."""
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(key)
    return value


def share(record: Json, key: str, default: float | None = None) -> float:
    """The number from 0 to 1 under `key`. ValueError when it is none."""
    value = record.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ValueError(key)
    return float(value)


def word(record: Json, key: str) -> str:
    """The string under `key`. ValueError when it is none."""
    value = record.get(key)
    if not isinstance(value, str):
        raise ValueError(key)
    return value


def items(record: Json, key: str) -> list[object]:
    """The list under `key`. ValueError when it is none."""
    value = record.get(key)
    if not isinstance(value, list):
        raise ValueError(key)
    return value
