"""Paths of dupfinder's data, and of its resources, in a checkout or installed."""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from pathlib import Path

import platformdirs

import dupfinder
from dupfinder.base.errors import DataFolderError

APP = "dupfinder"
OWN_PREFIX = ".dupfinder-"  # begins the names of temporary files of a removal; they are never scanned

DECISIONS_NAME = "decisions.db"  # beside the library
HOLDING_PREFIX = OWN_PREFIX + "hold-"  # a file that is being removed, for milliseconds in the folder where it was
SPARE_PREFIX = OWN_PREFIX + "new-"  # a link or copy before it is renamed to its final name
_TRASH = re.compile(r"\.Trash|\.Trash-\d+|\.Trashes|\$Recycle\.Bin|\$RECYCLE\.BIN")
_HELD = re.compile(f"(?:{re.escape(HOLDING_PREFIX)}|{re.escape(SPARE_PREFIX)})" + r"[0-9a-f]{16}-(.+)", re.DOTALL)


def held_name(name: str) -> str | None:
    """Return the original name, possibly truncated, of a file that an interrupted removal or undo left renamed.

    None for other names; "" for names given by earlier versions, which do not contain the original name.
    """
    if match := _HELD.fullmatch(name):
        return match[1]
    return "" if name.startswith((HOLDING_PREFIX, SPARE_PREFIX)) else None


def data_path() -> Path:
    """Return the path of the data folder, which may be missing; `DUPFINDER_HOME` overrides it.

    Raises DataFolderError if the system knows no home of this user.
    """
    override = os.environ.get("DUPFINDER_HOME")
    try:
        return Path(override or platformdirs.user_data_dir(APP, appauthor=False))
    except RuntimeError as error:  # nor is HOME set
        raise DataFolderError(errno.ENOENT, os.strerror(errno.ENOENT), f"~/{APP}") from error


def data_dir() -> Path:
    """Return the data folder, created with mode 0700. Raises DataFolderError."""
    folder = data_path()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataFolderError(error.errno, error.strerror, str(folder)) from error
    return folder


def is_own_name(name: str) -> bool:
    """Tell whether the program stores a file or folder of this name in its data folder."""
    names = "journal", "weights", "settings.json", "costs.json", "views.ini", "rules.ini", "shortcuts.ini"
    return name in names or name.startswith(("library.db", DECISIONS_NAME, "dupfinder.log", "window."))


def is_own(path: Path) -> bool:
    """Tell whether a path, its links resolved, is in what the program stores in its data folder."""
    real, folder = Path(os.path.realpath(path)).parts, Path(os.path.realpath(data_dir())).parts
    return len(real) > len(folder) and real[: len(folder)] == folder and is_own_name(real[len(folder)])


def as_scanned(path: Path) -> Path:
    """Return a path as scans store it, absolute and without ".."; with "..", where links give it another meaning."""
    absolute, plain = path.absolute(), Path(os.path.abspath(path))
    return plain if plain == absolute or os.path.realpath(plain) == os.path.realpath(absolute) else absolute


def is_trash(folder: Path) -> bool:
    """Tell whether a folder is a trash by its name, or the part of the home trash that holds what was removed."""
    return _TRASH.fullmatch(folder.name) is not None or (folder.parent.name == "Trash" and folder.name == "files")


def default_library() -> Path:
    """Return the path of the library that is used when none is named."""
    return data_dir() / "library.db"


def weights_dir() -> Path:
    """Return the folder of learned word frequencies, created with mode 0700 if possible."""
    folder = data_path() / "weights"
    with suppress(OSError):
        data_dir()
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def log_file() -> Path:
    return data_dir() / "dupfinder.log"


def resource(name: str) -> Path:
    """Return the path of a shipped resource such as "icons/keep.svg".

    In a wheel, resources are in `dupfinder/_resources`; in a checkout beside the package. Raises FileNotFoundError.
    """
    package = Path(dupfinder.__file__).resolve().parent
    for base in (package / "_resources", package.parent / "resources"):
        path = base / name
        if path.exists():
            return path
    raise FileNotFoundError(name)
