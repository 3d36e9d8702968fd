"""Pairs of folders that hold the same documents, and which documents one may lose because the other has them."""

from __future__ import annotations

import itertools
import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import distinct, pair_keys, pairs_of, runs, spans, starts_of
from dupfinder.base.progress import SILENT, Reporter
from dupfinder.cluster.keeper import provisional_names
from dupfinder.cluster.relation import FREELY_REMOVED
from dupfinder.library.decisions import Decision, VerdictKind
from dupfinder.library.rows import DistinctTexts, Documents
from dupfinder.review.session import ReviewSession

LEAST_PERCENT: Final = 50  # of a folder's documents, in the other one: then the pair stands for its subfolders too
LEAST_SHARED: Final = 2  # documents; two folders that share fewer are not shown as a pair
MOST_FOLDERS: Final = 100  # a text that is in more folders says nothing about a pair of them
MOST_PAIRS: Final = 5_000  # pairs of folders that are examined, those that share the most texts
# Folders that programs of cloud storage create, by the names that these give them; "OneDrive - Firm" is one, too.
_SYNCED: Final = re.compile(
    r"(?:OneDrive|Dropbox|Google ?Drive|iCloud ?Drive|Nextcloud|ownCloud|pCloud ?Drive|MEGA(?:sync)?|Yandex\.Disk)"
    r"(?:$| ?[-(].*)|CloudStorage|Mobile Documents|Box Sync|(?:我的)?坚果云|Nutstore.*|BaiduSyncdisk|WPS ?云盘",
    re.IGNORECASE,
)
_FREE: Final = [int(relation) for relation in FREELY_REMOVED]


@dataclass(frozen=True, slots=True)
class FolderLine:
    """A folder with the number and bytes of some of its documents."""

    folder: str
    documents: int
    bytes: int


def by_folder(documents: Documents, rows: NDArray[np.int64]) -> list[FolderLine]:
    """Return the folders of some documents, the one with the most bytes first."""
    totals: dict[str, tuple[int, int]] = {}
    for path, size in zip(DistinctTexts.of(documents.paths).take(rows), documents.size[rows].tolist(), strict=True):
        folder = os.path.dirname(path)
        count, total = totals.get(folder, (0, 0))
        totals[folder] = (count + 1, total + size)
    lines = [FolderLine(folder, count, size) for folder, (count, size) in totals.items()]
    return sorted(lines, key=lambda line: (-line.bytes, line.folder))


def synced_name(folder: str) -> str:
    """Return the name in a folder's path that is usual for folders of cloud storage; "" without one.

    It tells no more than that: a program of cloud storage may never have seen the folder.
    """
    return next(filter(_SYNCED.fullmatch, folder.split(os.sep)), "")


@dataclass(frozen=True, slots=True)
class FolderPair:
    """Two folders with all that is below them.

    documents: number in the left folder. shared: how many of these the right folder has too.
    """

    left: str
    right: str
    documents: int
    shared: int

    @property
    def percent(self) -> int:
        """The shared documents in per cent of the left folder, rounded down."""
        return self.shared * 100 // self.documents


@dataclass(frozen=True, slots=True)
class FolderContents:
    """The documents of the left folder of a pair, those that are not in the right folder first, then by path.

    rows:     int32 (m,).
    partner:  int32 (m,), the closest document of the right folder with the same words; -1 for none.
    relation: uint8 (m,), to the partner; NONE without one.
    can_go:   bool (m,), undecided, and identical to or the same text as an unmarked document of the right folder.
    """

    rows: NDArray[np.int32]
    relation: NDArray[np.uint8]
    partner: NDArray[np.int32]
    can_go: NDArray[np.bool_]


class FolderPairOrder(StrEnum):
    """Orders of pairs of folders: by the share or the number of common documents, or by the left folder."""

    SHARE = "share"
    SHARED = "shared"
    FOLDER = "folder"


def in_order_of(pairs: Sequence[FolderPair], order: FolderPairOrder) -> list[FolderPair]:
    """Return pairs, given with the largest share first, in an order."""
    if order is FolderPairOrder.FOLDER:
        return sorted(pairs, key=lambda pair: (pair.left, pair.right))
    return sorted(pairs, key=lambda pair: -pair.shared) if order is FolderPairOrder.SHARED else list(pairs)


class DocumentsByFolder:
    """The documents of a scan by folder: those whose files are unchanged, outside of archives.

    pairs: folders that share documents, the largest share first, but protected ones last. On the left is the folder
    whose copies should rather go: by protection, then by `provisional_names`, then the one of which more is in the
    other. If at least half of one folder is in the other, pairs of folders below these two are left out. The parents of
    two folders are examined too, if the names of the folders are equal, or if as much of the parents is shared; they
    stand for the two only if they have more documents in common.
    """

    def __init__(self, session: ReviewSession, reporter: Reporter = SILENT) -> None:
        """Find the pairs. Raises Stopped."""
        self._session, self._grouping = session, session.grouping
        self._paths = session.result.documents.paths
        is_present = session.marks.stays()
        is_present[session.marks.marked_rows()] = True
        keyed = sorted((self._paths[row].replace(os.sep, "\0"), row) for row in np.flatnonzero(is_present).tolist())
        self._keys = [key for key, _ in keyed]  # a folder and all that is below it follow each other
        self._rows = np.array([row for _, row in keyed], np.int32)
        self.pairs = self._find_pairs(reporter)

    def _sides(self, left: str, right: str) -> list[NDArray[np.int32]]:
        """Return the documents of two folders, by path. Documents in both, of nested ones, count for the inner one."""
        keys = [folder.rstrip(os.sep).replace(os.sep, "\0") for folder in (left, right)]
        ends = [(bisect_left(self._keys, key + "\0"), bisect_left(self._keys, key + "\1")) for key in keys]
        rows, others = (self._rows[slice(*end)] for end in ends)
        if len(left) > len(right):
            return [rows, others[~np.isin(others, rows)]]
        return [rows[~np.isin(rows, others)], others]

    def _find_pairs(self, reporter: Reporter) -> list[FolderPair]:
        """Return the pairs to show, in order. Raises Stopped."""
        roots = {str(root) for root, _ in self._session.result.summary.roots}
        lowest_pairs = self._lowest_pairs(reporter)
        counted, wrappers = self._with_parents(lowest_pairs, roots, reporter)
        large = {names for names, pair in counted.items() if pair.percent >= LEAST_PERCENT} - wrappers
        hiding = {names for names in large if not _is_nested(*names)}  # else pairs within a folder would be hidden
        pairs = [
            counted[names]
            for names in large.union(lowest_pairs)
            if counted[names].shared >= LEAST_SHARED and not hiding.intersection(_pairs_above(names))
        ]
        as_shown = map(self._with_removable_left, pairs)
        return sorted(
            as_shown, key=lambda pair: (self._is_fixed(pair), -pair.percent, -pair.shared, pair.left, pair.right)
        )

    def _with_parents(
        self, lowest_pairs: Sequence[tuple[str, str]], roots: set[str], reporter: Reporter
    ) -> tuple[dict[tuple[str, str], FolderPair], set[tuple[str, str]]]:
        """Return the counts of pairs of folders and of those above, and which share no more than one below them.

        Raises Stopped.
        """
        counted: dict[tuple[str, str], FolderPair] = {}
        shared: dict[tuple[str, str], int] = {}  # documents of both folders together
        accepted: set[tuple[str, str]] = set()
        wrappers: set[tuple[str, str]] = set()
        waiting = [(names, 0, 0) for names in lowest_pairs]  # with the per cent that must be shared, and `shared` below
        while waiting:
            names, least, shared_below = waiting.pop()
            if names not in counted:
                reporter.check()
                both_ways = (self._counted(*names), self._counted(*reversed(names)))
                counted[names] = max(both_ways, key=lambda pair: pair.shared / pair.documents)
                shared[names] = sum(pair.shared for pair in both_ways)
            if shared[names] <= shared_below:
                wrappers.add(names)
            if names in accepted or (percent := counted[names].percent) < least:
                continue
            accepted.add(names)
            have_equal_names = len(set(map(os.path.basename, names))) == 1
            if (have_equal_names or percent >= LEAST_PERCENT) and (parents := _parents_of(names, roots)) is not None:
                waiting.append((parents, 0 if have_equal_names else percent, shared[names]))
        return {names: counted[names] for names in accepted}, wrappers

    def _lowest_pairs(self, reporter: Reporter) -> list[tuple[str, str]]:
        """Return the pairs of folders that directly hold documents with the same words, each pair ascending."""
        folders = [os.path.dirname(self._paths[row]) for row in self._rows.tolist()]
        names = sorted(set(folders))
        number_of = {name: number for number, name in enumerate(names)}
        numbers = np.array([number_of[folder] for folder in folders], np.uint32)
        keys = np.sort(pair_keys(self._grouping.representative[self._rows], numbers))
        texts, numbers = pairs_of(keys[runs(keys)[0]])
        counts: Counter[tuple[int, int]] = Counter()
        for begin, length in zip(*runs(texts), strict=True):
            if 1 < length <= MOST_FOLDERS:
                reporter.check()
                counts.update(itertools.combinations(numbers[begin : begin + length].tolist(), 2))
        return [(names[left], names[right]) for (left, right), _ in counts.most_common(MOST_PAIRS)]

    def _counted(self, left: str, right: str) -> FolderPair:
        """Return the pair of two folders with its counts."""
        rows, others = self._sides(left, right)
        shared = int(np.isin(self._same_words(rows, others)[0], _FREE).sum())
        return FolderPair(left, right, len(rows), shared)

    def _with_removable_left(self, pair: FolderPair) -> FolderPair:
        """Return a pair, swapped if its left folder is protected or its right one is named like a download or copy."""
        protected, names = self._session.result.documents.protected, (pair.left, pair.right)
        left, right = (
            -1 if protected[rows].all() else provisional_names(os.path.join(folder, ""))
            for rows, folder in zip(self._sides(*names), names, strict=True)
        )
        return self._counted(pair.right, pair.left) if right > left else pair

    def _is_fixed(self, pair: FolderPair) -> bool:
        """Tell whether nothing of the left folder may go, since all of it is protected."""
        return bool(self._session.result.documents.protected[self._sides(pair.left, pair.right)[0]].all())

    def contents(self, left: str, right: str) -> FolderContents:
        """Return the documents of the left folder. They may go only because of what is unmarked in the right one."""
        session, (rows, others) = self._session, self._sides(left, right)
        relation, partner = self._same_words(rows, others)
        staying, _ = self._same_words(rows, others[session.marks.stays()[others]])
        may_go = ~session.result.documents.protected & (session.acts.decisions == Decision.UNDECIDED)
        groups = session.all_clusters()
        apart = session.acts.verdicts.mask(VerdictKind.APART, groups)
        may_go[groups.members[apart[groups.positions]]] = False
        proposed = rows[np.isin(staying, _FREE) & may_go[rows]]
        can_go = np.isin(rows, session.marks.markable_together(proposed, ())[0])
        order = np.argsort(np.isin(relation, _FREE), kind="stable")
        return FolderContents(rows[order], relation[order], partner[order], can_go[order])

    def _same_words(
        self, left: NDArray[np.int32], right: NDArray[np.int32]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Return (relation, partner) of each left document: the closest right one with its words; NONE, -1 for none."""
        representative, kinds, files = self._grouping.representative, self._grouping.kinds, self._grouping.files
        ordered = right[np.argsort(kinds[right], kind="stable")]  # by text, too
        firsts = ordered[runs(kinds[ordered])[0]]
        texts, numbers = distinct(representative[firsts])
        known = np.flatnonzero(np.isin(representative[left], texts))
        starts = starts_of(np.bincount(numbers, minlength=len(texts)))
        owner, index = spans(starts, np.searchsorted(texts, representative[left[known]]))
        owner, other = known[owner], firsts[index]
        relations = files.same_words(left[owner], other)
        relation, partner = np.zeros(len(left), np.uint8), np.full(len(left), -1, np.int32)
        np.maximum.at(relation, owner, relations)
        closest = relations == relation[owner]
        partner[owner[closest]] = other[closest]
        return relation, partner

    def mark(self, left: str, right: str) -> int:
        """Mark the documents of the left folder that may go, as one step of undo; return their number."""
        contents = self.contents(left, right)
        rows = contents.rows[contents.can_go]
        if len(rows):
            self._session.marks.decide(rows, Decision.REMOVE)
        return len(rows)


def _parents_of(names: tuple[str, str], roots: set[str]) -> tuple[str, str] | None:
    """Return the pair of the folders above; None at a scanned folder, and if one would be in the other."""
    if roots.intersection(names):
        return None
    left, right = sorted(map(os.path.dirname, names))
    return None if _is_nested(left, right) else (left, right)


def _is_nested(left: str, right: str) -> bool:
    """Tell whether the second of two folders, given in order, is the first or in it."""
    return (right + os.sep).startswith(left.rstrip(os.sep) + os.sep)


def _pairs_above(names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield all other pairs of a folder at or above the left one with a folder at or above the right one."""
    left, right = ([folder, *map(str, PurePath(folder).parents)] for folder in names)
    for pair in itertools.islice(itertools.product(left, right), 1, None):
        yield min(pair), max(pair)
