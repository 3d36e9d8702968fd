"""Where dupfinder keeps its own things, and where its resources are, in a checkout and installed alike."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import platformdirs

import dupfinder

APP = "dupfinder"
OWN_PREFIX = ".dupfinder-"  # of files that a removal holds or puts away; they are never scanned

DECISIONS_NAME = "decisions.db"  # beside the library
HOLDING_PREFIX = OWN_PREFIX + "hold-"  # a file in hand, beside its own name, for milliseconds
SPARE_PREFIX = OWN_PREFIX + "new-"  # a link or copy that is not yet in its place
_HELD = re.compile(f"(?:{re.escape(HOLDING_PREFIX)}|{re.escape(SPARE_PREFIX)})" + r"[0-9a-f]{16}-(.+)", re.DOTALL)


def held_name(name: str) -> str | None:
    """The own name, perhaps cut short, of a file that a removal or undo left under such a name; None for other names.

    Names that earlier versions gave carry no own name: "".
    """
    if match := _HELD.fullmatch(name):
        return match[1]
    return "" if name.startswith((HOLDING_PREFIX, SPARE_PREFIX)) else None


def data_dir() -> Path:
    """The folder of library, journal and decisions, made with mode 0700. `DUPFINDER_HOME` overrides it."""
    override = os.environ.get("DUPFINDER_HOME")
    folder = Path(override) if override else Path(platformdirs.user_data_dir(APP, appauthor=False))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def default_library() -> Path:
    """The library used when none is named."""
    return data_dir() / "library.db"


def weights_dir() -> Path:
    """The folder of what was learned of words, made with mode 0700 where that is possible."""
    folder = data_dir() / "weights"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def log_file() -> Path:
    """The program's log."""
    return data_dir() / "dupfinder.log"


def resource(name: str) -> Path:
    """The path of a shipped resource such as "icons/keep.svg".

    In a wheel they lie in `dupfinder/_resources`; in a checkout beside the package. Raises FileNotFoundError.
    """
    package = Path(dupfinder.__file__).resolve().parent
    for base in (package / "_resources", package.parent / "resources"):
        found = base / name
        if found.exists():
            return found
    raise FileNotFoundError(name)
