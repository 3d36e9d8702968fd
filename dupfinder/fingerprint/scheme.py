"""Scheme: all choices that make fingerprints comparable. Fingerprints of different schemes are never compared."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

# Raise when tokens, hashing or shipped tables change what a text's fingerprint or sketch is.
REVISION = 5


@dataclass(frozen=True, slots=True)
class Scheme:
    """How texts become fingerprints and sketches.

    weights:      "tf" (counts), or damped counts times inverse document frequency: "tf-idf" (the shipped frequencies)
                  or "learned" (those of the file `learned`).
    bits:         fingerprint width, 32, 64 or 128; the library stores 64.
    top:          only the `top` heaviest features count; 0: all.
    simplify:     Traditional Chinese folded to Simplified before anything else.
    shingle:      w, the length of a shingle in tokens (a word, or one CJK character).
    shingle_hash: "xxh3" (mixed token hashes) or "rabin" (64-bit Rabin fingerprints), the numbers of shingles.
    sketch:       s, the most MIN_s values kept for a document (engine of Broder et al. 1997).
    modulus:      m of MOD_m, for containment.
    learned:      table of document frequencies written by `weights learn`; its digest is part of the id.
    """

    weights: str = "tf-idf"
    bits: int = 64
    top: int = 0
    simplify: bool = False
    shingle: int = 5
    shingle_hash: str = "xxh3"
    sketch: int = 4096
    modulus: int = 25
    learned: Path | None = None
    learned_digest: str = ""

    @property
    def id(self) -> str:
        """A short name for exactly these choices, stable across machines: equal ids, comparable fingerprints."""
        facts = {key: value for key, value in asdict(self).items() if key != "learned"}
        told = ";".join(f"{key}={facts[key]}" for key in sorted(facts)) + f";revision={REVISION}"
        return hashlib.blake2b(told.encode(), digest_size=6).hexdigest()
