"""Likeness: the verified similarity of candidate pairs, as columns beside Pairs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Relation(IntEnum):
    """How two documents are alike. Lower is closer."""

    IDENTICAL_BYTES = 0
    IDENTICAL_TEXT = 1
    NEAR = 2
    LEFT_IN_RIGHT = 3
    RIGHT_IN_LEFT = 4
    DIFFERENT = 5


@dataclass(frozen=True, slots=True)
class Likeness:
    """Row i belongs to row i of the Pairs it was computed for.

    resemblance:   float32 (m,), |A & B| / |A | B| of the two shingle sets, 0..1.
    left_in_right: float32 (m,), |A & B| / |A|.
    right_in_left: float32 (m,), |A & B| / |B|.
    exact:         bool (m,), computed from whole shingle sets rather than estimated from sketches.
    sketched:      bool (m,), proposed by shingle sketches (and perhaps by fingerprints too).
    form:          bool (m,), two fillings of one form, which are not near-duplicates.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    exact: NDArray[np.bool_]
    sketched: NDArray[np.bool_]
    form: NDArray[np.bool_]

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Likeness:
        """The rows that `chosen` (a mask, or positions) selects."""
        return Likeness(*(getattr(self, column.name)[chosen] for column in fields(self)))
