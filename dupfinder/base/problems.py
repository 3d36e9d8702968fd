"""Trouble with one file, as data: it travels with the results and never ends a scan."""

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
    HELD = "held"  # a removal that was cut off left it under a name of dupfinder's; the detail is its own name


@dataclass(frozen=True, slots=True)
class Problem:
    """One file's trouble. `detail` is a plain clause of facts ("page 12 of 40 after 12 s"), never a traceback."""

    path: Path
    stage: Stage
    kind: ProblemKind
    detail: str = ""
