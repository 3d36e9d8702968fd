"""Excerpts: the first differences of the versions that matter most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.diff.align import compare_texts
from dupfinder.diff.blocks import TextComparison
from dupfinder.report.rows import ReportCluster, ReportMember
from dupfinder.review import reporting
from dupfinder.review.reporting import MOST_DIFFERENCES, PathPair, excerpt_of, report_of, with_excerpts
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made

LEFT = "\n".join(f"Clause {number} says that the rent is {number}00 pounds." for number in range(20))
RIGHT = LEFT.replace("00 pounds", "50 pounds")
REPORT = report_of(ReviewSession(Made([Doc(0)]).result()))


def cluster(number: int, to_free: int) -> ReportCluster:
    """A keeper, an exact copy, and two versions of which one is a copy of the other."""
    keeper = Path(f"/a/{number}/keeper.txt")
    members = (
        ReportMember(keeper, "keeper"),
        ReportMember(keeper.with_name("copy.txt"), "identical", 1.0),
        ReportMember(keeper.with_name("near.txt"), "version", 0.9, words=100),
        ReportMember(keeper.with_name("near copy.txt"), "version", 0.9, words=100),
        ReportMember(keeper.with_name("other.txt"), "version", 0.8, words=90),
    )
    return ReportCluster(number, keeper, members, bytes_to_free=to_free)


def test_versions_are_compared_once_the_largest_clusters_first() -> None:
    asked: list[tuple[str, str]] = []

    def compared(pairs: list[PathPair]) -> Iterator[tuple[PathPair, TextComparison | None]]:
        for left, right in reversed(pairs):
            asked.append((left.as_posix(), right.name))
            yield (left, right), None if right.name == "other.txt" else compare_texts(LEFT, RIGHT)

    filled = with_excerpts(replace(REPORT, clusters=(cluster(1, 5), cluster(2, 9))), compared)
    assert [left for left, _ in reversed(asked)] == ["/a/2/keeper.txt"] * 2 + ["/a/1/keeper.txt"] * 2
    assert [excerpt.left.as_posix() for excerpt in filled.excerpts] == ["/a/2/keeper.txt", "/a/1/keeper.txt"]


def test_a_report_has_no_more_excerpts_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "MOST_PAIRS", 3)
    clusters = tuple(cluster(number, number) for number in range(9))
    asked: list[int] = []

    def compared(pairs: list[PathPair]) -> list[tuple[PathPair, TextComparison | None]]:
        asked.append(len(pairs))
        return [(pair, compare_texts(LEFT, RIGHT) if pair[1].name != "other.txt" else None) for pair in pairs]

    filled = with_excerpts(replace(REPORT, clusters=clusters), compared)
    assert len(filled.excerpts) == 3
    assert asked == [3, 1, 1]


def test_an_excerpt_tells_the_first_differences_with_their_marks_and_counts_all() -> None:
    excerpt = excerpt_of(Path("/a"), Path("/b"), compare_texts(LEFT, RIGHT))
    assert (excerpt.differences, excerpt.shown) == (20, MOST_DIFFERENCES)
    assert [line.kind for line in excerpt.lines] == ["changed"] * MOST_DIFFERENCES
    first = excerpt.lines[1]
    assert first.left is not None and [first.left[a:b] for a, b in first.left_marks] == ["100"]
    assert first.right is not None and [first.right[a:b] for a, b in first.right_marks] == ["150"]


def test_the_line_before_a_difference_is_told_too_and_a_missing_side_is_empty() -> None:
    excerpt = excerpt_of(Path("/a"), Path("/b"), compare_texts("One stays here.", "One stays here. Two is new."))
    assert [(line.kind, line.left, line.right) for line in excerpt.lines] == [
        ("same", "One stays here.", "One stays here."),
        ("only_right", None, "Two is new."),
    ]
