"""Scheme: all choices that make fingerprints comparable. This module loads nothing that computes them.

Fingerprints of different schemes are never compared.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

# Increase it when a change of tokens, hashing or shipped tables changes fingerprints or sketches.
REVISION = 15

BITS: Final = (32, 64, 128)
FEATURES: Final = ("words", "shingles")
WEIGHTINGS: Final = ("none", "tf", "tf-idf", "learned")
SHINGLE_HASHES: Final = ("xxh3", "rabin")
_OF_WORDS: Final = ("tf-idf", "learned")  # weights from tables that hold words only


@dataclass(frozen=True, slots=True)
class Scheme:
    """How texts become fingerprints and sketches.

    features:     what a fingerprint is made of: "words" (stemmed, without stop-words) or "shingles" (runs of `shingle`
                  consecutive tokens, stop-words included).
    weights:      "none" (each feature weighs 1), "tf" (counts), or damped counts times inverse document frequency:
                  "tf-idf" (the shipped frequencies) or "learned" (those of the file `learned`). Frequencies are of
                  words, so shingles take "none" or "tf".
    bits:         fingerprint width, 32, 64 or 128; the library stores 64.
    top:          only the `top` heaviest features count; 0: all.
    scale:        weights are rounded to whole numbers from 1 to `scale`, in proportion to the heaviest; 0: not scaled.
    simplify:     Traditional Chinese is compared as Simplified.
    shingle:      w, the length of a shingle in tokens (a word, or one CJK character).
    shingle_hash: how shingles are numbered: "xxh3" (mixed token hashes) or "rabin" (64-bit Rabin fingerprints).
    sketch:       s, how many MIN_s values are stored for a document that has more (Broder et al. 1997).
    learned:      table of document frequencies written by `weights learn`; its digest is part of the id.
    Raises TypeError and ValueError, with a sentence, for a value that is not allowed.
    """

    weights: str = "tf-idf"
    bits: int = 64
    top: int = 0
    simplify: bool = False
    shingle: int = 5
    shingle_hash: str = "xxh3"
    sketch: int = 4096
    learned: Path | None = None
    learned_digest: str = ""
    features: str = "words"
    scale: int = 0

    def __post_init__(self) -> None:
        for name, least in (("bits", 1), ("top", 0), ("scale", 0), ("shingle", 1), ("sketch", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} is a whole number, not {value!r}")
            if value < least:
                raise ValueError(f"{name} is at least {least}, not {value}")
        for name, allowed in (("weights", WEIGHTINGS), ("features", FEATURES), ("shingle_hash", SHINGLE_HASHES)):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        if self.bits not in BITS:
            raise ValueError(f"bits is 32, 64 or 128, not {self.bits}")
        if not isinstance(self.simplify, bool):
            raise TypeError(f"simplify is True or False, not {self.simplify!r}")
        if self.features == "shingles" and self.weights in _OF_WORDS:
            raise ValueError(f"weights {self.weights} are known for words alone; shingles take none or tf")

    @property
    def id(self) -> str:
        """A short name for exactly these choices, equal on all machines: fingerprints with equal ids are comparable."""
        fields = {key: value for key, value in asdict(self).items() if key != "learned"}
        for name, usual in (("features", "words"), ("scale", 0)):
            if fields[name] == usual:
                del fields[name]  # ids of versions that lacked these fields stay valid
        choices = ";".join(f"{key}={fields[key]}" for key in sorted(fields)) + f";revision={REVISION}"
        return hashlib.blake2b(choices.encode(), digest_size=6).hexdigest()

    @property
    def made_by(self) -> str:
        """The choices that fingerprints must share to be comparable: "bits=64;features=words;weights=tf-idf;..."."""
        names = ("bits", "features", "scale", "simplify", "top", "weights")
        fields = {name: getattr(self, name) for name in names}
        if self.features == "shingles":
            fields |= {"shingle": self.shingle, "hash": self.shingle_hash}
        return _code(fields, learned=self.learned_digest if self.weights == "learned" else "")

    def sketches_made_by(self, kind: str, number: int, width: int) -> str:
        """Return the choices that sketches must share to be comparable, written as `made_by`.

        kind: "all", "min", "mod" or "super". number: s of MIN_s, or m of MOD_m. width: of a super-shingle.
        """
        fields = {"kind": kind, "shingle": self.shingle, "hash": self.shingle_hash, "simplify": self.simplify}
        return _code(fields, number=0 if kind == "all" else number, width=width if kind == "super" else 0)


def _code(fields: dict[str, object], **more: object) -> str:
    """Return the fields that are not empty, False or 0, and the revision of the code, in the order of their names."""
    fields = {**fields, **more, "revision": REVISION}
    return ";".join(f"{name}={fields[name]}" for name in sorted(fields) if fields[name])
