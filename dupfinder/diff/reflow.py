"""Text to lines for reading side by side: wrapped lines joined to paragraphs, paragraphs split into sentences.

A PDF breaks lines where the page ends, Word where the paragraph does. Split into sentences, both read the same.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from dupfinder.diff.tokens import CJK

# Han sentences end without a space; western ones with space and the start of another.
_SENTENCE_END: Final = re.compile(
    r"(?P<cjk>[。！？；][”’」』）】》〉]*)"
    r"|(?P<western>[.!?…][\"'”’»)\]]*)(?=\s+[\"'“‘«(\[¿¡]?[^\W_a-z])"
    rf"|(?P<mixed>[.!?…])(?=\s*[{CJK}])"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[^\W\d_]|no|nos|art|arts|sec|cl|mr|mrs|ms|dr|prof|st|vs|cf|al|fig|eq|vol|pp?|ed|eds"
    r"|ch|inc|ltd|co|corp|jr|sr|approx|e\.g|i\.e|a\.m|p\.m|núm|sr|sra|sres|dra?|ud|uds|pág|págs|s\.a|jan|feb|mar|apr"
    r"|jun|jul|aug|sept?|oct|nov|dec)$",
    re.IGNORECASE,
)
_CLAUSE_NUMBER: Final = re.compile(r"\(?\d+(?:\.\d+)*")
_LONGEST_ABBREVIATION: Final = 12  # characters looked at before a full stop, with the sign before the abbreviation
_ENDS: Final = ".!?…:;。！？；："
_CLOSERS: Final = "\"'”’»)]」』）】》〉"
_ITEM: Final = re.compile(
    r"(?:[•▪◦‣·*–—\-]\s|\w{1,3}[.)、]\s|\([a-z]{1,3}\)\s|\d+(?:\.\d+)+\s|第[\d一二三四五六七八九十百零〇]+[条章节款]|[一二三四五六七八九十]+、)"
)
_HYPHENATED: Final = re.compile(r"[^\W\d_]{2}-$")
_WRAP_WIDEST: Final = 160  # columns; wider lines are whole paragraphs
_WRAP_FULL: Final = 0.72  # of the usual full width: a line as long as this goes on in the next
_LONG: Final = 320  # columns; a longer sentence is broken at a clause
_ENDLESS: Final = 640  # columns; a longer clause is broken at a space, or anywhere
_CLAUSE_END: Final = re.compile(r"[;:,；：，、]\s*")


def reflow(text: str) -> list[str]:
    """The sentences and headings of `text`, one a line, white space made single; blank lines are left out."""
    lines: list[str] = []
    for paragraph in paragraphs(text):
        lines.extend(sentences(paragraph))
    return lines


def paragraphs(text: str) -> list[str]:
    """Paragraphs, joined where a line looks as if it was broken by the width of a page."""
    raw = [" ".join(line.split()) for line in text.splitlines()]
    width = _wrap_width(raw)
    found: list[list[str]] = []
    going_on = False
    for line in raw:
        if line:
            if going_on and not _ITEM.match(line):
                found[-1][-1:] = _joined(found[-1][-1], line)
            else:
                found.append([line])
        going_on = bool(line) and _goes_on(line, width)
    return ["".join(pieces) for pieces in found]


def sentences(paragraph: str) -> list[str]:
    """The sentences of one paragraph; very long ones are broken at clauses."""
    pieces: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(paragraph):
        if end.lastgroup == "western" and _is_no_end(paragraph, start, end.start()):
            continue
        pieces.append(paragraph[start : end.end()].strip())
        start = end.end()
    pieces.append(paragraph[start:].strip())
    return [part for piece in pieces if piece for part in _shortened(piece)]


def _is_no_end(paragraph: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to an abbreviation, or to the number that the sentence begins with."""
    tail = paragraph[max(start, stop - _LONGEST_ABBREVIATION) : stop]
    return bool(_ABBREVIATION.search(tail) or _CLAUSE_NUMBER.fullmatch(paragraph, start, stop))


def columns(text: str) -> int:
    """The width of `text` in terminal columns: wide East Asian characters count two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _wrap_width(lines: list[str]) -> int:
    """The full width to which lines were broken, or 0 when they were not: too wide, or too few to tell."""
    widths = sorted(columns(line) for line in lines if line)
    if len(widths) < 3:
        return 0
    full = widths[(len(widths) * 9) // 10]
    return full if full <= _WRAP_WIDEST else 0


def _goes_on(line: str, width: int) -> bool:
    return bool(width) and columns(line) >= _WRAP_FULL * width and line.rstrip(_CLOSERS)[-1:] not in _ENDS


def _joined(first: str, second: str) -> list[str]:
    """Two lines of a paragraph as pieces to be put together: a divided word made whole, Han without a space."""
    if _HYPHENATED.search(first, len(first) - 3) and second[0].islower():
        return [first[:-1], second]
    both_wide = columns(first[-1]) == 2 and columns(second[0]) == 2
    return [first, second] if both_wide else [first, " ", second]


def _shortened(sentence: str) -> list[str]:
    """A sentence in pieces of readable length. Breaks depend on the words near them, not on where the text begins."""
    if len(sentence) * 2 <= _LONG or columns(sentence) <= _LONG:
        return [sentence]
    pieces: list[str] = []
    start = 0
    for end in _CLAUSE_END.finditer(sentence):
        if columns(sentence[start : end.end()]) >= _LONG // 2:
            pieces.append(sentence[start : end.end()].strip())
            start = end.end()
    pieces.append(sentence[start:].strip())
    return [part for piece in pieces if piece for part in _cut(piece)]


def _cut(clause: str) -> list[str]:
    parts: list[str] = []
    while len(clause) > _ENDLESS:
        space = clause.rfind(" ", _ENDLESS // 2, _ENDLESS)
        at = space if space > 0 else _ENDLESS
        parts.append(clause[:at].strip())
        clause = clause[at:].strip()
    return [*parts, clause] if clause else parts
