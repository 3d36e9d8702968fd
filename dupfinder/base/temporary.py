"""Temporary folders and half-written files that say whose they are, so that the next start can remove what a kill left.

A held file is locked by the program that made it. The system lets go of the lock when that program ends, whatever ends
it: a file of ours that nobody holds was left behind. Windows has no such locks: there nothing is removed later.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from dupfinder.base.paths import OWN_PREFIX

_MARK: Final = "dupfinder-owner"  # held, in each temporary folder of ours
_FOLDERS: Final = ("dupfinder-", "pymp-")  # the second: as multiprocessing begins the names of its folders
_HALVES: Final = ".part"  # ends the name of a file that is being written beside its place

if sys.platform == "win32":

    def _hold(descriptor: int) -> None:
        """Do nothing."""

    def _is_let_go(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """False: it is not known."""
        return False

else:
    import fcntl

    def _hold(descriptor: int) -> None:
        """Lock an open file for as long as it is open. A file system without locks leaves it unlocked."""
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_let_go(descriptor: int) -> bool:
        """Whether an open file belongs to this person and no program holds it."""
        if os.fstat(descriptor).st_uid != os.getuid():
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def half_name() -> str:
    """A new name for a file that is written beside its place."""
    return f"{OWN_PREFIX}{secrets.token_hex(8)}{_HALVES}"


def create_held(path: Path, mode: int) -> int:
    """Create the file `path`, held until the descriptor that is returned (write-only) is closed. OSError.

    It gets its name only once it is held, so that another program never takes it for one that was left.
    """
    making = path if os.name == "nt" else path.with_name(path.name + ".new")  # an open file keeps its name there
    descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    _hold(descriptor)
    if making != path:
        os.rename(making, path)
    return descriptor


@cache
def hold_folder(folder: Path) -> None:
    """Mark a temporary folder as this program's for as long as that runs; those that were left are removed first."""
    remove_abandoned_folders()
    with contextlib.suppress(OSError):  # unmarked, it is never removed but by its program
        create_held(folder / _MARK, 0o600)  # stays open until the program ends


@contextlib.contextmanager
def held_folder() -> Iterator[Path]:
    """A new temporary folder, removed when the block ends, or by a later start when a kill comes before. OSError."""
    remove_abandoned_folders()
    with tempfile.TemporaryDirectory(prefix=_FOLDERS[0]) as name:
        mark = create_held(Path(name, _MARK), 0o600)
        try:
            yield Path(name)
        finally:
            os.close(mark)


@cache
def remove_abandoned_folders() -> None:
    """Remove temporary folders that programs left which were killed; looks once in the life of this program."""
    temporary = Path(tempfile.gettempdir())
    with contextlib.suppress(OSError):
        for name in os.listdir(temporary):
            if name.startswith(_FOLDERS):
                _remove_if_abandoned(temporary / name)


def _remove_if_abandoned(path: Path) -> None:
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700 and _is_abandoned(path / _MARK):
            shutil.rmtree(path, ignore_errors=True)


def remove_abandoned_halves(folder: Path) -> None:
    """Remove files in `folder` that a killed program was about to put in their places."""
    with contextlib.suppress(OSError):
        for path in _halves(os.listdir(folder), folder):
            if _is_abandoned(path):
                os.unlink(path)


def _halves(names: Iterable[str], folder: Path) -> Iterator[Path]:
    return (folder / name for name in names if name.startswith(OWN_PREFIX) and name.endswith(_HALVES))


def _is_abandoned(path: Path) -> bool:
    """Whether `path` is a regular file of this person that no program holds. OSError."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return False
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        return _is_let_go(descriptor)
    finally:
        os.close(descriptor)
