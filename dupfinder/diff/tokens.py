"""Lines to comparable keys and tokens: what counts as the same, and what a word is, when two texts are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# One run of Han, kana or Hangul is many words without spaces; each sign is a token of its own.
CJK: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# A number with its separators is one token ("1,250.00", "2024-03-12"), a word keeps its inner apostrophes.
_SEEN: Final = rf"[{CJK}]|\d+(?:[.,:/\-]\d+)*|[^\W\d_{CJK}](?:[^\W_{CJK}]|\u00ad|['’](?=[^\W\d_{CJK}]))*|[^\w\s]|_"
_TOKEN: Final = re.compile(_SEEN)
_TOKEN_OR_SPACES: Final = re.compile(rf"\s+|{_SEEN}")
_PUNCTUATION: Final = re.compile(r"[^\w\s]|_")
# What typesetting puts in and people do not see: ligatures, soft hyphens, byte-order marks, zero-width spaces.
_TYPESETTING: Final = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\u00ad": None,
        "\ufeff": None,
        "\u200b": None,
    }
)


@dataclass(frozen=True, slots=True)
class Options:
    """What two texts may differ in and still be the same.

    ignore_spaces:      white space and line breaks; lines are then sentences rather than the lines of the files.
    ignore_case:        capitals.
    ignore_punctuation: every sign that is neither letter nor digit.
    seconds:            time after which the comparison gives up on what is still open and answers coarsely.
    """

    ignore_spaces: bool = True
    ignore_case: bool = False
    ignore_punctuation: bool = False
    seconds: float = 2.0


def key(text: str, options: Options) -> str:
    """`text` without what `options` ignore: two lines are the same when their keys are equal."""
    folded = text if text.isascii() else text.translate(_TYPESETTING)
    if options.ignore_case:
        folded = folded.casefold()
    if options.ignore_punctuation:
        folded = _PUNCTUATION.sub("", folded)
    return "".join(folded.split()) if options.ignore_spaces else folded


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text that count under some options, in order: `keys[i]` stands at `spans[i]` (start, stop)."""

    keys: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def tokens(text: str, options: Options) -> Tokens:
    """Words, numbers, CJK signs, punctuation and (unless ignored) spaces of `text`, less those without a key."""
    pattern = _TOKEN if options.ignore_spaces else _TOKEN_OR_SPACES
    as_is = text.isascii() and not (options.ignore_case or options.ignore_punctuation)
    keys: list[str] = []
    spans: list[tuple[int, int]] = []
    for found in pattern.finditer(text):
        token_key = found.group() if as_is else key(found.group(), options)
        if token_key:
            keys.append(token_key)
            spans.append(found.span())
    return Tokens(tuple(keys), tuple(spans))


class Numbering:
    """Small integers for keys, the same integer for the same key on both sides."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, keys: Iterable[str]) -> list[int]:
        """The number of each key, in order."""
        numbers = self._numbers
        return [numbers.setdefault(one, len(numbers)) for one in keys]
