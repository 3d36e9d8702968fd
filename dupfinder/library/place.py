"""Checks of the library's path, so that a file that is not a library is never used as one."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, LibraryUnreachable, NotALibrary
from dupfinder.base.paths import default_library
from dupfinder.library.schema import APPLICATION_ID

_MAGIC: Final = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html, 1.3
_ID_AT: Final = 68
# Files beside a database, by their content: SQLite's write-ahead log, rollback journal and shared memory; Hold's files.
_COMPANIONS: Final[dict[str, Callable[[IO[bytes]], bool]]] = {
    "-wal": lambda file: file.read(4) in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-journal": lambda file: file.read(8) in (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", bytes(8)),
    "-shm": lambda file: len(file.read(32_768)) == 32_768,
    ".lock": lambda _: False,
    ".holder": lambda file: file.read(21).isdigit(),
}


def is_library(file: IO[bytes]) -> bool:
    """Tell whether a file begins as a library: an SQLite database with dupfinder's application id."""
    head = file.read(_ID_AT + 4)
    return head.startswith(_MAGIC) and head[_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")


def check_library(path: Path, *, write: bool, force: bool = False) -> None:
    """Check that `path` may be opened as a library, before it is opened. A missing file passes.

    The file must be empty (as when the program was killed while creating it) or begin as a library. Exceptions are
    `force`, which allows it to be renamed, and the default library, which is dupfinder's whatever its content.
    For writing it must not be a link, and files beside it with the names that SQLite and the lock use must be theirs.
    Raises NotALibrary, LibraryUnreachable.
    """
    with _refusals(path):
        with contextlib.suppress(FileNotFoundError):
            status = os.lstat(path) if write and not _is_default(path) else os.stat(path)
            _check_kind(path, status)
            if status.st_size and not force and not _begins_as(path, is_library) and not _is_default(path):
                raise NotALibrary(path)
        if write and not _is_default(path):
            _check_companions(path)


def check_removable(path: Path) -> None:
    """Check that the file at `path` is a library by its content, wherever it is. Raises as `check_library`."""
    with _refusals(path):
        _check_kind(path, os.lstat(path))
        if not _begins_as(path, is_library):
            raise NotALibrary(path)
        _check_companions(path)


def _check_kind(path: Path, status: os.stat_result) -> None:
    """Raise LibraryUnreachable unless the file is a regular file."""
    if stat.S_ISLNK(status.st_mode):
        raise LibraryUnreachable(path, Fault.IS_LINK)
    if stat.S_ISDIR(status.st_mode):
        raise LibraryUnreachable(path, Fault.IS_FOLDER)
    if not stat.S_ISREG(status.st_mode):
        raise LibraryUnreachable(path, Fault.NOT_ORDINARY)


def _check_companions(path: Path) -> None:
    """Raise NotALibrary for a file beside the library that has the name of a companion but not its content."""
    for ending, is_companion in _COMPANIONS.items():
        companion = path.with_name(path.name + ending)
        if not os.path.lexists(companion):
            continue
        _check_kind(companion, os.lstat(companion))
        if companion.stat().st_size and not _begins_as(companion, is_companion):
            raise NotALibrary(companion)


def _begins_as(path: Path, is_ours: Callable[[IO[bytes]], bool]) -> bool:
    """Tell whether `is_ours` recognises the file at `path`."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        return is_ours(file)


def _is_default(path: Path) -> bool:
    """Tell whether this is the library that is used when none is named."""
    try:
        return path == default_library()
    except OSError:
        return False  # its folder cannot be created


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Raise LibraryUnreachable for an OSError in the block."""
    try:
        yield
    except OSError as error:
        raise LibraryUnreachable(path, Fault.UNREADABLE, reason=error_name(error)) from error
