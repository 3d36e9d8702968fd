"""Mark the links in the text of a web page, and remove the lines of it that only lead about in a document.

Parsers of web pages return text without saying which words are links. So links are marked in the page's source with
characters that Unicode reserves for internal use, and the marked text is judged line by line.
"""

from __future__ import annotations

import re

from dupfinder.text.layout import with_index_terms

# Noncharacters of Unicode: begin of a link within the document, of one to its neighbours, end; of other links, end.
_OPEN, _TURN, _CLOSE = "\ufdd0", "\ufdd2", "\ufdd1"
_AWAY, _BACK = "\ufdd3", "\ufdd4"
END_OF = {_OPEN: _CLOSE, _TURN: _CLOSE, _AWAY: _BACK}
MARK_BYTES = b"\xef\xb7"  # the first bytes of all of them in UTF-8
_MARKS = [chr(code) for code in range(0xFDD0, 0xFDE0)]
_AWAY_MARKS = re.compile(f"[{_AWAY}{_BACK}]")
_ANY_LINK = re.compile(f"[{_OPEN}{_TURN}{_AWAY}][^{_CLOSE}{_BACK}]*[{_CLOSE}{_BACK}]")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]{0,20}:|//", re.I)
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


def opening_mark(tag: str, address: str) -> str:
    """Return the mark that belongs after the start tag of a link; "" if it links to nothing."""
    lower = tag.lower()
    if "href" not in lower:
        return ""
    if ("rel" in lower or "accesskey" in lower) and _TO_NEIGHBOURS.search(tag):
        return _TURN
    return _OPEN if "#" in address and not _ELSEWHERE.match(address) else _AWAY


def outside_links(text: str) -> str:
    """Return a marked text without the text of its links."""
    return text if text.isascii() else _ANY_LINK.sub(" ", text)


def unmarked(text: str) -> str:
    """Return a marked text, or the source of a page that is to be marked, without the marks."""
    if not text.isascii():
        for mark in _MARKS:  # faster than a pattern
            text = text.replace(mark, "")
    return text


def without_navigation(text: str) -> str:
    """Return a marked text without navigation lines and marks, and index entries as bare terms."""
    if text.isascii():
        return text
    if _CLOSE not in text and _OPEN not in text and _TURN not in text:
        return unmarked(text)
    lines = [line for line in _AWAY_MARKS.sub("", text).split("\n") if not (_CLOSE in line and _is_navigation(line))]
    return unmarked(with_index_terms("\n".join(lines), _index_term))


def _is_navigation(line: str) -> bool:
    """Tell whether a line hardly has more than links to neighbouring sections or to letters of an index."""
    if _TURN not in line and line.count(_CLOSE) < LEAST_LETTERS:
        return False
    links = _MARKED.findall(line)
    unlinked = len(_WORD.findall(_MARKED.sub(" ", line)))
    if _TURN in line:
        return unlinked <= len(links) + 1
    single = sum(len(link.strip()) == 1 for link in links)
    return single >= LEAST_LETTERS and unlinked + len(links) - single <= 2


def _index_term(line: str) -> str | None:
    """Return the term of an index entry: its first link, or the text before the links; None without links."""
    if _CLOSE not in line:
        return None
    start = _SPACES.sub(" ", line).strip()
    first = _MARKED.match(start)
    if first and start.find(_OPEN, first.end()) >= 0:
        return first.group(1)
    return _MARKED.sub("", start).rstrip(" ,;:\u00a0") if not first else first.group(1)
