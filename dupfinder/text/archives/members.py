"""Members of archives: their names, as relative paths that lead nowhere else, and the bounds that hold for them."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Final

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.archives.packed import inner_path
from dupfinder.text.sniff import may_be_document, unread_kind

MAX_MEMBERS: Final = 100_000
MAX_UNPACKED: Final = 16 << 30  # bytes of all members of one archive together; besides, they are at most
MAX_UNPACKED_RATIO: Final = 100  # times the size of the archive, of which
FREE_UNPACKED: Final = 256 << 20  # so many may be had from any archive

_TAPES: Final = frozenset({".tar", ".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tzst"})

UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075  # extra field of Info-ZIP: the same name in UTF-8, with a checksum of the first one
_MOST_BYTES = 4000  # of a name that is kept; with the archive's own path before it, it stays a path
_GUESSED_FROM = 4000  # names that are looked at to tell their encoding
_LEAST_COMMON = 0.75  # how common an encoding must make the foreign characters of all names
_KOREAN_SURELY = 8  # hangul of EUC-KR are common hanzi of GBK as well: so many without any other are no chance
_RUSSIAN_SURELY = 3  # letters: one or two are rather accented ones of the west
_DOS_TOO = frozenset(b"\xe1\xe6\xf8")  # sharp s, micro, degree
_SLASH_OF_DOS = frozenset({0, 10, 11, 14})  # systems of makers on which a backslash parts folders (APPNOTE 4.4.2)
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One member as the archive's directory tells of it.

    name:     relative, and like no other's; below the archive's own path it is the member's path.
    offset:   of its local header in the file, bytes. packed, size: bytes in the file, and unpacked.
    modified: nanoseconds since the epoch; None where it is not told.
    refused:  why it is not to be read, with details; None when it may be tried.
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
class Contents:
    """What an archive holds, folders left out. trouble: what of it could not be listed."""

    members: tuple[ArchiveMember, ...]
    trouble: Details = ()


def is_tape_name(path: Path) -> bool:
    """Whether a name is of a tar archive, plain or packed ("a.tar", "a.tgz", "a.tar.xz")."""
    inner = inner_path(path)
    return (path if inner is None else inner).suffix.lower() in _TAPES


def is_called_archive(path: Path) -> bool:
    """Whether a file is an archive by its name."""
    return path.suffix.lower() == ".zip" or is_tape_name(path)


def refused_by_name(name: str) -> tuple[ProblemKind, Details] | None:
    """Why a member of this name is not to be read; None when it may be."""
    path = PurePosixPath(name)
    if path.parts[0] == "__MACOSX" or path.name.startswith("._"):
        return ProblemKind.SKIPPED, details(Clause.BESIDE_FILE)
    if is_called_archive(Path(path)):
        return ProblemKind.SKIPPED, details(Clause.ARCHIVE_IN_ARCHIVE)
    if not may_be_document(Path(path)):
        return ProblemKind.UNSUPPORTED, unread_kind(Path(path))
    return None


def within(members: Iterator[ArchiveMember], size: int) -> Iterator[ArchiveMember]:
    """The members; what exceeds the bytes that one archive may unpack to is refused."""
    room = min(MAX_UNPACKED, max(FREE_UNPACKED, MAX_UNPACKED_RATIO * size))
    most = room
    for member in members:
        if member.refused is None:
            room -= member.size
            if room < 0:
                why = details(Clause.MEMBERS_UNPACK_TO, megabytes=most >> 20)
                yield replace(member, refused=ProblemKind.TOO_LARGE, details=why)
                continue
        yield member


def decoded(names: Sequence[tuple[bytes, int, bytes]]) -> list[str]:
    """The names of one archive as text, from (bytes, flags, extra field) of each.

    A name is UTF-8 where it says so, or where all that say nothing are. Else they are in the encoding of the system
    they were packed on: it is told from all of them together, for Windows of East Asia and of Russia pack so to this
    day. Bytes that a flagged name should not have are kept as surrogate escapes.
    """
    silent = [raw for raw, flags, _ in names if not flags & UTF8_FLAG and not raw.isascii()]
    encoding = _encoding_of(silent[:_GUESSED_FROM])
    return [_decoded_one(raw, flags, extra, encoding) for raw, flags, extra in names]


def _decoded_one(raw: bytes, flags: int, extra: bytes, encoding: str) -> str:
    if flags & UTF8_FLAG or raw.isascii():
        return raw.decode("utf-8", "surrogateescape")
    told = _unicode_path(raw, extra)
    if told is not None:
        return told
    for one in (encoding, "cp437"):  # cp437 knows every byte, and is what the format names
        try:
            return raw.decode(one)
        except UnicodeDecodeError:
            continue
    raise AssertionError("cp437 decodes any bytes")


def _unicode_path(raw: bytes, extra: bytes) -> str | None:
    for kind, data in extra_fields(extra):
        if kind == _UNICODE_PATH and len(data) > 5 and data[1:5] == struct.pack("<L", zlib.crc32(raw)):
            return data[5:].decode("utf-8", "surrogateescape")
    return None


def extra_fields(extra: bytes) -> list[tuple[int, bytes]]:
    """(kind, data) of each whole field in an extra field."""
    found = []
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if at + 4 + length > len(extra):
            break
        found.append((kind, extra[at + 4 : at + 4 + length]))
        at += 4 + length
    return found


def _encoding_of(names: Sequence[bytes]) -> str:
    """The encoding that makes the most sensible text of all names together; a western one where none makes any."""
    together = b"\n".join(names)
    if not names or _share(together, "utf-8", lambda _: 1.0) > 0:
        return "utf-8"
    shares = {encoding: _share(together, encoding, weigh) for encoding, weigh in _WEIGHERS.items()}
    best = max(shares, key=lambda encoding: shares[encoding])
    if shares[best] < _LEAST_COMMON or (best == "cp866" and _foreign(together, best) < _RUSSIAN_SURELY):
        return _western(together)
    if best == "gbk" and shares["euc_kr"] == shares["gbk"] and _foreign(together, "euc_kr") >= _KOREAN_SURELY:
        return "euc_kr"
    return best


def _western(names: bytes) -> str:
    """The encoding of DOS, which the format names, or that of Windows, whose letters are graphics and Greek in it."""
    foreign = {byte for byte in names if byte >= 0x80}
    return "cp1252" if min(foreign) >= 0xC0 and foreign - _DOS_TOO else "cp437"


def _foreign(names: bytes, encoding: str) -> int:
    return sum(not character.isascii() for character in names.decode(encoding))


def _share(names: bytes, encoding: str, weigh: Callable[[bytes], float]) -> float:
    """How common the foreign characters are in what is written in an encoding, 0 to 1; -1 when they are not in it."""
    try:
        text = names.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    weights = [
        0.0 if _swallows(text, place, raw) else weigh(raw)
        for place, character in enumerate(text)
        if not character.isascii() and (raw := character.encode(encoding))
    ]
    common = sum(weights)
    if encoding in _ALPHABETS:  # a word of letters that are Latin in part is none of another script
        common -= sum(
            one.isascii() != other.isascii() for word in _WORDS.findall(text) for one, other in pairwise(word)
        )
    return common / len(weights)


def _swallows(text: str, place: int, raw: bytes) -> bool:
    """Whether a character that stands alone behind a Latin letter may be an accented one and the letter behind it."""
    before, behind = text[place - 1 : place], text[place + 1 : place + 2]
    return len(raw) == 2 and raw[1] < 0x80 and before.isascii() and before.isalpha() and behind.isascii()


def _in_gbk(raw: bytes) -> float:
    """The 3,755 characters of level 1 in GB 2312 and its punctuation; then the rarer ones of level 2."""
    if len(raw) != 2 or raw[1] < 0xA1:
        return 0.0
    return 1.0 if 0xB0 <= raw[0] <= 0xD7 or raw[0] in (0xA1, 0xA3) else 0.6 if 0xD8 <= raw[0] <= 0xF7 else 0.0


def _in_shift_jis(raw: bytes) -> float:
    """Kana and the characters of level 1 in JIS X 0208; then level 2. Kana of half width are hardly used in names."""
    if len(raw) != 2:
        return 0.0
    if raw[0] == 0x81:
        return float(raw[1] <= 0x7A)
    return 1.0 if 0x82 <= raw[0] <= 0x83 or 0x88 <= raw[0] <= 0x97 else 0.6 if 0x98 <= raw[0] <= 0xEA else 0.0


def _in_big5(raw: bytes) -> float:
    """The 5,401 frequent characters of Big5 and its punctuation; then the rarer ones."""
    if len(raw) != 2:
        return 0.0
    return 1.0 if 0xA4 <= raw[0] <= 0xC6 or raw[0] == 0xA1 else 0.6 if 0xC9 <= raw[0] <= 0xF9 else 0.0


def _in_euc_kr(raw: bytes) -> float:
    """Hangul."""
    return float(len(raw) == 2 and 0xB0 <= raw[0] <= 0xC8)


def _in_cp866(raw: bytes) -> float:
    """Letters of Russian."""
    return float(0x80 <= raw[0] <= 0xAF or 0xE0 <= raw[0] <= 0xF1 or raw[0] == 0xFC)


# Tried in this order; of equals the first counts.
_WEIGHERS = {"gbk": _in_gbk, "cp932": _in_shift_jis, "big5": _in_big5, "euc_kr": _in_euc_kr, "cp866": _in_cp866}
_ALPHABETS = frozenset({"cp866"})


def as_path(name: str, system: int) -> str:
    """A name as a relative path: no root, no drive, no "." and no "..", no NUL, not empty, not over-long.

    `system`: the number of the system it was packed on. What is taken out is replaced so that it shows.
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
    """The names, each once: a second "a.txt" is told as "a (2).txt"."""
    taken = set(names)
    met: dict[str, int] = {}
    told = []
    for name in names:
        number = met.get(name, 0) + 1
        one = name
        while number > 1 and (one := _numbered(name, number)) in taken:
            number += 1
        met[name] = number
        taken.add(one)
        told.append(one)
    return told


def _numbered(name: str, number: int) -> str:
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
