"""Floors of quality: a share of 0 to 1 for each kind and measure, below which a change must not bring it unnoticed.

They are in floors.json. What scores better raises its floor in that file, which is committed with the change that
earned it; a floor sinks only where a person edits the file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from tests.quality.labels import SubSuite
from tests.quality.scoring import Score

FILE = Path(__file__).with_name("floors.json")
_STEPS = 1000  # floors are whole thousandths, rounded down

Floors = dict[str, dict[str, float]]


def measures(suite: SubSuite, usual: Score, widest: Score) -> dict[str, float]:
    """Return the measures of a sub-suite that have floors, each better when higher; none without labels for it.

    usual: at the recommended radius. widest: at the widest, at which hard negatives are most likely joined.
    """
    shares = {
        "versions": usual.pairs.f1,
        "families": usual.families.f1,
        "parts": usual.containment.f1,
        "forms": usual.forms.value,
        "versions not called forms": 1 - usual.misnamed.value,
        "kept apart": 1 - widest.hard / len(suite.hard_negatives) if suite.hard_negatives else math.nan,
    }
    return {name: math.floor(share * _STEPS + 1e-6) / _STEPS for name, share in shares.items() if not math.isnan(share)}


def sunk(floors: Mapping[str, Mapping[str, float]], now: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A sentence for each measure that is below its floor or is no longer made."""
    return [
        f"{kind}: {measure} is {now.get(kind, {}).get(measure, math.nan):.3f}, its floor is {floor:.3f}"
        for kind, held in floors.items()
        for measure, floor in held.items()
        if not now.get(kind, {}).get(measure, math.nan) >= floor
    ]


def raised(floors: Mapping[str, Mapping[str, float]], now: Mapping[str, Mapping[str, float]]) -> Floors:
    """The floors with everything that scores higher, or is new, at its height of now."""
    kinds = sorted({*floors, *now})
    return {
        kind: {
            measure: max(floors.get(kind, {}).get(measure, 0.0), now.get(kind, {}).get(measure, 0.0))
            for measure in sorted({*floors.get(kind, {}), *now.get(kind, {})})
        }
        for kind in kinds
    }


def load(path: Path = FILE) -> Floors:
    """Return the floors in a file, none without the file."""
    floors: Floors = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return floors


def store(floors: Floors, path: Path = FILE) -> None:
    """Write floors where they differ from what the file holds."""
    if floors != load(path):
        path.write_text(json.dumps(floors, indent=1, sort_keys=True) + "\n", encoding="utf-8")
