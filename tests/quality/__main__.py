"""`make quality SUITE=DIR`: run the installed program over a labelled suite and print how right its report is."""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.quality.candidates import sources
from tests.quality.found import Found, in_report
from tests.quality.labels import Pair, SubSuite, load, pair_of
from tests.quality.scoring import FORM_FROM, Counts, Score, by_band, mean, score
from tests.quality.trial import Reading, opened

_LENGTHS = ((50, "under 50 words"), (500, "50-499"), (5000, "500-4,999"), (math.inf, "5,000 and more"))
_SHOWN = 3  # pairs of each kind of mistake in a sub-suite that `--mistakes` prints


def main() -> int:
    """Scan, score, print."""
    parser = argparse.ArgumentParser(prog="make quality", description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--json", type=Path, help="also write the scores here")
    parser.add_argument(
        "--mistakes", action="store_true", help="also print some wrong and some missed pairs of each kind"
    )
    arguments = parser.parse_args()
    root: Path = arguments.suite.resolve()
    suites = load(root)
    with tempfile.TemporaryDirectory() as folder:
        library, report_path = Path(folder) / "library.db", Path(folder) / "report.json"
        started = time.monotonic()
        program = [sys.executable, "-m", "dupfinder", "scan", str(root), "--library", str(library)]
        subprocess.run([*program, "--report", str(report_path), "--progress", "none"], check=True)
        print(f"read and matched in {time.monotonic() - started:.1f} s\n")
        report = json.loads(report_path.read_text(encoding="utf-8"))
        reading = opened(root, library)
        judged = reading.judge(reading.result.pairs, reading.result.evidence)
        findings = replace(in_report(report, root), alike=judged.alike)  # also of pairs too unlike for the report
        print(f"pairs on which the report and the library's verdict differ: {len(disagreement(findings, judged))}\n")
        scores = {suite.name: score(suite, findings) for suite in suites}
        for line in table(scores):
            print(line)
        if arguments.mistakes:
            _print_mistakes(suites, findings)
        _print_bands(suites, findings, report, root)
        _print_sources(reading)
        _print_curve(reading)
    if arguments.json:
        plain = {name: asdict(each) for name, each in scores.items()}
        arguments.json.write_text(json.dumps(plain, indent=1), encoding="utf-8")
    return 0


def table(scores: Mapping[str, Score]) -> list[str]:
    """The lines of the table of kinds, with the means of what is a number."""
    lines = [f"{'kind':26} {'pairs: P':>9} {'R':>6} {'F1':>6} {'hard':>5}   {'families: P':>11} {'R':>6}   "
             f"{'parts: P':>8} {'R':>6}   {'forms':>6} {'misnamed':>9}"]  # fmt: skip
    for name, each in scores.items():
        lines.append(_line(name, _numbers(each), each.hard))
    columns = zip(*(_numbers(each) for each in scores.values()), strict=True)
    lines.append(_line("mean", [mean(column) for column in columns], sum(each.hard for each in scores.values())))
    return lines


def _numbers(score: Score) -> list[float]:
    wanted = score.pairs.right + score.pairs.missed  # a kind without versions has no F1 to enter the mean
    return [
        score.pairs.precision, score.pairs.recall, score.pairs.f1 if wanted else math.nan,
        score.families.precision, score.families.recall, score.containment.precision, score.containment.recall,
        score.forms.value, score.misnamed.value,
    ]  # fmt: skip


def _line(name: str, numbers: Collection[float], hard: int) -> str:
    cells = [_number(number) for number in numbers]
    return (f"{name:26} {cells[0]:>9} {cells[1]:>6} {cells[2]:>6} {hard:5}   {cells[3]:>11} {cells[4]:>6}   "
            f"{cells[5]:>8} {cells[6]:>6}   {cells[7]:>6} {cells[8]:>9}")  # fmt: skip


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def mistakes(suite: SubSuite, findings: Found) -> dict[str, list[Pair]]:
    """What is wrong in a sub-suite, by the kind of mistake, in order."""
    versions, forms = findings.versions, findings.forms
    joined = {pair for pair in versions if set(pair) <= suite.files}
    contained = {pair for pair in findings.contains if set(pair) <= suite.files}
    return {
        "joined wrongly": sorted(joined - suite.positives - suite.ignored),
        "missed": sorted(suite.positives - versions - forms),
        "a version called a form": sorted(suite.positives & forms),
        "a form not called one": sorted(
            suite.forms & {p for p, share in findings.alike.items() if share >= FORM_FROM} - forms
        ),
        "a part missed": sorted(suite.contains - contained),
    }


def disagreement(findings: Found, judged: Found) -> set[Pair]:
    """The pairs that one calls near-duplicates, parts or fillings of a form and the other does not."""
    parts = {pair_of(*pair) for pair in findings.contains ^ judged.contains}
    return (findings.versions ^ judged.versions) | (findings.forms ^ judged.forms) | parts


def _print_mistakes(suites: Collection[SubSuite], findings: Found) -> None:
    for suite in suites:
        for kind, pairs in mistakes(suite, findings).items():
            for pair in pairs[:: max(1, len(pairs) // _SHOWN)][:_SHOWN]:
                alike = findings.alike.get((min(pair), max(pair)), math.nan)
                print(f"   {kind} ({len(pairs)}): {' | '.join(pair)} {_number(alike)}")


def _print_bands(suites: Collection[SubSuite], findings: Found, report: dict[str, Any], root: Path) -> None:
    files = {file["path"][len(str(root)) + 1 :]: file for file in report["files"]}
    bands = {
        "language": {name: file["language"] or "?" for name, file in files.items()},
        "format pair": {name: Path(name).suffix.lower().lstrip(".") or "none" for name in files},
        "length": {name: _length(file["words"]) for name, file in files.items()},
    }
    for title, band in bands.items():
        print(f"\nby {title:28} {'precision':>9} {'recall':>7} {'F1':>7} {'pairs':>7}")
        for name, counts in by_band(suites, findings.versions, band).items():
            wanted = counts.right + counts.missed
            if wanted:
                numbers = " ".join(f"{_number(n):>7}" for n in (counts.recall, counts.f1))
                print(f"   {name:28} {_number(counts.precision):>9} {numbers} {wanted:7}")


def _length(words: int | None) -> str:
    return next(name for limit, name in _LENGTHS if (words or 0) < limit)


def _print_sources(reading: Reading) -> None:
    """Print what each source of candidates finds, before anything is measured."""
    print(f"\n{'candidates from':36} {'pairs':>10} {'of the labelled':>16} {'of the contained':>17}")
    for source in sources(reading):
        print(f"   {source.name:33} {source.pairs:10,} {_number(source.recall):>16} {_number(source.containment):>17}")


def _print_curve(reading: Reading) -> None:
    """Print the mean over sub-suites for every radius, with shared passages and without."""
    print("\nmean over sub-suites by radius    fingerprints alone, measured       with shared passages")
    print(f"{'k':>3} {'precision':>12} {'recall':>9} {'F1':>9} {'precision':>14} {'recall':>9} {'F1':>9}")
    result = reading.result
    for radius in range(result.summary.widest_radius + 1):
        shown = []
        for passages in (False, True):
            findings = reading.judge(
                result.pairs, result.evidence, replace(reading.demand, radius=radius, passages=passages)
            )
            shown.append([score(suite, findings).pairs for suite in reading.suites if suite.positives])
        print(f"{radius:3} " + _means(shown[0], 12) + _means(shown[1], 14))


def _means(counts: Collection[Counts], width: int) -> str:
    precision, recall = mean(count.precision for count in counts), mean(count.recall for count in counts)
    f1 = mean(count.f1 for count in counts)
    return f"{_number(precision):>{width}} {_number(recall):>9} {_number(f1):>9} "


if __name__ == "__main__":
    sys.exit(main())
