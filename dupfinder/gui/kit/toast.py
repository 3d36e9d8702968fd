"""Toasts: a sentence at the bottom of the window that disappears after some seconds, with at most one link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from dupfinder.gui.kit.buttons import button, icon_button
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme

_SHOWN_MS: Final = 8000
_FROM_BOTTOM: Final = 72


class Toast(QFrame):
    """One toast over a window. A new sentence replaces the previous one."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("look", "toast")
        self._text = label("", "medium")
        self._act = button(theme, "", "link")
        self._action: Callable[[], None] | None = None
        close = icon_button(theme, "close", self.tr("Close this message"), size=14)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        for part in (self._text, self._act, close):
            row.addWidget(part)
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        self._act.clicked.connect(self._run)
        close.clicked.connect(self.hide)
        window.installEventFilter(self)
        self.hide()

    def tell(self, text: str, act: str = "", action: Callable[[], None] | None = None) -> None:
        """Show a sentence, with a link `act` that calls `action`."""
        self._text.setText(text)
        self._action = action
        self._act.setText(act)
        self._act.setVisible(bool(act))
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def text(self) -> str:
        """Return the sentence that is shown."""
        return self._text.text()

    @Slot()
    def _run(self) -> None:
        self.hide()
        if self._action is not None:
            self._action()

    def _place(self) -> None:
        window = self._window
        self.adjustSize()
        self.setMaximumWidth(window.width() - 64)
        self.move((window.width() - self.width()) // 2, window.height() - self.height() - _FROM_BOTTOM)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False


def announce(widget: QWidget, text: str) -> None:
    """Announce a sentence to a screen reader without showing it."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)
