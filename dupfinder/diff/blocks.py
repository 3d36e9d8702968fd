"""The result of a comparison: lines on two sides, blocks that pair them, and marks inside changed lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

Span = tuple[int, int]
Marks = Mapping[int, tuple[Span, ...]]


class Kind(StrEnum):
    """The kind of a block. MOVED: its lines are elsewhere on the other side (see Comparison.moves)."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"
    MOVED = "moved"


class Verdict(Enum):
    """The kind of difference between two texts.

    IDENTICAL:     the same text, character by character.
    FORMAT_ONLY:   the same except for what the options ignore.
    NUMBERS_ONLY:  only numbers, dates and amounts differ.
    ADDED_TAIL:    one side continues after the end of the other.
    MOVED:         the same sentences, some in another position.
    EDITED:        any other change.
    TOO_DIFFERENT: more than 40 % changed; a line-by-line view is of little use.
    GAVE_UP:       the time limit was reached; some blocks are coarse and have no marks.
    """

    IDENTICAL = "identical"
    FORMAT_ONLY = "format_only"
    NUMBERS_ONLY = "numbers_only"
    ADDED_TAIL = "added_tail"
    MOVED = "moved"
    EDITED = "edited"
    TOO_DIFFERENT = "too_different"
    GAVE_UP = "gave_up"


@dataclass(frozen=True, slots=True)
class Block:
    """Corresponding lines: left_start..left_stop and right_start..right_stop (stops excluded).

    Blocks follow each other without a gap on both sides. SAME: equally many lines, pairwise the same.
    CHANGED: one line on each side, or a rewritten passage, with any number of lines (at least one) on each side.
    """

    kind: Kind
    left_start: int
    left_stop: int
    right_start: int
    right_stop: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts side by side.

    left_lines, right_lines: what to show. When spaces are ignored these are sentences, split alike on both sides.
    blocks:       in order, covering all lines of both sides.
    left_marks, right_marks: line number -> (start, stop) character spans that differ, ascending and disjoint, for the
                  lines of CHANGED blocks. A changed line without an entry was not examined, or differs only by
                  what is marked on the other side.
    differences:  indices into `blocks` of those that are not SAME.
    moves:        (left line, right line) of the lines in MOVED blocks, ascending by left line.
    share_changed: changed characters by all characters of both sides, without spaces, 0..1. Moved lines do not count.
    """

    left_lines: tuple[str, ...]
    right_lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    verdict: Verdict
    left_marks: Marks = field(default_factory=dict)
    right_marks: Marks = field(default_factory=dict)
    differences: tuple[int, ...] = ()
    moves: tuple[tuple[int, int], ...] = ()
    share_changed: float = 0.0
