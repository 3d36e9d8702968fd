"""Many texts at once: what a step costs to begin with is paid for a hundred thousand characters, not for each text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint import classes
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.memo import HashMemo
from dupfinder.fingerprint.segment import HAN_BYTES, words_of_runs
from dupfinder.fingerprint.shingles import shingle_hashes
from dupfinder.fingerprint.simhash import fingerprints_of, sums_of_runs
from dupfinder.fingerprint.sketch import divisible, divisible_places
from dupfinder.fingerprint.tokens import CHUNK, Tokens, chunks, tokens_of


@dataclass(frozen=True, slots=True)
class Runs:
    """The tokens of several texts one after the other.

    hashes: uint64 (n,), XXH3 of each token.
    bounds: int64 (t + 1,): text i has the tokens from bounds[i] to bounds[i + 1].
    """

    hashes: Hashes
    bounds: NDArray[np.int64]


def word_fingerprints(texts: Sequence[str], memo: HashMemo | None = None) -> Hashes:
    """Simhash of each normalised text, its words and numbers weighing as often as they stand there: uint64 (t,).

    Chinese is segmented. Stop-words count and nothing is stemmed: the fingerprint that other packages make of a text's
    words. 0 for a text without words.
    """
    memo = memo or HashMemo()
    fingerprints = np.empty(len(texts), dtype=np.uint64)
    done = 0
    for group in _groups(texts):
        sums = sum(_word_sums(tokens, bounds, memo) for tokens, bounds in _tokens_of(group, memo))
        fingerprints[done : done + len(group)] = fingerprints_of(np.asarray(sums))
        done += len(group)
    return fingerprints


def mod_sketches(texts: Sequence[str], width: int, modulus: int, memo: HashMemo | None = None) -> list[Hashes]:
    """MOD_m of the shingles of each normalised text, as `sketch.mod_sketch` gives it of its shingle set."""
    memo = memo or HashMemo()
    return [sketch for runs in token_runs(texts, memo) for sketch in _sketches(runs, width, modulus)]


def token_runs(texts: Sequence[str], memo: HashMemo) -> Iterator[Runs]:
    """The tokens of all texts in their order, several short texts at a time."""
    for group in _groups(texts):
        parts = list(_tokens_of(group, memo))
        hashes = np.concatenate([tokens.hashes for tokens, _ in parts])
        yield Runs(hashes, np.asarray(sum(bounds for _, bounds in parts)))


def _tokens_of(group: Sequence[str], memo: HashMemo) -> Iterator[tuple[Tokens, NDArray[np.int64]]]:
    """The tokens of a group of short texts, or those of the chunks of one long text; and the bounds as in `Runs`."""
    if len(group) == 1:
        for chunk in chunks(group[0]):
            tokens = tokens_of(chunk, memo)
            yield tokens, np.array([0, len(tokens.hashes)], dtype=np.int64)
        return
    tokens = tokens_of("\n".join(group), memo)
    sizes = [(len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) + 1 for text in group]
    yield tokens, np.searchsorted(tokens.starts, np.cumsum([0, *sizes]))


def _word_sums(tokens: Tokens, bounds: NDArray[np.int64], memo: HashMemo) -> NDArray[np.int64]:
    """V of the words of each text, int64 (t, 64): runs of Han segmented, all other tokens as they are."""
    if not tokens.han:
        return sums_of_runs(tokens.hashes, bounds)
    han = tokens.kinds == classes.HAN
    others = (~han).nonzero()[0]
    sums = sums_of_runs(tokens.hashes[others], np.searchsorted(others, bounds))
    text, starts, ends = words_of_runs(tokens.han)
    sizes = (ends - starts) // HAN_BYTES
    rows = han.nonzero()[0][np.cumsum(sizes) - sizes]  # the token that each word begins with
    return sums + sums_of_runs(memo.hashes_of(text, starts, ends), np.searchsorted(rows, bounds))


def _groups(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts next to each other, at most CHUNK characters together; a longer one alone."""
    first, size = 0, 0
    for number, text in enumerate(texts):
        if number > first and size + len(text) > CHUNK:
            yield texts[first:number]
            first, size = number, 0
        size += len(text) + 1
    if first < len(texts):
        yield texts[first:]


def _sketches(runs: Runs, width: int, modulus: int) -> Iterator[Hashes]:
    """MOD_m of each run of tokens."""
    numbers = shingle_hashes(runs.hashes, width) if len(runs.hashes) >= width else runs.hashes[:0]
    places = divisible_places(numbers, modulus)
    owners = np.searchsorted(runs.bounds, places, side="right") - 1
    inside = places + width <= runs.bounds[owners + 1]  # the others begin in one text and end in the next
    values, owners = numbers[places[inside]], owners[inside]
    order = np.lexsort((values, owners))
    values, owners = values[order], owners[order]
    new = np.ones(len(values), dtype=np.bool_)
    new[1:] = (values[1:] != values[:-1]) | (owners[1:] != owners[:-1])
    values, owners = values[new], owners[new]
    edges = np.searchsorted(owners, np.arange(len(runs.bounds))).tolist()
    bounds = runs.bounds.tolist()
    for text, (start, stop) in enumerate(itertools.pairwise(bounds)):
        if stop - start < width:
            yield divisible(shingle_hashes(runs.hashes[start:stop], width), modulus)
        else:
            yield values[edges[text] : edges[text + 1]]
