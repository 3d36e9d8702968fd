"""Two lines to the words that differ in them (characters in CJK)."""

from __future__ import annotations

from typing import Final

from rapidfuzz.distance import LCSseq

from dupfinder.diff.blocks import Span
from dupfinder.diff.matching import Work
from dupfinder.diff.tokens import Options, Tokens, tokens

Change = tuple[int, int, int, int]
_CRUMB: Final = 3  # characters


def line_marks(left: str, right: str, options: Options, work: Work | None = None) -> tuple[tuple[Span, ...], ...]:
    """Spans of `left` and of `right` that the other does not have. Both whole when `work` does not allow a look."""
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


def _changes(a: Tokens, b: Tokens) -> list[Change]:
    """Token ranges that differ, scattered little words between two larger changes taken in."""
    found = [
        (op.src_start, op.src_end, op.dest_start, op.dest_end)
        for op in LCSseq.opcodes(a.keys, b.keys)
        if op.tag != "equal"
    ]
    merged: list[Change] = []
    for change in _touching_joined(found):
        if merged and _is_crumb(a, merged[-1], change):
            merged[-1] = (merged[-1][0], change[1], merged[-1][2], change[3])
        else:
            merged.append(change)
    return merged


def _touching_joined(changes: list[Change]) -> list[Change]:
    joined: list[Change] = []
    for change in changes:
        if joined and joined[-1][1] == change[0] and joined[-1][3] == change[2]:
            joined[-1] = (joined[-1][0], change[1], joined[-1][2], change[3])
        else:
            joined.append(change)
    return joined


def _is_crumb(a: Tokens, before: Change, after: Change) -> bool:
    """Whether only a letter or three stand between two changes of several words: noise to a reader."""
    between = sum(len(one) for one in a.keys[before[1] : after[0]])
    return between <= _CRUMB and min(_weight(before), _weight(after)) > 1


def _weight(change: Change) -> int:
    """Tokens touched on the richer side."""
    return max(change[1] - change[0], change[3] - change[2])


def _spans(side: Tokens, ranges: list[Span]) -> tuple[Span, ...]:
    """Character spans of token ranges, empty ranges left out."""
    return tuple((side.spans[start][0], side.spans[stop - 1][1]) for start, stop in ranges if stop > start)
