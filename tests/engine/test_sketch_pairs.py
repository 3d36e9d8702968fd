"""Candidates from sketches, against comparing every two."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.columns import Ragged
from dupfinder.base.progress import LatestProgress, Stopped
from dupfinder.engine import sketch_pairs as module
from dupfinder.engine.prints import Sketches
from dupfinder.engine.sketch_pairs import join_sketches, sketch_pairs
from dupfinder.fingerprint.sketch import containment, min_resemblance, resemblance
from tests.cluster.making import ragged

SETS = st.lists(st.sets(st.integers(0, 25), max_size=10), min_size=1, max_size=14)


def brute(sets: list[set[int]], most_holders: int | None) -> dict[tuple[int, int], int]:
    most = len(sets) if most_holders is None else most_holders
    common = {value for value in set().union(*sets) if sum(value in members for members in sets) > most}
    shared = {
        (left, right): len((sets[left] & sets[right]) - common)
        for left, right in itertools.combinations(range(len(sets)), 2)
    }
    return {pair: count for pair, count in shared.items() if count}


@given(SETS, st.none() | st.integers(2, 8), st.sampled_from([1, 7, 8_000_000]))
def test_pairs_are_those_of_comparing_every_two(sets: list[set[int]], most_holders: int | None, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        blocks = list(sketch_pairs(Ragged(*ragged(sets)), most_holders=most_holders))
    pairs = [pair for left, right, _ in blocks for pair in zip(left.tolist(), right.tolist(), strict=True)]
    counts = [count for *_, shared in blocks for count in shared.tolist()]
    assert dict(zip(pairs, counts, strict=True)) == brute(sets, most_holders)
    assert pairs == sorted(set(pairs))


@given(SETS, st.sampled_from(["min", "mod", "parts", "super"]), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_likeness_is_that_of_every_two_sketches(sets: list[set[int]], kind: str, least: float) -> None:
    sketches = Sketches("mod" if kind == "parts" else kind, 4, Ragged(*ragged(sets)), "a test")
    expected = {}
    for (left, right), count in brute(sets, None).items():
        a, b = (np.array(sorted(sets[row]), np.uint64) for row in (left, right))
        likeness = {
            "min": min_resemblance(a, b, 4),
            "mod": resemblance(a, b),
            "parts": max(containment(a, b), containment(b, a)),
            "super": count,
        }[kind]
        if likeness >= least:
            expected[left, right] = likeness
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 5)
        left_rows, right_rows, likenesses = join_sketches(sketches, least, parts=kind == "parts")
    pairs = zip(left_rows.tolist(), right_rows.tolist(), strict=True)
    assert dict(zip(pairs, likenesses.tolist(), strict=True)) == expected


def test_a_shingle_in_very_many_documents_is_listed_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 1 << 17)
    count = 2500  # 3 million pairs, of 8 bytes each
    sketches = Sketches("mod", 0, Ragged(np.zeros(count, np.uint64), np.arange(count + 1)), "a test")
    tracemalloc.start()
    left, *_ = join_sketches(sketches, 1.5)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(left) == 0 and most < 3e6 * 8


def test_nothing_gives_nothing() -> None:
    nothing: list[list[set[int]]] = [[], [set()], [set(), {1}]]
    for sets in nothing:
        assert list(sketch_pairs(Ragged(*ragged(sets)))) == []


def test_a_stop_is_heard() -> None:
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        list(sketch_pairs(Ragged(*ragged([[1], [1]])), reporter=reporter))
