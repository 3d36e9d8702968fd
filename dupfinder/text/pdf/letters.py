"""Letters that a PDF stores otherwise than they are read: codes of TeX's fonts, and words from right to left.

Older programs wrote bitmap fonts (Type 3), which name no characters, and readers hand out the codes. Codes of letters
are those of ASCII; ligatures, dashes and some letters stand where ASCII has control characters.
Some programs, browsers among them, store the letters of Arabic and Hebrew words in the order in which they stand on the
page from the left, and readers hand out many of them that way. Where the letters stand tells: they must go leftwards.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from typing import Any

LEAST_CODES = 2  # different ones: a single code may be a line break of another program
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
# The first encoding of TeX, and the European one of Cork (LaTeX 2e font encoding guide, tables OT1 and T1).
_OLD = {
    **{0x0B + place: letters for place, letters in enumerate(_LIGATURES)},
    **{0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø"},
}
_CORK = {
    **{0x1B + place: letters for place, letters in enumerate(_LIGATURES)},
    **{0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "ı", 0xFF: "ß"},
}
# Beside a letter a code is part of a word.
_OLD_CODE = re.compile("[\x0b\x0c\x0e\x0f](?=[a-z])|(?<=[a-z])[\x0b\x0c\x0e\x0f]")
_CORK_CODE = re.compile("[\x1b-\x1f](?=[a-z])|(?<=[a-z])[\x1b-\x1f]")
_ANY_CODE = re.compile("[\x0b\x0c\x0e-\x1f]")

# Letters and marks of Hebrew, Arabic, Syriac and Thaana; digits go from left to right among them and are no part of it.
_WORD = re.compile(
    "[\u0591-\u05f4\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u07b1\u08a0-\u08ff"
    "\ufb1d-\ufdff\ufe70-\ufefc]{2,200}"
)


def letters_for_codes(pages: Iterable[str]) -> list[str]:
    """Pages with letters for the codes of TeX's fonts, where they have some; line ends are \\r\\n before and after."""
    given = list(pages)
    coded = [page for page in given if _ANY_CODE.search(page)]
    if not coded:
        return given
    whole = "".join(coded)
    old, cork = set(_OLD_CODE.findall(whole)), set(_CORK_CODE.findall(whole))
    if max(len(old), len(cork)) < LEAST_CODES:
        return given
    return [_translated(page, _CORK if len(cork) >= len(old) else _OLD) for page in given]


def _translated(page: str, letters: dict[int, str]) -> str:
    """A page with letters for codes, its line ends left alone."""
    if 0x0D not in letters:
        return page.translate(letters)
    return "\r\n".join(line.translate(letters) for line in page.split("\r\n"))


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
