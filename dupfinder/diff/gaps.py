"""What lies between lines that are the same: broken alike on both sides, then paired line with line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.diff.matching import Run, Work, matching_runs
from dupfinder.diff.tokens import Numbering, Options, tokens

_SOLID: Final = 2  # tokens that must match on each side of a break before the other side is broken there too
# What two lines must have in common to be one line, changed: half of the longer one, or most of a shorter one that
# was lengthened.
_HALF: Final = 0.5
_ENOUGH_OF_LONGER: Final = 0.25
_ENOUGH_OF_SHORTER: Final = 0.6
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of lines on both sides, and which of them are versions of each other: (left, right), ascending."""

    left: list[str]
    right: list[str]
    pairs: list[tuple[int, int]]


class _Side:
    """The lines of one side as one row of tokens."""

    def __init__(self, lines: list[str], options: Options, numbering: Numbering) -> None:
        self.lines = lines
        split = [tokens(line, options) for line in lines]
        self.numbers = np.array(numbering.of(one for line in split for one in line.keys), dtype=np.int64)
        self._spans = [line.spans for line in split]
        weights = [len(one) for line in split for one in line.keys]
        self.weight_before = np.concatenate(([0], np.cumsum(weights, dtype=np.int64)))
        self.starts = np.concatenate(([0], np.cumsum([len(line.keys) for line in split], dtype=np.int64)))

    def inner_breaks(self, run_start: int, run_stop: int) -> Positions:
        """Tokens within the run at which a line of this side begins, as offsets from the run's start."""
        inside = self.starts[
            np.searchsorted(self.starts, run_start, "right") : np.searchsorted(self.starts, run_stop, "left")
        ]
        return inside - run_start

    def broken_at(self, positions: set[int]) -> list[str]:
        """The lines, each broken also before the tokens at `positions`."""
        if not positions:
            return self.lines
        ordered = np.array(sorted(positions), dtype=np.int64)
        lines: list[str] = []
        for index, line in enumerate(self.lines):
            first, stop = int(self.starts[index]), int(self.starts[index + 1])
            begin, end = np.searchsorted(ordered, (first + 1, stop))
            cuts = [self._spans[index][token - first][0] for token in ordered[begin:end].tolist()]
            edges = [0, *cuts, len(line)]
            lines.extend(line[a:b].strip() for a, b in pairwise(edges))
        return lines


def resolve(left: list[str], right: list[str], options: Options, work: Work) -> Gap:
    """Break the lines of a gap alike (only when spaces are ignored) and pair those that are versions of each other."""
    numbering = Numbering()
    a, b = _Side(left, options, numbering), _Side(right, options, numbering)
    runs = matching_runs(a.numbers, b.numbers, work)
    if options.ignore_spaces:
        new_left, new_right = _new_breaks(a, b, runs)
        if new_left or new_right:
            a = _Side(a.broken_at(new_left), options, numbering)
            b = _Side(b.broken_at(new_right), options, numbering)
    return Gap(a.lines, b.lines, _pairs(a, b, runs))


def _new_breaks(a: _Side, b: _Side, runs: list[Run]) -> tuple[set[int], set[int]]:
    """Tokens before which each side must be broken because the other side is, in the midst of what both share."""
    new_left: set[int] = set()
    new_right: set[int] = set()
    ends = (len(a.numbers), len(b.numbers))
    for i, j, length in runs:
        low = 1 if (i, j) == (0, 0) else _SOLID
        high = length - (1 if (i + length, j + length) == ends else _SOLID)
        here, there = a.inner_breaks(i, i + length), b.inner_breaks(j, j + length)
        new_right.update((here[(here >= low) & (here <= high)] + j).tolist())
        new_left.update((there[(there >= low) & (there <= high)] + i).tolist())
    return new_left, new_right


def _pairs(a: _Side, b: _Side, runs: list[Run]) -> list[tuple[int, int]]:
    """Lines that are each other's best partner and have enough in common.

    Runs ascend on both sides, so partners do too: no two pairs cross.
    """
    common: dict[tuple[int, int], int] = {}
    for run in runs:
        for i, j, weight in _pieces(a, b, run):
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


def _pieces(a: _Side, b: _Side, run: Run) -> list[tuple[int, int, int]]:
    """A run cut at the line ends of both sides: (left line, right line, characters in common)."""
    i, j, length = run
    edges = sorted({0, length, *a.inner_breaks(i, i + length).tolist(), *b.inner_breaks(j, j + length).tolist()})
    offsets = np.array(edges, dtype=np.int64)
    left = np.searchsorted(a.starts, offsets[:-1] + i, "right") - 1
    right = np.searchsorted(b.starts, offsets[:-1] + j, "right") - 1
    weights = np.diff(a.weight_before[offsets + i])
    return list(zip(left.tolist(), right.tolist(), weights.tolist(), strict=True))


def _line_weight(side: _Side, line: int) -> int:
    return int(side.weight_before[side.starts[line + 1]] - side.weight_before[side.starts[line]])


def _is_enough(common: int, left: int, right: int) -> bool:
    shorter, longer = sorted((left, right))
    lengthened = common >= _ENOUGH_OF_LONGER * longer and common >= _ENOUGH_OF_SHORTER * shorter
    return lengthened or common >= _HALF * longer
