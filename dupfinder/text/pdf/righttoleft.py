"""Words written from right to left that a PDF stores from left to right: turned to the order in which they are read.

Some programs, browsers among them, store the letters of Arabic and Hebrew words in the order in which they stand on the
page from the left, and readers hand out many of them that way. Where the letters stand tells: they must go leftwards.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

# Letters and marks of Hebrew, Arabic, Syriac and Thaana; digits go from left to right among them and are no part of it.
_WORD = re.compile(
    "[\u0591-\u05f4\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u07b1\u08a0-\u08ff"
    "\ufb1d-\ufdff\ufe70-\ufefc]{2,200}"
)


def in_reading_order(text: str, textpage: Any, raw: Any) -> str:
    """The text of a page with each right-to-left word in the order of its letters; `raw` is pdfium's own interface."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    characters = [chr(raw.FPDFText_GetUnicode(textpage, place)) for place in range(raw.FPDFText_CountChars(textpage))]
    if "".join(characters) != text:
        return text  # places of letters would be those of others
    pieces: list[str] = []
    end = 0
    for word in words:
        pieces += (text[end : word.start()], _turned(word.group(), word.start(), textpage, raw))
        end = word.end()
    return "".join([*pieces, text[end:]])


def _turned(word: str, start: int, textpage: Any, raw: Any) -> str:
    """A word from its first letter to its last; letters that share a place, as in a ligature, keep their order."""
    lefts = [_left(textpage, start + place, raw) for place in range(len(word))]
    if lefts[0] >= lefts[-1]:
        return word
    groups: list[str] = []
    for place, letter in enumerate(word):
        if place and lefts[place] == lefts[place - 1]:
            groups[-1] += letter
        else:
            groups.append(letter)
    return "".join(reversed(groups))


def _left(textpage: Any, place: int, raw: Any) -> float:
    """The left edge of a character's box, in points."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(textpage, place, left, right, bottom, top)
    return left.value
