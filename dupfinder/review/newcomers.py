"""Documents that were not in an earlier scan, and what they are alike to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dupfinder.cluster.relation import Relation
from dupfinder.library.rows import Documents
from dupfinder.review.session import ReviewSession

MOST_RELATIVES = 20  # of one newcomer, the closest first


@dataclass(frozen=True, slots=True)
class Relative:
    """A document in the group of a newcomer, the newcomer's relation to it, and the similarity, 0..1."""

    path: Path
    relation: Relation
    similarity: float


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A document that came or changed, and the closest of its group, the most similar first."""

    path: Path
    relatives: tuple[Relative, ...]


def newcomers(session: ReviewSession, earlier: Documents) -> list[Newcomer]:
    """Return the documents of a scan that have relatives and came, or changed, since an earlier scan.

    A document that was only renamed or moved is no newcomer: there are not more files with its bytes than before.
    """
    documents, groups = session.result.documents, session.all_clusters()
    contents, contents_before = _contents(documents), _contents(earlier)
    places_before = set(zip(earlier.paths, contents_before, strict=True))
    more = Counter(contents) - Counter(contents_before)
    result = []
    for row, place in sorted(zip(groups.members.tolist(), groups.places.tolist(), strict=True)):
        if contents[row] in more and (documents.paths[row], contents[row]) not in places_before:
            relatives = _relatives(session, row, groups.rows(place).tolist())
            result.append(Newcomer(documents.path(row), relatives))
    return result


def _contents(documents: Documents) -> list[tuple[int, ...]]:
    """Return the hash of the bytes of each document."""
    return list(map(tuple, documents.content_hash.tolist()))


def _relatives(session: ReviewSession, row: int, group: Sequence[int]) -> tuple[Relative, ...]:
    """Return the closest documents of a group that have a verified pair with the document in this row."""
    relatives = []
    for other in group:
        relation, similarity = session.relation_of(row, other)
        if other != row and relation is not Relation.NONE:
            relatives.append(Relative(session.result.documents.path(other), relation, similarity))
    relatives.sort(key=lambda relative: (-relative.relation, -relative.similarity, str(relative.path)))
    return tuple(relatives[:MOST_RELATIVES])
