"""Separate the content of a web page from its site chrome: menus, navigation, and elements that its style hides.

Parsers of web pages return text without saying which words are links. So links are marked in the page's source with
characters that Unicode reserves for internal use, and the marked text is judged line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dupfinder.text.layout import index_terms

MAIN_SHARE = 0.25  # of the page's words; if the main content is smaller, the heuristics have failed
MAIN_WORDS = 50
LINKED_SHARE = 0.3  # of the words outside known chrome; with fewer in links, there is no other chrome

# Elements that declare themselves as site chrome. An aside with a role of notes is content.
_CHROME_SELECTORS = [
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
# Not words of the text: readings above East Asian characters, marks of notes, remarks of office programs.
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
UNSEEN = f"[{_UNSEEN}]"  # selects inline elements that `styled` marked as invisible

# Noncharacters of Unicode: begin of a link within the document, of one to its neighbours, end; of other links, end.
_OPEN, _TURN, _CLOSE = "\ufdd0", "\ufdd2", "\ufdd1"
_AWAY, _BACK = "\ufdd3", "\ufdd4"
_MARKS = re.compile("[\ufdd0-\ufddf]")
_AWAY_MARKS = re.compile(f"[{_AWAY}{_BACK}]")
_ANY_LINK = re.compile(f"[{_OPEN}{_TURN}{_AWAY}][^{_CLOSE}{_BACK}]*[{_CLOSE}{_BACK}]")
_LINK = re.compile(r"<(?:a\b[^<>]{0,2000}|/a\s{0,9})>", re.I)
_WITHIN = re.compile(r"\bhref\s{0,9}=\s{0,9}[\"']?(?![a-z][a-z0-9+.-]{0,20}:|//)[^\"'\s>#]{0,500}#", re.I)
# Links to other pages of a series: HTML 4.01 section 6.12, HTML Living Standard 4.6.7.
_TO_NEIGHBOURS = re.compile(
    r"\brel\s{0,9}=\s{0,9}[\"']?(?:next|prev|previous|up|start|contents|index|home|first|last)\b"
    r"|\baccesskey\s{0,9}=\s{0,9}[\"']?[npu]\b",
    re.I,
)
_MARKED = re.compile(f"[{_OPEN}{_TURN}]([^{_OPEN}{_TURN}{_CLOSE}]*){_CLOSE}")
_WORD = re.compile(r"\w+")
LEAST_LETTERS = 5  # links of one character each in a line
_SPACES = re.compile(r"[ \t]{2,}")


class _Mark(NamedTuple):
    """Two characters around the text of some elements: noncharacters of Unicode, which do not occur in pages."""

    opening: str
    closing: str


_CHROME, _HEADER = _Mark("\ufdd5", "\ufdd6"), _Mark("\ufdd7", "\ufdd8")
_PARTS = {_MAIN: _Mark("\ufdd9", "\ufdda"), _ARTICLE: _Mark("\ufddb", "\ufddc")}
_SIGNS = re.compile("[\ufdd5-\ufddc]")
_ANY_CHROME = ", ".join(_CHROME_SELECTORS)
_MOST_HEADERS = 20  # with more, finding those with navigation takes quadratic time


def content_of(tree: Any, hidden: Sequence[str], may_search: Callable[[], bool]) -> tuple[str, str]:
    """Return (content with link marks, all visible text without marks) of a parsed page. Adds marks to the page.

    The content is the first of these that is large enough: the part that the page declares as its main part; the page
    without its declared chrome, if it has no other; what resiliparse's heuristics find; all of the page. The heuristics
    are slow on deep pages, and are skipped if `may_search` returns False. hidden: selectors of invisible elements.
    """
    parts = [mark for selector, mark in _PARTS.items() if _mark_elements(tree, selector, mark, only=True)]
    chrome_count = _mark_elements(tree, _ANY_CHROME, _CHROME)
    chrome_count += _mark_elements(tree, _SITE_HEADER, _HEADER, most=_MOST_HEADERS)
    marked = visible_text(tree, hidden)
    full = unmarked(marked)
    words = size(full)
    for mark in parts:
        inner = marked.partition(mark.opening)[2].partition(mark.closing)[0]
        part = _without_signs(_without(inner, _CHROME))
        if is_enough(unmarked(part), words):
            return part, full
    without_chrome = _without_signs(_without(_without(marked, _CHROME), _HEADER))
    count = size(unmarked(without_chrome)) if chrome_count else words
    enough = count >= MAIN_WORDS and count >= MAIN_SHARE * words
    if enough and count - size(unmarked(outside_links(without_chrome))) <= LINKED_SHARE * count:
        return without_chrome, full
    main_content = _without_signs(visible_text(tree, hidden, main_content=True)) if may_search() else ""
    if is_enough(unmarked(main_content), words):
        return main_content, full
    return (without_chrome if enough else _without_signs(marked)), full


def _mark_elements(tree: Any, selector: str, mark: _Mark, *, only: bool = False, most: int = 1 << 30) -> int:
    """Insert a mark around the text of the elements of a selector, and return their number.

    only: do nothing unless there is exactly one. most: do nothing if there are more.
    """
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


def _without(marked: str, mark: _Mark) -> str:
    """Return a text without the stretches between these marks, which may nest."""
    if mark.opening not in marked:
        return marked
    outside: list[str] = []
    depth = 0
    for index, piece in enumerate(re.split(f"([{mark.opening}{mark.closing}])", marked)):
        if index % 2:
            depth = depth + 1 if piece == mark.opening else max(0, depth - 1)
        elif not depth:
            outside.append(piece)
    return "".join(outside)


def _without_signs(text: str) -> str:
    """Return a text without the marks of elements."""
    return text if text.isascii() else _SIGNS.sub("", text)


def is_enough(text: str, words: int) -> bool:
    """Tell whether a part can be the content of a page of so many words."""
    part_words = size(text)
    return part_words >= MAIN_WORDS and part_words >= MAIN_SHARE * words


def size(text: str) -> int:
    """Count words; an East Asian character counts as half a word."""
    words = len(text.split())
    if text.isascii():
        return words
    return words + len(text.encode("utf-8", "replace").translate(None, _NOT_LEADING_EAST_ASIAN)) // 2


def visible_text(tree: Any, skip_elements: Sequence[str] = (), **options: Any) -> str:
    """Return the visible text of a page, without marks of notes and readings. options: of resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text  # takes 60 ms to import

    skipped = [*_ASIDE, *skip_elements]
    text = extract_plain_text(tree, alt_texts=False, list_bullets=False, skip_elements=skipped, **options)
    return str(text).replace("\0", "")


def remarks(tree: Any) -> list[str]:
    """Return the comments in a page that an office program exported."""
    return texts_of(tree, ", ".join(_REMARKS))


def texts_of(tree: Any, selector: str) -> list[str]:
    """Return the text of each element of a selector, without marks."""
    if tree.document is None:
        return []
    return [unmarked(node.text) for node in tree.document.query_selector_all(selector)[:]]


def styled(page: str) -> str:
    """Return a page's source with its style applied to inline elements.

    Those shown as blocks or table cells get a space before them, and invisible ones the attribute of `UNSEEN`.
    Invisible blocks are not marked, because scripts show them on demand.
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
    """Return a pattern of the start tags of inline elements with one of these classes."""
    either = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bclass\s{{0,9}}=\s{{0,9}}"
        rf"(?:[\"'](?:[^\"'<>]{{0,500}}?\s)?(?:{either})[\s\"']|(?:{either})[\s>]))",
        re.I,
    )


def _classes(page: str) -> tuple[list[str], list[str]]:
    """Return (classes shown as blocks, invisible classes) by the style rules that apply to all media."""
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
    """Return a page's source with marks inside its links, which tell links within the document from others."""
    if "<a " not in page and "<A " not in page:
        return page
    clean = unmarked(page)
    end = ""  # the closing mark of the open link

    def marked(tag: re.Match[str]) -> str:
        """Return a tag with the mark that belongs to it."""
        nonlocal end
        link = tag.group()
        if link[1] == "/":
            closing, end = end, ""
            return closing + link
        lower = link.lower()
        if end or "href" not in lower:
            return link
        to_neighbour = ("rel" in lower or "accesskey" in lower) and _TO_NEIGHBOURS.search(link)
        is_internal = to_neighbour or ("#" in link and _WITHIN.search(link))
        end = _CLOSE if is_internal else _BACK
        return link + (_TURN if to_neighbour else _OPEN if is_internal else _AWAY)

    return _LINK.sub(marked, clean)


def outside_links(text: str) -> str:
    """Return a marked text without the text of its links."""
    return text if text.isascii() else _ANY_LINK.sub(" ", text)


def unmarked(text: str) -> str:
    """Return a marked text without the marks."""
    return text if text.isascii() else _MARKS.sub("", text)


def without_navigation(text: str) -> str:
    """Return a marked text without navigation lines and marks, and index entries as bare terms."""
    if text.isascii():
        return text
    text = _AWAY_MARKS.sub("", text)
    if _CLOSE not in text and _OPEN not in text and _TURN not in text:
        return text
    lines = [line for line in text.split("\n") if not (_CLOSE in line and _is_navigation(line))]
    return unmarked("\n".join(index_terms(lines, _index_term)))


def _is_navigation(line: str) -> bool:
    """Tell whether a line hardly has more than links to neighbouring sections or to letters of an index."""
    links = _MARKED.findall(line)
    beside = len(_WORD.findall(_MARKED.sub(" ", line)))
    if _TURN in line:
        return beside <= len(links) + 1
    single = sum(len(link.strip()) == 1 for link in links)
    return single >= LEAST_LETTERS and beside + len(links) - single <= 2


def _index_term(line: str) -> str | None:
    """Return the term of an index entry: its first link, or the text before the links; None without links."""
    if _CLOSE not in line:
        return None
    start = _SPACES.sub(" ", line).strip()
    first = _MARKED.match(start)
    if first and start.find(_OPEN, first.end()) >= 0:
        return first.group(1)
    return _MARKED.sub("", start).rstrip(" ,;:\u00a0") if not first else first.group(1)
