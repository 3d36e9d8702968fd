"""Forms that were filled in differently: the list of forms, the text they share, and what was filled in where."""

from __future__ import annotations

import html
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from dupfinder.base.display import shown
from dupfinder.base.progress import Reporter
from dupfinder.gui.components.buttons import icon_button
from dupfinder.gui.components.labels import ElidedLabel, badge, label, line
from dupfinder.gui.jobs import Job
from dupfinder.gui.models.forms import After, FillingsModel, FormEntry, FormsModel, forms_of
from dupfinder.gui.views.cluster_list import INSET, PADDING, UNPAINTED, ClusterDelegate, row_height
from dupfinder.gui.views.ink import Ink
from dupfinder.gui.views.strip import Strip
from dupfinder.review.fillings import MOST_READ, FormReader, FormView, Layout
from dupfinder.review.session import ReviewSession

ROW: Final = 28
COMMON_HEIGHT: Final = 170  # px of the common text before it scrolls
LIST_WIDTH: Final = 372


class FormDelegate(ClusterDelegate):
    """Name and folder of a form above, the number of its fillings below."""

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
        title = min(self._ink.metrics(role).horizontalAdvance(entry.title), upper.width() * 0.6)
        beside = upper.adjusted(title + 12, 0, 0, 0)
        self._ink.text(painter, beside, entry.folder, "small", "secondary", right, from_start)
        self._ink.text(painter, QRectF(upper.left(), upper.top(), title + 2, upper.height()), entry.title,
                       "strong" if chosen else "medium", "text")  # fmt: skip
        lower = upper.translated(0, upper.height())
        self._ink.text(painter, lower, model.fillings(index.row()), "small", "secondary")
        painter.restore()


class FormsView(QWidget):
    """Nothing is decided here. `group_wanted(document)`: the copies of a filling are to be shown as their group."""

    group_wanted = Signal(int)

    def __init__(self, session: ReviewSession, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._ink = session, ink
        self._forms = FormsModel(forms_of(session), self)
        self._fillings = FillingsModel(session, self)
        self.list = _plain_table(self.tr("Forms"))
        self.table = _plain_table(self.tr("Fillings"))
        self._title = ElidedLabel("", "group")
        self._facts = ElidedLabel("", "secondary")
        self._words = label("", "secondary")
        self.common = QTextEdit(self)
        self._count = label("", "strong")
        self._empty = label("", "secondary")
        self._reader: FormReader | None = None
        self._job: Job | None = None
        self._wanted: FormEntry | None = None
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(1)
        split.addWidget(self._left())
        split.addWidget(self._right())
        split.setStretchFactor(1, 1)
        split.setSizes([ink.theme.px(LIST_WIDTH), 10_000])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        self.list.selectionModel().currentRowChanged.connect(self._chosen)
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(self._clicked)

    def _left(self) -> QWidget:
        side = QWidget(self)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        top = QVBoxLayout()
        top.setContentsMargins(16, 0, 14, 4)
        top.setSpacing(8)
        entries = self._forms.entries
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(self.tr("%Ln forms", None, len(entries)), "group"))
        fillings = sum(len(entry.fillings) for entry in entries)
        head.addWidget(label(self.tr("%Ln fillings", None, fillings), "secondary"))
        head.addStretch(1)
        top.addLayout(head)
        hint = self.tr("One form filled in differently, or one letter to different people. Each filling is a document "
                       "of its own.")  # fmt: skip
        top.addWidget(label(hint, "secondary", wrap=True))
        never = Strip(self._ink.theme, "lock", "warn")
        never.say(self.tr("Never selected automatically"), self.tr("and never a survivor for each other."))
        top.addWidget(never)
        column.addLayout(top)
        column.addWidget(line())
        self.list.setModel(self._forms)
        self.list.setItemDelegate(FormDelegate(self._ink, self.list))
        self.list.verticalHeader().hide()
        self.list.horizontalHeader().hide()
        self.list.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.list.verticalHeader().setDefaultSectionSize(row_height(self.list.fontMetrics().height()))
        self.list.setStyleSheet(UNPAINTED)
        column.addWidget(self.list, 1)
        return side

    def _right(self) -> QWidget:
        side = QWidget(self)
        side.setProperty("ground", "surface")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(line())
        common = QVBoxLayout()
        common.setContentsMargins(16, 10, 16, 12)
        common.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(self.tr("Common text"), "strong"))
        row.addWidget(self._words)
        row.addStretch(1)
        common.addLayout(row)
        self.common.setReadOnly(True)
        self.common.setTabChangesFocus(True)
        self.common.setAccessibleName(self.tr("Common text"))
        self.common.setMaximumHeight(self._ink.theme.px(COMMON_HEIGHT))
        common.addWidget(self.common)
        column.addLayout(common)
        column.addWidget(line())
        heads = QHBoxLayout()
        heads.setContentsMargins(16, 8, 16, 8)
        heads.addWidget(self._count)
        heads.addWidget(self._empty)
        heads.addStretch(1)
        column.addLayout(heads)
        self.table.setModel(self._fillings)
        self.table.verticalHeader().setDefaultSectionSize(max(ROW, self.table.fontMetrics().height() + 10))
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        column.addWidget(self.table, 1)
        return side

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 10)
        head.setSpacing(8)
        names = QVBoxLayout()
        names.setSpacing(2)
        first = QHBoxLayout()
        first.addWidget(self._title, 1)
        first.addWidget(badge(self.tr("Same form")))
        names.addLayout(first)
        names.addWidget(self._facts)
        head.addLayout(names, 1)
        for icon, name, step in (("up", self.tr("Previous form"), -1), ("down", self.tr("Next form"), 1)):
            button = icon_button(self._ink.theme, icon, name, "box", 16)
            button.clicked.connect(partial(self.step, step))
            head.addWidget(button)
        return head

    # ---- choosing -------------------------------------------------------------------------------------------------
    @property
    def has_forms(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._forms.entries)

    @property
    def fillings(self) -> FillingsModel:
        """The table of the form in hand."""
        return self._fillings

    def step(self, by: int, _checked: bool = False) -> None:
        """The next form of the list (1), or the one before (-1)."""
        self.choose_row(self.list.currentIndex().row() + by)

    def choose_row(self, row: int) -> None:
        """Open a form, the nearest there is."""
        row = min(max(0, row), len(self._forms.entries) - 1)
        self.list.setCurrentIndex(self._forms.index(row, 0))

    def choose_document(self, document: int) -> None:
        """Open the form of a document."""
        for row, entry in enumerate(self._forms.entries):
            if document in entry.fillings or any(document in copies for copies in entry.copies):
                self.choose_row(row)

    def entered(self) -> None:
        """The view is shown: open the first form, unless one is open."""
        if self.has_forms and not self.list.currentIndex().isValid():
            self.choose_row(0)
        self.list.setFocus()

    def _chosen(self, current: QModelIndex) -> None:
        if current.isValid():
            self._show(self._forms.entries[current.row()], None)

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() - self._fillings.places == After.COPIES and self._fillings.has_copies(index.row()):
            self.group_wanted.emit(self._fillings.document(index.row()))

    # ---- reading and showing --------------------------------------------------------------------------------------
    def _show(self, entry: FormEntry, view: FormView | None) -> None:
        self._fillings.show_form(entry, view)
        self._title.setText(entry.title)
        fillings = self.tr("%Ln fillings", None, len(entry.fillings))
        self._count.setText(fillings)
        self._empty.setText("")
        facts = self.tr("%1 of one form in %2").replace("%1", fillings).replace("%2", entry.folder)
        if view is None:
            self._words.setText("")
            self.common.setPlainText(self.tr("The fillings are being read…"))
            self._wanted = entry
            self._read()
        elif view.layout is None:
            self.common.setPlainText(self.tr("These files could not be read again, or they are too long for a table."))
        else:
            facts += " · " + self.tr("they differ in %Ln short places", None, self._fillings.places)
            self._words.setText(self.tr("%Ln words, shown once", None, view.layout.words))
            self.common.setHtml(self._html(view.layout))
            if self._fillings.empty:
                self._empty.setText(self.tr("%Ln places left empty", None, self._fillings.empty))
        self._facts.setText(facts)
        self._fit_columns()

    def _html(self, layout: Layout) -> str:
        """The common text with a named mark at each place."""
        soft, tone = self._ink.colour("near_soft").name(), self._ink.colour("near").name()
        pieces = [_as_html(layout.common[0])]
        for place, piece in enumerate(layout.common[1:]):
            name = html.escape(self._fillings.place_name(place))
            mark = f'<span style="background:{soft};color:{tone};font-weight:600">&nbsp;{place + 1}&nbsp; {name}&nbsp;'
            pieces += [mark + "</span>", _as_html(piece)]
        return " ".join(pieces)

    def _fit_columns(self) -> None:
        header, places = self.table.horizontalHeader(), self._fillings.places
        for column in range(places):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.table.setColumnWidth(column, self._ink.theme.px(140))
        header.setSectionResizeMode(places + After.FILE, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(places + After.COPIES, self._ink.theme.px(120))

    def _read(self) -> None:
        """Read the form that was chosen last, one at a time."""
        if self._job is not None or self._wanted is None:
            return
        entry, self._wanted = self._wanted, None
        documents = self._session.result.documents
        paths = [documents.path(row) for row in entry.fillings[:MOST_READ]]
        reader = self._reader = self._reader or FormReader()
        self._job = Job(partial(_read, reader, paths))
        self._job.succeeded.connect(partial(self._was_read, entry))
        self._job.failed.connect(self._broke)
        self._job.start()

    def _was_read(self, entry: FormEntry, view: FormView) -> None:
        self._job = None
        if self._wanted is None:
            self._show(entry, view)
        self._read()

    def _broke(self, _error: Exception) -> None:
        self._job = None
        self.common.setPlainText(self.tr("These files could not be read again, or they are too long for a table."))
        self._read()

    def close_reader(self) -> None:
        """End the reading process."""
        self._wanted = None
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job.stop()
            self._job.wait(5000)
            self._job = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _as_html(text: str) -> str:
    """A text line by line, nothing in it taken for a tag."""
    return "<br>".join(html.escape(shown(part)) for part in text.splitlines())


def _plain_table(name: str) -> QTableView:
    """A table of rows of one height that nobody edits."""
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


def _read(reader: FormReader, paths: list[Path], reporter: Reporter) -> FormView:
    return reader.read(paths, reporter.check)
