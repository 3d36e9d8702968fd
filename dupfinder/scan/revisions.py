"""Revisions, under which readings are stored so that a scan reuses only what it would read; rows of unread files.

Limits and OCR settings are part of a revision. Pages without a text layer are recognised after all other files were
read, by processes with longer limits. Files that are not documents are left out or compared by their bytes only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dupfinder.base.details import Clause, Details, ProblemKind, details, stored
from dupfinder.base.settings import FILE_MEMORY, FILE_SECONDS, Settings
from dupfinder.base.stamp import FileStamp
from dupfinder.library.library import EarlierReading, LibraryFile
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.worker import Limits, memory_allowed
from dupfinder.scan.reading import ReadTask
from dupfinder.scan.request import ScanRequest
from dupfinder.scan.walk import WalkedFile
from dupfinder.text.document import OCR_SECONDS, READER_REVISION, MediaType
from dupfinder.text.pdf import ocr

_CUT_SHORT = (ProblemKind.TOO_SLOW, ProblemKind.TOO_LARGE)
# What may be due to a limit: a plain reader, tried after another took too much memory or time; and a process that ended
# as those do that are refused memory.
_BY_LIMITS = (Clause.READ_PLAINLY, Clause.READ_PLAINLY_TOO_SLOW, Clause.ENDED_OUT_OF_MEMORY)


@dataclass(frozen=True, slots=True)
class Revisions:
    """The revisions of a scan's readings.

    plain:      depends on readers and scheme only. limited: of files that the limits cut short; with other limits they
                are read again.
    recognised: of pages recognised in `languages`. unrecognised: of files whose recognition the limits ended. All three
                are "" if no pages are recognised.
    """

    plain: str
    limited: str
    recognised: str
    unrecognised: str
    languages: str

    @classmethod
    def of(cls, request: ScanRequest, settings: Settings) -> Revisions:
        """Return the revisions of a request under the limits in the settings."""
        plain = f"{request.scheme.id}-{READER_REVISION}"
        languages = request.ocr if request.ocr and ocr.is_available() else ""
        megabytes = memory_allowed(settings.integer(FILE_MEMORY) << 20) >> 20
        limited = f"{plain}-{settings.number(FILE_SECONDS):g}s-{megabytes}MB"
        by_ocr = (f"{plain}-ocr-{languages}", f"{limited}-ocr-{languages}") if languages else ("", "")
        return cls(plain, limited, *by_ocr, languages)

    def of_row(self, row: DocumentRow, *, recognised: bool) -> str:
        """Return the revision of one reading. Members of archives have the plain one, whatever the limits.

        A file over the request's limit of size counts as left out.
        """
        by_limits = row.status in _CUT_SHORT or any(detail.code in _BY_LIMITS for detail in row.details)
        if recognised:
            return self.unrecognised if by_limits else self.recognised
        if row.archive is None and any(detail.code is Clause.OVER_LIMIT for detail in row.details):
            return NOT_READ
        return self.limited if (row.partial or by_limits) and row.archive is None else self.plain

    def known(self, library: LibraryFile) -> dict[bytes, EarlierReading]:
        """Return the newest reading of each path (bytes), or an older one in which the same file was recognised."""
        known_files = library.known(self.plain)
        for path, limited in library.known(self.limited).items():
            if path not in known_files or limited.id > known_files[path].id:
                known_files[path] = limited
        for revision in (self.unrecognised, self.recognised) if self.languages else ():
            for path, recognised in library.known(revision).items():
                other = known_files.get(path)
                if other is None or recognised.id > other.id or recognised.key == other.key:
                    known_files[path] = recognised
        return known_files

    def recognisable(self, status: str, media: str) -> bool:
        """Tell whether recognition may find text in a file with this status and kind."""
        return bool(self.languages) and status == ProblemKind.NO_TEXT and media == MediaType.PDF

    def may_be_recognised(self, known: EarlierReading) -> bool:
        """Tell whether recognition may find text in a known file, and was not tried on it."""
        were_tried = (self.recognised, self.unrecognised)
        return self.recognisable(known.status, known.media) and known.revision not in were_tried

    def task(self, task: ReadTask) -> ReadTask:
        """Return the task of recognising a file's pages."""
        return replace(task, ocr=self.languages)


def recognition_limits(settings: Settings) -> Limits:
    """Return the limits for recognising one file, which takes long, page by page, in another program."""
    return Limits(
        seconds=OCR_SECONDS + settings.number(FILE_SECONDS),
        memory_bytes=settings.integer(FILE_MEMORY) << 20,
        all_slow=True,
        programs=(ocr.PROGRAM,),
    )


NOT_READ = ""  # the revision of files that a request left out; another request may include them
BY_BYTES = "bytes"  # the revision of files without a reader, whose bytes are compared
_WITHOUT_READER = (ProblemKind.UNSUPPORTED, ProblemKind.BYTES_ONLY)
_LEFT_OUT = (ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED)  # unless files of every kind are compared


@dataclass(frozen=True, slots=True)
class KnownHashes:
    """What is known of the bytes of files before any is read.

    every: files of every kind are compared, those that are not documents by their bytes.
    content_hashes: of each hashed file by its stamp. problems: why others could not be hashed.
    """

    every: bool = False
    content_hashes: Mapping[FileStamp, bytes] = field(default_factory=dict)
    problems: Mapping[FileStamp, tuple[ProblemKind, Details]] = field(default_factory=dict)

    def hash_of(self, stamp: FileStamp) -> bytes:
        """Return the content hash of a file; b"" if it is unknown, because no other file has the same size."""
        return self.content_hashes.get(stamp, b"")

    def row(self, stamp: FileStamp, media: str = "") -> DocumentRow:
        """Return the row of a file that is compared by its bytes. media: its kind, if that is left out."""
        if (problem := self.problems.get(stamp)) is not None:
            return DocumentRow(stamp, *problem)
        return DocumentRow(stamp, ProblemKind.BYTES_ONLY, media=media, content_hash=self.hash_of(stamp))

    def row_of(self, row: DocumentRow) -> DocumentRow:
        """Return the row of a file that was read: compared by its bytes if its kind is left out."""
        if self.every and row.archive is None and row.status in _LEFT_OUT:
            return self.row(row.stamp, row.media)
        return row

    def row_of_archive(self, row: DocumentRow) -> DocumentRow:
        """Return the row of an archive, with its hash if files of every kind are compared."""
        return replace(row, content_hash=self.hash_of(row.stamp)) if self.every else row

    def is_hash_right(self, before: EarlierReading, stamp: FileStamp) -> bool:
        """Tell whether the stored row of an unchanged file has the content hash that it would have now.

        Archives have one only if files of every kind are compared.
        """
        if before.members is not None and not self.every:
            return not before.content_hash
        if before.members is None and before.status in _LEFT_OUT:
            return True
        return bool(before.content_hash) or not self.hash_of(stamp)


def row_of_unread(
    entry: WalkedFile, before: EarlierReading | None, media: frozenset[MediaType] | None, by_bytes: KnownHashes
) -> DocumentRow | None:
    """Return the row of a file that is not read in this scan; None if it must be read or an earlier reading applies."""
    if entry.refused is not None:
        return DocumentRow(entry.stamp, entry.refused, entry.details)
    if entry.bytes_only:
        return by_bytes.row(entry.stamp)
    if before is None or before.members is not None:
        return None
    if not before.media and before.status in _WITHOUT_READER:
        if by_bytes.every:
            return by_bytes.row(entry.stamp)
        return DocumentRow(entry.stamp, ProblemKind.UNSUPPORTED) if before.status == ProblemKind.BYTES_ONLY else None
    if before.media and not is_to_read(before, media):
        if by_bytes.every:
            return by_bytes.row(entry.stamp, before.media)
        if before.status != ProblemKind.SKIPPED:
            return DocumentRow(entry.stamp, ProblemKind.SKIPPED, details(Clause.OTHER_KINDS, kind=before.media))
    return None


def revision_of(row: DocumentRow, entry: WalkedFile, before: EarlierReading | None, plain: str) -> str:
    """Return the revision for the row of a file that is not read: under it, the row replaces no earlier text.

    plain: the revision of readings.
    """
    if entry.bytes_only:
        return BY_BYTES
    had_no_text = before is not None and before.status in (*_WITHOUT_READER, *_LEFT_OUT)
    return plain if row.status == ProblemKind.BYTES_ONLY and had_no_text else NOT_READ


def is_stored(row: DocumentRow, before: EarlierReading | None) -> bool:
    """Tell whether a row of a file that is compared by its bytes equals the one that is stored."""
    if before is None or row.status != ProblemKind.BYTES_ONLY:
        return False
    return (before.status, before.media, before.content_hash) == (row.status, row.media, row.content_hash)


def is_same_refusal(before: EarlierReading, row: DocumentRow) -> bool:
    """Tell whether a file was left out before for the same reason."""
    return (before.status, before.media, before.detail) == (row.status, row.media, stored(row.details))


def is_still_valid(before: EarlierReading, media: frozenset[MediaType] | None) -> bool:
    """Tell whether an earlier result is still valid: a file left out by its kind may be read now."""
    left_out = before.status in (ProblemKind.SKIPPED, ProblemKind.BYTES_ONLY)
    return not left_out or not is_to_read(before, media)


def is_to_read(before: EarlierReading, media: frozenset[MediaType] | None) -> bool:
    """Tell whether documents of this kind are read. media: as returned by `media_to_read`."""
    return media is None or before.media in media
