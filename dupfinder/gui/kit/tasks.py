"""The work of the window's jobs. Heavy modules are imported inside the functions, after the window is painted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from dupfinder.base.details import ProblemKind
from dupfinder.base.errors import (
    DiskFullError,
    JournalError,
    LibraryError,
    LibraryLocked,
    LibraryMissing,
    LibraryPart,
    RootError,
)
from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import Settings

if TYPE_CHECKING:
    from dupfinder.actions.outcome import Batch
    from dupfinder.actions.plan import Plan
    from dupfinder.actions.undo import RestoredName
    from dupfinder.cluster.relation import Demand
    from dupfinder.library.decisions import Decisions
    from dupfinder.library.library import EarlierReading, LibraryFile
    from dupfinder.library.rows import Documents, ScanResult, ScanSummary
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.query import RelatedDocument
    from dupfinder.scan.request import ScanRequest

_CHECK_EVERY = 200  # files: then a stop is noticed and the progress shown
_AT_ONCE = 50_000  # documents: with more, the window shows the list first, then the rest
_ENOUGH = 50  # documents: the rate of a scan that read fewer is not representative


@dataclass(frozen=True, slots=True)
class RecentScan:
    """A line of the list of recent scans. missing: folders that do not exist now. marked: documents to be removed.

    only_forms: filled-in forms were found, and no group.
    """

    summary: ScanSummary
    missing: tuple[Path, ...]
    marked: int
    only_forms: bool = False


@dataclass(slots=True)
class ScanCounts:
    """Counts while folders are searched, written by the job and read by the window.

    by_root: documents and bytes below each. unchanged: documents that need not be read again.
    """

    by_root: dict[Path, tuple[int, int]] = field(default_factory=dict)
    unchanged: int = 0
    complete: bool = False
    pace: float = 0.0  # documents per second of the newest scan with enough documents; 0: unknown

    def seconds(self) -> float | None:
        """Return the estimated time of reading new documents; None if the rate is unknown."""
        return (self.documents - self.unchanged) / self.pace if self.pace else None

    @property
    def documents(self) -> int:
        """Documents in all folders."""
        return sum(count for count, _ in list(self.by_root.values()))

    @property
    def bytes(self) -> int:
        """Bytes of all documents."""
        return sum(size for _, size in list(self.by_root.values()))


def _open(library: Path, *, write: bool = False) -> LibraryFile:
    from dupfinder.library.library import LibraryFile

    return LibraryFile(library, write=write)


def _decisions(library: Path) -> Decisions:
    from dupfinder.library.decisions import Decisions

    return Decisions(library.parent / DECISIONS_NAME)


def recent_scans(library: Path, reporter: Reporter) -> list[RecentScan]:
    """Return the scans in the library, newest first, one for each set of folders; empty without a library."""
    from dupfinder.library.decisions import MARKS

    reporter.check()
    try:
        with _open(library) as opened_library:
            summaries = opened_library.scans()
            without_groups = [scan.id for scan in summaries if scan.state == "done" and not scan.clusters]
            only_forms = {scan for scan in without_groups if _has_forms(opened_library, scan)}
            so_far = {scan.id: opened_library.stored_so_far(scan.id) for scan in summaries if scan.state != "done"}
    except LibraryMissing:
        return []
    by_roots: dict[tuple[object, ...], RecentScan] = {}
    marks = [path for path, (_, decision) in _decisions(library).load().items() if decision in MARKS]
    for summary in sorted(summaries, key=lambda scan: scan.started, reverse=True):
        if summary.roots in by_roots:
            continue
        missing = tuple(path for path, role in summary.roots if role != "leave_out" and not os.path.exists(path))
        tops = tuple(os.path.join(path, "") for path, role in summary.roots if role == "scan")
        has_groups = summary.clusters or summary.state != "done"  # else marks belong to scans of more folders
        ended = summary.started.timestamp() + summary.seconds
        marked = sum(path.startswith(tops) and _is_as_scanned(path, ended) for path in marks if has_groups)
        stored = replace(summary, read=so_far.get(summary.id, summary.read))
        by_roots[summary.roots] = RecentScan(stored, missing, marked, summary.id in only_forms)
    return list(by_roots.values())


def _is_as_scanned(path: str, ended: float) -> bool:
    """Tell whether a marked file is there and unchanged since a scan ended (seconds): others are not removed."""
    try:
        return os.lstat(path).st_mtime <= ended
    except OSError:
        return False


def _has_forms(library: LibraryFile, scan: int) -> bool:
    try:
        return library.has_forms(scan)
    except LibraryError:  # reported when the scan is opened; the others are listed
        return False


def count(request: ScanRequest, library: Path, counts: ScanCounts, reporter: Reporter) -> None:
    """Count the documents in the folders of a request as a scan will find them. Raises RootError, Stopped."""
    from dupfinder.actions.quarantine import moved_aside
    from dupfinder.library.stored import stamp_key
    from dupfinder.scan.walk import Walk

    known, counts.pace = _known(request, library)
    roots = sorted((root.path for root in request.roots), key=lambda path: -len(path.parts))
    root_of_folder: dict[Path, Path | None] = {}  # None: the files in it were named one by one
    for number, entry in enumerate(Walk(replace(request, moved_aside=moved_aside), reporter).entries()):
        if number % _CHECK_EVERY == 0:
            reporter.check()
            reporter.tell(Progress(Stage.FIND, number))
        if entry.refused is not None:
            continue
        path, folder = entry.stamp.path, entry.stamp.path.parent
        if folder not in root_of_folder:
            root_of_folder[folder] = next((root for root in roots if folder.is_relative_to(root)), None)
        root = path if path in roots else root_of_folder[folder] or path  # a file that was named is its own root
        documents, size = counts.by_root.get(root, (0, 0))
        counts.by_root[root] = (documents + 1, size + entry.stamp.size)
        before = known.get(os.fsencode(path))
        counts.unchanged += before is not None and before.key == stamp_key(entry.stamp)
    counts.complete = True


def _known(request: ScanRequest, library: Path) -> tuple[dict[bytes, EarlierReading], float]:
    """Return the documents that were read before, by path, and the rate of the newest scan."""
    from dupfinder.text.document import READER_REVISION

    try:
        with _open(library) as opened:
            return opened.known(f"{request.scheme.id}-{READER_REVISION}"), _pace(opened.scans())
    except LibraryError:
        return {}, 0.0  # no library yet, or a problem that the scan itself will report


def _pace(scans: Sequence[ScanSummary]) -> float:
    """Return the documents per second of the newest scan that read enough documents, else 0."""
    newest = sorted(scans, key=lambda scan: scan.started, reverse=True)
    representative_scans = (
        scan for scan in newest if scan.state == "done" and scan.read - scan.reused >= _ENOUGH and scan.seconds > 0
    )
    return next(((scan.read - scan.reused) / scan.seconds for scan in representative_scans), 0.0)


@dataclass(slots=True)
class ScanFindings:
    """What a scan finds out beside its results, written by the job and read by the window.

    put_aside: paths of a damaged library. repaired: damaged parts of it that were dropped.
    first: the review of the newest first results, None for none.
    """

    put_aside: list[Path] = field(default_factory=list)
    repaired: list[LibraryPart] = field(default_factory=list)
    first: ReviewSession | None = None


def scan(request: ScanRequest, library: Path, findings: ScanFindings, reporter: Reporter) -> int:
    """Scan into the library; return the number of the scan."""
    from dupfinder.actions.quarantine import moved_aside
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.pipeline import run_scan

    def review(result: ScanResult) -> None:
        """Compute the review of first results."""
        session = ReviewSession(result, _decisions(library), is_complete=False)
        _compute_list(session)
        _compute_rest(session)
        findings.first = session

    return run_scan(
        replace(request, moved_aside=moved_aside), library, reporter,
        on_put_aside=findings.put_aside.append, on_repaired=findings.repaired.extend, on_first=review,
    )  # fmt: skip


def watch(
    library: Path,
    request: ScanRequest,
    number: int,
    on_news: Callable[[int, int], object],
    on_away: Callable[[RootError], object],
    reporter: Reporter,
) -> None:
    """Scan again whenever files change, until Stopped is raised. Raises LibraryError, DiskFullError.

    number:  the finished scan with which the first new scan is compared.
    on_news: is called with how many new documents have relatives, and the number of the scan that holds them.
    on_away: is called with the reason when a folder cannot be read; it is waited for.
    """
    from dupfinder.actions.quarantine import moved_aside
    from dupfinder.cluster.relation import Demand
    from dupfinder.review.reporting import newcomers
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.watching import keep_fresh

    with _open(library) as opened:
        earlier = opened.documents(number)
    settings = Settings()
    request, demand = replace(request, fresh=False, moved_aside=moved_aside), Demand.of(settings)
    for scan_number in keep_fresh(request, library, reporter, demand, settings, on_away=on_away):
        with _open(library) as opened:
            review = ReviewSession(opened.result(scan_number))
        documents = len(newcomers(review, earlier))
        earlier = review.result.documents
        if documents:
            on_news(documents, scan_number)


def session(
    library: Path,
    number: int | None,
    reporter: Reporter,
    restore_view: Callable[[ReviewSession], None] = lambda _: None,
) -> ReviewSession:
    """Return the review of a finished scan. Raises LibraryMissing.

    number:       of the scan; None for the newest.
    restore_view: sets the order and the demand of the last review.
    """
    from dupfinder.review.session import ReviewSession

    reporter.check()
    with _open(library) as opened:
        result = opened.result(number)
    reporter.check()
    review = ReviewSession(result, _decisions(library), is_complete=False)
    _correct_groups(library, review)
    restore_view(review)
    _compute_list(review)
    # The list of a large scan is shown first, if it is stored, and the window computes the rest.
    is_stored = result.clusters is not None and review.demand == result.summary.demand
    if not is_stored or len(result.documents) <= _AT_ONCE:
        _compute_rest(review)
    return review


def _compute_list(review: ReviewSession) -> None:
    """Compute the list and its counts in a job, so that the window need not wait when it shows the review."""
    for compute in (review.listed, review.relation_counts, review.trait_counts, review.counts):
        compute()


def _compute_rest(review: ReviewSession) -> None:
    """Compute all that the window shows of a review beside the list."""
    review.complete()
    review.prepare(review.demand)
    review.summary()
    for cluster in review.listed().ids[:1].tolist():
        review.members(cluster)


def _correct_groups(library: Path, review: ReviewSession) -> None:
    """Update the number of groups that the library lists for a scan: an earlier version may have grouped otherwise.

    Nothing is done while another process writes.
    """
    summary, groups = review.result.summary, len(review.all_clusters())
    if groups != summary.clusters:
        with contextlib.suppress(LibraryError, DiskFullError), _open(library, write=True) as opened:
            opened.note_groups(summary.id, groups)


def clear_library(library: Path, reporter: Reporter, *, unfinished_alone: bool = False) -> None:
    """Delete the scans from the library, all or the unfinished ones. Decisions and history are stored elsewhere."""
    with _open(library, write=True) as opened:
        for summary in opened.scans():
            reporter.check()
            if not unfinished_alone or summary.state != "done":
                opened.delete_scan(summary.id)


def problems(library: Path, kind: ProblemKind, reporter: Reporter) -> list[tuple[Path, str]]:
    """Return the files of the newest scan with one kind of problem, each with its details."""
    from dupfinder.base.details import details_of
    from dupfinder.wording.details import clauses

    reporter.check()
    with _open(library) as opened:
        newest = max(opened.scans(), key=lambda summary: summary.id, default=None)
        documents = None if newest is None else opened.documents(newest.id)
    if documents is None:
        return []
    return [(documents.path(row), clauses(details_of(documents.detail[row]))) for row in range(len(documents))
            if documents.status[row] == kind.value]  # fmt: skip


def unread(documents: Documents, reporter: Reporter) -> list[tuple[Path, str]]:
    """Return the files of a scan that were not read, each with the reason."""
    from dupfinder.base.details import details_of
    from dupfinder.library.rows import READ
    from dupfinder.wording.errors import problem_sentence

    reporter.check()
    return [(documents.path(row), problem_sentence(ProblemKind(status), details_of(documents.detail[row])))
            for row, status in enumerate(documents.status) if status != READ]  # fmt: skip


def relatives(library: Path, demand: Demand, sought: Path | str, reporter: Reporter) -> list[RelatedDocument]:
    """Return the documents of a library that are related to a file, or to a text, the closest first, without the file.

    Raises NoTextError, InputError, LibraryError.
    """
    from dupfinder.scan.query import Lookup, digest_of, text_to_find
    from dupfinder.text.extract import of_text

    if isinstance(sought, str):
        text, itself, digest = of_text(sought), None, b""
    else:
        text, itself, digest = text_to_find(str(sought)), sought, digest_of(sought)
    reporter.check()
    with _open(library) as opened:
        return Lookup(opened).find(text, demand, itself, digest)


def cut_off_removal(_reporter: Reporter) -> Batch | None:
    """Complete interrupted removals: a file that was held has its name again. Return the newest that was cut off."""
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.undo import recover

    with contextlib.suppress(LibraryLocked, JournalError, OSError):  # locked: a removal is running
        return next((batch for batch in recover(Journal()) if batch.is_cut_off), None)
    return None


def removals(age: timedelta, reporter: Reporter) -> list[Batch]:
    """Return all removals, newest first.

    Completes interrupted removals, and deletes removals older than `age` from which nothing can be restored.
    """
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.undo import recover

    reporter.check()
    opened = Journal()
    with contextlib.suppress(LibraryLocked):  # a removal is running
        recover(opened)
        opened.forget_older(age)
    return opened.current()


def remove(plan: Plan, library: Path, reporter: Reporter) -> Batch:
    """Carry out a plan; each file and its survivor are checked again first. Raises as `review.removal.remove`."""
    from dupfinder.review import removal

    return removal.remove(plan, library, reporter)


def restore(batch: str, reporter: Reporter, *, similar_name: bool, only: Collection[Path] = ()) -> Batch:
    """Undo a removal, or restore only some of its files; the result says which are back.

    Raises as `review.removal.take_back`.
    """
    from dupfinder.review import removal

    return removal.take_back(batch, reporter, similar_name=similar_name, only=only)


def give_names_back(paths: Sequence[Path], reporter: Reporter) -> list[RestoredName]:
    """Restore the original names of files that a removal left renamed. Raises as `review.removal.give_names_back`."""
    from dupfinder.review import removal

    reporter.check()
    return removal.give_names_back(paths)
