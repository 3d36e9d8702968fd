"""A report to a file; the ending of its name chooses the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import IO, Final, cast

from dupfinder.base.errors import UsageError
from dupfinder.base.output import Recogniser, refuse_document, replacing
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
_JSON_1: Final = "dupfinder.report.json1"
_MARKS: Final = _WRITERS | dict.fromkeys((".xlsx", ".docx"), "dupfinder.report.properties")  # who knows them again
ENDINGS: Final = tuple(_WRITERS)


def check_ending(path: Path) -> str:
    """The ending of `path` in lower case. UsageError when no writer has it: worth asking before a long scan."""
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        raise UsageError(
            f"A report's name must end in one of {' '.join(ENDINGS)}; {ending or 'no ending'} is none of them."
        )
    return ending


def recogniser(path: Path) -> Recogniser:
    """What tells an earlier report of the format that the ending of `path` names. UsageError for another ending."""
    return cast(Recogniser, import_module(_MARKS[check_ending(path)]).is_ours)


def write(report: Report, path: Path, *, documents: Iterable[Path] = (), force: bool = False, schema: int = 2) -> None:
    """Write `report` to `path`, whole or not at all.

    documents: scanned files beside those of the report, which it must not replace either.
    force: also replace a file that is no earlier report. schema: of a JSON report, 1 or 2.
    Raises OccupiedError (a file that is not ours), UsageError (an unknown ending, a path that cannot be written, or one
    of the scanned files), DiskFullError.
    """
    ending = check_ending(path)
    module = import_module(_JSON_1 if (ending, schema) == (".json", 1) else _WRITERS[ending])
    refuse_document(path, (*(file.path for file in report.files), *documents))
    with replacing(path, recogniser(path), force=force) as file:
        cast(Writer, module.write)(report, file)
