"""Features: what counts, and how much."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.fingerprint.features import Features, Terms, merged
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.tokens import tokens_of
from dupfinder.fingerprint.weights import UNIT, TermFrequency

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning", "ignore::UserWarning")

FEATURES = Features(TermFrequency())


def counted(terms: Terms) -> dict[int, int]:
    return dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True))


def hashed(counts: dict[str, int]) -> dict[int, int]:
    return {xxh3(word.encode()): count for word, count in counts.items()}


def test_stop_words_and_numbers_are_no_features_and_words_are_stemmed() -> None:
    terms = FEATURES.terms_of(tokens_of("the boats of 1998 and the boat in the harbours 42"), "en")
    assert counted(terms) == hashed({"boat": 2, "harbour": 1})
    assert terms.features.tolist() == sorted(terms.features.tolist())
    assert set(terms.rarity.tolist()) == {UNIT}


def test_chinese_words_are_kept_whole_and_their_stop_words_left_out() -> None:
    terms = FEATURES.terms_of(tokens_of("这是服务器的升级，服务器 the server"), "zh")
    assert counted(terms) == hashed({"服务器": 2, "升级": 1, "the": 1, "server": 1})


def test_kana_and_thai_give_pairs_of_characters() -> None:
    assert len(FEATURES.terms_of(tokens_of("とても"), "ja").features) == 2
    assert len(FEATURES.terms_of(tokens_of("ไทย"), "th").features) == 2


def test_text_of_nothing_but_numbers_and_stop_words_has_no_features() -> None:
    for text in ("", "the of and", "1 2 3", "的了"):
        assert not len(FEATURES.terms_of(tokens_of(text), "en").features)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(st.sampled_from(["quay", "boat", "storm", "42", "the"]), max_size=10), min_size=1, max_size=4))
def test_terms_of_parts_add_up_to_those_of_the_whole(parts: list[list[str]]) -> None:
    terms = merged([FEATURES.terms_of(tokens_of(" ".join(part)), "en") for part in parts])
    expected = Counter(word for part in parts for word in part if word not in ("42", "the"))
    assert counted(terms) == hashed(expected)


def test_what_was_seen_before_changes_nothing() -> None:
    fresh = Features(TermFrequency())
    text = "boats and harbours " + " ".join(f"ship{number}" for number in range(300))
    fresh.terms_of(tokens_of(" ".join(f"word{number}" for number in range(100_000))), "en")
    assert counted(fresh.terms_of(tokens_of(text), "en")) == counted(FEATURES.terms_of(tokens_of(text), "en"))


def test_a_stem_shared_with_a_stop_word_counts_for_the_other_words_alone() -> None:
    maker = Fingerprinter(Scheme())
    alone = maker.terms_of("pueden " * 40, "es")
    for order in ("puede pueden " * 40, "pueden puede " * 40):
        beside = maker.terms_of(order, "es")
        assert beside.features.tolist() == alone.features.tolist()
        assert beside.counts.tolist() == alone.counts.tolist()


def test_a_word_that_is_the_name_of_a_language_is_not_taken_for_a_word_of_another_language() -> None:
    codes = ("da", "de", "en", "es", "fr", "id", "it", "nl", "no", "pt", "tr")
    texts = [(f"{word} anfang {other} beginn", language) for word in codes for other in codes for language in codes]
    used = Fingerprinter(Scheme())
    for text, language in [*texts, *texts[::-1]]:
        used.terms_of(text, language)
    for text, language in texts[::37]:
        fresh = Fingerprinter(Scheme()).terms_of(text, language)
        assert used.terms_of(text, language).features.tolist() == fresh.features.tolist(), (text, language)
