"""What one copy of a text has and another has not: the numbers of list items, and vowel points.

The numbers are printed in a PDF and a text file, computed in a Word file and a page. So they are left out of the text
of every format. A number at the beginning of a line is one of these if another line, wherever it is, has the number
before or after it: "1." and "2.", "(a)" and "(b)", "iv)" and "v)". Numbers of several levels, such as "4.1", stay:
texts refer to them, and most formats store them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_HAN_DIGITS: Final = "〇一二三四五六七八九十"
_NUMBER = re.compile(
    r"\n[ \t]*+([(（]?)"
    r"(\d{1,3}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6}|[一二三四五六七八九十]{1,3})"
    r"([.)、）．]{1,2})(?:[ \t]+(?=\S)|(?=[^\x00-\x7f]))"
)

# Frequent letters, so that other texts are not searched.
_POINTED: Final = "\u0627\u0644\u05d5\u05d9"
# Not the marks above and below alef, U+0653 to U+0655: with it they are letters of their own.
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
)

_Reading = tuple[tuple[str, str, str], int]
"""((opening bracket, kind of number, closing signs), value)"""


def without_list_numbers(text: str) -> tuple[str, str]:
    """Return (text without the numbers of its list items, the numbers)."""
    padded = "\n" + text
    numbers: list[tuple[re.Match[str], list[_Reading]]] = []
    for number in _NUMBER.finditer(padded):
        opening, counter, closing = number.groups()
        numbers.append((number, [((opening, kind, closing), value) for kind, value in _readings(counter)]))
    values = {reading for _, readings in numbers for reading in readings}
    pieces, removed, end = [], [], 1
    for number, readings in numbers:
        if any((series, value - 1) in values or (series, value + 1) in values for series, value in readings):
            pieces.append(padded[end : number.start() + 1])
            removed.append(number.group().strip())
            end = number.end()
    return "".join([*pieces, padded[end:]]) if removed else text, "\n".join(removed)


@lru_cache(maxsize=4096)
def _readings(counter: str) -> list[tuple[str, int]]:
    """Return (kind, value) for each way to read a number: "i" is a letter, and Roman."""
    if counter[0].isdecimal():
        return [("digits", int(counter))]
    if counter[0] in _HAN_DIGITS:
        tens, ten, ones = counter.rpartition("十")
        value = 10 * _HAN_DIGITS.find(tens or "一") if ten else 0
        return [("han", value + _HAN_DIGITS.find(ones or "〇"))]
    case = "small" if counter.islower() else "capital"
    readings = [(f"letters-{case}", ord(counter.lower()) - ord("a") + 1)] if len(counter) == 1 else []
    if all(letter in _ROMAN for letter in counter.lower()):
        values = [_ROMAN[letter] for letter in counter.lower()]
        total = sum(-value if value < after else value for value, after in pairwise([*values, 0]))
        readings.append((f"roman-{case}", total))
    return readings


def without_points(text: str) -> tuple[str, str]:
    """Return (text without vowel points, the points)."""
    if text.isascii() or not any(letter in text for letter in _POINTED):
        return text, ""
    return _POINTS.sub("", text), "".join(_POINTS.findall(text))
