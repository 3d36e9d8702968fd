"""Page furniture: running heads, feet and page numbers, told by their repeating at the edges of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

EDGE_LINES = 3
LEAST_PAGES = 3  # repeating on fewer pages proves nothing
LEAST_PAGE_LINES = 20
# "12", "- 12 -", "Page 12 of 40", "Seite 12", "第 12 页", "Report 2 of May    12": words, and the first number counts
_COUNTING = re.compile(r"\s*(?:[-–—|\[(]\s*)?(?:[^\W\d_]{1,12}\.?\s*)?(\d{1,5})\b[^.!?\n]{0,20}$")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.I)

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def split_furniture(pages: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """(pages without their furniture, the different lines that were taken out).

    A line is furniture when it is among the first or last lines of a page and the same line, numbers aside, is so on at
    least three pages and on a tenth of all; or when it counts three pages, in Arabic or Roman numbers.
    """
    least = max(LEAST_PAGES, len(pages) // 10)
    edges = [_edges(page) for page in pages]
    counts = Counter(key for edge in edges for key in {*edge.top.values(), *edge.bottom.values()})
    counted = Counter(count for number, edge in enumerate(edges) for count in edge.counts(pages[number], number))
    repeated = {key for key, count in counts.items() if count >= least}
    counting = {key for (key, _), count in counted.items() if count >= LEAST_PAGES}
    body: list[list[str]] = []
    taken: dict[str, None] = {}
    for page, edge in zip(pages, edges, strict=True):
        drop = edge.furniture(repeated | counting)
        body.append([line for place, line in enumerate(page) if place not in drop] if drop else list(page))
        taken.update(dict.fromkeys(page[place] for place in sorted(drop)))
    return body, list(taken)


@dataclass(frozen=True, slots=True)
class _Edges:
    """The first and last lines of a page that are not blank: place to line with its numbers masked, from outside in."""

    top: dict[int, str]
    bottom: dict[int, str]
    filled: int

    def counts(self, page: Sequence[str], number: int) -> set[tuple[str, int]]:
        """(key, a number in the line less that of the page) of each edge line: the same for lines that count pages."""
        return {
            (key, value - number)
            for place, key in {**self.top, **self.bottom}.items()
            if "#" in key
            for value in _values(page[place])
        }

    def furniture(self, repeated: set[str]) -> set[int]:
        """Places of furniture: from an edge inwards for as long as lines repeat elsewhere."""
        drop: set[int] = set()
        for edge in (self.top, self.bottom):
            drop.update(takewhile(lambda place, edge=edge: edge[place] in repeated, edge))  # type: ignore[misc]
        # Pages that are alike in most of their lines are copies of a form, not pages in a frame.
        return drop if len(drop) <= self.filled // 2 else set()


def _edges(page: Sequence[str]) -> _Edges:
    filled = [place for place, line in enumerate(page) if line and not line.isspace()]
    top, bottom = filled[:EDGE_LINES], filled[::-1][:EDGE_LINES]
    return _Edges({at: _key(page[at]) for at in top}, {at: _key(page[at]) for at in bottom}, len(filled))


def _key(line: str) -> str:
    """A line with its numbers masked."""
    return _NUMBER.sub("#", line.strip())


def _values(line: str) -> list[int]:
    """The first and the last number of a line."""
    numbers = _NUMBER.findall(line)
    return [_value(number) for number in {*numbers[:1], *numbers[-1:]}]


def _value(number: str) -> int:
    """An Arabic or a Roman number as an integer."""
    if number.isdecimal():
        return int(number[-9:])
    digits = [_ROMAN[letter] for letter in number.lower()]
    return sum(-digit if digit < after else digit for digit, after in pairwise([*digits, 0]))


def without_page_breaks(text: str) -> tuple[str, list[str]]:
    """(text, furniture) of a text file laid out in pages for printing; most are not and come back as they are.

    Pages are told by form feeds, or by a line that repeats with a number that rises by one each time.
    """
    pages = text.split("\f") if "\f" in text else _numbered_pages(text)
    if len(pages) < LEAST_PAGES:
        return text.replace("\f", "\n"), []
    body, furniture = split_furniture([page.split("\n") for page in pages])
    return "\n".join("\n".join(page) for page in body), furniture


def _numbered_pages(text: str) -> list[str]:
    """The text cut behind each line that counts pages; one piece when there is none."""
    lines = text.split("\n")
    places: dict[str, list[tuple[int, int]]] = {}
    for place, line in enumerate(lines):
        found = _COUNTING.match(line) if len(line) <= 120 else None
        if found:
            key = _NUMBER.sub("#", line.strip(), count=1)
            places.setdefault(key, []).append((place, int(found.group(1))))
    for marks in places.values():
        if _counts_pages(marks, len(lines)):
            cuts = [0, *(place + 1 for place, _ in marks), len(lines)]
            return ["\n".join(lines[start:end]) for start, end in pairwise(cuts)]
    return [text]


def _counts_pages(marks: Sequence[tuple[int, int]], lines: int) -> bool:
    """Whether (line, number) marks rise by one, each about as many lines after the one before as a page has."""
    if len(marks) < LEAST_PAGES - 1 or marks[0][1] > 1 + marks[0][0] // LEAST_PAGE_LINES:
        return False
    steps = [(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(marks)]
    even = max(step for step, _ in steps) <= 2 * min(step for step, _ in steps)
    return even and all(rise == 1 and step >= LEAST_PAGE_LINES for step, rise in steps) and marks[0][0] < lines
