"""A modal dialog over the darkened window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QGraphicsDropShadowEffect, QPushButton, QScrollArea, QSizePolicy, QWidget

from dupfinder.gui.kit.buttons import button, icon_button
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.layout import Stretch, across, add, aligned, down, grow
from dupfinder.gui.kit.page import bare_area
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import say

MARGINS = 2 * 12  # px above and below the card together
_DARKNESS = 0.45  # opacity over the window behind


class _Room(QWidget):
    """The room around the card of a dialog; it scrolls in a window that is too small for the card."""

    def __init__(self, card: QWidget) -> None:
        super().__init__()
        row, margins = across(Stretch(), grow(card, 100), Stretch()), (24, MARGINS // 2, 24, MARGINS // 2)
        down(Stretch(2), row, Stretch(3), margins=margins, into=self)

    def heightForWidth(self, width: int) -> int:
        """Return the least height, where a layout has the preferred one: lists in the card scroll by themselves."""
        layout = self.layout()
        return 0 if layout is None else layout.minimumHeightForWidth(width)


class Sheet(QDialog):
    """A dialog with title and sentence, `body` in the middle, and `buttons` (a row, aligned right) below.

    It shows a darkened picture of its parent's window, so it looks the same on every system. It is deleted once closed.
    """

    def __init__(self, theme: Theme, parent: QWidget, title: str, text: str = "", *, width: int = 560) -> None:
        super().__init__(parent.window())
        self._theme, self._window = theme, parent.window()
        self._behind = QPixmap()
        self.setWindowTitle(title)
        self.setWindowFlags(Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.card = _shaded_card(theme, width)
        self.body = down(margins=(24, 18, 24, 18), spacing=10)
        self._below = line()
        self.buttons = across(Stretch(), margins=(24, 14, 24, 14), spacing=8)
        self.title = label(title, "sheet", wrap=True)
        self.quiet = label(text, "body", "secondary", wrap=True)
        self.quiet.setVisible(bool(text))
        close = icon_button(theme, "close", say("Close"), size=16, act=self.reject)
        head = across(grow(down(self.title, self.quiet, spacing=3)), aligned(close, Qt.AlignmentFlag.AlignTop),
                      margins=(24, 18, 16, 14))  # fmt: skip
        down(head, line(), grow(self.body), self._below, self.buttons, spacing=0, into=self.card)
        room = bare_area(_Room(self.card))
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        down(room, into=self)
        self._window.installEventFilter(self)
        self.finished.connect(self.deleteLater)

    def end_with_close(self, *others: QPushButton) -> None:
        """Complete the buttons: others, then Close, which is the default and has the focus."""
        self.end_with(*others, button(self._theme, say("Close"), "primary", act=self.accept))

    def end_with(self, *buttons: QPushButton) -> None:
        """Complete the buttons; the last is the default and has the focus."""
        add(self.buttons, *buttons)
        buttons[-1].setDefault(True)
        buttons[-1].setFocus()

    def end_with_cancel(self, act: QPushButton) -> None:
        """Complete the buttons: Cancel, then a button, which is the default and has the focus."""
        self.end_with(button(self._theme, say("Cancel"), act=self.reject), act)

    def showEvent(self, event: QShowEvent) -> None:
        if self.body.count() == 0:
            self.body.setContentsMargins(0, 0, 0, 0)
            self._below.hide()
        for area in self.card.findChildren(QScrollArea):  # it can have the focus, so that keys scroll it
            area.setAccessibleName(area.accessibleName() or self.windowTitle())
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # or texts that are new are cut off
        self._behind = self._window.grab()
        self._cover()
        super().showEvent(event)

    def done(self, result: int) -> None:
        super().done(result)
        self._window.activateWindow()  # some desktops do not return the focus

    def _cover(self) -> None:
        self.resize(self._window.size())
        self.move(self._window.mapToGlobal(QPoint(0, 0)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isVisible() and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._cover()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._behind.isNull():
            painter.fillRect(self.rect(), self._theme.colour("window"))
        else:
            painter.drawPixmap(self.rect(), self._behind)
        veil = self._theme.colour("scrim")
        veil.setAlphaF(_DARKNESS)
        painter.fillRect(self.rect(), veil)


class JobSheet(Sheet):
    """A dialog that closes when its job ends. Then `failed(error)` is emitted, or a signal with the result."""

    failed = Signal(object)

    def close_after(self, job: Job, succeeded: SignalInstance) -> Job:
        """Start a job; once it has ended and the dialog is closed, emit `succeeded` with its result, or `failed`."""
        ended, failed = partial(self.close_and_emit, succeeded), partial(self.close_and_emit, self.failed)
        return job.start(succeeded=ended, failed=failed)

    def close_and_emit(self, ended: SignalInstance, result: object) -> None:
        self.accept()
        ended.emit(result)


def _shaded_card(theme: Theme, width: int) -> QFrame:
    """Return the background of a dialog, at most `width` pixels wide at the usual text size, with a shadow."""
    card = QFrame()
    card.setProperty("look", "card")
    card.setMaximumWidth(theme.px(width))
    card.setMinimumWidth(min(width, 320))
    card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    shadow = QGraphicsDropShadowEffect(card)
    shadow.setBlurRadius(48)
    shadow.setOffset(QPoint(0, 12))
    colour = theme.colour("scrim")
    colour.setAlphaF(0.35)
    shadow.setColor(colour)
    card.setGraphicsEffect(shadow)
    return card
