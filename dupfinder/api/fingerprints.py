"""Fingerprints of texts and of selected features; sketches of shingle sets; and the relation of two texts.

The sketches (Broder et al. 1997) are all shingles, MIN_s, MOD_m and super-shingles.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.api import checks
from dupfinder.api.documents import Document, document_of
from dupfinder.api.errors import TooShort, require_same
from dupfinder.base.settings import DEFAULT_MIN_CONTAINMENT, DEFAULT_MIN_SIMILARITY, MAX_RADIUS
from dupfinder.cluster.pair import ComparedText, PairEvidence
from dupfinder.cluster.relation import Demand, name_of
from dupfinder.engine.prints import array_of, number_of
from dupfinder.fingerprint import simhash as core
from dupfinder.fingerprint import sketch as sketches
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.scheme import BITS, Scheme
from dupfinder.fingerprint.sketch import TextPrint, sketch_of
from dupfinder.fingerprint.weights import FrequencyCounter, learned_scheme
from dupfinder.text.normalise import normalise

_OWN_FEATURES = "features of the caller's own"
BATCH_CHARACTERS = 1 << 20  # of the texts whose fingerprints are computed together
_MOST_WEIGHT = 1 << 53  # whole numbers up to this are exact in a float


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A simhash, and how it was made.

    value:  below 2**bits; bit 0, the first of the hexadecimal form, is the most significant.
    bits:   32, 64 or 128.
    scheme: names all choices, tables included; only fingerprints with equal schemes are compared.
    """

    value: int
    bits: int
    scheme: str

    def __post_init__(self) -> None:
        if self.bits not in BITS:
            raise ValueError(f"bits is 32, 64 or 128, not {self.bits!r}")
        checks.whole_number("value", self.value, 0, (1 << self.bits) - 1)
        if not isinstance(self.scheme, str):
            raise TypeError(f"scheme is a str, not {type(self.scheme).__name__}")

    def __str__(self) -> str:
        return f"{self.value:0{self.bits // 4}x}"


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The fingerprints of several texts, row i that of text i.

    values:     uint32 (n,) at 32 bits, uint64 (n,) at 64, uint64 (n, 2) at 128, the high word first: as `join`,
                `Tables` and files of fingerprints take them.
    comparable: bool (n,); False for a text without words to compare, whose value has no meaning.
    """

    values: NDArray[np.unsignedinteger]
    comparable: NDArray[np.bool_]
    scheme: Scheme

    def __len__(self) -> int:
        return len(self.comparable)

    def __getitem__(self, row: int) -> Fingerprint:
        """Return the fingerprint of a row. Raises TooShort if the text had none, IndexError for a row out of range."""
        if not isinstance(row, int | np.integer):
            raise TypeError(f"row is a whole number, not {type(row).__name__}")
        if not -len(self) <= row < len(self):
            raise IndexError(f"row is {-len(self)} to {len(self) - 1}, not {row}")
        index = range(len(self))[row]
        if not self.comparable[index]:
            raise TooShort(f"The text of row {index} has nothing to compare: no words but very common ones.")
        return Fingerprint(number_of(self.values[index]), self.scheme.bits, self.scheme.made_by)


def scheme_or_default(scheme: Scheme | None) -> Scheme:
    """Return the scheme, or the default for None. Raises TypeError for anything else."""
    if scheme is None:
        return Scheme()
    if not isinstance(scheme, Scheme):
        raise TypeError(f"scheme is a Scheme, such as Scheme(bits=64), not {type(scheme).__name__}")
    return scheme


def print_of(text: str | Document, scheme: Scheme) -> TextPrint:
    """Return the TextPrint of a text under a scheme: its fingerprint with what else is computed along with it."""
    return fingerprinter(scheme).print_of(normalise(document_of(text).text))


def fingerprint(text: str | Document, scheme: Scheme | None = None) -> Fingerprint:
    """Compute the fingerprint of a text or a document.

    scheme: None: 64 bits of words weighted by tf-idf.
    Raises TooShort for a text of nothing but short numbers, punctuation and very common words, which has no fingerprint
    (`Scheme(features="shingles", weights="tf")` can compare such texts).

    >>> near = fingerprint("The harbour was closed in winter."), fingerprint("In winter, the harbour was closed!")
    >>> distance(*near)
    0
    """
    chosen = scheme_or_default(scheme)
    text_print = print_of(text, chosen)
    if not text_print.has_features:
        raise TooShort("The text has nothing to compare: only short numbers and very common words.")
    return Fingerprint(text_print.fingerprint, chosen.bits, chosen.made_by)


def fingerprint_many(texts: Iterable[str | Document], scheme: Scheme | None = None) -> Fingerprints:
    """Compute the fingerprints of several texts; `comparable` is False for those without words to compare."""
    chosen = scheme_or_default(scheme)
    values: list[int] = []
    comparable: list[bool] = []
    for batch in _batches(checks.many("texts", texts, "texts")):
        for text_print in fingerprinter(chosen).prints_of([normalise(text) for text in batch]):
            values.append(text_print.fingerprint)
            comparable.append(text_print.has_features)
    return Fingerprints(array_of(values, chosen.bits), np.array(comparable, np.bool_), chosen)


def _batches(texts: Iterable[str | Document]) -> Iterator[list[str]]:
    """Yield the texts in batches of about BATCH_CHARACTERS, so that few are held at a time."""
    batch: list[str] = []
    room = BATCH_CHARACTERS
    for text in texts:
        batch.append(document_of(text).text)
        room -= len(batch[-1])
        if room <= 0:
            yield batch
            batch, room = [], BATCH_CHARACTERS
    yield batch


def learn(texts: Iterable[str | Document], to: str | os.PathLike[str], scheme: Scheme | None = None) -> Scheme:
    """Learn from texts how rare each word is, and return the scheme with these weights.

    to:     the file for the weights, ending in .npz, which must not exist; the scheme reads it wherever it is used.
    scheme: all other choices; its features must be words.
    Raises TooShort when no word is in two of the texts.
    """
    chosen, path = scheme_or_default(scheme), checks.path_of("to", to)
    if chosen.features != "words":
        raise ValueError("weights are learned of words; shingles take none or tf")
    if path.suffix != ".npz" or path.exists():
        raise ValueError(f"to is a file that is not there yet and ends in .npz, not {os.fspath(path)!r}")
    counter, maker = FrequencyCounter(), fingerprinter(Scheme(simplify=chosen.simplify))
    for text in checks.many("texts", texts, "texts"):
        counter.add(maker.terms_of(normalise(document_of(text).text)).features)
    table = counter.table()
    if not len(table.keys):
        raise TooShort("No word is in two of the texts, so nothing can be learned of what is common.")
    return learned_scheme(chosen, table, path)


def simhash(features: Mapping[str, int] | Iterable[str], bits: int = 64) -> Fingerprint:
    """Compute the fingerprint of features that you select: words or anything else, with weights or counted.

    features: weights by feature, whole numbers above 0; or features, each weighted by how often it occurs. They are
              not normalised. Raises TooShort when there are none.

    >>> str(simhash({"harbour": 2, "winter": 1}))
    '4525043ccc4dc55e'
    """
    if bits not in BITS:
        raise ValueError(f"bits is 32, 64 or 128, not {bits!r}")
    if isinstance(features, Mapping):
        weights = {
            _feature(name): checks.whole_number("weight", weight, 1, _MOST_WEIGHT) for name, weight in features.items()
        }
    else:
        weights = Counter(map(_feature, checks.many("features", features, "features, or their weights by name")))
    if not weights:
        raise TooShort("There are no features, so there is no fingerprint.")
    if sum(weights.values()) > _MOST_WEIGHT:
        raise ValueError(f"all weights together are at most {_MOST_WEIGHT:,}")
    hashes = np.array([xxh3(name.encode("utf-8", "surrogatepass")) for name in weights], np.uint64)
    value = core.simhash(hashes, np.array(list(weights.values()), np.float64), bits)
    return Fingerprint(value, bits, f"{bits} bits of {_OWN_FEATURES}")


def _feature(name: object) -> str:
    """Return a feature. Raises TypeError for anything but a str."""
    if not isinstance(name, str):
        raise TypeError(f"a feature is a str, not {type(name).__name__}")
    return name


def distance(left: Fingerprint, right: Fingerprint) -> int:
    """Count the bits in which two fingerprints differ. Raises MixedSchemes when they were made in different ways."""
    for fingerprint in (left, right):
        if not isinstance(fingerprint, Fingerprint):
            raise TypeError(f"a Fingerprint is wanted, not {type(fingerprint).__name__}")
    require_same(left.scheme, right.scheme, "fingerprints")
    return core.distance(left.value, right.value)


SKETCH_KINDS = ("all", "min", "mod", "super")


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Some of the shingles of a text, as 64-bit numbers, and how they were selected.

    kind:     "all"; "min": the smallest; "mod": multiples of a number; "super": shingles of the smallest.
    values:   uint64 (m,), ascending, distinct.
    shingles: number of distinct shingles of the text.
    size:     s of "min" and "super"; 0 for other kinds.
    made_by:  how it was made; only sketches made in the same way are compared.
    """

    kind: str
    values: NDArray[np.uint64]
    shingles: int
    size: int
    made_by: str


def sketch(
    text: str | Document,
    kind: str = "min",
    *,
    size: int = 1024,
    modulus: int = 25,
    width: int = 6,
    scheme: Scheme | None = None,
) -> Sketch:
    """Return a sketch of the shingles of a text or a document.

    kind:    "all": every shingle, for exact numbers. "min": the `size` smallest (MIN_s), an unbiased sample for
             resemblance. "mod": the multiples of `modulus` (MOD_m), for containment too. "super": super-shingles, each
             of `width` neighbours among the `size` smallest; two texts that share one are candidates.
    scheme:  gives the width of a shingle in tokens (`shingle`, 5) and its numbers (`shingle_hash`: "xxh3" or "rabin").
    A text of fewer tokens than a shingle has one shingle. Raises TooShort for a text without tokens.

    >>> rose = sketch("a rose is a rose is a rose", "all", scheme=Scheme(shingle=4))
    >>> len(rose.values)
    3
    """
    chosen = scheme_or_default(scheme)
    checks.one_of("kind", kind, SKETCH_KINDS)
    checks.whole_number("size", size, 1)
    checks.whole_number("modulus", modulus, 1)
    checks.whole_number("width", width, 1)
    every = fingerprinter(chosen).shingle_set(normalise(document_of(text).text))
    if not len(every):
        raise TooShort("The text has no words, so there is nothing to sketch.")
    number = modulus if kind == "mod" else size
    made_by = chosen.sketches_made_by(kind, number, width)
    size = size if kind in ("min", "super") else 0
    return Sketch(kind, sketch_of(every, kind, number, width), len(every), size, made_by)


def check_sketch(value: object, *kinds: str) -> Sketch:
    """Return a sketch of one of the kinds. Raises TypeError, ValueError."""
    if not isinstance(value, Sketch):
        raise TypeError(f"a Sketch is wanted, not {type(value).__name__}")
    if kinds and value.kind not in kinds:
        raise ValueError(f"a sketch of kind {' or '.join(kinds)} is wanted: {value.kind!r} does not tell this")
    return value


def _check_pair(left: Sketch, right: Sketch, *kinds: str) -> None:
    """Check that two sketches are of these kinds and comparable. Raises TypeError, ValueError, MixedSchemes."""
    for side in (left, right):
        check_sketch(side, *kinds)
    require_same(left.made_by, right.made_by, "sketches")


def resemblance(left: Sketch, right: Sketch) -> float:
    """Estimate |A & B| / |A | B| of the shingles of two texts, 0 to 1; exact for sketches of kind "all".

    For "min" the standard error is sqrt(r (1 - r) / size). Raises ValueError for super-shingles, which only give
    candidates, and MixedSchemes.
    """
    _check_pair(left, right, "all", "min", "mod")
    if left.kind == "min":
        return sketches.min_resemblance(left.values, right.values, left.size)
    return sketches.resemblance(left.values, right.values)


def containment(left: Sketch, right: Sketch) -> float:
    """Estimate |A & B| / |A|: how much of the left text is in the right one, 0 to 1; exact for kind "all".

    Raises MixedSchemes, and ValueError for "min" and "super": the smallest shingles of a part need not be among the
    smallest of its whole.
    """
    _check_pair(left, right, "all", "mod")
    return sketches.containment(left.values, right.values)


def is_candidate(left: Sketch, right: Sketch) -> bool:
    """Tell whether two sketches have a value in common. Raises MixedSchemes."""
    _check_pair(left, right)
    return sketches.shared(left.values, right.values) > 0


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
    radius: int = MAX_RADIUS,
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
    compared = [ComparedText.of(document.extracted, print_of(document, chosen)) for document in documents]
    if not all(side.text_print.words for side in compared):
        raise TooShort("A text has no words, so there is nothing to compare.")
    evidence = PairEvidence.of(compared[0], compared[1], chosen.shingle)
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
