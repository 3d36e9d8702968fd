"""The versions of a group on a line of time: which came from which, and what each added and removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QToolTip, QWidget

from dupfinder.base.display import shown
from dupfinder.gui.kit.buttons import SegmentedChoice
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import ElidedLabel, plain_tip
from dupfinder.gui.kit.layout import across, down, grow
from dupfinder.gui.kit.theme import smooth_painter
from dupfinder.library.rows import Documents
from dupfinder.review.timeline import TimelineVersion
from dupfinder.wording.catalogue import number_text, say, say_some
from dupfinder.wording.figures import date_text
from dupfinder.wording.relations import similarity_text

STEP: Final = 132  # px between two versions of a lane, the least for their labels
BESIDE: Final = 76  # px beside the first and the last version
LANE: Final = 62  # px between two lanes
ABOVE: Final = 34  # px above the highest lane
DOT: Final = 7.0  # px radius
TO_SCALE, EVENLY = range(2)
_MIDDLE: Final = Qt.AlignmentFlag.AlignHCenter
NO_PAIR: Final = (-1, -1)


@dataclass(frozen=True, slots=True)
class TimelineLayout:
    """Where versions are drawn.

    xs, ys: px of each. is_to_scale: at distances by date, not in equal steps. crowded: lanes whose labels are below
    the dots, since there is no room beside them.
    """

    versions: Sequence[TimelineVersion]
    xs: Sequence[float]
    ys: Sequence[float]
    is_to_scale: bool
    crowded: frozenset[int] = frozenset({0})

    @classmethod
    def of(
        cls, versions: Sequence[TimelineVersion], width: float, *, to_scale: bool, labels: float = LANE
    ) -> TimelineLayout:
        """Lay out versions in a line of at least this width. labels: height of those below a dot; all in pixels."""
        count, room = len(versions), max(width - 2 * BESIDE, STEP * (len(versions) - 1))
        if to_scale:
            dates = np.array([version.date_ns for version in versions], np.float64)
            shares = (dates - dates[0]) / max(1.0, float(dates[-1] - dates[0]))
        else:
            shares = np.arange(count) / max(1, count - 1)
        xs = (BESIDE + room * shares).tolist()
        crowded, ends = {0}, dict[int, float]()
        for version, x in zip(versions, xs, strict=True):
            follows_in_lane = version.parent >= 0 and versions[version.parent].lane == version.lane
            # Beside a dot, the line to the next version would cross labels; else they need room, as words on lines do.
            if follows_in_lane or x - ends.get(version.lane, -2 * STEP) < 2 * STEP:
                crowded.add(version.lane)
            ends[version.lane] = x
        heights, y = dict[int, float](), float(ABOVE)
        for lane in range(max(ends, default=0), -1, -1):
            heights[lane] = y
            y += labels + ABOVE if lane in crowded else LANE
        return cls(versions, xs, [heights[version.lane] for version in versions], to_scale, frozenset(crowded))

    def fits(self) -> bool:
        """Tell whether no label touches another in its lane."""
        ends: dict[int, float] = {}
        for version, x in zip(self.versions, self.xs, strict=True):
            if x - ends.get(version.lane, -STEP) < STEP:
                return False
            ends[version.lane] = x
        return True

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels, without the labels below the lowest lane."""
        return max(self.xs, default=0.0) + BESIDE, max(self.ys, default=0.0)


class TimelineCanvas(QWidget):
    """Paints the versions. A click or an arrow key compares a version as B, a click with Shift as A."""

    b_wanted = Signal(int)  # document
    a_wanted = Signal(int)

    def __init__(self, drawing: Drawing, documents: Documents) -> None:
        super().__init__()
        self._drawing, self._documents = drawing, documents
        self._layout = TimelineLayout.of((), 0.0, to_scale=False)
        self.pair = NO_PAIR  # documents of A and B
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(say("Versions by date"))

    def show_layout(self, layout: TimelineLayout) -> None:
        """Show versions at the positions of a layout."""
        self._layout = layout
        width, height = layout.size
        self.setMinimumSize(QSize(round(width), round(height + self._line * 5.4)))
        self.update()

    def show_pair(self, pair: tuple[int, int]) -> None:
        """Show which documents are compared."""
        self.pair = pair
        index = self._index_of(pair[1])
        self.setAccessibleDescription(self.sentence(index) if index >= 0 else "")
        self.update()

    def position_of_pair(self) -> QPointF | None:
        """Return where B is, or A if B is a copy of a version; None if neither is among the versions."""
        index = next((index for index in map(self._index_of, reversed(self.pair)) if index >= 0), -1)
        return QPointF(self._layout.xs[index], self._layout.ys[index]) if index >= 0 else None

    def _index_of(self, document: int) -> int:
        return next((index for index, version in enumerate(self._layout.versions) if version.document == document), -1)

    @property
    def labels(self) -> float:
        """Height of the labels below a dot, with the dot, in pixels."""
        return DOT + 9 + self._line * 3

    @property
    def _line(self) -> float:
        return self._drawing.metrics("small").height() + 2

    # ---- painting -------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.fillRect(self.rect(), self._drawing.colour("surface"))
        for index, version in enumerate(self._layout.versions):
            if version.parent >= 0:
                self._paint_descent(painter, index)
        for index in range(len(self._layout.versions)):
            self._paint_version(painter, index)
        if self.hasFocus():
            self._drawing.outline(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), "accent", 0, 2)

    def _paint_descent(self, painter: QPainter, index: int) -> None:
        """Draw the line from the earlier version, with what changed since above it and the similarity below."""
        layout, version = self._layout, self._layout.versions[index]
        begin = QPointF(layout.xs[version.parent], layout.ys[version.parent])
        end = QPointF(layout.xs[index], layout.ys[index])
        is_distant = version.is_distant or layout.versions[version.parent].is_distant
        style = Qt.PenStyle.DashLine if is_distant else Qt.PenStyle.SolidLine
        painter.setPen(QPen(self._drawing.colour("tertiary" if is_distant else "near"), 1.6, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath(begin)
        if begin.y() == end.y():
            path.lineTo(end)
        else:
            turn = QPointF(min(begin.x() + STEP / 2, (begin.x() + end.x()) / 2), end.y())
            path.cubicTo(QPointF(turn.x(), begin.y()), QPointF(begin.x(), end.y()), turn)
            path.lineTo(end)
        painter.drawPath(path)
        left = max(begin.x(), end.x() - STEP) + DOT + 4
        box = QRectF(left, end.y() - self._line - 4, end.x() - DOT - 4 - left, self._line)
        self._paint_words(painter, box, version)
        below = box.translated(0, self._line + 7)
        self._drawing.text(painter, below, similarity_text(version.similarity), "small", "secondary", _MIDDLE)

    def _paint_words(self, painter: QPainter, box: QRectF, version: TimelineVersion) -> None:
        """Draw the words added and removed since the earlier version, side by side."""
        if version.added < 0:
            return
        texts = (f"+{number_text(version.added)}", "keep"), (f"−{number_text(version.removed)}", "remove")
        widths = [self._drawing.metrics("label").horizontalAdvance(text) for text, _ in texts]
        x = box.center().x() - (sum(widths) + 6) / 2
        for (text, tone), width in zip(texts, widths, strict=True):
            self._drawing.text(painter, QRectF(x, box.top(), width + 1, box.height()), text, "label", tone)
            x += width + 6

    def _paint_version(self, painter: QPainter, index: int) -> None:
        layout, version = self._layout, self._layout.versions[index]
        centre, drawing = QPointF(layout.xs[index], layout.ys[index]), self._drawing
        tone = "keep" if version.is_keeper else "tertiary" if version.is_distant else "near"
        if version.is_keeper:
            drawing.shape(painter, _around(centre, DOT + 5), "keep_soft", DOT + 5)
        if version.is_distant:
            painter.setBrush(drawing.colour("surface"))
            painter.setPen(QPen(drawing.colour(tone), 1.6, Qt.PenStyle.DashLine))
            painter.drawEllipse(centre, DOT, DOT)
        else:
            drawing.shape(painter, _around(centre, DOT), tone, DOT)
        if version.document in self.pair:
            drawing.outline(painter, _around(centre, DOT + 3), "accent", DOT + 3, 2)
        box = QRectF(centre.x() - STEP / 2 + 3, centre.y() + DOT + 9, STEP - 6, self._line)
        if version.lane not in layout.crowded:
            box = QRectF(centre.x() + DOT + 8, centre.y() - self._line * 1.5, STEP - 12, self._line)
        self._paint_labels(painter, box, version)

    def _paint_labels(self, painter: QPainter, box: QRectF, version: TimelineVersion) -> None:
        """Draw the date, with A or B if the version is compared, and below it the facts."""
        drawing, is_below = self._drawing, version.lane in self._layout.crowded
        align = _MIDDLE if is_below else Qt.AlignmentFlag.AlignLeft
        date = date_text(version.date_ns)
        side = "AB"[self.pair.index(version.document)] if version.document in self.pair else ""
        width = min(box.width(), drawing.metrics("strong").horizontalAdvance(date) + (22 if side else 0))
        left = box.center().x() - width / 2 if is_below else box.left()
        if side:
            chip = QRectF(left, box.top(), 16, box.height())
            drawing.shape(painter, chip, "accent", 4)
            drawing.text(painter, chip, side, "label", "on_accent", _MIDDLE)
            left += 22
        date_box = QRectF(left, box.top(), box.right() - left, box.height())
        drawing.text(painter, date_box, date, "strong", "text" if version.is_inside else "secondary")
        box = box.translated(0, self._line + 1)
        for text, tone in self._facts(version):
            drawing.text(painter, box, text, "small", tone, align)
            box = box.translated(0, self._line)

    def _facts(self, version: TimelineVersion) -> list[tuple[str, str]]:
        """Return the facts below the date, each with its colour: words and copies, similarity to the kept copy."""
        copies = say_some("{count} copy", "{count} copies", version.copies - 1)
        words = say_some("{count} word", "{count} words", max(0, version.words))
        lines = [(" · ".join(filter(None, (words, copies))), "secondary")]
        if version.is_keeper:
            return [*lines, (say("Kept copy"), "keep")]
        if version.is_distant:
            return [*lines, (say("Distant version"), "near")]
        return [
            *lines,
            (say("{similarity} to the kept copy", similarity=similarity_text(version.to_keeper)), "secondary"),
        ]

    # ---- acting ---------------------------------------------------------------------------------------------------
    def _version_at(self, point: QPointF) -> int:
        """Return the index of the version whose dot or labels are at a point; -1 for none."""
        for index, (version, x, y) in enumerate(
            zip(self._layout.versions, self._layout.xs, self._layout.ys, strict=True)
        ):
            labels = QRectF(x - STEP / 2, y - DOT - 6, STEP, self._line * 4 + 2 * DOT)
            if version.lane not in self._layout.crowded:
                labels = QRectF(x - DOT - 6, y - self._line * 1.5, STEP, self._line * 3)
            if labels.contains(point):
                return index
        return -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (index := self._version_at(event.position())) >= 0:
            is_a = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.a_wanted if is_a else self.b_wanted).emit(self._layout.versions[index].document)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        index = self._index_of(self.pair[1]) + step
        if 0 <= index < len(self._layout.versions) and self._layout.versions[index].document == self.pair[0]:
            index += step
        if 0 <= index < len(self._layout.versions):
            self.b_wanted.emit(self._layout.versions[index].document)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._version_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(self.sentence(index)) if index >= 0 else "", self)
            return True
        return super().event(event)

    def sentence(self, index: int) -> str:
        """Return all facts about a version, one on each line."""
        version = self._layout.versions[index]
        dated = say("dated inside") if version.is_inside else say("by the date of the file")
        lines = [shown(self._documents.path(version.document)), f"{date_text(version.date_ns)}, {dated}"]
        lines += [text for text, _ in self._facts(version)]
        if version.parent >= 0:
            similarity = similarity_text(version.similarity)
            date = date_text(self._layout.versions[version.parent].date_ns)
            lines.append(say("{similarity} to its nearest earlier relative, {date}", similarity=similarity, date=date))
        if version.added >= 0:
            added, removed = number_text(version.added), number_text(version.removed)
            lines.append(say("about {added} words added, {removed} removed", added=added, removed=removed))
        return "\n".join(lines)


def _around(centre: QPointF, radius: float) -> QRectF:
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)


class TimelineView(QWidget):
    """The timeline, below a note and the choice between distances by date and equal steps."""

    def __init__(self, drawing: Drawing, documents: Documents) -> None:
        super().__init__()
        self._versions: Sequence[TimelineVersion] = ()
        self._chosen = -1  # TO_SCALE or EVENLY, once the person has chosen
        self._note = ElidedLabel("", "secondary")
        self._scale = SegmentedChoice([say("To scale"), say("Evenly")], say("Distances"))
        self.canvas = TimelineCanvas(drawing, documents)
        self._area = QScrollArea()
        self._area.setWidget(self.canvas)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = across(grow(self._note), self._scale, margins=(16, 6, 12, 4), spacing=8)
        down(head, grow(self._area), spacing=0, into=self)
        self._scale.chosen.connect(self._choose)
        self._reveal_soon = QTimer(self, singleShot=True, interval=0)  # once the line is laid out
        self._reveal_soon.timeout.connect(self._reveal_pair)

    def sizeHint(self) -> QSize:
        """Return room for the choice above and all of the line, with a scroll bar."""
        head = self._scale.sizeHint().height() + 10
        return QSize(super().sizeHint().width(), head + self.canvas.minimumHeight() + 16)

    def show_versions(self, versions: Sequence[TimelineVersion]) -> None:
        self._versions = versions
        distant = sum(version.is_distant for version in versions)
        distant_text = say_some(
            "{count} distant version belongs here through others; no rule marks it",
            "{count} distant versions belong here through others; no rule marks them",
            distant,
        )
        parts = (say("A line joins a version to its nearest earlier relative"), distant_text)
        self._note.setText("  ·  ".join(filter(None, parts)))
        self._arrange()

    def _choose(self, scale: int) -> None:
        self._chosen = scale
        self._arrange()

    def _arrange(self) -> None:
        """Show the versions to scale if the person chose it or no labels touch, else in equal steps."""
        if not self._versions:
            return
        lay_out = partial(
            TimelineLayout.of, self._versions, float(self._area.viewport().width()), labels=self.canvas.labels
        )
        layout = lay_out(to_scale=True)
        if self._chosen == EVENLY or (self._chosen < 0 and not layout.fits()):
            layout = lay_out(to_scale=False)
        self._scale.set_current(TO_SCALE if layout.is_to_scale else EVENLY)
        self.canvas.show_layout(layout)
        self._reveal_soon.start()

    def show_pair(self, pair: tuple[int, int]) -> None:
        """Show which documents are compared, and scroll to them."""
        self.canvas.show_pair(pair)
        self._reveal_soon.start()

    def _reveal_pair(self) -> None:
        position = self.canvas.position_of_pair()
        if position is not None:
            self._area.ensureVisible(round(position.x()), round(position.y()), STEP, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
