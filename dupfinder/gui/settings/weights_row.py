"""The row of the settings on how much each word weighs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme

if TYPE_CHECKING:
    from dupfinder.scan.weights import Learned


class WeightsRow(QWidget):
    """Says which weights are used and lets them be learned, looked at, and chosen. `told(str)`, `failed(error)`."""

    told = Signal(str)
    failed = Signal(object)

    def __init__(self, theme: Theme, settings: Settings, library: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings, self._library = theme, settings, library
        self._found: Learned | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 10, 0, 10)
        row.setSpacing(8)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        name = label(self.tr("Weights of words"), "medium")
        texts.addWidget(name)
        texts.addWidget(
            label(
                self.tr("How rare each word is. What many documents have in common counts less."),
                "secondary",
                wrap=True,
            )
        )
        self._state = label("", "secondary", "text", wrap=True)
        texts.addWidget(self._state)
        row.addLayout(texts, 1)
        self._other = button(theme, "")
        self._look = button(theme, self.tr("Show words…"))
        self._learn = button(theme, self.tr("Learn from my documents…"))
        self._other.clicked.connect(self._switch)
        self._look.clicked.connect(self.look)
        self._learn.clicked.connect(self.learn)
        column = QVBoxLayout()
        column.setSpacing(6)
        above = QHBoxLayout()
        above.setSpacing(6)
        above.addStretch(1)
        above.addWidget(self._look)
        above.addWidget(self._other)
        column.addWidget(self._learn, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(above)
        row.addLayout(column)
        self._learn.setAccessibleDescription(name.text())
        self.setAccessibleName(name.text())
        self._show(None)

    def refresh(self) -> None:
        """Look again at what was learned and what is used."""
        from dupfinder.scan.weights import newest

        self._show(newest())

    def _show(self, found: Learned | None) -> None:
        self._found = found
        learned = self._in_use()
        if learned and found is not None:
            text = self.tr("In use: learned from %1 (%2 words)").replace("%1", words.documents(found.documents))
            text = text.replace("%2", words.number(found.features))
        else:
            text = self.tr("In use: the weights that are shipped")
        self._state.setText(text)
        self._look.setVisible(found is not None)
        self._other.setVisible(found is not None)
        self._other.setText(self.tr("Use shipped weights") if learned else self.tr("Use learned weights"))

    def _in_use(self) -> bool:
        return self._settings.get(WEIGHTS) == "learned"

    @Slot()
    def learn(self) -> None:
        """Ask, and learn."""
        from dupfinder.gui.settings.learning import LearningSheet

        sheet = LearningSheet(self._theme, self, self._settings, self._library)
        sheet.learned.connect(self._learned)
        sheet.failed.connect(self.failed)
        sheet.open()

    @Slot(object)
    def _learned(self, found: Learned) -> None:
        self._show(found)
        self.look()

    @Slot()
    def look(self) -> None:
        """Show what was learned."""
        from dupfinder.gui.settings.learning import LearnedSheet

        if self._found is None:
            return
        sheet = LearnedSheet(self._theme, self, self._found, in_use=self._in_use())
        sheet.shipped_wanted.connect(self._switch)
        sheet.open()

    @Slot()
    def _switch(self) -> None:
        """From the shipped weights to the learned ones, or back."""
        self._settings.set(WEIGHTS, "shipped" if self._in_use() else "learned")
        self._show(self._found)
        self.told.emit(self.tr("The next scan reads every document anew, once."))
