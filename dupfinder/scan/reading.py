"""Reading one file, or one member of an archive, to what the library stores: bytes, hash, text, numbers. Runs in a
reading process."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO

from dupfinder.base.problems import Problem, ProblemKind
from dupfinder.base.progress import Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.rows import NO_DATE, READ, DocumentRow
from dupfinder.text.archive import ArchiveMember, Contents, contents_of, holder_of, is_archive, pieces_of
from dupfinder.text.bounds import Unreadable
from dupfinder.text.document import Extracted, Extraction, MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.ocr import PROGRAM as OCR_READER
from dupfinder.text.sniff import recognise, sniff
from dupfinder.text.worker import Failure

HEAD_BYTES = 4096  # enough to tell a document from an image or a program
HASH_BYTES = 16

# What a failure of the reading process says about the file in its hand.
FAILED = {
    Failure.TOO_SLOW: ProblemKind.TOO_SLOW,
    Failure.OUT_OF_MEMORY: ProblemKind.TOO_LARGE,
    Failure.CRASHED: ProblemKind.DAMAGED,
}


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read. `media`: what may be read (None: everything). `fallback`: by the second reader alone, after the
    first took the reading process down. `inside`: where the bytes are, of a member of an archive; its stamp's path is
    then below the archive's, its size unpacked. `largest`: bytes of a file that is read as a document.
    `ocr`: languages in which pages without a text layer are recognised."""

    stamp: FileStamp
    scheme: Scheme
    media: frozenset[MediaType] | None = None
    fallback: bool = False
    largest: int | None = None
    protected: bool = False
    inside: Inside | None = None
    ocr: str = ""


@dataclass(frozen=True, slots=True)
class Inside:
    """A member's archive as it was when it was listed, its number in the library, and what its directory says."""

    archive: FileStamp
    number: int
    member: ArchiveMember


@dataclass(frozen=True, slots=True)
class Listing:
    """A file that turned out to be an archive: what it holds is still to be read, member by member."""

    stamp: FileStamp
    contents: Contents


def read_one(task: ReadTask) -> DocumentRow | Listing:
    """Read a file, or list an archive. Whatever is wrong with it becomes the row's status; nothing is raised for a bad
    file.

    MemoryError alone passes: the sandbox then tries the task once more, by the second reader.
    """
    try:
        if task.inside is not None:
            return replace(_member_row(task, task.inside), archive=task.inside.number)
        for _ in range(2):
            stamp, data = _bytes_of(task.stamp.path, task.largest)
            if isinstance(data, Contents):
                return Listing(stamp, data)
            if data is not None:
                return _row(stamp, data, task)
        return DocumentRow(stamp, ProblemKind.CHANGED, "it kept changing while it was read")
    except Unreadable as trouble:
        return DocumentRow(task.stamp, trouble.kind, trouble.detail)
    except OSError as error:
        return DocumentRow(task.stamp, *_refused_by_system(error))


def _member_row(task: ReadTask, inside: Inside) -> DocumentRow:
    try:
        with _opened(inside.archive.path) as (stream, status):
            if FileStamp.of(inside.archive.path, status).key() != inside.archive.key():
                return DocumentRow(task.stamp, ProblemKind.CHANGED, "its archive changed while it was read")
            data = _member_bytes(stream, task.stamp.path, inside.member)
    except Unreadable as trouble:
        return DocumentRow(task.stamp, trouble.kind, trouble.detail)
    except OSError as error:
        return DocumentRow(task.stamp, *_refused_by_system(error))
    return _row(task.stamp, data, task)


def _refused_by_system(error: OSError) -> tuple[ProblemKind, str]:
    if error.errno == errno.ELOOP:
        return ProblemKind.CHANGED, "it was replaced by a symbolic link"
    kind = ProblemKind.VANISHED if error.errno == errno.ENOENT else ProblemKind.UNREADABLE
    return kind, (error.strerror or "the system refused").lower()


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """A regular file to read, and its status."""
    # O_NONBLOCK: should a pipe have taken the file's place, opening it does not wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no longer a regular file")
        yield stream, status


def _bytes_of(path: Path, largest: int | None = None) -> tuple[FileStamp, bytes | Contents | None]:
    """The stamp and bytes of a regular file, or the contents of an archive; None when it changed under the reading.

    Raises Unreadable for what is no document, OSError.
    """
    with _opened(path) as (stream, before):
        head = stream.read(HEAD_BYTES)
        found: bytes | Contents | None = contents_of(stream) if is_archive(path, head) else None
        if found is None:
            _may_be_read(path, head)
            if largest is not None and before.st_size > largest:
                raise Unreadable(ProblemKind.TOO_LARGE, f"{before.st_size} bytes, over the limit of {largest}")
            stream.seek(0)
            found = stream.read()
        after = os.fstat(stream.fileno())
    stamp = FileStamp.of(path, after)
    whole = isinstance(found, Contents) or len(found) == after.st_size
    return stamp, found if whole and stamp.key() == FileStamp.of(path, before).key() else None


def _may_be_read(path: Path, head: bytes) -> None:
    """Raise Unreadable when the first bytes are of no document."""
    if head and recognise(path, head) is MediaType.UNKNOWN:
        raise Unreadable(ProblemKind.UNSUPPORTED, "not a kind of document that can be read")


def _member_bytes(stream: IO[bytes], path: Path, member: ArchiveMember) -> bytes:
    """The unpacked bytes of a member. Raises Unreadable, after the first piece where that is of no document."""
    data = bytearray()
    for piece in pieces_of(stream, member):
        if not data:
            _may_be_read(path, piece[:HEAD_BYTES])
        data += piece
    if is_archive(path, bytes(data[:HEAD_BYTES])) and contents_of(BytesIO(data)) is not None:
        raise Unreadable(ProblemKind.SKIPPED, "an archive inside an archive, which is not looked into")
    return bytes(data)


def _row(stamp: FileStamp, data: bytes, task: ReadTask) -> DocumentRow:
    digest = hashlib.blake2b(data, digest_size=HASH_BYTES).digest()
    if task.media is not None:
        media = sniff(data, stamp.path)
        if media is not MediaType.UNKNOWN and media not in task.media:
            return DocumentRow(stamp, ProblemKind.SKIPPED, left_out_by_kind(media), media=media, content_hash=digest)
    extraction = extract(data, stamp.path, fallback_only=task.fallback, ocr=task.ocr)
    if extraction.extracted is None:
        problem = extraction.problem
        kind, detail = (problem.kind, problem.detail) if problem else (ProblemKind.DAMAGED, "")
        media = sniff(data, stamp.path) if kind is ProblemKind.NO_TEXT else MediaType.UNKNOWN
        return DocumentRow(stamp, kind, detail, media=media, content_hash=digest)
    return _document(stamp, digest, extraction, extraction.extracted, task.scheme)


def left_out_by_kind(media: str) -> str:
    """The clause on a file whose kind was not chosen."""
    return f"{media} files are not among the chosen kinds"


def _document(
    stamp: FileStamp, digest: bytes, extraction: Extraction, extracted: Extracted, scheme: Scheme
) -> DocumentRow:
    found = fingerprinter(scheme).print_of(normalise(extracted.text, simplify=scheme.simplify))
    status: str = READ
    detail = ""
    if extraction.problem is not None and not found.words:
        status, detail = extraction.problem.kind, extraction.problem.detail
    elif not found.words:
        status, detail = ProblemKind.NO_TEXT, "no text in it"
    elif not found.has_features:
        status, detail = ProblemKind.TOO_SHORT, "nothing but numbers, signs or very common words"
    elif extraction.problem is not None:
        detail = f"read in part: {extraction.problem.detail}"
    if extracted.reader == OCR_READER and status == READ:
        detail = "; ".join(filter(None, (detail, extracted.notes[-1])))
    return DocumentRow(
        stamp,
        status,
        detail,
        media=extracted.media_type,
        reader=extracted.reader,
        title=extracted.title,
        author=extracted.author,
        pages=extracted.pages,
        inside_date=_seconds(extracted.modified or extracted.created),
        content_hash=digest,
        partial=extracted.partial,
        text_print=found if found.words else None,
    )


def read_text(path: Path) -> Extraction:
    """The text of one file as a scan would read it, for comparing. Whatever is wrong is the extraction's problem."""
    try:
        archive = holder_of(path)
        data = _bytes_of(path)[1] if archive is None else _bytes_inside(archive, path)
    except Unreadable as trouble:
        return _trouble(path, trouble.kind, trouble.detail)
    except OSError as error:
        return _trouble(path, *_refused_by_system(error))
    if isinstance(data, Contents):
        return _trouble(path, ProblemKind.UNSUPPORTED, "an archive; name one of its members, as in its.zip/letter.txt")
    if data is None:
        return _trouble(path, ProblemKind.CHANGED, "it kept changing while it was read")
    return extract(data, path)


def _bytes_inside(archive: Path, path: Path) -> bytes:
    """The bytes of a member by its path below the archive. Raises Unreadable, OSError."""
    name = path.relative_to(archive).as_posix()
    with _opened(archive) as (stream, status):
        member = _members_of(archive, FileStamp.of(archive, status).key()).get(name)
        if member is None:
            raise Unreadable(ProblemKind.VANISHED, f"no such member in {archive.name}")
        return _member_bytes(stream, path, member)


@functools.lru_cache(maxsize=1)
def _members_of(archive: Path, key: tuple[int, ...]) -> dict[str, ArchiveMember]:
    """The members by name of an archive as it is under this stamp. Whoever reads many of them asks for the same one
    again and again. Raises Unreadable, OSError."""
    with _opened(archive) as (stream, status):
        if FileStamp.of(archive, status).key() != key:
            raise Unreadable(ProblemKind.CHANGED, f"{archive.name} changed while it was read")
        if not is_archive(archive, stream.read(HEAD_BYTES)):
            raise Unreadable(ProblemKind.VANISHED, f"{archive.name} is no archive")
        contents = contents_of(stream)
    return {} if contents is None else {member.name: member for member in contents.members}


def _trouble(path: Path, kind: ProblemKind, detail: str) -> Extraction:
    return Extraction(None, Problem(path, Stage.READ, kind, detail))


@functools.lru_cache(maxsize=2)
def fingerprinter(scheme: Scheme) -> Fingerprinter:
    """The fingerprinter of a scheme, made once a process."""
    return Fingerprinter(scheme)


def _seconds(moment: datetime | None) -> int:
    if moment is None:
        return NO_DATE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return int(aware.timestamp())
    except (OverflowError, ValueError, OSError):
        return NO_DATE
