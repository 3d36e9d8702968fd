"""Text as it is compared: one form for characters that look or mean the same, single spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import chain

# ASCII controls go, but white space among them stays until it is collapsed.
_ASCII_TABLE = dict.fromkeys((*range(9), *range(14, 28), 127))
_DELETED = frozenset({"Cc", "Cf"})
# Where they may be: the planes between hold ideographs or nothing, those behind are for private use.
_PLANES = (range(0x20000), range(0xE0000, 0xF0000))


def normalise(text: str, *, simplify: bool = False) -> str:
    """NFKC, case folded, without control and format characters, white space collapsed to single spaces, no ends.

    U+FFFE is dropped too: PDFium writes it where a hyphen and a line end stood. `simplify` writes Traditional Chinese
    as Simplified.
    """
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_TABLE).split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding can undo the composed form and composing can need folding again (Unicode 3.13, definition 146).
    if not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded)
    collapsed = " ".join(_unwanted().sub("", folded).split())
    return _to_simplified()(collapsed) if simplify else collapsed


@cache
def _unwanted() -> re.Pattern[str]:
    """Control and format characters that are no white space, and U+FFFE."""
    codes = [
        code
        for code in chain(*_PLANES)
        if code == 0xFFFE or (unicodedata.category(chr(code)) in _DELETED and not chr(code).isspace())
    ]
    return re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _ranges(codes)) + "]+")


def _ranges(codes: list[int]) -> list[tuple[int, int]]:
    """Sorted code points as closed ranges."""
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges


@cache
def _to_simplified() -> Callable[[str], str]:
    """OpenCC's conversion by words and characters, loaded once."""
    from opencc import OpenCC  # 40 ms to load, for an option

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert
