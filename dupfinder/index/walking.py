"""Many queries walk their runs of a table together: first all first candidates, then all second ones, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Reporter
from dupfinder.index.words import Words

_TOGETHER: Final = 1 << 14  # queries that walk together: what they hold stays in the cache
_ALIVE: Final = 0.3  # share of walkers still inside their runs below which the others are let go
_TAIL: Final = 256  # walkers from which on a step costs more than it does: the rest is laid out at once
_CANDIDATES: Final = 1 << 20  # candidates laid out at once

Places = NDArray[np.intp]
Near = tuple[Places, Places, NDArray[np.uint8]]


def near_places(
    words: Words, queries: Words, starts: Places, stops: Places, radius: int, reporter: Reporter
) -> Iterator[Near]:
    """(query, place, distance) of what is near: query i is compared with places starts[i] up to stops[i] of `words`."""
    for first in range(0, len(starts), _TOGETHER):
        reporter.check()
        some = slice(first, first + _TOGETHER)
        for query, place, distance in _walk(words, [one[some] for one in queries], starts[some], stops[some], radius):
            yield query + first, place, distance


def _walk(
    words: Words, queries: Sequence[NDArray[np.uint64]], starts: Places, stops: Places, radius: int
) -> Iterator[Near]:
    live = np.flatnonzero(stops > starts)
    at, end = starts[live], stops[live]
    asked = [query[live] for query in queries]
    while len(live) > _TAIL:
        counts = _distances(words, at, asked)
        if counts.min() <= radius:
            near = np.flatnonzero((counts <= radius) & (at < end))
            yield live[near], at[near], counts[near]
        at += 1
        inside = at < end
        if np.count_nonzero(inside) < _ALIVE * len(live):
            live, at, end = live[inside], at[inside], end[inside]
            asked = [query[inside] for query in asked]
    for which, place in _laid_out(np.minimum(at, end), end):
        counts = _distances(words, place, [query[which] for query in asked])
        near = np.flatnonzero(counts <= radius)
        yield live[which[near]], place[near], counts[near]


def _distances(words: Words, places: Places, asked: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint8]:
    total: NDArray[np.uint8] = np.bitwise_count(words[0].take(places, mode="clip") ^ asked[0])
    for word, one in zip(words[1:], asked[1:], strict=True):
        total += np.bitwise_count(word.take(places, mode="clip") ^ one)
    return total


def _laid_out(starts: Places, stops: Places) -> Iterator[tuple[Places, Places]]:
    """Every place of every run, some million at a time: (run, place)."""
    ends = np.cumsum(stops - starts)
    total = int(ends[-1]) if len(ends) else 0
    for first in range(0, total, _CANDIDATES):
        stop = min(first + _CANDIDATES, total)
        low, high = np.searchsorted(ends, (first, stop - 1), "right")
        bounds = np.clip(np.concatenate(([first], ends[low : high + 1])), first, stop)
        lengths = np.diff(bounds)
        run = np.repeat(np.arange(low, high + 1), lengths)
        yield run, np.arange(first, stop) + np.repeat((stops - ends)[low : high + 1], lengths)
