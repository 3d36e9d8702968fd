"""Files that could not be read, by kind of problem, and what the person can do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from dupfinder.actions.undo import GivenBack
from dupfinder.base.details import ProblemKind
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import badge, label, line
from dupfinder.gui.kit.layout import across, down, grow, held
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
        self._rows = {kind: self._row(theme, kind) for kind in _TONES}
        down(*(row for row, _ in self._rows.values()), spacing=0, into=self)
        self.show_counts({})

    def _row(self, theme: Theme, kind: ProblemKind) -> tuple[QWidget, QLabel]:
        count = badge("", _TONES[kind], "count")
        texts = down(label(problem_name(kind), "medium"), label(problem_effect(kind), "secondary"), spacing=1)
        show = button(theme, say("Show"), "link", act=lambda: self.show_asked.emit(kind))
        show.setAccessibleName(say("Show: {problem}", problem=problem_name(kind)))
        row = across(count, grow(texts), show, margins=(0, 7, 0, 7), spacing=13)
        return held(down(line(), row, spacing=0)), count

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
    work = partial(tasks.give_names_back, paths)
    Job(work, parent).start(succeeded=partial(_tell, theme, parent), failed=partial(explain, theme, parent))


def _tell(theme: Theme, parent: QWidget, given: list[GivenBack]) -> None:
    title = say("Names given back")
    FileList(theme, parent, title, [(restored.at, given_back_sentence(restored)) for restored in given]).open()
