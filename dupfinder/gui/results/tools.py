"""The bars of the results: above, the view, the search, the export and the rules.

Below, the marks, undo, and the next step.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import Segments, button
from dupfinder.gui.kit.cards import Icon
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import Spring, across, down, grow
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.session import ReviewSession

LEAST_SEARCH: Final = 110  # px
MOST_SEARCH: Final = 420
AROUND: Final = 64  # px beside the hint: icons and margins


class SearchField(QLineEdit):
    """As wide as its hint; narrower only if there is no room."""

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return super().sizeHint().expandedTo(QSize(width + AROUND, 0))


class ResultsTools(QWidget):
    """Emits what the person requests; its only state is the text of the search."""

    search_left = Signal()  # by Escape or Enter

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(self)
        self.search.setPlaceholderText(self.tr("Search names or folders"))
        self.search.setAccessibleName(self.tr("Search names or folders"))
        self.search.setToolTip(self.tr("Also folder:  type:pdf  lang:en  size>1MB  date<2024-01-31"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setStyleSheet("QToolButton { border: none; padding: 0; margin: 0; min-width: 0; min-height: 0; }")
        self.search.setMinimumWidth(theme.px(LEAST_SEARCH))
        self.search.setMaximumWidth(theme.px(MOST_SEARCH))
        self.search.returnPressed.connect(self.search_left)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self._leave)
        self.views = Segments([self.tr("Groups"), self.tr("Same form")], self.tr("View"))
        self.export = button(theme, self.tr("Export"), icon="export")
        self.rules = button(theme, self.tr("Select automatically…"), icon="wand")
        across(self.views, grow(self.search), self.export, self.rules, spacing=8, into=self)

    def go_to_search(self) -> None:
        """Focus the search, with its text selected."""
        self.search.setFocus()
        self.search.selectAll()

    def clear_search(self) -> None:
        """Clear the search without a signal."""
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)

    def _leave(self) -> None:
        """Clear the search and leave it."""
        self.search.clear()
        self.search_left.emit()


class ActionBar(QFrame):
    """Shows the numbers of the marks. Its filled button is the next step of the page."""

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "bottom")
        self._session = session
        self._rest = ""  # what stands below the number of marks
        self.can_restore = False  # whether Undo undoes a removal
        self._icon = Icon(theme, "trash", "remove", 18)
        self._first = label("", "strong")
        self._relations = label("", "secondary")
        self._second = label("", "secondary")
        self.undo = button(theme, self.tr("Undo"), "quiet", "undo")
        self.next_step = button(theme, self.tr("Review removal…"), "primary")
        texts = down(across(self._first, self._relations, Spring(), spacing=8), self._second, spacing=1)
        across(self._icon, grow(texts), self.undo, self.next_step, margins=(18, 9, 16, 9), spacing=12, into=self)
        self.refresh()

    def show_busy(self, busy: bool) -> None:
        """Show that a decision is being carried out, or the numbers again."""
        self._second.setText(self.tr("Working…") if busy else self._rest)

    def refresh(self) -> None:
        """Update from the session."""
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
        self._rest = "  ·  ".join(parts)
        self.show_busy(False)
        self.next_step.setEnabled(some)
        self.undo.setEnabled(self._session.acts.can_undo or self.can_restore)
        count = self._session.acts.undo_size
        tip = self.tr("Undo the decision about %Ln documents", None, count) if count else self.tr("Nothing to undo")
        if not count and self.can_restore:
            tip = self.tr("Bring the removed documents back")
        self.undo.setToolTip(tip)
