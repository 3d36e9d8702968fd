"""The members of a cluster, each with its decision. Decisions are asked for by signal; nothing is decided here."""

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

from dupfinder.gui.models.members import Column, MembersModel
from dupfinder.gui.views.ink import Ink
from dupfinder.gui.views.member_delegate import MemberDelegate, control_box
from dupfinder.review.members import Decision

ROW: Final = 44
HEADER: Final = 30
WIDTHS: Final = {
    Column.DECISION: 112, Column.SIDE: 30, Column.WHY: 170, Column.SIMILAR: 72, Column.CHANGED: 108,
    Column.PAGES: 62, Column.WORDS: 74, Column.LANGUAGE: 80, Column.SIZE: 84,
}  # fmt: skip
FIRST_TO_GO: Final = (Column.LANGUAGE, Column.PAGES, Column.WORDS, Column.CHANGED, Column.SIZE)
LEAST_NAME: Final = 230  # px for name and folder; columns go before the name becomes shorter than this


class MembersTable(QTableView):
    """Space toggles Remove; K keeps, R removes, U undecides; Enter compares with the kept copy."""

    decided = Signal(list, object)  # documents, Decision
    compare_wanted = Signal(int)  # row
    left_wanted = Signal(int)  # row
    act_wanted = Signal(str, int)  # "open" | "reveal" | "copy_path", row

    def __init__(self, model: MembersModel, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._ink = ink
        self._delegate = MemberDelegate(ink, self)
        self._hidden_by_person: set[Column] = {Column.LANGUAGE}
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
        """A column's width at the font's scale; 0 for the one that takes what is left."""
        return self._ink.theme.px(WIDTHS.get(column, 0))

    def _fit_columns(self) -> None:
        """Hide columns from the least needed on while name and folder have too little room."""
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
        """The row with the keyboard, -1: none."""
        return self.currentIndex().row() if self.currentIndex().isValid() else -1

    def choose_row(self, row: int) -> None:
        """Give a row the keyboard."""
        index = self._model.index(row, Column.DECISION)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def chosen_documents(self) -> list[int]:
        """Ids of the selected members that are there; of the current one when none is selected."""
        chosen = self.selectionModel().selection()
        spans = [chosen.at(place) for place in range(chosen.count())]
        rows = {row for span in spans for row in range(span.top(), span.bottom() + 1)}
        if not rows and self.current_row() >= 0:
            rows = {self.current_row()}
        members = self._model.members
        return [members[row].document for row in sorted(rows) if not members[row].gone]

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row():
            self.compare_wanted.emit(current.row())

    # ---- decisions ------------------------------------------------------------------------------------------------
    def decide(self, decision: Decision) -> None:
        """Ask for a decision on the selected members."""
        if documents := self.chosen_documents():
            self.decided.emit(documents, decision)

    def toggle_remove(self) -> None:
        """Ask for Remove, or for Undecided when the current member is to be removed already."""
        row = self.current_row()
        if row >= 0:
            removing = self._model.members[row].decision is Decision.REMOVE
            self.decide(Decision.UNDECIDED if removing else Decision.REMOVE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        key = Qt.Key(event.key())
        decisions = {
            Qt.Key.Key_K: Decision.KEEP, Qt.Key.Key_R: Decision.REMOVE, Qt.Key.Key_U: Decision.UNDECIDED,
        }  # fmt: skip
        if plain and key is Qt.Key.Key_Space:
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
        if index.column() == Column.DECISION and control_box(cell).contains(event.position().toPoint()):
            self._offer_decisions(index.row(), self.viewport().mapToGlobal(control_box(cell).bottomLeft()))

    def _offer_decisions(self, row: int, where: QPoint) -> None:
        member = self._model.members[row]
        if member.gone:
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
            action.setChecked(decision is now)
            action.triggered.connect(act)

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
        """All that can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self._model.members[row].is_locked and not self._model.members[row].gone:
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
