"""The dialogs of the results: reports, the choice of a radius, rules, and the removal and its undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QButtonGroup, QFileDialog, QRadioButton, QVBoxLayout, QWidget

from dupfinder.actions.outcome import Batch, OutcomeState
from dupfinder.base.display import shown
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import tasks, words
from dupfinder.gui.kit.buttons import button, copy_button
from dupfinder.gui.kit.cards import dropped_paths
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.files import ask_place, file_dialog, with_ending
from dupfinder.gui.kit.jobs import Job, OneJob
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import across, add, down, grid
from dupfinder.gui.kit.messages import FileListSheet, explain
from dupfinder.gui.kit.page import bare_area
from dupfinder.gui.kit.sheet import JobSheet, Sheet
from dupfinder.gui.kit.tables import PathTable, TextModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.members import Member
from dupfinder.review.reporting import ReportScope, report_within
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say, say_count
from dupfinder.wording.figures import percent_text
from dupfinder.wording.relations import relation_name, similarity_text

if TYPE_CHECKING:
    from dupfinder.gui.results.calibration import CalibrationSheet
    from dupfinder.gui.selecting.selection_preview import Preview
    from dupfinder.scan.query import RelatedDocument

TITLE_LENGTH: Final = 40  # characters of a text that are shown in its place


class ResultsSheets(QObject):
    """Opens dialogs over a page and restores the focus afterwards; the page does what they request.

    page: the page below. home: gets the focus if the previous widget no longer exists.
    """

    toast_wanted = Signal(str, str, object)  # sentence, text of a link ("" for none), what the link does
    place_wanted = Signal(object)  # Path to open
    changed_wanted = Signal()  # show the groups with marked documents whose words differ
    removed = Signal(object)  # Batch
    restored = Signal(object)  # Batch
    undo_changed = Signal(bool)  # whether the newest removal can be undone
    group_wanted = Signal(int)  # document, to show its group

    def __init__(
        self, session: ReviewSession, theme: Theme, library: Path, page: QWidget, home: Callable[[], QWidget]
    ) -> None:
        """Show sheets over a page. home: returns what has the focus at first, in the view that is shown."""
        super().__init__(page)
        self._session, self._theme, self._library = session, theme, library
        self._page, self._home = page, home
        self._removal: Batch | None = None  # the newest, while it can be undone
        self._restoring, self._looking_up = OneJob(self), OneJob(self)

    def open(self, sheet: Sheet) -> None:
        before = QApplication.focusWidget() or self._home()
        sheet.finished.connect(lambda: self._give_focus(before))
        sheet.open()

    def tell(self, text: str) -> None:
        """Show a sentence as a toast; "" hides the one that is shown."""
        self.toast_wanted.emit(text, "", None)

    def _give_focus(self, before: QWidget) -> None:
        """Restore the focus after a dialog, or give it to `home`."""
        (before if self._page.isAncestorOf(before) and before.isVisible() else self._home()).setFocus()

    def explain(self, error: Exception) -> None:
        explain(self._theme, self._page, error)

    def compare(self, left: int, right: int, *, title: str = "") -> None:
        """Compare two documents."""
        from dupfinder.gui.compare.pair_reader import PairSheet

        documents = self._session.result.documents
        paths = documents.path(left), documents.path(right)
        self.open(PairSheet(Drawing(self._theme), self._page, title or say("Comparison of A and B"), paths))

    def show_unread(self) -> None:
        """List the files that were not read, with the reasons."""
        work = partial(tasks.unread, self._session.result.documents)
        Job(work, self).start(succeeded=self._list_unread, failed=self.explain)

    def _list_unread(self, files: list[tuple[Path, str]]) -> None:
        self.open(FileListSheet(self._theme, self._page, say("Files whose text was not compared"), files))

    def find_similar(self) -> None:
        """Ask for a file, and find what is like it in the library."""
        dialog = file_dialog(self._page, say("Find what is like a document"), lambda name: self.look_up(Path(name)))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def use_of(self, data: QMimeData) -> Callable[[], object] | None:
        """Return what finds what is like a file or a text that is dropped or pasted; None for folders and others."""
        paths = dropped_paths(data)
        if paths:
            return partial(self.look_up, paths[0]) if len(paths) == 1 and paths[0].is_file() else None
        return partial(self.look_up, text) if data.hasText() and (text := data.text().strip()) else None

    def find_pasted(self) -> None:
        """Find what is like the file or the text in the clipboard."""
        use = self.use_of(QApplication.clipboard().mimeData() or QMimeData())  # None of an empty one
        use() if use else self.tell(say("Copy a text or a file first."))

    def look_up(self, sought: Path | str) -> None:
        """Find what is like a file or a text in the library, and list it."""
        name = shown(sought.name) if isinstance(sought, Path) else say("“{text}”", text=first_line(sought))
        self.tell(say("Looking for what is like {name}…", name=name))
        work = partial(tasks.relatives, self._library, self._session.demand, sought)
        self._looking_up.start(work, succeeded=partial(self._list_similar, name), failed=self._not_looked_up)

    def _not_looked_up(self, error: Exception) -> None:
        self.tell("")
        self.explain(error)

    def _list_similar(self, name: str, related: list[RelatedDocument]) -> None:
        if not related:
            self.tell(say("Nothing in the library is like {name}.", name=name))
            return
        self.tell("")  # the search has ended
        sheet = SimilarSheet(self._theme, self._page, name, related, self._session.result.documents.paths)
        sheet.group_wanted.connect(self.group_wanted)
        self.open(sheet)

    def show_pairs_apart(self) -> None:
        """List the pairs of documents that were said to be no duplicates."""
        self.open(PairsApartSheet(self._session, self._theme, self._page))

    def show_properties(self, member: Member) -> None:
        """Show all that is known of a document."""
        group = self._session.members(self._session.all_clusters().cluster_of(member.document))
        keeper = next((each for each in group if each.is_keeper), None)
        lines = words.properties_of(self._session.result.documents, member, keeper)
        self.open(PropertiesSheet(self._theme, self._page, shown(member.name), lines))

    # ---- reports and choices --------------------------------------------------------------------------------------
    def export(self, scope: ReportScope = ReportScope.ALL) -> None:
        """Write a report."""
        self._open_writing(ExportSheet(self._session, self._theme, self._page, scope))

    def _open_writing(self, sheet: ExportSheet | CalibrationSheet) -> None:
        sheet.written.connect(self.tell_written)
        sheet.failed.connect(self.explain)
        self.open(sheet)

    def tell_written(self, path: Path) -> None:
        """Show that a file was written, and offer to open it."""
        text = say("Written: {name}", name=shown(path.name))
        self.toast_wanted.emit(text, say("Open"), partial(self.place_wanted.emit, path))

    def calibrate(self) -> None:
        """Show the pairs at each radius."""
        from dupfinder.gui.results.calibration import CalibrationSheet

        sheet = CalibrationSheet(self._session, self._theme, self._page)
        sheet.radius_wanted.connect(self._session.set_radius)
        self._open_writing(sheet)

    def select_automatically(self) -> None:
        """Select by rules."""
        from dupfinder.gui.selecting.assistant import AssistantSheet

        sheet = AssistantSheet(self._session, self._theme, self._page)
        sheet.agreed.connect(self._mark)
        sheet.failed.connect(self.explain)
        self.open(sheet)

    def _mark(self, preview: Preview) -> None:
        from dupfinder.review.rules import apply

        act = partial(apply, self._session, preview.selection)
        self._session.do(act, lambda _: self.tell_marked(preview.documents), self.explain)

    def tell_marked(self, documents: int, staying: str = "") -> None:
        """Show how many documents were marked and which stay, and offer to undo it."""
        text = say_count(
            "{count} document marked. Nothing is removed yet.",
            "{count} documents marked. Nothing is removed yet.",
            documents,
        )
        self.tell_undoable(f"{text} {staying}".strip())

    def tell_undoable(self, text: str) -> None:
        """Show what the newest decision did, and offer to undo it."""
        later_steps = say("Other steps followed: undo the newest first.")
        undo = self._session.undoing_newest(partial(self.tell, later_steps))
        self.toast_wanted.emit(text, say("Undo"), undo)

    def tell_reviewed(self) -> None:
        """Show that every group was reviewed, and offer the next step."""
        count, marked = self._session.counts().clusters, self._session.summary().documents
        text = say_count("The {count} group is reviewed.", "All {count} groups reviewed.", count)
        if marked:
            text += " " + say_count("{count} document is marked.", "{count} documents are marked.", marked)
        act = say("Review removal…") if marked and not self._session.is_unfinished else ""
        self.toast_wanted.emit(text, act, self.review_removal if act else None)

    # ---- removing -------------------------------------------------------------------------------------------------
    def review_removal(self) -> None:
        """Show the documents to be removed, and remove them once confirmed."""
        from dupfinder.gui.removal.review import RemovalSheet

        if self._session.is_unfinished:
            self.tell(say("You can remove documents when the scan is complete."))
        if self._session.is_unfinished or not self._session.summary().documents:
            return
        sheet = RemovalSheet(self._session, self._theme, self._library, self._page)
        sheet.removed.connect(self._removed)
        sheet.failed.connect(self.explain)
        sheet.changed_wanted.connect(self.changed_wanted)
        sheet.export_wanted.connect(partial(self.export, ReportScope.MARKED))
        self.open(sheet)

    def _removed(self, batch: Batch) -> None:
        from dupfinder.wording.removal import reasons

        self.removed.emit(batch)
        self._keep_removal(batch if batch.count(OutcomeState.DONE) else None)
        self._home().setFocus()
        can_undo, undo = batch.count(OutcomeState.DONE) > 0, partial(self._undo, batch)
        if batch.skipped:
            act = say("Undo the removal") if can_undo else ""
            sheet = FileListSheet(self._theme, self._page, words.removed(batch), reasons(batch.skipped), act)
            sheet.acted.connect(undo)
            self.open(sheet)
        else:
            self.toast_wanted.emit(words.removed(batch), say("Undo") if can_undo else "", undo if can_undo else None)

    def _keep_removal(self, batch: Batch | None) -> None:
        """Store the removal that `undo_removal` undoes."""
        self._removal = batch
        self.undo_changed.emit(batch is not None)

    def undo_removal(self) -> None:
        if self._removal is not None:
            self._undo(self._removal)

    def _undo(self, batch: Batch) -> None:
        if not self._restoring.is_running:  # both the message and the key ask for it
            self.tell(words.restoring(batch.count(OutcomeState.DONE)))
            work = partial(tasks.restore, batch.id, similar_name=False)
            self._restoring.start(work, succeeded=self._restored, failed=self._not_restored)

    def _not_restored(self, error: Exception) -> None:
        self.tell("")  # nothing is being restored any more
        self.explain(error)

    def forget_removal(self, batch: Batch) -> None:
        """Record that a removal was undone elsewhere."""
        if self._removal is not None and self._removal.id == batch.id:
            self._keep_removal(None)

    def _restored(self, batch: Batch) -> None:
        from dupfinder.wording.removal import reasons

        self.restored.emit(batch)
        if batch.skipped:
            self.open(FileListSheet(self._theme, self._page, words.restore_result(batch), reasons(batch.skipped)))
        else:
            self.tell(words.restore_result(batch))


def first_line(text: str) -> str:
    """Return the beginning of a text in one line, safe to show."""
    words_of_text = shown(" ".join(text[: 4 * TITLE_LENGTH].split()))
    return words_of_text if len(words_of_text) <= TITLE_LENGTH else words_of_text[:TITLE_LENGTH].rstrip() + "…"


class SimilarSheet(Sheet):
    """Lists what a library has that is like a file or a text. Enter or a double click asks for the group of a row."""

    group_wanted = Signal(int)  # document

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, related: Sequence[RelatedDocument], scanned: Sequence[str]
    ) -> None:
        count = say_count("{count} document is like it", "{count} documents are like it", len(related))
        super().__init__(theme, parent, title, count, width=860)
        rows_of = {path: row for row, path in enumerate(scanned)}
        self._rows = [rows_of.get(str(document.path), -1) for document in related]  # of this scan; -1: of another one
        heads = say("Document"), say("Folder"), say("Relation"), say("Similar")
        model = TextModel(heads, self, left=3)
        model.show_rows([
            (shown(document.path.name), shown(document.path.parent), relation_name(document.relation),
             similarity_text(document.similarity, equal=document.relation >= Relation.SAME_WORDS))
            for document in related
        ])  # fmt: skip
        self.table = PathTable(model, count)
        self.body.addWidget(self.table)
        self._go = button(theme, say("Show its group"), act=self._show_group)
        self.end_with_close(self._go)
        self.table.activated.connect(self._show_group)
        self.table.selectionModel().currentRowChanged.connect(
            lambda index: self._go.setEnabled(self._rows[index.row()] >= 0)
        )
        self.table.choose_row(0)

    def _show_group(self) -> None:
        if (row := self._rows[self.table.currentIndex().row()]) >= 0:
            self.accept()
            self.group_wanted.emit(row)


class PairsApartSheet(Sheet):
    """Lists pairs of documents that were said to be no duplicates, and takes that back, as one step of undo each."""

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget) -> None:
        text = say("Neither of two such documents is taken for the other's copy or version, in later scans too.")
        super().__init__(theme, parent, say("Pairs that are no duplicates"), text, width=860)
        self._session = session
        self._is_open = True  # until it is closed, which may be before an act has ended
        self._pairs: list[tuple[int, int]] = []
        self._model = TextModel([say("Document"), say("Folder"), say("Document"), say("Folder")], self, left=4)
        self.table = PathTable(self._model, say("Pairs that are no duplicates"))
        self.body.addWidget(self.table)
        self._again = button(theme, say("Duplicates after all"), act=self._join_again)
        self.end_with_close(self._again)
        self._refresh()

    def _refresh(self) -> None:
        row, documents = self.table.currentIndex().row(), self._session.result.documents
        self._pairs = sorted(self._session.acts.verdicts.pairs_apart())
        paths = ([documents.path(document) for document in pair] for pair in self._pairs)
        self._model.show_rows([[shown(text) for path in pair for text in (path.name, path.parent)] for pair in paths])
        self._again.setEnabled(bool(self._pairs))
        self.table.choose_row(row)

    def _join_again(self) -> None:
        pair = self._pairs[self.table.currentIndex().row()]
        act = partial(self._session.marks.join_again, pair, both=True)
        self._session.do(act, lambda _: self._refresh() if self._is_open else None)

    def done(self, result: int) -> None:
        self._is_open = False
        super().done(result)


class PropertiesSheet(Sheet):
    """Lists names and values, which can be selected and copied."""

    def __init__(self, theme: Theme, parent: QWidget, title: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme, parent, title, width=760)
        content = QWidget()
        cells = grid(20, 8, content)
        cells.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(lines):
            value_label = label(value, wrap=True)
            value_label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            value_label.setAccessibleName(f"{name}: {value}")
            cells.addWidget(label(name, "body", "secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
            cells.addWidget(value_label, row, 1)
        area = bare_area(content)
        area.setMinimumHeight(min(460, parent.window().height() // 2))
        self.body.addWidget(area)
        text = "\n".join(f"{name}\t{value}" for name, value in lines)
        self.end_with_close(copy_button(theme, say("Copy all"), lambda: text))


class ExportSheet(JobSheet):
    """`written(Path)` or `failed(error)` is emitted once, after the sheet has closed."""

    written = Signal(object)

    def __init__(
        self, session: ReviewSession, theme: Theme, parent: QWidget, scope: ReportScope = ReportScope.ALL
    ) -> None:
        quiet = say("The documents themselves are not touched.")
        super().__init__(theme, parent, say("Export a report"), quiet, width=640)
        self._session = session
        self._job: Job | None = None
        self._formats = QButtonGroup(self)
        self._scopes = QButtonGroup(self)
        scopes = [say("Everything"), say("What the list shows"), say("Groups with marked documents")]
        formats = self._choices(say("Format"), self._formats, list(self._endings().values()))
        self._progress = label("", "secondary")
        self._progress.hide()
        columns = across(formats, self._choices(say("What"), self._scopes, scopes), spacing=32)
        add(self.body, columns, self._progress)
        self._scopes.button(list(ReportScope).index(scope)).setChecked(True)
        self._next = button(theme, say("Choose where…"), "primary", act=self._choose_place)
        self.end_with_cancel(self._next)

    def _endings(self) -> dict[str, str]:
        return {
            ".html": say("Web page, to read and print"),
            ".xlsx": say("Spreadsheet (XLSX)"),
            ".csv": say("Table (CSV)"),
            ".docx": say("Word document"),
            ".json": say("Data (JSON)"),
        }

    def _choices(self, title: str, group: QButtonGroup, texts: list[str]) -> QVBoxLayout:
        column = down(label(title, "strong"), spacing=6)
        for number, text in enumerate(texts):
            choice = QRadioButton(text)
            choice.setChecked(number == 0)
            group.addButton(choice, number)
            column.addWidget(choice)
        column.addStretch(1)
        return column

    @property
    def ending(self) -> str:
        return list(self._endings())[self._formats.checkedId()]

    @property
    def scope(self) -> ReportScope:
        return list(ReportScope)[self._scopes.checkedId()]

    def _choose_place(self) -> None:
        name = f"{self._session.result.summary.name or 'dupfinder'}{self.ending}"
        ask_place(self, say("Save the report as"), name, self.write_to)

    def write_to(self, name: str) -> None:
        self._next.setEnabled(False)
        self._progress.show()
        work = partial(_write, self._session, self.scope, *with_ending(name, self.ending))
        self._job = self.close_after(Job(work, self), self.written)
        self._job.progressed.connect(self._tell)

    def _tell(self, progress: Progress) -> None:
        if progress.stage is Stage.WRITE:
            self._progress.setText(say("Writing…"))
            return
        share = percent_text(100 * progress.done // max(1, progress.total or 0))
        self._progress.setText(f"{say('Looking at the groups…')} {share}")

    def reject(self) -> None:
        """Close the dialog; a report that is being written is given up."""
        if self._job is not None:
            self._job.give_up()
        super().reject()


def _write(session: ReviewSession, scope: ReportScope, path: Path, force: bool, reporter: Reporter) -> Path:
    from dupfinder.library.library import refuse_scanned
    from dupfinder.report.write import write  # the writers import libraries that the window does not need to open

    refuse_scanned(path)
    report = report_within(session, scope, reporter)
    write(report, path, documents=map(Path, session.result.documents.paths), force=force, reporter=reporter)
    return path
