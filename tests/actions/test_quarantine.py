"""A quarantine is listed, counted and emptied; nothing in it goes while it may be the last of its document."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupfinder.actions import quarantine
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, OutcomeState, RefusalKind
from dupfinder.actions.plan import Plan
from dupfinder.actions.records import LineKind
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover, undo
from dupfinder.base.progress import LatestProgress, Progress
from dupfinder.cluster.relation import Relation
from tests.actions.making import alike, contents, plan_of, step, write


def no_trash(tmp_path: Path) -> FreedesktopTrash:
    (tmp_path / "file").write_bytes(b"")
    return FreedesktopTrash({"HOME": "/proc", "XDG_DATA_HOME": "/proc/none"}, top_of=lambda path: tmp_path / "file")


def quarantined(tmp_path: Path, plan: Plan) -> Batch:
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=no_trash(tmp_path))
    assert batch.quarantined == len(plan.steps)
    return batch


def two(tmp_path: Path) -> Batch:
    root = tmp_path / "docs"
    keeper = write(root / "k.txt", b"kept")
    victims = [write(root / f"v{number}.txt", f"victim {number}".encode()) for number in range(2)]
    return quarantined(tmp_path, plan_of((step(victim, keeper, relation=Relation.VERSION) for victim in victims), root))


def held(tmp_path: Path) -> dict[str, bytes]:
    return contents(tmp_path / "docs" / ".dupfinder-removed")


def test_what_lies_there_is_listed_with_its_size_and_frees_nothing(tmp_path: Path) -> None:
    batch = two(tmp_path)
    assert (batch.bytes_done, batch.bytes_quarantined) == (0, 16)
    held = quarantine.in_quarantine(Journal().batches())
    assert [(file.batch, file.size, file.at.name) for file in held] == [
        (batch.id, 8, "v0.txt"),
        (batch.id, 8, "v1.txt"),
    ]
    write(held[0].at.with_name("stranger.txt"), b"who put me here")
    assert [(file.at.name, file.size) for file in quarantine.unknown_files(Journal().batches())] == [
        ("stranger.txt", 15)
    ]


def test_emptying_removes_it_for_good_and_the_history_says_so(tmp_path: Path) -> None:
    batch = two(tmp_path)
    stranger = write(tmp_path / "docs" / ".dupfinder-removed" / "stranger.txt", b"not ours")
    result = quarantine.empty(Journal())
    assert (result.count(OutcomeState.EMPTIED), result.total) == (2, 2)
    assert held(tmp_path) == {stranger.name: b"not ours"}
    assert Journal().batch(batch.id).count(OutcomeState.EMPTIED) == 2
    assert undo(batch.id, Journal()).total == 0
    assert quarantine.empty(Journal()).total == 0


def test_one_removal_is_emptied_alone(tmp_path: Path) -> None:
    first, second = two(tmp_path), two(tmp_path)
    quarantine.empty(Journal(), quarantine.in_quarantine([first]))
    assert [Journal().batch(batch.id).count(OutcomeState.EMPTIED) for batch in (first, second)] == [2, 0]
    assert len(held(tmp_path)) == 2
    quarantine.empty(Journal())
    assert not (tmp_path / "docs" / ".dupfinder-removed").exists()  # no empty folder stays behind


@pytest.mark.parametrize("loss", ["gone", "changed", "quarantined too"])
def test_a_file_stays_whose_kept_copy_is_no_longer_there(tmp_path: Path, loss: str) -> None:
    two(tmp_path)
    keeper = tmp_path / "docs" / "k.txt"
    if loss == "gone":
        keeper.unlink()
    elif loss == "changed":
        write(keeper, b"something else")
    else:
        os.replace(keeper, tmp_path / "docs" / ".dupfinder-removed" / "k.txt")
    result = quarantine.empty(Journal())
    assert [outcome.refusal.kind for outcome in result.outcomes if outcome.refusal] == [RefusalKind.LAST_COPY] * 2
    assert {b"victim 0", b"victim 1"} <= set(held(tmp_path).values())


def test_a_kept_copy_that_was_removed_later_hands_on_to_its_own(tmp_path: Path) -> None:
    two(tmp_path)
    root = tmp_path / "docs"
    other = write(root / "other.txt", b"kept")
    quarantined(tmp_path, plan_of([step(root / "k.txt", other)], root))
    assert quarantine.empty(Journal()).count(OutcomeState.EMPTIED) == 3
    assert contents(root) == {"other.txt": b"kept"}


def test_a_file_that_was_edited_in_the_quarantine_stays(tmp_path: Path) -> None:
    two(tmp_path)
    write(tmp_path / "docs" / ".dupfinder-removed" / "v0.txt", b"edited")
    result = quarantine.empty(Journal())
    assert [outcome.state for outcome in result.outcomes] == [OutcomeState.REFUSED, OutcomeState.EMPTIED]
    assert held(tmp_path) == {"v0.txt": b"edited"}


def test_what_replaces_a_file_at_the_moment_it_is_emptied_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two(tmp_path)
    place = tmp_path / "docs" / ".dupfinder-removed" / "v0.txt"
    rename = os.rename

    def late(*arguments: object, **more: object) -> None:
        if place.read_bytes() != b"newer":
            os.replace(write(place.with_name("beside"), b"newer"), place)
        rename(*arguments, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "rename", late)
        result = quarantine.empty(Journal())
    assert result.outcomes[0].state is OutcomeState.REFUSED
    assert held(tmp_path)["v0.txt"] == b"newer"


def test_a_drive_that_is_gone_while_it_is_emptied_fails_its_files_and_nothing_else(tmp_path: Path) -> None:
    batch = two(tmp_path)
    folder, away = tmp_path / "docs" / ".dupfinder-removed", tmp_path / "away"

    class Unplugging(LatestProgress):
        def tell(self, progress: Progress) -> None:
            if folder.exists():
                folder.rename(away)

    result = quarantine.empty(Journal(), reporter=Unplugging())
    assert [outcome.failure for outcome in result.outcomes] == ["ENOENT", "ENOENT"]
    assert contents(away) == {"v0.txt": b"victim 0", "v1.txt": b"victim 1"}
    away.rename(folder)
    recover(Journal())
    assert undo(batch.id, Journal()).is_complete


@pytest.mark.parametrize("removed", [False, True])
def test_a_kill_while_it_is_emptied_is_brought_to_its_end(tmp_path: Path, removed: bool) -> None:
    batch = two(tmp_path)
    outcome = batch.outcomes[0]
    assert outcome.intent is not None and outcome.place is not None and outcome.place.path is not None
    with Journal().reopen(batch.id) as log:
        log.note(LineKind.EMPTY, 0)
    if removed:
        outcome.place.path.unlink()
    else:
        outcome.place.path.rename(outcome.place.path.with_name(outcome.intent.holding.name))
    recover(Journal())
    assert Journal().batch(batch.id).outcomes[0].state is (OutcomeState.EMPTIED if removed else OutcomeState.DONE)
    assert len(held(tmp_path)) == (1 if removed else 2)
    assert undo(batch.id, Journal()).is_complete
