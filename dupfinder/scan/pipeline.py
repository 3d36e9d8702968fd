"""run_scan: find, read, match, verify, group; everything read is in the library before the next thing is read."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from dupfinder.base.errors import Part, RootError
from dupfinder.base.progress import Progress, Reporter, Silent, Stage
from dupfinder.base.settings import (
    DEFAULT_MIN_CONTAINMENT,
    DEFAULT_MIN_SIMILARITY,
    DEFAULT_RADIUS,
    FILE_MEMORY,
    FILE_SECONDS,
    Settings,
)
from dupfinder.base.stamp import FileStamp
from dupfinder.library.hashes import FileHashes
from dupfinder.library.library import Known, KnownMember, Library
from dupfinder.library.repair import mending
from dupfinder.library.rows import READ, DocumentRow, ScanSummary, stored_path
from dupfinder.library.stored import stamp_key
from dupfinder.processes.sandbox import Done, Limits, Sandbox
from dupfinder.scan.archives import Accounted, account, archive_row, taken_over, unopened_row
from dupfinder.scan.copies import Copies
from dupfinder.scan.earlier import measured_before
from dupfinder.scan.exact import find_identical
from dupfinder.scan.matching import MEASURING, finish
from dupfinder.scan.reading import (
    Listing,
    ReadTask,
    another_attempt,
    answer_of,
    files_of,
    in_turns,
    read_one,
)
from dupfinder.scan.recognition import Revisions, recognition_limits
from dupfinder.scan.request import Role, ScanRequest, wanted_media
from dupfinder.scan.unread import BY_BYTES, NOT_READ, Bytes, is_still_read, revision_of, row_of_unread, says_the_same
from dupfinder.scan.walk import Entry, Walk, check_roots, checked_root, named, once_each
from dupfinder.text.archives.archive import is_called_archive

BATCH_ROWS = 200  # documents a transaction
TELL_SECONDS = 0.5  # between two looks at what is in hand, while nothing is done
BATCH_SECONDS = 2.0  # a kill loses at most this much reading
MOST_WORKERS = 8
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Opening:
    """What the results of a scan open with; all of it can be changed afterwards without reading."""

    radius: int = DEFAULT_RADIUS
    min_similarity: float = DEFAULT_MIN_SIMILARITY
    min_containment: float = DEFAULT_MIN_CONTAINMENT


def run_scan(
    request: ScanRequest,
    library_path: Path,
    reporter: Reporter | None = None,
    opening: Opening | None = None,
    settings: Settings | None = None,
    on_put_aside: Callable[[Path], None] = lambda _: None,
    force: bool = False,
    on_repaired: Callable[[list[Part]], None] = lambda _: None,
) -> int:
    """Scan, or go on with a scan that was stopped; the number of the scan in the library.

    on_put_aside: gets the path at which a damaged library (with `force`: also a file that is none) was put aside.
    on_repaired: gets what was damaged and dropped from a library that is whole without them.
    Raises RootError, LibraryError, DiskFullError, Stopped. After any of them what was read stays read.
    """
    request = replace(request, roots=check_roots(request.roots))

    def attempt() -> int:
        with Library.open(library_path, write=True, force=force) as library:
            if library.put_aside is not None:
                on_put_aside(library.put_aside)
            return _Scan(request, library, reporter or Silent(), opening or Opening(), settings or Settings()).run()

    return mending(library_path, attempt, on_put_aside, on_repaired)


class _Scan:
    """One scan in progress."""

    def __init__(
        self, request: ScanRequest, library: Library, reporter: Reporter, opening: Opening, settings: Settings
    ) -> None:
        self._request = request
        self._library = library
        self._reporter = reporter
        self._settings = settings
        self._revisions = Revisions.of(request, settings)
        self._revision = self._revisions.plain
        self._problems: Counter[str] = Counter()
        self._begun = time.monotonic()
        self._summary = _summary(request, opening)
        self._reused = 0
        self._known: dict[bytes, Known] = {}
        self._known_by_bytes: dict[bytes, Known] = {}
        self._bytes = Bytes()
        self._copies = Copies({})
        self._known_members: dict[int, dict[bytes, KnownMember]] = {}
        self._waiting: dict[str, list[tuple[DocumentRow, bool]]] = {}
        self._scanned: list[ReadTask] = []  # pages to recognise when all else is read
        self._stored = self._told = self._begun
        self._done = self._total = self._size = 0

    def run(self) -> int:
        self._reporter.tell(Progress(Stage.FIND))
        entries = once_each(tuple(Walk(self._request, self._reporter).entries()))
        if not entries:
            raise RootError(self._request.roots[0].path, "empty")
        scan = self._library.begin_scan(self._summary, self._revision)
        self._summary = replace(self._summary, id=scan)
        self._find_identical(entries)
        self._read(self._account(entries))
        self._check_folders(entries)
        self._summary = replace(self._summary, reused=self._reused)
        before = None if self._request.fresh else measured_before(self._library, self._summary, MEASURING)
        finish(self._library, self._summary, self._settings, self._reporter, self._begun, before)
        return scan

    def _check_folders(self, entries: Sequence[Entry]) -> None:
        """RootError when a root went away meanwhile: a lost share is no emptied folder. A root that is itself a file
        has a problem of its own by now."""
        roots = {root.path for root in self._request.roots}
        files = {entry.stamp.path for entry in entries if entry.stamp.path in roots}
        for root in self._request.roots:
            if root.role is not Role.LEAVE_OUT and root.path not in files:
                checked_root(root.path)

    def _find_identical(self, entries: Sequence[Entry]) -> None:
        """Find and tell the files with the same bytes, before any is read as a document. Raises Stopped."""
        every, library, scan = self._request.all_files, self._library, self._summary.id
        stamps = [
            entry.stamp
            for entry in entries
            if entry.refused is None and (every or not named(entry.stamp.path.name).archive)
        ]
        known = FileHashes.none() if self._request.fresh else library.file_hashes()
        exact = find_identical(
            stamps, known, workers(self._request), self._reporter,
            lambda some: library.keep_hashes(scan, some, last=False),
        )  # fmt: skip
        library.keep_hashes(scan, exact.hashes, last=True)
        self._bytes = Bytes(every, exact.contents(stamps), exact.troubles)
        self._copies = Copies(self._bytes.contents)

    def _account(self, entries: Sequence[Entry]) -> list[Entry]:
        """Store files that are not read and take over unchanged ones; what is left has to be read."""
        if not self._request.fresh:
            self._known, self._known_members = self._revisions.known(self._library), self._library.known_members()
            self._known_by_bytes = self._library.known(BY_BYTES) if self._request.all_files else {}
        unread: dict[str, list[tuple[DocumentRow, bool]]] = {}
        reused: list[tuple[int, bool]] = []
        left: list[Entry] = []
        for entry in entries:
            before = self._unchanged(entry.stamp, self._known_by_bytes if entry.bytes_only else self._known)
            wanted = wanted_media(self._request, entry.stamp.path)
            row = row_of_unread(entry, before, wanted, self._bytes)
            if row is not None and not (before is not None and says_the_same(before, row)):
                self._problems[row.status] += 1
                unread.setdefault(revision_of(row, entry, before, self._revision), []).append((row, entry.protected))
            elif before is None or not self._bytes.are_known(before, entry.stamp):
                left.append(entry)
            elif before.members is not None:
                if not self._take_over(entry, before):
                    left.append(entry)
            elif self._revisions.may_be_recognised(before):
                self._scanned.append(self._task(entry))
            elif row is not None or is_still_read(before, wanted):
                reused.append((before.id, entry.protected))
                self._note(before)
            else:
                left.append(entry)
        for revision, rows in unread.items():
            self._library.add(self._summary.id, revision, rows)
        self._library.reuse(self._summary.id, reused)
        self._reused += len(reused)
        return left

    def _unchanged(self, stamp: FileStamp, known: Mapping[bytes, Known]) -> Known | None:
        before = known.get(stored_path(stamp.path))
        return before if before is not None and before.key == stamp_key(stamp) else None

    def _take_over(self, entry: Entry, before: Known) -> bool:
        """Take an unchanged archive and its members over as they are known; False when it has to be opened."""
        assert before.members is not None
        if not self._request.archives:
            self._refuse_archive(entry.stamp, entry.protected)
            return True
        members = self._known_members.get(before.id, {})
        found = taken_over(entry.stamp, before.id, before.members, members, self._request)
        if found is None:
            return False
        self._library.reuse(self._summary.id, [(before.id, entry.protected)])
        self._note(before)
        self._reused += 1
        self._store_members(found, entry.protected)
        return True

    def _refuse_archive(self, stamp: FileStamp, protected: bool) -> None:
        row = unopened_row(stamp)
        self._problems[row.status] += 1
        self._library.add(self._summary.id, NOT_READ, [(row, protected)])

    def _look_into(self, listing: Listing, protected: bool) -> list[ReadTask]:
        """Store an archive that was listed and what is known of its members; the ones that have to be read."""
        if not self._request.archives:
            self._refuse_archive(listing.stamp, protected)
            return []
        row = self._bytes.row_of_archive(archive_row(listing))
        self._problems[row.status] += 1
        before = self._unchanged(listing.stamp, self._known)
        same = before is not None and (before.members, before.content_hash) == (row.members, row.content_hash)
        if before is not None and same:  # its reading was cut off: what was read counts
            number = before.id
            self._library.reuse(self._summary.id, [(number, protected)])
        else:
            (number,) = self._library.add(self._summary.id, self._revision, [(row, protected)])
        members = self._known_members.get(number, {})
        found = account(listing, number, members, self._request, protected=protected)
        self._store_members(found, protected)
        return found.tasks

    def _store_members(self, found: Accounted, protected: bool) -> None:
        self._library.reuse(self._summary.id, [(member.id, protected) for member in found.reused])
        self._library.add(self._summary.id, NOT_READ, [(row, protected) for row in found.left_out])
        self._library.add(self._summary.id, self._revision, [(row, protected) for row in found.refused])
        self._reused += len(found.reused)
        statuses = [one.status for one in found.reused] + [row.status for row in (*found.left_out, *found.refused)]
        self._problems.update(status for status in statuses if status != READ)

    def _note(self, known: Known) -> None:
        if known.status != READ:
            self._problems[known.status] += 1

    def _read(self, entries: list[Entry]) -> None:
        self._total = len(entries) + len(self._scanned)
        self._scanned = self._copies.first_of_each(self._scanned)
        tasks = self._copies.first_of_each(self._task(entry) for entry in entries)
        self._tell()
        # Archives are listed first: then all there is to read is known, and is read in one balanced order.
        later = [task for task in tasks if not is_called_archive(task.stamp.path)]
        now = [task for task in tasks if is_called_archive(task.stamp.path)]
        with reading_sandbox(self._request, self._settings) as sandbox:
            try:
                while now or later:
                    later += self._run(sandbox, now)
                    now, later = later, []
            finally:
                self._flush()
        if self._scanned:
            with reading_sandbox(self._request, self._settings, recognition_limits(self._settings)) as sandbox:
                try:
                    self._run(sandbox, [self._revisions.task(task) for task in self._scanned])
                finally:
                    self._flush()

    def _run(self, sandbox: Sandbox[ReadTask, DocumentRow | Listing], tasks: list[ReadTask]) -> list[ReadTask]:
        """Have tasks done; what there is to read because of them."""
        found: list[ReadTask] = []
        for portion in in_turns(tasks):
            for result in sandbox.run(portion, lambda: self._look(sandbox)):
                found += self._heard(result)
                self._tell(sandbox)
        return found

    def _look(self, sandbox: Sandbox[ReadTask, DocumentRow | Listing]) -> None:
        """Stop when that is asked for; tell what is in hand also while nothing is done. Raises Stopped."""
        self._reporter.check()
        if time.monotonic() - self._told > TELL_SECONDS:
            self._tell(sandbox)

    def _task(self, entry: Entry) -> ReadTask:
        request = self._request
        wanted = wanted_media(request, entry.stamp.path)
        return ReadTask(entry.stamp, request.scheme, wanted, largest=request.largest, protected=entry.protected)

    def _heard(self, result: Done[ReadTask, DocumentRow | Listing]) -> list[ReadTask]:
        """Take one result in; what there is to read because of it, when it is of an archive."""
        self._done += 1
        found: list[ReadTask] = []
        answer = answer_of(result)
        if isinstance(answer, Listing):
            found = self._look_into(answer, result.task.protected)
            self._total += len(found)
        else:
            self._take_in(self._copies.completed(answer), result.task)
        if not (self._scanned and self._scanned[-1] is result.task):  # else its copies wait until it is recognised
            rows, unread = self._copies.rows_of(answer, result.task)
            found += unread
            self._done += len(rows)
            for row, task in rows:
                self._take_in(row, task)
        if sum(map(len, self._waiting.values())) >= BATCH_ROWS or time.monotonic() - self._stored > BATCH_SECONDS:
            self._flush()
        return found

    def _take_in(self, row: DocumentRow, task: ReadTask) -> None:
        """Let a row wait to be stored, or its file to be recognised."""
        if not task.ocr and task.inside is None and self._revisions.recognisable(row.status, row.media):
            self._done -= 1
            self._scanned.append(task)
            return
        row = self._bytes.row_of(row)
        if row.status != READ:
            self._problems[row.status] += 1
        revision = self._revisions.of_row(row, recognised=bool(task.ocr))
        self._waiting.setdefault(revision, []).append((row, task.protected))
        self._size += row.stamp.size

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for revision, rows in waiting.items():
            self._library.add(self._summary.id, revision, rows)
        self._stored = time.monotonic()

    def _tell(self, sandbox: Sandbox[ReadTask, DocumentRow | Listing] | None = None) -> None:
        self._told = time.monotonic()
        in_hand = [(task.stamp.path, seconds) for task, seconds in sandbox.in_hand()] if sandbox is not None else []
        paths, seconds = tuple(path for path, _ in in_hand), tuple(seconds for _, seconds in in_hand)
        done, more = (self._done, self._total, self._size), (self._reused, dict(self._problems))
        self._reporter.tell(Progress(Stage.READ, *done, paths, *more, seconds))


def _summary(request: ScanRequest, opening: Opening) -> ScanSummary:
    return ScanSummary(
        id=0,
        name=request.name or _name(request),
        roots=tuple((root.path, root.role.value) for root in request.roots),
        started=datetime.now(UTC),
        seconds=0.0,
        state="unfinished",
        offered=0,
        read=0,
        clusters=0,
        radius=opening.radius,
        min_similarity=opening.min_similarity,
        min_containment=opening.min_containment,
        widest_radius=0,
        scheme=request.scheme.id,
        reused=0,
    )


def _name(request: ScanRequest) -> str:
    names = [root.path.name or str(root.path) for root in request.roots if root.role.value == "scan"]
    return " & ".join(names[:3]) + (" …" if len(names) > 3 else "")


def workers(request: ScanRequest) -> int:
    """How many reading processes a request means."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return request.workers or min(MOST_WORKERS, cores)


def reading_sandbox(
    request: ScanRequest, settings: Settings, limits: Limits | None = None
) -> Sandbox[ReadTask, DocumentRow | Listing]:
    """The processes that read for a request, under the limits that the settings name unless others are given."""
    return sandbox_for(read_one, request, settings, limits)


def sandbox_for(
    work: Callable[[ReadTask], Answer], request: ScanRequest, settings: Settings, limits: Limits | None = None
) -> Sandbox[ReadTask, Answer]:
    """The same for other work on the files of a request."""
    if limits is None:
        limits = Limits(seconds=settings.number(FILE_SECONDS), memory_bytes=settings.integer(FILE_MEMORY) << 20)
    return Sandbox(
        work,
        workers=workers(request),
        limits=limits,
        weight=lambda task: task.stamp.size,
        files=files_of,
        readable=[path for path in (request.scheme.learned,) if path],
        retry=another_attempt,
        preload="dupfinder.scan.ready",
    )
