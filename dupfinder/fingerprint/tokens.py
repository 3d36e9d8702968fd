"""Tokens of a normalised text: words and single CJK characters, as spans of its UTF-8 bytes in arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Bytes, Hashes, HashMemo, Offsets, hash_spans

_Hashed = Callable[[Bytes, Offsets, Offsets], Hashes]

CHUNK = 1 << 17  # characters handled together: bounds memory for long texts, and fits the processor's cache
_LONGEST_TOKEN = 4096  # characters searched backwards for a word break to cut at


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: words and numbers, or single characters in scripts without spaces between words.

    text:   the UTF-8 bytes the spans point into.
    starts, ends: int64 (n,), offsets of bytes.
    hashes: uint64 (n,), XXH3 of each token.
    kinds:  uint8 (n,): class of the first character (`classes.LETTER`, `DIGIT`, `CHARACTER` or `HAN`).
    han:    the runs of Han as one string, "\\n" between them; "" if there are none. A space inside a run is left out:
            it marks a line end of a page.
    solid:  uint32: the code points of all tokens, concatenated; None for an ASCII text.
    """

    text: Bytes
    starts: Offsets
    ends: Offsets
    hashes: Hashes
    kinds: NDArray[np.uint8]
    han: str
    solid: NDArray[np.uint32] | None

    def letters(self) -> bytes:
        """Return the bytes of all tokens, concatenated without what separates them."""
        if self.solid is None:
            return self.text.data.translate(None, _ascii_breaks())
        return self.solid.tobytes().decode("utf-32-le", "surrogatepass").encode("utf-8", "surrogatepass")

    def strings(self) -> list[str]:
        """Return the tokens as strings."""
        data = self.text.data
        return [data[s:e].decode() for s, e in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def tokens_of(text: str, memo: HashMemo | None = None) -> Tokens:
    """Return the tokens of a normalised text, or of a chunk of a text. A memo caches the hashes of words."""
    hashed = hash_spans if memo is None else memo.hashes_of
    return _ascii_tokens(text, hashed) if text.isascii() else _unicode_tokens(text, hashed)


def shingle_tokens(normalised: str) -> list[str]:
    """Return the tokens of which shingles are made: words, numbers and single CJK characters, stop-words included."""
    return [token for chunk in chunks(normalised) for token in tokens_of(chunk).strings()]


def chunks(text: str, size: int = CHUNK) -> Iterator[str]:
    """Yield the text in chunks of at most `size` characters, cut between words. Words over 4,096 letters may be cut."""
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
    """Return the classes of the first 256 code points: uint8 (256,)."""
    return classes.table()[:256].copy()


@cache
def _ascii_breaks() -> bytes:
    """Return the ASCII characters that separate words."""
    return bytes((_ascii_classes()[:128] == classes.BREAK).nonzero()[0].tolist())


def _code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, lone surrogates included: uint32 (n,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _ascii_tokens(text: str, hashed: _Hashed) -> Tokens:
    """Return the tokens of an ASCII text, in which every character is one byte."""
    data = text.encode("ascii")
    known = _ascii_classes().take(np.frombuffer(data, dtype=np.uint8))
    inside = np.zeros(len(known) + 2, dtype=np.bool_)
    np.not_equal(known, classes.BREAK, out=inside[1:-1])
    edges = (inside[1:] != inside[:-1]).nonzero()[0]
    starts, ends = edges[::2], edges[1::2]
    spans = Bytes(data)
    return Tokens(spans, starts, ends, hashed(spans, starts, ends), known[starts], "", None)


def _unicode_tokens(text: str, hashed: _Hashed) -> Tokens:
    """Return the tokens of any text."""
    points = _code_points(text)
    known = classes.table().take(points)
    offsets = np.zeros(len(points) + 1, dtype=np.int64)
    np.cumsum(_utf8_sizes(points), out=offsets[1:])
    group = np.zeros(len(points) + 2, dtype=np.uint8)
    np.copyto(group[1:-1], known)
    group[group == classes.DIGIT] = classes.LETTER
    is_word = group[1:-1] >= classes.CHARACTER
    solid = group[1:-1] != classes.BREAK
    starts = (solid & (is_word | (group[1:-1] != group[:-2]))).nonzero()[0]
    ends = (solid & (is_word | (group[1:-1] != group[2:]))).nonzero()[0] + 1
    spans, kinds = Bytes(text.encode("utf-8", "surrogatepass")), known[starts]
    starts, ends = offsets[starts], offsets[ends]
    return Tokens(spans, starts, ends, hashed(spans, starts, ends), kinds, _han_runs(points, known), points[solid])


def _utf8_sizes(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the length of each code point in UTF-8, in bytes: uint8 (n,)."""
    sizes = (points > 0x7F).view(np.uint8) + np.uint8(1)
    sizes += points > 0x7FF
    sizes += points > 0xFFFF
    return sizes


def _han_runs(points: NDArray[np.uint32], known: NDArray[np.uint8]) -> str:
    """Return the runs of Han as one string; see `Tokens`."""
    inside = known == classes.HAN
    if not inside.any():
        return ""
    run_ends = np.zeros(len(points), dtype=np.bool_)
    run_ends[1:] = inside[:-1] & ~inside[1:]
    spaces = run_ends[:-1] & inside[1:] & (points[:-1] == ord(" "))
    run_ends[:-1] &= ~spaces
    runs = np.where(inside, points, np.uint32(ord("\n")))[inside | run_ends]
    return str(runs.tobytes(), "utf-32-le").removesuffix("\n")
