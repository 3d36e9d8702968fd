"""Marks to a plan: each victim with the survivor it gives way to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Step, Verb, Witness
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.library.rows import ScanResult
from dupfinder.review.survivors import Choices


def make_plan(
    result: ScanResult,
    marked: NDArray[np.int64],
    survivors: Choices,
    verb: Verb,
    destination: Path | None,
    demand: Demand,
) -> Plan:
    """Make a step for each marked row, int64 (m,), that has a survivor. Nothing inside an archive has a step or is a
    survivor."""
    inside = result.documents.inside
    chosen = np.flatnonzero((survivors.rows >= 0) & ~inside[marked] & ~inside[survivors.rows])
    steps = [
        Step(
            verb,
            _witness(result, int(marked[at])),
            _witness(result, int(survivors.rows[at])),
            Relation(int(survivors.relation[at])),
            round(float(survivors.similarity[at]), 6),
            round(float(survivors.share[at]), 6) if survivors.relation[at] == Relation.PART else None,
        )
        for at in chosen.tolist()
    ]
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
