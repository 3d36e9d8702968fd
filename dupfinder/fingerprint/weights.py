"""Weights of features: term frequency, and inverse document frequency from a shipped or a learned table.

A weight is a whole number of 64ths (tf: always 64), so that sums of weights are exact on every machine.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.paths import resource
from dupfinder.fingerprint.hashing import Hashes

UNIT = 64  # parts of one
SHIPPED = "weights/document_frequencies.npz"

Weight = NDArray[np.float64]


class DocumentFrequencies:
    """How many documents of a collection hold each feature.

    keys:      uint64 (m,), ascending: hashes of features.
    counts:    uint32 (m,), documents that hold the feature.
    documents: number of documents counted.
    """

    __slots__ = ("counts", "documents", "keys")

    def __init__(self, keys: Hashes, counts: NDArray[np.uint32], documents: int) -> None:
        self.keys = keys
        self.counts = counts
        self.documents = documents

    @classmethod
    def load(cls, path: Path) -> DocumentFrequencies:
        """The table that `save` wrote. Raises OSError, ValueError or KeyError for a file that is none."""
        with np.load(path, allow_pickle=False) as columns:
            return cls(columns["keys"], columns["counts"], int(columns["documents"]))

    def save(self, path: Path) -> None:
        """Write the table as .npz."""
        with path.open("wb") as out:
            np.savez_compressed(
                out, keys=self.keys, counts=self.counts, documents=np.array(self.documents, dtype=np.uint64)
            )

    def weights_of(self, features: Hashes) -> Weight:
        """Inverse document frequency of each feature in whole 64ths: float64 (n,), at least 1.

        round(64 * log2((documents + 1) / (count + 1))); a feature that is not in the table counts as in no document.
        """
        counts = np.zeros(len(features), dtype=np.float64)
        if len(self.keys):
            places = np.minimum(np.searchsorted(self.keys, features), len(self.keys) - 1)
            found = self.keys[places] == features
            counts[found] = self.counts[places[found]]
        weights: Weight = np.maximum(np.rint(UNIT * np.log2((self.documents + 1) / (counts + 1))), 1.0)
        return weights


class TermFrequency:
    """Every feature weighs the same; how often it stands in the text is what counts."""

    def weights_of(self, features: Hashes) -> Weight:
        """float64 (n,), all of them UNIT."""
        return np.full(len(features), float(UNIT))


Weights = DocumentFrequencies | TermFrequency


def shipped() -> Weights:
    """The document frequencies that come with the program."""
    try:
        return DocumentFrequencies.load(resource(SHIPPED))
    except FileNotFoundError:
        return TermFrequency()
