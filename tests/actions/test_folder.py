"""The renames that removals need, by folder descriptors and by plain paths alike."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dupfinder.actions import folder as folders
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.places import holding_name
from dupfinder.base.paths import held_name
from dupfinder.base.stamp import identity
from tests.actions.making import OLD, contents, write


@pytest.fixture(params=["by descriptor", "by path"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by path":
        monkeypatch.setattr(folders, "_BY_DESCRIPTOR", False)
    elif os.open not in os.supports_dir_fd:
        pytest.skip("this system knows no folder descriptors")


def test_a_folder_knows_all_folders_above_it(tmp_path: Path) -> None:
    with OpenFolder.open(tmp_path) as here:
        assert here.lineage == tuple(identity(os.stat(place)) for place in (*reversed(tmp_path.parents), tmp_path))
        assert here.identity == identity(os.stat(tmp_path))


def test_symbolic_links_are_followed_above_and_refused_below(tmp_path: Path) -> None:
    (tmp_path / "real" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "inner").symlink_to(tmp_path / "real" / "sub")
    OpenFolder.open(tmp_path / "link" / "sub", below=tmp_path / "link").close()
    for path, below in ((tmp_path / "link" / "sub", tmp_path), (tmp_path / "real" / "inner", tmp_path / "real")):
        with pytest.raises(OSError) as caught:
            OpenFolder.open(path, below=below)
        assert caught.value.errno == errno.ELOOP


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "file", b"1")
    with pytest.raises(NotADirectoryError):
        OpenFolder.open(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        OpenFolder.open(tmp_path / "file" / "below")
    with pytest.raises(FileNotFoundError):
        OpenFolder.open(tmp_path / "absent" / "below")


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(write(tmp_path / "file", b"1"))
    (tmp_path / "folder").mkdir()
    with OpenFolder.open(tmp_path) as here:
        os.close(here.open_file("file"))
        for name, number in {"pipe": errno.EINVAL, "folder": errno.EINVAL, "link": errno.ELOOP}.items():
            with pytest.raises(OSError) as caught:
                here.open_file(name)
            assert caught.value.errno == number
        assert here.status("absent") is None


@pytest.mark.parametrize("links", [True, False])
def test_an_exclusive_move_never_overwrites(tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*names: object, **options: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "a" / "one", b"1")
    write(tmp_path / "b" / "taken", b"2")
    with OpenFolder.open(tmp_path / "a") as source, OpenFolder.open(tmp_path / "b") as to:
        with pytest.raises(FileExistsError):
            source.move_exclusively("one", to, "taken")
        assert contents(tmp_path) == {"a/one": b"1", "b/taken": b"2"}
        if not links and not folders._BY_DESCRIPTOR:
            with pytest.raises(OSError, match="not supported"):
                source.move_exclusively("one", to, "free")
            return
        source.move_exclusively("one", to, "free")
        assert contents(tmp_path) == {"b/free": b"1", "b/taken": b"2"}
        with pytest.raises(FileNotFoundError):
            source.move_exclusively("absent", to, "x")
        assert contents(tmp_path) == {"b/free": b"1", "b/taken": b"2"}


def test_mode_and_times_are_set_on_the_file_itself(tmp_path: Path) -> None:
    write(tmp_path / "file", b"1")
    with OpenFolder.open(tmp_path) as here:
        here.set_mode_and_times("file", 0o604, OLD + 5, OLD + 7)
    status = os.stat(tmp_path / "file")
    assert (status.st_mode & 0o7777, status.st_mtime_ns, status.st_atime_ns) == (0o604, OLD + 5, OLD + 7)


@pytest.mark.parametrize(("length", "room"), [(20, 236), (200, 56), (216, 40), (230, 255), (300, 255)])
def test_where_windows_allows_no_longer_path_a_holding_name_is_short(
    monkeypatch: pytest.MonkeyPatch, length: int, room: int
) -> None:
    monkeypatch.delattr("os.statvfs", raising=False)
    folder = OpenFolder(Path("/" + "d" * (length - 1)), None, ((1, 1),))
    assert folder.longest_name() == room
    name = holding_name("0" * 16, "a letter with a name of some length.docx", folder.longest_name())
    assert len(name) <= room and held_name(name)


def test_a_name_of_a_file_that_is_marked_as_read_only_goes_on_windows_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "docs" / "a.txt", b"text")
    path.chmod(0o444)
    unlink = os.unlink

    def as_windows(name: str, *, dir_fd: int | None = None) -> None:
        if not os.stat(name, dir_fd=dir_fd).st_mode & 0o200:
            raise PermissionError(13, "Access is denied", name)
        unlink(name, dir_fd=dir_fd)

    monkeypatch.setattr("os.unlink", as_windows)
    with OpenFolder(path.parent, None, ((1, 1),)) as folder:
        with pytest.raises(PermissionError):
            folder.remove_name("a.txt")
        monkeypatch.setattr("sys.platform", "win32")
        folder.remove_name("a.txt")
    assert not path.exists()
