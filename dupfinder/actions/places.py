"""Where removed files are: Place, the names that dupfinder creates on disk, and what counts as put away."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from dupfinder.base.paths import HOLDING_PREFIX, OWN_PREFIX, SPARE_PREFIX, is_trash

QUARANTINE_NAME: Final = OWN_PREFIX + "removed"
LONGEST_NAME: Final = 255  # bytes of one name on all common file systems


class PlaceKind(StrEnum):
    """The kind of place of a removed file."""

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
    """Tell whether `path` is in a trash or quarantine, or being moved: such a file is not a surviving copy."""
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
