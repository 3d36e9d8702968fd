"""Tables and lists: their models, their usual settings, and the painting of their cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme

CellIndex = QModelIndex | QPersistentModelIndex
DISPLAY = Qt.ItemDataRole.DisplayRole
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
MENU_INDENT = 24  # px from the left of a row to a menu that a key opens
AROUND_LINE = 14  # px around the text of a row in a framed table
AROUND_COMPACT = 6  # px around the text of a compact row


class RowsModel(QAbstractTableModel):
    """A table of objects, one for each row. A subclass overrides `cell`, and `header` if it shows headings."""

    def __init__(self, parent: QObject | None = None, columns: int = 1) -> None:
        super().__init__(parent)
        self.rows: Sequence[Any] = ()
        self._columns = columns

    def show_rows(self, rows: Sequence[Any]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._columns

    def data(self, index: CellIndex, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        return self.cell(index.row(), index.column(), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return self.header(section) if role == DISPLAY else None

    def cell(self, row: int, column: int, role: int) -> object:
        """Return the content of a cell for a role of Qt other than its alignment; None for nothing."""
        raise NotImplementedError

    def header(self, column: int) -> str:
        return ""

    def is_number(self, column: int) -> bool:
        """Tell whether a column holds numbers, which are aligned right."""
        return False

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        return RIGHT if self.is_number(column) else LEFT


class TextModel(RowsModel):
    """Rows of texts below headings.

    left: how many columns are aligned left; the others hold numbers. texts: returns the texts of a row; it is asked for
    the rows that are seen.
    """

    def __init__(
        self, headings: Sequence[str], parent: QObject | None = None, *, left: int = 0,
        texts: Callable[[Any], Sequence[str]] = tuple,
    ) -> None:  # fmt: skip
        super().__init__(parent, len(headings))
        self._headings, self._left, self._texts = headings, left, texts

    def header(self, column: int) -> str:
        return self._headings[column]

    def is_number(self, column: int) -> bool:
        return column >= self._left

    def cell(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._headings[column]}: {self._texts(self.rows[row])[column]}"
        return self._texts(self.rows[row])[column] if role == DISPLAY else None


class RowsTable(QTableView):
    """A read-only table whose rows are selected as a whole; Home and End select the first and the last.

    painter: of the cells; None: the style paints them. row: height of a row in pixels; 0 if `fit_rows` sets it.
    hovered: the row below the pointer, all cells of which are tinted; -1 for none.
    """

    def __init__(
        self, model: QAbstractTableModel, name: str, painter: CellPainter | None = None, *, row: int = 0,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._model: Any = model  # a subclass declares its class
        self.hovered = self._pointer = -1  # the second is the pointer's y
        self.setModel(model)
        if painter is not None:
            painter.setParent(self)
            self.setItemDelegate(painter)
        self.setAccessibleName(name)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        if row:
            self.verticalHeader().setDefaultSectionSize(row)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._find_hovered)

    def fit_rows(self, theme: Theme, lines: int, usual: int, around: int) -> None:
        """Keep the height of the rows as the chosen density wants it.

        lines: of text in a row. usual: least height, in px. around: px around the text; both unless rows are compact.
        """
        text = lines * self.fontMetrics().height()
        self._theme, self._heights = theme, (max(usual, text + around), text + AROUND_COMPACT)
        theme.changed.connect(self._set_row_height)
        self._set_row_height()

    def _set_row_height(self) -> None:
        height = self._heights[self._theme.is_compact]
        if height != self.verticalHeader().defaultSectionSize():
            self.verticalHeader().setDefaultSectionSize(height)

    def choose_row(self, row: int) -> None:
        """Select a row alone, or the nearest if there is no such row, and scroll to it."""
        if rows := self.model().rowCount():
            index, flags = self.model().index(min(max(0, row), rows - 1), 0), QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.scrollTo(index)

    def selected_rows(self) -> list[range]:
        """Return the selected rows as ranges: to ask for each row takes long for thousands."""
        return [range(part.top(), part.bottom() + 1) for part in self.selectionModel().selection().toList()]

    def menu_place(self, event: QContextMenuEvent) -> tuple[int, QPoint]:
        """Return the row whose menu is wanted, -1 for none; and where: at the pointer, or by key below the row."""
        if event.reason() is not QContextMenuEvent.Reason.Keyboard:
            return self.rowAt(event.pos().y()), event.globalPos()
        index = self.currentIndex()
        return index.row(), self.viewport().mapToGlobal(self.visualRect(index).bottomLeft() + QPoint(MENU_INDENT, 0))

    def setSelectionModel(self, model: QItemSelectionModel) -> None:
        super().setSelectionModel(model)
        # Headings ask every selected cell whether it can be selected, to see whether all of their column are; with a
        # selection of their own, which is empty, they ask none.
        self.horizontalHeader().setSelectionModel(QItemSelectionModel(self.model(), self))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave or isinstance(event, QMouseEvent):
            self._pointer = -1 if not isinstance(event, QMouseEvent) else round(event.position().y())
            self._find_hovered()
        return super().viewportEvent(event)

    def _find_hovered(self) -> None:
        before, self.hovered = self.hovered, self.rowAt(self._pointer) if self._pointer >= 0 else -1
        for row in {before, self.hovered} - {-1} if before != self.hovered else ():
            self.viewport().update(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier  # without it they go along the row
        return super().moveCursor(action, modifiers)


class ListTable(RowsTable):
    """A table without headings, whose columns fill the width."""

    def __init__(
        self, model: QAbstractTableModel, name: str, painter: CellPainter, *, row: int = 0,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(model, name, painter, row=row, parent=parent)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


class FramedTable(RowsTable):
    """A table in a frame, whose columns fill the width. row: height of a row in pixels; 0: of a line of text."""

    def __init__(self, model: QAbstractTableModel, name: str, row: int = 0) -> None:
        super().__init__(model, name, row=row)
        if not row:
            self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + AROUND_LINE)
        self.setProperty("look", "framed")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


class PathTable(FramedTable):
    """A table of names and folders in a frame; they are shortened in the middle."""

    def __init__(self, model: QAbstractTableModel, name: str) -> None:
        super().__init__(model, name)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumHeight(320)


class CellState(NamedTuple):
    """What the row of a cell is. Every cell of the row on which the keys act has the focus."""

    selected: bool
    hovered: bool
    focused: bool


class CellPainter(QStyledItemDelegate):
    """Paints cells of a model. A subclass overrides `draw`, and declares the class of its model."""

    def __init__(self, drawing: Drawing, model: QAbstractTableModel) -> None:
        super().__init__()
        self._drawing = drawing
        self._model: Any = model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        table = self.parent()
        assert isinstance(table, RowsTable)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = index.row()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        state = CellState(selected, row == table.hovered, table.hasFocus() and row == table.currentIndex().row())
        self.draw(painter, QRectF(option.rect), row, index.column(), state)
        painter.restore()

    def paint_ground(self, painter: QPainter, box: QRectF, state: CellState) -> None:
        """Draw the background of a row that is selected or below the pointer, and the line below each row."""
        if state.selected or state.hovered:
            painter.fillRect(box, self._drawing.colour("accent_soft" if state.selected else "hover"))
        self.paint_line(painter, box, box.left(), box.right())

    def paint_line(self, painter: QPainter, box: QRectF, left: float, right: float) -> None:
        """Draw a thin line at the bottom of a row."""
        painter.setPen(QPen(self._drawing.colour("hairline"), 1))
        painter.drawLine(QPointF(left, box.bottom() - 0.5), QPointF(right, box.bottom() - 0.5))

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        """Draw a cell in its box."""
        raise NotImplementedError
