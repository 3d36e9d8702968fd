"""The versions of one group in the order of their dates, each with its nearest earlier relative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from dupfinder.cluster.clustering import Clusters
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.library.rows import NO_DATE
from dupfinder.review.grouping import Grouping

MOST_VERSIONS: Final = 100  # versions; nobody can read a line of more
LEAST_STOPS: Final = 3
_SECOND: Final = 10**9


@dataclass(frozen=True, slots=True)
class TimelineVersion:
    """A version: a distinct text of a group. Its copies are one version.

    document:   the kept copy or the best one with these words. copies: number of documents with these words.
    date_ns:    ns since 1970. is_inside: the date is one inside the document; else that of the file.
    words:      -1 if unknown.
    parent:     index of the nearest earlier relative among the versions: the most similar one; -1 for none.
    similarity: to the parent, 0..1. added, removed: words since the parent, estimated; -1 if unknown.
    to_keeper:  similarity to the kept copy, 0..1; 0 if distant.
    is_keeper, is_distant: it is the kept copy; it has no verified relation with the kept copy.
    lane:       0 for the line that leads to the kept copy; other lines are in higher lanes.
    """

    document: int
    copies: int
    date_ns: int
    is_inside: bool
    words: int
    parent: int
    similarity: float
    added: int
    removed: int
    to_keeper: float
    is_keeper: bool
    is_distant: bool
    lane: int


def has_timeline(grouping: Grouping, clusters: Clusters, position: int) -> bool:
    """Tell whether the group at a position has enough versions for a timeline, and not too many."""
    rows = clusters.rows(position)[clusters.wholes(position) < 0]
    return LEAST_STOPS <= len(set(grouping.representative[rows].tolist())) <= MOST_VERSIONS


def timeline_of(grouping: Grouping, clusters: Clusters, position: int, demand: Demand) -> list[TimelineVersion]:
    """Return the versions of the group at a position by ascending date. For groups with `has_timeline`."""
    rows, documents = clusters.rows(position)[clusters.wholes(position) < 0], grouping.result.documents
    keeper, texts = int(clusters.keepers[position]), grouping.representative
    copies: dict[int, list[int]] = {}
    for row in rows.tolist():
        copies.setdefault(int(texts[row]), []).append(row)
    ranks, inside = grouping.files.ranks, documents.inside_date
    best = [max(rows, key=lambda row: (row == keeper, ranks[row])) for rows in copies.values()]
    has_date = {row: int(inside[row]) != NO_DATE for row in best}
    dates = {row: int(inside[row]) * _SECOND if has_date[row] else int(documents.mtime_ns[row]) for row in best}
    best.sort(key=lambda row: (dates[row], row))
    parents = [_parent(grouping, best[:index], row, demand) for index, row in enumerate(best)]
    lanes = _lanes([parent for parent, _ in parents], best.index(keeper), [dates[row] for row in best])
    versions = []
    for row, (parent, similarity), lane in zip(best, parents, lanes, strict=True):
        relation, to_keeper = grouping.relation_of(row, keeper, demand)
        is_distant = row != keeper and relation is Relation.NONE
        added, removed = _changed_words(grouping, best[parent], row) if parent >= 0 else (-1, -1)
        versions.append(
            TimelineVersion(
                row, len(copies[int(texts[row])]), dates[row], has_date[row], int(documents.words[row]), parent,
                similarity, added, removed, 0.0 if is_distant else to_keeper, row == keeper, is_distant, lane,
            )
        )  # fmt: skip
    return versions


def _parent(grouping: Grouping, earlier: list[int], row: int, demand: Demand) -> tuple[int, float]:
    """Return (index of the most similar earlier version, similarity), the newest of equally similar; -1 for none."""
    nearest, similarity = -1, 0.0
    for index, other in enumerate(earlier):
        relation, other_similarity = grouping.relation_of(other, row, demand)
        if relation is Relation.VERSION and other_similarity >= similarity:
            nearest, similarity = index, other_similarity
    return nearest, similarity


def _changed_words(grouping: Grouping, before: int, after: int) -> tuple[int, int]:
    """Estimate (words added, words removed) from an earlier version to a later one; -1 where unknown.

    From the words that both have in the same order, if they were aligned; else from the shares of their passages.
    """
    words, evidence = grouping.result.documents.words, grouping.evidence
    pair, is_left = grouping.pair_of(before, after)
    old, new = int(words[before]), int(words[after])
    if pair < 0 or min(old, new) < 0:
        return -1, -1
    if (aligned := float(evidence.aligned[pair])) >= 0:
        common = aligned * (old + new) / 2
        return max(0, round(new - common)), max(0, round(old - common))
    shares = float(evidence.left_in_right[pair]), float(evidence.right_in_left[pair])
    old_in_new, new_in_old = shares if is_left else shares[::-1]
    return round(new * (1 - new_in_old)), round(old * (1 - old_in_new))


def _lanes(parents: list[int], keeper: int, dates: list[int]) -> list[int]:
    """Return the lane of each version.

    Of the versions made from one version, its lane is continued by the one that leads to the kept copy, or else by the
    one with the most descendants. Others take the lowest lane above it that is free from the date of that version on,
    so that no line crosses the words below a version; versions without an earlier relative take any that is free.
    """
    count = len(parents)
    leads_to_keeper, sizes = np.zeros(count, np.bool_), np.ones(count, np.int64)  # sizes: with all descendants
    leads_to_keeper[keeper] = True
    children: list[list[int]] = [[] for _ in range(count)]
    for version in reversed(range(count)):  # descendants come later than their parent
        if (parent := parents[version]) >= 0:
            children[parent].append(version)
            leads_to_keeper[parent] |= leads_to_keeper[version]
            sizes[parent] += sizes[version]
    heirs = [
        max(versions, key=lambda version: (leads_to_keeper[version], sizes[version], -version), default=-1)
        for versions in children
    ]
    first = next(version for version in range(count) if leads_to_keeper[version])
    lanes, busy_until = [-1] * count, [dates[_end_of(heirs, first)]]
    for version in range(count):
        parent = parents[version]
        if version == first:
            lanes[version] = 0
        elif parent >= 0 and heirs[parent] == version:
            lanes[version] = lanes[parent]
        else:
            begin, lowest = (dates[parent], lanes[parent] + 1) if parent >= 0 else (dates[version], 1)
            free = (lane for lane in range(lowest, len(busy_until)) if busy_until[lane] < begin)
            lanes[version] = next(free, max(lowest, len(busy_until)))
            busy_until += [0] * (lanes[version] + 1 - len(busy_until))
            busy_until[lanes[version]] = dates[_end_of(heirs, version)]
    return lanes


def _end_of(heirs: list[int], version: int) -> int:
    """Return the last version in the lane of a version, counted from it on."""
    while heirs[version] >= 0:
        version = heirs[version]
    return version
