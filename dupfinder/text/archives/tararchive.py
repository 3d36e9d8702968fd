"""Tar archives, plain or packed as a whole: what lies in them, and one member's bytes, within the bounds of archives.

A packed one is unpacked into memory up to a limit, and the newest is kept there: its members are read one by one, and
each would else unpack all that lies before it. What lies beyond the limit is not looked into, which is told.
Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU tar's manual, "Tar Internals".
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Final

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    UTF8_FLAG,
    ArchiveMember,
    Contents,
    as_path,
    decoded,
    is_tape_name,
    refused_by_name,
    within,
    without_doubles,
)
from dupfinder.text.archives.packed import DAMAGE, inner_path, unpacked_head, unpacker_of
from dupfinder.text.bounds import FREE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

PLAIN: Final = 1 << 16  # methods of members, behind those that ZIP numbers: the bytes lie in the file,
PACKED: Final = PLAIN + 1  # or in what all of it unpacks to
MOST_UNPACKED: Final = 256 << 20  # bytes that a packed archive may unpack to and be looked into

_BLOCK: Final = 512
_CHUNK: Final = 1 << 20
_MOST_HEADER: Final = 1 << 20  # bytes of one extended header or long name
_CHECKSUM: Final = slice(148, 156)
_LONG_NAME, _LONG_LINK, _EXTENDED, _EXTENDED_OLD, _GLOBAL = b"L", b"K", b"x", b"X", b"g"
_REGULAR: Final = frozenset({b"0", b"\0", b"7"})
_HARD_LINK, _SYMBOLIC_LINK, _FOLDER, _DUMPED_FOLDER, _SPARSE = b"1", b"2", b"5", b"D", b"S"
_DEVICES: Final = frozenset({b"3", b"4", b"6"})
_WITHOUT_DATA: Final = frozenset({_HARD_LINK, _SYMBOLIC_LINK, _FOLDER, *_DEVICES})
_UNIX: Final = 3  # as ZIP numbers systems: a backslash parts no folders


@dataclass(frozen=True, slots=True)
class _Header:
    """One header: the raw name and whether it is surely UTF-8, the kind, the size of the data and the time."""

    name: bytes
    flags: int
    kind: bytes
    size: int
    modified: int | None
    is_sparse: bool


@dataclass
class _Pending:
    """What extended headers say of the member behind them."""

    name: bytes | None = None
    facts: dict[bytes, bytes] = field(default_factory=dict)


@dataclass
class _Held:
    """The newest packed archive as it unpacks. whole: whether that is all of it."""

    key: tuple[int, ...] = ()
    tape: BytesIO = field(default_factory=BytesIO)
    whole: bool = True


_held = _Held()


def is_tape(path: Path, head: bytes) -> bool:
    """Whether a file that begins so is a tar archive, by its content and by its name."""
    if is_tape_name(path):
        return begins_as_tape(head)
    inner = inner_path(path)
    if inner is None:
        return path.suffix == "" and _is_header(head)
    return inner.suffix == "" and _is_header(unpacked_head(head, path, _BLOCK))


def begins_as_tape(head: bytes) -> bool:
    """Whether bytes begin a tar archive, or what one may be packed in."""
    return unpacker_of(head) is not None or _is_header(head)


def contents_of(stream: IO[bytes]) -> Contents | None:
    """The members in their order; None for what is no tar archive. Raises Unreadable where all is damaged, OSError."""
    tape, method, whole = _opened(stream)
    size = tape.seek(0, os.SEEK_END)
    headers, trouble = _headers(tape, size)
    if not headers and trouble:
        return None
    if not whole:
        trouble = details(Clause.FIRST_MEGABYTES, megabytes=MOST_UNPACKED >> 20)
    names = decoded([(header.name, header.flags, b"") for header, _ in headers])
    paths = without_doubles([as_path(name, _UNIX) for name in names])
    told = (
        ArchiveMember(path, offset, method, header.size, header.size, 0, header.modified,
                      *(_refusal(path, header, offset, size) or ()))
        for path, (header, offset) in zip(paths, headers, strict=True)
    )  # fmt: skip
    return Contents(tuple(within(told, size)), trouble)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """The bytes of a member, piece by piece. Raises Unreadable when the archive no longer holds them."""
    tape = _opened(stream)[0] if member.method == PACKED else stream
    tape.seek(member.offset)
    left = member.size
    while left:
        piece = tape.read(min(_CHUNK, left))
        if not piece:
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.CUT_OFF))
        left -= len(piece)
        yield piece


def forget() -> None:
    """Let go of the packed archive that is held."""
    global _held
    _held = _Held()


def _opened(stream: IO[bytes]) -> tuple[IO[bytes], int, bool]:
    """(the tape, how its members lie in the file, whether all of it is there)."""
    stream.seek(0)
    head = stream.read(_BLOCK)
    unpacker = unpacker_of(head)
    if unpacker is None:
        return stream, PLAIN, True
    global _held
    key = _key(stream)
    if not key or key != _held.key:
        forget()
        _held = _unpacked(stream, key)
    return _held.tape, PACKED, _held.whole


def _key(stream: IO[bytes]) -> tuple[int, ...]:
    """What tells a file from another and from its later states; () for bytes that are in no file."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _unpacked(stream: IO[bytes], key: tuple[int, ...]) -> _Held:
    """What a packed stream unpacks to, up to the limit. What follows damage is left out; none at all is Unreadable."""
    size = stream.seek(0, os.SEEK_END)
    most = min(MOST_UNPACKED, max(FREE_BYTES, size * MAX_RATIO))
    stream.seek(0)
    held = _Held(key)
    rest = b""
    try:
        while unpacker := unpacker_of(rest := rest or stream.read(_CHUNK)):
            while not unpacker.eof and held.tape.tell() < most:
                given = unpacker.decompress(rest, _CHUNK)
                held.tape.write(given)
                rest = b"" if unpacker.eof or given else stream.read(_CHUNK)
                if not given and not rest and not unpacker.eof:
                    raise EOFError
            if held.tape.tell() >= most:
                held.whole = False
                break
            rest = unpacker.unused_data
    except DAMAGE as error:
        if not held.tape.tell():
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.PACKED_DAMAGED)) from error
    return held


def _headers(tape: IO[bytes], size: int) -> tuple[list[tuple[_Header, int]], Details]:
    """The headers of members with the offset of their data, folders left out; and what ended them early."""
    found: list[tuple[_Header, int]] = []
    pending = _Pending()
    place = 0
    while place < size:
        tape.seek(place)
        block = tape.read(_BLOCK)
        if block == bytes(len(block)) and found:
            break
        if not _is_header(block):
            return found, details(Clause.DAMAGED_AFTER, members=len(found))
        header = _header(block, pending)
        data = place + _BLOCK + (_sparse_blocks(tape, block) if header.kind == _SPARSE else 0)
        place = data if header.kind in _WITHOUT_DATA else data + -(-header.size // _BLOCK) * _BLOCK
        if header.kind in (_LONG_NAME, _LONG_LINK, _EXTENDED, _EXTENDED_OLD, _GLOBAL):
            _take_in(tape, header, data, pending)
            continue
        pending = _Pending()
        if header.kind in (_FOLDER, _DUMPED_FOLDER) or (header.name.endswith(b"/") and header.kind in _REGULAR):
            continue
        if len(found) >= members.MAX_MEMBERS:
            return found, details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS)
        found.append((header, data))
    return found, ()


def _is_header(block: bytes) -> bool:
    """Whether 512 bytes have the checksum of a header: the sum of them with spaces in its own place."""
    if len(block) < _BLOCK or not any(block[:100]):
        return False
    told = _number(block[_CHECKSUM])
    return told is not None and told == sum(block[:_BLOCK]) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(raw: bytes) -> int | None:
    """A number in octal digits, or in base 256 after a first byte of 0x80; None for anything else."""
    if raw[:1] == b"\x80":
        return int.from_bytes(raw[1:], "big")
    digits = raw.split(b"\0", 1)[0].strip()
    return int(digits or b"0", 8) if not digits.strip(b"01234567") else None


def _header(block: bytes, pending: _Pending) -> _Header:
    """What a header says of a member, as far as the extended headers before it do not say it otherwise."""
    name = block[:100].split(b"\0", 1)[0]
    if block[257:263] == b"ustar\0" and (folder := block[345:500].split(b"\0", 1)[0]):
        name = folder + b"/" + name
    kind = block[156:157]
    if kind in (_LONG_NAME, _LONG_LINK, _EXTENDED, _EXTENDED_OLD, _GLOBAL):
        return _Header(name, 0, kind, _number(block[124:136]) or 0, None, is_sparse=False)
    facts = pending.facts
    flags = UTF8_FLAG if b"path" in facts else 0
    modified = _decimal(facts.get(b"mtime", b"").split(b".")[0])
    modified = _number(block[136:148]) if modified is None else modified
    size = _decimal(facts.get(b"size", b""))
    size = _number(block[124:136]) or 0 if size is None else size
    is_sparse = kind == _SPARSE or any(fact.startswith(b"GNU.sparse.") for fact in facts)
    seconds = None if modified is None or modified >= 1 << 33 else modified * 1_000_000_000
    return _Header(facts.get(b"path", pending.name or name), flags, kind, size, seconds, is_sparse)


def _decimal(raw: bytes) -> int | None:
    return int(raw) if raw.isdigit() and len(raw) < 20 else None


def _sparse_blocks(tape: IO[bytes], block: bytes) -> int:
    """Bytes of the blocks between the header of a sparse file and its data. Another flag in each says whether one more
    follows."""
    count, more = 0, block[482:483]
    while more not in (b"", b"\0"):
        block = tape.read(_BLOCK)
        count, more = count + len(block), block[504:505]
    return count


def _take_in(tape: IO[bytes], header: _Header, data: int, pending: _Pending) -> None:
    """Note what an extended header says of the member behind it."""
    if header.kind in (_LONG_LINK, _GLOBAL) or header.size > _MOST_HEADER:
        return
    tape.seek(data)
    content = tape.read(header.size)
    if header.kind == _LONG_NAME:
        pending.name = content.split(b"\0", 1)[0]
        return
    while content:
        told, _, rest = content.partition(b" ")
        length = _decimal(told)
        if length is None or not len(told) + 1 < length <= len(content):
            return
        key, _, value = rest[: length - len(told) - 2].partition(b"=")
        pending.facts[key] = value
        content = content[length:]


def _refusal(name: str, header: _Header, offset: int, size: int) -> tuple[ProblemKind, Details] | None:
    """Why a member is not to be read, by what its own header says."""
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
