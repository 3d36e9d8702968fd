"""Fingerprinter: computes the TextPrint of a normalised text under one scheme."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import starts_of
from dupfinder.fingerprint import sketch, weights
from dupfinder.fingerprint.features import FeatureExtractor, Terms, counted, merged
from dupfinder.fingerprint.hashing import Hashes, HashMemo
from dupfinder.fingerprint.language import languages_of, simplified
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.simhash import simhashes
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.fingerprint.tokens import MOST_TRACED, Tokens, Trace, batches, chunks, tokens_of, trace_of


@dataclass(frozen=True, slots=True)
class HeavyWord:
    """A feature with a readable word for it.

    word:    a form in which it occurs in the text (features are stems).
    feature: its hash, equal for the same word in two texts.
    count:   occurrences in the text.
    share:   its share of the text's total weight, 0 to 1.
    """

    word: str
    feature: int
    count: int
    share: float


class _PartialPrint:
    """What is known of a text while its chunks are read.

    letters, lengths: hash objects, fed with the letters and with the lengths of its tokens.
    terms:  the terms of each chunk; empty if fingerprints are made of shingles.
    hashes: uint64, `Tokens.plain` of each chunk; empty if fingerprints are made of words.
    """

    def __init__(self, scheme: Scheme) -> None:
        self.letters, self.lengths = hashlib.blake2b(digest_size=16), hashlib.blake2b(digest_size=16)
        self.shingles = sketch.ShingleSetBuilder(scheme.shingle, scheme.shingle_hash)
        self.words, self.language = 0, ""
        self.traces: list[Trace] = []
        self.terms: list[Terms] = []
        self.hashes: list[Hashes] = []


class Fingerprinter:
    """Computes prints under one scheme. Caches words in bounded memory; create one per worker process.

    Raises ValueError for a scheme that names no known weights, or a table other than that at `scheme.learned`; and
    OSError where that table cannot be read.
    """

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self._by_words = scheme.features == "words"
        self._memo = HashMemo()
        self._features = FeatureExtractor(_weights(scheme))

    def print_of(self, normalised: str) -> TextPrint:
        """Return the print of a text in the form of `text.normalise.normalise`.

        text_hash covers the tokens in their order (words, numbers, single CJK characters): it is equal for texts that
        differ only in spacing, line ends, punctuation or the style of quotation marks, but not for Traditional and
        Simplified Chinese, whatever the scheme.
        """
        return self.prints_of([normalised])[0]

    def prints_of(self, texts: Sequence[str]) -> list[TextPrint]:
        """Return the print of each text. Short texts take half as long together as one by one."""
        drafts = [_PartialPrint(self.scheme) for _ in texts]
        for batch in batches(texts):
            self._add(batch, [drafts[number] for number, _ in batch], texts)
        return self._finished(drafts) if drafts else []

    def _add(self, batch: list[tuple[int, str]], drafts: list[_PartialPrint], texts: Sequence[str]) -> None:
        """Add chunks of texts to their drafts. batch: (number of the text, chunk). drafts: of the same texts."""
        texts_of_batch = [chunk for _, chunk in batch]
        tokens = tokens_of(texts_of_batch, self._memo)
        compared = self._compared(texts_of_batch, tokens)
        lengths, traces = tokens.ends - tokens.starts, trace_of(compared)
        letters, sizes = tokens.joined_bytes(), lengths.astype("<u4").tobytes()
        edges = starts_of(lengths)[tokens.bounds].tolist()  # of the letters of each text
        languages = languages_of([texts[number] for number, _ in batch], tokens)
        spans = list(pairwise(tokens.bounds.tolist()))
        parts = [slice(*part) for part in pairwise(compared.bounds.tolist())]
        hashes = [compared.plain[part] for part in parts]
        sketch.ShingleSetBuilder.add_each([draft.shingles for draft in drafts], hashes)
        for draft, language, (start, stop), (first, last), part in zip(
            drafts, languages, spans, pairwise(edges), parts, strict=True
        ):
            draft.language = draft.language or language
            draft.letters.update(letters[first:last])
            draft.lengths.update(sizes[4 * start : 4 * stop])
            if draft.words < MOST_TRACED:
                draft.traces.append(traces[part])
            draft.words += stop - start
        if self._by_words:
            for draft, terms in zip(drafts, self._features.terms_of(compared), strict=True):
                draft.terms.append(terms)
        else:
            for draft, of_tokens in zip(drafts, hashes, strict=True):
                draft.hashes.append(of_tokens)

    def _finished(self, drafts: Sequence[_PartialPrint]) -> list[TextPrint]:
        """Return the print of each text. All chunks of the texts must have been added."""
        terms = [merged(draft.terms) if self._by_words else self._shingle_terms(draft.hashes) for draft in drafts]
        features, weight, sizes = self._weighted(terms)
        fingerprints = simhashes(features, weight, sizes, self.scheme.bits)
        return [self._print(*facts) for facts in zip(drafts, fingerprints, sizes, strict=True)]

    def _print(self, draft: _PartialPrint, fingerprint: int, features: int) -> TextPrint:
        """Return the print of one text. features: how many features it has."""
        members, smallest = sketch.smallest_of(draft.shingles.slices(), self.scheme.sketch)
        hashes = draft.letters.digest() + draft.lengths.digest()
        return TextPrint(
            fingerprint=fingerprint,
            has_features=features > 0,
            words=draft.words,
            language=draft.language,
            text_hash=hashlib.blake2b(hashes, digest_size=16).digest(),
            shingles=members,
            sketch=smallest,
            trace=np.concatenate(draft.traces)[:MOST_TRACED],
        )

    def shingle_set(self, normalised: str) -> Hashes:
        """Return all shingles of a text, ascending, uint64 (m,): for exact resemblance and containment."""
        hashes = np.concatenate([tokens.plain for tokens in self._tokens(normalised)])
        return sketch.shingle_set(hashes, self.scheme.shingle, self.scheme.shingle_hash)

    def terms_of(self, normalised: str) -> Terms:
        """Return the distinct words of a normalised text with their counts and rarity."""
        return merged([terms for tokens in self._tokens(normalised) for terms in self._features.terms_of(tokens)])

    def heaviest(self, normalised: str, most: int) -> list[HeavyWord]:
        """Return the `most` words of greatest weight in a text's fingerprint, the heaviest first."""
        terms = self.terms_of(normalised)
        features, weight, _ = self._weighted([terms])
        chosen = np.lexsort((features, -weight))[:most]
        words = self.words_of(normalised, np.sort(features[chosen]))
        counts = dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True))
        total = float(weight.sum())
        return [
            HeavyWord(words[feature], feature, counts[feature], share / total)
            for feature, share in zip(features[chosen].tolist(), weight[chosen].tolist(), strict=True)
        ]

    def words_of(self, normalised: str, features: Hashes) -> dict[int, str]:
        """Return `FeatureExtractor.words_of` of a normalised text."""
        words: dict[int, str] = {}
        for tokens in self._tokens(normalised):
            words = self._features.words_of(tokens, features) | words
        return words

    def _tokens(self, normalised: str) -> Iterator[Tokens]:
        """Yield the tokens chunk by chunk, so that a long text is never held as tokens all at once."""
        return (self._compared([chunk], tokens_of([chunk], self._memo)) for chunk in chunks(normalised))

    def _compared(self, texts: Sequence[str], tokens: Tokens) -> Tokens:
        """Return the tokens by which texts are compared: in Simplified Chinese, if the scheme says so.

        tokens: of the texts as they are written. `text_hash` is made of those, since different words may become equal
        in Simplified Chinese: "behind" and "empress" have different characters in Traditional Chinese only.
        """
        if not (self.scheme.simplify and tokens.han):
            return tokens
        compared = [text if text.isascii() else simplified(text) for text in texts]
        return tokens if compared == texts else tokens_of(compared, self._memo)

    def _shingle_terms(self, hashes: list[Hashes]) -> Terms:
        """Return the shingles of a text as features. hashes: uint64, `Tokens.plain` of each chunk."""
        numbers = sketch.hashes_of(np.concatenate(hashes), self.scheme.shingle, self.scheme.shingle_hash)
        rarity = np.full(len(numbers), weights.UNIT, np.int64)
        return counted(numbers, rarity, np.array([0, len(numbers)]))[0]

    def _weighted(self, terms: Sequence[Terms]) -> tuple[Hashes, NDArray[np.float64], list[int]]:
        """Return the `top` heaviest features of the texts, their weights under the scheme, and how many of each text.

        uint64 (m,), float64 (m,). The weight is 1, the count, or the damped count times the rarity. Of equal weights
        the smaller hash comes first. With a scale, the heaviest feature of each text gets it, others in proportion.
        """
        features = np.concatenate([text.features for text in terms])
        counts = np.concatenate([text.counts for text in terms])
        rarity = np.concatenate([text.rarity for text in terms])
        if self.scheme.weights == "none":
            weight = np.ones_like(counts)
        elif self.scheme.weights == "tf":
            weight = counts
        else:
            weight = weights.damped(counts) * rarity
        sizes = [len(text.features) for text in terms]
        if self.scheme.top or self.scheme.scale:
            owners = np.repeat(np.arange(len(terms)), sizes)
            order = np.lexsort((features, -weight, owners))  # the texts one by one
            is_heavy = np.arange(len(order)) - starts_of(sizes)[owners] < (self.scheme.top or len(order))
            order, owners = order[is_heavy], owners[is_heavy]
            features, weight, sizes = features[order], weight[order], np.bincount(owners, minlength=len(terms)).tolist()
            if self.scheme.scale:
                weight = np.maximum(1, np.ceil(self.scheme.scale * weight / weight[starts_of(sizes)[owners]]))
        return features, weight.astype(np.float64), sizes


def _weights(scheme: Scheme) -> weights.Weights:
    if scheme.weights in ("none", "tf"):
        return weights.TermFrequency()
    if scheme.weights == "tf-idf":
        return weights.shipped()
    if scheme.weights != "learned" or scheme.learned is None:
        raise ValueError(f"no such weights: {scheme.weights}")
    table = weights.DocumentFrequencies.load(scheme.learned)
    if table.digest != scheme.learned_digest:
        raise ValueError(f"not the table that the scheme was made with: {scheme.learned}")
    return table


@functools.lru_cache(maxsize=2)
def fingerprinter(scheme: Scheme) -> Fingerprinter:
    """Return the fingerprinter of a scheme. Cached."""
    return Fingerprinter(scheme)
