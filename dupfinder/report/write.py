"""A report to a file; the ending of its name chooses the format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO, Final, cast

from dupfinder.base.errors import UsageError
from dupfinder.report.place import refuse_document, replacing
from dupfinder.report.rows import Report

Writer = Callable[[Report, IO[bytes]], None]
# The writers' modules are imported when they are used: a spreadsheet library is not needed for a JSON report.
_WRITERS: Final = {
    ".json": "dupfinder.report.json",
    ".html": "dupfinder.report.html",
    ".csv": "dupfinder.report.csv",
    ".xlsx": "dupfinder.report.xlsx",
    ".docx": "dupfinder.report.docx",
}
ENDINGS: Final = tuple(_WRITERS)


def check_ending(path: Path) -> str:
    """The ending of `path` in lower case. UsageError when no writer has it: worth asking before a long scan."""
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        raise UsageError(
            f"A report's name must end in one of {' '.join(ENDINGS)}; {ending or 'no ending'} is none of them."
        )
    return ending


def write(report: Report, path: Path) -> None:
    """Write `report` to `path`, whole or not at all.

    UsageError: an unknown ending, a place that cannot be written, or one of the scanned files. DiskFullError: no room.
    """
    module = import_module(_WRITERS[check_ending(path)])
    refuse_document(path, (file.path for file in report.files))
    with replacing(path) as file:
        cast(Writer, module.write)(report, file)
