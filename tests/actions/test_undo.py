"""Taking removals back: exactly, whatever the names, and never over another file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.check import RefusalKind
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, State
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.plan import Plan, Reason, Verb
from dupfinder.actions.undo import undo
from dupfinder.base.progress import Latest, Progress
from tests.actions.making import OLD, alike, contents, plan_of, step, write
from tests.actions.test_trash_freedesktop import NAMES

Facts = dict[str, tuple[bytes, int, int]]


def facts(folder: Path) -> Facts:
    found = {}
    for name, data in contents(folder).items():
        status = os.lstat(folder / name)
        found[name] = (data, status.st_mtime_ns, status.st_mode)
    return found


def done(plan: Plan) -> Batch:
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert batch.is_complete, batch
    return batch


@pytest.mark.parametrize(("verb", "count"), [(Verb.TRASH, 200), (Verb.MOVE, 100), (Verb.HARDLINK, 100)])
def test_hundreds_come_back_exactly_after_a_restart(tmp_path: Path, verb: Verb, count: int) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "keeper", b"same")
    for number in range(count):
        path = write(root / str(number % 7) / f"{number % 50}-{number}.txt", b"same", OLD + number)
        path.chmod(0o600 + number % 64)
    write(root / "keeper", b"same")
    before = facts(root)
    victims = sorted(root.rglob("*.txt"))
    batch = done(plan_of((step(path, keeper, verb) for path in victims), root, to=tmp_path / "to"))
    assert len(facts(root)) == (count + 1 if verb is Verb.HARDLINK else 1)
    back = undo(batch.id, Journal())
    assert back.count(State.RESTORED) == count
    assert facts(root) == before
    inodes = {os.lstat(path).st_ino for path in victims}
    assert len(inodes) == count


@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("name", NAMES)
def test_any_name_goes_and_comes_back(tmp_path: Path, verb: Verb, name: bytes) -> None:
    root = tmp_path / "docs"
    victim = write(root / "x" / os.fsdecode(name), b"same")
    keeper = write(root / "keeper", b"same")
    before = facts(root)
    batch = done(plan_of([step(victim, keeper, verb)], root, to=tmp_path / "to"))
    assert undo(batch.id, Journal()).is_complete
    assert facts(root) == before


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="long paths need folder descriptors")
@pytest.mark.parametrize("verb", list(Verb))
def test_a_path_of_6000_bytes_goes_and_comes_back(tmp_path: Path, verb: Verb) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "keeper", b"same")
    parts = ["d" * 240] * 25
    here = os.open(root, os.O_RDONLY)
    for part in parts:
        os.mkdir(part, dir_fd=here)
        below = os.open(part, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    with open(os.open("v.txt", os.O_WRONLY | os.O_CREAT, 0o640, dir_fd=here), "wb") as stream:
        stream.write(b"same")
    status = os.stat("v.txt", dir_fd=here)
    short = step(keeper, keeper, verb)
    stamp = type(short.victim.stamp).of(root.joinpath(*parts, "v.txt"), status)
    victim = type(short.victim)(stamp, short.victim.content_hash)
    plan = plan_of([type(short)(verb, victim, short.keeper, short.reason, 1.0)], root, to=tmp_path / "to")
    try:
        batch = done(plan)
        assert undo(batch.id, Journal()).is_complete
        after = os.stat("v.txt", dir_fd=here)
        assert (after.st_size, after.st_mtime_ns, after.st_mode) == (4, status.st_mtime_ns, status.st_mode)
        assert os.listdir(here) == ["v.txt"]
    finally:
        os.close(here)
        shutil.rmtree(root)
        shutil.rmtree(tmp_path / "to", ignore_errors=True)


def removed(tmp_path: Path, verb: Verb = Verb.TRASH) -> tuple[Path, Batch]:
    root = tmp_path / "docs"
    victim, keeper = write(root / "sub" / "v.txt", b"victim"), write(root / "k.txt", b"keeper")
    reason = Reason.NEAR
    if verb is Verb.HARDLINK:
        write(victim, b"keeper")
        reason = Reason.IDENTICAL_BYTES
    return victim, done(plan_of([step(victim, keeper, verb, reason)], root, to=tmp_path / "to"))


def refusal_of(batch: Batch) -> RefusalKind:
    (outcome,) = batch.outcomes
    assert outcome.state is State.REFUSED and outcome.refusal is not None
    return outcome.refusal.kind


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_a_name_that_is_taken_now_is_refused_until_asked_to_restore_beside(tmp_path: Path, verb: Verb) -> None:
    victim, batch = removed(tmp_path, verb)
    write(victim, b"new")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.EXISTS
    assert victim.read_bytes() == b"new"
    back = undo(batch.id, Journal(), beside=True)
    assert back.outcomes[0].restored_to == victim.with_name("v (restored).txt")
    assert contents(victim.parent) == {"v.txt": b"new", "v (restored).txt": b"victim"}


def test_a_folder_that_is_gone_is_made_again(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path)
    shutil.rmtree(victim.parent)
    assert undo(batch.id, Journal()).is_complete
    assert victim.read_bytes() == b"victim"


def test_an_emptied_trash_is_told(tmp_path: Path) -> None:
    _, batch = removed(tmp_path)
    shutil.rmtree(tmp_path / "share")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.NOT_THERE
    assert Journal().batch(batch.id).count(State.DONE) == 1


def test_a_file_that_changed_where_it_was_put_is_not_restored(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path, Verb.MOVE)
    write(tmp_path / "to" / "sub" / "v.txt", b"edited since")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.CHANGED
    assert not victim.exists()
    assert (tmp_path / "to" / "sub" / "v.txt").read_bytes() == b"edited since"


def test_a_joined_file_that_was_edited_since_keeps_its_edits(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path, Verb.HARDLINK)
    victim.write_bytes(b"edited through either name")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.CHANGED
    assert victim.read_bytes() == b"edited through either name"


def test_what_a_person_restored_by_hand_counts_as_restored(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path)
    place = batch.outcomes[0].place
    assert place is not None and place.path is not None and place.info is not None
    place.path.rename(victim)
    assert undo(batch.id, Journal()).is_complete
    assert victim.read_bytes() == b"victim" and not place.info.exists()


def test_undo_twice_does_nothing_the_second_time(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path)
    undo(batch.id, Journal())
    again = undo(batch.id, Journal())
    assert (again.total, again.outcomes) == (0, ())
    assert victim.read_bytes() == b"victim"


def test_single_steps_can_be_restored(tmp_path: Path) -> None:
    keeper = write(tmp_path / "docs" / "k", b"same")
    victims = [write(tmp_path / "docs" / f"v{number}", b"same") for number in range(4)]
    batch = done(plan_of((step(victim, keeper) for victim in victims), tmp_path / "docs"))
    back = undo(batch.id, Journal(), steps={1, 3})
    assert [outcome.number for outcome in back.outcomes] == [1, 3]
    assert [victim.exists() for victim in victims] == [False, True, False, True]
    assert Journal().batch(batch.id).count(State.RESTORED) == 2


def test_a_stop_finishes_the_file_in_hand(tmp_path: Path) -> None:
    keeper = write(tmp_path / "docs" / "k", b"same")
    victims = [write(tmp_path / "docs" / f"v{number}", b"same") for number in range(5)]

    class StopsAfterTwo(Latest):
        def tell(self, progress: Progress) -> None:
            if progress.done == 1:
                self.stop()

    plan = plan_of((step(victim, keeper) for victim in victims), tmp_path / "docs")
    batch = carry_out(plan, journal=Journal(), judge=alike, reporter=StopsAfterTwo())
    assert (batch.stopped, batch.count(State.DONE), batch.is_complete) == (True, 2, False)
    rest = Journal().remaining(batch.id)
    assert rest is not None and [one.victim.path for one in rest.steps] == victims[2:]
    back = undo(batch.id, Journal(), StopsAfterTwo())
    assert back.count(State.RESTORED) == 2
    assert all(victim.exists() for victim in victims)


def test_a_volume_without_a_trash_has_a_quarantine_and_undo_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dupfinder.actions.trash_freedesktop import FreedesktopTrash

    root = tmp_path / "docs"
    (tmp_path / "file").write_bytes(b"")
    none = FreedesktopTrash({"HOME": "/proc", "XDG_DATA_HOME": "/proc/none"}, top_of=lambda path: tmp_path / "file")
    for chosen in (None, tmp_path / "chosen"):
        victim, keeper = write(root / "v.txt", b"same"), write(root / "k.txt", b"same")
        plan = plan_of([step(victim, keeper)], root)
        plan = Plan(plan.steps, plan.roots, quarantine=chosen)
        batch = carry_out(plan, journal=Journal(), judge=alike, trash=none)
        place = batch.outcomes[0].place
        assert place is not None and place.kind is PlaceKind.QUARANTINE and place.path is not None
        assert place.path.parent == (chosen or root / ".dupfinder-removed")
        assert undo(batch.id, Journal()).is_complete
        assert victim.read_bytes() == b"same"
