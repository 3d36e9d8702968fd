"""The relation of two documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dupfinder.api import checks
from dupfinder.api.documents import Document, document_of
from dupfinder.api.errors import TooShort
from dupfinder.api.fingerprints import print_of, scheme_of
from dupfinder.base.settings import DEFAULT_MIN_CONTAINMENT, DEFAULT_MIN_SIMILARITY, DEFAULT_RADIUS
from dupfinder.cluster.evidence import compare as measure
from dupfinder.cluster.relation import (
    Confidence,
    Demand,
    Difference,
    Relation,
    confidence,
    decide,
    name_of,
    of_same_words,
    other_bytes,
    other_row,
    similarity,
)
from dupfinder.fingerprint.prints import TextPrint
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

    >>> compare("The harbour was closed in winter.", "the harbour was closed, in winter").relation
    'same_text'
    """
    chosen = scheme_of(scheme)
    for name, share in (("min_similarity", min_similarity), ("min_containment", min_containment)):
        if checks.share_of(name, share) < 0.5:
            raise ValueError(f"{name} is 0.5 to 1, not {share}")
    demand = Demand(float(min_similarity), float(min_containment), checks.radius_of(radius))
    documents = document_of(left), document_of(right)
    prints = print_of(documents[0], chosen), print_of(documents[1], chosen)
    if not all(text_print.words for text_print in prints):
        raise TooShort("A text has no words, so there is nothing to compare.")
    return _compared(documents, prints, demand, chosen.shingle)


def _compared(
    documents: tuple[Document, Document], prints: tuple[TextPrint, TextPrint], demand: Demand, width: int
) -> Comparison:
    """Compare two documents by their prints. width: tokens of a shingle."""
    pair, evidence = measure(*prints, width)
    relation, shown = Relation(int(decide(evidence, pair, demand)[0])), float(similarity(evidence)[0])
    sure = Confidence(int(confidence(evidence, pair, demand)[0]))
    difference = Difference(int(evidence.difference[0]))
    if prints[0].text_hash == prints[1].text_hash and not any(document.partial for document in documents):
        relation, shown, sure, difference = _same_words(*documents), 1.0, Confidence.CERTAIN, Difference.FORMAT
    both = all(text_print.has_features for text_print in prints)
    return Comparison(
        name_of(relation),
        shown,
        float(evidence.resemblance[0]),
        float(evidence.left_in_right[0]),
        float(evidence.right_in_left[0]),
        float(evidence.error[0]),
        int(pair.distance[0]) if both else None,
        sure.name.lower(),
        difference.name.lower(),
    )


def _same_words(left: Document, right: Document) -> Relation:
    """Return the relation of two documents with the same words."""
    left_content, right_content = (other_row(other_bytes(document.extracted.other)) for document in (left, right))
    same_format, same_bytes = np.array([left.kind == right.kind]), np.zeros(1, np.bool_)
    return Relation(int(of_same_words(left_content, right_content, same_format, same_bytes)[0]))
