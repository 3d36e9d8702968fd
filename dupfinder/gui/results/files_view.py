"""The documents of all listed groups in one table, in any order, with the decisions about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QWidget

from dupfinder.base.display import folder_text, located, shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import add_acts, with_key
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import MIDDLE, Drawing, relation_tones
from dupfinder.gui.kit.files import DOCUMENT_ACTS, DocumentOpener, add_document_acts
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.gui.kit.labels import ElidedLabel, label, line, plain_tip
from dupfinder.gui.kit.layout import down, grow
from dupfinder.gui.kit.page import fill
from dupfinder.gui.kit.tables import DISPLAY, CellIndex, CellPainter, CellState
from dupfinder.gui.results.cluster_detail import Decider
from dupfinder.gui.results.cluster_pane import ClusterPane
from dupfinder.gui.results.members import DecisionModel
from dupfinder.gui.results.members_table import (
    BESIDE,
    BESIDE_TITLE,
    CONTROLS,
    LOCKED,
    LONG_DAY,
    DecisionTable,
    paint_control,
)
from dupfinder.gui.results.sheets import ResultsSheets
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.review.listing import FileOrder, FileTable
from dupfinder.review.members import badge_of, title_of
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import NOTHING, date_text, day_text, documents_text, groups_text, size_text
from dupfinder.wording.relations import relation_name, similarity_text

ROW: Final = 34  # px, least height


class FileColumn(IntEnum):
    """The columns from left to right."""

    DECISION = 0
    DOCUMENT = 1
    FOLDER = 2
    RELATION = 3
    SIMILAR = 4
    CHANGED = 5
    SIZE = 6


ORDERS: Final = {
    FileColumn.DECISION: FileOrder.DECISION,
    FileColumn.DOCUMENT: FileOrder.NAME,
    FileColumn.FOLDER: FileOrder.FOLDER,
    FileColumn.RELATION: FileOrder.RELATION,
    FileColumn.SIMILAR: FileOrder.RELATION,
    FileColumn.CHANGED: FileOrder.CHANGED,
    FileColumn.SIZE: FileOrder.SIZE,
}
LARGEST_FIRST: Final = {FileOrder.DECISION, FileOrder.RELATION, FileOrder.CHANGED, FileOrder.SIZE}
NUMERIC: Final = {FileColumn.SIMILAR, FileColumn.SIZE}
WIDTHS: Final = {  # px, least
    FileColumn.DECISION: 116,
    FileColumn.RELATION: 130,
    FileColumn.SIMILAR: 74,
    FileColumn.CHANGED: 100,
    FileColumn.SIZE: 84,
}
HIDDEN_FIRST: Final = (FileColumn.SIMILAR, FileColumn.CHANGED, FileColumn.SIZE)
SHARE_OF_NAME: Final = 0.58  # of that room, since the name has a badge before it
LEAST_NAMES: Final = 380  # px at the usual size of text; columns are hidden before name and folder become narrower


class FilesModel(DecisionModel):
    """Rows of a FileTable; their texts are made when they are painted."""

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent, len(FileColumn))
        self._session = session
        self._documents = session.result.documents
        self._roots = [path for path, _ in session.result.summary.roots]
        self.table = FileTable(session.all_clusters(), np.empty(0, np.int64))
        self.sought: Sequence[str] = ()  # words of the search, in lower case
        self._sorted_by: FileColumn | None = None
        self._arrow = ""

    def show_order(self, column: FileColumn | None, *, downwards: bool) -> None:
        """Show in the heading of a column that the rows are sorted by it; None for none."""
        self._sorted_by, self._arrow = column, " ↓" if downwards else " ↑"
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(FileColumn) - 1)

    def show_table(self, table: FileTable) -> None:
        """Replace the documents; if they are the same in the same order, only their cells are updated."""
        self.sought = self._session.query().words_in_paths
        same = np.array_equal(table.entries, self.table.entries) and len(self.rows) == len(table)
        if self.rows and same and np.array_equal(table.clusters.members, self.table.clusters.members):
            self.table = table
            self.dataChanged.emit(self.index(0, 0), self.index(len(table) - 1, len(FileColumn) - 1))
            return
        self.table = table
        self.show_rows(range(len(table)))

    def document(self, row: int) -> int:
        """Return the document of a row; -1 for a group or an invalid row."""
        entry = int(self.table.entries[row]) if 0 <= row < len(self.rows) else -1
        return int(self.table.clusters.members[entry]) if entry >= 0 else -1

    def group(self, row: int) -> int:
        """Return the position of the group of a row."""
        entry = int(self.table.entries[row])
        return int(self.table.clusters.positions[entry]) if entry >= 0 else -1 - entry

    def is_kept(self, row: int) -> bool:
        return self.document(row) == int(self.table.clusters.keepers[self.group(row)])

    def relation(self, row: int) -> Relation:
        """Return the relation of a document to the kept copy of its group."""
        return Relation(int(self.table.clusters.relation[int(self.table.entries[row])]))

    def documents_at(self, row: int) -> list[int]:
        return [document] if (document := self.document(row)) >= 0 else []

    def decision_at(self, row: int) -> Decision:
        return self._session.marks.decision(self.document(row))

    def is_marked(self, row: int) -> bool:
        return bool(self.documents_at(row)) and self.decision_at(row) in MARKS

    def is_locked(self, row: int) -> bool:
        document = self.document(row)
        return bool(self._documents.protected[document] or self._documents.inside[document])

    def badge(self, document: int) -> str:
        return badge_of(self._documents, document)

    def flags(self, index: CellIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags if self.document(index.row()) >= 0 else flags & ~Qt.ItemFlag.ItemIsSelectable

    def header(self, column: int) -> str:
        titles = {
            FileColumn.DECISION: say("Decision"),
            FileColumn.DOCUMENT: say("Document"),
            FileColumn.FOLDER: say("Folder"),
            FileColumn.RELATION: say("Relation"),
            FileColumn.SIMILAR: say("Similar"),
            FileColumn.CHANGED: say("Changed"),
            FileColumn.SIZE: say("Size"),
        }
        return titles[FileColumn(column)] + (self._arrow if column == self._sorted_by else "")

    def is_number(self, column: int) -> bool:
        return column in NUMERIC

    def cell(self, row: int, column: int, role: int) -> object:
        if role == DISPLAY:
            return self.text(row, FileColumn(column))
        document = self.document(row)
        if role == Qt.ItemDataRole.ToolTipRole and document >= 0:
            archive = self._documents.archive_of(document)
            return plain_tip(shown(located(self._documents.path(document), archive)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            texts = [self.text(row, each) for each in FileColumn] if column == FileColumn.DECISION else []
            return ", ".join(filter(None, texts)) or self.text(row, FileColumn(column))
        return None

    def text(self, row: int, column: FileColumn) -> str:
        document = self.document(row)
        if document < 0:
            return self._group_text(row, column)
        documents = self._documents
        match column:
            case FileColumn.DECISION:
                in_archive, protected = bool(documents.inside[document]), bool(documents.protected[document])
                return words.decision_text(self.decision_at(row), in_archive=in_archive, protected=protected)
            case FileColumn.DOCUMENT:
                return shown(documents.path(document).name)
            case FileColumn.FOLDER:
                return folder_text(documents.path(document).parent, self._roots, documents.archive_of(document))
            case FileColumn.RELATION:
                return say("Kept copy") if self.is_kept(row) else relation_name(self.relation(row))
            case FileColumn.SIMILAR:
                return self._similar(row)
            case FileColumn.CHANGED:
                return date_text(int(documents.mtime_ns[document]))
            case FileColumn.SIZE:
                return size_text(int(documents.size[document]))

    def _similar(self, row: int) -> str:
        relation = self.relation(row)
        if self.is_kept(row) or relation is Relation.NONE:
            return NOTHING
        similarity = float(self.table.clusters.similarity[int(self.table.entries[row])])
        return similarity_text(similarity, equal=relation >= Relation.SAME_WORDS)

    def _group_text(self, row: int, column: FileColumn) -> str:
        """Return a cell of the heading of a group: its title, or how many documents it has."""
        clusters, group = self.table.clusters, self.group(row)
        if column is FileColumn.DOCUMENT:
            return shown(title_of(self._documents, int(clusters.keepers[group])))
        count = int(clusters.starts[group + 1] - clusters.starts[group])
        return documents_text(count) if column is FileColumn.FOLDER else ""


class FilePainter(CellPainter):
    """Paints every column; headings of groups have another background."""

    _model: FilesModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        model, drawing = self._model, self._drawing
        document, text = model.document(row), model.text(row, FileColumn(column))
        if document < 0:
            painter.fillRect(box, drawing.colour("neutral_soft"))
        self.paint_ground(painter, box, state)
        inner = box.adjusted(8, 0, -8, 0)
        if document < 0:
            role = "strong" if column == FileColumn.DOCUMENT else "small"
            drawing.text(painter, inner, text, role, "secondary", elide=MIDDLE, sought=model.sought)
        elif column == FileColumn.DECISION:
            control = QRectF(decision_box(box.toRect()))
            tones = LOCKED if model.is_locked(row) else CONTROLS[model.decision_at(row)]
            paint_control(drawing, painter, control, text, tones, framed=True)
            if state.focused:
                drawing.outline(painter, control.adjusted(-2, -2, 2, 2), "accent", 6, 2)
        elif column == FileColumn.DOCUMENT:
            used = drawing.badge(painter, inner, model.badge(document), on_accent=state.selected)
            token = "secondary" if model.is_marked(row) else "text"
            area = inner.adjusted(used + 8, 0, 0, 0)
            drawing.text(painter, area, text, "medium", token, elide=MIDDLE, sought=model.sought)
        elif column == FileColumn.RELATION and not model.is_kept(row):
            drawing.pill(painter, inner, text, relation_tones(model.relation(row), on_accent=state.selected))
        else:
            align = Qt.AlignmentFlag.AlignRight if column in NUMERIC else Qt.AlignmentFlag.AlignLeft
            sought = model.sought if column == FileColumn.FOLDER else ()
            drawing.text(painter, inner, text, "secondary", "secondary", align, elide=MIDDLE, sought=sought)


def decision_box(cell: QRect) -> QRect:
    around = 4 if cell.height() >= ROW else 2
    return cell.adjusted(12, around, -4, -around)


class FilesTable(DecisionTable):
    """The table of documents. Another order is requested by a signal."""

    _model: FilesModel
    group_wanted = Signal(int)  # row
    order_wanted = Signal(object)  # FileColumn
    first_to_go = HIDDEN_FIRST

    def __init__(self, model: FilesModel, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(model, say("Documents of all listed groups"), FilePainter(drawing, model), parent)
        self.fit_rows(drawing.theme, 1, ROW, 16)
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(lambda section: self.order_wanted.emit(FileColumn(section)))
        metrics, self.least = header.fontMetrics(), drawing.theme.px(LEAST_NAMES)
        self.widths = {}
        for column, width in WIDTHS.items():
            longest_texts = model.header(column) + " ↓", day_text(LONG_DAY) if column is FileColumn.CHANGED else ""
            text_width = max(map(metrics.horizontalAdvance, longest_texts)) + BESIDE_TITLE
            if column is FileColumn.DECISION:
                widths = map(drawing.metrics("control").horizontalAdvance, words.decision_texts())
                text_width = max(text_width, round(max(widths)) + BESIDE)
            self.widths[column] = max(drawing.theme.px(width), text_width)
            self.setColumnWidth(column, self.widths[column])
        header.setSectionResizeMode(FileColumn.FOLDER, QHeaderView.ResizeMode.Stretch)

    def control_box(self, cell: QRect) -> QRect:
        return decision_box(cell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.setColumnWidth(FileColumn.DOCUMENT, round(self.fit_columns() * SHARE_OF_NAME))
        super().resizeEvent(event)

    def chosen_documents(self) -> list[int]:
        """Return the selected documents."""
        is_chosen = np.zeros(len(self._model.table), np.bool_)
        for rows in self.selected_rows():
            is_chosen[rows.start : rows.stop] = True
        documents: list[int] = self._model.table.documents(is_chosen).tolist()
        return documents

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if (index := self.indexAt(event.position().toPoint())).column() != FileColumn.DECISION:
            self.compare_wanted.emit(index.row())

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        compare = with_key(say("Compare with the kept copy"), menu, "compare")
        add_acts(menu, (compare, partial(self.compare_wanted.emit, row)))
        add_acts(menu, (say("Show its group"), partial(self.group_wanted.emit, row)))
        add_document_acts(menu, self.act_wanted.emit)
        return menu


class FilesView(QWidget):
    """The table of documents beside the filters of the groups. The heading of a column sorts by it."""

    def __init__(
        self, session: ReviewSession, pane: ClusterPane, acts: DocumentOpener, sheets: ResultsSheets, parent: QWidget
    ) -> None:
        super().__init__(parent)
        fill(self, "surface")
        self._session, self._pane, self._acts, self._sheets = session, pane, acts, sheets
        self._order, self._downwards = FileOrder.GROUP, False
        self._listing = OneJob()
        self._title, self._facts = label("", "group"), ElidedLabel("", "secondary")
        self.model = FilesModel(session, self)
        self.table = FilesTable(self.model, pane.drawing, self)
        self.home: QWidget = self.table
        self.search = pane.search
        self.refusal = Strip(pane.drawing.theme, "", "warn")
        self.deciding = Decider(session, self.refusal, self)
        head = down(self._title, self._facts, margins=(16, 12, 16, 10), spacing=2)
        down(head, line(), self.refusal, grow(self.table), spacing=0, into=self)
        self.table.decided.connect(self.deciding.decide)
        self.table.compare_wanted.connect(self.compare)
        self.table.act_wanted.connect(self._act_on_current)
        self.table.group_wanted.connect(lambda row: sheets.group_wanted.emit(self.model.document(row)))
        self.table.order_wanted.connect(self._sort)
        pane.list.chosen.connect(self._show_group)
        self.commands: Mapping[str, Callable[[], object]] = {
            "toggle_list": partial(pane.toggle, self.table),
            "select_all": self.table.selectAll,
            "toggle_remove": self.table.toggle_remove,
            "keep": partial(self.table.decide, Decision.KEEP),
            "undecide": partial(self.table.decide, Decision.UNDECIDED),
            "looser": partial(pane.card.step, 1),
            "stricter": partial(pane.card.step, -1),
            **{act: partial(self._act_on_current, act) for act in DOCUMENT_ACTS},
        }

    def entered(self) -> None:
        """Focus the table, and list the documents."""
        self.table.setFocus()
        self.refresh()

    def refresh(self) -> None:
        """List the documents again by the present filter and decisions; hide an earlier refusal."""
        self.refusal.hide()
        if self.isVisible():
            list_files = self._session.lister(self._order, downwards=self._downwards)
            self._listing.start(lambda _reporter: list_files(), succeeded=self._show, failed=self._sheets.explain)

    def stop(self) -> None:
        self._listing.give_up()

    def _show(self, table: FileTable) -> None:
        row = self.table.currentIndex().row()
        document = self.model.document(row)
        self.model.show_table(table)
        if row < 0:
            self.table.scrollToTop()
        documents = table.documents()
        groups = np.count_nonzero(np.bincount(table.clusters.positions[table.entries[table.entries >= 0]]))
        self._title.setText(documents_text(len(documents)))
        size = size_text(int(self._session.result.documents.size[documents].sum()))
        self._facts.setText(say("in {groups} · {size} together", groups=groups_text(int(groups)), size=size))
        if not self.table.currentIndex().isValid() and len(table):
            row_now = table.row_of(document) if document >= 0 else -1
            self._choose_row(row_now if row_now >= 0 else max(row, 0))

    def _choose_row(self, row: int) -> None:
        """Select a row, or the first document of a group if the row is the heading of that group."""
        self.table.choose_row(row + (self.model.document(row) < 0))

    def _sort(self, column: FileColumn) -> None:
        """Sort by a column; if it is chosen again, in the other direction, and the third time by group."""
        order = ORDERS[column]
        is_largest_first = order in LARGEST_FIRST
        if order is not self._order:
            self._order, self._downwards = order, is_largest_first
        elif self._downwards is is_largest_first:
            self._downwards = not is_largest_first
        else:
            self._order, self._downwards = FileOrder.GROUP, False
        self.model.show_order(None if self._order is FileOrder.GROUP else column, downwards=self._downwards)
        self.table.setCurrentIndex(QModelIndex())  # a newly sorted table is shown from its top
        self.refresh()

    def _show_group(self, cluster: int) -> None:
        """Select the first document of a group that is chosen in the list, while the documents are sorted by group."""
        position = self.model.table.clusters.position_of(cluster)
        rows = np.flatnonzero(self.model.table.entries == -1 - position)
        if self.isVisible() and position >= 0 and len(rows):
            self.table.scrollTo(self.model.index(int(rows[0]), 0), QAbstractItemView.ScrollHint.PositionAtTop)
            self._choose_row(int(rows[0]))

    def step(self, by: int) -> None:
        """Select the first document of another group; in other orders, another document."""
        row = self.table.currentIndex().row()
        headings = np.flatnonzero(self.model.table.entries < 0)
        if len(headings):
            heading = int(np.searchsorted(headings, row, side="right")) - 1
            row = int(headings[min(max(0, heading + by), len(headings) - 1)])
        else:
            row += by
        self._choose_row(row)

    def regions(self) -> Sequence[QWidget]:
        return (self._pane.card.axis, self._pane.list, self.table)

    def compare(self) -> None:
        """Compare the current document with the kept copy of its group; if it is the kept copy, show the group."""
        row = self.table.currentIndex().row()
        if (document := self.model.document(row)) < 0:
            return
        if self.model.is_kept(row):
            self._sheets.group_wanted.emit(document)
        else:
            self._sheets.compare(document, int(self.model.table.clusters.keepers[self.model.group(row)]))

    def _act_on_current(self, act: str) -> None:
        """Carry out an act of `DocumentOpener` on the current document."""
        document = self.model.document(self.table.currentIndex().row())
        for member in self._session.members(self._session.all_clusters().cluster_of(document)):
            if member.document == document:
                self._acts.act(act, member)
