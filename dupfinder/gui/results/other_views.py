"""The views beside that of the groups: documents that share a form, and folders that hold the same documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from dupfinder.base.columns import distinct
from dupfinder.base.details import ProblemKind
from dupfinder.base.display import folder_text, path_text, shown
from dupfinder.base.progress import Reporter
from dupfinder.cluster.clustering import freed
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button, step_buttons
from dupfinder.gui.kit.drawing import MIDDLE, Drawing, relation_tones
from dupfinder.gui.kit.files import ask_place, save, with_ending
from dupfinder.gui.kit.jobs import Job, OneJob, close_after
from dupfinder.gui.kit.labels import ElidedLabel, label, line, plain_tip
from dupfinder.gui.kit.layout import across, boxed, divided, down, grow
from dupfinder.gui.kit.page import fill
from dupfinder.gui.kit.tables import CellPainter, CellState, RowsTable, TextModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.cluster_pane import TYPING_MS
from dupfinder.gui.results.form_panes import GROUP_STEPS, EntryList, FormDetail, FormList
from dupfinder.gui.results.forms import FormEntry, forms_of
from dupfinder.gui.results.sheets import ResultsSheets
from dupfinder.library.rows import RepeatedTexts
from dupfinder.report.csv import write_cells
from dupfinder.review.acts import SessionChange
from dupfinder.review.fillings import MOST_READ, FormReader, FormView
from dupfinder.review.folder_pairs import DocumentsByFolder, FolderContents, FolderPair, FolderPairOrder, in_order_of
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.figures import NOTHING, count_text, percent_text, size_text
from dupfinder.wording.relations import relation_name

LIST_WIDTH: Final = 372
ROW: Final = 30
MOST_OF_PATH: Final = 60  # characters of a folder in the title; its beginning is left out
# the texts of a row; its Relation as a number, 0 for none; icon and colour of the decision
Lines = list[tuple[str, str, str, str, int, str, str]]


class FormsView(QWidget):
    """Reads the selected form in a process, and writes its table."""

    commands: Mapping[str, Callable[[], object]] = MappingProxyType({})

    def __init__(self, session: ReviewSession, drawing: Drawing, sheets: ResultsSheets, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._sheets = session, sheets
        self._entries: Sequence[FormEntry] | None = None  # of all forms, rejected ones too; None until they are listed
        self._listing, self._reading, self._searching = OneJob(), OneJob(), OneJob()
        self._reader: FormReader | None = None
        self._wanted: FormEntry | None = None
        self._document = -1  # whose form is to be selected
        self._sought = ""
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self._search_now)
        self.forms = FormList(drawing, self)
        self.home: QWidget = self.forms.table
        self.step = self.forms.step
        self.detail = FormDetail(session, drawing, self)
        self.compare = self.detail.compare
        split = divided(Qt.Orientation.Horizontal, self.forms, self.detail, self)
        split.setSizes([drawing.theme.px(LIST_WIDTH), 10_000])
        across(split, into=self)
        self.forms.chosen.connect(self._chosen)
        self.detail.step_wanted.connect(self.forms.step)
        self.detail.compare_wanted.connect(partial(sheets.compare, title=say("Two fillings of one form")))
        self.detail.group_wanted.connect(sheets.group_wanted)
        self.detail.csv.clicked.connect(self._choose_place)
        self.detail.reject.clicked.connect(self.not_one_form)

    def entered(self) -> None:
        """List the forms if they are shown for the first time, and select the first unless one is selected."""
        self.forms.table.setFocus()
        if self._entries is None and not self._listing.is_running:
            self.forms.count.setText(say("Listing the forms…"))
            # Among a million documents it takes seconds.
            self._listing.start(partial(forms_of, self._session), succeeded=self._listed, failed=self._sheets.explain)
        elif self.forms.current is None:
            self.forms.table.choose_row(0)
        elif self.detail.is_waiting:  # the page was left before the fillings were read
            self._chosen(self.forms.current)

    def search(self, text: str) -> None:
        """Show the forms with a document that meets a search, after the person pauses typing."""
        if text != self._sought:
            self._sought = text
            self._typing.start()

    def _search_now(self) -> None:
        """Search names, folders and texts in a job, as the list of groups does."""
        self._searching.give_up()
        if not (text := self._sought).strip():
            self.forms.show_hits(None)
            return
        names = self._session.names
        show_hits, explain = self.forms.show_hits, self._sheets.explain
        self._searching.start(lambda _: names.matches(text), succeeded=show_hits, failed=explain)

    def regions(self) -> Sequence[QWidget]:
        return (self.forms.table, self.detail.common, self.detail.table)

    def choose_document(self, document: int) -> None:
        """Select the form of a document, once the forms are listed."""
        self._document = document
        if self._entries is not None:
            self.forms.choose_document(document)

    def _listed(self, entries: Sequence[FormEntry]) -> None:
        self._entries = entries
        self.forms.show_forms(self._present(entries))
        if self._document >= 0:
            self.forms.choose_document(self._document)
        if self.forms.current is None:
            self.forms.table.choose_row(0)

    def _present(self, entries: Sequence[FormEntry]) -> Sequence[FormEntry]:
        """Return the forms that the person did not reject."""
        first = {int(rows[0]) for rows in self._session.forms()}
        return [entry for entry in entries if not first.isdisjoint(entry.documents)]

    def refresh(self, change: SessionChange) -> None:
        """Update the list if forms were rejected, or a rejection was undone."""
        if change.clusters and self._entries is not None and len(self._session.forms()) != len(self.forms.entries):
            self.forms.show_forms(self._present(self._entries))

    def not_one_form(self) -> None:
        """Remove the selected form from the list; stored for later scans."""
        entry = self.forms.current
        if entry is not None:
            self._session.not_a_form(entry.documents)
            text = say("{title} is no longer listed as one form.", title=entry.title)
            self._session.do(lambda: text, self._sheets.tell_undoable)

    def _choose_place(self) -> None:
        if (entry := self.forms.current) is not None:
            ask_place(self, say("Save the table as"), f"{entry.title}.csv", self.write_to)

    def write_to(self, name: str) -> None:
        """Write the table in its present order, in a job."""
        heading, rows = self.detail.fillings.table()
        path, agreed = with_ending(name, ".csv")
        scanned = self._session.result.documents.paths
        work = partial(save, path, scanned, partial(write_cells, heading, rows), agreed=agreed)
        Job(work, self).start(succeeded=self._sheets.tell_written, failed=self._sheets.explain)

    def _chosen(self, entry: FormEntry | None) -> None:
        self.detail.setEnabled(entry is not None)  # None while no form meets the search
        if entry is not None:
            self.detail.show_form(entry, None)
            self._wanted = entry
            self._read()

    def _read(self) -> None:
        """Read the form that was selected last, one at a time."""
        if self._reading.is_running or self._wanted is None:
            return
        entry, self._wanted = self._wanted, None
        documents = self._session.result.documents
        paths = [documents.path(row) for row in entry.fillings[:MOST_READ]]
        reader = self._reader = self._reader or FormReader()
        self._reading.start(
            lambda reporter: reader.read(paths, reporter.check),
            succeeded=partial(self._was_read, entry),
            failed=self._broke,
        )

    def _was_read(self, entry: FormEntry, view: FormView) -> None:
        if self._wanted is None:
            self.detail.show_form(entry, view)
        self._read()

    def _broke(self, _error: Exception) -> None:
        self.detail.show_unreadable()
        self._read()

    def stop(self) -> None:
        """Close the reading process, and stop listing."""
        self._wanted = None
        self._typing.stop()
        self._searching.give_up()
        self._listing.give_up()
        if self._reader is not None:
            close_after(self._reading.give_up(), self._reader.close)
            self._reader = None


class FolderPainter(CellPainter):
    """Paints types before names, relations on their backgrounds, and a sign before what becomes of a document."""

    _model: TextModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        drawing, texts = self._drawing, self._model.rows[row]
        text, (relation, icon, token) = texts[column], texts[4:]
        self.paint_ground(painter, box, state)
        if column == 0 and state.focused:
            drawing.outline(painter, box.adjusted(1, 1, -1, -2), "accent", 4, 2)
        inner, on_accent = box.adjusted(8, 0, -8, 0), state.selected
        if column == 1 and relation:
            drawing.pill(painter, inner, text, relation_tones(Relation(relation), on_accent=on_accent))
        elif column == 3:
            drawing.icon(painter, icon, token, QRectF(inner.left(), inner.center().y() - 7, 14, 14))
            drawing.text(painter, inner.adjusted(20, 0, 0, 0), text, "control", token)
        elif column == 0 or (column == 2 and relation):
            used = drawing.badge(painter, inner, PurePath(text).suffix, on_accent=on_accent)
            drawing.text(painter, inner.adjusted(used + 8, 0, 0, 0), text, "body", "text", elide=MIDDLE)
        else:
            drawing.text(painter, inner, text, "secondary", "secondary")


class FoldersView(QWidget):
    """Lists pairs of folders, and marks the documents of the left one that may go. Nothing is removed here."""

    commands: Mapping[str, Callable[[], object]] = MappingProxyType({})

    def __init__(self, session: ReviewSession, drawing: Drawing, sheets: ResultsSheets, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._sheets = session, sheets
        self._roots = [path for path, _ in session.result.summary.roots]
        self._folders: DocumentsByFolder | None = None
        self._listing, self._reading = OneJob(), OneJob()
        self._pair: FolderPair | None = None  # with the sides as they are shown
        self._contents: FolderContents | None = None
        hint = say("Folders that hold the same documents, with all that is below them. Identical files and the same "
                   "text count.")  # fmt: skip
        orders = {
            FolderPairOrder.SHARE: say("Most inside"),
            FolderPairOrder.SHARED: say("Most shared"),
            FolderPairOrder.FOLDER: say("Folder"),
        }
        self.pairs = EntryList(drawing, say("Folder pairs"), hint, self._described, orders, in_order_of, self)
        self.home: QWidget = self.pairs.table
        self.search, self.step = self.pairs.search, self.pairs.step
        heads = say("Document"), say("Relation"), say("In the other folder"), say("In this folder")
        self.documents = TextModel(heads, self, left=len(heads))
        painter = FolderPainter(drawing, self.documents)
        self.table = RowsTable(self.documents, say("Documents of the folder"), painter)
        self.title, self.facts = label("", "group", wrap=True), ElidedLabel("", "secondary")
        self.title.setMinimumWidth(1)  # a long name without a space must not widen the window
        self.swap_button = button(drawing.theme, say("Swap sides"), "", "swap", self.swap)
        self.mark_button = button(drawing.theme, "", "", "trash", self.mark)
        split = divided(Qt.Orientation.Horizontal, self.pairs, self._detail_pane(drawing.theme), self)
        split.setSizes([drawing.theme.px(LIST_WIDTH), 10_000])
        across(split, into=self)
        self.pairs.chosen.connect(self._chosen)
        self.table.activated.connect(self.compare)

    def _detail_pane(self, theme: Theme) -> QWidget:
        steps = step_buttons(theme, (say("Previous pair"), say("Next pair")), self.pairs.step, GROUP_STEPS)
        head = across(grow(self.title), self.swap_button, *steps, spacing=8)
        # The facts are below the buttons: beside them a narrow window has no room for the counts.
        heads = down(head, self.facts, margins=(16, 12, 16, 10), spacing=2)
        self.table.fit_rows(theme, 1, ROW, 12)
        for column in (0, 2):
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        note = ElidedLabel(say("Marks only, and only documents that stay in the other folder."), "secondary")
        foot = across(self.mark_button, grow(note), margins=(16, 8, 16, 8), spacing=12)
        pane = boxed(down(heads, line(), grow(self.table), line(), foot, spacing=0))
        fill(pane, "surface")
        return pane

    def entered(self) -> None:
        self.pairs.table.setFocus()
        self._list()

    def regions(self) -> Sequence[QWidget]:
        return (self.pairs.table, self.table, self.mark_button)

    def _list(self) -> None:
        """List the pairs, as the files are now."""
        self.pairs.count.setText(say("Comparing the folders…"))
        work = partial(DocumentsByFolder, self._session)
        self._reading.give_up()
        self._listing.start(work, succeeded=self._listed, failed=self._sheets.explain)

    def refresh(self, change: SessionChange) -> None:
        """Update the list if the groups changed, else the selected pair."""
        if self.isVisible():
            self._list() if change.clusters or self._listing.is_running else self._read()

    def _described(self, pair: FolderPair) -> tuple[str, str, str]:
        """Return the left folder, its shared documents, and its share in the right folder."""
        left, right = (folder_text(Path(folder), self._roots) for folder in (pair.left, pair.right))
        shared = say("{number} of {total}", number=count_text(pair.shared), total=count_text(pair.documents))
        return left, shared, say("{share} in {folder}", share=percent_text(pair.percent), folder=right)

    def stop(self) -> None:
        self._listing.give_up()
        self._reading.give_up()

    def _listed(self, folders: DocumentsByFolder) -> None:
        self._folders = folders
        count = say_count("{count} pair of folders", "{count} pairs of folders", len(folders.pairs))
        self.pairs.count.setText(count if folders.pairs else say("No two folders share documents"))
        self._show(None)
        self.pairs.show_entries(folders.pairs)
        if self.pairs.current is None:
            self.pairs.table.choose_row(0)

    def _chosen(self, pair: FolderPair | None) -> None:
        self._pair = pair
        self._read() if pair is not None else self._show(None)

    def swap(self) -> None:
        """Show the right folder at the left."""
        if (pair := self._pair) is not None:
            self._chosen(replace(pair, left=pair.right, right=pair.left))

    def _read(self) -> None:
        """Compare the folders of the selected pair, as the marks are now."""
        if (pair := self._pair) is not None and self._folders is not None:
            work = partial(_compared, self._session, self._folders, pair)
            self._reading.start(work, succeeded=partial(self._show, pair), failed=self._sheets.explain)

    def _show(self, pair: FolderPair | None, compared: tuple[FolderContents, Lines] | None = None) -> None:
        self._contents, lines = compared or (None, Lines())
        self.documents.show_rows(lines)
        title, whole, facts, count, folder = "", "", "", 0, ""
        if pair is not None and self._contents is not None:
            relations = Counter(map(Relation, self._contents.relation.tolist()))
            shared = relations[Relation.IDENTICAL] + relations[Relation.SAME_TEXT]
            left, right = (folder_text(Path(name), self._roots) for name in (pair.left, pair.right))
            share = percent_text(shared * 100 // max(1, len(lines)))
            title = say("{share} of {left} is in {right}", share=share, left=_end_of(left), right=_end_of(right))
            whole = say("{share} of {left} is in {right}", share=share, left=left, right=right)
            to_mark = self._contents.rows[self._contents.can_go].astype(np.int64)
            size = say("{size} to free", size=size_text(freed(self._session.grouping.files, to_mark)))
            unread = len(lines) - int(_compared_files(self._session, self._contents.rows).sum())
            alone = say_some("{count} without a copy", "{count} without a copy", relations[Relation.NONE] - unread)
            unread_text = say_some("{count} not compared", "{count} not compared", unread)
            partners = self._contents.partner[self._contents.partner >= 0]
            going = say_some(
                "{count} copy in the other folder is marked for removal",
                "{count} copies in the other folder are marked for removal",
                int(self._session.acts.marked[distinct(partners)[0]].sum()),
            )
            facts = " · ".join(filter(None, (words.counts_of(relations), alone, unread_text, size, going)))
            count, folder = len(to_mark), shown(Path(pair.left).name)
        self.title.setText(title)
        self.title.setToolTip(plain_tip(whole))
        self.facts.setText(facts)
        text = NP_("Mark {count} document of {folder}", "Mark {count} documents of {folder}")
        mark = say_count(*text, count, folder=folder)
        self.mark_button.setText(mark if count else say("Nothing to mark"))
        self.mark_button.setEnabled(count > 0)
        self.swap_button.setEnabled(pair is not None)

    def mark(self) -> None:
        """Mark the documents of the left folder that may go."""
        self.table.setFocus()  # the button is disabled when all are marked
        if (pair := self._pair) is not None and self._folders is not None:
            mark = partial(self._folders.mark, pair.left, pair.right)
            self._session.do(mark, self._sheets.tell_marked, self._sheets.explain)

    def compare(self) -> None:
        """Compare the document of the current row with that of the other folder."""
        row = self.table.currentIndex().row()
        if self._contents is not None and row >= 0 and self._contents.partner[row] >= 0:
            self._sheets.compare(int(self._contents.rows[row]), int(self._contents.partner[row]))


_View = TypeVar("_View", FormsView, FoldersView)


class OtherViews(QStackedWidget):
    """The widget that is added first, and the views of folders and forms, each made when it is first needed."""

    made = Signal()  # a view was made

    def __init__(self, session: ReviewSession, drawing: Drawing, sheets: ResultsSheets, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = session, drawing, sheets
        self._views = list[FormsView | FoldersView]()
        self.shown_view: FormsView | FoldersView | None = None  # None: the first widget

    @cached_property
    def forms(self) -> FormsView:
        return self._added(FormsView(*self._parts, self))

    @cached_property
    def folders(self) -> FoldersView:
        return self._added(FoldersView(*self._parts, self))

    def show_view(self, name: str | None) -> None:
        """Show "forms" or "folders", or with None the first widget."""
        self.shown_view = None if name is None else self.forms if name == "forms" else self.folders
        self.setCurrentIndex(0 if self.shown_view is None else self.indexOf(self.shown_view))

    def _added(self, view: _View) -> _View:
        self.addWidget(view)
        self._views.append(view)
        self.made.emit()
        return view

    def refresh(self, change: SessionChange) -> None:
        """Update the views that were made."""
        for view in self._views:
            view.refresh(change)

    def stop(self) -> None:
        """Give up what is being computed or read."""
        for view in self._views:
            view.stop()


def _compared(
    session: ReviewSession, folders: DocumentsByFolder, pair: FolderPair, reporter: Reporter
) -> tuple[FolderContents, Lines]:
    contents, marked, lines = folders.contents(pair.left, pair.right), session.acts.marked, Lines()
    was_compared = _compared_files(session, contents.rows)
    columns = (contents.rows, contents.partner, contents.relation, contents.can_go, was_compared)
    for document, partner, relation, can_go, is_compared in zip(*(column.tolist() for column in columns), strict=True):
        reporter.check()
        name = relation_name(Relation(relation)) if relation else NOTHING
        elsewhere = say("a copy stays elsewhere") if marked[document] else say("no copy of it")
        elsewhere = elsewhere if is_compared else say("not compared")
        other = _below(session, partner, pair.right) if relation else elsewhere
        decision = say("stays"), relation, "check", "keep"
        if can_go or marked[document]:
            text, token = (say("can go"), "secondary") if can_go else (say("Remove"), "remove")
            decision = text, relation, "trash", token
        lines.append((_below(session, document, pair.left), name, other, *decision))
    return contents, lines


def _compared_files(session: ReviewSession, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Tell which of some files were compared with others, at least by their bytes or their size: bool (m,)."""
    documents = session.result.documents
    status = RepeatedTexts.of(documents.status)
    of_any_kind = status.each([word == ProblemKind.BYTES_ONLY for word in status.words], np.bool_)[rows]
    was_compared: NDArray[np.bool_] = np.any(documents.content_hash[rows], axis=1) | of_any_kind
    return was_compared


def _end_of(folder: str) -> str:
    """Return a folder as it is shown, without its first parts if it is long: it never loses its end."""
    parts = folder.split(" / ")
    while len(parts) > 1 and sum(map(len, parts)) > MOST_OF_PATH:
        del parts[0]
    ending = " / ".join(parts)
    return ending if ending == folder else f"… / {ending}"


def _below(session: ReviewSession, document: int, folder: str) -> str:
    """Return the path of a document from a folder on."""
    return path_text(session.result.documents.path(document).relative_to(folder).parts)
