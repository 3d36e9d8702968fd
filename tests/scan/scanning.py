"""A scan in this process, and what became of each file."""

from __future__ import annotations

import os
from pathlib import Path

from dupfinder.base.progress import SILENT, Reporter
from dupfinder.base.settings import Settings
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanResult
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest


def scan(
    library: Path,
    *roots: Path | Root,
    reporter: Reporter = SILENT,
    settings: Settings | None = None,
    **choices: object,
) -> ScanResult:
    """Scan with one worker unless `choices`, which are fields of the request, name another number."""
    folders = tuple(root if isinstance(root, Root) else Root(root) for root in roots)
    request = ScanRequest(folders, **{"workers": 1, **choices})  # type: ignore[arg-type]
    number = run_scan(request, library, reporter, settings=settings)
    with LibraryFile(library) as opened:
        return opened.result(number)


def statuses(result: ScanResult, top: Path) -> dict[str, str]:
    """Return the status of each file by its path below `top`."""
    paths = (os.path.relpath(path, top) for path in result.documents.paths)
    return dict(zip(paths, result.documents.status, strict=True))
