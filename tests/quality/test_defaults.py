"""The table of alternatives, on a handful of texts that are not read from files."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.text.normalise import normalise
from tests.library.making import row
from tests.quality.defaults import Document, alternatives, reading_of
from tests.quality.labels import SubSuite
from tests.quality.prose import other_words, story

ROOT = Path("/suite")


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    text = story(1, "en", 6)
    versions = [text, other_words(text, 0.05, 1), story(2, "en", 6)]
    return [
        Document(row(ROOT / f"s/{name}.txt", place), normalise("\n".join(version)))
        for place, (name, version) in enumerate(zip("abc", versions, strict=True))
    ]


def test_every_alternative_differs_from_the_defaults_in_one_choice(documents: list[Document], tmp_path: Path) -> None:
    (name, usual), *others = alternatives(documents, tmp_path)
    assert name == "the defaults" and usual == Scheme()
    for _, scheme in others:
        changed = {key for key, value in asdict(scheme).items() if value != getattr(usual, key)}
        assert changed - {"learned", "learned_digest"} in ({"shingle"}, {"sketch"}, {"weights"}, {"top"})
        Fingerprinter(scheme)
    assert len({scheme.id for _, scheme in others} | {usual.id}) == len(others) + 1


def test_a_scheme_is_scored_from_texts_alone(documents: list[Document], tmp_path: Path) -> None:
    suite = SubSuite("s", frozenset({"s/a.txt", "s/b.txt", "s/c.txt"}), frozenset({("s/a.txt", "s/b.txt")}),
                     frozenset(), frozenset(), frozenset({("s/b.txt", "s/c.txt")}))  # fmt: skip
    for number, (scheme, right) in enumerate(((Scheme(), 1), (replace(Scheme(), shingle=30), 0))):
        reading = reading_of(documents, scheme, tmp_path / f"{number}.db", ROOT, [suite])
        demand = replace(reading.demand, radius=0)
        scores = reading.scores(reading.judge(reading.result.pairs, reading.result.evidence, demand))
        assert scores["s"].pairs.right == right and scores["s"].hard == 0
