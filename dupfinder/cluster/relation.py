"""The relation of two documents: the kinds, the thresholds that decide them, and the decision.

Every part of the program that states a relation decides it here: scan, query, explain, comparison, selection by rules,
the plan, the check before a removal, the reports and the window.

The rule (Broder et al. 1997): two texts whose shingle sets have a resemblance |A & B| / |A | B| of at least the least
similarity are versions of one document. Edits that are scattered over a text, such as every twelfth word misread, leave
few shingles whole. Such a text is a version if its fingerprint stays near or half of its shingles are whole, and if,
aligned with the other text, it has nearly all words in the same order, some of them misread. So is a text with nearly
all words of the other in another order, such as a sorted table, if both share half of the shingles or nearly all lines.
A text whose shingles are nearly all in a longer text is a part of it. `cluster.forms` recognises fillings of one form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns
from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY, MIN_CONTAINMENT, MIN_SIMILARITY, RADIUS, Settings
from dupfinder.index.pairs import Pairs
from dupfinder.text.document import OtherContent

LEAST_SIMILARITY: Final = 0.5  # lowest position of the slider; pairs below are never versions
LEAST_CONTAINMENT: Final = 0.5  # share of a part in its whole below which a pair is not stored
MOST_ESTIMATED: Final = 0.9999  # highest similarity of texts with different words, and highest estimated share
LEAST_SCATTERED: Final = 0.03  # least resemblance under scattered edits; one letter in ten misread leaves 0.05
LEAST_CHANGES: Final = 5  # of scattered edits and forms; fewer may be a name filled in, or a new date and edition
MOST_SCATTERED_RUN: Final = 1.75  # average words of a scattered edit: a misread word may become two, names have two
CERTAIN_ERRORS: Final = 3.0  # standard errors from an estimate to its threshold that make a relation certain
LIKELY_ERRORS: Final = 1.0  # and that make it likely; with fewer it is borderline


class Relation(IntEnum):
    """The relation of a document to another, in ascending order of strength.

    NONE within a group means that two members have no verified relation: they are distant versions.
    PART: its text is in the other. WHOLE: the other's text is in it.
    SAME_WORDS: same words, but other pictures, comments and the like, or some that the formats do not let us compare.
    SAME_TEXT: same words, and nothing else differs but the format. IDENTICAL: same bytes.
    """

    NONE = 0
    SAME_FORM = 1
    WHOLE = 2
    PART = 3
    VERSION = 4
    SAME_WORDS = 5
    SAME_TEXT = 6
    IDENTICAL = 7


CONTENT_KINDS: Final = tuple(OtherContent)
NO_HASH: Final = 0  # instead of a hash, for a kind of content that a document does not have
UNKNOWN_HASH: Final = 1  # hash for a kind of content that a format may contain but its reader does not examine
_BOUND_TO_FORMAT: Final = frozenset(
    (OtherContent.HEADERS, OtherContent.LINKS, OtherContent.LETTERING, OtherContent.LIST_STARTS)
)
_COUNTS_IN_BOTH: Final = frozenset((OtherContent.NUMBERS, OtherContent.HEAD_WORDS))

SURVIVING: Final = frozenset((Relation.VERSION, Relation.SAME_WORDS, Relation.SAME_TEXT, Relation.IDENTICAL))
"""The relations to a kept copy by which a document may be removed: its content survives there."""

FREELY_REMOVED: Final = frozenset((Relation.IDENTICAL, Relation.SAME_TEXT))
"""The relations by which nothing is lost in a removal: rules mark these unless the person chooses more."""


class Difference(IntEnum):
    """The class of the changes between two texts, by their traces; `diff.blocks.ChangeKind` is that of the texts.

    FORMAT: same words. NUMBERS: only numbers, dates and amounts. SHORT: only short replacements of a few words each,
    such as names. ADDITIONS: one text has all of the other and more. MIXED: anything else. UNKNOWN: not compared.
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
class Shares(Columns):
    """What the shingle sets of pairs of documents have in common; row i belongs to row i of the Pairs.

    resemblance:   float32 (m,), |A & B| / |A | B| of the two shingle sets, 0..1.
    left_in_right: float32 (m,), |A & B| / |A|; right_in_left: |A & B| / |B|.
    error:         float32 (m,), the largest standard error of the three; 0 where complete sets were compared.
    """

    resemblance: NDArray[np.float32]
    left_in_right: NDArray[np.float32]
    right_in_left: NDArray[np.float32]
    error: NDArray[np.float32]

    @property
    def half_shared(self) -> NDArray[np.bool_]:
        """bool (m,), pairs that shared passages propose as candidates, at any distance of their fingerprints."""
        return np.maximum(self.left_in_right, self.right_in_left) >= LEAST_CONTAINMENT


@dataclass(frozen=True, slots=True)
class Evidence(Shares):
    """What was measured of pairs of documents with different words.

    aligned:       float32 (m,), words that both texts have in the same order, as a share of all words of both, 0..1;
                   -1 where the texts were not aligned. If most replaced words are misread, these count as well.
    changes:       int32 (m,), positions at which the aligned texts differ; 0 where nearly all words are the same in
                   another order, as in a sorted table: then `aligned` counts them in any order, and `run` is 0.
    run:           float32 (m,), average words of a change; 2.5 single characters count as a word. If most replaced
                   words are misread, these are left out, and a line that one text lacks counts as one word; then the
                   average is at least 1. It is at most 1 where one of the texts lacks words of the other, or has
                   marks in their place, as a redacted copy does.
    difference:    uint8 (m,), Difference.
    form:          bool (m,), two fillings of one form, or a filling and a longer document that holds another one or the
                   blank form; see cluster.forms.
    """

    aligned: NDArray[np.float32]
    changes: NDArray[np.int32]
    run: NDArray[np.float32]
    difference: NDArray[np.uint8]
    form: NDArray[np.bool_]

    @property
    def moved(self) -> NDArray[np.bool_]:
        """bool (m,), pairs with nearly all words in common, in another order."""
        moved: NDArray[np.bool_] = (self.changes == 0) & (self.difference > Difference.FORMAT)
        return moved


@dataclass(frozen=True, slots=True)
class Demand:
    """What a person requires of versions and parts.

    similarity:  least similarity of versions, LEAST_SIMILARITY..1.
    containment: least share of a part in its whole, LEAST_CONTAINMENT..1.
    radius:      bits between two fingerprints, within which scattered edits count. Without `passages`, pairs beyond it
                 have no relation.
    passages:    shared passages count at any distance of the fingerprints, and so do scattered edits of texts of which
                 half is in the other.
    """

    similarity: float
    containment: float
    radius: int
    passages: bool = True

    @classmethod
    def of(cls, settings: Settings) -> Demand:
        return cls(settings.number(MIN_SIMILARITY), settings.number(MIN_CONTAINMENT), settings.integer(RADIUS))


def scattered_similarity(evidence: Evidence) -> NDArray[np.float32]:
    """Return the similarity of texts under scattered edits: float32 (m,), 0 where the edits are not scattered.

    The share a = 2 i / (n + m) of words in the same order is converted to the scale of resemblance, i / (n + m - i),
    as a / (2 - a). So a position of the slider demands the same of words as of shingles.
    """
    fits = (evidence.resemblance >= LEAST_SCATTERED) & (evidence.run <= MOST_SCATTERED_RUN) & ~evidence.form
    fits &= evidence.moved | (evidence.changes >= LEAST_CHANGES)
    fits &= evidence.difference != Difference.NUMBERS
    rows = np.flatnonzero(fits)
    share = np.maximum(evidence.aligned[rows], 0)
    similarities = np.zeros(len(evidence), np.float32)
    similarities[rows] = share / (2 - share)
    return similarities


def similarity(evidence: Evidence, by_edits: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Return the similarity of texts with different words: float32 (m,), 0..1, always below 1.

    Every list, report and plan shows this number. by_edits: the result of `scattered_similarity`, if it is known.
    """
    most = np.maximum(evidence.resemblance, scattered_similarity(evidence) if by_edits is None else by_edits)
    return np.minimum(most, np.float32(MOST_ESTIMATED), out=most)


class Measured:
    """The evidence of some pairs, with the values that do not depend on the demand, so that decisions are quick.

    similarity: see `similarity`. scattered: see `scattered_similarity`.
    part:       float32 (m,), the larger share of one text in the other, minus a standard error.
    role:       uint8 (m,), PART or WHOLE: which of the two the left document is, if that share is large enough. NONE of
                two fillings of a form, and where both shares are equal: a part is shorter than its whole.
    half_shared: see Shares. estimated: the rows whose evidence has an error, ascending.
    """

    def __init__(self, evidence: Evidence, pairs: Pairs) -> None:
        self.evidence, self.pairs = evidence, pairs
        self.scattered = scattered_similarity(evidence)
        self.similarity = similarity(evidence, self.scattered)
        left, right = evidence.left_in_right, evidence.right_in_left
        self.part = np.maximum(left, right)
        self.part -= np.float32(LIKELY_ERRORS) * evidence.error
        self.role: NDArray[np.uint8] = np.where(left > right, np.uint8(Relation.PART), np.uint8(Relation.WHOLE))
        self.role *= ~evidence.form & (left != right)
        self.half_shared = evidence.half_shared
        self.estimated = np.flatnonzero(evidence.error > 0)

    def are_versions(self, demand: Demand) -> NDArray[np.bool_]:
        """Tell which pairs are versions under a demand: bool (m,).

        A part of a dissimilar text is no version of it, though most words of both are in the same order.
        """
        reached = self.pairs.distance <= demand.radius
        counted = self.evidence.resemblance >= demand.similarity
        if demand.passages:
            reached |= self.half_shared
        else:
            counted &= reached
        rows = np.flatnonzero(reached & (self.scattered >= demand.similarity))
        if demand.passages:
            is_part = (self.part[rows] >= demand.containment) & (self.role[rows] != Relation.NONE)
            rows = rows[~is_part | (self.evidence.resemblance[rows] >= DEFAULT_MIN_SIMILARITY)]
        counted[rows] = True
        return counted & ~self.evidence.form

    def decide(self, demand: Demand) -> NDArray[np.uint8]:
        """Return the relation of the left document of each pair to the right one: uint8 (m,), Relation.

        For texts with different words. Containment does not depend on fingerprints, since those of a chapter and of its
        book are dissimilar. It must be reached with a standard error to spare: a short text and a book may have few
        comparable shingles, and a single shared shingle does not make the text a part.
        """
        relation = self.evidence.form * np.uint8(Relation.SAME_FORM)
        if demand.passages:
            relation += (self.part >= demand.containment) * self.role
        np.putmask(relation, self.are_versions(demand), Relation.VERSION)
        return relation

    def confidence(self, demand: Demand, related: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return how sure each pair's relation is: uint8 (m,), Confidence. related: the result of `decide`."""
        certainty = np.full(len(self.pairs), Confidence.CERTAIN, np.uint8)
        rows, evidence = self.estimated, self.evidence
        contained = np.maximum(evidence.left_in_right[rows], evidence.right_in_left[rows])
        is_part = (related[rows] == Relation.PART) | (related[rows] == Relation.WHOLE)
        gap = np.where(is_part, contained - demand.containment, evidence.resemblance[rows] - demand.similarity)
        errors = np.abs(gap) / evidence.error[rows]
        certainty[rows] = (errors >= LIKELY_ERRORS).astype(np.uint8) + (errors >= CERTAIN_ERRORS)
        return certainty


def other_bytes(other: Mapping[OtherContent, str]) -> bytes:
    """Return the other content of a document as it is stored: for each kind a hash as little-endian uint64.

    other: as in Extracted. A kind without content is NO_HASH, a kind that is not known UNKNOWN_HASH.
    """
    return np.array([_hash_of(other.get(kind)) for kind in CONTENT_KINDS], "<u8").tobytes()


def _hash_of(digest: str | None) -> int:
    """Return the hash of a kind. digest: hexadecimal; "": not known; None: no content."""
    if digest is None:
        return NO_HASH
    return max(int(digest, 16), UNKNOWN_HASH + 1) if digest else UNKNOWN_HASH


def other_row(stored: bytes) -> NDArray[np.uint64]:
    """Return a result of `other_bytes` as one row for `compare_other`: uint64 (1, kinds)."""
    return np.frombuffer(stored, "<u8").astype(np.uint64)[None, :]


def compare_other(
    left: NDArray[np.uint64], right: NDArray[np.uint64], same_format: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Compare the content beside the words. Return (differs, not known) for each kind: bool (m, kinds).

    left, right: uint64 (m, kinds of OtherContent), 0 for no content of a kind, UNKNOWN_HASH, else a hash of it.
    same_format: bool (m,). Running heads and links depend on the format (a web page has menus, a letter a letterhead),
    so between two formats they do not count. Numbers count between two formats if both documents store them, and so do
    the words of running heads, which count between two formats alone.
    """
    unknown = (left == UNKNOWN_HASH) | (right == UNKNOWN_HASH)
    bound = np.array([kind in _BOUND_TO_FORMAT for kind in OtherContent])
    in_both = np.array([kind in _COUNTS_IN_BOTH for kind in OtherContent])
    head_words = np.array([kind is OtherContent.HEAD_WORDS for kind in OtherContent])
    one_sided = in_both[None, :] & ((left == NO_HASH) | (right == NO_HASH))
    counts = np.where(same_format[:, None], ~head_words[None, :], ~(bound[None, :] | one_sided))
    return (left != right) & ~unknown & counts, unknown & counts


def different_kinds(
    left: NDArray[np.uint64], right: NDArray[np.uint64], same_format: NDArray[np.bool_]
) -> tuple[tuple[OtherContent, ...], tuple[OtherContent, ...]]:
    """Return the kinds of content in which two documents differ, and those that are not known: see `compare_other`."""
    differs, not_known = compare_other(left, right, same_format)
    return tuple(compress(OtherContent, differs[0])), tuple(compress(OtherContent, not_known[0]))


def of_same_words(
    left: NDArray[np.uint64], right: NDArray[np.uint64], same_format: NDArray[np.bool_], same_bytes: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Return the relation of documents with the same words: uint8 (m,); see `compare_other`. same_bytes: bool (m,)."""
    differs, unknown = compare_other(left, right, same_format)
    relation = np.where((differs | unknown).any(axis=1), Relation.SAME_WORDS, Relation.SAME_TEXT)
    return np.where(same_bytes, Relation.IDENTICAL, relation).astype(np.uint8)


def name_of(relation: Relation) -> str:
    """Return the name of a relation in reports, plans and journals: "identical", "same_text" and so on."""
    return relation.name.lower()


def relation_named(name: str) -> Relation:
    """Return the relation of a name. Raises ValueError for an unknown name."""
    relations = {name_of(relation): relation for relation in Relation}
    if name not in relations:
        raise ValueError(f"no relation: {name}")
    return relations[name]


def reversed_of(relation: Relation) -> Relation:
    """Return the relation of the right document to the left one, from that of the left one to the right one."""
    return {Relation.PART: Relation.WHOLE, Relation.WHOLE: Relation.PART}.get(relation, relation)


REVERSED: Final = np.array([reversed_of(relation) for relation in Relation], np.uint8)  # by the number of a relation
