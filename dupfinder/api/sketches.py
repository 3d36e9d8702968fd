"""Sketches of shingle sets (Broder et al. 1997): all shingles, MIN_s, MOD_m and super-shingles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.api import checks
from dupfinder.api.documents import Document, document_of
from dupfinder.api.errors import TooShort, require_same
from dupfinder.api.fingerprints import scheme_of
from dupfinder.fingerprint import sketch as core
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.shingles import sketch_of
from dupfinder.scan.reading import fingerprinter
from dupfinder.text.normalise import normalise

KINDS = ("all", "min", "mod", "super")


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
             resemblance. "mod": the multiples of `modulus` (MOD_m), for containment too. "super": runs of `width` of
             the `size` smallest; two texts that share one are candidates.
    scheme:  gives the width of a shingle in tokens (`shingle`, 5) and its numbers (`shingle_hash`: "xxh3" or "rabin").
    A text of fewer tokens than a shingle has one shingle. Raises TooShort for a text without tokens.

    >>> rose = sketch("a rose is a rose is a rose", "all", scheme=Scheme(shingle=4))
    >>> len(rose.values)
    3
    """
    chosen = scheme_of(scheme)
    checks.one_of("kind", kind, KINDS)
    checks.whole("size", size, 1)
    checks.whole("modulus", modulus, 1)
    checks.whole("width", width, 1)
    every = fingerprinter(chosen).shingle_set(normalise(document_of(text).text, simplify=chosen.simplify))
    if not len(every):
        raise TooShort("The text has no words, so there is nothing to sketch.")
    made_by = chosen.sketches_made_by(kind, modulus if kind == "mod" else size, width)
    size = size if kind in ("min", "super") else 0
    return Sketch(kind, sketch_of(every, kind, modulus if kind == "mod" else size, width), len(every), size, made_by)


def check_sketch(value: object, *kinds: str) -> Sketch:
    """Return a sketch of one of the kinds. Raises TypeError, ValueError."""
    if not isinstance(value, Sketch):
        raise TypeError(f"a Sketch is wanted, not {type(value).__name__}")
    if kinds and value.kind not in kinds:
        raise ValueError(f"a sketch of kind {' or '.join(kinds)} is wanted: {value.kind!r} does not tell this")
    return value


def resemblance(left: Sketch, right: Sketch) -> float:
    """Estimate |A & B| / |A | B| of the shingles of two texts, 0 to 1; exact for sketches of kind "all".

    For "min" the standard error is sqrt(r (1 - r) / size). Raises ValueError for super-shingles, which only give
    candidates, and MixedSchemes.
    """
    for side in (left, right):
        check_sketch(side, "all", "min", "mod")
    require_same(left.made_by, right.made_by, "sketches")
    if left.kind == "min":
        return core.min_resemblance(left.values, right.values, left.size)
    return core.resemblance(left.values, right.values)


def containment(left: Sketch, right: Sketch) -> float:
    """Estimate |A & B| / |A|: how much of the left text is in the right one, 0 to 1; exact for kind "all".

    Raises MixedSchemes, and ValueError for "min" and "super": the smallest shingles of a part need not be among the
    smallest of its whole.
    """
    for side in (left, right):
        check_sketch(side, "all", "mod")
    require_same(left.made_by, right.made_by, "sketches")
    return core.containment(left.values, right.values)


def is_candidate(left: Sketch, right: Sketch) -> bool:
    """Tell whether two sketches have a value in common. Raises MixedSchemes."""
    for side in (left, right):
        check_sketch(side)
    require_same(left.made_by, right.made_by, "sketches")
    return core.shared(left.values, right.values) > 0
