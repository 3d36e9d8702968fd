"""Every sentence for people about problems and errors: what happened, what was not done, what to do.

Each is looked up in the catalogue by its English text and filled with facts that are made safe to show.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dupfinder.actions.plan import ContradictoryPlan
from dupfinder.base.display import shown
from dupfinder.base.errors import (
    ArchivedError,
    DiskFullError,
    DupfinderError,
    IndexFileError,
    JournalError,
    LastCopyError,
    LibraryDamaged,
    LibraryLocked,
    LibraryMissing,
    LibraryTooNew,
    LibraryUnreachable,
    NotALibrary,
    NoTextError,
    OccupiedError,
    PlanError,
    ProtectedError,
    ReadersError,
    RemovalRunning,
    RootError,
    SettingError,
    StaleStepError,
    UsageError,
    WhyLast,
)
from dupfinder.base.problems import ProblemKind
from dupfinder.cluster.relation import percent
from dupfinder.engine.batch import WorkerDied
from dupfinder.index.join import TooManyPairs
from dupfinder.wording.catalogue import N_, say

_PROBLEMS: Final = {
    ProblemKind.NO_TEXT: N_("There is no text in it, so it is compared by exact content only"),
    ProblemKind.TOO_SHORT: N_("Its text is too short to compare, so it is compared by exact content only"),
    ProblemKind.ENCRYPTED: N_("It needs a password, so it was not read"),
    ProblemKind.DAMAGED: N_("It is damaged and could not be read"),
    ProblemKind.TOO_LARGE: N_("It is too large, so it was not read"),
    ProblemKind.TOO_SLOW: N_("Reading it took too long, so it was left out"),
    ProblemKind.UNREADABLE: N_("It could not be opened"),
    ProblemKind.VANISHED: N_("It was gone when its turn came"),
    ProblemKind.CHANGED: N_("It changed while it was being read; scan again to compare it"),
    ProblemKind.UNSUPPORTED: N_("It is not a kind of document that can be read"),
    ProblemKind.SKIPPED: N_("It was left out"),
    ProblemKind.HELD: N_(
        "A removal that was cut off left it under this name; `dupfinder recover` with its folder gives it its own name "
        "back, and so does this list in the window"
    ),
}
_SAID_BY_KIND: Final = {ProblemKind.ENCRYPTED: "needs a password"}  # details that would say the same again
_NO_RIGHT: Final = N_(
    "There is no permission to read the folder {path}. Nothing was scanned; ask its owner or choose another."
)
_ROOTS: Final = {
    "ENOENT": N_("The folder {path} is not there. Nothing was scanned; reconnect the drive or choose another folder."),
    "EACCES": _NO_RIGHT,
    "EPERM": _NO_RIGHT,
    "ENOTDIR": N_("{path} is not a folder. Nothing was scanned."),
    "empty": N_("There are no files in {path}. Nothing was scanned."),
    "nothing to scan": N_("No folder was given to scan: protected and left-out folders alone are not enough."),
}
_OTHER_ROOT: Final = N_("The folder {path} cannot be read ({reason}). Nothing was scanned.")
_NO_READERS: Final = N_(
    "The processes that read documents cannot start ({reason}). The system may be short of memory. "
    "What was read so far is kept; close other programs or raise the limits, and start again."
)
_DISK_FULL: Final = N_(
    "The disk is full: {path} could not be written. What was finished before is kept; make room and start again."
)
_JOURNAL_AT_ONCE: Final = N_(
    "The history cannot be written down in {path} ({reason}). Nothing was removed and nothing was restored; make room "
    "there, or see to its permissions, and start again."
)
_JOURNAL_MIDWAY: Final = N_(
    "The history could not be written down any further in {path} ({reason}), so no further file was touched. What the "
    "removal {batch} has removed so far can be restored from the history, or with: dupfinder undo {batch}. Make room "
    "there first."
)
_TOO_MANY_PAIRS: Final = N_(
    "More than {most} pairs lie within {radius} bits. Nothing was written; choose a smaller radius or allow more pairs."
)
_WORKER_DIED: Final = N_(
    "The processes that worked on the fingerprints from row {row} on ended again and again. Nothing was written; try "
    "fewer workers or smaller parts."
)
_TOO_NEW: Final = N_(
    "The library {path} was written by a newer dupfinder (version {found}; this one knows {known}). Nothing was done; "
    "update dupfinder or name another library."
)
_DAMAGED: Final = N_(
    "The library {path} is damaged and cannot be read. Your files are unchanged; scan again to build it anew."
)
_PART_DAMAGED: Final = N_(
    "A part of the library {path} is damaged: {part}. Your files are unchanged; scan again, and only that part is read "
    "anew."
)
_UNREACHABLE: Final = N_(
    "The library {path} cannot be opened: {reason}. Nothing was done; check its folder or name another library."
)
_NOT_A_LIBRARY: Final = N_("{path} is not a library of dupfinder. It was left as it is; name another file.")
_OCCUPIED: Final = N_("{path} exists already and is not a file that dupfinder wrote. It was left as it is.")
_MOST_NAMED: Final = 5
_REPAIRED: Final = N_("A part of the library was damaged and dropped: {names}. Only that is read anew.")
_PUT_ASIDE: Final = N_(
    "The library was damaged. It was put aside as {path} and a new one was begun; no document was touched."
)


def problem_sentence(kind: ProblemKind, detail: str = "") -> str:
    """Why a file was not read as a document, as one sentence."""
    told = say(_PROBLEMS[kind])
    detail = "" if detail == _SAID_BY_KIND.get(kind) else detail
    return say("{told}: {detail}.", told=told, detail=shown(detail)) if detail else (say("{told}.", told=told))


def reading_sentence(detail: str) -> str:
    """What is to be known of a text that was read, as one sentence; "" where there is nothing."""
    return f"{shown(detail[0].upper() + detail[1:])}." if detail else ""


def sentence(error: DupfinderError) -> str:
    """One clear sentence or two for an error; facts from outside are made safe to show."""
    match error:
        case UsageError():
            return _usage_sentence(error)
        case OccupiedError():
            return say(_OCCUPIED, path=shown(error.path))
        case RootError():
            pattern = _ROOTS.get(error.reason, _OTHER_ROOT)
            return say(pattern, path=shown(error.path), reason=error.reason)
        case ReadersError():
            return say(_NO_READERS, reason=shown(error.reason))
        case DiskFullError():
            return say(_DISK_FULL, path=shown(error.path))
        case JournalError():
            pattern = _JOURNAL_MIDWAY if error.batch else _JOURNAL_AT_ONCE
            return say(pattern, path=shown(error.path), reason=error.reason, batch=error.batch)
        case SettingError():
            pattern = N_("The setting {key} cannot be {value}: it must be {allowed}.")
            return say(pattern, key=error.key, value=shown(str(error.value)), allowed=error.allowed)
        case IndexFileError():
            pattern = N_("{path} cannot be used: {reason}.")
            return say(pattern, path=shown(error.path), reason=error.reason)
        case TooManyPairs():
            return say(_TOO_MANY_PAIRS, most=f"{error.most:,}", radius=error.radius)
        case WorkerDied():
            return say(_WORKER_DIED, row=f"{error.first_row:,}")
        case PlanError():
            return _plan_sentence(error)
        case _:
            return _library_sentence(error)


def _usage_sentence(error: UsageError) -> str:
    if not isinstance(error, NoTextError):
        return shown(error.told(say))
    sentence = problem_sentence(error.kind, error.detail)
    return f"{shown(error.name)}: {sentence}" if error.name else sentence


_LAST_COPIES = {
    WhyLast.ALONE: N_("Not marked: {path} is the last copy. Keep another one first."),
    WhyLast.WHOLE: N_("Not marked: {path} has text that no other file has. {other} holds a part of it only."),
    WhyLast.PART: N_(
        "Not marked: no other version of {path} stays. Its text is in {other}; mark it as a part, if that is enough."
    ),
    WhyLast.DISTANT: N_(
        "Not marked: {path} is too unlike the versions that stay, such as {other}. Keep it, or a version between."
    ),
    WhyLast.FORM: N_("Not marked: {other} is the same form, filled in differently. No other copy of {path} stays."),
}
_PART_LEFT: Final = N_(
    "Not marked: no other version of {path} stays. {share} % of its text is in {other}; mark it as a part, if that is "
    "enough."
)


def _plan_sentence(error: PlanError) -> str:
    match error:
        case LastCopyError():
            other = "" if error.other is None else shown(error.other.name)
            pattern = _PART_LEFT if error.why is WhyLast.PART and error.share < 1 else _LAST_COPIES[error.why]
            share = percent(error.share)
            return say(pattern, path=shown(error.path), other=other, share=share)
        case ProtectedError():
            return say("Not marked: {path} is in a protected folder.", path=shown(error.path))
        case ArchivedError():
            pattern = N_("Not marked: {name} is inside the archive {archive}.")
            return say(pattern, name=shown(error.path.name), archive=shown(error.archive))
        case ContradictoryPlan():
            pattern = N_("The plan contradicts itself about {path}. Nothing was done; write it anew.")
            return say(pattern, path=shown(error.path))
        case StaleStepError():
            return say("A file of the plan is no longer the one that was read. It was left alone; scan again.")
        case _:
            return say("That may not be done. Nothing was changed.")


def put_aside_sentence(aside: Path) -> str:
    """What happened to a damaged library when a scan began."""
    return say(_PUT_ASIDE, path=shown(aside))


def repaired_sentence(names: Sequence[str]) -> str:
    """What happened to a library of which only some rows were damaged."""
    named = ", ".join(names[:_MOST_NAMED]) + (", ..." if len(names) > _MOST_NAMED else "")
    return say(_REPAIRED, names=named)


def system_sentence(error: OSError) -> str:
    """What the system did not allow, where nothing more is known of it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is not None:
        return sentence(DiskFullError(Path(os.fsdecode(error.filename))))
    what = (error.strerror or "it was refused").lower()
    where = f" ({shown(os.fsdecode(error.filename))})" if isinstance(error.filename, str | bytes | os.PathLike) else ""
    return f"The system did not allow what was asked for: {what}{where}. Nothing more was done."


_REMOVAL_RUNS: Final = N_(
    "Another dupfinder (process {holder}) is removing or restoring files. Nothing was done here; "
    "wait until it has ended."
)


def _library_sentence(error: DupfinderError) -> str:
    match error:
        case RemovalRunning():
            return say(_REMOVAL_RUNS, holder=error.holder or "?")
        case LibraryLocked():
            pattern = N_("The library {path} is in use by another process. Nothing was done; wait until it has ended.")
            if error.holder:
                pattern = N_(
                    "The library {path} is in use by process {holder}. Nothing was done; wait until it has ended."
                )
            return say(pattern, path=shown(error.path), holder=error.holder)
        case LibraryTooNew():
            return say(_TOO_NEW, path=shown(error.path), found=error.found, known=error.known)
        case LibraryDamaged() if error.part:
            return say(_PART_DAMAGED, path=shown(error.path), part=error.part)
        case LibraryDamaged():
            return say(_DAMAGED, path=shown(error.path))
        case LibraryUnreachable():
            return say(_UNREACHABLE, path=shown(error.path), reason=shown(error.reason))
        case NotALibrary():
            return say(_NOT_A_LIBRARY, path=shown(error.path))
        case LibraryMissing():
            return say("There is no finished scan in {path}. Scan a folder first.", path=shown(error.path))
        case _:
            return say("The program cannot go on. Nothing more was done; run it again with --debug for details.")
