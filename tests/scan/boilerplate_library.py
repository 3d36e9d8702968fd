"""Letters under the same notices, versions of one contract, licences: small libraries that are scanned."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dupfinder.library.boilerplate import Standing
from dupfinder.library.library import Library
from dupfinder.review.grouping import Grouping
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest

_LETTERS = "bcdfghjklmnprstvwxyz"


def _words(seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choice(_LETTERS) + chance.choice("aeiou") for _ in range(3)) for _ in range(900)]


_WORDS = _words(7)


def sentences(seed: str, count: int) -> list[str]:
    """Sentences of ten words that depend on the seed alone; those of different seeds share no passage."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(_WORDS, k=10)).capitalize() + "." for _ in range(count)]


def text(seed: str, count: int) -> str:
    """A paragraph of sentences."""
    return " ".join(sentences(seed, count))


@dataclass(frozen=True)
class Scanned:
    """What a scan found: groups of names, (container, part), and the passages that stand in many files."""

    groups: frozenset[frozenset[str]]
    contained: frozenset[tuple[str, str]]
    passages: tuple[Standing, ...]

    def together(self, *names: str) -> bool:
        """Whether the named documents are in one group."""
        return any(set(names) <= group for group in self.groups)


def write(folder: Path, documents: Mapping[str, str]) -> Path:
    """Write documents by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in documents.items():
        (folder / f"{name}.txt").write_text(words + "\n", encoding="utf-8")
    return folder


def scan(folder: Path, library: Path, workers: int = 1) -> Scanned:
    """Scan a folder, and what is found."""
    run_scan(ScanRequest((Root(folder),), workers=workers), library)
    return found(library)


def found(library: Path) -> Scanned:
    """What the newest scan of a library found."""
    with Library.open(library) as opened:
        result = opened.result()
        passages = opened.boilerplate.standings(result.summary.id)
    names = [Path(path).stem for path in result.documents.paths]
    grouping = Grouping(result, result.summary.min_similarity, result.summary.min_containment)
    labels = grouping.labels(result.summary.radius).tolist()
    groups: dict[int, set[str]] = {}
    for name, label in zip(names, labels, strict=True):
        if label >= 0:
            groups.setdefault(label, set()).add(name)
    container, part, _ = grouping.contained
    inside = zip(container.tolist(), part.tolist(), strict=True)
    return Scanned(
        frozenset(map(frozenset, groups.values())),
        frozenset((names[one], names[other]) for one, other in inside),
        tuple(passages),
    )


def letters(firm: str, count: int, head: int = 3, foot: int = 8, body: int = 5) -> dict[str, str]:
    """Letters of a firm, each with a body of its own, between the firm's head and legal notice."""
    above, below = text(f"head of {firm}", head), text(f"foot of {firm}", foot)
    return {
        f"{firm}-{number}": f"{above}\n\n{text(f'body {number} of {firm}', body)}\n\n{below}" for number in range(count)
    }
