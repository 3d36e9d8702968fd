"""Read a file, or a member of an archive, into the row that the library stores: hash, text print, properties.

Runs in a reading process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from dupfinder.base.details import Clause, Details, Problem, ProblemKind, details
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import other_bytes
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.fingerprint.tokens import MOST_TRACED
from dupfinder.library.rows import NO_DATE, READ, DocumentRow
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.worker import Failure, processor_seconds
from dupfinder.text.archives.members import ArchiveContents, ArchiveMember
from dupfinder.text.document import Attempt, Extracted, MediaType, ReadResult, Unreadable
from dupfinder.text.normalise import normalise
from dupfinder.text.source import Membership, holder_of, is_unpacked_whole, read_path, read_source, refused_by_system

HASH_BYTES = 16
_BEYOND_64, _BEYOND_32 = 1 << 63, 1 << 31  # the library's columns of 64 and of 32 bits hold smaller numbers
_LONGEST_NAME, _LONGEST_TEXT = 40, 1_000_000  # characters: of readers and kinds; of titles
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
    inside: Membership | None = None
    ocr: str = ""

    @property
    def archive(self) -> int | None:
        """The id of a member's archive in the library, None for a file."""
        return None if self.inside is None else self.inside.number


@dataclass(frozen=True, slots=True)
class Unprinted:
    """A document that was read, but whose print is not computed yet from its normalised text.

    row:     its row without the print. problem: what ended reading early; the status of a row without words.
    """

    row: DocumentRow
    text: str
    scheme: Scheme
    problem: Problem | None

    def row_with(self, text_print: TextPrint, seconds: float) -> DocumentRow:
        """Return the row with its print. seconds: of CPU that computing the print took."""
        row = replace(self.row, seconds=(self.row.seconds or 0.0) + seconds)
        if not text_print.words:
            kind, why = (self.problem.kind, self.problem.details) if self.problem else (ProblemKind.NO_TEXT, ())
            return replace(row, status=kind, details=why)
        if not text_print.has_features:
            row = replace(row, status=ProblemKind.TOO_SHORT, details=details(Clause.FEW_WORDS))
        return replace(row, text_print=text_print)


@dataclass(frozen=True, slots=True)
class ListedArchive:
    """An archive with its members, which must still be read."""

    stamp: FileStamp
    contents: ArchiveContents


def in_turns(tasks: Sequence[ReadTask]) -> list[tuple[list[ReadTask], int]]:
    """Split tasks into portions that are done one after the other: the others of `by_archive`, then each archive.

    Return each with the bytes that a reading process unpacks before the first of them.
    """
    others, portions = by_archive(tasks)
    members = [[task.inside.member for task in portion if task.inside is not None] for portion in portions]
    unpacked = [max(member.offset + member.size for member in portion) for portion in members]
    return [*([(others, 0)] if others else []), *zip(portions, unpacked, strict=True)]


def by_archive(tasks: Sequence[ReadTask]) -> tuple[list[ReadTask], list[list[ReadTask]]]:
    """Split tasks into (others, a list for each archive that must be unpacked as a whole to read a member).

    So a reading process unpacks each of these archives once.
    """
    others: list[ReadTask] = []
    portions: dict[Path, list[ReadTask]] = {}
    for task in tasks:
        if task.inside is not None and is_unpacked_whole(task.inside.member):
            portions.setdefault(task.inside.archive.path, []).append(task)
        else:
            others.append(task)
    return others, list(portions.values())


def another_attempt(task: ReadTask, failure: Failure) -> ReadTask | None:
    """Return the task for another attempt at a file that failed; None if recognising its pages took too long.

    A plainer reader would have to recognise them too.
    """
    return None if failure is Failure.TOO_SLOW and task.ocr else replace(task, attempt=attempt_after(failure))


def attempt_after(failure: Failure) -> Attempt:
    """Return which readers are tried after a failure."""
    return Attempt.PLAINEST if failure is Failure.TOO_SLOW else Attempt.SECOND


def files_of(task: ReadTask) -> tuple[Path]:
    """Return the file that a task reads: its own, or its archive."""
    return (task.stamp.path if task.inside is None else task.inside.archive.path,)


def file_holding(path: Path) -> Path:
    """Return the file on disk that holds a document: itself, or its archive."""
    return holder_of(path) or path


def answer_of(done: TaskResult[ReadTask, DocumentRow | ListedArchive]) -> DocumentRow | ListedArchive:
    """Return what a reading process answered about a file; a row with a problem if the answer is impossible or missing.

    A process that was taken over by a hostile document may send anything of the right types.
    """
    task, answer = done.task, done.value
    if answer is not None and _is_possible(answer, task):
        return answer if isinstance(answer, ListedArchive) or not done.seconds else _charged(answer, done.seconds)
    if done.failure is None:
        return DocumentRow(task.stamp, ProblemKind.DAMAGED, details(Clause.IMPOSSIBLE_ANSWER), archive=task.archive)
    return _charged(DocumentRow(task.stamp, FAILED[done.failure], done.details, archive=task.archive), done.seconds)


def _charged(row: DocumentRow, seconds: float) -> DocumentRow:
    """Return a row with the processor time of failed attempts added; unknown if none was measured."""
    return replace(row, seconds=(row.seconds or 0.0) + seconds or None)


def _is_possible(answer: DocumentRow | ListedArchive, task: ReadTask) -> bool:
    """Tell whether an answer is about the file that was asked for, with values that the library can store."""
    if answer.stamp.path != task.stamp.path or not 0 <= answer.stamp.size < _BEYOND_64:
        return False
    if isinstance(answer, ListedArchive):
        contents = answer.contents
        return (
            task.inside is None
            and _are_possible_details(contents.trouble)
            and all(map(_is_possible_member, contents.members))
        )
    return (
        (answer.archive, answer.members) == (task.archive, None)
        and (answer.status == READ or answer.status in set(ProblemKind))
        and all(name.isascii() and len(name) <= _LONGEST_NAME for name in (answer.media, answer.reader))
        and all(len(text) <= _LONGEST_TEXT for text in (answer.title, answer.author))
        and _are_possible_details(answer.details)
        and 0 <= (answer.pages or 0) < _BEYOND_32
        and abs(answer.inside_date) < _BEYOND_64
        and len(answer.content_hash) in (0, HASH_BYTES)
        and (answer.text_print is None or _is_possible_print(answer.text_print, task.scheme))
    )


def _is_possible_member(member: ArchiveMember) -> bool:
    """Tell whether a member has a safe path and numbers that the library can store."""
    name = PurePosixPath(member.name)
    numbers = (member.offset, member.packed, member.size, abs(member.modified or 0))
    is_below = not name.is_absolute() and ".." not in name.parts
    return is_below and all(0 <= number < _BEYOND_64 for number in numbers) and _are_possible_details(member.details)


def _are_possible_details(facts: Details) -> bool:
    """Tell whether details are few and contain no sentences of the process."""
    return len(facts) <= _MOST_DETAILS and all(detail.code is not Clause.EARLIER for detail in facts)


def _is_possible_print(text_print: TextPrint, scheme: Scheme) -> bool:
    """Tell whether a text print has values that the library can store."""
    return (
        0 <= text_print.fingerprint < 1 << scheme.bits
        and all(0 <= number < _BEYOND_32 for number in (text_print.words, text_print.shingles))
        and text_print.language.isascii()
        and len(text_print.language) <= _LONGEST_NAME
        and len(text_print.text_hash) == HASH_BYTES
        and min(text_print.shingles, scheme.sketch) <= len(text_print.sketch) <= text_print.shingles
        and all(values.ndim == 1 for values in (text_print.sketch, text_print.trace))
        and len(text_print.trace) <= MOST_TRACED
    )


def read_one(task: ReadTask) -> DocumentRow | ListedArchive:
    """Read a file, or list an archive. A bad file raises nothing: the row's status tells what is wrong.

    Only MemoryError is raised: then the sandbox tries the task again with the second reader.
    """
    return with_prints([read_unprinted(task)])[0]


def read_unprinted(task: ReadTask) -> DocumentRow | Unprinted | ListedArchive:
    """Do what `read_one` does except for the print, which `with_prints` makes for several documents at once."""
    begun = processor_seconds()
    result: DocumentRow | Unprinted
    try:
        content, stamp = read_source(task.stamp.path, task.inside, task.largest)
        if isinstance(content, ArchiveContents):
            return ListedArchive(stamp or task.stamp, content)
        result = _read(task, content, stamp or task.stamp)
    except Unreadable as trouble:
        result = DocumentRow(task.stamp, trouble.kind, trouble.details, archive=task.archive)
    except OSError as error:
        result = DocumentRow(task.stamp, *refused_by_system(error), archive=task.archive)
    seconds = processor_seconds() - begun
    if isinstance(result, Unprinted):
        return replace(result, row=replace(result.row, seconds=seconds))
    return replace(result, seconds=seconds)


def with_prints(results: list[DocumentRow | Unprinted | ListedArchive]) -> list[DocumentRow | ListedArchive]:
    """Return the results of `read_unprinted` with all prints made."""
    begun = processor_seconds()
    unprinted = [result for result in results if isinstance(result, Unprinted)]
    texts = [each.text for each in unprinted]
    prints = iter(fingerprinter(unprinted[0].scheme).prints_of(texts) if texts else ())  # all have one scheme
    seconds_a_letter = (processor_seconds() - begun) / max(1, sum(map(len, texts)))
    return [
        result.row_with(next(prints), seconds_a_letter * len(result.text)) if isinstance(result, Unprinted) else result
        for result in results
    ]


def _read(task: ReadTask, content: bytes, stamp: FileStamp) -> DocumentRow | Unprinted:
    """Return what a scan stores of this content, except for the print. stamp: of the file as it was read."""
    from dupfinder.text.extract import extract  # all readers, which only a process that reads loads

    digest = hashlib.blake2b(content, digest_size=HASH_BYTES).digest()
    row = DocumentRow(stamp, READ, archive=task.archive, content_hash=digest)
    extraction = extract(content, stamp.path, formats=task.media, attempt=task.attempt, ocr=task.ocr)
    extracted, problem, media = extraction.extracted, extraction.problem, extraction.media
    if extracted is None:
        kind, why = (problem.kind, problem.details) if problem else (ProblemKind.DAMAGED, ())
        if kind is ProblemKind.SKIPPED:
            return replace(row, status=kind, details=why, media=media, content_hash=b"")
        shown = media if kind is ProblemKind.NO_TEXT else MediaType.UNKNOWN
        return replace(row, status=kind, details=why, media=shown)
    row = replace(
        row,
        details=_how_read(extracted, problem),
        media=extracted.media_type,
        reader=extracted.reader,
        title=extracted.title,
        author=extracted.author,
        pages=extracted.pages,
        inside_date=_seconds(extracted.modified or extracted.created),
        partial=extracted.partial,
        other=other_bytes(extracted.other),
    )
    return Unprinted(row, normalise(extracted.text), task.scheme, problem)


def _how_read(extracted: Extracted, problem: Problem | None) -> Details:
    """Return what people should know: that a plain reader or OCR read the text, and what ended reading early."""
    remarks = tuple(note for note in extracted.notes if note.code in _WAYS)[:1]
    return remarks if problem is None else remarks + problem.details


def read_text(path: Path, attempt: Attempt = Attempt.FIRST) -> ReadResult:
    """Return the text of a file as a scan would read it. Problems are in the result."""
    from dupfinder.text.extract import extract_to_show

    try:
        return extract_to_show(read_path(path), path, attempt)
    except Unreadable as trouble:
        kind, why = trouble.kind, trouble.details
    except OSError as error:
        kind, why = refused_by_system(error)
    return ReadResult(None, Problem(kind, why))


def read_texts(paths: Sequence[Path], workers: int = 1) -> Iterator[tuple[Path, ReadResult]]:
    """Read the texts of files in processes that may fail without harm; yield each when it is read, in any order."""
    with Sandbox(read_text, workers=workers, files=lambda path: (file_holding(path),)) as sandbox:
        for done in sandbox.run(paths):
            if done.failure is None:
                assert done.value is not None
                yield done.task, done.value
            else:
                trouble = Problem(FAILED[done.failure], done.details)
                yield done.task, ReadResult(None, trouble)


def _seconds(moment: datetime | None) -> int:
    """Return a date as seconds since the epoch; NO_DATE for None and for a date out of range."""
    if moment is None:
        return NO_DATE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return int(aware.timestamp())
    except (OverflowError, ValueError, OSError):
        return NO_DATE
