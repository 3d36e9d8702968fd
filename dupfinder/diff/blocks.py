"""The result of a comparison: lines on two sides, blocks that pair them, marks in changed lines, the kind of change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from itertools import chain
from typing import Final

from dupfinder.diff.tokens import CJK
from dupfinder.fingerprint.tokens import NUMBER_CHARACTERS, number_words
from dupfinder.text.normalise import COMBINING_MARKS, normalise

Span = tuple[int, int]
LineMarks = Mapping[int, tuple[Span, ...]]


class BlockKind(StrEnum):
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

    kind: BlockKind
    left_start: int
    left_stop: int
    right_start: int
    right_stop: int

    @property
    def left(self) -> range:
        return range(self.left_start, self.left_stop)

    @property
    def right(self) -> range:
        return range(self.right_start, self.right_stop)


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


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between two texts, counted.

    reworded: changed blocks in which words differ.
    numbers:  changed blocks in which only numbers, dates and amounts differ.
    signs:    changed blocks in which only punctuation differs.
    moved:    passages that are elsewhere on the other side.
    only_left, only_right: lines that one side alone has.
    left_words, right_words: words of that side that differ; a CJK character is a word.
    has_numbers: whether some of these words are numbers.
    """

    reworded: int
    numbers: int
    signs: int
    moved: int
    only_left: int
    only_right: int
    left_words: int
    right_words: int
    has_numbers: bool


TOO_DIFFERENT_SHARE: Final = 0.4
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+")
_OF_WORD: Final = rf"(?:[^\W_{CJK}]|[{COMBINING_MARKS}])"
_WORD: Final = re.compile(rf"[{CJK}]|{_OF_WORD}+(?:['’.,:/\-]{_OF_WORD}+)*")


def changes_of(comparison: TextComparison) -> Changes:
    """Count what differs between two texts."""
    differing = [comparison.blocks[index] for index in comparison.differences]
    texts = [_changed_texts(comparison, block) for block in differing]
    reworded = numbers = signs = 0
    for block, (left, right) in zip(differing, texts, strict=True):
        if block.kind is BlockKind.CHANGED:
            pieces = _PIECE.findall(" ".join((*left, *right)))
            is_reworded = not all(map(_is_number, pieces))
            reworded, numbers = reworded + is_reworded, numbers + (bool(pieces) and not is_reworded)
            signs += not pieces
    left_words, right_words = (_WORD.findall(" ".join(chain(*(both[side] for both in texts)))) for side in (0, 1))
    return Changes(
        reworded, numbers, signs,
        moved=sum(len(block.left) > 0 for block in differing if block.kind is BlockKind.MOVED),
        only_left=sum(len(block.left) for block in differing if block.kind is BlockKind.ONLY_LEFT),
        only_right=sum(len(block.right) for block in differing if block.kind is BlockKind.ONLY_RIGHT),
        left_words=len(left_words),
        right_words=len(right_words),
        has_numbers=any(map(_has_number, (*left_words, *right_words))),
    )  # fmt: skip


def share_changed(comparison: TextComparison) -> float:
    """Return changed characters as a share of all characters of both sides, 0 to 1; 0 for two empty texts.

    Neither spaces nor moved lines count as changed.
    """
    total = sum(map(_weight, (*comparison.left_lines, *comparison.right_lines)))
    changed = sum(map(_weight, chain(*(chain(*_changed_texts(comparison, block)) for block in comparison.blocks))))
    return changed / total if total else 0.0


def change_of(comparison: TextComparison, complete: bool) -> ChangeKind:
    """Return what kind of change the differences are. complete: whether no limit of time or work was reached."""
    if not complete:
        return ChangeKind.GAVE_UP
    differing = [comparison.blocks[index] for index in comparison.differences]
    if not differing:
        return ChangeKind.FORMAT_ONLY
    if (
        len(differing) == 1
        and differing[0] is comparison.blocks[-1]
        and len(comparison.blocks) > 1
        and differing[0].kind in (BlockKind.ONLY_LEFT, BlockKind.ONLY_RIGHT)
    ):
        return ChangeKind.ADDED_TAIL
    if share_changed(comparison) > TOO_DIFFERENT_SHARE:
        return ChangeKind.TOO_DIFFERENT
    if all(block.kind is BlockKind.MOVED for block in differing):
        return ChangeKind.MOVED
    return ChangeKind.NUMBERS_ONLY if _only_numbers(comparison, differing) else ChangeKind.EDITED


def _only_numbers(comparison: TextComparison, differing: Sequence[Block]) -> bool:
    """Tell whether all changes are to numbers, on both sides, and not to punctuation only."""
    if any(block.kind is not BlockKind.CHANGED for block in differing):
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
        piece.isdigit() or normalise(piece) in number_words() or set(piece) <= NUMBER_CHARACTERS
        for piece in _PIECE.findall(text)
    )


def _has_number(word: str) -> bool:
    """Tell whether a word could be a number or a part of one."""
    return normalise(word) in number_words() or any(sign.isdigit() or sign in NUMBER_CHARACTERS for sign in word)


def _changed_texts(comparison: TextComparison, block: Block) -> tuple[list[str], list[str]]:
    """Return (texts that only the left side of a block has, those that only the right side has).

    A SAME or MOVED block has none. A changed line without marks counts in full in a block of several lines,
    and not at all in a block of a single line.
    """
    left_lines, right_lines = comparison.left_lines, comparison.right_lines
    if block.kind is not BlockKind.CHANGED:
        left = [left_lines[line] for line in block.left] if block.kind is BlockKind.ONLY_LEFT else []
        right = [right_lines[line] for line in block.right] if block.kind is BlockKind.ONLY_RIGHT else []
        return left, right
    unmarked = [(0, None)] if max(len(block.left), len(block.right)) > 1 else []
    return (
        [left_lines[i][start:stop] for i in block.left for start, stop in comparison.left_marks.get(i, unmarked)],
        [right_lines[i][start:stop] for i in block.right for start, stop in comparison.right_marks.get(i, unmarked)],
    )


def _weight(text: str) -> int:
    """Count the characters that are not spaces."""
    return len("".join(text.split()))
