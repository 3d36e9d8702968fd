"""Which part of a web page is its content, and which is the frame that the site puts around every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dupfinder.text.readers.navigation import outside_links, unmarked

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
