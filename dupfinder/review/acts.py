"""What a review session tells its listeners, and what it remembers of each decision to take it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.review.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Changed:
    """What a listener is told. documents: rows whose decision changed; clusters: the list itself is another."""

    documents: tuple[int, ...] = ()
    clusters: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The action bar's numbers. hidden_marks: marks that this radius shows in no cluster, or without a witness;
    they are left out of the plan.

    near: marked documents whose text differs from the kept one; near_unseen: those not yet opened in the comparison.
    """

    documents: int
    bytes: int
    hidden_marks: int
    near: int
    near_unseen: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Act:
    """One decision, for undo. rows int64 (m,); before, after uint8 (m,); added, dropped: verdicts that came with it."""

    rows: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    added: tuple[Verdict, ...] = ()
    dropped: tuple[Verdict, ...] = ()
