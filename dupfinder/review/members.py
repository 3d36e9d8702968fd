"""The documents of one group, as rows for people."""

from __future__ import annotations

import functools
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
from dupfinder.cluster.relation import Confidence, Demand, Difference, Relation, compare_other, reversed_of
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Grouping
from dupfinder.text.document import OtherContent

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # times are added to it: Windows refuses timestamps before it
_OPEN: Final = 4  # groups whose members are kept


class FileState(IntEnum):
    """State of a file since the scan."""

    THERE = 0
    GONE = 1
    CHANGED = 2


@dataclass(frozen=True, slots=True)
class Nearest:
    """The member most similar to a document: its row and path, the relation of the document to it, the similarity."""

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
    in_keeper, keeper_in: share of this text in the kept copy's, and the reverse.
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
    nearest: Nearest | None
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
        candidates = rows[(wholes < 0) & (~grouping.files.inside[rows] | (rows == keeper))]
        why = reason(keeper, candidates, grouping.version_counts(demand, candidates), grouping.files.claims)
    maker = _Maker(grouping, demand, keeper, rows, decisions, states)
    rows_and_wholes = zip(rows.tolist(), wholes.tolist(), strict=True)
    members = [maker.member(row, whole, why if row == keeper else None) for row, whole in rows_and_wholes]
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


def _order(member: Member) -> tuple[bool, int, float, bytes]:
    newest = -member.changed.timestamp() if member.relation in (Relation.VERSION, Relation.NONE) else 0.0
    return (not member.is_keeper, _ORDER.index(member.relation), newest, str(member.path).encode("utf-8", "replace"))


class _ToKeeper(NamedTuple):
    """Measurements of a member and the kept copy; see `Member`."""

    in_keeper: float = 0.0
    keeper_in: float = 0.0
    confidence: Confidence = Confidence.CERTAIN
    difference: Difference = Difference.UNKNOWN
    changes: int = 0


class _Maker:
    """Builds the rows of one group."""

    def __init__(
        self,
        grouping: Grouping,
        demand: Demand,
        keeper: int,
        rows: NDArray[np.int32],
        decisions: NDArray[np.uint8],
        states: NDArray[np.uint8],
    ) -> None:
        self._grouping, self._demand, self._keeper = grouping, demand, keeper
        self._decisions, self._states = decisions, states
        self._relations = grouping.relations(demand)
        by_representative = rows[np.argsort(grouping.representative[rows], kind="stable")].astype(np.int32)
        begins, _ = runs(grouping.representative[by_representative])
        # The rows of each representative of the group, ascending.
        self._copies = {int(grouping.representative[part[0]]): part for part in np.split(by_representative, begins[1:])}
        self._contents = dict(zip(rows.tolist(), map(tuple, grouping.files.content[rows].tolist()), strict=True))
        self._stacks = {content: row for row, content in reversed(self._contents.items()) if any(content)}
        # Rows by representative and bytes, the kept copy before others.
        self._identical: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for row, content in sorted(self._contents.items(), key=lambda item: item[0] != keeper):
            if any(content):
                self._identical.setdefault((int(grouping.representative[row]), content), []).append(row)
        self._paths: dict[int, Path] = {}

    def _path(self, row: int) -> Path:
        if row not in self._paths:
            self._paths[row] = self._grouping.result.documents.path(row)
        return self._paths[row]

    def member(self, row: int, whole: int, why: KeeperReason | None) -> Member:
        grouping, documents = self._grouping, self._grouping.result.documents
        keeper, nearest = self._keeper, self._nearest(row)
        relation, similarity = self._tie(row, whole, nearest)
        differs, unknown = other_content(documents, row, keeper) if relation is Relation.SAME_WORDS else ((), ())
        path = self._path(row)
        return Member(
            document=row,
            path=path,
            name=path.name,
            folder=str(path.parent),
            badge=badge_of(documents, row),
            is_keeper=row == keeper,
            why_keeper=why,
            relation=relation,
            similarity=similarity,
            **self._measured(row)._asdict(),
            differs=differs,
            unknown=unknown,
            nearest=nearest,
            whole=documents.path(whole) if whole >= 0 else None,
            in_whole=grouping.share_of(row, whole if whole >= 0 else keeper),
            distance=self._distance(row),
            stack=self._stacks.get(self._contents[row], row),
            changed=_EPOCH + timedelta(microseconds=int(documents.mtime_ns[row]) // 1000),
            pages=_known(documents.pages[row]),
            words=_known(documents.words[row]),
            language=documents.language[row],
            size=int(documents.size[row]),
            decision=Decision(int(self._decisions[row])),
            protected=bool(documents.protected[row]),
            state=FileState(int(self._states[row])),
            archive=documents.archive_of(row),
            bytes_only=documents.status[row] == ProblemKind.BYTES_ONLY,
        )

    @functools.cached_property
    def _most_similar(self) -> dict[int, tuple[int, int]]:
        """For each representative of the group, the most similar related one and the row of their pair."""
        pairs, representatives = self._grouping.pairs, np.fromiter(self._copies, np.uint32)
        bounds = np.stack([np.searchsorted(pairs.left, representatives, side=side) for side in ("left", "right")], 1)
        _, rows = spans(bounds.ravel().astype(np.int64), np.arange(0, bounds.size, 2))  # pairs are sorted by left
        related = ~np.isin(self._relations.relation[rows], (Relation.NONE, Relation.SAME_FORM))
        rows = rows[related & np.isin(pairs.right[rows], representatives)]
        left, right = pairs.left[rows], pairs.right[rows]
        ends, others, rows = np.concatenate((left, right)), np.concatenate((right, left)), np.tile(rows, 2)
        order = np.lexsort((others, -self._grouping.similarity[rows], ends))
        first = order[runs(ends[order])[0]]
        nearest = zip(others[first].tolist(), rows[first].tolist(), strict=True)
        return dict(zip(ends[first].tolist(), nearest, strict=True))

    def _tie(self, row: int, whole: int, nearest: Nearest | None) -> tuple[Relation, float]:
        """Return (relation to the kept copy, similarity).

        Without such a relation: PART for a part of another member, else NONE, and the similarity to the nearest member.
        """
        relation, similarity = self._grouping.relation_of(row, self._keeper, self._demand)
        if relation in (Relation.NONE, Relation.SAME_FORM):
            relation = Relation.PART if whole >= 0 else Relation.NONE
            similarity = nearest.similarity if nearest else similarity
        return relation, similarity

    def _nearest(self, row: int) -> Nearest | None:
        """Return the nearest other member: a copy with the same words, else the most similar; None without any."""
        grouping = self._grouping
        representative = int(grouping.representative[row])
        identical = self._identical.get((representative, self._contents[row]), ())
        if len(identical) > 1:
            other = next(other for other in identical if other != row)
            return Nearest(other, self._path(other), Relation.IDENTICAL, 1.0)
        copies = self._copies[representative]
        if len(copies) > 1:
            copies = copies[copies != row]
            relations = grouping.files.same_words(np.full(len(copies), row, np.int32), copies)
            best = int(np.argmax(relations * 2 + (copies == self._keeper)))
            other = int(copies[best])
            return Nearest(other, self._path(other), Relation(int(relations[best])), 1.0)
        if representative not in self._most_similar:
            return None
        other, pair = self._most_similar[representative]
        relation = Relation(int(self._relations.relation[pair]))
        if int(grouping.pairs.left[pair]) != representative:
            relation = reversed_of(relation)
        shown = self._keeper if grouping.representative[self._keeper] == other else int(self._copies[other][0])
        return Nearest(shown, self._path(shown), relation, float(grouping.similarity[pair]))

    def _measured(self, row: int) -> _ToKeeper:
        """Return the measurements of a member and the kept copy, or of the documents that represent them."""
        grouping, evidence = self._grouping, self._grouping.evidence
        if grouping.representative[row] == grouping.representative[self._keeper]:
            return _ToKeeper(1.0, 1.0, difference=Difference.FORMAT)
        pair, is_left = grouping.pair_of(row, self._keeper)
        if pair < 0:
            return _ToKeeper()
        shares = float(evidence.left_in_right[pair]), float(evidence.right_in_left[pair])
        return _ToKeeper(
            *(shares if is_left else shares[::-1]),
            Confidence(int(self._relations.confidence[pair])),
            Difference(int(evidence.difference[pair])),
            int(evidence.changes[pair]),
        )

    def _distance(self, row: int) -> int | None:
        """Return the bits between a member's fingerprint and the kept copy's; None without fingerprints."""
        documents = self._grouping.result.documents
        if not (documents.comparable[row] and documents.comparable[self._keeper]):
            return None
        return int(np.bitwise_count(documents.fingerprint[row] ^ documents.fingerprint[self._keeper]))


def other_content(
    documents: Documents, left: int, right: int
) -> tuple[tuple[OtherContent, ...], tuple[OtherContent, ...]]:
    """Return the kinds of content beside the words, such as pictures: (those that differ, those that are not known)."""
    same_format = np.array([documents.media[left] == documents.media[right]])
    differs, unknown = compare_other(documents.other[[left]], documents.other[[right]], same_format)
    kinds = tuple(OtherContent)
    return (
        tuple(kind for kind, is_so in zip(kinds, differs[0], strict=True) if is_so),
        tuple(kind for kind, is_so in zip(kinds, unknown[0], strict=True) if is_so),
    )


def badge_of(documents: Documents, row: int) -> str:
    """Return the type of a document in a list: its format, or the suffix of a file that is no document."""
    return documents.media[row].upper() or documents.path(row).suffix[1:].upper()


def title_of(documents: Documents, row: int) -> str:
    """Return the title of a document in a list: its file name without the suffix."""
    return Path(documents.paths[row]).stem or documents.paths[row]


def _known(count: np.int32) -> int | None:
    """Return a number of pages or words; None for a negative number, which means unknown."""
    return int(count) if count >= 0 else None
