"""How alike the texts are that several formats of one document give: `python -m tests.quality.alike SUITE`.

Takes the pairs of a labelled suite that are one document in two formats by construction, reads each file as a scan
does, and tells for each sub-suite and pair of formats the least and the median resemblance of shingle sets, which are
compared whole and not by sketches.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import resemblance
from dupfinder.scan.reading import read_text
from dupfinder.text.normalise import normalise

LEAST, MIDDLE = 0.8, 0.9
SAME = "A"  # the label of one text in two forms; a number beside it says that it was measured


@dataclass(frozen=True)
class Likeness:
    """How alike the texts of one pair of files are."""

    suite: str
    formats: str
    left: Path
    right: Path
    value: float


def main() -> int:
    """Print the table; 1 when a file has no text, or a pair of formats is less alike than it must be."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.alike", description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--only", help="a sub-suite")
    parser.add_argument("--worst", type=int, default=0, help="also name so many pairs of each kind")
    arguments = parser.parse_args()
    measured = likenesses(arguments.suite.resolve(), arguments.only)
    groups: dict[tuple[str, str], list[Likeness]] = defaultdict(list)
    for likeness in measured:
        groups[likeness.suite, likeness.formats].append(likeness)
    missed = False
    for (suite, formats), likes in sorted(groups.items()):
        values = sorted(likeness.value for likeness in likes)
        good = values[0] >= LEAST and median(values) >= MIDDLE
        missed |= not good
        verdict = "" if good else "  NOT MET"
        print(
            f"{suite:14} {formats:10} {len(values):4} pairs: least {values[0]:.3f} median {median(values):.3f}{verdict}"
        )
        for likeness in sorted(likes, key=lambda likeness: likeness.value)[: arguments.worst]:
            print(f"      {likeness.value:.3f}  {likeness.left.name}  {likeness.right.name}")
    return int(missed)


def likenesses(root: Path, only: str | None) -> list[Likeness]:
    """Each labelled pair of one text in two formats with its resemblance, 0 where a file has no text."""
    fingerprinter = Fingerprinter(Scheme())

    @cache
    def shingles(path: Path) -> Hashes | None:
        extracted = read_text(path).extracted
        return None if extracted is None else fingerprinter.shingle_set(normalise(extracted.text))

    values = []
    for suite, left, right in pairs(root):
        if only in (None, suite):
            left_set, right_set = shingles(left), shingles(right)
            value = 0.0 if left_set is None or right_set is None else resemblance(left_set, right_set)
            formats = "/".join(sorted((left.suffix[1:].lower(), right.suffix[1:].lower())))
            values.append(Likeness(suite, formats, left, right, value))
    return values


def pairs(root: Path) -> Iterator[tuple[str, Path, Path]]:
    """(sub-suite, left, right) of the pairs that are one document in two formats: labelled so, without a measure."""
    labels: dict[str, Any] = json.loads((root / "labels.json").read_text(encoding="utf-8"))
    for suite, rows in labels["subsuites"].items():
        for left, right, *label in rows.get("positives", ()):
            if label == [SAME, None] and Path(left).suffix.lower() != Path(right).suffix.lower():
                yield suite, root / suite / left, root / suite / right


if __name__ == "__main__":
    sys.exit(main())
