"""Archives and removal: whatever a plan names, no member is touched, and no archive because of a member."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import OutcomeState, RefusalKind
from dupfinder.actions.plan import ContradictoryPlan, KnownFile, Plan, Step, Verb, load_plan, save_plan
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Relation
from tests.actions.making import RELATIONS, alike, check, contents, hash_of, known_file, write

TEXT = b"a letter of some words"


def zipped(path: Path, *names: str) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name), TEXT)
    return write(path, stream.getvalue())


def member(archive: Path, name: str) -> KnownFile:
    """A member as a plan that was tampered with might name it: with the stamp of its archive."""
    stamp = FileStamp.of(archive, archive.lstat())
    place = FileStamp(archive / name, len(TEXT), stamp.mtime_ns, stamp.ctime_ns, stamp.device, stamp.inode)
    return KnownFile(place, hash_of(TEXT))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    zipped(tmp_path / "docs" / "a.zip", "letter.txt", "in/letter.txt")
    write(tmp_path / "docs" / "letter.txt", TEXT)
    return tmp_path / "docs"


def refused(plan: Plan, docs: Path) -> RefusalKind:
    """Why the one step of a plan is not done, by the check, the rehearsal and the real thing alike."""
    before = contents(docs)
    refusal = check(plan.steps[0], plan, alike)
    assert refusal is not None
    outcomes = [*dry_run(plan, alike), *carry_out(plan, journal=Journal(), judge=alike).outcomes]
    assert [outcome.refusal for outcome in outcomes] == [refusal, refusal]
    assert contents(docs) == before
    return refusal.kind


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("relation", [Relation.IDENTICAL, Relation.VERSION, Relation.PART])
def test_a_member_is_never_a_victim(docs: Path, verb: Verb, relation: Relation) -> None:
    step = Step(verb, member(docs / "a.zip", "in/letter.txt"), known_file(docs / "letter.txt"), relation, 1.0)
    for roots in ((docs,), (docs / "a.zip",), (docs / "a.zip" / "in",)):
        plan = Plan((step,), roots, destination=docs.parent / "to")
        assert refused(plan, docs) is RefusalKind.INSIDE_ARCHIVE


@pytest.mark.parametrize("relation", [Relation.IDENTICAL, Relation.SAME_TEXT, Relation.VERSION])
def test_a_member_is_no_surviving_copy(docs: Path, relation: Relation) -> None:
    step = Step(Verb.TRASH, known_file(docs / "letter.txt"), member(docs / "a.zip", "letter.txt"), relation, 1.0)
    assert refused(Plan((step,), (docs,)), docs) is RefusalKind.KEEPER_IN_ARCHIVE


@pytest.mark.parametrize("relation", [relation for relation in RELATIONS if relation is not Relation.IDENTICAL])
def test_an_archive_never_goes_because_of_what_is_in_it_and_none_is_kept_for_a_document(
    docs: Path, relation: Relation
) -> None:
    mail = b"From ann@example.org Fri Mar  1 09:30:00 2024\nSubject: a letter\n\n" + TEXT + b"\n"
    archives, letter = (docs / "a.zip", write(docs / "Inbox", mail * 25)), known_file(docs / "letter.txt")
    pairs = [pair for archive in map(known_file, archives) for pair in ((archive, letter), (letter, archive))]
    for victim, keeper in pairs:
        plan = Plan((Step(Verb.TRASH, victim, keeper, relation, 1.0),), (docs,))
        assert refused(plan, docs) is RefusalKind.WHOLE_ARCHIVE
    few = known_file(write(docs / "few.mbox", mail * 2))  # one document
    assert check(Step(Verb.TRASH, letter, few, relation, 1.0), Plan((), (docs,)), alike) is None


def test_a_claim_that_an_archive_and_a_document_are_equal_is_seen_through(docs: Path) -> None:
    step = Step(Verb.TRASH, known_file(docs / "a.zip"), known_file(docs / "letter.txt"), Relation.IDENTICAL, 1.0)
    assert refused(Plan((step,), (docs,)), docs) is RefusalKind.NO_LONGER_SIMILAR


def test_a_plan_file_that_names_a_member_is_refused_when_it_is_carried_out(docs: Path, tmp_path: Path) -> None:
    step = Step(
        Verb.TRASH, member(docs / "a.zip", "letter.txt"), known_file(docs / "letter.txt"), Relation.VERSION, 0.9
    )
    save_plan(Plan((step,), (docs,)), tmp_path / "plan.json")
    assert refused(load_plan(tmp_path / "plan.json"), docs) is RefusalKind.INSIDE_ARCHIVE


FILES = ("a.zip", "b.zip", "one.txt", "two.txt")
MEMBERS = ("a.zip/x.txt", "a.zip/in/y.txt", "b.zip/x.txt")
KNOWN_FILES = st.sampled_from((*FILES, *MEMBERS))


@given(
    st.lists(
        st.tuples(st.sampled_from(Verb), KNOWN_FILES, KNOWN_FILES, st.sampled_from(RELATIONS)), min_size=1, max_size=5
    ),
    st.sampled_from([(), ("b.zip",), ("a.zip",)]),
)
def test_no_plan_whatever_touches_a_member_or_its_archive(
    wishes: list[tuple[Verb, str, str, Relation]], more_roots: tuple[str, ...]
) -> None:
    with tempfile.TemporaryDirectory() as home:
        docs = Path(home) / "docs"
        zipped(docs / "a.zip", "x.txt", "in/y.txt")
        zipped(docs / "b.zip", "x.txt")
        write(docs / "one.txt", TEXT)
        write(docs / "two.txt", TEXT)

        def known(name: str) -> KnownFile:
            archive, _, inner = name.partition("/")
            return member(docs / archive, inner) if inner else known_file(docs / name)

        steps = tuple(Step(verb, known(victim), known(keeper), reason, 1.0) for verb, victim, keeper, reason in wishes)
        before = contents(docs)
        trash = FreedesktopTrash({"HOME": home, "XDG_DATA_HOME": str(Path(home) / "share")})
        plan = Plan(steps, (docs, *(docs / name for name in more_roots)), destination=Path(home) / "to")
        try:
            batch = carry_out(plan, journal=Journal(Path(home) / "journal"), judge=alike, trash=trash)
        except ContradictoryPlan:
            assert contents(docs) == before
            return
        after = contents(docs)
        assert {name: data for name, data in after.items() if name.endswith(".zip")} == {
            name: data for name, data in before.items() if name.endswith(".zip")
        }
        assert TEXT in after.values()
        for outcome in batch.outcomes:
            if outcome.state is OutcomeState.DONE:
                assert {outcome.step.victim.path.name, outcome.step.keeper.path.name} == {"one.txt", "two.txt"}
