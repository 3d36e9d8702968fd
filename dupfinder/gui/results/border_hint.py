"""The hint under the card: how many pairs lie on the border of what is asked, and the ways to look at them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.ink import Ink
from dupfinder.gui.kit.labels import label, set_look
from dupfinder.review.session import ReviewSession


class BorderHint(QFrame):
    """Hidden while no pair is so near to the border."""

    review_wanted = Signal()
    looser_wanted = Signal()

    def __init__(self, session: ReviewSession, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, look="banner", tone="warn")
        self._session = session
        self._title = label("", "medium", "warn", wrap=True)
        self._text = label("", "secondary", "warn", wrap=True)
        self._review = button(ink.theme, "", "link")
        self._show = button(ink.theme, "", "link")
        self._review.clicked.connect(self.review_wanted)
        self._show.clicked.connect(self.looser_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(1)
        column.addWidget(self._title)
        column.addWidget(self._text)
        row = QHBoxLayout()
        row.addWidget(self._review)
        row.addWidget(self._show)
        row.addStretch(1)
        column.addLayout(row)

    def refresh(self) -> None:
        """Follow the session."""
        border = self._session.border_pairs()
        self.setVisible(bool(border.shown or border.hidden))
        if self.isHidden():
            return
        least = words.whole_percent(round(self._session.min_similarity * 100))
        title = self.tr("%Ln pairs lie on the border of %1.", None, border.shown + border.hidden)
        self._title.setText(title.replace("%1", least))
        text = self.tr("By an estimate of their similarity: %1 shown, %2 not shown.")
        self._text.setText(text.replace("%1", words.number(border.shown)).replace("%2", words.number(border.hidden)))
        self._review.setText(self.tr("Review the %1").replace("%1", words.number(border.shown)))
        self._show.setText(self.tr("Show the %1").replace("%1", words.number(border.hidden)))
        self._review.setVisible(border.shown > 0)
        self._show.setVisible(border.hidden > 0)
