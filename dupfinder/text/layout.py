"""From printed pages to running text: remove running heads, page numbers and line numbers."""

from __future__ import annotations

import re
import string
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice, pairwise, takewhile
from typing import NamedTuple

from dupfinder.text.contents import LEAST_PAGE_LINES, without_page_numbers
from dupfinder.text.document import OtherContent, OtherHashes, letter_count
from dupfinder.text.lines import NUMBER, joined_lines, running_text, value_of, with_spaced_numbers


def text_of_pages(pages: list[list[str]], other: OtherHashes, footnotes: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return (the running text of printed pages, their running heads). pages: the lines of each page.

    Words divided at line ends, and lines, are joined. Running heads, page numbers and line numbers are left out and
    added to `other`. footnotes: the lines of footnotes, which follow the text.
    """
    lines, numbers = _without_numbers_of_lines(pages)
    body, heads = split_running_heads(lines)
    with_numbers = joined_lines([*body, footnotes])
    without_numbers = without_page_numbers(with_numbers, len(pages))
    # A text with page numbers is added whole: any change of them shows.
    for part in (*heads, *numbers, *([with_numbers] if without_numbers != with_numbers else ())):
        other.add(OtherContent.HEADERS, part)
    return running_text(with_spaced_numbers(without_numbers)), heads


def _without_numbers_of_lines(pages: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without line numbers, these numbers). They are at the beginnings of lines, or stored apart."""
    lines, numbers = without_line_numbers([line for page in pages for line in page])
    if not numbers:
        return without_margins(pages)
    rest = iter(lines)
    return [list(islice(rest, len(page))) for page in pages], numbers


EDGE_LINES = 3
LEAST_PAGES = 3  # a line that repeats on fewer pages may do so by chance
BACK = 2  # pages from a head to the one that it continues: left and right pages may have different ones
CHAPTERED_SHARE = 0.25  # least share of the pages with heads of chapters
LONGEST_HEAD = 60  # characters of a line that are compared with a heading, and twice those of the heading
_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation + string.whitespace + "\u00a0§·–—“”„’…、：（）《》"))
_SPECKS = re.compile(r"(?:[^\w#\n]|_)+")  # spaces and signs
HEAD_LETTERS, NAME_LETTERS = 8, 4  # least letters of what two heads share, and of the section that one of them names
# "12", "- 12 -", "Page 12 of 40", "Seite 12", "第 12 页", "Report 2 of May    12"; the first number is used
_COUNTING = re.compile(
    r"\n[^\S\n]*+(?>(?:[-–—|\[(][^\S\n]*+)?)(?>(?:[^\W\d_]{1,12}+\.?+[^\S\n]*+)?)(\d{1,5})\b[^.!?\n]{0,20}$", re.M
)
_PAGE_FOOT = re.compile(r"\[[^\W\d_]{1,12} (\d{1,5})\]$", re.M)  # "[Page 12]" behind names or a title
LONGEST_COUNTING = 120  # characters of such a line
# What browsers print at the edges: "1/2" or "1 of 2", an address, a date with the time.
_PAGE_OF = re.compile(r"(?<!\S)(\d{1,4})(?:/| of )(\d{1,4})(?!\S)")
_ADDRESS = re.compile(r"(?:https?|file)://\S")
_MOMENT = re.compile(r"(?<!\S)\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d{2}")
LEAST_NUMBERED = 10  # numbered lines; fewer may be a list
NUMBERED_SHARE = 0.5  # least share of a text's lines that are numbered; half of it among its first SAMPLED_LINES
SAMPLED_LINES = 100
# Least share of the numbered lines that continue a sentence: they begin with a small letter, unlike entries of a list.
CONTINUED_SHARE = 0.3
MOST_SKIPPED = 3  # numbers in a row that are not at the beginnings of lines
_LINE_NUMBER = re.compile(r"[ \t]*+(\d{1,6})(?:[ \t:|]++|$)")


def split_running_heads(pages: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without running heads, the different lines that were removed).

    A running head is among the first or last lines of a page, and one of these holds:
    - It is the same, apart from numbers, on at least three pages and a tenth of all. A line that occurs as often
      elsewhere, such as "Article 6", is a heading or a cell instead.
    - It is the same on at least three pages, and an Arabic or Roman number in it rises with the pages.
    - There are two pages, and both begin or end with it.
    - A browser printed it, on each page.
    - It names a chapter, see `_heads_of_chapters`.
    """
    least = max(LEAST_PAGES, len(pages) // 10)
    edges = [_edges(page) for page in pages]
    printed = lines_by_browser(pages, edges)
    counts = Counter(key for edge in edges for key in {*edge.top.values(), *edge.bottom.values()})
    counters = Counter(key for number, edge in enumerate(edges) for key in edge.page_counters(pages[number], number))
    repeated = {key for key, count in counts.items() if count >= least} | _heads_of_both(pages, edges)
    named = {key for key in repeated if key.strip("#")}
    lines = _counts_of(named, pages) if named else Counter()
    repeated -= {key for key in named if lines[key] >= 2 * counts[key]}
    counting = {key for (key, _), count in counters.items() if count >= LEAST_PAGES}
    dropped = [edge.running_heads(repeated | counting) | printed[number] for number, edge in enumerate(edges)]
    body: list[list[str]] = []
    removed: dict[str, None] = {}
    for page, heads, chapters in zip(pages, dropped, _heads_of_chapters(pages, dropped), strict=True):
        drop = heads | chapters
        body.append([line for line_number, line in enumerate(page) if line_number not in drop] if drop else list(page))
        removed.update(dict.fromkeys(page[line_number] for line_number in sorted(drop)))
    return body, list(removed)


def _counts_of(keys: Set[str], pages: Sequence[Sequence[str]]) -> Counter[str]:
    """Count the lines of pages in their masked form, at least those that are among `keys`.

    Lines that begin like none of these are not masked: that takes long.
    """
    firsts = {key[0] for key in keys}
    may_be_number = "#" in firsts
    chosen = (
        line
        for page in pages
        for line in page
        if (first := line[:1]) in firsts
        or not first.isalnum()
        or (may_be_number and (first.isdecimal() or first.lower() in "ivxlc"))
    )
    return Counter(masked("\n".join(chosen)).split("\n"))


def without_heads_of_slides(slides: str) -> tuple[str, str]:
    """Return (a text without the running heads of its slides, these), as their PDF has it. A form feed begins a slide.

    Heads that were put into boxes of their own are not told from other boxes in the file.
    """
    body, heads = split_running_heads([slide.split("\n") for slide in slides.strip("\f").split("\f")])
    return "".join("\n".join(lines) for lines in body), "\n".join(heads)


def _heads_of_both(pages: Sequence[Sequence[str]], edges: Sequence[_PageEdges]) -> set[str]:
    """Return the masked lines with which both of two pages begin or end; their numbers are equal or rise by one."""
    if len(pages) != 2:
        return set()
    heads: set[str] = set()
    for sides in ([edge.top for edge in edges], [edge.bottom for edge in edges]):
        for numbers in zip(*sides, strict=False):
            lines = [page[number] for page, number in zip(pages, numbers, strict=True)]
            first, second = ([value_of(number) for number in NUMBER.findall(line)] for line in lines)
            if masked(lines[0]) != masked(lines[1]) or {
                after - before for before, after in zip(first, second, strict=True)
            } - {0, 1}:
                break
            heads.add(masked(lines[0]))
    return heads


def _heads_of_chapters(pages: Sequence[Sequence[str]], left_out: Sequence[set[int]]) -> list[set[int]]:
    """Return for each page the numbers of the lines that repeat a head, with a chapter's name, of the two pages before.

    A first or last line repeats a head if it has no other words (`_rest_of_head`), or if its other words begin another
    line, as the heading of a section does. At least a quarter of the pages must have such lines, unless the head was
    removed from a page before. The first line of each head stays, so that no word is lost. left_out: for each page the
    lines that were removed.
    """
    heads: list[set[int]] = [set() for _ in pages]
    edges = [_outer_lines(page, drop) for page, drop in zip(pages, left_out, strict=True)]
    least = max(LEAST_PAGES, CHAPTERED_SHARE * len(pages))

    @cache
    def inner_lines() -> list[str]:
        """Return all lines that are not the first or last of a page, in their plain form, sorted."""
        outer = [{line for lines in both for line in lines[:1]} for both in edges]
        rest = zip(pages, outer, strict=True)
        return sorted(
            _plain(line[:LONGEST_HEAD]) for page, drop in rest for number, line in enumerate(page) if number not in drop
        )

    for side in range(2):
        words = [[page[line].split() for line in both[side]] for page, both in zip(pages, edges, strict=True)]
        continued = list(_continued(words))
        if len(continued) >= least:
            lines = {number: pages[number][edges[number][side][0]] for number, _ in continued}
            named = {
                number
                for number, rest in continued
                if (
                    _begins_a_line(rest, lines[number], inner_lines)
                    if rest
                    else not _is_frequent(lines[number], inner_lines)
                )
            }
            for number in named if len(named) >= least else ():
                heads[number].add(edges[number][side][0])
        _add_continued(heads, pages, edges, left_out, side, inner_lines)
    return heads


def _add_continued(
    heads: Sequence[set[int]],
    pages: Sequence[Sequence[str]],
    edges: Sequence[tuple[list[int], list[int]]],
    left_out: Sequence[set[int]],
    side: int,
    inner_lines: Callable[[], list[str]],
) -> None:
    """Add to `heads` each outermost line that continues a head removed from one of the two pages before.

    edges: for each page its outer lines. left_out: for each page the lines that were removed. side: 0 for the top.
    """
    for number, page in enumerate(pages):
        for back in range(1, min(BACK, number) + 1) if edges[number][side] else ():
            before = edges[number - back]
            for head in left_out[number - back] | heads[number - back] if before[0] else ():
                if head >= before[1][0] if side else head <= before[0][0]:
                    line = page[edges[number][side][0]]
                    rest = _rest_of_head(line.split(), pages[number - back][head].split(), back)
                    if rest is not None and (not rest or _begins_a_line(rest, line, inner_lines)):
                        heads[number].add(edges[number][side][0])


def _continued(edges: Sequence[Sequence[list[str]]]) -> Iterator[tuple[int, str]]:
    """Yield (page, rest of its head) where the head of an earlier page is continued.

    edges: of each page the words of its first, or last, two lines; the head is at the edge. Pages that share the other
    line too are copies of a form, or one slide in several states.
    """
    for number, lines in enumerate(edges):
        for back in range(1, min(BACK, number) + 1):
            earlier = edges[number - back]
            if lines and earlier and lines[1:] != earlier[1:]:
                rest = _rest_of_head(lines[0], earlier[0], back)
                if rest is not None:
                    yield number, rest


def _outer_lines(page: Sequence[str], left_out: set[int]) -> tuple[list[int], list[int]]:
    """Return the numbers of the first two and of the last two lines of a page, from the edge inwards."""
    first, last = (
        list(islice((line for line in lines if page[line].strip() and line not in left_out), 2))
        for lines in (range(len(page)), reversed(range(len(page))))
    )
    return first, last


def _rest_of_head(line: list[str], earlier: list[str], back: int) -> str | None:
    """Return what a line says beside the words that it shares with an earlier head; None if it shares too little.

    line, earlier: words. They share their first words, or their last ones. back: pages from the head to the line. A
    number at an end of both that rises with the pages is no word.
    """
    for end, others in ((0, slice(1, None)), (-1, slice(-1))):
        both = [words[end] for words in (line, earlier) if words and words[end].isdecimal()]
        if len(both) == 2 and value_of(both[0]) == value_of(both[1]) + back:
            line, earlier = line[others], earlier[others]
    for step in (1, -1):
        words, before = line[::step], earlier[::step]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, before, strict=False)))
        if (same > 1 or same == len(words) == len(before)) and letter_count("".join(words[:same])) >= HEAD_LETTERS:
            return " ".join(words[same:][::step])
    return None


def _begins_a_line(rest: str, head: str, sorted_lines: Callable[[], list[str]]) -> bool:
    """Tell whether some line in plain form begins with the other words of a head, which may be cut off.

    The number before the head may be that of the page or that of the section.
    """
    number = head.split()[0]
    for name in (rest, f"{number} {rest}") if number.isdecimal() else (rest,):
        beginning = _plain(name.partition("…")[0])[: LONGEST_HEAD // 2]
        first = bisect_left(sorted_lines(), beginning)
        is_name = letter_count(beginning) >= NAME_LETTERS
        if is_name and any(line.startswith(beginning) for line in sorted_lines()[first : first + 1]):
            return True
    return False


def _is_frequent(line: str, sorted_lines: Callable[[], list[str]]) -> bool:
    """Tell whether a line occurs more than once among some lines in plain form, as cells of tables do."""
    plain = _plain(line[:LONGEST_HEAD])
    return bisect_right(sorted_lines(), plain) - bisect_left(sorted_lines(), plain) > 1


def _plain(line: str) -> str:
    """Return a line without case, white space and punctuation."""
    return line.translate(_PUNCTUATION).casefold()


@dataclass(frozen=True, slots=True)
class _PageEdges:
    """The first and last lines of a page that are not blank.

    top, bottom: line number to masked line, from the edge inwards. filled: lines of the page that are not blank.
    """

    top: dict[int, str]
    bottom: dict[int, str]
    filled: int

    def page_counters(self, page: Sequence[str], number: int) -> set[tuple[str, int]]:
        """Return (masked line, the first or last number in it minus the number of the page) of each edge line.

        Lines that count pages give the same pair on each page.
        """
        pairs: set[tuple[str, int]] = set()
        for line_number, key in {**self.top, **self.bottom}.items():
            numbers = NUMBER.findall(page[line_number])
            pairs.update((key, value_of(text) - number) for text in (*numbers[:1], *numbers[-1:]))
        return pairs

    def running_heads(self, repeated: set[str]) -> set[int]:
        """Return the numbers of the lines to remove: from each edge inwards while lines are in `repeated`."""
        drop: set[int] = set()
        for edge in (self.top, self.bottom):
            drop.update(line_number for line_number, _ in takewhile(lambda item: item[1] in repeated, edge.items()))
        # Pages that share most of their lines are copies of a form; the shared lines are not running heads.
        return drop if len(drop) <= self.filled // 2 else set()


def lines_by_browser(pages: Sequence[Sequence[str]], edges: Sequence[_PageEdges] | None = None) -> list[set[int]]:
    """Return for each page the numbers of the lines that a browser printed around it; none if a page lacks them.

    A line counts the pages and has the time or the address; another ends with the address or begins with the time.
    edges: of the pages, if they are known.
    """
    printed: list[set[int]] = []
    for number, edge in enumerate(edges or map(_edges, pages), 1):
        lines = {line_number: pages[number - 1][line_number] for line_number in (*edge.top, *edge.bottom)}
        counting = {
            line_number
            for line_number, line in lines.items()
            if any(match.groups() == (str(number), str(len(pages))) for match in _PAGE_OF.finditer(line))
            and (_ADDRESS.search(line) or _MOMENT.search(line))
        }
        with_moment = any(_MOMENT.search(lines[line_number]) for line_number in counting)
        others = {
            line_number
            for line_number, line in lines.items()
            if (_ADDRESS.search(line.split()[-1]) if with_moment else _MOMENT.match(line))
        }
        if not counting:
            return [set() for _ in pages]
        printed.append(counting | others)
    return printed


def may_be_numbered(lines: Sequence[str]) -> bool:
    """Tell whether numbers in the margin may count the lines of a text, by the first SAMPLED_LINES."""
    first = list(filter(str.strip, lines[:SAMPLED_LINES]))
    return 2 * sum(map(bool, map(_LINE_NUMBER.match, first))) >= NUMBERED_SHARE * len(first)


def without_line_numbers(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (lines without the numbers that count them in the margin, the numbers)."""
    if not may_be_numbered(lines):
        return list(lines), []
    counted = _counted(lines, MOST_SKIPPED)
    numbers_counted = [int(match.group(1)) for _, match in counted]
    skips = sum(second - first not in (1, 1 - first) for first, second in pairwise(numbers_counted))
    if 10 * skips > len(counted):  # a list of chosen numbers, or of amounts, does not count lines
        counted = _counted(lines, 0)
    filled = sum(1 for line in lines if line and not line.isspace())
    continued = sum(lines[line_number][match.end() :][:1].islower() for line_number, match in counted)
    is_from_one = counted and int(counted[0][1].group(1)) <= 1  # articles of a price list may count up from any number
    are_few = len(counted) < max(LEAST_NUMBERED, NUMBERED_SHARE * filled)
    if not is_from_one or are_few or continued < CONTINUED_SHARE * len(counted):
        return list(lines), []
    result = list(lines)
    for line_number, match in counted:
        result[line_number] = lines[line_number][match.end() :]
    numbers = [match.group(1) for _, match in counted]
    for (start, first), (end, second) in pairwise((line_number, int(match.group(1))) for line_number, match in counted):
        for number in range(first + 1, second if second - first <= 1 + MOST_SKIPPED else 0):
            numbers += _without_number(result, start, end, str(number))
    return result, numbers


def _counted(lines: Sequence[str], skipped: int) -> list[tuple[int, re.Match[str]]]:
    """Return the numbers at the beginnings of lines that may count them, each with the place of its line.

    skipped: so many numbers may be missing between two of these.
    """
    counted: list[tuple[int, re.Match[str]]] = []
    last, before = -1, -1  # that counts a line; at the beginning of a line
    for line_number, line in enumerate(lines):
        if (match := _LINE_NUMBER.match(line)) is not None:
            number = int(match.group(1))
            # The lines of each page may be counted from 1.
            if number in (before + 1, 1) or (skipped and last < number <= last + 1 + skipped):
                counted.append((line_number, match))
                last = number
            before = number
    return counted


def _without_number(lines: list[str], start: int, end: int, number: str) -> list[str]:
    """Remove a number that counts a line, if it is once among some lines, as beside a raised sign; return it."""
    places = [line for line in range(start, end) for word in lines[line].split() if word == number]
    if len(places) != 1:
        return []
    lines[places[0]] = re.sub(rf"(?<!\S){number}(?!\S)[ \t]?", "", lines[places[0]], count=1)
    return [number]


def without_margins(pages: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without margins of line numbers, these numbers).

    Many programs store such a margin in one piece, before or after all lines of its page.
    """
    margins = [_margin(page) for page in pages]
    numbers = [page[line] for page, margin in zip(pages, margins, strict=True) for line in margin]
    if len(numbers) < LEAST_NUMBERED:
        return pages, []
    rest = zip(pages, margins, strict=True)
    return [[line for number, line in enumerate(page) if number not in margin] for page, margin in rest], numbers


def _margin(page: Sequence[str]) -> range:
    """Return which lines of a page are its margin of line numbers, near its beginning or end."""
    values = [int(line) if line.isdecimal() and len(line) < 6 else 0 for line in page]
    steps = [max(0, after - before) if before else 0 for before, after in pairwise(values)]
    runs = (list(run) for step, run in groupby(range(len(steps)), steps.__getitem__) if step)
    longest = max(runs, key=len, default=[])
    if len(longest) < LEAST_PAGES:
        return range(0)
    margin = range(longest[0], longest[-1] + 2)
    others = sum(map(bool, page)) - len(margin)
    is_at_edge = margin.start <= EDGE_LINES or margin.stop >= len(page) - EDGE_LINES
    counts_lines = steps[margin.start] * len(margin) >= NUMBERED_SHARE * others
    return margin if is_at_edge and counts_lines else range(0)


def _edges(page: Sequence[str]) -> _PageEdges:
    """Return the edge lines of a page."""
    filled = [line_number for line_number, line in enumerate(page) if line and not line.isspace()]
    top, bottom = filled[:EDGE_LINES], filled[::-1][:EDGE_LINES]
    return _PageEdges(
        {line_number: masked(page[line_number]) for line_number in top},
        {line_number: masked(page[line_number]) for line_number in bottom},
        len(filled),
    )


def masked(line: str) -> str:
    """Return a line, or several, with its numbers masked, without spaces and signs, which specks on scans become."""
    return _SPECKS.sub("", NUMBER.sub("#", line))


def without_page_breaks(text: str) -> tuple[str, list[str]]:
    """Return (text, running heads) of a text file laid out in pages for printing; other texts are returned unchanged.

    Pages end at form feeds, or at a line that repeats with a number that rises by 1 each time.
    """
    pages = text.removesuffix("\n").removesuffix("\f").split("\f") if "\f" in text else _numbered_pages(text)
    if len(pages) < LEAST_PAGES and "\f" not in text:
        return text, []
    body, running_heads = split_running_heads([page.split("\n") for page in pages])
    return "\n".join("\n".join(page) for page in body), running_heads


def _numbered_pages(text: str) -> list[str]:
    """Split a text after each line that counts pages; one piece if there is no such line."""
    padded = "\n" + text
    for pattern in (_COUNTING, _PAGE_FOOT):
        marks_of: dict[str, list[_PageMark]] = {}
        line_number = end = 0
        for line in pattern.finditer(padded):
            start, stop = line.start(), line.end() - 1  # in `text`: the line break before the line is not counted
            if stop - start <= LONGEST_COUNTING and not _is_underlined(padded, line):
                line_number, end = line_number + text.count("\n", end, start), start
                key = NUMBER.sub("#", line.group().strip(), count=1)
                marks_of.setdefault(key, []).append(_PageMark(line_number, int(line.group(1)), stop))
        for marks in marks_of.values():
            if _counts_pages(marks):
                cuts = [-1, *(mark.end for mark in marks), len(text)]
                return [text[before + 1 : after] for before, after in pairwise(cuts)]
    return [text]


def _is_underlined(text: str, line: re.Match[str]) -> bool:
    """Tell whether a line is a title, such as "Step 1": the next one has a sign below each of its letters."""
    title, start = line.group().strip(), line.end() + 1
    below = text[start : start + len(title) + 1].rstrip("\n")
    return len(below) == len(title) and len(set(below)) == 1 and not below[0].isalnum()


class _PageMark(NamedTuple):
    """A line that may count pages: its place among the lines, the number in it, and where it ends in the text."""

    line_number: int
    page: int
    end: int


def _counts_pages(marks: Sequence[_PageMark]) -> bool:
    """Tell whether marks count pages: by 1, at even distances as long as pages, from a number that fits their place."""
    if len(marks) < LEAST_PAGES - 1 or marks[0].page > 1 + marks[0].line_number // LEAST_PAGE_LINES:
        return False
    steps = [(after.line_number - before.line_number, after.page - before.page) for before, after in pairwise(marks)]
    is_even = max(step for step, _ in steps) <= 2 * min(step for step, _ in steps)
    return is_even and all(rise == 1 and step >= LEAST_PAGE_LINES for step, rise in steps)
