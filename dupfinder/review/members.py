"""The documents of one group, as rows for people."""

from __future__ import annotations

import functools
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import runs, spans
from dupfinder.base.details import ProblemKind
from dupfinder.cluster.clustering import Clusters
from dupfinder.cluster.keeper import KeeperReason, reason
from dupfinder.cluster.relation import (
    MOST_ESTIMATED,
    REVERSED,
    Confidence,
    Demand,
    Difference,
    Relation,
    different_kinds,
)
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Grouping
from dupfinder.text.document import OtherContent

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # times are added to it: Windows refuses timestamps before it
_OPEN: Final = 4  # groups whose members are kept
_PATHS: Final = 1 << 14  # paths that are kept


class FileState(IntEnum):
    """State of a file since the scan."""

    THERE = 0
    GONE = 1
    CHANGED = 2


@dataclass(frozen=True, slots=True)
class Relative:
    """A document that another one is related to: its row and path, the relation of the other to it, the similarity."""

    document: int
    path: Path
    relation: Relation
    similarity: float


@dataclass(frozen=True, slots=True)
class Member:
    """One document of a group.

    is_keeper:  it is the kept copy: the person's choice, else the proposal, else the best document that stays.
    why_keeper: why this copy was proposed; None for the other members, and where another copy than this is kept.
    relation:   to the kept copy. NONE for a distant version, which has no verified pair with it. A part may be
                contained in another member than the kept copy.
    whole:      the path of that member; None otherwise. in_whole: share of the text that is in `whole`, or without one
                in the kept copy, 0..1; 1 only if counted, not estimated.
    similarity: to the kept copy, 0..1, 1 for equal words only. For distant versions and parts of other members the
                largest to any member.
    in_keeper, keeper_in: share of this text in the kept copy's, and the reverse; 1 only if counted, not estimated.
    confidence, difference, changes: of the pair with the kept copy; changes: number of places that differ.
    differs, unknown: what else differs from a kept copy with the same words, such as pictures, and what is not known.
    distance:   bits between its fingerprint and the kept copy's; None without fingerprints.
    stack:      a number shared by all members with the same bytes.
    changed:    time of the file, UTC. pages, words: None if unknown. state: of the file since the scan.
    archive:    the archive that contains it, with whose path `path` begins; None for an ordinary file. The system
                cannot open such a `path`.
    bytes_only: it is not a document: its bytes alone are compared.
    """

    document: int
    path: Path
    name: str
    folder: str
    badge: str
    is_keeper: bool
    why_keeper: KeeperReason | None
    relation: Relation
    similarity: float
    in_keeper: float
    keeper_in: float
    confidence: Confidence
    difference: Difference
    changes: int
    differs: tuple[OtherContent, ...]
    unknown: tuple[OtherContent, ...]
    nearest: Relative | None
    whole: Path | None
    in_whole: float
    distance: int | None
    stack: int
    changed: datetime
    pages: int | None
    words: int | None
    language: str
    size: int
    decision: Decision
    protected: bool
    state: FileState
    archive: Path | None = None
    bytes_only: bool = False

    @property
    def file(self) -> Path:
        """The file on disk: the document's own, or the archive that it is in."""
        return self.path if self.archive is None else self.archive

    @property
    def is_there(self) -> bool:
        """Whether its file is as it was scanned: only then it is decided about, and counts as a copy."""
        return self.state is FileState.THERE

    @property
    def is_locked(self) -> bool:
        """Whether it can never be marked: it is protected, or inside an archive."""
        return self.protected or self.archive is not None


_ORDER = (Relation.IDENTICAL, Relation.SAME_TEXT, Relation.SAME_WORDS, Relation.VERSION, Relation.WHOLE, Relation.NONE,
          Relation.PART)  # fmt: skip


def members_of(
    grouping: Grouping,
    clusters: Clusters,
    position: int,
    demand: Demand,
    decisions: NDArray[np.uint8],
    states: NDArray[np.uint8],
) -> list[Member]:
    """Return the members of the group at position `position`, the kept copy first.

    Then identical documents, same text, same words, versions from the newest on, distant versions, and parts.
    decisions: uint8 (n,), Decision. states: uint8 (n,), FileState.
    """
    rows, keeper = clusters.rows(position), int(clusters.keepers[position])
    wholes = clusters.wholes(position)
    why = None
    if keeper == grouping.clusters(demand).keepers[position]:
        files = grouping.files
        candidates = rows[(wholes < 0) & (~files.inside[rows] | files.inside[keeper])]
        texts = grouping.representative[candidates]
        central = grouping.version_counts(demand, candidates)
        why = reason(keeper, candidates, central, texts, files.claims, files.editions)
    maker = _MemberBuilder(grouping, demand, keeper, rows, why)
    columns = (column.tolist() for column in (rows, wholes, decisions[rows], states[rows]))
    members = [maker.member(*facts) for facts in zip(*columns, strict=True)]
    return sorted(members, key=_order)


class OpenGroups:
    """The members of the groups that were asked for last; after a mark, only the marked ones are made anew."""

    def __init__(self) -> None:
        self._groups: OrderedDict[int, tuple[Clusters, int, list[Member]]] = OrderedDict()

    @property
    def newest(self) -> int:
        """The id of the group that was asked for last; -1 for none."""
        return next(reversed(self._groups), -1)

    def members(
        self, cluster: int, clusters: Clusters, moves: int, decisions: NDArray[np.uint8],
        make: Callable[[int], list[Member]],
    ) -> list[Member]:  # fmt: skip
        """Return the members of a group by its id; empty without such a group.

        clusters:  a new object whenever another copy is kept, since all members depend on that.
        moves:     number of changes of file states so far. decisions: uint8 (n,).
        make:      computes the members of the group at a position of `clusters`.
        """
        position = clusters.position_of(cluster)
        if position < 0:
            return []
        known_clusters, known_moves, members = self._groups.pop(cluster, (None, 0, []))
        if known_clusters is clusters and known_moves == moves:
            now = decisions[[member.document for member in members]].tolist()
            pairs = zip(members, map(Decision, now), strict=True)
            members = [member if member.decision is new else replace(member, decision=new) for member, new in pairs]
        else:
            members = make(position)
        self._groups[cluster] = clusters, moves, members
        while len(self._groups) > _OPEN:
            self._groups.popitem(last=False)
        return members


def _order(member: Member) -> tuple[bool, int, float, int]:
    """Return what members are sorted by; the row at last, as documents are in the order of their paths."""
    newest = -member.changed.timestamp() if member.relation in (Relation.VERSION, Relation.NONE) else 0.0
    return (not member.is_keeper, _ORDER.index(member.relation), newest, member.document)


_path = functools.lru_cache(_PATHS)(Path)  # a group is made anew with each change of its kept copy or its files


class _KeeperFields(NamedTuple):
    """Fields of a member that depend on the kept copy; see `Member`."""

    relation: Relation = Relation.NONE
    similarity: float = 0.0
    in_keeper: float = 0.0
    keeper_in: float = 0.0
    in_whole: float = 0.0
    confidence: Confidence = Confidence.CERTAIN
    difference: Difference = Difference.UNKNOWN
    changes: int = 0


_NO_TIE: Final = _KeeperFields()


class _FileFields(NamedTuple):
    """Fields of a member that numpy knows of its file."""

    changed: datetime
    pages: int | None
    words: int | None
    size: int
    protected: bool
    distance: int | None


class _MemberBuilder:
    """Builds the rows of one group. What numpy knows of many rows is asked once: for single rows it is slow."""

    def __init__(
        self, grouping: Grouping, demand: Demand, keeper: int, rows: NDArray[np.int32], why: KeeperReason | None
    ) -> None:
        self._grouping, self._documents, self._keeper, self._why = grouping, grouping.result.documents, keeper, why
        self._relations = grouping.relations(demand)
        representatives = grouping.representative[rows]
        self._representative = dict(zip(rows.tolist(), representatives.tolist(), strict=True))
        by_representative = rows[np.argsort(representatives, kind="stable")].astype(np.int32)
        begins, _ = runs(grouping.representative[by_representative])
        # The rows of each representative of the group, ascending.
        parts = np.split(by_representative, begins[1:])
        self._copies = {self._representative[int(part[0])]: part for part in parts}
        self._compared: dict[int, NDArray[np.int32]] = {}  # see `_compared_copies`
        self._contents = dict(zip(rows.tolist(), map(tuple, grouping.files.content[rows].tolist()), strict=True))
        self._stacks = {content: row for row, content in reversed(self._contents.items()) if any(content)}
        # Rows by representative and bytes, the kept copy before others.
        self._identical: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for row, content in sorted(self._contents.items(), key=lambda item: item[0] != keeper):
            if any(content):
                self._identical.setdefault((self._representative[row], content), []).append(row)
        self._pairs = self._pairs_inside()
        self._most_similar = self._nearest_of_each()
        self._keeper_fields = self._fields_by_keeper()
        self._file_fields = self._fields_of_files(rows)

    def _fields_of_files(self, rows: NDArray[np.int32]) -> dict[int, _FileFields]:
        documents, keeper = self._documents, self._keeper
        bits = np.bitwise_count(documents.fingerprint[rows] ^ documents.fingerprint[keeper]).astype(np.int32)
        bits[~(documents.comparable[rows] & documents.comparable[keeper])] = -1
        times = [_EPOCH + timedelta(microseconds=time // 1000) for time in documents.mtime_ns[rows].tolist()]
        pages, words, distances = (map(_known, column.tolist()) for column in (
            documents.pages[rows], documents.words[rows], bits))  # fmt: skip
        sizes, protected = documents.size[rows].tolist(), documents.protected[rows].tolist()
        facts = zip(times, pages, words, sizes, protected, distances, strict=True)
        return dict(zip(rows.tolist(), map(_FileFields._make, facts), strict=True))

    def member(self, row: int, whole: int, decision: int, state: int) -> Member:
        documents, keeper, text = self._documents, self._keeper, self._documents.paths[row]
        nearest, fields, path = self._nearest(row), self._keeper_fields[row], _path(text)
        if fields.relation in (Relation.NONE, Relation.SAME_FORM):
            relation = Relation.PART if whole >= 0 else Relation.NONE
            fields = fields._replace(relation=relation, similarity=nearest.similarity if nearest else fields.similarity)
        if whole >= 0:
            fields = fields._replace(in_whole=self._grouping.share_of(row, whole))
        same_words = fields.relation is Relation.SAME_WORDS
        differs, unknown = other_content(documents, row, keeper) if same_words else ((), ())
        return Member(
            document=row,
            path=path,
            name=path.name,
            folder=os.path.dirname(text) or ".",
            badge=badge_of(documents, row),
            is_keeper=row == keeper,
            why_keeper=self._why if row == keeper else None,
            **fields._asdict(),
            differs=differs,
            unknown=unknown,
            nearest=nearest,
            whole=documents.path(whole) if whole >= 0 else None,
            stack=self._stacks.get(self._contents[row], row),
            **self._file_fields[row]._asdict(),
            language=documents.language[row],
            decision=Decision(decision),
            state=FileState(state),
            archive=documents.archive_of(row),
            bytes_only=documents.status[row] == ProblemKind.BYTES_ONLY,
        )

    def _pairs_inside(self) -> NDArray[np.int64]:
        """Return the rows of the pairs within the group."""
        pairs, representatives = self._grouping.pairs, np.fromiter(self._copies, np.uint32)
        bounds = np.stack([np.searchsorted(pairs.left, representatives, side=side) for side in ("left", "right")], 1)
        _, rows = spans(bounds.ravel().astype(np.int64), np.arange(0, bounds.size, 2))  # pairs are sorted by left
        return rows[np.isin(pairs.right[rows], representatives)]

    def _nearest_of_each(self) -> dict[int, tuple[int, Relation, float]]:
        """Map each representative of the group to (its most similar relative, its relation to it, the similarity)."""
        pairs, relation = self._grouping.pairs, self._relations.relation
        rows = self._pairs[~np.isin(relation[self._pairs], (Relation.NONE, Relation.SAME_FORM))]
        left, right, to_right = pairs.left[rows], pairs.right[rows], relation[rows]
        ends, others = np.concatenate((left, right)), np.concatenate((right, left))
        relations, similarity = np.concatenate((to_right, REVERSED[to_right])), self._grouping.similarity[rows]
        similarities = np.tile(similarity, 2)
        # Sorting the pairs of thousands of documents takes seconds: the greatest similarity, then the lowest row.
        most = np.full(self._grouping.count, -1, similarities.dtype)
        np.maximum.at(most, ends, similarities)
        nearest = np.flatnonzero(similarities == most[ends])
        lowest = np.full(self._grouping.count, self._grouping.count, others.dtype)
        np.minimum.at(lowest, ends[nearest], others[nearest])
        first = nearest[others[nearest] == lowest[ends[nearest]]]
        relatives = zip(
            others[first].tolist(),
            map(Relation, relations[first].tolist()),
            similarities[first].tolist(),
            strict=True,
        )
        return dict(zip(ends[first].tolist(), relatives, strict=True))

    def _fields_by_keeper(self) -> dict[int, _KeeperFields]:
        """Return the fields that depend on the kept copy, by row."""
        keeper = self._representative[self._keeper]
        left, right = self._grouping.pairs.left[self._pairs], self._grouping.pairs.right[self._pairs]
        chosen = np.flatnonzero((left == keeper) | (right == keeper))
        pairs, is_left = self._pairs[chosen], right[chosen] == keeper
        evidence, relation = self._grouping.evidence, self._relations.relation[pairs]
        most = np.where(evidence.error[pairs] > 0, MOST_ESTIMATED, 1)
        shares = [np.minimum(column[pairs], most) for column in (evidence.left_in_right, evidence.right_in_left)]
        in_keeper = np.where(is_left, *shares).tolist()
        ties = zip(
            map(Relation, np.where(is_left, relation, REVERSED[relation]).tolist()),
            self._grouping.similarity[pairs].tolist(),
            in_keeper,
            np.where(is_left, *shares[::-1]).tolist(),
            in_keeper,  # or in another document that contains it; see `member`
            map(Confidence, self._relations.confidence[pairs].tolist()),
            map(Difference, evidence.difference[pairs].tolist()),
            evidence.changes[pairs].tolist(),
            strict=True,
        )
        others = np.where(is_left, left[chosen], right[chosen]).tolist()
        of_representative = dict(zip(others, map(_KeeperFields._make, ties), strict=True))
        of_rows = {row: of_representative.get(number, _NO_TIE) for row, number in self._representative.items()}
        same = self._copies[keeper]
        relations = self._grouping.files.same_words(same, np.full(len(same), self._keeper, np.int32)).tolist()
        for row, number in zip(same.tolist(), relations, strict=True):
            of_rows[row] = _KeeperFields(Relation(number), 1.0, 1.0, 1.0, 1.0, difference=Difference.FORMAT)
        return of_rows

    def _nearest(self, row: int) -> Relative | None:
        """Return the nearest other member: a copy with the same words, else the most similar; None without any."""
        representative = self._representative[row]
        identical = self._identical.get((representative, self._contents[row]), ())
        if len(identical) > 1:
            other = next(other for other in identical if other != row)
            return self._relative(other, Relation.IDENTICAL, 1.0)
        if len(self._copies[representative]) > 1:
            copies = self._compared_copies(representative)
            copies = copies[copies != row]
            relations = self._grouping.files.same_words(np.full(len(copies), row, np.int32), copies)
            best = int(np.argmax(relations * 2 + (copies == self._keeper)))
            return self._relative(int(copies[best]), Relation(int(relations[best])), 1.0)
        if representative not in self._most_similar:
            return None
        other, relation, similarity = self._most_similar[representative]
        is_keepers = self._representative[self._keeper] == other
        return self._relative(self._keeper if is_keepers else int(self._copies[other][0]), relation, similarity)

    def _compared_copies(self, representative: int) -> NDArray[np.int32]:
        """Return the copies among which is the nearest copy of any other, ascending: int32.

        These are the kept copy, and the first two of each format and other content, by which all copies are compared.
        """
        if representative not in self._compared:
            copies, files = self._copies[representative], self._grouping.files
            facts = np.column_stack((files.other[copies], files.media[copies].astype(np.uint64)))
            order = np.lexsort(facts.T)
            has_two_before = (facts[order[2:]] == facts[order[:-2]]).all(axis=1)
            others = order[2:][has_two_before & (copies[order[2:]] != self._keeper)]
            self._compared[representative] = np.delete(copies, others)
        return self._compared[representative]

    def _relative(self, row: int, relation: Relation, similarity: float) -> Relative:
        return Relative(row, _path(self._documents.paths[row]), relation, similarity)


def other_content(
    documents: Documents, left: int, right: int
) -> tuple[tuple[OtherContent, ...], tuple[OtherContent, ...]]:
    """Return the kinds of content beside the words, such as pictures: (those that differ, those that are not known)."""
    same_format = np.array([documents.media[left] == documents.media[right]])
    return different_kinds(documents.other[[left]], documents.other[[right]], same_format)


def badge_of(documents: Documents, row: int) -> str:
    """Return the type of a document in a list: its format, or the suffix of a file that is no document."""
    return documents.media[row].upper() or documents.path(row).suffix[1:].upper()


def title_of(documents: Documents, row: int) -> str:
    """Return the title of a document in a list: its file name without the suffix."""
    return Path(documents.paths[row]).stem or documents.paths[row]


def _known(count: int) -> int | None:
    """Return a number of pages or words; None for a negative number, which means unknown."""
    return count if count >= 0 else None
