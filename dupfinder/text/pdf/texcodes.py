"""Letters that bitmap fonts of TeX leave as bare codes: their PDFs name no characters, and readers hand out the codes.

Older programs wrote such fonts (Type 3) into every document. Codes of letters are those of ASCII; ligatures, dashes and
some letters stand where ASCII has control characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
