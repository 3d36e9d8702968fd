"""`python -m tests.speed.bench_matching [DOCUMENTS]`: what matching and grouping of many documents cost.

Documents of 2 KB (350 shingles) are made up and stored: strangers of a few topics, versions of one another, fillings
of forms, and passages that stand in many files. A child process then matches them as a scan does.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Silent
from dupfinder.base.settings import MATCH_PAIRS, MATCH_SECONDS
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.sketch import divisible
from dupfinder.library.library import Library
from dupfinder.library.rows import READ, DocumentRow, ScanSummary
from dupfinder.review.grouping import Grouping
from dupfinder.scan.matching import Budget, match

DOCUMENTS = 100_000
SHINGLES = 350
SECONDS, MEMORY = 60, 2000  # MB: what matching may cost
SLIDER_MS = 100  # a step of the slider
_TOPICS = 200
_SPREAD = 12  # bits by which a document differs from the middle of its topic
_BOILERPLATE = 30  # shingles of a passage that stands in many files
_ROWS = 2000  # stored in one transaction


def prints(count: int) -> Iterator[TextPrint]:
    """One document in five a version of the one before, one in fifty a filling of a form, the others strangers."""
    chance = np.random.default_rng(25)
    topics = chance.integers(0, 2**64, _TOPICS, np.uint64)
    passages = chance.integers(0, 2**64, (_TOPICS, _BOILERPLATE), np.uint64)
    forms = chance.integers(0, 2**64, (50, SHINGLES * 8 // 10), np.uint64)
    mother, base = _fresh(chance), _flipped(chance, topics[0], _SPREAD)
    for number in range(count):
        kind = number % 50
        if kind == 49:
            form = forms[number // 50 % len(forms)]
            values = np.concatenate((form, _fresh(chance, SHINGLES - len(form))))
            bits = _flipped(chance, topics[number // 50 % len(forms)], 3)
        elif kind % 5 == 4:
            values, bits = _fresh(chance), _flipped(chance, base, int(chance.integers(0, 6)))
            kept = int(chance.integers(int(0.6 * SHINGLES), SHINGLES))
            values[:kept] = mother[:kept]
        else:
            topic = int(chance.integers(_TOPICS))
            values, bits = _fresh(chance), _flipped(chance, topics[topic], _SPREAD)
            if kind % 5 == 0:
                values[:_BOILERPLATE] = passages[topic]
            mother, base = values, bits
        yield _print_of(values, bits, number)


def _fresh(chance: np.random.Generator, size: int = SHINGLES) -> NDArray[np.uint64]:
    return chance.integers(0, 2**64, size, np.uint64)


def _flipped(chance: np.random.Generator, bits: np.uint64, count: int) -> np.uint64:
    for place in chance.choice(64, count, replace=False):
        bits = bits ^ np.uint64(1 << int(place))
    return np.uint64(bits)


def _print_of(values: NDArray[np.uint64], bits: np.uint64, number: int) -> TextPrint:
    values = np.sort(values)
    others = np.sort(values * np.uint64(0x9E3779B97F4A7C15))
    return TextPrint(
        fingerprint=int(bits), has_features=True, words=SHINGLES + 4, language="en",
        text_hash=number.to_bytes(16, "big"), shingles=len(values), sketch=values,
        part_sketch=divisible(values, 25), trace=(others >> np.uint64(48)).astype(np.uint16),
    )  # fmt: skip


def store(path: Path, count: int) -> None:
    """A library with an unfinished scan of `count` documents."""
    summary = ScanSummary(
        0, "bench", ((Path("/docs"), "scan"),), datetime.now(UTC), 0.0, "unfinished", count, count, 0, 8, 0.7, 0.85, 16,
        "", 0,
    )  # fmt: skip
    with Library.open(path, write=True) as library:
        scan = library.begin_scan(summary, "bench")
        waiting: list[tuple[DocumentRow, bool]] = []
        for number, found in enumerate(prints(count), 1):
            stamp = FileStamp(Path(f"/docs/{number:07}.txt"), 2000, number, number, 1, number)
            digest = (number + count).to_bytes(16, "big")
            waiting.append((DocumentRow(stamp, READ, media="txt", content_hash=digest, text_print=found), False))
            if len(waiting) == _ROWS or number == count:
                library.add(scan, "bench", waiting)
                waiting = []


def measure(path: Path) -> dict[str, float]:
    """Match and group what is stored; seconds, milliseconds and megabytes of this process."""
    started = time.monotonic()
    with Library.open(path, write=True) as library:
        [summary] = library.scans()
        documents = library.documents(summary.id)
        opened = time.monotonic()
        budget = Budget(float(MATCH_SECONDS.default), int(MATCH_PAIRS.default))
        matched = match(library, documents, budget, Silent())
        done = time.monotonic()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        summary = replace(summary, widest_radius=matched.widest)
        library.finish_scan(summary, matched.pairs, matched.evidence, matched.rejected)
        result = library.result(summary.id)
    found = {
        "opened [s]": opened - started, "matched [s]": done - opened,
        "peak [MB]": peak / 1024,
        "pairs kept": len(matched.pairs), "pairs not kept": int(matched.rejected.sum()), "widest": matched.widest,
        "forms": int(matched.evidence.form.sum()),
    }  # fmt: skip
    grouping = Grouping(result)
    steps = []
    for radius in (8, *range(matched.widest, -1, -1)):
        started = time.monotonic()
        grouping.clusters(Demand(0.7, 0.85, radius)).counts()
        steps.append(1000 * (time.monotonic() - started))
    return found | {"first step [ms]": steps[0], "slowest step after [ms]": max(steps[1:])}


def main() -> int:
    """Make, match in a child, print; 1 when a limit was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=int, nargs="?", default=DOCUMENTS)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--library", type=Path, help="make it here, or use it if it is there, and keep it")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path: Path = arguments.library or Path(folder) / "library.db"
        if not path.exists():
            store(path, arguments.documents)
        command = [sys.executable, "-m", "tests.speed.bench_matching", "--measure", str(path)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for name, value in found.items():
        print(f"{name:26} {value:12,.1f}")
    kept = found["matched [s]"] <= SECONDS and found["peak [MB]"] <= MEMORY
    return 0 if kept and found["slowest step after [ms]"] <= SLIDER_MS else 1


if __name__ == "__main__":
    sys.exit(main())
