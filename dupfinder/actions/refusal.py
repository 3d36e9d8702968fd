"""Refusal: why a step was not done, as facts. The sentences are made elsewhere."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import StrEnum

from dupfinder.actions.plan import Step


class RefusalKind(StrEnum):
    """Why a step was not done."""

    CHANGED = "changed"
    GONE = "gone"
    KEEPER_CHANGED = "keeper_changed"
    KEEPER_GONE = "keeper_gone"
    SAME_FILE = "same_file"
    PROTECTED = "protected"
    INSIDE_ARCHIVE = "inside_archive"
    KEEPER_IN_ARCHIVE = "keeper_in_archive"
    WHOLE_ARCHIVE = "whole_archive"  # only equal bytes can take the place of an archive
    OUTSIDE = "outside"
    KEPT = "kept"  # the person said that it is to be kept
    APART = "apart"  # the person said that the two are no duplicates
    NO_PLACE = "no_place"  # a folder that may not receive documents
    SYMLINK = "symlink"
    NOT_A_FILE = "not_a_file"
    LAST_COPY = "last_copy"
    NO_LONGER_SIMILAR = "no_longer_similar"
    UNREADABLE = "unreadable"  # one of the two texts cannot be read any more
    NOT_EXACT = "not_exact"  # only equal bytes can share one file
    IN_USE = "in_use"
    FORBIDDEN = "forbidden"
    OTHER_VOLUME = "other_volume"
    EXISTS = "exists"
    NO_TRASH = "no_trash"
    NO_SAFE_NAME = "no_safe_name"  # the file system gives a name only by replacing what has it
    WHERE_UNKNOWN = "where_unknown"  # undo: the system's trash did not tell where the file went
    NOT_THERE = "not_there"  # undo: the removed file is no longer where it was put


class Aspect(StrEnum):
    """What differs between the expected file and the one that was found."""

    NONE = ""
    IDENTITY = "identity"
    SIZE = "size"
    MTIME = "mtime"
    CONTENT = "content"
    RESEMBLANCE = "resemblance"
    CONTAINMENT = "containment"
    TEXT = "text"


Fact = str | int | float | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step that was not done. `expected` and `found` are values of `aspect`: bytes, nanoseconds, shares, names."""

    step: Step
    kind: RefusalKind
    expected: Fact = None
    found: Fact = None
    aspect: Aspect = Aspect.NONE


class Refused(Exception):
    """Carries a refusal out of nested checks; never leaves this package."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def error_name(fault: OSError) -> str:
    """The name of a system error, such as "ENOSPC"."""
    return errno.errorcode.get(fault.errno or 0, "EIO")
