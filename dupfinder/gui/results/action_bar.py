"""The bar under the results: what is marked, how to take it back, and the next step."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.cards import Icon
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.session import ReviewSession


class ActionBar(QFrame):
    """Says what the marks amount to. Its filled button is the page's one next step."""

    undo_wanted = Signal()
    removal_wanted = Signal()

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "bottom")
        self._session = session
        self.can_restore = False  # whether Undo takes a removal back
        self._icon = Icon(theme, "trash", "remove", 18)
        self._first = label("", "strong")
        self._relations = label("", "secondary")
        self._second = label("", "secondary")
        self._undo = button(theme, self.tr("Undo"), "quiet", "undo")
        self._removal = button(theme, self.tr("Review removal…"), "primary")
        self._undo.clicked.connect(self.undo_wanted)
        self._removal.clicked.connect(self.removal_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 9, 16, 9)
        row.setSpacing(12)
        row.addWidget(self._icon)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self._first)
        first.addWidget(self._relations)
        first.addStretch(1)
        texts.addLayout(first)
        texts.addWidget(self._second)
        row.addLayout(texts, 1)
        row.addWidget(self._undo)
        row.addWidget(self._removal)
        self.refresh()

    @property
    def next_step(self) -> QPushButton:
        """The filled button."""
        return self._removal

    def refresh(self) -> None:
        """Follow the session."""
        summary = self._session.summary()
        some = summary.documents > 0
        self._icon.set_icon("trash", "remove" if some else "tertiary")
        if some:
            text = self.tr("%Ln documents marked for removal", None, summary.documents)
            self._first.setText(text)
            self._relations.setText(words.counts_of(summary.relations))
            parts = [
                self.tr("%1 to free").replace("%1", words.size(summary.bytes)),
                self.tr("at least one copy of every document stays"),
            ]
        else:
            self._first.setText(self.tr("Nothing marked"))
            self._relations.setText("")
            parts = [self.tr("Mark documents with Space, or use Select automatically.")]
        if summary.hidden_marks:
            text = self.tr("%Ln marks are in hidden groups", None, summary.hidden_marks)
            parts.append(text)
        self._second.setText("  ·  ".join(parts))
        self._removal.setEnabled(some)
        self._undo.setEnabled(self._session.acts.can_undo or self.can_restore)
        count = self._session.acts.undo_size
        tip = self.tr("Undo the decision about %Ln documents", None, count) if count else self.tr("Nothing to undo")
        if not count and self.can_restore:
            tip = self.tr("Bring the removed documents back")
        self._undo.setToolTip(tip)
