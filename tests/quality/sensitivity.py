"""`python -m tests.quality.sensitivity SUITE ...`: what each number and each rule of the model earns and costs.

The texts are read once, and the runs of words that two of them share are found once (so the seconds of all rows but the
first are without that). Then every number of the model is made a fifth smaller and a fifth larger, and every rule is
switched off, one at a time; all documents are matched anew, judged and scored. The defaults of what a person demands
(least similarity, least containment, radius) are varied too.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dupfinder.cluster import alignment, candidates, evidence, forms, relation
from dupfinder.cluster.candidates import PassagePairs
from dupfinder.cluster.forms import FieldContents
from dupfinder.cluster.relation import Demand
from dupfinder.cluster.verify import SharedShingles
from dupfinder.diff.matching import WorkBudget, matching_runs
from dupfinder.fingerprint.tokens import Trace
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.library.stored import SketchKind
from dupfinder.scan import matching
from tests.quality.found import Found
from tests.quality.scoring import Score, mean
from tests.quality.trial import Reading, read

MODEL: tuple[ModuleType, ...] = (relation, alignment, forms, evidence, candidates, matching)
STEP = 0.2
# Bounds of time and memory, when it pays to start processes, a revision, and marks in place of a hash.
_NOT_TUNED = {
    "MOST_CELLS", "PAIRS_OVER", "MOST_PARTNERS", "HUBS", "SHARED_FROM", "IN_FILES_FROM", "LEAST_FRESH",
    "FIRST_SECONDS", "MOST_FIRST", "MEASURING", "NO_HASH", "UNKNOWN_HASH",
}  # fmt: skip


def numbers() -> dict[str, float]:
    """Every hand-set number of the model: the public constants of its modules, each where it is defined first."""
    return {
        name: value
        for module in reversed(MODEL)
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and name not in _NOT_TUNED | _imported(module)
        and isinstance(value, (int, float)) and not isinstance(value, bool)
    }  # fmt: skip


def _imported(module: ModuleType) -> set[str]:
    """The names that a module has from modules outside of the model."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    return {
        name for name in vars(module) if name.isupper() and f"\n{name}: " not in source and f"\n{name} =" not in source
    }


@contextmanager
def changed(values: Mapping[str, Any]) -> Iterator[None]:
    """Give names of the model other values in every module that has them from there."""
    usual = {name: next(vars(module)[name] for module in MODEL if name in vars(module)) for name in values}
    held = [
        (module, name, vars(module)[name])
        for key, module in list(sys.modules.items())
        for name in values
        if key.startswith("dupfinder.") and vars(module).get(name) is usual[name]
    ]
    for module, name, _ in held:
        setattr(module, name, values[name])
    try:
        yield
    finally:
        for module, name, value in held:
            setattr(module, name, value)


def moved(value: float, share: float) -> float:
    """The number changed by a share of itself; a whole number by 1 at least."""
    if isinstance(value, int):
        return value + (1 if share > 0 else -1) * max(1, round(abs(share) * value))
    return value * (1 + share)


@contextmanager
def remembered_runs() -> Iterator[None]:
    """Find the runs that two texts share once. They depend on no number of the model, and take most of the time."""
    remembered: dict[bytes, tuple[list[tuple[int, int, int]], bool]] = {}
    find = matching_runs

    def remember(left: Trace, right: Trace, work: WorkBudget) -> list[tuple[int, int, int]]:
        key = hashlib.blake2b(b"%d " % len(left) + left.tobytes() + right.tobytes(), digest_size=16).digest()
        if key not in remembered:
            remembered[key] = find(left, right, work), work.complete
        runs, work.complete = remembered[key]
        return runs

    vars(alignment)["matching_runs"] = remember
    try:
        yield
    finally:
        vars(alignment)["matching_runs"] = find


def _no_forms(pairs: Pairs, *_: object) -> tuple[np.ndarray[Any, np.dtype[np.bool_]], FieldContents]:
    return np.zeros(len(pairs), np.bool_), FieldContents.none()


def _no_passages(shingles: SharedShingles, *_: object, **__: object) -> PassagePairs:
    asked = np.ones(len(shingles.starts.array()) - 1, np.bool_)
    return PassagePairs(np.empty(0, np.uint64), True, asked, np.empty(0, np.uint32), ~asked, ~asked)


def _no_fingerprints(*_: object) -> tuple[Pairs, int]:
    return Pairs(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8)), 0


def _no_exact(_: Pairs, shares: object, *__: object) -> object:
    return shares


RULES: dict[str, Mapping[str, Any]] = {
    "no scattered edits": {"LEAST_SCATTERED": 2.0},
    "no forms": {"same_forms": _no_forms},
    "no shared passages": {"passage_pairs": _no_passages},
    "no fingerprints": {"bounded_join": _no_fingerprints},
    "no exact shares of long texts": {"_exact": _no_exact},
}


def line(name: str, scores: Mapping[str, Score], seconds: float) -> str:
    """A row of the table."""
    every = list(scores.values())
    versions = [score for score in every if score.pairs.right + score.pairs.missed]
    columns = [
        mean(score.pairs.f1 for score in versions),
        min((score.pairs.f1 for score in versions), default=math.nan),
        sum(score.pairs.wrong for score in every),
        sum(score.hard for score in every),
        mean(score.families.recall for score in every),
        mean(score.containment.precision for score in every),
        mean(score.containment.recall for score in every),
        _share((score.forms.called, score.forms.of) for score in every),
        _share((score.misnamed.called, score.misnamed.of) for score in every),
    ]
    cells = [
        "-" if math.isnan(value) else f"{value:.3f}" if isinstance(value, float) else str(value) for value in columns
    ]
    return f"| {name} | {' | '.join(cells)} | {seconds:.1f} |"


def _share(counts: Iterator[tuple[int, int]]) -> float:
    pairs = list(counts)
    whole = sum(of for _, of in pairs)
    return sum(called for called, _ in pairs) / whole if whole else math.nan


HEAD = (
    "| what is changed | mean F1 | least F1 | wrong pairs | hard joined | families R | parts P | parts R "
    "| forms called | versions misnamed | CPU s |"
)


def trials(
    reading: Reading, rules: Mapping[str, Mapping[str, Any]] = RULES, values: Mapping[str, float] | None = None
) -> Iterator[tuple[str, Found, float]]:
    """Judge as it is, without each rule, with each number moved, and under other demands: (name, findings, CPU s)."""
    as_is, seconds = reading.match()
    yield "as it is", reading.judge(as_is.pairs, as_is.evidence), seconds
    for name, replaced in rules.items():
        yield _under(reading, name, replaced)
    for name, usual in (values or {}).items():
        for value in (moved(usual, -STEP), moved(usual, STEP)):
            yield _under(reading, f"{name} {usual:g} -> {value:g}", {name: value})
    for demand in _other_demands(reading.demand):
        name = f"demanded similarity {demand.similarity:g}, containment {demand.containment:g}, radius {demand.radius}"
        yield name, reading.judge(as_is.pairs, as_is.evidence, demand), 0.0


def _other_demands(usual: Demand) -> Iterator[Demand]:
    """Yield demands that differ from the usual one in one number each."""
    for share in (-STEP, STEP):
        yield replace(usual, similarity=min(1.0, moved(usual.similarity, share)))
        yield replace(usual, containment=min(1.0, moved(usual.containment, share)))
        yield replace(usual, radius=round(moved(usual.radius, share)))


def _under(reading: Reading, name: str, values: Mapping[str, Any]) -> tuple[str, Found, float]:
    with changed(values):
        matched, seconds = reading.match()
        return name, reading.judge(matched.pairs, matched.evidence), seconds


def sketch_bytes(reading: Reading) -> dict[str, float]:
    """Bytes of each sketch a document, on average."""
    ids = reading.result.documents.ids
    with LibraryFile(reading.library) as library:
        return {kind.value: library.sketches(ids, kind).values.nbytes / max(1, len(ids)) for kind in SketchKind}


def main() -> int:
    """Print a table for each suite."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.sensitivity", description=__doc__)
    parser.add_argument("suites", nargs="+", type=Path)
    arguments = parser.parse_args()
    for root in arguments.suites:
        with tempfile.TemporaryDirectory() as folder:
            reading = read(root.resolve(), Path(folder) / "library.db")
            sizes = ", ".join(f"{name} {size:,.0f}" for name, size in sketch_bytes(reading).items())
            print(f"\n{root.name}: bytes a document: {sizes}\n\n{HEAD}\n|{'---|' * 11}", flush=True)
            with remembered_runs():
                for name, findings, seconds in trials(reading, RULES, numbers()):
                    print(line(name, reading.scores(findings), seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
