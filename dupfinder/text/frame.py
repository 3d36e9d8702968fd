"""Which part of a web page is its content, and which is the frame that the site puts around every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def content_of(tree: Any, hidden: Sequence[str] = (), *, searching: bool = True) -> tuple[str, str]:
    """(content, all visible text) of a parsed page.

    The content is, in this order: what the page marks as its main part; all of a page that has no more frame than it
    says itself; what resiliparse's heuristics find; all of the page where those find too little. Without `searching`,
    which takes time on deep pages, it is all of the page but what says itself that it is frame. `hidden`: selectors of
    what the page's style does not show.
    """
    full = visible_text(tree, hidden)
    words = size(full)
    if not searching:
        bare = visible_text(tree, skip_elements=[*_FRAMES, *hidden])
        return (bare if is_enough(bare, words) else full), full
    marked = _marked(tree, words, hidden)
    if marked:
        return marked, full
    bare = visible_text(tree, skip_elements=[*_FRAMES, _SITE_HEADER, *hidden])
    if is_enough(bare, words) and size(bare) - _unlinked_words(tree, hidden) <= LINKED_SHARE * size(bare):
        return bare, full
    found = visible_text(tree, hidden, main_content=True)
    if is_enough(found, words):
        return found, full
    return (bare if is_enough(bare, words) else full), full


def _marked(tree: Any, words: int, hidden: Sequence[str]) -> str:
    """The text of the one main element, or of the one article; "" where neither holds enough."""
    from resiliparse.parse.html import HTMLTree

    for selector in (_MAIN, _ARTICLE):
        nodes = tree.document.query_selector_all(selector)
        if len(nodes) == 1:
            text = visible_text(HTMLTree.parse(f"<body>{nodes[0].html}</body>"), skip_elements=[*_FRAMES, *hidden])
            if is_enough(text, words):
                return text
    return ""


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


def _unlinked_words(tree: Any, hidden: Sequence[str]) -> int:
    """Words outside links and outside the elements that say they are frame.

    Walking the links themselves takes the square of their number: collections of the parser count from their start.
    """
    return size(visible_text(tree, skip_elements=[*_FRAMES, _SITE_HEADER, "a[href]", *hidden]))


def visible_text(tree: Any, skip_elements: Sequence[str] = (), **options: Any) -> str:
    """The text that a reader of the page sees, without marks of notes and readings, with resiliparse's options."""
    from resiliparse.extract.html2text import extract_plain_text  # 60 ms to import, needed for web pages alone

    skipped = [*_ASIDE, *skip_elements]
    text = extract_plain_text(tree, alt_texts=False, list_bullets=False, skip_elements=skipped, **options)
    return str(text).replace("\0", "")


def remarks(tree: Any) -> list[str]:
    """The comments in a document that an office program exported as a page."""
    if tree.document is None:
        return []
    return [node.text for node in tree.document.query_selector_all(", ".join(_REMARKS))[:]]
