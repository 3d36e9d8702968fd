"""Kinds in which names alone differ: copies of one text that each misspell a name, hide it or bear a stamp, which are
versions; and letters to several firms, which are fillings of one form."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from tests.quality.kinds.forms import fills
from tests.quality.kinds.writing import Paragraphs, Writer
from tests.quality.making import Folder

_TEXTS = 6
_LANGUAGES = ("en", "es")
_LETTERS = 6
_KINDS = ("txt", "docx", "pdf", "html")
_STAMPS = ("Draft", "Copy 3 of 5 for the archive", "Exhibit 7, filed 3 May 2021", "Received on 4 May by the registry",
           "Approved: M. Kelly")  # fmt: skip
_POSTS = ("editor", "translator")
_SALUTATIONS = ("Ms", "Mr")
_CLOSING = "Yours sincerely,"


def _named(text: Paragraphs, *names: str) -> Paragraphs:
    """Write names into a text, one after the other, each several times."""
    return [f"{names[place % len(names)]}: {paragraph}" for place, paragraph in enumerate(text)]


def _ways(text: Paragraphs, first: str, second: str) -> dict[str, list[Paragraphs]]:
    """Return the copies of a text by what they differ in."""
    misspelt = (first, first[:-1] + "x", first[:2] + first[3:], first + "mann")
    hidden = ((first, second), (f"{first[0]}.", f"{second[0]}."), ("the claimant", "the defendant"))
    return {
        "misspelt": [_named(text, name, "Pérez") for name in misspelt],
        "hidden": [_named(text, *names) for names in hidden],
        "stamped": [[stamp, *_named(text, first, second)] for stamp in _STAMPS],
    }


def copies(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make copies that differ in a name or a stamp: all of one text are versions."""
    folders = {way: Folder() for way in ("misspelt", "hidden", "stamped")}
    for way, number, language in itertools.product(folders, range(_TEXTS), _LANGUAGES):
        drawn = fills(language, number)
        made = _ways(writer.text(language, 120 * (1 + number % 3)), drawn["name"], drawn["third"])[way]
        names = [f"{language}{number}-{place}.{_KINDS[place % 4]}" for place in range(len(made))]
        for name, paragraphs in zip(names, made, strict=True):
            folders[way].add(name, paragraphs)
        folders[way].positives += itertools.combinations(names, 2)
    for way, folder in folders.items():
        folder.none("another text")
        yield f"copies-{way}", folder


def applications(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make letters of one applicant to several firms: dates and firms differ, posts and salutations in part."""
    folder = Folder()
    for number in range(_TEXTS):
        body, applicant = writer.text("en", 300), fills("en", 500 + number)["name"]
        names = [f"{number}-{letter}.docx" for letter in range(_LETTERS)]
        for letter, name in enumerate(names):
            chance, drawn = random.Random(f"{number} {letter}"), fills("en", 600 + 10 * number + letter)
            firm = f"{drawn['third'].split()[1]}{letter}"
            folder.add(name, [
                applicant, drawn["day"], f"{firm} Group, {drawn['street']}, {drawn['town']}",
                f"Your advertisement for an {chance.choice(_POSTS)}",
                f"Dear {chance.choice(_SALUTATIONS)} {drawn['other']},", *body,
                f"I would be glad to work for {firm}.", _CLOSING, applicant,
            ])  # fmt: skip
        folder.forms.append(names)
        folder.hard_negatives += [(*pair, "to another firm") for pair in itertools.combinations(names, 2)]
    folder.none("another applicant")
    yield "applications", folder
