"""What readers may use, and how they say that a file is none of theirs."""

from __future__ import annotations

from dataclasses import dataclass, field

from dupfinder.base.details import Details
from dupfinder.base.problems import ProblemKind

MAX_CHARACTERS = 50_000_000  # of one document's text: some 10,000 pages; beyond it the text is partial
MAX_PART_BYTES = 256 << 20  # of one inflated part of a package
MAX_PACKAGE_BYTES = 512 << 20  # of all parts that are read of one package
MAX_RATIO = 400  # inflated to packed size; real documents stay below 100
FREE_BYTES = 8 << 20  # parts below this size may have any ratio: small XML of one repeated tag packs well


class Unreadable(Exception):
    """A reader's way to say why it has no text. Facts: `kind`, `details`, `final` (none else can help)."""

    def __init__(self, kind: ProblemKind, details: Details = (), *, final: bool = False) -> None:
        super().__init__(kind, details)
        self.kind = kind
        self.details = details
        self.final = final or kind in (ProblemKind.ENCRYPTED, ProblemKind.TOO_LARGE)


@dataclass
class Collected:
    """Text gathered piece by piece, at most MAX_CHARACTERS of it. `full` says that something was left out."""

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
        """What was gathered."""
        return "".join(self.pieces)
