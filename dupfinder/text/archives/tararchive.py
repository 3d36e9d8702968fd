"""Tar archives, plain or packed: list the members and read one member's bytes, within the limits of archives.

A packed archive is unpacked into memory up to a limit, and the latest one is held there: its members are read one after
the other, and each would otherwise require unpacking all before it. Members beyond the limit are not listed, and this
is reported.
Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU tar's manual, "Tar Internals".
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    MOST_SECONDS,
    UTF8_FLAG,
    ArchiveContents,
    ArchiveMember,
    as_path,
    decoded,
    file_key,
    is_tar_name,
    pieces_up_to,
    refused_by_name,
    within,
    without_doubles,
)
from dupfinder.text.archives.packed import DAMAGE, inner_path, unpacked_head, unpacked_pieces, unpacker_of
from dupfinder.text.document import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

PLAIN: Final = 1 << 16  # the packing method of a plain archive: a number beyond those of ZIP
PACKED: Final = PLAIN + 1  # of a packed one
MOST_UNPACKED: Final = 256 << 20  # bytes of a packed archive that are unpacked

_BLOCK: Final = 512
_MOST_HEADER: Final = 1 << 20  # bytes of one extended header or long name
_MOST_DIGITS: Final = 20  # of a decimal number
_CHECKSUM: Final = slice(148, 156)
_LONG_NAME, _LONG_LINK, _EXTENDED, _EXTENDED_OLD, _GLOBAL = b"L", b"K", b"x", b"X", b"g"
# Headers that declare properties of the members behind them.
_EXTENDING: Final = frozenset({_LONG_NAME, _LONG_LINK, _EXTENDED, _EXTENDED_OLD, _GLOBAL})
_REGULAR: Final = frozenset({b"0", b"\0", b"7"})
_HARD_LINK, _SYMBOLIC_LINK, _FOLDER, _DUMPED_FOLDER, _SPARSE = b"1", b"2", b"5", b"D", b"S"
_DEVICES: Final = frozenset({b"3", b"4", b"6"})
_WITHOUT_DATA: Final = frozenset({_HARD_LINK, _SYMBOLIC_LINK, _FOLDER, *_DEVICES})
_UNIX: Final = 3  # ZIP's number of a system on which a backslash does not separate folders


@dataclass(frozen=True, slots=True)
class _Header:
    """One header: raw name and UTF8_FLAG if it is known to be UTF-8, kind, size of the data and time in ns."""

    name: bytes
    flags: int
    kind: bytes
    size: int
    modified: int | None
    is_sparse: bool


@dataclass
class _Pending:
    """What extended headers declare about the next member."""

    name: bytes | None = None
    properties: dict[bytes, bytes] = field(default_factory=dict)


@dataclass
class _UnpackedArchive:
    """The archive that was unpacked last. key: see `file_key`. cut: why not all of it could be unpacked."""

    key: tuple[int, ...] = ()
    tape: BytesIO = field(default_factory=BytesIO)
    cut: Details = ()


_newest = _UnpackedArchive()


def is_tar(path: Path, head: bytes) -> bool:
    """Tell whether a file is a tar archive, by its first bytes and its name."""
    if is_tar_name(path):
        return begins_as_tar(head)
    inner = inner_path(path)
    if inner is None:
        return path.suffix == "" and _is_header(head)
    return inner.suffix == "" and _is_header(unpacked_head(head, path, _BLOCK))


def begins_as_tar(head: bytes) -> bool:
    """Tell whether bytes begin a tar archive, or a packed file that may contain one."""
    return unpacker_of(head) is not None or _is_header(head)


def contents_of(stream: IO[bytes]) -> ArchiveContents | None:
    """Return the members in order; None if it is not a tar archive. Raises Unreadable if all is damaged, OSError."""
    tape, method, cut = opened(stream)
    size = tape.seek(0, os.SEEK_END)
    headers, trouble = _headers(tape, size)
    if not headers and trouble:
        return None
    if cut and (not trouble or cut[0].code is Clause.FIRST_MEGABYTES):
        trouble = cut
    names = decoded([(header.name, header.flags, b"") for header, _ in headers])
    paths = without_doubles([as_path(name, _UNIX) for name in names])
    listed = (
        ArchiveMember(path, offset, method, header.size, header.size, 0, header.modified,
                      *(_refusal(path, header, offset, size) or ()))
        for path, (header, offset) in zip(paths, headers, strict=True)
    )  # fmt: skip
    return ArchiveContents(tuple(within(listed, size)), trouble)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the bytes of a member in pieces. Raises Unreadable if the archive no longer holds them."""
    tape = opened(stream)[0] if member.method == PACKED else stream
    tape.seek(member.offset)
    yield from pieces_up_to(tape, member.size)


def forget() -> None:
    """Release the memory of the archive that was unpacked last."""
    global _newest
    _newest = _UnpackedArchive()


def opened(stream: IO[bytes]) -> tuple[IO[bytes], int, Details]:
    """Return (unpacked stream, PLAIN or PACKED, why not all of it could be unpacked)."""
    stream.seek(0)
    head = stream.read(_BLOCK)
    if unpacker_of(head) is None:
        return stream, PLAIN, ()
    global _newest
    key = file_key(stream)
    if not key or key != _newest.key:
        forget()
        _newest = _unpacked(stream, key)
    return _newest.tape, PACKED, _newest.cut


def _unpacked(stream: IO[bytes], key: tuple[int, ...]) -> _UnpackedArchive:
    """Unpack a packed stream up to the limit. Content after damage is left out.

    Raises Unreadable if nothing can be unpacked.
    """
    most = most_unpacked(stream)
    stream.seek(0)
    archive = _UnpackedArchive(key)
    try:
        for piece in unpacked_pieces(stream.read):
            archive.tape.write(piece)
            if archive.tape.tell() >= most:
                archive.cut = details(Clause.FIRST_MEGABYTES, megabytes=MOST_UNPACKED >> 20)
                break
    except DAMAGE as error:
        if not archive.tape.tell():
            raise Unreadable(ProblemKind.DAMAGED, Clause.PACKED_DAMAGED) from error
        archive.cut = details(Clause.PACKED_DAMAGED)
    return archive


def most_unpacked(stream: IO[bytes]) -> int:
    """Return how many bytes of a packed archive may be unpacked into memory."""
    return min(MOST_UNPACKED, max(FREE_BYTES, stream.seek(0, os.SEEK_END) * MAX_RATIO))


def _headers(tape: IO[bytes], size: int) -> tuple[list[tuple[_Header, int]], Details]:
    """Return the headers of members with the offset of their data, without folders; and what ended the list early."""
    headers: list[tuple[_Header, int]] = []
    pending = _Pending()
    position = 0
    while position < size:
        tape.seek(position)
        block = tape.read(_BLOCK)
        if block == bytes(len(block)) and headers:
            break
        if not _is_header(block):
            return headers, details(Clause.DAMAGED_AFTER, members=len(headers))
        header = _header(block, pending)
        data = position + _BLOCK + (_sparse_blocks(tape, block) if header.kind == _SPARSE else 0)
        position = data if header.kind in _WITHOUT_DATA else data + -(-header.size // _BLOCK) * _BLOCK
        if header.kind in _EXTENDING:
            _read_extended(tape, header, data, pending)
            continue
        pending = _Pending()
        if header.kind in (_FOLDER, _DUMPED_FOLDER) or (header.name.endswith(b"/") and header.kind in _REGULAR):
            continue
        if len(headers) >= members.MAX_MEMBERS:
            return headers, details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS)
        headers.append((header, data))
    return headers, ()


def _is_header(block: bytes) -> bool:
    """Tell whether 512 bytes have the checksum of a header: their sum, with the checksum counted as spaces."""
    if len(block) < _BLOCK or not any(block[:100]):
        return False
    declared = _number(block[_CHECKSUM])
    return declared is not None and declared == sum(block[:_BLOCK]) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(raw: bytes) -> int | None:
    """Return a number in octal digits, or in base 256 after a first byte of 0x80; None for anything else."""
    if raw[:1] == b"\x80":
        return int.from_bytes(raw[1:], "big")
    digits = raw.split(b"\0", 1)[0].strip()
    return int(digits or b"0", 8) if not digits.strip(b"01234567") else None


def _header(block: bytes, pending: _Pending) -> _Header:
    """Return the header of a member. Extended headers before it, in `pending`, take precedence."""
    name = block[:100].split(b"\0", 1)[0]
    if block[257:263] == b"ustar\0" and (folder := block[345:500].split(b"\0", 1)[0]):
        name = folder + b"/" + name
    kind = block[156:157]
    if kind in _EXTENDING:
        return _Header(name, 0, kind, _number(block[124:136]) or 0, None, is_sparse=False)
    properties = pending.properties
    flags = UTF8_FLAG if b"path" in properties else 0
    seconds = _decimal(properties.get(b"mtime", b"").split(b".")[0])
    seconds = _number(block[136:148]) if seconds is None else seconds
    size = _decimal(properties.get(b"size", b""))
    size = _number(block[124:136]) or 0 if size is None else size
    is_sparse = kind == _SPARSE or any(key.startswith(b"GNU.sparse.") for key in properties)
    modified = None if seconds is None or seconds >= MOST_SECONDS else seconds * 1_000_000_000
    return _Header(properties.get(b"path", pending.name or name), flags, kind, size, modified, is_sparse)


def _decimal(raw: bytes) -> int | None:
    """Return a decimal number, None for anything else."""
    return int(raw) if raw.isdigit() and len(raw) < _MOST_DIGITS else None


def _sparse_blocks(tape: IO[bytes], block: bytes) -> int:
    """Return the bytes of the blocks between the header of a sparse file and its data.

    A flag in each block says whether another one follows.
    """
    count, more = 0, block[482:483]
    while more not in (b"", b"\0"):
        block = tape.read(_BLOCK)
        count, more = count + len(block), block[504:505]
    return count


def _read_extended(tape: IO[bytes], header: _Header, data: int, pending: _Pending) -> None:
    """Store what an extended header declares about the next member in `pending`."""
    if header.kind in (_LONG_LINK, _GLOBAL) or header.size > _MOST_HEADER:
        return
    tape.seek(data)
    content = tape.read(header.size)
    if header.kind == _LONG_NAME:
        pending.name = content.split(b"\0", 1)[0]
        return
    at = 0
    while at < len(content):  # without copying the rest: a header may hold 200,000 properties
        space = content.find(b" ", at, at + _MOST_DIGITS)
        length = _decimal(content[at:space]) if space >= 0 else None
        if length is None or not space + 1 - at < length <= len(content) - at:
            return
        key, _, value = content[space + 1 : at + length - 1].partition(b"=")
        pending.properties[key] = value
        at += length


def _refusal(name: str, header: _Header, offset: int, size: int) -> tuple[ProblemKind, Details] | None:
    """Return why a member must not be read, by its header; None if it may be."""
    if header.kind == _SYMBOLIC_LINK:
        return ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK)
    if header.kind == _HARD_LINK:
        return ProblemKind.SKIPPED, details(Clause.SECOND_NAME)
    if header.kind in _DEVICES:
        return ProblemKind.SKIPPED, details(Clause.SPECIAL_FILE)
    if (refusal := refused_by_name(name)) is not None:
        return refusal
    if header.is_sparse:
        return ProblemKind.UNSUPPORTED, details(Clause.SPARSE_FILE)
    if header.kind not in _REGULAR:
        return ProblemKind.UNSUPPORTED, details(Clause.UNKNOWN_MEMBER)
    if header.size > MAX_PART_BYTES:
        return ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=header.size, limit=MAX_PART_BYTES)
    if offset + header.size > size:
        return ProblemKind.DAMAGED, details(Clause.BEYOND_ARCHIVE)
    return None
