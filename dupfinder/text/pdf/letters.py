"""Correct letters that PDF readers return wrongly: codes of TeX's fonts, and right-to-left words in visual order.

Older programs wrote bitmap fonts (Type 3), which do not name characters, so readers return the codes. Codes of letters
are those of ASCII; ligatures, dashes and some letters have the codes of ASCII's control characters.
Some programs, among them browsers, store Arabic and Hebrew words in the order of their letters from the left, and many
readers return them so. The positions of the letters show it: in reading order they go leftwards.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from typing import Any

LEAST_CODES = 2  # different codes; a single one may be another program's line break
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
# The first encoding of TeX, and the European one of Cork (LaTeX 2e font encoding guide, tables OT1 and T1).
_OLD = {
    **{0x0B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø"},
}
_CORK = {
    **{0x1B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "ı", 0xFF: "ß"},
}
# A code beside a letter is part of a word.
_OLD_CODE = re.compile("[\x0b\x0c\x0e\x0f](?=[a-z])|(?<=[a-z])[\x0b\x0c\x0e\x0f]")
_CORK_CODE = re.compile("[\x1b-\x1f](?=[a-z])|(?<=[a-z])[\x1b-\x1f]")
_ANY_CODE = re.compile("[\x0b\x0c\x0e-\x1f]")

# Letters and marks of Hebrew, Arabic, Syriac and Thaana, without digits, which go from left to right.
_WORD = re.compile(
    "[\u0591-\u05f4\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u07b1\u08a0-\u08ff"
    "\ufb1d-\ufdff\ufe70-\ufefc]{2,200}"
)


def letters_for_codes(pages: Iterable[str]) -> list[str]:
    r"""Return the pages with letters for the codes of TeX's fonts, if they have any. Line ends are \r\n."""
    texts = list(pages)
    coded = [page for page in texts if _ANY_CODE.search(page)]
    if not coded:
        return texts
    joined = "".join(coded)
    old, cork = set(_OLD_CODE.findall(joined)), set(_CORK_CODE.findall(joined))
    if max(len(old), len(cork)) < LEAST_CODES:
        return texts
    return [_translated(page, _CORK if len(cork) >= len(old) else _OLD) for page in texts]


def _translated(page: str, letters: dict[int, str]) -> str:
    """Replace codes by letters, but keep line ends."""
    if 0x0D not in letters:
        return page.translate(letters)
    return "\r\n".join(line.translate(letters) for line in page.split("\r\n"))


def in_reading_order(text: str, textpage: Any, raw: Any) -> str:
    """Return the text of a page with right-to-left words in reading order. raw: pypdfium2.raw."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    characters = [chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(raw.FPDFText_CountChars(textpage))]
    if "".join(characters) != text:
        return text  # positions would belong to other letters
    pieces: list[str] = []
    end = 0
    for word in words:
        pieces += (text[end : word.start()], _first_letter_first(word.group(), word.start(), textpage, raw))
        end = word.end()
    return "".join([*pieces, text[end:]])


def _first_letter_first(word: str, start: int, textpage: Any, raw: Any) -> str:
    """Return a word in reading order. start: index of its first character on the page.

    Letters at the same position, as in a ligature, keep their order.
    """
    lefts = [_left(textpage, start + index, raw) for index in range(len(word))]
    if lefts[0] >= lefts[-1]:
        return word
    groups: list[str] = []
    for index, letter in enumerate(word):
        if index and lefts[index] == lefts[index - 1]:
            groups[-1] += letter
        else:
            groups.append(letter)
    return "".join(reversed(groups))


def _left(textpage: Any, index: int, raw: Any) -> float:
    """Return the left edge of a character's box, in points."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
    return left.value
