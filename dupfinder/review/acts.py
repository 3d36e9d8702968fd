"""What a review session tells its listeners, and what it remembers of each decision to take it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.relation import Relation
from dupfinder.review.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Changed:
    """What a listener is told. documents: rows whose decision changed; clusters: the list itself is another."""

    documents: tuple[int, ...] = ()
    clusters: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The action bar's numbers. relations: marked documents by what they are to the survivor that each gives way to.
    bytes: that are really freed, of files with several names once all go. hidden_marks: marks that the present demand
    shows in no group, or without a survivor; they are left out of the plan. unseen: marked versions and parts that were
    not yet opened in the comparison.
    """

    documents: int
    bytes: int
    hidden_marks: int
    relations: Mapping[Relation, int]
    unseen: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Act:
    """One decision, for undo. rows int64 (m,); before, after uint8 (m,); added, dropped: verdicts that came with it."""

    rows: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    added: tuple[Verdict, ...] = ()
    dropped: tuple[Verdict, ...] = ()
