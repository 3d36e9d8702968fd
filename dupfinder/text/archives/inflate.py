"""Packed bytes of ZIP members back to what they were, piece by piece, by the methods that ZIP programs use."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Final

from dupfinder.base.problems import ProblemKind
from dupfinder.text.archives.packed import ZSTANDARD, unpacker_of
from dupfinder.text.bounds import Unreadable

CHUNK: Final = 1 << 20  # bytes at a time, packed and unpacked
_MOST_DICTIONARY: Final = 256 << 20  # bytes that LZMA may be made to hold
_NAMES: Final = {
    1: "Shrink", 6: "Implode", 9: "Deflate64", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack",
    98: "PPMd",
}  # fmt: skip


def method_name(method: int) -> str:
    """What a method of packing is called."""
    return _NAMES.get(method, f"method {method}")


def unpacked(packed: Iterator[bytes], method: int) -> Iterator[bytes]:
    """The unpacked bytes, in pieces of CHUNK at most. `method` is one of METHODS. Raises Unreadable when damaged."""
    try:
        yield from METHODS[method](packed)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, struct.error) as error:
        raise Unreadable(ProblemKind.DAMAGED, "its packed bytes are damaged") from error


def _stored(packed: Iterator[bytes]) -> Iterator[bytes]:
    yield from packed


def _deflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-15)
    for piece in packed:
        left = piece
        while left and not unpacker.eof:
            yield unpacker.decompress(left, CHUNK)
            left = unpacker.unconsumed_tail
    while not unpacker.eof and (rest := unpacker.decompress(unpacker.unconsumed_tail, CHUNK)):
        yield rest
    if not unpacker.eof:
        raise EOFError


def _bzipped(packed: Iterator[bytes]) -> Iterator[bytes]:
    yield from _drawn(bz2.BZ2Decompressor(), packed)


def _lzma(packed: Iterator[bytes]) -> Iterator[bytes]:
    """APPNOTE 5.8.8: two bytes of version, two of length, then the properties of LZMA1."""
    head = next(packed, b"")
    length = struct.unpack_from("<H", head, 2)[0]
    settings, dictionary = struct.unpack_from("<BL", head, 4)
    if length != 5 or dictionary > _MOST_DICTIONARY:
        raise Unreadable(ProblemKind.TOO_LARGE, f"unpacking it needs {dictionary >> 20} MB of memory")
    rest, literal = divmod(settings, 9)
    power, position = divmod(rest, 5)
    chosen = {"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": literal, "lp": position, "pb": power}
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[chosen])
    yield from _drawn(unpacker, _after(head[9:], packed), ends=False)


def _after(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _drawn(
    unpacker: bz2.BZ2Decompressor | lzma.LZMADecompressor, packed: Iterator[bytes], *, ends: bool = True
) -> Iterator[bytes]:
    """`ends`: whether the stream must say where it ends; LZMA in ZIP need not."""
    for piece in packed:
        left = piece
        while not unpacker.eof and (left or not unpacker.needs_input):
            found = unpacker.decompress(left, CHUNK)
            left = b""
            yield found
    if ends and not unpacker.eof:
        raise EOFError


def _zstandard(packed: Iterator[bytes]) -> Iterator[bytes]:
    unpacker = unpacker_of(ZSTANDARD)
    assert unpacker is not None
    for piece in packed:
        left = piece
        while not unpacker.eof and (unpacked := unpacker.decompress(left, CHUNK)):
            left = b""
            yield unpacked
    if not unpacker.eof:
        raise EOFError


METHODS: Final[dict[int, Callable[[Iterator[bytes]], Iterator[bytes]]]] = {
    0: _stored, 8: _deflated, 12: _bzipped, 14: _lzma, 93: _zstandard,
}  # fmt: skip
