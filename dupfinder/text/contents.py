"""Tables of contents and indexes: recognise them, and remove their leaders and page numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from dupfinder.text.lines import NUMBER, split_at_lines, value_of, with_replaced

LEAST_PAGE_LINES = 20
LEAST_LETTERS = 4  # headings of one letter in alphabetical order; fewer may occur by chance
LEAST_ENTRIES = 10
ENTRY_SHARE = 0.5  # least share of an index's lines that are entries; the others are headings and wrapped entries
MOST_LINES_A_LETTER = 300
MOST_BETWEEN = 6  # lines between two entries
LEAST_LEADERS = 3  # lines of a table of contents
SHORTEST_PAGE = 500  # characters, on average
FALLING_SHARE = 0.25  # most page numbers lower than the one before, as where a list of figures begins again at page 1
MOST_AROUND = 11  # characters of a heading of one letter, with white space and marks of links
_AROUND = " \t\r\ufdd0\ufdd1\ufdd2"  # the last three mark links, see `page_source`
_LETTER_LINE = re.compile(rf"\n[{_AROUND}]*+([^\W\d_])[{_AROUND}]*+(?=\n|\Z)")

_PAGES = r"(?:\d{1,4}|[ivxlc]{1,7})(?:[-–]\d{1,4})?"
_DOTS = {".": re.compile(r"\.[ \t]?(?:\.[ \t]?){3}"), **{sign: re.compile(sign) for sign in "…·․"}}
# Possessive and anchored at the start of a run, so that a line of a million dots takes linear time.
_LEADER = re.compile(
    rf"(?<![.…·․_ \t])[ \t]*+(?:[.…·․][ \t]?+){{4,}}+[ \t]*+(?:{_PAGES}(?:,[ \t]*{_PAGES}){{0,40}})?[ \t]*+$", re.M
)
_ENTRY = re.compile(r"([\t ]*+\S.{2,200}?)[\t ]++(\d{1,4}|[ivxlc]{1,7})")
_PAGE_BEFORE = "|".join(rf"(?<=[\t ][\divxlc]{{{length}}}\n)" for length in range(1, 8))
_END_OF_ENTRY = re.compile(rf"\n(?<=[0-9ivxlc]\n)(?:{_PAGE_BEFORE})")
_PAGE_NUMBER = r"\d{1,4}(?:[-–]\d{1,4})?"
_PAGE_LIST = re.compile(rf"(?:,[ \t]*|[ \t]+){_PAGE_NUMBER}(?:,[ \t]*{_PAGE_NUMBER}){{0,40}},?$")
# What Texinfo prints for a link: "Section 4.1 [Tides of the sea], page 12", "Appendix A [Words], page 20", "[Top],
# page 1".
_REFERENCE = re.compile(r"\[(?<!\w\[)([^\[\]]{1,200})\],\s[^\W\d_]{1,12}\s(\d{1,4})\b")
_BEFORE_REFERENCE = re.compile(r"[^\W\d_]{4,12}\s(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4}\s\Z")
_LONGEST_BEFORE = 40  # characters


def without_page_numbers(text: str, pages: int | None = None) -> str:
    """Remove the page numbers from contents, index and references of a printed text. pages: how many it has."""
    return with_index_terms(without_leaders(_with_titles_alone(text, pages), pages), _without_pages)


def _with_titles_alone(text: str, pages: int | None) -> str:
    """Return a text whose references to pages are the titles of the sections there, as a link in another format is.

    A few of them may be citations, and so is a page beyond the last one. Some titles are whole lines elsewhere, as in
    `without_pages_of_contents`: a contract that refers to pages of its exhibits does not print their titles.
    """
    if "], " not in text and "],\n" not in text:
        return text
    references = [reference for reference in _REFERENCE.finditer(text) if pages is None or int(reference[2]) <= pages]
    begins, referred = [], set[str]()
    for reference in references:
        start = max(0, reference.start() - _LONGEST_BEFORE)
        before = _BEFORE_REFERENCE.search(text[start : reference.start()])
        begins.append(reference.start() if before is None else start + before.start())
        if before is not None:
            referred.add(" ".join(reference[1].split()))
    if len(referred) < LEAST_LEADERS or len(referred.intersection(map(_title, text.split("\n")))) < LEAST_LEADERS:
        return text
    titles = ((begin, reference.end(), reference[1]) for begin, reference in zip(begins, references, strict=True))
    return with_replaced(text, titles)


def without_leaders(text: str, pages: int | None = None) -> str:
    """Remove dot leaders and the page numbers after them, in tables of contents.

    Numbers are taken for amounts, and stay, if they are few, often fall from one line to the next, or are beyond the
    last page. pages: how many the text has; None: at most as many as its lines would fill.
    """
    leaders = ("……", "․․", "....", ". . .")
    if not any(leader[0] in text and leader in text for leader in leaders):  # the first test is the quick one
        return text
    lines: list[str] = []
    runs: list[list[tuple[int, re.Match[str]]]] = [[]]
    for piece, has_sign in split_at_lines(text, [dots for sign, dots in _DOTS.items() if sign in text]):
        if leader := _LEADER.search(piece) if has_sign else None:
            runs[-1].append((len(lines), leader))
        elif piece.count("\n") > MOST_BETWEEN:
            runs.append([])
        lines.append(piece)
    most = text.count("\n") // LEAST_PAGE_LINES if pages is None else pages
    for run in runs:
        are_pages = _are_pages([NUMBER.findall(leader.group()) for _, leader in run], most)
        for line_number, leader in run:
            if are_pages or not NUMBER.search(leader.group()):
                lines[line_number] = lines[line_number][: leader.start()]
    return "".join(lines)


def _are_pages(numbers: Sequence[Sequence[str]], most: int) -> bool:
    """Tell whether the numbers in the lines of a list are pages. most: the number of the last page."""
    values = [list(map(value_of, of_line)) for of_line in numbers if of_line]
    firsts = [of_line[0] for of_line in values]
    falls = sum(after < before for before, after in pairwise(firsts))
    ordered = all(of_line == sorted(of_line) and of_line[-1] <= most for of_line in values)
    return len(firsts) >= LEAST_LEADERS and falls <= FALLING_SHARE * len(firsts) and ordered


def without_pages_of_contents(text: str) -> tuple[str, str]:
    """Return (text without the page numbers in a table of contents that has no leaders, the numbers).

    Each title of the table is also a whole line elsewhere: its heading, of which programs may compute the number. The
    pages hardly ever fall, and there are no more of them than the text may fill.
    """
    lines = ((text.rfind("\n", 0, end.start()) + 1, end.start()) for end in _END_OF_ENTRY.finditer(text + "\n"))
    entries = [entry for line in lines if (entry := _ENTRY.fullmatch(text, *line)) is not None]
    if len(entries) < LEAST_LEADERS:
        return text, ""
    headings = set(map(str.strip, text.split("\n")))
    entries = [entry for entry in entries if not headings.isdisjoint((entry[1].strip(), _title(entry[1])))]
    most = LEAST_LEADERS + len(text) // SHORTEST_PAGE
    are_pages = _are_pages([[entry[2]] for entry in entries], most)
    if not are_pages or len({_title(entry[1]) for entry in entries}) < LEAST_LEADERS:
        return text, ""
    spans = [(0, 0), *((entry.end(1), entry.end()) for entry in entries), (len(text), len(text))]
    pieces = [text[end:start] for (_, end), (start, _) in pairwise(spans)]
    return "".join(pieces), "\n".join(entry[2] for entry in entries)


def _title(line: str) -> str:
    """Return a heading without its number."""
    return line.strip().lstrip("0123456789.\t ")


def with_index_terms(text: str, term_of: Callable[[str], str | None]) -> str:
    """Return a text with the entries of its index replaced by their terms.

    An index is recognised by its headings: lines of one letter each, in alphabetical order. `term_of` returns the term
    of a line that is an entry, None for any other line.
    """
    indexes = _indexes(text)
    if not indexes:
        return text
    lines = text.split("\n")
    result = list(lines)
    for start, stop in indexes:
        terms: dict[int, str] = {}
        filled = since_entry = 0  # lines that are not blank: all, and those after the last entry
        for line_number in range(start, stop):
            if (term := term_of(lines[line_number])) is not None:
                terms[line_number] = term
            since_entry = 0 if line_number in terms else since_entry + bool(lines[line_number].strip())
            filled += bool(lines[line_number].strip())
            if since_entry > MOST_BETWEEN:  # the index has ended
                filled -= since_entry
                break
        if len(terms) >= max(LEAST_ENTRIES, ENTRY_SHARE * filled):
            for line_number, term in terms.items():
                result[line_number] = term
    return "\n".join(result)


def _indexes(text: str) -> list[tuple[int, int]]:
    """Return (start, stop) of each run of lines whose one-letter headings are in alphabetical order."""
    heads: list[tuple[int, str]] = []
    line_number = end = 0
    for line in _LETTER_LINE.finditer("\n" + text):
        if line.end() - line.start() - 1 <= MOST_AROUND:
            line_number, end = line_number + text.count("\n", end, line.start()), line.start()
            heads.append((line_number, line.group(1)))
    if len(heads) < LEAST_LETTERS:
        return []
    count = text.count("\n") + 1
    indexes: list[tuple[int, int]] = []
    first = 0
    for last, ((line_number, letter), (next_line, next_letter)) in enumerate(pairwise([*heads, (count, "")])):
        if next_letter.casefold() > letter.casefold() and next_line - line_number <= MOST_LINES_A_LETTER:
            continue
        if last + 1 - first >= LEAST_LETTERS:
            indexes.append((heads[first][0], min(line_number + MOST_LINES_A_LETTER, next_line)))
        first = last + 1
    return indexes


def _without_pages(line: str) -> str | None:
    """Return the term of an entry of a printed index; None for a line that does not end in page numbers."""
    pages = _PAGE_LIST.search(line.rstrip()) if len(line) <= 120 else None
    return line[: pages.start()] if pages else None
