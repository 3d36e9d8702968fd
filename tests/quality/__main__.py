"""`make quality SUITE=DIR`: run the installed program over a labelled suite and print how right its clusters are."""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dupfinder.index.tables import join
from dupfinder.library.library import Library
from dupfinder.review.grouping import Grouping
from tests.quality.candidates import sources
from tests.quality.labels import Pair, SubSuite, load, pair_of
from tests.quality.scoring import Counts, Score, by_band, count_pairs, mean, score

_LENGTHS = ((50, "under 50 words"), (500, "50-499"), (5000, "500-4,999"), (math.inf, "5,000 and more"))


def main() -> int:
    """Scan, score, print."""
    parser = argparse.ArgumentParser(prog="make quality", description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--json", type=Path, help="also write the scores here")
    arguments = parser.parse_args()
    root: Path = arguments.suite.resolve()
    suites = load(root)
    with tempfile.TemporaryDirectory() as folder:
        library, report_path = Path(folder) / "library.db", Path(folder) / "report.json"
        started = time.monotonic()
        program = [sys.executable, "-m", "dupfinder", "scan", str(root), "--library", str(library)]
        subprocess.run([*program, "--report", str(report_path), "--progress", "none"], check=True)
        first = time.monotonic() - started
        started = time.monotonic()
        subprocess.run([*program, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        again = time.monotonic() - started
        report = json.loads(report_path.read_text(encoding="utf-8"))
        clusters = [[_below(member["path"], root) for member in one["members"]] for one in report["clusters"]]
        contains = {(_below(row["container"], root), _below(row["part"], root)) for row in report["contains"]}
        scores = {suite.name: score(suite, clusters, contains) for suite in suites}
        _print_scores(scores)
        print(f"\nread and clustered in {first:.1f} s; clustered anew without reading in {again:.1f} s")
        _print_bands(suites, clusters, report, root)
        _print_sources(suites, library, root)
        _print_curve(suites, library, root)
    if arguments.json:
        arguments.json.write_text(json.dumps({name: _plain(one) for name, one in scores.items()}, indent=1))
    return 0


def _below(path: str, root: Path) -> str:
    return path[len(str(root)) + 1 :]


def _print_scores(scores: Mapping[str, Score]) -> None:
    print(f"{'sub-suite':16} {'precision':>9} {'recall':>7} {'F1':>7} {'ARI':>7} {'hard':>5}   containment P / R")
    for name, one in scores.items():
        numbers = (one.pairs.precision, one.pairs.recall, one.pairs.f1, one.rand)
        inside = f"{_number(one.containment.precision)} {_number(one.containment.recall)}"
        print(f"{name:16} {_number(numbers[0]):>9} " + " ".join(f"{_number(n):>7}" for n in numbers[1:])
              + f" {one.hard:5}   {inside}")  # fmt: skip
    scored = [one for one in scores.values() if one.pairs.right + one.pairs.missed]
    means = [mean(values) for values in zip(
        *((one.pairs.precision, one.pairs.recall, one.pairs.f1, one.rand) for one in scored), strict=True)]  # fmt: skip
    hard = sum(one.hard for one in scores.values())
    print(f"{'mean':16} {_number(means[0]):>9} " + " ".join(f"{_number(n):>7}" for n in means[1:]) + f" {hard:5}")


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _print_bands(
    suites: Collection[SubSuite], clusters: Collection[Collection[str]], report: dict[str, Any], root: Path
) -> None:
    files = {_below(file["path"], root): file for file in report["files"]}
    bands = {
        "language": {name: file["language"] or "?" for name, file in files.items()},
        "format pair": {name: Path(name).suffix.lower().lstrip(".") or "none" for name in files},
        "length": {name: _length(file["words"]) for name, file in files.items()},
    }
    for title, band in bands.items():
        print(f"\nby {title:28} {'precision':>9} {'recall':>7} {'F1':>7} {'pairs':>7}")
        for name, counts in by_band(suites, clusters, band).items():
            wanted = counts.right + counts.missed
            if wanted:
                numbers = " ".join(f"{_number(n):>7}" for n in (counts.recall, counts.f1))
                print(f"   {name:28} {_number(counts.precision):>9} {numbers} {wanted:7}")


def _length(words: int | None) -> str:
    return next(name for limit, name in _LENGTHS if (words or 0) < limit)


def _print_sources(suites: Collection[SubSuite], library: Path, root: Path) -> None:
    """What each source of candidates finds, before verification."""
    print(f"\n{'candidates from':36} {'pairs':>10} {'of the labelled':>16} {'of the contained':>17}")
    with Library.open(library) as opened:
        result = opened.result()
        names = [_below(path, root) for path in result.documents.paths]
        for one in sources(suites, opened, result, names):
            print(f"   {one.name:33} {one.pairs:10,} {_number(one.recall):>16} {_number(one.containment):>17}")


def _print_curve(suites: Collection[SubSuite], library: Path, root: Path) -> None:
    """For every radius: fingerprints alone, and verified."""
    with Library.open(library) as opened:
        result = opened.result()
    summary = result.summary
    grouping = Grouping(result, summary.min_similarity, summary.min_containment)
    names = [_below(path, root) for path in result.documents.paths]
    rows = np.flatnonzero(result.documents.comparable)
    every = join(result.documents.fingerprint[rows], 16)
    near = [
        (pair_of(names[rows[one]], names[rows[other]]), int(distance))
        for one, other, distance in zip(every.left, every.right, every.distance, strict=True)
    ]
    print("\nmean over sub-suites by radius      fingerprints alone              verified, with sketches")
    print(f"{'k':>3} {'precision':>12} {'recall':>9} {'F1':>9} {'precision':>14} {'recall':>9} {'F1':>9}")
    for radius in range(summary.widest_radius + 1):
        alone = {pair for pair, distance in near if distance <= radius}
        found = grouping.clusters(radius)
        places = [place for place in range(len(found)) if found.ids[place] >= 0]
        clusters = [[names[row] for row in found.rows(place)] for place in places]
        plain = [count_pairs(_within(alone, suite), suite) for suite in suites if suite.positives]
        verified = [score(suite, clusters, ()).pairs for suite in suites if suite.positives]
        print(f"{radius:3} " + _means(plain, 12) + _means(verified, 14))


def _within(pairs: set[Pair], suite: SubSuite) -> set[Pair]:
    return {pair for pair in pairs if pair[0] in suite.files and pair[1] in suite.files}


def _means(counts: Collection[Counts], width: int) -> str:
    precision, recall = mean(one.precision for one in counts), mean(one.recall for one in counts)
    f1 = mean(one.f1 for one in counts)
    return f"{_number(precision):>{width}} {_number(recall):>9} {_number(f1):>9} "


def _plain(one: Score) -> dict[str, float | int]:
    return {
        "precision": one.pairs.precision,
        "recall": one.pairs.recall,
        "f1": one.pairs.f1,
        "ari": one.rand,
        "hard_negatives_joined": one.hard,
        "containment_precision": one.containment.precision,
        "containment_recall": one.containment.recall,
    }


if __name__ == "__main__":
    sys.exit(main())
