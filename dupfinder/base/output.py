"""Guard and write the files that a person names for output: no file of theirs is ever replaced without their word."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from dupfinder.base.display import shown
from dupfinder.base.errors import DiskFullError, OccupiedError, UsageError
from dupfinder.base.settings import N_
from dupfinder.base.temporary import create_held, half_name, remove_abandoned_halves

Recogniser = Callable[[IO[bytes]], bool]
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
_TAKEN = N_("{path} is one of the scanned documents; a report never takes the place of one.")


def recognise_nothing(_: IO[bytes]) -> bool:
    """Recognise no file: for formats that carry no mark of the program."""
    return False


def check_output(path: Path, is_ours: Recogniser, *, force: bool = False) -> None:
    """Check, before any work, that `path` may be written and that its folder takes new files.

    The path must be absent, or a regular file whose content `is_ours` recognises; `force` allows any regular file.
    Raises OccupiedError for a file that is not ours, UsageError for anything else in the way, DiskFullError.
    """
    with _refusals(path):
        _check_occupant(path, is_ours, force)
        if not path.parent.is_dir():
            no_folder = N_("{path} cannot be written: there is no folder {folder}.")
            raise UsageError(no_folder, path=shown(path), folder=shown(path.parent))
        beside = path.with_name(half_name())
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(beside)


@contextlib.contextmanager
def replacing(path: Path, is_ours: Recogniser, *, force: bool = False, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Open a file beside `path` to write to; when the block ends well it takes the place of `path`, else it is removed.

    What lies at `path` is checked as by `check_output`, before the block and again after it. Raises what that raises.
    """
    check_output(path, is_ours, force=force)
    remove_abandoned_halves(path.parent)
    beside = path.with_name(half_name())
    with _refusals(path), _removed_at_end(beside):
        with open(create_held(beside, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _put(beside, path, is_ours, force)
    _flush_folder(path.parent)


def refuse_document(path: Path, documents: Iterable[Path]) -> None:
    """Raise UsageError when `path` names one of `documents`, also by another spelling, a link or another case."""
    wanted = _folded(path.name)
    if not os.path.lexists(path):
        return
    real = os.path.realpath(path)
    for document in documents:
        if (
            document == path
            or os.fspath(document) == real
            or (_folded(document.name) == wanted and _same(document, path))
        ):
            raise UsageError(_TAKEN, path=shown(path))


def _check_occupant(path: Path, is_ours: Recogniser, force: bool) -> None:
    """Raise unless nothing lies at `path`, or a regular file that may be replaced."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(N_("{path} is a folder; a file name is needed."), path=shown(path))
    if stat.S_ISLNK(status.st_mode):
        raise UsageError(N_("{path} is a symbolic link; name the file itself."), path=shown(path))
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(N_("{path} is not an ordinary file; choose another name."), path=shown(path))
    if not force and not _holds_ours(path, is_ours):
        raise OccupiedError(path)


def _holds_ours(path: Path, is_ours: Recogniser) -> bool:
    """Tell whether the regular file at `path` is ours; a file that cannot be read is not."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as stream:
            return is_ours(stream)
    except OSError:
        return False


def _put(beside: Path, path: Path, is_ours: Recogniser, force: bool) -> None:
    """Give the finished file its name. A file that appeared at `path` meanwhile is checked like one from before."""
    if not os.path.lexists(path):
        try:
            os.link(beside, path)  # unlike a rename, it never replaces
            return
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            if not os.path.lexists(path):
                os.rename(beside, path)
                return
    _check_occupant(path, is_ours, force)
    os.replace(beside, path)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turn what the system refuses into one sentence about `path`."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFullError(path) from error
        reason = error.strerror or error
        raise UsageError(N_("{path} cannot be written: {reason}."), path=shown(path), reason=reason) from error


@contextlib.contextmanager
def _removed_at_end(beside: Path) -> Iterator[None]:
    """Remove the temporary name, also when the person stops the program: no half file is left behind."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)


def _flush_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can open folders."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
