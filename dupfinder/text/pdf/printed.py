"""Pages printed by browsers and spreadsheets: remove site chrome, and join the columns of a sheet on several pages.

Site chrome is recognised by the tags and links of its lines, columns that belong together by the heights of their rows.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import pypdfium2.raw as raw

from dupfinder.text.document import OtherHashes
from dupfinder.text.layout import lines_by_browser, masked
from dupfinder.text.pdf.annotations import (
    Annotations,
    Link,
    PrintedLine,
    PrintedWord,
    SheetRows,
    Tagged,
)
from dupfinder.text.pdf.pdfium import (
    edges_of,
    has_characters,
    middle_of,
    room_of,
    size_and_height,
    wide_string,
)
from dupfinder.text.readers.page_source import AWAY, ELSEWHERE, LINK, domain_of, domain_of_start
from dupfinder.text.readers.site_chrome import add_teasers, is_content, menus, teasers, word_count

_WHOLE_LINE = re.compile(r"(?<![^\n])[^\n]*")  # also an empty one
_PRINTED_WORD = re.compile(r"\S{1,40}")
_Line = TypeVar("_Line")
_MOST_TAGS = 20_000  # of a page
_DEEPEST_TAG = 100
_ASCENT = 0.7  # of the size of letters: how far they reach above the line
_MOST_LINES = 1000  # of a page whose lines are put in order
_BLOCK_TAGS = frozenset(("P", "H1", "H2", "H3", "H4", "H5", "H6", "LI", "TD", "TH", "Caption", "BlockQuote"))


def printed_lines(page: Any, textpage: Any, links: Sequence[Link]) -> list[PrintedLine]:
    """Return the lines of a page of a printed web page; nothing if it has no tags. links: of the page."""
    tags = _tags(page)
    if not tags:
        return []
    # Unlike `get_text_range`, which leaves out characters that the PDF does not name.
    count = raw.FPDFText_CountChars(textpage)
    text = "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))
    lines = []
    for line in _WHOLE_LINE.finditer(text):
        words = list(_PRINTED_WORD.finditer(text, *line.span()))
        first = words[0].start() if words else line.start()
        shown = raw.FPDFText_GetTextObject(textpage, first)
        tagged = tags.get(raw.FPDFPageObj_GetMarkedContentID(shown) if shown else -1)
        unlinked, addresses = _unlinked(words[bool(tagged and tagged.is_label) :], links, textpage)
        lines.append(PrintedLine(_utf8(line.group()), unlinked, tagged, addresses))
    return lines


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _unlinked(words: Sequence[re.Match[str]], links: Sequence[Link], textpage: Any) -> tuple[bytes, Sequence[bytes]]:
    """Return (a line with the sign AWAY or LINK in place of each link, the addresses of the links)."""
    pieces: list[bytes] = []
    addresses: list[bytes] = []
    last: Link | None = None
    height = middle_of(textpage, words[0].start())[1] if words and links else 0
    beside = [link for link in links if link.box.bottom <= height <= link.box.top]
    for word in words:
        across = middle_of(textpage, (word.start() + word.end()) // 2)[0] if beside else 0
        link = next((link for link in beside if link.box.left <= across <= link.box.right), None)
        if link is None:
            pieces.append(_utf8(word.group()))
        elif link is not last:
            pieces.append(LINK if link.address is None else AWAY)
            addresses += [] if link.address is None else [link.address]
        last = link
    return b" ".join(pieces), addresses


def _tags(page: Any) -> dict[int, Tagged]:
    """Map the numbers of a tagged page's pieces to their elements (ISO 32000-1 section 14.7); {} without tags."""
    tags: dict[int, Tagged] = {}
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return tags
    blocks = articles = 0
    roots = range(raw.FPDF_StructTree_CountChildren(tree))
    rest = [(raw.FPDF_StructTree_GetChildAtIndex(tree, index), Tagged(), 0) for index in roots]
    while rest and blocks < _MOST_TAGS:
        element, outer, depth = rest.pop()
        kind = wide_string(raw.FPDF_StructElement_GetType, element) if element else ""
        blocks += 1
        articles += kind == "Art"
        inner = Tagged(
            blocks if kind in _BLOCK_TAGS else outer.block,
            kind == "Lbl" or outer.is_label,
            kind in ("Aside", "Form") or outer.is_chrome,
            articles if kind == "Art" else outer.article,
        )
        for index in range(raw.FPDF_StructElement_GetMarkedContentIdCount(element)) if kind else ():
            tags[raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index)] = inner
        count = raw.FPDF_StructElement_CountChildren(element) if kind and depth < _DEEPEST_TAG else 0
        rest += [(raw.FPDF_StructElement_GetChildAtIndex(element, index), inner, depth + 1) for index in range(count)]
    raw.FPDF_StructTree_Close(tree)
    return tags


def in_order(lines: list[_Line], order: Sequence[int]) -> list[_Line]:
    """Return lines in another order; unchanged if there are more or fewer of them."""
    return [lines[number] for number in order] if len(lines) == len(order) else lines


class _LinePlace(NamedTuple):
    """Where a line is on a page, and the size of its first letter, in points."""

    left: float
    right: float
    height: float
    size: float

    def shares_column(self, other: _LinePlace) -> bool:
        """Tell whether one of two lines is above the other, or would be if they were not in the same row."""
        return self.left < other.right and other.left < self.right

    def is_beside(self, other: _LinePlace) -> bool:
        """Tell whether two lines are in one row, or one is drawn over the other."""
        lower = min(self, other, key=lambda line: line.height)
        return abs(self.height - other.height) < _ASCENT * lower.size


def order_of_lines(textpage: Any, text: str, seen: set[tuple[str, int]]) -> list[int]:
    """Return the numbers of the lines of a page of a printed web page, in the order in which they are read.

    Browsers draw elements that have a place of their own, such as a heading to which a link is fixed, after all others.
    So a line that was drawn after the lines around it comes between the ones above and the ones below it in its column,
    if there is nothing beside it. Elements that stay in place on every page, such as a bar, remain behind the text; of
    these, `seen` has the lines of the pages before, with their heights. Nothing is returned if pdfium leaves out
    characters of the page, or for many lines.
    """
    if raw.FPDFText_CountChars(textpage) != len(text) or text.count("\n") > _MOST_LINES:
        return []
    order: list[int] = []
    is_again = False  # whether the page was left for lines further up
    texts = [line.group().strip() for line in _WHOLE_LINE.finditer(text)]
    lines = [_place_of_line(textpage, line) for line in _WHOLE_LINE.finditer(text)]
    last: _LinePlace | None = None
    for number, line in enumerate(lines):
        is_again = is_again or bool(line and last and line.height > last.height + last.size / 2)
        last = line or last
        is_late = line and is_again and (texts[number], round(line.height)) not in seen
        order.insert(_position(line, order, lines) if line and is_late else len(order), number)
    seen.update((text, round(line.height)) for text, line in zip(texts, lines, strict=True) if line)
    return order


def _place_of_line(textpage: Any, line: re.Match[str]) -> _LinePlace | None:
    """Return where a line is seen; None for one without upright words."""
    words = list(_PRINTED_WORD.finditer(line.string, *line.span()))
    if not words:
        return None
    size, height = size_and_height(textpage, first := words[0].start())
    left, right = edges_of(textpage, first)[0], edges_of(textpage, words[-1].end() - 1)[1]
    return _LinePlace(left, right, height, size) if size else None


def _position(line: _LinePlace, order: Sequence[int], lines: Sequence[_LinePlace | None]) -> int:
    """Return where a line comes among those before it: in front of the first one below it, or behind all."""
    column = [
        (position, other) for position, number in enumerate(order)
        if (other := lines[number]) and other.shares_column(line)
    ]  # fmt: skip
    below = [position for position, other in column if other.height < line.height]
    above = [position for position, other in column if other.height >= line.height]
    is_between = bool(below) and max(above, default=-1) < below[0]
    return below[0] if is_between and not any(other.is_beside(line) for _, other in column) else len(order)


def without_site_chrome(pages: list[str], annotations: Annotations) -> list[str]:
    """Return the pages of a printed web page without its site chrome, as web pages are read; add that to `annotations`.

    Site chrome is elements whose tags say that they are no content, all that is outside a single article, and menus.
    """
    if not any(annotations.printed):
        return pages
    lines = [page.split("\r\n") for page in pages]
    printed: list[PrintedLine] = []
    for page, known, beside in zip(lines, annotations.printed, lines_by_browser(lines), strict=True):
        same = known if len(known) == len(page) else [PrintedLine(b"", b"", None)] * len(page)
        printed += (line._replace(tagged=None) if number in beside else line for number, line in enumerate(same))
    content = _content_lines(printed, annotations.other)
    numbers = iter(range(len(printed)))
    shown: list[str] = []
    for page in lines:
        marked = [(line, next(numbers) in content) for line in page]
        shown.append("\r\n".join(line for line, is_shown in marked if is_shown))
        annotations.left_out.extend(line for line, is_shown in marked if not is_shown)
    return shown


def _content_lines(printed: Sequence[PrintedLine], other: OtherHashes) -> set[int]:
    """Return the numbers of the lines of a printed web page that are its content.

    Teasers and remarks that are left out are added to `other`.
    """
    counts = [word_count(line.text) for line in printed]
    tagged = {number: line.tagged for number, line in enumerate(printed) if line.tagged}
    content = [number for number, tag in tagged.items() if not tag.is_chrome]
    is_one = all(tag.article <= 1 for tag in tagged.values())
    parts = [number for number in content if is_one and tagged[number].article], content, list(tagged)
    words = sum(counts[number] for number in tagged)
    chosen = next((part for part in parts if is_content(sum(counts[number] for number in part), words)), parts[-1])
    rows = [list(row) for _, row in groupby(chosen, lambda number: tagged[number].block or -number - 1)]
    texts = [b" ".join(printed[number].text for number in row) for row in rows]
    site = domain_of_start(address for line in printed for address in line.addresses)
    unlinked = [
        b" ".join(printed[number].unlinked for number in row)
        + ELSEWHERE * any(domain_of(link) not in (b"", site) for number in row for link in printed[number].addresses)
        for row in rows
    ]
    left_out = menus(texts, unlinked)
    of_others = teasers(texts, unlinked, left_out)
    add_teasers(b"\n".join(texts[index] for index in sorted(of_others)), other)
    left_out |= of_others
    beside = {number for number in range(len(printed)) if number not in tagged}
    return beside.union(*(row for index, row in enumerate(rows) if index not in left_out))


_HEAD_ROWS = 3  # at the top of a page; a running head and a title may be above the names of the columns
_LEAST_NAMES = 3  # words of a row that is no running head
_SAME_ROW = 3  # points between the heights of words of one row in different fonts
_LINE = 20  # points between two lines of a cell at most
_GAP = 0.015  # of the width of a page: a wider gap is between two cells
_LATER = 0.9  # least share of the words drawn later that are beside those drawn before, as cells of one sheet are
_FEWER_ROWS, _MORE_ROWS = 0.9, 0.7  # least shares of the rows of two pages that both have
_FULL = 0.95  # least share of the rows of a full page that the next full page has
_OF_COLUMN = 0.2  # least share of the rows of a page that begin or end a word at the edge of a column
_SAME_COLUMNS = 0.6  # least share of column edges that are equal on two pages of a sheet, one below the other
_MARGIN = 0.2  # of a page's width; if more were free beside its columns, the next columns would have fitted


def printed_rows(page: Any, textpage: Any, text: str) -> tuple[SheetRows, bool]:
    """Return the rows of a page of a printed sheet by their heights, from the top, and whether cells were drawn later.

    text: of the page, by pdfium. Calc draws cells of several lines or fonts after all others, so in `text` they are not
    in their rows.
    """
    if not has_characters(textpage, text):
        return {}, False
    x, y, width = ctypes.c_double(), ctypes.c_double(), max(1.0, page.get_width())
    words = []
    for match in re.finditer(r"\S+", text):
        raw.FPDFText_GetCharOrigin(textpage, match.start(), x, y)
        left, right = room_of(textpage, match.start())[0], room_of(textpage, match.end() - 1)[1]
        if right > 0 and left < width:  # else it is in a cell of which the page shows another part
            words.append(PrintedWord(round(y.value), left / width, right / width, match.group()))
    first = _first_pass(words)
    rows: SheetRows = {}
    for word in sorted(words[:first], key=lambda word: -word.height):
        height = next(reversed(rows), word.height)
        rows.setdefault(height if height - word.height <= _SAME_ROW else word.height, []).append(word)
    for cell in _cells_drawn_later(words[first:], rows):
        rows.setdefault(cell.height, []).append(cell)
    ordered = {height: sorted(rows[height], key=lambda word: word.left) for height in sorted(rows, reverse=True)}
    return ordered, first < len(words)


def _first_pass(words: Sequence[PrintedWord]) -> int:
    """Return how many words of a page were drawn before Calc began again at the top; all if it did not.

    Head and foot are drawn before the sheet, and each pass goes down the page.
    """
    ups = [number for number in range(1, len(words)) if words[number].height > words[number - 1].height + _SAME_ROW]
    begin = 0
    for end in ups[:2]:
        heights, later = ([word.height for word in part] for part in (words[begin:end], words[end:]))
        beside = sum(min(heights) - _LINE <= height <= max(heights) + _LINE for height in later)
        are_heads = begin == 0 and not any(min(later) <= height <= max(later) for height in heights)
        if beside >= _LATER * len(later) and not are_heads:
            return end
        begin = end
    return len(words)


def _cells_drawn_later(words: Sequence[PrintedWord], rows: SheetRows) -> list[PrintedWord]:
    """Return the cells of words that were drawn later, each as one word with line ends, in the rows of other words.

    The last line of a cell is at the height of its row, or else the first, as in most cells of the page.
    """
    near = {height + step: height for height in rows for step in range(-_SAME_ROW, _SAME_ROW + 1)}
    chains: list[list[PrintedWord]] = []  # lines, one below the other
    for line in _lines_of(words):
        above = chains[-1][-1] if chains else line
        is_below = _SAME_ROW < above.height - line.height <= _LINE
        if is_below and line.left <= above.right and above.left <= line.right:
            chains[-1].append(line)
        else:
            chains.append([line])
    at_bottom = sum((chain[-1].height in near) - (chain[0].height in near) for chain in chains) >= 0
    cells: list[PrintedWord] = []
    for chain in chains:
        placed: list[PrintedWord] = []
        for line in reversed(chain) if at_bottom else chain:
            row = near.get(line.height, placed[-1].height if placed else line.height)
            placed.append(line._replace(height=row))
        for _, lines in groupby(reversed(placed) if at_bottom else placed, lambda line: line.height):
            cells.append(_joined_words(list(lines), "\r\n"))
    return cells


def _lines_of(words: Sequence[PrintedWord]) -> list[PrintedWord]:
    """Return the lines of words that were drawn one after the other, each as one word with spaces."""
    lines: list[list[PrintedWord]] = []
    for word in words:
        before = lines[-1][-1] if lines else word
        if lines and abs(before.height - word.height) <= _SAME_ROW and abs(word.left - before.right) <= _GAP:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_joined_words(line, " ") for line in lines]


def _joined_words(words: Sequence[PrintedWord], between: str) -> PrintedWord:
    """Return words as one word, at the height of the first."""
    left, right = min(word.left for word in words), max(word.right for word in words)
    return PrintedWord(words[0].height, left, right, between.join(word.text for word in words))


def text_of_rows(rows: SheetRows) -> str:
    """Return the text of a page of a printed sheet, row by row."""
    return "\r\n".join(" ".join(word.text for word in row) for row in rows.values())


def with_whole_rows(pages: list[str], annotations: Annotations) -> list[str]:
    """Return the pages of a printed workbook with whole rows; pages with further columns become empty.

    A sheet that is wider than a page is printed as blocks of pages, the first with its first columns, the next with
    those beside them, and so on. Pages at the same place in two blocks have rows at the same heights. Running heads of
    pages that become empty are added to `annotations`.
    """
    pages, printed, first = list(pages), annotations.rows, 0
    while first < len(printed):
        size, blocks = _blocks(printed[first:])
        for number in range(first, first + size if blocks > 1 else first):
            beside = range(number, min(number + blocks * size, len(printed)), size)
            pages[number], heads = _rows_together([printed[page] for page in beside])
            annotations.left_out += heads
            for page in beside[1:]:
                pages[page] = ""
        first += size * blocks
    return pages


def _blocks(printed: Sequence[SheetRows]) -> tuple[int, int]:
    """Return (pages of a block, number of blocks) of the sheet that begins at the first of some pages.

    (1, 1) if it is no wider than a page. Pages one below the other are alike too. So a block ends with a page of fewer
    rows, or has a single page whose columns differ from those of the pages before.
    """
    least = _FULL * len(printed[0])
    shorter = (number for number, page in enumerate(printed) if len(page) < least)
    for size in (1, next(shorter, 0) + 1):
        pieces = [printed[start : start + size] for start in range(0, len(printed), size)]
        blocks = 1
        while blocks < len(pieces) and _goes_on(pieces[0], pieces[blocks - 1], pieces[blocks]):
            if size == 1 and any(_have_same_columns(page, printed[blocks]) for page in printed[:blocks]):
                break
            blocks += 1
        if blocks > 1:
            return size, blocks
    return 1, 1


def _goes_on(first: Sequence[SheetRows], last: Sequence[SheetRows], following: Sequence[SheetRows]) -> bool:
    """Tell whether pages continue the rows of a sheet with further columns, for which its pages had no room.

    first, last: the first and the last block of pages of the sheet so far. following: the pages to be examined. At the
    end of a workbook, the last of these may be missing, as programs print no empty pages: a row of sums has few cells.
    """
    if len(following) < len(first) - 1 or not all(map(_have_same_rows, first, following)):
        return False
    if _span(last[0])[1] + _MARGIN + _span(following[0])[1] - _span(following[0])[0] < 1:
        return False
    heads, names = (
        [[word.text for word in row] for row in list(block[0].values())[:_HEAD_ROWS]] for block in (first, following)
    )
    return not any(len(row) >= _LEAST_NAMES and row in heads for row in names)


def _have_same_rows(left: SheetRows, right: SheetRows) -> bool:
    """Tell whether nearly all rows of two pages are at the same heights."""
    fewer, more = sorted((left, right), key=len)
    heights = {height + step for height in more for step in range(-_SAME_ROW, _SAME_ROW + 1)}
    both = len(heights & fewer.keys())
    return len(fewer) > 1 and both >= _FEWER_ROWS * len(fewer) and both >= _MORE_ROWS * len(more)


def _have_same_columns(left: SheetRows, right: SheetRows) -> bool:
    """Tell whether the columns of two pages are at the same places."""
    edges = [_edges_of_columns(rows) for rows in (left, right)]
    return len(set.intersection(*edges)) >= _SAME_COLUMNS * min(map(len, edges))


def _edges_of_columns(rows: SheetRows) -> set[tuple[bool, int]]:
    """Return where the columns of a page begin or end, in thousandths of its width."""
    edges = Counter(
        edge for row in rows.values() for word in row
        for edge in ((False, round(1000 * word.left)), (True, round(1000 * word.right)))
    )  # fmt: skip
    return {edge for edge, count in edges.items() if count > _OF_COLUMN * len(rows)}


def _span(rows: SheetRows) -> tuple[float, float]:
    """Return where the rows of a page begin and end, as parts of its width."""
    return min(row[0].left for row in rows.values()), max(row[-1].right for row in rows.values())


def _rows_together(pages: Sequence[SheetRows]) -> tuple[str, list[str]]:
    """Return (the text of rows that were printed on several pages, running heads of all pages but the first)."""
    rows: dict[int, list[tuple[int, str]]] = {}
    parts = [(height, number, row) for number, page in enumerate(pages) for height, row in page.items()]
    for height, number, row in sorted(parts, key=lambda part: -part[0]):
        above = next(reversed(rows), height)
        place = above if above - height <= _SAME_ROW else height
        rows.setdefault(place, []).append((number, " ".join(word.text for word in row)))
    lines = [[text for _, text in sorted(row)] for row in rows.values()]
    heads: list[str] = []
    for line in (lines[0], lines[-1]):
        if any(map(str.isalpha, line[0])) and len({masked(part) for part in line}) == 1:
            heads += line[1:]
            del line[1:]
    return "\r\n".join(map(" ".join, lines)), heads
