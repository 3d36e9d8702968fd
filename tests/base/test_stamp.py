"""Stamps: any change to a file changes its stamp."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from dupfinder.base.stamp import FileStamp, identity


def stamp(path: Path) -> FileStamp:
    return FileStamp.of(path, path.lstat())


def _same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_bytes(b"EVERYTHING")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _replaced(path: Path) -> None:
    before = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "rewritten with size and time put back": _same_size_and_time,
    "replaced by an equal file": _replaced,
    "grown": lambda path: path.write_bytes(b"everything and more"),
    "cut": lambda path: os.truncate(path, 3),
    "touched": lambda path: os.utime(path, (1, 1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_another_stamp(tmp_path: Path, change: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"everything")
    before = stamp(path)
    CHANGES[change](path)
    assert stamp(path).key() != before.key()


def test_reading_and_renaming_leave_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"everything")
    before = stamp(path)
    path.read_bytes()
    assert stamp(path) == before
    os.link(path, tmp_path / "second name")
    assert stamp(tmp_path / "second name").key() == stamp(path).key()


@pytest.mark.parametrize(("seconds", "nearest"), [(1 << 34, (1 << 63) - 1), (-(1 << 34), -(1 << 63))])
def test_a_time_that_64_bits_cannot_hold_is_the_nearest_one(tmp_path: Path, seconds: int, nearest: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"everything")
    status = path.stat()
    beyond = os.stat_result(status, {"st_mtime_ns": seconds * 10**9, "st_ctime_ns": status.st_ctime_ns})
    far = FileStamp.of(path, beyond)
    assert far.mtime_ns == nearest
    assert far.describes(beyond) and not far.describes(status)


def test_a_file_number_of_128_bits_is_stored_in_64(tmp_path: Path) -> None:
    class Status:
        """A status as Windows gives it of a file on ReFS."""

        def __init__(self, number: int) -> None:
            self.st_ino, self._status = number, tmp_path.stat()

        def __getattr__(self, name: str) -> object:
            return getattr(self._status, name)

    first, second, small = (cast(os.stat_result, Status(number)) for number in ((7 << 64) + 1, (7 << 64) + 2, 12))
    stamps = [FileStamp.of(tmp_path, status) for status in (first, second, small)]
    assert [stamp.inode for stamp in stamps] == [identity(status)[1] for status in (first, second, small)]
    assert len({stamp.inode for stamp in stamps}) == 3 and all(0 <= stamp.inode < 1 << 64 for stamp in stamps)
    assert stamps[0].describes(first) and not stamps[0].describes(second)
    assert stamps[2].inode == 12
