"""Refusal, Outcome and Batch: the results of the steps of a plan, as facts without sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from dupfinder.actions.metadata import Metadata, MetadataKind
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
    WHOLE_ARCHIVE = "whole_archive"  # only a file with equal bytes can replace an archive
    OUTSIDE = "outside"  # of the folders that were scanned, or a file of dupfinder itself
    KEPT = "kept"  # the person decided to keep it
    APART = "apart"  # the person decided that the two are not duplicates
    NO_PLACE = "no_place"  # the destination may not receive documents
    SYMLINK = "symlink"
    NOT_A_FILE = "not_a_file"
    LAST_COPY = "last_copy"
    NO_LONGER_SIMILAR = "no_longer_similar"
    UNREADABLE = "unreadable"  # one of the two texts cannot be read
    READ_IN_PART = "read_in_part"  # the rest of the victim may be in no file that stays
    NOT_EXACT = "not_exact"  # only equal bytes can share one file
    IN_USE = "in_use"  # by another program
    FORBIDDEN = "forbidden"  # the system does not allow it
    OTHER_VOLUME = "other_volume"  # a hard link cannot reach across volumes
    KEEPER_PROTECTED = "keeper_protected"  # a hard link would change with it
    EXISTS = "exists"  # another file has the name that the file should get
    NO_TRASH = "no_trash"
    NO_SAFE_NAME = "no_safe_name"  # the file system can only rename by replacing an existing file
    WHERE_UNKNOWN = "where_unknown"  # undo: the system's trash does not tell where the file is
    NOT_THERE = "not_there"  # undo: the removed file is no longer there


class Aspect(StrEnum):
    """What differs between the expected and the present file."""

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
    """Why a step was not done. expected, found: the values of `aspect`; without one, a path and a system error."""

    step: Step
    kind: RefusalKind
    expected: Fact = None
    found: Fact = None
    aspect: Aspect = Aspect.NONE


class Refused(Exception):
    """Raised with a refusal by nested checks, and caught in this package."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


class OutcomeState(StrEnum):
    """What became of a step, or is becoming of it."""

    INTENDED = "intended"  # begun, but interrupted before its end was written to the journal
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"  # interrupted; the file has its name again
    RESTORING = "restoring"  # an undo was begun but not completed
    RESTORED = "restored"
    EMPTYING = "emptying"  # removing it from the quarantine was begun but not completed
    EMPTIED = "emptied"  # removed from the quarantine for good


OPEN_STATES = frozenset({OutcomeState.INTENDED, OutcomeState.RESTORING, OutcomeState.EMPTYING})


@dataclass(frozen=True, slots=True)
class Intent:
    """All that is needed to complete a step or take it back, written to the journal before the step begins.

    number:   index of the step in the plan, from 0.
    holding:  the name, in the victim's folder, that the file has while it is moved.
    spare:    the name of a link or copy before it gets its final name; None if none is needed.
    place:    where the victim will be.
    metadata: owner, permissions, times and attributes of the victim, for undo.
    root:     the folder that was scanned; undo follows no symbolic link beneath it. None: unknown.
    """

    number: int
    step: Step
    holding: Path
    spare: Path | None
    place: Place
    metadata: Metadata
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one step.

    place:       where the victim is, if DONE.
    refusal:     why it was not done, if REFUSED; in the result of an undo, why it was not restored.
    failure:     the system's error name, if FAILED.
    restored_to: the name that the file got after it was held or moved; if RESTORING, the name that it is to get.
    intent:      the step's intent, if it was begun.
    missing:     in the result of an undo: the metadata that the system did not allow to restore.
    """

    number: int
    step: Step
    state: OutcomeState
    place: Place | None = None
    refusal: Refusal | None = None
    failure: str = ""
    restored_to: Path | None = None
    intent: Intent | None = None
    missing: tuple[MetadataKind, ...] = ()

    @property
    def is_quarantined(self) -> bool:
        """Whether the victim is in a quarantine, as far as the journal knows."""
        return self.state is OutcomeState.DONE and self.place is not None and self.place.kind is PlaceKind.QUARANTINE


@dataclass(frozen=True, slots=True)
class Batch:
    """One removal, or the undoing of one.

    started: UTC. total: steps of the plan, or to be undone. stopped: the person stopped it before the last step.
    ended:   False if the program ended before the removal did.
    damaged: lines of the journal that could not be read.
    running: a process is at work on it now; only `Journal.current` tells.
    """

    id: str
    started: datetime
    scan_name: str
    total: int
    outcomes: tuple[Outcome, ...] = field(default=())
    stopped: bool = False
    ended: bool = True
    damaged: int = 0
    running: bool = False

    def count(self, state: OutcomeState) -> int:
        return sum(outcome.state is state for outcome in self.outcomes)

    @property
    def skipped(self) -> list[Outcome]:
        """The steps that were not done."""
        return [outcome for outcome in self.outcomes if outcome.state in (OutcomeState.REFUSED, OutcomeState.FAILED)]

    @property
    def quarantined(self) -> int:
        """The number of done steps that put their file into a quarantine."""
        return sum(outcome.is_quarantined for outcome in self.outcomes)

    @property
    def bytes_done(self) -> int:
        """Bytes of the victims of all done steps, except those in a quarantine, which free no space."""
        done = sum(outcome.step.victim.stamp.size for outcome in self.outcomes if outcome.state is OutcomeState.DONE)
        return done - self.bytes_quarantined

    @property
    def bytes_quarantined(self) -> int:
        return sum(outcome.step.victim.stamp.size for outcome in self.outcomes if outcome.is_quarantined)

    @property
    def is_unfinished(self) -> bool:
        """Whether it was interrupted, between two steps or in one that is not settled yet; or it is running."""
        is_open = not self.ended and self.total > 0  # a foreign file among the journals has no steps
        return is_open or any(outcome.state in OPEN_STATES for outcome in self.outcomes)

    @property
    def is_cut_off(self) -> bool:
        """Whether the person or the end of the program stopped it before the last step."""
        return not self.running and (self.stopped or not self.ended) and len(self.outcomes) < self.total

    @property
    def is_complete(self) -> bool:
        """Whether every step of the plan was done (or, for an undo, restored)."""
        completed = self.count(OutcomeState.DONE) + self.count(OutcomeState.RESTORED)
        return completed == self.total and not self.stopped
