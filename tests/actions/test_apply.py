"""Carrying out plans on real files: where they go, what is refused, what is told."""

from __future__ import annotations

import errno
import itertools
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState, RefusalKind
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.records import LineKind
from dupfinder.actions.undo import recover, undo
from dupfinder.base.progress import LatestProgress, Progress, Stage
from dupfinder.cluster.relation import Relation
from tests.actions.making import OLD, alike, contents, plan_of, step, write

OTHER_VOLUME = Path("/dev/shm")


@pytest.fixture
def other_volume(tmp_path: Path) -> Iterator[Path]:
    if not OTHER_VOLUME.is_dir() or os.stat(OTHER_VOLUME).st_dev == os.stat(tmp_path).st_dev:
        pytest.skip("there is no second volume here")
    with tempfile.TemporaryDirectory(dir=OTHER_VOLUME) as folder:
        yield Path(folder)


@pytest.mark.parametrize("verb", list(Verb))
def test_a_removed_copy_is_put_away_and_comes_back_exactly(tmp_path: Path, verb: Verb) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "a.txt", b"text")
    victim = write(root / "sub" / "b.txt", b"text", 123_456_789_012_345_678)
    victim.chmod(0o640)
    batch = carry_out(plan_of([step(victim, keeper, verb)], root, to=tmp_path / "to"), journal=Journal(), judge=alike)
    assert batch.is_complete and batch.bytes_done == 4
    assert keeper.read_bytes() == b"text"
    if verb is Verb.HARDLINK:
        assert os.path.samefile(victim, keeper)
    else:
        assert not victim.exists()
        place = batch.outcomes[0].place
        assert place is not None and place.path is not None and place.path.read_bytes() == b"text"

    back = undo(batch.id, Journal())
    assert [outcome.state for outcome in back.outcomes] == [OutcomeState.RESTORED]
    status = os.lstat(victim)
    assert victim.read_bytes() == b"text"
    assert (status.st_mtime_ns, status.st_mode & 0o7777) == (123_456_789_012_345_678, 0o640)
    assert not os.path.samefile(victim, keeper)
    assert sorted(path.name for path in (root / "sub").iterdir()) == ["b.txt"]
    assert not [name for name in contents(tmp_path) if name.endswith(".trashinfo")]


def moved(plan: Plan) -> list[Path | None]:
    batch = carry_out(plan, journal=Journal(), judge=alike)
    return [outcome.place.path if outcome.place else None for outcome in batch.outcomes]


def test_moving_keeps_the_folders_below_the_root(tmp_path: Path) -> None:
    root, to = tmp_path / "docs", tmp_path / "to"
    keeper = write(root / "k", b"same")
    steps = [step(write(root / name, b"same"), keeper, Verb.MOVE) for name in ("a/b/v.txt", "a/v.txt", "v.txt")]
    assert moved(plan_of(steps, root, to=to)) == [to / "a" / "b" / "v.txt", to / "a" / "v.txt", to / "v.txt"]


def test_moving_from_several_roots_keeps_them_apart(tmp_path: Path) -> None:
    first, second, to = tmp_path / "1" / "docs", tmp_path / "2" / "docs", tmp_path / "to"
    keeper = write(first / "k", b"same")
    steps = [step(write(root / "v.txt", b"same"), keeper, Verb.MOVE) for root in (first, second)]
    assert moved(plan_of(steps, first, second, to=to)) == [to / "docs" / "v.txt", to / "docs-2" / "v.txt"]


def test_moving_never_overwrites(tmp_path: Path) -> None:
    root, to = tmp_path / "docs", tmp_path / "to"
    victim, keeper = write(root / "v.txt", b"same"), write(root / "k", b"same")
    write(to / "v.txt", b"already there")
    batch = carry_out(plan_of([step(victim, keeper, Verb.MOVE)], root, to=to), journal=Journal(), judge=alike)
    refusal = batch.outcomes[0].refusal
    assert refusal is not None and refusal.kind is RefusalKind.EXISTS
    assert contents(root) == {"v.txt": b"same", "k": b"same"}
    assert contents(to) == {"v.txt": b"already there"}


def test_nothing_is_moved_into_a_protected_folder_or_through_a_symbolic_link(tmp_path: Path) -> None:
    root, to = tmp_path / "docs", tmp_path / "to"
    victim, keeper = write(root / "sub" / "v.txt", b"same"), write(root / "k", b"same")
    plan = plan_of([step(victim, keeper, Verb.MOVE)], root, to=to, protected=(to,))
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert batch.outcomes[0].refusal is not None and batch.outcomes[0].refusal.kind is RefusalKind.PROTECTED
    to.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (to / "sub").symlink_to(tmp_path / "elsewhere")
    batch = carry_out(replace(plan, protected=()), journal=Journal(), judge=alike)
    assert batch.outcomes[0].refusal is not None and batch.outcomes[0].refusal.kind is RefusalKind.FORBIDDEN
    assert victim.exists() and not list((tmp_path / "elsewhere").iterdir())


def test_moving_to_another_volume_keeps_bytes_time_mode_and_marks(tmp_path: Path, other_volume: Path) -> None:
    root = tmp_path / "docs"
    data = os.urandom(3_000_000)
    victim, keeper = write(root / "v.bin", data), write(root / "k.bin", data)
    victim.chmod(0o604)
    marked = True
    try:
        os.setxattr(victim, "user.note", b"mine")
    except OSError:
        marked = False
    batch = carry_out(plan_of([step(victim, keeper, Verb.MOVE)], root, to=other_volume), journal=Journal(), judge=alike)
    assert batch.is_complete and not victim.exists()
    for path in (other_volume / "v.bin", victim):
        status = os.lstat(path)
        assert path.read_bytes() == data
        assert (status.st_mtime_ns, status.st_mode & 0o7777) == (OLD, 0o604)
        if path == other_volume / "v.bin":
            assert list(contents(other_volume)) == ["v.bin"]
            assert undo(batch.id, Journal()).is_complete
    assert not contents(other_volume)
    if marked and "user.note" in os.listxattr(victim):
        assert os.getxattr(victim, "user.note") == b"mine"


@pytest.mark.parametrize("edited", [False, True])
def test_an_undo_across_volumes_that_was_killed_leaves_no_second_copy_but_every_edit(
    tmp_path: Path, other_volume: Path, edited: bool
) -> None:
    root = tmp_path / "docs"
    victim, keeper = write(root / "v", b"same"), write(root / "k", b"same")
    batch = carry_out(plan_of([step(victim, keeper, Verb.MOVE)], root, to=other_volume), journal=Journal(), judge=alike)
    with Journal().reopen(batch.id) as log:
        log.note(LineKind.UNDO, 0, victim)
    write(victim, b"same")  # the copy has its name; the kill came before its source was removed
    if edited:
        write(other_volume / "v", b"edited since")
    recover(Journal())
    assert victim.read_bytes() == b"same"
    assert contents(other_volume) == ({"v": b"edited since"} if edited else {})
    assert Journal().batch(batch.id).outcomes[0].state is (OutcomeState.DONE if edited else OutcomeState.RESTORED)


def test_joining_across_volumes_is_refused(tmp_path: Path, other_volume: Path) -> None:
    victim, keeper = write(tmp_path / "docs" / "v", b"same"), write(other_volume / "k", b"same")
    plan = plan_of([step(victim, keeper, Verb.HARDLINK)], tmp_path / "docs", other_volume)
    batch = carry_out(plan, journal=Journal(), judge=alike)
    refusal = batch.outcomes[0].refusal
    assert refusal is not None and refusal.kind is RefusalKind.OTHER_VOLUME
    assert not os.path.samefile(victim, keeper)


def test_several_copies_join_into_one_file(tmp_path: Path) -> None:
    keeper = write(tmp_path / "k", b"same")
    victims = [write(tmp_path / f"v{number}", b"same") for number in range(5)]
    plan = plan_of((step(victim, keeper, Verb.HARDLINK) for victim in victims), tmp_path)
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert batch.is_complete
    assert os.lstat(keeper).st_nlink == 6
    assert undo(batch.id, Journal()).is_complete
    assert os.lstat(keeper).st_nlink == 1


def test_names_of_one_file_that_are_all_victims_go_one_by_one(tmp_path: Path) -> None:
    keeper, victim = write(tmp_path / "k", b"same"), write(tmp_path / "v1", b"same")
    os.link(victim, tmp_path / "v2")
    batch = carry_out(
        plan_of([step(victim, keeper), step(tmp_path / "v2", keeper)], tmp_path), journal=Journal(), judge=alike
    )
    assert batch.is_complete
    assert undo(batch.id, Journal()).is_complete
    assert os.path.samefile(victim, tmp_path / "v2")


def test_a_removal_done_and_undone_can_be_done_again_with_the_same_plan(tmp_path: Path) -> None:
    victim, keeper = write(tmp_path / "docs" / "v", b"same"), write(tmp_path / "docs" / "k", b"same")
    plan = plan_of([step(victim, keeper)], tmp_path / "docs")
    for _ in range(3):
        batch = carry_out(plan, journal=Journal(), judge=alike)
        assert batch.is_complete and undo(batch.id, Journal()).is_complete


def test_a_step_that_cannot_be_done_does_not_hold_up_the_rest(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "k", b"same")
    victims = [write(root / f"v{number}", b"same") for number in range(3)]
    plan = plan_of((step(victim, keeper) for victim in victims), root)
    victims[1].unlink()
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.DONE, OutcomeState.REFUSED, OutcomeState.DONE]
    assert (batch.total, batch.is_complete, batch.stopped) == (3, False, False)


@pytest.mark.parametrize("verb", list(Verb))
def test_a_system_that_once_refuses_to_look_at_a_file_holds_up_no_other_and_loses_none(
    tmp_path: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = OpenFolder.status
    for moment in itertools.count(1):
        root = tmp_path / str(moment)
        keeper, victims = write(root / "k", b"same"), [write(root / f"v{number}", b"same") for number in range(2)]
        plan = plan_of((step(victim, keeper, verb) for victim in victims), root, to=tmp_path / f"to{moment}")
        looks = itertools.count(1)

        def refusing(
            self: OpenFolder, name: str, moment: int = moment, looks: Iterator[int] = looks
        ) -> os.stat_result | None:
            if next(looks) == moment:
                raise OSError(errno.EIO, "Input/output error")
            return status(self, name)

        with monkeypatch.context() as patched:
            patched.setattr(OpenFolder, "status", refusing)
            batch = carry_out(plan, journal=Journal(), judge=alike)
        recover(Journal())
        assert OutcomeState.DONE in {outcome.state for outcome in batch.outcomes}
        assert undo(batch.id, Journal()).count(OutcomeState.RESTORED) == Journal().batch(batch.id).count(
            OutcomeState.RESTORED
        )
        assert set(contents(root)) == {"k", "v0", "v1"}
        if batch.outcomes[0].state is OutcomeState.DONE and batch.outcomes[1].state is not OutcomeState.DONE:
            assert moment > 4  # the first file met every refusal; the second would meet the same ones
            return


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_write_permission_keeps_its_files(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    victim, keeper = write(root / "sub" / "v", b"same"), write(root / "k", b"same")
    (root / "sub").chmod(0o500)
    batch = carry_out(plan_of([step(victim, keeper)], root), journal=Journal(), judge=alike)
    (root / "sub").chmod(0o700)
    assert batch.outcomes[0].refusal is not None and batch.outcomes[0].refusal.kind is RefusalKind.FORBIDDEN
    assert contents(root) == {"sub/v": b"same", "k": b"same"}


def test_an_empty_plan_is_done_at_once() -> None:
    batch = carry_out(Plan((), ()), journal=Journal(), judge=alike)
    assert batch.is_complete and batch.total == 0


def test_progress_is_told_for_each_file_and_for_the_end(tmp_path: Path) -> None:
    keeper = write(tmp_path / "docs" / "k", b"same")
    victims = [write(tmp_path / "docs" / f"v{number}", b"same") for number in range(3)]
    calls: list[Progress] = []

    class Telling(LatestProgress):
        def tell(self, progress: Progress) -> None:
            calls.append(progress)

    plan = plan_of((step(victim, keeper) for victim in victims), tmp_path / "docs")
    carry_out(plan, journal=Journal(), judge=alike, reporter=Telling())
    assert [(call.stage, call.done, call.total, call.bytes_done) for call in calls] == [
        (Stage.REMOVE, number, 3, 4 * number) for number in range(4)
    ]
    assert calls[1].current == (victims[1],)
    calls.clear()
    assert len(list(dry_run(plan, alike, Telling()))) == 3
    assert [(call.stage, call.done, call.total) for call in calls] == [(Stage.CHECK, number, 3) for number in range(4)]


def test_a_dry_run_tells_the_same_and_touches_nothing(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "k", b"same")
    victims = [write(root / f"v{number}", b"same") for number in range(3)]
    plan = plan_of((step(victim, keeper) for victim in victims), root)
    victims[1].unlink()
    before = contents(tmp_path)
    states = [outcome.state for outcome in dry_run(plan, alike)]
    assert contents(tmp_path) == before
    assert states == [outcome.state for outcome in carry_out(plan, journal=Journal(), judge=alike).outcomes]


def test_a_near_duplicate_goes_to_the_trash_like_a_copy(tmp_path: Path, own_home: Path) -> None:
    victim, keeper = write(tmp_path / "docs" / "v", b"one"), write(tmp_path / "docs" / "k", b"two")
    plan = plan_of([step(victim, keeper, relation=Relation.VERSION, share=0.8)], tmp_path / "docs")
    batch = carry_out(plan, journal=Journal(), judge=alike)
    place = batch.outcomes[0].place
    assert place is not None and place.kind is PlaceKind.TRASH
    assert contents(own_home / "share")["Trash/files/v"] == b"one"
