"""Scan folders: find files, read, match, verify and group. Results are stored in the library while files are read."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from dupfinder.base.errors import LibraryPart, RootError
from dupfinder.base.progress import SILENT, IdenticalCounts, LoggingReporter, Progress, Reporter, Stage
from dupfinder.base.settings import Settings
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand
from dupfinder.library.library import EarlierReading, LibraryFile
from dupfinder.library.rows import READ, DocumentRow, FileHashes, ScanResult, ScanSummary
from dupfinder.library.store import with_repair
from dupfinder.library.stored import stamp_key, stamp_keys
from dupfinder.scan.archives import MemberPlan, archive_row, plan_members, plan_unchanged, unopened_row
from dupfinder.scan.earlier import follow_moved, measured_before, scan_before
from dupfinder.scan.exact import WaitingCopies, find_identical, hash_files
from dupfinder.scan.matching import MEASURING, FirstResults, MutedReporter, find_groups, finish
from dupfinder.scan.readers import Machines, Readers, ReadingResult, ThisMachine, reading_limits, workers
from dupfinder.scan.reading import ListedArchive, ReadTask, answer_of
from dupfinder.scan.request import Role, ScanRequest, media_to_read
from dupfinder.scan.revisions import (
    BY_BYTES,
    NOT_READ,
    KnownHashes,
    Revisions,
    is_same_refusal,
    is_still_valid,
    is_stored,
    is_to_read,
    recognition_limits,
    revision_of,
    row_of_unread,
)
from dupfinder.scan.walk import Walk, WalkedFile, checked_root, checked_roots, ending, kind_by_name, once_each
from dupfinder.text.archives.members import is_archive_name

BATCH_ROWS = 200  # documents in one transaction
TELL_SECONDS = 0.5  # between two reports while no file is finished
BATCH_SECONDS = 2.0  # between two transactions: a kill loses at most this much reading


def run_scan(
    request: ScanRequest,
    library_path: Path,
    reporter: Reporter = SILENT,
    demand: Demand | None = None,
    settings: Settings | None = None,
    *,
    force: bool = False,
    machines: Machines | None = None,
    on_put_aside: Callable[[Path], None] = lambda _: None,
    on_repaired: Callable[[list[LibraryPart]], None] = lambda _: None,
    on_first: Callable[[ScanResult], object] | None = None,
) -> int:
    """Scan, or continue a scan that was stopped. Return the number of the scan in the library.

    demand: by which the results are first grouped, until it is changed; None: that of the settings.
    force: a file at `library_path` that is not a library is renamed, too.
    machines: where files are read and pairs are found; None: on this machine.
    on_put_aside: is called with the new path of a damaged library, or of a file that `force` renamed.
    on_repaired: is called with the parts that were damaged and removed from a library that works without them.
    on_first: is called with the results so far, several times while documents are read; None: they are not looked for.
    Raises RootError, LibraryError, DiskFullError, ClusterError, Stopped. What was read until then remains stored.
    """
    request = replace(request, roots=checked_roots(request.roots))
    roots = tuple((root.path, root.role.value) for root in request.roots)
    settings = settings or Settings()
    demand = demand or Demand.of(settings)

    def attempt() -> int:
        with LibraryFile(library_path, write=True, force=force) as library:
            if library.put_aside is not None:
                on_put_aside(library.put_aside)
            summary = ScanSummary.begun(request.title, roots, datetime.now(UTC), demand, request.scheme.id)
            first = FirstResults(on_first)
            with closing(LoggingReporter(reporter)) as logged:
                return _RunningScan(request, library, logged, summary, settings, machines, first).run()

    return with_repair(library_path, attempt, on_put_aside, on_repaired)


class _ScanRows:
    """The rows of a running scan in the library. A row is added, or queued and stored with others, or an earlier one.

    problems: the number of rows with each status but READ, those queued too. reused: the number of earlier readings.
    """

    def __init__(self, library: LibraryFile, scan: int) -> None:
        self._library, self._scan = library, scan
        self._queued: dict[str, list[tuple[DocumentRow, bool]]] = {}  # by revision
        self._stored_at = time.monotonic()
        self.problems: Counter[str] = Counter()
        self.reused = 0

    def count(self, *statuses: str) -> None:
        self.problems.update(status for status in statuses if status != READ)

    def add(self, revision: str, rows: Sequence[tuple[DocumentRow, bool]]) -> None:
        """Store (row, is protected)."""
        self.count(*(row.status for row, _ in rows))
        self._library.add(self._scan, revision, rows)

    def queue(self, revision: str, row: DocumentRow, protected: bool) -> None:
        self.count(row.status)
        self._queued.setdefault(revision, []).append((row, protected))

    def reuse(self, readings: Sequence[tuple[EarlierReading, bool]]) -> None:
        """Store (earlier reading, is protected)."""
        self.count(*(reading.status for reading, _ in readings))
        self.reused += len(readings)
        self._library.reuse(self._scan, [(reading.id, protected) for reading, protected in readings])

    def reuse_by_bytes(self, moved: Sequence[tuple[int, FileStamp, bool]]) -> None:
        self.reused += len(moved)
        self._library.reuse_by_bytes(self._scan, moved)

    def flush(self, *, if_due: bool = False) -> None:
        """Store the queued rows. if_due: only if they are many, or the last ones were stored long ago."""
        waiting = sum(map(len, self._queued.values()))
        if if_due and waiting < BATCH_ROWS and time.monotonic() - self._stored_at <= BATCH_SECONDS:
            return
        queued, self._queued = self._queued, {}
        for revision, rows in queued.items():
            self._library.add(self._scan, revision, rows)
        self._stored_at = time.monotonic()


class _RunningScan:
    """The stages of a scan in progress, and how far it is."""

    def __init__(
        self,
        request: ScanRequest,
        library: LibraryFile,
        reporter: Reporter,
        summary: ScanSummary,
        settings: Settings,
        machines: Machines | None,
        first: FirstResults,
    ) -> None:
        self._request = request
        self._library = library
        self._reporter = reporter
        self._settings = settings
        self._revisions = Revisions.of(request, settings)
        self._revision = self._revisions.plain
        self._rows: _ScanRows  # of the scan that `run` begins
        self._begun = time.monotonic()
        self._summary = summary
        self._machines = machines or ThisMachine(request)
        self._first = first
        self._known: dict[bytes, EarlierReading] = {}  # earlier readings, by path
        self._known_unread: dict[bytes, EarlierReading] = {}  # files that were compared by their bytes alone, by path
        self._bytes = KnownHashes()
        self._copies, self._identical = WaitingCopies({}), IdenticalCounts()
        self._known_members: dict[int, dict[bytes, EarlierReading]] = {}
        self._to_recognise: list[ReadTask] = []  # files with scanned pages, read after all others
        self._told_at = self._begun
        self._done = self._total = self._size = 0

    def run(self) -> int:
        """Do all stages. Returns the number of the scan."""
        self._reporter.tell(Progress(Stage.FIND))
        entries = once_each(tuple(Walk(self._request, self._reporter).entries()))
        self._reporter.tell(Progress(Stage.FIND, len(entries)))
        _check_drives(self._request, self._library, self._revision)
        if not entries:
            raise RootError(self._request.roots[0].path, "empty")
        scan = self._library.begin_scan(self._summary, self._revision)
        self._summary, self._rows = replace(self._summary, id=scan), _ScanRows(self._library, scan)
        self._find_identical(entries)
        self._read(self._plan(entries))
        _check_folders(self._request, entries)
        self._summary = replace(self._summary, reused=self._rows.reused)
        earlier = scan_before(self._library, self._summary)
        result = self._find_groups(self._reporter)
        follow_moved(self._library, earlier, result.documents)
        finish(self._library, result, self._begun, self._reporter)
        return scan

    def _find_groups(self, reporter: Reporter) -> ScanResult:
        """Find the groups among the documents stored so far. Raises Stopped."""
        count, crew_of = self._machines.workers, self._machines.crew
        before = self._first.newest or self._result_before
        return find_groups(self._library, self._summary, reporter, before, count, crew_of)

    @cached_property
    def _result_before(self) -> ScanResult | None:
        """The result of the scan before; None for nothing that may be reused."""
        return None if self._request.fresh else measured_before(self._library, self._summary, MEASURING)

    def _find_identical(self, entries: Sequence[WalkedFile]) -> None:
        """Find and report files with equal bytes, before any is read as a document. Raises Stopped."""
        all_files, largest = self._request.all_files, self._request.largest
        library, scan = self._library, self._summary.id
        stamps: list[FileStamp] = []
        others: list[FileStamp] = []
        protected: set[int] = set()
        for entry in entries:
            is_document = entry.stamp.size <= largest and not kind_by_name(entry.stamp.path.name).archive
            is_hashed = entry.refused is None and (all_files or is_document)
            if is_hashed and entry.protected:
                protected.add(len(stamps))
            (stamps if is_hashed else others).append(entry.stamp)
        known = FileHashes.none() if self._request.fresh else library.file_hashes()
        exact = find_identical(
            stamps, known, workers(self._request), self._reporter,
            lambda hashes: library.store_hashes(scan, hashes, replace=False), protected,
        )  # fmt: skip
        # What is known of files that this request leaves out stays, for one that asks for them again.
        left_out = known.of(stamp_keys(others if len(known) else []))
        library.store_hashes(scan, FileHashes.joined((exact.hashes, left_out)), replace=True)
        self._bytes = KnownHashes(all_files, exact.content_hashes(stamps), exact.problems)
        self._copies, self._identical = WaitingCopies(self._bytes.content_hashes), exact.groups

    def _plan(self, entries: Sequence[WalkedFile]) -> list[WalkedFile]:
        """Store the files that are not read, reuse the unchanged ones, and return those that must be read."""
        if not self._request.fresh:
            self._known, self._known_members = self._revisions.known(self._library), self._library.known_members()
            self._known_unread = self._library.known(BY_BYTES) if self._request.all_files else {}
        unread: list[tuple[DocumentRow, WalkedFile, EarlierReading | None]] = []
        reused: list[tuple[EarlierReading, bool]] = []
        to_read: list[WalkedFile] = []
        for entry in entries:
            known = self._unchanged(entry.stamp, self._known_unread if entry.bytes_only else self._known)
            media = media_to_read(self._request, entry.stamp.path)
            row = row_of_unread(entry, known, media, self._bytes)
            if row is not None and not is_stored(row, known):
                unread.append((row, entry, known))
            elif known is None or not self._bytes.is_hash_right(known, entry.stamp):
                to_read.append(entry)
            elif known.members is not None:
                if not self._take_known_archive(entry, known):
                    to_read.append(entry)
            elif self._revisions.may_be_recognised(known):
                self._to_recognise.append(self._task(entry))
            elif row is not None or is_still_valid(known, media):
                reused.append((known, entry.protected))
            else:
                to_read.append(entry)
        self._store_unread(unread)
        self._rows.reuse(reused)
        others, moved = _moved(to_read, self._known, self._request, self._reporter)
        self._rows.reuse_by_bytes(moved)
        return others

    def _store_unread(self, unread: Sequence[tuple[DocumentRow, WalkedFile, EarlierReading | None]]) -> None:
        """Store (row, entry, what is known of the file) of files that are not read, unless the library has the row."""
        left_out = {} if self._request.fresh or not unread else self._library.known(NOT_READ)
        new: dict[str, list[tuple[DocumentRow, bool]]] = {}
        unchanged: list[tuple[int, bool]] = []
        for row, entry, known in unread:
            revision = revision_of(row, entry, known, self._revision)
            before = self._unchanged(entry.stamp, left_out) if revision == NOT_READ else None
            if before is not None and is_same_refusal(before, row):
                self._rows.count(row.status)
                unchanged.append((before.id, entry.protected))
            else:
                new.setdefault(revision, []).append((row, entry.protected))
        for revision, rows in new.items():
            self._rows.add(revision, rows)
        self._library.reuse(self._summary.id, unchanged)

    def _unchanged(self, stamp: FileStamp, known: Mapping[bytes, EarlierReading]) -> EarlierReading | None:
        """Return what is known of a file if it is unchanged."""
        known_file = known.get(os.fsencode(stamp.path))
        return known_file if known_file is not None and known_file.key == stamp_key(stamp) else None

    def _take_known_archive(self, entry: WalkedFile, known: EarlierReading) -> bool:
        """Store an unchanged archive and its members as known, or as refused. Return False if it must be opened."""
        assert known.members is not None
        if not self._request.archives:
            self._refuse_archive(entry.stamp, entry.protected)
            return True
        members = self._known_members.get(known.id, {})
        plan = plan_unchanged(entry.stamp, known.id, known.members, members, self._request)
        if plan is None:
            return False
        self._rows.reuse([(known, entry.protected)])
        self._store_members(plan, entry.protected)
        return True

    def _refuse_archive(self, stamp: FileStamp, protected: bool) -> None:
        """Store an archive that the request does not open."""
        self._rows.add(NOT_READ, [(unopened_row(stamp), protected)])

    def _store_archive(self, listing: ListedArchive, protected: bool) -> list[ReadTask]:
        """Store an archive that was listed and its known members. Returns the tasks for the others."""
        if not self._request.archives:
            self._refuse_archive(listing.stamp, protected)
            return []
        row = self._bytes.row_of_archive(archive_row(listing))
        self._rows.count(row.status)
        known = self._unchanged(listing.stamp, self._known)
        is_same = known is not None and (known.members, known.content_hash) == (row.members, row.content_hash)
        if known is not None and is_same:  # reading it was interrupted: keep what was read
            number = known.id
            self._library.reuse(self._summary.id, [(number, protected)])
        else:
            (number,) = self._library.add(self._summary.id, self._revision, [(row, protected)])
        members = self._known_members.get(number, {})
        plan = plan_members(listing, number, members, self._request, protected=protected)
        self._store_members(plan, protected)
        return plan.tasks

    def _store_members(self, plan: MemberPlan, protected: bool) -> None:
        self._rows.reuse([(member, protected) for member in plan.reused])
        self._rows.add(NOT_READ, [(row, protected) for row in plan.left_out])
        self._rows.add(self._revision, [(row, protected) for row in plan.refused])

    def _read(self, entries: list[WalkedFile]) -> None:
        """Read files, archives first, and those to recognise last."""
        self._total = len(entries) + len(self._to_recognise)
        self._to_recognise = self._copies.first_of_each(self._to_recognise)
        tasks = self._copies.first_of_each(self._task(entry) for entry in entries)
        self._tell()
        # Archives are listed first, so that all tasks are known and read in one balanced order.
        archives = [task for task in tasks if is_archive_name(task.stamp.path)]
        others = [task for task in tasks if not is_archive_name(task.stamp.path)]
        with self._machines.readers(reading_limits(self._settings)) as readers:
            others += self._run(readers, archives)
            while others:
                others = self._run(readers, others)
        if self._to_recognise:
            with self._machines.readers(recognition_limits(self._settings)) as readers:
                while self._to_recognise:
                    tasks = [self._revisions.task(task) for task in self._to_recognise]
                    self._to_recognise = self._run(readers, tasks)

    def _run(self, readers: Readers, tasks: list[ReadTask]) -> list[ReadTask]:
        """Do tasks. Return new ones, for members of archives that were read and for copies of files that failed."""
        new_tasks: list[ReadTask] = []
        try:
            for result in readers.run(tasks, lambda: self._check_and_tell(readers)):
                new_tasks += self._handle(result)
                if self._first.are_due(self._rows.reused + self._done, self._done / self._total):
                    self._rows.flush()
                    self._tell(compares=True)
                    self._first.take(self._find_groups(MutedReporter(self._reporter)))
                self._tell(readers)
        finally:
            self._rows.flush()
        return new_tasks

    def _check_and_tell(self, readers: Readers) -> None:
        """Raise Stopped if asked to; report at intervals also while no file is finished."""
        self._reporter.check()
        if time.monotonic() - self._told_at > TELL_SECONDS:
            self._tell(readers)

    def _task(self, entry: WalkedFile) -> ReadTask:
        request = self._request
        media = media_to_read(request, entry.stamp.path)
        return ReadTask(entry.stamp, request.scheme, media, largest=request.largest, protected=entry.protected)

    def _handle(self, result: ReadingResult) -> list[ReadTask]:
        """Handle the result of a task. Return new tasks, see `_run`."""
        self._done += 1
        new_tasks: list[ReadTask] = []
        answer = answer_of(result)
        if isinstance(answer, ListedArchive):
            new_tasks = self._store_archive(answer, result.task.protected)
            self._total += len(new_tasks)
            is_read = True
        else:
            is_read = self._queue_row(self._copies.completed(answer), result.task)
        if is_read:  # otherwise its copies wait until it is recognised
            rows, unread = self._copies.rows_of(answer, result.task)
            new_tasks += unread
            self._done += len(rows)
            for row, task in rows:
                self._queue_row(row, task)
        self._rows.flush(if_due=True)
        return new_tasks

    def _queue_row(self, row: DocumentRow, task: ReadTask) -> bool:
        """Queue a row for storing, or its file for recognition (False)."""
        if not task.ocr and task.inside is None and self._revisions.recognisable(row.status, row.media):
            self._done -= 1  # counted again when it is recognised
            self._to_recognise.append(task)
            return False
        row = self._bytes.row_of(row)
        self._rows.queue(self._revisions.of_row(row, recognised=bool(task.ocr)), row, task.protected)
        self._size += row.stamp.size
        return True

    def _tell(self, readers: Readers | None = None, *, compares: bool = False) -> None:
        self._told_at = time.monotonic()
        in_hand = [(task.stamp.path, seconds) for task, seconds in readers.in_hand()] if readers is not None else []
        paths, seconds = tuple(path for path, _ in in_hand), tuple(seconds for _, seconds in in_hand)
        self._reporter.tell(Progress(
            Stage.READ, self._done, self._total, bytes_done=self._size, current=paths, reused=self._rows.reused,
            problems=dict(self._rows.problems), seconds=seconds, identical=self._identical, compares=compares,
        ))  # fmt: skip


def _moved(
    entries: Sequence[WalkedFile], readings: Mapping[bytes, EarlierReading], request: ScanRequest, reporter: Reporter
) -> tuple[list[WalkedFile], list[tuple[int, FileStamp, bool]]]:
    """Return (others, moved): the new files whose bytes were read before elsewhere are moved, see `reuse_by_bytes`.

    The suffixes of a name decide how a file is read, so only readings of files with the same suffixes count.
    """
    documents: dict[tuple[int, str], dict[bytes, EarlierReading]] = {}
    sizes = {entry.stamp.size for entry in entries}
    for path, known in readings.items():
        _, _, size, _, _ = known.key
        if size in sizes and known.status == READ and known.content_hash:
            same_kind = documents.setdefault((size, ending(os.fsdecode(path).rpartition(os.sep)[2])), {})
            same_kind[known.content_hash] = known
    of_entry = [documents.get((entry.stamp.size, ending(entry.stamp.path.name)), {}) for entry in entries]
    stamps = [entry.stamp for entry, same_kind in zip(entries, of_entry, strict=True) if same_kind]
    hashes = hash_files(stamps, workers(request), reporter) if stamps else {}
    moved: list[tuple[int, FileStamp, bool]] = []
    others: list[WalkedFile] = []
    for entry, same_kind in zip(entries, of_entry, strict=True):
        reading = same_kind.get(hashes.get(entry.stamp, b""))
        if reading is None or not is_to_read(reading, media_to_read(request, entry.stamp.path)):
            others.append(entry)
        else:
            moved.append((reading.id, entry.stamp, entry.protected))
    return others, moved


def _check_folders(request: ScanRequest, entries: Sequence[WalkedFile]) -> None:
    """Raise RootError if a root has disappeared: a lost share must not look like an empty folder.

    A missing root that is a file was reported as a problem by the walk.
    """
    roots = {root.path for root in request.roots}
    file_roots = {entry.stamp.path for entry in entries if entry.stamp.path in roots}
    for root in request.roots:
        if root.role is not Role.LEAVE_OUT and root.path not in file_roots:
            checked_root(root.path)


def _check_drives(request: ScanRequest, library: LibraryFile, revision: str) -> None:
    """Raise RootError (ENODEV) if a root is empty and on another drive than the files known below it.

    The folder on which a share is mounted stays when the share is lost; its documents must not count as deleted.
    """
    roots = [root.path for root in request.roots if root.role is not Role.LEAVE_OUT]
    for top in [path for path in roots if path.is_dir() and not any(path.iterdir())]:
        below = os.path.join(os.fsencode(top), b"")
        devices = {known.key[0] for path, known in library.known(revision).items() if path.startswith(below)}
        if devices and stamp_key(FileStamp.of(top, top.stat()))[0] not in devices:
            raise RootError(top, "ENODEV")
