"""ScanRequest: what to scan, and how: folders, filters, formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path, PurePath

from dupfinder.base.details import Clause
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.document import MediaType
from dupfinder.text.sniff import CODE, FAMILIES, is_code


@dataclass(frozen=True, slots=True)
class Filters:
    """Which files a scan takes, beside what the request says otherwise.

    include: patterns, of which a file's must be one; none: every file's is. exclude: patterns of files and folders
             that are left out; one that begins with "!" takes back what those before it left out.
    largest: bytes of the largest file; None: no limit. newer_ns, older_ns: files that changed at this time or after,
             and before it, in nanoseconds since the epoch; None: whenever.
    Patterns are as in .gitignore, relative to the folder that was named: "*.pdf" at any depth, "/drafts" at the top,
    "old/" folders alone, "**" any number of folders.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    largest: int | None = None
    newer_ns: int | None = None
    older_ns: int | None = None

    def refusal(self, inner: PurePath, size: int, mtime_ns: int, *, holder: bool = False) -> Clause | None:
        """Why a file is left out; None when it is not.

        inner: its path below the folder that was named. holder: it is an archive, which may be left out by name; all
        else is asked of its members.
        """
        if _matches(self.exclude, inner, is_folder=False):
            return Clause.EXCLUDED_PATTERN
        if holder:
            return None
        if self.include and not _matches(self.include, inner, is_folder=False):
            return Clause.OTHER_PATTERNS
        if self.largest is not None and size > self.largest:
            return Clause.LARGER
        if self.newer_ns is not None and mtime_ns < self.newer_ns:
            return Clause.CHANGED_BEFORE
        return Clause.CHANGED_AFTER if self.older_ns is not None and mtime_ns >= self.older_ns else None

    def leaves_out(self, inner: PurePath) -> bool:
        """Whether a folder is not entered."""
        return _matches(self.exclude, inner, is_folder=True)


def _matches(patterns: Sequence[str], inner: PurePath, *, is_folder: bool) -> bool:
    """Whether the last pattern that speaks of a path, or of a folder above it, does not begin with "!"."""
    if not patterns:
        return False
    parts = inner.parts
    for depth in range(1, len(parts) + 1):
        path = "/".join(parts[:depth])
        if _last_word(tuple(patterns), path, is_folder or depth < len(parts)):
            return True
    return False


def _last_word(patterns: tuple[str, ...], path: str, is_folder: bool) -> bool:
    word = False
    for expression, takes_back, folders_alone in _compiled(patterns):
        if (is_folder or not folders_alone) and expression.fullmatch(path):
            word = not takes_back
    return word


@lru_cache(maxsize=16)
def _compiled(patterns: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], bool, bool], ...]:
    """Each pattern as (expression, takes back, folders alone)."""
    return tuple(_one(pattern) for pattern in patterns)


def _one(pattern: str) -> tuple[re.Pattern[str], bool, bool]:
    takes_back = pattern.startswith("!")
    body = pattern.removeprefix("!")
    folders_alone = body.endswith("/")
    body = body.rstrip("/")
    anchored = "/" in body
    body = body.removeprefix("/")
    expression = ("" if anchored else "(?:.*/)?") + _expression(body)
    return re.compile(expression, re.DOTALL), takes_back, folders_alone


def _expression(body: str) -> str:
    """The regular expression of a pattern without its marks."""
    whole, place = "", 0
    while place < len(body):
        for sign, expression in (("**/", "(?:.*/)?"), ("/**", "/.*"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]")):
            if body.startswith(sign, place) and (sign != "/**" or place + 3 == len(body)):
                whole += expression
                place += len(sign)
                break
        else:
            end = body.find("]", place + 2) if body[place] == "[" else -1
            if end > 0:
                inside = body[place + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
                whole += "(?!/)[" + ("^" + inside[1:] if inside[0] == "!" else inside) + "]"
                place = end + 1
            else:
                escaped = body[place] == "\\" and place + 1 < len(body)
                place += escaped
                whole += re.escape(body[place])
                place += 1
    return whole


def check_pattern(pattern: str) -> None:
    """ValueError for a pattern that says nothing or cannot be read."""
    if not pattern.strip("!/ "):
        raise ValueError("an empty pattern")
    try:
        _one(pattern)
    except re.error as error:
        raise ValueError(str(error)) from error


class Role(StrEnum):
    """What a folder is to a scan. The innermost folder that names a file decides."""

    SCAN = "scan"
    PROTECT = "protect"
    LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder (or a single file) and its role. PROTECT: compared, never marked. LEAVE_OUT: not entered."""

    path: Path
    role: Role = Role.SCAN


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """All that determines a scan.

    formats:    families to read, the keys of text.sniff.FAMILIES ("pdf", "word", ...); empty: all but "code".
    smallest, largest: bytes; files outside are skipped, with the reason.
    hidden:     also files and folders whose name begins with a dot.
    archives:   also the documents inside ZIP and tar archives; they are compared, never marked.
    all_files:  also files of every other kind and size, photos and videos say, which are compared by their bytes alone.
    ocr:        languages in which pages without a text layer are recognised ("eng+deu"), as tesseract names them; "":
                they are not. Without tesseract nothing is.
    filters:    patterns of names, sizes and times that choose among the files.
    one_file_system: folders on other file systems than the root above them are not entered.
    outputs:    absolute paths that the scan's own reports are written to; they are passed over.
    workers:    reading processes; 0: one a core, at most 8.
    scheme:     how texts become fingerprints; unless named, with the weights that the settings choose.
    radius, min_similarity, min_containment: what the results open with; all can be changed afterwards.
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
    filters: Filters = field(default_factory=Filters)
    one_file_system: bool = False
    outputs: tuple[Path, ...] = ()
    workers: int = 0
    fresh: bool = False
    scheme: Scheme = field(default_factory=scheme_in_use)
    name: str = ""

    def inner(self, path: Path) -> PurePath:
        """A path below the innermost root that holds it; of a root that is a file, its name."""
        holders = [root.path for root in self.roots if path.is_relative_to(root.path)]
        inner = path.relative_to(max(holders, key=lambda root: len(root.parts))) if holders else PurePath()
        return inner if inner.parts else PurePath(path.name)


def wanted_media(request: ScanRequest, path: PurePath) -> frozenset[MediaType] | None:
    """The kinds that a request reads of files with this name; None: all of them.

    Program texts are of the same kind as other texts, and only their names tell one from the other.
    """
    if not request.formats:
        return None
    families = request.formats if is_code(path) else request.formats - {CODE}
    return frozenset().union(*(FAMILIES[family] for family in families))
