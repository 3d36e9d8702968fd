"""Scores, against cases worked by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tests.quality.labels import SubSuite, load
from tests.quality.scoring import (
    Counts,
    adjusted_rand,
    by_band,
    components,
    count_pairs,
    mean,
    pairs_within,
    score,
)

SUITE = SubSuite(
    name="s",
    files=frozenset("abcdefg"),
    positives=frozenset({("a", "b"), ("a", "c"), ("b", "c"), ("d", "e")}),
    ignored=frozenset({("c", "d"), ("f", "g")}),
    contains=frozenset({("g", "f")}),
    hard_negatives=frozenset({("e", "f")}),
)


def test_pairs_are_those_inside_one_cluster_and_of_the_suite() -> None:
    found = pairs_within([["c", "a", "b", "x"], ["d"], ["g", "f", "f"]], SUITE.files)
    assert found == {("a", "b"), ("a", "c"), ("b", "c"), ("f", "g")}


def test_right_wrong_and_missed_pairs_are_counted_without_the_ignored() -> None:
    # ab is right; cd is ignored; ef and be are wrong; ac, bc and de are missed.
    counts = count_pairs({("a", "b"), ("c", "d"), ("e", "f"), ("b", "e")}, SUITE)
    assert counts == Counts(1, 2, 3)
    assert counts.precision == pytest.approx(1 / 3)
    assert counts.recall == pytest.approx(1 / 4)
    assert counts.f1 == pytest.approx(2 * (1 / 3) * (1 / 4) / (1 / 3 + 1 / 4))
    assert count_pairs({("a", "b"), ("e", "f")}, SUITE, {("a", "b"), ("a", "c")}) == Counts(1, 0, 1)


def test_what_cannot_be_told_is_not_a_number_and_does_not_enter_a_mean() -> None:
    nothing = Counts(0, 0, 0)
    assert math.isnan(nothing.precision) and math.isnan(nothing.recall) and math.isnan(nothing.f1)
    assert Counts(0, 1, 0).precision == 0 and math.isnan(Counts(0, 1, 0).recall)
    assert mean([0.5, math.nan, 1.0]) == 0.75
    assert math.isnan(mean([math.nan]))


def test_a_sub_suite_is_scored_by_its_pairs_its_partition_and_what_contains_what() -> None:
    # abc whole; def joined: de right, df and ef wrong, ef of the hard ones; g holds f (right) and a (wrong); de are
    # near-duplicates, so that one holding the other is no mistake.
    told = score(SUITE, [["a", "b", "c"], ["d", "e", "f"]], {("g", "f"), ("g", "a"), ("d", "e")})
    assert told.pairs == Counts(4, 2, 0)
    assert told.hard == 1
    assert told.containment == Counts(1, 1, 0)
    # Truth abc de f g, told abc def g: pairs in both 3 + 1, in truth 4, in told 6, of 21.
    chance = 4 * 6 / 21
    assert told.rand == pytest.approx((4 - chance) / (5 - chance))


def test_the_rand_index_is_one_for_the_same_and_about_nothing_for_a_partition_without_relation() -> None:
    truth = dict(zip("abcdef", "112233", strict=True))
    assert adjusted_rand(truth, dict(zip("abcdef", "xxyyzz", strict=True))) == 1
    # The example of Hubert and Arabie's formula: 3 pairs each, none in common, of 15.
    assert adjusted_rand(truth, dict(zip("abcdef", "123123", strict=True))) == pytest.approx((0 - 0.6) / (3 - 0.6))


def test_files_that_pairs_connect_share_a_name() -> None:
    names = components("abcd", [("a", "b"), ("b", "c"), ("c", "x")])
    assert names["a"] == names["b"] == names["c"] != names["d"]


def test_counts_are_told_by_the_bands_of_both_documents() -> None:
    band = {"a": "en", "b": "zh", "c": "en", "d": "en", "e": "en", "f": "zh"}
    told = by_band([SUITE], [["a", "b", "c"], ["e", "f"]], band)
    assert told == {"en": Counts(1, 0, 1), "en-zh": Counts(2, 1, 0)}


def test_labels_are_read_with_the_folder_before_each_name(tmp_path: Path) -> None:
    labels = {
        "files": ["1.txt", "2.txt", "3.txt"], "positives": [["2.txt", "1.txt", "A", 0.9]], "ignore": [],
        "contains": [["3.txt", "1.txt", 0.9]], "hard_negatives": [["2.txt", "3.txt", "why"]],
    }  # fmt: skip
    (tmp_path / "labels.json").write_text(json.dumps({"subsuites": {"x": labels}}))
    [suite] = load(tmp_path)
    assert suite.files == {"x/1.txt", "x/2.txt", "x/3.txt"}
    assert suite.positives == {("x/1.txt", "x/2.txt")}
    assert suite.contains == {("x/3.txt", "x/1.txt")} and suite.ignored == {("x/1.txt", "x/3.txt")}
    assert suite.hard_negatives == {("x/2.txt", "x/3.txt")}
