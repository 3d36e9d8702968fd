"""Every way in which a step may have gone stale since the scan is refused, and nothing is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.check import Judgement, Safeguards, demand_of_plan
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Aspect, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import QUARANTINE_NAME, is_put_away
from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.paths import DECISIONS_NAME, HOLDING_PREFIX
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY, Demand, Relation
from dupfinder.library.decisions import Decisions, StoredVerdict, VerdictKind
from tests.actions.making import OLD, alike, check, contents, hash_of, plan_of, step, write

Change = Callable[[Path], None]


def edited_in_place(path: Path) -> None:
    """Same size, same inode, modification time put back."""
    with open(path, "r+b") as stream:
        stream.write(b"T")
    os.utime(path, ns=(OLD, OLD))


def edited_in_place_elsewhere(path: Path) -> None:
    with open(path, "r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.write(b"!")
    os.utime(path, ns=(OLD, OLD))


def replaced_by_rename(path: Path) -> None:
    other = write(path.with_name("other"), b"TEXT of one size")
    os.utime(other, ns=(OLD, OLD))
    os.replace(other, path)


def replaced_by_an_equal_file(path: Path) -> None:
    """Another inode with the same bytes and time: a hard link that was broken, or an editor's careful save."""
    other = path.with_name("other")
    shutil.copy2(path, other)
    os.replace(other, path)


def grown(path: Path) -> None:
    with open(path, "ab") as stream:
        stream.write(b" more")
    os.utime(path, ns=(OLD, OLD))


def cut(path: Path) -> None:
    os.truncate(path, 3)
    os.utime(path, ns=(OLD, OLD))


def touched(path: Path) -> None:
    os.utime(path, ns=(OLD + 1, OLD + 1))


def swapped_for_a_symlink(path: Path) -> None:
    path.rename(path.with_name("moved away"))
    path.symlink_to(path.with_name("moved away"))


def swapped_for_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def swapped_for_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def removed(path: Path) -> None:
    path.unlink()


VARIANTS: list[tuple[Change, RefusalKind, RefusalKind]] = [
    (edited_in_place, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (edited_in_place_elsewhere, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (replaced_by_rename, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (replaced_by_an_equal_file, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (grown, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (cut, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (touched, RefusalKind.CHANGED, RefusalKind.KEEPER_CHANGED),
    (swapped_for_a_symlink, RefusalKind.SYMLINK, RefusalKind.KEEPER_CHANGED),
    (swapped_for_a_folder, RefusalKind.NOT_A_FILE, RefusalKind.KEEPER_CHANGED),
    (swapped_for_a_pipe, RefusalKind.NOT_A_FILE, RefusalKind.KEEPER_CHANGED),
    (removed, RefusalKind.GONE, RefusalKind.KEEPER_GONE),
]


@dataclass
class Pair:
    root: Path
    victim: Path
    keeper: Path

    def plan(self, verb: Verb = Verb.TRASH, relation: Relation = Relation.IDENTICAL) -> Plan:
        return plan_of([step(self.victim, self.keeper, verb, relation)], self.root, to=self.root.parent / "to")


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    root = tmp_path / "docs"
    return Pair(
        root, write(root / "a" / "v.txt", b"text of one size"), write(root / "b" / "k.txt", b"text of one size")
    )


def why(plan: Plan) -> Refusal:
    refusal = check(plan.steps[0], plan, alike)
    assert refusal is not None
    return refusal


def is_left_alone(plan: Plan, root: Path, kind: RefusalKind) -> None:
    before = contents(root)
    assert why(plan).kind is kind
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert [outcome.state for outcome in batch.outcomes] == [OutcomeState.REFUSED]
    assert contents(root) == before
    assert batch.outcomes[0].refusal == why(plan)  # the journal keeps the whole reason


def test_an_unchanged_copy_may_go(pair: Pair) -> None:
    plan = pair.plan()
    assert check(plan.steps[0], plan, alike) is None


@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize(("change", "kind", "_"), VARIANTS)
def test_a_victim_that_changed_is_left_alone(
    pair: Pair, change: Change, kind: RefusalKind, _: RefusalKind, verb: Verb
) -> None:
    plan = pair.plan(verb)
    change(pair.victim)
    is_left_alone(plan, pair.root, kind)


@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize(("change", "_", "kind"), VARIANTS)
def test_a_copy_goes_only_while_its_keeper_is_unchanged(
    pair: Pair, change: Change, _: RefusalKind, kind: RefusalKind, verb: Verb
) -> None:
    plan = pair.plan(verb)
    change(pair.keeper)
    is_left_alone(plan, pair.root, kind)


def test_a_change_of_permissions_alone_is_no_change_of_the_document(pair: Pair) -> None:
    plan = pair.plan()
    pair.victim.chmod(0o600)
    pair.keeper.chmod(0o600)
    assert check(plan.steps[0], plan, alike) is None


def test_two_names_of_one_file_are_never_duplicates(pair: Pair) -> None:
    pair.victim.unlink()
    os.link(pair.keeper, pair.victim)
    is_left_alone(pair.plan(), pair.root, RefusalKind.SAME_FILE)


def test_another_device_is_another_file(pair: Pair) -> None:
    plan = pair.plan()
    stamp = replace(plan.steps[0].victim.stamp, device=plan.steps[0].victim.stamp.device + 1)
    other = replace(plan.steps[0], victim=replace(plan.steps[0].victim, stamp=stamp))
    refusal = why(replace(plan, steps=(other,)))
    assert (refusal.kind, refusal.aspect) == (RefusalKind.CHANGED, Aspect.IDENTITY)


def test_a_folder_swapped_for_a_symbolic_link_is_not_followed(pair: Pair, tmp_path: Path) -> None:
    plan = pair.plan()
    pair.victim.parent.rename(tmp_path / "elsewhere")
    pair.victim.parent.symlink_to(tmp_path / "elsewhere")
    is_left_alone(plan, pair.root, RefusalKind.SYMLINK)


def test_a_root_that_is_itself_reached_by_a_symbolic_link_serves(pair: Pair, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(pair.root)
    plan = plan_of([step(link / "a" / "v.txt", link / "b" / "k.txt")], link)
    assert check(plan.steps[0], plan, alike) is None


def test_a_single_file_may_be_a_root(pair: Pair) -> None:
    plan = plan_of([step(pair.victim, pair.keeper)], pair.victim, pair.keeper)
    batch = carry_out(plan, journal=Journal(), judge=alike)
    assert batch.is_complete and not pair.victim.exists()


def test_nothing_outside_the_roots_is_touched(pair: Pair, tmp_path: Path) -> None:
    inside = write(tmp_path / "docs2" / "x.txt", b"text of one size")  # a name that merely begins like the root's
    is_left_alone(plan_of([step(inside, pair.keeper)], pair.root), tmp_path / "docs2", RefusalKind.OUTSIDE)


def test_protected_folders_are_left_alone_and_the_innermost_folder_decides(pair: Pair) -> None:
    steps = [step(pair.victim, pair.keeper)]
    is_left_alone(plan_of(steps, pair.root, protected=(pair.victim.parent,)), pair.root, RefusalKind.PROTECTED)
    is_left_alone(plan_of(steps, pair.root, protected=(pair.root,)), pair.root, RefusalKind.PROTECTED)
    is_left_alone(plan_of(steps, pair.root, protected=(pair.victim,)), pair.root, RefusalKind.PROTECTED)
    inner = plan_of(steps, pair.victim.parent, protected=(pair.root,))
    assert check(steps[0], inner, alike) is None


def test_a_protected_folder_is_known_by_any_of_its_names(pair: Pair, tmp_path: Path) -> None:
    link = tmp_path / "other name"
    link.symlink_to(pair.victim.parent)
    is_left_alone(
        plan_of([step(pair.victim, pair.keeper)], pair.root, protected=(link,)), pair.root, RefusalKind.PROTECTED
    )


def test_a_file_that_is_being_written_is_left_alone(pair: Pair) -> None:
    fcntl = pytest.importorskip("fcntl")
    with open(pair.keeper, "rb") as stream:
        try:
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except (OSError, AttributeError):
            pytest.skip("this system does not tell who writes")
        fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    plan = pair.plan()
    with open(pair.victim, "r+b"):
        assert why(plan).kind is RefusalKind.IN_USE
    assert check(plan.steps[0], plan, alike) is None


def test_a_keeper_of_another_step_is_never_a_victim_by_another_name(pair: Pair) -> None:
    alias = pair.root / "alias.txt"
    os.link(pair.keeper, alias)
    third = write(pair.root / "third.txt", b"text of one size")
    plan = plan_of([step(pair.victim, pair.keeper), step(alias, third)], pair.root)
    refusal = check(plan.steps[1], plan, alike)
    assert refusal is not None and refusal.kind is RefusalKind.LAST_COPY


@pytest.mark.parametrize("name", [".Trash-1000/files/k.txt", f"{QUARANTINE_NAME}/k.txt", f"{HOLDING_PREFIX}x"])
def test_a_file_that_was_put_away_is_no_surviving_copy(pair: Pair, name: str) -> None:
    kept = write(pair.root / name, b"text of one size")
    is_left_alone(plan_of([step(pair.victim, kept)], pair.root), pair.root, RefusalKind.LAST_COPY)


def test_a_file_behind_a_link_into_a_trash_is_no_surviving_copy(pair: Pair) -> None:
    write(pair.root / ".Trash-1000/files/k.txt", b"text of one size")
    (pair.root / "kept").symlink_to(".Trash-1000/files", target_is_directory=True)
    is_left_alone(plan_of([step(pair.victim, pair.root / "kept/k.txt")], pair.root), pair.root, RefusalKind.LAST_COPY)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may change every folder")
def test_a_file_in_a_folder_that_may_not_be_changed_is_left_alone_and_a_rehearsal_says_so(tmp_path: Path) -> None:
    victim, keeper = write(tmp_path / "sub" / "v.txt", b"same"), write(tmp_path / "k.txt", b"same")
    plan = plan_of([step(victim, keeper)], tmp_path)
    (tmp_path / "sub").chmod(0o500)
    try:
        (outcome,) = dry_run(plan, alike)
    finally:
        (tmp_path / "sub").chmod(0o700)
    assert outcome.refusal is not None and outcome.refusal.kind is RefusalKind.FORBIDDEN


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such folders")
def test_another_persons_file_in_a_folder_where_each_removes_only_their_own_is_left_alone(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.victim.parent.chmod(0o1777)
    (outcome,) = dry_run(pair.plan(), alike)
    assert outcome.state is OutcomeState.DONE
    monkeypatch.setattr(os, "geteuid", lambda: pair.victim.stat().st_uid + 1)
    assert why(pair.plan()).kind is RefusalKind.FORBIDDEN


def test_what_the_program_stores_is_neither_removed_nor_a_surviving_copy(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUPFINDER_HOME", str(pair.root / "home"))
    stored = write(pair.root / "home" / "journal" / "1.plan.json", b"text of one size")
    assert why(plan_of([step(pair.victim, stored)], pair.root)).kind is RefusalKind.LAST_COPY
    assert why(plan_of([step(stored, pair.keeper)], pair.root)).kind is RefusalKind.OUTSIDE


def test_only_what_lies_in_a_trash_counts_as_put_away() -> None:
    assert is_put_away(Path("/home/a/.local/share/Trash/files/x"))
    assert is_put_away(Path("/media/usb/.Trash/1000/files/x"))
    assert not is_put_away(Path("/home/a/Trash"))
    assert not is_put_away(Path("/home/a/.Trashy/x"))


def test_only_equal_bytes_can_share_one_file(pair: Pair) -> None:
    is_left_alone(pair.plan(Verb.HARDLINK, Relation.SAME_TEXT), pair.root, RefusalKind.NOT_EXACT)


def test_no_hard_link_to_a_protected_file_is_made_since_it_would_change_with_the_link(tmp_path: Path) -> None:
    victim, keeper = write(tmp_path / "docs" / "v", b"same"), write(tmp_path / "originals" / "k", b"same")
    linked, moved = (
        plan_of([step(victim, keeper, verb)], tmp_path / "docs", protected=(tmp_path / "originals",))
        for verb in (Verb.HARDLINK, Verb.TRASH)
    )
    is_left_alone(linked, tmp_path / "docs", RefusalKind.KEEPER_PROTECTED)
    assert check(moved.steps[0], moved, alike) is None


def test_a_claim_of_equal_bytes_is_tested_byte_by_byte(tmp_path: Path) -> None:
    victim, keeper = write(tmp_path / "v", b"aaa"), write(tmp_path / "k", b"bbb")
    refusal = why(plan_of([step(victim, keeper)], tmp_path))
    assert (refusal.kind, refusal.aspect) == (RefusalKind.NO_LONGER_SIMILAR, Aspect.CONTENT)


@pytest.mark.parametrize(
    ("relation", "judgement", "refused"),
    [
        (Relation.VERSION, Judgement(Relation.VERSION, 0.7, 0.8), False),
        (Relation.VERSION, Judgement(Relation.SAME_TEXT, 1.0, 1.0), False),
        (Relation.VERSION, Judgement(Relation.PART, 0.69, 1.0), True),
        (Relation.VERSION, Judgement(Relation.NONE, 0.69, 0.7), True),
        (Relation.SAME_TEXT, Judgement(Relation.SAME_WORDS, 1.0, 1.0), True),
        (Relation.SAME_TEXT, Judgement(Relation.SAME_TEXT, 1.0, 1.0), False),
        (Relation.SAME_WORDS, Judgement(Relation.SAME_WORDS, 1.0, 1.0), False),
        (Relation.PART, Judgement(Relation.PART, 0.1, 0.9), False),
        (Relation.PART, Judgement(Relation.WHOLE, 0.1, 0.2), True),
        (Relation.PART, Judgement(Relation.NONE, 0.1, 0.89), True),
        (Relation.VERSION, None, True),
    ],
)
def test_texts_are_judged_anew_right_before_the_act(
    tmp_path: Path, relation: Relation, judgement: Judgement | None, refused: bool
) -> None:
    victim, keeper = write(tmp_path / "v", b"one text"), write(tmp_path / "k", b"another text")
    plan = plan_of([step(victim, keeper, relation=relation)], tmp_path)
    refusal = check(plan.steps[0], plan, lambda victim, keeper, demand: judgement)
    assert (refusal is not None) == refused
    if refusal is not None:
        kind = RefusalKind.UNREADABLE if judgement is None else RefusalKind.NO_LONGER_SIMILAR
        assert refusal.kind is kind


@pytest.mark.parametrize(("similarity", "containment", "radius"), [(0.0, 0.0, 64), (-1.0, -5.0, 999)])
def test_a_plan_cannot_ask_for_less_than_the_model_asks_of_any_version(
    tmp_path: Path, similarity: float, containment: float, radius: int
) -> None:
    plan = Plan((), (tmp_path,), min_similarity=similarity, min_containment=containment, radius=radius)
    assert demand_of_plan(plan) == Demand(LEAST_SIMILARITY, LEAST_CONTAINMENT, 16)


def test_a_judge_that_cannot_open_a_file_refuses(tmp_path: Path) -> None:
    def judge(victim: Path, keeper: Path, demand: Demand) -> Judgement:
        raise PermissionError(13, "no")

    plan = plan_of(
        [step(write(tmp_path / "v", b"1"), write(tmp_path / "k", b"2"), relation=Relation.VERSION)], tmp_path
    )
    refusal = check(plan.steps[0], plan, judge)
    assert refusal is not None and (refusal.kind, refusal.found) == (RefusalKind.UNREADABLE, "EACCES")


@pytest.mark.parametrize("change", [edited_in_place, grown, removed, replaced_by_an_equal_file])
@pytest.mark.parametrize("whose", ["victim", "keeper"])
def test_a_change_during_the_check_itself_is_noticed(pair: Pair, change: Change, whose: str) -> None:
    write(pair.victim, b"text of one sizf")

    def judge(victim: Path, keeper: Path, demand: Demand) -> Judgement:
        change(victim if whose == "victim" else keeper)
        return Judgement(Relation.SAME_TEXT, 1.0, 1.0)

    plan = pair.plan(relation=Relation.VERSION)
    refusal = check(plan.steps[0], plan, judge)
    assert refusal is not None
    kinds = {
        "victim": {RefusalKind.CHANGED, RefusalKind.GONE},
        "keeper": {RefusalKind.KEEPER_CHANGED, RefusalKind.KEEPER_GONE},
    }
    assert refusal.kind in kinds[whose]


def test_stamps_are_those_of_lstat(pair: Pair) -> None:
    scanned = step(pair.victim, pair.keeper)
    assert scanned.victim.stamp == FileStamp.of(pair.victim, os.lstat(pair.victim))


def test_copies_of_two_documents_that_are_no_duplicates_are_not_taken_for_each_other(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.txt", b"one text"), write(tmp_path / "b.txt", b"another text")
    copy = write(tmp_path / "copy of a.txt", b"one text")
    decisions = Decisions(tmp_path / DECISIONS_NAME)
    documents = tuple(sorted((str(path), hash_of(path.read_bytes())) for path in (first, second)))
    decisions.store_verdicts([StoredVerdict(VerdictKind.PAIR_APART, documents)])
    safeguards = Safeguards.of(tmp_path / "library.db")
    plan = plan_of([], tmp_path)
    for victim, keeper in ((second, first), (second, copy), (copy, second)):
        refusal = check(step(victim, keeper, relation=Relation.SAME_TEXT), plan, alike, safeguards)
        assert refusal is not None and refusal.kind is RefusalKind.APART
    assert check(step(copy, first), plan, alike, safeguards) is None
