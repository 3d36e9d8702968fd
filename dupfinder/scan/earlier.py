"""What an earlier scan measured of texts that are still here, so that a scan costs what changed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import pair_keys
from dupfinder.cluster.linkage import components, representatives
from dupfinder.cluster.relation import LEAST_SIMILARITY, Evidence, similarity
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import Library
from dupfinder.library.rows import Documents, ScanSummary


def compared(documents: Documents) -> NDArray[np.intp]:
    """The rows that are compared: of copies the first alone, ascending."""
    copies = representatives(documents.copy_hashes())
    return np.flatnonzero(documents.comparable & (copies == np.arange(len(documents))))


def text_keys(documents: Documents, rows: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Name the texts of some rows, uint64 (n, 2): equal names, equal prints. A text that was not read to its end has
    no hash, so the number of its reading names it."""
    keys = documents.text_hash[rows].copy()
    nameless = ~keys.any(axis=1)
    keys[nameless, 1] = documents.ids[rows[nameless]].astype(np.uint64)
    return keys


@dataclass(frozen=True, slots=True)
class Measured:
    """All pairs among some texts. keys: uint64 (n, 2), see `text_keys`. pairs: of places in keys; evidence: row for
    row. widest: bits within which fingerprints proposed pairs."""

    keys: NDArray[np.uint64]
    pairs: Pairs
    evidence: Evidence
    widest: int


def measured_before(library: Library, summary: ScanSummary, revision: int) -> Measured | None:
    """Load what the newest finished scan with the same scheme measured, one of the same folders if there is any.

    revision: of the measuring; None when that scan was measured by another, or could not look at all pairs.
    """
    scans = [scan for scan in library.scans() if scan.state == "done" and scan.scheme == summary.scheme]
    if not scans:
        return None
    scan = next((scan for scan in scans if scan.roots == summary.roots), scans[0])
    result = library.result(scan.id)
    if result.revision != revision:
        return None
    rows = compared(result.documents)
    places = np.zeros(len(result.documents), np.uint32)
    places[rows] = np.arange(len(rows))
    pairs = replace(result.pairs, left=places[result.pairs.left], right=places[result.pairs.right])
    return Measured(text_keys(result.documents, rows), pairs, result.evidence, scan.widest_radius)


@dataclass(frozen=True, slots=True)
class StillHere:
    """What is left of earlier pairs among the texts of today.

    fresh:   bool (n,), texts that were not compared then.
    touched: bool (n,), texts that were like one that is gone; which forms there are is to be seen anew for these.
    pairs, evidence: of places of today, sorted as Pairs are.
    """

    fresh: NDArray[np.bool_]
    touched: NDArray[np.bool_]
    pairs: Pairs
    evidence: Evidence

    @classmethod
    def nothing(cls, count: int) -> StillHere:
        """Of n texts that all are new."""
        return cls(np.ones(count, np.bool_), np.zeros(count, np.bool_), Pairs.none(), Evidence.none())

    @classmethod
    def of(cls, measured: Measured, keys: NDArray[np.uint64]) -> StillHere:
        """keys: of the texts of today, uint64 (n, 2)."""
        before = len(measured.keys)
        first = representatives(np.concatenate((measured.keys, keys)))[before:]
        fresh = first >= before
        today = np.full(before, -1, np.int64)
        today[first[~fresh]] = np.flatnonzero(~fresh)
        left, right = today[measured.pairs.left], today[measured.pairs.right]
        touched = np.zeros(len(keys), np.bool_)
        alike = similarity(measured.evidence) >= LEAST_SIMILARITY
        for here, gone in ((left, right), (right, left)):
            touched[here[alike & (here >= 0) & (gone < 0)]] = True
        rows = np.flatnonzero((left >= 0) & (right >= 0))
        left, right, evidence = left[rows], right[rows], measured.evidence.take(rows)
        turned = left > right
        evidence = replace(
            evidence,
            left_in_right=np.where(turned, evidence.right_in_left, evidence.left_in_right),
            right_in_left=np.where(turned, evidence.left_in_right, evidence.right_in_left),
        )
        left, right = np.minimum(left, right), np.maximum(left, right)
        pairs = Pairs(left.astype(np.uint32), right.astype(np.uint32), measured.pairs.distance[rows])
        return cls(fresh, touched, *_sorted(pairs, evidence))

    def joined(self, pairs: Pairs, evidence: Evidence) -> tuple[Pairs, Evidence]:
        """These pairs and others, sorted."""
        columns = (
            np.concatenate((getattr(self.evidence, field.name), getattr(evidence, field.name)))
            for field in fields(Evidence)
        )
        together = Pairs(
            np.concatenate((self.pairs.left, pairs.left)),
            np.concatenate((self.pairs.right, pairs.right)),
            np.concatenate((self.pairs.distance, pairs.distance)),
        )
        return _sorted(together, Evidence(*columns))

    def changed_families(self, pairs: Pairs, evidence: Evidence) -> NDArray[np.intp]:
        """The rows of pairs whose texts hang together, by similarity, with a text that is fresh or touched: ascending.
        Which of these are two fillings of one form may have changed; of no other pair."""
        rows = np.flatnonzero(similarity(evidence) >= LEAST_SIMILARITY)
        left, right = pairs.left[rows].astype(np.int32), pairs.right[rows].astype(np.int32)
        labels = components(left, right, np.arange(len(self.fresh), dtype=np.int32))
        changed = np.zeros(len(self.fresh), np.bool_)
        changed[labels[self.fresh | self.touched]] = True
        return rows[changed[labels[left]]]


def _sorted(pairs: Pairs, evidence: Evidence) -> tuple[Pairs, Evidence]:
    order = np.argsort(pair_keys(pairs.left, pairs.right))
    return pairs.take(order), evidence.take(order)
