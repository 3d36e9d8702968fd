"""Precision and recall of each radius on pairs that a person has labelled."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

import dupfinder
from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.settings import MAX_RADIUS, N_
from dupfinder.cluster.relation import SURVIVING, Demand
from dupfinder.review.grouping import Grouping

_HEAD: Final = re.compile(rb'\{\s*"schema": \d+,\s*"kind": "labels",\s*"program": "dupfinder ')
_WORDS: Final = {
    "yes": True, "same": True, "1": True, "true": True, "no": False, "different": False, "0": False, "false": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two paths, and whether a person calls them near-duplicates."""

    left: Path
    right: Path
    same: bool


@dataclass(frozen=True, slots=True)
class Score:
    """How well one radius agrees with the labels, as counts of (right, wrong, missed).

    by_fingerprint: pairs within the radius count as near-duplicates. shown: pairs in the results, after verification.
    """

    radius: int
    by_fingerprint: tuple[int, int, int]
    shown: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of each radius, ascending. compared: labelled pairs in the scan; left_out: other labelled pairs."""

    compared: int
    left_out: int
    radii: tuple[Score, ...]

    def plain(self) -> dict[str, Any]:
        """Return the scores as JSON values; a share without a divisor is null."""
        rows = [
            {
                "k": score.radius,
                "fingerprints": dict(zip(("precision", "recall"), shares(score.by_fingerprint), strict=True)),
                "shown": dict(zip(("precision", "recall"), shares(score.shown), strict=True)),
            }
            for score in self.radii
        ]
        head = {"schema": 1, "kind": "labels", "program": f"dupfinder {dupfinder.__version__}"}
        return {**head, "compared": self.compared, "left_out": self.left_out, "radii": rows}


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a file begins like scores saved as JSON."""
    return _HEAD.match(file.read(200)) is not None


def shares(counts: tuple[int, int, int]) -> tuple[float | None, float | None]:
    """Return (precision, recall) for counts of (right, wrong, missed); None for a division by zero."""
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else None
    return precision, right / (right + missed) if right + missed else None


def read_labels(path: Path) -> list[LabelledPair]:
    """Read labels from a file: on each line path, path and yes or no, separated by commas or tabs.

    Paths are relative to the folder of the file. Raises UsageError with the number of an invalid line.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig", errors="surrogateescape") as stream:
            pairs = list(_rows(path, stream.read()))
    except OSError as error:
        raise UsageError(
            N_("The labels {path} cannot be read: {reason}."), path=shown(path), reason=error.strerror
        ) from error
    if not any(pair.same for pair in pairs):
        raise UsageError(N_("{path} labels no pair as near-duplicates: there is nothing to find."), path=shown(path))
    return pairs


def _rows(path: Path, text: str) -> Iterator[LabelledPair]:
    """Yield the labelled pairs of a text. Raises UsageError."""
    folder = Path(os.path.abspath(path)).parent
    seen: dict[tuple[Path, Path], bool] = {}
    rows = csv.reader(text.splitlines(), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    for number, row in enumerate(rows, 1):
        if not row:
            continue
        word = row[-1].strip().lower()
        if len(row) != 3 or word not in _WORDS:
            if number == 1 and len(row) == 3:
                continue  # a header
            raise UsageError(
                N_("{path}, line {number}: two paths and yes or no are wanted."), path=shown(path), number=number
            )
        left, right = (Path(os.path.normpath(folder / name)) for name in row[:2])
        key = (left, right) if left < right else (right, left)
        if left == right or seen.setdefault(key, _WORDS[word]) != _WORDS[word]:
            raise UsageError(
                N_("{path}, line {number}: a file and itself, or a pair that is labelled both ways."),
                path=shown(path),
                number=number,
            )
        yield LabelledPair(left, right, _WORDS[word])


def score(grouping: Grouping, labels: list[LabelledPair], demand: Demand) -> Scores:
    """Score every radius up to the widest of the scan.

    Raises UsageError when no labelled near-duplicates are in the scan.
    """
    documents = grouping.result.documents
    row_of = {path: row for row, path in enumerate(documents.paths) if documents.comparable[row]}
    rows = [(row_of.get(str(label.left), -1), row_of.get(str(label.right), -1)) for label in labels]
    known = [number for number, (left, right) in enumerate(rows) if left >= 0 <= right]
    same = np.array([labels[number].same for number in known], np.bool_)
    if not same.any():
        raise UsageError(N_("No pair that is labelled as near-duplicates is in the newest scan of the library."))
    pairs = [rows[number] for number in known]
    values = documents.fingerprint
    distance = np.array([(int(values[left]) ^ int(values[right])).bit_count() for left, right in pairs])
    scores = []
    for radius in range(min(grouping.result.summary.widest_radius, MAX_RADIUS) + 1):
        at_radius = replace(demand, radius=radius)
        shown = np.array([grouping.tie_of(left, right, at_radius)[0] in SURVIVING for left, right in pairs], np.bool_)
        scores.append(Score(radius, _counts(distance <= radius, same), _counts(shown, same)))
    return Scores(len(known), len(labels) - len(known), tuple(scores))


def _counts(shown: NDArray[np.bool_], same: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Return (right, wrong, missed). shown, same: bool (m,)."""
    return int((shown & same).sum()), int((shown & ~same).sum()), int((~shown & same).sum())
