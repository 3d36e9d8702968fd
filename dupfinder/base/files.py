"""Files of the program's own: replaced whole, opened without following a link, locked, or temporary.

A held file is locked by the process that created it. The system releases the lock when that process ends in any way:
a held file without a lock was left behind. Windows has no such locks, so nothing is removed later there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from dupfinder.base.errors import DiskFullError
from dupfinder.base.paths import OWN_PREFIX

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
BINARY: Final = getattr(os, "O_BINARY", 0)
# O_NONBLOCK: should a pipe have replaced the file, opening it does not wait for a writer.
READ_ONLY: Final = os.O_RDONLY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | BINARY


class Closable(ABC):
    """A context manager that is closed at the end of its block."""

    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Release what is held."""


@contextlib.contextmanager
def raising_disk_full(path: Path) -> Iterator[None]:
    """Raise DiskFullError about `path` if the disk, or this person's quota of it, is full in the block."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(path) from error
        raise


UNFINISHED: Final = r"\.[0-9a-f]{16}\.new"  # the end of such names, as a regular expression


def unfinished_path(path: Path) -> Path:
    """Return a hidden name beside `path` for a file of the program's own, until it is complete and gets that path.

    The name is random, since two machines that share the folder may have equal process ids.
    """
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")


def write_whole(path: Path, parts: Iterable[bytes | memoryview], *, mode: int = 0o600, flush: bool = True) -> int:
    """Write a file under a temporary name, flush it to the disk, then rename it to `path`. Return its size in bytes.

    flush: False for a file that need not survive a power cut. Raises OSError, and whatever `parts` raises; then no
    temporary file is left and an earlier file at `path` is unchanged.
    """
    new_path = unfinished_path(path)
    descriptor = os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    try:
        with open(descriptor, "wb") as stream:
            for part in parts:
                stream.write(part)
            if flush:
                stream.flush()
                os.fsync(stream.fileno())
            size = stream.tell()
        replace(new_path, path)
    except BaseException:  # also when the person stops the program
        new_path.unlink(missing_ok=True)
        raise
    return size


_PAUSES: Final = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between two tries


def replace(new_path: Path, path: Path) -> None:
    """Rename a finished file to `path`, where an earlier one may be. Raises OSError.

    Windows refuses that while another program reads one of them. Virus scanners and search services read every file
    that was just written, for moments, so it is tried again.
    """
    for pause in _PAUSES if sys.platform == "win32" else ():
        with contextlib.suppress(PermissionError):
            os.replace(new_path, path)
            return
        time.sleep(pause)
    os.replace(new_path, path)


def flush_folder(folder: Path) -> None:
    """Flush a folder, so that a new name survives a power cut, where the system allows to open folders."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[int]:
    """Open a file for reading, without following a link, for the length of a block. Raises OSError."""
    descriptor = os.open(path, READ_ONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


_JUNCTION: Final = 0xA0000003  # Windows: IO_REPARSE_TAG_MOUNT_POINT; other tags, as of cloud folders, do not redirect


def is_link(status: os.stat_result) -> bool:
    """Tell whether an lstat result is of a symbolic link, or of a junction, which redirects folders on Windows."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


def has_end(path: Path) -> bool:
    """Tell whether a file can be read to its end, which a device such as /dev/zero does not have. Raises OSError."""
    mode = os.stat(path).st_mode
    return not stat.S_ISCHR(mode) and not stat.S_ISBLK(mode)


_LOOKS: Final = 10  # for the id of a lock's holder
_LOOK_SECONDS: Final = 0.02  # between two looks


class LockTaken(Exception):
    """Another process has a lock. `holder`: its id, None if unknown."""

    def __init__(self, holder: int | None) -> None:
        super().__init__(holder)
        self.holder = holder


class Lock:
    """A lock that one process at a time has. It ends with the process, so it is never stale.

    path:    of the lock.
    id_path: of a file with the id of the process that has the lock, for messages of other processes.
    """

    def __init__(self, path: Path, id_path: Path) -> None:
        import filelock  # reading processes, which load this module, lock nothing

        self._lock = filelock.FileLock(path, timeout=0, mode=0o600)
        self._id_path = id_path

    def take(self) -> None:
        """Take the lock. Raises LockTaken, OSError."""
        import filelock

        try:
            self._lock.acquire()
        except filelock.Timeout:
            raise LockTaken(self._read_holder()) from None
        with contextlib.suppress(OSError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(self._id_path, flags, 0o600), "w", encoding="ascii") as stream:
                stream.write(str(os.getpid()))

    def release(self) -> None:
        """Release the lock, if it was taken."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):
                self._id_path.unlink(missing_ok=True)
            self._lock.release()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for the length of a block. Raises LockTaken, OSError."""
        self.take()
        try:
            yield
        finally:
            self.release()

    def _read_holder(self) -> int | None:
        """Return the id of the process that has the lock; None if it did not write it soon after taking the lock."""
        for _ in range(_LOOKS):
            with contextlib.suppress(OSError, ValueError):
                return int(self._id_path.read_text(encoding="ascii"))
            time.sleep(_LOOK_SECONDS)
        return None


_OWNER_FILE: Final = "dupfinder-owner"  # a held file in each temporary folder of dupfinder
_FOLDER_PREFIX: Final = "dupfinder-"
_FOLDER_PREFIXES: Final = (_FOLDER_PREFIX, "pymp-")  # multiprocessing's folders begin with the second
_PART_SUFFIX: Final = ".part"  # of a file that is being written, before it gets its final name

if sys.platform == "win32":

    def _hold(descriptor: int) -> None:
        """Do nothing."""

    def _take_if_abandoned(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """Return False: it is not known."""
        return False

else:
    import fcntl

    def _hold(descriptor: int) -> None:
        """Lock an open file until it is closed. On a file system without locks it stays unlocked."""
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _take_if_abandoned(descriptor: int) -> bool:
        """Lock an open file, and tell whether that worked: it belongs to this user and no process holds it."""
        if os.fstat(descriptor).st_uid != os.getuid():
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def temporary_name() -> str:
    """Return a name for an incomplete file in a folder of the person; see `remove_abandoned_files`."""
    return f"{OWN_PREFIX}{secrets.token_hex(8)}{_PART_SUFFIX}"


def create_held(path: Path, mode: int) -> int:
    """Create the file `path`, held until the returned descriptor (write-only) is closed. Raises OSError.

    It is renamed to `path` once it is held, so that no other process mistakes it for an abandoned file.
    """
    new = path if sys.platform == "win32" else path.with_name(path.name + ".new")  # Windows cannot rename an open file
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    _hold(descriptor)
    if new != path:
        os.rename(new, path)
    return descriptor


@cache
def claim_folder(folder: Path) -> None:
    """Mark a temporary folder as this process's while it runs. Abandoned folders are removed first."""
    remove_abandoned_folders()
    with contextlib.suppress(OSError):  # without this file, no other process removes the folder
        create_held(folder / _OWNER_FILE, 0o600)  # stays open until the process ends


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Create a temporary folder for the length of a block. After a kill, a later start removes it. Raises OSError."""
    remove_abandoned_folders()
    # On Windows a file stays that is still mapped; the system removes it with its other temporary files.
    with tempfile.TemporaryDirectory(prefix=_FOLDER_PREFIX, ignore_cleanup_errors=True) as name:
        owner_file = create_held(Path(name, _OWNER_FILE), 0o600)
        try:
            yield Path(name)
        finally:
            os.close(owner_file)


@cache
def remove_abandoned_folders() -> None:
    """Remove temporary folders that killed processes left; does so once in the life of this process."""
    temporary = Path(tempfile.gettempdir())
    with contextlib.suppress(OSError):
        for name in os.listdir(temporary):
            if name.startswith(_FOLDER_PREFIXES):
                _remove_if_abandoned(temporary / name)


def _remove_if_abandoned(path: Path) -> None:
    """Remove a folder if it is private to its owner and no process holds its owner file."""
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700 and _is_abandoned(path / _OWNER_FILE):
            shutil.rmtree(path, ignore_errors=True)


def remove_abandoned_files(folder: Path) -> None:
    """Remove incomplete files in `folder`, named by `temporary_name`, that killed processes left."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(OWN_PREFIX) and name.endswith(_PART_SUFFIX) and _is_abandoned(folder / name):
                os.unlink(folder / name)


def _is_abandoned(path: Path) -> bool:
    """Tell whether `path` is a regular file of this user that no process holds. Raises OSError."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return False
    with reading(path) as descriptor:
        return _take_if_abandoned(descriptor)
