"""Removals at random by every way, while a person saves and removes files and the program is killed: whatever comes,
no group of copies is emptied, no byte is lost and no name of dupfinder's is left."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Plan, Step, Verb
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover, undo
from dupfinder.base.paths import HOLDING_PREFIX, SPARE_PREFIX
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Relation
from tests.actions.killing import killed_at
from tests.actions.making import alike, contents, plan_of, step, write

MEMORY = Path("/dev/shm")
GROUPS = 100  # a round
MEDDLING = 0.02  # how often, of all changes of a name, the person does something at that moment
UNDONE, KILLED = 0.3, 0.3  # shares of the rounds


class NoTrash(FreedesktopTrash):
    """A volume without a trash: files go to the quarantine."""

    def places(self, victim: FileStamp) -> Iterator[Place]:
        return iter(())


@dataclass
class Tally:
    """Counts of what happened in a run."""

    groups: int = 0
    removed: int = 0
    refused: int = 0
    meddled: int = 0
    kills: int = 0
    undone: int = 0
    verbs: dict[str, int] = field(default_factory=dict)


class Round:
    """Some groups of documents on the disk, a person who works on them, and removals of copies."""

    def __init__(self, folder: Path, chance: random.Random, first: int) -> None:
        self.folder, self.docs, self.chance = folder, folder / "docs", chance
        self.journal = Journal(folder / "journal")
        self.diary = os.open(folder / "diary", os.O_RDWR | os.O_CREAT | os.O_APPEND)  # survives a kill
        self.groups = [self.docs / str(number) for number in range(first, first + GROUPS)]
        self.meddles = False
        for group in self.groups:
            self.make(group)
        self.before = set(contents(folder).values())

    def make(self, group: Path) -> None:
        """Two to four documents: copies of one, or with words of their own."""
        for number in range(self.chance.randint(2, 4)):
            own = "" if self.chance.random() < 0.6 else f", version {number}"
            write(group / f"{number}.txt", f"document {group.name}{own}".encode())

    def plan(self) -> tuple[Plan, Plan]:
        """Return a plan for trash, move and link, and one for the quarantine."""
        by_way: tuple[list[Step], list[Step]] = ([], [])
        for group in self.groups:
            keeper, *victims = self.chance.sample(
                sorted(group.iterdir()), self.chance.randint(2, len(list(group.iterdir())))
            )
            for victim in victims:
                same = victim.read_bytes() == keeper.read_bytes()
                relation = Relation.IDENTICAL if same else Relation.VERSION
                verb = self.chance.choice(list(Verb) if same else [Verb.TRASH, Verb.MOVE])
                by_way[verb is Verb.TRASH and self.chance.random() < 0.5].append(step(victim, keeper, verb, relation))
        return plan_of(by_way[0], self.docs, to=self.folder / "to"), plan_of(by_way[1], self.docs)

    def note(self, what: str, content: bytes) -> None:
        os.write(self.diary, what.encode() + b"\t" + content + b"\n")

    def diary_of(self, what: str) -> list[bytes]:
        lines = (self.folder / "diary").read_bytes().splitlines()
        return [line.partition(b"\t")[2] for line in lines if line.startswith(what.encode())]

    def meddle(self, group: Path) -> None:
        """Let the person edit one file of a group in place, even while a removal holds it, or save or remove it."""
        files = [path for path in group.iterdir() if path.is_file()]
        if not files:
            return
        path = self.chance.choice(files)
        old, status = path.read_bytes(), path.stat()
        new = f"saved {self.chance.getrandbits(64):x}".encode()
        act = self.chance.choice(["edit", "edit", "save", "save", "remove"])
        names = sum(other.samefile(path) for other in files)
        ours = path.name.startswith((HOLDING_PREFIX, SPARE_PREFIX))  # nobody saves under a random name of another's
        self.note("overwritten", old)
        if act == "edit":
            with open(path, "r+b") as stream:
                stream.write(new.ljust(len(old)))
            if self.chance.random() < 0.5:
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            self.note("written", new.ljust(len(old)))  # only now: a kill may come before
        elif not ours and act == "save":
            os.replace(write(group / "saving", new), path)
            self.note("written", new)
        elif not ours and act == "remove" and names == 1:
            self.note("removed", os.fsencode(group.name))
            path.unlink()

    def apply(self) -> None:
        """Carry out both plans while the person works."""
        trash = FreedesktopTrash({"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "share")})
        for plan, place in zip(self.plan(), (trash, NoTrash()), strict=True):
            self.meddles = True
            try:
                carry_out(plan, journal=self.journal, judge=alike, trash=place)
            finally:
                self.meddles = False

    def check(self) -> None:
        """Check that no group is emptied, no content lost and no temporary name of dupfinder left."""
        left = contents(self.folder)
        held = [path for path in self.folder.rglob("*") if path.name.startswith((HOLDING_PREFIX, SPARE_PREFIX))]
        assert not held, held
        due = self.before | set(self.diary_of("written"))
        lost = due - set(self.diary_of("overwritten")) - set(left.values())
        assert not lost, lost
        cleared = {os.fsdecode(name) for name in self.diary_of("removed")}
        for group in self.groups:
            own = [path for path in group.iterdir() if path.is_file()]
            assert own or group.name in cleared, f"{group} is empty"


def run(groups: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Make and work on rounds of groups until so many were worked on; return the counts."""
    chance, tally = random.Random(seed), Tally()
    current: list[Round] = []
    for method in ("rename", "link", "remove_name"):
        real = getattr(OpenFolder, method)

        def meddled(self: OpenFolder, *arguments: object, real: object = real) -> object:
            here = current[0]
            if here.meddles and self.path.parent == here.docs and chance.random() < MEDDLING:
                here.meddle(self.path)
            assert callable(real)
            return real(self, *arguments)

        monkeypatch.setattr(OpenFolder, method, meddled)
    while tally.groups < groups:
        folder = Path(tempfile.mkdtemp(prefix="dupfinder-test-", dir=MEMORY if MEMORY.is_dir() else None))
        try:
            current[:] = [Round(folder, chance, tally.groups)]
            one_round(current[0], chance, tally)
            os.close(current[0].diary)
        finally:
            shutil.rmtree(folder)
        tally.groups += GROUPS
    return tally


def one_round(here: Round, chance: random.Random, tally: Tally) -> None:
    if hasattr(os, "fork") and chance.random() < KILLED:
        tally.kills += killed_at(chance.randint(1, 12 * GROUPS), here.apply)
        recover(here.journal)
    else:
        here.apply()
    here.check()
    tally.meddled += len(here.diary_of("overwritten"))
    for batch in here.journal.batches():
        for outcome in batch.outcomes:
            tally.removed += outcome.state == "done"
            tally.refused += outcome.state in ("refused", "failed")
            way = outcome.place.kind.value if outcome.place is not None and outcome.state == "done" else ""
            tally.verbs[way] = tally.verbs.get(way, 0) + 1
        if chance.random() < UNDONE:
            tally.undone += len(undo(batch.id, here.journal, similar_name=True).outcomes)
            here.check()


def test_removals_by_every_way_lose_nothing_whatever_happens_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = run(500, 1, monkeypatch)
    assert tally.removed > 300 and tally.meddled > 20 and tally.undone > 50
    assert {"trash", "moved", "linked", "quarantine"} <= set(tally.verbs)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_of_twenty_thousand_groups_none_is_emptied_and_no_byte_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = run(20_000, 2, monkeypatch)
    print(tally)
    assert tally.removed > 20_000 and tally.kills > 10
