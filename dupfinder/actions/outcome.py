"""Refusal, Outcome and Batch: why a step was not done, and what became of the steps of one plan, as facts.

The sentences are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from dupfinder.actions.marks import Mark, Marks
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Step


class RefusalKind(StrEnum):
    """Why a step was not done."""

    CHANGED = "changed"
    GONE = "gone"
    KEEPER_CHANGED = "keeper_changed"
    KEEPER_GONE = "keeper_gone"
    SAME_FILE = "same_file"
    PROTECTED = "protected"
    INSIDE_ARCHIVE = "inside_archive"
    KEEPER_IN_ARCHIVE = "keeper_in_archive"
    WHOLE_ARCHIVE = "whole_archive"  # only equal bytes can take the place of an archive
    OUTSIDE = "outside"
    KEPT = "kept"  # the person said that it is to be kept
    APART = "apart"  # the person said that the two are no duplicates
    NO_PLACE = "no_place"  # a folder that may not receive documents
    SYMLINK = "symlink"
    NOT_A_FILE = "not_a_file"
    LAST_COPY = "last_copy"
    NO_LONGER_SIMILAR = "no_longer_similar"
    UNREADABLE = "unreadable"  # one of the two texts cannot be read any more
    NOT_EXACT = "not_exact"  # only equal bytes can share one file
    IN_USE = "in_use"
    FORBIDDEN = "forbidden"
    OTHER_VOLUME = "other_volume"
    EXISTS = "exists"
    NO_TRASH = "no_trash"
    NO_SAFE_NAME = "no_safe_name"  # the file system gives a name only by replacing what has it
    WHERE_UNKNOWN = "where_unknown"  # undo: the system's trash did not tell where the file went
    NOT_THERE = "not_there"  # undo: the removed file is no longer where it was put


class Aspect(StrEnum):
    """What differs between the expected file and the one that was found."""

    NONE = ""
    IDENTITY = "identity"
    SIZE = "size"
    MTIME = "mtime"
    CONTENT = "content"
    RESEMBLANCE = "resemblance"
    CONTAINMENT = "containment"
    TEXT = "text"


Fact = str | int | float | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step that was not done. `expected` and `found` are values of `aspect`: bytes, nanoseconds, shares, names."""

    step: Step
    kind: RefusalKind
    expected: Fact = None
    found: Fact = None
    aspect: Aspect = Aspect.NONE


class Refused(Exception):
    """Carries a refusal out of nested checks; never leaves this package."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


class State(StrEnum):
    """Where a step stands."""

    INTENDED = "intended"  # written down; a kill left it between here and done
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"  # was interrupted; the file has its own name again
    RESTORING = "restoring"  # an undo was written down and not yet ended
    RESTORED = "restored"
    EMPTYING = "emptying"  # removing it from the quarantine for good was written down and not yet ended
    EMPTIED = "emptied"  # was in the quarantine, and the person emptied that


OPEN_STATES = frozenset({State.INTENDED, State.RESTORING, State.EMPTYING})


@dataclass(frozen=True, slots=True)
class Intent:
    """All that is needed to finish a step or take it back, written down before the step begins.

    number:   the step's place in the plan, from 0.
    holding:  the name beside the victim's that the file has while it is in hand.
    spare:    a link or copy that is made before it gets its name; None where none is needed.
    place:    where the victim goes.
    marks:    owner, permissions, times and attributes of the victim, for undo.
    root:     the folder that was scanned; beneath it undo follows no symbolic link. None: not known.
    """

    number: int
    step: Step
    holding: Path
    spare: Path | None
    place: Place
    marks: Marks
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one step.

    place:       where the victim is, when DONE.
    refusal:     why not, when REFUSED; in the result of an undo, why it was not restored.
    failure:     the system's error name, when FAILED.
    restored_to: the name the file has now, when RESTORED, or when another file had taken its name.
    intent:      what was written down before, if it came to that.
    missing:     in the result of an undo: the marks that the system did not let the restored file have.
    """

    number: int
    step: Step
    state: State
    place: Place | None = None
    refusal: Refusal | None = None
    failure: str = ""
    restored_to: Path | None = None
    intent: Intent | None = None
    missing: tuple[Mark, ...] = ()

    @property
    def is_quarantined(self) -> bool:
        """Whether the victim was put into a quarantine and is still there as far as the journal knows."""
        return self.state is State.DONE and self.place is not None and self.place.kind is PlaceKind.QUARANTINE


@dataclass(frozen=True, slots=True)
class Batch:
    """One removal, or the undoing of one.

    started: UTC.   total: steps of the plan.   stopped: the person ended it before the last step.
    ended:   False when the program ended before the removal did.
    damaged: lines of the journal that could not be read.
    """

    id: str
    started: datetime
    scan_name: str
    total: int
    outcomes: tuple[Outcome, ...] = field(default=())
    stopped: bool = False
    ended: bool = True
    damaged: int = 0

    def count(self, state: State) -> int:
        """How many steps are in `state`."""
        return sum(outcome.state is state for outcome in self.outcomes)

    @property
    def quarantined(self) -> int:
        """How many of the steps done put their file into a quarantine."""
        return sum(outcome.is_quarantined for outcome in self.outcomes)

    @property
    def bytes_done(self) -> int:
        """Bytes of the victims of all steps done, but for those in a quarantine, which free none."""
        return self._bytes(one for one in self.outcomes if one.state is State.DONE and not one.is_quarantined)

    @property
    def bytes_quarantined(self) -> int:
        """Bytes that lie in a quarantine."""
        return self._bytes(one for one in self.outcomes if one.is_quarantined)

    @staticmethod
    def _bytes(outcomes: Iterable[Outcome]) -> int:
        return sum(outcome.step.victim.stamp.size for outcome in outcomes)

    @property
    def is_unfinished(self) -> bool:
        """Whether a kill left steps between intended and done."""
        return any(outcome.state in OPEN_STATES for outcome in self.outcomes)

    @property
    def is_complete(self) -> bool:
        """Whether every step of the plan was done (or, for an undo, restored)."""
        good = self.count(State.DONE) + self.count(State.RESTORED)
        return good == self.total and not self.stopped
