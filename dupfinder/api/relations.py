"""The relation of two documents."""

from __future__ import annotations

from dataclasses import dataclass

from dupfinder.api import checks
from dupfinder.api.documents import Document, document_of
from dupfinder.api.errors import TooShort
from dupfinder.api.fingerprints import print_of, scheme_or_default
from dupfinder.base.settings import DEFAULT_MIN_CONTAINMENT, DEFAULT_MIN_SIMILARITY, DEFAULT_RADIUS
from dupfinder.cluster.pair import PairEvidence, TextFacts
from dupfinder.cluster.relation import Demand, name_of
from dupfinder.fingerprint.scheme import Scheme


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two documents.

    relation:   of the left document to the right one: "same_text" (nothing but the format differs), "same_words" (other
                pictures, comments and the like, or formats that do not reveal them), "version", "part" (its text is in
                the right one), "whole", or "none". Bytes are not compared, so the relation is never "identical".
    similarity: 0 to 1, and 1 for equal words only: the number that the program shows.
    resemblance: |A & B| / |A | B| of their shingles. left_in_right: |A & B| / |A|; right_in_left: |A & B| / |B|.
    error:      standard error of these three; 0 where all shingles were compared.
    distance:   bits between the fingerprints; None if a text has no fingerprint.
    confidence: "certain", "likely" or "borderline".
    difference: "format", "numbers", "short", "additions", "mixed" or "unknown".
    """

    relation: str
    similarity: float
    resemblance: float
    left_in_right: float
    right_in_left: float
    error: float
    distance: int | None
    confidence: str
    difference: str


def compare(
    left: str | Document,
    right: str | Document,
    *,
    scheme: Scheme | None = None,
    radius: int = DEFAULT_RADIUS,
    min_similarity: float = DEFAULT_MIN_SIMILARITY,
    min_containment: float = DEFAULT_MIN_CONTAINMENT,
) -> Comparison:
    """Compare two documents or texts as a scan does, and decide their relation.

    radius:          bits within which scattered edits make versions.
    min_similarity:  of versions, 0.5 to 1.
    min_containment: of parts, 0.5 to 1.
    Raises TooShort when a text has no words.

    >>> compare("The harbour was closed in winter.", "The harbour was\\nclosed in winter.").relation
    'same_text'
    """
    chosen = scheme_or_default(scheme)
    least = checks.demanded("min_similarity", min_similarity), checks.demanded("min_containment", min_containment)
    demand = Demand(*least, checks.radius_of(radius))
    documents = document_of(left), document_of(right)
    facts = [TextFacts.of(document.extracted, print_of(document, chosen)) for document in documents]
    if not all(side.text_print.words for side in facts):
        raise TooShort("A text has no words, so there is nothing to compare.")
    evidence = PairEvidence.of(facts[0], facts[1], chosen.shingle)
    return Comparison(
        name_of(evidence.relation(demand)),
        evidence.similarity,
        evidence.resemblance,
        evidence.left_in_right,
        evidence.right_in_left,
        evidence.error,
        evidence.distance,
        evidence.confidence(demand).name.lower(),
        evidence.difference.name.lower(),
    )
