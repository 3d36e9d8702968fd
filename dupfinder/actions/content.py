"""Hash, compare and copy open files, and tell whether another program writes them."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import sys
from typing import Final

_CHUNK: Final = 1 << 20  # bytes read at a time
HASH_BYTES: Final = 16  # BLAKE2b-128, as in plan.KnownFile

if sys.platform == "linux":
    import fcntl

    def is_being_written(descriptor: int) -> bool:
        """Tell whether any program has the file open for writing; False also if the file system cannot tell.

        The kernel grants a read lease only if nobody writes. The lease is released at once; if somebody opens the file
        in between, the kernel sends a signal that is ignored by default.
        """
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as fault:
            return fault.errno == errno.EAGAIN  # EACCES: not our file; EINVAL: no leases on this file system
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False

else:

    def is_being_written(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """Return False: Windows itself refuses to rename a file in use; macOS cannot tell."""
        return False


def hash_of(descriptor: int) -> str:
    """Return the BLAKE2b-128 of an open file from its beginning, in hexadecimal."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    while chunk := os.read(descriptor, _CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _read_fully(descriptor: int) -> bytes:
    """Read _CHUNK bytes, fewer only at the end of the file."""
    parts = []
    remaining = _CHUNK
    while remaining and (part := os.read(descriptor, remaining)):
        parts.append(part)
        remaining -= len(part)
    return b"".join(parts)


def are_equal(left: int, right: int) -> bool:
    """Tell whether two open files have the same bytes."""
    os.lseek(left, 0, os.SEEK_SET)
    os.lseek(right, 0, os.SEEK_SET)
    while True:
        left_chunk, right_chunk = _read_fully(left), _read_fully(right)
        if left_chunk != right_chunk:
            return False
        if not left_chunk:
            return True


def copy(source: int, target: int) -> str:
    """Copy all bytes, flush them to the disk, and return the BLAKE2b-128 of the bytes read."""
    os.lseek(source, 0, os.SEEK_SET)
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    while chunk := os.read(source, _CHUNK):
        digest.update(chunk)
        view = memoryview(chunk)
        while view:
            view = view[os.write(target, view) :]
    os.fsync(target)
    return digest.hexdigest()
