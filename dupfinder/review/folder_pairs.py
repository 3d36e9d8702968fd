"""Pairs of folders that hold the same documents, and what of one of them may go because the other has it."""

from __future__ import annotations

import itertools
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import distinct, pair_keys, pairs_of, runs, spans, starts_of
from dupfinder.base.progress import SILENT, Reporter
from dupfinder.cluster.keeper import provisional_names
from dupfinder.cluster.relation import FREELY_REMOVED
from dupfinder.library.rows import Documents, Texts
from dupfinder.review.acts import VerdictKind
from dupfinder.review.members import Decision
from dupfinder.review.session import ReviewSession

LEAST_PERCENT: Final = 50  # in the other folder, of a folder that stands for its subfolders
LEAST_SHARED: Final = 2  # documents: folders that share a single one are no pair
MOST_FOLDERS: Final = 100  # a text that is in more folders tells nothing about two of them
MOST_PAIRS: Final = 5_000  # pairs of folders to look at, those that share the most texts
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
    for path, size in zip(Texts.of(documents.paths).take(rows), documents.size[rows].tolist(), strict=True):
        folder = os.path.dirname(path)
        count, total = totals.get(folder, (0, 0))
        totals[folder] = (count + 1, total + size)
    lines = [FolderLine(folder, count, size) for folder, (count, size) in totals.items()]
    return sorted(lines, key=lambda line: (-line.bytes, line.folder))


@dataclass(frozen=True, slots=True)
class FolderPair:
    """Two folders with all that is below them. documents: of the left folder. shared: those that are in the right."""

    left: str
    right: str
    documents: int
    shared: int

    @property
    def percent(self) -> int:
        """The shared documents in per cent of the left folder, rounded down."""
        return self.shared * 100 // self.documents


@dataclass(frozen=True, slots=True)
class Contents:
    """The documents of the left folder of a pair, those that are not in the right folder first, then by path.

    rows: int32 (m,). relation: uint8 (m,), to the closest document of the right folder with the same words, or NONE.
    partner: int32 (m,), that document; -1 for none. can_go: bool (m,), undecided, and identical to a document of the
    right folder that is not marked, or the same text.
    """

    rows: NDArray[np.int32]
    relation: NDArray[np.uint8]
    partner: NDArray[np.int32]
    can_go: NDArray[np.bool_]


class Folders:
    """The documents of a scan by folder: those whose files are unchanged, outside of archives.

    pairs: folders that share documents, those with the largest share in the other first. The left one is that which
    may go, by protection and by `provisional_names`, else that with the larger share. A pair of which at least half of
    one is in the other stands for all pairs of folders below the two. Folders above two others are looked at as far
    as names are equal.
    """

    def __init__(self, session: ReviewSession, reporter: Reporter = SILENT) -> None:
        """Find the pairs. Raises Stopped."""
        self._session, self._grouping = session, session.grouping
        self._paths = session.result.documents.paths
        there = session.marks.stays()
        there[session.marks.marked_rows()] = True
        keyed = sorted((self._paths[row].replace(os.sep, "\0"), row) for row in np.flatnonzero(there).tolist())
        self._keys = [key for key, _ in keyed]  # a folder and all that is below it follow each other
        self._rows = np.array([row for _, row in keyed], np.int32)
        self.pairs = self._find_pairs(reporter)

    def _sides(self, left: str, right: str) -> list[NDArray[np.int32]]:
        """Return the documents of two folders, by path; if one is in the other, those in both count for the inner."""
        keys = [folder.rstrip(os.sep).replace(os.sep, "\0") for folder in (left, right)]
        ends = [(bisect_left(self._keys, key + "\0"), bisect_left(self._keys, key + "\1")) for key in keys]
        rows, others = (self._rows[slice(*end)] for end in ends)
        if len(left) > len(right):
            return [rows, others[~np.isin(others, rows)]]
        return [rows[~np.isin(rows, others)], others]

    def _find_pairs(self, reporter: Reporter) -> list[FolderPair]:
        roots = {str(root) for root, _ in self._session.result.summary.roots}
        direct = self._direct(reporter)
        counted: dict[tuple[str, str], FolderPair] = {}
        for names in {above for lowest in direct for above in _upwards(lowest, roots)}:
            reporter.check()
            ways = (self._counted(*names), self._counted(*reversed(names)))
            counted[names] = max(ways, key=lambda pair: pair.shared / pair.documents)
        large = {names for names, pair in counted.items() if pair.percent >= LEAST_PERCENT}
        pairs = [
            counted[names]
            for names in large.union(direct)
            if counted[names].shared >= LEAST_SHARED and not large.intersection(_around(names))
        ]
        closest = sorted(pairs, key=lambda pair: (-pair.percent, -pair.shared, pair.left, pair.right))
        return [self._as_it_may_go(pair) for pair in closest]

    def _direct(self, reporter: Reporter) -> list[tuple[str, str]]:
        """Return pairs of folders with documents of the same words immediately in them, ascending in each pair."""
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
        rows, others = self._sides(left, right)
        shared = int(np.isin(self._same_words(rows, others)[0], _FREE).sum())
        return FolderPair(left, right, len(rows), shared)

    def _as_it_may_go(self, pair: FolderPair) -> FolderPair:
        """Return a pair, turned if the right folder is a download or copy by its name, or the left one is protected."""
        protected, names = self._session.result.documents.protected, (pair.left, pair.right)
        left, right = (
            -1 if protected[rows].all() else provisional_names(folder)
            for rows, folder in zip(self._sides(*names), names, strict=True)
        )
        return self._counted(pair.right, pair.left) if right > left else pair

    def contents(self, left: str, right: str) -> Contents:
        """Return what is in the left folder, compared with what stays in the right folder as the marks are now."""
        session, (rows, others) = self._session, self._sides(left, right)
        relation, partner = self._same_words(rows, others)
        staying, _ = self._same_words(rows, others[session.marks.stays()[others]])
        free = ~session.result.documents.protected & (session.acts.decisions == Decision.UNDECIDED)
        groups = session.all_clusters()
        apart = session.acts.verdicts.mask(VerdictKind.APART, groups)
        free[groups.members[apart[groups.positions]]] = False
        wanted = rows[np.isin(staying, _FREE) & free[rows]]
        can_go = np.isin(rows, session.marks.markable_together(wanted, ())[0])
        order = np.argsort(np.isin(relation, _FREE), kind="stable")
        return Contents(rows[order], relation[order], partner[order], can_go[order])

    def _same_words(
        self, left: NDArray[np.int32], right: NDArray[np.int32]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Return the relation of each left document to the closest right one with its words, NONE and -1 for none."""
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
        """Mark what may go of the left folder, as one step of undo; return how many documents were marked."""
        contents = self.contents(left, right)
        rows = contents.rows[contents.can_go]
        if len(rows):
            self._session.marks.decide(rows, Decision.REMOVE)
        return len(rows)


def _upwards(names: tuple[str, str], roots: set[str]) -> list[tuple[str, str]]:
    """Return a pair of folders, and those above it as long as names are equal, up to a scanned folder."""
    pairs = [names]
    while os.path.basename(names[0]) == os.path.basename(names[1]) and not roots.intersection(names):
        left, right = sorted(map(os.path.dirname, names))
        if (right + os.sep).startswith(left.rstrip(os.sep) + os.sep):  # one in the other
            break
        names = left, right
        pairs.append(names)
    return pairs


def _around(names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield all pairs of folders in which two folders are, without the two themselves."""
    left, right = ([folder, *map(str, PurePath(folder).parents)] for folder in names)
    for above in itertools.islice(itertools.product(left, right), 1, None):
        yield min(above), max(above)
