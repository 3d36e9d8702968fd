"""Letters for the codes of fonts that do not name their characters.

Older programs wrote bitmap fonts (Type 3), so readers return the codes: those of ASCII for letters, of ASCII's control
characters for ligatures, dashes and some letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LEAST_CODES = 2  # different codes; if all are the same, it may be the line break of another program
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
# The first encoding of TeX, and the European one of Cork (LaTeX 2e font encoding guide, tables OT1 and T1).
_OT1 = {
    **{0x0B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø"},
}
_T1 = {
    **{0x1B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "ı", 0xFF: "ß"},
}
# A code beside a letter is part of a word.
_OT1_CODE = re.compile("[\x0b\x0c\x0e\x0f](?=[a-z])|(?<=[a-z])[\x0b\x0c\x0e\x0f]")
_T1_CODE = re.compile("[\x1b-\x1f](?=[a-z])|(?<=[a-z])[\x1b-\x1f]")
_DRAWN_HYPHEN = re.compile(r"\d\u00ad|\u00ad\d|[a-z]\u00ad[A-Z]")  # no word is divided there
_CODES = bytes({0x0B, 0x0C, *range(0x0E, 0x20)})
# Letters of ligatures whose two bytes Ghostscript 9.56 to 10.01 exchanged: U+6600 U+6900 for "fi". Alone they are
# rare characters of names.
_EXCHANGED = re.compile("[\u6600\u6900\u6a00\u6c00\u7300\u7400]{2,3}")


def has_bytes(text: str, signs: bytes) -> bool:
    """Tell whether a text in UTF-8 has some of these bytes; takes a tenth of the time of a search for characters."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data.translate(None, signs)) < len(data)


def letters_for_codes(pages: Iterable[str]) -> list[str]:
    r"""Return the pages with letters for the codes of TeX's fonts, and hyphens for soft ones.

    Ligatures whose bytes Ghostscript exchanged become letters too. A soft hyphen where no word is divided was drawn:
    then all soft ones are hyphens of the text. Line ends are \r\n.
    """
    texts = [_EXCHANGED.sub(lambda pair: pair[0].encode("utf-16-le").decode("utf-16-be"), page) for page in pages]
    if any("\u00ad" in page and _DRAWN_HYPHEN.search(page) for page in texts):
        texts = [page.replace("\u00ad", "-") for page in texts]
    coded = [page for page in texts if has_bytes(page, _CODES)]
    if not coded:
        return texts
    joined = "".join(coded)
    ot1, t1 = set(_OT1_CODE.findall(joined)), set(_T1_CODE.findall(joined))
    if max(len(ot1), len(t1)) < LEAST_CODES:
        return texts
    letters = _T1 if len(t1) >= len(ot1) else _OT1
    return ["\r\n".join(line.translate(letters) for line in page.split("\r\n")) for page in texts]
