"""Files that could not be read, grouped by the kind of trouble, and what can be done about them from here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dupfinder.actions.held import GivenBack
from dupfinder.base.problems import ProblemKind
from dupfinder.gui.kit import figures, tasks
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.messages import FileList, explain
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.removal import given_back_sentence

# kind: (tone, name, what became of the files)
_WORDS: Final = {
    ProblemKind.NO_TEXT: ("warn", QT_TRANSLATE_NOOP("Problems", "Scanned pages without text"),
                          QT_TRANSLATE_NOOP("Problems", "Compared by exact content only")),
    ProblemKind.TOO_SHORT: ("warn", QT_TRANSLATE_NOOP("Problems", "Very little text"),
                            QT_TRANSLATE_NOOP("Problems", "Compared by exact content only")),
    ProblemKind.ENCRYPTED: ("warn", QT_TRANSLATE_NOOP("Problems", "Password-protected"),
                            QT_TRANSLATE_NOOP("Problems", "Skipped — open them to check")),
    ProblemKind.DAMAGED: ("remove", QT_TRANSLATE_NOOP("Problems", "Damaged file"),
                          QT_TRANSLATE_NOOP("Problems", "Skipped")),
    ProblemKind.UNREADABLE: ("remove", QT_TRANSLATE_NOOP("Problems", "No permission to read"),
                             QT_TRANSLATE_NOOP("Problems", "Skipped")),
    ProblemKind.TOO_LARGE: ("warn", QT_TRANSLATE_NOOP("Problems", "Too large"),
                            QT_TRANSLATE_NOOP("Problems", "Over your limit — skipped")),
    ProblemKind.TOO_SLOW: ("warn", QT_TRANSLATE_NOOP("Problems", "Took too long"),
                           QT_TRANSLATE_NOOP("Problems", "Skipped")),
    ProblemKind.CHANGED: ("warn", QT_TRANSLATE_NOOP("Problems", "Changed while being read"),
                          QT_TRANSLATE_NOOP("Problems", "Read again at the next scan")),
    ProblemKind.VANISHED: ("warn", QT_TRANSLATE_NOOP("Problems", "Gone when its turn came"),
                           QT_TRANSLATE_NOOP("Problems", "Skipped")),
    ProblemKind.HELD: ("warn", QT_TRANSLATE_NOOP("Problems", "Left by a removal that was cut off"),
                       QT_TRANSLATE_NOOP("Problems", "Show them to give them their names back")),
    ProblemKind.UNSUPPORTED: ("neutral", QT_TRANSLATE_NOOP("Problems", "Not a document"),
                              QT_TRANSLATE_NOOP("Problems", "Not compared")),
    ProblemKind.SKIPPED: ("neutral", QT_TRANSLATE_NOOP("Problems", "Left out by your choice, or a link"),
                          QT_TRANSLATE_NOOP("Problems", "Not compared")),
}  # fmt: skip
LEFT_OUT: Final = frozenset({ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED})  # no trouble: never meant to be read


def troubles(problems: Mapping[str, int]) -> int:
    """How many files had a trouble, without those that were left out on purpose."""
    return sum(count for kind, count in problems.items() if ProblemKind(kind) not in LEFT_OUT)


def problem_name(kind: ProblemKind) -> str:
    """What a kind of trouble is called."""
    return QCoreApplication.translate("Problems", str(_WORDS[kind][1]))


class ProblemList(QWidget):
    """A row for each kind that occurs, in the order of the table. `show_asked(ProblemKind)`."""

    show_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._rows: dict[ProblemKind, tuple[QWidget, QLabel]] = {}
        for kind in _WORDS:
            row, count = self._row(theme, kind)
            self._rows[kind] = (row, count)
            self._column.addWidget(row)
            row.hide()

    def _row(self, theme: Theme, kind: ProblemKind) -> tuple[QWidget, QLabel]:
        tone, name, quiet = (str(part) for part in _WORDS[kind])
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line())
        row = QHBoxLayout()
        row.setContentsMargins(0, 7, 0, 7)
        row.setSpacing(13)
        count = label("")
        count.setProperty("look", "count")
        count.setProperty("tone", tone)
        count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        row.addWidget(count)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(label(QCoreApplication.translate("Problems", name), "medium"))
        words.addWidget(label(QCoreApplication.translate("Problems", quiet), "secondary"))
        row.addLayout(words, 1)
        row.addWidget(self._show_button(theme, kind))
        column.addLayout(row)
        return holder, count

    def _show_button(self, theme: Theme, kind: ProblemKind) -> QPushButton:
        made = button(theme, self.tr("Show"), "link")
        made.setAccessibleName(self.tr("Show: %1").replace("%1", problem_name(kind)))
        made.clicked.connect(lambda: self.show_asked.emit(kind))
        return made

    def show_counts(self, problems: Mapping[str, int]) -> None:
        """Numbers by kind value."""
        for kind, (row, count) in self._rows.items():
            number = problems.get(kind.value, 0)
            row.setVisible(number > 0)
            if number:
                count.setText(figures.number(number))


def open_problem_files(theme: Theme, parent: QWidget, kind: ProblemKind, files: list[tuple[Path, str]]) -> None:
    """Show files with their clauses. Those that a removal left under its own names can be given theirs back."""
    act = QCoreApplication.translate("ProblemFiles", "Give them their names back")
    sheet = FileList(theme, parent, problem_name(kind), files, act if kind is ProblemKind.HELD and files else "")
    sheet.acted.connect(partial(_give_names_back, theme, parent, [path for path, _ in files]))
    sheet.open()


def _give_names_back(theme: Theme, parent: QWidget, paths: list[Path]) -> None:
    job = Job(partial(tasks.give_names_back, paths), parent)
    job.succeeded.connect(partial(_tell, theme, parent))
    job.failed.connect(partial(explain, theme, parent))
    job.start()


def _tell(theme: Theme, parent: QWidget, given: list[GivenBack]) -> None:
    title = QCoreApplication.translate("ProblemFiles", "Names given back")
    FileList(theme, parent, title, [(one.at, given_back_sentence(one)) for one in given]).open()
