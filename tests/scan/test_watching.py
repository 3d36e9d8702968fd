"""Watching folders: a change is noticed by the system's word or by looking, and leads to one more scan."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.base.errors import RootError
from dupfinder.base.progress import Progress, SilentReporter, Stopped
from dupfinder.base.settings import Settings
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand
from dupfinder.library.library import LibraryFile
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.scan.watching import FolderWatch, keep_fresh, watchable
from tests import making
from tests.scan.documents import family, prose, put


class Acting:
    """A reporter that does one thing at each check, in order, and stops when nothing is left to do."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        self._acts = list(acts)

    def check(self) -> None:
        if not self._acts:
            raise Stopped
        self._acts.pop(0)()

    def tell(self, progress: Progress) -> None:
        return None


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    family(tmp_path / "docs", 1)
    return tmp_path / "docs"


def request(*folders: Path) -> ScanRequest:
    return ScanRequest(tuple(map(Root, folders)), workers=1)


def arrival(docs: Path) -> Callable[[], object]:
    return lambda: put(docs / "new" / "letter.txt", making.txt(prose(1)))


def test_what_the_system_tells_of_a_change_ends_the_wait(docs: Path) -> None:
    ticks = [lambda: None] * 100  # far fewer seconds than until the next look
    with FolderWatch(request(docs), pause=3600, settle=0) as watch:
        watch.wait(SilentReporter())
        watch.wait(Acting(arrival(docs), *ticks))


def test_where_the_system_tells_nothing_a_regular_look_finds_the_change(docs: Path) -> None:
    with FolderWatch(request(docs), pause=0.01, settle=0, most_folders=0) as watch:
        watch.wait(SilentReporter())
        watch.wait(Acting(arrival(docs), *[lambda: None] * 1000))


def test_files_that_a_scan_leaves_out_are_no_change(docs: Path) -> None:
    with FolderWatch(request(docs), pause=0.01, settle=0) as watch:
        watch.wait(SilentReporter())
        with pytest.raises(Stopped):
            watch.wait(Acting(lambda: put(docs / "photo.jpg", b"\xff\xd8"), *[lambda: None] * 10))


def test_a_tree_of_too_many_folders_is_only_looked_at(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert watchable([docs, docs / "letter1.txt"], most=2) == [docs]  # itself and "copies"
    assert watchable([docs], most=1) == []
    monkeypatch.setattr("sys.platform", "win32")
    assert watchable([docs], most=1) == [docs]


def test_a_folder_to_leave_out_is_not_watched(docs: Path) -> None:
    left_out = ScanRequest((Root(docs), Root(docs / "copies", Role.LEAVE_OUT)), workers=1)
    with FolderWatch(left_out, pause=0.01, settle=0) as watch:
        watch.wait(SilentReporter())
        with pytest.raises(Stopped):
            watch.wait(Acting(lambda: put(docs / "copies" / "new.txt", b"new"), *[lambda: None] * 10))


def test_each_change_leads_to_one_more_scan_and_an_empty_folder_to_none(docs: Path, tmp_path: Path) -> None:
    library = tmp_path / "library.dupfinder"
    scans: list[list[str]] = []

    def note(number: int) -> None:
        with LibraryFile(library) as opened:
            scans.append(sorted(Path(path).name for path in opened.result(number).documents.paths))

    def fill() -> None:
        empty = tmp_path / "empty"
        shutil.copy(docs / "letter1.txt", empty)

    (tmp_path / "empty").mkdir()
    fresh = keep_fresh(request(tmp_path / "empty"), library, _Lasting(fill), Demand.of(Settings()), Settings(), 0.01, 0)
    note(next(fresh))
    put(tmp_path / "empty" / "letter2.txt", making.txt(prose(2)))
    note(next(fresh))
    (tmp_path / "empty" / "letter1.txt").rename(tmp_path / "empty" / "letter3.txt")
    note(next(fresh))
    fresh.close()
    assert scans == [["letter1.txt"], ["letter1.txt", "letter2.txt"], ["letter2.txt", "letter3.txt"]]


def test_what_a_removal_moves_while_folders_are_watched_is_left_out_from_then_on(docs: Path, tmp_path: Path) -> None:
    moved: dict[Path, FileStamp] = {}

    def move() -> None:
        path = docs / "removed.txt"
        (docs / "letter1.txt").rename(path)
        moved[path] = FileStamp.of(path, path.stat())

    library = tmp_path / "library.dupfinder"
    watched = replace(request(docs), moved_aside=lambda: moved)
    fresh = keep_fresh(watched, library, _Lasting(), Demand.of(Settings()), Settings(), 0.01, 0)
    number = next(fresh)
    move()
    numbers = (number, next(fresh))
    fresh.close()
    with LibraryFile(library) as opened:
        before, after = (opened.result(scan).summary for scan in numbers)
    assert (after.offered, after.read) == (before.offered, before.read - 1)


def test_while_another_program_writes_the_library_it_waits(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupfinder.scan.watching.SETTLE_SECONDS", 0.01)
    library = tmp_path / "library.dupfinder"
    other = LibraryFile(library, write=True)
    fresh = keep_fresh(request(docs), library, _Lasting(other.close), Demand.of(Settings()), Settings())
    assert next(fresh) == 1
    fresh.close()


def test_a_folder_that_is_away_is_told_and_watched_again_when_it_is_back(docs: Path, tmp_path: Path) -> None:
    library, elsewhere = tmp_path / "library.dupfinder", tmp_path / "elsewhere"
    reasons: list[tuple[Path, str]] = []
    reporter = _Lasting()

    def reconnect(error: RootError) -> None:
        reasons.append((error.path, error.reason))
        reporter.do_at_checks(*[lambda: None] * 5, lambda: elsewhere.rename(docs))

    fresh = keep_fresh(request(docs), library, reporter, Demand.of(Settings()), Settings(), 0.01, 0, reconnect)
    assert next(fresh) == 1
    docs.rename(elsewhere)
    assert next(fresh) == 2
    reporter.do_at_checks(arrival(docs))  # is heard of, in the folder that is back
    assert next(fresh) == 3
    fresh.close()
    assert reasons == [(docs, "ENOENT")]
    with LibraryFile(library) as opened:
        assert [len(opened.result(number).documents.paths) for number in (1, 2, 3)] == [4, 4, 5]


def test_the_empty_folder_of_a_share_that_is_away_is_told_once_and_watched_again_when_it_is_back(
    docs: Path, tmp_path: Path, scratch: Path
) -> None:
    share, library = tmp_path / "share", tmp_path / "library.dupfinder"
    if os.stat(scratch).st_dev == os.stat(docs).st_dev:
        pytest.skip("needs a second volume")
    arrival(scratch)()
    share.symlink_to(scratch)
    reasons: list[str] = []
    reporter = _Lasting()

    def reconnect(error: RootError) -> None:
        reasons.append(error.reason)
        reporter.do_at_checks(*[lambda: None] * 5, share.rmdir, lambda: share.symlink_to(scratch))

    both = request(docs, share)
    fresh = keep_fresh(both, library, reporter, Demand.of(Settings()), Settings(), 0.01, 0, reconnect)
    assert next(fresh) == 1
    share.unlink()
    share.mkdir()
    assert next(fresh) == 2
    fresh.close()
    assert reasons == ["ENODEV"]
    with LibraryFile(library) as opened:
        assert [len(opened.result(number).documents.paths) for number in (1, 2)] == [5, 5]


class _Lasting(Acting):
    """A reporter that does its acts, and then goes on for ever."""

    def do_at_checks(self, *acts: Callable[[], object]) -> None:
        self._acts.extend(acts)

    def check(self) -> None:
        if self._acts:
            super().check()
