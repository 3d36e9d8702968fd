"""A small labelled suite, made from nothing: labels.json and a folder of files for each sub-suite.

Labels are measured on the texts before they become files, by plain sets of runs of five words: near-duplicates from a
resemblance of 0.72, neither from 0.5 to there. What is made to be one text under scattered edits is labelled as such.
"""

from __future__ import annotations

import itertools
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tests import making
from tests.quality import statutes
from tests.quality.answers import QUESTIONS, answer, lightly_edited
from tests.quality.prose import LANGUAGES, other_words, scattered, story

POSITIVE, GREY = 0.72, 0.5
_LINES = 50  # a page
WAYS = ("deleted", "inserted", "shuffled", "moved")  # of scattered edits
_TOKENS = re.compile(r"[一-鿿]|[^\W_]+")


@dataclass
class Folder:
    """One sub-suite in the making."""

    files: dict[str, bytes] = field(default_factory=dict)
    texts: dict[str, Sequence[str]] = field(default_factory=dict)
    positives: list[tuple[str, str]] = field(default_factory=list)
    ignore: list[tuple[str, str]] = field(default_factory=list)
    contains: list[tuple[str, str, float]] = field(default_factory=list)
    hard_negatives: list[tuple[str, str, str]] = field(default_factory=list)
    forms: list[list[str]] = field(default_factory=list)  # each the names of three or more fillings of one form

    def add(self, name: str, paragraphs: Sequence[str]) -> None:
        """A text as a file of the kind that its name says."""
        self.texts[name] = paragraphs
        self.files[name] = _KINDS[name.rpartition(".")[2]](paragraphs)

    def label(self) -> None:
        """Label every pair that is not labelled yet by what its texts share."""
        sets = {name: shingles(text) for name, text in self.texts.items()}
        for left, right in self._unlabelled():
            common = len(sets[left] & sets[right])
            union = len(sets[left]) + len(sets[right]) - common
            if common and common >= GREY * union:
                (self.positives if common >= POSITIVE * union else self.ignore).append((left, right))

    def none(self, reason: str) -> None:
        """Label every pair that is not labelled yet as two documents that must not be joined."""
        self.hard_negatives += [(*pair, reason) for pair in self._unlabelled()]

    def _unlabelled(self) -> list[tuple[str, str]]:
        labelled = (*self.positives, *self.ignore, *self.hard_negatives, *self.contains)
        known = {frozenset(pair[:2]) for pair in labelled}
        return [pair for pair in itertools.combinations(self.texts, 2) if frozenset(pair) not in known]


def shingles(paragraphs: Iterable[str], width: int = 5) -> set[tuple[str, ...]]:
    """The runs of `width` tokens: words, or single Chinese characters."""
    tokens = _TOKENS.findall(" ".join(paragraphs).casefold())
    return (
        {tuple(tokens[place : place + width]) for place in range(max(1, len(tokens) - width + 1))} if tokens else set()
    )


def _pdf(paragraphs: Sequence[str]) -> bytes:
    width = 50 if "的" in "".join(paragraphs) else 95
    lines = [line for paragraph in paragraphs for line in (*textwrap.wrap(paragraph, width), "")]
    return making.pdf([lines[start : start + _LINES] for start in range(0, len(lines), _LINES)], footer="- {page} -")


def _html(paragraphs: Sequence[str]) -> bytes:
    body = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    return f"<!doctype html><html><head><meta charset=utf-8></head><body><main>{body}</main></body></html>".encode()


_KINDS: dict[str, Callable[[Sequence[str]], bytes]] = {
    "txt": making.txt,
    "html": _html,
    "docx": making.docx,
    "pdf": _pdf,
}


def formats() -> Folder:
    """One text in four formats, beside other texts."""
    folder = Folder()
    for language, seed in itertools.product(LANGUAGES, range(3)):
        for kind in _KINDS:
            folder.add(f"{language}{seed}.{kind}", story(100 + seed, language))
    folder.hard_negatives = [
        (left, right, "a translation")
        for left, right in itertools.combinations(folder.files, 2)
        if left[2] == right[2] and left[:2] != right[:2]
    ]
    folder.label()
    return folder


def edits() -> Folder:
    """Copies, a few words changed, a paragraph removed, moved or added."""
    folder = Folder()
    for place, language in enumerate(LANGUAGES * 2):
        text, more = story(200 + place, language), story(300 + place, language, 1)
        for name, version in (
            ("original.txt", text),
            ("copy.txt", text),
            ("1percent.txt", other_words(text, 0.01, place)),
            ("2percent.docx", other_words(text, 0.02, place + 50)),
            ("removed.html", text[:3] + text[4:]),
            ("moved.txt", [*text[1:5], text[0], *text[5:]]),
            ("added.docx", [*text[:4], *more, *text[4:]]),
        ):
            folder.add(f"{language}{place}-{name}", version)
    folder.label()
    return folder


def scattering() -> Folder:
    """Chinese texts of a hundred to seven thousand characters, a fifth of them deleted, inserted, shuffled or moved."""
    folder = Folder()
    for seed, (paragraphs, sentences) in enumerate(((1, 5), (3, 5), (12, 6), (12, 6), (60, 6))):
        text = story(400 + seed, "zh", paragraphs, sentences)
        folder.add(f"{seed}.txt", text)
        for way in WAYS:
            folder.add(f"{seed}-{way}.txt", scattered(text, way, 0.2, seed))
            folder.positives.append((f"{seed}.txt", f"{seed}-{way}.txt"))
        names = [f"{seed}-{way}.txt" for way in WAYS]
        folder.ignore += itertools.combinations(names, 2)
    folder.label()
    return folder


def containment() -> Folder:
    """Books and their chapters."""
    folder = Folder()
    for place, language in enumerate(LANGUAGES):
        chapters = [story(500 + 10 * place + number, language, 5) for number in range(7)]
        folder.add(f"book-{language}.docx", [paragraph for chapter in chapters for paragraph in chapter])
        for number, chapter in enumerate(chapters[:5]):
            folder.add(f"chapter-{language}{number}.txt", chapter)
            folder.contains.append((f"book-{language}.docx", f"chapter-{language}{number}.txt", 1.0))
        folder.add(f"stranger-{language}.txt", story(590 + place, language, 5))
    folder.label()
    return folder


def _letter(language: str, form: int, filling: int) -> list[str]:
    """One form, filled in: the frame depends on the form alone, what stands in its gaps on the filling."""
    glue = "" if language == "zh" else " "
    entries = [entry for line in story(700 + 20 * form + filling, language, 4, 1) for entry in _entries(line, glue)]
    letter = []
    for place, paragraph in enumerate(story(600 + form, language, 12, 3)):
        sentences = re.split(r"(?<=[.。])\s*", paragraph)
        letter.append(glue.join([sentences[0], entries[place % len(entries)], *sentences[1:]]))
    return letter


def _entries(line: str, glue: str) -> list[str]:
    """What is written into gaps: three words, or six Chinese characters, and a number."""
    units = line.split() if glue else list(line)
    size = 3 if glue else 6
    return [glue.join([*units[start : start + size], str(len(line) * 7 + start)]) for start in (0, size, 2 * size)]


def templates() -> Folder:
    """Forms, each filled in eight times."""
    folder = Folder()
    for form, language in enumerate(LANGUAGES):
        names = [f"letter-{language}{filling}.{'txt' if filling % 2 else 'docx'}" for filling in range(8)]
        for filling, name in enumerate(names):
            folder.add(name, _letter(language, form, filling))
        folder.hard_negatives += [(*pair, "another filling") for pair in itertools.combinations(names, 2)]
    return folder


def few() -> Folder:
    """Forms, each filled in three times, beside three versions of a text of the same length."""
    folder = Folder()
    for form, language in enumerate(LANGUAGES):
        names = [f"letter-{language}{filling}.txt" for filling in range(3)]
        for filling, name in enumerate(names):
            folder.add(name, _letter(language, form + 10, filling))
        folder.hard_negatives += [(*pair, "another filling") for pair in itertools.combinations(names, 2)]
        text, more = story(650 + form, language, 12, 3), story(660 + form, language, 2, 3)
        for name, version in (
            ("first", text),
            ("second", [*text[:4], more[0], *text[5:]]),
            ("third", [*text[:4], more[0], *text[5:9], more[1], *text[10:]]),
        ):
            folder.add(f"{name}-{language}.docx", version)
    folder.label()
    return folder


def answers() -> Folder:
    """Answers to three questions: those handed in twice, the second time with a few words changed, are found."""
    folder = Folder()
    for question in QUESTIONS:
        names = [f"{question}{number}.txt" for number in range(16)]
        for number, name in enumerate(names):
            text = answer(question, number)
            folder.add(name, text)
            if number < 6:
                folder.add(f"{question}{number}-again.docx", lightly_edited(text, 1 + number // 3, number))
        folder.hard_negatives += [(*pair, "of one's own") for pair in itertools.combinations(names, 2)]
    folder.label()
    return folder


def laws() -> Folder:
    """Statutes in five versions, each amending the last, beside other statutes and acts that only amend."""
    folder = Folder()
    for place, language in enumerate(statutes.LANGUAGES * 3):
        sections = statutes.statute(900 + place, language, 24 + 8 * place)
        for version, changed in enumerate((0, 1, 2, 4, 1)):
            sections = statutes.amended(sections, language, changed, changed, 950 + 10 * place + version)
            kind = ("txt", "docx", "html", "pdf")[(place + version) % 4]
            folder.add(f"{language}{place}-{version}.{kind}", statutes.numbered(sections, language))
        names = [f"{language}{place}-amending{number}.txt" for number in range(3)]
        for number, name in enumerate(names):
            folder.add(name, statutes.amending_act(990 + 10 * place + number, language, 12))
        folder.hard_negatives += [(*pair, "amending acts") for pair in itertools.combinations(names, 2)]
    folder.label()
    return folder


def short() -> Folder:
    """A sentence each: copies are found, others stay apart."""
    folder = Folder()
    for place, language in enumerate(LANGUAGES):
        for number in range(8):
            folder.add(f"{language}{number}.txt", story(800 + 10 * place + number, language, 1, 1))
        folder.add(f"{language}0-again.docx", story(800 + 10 * place, language, 1, 1))
        folder.positives.append((f"{language}0.txt", f"{language}0-again.docx"))
        [sentence] = story(800 + 10 * place, language, 1, 1)
        folder.add(f"{language}0-no.txt", other_words([sentence], 0.4, 7 + place))
        folder.hard_negatives.append((f"{language}0.txt", f"{language}0-no.txt", "other words"))
    folder.label()
    return folder


def edge() -> Folder:
    """Nothing to compare: joined as identical bytes or not at all."""
    folder = Folder()
    numbers = b"17 2024 3.50\n88 2023 4.75\n"
    folder.files = {
        "empty1.txt": b"", "empty2.txt": b"", "spaces.txt": b" \n ", "signs.txt": b"-- *** --\n",
        "signs2.txt": b"*** -- ***\n",
        "numbers1.txt": numbers, "numbers2.txt": numbers, "numbers3.txt": b"17 2024 3.51\n88 2023 4.75\n",
        "numbers.html": b"<p>17 2024 3.50</p><p>88 2023 4.76</p>",
        "stop.txt": b"and the of it\n", "stop2.txt": b"of the and is\n",
    }  # fmt: skip
    folder.positives = [("numbers1.txt", "numbers2.txt")]
    folder.hard_negatives = [("empty1.txt", "empty2.txt", "nothing"), ("numbers1.txt", "numbers3.txt", "other numbers")]
    return folder


SUB_SUITES: dict[str, Callable[[], Folder]] = {
    "formats": formats, "edits": edits, "scattered": scattering, "containment": containment, "templates": templates,
    "few": few, "answers": answers, "laws": laws, "short": short, "edge": edge,
}  # fmt: skip


def make_suite(root: Path) -> None:
    """Write all sub-suites and labels.json into a folder."""
    write_suite(root, ((name, make()) for name, make in SUB_SUITES.items()))


def write_suite(root: Path, folders: Iterable[tuple[str, Folder]]) -> None:
    """Write sub-suites with these names, and labels.json, into a folder."""
    labels: dict[str, dict[str, Any]] = {}
    for name, folder in folders:
        (root / name).mkdir(parents=True)
        for file, data in folder.files.items():
            (root / name / file).write_bytes(data)
        labels[name] = {
            "files": list(folder.files), "positives": folder.positives, "ignore": folder.ignore,
            "contains": folder.contains, "hard_negatives": folder.hard_negatives, "forms": folder.forms,
        }  # fmt: skip
    (root / "labels.json").write_text(json.dumps({"subsuites": labels}), encoding="utf-8")
