"""Two removals at once, each naming the other's victim as keeper: one copy stays, whatever their order."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.check import Judgement
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.base.errors import LibraryLocked
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand, Relation
from tests.actions.making import alike, contents, plan_of, step, write


def opposing(root: Path, verb: Verb) -> tuple[Plan, Plan]:
    a, b = write(root / "a.txt", b"version one"), write(root / "b.txt", b"version two")
    to = root.parent / "to"
    first = plan_of([step(a, b, verb, Relation.VERSION)], root, to=to)
    return first, plan_of([step(b, a, verb, Relation.VERSION)], root, to=to)


class Meddling(FreedesktopTrash):
    """A trash in front of which something else happens first."""

    def __init__(self, before: object) -> None:
        super().__init__()
        self._before = before

    def places(self, victim: FileStamp) -> Iterator[Place]:
        self._meddle()  # after the check, before the victim is in hand
        yield from super().places(victim)

    def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
        self._meddle()  # while the victim is in hand
        return super().put(folder, name, victim, place)

    def _meddle(self) -> None:
        work, self._before = self._before, None
        if callable(work):
            work()


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_the_other_removal_between_check_and_act_leaves_one_copy(tmp_path: Path, verb: Verb) -> None:
    root = tmp_path / "docs"
    ours, theirs = opposing(root, verb)
    our_journal, their_journal = Journal(tmp_path / "j1"), Journal(tmp_path / "j2")

    def judge(victim: Path, keeper: Path, demand: Demand) -> Judgement:
        carry_out(theirs, journal=their_journal, judge=alike)
        return alike(victim, keeper, demand)

    batch = carry_out(ours, journal=our_journal, judge=judge)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert list(contents(root)) == ["a.txt"]


def test_the_other_removal_right_before_the_victim_is_in_hand_leaves_one_copy(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    ours, theirs = opposing(root, Verb.TRASH)
    their_journal = Journal(tmp_path / "j2")
    trash = Meddling(lambda: carry_out(theirs, journal=their_journal, judge=alike))
    batch = carry_out(ours, journal=Journal(tmp_path / "j1"), judge=alike, trash=trash)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert list(contents(root)) == ["a.txt"]


def test_the_other_removal_while_the_victim_is_in_hand_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    ours, theirs = opposing(root, Verb.TRASH)
    their_journal = Journal(tmp_path / "j2")

    class InHand(Meddling):
        def places(self, victim: FileStamp) -> Iterator[Place]:
            yield from FreedesktopTrash.places(self, victim)

    trash = InHand(lambda: carry_out(theirs, journal=their_journal, judge=alike))
    batch = carry_out(ours, journal=Journal(tmp_path / "j1"), judge=alike, trash=trash)
    assert batch.is_complete
    assert [outcome.state for outcome in their_journal.batches()[0].outcomes] == [OutcomeState.REFUSED]
    assert list(contents(root)) == ["b.txt"]


def test_a_victim_saved_anew_right_before_it_is_in_hand_gets_its_name_back(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    plan, _ = opposing(root, Verb.TRASH)
    trash = Meddling(lambda: write(root / "a.txt", b"a newer version"))
    batch = carry_out(plan, journal=Journal(tmp_path / "j"), judge=alike, trash=trash)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert contents(root) == {"a.txt": b"a newer version", "b.txt": b"version two"}


def test_a_new_file_under_the_name_of_a_victim_in_hand_is_never_overwritten(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    plan, _ = opposing(root, Verb.TRASH)

    class Full(Meddling):
        def places(self, victim: FileStamp) -> Iterator[Place]:
            yield next(FreedesktopTrash.places(self, victim))

        def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
            write(root / "a.txt", b"someone else's")
            (root / "b.txt").unlink()
            raise OSError(28, "no space left")

    # The quarantine takes it; without one it would stand beside the new file.
    batch = carry_out(plan, journal=Journal(tmp_path / "j"), judge=alike, trash=Full(None))
    assert (root / "a.txt").read_bytes() == b"someone else's"
    place = batch.outcomes[0].place
    assert place is not None and place.path is not None and place.path.read_bytes() == b"version one"


def test_one_removal_at_a_time_and_the_other_learns_who_holds_the_journal(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    ours, theirs = opposing(root, Verb.TRASH)
    journal = Journal(tmp_path / "j")
    with journal.lock(), pytest.raises(LibraryLocked) as caught:
        carry_out(theirs, journal=Journal(tmp_path / "j"), judge=alike)
    assert caught.value.holder == os.getpid()
    assert carry_out(ours, journal=journal, judge=alike).is_complete


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_removals_racing_freely_never_take_both_copies(tmp_path: Path, verb: Verb) -> None:
    for attempt in range(40):
        root = tmp_path / str(attempt) / "docs"
        start = threading.Barrier(2)

        def run(plan: Plan, journal: Journal, start: threading.Barrier = start) -> None:
            start.wait()
            carry_out(plan, journal=journal, judge=alike)

        journals = [Journal(tmp_path / f"j{attempt}{number}") for number in range(2)]
        threads = [
            threading.Thread(target=run, args=pair)
            for pair in zip(opposing(root, verb), journals, strict=True)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(contents(root)) >= 1, attempt
        assert not [name for name in contents(root) if ".dupfinder" in name]
