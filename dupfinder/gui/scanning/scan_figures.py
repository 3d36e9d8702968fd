"""What a running scan shows: its steps, rate and amounts, first groups, the files being read, and unreadable ones."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from dupfinder.actions.undo import RestoredName
from dupfinder.base.details import ProblemKind
from dupfinder.base.display import shown
from dupfinder.base.progress import SCAN_STAGES, IdenticalCounts, Progress, Stage
from dupfinder.gui.kit import tasks, words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.cards import Card
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import ElidedLabel, badge, label, line, set_look, type_badge, type_tone, type_word
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, boxed, down, grid, grow
from dupfinder.gui.kit.messages import FileListSheet, explain
from dupfinder.gui.kit.progress import Sparkline
from dupfinder.gui.kit.theme import Theme, paint_icon, smooth_painter
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.wording.catalogue import say, say_count, say_some
from dupfinder.wording.errors import problem_effect, problem_name
from dupfinder.wording.figures import count_text, size_text, waiting_text
from dupfinder.wording.removal import given_back_sentence

if TYPE_CHECKING:
    from dupfinder.review.session import ReviewSession

_MOST: Final = 4  # files that are shown
_LEAST: Final = 2  # rows for them
_MOST_GROUPS: Final = 6
_SLOW: Final = 5.0  # seconds of reading after which they are shown


class FilesBeingRead(QWidget):
    """A few rows, whose files change ten times a second."""

    def __init__(self) -> None:
        super().__init__()
        column = down(spacing=12, into=self)
        self._rows: list[tuple[QLabel, ElidedLabel, ElidedLabel]] = []
        self._boxes: list[QWidget] = []
        self._paths: tuple[Path, ...] = ()
        for _ in range(_MOST):
            kind, name, folder = type_badge(""), ElidedLabel("", "medium"), ElidedLabel("", "secondary")
            texts = down(name, folder, spacing=1)
            row = boxed(across(aligned(kind, Qt.AlignmentFlag.AlignTop), grow(texts), spacing=12))
            column.addWidget(row)
            self._boxes.append(row)
            self._rows.append((kind, name, folder))
        for box in self._boxes[_LEAST:]:
            box.hide()
        self.show_files(())

    def show_files(self, files: Sequence[Path], seconds: Sequence[float] = ()) -> None:
        """Show the files being read, and the seconds of slow files. Rows that are no longer used stay, but empty."""
        paths = tuple(files[:_MOST])
        if paths != self._paths or not paths:
            self._show_paths(paths)
        for (_, _, folder), path, passed in zip(self._rows, paths, seconds, strict=False):
            text = shown(path.parent)
            if passed >= _SLOW:
                taking = say("for {time} now", time=waiting_text(passed))
                text = f"{taking}  ·  {text}"
            folder.setText(text)

    def _show_paths(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        for box in self._boxes[: len(paths)]:
            box.show()
        for (kind, name, folder), path in itertools.zip_longest(self._rows, paths):
            kind.setVisible(path is not None)
            name.setText("" if path is None else shown(path.name))
            if path is None:
                folder.setText("")
            elif kind.text() != type_word(path.suffix):
                kind.setText(type_word(path.suffix))
                set_look(kind, tone=type_tone(path.suffix))


class FirstGroups(Card):
    """The groups found so far that free the most space: of identical files, until documents were compared.

    `review_wanted` is emitted when the person wants to review what was found.
    """

    review_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(spacing=0)
        self.review = button(theme, say("Review them now"), "link", act=self.review_wanted)
        add(self.column, across(grow(label(say("First results"), "strong")), self.review), Space(10))
        self.rows: list[tuple[QWidget, ElidedLabel, ElidedLabel, QLabel]] = []
        for _ in range(_MOST_GROUPS):
            name, folder, content = ElidedLabel("", "medium"), ElidedLabel("", "secondary"), label("", "secondary")
            texts = grow(down(name, folder, spacing=1))
            row = boxed(down(line(), across(texts, content, margins=(0, 6, 0, 6), spacing=12), spacing=0))
            self.rows.append((row, name, folder, content))
            self.column.addWidget(row)
        self.hint = label("", "secondary", wrap=True)
        add(self.column, Space(6), self.hint, Stretch())
        self.show_identical(IdenticalCounts())

    def show_identical(self, identical: IdenticalCounts, *, are_all: bool = False) -> None:
        """Show groups of identical files: those found so far, or all of them."""
        no_others = (0,) * (len(FILTERED_RELATIONS) - 1)
        self._show_rows([(paths[0], words.holds((len(paths) - 1, *no_others))) for paths in identical.largest])
        hint = say("They are found first, before any document is read.")
        if not identical.groups:
            hint = say("No identical files") if are_all else say("No identical files so far")
        self.hint.setText(hint)
        self.review.hide()

    def show_review(self, review: ReviewSession) -> None:
        """Show the groups of first results, of which there are some."""
        table = review.listed()
        largest = np.argsort(-table.bytes_to_free, kind="stable")[:_MOST_GROUPS].tolist()
        keepers = [table.documents.path(int(table.keeper[row])) for row in largest]
        contents = [words.holds(table.holds[row].tolist(), int(table.distant[row])) for row in largest]
        self._show_rows(list(zip(keepers, contents, strict=True)))
        self.hint.setText(say("You can already review and mark. You can remove documents when the scan is complete."))
        self.review.show()

    def _show_rows(self, groups: Sequence[tuple[Path, str]]) -> None:
        for (row, name, folder, content), group in itertools.zip_longest(self.rows, groups[:_MOST_GROUPS]):
            row.setVisible(group is not None)
            if group is not None:
                path, text = group
                name.setText(shown(path.name))
                folder.setText(shown(path.parent))
                content.setText(text)


class StepState(Enum):
    WAITING = auto()
    RUNNING = auto()
    DONE = auto()


class _StepCircle(QWidget):
    """The circle of a step, and the line to the next one."""

    def __init__(self, theme: Theme, *, last: bool) -> None:
        super().__init__()
        self._theme, self._last = theme, last
        self.state = StepState.WAITING
        self.setFixedHeight(24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        circle = QRectF(1, 2, 19, 19)
        token = {StepState.DONE: "keep", StepState.RUNNING: "accent", StepState.WAITING: "groove"}[self.state]
        colour = self._theme.colour(token)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if self.state is StepState.DONE else self._theme.colour("surface"))
        painter.drawEllipse(circle)
        if self.state is StepState.DONE:
            paint_icon(painter, "check", self._theme.colour("on_accent"), circle.adjusted(4, 4, -4, -4))
        elif self.state is StepState.RUNNING:
            painter.setBrush(colour)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(circle.adjusted(6, 6, -6, -6))
        if not self._last:
            painter.setPen(QPen(self._theme.colour("keep" if self.state is StepState.DONE else "groove"), 2))
            painter.drawLine(QPointF(26, 11.5), QPointF(self.width() - 6, 11.5))


class ScanSteps(QWidget):
    """The stages of a scan as steps, each with its name and how much of it is done."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        names = (say("Find files"), say("Identical files"), say("Read documents"), say("Match"),
                 say("Check differences"), say("Group"))  # fmt: skip
        cells = grid(0, 3, self)
        self._parts: list[tuple[_StepCircle, QLabel, QLabel]] = []
        for column, name in enumerate(names):
            mark = _StepCircle(theme, last=column == len(names) - 1)
            part = (mark, label(name, "strong", "secondary"), label("", "secondary"))
            for row, widget in enumerate(part):
                cells.addWidget(widget, row, column)
            cells.setColumnStretch(column, 1)
            self._parts.append(part)

    def show_progress(self, progress: Progress, files: int) -> None:
        """Show the stage of `progress` as the running step. files: the number of files found so far."""
        now = SCAN_STAGES.index(progress.stage) if progress.stage in SCAN_STAGES else len(SCAN_STAGES)
        for index, (stage, (mark, name, detail)) in enumerate(zip(SCAN_STAGES, self._parts, strict=True)):
            state = StepState.DONE if index < now else StepState.RUNNING if index == now else StepState.WAITING
            quiet = ""
            if stage is Stage.FIND and files:
                quiet = say_count("{count} found", "{count} found", files)
            elif index == now and progress.total:
                quiet = self.amount(progress)
            elif stage is Stage.GROUP:
                quiet = say("last step")
            detail.setText(quiet)
            if mark.state is not state:
                mark.state = state
                mark.update()
                set_look(name, tone="secondary" if state is StepState.WAITING else "text")

    def amount(self, progress: Progress) -> str:
        """Return how much of a stage is done: bytes of HASH, else a number."""
        as_text = size_text if progress.stage is Stage.HASH else count_text
        return say("{done} of {total}", done=as_text(progress.done), total=as_text(progress.total or 0))


class ReadingFigures(QWidget):
    """Four cards: the rate, the groups so far, the space that could be freed, and the documents not compared."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.spark = Sparkline(theme)
        self.rate, self.rate_line, rate_card = _figure(say("Documents per second"), self.spark)
        self.groups, self.groups_line, groups_card = _figure(say("Groups so far"))
        self.freed, self.freed_line, freed_card = _figure(say("Could be freed"))
        self.unread, unread_line, unread_card = _figure(say("Text not compared"))
        unread_line.setText(say("the scan goes on without them"))
        across(grow(rate_card), grow(groups_card), grow(freed_card), grow(unread_card), spacing=16, into=self)

    def show_groups(self, identical: IdenticalCounts, review: ReviewSession | None) -> None:
        """Show the numbers of the groups found so far: of identical files, until a review has more.

        First results are of some documents only: they must not take back what is known of all files.
        """
        groups, size = identical.groups, identical.bytes
        if review is not None:
            counts = review.counts()
            groups, size = max(groups, counts.clusters), max(size, counts.bytes_to_free)
        self.groups.setText(count_text(groups))
        self.groups_line.setText(say_count("{count} identical copy", "{count} identical copies", identical.copies))
        self.freed.setText(size_text(size))
        copies = say_count("in {count} document", "in {count} documents", identical.copies)
        self.freed_line.setText(copies if size == identical.bytes else "")

    def show_unread(self, files: int) -> None:
        """Show the number of files whose text cannot be compared."""
        self.unread.setText(count_text(files))
        set_look(self.unread, tone="warn" if files else "text")

    def show_rate(self, rate: float, reading: int) -> None:
        """Show the documents per second, also in the curve, and the number of files being read."""
        self.rate.setText(say("{rate} /s", rate=count_text(round(rate))))
        self.rate_line.setText(say_some("{count} file being read", "{count} files being read", reading))
        self.spark.add(rate)

    def clear_rate(self) -> None:
        """Show that nothing is read at the moment."""
        self.rate.setText("—")
        self.rate_line.setText("")


def _figure(title: str, control: QWidget | None = None) -> tuple[QLabel, QLabel, Card]:
    """Return a large number, the detail line below its name, and the card that holds them and `control`."""
    card, number, quiet = Card(spacing=3), label("—", "figure"), label("", "secondary")
    head = across(grow(number))
    if control is not None:
        head.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
    add(card.column, head, label(title, "medium"), quiet)
    return number, quiet, card


# No problems: files that are not to be read.
LEFT_OUT: Final = (ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED, ProblemKind.BYTES_ONLY)
# Of each kind of problem, in the order of the list.
_TONES: Final = {
    **dict.fromkeys((ProblemKind.NO_TEXT, ProblemKind.TOO_SHORT, ProblemKind.ENCRYPTED), "warn"),
    **dict.fromkeys((ProblemKind.DAMAGED, ProblemKind.UNREADABLE), "remove"),
    **dict.fromkeys((ProblemKind.TOO_LARGE, ProblemKind.TOO_SLOW, ProblemKind.CHANGED), "warn"),
    **dict.fromkeys((ProblemKind.VANISHED, ProblemKind.HELD), "warn"),
    **dict.fromkeys(LEFT_OUT, "neutral"),
}


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
        return boxed(down(line(), row, spacing=0)), count

    def show_counts(self, problems: Mapping[str, int]) -> None:
        """Show the number of files by kind value."""
        shown_counts = []
        for kind, (row, count) in self._rows.items():
            number = problems.get(kind.value, 0)
            row.setVisible(number > 0)
            if number:
                count.setText(count_text(number))
                shown_counts.append(count)
        for count in shown_counts:  # of one width, so that the names begin at the same x
            count.setMinimumWidth(max(count.sizeHint().width() for count in shown_counts))


def open_problem_files(theme: Theme, parent: QWidget, kind: ProblemKind, files: list[tuple[Path, str]]) -> None:
    """Show files with their details. For files that a removal left renamed, offer to restore the names."""
    act = say("Give them their names back")
    sheet = FileListSheet(theme, parent, problem_name(kind), files, act if kind is ProblemKind.HELD and files else "")
    sheet.acted.connect(partial(_give_names_back, theme, parent, [path for path, _ in files]))
    sheet.open()


def _give_names_back(theme: Theme, parent: QWidget, paths: list[Path]) -> None:
    job = Job(partial(tasks.give_names_back, paths), parent)
    job.start(succeeded=partial(_tell, theme, parent), failed=partial(explain, theme, parent))


def _tell(theme: Theme, parent: QWidget, files: list[RestoredName]) -> None:
    title = say("Names given back")
    FileListSheet(theme, parent, title, [(restored.at, given_back_sentence(restored)) for restored in files]).open()
