"""Mark the links in the text of a web page, and remove its lines of navigation.

Parsers of web pages return text without saying which words are links. So links are marked in the page's source with
characters that Unicode reserves for internal use, and the marked text is judged line by line.
"""

from __future__ import annotations

import re

from dupfinder.text.contents import with_index_terms
from dupfinder.text.lines import split_at_lines

# Noncharacters of Unicode: the begin of a link within the document, of one to a neighbouring page, and the end of both;
# the begin and the end of any other link.
_OPEN, _NEIGHBOUR, _CLOSE = "\ufdd0", "\ufdd2", "\ufdd1"
_AWAY, _AWAY_END = "\ufdd3", "\ufdd4"
_OPEN_BYTES, _NEIGHBOUR_BYTES, _AWAY_BYTES = _OPEN.encode(), _NEIGHBOUR.encode(), _AWAY.encode()
END_OF = {_OPEN_BYTES: _CLOSE.encode(), _NEIGHBOUR_BYTES: _CLOSE.encode(), _AWAY_BYTES: _AWAY_END.encode()}
LINK, AWAY = b"\x1c", b"\x1d"  # see `outside_links`
MARK_BYTES = b"\xef\xb7"  # in UTF-8, the first two bytes of each mark
_MARK = re.compile(MARK_BYTES + rb"[\x90-\x9f]")  # Arabic letters begin with the same bytes
# From what begins a link to what ends one: \x91 and \x94 are the third bytes of these.
_LINK = re.compile(rb"\xef\xb7(?![\x91\x94])[\x90-\x9f](?>(?:[^\xef]++|\xef(?!\xb7[\x91\x94]))*)\xef\xb7.")
_ELSEWHERE = re.compile(rb"[a-z][a-z0-9+.-]{0,20}:|//", re.I)
# Links to other pages of a series: HTML 4.01 section 6.12, HTML Living Standard 4.6.7.
_TO_NEIGHBOURS = re.compile(
    rb"\brel\s{0,9}=\s{0,9}[\"']?(?:next|prev|previous|up|start|contents|index|home|first|last)\b"
    rb"|\baccesskey\s{0,9}=\s{0,9}[\"']?[npu]\b",
    re.I,
)
_MARKED = re.compile(f"[{_OPEN}{_NEIGHBOUR}]([^{_OPEN}{_NEIGHBOUR}{_CLOSE}]*){_CLOSE}")
_WORD = re.compile(r"\w+")
LEAST_LETTERS = 5  # links of one character each in a line
_NAVIGATION = tuple(map(re.compile, (_NEIGHBOUR, rf"{_CLOSE}(?:[^\n{_CLOSE}]*+{_CLOSE}){{{LEAST_LETTERS - 1}}}")))
_SPACES = re.compile(r"[ \t]{2,}")


def opening_mark(tag: bytes, address: bytes) -> bytes:
    """Return the mark that belongs after the start tag of a link, in UTF-8; empty if it links to nothing."""
    lower = tag.lower()
    if not address and b"href" not in lower:
        return b""
    if (b"rel" in lower or b"accesskey" in lower) and _TO_NEIGHBOURS.search(tag):
        return _NEIGHBOUR_BYTES
    return _OPEN_BYTES if b"#" in address.rstrip(b"#") and not _ELSEWHERE.match(address) else _AWAY_BYTES


def without_link_marks(data: bytes) -> bytes:
    """Return a marked text in UTF-8 without the marks."""
    return _MARK.sub(b"", data) if MARK_BYTES in data else data


def outside_links(data: bytes) -> bytes:
    """Return the same lines of a marked text in UTF-8 with AWAY for each link to another page, LINK for each other one.

    Both count as white space. A link over several lines stands in each of them.
    """

    def sign(link: re.Match[bytes]) -> bytes:
        """Return what stands for a link."""
        is_away = link[0].startswith(_AWAY_BYTES)
        return b"\n".join([AWAY if is_away else LINK] * (1 + link[0].count(b"\n")))

    end = max(map(data.rfind, END_OF.values())) + len(_OPEN_BYTES)  # no link ends beyond it
    return _LINK.sub(sign, data[:end]) + data[end:]


def unmarked(data: bytes) -> str:
    """Return a marked text in UTF-8 as a string without the marks."""
    return without_link_marks(data).decode("utf-8", "surrogatepass")


def without_navigation(data: bytes) -> str:
    """Return a marked text in UTF-8 without lines of navigation, marks, and the links after terms of an index."""
    if _NEIGHBOUR_BYTES not in data and data.count(END_OF[_NEIGHBOUR_BYTES]) < LEAST_LETTERS:
        return unmarked(data)
    text = data.replace(_AWAY_BYTES, b"").replace(END_OF[_AWAY_BYTES], b"").decode("utf-8", "surrogatepass")
    kept: list[str] = []
    is_navigation = False
    for piece, has_links in split_at_lines(text + "\n", _NAVIGATION):
        rest = piece[1:] if is_navigation else piece  # without the line end of a removed line
        is_navigation = has_links and _is_navigation(piece)
        kept.append("" if is_navigation else rest)
    text = with_index_terms("".join(kept)[:-1], _index_term)
    for mark in (_OPEN, _NEIGHBOUR, _CLOSE):
        text = text.replace(mark, "")
    return text


def _is_navigation(line: str) -> bool:
    """Tell whether a line has little more than links to neighbouring pages, or to the letters of an index."""
    if _CLOSE not in line:
        return False
    links = _MARKED.findall(line)
    unlinked = len(_WORD.findall(_MARKED.sub(" ", line)))
    if _NEIGHBOUR in line:
        return unlinked <= len(links) + 1
    single = sum(len(link.strip()) == 1 for link in links)
    return single >= LEAST_LETTERS and unlinked + len(links) - single <= 2


def _index_term(line: str) -> str | None:
    """Return the term of an index entry: its first link, or the text before the links; None without links."""
    if _CLOSE not in line:
        return None
    entry = _SPACES.sub(" ", line).strip()
    first = _MARKED.match(entry)
    return first.group(1) if first else _MARKED.sub("", entry).rstrip(" ,;:\u00a0")
