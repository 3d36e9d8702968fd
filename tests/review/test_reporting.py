"""A reviewed scan as report rows: sums that agree, and each fact in its place."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Relation, name_of
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import READ
from dupfinder.report.figures import reason_text
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made, Pair, Plain, made, path_of

STATUS = st.sampled_from([READ, READ, READ, *[kind.value for kind in ProblemKind]])


@given(made(), st.integers(0, 16), st.lists(STATUS, min_size=9, max_size=9))
def test_the_sums_of_a_report_agree_with_its_rows(given_made: Made, radius: int, statuses: list[str]) -> None:
    paired = {row for pair in given_made.pairs for row in (pair.left, pair.right)}
    docs = [
        doc if row in paired else replace(doc, status=statuses[row], detail="a clause")
        for row, doc in enumerate(given_made.docs)
    ]
    session = ReviewSession(Made(docs, given_made.pairs, given_made.rejected).result(radius=radius))
    report = report_of(session)
    groups = report_of(session, groups_alone=True)
    assert groups == replace(report, files=(), pairs=(), contains=(), forms=())
    summary = report.summary
    assert summary.offered == len(docs) == len(report.files)
    assert summary.offered == summary.read + summary.problems + summary.skipped + summary.bytes_only
    assert summary.bytes_only == sum(doc.status == "bytes_only" for doc in docs)
    assert summary.read == sum(doc.status == READ for doc in docs)
    assert summary.skipped == sum(doc.status in ("skipped", "unsupported") for doc in docs)
    assert all(reason_text(file).endswith(".") for file in report.files if file.status != READ)
    assert summary.clusters == len(report.clusters)
    members = [member.path for cluster in report.clusters for member in cluster.members]
    assert summary.documents_in_clusters == len(members) == len(set(members))
    assert summary.bytes_to_free == sum(cluster.bytes_to_free for cluster in report.clusters)
    for cluster in report.clusters:
        assert cluster.members[0].path == cluster.keeper and cluster.members[0].relation == "keeper"
        for member in cluster.members:
            (file,) = (file for file in report.files if file.path == member.path)
            assert file.cluster == cluster.id
    assert report.radius == radius
    assert sum(summary.relations.values()) == summary.documents_in_clusters
    assert sum(summary.left_out_by_reason.values()) == summary.offered - summary.read


def test_a_report_tells_why_a_copy_was_proposed_and_not_why_a_person_chose_another() -> None:
    session = ReviewSession(Made([Doc(1), Doc(2)], [Pair(0, 1, 3, 0.9)]).result())
    (group,) = report_of(session).clusters
    assert KeeperReason(group.why_keeper)
    session.marks.keep_this(1 - session.members_at(0)[0].document)
    (group,) = report_of(session).clusters
    assert group.why_keeper == ""


def test_a_form_that_the_person_rejected_is_not_in_a_report() -> None:
    session = ReviewSession(Made([Doc(1), Doc(2)], [Pair(0, 1, 3, 0.8, form=True)]).result())
    (form,) = session.forms()
    assert [len(shown.members) for shown in report_of(session).forms] == [2]
    session.not_a_form(form.tolist())
    assert report_of(session).forms == ()


@given(made(), st.integers(0, 16))
def test_every_verified_pair_is_told_between_the_first_files_of_two_stacks(given_made: Made, radius: int) -> None:
    session = ReviewSession(given_made.result(radius=radius))
    plain, report = Plain(given_made, session.demand), report_of(session)
    expected = {
        (path_of(given_made.docs, pair.left), path_of(given_made.docs, pair.right)): name_of(plain.of_pair(pair))
        for pair in given_made.pairs
        if plain.of_pair(pair) is not Relation.NONE
    }
    assert {(pair.left, pair.right): pair.relation for pair in report.pairs} == expected
    stacks = {file.path: file.stack for file in report.files}
    for row, file in enumerate(report.files):
        stand = plain.stand(row)
        assert stacks[file.path] == stacks[path_of(given_made.docs, stand)]
        assert file.in_stack == name_of(plain.relation(row, stand))


@given(made())
def test_every_part_is_told_with_every_whole(given_made: Made) -> None:
    session = ReviewSession(given_made.result())
    plain = Plain(given_made, session.demand)
    expected = set()
    rows = range(len(given_made.docs))
    for pair in given_made.pairs:
        for part, whole, share in (
            (pair.left, pair.right, pair.left_in_right), (pair.right, pair.left, pair.right_in_left),
        ):  # fmt: skip
            turned = part == pair.right
            if plain.of_pair(pair, turned=turned) is Relation.PART and share >= 0.85:
                expected |= {
                    (path_of(given_made.docs, a), path_of(given_made.docs, b))
                    for a in rows if plain.stand(a) == whole for b in rows if plain.stand(b) == part
                }  # fmt: skip
    parts = [(part.container, part.part) for part in report_of(session).contains]
    assert set(parts) == expected and len(parts) == len(expected)


def test_decisions_and_protection_are_told_with_the_members() -> None:
    docs = [Doc(1), Doc(1), Doc(1, protected=True), Doc(1)]
    session = ReviewSession(Made(docs, [Pair(0, 0)][:0]).result())
    session.marks.decide([0], Decision.KEEP)
    session.marks.decide([1], Decision.REMOVE)
    (cluster,) = report_of(session).clusters
    decisions = {member.path.name: member.decision for member in cluster.members}
    assert decisions == {
        "00 letter.txt": "keep",
        "01 letter.txt": "remove",
        "02 letter.txt": "protected",
        "03 letter.txt": "",
    }
