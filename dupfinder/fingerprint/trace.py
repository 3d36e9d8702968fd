"""Trace: the words of a text in their order, as 16-bit codes, by which texts are aligned without reading them again.

A code holds fifteen bits of the word's hash; its lowest bit says whether the word is a number, a date or an amount.
Many words share each code, so a trace shows which words two texts have in common, but the text cannot be restored.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Hashes, xxh3
from dupfinder.fingerprint.tokens import Tokens

Trace = NDArray[np.uint16]

MOST_TRACED: Final = 1 << 16  # words; longer texts are compared by their sketches only
NUMBER: Final = np.uint16(1)  # the bit of numbers

_MONTHS: Final = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
# Number words, months, ordinals and currencies: words without digits that state a quantity or a date.
NUMBER_WORDS: Final = frozenset(
    f"{_MONTHS} one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "first second third fourth st nd rd th usd eur gbp rmb cny uno dos tres cuatro cinco seis siete ocho nueve diez "
    "once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil".split()
)
NUMBER_CHARACTERS: Final = frozenset("0123456789零〇一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟两年月日元")


def trace_of(tokens: Tokens) -> Trace:
    """Return the codes of the tokens of a text, or of a chunk of a text: uint16 (n,)."""
    codes = (tokens.hashes >> np.uint64(48)).astype(np.uint16) & ~NUMBER
    numbers = tokens.kinds == classes.DIGIT
    known, may_be_known = _number_hashes()
    rows = may_be_known[codes >> np.uint16(1)].nonzero()[0]  # few: fifteen bits rule out most other words
    hashes = tokens.hashes[rows]
    numbers[rows] |= known[np.minimum(np.searchsorted(known, hashes), len(known) - 1)] == hashes
    codes |= numbers
    return codes


@cache
def _number_hashes() -> tuple[Hashes, NDArray[np.bool_]]:
    """Return the hashes of all number words, and which leading fifteen bits they have.

    uint64 (m,), ascending, and bool (32768,).
    """
    words = sorted(NUMBER_WORDS | NUMBER_CHARACTERS)
    hashes = np.sort(np.array([xxh3(word.encode()) for word in words], np.uint64))
    begins = np.zeros(1 << 15, dtype=np.bool_)
    begins[(hashes >> np.uint64(49)).astype(np.intp)] = True
    return hashes, begins
