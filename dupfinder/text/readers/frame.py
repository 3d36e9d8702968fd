"""Which part of a web page is its content: what lies around it, what leads about in it, and what its style hides.

Parsers of web pages give text without saying which words of it are links. So links are marked in the page's source by
characters that Unicode reserves for such internal use, and what they show is judged line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dupfinder.text.layout import index_terms

MAIN_SHARE = 0.25  # of the page's words: a smaller main content is a miss of the heuristics
MAIN_WORDS = 50
LINKED_SHARE = 0.3  # of the words outside known frames: with less of them in links, the page has no other frame

# Elements that say of themselves that they are no content. Notes that a converter put into an aside are.
_FRAMES = [
    "nav",
    "footer",
    "form",
    "button",
    "dialog",
    "div[title='header']",  # the page head and foot of a word processor's export
    "div[title='footer']",
    "aside:not([role='doc-endnotes']):not([role='doc-footnotes']):not([role='note'])",
    *(
        f"[role='{role}']"
        for role in ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu")
    ),
    *(f".{name}" for name in ("ad", "ads", "advert", "advertisement", "advertising", "sponsored", "promo", "banner")),
    *(f".{name}" for name in ("nav", "navbar", "menu", "sidebar", "breadcrumb", "breadcrumbs", "pagination", "pager")),
    *(f".{name}" for name in ("comment", "comments", "share", "sharing", "social", "related", "newsletter", "cookie")),
    *(
        f".{name}"
        for name in ("meta", "post-meta", "entry-meta", "byline", "footer", "site-header", "skip-link", "noprint")
    ),
    *(
        f"#{name}"
        for name in ("nav", "navbar", "menu", "sidebar", "breadcrumbs", "comments", "footer", "cookie-banner")
    ),
]
_REMARKS = ("comment", ".annotation_style_by_filter")  # that office programs export
# What is written beside the words: readings above East Asian characters, marks of notes, remarks of office programs.
_ASIDE = [
    *("rt", "rp", *_REMARKS),
    *("[role='doc-noteref']", "[role='doc-backlink']", ".footnote-ref", ".footnote-back", "sup.reference"),
    *("[epub\\:type='noteref']", ".footnodeNumber", "a[id^='body_ftn']", "a[href^='#called']"),
    *("a.sdfootnoteanc", "a.sdfootnotesym", "a.sdendnoteanc", "a.sdendnotesym"),
]
_NOT_LEADING_EAST_ASIAN = bytes({*range(256)} - {*range(0xE3, 0xF1)})  # first bytes of U+3000 and above in UTF-8
_SITE_HEADER = "header:has(nav)"
_MAIN = "main, [role='main']"
_ARTICLE = "article"

MOST_CLASSES = 200  # of one page
_SHEET = re.compile(r"<style\b[^>]{0,500}>(.{0,200000}?)</style", re.I | re.S)
_COMMENT = re.compile(r"/\*.{0,5000}?\*/|<!--|-->", re.S)
_MEDIA = re.compile(r"@[a-z-]{1,40}[^{}]{0,500}\{(?:[^{}]{0,2000}\{[^{}]{0,5000}\}){0,500}[^{}]{0,2000}\}", re.I)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{1,5000})\}")
_DISPLAY = re.compile(r"(?:^|[;\s])display\s{0,9}:\s{0,9}([a-z-]{1,30})", re.I)
_CLASS = re.compile(
    r"(?:^|,)\s{0,99}(?:span|a|b|i|em|strong|small|label)?\.([A-Za-z_][\w-]{0,60})\s{0,99}(?=,|$)", re.I
)
_BLOCKS = ("block", "list-item", "flex", "grid", "flow-root")
_INLINE = r"(?:span|a|b|i|em|strong|small|label|code|tt|cite)"
_STYLE_ATTRIBUTE = re.compile(r"style\s{0,9}=\s{0,9}[\"'][^\"'<>]{0,500}?display", re.I)
_DISPLAYED = (
    rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bstyle\s{{0,9}}=\s{{0,9}}[\"'][^\"'<>]{{0,500}}?\bdisplay\s{{0,9}}:\s{{0,9}}"
)
_STYLED = re.compile(_DISPLAYED + r"(?:block|list-item|flex|grid|flow-root|table))", re.I)
_UNSHOWN = re.compile(_DISPLAYED + r"none\b)", re.I)
_UNSEEN = "data-dupfinder-unseen"
UNSEEN = f"[{_UNSEEN}]"  # the selector of inline elements that `styled` marked as not seen

# Noncharacters: a link within the document, to its neighbours, its end; one that leads elsewhere, and its end.
_OPEN, _TURN, _CLOSE = "\ufdd0", "\ufdd2", "\ufdd1"
_AWAY, _BACK = "\ufdd3", "\ufdd4"
_MARKS = re.compile("[\ufdd0-\ufddf]")
_AWAY_MARKS = re.compile(f"[{_AWAY}{_BACK}]")
_ANY_LINK = re.compile(f"[{_OPEN}{_TURN}{_AWAY}][^{_CLOSE}{_BACK}]*[{_CLOSE}{_BACK}]")
_LINK = re.compile(r"<(?:a\b[^<>]{0,2000}|/a\s{0,9})>", re.I)
_WITHIN = re.compile(r"\bhref\s{0,9}=\s{0,9}[\"']?(?![a-z][a-z0-9+.-]{0,20}:|//)[^\"'\s>#]{0,500}#", re.I)
# What the neighbours of a page in a series are called: HTML 4.01 section 6.12, HTML Living Standard 4.6.7.
_TO_NEIGHBOURS = re.compile(
    r"\brel\s{0,9}=\s{0,9}[\"']?(?:next|prev|previous|up|start|contents|index|home|first|last)\b"
    r"|\baccesskey\s{0,9}=\s{0,9}[\"']?[npu]\b",
    re.I,
)
_MARKED = re.compile(f"[{_OPEN}{_TURN}]([^{_OPEN}{_TURN}{_CLOSE}]*){_CLOSE}")
_WORD = re.compile(r"\w+")
LEAST_LETTERS = 5  # links of one character each, side by side
_SPACES = re.compile(r"[ \t]{2,}")


class _Mark(NamedTuple):
    """Two characters around the text of some elements: noncharacters of Unicode, which no page has (see navigation)."""

    opening: str
    closing: str


_FRAME, _HEADER = _Mark("\ufdd5", "\ufdd6"), _Mark("\ufdd7", "\ufdd8")
_PARTS = {_MAIN: _Mark("\ufdd9", "\ufdda"), _ARTICLE: _Mark("\ufddb", "\ufddc")}
_SIGNS = re.compile("[\ufdd5-\ufddc]")
_EVERY_FRAME = ", ".join(_FRAMES)
_MOST_HEADERS = 20  # with more of them, looking which holds navigation takes the square of their number


def content_of(tree: Any, hidden: Sequence[str], may_search: Callable[[], bool]) -> tuple[str, str]:
    """(content with the marks of its links, all visible text without) of a parsed page, which is marked by this.

    The content is, in this order: what the page marks as its main part; all of a page that has no more frame than it
    says itself; what resiliparse's heuristics find; all of the page where those find too little. The heuristics take
    time on deep pages: where `may_search` says no, they are not asked. `hidden`: selectors of what is not seen.
    """
    parts = [mark for selector, mark in _PARTS.items() if _put_around(tree, selector, mark, only=True)]
    framed = _put_around(tree, _EVERY_FRAME, _FRAME)
    framed += _put_around(tree, _SITE_HEADER, _HEADER, most=_MOST_HEADERS)
    signed = visible_text(tree, hidden)
    full = unmarked(signed)
    words = size(full)
    for mark in parts:
        inner = signed.partition(mark.opening)[2].partition(mark.closing)[0]
        part = _unsigned(_without(inner, _FRAME))
        if is_enough(unmarked(part), words):
            return part, full
    bare = _unsigned(_without(_without(signed, _FRAME), _HEADER))
    count = size(unmarked(bare)) if framed else words
    enough = count >= MAIN_WORDS and count >= MAIN_SHARE * words
    if enough and count - size(unmarked(outside_links(bare))) <= LINKED_SHARE * count:
        return bare, full
    found = _unsigned(visible_text(tree, hidden, main_content=True)) if may_search() else ""
    if is_enough(unmarked(found), words):
        return found, full
    return (bare if enough else _unsigned(signed)), full


def _put_around(tree: Any, selector: str, mark: _Mark, *, only: bool = False, most: int = 1 << 30) -> int:
    """Put a mark around the text of the elements of a selector; how many there are. `only`: where there is just one;
    `most`: and no more than so many."""
    nodes = tree.document.query_selector_all(selector)[:] if tree.document is not None else []
    if (only and len(nodes) != 1) or len(nodes) > most:
        return 0
    for node in nodes:
        opening = tree.create_text_node(mark.opening)
        if node.first_child is None:
            node.append_child(opening)
        else:
            node.insert_before(opening, node.first_child)
        node.append_child(tree.create_text_node(mark.closing))
    return len(nodes)


def _without(signed: str, mark: _Mark) -> str:
    """A text without what stands inside these marks, one in the other or not."""
    if mark.opening not in signed:
        return signed
    kept: list[str] = []
    depth = 0
    for place, piece in enumerate(re.split(f"([{mark.opening}{mark.closing}])", signed)):
        if place % 2:
            depth = depth + 1 if piece == mark.opening else max(0, depth - 1)
        elif not depth:
            kept.append(piece)
    return "".join(kept)


def _unsigned(text: str) -> str:
    """A text without the marks that were put into its page here."""
    return text if text.isascii() else _SIGNS.sub("", text)


def is_enough(text: str, words: int) -> bool:
    """Whether a part of a page of so many words can be its content."""
    found = size(text)
    return found >= MAIN_WORDS and found >= MAIN_SHARE * words


def size(text: str) -> int:
    """Words, where one East Asian character counts as half a word."""
    words = len(text.split())
    if text.isascii():
        return words
    return words + len(text.encode("utf-8", "replace").translate(None, _NOT_LEADING_EAST_ASIAN)) // 2


def visible_text(tree: Any, skip_elements: Sequence[str] = (), **options: Any) -> str:
    """The text that a reader of the page sees, without marks of notes and readings, with resiliparse's options."""
    from resiliparse.extract.html2text import extract_plain_text  # 60 ms to import, needed for web pages alone

    skipped = [*_ASIDE, *skip_elements]
    text = extract_plain_text(tree, alt_texts=False, list_bullets=False, skip_elements=skipped, **options)
    return str(text).replace("\0", "")


def remarks(tree: Any) -> list[str]:
    """The comments in a document that an office program exported as a page."""
    return texts_of(tree, ", ".join(_REMARKS))


def texts_of(tree: Any, selector: str) -> list[str]:
    """The text of each element of a selector, without marks."""
    if tree.document is None:
        return []
    return [unmarked(node.text) for node in tree.document.query_selector_all(selector)[:]]


def styled(page: str) -> str:
    """A page's source as its style shows it: a space before each inline element that is a block or a table's cell, and
    a mark on each that is not seen, for `UNSEEN`.

    Hidden blocks are left alone: scripts show them when a reader asks for them.
    """
    if "display" not in page:
        return page
    if _STYLE_ATTRIBUTE.search(page):
        page = _UNSHOWN.sub(rf"\g<0> {_UNSEEN}", _STYLED.sub(r" \g<0>", page))
    blocks, unseen = _classes(page)
    if blocks:
        page = _of_classes(blocks).sub(r" \g<0>", page)
    return _of_classes(unseen).sub(rf"\g<0> {_UNSEEN}", page) if unseen else page


def _of_classes(names: list[str]) -> re.Pattern[str]:
    """The beginnings of inline elements that are of one of these classes."""
    either = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bclass\s{{0,9}}=\s{{0,9}}"
        rf"(?:[\"'](?:[^\"'<>]{{0,500}}?\s)?(?:{either})[\s\"']|(?:{either})[\s>]))",
        re.I,
    )


def _classes(page: str) -> tuple[list[str], list[str]]:
    """(names of classes shown as blocks, of classes not shown) by the rules that hold for every medium."""
    shown: dict[str, str] = {}
    for sheet in _SHEET.findall(page[:1_000_000]):
        rules = _MEDIA.sub("", _COMMENT.sub("", sheet))
        for selectors, declarations in _RULE.findall(rules):
            displays = _DISPLAY.findall(declarations)
            for name in _CLASS.findall(selectors.strip()) if displays else ():
                shown[name] = displays[-1].lower()
    blocks = [name for name, value in shown.items() if value in _BLOCKS or value.startswith("table")]
    return blocks[:MOST_CLASSES], [name for name, value in shown.items() if value == "none"][:MOST_CLASSES]


def mark_links(page: str) -> str:
    """A page's source with marks inside its links: those that lead to places within the document, and the others."""
    if "<a " not in page and "<A " not in page:
        return page
    clean = unmarked(page)
    end = ""  # the mark that the link which is open ends in

    def marked(tag: re.Match[str]) -> str:
        nonlocal end
        link = tag.group()
        if link[1] == "/":
            closing, end = end, ""
            return closing + link
        said = link.lower()
        if end or "href" not in said:
            return link
        turns = ("rel" in said or "accesskey" in said) and _TO_NEIGHBOURS.search(link)
        leads_within = turns or ("#" in link and _WITHIN.search(link))
        end = _CLOSE if leads_within else _BACK
        return link + (_TURN if turns else _OPEN if leads_within else _AWAY)

    return _LINK.sub(marked, clean)


def outside_links(text: str) -> str:
    """The text of a marked page without what its links show."""
    return text if text.isascii() else _ANY_LINK.sub(" ", text)


def unmarked(text: str) -> str:
    """The text of a marked page without the marks."""
    return text if text.isascii() else _MARKS.sub("", text)


def without_navigation(text: str) -> str:
    """The text of a marked page without lines that lead about, the entries of its index as bare terms, unmarked."""
    if text.isascii():
        return text
    text = _AWAY_MARKS.sub("", text)
    if _CLOSE not in text and _OPEN not in text and _TURN not in text:
        return text
    lines = [line for line in text.split("\n") if not (_CLOSE in line and _leads_about(line))]
    return unmarked("\n".join(index_terms(lines, _index_term)))


def _leads_about(line: str) -> bool:
    """Whether a line shows hardly more than links to the neighbours of a section, or to the letters of an index."""
    links = _MARKED.findall(line)
    beside = len(_WORD.findall(_MARKED.sub(" ", line)))
    if _TURN in line:
        return beside <= len(links) + 1
    single = sum(len(link.strip()) == 1 for link in links)
    return single >= LEAST_LETTERS and beside + len(links) - single <= 2


def _index_term(line: str) -> str | None:
    """The term of an entry: its first link, or what stands before the links; None for a line without links."""
    if _CLOSE not in line:
        return None
    start = _SPACES.sub(" ", line).strip()
    first = _MARKED.match(start)
    if first and start.find(_OPEN, first.end()) >= 0:
        return first.group(1)
    return _MARKED.sub("", start).rstrip(" ,;:\u00a0") if not first else first.group(1)
