"""Paths of removals: where removed files are, the names created on disk, and paths and values in JSON records.

In a record a path is readable for people and exact for the program.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from dupfinder.base.paths import HOLDING_PREFIX, OWN_PREFIX, SPARE_PREFIX, is_trash

QUARANTINE_NAME: Final = OWN_PREFIX + "removed"
LONGEST_NAME: Final = 255  # bytes of one name on all common file systems

Json = Mapping[str, object]
_T = TypeVar("_T")


class PlaceKind(StrEnum):
    TRASH = "trash"
    QUARANTINE = "quarantine"
    MOVED = "moved"
    LINKED = "linked"  # under the same name, now a hard link to the keeper
    ELSEWHERE = "elsewhere"  # in the system's trash, which does not tell where


@dataclass(frozen=True, slots=True)
class Place:
    """Where a victim is. path: None if unknown. info: the trash's note about the file, if there is one."""

    kind: PlaceKind
    path: Path | None
    info: Path | None = None


def is_below(path: Path, folder: Path) -> bool:
    """Tell whether `path` is `folder` or something in it, by their parts alone."""
    return path.parts[: len(folder.parts)] == folder.parts


def is_put_away(path: Path) -> bool:
    """Tell whether `path` is in a trash or quarantine, or is being moved: such a file is no survivor."""
    if path.name.startswith((HOLDING_PREFIX, SPARE_PREFIX)):
        return True
    return any(folder.name == QUARANTINE_NAME or is_trash(folder) for folder in path.parents)


def holding_name(token: str, name: str, longest: int = LONGEST_NAME) -> str:
    """Return the name of a file while it is moved. It ends in the file's name, shortened to `longest` bytes in all.

    token: 16 random hexadecimal digits. `base.paths.held_name` extracts the file's name.
    """
    prefix = f"{HOLDING_PREFIX}{token}-"
    return prefix + shortened(name, "", min(longest, LONGEST_NAME) - len(prefix))


def shortened(name: str, ending: str, room: int = LONGEST_NAME) -> str:
    """Return `name` with `ending` before its suffix, shortened to at most `room` bytes."""
    stem, suffix = os.path.splitext(name)
    if len(os.fsencode(suffix)) > room // 4:
        stem, suffix = name, ""
    stem_bytes = os.fsencode(stem)
    short = stem_bytes[: room - len(os.fsencode(ending)) - len(os.fsencode(suffix))]
    if len(short) < len(stem_bytes):
        with suppress(UnicodeDecodeError):
            stem_bytes.decode("utf-8")
            return short.decode("utf-8", "ignore") + ending + suffix  # without a partial last character
    return os.fsdecode(short) + ending + suffix


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
