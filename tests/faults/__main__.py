"""Run with the shim preloaded: `python -m tests.faults SCRATCH OTHER WAY ... [--acts ...] [--pairs] [--step N]`.

Prints one JSON object: how many cases there were, in how many of them all happened, and which promises broke.
"""

from __future__ import annotations

import argparse
import errno
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.faults import running
from tests.faults.meddling import ERRORS, KILLS, MEDDLING, OF_KEEPER, Act
from tests.faults.running import Figures, Scene
from tests.faults.scenes import Removal, Way
from tests.faults.storing import Clearing, Deciding, Scanning

SETS = {"kills": KILLS, "errors": ERRORS, "meddling": MEDDLING, "keeper": OF_KEEPER}
STORING = {"scan": Scanning, "clear": Clearing, "decisions": Deciding}


LACKING = {"links": {"link": errno.EPERM}, "exclusive": {"rename exclusively": errno.EINVAL}}


@dataclass(frozen=True, slots=True)
class Run:
    """What is asked of each way.   lacking: see Meddler.   until: on the monotonic clock."""

    acts: tuple[Act, ...]
    step: int
    lacking: Mapping[str, int]
    until: float


def one_at_a_time(make: Callable[[], Scene], label: str, run: Run) -> Figures:
    """Each act at every `step`-th moment."""
    figures = Figures()
    plain = running.case(make(), (), label, figures, lacking=run.lacking)
    calls = running.kinds(plain, changes_only=False)
    for turn, act in enumerate(run.acts):
        for moment in running.moments(len(calls), run.step, turn):
            if running.is_possible(act, calls[moment - 1]) and time.monotonic() < run.until:
                running.case(make(), ((moment, act),), label, figures, lacking=run.lacking)
    return figures


def then_killed(make: Callable[[], Scene], label: str, run: Run) -> Figures:
    """Each act at every moment at which something changes, and a kill at every such moment from then on."""
    figures = Figures()
    plain = running.case(make(), (), label, figures, changes_only=True, lacking=run.lacking)
    count, turn = len(plain.calls), 0
    for act in run.acts:
        for first in running.moments(count, 1):
            second, killed = first, True
            while killed and time.monotonic() < run.until:
                turn += 1
                killed = second < count
                if turn % run.step == 0:
                    events = ((first, act), (second, Act.KILL))
                    said = running.case(make(), events, label, figures, changes_only=True, lacking=run.lacking)
                    killed = Act.KILL in said.happened
                second += 1
    return figures


def maker(way: str, scratch: Path, other: Path) -> Callable[[], Scene]:
    """Makes the scene of a way anew."""
    if way in STORING:
        kind = STORING[way]
        return lambda: kind(scratch / "scene")
    phase, verb, *across = way.split("-")
    return lambda: Removal(scratch / "scene", other / "faults", Way(verb, phase, bool(across)))


def main() -> int:
    """Run the cases that were asked for; 1 when a promise broke."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scratch", type=Path)
    parser.add_argument("other", type=Path, help="a folder on another volume")
    parser.add_argument("ways", nargs="+", metavar="WAY", help="PHASE-VERB[-across], or scan, clear, decisions")
    parser.add_argument("--acts", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--pairs", action="store_true", help="another program, and then a kill")
    parser.add_argument("--without", nargs="+", choices=LACKING, default=[], help="what the file system does not have")
    parser.add_argument("--step", type=int, default=1, help="every n-th moment only")
    parser.add_argument("--seconds", type=float, default=1e9, help="for each way; end then, whatever is left")
    arguments = parser.parse_args()
    acts = tuple(act for name in arguments.acts for act in SETS[name])
    lacking = {call: number for name in arguments.without for call, number in LACKING[name].items()}
    each = then_killed if arguments.pairs else one_at_a_time
    figures = Figures()
    for way in arguments.ways:
        make = maker(way, arguments.scratch, arguments.other)
        figures.add(each(make, way, Run(acts, arguments.step, lacking, time.monotonic() + arguments.seconds)))
    json.dump({"cases": figures.cases, "happened": figures.happened, "broken": figures.broken}, sys.stdout)
    return int(bool(figures.broken))


if __name__ == "__main__":
    sys.exit(main())
