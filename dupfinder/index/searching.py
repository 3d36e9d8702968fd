"""Finding keys in a sorted table: by binary search, and by interpolation, which fingerprints suit for being even."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_STEPS = 24  # guesses before binary search takes over: skewed keys mislead interpolation

Keys = NDArray[np.uint64]
Places = NDArray[np.intp]


def binary_search(table: Keys, wanted: Keys) -> Places:
    """intp (q,): the first place of the ascending `table` whose key is not below each of `wanted`."""
    return np.searchsorted(table, wanted, "left")


def interpolation_search(table: Keys, wanted: Keys) -> Places:
    """The same as `binary_search`, guessing the place from the value: log log n guesses where keys are even."""
    low = np.zeros(len(wanted), np.intp)  # table[:low] < wanted <= table[high:]
    high = np.full(len(wanted), len(table), np.intp)
    open_ones = np.flatnonzero(low < high)
    for step in range(_STEPS):
        if not len(open_ones):
            return low
        first, last, want = low[open_ones], high[open_ones] - 1, wanted[open_ones]
        guess = (first + last) // 2 if step % 4 == 3 else _guess(table, first, last, want)
        below = table[guess] < want
        low[open_ones] = np.where(below, guess + 1, first)
        high[open_ones] = np.where(below, last + 1, guess)
        open_ones = open_ones[low[open_ones] < high[open_ones]]
    for one in open_ones.tolist():
        low[one] += np.searchsorted(table[low[one] : high[one]], wanted[one], "left")
    return low


def _guess(table: Keys, first: Places, last: Places, want: Keys) -> Places:
    """Where `want` would lie between table[first] and table[last], were the keys between them even."""
    bottom, top = table[first], table[last]
    inside = (want > bottom) & (want <= top)
    share = np.where(inside, want - bottom, np.uint64(0)) / np.maximum(top - bottom, np.uint64(1)).astype(np.float64)
    guess = first + (share * (last - first)).astype(np.intp)
    guess = np.where(want > top, last, guess)
    return np.clip(guess, first, last)


def interpolate_one(table: Keys, wanted: int) -> int:
    """`interpolation_search` for one key, in plain numbers."""
    low, high = 0, len(table)
    for step in range(_STEPS):
        if high - low <= 8:
            break
        bottom, top = int(table[low]), int(table[high - 1])
        if wanted <= bottom:
            return low
        if wanted > top:
            return high
        guess = (low + high) // 2 if step % 4 == 3 else low + (wanted - bottom) * (high - 1 - low) // (top - bottom)
        if int(table[guess]) < wanted:
            low = guess + 1
        else:
            high = guess
    return low + int(np.searchsorted(table[low:high], np.uint64(wanted), "left"))
