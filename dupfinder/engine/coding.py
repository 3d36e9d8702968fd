"""The bit coding of compressed tables: Huffman codes of where neighbouring keys first differ, and the bits below.

Source: Manku, Jain, Das Sarma (WWW 2007), section 3.2. A block holds its first key in full (64 bits). Each further key
is coded by its step from the key before: the Huffman code of h, the position of the step's most significant bit, then
the h bits below it. A step is the XOR of the two keys or their difference; a separate symbol codes an equal key.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import row_mask, starts_of
from dupfinder.index.tables import Keys

BLOCK_BYTES: Final = 1024
BLOCK_WORDS: Final = BLOCK_BYTES // 8
BLOCK_BITS: Final = 8 * BLOCK_BYTES
EQUAL: Final = 64  # the symbol of a key that equals the key before
SYMBOLS: Final = 65
_LONGEST: Final = 16  # bits of a code, so that a table of 2**16 entries decodes any
_FEW: Final = 24  # blocks; up to so many are decoded one by one

Bits = NDArray[np.uint64]


class Coding(StrEnum):
    """How the step from key to key is computed."""

    XOR = "xor"
    DIFFERENCE = "difference"


@dataclass(frozen=True)
class HuffmanCode:
    """A canonical Huffman code.

    lengths: uint8 (65,), bits of each symbol's code word, 0 for a symbol that never occurs.
    words:   uint64 (65,), the code words.
    """

    lengths: NDArray[np.uint8]
    words: NDArray[np.uint64]

    @cached_property
    def reading(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The decoding table by the next 16 bits: symbol, and bits of its code word and step: two uint8 (65,536,)."""
        symbols = np.zeros(1 << _LONGEST, np.uint8)
        bits = np.zeros(1 << _LONGEST, np.uint8)
        for symbol in np.flatnonzero(self.lengths).tolist():
            length = int(self.lengths[symbol])
            start = int(self.words[symbol]) << (_LONGEST - length)
            symbols[start : start + (1 << (_LONGEST - length))] = symbol
            bits[start : start + (1 << (_LONGEST - length))] = length + (symbol if symbol < EQUAL else 0)
        return symbols, bits


def code_of(lengths: NDArray[np.uint8]) -> HuffmanCode:
    """Return the canonical code with these lengths. Raises ValueError when there is no such prefix code."""
    words = np.zeros(SYMBOLS, np.uint64)
    word, before = 0, 0
    for symbol in np.lexsort((np.arange(SYMBOLS), lengths)).tolist():
        length = int(lengths[symbol])
        if length:
            word <<= length - before
            if length > _LONGEST or word >> length:
                raise ValueError("the code lengths are not those of a code")
            words[symbol] = word
            word, before = word + 1, length
    return HuffmanCode(lengths, words)


def huffman_lengths(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return code lengths of at most 16 bits for symbols with these counts: uint8 (65,), 0 for a count of 0."""
    weights = counts.astype(np.int64)
    while True:
        lengths = _optimal_lengths(weights)
        if lengths.max(initial=0) <= _LONGEST:
            return lengths
        weights = np.where(weights > 0, weights // 2 + 1, 0)


def _optimal_lengths(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return Huffman code lengths without a limit: uint8 (65,)."""
    lengths = np.zeros(SYMBOLS, np.uint8)
    heap = [(int(counts[symbol]), symbol, [symbol]) for symbol in np.flatnonzero(counts).tolist()]
    heapq.heapify(heap)
    if len(heap) == 1:
        lengths[heap[0][1]] = 1
    while len(heap) > 1:
        left, right = heapq.heappop(heap), heapq.heappop(heap)
        merged = left[2] + right[2]
        lengths[merged] += 1
        heapq.heappush(heap, (left[0] + right[0], min(left[1], right[1]), merged))
    return lengths


def steps_of(keys: Keys, coding: Coding) -> tuple[Keys, NDArray[np.uint8]]:
    """Return the step to each key but the first, and its symbol: uint64 (n - 1,), uint8 (n - 1,)."""
    steps = keys[1:] ^ keys[:-1] if coding is Coding.XOR else keys[1:] - keys[:-1]
    return steps, np.where(steps == 0, EQUAL, _highest_bit(steps)).astype(np.uint8)


def _highest_bit(values: Keys) -> NDArray[np.int32]:
    """Return the position of the most significant set bit, 0 the lowest; a negative number for 0: int32 (n,)."""
    upper = values >> np.uint64(32)
    high = np.frexp(upper.astype(np.float64))[1] + 31
    low = np.frexp((values & np.uint64(0xFFFFFFFF)).astype(np.float64))[1] - 1
    return np.where(upper > 0, high, low).astype(np.int32)


def encoded_keys(keys: Keys, coding: Coding) -> tuple[HuffmanCode, Bits, NDArray[np.uint16]]:
    """Encode ascending keys as blocks. Return the code, the bits and the number of keys of each block.

    Bits: uint64 (blocks, 128), the first bit the most significant. Numbers: uint16 (blocks,).
    """
    steps, symbols = steps_of(keys, coding)
    code = code_of(huffman_lengths(np.bincount(symbols, minlength=SYMBOLS)))
    below = np.where(symbols == EQUAL, 0, symbols).astype(np.int64)
    ends = starts_of(code.lengths[symbols] + below)
    firsts = _block_starts(ends)
    counts = np.diff(firsts, append=len(keys))
    block = np.repeat(np.arange(len(firsts)), counts)
    bits = np.zeros(len(firsts) * BLOCK_WORDS + 1, np.uint64)
    bits[np.arange(len(firsts)) * BLOCK_WORDS] = keys[firsts]
    chosen = np.flatnonzero(~row_mask(len(keys), firsts))
    at = block[chosen] * BLOCK_BITS + 64 + ends[chosen - 1] - ends[firsts[block[chosen]]]
    symbol, step = symbols[chosen - 1], steps[chosen - 1]
    length = code.lengths[symbol].astype(np.int64)
    _put(bits, at, code.words[symbol], length)
    width = below[chosen - 1]
    _put(bits, at + length, step & ((np.uint64(1) << width.astype(np.uint64)) - np.uint64(1)), width)
    return code, bits[:-1].reshape(-1, BLOCK_WORDS), counts.astype(np.uint16)


def _block_starts(ends: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the number of the first key of each block. ends: int64 (n,), bits of the stream up to each key."""
    room = BLOCK_BITS - 64
    starts = [0]
    while True:
        following = int(np.searchsorted(ends, ends[starts[-1]] + room, "right"))
        if following >= len(ends):
            return np.array(starts, np.intp)
        starts.append(following)


def _put(bits: Bits, at: NDArray[np.int64], values: Keys, widths: NDArray[np.int64]) -> None:
    """Write each value, of at most 63 bits, into the stream at its bit position `at`."""
    word, room = at >> 6, 64 - (at & 63)
    spill = np.maximum(widths - room, 0).astype(np.uint64)
    shift = np.maximum(room - widths, 0).astype(np.uint64)
    np.add.at(bits, word, (values >> spill) << shift)
    over = np.flatnonzero(spill)
    rest = spill[over]
    np.add.at(bits, word[over] + 1, (values[over] & ((np.uint64(1) << rest) - np.uint64(1))) << (np.uint64(64) - rest))


def decoded_keys(bits: Bits, counts: NDArray[np.uint16], code: HuffmanCode, coding: Coding) -> Keys:
    """Return the keys of some blocks, one block after the other: uint64 (n,). bits: uint64 (blocks, 128)."""
    if not len(bits):
        return np.empty(0, np.uint64)
    symbols, lengths = code.reading
    if len(bits) <= _FEW:
        parts = [_decode_one(row, int(count), symbols, lengths) for row, count in zip(bits, counts, strict=True)]
        return np.concatenate([_keys_from_steps(part, coding) for part in parts])
    steps = _decode_in_parallel(bits, counts, symbols, lengths)
    keys = _keys_from_steps(steps, coding)
    inside = np.arange(keys.shape[0])[:, None] < counts[None, :]
    return keys.T[inside.T]


def _keys_from_steps(steps: Keys, coding: Coding) -> Keys:
    """Return the keys from the first key and the steps, along the first axis."""
    add = np.bitwise_xor if coding is Coding.XOR else np.add
    return add.accumulate(steps, axis=0)


def _decode_one(row: Bits, count: int, symbols: NDArray[np.uint8], lengths: NDArray[np.uint8]) -> Keys:
    """Return the first key and the steps of one block.

    The length of a code word at every bit is looked up at once; then only the chain of lengths is followed.
    """
    octets = np.zeros(BLOCK_BYTES + 2, np.uint32)
    octets[:BLOCK_BYTES] = row.astype(">u8").view(np.uint8)
    three = octets[:-2] << 16 | octets[1:-1] << 8 | octets[2:]  # the 24 bits from each byte on
    windows = (three[:, None] >> np.arange(8, 0, -1, dtype=np.uint32)[None, :]) & np.uint32(0xFFFF)
    length_at = lengths[windows.ravel()].tobytes()
    position, positions = 64, []
    for _ in range(count - 1):
        positions.append(position)
        position += length_at[position] if position < BLOCK_BITS else 0
    at = np.minimum(np.array(positions, np.int64), BLOCK_BITS - 1)
    padded = np.append(row, np.zeros(2, np.uint64))
    steps = np.empty(count, np.uint64)
    steps[0] = row[0]
    steps[1:], _ = _read(padded, at, symbols, lengths)
    return steps


def _decode_in_parallel(
    bits: Bits, counts: NDArray[np.uint16], symbols: NDArray[np.uint8], lengths: NDArray[np.uint8]
) -> Keys:
    """Return the first keys and steps, (most keys, blocks), decoding one key of every block at a time."""
    padded = np.append(bits.ravel(), np.zeros(2, np.uint64))
    base = np.arange(len(bits), dtype=np.int64) * BLOCK_BITS
    last = base + BLOCK_BITS - 1
    steps = np.zeros((int(counts.max()), len(bits)), np.uint64)
    steps[0] = bits[:, 0]
    at = base + 64
    for number in range(1, len(steps)):
        steps[number], length = _read(padded, at, symbols, lengths)
        at = np.minimum(at + length, last)
    return steps


def _read(
    words: Bits, at: NDArray[np.int64], symbols: NDArray[np.uint8], lengths: NDArray[np.uint8]
) -> tuple[Keys, NDArray[np.uint8]]:
    """Return the steps that start at bits `at` of the stream, and the bits that each takes."""
    window = _peek(words, at) >> np.uint64(48)
    symbol, length = symbols[window], lengths[window]
    below = np.where(symbol == EQUAL, np.uint8(0), symbol)
    rest = _peek(words, at + length - below)
    steps = ((rest >> np.uint64(1)) >> (np.uint64(63) - below)) | (np.uint64(1) << below.astype(np.uint64))
    steps[symbol == EQUAL] = 0
    return steps, length


def _peek(words: Bits, at: NDArray[np.int64]) -> Keys:
    """Return the 64 bits from each bit position on. A shift by 64 has no result, so it is made in two steps."""
    word, shift = at >> 6, (at & 63).astype(np.uint64)
    bits: Keys = words[word] << shift | (words[word + 1] >> np.uint64(1)) >> (np.uint64(63) - shift)
    return bits
