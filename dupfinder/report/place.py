"""A report's file put in its place: whole or not at all, and never where a scanned document stands."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from dupfinder.base.display import shown
from dupfinder.base.errors import DiskFullError, UsageError
from dupfinder.base.settings import N_

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file beside `path` to write to; when the block ends well it takes the place of `path`, else it is removed.

    Raises DiskFullError when there is no room, UsageError when the place cannot be written to.
    """
    if path.is_dir():
        raise UsageError(N_("{path} is a folder; a report needs a file name."), path=shown(path))
    beside = path.with_name(f".dupfinder-{secrets.token_hex(8)}.part")
    try:
        with _removed_unless_done(beside), open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            file.close()
            os.replace(beside, path)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFullError(path) from error
        reason = error.strerror or error
        raise UsageError(N_("{path} cannot be written: {reason}."), path=shown(path), reason=reason) from error
    _flush_folder(path.parent)


@contextlib.contextmanager
def _removed_unless_done(beside: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:  # also when the person stops the program: no half file is left behind
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


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


def refuse_document(path: Path, documents: Iterable[Path]) -> None:
    """UsageError when `path` names one of `documents`, also by another spelling, a link or another case."""
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
            taken = N_("{path} is one of the scanned documents; a report never takes the place of one.")
            raise UsageError(taken, path=shown(path))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
