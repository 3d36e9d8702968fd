"""Find footnotes, at the foot of a page in smaller type, and their marks; other formats store notes apart."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, starmap
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from dupfinder.text.document import OtherContent
from dupfinder.text.layout import EDGE_LINES
from dupfinder.text.pdf.annotations import Annotations, Link
from dupfinder.text.pdf.letters import has_leftward_words
from dupfinder.text.pdf.pdfium import REMOVED_SIGN, box_of, middle_of, size_and_height, whole_signs

# The mark of a footnote, at the beginning of a line and behind a word. Begins with one of few signs, for a fast search.
_RAISED_DIGITS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_FIRST_SIGN = f"[0-9*†‡§¶{_RAISED_DIGITS}]"
_SAME_SIGNS = rf"(?:(?<=\d)\d{{0,2}}|(?<=[*†‡§¶])[*†‡§¶]{{0,2}}|(?<=[{_RAISED_DIGITS}])[{_RAISED_DIGITS}]{{0,2}})"
# A line ends in \r\n, or in pdfium's sign for a hyphen; behind a raised mark, pdfium may break it before the words.
_NOTE = re.compile(rf"[\n\ufffe][ \t]*({_FIRST_SIGN}{_SAME_SIGNS})[ \t.)]*(?:\r\n[ \t]*)?(?=\S)")
_LINE = re.compile(rf"(?:(?<=[\n\ufffe]){_FIRST_SIGN}{_SAME_SIGNS}\r\n(?=[^\r\n]))?[^\r\n\ufffe]+\ufffe?")
_REFERENCE = re.compile(rf"({_FIRST_SIGN}(?:(?<=[^\s\d].)|(?<=\S[ \t].)){_SAME_SIGNS})(?![A-Za-z\d])")
_LINKED_MARK = re.compile(rf"\[?(?:\d{{1,3}}|[ivxlc]{{1,5}}|[a-z*†‡§¶]|[{_RAISED_DIGITS}]{{1,3}})\]?")
_LONGEST_MARK = 6  # signs, with one bracket
_VISIBLE = re.compile(r"\S")
_LETTER = re.compile(r"[^\W\d_]")
SMALLER = 0.98  # greatest size of the letters of a footnote, as a share of those of the text: 10 points of 10.5
RAISED_BY = 0.1  # least share of a letter's size by which the mark behind it is raised
SUPERIOR = 0.25  # least share of the size by which a superior figure of a font is above the line; others are on it
SPACING = 2  # greatest distance from a line of a footnote to the next, in sizes of its letters
_MARKS_SEEN = 3  # with the same sign, of which smaller type has the first ones
MARKED_WORDS = 20  # characters before the mark of a footnote, stored with it to say where it is


class _PageLine(NamedTuple):
    """A line of a page.

    start, end: its span in the text of the page.
    size, height: the size of its letters, and its height on the page, in points.
    mark:  the mark of a footnote with which it begins; "" if there is none. is_raised: whether the mark is raised.
    words: where the text behind the mark begins.
    """

    start: int
    end: int
    size: float
    height: float
    mark: str
    is_raised: bool
    words: int

    def continues(self, before: _PageLine) -> bool:
        """Tell whether this line is right below another one in the same type."""
        is_same_type = SMALLER * before.size <= self.size <= before.size / SMALLER
        return is_same_type and 0 < before.height - self.height <= SPACING * before.size


def without_footnotes(text: str, textpage: Any, links: Iterable[Link], annotations: Annotations) -> str:
    """Return the text of a page without its footnotes and the marks of notes; add the footnotes to `annotations`.

    links: of the page.

    Other formats store notes apart from the text. A footnote is near the foot of the page, in smaller type than the
    line above it that has its mark, raised; in the same type, if its own mark is raised too. A raised mark that leads
    to another place in the document is that of a note, wherever the note is. On a page with words from right to left,
    REMOVED_SIGN is in place of each of these signs, so that all others keep their indexes.
    """
    if raw.FPDFText_CountChars(textpage) != len(text):
        return text
    cuts = _footnotes(text, textpage, annotations)
    for start, end in dict.fromkeys(_linked_marks(text, textpage, links)):
        annotations.other.add(OtherContent.HEADERS, whole_signs(text[max(0, start - MARKED_WORDS) : end]))
        cuts.append((start, end))
    pieces, last, is_leftward = [], 0, has_leftward_words(text)
    for start, end in sorted(cuts):
        pieces += [text[last:start], REMOVED_SIGN * (end - max(last, start)) if is_leftward else ""]
        last = max(last, end)
    return "".join([*pieces, text[last:]])


def _footnotes(text: str, textpage: Any, annotations: Annotations) -> list[tuple[int, int]]:
    """Return the spans of the footnotes of a page and of their marks; add the footnotes to `annotations`."""
    begun = {note.start() + 1: note for note in _NOTE.finditer(text)}
    on_line = {note[1] for note in begun.values() if text[note.end(1)].isalpha()}
    sought = {note[1] for note in begun.values()}
    marks = [mark for mark in _REFERENCE.finditer(text) if mark[1] in sought] if begun else []
    sizes = {mark: size for mark in marks if (size := _size_below(mark, textpage, on_line))}
    if not sizes:
        return []
    lines = [_page_line(line, begun.get(line.start()), textpage) for line in _LINE.finditer(text)]
    marks_of = _marks_of_notes(lines, sizes)
    is_smaller = {number: lines[number].size < SMALLER * sizes[mark] for number, mark in marks_of.items()}
    at_foot = _at_foot(lines, is_smaller, is_later=bool(annotations.footnotes))
    cuts = [mark.span(1) for number, mark in marks_of.items() if number in at_foot]
    for start, end in cuts:
        annotations.other.add(OtherContent.HEADERS, whole_signs(text[max(0, start - MARKED_WORDS) : end]))
    for number in at_foot:
        line = lines[number]
        annotations.footnotes.append(whole_signs(text[line.words if number in marks_of else line.start : line.end]))
        cuts.append((line.start, line.end))
    return cuts


def _linked_marks(text: str, textpage: Any, links: Iterable[Link]) -> Iterator[tuple[int, int]]:
    """Yield the spans of raised marks that lead to another place in the document."""
    for link in links:
        if link.address is not None:
            continue
        left, right, bottom, top = link.box
        around = (right - left) / 2, (top - bottom) / 2
        index = raw.FPDFText_GetCharIndexAtPos(textpage, *link.box.middle, *around)
        if index < 0:
            continue
        near = list(_VISIBLE.finditer(text, max(0, index - _LONGEST_MARK), index + _LONGEST_MARK))
        # Few positions are asked for: both outermost signs are in most links.
        ends = [
            next((sign for sign in signs if left < middle_of(textpage, sign.start())[0] < right), None)
            for signs in (near, reversed(near))
        ]
        mark = _LINKED_MARK.fullmatch(text, ends[0].start(), ends[1].end()) if ends[0] and ends[1] else None
        if mark and _is_raised(mark, textpage):
            yield mark.span()


def _is_raised(mark: re.Match[str], textpage: Any) -> bool:
    """Tell whether a mark is raised beside the sign before or behind it in its line."""
    before, behind = len(mark.string[: mark.start()].rstrip()) - 1, _VISIBLE.search(mark.string, mark.end())
    digit = mark.start() + (mark[0][0] == "[")
    top = size_and_height(textpage, digit)[1]
    for index in (before, behind.start() if behind else -1):
        size, height = size_and_height(textpage, index) if index >= 0 else (0, 0)
        if abs(top - height) < size and is_mark_raised(textpage, digit, size, height):
            return True
    return False


def _size_below(mark: re.Match[str], textpage: Any, on_line: Set[str]) -> float:
    """Return the size of the letter before a mark; 0 if the mark is not raised.

    on_line: marks that need not be raised if they are alone, since a word follows the footnote's mark without a space.
    """
    text, start = mark.string, mark.start()
    is_behind_space = text[start - 1].isspace()  # which has the size 1, if pdfium saw a gap
    size, height = size_and_height(textpage, start - 1 - is_behind_space)
    is_alone = is_behind_space and text[mark.end() : mark.end() + 1].isspace()
    if mark[1][0] in _RAISED_DIGITS or (is_alone and mark[1] in on_line):
        return size
    return size if is_mark_raised(textpage, start, size, height) else 0


def is_mark_raised(textpage: Any, mark: int, size: float, height: float) -> bool:
    """Tell whether a mark is raised: smaller and higher than text of this size and height, or a superior figure."""
    of_mark, top = size_and_height(textpage, mark)
    if of_mark < SMALLER * size and top - height > RAISED_BY * size:
        return True
    is_figure = chr(raw.FPDFText_GetUnicode(textpage, mark)).isdigit()
    return is_figure and box_of(textpage, mark).bottom - height > SUPERIOR * size > 0


def _page_line(line: re.Match[str], note: re.Match[str] | None, textpage: Any) -> _PageLine:
    """Return a line of a page. note: a match of _NOTE, if the line begins as a footnote does."""
    words = note.end() if note else line.start()
    letter = _LETTER.search(line.string, words, line.end())
    size, height = size_and_height(textpage, letter.start() if letter else words)
    mark, is_raised = note[1] if note else "", False
    if note:
        is_raised = mark[0] in _RAISED_DIGITS or is_mark_raised(textpage, note.start(1), size, height)
    return _PageLine(*line.span(), size, height, mark, is_raised, words)


def _marks_of_notes(lines: Sequence[_PageLine], sizes: dict[re.Match[str], float]) -> dict[int, re.Match[str]]:
    """Return the marks of possible footnotes, by the numbers of the lines at which the footnotes begin.

    Marks are in the order of their footnotes; other numbers, such as powers, may be raised too.
    sizes: the size of the text at each mark.
    """
    marks: dict[int, re.Match[str]] = {}
    by_sign: dict[str, list[re.Match[str]]] = {}  # the last first
    for mark in reversed(sizes):
        by_sign.setdefault(mark[1], []).append(mark)
    last = 0
    for number, line in enumerate(lines):
        same = by_sign.get(line.mark, [])
        while same and same[-1].start() < last:
            same.pop()
        most = 1 if line.is_raised else SMALLER
        larger = [mark for mark in same[: -_MARKS_SEEN - 1 : -1] if line.size <= most * sizes[mark]]
        if larger and larger[0].end() < line.start:
            marks[number] = larger[0]
            same.remove(larger[0])
            last = larger[0].end()
    return marks


def _at_foot(lines: Sequence[_PageLine], begins: Mapping[int, bool], is_later: bool) -> dict[int, None]:
    """Return the numbers of the lines of footnotes. At most EDGE_LINES lines of the page are below a footnote.

    begins: the numbers of the lines that may begin a footnote, and whether it is in smaller type than the text.
    is_later: whether earlier pages have footnotes: the last may continue above the first here, in smaller type.
    """
    runs: list[tuple[int, int]] = []  # the first line, and the line after the last
    for number, line in enumerate(lines):
        if runs and runs[-1][1] == number and line.continues(lines[number - 1]):
            runs[-1] = runs[-1][0], number + 1
        elif number in begins:
            first = number
            while is_later and begins[number] and first and lines[first].continues(lines[first - 1]):
                first -= 1
            runs.append((first, number + 1))
    heights = sorted(line.height for line in lines)
    feet = (run for run in runs if bisect_left(heights, lines[run[1] - 1].height) <= EDGE_LINES)
    return dict.fromkeys(chain.from_iterable(starmap(range, feet)))
