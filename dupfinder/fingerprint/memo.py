"""Tables of fixed size that remember what was computed for a word: its hash, its feature, its weight.

Direct-mapped: a word has one place, and a later word of the same place drives it out. So memory is bounded, a look-up
is a few array operations for all words of a text at once, and nothing depends on what was seen before.
"""

from __future__ import annotations

import numpy as np

from dupfinder.fingerprint.hashing import Bytes, Hashes, Offsets, hash_spans

_SLOT_BITS = 18
SLOTS = 1 << _SLOT_BITS  # words remembered: what a few languages use, in 6 MB a table
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: multiplicative hashing (Knuth, TAOCP 3, 6.4)
_SHIFT = np.uint64(64 - _SLOT_BITS)
_WHOLE = 8  # bytes of a key
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WHOLE + 1)], dtype=np.uint64)  # by length, then all ones


def one_of_each(places: Offsets) -> Offsets:
    """A row for each distinct place: (m,). numpy promises no order where one place is assigned twice."""
    last = dict(zip(places.tolist(), range(len(places)), strict=True))
    return np.fromiter(last.values(), dtype=np.intp, count=len(last))


class HashMemo:
    """XXH3 of words, remembered for words of up to 16 bytes.

    Such a word is known by two numbers: its first eight bytes and the rest, each filled up with zeros, which are in no
    word. Equal numbers, equal words: a remembered hash is never that of another word.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((SLOTS, 3), dtype=np.uint64)  # both numbers and the hash: side by side, read at once

    def hashes_of(self, text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
        """XXH3 of each span, as `hash_spans` gives it: uint64 (n,). No span is empty."""
        lengths = ends - starts
        heads = text.read(starts)
        heads &= _MASKS.take(lengths, mode="clip")
        long = (lengths > _WHOLE).nonzero()[0]
        tails = np.zeros(len(heads), dtype=np.uint64)
        tails[long] = text.read(starts[long] + _WHOLE) & _MASKS.take(lengths[long] - _WHOLE, mode="clip")
        slots = ((heads ^ (tails * _SPREAD)) * _SPREAD) >> _SHIFT
        places = slots.view(np.int64)
        found = self._rows.take(places, axis=0)
        hashes = found[:, 2].copy()
        unknown = (found[:, 0] != heads) | (found[:, 1] != tails) | (lengths > 2 * _WHOLE)
        missing = unknown.nonzero()[0]
        if len(missing):
            hashes[missing] = hash_spans(text, starts[missing], ends[missing])
            new = missing[lengths[missing] <= 2 * _WHOLE]
            new = new[one_of_each(places[new])]
            self._rows[places[new]] = np.column_stack((heads[new], tails[new], hashes[new]))
        return hashes
