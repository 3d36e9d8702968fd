"""Members of archives in a scan: which are known, which the request leaves out, and which must be read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.base.stamp import FileStamp
from dupfinder.library.library import EarlierReading
from dupfinder.library.rows import DocumentRow
from dupfinder.scan.reading import ListedArchive, ReadTask
from dupfinder.scan.request import FileFilters, ScanRequest, media_to_read
from dupfinder.scan.revisions import NOT_READ, is_to_read
from dupfinder.scan.walk import SKIPPED_FOLDERS, left_out_as_code, left_out_by_name, left_out_by_size
from dupfinder.text.document import MediaType
from dupfinder.text.source import Membership, is_mail

Members = Mapping[bytes, EarlierReading]


@dataclass
class MemberPlan:
    """What is to be done with each member of one archive.

    reused:   known members whose rows are used again.
    left_out: members that the request leaves out; another request may include them.
    refused:  members that cannot be read, as the archive's directory shows.
    tasks:    members to read.
    """

    reused: list[EarlierReading] = field(default_factory=list)
    left_out: list[DocumentRow] = field(default_factory=list)
    refused: list[DocumentRow] = field(default_factory=list)
    tasks: list[ReadTask] = field(default_factory=list)


def archive_row(listing: ListedArchive) -> DocumentRow:
    """Return the row of an archive itself, which is not a document."""
    count = len(listing.contents.members)
    trouble = listing.contents.trouble
    status = ProblemKind.DAMAGED if trouble else ProblemKind.SKIPPED
    if any(detail.code is Clause.UNPACKED_UP_TO for detail in trouble):
        status = ProblemKind.UNSUPPORTED  # libarchive does not tell damage from what it cannot unpack
    listed = Clause.MAILBOX_MAILS if any(map(is_mail, listing.contents.members[:1])) else Clause.ARCHIVE_MEMBERS
    return DocumentRow(listing.stamp, status, trouble or details(listed, members=count), members=count)


def unopened_row(stamp: FileStamp) -> DocumentRow:
    """Return the row of an archive that the request does not open."""
    return DocumentRow(stamp, ProblemKind.SKIPPED, details(Clause.ARCHIVE_NOT_OPENED))


def plan_unchanged(
    archive: FileStamp, number: int, count: int, known: Members, request: ScanRequest
) -> MemberPlan | None:
    """Return the plan for an unchanged archive from its known members; None if it must be opened.

    number: the archive's id in the library. count: how many members it has. It must be opened if reading it was
    interrupted, so that not all of them are known, or if the request wants members that an earlier one left out.
    """
    plan = MemberPlan()
    if len(known) != count:
        return None
    for path, member in known.items():
        member_path = Path(os.fsdecode(path))
        _, _, size, modified_ns, _ = member.key
        stamp = _member_stamp(archive, member_path, size, modified_ns)
        media = media_to_read(request, member_path)
        refusal = _why_left_out(request, member_path.relative_to(archive.path), stamp, member, media)
        if refusal is not None:
            plan.left_out.append(DocumentRow(stamp, *refusal, archive=number))
        elif not _is_valid(member, media):
            return None
        else:
            plan.reused.append(member)
    return plan


def plan_members(
    listing: ListedArchive, number: int, known: Members, request: ScanRequest, *, protected: bool
) -> MemberPlan:
    """Return the plan for an archive that was opened. number: its id in the library."""
    plan = MemberPlan()
    archive = listing.stamp
    for member in listing.contents.members:
        member_path = archive.path / member.name
        stamp = _member_stamp(archive, member_path, member.size, member.modified or archive.mtime_ns)
        known_member = known.get(os.fsencode(member_path))
        media = media_to_read(request, member_path)
        refusal = _why_left_out(request, PurePath(member.name), stamp, known_member, media)
        if refusal is not None:
            plan.left_out.append(DocumentRow(stamp, *refusal, archive=number))
        elif known_member is not None and _is_valid(known_member, media):
            plan.reused.append(known_member)
        elif member.refused is not None:
            plan.refused.append(DocumentRow(stamp, member.refused, member.details, archive=number))
        else:
            inside = Membership(archive, number, member)
            plan.tasks.append(ReadTask(stamp, request.scheme, media, protected=protected, inside=inside))
    return plan


def _member_stamp(archive: FileStamp, path: Path, size: int, modified_ns: int) -> FileStamp:
    """Return a member's stamp: its own path, size and time; change time, device and inode of its archive."""
    return FileStamp(path, size, modified_ns, archive.ctime_ns, archive.device, archive.inode)


def _why_left_out(
    request: ScanRequest,
    inner: PurePath,
    stamp: FileStamp,
    known: EarlierReading | None,
    media: frozenset[MediaType] | None,
) -> tuple[ProblemKind, Details] | None:
    """Return why the request leaves out a member; None if it does not. inner: its path in the archive."""
    for folder in inner.parts[:-1]:
        if folder in SKIPPED_FOLDERS:
            return ProblemKind.SKIPPED, details(Clause.FOREIGN_FOLDER, folder=folder)
        if not request.hidden and folder.startswith("."):
            return ProblemKind.SKIPPED, details(Clause.HIDDEN_FOLDER)
    refusal = left_out_by_name(request, inner.name) or left_out_as_code(request, inner)
    refusal = refusal or left_out_by_size(request, stamp.size)
    if refusal is None and request.filters != FileFilters():
        refusal = request.filters.refusal(request.inner(stamp.path), stamp)
    if refusal is not None or known is None or known.status == ProblemKind.SKIPPED or not known.media:
        return refusal
    return None if is_to_read(known, media) else (ProblemKind.SKIPPED, details(Clause.OTHER_KINDS, kind=known.media))


def _is_valid(known: EarlierReading, media: frozenset[MediaType] | None) -> bool:
    """Tell whether the row of a known member still applies: a member left out for its kind may be read now."""
    if known.revision == NOT_READ:
        return False
    return known.status != ProblemKind.SKIPPED or not known.media or not is_to_read(known, media)
