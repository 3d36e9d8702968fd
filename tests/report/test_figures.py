"""Numbers as people read them."""

from __future__ import annotations

from pathlib import Path

from dupfinder.report import figures
from dupfinder.report.rows import ReportCluster, ReportMember, counted_reasons


def test_a_cluster_is_named_after_its_loosest_member() -> None:
    keeper = Path("/a/1")

    def kind(*relations: str) -> str:
        members = (ReportMember(keeper, "keeper"), *(ReportMember(Path("/a/x"), relation) for relation in relations))
        return figures.cluster_kind(ReportCluster(1, keeper, members))

    assert kind("identical", "identical") == "identical"
    assert kind("identical", "same_text") == "same_text"
    assert kind("same_text", "same_words") == "same_words"
    assert kind("same_text", "version") == "version"
    assert kind("version", "whole") == kind("identical", "linked") == "version"
    assert kind("version", "part") == "part"


def test_a_group_says_what_it_holds_beside_its_kept_copy() -> None:
    keeper = Path("/a/1")

    def holds(*relations: str) -> str:
        members = (ReportMember(keeper, "keeper"), *(ReportMember(Path("/a/x"), relation) for relation in relations))
        return figures.holds_text(ReportCluster(1, keeper, members))

    assert holds("identical", "identical", "version") == "2 identical, 1 version"
    assert holds("version", "linked", "whole", "part") == "3 versions (1 distant), 1 part"
    assert holds("same_text", "same_words", "part", "part") == "1 same text, 1 same words, 2 parts"


def test_a_badge_shows_a_plain_suffix_and_else_says_file() -> None:
    assert figures.type_text(Path("a.docx")) == "DOCX"
    assert figures.type_text(Path("a.<b>")) == "FILE"
    assert figures.type_text(Path("README")) == "FILE"


def test_sentences_that_differ_in_numbers_alone_are_counted_as_one_and_others_keep_their_numbers() -> None:
    reasons = {"its 12 members are listed": 1, "its 3 members are listed": 2, "larger than 1,000 bytes": 4}
    assert counted_reasons(reasons) == {"larger than 1,000 bytes": 4, "its … members are listed": 3}
