"""Errors that end a whole job. `wording` makes sentences of their codes and facts; a UsageError has its sentence.

DupfinderError
  UsageError          bad input to a command, as a sentence
    InputError        input that the core cannot use, by its Fault
    NoTextError       a document without text
  RootError           a folder that cannot be scanned
  OccupiedError       an output would replace a file that dupfinder did not write
  LibraryError        a library that cannot be used: LibraryTooNew, LibraryDamaged, LibraryUnreachable, LibraryMissing,
                      NotALibrary, DecisionsDamaged
    LibraryLocked     another process writes the library; RemovalRunning, IndexLocked: the journal, an index
  DiskFullError       the disk is full
  JournalError        the journal of a removal cannot be written, so the removal stops
  ReadersError        the processes that read documents cannot start
  ClusterError        a Dask cluster that cannot be used, or was lost
  PlanError           a decision that is not allowed: LastCopyError, ProtectedError, ArchivedError
  SettingError        a value that a setting does not allow
  IndexFileError      a file of fingerprints or a compressed table that cannot be used
  index.TooManyPairs  more pairs within the radius than are allowed
DataFolderError       an OSError: the folder where dupfinder stores what it knows cannot be created
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from dupfinder.base.details import Code, Details, ProblemKind


class DupfinderError(Exception):
    """The base class. Any other exception that leaves a job is a fault of the program."""


class UsageError(DupfinderError):
    """Input that a command cannot use.

    sentence: what is wrong, in one line. pattern, facts: the sentence before the facts are inserted, and the facts.
    """

    def __init__(self, sentence: str, **facts: object) -> None:
        self.pattern, self.facts = sentence, facts
        self.sentence = self.translated(lambda pattern: pattern)
        super().__init__(self.sentence)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in the language of `translate`, which translates the pattern."""
        return translate(self.pattern).format(**self.facts) if self.facts else translate(self.pattern)


class Fault(Code):
    """What is wrong with a file or another input named by a person.

    path: of a file. reason: the name of the system's error ("ENOENT"). line: of a text, from 1.
    field: of a plan, as in "plan.steps[0].verb". about: a path in a plan. why: an actions.plan.Contradiction.
    left, right: schemes of two fingerprints. words: endings or languages. address, worker: of a Dask scheduler, and of
    one of its workers.
    name, here, there: of a program or library, and its versions on this machine and on that worker.
    """

    # any file
    UNREADABLE = "unreadable", "reason"
    IS_LINK = "is_link"
    IS_FOLDER = "is_folder"
    NOT_ORDINARY = "not_ordinary"
    NO_FOLDER = "no_folder"
    NOT_OPENED = "not_opened"
    READ_ONLY = "read_only"
    NO_ACCESS = "no_access"
    DISK_ERROR = "disk_error"
    # files to write
    OUTPUT_IS_DOCUMENT = "output_is_document", "path"
    OUTPUT_IS_FOLDER = "output_is_folder", "path"
    OUTPUT_IS_LINK = "output_is_link", "path"
    OUTPUT_NOT_ORDINARY = "output_not_ordinary", "path"
    OUTPUT_NO_FOLDER = "output_no_folder", "path", "folder"
    OUTPUT_REFUSED = "output_refused", "path", "reason"
    # files of fingerprints, and scans as files
    NOT_WHOLE = "not_whole"
    NO_FINGERPRINTS = "no_fingerprints", "type", "shape"
    LINE_LENGTH = "line_length", "line", "characters"
    OTHER_DIGITS = "other_digits", "line", "characters", "digits"
    NOT_HEXADECIMAL = "not_hexadecimal", "line"
    OTHER_VERSION = "other_version"
    OTHER_PATHS = "other_paths", "paths", "fingerprints"
    DAMAGED_SKETCHES = "damaged_sketches"
    FINGERPRINTS_ALONE = "fingerprints_alone"
    DAMAGED_DOCUMENTS = "damaged_documents"
    OTHER_SYSTEM = "other_system", "foreign"
    # compressed tables
    NOT_A_TABLE = "not_a_table"
    OTHER_FORMAT = "other_format", "version", "known"
    DAMAGED_HEADER = "damaged_header"
    OTHER_SIZE = "other_size", "bytes", "expected"
    DAMAGED_CONTENT = "damaged_content"
    EXISTS = "exists"
    NOT_AN_INDEX = "not_an_index"
    # plans and the history
    NOT_A_PLAN = "not_a_plan", "path"
    UNREADABLE_PLAN = "unreadable_plan", "path", "reason"
    OTHER_PLAN = "other_plan", "path", "schema", "known"
    WRONG_FIELD = "wrong_field", "path", "field"
    CONTRADICTION = "contradiction", "path", "about", "why"
    NO_REMOVAL = "no_removal", "batch"
    SEVERAL_REMOVALS = "several_removals", "batch"
    # texts, fingerprints and weights
    TOO_SHORT = "too_short"
    OTHER_ENDING = "other_ending", "words"
    NO_ARROW = "no_arrow"
    OTHER_FINGERPRINTS = "other_fingerprints", "left", "right"
    WEIGHTS_GONE = "weights_gone"
    MADE_OTHERWISE = "made_otherwise"
    FEW_DOCUMENTS = "few_documents", "fewest", "counted"
    # clusters
    NO_DASK = "no_dask"
    NO_SCHEDULER = "no_scheduler", "address"
    NO_WORKERS = "no_workers", "address"
    WITHOUT_PROGRAM = "without_program", "worker"
    SCHEDULER_WITHOUT = "scheduler_without", "address"
    OTHER_PROGRAM = "other_program", "worker", "name", "there", "here"
    OTHER_SOURCE = "other_source", "worker"
    OTHER_MEASURE = "other_measure", "worker"
    WORKER_WITHOUT_WEIGHTS = "worker_without_weights", "worker"
    WORKER_WITHOUT_OCR = "worker_without_ocr", "worker", "words"
    WORKER_SHORT_OF_MEMORY = "worker_short_of_memory", "worker"
    NO_SHARE = "no_share", "worker", "path", "reason"
    OTHER_SHARE = "other_share", "worker", "path"
    NO_SCRATCH = "no_scratch", "worker", "path", "reason"
    NO_SCRATCH_HERE = "no_scratch_here", "path", "reason"
    SCHEDULER_LOST = "scheduler_lost", "address"
    WORKERS_LOST = "workers_lost", "address"
    WORKERS_DIE = "workers_die", "address"
    READERS_FAIL = "readers_fail", "worker"


class DataFolderError(OSError):
    """The folder where dupfinder stores what it knows cannot be created. Facts: those of an OSError."""


class InputError(UsageError):
    """Input that the core cannot use. Facts: `fault`; `facts`, by their names."""

    def __init__(self, fault: Fault, **facts: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.facts = facts


class NoTextError(UsageError):
    """A document has no text to compare. Facts: `name` ("": not known which of two it is), `kind`, `details`."""

    def __init__(self, name: str, kind: ProblemKind, details: Details) -> None:
        super().__init__(f"{name}: {kind}")
        self.name, self.kind, self.details = name, kind, details


@dataclass(eq=False, repr=False)
class OccupiedError(DupfinderError):
    """An output would replace a file that dupfinder did not write. Fact: `path`."""

    path: Path


@dataclass(eq=False, repr=False)
class RootError(DupfinderError):
    """A folder to scan is missing, unreadable or not a folder. Facts: `path`, `reason` (an errno name or "empty")."""

    path: Path
    reason: str


@dataclass(eq=False, repr=False)
class LibraryError(DupfinderError):
    """The library cannot be used. Fact: `path`."""

    path: Path


@dataclass(eq=False, repr=False)
class LibraryLocked(LibraryError):
    """Another dupfinder process is writing the library. Fact: `holder`, its process id (None: unknown)."""

    holder: int | None


class RemovalRunning(LibraryLocked):
    """Another dupfinder process is removing or restoring files. Fact: `holder`, as above."""


class IndexLocked(LibraryLocked):
    """Another dupfinder process is changing the index. Fact: `holder`, as above."""


@dataclass(eq=False, repr=False)
class LibraryTooNew(LibraryError):
    """The library was written by a newer dupfinder. Facts: `version` and `known`, schema versions."""

    version: int
    known: int


class LibraryPart(NamedTuple):
    """A damaged part: "document" or "scan" by its number in the library; "pages", "index", "values" of the database."""

    kind: str
    number: int = 0


@dataclass(eq=False, repr=False)
class LibraryDamaged(LibraryError):
    """The library is damaged, or not a library. Fact: `part`, the damaged part; None: the whole file."""

    part: LibraryPart | None = None


@dataclass(eq=False, repr=False)
class DecisionsDamaged(LibraryError):
    """Decisions of the person were lost. Fact: `moved_to`, the new path of the damaged file (None: some rows only)."""

    moved_to: Path | None


class LibraryUnreachable(LibraryError):
    """The library cannot be opened or written. Facts: `fault`; `facts`, by their names."""

    def __init__(self, path: Path, fault: Fault, **facts: object) -> None:
        super().__init__(path)
        self.fault = fault
        self.facts = facts


class LibraryMissing(LibraryError):
    """The library has no finished scan, or not the one requested."""


class NotALibrary(LibraryError):
    """The file named as the library is not one. It is not opened, renamed or removed."""


@dataclass(eq=False, repr=False)
class DiskFullError(DupfinderError):
    """The disk is full. Fact: `path`, what was being written."""

    path: Path


@dataclass(eq=False, repr=False)
class JournalError(DupfinderError):
    """The journal cannot be written, so no further file is touched.

    Facts: `path`; `reason`, the name of the system's error; `batch`, the id by which the steps done before can be
    undone ("": no step was done).
    """

    path: Path
    reason: str
    batch: str = ""


@dataclass(eq=False, repr=False)
class ReadersError(DupfinderError):
    """The processes that read documents end while they start. Fact: `details`, on how the last process ended."""

    details: Details


class ClusterError(DupfinderError):
    """A Dask cluster cannot be used, or was lost. Facts: `fault`; `facts`, by their names."""

    def __init__(self, fault: Fault, **facts: object) -> None:
        super().__init__(fault, facts)
        self.fault = fault
        self.facts = facts


class PlanError(DupfinderError):
    """A decision or a plan that is not allowed."""


class LastCopyReason(StrEnum):
    """Why a document would have no survivor if it were marked.

    ALONE: no other unmarked file has its text. HAS_MORE: others have only a part of it. PART: its text is in a
    longer document, and marking it needs a separate decision. DISTANT: others of its group are too dissimilar. FORM:
    others are other fillings of the same form. READ_IN_PART: some was not read, and no other unmarked file has
    its bytes.
    """

    ALONE = "alone"
    HAS_MORE = "whole"
    PART = "part"
    DISTANT = "distant"
    FORM = "form"
    READ_IN_PART = "in_part"


@dataclass(eq=False, repr=False)
class LastCopyError(PlanError):
    """A document without a survivor cannot be marked.

    Facts: `path`; `why`; `other`, the document that the reason refers to (None: none); `share`, of a part: how much of
    its text is in `other`, 0..1.
    """

    path: Path
    why: LastCopyReason = LastCopyReason.ALONE
    other: Path | None = None
    share: float = 1.0


@dataclass(eq=False, repr=False)
class ProtectedError(PlanError):
    """A file of a protected folder cannot be marked. Fact: `path`."""

    path: Path


@dataclass(eq=False, repr=False)
class ArchivedError(PlanError):
    """A member of an archive cannot be marked. Facts: `path`; `archive`, the file that contains it."""

    path: Path
    archive: Path


class AllowedValues(Code):
    """What a setting allows. choices: words, separated by " | ". low, high: the limits of a number."""

    WHOLE_NUMBER = "whole_number"
    NUMBER = "number"
    WORD = "word"
    TRUTH_VALUE = "truth_value"
    CHOICE = "choice", "choices"
    JOINED_WORDS = "joined_words"
    RANGE = "range", "low", "high"


class SettingError(DupfinderError):
    """A value that a setting does not allow. Facts: `key`, `value`, `allowed`; `facts` of `allowed`, by their names."""

    def __init__(self, key: str, value: object, allowed: AllowedValues, **facts: str | float) -> None:
        super().__init__(key, value, allowed)
        self.key = key
        self.value = value
        self.allowed, self.facts = allowed, facts


class IndexFileError(DupfinderError):
    """A file of fingerprints or a table cannot be used. Facts: `path`; `fault`; `facts`, by their names."""

    def __init__(self, path: Path, fault: Fault, **facts: object) -> None:
        super().__init__(path, fault)
        self.path = path
        self.fault = fault
        self.facts = facts
