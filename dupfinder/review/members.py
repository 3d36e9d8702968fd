"""The documents of one cluster, as rows for people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.groups import directed, ties
from dupfinder.cluster.keeper import KeeperReason, reason
from dupfinder.library.rows import Documents
from dupfinder.review.grouping import Clusters, Grouping, pair_row


class Decision(IntEnum):
    """What the reviewer wants of a document."""

    UNDECIDED = 0
    KEEP = 1
    REMOVE = 2


@dataclass(frozen=True, slots=True)
class Member:
    """One document of a cluster.

    relation:   "keeper", "identical_bytes", "identical_text", "near", "contained", "contains" or "linked", towards the
                keeper; `linked_through` names the document that links it.
    why_keeper: for the proposed keeper, what set it apart.
    similarity: resemblance to the keeper, 0..1 (of a linked member: to what links it); in_keeper, keeper_in: shares.
    distance:   bits between its fingerprint and the keeper's; None without fingerprints.
    changed:    of the file, UTC. pages, words: None where unknown. gone: removed since.
    archive:    the archive that it is a member of; None for a file of its own. `path` is then below the archive's, and
                nothing that the system can open.
    """

    document: int
    path: Path
    name: str
    folder: str
    badge: str
    relation: str
    why_keeper: KeeperReason | None
    similarity: float
    in_keeper: float
    keeper_in: float
    distance: int | None
    linked_through: Path | None
    changed: datetime
    pages: int | None
    words: int | None
    language: str
    size: int
    decision: Decision
    protected: bool
    gone: bool
    archive: Path | None = None

    @property
    def file(self) -> Path:
        """The file on disk: the document's own, or the archive that it is in."""
        return self.path if self.archive is None else self.archive

    @property
    def is_locked(self) -> bool:
        """Whether it can never be marked: it is protected, or inside an archive."""
        return self.protected or self.archive is not None


def members_of(
    grouping: Grouping,
    clusters: Clusters,
    place: int,
    radius: int,
    decisions: NDArray[np.uint8] | None = None,
    gone: NDArray[np.bool_] | None = None,
) -> list[Member]:
    """The members of the cluster at a place: the keeper first, then by falling similarity, then by path."""
    count = grouping.count
    decisions = np.zeros(count, np.uint8) if decisions is None else decisions
    gone = np.zeros(count, np.bool_) if gone is None else gone
    rows = clusters.rows(place)
    keeper = int(clusters.keepers[place])
    if clusters.ids[place] < 0:
        found = [_contained(grouping, keeper, int(row)) for row in rows]
    else:
        chosen = [int(row) for row in rows if decisions[row] == Decision.KEEP and not gone[row]]
        keeper = chosen[0] if chosen and keeper not in chosen else keeper
        found = _near(grouping, keeper, rows, radius)
        if keeper == int(clusters.keepers[place]):
            rivals = rows[~grouping.result.documents.inside[rows] | (rows == keeper)]
            why = reason(keeper, rivals, grouping.copies, grouping.central(radius), grouping.facts)
            found = [replace(tied, why=why) if tied.row == keeper else tied for tied in found]
    found.sort(
        key=lambda tied: (tied.row != keeper, -round(tied.similarity, 4), grouping.result.documents.paths[tied.row])
    )
    return [_member(grouping.result.documents, keeper, tied, decisions, gone) for tied in found]


@dataclass(frozen=True, slots=True)
class _Tied:
    row: int
    relation: str
    similarity: float
    inside: float
    holds: float
    through: int | None = None
    why: KeeperReason | None = None


def _near(grouping: Grouping, keeper: int, rows: NDArray[np.int32], radius: int) -> list[_Tied]:
    usable = grouping.reach <= radius
    hashes = grouping.result.documents.content_hash
    found = []
    for row, tie in ties(keeper, rows, grouping.copies, grouping.edges, usable).items():
        if row == keeper:
            found.append(_Tied(row, "keeper", 1.0, 1.0, 1.0))
        elif tie.pair < 0:
            same = hashes[row].any() and (hashes[row] == hashes[keeper]).all()
            found.append(_Tied(row, "identical_bytes" if same else "identical_text", 1.0, 1.0, 1.0))
        else:
            shares = directed(grouping.likeness, grouping.pairs, tie.pair, int(grouping.copies[row]))
            found.append(_Tied(row, "linked" if tie.through >= 0 else "near", *shares,
                               tie.through if tie.through >= 0 else None))  # fmt: skip
    return found


def _contained(grouping: Grouping, container: int, row: int) -> _Tied:
    if row == container:
        return _Tied(row, "keeper", 1.0, 1.0, 1.0)
    place = pair_row(grouping.result.pairs, container, row)
    resemblance, inside, holds = directed(grouping.result.likeness, grouping.result.pairs, place, row)
    return _Tied(row, "contained", resemblance, inside, holds)


def _member(
    documents: Documents, keeper: int, tied: _Tied, decisions: NDArray[np.uint8], gone: NDArray[np.bool_]
) -> Member:
    row = tied.row
    path = documents.path(row)
    distance = None
    if documents.comparable[row] and documents.comparable[keeper]:
        distance = int(np.bitwise_count(documents.fingerprint[row] ^ documents.fingerprint[keeper]))
    return Member(
        document=row,
        path=path,
        name=path.name,
        folder=str(path.parent),
        badge=documents.media[row].upper() or path.suffix[1:].upper(),
        relation=tied.relation,
        why_keeper=tied.why,
        similarity=tied.similarity,
        in_keeper=tied.inside,
        keeper_in=tied.holds,
        distance=distance,
        linked_through=None if tied.through is None else documents.path(tied.through),
        changed=datetime.fromtimestamp(documents.mtime_ns[row] / 1e9, UTC),
        pages=int(documents.pages[row]) if documents.pages[row] >= 0 else None,
        words=int(documents.words[row]) if documents.words[row] >= 0 else None,
        language=documents.language[row],
        size=int(documents.size[row]),
        decision=Decision(int(decisions[row])),
        protected=bool(documents.protected[row]),
        gone=bool(gone[row]),
        archive=documents.archive_of(row),
    )


def title_of(documents: Documents, row: int) -> str:
    """What a document is called in a list: its file's name without the ending."""
    return Path(documents.paths[row]).stem or documents.paths[row]
