"""Weights of features: term frequency, and inverse document frequency from a shipped or a learned table.

All weights are whole numbers, so that sums of weights are exact, in any order and on every machine. A table is learned
from a library by counting in how many documents each feature occurs.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import positions_in, runs
from dupfinder.base.files import write_whole
from dupfinder.base.paths import resource
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.scheme import Scheme

UNIT = 64  # rarity is counted in 64ths of a bit of information
_DAMPING = 16  # damped counts are counted in 16ths
_UNSEEN = 0.1  # factor on the rarity of features that are not in the table
# Raised by numpy and zipfile for a damaged table. RuntimeError: a damaged header may state a password.
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, KeyError, EOFError, AttributeError, TypeError, ValueError, RuntimeError,
)  # fmt: skip
SHIPPED = "weights/document_frequencies.npz"

Rarity = NDArray[np.int64]

_MOST_PENDING = 1 << 20  # features, 8 MB; when as many are collected, they are counted
_FEWEST = 2  # documents; features of a single document are not stored and count as unseen


class DocumentFrequencies:
    """How many documents of a collection contain each feature.

    keys:      uint64 (m,), ascending: hashes of features.
    counts:    uint32 (m,), documents that contain the feature.
    documents: number of documents counted.
    unseen:    the count assumed for a feature that is not in the table.
    """

    __slots__ = ("counts", "documents", "keys", "unseen")

    def __init__(self, keys: Hashes, counts: NDArray[np.uint32], documents: int, unseen: int = 0) -> None:
        self.keys = keys
        self.counts = counts
        self.documents = documents
        self.unseen = unseen

    @classmethod
    def load(cls, path: Path) -> DocumentFrequencies:
        """Read a table that `save` wrote. Raises OSError, and ValueError for any other file."""
        try:
            with path.open("rb") as data, np.load(data, allow_pickle=False) as columns:
                documents, unseen = columns["totals"].tolist()
                return cls(columns["keys"], columns["counts"].astype(np.uint32), documents, unseen)
        except _DAMAGED as fault:
            raise ValueError(f"not a table of document frequencies: {path}") from fault

    def save(self, path: Path) -> None:
        """Write the table as .npz. Raises OSError; then an earlier file at `path` is unchanged."""
        totals = np.array([self.documents, self.unseen], dtype=np.int64)
        out = io.BytesIO()
        np.savez_compressed(out, keys=self.keys, counts=self.counts, totals=totals)
        write_whole(path, [out.getbuffer()])

    @property
    def digest(self) -> str:
        """A short hash of the table's content, equal on all machines."""
        content = hashlib.blake2b(f"{self.documents};{self.unseen};".encode(), digest_size=8)
        content.update(self.keys.astype("<u8").tobytes())
        content.update(self.counts.astype("<u4").tobytes())
        return content.hexdigest()

    def rarity_of(self, features: Hashes) -> Rarity:
        """Return the inverse document frequency of each feature in 64ths of a bit: int64 (n,), at least 1.

        round(64 * log2((documents + 1) / (count + 1))); a tenth of it for a feature that is not in the table. Many of
        these are misread words, which must not outweigh the words of a scan that were read well.
        """
        counts = np.full(len(features), self.unseen, dtype=np.float64)
        trust = np.full(len(features), _UNSEEN)
        positions, is_known = positions_in(self.keys, features)
        counts[is_known] = self.counts[positions[is_known]]
        trust[is_known] = 1.0
        rarity: Rarity = np.rint(trust * UNIT * np.log2((self.documents + 1) / (counts + 1))).astype(np.int64)
        return np.maximum(rarity, 1)


class TermFrequency:
    """Weights all features equally, so that only their counts in the text matter."""

    def rarity_of(self, features: Hashes) -> Rarity:
        """Return UNIT for each feature: int64 (n,)."""
        return np.full(len(features), UNIT, dtype=np.int64)


Weights = DocumentFrequencies | TermFrequency


def shipped() -> DocumentFrequencies:
    """Return the document frequencies that come with the program.

    Raises FileNotFoundError when they are not installed.
    """
    return DocumentFrequencies.load(resource(SHIPPED))


def damped(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1 + 2 log2(count) in 16ths: int64 (n,).

    A second occurrence triples the weight, as one of them may be edited or misprinted; further ones add less and less.
    """
    if len(counts) and counts.max() < len(_DAMPED):
        return _DAMPED[counts]
    return _sixteenths(counts)


def _sixteenths(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    weights: NDArray[np.int64] = np.rint(_DAMPING * (1 + 2 * np.log2(counts))).astype(np.int64)
    return weights


_DAMPED = np.concatenate(([0], _sixteenths(np.arange(1, 1 << 10))))  # by count, for the usual counts


class FrequencyCounter:
    """Counts in how many documents each feature occurs. The order of documents does not matter."""

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.uint64)
        self._counts = np.empty(0, dtype=np.int64)
        self._pending: list[Hashes] = []
        self._pending_count = 0
        self._documents = 0

    def add(self, features: Hashes) -> None:
        """Count one document. features: its distinct features, such as `Fingerprinter.terms_of(text).features`."""
        self._documents += 1
        self._pending.append(features)
        self._pending_count += len(features)
        if self._pending_count >= _MOST_PENDING:
            self._merge_pending()

    def table(self) -> DocumentFrequencies:
        """Return the frequencies counted so far; features of a single document are left out and count as unseen."""
        self._merge_pending()
        common = self._counts >= _FEWEST
        counts = self._counts[common].astype(np.uint32)
        return DocumentFrequencies(self._keys[common], counts, self._documents, unseen=_FEWEST - 1)

    def _merge_pending(self) -> None:
        """Merge the pending features into the counts."""
        keys = np.concatenate([self._keys, *self._pending])
        counts = np.ones(len(keys), dtype=np.int64)
        counts[: len(self._counts)] = self._counts
        self._pending, self._pending_count = [], 0
        if len(keys):
            order = np.argsort(keys, kind="stable")
            firsts, _ = runs(keys[order])
            self._keys, self._counts = keys[order[firsts]], np.add.reduceat(counts[order], firsts)


def learned_scheme(scheme: Scheme, table: DocumentFrequencies, path: Path) -> Scheme:
    """Write the table to `path` and return the scheme that weighs by it. Raises OSError.

    The scheme's id depends on the content of the table, not on its path.
    """
    table.save(path)
    return replace(scheme, weights="learned", learned=path, learned_digest=table.digest)
