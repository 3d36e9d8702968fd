"""Bytes of open files: hashed, compared, copied. Nothing here knows a name."""

from __future__ import annotations

import hashlib
import os
from typing import Final

_CHUNK: Final = 1 << 20  # bytes read at a time
HASH_BYTES: Final = 16  # BLAKE2b-128, as in Witness


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
