"""Tables and lists: their models, their usual settings, and the painting of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    """Rows of texts below headings. left: how many columns are aligned left; the others hold numbers."""

    def __init__(self, headings: Sequence[str], parent: QObject | None = None, *, left: int = 0) -> None:
        super().__init__(parent, len(headings))
        self._headings, self._left = headings, left

    def header(self, column: int) -> str:
        return self._headings[column]

    def is_number(self, column: int) -> bool:
        return column >= self._left

    def cell(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._headings[column]}: {self.rows[row][column]}"
        return self.rows[row][column] if role == DISPLAY else None


class RowHeight(QObject):
    """Keeps the height of a table's rows as the chosen density wants it.

    lines: of text in a row. usual: least height, in px. around: px around the text; both unless rows are compact.
    """

    def __init__(self, table: QTableView, theme: Theme, lines: int, usual: int, around: int) -> None:
        super().__init__(table)
        self._table, self._theme = table, theme
        text = lines * table.fontMetrics().height()
        self._usual = max(usual, text + around)
        self._compact = text + AROUND_COMPACT
        theme.changed.connect(self._set)
        self._set()

    def _set(self) -> None:
        height = self._compact if self._theme.is_compact else self._usual
        if height != self._table.verticalHeader().defaultSectionSize():
            self._table.verticalHeader().setDefaultSectionSize(height)


class RowsTable(QTableView):
    """A table whose rows are selected as a whole; Home and End select the first and the last.

    hovered: the row below the pointer, all cells of which are tinted; -1 for none.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hovered = self._pointer = -1  # the second is the pointer's y
        self.setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._find_hovered)

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


def prepare(
    table: QTableView, model: QAbstractTableModel, name: str, row: int = 0, painter: CellPainter | None = None
) -> None:
    """Show a model in a table that is read-only, without frame, grid and row headings.

    row: height of a row in pixels; 0 if a RowHeight sets it. painter: of the cells; None: the style paints them.
    """
    table.setModel(model)
    if painter is not None:
        table.setItemDelegate(painter)
    table.setAccessibleName(name)
    table.horizontalHeader().setHighlightSections(False)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    if row:
        table.verticalHeader().setDefaultSectionSize(row)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QFrame.Shape.NoFrame)


def prepare_list(
    table: QTableView, model: QAbstractTableModel, name: str, row: int = 0, painter: CellPainter | None = None
) -> None:
    """Show a model as `prepare` does, without headings, in columns that fill the width."""
    prepare(table, model, name, row, painter)
    table.horizontalHeader().hide()
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


def prepare_framed(table: QTableView, model: QAbstractTableModel, name: str, row: int) -> None:
    """Show a model as `prepare` does, in a frame, in columns that fill the width."""
    prepare(table, model, name, row)
    table.setProperty("look", "framed")
    table.setFrameShape(QFrame.Shape.StyledPanel)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


def path_table(model: QAbstractTableModel, name: str) -> RowsTable:
    """Return a table of names and folders in a frame; they are shortened in the middle."""
    table = RowsTable()
    prepare_framed(table, model, name, table.fontMetrics().height() + 14)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setMinimumHeight(320)
    return table


def menu_place(table: QTableView, event: QContextMenuEvent) -> tuple[int, QPoint]:
    """Return the row whose menu is wanted, -1 for none, and where: at the pointer, or below the current row by key."""
    if event.reason() is not QContextMenuEvent.Reason.Keyboard:
        return table.rowAt(event.pos().y()), event.globalPos()
    index = table.currentIndex()
    return index.row(), table.viewport().mapToGlobal(table.visualRect(index).bottomLeft() + QPoint(MENU_INDENT, 0))


def choose_row(table: QTableView, row: int) -> None:
    """Select a row, or the nearest if there is no such row."""
    if rows := table.model().rowCount():
        table.setCurrentIndex(table.model().index(min(max(0, row), rows - 1), 0))


class CellPainter(QStyledItemDelegate):
    """Paints cells. A subclass overrides `draw`. Every cell of the row on which the keys act has the focus."""

    def __init__(self, drawing: Drawing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state, table = option.state, self.parent()
        if isinstance(table, QTableView) and table.hasFocus() and index.row() == table.currentIndex().row():
            state |= QStyle.StateFlag.State_HasFocus
        if isinstance(table, RowsTable):  # Qt knows of a single cell below the pointer
            state &= ~QStyle.StateFlag.State_MouseOver
            if index.row() == table.hovered:
                state |= QStyle.StateFlag.State_MouseOver
        self.draw(painter, QRectF(option.rect), index, state)
        painter.restore()

    def paint_ground(self, painter: QPainter, box: QRectF, state: QStyle.StateFlag) -> None:
        """Draw the background of a row that is selected or below the pointer, and the line below each row."""
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, self._drawing.colour("accent_soft"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, self._drawing.colour("hover"))
        painter.setPen(QPen(self._drawing.colour("hairline"), 1))
        y = box.bottom() - 0.5
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))

    def draw(self, painter: QPainter, box: QRectF, index: CellIndex, state: QStyle.StateFlag) -> None:
        """Draw a cell in its box. state: whether it is selected, focused, below the pointer."""
        raise NotImplementedError
