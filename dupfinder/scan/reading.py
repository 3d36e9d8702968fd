"""Reading one file to what the library stores: bytes, hash, text, numbers. Runs in a reading process."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dupfinder.base.problems import Problem, ProblemKind
from dupfinder.base.progress import Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.rows import NO_DATE, READ, DocumentRow
from dupfinder.text.document import Extracted, Extraction, MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
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
    first took the reading process down."""

    stamp: FileStamp
    scheme: Scheme
    media: frozenset[MediaType] | None = None
    fallback: bool = False


class _Unsupported(Exception):
    """The first bytes are of no document."""


def read_one(task: ReadTask) -> DocumentRow:
    """Read a file. Whatever is wrong with it becomes the row's status; nothing is raised for a bad file.

    MemoryError alone passes: the sandbox then tries the task once more, by the second reader.
    """
    try:
        for _ in range(2):
            stamp, data = _bytes_of(task)
            if data is not None:
                return _row(stamp, data, task)
        return DocumentRow(stamp, ProblemKind.CHANGED, "it kept changing while it was read")
    except _Unsupported:
        return DocumentRow(task.stamp, ProblemKind.UNSUPPORTED, "not a kind of document that can be read")
    except OSError as error:
        kind = ProblemKind.VANISHED if error.errno == errno.ENOENT else ProblemKind.UNREADABLE
        if error.errno == errno.ELOOP:
            return DocumentRow(task.stamp, ProblemKind.CHANGED, "it was replaced by a symbolic link")
        return DocumentRow(task.stamp, kind, (error.strerror or "the system refused").lower())


def _bytes_of(task: ReadTask) -> tuple[FileStamp, bytes | None]:
    """The stamp and bytes of a regular file; None for the bytes when it changed under the reading."""
    # O_NONBLOCK: should a pipe have taken the file's place, opening it does not wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(task.stamp.path, flags)
    with os.fdopen(descriptor, "rb") as stream:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "no longer a regular file")
        head = stream.read(HEAD_BYTES)
        if head and recognise(task.stamp.path, head) is MediaType.UNKNOWN:
            raise _Unsupported
        data = head + stream.read()
        after = os.fstat(descriptor)
    stamp = FileStamp.of(task.stamp.path, after)
    whole = len(data) == after.st_size and stamp.key() == FileStamp.of(task.stamp.path, before).key()
    return stamp, data if whole else None


def _row(stamp: FileStamp, data: bytes, task: ReadTask) -> DocumentRow:
    digest = hashlib.blake2b(data, digest_size=HASH_BYTES).digest()
    if task.media is not None:
        media = sniff(data, stamp.path)
        if media is not MediaType.UNKNOWN and media not in task.media:
            return DocumentRow(stamp, ProblemKind.SKIPPED, left_out_by_kind(media), media=media, content_hash=digest)
    extraction = extract(data, stamp.path, fallback_only=task.fallback)
    if extraction.extracted is None:
        problem = extraction.problem
        kind, detail = (problem.kind, problem.detail) if problem else (ProblemKind.DAMAGED, "")
        return DocumentRow(stamp, kind, detail, content_hash=digest)
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
        detail = extraction.problem.detail
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
    task = ReadTask(FileStamp(path, 0, 0, 0, 0, 0), Scheme())
    try:
        _, data = _bytes_of(task)
    except _Unsupported:
        return _trouble(path, ProblemKind.UNSUPPORTED, "not a kind of document that can be read")
    except OSError as error:
        kind = ProblemKind.VANISHED if error.errno == errno.ENOENT else ProblemKind.UNREADABLE
        return _trouble(path, kind, (error.strerror or "the system refused").lower())
    if data is None:
        return _trouble(path, ProblemKind.CHANGED, "it kept changing while it was read")
    return extract(data, path)


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
