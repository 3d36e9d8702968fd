"""What each radius costs and finds, against counting pairs one by one."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.errors import UsageError
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.review.calibration import calibrate, read_labels
from dupfinder.review.grouping import Grouping
from tests.review.making import WIDEST, Doc, Made, Pair, Plain, made


@settings(deadline=None, max_examples=100)
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
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_a_library_without_pairs_has_no_shares() -> None:
    calibration = calibrate(Grouping(Made([Doc(0)]).result()), Demand(0.7, 0.85, 8))
    assert math.isnan(calibration.precision(8)) and math.isnan(calibration.recall(8)) and calibration.pair_count == 0


def test_a_file_that_is_no_table_of_labels_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text('a,b,yes\n"' + "x" * 200_000)
    with pytest.raises(UsageError, match="line 2"):
        read_labels(tmp_path / "labels.csv")
