"""Survivors: for each marked document an unmarked file that keeps what it said. No survivor, no mark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import Plan, Step, Verb, Witness
from dupfinder.base.errors import WhyLast
from dupfinder.cluster.relation import MOST_ESTIMATED, Demand, Relation, reversed_of
from dupfinder.library.rows import ScanResult
from dupfinder.review.grouping import Grouping, Stacks, spans

_MOST_PAIRS: Final = 2_000_000  # of a marked file and a copy of it, looked at together
_BY_RELATION: Final = {
    Relation.PART: WhyLast.PART,
    Relation.WHOLE: WhyLast.WHOLE,
    Relation.SAME_FORM: WhyLast.FORM,
}  # what a document is to one that stays, and why this is not enough; the first that is true is named
_REASONS: Final = tuple(WhyLast)
_MIRRORED: Final = np.array([reversed_of(relation) for relation in Relation], np.uint8)


@dataclass(frozen=True, slots=True)
class Choices:
    """The survivor that each of m documents gives way to.

    rows:       int32 (m,), the survivor's row, -1 where there is none.
    relation:   uint8 (m,), Relation, what the document is to it (NONE where there is none).
    similarity: float32 (m,), how similar the two are, 0..1.
    share:      float32 (m,), how much of the document's text is in the survivor, 0..1; 1 only where all was seen there.
    """

    rows: NDArray[np.int32]
    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    share: NDArray[np.float32]

    @classmethod
    def none(cls, count: int) -> Choices:
        """Make `count` choices that are still open."""
        rows, relation = np.full(count, -1, np.int32), np.full(count, Relation.NONE, np.uint8)
        return cls(rows, relation, np.zeros(count, np.float32), np.ones(count, np.float32))

    def set(
        self,
        at: NDArray[np.intp],
        rows: NDArray[np.int32],
        relation: NDArray[np.int64] | Relation,
        similarity: NDArray[np.float32] | float,
    ) -> None:
        """Fill in some of them."""
        self.rows[at], self.relation[at], self.similarity[at] = rows, relation, similarity


class Survivors:
    """Which documents have a survivor under some marks and one demand.

    The survivor of a document is an unmarked file of its own that is identical to it, has the same text or words, or is
    a version of it by a verified pair. A document that is marked as a part needs an unmarked whole instead. A member of
    an archive is no survivor, even where the reviewer said Keep: a removal could not check it under its own name.
    marked, parts, away: bool (n,); parts: which of the marked are marked as parts; away: gone or
    changed since the scan.
    """

    def __init__(
        self,
        grouping: Grouping,
        demand: Demand,
        marked: NDArray[np.bool_],
        parts: NDArray[np.bool_],
        away: NDArray[np.bool_],
    ) -> None:
        self._grouping, self._demand = grouping, demand
        self._ties = grouping.ties(demand)
        self._marked, self._parts = marked, parts
        self._stays = ~marked & ~away & ~grouping.files.inside
        self._alive = np.bincount(grouping.copies[self._stays], minlength=grouping.count) > 0

    def without(self) -> NDArray[np.bool_]:
        """The marked documents that have no survivor, bool (n,)."""
        copies = self._grouping.copies
        kept = self._alive | self._reaches(Relation.VERSION)
        held = kept | self._reaches(Relation.PART)
        return self._marked & ~np.where(self._parts, held[copies], kept[copies])

    def near(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which documents could be a survivor of some of these, marked or not, bool (n,)."""
        pairs, relation = self._grouping.pairs, self._ties.relation
        theirs = np.zeros(self._grouping.count, np.bool_)
        theirs[self._grouping.copies[rows]] = True
        reached = theirs.copy()
        tied = np.isin(relation, (Relation.VERSION, Relation.PART, Relation.WHOLE))
        left, right = pairs.left[tied], pairs.right[tied]
        reached[right[theirs[left]]] = True
        reached[left[theirs[right]]] = True
        return reached[self._grouping.copies]

    # ---- the survivor of each -------------------------------------------------------------------------------------
    def choose(self, rows: NDArray[np.intp], preferred: NDArray[np.bool_]) -> Choices:
        """Choose the closest survivor of each of m documents: a copy by the closest relation, else the most similar
        version, else, of what is marked as a part, the whole with the most of it. Of equal ones a file that is
        `preferred`, bool (n,), then the lowest row."""
        choices = Choices.none(len(rows))
        alive = self._alive[self._grouping.copies[rows]]
        with_copies = np.flatnonzero(alive)
        stays = self._staying_copies(rows[with_copies], preferred)
        sizes = stays.sizes(self._grouping.copies[rows[with_copies]])
        for at in np.split(with_copies, _cuts(sizes)):
            self._choose_copies(choices, rows, at, stays, preferred)
        first = self._first_of_each(preferred)
        rest = np.flatnonzero(~alive)
        self._choose_tied(choices, rows, rest, Relation.VERSION, first)
        rest = rest[(choices.rows[rest] < 0) & self._parts[rows[rest]]]
        self._choose_tied(choices, rows, rest, Relation.PART, first)
        return choices

    def _staying_copies(self, rows: NDArray[np.intp], preferred: NDArray[np.bool_]) -> Stacks:
        """The staying files with the words of some documents. Of files with the same bytes and format the best two on
        different disks are enough, since all are the same to any document."""
        grouping = self._grouping
        asked = np.zeros(grouping.count, np.bool_)
        asked[grouping.copies[rows]] = True
        stays = np.flatnonzero(self._stays & asked[grouping.copies])
        order = stays[np.argsort(grouping.kinds[stays] * 2 + ~preferred[stays], kind="stable")]
        kinds, disk = grouping.kinds[order], grouping.files.disk[order]
        is_first = np.diff(kinds, prepend=-1) != 0
        first = np.flatnonzero(is_first)
        elsewhere = np.flatnonzero(disk != disk[first][np.cumsum(is_first) - 1])
        second = elsewhere[np.diff(kinds[elsewhere], prepend=-1) != 0]
        return Stacks.of(order[np.sort(np.concatenate((first, second)))], grouping.copies)

    def _choose_copies(
        self,
        choices: Choices,
        rows: NDArray[np.intp],
        at: NDArray[np.intp],
        stays: Stacks,
        preferred: NDArray[np.bool_],
    ) -> None:
        """Choose among the copies of documents `rows[at]`: on another disk first, then the closest relation."""
        grouping, count = self._grouping, self._grouping.count
        owner, other = stays.joined(grouping.copies[rows[at]])
        mine = rows[at][owner]
        owner, other, mine = (column[mine != other] for column in (owner, other, mine))
        disk = grouping.files.disk
        elsewhere = disk[mine] != disk[other]  # another name of the same file saves no room
        relation = grouping.files.same_words(mine.astype(np.int32), other.astype(np.int32)).astype(np.int64)
        worth = ((elsewhere * len(Relation) + relation) * 2 + preferred[other]) * count + (count - 1 - other)
        best = np.full(len(at), -1, np.int64)
        np.maximum.at(best, owner, worth)
        chosen = best >= 0
        kinds = best[chosen] // count // 2 % len(Relation)
        choices.set(at[chosen], (count - 1 - best[chosen] % count).astype(np.int32), kinds, 1.0)

    def _choose_tied(
        self, choices: Choices, rows: NDArray[np.intp], at: NDArray[np.intp], wanted: Relation, first: NDArray[np.int64]
    ) -> None:
        """Choose among the documents that `rows[at]` are `wanted` to by a verified pair: of versions the most similar,
        of wholes that with the most of the part. first: see `_first_of_each`."""
        grouping = self._grouping
        edges, pairs, evidence = grouping.edges, grouping.pairs, grouping.evidence
        stands = grouping.copies[rows[at]]
        owner, edge = spans(edges.starts, stands)
        other, pair = edges.other[edge], edges.row[edge]
        is_left = pairs.left[pair] == stands[owner]
        relation = np.where(is_left, self._ties.relation[pair], _MIRRORED[self._ties.relation[pair]])
        usable = self._alive[other] & (relation == wanted)
        owner, other, pair, is_left = (column[usable] for column in (owner, other, pair, is_left))
        share = np.where(is_left, evidence.left_in_right[pair], evidence.right_in_left[pair])
        worth = self._ties.similarity[pair] if wanted is Relation.VERSION else share
        order = np.lexsort((other, -worth, owner))
        best = order[np.diff(owner[order], prepend=-1) != 0]
        survivors = (first[other[best]] % grouping.count).astype(np.int32)
        choices.set(at[owner[best]], survivors, wanted, self._ties.similarity[pair[best]])
        most = np.where(evidence.error[pair[best]] > 0, MOST_ESTIMATED, 1)
        choices.share[at[owner[best]]] = np.minimum(share[best], most)

    def _first_of_each(self, preferred: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each row that stands for its copies the staying one that is preferred, then the lowest, int64 (n,); a
        number that is the row modulo n."""
        count, copies = self._grouping.count, self._grouping.copies
        stays = np.flatnonzero(self._stays)
        first = np.full(count, 2 * count, np.int64)
        np.minimum.at(first, copies[stays], np.where(preferred[stays], 0, count) + stays)
        return first

    # ---- why there is none ----------------------------------------------------------------------------------------
    def reasons(self, rows: NDArray[np.intp]) -> list[WhyLast]:
        """Say of each document why it has no survivor."""
        grouping = self._grouping
        clusters, place_of = grouping.clusters(self._demand), grouping.place_of(self._demand)
        stands, places = grouping.copies[rows], place_of[rows]
        family = np.bincount(clusters.places[self._stays[clusters.members]], minlength=len(clusters) + 1)
        own = np.bincount(grouping.copies[self._stays], minlength=grouping.count)
        unlike = (places >= 0) & (family[places] > own[stands])
        kinds = np.where(unlike, _REASONS.index(WhyLast.DISTANT), _REASONS.index(WhyLast.ALONE))
        for relation, why in reversed(_BY_RELATION.items()):
            kinds[self._reaches(relation)[stands]] = _REASONS.index(why)
        return [_REASONS[kind] for kind in kinds.tolist()]

    def why(self, row: int) -> tuple[WhyLast, int]:
        """(why a document has no survivor, the row of the other document that this is about; -1 for none)."""
        (why,) = self.reasons(np.array([row]))
        grouping, stand = self._grouping, int(self._grouping.copies[row])
        for relation, kind in _BY_RELATION.items():
            if kind is why:
                others, pairs = grouping.edges.of_document(stand)
                given = self._ties.relation[pairs]
                towards = np.where(grouping.pairs.left[pairs] == stand, given, _MIRRORED[given])
                for other in others[self._alive[others] & (towards == relation)].tolist():
                    return why, self._first(other)
        if why is WhyLast.DISTANT:
            members = grouping.clusters(self._demand).rows(int(grouping.place_of(self._demand)[row]))
            return why, int(members[(grouping.copies[members] != stand) & self._stays[members]][0])
        return why, -1

    def _first(self, stand: int) -> int:
        rows = self._grouping.stacks.rows_of(stand)
        return int(rows[self._stays[rows]][0])

    def _reaches(self, relation: Relation) -> NDArray[np.bool_]:
        """Which rows that stand for their copies are `relation` to a document of which a file stays, bool (n,)."""
        pairs, given = self._grouping.pairs, self._ties.relation
        reached = np.zeros(self._grouping.count, np.bool_)
        for here, there, wanted in ((pairs.left, pairs.right, relation),
                                    (pairs.right, pairs.left, _MIRRORED[relation])):  # fmt: skip
            chosen = given == wanted
            reached[here[chosen][self._alive[there[chosen]]]] = True
        return reached


def _cuts(sizes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Where to cut a sequence so that no piece has many more than _MOST_PAIRS in all."""
    return np.flatnonzero(np.diff(np.cumsum(sizes) // _MOST_PAIRS)) + 1


def make_plan(
    result: ScanResult,
    marked: NDArray[np.int64],
    survivors: Choices,
    verb: Verb,
    destination: Path | None,
    demand: Demand,
) -> Plan:
    """Make a step for each marked row, int64 (m,), that has a survivor. Nothing inside an archive has a step or is a
    survivor."""
    inside = result.documents.inside
    chosen = np.flatnonzero((survivors.rows >= 0) & ~inside[marked] & ~inside[survivors.rows])
    steps = [
        Step(
            verb,
            _witness(result, int(marked[at])),
            _witness(result, int(survivors.rows[at])),
            Relation(int(survivors.relation[at])),
            round(float(survivors.similarity[at]), 6),
            round(float(survivors.share[at]), 6) if survivors.relation[at] == Relation.PART else None,
        )
        for at in chosen.tolist()
    ]
    roots = result.summary.roots
    return Plan(
        steps=tuple(steps),
        roots=tuple(path for path, role in roots if role == "scan"),
        protected=tuple(path for path, role in roots if role == "protect"),
        destination=destination,
        min_similarity=demand.similarity,
        min_containment=demand.containment,
        radius=demand.radius,
        scan_name=result.summary.name,
    )


def _witness(result: ScanResult, row: int) -> Witness:
    return Witness(result.documents.stamp(row), result.documents.content_hex(row))
