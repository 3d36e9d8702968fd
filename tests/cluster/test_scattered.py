"""Scattered edits: the rule on texts that are really edited, and at each of its limits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.scattered import (
    LEAST_LENGTH,
    LEAST_PAIRS,
    LEAST_RATIO,
    LEAST_RUNS,
    LEAST_WORDS,
    MOST_WORDS,
    PROSE,
    WORDS_BY_LENGTH,
    WORDS_BY_REPETITION,
    scattered_edits,
)
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scatter import SIZE
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.text.normalise import normalise
from tests.cluster.making import likeness_of, pairs_of, ragged
from tests.quality.making import WAYS
from tests.quality.prose import other_words, scattered, story
from tests.quality.statutes import LANGUAGES, statute

WIDTH = Scheme().shingle


def column(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(values, np.float32)


def judged(one: list[str], other: list[str]) -> bool:
    """What the rule says of two texts."""
    maker = Fingerprinter(Scheme())
    prints = [maker.print_of(normalise("\n".join(text))) for text in (one, other)]
    pair = pairs_of([(0, 1, 0)])

    def like(kind: str, sizes: list[int]) -> Likeness:
        sets = [set(getattr(found, kind).tolist()) for found in prints]
        return verify(pair, Shingles.of(*ragged(sets), np.array(sizes)))

    whole = [2**40 if len(found.bag) == SIZE else 0 for found in prints]
    lengths = (np.array([prints[0].words], np.int32), np.array([prints[1].words], np.int32))
    likes = like("sketch", [found.shingles for found in prints]), like("neighbours", whole), like("bag", whole)
    runs = (np.array([prints[0].shingles], np.int64), np.array([prints[1].shingles], np.int64))
    return bool(scattered_edits(*likes, lengths, runs, WIDTH)[0])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_a_fifth_of_the_characters_edited_is_the_same_text(way: str, seed: int) -> None:
    text = story(seed, "zh", 12, 6)
    assert judged(text, scattered(text, way, 0.2, seed))
    assert judged(scattered(text, way, 0.2, seed), text)


@pytest.mark.parametrize(("way", "share"), [("moved", 0.1), *((way, 0.3) for way in WAYS)])
def test_less_and_more_are_told_as_well(way: str, share: float) -> None:
    text = story(5, "zh", 12, 6)
    assert judged(text, scattered(text, way, share, 1))


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_of_a_hundred_characters_is_long_enough(way: str) -> None:
    found = 0
    for seed in range(10):
        text = story(seed, "zh", 1, 5)
        found += judged(text, scattered(text, way, 0.2, seed))
        assert not judged(text, scattered(story(seed + 100, "zh", 1, 5), way, 0.2, seed))
    assert found >= 9


def test_strangers_translations_and_other_words_are_not() -> None:
    text = story(1, "zh", 12, 6)
    assert not judged(text, story(2, "zh", 12, 6))
    assert not judged(text, story(1, "en", 12, 6))
    assert not judged(text, other_words(text, 0.3, 1))


def test_half_a_text_rewritten_is_no_scattered_edit() -> None:
    text = story(3, "zh", 12, 6)
    assert not judged(text, [*text[:6], *story(4, "zh", 6, 6)])


def rule(runs: float, pairs: float, words: float, lengths: tuple[int, int], variety: float = 1.0) -> bool:
    likes = [likeness_of(1, left_in_right=column(share)) for share in (runs, pairs, words)]
    sizes = (np.array([lengths[0]], np.int32), np.array([lengths[1]], np.int32))
    held = (np.array([int(lengths[0] * variety)], np.int64), np.array([lengths[1]], np.int64))
    return bool(scattered_edits(likes[0], likes[1], likes[2], sizes, held, WIDTH)[0])


def test_each_limit_of_the_rule_holds() -> None:
    runs, pairs, words, lengths = LEAST_RUNS + 0.05, LEAST_PAIRS + 0.1, LEAST_WORDS + 0.01, (500, 500)
    assert rule(runs, pairs, words, lengths)
    assert not rule(LEAST_RUNS - 0.01, pairs, words, lengths)
    assert not rule(runs, LEAST_PAIRS - 0.01, words, lengths)
    assert not rule(runs, pairs, LEAST_WORDS - 0.01, lengths)
    assert not rule(runs, pairs, words, (LEAST_LENGTH - 1, LEAST_LENGTH))
    assert not rule(runs, pairs, 1.0, (int(1000 * LEAST_RATIO) - 1, 1000))
    assert not rule(pairs - 0.1, pairs, words, lengths)  # runs survive as pairs do: whole passages differ


def test_the_more_one_text_is_longer_the_more_of_the_other_it_must_hold() -> None:
    enough = LEAST_WORDS + 0.2 * WORDS_BY_LENGTH
    assert rule(0.2, 0.6, enough + 0.01, (400, 500)) and not rule(0.2, 0.6, enough - 0.01, (400, 500))


def test_the_more_a_text_repeats_itself_the_more_words_must_be_in_common() -> None:
    enough = LEAST_WORDS + (PROSE - 0.75) * WORDS_BY_REPETITION
    assert rule(0.2, 0.6, enough + 0.001, (500, 500), 0.75) and not rule(0.2, 0.6, enough - 0.001, (500, 500), 0.75)
    assert rule(0.2, 0.6, MOST_WORDS, (500, 600), 0.2)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sections", [30, 60])
def test_statutes_of_the_same_stock_phrases_are_not(language: str, sections: int) -> None:
    texts = [statute(seed, language, sections) for seed in range(5)]
    assert not any(judged(one, other) for one, other in itertools.combinations(texts, 2))


def test_the_better_side_of_each_pair_counts() -> None:
    likes = [
        Likeness(*(column(0, 0), column(one, 0), column(0, one)), *(np.zeros(2, np.bool_) for _ in range(4)))
        for one in (0.25, 0.65, 0.99)
    ]
    sizes = (np.array([400, 400], np.int32), np.array([400, 400], np.int32))
    held = (sizes[0].astype(np.int64), sizes[1].astype(np.int64))
    assert scattered_edits(likes[0], likes[1], likes[2], sizes, held, WIDTH).tolist() == [True, True]
