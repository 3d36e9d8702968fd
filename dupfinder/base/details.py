"""Problems with single files, which never end a scan, and details of how a file was read, as codes with facts.

`wording` makes clauses of details in every language.

A code is declared with the names of its facts; a fact's name has the same meaning in every code. Details come from
reading processes, which a hostile file may control, and are stored in the library for years: only declared codes and
facts are accepted.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

LONGEST_FACT: Final = 4096  # characters, enough for a path; longer texts are truncated
_BEYOND: Final = 1 << 63  # numbers below it fit into SQLite and other programs: 64 bits with a sign
# Facts that are numbers. All others are texts from outside: names, paths, codes of the system and of formats.
NUMBERS: Final = frozenset(
    {"attachments", "bytes", "characters", "limit", "line", "megabytes", "members", "pages", "read", "seconds",
     "status", "unpacked"}
)  # fmt: skip


class Code(StrEnum):
    """Codes, each declared with the names of its facts: NAME = code, fact, fact ..."""

    facts: tuple[str, ...]

    def __new__(cls, code: str, *facts: str) -> Self:
        """Create a code from its value and the names of its facts."""
        declared = str.__new__(cls, code)
        declared._value_ = code
        declared.facts = facts
        return declared


class Clause(Code):
    """The codes of details.

    bytes, limit, unpacked: sizes in bytes; megabytes: of 2^20 bytes. error: the name of a system's error ("EACCES") or
    of an exception's type. kind: a MediaType, or a kind of document that has no reader. status: a process's exit code.
    """

    # left out because of the settings
    SYMBOLIC_LINK = "symbolic_link"
    SPECIAL_FILE = "special_file"
    OWN_FILE = "own_file"
    VERSION_CONTROL = "version_control"
    MOVED_ASIDE = "moved_aside"
    ARCHIVE_NOT_OPENED = "archive_not_opened"
    SAME_FILE = "same_file", "other"
    HIDDEN_FILE = "hidden_file"
    HIDDEN_FOLDER = "hidden_folder"
    FOREIGN_FOLDER = "foreign_folder", "folder"
    EXCLUDED_NAME = "excluded_name"
    EXCLUDED_PATTERN = "excluded_pattern"
    OTHER_PATTERNS = "other_patterns"
    OTHER_KINDS = "other_kinds", "kind"
    SMALLER = "smaller"
    LARGER = "larger"
    CHANGED_BEFORE = "changed_before"
    CHANGED_AFTER = "changed_after"
    PROGRAM_TEXT = "program_text"
    OVER_LIMIT = "over_limit", "bytes", "limit"
    ONLINE_ONLY = "online_only"
    # what the system said, and files that change
    SYSTEM_ERROR = "system_error", "error"
    FOLDER_NOT_LISTED = "folder_not_listed"
    NOT_REGULAR = "not_regular"
    REPLACED_BY_LINK = "replaced_by_link"
    ARCHIVE_CHANGED = "archive_changed"
    HELD_NAME = "held_name", "name"
    # kinds of documents and of content
    UNREAD_KIND = "unread_kind", "kind"
    EMPTY_FILE = "empty_file"
    NO_LETTERS = "no_letters"
    FEW_WORDS = "few_words"
    NOT_TEXT = "not_text"
    NO_PREVIEW = "no_preview"
    RIGHTS_SCHEME = "rights_scheme"
    NO_WORD_DOCUMENT = "no_word_document"
    NO_PRESENTATION = "no_presentation"
    NO_BOOK = "no_book"
    NO_PAGE = "no_page"
    NO_BODY = "no_body"
    NO_TEXT_PART = "no_text_part"
    # PDF and pictures of pages
    NO_TEXT_LAYER = "no_text_layer", "pages"
    NAMELESS_CHARACTERS = "nameless_characters"
    NO_TESSERACT = "no_tesseract"
    NO_LIBARCHIVE = "no_libarchive"
    NOTHING_RECOGNISED = "nothing_recognised"
    TESSERACT_FAILED = "tesseract_failed"
    # damage
    PARSER_FAILED = "parser_failed", "error"
    READER_REFUSED = "reader_refused", "reader"
    BAD_XML = "bad_xml"
    DOCUMENT_TYPE = "document_type"
    NO_DIRECTORY = "no_directory"
    PART_MISSING = "part_missing", "part"
    PART_DAMAGED = "part_damaged", "part"
    BAD_COMPOUND = "bad_compound"
    BAD_WORD_TABLES = "bad_word_tables"
    BAD_RICH_TEXT = "bad_rich_text"
    CELLS_APART = "cells_apart"
    PACKED_DAMAGED = "packed_damaged"
    CUT_OFF = "cut_off"
    # out of proportion
    UNPACKS_TO = "unpacks_to", "bytes", "unpacked"
    PART_UNPACKS_TO = "part_unpacks_to", "part", "megabytes"
    PARTS_UNPACK_TO = "parts_unpack_to", "megabytes"
    UNPACKING_NEEDS = "unpacking_needs", "megabytes"
    # archives and their members
    ARCHIVE_MEMBERS = "archive_members", "members"
    MAILBOX_MAILS = "mailbox_mails", "members"
    ARCHIVE_IN_ARCHIVE = "archive_in_archive"
    NAME_A_MEMBER = "name_a_member", "example"
    NO_SUCH_MEMBER = "no_such_member", "archive"
    NO_ARCHIVE = "no_archive", "archive"
    SPLIT_ARCHIVE = "split_archive"
    DIRECTORY_MISPLACED = "directory_misplaced"
    DIRECTORY_TOO_LARGE = "directory_too_large", "megabytes"
    DAMAGED_AFTER = "damaged_after", "members"
    UNPACKED_UP_TO = "unpacked_up_to", "members"
    MORE_MEMBERS = "more_members", "members"
    FIRST_MEGABYTES = "first_megabytes", "megabytes"
    MEMBERS_UNPACK_TO = "members_unpack_to", "megabytes"
    BESIDE_FILE = "beside_file"
    SECOND_NAME = "second_name"
    SPARSE_FILE = "sparse_file"
    UNKNOWN_MEMBER = "unknown_member"
    UNKNOWN_PACKING = "unknown_packing", "method"
    BEYOND_ARCHIVE = "beyond_archive"
    SHARED_BYTES = "shared_bytes"
    MEMBER_MISPLACED = "member_misplaced"
    MORE_THAN_SAID = "more_than_said"
    WRONG_CHECKSUM = "wrong_checksum"
    # how it was read
    READ_IN_PART = "read_in_part"
    READ_PLAINLY = "read_plainly"
    READ_PLAINLY_TOO_SLOW = "read_plainly_too_slow"
    NO_PLAINER_READER = "no_plainer_reader"
    NO_PLAIN_TEXT = "no_plain_text"
    SECOND_READER = "second_reader"
    RECOGNISED = "recognised", "languages"
    PAGES_READ = "pages_read", "read", "pages"
    CHARACTERS_READ = "characters_read", "characters"
    DELETIONS_LEFT_OUT = "deletions_left_out"
    ATTACHMENTS_NOT_READ = "attachments_not_read", "attachments"
    # how its reading process ended
    AFTER_SECONDS = "after_seconds", "seconds"
    OWN_ALARM = "own_alarm"
    AT_MEGABYTES = "at_megabytes", "megabytes"
    MEMORY_LIMIT = "memory_limit"
    LARGE_ANSWER = "large_answer", "megabytes"
    ENDED_FROM_OUTSIDE = "ended_from_outside"
    ENDED_BY_SIGNAL = "ended_by_signal", "signal"
    ENDED_OUT_OF_MEMORY = "ended_out_of_memory", "signal"
    ENDED_WITH_STATUS = "ended_with_status", "status"
    FAILED_AT = "failed_at", "error", "module", "line"
    IMPOSSIBLE_ANSWER = "impossible_answer"
    PROCESS_GONE = "process_gone"
    MODULE_MISSING = "module_missing", "error"
    # as an earlier version stored it: a clause in English
    EARLIER = "earlier", "text"


@dataclass(frozen=True, slots=True)
class Detail:
    """One clause as data. Raises ValueError for facts other than those that its code declares."""

    code: Clause
    facts: Mapping[str, int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the facts, and truncate texts that are too long."""
        if set(self.facts) != set(self.code.facts) or not all(map(_is_fact, self.facts, self.facts.values())):
            raise ValueError(f"facts that {self.code} does not have")
        object.__setattr__(self, "facts", {name: _truncated(value) for name, value in self.facts.items()})


Details = tuple[Detail, ...]


def details(code: Clause, **facts: int | str) -> Details:
    """Return one detail as a tuple. Tuples of details are concatenated by +."""
    return (Detail(code, facts),)


def system_details(error: OSError) -> Details:
    return details(Clause.SYSTEM_ERROR, error=error_name(error))


# Errors of Windows (winerror.h) for which C has no number, or one that says less.
_ERRORS_OF_WINDOWS: Final[Mapping[int, str]] = {
    32: "EBUSY", 33: "EBUSY",  # SHARING_VIOLATION, LOCK_VIOLATION: another program has the file open
    19: "EROFS",  # WRITE_PROTECT
    39: "ENOSPC",  # HANDLE_DISK_FULL
    206: "ENAMETOOLONG",  # FILENAME_EXCED_RANGE
    # A drive that is not there, and a share whose network or server went away.
    21: "ENODEV", 53: "ENODEV", 55: "ENODEV", 59: "ENODEV", 64: "ENODEV", 67: "ENODEV", 433: "ENODEV", 1167: "ENODEV",
    1231: "ENODEV", 1232: "ENODEV",
    121: "ETIMEDOUT",  # SEM_TIMEOUT: a server that does not answer
    1117: "EIO", 1392: "EIO",  # IO_DEVICE, FILE_CORRUPT
}  # fmt: skip
# Characters of a path which Windows finds, and a folder of which it lists, unless it is set to allow more (MAX_PATH
# less the two characters that ask for all of a folder). It says of longer ones that they are not there.
LONGEST_PATH_OF_WINDOWS: Final = 257


def error_name(error: OSError) -> str:
    """Return the name of a system's error, such as "ENOSPC"."""
    named = _ERRORS_OF_WINDOWS.get(getattr(error, "winerror", None) or 0)
    if named is None and error.errno == errno.ENOENT and sys.platform == "win32":
        paths = [path for path in (error.filename, error.filename2) if isinstance(path, str | os.PathLike)]
        if any(len(os.fspath(path)) > LONGEST_PATH_OF_WINDOWS for path in paths):
            return "ENAMETOOLONG"
    # Errors that Windows knows of networks alone have both names, and are listed by the second: ELOOP, WSAELOOP.
    return named or errno.errorcode.get(error.errno or 0, "EIO").removeprefix("WSA")


def stored(items: Details) -> str:
    """Return details as the library stores them: a JSON object of facts by code, in ASCII; "" for none."""
    if not items:
        return ""
    return json.dumps({detail.code: dict(detail.facts) for detail in items}, separators=(",", ":"))


def details_of(text: str) -> Details:
    """Return the details of a text that `stored` returned.

    Any other text is an English clause stored by an earlier version: EARLIER.
    """
    if not text:
        return ()
    try:
        facts_of = json.loads(text) if text.startswith("{") else None
        if isinstance(facts_of, dict):
            return tuple(Detail(Clause(code), facts) for code, facts in facts_of.items())
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return details(Clause.EARLIER, text=text)


def _is_fact(name: str, value: object) -> bool:
    if name in NUMBERS:
        return type(value) is int and -_BEYOND <= value < _BEYOND
    return isinstance(value, str)


def _truncated(value: int | str) -> int | str:
    """Return a fact, truncated if it is a text of more than LONGEST_FACT characters."""
    return value[: LONGEST_FACT - 1] + "…" if isinstance(value, str) and len(value) > LONGEST_FACT else value


class ProblemKind(StrEnum):
    """Why a file was not read as a document. The values are the `status` words of the JSON report."""

    NO_TEXT = "no_text"
    TOO_SHORT = "too_short"
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"
    CHANGED = "changed"
    UNSUPPORTED = "unsupported"
    SKIPPED = "skipped"
    BYTES_ONLY = "bytes_only"  # no document: it is compared with files of the same bytes, which was asked for
    HELD = "held"  # left renamed by an interrupted removal; its detail HELD_NAME has the original name


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file was not read, or not wholly. details: facts on it (PAGES_READ: 12 of 40)."""

    kind: ProblemKind
    details: Details = ()
