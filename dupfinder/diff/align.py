"""Compare two texts: blocks of lines that are the same, changed, on one side only, or moved.

Equal lines are matched first. Then the lines between them are split at the same places on both sides, and paired where
one is a version of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from dupfinder.base.columns import distinct, starts_of
from dupfinder.diff.blocks import Block, BlockKind, ChangeKind, LineMarks, Span, TextComparison, change_of
from dupfinder.diff.matching import (
    EqualRun,
    Int64s,
    Region,
    WorkBudget,
    longest_common_runs,
    matching_runs,
    regions_between,
    whole_run,
)
from dupfinder.diff.tokens import (
    DiffTokens,
    Numbering,
    Options,
    as_shown,
    before_label,
    key,
    reflow,
    tokens,
    with_equal_numbers,
)

Pair = tuple[int, int]
_CONTEXT: Final = 2  # tokens that must match before and after a line end for the other side to be split there too
# The share of characters that two lines must have in common to count as a changed line: half of the longer line; or,
# for a line that was extended, a quarter of the longer and most of the shorter.
_HALF: Final = 0.5
_ENOUGH_OF_LONGER: Final = 0.25
_ENOUGH_OF_SHORTER: Final = 0.6
_MOST_NOISE: Final = 3  # characters of equal text between two changes that are shown as changed too
_LEAST_MOVED: Final = 20  # characters; shorter lines are not reported as moved, since they often recur by chance
_SENTENCES_UP_TO: Final = 3_000_000  # characters, a thousand pages; longer texts are not split into sentences


@dataclass(frozen=True, slots=True)
class _AlignedLines:
    """Lines of both sides, and the pairs (left, right) of lines that correspond, ascending."""

    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    def add(self, left: Sequence[str], right: Sequence[str], pairs: Sequence[Pair]) -> None:
        """Append lines and their pairs. Line numbers in `pairs` count from the first appended line."""
        i, j = len(self.left), len(self.right)
        self.pairs.extend((i + left_line, j + right_line) for left_line, right_line in pairs)
        self.left.extend(left)
        self.right.extend(right)


@dataclass(frozen=True, slots=True)
class _LineTokens:
    """The lines of one side as a sequence of tokens.

    numbers:       int64 (t,), a number for each token, equal for equal tokens of both sides.
    spans:         (start, stop) of each token in the original line.
    starts:        int64 (lines + 1,), the first token of each line; then t.
    characters_before: int64 (t + 1,), of all tokens before each token.
    """

    lines: list[str]
    numbers: Int64s
    spans: list[Span]
    starts: Int64s
    characters_before: Int64s

    @classmethod
    def of(cls, lines: list[str], options: Options, numbering: Numbering) -> _LineTokens:
        split = [tokens(line, options) for line in lines]
        keys = [token_key for line in split for token_key in line.keys]
        return cls(
            lines=lines,
            numbers=np.array(numbering.of(keys), dtype=np.int64),
            spans=[span for line in split for span in line.spans],
            starts=starts_of([len(line.keys) for line in split]),
            characters_before=starts_of([len(token_key) for token_key in keys]),
        )

    def split_at(self, positions: Int64s) -> _LineTokens:
        """Return the same tokens, with lines also split before the tokens at `positions`."""
        added, _ = distinct(positions[~np.isin(positions, self.starts)])
        lines: list[str] = []
        for line, (first, stop) in zip(self.lines, pairwise(np.searchsorted(added, self.starts)), strict=True):
            cuts = [before_label(line, self.spans[token][0]) for token in added[first:stop].tolist()]
            lines.extend(line[a:b].strip() for a, b in pairwise([0, *cuts, len(line)]))
        return replace(self, lines=lines, starts=np.sort(np.concatenate((self.starts, added))))


@dataclass(frozen=True, slots=True)
class _MatchingRuns:
    """Matching runs as columns, int64 (r,): in run m, length[m] tokens from left[m] on equal those from right[m] on."""

    left: Int64s
    right: Int64s
    length: Int64s

    @classmethod
    def of(cls, runs: list[EqualRun]) -> _MatchingRuns:
        columns = np.array(runs, dtype=np.int64).reshape(-1, 3)
        return cls(columns[:, 0], columns[:, 1], columns[:, 2])

    def swapped(self) -> _MatchingRuns:
        return _MatchingRuns(self.right, self.left, self.length)

    def matches(self, positions: Int64s, low: Int64s, high: Int64s) -> tuple[Int64s, Int64s]:
        """Return the left tokens at `positions` that match a right token, and these right tokens.

        low, high: int64 (r,). Of each run, only tokens at offsets low..high are considered.
        """
        run = np.searchsorted(self.left, positions, "right") - 1
        positions, run = positions[run >= 0], run[run >= 0]
        offset = positions - self.left[run]
        inside = (offset >= low[run]) & (offset <= high[run])
        return positions[inside], self.right[run[inside]] + offset[inside]


def _paired(left: list[str], right: list[str], options: Options, work: WorkBudget) -> _AlignedLines:
    """Pair the lines that are versions of each other. When spaces are ignored, split the lines alike first."""
    if not (left and right and work.take_reading(sum(map(len, left)) + sum(map(len, right)))):
        return _AlignedLines(left, right)
    numbering = Numbering()
    a, b = _LineTokens.of(left, options, numbering), _LineTokens.of(right, options, numbering)
    runs = _MatchingRuns.of(whole_run(a.numbers, b.numbers) or matching_runs(a.numbers, b.numbers, work))
    if not runs.length.size:
        return _AlignedLines(left, right)
    if options.ignore_spaces:
        a, b = _split_alike(a, b, runs)
    return _AlignedLines(a.lines, b.lines, _pairs(a, b, runs))


def _split_alike(a: _LineTokens, b: _LineTokens, runs: _MatchingRuns) -> tuple[_LineTokens, _LineTokens]:
    """Split the lines of each side where the other side's lines end, inside or around the text that both share."""
    low = np.full(len(runs.length), _CONTEXT)
    high = runs.length - _CONTEXT
    # Beside the beginning or end of both texts, one token is context enough.
    if runs.left[0] == 0 and runs.right[0] == 0:
        low[0] = 1
    if runs.left[-1] + runs.length[-1] == len(a.numbers) and runs.right[-1] + runs.length[-1] == len(b.numbers):
        high[-1] = runs.length[-1] - 1
    new = []
    for side, other, matched in ((b, a, runs.swapped()), (a, b, runs)):
        _, inside = matched.matches(side.starts, low, high)
        new.append(np.concatenate((inside, _ends_of_whole_lines(side, other, matched))))
    return a.split_at(new[0]), b.split_at(new[1])


def _ends_of_whole_lines(side: _LineTokens, other: _LineTokens, runs: _MatchingRuns) -> Int64s:
    """Return the tokens of the other side at which lines begin and end that are a small piece of a line there: (m,).

    Larger pieces are paired with the line. Lines of a few tokens are left out, since they may be there by chance.
    runs: with `side` on the left.
    """
    first, sizes = side.starts[:-1], np.diff(side.starts)
    run = np.maximum(np.searchsorted(runs.left, first, "right") - 1, 0)
    offset = first - runs.left[run]
    rows = np.flatnonzero((offset >= 0) & (offset + sizes <= runs.length[run]) & (sizes >= 2 * _CONTEXT))
    begins = (runs.right[run] + offset)[rows]
    line = np.searchsorted(other.starts, begins, "right") - 1
    characters, longer = np.diff(side.characters_before[side.starts]), np.diff(other.characters_before[other.starts])
    small = characters[rows] < _ENOUGH_OF_LONGER * longer[line]
    return np.concatenate((begins, begins + sizes[rows]))[np.tile(small, 2)]


def _pairs(a: _LineTokens, b: _LineTokens, runs: _MatchingRuns) -> list[Pair]:
    """Return the lines that share most with each other, enough to be versions. Pairs do not cross, as runs do not."""
    common: dict[Pair, int] = {}
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
        if best_left[j][1] == i and _is_enough(weight, _characters(a, i), _characters(b, j))
    )


def _shared_pieces(a: _LineTokens, b: _LineTokens, runs: _MatchingRuns) -> list[tuple[int, int, int]]:
    """Split the runs at the line ends of both sides: (left line, right line, characters in common)."""
    zeros = np.zeros_like(runs.length)
    inner_left, _ = runs.matches(a.starts, zeros, runs.length - 1)
    _, inner_right = runs.swapped().matches(b.starts, zeros, runs.length - 1)
    begin, _ = distinct(np.concatenate((runs.left, inner_left, inner_right)))
    run = np.searchsorted(runs.left, begin, "right") - 1
    run_stop = (runs.left + runs.length)[run]
    stop = np.minimum(np.append(begin[1:], run_stop[-1]), run_stop)
    left = np.searchsorted(a.starts, begin, "right") - 1
    right = np.searchsorted(b.starts, runs.right[run] + begin - runs.left[run], "right") - 1
    characters = a.characters_before[stop] - a.characters_before[begin]
    return list(zip(left.tolist(), right.tolist(), characters.tolist(), strict=True))


def _characters(side: _LineTokens, line: int) -> int:
    return int(side.characters_before[side.starts[line + 1]] - side.characters_before[side.starts[line]])


def _is_enough(common: int, left: int, right: int) -> bool:
    """Tell whether lines of `left` and `right` characters share enough of them to be versions."""
    shorter, longer = sorted((left, right))
    lengthened = common >= _ENOUGH_OF_LONGER * longer and common >= _ENOUGH_OF_SHORTER * shorter
    return lengthened or common >= _HALF * longer


def line_marks(left: str, right: str, options: Options, work: WorkBudget | None = None) -> tuple[tuple[Span, ...], ...]:
    """Return the spans of `left` and of `right` that differ. Both lines in full when `work` is used up."""
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


def _changes(a: DiffTokens, b: DiffTokens) -> list[Region]:
    """Return the token ranges that differ. Changes of several tokens with few equal letters between them are joined."""
    changes: list[Region] = []
    numbering = Numbering()
    runs = longest_common_runs(numbering.of(a.keys), numbering.of(b.keys))
    for region in regions_between(runs, (0, len(a.keys), 0, len(b.keys))):
        if _size(region) and changes and _is_noise(a, changes[-1], region):
            changes[-1] = (changes[-1][0], region[1], changes[-1][2], region[3])
        elif _size(region):
            changes.append(region)
    return changes


def _is_noise(a: DiffTokens, before: Region, after: Region) -> bool:
    """Tell whether the equal text between two changes of several words is too short to be worth showing."""
    equal = sum(len(token_key) for token_key in a.keys[before[1] : after[0]])
    return equal <= _MOST_NOISE and min(_size(before), _size(after)) > 1


def _size(change: Region) -> int:
    """Count the tokens of a change, on the side that has more."""
    return max(change[1] - change[0], change[3] - change[2])


def _spans(side: DiffTokens, ranges: list[Span]) -> tuple[Span, ...]:
    """Return the character spans of token ranges, without empty ranges."""
    return tuple((side.spans[start][0], side.spans[stop - 1][1]) for start, stop in ranges if stop > start)


def compare_texts(
    left: str,
    right: str,
    options: Options = Options(),  # noqa: B008 - frozen
    *,
    wrap: tuple[bool, bool] = (True, True),
) -> TextComparison:
    """Compare two texts by lines, for about `options.seconds`; the rest is in coarse blocks without marks.

    wrap: whether a line of each text may end within a paragraph.
    """
    left, right = with_equal_numbers(left, right)
    left_lines = _lines(left, options, wrap[0])
    if left == right:
        same = (Block(BlockKind.SAME, 0, len(left_lines), 0, len(left_lines)),) if left_lines else ()
        shown = tuple(map(as_shown, left_lines))
        return TextComparison(shown, shown, same, ChangeKind.IDENTICAL)
    right_lines = _lines(right, options, wrap[1])
    work = WorkBudget.for_seconds(options.seconds)
    key_of = cache(partial(key, options=options))  # most lines are on both sides, and each is looked at twice
    return _comparison_of(_align(left_lines, right_lines, key_of, options, work), key_of, options, work)


def _lines(text: str, options: Options, wraps: bool) -> list[str]:
    """Return the lines to compare: sentences when spaces are ignored, else the lines of the text."""
    if not options.ignore_spaces:
        return text.splitlines()
    if len(text) > _SENTENCES_UP_TO:
        return [line for raw in text.splitlines() if (line := " ".join(raw.split()))]
    return list(_sentences(text, wraps=wraps))


# Cached, since people compare the kept copy with each version, and one pair under several options.
_sentences = lru_cache(maxsize=4)(reflow)


def _align(
    left: list[str], right: list[str], key_of: Callable[[str], str], options: Options, work: WorkBudget
) -> _AlignedLines:
    """Align both texts: first lines with equal keys, then the lines between them."""
    aligned, numbering = _AlignedLines(), Numbering()
    a, b = (np.array(numbering.of(map(key_of, lines)), np.int64) for lines in (left, right))
    i = j = 0
    runs = whole_run(a, b) or matching_runs(a, b, work)
    for run_i, run_j, length in [*runs, (len(left), len(right), 0)]:
        between = _paired(left[i:run_i], right[j:run_j], options, work)
        aligned.add(between.left, between.right, between.pairs)
        i, j = run_i + length, run_j + length
        aligned.add(left[run_i:i], right[run_j:j], [(line, line) for line in range(length)])
    return aligned


def _comparison_of(
    aligned: _AlignedLines, key_of: Callable[[str], str], options: Options, work: WorkBudget
) -> TextComparison:
    """Return the comparison of aligned texts: blocks, marks and kind of change."""
    left_keys, right_keys = list(map(key_of, aligned.left)), list(map(key_of, aligned.right))
    blocks = _blocks(aligned.pairs, left_keys, right_keys)
    marks = [_marks(block, aligned, options, work) for block in blocks if block.kind is BlockKind.CHANGED]
    comparison = TextComparison(
        left_lines=tuple(map(as_shown, aligned.left)),
        right_lines=tuple(map(as_shown, aligned.right)),
        blocks=tuple(blocks),
        change=ChangeKind.EDITED,
        left_marks={line: spans for left, _ in marks for line, spans in left.items()},
        right_marks={line: spans for _, right in marks for line, spans in right.items()},
        differences=tuple(index for index, block in enumerate(blocks) if block.kind is not BlockKind.SAME),
    )
    return replace(comparison, change=change_of(comparison, work.complete))


def _marks(block: Block, aligned: _AlignedLines, options: Options, work: WorkBudget) -> tuple[LineMarks, LineMarks]:
    """Return the words that differ in a changed line, or the lines of a rewritten passage in full.

    A passage gets no marks when the work was not finished, because its lines may not have been paired yet.
    """
    lefts, rights = block.left, block.right
    if len(lefts) == 1 and len(rights) == 1:
        left, right = line_marks(aligned.left[lefts[0]], aligned.right[rights[0]], options, work)
        return {lefts[0]: left} if left else {}, {rights[0]: right} if right else {}
    if not work.complete:
        return {}, {}
    return {i: ((0, len(aligned.left[i])),) for i in lefts}, {j: ((0, len(aligned.right[j])),) for j in rights}


def _moved(pairs: list[Pair], left_keys: list[str], right_keys: list[str]) -> tuple[set[int], set[int]]:
    """Return the left and the right lines that moved: long ones, once among the unpaired lines of each side."""
    lines_of: dict[str, tuple[list[int], list[int]]] = {}
    for side, keys in enumerate((left_keys, right_keys)):
        paired = {pair[side] for pair in pairs}
        for line, line_key in enumerate(keys):
            if line not in paired and len(line_key) >= _LEAST_MOVED:
                lines_of.setdefault(line_key, ([], []))[side].append(line)
    moves = [(left[0], right[0]) for left, right in lines_of.values() if len(left) == 1 and len(right) == 1]
    return {left for left, _ in moves}, {right for _, right in moves}


def _blocks(pairs: list[Pair], left_keys: list[str], right_keys: list[str]) -> list[Block]:
    """Return the pairs and the lines between them as blocks without gaps. Adjacent equal lines form one block."""
    moved = _moved(pairs, left_keys, right_keys)
    blocks: list[Block] = []
    i = j = 0
    for left, right in pairs:
        blocks += _unpaired((i, left, j, right), *moved)
        _append_pair(blocks, left, right, left_keys[left] == right_keys[right])
        i, j = left + 1, right + 1
    return blocks + _unpaired((i, len(left_keys), j, len(right_keys)), *moved)


def _unpaired(region: Region, moved_left: set[int], moved_right: set[int]) -> list[Block]:
    """Return lines without partners as blocks: CHANGED where both sides have some, and none are moved."""
    left_start, left_stop, right_start, right_stop = region
    lefts = _segments(BlockKind.ONLY_LEFT, left_start, left_stop, moved_left)
    rights = _segments(BlockKind.ONLY_RIGHT, right_start, right_stop, moved_right)
    if [kind for kind, _, _ in (*lefts, *rights)] == [BlockKind.ONLY_LEFT, BlockKind.ONLY_RIGHT]:
        return [Block(BlockKind.CHANGED, *region)]
    return [
        *(Block(kind, start, stop, right_start, right_start) for kind, start, stop in lefts),
        *(Block(kind, left_stop, left_stop, start, stop) for kind, start, stop in rights),
    ]


def _append_pair(blocks: list[Block], i: int, j: int, same: bool) -> None:
    """Append left line i and right line j, to the last block if both are SAME."""
    last = blocks[-1] if blocks else None
    if same and last is not None and last.kind is BlockKind.SAME:
        blocks[-1] = Block(BlockKind.SAME, last.left_start, i + 1, last.right_start, j + 1)
    else:
        blocks.append(Block(BlockKind.SAME if same else BlockKind.CHANGED, i, i + 1, j, j + 1))


def _segments(kind: BlockKind, start: int, stop: int, moved: Collection[int]) -> list[tuple[BlockKind, int, int]]:
    """Split lines start..stop into runs of moved lines, of kind MOVED, and of other lines, of kind `kind`."""
    runs = ((is_moved, list(lines)) for is_moved, lines in groupby(range(start, stop), moved.__contains__))
    return [(BlockKind.MOVED if is_moved else kind, lines[0], lines[-1] + 1) for is_moved, lines in runs]
