"""Candidates from shared passages, compared with all pairs; no pair that shares enough is missed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.columns import Ragged, pair_keys
from dupfinder.base.progress import SILENT, LatestProgress, Reporter, Stopped
from dupfinder.cluster import candidates, rarity
from dupfinder.cluster.candidates import passage_pairs, union
from dupfinder.cluster.verify import SharedShingles, Shingles, verify
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew
from tests.cluster.making import graphs, pairs_of, ragged, union_find

SETS = st.lists(st.sets(st.integers(0, 25), max_size=10), min_size=1, max_size=14)
MOST = 1_000_000
SHARES = st.sampled_from([Fraction(1, 2), Fraction(7, 10), Fraction(17, 20), Fraction(1)])


def whole(sets: list[set[int]]) -> Shingles:
    values, starts = ragged(sets)
    return Shingles(values.astype(np.uint32), starts, np.ones(len(sets), np.bool_))


def _keys(
    shingles: Shingles, share: float, most: int, reporter: Reporter = SILENT
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return passage_pairs(SharedShingles.of(shingles, Crew()), share, most, reporter).keys


def pairs_in(keys: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> list[tuple[int, int]]:
    return [(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()]


def sharing(sets: list[set[int]], share: Fraction) -> set[tuple[int, int]]:
    """Return the pairs in which the larger set contains at least the share of the smaller."""
    return {
        (left, right)
        for left, right in itertools.combinations(range(len(sets)), 2)
        if sets[left] & sets[right]
        and len(sets[left] & sets[right]) >= share * min(len(sets[left]), len(sets[right]))
    }  # fmt: skip


@contextmanager
def limits(**values: int) -> Iterator[None]:
    """Set other limits of blocks and holders, for the length of a block."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(candidates if hasattr(candidates, name) else rarity, name, value)
        yield


@given(SETS, SHARES, st.sampled_from([1, 7, 4_000_000]), st.sampled_from([2, 1 << 16]))
def test_every_pair_that_shares_enough_is_proposed_whatever_the_blocks(
    sets: list[set[int]], share: Fraction, block: int, together: int
) -> None:
    with limits(_BLOCK=block, _LOCAL=together):
        pairs = pairs_in(_keys(whole(sets), float(share), MOST))
    assert pairs == sorted(set(pairs))
    assert all(sets[left] & sets[right] for left, right in pairs)
    assert sharing(sets, share) <= set(pairs)


@given(SETS, SHARES, st.sets(st.integers(0, 13)), st.sampled_from([1, 7, 4_000_000]))
def test_every_pair_with_a_document_asked_for_is_proposed_and_no_other(
    sets: list[set[int]], share: Fraction, chosen: set[int], block: int
) -> None:
    asked = np.isin(np.arange(len(sets)), list(chosen))
    with limits(_BLOCK=block, _SURVEYED=block):
        keys = passage_pairs(SharedShingles.of(whole(sets), Crew()), float(share), MOST, asked=asked).keys
    pairs = set(pairs_in(keys))
    assert all(asked[left] or asked[right] for left, right in pairs)
    assert {pair for pair in sharing(sets, share) if asked[pair[0]] or asked[pair[1]]} <= pairs


def test_what_stands_in_many_unlike_texts_proposes_no_pairs_of_them() -> None:
    phrase = set(range(10))
    sets = [phrase | set(range(100 * number, 100 * number + 90)) for number in range(1, 41)]
    sets.append(sets[0] | {9999})
    assert pairs_in(_keys(whole(sets), 0.5, MOST)) == [(0, 40)]


def test_a_part_finds_its_whole_and_the_phrase_alone_every_text_that_has_it() -> None:
    phrase = set(range(10))
    texts = [phrase | set(range(100 * number, 100 * number + 90)) for number in range(1, 4)]
    part = set(range(210, 230))
    assert pairs_in(_keys(whole([*texts, part]), 0.85, MOST)) == [(1, 3)]
    assert pairs_in(_keys(whole([*texts, phrase]), 0.85, MOST)) == [(0, 3), (1, 3), (2, 3)]


def test_where_there_are_too_many_pairs_what_is_alike_still_hangs_together() -> None:
    sets = [set(range(20)) | {100 + number} for number in range(300)]
    with limits(MOST_PARTNERS=1024):
        every, some, fewest = (_keys(whole(sets), 0.5, most) for most in (MOST, 1500, 1))
    assert len(every) == 300 * 299 // 2
    assert 299 <= len(some) <= 1500 and not np.setdiff1d(some, every).size
    assert len(set(union_find(300, pairs_in(some)))) == 1
    assert len(fewest) == 299  # one partner each is the least


@given(st.integers(0, 2**32), st.sampled_from([0.5, 0.85]))
def test_long_texts_of_which_a_sample_is_kept_are_found_among_long_and_short_ones(seed: int, share: float) -> None:
    chance = np.random.default_rng(seed)
    book = np.unique(chance.integers(0, 2**32, 6000, np.uint64)).astype(np.uint32)
    texts = [book, np.sort(book[chance.permutation(len(book))[:3000]]), np.sort(book[:900])]
    texts += [np.unique(chance.integers(0, 2**32, size, np.uint64)).astype(np.uint32) for size in (5000, 300, 40)]
    texts.append(np.union1d(texts[3][:2500], book[3000:5500]))
    kept = [values[:400] for values in texts]
    lengths = np.array([len(values) for values in texts], np.int64)
    shingles = Shingles.sketched(Ragged.of_entries(kept, kept[0].dtype), lengths)
    left, right = (side.astype(np.uint32) for side in np.triu_indices(len(texts), 1))
    shares = verify(Pairs(left, right, np.zeros(len(left), np.uint8)), shingles)
    enough = np.maximum(shares.left_in_right, shares.right_in_left) >= share
    expected = set(zip(left[enough].tolist(), right[enough].tolist(), strict=True))
    pairs = set(pairs_in(_keys(shingles, share, MOST)))
    assert expected <= pairs
    asked = chance.permutation(len(texts)) < 2
    some = passage_pairs(SharedShingles.of(shingles, Crew()), share, MOST, asked=asked).keys
    assert {pair for pair in expected if asked[list(pair)].any()} <= set(pairs_in(some))
    assert not pairs & {(0, 4), (0, 5), (3, 4)}


@pytest.mark.parametrize(("common", "proposed"), [(170, True), (169, False)])
def test_samples_may_share_three_standard_errors_less_than_asked(common: int, proposed: bool) -> None:
    """Half of 400 stored values are 200, with a standard error of 10."""
    shared = [2**30 - 1 - place for place in range(common)]
    own = [[place * 2 + side for place in range(400 - common)] for side in range(2)]
    values, starts = ragged([[*shared, *alone] for alone in own])
    samples = Shingles.sketched(Ragged(values.astype(np.uint32), starts), np.array([2000, 2000]))
    assert pairs_in(_keys(samples, 0.5, MOST)) == ([(0, 1)] if proposed else [])


def test_a_short_text_is_looked_for_in_a_sample_by_its_values_below_the_bound_of_the_sample() -> None:
    below, beyond = 2**31 - 400, 2**31
    values, starts = ragged([range(below, beyond), [*range(beyond - 20, beyond), *range(beyond + 1, beyond + 181)]])
    texts = Shingles.sketched(Ragged(values.astype(np.uint32), starts), np.array([800, 200]))
    assert pairs_in(_keys(texts, 0.5, MOST)) == [(0, 1)]


@pytest.mark.parametrize(("common", "proposed"), [(200, True), (199, False)])
def test_whole_texts_share_all_that_is_asked(common: int, proposed: bool) -> None:
    step = 2**32 // 1000
    sets = [{place * step for place in (*range(common), *range(start, start + 400 - common))} for start in (300, 600)]
    assert pairs_in(_keys(whole(sets), 0.5, MOST)) == ([(0, 1)] if proposed else [])


def test_exactly_as_many_pairs_as_are_allowed_are_all_given() -> None:
    sets = [set(range(20)) | {100 + number} for number in range(20)]
    assert len(_keys(whole(sets), 0.5, 190)) == 190
    assert len(_keys(whole(sets), 0.5, 189)) < 189


@pytest.mark.parametrize(("count", "frequent"), [(8, []), (100, [0])])
def test_a_passage_in_too_many_texts_proposes_to_each_some_of_the_next_larger_ones_and_the_hubs(
    count: int, frequent: list[int]
) -> None:
    shingles = whole([{0, number + 1} for number in range(count)])
    with limits(MOST_PARTNERS=8):
        passages = passage_pairs(SharedShingles.of(shingles, Crew()), 0.5, MOST)
    assert passages.complete and passages.frequent.tolist() == frequent
    partners = np.bincount(np.array(pairs_in(passages.keys)).ravel(), minlength=count)
    hubs = np.flatnonzero(partners == count - 1)
    if frequent:
        assert len(hubs) == candidates.HUBS and len(passages.keys) <= count * (8 + candidates.HUBS)
        assert not passages.grouped[hubs].any() and passages.grouped.sum() == count - candidates.HUBS
    else:
        assert len(hubs) == count and not passages.grouped.any()


def test_the_hubs_of_a_group_are_the_same_whatever_its_documents_have_besides() -> None:
    """So the pairs grow with the number of documents, though each is edited at other places."""
    sets = [set(range(60)) - {number % 59, number * 7 % 59} | {100 + number} for number in range(200)]
    with limits(MOST_PARTNERS=8):
        passages = passage_pairs(SharedShingles.of(whole(sets), Crew()), 0.5, MOST)
    partners = np.bincount(np.array(pairs_in(passages.keys)).ravel(), minlength=200)
    assert np.count_nonzero(partners > 100) <= 2 * candidates.HUBS and np.median(partners) < 60
    assert len(set(union_find(200, pairs_in(passages.keys)))) == 1


@given(
    st.lists(st.sets(st.integers(0, 9), max_size=7), min_size=1, max_size=16),
    st.lists(st.sets(st.integers(0, 9), max_size=7), max_size=5),
    st.lists(st.booleans(), min_size=16, max_size=16),
    SHARES,
    st.integers(1, 4),
)
def test_after_changes_the_pairs_by_frequent_passages_are_those_of_a_search_of_all(
    sets: list[set[int]], gone: list[set[int]], fresh: list[bool], share: Fraction, partners: int
) -> None:
    """What each pair shares is measured afterwards, so only the pairs that share enough count."""
    asked = np.array(fresh[: len(sets)])
    earlier = [row for row in range(len(sets)) if not asked[row]]
    with limits(MOST_PARTNERS=partners):
        old_texts = SharedShingles.of(whole([*(sets[row] for row in earlier), *gone]), Crew())
        before = passage_pairs(old_texts, float(share), MOST)
        texts = SharedShingles.of(whole(sets), Crew())
        at_once = passage_pairs(texts, float(share), MOST)
        after = passage_pairs(texts, float(share), MOST, asked=asked, frequent=before.frequent)
    still = {(earlier[left], earlier[right]) for left, right in pairs_in(before.keys) if right < len(earlier)}
    kept = {pair for pair in still if not after.asked[list(pair)].any()}
    enough = sharing(sets, share)
    assert (kept | set(pairs_in(after.keys))) & enough == set(pairs_in(at_once.keys)) & enough
    assert after.frequent.tolist() == at_once.frequent.tolist()
    assert all(after.asked[list(pair)].any() for pair in pairs_in(after.keys))


def test_texts_that_share_only_one_frequent_passage_count_too_when_the_next_larger_ones_are_chosen() -> None:
    text = {*range(6), 11, 12, 13, 14}
    with_one = [{0, *range(start, start + 19)} for start in (100, 200, 300)]
    with_most = [{*range(1, 6), *range(start, start + 25)} for start in (400, 500, 600)]
    with_all = {*range(6), *range(700, 734)}
    sets = [text, *with_one, *with_most, with_all]
    asked = np.array([False] * 7 + [True])
    with limits(MOST_PARTNERS=3, HUBS=0):
        before = passage_pairs(SharedShingles.of(whole(sets[:7]), Crew()), 0.5, MOST)
        at_once = passage_pairs(SharedShingles.of(whole(sets), Crew()), 0.5, MOST)
        texts = SharedShingles.of(whole(sets), Crew())
        after = passage_pairs(texts, 0.5, MOST, asked=asked, frequent=before.frequent)
    assert after.asked.tolist() == [True] + [False] * 6 + [True]
    expected = {(0, 4), (0, 5), (0, 6)}
    for passages in (at_once, after):
        assert set(pairs_in(passages.keys)) & sharing(sets, Fraction(1, 2)) == expected


def test_more_texts_than_16_bits_count_may_hold_a_passage() -> None:
    count = 1 << 16
    texts = Shingles(np.zeros(count, np.uint32), np.arange(count + 1), np.ones(count, np.bool_))
    assert len(_keys(texts, 0.5, 1)) == count - 1


def test_texts_may_share_more_passages_than_16_bits_count() -> None:
    text = np.arange((1 << 16) + 1, dtype=np.uint32)
    texts = Shingles(np.tile(text, 2), len(text) * np.arange(3), np.ones(2, np.bool_))
    assert pairs_in(_keys(texts, 1.0, MOST)) == [(0, 1)]


def test_nothing_gives_nothing() -> None:
    nothing: list[list[set[int]]] = [[], [set()], [set(), {1}]]
    for sets in nothing:
        assert len(_keys(whole(sets), 0.5, MOST)) == 0


@given(SETS, graphs(8, 12))
def test_the_union_has_each_pair_once_with_its_distance(
    sets: list[set[int]], graph: tuple[int, list[tuple[int, int, int]]]
) -> None:
    count = max(len(sets), graph[0])
    fingerprints = np.random.default_rng(count).integers(0, 2**64, count, np.uint64)
    near, shared = pairs_of(graph[1]), _keys(whole(sets), 0.5, MOST)
    with limits(_BLOCK=3):
        together: Pairs = union(near, shared, fingerprints)
    known = {row[:2] for row in graph[1]}
    pairs = list(zip(together.left.tolist(), together.right.tolist(), strict=True))
    assert pairs == sorted(known | set(pairs_in(shared)))
    for (left, right), distance in zip(pairs, together.distance.tolist(), strict=True):
        assert distance == (int(fingerprints[left]) ^ int(fingerprints[right])).bit_count()


def test_pairs_are_packed_with_the_left_row_first() -> None:
    assert pair_keys(np.array([1, 2**32 - 1]), np.array([7, 0])).tolist() == [(1 << 32) + 7, (2**32 - 1) << 32]


def test_a_stop_is_heard() -> None:
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        _keys(whole([{1}, {1}]), 0.5, MOST, reporter)


def test_values_that_differ_in_their_highest_bit_alone_are_told_apart() -> None:
    values = range(1, 9)
    sets = [{value | high for value in values for high in (0, 1 << 31)} for _ in range(3)]
    sets.append({value + 20 for value in values})
    assert pairs_in(_keys(whole(sets), 1.0, MOST)) == [(0, 1), (0, 2), (1, 2)]


def test_every_pair_is_proposed_among_tens_of_thousands_of_documents_that_share_a_passage() -> None:
    """The numbers of documents, and of documents that share a value, need all of their 16 bits here."""
    count = 40_000
    sizes = [3 if row < 1 << 15 else 9 for row in range(count)]
    sets = [{0, *range(9 * (row // 2) + 1, 9 * (row // 2) + 1 + size)} for row, size in enumerate(sizes)]
    pairs = set(pairs_in(_keys(whole(sets), 0.85, MOST)))
    assert {(row, row + 1) for row in range(0, count, 2)} <= pairs
    assert len(pairs) < 2 * count
