"""Every sentence for people about problems and errors: what happened, what was not done, what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from dupfinder.actions.plan import ContradictoryPlan
from dupfinder.base.display import shown
from dupfinder.base.errors import (
    ArchivedError,
    DiskFullError,
    DupfinderError,
    IndexFileError,
    LastCopyError,
    LibraryDamaged,
    LibraryLocked,
    LibraryMissing,
    LibraryTooNew,
    LibraryUnreachable,
    PlanError,
    ProtectedError,
    RootError,
    SettingError,
    StaleStepError,
    UsageError,
)
from dupfinder.base.problems import ProblemKind
from dupfinder.index.batch import WorkerDied
from dupfinder.index.join import TooManyPairs

_PROBLEMS = {
    ProblemKind.NO_TEXT: "There is no text in it, so it is compared by exact content only",
    ProblemKind.TOO_SHORT: "Its text is too short to compare, so it is compared by exact content only",
    ProblemKind.ENCRYPTED: "It needs a password, so it was not read",
    ProblemKind.DAMAGED: "It is damaged and could not be read",
    ProblemKind.TOO_LARGE: "It is too large, so it was not read",
    ProblemKind.TOO_SLOW: "Reading it took too long, so it was left out",
    ProblemKind.UNREADABLE: "It could not be opened",
    ProblemKind.VANISHED: "It was gone when its turn came",
    ProblemKind.CHANGED: "It changed while it was being read; scan again to compare it",
    ProblemKind.UNSUPPORTED: "It is not a kind of document that can be read",
    ProblemKind.SKIPPED: "It was left out",
}

_ROOTS = {
    "ENOENT": "The folder {path} is not there. Nothing was scanned; reconnect the drive or choose another folder.",
    "EACCES": "There is no permission to read the folder {path}. Nothing was scanned; ask its owner or choose another.",
    "EPERM": "There is no permission to read the folder {path}. Nothing was scanned; ask its owner or choose another.",
    "ENOTDIR": "{path} is not a folder. Nothing was scanned.",
    "empty": "There are no files in {path}. Nothing was scanned.",
    "nothing to scan": "No folder was given to scan: protected and left-out folders alone are not enough.",
}


def problem_sentence(kind: ProblemKind, detail: str = "") -> str:
    """Why a file was not read as a document, as one sentence."""
    return f"{_PROBLEMS[kind]}: {shown(detail)}." if detail else f"{_PROBLEMS[kind]}."


def sentence(error: DupfinderError) -> str:
    """One clear sentence or two for an error; facts from outside are made safe to show."""
    match error:
        case UsageError():
            return shown(error.sentence)
        case RootError():
            pattern = _ROOTS.get(error.reason, "The folder {path} cannot be read ({reason}). Nothing was scanned.")
            return pattern.format(path=shown(error.path), reason=error.reason)
        case DiskFullError():
            return (
                f"The disk is full: {shown(error.path)} could not be written. "
                "What was read so far is kept; make room and start again."
            )
        case SettingError():
            return f"The setting {error.key} cannot be {shown(str(error.value))}: it must be {error.allowed}."
        case IndexFileError():
            return f"{shown(error.path)} cannot be used: {error.reason}."
        case TooManyPairs():
            return (
                f"More than {error.most:,} pairs lie within {error.radius} bits. Nothing was written; "
                "choose a smaller radius or allow more pairs."
            )
        case WorkerDied():
            return (
                f"The processes that worked on the fingerprints from row {error.first_row:,} on ended again and again. "
                "Nothing was written; try fewer workers or smaller parts."
            )
        case PlanError():
            return _plan_sentence(error)
        case _:
            return _library_sentence(error)


def _plan_sentence(error: PlanError) -> str:
    match error:
        case LastCopyError():
            return f"Not marked: {shown(error.path)} is the last copy. Keep another one first."
        case ProtectedError():
            return f"Not marked: {shown(error.path)} is in a protected folder."
        case ArchivedError():
            return f"Not marked: {shown(error.path.name)} is inside the archive {shown(error.archive)}."
        case ContradictoryPlan():
            return f"The plan contradicts itself about {shown(error.path)}. Nothing was done; write it anew."
        case StaleStepError():
            return "A file of the plan is no longer the one that was read. It was left alone; scan again."
        case _:
            return "That may not be done. Nothing was changed."


def put_aside_sentence(aside: Path) -> str:
    """What happened to a damaged library when a scan began."""
    return (
        f"The library was damaged. It was put aside as {shown(aside)} and a new one was begun; no document was touched."
    )


def system_sentence(error: OSError) -> str:
    """What the system did not allow, where nothing more is known of it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is not None:
        return sentence(DiskFullError(Path(os.fsdecode(error.filename))))
    what = (error.strerror or "it was refused").lower()
    where = f" ({shown(os.fsdecode(error.filename))})" if isinstance(error.filename, str | bytes | os.PathLike) else ""
    return f"The system did not allow what was asked for: {what}{where}. Nothing more was done."


def _library_sentence(error: DupfinderError) -> str:
    match error:
        case LibraryLocked():
            holder = f"process {error.holder}" if error.holder else "another process"
            return f"The library {shown(error.path)} is in use by {holder}. Nothing was done; wait until it has ended."
        case LibraryTooNew():
            return (
                f"The library {shown(error.path)} was written by a newer dupfinder (version {error.found}; this one "
                f"knows {error.known}). Nothing was done; update dupfinder or name another library."
            )
        case LibraryDamaged():
            return (
                f"The library {shown(error.path)} is damaged and cannot be read. "
                "Your files are unchanged; scan again to build it anew."
            )
        case LibraryUnreachable():
            return (
                f"The library {shown(error.path)} cannot be opened: {shown(error.reason)}. "
                "Nothing was done; check its folder or name another library."
            )
        case LibraryMissing():
            return f"There is no finished scan in {shown(error.path)}. Scan a folder first."
        case _:
            return "The program cannot go on. Nothing more was done; run it again with --debug for details."
