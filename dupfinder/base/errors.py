"""Errors that stop a whole job. They carry facts; `wording` makes sentences of them.

DupfinderError
  UsageError          bad input to a command
    NoTextError       a document without a text to work with
  RootError           a folder that cannot be scanned
  OccupiedError       a file in the place of an output, which dupfinder did not write
  LibraryError        LibraryLocked, LibraryTooNew, LibraryDamaged, LibraryUnreachable, LibraryMissing, NotALibrary
    LibraryLocked     RemovalRunning
  DiskFullError       no room for what has to be written
  JournalError        what is done to files cannot be written down, so nothing more is done
  ReadersError        the processes that read documents cannot start
  PlanError           LastCopyError, ProtectedError, ArchivedError, StaleStepError
  SettingError        a value outside what its setting allows
  IndexFileError      a file of fingerprints or a compressed table that is not what it should be
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from dupfinder.base.problems import ProblemKind


class DupfinderError(Exception):
    """Root of the tree. Anything else that escapes is a fault of the program."""


class UsageError(DupfinderError):
    """Input that a command cannot use. `sentence` says what was wrong, in one line; with facts it is their pattern."""

    def __init__(self, sentence: str, **facts: object) -> None:
        self.pattern, self.facts = sentence, facts
        self.sentence = self.told(lambda pattern: pattern)
        super().__init__(self.sentence)  # also what another process gets to know of it

    def told(self, translate: Callable[[str], str]) -> str:
        """The sentence in another language."""
        return translate(self.pattern).format(**self.facts) if self.facts else translate(self.pattern)


class NoTextError(UsageError):
    """A document without a text to work with. Facts: `name` ("" where it may be either of two), `kind`, `detail`."""

    def __init__(self, name: str, kind: ProblemKind, detail: str) -> None:
        super().__init__(f"{name}: {kind}")
        self.name, self.kind, self.detail = name, kind, detail


class OccupiedError(DupfinderError):
    """A file in the place of an output, which dupfinder did not write. Fact: `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class RootError(DupfinderError):
    """A folder to scan that is gone, unreadable or no folder. Facts: `path`, `reason` (an errno name or 'empty')."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason


class LibraryError(DupfinderError):
    """The library cannot serve. Fact: `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class LibraryLocked(LibraryError):
    """Another dupfinder holds the library. Fact: `holder`, its process id (None: unknown)."""

    def __init__(self, path: Path, holder: int | None) -> None:
        super().__init__(path)
        self.holder = holder


class RemovalRunning(LibraryLocked):
    """Another dupfinder holds the journal: it removes or restores files. Fact: `holder`, as above."""


class LibraryTooNew(LibraryError):
    """Written by a newer dupfinder. Facts: `found` and `known` schema versions."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(path)
        self.found = found
        self.known = known


class LibraryDamaged(LibraryError):
    """Not readable as a library. Facts: `moved_to`, where the damaged file was put aside (None: left in place), and
    `part`, what alone is damaged ("document 17"; "": the file)."""

    def __init__(self, path: Path, moved_to: Path | None, part: str = "") -> None:
        super().__init__(path)
        self.moved_to = moved_to
        self.part = part


class LibraryUnreachable(LibraryError):
    """The system does not let it be opened or written. Fact: `reason` (a clause)."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path)
        self.reason = reason


class LibraryMissing(LibraryError):
    """Nothing was scanned into this library yet, or not the scan that was asked for."""


class NotALibrary(LibraryError):
    """A file that was named as the library and is none. It is neither opened nor renamed nor removed."""


class DiskFullError(DupfinderError):
    """No room left. Fact: `path`, what was being written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class JournalError(DupfinderError):
    """The journal cannot be written, so no further file is touched. Facts: `path`; `reason`, the name of the system's
    error; `batch`, the id under which what was done before can be taken back ("": nothing was done)."""

    def __init__(self, path: Path, reason: str, batch: str = "") -> None:
        super().__init__(path, reason, batch)
        self.path = path
        self.reason = reason
        self.batch = batch


class ReadersError(DupfinderError):
    """The processes that read documents end before they are ready. Fact: `reason` (a clause)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PlanError(DupfinderError):
    """A decision or a plan that may not be."""


class WhyLast(StrEnum):
    """Why a document has no survivor if it is marked.

    ALONE: no other unmarked file has its text. WHOLE: others hold a part of it only. PART: its text is in a longer
    document, and marking it is a decision of its own. DISTANT: others of its group are too unlike it. FORM: others are
    the same form, filled in differently.
    """

    ALONE = "alone"
    WHOLE = "whole"
    PART = "part"
    DISTANT = "distant"
    FORM = "form"


class LastCopyError(PlanError):
    """A document without a survivor cannot be marked. Facts: `path`; `why`; and
    `other`, the document that the reason is about (None: none); `share`, of a part how much of its
    text is in `other`, 0..1."""

    def __init__(self, path: Path, why: WhyLast = WhyLast.ALONE, other: Path | None = None, share: float = 1.0) -> None:
        super().__init__(path, why, other, share)
        self.path = path
        self.why = why
        self.other = other
        self.share = share


class ProtectedError(PlanError):
    """A file of a protected folder cannot be marked. Fact: `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class ArchivedError(PlanError):
    """A member of an archive cannot be marked. Facts: `path`, and `archive`, the file it is in."""

    def __init__(self, path: Path, archive: Path) -> None:
        super().__init__(path, archive)
        self.path = path
        self.archive = archive


class StaleStepError(PlanError):
    """The file is no longer the one that was read. Facts: `expected`, `found` (None: gone)."""

    def __init__(self, expected: Any, found: Any) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


class SettingError(DupfinderError):
    """A value that a setting does not allow. Facts: `key`, `value`, `allowed` (in words)."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        super().__init__(key, value, allowed)
        self.key = key
        self.value = value
        self.allowed = allowed


class IndexFileError(DupfinderError):
    """A file of fingerprints, or a compressed table, that cannot be used. Facts: `path`, `reason` (a clause)."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason
