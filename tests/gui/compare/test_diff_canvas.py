"""The two texts side by side."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.diff.align import compare_texts
from dupfinder.diff.blocks import TextComparison
from dupfinder.gui.compare.comparison_view import OverviewRuler
from dupfinder.gui.compare.diff_canvas import AFTER_NUMBER, GUTTER, DiffCanvas
from dupfinder.gui.compare.pane_text import Caret, PaneText, TextSelection
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from tests.gui.scanned import AGREEMENT, CHANGED
from tests.gui.widgets import put_up


def long_pair() -> TextComparison:
    left = [f"Sentence number {number} of a text that goes on for a while." for number in range(300)]
    right = [*left[:100], *(f"Added sentence {number} stands only here." for number in range(40)), *left[100:]]
    right[250] = "This one is another."
    return compare_texts("\n".join(left), "\n".join(right))


def canvas_with(pair: TextComparison, qtbot: QtBot, theme: Theme) -> DiffCanvas:
    canvas = DiffCanvas(Drawing(theme))
    qtbot.addWidget(canvas)
    canvas.resize(1000, 400)
    canvas.show_pair(pair)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.grab()
    return canvas


def test_every_difference_can_be_visited_in_turn(qtbot: QtBot, theme: Theme) -> None:
    pair = compare_texts("\n".join(AGREEMENT), "\n".join(CHANGED))
    canvas = canvas_with(pair, qtbot, theme)
    assert canvas.current == 0
    seen = [canvas.current]
    for _ in range(len(pair.differences) + 2):
        canvas.step(1)
        seen.append(canvas.current)
    assert sorted(set(seen)) == list(range(len(pair.differences)))
    assert canvas.current == len(pair.differences) - 1
    canvas.step(-1)
    assert canvas.current == len(pair.differences) - 2


def test_going_to_a_difference_brings_it_into_view_on_both_sides(qtbot: QtBot, theme: Theme) -> None:
    pair = long_pair()
    canvas = canvas_with(pair, qtbot, theme)
    for number in range(2):
        canvas.go_to(number)
        top, bottom = canvas.panes.axis.block_span(pair.differences[number])
        assert canvas.panes.scroll <= bottom and top <= canvas.panes.scroll + canvas.height()


def test_the_wheel_moves_both_texts_and_shift_moves_one_alone(qtbot: QtBot, theme: Theme) -> None:
    canvas = canvas_with(long_pair(), qtbot, theme)
    canvas.scroll_to(0)
    before = canvas.panes.offsets()
    _wheel(canvas, QPointF(900, 100), Qt.KeyboardModifier.NoModifier)
    both = canvas.panes.offsets()
    assert both[0] > before[0] and both[1] > before[1]
    _wheel(canvas, QPointF(900, 100), Qt.KeyboardModifier.ShiftModifier)
    offsets = canvas.panes.offsets()
    assert offsets[0] == both[0] and offsets[1] > both[1]


def _wheel(canvas: DiffCanvas, where: QPointF, held: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        where, canvas.mapToGlobal(where), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton, held,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)


def test_end_and_home_reach_the_last_and_the_first_line(qtbot: QtBot, theme: Theme) -> None:
    canvas = canvas_with(long_pair(), qtbot, theme)
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert canvas.panes.scroll == canvas.panes.longest_scroll() > 0
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert canvas.panes.scroll == 0


def test_text_that_is_dragged_over_can_be_copied(qtbot: QtBot, theme: Theme) -> None:
    canvas = canvas_with(compare_texts("\n".join(AGREEMENT), "\n".join(CHANGED)), qtbot, theme)
    canvas.scroll_to(0)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(52, 8))
    qtbot.mouseMove(canvas, QPoint(480, 8))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(480, 8))
    qtbot.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == AGREEMENT[0]


def test_markup_in_a_document_is_shown_as_it_is_written(qtbot: QtBot, theme: Theme) -> None:
    hostile = '<img src="file:///dev/zero"><b>bold</b>'
    canvas = canvas_with(compare_texts(hostile, hostile + " more"), qtbot, theme)
    canvas.select_all(0)
    assert canvas.selected_text() == hostile


def test_a_click_into_a_changed_line_makes_it_the_current_difference(qtbot: QtBot, theme: Theme) -> None:
    pair = long_pair()
    canvas = canvas_with(pair, qtbot, theme)
    canvas.go_to(1)
    canvas.go_to(0)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(900, canvas.height() // 2))
    assert canvas.current == 0


def test_a_click_on_the_ruler_goes_there(qtbot: QtBot, theme: Theme) -> None:
    canvas = canvas_with(long_pair(), qtbot, theme)
    ruler = put_up(OverviewRuler(canvas, Drawing(theme)), qtbot, 14, 400)
    qtbot.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(7, 396))
    assert canvas.panes.scroll == canvas.panes.longest_scroll()
    ruler.grab()


def test_line_numbers_of_a_very_long_text_have_room(qtbot: QtBot, theme: Theme) -> None:
    canvas = canvas_with(compare_texts("", "\n".join(map(str, range(139_000)))), qtbot, theme)
    assert Drawing(theme).metrics("small").horizontalAdvance("139000") <= canvas.panes.gutter - AFTER_NUMBER
    canvas.show_pair(long_pair())
    assert canvas.panes.gutter == GUTTER


def test_ten_thousand_lines_are_laid_out_only_where_they_are_seen(qtbot: QtBot, theme: Theme) -> None:
    lines = [f"Line {number} " + "word " * (number % 60) for number in range(10_000)]
    pane = PaneText(lines, {})
    theme = theme
    pane.fit(theme.font(), 400.0, 23.0)
    pane.measure(50_000.0, 500.0)
    assert len(pane.visible(50_000.0, 500.0)) <= 30
    assert len(pane._layouts) <= 40


def test_estimated_heights_become_true_where_the_text_is_seen(qtbot: QtBot, theme: Theme) -> None:
    pane = PaneText(["i" * 300, "W" * 300, "合同" * 100], {})
    pane.fit(theme.font(), 300.0, 20.0)
    while pane.measure(0.0, 10_000.0):
        pass
    for line in range(3):
        assert pane.tops[line + 1] - pane.tops[line] == 20.0 * pane.layout(line).lineCount()


def test_spans_after_a_sign_beyond_the_basic_plane_are_marked_where_they_stand(qtbot: QtBot, theme: Theme) -> None:
    pane = PaneText(["𠀀𠀁 old text", "ab old text"], {0: ((3, 6),), 1: ((3, 6),)})
    pane.fit(theme.font(), 600.0, 20.0)
    ((left, right, _),) = pane.boxes(0, 3, 6)
    ((plain_left, plain_right, _),) = pane.boxes(1, 3, 6)
    assert abs((right - left) - (plain_right - plain_left)) < 1.0
    assert pane.position_at(0, (left + right) / 2, 5.0) in (4, 5)


def test_a_selection_may_run_over_several_lines_and_backwards() -> None:
    lines = ("one", "two", "three")
    selection = TextSelection.empty_at(0, Caret(2, 2)).to(Caret(0, 1))
    assert selection.text(lines) == "ne\ntwo\nth"
    assert selection.spans(0, 1, lines) == [(0, 3)]
    assert selection.spans(1, 1, lines) == []
    assert TextSelection.of_word(0, Caret(2, 1), "three wise").text((*lines[:2], "three wise")) == "three"


@pytest.mark.parametrize("line", ["البضائع تعديل 2024 من العقد", "2024 البضائع تعديل من العقد", "من العقد 2024"])
def test_the_mark_of_a_number_in_a_line_from_right_to_left_is_as_wide_as_the_number(
    qtbot: QtBot, theme: Theme, line: str
) -> None:
    pane, start = PaneText([line, "2024"], {}), line.index("2024")
    pane.fit(theme.font(), 600.0, 20.0)
    ((left, right, _),), ((first, last, _),) = pane.boxes(0, start, start + 4), pane.boxes(1, 0, 4)
    assert right - left == pytest.approx(last - first, abs=1)


@pytest.mark.parametrize("text", ["חוזה שכירות בין המשכיר לבין השוכר", "هذا عقد إيجار بين الطرف الأول"])
def test_lines_from_right_to_left_begin_at_the_right_and_their_marks_are_no_boxes_inside_out(
    qtbot: QtBot, theme: Theme, text: str
) -> None:
    pane = PaneText([text, "plain text"], {})
    pane.fit(theme.font(), 600.0, 20.0)
    ((left, right, _),) = pane.boxes(0, 0, 4)
    assert 300 < left < right <= 600
    ((left, right, _),) = pane.boxes(1, 0, 5)
    assert 0 == left < right < 300


@pytest.mark.parametrize("key", [Qt.Key.Key_End, Qt.Key.Key_Down])
def test_a_text_that_was_scrolled_alone_follows_the_keys_again(qtbot: QtBot, theme: Theme, key: Qt.Key) -> None:
    canvas = canvas_with(long_pair(), qtbot, theme)
    canvas.scroll_to(0)
    for _ in range(5):
        _wheel(canvas, QPointF(900, 100), Qt.KeyboardModifier.ShiftModifier)
    assert canvas.panes.offsets()[1] > canvas.panes.offsets()[0]
    qtbot.keyClick(canvas, key)
    panes = canvas.panes
    assert panes.offsets() == panes.axis.offsets(panes.scroll, canvas.height())
