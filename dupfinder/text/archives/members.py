"""What archives of any kind tell of their members, and what of them may be read at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from dupfinder.base.problems import ProblemKind
from dupfinder.text.archives.packed import inner_path
from dupfinder.text.sniff import may_be_document, unread_kind

MAX_MEMBERS: Final = 100_000
MAX_UNPACKED: Final = 16 << 30  # bytes of all members of one archive together; besides, they are at most
MAX_UNPACKED_RATIO: Final = 100  # times the size of the archive, of which
FREE_UNPACKED: Final = 256 << 20  # so many may be had from any archive

_TAPES: Final = frozenset({".tar", ".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tzst"})


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One member as the archive's directory tells of it.

    name:     relative, and like no other's; below the archive's own path it is the member's path.
    offset:   of its local header in the file, bytes. packed, size: bytes in the file, and unpacked.
    modified: nanoseconds since the epoch; None where it is not told.
    refused:  why it is not to be read, with a clause; None when it may be tried.
    """

    name: str
    offset: int
    method: int
    packed: int
    size: int
    crc: int
    modified: int | None = None
    refused: ProblemKind | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive holds, folders left out. trouble: a clause on what of it could not be listed; "" for nothing."""

    members: tuple[ArchiveMember, ...]
    trouble: str = ""


def is_tape_name(path: Path) -> bool:
    """Whether a name is of a tar archive, plain or packed ("a.tar", "a.tgz", "a.tar.xz")."""
    inner = inner_path(path)
    return (path if inner is None else inner).suffix.lower() in _TAPES


def is_called_archive(path: Path) -> bool:
    """Whether a file is an archive by its name."""
    return path.suffix.lower() == ".zip" or is_tape_name(path)


def refused_by_name(name: str) -> tuple[ProblemKind, str] | None:
    """Why a member of this name is not to be read; None when it may be."""
    path = PurePosixPath(name)
    if path.parts[0] == "__MACOSX" or path.name.startswith("._"):
        return ProblemKind.SKIPPED, "what macOS keeps of a file beside it"
    if is_called_archive(Path(path)):
        return ProblemKind.SKIPPED, "an archive inside an archive, which is not looked into"
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
                detail = f"the members of its archive unpack to over {most >> 20:,} MB"
                yield replace(member, refused=ProblemKind.TOO_LARGE, detail=detail)
                continue
        yield member
