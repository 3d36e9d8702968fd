"""TextPrint: the numbers of one text under a scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


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
