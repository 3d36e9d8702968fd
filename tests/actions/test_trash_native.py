"""The trash of systems that do not tell where a file went, played by a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState, RefusalKind
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.trash import NativeTrash
from dupfinder.actions.undo import undo
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

    def trash(self, looks_in: list[Path] | None = None, serves: bool = True) -> NativeTrash:
        folders = [self.folder] if looks_in is None else looks_in
        return NativeTrash(self.send, lambda path: folders, lambda path: serves)


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


@pytest.mark.parametrize(("works", "serves"), [(False, True), (True, False)])
def test_where_the_trash_refuses_or_would_delete_for_good_a_quarantine_serves(
    root: Path, works: bool, serves: bool
) -> None:
    bin_ = Bin(root.parent / "bin", works)
    plan = plan_of([step(root / "v.txt", root / "k.txt")], root)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=bin_.trash(serves=serves))
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
