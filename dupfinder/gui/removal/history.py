"""History: every removal with a button to restore its files, skipped files with the reason, and all as a table."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QLineEdit, QPushButton, QSizePolicy, QWidget

from dupfinder.actions.outcome import Batch, Outcome, OutcomeState
from dupfinder.actions.plan import Verb
from dupfinder.base.display import shown
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.gui.kit import tasks, words
from dupfinder.gui.kit.buttons import button, copy_button, two_lines
from dupfinder.gui.kit.cards import Card, Icon, Tile
from dupfinder.gui.kit.files import ask_place, save, with_ending
from dupfinder.gui.kit.jobs import Job, OneJob
from dupfinder.gui.kit.labels import ElidedLabel, label, type_badge
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, boxed, down, grow
from dupfinder.gui.kit.messages import FileListSheet, QuestionSheet, confirm, counted, explain
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.tables import PathTable, TextModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.figures import count_text, size_text
from dupfinder.wording.removal import (
    outcome_facts,
    outcome_sentence,
    reasons,
    removals_table,
    restore_refusal_sentence,
    state_words,
)

_WIDTH: Final = 980
_CARD_MARGINS: Final = (18, 4, 18, 4)  # the rows have margins above and below
_TILES: Final = {Verb.TRASH: ("trash", "remove"), Verb.MOVE: ("folder-move", "warn"), Verb.HARDLINK: ("link", "near")}
_MOST_BATCHES: Final = 200  # rows on the page; the journal has all
_LINES_OF_FACTS: Final = 3  # for two paths
_MOST_SKIPPED: Final = 20  # rows of skipped files on the page; the sheet lists all


class HistoryPage(Page):
    """Lists removals; `restored` is emitted when files were restored."""

    restored = Signal(object)  # the Batch with the result

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__(say("History"), is_aside=True)
        self._theme, self._settings = theme, settings
        self._reading, self._restoring = OneJob(self), OneJob(self)
        self._quiet = label("", "body", "secondary", wrap=True)
        self.card = Card(spacing=0)
        self.card.column.setContentsMargins(*_CARD_MARGINS)
        self._skipped_title = label("", "strong")
        self._explain = partial(explain, theme, self)
        self._all = button(theme, say("Show all"), "link", act=self._list_skipped)
        self._shown_skipped: list[Outcome] = []
        self._newest: Batch | None = None  # the newest removal of which files can be restored
        head = across(Icon(theme, "warning", "warn", 18), grow(self._skipped_title), self._all, spacing=10)
        self.skipped_card = Card(spacing=0)
        self.skipped_card.column.setContentsMargins(*_CARD_MARGINS)
        self.skipped = boxed(down(head, self.skipped_card))
        self._batches: Sequence[Batch] = ()
        self._export = button(theme, say("Export…"), icon="export", act=self.export)
        title = across(grow(label(say("History"), "page")), self._export)
        parts = (title, self._quiet, Space(14), self.card, Space(20), self.skipped, Stretch())
        self.lay_out(down(*parts, margins=(0, 32, 0, 24), spacing=4), theme.px(_WIDTH))
        self.card.hide()  # until the journal is read
        self.skipped.hide()
        self._export.setEnabled(False)

    def entered(self) -> None:
        super().entered()
        text = say_count(
            "Everything dupfinder changed, with a way back. Entries stay for {count} day, and longer while files can "
            "still be restored.",
            "Everything dupfinder changed, with a way back. Entries stay for {count} days, and longer while files can "
            "still be restored.",
            self._settings.integer(JOURNAL_DAYS),
        )
        self._quiet.setText(text)
        self.reload()

    def reload(self) -> None:
        """Read the journal again, in a job; interrupted removals are completed first."""
        age = timedelta(days=self._settings.integer(JOURNAL_DAYS))
        if not self._batches:
            self._show_alone(say("Reading the history…"))
        work = partial(tasks.removals, age)  # what an earlier one read may be outdated
        self._reading.start(work, succeeded=self.show_batches, failed=self._explain)

    def show_batches(self, batches: Sequence[Batch]) -> None:
        """Show removals, newest first."""
        self._batches = batches
        self.card.show()
        self._export.setEnabled(bool(batches))
        self.card.show_rows([self._row(batch) for batch in batches[:_MOST_BATCHES]])
        if not batches:
            self._show_alone(say("Nothing was removed yet."))
        self._newest = next((batch for batch in batches if batch.count(OutcomeState.DONE)), None)
        self._show_skipped(next((batch for batch in batches if batch.skipped), None))

    def _show_alone(self, text: str) -> None:
        """Show a sentence in place of removals."""
        sentence = label(text, "body", "secondary")
        sentence.setContentsMargins(0, 14, 0, 14)
        self.card.show_rows([sentence])
        self.card.show()

    def export(self) -> None:
        """Ask where to save all removals as a table."""
        if self._batches:
            ask_place(self, say("Save the history as"), f"{say('History')}.csv", self.write_to)

    def write_to(self, name: str) -> None:
        """Write all removals as a table in CSV, in a job."""
        from dupfinder.report.csv import write_cells  # only if needed

        path, agreed = with_ending(name, ".csv")
        work = partial(save, path, (), partial(write_cells, *removals_table(self._batches)), agreed=agreed)
        Job(work, self).start(succeeded=self._tell_written, failed=self._explain)

    def _tell_written(self, path: Path) -> None:
        self.tell(say("Written: {name}", name=shown(path.name)))

    # Rows

    def _row(self, batch: Batch) -> QWidget:
        icon, tone = _TILES[_verb(batch)]
        done = (
            outcome.step for outcome in batch.outcomes if outcome.state in (OutcomeState.DONE, OutcomeState.RESTORED)
        )
        size = sum(step.victim.stamp.size for step in done)
        scope = " · ".join(part for part in (shown(batch.scan_name), size_text(size)) if part)
        is_whole = not batch.skipped and not batch.is_cut_off
        look = ("medium", "secondary") if is_whole else ("strong", "warn")
        parts = (
            Tile(self._theme, icon, tone, 36),
            grow(_column(two_lines(self._title(batch), scope)), 42),
            grow(_column(label(words.when(batch.started), "secondary", wrap=True)), 15),
            grow(_column(label(self._result(batch), *look, wrap=True)), 27),
            self._files_button(batch),
            self._restore_button(batch),
        )
        return boxed(across(*parts, margins=(0, 14, 0, 14), spacing=16))

    def _files_button(self, batch: Batch) -> QPushButton:
        widget = button(self._theme, say("Show files"), "link", act=lambda: self._collect_files(batch))
        widget.setAccessibleName(say("Show files: {title}", title=self._title(batch)))
        return widget

    def _collect_files(self, batch: Batch) -> None:
        """List the files of a removal, in a job: a large one has many."""
        listed = partial(self._list_removed, batch)
        Job(partial(_files_of, batch), self).start(succeeded=listed, failed=self._explain)

    def _list_removed(self, batch: Batch, listed: tuple[list[RemovedFile], list[str]]) -> None:
        sheet = RemovedFilesSheet(self._theme, self, self._title(batch), *listed)
        sheet.restore_wanted.connect(partial(self._ask_restore, batch))
        sheet.open()

    def _restore_button(self, batch: Batch) -> QPushButton:
        widget = button(self._theme, say("Restore…"), act=lambda: self._ask_restore(batch))
        widget.setMinimumWidth(90)
        widget.setEnabled(batch.count(OutcomeState.DONE) > 0)
        widget.setAccessibleName(say("Restore: {title}", title=self._title(batch)))
        return widget

    def _title(self, batch: Batch) -> str:
        count = batch.count(OutcomeState.DONE) + batch.count(OutcomeState.RESTORED)
        text = NP_("{count} document moved to the {trash}", "{count} documents moved to the {trash}")
        if _verb(batch) is Verb.HARDLINK:
            text = NP_("{count} exact copy replaced by a hard link", "{count} exact copies replaced by hard links")
        elif _verb(batch) is Verb.MOVE:
            text = NP_("{count} document moved to a folder", "{count} documents moved to a folder")
        elif batch.quarantined == count > 0:
            text = NP_("{count} document moved to the quarantine", "{count} documents moved to the quarantine")
        return say_count(*text, count, trash=words.trash_name())

    def _result(self, batch: Batch) -> str:
        done, total = count_text(len(batch.outcomes)), count_text(batch.total)
        parts = (
            say_some("{count} moved", "{count} moved", batch.count(OutcomeState.DONE) - batch.quarantined),
            say_some("{count} in quarantine", "{count} in quarantine", batch.quarantined),
            say_some(
                "{count} deleted from quarantine", "{count} deleted from quarantine", batch.count(OutcomeState.EMPTIED)
            ),
            say_some("{count} restored", "{count} restored", batch.count(OutcomeState.RESTORED)),
            say_some("{count} left alone", "{count} left alone", len(batch.skipped)),
            say("in progress") if batch.running else "",
            say("stopped after {done} of {total}", done=done, total=total) if batch.is_cut_off else "",
            say_some(
                "{count} line of its record cannot be read", "{count} lines of its record cannot be read", batch.damaged
            ),
        )
        return " · ".join(filter(None, parts))

    def _show_skipped(self, batch: Batch | None) -> None:
        self.skipped.setVisible(batch is not None)
        if batch is None:
            return
        self._shown_skipped = steps = batch.skipped
        title = say_count("{count} document was left alone", "{count} documents were left alone", len(steps))
        self._skipped_title.setText(title)
        self._all.setVisible(len(steps) > _MOST_SKIPPED)
        self.skipped_card.show_rows([_skipped_row(outcome) for outcome in steps[:_MOST_SKIPPED]])

    def _list_skipped(self) -> None:
        FileListSheet(self._theme, self, say("Documents left alone"), reasons(self._shown_skipped)).open()

    # Restoring

    def undo(self) -> None:
        """Ask whether to restore the newest removal."""
        if self._newest is not None:
            self._ask_restore(self._newest)

    def _ask_restore(self, batch: Batch, only: Collection[Path] = ()) -> None:
        """Ask whether to restore a removal, or only these of its files."""
        count = len(only) or batch.count(OutcomeState.DONE)
        title = say_count("Restore {count} document?", "Restore {count} documents?", count)
        text = say("Each goes back to its folder. No file that is there now is overwritten.")
        restore = partial(self.restore, batch, similar_name=False, only=only)
        confirm(self._theme, self, title, text, say("Restore"), restore)

    def restore(self, batch: Batch, *, similar_name: bool, only: Collection[Path] = ()) -> None:
        """Undo a removal, or restore only these of its files, in a job, unless another is being undone."""
        if self._restoring.is_running:
            return
        self.tell(words.restoring(len(only) or batch.count(OutcomeState.DONE)))
        work = partial(tasks.restore, batch.id, similar_name=similar_name, only=only)
        done = partial(self._was_restored, batch, similar_name)
        self._restoring.start(work, succeeded=done, failed=self._not_restored)

    def _not_restored(self, error: Exception) -> None:
        self.tell("")  # nothing is being restored any more
        self._explain(error)

    def _was_restored(self, batch: Batch, similar_name: bool, done: Batch) -> None:
        back, not_restored = done.count(OutcomeState.RESTORED), done.skipped
        parts = (
            say_count("{count} document is back in its folder.", "{count} documents are back in their folders.", back),
            say_some("{count} is not.", "{count} are not.", len(not_restored)),
        )
        self.tell(" ".join(filter(None, parts)))
        self.restored.emit(done)
        self.reload()
        if not_restored:
            self._explain_not_restored(batch, not_restored, similar_name)

    def _explain_not_restored(self, batch: Batch, not_restored: Sequence[Outcome], similar_name: bool) -> None:
        first = not_restored[0]
        reason = restore_refusal_sentence(first.refusal) if first.refusal else outcome_sentence(first) or ""
        paths = {outcome.step.victim.path for outcome in not_restored}
        again = partial(self.restore, batch, similar_name=True, only=paths)
        restore = say("Restore under a similar name"), "primary", again
        title = say_count("{count} document was not restored", "{count} documents were not restored", len(not_restored))
        answers = [(say("Close"), "", None), *([] if similar_name else [restore])]
        QuestionSheet(self._theme, self, title, reason, *answers).open()


def _verb(batch: Batch) -> Verb:
    return batch.outcomes[0].step.verb if batch.outcomes else Verb.TRASH


def _column(widget: QWidget) -> QWidget:
    """Return the widget; its text no longer widens it, so that it is as wide in each row."""
    policy = widget.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    widget.setSizePolicy(policy)
    return widget


@dataclass(frozen=True, slots=True)
class RemovedFile:
    """A file of a removal.

    folded: its path in the form in which paths are searched. result: what became of it. facts: the file that was kept
    for it, and where it is now.
    """

    path: Path
    folded: str
    result: str
    facts: str
    can_be_restored: bool

    @property
    def line(self) -> str:
        return f"{shown(self.path)}  —  {self.result}; {self.facts}"

    def cells(self) -> tuple[str, str, str]:
        return shown(self.path.name), shown(self.path.parent), self.result


def _files_of(batch: Batch, reporter: Reporter) -> tuple[list[RemovedFile], list[str]]:
    """Return the files of a removal, first those that can be restored; and how many have the same result."""
    files = []
    for outcome in batch.outcomes:
        reporter.check()
        path, is_away = outcome.step.victim.path, outcome.state is OutcomeState.DONE
        folded = str(path).casefold()
        files.append(RemovedFile(path, folded, state_words(outcome), outcome_facts(outcome), is_away))
    files.sort(key=lambda file: not file.can_be_restored)
    return files, counted([(file.path, file.result) for file in files])


class RemovedFilesSheet(Sheet):
    """Lists the files of a removal, all or those with a text in their paths, and restores some.

    summary: lines above the list.
    """

    restore_wanted = Signal(object)  # a set of Path

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, files: Sequence[RemovedFile], summary: Sequence[str]
    ) -> None:
        text = "\n".join((say_count("{count} file", "{count} files", len(files)), *summary))
        super().__init__(theme, parent, title, text, width=1040)
        self._files = self._listed = files
        self.search = QLineEdit(placeholderText=say("Search names and folders"), clearButtonEnabled=True)
        self.search.setAccessibleName(say("Search names and folders"))
        self.search.textChanged.connect(self._seek)
        heads = [say("Document"), say("Folder"), say("Result")]
        self._model = TextModel(heads, self, left=len(heads), texts=RemovedFile.cells)
        self.table = PathTable(self._model, title)
        self.table.setSelectionMode(PathTable.SelectionMode.ExtendedSelection)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.facts = label("", "secondary", wrap=True)  # of the current file
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.facts.setMinimumHeight(_LINES_OF_FACTS * self.facts.fontMetrics().lineSpacing())
        add(self.body, self.search, self.table, self.facts)
        self._restore = button(theme, say("Restore selected…"), act=self._ask_restore)
        self.end_with_close(copy_button(theme, say("Copy list"), self.text), self._restore)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        self._seek("")

    def text(self) -> str:
        """Return the listed files, each in a line."""
        return "\n".join(file.line for file in self._listed)

    @Slot(str)
    def _seek(self, sought: str) -> None:
        sought = sought.strip().casefold()
        self._listed = [file for file in self._files if sought in file.folded]
        self._model.show_rows(self._listed)
        self.table.choose_row(0)
        self._selection_changed()  # also if nothing is listed

    @Slot()
    def _selection_changed(self) -> None:
        self._restore.setEnabled(any(self._listed[row].can_be_restored for row in self._selected_rows()))
        row = self.table.currentIndex().row()
        self.facts.setText(self._listed[row].facts if 0 <= row < len(self._listed) else "")

    def _selected_rows(self) -> Iterator[int]:
        return itertools.chain.from_iterable(self.table.selected_rows())

    def _ask_restore(self) -> None:
        files = (self._listed[row] for row in self._selected_rows())
        paths = {file.path for file in files if file.can_be_restored}
        self.accept()
        self.restore_wanted.emit(paths)


def _skipped_row(outcome: Outcome) -> QWidget:
    path = outcome.step.victim.path
    name = ElidedLabel(shown(path.name), "medium")
    name.setToolTip(shown(path))
    badge = aligned(type_badge(path.suffix), Qt.AlignmentFlag.AlignTop)
    reason = label(outcome_sentence(outcome) or "", "secondary", wrap=True)
    return boxed(across(badge, grow(down(name, Stretch()), 2), grow(reason, 4), margins=(0, 10, 0, 10), spacing=12))
