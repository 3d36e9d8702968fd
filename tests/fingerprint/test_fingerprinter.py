"""Prints of whole texts."""

from __future__ import annotations

from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.simhash import distance

STORY = (
    "the harbour of the old town was closed in winter when storms drove the fishing boats against the quay "
    "and the keeper of the lighthouse wrote the height of every wave into his grey book"
)


def test_the_same_words_in_other_spacing_and_punctuation_are_the_same_text() -> None:
    prints = Fingerprinter(Scheme())
    left = prints.print_of("it's 中 文 test, fine")
    right = prints.print_of("it’s 中文 test fine")
    assert left.text_hash == right.text_hash
    assert left.fingerprint == right.fingerprint


def test_other_words_or_another_order_are_another_text() -> None:
    prints = Fingerprinter(Scheme())
    hashes = {prints.print_of(text).text_hash for text in ("a bc", "ab c", "c ab", "abc", "ab c d", "")}
    assert len(hashes) == 6


def test_numbers_and_punctuation_have_no_features() -> None:
    print_ = Fingerprinter(Scheme()).print_of("12 345 -- 6.7 (8)")
    assert not print_.has_features
    assert print_.words == 5


def test_one_changed_word_moves_few_bits() -> None:
    prints = Fingerprinter(Scheme())
    left, right = prints.print_of(STORY * 5), prints.print_of(STORY * 5 + " tonight")
    assert distance(left.fingerprint, right.fingerprint) <= 6
