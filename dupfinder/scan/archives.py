"""The members of archives in a scan: which are known, which the request leaves out, and which have to be read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from dupfinder.base.details import Clause, Details, details
from dupfinder.base.problems import ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.library.library import KnownMember
from dupfinder.library.rows import DocumentRow, stored_path
from dupfinder.scan.reading import Inside, Listing, ReadTask, left_out_by_kind
from dupfinder.scan.request import Filters, ScanRequest, wanted_media
from dupfinder.scan.walk import (
    PASSED_OVER,
    left_out_as_code,
    left_out_by_filters,
    left_out_by_name,
    left_out_by_size,
)
from dupfinder.text.document import MediaType

Members = Mapping[bytes, KnownMember]


@dataclass
class Accounted:
    """Every member of one archive, in one of four ways.

    reused:   known ones, as they are. left_out: refused by what this request asks for; another decides anew.
    refused:  what its archive's directory shows to be unreadable. tasks: what has to be read.
    """

    reused: list[KnownMember] = field(default_factory=list)
    left_out: list[DocumentRow] = field(default_factory=list)
    refused: list[DocumentRow] = field(default_factory=list)
    tasks: list[ReadTask] = field(default_factory=list)


def archive_row(listing: Listing) -> DocumentRow:
    """What is stored of an archive itself: it is no document, its members are."""
    count = len(listing.contents.members)
    if listing.contents.trouble:
        return DocumentRow(listing.stamp, ProblemKind.DAMAGED, listing.contents.trouble, members=count)
    return DocumentRow(
        listing.stamp, ProblemKind.SKIPPED, details(Clause.ARCHIVE_MEMBERS, members=count), members=count
    )


def unopened_row(stamp: FileStamp) -> DocumentRow:
    """What is told of an archive that is not to be looked into."""
    return DocumentRow(stamp, ProblemKind.SKIPPED, details(Clause.ARCHIVE_NOT_OPENED))


def taken_over(
    archive: FileStamp,
    number: int,
    count: int,
    known: Members,
    request: ScanRequest,
) -> Accounted | None:
    """The members of an unchanged archive by what is known of them; None when it has to be opened.

    `count`: how many it has. An archive whose reading was cut off, or of which this request wants what another left
    out, is opened again; what is known of it is not read again.
    """
    found = Accounted()
    if len(known) != count:
        return None
    for path, member in known.items():
        place = Path(os.fsdecode(path))
        stamp = _member_stamp(archive, place, member.size, archive.mtime_ns)
        wanted = wanted_media(request, place)
        told = _left_out(request, place.relative_to(archive.path), stamp, member, wanted)
        if told is not None:
            found.left_out.append(DocumentRow(stamp, *told, archive=number))
        elif not _holds(member, wanted):
            return None
        else:
            found.reused.append(member)
    return found


def account(
    listing: Listing,
    number: int,
    known: Members,
    request: ScanRequest,
    *,
    protected: bool,
) -> Accounted:
    """The members of an archive that was opened. `number`: the library's for the archive."""
    found = Accounted()
    archive = listing.stamp
    for member in listing.contents.members:
        place = archive.path / member.name
        stamp = _member_stamp(archive, place, member.size, member.modified or archive.mtime_ns)
        before = known.get(stored_path(place))
        wanted = wanted_media(request, place)
        told = _left_out(request, PurePath(member.name), stamp, before, wanted)
        if told is not None:
            found.left_out.append(DocumentRow(stamp, *told, archive=number))
        elif before is not None and _holds(before, wanted):
            found.reused.append(before)
        elif member.refused is not None:
            found.refused.append(DocumentRow(stamp, member.refused, member.details, archive=number))
        else:
            inside = Inside(archive, number, member)
            found.tasks.append(ReadTask(stamp, request.scheme, wanted, protected=protected, inside=inside))
    return found


def _member_stamp(archive: FileStamp, path: Path, size: int, modified_ns: int) -> FileStamp:
    """A member's stamp: its own path, size and time, the rest of its archive."""
    return FileStamp(path, size, modified_ns, archive.ctime_ns, archive.device, archive.inode)


def _left_out(
    request: ScanRequest,
    inner: PurePath,
    stamp: FileStamp,
    known: KnownMember | None,
    wanted: frozenset[MediaType] | None,
) -> tuple[ProblemKind, Details] | None:
    """Why this request does not ask for a member; `inner`: its path in the archive."""
    for folder in inner.parts[:-1]:
        if folder in PASSED_OVER:
            return ProblemKind.SKIPPED, details(Clause.FOREIGN_FOLDER, folder=folder)
        if not request.hidden and folder.startswith("."):
            return ProblemKind.SKIPPED, details(Clause.HIDDEN_FOLDER)
    told = left_out_by_name(request, inner.name) or left_out_as_code(request, inner)
    told = told or left_out_by_size(request, stamp.size)
    if told is None and request.filters != Filters():
        told = left_out_by_filters(request, request.inner(stamp.path), stamp)
    if told is None and known is not None and known.status != ProblemKind.SKIPPED and known.media:
        told = None if _is_wanted(known, wanted) else (ProblemKind.SKIPPED, left_out_by_kind(known.media))
    return told


def _holds(known: KnownMember, wanted: frozenset[MediaType] | None) -> bool:
    """Whether what is known is still the answer: what another request left out may be wanted now."""
    if not known.revision:
        return False
    return known.status != ProblemKind.SKIPPED or not known.media or not _is_wanted(known, wanted)


def _is_wanted(known: KnownMember, wanted: frozenset[MediaType] | None) -> bool:
    return wanted is None or known.media in wanted
