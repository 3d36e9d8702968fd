"""Groups around a centre: every member has a verified pair with it, so no chain of small steps joins strangers."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.linkage import ALONE, components
from dupfinder.index.pairs import Pairs


def stars(pairs: Pairs, weights: NDArray[np.float32], copies: NDArray[np.int32]) -> NDArray[np.int32]:
    """Group labels of all documents, int32 (n,): the smallest row of the group, ALONE for a lone document.

    pairs:   the accepted pairs, among the rows that stand for their copies. weights: float32 (m,), their resemblance.
    copies:  int32 (n,), the row that stands for each.

    A connected set in which one document is paired with all others is a group as it is. In any other the document
    whose pairs weigh most takes its partners, then the heaviest of the rest takes its own, and so on; what is left
    over with none but taken partners hangs on the one it resembles most, linked. Ties go to the smallest row, so the
    groups do not depend on the order of reading.
    """
    labels: NDArray[np.int32] = stars_by_reach(pairs, weights, np.zeros(len(pairs), np.uint8), copies, 0)[0]
    return labels


def stars_by_reach(
    pairs: Pairs, weights: NDArray[np.float32], reach: NDArray[np.uint8], copies: NDArray[np.int32], widest: int
) -> NDArray[np.int32]:
    """The labels of every radius from 0 to `widest`, int32 (widest + 1, n): row k is `stars` of the pairs that count at
    radius k. reach: uint8 (m,), the radius from which each pair counts.

    One pass in ascending reach: sets only grow, and what no new pair touches keeps its groups.
    """
    count = len(copies)
    left, right = pairs.left.astype(np.int32), pairs.right.astype(np.int32)
    columns = np.empty((widest + 1, count), np.int32)
    roots = np.arange(count, dtype=np.int32)
    degree = np.zeros(count, np.int64)
    groups = roots
    for radius in range(widest + 1):
        new = np.flatnonzero(reach == radius)
        if radius and not len(new):
            columns[radius] = columns[radius - 1]
            continue
        roots = components(left[new], right[new], roots)
        degree += np.bincount(left[new], minlength=count) + np.bincount(right[new], minlength=count)
        touched = np.zeros(count, np.bool_)
        touched[roots[left[new]]] = True
        touched = touched[roots]
        groups = np.where(touched, roots, groups)
        inside = np.flatnonzero((touched & _chained(roots, degree))[left] & (reach <= radius))
        if len(inside):
            found = _split(left[inside], right[inside], weights[inside])
            rows = np.fromiter(found, np.int32, len(found))
            groups[rows] = np.fromiter(found.values(), np.int32, len(found))
        columns[radius] = _named(groups, copies)
    return columns


def _chained(roots: NDArray[np.int32], degree: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which documents stand in a connected set that none of its members is paired with the whole of, bool (n,)."""
    widest = np.zeros(len(roots), np.int64)
    np.maximum.at(widest, roots, degree)
    chained: NDArray[np.bool_] = (widest < np.bincount(roots, minlength=len(roots)) - 1)[roots]
    return chained


def _named(groups: NDArray[np.int32], copies: NDArray[np.int32]) -> NDArray[np.int32]:
    """Labels from the group of each row that stands for copies: a group's name is its smallest row, copies included."""
    count = len(copies)
    everyone = groups[copies]
    smallest = np.full(count, count, np.int32)
    np.minimum.at(smallest, everyone, np.arange(count, dtype=np.int32))
    everyone = smallest[everyone]
    return np.where(np.bincount(everyone, minlength=count)[everyone] > 1, everyone, ALONE).astype(np.int32)


def _split(left: NDArray[np.int32], right: NDArray[np.int32], weights: NDArray[np.float32]) -> dict[int, int]:
    """Document -> centre of its group, for the documents of chained sets."""
    partners: dict[int, dict[int, float]] = {}
    for one, other, weight in zip(left.tolist(), right.tolist(), weights.tolist(), strict=True):
        partners.setdefault(one, {})[other] = weight
        partners.setdefault(other, {})[one] = weight
    centre_of: dict[int, int] = {}
    heap = [(-_free_weight(row, partners, centre_of), row) for row in partners]
    heapq.heapify(heap)
    while heap:
        promised, row = heapq.heappop(heap)
        if row in centre_of:
            continue
        weight = _free_weight(row, partners, centre_of)
        if weight < -promised:  # some of its partners were taken since
            if weight > 0:
                heapq.heappush(heap, (-weight, row))
            continue
        centre_of[row] = row
        centre_of.update((other, row) for other in partners[row] if other not in centre_of)
    for row in sorted(partners.keys() - centre_of.keys()):
        _, nearest = min((-weight, other) for other, weight in partners[row].items() if other in centre_of)
        centre_of[row] = centre_of[nearest]
    return centre_of


def _free_weight(row: int, partners: dict[int, dict[int, float]], taken: dict[int, int]) -> float:
    return round(sum(weight for other, weight in partners[row].items() if other not in taken), 6)
