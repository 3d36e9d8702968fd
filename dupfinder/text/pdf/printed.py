"""Web pages that a browser printed: what of them is site chrome, by the tags and links of their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from dupfinder.text.document import OtherHashes
from dupfinder.text.layout import lines_by_browser
from dupfinder.text.pdf.annotations import Annotations, PrintedLine, Tagged
from dupfinder.text.pdf.pdfium import MOST_ON_A_PAGE, middle_of, wide_string
from dupfinder.text.readers.page_source import AWAY, LINK
from dupfinder.text.readers.site_chrome import add_teasers, is_content, menus, teasers, word_count

_WHOLE_LINE = re.compile(r"(?<![^\n])[^\n]*")  # also an empty one
_PRINTED_WORD = re.compile(r"\S{1,40}")
_MOST_TAGS = 20_000  # of a page
_DEEPEST_TAG = 100
_BLOCK_TAGS = frozenset(("P", "H1", "H2", "H3", "H4", "H5", "H6", "LI", "TD", "TH", "Caption", "BlockQuote"))


def printed_lines(page: Any, textpage: Any, raw: Any) -> list[PrintedLine]:
    """Return the lines of a page of a printed web page; nothing if it has no tags. raw: pypdfium2.raw."""
    tags = _tags(page, raw)
    if not tags:
        return []
    # Unlike `get_text_range`, which leaves out characters that the PDF does not name.
    count = raw.FPDFText_CountChars(textpage)
    text = "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))
    links = _places_of_links(page, raw)
    lines = []
    for line in _WHOLE_LINE.finditer(text):
        words = list(_PRINTED_WORD.finditer(text, *line.span()))
        first = words[0].start() if words else line.start()
        shown = raw.FPDFText_GetTextObject(textpage, first)
        tagged = tags.get(raw.FPDFPageObj_GetMarkedContentID(shown) if shown else -1)
        unlinked = _unlinked(words[bool(tagged and tagged.is_label) :], links, textpage, raw)
        lines.append(PrintedLine(_utf8(line.group()), unlinked, tagged))
    return lines


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def _unlinked(words: Sequence[re.Match[str]], links: Sequence[_Place], textpage: Any, raw: Any) -> bytes:
    """Return a line with a sign for each link, as `outside_links` does."""
    pieces: list[bytes] = []
    last: _Place | None = None
    height = middle_of(textpage, words[0].start(), raw)[1] if words and links else 0
    beside = [link for link in links if link.bottom <= height <= link.top]
    for word in words:
        across = middle_of(textpage, (word.start() + word.end()) // 2, raw)[0] if beside else 0
        link = next((link for link in beside if link.left <= across <= link.right), None)
        if link is None:
            pieces.append(_utf8(word.group()))
        elif link is not last:
            pieces.append(AWAY if link.is_away else LINK)
        last = link
    return b" ".join(pieces)


class _Place(NamedTuple):
    """Where a link is on a page, in points. is_away: it leads to another page."""

    left: float
    bottom: float
    right: float
    top: float
    is_away: bool


def _places_of_links(page: Any, raw: Any) -> list[_Place]:
    """Return the places of the links on a page."""
    places = []
    for index in range(min(MOST_ON_A_PAGE, raw.FPDFPage_GetAnnotCount(page.raw))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if annotation and raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_LINK:
            sides, action = raw.FS_RECTF(), raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
            raw.FPDFAnnot_GetRect(annotation, sides)
            is_away = bool(action) and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI
            places.append(_Place(sides.left, sides.bottom, sides.right, sides.top, is_away))
        if annotation:
            raw.FPDFPage_CloseAnnot(annotation)
    return places


def _tags(page: Any, raw: Any) -> dict[int, Tagged]:
    """Return where the pieces of a tagged page are, by their numbers (ISO 32000-1 section 14.7); {} without tags."""
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


def without_frame(pages: list[str], annotations: Annotations) -> list[str]:
    """Return the pages of a printed web page without its site chrome, as web pages are read; add that to `annotations`.

    Left out are elements that declare themselves as no content, what is outside the only article, and menus.
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
    """Return the numbers of the lines that are the content of a printed web page, or beside it.

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
    unlinked = [b" ".join(printed[number].unlinked for number in row) for row in rows]
    left_out = menus(texts, unlinked)
    of_others = teasers(texts, unlinked, left_out)
    add_teasers(b"\n".join(texts[index] for index in sorted(of_others)), other)
    left_out |= of_others
    beside = {number for number in range(len(printed)) if number not in tagged}
    return beside.union(*(row for index, row in enumerate(rows) if index not in left_out))
