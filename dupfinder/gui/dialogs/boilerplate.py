"""Passages that stand in many files: which they are, where they stand, and whether they are left out of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPlainTextEdit, QTableView, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.progress import Progress, Reporter
from dupfinder.gui.components.buttons import button
from dupfinder.gui.components.labels import ElidedLabel, label
from dupfinder.gui.components.progress import Bar
from dupfinder.gui.components.sheet import Sheet
from dupfinder.gui.jobs import Job, Work
from dupfinder.gui.models.passages import PassagesModel
from dupfinder.gui.theme import Theme
from dupfinder.review.boilerplate import BoilerplatePassage

_ROW: Final = 30
_EXAMPLES: Final = 4  # files that are named
_HEIGHT: Final = 300  # px of the table


class BoilerplateSheet(Sheet):
    """`regrouped(int)`: the scan was matched again and is to be opened anew. `failed(error)` ends the sheet."""

    regrouped = Signal(int)
    failed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, library: Path, scan: int) -> None:
        text = self.tr(
            "Notices, footers and the like that stand in documents which have nothing else in common. What is ticked "
            "is left out when texts are compared. No document is changed."
        )
        super().__init__(theme, parent, self.tr("Passages in many files"), text, width=980)
        self._library, self._scan = library, scan
        self._job: Job | None = None
        self._model = PassagesModel(self)
        self.table = self._make_table()
        self._text = QPlainTextEdit()
        self._files = [ElidedLabel("", "secondary") for _ in range(_EXAMPLES)]
        self._note = label(self.tr("Opening…"), "secondary", wrap=True)
        self._bar = Bar(theme, self.tr("Progress"))
        self._build()
        self._model.switched.connect(self._switch)
        self.table.selectionModel().currentRowChanged.connect(self._chosen)
        self.rejected.connect(self._stop)
        self.finished.connect(self.deleteLater)
        self._run(partial(_load, library, scan), self._loaded)

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self._model)
        table.setAccessibleName(self.tr("Passages in many files"))
        table.setProperty("look", "framed")
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(max(_ROW, self._theme.px(_ROW)))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            table.setColumnWidth(column, self._theme.px(70))
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setMinimumHeight(_HEIGHT)
        return table

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.table, 3)
        side = QVBoxLayout()
        side.setSpacing(6)
        side.addWidget(label(self.tr("The passage"), "strong"))
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("The passage"))
        side.addWidget(self._text, 1)
        side.addWidget(label(self.tr("Stands in"), "strong"))
        for one in self._files:
            side.addWidget(one)
        row.addLayout(side, 2)
        self.body.addLayout(row)
        self._bar.hide()
        self.body.addWidget(self._bar)
        self.body.addWidget(self._note)
        close = button(self._theme, self.tr("Close"))
        close.clicked.connect(self.reject)
        self._again = button(self._theme, self.tr("Group again"), "primary")
        self._again.setEnabled(False)
        self._again.clicked.connect(self.group_again)
        self.buttons.addWidget(close)
        self.buttons.addWidget(self._again)
        close.setFocus()

    # ---- showing --------------------------------------------------------------------------------------------------
    @Slot(object)
    def _loaded(self, found: list[BoilerplatePassage]) -> None:
        self._model.show_passages(found)
        self._tell()
        if found:
            first = self._model.index(0, 0)
            self.table.selectionModel().setCurrentIndex(
                first, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            )
            self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _tell(self) -> None:
        waiting = self._model.waiting()
        if not self._model.rowCount():
            text = self.tr("No passage stands in many files that have nothing else in common.")
        elif waiting:
            text = self.tr(
                "%Ln changes take effect when the documents are grouped again. None is read again.", "", waiting
            )
        else:
            text = self.tr("The groups were made with these choices.")
        self._note.setText(text)
        self._again.setEnabled(waiting > 0 and self._job is None)

    def _chosen(self) -> None:
        row = self.table.currentIndex().row()
        one = self._model.passage(row) if row >= 0 else None
        self._text.setPlainText("" if one is None else "\n".join(shown(line) for line in one.text.splitlines()))
        for place, field in enumerate(self._files):
            named = one is not None and place < len(one.examples)
            field.setText(shown(one.examples[place]) if one is not None and named else "")

    # ---- switching and grouping -----------------------------------------------------------------------------------
    def _switch(self, key: str, enabled: bool) -> None:
        if self._job is None:
            self._run(partial(_switch, self._library, key, enabled), partial(self._switched, key, enabled))

    def _switched(self, key: str, enabled: bool, _: object) -> None:
        self._model.keep(key, enabled)
        self._tell()

    @Slot()
    def group_again(self) -> None:
        """Match the scan again with what is ticked."""
        self._again.setEnabled(False)
        self._bar.show()
        self._run(partial(_regroup, self._library, self._scan), self._grouped)
        self._note.setText(self.tr("Grouping again…"))

    @Slot(object)
    def _progressed(self, progress: Progress) -> None:
        self._bar.set_share(progress.done / progress.total if progress.total else 0)

    def _grouped(self, scan: int) -> None:
        self.accept()
        self.regrouped.emit(scan)

    def _run(self, work: Work, then: Callable[[Any], None]) -> None:
        self._job = Job(work)  # it may outlive the sheet until its next check
        self._job.succeeded.connect(partial(self._ended, then))
        self._job.failed.connect(self._broke)
        self._job.progressed.connect(self._progressed)
        self._job.start()

    def _ended(self, then: Callable[[Any], None], value: Any) -> None:
        self._job = None
        then(value)

    @Slot(object)
    def _broke(self, error: Exception) -> None:
        self._job = None
        self.accept()
        self.failed.emit(error)

    @Slot()
    def _stop(self) -> None:
        if self._job is not None:
            self._job.succeeded.disconnect()
            self._job.failed.disconnect()
            self._job.progressed.disconnect()
            self._job.stop()


def _load(library: Path, scan: int, reporter: Reporter) -> list[BoilerplatePassage]:
    from dupfinder.review.boilerplate import passages

    reporter.check()
    return passages(library, scan)


def _switch(library: Path, key: str, enabled: bool, reporter: Reporter) -> None:
    from dupfinder.review.boilerplate import switch

    reporter.check()
    switch(library, (key,), enabled)


def _regroup(library: Path, scan: int, reporter: Reporter) -> int:
    from dupfinder.review.boilerplate import regroup

    return regroup(library, scan, reporter)
