"""What a page's layout puts around its text: running heads, feet and page numbers, leaders of contents, index pages.

Running heads are told by their repeating at the edges of pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

EDGE_LINES = 3
LEAST_PAGES = 3  # repeating on fewer pages proves nothing
LEAST_PAGE_LINES = 20
# "12", "- 12 -", "Page 12 of 40", "Seite 12", "第 12 页", "Report 2 of May    12": words, and the first number counts
_COUNTING = re.compile(r"\s*(?:[-–—|\[(]\s*)?(?:[^\W\d_]{1,12}\.?\s*)?(\d{1,5})\b[^.!?\n]{0,20}$")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.I)

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

LEAST_LETTERS = 4  # headings of one letter each, in the order of the alphabet: fewer may be an accident
LEAST_ENTRIES = 10
ENTRY_SHARE = 0.5  # of the lines of an index, the others being headings, ends of long entries, and main entries
MOST_LINES_A_LETTER = 300
MOST_BETWEEN = 6  # lines that are no entries, between two that are

_PAGES = r"(?:\d{1,4}|[ivxlc]{1,7})(?:[-–]\d{1,4})?"
# Possessive, and only from the start of a run: a line of a million dots is looked at once.
_LEADER = re.compile(
    rf"(?<![.…·․_ \t])[ \t]*+(?:[.…·․][ \t]?+){{4,}}+[ \t]*+(?:{_PAGES}(?:,[ \t]*{_PAGES}){{0,40}})?[ \t]*+$", re.M
)
_PAGE_NUMBER = r"\d{1,4}(?:[-–]\d{1,4})?"
_PAGE_LIST = re.compile(rf"(?:,[ \t]*|[ \t]+){_PAGE_NUMBER}(?:,[ \t]*{_PAGE_NUMBER}){{0,40}},?$")
_LETTER = re.compile(r"[^\W\d_]")


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


def without_page_numbers(text: str) -> str:
    """Take the page numbers out of the table of contents and the index of a text that was printed."""
    return without_index_pages(without_leaders(text))


def without_leaders(text: str) -> str:
    """Take out dot leaders and the page numbers they lead to, in tables of contents and in the index."""
    leads = any(sign in text for sign in ("....", ". . .", "……", "․․"))
    return _LEADER.sub("", text) if leads else text


def without_index_pages(text: str) -> str:
    """Take the page numbers out of an index at the end of a text that was printed."""
    lines = text.split("\n")
    return "\n".join(index_terms(lines, _without_pages)) if len(lines) > LEAST_ENTRIES else text


def index_terms(lines: Sequence[str], term_of: Callable[[str], str | None]) -> list[str]:
    """The lines of a text, those of its index as bare terms.

    An index is told by its headings: lines of one letter each, in the order of the alphabet. `term_of` gives the term
    of a line that is an entry, None for any other line.
    """
    changed = list(lines)
    for start, stop in _indexes(lines):
        terms: dict[int, str] = {}
        filled = since = 0  # lines that are not blank, and those since the last entry
        for place in range(start, stop):
            if (term := term_of(lines[place])) is not None:
                terms[place] = term
            since = 0 if place in terms else since + bool(lines[place].strip())
            filled += bool(lines[place].strip())
            if since > MOST_BETWEEN:
                filled -= since
                break
        if len(terms) >= max(LEAST_ENTRIES, ENTRY_SHARE * filled):
            for place, term in terms.items():
                changed[place] = term
    return changed


def _indexes(lines: Sequence[str]) -> list[tuple[int, int]]:
    """(start, stop) of each run of lines with headings that go through the alphabet."""
    heads = [
        (place, letter) for place, line in enumerate(lines) if len(letter := _bare(line)) == 1 and _LETTER.match(letter)
    ]
    found: list[tuple[int, int]] = []
    first = 0
    for place, (head, following) in enumerate(pairwise([*heads, (len(lines) + MOST_LINES_A_LETTER + 1, "")])):
        if following[1].casefold() > head[1].casefold() and following[0] - head[0] <= MOST_LINES_A_LETTER:
            continue
        if place + 1 - first >= LEAST_LETTERS:
            stop = min(len(lines), head[0] + MOST_LINES_A_LETTER, following[0])
            found.append((heads[first][0], stop))
        first = place + 1
    return found


def _bare(line: str) -> str:
    """A line without white space and the marks of links."""
    return line.strip(" \t\r\ufdd0\ufdd1\ufdd2") if len(line) < 12 else line


def _without_pages(line: str) -> str | None:
    """The term of an entry of a printed index; None for a line that does not end in page numbers."""
    pages = _PAGE_LIST.search(line.rstrip())
    return line[: pages.start()] if pages and len(line) <= 120 else None
