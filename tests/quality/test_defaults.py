"""The table of alternatives, on a handful of texts that are not read from files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from dupfinder.base.settings import DEFAULT_MIN_CONTAINMENT, DEFAULT_MIN_SIMILARITY
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.review.grouping import Grouping
from dupfinder.text.normalise import normalise
from tests.library.making import row
from tests.quality.defaults import Told, alternatives, line, result_of, scores
from tests.quality.labels import SubSuite
from tests.quality.prose import other_words, story

ROOT = Path("/suite")


@pytest.fixture(scope="module")
def documents() -> list[Told]:
    text = story(1, "en", 6)
    versions = [text, other_words(text, 0.02, 1), story(2, "en", 6)]
    return [
        Told(row(ROOT / f"s/{name}.txt", place), normalise("\n".join(version)))
        for place, (name, version) in enumerate(zip("abc", versions, strict=True))
    ]


def test_every_alternative_differs_from_the_defaults_in_one_choice(documents: list[Told], tmp_path: Path) -> None:
    (name, usual), *others = alternatives(documents, tmp_path)
    assert name == "the defaults" and usual == Scheme()
    for _, scheme in others:
        changed = {key for key, value in asdict(scheme).items() if value != getattr(usual, key)}
        assert changed - {"learned", "learned_digest"} in ({"shingle"}, {"sketch"}, {"modulus"}, {"weights"}, {"top"})
        Fingerprinter(scheme)
    assert len({scheme.id for _, scheme in others} | {usual.id}) == len(others) + 1


def test_a_scheme_is_scored_from_texts_alone(documents: list[Told], tmp_path: Path) -> None:
    suite = SubSuite("s", frozenset({"s/a.txt", "s/b.txt", "s/c.txt"}), frozenset({("s/a.txt", "s/b.txt")}),
                     frozenset(), frozenset(), frozenset({("s/b.txt", "s/c.txt")}))  # fmt: skip
    result = result_of(documents, Scheme(), tmp_path / "library.db")
    loose = scores([suite], ROOT, Grouping(result, DEFAULT_MIN_SIMILARITY, DEFAULT_MIN_CONTAINMENT))
    strict = scores([suite], ROOT, Grouping(result, 0.99, DEFAULT_MIN_CONTAINMENT))
    assert line("loose", loose) == "| loose | 1.000 | 1.000 | 1.000 | 0 | - / - |"
    assert line("strict", strict) == "| strict | - | 0.000 | 0.000 | 0 | - / - |"
