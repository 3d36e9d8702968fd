"""Kinds of edited text: words replaced, deleted or swapped all over, small edits in a few places, moved paragraphs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from tests.quality.kinds.writing import LANGUAGES, Paragraphs, Writer, joined, size, units
from tests.quality.making import Folder

LEAST_WORDS, MOST_WORDS = 200, 2000
Plan = tuple[str, float, int]  # way, share of the words, pairs in each language
PLANS: tuple[Plan, ...] = (
    ("replaced", 0.02, 15), ("replaced", 0.05, 15), ("replaced", 0.08, 67), ("replaced", 0.12, 15),
    ("deleted", 0.08, 15), ("swapped", 0.08, 15), ("mixed", 0.08, 15),
)  # fmt: skip


def scattered(paragraphs: Sequence[str], way: str, share: float, seed: int) -> Paragraphs:
    """Edit this share of the words (Chinese: characters), at random places, each alone.

    way: "replaced" by a word from elsewhere in the text, "deleted", "swapped" with the next, or "mixed" of the three.
    """
    chance = random.Random(f"{way} {seed}")
    words = [units(paragraph) for paragraph in paragraphs]
    vocabulary = list(itertools.chain.from_iterable(words))
    places = [(row, column) for row, line in enumerate(words) for column in range(len(line))]
    chosen = chance.sample(places, round(share * len(places)))
    for row, column in sorted(chosen, reverse=True):
        act = chance.choice(("replaced", "deleted", "swapped")) if way == "mixed" else way
        line = words[row]
        if act == "replaced":
            line[column] = chance.choice(vocabulary)
        elif act == "deleted" and len(line) > 1:
            del line[column]
        elif column + 1 < len(line):
            line[column], line[column + 1] = line[column + 1], line[column]
    return [joined(line, paragraph) for line, paragraph in zip(words, paragraphs, strict=True)]


def scattered_edits(writer: Writer, plans: Sequence[Plan] = PLANS) -> Iterator[tuple[str, Folder]]:
    """Make texts of 200 to 2,000 words (Chinese: up to 4,000 characters) beside their edited copies."""
    for language, (way, share, pairs) in itertools.product(LANGUAGES, plans):
        folder, scale = Folder(), 2 if language == "zh" else 1
        for number in range(pairs):
            length = LEAST_WORDS * (MOST_WORDS / LEAST_WORDS) ** (number / (pairs - 1)) * scale * 0.9
            text = writer.text(language, round(length))
            folder.add(f"{number:02}.txt", text)
            folder.add(f"{number:02}-{way}.txt", scattered(text, way, share, number))
            folder.positives.append((f"{number:02}-{way}.txt", f"{number:02}.txt"))
        yield f"scattered-{way}-{round(100 * share):02}-{language}", folder


_DATED = {
    "en": ("Version {a}.{b} of {d} May {y}", "This page was last changed on {d} May {y} and replaces version {a}.0."),
    "es": ("Versión {a}.{b} del {d} de mayo de {y}", "Página revisada el {d} de mayo de {y}; sustituye a la {a}.0."),
    "zh": ("版本{a}.{b}，{y}年5月{d}日", "本页最后修改于{y}年5月{d}日，取代第{a}.0版。"),
}


def _dated(text: Sequence[str], language: str, edition: int) -> Paragraphs:
    first, last = _DATED[language]
    facts = {"a": 1 + edition // 3, "b": edition % 3, "d": 3 + 5 * edition, "y": 2019 + edition}
    return [first.format(**facts), *text, last.format(**facts)]


def small_edits(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make three to five versions of a text that differ in dates and numbers alone, and others that differ in two
    words each: all of them are versions."""
    dates, words = Folder(), Folder()
    for number, language in itertools.product(range(4), LANGUAGES):
        editions = 3 + number % 3
        text = writer.text(language, 250 + 200 * number)
        names = [f"{language}{number}-{edition}.docx" for edition in range(editions)]
        for edition, name in enumerate(names):
            dates.add(name, _dated(text, language, edition))
        dates.positives += itertools.combinations(names, 2)
        text = writer.text(language, 250 + 200 * number)
        names = [f"{language}{number}-{edition}.txt" for edition in range(editions)]
        for edition, name in enumerate(names):
            words.add(name, scattered(text, "replaced", 2.4 * min(1, edition) / size(text), edition))
        words.positives += itertools.combinations(names, 2)
    yield "dates-only", dates
    yield "two-words", words


def moved_paragraphs(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make texts beside copies with one paragraph, half of them, or all of them moved."""
    folder = Folder()
    for number, language in itertools.product(range(4), LANGUAGES):
        text = writer.text(language, 900 if language != "zh" else 1800)
        chance = random.Random(number)
        half = len(text) // 2
        versions = {"original": text, "first-last": [*text[1:], text[0]], "halves": [*text[half:], *text[:half]],
                    "all": chance.sample(text, len(text))}  # fmt: skip
        for name, version in versions.items():
            folder.add(f"{language}{number}-{name}.txt", version)
    folder.label()
    yield "moved", folder
