"""Reuse the measurements of an earlier scan for texts that still exist, and decisions on files that were moved."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns, blocks, pair_keys, positions_in, row_mask
from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.forms import FieldContents, similarity_without_forms
from dupfinder.cluster.linkage import components, representatives
from dupfinder.cluster.relation import LEAST_SIMILARITY, Evidence
from dupfinder.index.pairs import Pairs
from dupfinder.library.decisions import Decisions
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import Documents, ScanResult, ScanSummary
from dupfinder.library.stored import stamp_key


def compared(documents: Documents) -> NDArray[np.intp]:
    """Return the rows of documents that are compared, ascending: of copies only the first."""
    copies = representatives(documents.copy_hashes())
    return np.flatnonzero(documents.comparable & (copies == np.arange(len(documents))))


def near_counts(pairs: Pairs, widest: int, grouped: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the pairs within `widest` bits by distance, without those of two grouped documents: int64 (65,)."""
    counted = (pairs.distance <= widest) & ~(grouped[pairs.left] & grouped[pairs.right])
    return np.bincount(pairs.distance[counted], minlength=65)


def text_keys(documents: Documents, rows: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Return keys of the texts of some rows: uint64 (n, 2). Equal keys mean equal prints.

    Texts with the same words may differ in fingerprints: as one number "12.34" is another feature than "12 34" is.
    Partial texts have no hash; their keys are the ids of their documents.
    """
    keys = documents.text_hash[rows].copy()
    without_hash = ~keys.any(axis=1)
    keys[:, 1] ^= documents.fingerprint[rows]
    keys[without_hash, 1] = documents.ids[rows[without_hash]].astype(np.uint64)
    return keys


def scan_before(library: LibraryFile, summary: ScanSummary) -> ScanSummary | None:
    """Return the newest finished scan of the same folders and scheme, else of the scheme alone; None without any."""
    scans = [scan for scan in library.scans() if scan.state == "done" and scan.scheme == summary.scheme]
    return next((scan for scan in scans if scan.roots == summary.roots), scans[0] if scans else None)


def measured_before(library: LibraryFile, summary: ScanSummary, revision: int) -> ScanResult | None:
    """Return the result of the scan before, see `scan_before`; None if it was measured by another revision."""
    scan = scan_before(library, summary)
    result = None if scan is None else library.result(scan.id)
    return result if result is not None and (result.revision == revision or result.revision < 0) else None


def follow_moved(library: LibraryFile, before: ScanSummary | None, present: Documents) -> None:
    """Store decisions on files that were moved or renamed since an earlier scan under the new paths.

    A file was moved if exactly one file with its bytes is gone and one is new. A further copy takes over no decision.
    A file is not gone if its drive is: none of the files that are present has its device, nor has its folder.
    Call it before the scan that found `present` is finished: after a kill, the next scan does it.
    """
    decisions = Decisions(library.path.parent / DECISIONS_NAME)
    hashes = {content for path, content in decisions.documents() if content and not os.path.lexists(path)}
    if before is None or not hashes:  # as after most scans: then results need not be loaded
        return
    earlier = library.result(before.id).documents
    rows_now, devices = present.rows_with(hashes), set(present.device.tolist())
    moved: dict[tuple[str, str], str] = {}
    for content, rows in earlier.rows_with(hashes).items():
        holders = {earlier.paths[row]: earlier.archive_of(row) or earlier.path(row) for row in rows}
        gone = [
            path
            for (path, holder), row in zip(holders.items(), rows, strict=True)
            if not os.path.lexists(holder)
            and (earlier.device[row] in devices or _is_there(earlier.device[row], holder))
        ]
        new = {present.paths[row] for row in rows_now.get(content, ())}.difference(holders)
        if len(gone) == len(new) == 1:
            moved[gone[0], content] = new.pop()
    decisions.follow(moved)


def _is_there(device: np.int64, missing: Path) -> bool:
    """Tell whether the drive of a missing file is there: the last of its folders that exists is on it.

    device: of the file. A file system of several layers may number its files otherwise than its folders.
    """
    with suppress(OSError):
        folder = next((folder for folder in missing.parents if os.path.lexists(folder)), missing)
        return stamp_key(FileStamp.of(folder, os.stat(folder)))[0] == device
    return False


@dataclass(frozen=True, slots=True)
class EvidenceRows(Columns):
    """Where the evidence of pairs is among that of an earlier scan, which is mapped from a file until it is needed.

    row: int32 (m,). turned: bool (m,), the documents have changed sides.
    """

    row: NDArray[np.int32]
    turned: NDArray[np.bool_]


_OTHER_SIDE: Final = {"left_in_right": "right_in_left", "right_in_left": "left_in_right"}  # of columns of Evidence


@dataclass(frozen=True, slots=True)
class RemainingPairs:
    """The pairs of an earlier scan whose texts both still exist, with indices of the n present texts.

    fresh:   bool (n,), texts that were not compared then. gone: uint64 (g,), the fingerprints of missing texts.
    touched: bool (n,), texts with a similar pair that is new or gone; their forms must be found again.
    pairs:   sorted as in Pairs. rows: row for row, where their evidence is.
    evidence: all of the earlier scan; after `joined` that of the pairs, row for row.
    frequent, contents: as in ScanResult. grouped, gone_grouped: bool (n,) and (g,), the texts that only passages
             paired with each other then. hubs: bool (n,), those that were paired with all of such a group.
    widest:  bits up to which fingerprints proposed pairs. near: int64 (65,), the number of these for each distance.
    revision: as in ScanResult.
    """

    fresh: NDArray[np.bool_]
    gone: NDArray[np.uint64]
    touched: NDArray[np.bool_]
    pairs: Pairs
    rows: EvidenceRows
    evidence: Evidence
    frequent: NDArray[np.uint32]
    grouped: NDArray[np.bool_]
    gone_grouped: NDArray[np.bool_]
    hubs: NDArray[np.bool_]
    contents: FieldContents
    widest: int
    near: NDArray[np.int64]
    revision: int

    @classmethod
    def none(cls, count: int) -> RemainingPairs:
        """Return no pairs, for `count` new texts."""
        are_all, none_are, none_gone = np.ones(count, np.bool_), np.zeros(count, np.bool_), np.empty(0, np.uint64)
        return cls(
            are_all, none_gone, none_are, Pairs.none(), EvidenceRows.none(), Evidence.none(), np.empty(0, np.uint32),
            none_are, np.empty(0, np.bool_), none_are, FieldContents.none(), 0, np.zeros(65, np.int64), 0,
        )  # fmt: skip

    @classmethod
    def of(cls, measured: ScanResult, keys: NDArray[np.uint64]) -> RemainingPairs:
        """Return the earlier pairs that remain. keys: of the present texts, as `text_keys` returns them."""
        documents, texts = measured.documents, compared(measured.documents)
        first = representatives(np.concatenate((text_keys(documents, texts), keys)))[len(texts) :]
        fresh = first >= len(texts)
        index_now = np.full(len(documents), -1, np.int32)
        index_now[texts[first[~fresh]]] = np.flatnonzero(~fresh)
        left, right = index_now[measured.pairs.left], index_now[measured.pairs.right]
        touched = np.zeros(len(keys), np.bool_)
        halves = np.flatnonzero((left >= 0) != (right >= 0))
        halves = halves[similarity_without_forms(measured.evidence.take(halves)) >= LEAST_SIMILARITY]
        touched[np.maximum(left[halves], right[halves])] = True
        row = np.flatnonzero((left >= 0) & (right >= 0))
        left, right = left[row].view(np.uint32), right[row].view(np.uint32)
        rows = EvidenceRows(row.astype(np.int32), left > right)
        pairs = Pairs(np.minimum(left, right), np.maximum(left, right), measured.pairs.distance[row])
        keys = pair_keys(pairs.left, pairs.right)
        if (keys[:-1] > keys[1:]).any():
            order = np.argsort(keys, kind="stable")  # merges long runs that are in order already
            pairs, rows = pairs.take(order), rows.take(order)
        were_grouped, gone = row_mask(len(documents), measured.grouped), texts[index_now[texts] < 0]
        grouped, hubs = (
            np.append(mask[texts], False)[np.minimum(first, len(texts))]
            for mask in (were_grouped, row_mask(len(documents), measured.hubs))
        )
        widest = measured.summary.widest_radius
        near = measured.rejected + near_counts(measured.pairs, widest, were_grouped)
        return cls(
            fresh, documents.fingerprint[gone], touched, pairs, rows, measured.evidence, measured.frequent,
            grouped, were_grouped[gone], hubs, measured.contents.renumbered(index_now), widest, near, measured.revision,
        )  # fmt: skip

    @property
    def are_all(self) -> bool:
        """Whether the texts are the same as then, so that there are no other pairs."""
        return not (self.fresh.any() or len(self.gone))

    def still_proposed(
        self, candidates: Pairs, asked: NDArray[np.bool_]
    ) -> tuple[RemainingPairs, NDArray[np.intp] | None]:
        """Return the pairs that are still candidates, and the rows of `candidates` that must be measured (None: all).

        asked: bool (n,), texts of which all candidates are given. candidates: each has such a text.
        If it also has a text that is neither new nor asked for, the pair was measured then, because all pairs of such
        a text were.
        """
        left, right = self.pairs.left, self.pairs.right
        rows = np.flatnonzero(asked[left] | asked[right])  # of pairs that may have ceased to be candidates
        if not len(rows):
            return self, None
        known = pair_keys(left[rows], right[rows])
        positions, are_known = positions_in(known, pair_keys(candidates.left, candidates.right))
        is_lost = np.ones(len(rows), np.bool_)
        is_lost[positions[are_known]] = False
        lost, rest = self.pairs.take(rows[is_lost]), np.delete(np.arange(len(left)), rows[is_lost])
        of_lost = pair_keys(np.concatenate((lost.left, lost.right)), np.concatenate((lost.right, lost.left)))
        remaining = replace(
            self,
            touched=self.touched | row_mask(len(asked), lost.left, lost.right),
            pairs=self.pairs.take(rest),
            rows=self.rows.take(rest),
            contents=self.contents.take(np.flatnonzero(~np.isin(self.contents.pairs, of_lost))),
        )
        left, right, fresh = candidates.left, candidates.right, self.fresh
        may_be_new = fresh[left] | fresh[right] | asked[left] & asked[right]
        return remaining, np.flatnonzero(may_be_new & ~are_known)

    def joined(self, pairs: Pairs, evidence: Evidence) -> RemainingPairs:
        """Return these and newly measured pairs, sorted as in Pairs. The texts of similar new pairs become touched."""
        if self.fresh.all():  # then there are no earlier pairs, and every text is decided anew anyway
            return replace(self, pairs=pairs, evidence=evidence)
        are_similar = similarity_without_forms(evidence) >= LEAST_SIMILARITY
        touched = self.touched | row_mask(len(self.touched), pairs.left[are_similar], pairs.right[are_similar])
        known = pair_keys(self.pairs.left, self.pairs.right)
        positions = np.searchsorted(known, pair_keys(pairs.left, pairs.right))
        columns = {name: np.insert(self._now(name), positions, getattr(evidence, name)) for name in Evidence.dtypes()}
        return replace(self, touched=touched, pairs=self.pairs.inserted(positions, pairs), evidence=Evidence(**columns))

    def _now(self, name: str) -> NDArray[Any]:
        """Return a column of the evidence of the pairs, in memory: one at a time, since they are large."""
        column: NDArray[Any] = getattr(self.evidence, name)[self.rows.row]
        if name in _OTHER_SIDE:
            turned = np.flatnonzero(self.rows.turned)
            column[turned] = getattr(self.evidence, _OTHER_SIDE[name])[self.rows.row[turned]]
        return column

    def rows_to_decide_anew(self) -> NDArray[np.int32]:
        """Return the rows of similar pairs whose connected group has a fresh or touched text: int32 (r,), ascending.

        Only such pairs may have become, or ceased to be, fillings of one form.
        """
        pairs, evidence, parts = self.pairs, self.evidence, [np.empty(0, np.int32)]
        for block in blocks(len(pairs)):
            similar = np.flatnonzero(similarity_without_forms(evidence.take(block)) >= LEAST_SIMILARITY)
            parts.append((block.start + similar).astype(np.int32))
        rows = np.concatenate(parts)
        if self.fresh.all():
            return rows
        left, right = pairs.left[rows].astype(np.int32), pairs.right[rows].astype(np.int32)
        labels = components(left, right, np.arange(len(self.fresh), dtype=np.int32))
        changed = row_mask(len(self.fresh), labels[self.fresh | self.touched])
        return rows[changed[labels[left]]]
