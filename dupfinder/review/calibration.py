"""Number and precision of the pairs at each radius, measured on a person's own documents.

This is the experiment of Manku, Jain and Das Sarma (WWW 2007, section 5.1), with verified resemblance instead of people
who judge pairs.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

import dupfinder
from dupfinder.cluster.relation import Demand
from dupfinder.review.grouping import Grouping

SCHEMA: Final = 1
_HEAD: Final = re.compile(rb'\{\s*"schema": \d+,\s*"kind": "radii",\s*"program": "dupfinder ')
ENOUGH: Final = 0.99  # of the verified pairs: a wider radius costs more and shows hardly any more


@dataclass(frozen=True, slots=True)
class Calibration:
    """Candidate pairs of one scan by fingerprint distance; of copies with equal text only one is counted.

    verified:   int64 (65,), pairs with at least the least similarity.
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
    def found(self) -> int:
        """All verified pairs, at whatever distance."""
        return int(self.verified.sum())

    def precision(self, radius: int) -> float:
        """Return the share of verified pairs among the pairs within a radius; NaN when there are no pairs."""
        verified, unverified = int(self.verified[: radius + 1].sum()), int(self.unverified[: radius + 1].sum())
        return verified / (verified + unverified) if verified + unverified else math.nan

    def recall(self, radius: int) -> float:
        """Return the share of all verified pairs that are within a radius; NaN when there are none."""
        return int(self.verified[: radius + 1].sum()) / self.found if self.found else math.nan

    def shown_share(self, radius: int) -> float:
        """Return the share of all verified pairs that the results show at a radius; NaN when there are none."""
        return int(self.shown[radius]) / self.found if self.found else math.nan

    def fitting(self) -> int | None:
        """Return the smallest radius that shows ENOUGH of the verified pairs.

        As a share of the pairs that the widest radius shows; None without verified pairs.
        """
        most = int(self.shown[-1])
        return int(np.argmax(self.shown >= ENOUGH * most)) if most else None

    def plain(self) -> dict[str, Any]:
        """Return the calibration as JSON values, with null for NaN."""
        return {
            "schema": SCHEMA,
            "kind": "radii",
            "program": f"dupfinder {dupfinder.__version__}",
            "documents": self.documents,
            "copies": self.copies,
            "min_similarity": self.min_similarity,
            "widest_radius": self.widest,
            "verified_pairs": self.found,
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


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a file begins like a calibration saved as JSON."""
    return _HEAD.match(file.read(200)) is not None


def calibrate(grouping: Grouping, demand: Demand) -> Calibration:
    """Count the pairs of a scan at each radius, for the similarity and containment of a demand."""
    result, widest = grouping.result, grouping.result.summary.widest_radius
    distances = grouping.pairs.distance
    widest_demand = Demand(demand.similarity, demand.containment, widest)
    verified = np.bincount(distances[grouping.ties(widest_demand).versions], minlength=65)
    unverified = np.bincount(distances, minlength=65) - verified + result.rejected
    shown = [int(grouping.measured.counts(replace(demand, radius=radius)).sum()) for radius in range(widest + 1)]
    return Calibration(
        verified.astype(np.int64),
        unverified.astype(np.int64),
        np.array(shown, np.int64),
        widest,
        int((grouping.copies != np.arange(grouping.count)).sum()),
        int(result.documents.comparable.sum()),
        demand.similarity,
    )


def _number(value: float) -> float | None:
    """Return a number rounded for JSON, None for NaN."""
    return None if math.isnan(value) else round(value, 6)
