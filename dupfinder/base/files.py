"""Files of the program's own: replaced whole, opened without following a link, and locked with the id of the holder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
BINARY: Final = getattr(os, "O_BINARY", 0)
# O_NONBLOCK: should a pipe have taken the file's place, opening it does not wait for a writer.
READ_ONLY: Final = os.O_RDONLY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | BINARY


def write_whole(path: Path, parts: Iterable[bytes], *, mode: int = 0o600) -> int:
    """Write a file under a temporary name, flush it to the disk, then rename it to `path`. Return its size in bytes.

    Raises OSError; then no temporary file is left and an earlier file at `path` is unchanged.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode), "wb") as stream:
            for part in parts:
                stream.write(part)
            stream.flush()
            os.fsync(stream.fileno())
            size = stream.tell()
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    return size


class Held(Exception):
    """Another process has a lock. `holder`: its id, None if unknown."""

    def __init__(self, holder: int | None) -> None:
        super().__init__(holder)
        self.holder = holder


class Lock:
    """A lock that one process at a time has. It ends with the process, so it is never stale.

    path: of the lock. holder: of a file with the id of the process that has it, for a sentence in the others.
    """

    def __init__(self, path: Path, holder: Path) -> None:
        import filelock  # reading processes, which load this module, lock nothing

        self._lock = filelock.FileLock(path, timeout=0, mode=0o600)
        self._holder = holder

    def take(self) -> None:
        """Take the lock. Raises Held, OSError."""
        import filelock

        try:
            self._lock.acquire()
        except filelock.Timeout:
            raise Held(self._read_holder()) from None
        with contextlib.suppress(OSError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(self._holder, flags, 0o600), "w", encoding="ascii") as stream:
                stream.write(str(os.getpid()))

    def release(self) -> None:
        """Release the lock, if it was taken."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for the length of a block. Raises Held, OSError."""
        self.take()
        try:
            yield
        finally:
            self.release()

    def _read_holder(self) -> int | None:
        try:
            return int(self._holder.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
