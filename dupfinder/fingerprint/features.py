"""Features of a text: stems, Chinese words, pairs of kana, long numbers; and how rare each is.

What a word counts for depends on that word alone, never on the text around it: its script chooses the stemmer, and it
is left out where any language has it for a stop-word. So each part of a text in two languages keeps its features when
another part changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import Stemmer
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import SLOTS, Bytes, Hashes, HashMemo, Offsets, one_of_each, splitmix, xxh3
from dupfinder.fingerprint.language import every_stop_word
from dupfinder.fingerprint.tokens import Tokens
from dupfinder.fingerprint.weights import UNIT, Rarity, Weights

HAN_BYTES = 3  # of each character of `classes.HAN` in UTF-8
Cut = Callable[[str], list[str]]

_PAIR = np.uint64(0x9FB21C651E98DF25)  # odd, from XXH3
_LATIN = "english"  # its rules take off the plurals that Germanic and Romance languages share
_STEMMERS = (  # Snowball's, by the first letters of their scripts; words of other scripts are their own stems
    ("\u0370", "\u0400", "greek"),
    ("\u0400", "\u0530", "russian"),
    ("\u0530", "\u0590", "armenian"),
    ("\u0600", "\u0700", "arabic"),
    ("\u0900", "\u0980", "hindi"),
    ("\u0b80", "\u0c00", "tamil"),
)
# Page numbers, clocks and numbers of sections have at most three digits: what a number says lies in those beyond.
# Each is worth log2(10) bits, and all together at most the 8 bits of the rarest words of the shipped table.
_TELLING = [round(UNIT * min(8, number * math.log2(10))) for number in (1, 2, 3)]
_RARITY_BY_DIGITS = np.array([0, 0, 0, 0, *_TELLING], dtype=np.int64)
# By byte, whether it joins groups of digits to one number, price or date. A colon does not: it is a clock's.
_JOINING = np.isin(np.arange(256), list(b".,-/'_"))


@cache
def segmenter() -> Cut:
    """The function that cuts runs of Han (parted by line ends) into words. Loaded at first use: it takes a moment."""
    try:
        import rjieba  # a dictionary of 350,000 words is built at import
    except ImportError:
        return jieba_cut()
    cut: Cut = rjieba.cut
    return cut


@cache
def jieba_cut() -> Cut:
    """jieba's cut, made ready without its cache: that is read from the shared temporary folder without a check."""
    import jieba  # slow to load, and only the fall-back

    jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
    jieba.dt.initialized = True
    cut: Cut = jieba.lcut
    return cut


def words_of_runs(runs: str) -> tuple[Bytes, Offsets, Offsets]:
    """The words in runs of Han parted by line ends: the bytes of the runs, and the span of each word."""
    words = segmenter()(runs)
    sizes = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    line_ends = np.frombuffer(runs.encode("utf-32-le"), dtype="<u4") == ord("\n")
    places = np.cumsum(sizes)
    parting = line_ends[places - 1]
    ends = HAN_BYTES * places - (HAN_BYTES - 1) * np.cumsum(parting)
    kept = ~parting
    ends, sizes = ends[kept], sizes[kept]
    return Bytes(runs.encode()), ends - HAN_BYTES * sizes, ends


@dataclass(frozen=True, slots=True)
class Terms:
    """The distinct features of a text, ascending.

    features: uint64 (m,), XXH3 of the stem, word or number.
    counts:   int64 (m,), how often each stands in the text, at least 1.
    rarity:   int64 (m,), inverse document frequency in 64ths of a bit, at least 1.
    worded:   whether any of them is more than a number.
    """

    features: Hashes
    counts: NDArray[np.int64]
    rarity: Rarity
    worded: bool


class _Places(NamedTuple):
    """Where features stand: spans of bytes, the feature of each and its rarity (0 or less: no feature)."""

    text: Bytes
    starts: Offsets
    ends: Offsets
    features: Hashes
    rarity: Rarity
    numeric: bool = False


def merged(parts: Sequence[Terms]) -> Terms:
    """Add up the terms of the chunks of a text. A text of nothing but numbers has no terms: it says too little."""
    if not any(part.worded for part in parts):
        return _no_terms()
    if len(parts) == 1:
        return parts[0]
    features, counts, rarity = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("features", "counts", "rarity")
    )
    order = np.argsort(features, kind="stable")
    firsts = _firsts(features[order])
    heads = order[firsts]
    return Terms(features[heads], np.add.reduceat(counts[order], firsts), rarity[heads], worded=True)


def _no_terms() -> Terms:
    return Terms(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int64), worded=False)


def _firsts(ordered: Hashes) -> NDArray[np.intp]:
    """Where each run of equal values begins."""
    changes = np.empty(len(ordered), dtype=np.bool_)
    changes[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=changes[1:])
    return changes.nonzero()[0]


def counted(features: Hashes, rarity: Rarity, worded: bool) -> Terms:
    """Terms from one row for each place in the text, all of them features; of no rows no terms."""
    if not len(features):
        return _no_terms()
    order = np.argsort(features)  # all rows of a feature have one rarity
    firsts = _firsts(features[order])
    counts = np.diff(firsts, append=len(order))
    heads = order[firsts]
    return Terms(features[heads], counts, rarity[heads], worded)


class Lexicon:
    """What each word is as a feature, remembered in a table of fixed size (see `memo`)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._rows = np.zeros((SLOTS, 3), dtype=np.uint64)  # hash, feature, rarity: side by side, read at once

    def look_up(self, text: Bytes, starts: Offsets, ends: Offsets, hashes: Hashes) -> tuple[Hashes, Rarity]:
        """Return the feature of each word and its rarity: uint64 (n,), int64 (n,).

        hashes: XXH3 of the words, by which they are known again.
        The rarity of a stop-word is 0; that of digits is minus their number, and their feature is the hash itself.
        """
        slots = (hashes & np.uint64(SLOTS - 1)).view(np.int64)
        found = self._rows.take(slots, axis=0)
        missing = (found[:, 0] != hashes).nonzero()[0]
        if len(missing):
            features, rarity = self._learn(text, starts[missing], ends[missing])
            found[missing] = np.column_stack((hashes[missing], features, rarity.view(np.uint64)))
            rows = missing[one_of_each(slots[missing])]
            self._rows[slots[rows]] = found[rows]
        return found[:, 1].copy(), found[:, 2].copy().view(np.int64)

    def _learn(self, text: Bytes, starts: Offsets, ends: Offsets) -> tuple[Hashes, Rarity]:
        """Work out the same for words that are not remembered."""
        data, stop = text.data, every_stop_word()
        words = [data[s:e].decode("utf-8", "replace") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
        features = np.array([xxh3(stem.encode()) for stem in stems_of(words)], dtype=np.uint64)
        kept = np.array([word not in stop for word in words], dtype=np.bool_)
        digits = np.array([len(word) if word.isnumeric() else 0 for word in words], dtype=np.int64)
        return features, np.where(digits, -digits, self._weights.rarity_of(features) * kept)


def stems_of(words: Sequence[str]) -> list[str]:
    """The stem of each word, none of them empty: by the stemmer of its script, whatever its language is."""
    stems: list[str] = _stemmer(_LATIN).stemWords(words)
    if "".join(words).isascii():
        return stems
    for row in [row for row, word in enumerate(words) if "\u0370" <= word[0] < "\u0c00"]:
        word = words[row]
        name = next((name for first, end, name in _STEMMERS if first <= word[0] < end), None)
        stems[row] = word if name is None else _stemmer(name).stemWord(word)
    return stems


@cache
def _stemmer(name: str) -> Any:
    """Snowball's stemmer of this name."""
    return Stemmer.Stemmer(name)


class Features:
    """Turns tokens into terms. One for a worker process."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lexicon = Lexicon(weights)
        self._chinese = HashMemo()

    def terms_of(self, tokens: Tokens) -> Terms:
        """The terms of a text, or of a chunk of one."""
        parts = list(self._places_of(tokens))
        if not parts:
            return _no_terms()
        kept = [part.rarity > 0 for part in parts]  # a stop-word may share its stem with words that are none
        features = np.concatenate([part.features[rows] for part, rows in zip(parts, kept, strict=True)])
        rarity = np.concatenate([part.rarity[rows] for part, rows in zip(parts, kept, strict=True)])
        worded = any(not part.numeric and bool(rows.any()) for part, rows in zip(parts, kept, strict=True))
        return counted(features, rarity, worded)

    def words_of(self, tokens: Tokens, wanted: Hashes) -> dict[int, str]:
        """A word of the text for each of the wanted features (uint64, ascending) that stand in it."""
        words: dict[int, str] = {}
        for part in self._places_of(tokens):
            places = np.minimum(np.searchsorted(wanted, part.features), max(len(wanted) - 1, 0))
            for row in np.flatnonzero(wanted[places] == part.features if len(wanted) else [])[::-1].tolist():
                span = part.text.data[part.starts[row] : part.ends[row]]
                words[int(part.features[row])] = span.decode("utf-8", "replace")
        return words

    def _places_of(self, tokens: Tokens) -> Iterator[_Places]:
        """Words, numbers, Chinese words and pairs of characters, each kind where the text has it."""
        words = (tokens.kinds <= classes.DIGIT).nonzero()[0]
        if len(words):
            rows = slice(None) if len(words) == len(tokens.kinds) else words
            starts, ends, hashes = tokens.starts[rows], tokens.ends[rows], tokens.hashes[rows]
            features, rarity = self._lexicon.look_up(tokens.text, starts, ends, hashes)
            yield _Places(tokens.text, starts, ends, features, rarity)
            digits = (rarity < 0).nonzero()[0]
            if len(digits):
                yield self._numbers(tokens.text, starts[digits], ends[digits], features[digits], -rarity[digits])
        if tokens.han:
            text, starts, ends = words_of_runs(tokens.han)
            hashes = self._chinese.hashes_of(text, starts, ends)
            yield _Places(text, starts, ends, *self._lexicon.look_up(text, starts, ends, hashes))
        if (tokens.kinds == classes.CHARACTER).any():
            yield self._pairs(tokens)

    def _numbers(
        self, text: Bytes, starts: Offsets, ends: Offsets, hashes: Hashes, digits: NDArray[np.int64]
    ) -> _Places:
        """Numbers, dates and prices: groups of digits with one sign between them, whichever sign it is.

        hashes: of the groups; they are changed here. digits: int64 (n,), how many each group has.
        """
        between = np.frombuffer(text.data, dtype=np.uint8)[ends[:-1]]
        joined = _JOINING[between] & (starts[1:] - ends[:-1] == 1)
        edges = np.ones(len(starts) + 1, dtype=np.bool_)
        np.logical_not(joined, out=edges[1:-1])
        firsts, later = edges[:-1].nonzero()[0], joined.nonzero()[0] + 1
        if len(later):
            places = later - firsts[np.searchsorted(firsts, later) - 1]
            hashes[later] *= _PAIR ** places.astype(np.uint64)
        total = np.minimum(np.add.reduceat(digits, firsts), len(_RARITY_BY_DIGITS) - 1)
        features = np.add.reduceat(hashes, firsts)
        return _Places(text, starts[firsts], ends[edges[1:]], features, _RARITY_BY_DIGITS[total], numeric=True)

    def _pairs(self, tokens: Tokens) -> _Places:
        """Pairs of neighbouring characters, in scripts without spaces that no dictionary here segments (kana, Thai).

        Neighbours may have a space between them: it is where a line of a page ended, or one of Korean.
        """
        alone = tokens.kinds == classes.CHARACTER
        text = np.frombuffer(tokens.text.data, dtype=np.uint8)
        gaps = tokens.starts[1:] - tokens.ends[:-1]
        spaced = text[tokens.ends[:-1]] == ord(" ")
        beside = alone[1:] & alone[:-1] & ((gaps == 0) | ((gaps == 1) & spaced))
        places = beside.nonzero()[0]
        features = splitmix(tokens.hashes[places] * _PAIR + tokens.hashes[places + 1])
        starts, ends = tokens.starts[places], tokens.ends[places + 1]
        return _Places(tokens.text, starts, ends, features, self._weights.rarity_of(features))
