"""Scenes of what dupfinder keeps for itself: a scan into the library, clearing it, and a person's decisions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from dupfinder.library import store
from dupfinder.library.decisions import Decisions
from dupfinder.library.library import LibraryFile
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.actions.making import contents, write
from tests.faults.meddling import Said
from tests.faults.scenes import Facts, demand, facts

TEXT = "The harbour office keeps a register of every ship that enters and the hour at which it left again. " * 8


class _Stored:
    """Three documents, two of them nearly equal, and a folder for the library."""

    def __init__(self, scratch: Path) -> None:
        shutil.rmtree(scratch, ignore_errors=True)
        self.scratch, self.docs, self.library = scratch, scratch / "docs", scratch / "data" / "library.db"
        self.library.parent.mkdir(parents=True)
        os.environ["DUPFINDER_HOME"] = str(scratch / "data")
        self.keeper = write(self.docs / "keeper.txt", TEXT.encode())
        self.victim = write(self.docs / "one.txt", TEXT.encode() + b"One more line.")
        write(self.docs / "other.txt", b"The growing of apples in the cold north, and of pears as well, is old. " * 8)
        self.before: Facts = facts(self.docs)

    @property
    def folders(self) -> tuple[Path, Path]:
        return (self.scratch, self.scratch)

    def scan(self) -> int:
        return run_scan(ScanRequest((Root(self.docs),), workers=1), self.library)

    def work(self) -> object:
        raise NotImplementedError

    def check(self, said: Said) -> None:
        raise NotImplementedError

    def outcome(self) -> tuple[int, int]:
        """How many documents the newest scan read, and how many groups it found."""
        with LibraryFile(self.library) as library:
            result = library.result(None)
            return len(result.documents), len(result.pairs)

    def documents_stand(self, said: Said) -> None:
        """No document was touched but by the other program."""
        now = facts(self.docs)
        if said.was_meddled_with:
            kept = {name: fact for name, fact in self.before.items() if name == "other.txt"}
            demand(
                kept.items() <= now.items() and said.saved <= set(contents(self.docs).values()), "a document changed"
            )
        else:
            demand(now == self.before, f"documents changed: {now}")


class Scanning(_Stored):
    def work(self) -> object:
        return self.scan()

    def check(self, said: Said) -> None:
        self.documents_stand(said)
        self.scan()
        self.documents_stand(said)
        wanted = len([path for path in self.docs.rglob("*") if path.is_file()])
        demand(self.outcome()[0] == wanted, f"the next scan has {self.outcome()}, not {wanted} documents")
        if not said.was_meddled_with:
            demand(self.outcome() == (3, 1), f"the next scan found {self.outcome()}")


class Clearing(_Stored):
    def __init__(self, scratch: Path) -> None:
        super().__init__(scratch)
        self.scan()
        self.decisions = Decisions(scratch / "data" / "decisions.db")
        self.decisions.store([(self.victim, "00", 2)])

    def work(self) -> object:
        return store.delete(self.library)

    def check(self, said: Said) -> None:
        self.documents_stand(said)
        demand(len(self.decisions.load()) == 1, "a decision is gone")
        if self.library.exists():
            store.delete(self.library)
        demand(not self.library.exists(), "the library is still there")
        left = [name for name in contents(self.library.parent) if name.startswith("library.db-")]
        demand(not left, f"parts of the library are left: {left}")


class Deciding(_Stored):
    def __init__(self, scratch: Path) -> None:
        super().__init__(scratch)
        self.decisions = Decisions(scratch / "data" / "decisions.db")
        self.decisions.store([(self.keeper, "00", 1)])

    def work(self) -> object:
        self.decisions.store([(self.keeper, "00", 2), (self.victim, "00", 1)])
        return None

    def check(self, said: Said) -> None:
        self.documents_stand(said)
        decisions = {Path(path).name: decision for path, (_, decision) in self.decisions.load().items()}
        demand(
            decisions in ({"keeper.txt": 1}, {"keeper.txt": 2, "one.txt": 1}),
            f"decisions are neither old nor new: {decisions}",
        )
        demand(not list(self.library.parent.glob("*.damaged*")), "decisions were taken to be damaged")
        self.work()
        demand(len(self.decisions.load()) == 2, "decisions cannot be stored any more")
