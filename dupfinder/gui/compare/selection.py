"""What is selected in one of the two texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


class Place(NamedTuple):
    """A caret position: before character `at` of `line`."""

    line: int
    at: int


BEGINNING = Place(0, 0)


@dataclass(frozen=True, slots=True)
class TextSelection:
    """From `start` to `end` (either may come first) in the text of `side` (0 left, 1 right)."""

    side: int = 0
    start: Place = BEGINNING
    end: Place = BEGINNING

    @classmethod
    def at(cls, side: int, place: Place) -> TextSelection:
        """Nothing yet, beginning at `place`."""
        return cls(side, place, place)

    @classmethod
    def of_word(cls, side: int, place: Place, line: str) -> TextSelection:
        """The word under `place`."""
        for found in _WORD.finditer(line):
            if found.start() <= place.at < found.end():
                return cls(side, Place(place.line, found.start()), Place(place.line, found.end()))
        return cls.at(side, place)

    def to(self, place: Place) -> TextSelection:
        """The same beginning, another end."""
        return replace(self, end=place)

    def spans(self, side: int, line: int, lines: Sequence[str]) -> list[tuple[int, int]]:
        """The selected (start, stop) of a line: none or one."""
        first, last = sorted((self.start, self.end))
        if side != self.side or not first.line <= line <= last.line or first == last:
            return []
        start = first.at if line == first.line else 0
        end = last.at if line == last.line else len(lines[line])
        return [(start, end)] if end > start else []

    def text(self, lines: Sequence[str]) -> str:
        """The selected text, lines joined by line ends."""
        first, last = sorted((self.start, self.end))
        if first == last or last.line >= len(lines):
            return ""
        if first.line == last.line:
            return lines[first.line][first.at : last.at]
        between = lines[first.line + 1 : last.line]
        return "\n".join((lines[first.line][first.at :], *between, lines[last.line][: last.at]))
