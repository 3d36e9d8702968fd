"""The peers' ways to index and join, each behind the same two or three calls. FAISS is held to one thread."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.speed.peers import load

Fingerprints = NDArray[np.uint64]
PairSet = set[tuple[int, int]]


def faiss() -> Any:
    """FAISS with one thread, None where it is not installed."""
    module = load("faiss-cpu")
    if module is not None:
        module.omp_set_num_threads(1)
    return module


def as_codes(fingerprints: Fingerprints) -> NDArray[np.uint8]:
    """uint8 (n, 8), as FAISS takes them."""
    return np.ascontiguousarray(fingerprints).view(np.uint8).reshape(-1, 8)


def multi_hash(module: Any, fingerprints: Fingerprints) -> Any:
    """An index of 4 hashes of 16 bits: complete for a radius of 3."""
    index = module.IndexBinaryMultiHash(64, 4, 16)
    index.nflip = 0
    index.add(as_codes(fingerprints))
    return index


def flat(module: Any, fingerprints: Fingerprints) -> Any:
    """An index that compares with all."""
    index = module.IndexBinaryFlat(64)
    index.add(as_codes(fingerprints))
    return index


def range_pairs(index: Any, fingerprints: Fingerprints, radius: int) -> PairSet:
    """All pairs of rows by one range search (whose bound is exclusive) of everything."""
    ends, _, rows = index.range_search(as_codes(fingerprints), radius + 1)
    left = np.repeat(np.arange(len(fingerprints)), np.diff(ends.astype(np.int64)))
    ahead = left < rows
    return set(zip(left[ahead].tolist(), rows[ahead].tolist(), strict=True))


def find_all(module: Any, values: set[int], radius: int, blocks: int) -> Any:
    """simhash-cpp behind its Python binding: pairs of values."""
    return module.c_find_all(values, blocks, radius)


def simhash_index(module: Any, values: list[int], radius: int) -> Any:
    """The index of `simhash`: dictionaries of strings."""
    logging.getLogger("simhash").setLevel(logging.ERROR)
    return module.SimhashIndex([(str(row), module.Simhash(value)) for row, value in enumerate(values)], k=radius)


def simhash_pairs(module: Any, values: list[int], radius: int) -> PairSet:
    """All pairs of rows: the index built, then asked for each."""
    index = simhash_index(module, values, radius)
    pairs = set()
    for row, value in enumerate(values):
        for other in index.get_near_dups(module.Simhash(value)):
            if row < int(other):
                pairs.add((row, int(other)))
    return pairs


def plain_labels(count: int, left: NDArray[np.int32], right: NDArray[np.int32]) -> list[int]:
    """The smallest row of the group of each, by union-find with path halving."""
    above = list(range(count))
    for left_root, right_root in zip(left.tolist(), right.tolist(), strict=True):
        while above[left_root] != left_root:
            above[left_root] = above[above[left_root]]
            left_root = above[left_root]
        while above[right_root] != right_root:
            above[right_root] = above[above[right_root]]
            right_root = above[right_root]
        above[max(left_root, right_root)] = min(left_root, right_root)
    for row in range(count):  # a row's parent is never behind it
        above[row] = above[above[row]]
    return above
