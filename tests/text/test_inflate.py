"""Unpacking: whatever the method, the bytes come in bounded pieces, and damage is told as damage."""

from __future__ import annotations

import bz2
import lzma
import struct
from collections.abc import Callable, Iterator

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.archives.ziparchive import CHUNK, UNPACKERS, method_name, unpacked
from dupfinder.text.document import Unreadable
from tests.text.zips import deflated


def lzma_packed(data: bytes) -> bytes:
    """As method 14 packs it, without a mark at the end."""
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}]
    return struct.pack("<HHBL", 0x1409, 5, 0x5D, 1 << 16) + lzma.compress(data, lzma.FORMAT_RAW, filters=filters)


PACKERS: dict[int, Callable[[bytes], bytes]] = {
    0: bytes,
    8: deflated,
    12: bz2.compress,
    14: lzma_packed,
    93: zstd.compress,
}


def parts(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


@pytest.mark.parametrize("method", sorted(UNPACKERS))
@given(data=st.binary(max_size=5000), size=st.integers(16, 700))
def test_what_was_packed_comes_back_however_it_is_cut(method: int, data: bytes, size: int) -> None:
    assert b"".join(unpacked(parts(PACKERS[method](data), size), method)) == data


@pytest.mark.parametrize("method", [8, 12, 14, 93])
def test_a_bomb_unfolds_piece_by_piece(method: int) -> None:
    packed = PACKERS[method](bytes(40 << 20))
    assert len(packed) < 100_000
    pieces = [len(piece) for piece in unpacked(iter([packed]), method)]
    assert max(pieces) <= CHUNK and sum(pieces) == 40 << 20


@pytest.mark.parametrize("method", [8, 12, 14, 93])
@given(data=st.binary(max_size=300))
def test_bytes_of_any_kind_end_in_bytes_or_in_a_reason(method: int, data: bytes) -> None:
    total = 0
    try:
        for piece in unpacked(iter([data]), method):
            total += len(piece)
            if total > 8 << 20:
                return
    except Unreadable as trouble:
        assert trouble.details


@pytest.mark.parametrize("method", [8, 12])
def test_a_stream_that_breaks_off_is_damaged(method: int) -> None:
    packed = PACKERS[method](bytes(range(256)) * 200)
    with pytest.raises(Unreadable, match="damaged"):
        list(unpacked(iter([packed[: len(packed) // 2]]), method))


def test_methods_are_named() -> None:
    assert (method_name(9), method_name(98), method_name(77)) == ("Deflate64", "PPMd", "#77")
