"""TextPrint, what is stored of a text; its shingles; and sketches of shingle sets (Broder et al. 1997).

A shingle is a run of w tokens, as a 64-bit number. Here are sets of shingles, their exact resemblance and containment,
MIN_s and MOD_m sketches, the estimate of resemblance from MIN_s, and super-shingles. All sets are ascending uint64
arrays without duplicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.hashing import Hashes, splitmix

_ALL = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class TextPrint:
    """The numbers of one text under one scheme.

    fingerprint:  simhash, bit 0 most significant; meaningless unless has_features.
    has_features: False for a text of nothing but stop-words, short numbers and punctuation: too short to compare.
    words:        number of words; each CJK character counts as a word.
    language:     ISO 639-1 code, or "" when it cannot be determined.
    text_hash:    16 bytes of BLAKE2b over the words and their order: equal for the same words in the same order.
    shingles:     number of distinct shingles.
    sketch:       uint64 (m,), ascending: MIN_s of the shingle set, or all of it if it has at most s members; of a set
                  of more than 16 s, about a sixteenth, see `smallest_of`.
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

        They distinguish shingles nearly as well as whole values do, in half the space.
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
    """Return (number of members, the smallest) of a set given in slices, each ascending and above the slice before.

    The smallest are MIN_s with s = `size`; or, if that is more, all values below 2^60 and the next one: a sixteenth of
    any set, so that a single page is found in a book of any length.
    """
    members, count, is_enough = 0, 0, False
    smallest: list[Hashes] = []
    for values in slices:
        members += len(values)
        if not is_enough:
            smallest.append(values[: max(size - count, int(np.searchsorted(values, _SIXTEENTH)) + 1)])
            count += len(smallest[-1])
            is_enough = count >= size and bool((smallest[-1][-1:] >= _SIXTEENTH).any())
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


_BASE = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3: multiplying by it is a permutation modulo 2^64
_SLICES = 16
_SIXTEENTH = np.uint64(1 << 60)  # a sixteenth of all hashes are below it
_SHIFT = np.uint64(60)  # slice i begins at the hash i << 60

_POLYNOMIAL = 0xC15D213AA4D7A795  # of Rabin's fingerprints; it is also the fingerprint of the empty message
_BYTES = 8  # of a token's hash


def shingle_hashes(tokens: Hashes, width: int) -> Hashes:
    """Return the hash of each run of `width` tokens, in order: uint64 (n - width + 1,).

    Shingle (t1 ... tw) becomes splitmix64(t1 * B^(w-1) + ... + tw) modulo 2^64, each t the XXH3 of its token.
    A text of fewer than `width` tokens is one shingle; an empty text has none.
    """
    count = len(tokens)
    if not count:
        return np.empty(0, dtype=np.uint64)
    width = min(width, count)
    total = tokens[: count - width + 1].copy()
    for step in range(1, width):
        total *= _BASE
        total += tokens[step : count - width + 1 + step]
    return splitmix(total)


def hashes_of(tokens: Hashes, width: int, kind: str) -> Hashes:
    """Return the hashes of a text's shingles, in order. kind: "xxh3" or "rabin"; raises ValueError for any other."""
    if kind not in ("xxh3", "rabin"):
        raise ValueError(f"no such shingle hash: {kind}")
    return rabin_shingles(tokens, width) if kind == "rabin" else shingle_hashes(tokens, width)


def sorted_unique(values: Hashes) -> Hashes:
    """Return the distinct values, ascending.

    Sorting and comparing is many times faster on hashes than numpy's unique.
    """
    ordered = np.sort(values)
    changes = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=changes[1:])
    return ordered[changes]


def shingle_set(tokens: Hashes, width: int, kind: str = "xxh3") -> Hashes:
    """Return S(A), the distinct shingles of a text, ascending: uint64 (m,)."""
    return sorted_unique(hashes_of(tokens, width, kind))


class ShingleSetBuilder:
    """Builds the shingle set of a text whose tokens arrive in chunks; needs little more memory than the set itself."""

    def __init__(self, width: int, kind: str = "xxh3") -> None:
        self._width = width
        self._kind = kind
        self._sets: list[Hashes] = []
        self._tail: Hashes = np.empty(0, dtype=np.uint64)  # last tokens: their shingles end in the next chunk

    @staticmethod
    def add_each(builders: Sequence[ShingleSetBuilder], chunks: Sequence[Hashes]) -> None:
        """Add to each text its next tokens: uint64 (n,). All texts have the same width and kind."""
        width, kind = builders[0]._width, builders[0]._kind
        runs = [np.concatenate([builder._tail, chunk]) for builder, chunk in zip(builders, chunks, strict=True)]
        shingles = hashes_of(np.concatenate(runs), width, kind)  # some are of tokens of two texts
        ends = np.cumsum([len(run) for run in runs]).tolist()
        for builder, run, end in zip(builders, runs, ends, strict=True):
            start, count = end - len(run), max(0, len(run) - width + 1)
            builder._tail = run[count:].copy()
            if count:
                builder._sets.append(sorted_unique(shingles[start : start + count]))

    def slices(self) -> Iterator[Hashes]:
        """Yield the set in ascending slices, uint64; together they are the whole set.

        An empty text gives an empty slice.
        """
        if not self._sets:
            yield shingle_set(self._tail, self._width, self._kind)
        elif len(self._sets) == 1:
            yield self._sets[0]
        else:
            yield from self._merged()

    def _merged(self) -> Iterator[Hashes]:
        """Yield the union of the chunks' sets, a sixteenth of all possible hashes at a time."""
        limits = np.arange(_SLICES, dtype=np.uint64) << _SHIFT
        edges = [[*np.searchsorted(values, limits).tolist(), len(values)] for values in self._sets]
        for part in range(_SLICES):
            yield sorted_unique(
                np.concatenate(
                    [values[edge[part] : edge[part + 1]] for values, edge in zip(self._sets, edges, strict=True)]
                )
            )


def sketch_of(values: Hashes, kind: str, number: int, width: int) -> Hashes:
    """Return a sketch of an ascending set, ascending: uint64.

    kind: "all": the set; "min": MIN_s, s = `number`; "mod": MOD_m, m = `number`; any other: the super-shingles of
    `width` values each of the MIN_s sketch.
    """
    if kind == "all":
        return values
    if kind == "mod":
        return divisible(values, number)
    return min_sketch(values, number) if kind == "min" else super_shingles(min_sketch(values, number), width)


def super_shingles(sketch: Hashes, width: int) -> Hashes:
    """Return the shingles of the sorted sketch, ascending: two documents that share one are a candidate pair.

    A sketch shorter than `width` gives a single super-shingle.
    """
    return shingle_set(np.sort(sketch), width)


@cache
def _table() -> Hashes:
    """Return what each byte that leaves the register adds to it: uint64 (256,)."""
    rows = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        rows.append(value)
    return np.array(rows, dtype=np.uint64)


def rabin_shingles(tokens: Hashes, width: int) -> Hashes:
    """Return the Rabin fingerprint of each run of `width` tokens, in order: uint64 (n - width + 1,).

    The message of a shingle is the hashes of its tokens, eight bytes each, little-endian. A text of fewer than `width`
    tokens is one shingle; an empty text has none.
    """
    count = len(tokens)
    if not count:
        return np.empty(0, dtype=np.uint64)
    width = min(width, count)
    table, low = _table(), np.uint64(0xFF)
    values = np.full(count - width + 1, _POLYNOMIAL, dtype=np.uint64)
    for step in range(width):
        column = tokens[step : count - width + 1 + step]
        for byte in range(_BYTES):
            entry = (values ^ (column >> np.uint64(8 * byte))) & low
            values = (values >> np.uint64(8)) ^ table[entry]
    return values
