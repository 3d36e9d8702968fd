"""Open files: their bytes hashed, compared, copied; and whether another program is writing them.

Nothing here knows a name.
"""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import sys
from typing import Final

_CHUNK: Final = 1 << 20  # bytes read at a time
HASH_BYTES: Final = 16  # BLAKE2b-128, as in Witness

if sys.platform == "linux":
    import fcntl

    def is_being_written(descriptor: int) -> bool:
        """Whether any program has the file open for writing; False also where the file system cannot tell.

        A read lease is granted only when nobody writes. It is given back at once; should somebody open the file in
        between, the kernel sends a signal that is ignored by default.
        """
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as fault:
            return fault.errno == errno.EAGAIN  # EACCES: not our file; EINVAL: no leases here
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False

else:

    def is_being_written(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """False: Windows refuses the change of name of a file in use by itself; macOS does not tell."""
        return False


def hash_of(descriptor: int) -> str:
    """BLAKE2b-128 of an open file from its beginning, in hexadecimal."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    while chunk := os.read(descriptor, _CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _read_fully(descriptor: int) -> bytes:
    parts = []
    left = _CHUNK
    while left and (part := os.read(descriptor, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def are_equal(left: int, right: int) -> bool:
    """Whether two open files hold the same bytes."""
    os.lseek(left, 0, os.SEEK_SET)
    os.lseek(right, 0, os.SEEK_SET)
    while True:
        one, other = _read_fully(left), _read_fully(right)
        if one != other:
            return False
        if not one:
            return True


def copy(source: int, target: int) -> str:
    """Copy all bytes, bring them to the disk, and return the BLAKE2b-128 of what was read."""
    os.lseek(source, 0, os.SEEK_SET)
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    while chunk := os.read(source, _CHUNK):
        digest.update(chunk)
        view = memoryview(chunk)
        while view:
            view = view[os.write(target, view) :]
    os.fsync(target)
    return digest.hexdigest()
