"""Normalise text for comparison: one form for characters that look or mean the same, single spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import chain

# ASCII control characters are deleted, except white space, which is collapsed later.
_ASCII_TABLE = dict.fromkeys((*range(9), *range(14, 28), 127))
# The most frequent characters that are not in NFKC, with their forms in it.
_FREQUENT = (*zip("，：；？！（）", ",:;?!()", strict=True), *(("\u00a0", " "), ("\u3000", " "), ("\u2026", "...")))
_DELETED = frozenset({"Cc", "Cf"})
# The planes that may contain them; the others hold ideographs, nothing, or private use characters.
_PLANES = (range(0x20000), range(0xE0000, 0xF0000))


def normalise(text: str, *, simplify: bool = False) -> str:
    """Return text in NFKC, case folded, without control and format characters, with single spaces and none at the ends.

    U+FFFE is deleted too: PDFium writes it for a hyphen at a line end. simplify: convert Traditional Chinese to
    Simplified.
    """
    if text.isascii():
        collapsed = " ".join(text.lower().split())
        return collapsed if collapsed.isprintable() else " ".join(text.lower().translate(_ASCII_TABLE).split())
    # Replaced one by one, because any of them makes the search for the normal form many times slower.
    for letter, plain in _FREQUENT:
        text = text.replace(letter, plain)
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Case folding may undo the normal form (Unicode 3.13, definition 146).
    if not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded)
    collapsed = " ".join(folded.split())
    if not collapsed.isprintable():  # then it may hold some of the unwanted characters
        collapsed = " ".join(_unwanted().sub("", folded).split())
    return _to_simplified()(collapsed) if simplify else collapsed


@cache
def _unwanted() -> re.Pattern[str]:
    """Return a pattern of control and format characters that are not white space, and of U+FFFE."""
    codes = [
        code
        for code in chain(*_PLANES)
        if code == 0xFFFE or (unicodedata.category(chr(code)) in _DELETED and not chr(code).isspace())
    ]
    return re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _ranges(codes)) + "]+")


def _ranges(codes: list[int]) -> list[tuple[int, int]]:
    """Return sorted code points as closed ranges."""
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges


@cache
def _to_simplified() -> Callable[[str], str]:
    """Return OpenCC's conversion from Traditional to Simplified Chinese. Cached."""
    from opencc import OpenCC  # takes 40 ms to load

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert
