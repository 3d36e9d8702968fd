"""Features of a text and their weights: stop-words and numbers out, words stemmed, Chinese words whole."""

from __future__ import annotations

from functools import cache

import numpy as np
import Stemmer
from numpy.typing import NDArray

from dupfinder.base.paths import resource
from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Bytes, Hashes, Offsets, hash_spans, splitmix, xxh3
from dupfinder.fingerprint.segment import segmenter
from dupfinder.fingerprint.tokens import Tokens
from dupfinder.fingerprint.weights import Weight, Weights

_PAIR = np.uint64(0x9FB21C651E98DF25)
_HAN_BYTES = 3  # of each character of `classes.HAN` in UTF-8
_SLOTS = 1 << 16  # words remembered a language: 1.3 MB
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """The words of a language that say nothing of a text's subject; none for a language without a list."""
    try:
        lines = resource(f"stopwords/{language}.txt").read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return frozenset()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


class Lexicon:
    """What each word of one language is as a feature, remembered in a table of fixed size."""

    def __init__(self, language: str, weights: Weights) -> None:
        self._weights = weights
        self._stop_words = stop_words(language)
        name = _STEMMERS.get(language)
        self._stemmer = Stemmer.Stemmer(name) if name in Stemmer.algorithms() else None
        self._keys = np.zeros(_SLOTS, dtype=np.uint64)
        self._features = np.zeros(_SLOTS, dtype=np.uint64)
        self._weight = np.zeros(_SLOTS, dtype=np.float64)

    def look_up(self, text: Bytes, starts: Offsets, ends: Offsets, hashes: Hashes) -> tuple[Hashes, Weight]:
        """The feature and its weight of each word, weight 0 for those that are none: uint64 (n,), float64 (n,).

        hashes: XXH3 of the words, by which they are known again.
        """
        slots = (hashes & np.uint64(_SLOTS - 1)).astype(np.intp)
        features, weights = self._features[slots], self._weight[slots]
        missing = np.flatnonzero(self._keys[slots] != hashes)
        if len(missing):
            wanted, first, back = _first_of_each(hashes[missing])
            rows = missing[first]
            new, weight = self._learn(text, starts[rows], ends[rows])
            features[missing], weights[missing] = new[back], weight[back]
            places = slots[rows]
            self._keys[places], self._features[places], self._weight[places] = wanted, new, weight
        return features, weights

    def _learn(self, text: Bytes, starts: Offsets, ends: Offsets) -> tuple[Hashes, Weight]:
        """The same for words seen for the first time."""
        data, stop = text.data, self._stop_words
        words = [data[s:e].decode("utf-8", "replace") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
        stems = words if self._stemmer is None else self._stemmer.stemWords(words)
        features = np.array([xxh3(stem.encode()) for stem in stems], dtype=np.uint64)
        kept = np.array([not (word in stop or word.isnumeric()) for word in words], dtype=np.bool_)
        return features, np.where(kept, self._weights.weights_of(features), 0.0)


def _first_of_each(hashes: Hashes) -> tuple[Hashes, NDArray[np.intp], NDArray[np.intp]]:
    """The distinct hashes, a row of each, and for every row the place of its hash among the distinct ones."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    back = np.empty(len(hashes), dtype=np.intp)
    back[order] = np.cumsum(new) - 1
    return ordered[new], order[new], back


class Features:
    """Turns tokens into weighted features, language by language. One for a worker process."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lexicons: dict[str, Lexicon] = {}

    def of(self, tokens: Tokens, language: str) -> tuple[Hashes, Weight]:
        """Features in no particular order, one for each place where they stand: uint64 (n,), float64 (n,)."""
        lexicon = self._lexicon(language)
        parts = []
        words = np.flatnonzero(tokens.kinds <= classes.DIGIT)
        if len(words):
            whole = len(words) == len(tokens.kinds)
            rows = slice(None) if whole else words
            parts.append(lexicon.look_up(tokens.text, tokens.starts[rows], tokens.ends[rows], tokens.hashes[rows]))
        if tokens.han:
            text, starts, ends = _chinese_words(tokens.han)
            parts.append(lexicon.look_up(text, starts, ends, hash_spans(text, starts, ends)))
        if len(words) < len(tokens.kinds):
            parts.append(self._pairs(tokens))
        if not parts:
            return np.empty(0, dtype=np.uint64), np.empty(0)
        features, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        kept = weights > 0
        return features[kept], weights[kept]

    def _lexicon(self, language: str) -> Lexicon:
        if language not in self._lexicons:
            self._lexicons[language] = Lexicon(language, self._weights)
        return self._lexicons[language]

    def _pairs(self, tokens: Tokens) -> tuple[Hashes, Weight]:
        """Pairs of neighbouring characters, in scripts without spaces that no dictionary here segments (kana, Thai)."""
        alone = tokens.kinds == classes.CHARACTER
        beside = alone[1:] & alone[:-1] & (tokens.ends[:-1] == tokens.starts[1:])
        places = np.flatnonzero(beside)
        features = splitmix(tokens.hashes[places] * _PAIR + tokens.hashes[places + 1])
        return features, self._weights.weights_of(features)


def _chinese_words(runs: str) -> tuple[Bytes, Offsets, Offsets]:
    """The words in runs of Han: their bytes one after the other, and the span of each."""
    words = [word for word in segmenter()(runs) if word != "\n"]
    ends = np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words))) * _HAN_BYTES
    starts = np.concatenate([[0], ends[:-1]])
    return Bytes("".join(words).encode()), starts, ends
