"""Two documents that were read: what was measured of them, and their relation under any demand.

Comparing, explaining, the interface for programs and the check before a removal state the relation of two files by this
module alone. A scan decides many pairs at once, by the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from dupfinder.cluster.evidence import compare
from dupfinder.cluster.relation import (
    Confidence,
    Demand,
    Difference,
    Evidence,
    Measured,
    Relation,
    different_kinds,
    of_same_words,
    other_bytes,
    other_row,
)
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.text.document import Extracted

_NUMBERS: Final = ("resemblance", "left_in_right", "right_in_left", "error", "aligned", "changes", "run")


@dataclass(frozen=True, slots=True)
class ComparedText:
    """What is compared of a document: its print, whether its text is incomplete, its format, and its other content.

    other: as `other_bytes` returns it.
    """

    text_print: TextPrint
    partial: bool
    media: str
    other: bytes

    @classmethod
    def of(cls, extracted: Extracted, text_print: TextPrint) -> ComparedText:
        return cls(text_print, extracted.partial, extracted.media_type, other_bytes(extracted.other))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEvidence:
    """What was measured of two documents, as single numbers; see cluster.relation.Evidence.

    distance:   bits between the fingerprints; None if a text is too short to have one.
    same_words: SAME_TEXT or SAME_WORDS for equal words, IDENTICAL if the caller compared the bytes too; else None.
    differs, not_known: other content that differs between such texts, and other content that their readers cannot see.
    read_in_part: whether each text is incomplete; such a text never equals another.
    """

    resemblance: float = 0.0
    left_in_right: float = 0.0
    right_in_left: float = 0.0
    error: float = 0.0
    aligned: float = -1.0
    changes: int = 0
    run: float = 0.0
    difference: Difference = Difference.UNKNOWN
    distance: int | None = None
    same_words: Relation | None = None
    differs: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    read_in_part: tuple[bool, bool] = (False, False)

    @classmethod
    def of(cls, left: ComparedText, right: ComparedText, width: int) -> PairEvidence:
        """Measure two documents, never as IDENTICAL: bytes are not compared. width: tokens of a shingle."""
        prints = left.text_print, right.text_print
        have_fingerprints = prints[0].has_features and prints[1].has_features
        if prints[0].text_hash == prints[1].text_hash and not left.partial and not right.partial:
            return _of_same_words(left, right, distance=0 if have_fingerprints else None)
        pair, evidence = compare(*prints, width)
        return cls(
            **{name: getattr(evidence, name)[0].item() for name in _NUMBERS},
            difference=Difference(int(evidence.difference[0])),
            distance=int(pair.distance[0]) if have_fingerprints else None,
            read_in_part=(left.partial, right.partial),
        )

    def _measured(self) -> Measured:
        """Return the evidence as columns of one row."""
        distance = 64 if self.distance is None else self.distance
        pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.array([distance], np.uint8))
        columns = {name: np.array([getattr(self, name, 0)], dtype) for name, dtype in Evidence.dtypes().items()}
        return Measured(Evidence(**columns), pair)

    def relation(self, demand: Demand) -> Relation:
        """Return the relation of the left document to the right one, by the two texts alone.

        A text without a fingerprint is compared by its exact content only, as in a scan.
        """
        if self.same_words or self.distance is None:
            return self.same_words or Relation.NONE
        return Relation(int(self._measured().decide(demand)[0]))

    def confidence(self, demand: Demand) -> Confidence:
        if self.same_words:
            return Confidence.CERTAIN
        measured = self._measured()
        return Confidence(int(measured.confidence(demand, measured.decide(demand))[0]))

    @property
    def moved(self) -> bool:
        """Whether nearly all words are in both texts, in another order."""
        return bool(self._measured().evidence.moved[0])

    @property
    def similarity(self) -> float:
        """The similarity of the two, 0 to 1; 1 only for equal words."""
        return 1.0 if self.same_words else float(self._measured().similarity[0])


def _of_same_words(left: ComparedText, right: ComparedText, distance: int | None) -> PairEvidence:
    """Return the evidence of two documents with equal words, by their other content."""
    rows = other_row(left.other), other_row(right.other)
    same_format = np.array([left.media == right.media])
    relation = of_same_words(*rows, same_format, np.zeros(1, np.bool_))
    differs, not_known = (tuple(kind.value for kind in kinds) for kinds in different_kinds(*rows, same_format))
    return PairEvidence(
        resemblance=1.0,
        left_in_right=1.0,
        right_in_left=1.0,
        difference=Difference.FORMAT,
        distance=distance,
        same_words=Relation(int(relation[0])),
        differs=differs,
        not_known=not_known,
    )
