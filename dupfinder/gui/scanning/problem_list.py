"""Files that could not be read, by kind of problem, and what the person can do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from dupfinder.actions.undo import GivenBack
from dupfinder.base.problems import ProblemKind
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.layout import across, down, grow
from dupfinder.gui.kit.messages import FileList, explain
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import say
from dupfinder.wording.errors import problem_effect, problem_name
from dupfinder.wording.figures import count_text
from dupfinder.wording.removal import given_back_sentence

# Of each kind of problem, in the order of the list.
_TONES: Final = {
    ProblemKind.NO_TEXT: "warn",
    ProblemKind.TOO_SHORT: "warn",
    ProblemKind.ENCRYPTED: "warn",
    ProblemKind.DAMAGED: "remove",
    ProblemKind.UNREADABLE: "remove",
    ProblemKind.TOO_LARGE: "warn",
    ProblemKind.TOO_SLOW: "warn",
    ProblemKind.CHANGED: "warn",
    ProblemKind.VANISHED: "warn",
    ProblemKind.HELD: "warn",
    ProblemKind.UNSUPPORTED: "neutral",
    ProblemKind.SKIPPED: "neutral",
    ProblemKind.BYTES_ONLY: "neutral",
}
LEFT_OUT: Final = frozenset(  # no problems: files that are not to be read
    {ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED, ProblemKind.BYTES_ONLY}
)


def troubles(problems: Mapping[str, int]) -> int:
    """Return how many files had a problem, without those excluded on purpose."""
    return sum(count for kind, count in problems.items() if ProblemKind(kind) not in LEFT_OUT)


class ProblemList(QWidget):
    """A row for each kind of problem, in the order of the table. `show_asked(ProblemKind)` requests its files."""

    show_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._column = down(spacing=0, into=self)
        self._rows: dict[ProblemKind, tuple[QWidget, QLabel]] = {}
        for kind in _TONES:
            row, count = self._row(theme, kind)
            self._rows[kind] = (row, count)
            self._column.addWidget(row)
            row.hide()

    def _row(self, theme: Theme, kind: ProblemKind) -> tuple[QWidget, QLabel]:
        tone, name, quiet = _TONES[kind], problem_name(kind), problem_effect(kind)
        holder = QWidget()
        count = label("")
        count.setProperty("look", "count")
        count.setProperty("tone", tone)
        count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        texts = down(label(name, "medium"), label(quiet, "secondary"), spacing=1)
        row = across(count, grow(texts), self._show_button(theme, kind), margins=(0, 7, 0, 7), spacing=13)
        down(line(), row, spacing=0, into=holder)
        return holder, count

    def _show_button(self, theme: Theme, kind: ProblemKind) -> QPushButton:
        widget = button(theme, say("Show"), "link", act=lambda: self.show_asked.emit(kind))
        widget.setAccessibleName(say("Show: {problem}", problem=problem_name(kind)))
        return widget

    def show_counts(self, problems: Mapping[str, int]) -> None:
        """Show the number of files by kind value."""
        shown_counts = []
        for kind, (row, count) in self._rows.items():
            number = problems.get(kind.value, 0)
            row.setVisible(number > 0)
            if number:
                count.setText(count_text(number))
                shown_counts.append(count)
        for count in shown_counts:  # of one width, so that the names stand below each other
            count.setMinimumWidth(max(count.sizeHint().width() for count in shown_counts))


def open_problem_files(theme: Theme, parent: QWidget, kind: ProblemKind, files: list[tuple[Path, str]]) -> None:
    """Show files with their details. For files that a removal left renamed, offer to restore the names."""
    act = say("Give them their names back")
    sheet = FileList(theme, parent, problem_name(kind), files, act if kind is ProblemKind.HELD and files else "")
    sheet.acted.connect(partial(_give_names_back, theme, parent, [path for path, _ in files]))
    sheet.open()


def _give_names_back(theme: Theme, parent: QWidget, paths: list[Path]) -> None:
    Job(partial(tasks.give_names_back, paths), parent).start(
        succeeded=partial(_tell, theme, parent), failed=partial(explain, theme, parent)
    )


def _tell(theme: Theme, parent: QWidget, given: list[GivenBack]) -> None:
    title = say("Names given back")
    FileList(theme, parent, title, [(restored.at, given_back_sentence(restored)) for restored in given]).open()
