"""Learn how rare each word is in a person's own documents: explanation, progress and result."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dupfinder.base.display import shown
from dupfinder.base.progress import Progress, Reporter
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.gui.kit.buttons import SegmentedChoice, button
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import Stretch, across, add, aligned, down, grow
from dupfinder.gui.kit.progress import ProgressBar
from dupfinder.gui.kit.sheet import JobSheet, Sheet
from dupfinder.gui.kit.tables import FramedTable, TextModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.scan.weights import CommonWord
from dupfinder.wording.catalogue import number_text, say, say_as
from dupfinder.wording.figures import count_text, documents_text

if TYPE_CHECKING:
    from dupfinder.scan.weights import LearnedTable

_ROW: Final = 24
_ROWS: Final = 12  # visible rows of the table


class LearningSheet(JobSheet):
    """Asks, then reads the documents of the newest scan in a job; closing the sheet stops it without changes.

    `learned(LearnedTable)` is emitted when the new weights are in use; `failed(error)` after the sheet has closed.
    """

    learned = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, settings: Settings, library: Path) -> None:
        text = say(
            "The documents of the newest scan are read again, and how many of them hold each word is counted. What is "
            "common among your documents then counts less."
        )
        super().__init__(theme, parent, say("Learn from my documents"), text, width=640)
        self._settings, self._library = settings, library
        self._job: Job | None = None
        note = say("No document is touched. The next scan reads every document again, once. You can go back.")
        self._note = label(note, "body", wrap=True)
        self._bar = ProgressBar(say("Progress"))
        self._bar.hide()
        add(self.body, self._note, self._bar)
        self._go = button(theme, say("Learn"), "primary", act=self.begin)
        self.end_with_cancel(self._go)
        self.rejected.connect(self._stop)

    def begin(self) -> None:
        """Start reading."""
        self.focusPreviousChild()  # to Cancel
        self._go.setEnabled(False)
        self._bar.show()
        self._note.setText(say("Opening the newest scan…"))
        # The job may run longer than the sheet is open, until its next check.
        self._job = Job(partial(_learn, self._library, self._settings))
        self._job.progressed.connect(self._tell)
        self.close_after(self._job, self.learned)

    def _tell(self, progress: Progress) -> None:
        total = progress.total or 1
        self._bar.set_share(progress.done / total)
        done = count_text(progress.done)
        self._note.setText(say("{done} of {total} documents read", done=done, total=count_text(total)))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()


class LearnedSheet(Sheet):
    """What was learned. `shipped_wanted()` requests the shipped weights."""

    shipped_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, learned: LearnedTable, *, in_use: bool) -> None:
        text = say("The rarer a word is in your documents, the more it counts.")
        super().__init__(theme, parent, say("What was learned from your documents"), text, width=720)
        self._newest = learned
        title = say(
            "{words} words, each found in at least two of {documents}",
            words=count_text(learned.features),
            documents=documents_text(learned.documents),
        )
        note = say("These weights are in use. The next scan reads every document again, once.")
        unused = say("These weights are not in use.")
        self.body.addWidget(Strip(theme, "info", "accent", title, note if in_use else unused))
        orders = [say("Most common"), say("Weigh less than built-in"), say("Weigh more than built-in")]
        choice = SegmentedChoice(orders, say("Words"))
        choice.chosen.connect(self._show)
        self.body.addWidget(choice, 0, Qt.AlignmentFlag.AlignLeft)
        headings = say_as("of a text", "Word"), say("Documents"), say("Weight"), say("Built-in weight")
        self._model = TextModel(headings, self, left=1)
        row = max(_ROW, theme.px(_ROW))
        self.table = FramedTable(self._model, say("Learned words"), row)
        self.table.setMinimumHeight(row * _ROWS)
        self.body.addWidget(self.table)
        self._show(0)
        back = say("Use the built-in weights again")
        self.end_with_close(*([button(theme, back, "", "undo", self._go_back)] if in_use else []))

    def _show(self, index: int) -> None:
        learned_words = ordered(self._newest.words, WordOrder(index))
        self._model.show_rows([_texts(word) for word in learned_words])
        self.table.scrollToTop()

    def _go_back(self) -> None:
        self.accept()
        self.shipped_wanted.emit()


def _texts(word: CommonWord) -> tuple[str, ...]:
    weights = (number_text(weight, 1) for weight in (word.rarity, word.shipped))
    return shown(word.word), count_text(word.documents), *weights


def _learn(library: Path, settings: Settings, reporter: Reporter) -> LearnedTable:
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.learning import learn

    with LibraryFile(library) as opened:
        result = opened.result()
    return learn(result, settings, reporter)


class WordOrder(IntEnum):
    """Which words come first."""

    COMMON = 0
    LIGHTER = 1
    HEAVIER = 2


def ordered(learned_words: Sequence[CommonWord], order: WordOrder) -> list[CommonWord]:
    """Sort words: the most frequent first, or those that lost, or gained, most weight against the shipped table."""
    if order is WordOrder.COMMON:
        return list(learned_words)
    sign = 1 if order is WordOrder.LIGHTER else -1  # the largest change comes first; that of the lighter is negative
    change = {word: sign * (word.rarity - word.shipped) for word in learned_words}
    return sorted((word for word in change if change[word] < 0), key=lambda word: (change[word], word.word))


class WeightsRow(QWidget):
    """Shows which weights are used, and lets the person learn, view and choose them."""

    changed = Signal(str)  # other weights are used: what follows, in a sentence
    failed = Signal(object)  # an exception

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__()
        self._theme, self._settings, self._library = theme, settings, library
        self._result: LearnedTable | None = None
        name = label(say("Weights of words"), "medium")
        what = say("How rare each word is. What many documents have in common counts less.")
        self._state = label("", "secondary", "text", wrap=True)
        texts = down(name, label(what, "secondary", wrap=True), self._state, spacing=2)
        self._switch_button = button(theme, "", act=self._switch)
        self._words = button(theme, say("Show words…"), act=self.show_words)
        self._learn = button(theme, say("Learn from my documents…"), act=self.learn)
        below = across(Stretch(), self._words, self._switch_button, spacing=6)
        column = down(aligned(self._learn, Qt.AlignmentFlag.AlignRight), below, spacing=6)
        across(grow(texts), column, margins=(0, 10, 0, 10), spacing=8, into=self)
        self._learn.setAccessibleDescription(name.text())
        self.setAccessibleName(name.text())
        self._show(None)

    def refresh(self) -> None:
        """Update what was learned and which weights are used."""
        from dupfinder.scan.weights import are_lost, newest

        self._show(newest())
        if are_lost(self._settings):
            self._state.setText(say("The learned weights are missing or damaged, so the built-in ones are used."))

    def _show(self, result: LearnedTable | None) -> None:
        self._result = result
        text = say("In use: the built-in weights")
        if result is not None and self._uses_learned():
            documents, features = documents_text(result.documents), count_text(result.features)
            text = say("In use: learned from {documents} ({words} words)", documents=documents, words=features)
        self._state.setText(text)
        for control in (self._words, self._switch_button):
            control.setVisible(result is not None)
        self._switch_button.setText(say("Use built-in weights") if self._uses_learned() else say("Use learned weights"))

    def _uses_learned(self) -> bool:
        return self._settings.get(WEIGHTS) == "learned"

    def learn(self) -> None:
        """Ask, then learn."""
        sheet = LearningSheet(self._theme, self, self._settings, self._library)
        sheet.learned.connect(self._learned)
        sheet.failed.connect(self.failed)
        sheet.open()

    def _learned(self, result: LearnedTable) -> None:
        self._show(result)
        self.show_words()

    def show_words(self) -> None:
        if self._result is None:
            return
        sheet = LearnedSheet(self._theme, self, self._result, in_use=self._uses_learned())
        sheet.shipped_wanted.connect(self._switch)
        sheet.open()

    def _switch(self) -> None:
        """Change between the shipped and the learned weights."""
        self._settings.set(WEIGHTS, "shipped" if self._uses_learned() else "learned")
        self._show(self._result)
        self.changed.emit(say("The next scan reads every document again, once."))
