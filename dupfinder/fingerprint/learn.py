"""Learn from a library how common words are in it: the table behind the weights "learned"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies

_PENDING = 1 << 20  # features kept back before they are counted; bounds memory at a few times 8 MB over the table
_FEWEST = 2  # documents: a feature of one document weighs what an unknown one weighs


class FrequencyCounter:
    """Counts in how many documents each feature stands. The order of documents does not matter."""

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.uint64)
        self._counts = np.empty(0, dtype=np.int64)
        self._pending: list[Hashes] = []
        self._waiting = 0
        self._documents = 0

    def add(self, features: Hashes) -> None:
        """Count one document. features: its distinct features, such as `Fingerprinter.terms_of(text).features`."""
        self._documents += 1
        self._pending.append(features)
        self._waiting += len(features)
        if self._waiting >= _PENDING:
            self._count()

    def table(self) -> DocumentFrequencies:
        """The frequencies counted so far; features of a single document are left out and count as unseen."""
        self._count()
        common = self._counts >= _FEWEST
        counts = self._counts[common].astype(np.uint32)
        return DocumentFrequencies(self._keys[common], counts, self._documents, unseen=_FEWEST - 1)

    def _count(self) -> None:
        """Merge what is pending into the counts."""
        keys = np.concatenate([self._keys, *self._pending])
        counts = np.ones(len(keys), dtype=np.int64)
        counts[: len(self._counts)] = self._counts
        self._pending, self._waiting = [], 0
        if len(keys):
            self._keys, self._counts = _summed(keys, counts)


def _summed(keys: Hashes, counts: NDArray[np.int64]) -> tuple[Hashes, NDArray[np.int64]]:
    """Each key once, ascending, with the sum of its counts."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[firsts], np.add.reduceat(counts[order], firsts)


def learned_scheme(scheme: Scheme, table: DocumentFrequencies, path: Path) -> Scheme:
    """Write the table to `path` and return the scheme that weighs by it. Raises OSError.

    The scheme's id depends on what is in the table, not on where it lies.
    """
    table.save(path)
    return replace(scheme, weights="learned", learned=path, learned_digest=table.digest)
