"""Links that lead about in a document: they are marked before a page is parsed, and recognised in its text.

Parsers of web pages give text without saying which words of it are links. So links are marked in the page's source by
characters that Unicode reserves for such internal use, and what they show is judged line by line.
"""

from __future__ import annotations

import re

from dupfinder.text.contents import index_terms

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
