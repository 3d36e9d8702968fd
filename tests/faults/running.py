"""Cases: one scene in a child with the shim in it, something happens at a moment, and the scene is checked."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from dupfinder.base.errors import DupfinderError
from tests.faults import shim
from tests.faults.meddling import Act, Event, Meddler, Said, heard

FAULTY = 70  # the exit code of a child whose work ended in an error that no front end expects


class Scene(Protocol):
    """What a case needs."""

    victim: Path
    keeper: Path

    @property
    def folders(self) -> tuple[Path, Path]: ...

    def work(self) -> object: ...

    def check(self, said: Said) -> None: ...


@dataclass(slots=True)
class Figures:
    """How many cases there were, in how many of them something happened, and those in which a promise broke."""

    cases: int = 0
    happened: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.cases += other.cases
        self.happened += other.happened
        self.broken += other.broken


NOTHING: Final[Mapping[str, int]] = {}


def run(
    scene: Scene,
    events: tuple[Event, ...] = (),
    *,
    changes_only: bool = False,
    lacking: Mapping[str, int] = NOTHING,
) -> tuple[Said, str]:
    """Do the scene's work in a child in which `events` happen; what was done, and what went wrong ("": nothing).

    lacking: see Meddler.
    """
    said = os.memfd_create("said")
    child = os.fork()
    if child == 0:
        status = FAULTY
        try:
            shim.arm(scene.folders, Meddler(events, scene.victim, scene.keeper, said, changes_only, lacking))
            scene.work()
            status = 0
        except (OSError, DupfinderError):
            status = 0
        except Exception:  # noqa: BLE001  a child of a fork must end here, whatever went wrong in it
            traceback.print_exc()
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    with open(said, "rb") as stream:
        stream.seek(0)
        result = stream.read()
    killed = os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL
    fault = "" if killed or ended == 0 else f"the work ended with {ended}"
    return heard(result), fault


def case(
    scene: Scene,
    events: tuple[Event, ...],
    label: str,
    figures: Figures,
    *,
    changes_only: bool = False,
    lacking: Mapping[str, int] = NOTHING,
) -> Said:
    """Run and check one case, and count it."""
    said, fault = run(scene, events, changes_only=changes_only, lacking=lacking)
    figures.cases += 1
    figures.happened += len(said.happened) == len(events)
    try:
        if fault:
            raise AssertionError(fault)
        scene.check(said)
    except Exception as broken:  # noqa: BLE001  every broken promise is counted, and the run goes on
        last = said.calls[events[-1][0] - 1][:2] if events and len(said.calls) >= events[-1][0] else ""
        where = traceback.extract_tb(broken.__traceback__)[-1]
        figures.broken.append(f"{label}: {events} at {last}: {broken!r} ({where.name}:{where.lineno})")
    return said


def moments(count: int, step: int, offset: int = 0) -> Iterator[int]:
    """Every `step`-th of the moments from 1 to `count`."""
    return iter(range(1 + offset % step, count + 1, step))


def kinds(said: Said, changes_only: bool) -> list[str]:
    """The calls of a run in order, as they are counted."""
    return [call for call, _, changes in said.calls if changes or not changes_only]


def is_possible(act: Act, call: str) -> bool:
    """Whether an act makes sense at a call: half a write is of a write."""
    return act is not Act.HALF or call == "copy"
