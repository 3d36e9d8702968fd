"""The relation of two documents, tested exactly at the thresholds."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged
from dupfinder.cluster.relation import (
    UNKNOWN_HASH,
    Confidence,
    Demand,
    Difference,
    Evidence,
    Measured,
    Relation,
    compare_other,
    name_of,
    of_same_words,
    relation_named,
    reversed_of,
    scattered_similarity,
    similarity,
)
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.index.pairs import Pairs
from dupfinder.text.document import OtherContent
from tests.cluster.making import evidence_of, pairs_of

DEMAND = Demand(0.7, 0.85, 8)
KINDS = tuple(OtherContent)


def confidence(evidence: Evidence, pairs: Pairs, demand: Demand) -> NDArray[np.uint8]:
    measured = Measured(evidence, pairs)
    return measured.confidence(demand, measured.decide(demand))


def evidence(**values: float | bool) -> Evidence:
    """Return the evidence of one pair; shares that are not given are 0."""
    dtypes = {"changes": np.int32, "difference": np.uint8, "form": np.bool_}
    return evidence_of(1, **{name: np.array([value], dtypes.get(name, np.float32)) for name, value in values.items()})


def relation(distance: int = 30, demand: Demand = DEMAND, **values: float | bool) -> Relation:
    return Relation(int(Measured(evidence(**values), pairs_of([(0, 1, distance)])).decide(demand)[0]))


def scattered_pair(**values: float) -> dict[str, float]:
    """Return the evidence of a text in which every twelfth word was replaced."""
    return {"resemblance": 0.5, "aligned": 0.92, "changes": 30, "run": 1.1, "difference": Difference.MIXED, **values}


def test_enough_shared_passages_make_a_version_at_any_distance() -> None:
    assert relation(resemblance=0.7) is Relation.VERSION
    assert relation(resemblance=0.699) is Relation.NONE


def test_without_shared_passages_nothing_beyond_the_radius_counts() -> None:
    strict = Demand(0.7, 0.85, 8, passages=False)
    assert relation(8, strict, resemblance=0.9) is Relation.VERSION
    assert relation(9, strict, resemblance=0.9) is Relation.NONE
    assert relation(30, strict, left_in_right=0.99) is Relation.NONE


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(0.85, 0.1, Relation.PART), (0.1, 0.85, Relation.WHOLE), (0.849, 0.1, Relation.NONE), (0.9, 0.9, Relation.NONE)],
)
def test_a_text_of_which_nearly_all_is_in_the_other_is_a_part_of_it(
    left: float, right: float, expected: Relation
) -> None:
    assert relation(left_in_right=left, right_in_left=right, resemblance=0.1) is expected


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.floats(0.5, 1), st.floats(0.5, 1), st.booleans())
def test_the_relation_of_two_texts_does_not_depend_on_which_of_them_comes_first(
    shared: int, only_left: int, only_right: int, least: float, containment: float, passages: bool
) -> None:
    union, sizes = max(1, shared + only_left + only_right), (shared + only_left, shared + only_right)
    shares = [shared / max(1, size) for size in sizes]
    demand = Demand(least, containment, 8, passages)
    for others in ({}, scattered_pair()):
        texts = {**others, "resemblance": shared / union}
        there = relation(3, demand, **texts, left_in_right=shares[0], right_in_left=shares[1])
        back = relation(3, demand, **texts, left_in_right=shares[1], right_in_left=shares[0])
        assert reversed_of(there) is back


def test_a_misread_text_of_equal_length_is_a_version_and_no_part_at_any_share_of_parts() -> None:
    misread = scattered_pair(left_in_right=0.66, right_in_left=0.66)
    assert relation(3, replace(DEMAND, containment=0.6), **misread) is Relation.VERSION


def test_a_share_of_few_comparable_passages_is_no_part_before_it_is_sure_by_a_standard_error() -> None:
    assert relation(left_in_right=1.0, error=0.16) is Relation.NONE
    assert relation(left_in_right=1.0, error=0.14) is Relation.PART
    assert relation(right_in_left=0.9, error=0.04) is Relation.WHOLE


def test_texts_whose_edits_are_not_scattered_have_no_similarity_by_words() -> None:
    assert scattered_similarity(evidence(**scattered_pair(run=50))).tolist() == [0]


def test_scattered_edits_count_within_the_radius_and_no_further() -> None:
    assert relation(8, DEMAND, **scattered_pair()) is Relation.VERSION
    assert relation(9, DEMAND, **scattered_pair()) is Relation.NONE


@pytest.mark.parametrize("side", ["left_in_right", "right_in_left"])
def test_scattered_edits_of_texts_that_share_half_of_their_passages_count_at_any_distance(side: str) -> None:
    half = scattered_pair(resemblance=0.34, **{side: 0.5})
    assert relation(64, DEMAND, **half) is Relation.VERSION
    assert relation(64, DEMAND, **{**half, side: 0.499}) is Relation.NONE
    assert relation(9, replace(DEMAND, passages=False), **half) is Relation.NONE


@pytest.mark.parametrize(
    ("name", "last", "first_beyond"),
    [
        ("resemblance", 0.03, 0.029),
        ("run", 1.75, 1.76),
        ("changes", 5, 4),
        ("aligned", 2 * 0.7 / 1.7 + 0.001, 2 * 0.7 / 1.7 - 0.001),
        ("difference", Difference.SHORT, Difference.NUMBERS),
    ],
)
def test_scattered_edits_are_many_single_words_of_texts_that_share_something(
    name: str, last: float, first_beyond: float
) -> None:
    assert relation(3, DEMAND, **scattered_pair(**{name: last})) is Relation.VERSION
    assert relation(3, DEMAND, **scattered_pair(**{name: first_beyond})) is Relation.NONE


@pytest.mark.parametrize("side", ["left_in_right", "right_in_left"])
def test_a_text_with_hardly_an_edited_passage_is_a_part_and_no_scattered_edits(side: str) -> None:
    whole = scattered_pair(resemblance=0.69, **{side: 0.85})
    assert relation(3, DEMAND, **whole) in (Relation.PART, Relation.WHOLE)
    assert relation(3, DEMAND, **{**whole, side: 0.849}) is Relation.VERSION
    assert relation(3, replace(DEMAND, similarity=0.8), **{**whole, "resemblance": 0.7}) is Relation.VERSION
    assert relation(3, replace(DEMAND, passages=False), **whole) is Relation.VERSION, "no part is asked for"
    assert relation(3, replace(DEMAND, containment=0.9), **whole) is Relation.VERSION, "too little for a part"
    assert relation(3, DEMAND, **whole, error=0.02) is Relation.VERSION, "not surely a part"


def test_words_in_another_order_count_without_changes() -> None:
    assert relation(3, DEMAND, **scattered_pair(run=0, changes=0)) is Relation.VERSION


def test_a_pair_counts_up_to_exactly_its_own_similarity_and_is_then_certain() -> None:
    by_words = scattered_pair(aligned=0.8)
    own = float(scattered_similarity(evidence(**by_words))[0])
    assert relation(3, Demand(own, 0.85, 8), **by_words) is Relation.VERSION
    exact = evidence(resemblance=0.5)
    assert confidence(exact, pairs_of([(0, 1, 3)]), Demand(0.5, 0.85, 8))[0] == Confidence.CERTAIN


def test_texts_that_share_no_word_in_order_are_no_scattered_edits() -> None:
    assert scattered_similarity(evidence(**scattered_pair(aligned=0.0)))[0] == 0
    assert scattered_similarity(evidence(**scattered_pair(aligned=-1.0)))[0] == 0


def test_an_error_at_the_limit_of_a_class_of_confidence_belongs_to_the_better_one() -> None:
    """Numbers that floats represent exactly: 2 and 6 halves of an eighth from the threshold."""
    pairs, demand = pairs_of([(0, 1, 3)]), Demand(0.5, 0.75, 8)
    assert confidence(evidence(resemblance=0.875, error=0.125), pairs, demand)[0] == Confidence.CERTAIN
    assert confidence(evidence(resemblance=0.625, error=0.125), pairs, demand)[0] == Confidence.LIKELY


def test_whether_a_pair_is_held_against_the_share_of_a_part_depends_on_its_being_one() -> None:
    """The confidence of a version depends on its resemblance, even if its one text is nearly all in the other."""
    pairs = pairs_of([(0, 1, 3)])
    borderline = evidence(resemblance=0.701, left_in_right=0.99, error=0.01)
    assert confidence(borderline, pairs, DEMAND)[0] == Confidence.BORDERLINE
    for inside in ("left_in_right", "right_in_left"):
        part = evidence(resemblance=0.1, error=0.01, **{inside: 0.865})
        assert confidence(part, pairs, DEMAND)[0] == Confidence.LIKELY
        assert confidence(part, pairs, replace(DEMAND, passages=False))[0] == Confidence.CERTAIN


def test_numbers_that_libraries_and_older_reports_hold_mean_the_same_for_ever() -> None:
    assert [relation.name for relation in sorted(Relation)] == [
        "NONE", "SAME_FORM", "WHOLE", "PART", "VERSION", "SAME_WORDS", "SAME_TEXT", "IDENTICAL",
    ]  # fmt: skip
    assert [each.name for each in map(Difference, range(6))] == [
        "UNKNOWN", "FORMAT", "NUMBERS", "SHORT", "ADDITIONS", "MIXED",
    ]  # fmt: skip
    assert [each.name for each in map(Confidence, range(3))] == ["BORDERLINE", "LIKELY", "CERTAIN"]
    assert [each.value for each in sorted(Relation)] == list(range(8))


def test_a_filling_of_a_form_is_nothing_else_however_alike() -> None:
    assert relation(0, resemblance=0.97, left_in_right=0.99, form=True) is Relation.SAME_FORM


@given(st.floats(0, 1), st.floats(0.5, 1), st.integers(0, 16), st.booleans())
def test_what_one_demand_joins_a_looser_one_joins_too(
    resemblance: float, least: float, radius: int, passages: bool
) -> None:
    strict = Demand(least, 0.85, radius, passages)
    for looser in (Demand(least - 0.1, 0.85, radius, passages), Demand(least, 0.85, radius + 1, passages),
                   Demand(least, 0.85, radius, passages=True)):  # fmt: skip
        for pair in (scattered_pair(resemblance=resemblance), {"resemblance": resemblance}):
            if relation(8, strict, **pair) is Relation.VERSION:
                assert relation(8, looser, **pair) is Relation.VERSION


def test_similarity_is_the_resemblance_or_that_of_words_under_scattered_edits() -> None:
    assert similarity(evidence(resemblance=0.6))[0] == np.float32(0.6)
    assert similarity(evidence(**scattered_pair()))[0] == pytest.approx(0.92 / 1.08, abs=1e-6)
    assert (
        0.9995 < similarity(evidence(resemblance=1.0))[0] < 0.99995
    )  # no format of four digits says that they are equal


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (3.1, Confidence.CERTAIN),
        (2.9, Confidence.LIKELY),
        (1.1, Confidence.LIKELY),
        (0.9, Confidence.BORDERLINE),
    ],
)
def test_confidence_is_the_distance_to_the_threshold_in_standard_errors(gap: float, expected: Confidence) -> None:
    pairs = pairs_of([(0, 1, 3)])
    assert confidence(evidence(resemblance=0.7 + 0.01 * gap, error=0.01), pairs, DEMAND)[0] == expected
    if gap >= 1:  # nearer to its threshold it is no part
        assert confidence(evidence(left_in_right=0.85 + 0.01 * gap, error=0.01), pairs, DEMAND)[0] == expected
    assert confidence(evidence(resemblance=0.7001, error=0.0), pairs, DEMAND)[0] == Confidence.CERTAIN


def rows_of(**hashes: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    return np.array([[hashes.get(kind.value, 0) for kind in KINDS]], np.uint64)


@pytest.mark.parametrize(
    ("mine", "theirs", "same_format", "expected"),
    [
        ({}, {}, True, Relation.SAME_TEXT),
        ({"pictures": 7}, {"pictures": 7}, True, Relation.SAME_TEXT),
        ({"pictures": 7}, {"pictures": 8}, True, Relation.SAME_WORDS),
        ({"comments": 7}, {}, False, Relation.SAME_WORDS),
        ({"pictures": UNKNOWN_HASH}, {}, False, Relation.SAME_WORDS),
        ({"pictures": 1}, {"pictures": 1}, True, Relation.SAME_WORDS),  # 1: not known, as libraries hold it
        ({"pictures": 2}, {"pictures": 2}, True, Relation.SAME_TEXT),
        ({"headers": 7}, {}, False, Relation.SAME_TEXT),
        ({"headers": 7}, {}, True, Relation.SAME_WORDS),
        ({"list_starts": 7}, {}, True, Relation.SAME_WORDS),
        ({"list_starts": 7}, {"list_starts": 8}, False, Relation.SAME_TEXT),  # printed numbers are compared as numbers
        ({"head_words": 7}, {"head_words": 8}, False, Relation.SAME_WORDS),
        ({"head_words": 7}, {}, False, Relation.SAME_TEXT),
        ({"head_words": 7}, {"head_words": 8}, True, Relation.SAME_TEXT),  # the headers tell it
    ],
)
def test_same_words_are_the_same_text_when_nothing_else_differs(
    mine: dict[str, int], theirs: dict[str, int], same_format: bool, expected: Relation
) -> None:
    formats, bytes_differ = np.array([same_format]), np.zeros(1, np.bool_)
    assert of_same_words(rows_of(**mine), rows_of(**theirs), formats, bytes_differ)[0] == expected
    assert of_same_words(rows_of(**mine), rows_of(**theirs), formats, ~bytes_differ)[0] == Relation.IDENTICAL


def test_what_differs_beside_the_words_and_what_is_not_known_is_told_by_kind() -> None:
    mine, theirs = rows_of(pictures=5, comments=UNKNOWN_HASH, links=3), rows_of(pictures=6)
    differs, unknown = compare_other(mine, theirs, np.array([False]))
    assert [kind.value for kind, is_so in zip(KINDS, differs[0], strict=True) if is_so] == ["pictures"]
    assert [kind.value for kind, is_so in zip(KINDS, unknown[0], strict=True) if is_so] == ["comments"]


def test_every_relation_has_a_word_and_a_mirror() -> None:
    for each in Relation:
        assert relation_named(name_of(each)) is each and reversed_of(reversed_of(each)) is each
    assert reversed_of(Relation.PART) is Relation.WHOLE
    with pytest.raises(ValueError, match="no relation"):
        relation_named("near")


def test_no_pairs_are_decided_too() -> None:
    none = Evidence.none()
    assert {len(getattr(none, column.name)) for column in fields(none)} == {0}
    assert len(Measured(none, Pairs.none()).decide(DEMAND)) == 0


def test_a_note_that_shares_one_passage_with_a_book_is_no_part_of_it() -> None:
    note, book = np.arange(1, 61, dtype=np.uint32) << 26, np.arange(0, 4096, dtype=np.uint32) << 15
    values, starts = np.concatenate((note, book)), np.array([0, 60, 4156])
    shingles = Shingles.sketched(Ragged(values, starts), np.array([60, 95_000]))
    pair = pairs_of([(0, 1, 30)])
    shares = verify(pair, shingles)
    assert shares.left_in_right[0] == 1.0  # of the one passage up to which the book is known
    measured = evidence_of(1, left_in_right=shares.left_in_right, error=shares.error)
    assert Measured(measured, pair).decide(DEMAND).tolist() == [Relation.NONE]
