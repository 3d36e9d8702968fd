"""Read and compare two documents outside the window's thread, and show them in a sheet.

The result of a request that another has replaced is dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from dupfinder.base.display import shown
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.comparison_view import ComparisonView
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import Job, close_after
from dupfinder.gui.kit.labels import plain_tip
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.scan.comparison import Comparer, PairTask, PairView
from dupfinder.wording.catalogue import say
from dupfinder.wording.errors import problem_sentence
from dupfinder.wording.explaining import sameness

PATIENCE_MS: Final = 600  # before an outdated comparison is stopped, which costs a new process

AROUND: Final = 190  # px of the window's height for the rest of the sheet
WIDTH: Final = 1160


class PairReader(QObject):
    """One process that compares one pair at a time; of the waiting requests only the newest is kept."""

    compared = Signal(object, str)  # TextComparison; a sentence about documents with equal words, else ""
    failed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._comparer: Comparer | None = None
        self._job: Job | None = None
        self._compared: PairTask | None = None  # by the job
        self._wanted: PairTask | None = None  # that was requested last, and not answered yet
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)

    def read(self, left: Path, right: Path, options: Options) -> None:
        """Request a pair; it replaces any earlier request."""
        self._wanted = PairTask(left, right, options)
        self._start() if self._job is None else self._patience.start()

    def drop(self) -> None:
        """Discard the request."""
        self._wanted = None

    def close(self) -> None:
        self.drop()
        if self._job is not None:
            self._job.stop()
        if self._comparer is not None:
            close_after(self._job, self._comparer.close)
            self._comparer = None

    def _start(self) -> None:
        """Compare the pair that was requested last, if there is one."""
        self._patience.stop()
        self._job, self._compared = None, self._wanted
        if (task := self._wanted) is not None:
            comparer = self._comparer = self._comparer or Comparer()
            work = Job(lambda reporter: comparer.compare(task, reporter.check))
            self._job = work.start(succeeded=self._ended, failed=self._broke, stopped=self._start)

    def _give_up(self) -> None:
        if self._job is not None and self._wanted not in (None, self._compared):
            self._job.stop()

    def _ended(self, view: PairView) -> None:
        if view.comparison is None:
            self._answer(self.failed, say("Nothing to compare as text"), _why(view))
        else:
            self._answer(self.compared, view.comparison, sameness(view))

    def _broke(self, error: Exception) -> None:
        self._answer(self.failed, say("These two could not be compared"), say("Both files are unchanged."))

    def _answer(self, signal: SignalInstance, *results: object) -> None:
        """Emit the results of the job, unless another pair was requested meanwhile; then compare that."""
        if self._wanted is self._compared is not None:
            self._wanted = None
            signal.emit(*results)
        self._start()


def _why(view: PairView) -> str:
    """Return why there is nothing to compare, in the window's language."""
    assert view.trouble is not None
    sentence = problem_sentence(view.trouble.kind, view.trouble.details)
    return sentence if view.unread is None else f"{shown(view.unread.name)}: {sentence}"


class PairSheet(Sheet):
    """Compares two files line by line; no decision is made here."""

    def __init__(self, drawing: Drawing, parent: QWidget, title: str, paths: tuple[Path, Path]) -> None:
        names = " · ".join(shown(path.name) for path in paths)
        super().__init__(drawing.theme, parent, title, names, width=drawing.theme.px(WIDTH))
        self._paths = paths
        self._reader = PairReader(self)
        self.comparison = ComparisonView(drawing, self)
        self.comparison.setMinimumHeight(max(200, parent.window().height() - AROUND - 100))
        self.body.addWidget(self.comparison)
        self.end_with_close()
        self.comparison.options_changed.connect(self._read)
        self.comparison.swap_wanted.connect(self._swap)
        self._reader.compared.connect(self.comparison.show_comparison)
        self._reader.failed.connect(self.comparison.show_message)
        self.finished.connect(self._reader.close)
        self._read()
        self.comparison.canvas.setFocus()

    def _read(self) -> None:
        for header, path in zip(self.comparison.headers, self._paths, strict=True):
            header.show_document(shown(path.name), "", plain_tip(shown(path)))
        self.comparison.show_loading()
        self._reader.read(*self._paths, self.comparison.options())

    def _swap(self) -> None:
        self._paths = (self._paths[1], self._paths[0])
        self._read()
