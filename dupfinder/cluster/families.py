"""Families: the groups of documents that people read, from the verified pairs under one demand.

A family is a connected part of the graph of versions and copies, so a long history stays whole. Its ends may be unlike:
then they are distant versions, which have no verified tie to the kept copy. A document whose text is in a longer one,
and that has no versions or copies, is folded under its whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster import keeper
from dupfinder.cluster.linkage import ALONE, components, representatives
from dupfinder.cluster.relation import (
    SURVIVING,
    Confidence,
    Demand,
    Evidence,
    Relation,
    confidence,
    decide,
    of_same_words,
    similarity,
)
from dupfinder.index.pairs import Pairs


@dataclass(frozen=True, slots=True)
class Files:
    """What grouping needs to know of n files.

    copies:   int32 (n,), the first row with the same words (or, without words, the same bytes).
    content:  uint64 (n, 2), hash of the bytes. other: uint64 (n, kinds), see cluster.relation.other_content.
    media:    int64 (n,), a number for each format.
    size:     int64 (n,), bytes that a removal frees. disk: int64 (n,), equal for the names of one file on disk.
    words:    int64 (n,). locked: bool (n,), protected or inside an archive. inside: bool (n,), inside an archive.
    claims:   int64 (n, 7), see cluster.keeper. ranks: int64 (n,), see cluster.keeper.preference.
    """

    copies: NDArray[np.int32]
    content: NDArray[np.uint64]
    other: NDArray[np.uint64]
    media: NDArray[np.int64]
    size: NDArray[np.int64]
    disk: NDArray[np.int64]
    words: NDArray[np.int64]
    locked: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    claims: NDArray[np.int64]
    ranks: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.copies)

    def same_words(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The relation of documents with the same words, row for row, uint8: IDENTICAL, SAME_TEXT or SAME_WORDS."""
        first, second = self.content[:, 0], self.content[:, 1]  # by column: a reduction over two costs ten times more
        same_bytes = (first[left] == first[right]) & (second[left] == second[right])
        same_bytes &= (first[left] != 0) | (second[left] != 0)
        same_format = self.media[left] == self.media[right]
        return of_same_words(self.other[left], self.other[right], same_format, same_bytes)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many groups, documents in them, and bytes that removing all but the kept copies would free."""

    clusters: int
    documents: int
    bytes_to_free: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """All families under one demand, in ascending order of their ids, as ragged columns.

    ids:     int32 (g,), the smallest row of the documents that are versions and copies, or the whole's.
    starts:  int64 (g + 1,); members: int32 (total,), ascending in each family.
    keepers: int32 (g,), the kept copy that is proposed.
    relation:   uint8 (total,), what each member is to the kept copy: NONE without a verified tie (a distant version);
                PART also where another member is its whole. The kept copy is IDENTICAL to itself.
    similarity: float32 (total,), to the kept copy; of a distant version and of a part the largest to any member.
    whole:      int32 (total,), of a folded part the row of its whole; else -1.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    keepers: NDArray[np.int32]
    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    whole: NDArray[np.int32]
    bytes_to_free: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, place: int) -> NDArray[np.int32]:
        """The rows of the documents of the family at this place, ascending."""
        return self.members[self.starts[place] : self.starts[place + 1]]

    @property
    def places(self) -> NDArray[np.int64]:
        """The place of the family of each entry of `members`, int64 (total,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def counts(self) -> Counts:
        """The one count of groups, documents and bytes."""
        return Counts(len(self), len(self.members), int(self.bytes_to_free.sum()))


def form_families(pairs: Pairs, evidence: Evidence, demand: Demand, files: Files) -> Clusters:
    """The families under a demand."""
    relation = decide(evidence, pairs, demand)
    versions = np.flatnonzero(relation == Relation.VERSION)
    sure = confidence(evidence, pairs, demand, relation)[versions] != Confidence.BORDERLINE
    labels = version_labels(pairs.take(versions), sure, files.copies)
    central = keeper.degrees(len(files), pairs.take(versions))
    keepers = keeper.propose(labels, files.copies, central, files.claims[:, 0], files.ranks)
    whole = _wholes(pairs, evidence, relation, labels, files)
    family = np.where(labels != ALONE, labels, np.arange(len(files), dtype=np.int32))
    family = np.where(whole >= 0, family[_root(whole)], family)
    sizes = np.bincount(family, minlength=len(files))
    grouped = np.flatnonzero(sizes[family] > 1).astype(np.int32)
    members = grouped[np.argsort(family[grouped], kind="stable")]
    begins = np.flatnonzero(np.diff(family[members], prepend=-1))
    ids = family[members[begins]].astype(np.int32)
    starts = np.append(begins, len(members)).astype(np.int64)
    chosen = np.where(keepers[ids] >= 0, keepers[ids], ids).astype(np.int32)
    places = np.repeat(np.arange(len(ids)), np.diff(starts))
    towards, alike = _towards(pairs, evidence, relation, files, members, chosen[places], whole[members])
    return Clusters(
        ids, starts, members, chosen, towards, alike, whole[members], _to_free(files, members, starts, chosen, towards)
    )


def version_labels(versions: Pairs, sure: NDArray[np.bool_], copies: NDArray[np.int32]) -> NDArray[np.int32]:
    """The family of each document by versions and copies, int32 (n,): its smallest row, ALONE for a lone document.

    versions: the pairs that are versions, among the rows that stand for their copies. sure: bool (m,), of those.
    Two parts that hang together by a single borderline pair stay two.
    """
    left, right = versions.left.astype(np.int32), versions.right.astype(np.int32)
    roots = components(left[sure], right[sure], np.arange(len(copies), dtype=np.int32))
    border = np.flatnonzero(~sure)
    if len(border):
        one, other = roots[left[border]], roots[right[border]]
        low, high = np.minimum(one, other), np.maximum(one, other)
        order = np.lexsort((high, low))
        again = np.flatnonzero((low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1]))
        joined = order[again]
        roots = components(low[joined], high[joined], roots)
    everyone = roots[copies]
    smallest = np.full(len(copies), len(copies), np.int32)
    np.minimum.at(smallest, everyone, np.arange(len(copies), dtype=np.int32))
    everyone = smallest[everyone]
    alone = np.bincount(everyone, minlength=len(copies))[everyone] == 1
    return np.where(alone, ALONE, everyone).astype(np.int32)


def _wholes(
    pairs: Pairs, evidence: Evidence, relation: NDArray[np.uint8], labels: NDArray[np.int32], files: Files
) -> NDArray[np.int32]:
    """For each lone document the whole that it is folded under, int32 (n,); -1 for none.

    The whole with the most of it, then the longest. A whole has more words (or as many and a higher row), so that no
    document is folded under its own part.
    """
    rows = np.flatnonzero((relation == Relation.PART) | (relation == Relation.WHOLE))
    is_left = relation[rows] == Relation.PART
    part = np.where(is_left, pairs.left[rows], pairs.right[rows]).astype(np.int64)
    whole = np.where(is_left, pairs.right[rows], pairs.left[rows]).astype(np.int64)
    share = np.where(is_left, evidence.left_in_right[rows], evidence.right_in_left[rows])
    longer = (files.words[whole] > files.words[part]) | ((files.words[whole] == files.words[part]) & (whole > part))
    fits = (labels[part] == ALONE) & longer
    part, whole, share = part[fits], whole[fits], share[fits]
    wholes = np.full(len(files), -1, np.int32)
    order = np.lexsort((whole, files.words[whole], share))
    wholes[part[order]] = whole[order]
    return wholes


def _root(whole: NDArray[np.int32]) -> NDArray[np.int32]:
    """The whole of each document's whole, to the end; its own row where it has none. int32 (n,)."""
    root = np.where(whole >= 0, whole, np.arange(len(whole), dtype=np.int32))
    while not np.array_equal(root, above := root[root]):
        root = above
    return root


def _towards(
    pairs: Pairs,
    evidence: Evidence,
    relation: NDArray[np.uint8],
    files: Files,
    members: NDArray[np.int32],
    keepers: NDArray[np.int32],
    whole: NDArray[np.int32],
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """What each member is to the kept copy of its family, and how similar; see Clusters."""
    count = len(files)
    alike = similarity(evidence)
    keeper_of = np.full(count, -1, np.int64)
    keeper_of[files.copies[members]] = files.copies[keepers]
    tied = np.zeros(count, np.uint8)
    shares, best = np.full(count, -1, np.float32), np.zeros(count, np.float32)
    same_family = (keeper_of[pairs.left] == keeper_of[pairs.right]) & (keeper_of[pairs.left] >= 0)
    known = np.flatnonzero(same_family & (relation != Relation.NONE) & (relation != Relation.SAME_FORM))
    left, right = pairs.left[known].astype(np.int64), pairs.right[known].astype(np.int64)
    mirrored = _MIRRORED[relation[known]]
    for here, there, towards in ((left, right, relation[known]), (right, left, mirrored)):
        np.maximum.at(best, here, alike[known])
        direct = keeper_of[here] == there
        tied[here[direct]] = towards[direct]
        shares[here[direct]] = alike[known][direct]
    stand = files.copies[members]
    copy = stand == files.copies[keepers]
    result = tied[stand]
    result[copy] = files.same_words(members[copy], keepers[copy])
    result = np.where((whole >= 0) & (result != Relation.PART), Relation.PART, result)
    return result.astype(np.uint8), np.where(copy, 1, np.where(shares[stand] >= 0, shares[stand], best[stand])).astype(
        np.float32
    )


_MIRRORED = np.arange(len(Relation), dtype=np.uint8)
_MIRRORED[[Relation.PART, Relation.WHOLE]] = [Relation.WHOLE, Relation.PART]


def _to_free(
    files: Files,
    members: NDArray[np.int32],
    starts: NDArray[np.int64],
    keepers: NDArray[np.int32],
    towards: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Bytes that removing all members with a verified tie to the kept copy frees, int64 (g,), each file on disk once.

    A file with another name outside of what goes stays on disk, and so does what is protected or inside an archive.
    """
    places = np.repeat(np.arange(len(keepers)), np.diff(starts))
    goes = np.isin(towards, [int(one) for one in SURVIVING]) & (members != keepers[places]) & ~files.locked[members]
    goes &= ~files.inside[keepers[places]]
    chosen = np.flatnonzero(goes)[_last_names(files, members[goes])]
    return np.bincount(places[chosen], files.size[members[chosen]], minlength=len(keepers)).astype(np.int64)


def freed(files: Files, rows: NDArray[np.int64]) -> int:
    """Bytes that removing some files frees: each file on disk once, and only when all its names go."""
    return int(files.size[rows[_last_names(files, rows)]].sum())


def _last_names(files: Files, rows: NDArray[np.int32] | NDArray[np.int64]) -> NDArray[np.intp]:
    """Where among some rows a file on disk stands, once each, all of whose names are among them."""
    names = np.bincount(files.disk, minlength=int(files.disk.max(initial=0)) + 1)
    disk = files.disk[rows]
    going = np.flatnonzero(names[disk] == np.bincount(disk, minlength=len(names))[disk])
    order = going[np.argsort(disk[going], kind="stable")]
    names_once: NDArray[np.intp] = order[np.diff(disk[order], prepend=-1) != 0]
    return names_once


def disks(device: NDArray[np.int64], inode: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each file on disk, int64 (n,), by device and inode."""
    pairs = np.stack((device, inode), axis=1).view(np.uint64)
    return representatives(pairs).astype(np.int64)
