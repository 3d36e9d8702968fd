"""From the layout of pages to running text: join lines, undo hyphens, remove running heads, page numbers, leaders."""

from __future__ import annotations

import re
import string
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, islice, pairwise, takewhile
from math import sqrt
from typing import NamedTuple

from dupfinder.text.document import OtherContent, OtherHashes

# Ideographs, kana, bopomofo and their full-width signs; Korean is written with spaces.
_EAST_ASIAN = (
    "[\u2e80-\u2fff\u3001-\u303f\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\uffe0-\uffef\U00020000-\U0003ffff]"
)
_EAST_ASIAN_LINE = re.compile(f"\n[ \t]*{_EAST_ASIAN}")
_EAST_ASIAN_BREAK = re.compile(  # not after a sentence, nor before the number of a list item
    f"[ \t\n](?<={_EAST_ASIAN}[ \t\n])(?<![。！？][ \t\n])(?:(?<=\n)|(?<!\n)[ \t]*\n)[ \t]*"
    f"(?={_EAST_ASIAN})(?![（]?[一二三四五六七八九十\\d]{{1,3}}[、）．])"
)
# A line end between two letters with a hyphen and another letter; the pattern begins with what is rarest.
_HYPHEN = re.compile(r"-(?<=[^\W\d_]{2}.)[ \t]*\n[ \t]*(?=[^\W\d_])")
_ANY_HYPHEN = re.compile(_HYPHEN.pattern.replace("-", "[-\u2010\u00ad]", 1))  # several times as slow as _HYPHEN
_WITHIN = re.compile(r"-(?<=[^\W\d_]{2}-)(?=[^\W\d_]{2})")  # a hyphen within a word
_SECOND_HALF = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(r"\n(?<=[^\W\d_]{4}\n)(?=[^\W\d_])")  # not after short words: "in" and "to" are not "into"
LONGEST_WORD = 100
NARROW = 40  # characters of a line of a narrow cell, at most
MOST_SOUGHT = 20  # words; to look for more in a text, it is faster to gather all of its words
_GLUED = re.compile(r"^(\d+(?:\.\d+)+)(?=[^\W\d_]{2})", re.M)
# A typed bullet: "   o  the first item".
_TYPED_MARK = re.compile(r"\n[ \t]*+o(?:[ \t]{2,}|\t|[ \t](?=[A-Z<\"']))(?=\S)")
_LONE_LETTER = re.compile(r"\w[ \t,;]+o[ \t]+\w")
_MAY_BE_LONE = re.compile(r"o(?<=[ \t,;]o)(?=[ \t])")  # finds the lines to search; many times as fast as _LONE_LETTER
MARKS_TO_WORDS = 10  # least number of lines that begin with "o" for each "o" within a line; with fewer, "o" is a word
_HANGUL_LINE = re.compile("\n[ \t]*[\uac00-\ud7a3]")
_HANGUL_BREAK = re.compile("(?<![\uac00-\ud7a3])([\uac00-\ud7a3]{1,20})[ \t]*\n[ \t]*([\uac00-\ud7a3]{1,20})")
_HANGUL_WORD = re.compile("[\uac00-\ud7a3]{2,40}")
LEAST_BREAKS = 10  # line ends between Korean letters; fewer do not show whether words are broken at line ends
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPACED = bytes(code if code > 127 or chr(code) in f"{string.ascii_letters}-" else ord(" ") for code in range(256))

# "Vor- und Nachteile": the hyphen stands for the end of a later word.
_JOINING_WORDS = "und oder bzw sowie bis als and or to y o e u et ou en of och eller"
_JOINING = frozenset(_JOINING_WORDS.split())
HYPHENATED_SHARE = 0.02  # of the lines; in texts with fewer, hyphens at line ends belong to the word


# ASCII's separators: readers write them behind each cell and row of a table, the last instead of a cell's words.
CELL_END, ROW_END, FILLED = "\x1f", "\x1e", "\x1d"
_END_OF_CELL = re.compile(f"[{CELL_END}{ROW_END}]")
_OF_CELLS = re.compile(rf"[^\W\d_]+|{CELL_END}+")
MOST_EMPTY = 100  # empty cells that readers write side by side; rows of a sheet may end with thousands
_BLANK = " \t\r\n\u00a0-‐‑‒–—−:="  # any dash says "nothing"; also the line below the heads of a table in Markdown


def text_of_pages(pages: list[list[str]], other: OtherHashes, footnotes: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return (the running text of printed pages, their running heads). pages: the lines of each page.

    Hyphens at line ends are undone and lines joined. Numbers of pages and lines are left out, and what is left out is
    added to `other`. footnotes: their lines, which follow the text.
    """
    lines, numbers = _without_numbers_of_lines(pages)
    body, heads = split_running_heads(lines)
    with_numbers = joined_lines([*body, footnotes])
    without_numbers = without_page_numbers(with_numbers, len(pages))
    # A text with page numbers is added whole: any change of them shows.
    for part in (*heads, *numbers, *([with_numbers] if without_numbers != with_numbers else ())):
        other.add(OtherContent.HEADERS, part)
    return running_text(part_numbers(join_broken(without_numbers))), heads


def _without_numbers_of_lines(pages: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without the numbers of their lines, the numbers); see `without_line_numbers`."""
    lines, numbers = without_line_numbers([line for page in pages for line in page])
    if not numbers:
        return without_margins(pages)
    rest = iter(lines)
    return [list(islice(rest, len(page))) for page in pages], numbers


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """Return the lines of all pages as one text, East Asian lines joined without a space."""
    return join_east_asian("\n".join("\n".join(page) for page in pages)).strip("\n")


def running_text(text: str) -> str:
    """Return laid-out lines as running text: words at line ends and East Asian lines joined, typed bullets removed."""
    return join_korean(join_east_asian(undo_hyphens(without_typed_marks(text))))


def part_numbers(text: str) -> str:
    """Insert the space that layout loses after section numbers: "12.11List of tools" to "12.11 List of tools"."""
    return _GLUED.sub(r"\1 ", text)


def join_east_asian(text: str) -> str:
    """Join lines that end and continue in ideographs or kana, without a space, if the first is no heading of the next.

    A line that was broken for want of room is not much shorter than the next one.
    """
    if text.isascii() or not _EAST_ASIAN_LINE.search(text):
        return text

    def joined(line_break: re.Match[str]) -> str:
        """Return what takes the place of a line break."""
        start, end = line_break.span()
        room = 2 * (start - text.rfind("\n", 0, start))
        return "" if text.find("\n", end, end + room) >= 0 or len(text) < end + room else line_break.group()

    return _EAST_ASIAN_BREAK.sub(joined, text)


def undo_hyphens(text: str) -> str:
    """Join words that were broken at line ends.

    If the text contains the joined word, or the word with its hyphen, within a line, that form is used. Otherwise a
    compound whose halves are both words of the text keeps its hyphen, as "region-wide" does, and so does a doubled
    half, as the Malay "surga-surga". All others are joined if most decided ones are or, if none is decided, if such
    line ends are frequent.
    """
    pattern = _ANY_HYPHEN if "\u2010" in text or "\u00ad" in text else _HYPHEN
    breaks = [line_break for line_break in pattern.finditer(text) if text[line_break.end()].islower()]
    halves: list[tuple[int, str, str]] = []
    for line_break in breaks:
        first = _word_before(text, line_break.start())
        second = _SECOND_HALF.match(text, line_break.end(), line_break.end() + LONGEST_WORD)
        if first and second and second.group() not in _JOINING:
            halves.append((line_break.start(), first.lower(), second.group().lower()))
    if not halves:
        return text
    known = _known(text, {before + hyphen + after for _, before, after in halves for hyphen in ("", "-")})
    hyphens = {position: "" for position, before, after in halves if before + after in known}
    kept = sum(f"{before}-{after}" in known for position, before, after in halves if position not in hyphens)
    joins = len(hyphens) > kept if hyphens else _breaks_often(text, len(breaks))
    unknown = {half for position, *both in halves if joins and position not in hyphens for half in both}
    parts = _known(pattern.sub("", text).replace("-", " "), unknown) if unknown else unknown
    for position, before, after in halves:
        doubles = len(before) > 3 and (after.startswith(before) or (len(after) > 3 and before.endswith(after)))
        is_kept = doubles or f"{before}-{after}" in known or (text[position] != "\u00ad" and {before, after} <= parts)
        hyphens.setdefault(position, "" if joins and not is_kept else "-")
    return pattern.sub(lambda line_break: hyphens.get(line_break.start(), line_break.group()), text)


def _breaks_often(text: str, breaks: int) -> bool:
    """Tell whether a text has more hyphens at line ends than it would have without broken words.

    breaks: their number. A line may end at each space and at each hyphen of a word.
    """
    lines, hyphens = text.count("\n"), len(_WITHIN.findall(text)) if "-" in text else 0
    by_chance = lines * hyphens / (len(text.split()) + hyphens)
    return breaks >= max(2.0, HYPHENATED_SHARE * lines, by_chance + 2 * sqrt(by_chance))  # two standard deviations


def join_broken(text: str) -> str:
    """Join words that narrow cells broke at line ends without a hyphen.

    A word is joined if the text contains it within a line, but its halves nowhere else; a half of one letter may be.
    """
    halves: list[tuple[int, str, str]] = []
    for line_break in _BREAK.finditer(text):
        position, end = line_break.span()
        before, after = position - text.rfind("\n", 0, position), text.find("\n", end, end + NARROW) - position
        if text[end].islower() and (before <= NARROW or after > 0 or end + NARROW > len(text)):
            second = _SECOND_HALF.match(text, end, end + LONGEST_WORD)
            halves.append((position, _word_before(text, position).lower(), second.group().lower() if second else ""))
    words = _known(text, {before + after for _, before, after in halves})
    halves = [half for half in halves if half[1] + half[2] in words]
    if not halves:
        return text
    counts: Counter[str] = Counter()
    for token, times in Counter(_tokens(text)).items():
        for word in _SECOND_HALF.findall(token.decode("utf-8", "surrogatepass")):
            counts[word] += times
    counts.subtract(half for _, *both in halves for half in both)
    breaks = [at for at, before, after in halves if not counts[before] and (not counts[after] or len(after) == 1)]
    return "".join(text[start + 1 : end] for start, end in pairwise([-1, *breaks, len(text)]))


def _word_before(text: str, end: int) -> str:
    """Return the letters right before a place; "" for none."""
    letters = _SECOND_HALF.match(text[max(0, end - LONGEST_WORD) : end][::-1])
    return letters.group()[::-1] if letters else ""


def _known(text: str, words: set[str]) -> set[str]:
    """Return which of some words in lower case a text contains, not counting parts of longer or hyphenated words."""
    if len(words) > MOST_SOUGHT:
        return words.intersection(_WORD.findall(b" ".join(set(_tokens(text))).decode("utf-8", "surrogatepass")))
    lower = text.lower()
    return {word for word in words if _is_word_of(lower, word)}


def _tokens(text: str) -> list[bytes]:
    """Return pieces of a text, in small letters and UTF-8, that have all of its words, with some signs beside them.

    Words are far fewer when each piece counts once, and only then searched for.
    """
    return text.lower().encode("utf-8", "surrogatepass").translate(_SPACED).split()


def _is_word_of(text: str, word: str) -> bool:
    """Tell whether a text contains a word other than as part of a longer or hyphenated word."""
    start = text.find(word)
    while start >= 0 and word not in _WORD.findall(text[max(0, start - 2) : start + len(word) + 2]):
        longer = _WORD.match(text, start)
        start = text.find(word, longer.end() if longer else start + 1)
    return start >= 0


def without_typed_marks(text: str) -> str:
    """Remove the letter "o" typed as a bullet before list items.

    "o" is also a word in some languages: a text that uses it within lines is returned unchanged.
    """
    padded = "\n" + text
    marks = _TYPED_MARK.findall(padded)
    lines = split_at_lines(text, (_MAY_BE_LONE,)) if marks else ()
    words = sum(len(_LONE_LETTER.findall(line)) for line, may_be_lone in lines if may_be_lone)
    if not marks or words * MARKS_TO_WORDS > len(marks):
        return text
    return _TYPED_MARK.sub("\n", padded)[1:]


def join_korean(text: str) -> str:
    """Join Korean words that were broken at line ends.

    If the text contains the joined word within a line, it is joined. Undecided breaks follow the majority of the
    others.
    """
    if text.isascii() or not _HANGUL_LINE.search(text):
        return text
    breaks = list(_HANGUL_BREAK.finditer(text))
    if len(breaks) < LEAST_BREAKS:
        return text
    known = {word for line in text.split("\n") for word in _HANGUL_WORD.findall(" ".join(line.split()[1:-1]))}
    verdicts: dict[int, bool | None] = {}  # None: the words within lines do not decide it
    for line_break in breaks:
        head, tail = line_break.groups()
        is_joined, is_apart = head + tail in known, head in known and tail in known
        verdicts[line_break.start()] = is_joined if is_joined != is_apart else None
    decided = Counter(verdicts.values())
    undecided = decided[True] > decided[False]

    def joined(line_break: re.Match[str]) -> str:
        """Return what takes the place of a line break and the letters around it."""
        verdict = verdicts[line_break.start()]
        return "".join(line_break.groups()) if verdict or (verdict is None and undecided) else line_break.group()

    return _HANGUL_BREAK.sub(joined, text)


EDGE_LINES = 3
MOST_HEAD_LINES = 12  # of a running head, with the head rows of a table that goes on
LEAST_PAGES = 3  # a line that repeats on fewer pages may do so by chance
LEAST_PAGE_LINES = 20
BACK = 2  # pages from a head to the one that it continues: left and right pages may have different ones
CHAPTERED_SHARE = 0.25  # least share of the pages with heads of chapters
LONGEST_NAME = 60  # characters by which a heading is known; half as many letters and digits are compared
_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation + string.whitespace + "\u00a0§·–—“”„’…、：（）《》"))
HEAD_LETTERS, NAME_LETTERS = 8, 4  # least letters of what two heads share, and of the section that one of them names
# "12", "- 12 -", "Page 12 of 40", "Seite 12", "第 12 页", "Report 2 of May    12"; the first number is used
_COUNTING = re.compile(
    r"\n[^\S\n]*+(?>(?:[-–—|\[(][^\S\n]*+)?)(?>(?:[^\W\d_]{1,12}+\.?+[^\S\n]*+)?)(\d{1,5})\b[^.!?\n]{0,20}$", re.M
)
_PAGE_FOOT = re.compile(r"\[[^\W\d_]{1,12} (\d{1,5})\]$", re.M)  # "[Page 12]" behind names or a title
LONGEST_COUNTING = 120  # characters of such a line
# An Arabic or Roman number; begins with a set of characters, for which the search is fast.
_NUMBER = re.compile(r"[\divxlcIVXLC](?:(?<=\d)\d*|(?<!\w.)[ivxlcIVXLC]{0,6}\b)")
# What browsers print at the edges: "1/2" or "1 of 2", an address, a date with the time.
_PAGE_OF = re.compile(r"(?<!\S)(\d{1,4})(?:/| of )(\d{1,4})(?!\S)")
_ADDRESS = re.compile(r"(?:https?|file)://\S")
_MOMENT = re.compile(r"(?<!\S)\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d{2}")
LEAST_NUMBERED = 10  # numbered lines; fewer may be a list
NUMBERED_SHARE = 0.5  # least share of a text's lines that are numbered; half of it among its first SAMPLED_LINES
SAMPLED_LINES = 100
# Least share of the numbered lines that continue a sentence: they begin with a small letter, unlike entries of a list.
CONTINUED_SHARE = 0.3
_LINE_NUMBER = re.compile(r"[ \t]*+(\d{1,6})(?:[ \t:|]++|$)")

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

LEAST_LETTERS = 4  # headings of one letter in alphabetical order; fewer may occur by chance
LEAST_ENTRIES = 10
ENTRY_SHARE = 0.5  # least share of an index's lines that are entries; the others are headings and wrapped entries
MOST_LINES_A_LETTER = 300
MOST_BETWEEN = 6  # lines between two entries
LEAST_LEADERS = 3  # lines of a table of contents
SHORTEST_PAGE = 500  # characters, on average
FALLING_SHARE = 0.25  # most page numbers lower than the one before, as where a list of figures begins again at page 1
MOST_AROUND = 11  # characters of a heading of one letter, with white space and marks of links
_AROUND = " \t\r\ufdd0\ufdd1\ufdd2"  # the last three mark links, see `link_marks`
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


def split_running_heads(pages: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without running heads, the different lines that were removed).

    Running heads are among the first or last lines of a page, and are the same, apart from numbers, on at least three
    pages and a tenth of all; or on at least three if their Arabic or Roman numbers rise with the pages. Or a browser
    printed them, on each page. Of two pages they are the first or last lines of both. A line that is as often
    elsewhere, such as "Article 6", is a heading or a cell. Or they name a chapter, see `_heads_of_chapters`. The head
    rows of a table may go on below them.
    """
    least = max(LEAST_PAGES, len(pages) // 10)
    edges = [_edges(page) for page in pages]
    printed = lines_by_browser(pages, edges)
    counts = Counter(key for edge in edges for key in {*edge.top.values(), *edge.bottom.values()})
    counted = Counter(count for number, edge in enumerate(edges) for count in edge.counts(pages[number], number))
    repeated = {key for key, count in counts.items() if count >= least} | _heads_of_both(pages, edges)
    if repeated:
        whole = "\n".join(line.strip() for page in pages for line in page)
        lines = Counter((masked(whole) if any("#" in key for key in repeated) else whole).split("\n"))
        repeated -= {key for key in repeated if key.strip("# ") and lines[key] >= 2 * counts[key]}
    counting = {key for (key, _), count in counted.items() if count >= LEAST_PAGES}
    dropped = [edge.running_heads(repeated | counting) | printed[number] for number, edge in enumerate(edges)]
    below = [edge.below(page, drop) for page, edge, drop in zip(pages, edges, dropped, strict=True)]
    of_tables = Counter(key for following in below for key in {*following.values()})
    for drop, following in zip(dropped, below, strict=True):
        drop.update(number for number, _ in takewhile(lambda item: of_tables[item[1]] >= least, following.items()))
    body: list[list[str]] = []
    removed: dict[str, None] = {}
    for page, heads, chapters in zip(pages, dropped, _heads_of_chapters(pages, dropped), strict=True):
        drop = heads | chapters
        body.append([line for line_number, line in enumerate(page) if line_number not in drop] if drop else list(page))
        removed.update(dict.fromkeys(page[line_number] for line_number in sorted(drop)))
    return body, list(removed)


def _heads_of_both(pages: Sequence[Sequence[str]], edges: Sequence[_Edges]) -> set[str]:
    """Return the masked lines with which both of two pages begin or end; their numbers are equal or rise by one."""
    if len(pages) != 2:
        return set()
    heads: set[str] = set()
    for sides in ([edge.top for edge in edges], [edge.bottom for edge in edges]):
        for places in zip(*sides, strict=False):
            lines = [page[place] for page, place in zip(pages, places, strict=True)]
            first, second = ([value_of(number) for number in _NUMBER.findall(line)] for line in lines)
            if masked(lines[0]) != masked(lines[1]) or {
                after - before for before, after in zip(first, second, strict=True)
            } - {0, 1}:
                break
            heads.add(masked(lines[0]))
    return heads


def _heads_of_chapters(pages: Sequence[Sequence[str]], left_out: Sequence[set[int]]) -> list[set[int]]:
    """Return for each page the numbers of the lines that continue the head of one of the two pages before.

    A first or last line continues a head if it has no other words (`_rest_of_head`), or if its other words begin
    another line, as the heading of a section does. A quarter of the pages have such lines. The head that is
    continued stays, so that no word is lost. left_out: for each page the lines not to look at.
    """
    heads: list[set[int]] = [set() for _ in pages]
    edges = [_outer_lines(page, drop) for page, drop in zip(pages, left_out, strict=True)]
    least = max(LEAST_PAGES, CHAPTERED_SHARE * len(pages))

    @cache
    def within() -> list[str]:
        """Return all lines that are not the first or last of a page, in their plain form, sorted."""
        outer = [{line for lines in both for line in lines[:1]} for both in edges]
        rest = zip(pages, outer, strict=True)
        return sorted(
            _plain(line[:LONGEST_NAME]) for page, drop in rest for number, line in enumerate(page) if number not in drop
        )

    for side in range(2):
        words = [[page[line].split() for line in both[side]] for page, both in zip(pages, edges, strict=True)]
        continued = list(_continued(words))
        if len(continued) >= least:
            lines = {number: pages[number][edges[number][side][0]] for number, _ in continued}
            named = {
                number
                for number, rest in continued
                if (_begins_one(rest, within) if rest else not _is_frequent(lines[number], within))
            }
            for number in named if len(named) >= least else ():
                heads[number].add(edges[number][side][0])
    return heads


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

    line, earlier: words. Shared are the first words of both, or the last ones. back: pages from the head to the line. A
    number at an end of both that rises with the pages is no word.
    """
    for end, others in ((0, slice(1, None)), (-1, slice(-1))):
        both = [words[end] for words in (line, earlier) if words and words[end].isdecimal()]
        if len(both) == 2 and value_of(both[0]) == value_of(both[1]) + back:
            line, earlier = line[others], earlier[others]
    for step in (1, -1):
        words, before = line[::step], earlier[::step]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, before, strict=False)))
        if (same > 1 or same == len(words) == len(before)) and _letter_count(words[:same]) >= HEAD_LETTERS:
            return " ".join(words[same:][::step])
    return None


def _begins_one(rest: str, sorted_lines: Callable[[], list[str]]) -> bool:
    """Tell whether some line in plain form begins with the other words of a head, which may be cut off."""
    beginning = _plain(rest.partition("…")[0])[: LONGEST_NAME // 2]
    if _letter_count(beginning) < NAME_LETTERS:
        return False
    place = bisect_left(sorted_lines(), beginning)
    return any(line.startswith(beginning) for line in sorted_lines()[place : place + 1])


def _is_frequent(line: str, sorted_lines: Callable[[], list[str]]) -> bool:
    """Tell whether a line occurs more than once among some lines in plain form, as cells of tables do."""
    plain = _plain(line[:LONGEST_NAME])
    return bisect_right(sorted_lines(), plain) - bisect_left(sorted_lines(), plain) > 1


def _plain(line: str) -> str:
    """Return a line without case, white space and punctuation."""
    return line.translate(_PUNCTUATION).casefold()


def _letter_count(words: Iterable[str]) -> int:
    """Return the number of letters; one of Chinese, Japanese or Korean says as much as two."""
    return sum(1 + (letter >= "\u2e80") for word in words for letter in word if letter.isalpha())


@dataclass(frozen=True, slots=True)
class _Edges:
    """The first and last lines of a page that are not blank.

    top, bottom: line number to masked line, from the edge inwards. filled: lines of the page that are not blank.
    """

    top: dict[int, str]
    bottom: dict[int, str]
    filled: int

    def counts(self, page: Sequence[str], number: int) -> set[tuple[str, int]]:
        """Return (masked line, the first or last number in it minus the number of the page) of each edge line.

        Lines that count pages give the same pair on each page.
        """
        pairs: set[tuple[str, int]] = set()
        for line_number, key in {**self.top, **self.bottom}.items():
            numbers = _NUMBER.findall(page[line_number])
            pairs.update((key, value_of(text) - number) for text in (*numbers[:1], *numbers[-1:]))
        return pairs

    def running_heads(self, repeated: set[str]) -> set[int]:
        """Return the numbers of the lines to remove: from each edge inwards while lines are in `repeated`."""
        drop: set[int] = set()
        for edge in (self.top, self.bottom):
            drop.update(line_number for line_number, _ in takewhile(lambda item: item[1] in repeated, edge.items()))
        # Pages that share most of their lines are copies of a form; the shared lines are not running heads.
        return drop if len(drop) <= self.filled // 2 else set()

    def below(self, page: Sequence[str], drop: set[int]) -> dict[int, str]:
        """Return the lines that may go on with a running head, as the head rows of a table do; {} if it ends before.

        drop: the numbers of the lines to remove.
        """
        if len(self.top) < EDGE_LINES or not drop.issuperset(self.top):
            return {}
        filled = (number for number in range(max(self.top) + 1, len(page)) if page[number].strip())
        room = max(0, min(MOST_HEAD_LINES - EDGE_LINES, self.filled // 2 - len(drop)))
        return {number: masked(page[number]) for number in islice(filled, room)}


def lines_by_browser(pages: Sequence[Sequence[str]], edges: Sequence[_Edges] | None = None) -> list[set[int]]:
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
    counted, last = [], -1
    for line_number, line in enumerate(lines):
        if (match := _LINE_NUMBER.match(line)) is not None:
            if int(match.group(1)) in (last + 1, 1):  # the lines of each page may be counted from 1
                counted.append((line_number, match))
            last = int(match.group(1))
    filled = sum(1 for line in lines if line and not line.isspace())
    continued = sum(lines[line_number][match.end() :][:1].islower() for line_number, match in counted)
    is_from_one = counted and int(counted[0][1].group(1)) <= 1  # articles of a price list may count up from any number
    are_few = len(counted) < max(LEAST_NUMBERED, NUMBERED_SHARE * filled)
    if not is_from_one or are_few or continued < CONTINUED_SHARE * len(counted):
        return list(lines), []
    result = list(lines)
    for line_number, match in counted:
        result[line_number] = lines[line_number][match.end() :]
    return result, [match.group(1) for _, match in counted]


def without_margins(pages: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return (pages without the numbers that count their lines where these follow each other in the text, the numbers).

    Many programs store a margin before or behind all lines of its page. It counts as many lines as the page has.
    """
    margins = [_margin(page) for page in pages]
    numbers = [page[line] for page, margin in zip(pages, margins, strict=True) for line in margin]
    if len(numbers) < LEAST_NUMBERED:
        return pages, []
    rest = zip(pages, margins, strict=True)
    return [[line for number, line in enumerate(page) if number not in margin] for page, margin in rest], numbers


def _margin(page: Sequence[str]) -> range:
    """Return the numbers of the lines that are the margin of a page, near its beginning or end."""
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


def _edges(page: Sequence[str]) -> _Edges:
    """Return the edge lines of a page."""
    filled = [line_number for line_number, line in enumerate(page) if line and not line.isspace()]
    top, bottom = filled[:EDGE_LINES], filled[::-1][:EDGE_LINES]
    return _Edges(
        {line_number: masked(page[line_number]) for line_number in top},
        {line_number: masked(page[line_number]) for line_number in bottom},
        len(filled),
    )


def masked(line: str) -> str:
    """Return a line, or several, with its numbers masked."""
    return _NUMBER.sub("#", line.strip())


def value_of(number: str) -> int:
    """Return an Arabic or Roman number as an integer."""
    if number.isdecimal():
        return int(number[-9:])
    digits = [_ROMAN[letter] for letter in number.lower()]
    return sum(-digit if digit < after else digit for digit, after in pairwise([*digits, 0]))


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
                key = _NUMBER.sub("#", line.group().strip(), count=1)
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


def without_page_numbers(text: str, pages: int | None = None) -> str:
    """Remove the page numbers from the table of contents and the index of a printed text. pages: how many it has."""
    return with_index_terms(without_leaders(text, pages), _without_pages)


def without_leaders(text: str, pages: int | None = None) -> str:
    """Remove dot leaders and the page numbers after them, in tables of contents.

    Other numbers remain, such as amounts: a few, those that often fall from one line to the next, and those beyond the
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
        are_pages = _are_pages([_NUMBER.findall(leader.group()) for _, leader in run], most)
        for line_number, leader in run:
            if are_pages or not _NUMBER.search(leader.group()):
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

    Each title of the table is a line of its own elsewhere: its heading, of which programs may compute the number. The
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


def split_at_lines(text: str, signs: Iterable[re.Pattern[str]]) -> Iterator[tuple[str, bool]]:
    """Yield (line, True) for each line of a text with one of these signs, and (text, False) for what is between them.

    To search for each sign by itself is many times as fast as to search for all at once.
    """
    end = 0
    for position in sorted(match.start() for sign in signs for match in sign.finditer(text)):
        if position >= end:
            start = text.rfind("\n", end, position) + 1
            stop = text.find("\n", position)
            yield text[end:start], False
            end = stop if stop >= 0 else len(text)
            yield text[start:end], True
    yield text[end:], False


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


def column_numbers(positions: set[int]) -> dict[int, int]:
    """Return the number of the column, from 0, of each position in a line; neighbouring positions are one column."""
    ordered = sorted(positions)
    return dict(zip(ordered, accumulate((b - a > 1 for a, b in pairwise(ordered)), initial=0), strict=False))


def columns_in_rows(rows: Sequence[Sequence[int]]) -> list[str]:
    """Return the numbers of the columns in which each row has cells; nothing if no row leaves out a column."""
    if all(list(row) == list(range(len(row))) for row in rows):
        return []
    return ["-".join(map(str, row)) for row in rows]


def cells_of_words(text: str) -> str:
    """Return the words in the lines of tables, with an end of a cell between those in different cells; "" for none.

    "New York | x" has the same words as "New | York x".
    """
    if CELL_END not in text:
        return ""
    rows = "\n".join(line for line, is_row in split_at_lines(text, (_END_OF_CELL,)) if is_row)
    words = "".join(_OF_CELLS.findall(rows.replace(ROW_END, CELL_END))).casefold()
    ended = CELL_END.join(filter(None, words.split(CELL_END)))
    return ended if CELL_END in ended else ""


def without_cells(text: str) -> tuple[str, str]:
    """Return (text with tabs and line ends between the cells of its tables, which cells are filled: "xx_x x__x").

    The same words may mean something else in another column: an amount as debit or credit, a cross for yes or no. If no
    empty cell is before a filled cell of its row, the second is "". The first cell of a table counts as filled, because
    text before the table is in the same piece. Left columns that are empty in all rows are left out.
    """
    if CELL_END not in text:
        return text, ""
    cells = ((cell.strip(_BLANK) for cell in row.split(CELL_END)) for row in text.split(ROW_END) if CELL_END in row)
    rows = list(filter(None, ("".join("x" if cell else "_" for cell in row).rstrip("_") for row in cells)))
    margin = min((row.index("x") for row in rows), default=0)
    filled = " ".join(row[margin:] for row in rows) if any("_" in row[margin:] for row in rows) else ""
    text = text.replace(FILLED, " ").replace(CELL_END + ROW_END, ROW_END).replace(ROW_END + "\n", ROW_END)
    text = text.replace("\n" + CELL_END, CELL_END).replace("\n" + ROW_END, ROW_END)  # the end of a cell's paragraph
    return text.replace(CELL_END, "\t").replace(ROW_END, "\n").rstrip(), filled
