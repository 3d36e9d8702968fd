"""Check and write output files whose names a person gave: no file of theirs is replaced unless they allow it."""

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
from dupfinder.base.files import (
    READ_ONLY,
    create_held,
    flush_folder,
    raising_disk_full,
    remove_abandoned_files,
    replace,
    temporary_name,
)

Recogniser = Callable[[IO[bytes]], bool]


def recognise_nothing(_: IO[bytes]) -> bool:
    """Recognise no file: for formats in which the program writes nothing to recognise its files by."""
    return False


def check_output(path: Path, is_ours: Recogniser, *, force: bool = False) -> None:
    """Check, before any work, that `path` may be written and that its folder accepts new files.

    The path must be absent, or a regular file whose content `is_ours` recognises; `force` allows any regular file.
    Raises OccupiedError for a file that is not recognised, InputError for anything else in the way, DiskFullError.
    """
    with _errors_about(path):
        _check_occupant(path, is_ours, force)
        if not path.parent.is_dir():
            raise InputError(Fault.OUTPUT_NO_FOLDER, path=path, folder=path.parent)
        new_path = path.with_name(temporary_name())
        os.close(os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(new_path)


@contextlib.contextmanager
def replacing(path: Path, is_ours: Recogniser, *, force: bool = False, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Open a temporary file to write to, and rename it to `path` when the block succeeds; otherwise remove it.

    An earlier file at `path` is checked as by `check_output`, before the block and after it, with the same errors.
    """
    check_output(path, is_ours, force=force)
    remove_abandoned_files(path.parent)
    new_path = path.with_name(temporary_name())
    with _errors_about(path), _removed_at_end(new_path):
        with open(create_held(new_path, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _put(new_path, path, is_ours, force)
    flush_folder(path.parent)


def refuse_document(path: Path, documents: Iterable[Path]) -> None:
    """Raise InputError when `path` is one of `documents`, also by another spelling, a link or another case."""
    if not os.path.lexists(path):
        return
    folded_name, real_path = folded(path.name), Path(os.path.realpath(path))
    for document in documents:
        is_similar = folded(document.name) == folded_name
        if document in (path, real_path) or (is_similar and _is_same_file(document, path)):
            raise InputError(Fault.OUTPUT_IS_DOCUMENT, path=path)


def folded(name: str) -> str:
    """Return the form of a name in which names that a file system may treat as equal are equal."""
    return unicodedata.normalize("NFC", name).casefold()


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
    with contextlib.suppress(OSError):  # the path is occupied, or the file system has no hard links
        os.link(new_path, path)  # unlike a rename, a link never replaces a file
        return
    _check_occupant(path, is_ours, force)
    replace(new_path, path)


@contextlib.contextmanager
def _errors_about(path: Path) -> Iterator[None]:
    """Raise InputError or DiskFullError about `path` for an OSError in the block."""
    try:
        with raising_disk_full(path):
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


def _is_same_file(left: Path, right: Path) -> bool:
    """Tell whether two paths are one file; False if either cannot be examined."""
    try:
        return os.path.samefile(left, right)
    except OSError:
        return False
