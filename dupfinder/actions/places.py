"""Where removed files are: Place, the names dupfinder uses on disk, and what counts as put away."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from dupfinder.base.paths import HOLDING_PREFIX, OWN_PREFIX, SPARE_PREFIX

QUARANTINE_NAME: Final = OWN_PREFIX + "removed"
LONGEST_NAME: Final = 255  # bytes of one name on all common file systems
_TRASH_NAMES: Final = re.compile(r"\.Trash|\.Trash-\d+|\.Trashes|\$Recycle\.Bin|\$RECYCLE\.BIN")


class PlaceKind(StrEnum):
    """What sort of place holds a removed file."""

    TRASH = "trash"
    QUARANTINE = "quarantine"
    MOVED = "moved"
    LINKED = "linked"  # the name stays, as a second name of the keeper
    ELSEWHERE = "elsewhere"  # the system's trash took it and did not tell where


@dataclass(frozen=True, slots=True)
class Place:
    """Where a victim went. `path`: None when unknown. `info`: the trash's note beside it, if there is one."""

    kind: PlaceKind
    path: Path | None
    info: Path | None = None


def is_below(path: Path, folder: Path) -> bool:
    """Whether `path` names `folder` or something in it, by its parts."""
    return path.parts[: len(folder.parts)] == folder.parts


def is_put_away(path: Path) -> bool:
    """Whether `path` lies in a trash or quarantine, or is a file in hand: such a file is no surviving copy."""
    if path.name.startswith((HOLDING_PREFIX, SPARE_PREFIX)):
        return True
    if any(part == QUARANTINE_NAME or _TRASH_NAMES.fullmatch(part) for part in path.parts[:-1]):
        return True
    return any(left == "Trash" and right == "files" for left, right in zip(path.parts, path.parts[1:-1], strict=False))


def holding_name(token: str, name: str, longest: int = LONGEST_NAME) -> str:
    """The name that a file has while it is in hand: it ends in the file's own name, cut so that all fits `longest`
    bytes. `token`: 16 random hexadecimal digits. `base.paths.held_name` reads it."""
    prefix = f"{HOLDING_PREFIX}{token}-"
    return prefix + shortened(name, "", min(longest, LONGEST_NAME) - len(prefix))


def shortened(name: str, ending: str, room: int = LONGEST_NAME) -> str:
    """`name` with `ending` put before its suffix, cut so that it takes `room` bytes at most."""
    stem, suffix = os.path.splitext(name)
    if len(os.fsencode(suffix)) > room // 4:
        stem, suffix = name, ""
    whole = os.fsencode(stem)
    kept = whole[: room - len(os.fsencode(ending)) - len(os.fsencode(suffix))]
    if len(kept) < len(whole) and _is_utf8(whole):
        return kept.decode("utf-8", "ignore") + ending + suffix  # no half characters
    return os.fsdecode(kept) + ending + suffix


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
