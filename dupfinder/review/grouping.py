"""Results of the measured pairs of a scan under each demand: clusters, relations, histograms. Reads no file."""

from __future__ import annotations

import functools
import os
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, release_freed, release_mapped, row_mask, runs, starts_of
from dupfinder.base.details import Clause, details, stored
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.clustering import Clustering, Clusters, FileColumns
from dupfinder.cluster.forms import similarity_without_forms
from dupfinder.cluster.keeper import degrees, is_of_program
from dupfinder.cluster.linkage import components
from dupfinder.cluster.relation import (
    LEAST_SIMILARITY,
    MOST_ESTIMATED,
    Confidence,
    Demand,
    Measured,
    Relation,
    reversed_of,
)
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.library.rows import RepeatedTexts, ScanResult

BARS: Final = tuple(range(50, 105, 5))  # per cent: lower bounds of the bars; the last bar counts equal texts
_Value = TypeVar("_Value")
_REMEMBERED: Final = 64  # demands whose clusters are cached: more than the sliders have positions
_LARGE: Final = 300_000  # documents above which fewer are cached: clusters of a million documents take 25 megabytes
_REMEMBERED_LARGE: Final = 8
_REMEMBERED_DECIDED: Final = 4  # clusters with other kept copies that are cached


@dataclass(frozen=True, slots=True)
class Histogram:
    """Verified pairs under a demand, by each of the two numbers that the demand limits.

    by_similarity: int64 (11,), pairs from 50, 55, ... 95 % up to the next bar; the last counts copies of equal text.
    by_distance:   int64 (17,), pairs by bits between the fingerprints, 0 to MAX_RADIUS. beyond: pairs with more bits.
    """

    by_similarity: NDArray[np.int64]
    by_distance: NDArray[np.int64]
    beyond: int


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """Versions in the results by the source that found them: disjoint counts of pairs."""

    fingerprints: int
    both: int
    passages: int


@dataclass(frozen=True, slots=True)
class BorderlinePairs:
    """Pairs whose similarity is an estimate close to the least similarity: those shown as versions, and the others."""

    shown: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations of all pairs under a demand, left to right. relation: uint8 (m,). confidence: uint8 (m,)."""

    relation: NDArray[np.uint8]
    confidence: NDArray[np.uint8]

    @property
    def versions(self) -> NDArray[np.bool_]:
        """Which pairs are versions, bool (m,)."""
        versions: NDArray[np.bool_] = self.relation == Relation.VERSION
        return versions


def stacks_of(rows: NDArray[np.intp], representative: NDArray[np.int32]) -> Ragged:
    """Return some rows as stacks, int64: entry r has those whose representative is r, in the order given.

    representative: (n,), of each row, the one that was measured for its copies.
    """
    starts = starts_of(np.bincount(representative[rows], minlength=len(representative)))
    return Ragged(rows[np.argsort(representative[rows], kind="stable")].astype(np.int64), starts)


def _remembered(compute: Callable[[Grouping, Demand], _Value]) -> Callable[[Grouping, Demand], _Value]:
    """Return a method that keeps its values, by demand; the oldest are dropped when there are too many."""

    @functools.wraps(compute)
    def value_of(grouping: Grouping, demand: Demand) -> _Value:
        values: OrderedDict[Demand, _Value] = grouping._values.setdefault(compute.__name__, OrderedDict())
        value = values.get(demand)
        if value is None:
            value = values[demand] = compute(grouping, demand)
            while len(values) > grouping._most:
                values.popitem(last=False)
        return value  # not looked up again: another thread may have dropped it

    return value_of


class Grouping:
    """The clusters of a scan for every demand. Computed at first use and cached; thread-safe.

    The clusters with which the results open are stored, so that their list can be shown before the rest is read.
    """

    def __init__(self, result: ScanResult) -> None:
        self.result = result
        self.pairs, self.evidence = result.pairs, result.evidence
        self.count = len(result.documents)
        self._measured: tuple[FileColumns, Measured] | None = None
        self._reading = threading.Lock()
        self._most = _REMEMBERED if self.count < _LARGE else _REMEMBERED_LARGE
        self._values: dict[str, OrderedDict[Demand, Any]] = {}
        self._decided: OrderedDict[tuple[Demand, bytes, bytes], Clusters] = OrderedDict()
        self._pairs_apart: frozenset[tuple[int, int]] = frozenset()
        self._rows_apart = np.empty(0, np.intp)  # rows of pairs

    def set_apart(self, pairs_apart: frozenset[tuple[int, int]]) -> None:
        """Set which pairs of documents are unrelated, as are their copies; the evidence decides about all others.

        Pairs of documents with the same words are ignored.
        """
        if pairs_apart != self._pairs_apart:
            pairs = [self.pair_of(left, right)[0] for left, right in pairs_apart]
            self._rows_apart = np.array([pair for pair in pairs if pair >= 0], np.intp)
            self._pairs_apart, self._values, self._decided = pairs_apart, {}, OrderedDict()

    @_remembered
    def clusters(self, demand: Demand) -> Clusters:
        stored = self.result.clusters
        if stored is not None and demand == self.result.summary.demand and not len(self._rows_apart):
            return stored
        relations = self.relations(demand)
        return self._clustering.under(demand, relations.relation, relations.confidence)

    def as_decided(self, demand: Demand, decisions: NDArray[np.uint8], unavailable: NDArray[np.bool_]) -> Clusters:
        """Return the clusters under a demand with the copies that are kept now; the same object for equal arguments.

        Their bytes to free leave out what the person keeps, and missing or changed files. decisions, unavailable: as
        for `kept_copies`.
        """
        clusters = self.clusters(demand)
        keepers = kept_copies(clusters, self.files, decisions, unavailable)
        staying = np.flatnonzero((decisions == Decision.KEEP) | unavailable)
        if not len(staying) and np.array_equal(keepers, clusters.keepers):
            return clusters
        key, known = (demand, keepers.tobytes(), staying.tobytes()), self._decided
        relation = self.relations(demand).relation
        decided = known[key] = known.get(key) or self._clustering.keeping(clusters, keepers, staying, relation)
        while len(known) > _REMEMBERED_DECIDED:
            known.popitem(last=False)
        return decided

    @property
    def files(self) -> FileColumns:
        return self._read()[0]

    @property
    def measured(self) -> Measured:
        return self._read()[1]

    @property
    def representative(self) -> NDArray[np.int32]:
        """For each row the first one with the same words, int32 (n,); see cluster.clustering.FileColumns."""
        return self.files.representative

    def _read(self) -> tuple[FileColumns, Measured]:
        """Return what grouping needs of all documents, and the evidence of all pairs."""
        if self._measured is None:
            with self._reading:
                if self._measured is None:
                    with ThreadPoolExecutor(1) as executor:  # numpy does not hold the interpreter's lock
                        measured = executor.submit(Measured, self.evidence, self.pairs)
                        files = self.result.documents.files()
                        self._measured = files, measured.result()
                    self._release_columns()
        return self._measured

    @functools.cached_property
    def _clustering(self) -> Clustering:
        clustering = Clustering(self.measured, self.files)
        self._release_columns()
        return clustering

    def _release_columns(self) -> None:
        """Take the columns of the results out of memory: of a large scan, they are mapped and read piece by piece."""
        for table in (self.result.documents, self.evidence, self.pairs):
            for field in fields(table):
                column = getattr(table, field.name)
                if isinstance(column, np.ndarray):
                    release_mapped(column)
        release_freed()

    @_remembered
    def positions_of(self, demand: Demand) -> NDArray[np.int32]:
        """Return the position of each document's cluster among `clusters`, int32 (n,), -1 for none."""
        clusters = self.clusters(demand)
        positions = np.full(self.count, -1, np.int32)
        positions[clusters.members] = clusters.positions
        return positions

    @_remembered
    def relations(self, demand: Demand) -> Relations:
        relation = self.measured.decide(demand)
        relation[self._rows_apart] = Relation.NONE
        return Relations(relation, self.measured.confidence(demand, relation))

    @property
    def similarity(self) -> NDArray[np.float32]:
        """Similarity of the documents of each pair, float32 (m,)."""
        return self.measured.similarity

    @functools.cached_property
    def stacks(self) -> Ragged:
        """All rows by representative."""
        return stacks_of(np.arange(self.count), self.representative)

    @functools.cached_property
    def read_in_part(self) -> NDArray[np.bool_]:
        """Which documents could be read only in part, bool (n,)."""
        return self.result.documents.read_in_part()

    @functools.cached_property
    def of_programs(self) -> NDArray[np.bool_]:
        """Which documents programs keep in hidden folders or caches below the scanned ones, bool (n,)."""
        roots = sorted((os.path.join(path, "") for path, _ in self.result.summary.roots), key=len, reverse=True)

        @functools.cache
        def is_below_one(folder: str) -> bool:
            root = next((root for root in roots if os.path.join(folder, "").startswith(root)), "")
            return is_of_program(folder[len(root) :])

        paths = self.result.documents.paths
        return np.fromiter(map(is_below_one, map(os.path.dirname, paths)), np.bool_, len(paths))

    @functools.cached_property
    def versioned(self) -> NDArray[np.bool_]:
        """Which documents are in working copies under version control, bool (n,)."""
        paths, is_versioned = self.result.documents.paths, functools.cache(self.is_versioned)
        if not self._working_copies:
            return np.zeros(len(paths), np.bool_)
        return np.fromiter(map(is_versioned, map(os.path.dirname, paths)), np.bool_, len(paths))

    def is_versioned(self, folder: str) -> bool:
        """Tell whether a folder is, or is in, a working copy under version control."""
        while folder not in self._working_copies and folder != (above := os.path.dirname(folder)):
            folder = above
        return folder in self._working_copies

    @functools.cached_property
    def passed_over(self) -> NDArray[np.bool_]:
        """Which documents rules pass over, bool (n,): their places may change without the person's doing."""
        return self.of_programs | self.versioned

    @functools.cached_property
    def _working_copies(self) -> frozenset[str]:
        """The folders in which the walk noted that their files are under version control."""
        documents, note = self.result.documents, stored(details(Clause.VERSION_CONTROL))
        noted = RepeatedTexts.of(documents.detail)
        rows = np.flatnonzero(noted.each([word == note for word in noted.words], np.bool_))
        return frozenset(os.path.dirname(documents.paths[row]) for row in rows.tolist())

    @functools.cached_property
    def kinds(self) -> NDArray[np.int64]:
        """A number for each combination of representative, content and format, int64 (n,).

        Ascending with the representative. Documents with the same number have the same relation to any other.
        """
        return _numbered(self.files.media, *self.files.content.T, self.representative)

    @functools.cached_property
    def contents(self) -> NDArray[np.int64]:
        """A number for each combination of representative and bytes, int64 (n,), ascending with the representative."""
        return _numbered(*self.files.content.T, self.representative)

    def version_counts(self, demand: Demand, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return how many versions each of some documents has, int64."""
        return self._degrees(demand)[self.representative[rows]]

    @_remembered
    def _degrees(self, demand: Demand) -> NDArray[np.int64]:
        """Return how many versions each document has, int64 (n,); see cluster.keeper.degrees."""
        versions = np.flatnonzero(self.relations(demand).versions)
        return degrees(self.count, self.pairs.left[versions], self.pairs.right[versions])

    def histogram(self, demand: Demand) -> Histogram:
        """Return the verified pairs by similarity (within the demand's radius and sources) and by distance."""
        all_distances = Demand(demand.similarity, demand.containment, MAX_RADIUS, passages=True)
        all_alike = Demand(BARS[0] / 100, demand.containment, demand.radius, demand.passages)
        by_distance, span = self._by_distance(all_distances), MAX_RADIUS + 1
        return Histogram(self._by_similarity(all_alike), by_distance[:span], int(by_distance[span:].sum()))

    @_remembered
    def _by_similarity(self, demand: Demand) -> NDArray[np.int64]:
        """Return the verified pairs by bar, int64 (11,)."""
        by_similarity = np.bincount(self._bars[self._verified(demand)], minlength=len(BARS))
        by_similarity[-1] = self.copy_count
        return by_similarity

    @functools.cached_property
    def _bars(self) -> NDArray[np.uint8]:
        """The bar of each pair's similarity, uint8 (m,)."""
        bar_of = np.clip((np.arange(101) - BARS[0]) // 5, 0, len(BARS) - 2).astype(np.uint8)
        return bar_of[(self.similarity * 100 + 1e-4).astype(np.uint8)]  # as float32, 0.7 is less

    @_remembered
    def _by_distance(self, demand: Demand) -> NDArray[np.int64]:
        """Return the verified pairs by bits, int64 (65,)."""
        by_distance = np.bincount(self.pairs.distance[self._verified(demand)], minlength=65).astype(np.int64)
        by_distance[0] += self.copy_count
        return by_distance

    def _verified(self, demand: Demand) -> NDArray[np.intp]:
        """Return the rows of the pairs that are versions under a demand, ascending."""
        verified = self.measured.are_versions(demand)
        verified[self._rows_apart] = False
        return np.flatnonzero(verified)

    @functools.cached_property
    def copy_count(self) -> int:
        """Number of documents that repeat the words of another."""
        return int((self.representative != np.arange(self.count)).sum())

    @_remembered
    def sources(self, demand: Demand) -> SourceCounts:
        """Return how many of the shown versions each source found; copies of equal text count for both."""
        versions = self.relations(demand).versions
        near = versions & (self.pairs.distance <= demand.radius)
        shared = versions & self.measured.half_shared
        by_prints, by_passages, both = (int(np.count_nonzero(pairs)) for pairs in (near, shared, near & shared))
        return SourceCounts(by_prints - both, both + self.copy_count, by_passages - both)

    def borderline_documents(self, demand: Demand) -> frozenset[int]:
        """Return the rows of the documents with a pair that is shown on the border of the demand."""
        relations = self.relations(demand)
        rows = np.flatnonzero(relations.versions & (relations.confidence == Confidence.BORDERLINE))
        return frozenset(self.pairs.left[rows].tolist()) | frozenset(self.pairs.right[rows].tolist())

    @_remembered
    def borderline_pairs(self, demand: Demand) -> BorderlinePairs:
        """Return the number of pairs close to the least similarity, shown and not shown."""
        relations = self.relations(demand)
        borderline = np.flatnonzero(relations.confidence == Confidence.BORDERLINE)
        shown_as = relations.relation[borderline[~self.evidence.form[borderline]]]
        return BorderlinePairs(*(int((shown_as == relation).sum()) for relation in (Relation.VERSION, Relation.NONE)))

    def prepare(self, demand: Demand) -> None:
        """Compute all counts of pairs under a demand."""
        for compute in (self.histogram, self.sources, self.borderline_pairs, self._degrees):
            compute(demand)

    @functools.cached_property
    def forms(self) -> list[NDArray[np.int32]]:
        """The filled-in forms: the rows of the fillings of each, ascending, copies included, the largest form first."""
        chosen = np.flatnonzero(self.evidence.form)
        similarity = similarity_without_forms(self.evidence.take(chosen))
        chosen = chosen[similarity >= LEAST_SIMILARITY]  # not those that `with_held_fillings` adds
        left, right = self.pairs.left[chosen].astype(np.int32), self.pairs.right[chosen].astype(np.int32)
        roots = components(left, right, np.arange(self.count, dtype=np.int32))[self.representative]
        is_member = row_mask(self.count, left, right)
        rows = np.flatnonzero(is_member[self.representative]).astype(np.int32)
        order = rows[np.argsort(roots[rows], kind="stable")]
        begins, _ = runs(roots[order])
        forms = np.split(order, begins[1:]) if len(order) else []
        return sorted(forms, key=lambda part: (-len(part), int(part[0])))

    def relation_of(self, left: int, right: int, demand: Demand) -> tuple[Relation, float]:
        """Return (relation of the left document to the right one, similarity) of any two rows."""
        if self.representative[left] == self.representative[right]:
            if self.files.are_identical(left, right):
                return Relation.IDENTICAL, 1.0
            rows = np.array([left], np.int32), np.array([right], np.int32)
            return Relation(int(self.files.same_words(*rows)[0])), 1.0
        pair, is_left = self.pair_of(left, right)
        if pair < 0:
            return Relation.NONE, 0.0
        relation = Relation(int(self.relations(demand).relation[pair]))
        return relation if is_left else reversed_of(relation), float(self.similarity[pair])

    def share_of(self, part: int, whole: int) -> float:
        """Return the share of a document's text that is in another, 0..1; 1 only if counted, not estimated."""
        if self.representative[part] == self.representative[whole]:
            return 1.0
        pair, is_left = self.pair_of(part, whole)
        if pair < 0:
            return 0.0
        share = float((self.evidence.left_in_right if is_left else self.evidence.right_in_left)[pair])
        return min(share, MOST_ESTIMATED) if self.evidence.error[pair] > 0 else share

    def pair_of(self, left: int, right: int) -> tuple[int, bool]:
        """Return (row of the pair of two documents with different words, or -1; whether `left` is its left one)."""
        pairs, first, second = self.pairs, int(self.representative[left]), int(self.representative[right])
        low, high = min(first, second), max(first, second)
        # Pairs are sorted by (left, right). For one number, this is faster than numpy's search.
        begin = bisect_left(pairs.left, low)
        end = bisect_right(pairs.left, low, begin)
        row = bisect_left(pairs.right, high, begin, end)
        return row if row < end and int(pairs.right[row]) == high else -1, first == low


def kept_copies(
    clusters: Clusters, files: FileColumns, decisions: NDArray[np.uint8], unavailable: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the kept copy of each group: the person's choice, else the proposed document, int32 (g,).

    If the proposed document does not stay, the best document that does: preferably one with the same words, else a
    version of it or a document that contains it, since a part of it has too little of its text.
    clusters: with the proposed copies. decisions: uint8 (n,), Decision. unavailable: bool (n,), missing or changed.
    """
    chosen = (decisions == Decision.KEEP) & ~unavailable
    stays = ~np.isin(decisions, MARKS) & ~unavailable & ~files.inside
    is_asked = ~stays[clusters.keepers]
    is_asked[clusters.positions[chosen[clusters.members]]] = True
    entries = np.flatnonzero(is_asked[clusters.positions])
    rows, positions = clusters.members[entries], clusters.positions[entries]
    proposed = clusters.keepers[positions]
    claim = np.where(chosen[rows], 2, stays[rows])
    closeness = 4 * (rows == proposed) + 2 * (files.representative[rows] == files.representative[proposed])
    closeness += np.isin(clusters.relation[entries], (Relation.VERSION, Relation.WHOLE))
    preference = np.where(chosen[rows], -rows, files.ranks[rows])  # of several chosen ones, the lowest row
    order = np.lexsort((preference, closeness, claim, positions))
    keepers = clusters.keepers.copy()
    keepers[positions[order]] = rows[order]  # numpy keeps the last one that is assigned to a position
    return keepers


def _numbered(*keys: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return a number for each combination of some keys, sorted by the last key first: int64 (n,)."""
    order = np.lexsort(keys)
    new = np.any([np.diff(key[order], prepend=key[order[:1]]) != 0 for key in keys], axis=0)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(new)
    return numbers


@dataclass(frozen=True, slots=True)
class PairInScan:
    """The relation of two documents in a scan. keeper: the kept copy of their group; None: they share no group."""

    relation: Relation
    keeper: Path | None


def pair_in_scan(grouping: Grouping, clusters: Clusters, left: Path, right: Path, demand: Demand) -> PairInScan | None:
    """Return what a scan knows of two documents; None if it lacks one. clusters: the groups under the demand."""
    documents = grouping.result.documents
    rows = {path: row for row, path in enumerate(documents.paths) if path in (str(left), str(right))}
    if len(rows) < 2:
        return None
    left_row, right_row = rows[str(left)], rows[str(right)]
    relation, _ = grouping.relation_of(left_row, right_row, demand)
    left_position, right_position = grouping.positions_of(demand)[[left_row, right_row]].tolist()
    if left_position < 0 or left_position != right_position:
        return PairInScan(relation, None)
    return PairInScan(relation, documents.path(int(clusters.keepers[left_position])))
