"""Documents that share a form: the list of forms, and the fields of the selected form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTableView, QWidget

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit import words
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.files import ask_place, save, with_ending
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.layout import across, divided
from dupfinder.gui.results.form_panes import FormDetail, FormList
from dupfinder.gui.results.forms import FormEntry, forms_of
from dupfinder.report.csv import write_cells
from dupfinder.review.fillings import MOST_READ, FormReader, FormView
from dupfinder.review.session import Changed, ReviewSession
from dupfinder.wording.catalogue import say

LIST_WIDTH: Final = 372


class FormsView(QWidget):
    """Reads the selected form in a process, and writes its table."""

    group_wanted = Signal(int)  # a document, to show the group of its copies
    compare_wanted = Signal(int, int)  # documents
    toast_wanted = Signal(str, str, object)  # sentence, label of a link, the function it calls
    written = Signal(object)  # Path
    failed = Signal(object)  # Exception

    def __init__(self, session: ReviewSession, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._entries: Sequence[FormEntry] | None = None  # of all forms, rejected ones too; None until they are listed
        self._listing: Job | None = None
        self._reader: FormReader | None = None
        self._job: Job | None = None
        self._writing: Job | None = None
        self._wanted: FormEntry | None = None
        self._document = -1  # whose form is to be selected
        self.forms = FormList(drawing, self)
        self.detail = FormDetail(session, drawing, self)
        split = divided(Qt.Orientation.Horizontal, self.forms, self.detail, self)
        split.setSizes([drawing.theme.px(LIST_WIDTH), 10_000])
        across(split, into=self)
        self.forms.chosen.connect(self._chosen)
        self.detail.step_wanted.connect(self.forms.step)
        self.detail.group_wanted.connect(self.group_wanted)
        self.detail.compare_wanted.connect(self.compare_wanted)
        self.detail.table_wanted.connect(self._choose_place)
        self.detail.parted.connect(self.not_one_form)

    @property
    def list(self) -> QTableView:
        """The list of forms."""
        return self.forms.table

    def entered(self) -> None:
        """List the forms if they are shown for the first time, and select the first unless one is selected."""
        self.list.setFocus()
        if self._entries is None and self._listing is None:
            self.forms.show_waiting()
            # Among a million documents it takes seconds.
            self._listing = Job(partial(forms_of, self._session)).start(succeeded=self._listed, failed=self._not_listed)
        elif self.forms.current is None:
            self.forms.choose_row(0)

    def choose_document(self, document: int) -> None:
        """Select the form of a document, once the forms are listed."""
        self._document = document
        if self._entries is not None:
            self.forms.choose_document(document)

    def _listed(self, entries: Sequence[FormEntry]) -> None:
        self._listing, self._entries = None, entries
        self.forms.show_forms(self._present(entries))
        if self._document >= 0:
            self.forms.choose_document(self._document)
        if self.forms.current is None:
            self.forms.choose_row(0)

    def _not_listed(self, error: Exception) -> None:
        self._listing = None
        self.failed.emit(error)

    def _present(self, entries: Sequence[FormEntry]) -> Sequence[FormEntry]:
        """Return the forms that the person did not reject."""
        first = {int(rows[0]) for rows in self._session.forms()}
        return [entry for entry in entries if entry.fillings[0] in first]

    def refresh(self, change: Changed) -> None:
        """Update the list if forms were rejected, or a rejection was undone."""
        if change.clusters and self._entries is not None and len(self._session.forms()) != len(self.forms.entries):
            self.forms.show_forms(self._present(self._entries))

    def not_one_form(self) -> None:
        """Remove the selected form from the list; stored for later scans."""
        entry = self.forms.current
        if entry is not None:
            self._session.not_a_form(entry.documents)
            self._session.do(lambda: entry.title, self._tell_parted)

    def _tell_parted(self, title: str) -> None:
        text = say("{title} is no longer listed as one form.", title=title)
        undo = self._session.undoing_newest(partial(self.toast_wanted.emit, words.later_steps(), "", None))
        self.toast_wanted.emit(text, say("Undo"), undo)

    # ---- the table as a file --------------------------------------------------------------------------------------
    def _choose_place(self) -> None:
        entry = self.forms.current
        if entry is None:
            return
        ask_place(self, say("Save the table as"), f"{entry.title}.csv", self.write_to)

    def write_to(self, name: str) -> None:
        """Write the table in its present order; `written` or `failed` is emitted at the end."""
        heading, rows = self.detail.fillings.table()
        path, agreed = with_ending(name, ".csv")
        scanned = self._session.result.documents.paths
        work = partial(save, path, scanned, agreed, partial(write_cells, heading, rows))
        self._writing = Job(work, self).start(succeeded=self.written, failed=self.failed)

    # ---- reading --------------------------------------------------------------------------------------------------
    def _chosen(self, entry: FormEntry | None) -> None:
        if entry is not None:
            self.detail.show_form(entry, None)
            self._wanted = entry
            self._read()

    def _read(self) -> None:
        """Read the form that was selected last, one at a time."""
        if self._job is not None or self._wanted is None:
            return
        entry, self._wanted = self._wanted, None
        documents = self._session.result.documents
        paths = [documents.path(row) for row in entry.fillings[:MOST_READ]]
        reader = self._reader = self._reader or FormReader()
        self._job = Job(partial(_read, reader, paths)).start(
            succeeded=partial(self._was_read, entry), failed=self._broke
        )

    def _was_read(self, entry: FormEntry, view: FormView) -> None:
        self._job = None
        if self._wanted is None:
            self.detail.show_form(entry, view)
        self._read()

    def _broke(self, _error: Exception) -> None:
        self._job = None
        self.detail.show_unreadable()
        self._read()

    def close_reader(self) -> None:
        """Close the reading process, and stop listing."""
        self._wanted = None
        for job in (self._job, self._listing):
            if job is not None:
                job.give_up()
        if self._job is not None:
            self._job.wait(5000)
        self._job = self._listing = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _read(reader: FormReader, paths: list[Path], reporter: Reporter) -> FormView:
    return reader.read(paths, reporter.check)
