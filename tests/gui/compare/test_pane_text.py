"""Panes of unequal length follow one axis."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.diff.blocks import Block, BlockKind
from dupfinder.gui.compare.pane_text import ScrollAxis, lines_of

ROW = 20.0


def blocks_of(sizes: list[tuple[int, int]]) -> list[Block]:
    blocks, i, j = [], 0, 0
    for left, right in sizes:
        kind = (
            BlockKind.SAME
            if left == right
            else BlockKind.ONLY_LEFT
            if not right
            else BlockKind.ONLY_RIGHT
            if not left
            else BlockKind.CHANGED
        )
        blocks.append(Block(kind, i, i + left, j, j + right))
        i, j = i + left, j + right
    return blocks


def axis_of(sizes: list[tuple[int, int]]) -> ScrollAxis:
    left, right = (sum(size[side] for size in sizes) for side in (0, 1))
    return ScrollAxis(blocks_of(sizes), *(np.arange(lines + 1, dtype=np.float64) * ROW for lines in (left, right)))


any_sizes = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40)).filter(lambda size: sum(size) > 0), min_size=1, max_size=30
)


@given(any_sizes, st.floats(0, 1), st.floats(100, 900))
def test_no_pane_is_scrolled_out_of_its_text(sizes: list[tuple[int, int]], share: float, viewport: float) -> None:
    axis = axis_of(sizes)
    offsets = axis.offsets(share * max(0.0, axis.length - viewport), viewport)
    for side in (0, 1):
        assert 0.0 <= offsets[side] <= sum(size[side] for size in sizes) * ROW


@given(any_sizes, st.floats(100, 900))
def test_both_first_and_both_last_lines_can_be_reached(sizes: list[tuple[int, int]], viewport: float) -> None:
    axis = axis_of(sizes)
    assert axis.offsets(0.0, viewport) == (0.0, 0.0)
    end = axis.offsets(axis.length, viewport)
    for side in (0, 1):
        height = sum(size[side] for size in sizes) * ROW
        assert abs(end[side] - max(0.0, height - viewport)) < 1e-6 or axis.length <= viewport


@given(any_sizes)
def test_each_block_begins_at_one_place_of_the_axis_on_both_sides(sizes: list[tuple[int, int]]) -> None:
    axis = axis_of(sizes)
    for at, block in enumerate(blocks_of(sizes)):
        top, bottom = axis.block_span(at)
        for side in (0, 1):
            start, stop = lines_of(block, side)
            assert abs(axis.of_axis(side, top) - start * ROW) < 1e-6
            if bottom > top:
                assert abs(axis.of_axis(side, bottom) - stop * ROW) < 1e-6
        assert axis.block_at((top + bottom) / 2) == at


def test_in_the_middle_the_texts_agree_at_the_middle_of_the_viewport() -> None:
    axis = axis_of([(100, 100), (0, 60), (100, 100), (40, 0), (100, 100)])
    scroll, viewport = 2_600.0, 400.0
    left, right = axis.offsets(scroll, viewport)
    middle = scroll + viewport / 2
    assert left + viewport / 2 == axis.of_axis(0, middle)
    assert right + viewport / 2 == axis.of_axis(1, middle)


def test_an_insertion_opens_on_one_side_while_the_other_stands_still() -> None:
    axis = axis_of([(10, 10), (0, 50), (10, 10)])
    assert axis.of_axis(0, 10 * ROW) == axis.of_axis(0, 60 * ROW) == 10 * ROW
    assert axis.of_axis(1, 60 * ROW) == 60 * ROW
    assert axis.length == 70 * ROW


def test_a_position_of_a_text_is_found_again_on_the_axis() -> None:
    axis = axis_of([(10, 10), (0, 50), (10, 10)])
    for y in (0.0, 35.0, 205.0, 399.0):
        assert abs(axis.of_axis(0, axis.to_axis(0, y)) - y) < 1e-6


def test_an_axis_of_empty_texts_has_no_length() -> None:
    axis = ScrollAxis((), np.zeros(1), np.zeros(1))
    assert axis.length == 0.0
    assert axis.offsets(50.0, 300.0) == (0.0, 0.0)
