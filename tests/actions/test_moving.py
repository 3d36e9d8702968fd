from __future__ import annotations

import errno
import itertools
import os
from pathlib import Path

import pytest

from dupfinder.actions import moving
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.metadata import Metadata
from dupfinder.actions.outcome import Intent
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Verb
from tests.actions.making import OLD, contents, step, write


def intent_for(victim: Path, keeper: Path, spare: Path) -> Intent:
    place = Place(PlaceKind.MOVED, spare.with_name("x"))
    return Intent(0, step(victim, keeper, Verb.MOVE), victim.with_name("held"), spare, place, Metadata(0o604, OLD, OLD))


@pytest.fixture
def intent(tmp_path: Path) -> Intent:
    (tmp_path / "to").mkdir()
    return intent_for(
        write(tmp_path / "a" / "v", b"same"), write(tmp_path / "a" / "k", b"same"), tmp_path / "to" / "spare"
    )


@pytest.mark.parametrize("across", [False, True])
def test_bringing_never_overwrites_a_file_that_came_meanwhile(
    tmp_path: Path, intent: Intent, across: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "to" / "taken", b"someone's")
    before = contents(tmp_path)
    if across:
        pretend_another_volume(monkeypatch)
    with OpenFolder.open(tmp_path / "a") as source, OpenFolder.open(tmp_path / "to") as to:
        with pytest.raises(FileExistsError):
            moving.bring(source, "v", to, "taken", intent)
        assert contents(tmp_path) == before
        moving.bring(source, "v", to, "free", intent)
    assert contents(tmp_path) == {"a/k": b"same", "to/taken": b"someone's", "to/free": b"same"}


def pretend_another_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names cannot be carried from one folder to another, as between volumes."""
    within = OpenFolder.move_exclusively

    def move(self: OpenFolder, name: str, to: OpenFolder, new: str) -> None:
        if self.identity != to.identity:
            raise OSError(18, "Invalid cross-device link")
        within(self, name, to, new)

    monkeypatch.setattr(OpenFolder, "move_exclusively", move)


def test_a_copy_whose_bytes_are_not_the_victims_does_not_replace_it(
    tmp_path: Path, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_another_volume(monkeypatch)
    write(tmp_path / "a" / "v", b"edited in the last moment")
    before = contents(tmp_path)
    with (
        OpenFolder.open(tmp_path / "a") as source,
        OpenFolder.open(tmp_path / "to") as to,
        pytest.raises(OSError, match="Input/output"),
    ):
        moving.bring(source, "v", to, "new", intent)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("refused", ["reading", "writing"])
def test_a_copy_stays_when_the_original_cannot_be_read_or_written_again_after_its_name_is_gone(
    tmp_path: Path, intent: Intent, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    pretend_another_volume(monkeypatch)
    hash_of = moving.hash_of

    def hash_while_named(descriptor: int) -> str:
        if os.fstat(descriptor).st_nlink:
            return hash_of(descriptor)
        if refused == "reading":
            raise OSError(errno.ESTALE, "Stale file handle")
        monkeypatch.setattr(moving, "copy", no_space)
        return "what a program wrote at the last moment"

    def no_space(source: int, target: int) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(moving, "hash_of", hash_while_named)
    with OpenFolder.open(tmp_path / "a") as source, OpenFolder.open(tmp_path / "to") as to:
        moving.bring(source, "v", to, "new", intent)
    assert contents(tmp_path)["to/new"] == b"same"


def test_a_file_in_hand_whose_name_was_taken_stands_beside_it(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / "held", str(number).encode())
        write(tmp_path / "v.txt", b"someone's")
        with OpenFolder.open(tmp_path) as folder:
            moving.give_back(folder, "held", tmp_path / "v.txt")
    assert contents(tmp_path) == {
        "v.txt": b"someone's", "v (restored).txt": b"0", "v (restored 2).txt": b"1", "v (restored 3).txt": b"2",
    }  # fmt: skip


def test_names_beside_fit_the_file_system() -> None:
    for name in ("n" * 255, "é" * 127, os.fsdecode(b"\xff" * 255), "n" * 250 + ".docx", "文" * 84 + ".md", ".x" * 100):
        for beside in itertools.islice(moving.names_beside(name), 12):
            assert len(os.fsencode(beside)) <= 255 and "(restored" in beside
