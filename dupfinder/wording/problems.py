"""Names of the kinds of problems with files, and what became of such files: for headings and lists."""

from __future__ import annotations

from typing import Final

from dupfinder.base.problems import ProblemKind
from dupfinder.wording.catalogue import N_, say

_NAMES: Final = {
    ProblemKind.NO_TEXT: N_("Without text"),
    ProblemKind.TOO_SHORT: N_("Very little text"),
    ProblemKind.ENCRYPTED: N_("Password-protected"),
    ProblemKind.DAMAGED: N_("Damaged file"),
    ProblemKind.UNREADABLE: N_("Could not be opened"),
    ProblemKind.TOO_LARGE: N_("Too large"),
    ProblemKind.TOO_SLOW: N_("Took too long"),
    ProblemKind.CHANGED: N_("Changed while being read"),
    ProblemKind.VANISHED: N_("Gone when its turn came"),
    ProblemKind.HELD: N_("Left by a removal that was cut off"),
    ProblemKind.UNSUPPORTED: N_("Not a document"),
    ProblemKind.SKIPPED: N_("Left out by your choice, or a link"),
    ProblemKind.BYTES_ONLY: N_("Photos, videos and other files"),
}
_EFFECTS: Final = {
    ProblemKind.NO_TEXT: N_("Compared by exact content only"),
    ProblemKind.TOO_SHORT: N_("Compared by exact content only"),
    ProblemKind.ENCRYPTED: N_("Skipped — open them to check"),
    ProblemKind.TOO_LARGE: N_("Over your limit — skipped"),
    ProblemKind.CHANGED: N_("Read again at the next scan"),
    ProblemKind.HELD: N_("Show them to give them their names back"),
    ProblemKind.UNSUPPORTED: N_("Not compared"),
    ProblemKind.SKIPPED: N_("Not compared"),
    ProblemKind.BYTES_ONLY: N_("Compared by exact content only"),
}
_SKIPPED: Final = N_("Skipped")


def problem_name(kind: ProblemKind) -> str:
    """Return the name of a kind of problem."""
    return say(_NAMES[kind])


def problem_effect(kind: ProblemKind) -> str:
    """Return what became of files with such a problem."""
    return say(_EFFECTS.get(kind, _SKIPPED))
