"""The timeline of a group: versions by date, their nearest earlier relatives, and the lanes that they are drawn in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given

from dupfinder.cluster.relation import Relation
from dupfinder.review.session import ReviewSession
from dupfinder.review.timeline import TimelineVersion, has_timeline, timeline_of
from tests.review.making import Doc, Made, Pair, Plain, made


def versions_of(session: ReviewSession, position: int = 0) -> list[TimelineVersion]:
    return timeline_of(session.grouping, session.all_clusters(), position, session.demand)


def dated(*years: int) -> list[Doc]:
    return [Doc(text, changed=datetime(year, 5, 1, tzinfo=UTC), words=1000) for text, year in enumerate(years)]


def version_pairs(*ends: tuple[int, int, float]) -> list[Pair]:
    return [Pair(left, right, resemblance=alike) for left, right, alike in ends]


def test_versions_stand_by_date_each_with_the_most_similar_earlier_one() -> None:
    pairs = version_pairs((0, 1, 0.8), (0, 2, 0.75), (1, 2, 0.9), (1, 3, 0.85), (2, 3, 0.72))
    session = ReviewSession(Made(dated(2021, 2019, 2020, 2018), pairs).result())
    versions = versions_of(session)
    assert [version.document for version in versions] == [3, 1, 2, 0]
    assert [version.parent for version in versions] == [-1, 0, 1, 1]
    assert [version.similarity for version in versions] == pytest.approx([0, 0.85, 0.9, 0.8])
    assert [version.is_inside for version in versions] == [False] * 4


def test_the_line_to_the_kept_copy_stays_below_and_others_take_a_free_lane_above() -> None:
    pairs = version_pairs((0, 1, 0.9), (1, 2, 0.9), (1, 3, 0.95), (3, 4, 0.9), (0, 5, 0.9))
    docs = dated(2018, 2019, 2020, 2021, 2022, 2023)
    session = ReviewSession(Made([*docs[:4], replace(docs[4], protected=True), docs[5]], pairs).result())
    versions = versions_of(session)
    assert [version.is_keeper for version in versions] == [False, False, False, False, True, False]
    assert [version.lane for version in versions] == [
        0,
        0,
        1,
        0,
        0,
        2,
    ]  # the last begins before the second lane is free


def test_no_line_goes_down_across_the_words_below_a_version() -> None:
    pairs = version_pairs((0, 1, 0.9), (0, 2, 0.9), (2, 3, 0.9), (2, 4, 0.9), (0, 5, 0.9))
    docs = dated(2010, 2012, 2013, 2014, 2015, 2016)
    versions = versions_of(ReviewSession(Made([*docs[:5], replace(docs[5], protected=True)], pairs).result()))
    assert [version.lane for version in versions] == [0, 1, 2, 2, 3, 0], "the second lane is free again for the fifth"


def test_copies_are_one_version_and_a_distant_version_is_told() -> None:
    docs = [*dated(2018, 2019, 2020), Doc(2, form=1, changed=datetime(2020, 6, 1, tzinfo=UTC), words=1000)]
    session = ReviewSession(Made(docs, version_pairs((0, 1, 0.8), (1, 2, 0.8))).result())
    versions = versions_of(session)
    assert [version.copies for version in versions] == [1, 1, 2]
    keeper = next(at for at, version in enumerate(versions) if version.is_keeper)
    assert [version.is_distant for version in versions] == [abs(at - keeper) == 2 for at in range(3)]
    assert all((version.to_keeper == 0) == version.is_distant for version in versions if not version.is_keeper)


def test_words_added_and_removed_are_those_that_are_not_in_both() -> None:
    docs = dated(2018, 2019, 2020)
    docs[1] = replace(docs[1], words=1200)
    aligned = Pair(0, 1, aligned=0.9, resemblance=0.8)
    by_passages = Pair(1, 2, resemblance=0.8, left_in_right=0.75, right_in_left=0.9)
    versions = versions_of(ReviewSession(Made(docs, [aligned, by_passages]).result()))
    assert [(version.added, version.removed) for version in versions] == [(-1, -1), (210, 10), (100, 300)]


def test_two_versions_and_a_group_of_copies_have_no_timeline() -> None:
    session = ReviewSession(Made(dated(2018, 2019), version_pairs((0, 1, 0.9))).result())
    assert not has_timeline(session.grouping, session.all_clusters(), 0)
    copies = ReviewSession(Made([Doc(1, form=form) for form in range(4)]).result())
    assert not has_timeline(copies.grouping, copies.all_clusters(), 0)


@given(made())
def test_every_version_has_one_stop_and_lines_of_one_lane_do_not_meet(given_made: Made) -> None:
    session = ReviewSession(given_made.result())
    plain, clusters = Plain(given_made, session.demand), session.all_clusters()
    for position in range(len(clusters)):
        rows = clusters.rows(position)[clusters.wholes(position) < 0].tolist()
        texts = {plain.stand(row) for row in rows}
        assert has_timeline(session.grouping, clusters, position) == (len(texts) > 2)
        versions = versions_of(session, position)
        assert {plain.stand(version.document) for version in versions} == texts and len(versions) == len(texts)
        assert sum(version.copies for version in versions) == len(rows)
        for at, version in enumerate(versions):
            earlier = [session.relation_of(other.document, version.document) for other in versions[:at]]
            alike = [similarity for relation, similarity in earlier if relation is Relation.VERSION]
            assert version.parent < 0 or version.lane >= versions[version.parent].lane
            assert version.similarity == max(alike, default=0.0) and (version.parent >= 0) == bool(alike)
        in_lanes = [(version.lane, version.date_ns, at) for at, version in enumerate(versions)]
        for (lane, _, _), (next_lane, _, at) in zip(sorted(in_lanes), sorted(in_lanes)[1:], strict=False):
            parent = versions[at].parent
            if lane == next_lane > 0 and versions[parent].lane != lane and parent >= 0:
                before = [version.date_ns for version in versions[:at] if version.lane == lane]
                assert max(before) < versions[parent].date_ns
