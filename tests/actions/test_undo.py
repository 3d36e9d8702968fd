"""Taking removals back: exactly, whatever the names, and never over another file."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from dupfinder.actions import metadata, moving
from dupfinder.actions.apply import carry_out
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.metadata import Metadata, MetadataKind
from dupfinder.actions.outcome import Batch, Intent, OutcomeState, RefusalKind
from dupfinder.actions.places import Place, PlaceKind, holding_name
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.records import LineKind
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover, undo
from dupfinder.base.progress import LatestProgress, Progress
from dupfinder.cluster.relation import Relation
from dupfinder.wording.removal import restore_refusal_sentence
from tests.actions.killing import CHANGES
from tests.actions.making import OLD, alike, contents, plan_of, step, write
from tests.actions.test_moving import pretend_another_volume
from tests.actions.test_trash_freedesktop import NAMES

Facts = dict[str, tuple[bytes, int, int]]


def facts(folder: Path) -> Facts:
    files = {}
    for name, data in contents(folder).items():
        status = os.lstat(folder / name)
        files[name] = (data, status.st_mtime_ns, status.st_mode)
    return files


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
    assert back.count(OutcomeState.RESTORED) == count
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
    plan = plan_of([type(short)(verb, victim, short.keeper, short.relation, 1.0)], root, to=tmp_path / "to")
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
    relation = Relation.VERSION
    if verb is Verb.HARDLINK:
        write(victim, b"keeper")
        relation = Relation.IDENTICAL
    return victim, done(plan_of([step(victim, keeper, verb, relation)], root, to=tmp_path / "to"))


def refusal_of(batch: Batch) -> RefusalKind:
    (outcome,) = batch.outcomes
    assert outcome.state is OutcomeState.REFUSED and outcome.refusal is not None
    return outcome.refusal.kind


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_a_name_that_is_taken_now_is_refused_until_asked_to_restore_beside(tmp_path: Path, verb: Verb) -> None:
    victim, batch = removed(tmp_path, verb)
    write(victim, b"new")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.EXISTS
    assert victim.read_bytes() == b"new"
    back = undo(batch.id, Journal(), similar_name=True)
    assert back.outcomes[0].restored_to == victim.with_name("v (restored).txt")
    assert contents(victim.parent) == {"v.txt": b"new", "v (restored).txt": b"victim"}


def test_a_folder_that_is_gone_is_made_again(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path)
    shutil.rmtree(victim.parent)
    assert undo(batch.id, Journal()).is_complete
    assert victim.read_bytes() == b"victim"


def test_an_emptied_trash_is_told(tmp_path: Path, own_home: Path) -> None:
    _, batch = removed(tmp_path)
    shutil.rmtree(own_home / "share")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.NOT_THERE
    assert Journal().batch(batch.id).count(OutcomeState.DONE) == 1


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


def test_a_stop_finishes_the_file_in_hand(tmp_path: Path) -> None:
    keeper = write(tmp_path / "docs" / "k", b"same")
    victims = [write(tmp_path / "docs" / f"v{number}", b"same") for number in range(5)]

    class StopsAfterTwo(LatestProgress):
        def tell(self, progress: Progress) -> None:
            if progress.done == 1:
                self.stop()

    plan = plan_of((step(victim, keeper) for victim in victims), tmp_path / "docs")
    batch = carry_out(plan, journal=Journal(), judge=alike, reporter=StopsAfterTwo())
    assert (batch.stopped, batch.count(OutcomeState.DONE), batch.is_complete) == (True, 2, False)
    assert [victim.exists() for victim in victims] == [False, False, True, True, True]
    back = undo(batch.id, Journal(), StopsAfterTwo())
    assert back.count(OutcomeState.RESTORED) == 2
    assert all(victim.exists() for victim in victims)


def all_facts(path: Path) -> Metadata:
    with OpenFolder.open(path.parent) as folder:
        return moving.metadata_of(folder, path.name, os.lstat(path))


def access_list(*entries: tuple[int, int, int]) -> bytes:
    """A POSIX access control list as Linux keeps it: (tag, permissions, number of the user or group)."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


ACL = access_list(
    (1, 6, 2**32 - 1), (2, 4, 1234), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)
)  # the owner, user 1234, the group, the mask, others


def mark_fully(path: Path) -> Metadata:
    """Give a file an unusual owner, attributes, access list, permissions and times; return those that it got."""
    path.chmod(0o640)
    for name, value in (("user.note", b"mine\x00\xff"), ("system.posix_acl_access", ACL)):
        with contextlib.suppress(OSError):  # not on every file system
            os.setxattr(path, name, value)
    with contextlib.suppress(PermissionError):  # as an ordinary user
        os.chown(path, 1234, 4321)
    os.utime(path, ns=(OLD - 7, OLD - 5))
    return all_facts(path)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="attributes are set as on Linux")
@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("verb", list(Verb))
def test_owner_mode_times_attributes_and_access_lists_come_back(
    tmp_path: Path, verb: Verb, across: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "docs"
    victim, keeper = write(root / "v.txt", b"same"), write(root / "k.txt", b"same")
    before, kept = mark_fully(victim), all_facts(keeper)
    assert before.attributes or not os.listxattr(victim)
    with monkeypatch.context() as patched:
        if across:
            pretend_another_volume(patched)
        batch = carry_out(
            plan_of([step(victim, keeper, verb)], root, to=tmp_path / "to"), journal=Journal(), judge=alike
        )
        back = undo(batch.id, Journal())
    if across and verb is Verb.TRASH:
        assert batch.count(OutcomeState.DONE) == 0  # no trash is on the volume
    else:
        assert back.is_complete and back.outcomes[0].missing == ()
    now = all_facts(victim)
    assert replace(now, atime_ns=0) == replace(before, atime_ns=0)
    assert victim.read_bytes() == b"same" and os.lstat(victim).st_nlink == 1
    assert replace(all_facts(keeper), atime_ns=0) == replace(kept, atime_ns=0)


def test_what_the_system_does_not_let_a_restored_file_have_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, batch = removed(tmp_path, Verb.HARDLINK)

    def refuse(descriptor: int, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    victim.chmod(0o604)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fchmod", refuse)
        (outcome,) = undo(batch.id, Journal()).outcomes
    assert outcome.state is OutcomeState.RESTORED and outcome.missing == (MetadataKind.MODE,)


def test_another_persons_file_that_was_only_renamed_is_not_said_to_lack_what_it_still_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, batch = removed(tmp_path)

    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fchmod", refuse)
        patched.setattr(os, "utime", refuse)
        (outcome,) = undo(batch.id, Journal()).outcomes
    assert (outcome.state, outcome.missing) == (OutcomeState.RESTORED, ())


def test_undoing_a_link_never_overwrites_what_is_saved_at_that_moment(tmp_path: Path) -> None:
    sys.addaudithook(_hook)
    for moment in range(1, 200):
        victim, batch = removed(tmp_path / str(moment), Verb.HARDLINK)
        keeper = batch.outcomes[0].step.keeper.path
        happened = saving_at(moment, victim, partial(undo, batch.id, Journal()))
        everything = contents(tmp_path / str(moment) / "docs")
        assert b"saved meanwhile" in everything.values() or not happened, moment
        assert keeper.read_bytes() == b"keeper"
        assert not [name for name in everything if ".dupfinder" in name]
        assert not happened or victim.read_bytes() == b"saved meanwhile"
        if not happened:
            assert os.lstat(victim).st_nlink == 1
            return
    raise AssertionError("the undo never came to its end")


before_change: list[Callable[[], None]] = []  # called before each change of a name and each opening


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if event in CHANGES and before_change:
        before_change[0]()


def saving_at(moment: int, victim: Path, work: Callable[[], object]) -> bool:
    """Do `work` while another program saves `victim`, by a rename, before the n-th change; tell whether it did."""
    left, done = moment, False

    def save() -> None:
        nonlocal left, done
        left -= 1
        if left == 0:
            before_change.clear()
            done = True
            os.replace(write(victim.with_name("beside~"), b"saved meanwhile"), victim)

    before_change.append(save)
    work()
    before_change.clear()
    return done


@pytest.mark.parametrize("verb", list(Verb))
def test_a_parent_that_became_a_symbolic_link_is_not_followed(tmp_path: Path, verb: Verb) -> None:
    victim, batch = removed(tmp_path, verb)
    elsewhere = tmp_path / "elsewhere"
    victim.parent.rename(elsewhere)
    victim.parent.symlink_to(elsewhere)
    before = {name: os.lstat(elsewhere / name).st_ino for name in contents(elsewhere)}
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.SYMLINK
    assert {name: os.lstat(elsewhere / name).st_ino for name in contents(elsewhere)} == before
    victim.parent.unlink()
    elsewhere.rename(victim.parent)
    assert undo(batch.id, Journal()).is_complete


def test_a_missing_folder_is_not_made_behind_a_symbolic_link(tmp_path: Path) -> None:
    victim, batch = removed(tmp_path)
    shutil.rmtree(victim.parent)
    (tmp_path / "elsewhere").mkdir()
    victim.parent.symlink_to(tmp_path / "elsewhere")
    assert refusal_of(undo(batch.id, Journal())) is RefusalKind.SYMLINK
    assert contents(tmp_path / "elsewhere") == {}


def test_where_a_changed_file_lies_is_said_as_a_place(tmp_path: Path) -> None:
    _, batch = removed(tmp_path, Verb.MOVE)
    write(tmp_path / "to" / "sub" / "v.txt", b"edited since")
    (outcome,) = undo(batch.id, Journal()).outcomes
    assert outcome.refusal is not None
    message = restore_refusal_sentence(outcome.refusal)
    assert message.startswith(f"{tmp_path / 'to' / 'sub' / 'v.txt'} no longer holds the bytes of")


@pytest.mark.parametrize(
    ("verb", "count"),
    [*((verb, 20) for verb in Verb), *(pytest.param(verb, 334, marks=pytest.mark.slow) for verb in Verb)],
)
def test_each_of_many_files_with_marks_of_its_own_comes_back_as_it_was(tmp_path: Path, verb: Verb, count: int) -> None:
    root = tmp_path / "docs"
    keeper = write(root / "keeper", b"same")
    before: dict[Path, Metadata] = {}
    for number in range(count):
        path = write(root / str(number % 7) / f"文件 {number % 50}-{number}.txt", b"same")
        mark_fully(path)
        path.chmod(0o400 + number % 64)
        os.utime(path, ns=(OLD, OLD + number))
        before[path] = all_facts(path)
    batch = done(plan_of((step(path, keeper, verb) for path in before), root, to=tmp_path / "to"))
    assert undo(batch.id, Journal()).count(OutcomeState.RESTORED) == count
    assert sorted(contents(root)) == sorted(str(path.relative_to(root)) for path in (*before, keeper))
    for path, marks in before.items():
        assert path.read_bytes() == b"same" and os.lstat(path).st_nlink == 1
        assert replace(all_facts(path), atime_ns=0) == replace(marks, atime_ns=0)


def test_a_volume_without_a_trash_has_a_quarantine_and_undo_knows_it(tmp_path: Path) -> None:
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
        assert place.path.parent.exists() == (chosen is not None)  # the folder that a person chose stays


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_an_undo_that_was_cut_off_is_not_called_complete_while_its_drive_is_away(tmp_path: Path, verb: Verb) -> None:
    root, away = tmp_path / "drive", tmp_path / "away"
    victim, keeper = write(root / "v.txt", b"same"), write(root / "k.txt", b"same")
    plan = plan_of([step(victim, keeper, verb)], root, to=root / "to" if verb is Verb.MOVE else None)
    none = FreedesktopTrash({"HOME": "/proc", "XDG_DATA_HOME": "/proc/none"}, top_of=lambda path: keeper)
    batch = carry_out(plan, journal=Journal(), judge=alike, trash=none)
    with Journal().reopen(batch.id) as log:
        log.note(LineKind.UNDO, 0, victim)
    root.rename(away)
    recover(Journal())
    assert Journal().batch(batch.id).outcomes[0].state is OutcomeState.DONE
    away.rename(root)
    assert undo(batch.id, Journal()).is_complete
    assert victim.read_bytes() == b"same"


def interrupted_removal(folder: Path, kind: PlaceKind) -> tuple[Path, str]:
    """Return a victim, and the removal that was cut off when it had begun with it, before anything was moved."""
    victim, keeper = write(folder / "v.txt", b"same"), write(folder / "k.txt", b"same")
    plan = plan_of([step(victim, keeper)], folder)
    intent = Intent(
        0, plan.steps[0], victim.with_name(holding_name("0" * 16, "v.txt")), None, Place(kind, None),
        metadata.of(os.lstat(victim), {}), folder,
    )  # fmt: skip
    with Journal().lock(), Journal().begin(plan) as log:
        log.intend(intent)
        return victim, log.batch_id


def test_a_removal_that_was_cut_off_is_settled_only_when_its_drive_is_there_again(tmp_path: Path) -> None:
    victim, batch_id = interrupted_removal(tmp_path / "drive", PlaceKind.ELSEWHERE)
    victim.parent.rename(tmp_path / "away")
    recover(Journal())
    assert Journal().batch(batch_id).is_unfinished
    (tmp_path / "away").rename(victim.parent)
    recover(Journal())
    assert Journal().batch(batch_id).outcomes[0].state is OutcomeState.TAKEN_BACK


@pytest.mark.parametrize("kind", [PlaceKind.TRASH, PlaceKind.ELSEWHERE])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_saved_again_after_a_kill_is_not_said_to_be_gone(
    tmp_path: Path, kind: PlaceKind, replaced: bool
) -> None:
    victim, batch_id = interrupted_removal(tmp_path / "docs", kind)
    if replaced:
        victim.unlink()
    victim.write_bytes(b"saved after the power came back")
    recover(Journal())
    (outcome,) = Journal().batch(batch_id).outcomes
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.CHANGED
    assert victim.read_bytes() == b"saved after the power came back"


def test_a_file_that_may_not_be_read_where_it_was_put_is_not_said_to_be_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, batch = removed(tmp_path)
    real = OpenFolder.open_file

    def refusing(self: OpenFolder, name: str) -> int:
        if "Trash" in self.path.parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        return real(self, name)

    monkeypatch.setattr(OpenFolder, "open_file", refusing)
    (outcome,) = undo(batch.id, Journal()).outcomes
    assert (outcome.state, outcome.failure) == (OutcomeState.FAILED, "EACCES")
    monkeypatch.undo()
    assert undo(batch.id, Journal()).is_complete
