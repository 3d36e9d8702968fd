"""Check and write output files named by a person: none of their own files is replaced unless they allow it."""

from __future__ import annotations

import contextlib
import os
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, InputError, OccupiedError
from dupfinder.base.files import READ_ONLY, create_held, flush_folder, half_name, remove_abandoned_halves, room_for

Recogniser = Callable[[IO[bytes]], bool]


def recognise_nothing(_: IO[bytes]) -> bool:
    """Recognise no file: for formats without a mark of the program."""
    return False


def check_output(path: Path, is_ours: Recogniser, *, force: bool = False) -> None:
    """Check, before any work, that `path` may be written and that its folder accepts new files.

    The path must be absent, or a regular file whose content `is_ours` recognises; `force` allows any regular file.
    Raises OccupiedError for a file that is not recognised, InputError for anything else in the way, DiskFullError.
    """
    with _refusals(path):
        _check_occupant(path, is_ours, force)
        if not path.parent.is_dir():
            raise InputError(Fault.OUTPUT_NO_FOLDER, path=path, folder=path.parent)
        new_path = path.with_name(half_name())
        os.close(os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(new_path)


@contextlib.contextmanager
def replacing(path: Path, is_ours: Recogniser, *, force: bool = False, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Open a temporary file to write to, and rename it to `path` when the block succeeds; else it is removed.

    An earlier file at `path` is checked as by `check_output`, before the block and again after it. Raises as that does.
    """
    check_output(path, is_ours, force=force)
    remove_abandoned_halves(path.parent)
    new_path = path.with_name(half_name())
    with _refusals(path), _removed_at_end(new_path):
        with open(create_held(new_path, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _put(new_path, path, is_ours, force)
    flush_folder(path.parent)


def refuse_document(path: Path, documents: Iterable[Path]) -> None:
    """Raise InputError when `path` is one of `documents`, also by another spelling, a link or another case."""
    folded_name = folded(path.name)
    if not os.path.lexists(path):
        return
    real = os.path.realpath(path)
    for document in documents:
        if (
            document == path
            or os.fspath(document) == real
            or (folded(document.name) == folded_name and _same(document, path))
        ):
            raise InputError(Fault.OUTPUT_IS_DOCUMENT, path=path)


def _check_occupant(path: Path, is_ours: Recogniser, force: bool) -> None:
    """Raise unless `path` is free, or a regular file that may be replaced."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(status.st_mode):
        raise InputError(Fault.OUTPUT_IS_FOLDER, path=path)
    if stat.S_ISLNK(status.st_mode):
        raise InputError(Fault.OUTPUT_IS_LINK, path=path)
    if not stat.S_ISREG(status.st_mode):
        raise InputError(Fault.OUTPUT_NOT_ORDINARY, path=path)
    if not force and not _holds_ours(path, is_ours):
        raise OccupiedError(path)


def _holds_ours(path: Path, is_ours: Recogniser) -> bool:
    """Tell whether `is_ours` recognises the regular file at `path`; False for a file that cannot be read."""
    try:
        with open(os.open(path, READ_ONLY), "rb") as stream:
            return is_ours(stream)
    except OSError:
        return False


def _put(new_path: Path, path: Path, is_ours: Recogniser, force: bool) -> None:
    """Rename the finished file to `path`. A file that appeared there meanwhile is checked like an earlier one."""
    if not os.path.lexists(path):
        try:
            os.link(new_path, path)  # unlike a rename, a link never replaces a file
            return
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            if not os.path.lexists(path):
                os.rename(new_path, path)
                return
    _check_occupant(path, is_ours, force)
    os.replace(new_path, path)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Raise InputError or DiskFullError about `path` for an OSError in the block."""
    try:
        with room_for(path):
            yield
    except OSError as error:
        raise InputError(Fault.OUTPUT_REFUSED, path=path, reason=error_name(error)) from error


@contextlib.contextmanager
def _removed_at_end(new_path: Path) -> Iterator[None]:
    """Remove the temporary file at the end of the block, also when it fails or is stopped."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(new_path)


def folded(name: str) -> str:
    """Return the form of a name in which names that a file system may treat as equal are equal."""
    return unicodedata.normalize("NFC", name).casefold()


def _same(left: Path, right: Path) -> bool:
    """Tell whether two paths are one file; False if either cannot be examined."""
    try:
        return os.path.samefile(left, right)
    except OSError:
        return False
