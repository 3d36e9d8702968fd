"""Paths and values in JSON records: paths are readable for people and exact for the program."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

Json = Mapping[str, object]
_T = TypeVar("_T")


def named_path(path: Path) -> dict[str, str]:
    """Return {"path": text for people, undecodable bytes as surrogate escapes; "path_base64": the exact bytes}."""
    return {"path": str(path), "path_base64": base64.b64encode(os.fsencode(path)).decode("ascii")}


def path_from(record: object) -> Path:
    """Return the path of a record made by `named_path`. ValueError if it is invalid or its two fields disagree.

    Each ValueError of this module names the invalid field.
    """
    if not isinstance(record, Mapping):
        raise ValueError("path")
    try:
        name = base64.b64decode(typed(record, "path_base64", str), validate=True)
    except binascii.Error as fault:
        raise ValueError("path_base64") from fault
    if b"\0" in name:
        raise ValueError("path_base64")
    path = Path(os.fsdecode(name))
    if record.get("path") != str(path):
        raise ValueError("path")
    return path


def optional_path(record: object) -> Path | None:
    """Return the path of a record as `path_from`; None for null."""
    return None if record is None else path_from(record)


def typed(record: Json, key: str, kind: type[_T]) -> _T:
    """Return the value under `key`, which is of this type: int, str or list. ValueError if it is not."""
    value = record.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(key)
    return value


def share(record: Json, key: str, default: float | None = None) -> float:
    """Return the number from 0 to 1 under `key`. ValueError if it is anything else."""
    value = record.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ValueError(key)
    return float(value)
