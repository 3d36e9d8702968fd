"""Scenes: a small real folder, the work during which something happens, and what must hold afterwards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from dupfinder.actions import quarantine
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, Outcome, OutcomeState
from dupfinder.actions.places import PlaceKind
from dupfinder.actions.plan import Verb
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover, undo
from dupfinder.base.paths import OWN_PREFIX
from dupfinder.cluster.relation import Relation
from tests.actions.making import alike, contents, plan_of, step, write
from tests.faults.meddling import SWAPPED, Said

OURS = (OWN_PREFIX + "hold-", OWN_PREFIX + "new-")
Facts = dict[str, tuple[bytes, int, int, int, int]]


class Broken(AssertionError):
    """A promise that did not hold."""


def demand(holds: bool, words: str) -> None:
    if not holds:
        raise Broken(words)


def facts(folder: Path) -> Facts:
    """Bytes, inode, mode, modification time and owner of every file, by its path, but for what is put away."""
    result = {}
    for name, data in contents(folder).items():
        if not name.startswith((".Trash", OWN_PREFIX + "removed")):
            status = os.lstat(folder / name)
            result[name] = (data, status.st_nlink, status.st_mode, status.st_mtime_ns, status.st_uid)
    return result


def of_verb(verb: str) -> tuple[Verb, bool]:
    """The verb of a plan, and whether the volume has no trash, so that it goes to a quarantine."""
    return (Verb.TRASH, True) if verb == "quarantine" else (Verb(verb), False)


@dataclass(frozen=True, slots=True)
class Way:
    """verb: "trash", "quarantine", "move", "hardlink".   phase: "apply", "undo", or "empty" for a quarantine.

    across: the folder that receives moved files is on another volume.
    """

    verb: str
    phase: str
    across: bool = False

    def __str__(self) -> str:
        return f"{self.phase} {self.verb}{' across' if self.across else ''}"


class Removal:
    """One victim and its keeper, removed in one way; what happens falls into its phase."""

    def __init__(self, scratch: Path, other: Path, way: Way) -> None:
        self.way, self.scratch = way, scratch
        self.docs, self.moved = scratch / "docs", (other if way.across else scratch) / "moved"
        for folder in (scratch, self.moved):
            shutil.rmtree(folder, ignore_errors=True)
        os.environ["XDG_DATA_HOME"] = str(scratch / "share")
        verb, self._no_trash = of_verb(way.verb)
        exact = verb is Verb.HARDLINK
        self.keeper = write(self.docs / "keeper.txt", b"kept")
        self.victim = write(self.docs / "sub" / "one.txt", b"kept" if exact else b"a victim", 1_500_000_000_000_000_001)
        self.victim.chmod(0o640)
        relation = Relation.IDENTICAL if exact else Relation.VERSION
        self.plan = plan_of([step(self.victim, self.keeper, verb, relation)], self.docs, to=self.moved)
        self.before, self.inode = facts(self.docs), os.lstat(self.victim).st_ino
        self.journal = Journal(scratch / "journal")
        if way.phase != "apply":
            self._apply()
        phases: dict[str, Callable[[], object]] = {"apply": self._apply, "undo": self._undo, "empty": self._empty}
        self.work = phases[way.phase]

    @property
    def folders(self) -> tuple[Path, Path]:
        """What the shim looks at."""
        return (self.scratch, self.moved)

    def _apply(self) -> None:
        nowhere = self.scratch / "nowhere"
        if self._no_trash:
            nowhere.write_bytes(b"")
            environment = {"HOME": "/proc", "XDG_DATA_HOME": "/proc/none"}
            trash = FreedesktopTrash(environment, top_of=lambda path: nowhere)
        else:
            trash = FreedesktopTrash(top_of=lambda path: self.docs)
        carry_out(self.plan, journal=self.journal, judge=alike, trash=trash)

    def _undo(self) -> None:
        undo(self.journal.batches()[0].id, self.journal)

    def _empty(self) -> None:
        quarantine.empty(self.journal)

    # Afterwards

    def check(self, said: Said) -> None:
        """Check that nothing is lost, that the history is true, and that undo restores the same tree."""
        wanted = {data for data, *_ in self.before.values()} - said.destroyed | said.saved
        self._has(wanted, "before the next start")
        recover(self.journal)
        batches = self.journal.batches()
        self._has(wanted, "after the next start")
        self._is_tidy(batches)
        for batch in batches:
            for outcome in batch.outcomes:
                self._is_true(outcome, said)
        for batch in batches:
            undo(batch.id, self.journal, similar_name=True)
        self._has(wanted, "after undo")
        self._is_tidy(self.journal.batches())
        self._is_undone(said, wanted)

    def _emptied(self) -> bool:
        return any(
            outcome.state is OutcomeState.EMPTIED for batch in self.journal.batches() for outcome in batch.outcomes
        )

    def _everything(self) -> dict[str, bytes]:
        left = {str(self.scratch / name): data for name, data in contents(self.scratch).items()}
        return left | {str(self.moved / name): data for name, data in contents(self.moved).items()}

    def _has(self, wanted: Iterable[bytes], when: str) -> None:
        there = set(self._everything().values())
        if self.way.phase == "empty":
            wanted = set(wanted) - {self.before["sub/one.txt"][0]}  # that it goes is what was asked for
        demand(set(wanted) <= there, f"lost {when}: {set(wanted) - there!r}")

    def _is_tidy(self, batches: Iterable[Batch]) -> None:
        names = [name for name in self._everything() if any(part.startswith(OURS) for part in Path(name).parts)]
        folders = [name for place in (self.docs, self.moved) for _, below, _ in os.walk(place) for name in below]
        names += [name for name in folders if name.startswith(OURS)]
        demand(not names, f"names of ours are left: {names}")
        demand(not any(batch.is_unfinished for batch in batches), "a step is still open")

    def _is_true(self, outcome: Outcome, said: Said) -> None:
        """Check that what the history says of the victim is true."""
        where = {name for name in self._everything() if os.lstat(name).st_ino == self.inode}
        bytes_of_it = self.before["sub/one.txt"][0]
        at = str(outcome.restored_to or self.victim)
        if outcome.state is OutcomeState.DONE:
            assert outcome.place is not None
            place = str(outcome.place.path)
            if outcome.place.kind is PlaceKind.LINKED:
                linked = self.victim.exists() and self.keeper.exists() and os.path.samefile(self.victim, self.keeper)
                demand(linked or said.was_meddled_with, "said to be linked, and is not")
            elif self._everything().get(place) != bytes_of_it:
                demand(said.was_meddled_with, f"said to be in {place}, and is not")
            demand(at not in where, "said to be done, and the file has its name")
        elif outcome.state is OutcomeState.EMPTIED:
            demand(not where or said.was_meddled_with, f"said to be deleted, and is in {where}")
        elif said.was_meddled_with:
            swapped = str(self.victim) + SWAPPED
            demand(not where or bool(where & {at, swapped}), f"said to be {at}, and is in {where}")
        else:
            demand(self._everything().get(at) == bytes_of_it, f"{outcome.state}: said to be {at}, and is not")

    def _is_undone(self, said: Said, wanted: set[bytes]) -> None:
        now = facts(self.docs)
        if self._emptied():
            demand("keeper.txt" in now or said.was_meddled_with, "the kept copy is gone")
        elif not said.was_meddled_with:
            demand(now == self.before, f"undone to {now}, not {self.before}")
        else:
            seen = {data for data, *_ in now.values()}
            away = self.before["sub/one.txt"][0]
            hidden = wanted - seen - ({away} if self._is_said_to_be_away() else set())
            demand(not hidden, f"not under a name that a person sees: {hidden!r}")

    def _is_said_to_be_away(self) -> bool:
        """Whether the history says that the victim is still where the removal put it."""
        return any(outcome.state is OutcomeState.DONE for batch in self.journal.batches() for outcome in batch.outcomes)
