"""Fingerprinter: one normalised text in, one TextPrint out, under one scheme."""

from __future__ import annotations

import hashlib

import numpy as np

from dupfinder.fingerprint import shingles, sketch, weights
from dupfinder.fingerprint.features import Features
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.language import language_of
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.simhash import fingerprint_of, wide_sums
from dupfinder.fingerprint.tokens import chunks, tokens_of


class Fingerprinter:
    """Computes prints under one scheme. Keeps what it learned of words; make one for each worker process.

    Raises OSError or ValueError when the scheme's learned weights cannot be read.
    """

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self._features = Features(_weights(scheme))

    def print_of(self, normalised: str, language: str = "") -> TextPrint:
        """The print of a text that `text.normalise` has put into its normal form.

        language: ISO 639-1 code where it is known; "" to tell it from the text.
        text_hash is over the sequence of tokens (words, numbers, single CJK characters): texts that differ only in
        spacing, line ends, punctuation or the style of quotation marks have the same.
        """
        language = language or language_of(normalised)
        letters, lengths = hashlib.blake2b(digest_size=16), hashlib.blake2b(digest_size=16)
        hashes, sums = [], np.zeros(self.scheme.bits)
        has_features = False
        for chunk in chunks(normalised):
            tokens = tokens_of(chunk)
            hashes.append(tokens.hashes)
            letters.update(tokens.letters())
            lengths.update((tokens.ends - tokens.starts).astype("<u4").tobytes())
            found, weight = self._features.of(tokens, language)
            has_features |= len(found) > 0
            sums += wide_sums(found, weight, self.scheme.bits)
        shingle_set = shingles.shingle_set(np.concatenate(hashes), self.scheme.shingle)
        return TextPrint(
            fingerprint=fingerprint_of(sums),
            has_features=has_features,
            words=sum(map(len, hashes)),
            language=language,
            text_hash=hashlib.blake2b(letters.digest() + lengths.digest(), digest_size=16).digest(),
            shingles=len(shingle_set),
            sketch=sketch.min_sketch(shingle_set, self.scheme.sketch),
            part_sketch=sketch.mod_sketch(shingle_set, self.scheme.modulus),
        )

    def shingle_set(self, normalised: str) -> Hashes:
        """The exact shingle set of a text, ascending: for resemblance and containment without a sketch."""
        hashes = [tokens_of(chunk).hashes for chunk in chunks(normalised)]
        return shingles.shingle_set(np.concatenate(hashes), self.scheme.shingle)


def _weights(scheme: Scheme) -> weights.Weights:
    """The weights that the scheme names."""
    if scheme.weights == "learned" and scheme.learned is not None:
        return weights.DocumentFrequencies.load(scheme.learned)
    return weights.TermFrequency() if scheme.weights == "tf" else weights.shipped()
