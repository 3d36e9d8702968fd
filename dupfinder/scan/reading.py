"""Read a file, or a member of an archive, into the row that the library stores: hash, text print, properties.

Runs in a reading process.
"""

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
from typing import IO, Any

from dupfinder.base.details import Clause, Details, details, system_details
from dupfinder.base.problems import Problem, ProblemKind
from dupfinder.base.progress import Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import other_bytes
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.tokens import MOST_TRACED
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
from dupfinder.text.document import Extracted, Extraction, MediaType, Unreadable
from dupfinder.text.extract import Attempt, extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sniff import recognise, sniff, unread_kind

HASH_BYTES = 16
_MOST, _MOST_WORDS = 1 << 63, 1 << 31  # limits of the library's columns
_LONGEST_WORD, _LONGEST_TEXT = 40, 1_000_000  # characters: of readers and kinds; of titles
_MOST_DETAILS = 8  # of one file
_WAYS = (Clause.READ_PLAINLY_TOO_SLOW, Clause.READ_PLAINLY, Clause.RECOGNISED)  # ways of reading that are stored

# The problem of a file after a failure of the reading process.
FAILED = {
    Failure.TOO_SLOW: ProblemKind.TOO_SLOW,
    Failure.OUT_OF_MEMORY: ProblemKind.TOO_LARGE,
    Failure.CRASHED: ProblemKind.DAMAGED,
    Failure.ENDED: ProblemKind.UNREADABLE,  # the next scan tries again
}


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read.

    media:   formats to read (None: all). attempt: which readers are tried, after one crashed or took too long.
    inside:  where the bytes of a member are; its stamp then has a path below the archive and its unpacked size.
    largest: bytes of a file that is read as a document.
    ocr:     languages in which pages without a text layer are recognised.
    """

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
    """A member's archive as it was when it was listed, its id in the library, and the member in its directory."""

    archive: FileStamp
    number: int
    member: ArchiveMember


@dataclass(frozen=True, slots=True)
class Unprinted:
    """A document that was read, and whose print is still to be made of its normalised text.

    row:     its row without the print. problem: what ended reading early, for a row without words.
    """

    row: DocumentRow
    text: str
    scheme: Scheme
    problem: Problem | None

    def row_with(self, text_print: TextPrint, seconds: float) -> DocumentRow:
        """Return its row with the print, which took so many seconds of CPU."""
        row = replace(self.row, seconds=(self.row.seconds or 0.0) + seconds)
        if not text_print.words:
            kind, why = (self.problem.kind, self.problem.details) if self.problem else (ProblemKind.NO_TEXT, ())
            return replace(row, status=kind, details=why)
        if not text_print.has_features:
            row = replace(row, status=ProblemKind.TOO_SHORT, details=details(Clause.FEW_WORDS))
        return replace(row, text_print=text_print)


@dataclass(frozen=True, slots=True)
class Listing:
    """An archive with its members, which must still be read."""

    stamp: FileStamp
    contents: Contents


def in_turns(tasks: Sequence[ReadTask]) -> list[list[ReadTask]]:
    """Split tasks into portions that are done one after the other.

    First all files except members of archives that are unpacked as a whole; then these, archive by archive, so that a
    reading process unpacks each archive once.
    """
    others: list[ReadTask] = []
    portions: dict[Path, list[ReadTask]] = {}
    for task in tasks:
        if task.inside is not None and is_unpacked_whole(task.inside.member):
            portions.setdefault(task.inside.archive.path, []).append(task)
        else:
            others.append(task)
    return [portion for portion in (others, *portions.values()) if portion]


def another_attempt(task: ReadTask, failure: Failure) -> ReadTask | None:
    """Return the task to try after a failure, None if there is none: recognising pages takes long anyway."""
    if failure is Failure.TOO_SLOW:
        return None if task.ocr else replace(task, attempt=Attempt.PLAINEST)
    return replace(task, attempt=Attempt.SECOND)


def files_of(task: ReadTask) -> tuple[Path]:
    """Return the file that a task reads: its own, or its archive."""
    return (task.stamp.path if task.inside is None else task.inside.archive.path,)


def file_holding(path: Path) -> Path:
    """Return the file on disk that holds a document: itself, or its archive."""
    return holder_of(path) or path


def answer_of(done: Done[ReadTask, DocumentRow | Listing]) -> DocumentRow | Listing:
    """Return a reading process's answer about a file, or a row with a problem if there is none or it is impossible.

    A process that was taken over by a hostile document may send anything of the right types.
    """
    task, answer = done.task, done.value
    if answer is not None and _is_possible(answer, task):
        return answer if isinstance(answer, Listing) or not done.seconds else _charged(answer, done.seconds)
    archive = None if task.inside is None else task.inside.number
    if done.failure is None:
        return DocumentRow(task.stamp, ProblemKind.DAMAGED, details(Clause.IMPOSSIBLE_ANSWER), archive=archive)
    return _charged(DocumentRow(task.stamp, FAILED[done.failure], done.details, archive=archive), done.seconds)


def _charged(row: DocumentRow, seconds: float) -> DocumentRow:
    """Return a row with the processor time of attempts in vain added; unknown if none was measured."""
    return replace(row, seconds=(row.seconds or 0.0) + seconds or None)


def _is_possible(answer: DocumentRow | Listing, task: ReadTask) -> bool:
    """Tell whether an answer is about the file that was asked for, with values that the library can store."""
    if answer.stamp.path != task.stamp.path or not 0 <= answer.stamp.size < _MOST:
        return False
    if isinstance(answer, Listing):
        contents = answer.contents
        return (
            task.inside is None
            and _are_possible_details(contents.trouble)
            and all(map(_is_possible_member, contents.members))
        )
    inside = None if task.inside is None else task.inside.number
    words = (answer.media, answer.reader)
    numbers = (answer.pages or 0, answer.inside_date)
    return (
        (answer.archive, answer.members) == (inside, None)
        and (answer.status == READ or answer.status in set(ProblemKind))
        and all(word.isascii() and len(word) <= _LONGEST_WORD for word in words)
        and all(len(text) <= _LONGEST_TEXT for text in (answer.title, answer.author))
        and _are_possible_details(answer.details)
        and all(abs(number) < _MOST for number in numbers)
        and len(answer.content_hash) in (0, HASH_BYTES)
        and (answer.text_print is None or _is_possible_print(answer.text_print, task.scheme))
    )


def _is_possible_member(member: ArchiveMember) -> bool:
    """Tell whether a member has a safe path and numbers that the library can store."""
    name = PurePosixPath(member.name)
    numbers = (member.offset, member.packed, member.size, abs(member.modified or 0))
    is_below = not name.is_absolute() and ".." not in name.parts
    return is_below and all(0 <= number < _MOST for number in numbers) and _are_possible_details(member.details)


def _are_possible_details(facts: Details) -> bool:
    """Tell whether details are few and contain no sentences of the process."""
    return len(facts) <= _MOST_DETAILS and all(detail.code is not Clause.EARLIER for detail in facts)


def _is_possible_print(text_print: TextPrint, scheme: Scheme) -> bool:
    """Tell whether a text print has values that the library can store."""
    return (
        0 <= text_print.fingerprint < 1 << scheme.bits
        and all(0 <= number < _MOST_WORDS for number in (text_print.words, text_print.shingles))
        and text_print.language.isascii()
        and len(text_print.language) <= _LONGEST_WORD
        and len(text_print.text_hash) == HASH_BYTES
        and len(text_print.sketch) <= scheme.sketch
        and all(values.ndim == 1 for values in (text_print.sketch, text_print.trace))
        and len(text_print.trace) <= MOST_TRACED
    )


def read_one(task: ReadTask) -> DocumentRow | Listing:
    """Read a file, or list an archive. A bad file raises nothing: the row's status tells what is wrong.

    Only MemoryError is raised: then the sandbox tries the task again with the second reader.
    """
    return with_prints([read_unprinted(task)])[0]


def read_unprinted(task: ReadTask) -> DocumentRow | Unprinted | Listing:
    """Do all of `read_one` but the print, which `with_prints` makes for several documents at once."""
    begun = processor_seconds()
    result = _read(task)
    return result if isinstance(result, Listing) else _changed(result, seconds=processor_seconds() - begun)


def with_prints(results: list[DocumentRow | Unprinted | Listing]) -> list[DocumentRow | Listing]:
    """Return the results of `read_unprinted` with all prints made."""
    begun = processor_seconds()
    unprinted = [result for result in results if isinstance(result, Unprinted)]
    prints = iter(_prints_of(unprinted))
    a_letter = (processor_seconds() - begun) / max(1, sum(len(each.text) for each in unprinted))
    return [
        result.row_with(next(prints), a_letter * len(result.text)) if isinstance(result, Unprinted) else result
        for result in results
    ]


def _prints_of(documents: Sequence[Unprinted]) -> list[TextPrint]:
    """Return the prints of documents. All are read under one scheme."""
    return fingerprinter(documents[0].scheme).prints_of([each.text for each in documents]) if documents else []


def _changed(result: DocumentRow | Unprinted, **fields: Any) -> DocumentRow | Unprinted:
    """Return a result with other values of some fields of its row."""
    if isinstance(result, Unprinted):
        return replace(result, row=replace(result.row, **fields))
    return replace(result, **fields)


def _read(task: ReadTask) -> DocumentRow | Unprinted | Listing:
    """Read a file without making its print, or list an archive."""
    if task.inside is None:
        forget_unpacked()
    try:
        if task.inside is not None:
            return _changed(_member_row(task, task.inside), archive=task.inside.number)
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


def _member_row(task: ReadTask, inside: Inside) -> DocumentRow | Unprinted:
    """Return the row of a member."""
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
    """Return the problem for an error of the system."""
    if error.errno == errno.ELOOP:
        return ProblemKind.CHANGED, details(Clause.REPLACED_BY_LINK)
    kind = ProblemKind.VANISHED if error.errno == errno.ENOENT else ProblemKind.UNREADABLE
    return kind, system_details(error)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """Open a regular file and yield it with its status. Raises Unreadable for anything else, OSError."""
    descriptor = open_handed(path)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(ProblemKind.UNREADABLE, details(Clause.NOT_REGULAR))
        yield stream, status


def _bytes_of(path: Path, largest: int | None = None) -> tuple[FileStamp, bytes | Contents | None]:
    """Return the stamp and bytes of a regular file, or the members of an archive; None instead of either if it changed.

    Raises Unreadable for files that are not documents, OSError.
    """
    with _opened(path) as (stream, before):
        head = stream.read(HEAD_BYTES)
        content: bytes | Contents | None = contents_of(stream) if is_archive(path, head) else None
        if content is None:
            _check_head(path, head)
            if largest is not None and before.st_size > largest:
                over = details(Clause.OVER_LIMIT, bytes=before.st_size, limit=largest)
                raise Unreadable(ProblemKind.TOO_LARGE, over)
            stream.seek(0)
            content = stream.read()
        after = os.fstat(stream.fileno())
    stamp = FileStamp.of(path, after)
    is_complete = isinstance(content, Contents) or len(content) == after.st_size
    return stamp, content if is_complete and stamp.key() == FileStamp.of(path, before).key() else None


def _check_head(path: Path, head: bytes) -> None:
    """Raise Unreadable if the first bytes show that it is not a document."""
    if head and recognise(path, head) is MediaType.UNKNOWN:
        raise Unreadable(ProblemKind.UNSUPPORTED, unread_kind(path))


def _member_bytes(stream: IO[bytes], path: Path, member: ArchiveMember) -> bytes:
    """Return the unpacked bytes of a member. Raises Unreadable, early if it is not a document."""
    data = bytearray()
    for piece in pieces_of(stream, member):
        if not data:
            _check_head(path, piece[:HEAD_BYTES])
        data += piece
    if is_archive(path, bytes(data[:HEAD_BYTES])) and contents_of(BytesIO(data)) is not None:
        raise Unreadable(ProblemKind.SKIPPED, details(Clause.ARCHIVE_IN_ARCHIVE))
    return bytes(data)


def _row(stamp: FileStamp, data: bytes, task: ReadTask) -> DocumentRow | Unprinted:
    """Return the row of a file with these bytes."""
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
    """Return the details of a file whose kind was not wanted."""
    return details(Clause.OTHER_KINDS, kind=media)


def _document(
    stamp: FileStamp, digest: bytes, extraction: Extraction, extracted: Extracted, scheme: Scheme
) -> Unprinted:
    """Return a document with text."""
    row = DocumentRow(
        stamp,
        READ,
        _how_read(extracted, extraction.problem),
        media=extracted.media_type,
        reader=extracted.reader,
        title=extracted.title,
        author=extracted.author,
        pages=extracted.pages,
        inside_date=_seconds(extracted.modified or extracted.created),
        content_hash=digest,
        partial=extracted.partial,
        other=other_bytes(extracted.other),
    )
    return Unprinted(row, normalise(extracted.text, simplify=scheme.simplify), scheme, extraction.problem)


def _how_read(extracted: Extracted, problem: Problem | None) -> Details:
    """Return what people should know: that a plain reader or OCR read the text, and what ended reading early."""
    ways = tuple(note for note in extracted.notes if note.code in _WAYS)[:1]
    return ways if problem is None else ways + problem.details


def read_text(path: Path) -> Extraction:
    """Return the text of a file as a scan would read it. Problems are in the result."""
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
    """Return the bytes of a member by its path below the archive. Raises Unreadable, OSError."""
    name = path.relative_to(archive).as_posix()
    with _opened(archive) as (stream, status):
        member = _members_of(archive, FileStamp.of(archive, status).key()).get(name)
        if member is None:
            raise Unreadable(ProblemKind.VANISHED, details(Clause.NO_SUCH_MEMBER, archive=archive.name))
        return _member_bytes(stream, path, member)


@functools.lru_cache(maxsize=1)
def _members_of(archive: Path, key: tuple[int, ...]) -> dict[str, ArchiveMember]:
    """Return the members, by name, of an archive with this stamp. Raises Unreadable, OSError.

    Cached, because several members are often read one after the other.
    """
    with _opened(archive) as (stream, status):
        if FileStamp.of(archive, status).key() != key:
            raise Unreadable(ProblemKind.CHANGED, details(Clause.ARCHIVE_CHANGED))
        if not is_archive(archive, stream.read(HEAD_BYTES)):
            raise Unreadable(ProblemKind.VANISHED, details(Clause.NO_ARCHIVE, archive=archive.name))
        contents = contents_of(stream)
    return {} if contents is None else {member.name: member for member in contents.members}


def _trouble(path: Path, kind: ProblemKind, facts: Details) -> Extraction:
    """Return a problem without a text."""
    return Extraction(None, Problem(path, Stage.READ, kind, facts))


@functools.lru_cache(maxsize=2)
def fingerprinter(scheme: Scheme) -> Fingerprinter:
    """Return the fingerprinter of a scheme. Cached."""
    return Fingerprinter(scheme)


def _seconds(moment: datetime | None) -> int:
    """Return a date as seconds since the epoch, NO_DATE if it is None or out of range."""
    if moment is None:
        return NO_DATE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return int(aware.timestamp())
    except (OverflowError, ValueError, OSError):
        return NO_DATE
