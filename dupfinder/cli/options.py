"""Options that several verbs share: which files of a scan, and which files to write, with checks before the work."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dupfinder.base.details import error_name
from dupfinder.base.display import shown
from dupfinder.base.errors import Fault, LibraryUnreachable, OccupiedError, UsageError
from dupfinder.base.output import Recogniser, check_output
from dupfinder.cli.terminal import remark
from dupfinder.wording.catalogue import N_, say, say_count
from dupfinder.wording.details import error_words

if TYPE_CHECKING:
    from dupfinder.scan.request import FileFilters, Root, ScanRequest

Number = TypeVar("Number", int, float)
_MOST_DIGITS = 12  # of a whole number: above every count of rows, and far below what 64 bits hold


def add_force(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--force` to a verb that writes a named file."""
    add_flag(parser, "--force", say("replace {what}; never a scanned document", what=what))


def check_written(path: Path, is_ours: Recogniser, library: Path | None, *, force: bool) -> None:
    """Check that a file may be written, as `check_output` does, and replaces no document of any scan.

    library: whose scans count beside those of the usual one; None: those alone. Raises InputError, OccupiedError.
    """
    from dupfinder.library.library import refuse_scanned

    check_output(path, is_ours, force=force)
    refuse_scanned(path, library)


def check_library_to_write(path: Path, *, force: bool) -> None:
    """Check that the path is free or a library, and its folder exists. Raises NotALibrary, LibraryUnreachable.

    force: it may be another file, but no document of a scan.
    """
    from dupfinder.library.library import refuse_scanned
    from dupfinder.library.store import check_library

    if force:
        refuse_scanned(path)
    check_library(path, write=True, force=force)
    if not path.parent.is_dir():
        raise LibraryUnreachable(path, Fault.NO_FOLDER)


def check_reports(reports: Iterable[Path], library: Path, *, force: bool) -> None:
    """Check that reports can be written and replace no other file. Raises UsageError, OccupiedError, DiskFullError."""
    from dupfinder.report.write import report_recogniser

    for path in reports:
        is_ours = report_recogniser(path)
        if os.path.abspath(path) == os.path.abspath(library):
            raise UsageError(N_("{path} is the library; a report needs another name."), path=shown(path))
        check_written(path, is_ours, library, force=force)


def reports_within(
    reports: Iterable[Path], roots: Sequence[Root], recogniser_of: Callable[[Path], Recogniser] | None
) -> tuple[Path, ...]:
    """Return reports in folders to scan, as paths below those folders: the scan skips them.

    recogniser_of: returns the function that recognises earlier files of a name; None: that of reports.
    Raises UsageError for a document: a file that is no report, or that is listed to be scanned.
    """
    from dupfinder.report.write import report_recogniser
    from dupfinder.scan.request import Role

    recogniser_of = recogniser_of or report_recogniser
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
            is_document = True
        else:
            is_document = folder == real
        if is_document:
            raise UsageError(
                N_("{path} is one of the documents to scan; a report never takes the place of one."), path=shown(path)
            )
        inside.append(Path(os.path.abspath(root.path)) / real.relative_to(folder))
    return tuple(inside)


def add_reading(parser: Any) -> None:
    """Add the options of verbs that read files: by how many processes, and which files are not looked at."""
    processes = say("reading processes; 0: as set, at first one for each core, eight at most")
    add_number(parser, "--workers", processes, 0, 64, default=0)
    add_flag(parser, "--no-hidden", say("leave hidden files and folders out"))
    add_flag(parser, "--no-archives", say("do not look into archives (ZIP, tar, 7z, RAR, mailboxes)"))


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600}
_LATEST = 1 << 62  # nanoseconds since 1970


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the options that select files."""
    group = parser.add_argument_group(say("which files"))
    group.add_argument(
        "--files-from", metavar="FILE", help=say("scan the files that FILE lists, one a line; - is the input")
    )
    group.add_argument(
        "-0", "--null", action="store_true", help=say("paths in --files-from end in NUL, not in a line end")
    )
    for option, meaning in (
        ("--include", say("only files that match, as in .gitignore; may be repeated")),
        ("--exclude", say("leave out files and folders that match; may be repeated")),
    ):
        group.add_argument(option, action="append", default=[], type=_pattern, metavar="GLOB", help=meaning)
    group.add_argument(
        "--min-size", type=size_of, metavar="SIZE", help=say("the smallest file to read: bytes, or as in 10k, 2.5M, 1G")
    )
    group.add_argument("--max-size", type=size_of, metavar="SIZE", help=say("the largest file to read"))
    group.add_argument(
        "--newer",
        type=moment_of,
        metavar="WHEN",
        help=say("changed since: 2024-01-31, 2024-01-31T12:00, or an age: 90m, 12h, 7d, 4w, 1y"),
    )
    group.add_argument("--older", type=moment_of, metavar="WHEN", help=say("changed before then"))
    parser._has_negative_number_optionals.clear()  # -0 is an option, and yet -1 is a number
    add_flag(group, "--code", say("also style sheets and program texts"))
    add_flag(group, "--one-file-system", say("do not enter folders on other file systems"))


def _pattern(text: str) -> str:
    from dupfinder.scan.request import check_pattern

    try:
        check_pattern(text)
    except ValueError as error:
        hint = say("{text} is no pattern, as in *.pdf, old/ or [0-9]*; \\[ is a bracket itself", text=repr(text))
        raise argparse.ArgumentTypeError(hint) from error
    return text


def nonempty(text: str) -> str:
    """Return a name that a person gave. Raises ArgumentTypeError for an empty one, as an unset variable leaves it."""
    if not text:
        raise argparse.ArgumentTypeError(say("the name is empty"))
    return text


def _path(text: str) -> Path:
    """Return the path of a name. Raises ArgumentTypeError for an empty one, which would mean the current folder."""
    return Path(nonempty(text))


def add_path(parser: Any, name: str, what: str, *, metavar: str = "FILE", **more: Any) -> None:
    """Add an argument that is a path. what: its help. more: as of `add_argument`."""
    parser.add_argument(name, type=_path, metavar=metavar, help=what, **more)


def add_flag(parser: Any, name: str, what: str) -> None:
    """Add an option without a value. what: its help."""
    parser.add_argument(name, action="store_true", help=what)


def add_number(
    parser: Any, name: str, what: str, least: int = 0, most: int | None = None, *, metavar: str = "N", **more: Any
) -> None:
    """Add an option that is a whole number within limits. what: its help. more: as of `add_argument`."""
    parser.add_argument(name, type=whole_number(least, most), metavar=metavar, help=what, **more)


def whole_number(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """Return an argument's type: a whole number within limits. It raises ArgumentTypeError for other texts."""
    from_least = N_("a whole number of {least} or more is wanted, not {text}")
    return _within(_whole, least, most, from_least, N_("a whole number from {least} to {most} is wanted, not {text}"))


def decimal(least: float, most: float | None = None) -> Callable[[str], float]:
    """Return an argument's type: a number within limits. It raises ArgumentTypeError for other texts."""
    from_least = N_("a number of {least} or more is wanted, not {text}")
    return _within(float, least, most, from_least, N_("a number from {least} to {most} is wanted, not {text}"))


def _whole(text: str) -> int:
    """Return a whole number without a sign. Raises ValueError."""
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    raise ValueError(text)


def _within(
    read: Callable[[str], Number], least: Number, most: Number | None, from_least: str, between: str
) -> Callable[[str], Number]:
    """Return an argument's type: what `read` returns, from `least` to `most`. from_least, between: its messages."""

    def parse(text: str) -> Number:
        with contextlib.suppress(ValueError):
            number = read(text)
            if least <= number < math.inf and (most is None or number <= most):
                return number
        pattern = from_least if most is None else between
        raise argparse.ArgumentTypeError(say(pattern, least=least, most=most, text=repr(text)))

    return parse


def size_of(text: str) -> int:
    """Return a number of bytes from a text, with k, M, G or T for thousands."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt]?)b?", text, re.ASCII | re.IGNORECASE)
    if match is None or len(match[1]) > 18:
        raise argparse.ArgumentTypeError(
            say("a size is a number of bytes, or as in 10k, 2.5M, 1G, not {text}", text=repr(text))
        )
    return int(float(match[1]) * _UNITS[match[2].lower()]) if match[2] or "." in match[1] else int(match[1])


def _span(age: re.Match[str]) -> timedelta:
    return timedelta(seconds=int(age[1]) * _SECONDS[age[2]])


def moment_of(text: str) -> int:
    """Return a date, time or age as nanoseconds since 1970; local time without a time zone."""
    age = re.fullmatch(r"(\d{1,6})([mhdwy])", text, re.ASCII)
    try:
        moment = datetime.fromisoformat(text) if age is None else datetime.now(UTC) - _span(age)
        nanoseconds = int(moment.timestamp()) * 10**9
    except (ValueError, OverflowError, OSError):
        pattern = N_("{text} is no moment: a date as in 2024-01-31, or an age as in 90m, 12h, 7d, 4w, 1y")
        raise argparse.ArgumentTypeError(say(pattern, text=repr(text))) from None
    return max(-_LATEST, min(nanoseconds, _LATEST))


def filters_of(arguments: Namespace) -> FileFilters:
    """Return the filters of the options. Raises UsageError for limits that no file can meet."""
    from dupfinder.scan.request import FileFilters

    if arguments.max_size is not None and arguments.max_size < (arguments.min_size or 0):
        raise UsageError(N_("--max-size is smaller than --min-size: no file can be both."))
    if None not in (arguments.newer, arguments.older) and arguments.older <= arguments.newer:
        raise UsageError(N_("--older is not later than --newer: no file can be both."))
    if arguments.include and all(pattern.startswith("!") for pattern in arguments.include):
        raise UsageError(N_("--include {pattern} alone leaves every file out."), pattern=repr(arguments.include[0]))
    return FileFilters(
        tuple(arguments.include), tuple(arguments.exclude), arguments.max_size, arguments.newer, arguments.older
    )


def tell_unmatched(request: ScanRequest, paths: Collection[str]) -> None:
    """Print each pattern of --include that no file matches, of all the files that were found."""
    for pattern in request.unmatched(paths):
        remark(say("No file matches --include {pattern}.", pattern=repr(pattern)))


def listed_files(arguments: Namespace) -> list[Path]:
    """Return the paths that --files-from lists, each once; print missing ones and leave them out. Raises UsageError."""
    if arguments.files_from is None:
        if arguments.null:
            raise UsageError(N_("--null goes with --files-from."))
        return []
    data = content_of_list(arguments.files_from)
    if not arguments.null and b"\0" in data:
        raise UsageError(N_("The list of files holds NUL characters; add --null (-0) if they end its paths."))
    names = dict.fromkeys(data.split(b"\0" if arguments.null else b"\n"))
    paths = [Path(os.fsdecode(name)) for name in names if name]
    if not paths:
        raise UsageError(N_("The list of files is empty. Nothing was scanned."))
    missing = [path for path in paths if not os.path.lexists(path)]
    if missing:
        first = shown(missing[0])
        if len(missing) == len(paths):
            message = N_("None of the paths in the list is there, such as {first}. Nothing was scanned.")
            raise UsageError(message, first=first)
        line = say_count(
            "{count} path of the list not there: {first}.",
            "{count} paths of the list not there, such as {first}.",
            len(missing),
            first=first,
        )
        remark(line)
    absent = set(missing)
    return [path for path in paths if path not in absent]


def content_of_list(name: str) -> bytes:
    """Return the bytes of a list of files, or of standard input for "-". Raises UsageError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        message = N_("The list of files {name} cannot be read: {reason}.")
        raise UsageError(message, name=shown(name), reason=error_words(error_name(error))) from error
