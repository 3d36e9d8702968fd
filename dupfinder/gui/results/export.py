"""Write a report: its format, content and file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import across, add, down
from dupfinder.gui.kit.saving import ask_place, with_ending
from dupfinder.gui.kit.sheet import JobSheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.report.rows import Report
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession

SCOPES: Final = ("all", "shown", "marked")


class ExportSheet(JobSheet):
    """`written(Path)` or `failed(error)` is emitted once, after the sheet has closed."""

    written = Signal(object)

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget, scope: str = "all") -> None:
        super().__init__(
            theme, parent, self.tr("Export a report"), self.tr("The documents themselves are not touched.")
        )
        self._session = session
        self._job: Job | None = None
        self._formats = QButtonGroup(self)
        self._scopes = QButtonGroup(self)
        scopes = [self.tr("Everything"), self.tr("What the list shows"), self.tr("Groups with marked documents")]
        columns = across(
            self._choices(self.tr("Format"), self._formats, list(self._endings().values())),
            self._choices(self.tr("What"), self._scopes, scopes),
            spacing=32,
        )
        self.body.addLayout(columns)
        self._scopes.button(SCOPES.index(scope)).setChecked(True)
        cancel = button(theme, self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self._go = button(theme, self.tr("Choose where…"), "primary")
        self._go.setDefault(True)
        self._go.clicked.connect(self._choose_place)
        add(self.buttons, cancel, self._go)
        self._go.setFocus()

    def _endings(self) -> dict[str, str]:
        return {
            ".html": self.tr("Web page, to read and print"),
            ".xlsx": self.tr("Spreadsheet (XLSX)"),
            ".csv": self.tr("Table (CSV)"),
            ".docx": self.tr("Word document"),
            ".json": self.tr("Data (JSON)"),
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

    def choose(self, form: int, scope: int) -> None:
        """Select a format and a scope by their indices."""
        self._formats.button(form).setChecked(True)
        self._scopes.button(scope).setChecked(True)

    @property
    def ending(self) -> str:
        """The suffix of the chosen format."""
        return list(self._endings())[self._formats.checkedId()]

    @property
    def scope(self) -> str:
        """The chosen member of SCOPES."""
        return SCOPES[self._scopes.checkedId()]

    @Slot()
    def _choose_place(self) -> None:
        name = f"{self._session.result.summary.name or 'dupfinder'}{self.ending}"
        ask_place(self, self.tr("Save the report as"), name, self.write_to)

    @Slot(str)
    def write_to(self, name: str) -> None:
        """Write the report."""
        self._go.setEnabled(False)
        work = partial(_write, self._session, self.scope, *with_ending(name, self.ending))
        self._job = self.close_after(Job(work, self), self.written)


def scoped(session: ReviewSession, scope: str) -> Report:
    """Return the report of all groups, of the listed groups, or of groups with marks."""
    report = report_of(session)
    if scope == "all":
        return report
    if scope == "shown":
        ids = session.clusters().ids.tolist()
        wanted = {
            session.result.documents.paths[member.document] for number in ids for member in session.members(number)
        }
        clusters = tuple(group for group in report.clusters if all(str(part.path) in wanted for part in group.members))
    else:
        clusters = tuple(group for group in report.clusters if any(part.decision == "remove" for part in group.members))
    members = {part.path for group in clusters for part in group.members}
    relations = Counter(part.relation for group in clusters for part in group.members)
    return replace(
        report,
        clusters=clusters,
        files=tuple(file for file in report.files if file.path in members),
        contains=tuple(row for row in report.contains if row.container in members and row.part in members),
        pairs=tuple(pair for pair in report.pairs if pair.left in members and pair.right in members),
        forms=tuple(form for form in report.forms if members.issuperset(form.members)),
        summary=replace(
            report.summary,
            clusters=len(clusters),
            documents_in_clusters=len(members),
            bytes_to_free=sum(group.bytes_to_free for group in clusters),
            relations=dict(sorted(relations.items())),
        ),
    )


def _write(session: ReviewSession, scope: str, path: Path, force: bool, reporter: Reporter) -> Path:
    from dupfinder.report.write import write  # the writers import libraries that the window does not need to open

    reporter.check()
    report = scoped(session, scope)
    reporter.check()
    write(report, path, documents=map(Path, session.result.documents.paths), force=force)
    return path
