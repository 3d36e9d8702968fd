"""What each radius costs and finds, against counting pairs one by one."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import UsageError
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.review.calibration import Calibration, LabelledPair, calibrate, read_labels, score
from dupfinder.review.grouping import Grouping
from dupfinder.wording.errors import sentence
from tests.review.making import WIDEST, Doc, Made, Pair, Plain, made


@given(made(), st.sampled_from([0.5, 0.7, 0.9]))
def test_precision_and_recall_are_those_of_counting_pairs(library: Made, similarity: float) -> None:
    demand = Demand(similarity, 0.85, WIDEST)
    grouping, plain = Grouping(library.result()), Plain(library, demand)
    calibration = calibrate(grouping, demand)
    right = [pair.distance for pair in library.pairs if plain.of_pair(pair) is Relation.VERSION]
    every = [int(distance) for distance in grouping.result.pairs.distance]
    every += [bits for bits, count in library.rejected.items() for _ in range(count)]
    assert calibration.pair_count == len(right)
    for radius in range(WIDEST + 1):
        within, kept = sum(bits <= radius for bits in every), sum(bits <= radius for bits in right)
        assert calibration.precision(radius) == pytest.approx(kept / within if within else math.nan, nan_ok=True)
        assert calibration.recall(radius) == pytest.approx(kept / len(right) if right else math.nan, nan_ok=True)


def test_a_library_of_six_is_told_as_worked_by_hand() -> None:
    docs = [Doc(n) for n in (0, 1, 2, 3, 4, 5)] + [Doc(5, name="copy")]
    pairs = [
        Pair(0, 1, distance=2),
        Pair(2, 3, distance=5),
        Pair(1, 4, distance=5, resemblance=0.3),
        Pair(0, 5, distance=20),
        Pair(0, 2, distance=1, form=True),
    ]
    facts = calibrate(Grouping(Made(docs, pairs, {5: 1, 7: 2}).result()), Demand(0.7, 0.85, 8)).plain()
    assert (facts["documents"], facts["copies"], facts["verified_pairs"], facts["verified_beyond_widest"]) == (
        7,
        1,
        3,
        1,
    )
    rows = {row["k"]: row for row in facts["radii"]}
    assert rows[0]["precision"] is None and rows[0]["recall"] == 0
    assert (rows[1]["verified"], rows[1]["unverified"], rows[1]["precision"]) == (0, 1, 0.0)
    assert rows[2]["precision"] == 0.5 and rows[2]["recall"] == pytest.approx(1 / 3, abs=1e-6)
    assert (rows[5]["verified"], rows[5]["unverified"]) == (1, 2)
    assert rows[5]["precision"] == 0.4 and rows[7]["precision"] == pytest.approx(2 / 7, abs=1e-6)
    assert rows[5]["shown"] == 1.0 == rows[16]["shown"], "shared passages show all three at any radius"
    assert facts["fitting_radius"] == 0
    assert rows[16]["recall"] == pytest.approx(2 / 3, abs=1e-6)
    assert (facts["schema"], facts["kind"]) == (1, "radii"), "what other programs read by"
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_the_fitting_radius_is_the_least_that_shows_99_of_100_pairs_of_the_widest() -> None:
    counts = np.zeros(65, np.int64)
    calibration = Calibration(counts, counts, np.array([0, 97, 98, 99, 100]), 4, 0, 200, 0.7)
    assert calibration.fitting() == 3
    assert replace(calibration, shown=np.zeros(5, np.int64)).fitting() is None


def test_a_library_without_pairs_has_no_shares() -> None:
    calibration = calibrate(Grouping(Made([Doc(0)]).result()), Demand(0.7, 0.85, 8))
    assert math.isnan(calibration.precision(8)) and math.isnan(calibration.recall(8)) and calibration.pair_count == 0


@pytest.mark.parametrize(
    "text",
    [
        'a.txt,sub/b.txt,yes\na.txt,"c, d.txt",no\n',
        'left,right,verdict\n\na.txt,sub/../sub/b.txt,YES\na.txt,"c, d.txt",different\n',
        "a.txt\tsub/b.txt\t1\na.txt\tc, d.txt\t0",
    ],
)
def test_labels_name_files_beside_their_table_with_commas_or_tabs_and_a_head_or_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.csv").write_text(text)
    assert read_labels(tmp_path / "labels.csv") == [
        LabelledPair(tmp_path / "a.txt", tmp_path / "sub" / "b.txt", True),
        LabelledPair(tmp_path / "a.txt", tmp_path / "c, d.txt", False),
    ]


def test_a_table_of_one_line_with_tabs_is_one_label(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("a, b.txt\tc.txt\tyes")
    assert read_labels(tmp_path / "labels.tsv") == [LabelledPair(tmp_path / "a, b.txt", tmp_path / "c.txt", True)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b,c,yes", 1),
        ("a,yes", 1),
        ("a,b,yes\nc,d,perhaps", 2),
        ("left,right,verdict\na,b,yes\nleft,right,verdict", 3),
    ],
)
def test_a_line_that_is_no_label_is_refused_with_its_number(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(UsageError) as refused:
        read_labels(tmp_path / "labels.csv")
    assert f"line {line}:" in sentence(refused.value)


def test_labels_are_scored_by_what_the_results_show_and_those_of_other_files_are_left_out() -> None:
    grouping = Grouping(
        Made([Doc(n) for n in range(5)], [Pair(0, 1), Pair(1, 4, resemblance=0.3), Pair(2, 3)]).result()
    )
    paths = [Path(path) for path in grouping.result.documents.paths]
    labels = [
        LabelledPair(paths[0], paths[1], True),
        LabelledPair(paths[4], paths[1], True),
        LabelledPair(paths[2], paths[3], False),
        LabelledPair(paths[0], Path("/elsewhere.txt"), True),
    ]
    scores = score(grouping, labels, Demand(0.7, 0.85, 8))
    assert (scores.compared, scores.left_out, len(scores.radii)) == (3, 1, WIDEST + 1)
    assert {radius.shown for radius in scores.radii} == {(1, 1, 1)}, "right, wrong, missed"


def test_a_file_that_is_no_table_of_labels_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text('a,b,yes\n"' + "x" * 200_000)
    with pytest.raises(UsageError, match="line 2"):
        read_labels(tmp_path / "labels.csv")


def test_labels_name_files_whatever_characters_their_names_have(tmp_path: Path) -> None:
    names = ["two\nlines.txt", "a\u2028b.txt", "a\x85b.txt", "a\x0bb.txt"]
    table = "".join(f'"{name}",other.txt,yes\n' for name in names)
    (tmp_path / "labels.csv").write_bytes(table.encode())
    labels = read_labels(tmp_path / "labels.csv")
    assert labels == [LabelledPair(tmp_path / name, tmp_path / "other.txt", True) for name in names]
