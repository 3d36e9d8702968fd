"""Packed files: letter.txt.gz, manual.pdf.xz, log.bz2, notes.md.zst. They are read as what they unpack to."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Protocol, TypeVar

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

CHUNK = 1 << 18
P = TypeVar("P", bound=PurePath)
MOST_MEMORY = 128 << 20  # bytes that unpacking xz or Zstandard may hold, which what was packed decides
ZSTANDARD = b"\x28\xb5\x2f\xfd"  # how a stream of it begins


class Unpacker(Protocol):
    """What unpacks a stream piece by piece, as those of bzip2 and xz in the standard library do."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Inflater:
    """An unpacker of gzip that keeps what it has not yet looked at, as those of bzip2 and xz do."""

    def __init__(self) -> None:
        self._unpacker = zlib.decompressobj(31)  # a gzip head and checksum

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._unpacker.decompress(self._unpacker.unconsumed_tail + data, max_length)


class _Zstandard:
    """An unpacker of Zstandard whose trouble is a ValueError, as that of the others is of a known kind."""

    def __init__(self) -> None:
        from backports import zstd  # few files are packed so

        window: dict[int, int] = {zstd.DecompressionParameter.window_log_max: MOST_MEMORY.bit_length() - 1}
        self._error = zstd.ZstdError
        self._unpacker = zstd.ZstdDecompressor(options=window)

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        try:
            return self._unpacker.decompress(data, max_length)
        except self._error as error:
            raise ValueError from error


_UNPACKERS: Mapping[str, tuple[bytes, Callable[[], Unpacker]]] = MappingProxyType(
    {
        ".gz": (b"\x1f\x8b\x08", _Inflater),
        ".xz": (b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)),
        ".bz2": (b"BZh", bz2.BZ2Decompressor),
        ".zst": (ZSTANDARD, _Zstandard),
    }
)
DAMAGE = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


def inner_path(path: P) -> P | None:
    """What a packed file is called once it is unpacked ("a.txt.gz": "a.txt"); None for a name of another kind."""
    if path.suffix.lower() not in _UNPACKERS:
        return None
    inner = path.with_suffix("")
    return inner if inner.suffix.lower() not in _UNPACKERS else None


def unpacker_of(head: bytes) -> Unpacker | None:
    """What unpacks a stream that begins so; None for one that is not packed."""
    return next((unpacker() for mark, unpacker in _UNPACKERS.values() if head.startswith(mark)), None)


def unpacked_head(head: bytes, path: Path, size: int) -> bytes:
    """The first `size` bytes of what a packed file unpacks to, or as many as its own first bytes give."""
    mark, unpacker = _UNPACKERS[path.suffix.lower()]
    if not head.startswith(mark):
        return head[:size]
    try:
        return unpacker().decompress(head, size)
    except DAMAGE:
        return b""


def unpack(data: bytes, path: Path) -> bytes:
    """The bytes of the document inside a packed file. Of what is not packed, whatever its name says, the bytes.

    Raises Unreadable for what is damaged, or unpacks out of proportion.
    """
    mark, unpacker = _UNPACKERS[path.suffix.lower()]
    if not data.startswith(mark):
        return data
    most = min(MAX_PART_BYTES, max(FREE_BYTES, len(data) * MAX_RATIO))
    whole = bytearray()
    rest = data
    try:
        while rest.startswith(mark):  # one packed piece behind the other is one document
            rest = _unpack_piece(unpacker(), rest, whole, most)
    except DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.PACKED_DAMAGED)) from error
    return bytes(whole)


def _unpack_piece(unpacker: Unpacker, data: bytes, whole: bytearray, most: int) -> bytes:
    """Add what one packed piece holds to `whole`; the bytes behind it."""
    place = 0
    while not unpacker.eof:
        piece = data[place : place + CHUNK]
        place += len(piece)
        given = unpacker.decompress(piece, CHUNK)
        whole += given
        if len(whole) > most:
            why = details(Clause.UNPACKS_TO, bytes=len(data), unpacked=most)
            raise Unreadable(ProblemKind.TOO_LARGE, why)
        if not piece and not given and not unpacker.eof:
            raise EOFError
    return unpacker.unused_data + data[place:]
