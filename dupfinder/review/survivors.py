"""Survivors: which unmarked file keeps the content of each marked document, and why a document has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.plan import KnownFile, Plan, Step, Verb
from dupfinder.base import columns
from dupfinder.base.columns import Ragged
from dupfinder.base.errors import LastCopyReason
from dupfinder.cluster.relation import MOST_ESTIMATED, REVERSED, Demand, Relation
from dupfinder.library.rows import Documents, ScanResult
from dupfinder.review.grouping import Grouping, stacks_of

_MOST_PAIRS: Final = 500_000  # of a marked file and a copy of it, compared in one batch
# Relations that are not enough for a survivor, and the reason to give: the first one that applies.
NOT_ENOUGH: Final = {
    Relation.PART: LastCopyReason.PART,
    Relation.WHOLE: LastCopyReason.HAS_MORE,
    Relation.SAME_FORM: LastCopyReason.FORM,
}
_REASONS: Final = tuple(LastCopyReason)


@dataclass(frozen=True, slots=True)
class ChosenSurvivors(columns.Columns):
    """The chosen survivor of each of m documents.

    rows:       int32 (m,), the survivor's row, -1 for none.
    relation:   uint8 (m,), Relation of the document to it (NONE for none).
    similarity: float32 (m,), of the two, 0..1.
    share:      float32 (m,), share of the document's text in the survivor, 0..1; estimates are less than 1.
    """

    rows: NDArray[np.int32]
    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    share: NDArray[np.float32]

    @classmethod
    def unchosen(cls, count: int) -> ChosenSurvivors:
        """Return `count` choices without survivors."""
        rows, relation = np.full(count, -1, np.int32), np.full(count, Relation.NONE, np.uint8)
        return cls(rows, relation, np.zeros(count, np.float32), np.ones(count, np.float32))

    def relations(self) -> dict[Relation, int]:
        """Return the number of documents by relation to their survivor."""
        counts = np.bincount(self.relation, minlength=len(Relation)).tolist()
        return {relation: counts[relation] for relation in Relation if counts[relation]}

    def set(
        self,
        positions: NDArray[np.intp],
        rows: NDArray[np.int32],
        relation: NDArray[np.uint8] | Relation,
        similarity: NDArray[np.float32] | float,
    ) -> None:
        """Set the choices at some positions."""
        self.rows[positions], self.relation[positions], self.similarity[positions] = rows, relation, similarity


class Survivors:
    """Which documents have a survivor under some marks and one demand.

    The survivor of a document is an unmarked ordinary file that is identical, has the same text or words, or is a
    version by a verified pair. For a document marked as a part, an unmarked whole is enough too. A document that was
    read only in part needs an identical one. A member of an archive is no survivor, even if the reviewer keeps it: a
    removal could not check it.

    marked, parts, unavailable: bool (n,). parts: marked as parts. unavailable: missing or changed since the scan.
    """

    def __init__(
        self,
        grouping: Grouping,
        demand: Demand,
        marked: NDArray[np.bool_],
        parts: NDArray[np.bool_],
        unavailable: NDArray[np.bool_],
    ) -> None:
        self._grouping, self._demand = grouping, demand
        self._relations = grouping.relations(demand)
        self._marked, self._parts = marked, parts
        self._stays = ~marked & ~unavailable & ~grouping.files.inside
        # bool (n,), by representative
        self._has_staying_copy = np.bincount(grouping.representative[self._stays], minlength=grouping.count) > 0

    def lost(self) -> NDArray[np.bool_]:
        """Return which marked documents have no survivor, bool (n,)."""
        representative = self._grouping.representative
        survives = self._has_staying_copy | self._reaches(Relation.VERSION, self._marked)
        part_survives = survives | self._reaches(Relation.PART, self._marked & self._parts)
        enough = np.where(self._parts, part_survives[representative], survives[representative])
        return self._marked & ~np.where(self._grouping.read_in_part, self._has_staying_copy[representative], enough)

    def possible_survivors(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which documents, marked or not, could be survivors of some of these rows: bool (n,)."""
        pairs, relation = self._grouping.pairs, self._relations.relation
        asked = columns.row_mask(self._grouping.count, self._grouping.representative[rows])
        reached = asked.copy()
        tied = np.isin(relation, (Relation.VERSION, Relation.PART, Relation.WHOLE))
        left, right = pairs.left[tied], pairs.right[tied]
        reached[right[asked[left]]] = True
        reached[left[asked[right]]] = True
        return reached[self._grouping.representative]

    # ---- the survivor of each -------------------------------------------------------------------------------------
    def choose(self, rows: NDArray[np.intp], preferred: NDArray[np.bool_]) -> ChosenSurvivors:
        """Choose the best survivor of each of m documents.

        A copy by the closest relation, else the most similar version, else, for a document marked as a part, the whole
        with the largest share of it. Among equal ones a `preferred` file, bool (n,), then the lowest row.
        """
        choices = ChosenSurvivors.unchosen(len(rows))
        alive = self._has_staying_copy[self._grouping.representative[rows]]
        with_copies = np.flatnonzero(alive)
        stays = self._staying_copies(rows[with_copies], preferred)
        sizes = stays.lengths[self._grouping.representative[rows[with_copies]]]
        ends = np.flatnonzero(np.diff(np.cumsum(sizes) // _MOST_PAIRS)) + 1  # few pieces have more than _MOST_PAIRS
        for positions in np.split(with_copies, ends):
            self._choose_copies(choices, rows, positions, stays, preferred)
        first = self._first_of_each(preferred)
        rest = np.flatnonzero(~alive & ~self._grouping.read_in_part[rows])
        self._choose_related(choices, rows, rest, Relation.VERSION, first)
        parts = rest[(choices.rows[rest] < 0) & self._parts[rows[rest]]]
        self._choose_related(choices, rows, parts, Relation.PART, first)
        return choices

    def _staying_copies(self, rows: NDArray[np.intp], preferred: NDArray[np.bool_]) -> Ragged:
        """Return the staying files with the words of some documents.

        Files with the same bytes and format have the same relation to any document. Of these, two are enough: the best,
        and the best that is not a hard link to it.
        """
        grouping = self._grouping
        are_asked = columns.row_mask(grouping.count, grouping.representative[rows])
        stays = np.flatnonzero(self._stays & are_asked[grouping.representative])
        order = stays[np.argsort(grouping.kinds[stays] * 2 + ~preferred[stays], kind="stable")]
        kinds, disk_file = grouping.kinds[order], grouping.files.disk_file[order]
        is_first = np.diff(kinds, prepend=-1) != 0
        first = np.flatnonzero(is_first)
        not_linked = np.flatnonzero(disk_file != disk_file[first][np.cumsum(is_first) - 1])
        second = not_linked[np.diff(kinds[not_linked], prepend=-1) != 0]
        return stacks_of(order[np.sort(np.concatenate((first, second)))], grouping.representative)

    def _choose_copies(
        self,
        choices: ChosenSurvivors,
        rows: NDArray[np.intp],
        positions: NDArray[np.intp],
        stays: Ragged,
        preferred: NDArray[np.bool_],
    ) -> None:
        """Choose among the copies of the documents at some positions: hard links last, then the closest relation."""
        grouping, count = self._grouping, self._grouping.count
        owner, index = columns.spans(stays.starts, grouping.representative[rows[positions]])
        other = stays.values[index]
        document = rows[positions][owner]
        owner, other, document = (column[document != other] for column in (owner, other, document))
        disk_file = grouping.files.disk_file
        frees = disk_file[document] != disk_file[other]  # removing one of two hard links frees nothing
        relation = grouping.files.same_words(document.astype(np.int32), other.astype(np.int32))
        # In this order: frees space, the closest relation, preferred, the lowest row.
        worth = ((frees * len(Relation) + relation) * 2 + preferred[other]) * count - other
        most = np.zeros(len(positions), np.int64)
        np.maximum.at(most, owner, worth)
        best = worth == most[owner]
        choices.set(positions[owner[best]], other[best].astype(np.int32), relation[best], 1.0)

    def _choose_related(
        self,
        choices: ChosenSurvivors,
        rows: NDArray[np.intp],
        positions: NDArray[np.intp],
        relation: Relation,
        first: NDArray[np.int32],
    ) -> None:
        """Choose among the documents to which `rows[positions]` have `relation` by a verified pair.

        Of versions the most similar, of wholes the one with the largest share of the part. first: see `_first_of_each`.
        """
        grouping, evidence = self._grouping, self._grouping.evidence
        asked = columns.row_mask(grouping.count, grouping.representative[rows[positions]])
        of_left, of_right = self._related(relation, asked)
        both_sides = zip(of_left, of_right, strict=True)
        document, other, pair = (np.concatenate(column).astype(np.int64) for column in both_sides)
        share = np.concatenate((evidence.left_in_right[of_left[2]], evidence.right_in_left[of_right[2]]))
        worth = grouping.similarity[pair] if relation is Relation.VERSION else share
        order = np.lexsort((other, -worth, document))
        best_edges = order[np.diff(document[order], prepend=-1) != 0]
        best_edge_of = np.full(grouping.count, -1, np.int32)
        best_edge_of[document[best_edges]] = best_edges
        best = best_edge_of[grouping.representative[rows[positions]]]
        positions, best = positions[best >= 0], best[best >= 0]
        choices.set(positions, first[other[best]], relation, grouping.similarity[pair[best]])
        most = np.where(evidence.error[pair[best]] > 0, MOST_ESTIMATED, 1)
        choices.share[positions] = np.minimum(share[best], most)

    def _first_of_each(self, preferred: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the first staying copy of each representative, a preferred one if any: int32 (n,), n for none."""
        count, representative = self._grouping.count, self._grouping.representative
        first, first_preferred = np.full((2, count), count, np.int32)
        for column, stays in ((first, self._stays), (first_preferred, self._stays & preferred)):
            rows = np.flatnonzero(stays)
            np.minimum.at(column, representative[rows], rows.astype(np.int32))
        return np.where(first_preferred < count, first_preferred, first)

    # ---- why there is no survivor ---------------------------------------------------------------------------------
    def reasons(self, rows: NDArray[np.intp]) -> list[LastCopyReason]:
        """Return for each document why it has no survivor."""
        grouping = self._grouping
        clusters, positions_of = grouping.clusters(self._demand), grouping.positions_of(self._demand)
        representatives, positions = grouping.representative[rows], positions_of[rows]
        staying_members = np.bincount(clusters.positions[self._stays[clusters.members]], minlength=len(clusters) + 1)
        staying_copies = np.bincount(grouping.representative[self._stays], minlength=grouping.count)
        others_stay = (positions >= 0) & (staying_members[positions] > staying_copies[representatives])
        reasons = np.where(others_stay, _REASONS.index(LastCopyReason.DISTANT), _REASONS.index(LastCopyReason.ALONE))
        asked = columns.row_mask(grouping.count, rows)
        for relation, why in reversed(NOT_ENOUGH.items()):
            reasons[self._reaches(relation, asked)[representatives]] = _REASONS.index(why)
        reasons[grouping.read_in_part[rows] & others_stay] = _REASONS.index(LastCopyReason.READ_IN_PART)
        return [_REASONS[reason] for reason in reasons.tolist()]

    def why(self, row: int) -> tuple[LastCopyReason, int]:
        """Return (why a document has no survivor, row of the other document that the reason refers to, or -1)."""
        (why,) = self.reasons(np.array([row]))
        grouping, representative = self._grouping, int(self._grouping.representative[row])
        for relation, kind in NOT_ENOUGH.items():
            if kind is why:
                asked = np.arange(grouping.count) == representative
                (_, left, _), (_, right, _) = self._related(relation, asked)
                return why, self._first(min((*left.tolist(), *right.tolist())))
        if why is LastCopyReason.DISTANT:
            members = grouping.clusters(self._demand).rows(int(grouping.positions_of(self._demand)[row]))
            return why, int(members[(grouping.representative[members] != representative) & self._stays[members]][0])
        return why, -1

    def _first(self, representative: int) -> int:
        """Return the first staying copy of a representative."""
        rows = self._grouping.stacks[representative]
        return int(rows[self._stays[rows]][0])

    def _reaches(self, relation: Relation, documents: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which representatives of some documents have `relation` to one of which a copy stays, bool (n,)."""
        asked = columns.row_mask(self._grouping.count, self._grouping.representative[documents])
        related = self._related(relation, asked) if asked.any() else ()
        return columns.row_mask(self._grouping.count, *(documents for documents, _, _ in related))

    def _related(
        self, relation: Relation, asked: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int32]]]:
        """Yield the pairs in which a document has `relation` to another document of which a copy stays.

        Yields (documents, other documents, rows of the pairs) twice: for pairs with the document at the left, and for
        pairs with it at the right.
        asked: bool (n,), the representatives whose pairs to yield.
        """
        pairs, relations = self._grouping.pairs, self._relations.relation
        for documents, others, required in ((pairs.left, pairs.right, relation),
                                            (pairs.right, pairs.left, REVERSED[relation])):  # fmt: skip
            rows = np.flatnonzero(relations == required).astype(np.int32)
            rows = rows[self._has_staying_copy[others[rows]]]
            rows = rows[asked[documents[rows]]]
            yield documents[rows], others[rows], rows


class PlanSteps(Sequence[Step]):
    """The steps of a plan, each made when it is accessed: half a million as objects would take a gigabyte.

    victims: int64 (m,), rows of `documents`. survivors: of each of them.
    """

    def __init__(
        self, documents: Documents, victims: NDArray[np.int64], survivors: ChosenSurvivors, verb: Verb
    ) -> None:
        self.documents, self.victims, self.survivors, self.verb = documents, victims, survivors, verb

    def __len__(self) -> int:
        return len(self.victims)

    @overload
    def __getitem__(self, number: int) -> Step: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, number: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(number, slice):
            return tuple(self[index] for index in range(len(self))[number])
        survivors, relation = self.survivors, Relation(int(self.survivors.relation[number]))
        share = round(float(survivors.share[number]), 6) if relation is Relation.PART else None
        victim, keeper = (
            KnownFile(self.documents.stamp(row), self.documents.content_hex(row))
            for row in (int(self.victims[number]), int(survivors.rows[number]))
        )
        return Step(self.verb, victim, keeper, relation, round(float(survivors.similarity[number]), 6), share)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment] # like a list, it equals other sequences

    def where(self, chosen: NDArray[np.bool_]) -> PlanSteps:
        """Return some of the steps. chosen: bool (m,)."""
        return PlanSteps(self.documents, self.victims[chosen], self.survivors.take(chosen), self.verb)

    @property
    def linkable(self) -> NDArray[np.bool_]:
        """Which victims can become hard links to their keepers, bool (m,): the same bytes on the same volume.

        A protected keeper must not change with a link to it.
        """
        device, keepers = self.documents.device, self.survivors.rows
        identical = (self.survivors.relation == Relation.IDENTICAL) & ~self.documents.protected[keepers]
        linkable: NDArray[np.bool_] = identical & (device[self.victims] == device[keepers])
        return linkable

    @property
    def bytes(self) -> int:
        """The size of all victims."""
        return int(self.documents.size[self.victims].sum())


def make_plan(
    result: ScanResult,
    marked: NDArray[np.int64],
    survivors: ChosenSurvivors,
    verb: Verb,
    destination: Path | None,
    demand: Demand,
) -> Plan:
    """Return a plan with a step for each marked row, int64 (m,), that has a survivor; its steps are `PlanSteps`.

    No step removes a member of an archive or relies on such a survivor.
    """
    inside = result.documents.inside
    chosen = (survivors.rows >= 0) & ~inside[marked] & ~inside[survivors.rows]
    roots = result.summary.roots
    return Plan(
        steps=PlanSteps(result.documents, marked, survivors, verb).where(chosen),
        roots=tuple(path for path, role in roots if role == "scan"),
        protected=tuple(path for path, role in roots if role == "protect"),
        destination=destination,
        min_similarity=demand.similarity,
        min_containment=demand.containment,
        radius=demand.radius,
        scan_name=result.summary.name,
    )
