"""Write a report to a file, in the format of its suffix."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import IO, Final, cast

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.output import Recogniser, refuse_document, replacing
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.base.settings import N_
from dupfinder.report.rows import Report

_PART: Final = "docProps/core.xml"
_MOST_BYTES: Final = 65_536  # of the part; in our files it has less than a thousand
_CREATED: Final = re.compile(rb"<dc:creator>dupfinder ")
_SAVED: Final = re.compile(rb"<cp:lastModifiedBy>dupfinder ")  # an office program replaces this by the person's name
# What zipfile raises for other files, and for packages that are damaged, locked or packed in another way.
_NOT_OURS: Final = (
    zipfile.BadZipFile, KeyError, OSError, ValueError, RuntimeError, EOFError, zlib.error, lzma.LZMAError,
)  # fmt: skip


def is_our_office_file(file: IO[bytes]) -> bool:
    """Tell whether an office file was written by dupfinder and not saved by another program since."""
    try:
        with zipfile.ZipFile(file) as package, package.open(_PART) as part:
            properties = part.read(_MOST_BYTES)
    except _NOT_OURS:
        return False
    return bool(_CREATED.search(properties) and _SAVED.search(properties))


Writer = Callable[..., None]  # of a Report and a file
# Writers are imported when used: a JSON report needs no spreadsheet library.
_WRITERS: Final = {
    ".json": "dupfinder.report.json",
    ".html": "dupfinder.report.html",
    ".csv": "dupfinder.report.csv",
    ".xlsx": "dupfinder.report.xlsx",
    ".docx": "dupfinder.report.docx",
}
_OFFICE: Final = (".xlsx", ".docx")
ENDINGS: Final = tuple(_WRITERS)


def ending_of_report(path: Path) -> str:
    """Return the suffix of `path` in lower case. Raises UsageError for other formats; call it before a long scan."""
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        pattern = N_("A report's name must end in one of {endings}; it has no ending.")
        if ending:
            pattern = N_("A report's name must end in one of {endings}; {ending} is not among them.")
        raise UsageError(pattern, endings=" ".join(ENDINGS), ending=shown(ending))
    return ending


def report_recogniser(path: Path) -> Recogniser:
    """Return the function that recognises earlier reports of the format of `path`. Raises UsageError."""
    ending = ending_of_report(path)
    return is_our_office_file if ending in _OFFICE else cast(Recogniser, import_module(_WRITERS[ending]).is_ours)


def write(
    report: Report,
    path: Path,
    *,
    documents: Iterable[Path] = (),
    force: bool = False,
    schema: int = 2,
    reporter: Reporter = SILENT,
) -> None:
    """Write `report` to `path`, completely or not at all.

    documents: further scanned files that must not be replaced.
    force: replace a file even if it is no earlier report. schema: of a JSON report, 1 or 2.
    Raises OccupiedError (a file that dupfinder did not write), UsageError (an unknown suffix, a path that cannot be
    written, or a scanned file), DiskFullError, Stopped.
    """
    ending = ending_of_report(path)
    writer = cast(Writer, import_module(_WRITERS[ending]).write)
    refuse_document(path, (*(file.path for file in report.files), *documents))
    reporter.tell(Progress(Stage.WRITE))
    with replacing(path, report_recogniser(path), force=force) as file:
        writer(report, file, **({"schema": schema} if ending == ".json" else {}))
        reporter.check()  # a report that is given up leaves no file
