"""Keys of lines and tokens of text for comparison: what counts as equal, and what counts as a word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# A run of Han, kana or Hangul may contain several words without spaces between them; each character is a token.
CJK: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# A number with its separators is one token ("1,250.00", "2024-03-12"), as is a word with inner apostrophes.
_PATTERN: Final = rf"[{CJK}]|\d+(?:[.,:/\-]\d+)*|[^\W\d_{CJK}](?:[^\W_{CJK}]|\u00ad|['’](?=[^\W\d_{CJK}]))*|[^\w\s]|_"
_TOKEN: Final = re.compile(_PATTERN)
_TOKEN_OR_SPACES: Final = re.compile(rf"\s+|{_PATTERN}")
_PUNCTUATION: Final = re.compile(r"[^\w\s]|_")
# Typesetting that readers do not notice: ligatures, soft hyphens, byte-order marks, zero-width spaces.
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
    """Differences that a comparison ignores, and its time limit.

    ignore_spaces:      white space and line breaks; lines are then sentences rather than the lines of the files.
    ignore_case:        capitals.
    ignore_punctuation: every character that is neither letter nor digit.
    seconds:            time after which the rest is not aligned and is reported coarsely.
    """

    ignore_spaces: bool = True
    ignore_case: bool = False
    ignore_punctuation: bool = False
    seconds: float = 2.0


def key(text: str, options: Options) -> str:
    """Return `text` without what `options` ignore. Lines with equal keys are the same."""
    folded = text if text.isascii() else text.translate(_TYPESETTING)
    if options.ignore_case:
        folded = folded.casefold()
    if options.ignore_punctuation:
        folded = _PUNCTUATION.sub("", folded)
    return "".join(folded.split()) if options.ignore_spaces else folded


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text under some options, in order.

    keys:  what is compared of each token.
    spans: (start, stop) of each token in the text.
    """

    keys: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def tokens(text: str, options: Options) -> Tokens:
    """Return the words, numbers, CJK characters, punctuation and (unless ignored) spaces of `text` that have a key."""
    pattern = _TOKEN if options.ignore_spaces else _TOKEN_OR_SPACES
    as_is = text.isascii() and not (options.ignore_case or options.ignore_punctuation)
    keys: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        token_key = match.group() if as_is else key(match.group(), options)
        if token_key:
            keys.append(token_key)
            spans.append(match.span())
    return Tokens(tuple(keys), tuple(spans))


class Numbering:
    """Numbers keys, from 0: equal keys have equal numbers, on both sides."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, keys: Iterable[str]) -> list[int]:
        """Return the number of each key, in order."""
        numbers = self._numbers
        return [numbers.setdefault(text, len(numbers)) for text in keys]
