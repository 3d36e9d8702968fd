"""Messages: dialogs with a sentence, a question or a list of files to copy, and toasts, which disappear again."""

from __future__ import annotations

import itertools
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import DupfinderError
from dupfinder.base.paths import log_file
from dupfinder.gui.kit.buttons import button, copy_button, icon_button
from dupfinder.gui.kit.labels import label, read_only_text
from dupfinder.gui.kit.layout import across, add, grow
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.report.rows import counted_reasons
from dupfinder.wording.catalogue import say, say_count
from dupfinder.wording.figures import count_text

_SHOWN_MS: Final = 8000
_PATIENCE_MS: Final = 300  # a shorter wait needs no sentence
_FROM_BOTTOM: Final = 72
MANY_REASONS: Final = 12  # so many are no summary of a list: each of a removal names the copy that stays, say
PORTION: Final = 2_000  # lines of a list added together: about ten milliseconds


class Toast(QFrame):
    """One toast over a window. A new sentence replaces the previous one."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("look", "toast")
        self._text = label("", "medium")
        self._act = button(theme, "", "link", act=self._run)
        self._action: Callable[[], None] | None = None
        close = icon_button(theme, "close", say("Close this message"), size=14, act=self.hide)
        across(grow(self._text), self._act, close, margins=(16, 8, 8, 8), spacing=12, into=self)
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        self._awaited = ""  # what takes a while
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._show_awaited)
        window.installEventFilter(self)
        self.hide()

    def show_text(
        self, text: str, act: str = "", action: Callable[[], None] | None = None, *, stays: bool = False
    ) -> None:
        """Show a sentence, with a link of the text `act` that calls `action`; "" hides the one that is shown.

        stays: until the person closes it or leaves the page.
        """
        if not text:
            self.hide()
            return
        self._text.setText(text)
        self._action = action
        self._act.setText(act)
        self._act.setVisible(bool(act))
        self.setAccessibleName(text)
        self._move_to_bottom()
        self.show()
        self.raise_()
        self._timer.stop() if stays else self._timer.start()
        announce(self, text)

    def show_wait(self, text: str) -> None:
        """Show a sentence about something that takes a while, until `leave` is called."""
        self._awaited = text
        self._patience.start()

    def _show_awaited(self) -> None:
        self.show_text(self._awaited, stays=True)

    def leave(self) -> None:
        """Hide a sentence about a wait, or one that has a link, because the link belongs to the page that is left."""
        self._patience.stop()
        if self._action is not None or self._text.text() == self._awaited:
            self.hide()

    def _run(self) -> None:
        self.hide()
        if self._action is not None:
            self._action()

    def _move_to_bottom(self) -> None:
        window, widest = self._window, self._window.width() - 64
        self._text.setWordWrap(False)
        self._text.setWordWrap(self.sizeHint().width() > widest)
        self.resize(widest, self.heightForWidth(widest)) if self._text.wordWrap() else self.adjustSize()
        self.move((window.width() - self.width()) // 2, window.height() - self.height() - _FROM_BOTTOM)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._move_to_bottom()
        return False


def announce(widget: QWidget, text: str) -> None:
    """Announce a sentence to a screen reader without showing it."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


AnswerButton = tuple[str, str, Callable[[], object] | None]
"""The text of a button, its look, and what it does once the dialog is closed; None: nothing."""


class QuestionSheet(Sheet):
    """One question; the first answer is the default. Closing the dialog does nothing."""

    def __init__(self, theme: Theme, parent: QWidget, title: str, text: str, *answers: AnswerButton) -> None:
        super().__init__(theme, parent, title, text, width=600)
        buttons = [button(theme, answer, look, act=self.accept) for answer, look, _ in answers]
        for widget, (_, _, act) in zip(buttons, answers, strict=True):
            if act is not None:
                widget.clicked.connect(lambda _checked, act=act: act())
        add(self.buttons, *buttons)
        buttons[0].setDefault(True)
        buttons[0].setFocus()


def confirm(theme: Theme, parent: QWidget, title: str, text: str, act: str, confirmed: Callable[[], object]) -> None:
    """Ask whether to do something; Cancel is the default."""
    QuestionSheet(theme, parent, title, text, (say("Cancel"), "", None), (act, "primary", confirmed)).open()


class FaultSheet(Sheet):
    """A fault of the program: what it means for the person, and the details to copy."""

    def __init__(self, theme: Theme, parent: QWidget, error: BaseException) -> None:
        text = say("You can go on. If it happens again, copy the details and report them.")
        super().__init__(theme, parent, say("Something went wrong. Your files are unchanged."), text, width=680)
        details = "".join(traceback.format_exception(error))
        details = f"{details}\n{say('Log')}: {shown(log_file())}"
        self.body.addWidget(read_only_text(details, say("Details"), 160))
        self.end_with_close(copy_button(theme, say("Copy details"), lambda: details))


def error_sentence(error: DupfinderError) -> str:
    """Return an error in a sentence."""
    from dupfinder.wording.errors import sentence  # slow to import, and rarely needed

    return sentence(error)


def explain(theme: Theme, parent: QWidget, error: BaseException, title: str = "") -> Sheet:
    """Open the dialog for an error: a sentence for a DupfinderError, the details for a fault of the program."""
    if isinstance(error, DupfinderError):
        sheet = Sheet(theme, parent, title or say("That did not work"), width=520)
        sheet.body.addWidget(label(error_sentence(error), "body", wrap=True))
        sheet.end_with_close()
    else:
        sheet = FaultSheet(theme, parent, error)
    sheet.open()
    return sheet


class FileListSheet(Sheet):
    """Paths with their details, one on each line.

    act: label of a button that closes the list and emits `acted`; "" for none.
    """

    acted = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, files: Sequence[tuple[Path, str]], act: str = ""
    ) -> None:
        super().__init__(theme, parent, title, say_count("{count} file", "{count} files", len(files)), width=860)
        self._field = read_only_text("", title, 320)
        self._files = files
        self._lines = self._all_lines()
        self._filling = QTimer(self, interval=0)
        self._filling.timeout.connect(self._fill)
        self._fill()
        self._field.moveCursor(QTextCursor.MoveOperation.Start)  # show the beginning
        self._filling.start()
        self.body.addWidget(self._field)
        copy = copy_button(theme, say("Copy list"), self.text)
        self.end_with_close(copy, *([button(theme, act, act=self._do)] if act else []))

    def text(self) -> str:
        return "\n".join(self._all_lines())

    def _all_lines(self) -> Iterator[str]:
        yield from (*reasons, "") if (reasons := counted(self._files)) else ()
        for path, detail in self._files:
            yield _line(path, detail)

    def _fill(self) -> None:
        """Add some of the remaining lines, so that the window answers between them."""
        if lines := list(itertools.islice(self._lines, PORTION)):
            bar = self._field.verticalScrollBar()
            before = bar.value()
            self._field.appendPlainText("\n".join(lines))
            bar.setValue(before)  # Qt scrolls to what is added
        else:
            self._filling.stop()

    def _do(self) -> None:
        self.accept()
        self.acted.emit()


def counted(files: Sequence[tuple[Path, str]]) -> list[str]:
    """Return how many files have each reason, one in a line; nothing if all reasons are equal, or too different."""
    counts = counted_reasons(Counter(detail for _, detail in files if detail))
    if not 1 < len(counts) < min(len(files), MANY_REASONS):
        return []
    return [f"{count_text(number)}  ×  {shown(reason)}" for reason, number in counts.items()]


def _line(path: Path, detail: str) -> str:
    name, text = shown(path), shown(detail)
    return text if name in text else f"{name}  —  {text}" if text else name  # a sentence may name the file itself
