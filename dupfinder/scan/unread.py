"""Files that are not read as documents: why, and which of them are compared by their bytes only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dupfinder.base.details import Details, stored
from dupfinder.base.problems import ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.library.library import Known
from dupfinder.library.rows import DocumentRow
from dupfinder.scan.reading import left_out_by_kind
from dupfinder.scan.walk import Entry
from dupfinder.text.document import MediaType

NOT_READ = ""  # the revision of files that a request left out; another request may include them
BY_BYTES = "bytes"  # the revision of files without a reader, whose bytes are compared
_NO_DOCUMENT = (ProblemKind.UNSUPPORTED, ProblemKind.BYTES_ONLY)
_LEFT_OUT = (ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED)


@dataclass(frozen=True, slots=True)
class KnownBytes:
    """What is known of the bytes of files before any is read.

    every:    files of every kind are compared, those that are not documents by their bytes.
    contents: the content hash of each hashed file by its stamp. troubles: why others could not be hashed.
    """

    every: bool = False
    contents: Mapping[FileStamp, bytes] = field(default_factory=dict)
    troubles: Mapping[FileStamp, tuple[ProblemKind, Details]] = field(default_factory=dict)

    def hash_of(self, stamp: FileStamp) -> bytes:
        """Return the content hash of a file; b"" if it is unknown, because no other file has the same size."""
        return self.contents.get(stamp, b"")

    def row(self, stamp: FileStamp, media: str = "") -> DocumentRow:
        """Return the row of a file that is compared by its bytes. media: its kind, for an unwanted document."""
        if (trouble := self.troubles.get(stamp)) is not None:
            return DocumentRow(stamp, *trouble)
        return DocumentRow(stamp, ProblemKind.BYTES_ONLY, media=media, content_hash=self.hash_of(stamp))

    def row_of(self, row: DocumentRow) -> DocumentRow:
        """Return the row of a file that was read: compared by its bytes if it is not a wanted document."""
        if self.every and row.archive is None and row.status in _LEFT_OUT:
            return self.row(row.stamp, row.media)
        return row

    def row_of_archive(self, row: DocumentRow) -> DocumentRow:
        """Return the row of an archive, with its hash if files of every kind are compared."""
        return replace(row, content_hash=self.hash_of(row.stamp)) if self.every else row

    def are_known(self, before: Known, stamp: FileStamp) -> bool:
        """Tell whether the row of an unchanged file has a hash if it needs one.

        Archives need one only if files of every kind are compared.
        """
        if before.members is not None and not self.every:
            return not before.content_hash
        if before.members is None and before.status in _LEFT_OUT:
            return True
        return bool(before.content_hash) or not self.hash_of(stamp)


def row_of_unread(
    entry: Entry, before: Known | None, wanted: frozenset[MediaType] | None, by_bytes: KnownBytes
) -> DocumentRow | None:
    """Return the row of a file that is not read, from the walk or an earlier scan; None if it is read or reused."""
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
    """Return the revision of the row of a file that is not read, so that it replaces no earlier reading.

    plain: the revision of readings.
    """
    if entry.bytes_only:
        return BY_BYTES
    was_read = before is not None and before.status in (*_NO_DOCUMENT, *_LEFT_OUT)
    return plain if row.status == ProblemKind.BYTES_ONLY and was_read else NOT_READ


def is_same_row(before: Known, row: DocumentRow) -> bool:
    """Tell whether what is known of a file is this row, so that it can be reused."""
    is_equal = (before.status, before.media, before.content_hash) == (row.status, row.media, row.content_hash)
    return is_equal and row.status == ProblemKind.BYTES_ONLY


def is_same_refusal(before: Known, row: DocumentRow) -> bool:
    """Tell whether a file was left out before for the same reason."""
    return (before.status, before.media, before.detail) == (row.status, row.media, stored(row.details))


def is_still_valid(before: Known, wanted: frozenset[MediaType] | None) -> bool:
    """Tell whether an earlier result is still valid: a file left out by its kind may be wanted now."""
    left_out = before.status in (ProblemKind.SKIPPED, ProblemKind.BYTES_ONLY)
    return not left_out or not is_wanted(before, wanted)


def is_wanted(before: Known, wanted: frozenset[MediaType] | None) -> bool:
    """Tell whether documents of this kind are wanted."""
    return wanted is None or before.media in wanted
