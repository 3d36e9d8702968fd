"""The list of clusters: two painted lines a row, straight from the columns, as smooth with a million rows as ten."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dupfinder.base.display import shown
from dupfinder.gui.models.clusters import ClustersModel
from dupfinder.gui.views import words
from dupfinder.gui.views.ink import Ink, kind_tones
from dupfinder.review.filters import Kind

ROW: Final = 64  # px at the default font size
INSET: Final = 8  # px between the list's edge and a row's background
PADDING: Final = 16
# The delegate paints grounds itself, with round corners; what the style would fill beneath them stays away.
UNPAINTED: Final = "QTableView { background: transparent; selection-background-color: transparent; }"


class ClusterDelegate(QStyledItemDelegate):
    """Title and space to free above; kind, number of documents and lowest similarity below."""

    def __init__(self, ink: Ink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ink = ink

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, row_height(option.fontMetrics.height()))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, ClustersModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = chosen and bool(option.state & QStyle.StateFlag.State_HasFocus)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        box = QRectF(option.rect)
        self._paint_ground(painter, box, chosen, hovered, focused)
        self._paint_words(painter, box.adjusted(INSET + PADDING, 0, -(INSET + 6), 0), model, index.row(), chosen)
        painter.restore()

    def _paint_ground(self, painter: QPainter, box: QRectF, chosen: bool, hovered: bool, focused: bool) -> None:
        ground = box.adjusted(INSET, 2, -INSET, -2)
        if not chosen:
            painter.setPen(QPen(self._ink.colour("hairline"), 1))
            y = box.bottom() - 0.5
            painter.drawLine(QPointF(ground.left() + PADDING, y), QPointF(ground.right() - 6, y))
        if not chosen and not hovered:
            return
        self._ink.shape(painter, ground, "accent_soft" if chosen else "hover", 7)
        if chosen:
            self._ink.shape(painter, QRectF(ground.left(), ground.top() + 11, 3, ground.height() - 22), "accent", 1.5)
        if focused:
            painter.setPen(QPen(self._ink.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), 7, 7)

    def _paint_words(self, painter: QPainter, box: QRectF, model: ClustersModel, row: int, chosen: bool) -> None:
        ink, table = self._ink, model.table
        line = box.height() / 2
        upper = QRectF(box.left(), box.top() + 7, box.width(), line - 6)
        lower = QRectF(box.left(), box.top() + line, box.width(), line - 8)
        right = Qt.AlignmentFlag.AlignRight
        used = ink.text(painter, upper, words.size(int(table.bytes_to_free[row])), "strong", "text", right)
        title = upper.adjusted(0, 0, -used - 12, 0)
        ink.text(painter, title, shown(table.title(row)), "strong" if chosen else "medium", "text")
        kind = Kind(int(table.kind[row]))
        x = lower.left() + ink.pill(painter, lower, words.kind_word(kind), kind_tones(kind)) + 8
        used = ink.text(painter, lower, words.percent(float(table.lowest[row])), "secondary", "secondary", right)
        x = self._paint_signs(painter, x, lower, bool(table.reviewed[row]), bool(table.marked[row]))
        rest = QRectF(x, lower.top(), lower.right() - used - 8 - x, lower.height())
        ink.text(painter, rest, words.documents(int(table.size[row])), "secondary", "secondary")

    def _paint_signs(self, painter: QPainter, x: float, box: QRectF, reviewed: bool, marked: bool) -> float:
        """A ring with a tick for reviewed, a dot for marked; the x after them."""
        y = box.center().y()
        if reviewed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._ink.colour("keep"), 1.6))
            painter.drawEllipse(QPointF(x + 6, y), 5.5, 5.5)
            painter.drawPolyline([QPointF(x + 3.5, y), QPointF(x + 5.5, y + 2), QPointF(x + 8.7, y - 2.2)])
            x += 18
        if marked:
            self._ink.shape(painter, QRectF(x, y - 3.5, 7, 7), "remove", 3.5)
            x += 13
        return x


def row_height(line: int) -> int:
    """The height of a row whose font has lines `line` pixels high."""
    return max(ROW, 2 * line + 28)


class ClusterList(QTableView):
    """One column, no headers, rows of one height. `chosen` tells the id of the current cluster, -1 for none."""

    chosen = Signal(int)
    view_moved = Signal()

    def __init__(self, model: ClustersModel, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._delegate = ClusterDelegate(ink, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(row_height(self.fontMetrics().height()))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setAccessibleName(self.tr("Groups"))
        self.setStyleSheet(UNPAINTED)
        self.verticalScrollBar().valueChanged.connect(self.view_moved)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        self.chosen.emit(self._model.cluster_at(current.row()) if current.isValid() else -1)

    def choose(self, cluster: int) -> bool:
        """Make a cluster the current one and show it. False when it is not in the list."""
        row = self._model.row_of(cluster)
        if row < 0:
            return False
        self.choose_row(row)
        return True

    def choose_row(self, row: int) -> None:
        """Make a row the current one, the nearest there is."""
        last = self._model.rowCount() - 1
        if last < 0:
            return
        index = self._model.index(min(max(0, row), last), 0)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def visible_rows(self) -> tuple[int, int]:
        """(first, last) row in view, from 0; (-1, -1) for an empty list."""
        if not self._model.rowCount():
            return -1, -1
        last = self.rowAt(self.viewport().height() - 1)
        return max(0, self.rowAt(0)), last if last >= 0 else self._model.rowCount() - 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        current = self.currentIndex()
        row = self.verticalHeader().defaultSectionSize()
        seen = current.isValid() and -row < self.visualRect(current).top() < max(event.oldSize().height(), 0)
        super().resizeEvent(event)
        if seen:  # what grows above the list must not push the current row out of it
            self.scrollTo(current)
        self.view_moved.emit()
