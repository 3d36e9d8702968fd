"""The left side of the forms: their number, an explanation, and the list."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.results.cluster_list import INSET, PADDING, UNPAINTED, ClusterDelegate, row_height
from dupfinder.gui.results.forms import FormEntry, FormsModel, FormSort, in_order


class FormDelegate(ClusterDelegate):
    """Name and folder of a form above, its number of fillings below."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, FormsModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = chosen and bool(option.state & QStyle.StateFlag.State_HasFocus)
        box = QRectF(option.rect)
        self._paint_ground(painter, box, chosen, bool(option.state & QStyle.StateFlag.State_MouseOver), focused)
        inner, entry = box.adjusted(INSET + PADDING, 3, -(INSET + 6), -4), model.entries[index.row()]
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
        right, from_start = Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft
        role = "strong" if chosen else "medium"
        title = min(self._drawing.metrics(role).horizontalAdvance(entry.title), upper.width() * 0.6)
        beside = upper.adjusted(title + 12, 0, 0, 0)
        self._drawing.text(painter, beside, entry.folder, "small", "secondary", right, from_start)
        self._drawing.text(
            painter, QRectF(upper.left(), upper.top(), title + 2, upper.height()), entry.title, role, "text"
        )
        lower = upper.translated(0, upper.height())
        self._drawing.text(painter, lower, model.fillings(index.row()), "small", "secondary")
        painter.restore()


class FormList(QWidget):
    """`chosen` has the form of the current row, None for none."""

    chosen = Signal(object)  # FormEntry | None

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order = FormSort.FILLINGS
        self._model = FormsModel([], self)
        self._count = label("", "group")
        self._fillings = label("", "secondary")
        self._sort = button(drawing.theme, "", "quiet", "sort")
        self._menu = QMenu(self)
        self.table = plain_table(self.tr("Forms"))
        self._build(drawing)
        self._fill_menu()
        self.table.selectionModel().currentRowChanged.connect(self._current_changed)

    def _build(self, drawing: Drawing) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        top = QVBoxLayout()
        top.setContentsMargins(16, 0, 14, 4)
        top.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        for part in (self._count, self._fillings):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self._sort)
        top.addLayout(head)
        hint = self.tr("One form filled in differently, or one letter to different people. Each filling is a document "
                       "of its own.")  # fmt: skip
        top.addWidget(label(hint, "secondary", wrap=True))
        never = Strip(drawing.theme, "lock", "warn")
        never.say(self.tr("Never selected automatically"), self.tr("and never a survivor for each other."))
        top.addWidget(never)
        column.addLayout(top)
        column.addWidget(line())
        self.table.setModel(self._model)
        self.table.setItemDelegate(FormDelegate(drawing, self.table))
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setDefaultSectionSize(row_height(self.table.fontMetrics().height()))
        self.table.setStyleSheet(UNPAINTED)
        column.addWidget(self.table, 1)

    def _orders(self) -> dict[FormSort, str]:
        return {
            FormSort.FILLINGS: self.tr("Most fillings"),
            FormSort.NAME: self.tr("Name"),
            FormSort.FOLDER: self.tr("Folder"),
        }

    def _fill_menu(self) -> None:
        group = QActionGroup(self)
        for order, text in self._orders().items():
            action = self._menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(order is self._order)
            action.setData(order.value)
            group.addAction(action)
        self._menu.triggered.connect(self._sort_chosen)
        self._sort.setMenu(self._menu)

    def _sort_chosen(self, action: QAction) -> None:
        self.set_order(FormSort(action.data()))

    # ---- showing and choosing -------------------------------------------------------------------------------------
    @property
    def entries(self) -> Sequence[FormEntry]:
        """The listed forms."""
        return self._model.entries

    @property
    def current(self) -> FormEntry | None:
        """The form of the current row."""
        index = self.table.currentIndex()
        return self.entries[index.row()] if index.isValid() else None

    def set_order(self, order: FormSort) -> None:
        """Sort the list; the current form does not change."""
        self._order = order
        self.show_forms(self.entries)

    def show_forms(self, entries: Sequence[FormEntry]) -> None:
        """Replace the list. The current form stays selected, or the form that is now in its row."""
        before, row = self.current, max(0, self.table.currentIndex().row())
        ordered = in_order(entries, self._order)
        self._sort.setText(self._orders()[self._order])
        self._count.setText(self.tr("%Ln forms", None, len(ordered)))
        self._fillings.setText(self.tr("%Ln fillings", None, sum(len(entry.fillings) for entry in ordered)))
        self._model.show_entries(ordered)
        if before is None:
            return
        same = [index for index, entry in enumerate(ordered) if entry.fillings == before.fillings]
        self.choose_row(same[0] if same else row)
        if not ordered:
            self.chosen.emit(None)

    def step(self, by: int) -> None:
        """Select the next form (1), or the previous (-1)."""
        self.choose_row(self.table.currentIndex().row() + by)

    def choose_row(self, row: int) -> None:
        """Select a form, or the nearest if there is no such row."""
        if self.entries:
            self.table.setCurrentIndex(self._model.index(min(max(0, row), len(self.entries) - 1), 0))

    def choose_document(self, document: int) -> None:
        """Select the form of a document."""
        for row, entry in enumerate(self.entries):
            if document in entry.documents:
                self.choose_row(row)

    def _current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self.entries[current.row()])


def plain_table(name: str) -> QTableView:
    """Return a read-only table with rows of equal height."""
    table = QTableView()
    table.setAccessibleName(name)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    return table
