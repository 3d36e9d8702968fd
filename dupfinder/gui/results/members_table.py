"""The members of a group, each with its decision. Decisions are requested by signals; nothing is decided here."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.results.member_delegate import MemberDelegate, control_box
from dupfinder.gui.results.members import Column, MembersModel
from dupfinder.review.members import REMOVED, Decision

ROW: Final = 44
HEADER: Final = 30
ARROW: Final = 26  # px at the left of a stack, for the arrow that opens it
WIDTHS: Final = {
    Column.DECISION: 116, Column.SIDE: 30, Column.RELATION: 206, Column.NEAREST: 124, Column.SIMILAR: 64,
    Column.CHANGED: 92, Column.PAGES: 58, Column.WORDS: 62, Column.LANGUAGE: 80, Column.SIZE: 72,
}  # fmt: skip
FIRST_TO_GO: Final = (Column.LANGUAGE, Column.PAGES, Column.WORDS, Column.NEAREST, Column.CHANGED, Column.SIZE)
BESIDE: Final = 54  # px around the word of a decision: margins, icon
BESIDE_TITLE: Final = 18  # px around the title of a column
LEAST_NAME: Final = 230  # px for name and folder; columns are hidden before the name becomes narrower


class MembersTable(QTableView):
    """Space toggles Remove; K keeps, R removes, U undecides, Shift+K keeps one and removes the rest.

    Enter compares with the kept copy; the left and right arrows close and open a stack of identical copies.
    """

    decided = Signal(list, object)  # documents, Decision
    keep_wanted = Signal(int)  # document of which the rest of the group is to be removed
    compare_wanted = Signal(int)  # row
    left_wanted = Signal(int)  # row
    act_wanted = Signal(str, int)  # "open" | "reveal" | "copy_path", row

    def __init__(self, model: MembersModel, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._drawing = drawing
        self._delegate = MemberDelegate(drawing, self)
        self._hidden_by_person: set[Column] = {Column.LANGUAGE, Column.PAGES}
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(max(ROW, 2 * self.fontMetrics().height() + 10))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setAccessibleName(self.tr("Documents of this group"))
        self._prepare_header()

    def _prepare_header(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(True)
        header.setSectionsClickable(False)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer_columns)
        header.setMinimumSectionSize(24)
        header.setFixedHeight(max(HEADER, header.sizeHint().height()))
        for column in WIDTHS:
            self.setColumnWidth(column, self._width(column))
        header.setSectionResizeMode(Column.DOCUMENT, QHeaderView.ResizeMode.Stretch)
        self._fit_columns()

    def _offer_columns(self, point: QPoint) -> None:
        menu = QMenu(self)
        for column in Column:
            title = self._model.header(column)
            if not title or column is Column.DOCUMENT:
                continue
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(column not in self._hidden_by_person)
            action.setData(int(column))
        menu.triggered.connect(self._toggle_column)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.horizontalHeader().viewport().mapToGlobal(point))

    def _toggle_column(self, action: QAction) -> None:
        self._hidden_by_person ^= {Column(int(action.data()))}
        self._fit_columns()

    def _width(self, column: Column) -> int:
        """Return a column's width for the font, at least that of its title; 0 for the column that gets the rest."""
        if column is Column.DOCUMENT:
            return 0
        title = self.horizontalHeader().fontMetrics().horizontalAdvance(self._model.header(column))
        width = max(self._drawing.theme.px(WIDTHS[column]), title + BESIDE_TITLE)
        if column is Column.DECISION:  # its longest text is never cut off
            width = max(
                width, round(self._drawing.metrics("control").horizontalAdvance(self._model.most_marked())) + BESIDE
            )
        return width

    def _fit_columns(self) -> None:
        """Hide columns, the least important first, while name and folder have too little room."""
        shown = [column for column in Column if column not in self._hidden_by_person]
        for column in FIRST_TO_GO:
            if self.viewport().width() - sum(map(self._width, shown)) >= LEAST_NAME:
                break
            if column in shown:
                shown.remove(column)
        for column in Column:
            self.setColumnHidden(column, column not in shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    # ---- rows -----------------------------------------------------------------------------------------------------
    def current_row(self) -> int:
        """Return the current row, -1 for none."""
        return self.currentIndex().row() if self.currentIndex().isValid() else -1

    def choose_row(self, row: int) -> None:
        """Select a row."""
        index = self._model.index(row, Column.DECISION)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def chosen_documents(self) -> list[int]:
        """Return the ids of the selected members that exist; of the current member if none is selected."""
        chosen = self.selectionModel().selection()
        spans = [chosen.at(index) for index in range(chosen.count())]
        rows = {row for span in spans for row in range(span.top(), span.bottom() + 1)}
        if not rows and self.current_row() >= 0:
            rows = {self.current_row()}
        shown = self._model.rows
        documents = [
            document for row in sorted(rows) if shown[row].member.is_there for document in shown[row].documents
        ]
        return list(dict.fromkeys(documents))

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row():
            self.compare_wanted.emit(current.row())

    # ---- decisions ------------------------------------------------------------------------------------------------
    def decide(self, decision: Decision) -> None:
        """Request a decision about the selected members."""
        if documents := self.chosen_documents():
            self.decided.emit(documents, decision)

    def toggle_remove(self) -> None:
        """Request Remove, or Undecided if the current member is already to be removed."""
        row = self.current_row()
        if row >= 0:
            self.decide(Decision.UNDECIDED if self._model.rows[row].marked else Decision.REMOVE)

    def keep_this(self) -> None:
        """Request to keep the current member and to remove the rest of its group."""
        row = self.current_row()
        if row >= 0 and self._model.members[row].is_there:
            self.keep_wanted.emit(self._model.members[row].document)

    def open_stack(self, row: int, opened: bool) -> None:
        """Show or hide the copies of a stack."""
        if self._model.rows[row].stack and self._model.is_open(row) is not opened:
            document = self._model.members[row].document
            self._model.toggle(row)
            rows = self._model.rows
            self.choose_row(
                next(
                    at for at, shown_row in enumerate(rows) if shown_row.stack and shown_row.member.document == document
                )
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        key = Qt.Key(event.key())
        decisions = {
            Qt.Key.Key_K: Decision.KEEP, Qt.Key.Key_R: Decision.REMOVE, Qt.Key.Key_U: Decision.UNDECIDED,
        }  # fmt: skip
        if key is Qt.Key.Key_K and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.keep_this()
        elif plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.current_row() >= 0:
            self.open_stack(self.current_row(), key is Qt.Key.Key_Right)
        elif plain and key is Qt.Key.Key_Space:
            self.toggle_remove()
        elif plain and key in decisions:
            self.decide(decisions[key])
        elif plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_C):
            self.compare_wanted.emit(self.current_row())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mousePressEvent(event)
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        cell = self.visualRect(index)
        at_arrow = index.column() == Column.DOCUMENT and event.position().x() < cell.left() + ARROW
        if at_arrow and self._model.rows[index.row()].stack:
            self.open_stack(index.row(), not self._model.is_open(index.row()))
            return
        if index.column() == Column.DECISION and control_box(cell).contains(event.position().toPoint()):
            self._offer_decisions(index.row(), self.viewport().mapToGlobal(control_box(cell).bottomLeft()))

    def _offer_decisions(self, row: int, where: QPoint) -> None:
        member = self._model.members[row]
        if not member.is_there:
            return
        if member.is_locked:
            self.decided.emit([member.document], Decision.REMOVE)  # refused, with the reason
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_decisions(menu, member.decision)
        menu.popup(where)

    def _add_decisions(self, menu: QMenu, now: Decision) -> None:
        for text, keys, decision, act in (
            (self.tr("Keep"), "K", Decision.KEEP, self._keep),
            (self.tr("Remove"), "R", Decision.REMOVE, self._remove),
            (self.tr("Undecided"), "U", Decision.UNDECIDED, self._undecide),
        ):
            action = menu.addAction(f"{text}\t{keys}")
            action.setCheckable(True)
            action.setChecked(decision is now or (decision is Decision.REMOVE and now in REMOVED))
            action.triggered.connect(act)
        menu.addSeparator()
        menu.addAction(self.tr("Keep this, remove the rest") + "\tShift+K").triggered.connect(self.keep_this)

    def _keep(self) -> None:
        self.decide(Decision.KEEP)

    def _remove(self) -> None:
        self.decide(Decision.REMOVE)

    def _undecide(self) -> None:
        self.decide(Decision.UNDECIDED)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.rowAt(event.pos().y())
        if row < 0:
            return
        menu = self.row_menu(row)
        menu.popup(event.globalPos())

    def row_menu(self, row: int) -> QMenu:
        """Return the menu of a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self._model.members[row].is_locked and self._model.members[row].is_there:
            self._add_decisions(menu, self._model.members[row].decision)
            menu.addSeparator()
        for text, act in ((self.tr("Compare as A"), "left"), (self.tr("Compare as B"), "right")):
            action = menu.addAction(text)
            action.setData((act, row))
        menu.addSeparator()
        for text, act in (
            (self.tr("Open"), "open"),
            (self.tr("Show in folder"), "reveal"),
            (self.tr("Copy path"), "copy_path"),
        ):
            action = menu.addAction(text)
            action.setData((act, row))
        menu.triggered.connect(self._act)
        return menu

    def _act(self, action: QAction) -> None:
        if not isinstance(action.data(), tuple | list):
            return
        act, row = action.data()
        if act == "left":
            self.left_wanted.emit(row)
        elif act == "right":
            self.compare_wanted.emit(row)
        else:
            self.act_wanted.emit(act, row)
