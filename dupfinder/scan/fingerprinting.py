"""Fingerprint all documents of a request under any scheme, without a library: for files of fingerprints."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from dupfinder.base.columns import Ragged
from dupfinder.base.details import Details
from dupfinder.base.errors import RootError
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.base.settings import Settings
from dupfinder.engine.prints import PrintFile, Sketches, array_of
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import sketch_of
from dupfinder.library.rows import READ, DocumentRow
from dupfinder.scan.archives import plan_members, unopened_row
from dupfinder.scan.readers import ThisMachine, reading_limits
from dupfinder.scan.reading import ListedArchive, ReadTask, answer_of
from dupfinder.scan.request import ScanRequest, media_to_read
from dupfinder.scan.walk import Walk, checked_roots, once_each
from dupfinder.text.archives.members import is_archive_name

_ALL = (1 << 31) - 1  # more shingles than any text has


@dataclass(frozen=True, slots=True)
class SketchChoice:
    """Which sketch is stored of each document.

    kind:   "min", "mod" or "super". number: how many of the smallest values, or the divisor ("mod").
    width:  of "super": values of a run.
    """

    kind: str
    number: int
    width: int = 6


@dataclass(slots=True)
class Fingerprinted:
    """The result.

    prints:   by path bytes, of documents with a fingerprint: path, fingerprint, sketch.
    left_out: number of files left out, by status. reasons: path, status and details of each of them.
    """

    scheme: Scheme
    sketch: SketchChoice | None = None
    prints: dict[bytes, tuple[str, int, Hashes]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    reasons: list[tuple[str, str, Details]] = field(default_factory=list)

    def file(self) -> PrintFile:
        """Return the fingerprints and sketches in the order of their paths' bytes."""
        rows = [self.prints[name] for name in sorted(self.prints)]
        values = array_of([value for _, value, _ in rows], self.scheme.bits)
        return PrintFile(values, [path for path, _, _ in rows], self.scheme.made_by, self._sketches(rows))

    def _sketches(self, rows: list[tuple[str, int, Hashes]]) -> Sketches | None:
        """Return the sketches of these rows, None if none were asked for."""
        choice = self.sketch
        if choice is None:
            return None
        entries = Ragged.of_entries([sketch for _, _, sketch in rows], np.uint64)
        made_by = self.scheme.sketches_made_by(choice.kind, choice.number, choice.width)
        return Sketches(choice.kind, choice.number, entries, made_by)


def fingerprint_files(
    request: ScanRequest, sketch: SketchChoice | None = None, reporter: Reporter = SILENT
) -> Fingerprinted:
    """Read every document of a request and fingerprint it by the request's scheme. Raises RootError, Stopped.

    sketch: which sketch to compute as well; None: none.
    """
    scheme = request.scheme
    if sketch is not None:  # "mod" needs all shingles, the others only the smallest
        scheme = replace(scheme, sketch=_ALL if sketch.kind == "mod" else sketch.number)
    request = replace(request, scheme=scheme, roots=checked_roots(request.roots))
    result = Fingerprinted(request.scheme, sketch)
    reporter.tell(Progress(Stage.FIND))
    now, later = _planned(request, reporter, result)
    done, total = 0, len(now) + len(later)
    reporter.tell(Progress(Stage.READ, done, total))
    with ThisMachine(request).readers(reading_limits(Settings())) as readers:
        while now or later:
            for outcome in readers.run(now, reporter.check):
                answer = answer_of(outcome)
                if isinstance(answer, ListedArchive):
                    members = _members(answer, request, result)
                    later += members
                    total += len(members)
                else:
                    _add_row(answer, result)
                done += 1
                current = tuple(task.stamp.path for task, _ in readers.in_hand())
                reporter.tell(Progress(Stage.READ, done, total, current=current, problems=result.left_out))
            now, later = later, []
    return result


def _planned(request: ScanRequest, reporter: Reporter, result: Fingerprinted) -> tuple[list[ReadTask], list[ReadTask]]:
    """Return the archives and the other files to read, and add the rest to the result. Raises RootError, Stopped."""
    archives, others = list[ReadTask](), list[ReadTask]()
    entries = once_each(tuple(Walk(request, reporter).entries()))
    reporter.tell(Progress(Stage.FIND, len(entries)))
    if not entries:
        raise RootError(request.roots[0].path, "empty")
    for entry in entries:
        if entry.refused is not None:
            _leave_out(result, DocumentRow(entry.stamp, entry.refused, entry.details))
            continue
        media = media_to_read(request, entry.stamp.path)
        task = ReadTask(entry.stamp, request.scheme, media, largest=request.largest)
        (archives if is_archive_name(entry.stamp.path) else others).append(task)
    return archives, others


def _members(listing: ListedArchive, request: ScanRequest, result: Fingerprinted) -> list[ReadTask]:
    if not request.archives:
        _leave_out(result, unopened_row(listing.stamp))
        return []
    plan = plan_members(listing, 0, {}, request, protected=False)
    for row in (*plan.left_out, *plan.refused):
        _leave_out(result, row)
    return plan.tasks


def _add_row(row: DocumentRow, result: Fingerprinted) -> None:
    if row.text_print is not None and row.text_print.has_features and row.status == READ:
        path = str(row.stamp.path)
        sketch = np.empty(0, np.uint64)
        if (choice := result.sketch) is not None:
            sketch = sketch_of(row.text_print.sketch, choice.kind, choice.number, choice.width)
        result.prints[os.fsencode(path)] = (path, row.text_print.fingerprint, sketch)
    else:
        _leave_out(result, row)


def _leave_out(result: Fingerprinted, row: DocumentRow) -> None:
    result.left_out[row.status] += 1
    result.reasons.append((str(row.stamp.path), row.status, row.details))
