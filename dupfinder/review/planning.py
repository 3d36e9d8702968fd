"""Marks to a plan: each victim with the survivor it gives way to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Step, Verb, Witness
from dupfinder.cluster.relation import Demand
from dupfinder.library.rows import ScanResult
from dupfinder.review.members import Decision
from dupfinder.review.survivors import Survivors


def make_plan(
    result: ScanResult,
    marked: NDArray[np.int64],
    survivors: Survivors,
    decisions: NDArray[np.uint8],
    verb: Verb,
    destination: Path | None,
    demand: Demand,
) -> Plan:
    """A step for each marked row that has a survivor; what the reviewer keeps is preferred as one. Nothing inside an
    archive has a step or is a survivor."""
    preferred = decisions == Decision.KEEP
    inside = result.documents.inside
    steps = []
    for row in marked.tolist():
        kept = survivors.best(row, preferred)
        if kept is not None and not inside[row] and not inside[kept.row]:
            alike = round(float(kept.similarity), 6)
            steps.append(Step(verb, _witness(result, row), _witness(result, kept.row), kept.relation, alike))
    roots = result.summary.roots
    return Plan(
        steps=tuple(steps),
        roots=tuple(path for path, role in roots if role == "scan"),
        protected=tuple(path for path, role in roots if role == "protect"),
        destination=destination,
        min_similarity=demand.similarity,
        min_containment=demand.containment,
        radius=demand.radius,
        scan_name=result.summary.name,
    )


def _witness(result: ScanResult, row: int) -> Witness:
    return Witness(result.documents.stamp(row), result.documents.content_hex(row))
