"""The two panes of the forms: their list, and the common text of the selected form with a table of its fields."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTextEdit, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.buttons import ROOM_FOR_WORDS, button, choice_menu, show_words, step_buttons
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import MIDDLE, Drawing
from dupfinder.gui.kit.labels import ElidedLabel, label, line, set_look
from dupfinder.gui.kit.layout import Stretch, across, down, grow
from dupfinder.gui.kit.page import fill
from dupfinder.gui.kit.tables import CellState, RowsTable
from dupfinder.gui.results.cluster_list import ARROW, INSET, TwoLineList, TwoLinePainter
from dupfinder.gui.results.forms import EndColumn, EntriesModel, FillingsModel, FormEntry, FormOrder, in_order
from dupfinder.review.fillings import FormLayout, FormView
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.relations import relation_meaning


class EntryPainter(TwoLinePainter):
    """The title of an entry and what is beside it; the rest below."""

    _model: EntriesModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        self.paint_ground(painter, box, state)
        inner = box.adjusted(INSET + ARROW, 0, -(INSET + 6), 0)
        title, beside, below = self._model.describe(self._model.rows[row])
        # The end of a folder tells as much as its beginning.
        lower = self.paint_names(painter, inner, title, beside, state.selected)
        self._drawing.text(painter, lower, below, "small", "secondary", elide=MIDDLE)


class EntryList(QWidget):
    """A list of entries below their number and a hint. `chosen` carries the entry of the current row, None for none.

    orders: the texts of the orders, the first one at first. in_order: returns entries in an order.
    """

    chosen = Signal(object)

    def __init__(
        self, drawing: Drawing, name: str, hint: str, describe: Callable[[Any], tuple[str, str, str]],
        orders: Mapping[Any, str], in_order: Callable[[Sequence[Any], Any], Sequence[Any]],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.drawing = drawing
        self._model = EntriesModel(describe, self)
        self._unordered: Sequence[Any] = ()
        self.entries: Sequence[Any] = ()  # in order, also those that the search hides
        self._words: list[str] = []  # that are searched for
        self.count = label("", "group")
        self.table = TwoLineList(self._model, name, EntryPainter(drawing, self._model), drawing.theme)
        self._orders, self._in_order, self._order = orders, in_order, next(iter(orders))
        self.sort = button(drawing.theme, orders[self._order], "quiet", "sort")
        choice_menu(self.sort, orders, self._order, self.set_order)
        self.head = across(self.count, Stretch(), self.sort, spacing=8)
        self._top = down(self.head, label(hint, "secondary", wrap=True), margins=(16, 0, 14, 4), spacing=8)
        self._none = label(say("Nothing matches the search."), "medium", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._none.hide()
        down(self._top, line(), self._none, grow(self.table), margins=(0, 12, 0, 0), spacing=8, into=self)
        self.table.selectionModel().currentRowChanged.connect(self._current_changed)

    @property
    def current(self) -> Any:
        """The entry of the current row, or None."""
        index = self.table.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def show_entries(self, entries: Sequence[Any]) -> None:
        """Replace the list. The current entry stays selected, or the entry that is now in its row."""
        before, row = self.current, max(0, self.table.currentIndex().row())
        self._unordered, self.entries = entries, self._in_order(entries, self._order)
        shown_entries = [entry for entry in self.entries if self._meets(entry)]
        self._model.show_rows(shown_entries)
        self._none.setVisible(bool(entries) and not shown_entries)
        if before is not None:
            self.table.choose_row(shown_entries.index(before) if before in shown_entries else row)
            if not shown_entries:
                self.chosen.emit(None)

    def set_order(self, order: object) -> None:
        """Sort the list; the current entry does not change."""
        self._order = order
        self.sort.setText(self._orders[order])
        self.show_entries(self._unordered)

    def _meets(self, entry: Any) -> bool:
        """Tell whether an entry has all words of the search."""
        text = " ".join(self._model.describe(entry)).casefold() if self._words else ""
        return all(word in text for word in self._words)

    def search(self, text: str) -> None:
        """Show only the entries with all of some words, and select the first unless one is selected."""
        self._words = text.casefold().split()
        self.show_entries(self._unordered)
        if self.current is None:
            self.table.choose_row(0)

    def step(self, by: int) -> None:
        """Select the next entry (1), or the previous (-1)."""
        self.table.choose_row(self.table.currentIndex().row() + by)

    def _current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self._model.rows[current.row()])


def _described(entry: FormEntry) -> tuple[str, str, str]:
    return entry.title, entry.folder, say_count("{count} filling", "{count} fillings", len(entry.fillings))


class FormList(EntryList):
    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        hint = relation_meaning(Relation.SAME_FORM)
        orders = {
            FormOrder.FILLINGS: say("Most fillings"),
            FormOrder.NAME: say("Name"),
            FormOrder.FOLDER: say("Folder"),
        }
        super().__init__(drawing, say("Forms"), hint, _described, orders, in_order, parent)
        self._fillings = label("", "secondary")
        self._hits: NDArray[np.bool_] | None = None  # documents that meet the search; None without a search
        never = say("Never selected automatically"), say("None counts as a copy of another.")
        self.head.insertWidget(1, self._fillings)
        self._top.addWidget(Strip(drawing.theme, "lock", "warn", *never))

    def show_forms(self, entries: Sequence[FormEntry]) -> None:
        self.count.setText(say_count("{count} form", "{count} forms", len(entries)))
        fillings = sum(len(entry.fillings) for entry in entries)
        self._fillings.setText(say_count("{count} filling", "{count} fillings", fillings))
        self.show_entries(entries)

    def _meets(self, entry: FormEntry) -> bool:
        return self._hits is None or bool(self._hits[entry.documents].any())

    def show_hits(self, hits: NDArray[np.bool_] | None) -> None:
        """Show only the forms with a document that meets a search, bool (n,); None: all of them."""
        self._hits = hits
        self.search("")

    def choose_document(self, document: int) -> None:
        """Select the form of a document, without a search; none if no form has it."""
        self.show_hits(None)
        rows = [row for row, entry in enumerate(self.entries) if document in entry.documents]
        if rows:
            self.table.choose_row(rows[0])


GROUP_STEPS: Final = ("previous_group", "next_group")  # the commands of the buttons beside a title
ROW: Final = 28
LEAST_FIELD: Final = 70  # px of a column
MOST_FIELD: Final = 220
LEAST_FILE: Final = 200  # px of the column of file names, before the table scrolls
COMMON_HEIGHT: Final = 170  # px of the common text before it scrolls


class FormDetail(QWidget):
    """The selected form. Nothing is decided here: a document is removed only in the group of its copies."""

    step_wanted = Signal(int)
    group_wanted = Signal(int)  # a document, to show the group of its copies
    compare_wanted = Signal(int, int)  # documents A and B

    def __init__(self, session: ReviewSession, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        fill(self, "surface")
        self._drawing = drawing
        self.fillings = FillingsModel(session, drawing.colour, self)
        self.table = RowsTable(self.fillings, say("Fillings"))
        self.common = QTextEdit(self)
        self._layout: FormLayout | None = None
        self.is_waiting = False  # for fillings that are being read
        self._title = ElidedLabel("", "group")
        self._facts = ElidedLabel("", "secondary")
        self._word_count = label("", "secondary")
        self._filling_count = label("", "strong")
        self._empty_count = label("", "secondary")
        self._hint = ElidedLabel("", "secondary")
        self.one_filling = button(drawing.theme, say("Show one filling"), "link")
        self.one_filling.setCheckable(True)
        self.csv = button(drawing.theme, say("Table as CSV"), "", "export")
        self.reject = button(drawing.theme, say("Not one form"), "", "forbid")
        self.compare_button = button(drawing.theme, say("Compare A and B"), "", "swap", self.compare)
        self._build()
        self._connect()

    def _common_part(self) -> QVBoxLayout:
        row = across(label(say("Common text"), "strong"), self._word_count, Stretch(), self.one_filling, spacing=8)
        self.common.setReadOnly(True)
        self.common.setTabChangesFocus(True)
        self.common.setAccessibleName(say("Common text"))
        self.common.setMaximumHeight(self._drawing.theme.px(COMMON_HEIGHT))
        return down(row, self.common, margins=(16, 10, 16, 12), spacing=6)

    def _build(self) -> None:
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._hint.setText(say("A click chooses B, with Shift A"))
        parts = (self._filling_count, self._empty_count, grow(self._hint), self.compare_button)
        heads = across(*parts, margins=(16, 8, 16, 8), spacing=8)
        set_look(self.table, look="texts")  # its cells are aligned with the headings
        self.table.fit_rows(self._drawing.theme, 1, ROW, 10)
        self.table.verticalHeader().show()
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.table.setSortingEnabled(True)
        down(self._head(), line(), self._common_part(), line(), heads, grow(self.table), spacing=0, into=self)

    def _head(self) -> QVBoxLayout:
        for act in (self.csv, self.reject):
            act.setAccessibleName(act.text())
        texts = say("Previous form"), say("Next form")
        steps = step_buttons(self._drawing.theme, texts, self.step_wanted.emit, GROUP_STEPS)
        head = across(grow(self._title), self.csv, self.reject, *steps, spacing=8)
        # The facts are below the buttons: beside them a narrow window has no room for the counts.
        return down(head, self._facts, margins=(16, 12, 16, 10), spacing=2)

    def _connect(self) -> None:
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(self._activated)
        self.table.selectionModel().currentRowChanged.connect(self._row_changed)
        self.one_filling.toggled.connect(self._show_text)
        self._drawing.theme.changed.connect(self._show_text)  # its fields are marked in colours of the theme

    # ---- A and B --------------------------------------------------------------------------------------------------
    def compare(self) -> None:
        """Request the comparison of A and B."""
        left, right = self.fillings.pair
        if left >= 0:
            self.compare_wanted.emit(self.fillings.document(left), self.fillings.document(right))

    def _row_changed(self, current: QModelIndex) -> None:
        """Set B to the current row, or A while Shift is pressed."""
        if current.isValid() and self.fillings.pair[0] >= 0:
            shift = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
            if current.row() not in self.fillings.pair:
                self.fillings.set_side(current.row(), 0 if shift else 1)
                self._show_text()

    def _clicked(self, index: QModelIndex) -> bool:
        """Show the copies of a filling if this is the cell of its copies, and tell whether it is."""
        shows_copies = self.fillings.leads_to_copies(index.row(), index.column())
        if shows_copies:
            self.group_wanted.emit(self.fillings.document(index.row()))
        return shows_copies

    def _activated(self, index: QModelIndex) -> None:
        if not self._clicked(index):
            self.compare()

    # ---- showing --------------------------------------------------------------------------------------------------
    def show_form(self, entry: FormEntry, view: FormView | None) -> None:
        """Show a form. view: None while its documents are being read."""
        self._layout, self.is_waiting = view.layout if view is not None else None, view is None
        if self.fillings.show_form(entry, view):
            self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._title.setText(entry.title)
        fillings = say_count("{count} filling", "{count} fillings", len(entry.fillings))
        self._filling_count.setText(fillings)
        facts = say("{fillings} of one form in {folder}", fillings=fillings, folder=entry.folder)
        empty_count, word_count = "", ""
        if view is None:
            self.common.setPlainText(say("The fillings are being read…"))
        elif self._layout is None:
            self.show_unreadable()
        else:
            text = NP_("they differ in {count} short place", "they differ in {count} short places")
            facts += " · " + say_count(*text, self.fillings.field_count)
            word_count = say_count("{count} word, shown once", "{count} words, shown once", self._layout.words)
            empty_count = say_some("{count} place left empty", "{count} places left empty", self.fillings.empty)
            self._show_text()
        self._word_count.setText(word_count)
        self._empty_count.setText(empty_count)
        self._facts.setText(facts)
        self.one_filling.setVisible(self._layout is not None)
        self.csv.setEnabled(view is not None)
        self._fit_columns()

    def show_unreadable(self) -> None:
        """Show that there is no text to lay out."""
        self.is_waiting = False
        self.common.setPlainText(say("These files could not be read again, or they are too long for a table."))

    def _show_text(self) -> None:
        """Show the common text with its fields, or with the fillings of B."""
        if self._layout is not None:
            row = self.fillings.pair[1]
            fills = self.fillings.fills(row) if self.one_filling.isChecked() and row >= 0 else ()
            self.common.setHtml(self._html(self._layout, fills))

    def _html(self, layout: FormLayout, fills: Sequence[str]) -> str:
        """Return the common text as HTML, with a marked name or filling at each field."""
        ground, text_colour = self._drawing.colour("near_soft").name(), self._drawing.colour("near").name()
        style = f"background:{ground};color:{text_colour};font-weight:600"
        pieces = [_as_html(layout.common[0])]
        for field, piece in enumerate(layout.common[1:]):
            content = html.escape(shown(fills[field]) if fills else self.fillings.field_name(field))
            pieces += [f'<span style="{style}">&nbsp;{field + 1}&nbsp; {content}&nbsp;</span>', _as_html(piece)]
        return " ".join(pieces)

    def _fit_columns(self) -> None:
        """Give each column of a field the width of what it shows, within limits."""
        header, fields, px = self.table.horizontalHeader(), self.fillings.field_count, self._drawing.theme.px
        for column in range(fields):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            shown_width = max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column))
            self.table.setColumnWidth(column, min(max(shown_width, px(LEAST_FIELD)), px(MOST_FIELD)))
        self.table.setColumnWidth(fields + EndColumn.COPIES, px(120))
        self._fit_file()

    def _fit_file(self) -> None:
        """Give the file name the room that the other columns leave; its least width if they leave less."""
        header, column = self.table.horizontalHeader(), self.fillings.field_count + EndColumn.FILE
        if column < header.count():
            least = self._drawing.theme.px(LEAST_FILE)
            others = header.length() - header.sectionSize(column)
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, max(least, self.table.viewport().width() - others))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        show_words((self.csv, self.reject), self.width() >= self._drawing.theme.px(ROOM_FOR_WORDS))
        self._fit_file()


def _as_html(text: str) -> str:
    return "<br>".join(html.escape(shown(part)) for part in text.splitlines())
