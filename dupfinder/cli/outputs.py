"""Files that a command writes: `--force`, and checks before the work begins."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dupfinder.base.display import shown
from dupfinder.base.errors import Fault, LibraryUnreachable, OccupiedError, UsageError
from dupfinder.base.output import Recogniser, check_output, refuse_document
from dupfinder.wording.catalogue import N_, say

if TYPE_CHECKING:
    from dupfinder.scan.request import Root


def add_force(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--force` to a verb that writes a named file."""
    parser.add_argument("--force", action="store_true", help=say("replace {what}; never a scanned document", what=what))


def check_library_to_write(path: Path, *, force: bool) -> None:
    """Check, before any work, that the library path is free or a library, and its folder exists.

    Raises NotALibrary, LibraryUnreachable.
    """
    from dupfinder.library.store import check_library

    check_library(path, write=True, force=force)
    if not path.parent.is_dir():
        raise LibraryUnreachable(path, Fault.NO_FOLDER)


def check_reports(reports: Iterable[Path], library: Path, *, force: bool, documents: Iterable[str] = ()) -> None:
    """Check, before any work, that reports can be written and replace no other file and no document.

    Raises UsageError, OccupiedError, DiskFullError.
    """
    from dupfinder.report.write import recogniser

    paths = list(map(Path, documents))
    for path in reports:
        is_ours = recogniser(path)
        if os.path.abspath(path) == os.path.abspath(library):
            raise UsageError(N_("{path} is the library; a report needs a name of its own."), path=shown(path))
        refuse_document(path, paths)
        check_output(path, is_ours, force=force)


def reports_within(
    reports: Iterable[Path], roots: Sequence[Root], recogniser_of: Callable[[Path], Recogniser] | None = None
) -> tuple[Path, ...]:
    """Return reports in folders to scan, as paths below those folders: the scan skips them.

    recogniser_of: returns what recognises an earlier file of a name; None: of a report.
    Raises UsageError for a document: a file that is no report, or that is listed to be scanned.
    """
    from dupfinder.report.write import recogniser
    from dupfinder.scan.request import Role

    recogniser_of = recogniser_of or recogniser
    inside = []
    for path in reports:
        real = Path(os.path.realpath(path.parent), path.name)
        holders = [(Path(os.path.realpath(root.path)), root) for root in roots]
        holders = [holder for holder in holders if real.is_relative_to(holder[0])]
        folder, root = max(holders, key=lambda holder: len(holder[0].parts), default=(real, None))
        if root is None or root.role is Role.LEAVE_OUT:
            continue
        try:
            check_output(path, recogniser_of(path))
        except OccupiedError:
            taken = True
        else:
            taken = folder == real
        if taken:
            raise UsageError(
                N_("{path} is one of the documents to scan; a report never takes the place of one."), path=shown(path)
            )
        inside.append(Path(os.path.abspath(root.path)) / real.relative_to(folder))
    return tuple(inside)
