"""Outcome and Batch: what became of the steps of one plan, as the journal knows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from dupfinder.actions.check import Refusal
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Step


class State(StrEnum):
    """Where a step stands."""

    INTENDED = "intended"  # written down; a kill left it between here and done
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"  # was interrupted; the file has its own name again
    RESTORING = "restoring"  # an undo was written down and not yet ended
    RESTORED = "restored"


OPEN_STATES = frozenset({State.INTENDED, State.RESTORING})


@dataclass(frozen=True, slots=True)
class Intent:
    """All that is needed to finish a step or take it back, written down before the step begins.

    number:   the step's place in the plan, from 0.
    holding:  the name beside the victim's that the file has while it is in hand.
    spare:    a link or copy that is made before it gets its name; None where none is needed.
    place:    where the victim goes.
    mode, mtime_ns, atime_ns: permission bits and times of the victim, for undo.
    """

    number: int
    step: Step
    holding: Path
    spare: Path | None
    place: Place
    mode: int
    mtime_ns: int
    atime_ns: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one step.

    place:       where the victim is, when DONE.
    refusal:     why not, when REFUSED; in the result of an undo, why it was not restored.
    failure:     the system's error name, when FAILED.
    restored_to: the name the file has now, when RESTORED, or when another file had taken its name.
    intent:      what was written down before, if it came to that.
    """

    number: int
    step: Step
    state: State
    place: Place | None = None
    refusal: Refusal | None = None
    failure: str = ""
    restored_to: Path | None = None
    intent: Intent | None = None


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
    def bytes_done(self) -> int:
        """Bytes of the victims of all steps done."""
        return sum(one.step.victim.stamp.size for one in self.outcomes if one.state is State.DONE)

    @property
    def is_unfinished(self) -> bool:
        """Whether a kill left steps between intended and done."""
        return any(outcome.state in OPEN_STATES for outcome in self.outcomes)

    @property
    def is_complete(self) -> bool:
        """Whether every step of the plan was done (or, for an undo, restored)."""
        good = self.count(State.DONE) + self.count(State.RESTORED)
        return good == self.total and not self.stopped
