from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.engine.coding import (
    BLOCK_BITS,
    EQUAL,
    SYMBOLS,
    Coding,
    code_of,
    decoded_keys,
    encoded_keys,
    huffman_lengths,
    steps_of,
)

key = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 30), st.just(2**64 - 1))


def read_bit_by_bit(
    row: NDArray[np.uint64], count: int, words: dict[tuple[int, int], int], coding: Coding
) -> list[int]:
    """Decode one block of the stream, bit by bit: the slow way."""
    stream = "".join(f"{int(word):064b}" for word in row)
    keys = [int(stream[:64], 2)]
    at = 64
    while len(keys) < count:
        length = 1
        while (length, int(stream[at : at + length], 2)) not in words:
            length += 1
        symbol = words[length, int(stream[at : at + length], 2)]
        at += length
        step = 0 if symbol == EQUAL else int("1" + stream[at : at + symbol], 2)
        at += 0 if symbol == EQUAL else symbol
        keys.append(keys[-1] ^ step if coding is Coding.XOR else keys[-1] + step)
    return keys


@given(st.lists(key, min_size=1, max_size=400), st.sampled_from(list(Coding)))
def test_keys_come_back_and_a_plain_reader_agrees(values: list[int], coding: Coding) -> None:
    keys = np.sort(np.array(values, np.uint64))
    code, bits, counts = encoded_keys(keys, coding)
    assert np.array_equal(decoded_keys(bits, counts, code, coding), keys)
    words = {(int(code.lengths[s]), int(code.words[s])): s for s in range(SYMBOLS) if code.lengths[s]}
    plain = [key for row, n in zip(bits, counts, strict=True) for key in read_bit_by_bit(row, int(n), words, coding)]
    assert plain == keys.tolist()


@pytest.mark.parametrize("coding", list(Coding))
def test_many_blocks_side_by_side_are_read_as_each_by_itself(coding: Coding) -> None:
    rng = np.random.default_rng(4)
    keys = np.sort(np.concatenate((rng.integers(0, 2**64, 9000, dtype=np.uint64), np.full(9000, 5, np.uint64))))
    code, bits, counts = encoded_keys(keys, coding)
    assert len(bits) > 30
    each = [decoded_keys(bits[i : i + 1], counts[i : i + 1], code, coding) for i in range(len(bits))]
    assert np.array_equal(np.concatenate(each), keys)
    assert np.array_equal(decoded_keys(bits, counts, code, coding), keys)


@pytest.mark.parametrize("coding", list(Coding))
def test_the_blocks_cost_little_more_than_the_floor_of_the_coding(coding: Coding) -> None:
    keys = np.sort(np.random.default_rng(5).integers(0, 2**64, 100_000, dtype=np.uint64))
    code, bits, _ = encoded_keys(keys, coding)
    _, symbols = steps_of(keys, coding)
    floor = float((code.lengths[symbols].astype(np.int64) + symbols).mean())
    assert len(bits) * BLOCK_BITS / len(keys) < floor + 0.3
    if coding is Coding.XOR:
        assert abs(floor - 50.8) < 0.05


@given(st.lists(st.integers(0, 2**40), min_size=SYMBOLS, max_size=SYMBOLS))
def test_code_lengths_are_those_of_a_prefix_code_of_at_most_16_bits(counts: list[int]) -> None:
    lengths = huffman_lengths(np.array(counts))
    used = lengths[np.array(counts) > 0].astype(int)
    assert (lengths[np.array(counts) == 0] == 0).all()
    assert sum(2.0**-length for length in used) <= 1
    assert used.max(initial=1) <= 16
    code_of(lengths)


def test_very_uneven_counts_still_get_codes_of_at_most_16_bits() -> None:
    counts = np.array([2**place for place in range(50)] + [0] * (SYMBOLS - 50))
    assert huffman_lengths(counts).max() <= 16


@pytest.mark.parametrize(("code", "none"), [([1, 1], [1, 1, 1]), ([1, 2, 2], [1, 2, 2, 16]), ([16], [17])])
def test_only_lengths_of_no_code_are_refused(code: list[int], none: list[int]) -> None:
    assert np.flatnonzero(code_of(lengths_of(code)).lengths).tolist() == list(range(len(code)))
    with pytest.raises(ValueError, match="not those of a code"):
        code_of(lengths_of(none))


def lengths_of(first: list[int]) -> NDArray[np.uint8]:
    return np.array(first + [0] * (SYMBOLS - len(first)), np.uint8)
