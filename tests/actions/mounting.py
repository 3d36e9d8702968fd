"""Run as a program in a mount namespace of its own: removals on a bind mount and on a second, read-only or full volume.
The argument is a scratch folder. Any broken promise ends it with an AssertionError."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, Outcome, RefusalKind
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.undo import undo
from tests.actions.making import alike, contents, plan_of, step, write


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def applied(plan: Plan) -> tuple[Batch, Outcome]:
    batch = carry_out(plan, journal=Journal(), judge=alike)
    return batch, batch.outcomes[0]


def on_a_bind_mount(scratch: Path) -> None:
    docs, other = scratch / "docs", scratch / "other"
    write(docs / "sub" / "v.txt", b"same")
    keeper = write(docs / "k.txt", b"same")
    other.mkdir()
    mount("--bind", str(docs / "sub"), str(other))

    same = plan_of([step(other / "v.txt", docs / "sub" / "v.txt")], docs, other)
    _, outcome = applied(same)
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.SAME_FILE

    guarded = plan_of([step(other / "v.txt", keeper)], other, protected=(docs / "sub",))
    _, outcome = applied(guarded)
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.PROTECTED

    # A bind mount has its volume's number, yet nothing can be renamed across it.
    before = contents(docs)
    for verb in (Verb.TRASH, Verb.MOVE):
        batch, outcome = applied(plan_of([step(other / "v.txt", keeper, verb)], other, to=scratch / "to"))
        assert batch.is_complete, outcome
        assert outcome.place is not None and outcome.place.path is not None
        assert outcome.place.path.read_bytes() == b"same"
        if verb is Verb.TRASH:
            assert outcome.place.path == other / f".Trash-{os.getuid()}" / "files" / "v.txt"
        assert undo(batch.id, Journal()).is_complete
        assert {name: data for name, data in contents(docs).items() if ".Trash" not in name} == before


def on_a_second_volume(scratch: Path) -> None:
    volume = scratch / "volume"
    volume.mkdir()
    mount("-t", "tmpfs", "none", str(volume))
    victim, keeper = write(volume / "docs" / "v.txt", b"same"), write(volume / "docs" / "k.txt", b"same")
    batch, outcome = applied(plan_of([step(victim, keeper)], volume / "docs"))
    own = volume / f".Trash-{os.getuid()}"
    assert outcome.place is not None and outcome.place.kind is PlaceKind.TRASH
    assert outcome.place.path == own / "files" / "v.txt"
    assert b"Path=docs/v.txt\n" in (own / "info" / "v.txt.trashinfo").read_bytes()
    assert undo(batch.id, Journal()).is_complete
    assert victim.read_bytes() == b"same" and not list((own / "info").iterdir())

    mount("-o", "remount,bind,ro", str(volume))  # of the mount alone, which a person without rights may change too
    before = contents(volume)
    for verb in (Verb.TRASH, Verb.MOVE, Verb.HARDLINK):
        plan = plan_of([step(victim, keeper, verb)], volume / "docs", to=scratch / "to")
        batch, outcome = applied(plan)
        assert not batch.is_complete and contents(volume) == before, outcome
        assert not Journal().unfinished()


def on_a_full_volume(scratch: Path) -> None:
    volume = scratch / "small"
    volume.mkdir()
    mount("-t", "tmpfs", "-o", "size=64k", "none", str(volume))
    data = os.urandom(100_000)
    victim, keeper = write(scratch / "big" / "v", data), write(scratch / "big" / "k", data)
    batch, outcome = applied(plan_of([step(victim, keeper, Verb.MOVE)], scratch / "big", to=volume / "to"))
    assert outcome.failure == "ENOSPC" and not batch.is_complete
    assert victim.read_bytes() == data and not contents(volume)


def on_a_volume_that_has_no_room_for_another_name(scratch: Path) -> None:
    volume = scratch / "names"
    volume.mkdir()
    mount("-t", "tmpfs", "-o", "nr_inodes=30", "none", str(volume))
    victims = [write(volume / "docs" / f"v{number}", b"same") for number in range(3)]
    keeper = write(volume / "docs" / "k", b"same")
    fillers = volume / "fillers"
    fillers.mkdir()

    def fill(free: int) -> None:
        for number in range(os.statvfs(volume).f_ffree - free):
            (fillers / f"{os.urandom(4).hex()}-{number}").touch()

    # A second name takes an inode on this file system. At first there is room for the trash and one file of it.
    for free in (5, 0):
        fill(free)
        before = sorted(os.listdir(volume / "docs"))
        batch, _ = applied(plan_of([step(victim, keeper) for victim in victims], volume / "docs"))
        assert not Journal().unfinished() and not any("hold" in name for name in os.listdir(volume / "docs"))
        fill(0)
        if any(outcome.place is not None for outcome in batch.outcomes):
            assert undo(batch.id, Journal()).is_complete
        assert sorted(set(os.listdir(volume / "docs"))) == before


if __name__ == "__main__":
    here = Path(sys.argv[1])
    os.environ["XDG_DATA_HOME"] = str(here / "share")
    os.environ["DUPFINDER_HOME"] = str(here / "home")
    on_a_bind_mount(here)
    on_a_second_volume(here)
    on_a_full_volume(here)
    on_a_volume_that_has_no_room_for_another_name(here)
    print("all")
