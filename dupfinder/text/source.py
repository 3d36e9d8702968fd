"""Get a document's bytes by its path: of a file, or of a member of an archive. Nothing is unpacked to disk.

Archives inside archives are not opened: people rarely nest them, and each level multiplies what few bytes unpack to.
"""

from __future__ import annotations

import errno
import functools
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from dupfinder.base.details import Clause, Details, ProblemKind, details, error_name, system_details
from dupfinder.base.stamp import FileStamp
from dupfinder.processes.descriptors import open_handed
from dupfinder.text.archives import foreign, mailbox, tararchive, ziparchive
from dupfinder.text.archives.members import ArchiveContents, ArchiveMember
from dupfinder.text.document import MediaType, Unreadable
from dupfinder.text.sniff import SNIFFED_BYTES, recognise, unread_kind


@dataclass(frozen=True, slots=True)
class Membership:
    """A member of an archive. archive: as it was when listed. number: the archive's id in the library."""

    archive: FileStamp
    number: int
    member: ArchiveMember


def read_source(
    path: Path, membership: Membership | None = None, largest: int | None = None
) -> tuple[bytes | ArchiveContents, FileStamp | None]:
    """Return the bytes of a regular file or of a member, or the members of an archive, and the stamp of a file.

    membership: of a member; None for a file on disk. largest: bytes of a file that is read as a document.
    Raises OSError, and Unreadable for what is no document and for a file that changed during each of two attempts.
    """
    if membership is not None:
        with _opened(membership.archive.path) as (stream, status):
            if FileStamp.of(membership.archive.path, status).key() != membership.archive.key():
                raise Unreadable(ProblemKind.CHANGED, Clause.ARCHIVE_CHANGED)
            return _member_bytes(stream, membership.member, path), None
    for unpacking in (tararchive, foreign):
        unpacking.forget()  # all members of the archive that was unpacked last have been read
    for _ in range(2):
        with _opened(path) as (stream, before):
            content = _content(stream, path, largest)
            after = FileStamp.of(path, os.fstat(stream.fileno()))
        is_complete = isinstance(content, ArchiveContents) or len(content) == after.size
        if is_complete and after.key() == FileStamp.of(path, before).key():
            return content, after
    raise Unreadable(ProblemKind.CHANGED)


def _content(stream: IO[bytes], path: Path, largest: int | None) -> bytes | ArchiveContents:
    """Return the bytes of an open file, or the members of an archive. Raises Unreadable, OSError."""
    head = stream.read(SNIFFED_BYTES)
    if is_archive(path, head) and (contents := contents_of(stream)) is not None:
        return contents
    _check_head(path, head)
    size = os.fstat(stream.fileno()).st_size
    if largest is not None and size > largest:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.OVER_LIMIT, bytes=size, limit=largest)
    stream.seek(0)
    return stream.read()


def read_path(path: Path) -> bytes:
    """Return the bytes of a file, or of a member by its path below the archive. Raises Unreadable, OSError."""
    archive = holder_of(path)
    if archive is None:
        content = read_source(path)[0]
        if isinstance(content, ArchiveContents):
            name = next((member.name for member in content.members), "letter.txt")
            raise Unreadable(ProblemKind.UNSUPPORTED, Clause.NAME_A_MEMBER, example=f"{path.name}/{name}")
        return content
    with _opened(archive) as (stream, status):
        members = _members_of(archive, FileStamp.of(archive, status).key())
        member = members.get(path.relative_to(archive).as_posix())
        if member is None:
            raise Unreadable(ProblemKind.VANISHED, Clause.NO_SUCH_MEMBER, archive=archive.name)
        return _member_bytes(stream, member, path)


@functools.lru_cache(maxsize=2)
def _members_of(archive: Path, key: tuple[int, ...]) -> dict[str, ArchiveMember]:
    """Return the members, by name, of an archive with this stamp. Raises Unreadable, OSError.

    Cached, because several members of one archive, or of the two of a pair, are often read one after the other.
    """
    with _opened(archive) as (stream, status):
        if FileStamp.of(archive, status).key() != key:
            raise Unreadable(ProblemKind.CHANGED, Clause.ARCHIVE_CHANGED)
        if not is_archive(archive, stream.read(SNIFFED_BYTES)):
            raise Unreadable(ProblemKind.VANISHED, Clause.NO_ARCHIVE, archive=archive.name)
        contents = contents_of(stream)
    return {} if contents is None else {member.name: member for member in contents.members}


def _member_bytes(stream: IO[bytes], member: ArchiveMember, path: Path) -> bytes:
    """Return the unpacked bytes of a member. Raises Unreadable, early if it is not a document."""
    data = bytearray()
    for piece in pieces_of(stream, member):
        if not data:
            _check_head(path, piece[:SNIFFED_BYTES])
        data += piece
    head = bytes(data[:SNIFFED_BYTES])
    is_package = is_archive(path, head) and not mailbox.is_mailbox(path, head)  # a mailbox in it is read as one text
    if is_package and contents_of(BytesIO(data)) is not None:
        raise Unreadable(ProblemKind.SKIPPED, Clause.ARCHIVE_IN_ARCHIVE)
    return bytes(data)


def _check_head(path: Path, head: bytes) -> None:
    """Raise Unreadable if the first bytes show that it is not a document."""
    if head and recognise(path, head) is MediaType.UNKNOWN:
        raise Unreadable(ProblemKind.UNSUPPORTED, unread_kind(path))


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """Open a regular file and yield it with its status. Raises Unreadable for anything else, OSError."""
    descriptor = open_handed(path)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(ProblemKind.UNREADABLE, Clause.NOT_REGULAR)
        yield stream, status


def refused_by_system(error: OSError) -> tuple[ProblemKind, Details]:
    """Return the problem for an error of the system."""
    if error.errno == errno.ELOOP:
        return ProblemKind.CHANGED, details(Clause.REPLACED_BY_LINK)
    kind = ProblemKind.VANISHED if error_name(error) == "ENOENT" else ProblemKind.UNREADABLE
    return kind, system_details(error)


def bytes_on_disk(paths: Iterable[Path]) -> int:
    """Return the bytes of files; a member counts as much as its archive, what is gone 0."""
    files = [holder_of(path) or path for path in paths]
    return sum(file.stat().st_size for file in files if file.exists())


def is_archive(path: Path, head: bytes) -> bool:
    """Tell whether a file is an archive to open, by its name and first bytes. Its members may still show otherwise.

    ZIP files with other suffixes (.jar, .apk, .whl, .vsdx ...) belong to programs. Office, OpenDocument and e-book
    files are documents and recognised by their content.
    """
    if head.startswith(ziparchive.HEADS):
        return path.suffix.lower() in ("", ".zip") and head[30:38] != b"mimetype"
    return foreign.is_foreign(path, head) or tararchive.is_tar(path, head) or mailbox.is_mailbox(path, head)


def is_opened(stream: IO[bytes], path: Path) -> bool:
    """Tell whether a file is an archive of which the members are compared. Raises Unreadable, OSError."""
    stream.seek(0)
    head = stream.read(SNIFFED_BYTES)
    return is_archive(path, head) and (not mailbox.is_mailbox(path, head) or contents_of(stream) is not None)


def holder_of(path: Path) -> Path | None:
    """Return the archive that contains a path: the first ancestor that is a file. None if all are folders."""
    for ancestor in path.parents:
        try:
            return ancestor if stat.S_ISREG(os.lstat(ancestor).st_mode) else None
        except (OSError, ValueError):
            continue
    return None


def contents_of(stream: IO[bytes]) -> ArchiveContents | None:
    """Return the members of an archive in its order; None for documents, packages of programs and other files.

    Raises Unreadable if its directory cannot be read, OSError.
    """
    stream.seek(0)
    head = stream.read(SNIFFED_BYTES)
    if foreign.begins_as_foreign(head):
        return foreign.contents_of(stream)
    if tararchive.begins_as_tar(head):
        return tararchive.contents_of(stream) or mailbox.contents_of(stream)
    return mailbox.contents_of(stream) if mailbox.begins_as_mailbox(head) else ziparchive.contents_of(stream)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the unpacked bytes of a member in pieces.

    Raises Unreadable, also at the end: then the pieces before must be discarded.
    """
    if member.refused is not None:
        raise Unreadable(member.refused, member.details)
    if member.method in (tararchive.PLAIN, tararchive.PACKED):
        yield from tararchive.pieces_of(stream, member)
    elif is_mail(member):
        yield from mailbox.pieces_of(stream, member)
    elif member.method == foreign.UNPACKED:
        yield from foreign.pieces_of(stream, member)
    else:
        yield from ziparchive.pieces_of(stream, member)


def is_mail(member: ArchiveMember) -> bool:
    """Tell whether a member is a mail of a mailbox."""
    return member.method in (mailbox.PLAIN_MAIL, mailbox.PACKED_MAIL)


def is_unpacked_whole(member: ArchiveMember) -> bool:
    """Tell whether reading this member unpacks its whole archive, which is then held for the next members."""
    return member.method in (tararchive.PACKED, foreign.UNPACKED, mailbox.PACKED_MAIL)
