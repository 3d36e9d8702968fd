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
from dupfinder.cluster.linkage import components, representatives
from dupfinder.cluster.relation import (
    SURVIVING,
    Confidence,
    Demand,
    Evidence,
    Measured,
    Relation,
    of_same_words,
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
    places:     int32 (total,), the place of the family of each entry of `members`.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    keepers: NDArray[np.int32]
    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    whole: NDArray[np.int32]
    bytes_to_free: NDArray[np.int64]
    places: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, place: int) -> NDArray[np.int32]:
        """The rows of the documents of the family at this place, ascending."""
        return self.members[self.starts[place] : self.starts[place + 1]]

    def counts(self) -> Counts:
        """The one count of groups, documents and bytes."""
        return Counts(len(self), len(self.members), int(self.bytes_to_free.sum()))


class Families:
    """Forms the families of some files under any demand; what no demand changes is worked out once.

    Only rows that have a pair or a copy can be in a family. Of these the rows that stand for their copies are numbered
    here from 0 to a, in ascending order, and each family is known by its smallest number.
    """

    def __init__(self, measured: Measured, files: Files) -> None:
        self._measured, self._files = measured, files
        pairs, count = measured.pairs, len(files)
        copied = np.bincount(files.copies, minlength=count)
        active = copied > 1
        active[pairs.left] = active[pairs.right] = True
        self._stands = np.flatnonzero(active).astype(np.int32)
        number = np.full(count, -1, np.intp)
        number[self._stands] = np.arange(len(self._stands))
        self._left, self._right = number[pairs.left], number[pairs.right]
        self._rows = np.flatnonzero(active[files.copies]).astype(np.int32)
        self._numbers = number[files.copies]  # of all rows, -1 for those that are in no family
        self._number = self._numbers[self._rows]
        self._copied = copied[self._stands]
        self._keep_best()
        self._order_parts()
        self._frees = np.where(files.locked, 0, files.size)[self._rows]
        self._named = (np.bincount(files.disk, minlength=1)[files.disk] > 1)[self._rows]  # on disk by several names

    def _keep_best(self) -> None:
        """Choose of each number's copies the one to keep; it is the same in whichever family they are.

        A claim is one number of all that counts, in order: protected, how central (added under each demand), the rank.
        """
        files, count = self._files, len(self._files)
        self._by_rank = np.empty(count, np.int32)
        self._by_rank[files.ranks] = np.arange(count, dtype=np.int32)
        most = keeper.degrees(len(self._stands), self._left, self._right).max(initial=0) + 1
        protected = files.claims[self._rows, 0] + 1  # from 0 on: what is inside an archive has -1
        claims = protected * (int(most) * count) + files.ranks[self._rows]
        self._claims = np.zeros(len(self._stands), np.int64)
        np.maximum.at(self._claims, self._number, claims)
        best = self._by_rank[self._claims % max(1, count)][self._number]
        self._to_best = np.full(len(self._rows), Relation.IDENTICAL, np.uint8)
        other = np.flatnonzero((best != self._rows) | ~files.content[self._rows].any(axis=1))
        self._to_best[other] = files.same_words(self._rows[other], best[other])

    def _order_parts(self) -> None:
        """Order the pairs whose one document may be folded under the other, so that the last of a document says which.

        The whole with the most of it, then the longest. A whole has more words (or as many and a higher row), so that
        no document is folded under its own part.
        """
        measured, words = self._measured, self._files.words
        is_left = measured.towards == Relation.PART
        part = np.where(is_left, self._left, self._right)
        whole = np.where(is_left, self._right, self._left)
        share = np.maximum(measured.evidence.left_in_right, measured.evidence.right_in_left)
        mine, theirs = words[self._stands[part]], words[self._stands[whole]]
        fits = (theirs > mine) | ((theirs == mine) & (whole > part))
        fits &= self._copied[part] == 1
        rows = np.flatnonzero(fits)
        self._part_pairs = rows[np.lexsort((whole[rows], theirs[rows], share[rows]))]
        self._parts, self._wholes = part[self._part_pairs], whole[self._part_pairs]

    # ---- under a demand -------------------------------------------------------------------------------------------
    def under(self, relation: NDArray[np.uint8], sure: NDArray[np.uint8]) -> Clusters:
        """The families, from what the documents of each pair are to one another and how sure that is."""
        versions = np.flatnonzero(relation == Relation.VERSION)
        left, right = self._left[versions], self._right[versions]
        labels = version_labels(left, right, sure[versions] != Confidence.BORDERLINE, len(self._stands))
        whole = self._folded(relation, labels)
        folded = np.flatnonzero(whole >= 0)
        family = labels.copy()
        family[folded] = labels[_roots(whole, folded)]
        entries, starts = self._entries(family)
        number, places = self._number[entries], np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
        claims = self._claims + keeper.degrees(len(whole), left, right) * len(self._files)
        claims[folded] = -1
        claimed = np.maximum.reduceat(claims[number], starts[:-1]) if len(entries) else claims[:0]
        keepers = self._by_rank[claimed % max(1, len(self._files))]
        numbers = family[number[starts[:-1]]]
        towards, alike = self._towards(relation, family, numbers, keepers, entries, whole)
        wholes = np.where(whole >= 0, self._stands[whole], np.int32(-1))[number]
        members = self._rows[entries]
        to_free = self._to_free(entries, members, starts, keepers[places], towards)
        to_free[self._files.inside[keepers]] = 0
        return Clusters(self._stands[numbers], starts, members, keepers, towards, alike, wholes, to_free, places)

    def _folded(self, relation: NDArray[np.uint8], labels: NDArray[np.int32]) -> NDArray[np.int32]:
        """For each lone document the whole that it is folded under, int32 (a,); -1 for none."""
        alone = np.bincount(labels, minlength=len(labels))[labels] == 1
        related = relation[self._part_pairs]
        fits = np.flatnonzero(((related == Relation.PART) | (related == Relation.WHOLE)) & alone[self._parts])
        wholes = np.full(len(labels), -1, np.int32)
        wholes[self._parts[fits]] = self._wholes[fits]
        return wholes

    def _entries(self, family: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(place among the rows of each member, first entry of each family and the end): families by their numbers,
        rows ascending. Lone documents are left out."""
        alone = (np.bincount(family, minlength=len(family))[family] == 1) & (self._copied == 1)
        grouped = np.flatnonzero(~alone[self._number])
        keys = np.sort(family[self._number[grouped]].astype(np.int64) << 32 | grouped)
        families = keys >> 32
        new = np.ones(len(keys), np.bool_)
        new[1:] = families[1:] != families[:-1]
        return keys & 0xFFFFFFFF, np.append(np.flatnonzero(new), len(keys))

    def _towards(
        self,
        relation: NDArray[np.uint8],
        family: NDArray[np.int32],
        numbers: NDArray[np.int32],
        keepers: NDArray[np.int32],
        entries: NDArray[np.int64],
        whole: NDArray[np.int32],
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """What each member is to the kept copy of its family, and how similar; see Clusters. numbers: of the families,
        int32 (g,)."""
        kept = self._numbers[keepers]
        keeper_of = np.full(len(family), -1, np.int32)
        keeper_of[numbers] = kept
        keeper_of = keeper_of[family]
        tied, alike = np.zeros(len(family), np.uint8), np.zeros(len(family), np.float32)
        known = np.flatnonzero(relation >= Relation.WHOLE)
        left, right, similarity = self._left[known], self._right[known], self._measured.similarity[known]
        of_left, of_right = keeper_of[left], keeper_of[right]
        for here, is_direct, mirror in ((left, of_left == right, _SAME), (right, of_right == left, _MIRRORED)):
            direct = np.flatnonzero(is_direct)
            tied[here[direct]] = mirror[relation[known[direct]]]
            alike[here[direct]] = similarity[direct]
        tied[kept], alike[kept] = _COPY, 1
        distant, inside = tied == Relation.NONE, of_left == of_right
        for here in (left, right):  # of what has no tie to the kept copy the largest to any member
            theirs = np.flatnonzero(inside & distant[here])
            np.maximum.at(alike, here[theirs], similarity[theirs])
        tied[np.flatnonzero(whole >= 0)] = Relation.PART
        towards = tied[self._number[entries]]
        copies = np.flatnonzero(towards == _COPY)
        towards[copies] = self._to_best[entries[copies]]
        return towards, alike[self._number[entries]]

    def _to_free(
        self,
        entries: NDArray[np.int64],
        members: NDArray[np.int32],
        starts: NDArray[np.int64],
        keepers: NDArray[np.int32],
        towards: NDArray[np.uint8],
    ) -> NDArray[np.int64]:
        """Bytes that removing all members with a verified tie to the kept copy frees, int64 (g,), each file on disk
        once. keepers: the kept copy of each member.

        A file with another name outside of what goes stays on disk, and so does what is protected or inside an archive.
        """
        if not len(entries):
            return np.empty(0, np.int64)
        goes = _SURVIVES[towards] & (members != keepers)
        frees = np.where(goes, self._frees[entries], 0)
        if self._named.any():
            files = self._files
            several = np.flatnonzero(goes & self._named[entries])
            frees[several] = 0
            several = several[~files.locked[members[several]] & ~files.inside[keepers[several]]]
            only = several[_last_names(files, members[several])]
            frees[only] = self._frees[entries[only]]
        return np.add.reduceat(frees, starts[:-1])


_COPY = len(Relation)  # stands for the relation of a copy to the kept one, whichever that is
_SAME = np.arange(len(Relation), dtype=np.uint8)
_MIRRORED = _SAME.copy()
_MIRRORED[[Relation.PART, Relation.WHOLE]] = [Relation.WHOLE, Relation.PART]
_SURVIVES = np.isin(_SAME, [int(relation) for relation in SURVIVING])


def form_families(pairs: Pairs, evidence: Evidence, demand: Demand, files: Files) -> Clusters:
    """The families under one demand."""
    measured = Measured(evidence, pairs)
    relation = measured.decide(demand)
    return Families(measured, files).under(relation, measured.confidence(demand, relation))


def version_labels(
    left: NDArray[np.intp], right: NDArray[np.intp], sure: NDArray[np.bool_], count: int
) -> NDArray[np.int32]:
    """The family of each of some documents by pairs of versions, int32 (count,): its smallest number.

    sure: bool (m,), of the pairs. Two parts that hang together by a single borderline pair stay two.
    """
    roots = np.arange(count, dtype=np.int32)
    if sure.all():
        return components(left, right, roots)
    chosen, border = np.flatnonzero(sure), np.flatnonzero(~sure)
    roots = components(left[chosen], right[chosen], roots)
    one, other = roots[left[border]], roots[right[border]]
    low, high = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((high, low))
    again = np.flatnonzero((low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1]))
    return components(low[order[again]], high[order[again]], roots)


def _roots(whole: NDArray[np.int32], folded: NDArray[np.intp]) -> NDArray[np.int32]:
    """The whole of each folded document's whole, to the end. whole: int32 (a,), -1 for none."""
    root = whole[folded]
    while len(higher := np.flatnonzero(whole[root] >= 0)):
        root[higher] = whole[root[higher]]
    return root


def freed(files: Files, rows: NDArray[np.int64]) -> int:
    """Bytes that removing some files frees: each file on disk once, and only when all its names go."""
    return int(files.size[rows[_last_names(files, rows)]].sum()) if len(rows) else 0


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
