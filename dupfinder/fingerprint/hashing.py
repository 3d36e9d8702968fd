"""The published hash of features and tokens: XXH3 (64 bits, seed 0), and a cache of it for the words of texts.

Each word has two hashes: of the word itself, and of the word without the accents of Latin letters.

Source: Y. Collet, xxHash, doc/xxhash_spec.md and xxhash.h (XXH3_64bits, default secret).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from dupfinder.base.columns import GOLDEN

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]

_SLOT_BITS = 18
SLOTS = 1 << _SLOT_BITS  # words: enough for the vocabulary of a few languages; 8 MB a table
ROW = 4  # numbers of a slot
_SHIFT = np.uint64(64 - _SLOT_BITS)
_WIDTH = 8  # bytes of a number
# Masks of a word's bytes, by its length.
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WIDTH + 1)], dtype=np.uint64)


def xxh3(data: bytes) -> int:
    """Return XXH3_64bits of `data`, seed 0."""
    return xxhash.xxh3_64_intdigest(data)


def splitmix(values: Hashes) -> Hashes:
    """Return splitmix64's finaliser of each value, a permutation of the 64-bit numbers: uint64 (n,).

    Source: Steele, Lea, Flood 2014; Vigna's splitmix64.c.
    """
    mixed = values ^ (values >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


class Utf8:
    """The UTF-8 bytes of a text, readable eight at a time from any offset."""

    __slots__ = ("_eights", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        # An overlapping view: entry i is the eight bytes from offset i on. Sixteen zeros follow the data.
        self._eights = np.ndarray(len(data) + 9, dtype="<u8", buffer=data + bytes(16), strides=(1,))

    def read(self, offsets: Offsets) -> Hashes:
        """Return the eight bytes at each offset, little-endian: uint64 (n,). Offsets: 0 to len(data) + 8."""
        return self._eights[offsets].astype(np.uint64, copy=False)


@cache
def without_accents() -> dict[int, str]:
    """Return a table for `str.translate` by which Latin letters lose their accents, and lone accents are left out."""
    letters = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    decomposed = {point: unicodedata.normalize("NFD", chr(point)) for point in letters}
    plain = {point: form[0] for point, form in decomposed.items() if len(form) > 1 and form[0].isascii()}
    return plain | dict.fromkeys(range(0x300, 0x370), "") | _WITHOUT_DECOMPOSITION


# The first bytes in UTF-8 of the characters of `without_accents`, beside others.
_ACCENTED: Final = re.compile(rb"[\xc3-\xc9\xcc\xcd]|\xe1[\xb8-\xbb]")
_WITHOUT_DECOMPOSITION: Final = {
    ord(letter): form
    for letter, form in {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i"}.items()
}


def hash_spans(text: Utf8, starts: Offsets, ends: Offsets) -> tuple[Hashes, Hashes]:
    """Return XXH3 of each span text.data[starts[i]:ends[i]], and that of its form without accents: uint64 (n,)."""
    data, digest, table = text.data, xxhash.xxh3_64_intdigest, without_accents()
    words = [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    hashes = list(map(digest, words))
    plain = hashes.copy()
    if _ACCENTED.search(data):
        for row, word in enumerate(words):
            if _ACCENTED.search(word):
                form = word.decode("utf-8", "surrogateescape").translate(table)
                plain[row] = digest(form.encode("utf-8", "surrogateescape"))
    return np.array(hashes, dtype=np.uint64), np.array(plain, dtype=np.uint64)


def last_for_each(slots: Offsets) -> Offsets:
    """Return the last row of each distinct slot: intp (m,).

    numpy does not say which of several values assigned to the same slot stays.
    """
    last = dict(zip(slots.tolist(), range(len(slots)), strict=True))
    return np.fromiter(last.values(), dtype=np.intp, count=len(last))


class HashMemo:
    """A cache of the two hashes of words, for words of up to 16 bytes.

    Direct-mapped: each word has one slot, and a later word of the same slot replaces it. So memory is bounded, and a
    look-up is a few array operations for all words of a text at once.
    The key of a word is two numbers: its first eight bytes and its next eight, padded with zeros, which no word
    contains. So different words have different keys, and a cached hash is always that of the word itself.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((SLOTS, ROW), dtype=np.uint64)  # columns: first eight bytes, next eight, two hashes

    def hashes_of(self, text: Utf8, starts: Offsets, ends: Offsets) -> tuple[Hashes, Hashes]:
        """Return the two hashes of each span, as `hash_spans` does: uint64 (n,). No span may be empty."""
        lengths = ends - starts
        heads = text.read(starts)
        heads &= _MASKS.take(lengths, mode="clip")
        long = (lengths > _WIDTH).nonzero()[0]
        tails = np.zeros(len(heads), dtype=np.uint64)
        tails[long] = text.read(starts[long] + _WIDTH) & _MASKS.take(lengths[long] - _WIDTH, mode="clip")
        products = ((heads ^ (tails * GOLDEN)) * GOLDEN) >> _SHIFT
        slots = products.view(np.int64)
        entries = self._rows.take(slots, axis=0)
        hashes, plain = entries[:, 2].copy(), entries[:, 3].copy()
        unknown = (entries[:, 0] != heads) | (entries[:, 1] != tails) | (lengths > 2 * _WIDTH)
        missing = unknown.nonzero()[0]
        if len(missing):
            hashes[missing], plain[missing] = hash_spans(text, starts[missing], ends[missing])
            new = missing[lengths[missing] <= 2 * _WIDTH]
            new = new[last_for_each(slots[new])]
            self._rows[slots[new]] = np.column_stack((heads[new], tails[new], hashes[new], plain[new]))
        return hashes, plain
