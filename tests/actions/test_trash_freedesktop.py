"""The trash by the freedesktop.org specification 1.0: layout, notes, names, volumes."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.trash import FreedesktopTrash, remove_note
from dupfinder.base.stamp import FileStamp
from tests.actions.making import write

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names are bytes on other systems")

NAMES = [
    b"plain.txt",
    b"no utf-8 \xff\xfe.txt",
    b"a\nline.txt",
    b"100 % of [Trash Info].txt",
    b"\xe2\x80\xae reversed.txt",
    b"n" * 255,
    "é".encode() * 127,
    b"\xff" * 255,
    b"n" * 251 + b".txt",
    "文".encode() * 84 + b"x.t",
    b"-rf",
    b"x.trashinfo",
    b".hidden",
]


def stamp(path: Path) -> FileStamp:
    return FileStamp.of(path, os.lstat(path))


def put(trash: FreedesktopTrash, path: Path) -> Place:
    place = next(trash.places(stamp(path)))
    with OpenFolder.open(path.parent) as folder:
        return trash.put(folder, path.name, path, place)


def note(place: Place) -> Mapping[str, str]:
    assert place.info is not None
    lines = place.info.read_text(encoding="ascii").splitlines()
    assert lines[0] == "[Trash Info]"
    return dict(line.split("=", 1) for line in lines[1:])


@pytest.fixture
def trash(tmp_path: Path) -> FreedesktopTrash:
    return FreedesktopTrash({"HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "share")})


def elsewhere(top: Path, uid: int | None = None) -> FreedesktopTrash:
    """A trash whose home is on another volume (the kernel's), so that the volume's own is used."""
    return FreedesktopTrash({"HOME": "/proc", "XDG_DATA_HOME": "/proc/none"}, uid, top_of=lambda path: top)


@pytest.mark.parametrize("home", ["home", "~"])  # "~": of a user without a home
def test_a_relative_home_has_no_trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    trash = FreedesktopTrash({"HOME": home}, top_of=lambda path: tmp_path)
    place = put(trash, write(tmp_path / "a.txt", b"text"))
    assert place.path is not None and place.path.is_relative_to(tmp_path / f".Trash-{os.getuid()}")


def test_the_home_trash_is_made_private_when_it_is_missing(tmp_path: Path, trash: FreedesktopTrash) -> None:
    place = put(trash, write(tmp_path / "a.txt", b"text"))
    assert place == Place(
        PlaceKind.TRASH,
        tmp_path / "share" / "Trash" / "files" / "a.txt",
        tmp_path / "share" / "Trash" / "info" / "a.txt.trashinfo",
    )
    for folder in ("Trash", "Trash/files", "Trash/info"):
        assert stat.S_IMODE(os.stat(tmp_path / "share" / folder).st_mode) == 0o700


@pytest.mark.parametrize("value", ["", "relative/share"])
def test_without_an_absolute_data_folder_the_default_one_serves(tmp_path: Path, value: str) -> None:
    trash = FreedesktopTrash({"HOME": str(tmp_path), "XDG_DATA_HOME": value})
    place = put(trash, write(tmp_path / "a.txt", b"text"))
    assert place.path == tmp_path / ".local" / "share" / "Trash" / "files" / "a.txt"


@pytest.mark.parametrize("name", NAMES)
def test_any_name_goes_in_whole_and_is_told_in_the_note(tmp_path: Path, trash: FreedesktopTrash, name: bytes) -> None:
    path = write(tmp_path / "docs" / os.fsdecode(name), b"text")
    before = datetime.now().replace(microsecond=0)
    place = put(trash, path)
    assert place.path is not None and place.info is not None
    assert place.path.read_bytes() == b"text" and not os.path.lexists(path)
    assert place.info.name == place.path.name + ".trashinfo"
    assert len(os.fsencode(place.info.name)) <= 255
    fields = note(place)
    assert unquote_to_bytes(fields["Path"]) == os.fsencode(path)
    assert before <= datetime.strptime(fields["DeletionDate"], "%Y-%m-%dT%H:%M:%S") <= datetime.now()
    assert "\n" not in fields["Path"] and fields["Path"].isascii()


def test_files_of_one_name_get_names_of_their_own(tmp_path: Path, trash: FreedesktopTrash) -> None:
    names = []
    for number in range(60):
        place = put(trash, write(tmp_path / str(number) / "a.txt", str(number).encode()))
        assert place.path is not None and place.path.read_bytes() == str(number).encode()
        names.append(place.path.name)
    assert names[:3] == ["a.txt", "a.2.txt", "a.3.txt"]
    assert len(set(names)) == 60


def test_a_note_without_its_file_and_a_file_without_its_note_keep_their_names(
    tmp_path: Path, trash: FreedesktopTrash
) -> None:
    share = tmp_path / "share" / "Trash"
    write(share / "info" / "a.txt.trashinfo", b"someone's")
    write(share / "files" / "a.2.txt", b"someone's")
    place = put(trash, write(tmp_path / "a.txt", b"text"))
    assert place.path is not None and place.path.name == "a.3.txt"
    assert (share / "info" / "a.txt.trashinfo").read_bytes() == b"someone's"


def test_a_name_taken_at_the_last_moment_is_not_overwritten(tmp_path: Path, trash: FreedesktopTrash) -> None:
    path = write(tmp_path / "a.txt", b"text")
    place = next(trash.places(stamp(path)))
    assert place.path is not None and place.info is not None
    write(place.path, b"someone's")
    with OpenFolder.open(tmp_path) as folder, pytest.raises(FileExistsError):
        trash.put(folder, "a.txt", path, place)
    assert path.read_bytes() == b"text" and place.path.read_bytes() == b"someone's"
    assert not place.info.exists()


def test_another_volume_has_its_own_trash_with_paths_from_its_top(tmp_path: Path) -> None:
    path = write(tmp_path / "sub" / "ä.txt", b"text")
    place = put(elsewhere(tmp_path), path)
    own = tmp_path / f".Trash-{os.getuid()}"
    assert place.path == own / "files" / "ä.txt"
    assert stat.S_IMODE(os.stat(own).st_mode) == 0o700
    assert note(place)["Path"] == "sub/%C3%A4.txt"


def test_the_shared_trash_of_a_volume_is_used_only_when_it_is_sticky_and_no_link(tmp_path: Path) -> None:
    shared, own = tmp_path / ".Trash", tmp_path / f".Trash-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    assert put(elsewhere(tmp_path), write(tmp_path / "a", b"1")).path == own / "files" / "a"
    shared.chmod(0o1777)
    place = put(elsewhere(tmp_path), write(tmp_path / "b", b"2"))
    assert place.path == shared / str(os.getuid()) / "files" / "b"
    assert note(place)["Path"] == "b"
    assert stat.S_IMODE(os.stat(shared / str(os.getuid())).st_mode) == 0o700
    shared.rename(tmp_path / "real")
    shared.symlink_to(tmp_path / "real")
    assert put(elsewhere(tmp_path), write(tmp_path / "c", b"3")).path == own / "files" / "c"


def test_a_trash_folder_that_is_a_link_or_another_users_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    own = tmp_path / f".Trash-{os.getuid()}"
    own.symlink_to(tmp_path / "target")
    path = write(tmp_path / "a", b"1")
    assert list(elsewhere(tmp_path).places(stamp(path))) == []
    own.unlink()
    other = os.getuid() + 1
    (tmp_path / f".Trash-{other}").mkdir()
    assert list(elsewhere(tmp_path, uid=other).places(stamp(path))) == []


def test_a_volume_where_no_trash_can_be_made_has_none(tmp_path: Path) -> None:
    path = write(tmp_path / "a", b"1")
    (tmp_path / "file").write_bytes(b"")
    assert list(elsewhere(tmp_path / "file").places(stamp(path))) == []


def test_forgetting_removes_the_note_alone(tmp_path: Path, trash: FreedesktopTrash) -> None:
    place = put(trash, write(tmp_path / "a", b"1"))
    remove_note(place.info)
    assert place.path is not None and place.path.exists() and place.info is not None and not place.info.exists()
    remove_note(place.info)
