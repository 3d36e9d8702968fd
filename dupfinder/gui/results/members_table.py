"""The members of a group as a painted table. Decisions are requested by signals; nothing is decided here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QWidget

from dupfinder.cluster.relation import Confidence, Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import add_acts, add_tickable, passing_menu, with_key
from dupfinder.gui.kit.drawing import MIDDLE, Drawing, relation_tones
from dupfinder.gui.kit.files import add_document_acts
from dupfinder.gui.kit.tables import CellIndex, CellPainter, CellState, RowsTable
from dupfinder.gui.results.members import NUMERIC, DecisionModel, MemberColumn, MembersModel
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import count_text, day_text

CONTROL_INSET: Final = 9  # px above and below the decision control
LESS_INSET: Final = 6  # in compact rows
# decision: (icon, text colour, background, border)
CONTROLS: Final[dict[Decision, tuple[str, str, str, str]]] = {
    Decision.KEEP: ("check", "keep", "keep_soft", ""),
    Decision.REMOVE: ("trash", "remove", "remove_soft", ""),
    Decision.REMOVE_PART: ("trash", "remove", "remove_soft", ""),
    Decision.UNDECIDED: ("", "secondary", "surface", "border"),
}
LOCKED: Final = ("lock", "secondary", "neutral_soft", "")


class MemberPainter(CellPainter):
    """Paints every column; rows on which the keys act have a background, the compared pair a bar at the left."""

    _model: MembersModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        self.paint_ground(painter, box, state)
        text = self._model.text(row, MemberColumn(column))
        if column == MemberColumn.DECISION:
            self._paint_decision(painter, box, row, text, state)
        elif column == MemberColumn.SIDE:
            if text:
                size = self._drawing.theme.px(18)
                chip = QRectF(box.left() + 4, box.center().y() - size / 2, size, size)
                self._drawing.shape(painter, chip, "accent", 4)
                self._drawing.text(painter, chip, text, "label", "on_accent", Qt.AlignmentFlag.AlignHCenter)
        elif column == MemberColumn.DOCUMENT:
            self._paint_document(painter, box, row, text, state.selected)
        elif column == MemberColumn.RELATION:
            self._paint_relation(painter, box.adjusted(8, 0, -4, 0), row, text, state.selected)
        elif column == MemberColumn.NEAREST:
            self._paint_nearest(painter, box.adjusted(8, 0, -4, 0), row, text)
        else:
            role, token = ("strong", "text") if column == MemberColumn.SIMILAR else ("secondary", "secondary")
            align = Qt.AlignmentFlag.AlignRight if column in NUMERIC else Qt.AlignmentFlag.AlignLeft
            self._drawing.text(painter, box.adjusted(4, 0, -8, 0), text, role, token, align)

    def _paint_decision(self, painter: QPainter, box: QRectF, index: int, word: str, state: CellState) -> None:
        row, control = self._model.rows[index], QRectF(control_box(box.toRect()))
        if index in self._model.pair:
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), self._drawing.colour("accent"))
        if state.focused:
            self._drawing.outline(painter, control.adjusted(-2, -2, 2, 2), "accent", 6, 2)
        if row.member.is_there:
            decision = Decision.REMOVE if row.stack and row.marked else row.member.decision
            tones = LOCKED if row.member.is_locked else CONTROLS[decision]
            paint_control(self._drawing, painter, control, word, tones, framed=not row.below)

    def _paint_document(self, painter: QPainter, box: QRectF, index: int, name: str, on_accent: bool) -> None:
        model, row, drawing = self._model, self._model.rows[index], self._drawing
        second = model.second(index, MemberColumn.DOCUMENT)
        token = "secondary" if row.member.decision in MARKS or not row.member.is_there else "text"
        inner = box.adjusted(8, 0, -8, 0)
        if row.below:
            inner = inner.adjusted(22, 0, 0, 0)
            upper = inner.adjusted(0, 0, -inner.width() * 0.35, 0)
            used = drawing.text(painter, upper, name, "secondary", token, elide=MIDDLE, sought=model.sought)
            rest = inner.adjusted(used + 12, 0, 0, 0)
            drawing.text(painter, rest, second, "small", "secondary", elide=MIDDLE, sought=model.sought)
            return
        upper, lower = two_line_boxes(inner)
        if row.stack:
            arrow = QRectF(upper.left(), upper.center().y() - 7, 14, 14)
            drawing.icon(painter, "down" if model.is_open(index) else "right", "tertiary", arrow)
            drawing.icon(painter, "copy", "keep", arrow.translated(22, 0))
            used = 38.0
        else:
            used = drawing.badge(painter, upper, row.member.badge, on_accent=on_accent)
        name_area = upper.adjusted(used + 8, 0, 0, 0)
        elide = Qt.TextElideMode.ElideRight if row.stack else MIDDLE  # the number of copies is never left out
        drawing.text(painter, name_area, name, "medium", token, elide=elide, sought=model.sought)
        is_suggested = row.member.is_keeper and row.member.why_keeper is not None
        used = drawing.metrics("label").horizontalAdvance(say("Suggested")) + 32
        if is_suggested:
            lower.setRight(max(lower.left() + 40, lower.right() - used))
        end = drawing.text(painter, lower, second, "small", "secondary", elide=MIDDLE, sought=model.sought)
        if is_suggested:
            self._paint_suggested(painter, QRectF(lower.left() + end + 8, lower.top(), used, lower.height()))

    def _paint_suggested(self, painter: QPainter, box: QRectF) -> None:
        """Draw that the program proposed the kept copy, in a box that is 6 px wider than needed."""
        half = max(15, self._drawing.metrics("label").height() + 2) / 2
        # In compact rows the line is lower than the box: it must neither touch the line above nor leave the row.
        top, bottom = max(box.top() + 1, box.center().y() - half), min(box.bottom() + 3, box.center().y() + half)
        ground = QRectF(box.left(), top, box.width() - 6, bottom - top)
        painter.setPen(QPen(self._drawing.colour("tertiary"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(ground, 7, 7)
        self._drawing.icon(painter, "wand", "tertiary", QRectF(ground.left() + 5, ground.center().y() - 5, 10, 10))
        self._drawing.text(painter, ground.adjusted(19, 0, -2, 0), say("Suggested"), "label", "secondary")

    def _paint_relation(self, painter: QPainter, box: QRectF, index: int, word: str, on_accent: bool) -> None:
        row, drawing = self._model.rows[index], self._drawing
        if row.below:
            return
        second = self._model.second(index, MemberColumn.RELATION)
        upper, lower = two_line_boxes(box) if second else (box, box)
        if second:
            drawing.text(painter, lower, second, "small", "secondary")
        member = row.member
        if member.is_keeper or not member.is_there:
            drawing.text(painter, upper, word, "secondary", "secondary")
            return
        used = drawing.pill(painter, upper, word, relation_tones(member.relation, on_accent=on_accent))
        if member.confidence is Confidence.BORDERLINE and member.relation is Relation.VERSION:
            drawing.pill(painter, upper.adjusted(used + 5, 0, 0, 0), say("borderline"), ("warn", ""))

    def _paint_nearest(self, painter: QPainter, box: QRectF, index: int, name: str) -> None:
        if self._model.rows[index].below:
            return
        upper, lower = two_line_boxes(box)
        relation = self._model.second(index, MemberColumn.NEAREST)
        self._drawing.text(painter, upper, name, "small", "secondary", elide=Qt.TextElideMode.ElideLeft)
        self._drawing.text(painter, lower, relation, "small", "secondary")


def paint_control(
    drawing: Drawing, painter: QPainter, control: QRectF, word: str, tones: tuple[str, str, str, str], *, framed: bool
) -> None:
    """Draw a decision control. tones: LOCKED, or of CONTROLS. framed: with its background and border."""
    icon, token, ground, border = tones
    if framed:
        painter.setPen(QPen(drawing.colour(border), 1) if border else Qt.PenStyle.NoPen)
        painter.setBrush(drawing.colour(ground))
        painter.drawRoundedRect(control.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    rest = control.adjusted(9, 0, -4, 0)
    if icon:
        drawing.icon(painter, icon, token, QRectF(rest.left(), control.center().y() - 7, 14, 14))
        rest.setLeft(rest.left() + 19)
    drawing.text(painter, rest, word, "control", token)


def two_line_boxes(cell: QRectF) -> tuple[QRectF, QRectF]:
    """Return the boxes of the two lines of a cell; the upper one may hold a badge, which is higher than text."""
    around = 4 if cell.height() >= ROW else 2
    inner = cell.adjusted(0, around, 0, -around)
    middle = inner.top() + inner.height() * 0.55
    upper = QRectF(inner.topLeft(), QPointF(inner.right(), middle))
    return upper, QRectF(upper.bottomLeft(), inner.bottomRight())


def control_box(cell: QRect) -> QRect:
    """Return the rectangle of the decision control in its cell; it grows with the row and the font."""
    around = CONTROL_INSET if cell.height() >= ROW else LESS_INSET
    return cell.adjusted(16, around, -4, -around)


ROW: Final = 44
HEADER: Final = 30
ARROW: Final = 26  # px at the left of a stack, for the arrow that opens it
WIDTHS: Final = {
    MemberColumn.DECISION: 116, MemberColumn.SIDE: 30, MemberColumn.RELATION: 206, MemberColumn.NEAREST: 124,
    MemberColumn.SIMILAR: 64, MemberColumn.CHANGED: 92, MemberColumn.PAGES: 58, MemberColumn.WORDS: 78,
    MemberColumn.LANGUAGE: 80, MemberColumn.SIZE: 72,
}  # fmt: skip
FIRST_TO_GO: Final = (
    MemberColumn.LANGUAGE, MemberColumn.PAGES, MemberColumn.WORDS, MemberColumn.NEAREST, MemberColumn.CHANGED,
    MemberColumn.SIZE, MemberColumn.SIMILAR,
)  # fmt: skip
BESIDE: Final = 54  # px around the word of a decision: margins, icon
LEAST_COPIES: Final = 88  # there is room for so many in every group
BESIDE_TITLE: Final = 18  # px around the title of a column
LONG_DAY: Final = datetime(2028, 12, 28, 12)  # a date whose text is as long as any other
LEAST_NAME: Final = 230  # px at the usual size of text; columns are hidden before the name becomes narrower


class DecisionTable(RowsTable):
    """Documents with their decisions in the first column. Space toggles Remove, Enter compares.

    widths: px of the columns that do not share the room that is left over, of which those of `first_to_go` are hidden,
    in this order, while the others have less than `least` px. unwanted: columns that are hidden anyway.
    """

    _model: DecisionModel
    decided = Signal(list, object)  # documents, Decision
    compare_wanted = Signal(int)  # row
    act_wanted = Signal(str)  # as for DocumentOpener.act, on the current document
    widths: dict[int, int]
    first_to_go: Sequence[int]
    least: int

    def __init__(self, model: DecisionModel, name: str, painter: CellPainter, parent: QWidget | None) -> None:
        super().__init__(model, name, painter, parent=parent)
        self.unwanted = set[int]()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def fit_columns(self) -> int:
        """Hide columns, the least important first, while the names have too little room. Return that room, in px."""
        shown = self.widths.keys() - self.unwanted
        for column in (*self.first_to_go, -1):
            room = self.viewport().width() - sum(self.widths[each] for each in shown)
            if room >= self.least:
                break
            shown.discard(column)
        for column in self.widths:
            self.setColumnHidden(column, column not in shown)
        return room

    def control_box(self, cell: QRect) -> QRect:
        """Return where the decision control is in its cell."""
        raise NotImplementedError

    def chosen_documents(self) -> list[int]:
        """Return the documents of the selected rows."""
        raise NotImplementedError

    def decide(self, decision: Decision) -> None:
        """Request a decision about the selected documents."""
        if documents := self.chosen_documents():
            self.decided.emit(documents, decision)

    def toggle_remove(self) -> None:
        """Request Remove, or Undecided if the current document is already to be removed."""
        if (row := self.currentIndex().row()) >= 0:
            self.decide(Decision.UNDECIDED if self._model.is_marked(row) else Decision.REMOVE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Delete):
            self.toggle_remove()
        elif plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.compare_wanted.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        super().mousePressEvent(event)
        control = self.control_box(self.visualRect(index))
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and index.isValid() and index.column() == 0 and control.contains(point):
            self._offer_decisions(index.row(), self.viewport().mapToGlobal(control.bottomLeft()))

    def _offer_decisions(self, row: int, where: QPoint) -> None:
        documents = self._model.documents_at(row)
        if documents and self._model.is_locked(row):
            self.decided.emit(documents, Decision.REMOVE)  # refused, with the reason
        elif documents:
            menu = passing_menu(self)
            self.add_decisions(menu, row)
            menu.popup(where)

    def add_decisions(self, menu: QMenu, row: int) -> None:
        add_decisions(menu, self._model.decision_at(row), self.decide)

    def row_menu(self, row: int) -> QMenu:
        """Return a menu with the decisions about the selected documents, if the row has documents to decide about."""
        menu = passing_menu(self)
        if self._model.documents_at(row) and not self._model.is_locked(row):
            self.add_decisions(menu, row)
            menu.addSeparator()
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row, point = self.menu_place(event)
        if self._model.flags(self._model.index(row, 0)) & Qt.ItemFlag.ItemIsSelectable:
            self.row_menu(row).popup(point)


class MembersTable(DecisionTable):
    """The documents of a group. The left and right arrows close and open a stack of copies."""

    _model: MembersModel
    keep_wanted = Signal(int)  # the document; the rest of its group is to be removed
    a_wanted = Signal(int)  # row
    first_to_go = FIRST_TO_GO

    def __init__(self, model: MembersModel, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(model, say("Documents of this group"), MemberPainter(drawing, model), parent)
        self._drawing = drawing
        self._most_copies = LEAST_COPIES  # in a row of the group that is shown
        self.unwanted = {MemberColumn.LANGUAGE, MemberColumn.PAGES}  # at first, then as the person chooses
        self.fit_rows(drawing.theme, 2, ROW, 10)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self._prepare_header()

    def _prepare_header(self) -> None:
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setSectionsClickable(False)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer_columns)
        header.setMinimumSectionSize(24)
        header.setFixedHeight(max(HEADER, header.sizeHint().height()))
        self.least = self._drawing.theme.px(LEAST_NAME)
        self.widths = {column: self._width(column) for column in WIDTHS}
        for column, width in self.widths.items():
            self.setColumnWidth(column, width)
        self._model.modelReset.connect(self._widen_decisions)
        header.setSectionResizeMode(MemberColumn.DOCUMENT, QHeaderView.ResizeMode.Stretch)
        self.fit_columns()

    @Slot()
    def _widen_decisions(self) -> None:
        """Give the decisions more room if the group has more copies of a document than fit."""
        column = MemberColumn.DECISION
        self._most_copies = max((LEAST_COPIES, *(len(row.stack) for row in self._model.rows)))
        if self.widths[column] < (width := self._width(column)):
            self.widths[column] = width
            self.setColumnWidth(column, width)
            self.fit_columns()

    def _offer_columns(self, point: QPoint) -> None:
        menu = passing_menu(self)
        for column in MemberColumn:
            title = self._model.header(column)
            if title and column is not MemberColumn.DOCUMENT:
                add_tickable(menu, title, column not in self.unwanted, partial(self._toggle_column, column))
        menu.popup(self.horizontalHeader().viewport().mapToGlobal(point))

    def _toggle_column(self, column: MemberColumn) -> None:
        self.unwanted ^= {column}
        self.fit_columns()

    def _width(self, column: MemberColumn) -> int:
        """Return a column's width for the font: its title fits, and so does every decision and date."""
        metrics, title = self._drawing.metrics, self._model.header(column)
        widths = [
            self._drawing.theme.px(WIDTHS[column]),
            self.horizontalHeader().fontMetrics().horizontalAdvance(title) + BESIDE_TITLE,
        ]
        if column is MemberColumn.DECISION:
            texts = (*words.decision_texts(), say("Remove {number}", number=count_text(self._most_copies)))
            widths.append(round(max(map(metrics("control").horizontalAdvance, texts))) + BESIDE)
        elif column is MemberColumn.CHANGED:
            widths.append(round(metrics("secondary").horizontalAdvance(day_text(LONG_DAY))) + BESIDE_TITLE)
        return max(widths)

    def control_box(self, cell: QRect) -> QRect:
        return control_box(cell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def chosen_documents(self) -> list[int]:
        """Return the ids of the selected members that exist; of the current member if none is selected."""
        current = {self.currentIndex().row()} - {-1}
        rows = sorted(set(itertools.chain.from_iterable(self.selected_rows())) or current)
        return list(dict.fromkeys(document for row in rows for document in self._model.documents_at(row)))

    def currentChanged(self, current: CellIndex, previous: CellIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row():
            self.compare_wanted.emit(current.row())

    def keep_this(self) -> None:
        """Request to keep the current member and to remove the rest of its group."""
        row = self.currentIndex().row()
        if row >= 0 and self._model.members[row].is_there:
            self.keep_wanted.emit(self._model.members[row].document)

    def open_or_fold(self, row: int, opened: bool) -> None:
        """Show or hide the copies of a stack. Its own row does not move."""
        if self._model.rows[row].stack and self._model.is_open(row) is not opened:
            self._model.toggle(row)
            self.choose_row(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        key, row = Qt.Key(event.key()), self.currentIndex().row()
        if plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and row >= 0:
            self.open_or_fold(row, key is Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mousePressEvent(event)
        in_name = index.isValid() and index.column() == MemberColumn.DOCUMENT
        at_arrow = in_name and event.position().x() < self.visualRect(index).left() + ARROW
        if at_arrow and event.button() is Qt.MouseButton.LeftButton and self._model.rows[index.row()].stack:
            self.open_or_fold(index.row(), not self._model.is_open(index.row()))

    def add_decisions(self, menu: QMenu, row: int) -> None:
        super().add_decisions(menu, row)
        menu.addSeparator()
        add_acts(menu, (with_key(say("Keep this, remove the rest"), menu, "keep_this"), self.keep_this))

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        compare_as_a, compare_as_b = partial(self.a_wanted.emit, row), partial(self.compare_wanted.emit, row)
        add_acts(menu, (say("Compare as A"), compare_as_a), (say("Compare as B"), compare_as_b))
        menu.addSeparator()
        add_document_acts(menu, self.act_wanted.emit)
        return menu


def add_decisions(menu: QMenu, now: Decision | None, decide: Callable[[Decision], object]) -> None:
    """Add the decisions to a menu, with the present one ticked. now: None for documents with different decisions."""
    for text, command, decision in (
        (say("Keep"), "keep", Decision.KEEP),
        (say("Remove"), "toggle_remove", Decision.REMOVE),
        (say("Undecided"), "undecide", Decision.UNDECIDED),
    ):
        is_on = decision is now or (decision is Decision.REMOVE and now in MARKS)
        add_tickable(menu, with_key(text, menu, command), is_on, partial(decide, decision))
