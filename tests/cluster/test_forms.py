"""Filled-in forms, against the same told with sets and the middle of a list."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.progress import Latest, Stopped
from dupfinder.cluster.forms import (
    LEAST_OWN,
    LEAST_OWN_OF_FEW,
    MOST_SHARED,
    NEARLY_EQUAL,
    NEIGHBOUR,
    SAME_FORM,
    filled_forms,
)
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.index.pairs import Pairs
from tests.cluster.making import pairs_of, ragged

Sets = list[set[int]]


def alike(one: set[int], other: set[int]) -> float:
    return len(one & other) / len(one | other)


def plainly(sets: Sets) -> set[tuple[int, int]]:
    """The pairs of fillings, by the words of the module's description."""
    pairs = [(a, b) for a, b in itertools.combinations(range(len(sets)), 2) if alike(sets[a], sets[b]) >= NEIGHBOUR]
    around: dict[int, set[int]] = {row: set() for row in range(len(sets))}
    for one, other in pairs:
        around[one].add(other)
        around[other].add(one)
    suspects = [(a, b) for a, b in pairs if alike(sets[a], sets[b]) < NEARLY_EQUAL]
    found = set()
    for one, other in suspects:
        ratios = []
        for third in around[one] - {other}:
            a, b, c = sets[one], sets[other], sets[third]
            if alike(b, c) < NEIGHBOUR:
                continue
            own = (len(a - b - c), len(b - a - c), len(c - a - b))
            for_one = sum(own)
            if min(own) * LEAST_OWN < for_one:
                continue
            for_two = len((a & b) - c) + len((a & c) - b) + len((b & c) - a)
            ratios.append((for_two / max(for_one, 1), for_one))
        if len(ratios) < len(MOST_SHARED):
            ratios = [(ratio, size) for ratio, size in ratios if size >= LEAST_OWN_OF_FEW]
        most = MOST_SHARED[min(len(ratios), len(MOST_SHARED)) - 1]
        if ratios and statistics.median(ratio for ratio, _ in ratios) < most:
            found.add((one, other))
    fillings: dict[int, set[int]] = {}
    for one, other in found:
        fillings.setdefault(one, set()).add(other)
        fillings.setdefault(other, set()).add(one)
    both = {(a, b) for a, b in suspects if len(fillings.get(a, set()) & fillings.get(b, set())) >= SAME_FORM}
    return found | both


def judged(sets: Sets) -> tuple[Pairs, Likeness, Shingles]:
    pairs = pairs_of([(one, other, 0) for one, other in itertools.combinations(range(len(sets)), 2)])
    shingles = Shingles.of(*ragged(sets), np.array([len(one) for one in sets]))
    return pairs, verify(pairs, shingles), shingles


def forms_of(sets: Sets) -> set[tuple[int, int]]:
    pairs, likeness, shingles = judged(sets)
    found = filled_forms(pairs, likeness, shingles)
    return set(zip(pairs.left[found].tolist(), pairs.right[found].tolist(), strict=True))


@st.composite
def libraries(draw: st.DrawFn) -> Sets:
    """Fillings of up to two forms, some agreeing by chance, beside versions that grow, and strangers."""
    fresh = itertools.count(100)
    sets: Sets = []
    for form in range(draw(st.integers(0, 2))):
        frame = {1000 * form + 10_000 + one for one in range(draw(st.integers(20, 60)))}
        answers = [{next(fresh) for _ in range(draw(st.integers(2, 14)))} for _ in range(draw(st.integers(2, 8)))]
        sets += [frame | answer for answer in answers]
        if len(answers) > 1 and draw(st.booleans()):
            sets[-1] |= set(sorted(answers[0])[:4])
    text = {50_000 + one for one in range(60)}
    for _ in range(draw(st.integers(0, 6))):
        text = set(sorted(text)[draw(st.integers(0, 4)) :]) | {next(fresh) for _ in range(draw(st.integers(0, 6)))}
        sets.append(text)
    sets += [{next(fresh) for _ in range(20)} for _ in range(draw(st.integers(0, 2)))]
    return list(draw(st.permutations(sets))) if sets else [{1}]


@settings(deadline=None, max_examples=150)
@given(libraries())
def test_fillings_are_those_that_three_documents_at_a_time_show(sets: Sets) -> None:
    assert forms_of(sets) == plainly(sets)


@settings(deadline=None, max_examples=80)
@given(libraries(), st.randoms(use_true_random=False))
def test_no_order_of_documents_changes_what_is_a_form(sets: Sets, chance: object) -> None:
    order = list(range(len(sets)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    moved = {tuple(sorted((order[one], order[other]))) for one, other in forms_of([sets[row] for row in order])}
    assert moved == forms_of(sets)


def test_a_form_filled_in_twice_is_not_seen_and_one_of_three_is() -> None:
    frame = set(range(100))
    fillings = [frame | set(range(1000 * n, 1000 * n + 20)) for n in range(1, 6)]
    assert forms_of(fillings[:2]) == set()
    assert len(forms_of(fillings[:3])) == 3
    assert len(forms_of(fillings)) == 10


def test_three_fillings_that_differ_in_little_are_not_told_from_versions() -> None:
    frame = set(range(200))
    assert forms_of([frame | set(range(1000 * n, 1000 * n + 12)) for n in range(1, 4)]) == set()


def test_three_versions_are_no_form_whether_each_follows_the_last_or_all_the_first() -> None:
    text = set(range(300))
    follow = [text, text - set(range(40)) | {1000 + one for one in range(40)}]
    follow.append(follow[1] - set(range(50, 90)) | {2000 + one for one in range(40)})
    copies = [text - set(range(40 * n, 40 * n + 40)) | {1000 * n + one for one in range(40)} for n in range(1, 4)]
    assert forms_of(follow) == forms_of(copies) == set()


def test_parts_of_a_longer_text_are_no_fillings() -> None:
    whole = list(range(200))
    parts = [set(whole[:100] + whole[120 + 10 * n :]) for n in range(6)]
    assert forms_of([set(whole), *parts]) == set()


def test_long_documents_known_by_their_smallest_values_are_told_as_well() -> None:
    chance = np.random.default_rng(4)
    frame = set(chance.integers(0, 2**62, 4000).tolist())
    sets = [frame | set(chance.integers(0, 2**62, 800).tolist()) for _ in range(6)]
    kept = [set(sorted(one)[:1024]) for one in sets]
    pairs = pairs_of([(one, other, 0) for one, other in itertools.combinations(range(6), 2)])
    shingles = Shingles.of(*ragged(kept), np.array([len(one) for one in sets]))
    assert not shingles.whole.any()
    assert filled_forms(pairs, verify(pairs, shingles), shingles).all()


def test_no_pairs_are_no_forms_and_a_stop_is_heard() -> None:
    pairs, likeness, shingles = judged([{1}])
    assert len(filled_forms(pairs, likeness, shingles)) == 0
    reporter = Latest()
    reporter.stop()
    with pytest.raises(Stopped):
        filled_forms(*judged([{1, 2, 3}, {1, 2, 4}]), reporter)
