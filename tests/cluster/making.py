"""Random pairs, copies and sketches, and slow ways to compute what the package computes in columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.cluster.relation import Evidence
from dupfinder.index.pairs import Pairs


def pairs_of(rows: Sequence[tuple[int, int, int]]) -> Pairs:
    """Return (left, right, distance) as Pairs, sorted."""
    columns = list(zip(*sorted(rows), strict=True)) if rows else [(), (), ()]
    return Pairs(np.array(columns[0], np.uint32), np.array(columns[1], np.uint32), np.array(columns[2], np.uint8))


@st.composite
def graphs(draw: st.DrawFn, most: int = 12, edges: int = 14) -> tuple[int, list[tuple[int, int, int]]]:
    """A number of documents and distinct pairs of them, with a distance each."""
    count = draw(st.integers(1, most))
    possible = [(left, right) for left in range(count) for right in range(left + 1, count)]
    chosen = draw(st.lists(st.sampled_from(possible), unique=True, max_size=edges)) if possible else []
    return count, [(left, right, draw(st.integers(0, 16))) for left, right in chosen]


def evidence_of(count: int, **columns: NDArray[Any]) -> Evidence:
    """Return the evidence of `count` pairs with the given columns; other shares are 0, no pair is aligned."""
    plain: dict[str, NDArray[Any]] = {
        "resemblance": np.zeros(count, np.float32),
        "left_in_right": np.zeros(count, np.float32),
        "right_in_left": np.zeros(count, np.float32),
        "error": np.zeros(count, np.float32),
        "aligned": np.full(count, -1, np.float32),
        "changes": np.zeros(count, np.int32),
        "run": np.zeros(count, np.float32),
        "difference": np.zeros(count, np.uint8),
        "form": np.zeros(count, np.bool_),
    }
    return Evidence(**{**plain, **columns})


def union_find(count: int, joined: Sequence[tuple[int, int]]) -> list[int]:
    """Return the smallest row of the group of each document, in the slow way."""
    above = list(range(count))

    def root(row: int) -> int:
        while above[row] != row:
            row = above[row]
        return row

    for left, right in joined:
        low, high = sorted((root(left), root(right)))
        above[high] = low
    return [root(row) for row in range(count)]


def ragged(sets: Sequence[Collection[int]]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return sets of values as (values, starts), each ascending."""
    starts = np.concatenate(([0], np.cumsum([len(members) for members in sets]))).astype(np.int64)
    return np.array([value for members in sets for value in sorted(members)], np.uint64), starts
