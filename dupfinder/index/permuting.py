"""Fingerprints under a table's permutation: the chosen blocks first, then the other bits in their order; and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.design import Run, TableDesign, mask_of, runs_of


def runs_in_order(design: TableDesign, number: int) -> tuple[Run, ...]:
    """The runs of bits as permutation `number` lays them out, the most significant first. ValueError: no such table."""
    if not 0 <= number < len(design.tables):
        raise ValueError(f"design {design.name} has no table {number}")
    prefix = design.tables[number].prefix
    return prefix + tuple(runs_of(~mask_of(prefix, design.bits), design.bits))


def permuted(fingerprints: NDArray[np.uint64], runs: tuple[Run, ...], bits: int) -> NDArray[np.uint64]:
    """uint64 (n,): fingerprints of at most 64 bits with their bits in the order of `runs`."""
    keys = np.zeros(len(fingerprints), np.uint64)
    at = bits
    for start, width in runs:
        at -= width
        keys |= _moved(fingerprints, bits - start - width, at, width)
    return keys


def restored(keys: NDArray[np.uint64], runs: tuple[Run, ...], bits: int) -> NDArray[np.uint64]:
    """uint64 (n,): the fingerprints again; the inverse of `permuted`."""
    fingerprints = np.zeros(len(keys), np.uint64)
    at = bits
    for start, width in runs:
        at -= width
        fingerprints |= _moved(keys, at, bits - start - width, width)
    return fingerprints


def _moved(values: NDArray[np.uint64], source: int, target: int, width: int) -> NDArray[np.uint64]:
    """The `width` bits above bit `source` (0 the lowest), put above bit `target`."""
    return ((values >> np.uint64(source)) & np.uint64((1 << width) - 1)) << np.uint64(target)
