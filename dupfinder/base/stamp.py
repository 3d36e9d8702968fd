"""FileStamp: the file system's facts on a file, by which it is known to be unchanged without opening it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Equal stamps mean the same file, unchanged.

    path:               absolute; undecodable bytes of the name are surrogate escapes (PEP 383).
    size:               bytes.
    mtime_ns, ctime_ns: nanoseconds since the epoch. ctime reveals an edit after which mtime was set back. Times
                        before 1677 or after 2262 are the nearest that 64 bits can hold, as in the library.
    device, inode:      identity of the file; two paths with the same pair are the same file.
    """

    path: Path
    size: int
    mtime_ns: int
    ctime_ns: int
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path, status: os.stat_result) -> FileStamp:
        """Return the stamp of `path` from an lstat or fstat result."""
        times = _within_64_bits(status.st_mtime_ns), _within_64_bits(status.st_ctime_ns)
        return cls(path, status.st_size, *times, *identity(status))

    def describes(self, status: os.stat_result) -> bool:
        """Tell whether an lstat or fstat result is of the same, unchanged file."""
        return FileStamp.of(self.path, status) == self

    def is_same_file(self, other: FileStamp) -> bool:
        """Tell whether both stamps are of the same file, even if its volume has two device numbers.

        Overlays, bindfs, snapshots and shares that are mounted twice show a file under another device number, with the
        same inode, size and times; no other file has all four in common.
        """
        if self.inode != other.inode:
            return False
        return self.device == other.device or (self.inode != 0 and self.key()[2:] == other.key()[2:])

    def key(self) -> tuple[int, int, int, int, int]:
        return (self.device, self.inode, self.size, self.mtime_ns, self.ctime_ns)


def identity(status: os.stat_result) -> tuple[int, int]:
    """Return (device, inode) of a stat result, each in 64 bits, as the library stores them.

    Windows numbers the files of some volumes (ReFS) with 128 bits, of which only a few are in use.
    """
    return status.st_dev, (status.st_ino ^ status.st_ino >> 64) & (1 << 64) - 1


def _within_64_bits(nanoseconds: int) -> int:
    """Return the nearest signed number of 64 bits."""
    return min(max(nanoseconds, -(1 << 63)), (1 << 63) - 1)
