"""ZIP archives: what lies in them, and one member's bytes, within bounds and without unpacking anything to disk.

The directory at the end of an archive is believed only as far as it can be checked: it may name millions of members,
members that share their bytes, or sizes out of all proportion. An archive inside an archive is not looked into: one
level is what people pack, and each further one multiplies what a few bytes can unfold to.
"""

from __future__ import annotations

import bz2
import lzma
import os
import stat
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import IO, Final

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    ArchiveMember,
    Contents,
    as_path,
    decoded,
    extra_fields,
    refused_by_name,
    within,
    without_doubles,
)
from dupfinder.text.archives.packed import ZSTANDARD, unpacker_of
from dupfinder.text.bounds import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

MAX_DIRECTORY_BYTES: Final = 32 << 20  # of 100,000 members with names of 270 bytes each

HEADS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_LOCAL, _ENTRY, _END, _END_64, _LOCATOR_64 = (b"PK" + two for two in (b"\3\4", b"\1\2", b"\5\6", b"\6\6", b"\6\7"))
_TAIL: Final = 22 + 0xFFFF  # bytes in which the end of the directory is looked for: it ends in a comment
_LOCAL_BYTES, _ENTRY_BYTES = 30, 46
_SEE_16, _SEE_32 = 0xFFFF, 0xFFFFFFFF  # "the fields of ZIP64 tell"
_ZIP_64, _UNIX_TIME = 0x0001, 0x5455
_UNIX: Final = frozenset({3, 19})  # systems that tell the mode of a file
_LOCKED, _LOCKED_DIRECTORY, _AES = 0x1, 0x2000, 99
_PROGRAMS: Final = frozenset({b"META-INF/MANIFEST.MF", b"AndroidManifest.xml", b"[Content_Types].xml"})

CHUNK: Final = 1 << 20  # bytes at a time, packed and unpacked
_MOST_DICTIONARY: Final = 256 << 20  # bytes that LZMA may be made to hold
_NAMES: Final = {
    1: "Shrink", 6: "Implode", 9: "Deflate64", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack",
    98: "PPMd",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Directory:
    """Where the directory is in the file, and by how much all offsets are off (bytes were put before the archive)."""

    start: int
    length: int
    shift: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the directory, its numbers as ZIP64 tells them."""

    raw: bytes
    extra: bytes
    system: int
    flags: int
    method: int
    date: int
    time: int
    crc: int
    packed: int
    size: int
    mode: int
    offset: int

    @property
    def is_folder(self) -> bool:
        return self.raw.endswith((b"/", b"\\")) and not self.size


def contents_of(stream: IO[bytes]) -> Contents | None:
    """The members of an archive in the order of its directory; None for a document or a program's package.

    Raises Unreadable when it has no directory that can be read, OSError.
    """
    size = stream.seek(0, os.SEEK_END)
    directory = _directory(stream, size)
    stream.seek(directory.start)
    listed, trouble = _entries(stream.read(directory.length))
    if not _PROGRAMS.isdisjoint(entry.raw for entry in listed):
        return None
    entries = [entry for entry in listed if not entry.is_folder]
    texts = decoded([(entry.raw, entry.flags, entry.extra) for entry in entries])
    names = without_doubles([as_path(text, entry.system) for text, entry in zip(texts, entries, strict=True)])
    told = [
        ArchiveMember(name, entry.offset + directory.shift, entry.method, entry.packed, entry.size, entry.crc,
                      _modified(entry), *(_refusal(name, entry) or ()))
        for name, entry in zip(names, entries, strict=True)
    ]  # fmt: skip
    return Contents(tuple(within(_apart(told, directory.start), size)), trouble)


def _directory(stream: IO[bytes], size: int) -> _Directory:
    """Where the directory is, by the record at the end of the file. Unreadable when there is none."""
    start = max(0, size - _TAIL)
    stream.seek(start)
    tail = stream.read(_TAIL)
    at = tail.rfind(_END)
    while at >= 0 and at + 22 > len(tail):
        at = tail.rfind(_END, 0, at)
    if at < 0:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.NO_DIRECTORY))
    disk, first_disk, length, offset = struct.unpack_from("<HH4xLL", tail, at + 4)
    end = start + at
    if (wide := _wide_end(stream, end)) is not None:
        end, length, offset = wide
    elif (disk, first_disk) != (0, 0):
        raise Unreadable(ProblemKind.UNSUPPORTED, details(Clause.SPLIT_ARCHIVE))
    shift = end - length - offset
    if shift < 0:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.DIRECTORY_MISPLACED))
    if length > MAX_DIRECTORY_BYTES:
        raise Unreadable(ProblemKind.TOO_LARGE, details(Clause.DIRECTORY_TOO_LARGE, megabytes=length >> 20))
    return _Directory(offset + shift, length, shift)


def _wide_end(stream: IO[bytes], end: int) -> tuple[int, int, int] | None:
    """(where the directory ends, its length, its offset) by ZIP64; None for a file without its record."""
    if end < 76:
        return None
    stream.seek(end - 20)
    signature, offset = struct.unpack("<4s4xQ4x", stream.read(20))
    if signature != _LOCATOR_64:
        return None
    for place in (end - 76, offset):  # right before the locator, unless it carries more than it must
        if 0 <= place <= end - 76:
            stream.seek(place)
            record = stream.read(56)
            if record.startswith(_END_64):
                length, start = struct.unpack_from("<QQ", record, 40)
                return place, length, start
    raise Unreadable(ProblemKind.DAMAGED, details(Clause.DIRECTORY_MISPLACED))


def _entries(data: bytes) -> tuple[list[_Entry], Details]:
    """The entries of a directory, and what ended it early."""
    found: list[_Entry] = []
    at = 0
    while at < len(data):
        if len(found) >= members.MAX_MEMBERS:
            return found, details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS)
        lengths = struct.unpack_from("<HHH", data, at + 28) if at + _ENTRY_BYTES <= len(data) else (0, 0, 0)
        stop = at + _ENTRY_BYTES + sum(lengths)
        if not data.startswith(_ENTRY, at) or stop > len(data):
            return found, details(Clause.DAMAGED_AFTER, members=len(found))
        found.append(_entry(data, at, lengths))
        at = stop
    return found, ()


def _entry(data: bytes, at: int, lengths: tuple[int, int, int]) -> _Entry:
    system, flags, method, time, date, crc, packed, size = struct.unpack_from("<BxxHHHHLLL", data, at + 5)
    mode, offset = struct.unpack_from("<LL", data, at + 38)
    name = at + _ENTRY_BYTES
    raw, extra = data[name : name + lengths[0]], data[name + lengths[0] : name + lengths[0] + lengths[1]]
    if _SEE_32 in (packed, size, offset):
        wide = next((field for kind, field in extra_fields(extra) if kind == _ZIP_64), b"")
        values = iter(struct.unpack(f"<{len(wide) // 8}Q", wide[: len(wide) // 8 * 8]))
        size, packed, offset = (next(values, value) if value == _SEE_32 else value for value in (size, packed, offset))
    return _Entry(raw, extra, system, flags, method, date, time, crc, packed, size, mode >> 16, offset)


def _modified(entry: _Entry) -> int | None:
    """When a member was changed. The format's own time has no zone: it is taken for a local one, as all programs do."""
    for kind, field in extra_fields(entry.extra):
        if kind == _UNIX_TIME and len(field) >= 5 and field[0] & 1:
            return int(struct.unpack_from("<l", field, 1)[0]) * 1_000_000_000
    date, time = entry.date, entry.time
    try:
        moment = datetime(1980 + (date >> 9), date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63, (time & 31) * 2)
        return int(moment.timestamp()) * 1_000_000_000
    except (ValueError, OverflowError, OSError):
        return None


def _refusal(name: str, entry: _Entry) -> tuple[ProblemKind, Details] | None:
    """Why a member is not to be read, by what its own entry says."""
    kind = stat.S_IFMT(entry.mode) if entry.system in _UNIX else 0
    if kind == stat.S_IFLNK:
        return ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK)
    if kind not in (0, stat.S_IFREG):
        return ProblemKind.SKIPPED, details(Clause.SPECIAL_FILE)
    if (refusal := refused_by_name(name)) is not None:
        return refusal
    if entry.flags & (_LOCKED | _LOCKED_DIRECTORY) or entry.method == _AES:
        return ProblemKind.ENCRYPTED, ()
    if entry.method not in METHODS:
        return ProblemKind.UNSUPPORTED, details(Clause.UNKNOWN_PACKING, method=method_name(entry.method))
    if entry.size > min(MAX_PART_BYTES, max(FREE_BYTES, entry.packed * MAX_RATIO)):
        return ProblemKind.TOO_LARGE, details(Clause.UNPACKS_TO, bytes=entry.packed, unpacked=entry.size)
    return None


def _apart(members: Sequence[ArchiveMember], directory: int) -> Iterator[ArchiveMember]:
    """The members; of those that lie over one another as many are read as lie apart. Archives that unfold without end
    are made of members that share their bytes (Fifield, A better zip bomb, WOOT 2019)."""
    apart: set[int] = set()
    stops = [member.offset + _LOCAL_BYTES + member.packed for member in members]
    reach = 0
    for place in sorted(range(len(members)), key=lambda place: (stops[place], place)):
        if members[place].refused is None and reach <= members[place].offset and stops[place] <= directory:
            apart.add(place)
            reach = stops[place]
    for place, member in enumerate(members):
        if member.refused is not None or place in apart:
            yield member
        elif stops[place] > directory:
            yield replace(member, refused=ProblemKind.DAMAGED, details=details(Clause.BEYOND_ARCHIVE))
        else:
            yield replace(member, refused=ProblemKind.DAMAGED, details=details(Clause.SHARED_BYTES))


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """The unpacked bytes of a member, piece by piece. Raises Unreadable, at its end too: then nothing of it counts."""
    if member.refused is not None:
        raise Unreadable(member.refused, member.details)
    total = crc = 0
    for piece in unpacked(_packed(stream, member), member.method):
        total += len(piece)
        crc = zlib.crc32(piece, crc)
        if total > member.size:
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.MORE_THAN_SAID))
        yield piece
    if total != member.size or crc != member.crc:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.WRONG_CHECKSUM))


def _packed(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    stream.seek(member.offset)
    header = stream.read(_LOCAL_BYTES)
    if len(header) < _LOCAL_BYTES or not header.startswith(_LOCAL):
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.MEMBER_MISPLACED))
    stream.seek(sum(struct.unpack_from("<HH", header, 26)), os.SEEK_CUR)
    left = member.packed
    while left:
        piece = stream.read(min(CHUNK, left))
        if not piece:
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.CUT_OFF))
        left -= len(piece)
        yield piece


def method_name(method: int) -> str:
    """What a method of packing is called."""
    return _NAMES.get(method, f"#{method}")


def unpacked(packed: Iterator[bytes], method: int) -> Iterator[bytes]:
    """The unpacked bytes, in pieces of CHUNK at most. `method` is one of METHODS. Raises Unreadable when damaged."""
    try:
        yield from METHODS[method](packed)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, struct.error) as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.PACKED_DAMAGED)) from error


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
        raise Unreadable(ProblemKind.TOO_LARGE, details(Clause.UNPACKING_NEEDS, megabytes=dictionary >> 20))
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
