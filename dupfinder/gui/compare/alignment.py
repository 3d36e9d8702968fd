"""Align two texts of unequal length, so that two panes scroll together. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dupfinder.diff.blocks import Block

Pixels = NDArray[np.float64]


class Alignment:
    """One scroll axis for two texts.

    Each block has the height of its taller side on the axis; positions within a block are interpolated. During an
    insertion one pane scrolls and the other does not.
    left_tops, right_tops: float64 (lines + 1,), y of the top of each line in pixels, and the total height.
    """

    def __init__(self, blocks: Sequence[Block], left_tops: Pixels, right_tops: Pixels) -> None:
        starts = np.array([(b.left_start, b.right_start) for b in blocks], np.intp).reshape(-1, 2)
        ends = np.array([(b.left_stop, b.right_stop) for b in blocks], np.intp).reshape(-1, 2)
        tops = (left_tops, right_tops)
        heights = [tops[side][ends[:, side]] - tops[side][starts[:, side]] for side in (0, 1)]
        self._axis: Pixels = np.concatenate(([0.0], np.cumsum(np.maximum(heights[0], heights[1]))))
        self._sides: tuple[Pixels, Pixels] = (
            np.concatenate((left_tops[starts[:, 0]], left_tops[-1:])),
            np.concatenate((right_tops[starts[:, 1]], right_tops[-1:])),
        )

    @property
    def length(self) -> float:
        """The height of the axis, in pixels."""
        return float(self._axis[-1])

    def of_axis(self, side: int, position: float) -> float:
        """Return the y in one text that corresponds to `position` of the axis."""
        return float(np.interp(position, self._axis, self._sides[side]))

    def to_axis(self, side: int, y: float) -> float:
        """Return a position of the axis that corresponds to `y` of one text."""
        knots = self._sides[side]
        at = int(np.clip(np.searchsorted(knots, y, side="right") - 1, 0, len(knots) - 2)) if len(knots) > 1 else 0
        if len(knots) < 2:
            return 0.0
        low, high = float(knots[at]), float(knots[at + 1])
        share = (y - low) / (high - low) if high > low else 0.0
        return float(self._axis[at] + min(max(share, 0.0), 1.0) * (self._axis[at + 1] - self._axis[at]))

    def block_span(self, block: int) -> tuple[float, float]:
        """Return (top, bottom) of a block on the axis."""
        return float(self._axis[block]), float(self._axis[block + 1])

    def spans(self, blocks: Sequence[int]) -> tuple[Pixels, Pixels]:
        """Return (tops, bottoms) of many blocks on the axis."""
        chosen = np.asarray(blocks, np.intp)
        return self._axis[chosen], self._axis[chosen + 1]

    def block_at(self, position: float) -> int:
        """Return the block at a position of the axis."""
        last = max(0, len(self._axis) - 2)
        return int(np.clip(np.searchsorted(self._axis, position, side="right") - 1, 0, last))

    def offsets(self, scroll: float, viewport: float) -> tuple[float, float]:
        """Return the scroll positions of both panes for one of the axis: (left, right), in pixels.

        The texts are aligned at the middle of the viewport; towards the two ends the aligned point moves to the edge,
        so that both first lines and both last lines can be reached.
        """
        room = max(0.0, self.length - viewport)
        scroll = min(max(scroll, 0.0), room)
        point = _point_of_agreement(scroll, room, viewport)
        left, right = (self.of_axis(side, scroll + point) - point for side in (0, 1))
        return max(0.0, left), max(0.0, right)


def _point_of_agreement(scroll: float, room: float, viewport: float) -> float:
    """Return where in the viewport, in pixels from its top, the two texts are aligned."""
    if room <= 0:
        return 0.0
    if room < viewport:
        return scroll / room * viewport
    half = viewport / 2
    return max(min(half, scroll), viewport - (room - scroll))


def lines_of(block: Block, side: int) -> tuple[int, int]:
    """Return (first line, line after the last) of a block on side 0 (left) or 1 (right)."""
    return (block.right_start, block.right_stop) if side else (block.left_start, block.left_stop)
