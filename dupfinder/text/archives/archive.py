"""ZIP and tar archives, the entry to this package: list the members and read one member's bytes. Nothing is unpacked to
disk.

Archives inside archives are not opened: people rarely nest them, and each level multiplies what few bytes unpack to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from dupfinder.text.archives import tararchive, ziparchive
from dupfinder.text.archives.members import ArchiveMember, Contents, is_called_archive
from dupfinder.text.document import Unreadable

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

HEAD_BYTES = 4096  # of a file: enough to recognise archives and to tell documents from images or programs


def is_archive(path: Path, head: bytes) -> bool:
    """Tell whether a file is an archive to open, by its name and first bytes. Its directory may still show otherwise.

    ZIP files with other suffixes (.jar, .apk, .whl, .vsdx ...) belong to programs. Office, OpenDocument and e-book
    files are documents and recognised by their content.
    """
    if head.startswith(ziparchive.HEADS):
        return path.suffix.lower() in ("", ".zip") and head[30:38] != b"mimetype"
    return tararchive.is_tape(path, head)


def holder_of(path: Path) -> Path | None:
    """Return the archive that contains a path: the first ancestor that is a file. None if all are folders."""
    for ancestor in path.parents:
        try:
            return ancestor if stat.S_ISREG(os.lstat(ancestor).st_mode) else None
        except (OSError, ValueError):
            continue
    return None


def contents_of(stream: IO[bytes]) -> Contents | None:
    """Return the members of an archive in its order; None for documents, packages of programs and other files.

    Raises Unreadable if its directory cannot be read, OSError.
    """
    stream.seek(0)
    is_tape = tararchive.begins_as_tape(stream.read(HEAD_BYTES))
    return tararchive.contents_of(stream) if is_tape else ziparchive.contents_of(stream)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the unpacked bytes of a member in pieces.

    Raises Unreadable, also at the end: then the pieces before must be discarded.
    """
    if member.refused is not None:
        raise Unreadable(member.refused, member.details)
    if member.method in (tararchive.PLAIN, tararchive.PACKED):
        yield from tararchive.pieces_of(stream, member)
    else:
        yield from ziparchive.pieces_of(stream, member)


def forget_unpacked() -> None:
    """Release the memory of the archive that was unpacked last."""
    tararchive.forget()


def is_unpacked_whole(member: ArchiveMember) -> bool:
    """Tell whether reading this member unpacks its whole archive, which is then held for the next members."""
    return member.method == tararchive.PACKED
