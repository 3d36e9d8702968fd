"""Scans of folders, and the libraries that store what was read and the results."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from dupfinder.actions.quarantine import moved_aside
from dupfinder.api import checks
from dupfinder.api.documents import Document, document_of
from dupfinder.api.errors import explained
from dupfinder.api.fingerprints import Fingerprints
from dupfinder.base.errors import Fault, InputError
from dupfinder.base.files import Closable
from dupfinder.base.paths import default_library
from dupfinder.base.progress import SILENT, Reporter
from dupfinder.base.settings import DEFAULT_MIN_CONTAINMENT, DEFAULT_MIN_SIMILARITY, MAX_RADIUS
from dupfinder.cluster.relation import Demand
from dupfinder.library.library import LibraryFile, refuse_scanned
from dupfinder.library.rows import ScanResult, ScanSummary
from dupfinder.report.rows import Report, ReportCluster, ReportFile, ReportPair
from dupfinder.report.write import write
from dupfinder.review.calibration import Calibration, Scores, calibrate, read_labels, score
from dupfinder.review.grouping import Grouping
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.query import Lookup, RelatedDocument, digest_of
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.scan.weights import scheme_of as known_scheme

PathLike = str | os.PathLike[str]


class Scan:
    """A finished scan. Its results are available at any radius and similarity without reading files again.

    number:  in its library.
    summary: roots, time, counts, scheme and widest radius.
    """

    def __init__(self, result: ScanResult) -> None:
        self._result = result
        self.number: int = result.summary.id
        self.summary: ScanSummary = result.summary

    def report(self, *, radius: int | None = None, min_similarity: float | None = None) -> Report:
        """Return all results of the scan as plain rows: files, groups, pairs, parts, forms.

        radius: bits, at most `summary.widest_radius`. min_similarity: 0.5 to 1. None: that of the scan.
        """
        session = ReviewSession(self._result)
        if radius is not None:
            session.set_radius(checks.radius_of(radius, self.summary.widest_radius))
        if min_similarity is not None:
            session.set_demand(replace(session.demand, similarity=checks.demanded("min_similarity", min_similarity)))
        return report_of(session)

    def groups(self, *, radius: int | None = None, min_similarity: float | None = None) -> tuple[ReportCluster, ...]:
        """Return the groups of near-duplicates: `keeper`, and `members` with the relation of each to the keeper."""
        return self.report(radius=radius, min_similarity=min_similarity).clusters

    def pairs(self, *, radius: int | None = None, min_similarity: float | None = None) -> tuple[ReportPair, ...]:
        """Return every verified pair of documents with different words."""
        return tuple(self.report(radius=radius, min_similarity=min_similarity).pairs)

    def files(self) -> tuple[ReportFile, ...]:
        """Return every file that was offered, and for files that were not read the reason."""
        return self.report().files

    @explained()
    def write(self, path: PathLike, *, force: bool = False) -> None:
        """Write a report in the format of the path's ending: .json .html .csv .xlsx .docx.

        Never replaces a scanned document, nor, unless `force`, a file that is not an earlier report. Raises UsageError,
        OccupiedError, DiskFullError.
        """
        target = checks.path_of("path", path)
        refuse_scanned(target)
        write(self.report(), target, force=force)

    def fingerprints(self) -> tuple[tuple[Path, ...], Fingerprints]:
        """Return the paths of all documents that can be compared, and their fingerprints, row for row.

        Raises InputError when the weights with which they were made no longer exist.
        """
        scheme = known_scheme(self.summary.scheme)
        if scheme is None:
            with explained():
                raise InputError(Fault.WEIGHTS_GONE)
        documents = self._result.documents
        rows = np.flatnonzero(documents.comparable)
        paths = tuple(documents.path(row) for row in rows.tolist())
        return paths, Fingerprints(documents.fingerprint[rows], np.ones(len(rows), np.bool_), scheme)

    def calibration(self, *, min_similarity: float = DEFAULT_MIN_SIMILARITY) -> Calibration:
        """Count the pairs at each radius, verified and not: what each finds, and how many wrong pairs it adds."""
        return calibrate(Grouping(self._result), self._demand(min_similarity))

    @explained()
    def score(self, labels: PathLike, *, min_similarity: float = DEFAULT_MIN_SIMILARITY) -> Scores:
        """Return precision and recall of each radius on pairs that a person labelled.

        labels: a file with a pair on each line: path, path, and yes or no, separated by commas or tabs. Raises
                UsageError with the number of an invalid line.
        """
        pairs = read_labels(checks.path_of("labels", labels))
        return score(Grouping(self._result), pairs, self._demand(min_similarity))

    def _demand(self, min_similarity: float) -> Demand:
        similarity = checks.demanded("min_similarity", min_similarity)
        return Demand(similarity, DEFAULT_MIN_CONTAINMENT, self.summary.widest_radius)


class Library(Closable):
    """A library, open for reading. A context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lookup: tuple[object, Lookup] | None = None
        with explained():
            self._library = LibraryFile(path)

    def close(self) -> None:
        """Close the file."""
        self._library.close()

    @explained()
    def scans(self) -> list[ScanSummary]:
        """Return all scans, the newest first."""
        return self._library.scans()

    @explained()
    def scan(self, number: int | None = None) -> Scan:
        """Return a finished scan by its number; None: the newest. Raises LibraryMissing."""
        if number is not None:
            checks.whole_number("number", number, 1)
        return Scan(self._library.result(number))

    def query(
        self,
        text: str | Document,
        *,
        radius: int = MAX_RADIUS,
        min_similarity: float = DEFAULT_MIN_SIMILARITY,
        min_containment: float = DEFAULT_MIN_CONTAINMENT,
    ) -> list[RelatedDocument]:
        """Find documents of the library that are similar to a text or a document, the most similar first.

        For a text of two words to four, these are the documents too that have them in a row.
        The first query loads what the library knows, which stays in memory (about 1.5 KB a document) for the next ones.
        The document's own path is left out. Raises UsageError for a text that is too short to compare, LibraryMissing.
        """
        document = document_of(text)
        demand = Demand(
            checks.demanded("min_similarity", min_similarity),
            checks.share_of("min_containment", min_containment),
            checks.radius_of(radius),
        )
        digest = b"" if document.path is None else digest_of(document.path)
        with explained():
            return self._current_lookup().find(document.extracted, demand, document.path, digest)

    def _current_lookup(self) -> Lookup:
        """Return the look-up of the present library; reuse that of the last query if no scan was added since."""
        scans = [(scan.id, scan.state, scan.scheme) for scan in self._library.scans()]
        if self._lookup is None or self._lookup[0] != scans:
            self._lookup = scans, Lookup(self._library)
        return self._lookup[1]


def open_library(path: PathLike | None = None) -> Library:
    """Open a library for reading; None: the person's default library. Raises LibraryMissing and other LibraryErrors."""
    return Library(default_library() if path is None else checks.path_of("path", path))


@explained()
def scan(
    folders: PathLike | Iterable[PathLike],
    library: PathLike,
    *,
    protect: Iterable[PathLike] = (),
    leave_out: Iterable[PathLike] = (),
    radius: int = MAX_RADIUS,
    min_similarity: float = DEFAULT_MIN_SIMILARITY,
    hidden: bool = True,
    archives: bool = True,
    workers: int = 0,
    fresh: bool = False,
    reporter: Reporter | None = None,
) -> Scan:
    """Scan folders (or files), or continue a scan that was stopped, and return its results.

    library:   the file that stores what was read; unchanged files are not read again. It is created if missing.
    protect:   folders that are compared, but whose files no rule may mark.
    leave_out: folders that are not entered.
    workers:   reading processes; 0: one for each core, eight at most.
    fresh:     read all files again.
    reporter:  receives the progress; its `check` may raise `Stopped`.
    Weights of words, and limits of time and memory, are those of the program's settings.
    Files that cannot be read are counted and listed in the scan. Raises RootError for a folder that cannot be read, and
    LibraryErrors.
    """
    roots = _roots(folders, protect, leave_out)
    count = checks.whole_number("workers", workers, 0, 64)
    request = ScanRequest(
        roots, hidden=bool(hidden), archives=bool(archives), workers=count, fresh=bool(fresh),
        moved_aside=moved_aside,
    )  # fmt: skip
    similarity = checks.demanded("min_similarity", min_similarity)
    demand = Demand(similarity, DEFAULT_MIN_CONTAINMENT, checks.radius_of(radius))
    path = checks.path_of("library", library)
    number = run_scan(request, path, reporter or SILENT, demand)
    with LibraryFile(path) as opened:
        return Scan(opened.result(number))


def _roots(
    folders: PathLike | Iterable[PathLike], protect: Iterable[PathLike], leave_out: Iterable[PathLike]
) -> tuple[Root, ...]:
    """Return the roots of a scan. Raises TypeError and ValueError."""
    scanned = [folders] if isinstance(folders, str | os.PathLike) else checks.many("folders", folders, "folders")
    protected, excluded = checks.many("protect", protect, "folders"), checks.many("leave_out", leave_out, "folders")
    roots = (
        *(Root(checks.path_of("folder", path)) for path in scanned),
        *(Root(checks.path_of("protect", path), Role.PROTECT) for path in protected),
        *(Root(checks.path_of("leave_out", path), Role.LEAVE_OUT) for path in excluded),
    )
    if not roots:
        raise ValueError("folders is empty: there is nothing to scan")
    return roots
