"""Fingerprints to search among: random, with planted neighbours, skewed, adversarial."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.index.design import TableDesign
from dupfinder.index.pairs import Pairs
from dupfinder.index.words import words_of

Fingerprints = NDArray[np.unsignedinteger]


def random_fingerprints(count: int, bits: int, seed: int = 7) -> Fingerprints:
    rng = np.random.default_rng(seed)
    if bits == 32:
        return rng.integers(0, 2**32, count, dtype=np.uint32)
    return rng.integers(0, 2**64, count if bits == 64 else (count, 2), dtype=np.uint64)


def from_integers(values: list[int], bits: int) -> Fingerprints:
    if bits == 32:
        return np.array(values, np.uint32)
    if bits == 64:
        return np.array(values, np.uint64)
    return np.array([(value >> 64, value & (2**64 - 1)) for value in values], np.uint64).reshape(-1, 2)


def distances(fingerprints: Fingerprints, query: Fingerprints) -> NDArray[np.uint8]:
    """Return the bits in which each fingerprint differs from the query, an array of length 1: uint8 (n,)."""
    total = np.zeros(len(fingerprints), np.uint8)
    for word, asked in zip(words_of(fingerprints), words_of(query), strict=True):
        total += np.bitwise_count(word ^ asked[0])
    return total


@st.composite
def families_of_fingerprints(draw: st.DrawFn, bits: int) -> Fingerprints:
    """Return a few random fingerprints, and copies of each with some bits changed: pairs at various distances."""
    values = draw(st.lists(st.integers(0, 2**bits - 1), max_size=6))
    relatives = st.tuples(st.integers(0, 100), st.sets(st.integers(0, bits - 1), max_size=20))
    for which, places in draw(st.lists(relatives, max_size=30)):
        value = values[which % len(values)] if values else 0
        values.append(value ^ sum(1 << place for place in places))
    return from_integers(values, bits)


def planted(count: int, radius: int, seed: int = 7, bits: int = 64) -> Fingerprints:
    """Return random fingerprints, a tenth of which are made from others by changing up to `radius` bits."""
    rng = np.random.default_rng(seed)
    fingerprints = random_fingerprints(count, bits, seed)
    near = count // 10
    for row, source in enumerate(rng.integers(near, count, near)):
        turned = sum(1 << place for place in set(rng.integers(0, bits, radius).tolist()))
        fingerprints[row] = fingerprints[source] ^ from_integers([turned], bits)[0]
    return fingerprints


def same(first: Pairs, second: Pairs) -> bool:
    return bool(
        np.array_equal(first.left, second.left)
        and np.array_equal(first.right, second.right)
        and np.array_equal(first.distance, second.distance)
    )


def permutations_of(design: TableDesign) -> list[list[int]]:
    """Return, of each table, which bit comes to each place when the bits of its prefix come first."""
    tops = [[bit for start, width in table.prefix for bit in range(start, start + width)] for table in design.tables]
    return [top + sorted(set(range(design.bits)) - set(top)) for top in tops]
