"""The result of a comparison: lines on two sides, blocks that pair them, marks in changed lines, the kind of change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from itertools import chain
from typing import Final

from dupfinder.fingerprint.tokens import NUMBER_CHARACTERS, NUMBER_WORDS

Span = tuple[int, int]
LineMarks = Mapping[int, tuple[Span, ...]]


class Kind(StrEnum):
    """The kind of a block. MOVED: its lines are elsewhere on the other side."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"
    MOVED = "moved"


class ChangeKind(Enum):
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
    CHANGED: one line on each side, or several rewritten ones, at least one on each side.
    """

    kind: Kind
    left_start: int
    left_stop: int
    right_start: int
    right_stop: int


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Two texts side by side.

    left_lines, right_lines: what to show. When spaces are ignored these are sentences, split alike on both sides.
    blocks:       in order, covering all lines of both sides.
    left_marks, right_marks: line number -> (start, stop) character spans that differ, ascending and disjoint, for the
                  lines of CHANGED blocks. A changed line without an entry was not examined, or differs only by
                  what is marked on the other side.
    differences:  indices into `blocks` of those that are not SAME.
    """

    left_lines: tuple[str, ...]
    right_lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    change: ChangeKind
    left_marks: LineMarks = field(default_factory=dict)
    right_marks: LineMarks = field(default_factory=dict)
    differences: tuple[int, ...] = ()


TOO_DIFFERENT_SHARE: Final = 0.4
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+")


def share_changed(comparison: TextComparison) -> float:
    """Return changed characters as a share of all characters of both sides, 0 to 1; 0 for two empty texts.

    Neither spaces nor moved lines count as changed.
    """
    total = changed = 0
    for lines, marks, only_here, is_left in (
        (comparison.left_lines, comparison.left_marks, Kind.ONLY_LEFT, True),
        (comparison.right_lines, comparison.right_marks, Kind.ONLY_RIGHT, False),
    ):
        total += sum(map(_weight, lines))
        for block in comparison.blocks:
            if block.kind is only_here:
                changed += sum(_weight(lines[line]) for line in _lines(block, is_left))
            elif block.kind is Kind.CHANGED:
                changed += sum(_marked_weight(lines, marks, block, line) for line in _lines(block, is_left))
    return changed / total if total else 0.0


def change_of(comparison: TextComparison, complete: bool) -> ChangeKind:
    """Return what kind of change the differences are. complete: no limit was reached."""
    if not complete:
        return ChangeKind.GAVE_UP
    differing = [comparison.blocks[index] for index in comparison.differences]
    if not differing:
        return ChangeKind.FORMAT_ONLY
    if (
        len(differing) == 1
        and differing[0] is comparison.blocks[-1]
        and len(comparison.blocks) > 1
        and differing[0].kind in (Kind.ONLY_LEFT, Kind.ONLY_RIGHT)
    ):
        return ChangeKind.ADDED_TAIL
    if share_changed(comparison) > TOO_DIFFERENT_SHARE:
        return ChangeKind.TOO_DIFFERENT
    if all(block.kind is Kind.MOVED for block in differing):
        return ChangeKind.MOVED
    return ChangeKind.NUMBERS_ONLY if _only_numbers(comparison, differing) else ChangeKind.EDITED


def _only_numbers(comparison: TextComparison, differing: Sequence[Block]) -> bool:
    """Tell whether all changes are to numbers, on both sides, and not to punctuation only."""
    if any(block.kind is not Kind.CHANGED for block in differing):
        return False
    left = _marked(comparison.left_lines, comparison.left_marks)
    right = _marked(comparison.right_lines, comparison.right_marks)
    has_words_or_digits = any(_PIECE.search(text) for text in chain(left, right))
    return bool(left and right) and has_words_or_digits and all(map(_is_number, chain(left, right)))


def _marked(lines: Sequence[str], marks: LineMarks) -> list[str]:
    """Return the marked pieces of text."""
    return [lines[line][start:stop] for line, spans in marks.items() for start, stop in spans]


def _is_number(text: str) -> bool:
    """Tell whether `text` consists of numbers, dates, amounts and punctuation only."""
    return all(
        piece.isdigit() or piece.casefold() in NUMBER_WORDS or set(piece) <= NUMBER_CHARACTERS
        for piece in _PIECE.findall(text)
    )


def _lines(block: Block, is_left: bool) -> range:
    """Return the lines of a block on the left or right side."""
    return range(block.left_start, block.left_stop) if is_left else range(block.right_start, block.right_stop)


def _marked_weight(lines: Sequence[str], marks: LineMarks, block: Block, line: int) -> int:
    """Count the changed characters of a line in a CHANGED block.

    A line without marks counts in full in a block of several lines, and not at all in a block of a single line.
    """
    if line in marks:
        return sum(_weight(lines[line][start:stop]) for start, stop in marks[line])
    has_several = block.left_stop - block.left_start > 1 or block.right_stop - block.right_start > 1
    return _weight(lines[line]) if has_several else 0


def _weight(text: str) -> int:
    """Count the characters that are not spaces."""
    return len("".join(text.split()))
