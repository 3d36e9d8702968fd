"""What a person or a program does to a file while dupfinder has it in hand is never lost, and no name stays ours."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.actions import moving
from dupfinder.actions.apply import carry_out
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, OutcomeState, RefusalKind
from dupfinder.actions.places import holding_name
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover
from dupfinder.base.paths import HOLDING_PREFIX, OWN_PREFIX, SPARE_PREFIX, held_name
from dupfinder.cluster.relation import Relation
from tests.actions.making import OLD, alike, contents, plan_of, step, write

SAVED = b"text of ONE size"  # as long as what it replaces
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(tmp_path / "docs" / "sub" / "v.txt", b"text of one size")
    write(tmp_path / "docs" / "k.txt", b"text of one size")
    return tmp_path / "docs"


def plan_for(docs: Path, verb: Verb, relation: Relation = Relation.IDENTICAL) -> Plan:
    return plan_of([step(docs / "sub" / "v.txt", docs / "k.txt", verb, relation)], docs, to=docs.parent / "to")


def run(plan: Plan, docs: Path) -> Batch:
    trash = FreedesktopTrash(top_of=lambda path: docs.parent)
    return carry_out(plan, journal=Journal(docs.parent / "journal"), judge=alike, trash=trash)


def names(docs: Path) -> dict[str, bytes]:
    """Return what is below the scanned folder, and check that no temporary name of dupfinder is left there."""
    left = contents(docs)
    assert not [path for path in docs.rglob("*") if path.name.startswith(OWN_PREFIX)], sorted(docs.rglob("*"))
    return left


def edit(path: Path) -> None:
    """An edit in place of the same size, after which the modification time is put back."""
    status = os.stat(path)
    with open(path, "r+b") as stream:
        stream.write(SAVED)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def held(docs: Path) -> Path:
    (path,) = (docs / "sub").glob(f"{HOLDING_PREFIX}*")
    return path


def when(monkeypatch: pytest.MonkeyPatch, method: str, act: Callable[[], object], *, victim: Path, after: bool) -> None:
    """Do `act` once, before or after the first call of a method of OpenFolder that names the victim; a link of the
    victim itself, by which the file system is tried, does not count."""
    real = getattr(OpenFolder, method)
    left = [act]

    def meddled(self: OpenFolder, *arguments: object) -> object:
        mine = victim.name in (arguments[1:] if method == "link" else arguments) and bool(left)
        if mine and not after:
            left.pop()()
        result = real(self, *arguments)
        if mine and after:
            left.pop()()
        return result

    monkeypatch.setattr(OpenFolder, method, meddled)


def in_a_child_that_is_killed(work: Callable[[], object]) -> None:
    child = os.fork()
    if child == 0:
        work()
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def written(path: Path) -> None:
    edit(path)


def grown(path: Path) -> None:
    with open(path, "ab") as stream:
        stream.write(b", and more of it")


def replaced(path: Path) -> None:
    other = write(path.with_name("other"), SAVED)
    os.replace(other, path)


def replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    write(path / "chapter" / "one.txt", SAVED)


@posix
@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("change", [written, grown, replaced, replaced_by_a_folder])
def test_what_is_done_to_a_file_in_hand_before_a_kill_is_given_its_name_back(
    docs: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb, change: Callable[[Path], None]
) -> None:
    victim = docs / "sub" / "v.txt"

    def change_and_kill() -> None:
        change(held(docs))
        os.kill(os.getpid(), signal.SIGKILL)

    when(monkeypatch, "rename", change_and_kill, victim=victim, after=True)
    plan = plan_for(docs, verb)
    in_a_child_that_is_killed(lambda: run(plan, docs))
    expected = {name: data for name, data in contents(docs).items() if data != b"text of one size"}
    (changed,) = expected.values()
    monkeypatch.undo()
    recover(Journal(docs.parent / "journal"))
    left = names(docs)
    assert changed in left.values() and left["k.txt"] == b"text of one size"
    assert all(name.startswith("sub/v.txt") for name in left if name != "k.txt")
    assert [outcome.state for outcome in Journal(docs.parent / "journal").batches()[0].outcomes] == [
        OutcomeState.TAKEN_BACK
    ]


@posix
@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("change", [replaced, replaced_by_a_folder])
def test_what_takes_the_victims_name_right_before_it_is_in_hand_keeps_that_name(
    docs: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb, killed: bool, change: Callable[[Path], None]
) -> None:
    victim = docs / "sub" / "v.txt"
    plan = plan_for(docs, verb)
    when(monkeypatch, "rename", lambda: change(victim), victim=victim, after=False)
    if killed:
        when(monkeypatch, "rename", lambda: os.kill(os.getpid(), signal.SIGKILL), victim=victim, after=True)
        in_a_child_that_is_killed(lambda: run(plan, docs))
        monkeypatch.undo()
        recover(Journal(docs.parent / "journal"))
    else:
        assert [outcome.state for outcome in run(plan, docs).outcomes] == [OutcomeState.REFUSED]
    name = "sub/v.txt/chapter/one.txt" if change is replaced_by_a_folder else "sub/v.txt"
    assert names(docs) == {name: SAVED, "k.txt": b"text of one size"}


@pytest.mark.parametrize("whose", ["victim", "keeper"])
def test_an_edit_between_the_check_and_the_end_of_a_hard_link_is_kept(
    docs: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    victim = docs / "sub" / "v.txt"
    plan = plan_for(docs, Verb.HARDLINK)
    change = (lambda: edit(held(docs))) if whose == "victim" else (lambda: edit(docs / "k.txt"))
    when(monkeypatch, "link", change, victim=victim, after=False)
    batch = run(plan, docs)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert sorted(names(docs).values()) == [SAVED, b"text of one size"]
    assert victim.read_bytes() == (SAVED if whose == "victim" else b"text of one size")


def test_a_file_saved_over_a_link_that_was_just_made_is_kept_and_so_is_the_victim(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = docs / "sub" / "v.txt"
    plan = plan_for(docs, Verb.HARDLINK)
    when(monkeypatch, "link", lambda: replaced(victim), victim=victim, after=True)
    batch = run(plan, docs)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert batch.outcomes[0].restored_to == docs / "sub" / "v (restored).txt"
    same = b"text of one size"
    assert names(docs) == {"k.txt": same, "sub/v.txt": SAVED, "sub/v (restored).txt": same}


def test_a_file_saved_under_the_victims_name_before_the_link_is_kept(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = docs / "sub" / "v.txt"
    plan = plan_for(docs, Verb.HARDLINK)
    when(monkeypatch, "link", lambda: write(victim, SAVED), victim=victim, after=False)
    assert [outcome.state for outcome in run(plan, docs).outcomes] == [OutcomeState.REFUSED]
    same = b"text of one size"
    assert names(docs) == {"k.txt": same, "sub/v.txt": SAVED, "sub/v (restored).txt": same}


@posix
def test_a_file_saved_over_a_link_before_a_kill_is_kept_and_so_is_an_edit_in_hand(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = docs / "sub" / "v.txt"

    def save_and_kill() -> None:
        grown(held(docs))
        replaced(victim)
        os.kill(os.getpid(), signal.SIGKILL)

    plan = plan_for(docs, Verb.HARDLINK)
    when(monkeypatch, "link", save_and_kill, victim=victim, after=True)
    in_a_child_that_is_killed(lambda: run(plan, docs))
    monkeypatch.undo()
    recover(Journal(docs.parent / "journal"))
    same = b"text of one size"
    assert names(docs) == {"k.txt": same, "sub/v.txt": SAVED, "sub/v (restored).txt": same + b", and more of it"}


def test_an_edit_during_the_move_to_another_volume_is_kept(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within = OpenFolder.move_exclusively

    def move(self: OpenFolder, name: str, to: OpenFolder, new: str) -> None:
        if self.identity != to.identity:
            raise OSError(18, "Invalid cross-device link")
        within(self, name, to, new)
        if new == "v.txt" and to.path != docs / "sub":
            edit(held(docs))

    monkeypatch.setattr(OpenFolder, "move_exclusively", move)
    batch = run(plan_for(docs, Verb.MOVE), docs)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.FAILED]
    assert names(docs) == {"k.txt": b"text of one size", "sub/v.txt": SAVED}
    assert contents(docs.parent / "to") == {}


def test_a_new_name_is_on_the_disk_before_the_old_one_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a" / "old", b"text")
    (tmp_path / "b").mkdir()
    done: list[str] = []

    def noting(name: str) -> None:
        real = getattr(os, name)

        def call(*arguments: object, **more: object) -> object:
            done.append(name)
            return real(*arguments, **more)

        monkeypatch.setattr(os, name, call)

    for name in ("link", "fsync", "unlink"):
        noting(name)
    with OpenFolder.open(tmp_path / "a") as source, OpenFolder.open(tmp_path / "b") as to:
        source.move_exclusively("old", to, "new")
    assert done == ["link", "fsync", "unlink"]


def test_folders_and_files_are_never_moved_over_anything(tmp_path: Path) -> None:
    write(tmp_path / "folder" / "inside.txt", b"inside")
    write(tmp_path / "file", b"file")
    (tmp_path / "empty").mkdir()
    before = contents(tmp_path)
    with OpenFolder.open(tmp_path) as folder:
        for name in ("folder", "file"):
            for taken in {"folder", "file", "empty"} - {name}:
                with pytest.raises(FileExistsError):
                    folder.move_exclusively(name, folder, taken)
        assert contents(tmp_path) == before and (tmp_path / "empty").is_dir()
        folder.move_exclusively("folder", folder, "other")
    assert contents(tmp_path) == {"other/inside.txt": b"inside", "file": b"file"}


@pytest.mark.parametrize("verb", list(Verb))
def test_where_no_change_of_name_is_exclusive_nothing_is_taken_in_hand_and_the_reason_is_said(
    docs: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither hard links nor RENAME_NOREPLACE: no file could have its name again without replacing a save."""

    def no_link(*_: object) -> None:
        raise PermissionError(1, "no hard links here")

    def cannot(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(OpenFolder, "link", no_link)
    monkeypatch.setattr("dupfinder.actions.folder.rename_exclusively", cannot)
    before = contents(docs)
    batch = run(plan_of([step(docs / "sub" / "v.txt", docs / "k.txt", verb)], docs, to=docs.parent / "to"), docs)
    (outcome,) = batch.outcomes
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.NO_SAFE_NAME
    assert contents(docs) == before and not batch.is_unfinished
    with OpenFolder.open(docs) as folder, pytest.raises(OSError, match="not supported"):
        folder.move_exclusively("k.txt", folder, "other.txt")


_names = st.binary(min_size=1, max_size=255).filter(lambda name: not {0, 47} & set(name) and name not in (b".", b".."))


@given(_names, st.sampled_from([255, 143]))
def test_a_holding_name_fits_and_carries_the_own_name(name: bytes, longest: int) -> None:
    own = os.fsdecode(name)
    holding = holding_name("0123456789abcdef", own, longest)
    assert len(os.fsencode(holding)) <= longest
    carried = held_name(holding)
    assert carried
    assert carried == own or (len(name) > longest - 40 and len(os.fsencode(carried)) < len(name))
    assert held_name(own) is None or own.startswith((HOLDING_PREFIX, SPARE_PREFIX))


def test_a_file_in_hand_tells_whose_it_is(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []
    long = docs / "sub" / (os.fsdecode(b"\xff\n") + "文" * 80 + ".docx")
    shutil.copy2(docs / "k.txt", long)
    os.utime(long, ns=(OLD, OLD))
    when(monkeypatch, "rename", lambda: seen.append(held_name(held(docs).name)), victim=long, after=True)
    assert run(plan_of([step(long, docs / "k.txt")], docs), docs).is_complete
    (carried,) = seen
    assert carried is not None and carried.startswith(os.fsdecode(b"\xff\n") + "文" * 60) and carried.endswith(".docx")


def test_a_folder_that_was_in_hand_stands_beside_a_name_that_was_taken(tmp_path: Path) -> None:
    write(tmp_path / "held" / "one.txt", b"1")
    write(tmp_path / "v.txt", b"someone's")
    with OpenFolder.open(tmp_path) as folder:
        moving.give_back(folder, "held", tmp_path / "v.txt")
    assert contents(tmp_path) == {"v.txt": b"someone's", "v (restored).txt/one.txt": b"1"}
