"""The bar above every page: the name of the page, its tools, and buttons that are always there."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from dupfinder.gui.kit.buttons import button, icon_button, set_icon
from dupfinder.gui.kit.labels import ElidedLabel, label
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.theme import Theme


class _Note(ElidedLabel):
    """Shown completely or not at all: it gives its room to the page's tools, which are never cut off."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.fontMetrics().horizontalAdvance(self.text()) <= self.width():
            super().paintEvent(event)


class TopBar(QFrame):
    """ "dupfinder / page", a note, the page's tools, then help, history, theme and settings."""

    home = Signal()
    back = Signal()
    help_asked = Signal()
    history_asked = Signal()
    theme_asked = Signal()
    settings_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "top")
        self.setFixedHeight(max(52, theme.px(52)))
        self._back = icon_button(theme, "left", self.tr("Back"))
        self._back.clicked.connect(self.back)
        self._name = button(theme, "dupfinder", "quiet")
        self._name.setStyleSheet("font-weight: 700; font-size: 14px; color: palette(window-text); padding: 2px 4px;")
        self._name.setToolTip(self.tr("Back to the start page"))
        self._slash = label("/", "lead", "tertiary")
        self._slash.setStyleSheet("font-weight: 400; font-size: 14px; padding-bottom: 2px;")
        self._crumb = label("", "lead")
        self._crumb.setStyleSheet("font-size: 14px; padding-bottom: 2px;")
        self._note = _Note("", "secondary")
        self._tools: QWidget | None = None
        self._help = icon_button(theme, "help", self.tr("Help and shortcuts"))
        self._history = icon_button(theme, "history", self.tr("History"))
        self._switch = icon_button(theme, "moon", self.tr("Light or dark"))
        self._settings = icon_button(theme, "settings", self.tr("Settings"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 14, 0)
        self._row.setSpacing(8)
        for part in (self._back, self._name, self._slash, self._crumb):
            self._row.addWidget(part)
        self._row.addSpacing(8)
        self._row.addWidget(self._note, 1)
        self._place = self._row.count()
        for tool, signal in (
            (self._help, self.help_asked), (self._history, self.history_asked),
            (self._switch, self.theme_asked), (self._settings, self.settings_asked),
        ):  # fmt: skip
            self._row.addWidget(tool)
            tool.clicked.connect(signal)
        self._name.clicked.connect(self.home)
        theme.changed.connect(self._show_theme)
        self._show_theme()

    def show_page(self, page: Page) -> None:
        """Show the heading and the tools of a page."""
        self._back.setVisible(page.is_aside())
        self.show_heading(page)
        tools = page.tools()
        if tools is not self._tools:
            if self._tools is not None:
                self._row.removeWidget(self._tools)
                self._tools.hide()
            if tools is not None:
                self._row.insertWidget(self._place, tools)
                tools.show()
            self._tools = tools

    def show_heading(self, page: Page) -> None:
        """Show crumb and note of a page."""
        crumb = page.crumb()
        self._crumb.setText(crumb)
        self._crumb.setVisible(bool(crumb))
        self._slash.setVisible(bool(crumb))
        self._note.setText(page.note())

    def _show_theme(self) -> None:
        set_icon(self._theme, self._switch, "sun" if self._theme.dark else "moon")
