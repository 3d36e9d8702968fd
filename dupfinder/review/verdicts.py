"""What a person said of whole clusters: that they were looked at, or that their documents are no duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.library.decisions import Decisions, StoredVerdict
from dupfinder.library.decisions import VerdictKind as VerdictKind
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Clusters


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said of some documents. It holds for a group that has no document besides these; when another joins,
    that is a new question.
    """

    kind: VerdictKind
    rows: frozenset[int]

    @classmethod
    def of(cls, kind: VerdictKind, clusters: Clusters, place: int) -> Verdict:
        """A verdict about the cluster at a place."""
        return cls(kind, frozenset(clusters.rows(place).tolist()))


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
        return tuple(verdict for verdict in self._held if verdict.kind is kind and verdict.rows >= here.rows)

    def covers(self, kind: VerdictKind, rows: Iterable[int]) -> bool:
        """Say whether a verdict of this kind holds for some documents together."""
        asked = frozenset(rows)
        return any(verdict.kind is kind and verdict.rows >= asked for verdict in self._held)

    def mask(self, kind: VerdictKind, clusters: Clusters) -> NDArray[np.bool_]:
        """For which clusters a verdict of this kind holds, bool (g,)."""
        found = np.zeros(len(clusters), np.bool_)
        held = [verdict for verdict in self._held if verdict.kind is kind]
        self._mark_covered(held, clusters, found)
        return found

    def _mark_covered(self, held: list[Verdict], clusters: Clusters, found: NDArray[np.bool_]) -> None:
        """A cluster is covered when as many of its documents are in one verdict as it has."""
        if not held or not len(clusters):
            return
        sizes = np.diff(clusters.starts)
        place_of = np.full(self._count, -1, np.int64)
        place_of[clusters.members] = clusters.places
        lengths = [len(one.rows) for one in held]
        rows = np.fromiter((row for one in held for row in one.rows), np.int64, sum(lengths))
        owner, at = np.repeat(np.arange(len(held)), lengths), place_of[rows]
        keys = np.sort((owner * len(clusters) + at)[at >= 0])
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        places = keys[begins] % len(clusters)
        found[places[np.diff(begins, append=len(keys)) == sizes[places]]] = True


def stored(verdict: Verdict, documents: Documents) -> StoredVerdict:
    """A verdict by paths and contents, as it is kept."""
    named = tuple(sorted((documents.paths[row], documents.content_hex(row)) for row in verdict.rows))
    return StoredVerdict(int(verdict.kind), None, named)


def restored(decisions: Decisions, documents: Documents) -> Iterator[Verdict]:
    """What was kept, as far as it speaks of documents that are here with the content they had."""
    kept = decisions.verdicts()
    rows = {path: row for row, path in enumerate(documents.paths)} if kept else {}
    for one in kept:
        here = [(rows[path], content) for path, content in one.documents if path in rows]
        same = frozenset(row for row, content in here if documents.content_hex(row) == content)
        if same and one.kind in set(VerdictKind):
            yield Verdict(VerdictKind(one.kind), same)
