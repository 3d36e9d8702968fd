"""Read web pages: their main content, and the whole page as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Any

from dupfinder.text.contents import without_leaders
from dupfinder.text.document import Extracted, MediaType, OtherContent, OtherHashes, language_tag, without_labels
from dupfinder.text.layout import without_page_breaks
from dupfinder.text.lines import running_text
from dupfinder.text.readers.package import parse_time
from dupfinder.text.readers.page_source import (
    INLINE_SELECTOR,
    UNSEEN,
    PageSource,
    cells_of,
    prepared,
    selectors_by_style,
    without_navigation,
)
from dupfinder.text.readers.plain import Decoded, decode, decoded_as
from dupfinder.text.readers.site_chrome import content_of, remarks, selected, texts_of
from dupfinder.text.readers.sources import with_printed_formulas

# Elements whose words are seen, but are no words of the text: readings of East Asian characters, and parts of forms.
_BESIDE_TEXT = (("rt", OtherContent.HEADERS), ("button", OtherContent.HEADERS), ("option", OtherContent.FORM_FIELDS))
_MOST_SET_APART = 10_000  # elements of a page: those within each other take quadratic time
_HEADINGS_IN_LINES = "summary, legend"
_FRACTION_PARTS = "mfrac > *, mfrac + *"  # also what follows a fraction
MAX_DEPTH = 1000  # searching the main content takes quadratic time in it; browsers stop at 512
_TAG = re.compile(
    r"<(/?)(?:div|span|table|t[dr]|section|article|ul|ol|li|dl|dd|b|i|u|em|font|center|blockquote|p)\b", re.I
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9_:.-]{2,40})", re.I)
_AUTHORS = ("author", "dc.creator", "dcterms.creator")
_CREATED = ("article:published_time", "dcterms.created", "dcterms.date", "dc.date", "date", "created")
_MODIFIED = ("article:modified_time", "dcterms.modified", "changed", "last-modified")
_FACT = re.compile(rb"=\s*[\"']?(?:author|dc\.|dcterms|article:|date|created|changed|last-)", re.I)  # all of these
# Scripts that show formulas in TeX, and their setting for formulas between single dollars.
_TEX = re.compile(r"<(?:script|link)\b[^<>]{0,500}(?:mathjax|katex)|\bMathJax\s{0,9}(?:=|\.Hub)", re.I)
_SINGLE_DOLLARS = re.compile(r"[\"']\$[\"']")


def read_html(data: bytes, is_mail: bool = False) -> Extracted:
    """Return the main content of a page by resiliparse's rules, or all of its text if they find too little.

    is_mail: a mail holds the page.
    """
    from resiliparse.parse.html import HTMLTree  # loads the parser's C library

    source, encoding, is_cut = decode_page(data)
    other = OtherHashes()
    page = PageSource(source, is_mail)
    tree = HTMLTree.parse_from_bytes(prepared(page, other), "utf-8")
    add_styled(tree, page, other)
    content, full = content_of(tree, page, other, lambda: deepest(source) <= MAX_DEPTH)
    text, full = _with_formulas(page, source, without_navigation(content), full, other)
    laid_out, heads = without_page_breaks(text) if page.may_have("pre") else (text, [])
    text = running_text(without_leaders(laid_out)) if heads else text
    words = text
    if page.has_labels:
        words, full = without_labels(text), without_labels(full)
    for remark in remarks(tree, page):
        other.add_text(OtherContent.COMMENTS, remark)
    if words != full:
        other.add(OtherContent.HEADERS, full)
    properties = _properties(tree, page)
    return Extracted(
        text + cells_of(page),
        MediaType.HTML,
        "resiliparse",
        streams={"full": full} if words != full else {},
        encoding=encoding,
        title=_line(tree.title or ""),
        author=_first_of(properties, _AUTHORS),
        created=parse_time(_first_of(properties, _CREATED)),
        modified=parse_time(_first_of(properties, _MODIFIED)),
        language=declared_language(tree),
        partial=is_cut,
        other=other.hashes(MediaType.HTML),
    )


def _with_formulas(page: PageSource, source: str, text: str, full: str, other: OtherHashes) -> tuple[str, str]:
    """Return the content and all text of a page with formulas as they are printed, if the page has scripts for TeX.

    source: of the page, as it was read.
    """
    if (b"mathjax" in page.lower or b"katex" in page.lower) and _TEX.search(source):  # the second takes long
        dollars = _SINGLE_DOLLARS.search(source) is not None
        (text, formulas), (full, _) = (with_printed_formulas(each, single_dollars=dollars) for each in (text, full))
        other.add_text(OtherContent.FORMULAS, "\n".join(formulas))
    return text, full


def add_styled(tree: Any, page: PageSource, other: OtherHashes) -> None:
    """Add a prepared page's readings, and words that are struck out or highlighted; add and mark invisible ones.

    Invisible blocks are not marked, and remain words, because scripts show them on demand; a mail has no scripts.
    Headings within a line and the parts of fractions are set apart, since the parser joins them with their neighbours.
    """
    for kind, selector in selectors_by_style(page):
        other.add_text(kind, "".join(texts_of(tree, selector, page)))
        unseen = selector if page.is_mail else f"{INLINE_SELECTOR}:is({selector})"
        for node in selected(tree, unseen) if kind is OtherContent.HEADERS else ():
            node[UNSEEN] = ""
            page.has_unseen = True
    for node in selected(tree, _HEADINGS_IN_LINES)[:_MOST_SET_APART] if page.may_have("summary", "legend") else ():
        node.append_child(tree.create_element("br"))
    for node in selected(tree, _FRACTION_PARTS)[:_MOST_SET_APART] if page.may_have("mfrac") else ():
        node.parent.insert_before(tree.create_text_node(" "), node)
    for name, kind in _BESIDE_TEXT:
        if page.may_have(name):
            other.add_text(kind, "".join(texts_of(tree, name, page)))


def decode_page(data: bytes) -> Decoded:
    """Decode a page by its byte order mark, its declaration, or as any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) and b"\0" not in data[:64]:
        in_charset = decoded_as(data, declared.group(1).decode("ascii"))
        if in_charset is not None:
            return Decoded.within_limit(*in_charset)
    return decode(data)


def deepest(source: str) -> int:
    """Estimate how deep elements are nested, without parsing; unclosed elements make the estimate too high."""
    if source.count("<") <= MAX_DEPTH:
        return 0
    steps = [-1 if slash else 1 for slash in _TAG.findall(source)]
    depths = [0, *accumulate(steps)]
    heights: Iterator[int] = map(sub, depths, accumulate(depths, min))  # surplus end tags do not make it negative
    return max(heights)


def _properties(tree: Any, page: PageSource) -> dict[str, str]:
    """Return the contents of the meta elements by lower name or property; of the same, the first with a content.

    tree: the parsed page. Most pages have none that is looked for, and then it is not searched.
    """
    properties: dict[str, str] = {}
    if not _FACT.search(page.source.partition(b"<body")[0]):
        return properties
    for node in tree.head.query_selector_all("meta[content]")[:] if tree.head is not None else ():
        content = _line(node.getattr("content") or "")
        for attribute in ("name", "property") if content else ():
            properties.setdefault((node.getattr(attribute) or "").lower(), content)
    return properties


def _first_of(properties: Mapping[str, str], names: Sequence[str]) -> str:
    """Look properties up by several names, the best first. Return the first that is known, or ""."""
    return next((properties[name] for name in names if name in properties), "")


def declared_language(tree: Any) -> str:
    root = tree.document.document_element if tree.document is not None else None
    declared = (root.getattr("lang") or root.getattr("xml:lang") or "") if root is not None else ""
    return language_tag(declared)


def _line(text: str) -> str:
    return " ".join(text.split())[:500]
