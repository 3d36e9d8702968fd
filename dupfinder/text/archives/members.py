"""Members of archives: decode their names, turn these into safe relative paths, and limit number and size."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import IO, Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives.packed import inner_path
from dupfinder.text.document import Unreadable
from dupfinder.text.sniff import may_be_document, unread_kind

MAX_MEMBERS: Final = 100_000
MAX_UNPACKED: Final = 16 << 30  # bytes of all members of an archive together
MAX_UNPACKED_RATIO: Final = 100  # divided by the size of the archive; not applied below FREE_UNPACKED
FREE_UNPACKED: Final = 256 << 20  # bytes that any archive may unpack to

MOST_SECONDS: Final = 1 << 33  # since the epoch: a later time of a member is none
_CHUNK: Final = 1 << 20  # bytes in one piece
FOREIGN_SUFFIXES: Final = frozenset({".7z", ".rar"})  # of archives that libarchive reads
MAILBOX_SUFFIXES: Final = frozenset({".mbox", ".mbx"})
_TAR_SUFFIXES: Final = frozenset({".tar", ".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tzst"})

UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075  # extra field of Info-ZIP: the name in UTF-8, with a checksum of the other name
_MOST_BYTES = 4000  # of a name; leaves room for the archive's path within the system's limit
_GUESSED_FROM = 4000  # names used to detect the encoding
_LEAST_COMMON = 0.75  # least share of common characters among the non-ASCII ones, to choose an encoding
_KOREAN_SURELY = 8  # hangul in EUC-KR are also common hanzi in GBK; so many hangul alone mean Korean
_RUSSIAN_SURELY = 3  # letters; one or two are more likely accented Western letters
_DOS_TOO = frozenset(b"\xe1\xe6\xf8")  # letters in cp1252, but ß, µ and ° in cp437, not graphics: they decide nothing
_SLASH_OF_DOS = frozenset({0, 10, 11, 14})  # system numbers for which a backslash separates folders (APPNOTE 4.4.2)
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One member as listed in the archive's directory.

    name:     a relative path, unique in the archive; appended to the archive's path it is the member's path.
    offset:   of its local header in the file, bytes. packed, size: bytes in the file, and unpacked.
    modified: nanoseconds since the epoch; None if unknown.
    refused:  why it must not be read, with details; None if it may be tried.
    """

    name: str
    offset: int
    method: int
    packed: int
    size: int
    crc: int
    modified: int | None = None
    refused: ProblemKind | None = None
    details: Details = ()


@dataclass(frozen=True, slots=True)
class ArchiveContents:
    """The members of an archive, without folders. trouble: why some could not be listed."""

    members: tuple[ArchiveMember, ...]
    trouble: Details = ()


def is_tar_name(path: Path) -> bool:
    """Tell whether a name is that of a tar archive, plain or packed ("a.tar", "a.tgz", "a.tar.xz")."""
    return (inner_path(path) or path).suffix.lower() in _TAR_SUFFIXES


def is_archive_name(path: Path) -> bool:
    """Tell whether a name is that of an archive. Whether a file is a mailbox to open, only reading tells."""
    return path.suffix.lower() in {".zip", *FOREIGN_SUFFIXES} or is_tar_name(path)


def may_be_mailbox_name(path: Path) -> bool:
    """Tell whether mail programs give such a name to a mailbox: without a suffix, or with that of mailboxes."""
    return (inner_path(path) or path).suffix.lower() in ("", *MAILBOX_SUFFIXES)


def file_key(stream: IO[bytes]) -> tuple[int, ...]:
    """Return numbers that identify a file in its present state; () for a stream that is not a file."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def refused_by_name(name: str) -> tuple[ProblemKind, Details] | None:
    """Return why a member with this name must not be read; None if it may be."""
    path = PurePosixPath(name)
    if path.parts[0] == "__MACOSX" or path.name.startswith("._"):
        return ProblemKind.SKIPPED, details(Clause.BESIDE_FILE)
    if is_archive_name(Path(path)):
        return ProblemKind.SKIPPED, details(Clause.ARCHIVE_IN_ARCHIVE)
    if not may_be_document(Path(path)):
        return ProblemKind.UNSUPPORTED, unread_kind(Path(path))
    return None


def within(members: Iterator[ArchiveMember], size: int) -> Iterator[ArchiveMember]:
    """Yield the members, refusing those beyond the bytes that an archive of `size` bytes may unpack to."""
    most = min(MAX_UNPACKED, max(FREE_UNPACKED, MAX_UNPACKED_RATIO * size))
    too_large = details(Clause.MEMBERS_UNPACK_TO, megabytes=most >> 20)
    total = 0
    for member in members:
        total += member.size if member.refused is None else 0
        is_beyond = member.refused is None and total > most
        yield replace(member, refused=ProblemKind.TOO_LARGE, details=too_large) if is_beyond else member


def pieces_up_to(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield the next `size` bytes of a stream in pieces. Raises Unreadable if it ends before."""
    while size:
        piece = stream.read(min(_CHUNK, size))
        if not piece:
            raise Unreadable(ProblemKind.DAMAGED, Clause.CUT_OFF)
        size -= len(piece)
        yield piece


def decoded(names: Sequence[tuple[bytes, int, bytes]]) -> list[str]:
    """Return the names of one archive as text, from (bytes, flags, extra field) of each.

    A name is UTF-8 if its flag says so, or if all names without the flag are valid UTF-8. Otherwise the names are in
    the encoding of the system that packed them, which is detected from all names together; Windows in East Asia and
    Russia still packs this way. Invalid bytes in flagged names become surrogate escapes.
    """
    undeclared = [raw for raw, flags, _ in names if not flags & UTF8_FLAG and not raw.isascii()]
    encoding = _encoding_of(undeclared[:_GUESSED_FROM])
    return [_decoded_name(raw, flags, extra, encoding) for raw, flags, extra in names]


def _decoded_name(raw: bytes, flags: int, extra: bytes, encoding: str) -> str:
    """Return one name as text."""
    if flags & UTF8_FLAG or raw.isascii():
        return raw.decode("utf-8", "surrogateescape")
    for kind, data in extra_fields(extra):
        if kind == _UNICODE_PATH and len(data) > 5 and data[1:5] == struct.pack("<L", zlib.crc32(raw)):
            return data[5:].decode("utf-8", "surrogateescape")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return raw.decode("cp437")  # the format's default, which decodes every byte


def extra_fields(extra: bytes) -> list[tuple[int, bytes]]:
    """Return (kind, data) of each complete record in an extra field."""
    fields = []
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, position)
        if position + 4 + length > len(extra):
            break
        fields.append((kind, extra[position + 4 : position + 4 + length]))
        position += 4 + length
    return fields


def _encoding_of(names: Sequence[bytes]) -> str:
    """Return the encoding that makes most sense of all names together; a Western one if none does."""
    joined = b"\n".join(names)
    with suppress(UnicodeDecodeError):
        joined.decode()
        return "utf-8"
    shares = {encoding: _share(joined, encoding) for encoding in _COMMON}
    best = max(shares, key=lambda encoding: shares[encoding])
    if shares[best] < _LEAST_COMMON or (best == _ALPHABET and _foreign(joined, best) < _RUSSIAN_SURELY):
        return _western(joined)
    if best == "gbk" and shares["euc_kr"] == shares["gbk"] and _foreign(joined, "euc_kr") >= _KOREAN_SURELY:
        return "euc_kr"
    return best


def _western(names: bytes) -> str:
    """Return cp437 (DOS), the default of the format, or cp1252 (Windows).

    The letters of cp1252 are graphics and Greek letters in cp437, so they decide.
    """
    foreign = {byte for byte in names if byte >= 0x80}
    return "cp1252" if min(foreign) >= 0xC0 and foreign - _DOS_TOO else "cp437"


def _foreign(names: bytes, encoding: str) -> int:
    """Count the characters of decoded names that are not ASCII."""
    return sum(not character.isascii() for character in names.decode(encoding))


def _share(names: bytes, encoding: str) -> float:
    """Return how common the non-ASCII characters of names are in an encoding: 0 to 1, or -1 if decoding fails."""
    try:
        text = names.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    frequent, seldom = _COMMON[encoding]
    shares: list[float] = []
    for position, character in enumerate(text):
        raw = b"" if character.isascii() else character.encode(encoding)
        if _is_accent_and_letter(text, position, raw):
            shares.append(0.0)
        elif raw:
            shares.append(1.0 if frequent.fullmatch(raw) else 0.6 if seldom.fullmatch(raw) else 0.0)
    mixed = 0
    if encoding == _ALPHABET:  # words that mix Latin letters with another script are unlikely
        pairs = (pair for word in _WORDS.findall(text) for pair in pairwise(word))
        mixed = sum(letter.isascii() != following.isascii() for letter, following in pairs)
    return (sum(shares) - mixed) / len(shares)


def _is_accent_and_letter(text: str, index: int, raw: bytes) -> bool:
    """Tell whether a two-byte character is rather an accented Latin letter and the ASCII letter after it.

    This is assumed if it follows a Latin letter and an ASCII character comes next.
    """
    before, behind = text[index - 1 : index], text[index + 1 : index + 2]
    return len(raw) == 2 and raw[1] < 0x80 and before.isascii() and before.isalpha() and behind.isascii()


_NONE: Final = rb"(?!)"
# The bytes of frequent and of less frequent characters: levels 1 and 2 of GB 2312 and of JIS X 0208 with their signs
# and kana, the 5,401 frequent ones of Big5 and others, hangul, Russian letters. Of equal encodings the first wins.
_COMMON: Final = {
    encoding: (re.compile(frequent, re.S), re.compile(seldom, re.S))
    for encoding, frequent, seldom in (
        ("gbk", rb"[\xa1\xa3\xb0-\xd7][\xa1-\xff]", rb"[\xd8-\xf7][\xa1-\xff]"),
        ("cp932", rb"\x81[\x00-\x7a]|[\x82\x83\x88-\x97].", rb"[\x98-\xea]."),
        ("big5", rb"[\xa1\xa4-\xc6].", rb"[\xc9-\xf9]."),
        ("euc_kr", rb"[\xb0-\xc8].", _NONE),
        ("cp866", rb"[\x80-\xaf\xe0-\xf1\xfc]", _NONE),
    )
}
_ALPHABET: Final = "cp866"


def as_path(name: str, system: int) -> str:
    """Return a name as a relative path without root, ".", ".." and NUL, not empty and not too long.

    system: the number of the system that packed it. Visible text takes the place of "..", a NUL and an empty name.
    """
    if system in _SLASH_OF_DOS:
        name = name.replace("\\", "/")
    parts = [part for part in name.replace("\0", "\u2400").split("/") if part not in ("", ".")]
    safe = "/".join("(..)" if part == ".." else part for part in parts) or "unnamed"
    raw = safe.encode("utf-8", "surrogateescape")
    if len(raw) <= _MOST_BYTES:
        return safe
    ending = PurePosixPath(safe).suffix[:20]
    return raw[: _MOST_BYTES - 100].decode("utf-8", "ignore").rstrip("/") + "…" + ending


def without_doubles(names: Sequence[str]) -> list[str]:
    """Return the names made unique: a second "a.txt" becomes "a (2).txt"."""
    taken = set(names)
    copies: dict[str, int] = {}
    unique = []
    for name in names:
        number = copies.get(name, 0) + 1
        candidate = name
        while number > 1 and (candidate := _numbered(name, number)) in taken:
            number += 1
        copies[name] = number
        taken.add(candidate)
        unique.append(candidate)
    return unique


def _numbered(name: str, number: int) -> str:
    """Return a name with a number before its suffix."""
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
