"""Scattered edits: pairs whose passages are broken everywhere, by misread or moved characters, and yet are one text.

With a share p of tokens left whole between neighbours, runs of w survive with p^(w-1): long shingles vanish while pairs
and words remain. Where instead whole passages differ, runs of any length survive alike, p is near 1, and resemblance
alone decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.likeness import Likeness

# Measured on laws, speeches and guides in four languages with a fifth of the characters deleted, inserted, shuffled
# among their neighbours or moved up to fifteen places (words .96 at least, pairs .59, fives .15, p .87 at most) against
# every other document of the same language and about the same length (pairs .45 at most where words reach .95).
LEAST_WORDS = 0.95  # of one text's words, those in the other
LEAST_PAIRS = 0.55
LEAST_RUNS = 0.1  # below it the estimates say little
MOST_WHOLE = 0.88  # p: above it the edits are not scattered
LEAST_LENGTH = 100  # tokens of the shorter text
LEAST_RATIO = 0.6  # of the lengths: a fifth deleted here and a fifth inserted there leave 0.67


def scattered_edits(
    likeness: Likeness,
    neighbours: Likeness,
    words: Likeness,
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]],
    shingle: int,
) -> NDArray[np.bool_]:
    """Which pairs are one text under scattered edits, bool (m,).

    likeness, neighbours, words: of shingles of `shingle` tokens, of 2-shingles, and of the bags of tokens.
    lengths: words of the left and right documents, (m,) each.
    """
    shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
    runs, pairs = _better_side(likeness), _better_side(neighbours)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.where(pairs > 0, (runs / pairs) ** (1 / (shingle - 2)), 1.0)
    return (
        (_better_side(words) >= LEAST_WORDS)
        & (pairs >= LEAST_PAIRS)
        & (runs >= LEAST_RUNS)
        & (whole <= MOST_WHOLE)
        & (shorter >= LEAST_LENGTH)
        & (shorter >= LEAST_RATIO * longer)
    )


def _better_side(likeness: Likeness) -> NDArray[np.float32]:
    """The share of the one document that stands in the other, whichever is more: what was inserted does not count."""
    return np.maximum(likeness.left_in_right, likeness.right_in_left)
