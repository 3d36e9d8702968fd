"""Likeness: the verified similarity of candidate pairs, as columns beside Pairs."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY


@dataclass(frozen=True, slots=True)
class Likeness:
    """Row i belongs to row i of the Pairs it was computed for.

    resemblance:   float32 (m,), |A & B| / |A | B| of the two shingle sets, 0..1.
    left_in_right: float32 (m,), |A & B| / |A|.
    right_in_left: float32 (m,), |A & B| / |B|.
    exact:         bool (m,), computed from whole shingle sets rather than estimated from sketches.
    sketched:      bool (m,), proposed by shingle sketches (and perhaps by fingerprints too), or as alike as what is.
    form:          bool (m,), two fillings of one form, which are not near-duplicates.
    scattered:     bool (m,), one text under edits that fall everywhere, though few whole passages are shared.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    exact: NDArray[np.bool_]
    sketched: NDArray[np.bool_]
    form: NDArray[np.bool_]
    scattered: NDArray[np.bool_]

    def accepted(self, min_similarity: float) -> NDArray[np.bool_]:
        """Which pairs are near-duplicates at a least resemblance, bool (m,). Who asks for more than the default asks
        for whole passages, so that scattered edits no longer count."""
        near = self.resemblance >= min_similarity
        if min_similarity <= DEFAULT_MIN_SIMILARITY:
            near = near | self.scattered
        return near & ~self.form

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Likeness:
        """The rows that `chosen` (a mask, or positions) selects."""
        return Likeness(*(getattr(self, column.name)[chosen] for column in fields(self)))
