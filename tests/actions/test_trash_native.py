"""The trash of systems that do not tell where a file went, played by a folder."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState, RefusalKind
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.trash import NativeTrash, lacks_trash
from dupfinder.actions.undo import recover, undo
from tests.actions.making import alike, contents, plan_of, step, write


class Bin:
    """A recycle bin as Windows keeps it: $R with the bytes, $I with the name."""

    def __init__(self, folder: Path, works: bool = True) -> None:
        self.folder = folder
        self.works = works
        self.given: list[str] = []
        folder.mkdir()

    def send(self, path: Path) -> None:
        self.given.append(path.name)
        if not self.works:
            raise OSError(5, "the bin refuses")
        os.rename(path, self.folder / "$RABC12.txt")
        write(self.folder / "$IABC12.txt", b"where it came from")

    def trash(self, looks_in: list[Path] | None = None, serves: bool = True, may_delete: bool = False) -> NativeTrash:
        folders = [self.folder] if looks_in is None else looks_in
        return NativeTrash(self.send, lambda path: folders, lambda path: serves, may_delete)


class Shredder(Bin):
    """A recycle bin that is switched off: what is sent there is deleted, and nothing is told."""

    def send(self, path: Path) -> None:
        self.given.append(path.name)
        path.unlink()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "docs" / "v.txt", b"same")
    write(tmp_path / "docs" / "k.txt", b"same")
    return tmp_path / "docs"


def test_a_file_goes_under_its_own_name_and_is_found_again_by_its_identity(root: Path) -> None:
    bin_ = Bin(root.parent / "bin")
    write(bin_.folder / "$ROTHER.txt", b"another")
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash())
    place = batch.outcomes[0].place
    assert bin_.given == ["v.txt"]
    assert place is not None and (place.kind, place.path) == (PlaceKind.TRASH, bin_.folder / "$RABC12.txt")
    assert undo(batch.id, Journal()).is_complete
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}
    assert not (bin_.folder / "$IABC12.txt").exists()


def test_where_the_trash_does_not_tell_undo_says_so(root: Path) -> None:
    bin_ = Bin(root.parent / "bin")
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(looks_in=[root / "absent"]))
    assert batch.is_complete
    back = undo(batch.id, Journal())
    (outcome,) = back.outcomes
    assert outcome.state is OutcomeState.REFUSED
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.WHERE_UNKNOWN


@pytest.mark.parametrize(
    ("works", "serves", "may_delete"), [(False, True, False), (False, True, True), (True, False, False)]
)
def test_where_the_trash_refuses_or_would_delete_for_good_a_quarantine_serves(
    root: Path, works: bool, serves: bool, may_delete: bool
) -> None:
    bin_ = Bin(root.parent / "bin", works)
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(serves=serves, may_delete=may_delete))
    place = batch.outcomes[0].place
    assert place is not None and place.kind is PlaceKind.QUARANTINE
    assert undo(batch.id, Journal()).is_complete
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


def test_a_keeper_that_goes_right_before_the_file_is_sent_spares_it(root: Path) -> None:
    bin_ = Bin(root.parent / "bin")

    def serves(path: Path) -> bool:
        (root / "k.txt").unlink(missing_ok=True)  # after the check, before the file is handed over
        return True

    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    trash = NativeTrash(bin_.send, lambda path: [bin_.folder], serves)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=trash)
    (outcome,) = batch.outcomes
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.KEEPER_GONE
    assert bin_.given == [] and contents(root) == {"v.txt": b"same"}


def test_a_trash_that_may_delete_takes_a_file_and_leaves_no_other_name_of_it(root: Path) -> None:
    bin_ = Bin(root.parent / "bin")
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(may_delete=True))
    place = batch.outcomes[0].place
    assert place is not None and (place.kind, place.path) == (PlaceKind.TRASH, bin_.folder / "$RABC12.txt")
    assert contents(root) == {"k.txt": b"same"}
    assert undo(batch.id, Journal()).is_complete
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


def test_what_the_trash_deletes_goes_to_the_quarantine_instead(root: Path) -> None:
    bin_ = Shredder(root.parent / "bin")
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(may_delete=True))
    place = batch.outcomes[0].place
    assert bin_.given == ["v.txt"]
    assert place is not None and place.kind is PlaceKind.QUARANTINE
    assert undo(batch.id, Journal()).is_complete
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


def test_what_the_trash_deletes_gets_its_name_back_if_nothing_else_takes_it(root: Path) -> None:
    bin_ = Shredder(root.parent / "bin")
    quarantine = write(root.parent / "taken", b"no folder")
    plan = replace(plan_of([step(root / "v.txt", root / "k.txt")], root), quarantine=quarantine)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(may_delete=True))
    (outcome,) = batch.outcomes
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.NO_TRASH
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


def test_a_file_that_no_second_name_can_guard_is_not_given_to_a_trash_that_may_delete_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    bin_ = Bin(root.parent / "bin")
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    monkeypatch.setattr(OpenFolder, "link", refuse)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(may_delete=True))
    place = batch.outcomes[0].place
    assert bin_.given == []
    assert place is not None and place.kind is PlaceKind.QUARANTINE
    assert undo(batch.id, Journal()).is_complete
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


def test_a_crash_after_the_trash_deleted_a_file_loses_nothing(root: Path) -> None:
    class Crash(BaseException):
        """The power goes."""

    class Fragile(Shredder):
        def send(self, path: Path) -> None:
            super().send(path)
            raise Crash

    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    with pytest.raises(Crash):
        carry_out(plan, journal=Journal(), judge=alike, trash=Fragile(root.parent / "bin").trash(may_delete=True))
    recover(Journal())
    assert contents(root) == {"v.txt": b"same", "k.txt": b"same"}


@pytest.mark.parametrize(
    ("platform", "kind", "abilities", "lacks"),
    [
        ("win32", 3, 0x00400000, False),
        ("win32", 3, 0, True),  # exFAT on a disk that is plugged in
        ("win32", 4, 0x00400000, True),  # a network drive
        ("linux", 4, 0, False),
    ],
)
def test_a_drive_of_windows_from_whose_trash_nothing_may_come_back_lacks_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, kind: int, abilities: int, lacks: bool
) -> None:
    asked: set[str] = set()

    class Kernel:
        def GetDriveTypeW(self, root: str) -> int:
            asked.add(root)
            return kind

        def GetVolumeInformationW(self, root: str, *more: Any) -> None:
            asked.add(root)
            more[4]._obj.value = abilities

    monkeypatch.setattr("ctypes.windll", SimpleNamespace(kernel32=Kernel()), raising=False)
    monkeypatch.setattr("sys.platform", platform)
    assert lacks_trash(tmp_path) is lacks
    assert asked == ({tmp_path.anchor} if platform == "win32" else set())
