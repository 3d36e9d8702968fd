"""Packed files (letter.txt.gz, manual.pdf.xz, log.bz2, notes.md.zst), which are read as the file inside."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePath
from typing import Any, Final, Protocol, TypeVar

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

CHUNK = 1 << 18
P = TypeVar("P", bound=PurePath)
MOST_MEMORY = 128 << 20  # bytes that unpacking xz or Zstandard may hold; the packed file asks for the amount


class Unpacker(Protocol):
    """Unpacks a stream in pieces, with the interface of bz2.BZ2Decompressor and lzma.LZMADecompressor."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Adapted:
    """An unpacker of a library with another `decompress`."""

    _unpacker: Any

    @property
    def eof(self) -> bool:
        return bool(self._unpacker.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._unpacker.unused_data)


class Inflater(_Adapted):
    """An unpacker of Deflate that keeps input that it has not used yet. window: as of zlib; -15 is without a header."""

    def __init__(self, window: int = 31) -> None:  # 31: expect a gzip header and checksum
        self._unpacker = zlib.decompressobj(window)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` unpacked bytes of the data so far. Raises zlib.error."""
        return bytes(self._unpacker.decompress(self._unpacker.unconsumed_tail + data, max_length))


class Zstandard(_Adapted):
    """An unpacker of Zstandard that raises ValueError for damaged data."""

    def __init__(self) -> None:
        from backports import zstd  # loaded only when needed, since few files use it

        window: dict[int, int] = {zstd.DecompressionParameter.window_log_max: MOST_MEMORY.bit_length() - 1}
        self._error = zstd.ZstdError
        self._unpacker = zstd.ZstdDecompressor(options=window)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` unpacked bytes of the data so far. Raises ValueError."""
        try:
            return bytes(self._unpacker.decompress(data, max_length))
        except self._error as error:
            raise ValueError from error


_SKIPPED = tuple(bytes((number, 0x2A, 0x4D, 0x18)) for number in range(0x50, 0x60))  # frames without content, RFC 8878
_UNPACKERS: Final[Mapping[str, tuple[tuple[bytes, ...], Callable[[], Unpacker]]]] = {
    ".gz": ((b"\x1f\x8b\x08",), Inflater),
    ".xz": ((b"\xfd7zXZ\0",), lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)),
    ".bz2": ((b"BZh",), bz2.BZ2Decompressor),
    ".zst": ((b"\x28\xb5\x2f\xfd", *_SKIPPED), Zstandard),
}
_LONGEST_MARK = 6  # bytes
DAMAGE = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


def inner_path(path: P) -> P | None:
    """Return the name of the file inside a packed file ("a.txt.gz": "a.txt"); None for other files."""
    if path.suffix.lower() not in _UNPACKERS:
        return None
    inner = path.with_suffix("")
    return inner if inner.suffix.lower() not in _UNPACKERS else None


def unpacker_of(head: bytes) -> Unpacker | None:
    """Return an unpacker for a stream that begins with `head`; None if it is not packed."""
    return next((unpacker() for marks, unpacker in _UNPACKERS.values() if head.startswith(marks)), None)


def unpacked_pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the content of packed streams in pieces of at most CHUNK bytes. Between streams may be NUL bytes.

    read: returns at most so many of the next packed bytes, none at the end. Raises one of DAMAGE for damaged data.
    """
    rest = _next_stream(b"", read)
    while unpacker := unpacker_of(rest):
        while not unpacker.eof:
            output = unpacker.decompress(rest, CHUNK)
            yield output
            rest = b"" if unpacker.eof or output else read(CHUNK)
            if not output and not rest and not unpacker.eof:
                raise EOFError
        rest = _next_stream(unpacker.unused_data, read)


def _next_stream(rest: bytes, read: Callable[[int], bytes]) -> bytes:
    """Return the next bytes without padding, enough to recognise a packed stream. rest: what was read before."""
    rest = rest.lstrip(b"\0")
    while len(rest) < _LONGEST_MARK and (more := read(CHUNK)):
        rest = (rest + more).lstrip(b"\0")
    return rest


def unpacked_head(head: bytes, path: Path, size: int) -> bytes:
    """Return the first `size` bytes of the unpacked file, or fewer if `head` does not yield as many."""
    if not head.startswith(_UNPACKERS[path.suffix.lower()][0]):
        return head[:size]
    unpacked = b""
    with suppress(*DAMAGE):  # the head is cut off
        for piece in unpacked_pieces(BytesIO(head).read):
            unpacked += piece
            if len(unpacked) >= size:
                break
    return unpacked[:size]


def unpack(data: bytes, path: Path) -> bytes:
    """Return the unpacked bytes of a packed file, or the bytes themselves if they or the name are not packed.

    Raises Unreadable for damaged data, and for data that unpacks to more than the limits allow.
    """
    if inner_path(path) is None:
        return data
    if not data.startswith(_UNPACKERS[path.suffix.lower()][0]):
        return data
    most = min(MAX_PART_BYTES, max(FREE_BYTES, len(data) * MAX_RATIO))
    unpacked = bytearray()
    try:
        for piece in unpacked_pieces(BytesIO(data).read):
            unpacked += piece
            if len(unpacked) > most:
                raise Unreadable(ProblemKind.TOO_LARGE, Clause.UNPACKS_TO, bytes=len(data), unpacked=most)
    except DAMAGE as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.PACKED_DAMAGED) from error
    return bytes(unpacked)
