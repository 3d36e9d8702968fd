"""The figures of a running scan: its steps, rate and amounts, the first groups, and the files that are being read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from dupfinder.base.display import shown
from dupfinder.base.progress import SCAN_STAGES, Identical, Progress, Stage
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.cards import Card
from dupfinder.gui.kit.labels import ElidedLabel, label, line, set_look, type_badge, type_tone, type_word
from dupfinder.gui.kit.layout import Gap, Spring, across, add, down, grow, placed
from dupfinder.gui.kit.progress import Sparkline, StepMarks, StepState
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.problem_list import troubles
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.wording.catalogue import say, say_count, say_some
from dupfinder.wording.figures import count_text, size_text, waiting_text

if TYPE_CHECKING:
    from dupfinder.review.session import ReviewSession

_MOST: Final = 4  # files that are shown
_MOST_GROUPS: Final = 6
_SLOW: Final = 5.0  # seconds of reading after which they are shown


class FilesBeingRead(QWidget):
    """A few fixed rows, whose files change ten times a second."""

    def __init__(self) -> None:
        super().__init__()
        column = down(spacing=12, into=self)
        self._rows: list[tuple[QWidget, QLabel, ElidedLabel, ElidedLabel]] = []
        self._paths: tuple[Path, ...] = ()
        for _ in range(_MOST):
            row = QWidget()
            badge = type_badge("")
            name, folder = ElidedLabel("", "medium"), ElidedLabel("", "secondary")
            across(placed(badge, Qt.AlignmentFlag.AlignTop), grow(down(name, folder, spacing=1)), spacing=12, into=row)
            column.addWidget(row)
            self._rows.append((row, badge, name, folder))
        self.show_files(())

    def show_files(self, files: Sequence[Path], seconds: Sequence[float] = ()) -> None:
        """Show the files being read, and the seconds of slow files. Unused rows are empty, so that nothing moves."""
        paths = tuple(files[:_MOST])
        if paths != self._paths or not paths:
            self._show_paths(paths)
        for (_, _, _, folder), path, passed in zip(self._rows, paths, seconds, strict=False):
            text = shown(path.parent)
            if passed >= _SLOW:
                taking = say("for {time} now", time=waiting_text(passed))
                text = f"{taking}  ·  {text}"
            folder.setText(text)

    def _show_paths(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        for index, (_, badge, name, folder) in enumerate(self._rows):
            path = paths[index] if index < len(paths) else None
            badge.setVisible(path is not None)
            name.setText("" if path is None else shown(path.name))
            if path is None:
                folder.setText("")
            if path is not None and badge.text() != type_word(path.suffix):
                badge.setText(type_word(path.suffix))
                set_look(badge, tone=type_tone(path.suffix))


class FirstGroups(Card):
    """The groups found so far that free the most space: of identical files, until documents were compared.

    `review_wanted` is emitted when the person wants to review what was found.
    """

    review_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(spacing=0)
        self.review = button(theme, say("Review them now"), "link", act=self.review_wanted)
        add(self.column, across(grow(label(say("First results"), "strong")), self.review), Gap(10))
        self.rows: list[tuple[QWidget, ElidedLabel, ElidedLabel, QLabel]] = []
        for _ in range(_MOST_GROUPS):
            row, name, folder = QWidget(), ElidedLabel("", "medium"), ElidedLabel("", "secondary")
            content = label("", "secondary")
            texts = down(name, folder, spacing=1)
            down(line(), across(grow(texts), content, margins=(0, 6, 0, 6), spacing=12), spacing=0, into=row)
            self.rows.append((row, name, folder, content))
            self.column.addWidget(row)
        self.hint = label("", "secondary", wrap=True)
        add(self.column, Gap(6), self.hint, Spring())
        self.show_identical(Identical())

    def show_identical(self, identical: Identical, *, are_all: bool = False) -> None:
        """Show groups of identical files: those found so far, or all of them."""
        copies_alone = (0,) * (len(FILTERED_RELATIONS) - 1)
        groups = [(paths[0], words.holds((len(paths) - 1, *copies_alone))) for paths in identical.largest]
        self._show_rows(groups)
        hint = say("They are found first, before any document is read.")
        if not identical.groups:
            hint = say("No identical files") if are_all else say("No identical files so far")
        self.hint.setText(hint)
        self.review.hide()

    def show_review(self, review: ReviewSession) -> None:
        """Show the groups of first results."""
        table = review.listed()
        largest = np.argsort(-table.bytes_to_free, kind="stable")[:_MOST_GROUPS].tolist()
        keepers = [table.documents.path(int(table.keeper[row])) for row in largest]
        contents = [words.holds(table.holds[row].tolist(), int(table.distant[row])) for row in largest]
        self._show_rows(list(zip(keepers, contents, strict=True)))
        ready = say("You can already review and mark. Removing starts when the scan is complete.")
        self.hint.setText(ready if largest else say("No groups so far"))
        self.review.setVisible(bool(largest))

    def _show_rows(self, groups: Sequence[tuple[Path, str]]) -> None:
        """Show groups, as (path of a document, content)."""
        for index, (row, name, folder, content) in enumerate(self.rows):
            row.setVisible(index < len(groups))
            if index < len(groups):
                path, text = groups[index]
                name.setText(shown(path.name))
                folder.setText(shown(path.parent))
                content.setText(text)


class ScanSteps(StepMarks):
    """The stages of a scan as steps, and how much of each is done."""

    def __init__(self, theme: Theme) -> None:
        names = (say("Find files"), say("Identical files"), say("Read documents"), say("Match"),
                 say("Check differences"), say("Group"))  # fmt: skip
        super().__init__(theme, names)

    def show_progress(self, progress: Progress, files: int) -> None:
        """Show the stage of `progress` as the running step. files: the number of files found so far."""
        now = SCAN_STAGES.index(progress.stage) if progress.stage in SCAN_STAGES else len(SCAN_STAGES)
        for index, stage in enumerate(SCAN_STAGES):
            state = StepState.DONE if index < now else StepState.RUNNING if index == now else StepState.WAITING
            quiet = ""
            if stage is Stage.FIND and files:
                quiet = say_count("{count} found", "{count} found", files)
            elif index == now and progress.total:
                quiet = self.amount(progress)
            elif stage is Stage.GROUP:
                quiet = say("last step")
            self.show_step(index, state, quiet)

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

    def show_groups(self, identical: Identical, review: ReviewSession | None) -> None:
        """Show the numbers of the groups found so far: of identical files, until there is a review."""
        groups, copies, size = identical.groups, identical.copies, identical.bytes
        if review is not None:
            counts = review.counts()
            groups, size = counts.clusters, counts.bytes_to_free
            copies = counts.documents - counts.clusters
        self.groups.setText(count_text(groups))
        same = say_count("{count} identical copy", "{count} identical copies", identical.copies)
        self.groups_line.setText(same)
        self.freed.setText(size_text(size))
        self.freed_line.setText(say_count("in {count} document", "in {count} documents", copies))

    def show_progress(self, progress: Progress) -> None:
        """Show the amounts of the reading stage."""
        trouble = troubles(progress.problems)
        self.unread.setText(count_text(trouble))
        set_look(self.unread, tone="warn" if trouble else "text")

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
    card = Card(spacing=3)
    number = label("—", "figure")
    head = across(grow(number))
    if control is not None:
        head.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
    add(card.column, head, label(title, "medium"))
    quiet = label("", "secondary")
    card.column.addWidget(quiet)
    return number, quiet, card
