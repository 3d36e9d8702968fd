"""Hashes of files come back as they were stored, each at its own file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.stamp import FileStamp
from dupfinder.library.rows import FileHashes
from dupfinder.library.stored import stamp_keys

# Of the first file all bytes were read, of the second its first block, of the third nothing.
STAMPS = [FileStamp(Path(f"/{number}"), 1000 + number, 10**18, 10**18, 2**64 - 5, number) for number in range(3)]
WHOLE = np.array([[2**64 - 1, 7], [0, 0], [0, 0]], np.uint64)
HASHES = FileHashes(stamp_keys(STAMPS), np.array([5, 2**64 - 2, 0], np.uint64), WHOLE)


def test_packed_hashes_come_back_but_for_files_that_were_not_read() -> None:
    unpacked = FileHashes.unpacked([HASHES.take(np.array([0])).packed(), HASHES.take(np.array([1, 2])).packed()])
    for column in ("keys", "head", "content"):
        assert np.array_equal(getattr(unpacked, column), getattr(HASHES, column)[:2]), column
    with pytest.raises(ValueError):
        FileHashes.unpacked([HASHES.packed()[:-1]])


def test_each_file_gets_its_own_hashes_and_another_file_none() -> None:
    changed = FileStamp(STAMPS[0].path, 999, 10**18, 10**18, 2**64 - 5, 0)
    known = HASHES.of(stamp_keys([STAMPS[1], changed, STAMPS[0]]))
    assert known.head.tolist() == [2**64 - 2, 0, 5]
    assert known.content.tolist() == [[0, 0], [0, 0], [2**64 - 1, 7]]
    assert known.has_content.tolist() == [False, False, True]


def test_without_files_nothing_is_known() -> None:
    nothing = FileHashes.none()
    assert len(nothing) == 0 and nothing.packed() == b"" and len(FileHashes.unpacked([])) == 0
    assert nothing.of(stamp_keys(STAMPS)).is_read.tolist() == [False] * 3
    assert stamp_keys([]).shape == (0, 5)
