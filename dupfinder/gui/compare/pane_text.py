"""One text of the comparison: its lines, laid out once visible, the selection, and one scroll axis for both."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextOption

from dupfinder.diff.blocks import Block, TextComparison

Pixels = NDArray[np.float64]


class ScrollAxis:
    """One scroll axis for two texts.

    Each block has the height of its taller side on the axis; positions within a block are interpolated. Along lines
    that only one side has, the other pane does not scroll.
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
        return float(np.interp(y, self._sides[side], self._axis))

    def all_to_axis(self, side: int, ys: Pixels) -> Pixels:
        """Return a position of the axis for each y of one text."""
        return np.interp(ys, self._sides[side], self._axis)

    def block_span(self, block: int) -> tuple[float, float]:
        """Return (top, bottom) of a block on the axis."""
        return float(self._axis[block]), float(self._axis[block + 1])

    def spans(self, blocks: Sequence[int]) -> tuple[Pixels, Pixels]:
        """Return (tops, bottoms) of many blocks on the axis."""
        chosen = np.asarray(blocks, np.intp)
        return self._axis[chosen], self._axis[chosen + 1]

    def block_at(self, position: float) -> int:
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


SpansByLine = Mapping[int, Sequence[tuple[int, int]]]
MOST_LAYOUTS = 400  # about ten screens of lines
MOST_HITS = 5_000  # of a search in one text; nobody looks through more, and a book has half a million of one letter
LONGEST_LINE = 8_000  # characters of a line that are laid out; longer lines are not written by people

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


class PaneText:
    """Lines wrapped to a width. Heights of lines that were not visible yet are estimated from their lengths.

    marks: for a line, the (start, stop) spans of words that differ, in characters.
    """

    def __init__(self, lines: Sequence[str], marks: SpansByLine) -> None:
        self.lines = lines
        self.marks = marks
        self._lengths = np.array([len(line) for line in lines], np.int64)
        self._beyond_ascii = np.array([not line.isascii() for line in lines], np.bool_)
        self._rows: NDArray[np.int64] = np.ones(len(lines), np.int64)
        self._layouts: dict[int, QTextLayout] = {}
        self._font = QFont()
        self._width = 0.0
        self.row_height = 1.0
        self.tops: NDArray[np.float64] = np.zeros(len(lines) + 1)

    def fit(self, font: QFont, width: float, row_height: float) -> None:
        """Wrap to `width` pixels; discard layouts of another width or font."""
        if font == self._font and width == self._width and row_height == self.row_height:
            return
        self._font, self._width, self.row_height = QFont(font), width, row_height
        self._layouts.clear()
        metrics = QFontMetricsF(font)
        mean = np.where(self._beyond_ascii, metrics.horizontalAdvance("\u5408"), metrics.averageCharWidth())
        lengths = np.minimum(self._lengths, LONGEST_LINE)
        self._rows = np.maximum(1, np.ceil(lengths * mean / max(width, 1.0))).astype(np.int64)
        self._update_tops()

    def _update_tops(self) -> None:
        self.tops = np.concatenate(([0.0], np.cumsum(self._rows * self.row_height)))

    @property
    def height(self) -> float:
        """The height of the whole text, in pixels."""
        return float(self.tops[-1])

    def line_at(self, y: float) -> int:
        return int(np.clip(np.searchsorted(self.tops, y, side="right") - 1, 0, max(0, len(self.lines) - 1)))

    def visible(self, top: float, height: float) -> range:
        if not self.lines:
            return range(0)
        return range(self.line_at(top), min(len(self.lines), self.line_at(top + height) + 1))

    def measure(self, top: float, height: float) -> bool:
        """Lay out the lines of a viewport. Return True if an estimate was wrong and the tops have moved."""
        moved = False
        bottom = top + height
        line = self.line_at(top)
        y = float(self.tops[line])
        while line < len(self.lines) and y < bottom:
            rows = max(1, self.layout(line).lineCount())
            moved |= rows != self._rows[line]
            self._rows[line] = rows
            y += rows * self.row_height
            line += 1
        if moved:
            self._update_tops()
        return moved

    def layout(self, line: int) -> QTextLayout:
        """Return the wrapped line. Its text is plain: nothing in it is interpreted."""
        if line not in self._layouts:
            if len(self._layouts) == MOST_LAYOUTS:
                del self._layouts[next(iter(self._layouts))]  # the oldest
            self._layouts[line] = self._lay_out(line)
        return self._layouts[line]

    def _lay_out(self, line: int) -> QTextLayout:
        layout = QTextLayout(self.lines[line][:LONGEST_LINE], self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if is_right_to_left(self.lines[line]):
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.setFormats([_bold(*self._in_units(line, start, stop)) for start, stop in self.marks.get(line, ())])
        layout.beginLayout()
        y = (self.row_height - QFontMetricsF(self._font).height()) / 2
        while (row := layout.createLine()).isValid():
            row.setLineWidth(self._width)
            row.setPosition(QPointF(0.0, y))
            y += self.row_height
        layout.endLayout()
        return layout

    def position_at(self, line: int, x: float, y: float) -> int:
        """Return the character of `line` nearest to a point of its box."""
        layout = self.layout(line)
        row = min(max(0, math.floor(y / self.row_height)), max(0, layout.lineCount() - 1))
        units = int(layout.lineAt(row).xToCursor(x)) if layout.lineCount() else 0
        return self._in_characters(line, units)

    def boxes(self, line: int, start: int, stop: int) -> list[tuple[float, float, float]]:
        """Return (left, right, row top) of characters start..stop in each row, relative to the line's box."""
        layout = self.layout(line)
        start, stop = self._in_units(line, start, stop)
        boxes = []
        for number in range(layout.lineCount()):
            row = layout.lineAt(number)
            first, last = row.textStart(), row.textStart() + row.textLength()
            low, high = max(start, first), min(stop, last)
            if low < high:
                edges = [_x(row, low), _x(row, high)]
                if not self.lines[line].isascii():  # in Arabic and Hebrew, both may be on one side of a number
                    runs = [run.boundingRect() for run in row.glyphRuns(low, high - low)]
                    edges += [edge for run in runs for edge in (run.left(), run.right())]
                boxes.append((min(edges), max(edges), number * self.row_height))
        return boxes

    def _in_units(self, line: int, start: int, stop: int) -> tuple[int, int]:
        """Return a span of characters in UTF-16 units, as Qt counts."""
        text = self.lines[line]
        if text.isascii() or max(text) <= "\uffff":
            return start, stop
        return _unit_count(text[:start]), _unit_count(text[:stop])

    def _in_characters(self, line: int, units: int) -> int:
        text = self.lines[line]
        if text.isascii() or max(text) <= "\uffff":
            return units
        return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))


def is_right_to_left(text: str) -> bool:
    """Tell whether a text is read from right to left, by its first letter, as Qt does."""
    directions = (unicodedata.bidirectional(char) for char in text[:LONGEST_LINE])
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _unit_count(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _x(row: object, position: int) -> float:
    result = row.cursorToX(position)  # type: ignore[attr-defined]  # PySide gives (x, position) or x by version
    return float(result[0] if isinstance(result, tuple) else result)


def _bold(start: int, stop: int) -> QTextLayout.FormatRange:
    run = QTextLayout.FormatRange()
    run.start, run.length = start, stop - start
    shape = QTextCharFormat()
    shape.setFontWeight(QFont.Weight.DemiBold)
    run.format = shape
    return run


class TextHit(NamedTuple):
    """A place where the words of a search are: characters start..stop of a line. side: 0 left, 1 right."""

    side: int
    line: int
    start: int
    stop: int


_ALIKE = ("'\u2018\u2019\u02bc", '"\u201c\u201d\u201e\u00ab\u00bb', "-\u2010\u2011\u2013\u2014")  # typed by one key


def hits_of(pair: TextComparison, wanted: str) -> list[TextHit]:
    """Return every place of the wanted words in both texts, from the top down as they are shown side by side.

    Capitals, the kinds of quotes and dashes, and the number of spaces do not matter. After about MOST_HITS places of a
    text, the rest of it is not searched.
    """
    if not (words := wanted.split()):
        return []
    pattern = re.compile(r"\s+".join("".join(map(_any_like, word)) for word in words), re.IGNORECASE)
    hits, tops = list[TextHit](), list[float]()
    for side, lines in enumerate((pair.left_lines, pair.right_lines)):
        bounds = np.array([lines_of(block, side) for block in pair.blocks], np.int64).reshape(-1, 2)
        for line, text in enumerate(lines):
            hits += [TextHit(side, line, *match.span()) for match in pattern.finditer(text[:LONGEST_LINE])]
            if len(hits) - len(tops) >= MOST_HITS:
                break
        of_side = np.array([hit.line for hit in hits[len(tops) :]], np.int64)
        blocks = np.maximum(0, np.searchsorted(bounds[:, 0], of_side, side="right") - 1)
        start, stop = bounds[blocks].T if len(bounds) else (of_side, of_side)
        tops += (blocks + (of_side - start) / np.maximum(1, stop - start)).tolist()
    order = sorted(range(len(hits)), key=lambda number: (tops[number], hits[number]))
    return [hits[number] for number in order]


def _any_like(char: str) -> str:
    """Return a pattern for a character and those that are typed by the same key."""
    alike = next((kinds for kinds in _ALIKE if char in kinds), char)
    return f"[{re.escape(alike)}]" if len(alike) > 1 else re.escape(char)


class Caret(NamedTuple):
    """A caret position: before character `at` of `line`."""

    line: int
    at: int


TEXT_BEGINNING = Caret(0, 0)


@dataclass(frozen=True, slots=True)
class TextSelection:
    """From `start` to `end` (in any order) in the text of `side` (0 left, 1 right)."""

    side: int = 0
    start: Caret = TEXT_BEGINNING
    end: Caret = TEXT_BEGINNING

    @classmethod
    def empty_at(cls, side: int, position: Caret) -> TextSelection:
        return cls(side, position, position)

    @classmethod
    def of_word(cls, side: int, position: Caret, line: str) -> TextSelection:
        for match in _WORD.finditer(line):
            if match.start() <= position.at < match.end():
                return cls(side, Caret(position.line, match.start()), Caret(position.line, match.end()))
        return cls.empty_at(side, position)

    def to(self, position: Caret) -> TextSelection:
        """Return a selection with the same start and another end."""
        return replace(self, end=position)

    def spans(self, side: int, line: int, lines: Sequence[str]) -> list[tuple[int, int]]:
        """Return the selected (start, stop) of a line: none or one."""
        first, last = sorted((self.start, self.end))
        if side != self.side or not first.line <= line <= last.line or first == last:
            return []
        start = first.at if line == first.line else 0
        end = last.at if line == last.line else len(lines[line])
        return [(start, end)] if end > start else []

    def text(self, lines: Sequence[str]) -> str:
        """Return the selected text, with line ends."""
        first, last = sorted((self.start, self.end))
        if first == last or last.line >= len(lines):
            return ""
        if first.line == last.line:
            return lines[first.line][first.at : last.at]
        between = lines[first.line + 1 : last.line]
        return "\n".join((lines[first.line][first.at :], *between, lines[last.line][: last.at]))
