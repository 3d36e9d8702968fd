"""The clusters of a scan at one radius and one least similarity, with everything the list of clusters shows."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.settings import DEFAULT_RADIUS
from dupfinder.cluster.groups import Edges, Groups
from dupfinder.cluster.keeper import claims, degrees, propose
from dupfinder.cluster.linkage import reach, representatives
from dupfinder.cluster.stars import stars_by_reach
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import ScanResult
from dupfinder.review.filters import Kind
from dupfinder.scan.matching import copy_hashes


@dataclass(frozen=True, slots=True)
class Histogram:
    """Candidate pairs by distance, int64 (w + 1,): those that reach the least similarity, and those that do not."""

    verified: NDArray[np.int64]
    unverified: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many clusters, documents in them, and bytes beyond one kept copy each."""

    clusters: int
    documents: int
    bytes_to_free: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """All clusters of one radius: first the near ones, then one for each document that contains others.

    groups: their members; ids are the smallest row, or -2 - row of the container.
    keepers: int32 (g,); kinds: uint8 (g,), Kind; lowest: float32 (g,), least similarity to the keeper;
    bytes_to_free: int64 (g,), without the keeper, and each file on disk once.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    keepers: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    lowest: NDArray[np.float32]
    bytes_to_free: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, place: int) -> NDArray[np.int32]:
        """The rows of the documents of the cluster at this place, ascending."""
        return self.members[self.starts[place] : self.starts[place + 1]]


class Grouping:
    """What follows from a scan's result and a least similarity, for every radius. Computed when asked, kept."""

    def __init__(self, result: ScanResult, min_similarity: float, min_containment: float) -> None:
        self.result = result
        self.min_similarity = min_similarity
        self.min_containment = min_containment
        documents, likeness = result.documents, result.likeness
        self.count = len(documents)
        self.widest = result.summary.widest_radius
        self.copies = representatives(copy_hashes(documents))
        self._accepted = likeness.accepted(min_similarity)
        self.pairs = result.pairs.take(self._accepted)
        self.likeness = likeness.take(self._accepted)
        self.reach = reach(self.pairs, self.likeness.sketched, min(DEFAULT_RADIUS, self.widest))
        self._central: dict[int, NDArray[np.int64]] = {}
        self._clusters: dict[int, Clusters] = {}

    def labels(self, radius: int) -> NDArray[np.int32]:
        """Group labels of a radius, int32 (n,); see cluster.stars."""
        labels: NDArray[np.int32] = self._labels[min(radius, self.widest)]
        return labels

    @functools.cached_property
    def _labels(self) -> NDArray[np.int32]:
        """The labels of every radius, int32 (w + 1, n): a step of the slider chooses a row."""
        return stars_by_reach(self.pairs, self.likeness.resemblance, self.reach, self.copies, self.widest)

    @functools.cached_property
    def edges(self) -> Edges:
        """The accepted pairs by document; their rows are rows of `pairs` and `likeness`."""
        return Edges.of(self.pairs, self.count)

    @functools.cached_property
    def contained(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """(container, part, share) of every contained document that is not a near-duplicate of its container.

        A filled-in form does not contain another filling, however much of it the form makes up.
        """
        pairs, likeness = self.result.pairs, self.result.likeness
        open_pairs = ~self._accepted & ~likeness.form
        found = []
        for share, part, container in (
            (likeness.left_in_right, pairs.left, pairs.right),
            (likeness.right_in_left, pairs.right, pairs.left),
        ):
            chosen = np.flatnonzero((share >= self.min_containment) & open_pairs)
            found.append((container[chosen], part[chosen], share[chosen]))
        container = np.concatenate([one[0] for one in found])
        part = np.concatenate([one[1] for one in found])
        share = np.concatenate([one[2] for one in found])
        order = np.lexsort((part, container))
        return container[order].astype(np.int32), part[order].astype(np.int32), share[order]

    @functools.cached_property
    def facts(self) -> NDArray[np.int64]:
        """What each document brings to be kept; see cluster.keeper.claims. A file of its own comes before any member
        of an archive."""
        found = self.result.documents
        facts = claims(found.protected, found.paths, found.media, found.inside_date, found.words, found.mtime_ns)
        facts[found.inside, 0] = -1
        return facts

    @functools.cached_property
    def histogram(self) -> Histogram:
        """Pairs by distance; copies count as verified pairs at distance 0."""
        span = self.widest + 1
        kept = np.bincount(self.result.pairs.distance, minlength=65)[:span]
        verified = np.bincount(self.pairs.distance, minlength=65)[:span]
        unverified = kept - verified + self.result.strangers[:span]
        verified[:1] += int((self.copies != np.arange(self.count)).sum())
        return Histogram(verified.astype(np.int64), unverified.astype(np.int64))

    def counts(self, radius: int) -> Counts:
        """The live numbers under the slider; the near clusters alone."""
        labels = self.labels(radius)
        near = self.clusters(radius)
        chosen = near.ids >= 0
        return Counts(int(chosen.sum()), int((labels >= 0).sum()), int(near.bytes_to_free[chosen].sum()))

    def central(self, radius: int) -> NDArray[np.int64]:
        """How central each document is at this radius, int64 (n,); see cluster.keeper.degrees."""
        if radius not in self._central:
            labels = self.labels(radius)
            chosen = (self.reach <= radius) & (labels[self.pairs.left] == labels[self.pairs.right])
            self._central[radius] = degrees(self.count, self.pairs.take(chosen))
        return self._central[radius]

    def clusters(self, radius: int) -> Clusters:
        """The clusters of a radius."""
        if radius not in self._clusters:
            self._clusters[radius] = self._build(radius)
        return self._clusters[radius]

    def _build(self, radius: int) -> Clusters:
        labels = self.labels(radius)
        groups = Groups.of(labels)
        keepers = propose(labels, self.copies, self.central(radius), self.facts)[groups.ids]
        near = Clusters(
            groups.ids,
            groups.starts,
            groups.members,
            keepers,
            self._kinds(groups, radius),
            self._lowest(groups, keepers, radius),
            self._space(groups.starts, groups.members, keepers),
        )
        return _joined(near, self._containers())

    def _kinds(self, groups: Groups, radius: int) -> NDArray[np.uint8]:
        place = np.full(self.count, -1, np.int64)
        place[groups.members] = np.repeat(np.arange(len(groups)), np.diff(groups.starts))
        kinds = np.full(len(groups), Kind.EXACT, np.uint8)
        hashes = self.result.documents.content_hash
        first = groups.members[groups.starts[:-1]] if len(groups) else groups.ids
        other_bytes = (hashes[groups.members] != np.repeat(hashes[first], np.diff(groups.starts), axis=0)).any(axis=1)
        kinds[place[groups.members[other_bytes]]] = Kind.SAME_TEXT
        several = self.copies[groups.members] != np.repeat(self.copies[first], np.diff(groups.starts))
        kinds[place[groups.members[several]]] = Kind.NEAR
        return kinds

    def _lowest(self, groups: Groups, keepers: NDArray[np.int32], radius: int) -> NDArray[np.float32]:
        """Least similarity to the keeper; for a member without a verified pair with it, that of its own pairs."""
        labels = self.labels(radius)
        now = (self.reach <= radius) & (labels[self.pairs.left] == labels[self.pairs.right])
        left, right, resemblance = self.pairs.left[now], self.pairs.right[now], self.likeness.resemblance[now]
        centre = np.zeros(self.count, np.bool_)
        centre[self.copies[keepers]] = True
        tied = np.full(self.count, -1, np.float32)
        best = np.full(self.count, -1, np.float32)
        for here, there in ((left, right), (right, left)):
            np.maximum.at(best, here, resemblance)
            chosen = centre[there]
            np.maximum.at(tied, here[chosen], resemblance[chosen])
        stands = self.copies[groups.members]
        values = np.where(tied >= 0, tied, best)[stands]
        values[centre[stands]] = 1.0
        return np.minimum.reduceat(values, groups.starts[:-1]) if len(groups) else values

    def _space(
        self, starts: NDArray[np.int64], members: NDArray[np.int32], keepers: NDArray[np.int32]
    ) -> NDArray[np.int64]:
        sizes, inside = self.result.documents.removable, self.result.documents.inside
        sums = np.concatenate(([0], np.cumsum(sizes[members])))
        without_keeper = sums[starts[1:]] - sums[starts[:-1]] - sizes[keepers]
        return np.where(inside[keepers], 0, without_keeper).astype(np.int64)

    def _containers(self) -> Clusters:
        container, part, share = self.contained
        begins = np.flatnonzero(np.diff(container, prepend=-1))
        lengths = np.diff(np.append(begins, len(container)))
        keepers = container[begins]
        # The container is the first of its members: one place more for each run of parts.
        members = np.insert(part, begins, keepers).astype(np.int32)
        starts = np.concatenate(([0], np.cumsum(lengths + 1))).astype(np.int64)
        lowest = np.minimum.reduceat(share, begins) if len(begins) else np.empty(0, np.float32)
        return Clusters(
            (-2 - keepers).astype(np.int32),
            starts,
            members,
            keepers,
            np.full(len(begins), Kind.CONTAINED, np.uint8),
            lowest.astype(np.float32),
            self._space(starts, members, keepers),
        )


def _joined(near: Clusters, contained: Clusters) -> Clusters:
    return Clusters(
        np.concatenate((near.ids, contained.ids)),
        np.concatenate((near.starts, contained.starts[1:] + near.starts[-1])),
        np.concatenate((near.members, contained.members)),
        np.concatenate((near.keepers, contained.keepers)),
        np.concatenate((near.kinds, contained.kinds)),
        np.concatenate((near.lowest, contained.lowest)),
        np.concatenate((near.bytes_to_free, contained.bytes_to_free)),
    )


def pair_row(pairs: Pairs, left: int, right: int) -> int:
    """The row of the pair (left, right), in either order; -1 when there is none. Pairs are sorted by (left, right)."""
    low, high = min(left, right), max(left, right)
    begin, end = np.searchsorted(pairs.left, [low, low + 1])
    place = begin + int(np.searchsorted(pairs.right[begin:end], high))
    return int(place) if place < end and int(pairs.right[place]) == high else -1
