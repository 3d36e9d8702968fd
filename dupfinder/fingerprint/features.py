"""Features of a text: stop-words and numbers out, words stemmed, Chinese words whole; how rare each is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import Stemmer
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Bytes, Hashes, Offsets, splitmix, xxh3
from dupfinder.fingerprint.memo import SLOTS, HashMemo, one_of_each
from dupfinder.fingerprint.segment import words_of_runs
from dupfinder.fingerprint.stopwords import stop_words
from dupfinder.fingerprint.tokens import Tokens
from dupfinder.fingerprint.weights import Rarity, Weights

_PAIR = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Terms:
    """The distinct features of a text, ascending.

    features: uint64 (m,), XXH3 of the stem or word.
    counts:   int64 (m,), how often each stands in the text, at least 1.
    rarity:   int64 (m,), inverse document frequency in 64ths, at least 1.
    """

    features: Hashes
    counts: NDArray[np.int64]
    rarity: Rarity


class _Places(NamedTuple):
    """Where features stand: spans of bytes, the feature of each and its rarity (0: none)."""

    text: Bytes
    starts: Offsets
    ends: Offsets
    features: Hashes
    rarity: Rarity


def merged(parts: Sequence[Terms]) -> Terms:
    """The terms of a text from those of its chunks: counts of equal features added."""
    if len(parts) == 1:
        return parts[0]
    features, counts, rarity = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("features", "counts", "rarity")
    )
    order = np.argsort(features, kind="stable")
    firsts = _firsts(features[order])
    if not len(firsts):
        return Terms(features, counts, rarity)
    heads = order[firsts]
    return Terms(features[heads], np.add.reduceat(counts[order], firsts), rarity[heads])


def _firsts(ordered: Hashes) -> NDArray[np.intp]:
    """Where each run of equal values begins."""
    changes = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=changes[1:])
    return changes.nonzero()[0]


def _counted(features: Hashes, rarity: Rarity) -> Terms:
    """Terms from one row for each place in the text; rows of rarity 0 are no features."""
    kept = rarity > 0  # first: a stop-word may share its stem with words that are none
    features, rarity = features[kept], rarity[kept]
    order = np.argsort(features, kind="stable")
    firsts = _firsts(features[order])
    counts = np.diff(firsts, append=len(order))
    heads = order[firsts]
    return Terms(features[heads], counts, rarity[heads])


class Lexicon:
    """What each word is as a feature, by language, remembered in a table of fixed size (see `memo`)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._keys = np.zeros(SLOTS, dtype=np.uint64)
        self._features = np.zeros(SLOTS, dtype=np.uint64)
        self._rarity = np.zeros(SLOTS, dtype=np.int64)

    def look_up(
        self, text: Bytes, starts: Offsets, ends: Offsets, hashes: Hashes, language: str
    ) -> tuple[Hashes, Rarity]:
        """The feature of each word and its rarity, 0 for words that are no features: uint64 (n,), int64 (n,).

        hashes: XXH3 of the words, by which, together with the language, they are known again.
        """
        # The space keeps the names of languages out of the words: else "es" in German and "de" in Spanish were one key.
        keys = hashes ^ np.uint64(xxh3(f"in {language}".encode()))
        slots = (keys & np.uint64(SLOTS - 1)).view(np.int64)
        features, rarity = self._features[slots], self._rarity[slots]
        missing = (self._keys[slots] != keys).nonzero()[0]
        if len(missing):
            features[missing], rarity[missing] = self._learn(text, starts[missing], ends[missing], language)
            rows = missing[one_of_each(slots[missing])]
            places = slots[rows]
            self._keys[places] = keys[rows]
            self._features[places], self._rarity[places] = features[rows], rarity[rows]
        return features, rarity

    def _learn(self, text: Bytes, starts: Offsets, ends: Offsets, language: str) -> tuple[Hashes, Rarity]:
        """The same for words that are not remembered."""
        data, stop, stemmer = text.data, stop_words(language), _stemmer(language)
        words = [data[s:e].decode("utf-8", "replace") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
        stems = words if stemmer is None else stemmer.stemWords(words)
        features = np.array([xxh3(stem.encode()) for stem in stems], dtype=np.uint64)
        kept = np.array([not (word in stop or word.isnumeric()) for word in words], dtype=np.bool_)
        return features, self._weights.rarity_of(features) * kept


@cache
def _stemmer(language: str) -> Any:
    """The Snowball stemmer of a language, None where there is none."""
    name = _STEMMERS.get(language)
    return Stemmer.Stemmer(name) if name in Stemmer.algorithms() else None


class Features:
    """Turns tokens into terms, language by language. One for a worker process."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lexicon = Lexicon(weights)
        self._chinese = HashMemo()

    def terms_of(self, tokens: Tokens, language: str) -> Terms:
        """The terms of a text, or of a chunk of one, in the given language ("": unknown, nothing is stemmed)."""
        parts = list(self._places_of(tokens, language))
        if not parts:
            return Terms(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int64))
        features = np.concatenate([part.features for part in parts])
        return _counted(features, np.concatenate([part.rarity for part in parts]))

    def words_of(self, tokens: Tokens, language: str, wanted: Hashes) -> dict[int, str]:
        """A word of the text for each of the wanted features (uint64, ascending) that stand in it."""
        words: dict[int, str] = {}
        for part in self._places_of(tokens, language):
            places = np.minimum(np.searchsorted(wanted, part.features), max(len(wanted) - 1, 0))
            for row in np.flatnonzero(wanted[places] == part.features if len(wanted) else [])[::-1].tolist():
                span = part.text.data[part.starts[row] : part.ends[row]]
                words[int(part.features[row])] = span.decode("utf-8", "replace")
        return words

    def _places_of(self, tokens: Tokens, language: str) -> Iterator[_Places]:
        """Words, Chinese words and pairs of characters, each kind where the text has it."""
        words = (tokens.kinds <= classes.DIGIT).nonzero()[0]
        if len(words):
            rows = slice(None) if len(words) == len(tokens.kinds) else words
            starts, ends, hashes = tokens.starts[rows], tokens.ends[rows], tokens.hashes[rows]
            found = self._lexicon.look_up(tokens.text, starts, ends, hashes, language)
            yield _Places(tokens.text, starts, ends, *found)
        if tokens.han:
            text, starts, ends = words_of_runs(tokens.han)
            hashes = self._chinese.hashes_of(text, starts, ends)
            yield _Places(text, starts, ends, *self._lexicon.look_up(text, starts, ends, hashes, "zh"))
        if (tokens.kinds == classes.CHARACTER).any():
            yield self._pairs(tokens)

    def _pairs(self, tokens: Tokens) -> _Places:
        """Pairs of neighbouring characters, in scripts without spaces that no dictionary here segments (kana, Thai)."""
        alone = tokens.kinds == classes.CHARACTER
        beside = alone[1:] & alone[:-1] & (tokens.ends[:-1] == tokens.starts[1:])
        places = beside.nonzero()[0]
        features = splitmix(tokens.hashes[places] * _PAIR + tokens.hashes[places + 1])
        starts, ends = tokens.starts[places], tokens.ends[places + 1]
        return _Places(tokens.text, starts, ends, features, self._weights.rarity_of(features))
