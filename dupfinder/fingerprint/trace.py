"""Trace: the words of a text in their order, as 16-bit codes. Two texts are aligned by them and not read again.

A code holds fifteen bits of the word's hash, and in its lowest bit whether the word is a number, a date or an amount.
Each code stands for many words of a language, so a trace tells which words two texts share and is no copy of a text.
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

MOST_TRACED: Final = 1 << 16  # words; a longer text is compared by its sketches alone
NUMBER: Final = np.uint16(1)  # the bit of numbers

_MONTHS: Final = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
# Written numbers, months, ordinals and currencies: what changes with a number without being a digit.
NUMBER_WORDS: Final = frozenset(
    f"{_MONTHS} one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "first second third fourth st nd rd th usd eur gbp rmb cny uno dos tres cuatro cinco seis siete ocho nueve diez "
    "once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil".split()
)
NUMBER_CHARACTERS: Final = frozenset("0123456789零〇一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟两年月日元")


def trace_of(tokens: Tokens) -> Trace:
    """The codes of the tokens of a text or of a chunk of one, uint16 (n,)."""
    codes = (tokens.hashes >> np.uint64(48)).astype(np.uint16) & ~NUMBER
    numbers = tokens.kinds == classes.DIGIT
    known, may_be_known = _number_hashes()
    rows = may_be_known[codes >> np.uint16(1)].nonzero()[0]  # few: most words are told by fifteen bits alone
    hashes = tokens.hashes[rows]
    numbers[rows] |= known[np.minimum(np.searchsorted(known, hashes), len(known) - 1)] == hashes
    codes |= numbers
    return codes


@cache
def _number_hashes() -> tuple[Hashes, NDArray[np.bool_]]:
    """Hashes of the words that count as numbers, ascending; and whether any begins with each fifteen bits."""
    words = sorted(NUMBER_WORDS | NUMBER_CHARACTERS)
    hashes = np.sort(np.array([xxh3(word.encode()) for word in words], np.uint64))
    begins = np.zeros(1 << 15, dtype=np.bool_)
    begins[(hashes >> np.uint64(49)).astype(np.intp)] = True
    return hashes, begins
