"""Features of a text: stems, Chinese words, pairs of kana, long numbers; and how rare each feature is.

The feature and the weight of a word depend on the word alone, never on its context: the script of the word selects the
stemmer, and stop-words of all languages are left out. So in a text in two languages an edit to the part in one
language changes no features of the other part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import Stemmer
from numpy.typing import NDArray

from dupfinder.base.columns import distinct, positions_in, runs, starts_of
from dupfinder.fingerprint.hashing import ROW, SLOTS, Hashes, HashMemo, Offsets, Utf8, last_for_each, splitmix, xxh3
from dupfinder.fingerprint.language import every_stop_word
from dupfinder.fingerprint.tokens import CHARACTER, DIGIT, HAN, HAN_FIRST, HAN_LAST, Tokens
from dupfinder.fingerprint.weights import UNIT, Rarity, Weights

HAN_BYTES = 3  # of each character of `tokens.HAN` in UTF-8
Cut = Callable[[str], list[str]]
_LookedUp = tuple[Hashes, Rarity, NDArray[np.int64]]

_PAIR = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3
_LATIN = "english"  # its rules remove the plural endings that Germanic and Romance languages share
_STEMMERS = (  # (first code point, end, Snowball stemmer) of a script; words of other scripts are not stemmed
    ("\u0370", "\u0400", "greek"),
    ("\u0400", "\u0530", "russian"),
    ("\u0530", "\u0590", "armenian"),
    ("\u0600", "\u0700", "arabic"),
)
# Page numbers, times of day and section numbers have up to three digits, so only longer numbers are features.
# Each further digit adds log2(10) bits, up to the 8 bits of the rarest words of the shipped table.
_LONG_RARITY = [round(UNIT * min(8, number * math.log2(10))) for number in (1, 2, 3)]
_RARITY_BY_DIGITS = np.array([0, 0, 0, 0, *_LONG_RARITY], dtype=np.int64)
# For each byte, whether it joins groups of digits into one number, price or date. A colon is for times of day.
_JOINING = np.isin(np.arange(256), list(b".,-/'_"))


@cache
def segmenter() -> Cut:
    """Return the function that cuts runs of Han (separated by line ends) into words.

    Loads the dictionary at first use.
    """
    try:
        import rjieba  # imported late: it builds a dictionary of 350,000 words
    except ImportError:
        return jieba_cut()
    return rjieba.cut


@cache
def jieba_cut() -> Cut:
    """Return jieba's cut, initialised without jieba's cache file.

    jieba would read that file from the shared temporary folder, where anybody may have put it, without a check.
    """
    import jieba  # imported late: it is slow, and only the fall-back

    jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
    jieba.dt.initialized = True
    cut: Cut = jieba.lcut
    return cut


def words_of_runs(han: str) -> tuple[Utf8, Offsets, Offsets]:
    """Return the bytes of runs of Han separated by line ends, and the span of each word in them.

    Starts and ends: int64 (n,), offsets of bytes.
    """
    words = segmenter()(han)  # each line end is a word too
    sizes = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    characters = np.frombuffer(han.encode("utf-32-le"), dtype="<u4")
    stops = np.cumsum(sizes)
    is_line_end = characters[stops - 1] == ord("\n")
    ends = HAN_BYTES * stops - (HAN_BYTES - 1) * np.cumsum(is_line_end)  # a line end has a single byte
    ends, sizes = ends[~is_line_end], sizes[~is_line_end]
    return Utf8(han.encode()), ends - HAN_BYTES * sizes, ends


@dataclass(frozen=True, slots=True)
class Terms:
    """The distinct features of a text, ascending.

    features: uint64 (m,), XXH3 of the stem, word or number.
    counts:   int64 (m,), occurrences of each feature in the text, at least 1.
    rarity:   int64 (m,), inverse document frequency in 64ths of a bit, at least 1.
    """

    features: Hashes
    counts: NDArray[np.int64]
    rarity: Rarity


class _Occurrences(NamedTuple):
    """Occurrences of words in `text`: the byte span, feature and rarity of each. Only a rarity above 0 counts.

    bounds: as in `Tokens`: the occurrences in text i are those from bounds[i] up to bounds[i + 1].
    """

    text: Utf8
    bounds: Offsets
    starts: Offsets
    ends: Offsets
    features: Hashes
    rarity: Rarity

    def counting(self) -> _Occurrences:
        """Return the features and the rarity of the occurrences that count, with their bounds, but not their spans."""
        rows = (self.rarity > 0).nonzero()[0]
        return self._replace(
            bounds=np.searchsorted(rows, self.bounds), features=self.features[rows], rarity=self.rarity[rows]
        )


def merged(parts: Sequence[Terms]) -> Terms:
    """Add up the terms of the chunks of a text, at least one."""
    if len(parts) == 1:
        return parts[0]
    features, counts, rarity = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("features", "counts", "rarity")
    )
    order = np.argsort(features, kind="stable")
    firsts, _ = runs(features[order])
    heads = order[firsts]
    return Terms(features[heads], np.add.reduceat(counts[order], firsts), rarity[heads])


def counted(features: Hashes, rarity: Rarity, starts: Offsets) -> list[Terms]:
    """Return the terms of texts, from the feature of each occurrence. Texts without features get empty terms.

    features: uint64 (n,), in any order; those of text i are from starts[i] up to starts[i + 1], int64 (t + 1,).
    rarity: int64 (n,), equal for equal features.
    """
    spans = list(pairwise(starts.tolist()))
    order = np.concatenate([np.argsort(features[start:stop]) + start for start, stop in spans])
    features = features[order]
    is_first = np.ones(len(features) + 1, dtype=np.bool_)
    np.not_equal(features[1:], features[:-1], out=is_first[1:-1])
    is_first[starts] = True
    bounds = is_first.nonzero()[0]  # of the occurrences of each feature in each text
    firsts, counts = bounds[:-1], np.diff(bounds)
    features, rarity = features[firsts], rarity[order[firsts]]
    edges = pairwise(np.searchsorted(firsts, starts).tolist())
    return [Terms(features[start:stop], counts[start:stop], rarity[start:stop]) for start, stop in edges]


class Lexicon:
    """Feature and rarity of words, cached in a table of fixed size (see `HashMemo`)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._table = np.zeros((SLOTS, ROW), dtype=np.uint64)  # columns: hash, feature, rarity, digits

    def look_up(self, text: Utf8, starts: Offsets, ends: Offsets, hashes: Hashes) -> _LookedUp:
        """Return the feature (uint64), the rarity and the number of digits (int64, 0 for a word) of each word: (n,).

        hashes: uint64 (n,), XXH3 of the words, the keys of the cache.
        The rarity of a stop-word and of a number is 0; the feature of a number is its hash.
        """
        slots = (hashes & np.uint64(SLOTS - 1)).view(np.int64)
        entries = self._table.take(slots, axis=0)
        missing = (entries[:, 0] != hashes).nonzero()[0]
        if len(missing):
            unknown, inverse = distinct(hashes[missing])
            rows = np.empty_like(unknown, np.intp)  # for each unknown word, the row of any of its occurrences
            rows[inverse] = missing
            learned = self._learn(text, starts[rows], ends[rows], hashes[rows])
            entries[missing] = np.column_stack((unknown, *(column.view(np.uint64) for column in learned)))[inverse]
            stored = rows[last_for_each(slots[rows])]  # of several words with the same slot, one is stored
            self._table[slots[stored]] = entries[stored]
        features, rarity, digits = (entries[:, column].copy() for column in (1, 2, 3))
        return features, rarity.view(np.int64), digits.view(np.int64)

    def _learn(self, text: Utf8, starts: Offsets, ends: Offsets, hashes: Hashes) -> _LookedUp:
        """Compute what `look_up` returns, for words that are not in the cache."""
        data, stop_words = text.data, every_stop_word()
        words = [data[s:e].decode("utf-8", "replace") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
        word_hashes = hashes.tolist()
        if "\ufffd" in "".join(words):  # stands for lone surrogates, whose own bytes were hashed
            word_hashes = [xxh3(word.encode()) for word in words]
        features = np.array(
            [
                word_hash if stem == word else xxh3(stem.encode())
                for word_hash, stem, word in zip(word_hashes, stems_of(words), words, strict=True)
            ],
            dtype=np.uint64,
        )
        digits = np.array([len(word) if word.isnumeric() else 0 for word in words], dtype=np.int64)
        is_counted = np.array([word not in stop_words for word in words], dtype=np.bool_) & (digits == 0)
        return features, self._weights.rarity_of(features) * is_counted, digits


def stems_of(words: Sequence[str]) -> list[str]:
    """Return the stem of each word, by the stemmer of its script. No word may be empty."""
    letters = "".join(words)
    if words and min(letters) >= chr(HAN_FIRST) and max(letters) <= chr(HAN_LAST):
        return list(words)
    stems: list[str] = _stemmer(_LATIN).stemWords(words)
    if letters.isascii():
        return stems
    for row, word in enumerate(words):
        if "\u0370" <= word[0] < "\u0700":
            name = next((name for first, end, name in _STEMMERS if first <= word[0] < end), None)
            stems[row] = word if name is None else _stemmer(name).stemWord(word)
    return stems


@cache
def _stemmer(name: str) -> Any:
    return Stemmer.Stemmer(name, 0)  # its own cache takes three times as long as stemming, and `Lexicon` is one


class FeatureExtractor:
    """Turns tokens into terms. Holds caches: create one per worker process."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lexicon = Lexicon(weights)
        self._chinese = HashMemo()

    def terms_of(self, tokens: Tokens) -> list[Terms]:
        """Return the terms of each text, or chunk of a text."""
        # Chosen by occurrence, not by feature: a stop-word may have the stem of a word that is a feature.
        sources = list(map(_Occurrences.counting, self._occurrences_of(tokens)))
        counts = np.array([np.diff(source.bounds) for source in sources]).reshape(len(sources), len(tokens.bounds) - 1)
        starts = starts_of(counts.sum(axis=0))
        features, rarity = np.empty(starts[-1], np.uint64), np.empty(starts[-1], np.int64)
        next_free = starts[:-1].copy()  # in each text, the position behind the features of the sources so far
        for source, count in zip(sources, counts, strict=True):
            rows = np.arange(len(source.features)) + np.repeat(next_free - source.bounds[:-1], count)
            features[rows], rarity[rows] = source.features, source.rarity
            next_free += count
        return counted(features, rarity, starts)

    def words_of(self, tokens: Tokens, features: Hashes) -> dict[int, str]:
        """Map each of the given features (uint64, ascending) that occurs in the text to its first word there."""
        words: dict[int, str] = {}
        for occurrences in self._occurrences_of(tokens):
            _, are_listed = positions_in(features, occurrences.features)
            for row in np.flatnonzero(are_listed)[::-1].tolist():  # backwards, so that the first occurrence stays
                span = occurrences.text.data[occurrences.starts[row] : occurrences.ends[row]]
                words[int(occurrences.features[row])] = span.decode("utf-8", "replace")
        return words

    def _occurrences_of(self, tokens: Tokens) -> Iterator[_Occurrences]:
        """Yield the occurrences of words, numbers, Chinese words and pairs of characters, each kind in turn."""
        words = (tokens.classes <= DIGIT).nonzero()[0]
        if len(words):
            chosen = slice(None) if len(words) == len(tokens.classes) else words
            starts, ends, hashes = tokens.starts[chosen], tokens.ends[chosen], tokens.hashes[chosen]
            features, rarity, digits = self._lexicon.look_up(tokens.text, starts, ends, hashes)
            bounds = tokens.bounds if len(words) == len(tokens.classes) else np.searchsorted(words, tokens.bounds)
            yield _Occurrences(tokens.text, bounds, starts, ends, features, rarity)
            rows = digits.nonzero()[0]
            if len(rows):
                bounds = np.searchsorted(rows, bounds)
                yield self._numbers(tokens.text, bounds, starts[rows], ends[rows], features[rows], digits[rows])
        if tokens.han:
            text, starts, ends = words_of_runs(tokens.han)
            hashes, _ = self._chinese.hashes_of(text, starts, ends)
            lengths = ends - starts
            characters = (tokens.classes == HAN).nonzero()[0]
            han_before = np.searchsorted(characters, tokens.bounds)  # characters before each text
            bounds = np.searchsorted(np.cumsum(lengths) - lengths, HAN_BYTES * han_before)
            yield _Occurrences(text, bounds, starts, ends, *self._lexicon.look_up(text, starts, ends, hashes)[:2])
        if (tokens.classes == CHARACTER).any():
            yield self._pairs(tokens)

    def _numbers(
        self, text: Utf8, bounds: Offsets, starts: Offsets, ends: Offsets, hashes: Hashes, digits: NDArray[np.int64]
    ) -> _Occurrences:
        """Join groups of digits with one sign between them into numbers, dates and prices. All signs count as equal.

        hashes: uint64 (n,), of the groups; modified in place. digits: int64 (n,), the length of each group.
        """
        between = np.frombuffer(text.data, dtype=np.uint8)[ends[:-1]]
        joined = _JOINING[between] & (starts[1:] - ends[:-1] == 1)
        edges = np.ones(len(starts) + 1, dtype=np.bool_)
        np.logical_not(joined, out=edges[1:-1])
        firsts, later = edges[:-1].nonzero()[0], joined.nonzero()[0] + 1
        if len(later):
            positions = later - firsts[np.searchsorted(firsts, later) - 1]  # of a group in its number
            hashes[later] *= _PAIR ** positions.astype(np.uint64)
        total = np.minimum(np.add.reduceat(digits, firsts), len(_RARITY_BY_DIGITS) - 1)
        features, bounds = np.add.reduceat(hashes, firsts), np.searchsorted(firsts, bounds)
        rarity = _RARITY_BY_DIGITS[total]
        return _Occurrences(text, bounds, starts[firsts], ends[edges[1:]], features, rarity)

    def _pairs(self, tokens: Tokens) -> _Occurrences:
        """Return pairs of neighbouring characters, in scripts that are not segmented here (kana, Thai, Hindi).

        Neighbours may have one space between them: it marks a line end of a page, or is a Korean or Indic space.
        """
        is_character = tokens.classes == CHARACTER
        text = np.frombuffer(tokens.text.data, dtype=np.uint8)
        gaps = tokens.starts[1:] - tokens.ends[:-1]
        spaced = text[tokens.ends[:-1]] == ord(" ")
        adjacent = is_character[1:] & is_character[:-1] & ((gaps == 0) | ((gaps == 1) & spaced))
        rows = adjacent.nonzero()[0]
        features = splitmix(tokens.hashes[rows] * _PAIR + tokens.hashes[rows + 1])
        starts, ends, bounds = tokens.starts[rows], tokens.ends[rows + 1], np.searchsorted(rows, tokens.bounds)
        return _Occurrences(tokens.text, bounds, starts, ends, features, self._weights.rarity_of(features))
