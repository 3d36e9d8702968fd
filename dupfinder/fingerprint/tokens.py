"""Tokens of a normalised text, all of a text at once: words and single CJK characters, as spans of its UTF-8 bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Bytes, Hashes, HashMemo, Offsets, hash_spans

_Hashed = Callable[[Bytes, Offsets, Offsets], Hashes]

CHUNK = 1 << 17  # characters looked at together: bounds memory for long texts, and stays in a core's cache
_LONGEST_TOKEN = 4096  # characters searched backwards for a place to cut between tokens


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: words and numbers, or one character where words are not parted.

    text:   the UTF-8 bytes the spans point into.
    starts, ends: int64 (n,), offsets of bytes.
    hashes: uint64 (n,), XXH3 of each token.
    kinds:  uint8 (n,): class of the first character (`classes.LETTER`, `DIGIT`, `CHARACTER` or `HAN`).
    han:    the runs of Han as one string, "\\n" between them; "" if there are none. A space inside a run is left out:
            it is where a line of a page ended.
    solid:  uint32: the code points of the tokens one after the other; None for a text of ASCII.
    """

    text: Bytes
    starts: Offsets
    ends: Offsets
    hashes: Hashes
    kinds: NDArray[np.uint8]
    han: str
    solid: NDArray[np.uint32] | None

    def letters(self) -> bytes:
        """The bytes of the tokens one after the other, what stands between them left out."""
        if self.solid is None:
            return self.text.data.translate(None, _ascii_breaks())
        return self.solid.tobytes().decode("utf-32-le", "surrogatepass").encode("utf-8", "surrogatepass")

    def strings(self) -> list[str]:
        """The tokens as strings."""
        data = self.text.data
        return [data[s:e].decode() for s, e in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def tokens_of(text: str, memo: HashMemo | None = None) -> Tokens:
    """The tokens of a normalised text (or of a chunk of one). A memo spares hashing words that it has met before."""
    hashed = hash_spans if memo is None else memo.hashes_of
    return _ascii_tokens(text, hashed) if text.isascii() else _unicode_tokens(text, hashed)


def shingle_tokens(normalised: str) -> list[str]:
    """The tokens that shingles are made of: words and numbers, or one CJK character each; nothing is left out."""
    return [token for chunk in chunks(normalised) for token in tokens_of(chunk).strings()]


def chunks(text: str, size: int = CHUNK) -> Iterator[str]:
    """The text in parts of at most `size` characters, cut where no word is cut (but for words over 4,096 letters)."""
    start = 0
    while len(text) - start > size:
        stop = start + size
        known = classes.table()[_code_points(text[max(start, stop - _LONGEST_TOKEN) : stop])]
        breaks = np.flatnonzero(known == classes.BREAK)
        if len(breaks):
            stop -= len(known) - 1 - int(breaks[-1])
        yield text[start:stop]
        start = stop
    yield text[start:]


@cache
def _ascii_classes() -> NDArray[np.uint8]:
    """Classes of the first 256 code points."""
    return classes.table()[:256].copy()


@cache
def _ascii_breaks() -> bytes:
    """The ASCII characters that part words."""
    return bytes((_ascii_classes()[:128] == classes.BREAK).nonzero()[0].tolist())


def _code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text; lone surrogates are kept as they are."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _ascii_tokens(text: str, hashed: _Hashed) -> Tokens:
    """Tokens of a text in which every character is one byte."""
    data = text.encode("ascii")
    known = _ascii_classes().take(np.frombuffer(data, dtype=np.uint8))
    inside = np.zeros(len(known) + 2, dtype=np.bool_)
    np.not_equal(known, classes.BREAK, out=inside[1:-1])
    edges = (inside[1:] != inside[:-1]).nonzero()[0]
    starts, ends = edges[::2], edges[1::2]
    spans = Bytes(data)
    return Tokens(spans, starts, ends, hashed(spans, starts, ends), known[starts], "", None)


def _unicode_tokens(text: str, hashed: _Hashed) -> Tokens:
    """Tokens of any text."""
    points = _code_points(text)
    known = classes.table().take(points)
    offsets = np.zeros(len(points) + 1, dtype=np.int64)
    np.cumsum(_utf8_sizes(points), out=offsets[1:])
    group = np.zeros(len(points) + 2, dtype=np.uint8)
    np.copyto(group[1:-1], known)
    group[group == classes.DIGIT] = classes.LETTER
    alone = group[1:-1] >= classes.CHARACTER
    solid = group[1:-1] != classes.BREAK
    starts = (solid & (alone | (group[1:-1] != group[:-2]))).nonzero()[0]
    ends = (solid & (alone | (group[1:-1] != group[2:]))).nonzero()[0] + 1
    spans, kinds = Bytes(text.encode("utf-8", "surrogatepass")), known[starts]
    starts, ends = offsets[starts], offsets[ends]
    return Tokens(spans, starts, ends, hashed(spans, starts, ends), kinds, _han_runs(points, known), points[solid])


def _utf8_sizes(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """How many bytes each code point takes in UTF-8: uint8 (n,)."""
    sizes = (points > 0x7F).view(np.uint8) + np.uint8(1)
    sizes += points > 0x7FF
    sizes += points > 0xFFFF
    return sizes


def _han_runs(points: NDArray[np.uint32], known: NDArray[np.uint8]) -> str:
    """The runs of Han as one string; see `Tokens`."""
    inside = known == classes.HAN
    if not inside.any():
        return ""
    behind = np.zeros(len(points), dtype=np.bool_)
    behind[1:] = inside[:-1] & ~inside[1:]
    spaces = behind[:-1] & inside[1:] & (points[:-1] == ord(" "))
    behind[:-1] &= ~spaces
    runs = np.where(inside, points, np.uint32(ord("\n")))[inside | behind]
    return str(runs.tobytes(), "utf-32-le").removesuffix("\n")
