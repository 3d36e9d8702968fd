"""The language of a text: by its script, by its stop-words, and where neither decides, by resiliparse's detector."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import starts_of
from dupfinder.base.paths import resource
from dupfinder.fingerprint.hashing import Hashes, Offsets, xxh3
from dupfinder.fingerprint.tokens import CHARACTER, LETTER, Tokens

# Languages with a list in resources/stopwords. Where two have the same number of stop-words in a text, the first wins.
TEXT_LANGUAGES = (
    "en", "zh", "es", "de", "fr", "pt", "it", "ru", "nl", "pl", "ar", "fa", "id", "tr", "vi", "uk", "cs", "sv",
    "hu", "ro", "el", "da", "fi", "no", "he", "bg", "ca",
)  # fmt: skip

_SAMPLE = 512  # tokens looked at, spread evenly over the text
_CHARACTERS = 4000  # characters looked at for the script
_FEWEST = 2  # stop-words of one language needed for a decision
_SHARE = 0.08  # share of stop-words needed for a decision: running text has a quarter or more
_CERTAIN = 0.2  # share of stop-words from which on the script is not examined
_ENOUGH = 50  # words; on fewer, a detector of letter statistics guesses
_KANA, _HAN, _HANGUL = (0x3041, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3)
_BEGIN = np.uint64(48)  # a hash shifted right by this leaves its leading 16 bits, by which it is looked up
_HIGHEST = (1 << 64) - 1
_SCRIPTS = {
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "bn": re.compile(r"[\u0980-\u09ff]"),
    "ta": re.compile(r"[\u0b80-\u0bff]"),
    "my": re.compile(r"[\u1000-\u109f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
}
# Chinese is recognised by its script, not by stop-words.
_VOTERS = tuple(code for code in TEXT_LANGUAGES if code != "zh")


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop-words of a language, normalised as texts are; none for a language without a list."""
    if language not in TEXT_LANGUAGES:
        return frozenset()
    lines = resource(f"stopwords/{language}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def every_stop_word() -> frozenset[str]:
    return frozenset().union(*map(stop_words, TEXT_LANGUAGES))


def languages_of(texts: Sequence[str], tokens: Tokens) -> list[str]:
    """Return the ISO 639-1 code of each text's language, "" when it cannot be determined.

    tokens: those of the texts, or of a chunk of each.
    """
    spans = list(pairwise(tokens.bounds.tolist()))
    samples = [tokens.hashes[start : stop : -(-(stop - start) // _SAMPLE) or 1] for start, stop in spans]
    sizes = [len(sample) for sample in samples]
    leading, votes = (column.tolist() for column in _votes(np.concatenate(samples), starts_of(sizes)))
    return [
        _language(text, tokens.classes[start:stop], size, _VOTERS[best], vote)
        for text, (start, stop), size, best, vote in zip(texts, spans, sizes, leading, votes, strict=True)
    ]


def _language(text: str, kinds: NDArray[np.uint8], sampled: int, leading: str, votes: int) -> str:
    """Return the language of a text.

    kinds: the classes of its tokens. sampled: how many tokens were sampled. leading, votes: the language with most
    stop-words among these, and how many.
    """
    if not sampled:
        return ""
    if not text.isascii() and np.count_nonzero(kinds >= CHARACTER) * 4 > len(kinds):
        return _of_characters(text[:_CHARACTERS])
    certain = votes >= _CERTAIN * sampled or text.isascii()
    # A few English stop-words in an Indian, Korean or Greek text may come from quoted English.
    if not certain and (script := _of_script(text[:_CHARACTERS])):
        return script
    if votes >= max(_FEWEST, _SHARE * sampled):
        return leading
    words = np.count_nonzero(kinds == LETTER)
    return _detected(text[:_CHARACTERS]) if words >= _ENOUGH else ""


def _of_characters(sample: str) -> str:
    """Return the language of a sample whose words are single characters: Korean, Chinese, Japanese, or another."""
    points = np.frombuffer(sample.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    han, kana, hangul = (
        int(np.count_nonzero((points >= low) & (points <= high))) for low, high in (_HAN, _KANA, _HANGUL)
    )
    if hangul * 4 > len(points):
        return "ko"
    if han or kana:
        return "ja" if kana * 10 > han else "zh"
    return _of_script(sample) or _detected(sample)


def _of_script(sample: str) -> str:
    """Return the language of the script in which over a quarter of the sample is written, or "".

    Only scripts that a single large language uses are considered.
    """
    if len(sample.encode("ascii", "ignore")) * 4 >= len(sample) * 3:
        return ""
    for code, script in _SCRIPTS.items():
        if len(script.findall(sample)) * 4 > len(sample):
            return code
    return ""


def _detected(sample: str) -> str:
    """Return the language that resiliparse detects in the sample, "" when it does not know the language."""
    from resiliparse.parse.lang import detect_fast  # loaded late: most texts do not need it

    code, _ = detect_fast(sample)
    return "" if code == "unknown" else str(code)


def _votes(samples: Hashes, starts: Offsets) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the language with most stop-words in each text, and how many these are: intp, int64 (t,).

    A language is its index in `_VOTERS`; of equals, the first.

    samples: uint64 (n,), tokens of the texts; those of text i are from starts[i] up to starts[i + 1].
    """
    keys, languages = _stop_word_table()
    # Does what np.searchsorted does, several times as fast: few stop-words share their leading bits, and most words
    # have leading bits that no stop-word has.
    begins, most = _stop_word_begins()
    nearest = begins[(samples >> _BEGIN).view(np.int64)]
    rows = (nearest >= 0).nonzero()[0]
    nearest, words = nearest[rows].astype(np.intp), samples[rows]
    for _ in range(most):
        nearest += keys[nearest] < words
    known = (keys[nearest] == words).nonzero()[0]
    edges = np.searchsorted(rows[known], starts)
    counts = np.zeros((len(starts) - 1, languages.shape[1]), np.int64)
    filled = (edges[1:] > edges[:-1]).nonzero()[0]
    if len(filled):
        counts[filled] = np.add.reduceat(languages.take(nearest[known], axis=0), edges[filled], axis=0, dtype=np.int16)
    return counts.argmax(axis=1), counts.max(axis=1)


@cache
def _stop_word_begins() -> tuple[NDArray[np.int16], int]:
    """Return the first stop-word for each value of the leading 16 bits, and the most stop-words that share a value.

    int16 (65536,): rows of `_stop_word_table`; -1 for bits that no stop-word has.
    """
    beginnings = (_stop_word_table()[0][:-1] >> _BEGIN).view(np.int64)
    counts = np.bincount(beginnings, minlength=1 << 16)
    return np.where(counts, starts_of(counts)[:-1], -1).astype(np.int16), int(counts.max())


@cache
def _stop_word_table() -> tuple[Hashes, NDArray[np.int16]]:
    """Return the hashes of all stop-words, ascending, and the languages that have each.

    uint64 (m,), and int16 (m, len(_VOTERS)), 0 or 1. The last row is of no language, with the highest number as its
    hash.
    """
    owners: dict[int, list[int]] = {}
    for voter, code in enumerate(_VOTERS):
        for word in stop_words(code):
            owners.setdefault(xxh3(word.encode()), []).append(voter)
    keys = [*sorted(owners), _HIGHEST]
    languages = np.zeros((len(keys), len(_VOTERS)), dtype=np.int16)
    for row, key in enumerate(keys):
        languages[row, owners.get(key, [])] = 1
    return np.array(keys, dtype=np.uint64), languages


def simplified(text: str) -> str:
    """Return a text with Traditional Chinese characters as Simplified ones."""
    return _to_simplified()(text)


@cache
def _to_simplified() -> Callable[[str], str]:
    """Return OpenCC's conversion from Traditional to Simplified Chinese. Cached."""
    from opencc import OpenCC  # takes 40 ms to load

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert
