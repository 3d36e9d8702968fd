"""A reviewed scan as report rows: sums that agree, and each fact in its place."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.cli.scan import write_groups
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Relation, name_of
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import READ
from dupfinder.report.figures import reason_text
from dupfinder.review.listing import GroupFilter, GroupTrait
from dupfinder.review.members import FileState
from dupfinder.review.reporting import ReportScope, report_of, report_within
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


def test_a_group_that_the_person_rejected_is_not_in_a_report_nor_in_its_counts() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(2), Doc(2)], []).result())
    session.not_duplicates(0)
    report = report_of(session)
    assert [len(group.members) for group in report.clusters] == [2]
    counts = (report.summary.clusters, report.summary.documents_in_clusters, report.summary.bytes_to_free)
    assert counts == (1, 2, 1000) == astuple(session.counts())
    assert [file.cluster for file in report.files] == [None, None, 2, 2]
    session.set_filter(GroupFilter(only=frozenset({GroupTrait.APART})))
    assert [group.id for group in report_within(session, ReportScope.SHOWN).clusters] == [1]  # if the list shows it


def test_a_report_lists_what_is_there_as_the_window_counts_it() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1), Doc(1), Doc(2), Doc(2)], []).result())
    session.note_files([1], FileState.GONE)
    session.note_files([4], FileState.CHANGED)
    report = report_of(session)
    assert [len(group.members) for group in report.clusters] == [2]
    assert report.summary.documents_in_clusters == session.counts().documents == 2
    assert report.summary.clusters == session.counts().clusters == 1


def test_no_estimate_is_told_as_all_of_a_text() -> None:
    pairs = [Pair(0, 1, 3, 0.9, 1.0, 0.9, error=0.01), Pair(2, 3, 30, 0.2, 1.0, 0.2, error=0.01)]
    report = report_of(ReviewSession(Made([Doc(number) for number in range(4)], pairs).result()))
    assert [part.share for part in report.contains] == [0.9999]
    shares = [
        share
        for group in report.clusters
        for member in group.members
        if member.relation != "keeper"
        for share in (member.in_keeper, member.keeper_in, member.in_whole)
    ]
    assert shares and max(share for share in shares if share is not None) < 1


def test_paths_that_could_go_leave_a_copy_of_what_was_read_in_part_and_are_of_no_rejected_group(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    docs = [Doc(1, words=300), Doc(2), Doc(3, read_in_part=True), Doc(3, read_in_part=True), Doc(4), Doc(4)]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(0, 2)]).result())
    session.not_duplicates(4)
    write_groups(report_of(session), Namespace(kinds="identical,same-text,version"), "paths0")
    listed = set(filter(None, capfdbinary.readouterr().out.split(b"\0")))
    version, *in_part = (str(path_of(docs, row)).encode() for row in (1, 2, 3))
    assert version in listed and len(listed.intersection(in_part)) == 1 and len(listed) == 2
