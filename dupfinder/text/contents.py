"""Page numbers in tables of contents and in the index: every layout of a text has others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

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
_NUMBER = r"\d{1,4}(?:[-–]\d{1,4})?"
_PAGE_LIST = re.compile(rf"(?:,[ \t]*|[ \t]+){_NUMBER}(?:,[ \t]*{_NUMBER}){{0,40}},?$")
_LETTER = re.compile(r"[^\W\d_]")


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
