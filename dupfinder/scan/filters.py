"""Filters of a scan: names by patterns as in .gitignore, sizes and times. None opens a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath


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

    def refusal(self, inner: PurePath, size: int, mtime_ns: int, *, holder: bool = False) -> str | None:
        """Why a file is left out, as a clause; None when it is not.

        inner: its path below the folder that was named. holder: it is an archive, which may be left out by name; all
        else is asked of its members.
        """
        if _matches(self.exclude, inner, is_folder=False):
            return "left out by a pattern"
        if holder:
            return None
        if self.include and not _matches(self.include, inner, is_folder=False):
            return "not among the chosen patterns"
        if self.largest is not None and size > self.largest:
            return "larger than the chosen size"
        if self.newer_ns is not None and mtime_ns < self.newer_ns:
            return "changed before the chosen time"
        return "changed after the chosen time" if self.older_ns is not None and mtime_ns >= self.older_ns else None

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
