"""Random sequences of plans, edits, removals and undos: no group of copies is ever emptied by dupfinder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState
from dupfinder.actions.plan import ContradictoryPlan, Plan, Step, Verb, validate
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.actions.undo import recover, undo
from dupfinder.cluster.relation import Relation
from tests.actions.making import alike, contents, hash_of, known_file, write

GROUPS, COPIES = 4, 3

Names = st.tuples(st.integers(0, GROUPS - 1), st.integers(0, COPIES - 1))
Wishes = st.lists(st.tuples(Names, st.integers(0, COPIES - 1), st.sampled_from(Verb)), min_size=1, max_size=4)
Acts = st.one_of(
    st.tuples(st.just("apply"), Wishes, st.integers(0, 3)),
    st.tuples(st.just("undo"), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("edit"), Names, st.binary(min_size=1, max_size=3)),
    st.tuples(st.just("link"), Names, st.integers(0, COPIES - 1)),
    st.tuples(st.just("rename"), Names, st.integers(0, COPIES - 1)),
    st.tuples(st.just("recover"), st.none(), st.none()),
)


class World:
    """Groups of equal copies on disk, and what a person may do to them."""

    def __init__(self, folder: Path) -> None:
        self.docs = folder / "docs"
        self.journal = Journal(folder / "journal")
        self.trash = FreedesktopTrash({"HOME": str(folder), "XDG_DATA_HOME": str(folder / "share")})
        self.to = folder / "to"
        for group in range(GROUPS):
            for copy in range(COPIES):
                write(self.path(group, copy), f"group {group}".encode())
        self.scanned = {path: known_file(path) for path in sorted(self.docs.rglob("*.txt"))}

    def path(self, group: int, copy: int) -> Path:
        return self.docs / str(group) / f"{copy}.txt"

    def alive(self) -> set[bytes]:
        """Return the contents of all files in the scanned folder."""
        return set(contents(self.docs).values())

    def plan(self, wishes: list[tuple[tuple[int, int], int, Verb]]) -> Plan:
        """Steps as the scan saw the files: stale after edits, and perhaps contradictory."""
        steps = []
        for (group, victim), keeper, verb in wishes:
            victim_path, keeper_path = self.path(group, victim), self.path(group, keeper)
            steps.append(Step(verb, self.scanned[victim_path], self.scanned[keeper_path], Relation.IDENTICAL, 1.0))
        return Plan(tuple(steps), (self.docs,), destination=self.to)

    def apply(self, wishes: list[tuple[tuple[int, int], int, Verb]], rescan: int) -> None:
        if rescan:
            for path in self.scanned:
                if path.is_file():
                    self.scanned[path] = known_file(path)
        before = self.alive()
        plan = self.plan(wishes)
        with contextlib.suppress(ContradictoryPlan):
            carry_out(plan, journal=self.journal, judge=alike, trash=self.trash)
        assert self.alive() == before

    def undo(self, number: int, beside: bool) -> None:
        batches = self.journal.batches()
        before = self.alive()
        if number < len(batches):
            undo(batches[number].id, self.journal, similar_name=beside)
        assert self.alive() >= before

    def undo_all(self, batch_id: str) -> None:
        done = [outcome for outcome in self.journal.batch(batch_id).outcomes if outcome.state is OutcomeState.DONE]
        before = contents(self.docs)
        back = undo(batch_id, self.journal, similar_name=True)
        for outcome in back.outcomes:
            if outcome.step.verb is not Verb.HARDLINK:  # a linked name belongs to the person, who may have changed it
                assert outcome.state is OutcomeState.RESTORED and outcome.restored_to is not None, outcome
                assert hash_of(outcome.restored_to.read_bytes()) == outcome.step.victim.content_hash
        assert len(back.outcomes) == len(done)
        assert set(before) <= set(contents(self.docs))

    def edit(self, name: tuple[int, int], data: bytes) -> None:
        path = self.path(*name)
        if path.is_file():
            path.unlink()
            write(path, data)

    def link(self, name: tuple[int, int], to: int) -> None:
        source, target = self.path(*name), self.path(name[0], to)
        if source.is_file() and not target.exists():
            os.link(source, target)

    def rename(self, name: tuple[int, int], to: int) -> None:
        source, target = self.path(*name), self.path(name[0], to)
        if source.is_file() and not target.exists():
            source.rename(target)

    def recover(self, *_: object) -> None:
        before = contents(self.docs)
        recover(self.journal)
        assert contents(self.docs) == before


def no_group_is_emptied(acts: list[tuple[str, object, object]]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="dupfinder-test-"))
    try:
        world = World(folder)
        for name, first, second in acts:
            getattr(world, name)(first, second)
        for batch in world.journal.batches():  # whatever was done can be taken back, and is there
            world.undo_all(batch.id)
    finally:
        shutil.rmtree(folder)


@given(st.lists(Acts, max_size=7))
def test_no_sequence_of_acts_empties_a_group(acts: list[tuple[str, object, object]]) -> None:
    no_group_is_emptied(acts)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(deadline=None, max_examples=10_000 // GROUPS, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(Acts, max_size=7))
def test_of_ten_thousand_groups_none_is_emptied(acts: list[tuple[str, object, object]]) -> None:
    no_group_is_emptied(acts)


@given(Wishes)
def test_a_plan_in_which_a_file_has_two_parts_is_never_begun(
    wishes: list[tuple[tuple[int, int], int, Verb]],
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="dupfinder-test-"))
    try:
        world = World(folder)
        plan = world.plan(wishes)
        victims = [step.victim.path for step in plan.steps]
        keepers = {step.keeper.path for step in plan.steps}
        contradicts = len(set(victims)) < len(victims) or bool(keepers & set(victims))
        try:
            validate(plan)
            assert not contradicts
        except ContradictoryPlan:
            assert contradicts
            before = contents(folder)
            try:
                carry_out(plan, journal=world.journal, judge=alike, trash=world.trash)
                raise AssertionError("it was begun")
            except ContradictoryPlan:
                assert contents(folder) == before
    finally:
        shutil.rmtree(folder)
