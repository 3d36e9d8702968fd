"""The published hash: official vectors."""

from __future__ import annotations

import numpy as np
import pytest

from dupfinder.fingerprint.hashing import Utf8, hash_spans, splitmix, xxh3

PRIME32, PRIME64 = 2654435761, 11400714785074694797


def sanity_buffer(size: int) -> bytes:
    """Return the bytes that xxHash's own sanity check hashes (xsum_sanity_check.c)."""
    state, out = PRIME32, bytearray()
    for _ in range(size):
        out.append(state >> 56)
        state = state * PRIME64 % (1 << 64)
    return bytes(out)


# XXH3_64bits, seed 0, of the first n bytes of the sanity buffer (xsum_sanity_check.c).
VECTORS = [
    (1, 0xC44BDFF4074EECDB),
    (6, 0x27B56A84CD2D7325),
    (12, 0xA713DAF0DFBB77E7),
    (24, 0xA3FE70BF9D3510EB),
    (48, 0x397DA259ECBA1F11),
    (80, 0xBCDEFBBB2C47C90A),
    (195, 0xCD94217EE362EC3A),
]


@pytest.mark.parametrize(("size", "expected"), VECTORS)
def test_the_hash_answers_to_the_official_vectors(size: int, expected: int) -> None:
    assert xxh3(sanity_buffer(size)) == expected


def test_the_empty_input_has_its_official_hash() -> None:
    assert xxh3(b"") == 0x2D06800538D394C2


def test_splitmix_answers_to_the_published_sequence() -> None:
    states = np.arange(1, 4, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert splitmix(states).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_spans_of_any_length_hash_as_the_reference_does() -> None:
    data = np.random.default_rng(5).integers(0, 256, 4000, dtype=np.uint8).tobytes()
    sizes = np.arange(1, 201)
    starts = np.random.default_rng(6).integers(0, 4000 - sizes)
    hashes = hash_spans(Utf8(data), starts, starts + sizes)[0].tolist()
    assert hashes == [xxh3(data[s : s + n]) for s, n in zip(starts.tolist(), sizes.tolist(), strict=True)]
