"""What two documents are to each other: the relations, the numbers that decide them, and the decision.

Every part of the program that says what one document is to another asks here: scan, query, explain, comparison,
selection by rules, the plan, the check before a removal, the reports and the window.

The rule is plain (Broder et al. 1997): two texts whose shingle sets have a resemblance |A & B| / |A | B| of at least
the least similarity are versions of one document. Shingles cannot see a text of which every twelfth word was misread;
its fingerprint stays near, and the two texts, aligned, share nearly all words in the same order. A text of which nearly
all shingles are in a longer one is a part of it. Fillings of one form are told apart by `cluster.forms`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.pairs import Pairs
from dupfinder.text.document import OtherContent

LEAST_SIMILARITY: Final = 0.5  # lowest position of the slider; a pair below it is a version for nobody
LEAST_CONTAINMENT: Final = 0.5  # share of a part below which a pair is not kept
MOST_ESTIMATED: Final = 0.9999  # of texts with different words, and of a share that was estimated: never all
LEAST_SHARED: Final = 0.1  # resemblance of texts under scattered edits: 8 % of the words replaced leave 0.49, 25 % 0.13
LEAST_CHANGES: Final = 5  # of scattered edits; fewer single words are as likely filled into a form
MOST_SCATTERED_RUN: Final = 1.75  # words a stretch, on average: recognition joins and splits words, names have two
CERTAIN_ERRORS: Final = 3.0  # standard errors between an estimate and its threshold from which it is certain
LIKELY_ERRORS: Final = 1.0  # and from which it is likely; nearer, it is on the border


class Relation(IntEnum):
    """What a document is to another, the stronger the larger.

    NONE within a group says that two members have no verified tie: they are distant versions.
    PART: its text is in the other. WHOLE: the other's text is in it.
    SAME_WORDS: same words, but other pictures, comments and the like, or none that the formats let us compare.
    SAME_TEXT: same words, and nothing else in them differs but the format. IDENTICAL: same bytes.
    """

    NONE = 0
    SAME_FORM = 1
    WHOLE = 2
    PART = 3
    VERSION = 4
    SAME_WORDS = 5
    SAME_TEXT = 6
    IDENTICAL = 7


NOT_KNOWN: Final = 1  # of content beside the words that a format may hold and its reader does not look at
_BOUND_TO_FORMAT: Final = frozenset((OtherContent.HEADERS, OtherContent.LINKS))

SURVIVING: Final = frozenset((Relation.VERSION, Relation.SAME_WORDS, Relation.SAME_TEXT, Relation.IDENTICAL))
"""The relations by which one document keeps what another said, so that the other may be removed."""

FREELY_REMOVED: Final = frozenset((Relation.IDENTICAL, Relation.SAME_TEXT))
"""The relations whose removal loses nothing at all: rules mark these unless the person chooses more."""


class Difference(IntEnum):
    """How two texts differ: the class of the changes between them, the least first.

    FORMAT: same words. NUMBERS: numbers, dates and amounts alone. SHORT: short replacements alone, a name or a few
    words each. ADDITIONS: one text has more, and all of the other. MIXED: anything else. UNKNOWN: not compared.
    """

    UNKNOWN = 0
    FORMAT = 1
    NUMBERS = 2
    SHORT = 3
    ADDITIONS = 4
    MIXED = 5


class Confidence(IntEnum):
    """How sure a relation is, from the distance between an estimate and its threshold."""

    BORDERLINE = 0
    LIKELY = 1
    CERTAIN = 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured of pairs of documents with different words; row i belongs to row i of the Pairs.

    resemblance:   float32 (m,), |A & B| / |A | B| of the two shingle sets, 0..1.
    left_in_right: float32 (m,), |A & B| / |A|; right_in_left: |A & B| / |B|.
    error:         float32 (m,), standard error of the three; 0 where whole shingle sets were compared.
    aligned:       float32 (m,), words of both texts that are in both in the same order, as a share of all words of
                   both, 0..1; -1 where the texts were not aligned.
    changes:       int32 (m,), places at which the aligned texts differ; run: float32 (m,), words that have the place of
                   others, a stretch on average.
    difference:    uint8 (m,), Difference.
    form:          bool (m,), two fillings of one form; see cluster.forms.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    error: NDArray[np.float32]
    aligned: NDArray[np.float32]
    changes: NDArray[np.int32]
    run: NDArray[np.float32]
    difference: NDArray[np.uint8]
    form: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.resemblance)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Evidence:
        """The rows that `chosen` (a mask, or positions) selects."""
        return Evidence(*(getattr(self, column.name)[chosen] for column in fields(self)))

    @classmethod
    def none(cls) -> Evidence:
        """The evidence of no pairs."""
        empty = np.empty(0, np.float32)
        none = np.empty(0, np.int32), empty, np.empty(0, np.uint8), np.empty(0, np.bool_)
        return cls(empty, empty, empty, empty, empty, *none)


@dataclass(frozen=True, slots=True)
class Demand:
    """What a person asks of versions and parts.

    similarity:  least similarity of versions, LEAST_SIMILARITY..1.
    containment: least share of a part in its whole, LEAST_CONTAINMENT..1.
    radius:      bits between two fingerprints, within which scattered edits count; without `passages` nothing beyond
                 it counts at all.
    passages:    shared passages count at any distance of the fingerprints.
    """

    similarity: float
    containment: float
    radius: int
    passages: bool = True


def scattered(evidence: Evidence) -> NDArray[np.float32]:
    """Similarity of texts under scattered edits, float32 (m,), 0 where the edits are not scattered.

    The share of words in both in the same order, 2 i / (n + m), on the scale of resemblance, i / (n + m - i): a / (2 -
    a). So the same position of the slider asks the same of words as of shingles.
    """
    share = np.maximum(evidence.aligned, 0)
    fits = (evidence.resemblance >= LEAST_SHARED) & (evidence.run <= MOST_SCATTERED_RUN) & ~evidence.form
    fits &= evidence.changes >= LEAST_CHANGES
    fits &= evidence.difference != Difference.NUMBERS
    return np.where(fits, share / (2 - share), 0).astype(np.float32)


def similarity(evidence: Evidence, words: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """How similar two texts with different words are, float32 (m,), 0..1, below 1: the one number that every list,
    report and plan shows. words: what `scattered` says, where it is known."""
    most = np.maximum(evidence.resemblance, scattered(evidence) if words is None else words)
    return np.minimum(most, np.float32(MOST_ESTIMATED))


def percent(share: float, *, equal: bool = False) -> int:
    """A similarity for people: 100 for equal texts alone, all others rounded down, 99 at most."""
    return 100 if equal else min(99, int(share * 100 + 1e-4))


class Measured:
    """The evidence of some pairs, with what no demand changes worked out once: each demand is then quickly decided.

    similarity: see `similarity`. words: see `scattered`. part: float32 (m,), the larger share of one text in the other,
    less a standard error. towards: uint8 (m,), PART or WHOLE: what the left document would be by that share.
    estimated: the rows whose evidence has an error, ascending.
    """

    def __init__(self, evidence: Evidence, pairs: Pairs) -> None:
        self.evidence, self.pairs = evidence, pairs
        self.words = scattered(evidence)
        self.similarity = similarity(evidence, self.words)
        left, right = evidence.left_in_right, evidence.right_in_left
        self.part = np.maximum(left, right) - LIKELY_ERRORS * evidence.error
        self.towards = np.where(left >= right, Relation.PART, Relation.WHOLE).astype(np.uint8)
        self.estimated = np.flatnonzero(evidence.error > 0)

    def counts(self, demand: Demand) -> NDArray[np.bool_]:
        """Which pairs are versions under a demand, bool (m,)."""
        near = self.pairs.distance <= demand.radius
        counted = self.evidence.resemblance >= demand.similarity
        if not demand.passages:
            counted &= near
        counted |= near & (self.words >= demand.similarity)
        return counted & ~self.evidence.form

    def decide(self, demand: Demand) -> NDArray[np.uint8]:
        """What the left document of each pair is to the right one, uint8 (m,), Relation; texts with different words.

        Containment asks nothing of fingerprints: those of a chapter and of its book are unlike. It has to be reached
        with a standard error to spare: of a short text and a book hardly a shingle may be comparable, and one shared is
        no part.
        """
        relation = np.zeros(len(self.pairs), np.uint8)
        if demand.passages:
            relation = (self.part >= demand.containment) * self.towards
        np.putmask(relation, self.counts(demand), Relation.VERSION)
        np.putmask(relation, self.evidence.form, Relation.SAME_FORM)
        return relation

    def confidence(self, demand: Demand, related: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """How sure the relation of each pair is, uint8 (m,), Confidence. related: what `decide` says."""
        sure = np.full(len(self.pairs), Confidence.CERTAIN, np.uint8)
        rows, evidence = self.estimated, self.evidence
        contained = np.maximum(evidence.left_in_right[rows], evidence.right_in_left[rows])
        is_part = (related[rows] == Relation.PART) | (related[rows] == Relation.WHOLE)
        gap = np.where(is_part, contained - demand.containment, evidence.resemblance[rows] - demand.similarity)
        errors = np.abs(gap) / evidence.error[rows]
        sure[rows] = (errors >= LIKELY_ERRORS).astype(np.uint8) + (errors >= CERTAIN_ERRORS)
        return sure


def decide(evidence: Evidence, pairs: Pairs, demand: Demand) -> NDArray[np.uint8]:
    """What the left document of each pair is to the right one; see Measured.decide."""
    return Measured(evidence, pairs).decide(demand)


def confidence(evidence: Evidence, pairs: Pairs, demand: Demand) -> NDArray[np.uint8]:
    """How sure the relation of each pair is; see Measured.confidence."""
    measured = Measured(evidence, pairs)
    return measured.confidence(demand, measured.decide(demand))


def other_content(
    left: NDArray[np.uint64], right: NDArray[np.uint64], same_format: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(differs, not known) for each kind of content beside the words, bool (m, kinds).

    left, right: uint64 (m, kinds of OtherContent), 0 for nothing of a kind, NOT_KNOWN, else a hash of it. same_format:
    bool (m,). Running heads and links belong to a format (a web page has a frame, a letter a head), so between two
    formats they do not count.
    """
    unknown = (left == NOT_KNOWN) | (right == NOT_KNOWN)
    bound = np.array([kind in _BOUND_TO_FORMAT for kind in OtherContent])
    counts = same_format[:, None] | ~bound[None, :]
    return (left != right) & ~unknown & counts, unknown & counts


def of_same_words(
    left: NDArray[np.uint64], right: NDArray[np.uint64], same_format: NDArray[np.bool_], same_bytes: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """The relation of documents with the same words, uint8 (m,); see `other_content`. same_bytes: bool (m,)."""
    differs, unknown = other_content(left, right, same_format)
    relation = np.where((differs | unknown).any(axis=1), Relation.SAME_WORDS, Relation.SAME_TEXT)
    return np.where(same_bytes, Relation.IDENTICAL, relation).astype(np.uint8)


def name_of(relation: Relation) -> str:
    """The word for a relation in reports, plans and journals: "identical", "same_text" and so on."""
    return relation.name.lower()


def named(word: str) -> Relation:
    """The relation of a word. ValueError for any other."""
    for relation in Relation:
        if name_of(relation) == word:
            return relation
    raise ValueError(f"no relation: {word}")


def reversed_of(relation: Relation) -> Relation:
    """What the right document is to the left one, from what the left one is to the right one."""
    return {Relation.PART: Relation.WHOLE, Relation.WHOLE: Relation.PART}.get(relation, relation)
