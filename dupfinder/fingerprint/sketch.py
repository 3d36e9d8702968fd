"""TextPrint, what is stored of a text; and sketches of shingle sets (Broder et al. 1997).

The sketches are MIN_s and MOD_m, with their estimators and the exact measures. All sets are ascending uint64 arrays
without duplicates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.hashing import Hashes

_ALL = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class TextPrint:
    """The numbers of one text under one scheme.

    fingerprint:  simhash, bit 0 most significant; meaningless unless has_features.
    has_features: False for a text of nothing but stop-words, digits and punctuation: too short to compare.
    words:        number of words; each CJK character counts as a word.
    language:     ISO 639-1 code, or "" when it cannot be determined.
    text_hash:    16 bytes of BLAKE2b over the words and their order: equal for the same words in the same order.
    shingles:     number of distinct shingles.
    sketch:       uint64 (<= scheme.sketch,), ascending: MIN_s of the shingle set, or all of it if it has at most s
                  members.
    trace:        uint16 (<= tokens.MOST_TRACED,), codes of the first MOST_TRACED words, in their order.
    """

    fingerprint: Annotated[int, 128]  # bits at most
    has_features: bool
    words: int
    language: str
    text_hash: bytes
    shingles: int
    sketch: NDArray[np.uint64]
    trace: NDArray[np.uint16]

    def values(self) -> NDArray[np.uint32]:
        """Return the upper halves of the sketch, which are stored and compared: uint32 (m,), ascending.

        They distinguish shingles as well as whole values, in half the space.
        """
        return (self.sketch >> np.uint64(32)).astype(np.uint32)


def min_sketch(values: Hashes, size: int) -> Hashes:
    """Return MIN_s(W): the `size` smallest values of an ascending set, or all of it."""
    return values[:size].copy()


def divisible(values: Hashes, modulus: int) -> Hashes:
    """Return the values that `modulus` divides, in their order, by one multiplication and one comparison each.

    For odd m, x is a multiple of m exactly when x * m^-1 mod 2^64 <= (2^64 - 1) // m (Granlund, Montgomery 1994);
    the powers of two in an even modulus are tested by zero bits.
    """
    twos = (modulus & -modulus).bit_length() - 1
    odd = modulus >> twos
    chosen = values[values * np.uint64(pow(odd, -1, 1 << 64)) <= np.uint64(_ALL // odd)]
    return chosen[chosen & np.uint64((1 << twos) - 1) == 0] if twos else chosen


def smallest_of(slices: Iterable[Hashes], size: int) -> tuple[int, Hashes]:
    """Return (number of members, MIN_s) of a set given in slices, each ascending and above the slice before."""
    members, taken = 0, 0
    smallest: list[Hashes] = []
    for values in slices:
        members += len(values)
        if taken < size:
            smallest.append(values[: size - taken])
            taken += len(smallest[-1])
    return members, np.concatenate(smallest)


def shared(left: Hashes, right: Hashes) -> int:
    """Count the values that two sets have in common."""
    both = np.concatenate([left, right])
    both.sort(kind="stable")
    return int(np.count_nonzero(both[1:] == both[:-1]))


def resemblance(left: Hashes, right: Hashes) -> float:
    """Return r(A, B) = |A and B| / |A or B|; 0 for two empty sets."""
    common = shared(left, right)
    union = len(left) + len(right) - common
    return common / union if union else 0.0


def containment(left: Hashes, right: Hashes) -> float:
    """Return c(A, B) = |A and B| / |A|: the share of `left` that is in `right`. 0 for an empty `left`."""
    return shared(left, right) / len(left) if len(left) else 0.0


def min_resemblance(left: Hashes, right: Hashes, size: int) -> float:
    """Return the unbiased estimate of r from MIN_s sketches of the same size.

    |MIN_s(A or B) and A and B| / |MIN_s(A or B)|, where MIN_s(A or B) = MIN_s(MIN_s(A) or MIN_s(B)).
    Standard error sqrt(r (1 - r) / s); exact when both sketches are whole sets whose union has at most `size` members.
    """
    both = np.concatenate([left, right])
    both.sort(kind="stable")
    if not len(both):
        return 0.0
    twice = both[1:] == both[:-1]
    first = np.concatenate([[True], ~twice])
    rank = np.cumsum(first)
    common = int(np.count_nonzero(twice & (rank[1:] <= size)))
    return common / min(size, int(rank[-1]))
