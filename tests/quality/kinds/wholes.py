"""Kinds of long texts: books and what is taken out of them, compilations, and long histories of one specification."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from tests.quality.kinds.writing import LANGUAGES, Paragraphs, Writer, chinese, joined, spanish, units
from tests.quality.making import Folder
from tests.quality.prose import story

MEMBERS = 28
HISTORIES = {"short": ("es", 30, 60), "long": ("es", 200, 80), "chinese": ("zh", 60, 50)}


def parts(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make books beside their chapters, an excerpt that begins and ends within paragraphs, and a chapter with a
    sentence before it."""
    folder = Folder()
    for language in LANGUAGES:
        scale = 2 if language == "zh" else 1
        for number in range(2):
            chapters = [writer.text(language, (300 + 120 * place) * scale) for place in range(6)]
            book = f"{language}{number}-book.docx"
            folder.add(book, [paragraph for chapter in chapters for paragraph in chapter])
            pieces = {
                "chapter1.txt": chapters[1], "chapter4.html": chapters[4],
                "excerpt.txt": _excerpt(chapters[3] + chapters[4], 220 * scale),
                "cited.txt": ["The following is taken from another text, for your information alone.", *chapters[2]],
            }  # fmt: skip
            for name, text in pieces.items():
                folder.add(f"{language}{number}-{name}", text)
                folder.contains.append((book, f"{language}{number}-{name}", 1.0))
            folder.ignore.append((f"{language}{number}-chapter4.html", f"{language}{number}-excerpt.txt"))
    folder.none("another part")
    yield "parts", folder


def _excerpt(paragraphs: Sequence[str], length: int) -> Paragraphs:
    """Cut a run of so many words out of a text, from the middle of its second paragraph on."""
    like = paragraphs[0]
    words = [word for paragraph in paragraphs for word in units(paragraph)]
    start = len(units(like)) + 17
    return [joined(words[start : start + length], like)]


def compilations(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make 28 notes and one compilation that holds the first 90 % of each, and mails inside a compilation of mails."""
    folder = Folder()
    for language in LANGUAGES:
        notes = [_note(language, 70_000 + number, 4 + number % 5) for number in range(MEMBERS)]
        whole = f"{language}-compilation.docx"
        folder.add(whole, [joined(units(note)[: round(0.9 * len(units(note)))], note) for note in notes])
        for number, note in enumerate(notes):
            folder.add(f"{language}-note{number:02}.txt", [note])
            folder.contains.append((whole, f"{language}-note{number:02}.txt", 0.88))
    folder.none("another note")
    yield "compilation", folder
    mails = Folder()
    for language in LANGUAGES:
        texts = [_note(language, 75_000 + number, 2 + number % 6) for number in range(12)]
        mails.add(f"{language}-all.html", [line for number, text in enumerate(texts)
                                           for line in (f"From: office{number}@example.org", text)])  # fmt: skip
        for number, text in enumerate(texts):
            mails.add(f"{language}-mail{number:02}.txt", [f"From: office{number}@example.org", text])
            mails.contains.append((f"{language}-all.html", f"{language}-mail{number:02}.txt", 1.0))
    mails.none("another mail")
    yield "compilation-mails", mails


def _note(language: str, seed: int, sentences: int) -> str:
    if language == "en":
        return story(seed, "en", 1, sentences)[0]
    return (spanish if language == "es" else chinese)(seed, 1, sentences)[0]


def histories(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make long histories: each version replaces a sentence or a paragraph of the last here and there, so that the
    first and the last share less than 0.4 of their passages. Labels are measured."""
    for name, (language, versions, paragraphs) in HISTORIES.items():
        folder, chance = Folder(), random.Random(f"history {name}")
        write = spanish if language == "es" else chinese
        text = write(80_000, paragraphs, 3, subject=80_000)
        seeds = itertools.count(80_001)
        changes = max(1, round(1.3 * paragraphs / versions))
        for version in range(versions):
            folder.add(f"{version:03}.txt", text)
            for place in chance.sample(range(len(text)), changes):
                [fresh] = write(next(seeds), 1, 3, subject=80_000)
                text = [*text[:place], fresh, *text[place + 1 :]]
        folder.label()
        yield f"history-{name}", folder
