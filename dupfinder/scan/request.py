"""ScanRequest: what to scan, and how: folders, filters, formats."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.document import MediaType
from dupfinder.text.sniff import CODE, FAMILIES, is_code


@dataclass(frozen=True, slots=True)
class FileFilters:
    """Further conditions for the files of a scan.

    include: patterns of which a file must match one; empty: all files do.
    exclude: patterns of files and folders to leave out; a pattern that begins with "!" includes again what earlier ones
             excluded.
    largest: bytes of the largest file; None: no limit. newer_ns, older_ns: files changed at or after, and before, this
             time, in nanoseconds since the epoch; None: any time.
    Patterns are as in .gitignore, relative to the root: "*.pdf" at any depth, "/drafts" at the top, "old/" folders
    only, "**" any number of folders.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    largest: int | None = None
    newer_ns: int | None = None
    older_ns: int | None = None

    def refusal(
        self, inner: PurePath, stamp: FileStamp, *, is_archive: bool = False
    ) -> tuple[ProblemKind, Details] | None:
        """Return why a file is left out; None if it is not.

        inner: its path below the root. is_archive: only `exclude` can leave it out; the other conditions apply to its
        members.
        """
        if _matches(self.exclude, inner, is_folder=False):
            clause = Clause.EXCLUDED_PATTERN
        elif is_archive:
            return None
        elif self.include and not _matches(self.include, inner, is_folder=False):
            clause = Clause.OTHER_PATTERNS
        elif self.largest is not None and stamp.size > self.largest:
            clause = Clause.LARGER
        elif self.newer_ns is not None and stamp.mtime_ns < self.newer_ns:
            clause = Clause.CHANGED_BEFORE
        elif self.older_ns is not None and stamp.mtime_ns >= self.older_ns:
            clause = Clause.CHANGED_AFTER
        else:
            return None
        return ProblemKind.SKIPPED, details(clause)

    def leaves_out(self, inner: PurePath) -> bool:
        return _matches(self.exclude, inner, is_folder=True)


def _matches(patterns: tuple[str, ...], inner: PurePath, *, is_folder: bool) -> bool:
    """Tell whether, for a path or any folder above it, the last pattern that matches does not begin with "!"."""
    parts = inner.parts
    for depth in range(1, len(parts) + 1):
        path, matches = "/".join(parts[:depth]), False
        for expression, negated, folders_only in _compiled(patterns):
            if (is_folder or depth < len(parts) or not folders_only) and expression.fullmatch(path):
                matches = not negated
        if matches:
            return True
    return False


@lru_cache(maxsize=16)
def _compiled(patterns: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], bool, bool], ...]:
    """Return each pattern as (expression, negated, folders only). Cached."""
    return tuple(_compile(pattern) for pattern in patterns)


def _compile(pattern: str) -> tuple[re.Pattern[str], bool, bool]:
    """Return a pattern as (expression, negated, folders only). Raises re.error."""
    negated = pattern.startswith("!")
    body = pattern.removeprefix("!")
    folders_only = body.endswith("/")
    body = body.rstrip("/")
    anchored = "/" in body
    body = body.removeprefix("/")
    expression = ("" if anchored else "(?:.*/)?") + _expression(body)
    return re.compile(expression, re.DOTALL), negated, folders_only


_TOKEN: Final = re.compile(
    r"(?P<folders>(?<![^/])\*\*+/)|(?P<below>/\*\*+\Z)|(?P<name>\*+)|(?P<character>\?)"
    r"|\[(?P<negated>[!^]?+)(?P<set>\]?+(?:\\.|[^\]\\])*)\]|(?P<itself>\\.|[^\\\[])",
    re.DOTALL,
)
_WILD: Final = {"folders": "(?:.*/)?", "below": "/.*", "name": "[^/]*", "character": "[^/]"}


def _expression(body: str) -> str:
    """Return the regular expression of a pattern without "!" and outer slashes. Raises re.error."""
    regex, position = "", 0
    while position < len(body):
        token = _TOKEN.match(body, position)
        if token is None:
            raise re.error("unclosed_set" if body[position] == "[" else "trailing_backslash", body, position)
        if token.lastgroup == "set":
            members = re.sub(r"\\(.)|\[", lambda sign: re.escape(sign[1] or "["), token["set"], flags=re.DOTALL)
            regex += f"(?!/)[{'^' if token['negated'] else ''}{members}]"
        else:
            regex += _WILD.get(str(token.lastgroup)) or re.escape(token["itself"][-1])
        position = token.end()
    return regex


def check_pattern(pattern: str) -> None:
    """Raise ValueError if a pattern is empty or invalid."""
    if not pattern.strip("!/ "):
        raise ValueError("an empty pattern")
    try:
        _compile(pattern)
    except re.error as error:
        raise ValueError(str(error)) from error


class Role(StrEnum):
    """The role of a folder in a scan. The innermost folder that contains a file decides."""

    SCAN = "scan"
    PROTECT = "protect"
    LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder (or a single file) and its role. PROTECT: compared, never marked. LEAVE_OUT: not scanned."""

    path: Path
    role: Role = Role.SCAN


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """All that determines a scan.

    formats:    families to read, the keys of text.sniff.FAMILIES ("pdf", "word", ...); empty: all but "code".
    smallest, largest: bytes; other files are skipped, with the reason.
    hidden:     also files and folders whose names begin with a dot.
    archives:   also documents in archives (ZIP, tar, 7z, RAR, mailboxes); they are compared, never marked.
    all_files:  also files of every other kind and size, such as photos, which are compared by their bytes only.
    ocr:        languages in which pages without a text layer are recognised ("eng+deu"), as tesseract names them; "":
                none. Requires tesseract.
    excluded_names: patterns of names of files that are left out, as in fnmatch.
    filters:    further conditions: patterns of paths, sizes and times.
    one_file_system: folders on other file systems than their root are not entered.
    outputs:    absolute paths of the scan's own reports, which are skipped.
    moved_aside: returns the files that removals moved into other folders, by path, with their stamps; they are skipped
                while unchanged. It is called when a walk begins, since there may have been removals after the last.
    workers:    number of reading processes; 0: as many as cores, at most 8.
    fresh:      all files are read again, and pairs measured again.
    scheme:     how texts become fingerprints; by default as in the settings.
    name:       of the scan, as people see it.
    """

    roots: tuple[Root, ...]
    formats: frozenset[str] = frozenset()
    smallest: int = 0
    largest: int = 500_000_000
    hidden: bool = True
    archives: bool = True
    all_files: bool = False
    ocr: str = ""
    excluded_names: tuple[str, ...] = ()
    filters: FileFilters = field(default_factory=FileFilters)
    one_file_system: bool = False
    outputs: tuple[Path, ...] = ()
    moved_aside: Callable[[], Mapping[Path, FileStamp]] = dict
    workers: int = 0
    fresh: bool = False
    scheme: Scheme = field(default_factory=scheme_in_use)
    name: str = ""

    @property
    def title(self) -> str:
        """The name, or one from the folders."""
        names = [root.path.name or str(root.path) for root in self.roots if root.role is Role.SCAN]
        return self.name or " & ".join(names[:3]) + (" …" if len(names) > 3 else "")

    def unmatched(self, paths: Collection[str]) -> list[str]:
        """Return the patterns of `filters.include` that match none of the paths, which are absolute."""
        tops = {Path(os.path.abspath(root.path)) for root in self.roots}
        patterns = [pattern for pattern in self.filters.include if not pattern.startswith("!")]
        return [pattern for pattern in patterns if not any(_matches_below(tops, pattern, Path(path)) for path in paths)]

    def inner(self, path: Path) -> PurePath:
        """Return a path relative to the innermost root that contains it; for a root that is a file, its name."""
        holders = [root.path for root in self.roots if path.is_relative_to(root.path)]
        inner = path.relative_to(max(holders, key=lambda root: len(root.parts))) if holders else PurePath()
        return inner if inner.parts else PurePath(path.name)


def _matches_below(tops: set[Path], pattern: str, path: Path) -> bool:
    """Tell whether a pattern matches a path, relative to any of the folders that contain it, or else its name."""
    inners: list[PurePath] = [path.relative_to(folder) for folder in path.parents if folder in tops]
    return any(_matches((pattern,), inner, is_folder=False) for inner in inners or [PurePath(path.name)])


def media_to_read(request: ScanRequest, path: PurePath) -> frozenset[MediaType] | None:
    """Return the formats that a request reads of files with this name; None: all.

    Source code has the same format as other text and differs only by name.
    """
    if not request.formats:
        return None
    families = request.formats if is_code(path) else request.formats - {CODE}
    return frozenset().union(*(FAMILIES[family] for family in families))
