"""Reading one file, or one member of an archive, to what the library stores: bytes, hash, text, numbers. Runs in a
reading process."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from dupfinder.base.details import Clause, Details, details, system_details
from dupfinder.base.problems import Problem, ProblemKind
from dupfinder.base.progress import Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.trace import MOST_TRACED
from dupfinder.library.other import packed
from dupfinder.library.rows import NO_DATE, READ, DocumentRow
from dupfinder.processes.handed import open_handed
from dupfinder.processes.sandbox import Done
from dupfinder.processes.worker import Failure, processor_seconds
from dupfinder.text.archives.archive import (
    HEAD_BYTES,
    ArchiveMember,
    Contents,
    contents_of,
    forget_unpacked,
    holder_of,
    is_archive,
    is_unpacked_whole,
    pieces_of,
)
from dupfinder.text.bounds import Unreadable
from dupfinder.text.document import Extracted, Extraction, MediaType
from dupfinder.text.extract import Attempt, extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sniff import recognise, sniff, unread_kind

HASH_BYTES = 16
_MOST, _MOST_WORDS = 1 << 63, 1 << 31  # what the library's columns hold
_LONGEST_WORD, _LONGEST_TEXT = 40, 1_000_000  # characters of names of readers and kinds, and of titles
_MOST_DETAILS = 8  # of one file
_WAYS = (Clause.READ_PLAINLY_TOO_SLOW, Clause.READ_PLAINLY, Clause.RECOGNISED)  # of reading, that are to be known

# What a failure of the reading process says about the file in its hand.
FAILED = {
    Failure.TOO_SLOW: ProblemKind.TOO_SLOW,
    Failure.OUT_OF_MEMORY: ProblemKind.TOO_LARGE,
    Failure.CRASHED: ProblemKind.DAMAGED,
    Failure.ENDED: ProblemKind.UNREADABLE,  # which the next scan tries again
}


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read. `media`: what may be read (None: everything). `attempt`: by which readers, after one took the
    reading process down or ran out of time. `inside`: where the bytes are, of a member of an archive; its stamp's path
    is then below the archive's, its size unpacked. `largest`: bytes of a file that is read as a document.
    `ocr`: languages in which pages without a text layer are recognised."""

    stamp: FileStamp
    scheme: Scheme
    media: frozenset[MediaType] | None = None
    attempt: Attempt = Attempt.FIRST
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


def in_turns(tasks: Sequence[ReadTask]) -> list[list[ReadTask]]:
    """The tasks in portions to be done one after another: first all but those of archives that are unpacked as a whole,
    then archive by archive, so that a reading process unpacks each of these once."""
    others: list[ReadTask] = []
    portions: dict[Path, list[ReadTask]] = {}
    for task in tasks:
        if task.inside is not None and is_unpacked_whole(task.inside.member):
            portions.setdefault(task.inside.archive.path, []).append(task)
        else:
            others.append(task)
    return [portion for portion in (others, *portions.values()) if portion]


def another_attempt(task: ReadTask, failure: Failure) -> ReadTask | None:
    """The task to try after a failure. Pages that are recognised take their time whoever reads them."""
    if failure is Failure.TOO_SLOW:
        return None if task.ocr else replace(task, attempt=Attempt.PLAINEST)
    return replace(task, attempt=Attempt.SECOND)


def files_of(task: ReadTask) -> tuple[Path]:
    """The file that a task reads: its own, or its archive."""
    return (task.stamp.path if task.inside is None else task.inside.archive.path,)


def file_holding(path: Path) -> Path:
    """The file on disk that holds a document: itself, or the archive that it is a member of."""
    return holder_of(path) or path


def answer_of(done: Done[ReadTask, DocumentRow | Listing]) -> DocumentRow | Listing:
    """What a reading process says of a file. Where it says nothing, or what cannot be, a row that says so: a process
    that a document has taken over may answer anything of the right types."""
    task, answer = done.task, done.value
    if answer is not None and _can_be(answer, task):
        return answer
    archive = None if task.inside is None else task.inside.number
    if done.failure is None:
        return DocumentRow(task.stamp, ProblemKind.DAMAGED, details(Clause.IMPOSSIBLE_ANSWER), archive=archive)
    return DocumentRow(task.stamp, FAILED[done.failure], done.details, archive=archive)


def _can_be(answer: DocumentRow | Listing, task: ReadTask) -> bool:
    """Whether an answer speaks of the file that was asked for, in numbers and words that the library can hold."""
    if answer.stamp.path != task.stamp.path or not 0 <= answer.stamp.size < _MOST:
        return False
    if isinstance(answer, Listing):
        contents = answer.contents
        return task.inside is None and _details_can_be(contents.trouble) and all(map(_member_can_be, contents.members))
    inside = None if task.inside is None else task.inside.number
    words = (answer.media, answer.reader)
    numbers = (answer.pages or 0, answer.inside_date)
    return (
        (answer.archive, answer.members) == (inside, None)
        and (answer.status == READ or answer.status in set(ProblemKind))
        and all(word.isascii() and len(word) <= _LONGEST_WORD for word in words)
        and all(len(text) <= _LONGEST_TEXT for text in (answer.title, answer.author))
        and _details_can_be(answer.details)
        and all(abs(number) < _MOST for number in numbers)
        and len(answer.content_hash) in (0, HASH_BYTES)
        and (answer.text_print is None or _print_can_be(answer.text_print, task.scheme))
    )


def _member_can_be(member: ArchiveMember) -> bool:
    name = PurePosixPath(member.name)
    numbers = (member.offset, member.packed, member.size, abs(member.modified or 0))
    is_below = not name.is_absolute() and ".." not in name.parts
    return is_below and all(0 <= number < _MOST for number in numbers) and _details_can_be(member.details)


def _details_can_be(some: Details) -> bool:
    """Whether details are few, and none is a sentence that their process made up."""
    return len(some) <= _MOST_DETAILS and all(detail.code is not Clause.EARLIER for detail in some)


def _print_can_be(found: TextPrint, scheme: Scheme) -> bool:
    return (
        0 <= found.fingerprint < 1 << scheme.bits
        and all(0 <= number < _MOST_WORDS for number in (found.words, found.shingles))
        and found.language.isascii()
        and len(found.language) <= _LONGEST_WORD
        and len(found.text_hash) == HASH_BYTES
        and len(found.sketch) <= scheme.sketch
        and all(values.ndim == 1 for values in (found.sketch, found.trace))
        and len(found.trace) <= MOST_TRACED
    )


def read_one(task: ReadTask) -> DocumentRow | Listing:
    """Read a file, or list an archive. Whatever is wrong with it becomes the row's status; nothing is raised for a bad
    file.

    MemoryError alone passes: the sandbox then tries the task once more, by the second reader.
    """
    begun = processor_seconds()
    result = _read(task)
    return result if isinstance(result, Listing) else replace(result, seconds=processor_seconds() - begun)


def _read(task: ReadTask) -> DocumentRow | Listing:
    if task.inside is None:
        forget_unpacked()
    try:
        if task.inside is not None:
            return replace(_member_row(task, task.inside), archive=task.inside.number)
        for _ in range(2):
            stamp, data = _bytes_of(task.stamp.path, task.largest)
            if isinstance(data, Contents):
                return Listing(stamp, data)
            if data is not None:
                return _row(stamp, data, task)
        return DocumentRow(stamp, ProblemKind.CHANGED)
    except Unreadable as trouble:
        return DocumentRow(task.stamp, trouble.kind, trouble.details)
    except OSError as error:
        return DocumentRow(task.stamp, *refused_by_system(error))


def _member_row(task: ReadTask, inside: Inside) -> DocumentRow:
    try:
        with _opened(inside.archive.path) as (stream, status):
            if FileStamp.of(inside.archive.path, status).key() != inside.archive.key():
                return DocumentRow(task.stamp, ProblemKind.CHANGED, details(Clause.ARCHIVE_CHANGED))
            data = _member_bytes(stream, task.stamp.path, inside.member)
    except Unreadable as trouble:
        return DocumentRow(task.stamp, trouble.kind, trouble.details)
    except OSError as error:
        return DocumentRow(task.stamp, *refused_by_system(error))
    return _row(task.stamp, data, task)


def refused_by_system(error: OSError) -> tuple[ProblemKind, Details]:
    if error.errno == errno.ELOOP:
        return ProblemKind.CHANGED, details(Clause.REPLACED_BY_LINK)
    kind = ProblemKind.VANISHED if error.errno == errno.ENOENT else ProblemKind.UNREADABLE
    return kind, system_details(error)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """A regular file to read, and its status. Unreadable for anything else, OSError."""
    descriptor = open_handed(path)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(ProblemKind.UNREADABLE, details(Clause.NOT_REGULAR))
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
                over = details(Clause.OVER_LIMIT, bytes=before.st_size, limit=largest)
                raise Unreadable(ProblemKind.TOO_LARGE, over)
            stream.seek(0)
            found = stream.read()
        after = os.fstat(stream.fileno())
    stamp = FileStamp.of(path, after)
    whole = isinstance(found, Contents) or len(found) == after.st_size
    return stamp, found if whole and stamp.key() == FileStamp.of(path, before).key() else None


def _may_be_read(path: Path, head: bytes) -> None:
    """Raise Unreadable when the first bytes are of no document."""
    if head and recognise(path, head) is MediaType.UNKNOWN:
        raise Unreadable(ProblemKind.UNSUPPORTED, unread_kind(path))


def _member_bytes(stream: IO[bytes], path: Path, member: ArchiveMember) -> bytes:
    """The unpacked bytes of a member. Raises Unreadable, after the first piece where that is of no document."""
    data = bytearray()
    for piece in pieces_of(stream, member):
        if not data:
            _may_be_read(path, piece[:HEAD_BYTES])
        data += piece
    if is_archive(path, bytes(data[:HEAD_BYTES])) and contents_of(BytesIO(data)) is not None:
        raise Unreadable(ProblemKind.SKIPPED, details(Clause.ARCHIVE_IN_ARCHIVE))
    return bytes(data)


def _row(stamp: FileStamp, data: bytes, task: ReadTask) -> DocumentRow:
    digest = hashlib.blake2b(data, digest_size=HASH_BYTES).digest()
    if task.media is not None:
        media = sniff(data, stamp.path)
        if media is not MediaType.UNKNOWN and media not in task.media:
            return DocumentRow(stamp, ProblemKind.SKIPPED, left_out_by_kind(media), media=media)
    extraction = extract(data, stamp.path, attempt=task.attempt, ocr=task.ocr)
    if extraction.extracted is None:
        problem = extraction.problem
        kind, why = (problem.kind, problem.details) if problem else (ProblemKind.DAMAGED, ())
        media = sniff(data, stamp.path) if kind is ProblemKind.NO_TEXT else MediaType.UNKNOWN
        return DocumentRow(stamp, kind, why, media=media, content_hash=digest)
    return _document(stamp, digest, extraction, extraction.extracted, task.scheme)


def left_out_by_kind(media: str) -> Details:
    """What is told of a file whose kind was not chosen."""
    return details(Clause.OTHER_KINDS, kind=media)


def _document(
    stamp: FileStamp, digest: bytes, extraction: Extraction, extracted: Extracted, scheme: Scheme
) -> DocumentRow:
    found = fingerprinter(scheme).print_of(normalise(extracted.text, simplify=scheme.simplify))
    status: str = READ
    if extraction.problem is not None and not found.words:
        status, why = extraction.problem.kind, extraction.problem.details
    elif not found.words:
        status, why = ProblemKind.NO_TEXT, ()
    elif not found.has_features:
        status, why = ProblemKind.TOO_SHORT, details(Clause.FEW_WORDS)
    else:
        why = _how_read(extracted, extraction.problem)
    return DocumentRow(
        stamp,
        status,
        why,
        media=extracted.media_type,
        reader=extracted.reader,
        title=extracted.title,
        author=extracted.author,
        pages=extracted.pages,
        inside_date=_seconds(extracted.modified or extracted.created),
        content_hash=digest,
        partial=extracted.partial,
        text_print=found if found.words else None,
        other=packed(extracted.other),
    )


def _how_read(extracted: Extracted, problem: Problem | None) -> Details:
    """What is to be known of a text: that a plainer reader, or OCR, read it, and what ended the reading early."""
    ways = tuple(note for note in extracted.notes if note.code in _WAYS)[:1]
    return ways if problem is None else ways + problem.details


def read_text(path: Path) -> Extraction:
    """The text of one file as a scan would read it, for comparing. Whatever is wrong is the extraction's problem."""
    try:
        archive = holder_of(path)
        data = _bytes_of(path)[1] if archive is None else _bytes_inside(archive, path)
    except Unreadable as trouble:
        return _trouble(path, trouble.kind, trouble.details)
    except OSError as error:
        return _trouble(path, *refused_by_system(error))
    if isinstance(data, Contents):
        return _trouble(path, ProblemKind.UNSUPPORTED, details(Clause.NAME_A_MEMBER))
    if data is None:
        return _trouble(path, ProblemKind.CHANGED, ())
    return extract(data, path)


def _bytes_inside(archive: Path, path: Path) -> bytes:
    """The bytes of a member by its path below the archive. Raises Unreadable, OSError."""
    name = path.relative_to(archive).as_posix()
    with _opened(archive) as (stream, status):
        member = _members_of(archive, FileStamp.of(archive, status).key()).get(name)
        if member is None:
            raise Unreadable(ProblemKind.VANISHED, details(Clause.NO_SUCH_MEMBER, archive=archive.name))
        return _member_bytes(stream, path, member)


@functools.lru_cache(maxsize=1)
def _members_of(archive: Path, key: tuple[int, ...]) -> dict[str, ArchiveMember]:
    """The members by name of an archive as it is under this stamp. Whoever reads many of them asks for the same one
    again and again. Raises Unreadable, OSError."""
    with _opened(archive) as (stream, status):
        if FileStamp.of(archive, status).key() != key:
            raise Unreadable(ProblemKind.CHANGED, details(Clause.ARCHIVE_CHANGED))
        if not is_archive(archive, stream.read(HEAD_BYTES)):
            raise Unreadable(ProblemKind.VANISHED, details(Clause.NO_ARCHIVE, archive=archive.name))
        contents = contents_of(stream)
    return {} if contents is None else {member.name: member for member in contents.members}


def _trouble(path: Path, kind: ProblemKind, some: Details) -> Extraction:
    return Extraction(None, Problem(path, Stage.READ, kind, some))


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
