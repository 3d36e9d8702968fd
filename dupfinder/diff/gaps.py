"""What lies between lines that are the same: broken alike on both sides, then paired line with line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from dupfinder.diff.blocks import Span
from dupfinder.diff.matching import Ints, Run, Work, matching_runs
from dupfinder.diff.tokens import Numbering, Options, tokens

_SOLID: Final = 2  # tokens that must match on each side of a break before the other side is broken there too
# What two lines must have in common to be one line, changed: half of the longer one, or most of a shorter one that
# was lengthened.
_HALF: Final = 0.5
_ENOUGH_OF_LONGER: Final = 0.25
_ENOUGH_OF_SHORTER: Final = 0.6


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of lines on both sides, and which of them are versions of each other: (left, right), ascending."""

    left: list[str]
    right: list[str]
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Side:
    """The lines of one side as one row of tokens.

    numbers:       int64 (t,), a number for each token, the same for equal tokens of both sides.
    spans:         (start, stop) of each token in the line it stood in at first.
    starts:        int64 (lines + 1,), the first token of each line, and t.
    weight_before: int64 (t + 1,), characters of all tokens before each.
    """

    lines: list[str]
    numbers: Ints
    spans: list[Span]
    starts: Ints
    weight_before: Ints

    @classmethod
    def of(cls, lines: list[str], options: Options, numbering: Numbering) -> _Side:
        split = [tokens(line, options) for line in lines]
        keys = [one for line in split for one in line.keys]
        return cls(
            lines=lines,
            numbers=np.array(numbering.of(keys), dtype=np.int64),
            spans=[span for line in split for span in line.spans],
            starts=_sums([len(line.keys) for line in split]),
            weight_before=_sums([len(one) for one in keys]),
        )

    def broken_at(self, positions: Ints) -> _Side:
        """The same tokens with lines broken also before those at `positions`."""
        new = np.sort(positions[~np.isin(positions, self.starts)])
        lines: list[str] = []
        edges = np.searchsorted(new, self.starts).tolist()
        for index, line in enumerate(self.lines):
            cuts = [self.spans[token][0] for token in new[edges[index] : edges[index + 1]].tolist()]
            lines.extend(line[a:b].strip() for a, b in pairwise([0, *cuts, len(line)]))
        return replace(self, lines=lines, starts=np.sort(np.concatenate((self.starts, new))))


def _sums(counts: list[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))


@dataclass(frozen=True, slots=True)
class _Runs:
    """Matching runs as columns, int64 (r,): run number m pairs left[m]..left[m]+length[m] with right[m]... ."""

    left: Ints
    right: Ints
    length: Ints

    @classmethod
    def of(cls, runs: list[Run]) -> _Runs:
        columns = np.array(runs, dtype=np.int64).reshape(-1, 3)
        return cls(columns[:, 0], columns[:, 1], columns[:, 2])

    def turned(self) -> _Runs:
        """The runs seen from the other side."""
        return _Runs(self.right, self.left, self.length)

    def across(self, positions: Ints, low: Ints, high: Ints) -> Ints:
        """The right-hand tokens that match the left-hand ones at `positions`, of those low..high into their run."""
        run = np.searchsorted(self.left, positions, "right") - 1
        positions, run = positions[run >= 0], run[run >= 0]
        offset = positions - self.left[run]
        inside = (offset >= low[run]) & (offset <= high[run])
        return self.right[run[inside]] + offset[inside]


def resolve(left: list[str], right: list[str], options: Options, work: Work) -> Gap:
    """Break the lines of a gap alike (only when spaces are ignored) and pair those that are versions of each other."""
    if not work.take_reading(sum(map(len, left)) + sum(map(len, right))):
        return Gap(left, right, [])
    numbering = Numbering()
    a, b = _Side.of(left, options, numbering), _Side.of(right, options, numbering)
    runs = _Runs.of(matching_runs(a.numbers, b.numbers, work))
    if not runs.length.size:
        return Gap(left, right, [])
    if options.ignore_spaces:
        a, b = _broken_alike(a, b, runs)
    return Gap(a.lines, b.lines, _pairs(a, b, runs))


def _broken_alike(a: _Side, b: _Side, runs: _Runs) -> tuple[_Side, _Side]:
    """Both sides broken wherever the other is, in the midst of what they share."""
    low = np.full(len(runs.length), _SOLID)
    high = runs.length - _SOLID
    if runs.left[0] == 0 == runs.right[0]:
        low[0] = 1
    if runs.left[-1] + runs.length[-1] == len(a.numbers) and runs.right[-1] + runs.length[-1] == len(b.numbers):
        high[-1] = runs.length[-1] - 1
    new_right = runs.across(a.starts, low, high)
    new_left = runs.turned().across(b.starts, low, high)
    return a.broken_at(new_left), b.broken_at(new_right)


def _pairs(a: _Side, b: _Side, runs: _Runs) -> list[tuple[int, int]]:
    """Lines that are each other's best partner and have enough in common.

    Runs ascend on both sides, so partners do too: no two pairs cross.
    """
    common: dict[tuple[int, int], int] = {}
    for i, j, weight in _pieces(a, b, runs):
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


def _pieces(a: _Side, b: _Side, runs: _Runs) -> list[tuple[int, int, int]]:
    """The runs cut at the line ends of both sides: (left line, right line, characters in common)."""
    nothing = np.zeros_like(runs.length)
    inner_left = runs.turned().across(runs.across(a.starts, nothing, runs.length - 1), nothing, runs.length - 1)
    inner_right = runs.turned().across(b.starts, nothing, runs.length - 1)
    begin = np.sort(np.concatenate((runs.left, inner_left, inner_right)))
    begin = begin[np.concatenate(([True], begin[1:] != begin[:-1]))]
    run = np.searchsorted(runs.left, begin, "right") - 1
    stop = np.minimum(np.append(begin[1:], begin[-1] + runs.length[-1]), (runs.left + runs.length)[run])
    left = np.searchsorted(a.starts, begin, "right") - 1
    right = np.searchsorted(b.starts, runs.right[run] + begin - runs.left[run], "right") - 1
    weight = a.weight_before[stop] - a.weight_before[begin]
    return list(zip(left.tolist(), right.tolist(), weight.tolist(), strict=True))


def _line_weight(side: _Side, line: int) -> int:
    return int(side.weight_before[side.starts[line + 1]] - side.weight_before[side.starts[line]])


def _is_enough(common: int, left: int, right: int) -> bool:
    shorter, longer = sorted((left, right))
    lengthened = common >= _ENOUGH_OF_LONGER * longer and common >= _ENOUGH_OF_SHORTER * shorter
    return lengthened or common >= _HALF * longer
