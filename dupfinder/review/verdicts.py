"""What a person said of whole clusters: that they were looked at, or that their documents are no duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dupfinder.library.decisions import Decisions, StoredVerdict
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Clusters

NO_CONTAINER = -1


class VerdictKind(IntEnum):
    """What was said."""

    REVIEWED = 1
    APART = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said of some documents. container: the row that contains the others, NO_CONTAINER for a near cluster.

    It holds for a cluster that has no document besides these; when another joins, that is a new question.
    """

    kind: VerdictKind
    rows: frozenset[int]
    container: int = NO_CONTAINER

    @classmethod
    def of(cls, kind: VerdictKind, clusters: Clusters, place: int) -> Verdict:
        """A verdict about the cluster at a place."""
        container = int(clusters.keepers[place]) if clusters.ids[place] < 0 else NO_CONTAINER
        return cls(kind, frozenset(clusters.rows(place).tolist()), container)


class Verdicts:
    """The verdicts of a scan of `count` documents. Any thread may ask while one changes: the set is replaced whole."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._held: frozenset[Verdict] = frozenset()

    def change(self, added: Iterable[Verdict] = (), dropped: Iterable[Verdict] = ()) -> None:
        """Say some things, and take others back."""
        self._held = (self._held - frozenset(dropped)) | frozenset(added)

    def about(self, kind: VerdictKind, clusters: Clusters, place: int) -> tuple[Verdict, ...]:
        """The verdicts that hold for the cluster at a place."""
        here = Verdict.of(kind, clusters, place)
        return tuple(
            one for one in self._held if one.kind is kind and one.container == here.container and one.rows >= here.rows
        )

    def mask(self, kind: VerdictKind, clusters: Clusters) -> NDArray[np.bool_]:
        """For which clusters a verdict of this kind holds, bool (g,)."""
        found = np.zeros(len(clusters), np.bool_)
        held = [one for one in self._held if one.kind is kind]
        self._mark_near([one for one in held if one.container == NO_CONTAINER], clusters, found)
        places = {-2 - one.container: one for one in held if one.container != NO_CONTAINER}
        if places:
            for place in np.flatnonzero(np.isin(clusters.ids, list(places))).tolist():
                found[place] = bool(self.about(kind, clusters, place))
        return found

    def _mark_near(self, held: list[Verdict], clusters: Clusters, found: NDArray[np.bool_]) -> None:
        """A cluster is covered when as many of its documents are in one verdict as it has."""
        if not held or not len(clusters):
            return
        sizes = np.diff(clusters.starts)
        near = np.repeat(clusters.ids >= 0, sizes)
        place_of = np.full(self._count, -1, np.int64)
        place_of[clusters.members[near]] = np.repeat(np.arange(len(clusters)), sizes)[near]
        lengths = [len(one.rows) for one in held]
        rows = np.fromiter((row for one in held for row in one.rows), np.int64, sum(lengths))
        owner, at = np.repeat(np.arange(len(held)), lengths), place_of[rows]
        keys = np.sort((owner * len(clusters) + at)[at >= 0])
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        places = keys[begins] % len(clusters)
        found[places[np.diff(begins, append=len(keys)) == sizes[places]]] = True


def stored(verdict: Verdict, documents: Documents) -> StoredVerdict:
    """A verdict by paths and contents, as it is kept."""
    container = None if verdict.container == NO_CONTAINER else documents.paths[verdict.container]
    named = tuple(sorted((documents.paths[row], documents.content_hex(row)) for row in verdict.rows))
    return StoredVerdict(int(verdict.kind), container, named)


def restored(decisions: Decisions, documents: Documents) -> Iterator[Verdict]:
    """What was kept, as far as it speaks of documents that are here with the content they had."""
    kept = decisions.verdicts()
    rows = {path: row for row, path in enumerate(documents.paths)} if kept else {}
    for one in kept:
        here = [(rows[path], content) for path, content in one.documents if path in rows]
        same = frozenset(row for row, content in here if documents.content_hex(row) == content)
        container = NO_CONTAINER if one.container is None else rows.get(one.container)
        if same and container is not None and one.kind in set(VerdictKind):
            yield Verdict(VerdictKind(one.kind), same, container)
