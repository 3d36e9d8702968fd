"""Rabin fingerprints against published vectors and the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint.sketch import rabin_shingles

# Apache Avro, share/test/data/schema-tests.txt: signed 64-bit fingerprints of primitive schemas.
VECTORS = [
    ('"null"', 7195948357588979594),
    ('"boolean"', -6970731678124411036),
    ('"int"', 8247732601305521295),
    ('"long"', -3434872931120570953),
    ('"float"', 5583340709985441680),
    ('"double"', -8181574048448539266),
    ('"bytes"', 5746618253357095269),
    ('"string"', -8142146995180207161),
]


def rabin(message: bytes) -> int:
    """Return the fingerprint of a message as Avro defines it, bit by bit."""
    empty = value = 0xC15D213AA4D7A795
    for byte in message:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (empty if value & 1 else 0)
    return value


@pytest.mark.parametrize(("message", "expected"), VECTORS)
def test_it_answers_to_the_published_vectors(message: str, expected: int) -> None:
    assert rabin(message.encode()) == expected % (1 << 64)


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20), st.integers(1, 5))
def test_all_shingles_at_once_are_those_made_byte_by_byte(tokens: list[int], width: int) -> None:
    runs = [tokens[i : i + width] for i in range(len(tokens) - width + 1)] or ([tokens] if tokens else [])
    expected = [rabin(b"".join(token.to_bytes(8, "little") for token in run)) for run in runs]
    assert rabin_shingles(np.array(tokens, dtype=np.uint64), width).tolist() == expected
