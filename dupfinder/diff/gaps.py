"""The lines between equal lines: split alike on both sides, then paired where one is a version of the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from dupfinder.base.columns import starts_of
from dupfinder.diff.blocks import Span
from dupfinder.diff.matching import Ints, Run, Work, matching_runs
from dupfinder.diff.tokens import Numbering, Options, tokens

_CONTEXT: Final = 2  # tokens that must match before and after a line end for the other side to be split there too
# The share of characters that two lines must have in common to count as a changed line: half of the longer line; or,
# for a line that was extended, a quarter of the longer and most of the shorter.
_HALF: Final = 0.5
_ENOUGH_OF_LONGER: Final = 0.25
_ENOUGH_OF_SHORTER: Final = 0.6


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines between equal lines on both sides, and the pairs (left, right) of versions, ascending."""

    left: list[str]
    right: list[str]
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Side:
    """The lines of one side as a sequence of tokens.

    numbers:       int64 (t,), a number for each token, equal for equal tokens of both sides.
    spans:         (start, stop) of each token in the original line.
    starts:        int64 (lines + 1,), the first token of each line, and t.
    weight_before: int64 (t + 1,), characters of all tokens before each token.
    """

    lines: list[str]
    numbers: Ints
    spans: list[Span]
    starts: Ints
    weight_before: Ints

    @classmethod
    def of(cls, lines: list[str], options: Options, numbering: Numbering) -> _Side:
        """Split lines into tokens."""
        split = [tokens(line, options) for line in lines]
        keys = [token_key for line in split for token_key in line.keys]
        return cls(
            lines=lines,
            numbers=np.array(numbering.of(keys), dtype=np.int64),
            spans=[span for line in split for span in line.spans],
            starts=starts_of([len(line.keys) for line in split]),
            weight_before=starts_of([len(token_key) for token_key in keys]),
        )

    def split_at(self, positions: Ints) -> _Side:
        """Return the same tokens, with lines also split before the tokens at `positions`."""
        new = np.sort(positions[~np.isin(positions, self.starts)])
        lines: list[str] = []
        edges = np.searchsorted(new, self.starts).tolist()
        for index, line in enumerate(self.lines):
            cuts = [self.spans[token][0] for token in new[edges[index] : edges[index + 1]].tolist()]
            lines.extend(line[a:b].strip() for a, b in pairwise([0, *cuts, len(line)]))
        return replace(self, lines=lines, starts=np.sort(np.concatenate((self.starts, new))))


@dataclass(frozen=True, slots=True)
class _Runs:
    """Matching runs as columns, int64 (r,): in run m, tokens left[m]..

    equal the tokens right[m].., length[m] of them.
    """

    left: Ints
    right: Ints
    length: Ints

    @classmethod
    def of(cls, runs: list[Run]) -> _Runs:
        """Return the runs as columns."""
        columns = np.array(runs, dtype=np.int64).reshape(-1, 3)
        return cls(columns[:, 0], columns[:, 1], columns[:, 2])

    def swapped(self) -> _Runs:
        """Return the runs with left and right swapped."""
        return _Runs(self.right, self.left, self.length)

    def partners(self, positions: Ints, low: Ints, high: Ints) -> Ints:
        """Return the right tokens that match the left tokens at `positions`.

        low, high: int64 (r,). Of each run, only tokens at offsets low..high are considered.
        """
        run = np.searchsorted(self.left, positions, "right") - 1
        positions, run = positions[run >= 0], run[run >= 0]
        offset = positions - self.left[run]
        inside = (offset >= low[run]) & (offset <= high[run])
        return self.right[run[inside]] + offset[inside]


def resolve(left: list[str], right: list[str], options: Options, work: Work) -> Gap:
    """Pair the lines of a gap that are versions of each other. When spaces are ignored, split the lines alike first."""
    if not work.take_reading(sum(map(len, left)) + sum(map(len, right))):
        return Gap(left, right, [])
    numbering = Numbering()
    a, b = _Side.of(left, options, numbering), _Side.of(right, options, numbering)
    runs = _Runs.of(matching_runs(a.numbers, b.numbers, work))
    if not runs.length.size:
        return Gap(left, right, [])
    if options.ignore_spaces:
        a, b = _split_alike(a, b, runs)
    return Gap(a.lines, b.lines, _pairs(a, b, runs))


def _split_alike(a: _Side, b: _Side, runs: _Runs) -> tuple[_Side, _Side]:
    """Split the lines of each side where the other side's lines end, inside the text that both share."""
    low = np.full(len(runs.length), _CONTEXT)
    high = runs.length - _CONTEXT
    if runs.left[0] == 0 == runs.right[0]:
        low[0] = 1
    if runs.left[-1] + runs.length[-1] == len(a.numbers) and runs.right[-1] + runs.length[-1] == len(b.numbers):
        high[-1] = runs.length[-1] - 1
    new_right = runs.partners(a.starts, low, high)
    new_left = runs.swapped().partners(b.starts, low, high)
    return a.split_at(new_left), b.split_at(new_right)


def _pairs(a: _Side, b: _Side, runs: _Runs) -> list[tuple[int, int]]:
    """Return the lines that share most with each other and enough to be versions.

    Runs ascend on both sides, so the pairs do too: no two pairs cross.
    """
    common: dict[tuple[int, int], int] = {}
    for i, j, weight in _shared_pieces(a, b, runs):
        common[i, j] = common.get((i, j), 0) + weight
    best_right: dict[int, tuple[int, int]] = {}
    best_left: dict[int, tuple[int, int]] = {}
    for (i, j), weight in common.items():
        best_right[i] = max(best_right.get(i, (0, -1)), (weight, j))
        best_left[j] = max(best_left.get(j, (0, -1)), (weight, i))
    return sorted(
        (i, j)
        for i, (weight, j) in best_right.items()
        if best_left[j][1] == i and _is_enough(weight, _line_weight(a, i), _line_weight(b, j))
    )


def _shared_pieces(a: _Side, b: _Side, runs: _Runs) -> list[tuple[int, int, int]]:
    """Split the runs at the line ends of both sides: (left line, right line, characters in common)."""
    zeros = np.zeros_like(runs.length)
    inner_left = runs.swapped().partners(runs.partners(a.starts, zeros, runs.length - 1), zeros, runs.length - 1)
    inner_right = runs.swapped().partners(b.starts, zeros, runs.length - 1)
    begin = np.sort(np.concatenate((runs.left, inner_left, inner_right)))
    begin = begin[np.concatenate(([True], begin[1:] != begin[:-1]))]
    run = np.searchsorted(runs.left, begin, "right") - 1
    stop = np.minimum(np.append(begin[1:], begin[-1] + runs.length[-1]), (runs.left + runs.length)[run])
    left = np.searchsorted(a.starts, begin, "right") - 1
    right = np.searchsorted(b.starts, runs.right[run] + begin - runs.left[run], "right") - 1
    weight = a.weight_before[stop] - a.weight_before[begin]
    return list(zip(left.tolist(), right.tolist(), weight.tolist(), strict=True))


def _line_weight(side: _Side, line: int) -> int:
    """Count the characters of a line's tokens."""
    return int(side.weight_before[side.starts[line + 1]] - side.weight_before[side.starts[line]])


def _is_enough(common: int, left: int, right: int) -> bool:
    """Tell whether lines of `left` and `right` characters share enough of them to be versions."""
    shorter, longer = sorted((left, right))
    lengthened = common >= _ENOUGH_OF_LONGER * longer and common >= _ENOUGH_OF_SHORTER * shorter
    return lengthened or common >= _HALF * longer
