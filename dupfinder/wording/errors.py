"""Sentences about problems and errors: what happened, what was not done, what to do.

Each is looked up in the catalogue by its English text and filled with facts that are made safe to show.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from dupfinder.actions.plan import Contradiction, ContradictoryPlan
from dupfinder.base import errors
from dupfinder.base.details import Clause, Details, ProblemKind, details, error_name
from dupfinder.base.display import shown
from dupfinder.base.errors import Fault
from dupfinder.index.join import TooManyPairs
from dupfinder.wording.catalogue import N_, number_text, say
from dupfinder.wording.details import clauses, error_words, made_by_words
from dupfinder.wording.figures import share_text

_NAMES: Final = {
    ProblemKind.NO_TEXT: N_("Without text"),
    ProblemKind.TOO_SHORT: N_("Very little text"),
    ProblemKind.ENCRYPTED: N_("Password-protected"),
    ProblemKind.DAMAGED: N_("Damaged file"),
    ProblemKind.UNREADABLE: N_("Could not be opened"),
    ProblemKind.TOO_LARGE: N_("Too large"),
    ProblemKind.TOO_SLOW: N_("Took too long"),
    ProblemKind.CHANGED: N_("Changed while being read"),
    ProblemKind.VANISHED: N_("Disappeared before it was read"),
    ProblemKind.HELD: N_("Renamed by an interrupted removal"),
    ProblemKind.UNSUPPORTED: N_("Format that cannot be read"),
    ProblemKind.SKIPPED: N_("Left out by your choice, or a link"),
    ProblemKind.BYTES_ONLY: N_("Photos, videos and other files"),
}
_EFFECTS: Final = {
    ProblemKind.NO_TEXT: N_("Compared by exact content only"),
    ProblemKind.TOO_SHORT: N_("Compared by exact content only"),
    ProblemKind.ENCRYPTED: N_("Not compared — open them to check"),
    ProblemKind.TOO_LARGE: N_("Over your limit — not compared"),
    ProblemKind.CHANGED: N_("Read again at the next scan"),
    ProblemKind.HELD: N_("Show the list to restore their names"),
    ProblemKind.BYTES_ONLY: N_("Compared by exact content only"),
}
_NOT_COMPARED: Final = N_("Not compared")


def problem_name(kind: ProblemKind) -> str:
    return say(_NAMES[kind])


def problem_effect(kind: ProblemKind) -> str:
    """Return what a scan did with files that have this problem."""
    return say(_EFFECTS.get(kind, _NOT_COMPARED))


_PROBLEMS: Final = {
    ProblemKind.NO_TEXT: N_("There is no text in it, so it is compared by exact content only"),
    ProblemKind.TOO_SHORT: N_("Its text is too short to compare, so it is compared by exact content only"),
    ProblemKind.ENCRYPTED: N_("It needs a password, so it was not read"),
    ProblemKind.DAMAGED: N_("It is damaged and could not be read"),
    ProblemKind.TOO_LARGE: N_("It is too large, so it was not read"),
    ProblemKind.TOO_SLOW: N_("Reading it took too long, so it was left out"),
    ProblemKind.UNREADABLE: N_("It could not be opened"),
    ProblemKind.VANISHED: N_("It disappeared before it was read"),
    ProblemKind.CHANGED: N_("It changed while it was being read; scan again to compare it"),
    ProblemKind.UNSUPPORTED: N_("Its format cannot be read"),
    ProblemKind.SKIPPED: N_("It was left out"),
    ProblemKind.BYTES_ONLY: N_("It is not a document, so it is compared by exact content only"),
    ProblemKind.HELD: N_(
        "An interrupted removal left it under this name; this list in the window, or `dupfinder recover` with its "
        "folder, restores its own name"
    ),
}
_EMPTY: Final = N_("The file is empty, so there is nothing in it to compare.")
_NEEDS_PASSWORD: Final = details(Clause.EARLIER, text="needs a password")  # repeats the sentence of ENCRYPTED
_NO_RIGHT: Final = N_(
    "There is no permission to read the folder {path}. Nothing was scanned; ask its owner or choose another."
)
_ROOTS: Final = {
    "ENOENT": N_("The folder {path} is not there. Nothing was scanned; reconnect the drive or choose another folder."),
    "EACCES": _NO_RIGHT,
    "EPERM": _NO_RIGHT,
    "ENOTDIR": N_("{path} is not a folder. Nothing was scanned."),
    "ENODEV": N_(
        "The drive of the folder {path} is not connected. Nothing was scanned; connect it, or leave the folder out."
    ),
    "empty": N_("There are no files in {path}. Nothing was scanned."),
    "nothing_to_scan": N_("No folder was given to scan: protected and left-out folders alone are not enough."),
}
_OTHER_ROOT: Final = N_("The folder {path} cannot be read ({reason}). Nothing was scanned.")
_AWAY: Final = N_("The folder {path} cannot be read: {reason}. Watching goes on when it can be read again.")
_NO_READERS: Final = N_(
    "The processes that read documents cannot start ({reason}). The system may be short of memory. "
    "What was read so far is kept; close other programs or raise the limits, and start again."
)
_DISK_FULL: Final = N_(
    "The disk is full: {path} could not be written. What was finished before is kept; make room and start again."
)
_INDEX_CHANGES: Final = N_(
    "The index {path} is being changed by process {holder}. Nothing was done; wait until it has ended."
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
_TOO_NEW: Final = N_(
    "The library {path} was written by a newer dupfinder (version {found}; this one knows {known}). Nothing was done; "
    "update dupfinder or name another library."
)
_DAMAGED: Final = N_(
    "The library {path} is damaged and cannot be read. Your files are unchanged; scan again to build it again."
)
_PART_DAMAGED: Final = N_(
    "A part of the library {path} is damaged: {part}. Your files are unchanged; scan again, and only that part is read "
    "again."
)
_DECISIONS_LOST: Final = N_(
    "The list of what you chose to keep is damaged and was put aside as {path}. Your documents are unchanged and "
    "nothing was removed; look through what is to be removed, choose again what to keep, and repeat."
)
_DECISIONS_DAMAGED: Final = N_(
    "Part of the list of what you chose to keep is damaged and lost. Your documents are unchanged and nothing was "
    "removed; look through what is to be removed, choose again what to keep, and repeat."
)
_UNREACHABLE: Final = N_(
    "The library {path} cannot be opened: {reason}. Nothing was done; check its folder or name another library."
)
_NOT_A_LIBRARY: Final = N_("{path} is not a library of dupfinder. It was left as it is; name another file.")
_MOST_NAMED: Final = 5
_PUT_ASIDE: Final = N_(
    "The library was damaged. It was put aside as {path} and a new one was begun; no document was touched."
)


_CONTRADICTIONS: Final[Mapping[Contradiction, str]] = {
    Contradiction.KEEPER_IS_VICTIM: N_("{about} would be removed, although it is the copy that stays for another file"),
    Contradiction.VICTIM_TWICE: N_("{about} is listed twice for removal"),
    Contradiction.RELATIVE_PATH: N_("{about} is not an absolute path"),
    Contradiction.NO_DESTINATION: N_("{about} is to be moved, and there is no folder to move it to"),
    Contradiction.NO_ROOTS: N_("it names no folder that was scanned"),
    Contradiction.NO_HASH: N_("the content hash of {about} is missing"),
    Contradiction.NO_SURVIVOR: N_("no copy of {about} stays"),
}
_PARTS: Final = {
    "document": N_("document {number}"),
    "scan": N_("scan {number}"),
    "pages": N_("pages of the database"),
    "index": N_("an index of the database"),
    "values": N_("values in the database"),
}
_ALLOWED: Final[Mapping[errors.AllowedValues, str]] = {
    errors.AllowedValues.WHOLE_NUMBER: N_("a whole number"),
    errors.AllowedValues.NUMBER: N_("a number"),
    errors.AllowedValues.WORD: N_("a word"),
    errors.AllowedValues.TRUTH_VALUE: N_("true or false"),
    errors.AllowedValues.CHOICE: "{choices}",
    errors.AllowedValues.JOINED_WORDS: N_("words joined by +"),
    errors.AllowedValues.RANGE: N_("{low} to {high}"),
}
_FAULTS: Final[Mapping[Fault, str]] = {
    # clauses on a file
    Fault.UNREADABLE: "{reason}",
    Fault.IS_LINK: N_("it is a symbolic link; name the file itself"),
    Fault.IS_FOLDER: N_("it is a folder"),
    Fault.NOT_ORDINARY: N_("it is not an ordinary file"),
    Fault.NO_FOLDER: N_("its folder does not exist"),
    Fault.NOT_OPENED: N_("it cannot be opened"),
    Fault.READ_ONLY: N_("it is read-only"),
    Fault.NO_ACCESS: N_("access to it is refused"),
    Fault.DISK_ERROR: N_("the disk reports an error"),
    # sentences on a file to write
    Fault.OUTPUT_IS_DOCUMENT: N_("{path} is one of the scanned documents; a report never takes the place of one."),
    Fault.OUTPUT_IS_FOLDER: N_("{path} is a folder; a file name is needed."),
    Fault.OUTPUT_IS_LINK: N_("{path} is a symbolic link; name the file itself."),
    Fault.OUTPUT_NOT_ORDINARY: N_("{path} is not an ordinary file; choose another name."),
    Fault.OUTPUT_NO_FOLDER: N_("{path} cannot be written: there is no folder {folder}."),
    Fault.OUTPUT_REFUSED: N_("{path} cannot be written: {reason}."),
    # clauses on a file of fingerprints
    Fault.NOT_WHOLE: N_("it is not a complete file of fingerprints"),
    Fault.NO_FINGERPRINTS: N_("it holds {type} ({shape}), not fingerprints: uint32 (n), uint64 (n) or uint64 (n x 2)"),
    Fault.LINE_LENGTH: N_("line {line}: {characters} characters, not the 8, 16 or 32 of a fingerprint"),
    Fault.OTHER_DIGITS: N_("line {line}: {characters} digits where the lines before have {digits}"),
    Fault.NOT_HEXADECIMAL: N_("line {line}: not a hexadecimal number"),
    Fault.OTHER_VERSION: N_("another version of dupfinder wrote it, or another program"),
    Fault.OTHER_PATHS: N_("it has {paths} paths for {fingerprints} fingerprints"),
    Fault.DAMAGED_SKETCHES: N_("it is damaged: its sketches are not what they should be"),
    Fault.FINGERPRINTS_ALONE: N_(
        "it holds fingerprints alone; `library export` to .npz or .parquet writes what can be imported"
    ),
    Fault.DAMAGED_DOCUMENTS: N_("it is damaged: its documents are not what they should be"),
    Fault.OTHER_SYSTEM: N_(
        "it was written on another kind of system, whose paths are not valid here ({foreign}); "
        "its reports can be read anywhere"
    ),
    Fault.NOT_A_TABLE: N_("it is not a table of dupfinder"),
    Fault.OTHER_FORMAT: N_("it has format {version}; this program reads format {known}"),
    Fault.DAMAGED_HEADER: N_("it is damaged: its header is not what was written"),
    Fault.OTHER_SIZE: N_("it has {bytes} bytes where its header says {expected}"),
    Fault.DAMAGED_CONTENT: N_("it is damaged: its content is not what was written"),
    Fault.EXISTS: N_("it exists already"),
    Fault.NOT_AN_INDEX: N_("it is not an index of dupfinder"),
    # sentences
    Fault.NOT_A_PLAN: N_("{path} is not a plan of dupfinder."),
    Fault.UNREADABLE_PLAN: N_("The plan {path} cannot be read: {reason}."),
    Fault.OTHER_PLAN: N_("{path} is a plan of schema {schema}; this dupfinder reads schema {known}."),
    Fault.WRONG_FIELD: N_(
        "{path} is not a valid plan: the field {field} is missing, unknown, or not what it should be."
    ),
    Fault.CONTRADICTION: N_("The plan {path} contradicts itself: {why}."),
    Fault.NO_REMOVAL: N_("No removal in the history has an id that begins or ends with {batch}."),
    Fault.SEVERAL_REMOVALS: N_("Several removals in the history have ids that begin or end with {batch}."),
    Fault.TOO_SHORT: N_("The text is too short to compare."),
    Fault.OTHER_ENDING: N_("The name of a file of fingerprints must end in one of {words}."),
    Fault.NO_ARROW: N_(
        "Parquet and Arrow files need the extra `arrow`: in the program's folder, pip install '.[arrow]'. Nothing was "
        "written."
    ),
    Fault.OTHER_FINGERPRINTS: N_("These files cannot be compared: one holds {left}, the other {right}."),
    Fault.WEIGHTS_GONE: N_(
        "The scan was made by another version of dupfinder, or with learned word weights that no longer exist. "
        "Scan again."
    ),
    Fault.MADE_OTHERWISE: N_(
        "The documents were fingerprinted with other word weights, or by another version of dupfinder."
    ),
    Fault.FEW_DOCUMENTS: N_("To learn weights, {fewest} different documents are needed; this scan has {counted}."),
    # clusters
    Fault.NO_DASK: N_(
        "The option --cluster needs the extra `cluster`: in the program's folder, `pip install '.[cluster]'`."
    ),
    Fault.NO_SCHEDULER: N_(
        "No Dask scheduler answers at {address}. Nothing was done; see to its address, as in "
        "tcp://host:8786, and whether it runs."
    ),
    Fault.NO_WORKERS: N_(
        "The cluster at {address} has no workers. Nothing was done; start some by `dask worker {address}`."
    ),
    Fault.WITHOUT_PROGRAM: N_(
        "The worker {worker} has no dupfinder, or a much older one. Install the same on every machine."
    ),
    Fault.SCHEDULER_WITHOUT: N_(
        "The scheduler {address} has no dupfinder, or a much older one. Install the same on every machine."
    ),
    Fault.OTHER_PROGRAM: N_(
        "The worker {worker} has {name} {there}, and this machine {here}. Install the same on every machine."
    ),
    Fault.OTHER_SOURCE: N_(
        "The worker {worker} has another build of dupfinder under the same number. Install the same on every machine."
    ),
    Fault.OTHER_MEASURE: N_(
        "The worker {worker} computes another fingerprint of a text than this machine. Install the same on every "
        "machine."
    ),
    Fault.WORKER_WITHOUT_WEIGHTS: N_(
        "The worker {worker} does not see the weights that were learned here. Choose the built-in weights, or share "
        "the folder of the settings."
    ),
    Fault.WORKER_WITHOUT_OCR: N_(
        "The worker {worker} cannot recognise pages in {words}. Install tesseract with it on "
        "every machine, or leave --ocr out."
    ),
    Fault.WORKER_SHORT_OF_MEMORY: N_(
        "The worker {worker} is allowed another amount of memory for a reading process "
        "than this machine. Give both the same limits."
    ),
    Fault.NO_SHARE: N_(
        "The worker {worker} does not see {path} as this machine does: {reason}. Mount the folder on "
        "every machine under the same path; what was read so far is kept."
    ),
    Fault.OTHER_SHARE: N_(
        "The worker {worker} sees other contents in {path} than this machine. Mount the same folder "
        "on every machine under the same path; what was read so far is kept."
    ),
    Fault.NO_SCRATCH: N_(
        "The worker {worker} cannot share the folder {path} of --scratch: {reason}. Name a folder that every machine "
        "sees under the same path and may write into."
    ),
    Fault.NO_SCRATCH_HERE: N_(
        "Nothing can be written into the folder {path} of --scratch: {reason}. Name a folder that every machine sees "
        "under the same path and may write into."
    ),
    Fault.SCHEDULER_LOST: N_(
        "The scheduler at {address} does not answer any more. Everything read so far is kept: "
        "start it and its workers again, and the same command goes on."
    ),
    Fault.WORKERS_LOST: N_(
        "All workers of the cluster at {address} are gone. Everything read so far is kept: start "
        "some again, and the same command goes on."
    ),
    Fault.WORKERS_DIE: N_(
        "The workers of the cluster at {address} end again and again. Everything done so far is kept; "
        "see to their memory, then the same command goes on."
    ),
    Fault.READERS_FAIL: N_(
        "On the worker {worker} the processes that read documents cannot start. Everything read so "
        "far is kept; see to its memory, then the same command goes on."
    ),
}


def problem_sentence(kind: ProblemKind, facts: Details = ()) -> str:
    """Return why a file was not read as a document, as one sentence."""
    if any(fact.code is Clause.EMPTY_FILE for fact in facts):
        return say(_EMPTY)
    reason, more = say(_PROBLEMS[kind]), clauses(() if facts == _NEEDS_PASSWORD else facts)
    return say("{reason}: {more}.", reason=reason, more=more) if more else say("{reason}.", reason=reason)


def reading_sentence(notes: Details) -> str:
    """Return what is known about a text that was read, as one sentence; "" without details."""
    more = clauses(notes)
    return say("{reason}.", reason=more[0].upper() + more[1:]) if more else ""


def sentence(error: errors.DupfinderError) -> str:
    """Return one or two sentences about an error; facts from outside are made safe to show."""
    match error:
        case errors.UsageError() | errors.ClusterError():
            return _usage_sentence(error)
        case errors.OccupiedError():
            return say("{path} exists already and holds something else. It was left as it is.", path=shown(error.path))
        case errors.RootError():
            pattern = _ROOTS.get(error.reason, _OTHER_ROOT)
            return say(pattern, path=shown(error.path), reason=error_words(error.reason))
        case errors.ReadersError():
            return say(_NO_READERS, reason=clauses(error.details))
        case errors.DiskFullError():
            return say(_DISK_FULL, path=shown(error.path))
        case errors.JournalError():
            pattern = _JOURNAL_MIDWAY if error.batch else _JOURNAL_AT_ONCE
            return say(pattern, path=shown(error.path), reason=error_words(error.reason), batch=error.batch)
        case errors.SettingError():
            pattern = N_("The setting {key} cannot be {value}: it must be {allowed}.")
            return say(pattern, key=error.key, value=shown(str(error.value)), allowed=allowed_words(error))
        case errors.IndexFileError():
            return say("{path} cannot be used: {reason}.", path=shown(error.path), reason=_fault(error))
        case TooManyPairs():
            return say(_TOO_MANY_PAIRS, most=number_text(error.most), radius=error.radius)
        case errors.PlanError():
            return _plan_sentence(error)
        case _:
            return _library_sentence(error)


def _usage_sentence(error: errors.UsageError | errors.ClusterError) -> str:
    if isinstance(error, errors.InputError | errors.ClusterError):
        return _fault(error)
    if not isinstance(error, errors.NoTextError):
        return shown(error.translated(say))
    trouble = problem_sentence(error.kind, error.details)
    return f"{shown(error.name)}: {trouble}" if error.name else trouble


_LAST_COPIES = {
    errors.LastCopyReason.ALONE: N_("Not marked: no other file that stays has the text of {name}."),
    errors.LastCopyReason.HAS_MORE: N_(
        "Not marked: {name} has text that no other file has. {other} holds a part of it."
    ),
    errors.LastCopyReason.PART: N_(
        "Not marked: the text of {name} stays in {other}, which is longer. It can be removed as a part."
    ),
    errors.LastCopyReason.DISTANT: N_(
        "Not marked: {name} is too unlike {other} and the other documents of this group."
    ),
    errors.LastCopyReason.FORM: N_("Not marked: {other} is the same form as {name}, filled in differently."),
    errors.LastCopyReason.READ_IN_PART: N_(
        "Not marked: only a part of {name} could be read, and no other file has its bytes."
    ),
}
_PART_LEFT: Final = N_(
    "Not marked: {share} of the text of {name} stays in {other}, which is longer. It can be removed as a part."
)


def _plan_sentence(error: errors.PlanError) -> str:
    match error:
        case errors.LastCopyError():
            other = "" if error.other is None else shown(error.other.name)
            pattern = (
                _PART_LEFT if error.why is errors.LastCopyReason.PART and error.share < 1 else _LAST_COPIES[error.why]
            )
            return say(pattern, name=shown(error.path.name), other=other, share=share_text(error.share))
        case errors.ProtectedError():
            return say("Not marked: {name} is in a protected folder.", name=shown(error.path.name))
        case errors.ArchivedError():
            pattern = N_("Not marked: {name} is inside the archive {archive}.")
            return say(pattern, name=shown(error.path.name), archive=shown(error.archive))
        case ContradictoryPlan():
            why = say(_CONTRADICTIONS[error.why], about=shown(error.path))
            return say("The plan contradicts itself: {why}. Nothing was done; write a new one.", why=why)
        case _:
            return say("This is not allowed. Nothing was changed.")


def _fault(error: errors.InputError | errors.IndexFileError | errors.LibraryUnreachable | errors.ClusterError) -> str:
    """Return what is wrong with an input: a clause about a file, else a sentence."""
    facts = error.facts
    if error.fault is Fault.OTHER_FINGERPRINTS:
        facts = {name: made_by_words(str(made_by)) for name, made_by in facts.items()}
    return say(_FAULTS[error.fault], **_facts_in_words(facts))


def _facts_in_words(facts: Mapping[str, object]) -> dict[str, str]:
    """Return the facts of a Fault in words, with names of system errors explained."""
    words = {name: _words_of(fact) for name, fact in facts.items()}
    why = facts.get("why")
    return {**words, "why": say(_CONTRADICTIONS[why], **words)} if isinstance(why, Contradiction) else words


def _words_of(fact: object) -> str:
    if isinstance(fact, int):
        return number_text(fact)
    is_error = isinstance(getattr(errno, str(fact), None), int)
    return error_words(str(fact)) if is_error else shown(str(fact))


def away_sentence(error: errors.RootError) -> str:
    """Return that a watched folder cannot be read now, and why."""
    return say(_AWAY, path=shown(error.path), reason=error_words(error.reason))


def put_aside_sentence(aside: Path) -> str:
    """Return what happened to a damaged library when a scan began."""
    return say(_PUT_ASIDE, path=shown(aside))


def repaired_sentence(parts: Sequence[errors.LibraryPart]) -> str:
    """Return what happened to a library of which only some rows were damaged."""
    names = ", ".join(map(part_words, parts[:_MOST_NAMED])) + (", ..." if len(parts) > _MOST_NAMED else "")
    return say("A part of the library was damaged and dropped: {names}. Only that is read again.", names=names)


def part_words(part: errors.LibraryPart) -> str:
    """Return the name of a damaged part of a library: "document 17", "scan 3", "pages of the database"."""
    return say(_PARTS[part.kind], number=part.number)


def allowed_words(error: errors.SettingError) -> str:
    """Return what a setting allows: "a whole number", "0.5 to 1"."""
    facts = {name: fact if isinstance(fact, str) else f"{fact:g}" for name, fact in error.facts.items()}
    return say(_ALLOWED[error.allowed], **facts)


_NO_DATA_FOLDER: Final = N_(
    "The folder {path}, where dupfinder keeps what it knows, cannot be created: {reason}. Name another one by "
    "DUPFINDER_HOME."
)


def system_sentence(error: OSError) -> str:
    """Return what the system did not allow, for an error without more facts."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is not None:
        return sentence(errors.DiskFullError(Path(os.fsdecode(error.filename))))
    reason = error_words(error_name(error))
    if isinstance(error, errors.DataFolderError):
        return say(_NO_DATA_FOLDER, path=shown(os.fsdecode(error.filename)), reason=reason)
    if not isinstance(error.filename, str | bytes | os.PathLike):
        return say("The system did not allow what was asked for: {reason}. Nothing more was done.", reason=reason)
    pattern = N_("The system did not allow what was asked for: {reason} ({path}). Nothing more was done.")
    return say(pattern, reason=reason, path=shown(os.fsdecode(error.filename)))


_REMOVAL_RUNS: Final = N_(
    "Another dupfinder (process {holder}) is removing or restoring files. Nothing was done here; "
    "wait until it has ended."
)
_IN_USE: Final = N_("The library {path} is in use by another process. Nothing was done; wait until it has ended.")
_IN_USE_BY: Final = N_("The library {path} is in use by process {holder}. Nothing was done; wait until it has ended.")


def _library_sentence(error: errors.DupfinderError) -> str:
    match error:
        case errors.RemovalRunning():
            return say(_REMOVAL_RUNS, holder=error.holder or "?")
        case errors.IndexLocked():
            return say(_INDEX_CHANGES, path=shown(error.path), holder=error.holder or "?")
        case errors.LibraryLocked():
            return say(_IN_USE_BY if error.holder else _IN_USE, path=shown(error.path), holder=error.holder)
        case errors.LibraryTooNew():
            return say(_TOO_NEW, path=shown(error.path), found=error.version, known=error.known)
        case errors.LibraryDamaged() if error.part:
            return say(_PART_DAMAGED, path=shown(error.path), part=part_words(error.part))
        case errors.LibraryDamaged():
            return say(_DAMAGED, path=shown(error.path))
        case errors.DecisionsDamaged():
            pattern = _DECISIONS_LOST if error.moved_to else _DECISIONS_DAMAGED
            return say(pattern, path=shown(error.moved_to or error.path))
        case errors.LibraryUnreachable():
            return say(_UNREACHABLE, path=shown(error.path), reason=_fault(error))
        case errors.NotALibrary():
            return say(_NOT_A_LIBRARY, path=shown(error.path))
        case errors.LibraryMissing():
            return say("There is no finished scan in {path}. Scan a folder first.", path=shown(error.path))
        case _:
            return say("The program cannot go on. Nothing more was done; run it again with --debug for details.")
