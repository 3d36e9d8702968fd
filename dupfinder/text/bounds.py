"""Limits of what readers may read, and the exception by which they refuse a file."""

from __future__ import annotations

from dataclasses import dataclass, field

from dupfinder.base.details import Details
from dupfinder.base.problems import ProblemKind

MAX_CHARACTERS = 50_000_000  # of one document: some 10,000 pages; a longer text is cut and marked as partial
MAX_PART_BYTES = 256 << 20  # of one inflated part of a package
MAX_PACKAGE_BYTES = 512 << 20  # of all parts that are read of one package
MAX_RATIO = 400  # inflated to packed size; real documents stay below 100
FREE_BYTES = 8 << 20  # smaller parts may have any ratio: small XML with repeated tags compresses well


class Unreadable(Exception):
    """A reader has no text for a file. Facts: `kind`, `details`, `final` (True: no other reader is tried)."""

    def __init__(self, kind: ProblemKind, details: Details = (), *, final: bool = False) -> None:
        super().__init__(kind, details)
        self.kind = kind
        self.details = details
        self.final = final or kind in (ProblemKind.ENCRYPTED, ProblemKind.TOO_LARGE)


@dataclass
class Collected:
    """Text gathered in pieces, at most MAX_CHARACTERS. full: some text was left out."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    full: bool = False

    def add(self, piece: str) -> None:
        """Append a piece, or as much of it as there is room for."""
        room = MAX_CHARACTERS - self.length
        if len(piece) > room:
            piece, self.full = piece[:room], True
        self.pieces.append(piece)
        self.length += len(piece)

    def text(self) -> str:
        """Return the text so far."""
        return "".join(self.pieces)
