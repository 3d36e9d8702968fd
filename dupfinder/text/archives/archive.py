"""Archives, ZIP and tar: the door to what lies in them and to one member's bytes. Nothing is unpacked to disk.

An archive inside an archive is not looked into: one level is what people pack, and each further one multiplies what a
few bytes can unfold to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from dupfinder.text.archives import tararchive, ziparchive
from dupfinder.text.archives.members import ArchiveMember, Contents, is_called_archive
from dupfinder.text.bounds import Unreadable

__all__ = [
    "HEAD_BYTES",
    "ArchiveMember",
    "Contents",
    "contents_of",
    "forget_unpacked",
    "holder_of",
    "is_archive",
    "is_called_archive",
    "is_unpacked_whole",
    "pieces_of",
]

HEAD_BYTES = 4096  # of a file: enough to tell an archive, and a document from an image or a program


def is_archive(path: Path, head: bytes) -> bool:
    """Whether a file that begins so is an archive to look into, unless its directory shows otherwise.

    By its content and by its name: what is packed alike under another suffix (.jar, .apk, .whl, .vsdx ...) is some
    program's own; documents of Office, OpenDocument and e-books are known by what they hold.
    """
    if head.startswith(ziparchive.HEADS):
        return path.suffix.lower() in ("", ".zip") and head[30:38] != b"mimetype"
    return tararchive.is_tape(path, head)


def holder_of(path: Path) -> Path | None:
    """The file that lies above a path, as an archive lies above its members; None where only folders do."""
    for above in path.parents:
        try:
            return above if stat.S_ISREG(os.lstat(above).st_mode) else None
        except (OSError, ValueError):
            continue
    return None


def contents_of(stream: IO[bytes]) -> Contents | None:
    """The members of an archive in its order; None for a document, a program's package or what is no archive.

    Raises Unreadable when it has no directory that can be read, OSError.
    """
    stream.seek(0)
    is_tape = tararchive.begins_as_tape(stream.read(HEAD_BYTES))
    return tararchive.contents_of(stream) if is_tape else ziparchive.contents_of(stream)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """The unpacked bytes of a member, piece by piece. Raises Unreadable, at its end too: then nothing of it counts."""
    if member.refused is not None:
        raise Unreadable(member.refused, member.details)
    if member.method in (tararchive.PLAIN, tararchive.PACKED):
        yield from tararchive.pieces_of(stream, member)
    else:
        yield from ziparchive.pieces_of(stream, member)


def forget_unpacked() -> None:
    """Let go of the archive that is held unpacked: what is read next lies in none."""
    tararchive.forget()


def is_unpacked_whole(member: ArchiveMember) -> bool:
    """Whether reading this member means unpacking all of its archive, which is then held for the members after it."""
    return member.method == tararchive.PACKED
