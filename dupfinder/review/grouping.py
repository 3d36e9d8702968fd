"""What follows from the measured pairs of a scan under each demand: families, ties, histograms. Nothing is read."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.families import Clusters, Counts, Families
from dupfinder.cluster.linkage import Edges, components
from dupfinder.cluster.relation import MOST_ESTIMATED, Confidence, Demand, Measured, Relation
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import ScanResult

__all__ = ["Border", "Clusters", "Counts", "Grouping", "Histogram", "Sources", "pair_row"]

BARS: Final = tuple(range(50, 105, 5))  # per cent: each bar holds what is at least as similar, the last equal texts
_Made = TypeVar("_Made")
_REMEMBERED: Final = 64  # demands whose families are kept: more than the sliders have positions
_LARGE: Final = 300_000  # documents from which on fewer are kept, for the families of a million take 25 megabytes
_REMEMBERED_LARGE: Final = 8


@dataclass(frozen=True, slots=True)
class Histogram:
    """Verified pairs under a demand but for what the histogram itself varies.

    by_similarity: int64 (11,), pairs from 50, 55, ... 95 % up to the next bar; the last counts copies of equal text.
    by_distance:   int64 (17,), pairs by bits between the fingerprints, 0 to MAX_RADIUS; beyond: further apart.
    """

    by_similarity: NDArray[np.int64]
    by_distance: NDArray[np.int64]
    beyond: int


@dataclass(frozen=True, slots=True)
class Sources:
    """Which of the two sources found the versions that are shown: disjoint counts of pairs."""

    fingerprints: int
    both: int
    passages: int


@dataclass(frozen=True, slots=True)
class Border:
    """Pairs whose similarity is an estimate on the border of what is asked: versions that are shown, and others."""

    shown: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Ties:
    """The pairs under one demand: what the left document is to the right one.

    relation: uint8 (m,), Relation. similarity: float32 (m,). confidence: uint8 (m,), Confidence.
    versions: bool (m,).
    """

    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    confidence: NDArray[np.uint8]
    versions: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stacks:
    """Rows by the row that stands for their copies.

    rows: int64 (m,), those of each stack together. starts: int64 (n + 1,).
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: NDArray[np.intp], copies: NDArray[np.int32]) -> Stacks:
        """Put some rows into their stacks, in the order given. copies: int32 (n,)."""
        starts = np.zeros(len(copies) + 1, np.int64)
        np.cumsum(np.bincount(copies[rows], minlength=len(copies)), out=starts[1:])
        return cls(rows[np.argsort(copies[rows], kind="stable")].astype(np.int64), starts)

    def rows_of(self, stand: int) -> NDArray[np.int64]:
        """Return the rows of one stack."""
        return self.rows[self.starts[stand] : self.starts[stand + 1]]

    def sizes(self, stands: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return how many rows each of some stacks has."""
        return self.starts[stands + 1] - self.starts[stands]

    def joined(self, stands: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Return (position in `stands`, row) for every row of each of these stacks."""
        owner, index = spans(self.starts, stands)
        return owner, self.rows[index]


def spans(starts: NDArray[np.int64], chosen: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return (position in `chosen`, index) for every index from starts[c] up to starts[c + 1] of each c in `chosen`."""
    counts = starts[chosen + 1] - starts[chosen]
    owner = np.repeat(np.arange(len(chosen)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + np.repeat(starts[chosen] - before, counts)


class Grouping:
    """The families of one scan's result, for every demand. Computed when asked, kept; any thread may ask."""

    def __init__(self, result: ScanResult) -> None:
        self.result = result
        self.pairs, self.evidence = result.pairs, result.evidence
        self.files = result.documents.files()
        self.count = len(result.documents)
        self.copies = self.files.copies
        self.measured = Measured(self.evidence, self.pairs)
        self._most = _REMEMBERED if self.count < _LARGE else _REMEMBERED_LARGE
        self._clusters: OrderedDict[Demand, Clusters] = OrderedDict()
        self._ties: OrderedDict[Demand, Ties] = OrderedDict()
        self._places: OrderedDict[Demand, NDArray[np.int32]] = OrderedDict()
        self._distances: OrderedDict[Demand, NDArray[np.int64]] = OrderedDict()
        self._similarities: OrderedDict[Demand, NDArray[np.int64]] = OrderedDict()

    def clusters(self, demand: Demand) -> Clusters:
        """The families under a demand."""

        def made() -> Clusters:
            ties = self.ties(demand)
            return self._families.under(ties.relation, ties.confidence)

        return _remembered(self._clusters, demand, made, self._most)

    @functools.cached_property
    def _families(self) -> Families:
        return Families(self.measured, self.files)

    def place_of(self, demand: Demand) -> NDArray[np.int32]:
        """Return the place of each document's family among `clusters`, int32 (n,), -1 for none."""

        def made() -> NDArray[np.int32]:
            clusters = self.clusters(demand)
            places = np.full(self.count, -1, np.int32)
            places[clusters.members] = clusters.places
            return places

        return _remembered(self._places, demand, made, self._most)

    def ties(self, demand: Demand) -> Ties:
        """What the documents of each pair are to one another under a demand."""

        def made() -> Ties:
            relation = self.measured.decide(demand)
            sure = self.measured.confidence(demand, relation)
            return Ties(relation, self.similarity, sure, relation == Relation.VERSION)

        return _remembered(self._ties, demand, made, self._most)

    @property
    def similarity(self) -> NDArray[np.float32]:
        """How similar the documents of each pair are, float32 (m,)."""
        return self.measured.similarity

    @functools.cached_property
    def edges(self) -> Edges:
        """All pairs by document, among the rows that stand for their copies."""
        return Edges.of(self.pairs, self.count)

    @functools.cached_property
    def stacks(self) -> Stacks:
        """All rows by the row that stands for their copies."""
        return Stacks.of(np.arange(self.count), self.copies)

    @functools.cached_property
    def kinds(self) -> NDArray[np.int64]:
        """A number for each stand, content and format, ascending with the stand, int64 (n,): documents that share it
        are the same to any other."""
        keys = (self.files.media, self.files.content[:, 1], self.files.content[:, 0], self.copies)
        order = np.lexsort(keys)
        new = np.any([np.diff(key[order], prepend=key[order][:1]) != 0 for key in keys], axis=0)
        kinds = np.empty(self.count, np.int64)
        kinds[order] = np.cumsum(new)
        return kinds

    def central(self, demand: Demand, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """How many versions each of some documents has, int64; see cluster.keeper.degrees."""
        versions = self.ties(demand).versions
        counts = [versions[self.edges.of_document(stand)[1]].sum() for stand in self.copies[rows].tolist()]
        return np.array(counts, np.int64)

    def histogram(self, demand: Demand) -> Histogram:
        """The verified pairs by similarity (within the demand's radius and sources) and by distance."""
        all_distances = Demand(demand.similarity, demand.containment, MAX_RADIUS, passages=True)
        all_alike = Demand(BARS[0] / 100, demand.containment, demand.radius, demand.passages)
        by_distance = _remembered(self._distances, all_distances, lambda: self._by_distance(all_distances))
        by_similarity = _remembered(self._similarities, all_alike, lambda: self._by_similarity(all_alike))
        span = MAX_RADIUS + 1
        return Histogram(by_similarity, by_distance[:span], int(by_distance[span:].sum()))

    def _by_similarity(self, demand: Demand) -> NDArray[np.int64]:
        all_alike = self.measured.counts(demand)
        by_similarity = np.bincount(self._bars[np.flatnonzero(all_alike)], minlength=len(BARS))
        by_similarity[-1] = self._equal
        return by_similarity

    @functools.cached_property
    def _bars(self) -> NDArray[np.int64]:
        """The bar of each pair's similarity, int64 (m,)."""
        percents = np.minimum(99, np.floor(self.similarity * 100 + 1e-4)).astype(np.int64)
        bars: NDArray[np.int64] = np.clip((percents - BARS[0]) // 5, 0, len(BARS) - 2)
        return bars

    def _by_distance(self, demand: Demand) -> NDArray[np.int64]:
        distances = self.pairs.distance[np.flatnonzero(self.measured.counts(demand))]
        by_distance = np.bincount(distances, minlength=65).astype(np.int64)
        by_distance[0] += self._equal
        return by_distance

    @functools.cached_property
    def _equal(self) -> int:
        """How many documents repeat the words of another."""
        return int((self.copies != np.arange(self.count)).sum())

    def sources(self, demand: Demand) -> Sources:
        """How many of the versions that are shown each source found; copies of equal text are found by both."""
        versions = self.ties(demand).versions
        near = versions & (self.pairs.distance <= demand.radius)
        shared = versions & (self.evidence.resemblance >= demand.similarity)
        by_prints, by_passages, both = (int(np.count_nonzero(pairs)) for pairs in (near, shared, near & shared))
        return Sources(by_prints - both, both + self._equal, by_passages - both)

    def borderline(self, demand: Demand) -> NDArray[np.intp]:
        """The rows of the pairs that are shown on the border of the demand, ascending."""
        ties = self.ties(demand)
        return np.flatnonzero(ties.versions & (ties.confidence == Confidence.BORDERLINE))

    def border(self, demand: Demand) -> Border:
        """How many pairs lie on the border of the demand, on either side."""
        ties = self.ties(demand)
        near = np.flatnonzero(ties.confidence == Confidence.BORDERLINE)
        relations = ties.relation[near[~self.evidence.form[near]]]
        shown, hidden = (int((relations == relation).sum()) for relation in (Relation.VERSION, Relation.NONE))
        return Border(shown, hidden)

    @functools.cached_property
    def forms(self) -> list[NDArray[np.int32]]:
        """Families of filled-in forms: the rows of each, ascending, copies included, the largest first."""
        chosen = np.flatnonzero(self.evidence.form)
        left, right = self.pairs.left[chosen].astype(np.int32), self.pairs.right[chosen].astype(np.int32)
        roots = components(left, right, np.arange(self.count, dtype=np.int32))[self.copies]
        held = np.zeros(self.count, np.bool_)
        held[np.concatenate((left, right))] = True
        rows = np.flatnonzero(held[self.copies]).astype(np.int32)
        order = rows[np.argsort(roots[rows], kind="stable")]
        begins = np.flatnonzero(np.diff(roots[order], prepend=-1))
        families = [part.astype(np.int32) for part in np.split(order, begins[1:])] if len(order) else []
        return sorted(families, key=lambda part: (-len(part), int(part[0])))

    def tie_of(self, left: int, right: int, demand: Demand) -> tuple[Relation, float]:
        """(what the left document is to the right one, similarity) of any two rows."""
        stands = int(self.copies[left]), int(self.copies[right])
        if stands[0] == stands[1]:
            rows = np.array([left], np.int32), np.array([right], np.int32)
            return Relation(int(self.files.same_words(*rows)[0])), 1.0
        row = pair_row(self.pairs, *stands)
        if row < 0:
            return Relation.NONE, 0.0
        relation = Relation(int(self.ties(demand).relation[row]))
        if int(self.pairs.left[row]) != stands[0]:
            relation = {Relation.PART: Relation.WHOLE, Relation.WHOLE: Relation.PART}.get(relation, relation)
        return relation, float(self.similarity[row])

    def share_of(self, part: int, whole: int) -> float:
        """How much of a document's text is in another one, 0..1; 1 only where all of it was seen there."""
        stands = int(self.copies[part]), int(self.copies[whole])
        if stands[0] == stands[1]:
            return 1.0
        row = pair_row(self.pairs, *stands)
        if row < 0:
            return 0.0
        evidence, is_left = self.evidence, int(self.pairs.left[row]) == stands[0]
        share = float((evidence.left_in_right if is_left else evidence.right_in_left)[row])
        return min(share, MOST_ESTIMATED) if evidence.error[row] > 0 else share


def _remembered(
    kept: OrderedDict[Demand, _Made], demand: Demand, make: Callable[[], _Made], most: int = _REMEMBERED
) -> _Made:
    """What was made for a demand, or make it now; the demands asked for last are kept."""
    made = kept.get(demand)
    if made is None:
        made = kept[demand] = make()
        while len(kept) > most:
            kept.popitem(last=False)
    return made


def pair_row(pairs: Pairs, left: int, right: int) -> int:
    """The row of the pair (left, right), in either order; -1 when there is none. Pairs are sorted by (left, right)."""
    low, high = min(left, right), max(left, right)
    begin, end = np.searchsorted(pairs.left, [low, low + 1])
    place = begin + int(np.searchsorted(pairs.right[begin:end], high))
    return int(place) if place < end and int(pairs.right[place]) == high else -1
