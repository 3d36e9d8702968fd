"""The words of boilerplate: two witnesses of a passage are read again, and what both have in common of it is taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.boilerplate import LEAST_SAMPLED, LEAST_VALUES
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.memo import HashMemo
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.shingles import distinct, numbered
from dupfinder.fingerprint.tokens import chunks, tokens_of
from dupfinder.library.boilerplate import Passage
from dupfinder.scan.reading import read_text
from dupfinder.text.normalise import normalise

EXCERPT = 600  # characters of a passage that are kept to be shown
_MOST_GAP = 12  # shingles between two of a block: a number that differs, with the words around it, breaks ten
_MOST_OTHER = 10  # of them, that only one witness has


@dataclass(frozen=True, slots=True)
class Wanted:
    """A block to find: its values, uint32, one in `step` of the shingles of the passage."""

    values: NDArray[np.uint32]
    step: int


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """Two files that hold the same blocks. size: bytes of both, which set the deadline."""

    paths: tuple[Path, Path]
    size: int
    scheme: Scheme
    wanted: tuple[Wanted, ...]


def find_passages(task: WitnessTask) -> list[list[Passage]] | None:
    """The passages of each block; None when a file cannot be read now. Runs in a reading process."""
    texts = [read_text(path).extracted for path in task.paths]
    if texts[0] is None or texts[1] is None:
        return None
    memo = HashMemo()
    one, other = (_Text(text.text, task.scheme, memo) for text in texts if text is not None)
    both = np.isin(one.shingles, other.shingles)
    return [list(_passages(one, both, wanted)) for wanted in task.wanted]


class _Text:
    """The shingles of a text in their order, and where its words stand in its lines."""

    def __init__(self, text: str, scheme: Scheme, memo: HashMemo) -> None:
        self._lines = text.split("\n")
        self._scheme = scheme
        sizes, hashes = [], []
        for line in self._lines:
            parts = [tokens_of(chunk, memo).hashes for chunk in chunks(self._plain(line))] if line else []
            sizes.append(sum(map(len, parts)))
            hashes += parts
        self._starts = np.concatenate(([0], np.cumsum(sizes)))
        self.width = scheme.shingle
        self.shingles: Hashes = numbered(
            np.concatenate(hashes) if hashes else np.empty(0, np.uint64), self.width, scheme.shingle_hash
        )

    def _plain(self, line: str) -> str:
        return normalise(line, simplify=self._scheme.simplify)

    def excerpt(self, first: int, last: int) -> str:
        """The text from one token to another, both in it, at most EXCERPT characters; each line with single spaces."""
        begin, end = (int(np.searchsorted(self._starts, token, side="right")) - 1 for token in (first, last))
        lines, size = [], 0
        for number in range(begin, end + 1):
            low = first - int(self._starts[number]) if number == begin else 0
            high = last - int(self._starts[number]) if number == end else -1
            lines.append(self._cut(self._lines[number], low, high))
            size += len(lines[-1]) + 1
            if size > EXCERPT:
                break
        text = "\n".join(line for line in lines if line)
        return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"

    def _cut(self, line: str, low: int, high: int) -> str:
        """A line from its token `low` to its token `high` (-1: to its end)."""
        collapsed = " ".join(line.split())
        if not low and high < 0:
            return collapsed
        plain = self._plain(line)
        spans = tokens_of(plain)
        data = plain.encode("utf-8", "surrogatepass")
        start = len(data[: int(spans.starts[low])].decode("utf-8", "surrogatepass")) if low else 0
        stop = len(plain) if high < 0 else len(data[: int(spans.ends[high])].decode("utf-8", "surrogatepass"))
        # Where folding kept every character in its place, the line as people wrote it can be cut there too.
        return (collapsed if len(collapsed) == len(plain) else plain)[start:stop]


def _passages(text: _Text, both: NDArray[np.bool_], wanted: Wanted) -> Iterator[Passage]:
    """The stretches of a text in which a block stands, as far as both witnesses have them."""
    held = np.isin((text.shingles >> np.uint64(32)).astype(np.uint32), wanted.values) & both
    places = np.flatnonzero(held)
    others = np.concatenate(([0], np.cumsum(~both)))
    least = LEAST_SAMPLED if wanted.step > 1 else LEAST_VALUES // 2
    for run in _runs(places, others, _MOST_GAP * wanted.step):
        if len(run) < least:
            continue
        first, last = _stretched(int(run[0]), int(run[-1]), both, 3 * wanted.step if wanted.step > 1 else 0)
        values = distinct(text.shingles[first : last + 1][both[first : last + 1]])
        if len(values) >= LEAST_VALUES:
            key = hashlib.blake2b(values.astype("<u8").tobytes(), digest_size=8).hexdigest()
            yield Passage(key, text.excerpt(first, last + text.width - 1), values)


def _runs(places: NDArray[np.intp], others: NDArray[np.int64], most_gap: int) -> Sequence[NDArray[np.intp]]:
    """Places that follow one another with little between them that only one witness has."""
    if not len(places):
        return []
    between = others[places[1:]] - others[places[:-1] + 1]
    breaks = np.flatnonzero((np.diff(places) > most_gap) | (between > _MOST_OTHER)) + 1
    return np.split(places, breaks)


def _stretched(first: int, last: int, both: NDArray[np.bool_], most: int) -> tuple[int, int]:
    """A stretch of sampled shingles made longer by up to `most` at each end, as far as both witnesses agree."""
    low = first
    while low > 0 and first - low < most and both[low - 1]:
        low -= 1
    high = last
    while high + 1 < len(both) and high - last < most and both[high + 1]:
        high += 1
    return low, high
