"""Separate the content of a web page from its site chrome: menus, navigation, and elements that its style hides.

Elements of these kinds are marked in the parsed page, as links are in its source, so that the text of the page, which
is extracted once, shows where each begins and ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from dupfinder.text.document import OtherContent, OtherHashes, without_labels
from dupfinder.text.readers.page_source import (
    AWAY,
    CARD,
    ELSEWHERE,
    ELSEWHERE_MARK,
    LEAST_LETTERS,
    LINK,
    MARK_BYTES,
    MOST_CLASSES,
    UNSEEN,
    PageSource,
    outside_links,
    unmarked,
    without_link_marks,
)

MAIN_SHARE = 0.25  # of the page's words; if the main content is smaller, the heuristics have failed
MAIN_WORDS = 50
BESIDE_MENU = 150  # words; a page with so many may have a declared menu of any length; a footer has fewer
LEAST_TEASERS = 3  # texts among links to other pages
SHORTEST = 5  # words of a declared part among landmarks; "Loading, please wait" is what a script would replace
PROSE_WORDS = 10  # outside links in a line of prose; a title or a line of site chrome has fewer
LINKED_SHARE = 0.3  # of the words outside known chrome; with fewer in links, there is no other chrome

# Elements that declare themselves as site chrome. An aside with a role of notes, or around some, is content, and so is
# one that programs for manuals write. Each group begins with what all its elements have, because that is tested first.
_ASIDES = (
    ".admonition, .callout, .caution, .danger, .hint, .important, .note, .tip, .topic, .warning, .starlight-aside, "
    ":has(> .sidebar-title)"
)
_CHROME_ROLES = ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu")
_CHROME_IDS = ("nav", "navbar", "menu", "sidebar", "breadcrumbs", "comments", "footer", "cookie-banner")
_CHROME_NAMES = {name: name for name in ("nav", "footer", "form", "dialog")} | {
    **{"amp-sid": "amp-sidebar", "amp-con": "amp-consent", "amp-use": "amp-user-notification"},
    "aside": f"aside:not([role^='doc-'], [role='note'], :has(> [role^='doc-'], > [role='note']), {_ASIDES})",
}
_CHROME_SELECTORS = (
    "div[title]:is([title='header'], [title='footer'])",  # the page head and foot of a word processor's export
    f"[role]:is({', '.join(f'[role={role}]' for role in _CHROME_ROLES)})",
    # A section of a manual, or its heading, has its title as its id.
    f"[id]:not(section, .section, h1, h2, h3, h4, h5, h6):is({', '.join(f'#{name}' for name in _CHROME_IDS)})",
)
_CHROME_CLASS_NAMES = (
    "ad", "ads", "advert", "advertisement", "advertising", "sponsored", "promo", "banner",
    "nav", "navbar", "menu", "menu-bar", "sidebar", "breadcrumb", "breadcrumbs", "pagination", "pager",
    "navheader", "navfooter", "navigation", "navpath",
    "comment", "comments", "share", "sharing", "social", "related", "newsletter", "cookie",
    "meta", "post-meta", "entry-meta", "byline", "footer", "site-header", "skip-link", "noprint",
    "mw-editsection", "mw-jump-link", "printfooter", "catlinks",
)  # fmt: skip
# A span of class "comment" is one in a program, in the colour of comments. DocBook's older pages have capitals.
_CHROME_CLASSES = {name: f".{name}" for name in _CHROME_CLASS_NAMES} | {
    "comment": ".comment:not(span)",
    "sidebar": ".sidebar:not(:has(> .sidebar-title))",
    **{name: f".{name}, .{name.upper()}" for name in ("navheader", "navfooter")},
}
# Sites combine such words with others: "post-comments", "sidebar-right". Programs that write manuals do so for few of
# them; TypeDoc describes everything in blocks of class "tsd-comment", so only a place for many comments counts.
_BLOCKS = ":is(div, section, aside, ul, ol, dl, table)"
_COMMENTS = (
    "comments|comment[-_]?(?:list|area|section|box|wrap|wrapper|container|panel|block)"
    "|comentarios|kommentare|commentaires|pinglun"
)
_FOOTER = "footer|(?:page|site|main)[-_]?foot"
_WORD_BESIDE = re.compile(
    rf"(?:\A|[-_])(?:{_COMMENTS}|{_FOOTER}|recommend(?:ed)?|related|sidebar|sponsored|breadcrumbs?)(?:\Z|[-_])"
)
# The ids of sections are made of their titles: "related-work", "general-comments".
_ID_BESIDE = re.compile(rf"(?:\A|[-_])(?!comments)(?:{_COMMENTS}|{_FOOTER}|sidebar)(?:\Z|[-_])|\Acomments(?:\Z|[-_])")
_SECTION = ":is(section, .section, [class*='level-extent'], [class*='outline-'])"  # of Sphinx, Texinfo and Org
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_CLASS_NAME = re.compile(r"[A-Za-z][\w-]*", re.A)
# Of comments that LibreOffice and Word export, and of the mark that Word puts where each belongs.
_CLASSES_OF_REMARKS = ("annotation_style_by_filter", "msocomtxt")
_REMARKS_OF_GOOGLE = "div:has(> p > a[href^='#cmnt_ref'])"  # behind the text of a document that Google Docs exports
# Elements that are not words of the text: readings above East Asian characters, marks of notes, remarks of office
# programs, and repetitions of a formula of MathML: its source, which browsers do not show, and the copy that KaTeX
# draws. Empty lists are left out because resiliparse indents all lines after each of them further, so that a page with
# many takes quadratic time. A selector is tried on every element, so it is used only for pages that have its name, its
# class or the value of its attribute.
# Resiliparse's own options leave out whole figures with their captions, tables and quotations, and labels of fields.
_ASIDE_NAMES = {
    **{"rt": "rt", "rp": "rp", "comment": "comment", "ul": "ul:empty", "ol": "ol:empty"},
    **{name: name for name in ("area", "audio", "embed", "image", "img", "object", "svg", "video")},
    **{name: name for name in ("button", "input", "option", "select")},
    **{"datalis": "datalist", "textare": "textarea"},
    "annotat": ":is(annotation, annotation-xml)",
    "sup": "sup > a[href*='#'], a[href*='#'] > sup",
}
_ASIDE_VALUES = {
    b"noteref": "[role='doc-noteref'], [epub\\:type='noteref']",
    b"#cmnt_ref": _REMARKS_OF_GOOGLE,
    b"doc-backlink": "[role='doc-backlink']:not(:is(h1, h2, h3, h4, h5, h6) *)",  # a heading links to the contents
}
_ASIDE_LINKS = "a:is([id^='body_ftn'], [href^='#called'])"
_ASIDE_CLASSES = {
    **{name: f".{name}" for name in (*_CLASSES_OF_REMARKS, "msocomanchor")},
    **{name: f".{name}" for name in ("footnote-ref", "footnote-back", "footnodeNumber")},
    **{name: f".{name}" for name in ("footnote-reference", "fn-backref", "fn-bracket", "headerlink")},
    "reference": "sup.reference",
    "katex-html": ".katex-mathml + .katex-html",
    **{name: f".{name}" for name in ("linenos", "lineno", "rouge-gutter")},  # numbers of the lines of a listing
    **{"gutter": "td.gutter", "lnt": ".chroma .lnt", "ln": ".chroma .ln"},
    "lang": "[class*='language-'] > span.lang",  # VitePress names the language of each listing
    "backrefs": ".label:has(> .fn-bracket), .backrefs",
    **{name: f"a.{name}" for name in ("sdfootnoteanc", "sdfootnotesym", "sdendnoteanc", "sdendnotesym")},
}
_WORD = re.compile(r"\w")
_SENTENCE = re.compile("[.!?:;](?<=[^\\W\\d_].)(?=\\s|\\Z)|[…。！？：；]")
_EAST_ASIAN, _LAST_EAST_ASIAN = 0xE3, 0xF0  # first bytes of U+3000 and above in UTF-8
_LAST_WHITE = 0x20  # the space: the last of ASCII's white space
_SPACED = bytes(max(byte, _LAST_WHITE) for byte in range(256))
_SHORT = 500  # bytes, which are split faster than an array is made of them
_CELL = b"\t"  # between the cells of a row
_SITE_HEADER = "header:has(nav)"
# What surrounds the content by its meaning (WAI-ARIA 1.2 section 5.3.4), and is never some of it, unlike a form.
_LANDMARKS = "nav, footer, [role]:is([role=navigation], [role=banner], [role=contentinfo], [role=search])"
# A link to another page without its end: resiliparse's heuristics leave out some texts of one character.
_UNENDED = re.compile(
    rb"\xef\xb7[\x93\xa0](?>(?:[^\xef\n]++|\xef(?!\xb7[\x90-\x94\x9d\xa0])|\n(?!\n))*)(?=\n\n|\xef\xb7[^\x94]|\Z)"
)
# Resiliparse's heuristics leave out all lists of points that are less than so many elements below the body.
_DEPTH_OF_LISTS = 3
_LISTS_NEAR_ROOT = ", ".join(f"body > {'* > ' * depth}ul" for depth in range(_DEPTH_OF_LISTS))


class _ElementMark(NamedTuple):
    """Two characters around the text of some elements: noncharacters of Unicode, which do not occur in pages."""

    opening: str
    closing: str


_CHROME, _LANDMARK = _ElementMark("\ufdd5", "\ufdd6"), _ElementMark("\ufdd7", "\ufdd8")
_BESIDE = _ElementMark("\ufdde", "\ufddf")
_MAIN, _ARTICLE = _ElementMark("\ufdd9", "\ufdda"), _ElementMark("\ufddb", "\ufddc")
_SIGN = re.compile(b"(" + MARK_BYTES + rb"[\x95-\x9c\x9e\x9f])")  # of these elements, and of no link
_MOST_OF_PARTS = 1_000  # headers of parts of a page
_MOST_HEADERS = 20  # with more, finding those with navigation takes quadratic time


def _selector(page: PageSource, by_name: Mapping[str, str], always: Iterable[str], by_class: Mapping[str, str]) -> str:
    """Return a selector of the elements with a name or class that the page may have, or with selectors in `always`."""
    of_names = [selector for name, selector in by_name.items() if page.may_have(name)]
    classed = [selector for name, selector in by_class.items() if name.lower() in page.classes]
    return ", ".join([*of_names, *always, *classed])


def content_of(tree: Any, page: PageSource, other: OtherHashes, may_search: Callable[[], bool]) -> tuple[bytes, str]:
    """Return (content in UTF-8 with link marks, all visible text without marks) of a parsed page, which gets marks.

    Teasers and remarks that are left out are added to `other`: they may be all that differs between two pages.

    The content is the first of these that is large enough, without menus and blocks beside the text: the only article;
    the declared main part, which may have visitors' remarks beside the article; the page without its declared chrome,
    if it has no other; what resiliparse's heuristics find; all of the page. The heuristics are slow on deep pages, and
    are skipped if `may_search` returns False. tree: the parsed page. All of a mail is content, such as a list
    of offers that looks like a menu, and the questions of a form.
    """
    if page.is_mail:
        marked = visible_text(tree, page)
        return marked, without_link_marks(marked).decode("utf-8", "surrogatepass")
    parts = list(_mark_parts(tree, page))
    _mark_all(tree, selected(tree, _selector(page, _CHROME_NAMES, _CHROME_SELECTORS, _CHROME_CLASSES)), _CHROME)
    beside = _blocks_beside(tree, page)
    _mark_all(tree, beside, _BESIDE)
    _mark_all(tree, _site_headers(tree, page), _LANDMARK)
    if parts:
        _mark_all(tree, selected(tree, _LANDMARKS), _LANDMARK)
    marked = visible_text(tree, page)
    whole = without_link_marks(marked)
    full, words = whole.decode("utf-8", "surrogatepass"), word_count(whole)
    for mark in parts:
        before, _, rest = marked.partition(mark.opening.encode())
        inner, _, after = rest.partition(mark.closing.encode())
        count = word_count(_outside(inner, _CHROME))
        if is_content(count, words, PROSE_WORDS) or _is_rest(count, inner, before + after):
            part = _without_beside(inner, _CHROME)
            return _without_menus(part, outside_links(part), other, lambda: not page.is_of_neighbours), full
    content = _of_page(tree, page, marked, words, beside, may_search)
    return _without_menus(*content, other), full


def _is_rest(count: int, inner: bytes, around: bytes) -> bool:
    """Tell whether a declared part is all the content of a page: hardly any words are around it but in landmarks.

    A short page of a site has more words in its landmarks than in its content. count: words of the part outside chrome.
    inner, around: the text of the part and the rest of the page, with marks.
    """
    return is_content(count, word_count(without_link_marks(inner + _outside(around, _LANDMARK))), SHORTEST)


def _of_page(
    tree: Any, page: PageSource, marked: bytes, words: int, beside: Sequence[Any], may_search: Callable[[], bool]
) -> tuple[bytes, bytes]:
    """Return (content, `outside_links` of it) of a page that declares no article or main part; see `content_of`.

    marked: all visible text, of so many words. beside: the blocks beside the text.
    """
    content = _outside(marked, _CHROME, _LANDMARK)
    unlinked = outside_links(content)
    count = word_count(content)
    is_enough = is_content(count, words)
    linked = count - word_count(outside_links(content.replace(ELSEWHERE_MARK, b"")))
    has_no_other = is_enough and linked <= LINKED_SHARE * count
    if beside:
        content = _without_beside(marked, _CHROME, _LANDMARK)
        unlinked = outside_links(content)
    if has_no_other:
        return content, unlinked
    main_content = _main_content(tree, page, beside) if may_search() else b""
    main_unlinked = outside_links(main_content)
    prose = word_count(main_unlinked)
    has_most_prose = prose >= BESIDE_MENU and 2 * prose >= word_count(unlinked)
    if has_most_prose or is_content(word_count(main_content), words):
        return main_content, main_unlinked
    content = content if is_enough else _without_beside(marked)
    return content, outside_links(content)


def _site_headers(tree: Any, page: PageSource) -> list[Any]:
    """Return the headers of a page that have navigation; none if the page has too many headers."""
    may_have_some = page.may_have("header") and page.count("header") <= _MOST_OF_PARTS
    headers = selected(tree, _SITE_HEADER) if may_have_some else []
    return headers if len(headers) <= _MOST_HEADERS else []


def _without_beside(marked: bytes, *left_out: _ElementMark) -> bytes:
    """Return `_outside` of a text; without the blocks beside it too unless they have nearly all words outside links."""
    content, rest = _outside(marked, *left_out), _outside(marked, *left_out, _BESIDE)
    words = word_count(outside_links(rest))
    is_enough = words >= BESIDE_MENU or is_content(words, word_count(outside_links(content)))
    return rest if is_enough else content


def _blocks_beside(tree: Any, page: PageSource) -> list[Any]:
    """Return the blocks of a page that have a word for site chrome in the name of a class, or such a word in an id."""
    classes, ids = (
        sorted(name for name in names if _has_word(name, word))
        for names, word in ((page.class_names, _WORD_BESIDE), (page.ids, _ID_BESIDE))
    )
    named = [*(f".{name}" for name in classes), *(f"#{name}:not({_SECTION})" for name in ids)]
    selector = ", ".join(named[:MOST_CLASSES])
    return selected(tree, f"{_BLOCKS}:is({selector}):not(:has(> .sidebar-title))") if named else []


@lru_cache(maxsize=4096)  # pages of one site share most names
def _has_word(name: str, word: re.Pattern[str]) -> bool:
    """Tell whether the name of a class or an id has such a word in it."""
    return bool(_CLASS_NAME.fullmatch(name) and word.search(_HUMP.sub("-", name).lower()))


def _main_content(tree: Any, page: PageSource, left_out: Sequence[Any]) -> bytes:
    """Return what resiliparse's heuristics find in a page, in UTF-8 with link marks, and its lists of prose.

    A list of prose has a point with PROSE_WORDS outside links. It is put deeper into the page. left_out: elements that
    are not looked at. The page is changed.
    """
    for node in left_out:
        node[UNSEEN] = ""
        page.has_unseen = True
    for node in selected(tree, _LISTS_NEAR_ROOT) if page.may_have("ul") else []:
        points = (outside_links(_text_of(point)) for point in node.child_nodes[:])
        if any(word_count(point) >= PROSE_WORDS for point in points):
            for _ in range(_DEPTH_OF_LISTS):
                wrapper = tree.create_element("div")
                node.parent.replace_child(wrapper, node)
                wrapper.append_child(node)
    return _outside(_UNENDED.sub(b"\\g<0>\xef\xb7\x94", visible_text(tree, page, main_content=True)))


def _without_menus(
    content: bytes, unlinked: bytes, other: OtherHashes, may_have_teasers: Callable[[], bool] = lambda: True
) -> bytes:
    """Return a content in UTF-8 with link marks without `menus` and `teasers`. unlinked: its `outside_links`.

    In a declared part of a manual's page, links with a sentence each are a list of other parts of the manual.
    """
    if unlinked.count(AWAY) < LEAST_LETTERS:
        return content
    lines, lines_unlinked = content.split(b"\n"), unlinked.split(b"\n")
    left_out = menus(lines, lines_unlinked)
    of_others = teasers(lines, lines_unlinked, left_out)
    of_others = of_others if of_others and may_have_teasers() else set()
    left_out |= of_others
    add_teasers(b"\n".join(lines[number] for number in sorted(of_others)), other)
    return b"\n".join(line for number, line in enumerate(lines) if number not in left_out) if left_out else content


def add_teasers(text: bytes, other: OtherHashes) -> None:
    """Add teasers and remarks that are left out, in UTF-8, to the other content of a page."""
    other.add_text(OtherContent.COMMENTS, without_labels(unmarked(text)))


def menus(lines: Sequence[bytes], unlinked: Sequence[bytes]) -> set[int]:
    """Return the numbers of the lines of menus before the prose of a page, and of bars of links after it.

    A menu is a run of lines that hold only links to other pages, LEAST_LETTERS of them or more; a bar holds as many in
    each line. A list of links after the prose, one in each line, may be the sources of the text, and stays. A page of
    which such lines are more than half is a list of links, and keeps them. lines: in UTF-8, with link marks or
    without. unlinked: `outside_links` of each.
    """
    bars = (len(lines) - 1 - number for number in _menus(unlinked[::-1], LEAST_LETTERS))
    left_out = {*_menus(unlinked, 1), *bars}
    is_list = bool(left_out) and 2 * _words_of(lines, left_out) >= _words_of(lines, range(len(lines)))
    return set() if is_list else left_out


def _words_of(lines: Sequence[bytes], numbers: Iterable[int]) -> int:
    return word_count(b"\n".join(lines[number] for number in numbers))


def teasers(lines: Sequence[bytes], unlinked: Sequence[bytes], left_out: Set[int]) -> set[int]:
    """Return the numbers of the lines of teasers and remarks after the text of a page: see `_teasers`.

    A page keeps them if they are more than two thirds of it, or if its other text is shorter than an article. Links
    with blocks inside, such as a heading and a sentence, are clearer: they need only be shorter than the other text.
    Lists of pages of the same site are left out of any page with as much prose as an article; see `_listed`.
    lines, unlinked: as in `menus`. left_out: the result of `menus`.
    """
    announced, tail = _teasers(unlinked)
    of_others = set(announced) - left_out
    rest = set(range(len(lines))) - left_out - of_others
    if of_others:
        words, other_words = _words_of(lines, of_others), _words_of(lines, rest)
        are_cards = all(CARD in unlinked[number] for number in of_others if lines[number].strip())
        least = max(MAIN_WORDS, words) if are_cards else max(BESIDE_MENU, words / 2)
        of_others = of_others if other_words >= least else set()
    listed = set(_listed(lines, unlinked, tail)) - left_out
    prose = [number for number in rest - listed if _is_prose(unlinked[number])] if listed else []
    return of_others | listed if _words_of(unlinked, prose) >= BESIDE_MENU else of_others


def _teasers(lines: Sequence[bytes]) -> tuple[range, int]:
    """Return the numbers of the lines at the end of a page that announce other pages, or that visitors added.

    Lines that hold only links to other pages are among texts of one paragraph and fewer than MAIN_WORDS words: titles
    of other pages with a sentence of each, or remarks with links to answer them. Two of these texts follow each other
    where the remarks begin. A link with blocks inside is a teaser by itself. LEAST_TEASERS of them must be prose;
    few are, in a list that tells what its links are. Texts after the last link and rows of tables are no teasers.
    Also return the number of the line before all lines with such links. lines: of `outside_links`.
    """
    links = texts = words = paragraphs = number = 0
    first = last = len(lines)
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if _is_of_links(line) and _CELL not in line:
            last = last if links else number
            first = number if not links or (paragraphs <= 1 and words < MAIN_WORDS) else first
            texts += CARD in line or (paragraphs > 0 and links > 0)
            links += line.count(AWAY)
            words = paragraphs = 0
        elif line.strip():
            words += word_count(line)
            paragraphs += _is_prose(line)
            if (paragraphs > 2 or words >= 2 * MAIN_WORDS) if links else words >= BESIDE_MENU:
                break
    return range(first, last + 1) if texts >= LEAST_TEASERS else range(0), number


def _listed(lines: Sequence[bytes], unlinked: Sequence[bytes], tail: int) -> Iterator[int]:
    """Yield the numbers of the lines at the end of a page that list other pages of its site, as the most read ones.

    A list has LEAST_TEASERS lines of links or more, no prose, and most of its words in links, unlike dates beside them.
    Links to other sites may be the sources of the text. lines, unlinked: as in `menus`. tail: the first line.
    """

    def may_list(number: int) -> bool:
        line = unlinked[number]
        return ELSEWHERE not in line and LINK not in line and _CELL not in line and not _is_prose(line)

    for is_list, numbers in groupby(range(tail, len(lines)), may_list):
        links = [number for number in numbers if _is_of_links(unlinked[number])] if is_list else []
        if len(links) >= LEAST_TEASERS:
            run = range(links[0], links[-1] + 1)
            if _words_of(lines, run) >= 2 * _words_of(unlinked, run):
                yield from run


def _is_of_links(line: bytes) -> bool:
    """Tell whether a line of `outside_links` holds links to other pages, and nothing else."""
    return AWAY in line and LINK not in line and not _WORD.search(line.decode("utf-8", "replace"))


def _menus(lines: Sequence[bytes], least: int) -> Iterator[int]:
    """Yield the numbers of the lines of menus that come before the first line of prose.

    lines: of `outside_links`. least: links that each line of a menu holds.
    """
    menu: list[int] = []
    links = 0
    for number, line in enumerate(lines):
        if line.count(AWAY) >= least and _is_of_links(line):
            menu.append(number)
            links += line.count(AWAY)
        elif line.strip():
            yield from menu if links >= LEAST_LETTERS else ()
            if _is_prose(line):
                return
            menu, links = [], 0


def _is_prose(line: bytes) -> bool:
    """Tell whether a line of `outside_links` has PROSE_WORDS words, and a sentence ends in it, unlike in a dateline."""
    if len(line) < 2 * PROSE_WORDS - 1 or word_count(line) < PROSE_WORDS:  # too few bytes for so many words
        return False
    return _SENTENCE.search(line.decode("utf-8", "replace")) is not None


def _mark_parts(tree: Any, page: PageSource) -> Iterator[_ElementMark]:
    """Mark the article and the main part of a page, each if there is exactly one. Yields their marks."""
    mains = selected(tree, "main, [role='main']") if page.may_have("main") or b"main" in page.source else []
    articles = selected(tree, "article") if page.may_have("article") else []
    for nodes, mark in ((articles, _ARTICLE), (mains, _MAIN)):
        if len(nodes) == 1:
            _mark_all(tree, nodes, mark)
            yield mark


def selected(tree: Any, selector: str) -> list[Any]:
    """Return the elements of a parsed page that a selector matches; none if it is empty."""
    return list(tree.document.query_selector_all(selector)[:]) if selector and tree.document is not None else []


def _mark_all(tree: Any, nodes: Sequence[Any], mark: _ElementMark) -> None:
    """Insert a mark around the text of each of these elements."""
    for node in nodes:
        opening = tree.create_text_node(mark.opening)
        if node.first_child is None:
            node.append_child(opening)
        else:
            node.insert_before(opening, node.first_child)
        node.append_child(tree.create_text_node(mark.closing))


def _outside(marked: bytes, *left_out: _ElementMark) -> bytes:
    """Return a text without any marks of elements, and without the text between those of `left_out`, which may nest."""
    steps = {sign.encode(): step for mark in left_out for sign, step in zip(mark, (1, -1), strict=True)}
    outside: list[bytes] = []
    depth = 0
    for index, piece in enumerate(_SIGN.split(marked)):
        if index % 2:
            depth = max(0, depth + steps.get(piece, 0))
        elif not depth:
            outside.append(piece)
    return b"".join(outside)


def _text_of(node: Any) -> bytes:
    """Return the text of an element in UTF-8 with marks."""
    return bytes(node.text.encode("utf-8", "surrogatepass"))


def is_content(words: int, of_page: int, least: int = MAIN_WORDS) -> bool:
    """Tell whether a part of a page has enough words to be its content. of_page: the number of words of the page."""
    return words >= least and words >= MAIN_SHARE * of_page


def word_count(data: bytes) -> int:
    """Count the words of a text in UTF-8 with marks or without; an East Asian character counts as half a word."""
    if len(data) < _SHORT and data.isascii():
        return len(data.translate(_SPACED).split())
    if not data:
        return 0
    values = np.frombuffer(data, np.uint8)
    is_dark = values > _LAST_WHITE
    words = int(is_dark[0]) + int(np.count_nonzero(is_dark[1:] > is_dark[:-1]))
    if data.isascii():
        return words
    east_asian = np.count_nonzero(values - np.uint8(_EAST_ASIAN) <= _LAST_EAST_ASIAN - _EAST_ASIAN)  # modulo 256
    return words + (int(east_asian) - data.count(MARK_BYTES)) // 2


def visible_text(tree: Any, page: PageSource, **options: Any) -> bytes:
    """Return the visible text of a page in UTF-8 with its marks of links, without marks of notes and readings.

    tree: the parsed page. options: of resiliparse.
    """
    from resiliparse.extract.html2text import extract_plain_text  # takes 60 ms to import

    valued = [selector for value, selector in _ASIDE_VALUES.items() if value in page.source]
    unseen = [f"[{UNSEEN}]"] if page.has_unseen else []
    skipped = _selector(page, _ASIDE_NAMES, (*valued, *unseen, _ASIDE_LINKS), _ASIDE_CLASSES)
    text = extract_plain_text(tree, form_fields=True, list_bullets=False, skip_elements=[skipped], **options)
    return str(text).encode("utf-8", "surrogatepass").replace(b"\0", b"")


def remarks(tree: Any, page: PageSource) -> list[str]:
    """Return the comments in a page that an office program exported. tree: the parsed page."""
    classes = [f".{name}" for name in _CLASSES_OF_REMARKS if name in page.classes]
    may_have_some = page.may_have("comment") or classes or b"#cmnt_ref" in page.source
    return texts_of(tree, ", ".join(("comment", *classes, _REMARKS_OF_GOOGLE)), page) if may_have_some else []


def texts_of(tree: Any, selector: str, page: PageSource) -> list[str]:
    """Return the text of each element of a selector, without marks, until the texts are as long as the page's source.

    The text of a nested element is in that of its parent too: thousands of unclosed ones would give endless text.
    """
    texts: list[str] = []
    room = len(page.source)
    for node in selected(tree, selector):
        text = _text_of(node)
        room -= len(text)
        if room < 0:
            break
        texts.append(unmarked(text))
    return texts
