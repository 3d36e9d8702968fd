"""Scattered edits: pairs whose passages are broken everywhere, by misread or moved characters, and yet are one text.

With a share p of tokens left whole between neighbours, runs of w survive with p^(w-1): long shingles vanish while pairs
and words remain. Where instead whole passages differ, runs of any length survive alike, p is near 1, and resemblance
alone decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.likeness import Likeness

# Measured on Chinese of 50 to 10,000 characters with a tenth, a fifth and three tenths of them deleted, inserted, or
# moved up to fifteen places, against every pair of some 5,000 laws, licences, articles, chapters, answers and forms in
# seven languages: what has as many words in common and is no such text keeps p of 0.88 at least.
LEAST_WORDS = 0.92  # of one text's words, those in the other, where both are as long; edits break some Latin words
WORDS_BY_LENGTH = 0.15  # more of it for each part that the shorter lacks: a longer text has more words by chance
# Texts that say the same phrases again and again have more words in common by chance as well: of prose 0.93 of the runs
# are distinct, of laws 0.75, of statutes put together from twenty phrases 0.5 (and 0.96 of their words in common).
PROSE = 0.9  # distinct runs, as a share of the words
WORDS_BY_REPETITION = 0.2  # more words in common for each part of the runs that is no longer distinct
MOST_WORDS = 0.975  # never more than so many: among pure Chinese texts 0.98 are left
LEAST_PAIRS = 0.25
LEAST_RUNS = 0.02
MOST_WHOLE = 0.88  # p: above it the edits are not scattered
LEAST_LENGTH = 40  # tokens of the shorter text
LEAST_RATIO = 0.66  # of the lengths: a fifth deleted here and a fifth inserted there leave 0.67


def scattered_edits(
    likeness: Likeness,
    neighbours: Likeness,
    words: Likeness,
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]],
    runs: tuple[NDArray[np.int64], NDArray[np.int64]],
    shingle: int,
) -> NDArray[np.bool_]:
    """Which pairs are one text under scattered edits, bool (m,).

    likeness, neighbours, words: of shingles of `shingle` tokens, of 2-shingles, and of the bags of tokens.
    lengths, runs: words and distinct shingles of the left and right documents, (m,) each.
    """
    shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
    whole_runs, pairs = _better_side(likeness), _better_side(neighbours)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.where(pairs > 0, (whole_runs / pairs) ** (1 / (shingle - 2)), 1.0)
    ratio = shorter / np.maximum(longer, 1)
    variety = np.minimum(runs[0] / np.maximum(lengths[0], 1), runs[1] / np.maximum(lengths[1], 1))
    asked = LEAST_WORDS + WORDS_BY_LENGTH * (1 - ratio) + WORDS_BY_REPETITION * np.maximum(PROSE - variety, 0)
    return (
        (_better_side(words) >= np.minimum(asked, MOST_WORDS))
        & (pairs >= LEAST_PAIRS)
        & (whole_runs >= LEAST_RUNS)
        & (whole <= MOST_WHOLE)
        & (shorter >= LEAST_LENGTH)
        & (ratio >= LEAST_RATIO)
    )


def _better_side(likeness: Likeness) -> NDArray[np.float32]:
    """The share of the one document that stands in the other, whichever is more: what was inserted does not count."""
    return np.maximum(likeness.left_in_right, likeness.right_in_left)
