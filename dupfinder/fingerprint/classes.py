"""Classes of code points: letters and digits of words, characters that are words by themselves, and word breaks."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.paths import resource

SHIPPED = "weights/character_classes.npz"

BREAK = 0  # separates words: space, punctuation, symbols
LETTER = 1  # letters and marks of scripts that separate words
DIGIT = 2  # decimal and other numbers; letters and digits side by side form one word
# Each character is a word: kana, Han outside the dictionary's range, Thai, Lao, Khmer, Myanmar, Tibetan; and Korean
# syllables, because programs that write Korean differ in where they put spaces.
CHARACTER = 3
HAN = 4  # each character is a word for shingles; for features, runs of Han are segmented by dictionary

# jieba's dictionary covers this range; it returns other characters one by one (jieba/__init__.py).
HAN_FIRST, HAN_LAST = 0x4E00, 0x9FD5

_CHARACTER_RANGES = (
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x9FD6, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xAC00, 0xD7A3),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
    (0x0E01, 0x0E4F),
    (0x0E80, 0x0EDF),
    (0x0F40, 0x0FBC),
    (0x1000, 0x109F),
    (0x1780, 0x17D3),
)
_LAST_ASSIGNED_PLANE = 0x40000  # planes above hold no letters
_CODE_POINTS = 0x110000


@cache
def table() -> NDArray[np.uint8]:
    """Return the class of every code point: uint8 (0x110000,), read-only.

    The shipped table follows Unicode 14, so a text has the same tokens under every version of Python.
    """
    with np.load(resource(SHIPPED), allow_pickle=False) as runs:
        classes = np.repeat(runs["classes"], runs["lengths"])
    classes.flags.writeable = False
    return np.asarray(classes, dtype=np.uint8)


def computed() -> NDArray[np.uint8]:
    """Compute the table of classes from this Python's Unicode database: uint8 (0x110000,).

    The shipped table was made by this function under Unicode 14, and is tested against it.
    """
    classes = np.zeros(_CODE_POINTS, dtype=np.uint8)
    category = unicodedata.category
    initials = "".join([category(chr(point))[0] for point in range(_LAST_ASSIGNED_PLANE)])
    letters = np.frombuffer(initials.encode("ascii"), dtype=np.uint8)
    known = classes[:_LAST_ASSIGNED_PLANE]
    known[(letters == ord("L")) | (letters == ord("M"))] = LETTER
    known[letters == ord("N")] = DIGIT
    for first, last in _CHARACTER_RANGES:
        span = classes[first : last + 1]
        span[span == LETTER] = CHARACTER
    classes[0x20000:0x40000] = CHARACTER
    classes[0x3005:0x3008] = CHARACTER
    classes[HAN_FIRST : HAN_LAST + 1] = HAN
    for first, last in ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)):
        classes[first : last + 1] = BREAK
    return classes


def save(classes: NDArray[np.uint8], path: Path) -> None:
    """Write a table of classes to `path` (.npz), run-length encoded, as `table` reads it."""
    starts = np.flatnonzero(np.concatenate([[True], classes[1:] != classes[:-1]]))
    np.savez_compressed(path, classes=classes[starts], lengths=np.diff(starts, append=len(classes)).astype(np.uint32))
