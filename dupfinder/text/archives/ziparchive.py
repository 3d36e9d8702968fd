"""ZIP archives: list the members and read one member's bytes, within limits and without unpacking anything to disk.

The directory at the end of an archive is not trusted: it may list millions of members, members that share their bytes,
or sizes out of all proportion. Archives inside archives are not opened.
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
from itertools import chain
from typing import IO, Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    ArchiveContents,
    ArchiveMember,
    as_path,
    decoded,
    extra_fields,
    pieces_up_to,
    refused_by_name,
    within,
    without_doubles,
)
from dupfinder.text.archives.packed import Inflater, Unpacker, Zstandard
from dupfinder.text.document import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

MAX_DIRECTORY_BYTES: Final = 32 << 20  # enough for 100,000 members with names of 270 bytes

HEADS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_LOCAL, _ENTRY, _END, _END_64, _LOCATOR_64 = (b"PK" + two for two in (b"\3\4", b"\1\2", b"\5\6", b"\6\6", b"\6\7"))
_TAIL: Final = 22 + 0xFFFF  # bytes in which the end record is searched: it ends in a comment of up to 65,535 bytes
_LOCAL_BYTES, _ENTRY_BYTES, _END_64_BYTES, _LOCATOR_BYTES = 30, 46, 56, 20
_SEE_64 = 0xFFFFFFFF  # "see the ZIP64 field"
_ZIP_64, _UNIX_TIME = 0x0001, 0x5455
_UNIX: Final = frozenset({3, 19})  # systems that store the mode of a file
_LOCKED, _LOCKED_DIRECTORY, _AES = 0x1, 0x2000, 99
_PROGRAMS: Final = frozenset({b"META-INF/MANIFEST.MF", b"AndroidManifest.xml", b"[Content_Types].xml"})

CHUNK: Final = 1 << 20  # bytes in one piece, packed or unpacked
_MOST_DICTIONARY: Final = 256 << 20  # bytes of LZMA's dictionary
_NAMES: Final = {
    1: "Shrink", 6: "Implode", 9: "Deflate64", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack",
    98: "PPMd",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the directory, with the numbers of its ZIP64 field where given."""

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


def contents_of(stream: IO[bytes]) -> ArchiveContents | None:
    """Return the members of an archive in the order of its directory; None for a document or a package of a program.

    Raises Unreadable if its directory cannot be read, OSError.
    """
    size = stream.seek(0, os.SEEK_END)
    start, length, shift = _directory(stream, size)
    stream.seek(start)
    listed, trouble = _entries(stream.read(length))
    if not _PROGRAMS.isdisjoint(entry.raw for entry in listed):
        return None
    entries = [entry for entry in listed if not entry.is_folder]
    texts = decoded([(entry.raw, entry.flags, entry.extra) for entry in entries])
    names = without_doubles([as_path(text, entry.system) for text, entry in zip(texts, entries, strict=True)])
    listed_members = [
        ArchiveMember(name, entry.offset + shift, entry.method, entry.packed, entry.size, entry.crc,
                      _modified(entry), *(_refusal(name, entry) or ()))
        for name, entry in zip(names, entries, strict=True)
    ]  # fmt: skip
    return ArchiveContents(tuple(within(_apart(listed_members, start), size)), trouble)


def _directory(stream: IO[bytes], size: int) -> tuple[int, int, int]:
    """Return (start of the directory, its length, shift of all offsets in it), from the record at the end of the file.

    The shift is the number of bytes before the archive, e.g. of a self-extracting program. Raises Unreadable.
    """
    start = max(0, size - _TAIL)
    stream.seek(start)
    tail = stream.read(_TAIL)
    position = tail.rfind(_END)
    while position >= 0 and position + 22 > len(tail):
        position = tail.rfind(_END, 0, position)
    if position < 0:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_DIRECTORY)
    disk, first_disk, length, offset = struct.unpack_from("<HH4xLL", tail, position + 4)
    end = start + position
    if (wide := _wide_end(stream, end)) is not None:
        end, length, offset = wide
    elif (disk, first_disk) != (0, 0):
        raise Unreadable(ProblemKind.UNSUPPORTED, Clause.SPLIT_ARCHIVE)
    shift = end - length - offset
    if shift < 0:
        raise Unreadable(ProblemKind.DAMAGED, Clause.DIRECTORY_MISPLACED)
    if length > MAX_DIRECTORY_BYTES:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.DIRECTORY_TOO_LARGE, megabytes=length >> 20)
    return offset + shift, length, shift


def _wide_end(stream: IO[bytes], end: int) -> tuple[int, int, int] | None:
    """Return (end of the directory, its length, its offset) from the ZIP64 record; None without such a record."""
    nearest = end - _LOCATOR_BYTES - _END_64_BYTES  # where the record is, unless it has optional fields
    if nearest < 0:
        return None
    stream.seek(end - _LOCATOR_BYTES)
    signature, offset = struct.unpack("<4s4xQ4x", stream.read(_LOCATOR_BYTES))
    if signature != _LOCATOR_64:
        return None
    for position in (nearest, offset):
        if 0 <= position <= nearest:
            stream.seek(position)
            record = stream.read(_END_64_BYTES)
            if record.startswith(_END_64):
                length, start = struct.unpack_from("<QQ", record, 40)
                return position, length, start
    raise Unreadable(ProblemKind.DAMAGED, Clause.DIRECTORY_MISPLACED)


def _entries(data: bytes) -> tuple[list[_Entry], Details]:
    """Return the entries of a directory, and what ended the list early."""
    entries: list[_Entry] = []
    position = 0
    while position < len(data):
        if len(entries) >= members.MAX_MEMBERS:
            return entries, details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS)
        lengths = struct.unpack_from("<HHH", data, position + 28) if position + _ENTRY_BYTES <= len(data) else (0, 0, 0)
        stop = position + _ENTRY_BYTES + sum(lengths)
        if not data.startswith(_ENTRY, position) or stop > len(data):
            return entries, details(Clause.DAMAGED_AFTER, members=len(entries))
        entries.append(_entry(data, position, lengths))
        position = stop
    return entries, ()


def _entry(data: bytes, position: int, lengths: tuple[int, int, int]) -> _Entry:
    """Return the entry at a position of the directory. lengths: of its name, extra field and comment."""
    system, flags, method, time, date, crc, packed, size = struct.unpack_from("<BxxHHHHLLL", data, position + 5)
    mode, offset = struct.unpack_from("<LL", data, position + 38)
    name_start = position + _ENTRY_BYTES
    extra_start = name_start + lengths[0]
    raw, extra = data[name_start:extra_start], data[extra_start : extra_start + lengths[1]]
    if _SEE_64 in (packed, size, offset):
        wide = next((field for kind, field in extra_fields(extra) if kind == _ZIP_64), b"")
        values = iter(struct.unpack(f"<{len(wide) // 8}Q", wide[: len(wide) // 8 * 8]))
        size, packed, offset = (next(values, value) if value == _SEE_64 else value for value in (size, packed, offset))
    return _Entry(raw, extra, system, flags, method, date, time, crc, packed, size, mode >> 16, offset)


def _modified(entry: _Entry) -> int | None:
    """Return when a member was changed, in ns since the epoch; None if unknown.

    The format's own time has no time zone and is taken as local time, as all programs do.
    """
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
    """Return why a member must not be read, by its entry; None if it may be."""
    kind = stat.S_IFMT(entry.mode) if entry.system in _UNIX else 0
    if kind == stat.S_IFLNK:
        return ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK)
    if kind not in (0, stat.S_IFREG):
        return ProblemKind.SKIPPED, details(Clause.SPECIAL_FILE)
    if (refusal := refused_by_name(name)) is not None:
        return refusal
    if entry.flags & (_LOCKED | _LOCKED_DIRECTORY) or entry.method == _AES:
        return ProblemKind.ENCRYPTED, ()
    if entry.method not in UNPACKERS:
        return ProblemKind.UNSUPPORTED, details(Clause.UNKNOWN_PACKING, method=method_name(entry.method))
    if entry.size > min(MAX_PART_BYTES, max(FREE_BYTES, entry.packed * MAX_RATIO)):
        return ProblemKind.TOO_LARGE, details(Clause.UNPACKS_TO, bytes=entry.packed, unpacked=entry.size)
    return None


def _apart(members: Sequence[ArchiveMember], directory: int) -> Iterator[ArchiveMember]:
    """Yield the members, refusing those whose bytes overlap with others and those beyond `directory`.

    Of overlapping members, as many as possible are read. Zip bombs are made of members that share their bytes (Fifield,
    A better zip bomb, WOOT 2019).
    """
    accepted: set[int] = set()
    stops = [member.offset + _LOCAL_BYTES + member.packed for member in members]
    end = 0
    for index in sorted(range(len(members)), key=lambda index: (stops[index], index)):
        if members[index].refused is None and end <= members[index].offset and stops[index] <= directory:
            accepted.add(index)
            end = stops[index]
    for index, member in enumerate(members):
        if member.refused is not None or index in accepted:
            yield member
        elif stops[index] > directory:
            yield replace(member, refused=ProblemKind.DAMAGED, details=details(Clause.BEYOND_ARCHIVE))
        else:
            yield replace(member, refused=ProblemKind.DAMAGED, details=details(Clause.SHARED_BYTES))


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the unpacked bytes of a member in pieces.

    Raises Unreadable, also at the end: then the pieces before must be discarded.
    """
    total = crc = 0
    for piece in unpacked(_packed(stream, member), member.method):
        total += len(piece)
        crc = zlib.crc32(piece, crc)
        if total > member.size:
            raise Unreadable(ProblemKind.DAMAGED, Clause.MORE_THAN_SAID)
        yield piece
    if total != member.size or crc != member.crc:
        raise Unreadable(ProblemKind.DAMAGED, Clause.WRONG_CHECKSUM)


def _packed(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the packed bytes of a member in pieces. Raises Unreadable."""
    stream.seek(member.offset)
    header = stream.read(_LOCAL_BYTES)
    if len(header) < _LOCAL_BYTES or not header.startswith(_LOCAL):
        raise Unreadable(ProblemKind.DAMAGED, Clause.MEMBER_MISPLACED)
    stream.seek(sum(struct.unpack_from("<HH", header, 26)), os.SEEK_CUR)
    yield from pieces_up_to(stream, member.packed)


def method_name(method: int) -> str:
    return _NAMES.get(method, f"#{method}")


def unpacked(packed: Iterator[bytes], method: int) -> Iterator[bytes]:
    """Yield the unpacked bytes in pieces of at most CHUNK. method: one of UNPACKERS. Raises Unreadable if damaged."""
    try:
        yield from UNPACKERS[method](packed)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, struct.error) as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.PACKED_DAMAGED) from error


def _lzma(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes of an LZMA stream: version and length (2 bytes each), then properties (APPNOTE 5.8.8)."""
    head = next(packed, b"")
    length = struct.unpack_from("<H", head, 2)[0]
    settings, dictionary = struct.unpack_from("<BL", head, 4)
    if length != 5 or dictionary > _MOST_DICTIONARY:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.UNPACKING_NEEDS, megabytes=dictionary >> 20)
    rest, literal = divmod(settings, 9)
    power, position = divmod(rest, 5)
    lzma_filter = {"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": literal, "lp": position, "pb": power}
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[lzma_filter])
    yield from _decompressed(unpacker, chain((head[9:],), packed), ends=False)


def _decompressed(unpacker: Unpacker, packed: Iterator[bytes], *, ends: bool = True) -> Iterator[bytes]:
    """Yield the bytes of a stream. ends: it must have an end mark; LZMA in ZIP need not have one."""
    for piece in packed:
        remaining = piece
        while not unpacker.eof and (output := unpacker.decompress(remaining, CHUNK)):
            remaining = b""
            yield output
    if ends and not unpacker.eof:
        raise EOFError


UNPACKERS: Final[dict[int, Callable[[Iterator[bytes]], Iterator[bytes]]]] = {
    0: iter,
    8: lambda packed: _decompressed(Inflater(-15), packed),
    12: lambda packed: _decompressed(bz2.BZ2Decompressor(), packed),
    14: _lzma,
    93: lambda packed: _decompressed(Zstandard(), packed),
}
