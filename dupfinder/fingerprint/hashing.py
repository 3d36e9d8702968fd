"""The published hash of features and tokens: XXH3 (64 bits, seed 0), computed for many words of a text at once.

Source: Y. Collet, xxHash, doc/xxhash_spec.md and xxhash.h (XXH3_64bits, default secret). `xxh3` is the reference, from
the xxhash package; `hash_spans` computes the same numbers with numpy, for words of up to 128 bytes.
"""

from __future__ import annotations

import numpy as np
import xxhash
from numpy.typing import NDArray

# The first 128 bytes of XXH3's default secret: all that inputs of up to 128 bytes use.
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
)
_KEYS = np.frombuffer(_SECRET, dtype="<u8").astype(np.uint64)
_LOW = np.uint64(0xFFFFFFFF)
_PRIME64_1 = np.uint64(0x9E3779B185EBCA87)
_PRIME64_2 = np.uint64(0xC2B2AE3D27D4EB4F)
_PRIME64_3 = np.uint64(0x165667B19E3779F9)
_RRMXMX = np.uint64(0x9FB21C651E98DF25)
_AVALANCHE = np.uint64(0x165667919E3779F9)
_GROUP_ENDS = np.array([3, 8, 16, 128])  # bytes; XXH3 has a formula for each group, and longer words go one by one
_FEW = 96  # words; fewer are hashed faster one by one than with arrays

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]

_SLOT_BITS = 18
SLOTS = 1 << _SLOT_BITS  # words: enough for the vocabulary of a few languages; 8 MB a table
ROW = 4  # numbers for each, of which three are used: numpy takes rows of 32 bytes three times as fast as those of 24
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: multiplicative hashing (Knuth, TAOCP 3, 6.4)
_SHIFT = np.uint64(64 - _SLOT_BITS)
_WHOLE = 8  # bytes of a key
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WHOLE + 1)], dtype=np.uint64)  # by length, then all ones


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


class Bytes:
    """The UTF-8 bytes of a text, readable eight at a time from any offset."""

    __slots__ = ("_eights", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        # An overlapping view: entry i is the eight bytes from offset i on. Sixteen zeros follow the data.
        self._eights = np.ndarray(len(data) + 9, dtype="<u8", buffer=data + bytes(16), strides=(1,))

    def read(self, offsets: Offsets) -> Hashes:
        """Return the eight bytes at each offset, little-endian: uint64 (n,). Offsets: 0 to len(data) + 8."""
        return self._eights[offsets].astype(np.uint64, copy=False)


def hash_spans(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Return XXH3 of each span text.data[starts[i]:ends[i]]: uint64 (n,). No span may be empty."""
    if len(starts) < _FEW:
        return _hash_each(text, starts, ends)
    lengths = ends - starts
    hashes = np.empty(len(starts), dtype=np.uint64)
    groups = np.searchsorted(_GROUP_ENDS, lengths)
    for group, kernel in enumerate((_hash_1_to_3, _hash_4_to_8, _hash_9_to_16, _hash_17_to_128, _hash_each)):
        rows = np.flatnonzero(groups == group)
        if len(rows):
            few = len(rows) < _FEW
            hashes[rows] = (_hash_each if few else kernel)(text, starts[rows], ends[rows])
    return hashes


def _hash_each(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Compute the same with the xxhash package, word by word."""
    data, digest = text.data, xxhash.xxh3_64_intdigest
    each = [digest(data[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return np.array(each, dtype=np.uint64)


def _hash_1_to_3(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Compute XXH3_len_1to3_64b."""
    first, lengths = text.read(starts), (ends - starts).astype(np.uint64)
    eight, byte = np.uint64(8), np.uint64(0xFF)
    keyed = (first & byte) << np.uint64(16)
    keyed |= ((first >> ((lengths >> np.uint64(1)) * eight)) & byte) << np.uint64(24)
    keyed |= (first >> ((lengths - np.uint64(1)) * eight)) & byte
    keyed |= lengths << eight
    keyed ^= (_KEYS[0] & _LOW) ^ (_KEYS[0] >> np.uint64(32))
    keyed ^= keyed >> np.uint64(33)
    keyed *= _PRIME64_2
    keyed ^= keyed >> np.uint64(29)
    keyed *= _PRIME64_3
    keyed ^= keyed >> np.uint64(32)
    return keyed


def _hash_4_to_8(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Compute XXH3_len_4to8_64b."""
    first, lengths = text.read(starts), (ends - starts).astype(np.uint64)
    keyed = first << np.uint64(32)
    keyed |= (first >> ((lengths - np.uint64(4)) << np.uint64(3))) & _LOW
    keyed ^= _KEYS[1] ^ _KEYS[2]
    rotated = (keyed << np.uint64(49)) | (keyed >> np.uint64(15))
    rotated ^= (keyed << np.uint64(24)) | (keyed >> np.uint64(40))
    keyed ^= rotated
    keyed *= _RRMXMX
    keyed ^= (keyed >> np.uint64(35)) + lengths
    keyed *= _RRMXMX
    keyed ^= keyed >> np.uint64(28)
    return keyed


def _hash_9_to_16(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Compute XXH3_len_9to16_64b."""
    low = text.read(starts) ^ (_KEYS[3] ^ _KEYS[4])
    high = text.read(ends - 8) ^ (_KEYS[5] ^ _KEYS[6])
    total = (ends - starts).astype(np.uint64) + low.byteswap()
    total += high
    total += _folded_product(low, high)
    return _avalanche(total)


def _hash_17_to_128(text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
    """Compute XXH3_len_17to128_64b."""
    lengths = ends - starts
    total = lengths.astype(np.uint64) * _PRIME64_1
    for step in range(4):
        rows = np.flatnonzero(lengths > 32 * step)
        if len(rows):
            total[rows] += _mixed(text, starts[rows] + 16 * step, 4 * step)
            total[rows] += _mixed(text, ends[rows] - 16 * (step + 1), 4 * step + 2)
    return _avalanche(total)


def _mixed(text: Bytes, offsets: Offsets, key: int) -> Hashes:
    """Compute XXH3_mix16B with the secret from its 8-byte word number `key` on."""
    return _folded_product(text.read(offsets) ^ _KEYS[key], text.read(offsets + 8) ^ _KEYS[key + 1])


def _folded_product(left: Hashes, right: Hashes) -> Hashes:
    """Compute XXH3_mul128_fold64: the exclusive or of the two halves of the 128-bit product."""
    half = np.uint64(32)
    left_low, left_high = left & _LOW, left >> half
    right_low, right_high = right & _LOW, right >> half
    middle = left_high * right_low
    cross = left_low * right_low
    cross >>= half
    cross += middle & _LOW
    cross += left_low * right_high
    high = left_high * right_high
    high += middle >> half
    high += cross >> half
    high ^= left * right
    return high


def _avalanche(values: Hashes) -> Hashes:
    """Apply XXH3_avalanche in place."""
    values ^= values >> np.uint64(37)
    values *= _AVALANCHE
    values ^= values >> np.uint64(32)
    return values


def last_for_each(slots: Offsets) -> Offsets:
    """Return the last row of each distinct slot: intp (m,).

    numpy does not say which of several values assigned to the same slot stays.
    """
    last = dict(zip(slots.tolist(), range(len(slots)), strict=True))
    return np.fromiter(last.values(), dtype=np.intp, count=len(last))


class HashMemo:
    """A cache of the XXH3 of words, for words of up to 16 bytes.

    Direct-mapped: each word has one slot, and a later word of the same slot replaces it. So memory is bounded, and a
    look-up is a few array operations for all words of a text at once.
    The key of a word is two numbers: its first eight bytes and its next eight, padded with zeros, which no word
    contains. So different words have different keys, and a cached hash is always that of the word itself.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((SLOTS, ROW), dtype=np.uint64)  # columns: first eight bytes, next eight, hash

    def hashes_of(self, text: Bytes, starts: Offsets, ends: Offsets) -> Hashes:
        """Return XXH3 of each span, as `hash_spans` does: uint64 (n,). No span may be empty."""
        lengths = ends - starts
        heads = text.read(starts)
        heads &= _MASKS.take(lengths, mode="clip")
        long = (lengths > _WHOLE).nonzero()[0]
        tails = np.zeros(len(heads), dtype=np.uint64)
        tails[long] = text.read(starts[long] + _WHOLE) & _MASKS.take(lengths[long] - _WHOLE, mode="clip")
        products = ((heads ^ (tails * _SPREAD)) * _SPREAD) >> _SHIFT
        slots = products.view(np.int64)
        entries = self._rows.take(slots, axis=0)
        hashes = entries[:, 2].copy()
        unknown = (entries[:, 0] != heads) | (entries[:, 1] != tails) | (lengths > 2 * _WHOLE)
        missing = unknown.nonzero()[0]
        if len(missing):
            hashes[missing] = hash_spans(text, starts[missing], ends[missing])
            new = missing[lengths[missing] <= 2 * _WHOLE]
            new = new[last_for_each(slots[new])]
            self._rows[slots[new], :3] = np.column_stack((heads[new], tails[new], hashes[new]))
        return hashes
