"""The list of groups: rows of a Qt model over columns in arrays, painted as two lines, fast for a million."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from dupfinder.base.display import folder_text, shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.drawing import MIDDLE, Drawing, relation_tones
from dupfinder.gui.kit.labels import plain_tip
from dupfinder.gui.kit.tables import DISPLAY, CellIndex, CellPainter, CellState, ListTable, RowsModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.listing import FILTERED_RELATIONS, ClusterTable
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import size_text
from dupfinder.wording.relations import relation_name

NO_PART = -1
NO_HIT = -1
_PART_COLUMN = FILTERED_RELATIONS.index(Relation.PART)


class ClustersModel(RowsModel):
    """One column, painted by a delegate that reads `table`. Parts are hidden below their group until it is opened.

    parts: returns the rows of the documents that are parts in a group, by its id. roots: the folders that were scanned.
    """

    def __init__(
        self, table: ClusterTable, parts: Callable[[int], Sequence[int]], roots: Sequence[Path], parent: QObject | None
    ) -> None:
        super().__init__(parent)
        self.table = table
        self._parts_of, self._roots = parts, roots
        self._opened: set[int] = set()
        self.sought: tuple[str, ...] = ()
        self._hit_of: Callable[[int], int] = lambda _: NO_HIT
        self._arrange()

    def show_table(self, table: ClusterTable) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.table = table
        self._arrange()
        self.endResetModel()

    def refresh(self, table: ClusterTable) -> None:
        """Replace the table by another with the same groups in the same order."""
        self.table = table
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    # ---- hits of a search -----------------------------------------------------------------------------------------
    def set_sought(self, sought: tuple[str, ...], hit_of: Callable[[int], int]) -> None:
        """Set the words of the search, in lower case.

        hit_of: returns the document with a hit in a group.
        """
        self.sought, self._hit_of = sought, hit_of

    def hit_name(self, row: int) -> str:
        """Return the name of the document with a hit in a row's group, and its folder if that has the hit.

        "" if it is the kept copy, or without a hit.
        """
        if not self.sought:
            return ""
        document = self._hit_of(self.cluster_at(row))
        is_keeper = document == int(self.table.keeper[self.position(row)])
        if document == NO_HIT or is_keeper:
            return ""
        path = self.table.documents.path(document)
        if any(word in path.name.casefold() for word in self.sought):
            return shown(path.name)
        return f"{shown(path.name)} · {folder_text(path.parent, self._roots)}"

    # ---- parts ----------------------------------------------------------------------------------------------------
    def has_parts(self, row: int) -> bool:
        return self.part_at(row) == NO_PART and int(self.table.holds[self.position(row), _PART_COLUMN]) > 0

    def is_open(self, row: int) -> bool:
        """Tell whether the parts of a row's group are shown."""
        return self.cluster_at(row) in self._opened

    def toggle(self, row: int) -> None:
        """Show or hide the parts of a group."""
        self.beginResetModel()
        self._opened ^= {self.cluster_at(row)}
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        """Compute the rows: groups, and the parts of open groups."""
        positions: list[int] = []
        parts: list[int] = []
        for index in np.flatnonzero(np.isin(self.table.ids, list(self._opened))).tolist():
            documents = list(self._parts_of(int(self.table.ids[index])))
            positions += [index] * len(documents)
            parts += documents
        after = np.array(positions, np.intp) + 1
        count = len(self.table.ids)
        self._positions = np.insert(np.arange(count), after, positions)  # index in the table for each row
        self._parts = np.insert(np.full(count, NO_PART), after, parts)
        self.rows = range(len(self._positions))

    def position(self, row: int) -> int:
        """Return the index in the table of a row's group."""
        return int(self._positions[row])

    def part_at(self, row: int) -> int:
        """Return the document of a row that is a part; NO_PART for a group."""
        return int(self._parts[row])

    def part_name(self, row: int) -> str:
        return shown(self.table.documents.path(self.part_at(row)).name)

    # ---- rows -----------------------------------------------------------------------------------------------------
    def row_of(self, cluster: int) -> int:
        """Return the row of a group, -1 if it is not shown."""
        indices = np.flatnonzero(self.table.ids == cluster)
        return int(np.searchsorted(self._positions, indices[0])) if len(indices) else -1

    def cluster_at(self, row: int) -> int:
        """Return the id of the group in a row; -1 if there is no such row."""
        return int(self.table.ids[self.position(row)]) if 0 <= row < self.rowCount() else -1

    def folder(self, row: int) -> str:
        """Return the folder of the kept copy, for the list."""
        return folder_text(Path(self.table.folder(self.position(row))), self._roots)

    def holds(self, row: int) -> str:
        """Return the documents of the group besides its kept copy, counted by relation."""
        index = self.position(row)
        return words.holds(self.table.holds[index].tolist(), int(self.table.distant[index]))

    def cell(self, row: int, column: int, role: int) -> object:
        if role == DISPLAY:
            return self.table.title(self.position(row)) if self.part_at(row) == NO_PART else self.part_name(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(shown(self.table.folder(self.position(row))))
        return self.sentence(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def sentence(self, row: int) -> str:
        """Return a row in words for a screen reader."""
        if self.part_at(row) != NO_PART:
            return ", ".join((self.part_name(row), relation_name(Relation.PART)))
        table, index = self.table, self.position(row)
        parts = [
            table.title(index),
            self.holds(row),
            self.folder(row),
            say("{size} to free", size=size_text(int(table.bytes_to_free[index]))),
        ]
        if table.reviewed[index]:
            parts.append(say("reviewed"))
        if table.marked[index]:
            parts.append(say("has marked documents"))
        parts.append(say("row {row} of {total}", row=index + 1, total=len(table.ids)))
        return ", ".join(parts)


ROW: Final = 44  # px at the default font size
FOLDER_SHARE: Final = 0.45  # of a row's width, at most, for the folder
ARROW: Final = 20  # px at the left of a row's background, for the arrow that opens it
INSET: Final = 8  # px between the list's edge and a row's background
# The delegate paints rounded backgrounds itself, so the style must not fill them.
UNPAINTED: Final = "QTableView { background: transparent; selection-background-color: transparent; }"


class TwoLinePainter(CellPainter):
    """Paints rows on rounded backgrounds; a title and what is beside it in the upper half of a row."""

    def paint_ground(self, painter: QPainter, box: QRectF, state: CellState) -> None:
        """Draw the background of a row that is selected or below the pointer, and the line below any other."""
        ground = box.adjusted(INSET, 1, -INSET, -1)
        if not state.selected:
            self.paint_line(painter, box, ground.left() + ARROW, ground.right() - 6)
            if state.hovered:
                self._drawing.shape(painter, ground, "hover", 7)
            return
        self._drawing.shape(painter, ground, "accent_soft", 7)
        bar = QRectF(ground.left(), ground.top() + 8, 3, ground.height() - 16)
        self._drawing.shape(painter, bar, "accent", 1.5)
        if state.focused:
            self._drawing.outline(painter, ground.adjusted(1, 1, -1, -1), "accent", 7, 2)

    def paint_names(
        self, painter: QPainter, box: QRectF, title: str, folder: str, chosen: bool, sought: Sequence[str] = ()
    ) -> QRectF:
        """Draw a title and a folder in the upper half of a row; return the lower half."""
        drawing, middle, role = self._drawing, box.center().y(), "strong" if chosen else "medium"
        upper = QRectF(box.left(), box.top() + 3, box.width(), middle - box.top() - 3)
        right, elide = Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft
        title_width = drawing.metrics(role).horizontalAdvance(title)
        room = max(upper.width() * (1 - FOLDER_SHARE), min(title_width, upper.width() - 60))
        folder_area = QRectF(upper.left() + room + 10, upper.top(), upper.width() - room - 10, upper.height())
        drawing.text(painter, folder_area, folder, "small", "secondary", right, elide, sought)
        title_area = QRectF(upper.left(), upper.top(), room, upper.height())
        drawing.text(painter, title_area, title, role, "text", elide=MIDDLE, sought=sought)
        return QRectF(box.left(), middle, box.width(), box.bottom() - middle - 4)


class ClusterPainter(TwoLinePainter):
    """Title and folder above; the relations in the group and the space to free below. A part has one line."""

    _model: ClustersModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        model = self._model
        self.paint_ground(painter, box, state)
        inner = box.adjusted(INSET + ARROW, 0, -(INSET + 6), 0)
        if model.part_at(row) != NO_PART:
            self._paint_part(painter, inner, row)
            return
        if model.has_parts(row):
            arrow = QRectF(box.left() + INSET + 5, box.center().y() - 7, 14, 14)
            self._drawing.icon(painter, "down" if model.is_open(row) else "right", "tertiary", arrow)
        self._paint_words(painter, inner, row, state.selected)

    def _paint_words(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        drawing, model, table, index = self._drawing, self._model, self._model.table, self._model.position(row)
        title, right = shown(table.title(index)), Qt.AlignmentFlag.AlignRight
        lower = self.paint_names(painter, box, title, model.folder(row), chosen, model.sought)
        used = drawing.text(painter, lower, size_text(int(table.bytes_to_free[index])), "pill", "text", right)
        x = self._paint_signs(painter, lower.left(), lower, bool(table.reviewed[index]), bool(table.marked[index]))
        rest = QRectF(x, lower.top(), lower.right() - used - 8 - x, lower.height())
        name = model.hit_name(row)  # the other words are the program's: no search finds them
        drawing.text(painter, rest, name or model.holds(row), "small", "secondary", sought=model.sought if name else ())

    def _paint_part(self, painter: QPainter, box: QRectF, row: int) -> None:
        drawing, model = self._drawing, self._model
        painter.setPen(QPen(drawing.colour("hairline"), 1))
        painter.drawLine(QPointF(box.left(), box.top()), QPointF(box.left(), box.center().y()))
        painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.left() + 8, box.center().y()))
        x = box.left() + 12
        pill = QRectF(x, box.top(), box.right() - x, box.height())
        x += drawing.pill(painter, pill, relation_name(Relation.PART), relation_tones(Relation.PART)) + 8
        rest = QRectF(x, box.top(), box.right() - x, box.height())
        drawing.text(painter, rest, model.part_name(row), "secondary", "text", elide=MIDDLE, sought=model.sought)

    def _paint_signs(self, painter: QPainter, x: float, box: QRectF, reviewed: bool, marked: bool) -> float:
        """Draw a ring with a tick for reviewed and a dot for marked; return the x after them."""
        y = box.center().y()
        if reviewed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._drawing.colour("keep"), 1.6))
            painter.drawEllipse(QPointF(x + 6, y), 5.5, 5.5)
            painter.drawPolyline([QPointF(x + 3.5, y), QPointF(x + 5.5, y + 2), QPointF(x + 8.7, y - 2.2)])
            x += 18
        if marked:
            self._drawing.shape(painter, QRectF(x, y - 3.5, 7, 7), "remove", 3.5)
            x += 13
        return x


class TwoLineList(ListTable):
    """One column of rows with two lines of text, on rounded backgrounds."""

    def __init__(
        self, model: RowsModel, name: str, painter: TwoLinePainter, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, name, painter, parent=parent)
        self.fit_rows(theme, 2, ROW, 8)
        self.setStyleSheet(UNPAINTED)


class ClusterList(TwoLineList):
    """One column without headers, with rows of equal height. `chosen` has the id of the current group, -1 for none."""

    _model: ClustersModel
    chosen = Signal(int)
    part_chosen = Signal(int)  # document
    view_moved = Signal()
    menu_wanted = Signal(QPoint)  # for the current group, at a point of the screen

    def __init__(self, model: ClustersModel, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(model, say("Groups"), ClusterPainter(drawing, model), drawing.theme, parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self.view_moved)

    def currentChanged(self, current: CellIndex, previous: CellIndex) -> None:
        super().currentChanged(current, previous)
        self.chosen.emit(self._model.cluster_at(current.row()))
        if current.isValid() and (part := self._model.part_at(current.row())) != NO_PART:
            self.part_chosen.emit(part)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(round(event.position().y()))
        at_arrow = event.position().x() < INSET + ARROW
        if row >= 0 and at_arrow and event.button() is Qt.MouseButton.LeftButton and self._model.has_parts(row):
            self.open_or_fold(row)
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.currentIndex().isValid():
            self.menu_wanted.emit(self.menu_place(event)[1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        opens, folds = event.key() == Qt.Key.Key_Right, event.key() == Qt.Key.Key_Left
        if row >= 0 and (opens or folds) and self._model.is_open(row) is not opens:
            if folds or self._model.has_parts(row):
                self.open_or_fold(row)
        else:
            super().keyPressEvent(event)

    def open_or_fold(self, row: int) -> None:
        """Show or hide the parts of a group; the current group does not change."""
        scroll_position = self.verticalScrollBar().value()
        current = self.currentIndex().row() if self.currentIndex().isValid() else row
        cluster = self._model.cluster_at(current)
        self._model.toggle(row)
        self.choose(cluster)
        self.verticalScrollBar().setValue(scroll_position)

    def choose(self, cluster: int) -> bool:
        """Select a group and scroll to it. Return False if it is not in the list."""
        if (row := self._model.row_of(cluster)) >= 0:
            self.choose_row(row)
        return row >= 0

    def visible_rows(self) -> tuple[int, int]:
        """Return the (first, last) visible row, from 0; (-1, -1) for an empty list."""
        if not self._model.rowCount():
            return -1, -1
        last = self.rowAt(self.viewport().height() - 1)
        return max(0, self.rowAt(0)), last if last >= 0 else self._model.rowCount() - 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        current = self.currentIndex()
        row = self.verticalHeader().defaultSectionSize()
        seen = current.isValid() and -row < self.visualRect(current).top() < max(event.oldSize().height(), 0)
        super().resizeEvent(event)
        if seen:  # keep the current row visible when the area above the list grows
            self.scrollTo(current)
        self.view_moved.emit()
