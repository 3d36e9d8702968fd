"""Problems with single files, as data: they are part of the results and never end a scan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dupfinder.base.progress import Stage


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
    HELD = "held"  # left renamed by an interrupted removal; the detail is its original name


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with one file. detail: a plain clause of facts ("page 12 of 40 after 12 s"), never a traceback."""

    path: Path
    stage: Stage
    kind: ProblemKind
    detail: str = ""
