from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.base.files import READ_ONLY, Lock, LockTaken, replace, write_whole
from dupfinder.base.progress import Stopped


def test_a_file_is_replaced_whole_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert [write_whole(path, [b"first"]), write_whole(path, [b"the ", b"next"])] == [5, 8]
    assert path.read_bytes() == b"the next"
    assert os.listdir(tmp_path) == ["settings.json"]
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_written_whole_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"earlier")

    def cut_off() -> Iterator[bytes]:
        yield b"half"
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        write_whole(path, cut_off())
    assert path.read_bytes() == b"earlier"
    assert os.listdir(tmp_path) == ["settings.json"]


def test_writing_that_is_stopped_leaves_nothing_behind_and_what_a_kill_left_is_in_no_ones_way(tmp_path: Path) -> None:
    path = tmp_path / "table"

    def stopped() -> Iterator[bytes]:
        yield b"half"
        raise Stopped

    with pytest.raises(Stopped):
        write_whole(path, stopped())
    assert os.listdir(tmp_path) == []
    (tmp_path / f".table.{os.getpid()}.new").write_bytes(b"by a process of this number on another machine")
    assert write_whole(path, [b"whole"]) == 5
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system follows links")
def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "other")
    (tmp_path / "other").write_bytes(b"")
    with pytest.raises(OSError, match="link"):
        os.open(tmp_path / "link", READ_ONLY)


def test_a_lock_tells_who_has_it_and_ends_with_the_block(tmp_path: Path) -> None:
    lock, other = (Lock(tmp_path / "lock", tmp_path / "holder") for _ in range(2))
    with lock.held():
        with pytest.raises(LockTaken) as caught:
            other.take()
        assert caught.value.holder == os.getpid()
    with other.held():
        assert (tmp_path / "holder").read_text() == str(os.getpid())
    assert not (tmp_path / "holder").exists()


def test_a_lock_is_told_with_a_holder_that_has_only_just_taken_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, other = (Lock(tmp_path / "lock", tmp_path / "holder") for _ in range(2))
    with lock.held():
        (tmp_path / "holder").write_text("")
        monkeypatch.setattr("time.sleep", lambda _: (tmp_path / "holder").write_text("7"))
        with pytest.raises(LockTaken) as caught:
            other.take()
    assert caught.value.holder == 7


def refusing(times: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the system refuse to rename a file some times, as Windows does while a virus scanner reads it."""
    refused: list[str] = []
    rename = os.replace

    def once_more(old: Path, new: Path) -> None:
        if len(refused) < times:
            refused.append(old.name)
            raise PermissionError(13, "in use", str(new))
        rename(old, new)

    monkeypatch.setattr("os.replace", once_more)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return refused


def test_a_file_that_a_virus_scanner_reads_for_a_moment_is_replaced_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = refusing(3, monkeypatch)
    monkeypatch.setattr("sys.platform", "win32")
    (tmp_path / "new").write_text("new")
    replace(tmp_path / "new", tmp_path / "settings.json")
    assert refused == ["new"] * 3
    assert (tmp_path / "settings.json").read_text() == "new"


@pytest.mark.parametrize(("platform", "tries"), [("win32", 6), ("linux", 1)])
def test_a_file_that_stays_in_use_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, tries: int
) -> None:
    refused = refusing(100, monkeypatch)
    monkeypatch.setattr("sys.platform", platform)
    (tmp_path / "new").write_text("new")
    with pytest.raises(PermissionError):
        replace(tmp_path / "new", tmp_path / "settings.json")
    assert len(refused) == tries
