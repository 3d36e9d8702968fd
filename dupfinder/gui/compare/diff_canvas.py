"""The two texts side by side: line numbers, coloured blocks, marked words, and curves that join matching blocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from dupfinder.diff.blocks import Block, BlockKind, ChangeKind, Span, TextComparison
from dupfinder.gui.compare.pane_text import Caret, PaneText, ScrollAxis, TextHit, TextSelection, lines_of
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import smooth_painter
from dupfinder.wording.catalogue import say

GUTTER: Final = 40  # px, at least, for line numbers
AFTER_NUMBER: Final = 8  # px between a line number and the edge of its column
MARGIN: Final = 10  # px between the line number and the text
CURVES: Final = 42  # px between the panes, for the curves
WHEEL_ROWS: Final = 3
ROW_STRETCH: Final = 1.45  # line spacing as in print: marks and edges need room


GROUNDS: Final = {
    BlockKind.CHANGED: ("changed", "changed_line"),
    BlockKind.ONLY_LEFT: ("removed", "removed_line"),
    BlockKind.ONLY_RIGHT: ("added", "added_line"),
    BlockKind.MOVED: ("near_soft", "near"),
}
NO_DIFFERENCES: Final = TextComparison((), (), (), ChangeKind.IDENTICAL)


class ScrolledPanes:
    """The two texts of a comparison, laid out for a viewport.

    Both are scrolled along one axis, on which corresponding blocks have the same position (see ScrollAxis).
    gutter: width of the line numbers, px. scroll: position of the viewport's top on the axis, px.
    """

    def __init__(self, pair: TextComparison) -> None:
        self.pair = pair
        self.texts = (PaneText(pair.left_lines, pair.left_marks), PaneText(pair.right_lines, pair.right_marks))
        self.gutter = float(GUTTER)
        self.scroll = 0.0
        self._beyond = [0.0, 0.0]  # px that each pane is scrolled by itself, beyond the position on the axis
        self._width, self._height = 0, 0
        self._align()

    def fit(self, drawing: Drawing, width: int, height: int) -> None:
        """Lay out the texts for a viewport of this size, in pixels."""
        self._width, self._height = width, height
        longest = str(max(1, *(len(text.lines) for text in self.texts)))
        numbers = drawing.metrics("small").horizontalAdvance(longest) + 2 * AFTER_NUMBER
        self.gutter = max(float(GUTTER), numbers)
        text_width = max(40.0, (width - CURVES) / 2 - self.gutter - 2 * MARGIN)
        for text in self.texts:
            text.fit(drawing.font("body"), text_width, drawing.row("body", ROW_STRETCH))
        self._align()

    def _align(self) -> None:
        self.axis = ScrollAxis(self.pair.blocks, self.texts[0].tops, self.texts[1].tops)
        self.scroll = min(self.scroll, self.longest_scroll())

    def lefts(self) -> tuple[float, float]:
        """Return the x where each pane begins."""
        return 0.0, (self._width + CURVES) / 2

    def offsets(self) -> tuple[float, float]:
        """Return how far each pane is scrolled, in pixels of its text."""
        offsets = self.axis.offsets(self.scroll, self._height)
        return offsets[0] + self._beyond[0], offsets[1] + self._beyond[1]

    def longest_scroll(self) -> float:
        """Return the largest scroll position of the axis, in pixels."""
        return max(0.0, self.axis.length - self._height)

    def scroll_to(self, position: float) -> None:
        """Scroll `position` of the axis to the top, as far as possible; a pane scrolled alone follows again."""
        self._beyond = [0.0, 0.0]
        self.scroll = min(max(0.0, position), self.longest_scroll())
        self.settle()

    def scroll_alone(self, side: int, by: float) -> None:
        """Scroll one pane and not the other."""
        joined = self.axis.offsets(self.scroll, self._height)[side]
        room = max(0.0, self.texts[side].height - self._height)
        self._beyond[side] = min(max(joined + self._beyond[side] + by, 0.0), room) - joined

    def settle(self) -> None:
        """Measure the visible lines; corrected heights move the lines below."""
        for _ in range(3):  # at most: each round may bring other lines into view
            offsets = self.offsets()
            moved = [text.measure(offsets[side], self._height) for side, text in enumerate(self.texts)]
            if not any(moved):
                return
            self._align()

    def visible_blocks(self) -> list[int]:
        """Return the visible blocks that differ, as indices."""
        if not self.pair.blocks:
            return []
        offsets = self.offsets()
        low = min(self.axis.to_axis(side, offsets[side]) for side in (0, 1))
        high = max(self.axis.to_axis(side, offsets[side] + self._height) for side in (0, 1))
        first = max(0, self.axis.block_at(low) - 1)
        last = min(len(self.pair.blocks), self.axis.block_at(high) + 2)
        return [at for at in range(first, last) if self.pair.blocks[at].kind is not BlockKind.SAME]

    def block_edges(self, side: int, block: Block) -> tuple[float, float]:
        """Return (top, bottom) of a block in the viewport."""
        start, stop = lines_of(block, side)
        tops, offset = self.texts[side].tops, self.offsets()[side]
        return float(tops[start]) - offset, float(tops[stop]) - offset

    def side_at(self, x: float) -> int:
        return int(x >= self._width / 2)

    def caret_at(self, side: int, point: QPointF | QPoint) -> Caret:
        """Return the caret position in the text of a side that is nearest to a point of the viewport."""
        text = self.texts[side]
        if not text.lines:
            return Caret(0, 0)
        y = point.y() + self.offsets()[side]
        line = text.line_at(y)
        x = point.x() - self.lefts()[side] - self.gutter - MARGIN
        return Caret(line, text.position_at(line, x, y - float(text.tops[line])))

    def position_of(self, hit: TextHit) -> float:
        """Return the position on the axis of the row in which a hit begins."""
        text = self.texts[hit.side]
        boxes = text.boxes(hit.line, hit.start, hit.stop)
        return self.axis.to_axis(hit.side, float(text.tops[hit.line]) + (boxes[0][2] if boxes else 0.0))

    def difference_at(self, side: int, line: int) -> int | None:
        """Return the difference that contains a line, as an index of `pair.differences`; None for an equal line."""
        spans = (lines_of(self.pair.blocks[at], side) for at in self.pair.differences)
        return next((number for number, (start, stop) in enumerate(spans) if start <= line < stop), None)


class DiffCanvas(QWidget):
    """Paints the visible part of both texts.

    Both panes follow one axis (see ScrollAxis); Shift with the wheel moves one.
    """

    scrolled = Signal()
    current_changed = Signal(int)

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(360, 80)
        self._drag_side: int | None = None
        self.show_pair(NO_DIFFERENCES)

    def show_pair(self, pair: TextComparison) -> None:
        """Show a pair from its beginning."""
        self.panes = ScrolledPanes(pair)
        self.current = -1
        self._at_difference = False
        self.hits: Sequence[TextHit] = ()
        self.hit = -1  # the index of the selected hit; -1: none
        self._hit_lines: dict[tuple[int, int], list[Span]] = {}
        self.lines_with_hits: tuple[list[int], ...] = ([], [])  # of each text, ascending
        self._selection = TextSelection()
        self._fit()
        if pair.differences:
            self.go_to(0)
        else:
            self.current_changed.emit(-1)

    # ---- geometry -------------------------------------------------------------------------------------------------
    def _fit(self) -> None:
        self.panes.fit(self._drawing, self.width(), self.height())

    @property
    def pair(self) -> TextComparison:
        return self.panes.pair

    def scroll_to(self, position: float) -> None:
        """Scroll `position` of the axis to the top, as far as possible."""
        self.panes.scroll_to(position)
        self._at_difference = False
        self.update()
        self.scrolled.emit()

    # ---- differences ----------------------------------------------------------------------------------------------
    def go_to(self, difference: int) -> None:
        """Select a difference and scroll it to the middle."""
        if not self.pair.differences:
            return
        self.current = min(max(0, difference), len(self.pair.differences) - 1)
        for _ in range(2):  # the first time lays out the lines around it, which may move it
            top, bottom = self.panes.axis.block_span(self.pair.differences[self.current])
            middle = (top + bottom) / 2 if bottom - top < self.height() else top + self.height() / 3
            self.scroll_to(middle - self.height() / 2)
        self._at_difference = True
        self.current_changed.emit(self.current)

    def step(self, by: int) -> None:
        """Select the next (1) or previous (-1) difference; at the ends the current one is shown again."""
        self.go_to(self.current + by)

    # ---- hits of a search -----------------------------------------------------------------------------------------
    def show_hits(self, hits: Sequence[TextHit]) -> None:
        """Mark the hits of a search in both texts; none is selected."""
        self.hits, self.hit, self._hit_lines = hits, -1, {}
        for hit in hits:
            self._hit_lines.setdefault((hit.side, hit.line), []).append((hit.start, hit.stop))
        self.lines_with_hits = tuple(sorted(line for side, line in self._hit_lines if side == each) for each in (0, 1))
        self.scrolled.emit()  # the overview shows them too
        self.update()

    def hit_from(self, position: float) -> int:
        """Return the index of the first place of the search at or below a scroll position; 0 if all are above it."""
        first = bisect_left(self.hits, position, key=self.panes.position_of)
        return first if first < len(self.hits) else 0

    def go_to_hit(self, number: int) -> None:
        """Select a place of the search; the first follows the last. Scroll it to the middle unless it is visible."""
        if not self.hits:
            return
        self.hit = number % len(self.hits)
        hit, row = self.hits[self.hit], self.panes.texts[0].row_height
        for _ in range(2):  # the first time lays out the lines around it, which may move it
            offset, top = self.panes.offsets()[hit.side], float(self.panes.texts[hit.side].tops[hit.line])
            boxes = self.panes.texts[hit.side].boxes(hit.line, hit.start, hit.stop)
            y = top + (boxes[0][2] if boxes else 0.0) - offset
            if not row <= y <= self.height() - 2 * row:
                self.scroll_to(self.panes.position_of(hit) - self.height() / 2)
        self.update()

    def difference_text(self) -> str:
        """Return the current difference for a screen reader: the lines of A, then those of B."""
        if self.current < 0:
            return ""
        block = self.pair.blocks[self.pair.differences[self.current]]
        left = " ".join(self.pair.left_lines[block.left_start : block.left_stop])
        right = " ".join(self.pair.right_lines[block.right_start : block.right_stop])
        return say("A: {text}", text=left) + "\n" + say("B: {text}", text=right)

    # ---- painting -------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.fillRect(self.rect(), self._drawing.colour("surface"))
        if not self.pair.blocks:
            return
        self.panes.settle()
        for left in self.panes.lefts():
            painter.fillRect(QRectF(left, 0, self.panes.gutter, self.height()), self._drawing.colour("gutter"))
        for at in self.panes.visible_blocks():
            self._paint_block(painter, at)
        for side in (0, 1):
            self._paint_text(painter, side)
        if self.hasFocus():
            self._drawing.outline(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), "accent", 0, 2)

    def _paint_block(self, painter: QPainter, at: int) -> None:
        block = self.pair.blocks[at]
        fill, edge = (self._drawing.colour(token) for token in GROUNDS[block.kind])
        (left_top, left_bottom), (right_top, right_bottom) = (self.panes.block_edges(side, block) for side in (0, 1))
        join_start, join_end = (self.width() - CURVES) / 2, (self.width() + CURVES) / 2
        upper, lower = QPainterPath(QPointF(0, left_top)), QPainterPath(QPointF(self.width(), right_bottom))
        _curve(upper, join_start, left_top, join_end, right_top, self.width())
        _curve(lower, join_end, right_bottom, join_start, left_bottom, 0)
        body = QPainterPath(upper)
        body.lineTo(self.width(), right_bottom)
        body.connectPath(lower)
        body.closeSubpath()
        painter.fillPath(body, fill)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(edge, 1))
        painter.drawPath(upper)
        painter.drawPath(lower)
        if self.current >= 0 and self.pair.differences[self.current] == at:
            for x, top, bottom in ((0.0, left_top, left_bottom), (join_end, right_top, right_bottom)):
                painter.fillRect(QRectF(x, top, 3, max(2.0, bottom - top)), self._drawing.colour("accent"))

    def _paint_text(self, painter: QPainter, side: int) -> None:
        pane, left, offset = self.panes.texts[side], self.panes.lefts()[side], self.panes.offsets()[side]
        painter.save()
        painter.setClipRect(QRectF(left, 0, (self.width() - CURVES) / 2, self.height()))
        for line in pane.visible(offset, self.height()):
            top = float(pane.tops[line]) - offset
            box = QRectF(left, top, self.panes.gutter - AFTER_NUMBER, pane.row_height)
            self._drawing.text(painter, box, str(line + 1), "small", "tertiary", Qt.AlignmentFlag.AlignRight)
            start = QPointF(left + self.panes.gutter + MARGIN, top)
            self._paint_spans(painter, pane, line, start, pane.marks.get(line, ()), "word")
            self._paint_spans(painter, pane, line, start, self._hit_lines.get((side, line), ()), "found")
            if self.hit >= 0 and self.hits[self.hit][:2] == (side, line):
                self._paint_spans(painter, pane, line, start, [self.hits[self.hit][2:]], "found_here", "warn")
            chosen = self._selection.spans(side, line, pane.lines)
            self._paint_spans(painter, pane, line, start, chosen, "accent_line")
            painter.setPen(self._drawing.colour("text"))
            pane.layout(line).draw(painter, start)
        painter.restore()

    def _paint_spans(
        self, painter: QPainter, pane: PaneText, line: int, start: QPointF, spans: Iterable[Span], token: str,
        edge: str = "",
    ) -> None:  # fmt: skip
        """Paint the ground of some characters, and a line around it in the colour `edge` unless that is ""."""
        for first, stop in spans:
            for low, high, row in pane.boxes(line, first, stop):
                box = QRectF(start.x() + low - 1, start.y() + row + 2, high - low + 2, pane.row_height - 4)
                self._drawing.shape(painter, box, token, 3)
                if edge:
                    self._drawing.outline(painter, box, edge, 3, 1)

    # ---- input ----------------------------------------------------------------------------------------------------
    def wheelEvent(self, event: QWheelEvent) -> None:
        pixels = event.pixelDelta()
        rows = WHEEL_ROWS * self.panes.texts[0].row_height
        delta = float(pixels.y()) if pixels.y() else (event.angleDelta().y() or event.angleDelta().x()) / 120 * rows
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.panes.scroll_alone(self.panes.side_at(event.position().x()), -delta)
            self.update()
        else:
            self.scroll_to(self.panes.scroll - delta)
        event.accept()

    def event(self, event: QEvent) -> bool:
        selects_all = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.SelectAll)
        if selects_all and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()  # selects the text, not the group
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, page = self.panes.texts[0].row_height, self.height() * 0.9
        moves = {
            Qt.Key.Key_Down: row, Qt.Key.Key_Up: -row, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Home: -self.panes.axis.length, Qt.Key.Key_End: self.panes.axis.length,
        }  # fmt: skip
        by = moves.get(Qt.Key(event.key()))
        if by is not None and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.scroll_to(self.panes.scroll + by)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all(self._selection.side)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        side = self._drag_side = self.panes.side_at(event.position().x())
        self._selection = TextSelection.empty_at(side, self.panes.caret_at(side, event.position()))
        difference = self.panes.difference_at(side, self._selection.end.line)
        if difference is not None:
            self.current = difference
            self.current_changed.emit(difference)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_side is None:
            x = event.position().x()
            over_text = x - self.panes.lefts()[self.panes.side_at(x)] > self.panes.gutter
            self.setCursor(Qt.CursorShape.IBeamCursor if over_text else Qt.CursorShape.ArrowCursor)
            return
        if event.position().y() < 0 or event.position().y() > self.height():
            self.scroll_to(self.panes.scroll + (event.position().y() - self.height() / 2) / 10)
        self._selection = self._selection.to(self.panes.caret_at(self._drag_side, event.position()))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_side = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        side = self.panes.side_at(event.position().x())
        position = self.panes.caret_at(side, event.position())
        if self.panes.texts[side].lines:
            self._selection = TextSelection.of_word(side, position, self.panes.texts[side].lines[position.line])
            self.update()

    def selected_text(self) -> str:
        """Return the selected text, with line ends."""
        return self._selection.text(self.panes.texts[self._selection.side].lines)

    def select_all(self, side: int) -> None:
        lines = self.panes.texts[side].lines
        end = Caret(len(lines) - 1, len(lines[-1])) if lines else Caret(0, 0)
        self._selection = TextSelection.empty_at(side, Caret(0, 0)).to(end)
        self.update()

    def copy(self) -> None:
        if text := self.selected_text():
            QGuiApplication.clipboard().setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        if self._at_difference:  # not scrolled since: keep the difference in the middle
            self.go_to(self.current)
        self.scrolled.emit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._fit()
            self.update()
        super().changeEvent(event)


def _curve(path: QPainterPath, x1: float, y1: float, x2: float, y2: float, end: float) -> None:
    """Add to `path` a horizontal line to (x1, y1), an S curve to (x2, y2), and a horizontal line to x = `end`."""
    path.lineTo(x1, y1)
    middle = (x1 + x2) / 2
    path.cubicTo(middle, y1, middle, y2, x2, y2)
    path.lineTo(end, y2)
