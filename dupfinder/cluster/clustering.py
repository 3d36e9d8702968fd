"""The clusters of documents (for people: groups), from the measured pairs under one demand.

A cluster is a connected component of the graph of versions and copies, so a long history stays together; a single
borderline pair does not join two. Its ends may be dissimilar: then they are distant versions, without a verified
relation to the kept copy. A document without versions or copies whose text is in a longer document is folded: listed in
the cluster of that document.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import looked_up, pair_keys, pairs_of, row_mask, runs
from dupfinder.cluster import keeper
from dupfinder.cluster.linkage import components, representatives
from dupfinder.cluster.relation import (
    LEAST_CONTAINMENT,
    REVERSED,
    SURVIVING,
    Confidence,
    Demand,
    Evidence,
    Measured,
    Relation,
    of_same_words,
)
from dupfinder.index.pairs import Pairs

CLUSTERING_REVISION: Final = 3  # raise it when a change makes other clusters of the same pairs
_BLOCK = 1_000_000  # pairs decided together; bounds the working memory
_COPY = len(Relation)  # placeholder for the relation of a copy to the kept copy
_UNCHANGED = np.arange(len(Relation), dtype=np.uint8)
_SURVIVES = np.isin(_UNCHANGED, [int(relation) for relation in SURVIVING])


@dataclass(frozen=True, slots=True)
class FileColumns:
    """What grouping needs to know of n files.

    representative: int32 (n,), for each row the first row with the same words; without words, with the same bytes.
    content:  uint64 (n, 2), hash of the bytes. other: uint64 (n, kinds), see cluster.relation.compare_other.
    media:    int64 (n,), a number for each format.
    size:     int64 (n,), bytes that a removal frees. disk_file: int64 (n,), equal for hard links.
    words:    int64 (n,). locked: bool (n,), protected or inside an archive. inside: bool (n,), inside an archive.
    claims:   int64 (n, 10), see cluster.keeper. ranks: int64 (n,), see cluster.keeper.preference.
    editions: of the files' names.
    """

    representative: NDArray[np.int32]
    content: NDArray[np.uint64]
    other: NDArray[np.uint64]
    media: NDArray[np.int64]
    size: NDArray[np.int64]
    disk_file: NDArray[np.int64]
    words: NDArray[np.int64]
    locked: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    claims: NDArray[np.int64]
    ranks: NDArray[np.int64]
    editions: keeper.Editions

    def __len__(self) -> int:
        return len(self.representative)

    def same_words(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the relation of documents with the same words: uint8 (m,), IDENTICAL, SAME_TEXT or SAME_WORDS.

        left, right: int32 (m,), rows.
        """
        # Compared by column: a reduction over an axis of length two takes ten times as long.
        first, second = self.content[:, 0], self.content[:, 1]
        same_bytes = (first[left] == first[right]) & (second[left] == second[right])
        same_bytes &= (first[left] != 0) | (second[left] != 0)
        same_format = self.media[left] == self.media[right]
        return of_same_words(self.other[left], self.other[right], same_format, same_bytes)

    def are_identical(self, left: int, right: int) -> bool:
        """Tell whether two rows have the same bytes, as far as they are known."""
        left_hash, right_hash = self.content[left].tolist(), self.content[right].tolist()
        return bool(left_hash == right_hash and any(left_hash))


@dataclass(frozen=True, slots=True)
class ClusterCounts:
    """The numbers of clusters, of documents in them, and of bytes freed by removing all but the kept copies."""

    clusters: int
    documents: int
    bytes_to_free: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """All clusters under one demand, in ascending order of their ids.

    ids:     int32 (g,), the smallest row of the versions and copies, or of the containing document.
    starts:  int64 (g + 1,), cluster g has members[starts[g]:starts[g + 1]]; members: int32 (total,), ascending in each.
    keepers: int32 (g,), the proposed kept copy, or the one that is kept in its place.
    relation:   uint8 (total,), of each member to the kept copy. Without a verified one it is PART if another member
                contains the member, else NONE (a distant version). The kept copy is IDENTICAL to itself if its bytes
                are known.
    similarity: float32 (total,), to the kept copy; of a member without a measured relation to it, the largest to any.
    whole:      int32 (total,), the row of the document that contains a folded document; else -1.
    bytes_to_free: int64 (g,).
    positions:  int32 (total,), the position of the cluster of each member: its index in `ids`.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    keepers: NDArray[np.int32]
    relation: NDArray[np.uint8]
    similarity: NDArray[np.float32]
    whole: NDArray[np.int32]
    bytes_to_free: NDArray[np.int64]
    positions: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def position_of(self, cluster: int) -> int:
        """Return the position of the cluster with this id; -1 for none."""
        position = int(np.searchsorted(self.ids, cluster))
        return position if position < len(self) and self.ids[position] == cluster else -1

    def cluster_of(self, document: int) -> int:
        """Return the id of the cluster that a document is in; -1 for none."""
        positions = self.positions[self.members == document]
        return int(self.ids[positions[0]]) if len(positions) else -1

    def folded(self, position: int) -> NDArray[np.int32]:
        """Return the documents of the cluster at this position that are folded under their whole, ascending: int32."""
        return self.rows(position)[self.wholes(position) >= 0]

    def rows(self, position: int) -> NDArray[np.int32]:
        """Return the rows of the documents in the cluster at this position, ascending: int32."""
        return self.members[self.starts[position] : self.starts[position + 1]]

    def wholes(self, position: int) -> NDArray[np.int32]:
        """Return `whole` of the documents in the cluster at this position: int32."""
        return self.whole[self.starts[position] : self.starts[position + 1]]

    def counts(self) -> ClusterCounts:
        return ClusterCounts(len(self), len(self.members), int(self.bytes_to_free.sum()))


class Clustering:
    """Forms the clusters of some files under any demand; what does not depend on the demand is computed only once.

    Only rows with a copy, or with a pair other than two fillings of a form, can be in a cluster. Their representatives
    are numbered from 0 to a - 1, ascending, and a cluster is identified by its smallest number. These pairs, which may
    be few, are numbered from 0 to p - 1.
    """

    def __init__(self, measured: Measured, files: FileColumns) -> None:
        self._measured, self._files = measured, files
        count = len(files)
        self._pairs = np.flatnonzero(~measured.evidence.form).astype(np.uint32)
        left, right = looked_up(measured.pairs.left, self._pairs), looked_up(measured.pairs.right, self._pairs)
        copy_counts = np.bincount(files.representative, minlength=count)
        active = (copy_counts > 1) | row_mask(count, left, right)
        self._representatives = np.flatnonzero(active).astype(np.int32)
        number = np.full(count, -1, np.int32)
        number[self._representatives] = np.arange(len(self._representatives))
        self._left, self._right = looked_up(number, left), looked_up(number, right)
        self._rows = np.flatnonzero(active[files.representative]).astype(np.int32)
        self._number_of_row = number[files.representative]  # of all rows; -1 for rows that cannot be in a cluster
        self._copy_counts = copy_counts[self._representatives]
        with ThreadPoolExecutor(1) as pool:  # sorting does not hold the interpreter's lock
            ordering = pool.submit(self._order_parts)
            self._choose_best()
            ordering.result()
        self._frees = np.where(files.locked, 0, files.size)
        self._has_links = np.bincount(files.disk_file, minlength=1)[files.disk_file] > 1

    def _choose_best(self) -> None:
        """Choose the file that is most often kept of those with the same words, and compare the others with it once."""
        files, count = self._files, len(self._files)
        by_rank = np.empty(count, np.int32)
        by_rank[files.ranks] = np.arange(count, dtype=np.int32)
        protected = files.claims[self._rows, keeper.PROTECTED] + 1  # files inside an archive have a claim of -1
        highest = np.zeros(len(self._representatives), np.int64)
        numbers = self._number_of_row[self._rows]
        np.maximum.at(highest, numbers, protected * count + files.ranks[self._rows])
        self._best = by_rank[highest % max(1, count)]
        best = self._best[numbers]
        self._relation_to_best = np.full(count, Relation.IDENTICAL, np.uint8)
        unequal = np.flatnonzero((best != self._rows) | ~files.content[self._rows].any(axis=1))  # or of unknown bytes
        self._relation_to_best[self._rows[unequal]] = files.same_words(self._rows[unequal], best[unequal])

    def _order_parts(self) -> None:
        """Sort the pairs of part and whole, so that `_folded` assigns the best whole of each document last.

        The best whole contains the largest share of the part; among equals the longest is best, then the
        highest row. A whole has more words, or as many and a higher row, so no document is put under its own part.
        """
        measured, words = self._measured, self._files.words[self._representatives].astype(np.int32)
        numbers = np.flatnonzero(looked_up(measured.part, self._pairs) >= LEAST_CONTAINMENT).astype(np.uint32)
        part, whole = looked_up(self._left, numbers), looked_up(self._right, numbers)
        turned = np.flatnonzero(measured.role[self._pairs[numbers]] != Relation.PART)
        part[turned], whole[turned] = whole[turned], part[turned]
        more = looked_up(words, whole) - looked_up(words, part)
        fits = np.flatnonzero(((more > 0) | ((more == 0) & (whole > part))) & (self._copy_counts[part] == 1))
        numbers, part, whole = numbers[fits], part[fits], whole[fits]
        del turned, more, fits  # there may be millions of pairs
        rows = self._pairs[numbers]
        share = np.maximum(measured.evidence.left_in_right[rows], measured.evidence.right_in_left[rows])
        # Shares are not negative, so their bits ascend as they do; one key is sorted in half of the time of two.
        keys = pair_keys(share.view(np.uint32), words[whole] + 1)  # words: -1 if unknown
        order = np.argsort(keys, kind="stable")  # the wholes of a part ascend as the pairs are sorted
        self._part_pairs, self._parts, self._wholes = numbers[order], part[order], whole[order]
        self._starts_by_percent = np.searchsorted(share[order], (np.arange(101) / 100).astype(np.float32))

    # ---- under a demand -------------------------------------------------------------------------------------------
    def under(self, demand: Demand, relation: NDArray[np.uint8], confidence: NDArray[np.uint8]) -> Clusters:
        """Return the clusters under the demand by which the pairs were decided.

        relation:   uint8 (m,), of each pair, as `Measured.decide` returns.
        confidence: uint8 (m,), as `Measured.confidence` returns.
        """
        relation = relation[self._pairs]
        versions = np.flatnonzero(relation == Relation.VERSION)
        left, right = self._left[versions], self._right[versions]
        sure = confidence[self._pairs[versions]] != Confidence.BORDERLINE
        labels = version_labels(left, right, sure, len(self._representatives))
        whole = self._folded(demand, relation, labels)
        folded = np.flatnonzero(whole >= 0)
        cluster = labels.copy()
        cluster[folded] = labels[_roots(whole, folded)]
        members, starts = self._members(cluster)
        number = self._number_of_row[members]
        central = keeper.degrees(len(whole), left, right)
        ids = self._representatives[cluster[number[starts[:-1]]]]
        wholes = np.where(whole >= 0, self._representatives[whole], np.int32(-1))[number]
        positions = np.repeat(np.arange(len(ids), dtype=np.int32), np.diff(starts))
        entries = np.flatnonzero(wholes < 0)  # a part is not kept instead of its whole
        keepers = keeper.choose(members[entries], positions[entries], central[number[entries]], number[entries],
                                self._files.claims, self._files.ranks, self._files.editions)  # fmt: skip
        none = np.empty(0, np.int64)  # replaced by `keeping`
        clusters = Clusters(ids, starts, members, keepers, none.astype(np.uint8), none.astype(np.float32), wholes, none,
                            positions)  # fmt: skip
        return self._keeping(clusters, keepers, none, relation)

    def keeping(
        self, clusters: Clusters, keepers: NDArray[np.int32], staying: NDArray[np.int64], relation: NDArray[np.uint8]
    ) -> Clusters:
        """Return clusters with other kept copies, and what depends on these.

        keepers: int32 (g,), a member of each. staying: int64 (m,), other rows that are not removed.
        relation: as for `under`, with which the clusters were formed.
        """
        return self._keeping(clusters, keepers, staying, relation[self._pairs])

    def _keeping(
        self, clusters: Clusters, keepers: NDArray[np.int32], staying: NDArray[np.int64], relation: NDArray[np.uint8]
    ) -> Clusters:
        """Do what `keeping` does. relation: uint8 (p,)."""
        members, positions = clusters.members, clusters.positions
        to_keeper, similarity = self._to_keepers(clusters, keepers, relation)
        removed = _SURVIVES[to_keeper] & (members != keepers[positions]) & ~self._files.inside[keepers][positions]
        if len(staying):
            removed &= ~row_mask(len(self._files), staying)[members]
        to_free = self._to_free(members, clusters.starts, removed)
        return replace(clusters, keepers=keepers, relation=to_keeper, similarity=similarity, bytes_to_free=to_free)

    def _folded(self, demand: Demand, relation: NDArray[np.uint8], labels: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the number of the whole under which each document is folded: int32 (a,), -1 for none.

        relation: uint8 (p,). labels: int32 (a,), the clusters of versions.
        """
        is_single = np.bincount(labels, minlength=len(labels))[labels] == 1
        large = slice(self._starts_by_percent[int(demand.containment * 100)], None)  # smaller are no parts
        related, parts = relation[self._part_pairs[large]], self._parts[large]
        fits = np.flatnonzero(((related == Relation.PART) | (related == Relation.WHOLE)) & is_single[parts])
        wholes = np.full(len(labels), -1, np.int32)
        wholes[parts[fits]] = self._wholes[large][fits]  # the last assignment stays
        return wholes

    def _members(self, cluster: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the rows of all clusters, int32 (total,), and the starts of the clusters, int64 (g + 1,).

        Clusters are sorted by their numbers, rows ascend in each. Documents that are alone are left out.
        """
        is_single = (np.bincount(cluster, minlength=len(cluster))[cluster] == 1) & (self._copy_counts == 1)
        rows = self._rows[~is_single[self._number_of_row[self._rows]]]
        keys = np.sort(cluster[self._number_of_row[rows]].astype(np.int64) << 32 | rows)
        begins, _ = runs(keys >> 32)
        return (keys & 0xFFFFFFFF).astype(np.int32), np.append(begins, len(keys))

    def _to_keepers(
        self, clusters: Clusters, keepers: NDArray[np.int32], relation: NDArray[np.uint8]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return relation and similarity of each member to the kept copy, uint8 and float32 (total,); see Clusters.

        relation: uint8 (p,).
        """
        members, count = clusters.members, len(self._representatives)
        number, keeper_numbers = self._number_of_row[members], self._number_of_row[keepers]
        keeper_of = np.full(count, -1, np.int32)
        keeper_of[number] = keeper_numbers[clusters.positions]
        to_keeper, closest = np.zeros(count, np.uint8), np.zeros(count, np.float32)
        known = np.flatnonzero(relation >= Relation.WHOLE)  # as in `form_clusters`
        left, right, similarity = self._left[known], self._right[known], self._measured.similarity[self._pairs[known]]
        of_left, of_right = keeper_of[left], keeper_of[right]
        for documents, is_direct, mirror in ((left, of_left == right, _UNCHANGED), (right, of_right == left, REVERSED)):
            direct = np.flatnonzero(is_direct)
            to_keeper[documents[direct]] = mirror[relation[known[direct]]]
            closest[documents[direct]] = similarity[direct]
        to_keeper[keeper_numbers], closest[keeper_numbers] = _COPY, 1
        distant, in_one_cluster = to_keeper == Relation.NONE, (of_left == of_right) & (of_left >= 0)
        for documents in (left, right):  # distant versions: the largest similarity to any member
            pairs = np.flatnonzero(in_one_cluster & distant[documents])
            np.maximum.at(closest, documents[pairs], similarity[pairs])
        relations = to_keeper[number]
        relations[(clusters.whole >= 0) & (relations == Relation.NONE)] = Relation.PART
        copies = np.flatnonzero(relations == _COPY)
        rows, kept = members[copies], keepers[clusters.positions[copies]]
        relations[copies] = self._relation_to_best[rows]
        others = np.flatnonzero(kept != self._best[number[copies]])
        relations[copies[others]] = self._files.same_words(rows[others], kept[others])
        return relations, closest[number]

    def _to_free(
        self, members: NDArray[np.int32], starts: NDArray[np.int64], removed: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return the bytes that removing some members of each cluster frees: int64 (g,). removed: bool (total,).

        Each file on disk counts once, and only if all its names are removed. Protected files and those inside archives
        are not removed.
        """
        if not len(members):
            return np.empty(0, np.int64)
        frees = np.where(removed, self._frees[members], 0)
        if self._has_links.any():
            linked = np.flatnonzero(removed & self._has_links[members])
            frees[linked] = 0
            linked = linked[~self._files.locked[members[linked]]]
            last = linked[_last_names(self._files, members[linked])]
            frees[last] = self._frees[members[last]]
        return np.add.reduceat(frees, starts[:-1])


def form_clusters(pairs: Pairs, evidence: Evidence, demand: Demand, files: FileColumns) -> Clusters:
    rows = [np.empty(0, np.intp)]
    for start in range(0, len(pairs), _BLOCK):
        block = slice(start, start + _BLOCK)
        related = Measured(evidence.take(block), pairs.take(block)).decide(demand) >= Relation.WHOLE
        rows.append(start + np.flatnonzero(related))
    chosen = np.concatenate(rows)  # pairs without a relation, and fillings of a form, join no cluster
    measured = Measured(evidence.take(chosen), pairs.take(chosen))
    relation = measured.decide(demand)
    return Clustering(measured, files).under(demand, relation, measured.confidence(demand, relation))


def version_labels(
    left: NDArray[np.int32], right: NDArray[np.int32], sure: NDArray[np.bool_], count: int
) -> NDArray[np.int32]:
    """Return the cluster of each of `count` documents by pairs of versions: int32 (count,), its smallest number.

    left, right: int32 (m,), the pairs. sure: bool (m,), False for borderline pairs. Two groups that are connected by a
    single borderline pair stay separate.
    """
    roots = np.arange(count, dtype=np.int32)
    if sure.all():
        return components(left, right, roots)
    chosen, borderline = np.flatnonzero(sure), np.flatnonzero(~sure)
    roots = components(left[chosen], right[chosen], roots)
    left_group, right_group = roots[left[borderline]], roots[right[borderline]]
    keys = np.sort(pair_keys(np.minimum(left_group, right_group), np.maximum(left_group, right_group)))
    repeated = pairs_of(keys[1:][keys[1:] == keys[:-1]])
    return components(*repeated, roots)


def _roots(whole: NDArray[np.int32], folded: NDArray[np.intp]) -> NDArray[np.int32]:
    """Return the outermost whole of each folded document: int32. whole: int32 (a,), -1 for none."""
    root = whole[folded]
    while len(higher := np.flatnonzero(whole[root] >= 0)):
        root[higher] = whole[root[higher]]
    return root


def freed(files: FileColumns, rows: NDArray[np.int64]) -> int:
    """Return the bytes that removing some files frees: each file on disk once, if all its names are removed."""
    return int(files.size[rows[_last_names(files, rows)]].sum()) if len(rows) else 0


def _last_names(files: FileColumns, rows: NDArray[np.int32] | NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the positions in `rows` of files on disk all of whose names are in `rows`, one position for each file.

    Members of an archive have its device and inode, but are no names of it.
    """
    names = np.bincount(files.disk_file[~files.inside], minlength=int(files.disk_file.max(initial=0)) + 1)
    disk_file = files.disk_file[rows]
    removed = np.flatnonzero(names[disk_file] == np.bincount(disk_file, minlength=len(names))[disk_file])
    order = removed[np.argsort(disk_file[removed], kind="stable")]
    positions: NDArray[np.intp] = order[np.diff(disk_file[order], prepend=-1) != 0]
    return positions


def disk_files(device: NDArray[np.int64], inode: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each file on disk, by device and inode: int64 (n,)."""
    pairs = np.stack((device, inode), axis=1).view(np.uint64)
    return representatives(pairs).astype(np.int64)
