"""Folders of small real documents to scan: texts, versions of them, copies, and files with troubles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from tests import making

_TEXT = (
    "harbour ship register hour clerk rope winter ledger cargo captain north tide signal lamp bridge stone market "
    "letter archive folder copy pencil committee spring autumn garden apple pear orchard river valley mountain road "
    "wagon horse farmer weaver cloth dye copper tin forge hammer iron kettle bread oven miller wheat barley hops"
)
_WORDS = _TEXT.split()


def prose(seed: int, sentences: int = 24) -> list[str]:
    """Paragraphs of made-up sentences that depend on the seed alone."""
    chance = random.Random(seed)
    made = [
        " ".join(chance.choices(_WORDS, k=chance.randint(8, 14))).capitalize() + f" in {1500 + chance.randrange(500)}."
        for _ in range(sentences)
    ]
    return [" ".join(made[start : start + 4]) for start in range(0, sentences, 4)]


def revised(paragraphs: Sequence[str], seed: int) -> list[str]:
    """The same text with one sentence more at a place that depends on the seed."""
    chance = random.Random(seed)
    place = chance.randrange(len(paragraphs))
    extra = " ".join(chance.choices(_WORDS, k=10)).capitalize() + "."
    return [text + (" " + extra if number == place else "") for number, text in enumerate(paragraphs)]


def put(path: Path, data: bytes) -> Path:
    """Write a file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def family(folder: Path, seed: int) -> list[Path]:
    """A text, its byte-for-byte copy, the same text in another format, and a version of it."""
    text = prose(seed)
    return [
        put(folder / f"letter{seed}.txt", making.txt(text)),
        put(folder / "copies" / f"letter{seed} (1).txt", making.txt(text)),
        put(folder / f"letter{seed}.html", making.html(text)),
        put(folder / f"letter{seed} draft.txt", making.txt(revised(text, seed + 1))),
    ]


def strangers(folder: Path, count: int, first: int = 1000) -> list[Path]:
    """Texts that have nothing to do with one another."""
    return [put(folder / f"stranger{n}.txt", making.txt(prose(first + n))) for n in range(count)]


def troubles(folder: Path) -> list[Path]:
    """One file of each trouble that needs no help of the system."""
    pdf = making.pdf([prose(77)])
    return [
        put(folder / "empty.txt", b""),
        put(folder / "cut.docx", making.docx(prose(78))[:200]),
        put(folder / "cut.pdf", pdf[: len(pdf) // 3]),
        put(folder / "locked.pdf", making.pdf([prose(79)], password="secret")),
        put(folder / "numbers.txt", b"12 34 56\n78 90\n"),
        put(folder / "picture.png", b"\x89PNG\r\n\x1a\n" + bytes(64)),
        put(folder / "noise", random.Random(5).randbytes(3000)),
        put(folder / "scanned.pdf", making.scanned_pdf()),
    ]
