"""What fingerprints are made of, computed slowly from the definitions; and the maker of the shipped classes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.tokens import (
    BREAK,
    CHARACTER,
    DIGIT,
    HAN,
    HAN_FIRST,
    HAN_LAST,
    LETTER,
    MARK,
    chunks,
    tokens_of,
)

_INDIC_RANGES = ((0x0900, 0x0DFF), (0x1CD0, 0x1CFF), (0xA8E0, 0xA8FF))
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
    *_INDIC_RANGES,
    (0x0E01, 0x0E4F),
    (0x0E80, 0x0EDF),
    (0x0F40, 0x0FBC),
    (0x1000, 0x109F),
    (0x1780, 0x17D3),
)
_LAST_ASSIGNED_PLANE = 0x40000  # planes above hold no letters
_CODE_POINTS = 0x110000


def plain_simhash(features: Iterable[tuple[int, int]], bits: int) -> int:
    """Compute the fingerprint one bit at a time.

    features: pairs (hash of exactly `bits` bits, weight).
    """
    sums = [0] * bits
    for value, weight in features:
        for bit in range(bits):
            sums[bit] += weight if value >> (bits - 1 - bit) & 1 else -weight
    return sum(1 << (bits - 1 - bit) for bit in range(bits) if sums[bit] > 0)


def shingle_tokens(normalised: str) -> list[str]:
    """Return the tokens of which shingles are made: words, numbers and single CJK characters, stop-words included."""
    return [token for chunk in chunks(normalised) for token in tokens_of([chunk]).strings()]


def computed_classes() -> NDArray[np.uint8]:
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
    for first, last in _INDIC_RANGES:
        span = classes[first : last + 1]
        span[letters[first : last + 1] == ord("M")] = MARK
    classes[0x20000:0x40000] = CHARACTER
    classes[0x3005:0x3008] = CHARACTER
    classes[HAN_FIRST : HAN_LAST + 1] = HAN
    for first, last in ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)):
        classes[first : last + 1] = BREAK
    return classes


def save_classes(classes: NDArray[np.uint8], path: Path) -> None:
    """Write a table of classes to `path` (.npz), run-length encoded, as `class_table` reads it."""
    starts = np.flatnonzero(np.concatenate([[True], classes[1:] != classes[:-1]]))
    np.savez_compressed(path, classes=classes[starts], lengths=np.diff(starts, append=len(classes)).astype(np.uint32))
