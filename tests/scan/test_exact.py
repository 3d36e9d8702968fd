"""Identical files: exactly those with the same bytes, told before anything is read, and nothing opened twice."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.base.progress import IdenticalCounts, LatestProgress, Progress, SilentReporter, Stage, Stopped
from dupfinder.base.stamp import FileStamp
from dupfinder.library.rows import FileHashes
from dupfinder.scan import exact
from dupfinder.scan.exact import find_identical

STARTS = (b"", b"a", b"same first block " * 8, b"other first block" * 8)
ENDS = (b"", b"x", b"y", b"long end" * 40)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that files of a test have several."""
    monkeypatch.setattr(exact, "HEAD_BYTES", 64)
    monkeypatch.setattr(exact, "_PIECE", 50)


def written(folder: Path, contents: Sequence[bytes]) -> list[FileStamp]:
    """The stamps of new files with these contents."""
    folder.mkdir(exist_ok=True)
    stamps = []
    for number, data in enumerate(contents):
        path = folder / f"{number}"
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        stamps.append(FileStamp.of(path, path.lstat()))
    return stamps


def groups(stamps: Sequence[FileStamp], contents: dict[FileStamp, bytes]) -> set[frozenset[Path]]:
    """The paths of the files that have the same content hash."""
    by_hash = defaultdict(set)
    for stamp in stamps:
        if stamp in contents:
            by_hash[contents[stamp]].add(stamp.path)
    return {frozenset(paths) for paths in by_hash.values() if len(paths) > 1}


def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list that fills with the paths of the files that are opened."""
    paths: list[Path] = []
    real = os.open

    def record(path: Path, flags: int) -> int:
        paths.append(path)
        return real(path, flags)

    monkeypatch.setattr(os, "open", record)
    return paths


@given(
    data=st.lists(st.builds(bytes.__add__, st.sampled_from(STARTS), st.sampled_from(ENDS)), max_size=14),
    again=st.integers(0, 14),
    workers=st.integers(1, 3),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_groups_are_those_of_equal_bytes_whatever_was_known_before(
    tmp_path: Path, data: list[bytes], again: int, workers: int
) -> None:
    stamps = written(tmp_path / "files", data)
    expected = defaultdict(set)
    for stamp, content in zip(stamps, data, strict=True):
        if content:
            expected[content].add(stamp.path)
    known = find_identical(stamps[:again], FileHashes.none(), 1, SilentReporter()).hashes
    known = FileHashes.unpacked([known.packed()])
    latest = LatestProgress()
    hashes = find_identical(stamps, known, workers, latest)
    assert groups(stamps, hashes.content_hashes(stamps)) == {frozenset(p) for p in expected.values() if len(p) > 1}
    progress = latest.newest()
    assert progress is not None and progress.stage is Stage.HASH and progress.done == progress.total
    copies = [(len(paths) - 1, len(content)) for content, paths in expected.items() if len(paths) > 1]
    same = progress.identical
    assert (same.groups, same.copies) == (len(copies), sum(number for number, _ in copies))
    assert same.bytes == sum(number * size for number, size in copies)


def test_only_files_of_one_size_are_opened_and_unchanged_ones_never_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamps = written(tmp_path, [b"x" * 200, b"x" * 200, b"y" * 200, b"alone", b""])
    paths = opened(monkeypatch)
    first = find_identical(stamps, FileHashes.none(), 1, SilentReporter())
    assert sorted(path.name for path in paths) == ["0", "0", "1", "1", "2"]  # a first block, and all of two
    paths.clear()
    known = FileHashes.unpacked([first.hashes.packed()])
    second = find_identical(stamps, known, 1, SilentReporter())
    assert paths == [] and second.content_hashes(stamps) == first.content_hashes(stamps)
    changed = [stamps[0], stamps[2], *written(tmp_path / "more", [b"x" * 200])]
    third = find_identical(changed, known, 1, SilentReporter())
    assert {path.parent.name for path in paths} == {"more"}
    assert groups(changed, third.content_hashes(changed)) == {frozenset((stamps[0].path, changed[2].path))}


def test_the_largest_groups_are_named_and_the_small_are_counted(tmp_path: Path) -> None:
    contents = [bytes([number]) * (number + 1) for number in range(10) for _ in range(2)]
    stamps = written(tmp_path, contents)
    latest = LatestProgress()
    find_identical(stamps, FileHashes.none(), 2, latest)
    progress = latest.newest()
    assert progress is not None
    same: IdenticalCounts = progress.identical
    assert (same.groups, same.copies, same.bytes) == (10, 10, 55)
    assert [len(paths[0].read_bytes()) for paths in same.largest] == [10, 9, 8, 7, 6]


def test_protected_files_are_no_copies_that_could_be_freed(tmp_path: Path) -> None:
    stamps = written(tmp_path, [b"content"] * 5 + [b"other"] * 2)
    for protected, copies in ((), 5), ({3}, 5), ({0, 3}, 4), ({3, 4, 5, 6}, 3):
        groups = find_identical(stamps, FileHashes.none(), 1, SilentReporter(), protected=protected).groups
        assert (groups.groups, groups.copies) == (2, copies)


@pytest.mark.skipif(os.name != "posix", reason="needs a link, a pipe and permissions")
def test_a_file_that_changed_or_cannot_be_opened_has_no_hash_and_its_reason(tmp_path: Path) -> None:
    stamps = written(tmp_path, [b"content"] * 6)
    stamps[1].path.write_bytes(b"changed")
    stamps[2].path.unlink()
    stamps[3].path.unlink()
    stamps[3].path.symlink_to(stamps[0].path)
    stamps[4].path.unlink()
    os.mkfifo(stamps[4].path)
    hashes = find_identical(stamps, FileHashes.none(), 1, SilentReporter())
    contents = hashes.content_hashes(stamps)
    assert groups(stamps, contents) == {frozenset((stamps[0].path, stamps[5].path))}
    assert {stamp.path.name: kind for stamp, (kind, _) in hashes.problems.items()} == {
        "1": ProblemKind.CHANGED, "2": ProblemKind.VANISHED, "3": ProblemKind.CHANGED, "4": ProblemKind.CHANGED,
    }  # fmt: skip


def test_what_was_hashed_before_a_stop_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = written(tmp_path, [b"%05d" % number * 100 for number in range(500)])
    monkeypatch.setattr(exact, "_PORTION_FILES", 10)
    kept: list[FileHashes] = []

    class Stopping(SilentReporter):
        def check(self) -> None:
            raise Stopped

    with pytest.raises(Stopped):
        find_identical(stamps, FileHashes.none(), 1, Stopping(), kept.append)
    before = threading.active_count()
    assert sum(map(len, kept)) < 500
    latest = LatestProgress()
    find_identical(stamps, FileHashes.none(), 1, latest, kept.append)
    assert threading.active_count() == before
    assert sum(map(len, kept)) >= 500
    progress = latest.newest()
    assert progress is not None and progress.identical == IdenticalCounts()


def test_a_large_file_does_not_hold_a_stop_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = written(tmp_path, [b"a" * 10_000] * 2)
    stop = threading.Event()
    reads: list[int] = []
    real = os.read

    def read(descriptor: int, most: int) -> bytes:
        reads.append(most)
        if len(reads) == 3:
            stop.set()
        return real(descriptor, most)

    monkeypatch.setattr(os, "read", read)
    (result,) = exact._hash_files([(0, stamps[0])], False, stop)
    assert len(reads) == 3 and not result.content and result.problem is None
    assert exact._hash_files([(1, stamps[1])], False, stop) == []


def test_progress_tells_bytes_and_the_groups_so_far(tmp_path: Path) -> None:
    stamps = written(tmp_path, [b"x" * 300] * 3 + [b"lone"])
    reports: list[Progress] = []

    class Recorder(SilentReporter):
        def tell(self, progress: Progress) -> None:
            reports.append(progress)

    find_identical(stamps, FileHashes.none(), 1, Recorder())
    assert (reports[0].done, reports[0].total) == (0, 900) and (reports[-1].done, reports[-1].total) == (900, 900)
    assert reports[-1].identical.largest == ((stamps[0].path, stamps[1].path, stamps[2].path),)
