"""Weights of features: term frequency, and inverse document frequency from a shipped or a learned table.

All weights are whole numbers, so that sums of weights are exact, in any order and on every machine.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.paths import resource
from dupfinder.fingerprint.hashing import Hashes

UNIT = 64  # parts of one bit of information, for rarity
_DAMPING = 16  # parts of one, for damped counts
_UNKNOWN = 0.5  # of the rarity that a word of no table would have
SHIPPED = "weights/document_frequencies.npz"

Rarity = NDArray[np.int64]


class DocumentFrequencies:
    """How many documents of a collection hold each feature.

    keys:      uint64 (m,), ascending: hashes of features.
    counts:    uint32 (m,), documents that hold the feature.
    documents: number of documents counted.
    unseen:    the count taken for a feature that is not in the table.
    """

    __slots__ = ("counts", "documents", "keys", "unseen")

    def __init__(self, keys: Hashes, counts: NDArray[np.uint32], documents: int, unseen: int = 0) -> None:
        self.keys = keys
        self.counts = counts
        self.documents = documents
        self.unseen = unseen

    @classmethod
    def load(cls, path: Path) -> DocumentFrequencies:
        """The table that `save` wrote. Raises OSError, and ValueError for a file that is none."""
        try:
            with path.open("rb") as data, np.load(data, allow_pickle=False) as columns:
                documents, unseen = columns["totals"].tolist()
                return cls(columns["keys"], columns["counts"].astype(np.uint32), documents, unseen)
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, AttributeError, TypeError, ValueError) as fault:
            raise ValueError(f"not a table of document frequencies: {path}") from fault

    def save(self, path: Path) -> None:
        """Write the table as .npz."""
        totals = np.array([self.documents, self.unseen], dtype=np.int64)
        with path.open("wb") as out:
            np.savez_compressed(out, keys=self.keys, counts=self.counts, totals=totals)

    @property
    def digest(self) -> str:
        """A short name for what is in the table, the same on every machine."""
        name = hashlib.blake2b(f"{self.documents};{self.unseen};".encode(), digest_size=8)
        name.update(self.keys.astype("<u8").tobytes())
        name.update(self.counts.astype("<u4").tobytes())
        return name.hexdigest()

    def rarity_of(self, features: Hashes) -> Rarity:
        """Inverse document frequency of each feature in 64ths of a bit: int64 (n,), at least 1.

        round(64 * log2((documents + 1) / (count + 1))); half of it for a feature that is not in the table, which may be
        a misprint as well as a name.
        """
        counts = np.full(len(features), self.unseen, dtype=np.float64)
        trust = np.full(len(features), _UNKNOWN)
        if len(self.keys):
            places = np.minimum(np.searchsorted(self.keys, features), len(self.keys) - 1)
            known = self.keys[places] == features
            counts[known] = self.counts[places[known]]
            trust[known] = 1.0
        rarity: Rarity = np.rint(trust * UNIT * np.log2((self.documents + 1) / (counts + 1))).astype(np.int64)
        return np.maximum(rarity, 1)


class TermFrequency:
    """No feature is rarer than another: how often it stands in the text is all that counts."""

    def rarity_of(self, features: Hashes) -> Rarity:
        """int64 (n,), all of them UNIT."""
        return np.full(len(features), UNIT, dtype=np.int64)


Weights = DocumentFrequencies | TermFrequency


def shipped() -> DocumentFrequencies:
    """The document frequencies that come with the program. Raises FileNotFoundError when they were not installed."""
    return DocumentFrequencies.load(resource(SHIPPED))


def damped(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """1 + 2 log2(count) in 16ths: the tenth time a word stands in a text says less than the second.

    But a word that stands twice outlasts an edit or a misprint of one of the two, so it weighs three times as much.
    """
    parts: NDArray[np.int64] = np.rint(_DAMPING * (1 + 2 * np.log2(counts))).astype(np.int64)
    return parts
