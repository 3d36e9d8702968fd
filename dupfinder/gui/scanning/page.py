"""A running scan: its stage, progress, rate and remaining time, and the files that could not be read."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from dupfinder.base.details import ProblemKind
from dupfinder.base.display import shown
from dupfinder.base.errors import RootError
from dupfinder.base.progress import IdenticalCounts, Progress, Stage
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import button, set_icon
from dupfinder.gui.kit.cards import Card, Icon
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, down, grow
from dupfinder.gui.kit.messages import QuestionSheet, announce, explain
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.progress import ProgressBar, RateMeter
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.scan_figures import (
    FilesBeingRead,
    FirstGroups,
    ProblemList,
    ReadingFigures,
    ScanSteps,
    open_problem_files,
    troubles,
)
from dupfinder.scan.request import ScanRequest
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.figures import share_text, waiting_text

if TYPE_CHECKING:
    from dupfinder.review.session import ReviewSession

_WIDTH: Final = 1180
_TICK_MS: Final = 1000


class ScanningPage(Page):
    """`finished(int)` has the number of the complete scan; `cancelled()`: the person cancelled it.

    `finished` is emitted once more when the person comes back to a scan that has `ended` while another page was shown.
    `refused(RootError)`: there are no files to scan.
    """

    finished = Signal(int)
    cancelled = Signal()
    refused = Signal(object)
    review_wanted = Signal(object)  # ReviewSession of first results
    progressed = Signal(str)  # how far the scan is, for other pages

    def __init__(self, theme: Theme, library: Path) -> None:
        super().__init__()
        self._theme, self._library = theme, library
        self._request: ScanRequest | None = None
        self._job: Job | None = None
        self.ended: int | None = None  # the number of a scan that ended while another page was shown
        self._shown = Progress(Stage.FIND)
        self._begin(None)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._ticked)
        self.bar = ProgressBar(say("Progress of this stage"))
        self.steps = ScanSteps(theme)
        self.figures = ReadingFigures(theme)
        head, lists = self._make_head(), self._make_lists()
        parts = (head, self.bar, Space(24), self.steps, Space(20), self.figures, Space(16), lists)
        content = down(*parts, Stretch(), margins=(0, 32, 0, 24), spacing=0)
        self.lay_out(content, theme.px(_WIDTH), self._make_footer())

    def crumb(self) -> str:
        return "" if self._request is None else shown(self._request.title)

    def entered(self) -> None:
        super().entered()
        if self.ended is not None:
            self.finished.emit(self.ended)

    # Making the parts

    def _make_head(self) -> QHBoxLayout:
        self.title = label("", "page")
        self.line = label("", "body", "secondary")
        texts = down(self.title, self.line, spacing=6)
        self.pause = button(self._theme, say("Pause"), "", "pause", self.pause_or_resume)
        self.cancel = button(self._theme, say("Stop…"), act=self._ask_cancel)
        buttons = (aligned(control, Qt.AlignmentFlag.AlignTop) for control in (self.pause, self.cancel))
        return across(grow(texts), *buttons, margins=(0, 0, 0, 16), spacing=8)

    def _make_lists(self) -> QHBoxLayout:
        self.reading_card = Card(spacing=10)
        self.being_read = FilesBeingRead()
        add(self.reading_card.column, label(say("Being read now"), "strong"), self.being_read, Stretch())
        problem_card = Card(spacing=10)
        self.problem_title = label(say("Every document could be read so far"), "strong")
        self.problems = ProblemList(self._theme)
        self.problems.show_asked.connect(self._show_problems)
        add(problem_card.column, self.problem_title, self.problems, Stretch())
        self.groups = FirstGroups(self._theme)
        self.groups.review_wanted.connect(lambda: self.review_wanted.emit(self._findings.first))
        # The files being read are last: their number changes, and must not move the links of the problems.
        left = down(grow(problem_card), self.reading_card, spacing=16)
        return across(grow(left), grow(self.groups), spacing=16)

    def _make_footer(self) -> QFrame:
        bar = QFrame()
        bar.setProperty("look", "bottom")
        bar.setMinimumHeight(44)
        quiet = say("Files are only read. You can close the window: the scan is kept and goes on where it stopped.")
        text = label(quiet, "secondary", wrap=True)
        icon = Icon(self._theme, "lock", "secondary", 16)
        across(icon, grow(text), margins=(20, 8, 20, 8), spacing=12, into=bar)
        return bar

    # Running

    @property
    def is_busy(self) -> bool:
        """Whether a scan is running or paused."""
        return self._request is not None

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def _begin(self, first: ReviewSession | None) -> None:
        """Clear what is known of an earlier scan. first: the review of first results, if there is one."""
        self._after_stop = ""  # what to do with the results after the job has stopped: "", "keep" or "discard"
        self._files, self._announced_tenth = 0, 0
        self._identical = IdenticalCounts()  # the newest groups of identical files
        self._first: ReviewSession | None = None  # whose groups are shown
        self._pace = RateMeter()
        self._findings = tasks.ScanFindings(first=first)

    def run(self, request: ScanRequest, first: ReviewSession | None = None) -> None:
        """Start or continue a scan. first: the review of its first results, if there is one."""
        self._request = request
        self._begin(first)
        self.figures.spark.clear()
        self._job = Job(partial(tasks.scan, request, self._library, self._findings), self)
        self.show_progress(Progress(Stage.FIND))
        self._show_controls()
        self._tick.start()
        self._job.start(
            progressed=self.show_progress, succeeded=self._succeeded, failed=self._failed, stopped=self._stopped
        )
        self.heading_changed.emit()

    def show_progress(self, progress: Progress) -> None:
        if progress.stage is not self._shown.stage:
            self._pace = RateMeter()
            self._announced_tenth = 0
        self._shown = progress
        self.reading_card.setVisible(progress.stage in (Stage.FIND, Stage.HASH, Stage.READ))
        if progress.identical.groups:  # shown while reading too, since hashing a few files ends before anybody looks
            self._identical = progress.identical
        self._show_groups(are_all=progress.stage not in (Stage.FIND, Stage.HASH))
        if progress.stage is Stage.FIND:
            self._files = max(self._files, progress.done)
        elif progress.stage is Stage.READ:
            left_out = sum(progress.problems.values()) - troubles(progress.problems)
            self._files = (progress.total or 0) + progress.reused + left_out
            self._show_reading(progress)
        self._pace.note(time.monotonic(), progress.done)
        share = progress.done / progress.total if progress.total else 0.0
        self.bar.set_share(share)
        self._show_words()
        self.steps.show_progress(progress, self._files)
        if progress.total and int(share * 10) > self._announced_tenth:
            self._announced_tenth = int(share * 10)
            announce(self, f"{self.title.text()}: {self.line.text()}")

    def _show_groups(self, *, are_all: bool) -> None:
        """Show the groups found so far. are_all: all identical files are known."""
        review = self._findings.first
        self.figures.show_groups(self._identical, review)
        if review is None or not review.counts().clusters:  # identical files are known of all documents
            self.groups.show_identical(self._identical, are_all=are_all)
        elif review is not self._first:
            self.groups.show_review(review)
            self._first = review

    def _show_words(self) -> None:
        progress = self._shown
        self.title.setText(self._title())
        if not progress.total:  # nothing to do in this stage, or not known yet
            self.line.setText(say_some("{count} file so far", "{count} files so far", progress.done))
            return
        share = share_text(progress.done / progress.total)
        self.progressed.emit(f"{self.title.text()}: {share}")
        parts = [self.steps.amount(progress), share]
        remaining = self._pace.seconds_remaining(time.monotonic(), progress.total)
        left = say("estimating…") if remaining is None else say("{time} left", time=waiting_text(remaining))
        parts.append(say("looking for first groups…") if progress.compares else left)
        parts += filter(None, [say_some("{count} unchanged", "{count} unchanged", progress.reused)])
        self.line.setText("  ·  ".join(parts))

    def _title(self) -> str:
        return {
            Stage.FIND: say("Finding files"),
            Stage.HASH: say("Finding identical files"),
            Stage.READ: say("Reading documents"),
            Stage.MATCH: say("Matching"),
            Stage.VERIFY: say("Checking differences"),
        }.get(self._shown.stage, say("Grouping"))

    def _show_reading(self, progress: Progress) -> None:
        trouble = troubles(progress.problems)
        self.figures.show_unread(trouble)
        text = NP_("{count} file whose text cannot be compared", "{count} files whose text cannot be compared")
        title = say_count(*text, trouble) if trouble else say("Every document could be read so far")
        self.problem_title.setText(title)
        self.problems.show_counts(progress.problems)
        self.being_read.show_files(progress.current, progress.seconds)

    def _ticked(self) -> None:
        if not self._shown.compares:
            self._pace.note(time.monotonic(), self._shown.done)
        if self._shown.stage is Stage.READ and not self._shown.compares:
            self.figures.show_rate(self._pace.rate(), len(self._shown.current))
        else:
            self.figures.clear_rate()
        self._show_words()

    # Pausing and ending

    def _show_controls(self) -> None:
        self.pause.setText(say("Pause") if self.is_running else say("Resume"))
        set_icon(self._theme, self.pause, "pause" if self.is_running else "play")
        self.pause.setEnabled(True)
        self.pause.show()
        self.cancel.show()

    def pause_or_resume(self) -> None:
        """Stop the scan for now, keeping its results so far, or continue it."""
        if self._job is not None:
            self.pause.setEnabled(False)
            self.title.setText(say("Pausing…"))
            self._job.stop()
        elif self._request is not None:
            self.run(replace(self._request, fresh=False), self._findings.first)

    def _ask_cancel(self) -> None:
        QuestionSheet(
            self._theme, self, say("Stop this scan?"),
            say("What was read need not be read again when you scan these folders later."),
            (say("Keep what was read"), "primary", partial(self._cancel, "keep")),
            (say("Discard"), "", partial(self._cancel, "discard")), (say("Continue scanning"), "", None),
        ).open()  # fmt: skip

    def _cancel(self, after: str) -> None:
        """Stop the scan, then "keep" or "discard" what was read."""
        if self._request is None:
            return
        self._after_stop = after
        if self._job is not None:
            self._job.stop()
        else:
            self._leave()

    def _stopped(self) -> None:
        self._end()
        if self._after_stop:
            self._leave()
            return
        self.title.setText(say("Paused. Everything read so far is kept."))
        progress = self._shown
        self.line.setText(self.steps.amount(progress) if progress.total else "")
        announce(self, self.title.text())

    def _leave(self) -> None:
        discard, self._request = self._after_stop == "discard", None
        if discard:
            work = partial(tasks.clear_library, self._library, unfinished_alone=True)
            Job(work, self).start(succeeded=self.cancelled, failed=self._not_discarded)
        else:
            self.cancelled.emit()

    def _not_discarded(self, error: BaseException) -> None:
        self.cancelled.emit()
        explain(self._theme, self, error)

    def _succeeded(self, number: int) -> None:
        self._end()
        self._request = None
        self.title.setText(say("Opening the results…"))
        self.line.setText("")
        for control in (self.pause, self.cancel, self.groups.review):
            control.setVisible(False)
        findings, self._findings = self._findings, tasks.ScanFindings()
        self._first = None  # first results take much memory
        self.finished.emit(number)
        if findings.put_aside or findings.repaired:
            from dupfinder.wording import errors  # slow to import, and rarely needed

            sentence = errors.put_aside_sentence(findings.put_aside[0]) if findings.put_aside else ""
            self.tell(sentence or errors.repaired_sentence(findings.repaired))

    def _failed(self, error: BaseException) -> None:
        self._end()
        if isinstance(error, RootError) and error.reason in ("empty", "ENODEV"):  # nothing was begun
            self._request = None
            self.refused.emit(error)
            return
        self.title.setText(say("The scan did not finish"))
        self.line.setText(say("What was read so far is kept."))
        explain(self._theme, self, error, say("The scan did not finish"))

    def _end(self) -> None:
        self._tick.stop()
        self._job = None
        self.figures.clear_rate()
        self.being_read.show_files(())
        self.reading_card.hide()
        self._show_controls()

    # Problems

    def _show_problems(self, kind: ProblemKind) -> None:
        listed = partial(open_problem_files, self._theme, self, kind)
        work = partial(tasks.problems, self._library, kind)
        Job(work, self).start(succeeded=listed, failed=partial(explain, self._theme, self))
