"""Scores, against cases worked by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tests.quality.found import Found, in_report
from tests.quality.labels import SubSuite, load
from tests.quality.scoring import Counts, Share, by_band, components, count_pairs, mean, pairs_within, score

SUITE = SubSuite(
    name="s",
    files=frozenset("abcdefg"),
    positives=frozenset({("a", "b"), ("a", "c"), ("b", "c"), ("d", "e")}),
    ignored=frozenset({("c", "d"), ("f", "g")}),
    contains=frozenset({("g", "f")}),
    hard_negatives=frozenset({("e", "f")}),
    forms=frozenset({("a", "e"), ("a", "f"), ("a", "g")}),
)


def test_pairs_are_those_inside_one_cluster_and_of_the_suite() -> None:
    pairs = pairs_within([["c", "a", "b", "x"], ["d"], ["g", "f", "f"]], SUITE.files)
    assert pairs == {("a", "b"), ("a", "c"), ("b", "c"), ("f", "g")}


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


def test_a_sub_suite_is_scored_by_its_pairs_families_parts_and_forms() -> None:
    relations = {("a", "b"): "version", ("a", "c"): "same_words", ("d", "e"): "same_form", ("e", "f"): "version",
                 ("c", "d"): "version", ("a", "e"): "same_form"}  # fmt: skip
    alike = {("a", "e"): 0.6, ("a", "f"): 0.5, ("a", "g"): 0.4}
    families = (frozenset("abc"), frozenset("def"))
    # f is in g (right) and a in g (wrong); that e is in d is no mistake, since they are labelled as versions.
    scored = score(SUITE, Found(relations, frozenset({("g", "f"), ("g", "a"), ("d", "e")}), families, alike))
    assert scored.pairs == Counts(2, 1, 2)  # ab and ac; ef is wrong, cd ignored; bc and de are missed
    assert scored.hard == 1
    assert scored.families == Counts(4, 2, 0)  # abc and de; df and ef are wrong
    assert scored.containment == Counts(1, 1, 0)
    assert scored.forms == Share(1, 2)  # ae of ae and af; ag is not alike enough to ask
    assert scored.misnamed == Share(1, 4)  # de


def test_a_part_that_is_also_labelled_a_version_may_be_called_either() -> None:
    suite = SubSuite("s", frozenset("ab"), frozenset({("a", "b")}), frozenset(), frozenset({("b", "a")}), frozenset())
    assert score(suite, Found({("a", "b"): "version"}, frozenset(), (), {})).containment == Counts(0, 0, 0)
    assert score(suite, Found({}, frozenset({("b", "a")}), (), {})).containment == Counts(1, 0, 0)
    assert score(suite, Found({}, frozenset(), (), {})).containment == Counts(0, 0, 1)


def test_a_report_gives_every_copy_the_relations_of_its_stack_and_leaves_folded_parts_out_of_families() -> None:
    def file(name: str, stack: int | None) -> dict[str, object]:
        return {"path": f"/s/x/{name}", "stack": stack}

    def pair(left: str, right: str, relation: str) -> dict[str, object]:
        return {"left": f"/s/x/{left}", "right": f"/s/x/{right}", "relation": relation, "similarity": 0.8}

    members = [{"path": f"/s/x/{name}", "relation": relation} for name, relation in
               (("a", "keeper"), ("b", "identical"), ("c", "version"), ("d", "part"))]  # fmt: skip
    report = {
        "files": [file("a", 1), file("b", 1), file("c", 2), file("d", 3), file("e", None)],
        "pairs": [pair("a", "c", "version"), pair("d", "a", "part")],
        "clusters": [{"members": members}],
    }
    findings = in_report(report, Path("/s"))
    assert findings.versions == {("x/a", "x/b"), ("x/a", "x/c"), ("x/b", "x/c")}
    assert findings.contains == {("x/a", "x/d"), ("x/b", "x/d")}
    assert findings.families == (frozenset({"x/a", "x/b", "x/c"}),)
    assert findings.alike[("x/b", "x/c")] == 0.8


def test_files_that_pairs_connect_share_a_name() -> None:
    names = components("abcd", [("a", "b"), ("b", "c"), ("c", "x")])
    assert names["a"] == names["b"] == names["c"] != names["d"]


def test_counts_are_told_by_the_bands_of_both_documents() -> None:
    band = {"a": "en", "b": "zh", "c": "en", "d": "en", "e": "en", "f": "zh"}
    counts = by_band([SUITE], {("a", "b"), ("a", "c"), ("b", "c"), ("e", "f")}, band)
    assert counts == {"en": Counts(1, 0, 1), "en-zh": Counts(2, 1, 0)}


def test_labels_are_read_with_the_folder_before_each_name(tmp_path: Path) -> None:
    labels = {
        "files": ["1.txt", "2.txt", "3.txt"], "positives": [["2.txt", "1.txt", "A", 0.9]], "ignore": [],
        "contains": [["3.txt", "1.txt", 0.9]], "hard_negatives": [["2.txt", "3.txt", "why"]],
        "forms": [["3.txt", "1.txt", "2.txt"]],
    }  # fmt: skip
    (tmp_path / "labels.json").write_text(json.dumps({"subsuites": {"x": labels, "templates": labels}}))
    suite, templates = load(tmp_path)
    assert suite.files == {"x/1.txt", "x/2.txt", "x/3.txt"}
    assert suite.positives == {("x/1.txt", "x/2.txt")}
    assert suite.contains == {("x/3.txt", "x/1.txt")} and suite.ignored == {("x/1.txt", "x/3.txt")}
    assert suite.hard_negatives == {("x/2.txt", "x/3.txt")}
    assert (
        suite.forms
        == {("x/1.txt", "x/3.txt"), ("x/2.txt", "x/3.txt"), ("x/1.txt", "x/2.txt")}
        == {tuple(name.replace("templates", "x") for name in pair) for pair in templates.forms}
    )
    del labels["forms"]
    (tmp_path / "labels.json").write_text(json.dumps({"subsuites": {"x": labels, "templates": labels}}))
    suite, templates = load(tmp_path)
    assert not suite.forms and templates.forms == templates.hard_negatives | templates.ignored
