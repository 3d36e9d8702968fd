"""Marks to a plan: each victim with the kept document it gives way to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Step, Verb, Witness
from dupfinder.library.rows import ScanResult
from dupfinder.review.members import Decision
from dupfinder.review.witness import Witnesses


def make_plan(
    result: ScanResult,
    marked: NDArray[np.int64],
    witnesses: Witnesses,
    decisions: NDArray[np.uint8],
    verb: Verb,
    destination: Path | None,
    min_similarity: float,
    min_containment: float,
) -> Plan:
    """A step for each marked row that has a witness; kept documents are preferred as witnesses. Whatever is handed in,
    nothing inside an archive has a step or is one's witness."""
    preferred = decisions == Decision.KEEP
    inside = result.documents.inside
    steps = []
    for row in marked.tolist():
        kept = witnesses.best(row, preferred)
        if kept is not None and not inside[row] and not inside[kept.row]:
            step = Step(verb, _witness(result, row), _witness(result, kept.row), kept.reason, round(kept.similarity, 6))
            steps.append(step)
    roots = result.summary.roots
    return Plan(
        steps=tuple(steps),
        roots=tuple(path for path, role in roots if role == "scan"),
        protected=tuple(path for path, role in roots if role == "protect"),
        destination=destination,
        min_similarity=min_similarity,
        min_containment=min_containment,
        left_out=result.left_out.astype("<u8").tobytes(),
        scan_name=result.summary.name,
    )


def _witness(result: ScanResult, row: int) -> Witness:
    return Witness(result.documents.stamp(row), result.documents.content_hex(row))
