"""Hashes of file contents by the stamps of the files: what is unchanged need not be opened to know its copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns

# One file: its stamp's key, the hash of its first block and that of the whole, as FileHashes has them.
_ROW: Final = np.dtype([("key", "<i8", (5,)), ("head", "<u8"), ("whole", "<u8", (2,))])
# Multipliers that mix the five numbers of a key; any odd ones do.
_ODD: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD], np.uint64
)


@dataclass(frozen=True, slots=True)
class FileHashes(Columns):
    """Hashes of n files, as columns.

    keys:  int64 (n, 5), device, inode, size [bytes], mtime_ns and ctime_ns, as `library.stamp_key` gives them.
    head:  uint64 (n,), of the first block; 0 where it was not read.
    whole: uint64 (n, 2), of all bytes, zeros where they were not read: the content hash that DocumentRow has.
    """

    keys: NDArray[np.int64]
    head: NDArray[np.uint64]
    whole: NDArray[np.uint64]

    @classmethod
    def unknown(cls, keys: NDArray[np.int64]) -> FileHashes:
        """Return the hashes of files of which no block was read."""
        return cls(keys, np.zeros(len(keys), np.uint64), np.zeros((len(keys), 2), np.uint64))

    @classmethod
    def none(cls) -> FileHashes:
        """Return the hashes of no files."""
        return cls.unknown(np.empty((0, 5), np.int64))

    @classmethod
    def unpacked(cls, parts: list[bytes]) -> FileHashes:
        """Decode the hashes of packed parts. Raises ValueError for other bytes."""
        rows = np.frombuffer(b"".join(parts), _ROW)
        return cls(
            rows["key"].astype(np.int64), rows["head"].astype(np.uint64), rows["whole"].astype(np.uint64).reshape(-1, 2)
        )

    def packed(self) -> bytes:
        """Encode the hashes of the files of which at least a block was read."""
        files = self.take(np.flatnonzero(self.is_read))
        rows = np.empty(len(files), _ROW)
        rows["key"], rows["head"], rows["whole"] = files.keys, files.head, files.whole
        return rows.tobytes()

    @property
    def is_read(self) -> NDArray[np.bool_]:
        """Whether a block of each file was read, bool (n,)."""
        read: NDArray[np.bool_] = (self.head != 0) | self.has_whole
        return read

    @property
    def has_whole(self) -> NDArray[np.bool_]:
        """Whether all bytes of each file were read, bool (n,)."""
        has_whole: NDArray[np.bool_] = (self.whole[:, 0] != 0) | (self.whole[:, 1] != 0)
        return has_whole

    def of(self, keys: NDArray[np.int64]) -> FileHashes:
        """Find what is known of files with these keys, int64 (m, 5), row for row.

        If a key is stored twice, the file whose bytes were all read is taken.
        """
        result = FileHashes.unknown(keys)
        if not len(self):
            return result
        mixed = _mixed(self.keys)
        order = np.lexsort((self.has_whole, mixed))
        wanted = _mixed(keys)
        rows = order[np.maximum(np.searchsorted(mixed[order], wanted, side="right") - 1, 0)]
        equal = np.flatnonzero((self.keys[rows] == keys).all(axis=1))
        result.head[equal], result.whole[equal] = self.head[rows[equal]], self.whole[rows[equal]]
        return result


def _mixed(keys: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return one number for the five of each key, uint64 (n,), which two keys hardly ever share."""
    numbers = keys.view(np.uint64) * _ODD
    mixed: NDArray[np.uint64] = np.bitwise_xor.reduce(numbers ^ (numbers >> np.uint64(29)), axis=1)
    return mixed
