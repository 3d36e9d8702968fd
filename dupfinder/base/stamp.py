"""FileStamp: what the file system says of a file, so that "unchanged" can be told without opening it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Two equal stamps mean: the same file, unchanged.

    path:               absolute; undecodable bytes of the name are kept as surrogate escapes (PEP 383).
    size:               bytes.
    mtime_ns, ctime_ns: nanoseconds since the epoch. ctime catches an edit whose mtime was put back.
    device, inode:      identity of the file; two paths with the same pair are one file.
    """

    path: Path
    size: int
    mtime_ns: int
    ctime_ns: int
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path, status: os.stat_result) -> FileStamp:
        """The stamp of `path` from an lstat or fstat result."""
        return cls(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_dev, status.st_ino)

    def same_file_unchanged(self, other: FileStamp) -> bool:
        """Whether both describe the same, unchanged file, whatever the path it was reached by."""
        return self.key() == other.key()

    def is_same_file(self, other: FileStamp) -> bool:
        """Whether both describe one file, even where two mounts give its volume two device numbers.

        Overlays, bindfs, snapshots and shares that are mounted twice show a file under another device number, with the
        inode, the size and both times it has: no other file shares all four.
        """
        if self.inode != other.inode:
            return False
        return self.device == other.device or (self.inode != 0 and self.key()[2:] == other.key()[2:])

    def key(self) -> tuple[int, int, int, int, int]:
        """(device, inode, size, mtime_ns, ctime_ns)."""
        return (self.device, self.inode, self.size, self.mtime_ns, self.ctime_ns)
