"""Files that are not read as documents: why, and which of them are compared by their bytes alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dupfinder.base.details import Details
from dupfinder.base.problems import ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.library.library import Known
from dupfinder.library.rows import DocumentRow
from dupfinder.scan.reading import left_out_by_kind
from dupfinder.scan.walk import Entry
from dupfinder.text.document import MediaType

NOT_READ = ""  # the revision of what a request left out: another request decides anew
BY_BYTES = "bytes"  # the revision of what no reader was asked about, because its bytes alone are compared
_NO_DOCUMENT = (ProblemKind.UNSUPPORTED, ProblemKind.BYTES_ONLY)
_LEFT_OUT = (ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED)


@dataclass(frozen=True, slots=True)
class Bytes:
    """What is known of the bytes of files before any is read.

    every:    files of every kind are compared, those that are no documents by their bytes alone.
    contents: the content hash of each file of which all bytes were read, by its stamp. troubles: why others were not.
    """

    every: bool = False
    contents: Mapping[FileStamp, bytes] = field(default_factory=dict)
    troubles: Mapping[FileStamp, tuple[ProblemKind, Details]] = field(default_factory=dict)

    def hash_of(self, stamp: FileStamp) -> bytes:
        """The content hash of a file; empty where it is not known: then no other file has the same bytes."""
        return self.contents.get(stamp, b"")

    def row(self, stamp: FileStamp, media: str = "") -> DocumentRow:
        """The row of a file that is compared by its bytes alone. media: its kind, of a document that is not wanted."""
        if (trouble := self.troubles.get(stamp)) is not None:
            return DocumentRow(stamp, *trouble)
        return DocumentRow(stamp, ProblemKind.BYTES_ONLY, media=media, content_hash=self.hash_of(stamp))

    def row_of(self, row: DocumentRow) -> DocumentRow:
        """The row of a file that its reader says this of: of what is no wanted document by bytes, if all are asked."""
        if self.every and row.archive is None and row.status in _LEFT_OUT:
            return self.row(row.stamp, row.media)
        return row

    def row_of_archive(self, row: DocumentRow) -> DocumentRow:
        """The same of an archive, which is a file too."""
        return replace(row, content_hash=self.hash_of(row.stamp)) if self.every else row

    def are_known(self, before: Known, stamp: FileStamp) -> bool:
        """Whether the row of an unchanged file has the hash that it is to have. That of an archive counts where files
        of every kind are compared, and nowhere else."""
        if before.members is not None and not self.every:
            return not before.content_hash
        if before.members is None and before.status in _LEFT_OUT:
            return True
        return bool(before.content_hash) or not self.hash_of(stamp)


def row_of_unread(
    entry: Entry, before: Known | None, wanted: frozenset[MediaType] | None, by_bytes: Bytes
) -> DocumentRow | None:
    """The row of a file that is not to be read, by what the walk saw or by what is known from before; None where it is
    to be read, or taken over."""
    if entry.refused is not None:
        return DocumentRow(entry.stamp, entry.refused, entry.details)
    if entry.bytes_only:
        return by_bytes.row(entry.stamp)
    if before is None or before.members is not None:
        return None
    if not before.media and before.status in _NO_DOCUMENT:
        if by_bytes.every:
            return by_bytes.row(entry.stamp)
        return DocumentRow(entry.stamp, ProblemKind.UNSUPPORTED) if before.status == ProblemKind.BYTES_ONLY else None
    if before.media and not is_wanted(before, wanted):
        if by_bytes.every:
            return by_bytes.row(entry.stamp, before.media)
        if before.status != ProblemKind.SKIPPED:
            return DocumentRow(entry.stamp, ProblemKind.SKIPPED, left_out_by_kind(before.media))
    return None


def revision_of(row: DocumentRow, entry: Entry, before: Known | None, plain: str) -> str:
    """Under which revision the row of a file that is not read belongs. Nothing takes the place of what was read before.

    plain: the revision of what readers said.
    """
    if entry.bytes_only:
        return BY_BYTES
    said_by_reader = before is not None and before.status in (*_NO_DOCUMENT, *_LEFT_OUT)
    return plain if row.status == ProblemKind.BYTES_ONLY and said_by_reader else NOT_READ


def says_the_same(before: Known, row: DocumentRow) -> bool:
    """Whether what is known of a file is this row, so that it can be taken over."""
    same = (before.status, before.media, before.content_hash) == (row.status, row.media, row.content_hash)
    return same and row.status == ProblemKind.BYTES_ONLY


def is_still_read(before: Known, wanted: frozenset[MediaType] | None) -> bool:
    """Whether what was found before is still the answer: a file left out by its kind may be wanted now."""
    left_out = before.status in (ProblemKind.SKIPPED, ProblemKind.BYTES_ONLY)
    return not left_out or not is_wanted(before, wanted)


def is_wanted(before: Known, wanted: frozenset[MediaType] | None) -> bool:
    """Whether a file of this kind is to be read."""
    return wanted is None or before.media in wanted
