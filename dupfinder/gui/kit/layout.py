"""Rows and columns of widgets, written as the list of their parts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

_ANYWHERE: Final = Qt.AlignmentFlag(0)
_Box = TypeVar("_Box", bound=QBoxLayout)
Margins = tuple[int, int, int, int]  # px: left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Space:
    """Empty room of a fixed size, in pixels."""

    size: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Empty room that grows. share: of the room that is left over, in proportion to other shares."""

    share: int = 1


@dataclass(frozen=True, slots=True)
class Fitted:
    """A part, its share of the room that is left over, and its alignment in the room that it gets."""

    part: QWidget | QLayout
    share: int
    alignment: Qt.AlignmentFlag = _ANYWHERE


Part = QWidget | QLayout | Space | Stretch | Fitted


def grow(part: QWidget | QLayout, share: int = 1) -> Fitted:
    """Return a part that gets the room that is left over, in proportion to other shares."""
    return Fitted(part, share)


def aligned(part: QWidget | QLayout, alignment: Qt.AlignmentFlag) -> Fitted:
    """Return a part that keeps its size and is aligned in its room."""
    return Fitted(part, 0, alignment)


def across(
    *parts: Part, margins: Margins = (0, 0, 0, 0), spacing: int | None = None, into: QWidget | None = None
) -> QHBoxLayout:
    """Return a row of parts. spacing: px between them; None: that of the style. into: the widget that is laid out."""
    row = QHBoxLayout(into) if into is not None else QHBoxLayout()
    return _filled(row, parts, margins, spacing)


def down(
    *parts: Part, margins: Margins = (0, 0, 0, 0), spacing: int | None = None, into: QWidget | None = None
) -> QVBoxLayout:
    """Return a column of parts; as `across`."""
    column = QVBoxLayout(into) if into is not None else QVBoxLayout()
    return _filled(column, parts, margins, spacing)


def _filled(box: _Box, parts: tuple[Part, ...], margins: Margins, spacing: int | None) -> _Box:
    box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    add(box, *parts)
    return box


def boxed(layout: QLayout) -> QWidget:
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def add(box: QBoxLayout, *parts: Part) -> None:
    """Add parts at the end of a row or column."""
    for part in parts:
        match part:
            case Space():
                box.addSpacing(part.size)
            case Stretch():
                box.addStretch(part.share)
            case Fitted(QWidget() as widget):
                box.addWidget(widget, part.share, part.alignment)
            case Fitted(QLayout() as layout):
                box.addLayout(layout, part.share)
            case QWidget():
                box.addWidget(part)
            case QLayout():
                box.addLayout(part)


def grid(column_gap: int, row_gap: int, into: QWidget) -> QGridLayout:
    """Return an empty grid without margins. column_gap, row_gap: pixels."""
    cells = QGridLayout(into)
    cells.setContentsMargins(0, 0, 0, 0)
    cells.setHorizontalSpacing(column_gap)
    cells.setVerticalSpacing(row_gap)
    return cells


def clear(box: QBoxLayout) -> None:
    """Remove all parts of a row or column, and delete the widgets among them."""
    while (item := box.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def divided(direction: Qt.Orientation, first: QWidget, second: QWidget, parent: QWidget) -> QSplitter:
    """Return two widgets with a thin line between them that can be moved; the second grows with the window."""
    split = QSplitter(direction, parent)
    split.setChildrenCollapsible(False)
    split.setHandleWidth(1)
    split.addWidget(first)
    split.addWidget(second)
    split.setStretchFactor(1, 1)
    return split


def leave_out(holder: QWidget, room: int, *groups: Sequence[QWidget]) -> None:
    """Show parts of a widget, or hide them, group by group, until the rest fits into `room` pixels."""
    for part in itertools.chain(*groups):
        part.show()
    for group in groups:
        if holder.sizeHint().width() <= room:
            return
        for part in group:
            part.hide()


def tab_as_laid_out(*widgets: QWidget) -> None:
    """Set the order in which the Tab key goes through widgets of one window and all that is laid out in them.

    It becomes that of the layouts; by itself Qt goes in the order in which the widgets were created.
    """
    stops = [stop for widget in widgets for stop in _stops(widget)]
    for first, second in itertools.pairwise(stops):
        QWidget.setTabOrder(first, second)


def _stops(widget: QWidget | None) -> Iterator[QWidget]:
    """Yield a widget and those laid out in it, as far as they can have the focus."""
    if widget is None:
        return
    if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
        yield widget
    if isinstance(widget, QSplitter):
        for index in range(widget.count()):
            yield from _stops(widget.widget(index))
    elif isinstance(widget, QScrollArea):
        yield from _stops(widget.widget())
    else:
        yield from _stops_of(widget.layout())


def _stops_of(layout: QLayout | None) -> Iterator[QWidget]:
    """Yield the widgets in a layout that can have the focus."""
    if layout is None:
        return
    for index in range(layout.count()):
        item = layout.itemAt(index)
        if item is not None:
            yield from _stops(item.widget())
            yield from _stops_of(item.layout())
