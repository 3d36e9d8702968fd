"""A coloured strip with two sentences and an act: what is promised, and what to be careful about."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.cards import Icon
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme


class Strip(QFrame):
    """A coloured line of two sentences, with an act at its end; hidden while it has nothing to say."""

    acted = Signal()

    def __init__(self, theme: Theme, icon: str, tone: str, act: str = "") -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self.setProperty("tone", tone)
        self._title = label("", "strong", tone, wrap=True)
        self._text = label("", "secondary", tone, wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 10, 16, 10)
        row.setSpacing(16)
        row.addWidget(Icon(theme, icon, tone, 20))
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._text)
        row.addLayout(column, 1)
        self._act = button(theme, act, "link")
        self._act.setProperty("tone", tone)
        self._act.setVisible(bool(act))
        self._act.clicked.connect(self.acted)
        row.addWidget(self._act)

    def say(self, title: str, text: str = "", act: str = "") -> None:
        """Show two sentences; nothing when the first is empty."""
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._act.setText(act)
        self._act.setVisible(bool(act))
        self.setVisible(bool(title))
