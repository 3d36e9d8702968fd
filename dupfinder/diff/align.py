"""Compare two texts: blocks of lines that are the same, changed, on one side only, or moved.

Lines between equal lines are split alike on both sides, then paired where one is a version of the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from dupfinder.base.columns import starts_of
from dupfinder.diff.blocks import Block, ChangeKind, Kind, Span, TextComparison, classify
from dupfinder.diff.matching import Ints, Run, Work, between, exact, matching_runs
from dupfinder.diff.tokens import DiffTokens, Numbering, Options, key, reflow, tokens

_CONTEXT: Final = 2  # tokens that must match before and after a line end for the other side to be split there too
# The share of characters that two lines must have in common to count as a changed line: half of the longer line; or,
# for a line that was extended, a quarter of the longer and most of the shorter.
_HALF: Final = 0.5
_ENOUGH_OF_LONGER: Final = 0.25
_ENOUGH_OF_SHORTER: Final = 0.6


@dataclass(frozen=True, slots=True)
class _Gap:
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
    """Matching runs as columns, int64 (r,): in run m, length[m] tokens from left[m] on equal those from right[m] on."""

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


def resolve(left: list[str], right: list[str], options: Options, work: Work) -> _Gap:
    """Pair the lines of a gap that are versions of each other. When spaces are ignored, split the lines alike first."""
    if not work.take_reading(sum(map(len, left)) + sum(map(len, right))):
        return _Gap(left, right, [])
    numbering = Numbering()
    a, b = _Side.of(left, options, numbering), _Side.of(right, options, numbering)
    runs = _Runs.of(matching_runs(a.numbers, b.numbers, work))
    if not runs.length.size:
        return _Gap(left, right, [])
    if options.ignore_spaces:
        a, b = _split_alike(a, b, runs)
    return _Gap(a.lines, b.lines, _pairs(a, b, runs))


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


Change = tuple[int, int, int, int]
_SHORT: Final = 3  # characters; shorter equal text between two changes is joined to them

__all__ = ["Block", "ChangeKind", "Kind", "Options", "TextComparison", "compare"]

_MOVED_LEAST: Final = 20  # characters; shorter lines are not reported as moved, since they often recur by chance
_SENTENCES_UP_TO: Final = 3_000_000  # characters, a thousand pages; longer texts are not split into sentences
Pair = tuple[int, int]


def line_marks(left: str, right: str, options: Options, work: Work | None = None) -> tuple[tuple[Span, ...], ...]:
    """Return the spans of `left` and of `right` that differ. Both lines in full when `work` does not suffice."""
    whole = ((0, len(left)),), ((0, len(right)),)
    if work is not None and not work.take_reading(len(left) + len(right)):
        return whole
    a, b = tokens(left, options), tokens(right, options)
    if work is not None and not work.take_exact(len(a.keys) * len(b.keys)):
        return whole
    changes = _changes(a, b)
    return (
        _spans(a, [(start, stop) for start, stop, _, _ in changes]),
        _spans(b, [(start, stop) for _, _, start, stop in changes]),
    )


def _changes(a: DiffTokens, b: DiffTokens) -> list[Change]:
    """Return the token ranges that differ. Changes that are separated by a few equal letters only are joined."""
    merged, number = list[Change](), Numbering().of
    for change in between(exact(number(a.keys), number(b.keys)), (0, len(a.keys), 0, len(b.keys))):
        if _weight(change) and merged and _is_noise(a, merged[-1], change):
            merged[-1] = (merged[-1][0], change[1], merged[-1][2], change[3])
        elif _weight(change):
            merged.append(change)
    return merged


def _is_noise(a: DiffTokens, before: Change, after: Change) -> bool:
    """Tell whether the equal text between two changes of several words is too short to be worth showing."""
    equal = sum(len(token_key) for token_key in a.keys[before[1] : after[0]])
    return equal <= _SHORT and min(_weight(before), _weight(after)) > 1


def _weight(change: Change) -> int:
    """Count the tokens of a change, on the side that has more."""
    return max(change[1] - change[0], change[3] - change[2])


def _spans(side: DiffTokens, ranges: list[Span]) -> tuple[Span, ...]:
    """Return the character spans of token ranges, without empty ranges."""
    return tuple((side.spans[start][0], side.spans[stop - 1][1]) for start, stop in ranges if stop > start)


def compare(left: str, right: str, options: Options = Options()) -> TextComparison:  # noqa: B008 - frozen
    """Compare two texts line by line.

    Takes at most about `options.seconds`; what is not aligned by then is reported in coarse blocks without marks.
    """
    left_lines = _lines(left, options)
    if left == right:
        same = (Block(Kind.SAME, 0, len(left_lines), 0, len(left_lines)),) if left_lines else ()
        return TextComparison(tuple(left_lines), tuple(left_lines), same, ChangeKind.IDENTICAL)
    right_lines = _lines(right, options)
    work = Work.for_seconds(options.seconds)
    sides = _Sides(options)
    _fill(sides, left_lines, right_lines, work)
    return _comparison_of(sides, work)


def _lines(text: str, options: Options) -> list[str]:
    """Return the lines to compare: sentences when spaces are ignored, else the lines of the text."""
    if not options.ignore_spaces:
        return text.splitlines()
    if len(text) > _SENTENCES_UP_TO:
        return [line for raw in text.splitlines() if (line := " ".join(raw.split()))]
    return reflow(text)


class _Sides:
    """The lines of both sides so far, and the pairs (left, right) of lines that correspond, ascending."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.left: list[str] = []
        self.right: list[str] = []
        self.pairs: list[Pair] = []

    def add(self, left: Sequence[str], right: Sequence[str], pairs: Sequence[Pair]) -> None:
        """Append lines and their pairs. Line numbers in `pairs` count from the first appended line."""
        i, j = len(self.left), len(self.right)
        self.pairs.extend((i + left_line, j + right_line) for left_line, right_line in pairs)
        self.left.extend(left)
        self.right.extend(right)


def _fill(sides: _Sides, left: list[str], right: list[str], work: Work) -> None:
    """Align both texts: first lines with equal keys, then the lines between them."""
    numbering = Numbering()
    numbers = [numbering.of(key(line, sides.options) for line in lines) for lines in (left, right)]
    i = j = 0
    for run_i, run_j, length in [*matching_runs(numbers[0], numbers[1], work), (len(left), len(right), 0)]:
        between_left, between_right = left[i:run_i], right[j:run_j]
        if between_left and between_right:
            gap = resolve(between_left, between_right, sides.options, work)
            sides.add(gap.left, gap.right, gap.pairs)
        else:
            sides.add(between_left, between_right, ())
        i, j = run_i + length, run_j + length
        sides.add(left[run_i:i], right[run_j:j], [(line, line) for line in range(length)])


def _comparison_of(sides: _Sides, work: Work) -> TextComparison:
    """Return the comparison of aligned sides: blocks, marks and kind of change."""
    options = sides.options
    left_keys = [key(line, options) for line in sides.left]
    right_keys = [key(line, options) for line in sides.right]
    moves = _moves(sides, left_keys, right_keys)
    blocks = _blocks(sides.pairs, left_keys, right_keys, moves)
    left_marks: dict[int, tuple[Span, ...]] = {}
    right_marks: dict[int, tuple[Span, ...]] = {}
    for block in blocks:
        if block.kind is Kind.CHANGED:
            _mark(block, sides, work, left_marks, right_marks)
    comparison = TextComparison(
        left_lines=tuple(sides.left),
        right_lines=tuple(sides.right),
        blocks=tuple(blocks),
        change=ChangeKind.EDITED,
        left_marks=left_marks,
        right_marks=right_marks,
        differences=tuple(index for index, block in enumerate(blocks) if block.kind is not Kind.SAME),
    )
    return classify(comparison, work.complete)


def _mark(
    block: Block,
    sides: _Sides,
    work: Work,
    left_marks: dict[int, tuple[Span, ...]],
    right_marks: dict[int, tuple[Span, ...]],
) -> None:
    """Mark the words that differ in a changed line, or the lines of a rewritten passage as a whole."""
    if block.left_stop - block.left_start == 1 == block.right_stop - block.right_start:
        i, j = block.left_start, block.right_start
        left, right = line_marks(sides.left[i], sides.right[j], sides.options, work)
        left_marks.update({i: left} if left else {})
        right_marks.update({j: right} if right else {})
    elif work.complete:
        left_marks.update((i, ((0, len(sides.left[i])),)) for i in range(block.left_start, block.left_stop))
        right_marks.update((j, ((0, len(sides.right[j])),)) for j in range(block.right_start, block.right_stop))


def _moves(sides: _Sides, left_keys: list[str], right_keys: list[str]) -> dict[int, int]:
    """Map left to right lines that are unpaired and occur exactly once on each side."""
    paired_left = {i for i, _ in sides.pairs}
    paired_right = {j for _, j in sides.pairs}
    lines_of: dict[str, list[list[int]]] = {}
    for side, (keys, paired) in enumerate(((left_keys, paired_left), (right_keys, paired_right))):
        for line, line_key in enumerate(keys):
            if line not in paired and len(line_key) >= _MOVED_LEAST:
                lines_of.setdefault(line_key, [[], []])[side].append(line)
    return {left[0]: right[0] for left, right in lines_of.values() if len(left) == 1 == len(right)}


def _blocks(pairs: list[Pair], left_keys: list[str], right_keys: list[str], moves: dict[int, int]) -> list[Block]:
    """Return the pairs and the lines between them as blocks without gaps. Adjacent equal lines form one block."""
    moved_right = set(moves.values())
    blocks: list[Block] = []
    i = j = 0
    for left, right in [*pairs, (len(left_keys), len(right_keys))]:
        lefts = _segments(Kind.ONLY_LEFT, i, left, moves.keys())
        rights = _segments(Kind.ONLY_RIGHT, j, right, moved_right)
        if len(lefts) == 1 == len(rights) and lefts[0][0] is Kind.ONLY_LEFT and rights[0][0] is Kind.ONLY_RIGHT:
            blocks.append(Block(Kind.CHANGED, i, left, j, right))
        else:
            blocks.extend(Block(kind, start, stop, j, j) for kind, start, stop in lefts)
            blocks.extend(Block(kind, left, left, start, stop) for kind, start, stop in rights)
        i, j = left, right
        if left < len(left_keys) and right < len(right_keys):
            i, j = left + 1, right + 1
            _append_pair(blocks, left, right, left_keys[left] == right_keys[right])
    return blocks


def _append_pair(blocks: list[Block], i: int, j: int, same: bool) -> None:
    """Append left line i and right line j, to the last block if both are SAME."""
    last = blocks[-1] if blocks else None
    if same and last is not None and last.kind is Kind.SAME:
        blocks[-1] = Block(Kind.SAME, last.left_start, i + 1, last.right_start, j + 1)
    else:
        blocks.append(Block(Kind.SAME if same else Kind.CHANGED, i, i + 1, j, j + 1))


def _segments(kind: Kind, start: int, stop: int, moved: Collection[int]) -> list[tuple[Kind, int, int]]:
    """Split lines start..stop into runs of moved lines, of kind MOVED, and of other lines, of kind `kind`."""
    runs = ((is_moved, list(lines)) for is_moved, lines in groupby(range(start, stop), moved.__contains__))
    return [(Kind.MOVED if is_moved else kind, lines[0], lines[-1] + 1) for is_moved, lines in runs]
