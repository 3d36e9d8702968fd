"""Blocks and marks to a verdict: what kind of difference this is, and how much of the text it touches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from dupfinder.diff.blocks import Block, Comparison, Kind, Marks, Verdict
from dupfinder.fingerprint.trace import NUMBER_CHARACTERS, NUMBER_WORDS

TOO_DIFFERENT_SHARE: Final = 0.4
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+")


def classify(found: Comparison, complete: bool) -> Comparison:
    """`found` with its verdict and share of changed characters. `complete`: no limit was reached."""
    share = share_changed(found)
    return replace(found, verdict=_verdict(found, share, complete), share_changed=share)


def share_changed(found: Comparison) -> float:
    """Changed characters of both sides by all characters of both sides, spaces not counted; 0 for two empty texts."""
    total = changed = 0
    for lines, marks, side in (
        (found.left_lines, found.left_marks, Kind.ONLY_LEFT),
        (found.right_lines, found.right_marks, Kind.ONLY_RIGHT),
    ):
        total += sum(map(_weight, lines))
        for block in found.blocks:
            if block.kind is side:
                changed += sum(_weight(lines[line]) for line in _lines(block, side))
            elif block.kind is Kind.CHANGED:
                changed += sum(_marked_weight(lines, marks, block, line) for line in _lines(block, side))
    return changed / total if total else 0.0


def _verdict(found: Comparison, share: float, complete: bool) -> Verdict:
    if not complete:
        return Verdict.GAVE_UP
    differing = [found.blocks[index] for index in found.differences]
    if not differing:
        return Verdict.FORMAT_ONLY
    if (
        len(differing) == 1
        and differing[0] is found.blocks[-1]
        and len(found.blocks) > 1
        and _is_one_sided(differing[0])
    ):
        return Verdict.ADDED_TAIL
    if share > TOO_DIFFERENT_SHARE:
        return Verdict.TOO_DIFFERENT
    if all(block.kind is Kind.MOVED for block in differing):
        return Verdict.MOVED
    return Verdict.NUMBERS_ONLY if _only_numbers(found, differing) else Verdict.EDITED


def _is_one_sided(block: Block) -> bool:
    return block.kind in (Kind.ONLY_LEFT, Kind.ONLY_RIGHT)


def _only_numbers(found: Comparison, differing: Sequence[Block]) -> bool:
    if any(block.kind is not Kind.CHANGED for block in differing):
        return False
    sides = _marked(found.left_lines, found.left_marks), _marked(found.right_lines, found.right_marks)
    signs_alone = not any(_PIECE.search(text) for text in chain(*sides))
    return all(map(_is_number, chain(*sides))) and all(sides) and not signs_alone


def _marked(lines: Sequence[str], marks: Marks) -> list[str]:
    return [lines[line][start:stop] for line, spans in marks.items() for start, stop in spans]


def _is_number(text: str) -> bool:
    """Whether nothing but numbers, dates, amounts and signs stands in `text`."""
    return all(
        piece.isdigit() or piece.casefold() in NUMBER_WORDS or set(piece) <= NUMBER_CHARACTERS
        for piece in _PIECE.findall(text)
    )


def _lines(block: Block, side: Kind) -> range:
    if side is Kind.ONLY_LEFT:
        return range(block.left_start, block.left_stop)
    return range(block.right_start, block.right_stop)


def _marked_weight(lines: Sequence[str], marks: Marks, block: Block, line: int) -> int:
    """Changed characters of a line of a CHANGED block; a line of a passage that was not looked into counts whole."""
    if line in marks:
        return sum(_weight(lines[line][start:stop]) for start, stop in marks[line])
    is_single = block.left_stop - block.left_start == 1 == block.right_stop - block.right_start
    return 0 if is_single else _weight(lines[line])


def _weight(text: str) -> int:
    return len("".join(text.split()))
