"""The files with one kind of trouble, and what can be done about them from here."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dupfinder.actions.held import GivenBack
from dupfinder.base.problems import ProblemKind
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.file_list import FileList
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.messages import explain
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.problem_list import problem_name
from dupfinder.wording.removal import given_back_sentence


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
