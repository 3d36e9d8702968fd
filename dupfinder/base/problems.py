"""Problems with single files, as data: they are part of the results and never end a scan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dupfinder.base.details import Details


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
