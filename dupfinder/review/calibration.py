"""Number and precision of the pairs at each radius, measured on a person's documents or on pairs that they labelled.

The measurement on documents repeats the experiment of Manku, Jain and Das Sarma (WWW 2007, section 5.1): verified
resemblance judges the pairs, instead of people. A plot shows precision and recall as an SVG image.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

import dupfinder
from dupfinder.base.details import error_name
from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.output import Recogniser
from dupfinder.base.settings import MAX_RADIUS, N_
from dupfinder.cluster.relation import SURVIVING, Demand
from dupfinder.review.grouping import Grouping
from dupfinder.wording.catalogue import say
from dupfinder.wording.details import error_words

SCHEMA: Final = 1
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
    """The scores, by radius. compared: labelled pairs of two scanned documents. left_out: the other labelled pairs."""

    compared: int
    left_out: int
    radii: tuple[Score, ...]

    def plain(self) -> dict[str, Any]:
        """Return the scores as JSON values, with null for precision or recall without any pair to count."""
        rows = [
            {
                "k": score.radius,
                "fingerprints": dict(zip(("precision", "recall"), shares(score.by_fingerprint), strict=True)),
                "shown": dict(zip(("precision", "recall"), shares(score.shown), strict=True)),
            }
            for score in self.radii
        ]
        return {**_first_values("labels"), "compared": self.compared, "left_out": self.left_out, "radii": rows}


def _first_values(kind: str) -> dict[str, Any]:
    """Return the first values of a JSON file of scores ("labels") or of a calibration ("radii")."""
    return {"schema": SCHEMA, "kind": kind, "program": f"dupfinder {dupfinder.__version__}"}


def json_recogniser(kind: str) -> Recogniser:
    """Return the function that tells whether a file begins like a JSON file of this kind; see `_first_values`."""
    beginning = re.compile(rb'\{\s*"schema": \d+,\s*"kind": "%b",\s*"program": "dupfinder ' % kind.encode())
    return lambda file: beginning.match(file.read(200)) is not None


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
        message = N_("The labels {path} cannot be read: {reason}.")
        raise UsageError(message, path=shown(path), reason=error_words(error_name(error))) from error
    if not any(pair.same for pair in pairs):
        raise UsageError(N_("{path} labels no pair as near-duplicates: there is nothing to find."), path=shown(path))
    return pairs


def _rows(path: Path, text: str) -> Iterator[LabelledPair]:
    """Yield the labelled pairs of a text. Raises UsageError."""
    folder = Path(os.path.abspath(path)).parent
    seen: dict[tuple[Path, Path], bool] = {}
    for number, row in enumerate(_cells(text), 1):
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


def _cells(text: str) -> Iterator[list[str]]:
    """Yield the cells of each line. A line that csv cannot split, as in a binary file, gives one empty cell."""
    # Names may contain line ends, in quotation marks, and what only Python takes for line ends.
    rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    try:
        yield from rows
    except csv.Error:  # a cell of more than 131,072 characters
        yield [""]


def score(grouping: Grouping, labels: list[LabelledPair], demand: Demand) -> Scores:
    """Score every radius up to the scan's widest. Raises UsageError if no labelled near-duplicates are in the scan."""
    documents = grouping.result.documents
    row_of = {path: row for row, path in enumerate(documents.paths) if documents.comparable[row]}
    rows = [(row_of.get(str(label.left), -1), row_of.get(str(label.right), -1)) for label in labels]
    known = [number for number, (left, right) in enumerate(rows) if left >= 0 and right >= 0]
    same = np.array([labels[number].same for number in known], np.bool_)
    if not same.any():
        raise UsageError(N_("No pair that is labelled as near-duplicates is in the newest scan of the library."))
    pairs = [rows[number] for number in known]
    values = documents.fingerprint
    distance = np.array([(int(values[left]) ^ int(values[right])).bit_count() for left, right in pairs])
    scores = []
    for radius in range(min(grouping.result.summary.widest_radius, MAX_RADIUS) + 1):
        at_radius = replace(demand, radius=radius)
        in_results = np.array([grouping.relation_of(left, right, at_radius)[0] in SURVIVING for left, right in pairs])
        scores.append(Score(radius, _counts(distance <= radius, same), _counts(in_results, same)))
    return Scores(len(known), len(labels) - len(known), tuple(scores))


def _counts(joined: NDArray[np.bool_], same: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Return (right, wrong, missed). joined, same: bool (m,), which pairs count as near-duplicates, and which are."""
    return int((joined & same).sum()), int((joined & ~same).sum()), int((~joined & same).sum())


ENOUGH: Final = 0.99  # share of the pairs: a wider radius takes longer and shows hardly any more


@dataclass(frozen=True, slots=True)
class Calibration:
    """Candidate pairs of one scan by fingerprint distance; of copies with equal text only one is counted.

    verified:   int64 (65,), pairs that are as similar as the demand requires.
    unverified: int64 (65,), other pairs. Beyond the widest radius only pairs found by sketches.
    shown:      int64 (widest + 1,), verified pairs in the results at each radius, including pairs at larger distances
    that were found by sketches.
    widest:     the widest radius that was searched.
    copies:     documents with the same text as another.
    """

    verified: NDArray[np.int64]
    unverified: NDArray[np.int64]
    shown: NDArray[np.int64]
    widest: int
    copies: int
    documents: int
    min_similarity: float

    @property
    def pair_count(self) -> int:
        """All verified pairs, at whatever distance."""
        return int(self.verified.sum())

    def precision(self, radius: int) -> float:
        """Return the share of verified pairs among the pairs within a radius; NaN when there are no pairs."""
        verified, unverified = int(self.verified[: radius + 1].sum()), int(self.unverified[: radius + 1].sum())
        return verified / (verified + unverified) if verified + unverified else math.nan

    def recall(self, radius: int) -> float:
        """Return the share of all verified pairs that are within a radius; NaN when there are none."""
        return int(self.verified[: radius + 1].sum()) / self.pair_count if self.pair_count else math.nan

    def shown_share(self, radius: int) -> float:
        """Return the share of all verified pairs that the results show at a radius; NaN when there are none."""
        return int(self.shown[radius]) / self.pair_count if self.pair_count else math.nan

    def fitting(self) -> int | None:
        """Return the least radius that shows at least ENOUGH of what the widest shows; None without pairs."""
        most = int(self.shown[-1])
        return int(np.argmax(self.shown >= ENOUGH * most)) if most else None

    def plain(self) -> dict[str, Any]:
        """Return the calibration as JSON values, with null for NaN."""
        return {
            **_first_values("radii"),
            "documents": self.documents,
            "copies": self.copies,
            "min_similarity": self.min_similarity,
            "widest_radius": self.widest,
            "verified_pairs": self.pair_count,
            "verified_beyond_widest": int(self.verified[self.widest + 1 :].sum()),
            "fitting_radius": self.fitting(),
            "radii": [
                {
                    "k": radius,
                    "verified": int(self.verified[radius]),
                    "unverified": int(self.unverified[radius]),
                    "precision": _number(self.precision(radius)),
                    "recall": _number(self.recall(radius)),
                    "shown": _number(self.shown_share(radius)),
                }
                for radius in range(self.widest + 1)
            ],
        }


def calibrate(grouping: Grouping, demand: Demand) -> Calibration:
    """Count the pairs of a scan at each radius, for the similarity and containment of a demand."""
    result, widest = grouping.result, grouping.result.summary.widest_radius
    distances = grouping.pairs.distance
    widest_demand = Demand(demand.similarity, demand.containment, widest)
    verified = np.bincount(distances[grouping.relations(widest_demand).versions], minlength=65)
    unverified = np.bincount(distances, minlength=65) - verified + result.rejected  # also int64 (65,)
    shown = [int(grouping.measured.are_versions(replace(demand, radius=radius)).sum()) for radius in range(widest + 1)]
    return Calibration(
        verified.astype(np.int64),
        unverified.astype(np.int64),
        np.array(shown, np.int64),
        widest,
        grouping.copy_count,
        int(result.documents.comparable.sum()),
        demand.similarity,
    )


def _number(value: float) -> float | None:
    """Return a number rounded for JSON, None for NaN."""
    return None if math.isnan(value) else round(value, 6)


_SVG_HEAD: Final = '<svg xmlns="http://www.w3.org/2000/svg" class="dupfinder"'
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 300, 50, 50  # of the plot itself and the room around it, in pixels
# Colours that differ for colour-blind eyes too (Okabe and Ito 2008); what the fingerprints alone give is dashed.
_LINES: Final = (("#0072b2", ""), ("#d55e00", ""), ("#0072b2", "6 4"), ("#d55e00", "6 4"))


def is_our_plot(file: IO[bytes]) -> bool:
    """Tell whether a file begins like a plot that dupfinder saved."""
    return file.read(len(_SVG_HEAD)) == _SVG_HEAD.encode()


def plot(scores: Scores) -> str:
    """Return the SVG image: a line each for precision and recall, of what is shown and of the fingerprints alone."""
    names = (
        say("shown: precision"), say("shown: recall"), say("fingerprints: precision"), say("fingerprints: recall"),
    )  # fmt: skip
    columns = [
        *zip(*(shares(score.shown) for score in scores.radii), strict=True),
        *zip(*(shares(score.by_fingerprint) for score in scores.radii), strict=True),
    ]
    parts = [
        f'{_SVG_HEAD} viewBox="0 0 {_WIDTH + 300} {_HEIGHT + 110}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="28" font-size="15">{escape(say("Precision and recall at each radius k"))}</text>',
        *_axes(len(scores.radii)),
    ]
    for number, (name, values, (colour, dash)) in enumerate(zip(names, columns, _LINES, strict=True)):
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{_points(values)}" {style}/>')
        y = _TOP + 12 + 24 * number
        x = _LEFT + _WIDTH + 20
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" {style}/>')
        parts.append(f'<text x="{x + 38}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _x(radius: int, count: int) -> float:
    return round(_LEFT + _WIDTH * radius / max(1, count - 1), 1)


def _y(share: float) -> float:
    return round(_TOP + _HEIGHT * (1 - share), 1)


def _axes(count: int) -> list[str]:
    """Return the grid and the numbers beside it: shares upwards, radii to the right."""
    parts = []
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_LEFT + _WIDTH}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{tenth / 10:.1f}</text>')
    for radius in range(count):
        parts.append(f'<text x="{_x(radius, count)}" y="{_TOP + _HEIGHT + 20}" text-anchor="middle">{radius}</text>')
    below = _TOP + _HEIGHT + 44
    label = escape(say("radius k, in bits"))
    return [*parts, f'<text x="{_LEFT + _WIDTH / 2}" y="{below}" text-anchor="middle">{label}</text>']


def _points(values: Sequence[float | None]) -> str:
    """Return the points of a line; a radius without a share has none."""
    count = len(values)
    return " ".join(f"{_x(radius, count)},{_y(share)}" for radius, share in enumerate(values) if share is not None)
